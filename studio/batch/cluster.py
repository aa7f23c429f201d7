"""Computes boards on a cluster: hands tasks to a dask.distributed scheduler, whose workers have this very studio."""

from __future__ import annotations

import asyncio
import os
import re
import socket
import ssl
import sys
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.batch.boards import Board, made_board
from studio.batch.tasks import Batch, Task
from studio.batch.workers import AHEAD, boards_from

if TYPE_CHECKING:
    from distributed.security import Security

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
        except (OSError, ssl.SSLError) as problem:
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
    from distributed.core import rpc

    settings = security.get_connection_args("client")

    async def kind() -> str:
        async with rpc(address, connection_args=settings, timeout=ANSWER_SECONDS) as remote:
            return str((await remote.identity())["type"])

    host, _, port = address.partition("://")[2].rpartition(":")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=ANSWER_SECONDS) as plain:
            context = settings.get("ssl_context")
            with plain if context is None else context.wrap_socket(plain) as connection:
                greeting = connection.recv(LENGTH_BYTES)
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
