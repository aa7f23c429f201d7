"""The jigsaw's tool, tables, inspector and actions, put together for one window."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from studio.checks.finding import Finding
from studio.geometry.shapes import Shapes
from studio.puzzles.jigsaw.generate import resized
from studio.puzzles.jigsaw.geometry import JigsawShapes
from studio.puzzles.jigsaw.model import JigsawParameters
from studio.ui.canvas.canvas import Canvas
from studio.ui.kinds.jigsaw.inspector import Inspector
from studio.ui.kinds.jigsaw.selection import Selection
from studio.ui.kinds.jigsaw.tables import JigsawTables
from studio.ui.kinds.jigsaw.tool import JigsawTool
from studio.ui.kinds.parts import View
from studio.ui.panels.form import Offers
from studio.ui.session.document import Document
from studio.ui.session.pace import Pace
from studio.ui.shell.actions import Command


class JigsawParts(QObject):
    """All that the window has of the jigsaw."""

    mouse = (
        "Wheel: zoom at the mouse. Middle button, or Space with the left: pan. Shift adds to the selection, Ctrl takes "
        "away. Arrows nudge by 1 mm, with Shift by 10, with Ctrl by 0.1. Escape gives a gesture up."
    )
    refused = Signal(str)
    """Brings the sentence for a value or a wish that could not be met."""
    view_wanted = Signal(str)
    """Another view is wanted in sight: brings its name."""

    def __init__(self, document: Document, canvas: Canvas) -> None:
        super().__init__(canvas)
        self.views: list[View] = []
        self.offers: dict[str, Offers] = {}
        self.selection = Selection(self)
        self.tool = JigsawTool(document, canvas, self.selection)
        self.sheets = JigsawTables(document, self.selection)
        inspector = Inspector(document, self.selection, self.tool)
        self.inspector: QWidget = inspector
        self._inspected = Pace(inspector.follow, self)
        self.tables: list[tuple[str, QWidget]] = [
            ("Pieces", self.sheets.piece_table),
            ("Corners", self.sheets.corner_table),
            ("Tongues", self.sheets.tongue_table),
        ]
        for model in (self.sheets.pieces, self.sheets.corners, self.sheets.tongues):
            model.refused.connect(self.refused)
        self.tool.refused.connect(self.refused)
        tool = self.tool
        self.commands = [
            Command("flip", "Flip tongue", "Tongue", tool.flip, ("F",), "flip",
                  "Turn the selected tongues to their other side", on_canvas=True),
            Command("plain", "Plain", "Tongue", tool.make_plain, ("P",), "plain",
                  "Make the selected tongues plain, or tongues again", on_canvas=True),
            Command("roll", "Re-roll", "Tongue", tool.roll, ("R",), "dice",
                  "Deal the selected tongues anew", on_canvas=True),
            Command("lock", "Lock", "Tongue", tool.lock, ("L",), "lock",
                  "Keep the selected tongues when all is dealt anew, or no longer", on_canvas=True),
            Command("reset", "Reset", "Tongue", tool.reset, ("Backspace", "Del"), "reset",
                  "Take the hand's edits of the selected corners and tongues away", on_canvas=True),
            Command("select_all", "Select all tongues", "Edit", tool.select_all, ("Ctrl+A",), "select", on_canvas=True),
            Command("select_none", "Select nothing", "Edit", lambda: self.selection.select(), ("Ctrl+Shift+A",),
                  on_canvas=True),
        ]  # fmt: skip
        canvas.view.tool = tool

    @property
    def words(self) -> str:
        """What is selected."""
        return self.selection.words

    def possible(self) -> dict[str, bool]:
        """Tongues can be flipped where any is selected; reset takes corners too."""
        tongues = bool(self.selection.tongues)
        on_tongues = dict.fromkeys(("flip", "plain", "roll", "lock"), tongues)
        return on_tongues | {"reset": tongues or bool(self.selection.corners)}

    def show_shapes(self, shapes: Shapes, settled: bool) -> None:
        """Follow the shapes; tables wait until a gesture has ended."""
        assert isinstance(shapes, JigsawShapes)
        self.tool.show_shapes(shapes)
        if settled:
            self._inspected.now()
            self.sheets.show_shapes(shapes)
        else:
            self._inspected.ask()

    def show_draft(self, draft: bool) -> None:
        """Show or hide the corners' rings."""
        self.tool.marks.show_draft(draft)

    def show_finding(self, finding: Finding) -> None:
        """The canvas points at it."""

    def finish(self) -> None:
        """Nothing is worked out beside the checks."""

    def describe(self, parameters: object) -> dict[str, str]:
        """The size of the pieces, under the board's fields."""
        assert isinstance(parameters, JigsawParameters)
        width, height = parameters.cell
        count = parameters.columns * parameters.rows
        return {"Board": f"Pieces of {width:.1f} × {height:.1f} mm, {count} in all"}

    def linked(self, parameters: object, name: str, value: object) -> object:
        """A board that grows with its columns and rows."""
        assert isinstance(parameters, JigsawParameters)
        return resized(parameters, name, value)
