"""The jigsaw's tool, tables, inspector and actions, put together for one window."""

from __future__ import annotations

from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QObject, QPoint, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QMenu, QWidget

from studio.base.amounts import abridged, extent, many, thousands
from studio.base.texts import tr
from studio.checks.finding import Finding
from studio.files.pictures import SUFFIXES
from studio.geometry.board.board_spec import DRAWN as DRAWN_CUTS
from studio.puzzles.abilities.cuttable import pieces_in_words
from studio.puzzles.jigsaw.model import edits
from studio.puzzles.jigsaw.model.design import NEWEST_LAYOUT, JigsawParameters, idle_parameters
from studio.puzzles.jigsaw.model.geometry import JigsawShapes
from studio.puzzles.jigsaw.model.tiling import resized
from studio.ui.kinds.jigsaw.commands import board_commands, play_commands, tongue_commands
from studio.ui.kinds.jigsaw.element_tables import Gripping, JigsawTables
from studio.ui.kinds.jigsaw.inspector import Inspector
from studio.ui.kinds.jigsaw.selection import Selection
from studio.ui.kinds.jigsaw.tool import JigsawTool, arrange_commands, arrangeable
from studio.ui.session.actions import VIEW, within
from studio.ui.session.extension import MOST_NAMED, Extension, Linked, View
from studio.ui.session.games import VIEW as PLAY
from studio.ui.session.games import game_commands
from studio.ui.session.jobs import Throttle
from studio.ui.session.session import Session
from studio.ui.widgets.layout import column

if TYPE_CHECKING:
    from studio.ui.kinds.jigsaw.cutout import CuttingOut
    from studio.ui.kinds.jigsaw.engravings import Engraved
    from studio.ui.kinds.jigsaw.figures import Figuring
    from studio.ui.kinds.jigsaw.fits_panel import FitsTable, Fitting, Repairing
    from studio.ui.kinds.jigsaw.pen import Drawing, Flowing
    from studio.ui.kinds.jigsaw.picture import Picturing
    from studio.ui.kinds.jigsaw.play import PlayPage
    from studio.ui.kinds.jigsaw.protected_area import Masking
    from studio.ui.kinds.jigsaw.tongue_dialog import ShapeCopying
    from studio.ui.panels.drawing_import import OutlineImport


DIMMED = "canvas/dimmed"
DRAWN = (".svg", ".dxf")
"""Suffixes of drawings, which can serve for more than a picture."""
ASIDES = {"picturing": "picture", "masking": "mask", "drawing": "pen", "flowing": "flow",
          "cutting_out": "cutout"}  # fmt: skip
"""Attributes of what takes the mouse from the cuts, with their topics."""
FIGURE_COMMANDS = ("turn_figure_left", "turn_figure_right", "mirror_figure", "remove_figure", "duplicate_figure")
"""The commands for selected figures or engravings."""


