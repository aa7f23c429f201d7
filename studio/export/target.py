"""Puts a drawing into a file, whole or not at all: written aside, read back, held against the drawing, then named.

A file that does not read back as the drawing it was made from never takes its name: an older file there stays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from studio.atomic import replacing
from studio.errors import StudioError
from studio.export.dxf import dxf
from studio.export.options import Options
from studio.export.profiles import Profile, profile
from studio.export.proof import Proof, prove
from studio.export.reading import Sheet, Unreadable, read_dxf, read_svg
from studio.export.ready import ready
from studio.export.svg import svg
from studio.geometry.drawing import Drawing
from studio.progress import Progress

__all__ = ["SUFFIXES", "Options", "Report", "write"]


@dataclass(frozen=True)
class _Format:
    write: Callable[[Drawing, Options], bytes]
    read: Callable[[bytes, Profile], Sheet]


_FORMATS = {".svg": _Format(svg, read_svg), ".dxf": _Format(dxf, read_dxf)}
SUFFIXES = tuple(_FORMATS)


@dataclass(frozen=True)
class Report:
    """What was found in a file when it was read back: true size and cut length in mm, counts, size in bytes.

    `faces` is how many parts the cuts enclose, `pieces` how many the drawing should have.
    """

    path: Path
    width: float
    height: float
    chains: int
    cut_length: float
    faces: int
    pieces: int
    bytes: int


def write(
    drawing: Drawing,
    path: Path | str,
    options: Options | None = None,
    *,
    expected_pieces: int | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Write a drawing to a file in the format of its suffix, and report what the file was found to hold.

    The file must enclose `expected_pieces` parts (without it as many as the drawing has pieces) unless `force`
    asks for a file whose parts do not add up. Raises StudioError where the file cannot be written or does not read
    back as the drawing, Cancelled where nobody waits any more; what stood at `path` is then untouched.
    """
    options, progress = options or Options(), progress or Progress()
    target = Path(path)
    known = _format(target)
    pieces = len(drawing.pieces) if expected_pieces is None else expected_pieces
    progress.step(0.0, "Writing the lines")
    data = known.write(drawing, options)
    progress.step(0.4, "Saving")
    try:
        with replacing(target) as aside:
            aside.write_bytes(data)
            progress.step(0.5, "Reading back")
            sheet, proof = _proved(known, aside, drawing, options, progress)
            if proof.faces != pieces and not force:
                raise Unreadable(f"its cuts enclose {proof.faces} parts, not the {pieces} pieces of the puzzle")
            progress.step(1.0)
    except Unreadable as problem:
        raise StudioError(f"{target} was not written, because it did not read back well: {problem}.") from problem
    return Report(target, sheet.width, sheet.height, len(sheet.lines), proof.length, proof.faces, pieces, len(data))


def _format(target: Path) -> _Format:
    try:
        return _FORMATS[target.suffix.lower()]
    except KeyError:
        names = " and ".join(SUFFIXES)
        raise StudioError(f"{target} says no format for a laser cutter by its ending; there are {names}.") from None


def _proved(known: _Format, aside: Path, drawing: Drawing, options: Options, progress: Progress) -> tuple[Sheet, Proof]:
    sheet = known.read(aside.read_bytes(), profile(options.profile))
    progress.step(0.7, "Comparing with the drawing")
    return sheet, prove(sheet, ready(drawing), options.tolerance)
