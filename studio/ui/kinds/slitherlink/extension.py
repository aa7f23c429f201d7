"""The slitherlink's views, tables and commands, put together for one window."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Qt

from studio.base.texts import tr
from studio.geometry.board.board_spec import POLYGON, RECTANGLE
from studio.puzzles.slitherlink.geometry import SlitherlinkShapes
from studio.puzzles.slitherlink.model import FOLDED, PEGS, PLAIN, STICKS, SlitherlinkParameters
from studio.ui.kinds.slitherlink.book import Booking
from studio.ui.kinds.slitherlink.difficulty import Difficulty, grade_key
from studio.ui.kinds.slitherlink.editing import Editing
from studio.ui.kinds.slitherlink.play import PlayPage
from studio.ui.kinds.slitherlink.steps import StepsPage
from studio.ui.session.extension import Extension, View
from studio.ui.session.grading import Grading
from studio.ui.session.session import Session

STEPS_HINT = tr("Play the steps or go through them one by one; each says which rule it follows.")


class SlitherlinkExtension(Extension[SlitherlinkShapes]):
    """All that the window has of the slitherlink."""

    context_menus = ("&Loop",)
    canvas_menus = ("&Loop", "&Edit", "&View")
    mouse = tr(
        "Wheel: zoom. Middle-drag or Space+drag: pan. Click a cell to move it inside or outside the loop, a clue to "
        "add or remove it; drag to change several. Shift+click selects. Arrow keys select the next cell. {hint}",
        hint=PlayPage.hint,
    )

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        canvas = session.canvas
        self.editing = Editing(self)
        self.inspector = self.editing.inspector
        self.play = PlayPage(session)
        self.steps = StepsPage(session)
        self._seen: QObject = canvas
        self.views = [
            View("board", tr("Board"), canvas, partial(self._see, canvas), canvas.view.fit, canvas.view.zoom_by),
            self.play.entry(partial(self._see, self.play)),
            self.steps.entry(partial(self._see, self.steps)),
        ]
        self.grading = Grading(session, grade_key, self, watched=False)
        self.difficulty = Difficulty(self.grading)
        self.tables = [(tr("Difficulty"), self.difficulty)]
        own = self.editing.commands, self.play.commands, self.steps.commands, self.grading.commands("&Steps")
        self.commands = [command for some in own for command in some] + Booking(session).commands
        self.play.reworded.connect(self.changed)
        session.pipeline.reshaped.connect(self.show_shapes)

    @property
    def words(self) -> str:
        """What is selected on the board, or how far the game in sight is."""
        if self._seen is self.play:
            return self.play.words
        return self.editing.selection.words if self._seen is self.session.canvas else ""

    def possible(self) -> dict[str, bool]:
        """What the selection and the design allow; what belongs to a view can be done while that is in sight."""
        on_board = self._seen is self.session.canvas
        changed = self.editing.possible()
        edited = {
            one.name: changed.get(one.name, True) and (on_board or not one.on_canvas) for one in self.editing.commands
        }
        played, is_played = self.play.possible(), self._seen is self.play
        stepped = {one.name: self._seen is self.steps for one in self.steps.commands}
        return edited | stepped | {one.name: is_played and played.get(one.name, True) for one in self.play.commands}

    def idle(self, parameters: SlitherlinkParameters) -> dict[str, str]:
        """What only a folded loop has, and what only some boards have."""
        p, found = parameters, dict[str, str]()
        if p.loop != FOLDED:
            found |= dict.fromkeys(("ratio", "area"), tr("Only for folded loops."))
        if p.board != PEGS:
            found["peg"] = tr("Only for boards with holes.")
        if p.board != STICKS:
            found |= dict.fromkeys(("thickness", "wall", "stick", "spares"), tr("Only for boards with slots."))
        if p.outline != RECTANGLE:
            found["corner"] = tr("Only for rectangles: other boards follow their outline.")
        if p.board == PLAIN:
            found["play"] = tr("Only for boards with holes or slots.")
        return found

    def hidden(self, parameters: SlitherlinkParameters) -> set[str]:
        """Fields of other outlines."""
        return set() if parameters.outline == POLYGON else {"sides"}

    def put_away(self) -> None:
        """Another view is in sight."""
        self._see(self)

    def show_shapes(self, shapes: SlitherlinkShapes, settled: bool) -> None:
        """Follow the shapes."""
        self.editing.show_shapes(shapes)
        self.play.show_design(shapes.design, settled=settled)
        self.steps.show_design(shapes.design, settled=settled)
        self.grading.show_design(shapes.design, settled=settled)

    def pause(self) -> None:
        """Pause the steps."""
        self.steps.player.pause()

    def finish(self) -> None:
        """Wait for all that is shown."""
        if self.difficulty.isVisible():
            self.grading.grade.finish()

    def _see(self, seen: QObject) -> None:
        self._seen = seen
        if seen is not self.session.canvas:
            self.editing.paint(False)
        watched: dict[QObject, tuple[str, str]] = {
            self.play: (tr("Play"), PlayPage.hint),
            self.steps: (tr("Steps"), STEPS_HINT),
        }
        self.editing.inspector.show_view(*watched.get(seen, ("", "")), is_board=seen is self.session.canvas)
        if isinstance(seen, PlayPage | StepsPage):
            seen.setFocus(Qt.FocusReason.OtherFocusReason)
        self.changed.emit()


EXTENSION = SlitherlinkExtension
