"""Opening, saving and exporting from the window; what may go wrong there is told in the notice bar."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum, auto
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QLocale, QObject, Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from studio.amounts import duration, many, metres
from studio.checks.finding import Finding, Severity
from studio.errors import StudioError
from studio.files import store
from studio.geometry.drawing import Drawing
from studio.geometry.leaflet import Leaflet
from studio.geometry.shapes import Shapes
from studio.progress import Progress
from studio.puzzles.kind import AnyKind
from studio.ui.length_spin import take_what_is_written
from studio.ui.session.document import Document
from studio.ui.session.jobs import Jobs
from studio.ui.shell.notices import Action, NoticeBar
from studio.ui.shell.preferences import Preferences

if TYPE_CHECKING:
    from studio.fabricate.making import Made, Making
    from studio.fabricate.workshop import Machine, Material
    from studio.geometry.solid import Solid
    from studio.ui.panels.coupon import CouponDialog, CouponRequest, GapCouponDialog, GapCouponRequest
    from studio.ui.panels.export import ExportDialog, Request
    from studio.ui.panels.printing import PrintDialog, PrintRequest
    from studio.ui.panels.workshop import WorkshopDialog

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

    def coupon(self, dialog: CouponDialog) -> CouponRequest | None:
        """Which fit coupon to write, and where."""

    def gap_coupon(self, dialog: GapCouponDialog) -> GapCouponRequest | None:
        """Which fit coupon to print, and where it goes."""

    def printing(self, dialog: PrintDialog) -> PrintRequest | None:
        """How and where the solids for a printer go."""

    def leaflet_path(self, title: str, suggested: Path) -> Path | None:
        """Where the paper called `title` goes; the ending says the format."""

    def workshop(self, dialog: WorkshopDialog) -> None:
        """Which machines and materials there are."""


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

    def coupon(self, dialog: CouponDialog) -> CouponRequest | None:
        """Which fit coupon to write, and where."""
        return dialog.request() if dialog.exec() else None

    def leaflet_path(self, title: str, suggested: Path) -> Path | None:
        """Where the paper called `title` goes; the ending of the filter is put on where there is none."""
        from studio.export.formats import PAPER

        filters = {f"{known.title} (*{known.suffix})": known.suffix for known in PAPER.members}
        chosen, kind = QFileDialog.getSaveFileName(self._parent, title, str(suggested), ";;".join(filters))
        if not chosen:
            return None
        path = Path(chosen)
        if path.suffix:
            return path
        path = path.with_suffix(filters.get(kind, suggested.suffix))
        return path if not path.exists() or self._may_replace(path) else None

    def gap_coupon(self, dialog: GapCouponDialog) -> GapCouponRequest | None:
        """Which fit coupon to print, and where it goes."""
        return dialog.request() if dialog.exec() else None

    def printing(self, dialog: PrintDialog) -> PrintRequest | None:
        """How and where the solids for a printer go."""
        return dialog.request() if dialog.exec() else None

    def workshop(self, dialog: WorkshopDialog) -> None:
        """Which machines and materials there are."""
        dialog.exec()


class Filing(QObject):
    """The document on its way to and from the disk."""

    recent_changed = Signal()
    machine_used = Signal()
    """Another machine may be in use than before, or have other figures."""
    other_kind = Signal(object, object)
    """A design of another kind than the window's was chosen: brings a Saved, and its path or None."""
    begun = Signal(object)
    """A new design of another kind than the window's is wanted: brings the kind."""

    def __init__(
        self,
        document: Document,
        preferences: Preferences,
        notices: NoticeBar,
        jobs: Jobs,
        dialogs: Dialogs,
    ) -> None:
        super().__init__()
        self._document, self._preferences, self._notices = document, preferences, notices
        self._jobs, self.dialogs = jobs, dialogs
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

    def _may_open(self, kind: AnyKind) -> bool:
        """Whether a design of a kind may take the place of this one; another kind takes the window with it."""
        if kind is not self._document.kind and self.is_writing:
            self._notices.tell(
                f"A file is still being written; open the {kind.title.lower()} when it is done.", Severity.WARNING
            )
            return False
        return self.may_close()

    def new(self, kind: AnyKind) -> None:
        """Begin a new design of a kind."""
        if not self._may_open(kind):
            return
        if kind is self._document.kind:
            self._document.open(kind, kind.example(), None)
        else:
            self.begun.emit(kind)

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
        if not self._may_open(saved.kind):
            return False
        self._remember(path)
        if saved.kind is not self._document.kind:
            self.other_kind.emit(saved, path)
            return True
        self._document.open(saved.kind, saved.design, path)
        return True

    def restore(self, path: Path) -> bool:
        """Open a copy of unsaved work as an untitled design with changes; returns whether it is open now."""
        try:
            saved = store.load(path)
        except StudioError as problem:
            self._notices.tell(str(problem), Severity.ERROR)
            return False
        if not self._may_open(saved.kind):
            return False
        if saved.kind is not self._document.kind:
            self.other_kind.emit(saved, None)
            return True
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
        """Ask how, and write files for the machine."""
        from studio.ui.panels.export import ExportDialog, Subject

        errors = sum(finding.severity is Severity.ERROR for finding in findings)
        dialog = ExportDialog(
            Subject(shapes.drawing, errors), self._document.title, self._folder(), self._preferences, _make, self._jobs,
            parent=parent,
        )  # fmt: skip
        request = self.dialogs.export(dialog)
        dialog.trial.stop()
        dialog.deleteLater()
        if request is not None:
            self._last_export = request._replace(made=None)
            self.machine_used.emit()
            self._write(request.path, partial(_written, shapes.drawing, request))

    def export_again(self, shapes: Shapes, findings: tuple[Finding, ...], parent: QWidget) -> None:
        """Make and write the last export again in the same way; ask where there is none, or where errors stand."""
        errors = any(finding.severity is Severity.ERROR for finding in findings)
        if self._last_export is None or (errors and not self._last_export.force):
            self.export(shapes, findings, parent)
        else:
            request = self._last_export._replace(force=errors)
            self._write(request.path, partial(_written, shapes.drawing, request))

    def coupon(self, shapes: Shapes, parent: QWidget) -> None:
        """Ask which fit coupon to make of the joint that is shown, and write it."""
        from studio.ui.panels.coupon import CouponDialog

        joint = self._document.kind.joint
        assert joint is not None
        dialog = CouponDialog(
            partial(joint, shapes), self._document.title, self._folder(), self._preferences, self._jobs,
            parent=parent,
        )  # fmt: skip
        request = self.dialogs.coupon(dialog)
        dialog.stop()
        dialog.deleteLater()
        if request is not None:
            self.machine_used.emit()
            self._write(request.path, partial(_coupon_written, request))

    def gap_coupon(self, parent: QWidget) -> None:
        """Ask which gaps to try with the joints of the design, and write their coupon."""
        from studio.export.printing import SolidOptions
        from studio.ui.panels.coupon import GapCouponDialog
        from studio.ui.panels.printing import PrintRequest

        kind, design = self._document.kind, self._document.design
        assert kind.joints is not None
        dialog = GapCouponDialog(
            partial(kind.joints, design), self._document.title, self._folder(), self._preferences, self._jobs,
            parent=parent,
        )  # fmt: skip
        request = self.dialogs.gap_coupon(dialog)
        dialog.stop()
        dialog.deleteLater()
        if request is not None:
            wish = PrintRequest(request.path, SolidOptions(), request.path.stem)
            self._write(request.path, partial(_printed, request.solids, wish))

    def export_solids(self, shapes: Shapes, findings: tuple[Finding, ...], parent: QWidget) -> None:
        """Ask how and where, and write the solids for a printer; those of a design with errors would not fit."""
        from studio.ui.panels.printing import PrintDialog, Printed

        worst = next((finding.message for finding in findings if finding.severity is Severity.ERROR), "")
        printed = Printed(shapes.bed, shapes.fit, shapes.gap, worst)
        dialog = PrintDialog(printed, self._document.title, self._folder(), self._preferences, parent=parent)
        request = self.dialogs.printing(dialog)
        dialog.deleteLater()
        if request is not None:
            self._write(request.target, partial(_printed, shapes.bed, request))

    def leaflet(self, shapes: Shapes, findings: tuple[Finding, ...], parent: QWidget) -> None:
        """Ask where, and write the paper that goes with the puzzle; that of a design with errors would not help."""
        del parent
        enclosed = self._document.kind.leaflet
        assert enclosed is not None
        worst = next((finding for finding in findings if finding.severity is Severity.ERROR), None)
        if worst is not None:
            self._notices.tell(f"This is not written as it is: {worst.message}", Severity.WARNING)
            return
        name = self._document.title
        path = self.dialogs.leaflet_path(enclosed.title, self._folder() / f"{name}, {enclosed.title.lower()}.pdf")
        if path is not None:
            lay_out = partial(enclosed.lay_out, self._document.design, shapes, name)
            self._write(path, partial(_enclosed, lay_out, path))

    def workshop(self, parent: QWidget) -> None:
        """Show machines and materials, to be changed."""
        from studio.ui.panels.making_choice import USUAL_MACHINE, USUAL_MATERIAL
        from studio.ui.panels.workshop import WorkshopDialog

        known = self._preferences
        dialog = WorkshopDialog(
            known.workshop_key("machine") or USUAL_MACHINE, known.workshop_key("material") or USUAL_MATERIAL, parent
        )
        self.dialogs.workshop(dialog)
        dialog.deleteLater()
        self.machine_used.emit()

    def _folder(self) -> Path:
        """The folder of the document; the maker's own where it has none."""
        return self._document.path.absolute().parent if self._document.path else Path.home()

    def _write(self, path: Path, work: Callable[[Progress], str]) -> None:
        """Write in the background, and tell the sentence that comes of it."""
        # A lane for every file: only a newer export to the same one makes an older one needless.
        lane = f"export to {path}"
        cancel = Action("Cancel", partial(self._cancel, lane, path.name))
        self._notices.tell(f"Writing {path.name} …", action=cancel)
        self._jobs.start(lane, work, done=self._notices.tell, failed=self._failed)
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

    def _failed(self, problem: StudioError) -> None:
        self._notices.tell(str(problem), Severity.ERROR)


