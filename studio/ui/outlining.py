"""The outline of a board from a file: chosen, read off the GUI thread, and its unit asked for where it states none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer

from studio.checks.finding import Severity
from studio.errors import StudioError
from studio.texts import tr
from studio.ui.session.session import Session
from studio.ui.shell.notices import Action

if TYPE_CHECKING:
    from studio.geometry.rings import Outlined

READING = "outline"
PATIENCE_MS = 300
"""After how long it is said that reading takes a while."""
DRAWINGS = tr("Drawings ({suffixes})", suffixes="*.svg *.dxf")


class OutlineImport(QObject):
    """Brings outlines from files into one design."""

    def __init__(self, session: Session, change: Callable[..., Any], parent: QObject | None = None) -> None:
        """`change` makes another design of one, of rings, of their size in mm and with a Progress."""
        super().__init__(parent)
        self._session, self._change = session, change
        self._cancel = Action(tr("Cancel"), self.cancel)
        session.document.replaced.connect(self.cancel)

    def choose(self) -> None:
        """Ask for a drawing whose closed path is to be the board's outline."""
        path = self._session.dialogs.open_path(Path.cwd(), tr("Import outline"), DRAWINGS)
        if path is not None:
            self.read(path)

    def read(self, path: Path, unit: str | None = None) -> None:
        """Take the outline from a file; `unit` is that of its lengths where it states none."""
        from studio.files.paths import read_paths

        self._session.jobs.start(
            READING,
            lambda progress: read_paths(path, unit, progress),
            done=self._use,
            failed=lambda problem: self._failed(path, problem),
        )
        QTimer.singleShot(PATIENCE_MS, self, lambda: self._report(path))

    def _report(self, path: Path) -> None:
        """Say that it takes a while, and offer to stop."""
        if self._session.jobs.is_busy(READING):
            self._session.notices.post(tr("Reading {name}…", name=path.name), action=self._cancel)

    def cancel(self) -> None:
        """Stop reading; the design stays as it is."""
        self._session.jobs.cancel(READING)
        self._session.notices.withdraw(self._cancel)

    def _use(self, found: Outlined) -> None:
        self._session.notices.withdraw(self._cancel)
        self._session.changing.make(
            tr("Import outline"), lambda design, progress: self._change(design, found.rings, found.size, progress)
        )
        if found.notes:
            self._session.notices.post(" ".join(found.notes), passes=True)

    def _failed(self, path: Path, problem: StudioError) -> None:
        from studio.files.foreign import OFFERED, UnitMissing

        self._session.notices.withdraw(self._cancel)
        if isinstance(problem, UnitMissing):
            words = tr("{name} states no unit of length. Its lengths are in:", name=path.name)
            unit = self._session.dialogs.choice(tr("Import outline"), words, OFFERED)
            if unit is not None:
                self.read(path, unit)
            return
        self._session.notices.post(str(problem), Severity.WARNING, passes=True)
