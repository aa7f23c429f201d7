"""Writes files in the background, once the findings are known, and opens them in the programs that makers use."""

from __future__ import annotations

import errno
import os
import shutil
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QLocale, QObject, QProcess, Qt, QTimer, QUrl
from PySide6.QtGui import QCursor, QDesktopServices
from PySide6.QtWidgets import QMenu

from studio.base.amounts import many, share
from studio.base.errors import StudioError
from studio.base.json_files import holds_work
from studio.base.progress import Progress
from studio.base.texts import tr, visible
from studio.checks.finding import Finding, Severity
from studio.ui.session.dialogs import Dialogs
from studio.ui.session.jobs import Client, Jobs
from studio.ui.session.notices import Action, NoticeBar
from studio.ui.session.pipeline import Pipeline
from studio.ui.session.preferences import Preferences

if TYPE_CHECKING:
    from studio.exporting.options import LeafletOptions
    from studio.paper.leaflet import Leaflet
    from studio.ui.session.session import Session

PREPARING = "preparing an export"
PATIENCE_MS = 300
"""Delay after which slow work is reported."""
A = TypeVar("A")
OnChecked = Callable[[tuple[Finding, ...]], None]
KNOWN: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("LightBurn", ("LightBurn", "lightburn"), (".lbrn2", ".svg", ".dxf", ".pdf")),
    ("Inkscape", ("inkscape",), (".svg", ".pdf", ".dxf", ".png")),
    ("LibreCAD", ("librecad",), (".dxf",)),
    ("QCAD", ("qcad",), (".dxf",)),
    ("FreeCAD", ("freecad", "FreeCAD"), (".dxf", ".svg", ".stl", ".3mf")),
    ("PrusaSlicer", ("prusa-slicer", "PrusaSlicer"), (".stl", ".3mf")),
    ("OrcaSlicer", ("orca-slicer", "OrcaSlicer"), (".stl", ".3mf")),
    ("Bambu Studio", ("bambu-studio", "BambuStudio"), (".stl", ".3mf")),
    ("Cura", ("cura", "UltiMaker-Cura"), (".stl", ".3mf")),
    ("GIMP", ("gimp",), (".png",)),
)
"""Programs that makers use: name, possible commands, and extensions of their files."""
APPLICATIONS = Path("/Applications")


def unwritable(paths: Iterable[Path]) -> str:
    """Return why files may not be written, in a sentence: an invalid name, or a design or a saved game there.

    Empty if there is no reason.
    """
    for path in paths:
        try:
            path.lstat()
        except ValueError:
            return tr("This file name is not valid.")
        except OSError as problem:
            if problem.errno == errno.ENAMETOOLONG:
                return tr("This file name is too long.")
        else:
            if holds_work(path):
                return tr("{file} is a design or a saved game. Choose another name.", file=path.name)
    return ""


