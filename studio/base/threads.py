"""Threads for parts of one computation.

numpy and shapely release the interpreter lock, so two threads of one computation can share two cores. In a worker
process among others that keep all cores busy, threads only take turns, which costs a tenth of the work.
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
