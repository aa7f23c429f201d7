"""Compares the pages of a leaflet's file, as read back, with the leaflet's marks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from studio.exporting.options import LeafletOptions, Unreadable
from studio.exporting.proof import LeafletReport, is_alike, is_near, report_pages
from studio.exporting.readers.found_lines import FoundPicture
from studio.geometry.art.artwork import Picture, channels
from studio.geometry.curves.strokes import Floats
from studio.paper.fonts import EM, MOST_REMEMBERED, Font, spelled, typeset
from studio.paper.leaflet import SHIFTS, Area, Leaflet, Line, Mark, Words

_SHADE = 0.002
_TENTH = 0.051
"""Tolerance of outlines written with one decimal, in thousandths of the letter size."""
Shade = tuple[float, ...]
"""Red, green and blue from 0 to 1; empty if not painted."""


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


FoundMark = FoundPath | FoundWords | FoundPicture


@dataclass(frozen=True)
class FoundPage:
    """A page of a file: its size in mm, and its groups, each with its name and its marks."""

    width: float
    height: float
    groups: tuple[tuple[str, tuple[FoundMark, ...]], ...]


def prove_pages(found: Sequence[FoundPage], leaflet: Leaflet, options: LeafletOptions, exact: float) -> LeafletReport:
    """Report on the pages of a file; raises Unreadable if they are not the leaflet."""
    pages = leaflet.pages
    if len(found) != len(pages):
        raise Unreadable(f"it has {len(found)} pages, not {len(pages)}")
    for read, page in zip(found, pages, strict=True):
        if not max(abs(read.width - page.width), abs(read.height - page.height)) <= exact:
            raise Unreadable(f"a page is {read.width:g} × {read.height:g} mm, not {page.width:g} × {page.height:g} mm")
        wanted = [(group.name, len(group.marks)) for group in page.groups]
        if [(name, len(marks)) for name, marks in read.groups] != wanted:
            raise Unreadable("a page lacks something")
        for (name, marks), group in zip(read.groups, page.groups, strict=True):
            if not all(_is_mark(one, mark, exact) for one, mark in zip(marks, group.marks, strict=True)):
                raise Unreadable(f"something in {name} differs from the drawing")
    return report_pages(b"", leaflet, options, exact)


def _is_mark(found: FoundMark, mark: Mark, exact: float) -> bool:
    """True if a mark found in a file equals `mark` to within `exact` mm."""
    match found, mark:
        case FoundPath(), Area():
            line = mark.line, mark.width
            return found.steps == _steps(mark.rings) and _is_drawn(
                found, np.concatenate(mark.rings), mark.fill, *line, exact=exact
            )
        case FoundPath(), Line():
            steps = "C" * (len(mark.points) // 3) if mark.curved else "L" * (len(mark.points) - 1)
            return (
                found.steps == f"M{steps}{'Z' if mark.closed else ''}"
                and _is_drawn(found, mark.points, "", mark.colour, mark.width, exact=exact)
                and is_near(found.dashes, mark.dashes, exact)
            )
        case FoundWords(), Words():
            return _is_set(found, mark, exact)
        case FoundPicture(), Picture():
            return is_alike(found, mark)
        case _:
            return False


def _is_drawn(found: FoundPath, points: Floats, fill: str, line: str, width: float, *, exact: float) -> bool:
    colours = is_near(found.fill, _shade(fill), _SHADE) and is_near(found.line, _shade(line), _SHADE)
    return colours and is_near(found.points, points, exact) and (not line or abs(found.width - width) <= exact)


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
        and is_near(found.feet, feet, exact)
        and (not along or is_near(found.ways, ways, exact))
        and is_near(found.fill, _shade(words.colour), _SHADE)
        and all(_is_letter(one, *each[:2]) for one, each in zip(found.outlines, seen, strict=True))
    )


@lru_cache(MOST_REMEMBERED)
def _is_letter(outline: Outline, font: Font, glyph: str) -> bool:
    """True if an outline is the glyph, to the tenth written in files."""
    wanted = font.outline(glyph)
    numbers = [number for _letter, some in wanted for number in some]
    return outline[0] == "".join(letter for letter, _some in wanted) and is_near(outline[1], numbers, _TENTH)


def _steps(rings: Iterable[Floats]) -> str:
    """Return the steps of closed rings, a letter each."""
    return "".join(f"M{'L' * (len(ring) - 1)}Z" for ring in rings)


def _shade(colour: str) -> Shade:
    return tuple(channel / 255 for channel in channels(colour)) if colour else ()