class JigsawExtension(Extension[JigsawShapes]):
    """All that the window has of the jigsaw."""

    context_menus = ("&Tongue",)
    canvas_menus = ("&Tongue", "&Edit", "&Picture", VIEW)
    mouse = tr(
        "Wheel zooms; middle-drag or Space+drag pans. Shift+click adds to the selection, Ctrl+click removes. Arrow "
        "keys nudge by 1 mm, with Shift by 10 mm, with Ctrl by 0.1 mm. Esc cancels a drag or clears the selection. In "
        "Play, drag pieces; R, a right-click or the wheel during a drag rotates them, a double-click takes one off. "
        "Drag a box around pieces to move them together. Arrow keys choose a piece, Enter picks it up and puts it "
        "down."
    )
    is_on_canvas = True
    droppable = frozenset({*SUFFIXES, ".dxf"})
    takes_images = True
    linked = Linked(
        resized, tr("Keep piece size"), tr("Changing columns or rows then resizes the board, not the pieces."),
        tr("Pieces"), ("columns", "rows"),
    )  # fmt: skip

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        document, canvas = session.document, session.canvas
        canvas.drawing.show_dimmed(session.preferences.switch(DIMMED, False))
        self.selection = Selection(self.shapes, self)
        self.tool = JigsawTool(document, canvas, self.selection)
        self.gripping = Gripping(session, self.selection, self)
        self.sheets = JigsawTables(document, self.selection, self.gripping)
        inspector = Inspector(document, self.selection, self.tool, self.gripping)
        self.inspector = self._inspector = inspector
        self._inspected = Throttle(inspector.follow, self)
        for table in (self.sheets.pieces, self.sheets.corners, self.sheets.tongues):
            self.tables.append((table.accessibleName(), table))
            table.elements.refused.connect(self.refused)
        self.tables.append((tr("Fits"), FitsPage(self)))
        self.tool.refused.connect(self.refused)
        self.tool.figures_posed.connect(lambda words, poses: self.figuring.pose(words, poses))
        self.tool.figures_nudged.connect(lambda right, down: self.figuring.nudge(right, down))
        self.tool.figures_dragged.connect(lambda poses: self.figuring.follow(poses))
        self.tool.figures_dragged.connect(inspector.show_dragged)
        self.tool.figures_let_go.connect(lambda: self.figuring.let_go())
        self.tool.figures_let_go.connect(inspector.let_go)
        self.tool.cut_shaped.connect(lambda *shaped: self.drawing.shape(*shaped))
        self.tool.engraving_opened.connect(self.engrave)
        inspector.engraving_opened.connect(self.engrave)
        inspector.figures_edited.connect(lambda *edit: self.figuring.edit(*edit))
        inspector.refused.connect(self.refused)
        inspector.figures_removed.connect(lambda: self.figuring.remove())
        session.changing.given_up.connect(inspector.let_go)
        session.changing.given_up.connect(inspector.follow)
        session.changing.given_up.connect(lambda: self.tool.marks.show_curve(None))
        self.place = PlayPlace(self)
        self._seen: QObject = canvas
        self.views = [
            View("board", tr("Board"), canvas, partial(self._see, canvas), canvas.view.fit, canvas.view.zoom_by),
            View(PLAY, tr("Play"), self.place, partial(self._see, self.place), lambda: self.place.page.fit(),
                 lambda factor: self.place.page.view.zoom_by(factor), lambda: self.place.page.finish(),
                 lambda share: self.place.page.seek(share)),
        ]  # fmt: skip
        of_game = game_commands(session.need_games(), "&Game")
        self.commands = within(
            "board",
            [
                *tongue_commands(self),
                *board_commands(self),
                *arrange_commands(lambda *how: self.figuring.arrange(*how)),
            ],
        )
        self.commands += within(PLAY, [*play_commands(self.place), *of_game])
        canvas.view.tool = self.tool
        self.tool.menu_wanted.connect(self.menu_wanted)
        self.selection.changed.connect(self.changed)
        canvas.draft_shown.connect(self.tool.marks.show_draft)
        self.tool.marks.show_draft(canvas.drawing.is_draft)
        self._has_problems = False
        session.pipeline.shapes_changed.connect(self.show_shapes)
        session.pipeline.findings_changed.connect(self._follow_findings)

    def _follow_findings(self, findings: tuple[Finding, ...] | None) -> None:
        """Offer to fix problems if any are known."""
        if findings is not None and bool(findings) != self._has_problems:
            self._has_problems = bool(findings)
            self.changed.emit()

    def _see(self, seen: QObject) -> None:
        self._seen = seen
        if seen is not self.session.canvas:
            self.leave_asides()
        self._inspector.show_view(is_board=seen is self.session.canvas, is_played=seen is self.place)
        if seen is self.place:
            self.place.page.setFocus(Qt.FocusReason.OtherFocusReason)
        self.changed.emit()

    def put_away(self) -> None:
        """Another view is in sight."""
        self._see(self)

    @cached_property
    def copying(self) -> ShapeCopying:
        """Copies and pastes shapes of tongues; loaded when the first tongue is selected."""
        from studio.ui.kinds.jigsaw.tongue_dialog import ShapeCopying

        copying = ShapeCopying(self.session.document, self.selection, self)
        copying.refused.connect(self.refused)
        copying.changed.connect(self.changed)
        return copying

    @cached_property
    def picturing(self) -> Picturing:
        """Reads and adjusts pictures; loaded with the first picture."""
        from studio.ui.kinds.jigsaw.picture import Picturing

        return Picturing(self.session, self, self._inspector)

    @cached_property
    def masking(self) -> Masking:
        """Shows and paints the protected area; loaded with the first area."""
        from studio.ui.kinds.jigsaw.protected_area import Masking

        return Masking(self.session, self, self._inspector)

    @cached_property
    def drawing(self) -> Drawing:
        """Draws cuts with the pen; loaded with the first."""
        from studio.ui.kinds.jigsaw.pen import Drawing

        return Drawing(self.session, self, self._inspector)

    @cached_property
    def flowing(self) -> Flowing:
        """Draws flow lines; loaded with the first."""
        from studio.ui.kinds.jigsaw.pen import Flowing

        return Flowing(self.session, self, self._inspector)

    @cached_property
    def cutting_out(self) -> CuttingOut:
        """Makes figures of what the picture shows; loaded on first use."""
        from studio.ui.kinds.jigsaw.cutout import CuttingOut

        return CuttingOut(self.session, self, self._inspector)

    def leave_asides(self) -> None:
        """Give the mouse back to the cuts."""
        for name in ASIDES.keys() & self.__dict__.keys():
            getattr(self, name).leave()

    def dim_picture(self, on: bool) -> None:
        """Show the picture faintly, or in its true colours."""
        self.session.canvas.drawing.show_dimmed(on)
        self.session.preferences.set_switch(DIMMED, on)

    def drop(self, path: Path, place: QPoint) -> None:
        """Put a dropped picture under the cuts; a drawing can also become a figure, near its place, or the outline."""
        if path.suffix.lower() not in DRAWN:
            self.picturing.read(path)
            return
        view, drawing = self.session.canvas.view, self.selection.shapes.drawing
        at = view.mapToScene(view.viewport().mapFromGlobal(place))
        is_on = 0 <= at.x() <= drawing.width and 0 <= at.y() <= drawing.height
        menu = QMenu(view)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Add as &figure"), lambda: self.figuring.read(path, (at.x(), at.y()) if is_on else None))
        menu.addAction(tr("Use as &outline"), lambda: self.outlining.read(path))
        menu.addAction(tr("Use as &cuts"), lambda: self.drawing.take(path))
        if path.suffix.lower() == ".svg":
            menu.addAction(tr("Use as &picture"), lambda: self.picturing.read(path))
        menu.popup(place)

    def take_image(self, data: QMimeData) -> None:
        """Put a pasted or dropped picture under the cuts."""
        self.picturing.take(data)

    @cached_property
    def repairing(self) -> Repairing:
        """Fixes all problems; loaded on first use."""
        from studio.ui.kinds.jigsaw.fits_panel import Repairing

        return Repairing(self.session, self)

    def reroll(self) -> None:
        """Take the next seed whose board has no problems."""
        from studio.puzzles.jigsaw.repair_search import rerolled

        self.session.changing.make(tr("Randomise until clean"), rerolled, is_long=True)

    @cached_property
    def fitting(self) -> Fitting:
        """Finds false fits and reshapes tongues; loaded on first use."""
        from studio.ui.kinds.jigsaw.fits_panel import Fitting

        return Fitting(self.session, self.selection, self)

    @cached_property
    def outlining(self) -> OutlineImport:
        """Brings outlines from files; loaded on first use."""
        from studio.ui.panels.drawing_import import OutlineImport

        return OutlineImport(self.session, edits.with_outline, self)

    def draw_tongue(self) -> None:
        """Ask for a tongue of the maker's own."""
        from studio.ui.kinds.jigsaw.tongue_dialog import asked_tongue

        stored = asked_tongue(self.session)
        if stored is not None:
            self.edit(tr("Change custom tongue"), lambda design: design.with_profile(stored))

    def engrave(self, chosen: str = "") -> None:
        """Ask for engravings, beginning with the one named `chosen`; the board shows them meanwhile."""
        from studio.ui.kinds.jigsaw.engravings import EngraveDialog, engraved_drawings

        dialogs, document = self.session.dialogs, self.session.document
        before = document.design
        dialog = EngraveDialog(before, dialogs.parent, chosen)
        dialog.previewed.connect(document.preview)
        drawings = engraved_drawings(self.session, dialog)
        design = dialogs.ask(dialog)
        drawings.reading.cancel()
        dialog.deleteLater()
        document.abandon()
        if design is not None and design != before:
            document.edit(tr("Engrave"), design)

    @cached_property
    def figuring(self) -> Figuring:
        """Changes figures; loaded on the first change."""
        from studio.ui.kinds.jigsaw.figures import Figuring

        return Figuring(self.session, self.selection, self.tool.marks, self)

    @property
    def posing(self) -> Figuring | Engraved:
        """Editor of the selection: of figures or engravings."""
        return self.tool.engraved if self.selection.engravings else self.figuring

    @property
    def status_text(self) -> str:
        """The selection on the board, or the progress of the game in sight."""
        return self.place.page.status_text if self._seen is self.place else self.selection.status_text

    @property
    def topic(self) -> str:
        """The tool in use, or the kind of selection on the board."""
        if self._seen is not self.session.canvas:
            return ""
        for name, topic in ASIDES.items():
            if getattr(self.__dict__.get(name), "tool", self) is self.session.canvas.view.tool:
                return topic
        selection = self.selection
        kinds = {"engraving": selection.engravings, "figure": selection.only_figures, "tongue": selection.tongues}
        return next((topic for topic, chosen in kinds.items() if chosen), "")

    def possible(self) -> dict[str, bool]:
        """Flipping needs a selected tongue; reset takes corners too."""
        tongues = bool(self.selection.tongues)
        on_tongues = dict.fromkeys(("flip", "plain", "roll", "lock"), tongues)
        pieces, figures = self.selection.faces, self.selection.only_figures
        merging = {
            "merge": tongues or len(pieces) > 1,
            "split": bool(pieces and self.shapes.design.merged),
            "drop_out": bool(self.selection.pieces),
        }
        with_picture = ("adjust_picture", "remove_picture", "dim_picture", "cut_out", "find_faces")
        on_picture = dict.fromkeys(with_picture, self.shapes.design.picture is not None)
        on_figure = dict.fromkeys(FIGURE_COMMANDS, bool(self.selection.engravings or figures))
        # One key pastes shapes and puzzles, as the clipboard has either.
        can_paste = (tongues or "copying" in self.__dict__) and self.copying.can_paste
        copying = {"copy_shape": len(self.selection.tongues) == 1, "paste_shape": can_paste, "paste": not can_paste}
        able = on_tongues | on_picture | copying | merging | on_figure | arrangeable(len(figures))
        able |= dict.fromkeys(("fix_all", "reroll"), self._has_problems)
        able["draw_flow"] = self.shapes.design.parameters.tiling != DRAWN_CUTS
        able["newest_layout"] = self.shapes.design.parameters.layout_version < NEWEST_LAYOUT
        return able | {"redraw": copying["copy_shape"], "reset": tongues or bool(self.selection.corners)}

    def subject_of(self, finding: Finding) -> str:
        """Its tongues, or its pieces."""
        tiling = self.shapes.tiling
        tongues = [tiling.edge_name(stroke) for stroke in finding.strokes if not tiling.is_rim(stroke)]
        pieces = [tiling.piece_names[piece] for piece in finding.pieces if piece < len(tiling.piece_names)]
        return abridged(finding.cells or tongues or pieces, MOST_NAMED)

    def show_finding(self, finding: Finding) -> None:
        """Highlight the finding's cuts and loose lines; select its figure (if it is a piece), tongue, or engravings."""
        if finding.kind == "engraving":
            self.selection.select_engravings(finding.cells)
        elif self.shapes.tiling.fillings and finding.cells:
            tongue = self.shapes.tiling.tongue_indices.get(finding.cells[0])
            if tongue is not None:
                self.selection.select(tongues=[tongue])
            else:
                self.selection.select_figures(finding.cells[:1])
        self.tool.marks.show_found(finding)

    def show_shapes(self, shapes: JigsawShapes, settled: bool) -> None:
        """Follow the shapes; tables wait until a gesture has ended."""
        self.tool.show_shapes(shapes, settled=settled)
        if settled:
            self._inspector.let_go()
        self._inspected.follow(settled=settled)
        for name in {"picturing", "cutting_out", "drawing", "flowing"} & self.__dict__.keys():
            getattr(self, name).show_shapes(shapes)
        if shapes.design.mask is not None or "masking" in self.__dict__:
            self.masking.show_shapes(shapes)
        self.place.show_design(shapes.design, settled=settled)
        if settled:
            self.sheets.show_shapes(shapes)
            self.gripping.show_shapes(shapes)
            if "fitting" in self.__dict__:
                self.fitting.show_shapes(shapes)

    def describe(self, parameters: JigsawParameters) -> dict[str, str]:
        """Number and size of the cut pieces, for the note under the board's fields."""
        size = extent(*(self.shapes.tiling.scale.tolist() if parameters.is_counted else parameters.cell))
        dropped = self.shapes.design.dropped
        count = len(self.shapes.whole.pieces)
        figures = len({one.name for one in self.shapes.tiling.fillings if one.piece not in dropped})
        if self.shapes.design.parameters != parameters:
            # The board is not divided yet.
            text = tr("Pieces of about {size}", size=size)
        elif figures:
            text = tr(
                "{pieces}: {others} of about {size} and {figures}",
                pieces=pieces_in_words(count, parameters.pieces),
                others=thousands(self.shapes.tiling.graph.face_count),
                size=size,
                figures=many(figures, "figure"),
            )
        else:
            text = tr("{pieces} of about {size}", pieces=pieces_in_words(count, parameters.pieces), size=size)
        if not parameters.tray:
            return {tr("Pieces"): text}
        around = 2 * (parameters.tray_clearance + parameters.tray_rim)
        size = extent(parameters.width + around, parameters.height + around, decimals=0)
        return {tr("Pieces"): text, tr("Tray"): tr("Base of about {size}", size=size)}

    def idle(self, parameters: JigsawParameters) -> dict[str, str]:
        """Parameters without effect, each with the reason: a set number of pieces, a fixed shape, no picture."""
        shape = {"head_width": "head", "neck_width": "neck", "shoulder": "shoulder", "fullness": "fullness"}
        lacking = [name for name, part in shape.items() if part not in parameters.shaped_parts]
        reasons = dict.fromkeys(lacking, tr("The shape of this style is fixed."))
        if parameters.pieces:
            reasons |= {"columns": tr("Ignored while Pieces is set."), "rows": tr("Ignored while Pieces is set.")}
        if self.session.document.design.picture is None:
            reasons["follow_colours"] = tr("Add a picture first.")
        return reasons

    def hidden(self, parameters: JigsawParameters) -> set[str]:
        """Fields of other outlines and tilings."""
        return idle_parameters(parameters)


