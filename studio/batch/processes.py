"""Starts the processes that make boards: forked from one that has all imports behind it, or each from nothing.

A server that forks is begun ahead of time, so that it imports while the process that asks still reads its file.
"""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import pairwise
from multiprocessing import get_context, resource_tracker
from multiprocessing.context import BaseContext

from studio.base.threads import cores

CAN_FORK = sys.platform == "linux"
"""Whether processes are forked here; elsewhere libraries of the system may not outlive it."""
IMPORTED = ("studio.batch.workers", "studio.checks.flat", "studio.checks.walls", "shapely")
"""Modules that a server imports before it forks."""
OF_A_KIND = ("studio.puzzles.{kind}.kind", "studio.puzzles.{kind}.checks")
"""Those of one kind, where it has them; without them each worker imports them for itself."""
KIND = re.compile(rb'"kind": *"([a-z]{1,20})"')
TAIL = 200
"""How many bytes at the end of a file are searched for its kind."""
ALONE = frozenset({"-h", "--help", "--cluster", "--workers=1"})
"""Arguments of a command that needs no worker here."""

_has_server = False


def begin_early(arguments: Sequence[str]) -> None:
    """Begin a server by the bare arguments of a command, whose own imports take as long as those of the server."""
    if cores() > 1 and may_need_workers(arguments):
        begin_server(next(filter(None, map(kind_in, arguments)), None))


def may_need_workers(arguments: Sequence[str]) -> bool:
    """Whether a command with these bare arguments may make boards in other processes of this machine."""
    alone = any(each.partition("=")[0] in ALONE or each in ALONE for each in arguments)
    return not alone and ("--workers", "1") not in pairwise(arguments)


def kind_in(file: str) -> str | None:
    """The kind that a file says it is of; None where it says none, or is no file."""
    with suppress(OSError, ValueError):
        if os.path.isfile(file):
            with open(file, "rb") as opened:
                opened.seek(max(0, os.path.getsize(file) - TAIL))
                found = KIND.search(opened.read(TAIL))
            return None if found is None else found[1].decode()
    return None


def begin_server(kind: str | None = None) -> None:
    """Begin to import what boards of a kind are made with, in a process of its own that workers are then forked from.

    For a command that ends with its batch; a window, which outlives it, would keep the server.
    """
    global _has_server
    if _has_server or not CAN_FORK:
        return
    from multiprocessing import forkserver

    # A server does without modules that are not there.
    own = [] if kind is None else [each.format(kind=kind) for each in OF_A_KIND]
    forkserver.set_forkserver_preload([*IMPORTED, *own])
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
    # Python's own helper, which is started with the first process, would have signals heard again.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
