"""Text as the strokes of a single-line font, so that a laser draws every line of a letter once and outlines none.

The letters are the simplex roman ones that A. V. Hershey drew for the U.S. National Bureau of Standards in 1967.
Signs that he did not draw are drawn here, and accents are set on his letters.

advance: the distance from the start of a letter to the start of the next. unit: one step of the grid on which the
letters are drawn; capitals are 21 tall.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.geometry.curves.strokes import Curves, Floats, Ints, frozen, through

if TYPE_CHECKING:
    from shapely import MultiPolygon, Polygon

CAPITALS = 21.0
"""The height of capitals in units of the font."""
BASELINE = 9.0
"""The y of the baseline in units of the font; y grows downwards."""
_FACE = "rowmans"

Polyline = tuple[tuple[float, float], ...]

_RING: Polyline = ((-1, -12), (1, -12), (3, -10), (3, -8), (1, -6), (-1, -6), (-3, -8), (-3, -10), (-1, -12))
# The sign, the units from its middle to its sides, and its lines. The font draws brackets, braces, @ and ~ twice over
# to make them bold.
_DRAWN: dict[str, tuple[float, tuple[Polyline, ...]]] = {
    "×": (11, (((-6, -6), (6, 6)), ((-6, 6), (6, -6)))),
    "±": (13, (((0, -9), (0, 5)), ((-8, -2), (8, -2)), ((-8, 9), (8, 9)))),
    "–": (10, (((-7, 0), (7, 0)),)),
    "—": (16, (((-13, 0), (13, 0)),)),
    "−": (13, (((-9, 0), (9, 0)),)),
    "°": (6, (_RING,)),
    "·": (4, (((0, -2), (1, -1), (0, 0), (-1, -1), (0, -2)),)),
    "[": (7, (((4, -16), (-3, -16), (-3, 16), (4, 16)),)),
    "]": (7, (((-4, -16), (3, -16), (3, 16), (-4, 16)),)),
    "{": (7, (((4, -16), (1, -15), (0, -12), (0, -4), (-1, -1), (-4, 0), (-1, 1), (0, 4), (0, 12), (1, 15),
               (4, 16)),)),
    "}": (7, (((-4, -16), (-1, -15), (0, -12), (0, -4), (1, -1), (4, 0), (1, 1), (0, 4), (0, 12), (-1, 15),
               (-4, 16)),)),
    "~": (12, (((-9, 2), (-8, -1), (-6, -2), (-4, -2), (-2, -1), (2, 2), (4, 3), (6, 3), (8, 2), (9, -1)),)),
    "@": (14, (((4, -4), (2, -6), (-1, -6), (-4, -3), (-4, 1), (-2, 4), (1, 4), (4, 1)),
               ((5, -7), (4, 1), (5, 4), (8, 4), (10, 2), (11, -1), (11, -3), (10, -6), (7, -10), (2, -12), (-4, -11),
                (-8, -8), (-10, -3), (-10, 0), (-8, 5), (-4, 8), (-1, 9), (5, 8), (8, 6)))),
    "ß": (10, (((-6, 9), (-6, -8), (-5, -11), (-2, -12), (1, -12), (4, -11), (5, -9), (5, -7), (4, -5), (1, -3),
                (4, -1), (6, 2), (6, 5), (4, 8), (1, 9), (-1, 8)),)),
    "Æ": (13, (((1, -12), (-11, 9)), ((1, -12), (1, 9)), ((1, -12), (11, -12)), ((1, -2), (8, -2)),
               ((1, 9), (11, 9)), ((-7, 2), (1, 2)))),
    "Œ": (14, (((1, -12), (-4, -12), (-7, -11), (-9, -9), (-10, -7), (-11, -4), (-11, 1), (-10, 4), (-9, 6), (-7, 8),
                (-4, 9), (1, 9)), ((1, -12), (1, 9)), ((1, -12), (12, -12)), ((1, -2), (8, -2)), ((1, 9), (12, 9)))),
    "æ": (13, (((0, -2), (-2, -4), (-4, -5), (-6, -5), (-8, -4), (-10, -2), (-11, 1), (-11, 3), (-10, 6), (-8, 8),
                (-6, 9), (-4, 9), (-2, 8), (0, 6)), ((0, -5), (0, 9)),
               ((0, 1), (10, 1), (10, -1), (9, -3), (8, -4), (6, -5), (4, -5), (2, -4), (0, -2)),
               ((0, 6), (2, 8), (4, 9), (6, 9), (8, 8), (10, 6)))),
    "œ": (13, (((-4, -5), (-5, -5), (-7, -4), (-9, -2), (-10, 1), (-10, 3), (-9, 6), (-7, 8), (-5, 9), (-4, 9),
                (-2, 8), (0, 6), (1, 3), (1, 1), (0, -2), (-2, -4), (-4, -5)),
               ((1, 1), (11, 1), (11, -1), (10, -3), (9, -4), (7, -5), (5, -5), (3, -4), (0, -2)),
               ((0, 6), (3, 8), (5, 9), (7, 9), (9, 8), (11, 6)))),
}  # fmt: skip
# Quotation marks, hyphens and spaces that do not break.
_SAME = {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2010": "-", "\u2011": "-", "\u00a0": " ",
         "\u202f": " "}  # fmt: skip
# A letter, and the line that crosses it.
_CROSSED: dict[str, tuple[str, Polyline]] = {
    "ł": ("l", ((-3, 1), (3, -4))), "Ł": ("L", ((-9, 2), (-2, -4))), "ø": ("o", ((-6, 9), (7, -5))),
    "Ø": ("O", ((-8, 9), (8, -12))), "đ": ("d", ((1, -8), (9, -8))), "Đ": ("D", ((-10, -2), (-3, -2))),
}  # fmt: skip
_DOTLESS = "\u0131"
_GRAVE: Polyline = ((-3, -4), (2, -1))
_ACUTE: Polyline = ((3, -4), (-2, -1))
_DOT: Polyline = ((-1, -3), (0, -2), (1, -3), (0, -4), (-1, -3))
# Unicode marks above a letter, upwards from y = 0.
_ABOVE: dict[str, tuple[Polyline, ...]] = {
    "\u0300": (_GRAVE,),
    "\u0301": (_ACUTE,),
    "\u0302": (((-4, -1), (0, -5), (4, -1)),),
    "\u0303": (((-5, -1), (-3, -4), (-1, -4), (1, -2), (3, -2), (5, -5)),),
    "\u0304": (((-4, -2), (4, -2)),),
    "\u0306": (((-4, -5), (-2, -2), (2, -2), (4, -5)),),
    "\u0307": (_DOT,),
    "\u0308": tuple(tuple((x + to, y) for x, y in _DOT) for to in (-4, 4)),
    "\u030a": (((-1, -1), (1, -1), (2, -2), (2, -4), (1, -5), (-1, -5), (-2, -4), (-2, -2), (-1, -1)),),
    "\u030b": tuple(tuple((x + to, y) for x, y in _ACUTE) for to in (-3, 3)),
    "\u030c": (((-4, -5), (0, -1), (4, -5)),),
}
# Unicode marks below a letter, downwards from y = 0.
_BELOW: dict[str, tuple[Polyline, ...]] = {
    "\u0323": (((-1, 3), (0, 2), (1, 3), (0, 4), (-1, 3)),),
    "\u0326": (((1, 2), (-1, 6)),),
    "\u0327": (((0, 0), (-1, 2), (1, 2), (2, 3), (1, 5), (-2, 5)),),
    "\u0328": (((0, 0), (-2, 2), (-2, 4), (0, 5), (2, 4)),),
}


@dataclass(frozen=True, eq=False)
class _Glyph:
    """One letter in units, its left side at x = 0 and its feet at y = 0; `lines` has points (n, 2)."""

    advance: float
    lines: tuple[Floats, ...]


def lettered(text: str, height: float) -> Curves:
    """The strokes of one line of text, straight cubics that start at x = 0 on the baseline y = 0, upwards negative.

    Capitals are `height` mm tall. Lines drawn without lifting the pen are one stroke. Raises StudioError for a
    character that the font lacks.
    """
    scale = height / CAPITALS
    at = 0.0
    strokes = []
    for letter in _letters(text):
        glyph = _glyph(letter)
        strokes += [through((line + np.array([at, 0.0])) * scale) for line in glyph.lines]
        at += glyph.advance
    return Curves.from_strokes(strokes)


def width_of(text: str, height: float) -> float:
    """Advance of a text in mm; raises StudioError for a character that the font lacks."""
    return sum(_glyph(letter).advance for letter in _letters(text)) * height / CAPITALS


def _letters(text: str) -> str:
    """Compose every accent with its letter."""
    return unicodedata.normalize("NFC", text)


@cache
def _glyph(letter: str) -> _Glyph:
    letter = _SAME.get(letter, letter)
    if letter in _DRAWN:
        half, lines = _DRAWN[letter]
        return _placed(-half, 2 * half, lines)
    drawn = _font().get(letter)
    if drawn is not None and letter.isprintable():
        return _placed(drawn.left_offset, drawn.char_width, tuple(map(tuple, drawn.strokes)))
    if letter in _CROSSED:
        base, line = _CROSSED[letter]
        return _placed(_font()[base].left_offset, _font()[base].char_width, (*_lines(base), line))
    if letter == _DOTLESS:
        return _accented("i", "")
    apart = unicodedata.normalize("NFD", letter)
    base, marks = apart[0], apart[1:]
    if marks and base.isalpha() and base in _font() and all(mark in _ABOVE or mark in _BELOW for mark in marks):
        return _accented(base, marks)
    shown = letter if letter.isprintable() else f"U+{ord(letter):04X}"
    raise StudioError(tr("The single-line font has no {letter}.", letter=shown))


def _lines(base: str) -> tuple[Polyline, ...]:
    return tuple(map(tuple, _font()[base].strokes))


def _accented(base: str, marks: str) -> _Glyph:
    """A letter with marks over and under its middle; i and j keep their dots only if all marks are below."""
    drawn, lines = _font()[base], _lines(base)
    # The first lines of i and j are their dots, and the mark replaces them.
    if base in "ij" and not (marks and all(mark in _BELOW for mark in marks)):
        lines = lines[1:]
    for mark in marks:
        xs, ys = zip(*(point for line in lines for point in line), strict=True)
        middle = (min(xs) + max(xs)) / 2
        foot, signs = (min(ys) - 1, _ABOVE[mark]) if mark in _ABOVE else (max(ys), _BELOW[mark])
        lines += tuple(tuple((x + middle, y + foot) for x, y in line) for line in signs)
    return _placed(drawn.left_offset, drawn.char_width, lines)


def _placed(left: float, advance: float, lines: tuple[Polyline, ...]) -> _Glyph:
    """Make a glyph from lines in the font's own coordinates, without repeated points."""
    moved = []
    for line in lines:
        points = line[:1] + tuple(after for before, after in pairwise(line) if after != before)
        if len(points) > 1:
            moved.append(frozen(np.array(points, np.float64) - (left, BASELINE)))
    return _Glyph(advance, tuple(moved))


