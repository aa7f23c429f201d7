"""Which of the cube's pieces is selected, pointed at, hidden or dimmed; view, table and inspector share it."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal

from studio.puzzles.cube.geometry import TITLES
from studio.puzzles.cube.shell import LETTERS
from studio.ui.solid.scene import Look


def title_of(face: int) -> str:
    """A piece's letter and name: `C, front`."""
    return f"{LETTERS[face]}, {TITLES[face].lower()}"


class CubeSelection(QObject):
    """Pieces by the number of their face; at most one is selected."""

    changed = Signal()
    """Another piece is selected, or others are shown."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.piece: int | None = None
        self.hidden: frozenset[int] = frozenset()
        self.dimmed: frozenset[int] = frozenset()

    @property
    def pieces(self) -> frozenset[int]:
        """The selected piece as a set, for the table."""
        return frozenset() if self.piece is None else frozenset([self.piece])

    def select(self, pieces: Iterable[int] = ()) -> None:
        """Select a piece, the lowest of several, or none."""
        piece = min(pieces, default=None)
        if piece != self.piece:
            self.piece = piece
            self.changed.emit()

    def hide(self) -> None:
        """Show the selected piece no longer, and let it go."""
        if self.piece is not None:
            self.hidden, self.piece = self.hidden | {self.piece}, None
            self.changed.emit()

    def isolate(self) -> None:
        """Show the selected piece alone."""
        if self.piece is not None:
            self.hidden, self.dimmed = frozenset(range(6)) - {self.piece}, frozenset()
            self.changed.emit()

    def dim_others(self) -> None:
        """Show all but the selected piece like glass, or as they were if they are so already."""
        if self.piece is not None:
            others = frozenset(range(6)) - {self.piece}
            self.dimmed = frozenset() if self.dimmed == others else others
            self.changed.emit()

    def show_all(self) -> None:
        """Show every piece, and none like glass."""
        if self.hidden or self.dimmed:
            self.hidden = self.dimmed = frozenset()
            self.changed.emit()

    def set_shown(self, piece: int, *, shown: bool) -> None:
        """Show or hide one piece."""
        hidden = self.hidden - {piece} if shown else self.hidden | {piece}
        if hidden != self.hidden:
            self.hidden = hidden
            self.changed.emit()

    def looks(self, over: int | None) -> dict[int, Look | None]:
        """How each piece looks while the mouse is over one of them or none."""
        looks: dict[int, Look | None] = {}
        for piece in range(6):
            if piece in self.hidden:
                looks[piece] = None
            elif piece == self.piece:
                looks[piece] = Look.SELECTED
            elif piece in self.dimmed:
                looks[piece] = Look.DIMMED
            elif piece == over:
                looks[piece] = Look.HOVERED
        return looks

    @property
    def words(self) -> str:
        """What is selected and what is hidden, in words."""
        parts = [f"Piece {title_of(self.piece)} selected" if self.piece is not None else "Nothing selected"]
        if self.hidden:
            parts.append(f"{len(self.hidden)} hidden")
        return " · ".join(parts)
