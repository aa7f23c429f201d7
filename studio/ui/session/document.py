"""The open design and its history: replacing the design is the only way to change it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from studio.base.texts import tr
from studio.puzzles.kind import AnyKind


class _Replace(QUndoCommand):
    """Swaps one whole design for another; the only undo command there is."""

    def __init__(self, document: Document, text: str, after: Any, gesture: object | None) -> None:
        super().__init__(text)
        self._document = document
        self._before = document.design
        self._after = after
        self._gesture = gesture

    def redo(self) -> None:
        self._document._settle(self._after)

    def undo(self) -> None:
        self._document._settle(self._before)

    def id(self) -> int:
        return -1 if self._gesture is None else 1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, _Replace) or other._gesture is not self._gesture:
            return False
        self._after = other._after
        self.setText(other.text())
        self.setObsolete(self._before == self._after)
        return True


class Document(QObject):
    """One immutable design, its file and its history."""

    previewed = Signal(object)
    """A design shown while a gesture is under way."""
    settled = Signal(object)
    """A design that has become the current one."""
    replaced = Signal()
    """Another design altogether was opened."""
    renamed = Signal()
    """The file's name changed."""

    def __init__(
        self, kind: AnyKind, design: Any, path: Path | None = None, digest: str = "", parent: QObject | None = None
    ) -> None:
        """`digest` is the hash of the file when it was last read or written, as `digest_of` gives it."""
        super().__init__(parent)
        self.kind = kind
        self.design = design
        self.path = path
        self.digest = digest
        self.name = ""
        """The name of the file that it was imported from."""
        self.number = 1
        """Distinguishes designs without a file."""
        self.history = QUndoStack(self)

    @property
    def title(self) -> str:
        """The design's name in the window."""
        if self.path:
            return self.path.stem
        if self.name:
            return self.name
        words = tr("Untitled {kind}", kind=self.kind.noun)
        return words if self.number == 1 else f"{words} {self.number}"

    @property
    def is_modified(self) -> bool:
        """True if there is anything to save."""
        return not self.history.isClean()

    def open(self, kind: AnyKind, design: Any, path: Path | None, digest: str = "", *, is_saved: bool = True) -> None:
        """Put another design in place of this one; its history starts again."""
        self.kind, self.design, self.path, self.digest = kind, design, path, digest
        self.history.clear()
        self.history.setClean()
        self.replaced.emit()
        self.renamed.emit()
        if not is_saved:
            self.history.resetClean()

    def reload(self, design: Any, digest: str) -> None:
        """Take another program's version of the file, as one step that can be undone."""
        self.edit(tr("Reload"), design)
        assert self.path is not None
        self.saved_as(self.path, digest)

    def saved_as(self, path: Path, digest: str = "") -> None:
        """Note that the current design is now on disk."""
        self.path, self.digest = path, digest
        self.history.setClean()
        self.renamed.emit()

    def lose_file(self) -> None:
        """Note that the file holds another puzzle now: this design is saved nowhere."""
        self.path, self.digest = None, ""
        self.history.resetClean()
        self.renamed.emit()

    def preview(self, design: Any) -> None:
        """Show a design while a gesture is under way, leaving design and history alone."""
        self.previewed.emit(design)

    def abandon(self) -> None:
        """Show the design as it was before the gesture."""
        self.settled.emit(self.design)

    def edit(self, text: str, design: Any, *, gesture: object | None = None) -> None:
        """Make a design the current one, as one step that can be undone; steps of one gesture merge."""
        if design == self.design:
            self.abandon()
        else:
            self.history.push(_Replace(self, text, design, gesture))

    def take_back(self, design: Any) -> None:
        """Undo the last step if it led to this design."""
        if self.design is design:
            self.history.undo()

    def _settle(self, design: Any) -> None:
        self.design = design
        self.settled.emit(design)
