"""Puts a drawing into a file, whole or not at all: written aside, read back, held against the drawing, then named.

A file that does not read back as the drawing it was made from never takes its name: an older file there stays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

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
from studio.export.sheets import sheet_paths
from studio.export.svg import svg
from studio.geometry.curves import distinct
from studio.geometry.drawing import Drawing
from studio.progress import Progress

__all__ = ["SUFFIXES", "Options", "Report", "write", "write_all"]


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
FOLLOWED = 0.01
"""How far in mm polylines lie from lines that are looked at before they are written."""


@dataclass(frozen=True)
class Report:
    """What was found in a file when it was read back: true size and cut length in mm, counts, size in bytes.

    `chains` is how many lines there are, engraved ones too; the cut length is that of the cuts. `faces` is how many
    parts the cuts enclose, `pieces` how many the drawing should have. `pages` is more than one for a PDF of printer
    pages, and a picture has `pixels`, width and height; its faces are those of the lines that were found in it.
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
    expected = None if expected_pieces is None else (expected_pieces,)
    return write_all((drawing,), path, options, expected_pieces=expected, force=force, progress=progress)[0]


def write_all(
    drawings: Sequence[Drawing],
    path: Path | str,
    options: Options | None = None,
    *,
    expected_pieces: Sequence[int] | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> tuple[Report, ...]:
    """Write every sheet to a file of its own, all or none, and report what each was found to hold.

    One sheet takes the name `path`, several take NAME-1, NAME-2 and so on. Errors are those of `write`.
    """
    options, progress = options or Options(), progress or Progress()
    targets = sheet_paths(Path(path), len(drawings))
    known = _format(targets[0])
    wanted = [len(drawing.pieces) for drawing in drawings] if expected_pieces is None else expected_pieces
    shares = np.linspace(0.0, 1.0, len(drawings) + 1).tolist()
    for drawing, target in zip(drawings, targets, strict=True):
        _refuse_outside(drawing, target)
    reports = []
    with ExitStack() as asides:
        for at, (drawing, target, pieces) in enumerate(zip(drawings, targets, wanted, strict=True)):
            part = progress.part(shares[at], shares[at + 1])
            try:
                part.step(0.0, "Writing the lines")
                data = known.write(drawing, options)
                aside = asides.enter_context(replacing(target))
                report = _proved(known, drawing, target, aside, data, options, part)
                if report.faces != pieces and not force:
                    raise Unreadable(f"its cuts enclose {report.faces} parts, not the {pieces} pieces of the puzzle")
            except Unreadable as problem:
                raise StudioError(
                    f"{target} was not written, because it did not read back well: {problem}."
                ) from problem
            reports.append(replace(report, pieces=pieces))
        progress.step(1.0)
    return tuple(reports)


def _refuse_outside(drawing: Drawing, target: Path) -> None:
    """Raise StudioError where a line leaves the page: a laser would cut beside the sheet."""
    if not drawing.chains:
        return
    used = distinct(np.concatenate([chain.strokes for chain in drawing.chains]) >> 1)
    points = drawing.strokes.chosen(used).flattened(FOLLOWED).points
    excess = float(np.maximum(-points, points - (drawing.width, drawing.height)).max())
    if excess > FOLLOWED:
        raise StudioError(
            f"{target} was not written: a line leaves the board by {excess:.2f} mm, where there is no wood to cut; "
            "mend the findings at the border first."
        )


def _proved(
    known: _Format, drawing: Drawing, target: Path, aside: Path, data: bytes, options: Options, progress: Progress
) -> Report:
    """Save the file aside and report what is read back from it; raises Unreadable where that is not the drawing."""
    progress.step(0.4, "Saving")
    aside.write_bytes(data)
    progress.step(0.5, "Reading back")
    read = known.read(aside.read_bytes(), profile(options.profile))
    progress.step(0.7, "Comparing with the drawing")
    found = known.prove(read, ready(drawing), options)
    return Report(
        target, found.width, found.height, found.lines, found.proof.length, found.proof.faces, len(drawing.pieces),
        len(data), found.pages, found.pixels,
    )  # fmt: skip


def _format(target: Path) -> _Format:
    try:
        return _FORMATS[target.suffix.lower()]
    except KeyError:
        names = f"{', '.join(SUFFIXES[:-1])} and {SUFFIXES[-1]}"
        raise StudioError(f"{target} says no format that the studio writes by its ending; there are {names}.") from None