def _make(drawing: Drawing, making: Making, machine: Machine, material: Material, progress: Progress) -> Made:
    # Imported when something is made: a start need not wait for the planner.
    from studio.fabricate.making import made

    return made(drawing, making, machine, material, progress)


def _written(drawing: Drawing, request: Request, progress: Progress) -> str:
    """Make a drawing and write its sheets, all or none; returns what was found in the files, in a sentence."""
    from studio.export import target
    from studio.export.sheets import left_over, warned_of

    made = request.made
    if made is None:
        made = _make(drawing, request.making, request.machine, request.material, progress.part(0.0, 0.5))
    sheets = [plan.drawing for plan in made.plans]
    reports = target.write_all(
        sheets, request.path, request.options, force=request.force, progress=progress.part(0.5, 1.0)
    )
    first, last = reports[0], reports[-1]
    if len(reports) == 1:
        files = f"{first.path.name} is"
        size = f"{first.width:.1f} × {first.height:.1f} mm, "
    else:
        files = f"{first.path.name} to {last.path.name} are"
        size = f"{many(len(reports), 'sheet')}, "
    pieces = sum(report.faces for report in reports)
    cuts = sum(sheet.cut_count for sheet in sheets)
    told = (
        f"{files} written and read back: {size}{many(pieces, 'piece')}, {many(cuts, 'cut')}, "
        f"{metres(sum(report.cut_length for report in reports))}, {duration(made.seconds)}."
    )
    return f"{told} {warned_of(left_over(request.path, len(reports)))}".strip()


