"""The shapes in sight and what is selected of them; canvas, tables and inspector of a jigsaw share it."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal

from studio.amounts import listed, many
from studio.puzzles.jigsaw.geometry import JigsawShapes
from studio.texts import tr


class Selection(QObject):
    """Corners, tongues and pieces by their numbers in the shapes in sight."""

    changed = Signal()

    def __init__(self, shapes: JigsawShapes, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.shapes = shapes
        self.corners: frozenset[int] = frozenset()
        self.tongues: frozenset[int] = frozenset()
        self.pieces: frozenset[int] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.corners or self.tongues or self.pieces)

    def show_shapes(self, shapes: JigsawShapes) -> None:
        """Bring other shapes in sight; what is selected is known again by its names."""
        old, new = self.shapes.tiling, shapes.tiling
        self.shapes = shapes
        if old is new:
            return
        corners = (new.corner_indices.get(old.corner_name(corner)) for corner in self.corners)
        tongues = (new.edge_indices.get(old.edge_name(tongue)) for tongue in self.tongues)
        pieces = {new.piece_name(piece): piece for piece in range(new.graph.face_count)} if self.pieces else {}
        kept = {pieces.get(old.piece_name(piece)) for piece in self.pieces}
        self.select(
            [one for one in corners if one is not None],
            [one for one in tongues if one is not None],
            [one for one in kept if one is not None],
        )

    def select(self, corners: Iterable[int] = (), tongues: Iterable[int] = (), pieces: Iterable[int] = ()) -> None:
        """Select just these."""
        chosen = frozenset(corners), frozenset(tongues), frozenset(pieces)
        if chosen != (self.corners, self.tongues, self.pieces):
            self.corners, self.tongues, self.pieces = chosen
            self.changed.emit()

    def add(self, corners: Iterable[int] = (), tongues: Iterable[int] = (), pieces: Iterable[int] = ()) -> None:
        """Select these too."""
        self.select(self.corners.union(corners), self.tongues.union(tongues), self.pieces.union(pieces))

    def remove(self, corners: Iterable[int] = (), tongues: Iterable[int] = (), pieces: Iterable[int] = ()) -> None:
        """Select these no longer."""
        self.select(self.corners.difference(corners), self.tongues.difference(tongues), self.pieces.difference(pieces))

    @property
    def words(self) -> str:
        """What is selected, in words: `3 tongues selected`."""
        named = ((self.corners, "corner"), (self.tongues, "tongue"), (self.pieces, "piece"))
        parts = [many(len(some), word) for some, word in named if some]
        return tr("{selection} selected", selection=listed(parts)) if parts else tr("Nothing selected")
