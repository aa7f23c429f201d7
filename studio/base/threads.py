"""Threads for parts of one computation, where there are cores for them; one after another where there are none left.

numpy and shapely let go of the interpreter, so two threads of one computation can share two cores. In a process beside
others that keep all cores busy, threads only take turns, which costs a tenth of the work.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import ParamSpec, TypeVar

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
