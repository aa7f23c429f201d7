"""The slitherlink's views, tables and commands, put together for one window."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject

from studio.puzzles.slitherlink.geometry import SlitherlinkShapes
from studio.ui.session.parts import Parts, View
from studio.ui.session.session import Session


class SlitherlinkParts(Parts[SlitherlinkShapes]):
    """All that the window has of the slitherlink."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        canvas = session.canvas
        self._seen: QObject = canvas
        self.views = [View("board", "Board", canvas, partial(self._see, canvas), canvas.view.fit, canvas.view.zoom_by)]
        session.pipeline.reshaped.connect(self.show_shapes)

    def put_away(self) -> None:
        """Another view is in sight."""
        self._see(self)

    def show_shapes(self, shapes: SlitherlinkShapes, settled: bool) -> None:
        """Follow the shapes."""

    def _see(self, seen: QObject) -> None:
        self._seen = seen
        self.changed.emit()


PARTS = SlitherlinkParts
