"""The zigzaw's views, tables and commands, put together for one window."""

from __future__ import annotations

from studio.puzzles.zigzaw.geometry import ZigzawShapes
from studio.ui.session.parts import Parts, View
from studio.ui.session.session import Session


class ZigzawParts(Parts[ZigzawShapes]):
    """All that the window has of the zigzaw."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        flat = session.canvas.view
        self.views = [View("board", "Board", session.canvas, lambda: None, flat.fit, flat.zoom_by)]


PARTS = ZigzawParts
