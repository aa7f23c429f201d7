"""The outline of a board from a file: chosen, read off the GUI thread, and its unit asked for where it states none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from studio.errors import StudioError
from studio.texts import tr
from studio.ui.reading import FileReading
from studio.ui.session.session import Session

if TYPE_CHECKING:
    from studio.geometry.rings import Outlined

READING = "outline"
DRAWINGS = tr("Drawings ({suffixes})", suffixes="*.svg *.dxf")


class OutlineImport(QObject):
    """Brings outlines from files into one design."""

    def __init__(self, session: Session, change: Callable[..., Any], parent: QObject | None = None) -> None:
        """`change` makes another design of one, of rings, of their size in mm and with a Progress."""
        super().__init__(parent)
        self._session, self._change = session, change
        self.reading = FileReading(session, READING, self)

    def choose(self) -> None:
        """Ask for a drawing whose closed path is to be the board's outline."""
        path = self._session.dialogs.open_path(Path.cwd(), tr("Import outline"), DRAWINGS)
        if path is not None:
            self.read(path)

    def read(self, path: Path, unit: str | None = None) -> None:
        """Take the outline from a file; `unit` is that of its lengths where it states none."""
        from studio.files.paths import read_paths

        self.reading.read(
            path,
            lambda progress: read_paths(path, unit, progress),
            done=self._use,
            failed=lambda problem: self._asks_for_unit(path, problem),
        )

    def _use(self, found: Outlined) -> None:
        self._session.changing.make(
            tr("Import outline"), lambda design, progress: self._change(design, found.rings, found.size, progress)
        )
        if found.notes:
            self._session.notices.post(" ".join(found.notes), passes=True)

    def _asks_for_unit(self, path: Path, problem: StudioError) -> bool:
        """Whether all that is missing is a unit; it is then asked for."""
        from studio.files.foreign import OFFERED, UnitMissing

        if not isinstance(problem, UnitMissing):
            return False
        words = tr("{name} does not state its unit. Lengths are in:", name=path.name)
        unit = self._session.dialogs.choice(tr("Import outline"), words, OFFERED)
        if unit is not None:
            self.read(path, unit)
        return True
