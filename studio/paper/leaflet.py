"""Printed pages that go with a puzzle: words, lines, filled areas and pictures, written as SVG and PDF.

Everything is in mm from the upper left corner of a page, to the right and down; colours are `#RRGGBB`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from math import isfinite

import numpy as np

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.geometry.art.artwork import Picture, Region
from studio.geometry.curves.strokes import Floats
from studio.paper import fonts

PLAIN = (1.0, 0.0, 0.0, 1.0)


class Anchor(Enum):
    """The part of a line of words at its place."""

    START = "start"
    MIDDLE = "middle"
    END = "end"


SHIFTS = {Anchor.START: 0.0, Anchor.MIDDLE: 0.5, Anchor.END: 1.0}
"""The fraction of the width of words before their place."""


@dataclass(frozen=True, eq=False)
class Area(Region):
    """A region with an optional rim: `line` is the rim's colour, or ""."""

    line: str = ""
    width: float = 0.0


@dataclass(frozen=True, eq=False)
class Line:
    """A line of a width through points (n, 2); `dashes` are the lengths of dashes and gaps.

    With `curved` the points are the 3k + 1 control points of cubics.
    """

    points: Floats
    colour: str
    width: float
    closed: bool = False
    dashes: tuple[float, ...] = ()
    curved: bool = False


@dataclass(frozen=True)
class Words:
    """One line of words. `place` is the foot of its start, middle or end, `size` the letters' size.

    `turn` holds the steps right and down of one unit along the words, then of one unit down from them, for words on an
    oblique plane.
    """

    text: str
    place: tuple[float, float]
    size: float
    colour: str
    anchor: Anchor = Anchor.START
    bold: bool = False
    turn: tuple[float, float, float, float] = PLAIN


Mark = Area | Line | Words | Picture


def as_marks(artwork: Iterable[Region | Picture]) -> tuple[Area | Picture, ...]:
    """The artwork of a drawing as marks of a page."""
    return tuple(Area(each.rings, each.fill) if isinstance(each, Region) else each for each in artwork)


@dataclass(frozen=True)
class MarkGroup:
    """A group of marks, painted in order; its name, without spaces, is in the file."""

    name: str
    marks: tuple[Mark, ...]


@dataclass(frozen=True)
class Page:
    """One page in mm."""

    width: float
    height: float
    groups: tuple[MarkGroup, ...]


@dataclass(frozen=True)
class Leaflet:
    """One page or several, all to be printed."""

    title: str
    pages: tuple[Page, ...]


def ensure_writable(leaflet: Leaflet) -> None:
    """Raise StudioError with the place of words that cannot be set, a broken picture or an invalid page size."""
    for number, page in enumerate(leaflet.pages, 1):
        if not all(isfinite(side) and side > 0 for side in (page.width, page.height)):
            raise StudioError(
                tr(
                    "Page {number} needs a width and a height in mm, not {width:g} × {height:g}.",
                    number=number,
                    width=page.width,
                    height=page.height,
                )
            )
        line = 0
        for mark in (mark for group in page.groups for mark in group.marks):
            if isinstance(mark, Words):
                line += 1
                if problem := fonts.unset(mark.text):
                    raise StudioError(
                        tr("Page {number}, line {line}: {problem}.", number=number, line=line, problem=problem)
                    )
            elif isinstance(mark, Picture):
                try:
                    mark.ensure_whole()
                except StudioError as problem:
                    raise StudioError(tr("Page {number}: {problem}", number=number, problem=problem)) from problem


def capitals(size: float) -> float:
    """Height in mm of capitals of a size."""
    return fonts.capitals() * size / fonts.EM


def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """Width in mm of a line of words."""
    return fonts.typeset(text, bold=bold).width * size / fonts.EM


def shortened(text: str, size: float, most: float, *, bold: bool = False) -> str:
    """Shorten words to at most `most` mm with an ellipsis."""
    if width_of(text, size, bold=bold) <= most:
        return text
    while text and width_of(f"{text}…", size, bold=bold) > most:
        text = text[:-1].rstrip()
    return f"{text}…"


def wrapped(text: str, size: float, most: float, *, bold: bool = False) -> tuple[str, ...]:
    """Break words into lines of at most `most` mm; a single wider word is shortened."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer, size, bold=bold) <= most:
            lines[-1] = longer
        else:
            lines.append(shortened(word, size, most, bold=bold))
    return tuple(lines)


def box(left: float, top: float, width: float, height: float) -> Floats:
    """The corners (4, 2) of a rectangle."""
    return np.array([[left, top], [left + width, top], [left + width, top + height], [left, top + height]])


def centred(
    text: str, middle: Floats, size: float, colour: str, *, bold: bool = False, turn: Floats | None = None
) -> Words:
    """Centre capitals on a place (2,); `turn` (2, 2) as in `Words`, one row per direction."""
    ways = np.eye(2) if turn is None else turn
    x, y = (middle + ways[1] * capitals(size) / 2).tolist()
    a, b, c, d = ways.ravel().tolist()
    return Words(text, (x, y), size, colour, Anchor.MIDDLE, bold, (a, b, c, d))
