"""Reading JSON files of makers and of the studio: the value, or one sentence on the fault."""

from __future__ import annotations

import errno
import json
import math
import re
import stat
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from studio.base.errors import StudioError
from studio.base.texts import tr

_LONGEST_NUMBER = 400
"""Digits beyond which a whole number exceeds every float and is merely slow to read."""

_LARGEST_WORK = 64 * 2**20
"""Largest file searched for work, in bytes."""
_WORK = re.compile(rb'"format"\s*:\s*"puzzle-studio( game)?"')


class Repeated(dict[str, Any]):
    """A JSON object that names a field twice; `name` is that field."""

    name = ""


def read(path: Path, largest: int) -> Any:
    """Read the JSON value in a file of at most `largest` bytes; raises StudioError, to follow the file's name."""
    return parsed(content(path, largest))


def content(path: Path, largest: int) -> bytes:
    """Read a regular file of at most `largest` bytes; raises StudioError for others, with no device or pipe opened."""
    try:
        about = path.stat()
        if stat.S_ISDIR(about.st_mode):
            raise StudioError(tr("it is a folder."))
        if not stat.S_ISREG(about.st_mode):
            raise StudioError(tr("it is a device or a pipe, not a file."))
        with path.open("rb") as file:
            data = b"" if about.st_size > largest else file.read(largest + 1)
    except (OSError, ValueError) as problem:
        raise StudioError(_reason(problem)) from problem
    if about.st_size > largest or len(data) > largest:
        size = f"{largest // 2**20} MB" if largest >= 2**20 else f"{largest // 2**10} kB"
        raise StudioError(tr("it is larger than {size}.", size=size))
    return data


def holds_work(path: Path) -> bool:
    """True if a file holds a design or a saved game under any name, or is named like one and not empty."""
    try:
        data = content(path, _LARGEST_WORK)
    except StudioError:
        return False
    is_called_so = path.suffix.lower() in (".puzzle", ".game")
    is_object = data[:64].removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{"
    return bool(data) and (is_called_so or (is_object and _WORK.search(data) is not None))


def parsed(data: bytes) -> Any:
    """Parse bytes as JSON; raises StudioError if they are not valid.

    An object that names a field twice is Repeated; numbers too large become infinite, to be refused with their place.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise StudioError(tr("it is not UTF-8 text.")) from None
    if not text.strip():
        raise StudioError(tr("it is empty."))
    try:
        return json.loads(text, object_pairs_hook=_object, parse_int=_whole)
    except json.JSONDecodeError as problem:
        place = tr("line {line}, column {column}", line=problem.lineno, column=problem.colno)
        if problem.pos >= len(text.rstrip()) or problem.msg.startswith("Unterminated"):
            raise StudioError(tr("the file is incomplete (ends at {place}).", place=place)) from problem
        raise StudioError(tr("it is not a Puzzle Studio file (not JSON at {place}).", place=place)) from problem
    except RecursionError:
        raise StudioError(tr("it is nested too deeply.")) from None


def _reason(problem: OSError | ValueError) -> str:
    if isinstance(problem, ValueError):
        return tr("the file name is not valid.")
    known = {
        errno.ENOENT: tr("there is no such file."),
        errno.ENOTDIR: tr("there is no such folder."),
        errno.EACCES: tr("you have no permission to read it."),
        errno.EPERM: tr("you have no permission to read it."),
        errno.ENAMETOOLONG: tr("the file name is too long."),
        errno.ELOOP: tr("it is a link to itself."),
    }
    return known.get(problem.errno or 0) or f"{problem.strerror or problem}."


def _whole(digits: str) -> int | float:
    return int(digits) if len(digits) <= _LONGEST_NUMBER else math.inf


def _object(members: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object, as Repeated if a name occurs twice."""
    pairs = list(members)
    result = dict(pairs)
    if len(result) == len(pairs):
        return result
    repeated = Repeated(result)
    repeated.name = Counter(name for name, _ in pairs).most_common(1)[0][0]
    return repeated
