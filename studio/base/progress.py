"""Progress of long computations, their cancelling, and threads for parts of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from threading import Event
from time import process_time
from typing import Generic, ParamSpec, TypeVar

K = TypeVar("K", bound=Hashable)
A = TypeVar("A")


class Cancelled(Exception):
    """Raised inside a computation that was cancelled."""


def ignored(_fraction: float, _note: str) -> None:
    """A report that nobody reads."""


def _unannounced(_seconds: float) -> None:
    return None


class Progress:
    """Passed to every long computation; `step` reports its progress, and is where it can be cancelled."""

    def __init__(
        self, report: Callable[[float, str], None] = ignored, announce: Callable[[float], None] = _unannounced
    ) -> None:
        """`report` is given what `step` is given, and `announce` what `ahead` is."""
        self._report, self._announce = report, announce
        self._cancelled = Event()

    def part(self, begin: float, end: float, note: str = "") -> Progress:
        """The progress of a part, from one share of the whole to another; to cancel either cancels both.

        A note is shown in place of the part's own.
        """
        part = Progress(lambda fraction, own: self.step(begin + fraction * (end - begin), note or own), self.ahead)
        part._cancelled = self._cancelled
        return part

    def unreported(self) -> Progress:
        """The progress of work beside what is reported: nothing of it is shown, and to cancel either cancels both."""
        beside = Progress()
        beside._cancelled = self._cancelled
        return beside

    def cancel(self) -> None:
        """Ask the computation to stop at its next step; safe from any thread."""
        self._cancelled.set()

    def step(self, fraction: float, note: str = "") -> None:
        """Report the share done (0 to 1) and what is under way; raises Cancelled once `cancel` was called."""
        if self._cancelled.is_set():
            raise Cancelled
        self._report(fraction, note)

    def ahead(self, seconds: float) -> None:
        """Announce work of about some seconds that cannot be cancelled meanwhile; raises Cancelled as `step` does."""
        if self._cancelled.is_set():
            raise Cancelled
        self._announce(seconds)


class Brief(Progress):
    """For work that is worth having only soon: the first step after some seconds, or work that would end after them,
    raises Cancelled. They are those of the process, threads included: what else the machine does decides nothing."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._end = process_time() + seconds

    def step(self, fraction: float, note: str = "") -> None:
        """Report progress; raises Cancelled once the time is over."""
        if process_time() > self._end:
            self.cancel()
        super().step(fraction, note)

    def ahead(self, seconds: float) -> None:
        """Announce work of about some seconds; raises Cancelled unless it ends in time."""
        if process_time() + seconds > self._end:
            self.cancel()
        super().ahead(seconds)


SILENT = Progress()
"""For work without progress that nobody can cancel."""


@dataclass(frozen=True)
class _Question(Generic[K, A]):
    key: K
    progress: Progress = field(compare=False)
    known: tuple[A, ...] = field(default=(), compare=False)
    """Its answer, where somebody else has worked it out."""


class Kept(Generic[K, A]):
    """A long computation of which the last few answers are kept; they do not depend on who asks."""

    def __init__(self, compute: Callable[[K, Progress], A], most: int) -> None:
        self.worked_out = 0
        """How many answers were worked out here."""
        self._compute = compute
        self._answer = lru_cache(maxsize=most)(self._answered)

    def __call__(self, key: K, progress: Progress) -> A:
        """The answer, worked out unless it is kept; raises what the computation raises."""
        return self._answer(_Question[K, A](key, progress))

    def remember(self, key: K, answer: A) -> None:
        """Keep an answer that was worked out elsewhere, as in another process; one that is kept stays."""
        self._answer(_Question(key, SILENT, (answer,)))

    def _answered(self, question: _Question[K, A]) -> A:
        if question.known:
            return question.known[0]
        self.worked_out += 1
        return self._compute(question.key, question.progress)


def kept(most: int) -> Callable[[Callable[[K, Progress], A]], Kept[K, A]]:
    """Keeps the last few answers of a long computation."""
    return lambda compute: Kept(compute, most)


# Threads for parts of one computation.
#
# numpy and shapely let go of the interpreter, so two threads of one computation can share two cores. In a process
# beside others that keep all cores busy, threads only take turns, which costs a tenth of the work.

P = ParamSpec("P")
T = TypeVar("T")

_is_beside_others = False


def cores() -> int:
    """How many processes can run at once here."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def work_beside_others() -> None:
    """Do without threads in this process, since others keep all cores busy."""
    global _is_beside_others
    _is_beside_others = True


def threads(count: int) -> Executor:
    """Some threads, or what does at once whatever is submitted."""
    return AtOnce() if _is_beside_others or cores() == 1 else ThreadPoolExecutor(count)


class AtOnce(Executor):
    """Does what is submitted before it answers."""

    def submit(self, work: Callable[P, T], /, *values: P.args, **named: P.kwargs) -> Future[T]:
        """The result of some work, or what it raised, which is there already."""
        future: Future[T] = Future()
        try:
            future.set_result(work(*values, **named))
        except Exception as problem:
            future.set_exception(problem)
        return future
