"""Notices when another program has changed, moved or deleted the document's file."""

from __future__ import annotations

import os

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from studio.files.store import digest_of
from studio.ui.session.document import Document

SETTLE_MS = 200
"""Delay before a check: programs that write a file replace it in several steps."""


class Watch(QObject):
    """Watches the file of one document; `look` finds changes that the system does not report."""

    changed = Signal()
    """The file's content differs from the last one read or written here."""
    gone = Signal()
    """The file was moved or deleted."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._told: str | None = document.digest
        self._watcher = QFileSystemWatcher(self)
        self._timer = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._timer.timeout.connect(self.look)
        self._watcher.fileChanged.connect(lambda _path: self._timer.start())
        document.renamed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        """Forget earlier reports: the document was opened or saved."""
        self._told = self._document.digest
        watched = self._watcher.files()
        if watched:
            self._watcher.removePaths(watched)
        self._watch()

    def _watch(self) -> None:
        path = self._document.path
        if path is not None and str(path) not in self._watcher.files() and os.path.isfile(path):
            self._watcher.addPath(str(path))

    def look_soon(self) -> None:
        """Look in a moment, after the pending repaint."""
        self._timer.start()

    def look(self) -> None:
        """Compare the file with its last known content, and report each change once."""
        path = self._document.path
        if path is None or not self._document.digest:
            return
        # A replaced file is a new one, whose changes the system would not report.
        self._watch()
        now = digest_of(path)
        if now == self._told:
            return
        self._told = now
        if now is None:
            self.gone.emit()
        elif now != self._document.digest:
            self.changed.emit()
