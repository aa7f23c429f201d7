"""Writes files in the background, once the findings are known, and says what came of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

from studio.amounts import share
from studio.checks.finding import Finding, Severity
from studio.errors import StudioError
from studio.progress import Progress
from studio.texts import tr
from studio.ui.session.jobs import Jobs
from studio.ui.session.pipeline import Pipeline
from studio.ui.shell.notices import Action, NoticeBar

Deed = Callable[[tuple[Finding, ...]], None]


class Writing(QObject):
    """The files on their way to the disk."""

    def __init__(self, pipeline: Pipeline, jobs: Jobs, notices: NoticeBar, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pipeline, self._jobs, self._notices = pipeline, jobs, notices
        self._lanes: set[str] = set()
        self._waiting: Deed | None = None
        jobs.ended.connect(self._ended)
        pipeline.checked.connect(self._follow)

    @property
    def is_writing(self) -> bool:
        """Whether a file is under way."""
        return bool(self._lanes)

    def when_checked(self, deed: Deed) -> None:
        """Do something with the findings of what is shown, as soon as these are known."""
        if self._pipeline.findings is not None:
            self._waiting = None
            deed(self._pipeline.findings)
        else:
            self._waiting = deed
            self._notices.tell(tr("The puzzle is being checked before it is exported."))

    def write(self, path: Path, work: Callable[[Progress], str]) -> None:
        """Write in the background, and show the sentence that comes of it."""
        # A lane for every file: only a newer export to the same one makes an older one needless.
        lane = tr("export to {path}", path=path)
        cancel = Action(tr("Cancel"), partial(self._cancel, lane, path.name))
        self._notices.tell(tr("Writing {name} …", name=path.name), action=cancel)
        told = partial(self._tell, cancel, path.name)
        self._jobs.start(lane, work, done=self._notices.tell, failed=self._failed, told=told)
        self._lanes.add(lane)

    def _tell(self, cancel: Action, name: str, done: float, _note: str) -> None:
        self._notices.follow(cancel, tr("Writing {name} … {done}", name=name, done=share(done)))

    def _follow(self, findings: tuple[Finding, ...] | None) -> None:
        if findings is not None and self._waiting is not None:
            # Whoever hears of the findings, too, hears first.
            QTimer.singleShot(0, self, self._go_on)

    def _go_on(self) -> None:
        """Do what waited for the findings, once however often they came meanwhile."""
        if self._waiting is not None:
            self.when_checked(self._waiting)

    def _cancel(self, lane: str, name: str) -> None:
        if lane in self._lanes:
            self._jobs.cancel(lane)
            self._notices.tell(tr("{name} was not saved.", name=name))

    def _ended(self, lane: str) -> None:
        self._lanes.discard(lane)

    def _failed(self, problem: StudioError) -> None:
        self._notices.tell(str(problem), Severity.ERROR)
