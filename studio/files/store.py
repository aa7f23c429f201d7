"""Opens and saves puzzle files: JSON text in which one edit is one line, written whole or not at all."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from studio.base.atomic import write_bytes
from studio.base.encode import Base64, decode, encode, members, shown
from studio.base.errors import StudioError
from studio.base.json_files import Repeated, content, parsed
from studio.base.texts import tr
from studio.puzzles import registry
from studio.puzzles.kind import AnyKind

FORMAT = "puzzle-studio"
VERSION = 1
LARGEST = 64 * 2**20
"""Bytes of the largest file that is opened; the largest board with every element edited takes a fifth."""


@dataclass(frozen=True)
class Saved:
    """A design and its kind of puzzle."""

    kind: AnyKind
    design: Any
    digest: str = field(default="", compare=False)
    """Hash of the file it was read from, as `digest_of` gives it; empty for a design from elsewhere."""


def load(path: Path) -> Saved:
    """Load a design from a file; raises StudioError, a sentence with the file's name, if it holds none.

    >>> from studio.puzzles.registry import kind
    >>> saved = save(Path("mine.puzzle"), kind("cube"), kind("cube").example())
    >>> load(Path("mine.puzzle")).digest == saved
    True
    """
    try:
        data = content(path, LARGEST)
        return replace(loads(data), digest=digest(data))
    except StudioError as problem:
        raise StudioError(tr("Cannot open {file}: {problem}", file=path.name or path, problem=problem)) from problem


def loads(data: bytes) -> Saved:
    """Read a design from the bytes of a file; raises StudioError if they hold none.

    >>> from studio.puzzles.registry import kind
    >>> jigsaw = kind("jigsaw")
    >>> saved = loads(dumps(jigsaw, jigsaw.example()))
    >>> saved.kind.key, saved.design.parameters.columns, saved.design == jigsaw.example()
    ('jigsaw', 12, True)
    """
    try:
        return _saved(parsed(data))
    except MemoryError:
        raise StudioError(tr("there is not enough memory to open it.")) from None


def dumps(kind: AnyKind, design: Any) -> bytes:
    """Return a design as the bytes of a file; the same design gives the same bytes."""
    value = {"format": FORMAT, "version": VERSION, "kind": kind.key, "design": encode(design, kind.parameters)}
    return laid_out(value)


def save(path: Path, kind: AnyKind, design: Any) -> str:
    """Write a design to a file, and return its digest; raises StudioError, the file untouched, if that fails."""
    data = dumps(kind, design)
    write_bytes(path, data)
    return digest(data)


def digest(data: bytes) -> str:
    """Hash the bytes of a file."""
    return sha256(data).hexdigest()


def digest_of(path: Path) -> str | None:
    """Hash a file as it is on disk now; None if it does not exist, empty if it cannot be read."""
    try:
        return digest(content(path, LARGEST))
    except StudioError:
        return "" if os.path.lexists(path) else None


def refuse_head(value: Any, form: str, newest: int, otherwise: str) -> None:
    """Raise StudioError, `otherwise` or a better reason, unless a JSON value is an object of a format and version."""
    if not isinstance(value, dict) or value.get("format") != form:
        raise StudioError(otherwise)
    if isinstance(value, Repeated):
        raise StudioError(tr("{name} appears twice.", name=shown(value.name)))
    version = value.get("version")
    if type(version) is not int or version < 1:
        raise StudioError(tr("version must be {newest}, not {version}.", newest=newest, version=shown(version)))
    if version > newest:
        raise StudioError(
            tr("it was saved by a newer version of Puzzle Studio (file version {version}).", version=shown(version))
        )


def _saved(value: Any) -> Saved:
    refuse_head(value, FORMAT, VERSION, tr("it is not a Puzzle Studio file."))
    # Files of earlier versions are converted here, before anything else in them is read.
    members(value, "", {"format": True, "version": True, "kind": True, "design": True})
    if not isinstance(value["kind"], str):
        raise StudioError(tr("kind must be a text, not {kind}.", kind=shown(value["kind"])))
    kind = registry.kind(value["kind"])
    design = decode(kind.design, value["design"], "design", kind.parameters)
    kind.verify(design)
    return Saved(kind, design)


def laid_out(value: Any) -> bytes:
    """Return a JSON value as the bytes of a file."""
    return (_lines(value, "") + "\n").encode("utf-8")


def _lines(value: Any, indent: str) -> str:
    """JSON text with sorted names, a field a line, and in lists an element a line."""
    if isinstance(value, Base64):
        return f'"{value}"'
    deeper = f"{indent}  "
    if isinstance(value, dict) and value:
        lines = [f"{deeper}{json.dumps(name)}: {_lines(value[name], deeper)}" for name in sorted(value)]
        return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(f"{deeper}{_line(element)}" for element in value) + f"\n{indent}]"
    return _line(value)


_line = json.JSONEncoder(ensure_ascii=False, allow_nan=False, sort_keys=True).encode
