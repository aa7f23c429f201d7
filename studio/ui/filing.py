"""Opening, saving and exporting from the window; what may go wrong there is told in the notice bar."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from studio.checks.finding import Finding, Severity
from studio.errors import StudioError
from studio.files import store
from studio.geometry.shapes import Shapes
from studio.progress import Progress
from studio.puzzles.kind import AnyKind
from studio.ui.document import Document
from studio.ui.jobs import Jobs
from studio.ui.length_spin import take_what_is_written
from studio.ui.notices import Action, NoticeBar
from studio.ui.preferences import Preferences

if TYPE_CHECKING:
    from studio.ui.panels.export import ExportDialog, Request

FILTER = f"Puzzles (*{store.SUFFIX})"


class Unsaved(Enum):
    """What to do with unsaved changes."""

    SAVE = auto()
    DISCARD = auto()
    CANCEL = auto()


class Dialogs(Protocol):
    """The questions that a maker is asked."""

    def open_path(self, folder: Path) -> Path | None:
        """Which file to open."""

    def save_path(self, suggested: Path) -> Path | None:
        """Where to save."""

    def unsaved(self, title: str) -> Unsaved:
        """What to do with unsaved changes."""

    def export(self, dialog: ExportDialog) -> Request | None:
        """How and where to export."""


class DesktopDialogs:
    """The questions, asked in the desktop's own dialogs."""

    def __init__(self, parent: QWidget) -> None:
        self._parent = parent

    def open_path(self, folder: Path) -> Path | None:
        """Which file to open."""
        chosen, _ = QFileDialog.getOpenFileName(self._parent, "Open a puzzle", str(folder), FILTER)
        return Path(chosen) if chosen else None

    def save_path(self, suggested: Path) -> Path | None:
        """Where to save; the suffix is put on where it is missing."""
        chosen, _ = QFileDialog.getSaveFileName(self._parent, "Save the puzzle", str(suggested), FILTER)
        if not chosen:
            return None
        path = Path(chosen)
        if path.suffix.lower() == store.SUFFIX:
            return path
        # The dialog has asked about the name as it was written, not about the file that will be replaced.
        path = path.with_name(path.name + store.SUFFIX)
        return path if not path.exists() or self._may_replace(path) else None

    def _may_replace(self, path: Path) -> bool:
        buttons = QMessageBox.StandardButton
        words = f"{path.name} is there already. Replace it?"
        return QMessageBox.question(self._parent, "Save the puzzle", words) == buttons.Yes

    def unsaved(self, title: str) -> Unsaved:
        """What to do with unsaved changes."""
        box = QMessageBox(self._parent)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setWindowTitle("Unsaved changes")
        box.setText(f"“{title}” has changes that are not saved.")
        buttons = QMessageBox.StandardButton
        box.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
        box.setDefaultButton(buttons.Save)
        answer = box.exec()
        known = {buttons.Save.value: Unsaved.SAVE, buttons.Discard.value: Unsaved.DISCARD}
        return known.get(answer, Unsaved.CANCEL)

    def export(self, dialog: ExportDialog) -> Request | None:
        """How and where to export."""
        return dialog.request() if dialog.exec() else None