class PlayPlace(QWidget):
    """The view in which the board is played; its page is loaded when it is first in sight."""

    def __init__(self, extension: JigsawExtension) -> None:
        super().__init__()
        self._extension = extension

    @cached_property
    def page(self) -> PlayPage:
        """The page of the game."""
        from studio.ui.kinds.jigsaw.play import PlayPage

        session = self._extension.session
        page = PlayPage(session.need_games(), session.document.design)
        page.reworded.connect(self._extension.changed)
        page.tool.menu_wanted.connect(self._extension.menu_wanted)
        column(page, of=self)
        return page

    def press_key(self, key: str) -> None:
        """Play by a key, which is a command of the window."""
        self.page.tool.press_key(key)

    def show_design(self, design: object, *, settled: bool) -> None:
        """Play with another design, once the view is in sight."""
        if "page" in self.__dict__:
            self.page.show_design(self._extension.shapes.design, settled=settled)
        elif settled:
            self._extension.session.need_games().defer(design)

    def showEvent(self, event: QShowEvent) -> None:
        """Make the page."""
        super().showEvent(event)
        self.page.show()
        # If made only now, it would be painted in a wrong size.
        layout = self.layout()
        if layout is not None:
            layout.activate()


class FitsPage(QWidget):
    """The tab of false fits; its contents are loaded when it is first in sight."""

    def __init__(self, extension: JigsawExtension) -> None:
        super().__init__()
        self._extension = extension
        self.fits: FitsTable | None = None

    def showEvent(self, event: QShowEvent) -> None:
        """Make the table."""
        super().showEvent(event)
        if self.fits is None:
            from studio.ui.kinds.jigsaw.fits_panel import FitsTable

            self.fits = FitsTable(self._extension.fitting.answer, self._extension.selection, self)


EXTENSION = JigsawExtension
