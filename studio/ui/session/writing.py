"""Writes files in the background, once the findings are known, and reports the outcome."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, QTimer, QUrl
from PySide6.QtGui import QDesktopServices

from studio.base.amounts import share
from studio.base.errors import StudioError
from studio.base.json_files import holds_work
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.checks.finding import Finding, Severity
from studio.ui.session.jobs import Client, Jobs
from studio.ui.session.notices import Action, NoticeBar
from studio.ui.session.pipeline import Pipeline

PREPARING = "preparing an export"
PATIENCE_MS = 300
"""Delay after which slow work is reported."""
A = TypeVar("A")
OnChecked = Callable[[tuple[Finding, ...]], None]


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
        self._late.timeout.connect(self._say_preparing)
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

    def _say_preparing(self) -> None:
        self._notices.post(f"{self._preparing}…", action=self._leave)

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
        # A lane for every file: only a newer export to the same file replaces an older one.
        lane = f"export to {path}"
        not_written = tr("Export cancelled; {file} was not written.", file=path.name)
        cancel = Action(tr("Cancel"), partial(self._cancel, lane, cancelled or not_written))
        if client is None:
            self._notices.post(tr("Writing {file}…", file=path.name), action=cancel, asks=bool(cancelled))
        else:
            client.wait(lambda: self._give_up(lane, client))

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

    def _give_up(self, lane: str, client: Client) -> None:
        self._jobs.cancel(lane)
        client.refuse("")

    def _ended(self, lane: str) -> None:
        self._lanes.discard(lane)

    def _failed(self, problem: StudioError) -> None:
        self._refused = str(problem)
        self._notices.post(self._refused, Severity.ERROR)
