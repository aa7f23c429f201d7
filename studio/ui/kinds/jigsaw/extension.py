"""The jigsaw's tool, tables, inspector and actions, put together for one window."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from studio.amounts import many
from studio.checks.finding import Finding
from studio.puzzles.jigsaw.generate import resized
from studio.puzzles.jigsaw.geometry import JigsawShapes
from studio.puzzles.jigsaw.model import GRID, POLYGON, RECTANGLE, RINGS, JigsawParameters
from studio.texts import tr
from studio.ui.kinds.jigsaw.inspector import Inspector
from studio.ui.kinds.jigsaw.selection import Selection
from studio.ui.kinds.jigsaw.tables import JigsawTables
from studio.ui.kinds.jigsaw.tool import JigsawTool
from studio.ui.panels.form import Linked
from studio.ui.session.extension import Extension
from studio.ui.session.pace import Pace
from studio.ui.session.session import Session
from studio.ui.shell.actions import Command

if TYPE_CHECKING:
    from studio.ui.kinds.jigsaw.figuring import Figuring
    from studio.ui.kinds.jigsaw.outlining import OutlineImport


FIGURE_COMMANDS = ("turn_figure_left", "turn_figure_right", "mirror_figure", "remove_figure")
"""The commands for one selected figure."""


class JigsawExtension(Extension[JigsawShapes]):
    """All that the window has of the jigsaw."""

    context_menus = ("&Tongue",)
    mouse = tr(
        "Wheel zooms; middle-drag or Space+drag pans. Shift+click adds to the selection, Ctrl+click removes. Arrow "
        "keys nudge by 1 mm, with Shift by 10 mm, with Ctrl by 0.1 mm. Esc cancels a drag or clears the selection."
    )
    linked = Linked(
        resized, tr("Keep piece size"), tr("Changing columns or rows then resizes the board, not the pieces."),
        tr("Pieces"),
    )  # fmt: skip

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        document, canvas = session.document, session.canvas
        self.selection = Selection(self.shapes, self)
        self.tool = JigsawTool(document, canvas, self.selection)
        self.sheets = JigsawTables(document, self.selection)
        inspector = Inspector(document, self.selection, self.tool)
        self.inspector = inspector
        self._inspected = Pace(inspector.follow, self)
        for table in (self.sheets.pieces, self.sheets.corners, self.sheets.tongues):
            self.tables.append((table.accessibleName(), table))
            table.elements.refused.connect(self.refused)
        self.tool.refused.connect(self.refused)
        tool = self.tool
        tool.figure_moved.connect(lambda pose: self.figuring.move(pose))
        tool.figure_nudged.connect(lambda right, down: self.figuring.nudge(right, down))
        inspector.figure_edited.connect(lambda *edit: self.figuring.edit(*edit))
        inspector.figure_removed.connect(lambda: self.figuring.remove())
        session.changing.given_up.connect(inspector.follow)
        self.commands = [
            Command("flip", tr("Flip tongue"), "&Tongue", tool.flip, ("F",), "flip",
                  tr("Flip the selected tongues to the other side"), on_canvas=True, strip="tongue"),
            Command("plain", tr("Make straight"), "&Tongue", tool.make_plain, ("P",), "plain",
                  tr("Make the selected edges straight, or give them tongues again"), on_canvas=True, strip="tongue"),
            Command("roll", tr("Randomise"), "&Tongue", tool.roll, ("R",), "dice",
                  tr("Randomise the selected tongues"), on_canvas=True, strip="tongue"),
            Command("lock", tr("Lock"), "&Tongue", tool.lock, ("L",), "lock",
                  tr("Lock or unlock the selected tongues"), on_canvas=True, strip="tongue"),
            Command("reset", tr("Reset"), "&Tongue", tool.reset, ("Backspace", "Del"), "reset",
                  tr("Reset the selected corners and tongues"), on_canvas=True, strip="tongue"),
            Command("merge", tr("Merge pieces"), "&Tongue", tool.merge, ("M",), "",
                  tr("Merge the selected neighbouring pieces into one"), on_canvas=True, in_context=True),
            Command("split", tr("Split piece"), "&Tongue", tool.split, ("Shift+M",), "",
                  tr("Split the selected merged pieces"), on_canvas=True, in_context=True),
            Command("outline", tr("Import outline…"), "&Edit", self.import_outline, (), "",
                  tr("Use a closed path from an SVG or DXF file as the board's outline")),
            Command("add_figure", tr("Add figure…"), "&Edit", lambda: self.figuring.ask(), (), "",
                  tr("Add a figure or a line of letters, each cut as one piece")),
            Command("turn_figure_left", tr("Rotate figure left"), "&Edit", lambda: self.figuring.turn(-1), ("[",), "",
                  tr("Rotate the selected figure by 15° to the left"), on_canvas=True, in_context=True),
            Command("turn_figure_right", tr("Rotate figure right"), "&Edit", lambda: self.figuring.turn(1), ("]",), "",
                  tr("Rotate the selected figure by 15° to the right"), on_canvas=True, in_context=True),
            Command("mirror_figure", tr("Mirror figure"), "&Edit", lambda: self.figuring.mirror(), (), "",
                  tr("Swap left and right of the selected figure"), in_context=True),
            Command("remove_figure", tr("Remove figure"), "&Edit", lambda: self.figuring.remove(), ("Del",), "",
                  tr("Remove the selected figure from the board"), on_canvas=True, in_context=True),
            Command("select_all", tr("Select all tongues"), "&Edit", tool.select_all, ("Ctrl+A",), "select",
                  on_canvas=True, in_context=True),
            Command("select_none", tr("Deselect all"), "&Edit", lambda: self.selection.select(), ("Ctrl+Shift+A",),
                  on_canvas=True),
        ]  # fmt: skip
        canvas.view.tool = tool
        tool.menu_wanted.connect(self.menu_wanted)
        self.selection.changed.connect(self.changed)
        canvas.draft_shown.connect(tool.marks.show_draft)
        tool.marks.show_draft(canvas.drawing.is_draft)
        session.pipeline.reshaped.connect(self.show_shapes)

    @cached_property
    def outlining(self) -> OutlineImport:
        """Brings outlines from files; loaded when the first one is asked for."""
        from studio.ui.kinds.jigsaw.outlining import OutlineImport

        return OutlineImport(self.session, self)

    def import_outline(self) -> None:
        """Ask for a drawing whose closed path is to be the board's outline."""
        self.outlining.choose()

    @cached_property
    def figuring(self) -> Figuring:
        """Changes figures; loaded with the first that is changed."""
        from studio.ui.kinds.jigsaw.figuring import Figuring

        return Figuring(self.session, self.selection, self.tool.marks, self)

    @property
    def words(self) -> str:
        """What is selected."""
        return self.selection.words

    def possible(self) -> dict[str, bool]:
        """Tongues can be flipped where any is selected; reset takes corners too."""
        tongues = bool(self.selection.tongues)
        on_tongues = dict.fromkeys(("flip", "plain", "roll", "lock"), tongues)
        pieces, is_figure = self.selection.faces, self.selection.figure is not None
        merging = {"merge": tongues or len(pieces) > 1, "split": bool(pieces and self.shapes.design.merged)}
        on_figure = dict.fromkeys(FIGURE_COMMANDS, is_figure)
        return on_tongues | merging | on_figure | {"reset": tongues or bool(self.selection.corners)}

    def show_finding(self, finding: Finding) -> None:
        """Select the figure that is concerned, where it is a piece."""
        if self.shapes.tiling.fillings and finding.cells:
            self.selection.select_figure(finding.cells[0])

    def show_shapes(self, shapes: JigsawShapes, settled: bool) -> None:
        """Follow the shapes; tables wait until a gesture has ended."""
        self.tool.show_shapes(shapes)
        self._inspected.follow(settled=settled)
        if settled:
            self.sheets.show_shapes(shapes)

    def describe(self, parameters: JigsawParameters) -> dict[str, str]:
        """The size of the pieces, under the board's fields."""
        width, height = parameters.cell
        if parameters.tiling == GRID and parameters.outline == RECTANGLE:
            columns, rows = parameters.layout()
            pieces = many(columns * rows, "piece")
            text = tr("{pieces} of about {width:.1f} × {height:.1f} mm", width=width, height=height, pieces=pieces)
        else:
            text = tr("Pieces of about {width:.1f} × {height:.1f} mm", width=width, height=height)
        return {tr("Pieces"): text}

    def idle(self, parameters: JigsawParameters) -> dict[str, str]:
        """Columns and rows where a number of pieces is asked for, and the shape of styles that have a fixed one."""
        shape = {"head_width": "head", "neck_width": "neck", "shoulder": "shoulder", "fullness": "fullness"}
        lacking = [name for name, part in shape.items() if part not in parameters.style.shape]
        reasons = dict.fromkeys(lacking, tr("This style has a fixed shape."))
        if parameters.pieces:
            reasons |= {"columns": tr("Pieces sets the columns."), "rows": tr("Pieces sets the rows.")}
        return reasons

    def hidden(self, parameters: JigsawParameters) -> set[str]:
        """Fields of other outlines and tilings."""
        return hidden(parameters)


def hidden(parameters: JigsawParameters) -> set[str]:
    """The parameters of outlines and tilings that are not chosen."""
    needed = {
        "corner_radius": parameters.outline == RECTANGLE,
        "sides": parameters.outline == POLYGON,
        "middle_piece": parameters.tiling == RINGS,
    }
    return {name for name, is_needed in needed.items() if not is_needed}


EXTENSION = JigsawExtension
