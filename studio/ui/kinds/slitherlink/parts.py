"""The slitherlink's views, tables and commands, put together for one window."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject

from studio.puzzles.slitherlink.geometry import SlitherlinkShapes
from studio.puzzles.slitherlink.model import FOLDED, SlitherlinkParameters
from studio.ui.kinds.slitherlink.editing import Editing
from studio.ui.session.parts import Parts, View
from studio.ui.session.session import Session


class SlitherlinkParts(Parts[SlitherlinkShapes]):
    """All that the window has of the slitherlink."""

    context_menus = canvas_menus = ("&Loop",)
    mouse = (
        "Wheel: zoom at the mouse. Middle button, or Space with the left: pan. Click a cell to take it inside or "
        "outside the loop, a clue to give or hide it; drag to do the same to more of them. Shift+click selects. Arrows "
        "go to the next cell."
    )

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        canvas = session.canvas
        self.editing = Editing(self)
        self.inspector = self.editing.inspector
        self._seen: QObject = canvas
        self.views = [View("board", "Board", canvas, partial(self._see, canvas), canvas.view.fit, canvas.view.zoom_by)]
        self.commands = self.editing.commands
        session.pipeline.reshaped.connect(self.show_shapes)

    @property
    def words(self) -> str:
        """What is selected on the board."""
        return self.editing.selection.words if self._seen is self.session.canvas else ""

    def possible(self) -> dict[str, bool]:
        """What the selection and the design allow; what belongs to a view can be done while that is in sight."""
        on_board = self._seen is self.session.canvas
        board = {command.name for command in self.editing.commands if command.on_canvas}
        return {name: can and (on_board or name not in board) for name, can in self.editing.possible().items()}

    def idle(self, parameters: SlitherlinkParameters) -> dict[str, str]:
        """What only a folded loop has."""
        reason = "Only a folded loop has it."
        return {} if parameters.loop == FOLDED else {"ratio": reason, "area": reason}

    def put_away(self) -> None:
        """Another view is in sight."""
        self._see(self)

    def show_shapes(self, shapes: SlitherlinkShapes, settled: bool) -> None:
        """Follow the shapes."""
        self.editing.show_shapes(shapes)

    def _see(self, seen: QObject) -> None:
        self._seen = seen
        self.changed.emit()


PARTS = SlitherlinkParts
