"""The outline of a board from a file: chosen, read off the GUI thread, with options if there is something to choose."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject

from studio.base.progress import Progress
from studio.base.texts import tr
from studio.files.foreign import Reading
from studio.geometry.curves.rings import is_framed
from studio.ui.panels.drawing_import import DrawingImport, Seen
from studio.ui.session.session import Session

READING = "outline"
DRAWINGS = tr("Drawings ({suffixes})", suffixes="*.svg *.dxf")


class OutlineImport(QObject):
    """Brings outlines from files into one design."""

    def __init__(self, session: Session, change: Callable[..., Any], parent: QObject | None = None) -> None:
        """`change` makes another design of one, of rings, of their size in mm and with a Progress."""
        super().__init__(parent)
        self._session, self._change = session, change
        self._drawings = DrawingImport(session, READING, tr("Import outline"), _look, self)

    def choose(self) -> None:
        """Ask for a drawing whose closed path is to be the board's outline."""
        path = self._session.dialogs.open_path(Path.cwd(), tr("Import outline"), DRAWINGS)
        if path is not None:
            self.read(path)

    def read(self, path: Path) -> None:
        """Take the outline from a file."""
        self._drawings.read(path, self._use)

    def _use(self, seen: Seen) -> None:
        found = seen.result
        self._session.changing.make(
            tr("Import outline"), lambda design, progress: self._change(design, found.rings, found.size, progress)
        )


def _look(path: Path, reading: Reading, progress: Progress) -> Seen:
    from studio.files.paths import read_paths

    found = read_paths(path, reading, progress)
    return Seen(found, found.rings, found.notes, found.size, is_framed(found.rings))
