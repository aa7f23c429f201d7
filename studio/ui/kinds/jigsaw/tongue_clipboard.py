"""Copies the shape of a tongue through the system's clipboard, so that it can be pasted in another window too."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QObject, Signal
from PySide6.QtGui import QGuiApplication

from studio.base.amounts import many
from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.puzzles.jigsaw.model import edits
from studio.ui.kinds.jigsaw.selection import Selection
from studio.ui.session.document import Document

FORMAT = "application/x-puzzle-studio-tongue"


class ShapeCopying(QObject):
    """Copies from and pastes to the selected tongues of one document."""

    changed = Signal()
    """The clipboard has changed."""
    refused = Signal(str)
    """Brings the reason why nothing can be copied or pasted."""

    def __init__(self, document: Document, selection: Selection, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document, self._selection = document, selection
        self._holds_shape: bool | None = None
        QGuiApplication.clipboard().dataChanged.connect(self._forget)

    @property
    def can_paste(self) -> bool:
        """True if the clipboard holds a shape; it is looked up once a tongue is selected."""
        if self._holds_shape is None and self._selection.tongues:
            held = _held()
            self._holds_shape = held is not None and held.hasFormat(FORMAT)
        return bool(self._holds_shape)

    def _forget(self) -> None:
        self._holds_shape = None
        self.changed.emit()

    def copy(self) -> None:
        """Copy the shape of the selected tongue."""
        from studio.puzzles.jigsaw.tongues.values import as_bytes, shape_of

        shapes, (tongue,) = self._selection.shapes, self._selection.tongues
        if shapes.plain[tongue]:
            self.refused.emit(tr("A straight edge has no tongue to copy."))
            return
        data = QMimeData()
        data.setData(FORMAT, as_bytes(shape_of(shapes, tongue)))
        QGuiApplication.clipboard().setMimeData(data)

    def paste(self) -> None:
        """Give the selected tongues the copied shape."""
        from studio.puzzles.jigsaw.tongues.values import from_bytes

        tongues = sorted(self._selection.tongues)
        if not tongues:
            self.refused.emit(tr("Select the tongues to paste the shape onto."))
            return
        held = _held()
        try:
            copied = from_bytes(b"" if held is None else bytes(held.data(FORMAT).data()))
            design = edits.with_tongues_alike(self._selection.shapes, tongues, copied)
        except StudioError as problem:
            self.refused.emit(str(problem))
            return
        words = tr("Paste shape of {tongues}", tongues=many(len(tongues), "tongue"))
        self._document.edit(words, design)


def _held() -> QMimeData | None:
    """The clipboard's data; None if it is empty, contrary to Qt's declaration."""
    return QGuiApplication.clipboard().mimeData()
