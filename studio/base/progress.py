"""Progress and cancelling of long computations, and caches of their last answers."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import lru_cache
from threading import Event
from time import process_time
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
A = TypeVar("A")


class Cancelled(Exception):
    """Raised inside a computation that was cancelled."""


def ignored(_fraction: float, _note: str) -> None:
    """Report nothing."""


class Progress:
    """Progress of a long computation; `step` reports it, and raises if it was cancelled."""

    def __init__(
        self, report: Callable[[float, str], None] = ignored, announce: Callable[[float], None] = lambda _seconds: None
    ) -> None:
        """`report` receives the arguments of `step`, `announce` the argument of `ahead`."""
        self._report, self._announce = report, announce
        self._cancelled = Event()

    def part(self, begin: float, end: float, note: str = "") -> Progress:
        """Progress of a part, from one share of the whole to another; cancelling either cancels both.

        `note` replaces the part's own notes.
        """
        part = Progress(lambda fraction, own: self.step(begin + fraction * (end - begin), note or own), self.ahead)
        part._cancelled = self._cancelled
        return part

    def unreported(self) -> Progress:
        """Progress of side work that reports nothing; cancelling either cancels both."""
        beside = Progress()
        beside._cancelled = self._cancelled
        return beside

    def cancel(self) -> None:
        """Ask the computation to stop at its next step; safe from any thread."""
        self._cancelled.set()

    def step(self, fraction: float, note: str = "") -> None:
        """Report the share done (0 to 1) and a note on current work; raises Cancelled once `cancel` was called."""
        if self._cancelled.is_set():
            raise Cancelled
        self._report(fraction, note)

    def ahead(self, seconds: float) -> None:
        """Announce uncancellable work of about `seconds`; raises Cancelled as `step` does."""
        if self._cancelled.is_set():
            raise Cancelled
        self._announce(seconds)


class Brief(Progress):
    """Progress with a time limit in s: a step after it, or announced work that would end after it, raises Cancelled.

    The clock is the process's CPU time, threads included, so the machine's other load changes nothing."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._end = process_time() + seconds

    def step(self, fraction: float, note: str = "") -> None:
        """Report progress; raises Cancelled once the time is over."""
        if process_time() > self._end:
            self.cancel()
        super().step(fraction, note)

    def ahead(self, seconds: float) -> None:
        """Announce work of about `seconds`; raises Cancelled unless it ends in time."""
        if process_time() + seconds > self._end:
            self.cancel()
        super().ahead(seconds)


SILENT = Progress()
"""Progress that reports nothing and is never cancelled."""


@dataclass(frozen=True)
class _Question(Generic[K]):
    key: K
    progress: Progress = field(compare=False)


def kept(most: int) -> Callable[[Callable[[K, Progress], A]], Callable[[K, Progress], A]]:
    """Decorate a long computation with a cache of its last `most` answers, shared by all callers."""

    def cached(compute: Callable[[K, Progress], A]) -> Callable[[K, Progress], A]:
        answer = lru_cache(maxsize=most)(lambda question: compute(question.key, question.progress))
        return lambda key, progress: answer(_Question(key, progress))

    return cached
