"""Formats for paper: the choice of paper, and the comparison of a read file with the leaflet's marks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from studio.base.colours import channels
from studio.base.parameters import choice
from studio.base.texts import tr
from studio.export.format import Report, Unreadable
from studio.export.options import PAPERS, NoOptions
from studio.geometry.art.artwork import Picture, corners_of
from studio.geometry.curves.strokes import Floats
from studio.paper.fonts import EM, MOST_REMEMBERED, Font, spelled, typeset
from studio.paper.leaflet import SHIFTS, Area, Leaflet, Line, Mark, Words

EXACT = 0.01
"""Tolerance in mm of pages, points and letters that are read back."""
_SHADE = 0.002
_TENTH = 0.051
"""Tolerance of outlines written with one decimal, in thousandths of the letter size."""
Shade = tuple[float, ...]
"""Red, green and blue from 0 to 1; empty if not painted."""


@dataclass(frozen=True)
class LeafletOptions(NoOptions):
    """Options of paper that goes with a puzzle; raises ParameterError for invalid values."""

    paper: str = choice("A4", {name: name for name in PAPERS}, title="Paper",
        help="Paper in your printer.")  # fmt: skip

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the paper in mm, upright."""
        return PAPERS[self.paper]


@dataclass(frozen=True, kw_only=True)
class LeafletReport(Report):
    """Findings from a file of pages: their number, and the size of the first in mm."""

    pages: int
    width: float
    height: float


@dataclass(frozen=True, eq=False)
class FoundPath:
    """A path: its steps M, L, C and Z as one text, their points (n, 2) in mm, and its paint."""

    steps: str
    points: Floats
    fill: Shade
    line: Shade
    width: float
    dashes: tuple[float, ...]


Outline = tuple[str, tuple[float, ...]]


@dataclass(frozen=True, eq=False)
class FoundWords:
    """Words: the feet (n, 2) in mm of all letters but blanks, and the vectors (2, 2) in mm of one size on and down.

    `outlines` are the steps of the outline of each letter, and their numbers in thousandths of the size.
    """

    text: str
    feet: Floats
    ways: Floats
    fill: Shade
    outlines: tuple[Outline, ...]


@dataclass(frozen=True, eq=False)
class FoundPicture:
    """A picture: left, top, width and height in mm, and its bytes: of its file, of its lines, or of pixels and mask.

    `lines` are columns, rows, bits of a number and numbers of a pixel if the bytes are packed lines of a PNG. `turn` is
    in degrees clockwise about its middle, `clip` the steps and points of its clip.
    """

    box: tuple[float, float, float, float]
    data: bytes
    mask: bytes = b""
    lines: tuple[int, ...] = ()
    turn: float = 0.0
    clip: tuple[str, Floats] | None = None


FoundMark = FoundPath | FoundWords | FoundPicture


@dataclass(frozen=True)
class FoundPage:
    """A page of a file: its size in mm, and its groups, each with its name and its marks."""

    width: float
    height: float
    groups: tuple[tuple[str, tuple[FoundMark, ...]], ...]


def prove_pages(found: Sequence[FoundPage], leaflet: Leaflet, _options: LeafletOptions, exact: float) -> LeafletReport:
    """Report on the pages of a file; raises Unreadable if they are not the leaflet."""
    pages = leaflet.pages
    if len(found) != len(pages):
        raise Unreadable(tr("it has {pages} pages, not {wanted}", pages=len(found), wanted=len(pages)))
    for read, page in zip(found, pages, strict=True):
        if not max(abs(read.width - page.width), abs(read.height - page.height)) <= exact:
            raise Unreadable(
                tr(
                    "a page is {width:g} × {height:g} mm, not {wanted_width:g} × {wanted_height:g} mm",
                    width=read.width,
                    height=read.height,
                    wanted_width=page.width,
                    wanted_height=page.height,
                )
            )
        wanted = [(group.name, len(group.marks)) for group in page.groups]
        if [(name, len(marks)) for name, marks in read.groups] != wanted:
            raise Unreadable(tr("a page lacks something"))
        for (name, marks), group in zip(read.groups, page.groups, strict=True):
            if not all(is_alike(one, mark, exact) for one, mark in zip(marks, group.marks, strict=True)):
                raise Unreadable(tr("something in {name} differs from the drawing", name=name))
    return LeafletReport(pages=len(found), width=found[0].width, height=found[0].height)


