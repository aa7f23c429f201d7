"""The jigsaw's pieces, corners and tongues as tables; every edit of the canvas can be made here too."""

from __future__ import annotations

from studio.errors import StudioError
from studio.parameters import parse_length, parse_number
from studio.puzzles.jigsaw import edits
from studio.puzzles.jigsaw.geometry import JigsawShapes
from studio.puzzles.jigsaw.tongues import COLUMNS, SIDE
from studio.texts import tr
from studio.ui.kinds.jigsaw.selection import Selection
from studio.ui.length_spin import in_shown_unit
from studio.ui.panels.tables import CellLook, Column, TiedTable
from studio.ui.session.document import Document
from studio.units import length


def knob_in(shapes: JigsawShapes, tongue: int) -> str:
    """The name of the piece that a tongue's knob reaches into; `no knob` for a plain one.

    The face of the half-edge along the tongue lies on the positive side of its frame, into which a knob of side 1
    reaches.
    """
    if shapes.plain[tongue]:
        return tr("no knob")
    face = int(shapes.tiling.graph.sides[tongue, 0 if shapes.tongues[tongue, SIDE] > 0 else 1])
    return shapes.tiling.piece_name(face)


class JigsawTables:
    """Three tables, tied to the selection."""

    def __init__(self, document: Document, selection: Selection) -> None:
        self._document = document
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

    def show_shapes(self, shapes: JigsawShapes) -> None:
        """Follow shapes that have settled."""
        self._now = shapes
        self.pieces.elements.show_elements(list(range(len(shapes.drawing.pieces))))
        self.corners.elements.show_elements(shapes.tiling.movable.tolist())
        self.tongues.elements.show_elements(shapes.tiling.graph.inner_edges.tolist())

    def _piece_columns(self) -> list[Column[int]]:
        return [
            Column(tr("Piece"), lambda piece: self._now.tiling.piece_name(piece)),
            Column(tr("Area"), lambda piece: length(self._area(piece), metric="mm²"), CellLook.NUMBER, metric="mm²"),
            Column(tr("Width"), lambda piece: length(self._extent(piece)[0]), CellLook.NUMBER, metric="mm"),
            Column(tr("Height"), lambda piece: length(self._extent(piece)[1]), CellLook.NUMBER, metric="mm"),
            Column(
                tr("Knobs"), self._knobs, CellLook.NUMBER, help=tr("How many of its edges carry a knob of its own.")
            ),
        ]

    def _area(self, piece: int) -> float:
        return float(self._now.drawing.piece_areas[piece])

    def _extent(self, piece: int) -> tuple[float, float]:
        outline = self._now.picker.piece_outline(piece)
        width, height = (outline.max(axis=0) - outline.min(axis=0)).tolist()
        return width, height

    def _knobs(self, piece: int) -> str:
        graph = self._now.tiling.graph
        around = (graph.codes[graph.starts[piece] : graph.starts[piece + 1]] >> 1).tolist()
        inner = [edge for edge in around if not graph.is_rim(edge)]
        name = self._now.tiling.piece_name(piece)
        return str(sum(knob_in(self._now, edge) not in (name, tr("no knob")) for edge in inner))

    def _corner_columns(self) -> list[Column[int]]:
        def place(axis: int) -> Column[int]:
            def edit(corner: int, text: str) -> None:
                at = self._now.corners[corner].tolist()
                at[axis] = parse_length(in_shown_unit(text))
                design = edits.with_corners_at(self._now, {corner: (at[0], at[1])})
                self._document.edit(tr("Move 1 corner"), design)

            value = lambda corner: length(self._now.corners[corner, axis], 3)  # noqa: E731
            return Column(
                "XY"[axis], value, CellLook.NUMBER, edit, tr("From the board's upper left corner."), metric="mm"
            )

        return [
            Column(tr("Corner"), lambda corner: self._now.tiling.corner_name(corner)),
            place(0),
            place(1),
            Column(
                tr("Moved by hand"),
                lambda corner: self._now.design.corner(self._now.tiling.corner_name(corner)) is not None,
                CellLook.TICK,
                self._untouch_corner,
                tr("Take the tick away to put the corner back where the parameters have it."),
            ),
        ]

    def _untouch_corner(self, corner: int, touched: bool) -> None:
        if touched:
            self._document.edit(tr("Hold 1 corner"), edits.with_corners_held(self._now, [corner]))
        else:
            self._document.edit(tr("Reset 1 corner"), edits.with_reset(self._now, corners=[corner]))

    def _tongue_columns(self) -> list[Column[int]]:
        def share(title: str, name: str, help: str) -> Column[int]:
            def edit(tongue: int, text: str) -> None:
                value = parse_number(text.strip().rstrip("%")) / 100
                self._document.edit(
                    tr("{title} of 1 tongue", title=title),
                    edits.with_tongues_shaped(self._now, {tongue: {name: value}}),
                )

            value = lambda tongue: f"{round(100 * self._now.tongues[tongue, COLUMNS[name]], 1) + 0.0:.1f}"  # noqa: E731
            return Column(f"{title} %", value, CellLook.NUMBER, edit, help)

        return [
            Column(
                tr("Tongue"), lambda tongue: self._now.tiling.edge_name(tongue), help=tr("The two pieces it parts.")
            ),
            Column(
                tr("Knob in"),
                lambda tongue: knob_in(self._now, tongue),
                edit=self._turn,
                help=tr("The piece that the knob reaches into; write the other one to flip it."),
            ),
            Column(
                tr("Plain"),
                lambda tongue: bool(self._now.plain[tongue]),
                CellLook.TICK,
                lambda tongue, plain: self._document.edit(
                    tr("Make plain 1 tongue") if plain else tr("Put a knob on 1 edge"),
                    edits.with_tongues_plain(self._now, [tongue], plain),
                ),
            ),
            share(tr("Size"), "size", tr("How far it reaches into its neighbour, as a share of its length.")),
            share(tr("Place"), "place", tr("How far it sits from the middle of its edge, as a share of the length.")),
            share(tr("Slant"), "slant", tr("How far its head leans to one side.")),
            Column(
                tr("Locked"),
                lambda tongue: self._now.decided(tongue).locked_seed is not None,
                CellLook.TICK,
                self._lock,
                tr("A locked tongue keeps its shape when re-rolled."),
            ),
            Column(
                tr("By hand"),
                lambda tongue: not self._now.decided(tongue).is_blank,
                CellLook.TICK,
                self._untouch_tongue,
                tr("Take the tick away to give the tongue back to chance."),
            ),
        ]

    def _turn(self, tongue: int, text: str) -> None:
        names = self._now.tiling.edge_name(tongue).split("-")
        wanted = text.strip().upper()
        if wanted not in names:
            raise StudioError(
                tr(
                    "The knob of {names} can be in {names2} or {names3}, not in {text!r}.",
                    names="-".join(names),
                    names2=names[0],
                    names3=names[1],
                    text=text[:40],
                )
            )
        if wanted != knob_in(self._now, tongue):
            face = self._now.tiling.graph.sides[tongue, 0]
            side = 1 if self._now.tiling.piece_name(int(face)) == wanted else -1
            self._document.edit(tr("Flip 1 tongue"), edits.with_tongues_turned(self._now, {tongue: side}))

    def _lock(self, tongue: int, locked: bool) -> None:
        verb = tr("Lock") if locked else tr("Unlock")
        self._document.edit(tr("{verb} 1 tongue", verb=verb), edits.with_tongues_locked(self._now, [tongue], locked))

    def _untouch_tongue(self, tongue: int, touched: bool) -> None:
        if touched:
            self._document.edit(tr("Hold 1 tongue"), edits.with_tongues_held(self._now, [tongue]))
        else:
            self._document.edit(tr("Reset 1 tongue"), edits.with_reset(self._now, tongues=[tongue]))