class Filing(QObject):
    """The document on its way to and from the disk."""

    recent_changed = Signal()
    other_kind = Signal(object, object)
    """A design of another kind than the window's was chosen: brings a Saved, and its path or None."""

    def __init__(
        self,
        document: Document,
        preferences: Preferences,
        notices: NoticeBar,
        jobs: Jobs,
        dialogs: Dialogs,
        crashed: Callable[[Exception], None],
    ) -> None:
        super().__init__()
        self._document, self._preferences, self._notices = document, preferences, notices
        self._jobs, self.dialogs, self._crashed = jobs, dialogs, crashed
        self._last_export: Request | None = None
        self._writing: set[str] = set()
        jobs.ended.connect(self._ended)
        document.replaced.connect(self._forget_export)

    def _forget_export(self) -> None:
        self._last_export = None

    def may_close(self) -> bool:
        """Whether nothing unsaved would be lost, after asking."""
        take_what_is_written()
        if not self._document.is_modified:
            return True
        answer = self.dialogs.unsaved(self._document.title)
        if answer is Unsaved.SAVE:
            return self.save()
        return answer is Unsaved.DISCARD

    def new(self, kind: AnyKind) -> None:
        """Begin a new design of a kind."""
        if self.may_close():
            self._document.open(kind, kind.example(), None)

    def open(self, path: Path | None = None) -> bool:
        """Open a file, asked for where none is named; returns whether it is open now."""
        if path is None:
            path = self.dialogs.open_path(self._preferences.folder("open", Path.home()))
            if path is None:
                return False
        try:
            saved = store.load(path)
        except StudioError as problem:
            self._preferences.forget_recent_file(path)
            self.recent_changed.emit()
            self._notices.tell(str(problem), Severity.ERROR)
            return False
        if not self.may_close():
            return False
        self._remember(path)
        if saved.kind is not self._document.kind:
            self.other_kind.emit(saved, path)
            return True
        self._document.open(saved.kind, saved.design, path)
        return True

    def restore(self, path: Path) -> bool:
        """Open a copy of unsaved work as an untitled design with changes; returns whether it is in this window."""
        try:
            saved = store.load(path)
        except StudioError as problem:
            self._notices.tell(str(problem), Severity.ERROR)
            return False
        if not self.may_close():
            return False
        if saved.kind is not self._document.kind:
            self.other_kind.emit(saved, None)
            return False
        self._document.open(saved.kind, saved.design, None)
        self._document.history.resetClean()
        return True

    def save(self) -> bool:
        """Save where the design came from, or ask where; returns whether it is saved."""
        return self._save(self._document.path) if self._document.path else self.save_as()

    def save_as(self) -> bool:
        """Ask where to save; returns whether it is saved."""
        folder = self._preferences.folder("open", Path.home())
        suggested = self._document.path or folder / f"{self._document.title}{store.SUFFIX}"
        path = self.dialogs.save_path(suggested)
        return path is not None and self._save(path)

    def _save(self, path: Path) -> bool:
        try:
            store.save(path, self._document.kind, self._document.design)
        except StudioError as problem:
            self._notices.tell(str(problem), Severity.ERROR)
            return False
        self._document.saved_as(path)
        self._remember(path)
        return True

    def _remember(self, path: Path) -> None:
        self._preferences.add_recent_file(path)
        self._preferences.set_folder("open", path.absolute().parent)
        self.recent_changed.emit()

    def export(self, shapes: Shapes, findings: tuple[Finding, ...], parent: QWidget) -> None:
        """Ask how, and write a file for the laser."""
        drawing = shapes.drawing
        errors = sum(finding.severity is Severity.ERROR for finding in findings)
        from studio.ui.panels.export import ExportDialog, Facts

        facts = Facts(
            drawing.width, drawing.height, len(drawing.pieces), len(drawing.chains), drawing.cut_length, errors
        )
        folder = self._document.path.absolute().parent if self._document.path else Path.home()
        dialog = ExportDialog(facts, self._document.title, folder, self._preferences, parent=parent)
        request = self.dialogs.export(dialog)
        dialog.deleteLater()
        if request is not None:
            self._last_export = request
            self._write(shapes, request)

    def export_again(self, shapes: Shapes, findings: tuple[Finding, ...], parent: QWidget) -> None:
        """Write the last file again with the same options; ask where there is none, or where errors stand."""
        errors = any(finding.severity is Severity.ERROR for finding in findings)
        if self._last_export is None or (errors and not self._last_export.force):
            self.export(shapes, findings, parent)
        else:
            self._write(shapes, self._last_export._replace(force=errors))

    def _write(self, shapes: Shapes, request: Request) -> None:
        from studio.export import target

        # A lane for every file: only a newer export to the same one makes an older one needless.
        lane = f"export to {request.path}"
        cancel = Action("Cancel", partial(self._cancel, lane, request.path.name))
        self._notices.tell(f"Writing {request.path.name} …", action=cancel)

        def work(progress: Progress) -> target.Report:
            return target.write(shapes.drawing, request.path, request.options, force=request.force, progress=progress)

        self._jobs.start(lane, work, done=self._written, failed=self._failed)
        self._writing.add(lane)

    @property
    def is_writing(self) -> bool:
        """Whether a file for the laser is under way."""
        return bool(self._writing)

    def _cancel(self, lane: str, name: str) -> None:
        if lane in self._writing:
            self._jobs.cancel(lane)
            self._notices.tell(f"{name} was not written.")

    def _ended(self, lane: str) -> None:
        self._writing.discard(lane)

    def _written(self, report: object) -> None:
        from studio.export import target

        assert isinstance(report, target.Report)
        self._notices.tell(
            f"{report.path.name} is written and read back: {report.width:.1f} × {report.height:.1f} mm, "
            f"{report.faces} pieces, {report.chains} cuts, {report.cut_length / 1000:.2f} m."
        )

    def _failed(self, problem: Exception) -> None:
        if isinstance(problem, StudioError):
            self._notices.tell(str(problem), Severity.ERROR)
        else:
            self._crashed(problem)
