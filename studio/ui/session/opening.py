"""Reads designs and computes their shapes: at once if quick, else in the background."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer

from studio.base.amounts import share
from studio.base.errors import StudioError
from studio.base.progress import Brief, Cancelled, Progress
from studio.base.texts import tr
from studio.checks.finding import Severity
from studio.files import store
from studio.ui.session.jobs import Jobs
from studio.ui.session.notices import Action
from studio.ui.session.pipeline import InSight, sight_of
from studio.ui.session.session import Session

if TYPE_CHECKING:
    from studio.ui.session.notices import NoticeBar


OPENING = "opening"
SOON = 0.1
"""Seconds that the window waits for a design to open."""
LARGE = 2**18
"""Bytes above which a file is read in the background."""
Failed = Callable[[StudioError], object]


@dataclass(frozen=True, eq=False)
class Opened:
    """A design with its shapes."""

    saved: store.Saved
    sight: InSight


def _load(path: Path, _progress: Progress) -> store.Saved:
    return store.load(path)


class Opener(QObject):
    """Opens one design at a time; a newer request replaces the older."""

    def __init__(self, jobs: Jobs, notices: Callable[[], NoticeBar], parent: QObject | None = None) -> None:
        """`notices` returns the bar for progress and problems."""
        super().__init__(parent)
        self.jobs, self._notices = jobs, notices
        self._cancel: Action | None = None

    def open(
        self, path: Path, done: Callable[[Opened], object], failed: Failed | None = None,
        patience: float | None = None, name: str = "", load: Callable[[Path, Progress], store.Saved] = _load,
    ) -> bool:  # fmt: skip
        """Open a file; return whether `done` or `failed` is called already.

        A problem is posted unless `failed` is given. `patience` replaces SOON for the shapes, `name` the file's name in
        sentences, and `load` reads the file.
        """
        name = name or path.name
        try:
            if _is_large(path):
                raise Cancelled
            saved = load(path, Brief(SOON))
        except Cancelled:
            self._start(tr("Opening {file}…", file=name), partial(load, path), done, failed)
            return False
        except StudioError as problem:
            self.give_up()
            (failed or self.report)(problem)
            return True
        return self.look_at(saved, name, done, failed, patience)

    def look_at(
        self, saved: store.Saved, name: str, done: Callable[[Opened], object], failed: Failed | None = None,
        patience: float | None = None,
    ) -> bool:  # fmt: skip
        """Compute the shapes of a design, under the name of its source; the rest is as for `open`."""
        try:
            found = _opened(saved, Brief(SOON if patience is None else patience))
        except Cancelled:
            self._start(tr("Opening {file}…", file=name), lambda _progress: saved, done, failed)
            return False
        except StudioError as problem:
            self.give_up()
            (failed or self.report)(problem)
            return True
        self.give_up()
        done(found)
        return True

    def read(self, name: str, read: Callable[[Progress], store.Saved], done: Callable[[Opened], object]) -> None:
        """Read a design in the background, under the name of its source."""
        self._start(tr("Importing {source}…", source=name), read, done, None)

    def give_up(self) -> None:
        """Stop opening a design, if one is being opened."""
        self.jobs.cancel(OPENING)
        self._withdraw()

    def _start(
        self, sentence: str, read: Callable[[Progress], store.Saved], done: Callable[[Opened], object],
        failed: Failed | None,
    ) -> None:  # fmt: skip
        def work(progress: Progress) -> Opened:
            return _opened(read(progress.part(0.0, 0.5)), progress.part(0.5, 1.0))

        def go_on(part: float, _note: str) -> None:
            if notices.notice() is None:
                # Notices disappear by themselves, but Cancel must stay in reach as long as the work lasts.
                notices.post(sentence, action=cancel)
            notices.follow(cancel, tr("{sentence} {done}", sentence=sentence, done=share(part)))

        def ended(then: Callable[..., object], answer: object) -> None:
            self._withdraw()
            then(answer)

        self.give_up()
        notices, cancel = self._notices(), Action(tr("Cancel"), self.give_up)
        self._cancel = cancel
        notices.post(sentence, action=cancel)
        self.jobs.start(
            OPENING, work, done=partial(ended, done), failed=partial(ended, failed or self.report), progressed=go_on
        )

    def _withdraw(self) -> None:
        if self._cancel is not None:
            self._notices().withdraw(self._cancel)
            self._cancel = None

    def report(self, problem: StudioError) -> None:
        """Post a problem."""
        self._notices().post(str(problem), Severity.ERROR)


def _is_large(path: Path) -> bool:
    try:
        return path.stat().st_size > LARGE
    except OSError:
        return False


def _opened(saved: store.Saved, progress: Progress) -> Opened:
    return Opened(saved, sight_of(saved.kind, saved.design, None, progress))


# Files read off the GUI thread

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
