"""The zigzaw's views, tables and commands, put together for one window."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt

from studio.base.texts import tr
from studio.puzzles.zigzaw.geometry import ZigzawShapes
from studio.puzzles.zigzaw.model import REAL, ZigzawParameters
from studio.ui.kinds.zigzaw.colouring import Colouring
from studio.ui.kinds.zigzaw.difficulty import Difficulty, grade_key
from studio.ui.kinds.zigzaw.importing import Importing
from studio.ui.kinds.zigzaw.play import PlayPage
from studio.ui.kinds.zigzaw.solver import SolverPage
from studio.ui.session.extension import Extension, View
from studio.ui.session.grading import Grading
from studio.ui.session.session import Session

SOLVER_HINT = tr("Drag along the chart to see any step of the search.")


class ZigzawExtension(Extension[ZigzawShapes]):
    """All that the window has of the zigzaw."""

    context_menus = canvas_menus = ("&Colours",)
    mouse = tr(
        "Wheel: zoom. Middle-drag or Space+drag: pan. Click a face to select it, double-click for the next colour. "
        "Alt+1 to Alt+9 colour it; arrow keys select the next cube, Alt+arrow keys the next face. In Solver, drag "
        "along the chart to see any step of the search. {hint}",
        hint=PlayPage.hint,
    )

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        canvas = session.canvas
        self.colouring = Colouring(self)
        self.inspector = self.colouring.inspector
        self.solver = SolverPage(session)
        self.importing = Importing(self)
        self.play = PlayPage(session.need_games(), session.document.design)
        self._seen: QObject = canvas
        self.views = [
            View("board", tr("Board"), canvas, partial(self._see, canvas), canvas.view.fit, canvas.view.zoom_by),
            self.play.entry(partial(self._see, self.play)),
            self.solver.entry(partial(self._see, self.solver)),
            self.importing.entry(partial(self._see, self.importing.page)),
        ]
        self.grading = Grading(session, grade_key, self, watched=False)
        self.difficulty = Difficulty(session, self.grading)
        self.tables = [(tr("Difficulty"), self.difficulty)]
        own = self.colouring.commands, self.play.commands, self.solver.commands, self.grading.commands("&Solver")
        self.commands = [command for some in own for command in some]
        self.play.reworded.connect(self.changed)
        session.pipeline.reshaped.connect(self.show_shapes)

    def review(self, paths: Sequence[Path]) -> bool:
        """Show what is read of pictures."""
        return self.importing.review(paths)

    @property
    def words(self) -> str:
        """What is selected on the board, or how far the game in sight is."""
        if self._seen is self.play:
            return self.play.words
        return self.colouring.selection.words if self._seen is self.session.canvas else ""

    def possible(self) -> dict[str, bool]:
        """What the selection and the design allow; what belongs to a view can be done while that is in sight."""
        on_board = self._seen is self.session.canvas
        board = {command.name for command in self.colouring.commands if command.on_canvas}
        coloured = {name: can and (on_board or name not in board) for name, can in self.colouring.possible().items()}
        pages = self.play, self.solver
        return coloured | {command.name: self._seen is page for page in pages for command in page.commands}

    def idle(self, parameters: ZigzawParameters) -> dict[str, str]:
        """What only cubes of any colours, or those with a picture, have."""
        found = {}
        if parameters.scheme == REAL:
            found["colours"] = tr("A real cube has six colours.")
        if self.session.document.design.picture is None:
            found["dither"] = tr("Only for cubes with a picture.")
        return found

    def put_away(self) -> None:
        """Another view is in sight."""
        self._see(self)

    def show_shapes(self, shapes: ZigzawShapes, settled: bool) -> None:
        """Follow the shapes."""
        self.colouring.show_shapes(shapes)
        self.grading.show_design(shapes.design, settled=settled)
        self.difficulty.films.ask(shapes.design, settled=settled)
        self.solver.show_design(shapes.design, settled=settled)
        self.play.show_design(shapes.design, settled=settled)

    def pause(self) -> None:
        """Pause the solver."""
        self.solver.player.pause()

    def finish(self) -> None:
        """Wait for all that is shown."""
        if self.difficulty.isVisible():
            self.grading.grade.finish()
            self.difficulty.films.finish()

    def _see(self, seen: QObject) -> None:
        self._seen = seen
        watched: dict[QObject, tuple[str, str]] = {
            self.play: (tr("Play"), PlayPage.hint),
            self.solver: (tr("Solver"), SOLVER_HINT),
        }
        self.colouring.inspector.show_view(*watched.get(seen, ("", "")), is_board=seen is self.session.canvas)
        if isinstance(seen, SolverPage | PlayPage):
            seen.setFocus(Qt.FocusReason.OtherFocusReason)
        self.changed.emit()


EXTENSION = ZigzawExtension
