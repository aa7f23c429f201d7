"""The jigsaw's pieces, corners and tongues as tables; every edit of the canvas can be made here too."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QComboBox, QSizePolicy

from studio.base.amounts import many
from studio.base.errors import StudioError
from studio.base.parameters import parse_length, parse_number
from studio.base.texts import alternatives, tr, within
from studio.base.units import length
from studio.puzzles.jigsaw.model import edits
from studio.puzzles.jigsaw.model.geometry import JigsawShapes
from studio.puzzles.jigsaw.tongues.styles import OWN, TITLES
from studio.puzzles.jigsaw.tongues.tongues import SIDE
from studio.ui.kinds.jigsaw.clearance_panel import Gripping
from studio.ui.kinds.jigsaw.selection import Selection
from studio.ui.panels.tables import CellLook, Column, TiedTable
from studio.ui.session.document import Document
from studio.ui.widgets.controls import CalmComboBox
from studio.ui.widgets.length_spin import in_shown_unit

# The choice of a style for the selected tongues, in the inspector.


BOARD = ""
"""Stands for a tongue's style by parameters and seed."""
SEVERAL = -1


class StyleBox(CalmComboBox):
    """The styles, headed by the board's; empty if the selected tongues have several."""

    chosen = Signal(object)
    """A style was chosen for the selected tongues: brings its key, or None for the board's."""

    def __init__(self) -> None:
        super().__init__(tr("Style"), tr("Style of the selected tongues"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setPlaceholderText(tr("Several"))
        self.addItem(tr("Same as board"), BOARD)
        for key, title in TITLES.items():
            self.addItem(title, key)
        self.activated.connect(lambda _row: self.chosen.emit(self.currentData() or None))

    def show_tongues(self, shapes: JigsawShapes, tongues: list[int]) -> None:
        """Show the style of some tongues."""
        found = {shapes.decided(tongue).style or BOARD for tongue in tongues}
        of_figures = all(shapes.is_of_figure(tongue) for tongue in tongues)
        self.setItemText(0, tr("Same as figure") if of_figures else tr("Same as board"))
        model = self.model()
        assert isinstance(model, QStandardItemModel)
        model.item(self.findData(OWN)).setEnabled(shapes.design.profile is not None)
        with QSignalBlocker(self):
            self.setCurrentIndex(self.findData(found.pop()) if len(found) == 1 else SEVERAL)


def restyle(document: Document, shapes: JigsawShapes, tongues: list[int], style: str | None) -> None:
    """Give some tongues a style by its key, or the board's, as one undo step."""
    words = tr("Change style of {tongues}", tongues=many(len(tongues), "tongue"))
    document.edit(words, edits.with_tongues_styled(shapes, tongues, style))


MEASURES = (
    ("size", tr("Size"), tr("Height of the tongue, in % of its edge length.")),
    ("place", tr("Offset"), tr("Distance from the middle of the edge, in % of its length.")),
    ("slant", tr("Slant"), tr("Lean of the head, in % of the edge length; positive is clockwise.")),
)
"""Numbers that a tongue has in every style, with their titles and tooltips."""
STRAIGHT = tr("straight")


def pointing_into(shapes: JigsawShapes, tongue: int) -> str:
    """The name of the piece that a tongue points into; STRAIGHT for a straight edge.

    The face of the half-edge along the tongue lies on the positive side of its frame, into which a tongue of side 1
    points.
    """
    if shapes.plain[tongue]:
        return STRAIGHT
    return shapes.piece_beside(tongue, float(shapes.tongues[tongue, SIDE]))


class JigsawTables:
    """Three tables that follow the selection."""

    def __init__(self, document: Document, selection: Selection, gripping: Gripping) -> None:
        self._document = document
        self._gripping = gripping
        self._selection = selection
        self._now = selection.shapes
        chosen, choose, changed = selection, selection.select, selection.changed
        self.pieces = TiedTable(
            tr("Pieces"), self._piece_columns(), lambda: chosen.pieces, lambda some: choose(pieces=some), changed
        )
        self.corners = TiedTable(tr("Corners"), self._corner_columns(), lambda: chosen.corners, choose, changed)
        self.tongues = TiedTable(
            tr("Tongues"), self._tongue_columns(), lambda: chosen.tongues, lambda some: choose(tongues=some), changed
        )
        gripping.watch_in(self.tongues)
        gripping.board.changed.connect(self._show_grips)

    def _show_grips(self) -> None:
        if self._gripping.board.answer is not None:
            self.tongues.elements.show_elements(list(self.tongues.elements.elements))

    def _clearance(self, tongue: int) -> str:
        """Clearance at which a tongue pulls out; empty until it is known, and for straight edges."""
        grip = self._gripping.grip(tongue)
        if grip is None:
            return ""
        from studio.geometry.planar.sliding import MOST

        return f"> {length(MOST, 2)}" if grip.clearance is None else length(grip.clearance, 2)

    def show_shapes(self, shapes: JigsawShapes) -> None:
        """Follow shapes that have settled."""
        self._now = shapes
        self.pieces.elements.show_elements(list(range(len(shapes.drawing.pieces))))
        self.corners.elements.show_elements(shapes.tiling.movable.tolist())
        self.tongues.elements.show_elements(
            [*shapes.tiling.graph.inner_edges.tolist(), *range(len(shapes.rooms), len(shapes.tongues))]
        )

    def _piece_columns(self) -> list[Column[int]]:
        return [
            Column(tr("Piece"), lambda piece: self._now.drawing.pieces.names[piece]),
            Column(tr("Area"), lambda piece: length(self._area(piece), metric="mm²"), CellLook.NUMBER, metric="mm²"),
            Column(tr("Width"), lambda piece: length(self._extent(piece)[0]), CellLook.NUMBER, metric="mm"),
            Column(tr("Height"), lambda piece: length(self._extent(piece)[1]), CellLook.NUMBER, metric="mm"),
            Column(
                tr("Tongues"), self._knobs, CellLook.NUMBER, help=tr("Number of tongues that point out of the piece.")
            ),
        ]

    def _area(self, piece: int) -> float:
        return float(self._now.drawing.piece_areas[piece])

    def _extent(self, piece: int) -> tuple[float, float]:
        outline = self._now.picker.piece_rings(piece)[0]
        width, height = (outline.max(axis=0) - outline.min(axis=0)).tolist()
        return width, height

    def _knobs(self, piece: int) -> str:
        graph, pieces = self._now.tiling.graph, self._now.drawing.pieces
        around = (pieces.codes[pieces.starts[piece] : pieces.starts[piece + 1]] >> 1).tolist()
        own = [edge for edge in around if not graph.is_rim(edge)]
        name = pieces.names[piece]
        # Tongues of figures are on no edge of the tiling.
        for tongue in range(len(self._now.rooms), len(self._now.tongues)):
            if name in (self._now.piece_beside(tongue, 1.0), self._now.piece_beside(tongue, -1.0)):
                own.append(tongue)
        return str(sum(pointing_into(self._now, tongue) not in (name, STRAIGHT) for tongue in own))

    def _corner_columns(self) -> list[Column[int]]:
        def place(axis: int) -> Column[int]:
            def edit(corner: int, text: str) -> None:
                at = self._now.corners[corner].tolist()
                at[axis] = parse_length(in_shown_unit(text))
                design = edits.with_corners_at(self._now, {corner: (at[0], at[1])})
                self._document.edit(tr("Move 1 corner"), design)

            value = lambda corner: length(self._now.corners[corner, axis], 3)  # noqa: E731
            help = tr("Distance from the board's top left corner.")
            return Column("XY"[axis], value, CellLook.NUMBER, edit, help, metric="mm")

        return [
            Column(tr("Corner"), lambda corner: self._now.tiling.corner_name(corner)),
            place(0),
            place(1),
            Column(
                tr("Moved"),
                lambda corner: self._now.design.corner(self._now.tiling.corner_name(corner)) is not None,
                CellLook.TICK,
                self._untouch_corner,
                tr("Clear the box to reset the corner."),
            ),
        ]

    def _untouch_corner(self, corner: int, touched: bool) -> None:
        if touched:
            self._document.edit(tr("Pin 1 corner"), edits.with_corners_held(self._now, [corner]))
        else:
            self._document.edit(tr("Reset 1 corner"), edits.with_reset(self._now, corners=[corner]))

    def _tongue_columns(self) -> list[Column[int]]:
        return [
            Column(
                tr("Tongue"),
                lambda tongue: self._now.tiling.tongue_name(tongue),
                help=tr("The two pieces it separates, or the figure it belongs to."),
            ),
            Column(
                tr("Points into"),
                lambda tongue: pointing_into(self._now, tongue),
                edit=self._turn,
                help=tr("The piece the tongue points into; enter the other piece to flip it."),
            ),
            Column(
                tr("Straight"),
                lambda tongue: bool(self._now.plain[tongue]),
                CellLook.TICK,
                lambda tongue, plain: self._document.edit(
                    tr("Make 1 edge straight") if plain else tr("Add a tongue to 1 edge"),
                    edits.with_tongues_plain(self._now, [tongue], plain),
                ),
            ),
            *(self._share(*measure) for measure in MEASURES),
            Column(
                tr("Style"),
                lambda tongue: STRAIGHT if self._now.plain[tongue] else self._now.style_of(tongue).title,
                edit=self._restyle,
                help=tr("Style of the tongue; enter another, or clear it for the board's."),
            ),
            Column(
                tr("Locked"),
                lambda tongue: self._now.decided(tongue).locked_seed is not None,
                CellLook.TICK,
                self._lock,
                tr("Locked tongues keep their shape when the seed changes."),
            ),
            Column(
                tr("Edited"),
                lambda tongue: not self._now.decided(tongue).is_blank,
                CellLook.TICK,
                self._untouch_tongue,
                tr("Clear the box to reset the tongue."),
            ),
            Column(
                tr("Clearance"),
                self._clearance,
                CellLook.NUMBER,
                help=tr("Clearance at which the tongue pulls out of its socket."),
                metric="mm",
            ),
        ]

    def _share(self, name: str, title: str, help: str) -> Column[int]:
        def edit(tongue: int, text: str) -> None:
            from studio.puzzles.jigsaw.tongues.values import entered

            percent = parse_number(text.strip().rstrip("%"))
            self._document.edit(
                tr("Change {field} of 1 tongue", field=within(title)),
                edits.with_tongues_shaped(self._now, entered(self._now, np.array([tongue]), name, percent)),
            )

        def value(tongue: int) -> str:
            from studio.puzzles.jigsaw.tongues.values import readings

            (percent,) = readings(self._now, np.array([tongue]), name).tolist()
            return f"{round(percent, 1) + 0.0:.1f}"

        return Column(f"{title} %", value, CellLook.NUMBER, edit, help)

    def _restyle(self, tongue: int, text: str) -> None:
        wanted = text.strip().casefold()
        named = {title.casefold(): key for key, title in TITLES.items()} | {key: key for key in TITLES} | {"": None}
        if wanted not in named:
            raise StudioError(tr("Enter {styles}.", styles=alternatives(TITLES.values())))
        restyle(self._document, self._now, [tongue], named[wanted])

    def _turn(self, tongue: int, text: str) -> None:
        names = {side: self._now.piece_beside(tongue, side) for side in (1, -1)}
        wanted = {name.casefold(): side for side, name in names.items()}.get(text.strip().casefold())
        if wanted is None:
            piece, other = sorted(names.values())
            raise StudioError(tr("Enter {piece} or {other}.", piece=piece, other=other))
        side = wanted
        if names[side] != pointing_into(self._now, tongue):
            self._document.edit(tr("Flip 1 tongue"), edits.with_tongues_turned(self._now, {tongue: side}))

    def _lock(self, tongue: int, locked: bool) -> None:
        title = tr("Lock 1 tongue") if locked else tr("Unlock 1 tongue")
        self._document.edit(title, edits.with_tongues_locked(self._now, [tongue], locked))

    def _untouch_tongue(self, tongue: int, touched: bool) -> None:
        if touched:
            self._document.edit(tr("Keep 1 tongue"), edits.with_tongues_held(self._now, [tongue]))
        else:
            self._document.edit(tr("Reset 1 tongue"), edits.with_reset(self._now, tongues=[tongue]))
