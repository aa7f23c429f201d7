"""How a long computation reports its progress, and learns that it was cancelled."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import lru_cache
from threading import Event
from time import perf_counter
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
A = TypeVar("A")


class Cancelled(Exception):
    """Raised inside a computation that was cancelled."""


def _ignored(_fraction: float, _note: str) -> None:
    return None


class Progress:
    """Passed to every long computation; `step` reports its progress, and is where it can be cancelled."""

    def __init__(self, report: Callable[[float, str], None] = _ignored) -> None:
        self._report = report
        self._cancelled = Event()

    def part(self, begin: float, end: float, note: str = "") -> Progress:
        """The progress of a part, from one share of the whole to another; to cancel either cancels both.

        A note is shown in place of the part's own.
        """
        part = Progress(lambda fraction, own: self.step(begin + fraction * (end - begin), note or own))
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


class Brief(Progress):
    """For work that is worth having only soon: its first step after some seconds raises Cancelled."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._end = perf_counter() + seconds

    def step(self, fraction: float, note: str = "") -> None:
        """Report progress; raises Cancelled once the time is over."""
        if perf_counter() > self._end:
            self.cancel()
        super().step(fraction, note)


SILENT = Progress()
"""For work without progress that nobody can cancel."""


@dataclass(frozen=True)
class _Question(Generic[K]):
    key: K
    progress: Progress = field(compare=False)


def kept(most: int) -> Callable[[Callable[[K, Progress], A]], Callable[[K, Progress], A]]:
    """Keeps the last few answers of a long computation; it does not depend on who asks."""

    def keep(compute: Callable[[K, Progress], A]) -> Callable[[K, Progress], A]:
        @lru_cache(maxsize=most)
        def answer(question: _Question[K]) -> A:
            return compute(question.key, question.progress)

        return lambda key, progress: answer(_Question(key, progress))

    return keep
