"""What is selected of a jigsaw; canvas, tables and inspector share it."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal


class Selection(QObject):
    """Corners, tongues and pieces by number."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.corners: frozenset[int] = frozenset()
        self.tongues: frozenset[int] = frozenset()
        self.pieces: frozenset[int] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.corners or self.tongues or self.pieces)

    def select(self, corners: Iterable[int] = (), tongues: Iterable[int] = (), pieces: Iterable[int] = ()) -> None:
        """Select just these."""
        chosen = frozenset(corners), frozenset(tongues), frozenset(pieces)
        if chosen != (self.corners, self.tongues, self.pieces):
            self.corners, self.tongues, self.pieces = chosen
            self.changed.emit()

    def add(self, corners: Iterable[int] = (), tongues: Iterable[int] = (), pieces: Iterable[int] = ()) -> None:
        """Select these too."""
        self.select(
            self.corners | frozenset(corners), self.tongues | frozenset(tongues), self.pieces | frozenset(pieces)
        )

    def remove(self, corners: Iterable[int] = (), tongues: Iterable[int] = (), pieces: Iterable[int] = ()) -> None:
        """Select these no longer."""
        self.select(
            self.corners - frozenset(corners), self.tongues - frozenset(tongues), self.pieces - frozenset(pieces)
        )

    @property
    def words(self) -> str:
        """What is selected, in words: `3 tongues selected`."""
        named = ((self.corners, "corner"), (self.tongues, "tongue"), (self.pieces, "piece"))
        parts = [f"{len(some)} {word}{'' if len(some) == 1 else 's'}" for some, word in named if some]
        return " and ".join(parts) + " selected" if parts else "Nothing selected"