class Writing(QObject):
    """Writes files in the background."""

    def __init__(self, pipeline: Pipeline, jobs: Jobs, notices: NoticeBar, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pipeline, self._jobs, self._notices = pipeline, jobs, notices
        self.open_with: Callable[[Path], object] = self.open
        """Asks for a program for a written file, and opens it."""
        self._lanes: set[str] = set()
        self._waiting: OnChecked | None = None
        self._preparing, self._refused = "", ""
        self._leave = Action(tr("Cancel"), self._stop_preparing)
        self._late = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._late.timeout.connect(lambda: self._notices.post(f"{self._preparing}…", action=self._leave))
        jobs.ended.connect(self._ended)
        pipeline.findings_changed.connect(self._follow)

    @property
    def is_writing(self) -> bool:
        """True while a file is being written."""
        return bool(self._lanes)

    def when_checked(self, action: OnChecked) -> None:
        """Pass the findings of the shapes in sight to `action`, as soon as they are known."""
        if self._pipeline.findings is not None:
            self._waiting = None
            action(self._pipeline.findings)
        else:
            self._waiting = action
            self._notices.post(tr("Checking the puzzle before exporting it…"))

    def prepare(self, words: str, work: Callable[[Progress], A], done: Callable[[A], None]) -> None:
        """Compute the content of a file in the background, and pass it on; `words` name the work in a notice."""

        def go_on(made: A) -> None:
            self._rest()
            done(made)

        def failed(problem: StudioError) -> None:
            self._rest()
            self._failed(problem)

        def progressed(done: float, _note: str) -> None:
            self._notices.follow(self._leave, f"{words}… {share(done)}")

        self._preparing = words
        self._jobs.start(PREPARING, work, done=go_on, failed=failed, progressed=progressed)
        self._late.start()

    def _stop_preparing(self) -> None:
        self._jobs.cancel(PREPARING)
        self._rest()

    def _rest(self) -> None:
        """Close the notice about preparing."""
        self._late.stop()
        shown = self._notices.notice()
        if shown is not None and shown.action is self._leave:
            self._notices.close_notice()

    def write(
        self, path: Path, work: Callable[[Progress], str], *, cancelled: str = "", client: Client | None = None
    ) -> None:
        """Write in the background, and show the sentence it returns; never over a design or a saved game.

        Very long work passes `cancelled`, the sentence for a cancelled export; its notice stays until the end. A client
        hears of progress and refusals in place of the notice bar.
        """
        refusal = unwritable([path])
        if refusal:
            if client is None:
                self._notices.post(refusal, Severity.WARNING)
            else:
                client.refuse(refusal)
            return

        def give_up() -> None:
            self._jobs.cancel(lane)
            if client is not None:
                client.refuse("")

        # A lane for every file: only a newer export to the same file replaces an older one.
        lane = f"export to {path}"
        not_written = tr("Export cancelled; {file} was not written.", file=path.name)
        cancel = Action(tr("Cancel"), partial(self._cancel, lane, cancelled or not_written))
        if client is None:
            self._notices.post(tr("Writing {file}…", file=path.name), action=cancel, asks=bool(cancelled))
        else:
            client.wait(give_up)

        def done(sentence: str) -> None:
            if cancelled:
                self._notices.withdraw(cancel)
            self._written(path, sentence)
            if client is not None:
                client.succeed()

        def failed(problem: StudioError) -> None:
            if cancelled:
                self._notices.withdraw(cancel)
            if client is None:
                self._failed(problem)
            else:
                client.refuse(str(problem))

        def progressed(fraction: float, _note: str) -> None:
            if client is None:
                self._notices.follow(cancel, tr("Writing {file}… {done}", file=path.name, done=share(fraction)))
            else:
                client.follow(fraction)

        self._jobs.start(lane, work, done=done, failed=failed, progressed=progressed)
        self._lanes.add(lane)

    def _written(self, path: Path, sentence: str) -> None:
        self._notices.withdraw(self._refused)
        folder = path if os.path.isdir(path) else path.parent
        show = Action(tr("Show in folder"), partial(self.open, folder))
        one = Action(tr("Open with…"), lambda: self.open_with(path)) if os.path.isfile(path) else None
        self._notices.post(sentence, action=show, other=one, details=str(path.absolute()))

    def open(self, path: Path) -> None:
        """Open a file or folder in the desktop's program for it."""
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.absolute()))):
            self._notices.refuse(tr("No program found to open {path}.", path=path))

    def _follow(self, findings: tuple[Finding, ...] | None) -> None:
        if findings is not None and self._waiting is not None:
            # Other listeners to the findings are called first.
            QTimer.singleShot(0, self, self._go_on)

    def _go_on(self) -> None:
        """Run the action that waited for the findings, once however often they came meanwhile."""
        if self._waiting is not None:
            self.when_checked(self._waiting)

    def _cancel(self, lane: str, words: str) -> None:
        if lane in self._lanes:
            self._jobs.cancel(lane)
            self._notices.post(words)

    def _ended(self, lane: str) -> None:
        self._lanes.discard(lane)

    def _failed(self, problem: StudioError) -> None:
        self._refused = str(problem)
        self._notices.post(self._refused, Severity.ERROR)


# Programs that open written files: the desktop's own, installed ones that makers use, and any other


@dataclass(frozen=True)
class Program:
    """A program by its name, and the words of the command before the file."""

    title: str
    command: tuple[str, ...]


