"""The shapes in sight and the selection, shared by canvas, tables and inspector of a jigsaw."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from studio.base.amounts import listed, many
from studio.base.texts import tr
from studio.puzzles.jigsaw.figures.whimsies import Whimsy
from studio.puzzles.jigsaw.model.geometry import JigsawShapes
from studio.puzzles.jigsaw.picture.engravings import Engraving

if TYPE_CHECKING:
    from studio.puzzles.jigsaw.figures.whimsies import Posed
    from studio.ui.canvas.view import Pointer


class Selection(QObject):
    """Corners, tongues and pieces by their numbers in the shapes in sight, or engravings by their names."""

    changed = Signal()

    def __init__(self, shapes: JigsawShapes, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.shapes = shapes
        self.corners: frozenset[int] = frozenset()
        self.tongues: frozenset[int] = frozenset()
        self.pieces: frozenset[int] = frozenset()
        self._engraved: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.corners or self.tongues or self.pieces or self._engraved)

    def show_shapes(self, shapes: JigsawShapes, *, settled: bool = True) -> None:
        """Bring other shapes in sight, and find the selected elements again by their names.

        Until the shapes have settled, a mere change of their numbers is not announced.
        """
        before, self.shapes = self.shapes, shapes
        old, new = before.tiling, shapes.tiling
        if self._engraved:
            kept = [one.name for one in self.engravings]
            if len(kept) < len(self._engraved):
                self.select_engravings(kept)
            return
        if old is new:
            return
        corners = {new.corner_indices.get(old.corner_name(corner)) for corner in self.corners}
        tongues = {new.tongue_indices.get(old.tongue_name(tongue)) for tongue in self.tongues}
        pieces = {name: piece for piece, name in enumerate(shapes.drawing.pieces.names)} if self.pieces else {}
        others = {pieces.get(before.drawing.pieces.names[piece]) for piece in self.pieces}
        found = [frozenset(one for one in some if one is not None) for some in (corners, tongues, others)]
        had = self.corners, self.tongues, self.pieces
        if not settled and [*map(len, found)] == [*map(len, had)]:
            self.corners, self.tongues, self.pieces = found
            return
        self.select(*found)

    def select(self, corners: Iterable[int] = (), tongues: Iterable[int] = (), pieces: Iterable[int] = ()) -> None:
        """Select just these."""
        self._choose(frozenset(corners), frozenset(tongues), frozenset(pieces), frozenset())

    def select_engravings(self, names: Iterable[str]) -> None:
        """Select just some engravings."""
        self._choose(frozenset(), frozenset(), frozenset(), frozenset(names))

    def _choose(
        self, corners: frozenset[int], tongues: frozenset[int], pieces: frozenset[int], engraved: frozenset[str]
    ) -> None:
        chosen = corners, tongues, pieces, engraved
        if chosen != (self.corners, self.tongues, self.pieces, self._engraved):
            self.corners, self.tongues, self.pieces, self._engraved = chosen
            self.changed.emit()

    def choose(
        self, pointer: Pointer, corners: Iterable[int] = (), tongues: Iterable[int] = (), pieces: Iterable[int] = ()
    ) -> None:
        """Select only these elements; with Shift add them to the selection, with Ctrl remove them."""
        some, had = (corners, tongues, pieces), (self.corners, self.tongues, self.pieces)
        if pointer.control:
            self.select(*(before.difference(those) for before, those in zip(had, some, strict=True)))
        elif pointer.shift:
            self.select(*(before.union(those) for before, those in zip(had, some, strict=True)))
        else:
            self.select(*some)

    def choose_piece(self, pointer: Pointer) -> None:
        """Select the piece under the mouse, or nothing, as `choose` does."""
        piece = self.shapes.picker.piece_at(pointer.x, pointer.y)
        self.choose(pointer, pieces=[] if piece is None else [piece])

    def figure_at(self, x: float, y: float) -> str:
        """Name of the figure around a place, or empty."""
        return self._figure(self.shapes.picker.piece_at(x, y)) if self.shapes.tiling.fillings else ""

    @property
    def figures(self) -> tuple[Whimsy, ...]:
        """The selected figures."""
        names = {self._figure(piece) for piece in self.pieces - self.faces}
        return tuple(one for one in self.shapes.design.whimsies if one.name in names)

    @property
    def only_figures(self) -> tuple[Whimsy, ...]:
        """The selected figures if nothing else is selected."""
        return () if self.corners or self.tongues or self.faces else self.figures

    @property
    def figure(self) -> Whimsy | None:
        """The figure that is selected alone."""
        figures = self.only_figures
        return figures[0] if len(figures) == 1 else None

    @property
    def engravings(self) -> tuple[Engraving, ...]:
        """The selected engravings."""
        if not self._engraved:
            return ()
        return tuple(one for one in self.shapes.design.engravings if one.name in self._engraved)

    @property
    def posed(self) -> Posed | None:
        """Content of the frame: the selected engravings, or the selected figures if nothing else is selected."""
        if not self._engraved and len(self.only_figures) < 2:
            return self.figure
        from studio.puzzles.jigsaw.figures.whimsies import together

        return together(self.engravings or self.only_figures)

    def _figure(self, piece: int | None) -> str:
        """Name of a piece that is a figure, or empty: figures come after the faces of the tiling."""
        if piece is None or piece < self.shapes.tiling.graph.face_count:
            return ""
        return self.shapes.drawing.pieces.names[piece]

    def select_figures(self, names: Iterable[str]) -> None:
        """Select only the named figures that are pieces."""
        pieces, wanted = self.shapes.drawing.pieces.names, {*names}
        first = self.shapes.tiling.graph.face_count
        self.select(pieces=[piece for piece in range(first, len(pieces)) if pieces[piece] in wanted])

    @property
    def faces(self) -> frozenset[int]:
        """The selected pieces that are no figures."""
        count = self.shapes.tiling.graph.face_count
        return frozenset(piece for piece in self.pieces if piece < count)

    @property
    def status_text(self) -> str:
        """The selection in words: `3 tongues selected`."""
        named = (
            (self.corners, "corner"), (self.tongues, "tongue"), (self.faces, "piece"),
            (self.pieces - self.faces, "figure"),
        )  # fmt: skip
        parts = [many(len(some), word) for some, word in named if some]
        if self._engraved:
            parts.append(many(len(self._engraved), "engraving"))
        return tr("{selection} selected", selection=listed(parts)) if parts else tr("Nothing selected")


def counted(figures: Sequence[Whimsy]) -> str:
    """Figures in the name of a step: figure, 3 figures."""
    return tr("figure") if len(figures) == 1 else many(len(figures), "figure")


def counted_engravings(engravings: Sequence[Engraving]) -> str:
    """Engravings in the name of a step: engraving, 3 engravings."""
    return tr("engraving") if len(engravings) == 1 else many(len(engravings), "engraving")
