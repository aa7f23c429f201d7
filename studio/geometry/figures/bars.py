"""Shapes of several parts made one piece by bars, as in a stencil; lengths are in units of the shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from studio.geometry.curves.fitting import fitted
from studio.geometry.curves.strokes import Floats, Polylines

if TYPE_CHECKING:
    import shapely

CENTRED = 2.5
"""By how much a bar in the middle may be longer than the shortest."""
ALMOST = 2.0
"""A part is joined to the largest one unless another is nearer by this factor."""
FAR = 10.0
"""Farther than any part reaches, in sizes of the shape."""
STEP = 0.02
"""The longest step between the points that curves are fitted to, as a fraction of the height."""
FLATTENING, FITTED = 1e-4, 5e-4
"""The largest deviation of a polygon, and then of its curves, as fractions of the height."""


def in_one_piece(shape: shapely.Geometry, width: float, reach: float = np.inf) -> shapely.Geometry:
    """The shape with a bar of a width from part to part, the nearest parts first.

    Parts farther than `reach` from all others stay apart.
    """
    import shapely

    parts = shapely.get_parts(shape)
    if len(parts) < 2:
        return shape
    left, apart = [*parts], []
    whole = largest = left.pop(int(shapely.area(parts).argmax()))
    while left:
        part = left.pop(int(shapely.distance(left, whole).argmin()))
        near = float(shapely.distance(part, whole))
        if near > reach:
            apart.append(part)
            continue
        # Two dots stand on their letter, not on each other.
        onto = largest if shapely.distance(part, largest) <= ALMOST * near else whole
        whole = shapely.union_all([whole, part, bar(onto, part, width)])
    return shapely.union_all([whole, *apart])


def bar(one: shapely.Geometry, other: shapely.Geometry, width: float, centred: float = CENTRED) -> shapely.Polygon:
    """A bar between two shapes that reaches a little into both: upright or level in their middle, or the shortest.

    One in the middle may be longer than the shortest by a factor `centred`.
    """
    import shapely

    low, high = (shapely.bounds(one), shapely.bounds(other))
    left, top = np.maximum(low[:2], high[:2]).tolist()
    right, bottom = np.minimum(low[2:], high[2:]).tolist()
    x, y = (left + right) / 2, (top + bottom) / 2
    far = FAR * float(np.abs([*low, *high]).max())
    ways = [shapely.shortest_line(one, other)]
    for line in (shapely.LineString([(x, -far), (x, far)]), shapely.LineString([(-far, y), (far, y)])):
        ways.append(shapely.shortest_line(shapely.intersection(line, one), shapely.intersection(line, other)))
    lengths = np.array([np.inf if way is None else float(shapely.length(way)) for way in ways])
    lengths[0] *= centred
    begin, end = shapely.get_coordinates(ways[int(lengths.argmin())])
    into = (end - begin) / max(float(np.hypot(*(end - begin))), 1e-9) * width / 2
    return shapely.buffer(shapely.LineString([begin - into, end + into]), width / 2, cap_style="flat")


def ring_of(outline: shapely.Geometry, height: float) -> Floats:
    """A closed line as curves in the same direction, its corners kept; `height` is that of the whole shape."""
    import shapely

    thin = shapely.simplify(outline, FLATTENING * height)
    line = shapely.get_coordinates(shapely.segmentize(thin, STEP * height))
    points = fitted(Polylines(line, np.array([0, len(line)])), FITTED * height, FITTED * height).points.copy()
    points[-1] = points[0]
    return points
