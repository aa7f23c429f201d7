"""When work is done: progress and cancelling, caches of last answers, threads for parts, and imports on a first call.

numpy and shapely release the interpreter lock, so two threads of one computation can share two cores. In a worker
process among others that keep all cores busy, threads only take turns, which costs a tenth of the work.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib import import_module
from threading import Event
from time import process_time
from typing import Any, Generic, ParamSpec, TypeVar

K = TypeVar("K", bound=Hashable)
A = TypeVar("A")
P = ParamSpec("P")
T = TypeVar("T")
_is_beside_others = False


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


# Threads for parts of one computation


def cores() -> int:
    """Number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def work_beside_others() -> None:
    """Use no threads in this process, since other processes keep all cores busy."""
    global _is_beside_others
    _is_beside_others = True


def threads(count: int) -> Executor:
    """Return a pool of threads, or an `AtOnce` if this process has one core or works beside others."""
    return AtOnce() if _is_beside_others or cores() == 1 else ThreadPoolExecutor(count)


class AtOnce(Executor):
    """An executor that runs submitted work in the calling thread."""

    def submit(self, work: Callable[P, T], /, *values: P.args, **named: P.kwargs) -> Future[T]:
        """Run the work now; return its result or exception as a finished future."""
        future: Future[T] = Future()
        try:
            future.set_result(work(*values, **named))
        except Exception as problem:
            future.set_exception(problem)
        return future


# Functions imported on their first call, for tables and callbacks. Code that calls a function itself imports it inside
# its own function instead, where types and contracts see it.


@cache
def named(name: str) -> Any:
    """Import `package.module:name`.

    >>> named("math:pi") > 3
    True
    """
    module, _, inside = name.partition(":")
    return getattr(import_module(module), inside)


def lazy(name: str) -> Callable[..., Any]:
    """Return a function that imports `package.module:function` when it is called.

    >>> lazy("math:hypot")(3, 4)
    5.0
    """

    def call(*values: Any, **options: Any) -> Any:
        return named(name)(*values, **options)

    call.__qualname__ = name
    return call
