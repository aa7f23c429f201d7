"""Workers that make boards in parallel: processes of this machine, or those of a dask.distributed scheduler."""

from __future__ import annotations

import os
import re
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import pairwise
from multiprocessing import connection, get_context, parent_process, resource_tracker
from multiprocessing.context import BaseContext
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import TYPE_CHECKING

from studio.base.errors import StudioError
from studio.base.progress import Progress, cores, work_beside_others
from studio.base.texts import tr
from studio.batch.boards import Board, made_board
from studio.batch.tasks import Batch, Task

if TYPE_CHECKING:
    from distributed.security import Security

# Starts the processes that make boards.
#
# A fork server is started ahead of time, so that it imports while the calling process still reads its file.

CAN_FORK = sys.platform == "linux"
"""True if processes are forked; elsewhere libraries of the system may not survive that."""
IMPORTED = ("studio.batch.workers", "studio.checks.cut_crossings", "studio.checks.walls", "shapely")
"""Modules that a server imports before it forks."""
OF_A_KIND = ("studio.puzzles.{kind}.kind", "studio.puzzles.{kind}.checks")
"""Modules of one kind; if a kind lacks them, each worker imports its own for itself."""
KIND = re.compile(rb'"kind": *"([a-z]{1,20})"')
TAIL = 200
"""Bytes at the end of a file searched for its kind."""
ALONE = frozenset({"-h", "--help", "--cluster", "--workers=1"})
"""Arguments of commands without workers on this machine."""

_has_server = False


def begin_early(arguments: Sequence[str]) -> None:
    """Start a server by a command's bare arguments, whose own imports take as long as the server's."""
    if cores() > 1 and may_need_workers(arguments):
        begin_server(next(filter(None, map(kind_in, arguments)), None))


def may_need_workers(arguments: Sequence[str]) -> bool:
    """True if a command with these bare arguments may make boards in other processes of this machine."""
    alone = any(each.partition("=")[0] in ALONE or each in ALONE for each in arguments)
    return not alone and ("--workers", "1") not in pairwise(arguments)


def kind_in(file: str) -> str | None:
    """Return the kind that a file names; None if it names none, or is no file."""
    with suppress(OSError, ValueError):
        if os.path.isfile(file):
            with open(file, "rb") as opened:
                opened.seek(max(0, os.path.getsize(file) - TAIL))
                found = KIND.search(opened.read(TAIL))
            return None if found is None else found[1].decode()
    return None


def begin_server(kind: str | None = None) -> None:
    """Start a process that imports the modules for boards of a kind, from which workers are then forked.

    Only for a command that ends with its batch; a window, which outlives it, would keep the server.
    """
    global _has_server
    if _has_server or not CAN_FORK:
        return
    from multiprocessing import forkserver

    # A server does without modules that are not there.
    own = [] if kind is None else [each.format(kind=kind) for each in OF_A_KIND]
    forkserver.set_forkserver_preload([*IMPORTED, *own])
    with _interrupts_held(), _same_modules():
        forkserver.ensure_running()
    _has_server = True


def start_context() -> BaseContext:
    """Return the start method for worker processes."""
    return get_context("forkserver" if _has_server else "spawn")


@contextmanager
def _same_modules() -> Iterator[None]:
    """Have processes started here search for modules where this one does, not first in their current folder."""
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
def _interrupts_held() -> Iterator[None]:
    """Have processes started here ignore Ctrl-C: only the calling process hears it, and stops them."""
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


PACE = 0.2
"""Seconds between checks whether a wait for boards was cancelled."""
AHEAD = 2
"""Tasks queued for each worker, so that none waits for its next one."""
MOST_DEATHS = 3
"""Deaths of workers in a row, without a board in between, after which a batch gives up."""

Work = Callable[[Batch, Task], Board]


def one_by_one(batch: Batch, tasks: Sequence[Task], progress: Progress) -> Generator[Board]:
    """Make the boards of tasks in this process; raises Cancelled."""
    for at, task in enumerate(tasks):
        yield made_board(batch, task, progress.part(at / len(tasks), (at + 1) / len(tasks), _counted(at, tasks)))


