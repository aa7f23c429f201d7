"""Selected, hidden and dimmed parts of a cube, shared by views, tables and inspector."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from PySide6.QtCore import QObject, Signal

from studio.base.amounts import listed, many
from studio.base.texts import tr
from studio.puzzles.cube.geometry import TITLES
from studio.puzzles.cube.model import SMALLEST
from studio.puzzles.cube.shell import LETTERS, shell
from studio.ui.solid.scene import BodyLook


def title_of(face: int) -> str:
    """A piece's letter and name: `C, front`."""
    return f"{LETTERS[face]}, {TITLES[face].lower()}"


def name_of_edge(edge: int) -> str:
    """An edge's name: `front-bottom`."""
    return shell(SMALLEST, SMALLEST, SMALLEST).edge_names[edge]


def title_of_edges(edges: Collection[int]) -> str:
    """Edges in words: `edge front-bottom` or `3 edges`."""
    return tr("edge {name}", name=name_of_edge(min(edges))) if len(edges) == 1 else many(len(edges), "edge")


class CubeSelection(QObject):
    """At most one selected piece, by the number of its face, and selected edges, by their number in the shell.

    The twelve edges have the same numbers in a box of any size.
    """

    changed = Signal()
    """The selected piece, the selected edges or the shown pieces have changed."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.piece: int | None = None
        self.edges: frozenset[int] = frozenset()
        self.hidden: frozenset[int] = frozenset()
        self.dimmed: frozenset[int] = frozenset()
        self.moves_voxels = False
        """True if a plain click moves voxels; otherwise Shift must be held."""

    @property
    def pieces(self) -> frozenset[int]:
        """The selected piece as a set, for the table."""
        return frozenset() if self.piece is None else frozenset([self.piece])

    def select(self, pieces: Iterable[int] = ()) -> None:
        """Select a piece, the lowest of several, or none; and no edge."""
        piece = min(pieces, default=None)
        if (piece, frozenset()) != (self.piece, self.edges):
            self.piece, self.edges = piece, frozenset()
            self.changed.emit()

    def set_moving(self, moves_voxels: bool) -> None:
        """Have plain clicks move voxels, or select pieces."""
        if moves_voxels != self.moves_voxels:
            self.moves_voxels = moves_voxels
            self.changed.emit()

    def select_edges(self, edges: Iterable[int]) -> None:
        """Select just these edges; the piece stays selected."""
        chosen = frozenset(edges)
        if chosen != self.edges:
            self.edges = chosen
            self.changed.emit()

    def turn_edge(self, edge: int) -> None:
        """Toggle the selection of an edge."""
        self.select_edges(self.edges ^ {edge})

    def hide(self) -> None:
        """Hide and deselect the selected piece."""
        if self.piece is not None:
            self.hidden, self.piece = self.hidden | {self.piece}, None
            self.changed.emit()

    def isolate(self) -> None:
        """Show the selected piece alone."""
        if self.piece is not None:
            self._show(frozenset(range(6)) - {self.piece}, frozenset())

    def dim_others(self) -> None:
        """Toggle all but the selected piece between glass and plain."""
        if self.piece is not None:
            others = frozenset(range(6)) - {self.piece}
            self._show(self.hidden, frozenset() if self.dimmed == others else others)

    def show_all(self) -> None:
        """Show every piece, and none like glass."""
        self._show(frozenset(), frozenset())

    def set_shown(self, piece: int, *, shown: bool) -> None:
        """Show or hide one piece."""
        self._show(self.hidden - {piece} if shown else self.hidden | {piece}, self.dimmed)

    def _show(self, hidden: frozenset[int], dimmed: frozenset[int]) -> None:
        if (hidden, dimmed) != (self.hidden, self.dimmed):
            self.hidden, self.dimmed = hidden, dimmed
            self.changed.emit()

    def looks(self, over: int | None) -> dict[int, BodyLook | None]:
        """Look of each piece while the mouse is `over` a piece or none; None if hidden, plain if not named."""
        looks: dict[int, BodyLook | None] = {}
        for piece in range(6):
            if piece in self.hidden:
                looks[piece] = None
            elif piece == self.piece:
                looks[piece] = BodyLook.SELECTED
            elif piece in self.dimmed:
                looks[piece] = BodyLook.DIMMED
            elif piece == over:
                looks[piece] = BodyLook.HOVERED
        return looks

    @property
    def status_text(self) -> str:
        """The selection and the number of hidden pieces, in words."""
        chosen = [tr("piece {name}", name=title_of(self.piece))] if self.piece is not None else []
        if self.edges:
            chosen.append(title_of_edges(self.edges))
        words = tr("{selection} selected", selection=listed(chosen)) if chosen else tr("Nothing selected")
        parts = [words[0].upper() + words[1:]]
        if self.hidden:
            parts.append(tr("{count} hidden", count=len(self.hidden)))
        if self.moves_voxels:
            parts.append(tr("Click moves voxels") if self.piece is not None else tr("Click a piece to move voxels to"))
        return " · ".join(parts)
