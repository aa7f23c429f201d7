"""Flat shapes made of squares, tiles or raster cells: outlines, insets by a margin, and rounded corners."""

from __future__ import annotations

from collections.abc import Sequence
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
    """The outline of a polyomino: corners (n, 2), and the outward directions (n, 2) of the sides before and after."""

    corners: Ints
    before: Ints
    after: Ints
    convex: Mask

    def inset(self, side: float, margin: float) -> Floats:
        """The corners (n, 2) in mm of squares of `side` mm, all sides moved inwards by `margin` mm."""
        return np.asarray(self.corners * side - margin * (self.before + self.after), np.float64)


def outline(mask: Mask) -> Loop:
    """The outline of the squares (i, j) for which `mask` (a, b) is true; i counts along x, j along y.

    Raises StudioError unless it is one loop: the squares are connected by their sides, without a hole, and no two touch
    at a corner only.
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
    # At squares that touch at a corner only the walk has two ways to go on, and might never come back.
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


# The outlines of flat patches of tiles, which share whole edges, as in any grid.
#
# tile: a polygon by its corners, whole numbers on any grid; all tiles go round the same way. loop: an outline of the
# area of all tiles, round the same way as they; the outline of a hole goes round the other way.

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
        points = np.array(_walk(following, inwards), np.int64)
        coming, going = points - np.roll(points, 1, axis=0), np.roll(points, -1, axis=0) - points
        corners = np.asarray(points[coming[:, 0] * going[:, 1] != coming[:, 1] * going[:, 0]])
        loops.append(corners)
    return tuple(loops)


def _rims(tiles: Ints) -> dict[Place, list[Place]]:
    """The ends of unshared edges of tiles, by their beginnings."""
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
    """Remove one loop from the remaining edges and return it."""
    walk = [min(following)]
    while len(walk) == 1 or walk[-1] != walk[0]:
        here = walk[-1]
        ends = following[here]
        end = ends[0]
        if len(ends) > 1 and len(walk) > 1:
            # At a corner where patches touch, the sharpest turn stays with the same tile.
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


# The outlines of the dark cells of a raster, as polygons with few points

SMOOTHING = 0.75
"""Largest distance in cells of an outline from the stairs of its cells."""
SPECK = 4.0
"""Area in cells below which a part or a hole is left out."""
MOST_SIDES = 100_000
"""Most sides between dark and light cells; a picture of noise has more, a drawn area far fewer."""


def traced(cells: NDArray[np.bool_]) -> BaseGeometry:
    """The area of the cells (rows, columns) that are set; cells are 1 × 1, the first at the origin.

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
    """Run a part's outlines through the middles of its cells' sides, without holes that are specks."""
    import shapely

    holes = [hole for hole in part.interiors if shapely.area(shapely.Polygon(hole)) >= SPECK]
    return shapely.simplify(shapely.Polygon(_middles(part.exterior), [_middles(hole) for hole in holes]), SMOOTHING)


def _middles(ring: LinearRing) -> Floats:
    import shapely

    places = shapely.get_coordinates(shapely.segmentize(ring, 1.0))
    return np.asarray((places[1:] + places[:-1]) / 2)


# Rings of straight sides at right angles with rounded corners.
#
# Lines with bends of any angle are rounded, too.
#
# ring: the corners in mm of a closed way, shape (n, 2), each side at right angles to the next. inset: distance by which
# all sides move into the region bounded by the ring; an outline shrinks by it, a hole grows.

SHARE = 0.45
"""Largest share of a side taken by the rounding of a corner, so that a straight part is left."""
HANDLE = 4 / 3 * (2**0.5 - 1)
"""Length of the handles of a quarter circle's cubic, in radii; the cubic strays by 0.03 % of the radius."""
FINEST = 0.01
"""Smaller radii in mm count as 0: no tool makes them, and their arcs would vanish between the digits of a file."""
FLAT = 1e-9
"""The cross product in mm² below which two sides are in one line."""


def corners_of(points: Floats) -> Floats:
    """Select the corners of the points (n, 2) of a closed way, without a last point that repeats the first."""
    points = points[:-1] if len(points) > 1 and (points[0] == points[-1]).all() else points
    before, after = points - np.roll(points, 1, axis=0), np.roll(points, -1, axis=0) - points
    return points[np.abs(before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]) > FLAT]


def turns(corners: Floats) -> Floats:
    """1 (n,) at corners where the region bulges, -1 where it is hollow; with y upwards, it lies on the left."""
    sides = np.roll(corners, -1, axis=0) - corners
    coming = np.roll(sides, 1, axis=0)
    return np.asarray(np.sign(coming[:, 0] * sides[:, 1] - coming[:, 1] * sides[:, 0]))


def _made(radii: float | Floats) -> Floats:
    """Replace radii below FINEST by 0."""
    asked = np.asarray(radii, np.float64)
    return np.where(asked < FINEST, 0.0, asked)


