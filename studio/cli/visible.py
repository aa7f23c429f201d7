"""What the command line prints holds no control characters: those of a name or a file are shown by their escapes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, TextIO

from studio.base.texts import visible


class _Visible:
    """A stream for text that a terminal only shows and never obeys."""

    def __init__(self, plain: TextIO) -> None:
        self.plain = plain

    def write(self, text: str) -> int:
        """Write a text, its control characters by their escapes; lines end where they end."""
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
