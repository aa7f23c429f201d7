"""Welding of rings: the outlines of the area that overlapping closed paths enclose.

shapely finds the union, and its stretches are cut out of the paths themselves.
place: a place on a ring, counted in chords from its beginning; ring: control points (3k + 1, 2) of cubics in mm.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.geometry.curves.strokes import Floats, Ints, offsets, paired

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry


CHORD = 0.002
"""The largest distance in mm of a chord from its cubic."""
LINES_AT_ONCE = 50
MOST_CHORDS = 64
"""Chords of one cubic."""
MOST_LINES, MOST_MEETINGS = 200_000, 600_000
"""Chords, and pairs of them whose boxes meet, beyond which shapely would fill the memory."""
SAME_PLACE = 1e-6
"""Length in chords below which a stretch is a rounding error."""
SLIVER = 1e-4
"""Area in mm² below which a gap between two paths is a rounding error."""


def welded(rings: Sequence[Floats]) -> list[Floats]:
    """Outlines of the area that rings enclose, and of its holes.

    A ring within another ring is its hole, a ring within that hole is solid again. A ring that crosses itself encloses
    every place that it goes round. Curves keep their stretches, which end at crossings within CHORD. Raises
    StudioError, to follow a file's name, for too many crossings.
    """
    import shapely

    flat = [_Flat(ring) for ring in rings]
    chords = np.concatenate([np.stack([one.points[:-1], one.points[1:]], 1) for one in flat])
    lines = shapely.linestrings(chords)
    tree = shapely.STRtree(lines)
    met = 0
    for begin in range(0, min(len(lines), MOST_LINES + 1), LINES_AT_ONCE):
        met += tree.query(lines[begin : begin + LINES_AT_ONCE]).shape[1]
        if met > MOST_MEETINGS or len(lines) > MOST_LINES:
            raise StudioError(tr("its paths have too many points or crossings to weld. Simplify the drawing."))
    united = _united([_enclosed(one.points) for one in flat])
    outlines = [
        np.asarray(ring.coords)
        for polygon in shapely.get_parts(united)
        for ring in (polygon.exterior, *polygon.interiors)
        if shapely.area(shapely.Polygon(ring)) > SLIVER
    ]
    starts = offsets(np.array([len(one.points) - 1 for one in flat]))
    made = []
    for outline in outlines:
        nearest = tree.nearest(shapely.points((outline[:-1] + outline[1:]) / 2))
        owners = np.searchsorted(starts, nearest, "right") - 1
        numbers = nearest - starts[owners]
        begins, ends = (numbers + _share(points, chords[nearest]) for points in (outline[:-1], outline[1:]))
        made.append(_traced(outline, flat, owners, begins, ends))
    return made


def _share(points: Floats, chords: Floats) -> Floats:
    """Share of its chord (2, 2) at each point, 0 to 1."""
    ways = chords[:, 1] - chords[:, 0]
    return np.asarray(np.clip(((points - chords[:, 0]) * ways).sum(axis=1) / (ways**2).sum(axis=1), 0.0, 1.0))


class _Flat:
    """A ring and the chords of its cubics, `counts` for each."""

    def __init__(self, ring: Floats) -> None:
        self.cubics = ring[3 * np.arange(len(ring) // 3)[:, None] + np.arange(4)]
        bends = np.abs(np.diff(self.cubics, n=2, axis=1)).sum(axis=2).max(axis=1)
        self.counts = np.clip(np.ceil(np.sqrt(0.75 * bends / CHORD)), 1, MOST_CHORDS).astype(np.int64)
        self.starts = offsets(self.counts)
        owners = np.repeat(np.arange(len(self.counts)), self.counts)
        share = ((np.arange(self.starts[-1]) - self.starts[owners]) / self.counts[owners])[:, None]
        weights = np.concatenate(
            [(1 - share) ** 3, 3 * share * (1 - share) ** 2, 3 * share**2 * (1 - share), share**3], 1
        )
        self.points = np.append((weights[..., None] * self.cubics[owners]).sum(axis=1), ring[:1], axis=0)

    def between(self, begin: float, end: float) -> Floats:
        """Control points of the stretch from one place to a later one."""
        first = int(np.searchsorted(self.starts, begin, "right")) - 1
        last = int(np.searchsorted(self.starts, end, "left")) - 1
        parts = []
        for cubic in range(first, last + 1):
            low, high = (
                min(max((place - self.starts[cubic]) / self.counts[cubic], 0.0), 1.0) for place in (begin, end)
            )
            parts.append(_part(self.cubics[cubic], low, high))
        return np.concatenate([parts[0][:1], *(part[1:] for part in parts)])


def _part(cubic: Floats, low: float, high: float) -> Floats:
    """Control points (4, 2) of the part of a cubic between two shares of it, by its blossom."""

    def at(*shares: float) -> Floats:
        points: Floats = cubic
        for share in shares:
            points = points[:-1] * (1 - share) + points[1:] * share
        return np.asarray(points[0])

    if (low, high) == (0.0, 1.0):
        return cubic
    return np.stack([at(low, low, low), at(low, low, high), at(low, high, high), at(high, high, high)])


def _enclosed(points: Floats) -> BaseGeometry:
    """The area of all places that a closed line goes round."""
    import shapely

    polygon = shapely.Polygon(points)
    if shapely.is_valid(polygon):
        return polygon
    faces = shapely.get_parts(shapely.polygonize([shapely.node(shapely.LineString(points))]))
    places = shapely.get_coordinates(shapely.point_on_surface(faces))
    ways = paired(points) - paired(places)[:, None]
    turns = np.angle(ways[:, 1:] / ways[:, :-1]).sum(axis=1)
    return shapely.union_all(faces[np.abs(turns) > np.pi])


def _united(areas: list[BaseGeometry]) -> BaseGeometry:
    """Unite areas; an area within an odd number of others is a hole in the smallest of them."""
    import shapely

    outer, inner = shapely.STRtree(areas).query(areas, predicate="contains_properly")
    depths = np.bincount(inner, minlength=len(areas))
    sizes = shapely.area(areas)
    solids = {at: areas[at] for at in np.flatnonzero(depths % 2 == 0).tolist()}
    for at in np.flatnonzero(depths % 2).tolist():
        around = outer[inner == at]
        parent = int(around[sizes[around].argmin()])
        if parent in solids:
            solids[parent] = shapely.difference(solids[parent], areas[at])
    return shapely.union_all(list(solids.values()))


def _traced(outline: Floats, flat: list[_Flat], owners: Ints, begins: Floats, ends: Floats) -> Floats:
    """Trace an outline along the stretches of the rings under its chords, from `begins` to `ends` on their owners."""
    falls = ends < begins
    goes_on = (owners[1:] == owners[:-1]) & (falls[1:] == falls[:-1]) & (np.abs(begins[1:] - ends[:-1]) < SAME_PLACE)
    breaks = [0, *(np.flatnonzero(~goes_on) + 1).tolist(), len(owners)]
    parts: list[Floats] = []
    for first, after in pairwise(breaks):
        low, high = sorted((float(begins[first]), float(ends[after - 1])))
        if high - low < SAME_PLACE:
            continue
        part = flat[owners[first]].between(low, high)
        part = part[::-1].copy() if falls[first] else part
        begin = parts[-1][-1] if parts else outline[first]
        part[1] += begin - part[0]
        part[0] = begin
        part[-2] += outline[after] - part[-1]
        part[-1] = outline[after]
        parts.append(part)
    whole = np.concatenate([parts[0][:1], *(part[1:] for part in parts)])
    whole[-1] = whole[0]
    return whole