def limited(corners: Floats, radii: float | Floats) -> Floats:
    """Limit the radius of every corner by the lengths of its sides."""
    lengths = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
    return np.asarray(np.minimum(_made(radii), SHARE * np.minimum(lengths, np.roll(lengths, 1))))


def rounded(corners: Floats, radii: float | Floats) -> Floats:
    """Round a ring: one closed stroke (3k + 1, 2) of cubics, a quarter circle at every corner with a radius."""
    radius = limited(corners, radii)[:, None]
    sides = np.roll(corners, -1, axis=0) - corners
    ways = sides / np.hypot(*sides.T)[:, None]
    ends, begins = corners - radius * np.roll(ways, 1, axis=0), corners + radius * ways
    points = []
    for at in range(len(corners)):
        if radius[at, 0] > 0:
            reach = 1 - HANDLE
            points.append(ends[at])
            points.append(corners[at] + reach * (ends[at] - corners[at]))
            points.append(corners[at] + reach * (begins[at] - corners[at]))
        following = ends[(at + 1) % len(corners)]
        points += [begins[at] + share * (following - begins[at]) for share in (0.0, 1 / 3, 2 / 3)]
    return frozen(np.array([*points, points[0]]))


def rounded_line(points: Floats, radii: float | Floats) -> Floats:
    """A line through points (n, 2) as one stroke (3k + 1, 2) with arcs of a radius at its bends, less on short sides.

    Points in straight runs are left out; bends with a radius of 0 stay sharp.
    """
    ways = np.diff(points, axis=0)
    bends = np.abs(ways[:-1, 0] * ways[1:, 1] - ways[:-1, 1] * ways[1:, 0]) > FLAT
    kept = np.concatenate([[True], bends, [True]])
    corners, radius = points[kept], np.broadcast_to(_made(radii), len(points))[kept][1:-1]
    sides = np.diff(corners, axis=0)
    lengths = np.hypot(*sides.T)
    ways = sides / lengths[:, None]
    half = np.arccos(np.clip((ways[:-1] * ways[1:]).sum(axis=1), -1.0, 1.0)) / 2
    reach = np.minimum(radius * np.tan(half), SHARE * np.minimum(lengths[:-1], lengths[1:]))
    # The handles of an arc are 4/3 tan(turn / 4) radii long.
    handles = 4 / 3 * np.tan(half / 2) / np.tan(half)
    at = corners[0]
    result = [at]
    for bend, (corner, away, handle) in enumerate(zip(corners[1:-1], reach.tolist(), handles.tolist(), strict=True)):
        begin, end = corner - away * ways[bend], corner + away * ways[bend + 1]
        result += [(2 * at + begin) / 3, (at + 2 * begin) / 3, begin]
        if away > 0:
            result += [begin + handle * (corner - begin), end + handle * (corner - end), end]
        at = end
    return np.array([*result, (2 * at + corners[-1]) / 3, (at + 2 * corners[-1]) / 3, corners[-1]])


def levels(corners: Floats, radii: float | Floats, insets: Sequence[float], steps: int) -> Floats:
    """A ring at several insets, as points (len(insets), n, 2) that correspond from inset to inset.

    `steps` chords make each quarter circle. At a bulging corner an arc shrinks with the inset, so its radius must be
    larger; a corner with a radius of 0 stays sharp.
    """
    radius = limited(corners, radii)
    sides = np.roll(corners, -1, axis=0) - corners
    ways = sides / np.hypot(*sides.T)[:, None]
    coming = np.roll(ways, 1, axis=0)
    # Directions away from the region, which lies on the left of a ring where y grows upwards.
    before, after = (np.stack([way[:, 1], -way[:, 0]], 1) for way in (coming, ways))
    result = []
    signs = turns(corners).tolist()
    for inset in insets:
        points: list[Floats] = []
        for at, sign in enumerate(signs):
            both = before[at] + after[at]
            if radius[at] <= 0 or steps < 1:
                points.append(corners[at] - inset * both)
                continue
            middle = corners[at] - sign * radius[at] * both
            reach = radius[at] - sign * inset
            angles = np.linspace(0.0, np.pi / 2, steps + 1)
            points += list(
                middle + sign * reach * (np.cos(angles)[:, None] * before[at] + np.sin(angles)[:, None] * after[at])
            )
        result.append(np.array(points))
    return np.array(result)


def disc(radius: float) -> Floats:
    """A circle round the origin as one closed stroke (13, 2) of four cubics."""
    corner = np.array([(1.0, 0.0), (1.0, HANDLE), (HANDLE, 1.0)])
    turn = np.array([(0.0, 1.0), (-1.0, 0.0)])
    arcs = [radius * corner @ np.linalg.matrix_power(turn, times) for times in range(4)]
    return np.concatenate([*arcs, arcs[0][:1]])
