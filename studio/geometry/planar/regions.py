"""The pieces of a drawing as polygons with their holes, and the waste inside the holes.

waste: what of a hole no piece fills; it falls out and belongs to no piece.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import shapely
from numpy.typing import NDArray

from studio.geometry.curves.strokes import Curves, Floats, Ints, Polylines, through
from studio.geometry.planar.drawing import Drawing, Pieces

Polygons = NDArray[np.object_]

LEAST_WASTE = 1e-3
"""What is smaller, in mm², is only a rounding error."""
SHORTEST = 0.1
"""The shortest part in mm that is left of a line which is clipped."""
FOLLOWED = 0.005
"""The largest deviation in mm of the polylines by which lines are clipped to a board."""


def as_polygons(rings: Polylines, owners: Ints) -> Polygons:
    """One polygon a piece, of its outline and the holes that follow it; `owners` has the piece of every ring."""
    lines = shapely.linearrings(rings.points, indices=rings.owners)
    starts = np.searchsorted(owners, np.arange(int(owners.max(initial=-1)) + 2))
    result = shapely.polygons(lines[starts[:-1]])
    for at in np.flatnonzero(np.diff(starts) > 1).tolist():
        result[at] = shapely.Polygon(lines[starts[at]], lines[starts[at] + 1 : starts[at + 1]])
    return np.asarray(result)


def pieces_as_polygons(drawing: Drawing, polylines: Polylines) -> Polygons:
    """The pieces of a drawing, from the polylines of its strokes."""
    return as_polygons(drawing.rings(polylines), drawing.pieces.ring_owners)


def waste(drawing: Drawing) -> Polygons:
    """What falls out of the holes of a drawing's pieces, and out of holes between them, and is no piece."""
    if not len(drawing.pieces.holes) and not _may_have_voids(drawing):
        return np.empty(0, object)
    # Pieces that cross themselves are no valid polygons, and what they leave over is still to be known.
    together = shapely.union_all(shapely.make_valid(pieces_as_polygons(drawing, drawing.polylines)))
    filled = shapely.union_all(shapely.polygons(shapely.get_exterior_ring(shapely.get_parts(together))))
    parts = shapely.get_parts(shapely.difference(filled, together))
    return np.asarray(parts[shapely.area(parts) > LEAST_WASTE])


def _may_have_voids(drawing: Drawing) -> bool:
    """Whether pieces that share lines leave more than one ring of lines that only one piece follows."""
    if not drawing.shares_lines:
        return False
    strokes = drawing.strokes
    alone = np.flatnonzero(drawing.followed_once)
    ends = strokes.points[np.stack([strokes.starts[alone], strokes.starts[alone + 1] - 1], 1)]
    return int(shapely.get_num_geometries(shapely.line_merge(shapely.multilinestrings(ends)))) > 1


def board_region(drawing: Drawing) -> shapely.Geometry:
    """The board inside its border and outside its holes; empty where border and holes enclose nothing."""
    rims = drawing.strokes.chosen(np.flatnonzero(drawing.followed_once)).flattened(FOLLOWED)
    return _enclosed(rims.points.tobytes(), rims.starts.tobytes())


@lru_cache(maxsize=8)
def _enclosed(points: bytes, starts: bytes) -> shapely.Geometry:
    """What closed lines enclose, holes left out; boards whose rims stand still in a drag are asked for every frame."""
    rims = Polylines(np.frombuffer(points).reshape(-1, 2), np.frombuffer(starts, np.int64))
    lines = shapely.linestrings(rims.points, indices=rims.owners)
    region = shapely.build_area(shapely.geometrycollections(lines))
    shapely.prepare(region)
    return region


def within(curves: Curves, region: shapely.Geometry) -> Curves:
    """The curves as far as they are in a region: those that leave it as polylines, and all of them in an empty one."""
    lines = curves.flattened(FOLLOWED)
    strings = shapely.linestrings(lines.points, indices=lines.owners)
    inside = shapely.covers(region, strings)
    if inside.all() or shapely.is_empty(region):
        return curves
    found = []
    for number, is_inside in enumerate(inside.tolist()):
        found += [curves[number]] if is_inside else parts_within(strings[number], region)
    return Curves.of(found)


def parts_within(string: shapely.LineString, region: shapely.Geometry) -> list[Floats]:
    """The parts of a line in a region, as the control points of straight cubics; slivers are left out."""
    parts = shapely.get_parts(shapely.line_merge(shapely.intersection(string, region))).tolist()
    return [through(shapely.get_coordinates(part)) for part in parts if part.length >= SHORTEST]


# Colouring pieces so that neighbours differ


def tints(pieces: Pieces, count: int) -> Ints:
    """A tint from 0 to `count` - 1 for every piece, in which pieces that share a stroke differ where that can be had.

    Greedy in the order of the pieces; each begins its search at another tint, so that all are used alike.
    """
    strokes = pieces.codes >> 1
    order = np.argsort(strokes, kind="stable")
    same = strokes[order][1:] == strokes[order][:-1]
    owners = pieces.owners[order]
    neighbours: list[list[int]] = [[] for _ in range(len(pieces))]
    for one, other in zip(owners[:-1][same].tolist(), owners[1:][same].tolist(), strict=True):
        neighbours[one].append(other)
        neighbours[other].append(one)
    result = [-1] * len(pieces)
    for piece in range(len(pieces)):
        taken = {result[other] for other in neighbours[piece]}
        first = piece * 5 // 3 % count
        free = (tint % count for tint in range(first, first + count) if tint % count not in taken)
        result[piece] = next(free, first)
    return np.array(result, np.int64)