def side_by_side(batch: Batch, tasks: Sequence[Task], progress: Progress, workers: int) -> Generator[Board]:
    """Make the boards of tasks in several processes, each yielded when ready; raises Cancelled.

    A worker that dies, such as for want of memory, is replaced, and its boards are made again.
    """
    left = {task.serial: task for task in tasks}
    deaths = 0
    while left:
        try:
            with _pool(min(workers, len(left))) as pool:
                done = len(tasks) - len(left)
                part = progress.part(done / len(tasks), 1.0)
                for board in boards_from(pool, _made_here, batch, [*left.values()], AHEAD * workers, part):
                    del left[board.task.serial]
                    deaths = 0
                    yield board
        except (BrokenProcessPool, EOFError) as problem:
            deaths += 1
            if deaths == MOST_DEATHS:
                raise StudioError(
                    tr("A worker process was killed {count} times in a row. Try --workers 1.", count=deaths)
                ) from problem


def boards_from(
    executor: Executor, work: Work, batch: Batch, tasks: Sequence[Task], most: int, progress: Progress
) -> Generator[Board]:
    """Make the boards of tasks with an executor, at most `most` pending at a time; raises Cancelled."""
    waiting, pending = deque(tasks), set[Future[Board]]()
    done = 0
    while waiting or pending:
        while waiting and len(pending) < most:
            pending.add(executor.submit(work, batch, waiting.popleft()))
        progress.step(done / len(tasks), _counted(done, tasks))
        finished, pending = wait(pending, PACE, FIRST_COMPLETED)
        for future in finished:
            done += 1
            yield future.result()


def _counted(done: int, tasks: Sequence[Task]) -> str:
    return tr("Board {number} of {count}", number=min(done + 1, len(tasks)), count=len(tasks))


# In the workers

_stopped: Event | None = None


class _Stoppable(Progress):
    """Progress that stops the work when the calling process was stopped."""

    def step(self, fraction: float, note: str = "") -> None:
        """Report progress; raises Cancelled once all workers are to stop."""
        if _stopped is not None and _stopped.is_set():
            self.cancel()
        super().step(fraction, note)


def _made_here(batch: Batch, task: Task) -> Board:
    return made_board(batch, task, _Stoppable())


def _begin(stopped: Event, keeps_all_busy: bool) -> None:
    global _stopped
    _stopped = stopped
    if keeps_all_busy:
        work_beside_others()
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Exit at once if the calling process was killed; nothing is lost, since workers write nothing."""
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


# In the calling process


@contextmanager
def _pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Provide worker processes that stop their work when the block ends."""
    context = start_context()
    stopped = context.Event()
    pool = ProcessPoolExecutor(workers, context, _begin, (stopped, workers >= cores()))
    try:
        with _interrupts_held():
            # All processes are started by the first tasks.
            for _ in range(workers):
                pool.submit(os.getpid)
        yield pool
    finally:
        stopped.set()
        pool.shutdown(wait=True, cancel_futures=True)


# Boards made on a cluster, whose workers have this very studio


ANSWER_SECONDS = 7.0
"""Time limit for the first answer of a scheduler."""
WORKER_SECONDS = 10.0
"""Time limit for a scheduler to have a worker."""
ADDRESS = re.compile(r"(?:(tcp|tls)://)?((?:[\w.-]+|\[[0-9a-fA-F:]+\]):([0-9]{1,5}))", re.ASCII)
"""The address of a scheduler: its scheme, its host and port, and the port alone."""
LAST_PORT = 65535
LENGTH_BYTES = 8
"""Every message begins with its length."""
LONGEST_GREETING = 2**16
"""Bytes of a scheduler's first message; today's have some 100."""
RETRIES = 3
"""Retries of a board whose worker died."""