def installed(suffix: str) -> list[Program]:
    """Return the known programs for files of a suffix that are installed."""
    found = []
    for title, names, suffixes in KNOWN:
        if suffix.lower() in suffixes:
            bundle = APPLICATIONS / f"{title}.app"
            command = next(filter(None, map(shutil.which, names)), None)
            if command is not None:
                found.append(Program(title, (command,)))
            elif sys.platform == "darwin" and os.path.exists(bundle):
                found.append(of_path(bundle))
    return found


def of_path(path: Path) -> Program:
    """Return a program chosen by its file."""
    return Program(path.stem, ("open", "-a", str(path)) if path.suffix == ".app" else (str(path),))


class OpenWith(QObject):
    """Asks for a program to open a file with, and starts it."""

    def __init__(
        self, preferences: Preferences, dialogs: Dialogs, notices: NoticeBar, by_desktop: Callable[[Path], object]
    ) -> None:
        """`by_desktop` opens a file in the desktop's program for it."""
        super().__init__(notices)
        self._preferences, self._dialogs, self._notices, self._by_desktop = preferences, dialogs, notices, by_desktop

    def offer(self, path: Path) -> None:
        """Show a menu of programs at the mouse."""
        menu = QMenu(self._notices)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Default program"), partial(self._by_desktop, path))
        known = installed(path.suffix)
        own = [of_path(each) for each in self._preferences.programs(path.suffix)]
        for program in [*known, *(each for each in own if each.command not in [one.command for one in known])]:
            menu.addAction(visible(program.title).replace("&", "&&"), partial(self._start, program, path))
        menu.addSeparator()
        menu.addAction(tr("Other program…"), partial(self._choose, path))
        menu.popup(QCursor.pos())

    def _choose(self, path: Path) -> None:
        """Ask for a program, and remember it for such files."""
        chosen = self._dialogs.open_path(_programs(), tr("Choose program"), tr("All files ({suffixes})", suffixes="*"))
        if chosen is None:
            return
        if chosen.suffix != ".app" and not (os.path.isfile(chosen) and os.access(chosen, os.X_OK)):
            self._notices.refuse(tr("{file} is not a program.", file=chosen.name))
            return
        if self._start(of_path(chosen), path):
            self._preferences.add_program(path.suffix, chosen)

    def _start(self, program: Program, path: Path) -> bool:
        command, *words = program.command
        started = bool(QProcess.startDetached(command, [*words, str(path.absolute())])[0])
        if not started:
            self._notices.refuse(tr("{program} could not be started.", program=program.title))
        return started


def _programs() -> Path:
    places = {"darwin": APPLICATIONS, "win32": Path("C:/Program Files")}
    return places.get(sys.platform, Path("/usr/bin"))


# Leaflets: pages of words and pictures


def usual_paper() -> LeafletOptions:
    """Return the usual paper of the desktop's region."""
    from studio.exporting.options import LeafletOptions

    american = QLocale.system().measurementSystem() is QLocale.MeasurementSystem.ImperialUSSystem
    return LeafletOptions(paper="Letter" if american else "A4")


def save_leaflet(
    session: Session,
    title: str,
    name: str,
    lay_out: Callable[[tuple[float, float], Progress], Leaflet],
    paper: str,
    contents: str = "",
) -> None:
    """Ask for a file, and write a leaflet to it in the background; a notice tells its contents, if given, and pages."""
    from studio.exporting.formats import PAPER

    filters = [f"{known.title} (*{known.suffix})" for known in PAPER.members]
    path = session.dialogs.file_path(title, session.folder / f"{name}.pdf", filters)
    if path is not None:
        session.writing.write(path, partial(_written, lay_out, paper, contents, path))


def _written(
    lay_out: Callable[[tuple[float, float], Progress], Leaflet],
    paper: str,
    contents: str,
    path: Path,
    progress: Progress,
) -> str:
    from studio.exporting.options import LeafletOptions
    from studio.exporting.writing import ensure_target, write_leaflet

    ensure_target(path)
    leaflet = lay_out(LeafletOptions(paper=paper).size, progress.part(0.0, 0.7))
    reports = write_leaflet(leaflet, path, progress.part(0.7, 1.0))
    pages = many(sum(report.pages for report in reports), "page")
    if contents:
        pages = tr("{contents} on {pages}", contents=contents, pages=pages)
    return tr("Saved: {file}, {pages} of {paper}.", file=reports[0].path.name, pages=pages, paper=paper)
