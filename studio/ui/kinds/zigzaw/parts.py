"""The zigzaw's views, tables and commands, put together for one window."""

from __future__ import annotations

from studio.puzzles.zigzaw.geometry import ZigzawShapes
from studio.ui.kinds.zigzaw.colouring import Colouring
from studio.ui.session.parts import Parts, View
from studio.ui.session.session import Session


class ZigzawParts(Parts[ZigzawShapes]):
    """All that the window has of the zigzaw."""

    context_menus = ("&Colours",)
    mouse = (
        "Wheel: zoom at the mouse. Middle button, or Space with the left: pan. Click a face to select it, double-click "
        "it for the next colour. Alt+1 to Alt+9 colour it, arrows go to the next cube, with Alt to the next face."
    )

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        flat = session.canvas.view
        self.colouring = Colouring(self)
        self.inspector = self.colouring.inspector
        self.commands = [*self.colouring.commands]
        session.pipeline.reshaped.connect(self.show_shapes)
        self.views = [View("board", "Board", session.canvas, lambda: None, flat.fit, flat.zoom_by)]

    @property
    def words(self) -> str:
        """What is selected."""
        return self.colouring.selection.words

    def possible(self) -> dict[str, bool]:
        """What the selection and the design allow."""
        return self.colouring.possible()

    def show_shapes(self, shapes: ZigzawShapes, _settled: bool) -> None:
        """Follow the shapes."""
        self.colouring.show_shapes(shapes)


PARTS = ZigzawParts
