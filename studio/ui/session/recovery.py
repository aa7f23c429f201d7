"""Copies of unsaved work, so that a crash or a power cut costs a maker two seconds and not an evening.

Each running studio keeps one copy, beside a lock that says whether its studio still runs.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, QStandardPaths, QTimer, QUuid

from studio.errors import StudioError
from studio.files.store import SUFFIX, save
from studio.ui.session.document import Document

DELAY_MS = 2000


def state_folder() -> Path:
    """Where the copies are kept."""
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericStateLocation)) / "puzzle-studio"


class Recovery(QObject):
    """Keeps a copy of one document while it has anything unsaved."""

    def __init__(self, document: Document, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._folder = folder
        self._path = folder / f"{QUuid.createUuid().toString(QUuid.StringFormat.Id128)}{SUFFIX}"
        self._lock: QLockFile | None = None
        self._timer = QTimer(self, singleShot=True, interval=DELAY_MS)
        self._timer.timeout.connect(self.write)
        document.history.indexChanged.connect(self._changed)
        document.history.cleanChanged.connect(self._changed)

    def _changed(self, _what: object) -> None:
        if self._document.is_modified:
            # Begun once and not with every edit: hands that never rest are to have a copy too.
            if not self._timer.isActive():
                self._timer.start()
        else:
            self.forget()

    def write(self) -> Path | None:
        """Write the copy now; returns where, or None where it could not be written."""
        self._timer.stop()
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            if self._lock is None:
                self._lock = QLockFile(str(self._path.with_suffix(".lock")))
                self._lock.setStaleLockTime(0)
                self._lock.tryLock(0)
            save(self._path, self._document.kind, self._document.design)
        except (OSError, StudioError):
            # Nothing is lost yet, and the next change tries again.
            return None
        return self._path

    def forget(self) -> None:
        """Everything is saved or given up: the copy goes."""
        self._timer.stop()
        self._path.unlink(missing_ok=True)
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None


def left_behind(folder: Path) -> list[Path]:
    """Copies whose studio no longer runs, newest first."""
    if not folder.is_dir():
        return []
    orphans = []
    for path in folder.glob(f"*{SUFFIX}"):
        lock = QLockFile(str(path.with_suffix(".lock")))
        lock.setStaleLockTime(0)
        if lock.tryLock(0):
            lock.unlock()
            orphans.append(path)
    return sorted(orphans, key=lambda path: path.stat().st_mtime, reverse=True)