def is_alike(found: FoundMark, mark: Mark, exact: float) -> bool:
    """True if a mark found in a file equals `mark` to within `exact` mm."""
    match found, mark:
        case FoundPath(), Area():
            line = mark.line, mark.width
            return found.steps == steps_of(mark.rings) and _is_drawn(
                found, np.concatenate(mark.rings), mark.fill, *line, exact=exact
            )
        case FoundPath(), Line():
            steps = "C" * (len(mark.points) // 3) if mark.curved else "L" * (len(mark.points) - 1)
            return (
                found.steps == f"M{steps}{'Z' if mark.closed else ''}"
                and _is_drawn(found, mark.points, "", mark.colour, mark.width, exact=exact)
                and _is_near(found.dashes, mark.dashes, exact)
            )
        case FoundWords(), Words():
            return _is_set(found, mark, exact)
        case FoundPicture(), Picture():
            return _is_placed(found, mark, exact) and _shows(found, mark)
        case _:
            return False


def _is_drawn(found: FoundPath, points: Floats, fill: str, line: str, width: float, *, exact: float) -> bool:
    colours = _is_near(found.fill, _shade(fill), _SHADE) and _is_near(found.line, _shade(line), _SHADE)
    return colours and _is_near(found.points, points, exact) and (not line or abs(found.width - width) <= exact)


def _is_set(found: FoundWords, words: Words, exact: float) -> bool:
    setting = typeset(words.text, bold=words.bold)
    ways = np.reshape(words.turn, (2, 2)) * words.size
    seen = [
        (run.font, glyph, place)
        for run in setting.runs
        for letter, glyph, place in zip(run.letters, run.glyphs, run.places, strict=True)
        if letter != " "
    ]
    along = [place for _font, _glyph, place in seen]
    share = (np.array(along) - SHIFTS[words.anchor] * setting.width) / EM
    feet = np.array(words.place) + share[:, None] * ways[0]
    return (
        found.text == spelled(words.text)
        and _is_near(found.feet, feet, exact)
        and (not along or _is_near(found.ways, ways, exact))
        and _is_near(found.fill, _shade(words.colour), _SHADE)
        and all(_is_letter(one, *each[:2]) for one, each in zip(found.outlines, seen, strict=True))
    )


@lru_cache(MOST_REMEMBERED)
def _is_letter(outline: Outline, font: Font, glyph: str) -> bool:
    """True if an outline is the glyph, to the tenth written in files."""
    wanted = font.outline(glyph)
    numbers = [number for _letter, some in wanted for number in some]
    return outline[0] == "".join(letter for letter, _some in wanted) and _is_near(outline[1], numbers, _TENTH)


def _is_placed(found: FoundPicture, picture: Picture, exact: float) -> bool:
    if not _is_near(corners_of(found.box, found.turn), picture.corners, exact):
        return False
    if picture.clip is None or found.clip is None:
        return picture.clip is None and found.clip is None
    steps, points = found.clip
    return steps == steps_of(picture.clip.rings) and _is_near(points, np.concatenate(picture.clip.rings), exact)


def steps_of(rings: Iterable[Floats]) -> str:
    """Return the steps of closed rings, a letter each."""
    return "".join(f"M{'L' * (len(ring) - 1)}Z" for ring in rings)


def _shows(found: FoundPicture, picture: Picture) -> bool:
    if found.lines:
        make = (*picture.size, picture.data[24], 1 if picture.is_grey else 3)
        return found.lines == make and found.data == picture.packed_lines
    return found.data == picture.data or (found.data, found.mask) == picture.pixels()


def _is_near(one: Sequence[float] | Floats, other: Sequence[float] | Floats, most: float) -> bool:
    here, there = np.asarray(one, float), np.asarray(other, float)
    return here.shape == there.shape and bool((np.abs(here - there) <= most).all())


def _shade(colour: str) -> Shade:
    return tuple(channel / 255 for channel in channels(colour)) if colour else ()
