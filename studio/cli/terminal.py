"""Output of commands in the terminal: exit codes, answers as lines or JSON, errors, and the line of progress."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import IntEnum
from functools import wraps
from time import monotonic
from typing import Any, TextIO

from studio.base.progress import Progress, ignored
from studio.base.texts import visible


class ExitCode(IntEnum):
    """Exit code of a command."""

    DONE = 0
    NO = 1
    UNUSABLE = 2


def print_error(problem: object) -> None:
    """Say one line on standard error."""
    print(" ".join(str(problem).split()), file=sys.stderr)


def printed_json(value: Any) -> ExitCode:
    """Print one JSON value."""
    print(json.dumps(value, indent=2, allow_nan=False))
    return ExitCode.DONE


def answered(arguments: argparse.Namespace, value: Any, *lines: str) -> ExitCode:
    """Print a value as JSON if asked for, else the lines."""
    if arguments.json:
        return printed_json(value)
    for line in lines:
        print(line)
    return ExitCode.DONE


class _Visible:
    """A stream for text that a terminal only shows and never obeys."""

    def __init__(self, plain: TextIO) -> None:
        self.plain = plain

    def write(self, text: str) -> int:
        """Write a text with its control characters escaped, line ends excepted."""
        self.plain.write("\n".join(map(visible, text.split("\n"))))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.plain, name)


def plain(stream: TextIO) -> TextIO:
    """The terminal itself, for who moves its cursor."""
    return stream.plain if isinstance(stream, _Visible) else stream


def shown_visibly(command: Callable[[Sequence[str]], int]) -> Callable[[Sequence[str]], int]:
    """A command line whose output and errors are visible texts."""

    @wraps(command)
    def run(argv: Sequence[str]) -> int:
        before = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = _Visible(sys.stdout), _Visible(sys.stderr)
        try:
            return command(argv)
        finally:
            sys.stdout, sys.stderr = before

    return run


PATIENCE = 0.7
"""Seconds before progress is shown: most work is done by then."""
PACE = 0.1
"""Seconds between two tellings."""
_CLEAR = "\r\x1b[K"


class Waiting(Progress):
    """A progress that keeps one line of standard error up to date, and lets something be said above it."""

    def __init__(self) -> None:
        super().__init__(self._show if sys.stderr.isatty() else ignored)
        self._next = monotonic() + PATIENCE
        self._told = False

    def say(self, words: str) -> None:
        """Print a line that stays."""
        self.end()
        print(words, flush=True)

    def end(self) -> None:
        """Take the line away."""
        if self._told:
            plain(sys.stderr).write(_CLEAR)
            sys.stderr.flush()
            self._told = False

    def _show(self, fraction: float, note: str) -> None:
        """Print the progress of the work if it is time."""
        now = monotonic()
        if now < self._next:
            return
        self._next, self._told = now + PACE, True
        words = f"{min(max(fraction, 0.0), 1.0):4.0%}  {note}"
        columns = os.get_terminal_size(sys.stderr.fileno()).columns or 80
        plain(sys.stderr).write(_CLEAR + visible(words)[: columns - 1])
        sys.stderr.flush()


@contextmanager
def waiting() -> Iterator[Waiting]:
    """A progress whose line is taken away at the end."""
    progress = Waiting()
    try:
        yield progress
    finally:
        progress.end()
