"""Which piece or cell is selected; views, table and inspector share it."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal


class CalendarSelection(QObject):
    """At most one piece, by its number, or one cell, by its name."""

    changed = Signal()
    """Something else is selected, or the view has something else to say."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.piece: int | None = None
        self.cell: str | None = None

    @property
    def pieces(self) -> frozenset[int]:
        """The selected piece as a set, for the table."""
        return frozenset() if self.piece is None else frozenset([self.piece])

    def select(self, pieces: Iterable[int] = ()) -> None:
        """Select a piece, the lowest of several, or none."""
        self._take(min(pieces, default=None), None)

    def select_cell(self, name: str | None) -> None:
        """Select a cell, or none."""
        self._take(None, name)

    def _take(self, piece: int | None, cell: str | None) -> None:
        if (piece, cell) != (self.piece, self.cell):
            self.piece, self.cell = piece, cell
            self.changed.emit()
