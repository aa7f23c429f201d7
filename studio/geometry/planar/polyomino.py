"""Flat shapes made of squares, tiles or raster cells: outlines, and insets by a margin."""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.geometry.curves.strokes import Floats, Ints, frozen

if TYPE_CHECKING:
    from shapely import LinearRing, Polygon
    from shapely.geometry.base import BaseGeometry


Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Loop:
    """The outline of a polyomino: corners (n, 2), outward directions (n, 2) of the sides before and after each."""

    corners: Ints
    before: Ints
    after: Ints
    convex: Mask

    def inset(self, side: float, margin: float) -> Floats:
        """The corners (n, 2) in mm of squares of `side` mm, all sides moved inwards by `margin` mm."""
        return np.asarray(self.corners * side - margin * (self.before + self.after), np.float64)


def outline(mask: Mask) -> Loop:
    """The outline of the squares (i, j) at which `mask` (a, b) is true; i counts along x, j along y.

    Raises StudioError unless it is one loop: the squares hang together by their sides, without a hole, and no two
    touch at a corner only.
    """
    squares = {(i, j) for i, j in np.argwhere(mask).tolist()}
    following: dict[tuple[int, int], tuple[int, int]] = {}
    steps = 0
    for i, j in squares:
        for free, start, end in (
            ((i, j - 1), (i, j), (i + 1, j)),
            ((i + 1, j), (i + 1, j), (i + 1, j + 1)),
            ((i, j + 1), (i + 1, j + 1), (i, j + 1)),
            ((i - 1, j), (i, j + 1), (i, j)),
        ):
            if free not in squares:
                following[start] = end
                steps += 1
    if not following:
        raise StudioError(tr("A piece without voxels has no outline."))
    walk = [min(following)]
    # Two squares that touch at a corner only have two ways to go on from there, and the walk might never come back.
    while len(following) == steps and (at := following[walk[-1]]) != walk[0]:
        walk.append(at)
    if len(walk) != steps:
        raise StudioError(tr("A piece must be in one part and have no hole."))
    points = np.array(walk, np.int64)
    coming, going = points - np.roll(points, 1, axis=0), np.roll(points, -1, axis=0) - points
    turn = coming[:, 0] * going[:, 1] - coming[:, 1] * going[:, 0]
    kept = turn != 0
    outward = [np.stack([way[kept, 1], -way[kept, 0]], 1) for way in (coming, going)]
    return Loop(frozen(points[kept]), frozen(outward[0]), frozen(outward[1]), frozen(turn[kept] > 0))


# The outlines of flat patches made of tiles; the tiles share whole edges, as those of any grid do.
#
# tile: a polygon by its corners, whole numbers on any grid; all tiles go round the same way. loop: an outline of what
# the tiles cover together, round the same way as they; the outline of a hole goes round the other way.

Place = tuple[int, int]


def outlines(tiles: Ints) -> tuple[Ints, ...]:
    """The loops (m, 2) around tiles (n, k, 2), corners only; patches that touch at a corner have loops of their own."""
    if not len(tiles):
        return ()
    following = _rims(tiles)
    first = tiles[0]
    swept = first[:, 0] * np.roll(first[:, 1], -1) - first[:, 1] * np.roll(first[:, 0], -1)
    inwards = 1 if swept.sum() > 0 else -1
    loops = []
    while following:
        loops.append(_corners(_walk(following, inwards)))
    return tuple(loops)


def _rims(tiles: Ints) -> dict[Place, list[Place]]:
    """Where the edges of tiles that no other tile shares lead to, by where they begin."""
    edges: dict[tuple[Place, Place], None] = {}
    for tile in tiles.tolist():
        corners = [(x, y) for x, y in tile]
        for start, end in zip(corners, [*corners[1:], corners[0]], strict=True):
            if (end, start) in edges:
                del edges[end, start]
            else:
                edges[start, end] = None
    following: dict[Place, list[Place]] = {}
    for start, end in sorted(edges):
        following.setdefault(start, []).append(end)
    return following


def _walk(following: dict[Place, list[Place]], inwards: int) -> list[Place]:
    """One loop, taken out of what is left to follow."""
    walk = [min(following)]
    while len(walk) == 1 or walk[-1] != walk[0]:
        here = walk[-1]
        ends = following[here]
        end = ends[0]
        if len(ends) > 1 and len(walk) > 1:
            # Where patches touch at a corner, the sharpest turn keeps to the tile that was followed.
            before = walk[-2]
            end = max(ends, key=lambda each: inwards * _turn(before, here, each))
        ends.remove(end)
        if not ends:
            del following[here]
        walk.append(end)
    return walk[:-1]


def _turn(before: Place, here: Place, after: Place) -> float:
    a, b = (here[0] - before[0], here[1] - before[1]), (after[0] - here[0], after[1] - here[1])
    return atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1])


def _corners(walk: list[Place]) -> Ints:
    points = np.array(walk, np.int64)
    coming, going = points - np.roll(points, 1, axis=0), np.roll(points, -1, axis=0) - points
    return np.asarray(points[coming[:, 0] * going[:, 1] != coming[:, 1] * going[:, 0]])


# The outlines of the dark cells of a raster, as polygons with few points

SMOOTHING = 0.75
"""How far, in cells, an outline may be from the stairs that the cells make."""
SPECK = 4.0
"""Area in cells below which a part or a hole is left out."""
MOST_SIDES = 100_000
"""Sides between dark and light cells; a picture of noise has more, an area that somebody drew far fewer."""


def traced(cells: NDArray[np.bool_]) -> BaseGeometry:
    """The area of the cells (rows, columns) that are set, a cell being 1 × 1 and the first one at the origin.

    Raises StudioError if it has more than MOST_SIDES sides.
    """
    import shapely

    padded = np.pad(cells, 1).astype(np.int8)
    y, x = np.nonzero(np.diff(padded[1:-1], axis=1))
    upright = np.stack([np.stack([x, y], 1), np.stack([x, y + 1], 1)], 1)
    y, x = np.nonzero(np.diff(padded[:, 1:-1], axis=0))
    level = np.stack([np.stack([x, y], 1), np.stack([x + 1, y], 1)], 1)
    sides = np.concatenate([upright, level])
    if not len(sides):
        return shapely.Polygon()
    if len(sides) > MOST_SIDES:
        raise StudioError(tr("its areas have more than {most:,} edges. Use simpler shapes.", most=MOST_SIDES))
    faces = shapely.get_parts(shapely.polygonize(shapely.linestrings(sides)))
    at = np.floor(shapely.get_coordinates(shapely.point_on_surface(faces))).astype(np.int64)
    parts = faces[cells[at[:, 1], at[:, 0]] & (shapely.area(faces) >= SPECK)]
    return shapely.union_all([shapely.make_valid(_smoothed(part)) for part in parts])


def _smoothed(part: Polygon) -> BaseGeometry:
    """A part that runs through the middles of the sides of its cells, without holes that are specks."""
    import shapely

    holes = [hole for hole in part.interiors if shapely.area(shapely.Polygon(hole)) >= SPECK]
    return shapely.simplify(shapely.Polygon(_middles(part.exterior), [_middles(hole) for hole in holes]), SMOOTHING)


def _middles(ring: LinearRing) -> Floats:
    import shapely

    places = shapely.get_coordinates(shapely.segmentize(ring, 1.0))
    return np.asarray((places[1:] + places[:-1]) / 2)
