"""A process that works beside the one of a window, which has the screen to keep up with."""

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
"""Seconds after which nobody waits any more for a process that was ended."""


class CompanionGone(Exception):
    """The process could not be started, or has ended before it answered."""


class Companion:
    """One process that is begun with the first question, and ends with the one that asks at the latest.

    It is never idle while questions wait, and of these answers the newest alone.
    """

    def __init__(self) -> None:
        self._asking = threading.Lock()
        self._numbers = count()
        self._process: BaseProcess | None = None
        self._line: Connection | None = None
        self._waiting: dict[int, Future[Any]] = {}
        self._hearing: threading.Thread | None = None

    def ask(self, work: Callable[[Q], A], question: Q) -> Future[A]:
        """What a function of a module answers there; it may take a while to ask, so do it from a thread.

        The answer is cancelled where a newer question came before the process could begin with this one. It raises what
        the work raises, and CompanionGone where the process is closed or killed meanwhile. So does asking where that is
        known at once.
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
        """Whether it has something to answer."""
        return bool(self._waiting)

    def close(self) -> None:
        """End the process, whatever it does; who waits for an answer gets none, and has heard so when this returns.

        Another question begins another one.
        """
        process, self._process, self._line = self._process, None, None
        if process is not None:
            process.terminate()
            process.join(LONGEST_END)
            if process.is_alive():
                process.kill()
        self._hear_out()

    def _hear_out(self) -> None:
        """Wait until all that was asked of a process that has ended is settled; nobody is called any more then."""
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
        # Only the process itself may hold its end, or nobody would notice that it has ended.
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
            # If nobody hears of it now, who asks next does.
            if waiting and self._line is line:
                self.close()
            while waiting:
                waiting.popitem()[1].set_exception(CompanionGone())


def _settle(asked: Future[Any], heard: tuple[Any, Exception | None] | None) -> None:
    """Pass on an answer and what was raised in its stead, or that a newer question has overtaken it."""
    if heard is None:
        asked.cancel()
        # Who waits for several hears of it only through this.
        asked.set_running_or_notify_cancel()
        return
    answer, problem = heard
    if problem is None:
        asked.set_result(answer)
    else:
        asked.set_exception(problem)


def _serve(line: Connection) -> None:
    """Answer until nobody asks any more."""
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
            except Exception as raised:  # whatever it is, it is raised where it was asked for
                problem = raised
            line.send((number, answer, problem))
            if is_first:
                # Modules that the work needs are loaded by now and stay: no use looking through them for garbage.
                gc.collect()
                gc.freeze()
                is_first = False
