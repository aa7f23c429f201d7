"""Areas of SVG shapes, and shapes cut off at the border of a clip path.

A shape is strokes (3k + 1, 2) in mm. Cut shapes are made of short straight lines; shapes within a clip path keep their
curves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from studio.geometry.curves.closeness import ensure_few_crossings
from studio.geometry.curves.strokes import Curves, Floats, Ints, Polylines, through

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

FLATNESS = 1e-4
"""Deviation of polygons from curves, as a fraction of the larger side of the shape."""
MOST_COMPARED = 2**24
"""Pairs of points and segments compared at a time."""


def area(strokes: Sequence[Floats], rule: str) -> BaseGeometry:
    """Return the area that a shape fills by the rule `evenodd` or `nonzero`; open strokes count as closed."""
    import shapely

    lines = _flattened(strokes)
    rings = [lines[at] for at in range(len(lines)) if len(lines[at]) > 2]
    polygons = [polygon for polygon in map(shapely.Polygon, rings) if polygon.area]
    if len(polygons) < 2 and all(polygon.is_valid for polygon in polygons):
        return polygons[0] if polygons else shapely.Polygon()
    closed = [np.concatenate([ring, ring[:1]]) for ring in rings]
    starts, ends = (np.concatenate([ring[part] for ring in closed]) for part in (slice(None, -1), slice(1, None)))
    ensure_few_crossings(starts, ends)
    noded = shapely.union_all([shapely.LineString(one) for one in closed])
    faces = shapely.get_parts(shapely.polygonize(shapely.get_parts(noded)))
    turns = _windings(shapely.get_coordinates(shapely.point_on_surface(faces)), starts, ends)
    is_inside = turns % 2 == 1 if rule == "evenodd" else turns != 0
    return shapely.union_all(faces[is_inside])


def cut(strokes: Sequence[Floats], region: BaseGeometry, rule: str, *, is_filled: bool) -> list[Floats]:
    """Return the part of a shape within a region: the border of its area if it is filled, else its lines."""
    import shapely

    if shapely.is_empty(region):
        return []
    points = np.concatenate(strokes)
    hull = shapely.box(*points.min(axis=0), *points.max(axis=0))
    if not shapely.intersects(region, hull):
        return []
    if shapely.covers(region, hull):
        return list(strokes)
    filled = area(strokes, rule) if is_filled else shapely.Point()
    if not filled.area:
        lines = _flattened(strokes)
        drawn = shapely.linestrings(lines.points, indices=lines.owners)
        if shapely.covers(region, drawn).all():
            return list(strokes)
        parts = shapely.get_parts(shapely.intersection(drawn, region))
        parts = shapely.get_parts(parts)
        lines_left = parts[(shapely.get_type_id(parts) == 1) & ~shapely.is_empty(parts)]
        return [through(shapely.get_coordinates(one)) for one in lines_left]
    if shapely.covers(region, filled):
        return list(strokes)
    parts = shapely.get_parts(shapely.intersection(filled, region))
    rings = shapely.get_rings(parts[shapely.get_type_id(parts) == 3])
    return [through(shapely.get_coordinates(ring)) for ring in rings]


def _flattened(strokes: Sequence[Floats]) -> Polylines:
    points = np.concatenate(strokes)
    return Curves.from_strokes(list(strokes)).flattened(max(FLATNESS * float(np.ptp(points, axis=0).max()), 1e-12))


def _windings(places: Floats, starts: Floats, ends: Floats) -> Ints:
    """Return the winding number of closed lines around each of n places, from their segments."""
    rise = ends[:, 1] - starts[:, 1]
    turns = np.zeros(len(places), np.int64)
    step = max(1, MOST_COMPARED // max(len(starts), 1))
    for at in range(0, len(places), step):
        x, y = places[at : at + step, :1], places[at : at + step, 1:]
        is_above, is_below = (starts[:, 1] <= y) & (y < ends[:, 1]), (ends[:, 1] <= y) & (y < starts[:, 1])
        with np.errstate(all="ignore"):
            is_right = starts[:, 0] + (y - starts[:, 1]) / rise * (ends[:, 0] - starts[:, 0]) > x
        turns[at : at + step] = (is_above & is_right).sum(axis=1) - (is_below & is_right).sum(axis=1)
    return turns
