"""Computes boards on a cluster: hands tasks to a dask.distributed scheduler, whose workers have this very studio."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence

from studio.batch.boards import Board, made_board
from studio.batch.tasks import Batch, Task
from studio.batch.workers import AHEAD, boards_from
from studio.errors import StudioError
from studio.progress import Progress
from studio.texts import tr

PATIENCE = 10.0
"""Seconds in which a scheduler answers, and in which it has a worker."""
ADDRESS = re.compile(r"((tcp|tls)://)?([\w.-]+|\[[0-9a-fA-F:]+\]):[0-9]{1,5}", re.ASCII)
"""How the address of a scheduler is written; of another one its client would hang."""
RETRIES = 3
"""How often a board is tried again whose worker died."""


def on_cluster(batch: Batch, tasks: Sequence[Task], progress: Progress, address: str) -> Generator[Board]:
    """The boards of some tasks, made by the workers of the scheduler at an address; raises Cancelled.

    A worker that dies loses no board: the scheduler has others make them. Raises StudioError where there is no
    scheduler or no worker.
    """
    try:
        from distributed import Client, KilledWorker
    except ImportError as problem:
        raise StudioError(
            tr("--cluster needs dask.distributed; install it with `pip install distributed`.")
        ) from problem
    if not ADDRESS.fullmatch(address):
        raise StudioError(
            tr("--cluster takes an address such as tcp://192.168.1.20:8786, not {address!r}.", address=address[:60])
        )
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as problem:
        raise StudioError(
            tr("No scheduler answers at {address}. Start one with `dask scheduler`.", address=address)
        ) from problem
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
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