@dataclass(frozen=True)
class Scheduler:
    """The address of a scheduler and, for TLS, the PEM files of authority, certificate and key."""

    address: str
    ca: Path | None = None
    certificate: Path | None = None
    key: Path | None = None

    @property
    def url(self) -> str:
        """The address with its scheme, `tls` if files are given; raises StudioError if it is malformed."""
        found = ADDRESS.fullmatch(self.address)
        if found is None or int(found[3]) > LAST_PORT:
            raise StudioError(
                tr(
                    "--cluster takes an address such as tcp://192.168.1.20:8786, not {address!r}.",
                    address=self.address[:60],
                )
            )
        has_files = not (self.ca is None and self.certificate is None and self.key is None)
        if found[1] == "tcp" and has_files:
            raise StudioError(tr("--tls-ca, --tls-cert and --tls-key go with an address that begins with tls://."))
        return f"{found[1] or ('tls' if has_files else 'tcp')}://{found[2]}"

    def security(self) -> Security:
        """Return dask's settings for the connection: these files, or those in dask's own configuration.

        Raises StudioError if a tls:// address has no certificates, or a file is unusable.
        """
        from distributed.security import Security

        if not self.url.startswith("tls"):
            return Security(require_encryption=False)
        named = {"tls_ca_file": self.ca, "tls_client_cert": self.certificate, "tls_client_key": self.key}
        files = {name: path for name, path in named.items() if path is not None}
        for path in files.values():
            if not os.path.isfile(path):
                raise StudioError(tr("There is no file {path}.", path=path))
        security = Security(require_encryption=True, **{name: str(path) for name, path in files.items()})
        try:
            context = security.get_connection_args("client")["ssl_context"]
        except OSError as problem:
            raise StudioError(tr("The TLS files cannot be used: {problem}.", problem=problem)) from problem
        if context is None:
            raise StudioError(tr("An address with tls:// needs --tls-ca, --tls-cert and --tls-key."))
        return security


def on_cluster(batch: Batch, tasks: Sequence[Task], progress: Progress, scheduler: Scheduler) -> Generator[Board]:
    """Yield the boards of some tasks, made by the workers of a scheduler; raises Cancelled.

    A worker that dies loses no board: the scheduler has others make them. Raises StudioError if no scheduler or no
    worker answers in time.
    """
    try:
        from distributed import Client, KilledWorker
    except ImportError as problem:
        raise StudioError(
            tr("--cluster needs dask.distributed; install it with `pip install distributed`.")
        ) from problem
    address, security = scheduler.url, scheduler.security()
    _refuse_others(address, security)
    try:
        client = Client(address, timeout=ANSWER_SECONDS, set_as_default=False, security=security)
    except (OSError, ValueError) as problem:
        raise StudioError(_no_answer(address)) from problem
    with client:
        try:
            client.wait_for_workers(1, timeout=WORKER_SECONDS)
        except TimeoutError as problem:
            raise StudioError(
                tr("The scheduler at {address} has no workers. Start some with `dask worker`.", address=address)
            ) from problem
        most = AHEAD * sum(client.nthreads().values())
        try:
            with client.get_executor(pure=False, retries=RETRIES) as executor:
                yield from boards_from(executor, made_board, batch, tasks, most, progress)
        except ModuleNotFoundError as problem:
            raise StudioError(
                tr("The workers at {address} lack the Python package {name}.", address=address, name=problem.name)
            ) from problem
        except KilledWorker as problem:
            raise StudioError(
                tr("The cluster at {address} failed: several workers died on the same board.", address=address)
            ) from problem


def _refuse_others(address: str, security: Security) -> None:
    """Raise StudioError unless a scheduler answers at an address, in its scheme, in time.

    dask's client waits without limit for a silent port, and takes another program's answer for the length of a message.
    """
    import asyncio
    import socket

    from distributed.core import rpc

    settings = security.get_connection_args("client")

    async def kind() -> str:
        async with rpc(address, connection_args=settings, timeout=ANSWER_SECONDS) as remote:
            return str((await remote.identity())["type"])

    host, _, port = address.partition("://")[2].rpartition(":")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=ANSWER_SECONDS) as plain:
            context = settings.get("ssl_context")
            with plain if context is None else context.wrap_socket(plain) as wire:
                greeting = wire.recv(LENGTH_BYTES)
        if len(greeting) < LENGTH_BYTES or int.from_bytes(greeting, sys.byteorder) > LONGEST_GREETING:
            raise StudioError(_no_answer(address))
        is_scheduler = asyncio.run(kind()) == "Scheduler"
    except (OSError, ValueError, KeyError) as problem:
        raise StudioError(_no_answer(address)) from problem
    if not is_scheduler:
        raise StudioError(tr("At {address} is a worker. Give the address of the scheduler.", address=address))


def _no_answer(address: str) -> str:
    other = "tcp" if address.startswith("tls") else "tls"
    return tr(
        "No scheduler answers at {address}. Start one with `dask scheduler`; if one is running, its address may begin "
        "with {other}://.",
        address=address,
        other=other,
    )