def _printed(solids: Sequence[Solid], request: PrintRequest, progress: Progress) -> str:
    """Write solids; returns what was found in the files, in a sentence."""
    from studio.export.printing import write_solids

    reports = write_solids(solids, request.target, request.options, stem=request.stem, progress=progress)
    first, last = reports[0], reports[-1]
    parts = many(sum(report.parts for report in reports), "part")
    size = f"{first.width:.1f} × {first.depth:.1f} × {first.height:.1f} mm, "
    if len(reports) == 1:
        files = f"{first.path.name} is"
    else:
        files, size = f"{first.path.name} to {last.path.name} are", ""
    volume = sum(report.volume for report in reports) / 1000
    return f"{files} written and read back: {parts}, {size}{volume:.1f} cm³."


def _enclosed(lay_out: Callable[[tuple[float, float], Progress], Leaflet], path: Path, progress: Progress) -> str:
    """Write the paper that goes with a puzzle, for the paper that is usual here; returns what it is, in a sentence."""
    from studio.export.leaflet import write_leaflet
    from studio.export.paper import LeafletOptions

    american = QLocale.system().measurementSystem() is QLocale.MeasurementSystem.ImperialUSSystem
    options = LeafletOptions(paper="Letter" if american else "A4")
    reports = write_leaflet(lay_out(options.size, progress.part(0.0, 0.8)), path, progress.part(0.8, 1.0))
    pages = sum(report.pages for report in reports)
    return f"{reports[0].path.name} is written and read back: {many(pages, 'page')} of {options.paper}."


def _coupon_written(request: CouponRequest, progress: Progress) -> str:
    """Write a fit coupon; returns what was found in the file, in a sentence."""
    from studio.export import target

    report = target.write(request.drawing, request.path, request.options, progress=progress)
    return (
        f"{report.path.name} is written and read back: {report.width:.1f} × {report.height:.1f} mm, "
        f"{many(report.faces // 2, 'pair')}, {metres(report.cut_length)}."
    )