@cache
def _font() -> dict[str, Any]:
    from HersheyFonts import HersheyFonts

    font = HersheyFonts()
    font.load_default_font(_FACE)
    return dict(font.all_glyphs)


# Text engraved into a flat: broken into lines, fitted to its room, and its strokes widened to a pen.
# room: the width and the height in mm available to a text. pen: the width of a stroke in mm; 0 for a laser. height: the
# height of capitals in mm. land: a raised area within a letter, such as the middle of an O.


PITCH = 1.5
"""Distance from one line to the next, in heights."""
FINEST = 0.1
"""The step in mm of fitted heights."""
ROUND = 3
"""Chords in a quarter of the pen's round end."""
KEPT = 0.004
"""The largest deviation in mm of the rim of a stroke from the pen's path."""
CLOSED = 0.1
"""Half the width in mm below which a ridge between strokes is removed with them: no printer makes it."""
GRID = 1e-3
"""The grid in mm for corners of rims, so that no two coincide in a file."""


@dataclass(frozen=True)
class Room:
    """The width and the height in mm available to a text, the pen's width included."""

    width: float
    height: float


def lines_of(text: str, height: float, width: float) -> tuple[str, ...]:
    """Break a text at its spaces into lines, each as full as `width` mm allows; a longer word has its own line."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer, height) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return tuple(lines)


@lru_cache(maxsize=256)
def laid(text: str, height: float, room: Room, pen: float) -> Curves | None:
    """The strokes of a text in lines, its middle at the origin, y downwards; None if it does not fit its room.

    Raises StudioError for a character that the font lacks.
    """
    width = room.width - pen
    rows = [(row, width_of(row, height)) for row in lines_of(text, height, width)]
    strokes: list[Floats] = []
    for at, (row, wide) in enumerate(rows):
        letters = lettered(row, height)
        shift = np.array([-wide / 2, at * PITCH * height])
        strokes += [letters[stroke] + shift for stroke in range(len(letters))]
    if not strokes:
        return None
    points = np.concatenate(strokes)
    low, high = points.min(axis=0), points.max(axis=0)
    if ((high - low) > (width + 1e-9, room.height - pen + 1e-9)).any():
        return None
    return Curves.from_strokes([stroke - (low + high) / 2 for stroke in strokes])


@lru_cache(maxsize=256)
def fitted(text: str, room: Room, pen: float, most: float) -> float:
    """The largest height up to `most` mm at which a text fits its room; 0 if none fits.

    Raises StudioError for a character that the font lacks.
    """
    if laid(text, most, room, pen) is not None:
        return most
    steps = _most(int(most / FINEST + FINEST), lambda step: laid(text, step * FINEST, room, pen) is not None)
    return round(steps * FINEST, 6)


def _most(most: int, good: Callable[[int], bool]) -> int:
    """The largest good number up to `most`, by bisection; 0 if none is good."""
    low = 0
    while low < most:
        middle = (low + most + 1) // 2
        low, most = (middle, most) if good(middle) else (low, middle - 1)
    return low


def longest(text: str, height: float, room: Room, pen: float) -> int:
    """Length of the longest beginning of a text that fits its room at a height, in letters."""
    return _most(len(text), lambda count: laid(text[:count], height, room, pen) is not None)


def grooves(strokes: Curves, pen: float, within: Polygon | MultiPolygon | None = None) -> tuple[Floats, ...]:
    """Rims (n, 2) in mm of the grooves of a round pen along straight strokes, the last corner not repeated.

    Grooves are cut off outside the area `within`. With y upwards, an outer rim runs counter-clockwise, the rim of land
    clockwise. Land narrower than the pen everywhere is left out: it would break off.
    """
    import shapely

    lines = np.array([shapely.linestrings(strokes[stroke][::3]) for stroke in range(len(strokes))], object)
    shapely.prepare(within)
    areas = [_inked(lines[group], pen, within) for group in _apart(lines, pen + 3 * CLOSED)]
    rims: list[Floats] = []
    for polygon in shapely.get_parts(shapely.normalize(shapely.multipolygons(shapely.get_parts(areas)))).tolist():
        rims.append(_followed(polygon.exterior, 1.0))
        rims += [_followed(ring, -1.0) for ring in polygon.interiors if _bears(ring, pen)]
    return tuple(rims)


def _apart(lines: NDArray[np.object_], reach: float) -> list[Ints]:
    """Group lines so that groups are farther than `reach` apart and their ink does not meet."""
    import shapely

    first, second = shapely.STRtree(lines).query(lines, predicate="dwithin", distance=reach)
    begins = np.searchsorted(first, np.arange(len(lines)))
    group, before = np.arange(len(lines)), np.empty(0, np.int64)
    while not np.array_equal(group, before):
        group, before = np.minimum.reduceat(group[second], begins), group
    return [np.flatnonzero(group == each) for each in np.unique(group)]


def _inked(lines: NDArray[np.object_], pen: float, within: Polygon | MultiPolygon | None) -> object:
    """The ink of a round pen along lines within an area; its rims touch nowhere."""
    import shapely

    wide = shapely.buffer(shapely.multilinestrings(lines), pen / 2 + CLOSED, quad_segs=ROUND)
    drawn = shapely.buffer(wide, -CLOSED, quad_segs=ROUND)
    even = shapely.set_precision(shapely.simplify(drawn, KEPT), GRID)
    if within is not None and not shapely.contains_properly(within, even):
        even = shapely.set_precision(shapely.intersection(even, within), GRID)
    while _is_pinched(even):
        even = shapely.set_precision(shapely.buffer(even, -2 * GRID, join_style="mitre"), GRID)
    return even


def _is_pinched(area: object) -> bool:
    """True if rims touch at a corner, which would give a body an edge without thickness."""
    import shapely

    rings = shapely.get_rings(shapely.get_parts(area))
    corners = shapely.get_coordinates(area)
    return len(np.unique(corners, axis=0)) < len(corners) - len(rings)


def _bears(ring: object, pen: float) -> bool:
    import shapely

    return not shapely.is_empty(shapely.buffer(shapely.polygons(ring), -pen / 2))


def _followed(ring: object, way: float) -> Floats:
    """The corners of a ring, counter-clockwise if `way` is positive, else clockwise."""
    import shapely

    points = np.asarray(shapely.get_coordinates(ring)[:-1], np.float64)
    x, y = points.T
    area = float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum())
    return points if area * way > 0 else points[::-1]
