"""Pure computations off the GUI thread, and the pace at which widgets follow the mouse."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any, Protocol

from PySide6.QtCore import QCoreApplication, QEventLoop, QObject, Qt, QThread, QThreadPool, QTimer, Signal, Slot

from studio.base.errors import StudioError
from studio.base.progress import Cancelled, Progress
from studio.base.texts import tr

MOST_AT_ONCE = 8
"""Limit for lanes at work, whatever the number of cores: a search of an hour must hold up no check."""
WAIT_MS = 20
SWEEP_MS = 1000
"""Interval of garbage collection during jobs."""
FAULT = tr("Unexpected error.")
"""The sentence for work that ended in a bug."""


class _Garbage:
    """Collects on the GUI thread alone while jobs run: their threads would delete objects that Qt is painting."""

    def __init__(self) -> None:
        self._under_way: set[tuple[int, int]] = set()
        self._collects_itself = False

    def hold(self, job: tuple[int, int]) -> None:
        """Stop automatic collection while a job runs."""
        if not self._under_way:
            self._collects_itself = gc.isenabled()
            gc.disable()
        self._under_way.add(job)

    def release(self, job: tuple[int, int]) -> None:
        """Note the end of a job's thread, which may be reported twice; after the last, resume."""
        if job in self._under_way:
            self._under_way.remove(job)
            if not self._under_way and self._collects_itself:
                gc.enable()

    def allow(self) -> None:
        """Switch automatic collection on, as soon as no job is running."""
        if self._under_way:
            self._collects_itself = True
        else:
            gc.enable()

    @property
    def is_collected(self) -> bool:
        """True if Python collects automatically, now or once no job is running."""
        return self._collects_itself if self._under_way else gc.isenabled()

    def sweep(self) -> None:
        """Collect during jobs, as thoroughly as Python would."""
        gc.collect(2 if gc.get_count()[2] > gc.get_threshold()[2] else 1)


GARBAGE = _Garbage()


def _unheard(*_told: object) -> None:
    return None


class Client(Protocol):
    """Hears the outcome of work that it requested."""

    def wait(self, cancel: Callable[[], object]) -> None:
        """Learn that the work has begun; `cancel` stops it."""

    def follow(self, done: float) -> None:
        """Learn the share of the work done."""

    def refuse(self, sentence: str) -> None:
        """Learn why the work failed, in a sentence; empty after it was stopped."""

    def succeed(self) -> None:
        """Learn that the work is done."""


@dataclass(frozen=True, eq=False)
class _Job:
    """One computation, and its callbacks."""

    number: int
    lane: str
    work: Callable[[Progress], Any]
    done: Callable[[Any], object]
    failed: Callable[[StudioError], object]
    progressed: Callable[[float, str], object]
    progress: Progress


class Jobs(QObject):
    """Starts work in named lanes and brings answers back to the GUI thread."""

    began = Signal(str)
    """A lane has begun work."""
    ended = Signal(str)
    """A lane has finished all work."""
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
        self._steps: dict[int, tuple[float, str]] = {}
        self._pause = QTimer(self, singleShot=True, interval=EYE_MS)
        self._pause.timeout.connect(self._tell)
        self._is_closed = False
        self._sweeps = QTimer(self)
        self._sweeps.setInterval(SWEEP_MS)
        self._sweeps.timeout.connect(GARBAGE.sweep)
        self._stepped.connect(self._report, Qt.ConnectionType.QueuedConnection)
        self._finished.connect(self._end, Qt.ConnectionType.QueuedConnection)

    def start(
        self,
        lane: str,
        work: Callable[[Progress], Any],
        *,
        done: Callable[[Any], object] = _unheard,
        failed: Callable[[StudioError], object] = _unheard,
        progressed: Callable[[float, str], object] = _unheard,
    ) -> None:
        """Start work; an older job in the same lane is cancelled and its answer dropped. Closed jobs start nothing.

        `failed` receives an exception of the work as a sentence. A bug also goes to the crash hook, as everywhere.
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
        """In a thread: run the work and queue its answer or error."""
        answer, error = None, None
        try:
            answer = work(progress)
        except Cancelled:
            pass
        except Exception as failure:
            error = failure
        # If the application has ended meanwhile, Qt has deleted the signals.
        with suppress(RuntimeError):
            self._finished.emit(number, answer, error)

    def is_busy(self, lane: str) -> bool:
        """True if a lane is at work."""
        return lane in self._newest

    def cancel(self, lane: str) -> None:
        """Stop listening to a lane and ask its job to stop."""
        job = self._newest.pop(lane, None)
        if job is not None:
            job.progress.cancel()
            self.ended.emit(lane)

    def finish(self) -> None:
        """Wait until all work is done, and deliver every answer; for pictures."""
        while self._newest:
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents, WAIT_MS)

    def close(self) -> None:
        """Cancel everything, wait until no thread is left, and refuse further work.

        A timer may still fire between a window's end and its deletion; Qt would then wait for a thread that waits for
        Python.
        """
        self._is_closed = True
        for lane in list(self._newest):
            self.cancel(lane)
        self._pool.waitForDone()
        self._sweeps.stop()
        for number in self._alive:
            GARBAGE.release((id(self), number))

    @Slot(int, float, str)
    def _report(self, number: int, fraction: float, note: str) -> None:
        self._steps[number] = fraction, note
        if not self._pause.isActive():
            self._tell()

    def _tell(self) -> None:
        """Pass on the newest step of every job, then none for a while: a search makes hundreds a second."""
        steps, self._steps = self._steps, {}
        if steps:
            self._pause.start()
        for number, (fraction, note) in steps.items():
            job = self._alive.get(number)
            if job is not None and self._newest.get(job.lane) is job:
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


# Limits updates to a pace that the eye can follow

EYE_MS = 60
"""Least interval at which a changing number can be read."""
LIST_MS = 250
"""Interval for a list of sentences, which takes a frame to paint."""
COUNT_MS = 1000
"""Interval for a title that counts them."""


class Throttle(QObject):
    """Calls an action with the newest arguments, at most once per interval in ms."""

    def __init__(self, action: Callable[..., object], parent: QObject | None = None, *, pause: int = EYE_MS) -> None:
        super().__init__(parent)
        self._action = action
        self._newest: tuple[Any, ...] | None = None
        self._timer = QTimer(self, singleShot=True, interval=pause)
        self._timer.timeout.connect(self._do)

    def ask(self, *what: Any) -> None:
        """Call the action soon; a pending older call is dropped."""
        self._newest = what
        if not self._timer.isActive():
            self._timer.start()

    def now(self, *what: Any) -> None:
        """Call the action at once, and drop a pending call."""
        self._timer.stop()
        self._newest = None
        self._action(*what)

    def follow(self, *what: Any, settled: bool) -> None:
        """Call the action at once if the change has settled, else soon."""
        (self.now if settled else self.ask)(*what)

    def _do(self) -> None:
        if self._newest is not None:
            what, self._newest = self._newest, None
            self._action(*what)
