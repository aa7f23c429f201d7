"""Paper that goes with a puzzle: pages with filled shapes, lines and words, as a value that SVG and PDF are made of.

Everything is in mm from the upper left corner of a page, to the right and down; colours are `#RRGGBB`. Words are set
in Helvetica, which every reader of PDF has; its widths are those that Adobe published (Core 14 AFM files).
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from enum import Enum

import numpy as np

from studio.geometry.curves import Floats

CAPITALS = 0.718
"""How tall capitals are, in sizes of the letters."""
PLAIN = (1.0, 0.0, 0.0, 1.0)
_REGULAR = (
    "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 "
    "584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 "
    "667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 "
    "278 556 500 722 500 500 500 334 260 334 584"
)
_BOLD = (
    "278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 333 333 "
    "584 584 584 611 975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 667 778 722 667 611 722 667 944 "
    "667 667 611 333 278 333 584 556 333 556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611 611 389 556 "
    "333 611 556 778 556 556 500 389 280 389 584"
)
_WIDTHS = {bold: tuple(map(int, text.split())) for bold, text in ((False, _REGULAR), (True, _BOLD))}
_OTHERS = {"×": 584, "·": 278, "–": 556, "—": 1000, "’": 222, "…": 1000, "°": 400, "±": 584, "ß": 611, "²": 333}
_USUAL = 600


class Anchor(Enum):
    """Which part of a line of words stands at its place."""

    START = "start"
    MIDDLE = "middle"
    END = "end"


@dataclass(frozen=True, eq=False)
class Area:
    """A shape between loops (m, 2), filled; a loop within another leaves a hole. `line` is its rim's colour, or ""."""

    loops: tuple[Floats, ...]
    fill: str
    line: str = ""
    width: float = 0.0


@dataclass(frozen=True, eq=False)
class Line:
    """Points (n, 2) joined by a line of a width; `dashes` are the lengths of strokes and gaps, if there are any."""

    points: Floats
    colour: str
    width: float
    closed: bool = False
    dashes: tuple[float, ...] = ()


@dataclass(frozen=True)
class Words:
    """One line of words. `place` is the foot of its start, middle or end, `size` that of the letters.

    `turn` are the right and down of one unit on the way of the words, then of one down from them, so that words can lie
    in a plane that is seen aslant.
    """

    text: str
    place: tuple[float, float]
    size: float
    colour: str
    anchor: Anchor = Anchor.START
    bold: bool = False
    turn: tuple[float, float, float, float] = PLAIN


Mark = Area | Line | Words


@dataclass(frozen=True)
class MarkGroup:
    """Marks that belong together, painted in their order; the name, without spaces, is in the file."""

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


def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """How wide in mm a line of words is; a letter with an accent is as wide as without."""
    return sum(_width(sign, bold) for sign in text) * size / 1000


def _width(sign: str, bold: bool) -> int:
    base = unicodedata.normalize("NFD", sign)[0]
    if " " <= base <= "~":
        return _WIDTHS[bold][ord(base) - ord(" ")]
    return _OTHERS.get(sign, _USUAL)


def shortened(text: str, size: float, most: float, *, bold: bool = False) -> str:
    """The words, the end of those that are wider than `most` mm left out."""
    if width_of(text, size, bold=bold) <= most:
        return text
    while text and width_of(f"{text}…", size, bold=bold) > most:
        text = text[:-1].rstrip()
    return f"{text}…"


def box(left: float, top: float, width: float, height: float) -> Floats:
    """The corners (4, 2) of a rectangle."""
    return np.array([[left, top], [left + width, top], [left + width, top + height], [left, top + height]])


def centred(
    text: str, middle: Floats, size: float, colour: str, *, bold: bool = False, turn: Floats | None = None
) -> Words:
    """Capitals whose middle stands at a place (2,); `turn` (2, 2) as in `Words`, a row for each way."""
    ways = np.eye(2) if turn is None else turn
    x, y = (middle + ways[1] * CAPITALS * size / 2).tolist()
    a, b, c, d = ways.ravel().tolist()
    return Words(text, (x, y), size, colour, Anchor.MIDDLE, bold, (a, b, c, d))
