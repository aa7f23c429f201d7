"""Thin parts and narrow notches of flat shapes, and distances from areas."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from studio.geometry.curves.strokes import Curves, Floats, Ints, frozen

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


# How far places are from an area, of whose outline only what is nearby is measured

PART = 24
"""How many straight lines of the outline are measured together."""
NEARLY = 1 + 1e-9
"""The rounding error, as a factor, of squares of distances that are compared."""


class Distances:
    """The distances from an area, the same to the bit as shapely's, which measures to all of its outline each time."""

    def __init__(self, area: shapely.Polygon) -> None:
        import shapely

        self.area = area
        shapely.prepare(area)
        lines, owners = shapely.get_coordinates(shapely.get_parts(shapely.boundary(area)), return_index=True)
        firsts, counts = _parts(np.bincount(owners))
        at = np.repeat(firsts - np.append(0, np.cumsum(counts)[:-1]), counts) + np.arange(counts.sum())
        points = frozen(lines[at])
        self._lines = shapely.linestrings(points, indices=np.repeat(np.arange(len(counts)), counts))
        starts = np.append(0, np.cumsum(counts)[:-1])
        self._firsts = points[starts]
        self._low, self._high = np.minimum.reduceat(points, starts), np.maximum.reduceat(points, starts)

    def of(self, places: Floats, most: float = np.inf) -> Floats:
        """How far places (k, 2) are from the area, (k,), 0 within; of what is further than `most`, only that it is."""
        import shapely

        gaps = np.where(shapely.intersects_xy(self.area, places), 0.0, np.inf)
        outside = np.flatnonzero(gaps)
        off, way = np.zeros((2, len(outside), len(self._lines)))
        # Each axis by itself: two numbers in a row are too few for a loop of numpy's.
        for here, low, high, first in zip(places[outside].T, self._low.T, self._high.T, self._firsts.T, strict=True):
            spots = here[:, None]
            off += np.maximum(np.maximum(low - spots, spots - high), 0.0) ** 2
            way += (first - spots) ** 2
        # A part whose box is further away than some place of the outline is not the nearest.
        near = np.minimum(way.min(axis=1), most * most)
        which, part = np.nonzero(off <= NEARLY * near[:, None])
        if len(which):
            found = shapely.distance(self._lines[part], shapely.points(places[outside])[which])
            firsts = np.flatnonzero(np.append(True, which[1:] != which[:-1]))
            gaps[outside[which[firsts]]] = np.minimum.reduceat(found, firsts)
        return gaps


def _parts(sizes: Ints) -> tuple[Ints, Ints]:
    """Where parts of lines of these sizes begin, and how many points each has; its last is the first of the next."""
    firsts, counts, start = [], [], 0
    for size in sizes.tolist():
        for first in range(0, size - 1, PART):
            firsts.append(start + first)
            counts.append(min(PART, size - 1 - first) + 1)
        start += size
    return np.array(firsts, np.int64), np.array(counts, np.int64)
