"""Reads an outline with its holes from an SVG or DXF file."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from studio.amounts import abridged
from studio.errors import StudioError
from studio.files import dxf_paths, svg_paths
from studio.geometry.rings import Outlined, outlined
from studio.progress import Progress
from studio.stored import content
from studio.texts import alternatives, tr

LARGEST = 64 * 2**20
"""Bytes of the largest file that is read."""
LEAST = 5.0
"""The least width and height in mm of an outline."""
MOST_NAMED = 5
READERS = {".svg": svg_paths.read, ".dxf": dxf_paths.read}
"""What reads the paths in files, by their endings."""


def read_paths(path: Path, unit: str | None, progress: Progress, *, least: float = LEAST) -> Outlined:
    """The outline and holes in an SVG or DXF file, in mm; `unit` (mm, cm, in, pt or px) if the file states none.

    Raises UnitMissing where there is none, and StudioError, with the file's name, for anything but one outline of
    closed paths, at least `least` mm wide and high.
    """
    try:
        reader = READERS.get(path.suffix.lower())
        if reader is None:
            raise StudioError(tr("unknown file extension. Use {suffixes}.", suffixes=alternatives(READERS)))
        data = content(path, LARGEST)
        if not data.strip():
            raise StudioError(tr("it is empty."))
        found = reader(data, unit, progress.part(0.0, 0.5, tr("Read paths")))
        is_upwards = reader is dxf_paths.read
        one = outlined(found.strokes, least, progress.part(0.5, 1.0, tr("Join paths")), is_upwards=is_upwards)
    except StudioError as problem:
        sentence = tr("Cannot import {name}: {problem}", name=path.name, problem=problem)
        raise type(problem)(sentence) from problem
    return Outlined(one.rings, (*one.notes, *_left_out(found.left_out)))


def _left_out(kinds: Counter[str]) -> list[str]:
    if not kinds:
        return []
    named = abridged([f"{count} × {kind[:20]}" for kind, count in sorted(kinds.items())], MOST_NAMED)
    return [tr("Left out, not a path: {named}.", named=named)]
