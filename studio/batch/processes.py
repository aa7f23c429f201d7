"""Starts the processes that make boards: forked from one that has all imports behind it, or each from nothing.

A server that forks is begun ahead of time, so that it imports while the process that asks still reads its file.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.context import BaseContext

CAN_FORK = sys.platform == "linux"
"""Whether processes are forked here; elsewhere libraries of the system may not outlive it."""
IMPORTED = ("studio.batch.workers", "studio.checks.flat", "studio.checks.walls", "shapely")
"""Modules that a server imports before it forks; what one kind alone needs each worker imports for itself."""

_has_server = False


def cores() -> int:
    """How many processes can run at once here."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def begin_server() -> None:
    """Begin to import what boards are made with, in a process of its own that workers are then forked from.

    For a command that ends with its batch; a window, which outlives it, would keep the server.
    """
    global _has_server
    if _has_server or not CAN_FORK:
        return
    from multiprocessing import forkserver

    forkserver.set_forkserver_preload([*IMPORTED])
    with interrupts_held(), _same_modules():
        forkserver.ensure_running()
    _has_server = True


def start_context() -> BaseContext:
    """How worker processes are started."""
    return get_context("forkserver" if _has_server else "spawn")


@contextmanager
def _same_modules() -> Iterator[None]:
    """Have a process that is started here find modules where this one does, and not first in the folder it is in."""
    names = {"PYTHONSAFEPATH": "1", "PYTHONPATH": os.pathsep.join(place or os.getcwd() for place in sys.path)}
    before = {name: os.environ.get(name) for name in names}
    os.environ.update(names)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Have processes that are started here not hear of Ctrl-C: only the one who asks does, and stops them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
