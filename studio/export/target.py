"""Puts a drawing into a file, whole or not at all: written aside, read back, held against the drawing, then named.

A file that does not read back as the drawing it was made from never takes its name: an older file there stays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studio.atomic import replacing
from studio.errors import StudioError
from studio.export.dxf import dxf
from studio.export.lightburn import lightburn
from studio.export.options import Options
from studio.export.pdf import pdf
from studio.export.png import png, prove_picture, read_png
from studio.export.profiles import Profile, profile
from studio.export.proof import Found, prove_sheet
from studio.export.reading import Unreadable, read_dxf, read_lightburn, read_svg
from studio.export.reading_pdf import prove_book, read_pdf
from studio.export.ready import ready
from studio.export.svg import svg
from studio.geometry.drawing import Drawing
from studio.progress import Progress

__all__ = ["SUFFIXES", "Options", "Report", "write"]


@dataclass(frozen=True)
class _Format:
    """How a format is written, how it is read back, and how what was read is held against the drawing."""

    write: Callable[[Drawing, Options], bytes]
    read: Callable[[bytes, Profile], Any]
    prove: Callable[[Any, Drawing, Options], Found]


_FORMATS = {
    ".svg": _Format(svg, read_svg, prove_sheet),
    ".dxf": _Format(dxf, read_dxf, prove_sheet),
    ".pdf": _Format(pdf, read_pdf, prove_book),
    ".png": _Format(png, read_png, prove_picture),
    ".lbrn2": _Format(lightburn, read_lightburn, prove_sheet),
}
SUFFIXES = tuple(_FORMATS)


@dataclass(frozen=True)
class Report:
    """What was found in a file when it was read back: true size and cut length in mm, counts, size in bytes.

    `faces` is how many parts the cuts enclose, `pieces` how many the drawing should have. `pages` is more than one
    for a PDF of printer pages, and a picture has `pixels`, width and height; its faces are those of the lines that
    were found in it.
    """

    path: Path
    width: float
    height: float
    chains: int
    cut_length: float
    faces: int
    pieces: int
    bytes: int
    pages: int = 1
    pixels: tuple[int, int] | None = None


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
            read = known.read(aside.read_bytes(), profile(options.profile))
            progress.step(0.7, "Comparing with the drawing")
            found = known.prove(read, ready(drawing), options)
            faces = found.proof.faces
            if faces != pieces and not force:
                raise Unreadable(f"its cuts enclose {faces} parts, not the {pieces} pieces of the puzzle")
            progress.step(1.0)
    except Unreadable as problem:
        raise StudioError(f"{target} was not written, because it did not read back well: {problem}.") from problem
    return Report(
        target, found.width, found.height, found.lines, found.proof.length, faces, pieces, len(data), found.pages,
        found.pixels,
    )  # fmt: skip


def _format(target: Path) -> _Format:
    try:
        return _FORMATS[target.suffix.lower()]
    except KeyError:
        names = f"{', '.join(SUFFIXES[:-1])} and {SUFFIXES[-1]}"
        raise StudioError(f"{target} says no format that the studio writes by its ending; there are {names}.") from None
