"""A process that works beside the one of a window, which has the screen to keep up with."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

Q = TypeVar("Q")
A = TypeVar("A")
LONGEST_END = 2.0
"""Seconds after which nobody waits any more for a process that was ended."""


class CompanionGone(Exception):
    """The process could not be started, or has ended before it answered."""


class Companion:
    """One process that is begun with the first question, and ends with the one that asks at the latest."""

    def __init__(self) -> None:
        self._asking = threading.Lock()
        self._process: BaseProcess | None = None
        self._line: Connection | None = None

    def ask(self, work: Callable[[Q], A], question: Q) -> A:
        """What a function of a module answers there; waits, so ask from a thread. One question is answered after the
        other.

        Raises CompanionGone where the process is closed or killed meanwhile, and what the work raises.
        """
        with self._asking:
            try:
                line = self._line or self._begin()
                line.send((work, question))
                answer, problem = line.recv()
            except (EOFError, OSError) as gone:
                self.close()
                raise CompanionGone from gone
        if problem is not None:
            raise problem
        return answer  # type: ignore[no-any-return]

    def close(self) -> None:
        """End the process, whatever it does; who waits for an answer gets none. Another question begins another one."""
        process, self._process, self._line = self._process, None, None
        if process is not None:
            process.terminate()
            process.join(LONGEST_END)

    def _begin(self) -> Connection:
        from multiprocessing import get_context

        from studio.batch.processes import interrupts_held

        context = get_context("spawn")
        line, other = context.Pipe()
        process = context.Process(target=_serve, args=(other,), daemon=True)
        with interrupts_held():
            process.start()
        # Only the process itself may hold its end, or nobody would notice that it has ended.
        other.close()
        self._process, self._line = process, line
        return line


def _serve(line: Connection) -> None:
    """Answer until nobody asks any more."""
    with suppress(EOFError, OSError):
        while True:
            work, question = line.recv()
            answer, problem = None, None
            try:
                answer = work(question)
            except Exception as raised:  # whatever it is, it is raised where it was asked for
                problem = raised
            line.send((answer, problem))
