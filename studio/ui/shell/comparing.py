"""Compares the design in the window with a file, and with variants of itself, off the GUI thread."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.checks.finding import Severity
from studio.files.rasters import write_picture
from studio.files.store import load
from studio.paper.leaflet import Leaflet
from studio.puzzles.comparison import compared, ensure_alike, names_of, picture
from studio.ui.panels.variants import ComparisonDialog, VariantsDialog
from studio.ui.session.opening import FileReading
from studio.ui.session.session import Session

LANE = "comparison"
PICTURES = ("PNG (*.png)", "SVG (*.svg)", "PDF (*.pdf)")


class Comparing(QObject):
    """Shows the changes since a file, and variants of the design to choose from."""

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._reading = FileReading(session, LANE, self)

    def choose(self) -> None:
        """Ask for the file to compare with."""
        here = self._session.document.path
        folder = self._session.preferences.folder("open", Path.home()) if here is None else here.parent
        path = self._session.dialogs.open_path(folder, tr("Compare with"))
        if path is not None:
            self.read(path)

    def read(self, path: Path) -> None:
        """Show the changes since a file."""
        document = self._session.document
        kind, design = document.kind, document.design
        names = names_of(path, document.path or Path(document.title))
        if document.is_modified or document.path is None:
            names = names[0], tr("the open design")

        def work(progress: Progress) -> Leaflet:
            saved = load(path)
            ensure_alike(saved.kind, kind)
            return picture(compared(kind, saved.design, design, progress), names)

        self._reading.read(path, work, done=self._show)

    def vary(self) -> None:
        """Show variants of the design; choosing one is a step of the history."""
        session = self._session
        document = session.document
        before = document.design
        dialog = VariantsDialog(document.kind, before, session.jobs, self._save, session.dialogs.parent)
        design = session.dialogs.ask(dialog)
        words = "" if dialog.chosen is None else dialog.chosen.title
        # Pending work and known results go with the dialog.
        dialog.answer.ask(None)
        dialog.deleteLater()
        if design is not None and design != before and document.design is before:
            document.edit(tr("Use variant {values}", values=words), design)

    def _show(self, found: Leaflet) -> None:
        dialog = ComparisonDialog(found, lambda: self._save(found), self._session.dialogs.parent)
        self._session.dialogs.show(dialog)
        dialog.deleteLater()

    def _save(self, found: Leaflet) -> None:
        """Save the picture; report failure as a notice."""
        preferences = self._session.preferences
        suggested = preferences.folder("picture", Path.home()) / tr("comparison.png")
        path = self._session.dialogs.file_path(tr("Save picture"), suggested, PICTURES)
        if path is None:
            return
        try:
            write_picture(found, path)
        except StudioError as problem:
            self._session.notices.post(str(problem), Severity.ERROR)
            return
        preferences.set_folder("picture", path.absolute().parent)
        self._session.notices.post(tr("Wrote {out}.", out=path), passes=True)
