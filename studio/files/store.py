"""Opens and saves puzzle files: JSON text in which one edit is one line, written whole or not at all."""

from __future__ import annotations

import errno
import json
import math
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studio.atomic import write_bytes
from studio.errors import StudioError
from studio.files.encode import Repeated, decode, encode, members, shown, unique
from studio.puzzles import registry
from studio.puzzles.kind import AnyKind

SUFFIX = ".puzzle"
FORMAT = "puzzle-studio"
VERSION = 1
LARGEST = 64 * 2**20
"""Bytes of the largest file that is opened; the largest board with every element edited takes a fifth."""
_LONGEST_NUMBER = 400
"""Digits beyond which a whole number is past every float, and only slow to read."""


@dataclass(frozen=True)
class Saved:
    """A design and the kind of puzzle that it is of."""

    kind: AnyKind
    design: Any


def load(path: Path) -> Saved:
    """The design in a file; raises StudioError, in one sentence with the file's name, where it holds none."""
    try:
        return loads(_content(path))
    except StudioError as problem:
        raise StudioError(f"{path.name or path} cannot be opened: {problem}") from problem


def loads(data: bytes) -> Saved:
    """The design in the bytes of a file; raises StudioError where they hold none."""
    try:
        return _saved(_parsed(data))
    except RecursionError:
        raise StudioError("it is nested too deeply.") from None
    except MemoryError:
        raise StudioError("it is too large for this computer's memory.") from None


def dumps(kind: AnyKind, design: Any) -> bytes:
    """A design as the bytes of a file; the same design gives the same bytes."""
    content = {"format": FORMAT, "version": VERSION, "kind": kind.key, "design": encode(design, kind.parameters)}
    return (_laid_out(content, "") + "\n").encode("utf-8")


def save(path: Path, kind: AnyKind, design: Any) -> None:
    """Write a design to a file; raises StudioError, the file as it was, where it cannot be written whole."""
    write_bytes(path, dumps(kind, design))


def _content(path: Path) -> bytes:
    """The bytes of a regular file of bearable size; devices and pipes may never end and are not opened."""
    try:
        about = path.stat()
        if stat.S_ISDIR(about.st_mode):
            raise StudioError("it is a folder.")
        if not stat.S_ISREG(about.st_mode):
            raise StudioError("it is not a file but a device or a pipe.")
        with path.open("rb") as file:
            data = b"" if about.st_size > LARGEST else file.read(LARGEST + 1)
    except (OSError, ValueError) as problem:
        raise StudioError(_reason(problem)) from problem
    if about.st_size > LARGEST or len(data) > LARGEST:
        raise StudioError(f"it is larger than {LARGEST // 2**20} MB.")
    return data


def _reason(problem: OSError | ValueError) -> str:
    if isinstance(problem, ValueError):
        return "no file can have such a name."
    known = {
        errno.ENOENT: "there is no such file.",
        errno.ENOTDIR: "there is no such folder.",
        errno.EACCES: "you may not read it.",
        errno.EPERM: "you may not read it.",
        errno.ENAMETOOLONG: "its name is too long.",
        errno.ELOOP: "it is a link that leads back to itself.",
    }
    return known.get(problem.errno or 0) or f"{problem.strerror or problem}."


def _parsed(data: bytes) -> Any:
    """The JSON value in some bytes; numbers too large become infinite, to be refused with their place."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise StudioError("it is not UTF-8 text.") from None
    if not text.strip():
        raise StudioError("it is empty.")
    try:
        return json.loads(text, object_pairs_hook=unique, parse_int=_whole)
    except json.JSONDecodeError as problem:
        place = f"line {problem.lineno}, column {problem.colno}"
        if problem.pos >= len(text.rstrip()) or problem.msg.startswith("Unterminated"):
            raise StudioError(f"it is cut off at {place}.") from problem
        raise StudioError(f"it is not JSON text at {place}.") from problem


def _whole(digits: str) -> int | float:
    return int(digits) if len(digits) <= _LONGEST_NUMBER else math.inf


def _saved(content: Any) -> Saved:
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise StudioError("it is not a file of Puzzle Studio.")
    if isinstance(content, Repeated):
        raise StudioError(f"{shown(content.name)} is there twice.")
    version = content.get("version")
    if type(version) is not int or version < 1:
        raise StudioError(f"version must be {VERSION}, not {shown(version)}.")
    if version > VERSION:
        raise StudioError(f"it was written by a newer version of Puzzle Studio (file version {shown(version)}).")
    # Files of earlier versions are brought up to this one here, before anything else in them is read.
    members(content, "", {"format": True, "version": True, "kind": True, "design": True})
    if not isinstance(content["kind"], str):
        raise StudioError(f"kind must be a text, not {shown(content['kind'])}.")
    kind = registry.kind(content["kind"])
    design = decode(kind.design, content["design"], "design", kind.parameters)
    kind.verify(design)
    return Saved(kind, design)


def _laid_out(value: Any, indent: str) -> str:
    """JSON text with sorted names, a field a line, and in lists an element a line."""
    deeper = f"{indent}  "
    if isinstance(value, dict) and value:
        lines = [f"{deeper}{json.dumps(name)}: {_laid_out(value[name], deeper)}" for name in sorted(value)]
        return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(f"{deeper}{_line(element)}" for element in value) + f"\n{indent}]"
    return _line(value)


_line = json.JSONEncoder(ensure_ascii=False, allow_nan=False, sort_keys=True).encode
