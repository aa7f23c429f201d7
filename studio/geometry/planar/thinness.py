"""Where a flat shape is thin, or a notch of it narrow: parts that no disc of a width fits into.

tip: the pointed end of a part, which no disc reaches; it is not thin where it is short.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from studio.geometry.curves.strokes import Curves, Floats

if TYPE_CHECKING:
    import shapely

FLATTENING = 1e-3
"""The largest deviation of the polygon that is measured, as a fraction of the width."""
SLACK = 0.99
"""The fraction of the width that must fit, so that a part of just that width does."""
TIP = 0.6
"""The greatest length of a tip that is not thin, in widths."""
QUARTER = 16
"""Chords per quarter circle."""


def region(rings: tuple[Floats, ...], tolerance: float) -> shapely.Polygon:
    """The polygon of an outline and its holes, control points (3k + 1, 2), within `tolerance` of the curves."""
    import shapely

    lines = Curves.of(list(rings)).flattened(tolerance)
    return shapely.Polygon(lines[0], [lines[at] for at in range(1, len(lines))])


def thin_part(rings: tuple[Floats, ...], width: float) -> Floats | None:
    """A place (2,) where the shape is thinner than a width, or None."""
    return _thin(region(rings, FLATTENING * width), width)


def narrow_notch(rings: tuple[Floats, ...], width: float) -> Floats | None:
    """A place (2,) where what is around the shape, or in a hole of it, is narrower than a width, or None."""
    import shapely

    shape = region(rings, FLATTENING * width)
    return _thin(shapely.difference(shapely.envelope(shapely.buffer(shape, 4 * width)), shape), width)


def _thin(shape: shapely.Geometry, width: float) -> Floats | None:
    """A place of the shape that no disc covers, or where the places of a disc are divided."""
    import shapely

    radius = SLACK * width / 2
    middles = shapely.buffer(shape, -radius, quad_segs=QUARTER)
    covered = shapely.buffer(middles, radius + TIP * width, quad_segs=QUARTER)
    left = shapely.difference(shape, covered)
    if not shapely.is_empty(left):
        return _inside(left)
    parts = shapely.get_parts(middles)
    if len(parts) <= shapely.get_num_geometries(shape):
        return None
    # A neck keeps two parts of it apart; it is where they are nearest.
    first, others = parts[0], shapely.union_all(parts[1:])
    return np.asarray(shapely.get_coordinates(shapely.shortest_line(first, others)).mean(axis=0))


def _inside(shape: shapely.Geometry) -> Floats:
    import shapely

    return np.asarray(shapely.get_coordinates(shapely.point_on_surface(shape))[0])
