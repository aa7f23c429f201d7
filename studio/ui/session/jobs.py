"""Pure computations off the GUI thread, and the pace at which widgets follow the mouse."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import count
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import QCoreApplication, QEventLoop, QObject, Qt, QThread, QThreadPool, QTimer, Signal, Slot

from studio.base.errors import StudioError
from studio.base.progress import Cancelled, Progress
from studio.base.texts import tr
from studio.ui.session.garbage_collection import GARBAGE

if TYPE_CHECKING:
    from studio.batch.companion import Companion


MOST_AT_ONCE = 8
"""Lanes that can be under way together, however few cores there are: a search of an hour must hold up no check."""
WAIT_MS = 20
SWEEP_MS = 1000
"""How often garbage is collected while work is under way."""
FAULT = tr("Unexpected error.")
"""Why there is no answer where a bug ended the work."""


def _unheard(_fraction: float, _note: str) -> None:
    return None


class Client(Protocol):
    """Hears the outcome of work that it asked for."""

    def wait(self, cancel: Callable[[], object]) -> None:
        """The work has begun; `cancel` stops it."""

    def follow(self, done: float) -> None:
        """A share of the work is done."""

    def refuse(self, sentence: str) -> None:
        """The work failed, for a reason in a sentence; an empty one after it was stopped."""

    def succeed(self) -> None:
        """The work is done."""


@dataclass(frozen=True, eq=False)
class _Job:
    """One computation, and who hears of it."""

    number: int
    lane: str
    work: Callable[[Progress], Any]
    done: Callable[[Any], None]
    failed: Callable[[StudioError], None]
    progressed: Callable[[float, str], None]
    progress: Progress


class Jobs(QObject):
    """Starts work in named lanes and brings answers back to the GUI thread."""

    began = Signal(str)
    """A lane has something under way."""
    ended = Signal(str)
    """A lane has nothing under way any more."""
    # Queued from the threads, by the number of a job: a queue that held the job would keep its shapes alive.
    _stepped = Signal(int, float, str)
    _finished = Signal(int, object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(max(MOST_AT_ONCE, QThread.idealThreadCount()))
        self._newest: dict[str, _Job] = {}
        self._alive: dict[int, _Job] = {}
        self._numbers = count()
        self._is_closed = False
        self._sweeps = QTimer(self)
        self._sweeps.setInterval(SWEEP_MS)
        self._sweeps.timeout.connect(GARBAGE.sweep)
        self._stepped.connect(self._report, Qt.ConnectionType.QueuedConnection)
        self._finished.connect(self._end, Qt.ConnectionType.QueuedConnection)

    @cached_property
    def companion(self) -> Companion:
        """Answers in a process of its own what would keep threads from their turns; to be asked by a job."""
        from studio.batch.companion import Companion

        return Companion()

    def start(
        self,
        lane: str,
        work: Callable[[Progress], Any],
        *,
        done: Callable[[Any], None],
        failed: Callable[[StudioError], None],
        progressed: Callable[[float, str], None] = _unheard,
    ) -> None:
        """Start work; an older job in the same lane is cancelled and never heard again. Closed jobs start nothing.

        `failed` is given what work raises, in a sentence. A bug goes to the crash hook as well, as everywhere else.
        """
        if self._is_closed:
            return
        self.cancel(lane)
        number = next(self._numbers)
        progress = Progress(partial(self._stepped.emit, number))
        job = _Job(number, lane, work, done, failed, progressed, progress)
        self._newest[lane] = self._alive[number] = job
        self.began.emit(lane)
        GARBAGE.hold((id(self), number))
        self._sweeps.start()
        self._pool.start(partial(self._run, number, work, progress))

    def _run(self, number: int, work: Callable[[Progress], Any], progress: Progress) -> None:
        """In a thread: its answer, or the error in its stead, is queued."""
        answer, error = None, None
        try:
            answer = work(progress)
        except Cancelled:
            pass
        except Exception as failure:
            error = failure
        # Where the application has ended meanwhile, Qt has taken the signals with it, and nobody listens any more.
        with suppress(RuntimeError):
            self._finished.emit(number, answer, error)

    def is_busy(self, lane: str) -> bool:
        """Whether a lane has something under way."""
        return lane in self._newest

    def cancel(self, lane: str) -> None:
        """Stop listening to a lane and ask its job to stop."""
        job = self._newest.pop(lane, None)
        if job is not None:
            job.progress.cancel()
            self.ended.emit(lane)

    def finish(self) -> None:
        """Wait until nothing is under way any more, and hear every answer; for pictures."""
        while self._newest:
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents, WAIT_MS)

    def close(self) -> None:
        """Cancel everything, wait until no thread is left, and take nothing on again.

        A timer may still fire between a window's end and its deletion; Qt would then wait for a thread that waits for
        Python.
        """
        self._is_closed = True
        for lane in list(self._newest):
            self.cancel(lane)
        self._pool.waitForDone()
        if "companion" in self.__dict__:
            self.companion.close()
        self._sweeps.stop()
        for number in self._alive:
            GARBAGE.release((id(self), number))

    @Slot(int, float, str)
    def _report(self, number: int, fraction: float, note: str) -> None:
        job = self._alive[number]
        if self._newest.get(job.lane) is job:
            job.progressed(fraction, note)

    @Slot(int, object, object)
    def _end(self, number: int, answer: Any, error: Exception | None) -> None:
        job = self._alive.pop(number)
        GARBAGE.release((id(self), number))
        if not self._alive:
            self._sweeps.stop()
        if self._newest.get(job.lane) is not job:
            return
        del self._newest[job.lane]
        self.ended.emit(job.lane)
        if error is None:
            job.done(answer)
        elif isinstance(error, StudioError):
            job.failed(error)
        else:
            sys.excepthook(type(error), error, error.__traceback__)
            job.failed(StudioError(FAULT))


# Keeps what need not follow every move of the mouse to a pace that the eye can follow

EYE_MS = 60
"""A number that changes more often than this can no longer be read."""
LIST_MS = 250
"""The same of a list of sentences, which takes a frame to paint."""
COUNT_MS = 1000
"""The same of a title that counts them."""


class Pace(QObject):
    """Runs an action with the newest of what it was asked, at most once in a pause of some ms."""

    def __init__(self, action: Callable[..., object], parent: QObject | None = None, *, pause: int = EYE_MS) -> None:
        super().__init__(parent)
        self._action = action
        self._newest: tuple[Any, ...] | None = None
        self._timer = QTimer(self, singleShot=True, interval=pause)
        self._timer.timeout.connect(self._do)

    def ask(self, *what: Any) -> None:
        """Call it soon; an older call that still waits is dropped."""
        self._newest = what
        if not self._timer.isActive():
            self._timer.start()

    def now(self, *what: Any) -> None:
        """Do it at once, and forget what waits."""
        self._timer.stop()
        self._newest = None
        self._action(*what)

    def follow(self, *what: Any, settled: bool) -> None:
        """Do it at once where what it follows has settled, else soon."""
        (self.now if settled else self.ask)(*what)

    def _do(self) -> None:
        if self._newest is not None:
            what, self._newest = self._newest, None
            self._action(*what)
