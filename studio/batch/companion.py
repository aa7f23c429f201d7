"""A worker process beside the window's, which has to keep the screen up to date."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

Q = TypeVar("Q")
A = TypeVar("A")
LONGEST_END = 2.0
"""Seconds to wait for a process to end before it is killed."""


class CompanionGone(Exception):
    """The process could not be started, or has ended before it answered."""


class Companion:
    """One process, started by the first question, which ends no later than the process that asks.

    It is never idle while questions wait; of these it answers the newest alone.
    """

    def __init__(self) -> None:
        self._asking = threading.Lock()
        self._numbers = count()
        self._process: BaseProcess | None = None
        self._line: Connection | None = None
        self._waiting: dict[int, Future[Any]] = {}
        self._hearing: threading.Thread | None = None

    def ask(self, work: Callable[[Q], A], question: Q) -> Future[A]:
        """Run a module's function in the process; ask from a thread, since sending may take a while.

        The answer is cancelled if a newer question came before the process could begin with this one. It raises what
        the function raises, and CompanionGone if the process is closed or killed meanwhile. So does `ask` itself if the
        process is already known to be gone.
        """
        with self._asking:
            number, answer = next(self._numbers), Future[A]()
            try:
                line = self._line or self._begin()
                self._waiting[number] = answer
                line.send((number, work, question))
            except OSError as gone:
                self._waiting.pop(number, None)
                self.close()
                raise CompanionGone from gone
        return answer

    @property
    def is_asked(self) -> bool:
        """True while a question waits for its answer."""
        return bool(self._waiting)

    def close(self) -> None:
        """End the process, whatever it does; by the return, every waiting answer has raised CompanionGone.

        The next question starts another process.
        """
        process, self._process, self._line = self._process, None, None
        if process is not None:
            process.terminate()
            process.join(LONGEST_END)
            if process.is_alive():
                process.kill()
        self._hear_out()

    def _hear_out(self) -> None:
        """Wait until all answers of a process that has ended are settled; no callback runs after that."""
        hearing = self._hearing
        if hearing is not None and hearing is not threading.current_thread():
            hearing.join()

    def _begin(self) -> Connection:
        from multiprocessing import get_context

        from studio.batch.workers import interrupts_held

        self._hear_out()
        context = get_context("spawn")
        line, other = context.Pipe()
        process = context.Process(target=_serve, args=(other,), daemon=True)
        with interrupts_held():
            process.start()
        # Only the process itself may hold its end of the pipe, or its death would go unnoticed.
        other.close()
        self._process, self._line, self._waiting = process, line, {}
        self._hearing = threading.Thread(target=self._hear, args=(line, self._waiting), daemon=True)
        self._hearing.start()
        return line

    def _hear(self, line: Connection, waiting: dict[int, Future[Any]]) -> None:
        """In a thread: pass answers on until the process is gone."""
        try:
            with suppress(EOFError, OSError):
                while True:
                    number, answer, problem = line.recv()
                    for each in [each for each in list(waiting) if each <= number]:
                        _settle(waiting.pop(each, Future()), None if each < number else (answer, problem))
        finally:
            # Without a waiting answer, the next question finds the process gone.
            if waiting and self._line is line:
                self.close()
            while waiting:
                waiting.popitem()[1].set_exception(CompanionGone())


def _settle(asked: Future[Any], heard: tuple[Any, Exception | None] | None) -> None:
    """Pass on an answer or the exception in its place; cancel it if a newer question has overtaken it."""
    if heard is None:
        asked.cancel()
        # `concurrent.futures.wait` learns of the cancellation only through this call.
        asked.set_running_or_notify_cancel()
        return
    answer, problem = heard
    if problem is None:
        asked.set_result(answer)
    else:
        asked.set_exception(problem)


def _serve(line: Connection) -> None:
    """Answer questions until the connection closes."""
    import gc

    is_first = True
    with suppress(EOFError, OSError):
        while True:
            number, work, question = line.recv()
            while line.poll():
                number, work, question = line.recv()
            answer, problem = None, None
            try:
                answer = work(question)
            except Exception as raised:  # any exception is raised again for the caller
                problem = raised
            line.send((number, answer, problem))
            if is_first:
                # The modules for the work are loaded by now and stay: the garbage collector need not scan them.
                gc.collect()
                gc.freeze()
                is_first = False
