"""Reading a file off the GUI thread: reported if it takes a while, cancelled by a button or another design."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.ui.session.notices import Action
from studio.ui.session.session import Session

PATIENCE_MS = 300
"""Delay after which slow reading is reported."""


class FileReading(QObject):
    """Reads one file at a time for a design; a newer file replaces the one being read."""

    def __init__(self, session: Session, lane: str, parent: QObject) -> None:
        """`lane` is the lane of the jobs."""
        super().__init__(parent)
        self._session, self._lane = session, lane
        self._cancel = Action(tr("Cancel"), self.cancel)
        session.document.replaced.connect(self.cancel)

    def read(
        self,
        path: Path,
        work: Callable[[Progress], Any],
        done: Callable[[Any], None],
        failed: Callable[[StudioError], bool] = lambda _problem: False,
    ) -> None:
        """Read a file, and pass its content on; `failed` returns whether it has dealt with a problem."""
        self._session.jobs.start(
            self._lane, work, done=lambda found: self._use(found, done), failed=lambda one: self._fail(one, failed)
        )
        QTimer.singleShot(PATIENCE_MS, self, lambda: self._report(path))

    def cancel(self) -> None:
        """Stop reading; the design stays as it is."""
        self._session.jobs.cancel(self._lane)
        self._session.notices.withdraw(self._cancel)

    def _report(self, path: Path) -> None:
        if self._session.jobs.is_busy(self._lane):
            self._session.notices.post(tr("Reading {name}…", name=path.name), action=self._cancel)

    def _use(self, found: Any, done: Callable[[Any], None]) -> None:
        self._session.notices.withdraw(self._cancel)
        done(found)

    def _fail(self, problem: StudioError, failed: Callable[[StudioError], bool]) -> None:
        self._session.notices.withdraw(self._cancel)
        if not failed(problem):
            self._session.notices.refuse(str(problem))
