"""Text that is engraved into a flat: broken into lines, fitted to its room, and its strokes made as wide as a pen.

room: the width and the height in mm that a text has. pen: how wide in mm a stroke becomes; 0 for a laser, whose line
has no width here. height: that of capitals, in mm. land: a raised area within a letter, such as the middle of an O.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from studio.geometry.art.lettering import lettered, width_of
from studio.geometry.curves.strokes import Curves, Floats, Ints

if TYPE_CHECKING:
    from shapely import MultiPolygon, Polygon

PITCH = 1.5
"""From one line to the next, in heights."""
FINEST = 0.1
"""The step in mm of fitted heights."""
ROUND = 3
"""In how many steps the pen goes round a quarter of its end."""
KEPT = 0.004
"""The largest deviation in mm of the rim of a stroke from the pen's path."""
CLOSED = 0.1
"""A ridge between two strokes that is less than twice this wide in mm is removed with them: no printer makes it."""
GRID = 1e-3
"""The grid in mm for corners of rims, so that no two of them coincide in a file."""


@dataclass(frozen=True)
class Room:
    """The width and the height in mm that a text has, the pen's width included."""

    width: float
    height: float


def lines_of(text: str, height: float, width: float) -> tuple[str, ...]:
    """A text broken at its spaces into lines, each as full as `width` mm allows; a longer word has its own."""
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
    """The strokes of a text in lines, its middle at the origin, y downwards; None where it does not fit its room.

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
    return Curves.of([stroke - (low + high) / 2 for stroke in strokes])


@lru_cache(maxsize=256)
def fitted(text: str, room: Room, pen: float, most: float) -> float:
    """The largest height up to `most` mm at which a text fits its room; 0 where none does.

    Raises StudioError for a character that the font lacks.
    """
    if laid(text, most, room, pen) is not None:
        return most
    steps = _most(int(most / FINEST + FINEST), lambda step: laid(text, step * FINEST, room, pen) is not None)
    return round(steps * FINEST, 6)


def _most(most: int, good: Callable[[int], bool]) -> int:
    """The largest number up to `most` that is good, where all below it are; 0 where none is."""
    low = 0
    while low < most:
        middle = (low + most + 1) // 2
        low, most = (middle, most) if good(middle) else (low, middle - 1)
    return low


def longest(text: str, height: float, room: Room, pen: float) -> int:
    """How many letters from the beginning of a text fit its room at a height."""
    return _most(len(text), lambda count: laid(text[:count], height, room, pen) is not None)


def grooves(strokes: Curves, pen: float, within: Polygon | MultiPolygon | None = None) -> tuple[Floats, ...]:
    """What a round pen leaves along straight strokes: closed rims (n, 2) in mm, the last corner not repeated.

    What would leave the area `within` is cut off. A rim runs counter-clockwise where y grows upwards, round land
    clockwise. Land on which the pen itself would find no place is left out: it would break off.
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
    """Lines in groups that are farther than `reach` from each other, so that their ink does not meet."""
    import shapely

    first, second = shapely.STRtree(lines).query(lines, predicate="dwithin", distance=reach)
    begins = np.searchsorted(first, np.arange(len(lines)))
    group, before = np.arange(len(lines)), np.empty(0, np.int64)
    while not np.array_equal(group, before):
        group, before = np.minimum.reduceat(group[second], begins), group
    return [np.flatnonzero(group == each) for each in np.unique(group)]


def _inked(lines: NDArray[np.object_], pen: float, within: Polygon | MultiPolygon | None) -> object:
    """What a round pen leaves along lines within an area; its rims touch nowhere."""
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
    """Whether rims touch at a corner, where a body would have an edge without thickness."""
    import shapely

    rings = shapely.get_rings(shapely.get_parts(area))
    corners = shapely.get_coordinates(area)
    return len(np.unique(corners, axis=0)) < len(corners) - len(rings)


def _bears(ring: object, pen: float) -> bool:
    import shapely

    return not shapely.is_empty(shapely.buffer(shapely.polygons(ring), -pen / 2))


def _followed(ring: object, way: float) -> Floats:
    """The corners of a ring, counter-clockwise where `way` is positive."""
    import shapely

    points = np.asarray(shapely.get_coordinates(ring)[:-1], np.float64)
    x, y = points.T
    area = float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum())
    return points if area * way > 0 else points[::-1]
