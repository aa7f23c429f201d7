"""Flat shapes: outlines of squares, tiles or raster cells, insets and rounded corners; and sliding one off another.

clearance: the gap in mm that a cut leaves between two parts, half of it taken from each. shift: the displacement of a
part, (2,) in mm. depth: the penetration of a moved part into the other, in mm, or minus their distance. way out:
shifts from 0, 0 until the contact of both is left behind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from heapq import heappop, heappush
from math import atan2
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.geometry.curves.strokes import Floats, Ints, frozen, ranges

if TYPE_CHECKING:
    import shapely
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


# Sliding one flat part off another in their plane, and the clearance needed for it

MOST = 0.5
"""The largest clearance in mm tried; parts that need more hold."""
ERROR = 0.03
"""The largest error in mm of a clearance, for parts up to LARGEST; proportionally more for larger parts."""
LARGEST = 160.0
"""The extent in mm above which parts are scaled down before comparison."""
ROUGH, STEP, FINE = 0.1, 0.05, 0.0125
"""Distances in mm between shifts: to prove that parts hold, of the search, and along its tightest places."""
MISSED = 0.71
"""Largest distance of any shift from a grid of shifts, in steps."""
NEAR = 0.08
"""Shifts within this depth in mm of the deepest on a way out are searched again."""
BESIDE = 2
"""Steps of the first search to either side of a way out that are searched again."""
SAMPLES, ELSEWHERE = 0.2, 1.0
"""The largest distances in mm between compared points of an outline, at the contact and elsewhere."""
FLATTENING = 0.003
"""The largest deviation in mm of the compared outline."""
PIXEL = 0.08
"""The distance in mm between measured depths; others are interpolated."""
GRAIN = 0.004
"""Step in mm to which depths are rounded, so that a search goes straight on where they hardly differ."""
BAND = 0.4
"""The largest measured depth in mm."""
LONGEST = 0.4
"""The length in mm of the parts of an outline around which depths are measured."""
TILE = 8
"""Shifts along the side of a tile computed together."""
TRIALS, SETTLED = 3, 0.01
"""A clearance is recomputed with the part that it leaves, this often or until it changes by less, in mm."""
WAYS = 16
"""Directions in which a contact may be left behind."""
BEHIND = 0.1
"""Distance in mm beyond its extent at which a contact is left behind."""
AROUND = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
Shift = tuple[int, int]
"""A shift in steps of a search."""


def release(part: shapely.Polygon, other: shapely.Polygon, contact: Floats) -> float | None:
    """The least clearance in mm with which a part slides off another, within ERROR; None if it is above MOST.

    Both lie in place, without clearance; `contact` (n, 2) are the points of the outline that they share.
    """
    import shapely

    scale = max(1.0, float(np.ptp(shapely.get_coordinates([part, other]), axis=0).max()) / LARGEST)
    if scale > 1.0:
        part, other = shapely.transform(np.array([part, other]), lambda points: points / scale)
    clearance = _release(part, other, contact / scale)
    return None if clearance is None or scale * clearance > MOST else scale * clearance


def _release(part: shapely.Polygon, other: shapely.Polygon, contact: Floats) -> float | None:
    depths, exits = _Depths.from_part(other), _Exits.from_contact(contact)
    clearance = MOST
    for _ in range(TRIALS):
        points = _outline(part, clearance / 2, contact)
        if not len(points):
            return 0.0
        deepest = _deepest(partial(depths.deepest, points), exits, MOST - clearance / 2)
        if deepest is None:
            return None
        before, clearance = clearance, min(max(clearance / 2 + deepest, 0.0), MOST)
        if abs(clearance - before) < SETTLED:
            break
    return clearance


def _outline(part: shapely.Polygon, margin: float, contact: Floats) -> Floats:
    """Points (n, 2) of a part's outline after a margin is taken off, dense near the contact."""
    import shapely

    left = shapely.boundary(shapely.simplify(shapely.buffer(part, -margin, quad_segs=4), FLATTENING))
    close, wide = (shapely.get_coordinates(shapely.segmentize(left, step)) for step in (SAMPLES, ELSEWHERE))
    line = shapely.linestrings(contact)
    shapely.prepare(line)
    near, far = (shapely.dwithin(line, shapely.points(points), margin + SAMPLES) for points in (close, wide))
    return np.concatenate([close[near], wide[~far]])


Measure = Callable[[Floats], Floats]
"""A function from shifts (n, 2) in mm to a number (n,) of each."""


def _deepest(depths: Measure, exits: _Exits, most: float) -> float | None:
    """The least possible depth of the deepest shift on a way out; None if it exceeds `most`."""
    at_rest = float(depths(np.zeros((1, 2)))[0])
    if any(float(depths(way).max()) <= at_rest for way in exits.straight):
        return at_rest
    if _way_out(_Grid(ROUGH, depths, exits.rest), (0, 0), most + MISSED * ROUGH) is None:
        return None
    coarse = _way_out(_Grid(STEP, depths, exits.rest), (0, 0), most)
    if coarse is None:
        return None
    deepest, way = coarse
    tight = np.flatnonzero(depths(STEP * np.array(way)) > deepest - NEAR)
    first, last = max(int(tight[0]) - 1, 0), min(int(tight[-1]) + 1, len(way) - 1)
    finer = round(STEP / FINE)
    begin = finer * way[first][0], finer * way[first][1]
    fine = _way_out(_Grid(FINE, depths, _along(STEP * np.array(way[first : last + 1]))), begin, deepest)
    return deepest if fine is None else max(fine[0], deepest - NEAR)


@dataclass(frozen=True, eq=False)
class _Exits:
    """Exits of a contact: beyond its `extents` (w,) in mm in one of several directions (2, w)."""

    ways: Floats
    extents: Floats

    @staticmethod
    def from_contact(contact: Floats) -> _Exits:
        """Find the exits of a contact (n, 2); the first two are at right angles to the line between its ends."""
        across = np.angle(complex(*(contact[-1] - contact[0]))) + np.pi / 2
        angles = across + 2 * np.pi * np.arange(WAYS) / WAYS
        angles = angles.reshape(2, -1).T.ravel()
        ways = np.stack([np.cos(angles), np.sin(angles)])
        return _Exits(ways, np.ptp(contact @ ways, axis=0) + BEHIND)

    def rest(self, shifts: Floats) -> Floats:
        """Fraction of the way out that remains after shifts (n, 2); 0 or less is out."""
        return np.asarray(1 - (shifts @ self.ways / self.extents).max(axis=1))

    @property
    def straight(self) -> list[Floats]:
        """The shifts (n, 2) straight out, in the first two directions."""
        steps = [np.arange(0.0, extent + ROUGH, ROUGH) for extent in self.extents[:2]]
        return [step[:, None] * way for step, way in zip(steps, self.ways.T, strict=False)]


def _along(way: Floats) -> Measure:
    """Measure the distance in mm of shifts from the end of a way (n, 2); infinite too far beside it."""

    def rest(shifts: Floats) -> Floats:
        beside = np.abs(shifts[:, None] - way).max(axis=2).min(axis=1)
        to_end = np.abs(shifts - way[-1]).max(axis=1)
        return np.where(beside > BESIDE * STEP, np.inf, to_end - FINE / 2)

    return rest


class _Grid:
    """Depths of shifts on a grid, and their distances from the way's end, computed tile by tile on demand."""

    def __init__(self, step: float, depths: Measure, rest: Measure) -> None:
        self._step, self._depths, self._rest = step, depths, rest
        self._tiles: dict[Shift, list[tuple[float, float]]] = {}
        self._offsets = np.stack(np.meshgrid(np.arange(TILE), np.arange(TILE), indexing="ij"), 2).reshape(-1, 2)

    def at(self, i: int, j: int) -> tuple[float, float]:
        """The depth in mm, and the distance from the end."""
        (row, right), (column, down) = divmod(i, TILE), divmod(j, TILE)
        tile = self._tiles.get((row, column))
        if tile is None:
            shifts = np.asarray(self._step * (self._offsets + np.array([row * TILE, column * TILE])), np.float64)
            rest = self._rest(shifts)
            depths = np.where(np.isfinite(rest), self._depths(shifts), np.inf)
            tile = self._tiles[row, column] = list(zip(depths.tolist(), rest.tolist(), strict=True))
        return tile[right * TILE + down]


def _way_out(grid: _Grid, start: Shift, most: float) -> tuple[float, list[Shift]] | None:
    """The depth of the deepest shift on the best way out, and the way; None if that depth exceeds `most`."""
    came = {start: start}
    depth, rest = grid.at(*start)
    waiting = [(depth, rest, start)]
    while waiting:
        deepest, rest, here = heappop(waiting)
        if rest <= 0:
            at = here
            way = [at]
            while came[at] != at:
                at = came[at]
                way.append(at)
            return deepest, way[::-1]
        for right, down in AROUND:
            there = here[0] + right, here[1] + down
            if there not in came:
                depth, rest = grid.at(*there)
                if depth <= most:
                    came[there] = here
                    heappush(waiting, (max(deepest, depth), rest, there))
    return None


@dataclass(frozen=True, eq=False)
class _Depths:
    """Depths of places in a part: `values` (rows, columns) from `low` on, every PIXEL; the part keeps off their rim."""

    values: Floats
    low: Floats

    @staticmethod
    @lru_cache(1)
    def from_part(part: shapely.Polygon) -> _Depths:
        """Measure the depths in and around a polygon, or the parts of an outline that crosses itself.

        Those of the last part are kept: its neighbours slide off it one after another.
        """
        import shapely

        polygons = shapely.get_parts(shapely.get_parts(part))
        rings = [shapely.get_coordinates(ring) for ring in shapely.get_rings(polygons)]
        ends = np.concatenate([np.stack([ring[:-1], ring[1:]], 1) for ring in rings])
        low = ends.min(axis=(0, 1)) - BAND - 2 * PIXEL
        columns, rows = (
            np.ceil((ends.max(axis=(0, 1)) + BAND + 2 * PIXEL - low) / PIXEL).astype(np.int64) + 1
        ).tolist()
        ends = (ends - low) / PIXEL
        gaps = PIXEL * _gaps(ends, (rows, columns))
        return _Depths(np.where(_covered(ends, (rows, columns)), gaps, -gaps).astype(np.float32), low)

    def deepest(self, points: Floats, shifts: Floats) -> Floats:
        """The greatest depth (n,) in mm of points (k, 2) after each shift (n, 2)."""
        at, by = ((points - self.low) / PIXEL).astype(np.float32), (shifts / PIXEL).astype(np.float32)
        rows, columns = self.values.shape
        x = np.clip(at[:, 0] + by[:, :1], 0.0, columns - 1.001)
        y = np.clip(at[:, 1] + by[:, 1:], 0.0, rows - 1.001)
        left, top = x.astype(np.int32), y.astype(np.int32)
        x -= left
        y -= top
        at, flat = top * columns + left, self.values.ravel()
        above = flat.take(at) * (1 - x) + flat.take(at + 1) * x
        below = flat.take(at + columns) * (1 - x) + flat.take(at + columns + 1) * x
        return np.asarray(GRAIN * np.round((above * (1 - y) + below * y).max(axis=1).astype(float) / GRAIN))


def _gaps(ends: Floats, shape: tuple[int, int]) -> Floats:
    """Distances in pixels of all pixels from lines with ends (n, 2, 2), at most BAND."""
    counts = np.ceil(np.hypot(*(ends[:, 1] - ends[:, 0]).T) * PIXEL / LONGEST).astype(np.int64).clip(1)
    owners = np.repeat(np.arange(len(ends)), counts)
    steps = ranges(np.zeros(len(ends), np.int64), counts)
    way = (ends[:, 1] - ends[:, 0])[owners] / counts[owners, None]
    begins = ends[owners, 0] + steps[:, None] * way
    half = int(np.ceil((LONGEST / 2 + BAND) / PIXEL)) + 1
    around = np.arange(-half, half + 1)
    middles = np.round(begins + way / 2).astype(np.int64)
    x, y = (middles[:, axis, None] + around for axis in (0, 1))
    off_x, off_y = x - begins[:, :1], y - begins[:, 1:]
    square = np.maximum((way**2).sum(axis=1), 1e-12)[:, None, None]
    share = (off_x[:, None, :] * way[:, 0, None, None] + off_y[:, :, None] * way[:, 1, None, None]) / square
    np.clip(share, 0.0, 1.0, out=share)
    found = (off_x[:, None, :] - share * way[:, 0, None, None]) ** 2
    found += (off_y[:, :, None] - share * way[:, 1, None, None]) ** 2
    rows, columns = shape
    is_in = ((y >= 0) & (y < rows))[:, :, None] & ((x >= 0) & (x < columns))[:, None, :]
    at = y[:, :, None] * columns + x[:, None, :]
    squares = np.full(rows * columns, (BAND / PIXEL) ** 2)
    np.minimum.at(squares, at[is_in], found[is_in])
    return np.asarray(np.sqrt(squares).reshape(shape))


def _covered(ends: Floats, shape: tuple[int, int]) -> NDArray[np.bool_]:
    """Mask of pixels within closed lines of parts with ends (n, 2, 2) in pixels."""
    low, high = np.sort(ends[:, :, 1], axis=1).T
    first, last = np.ceil(low).astype(np.int64), np.ceil(high).astype(np.int64)
    counts = last - first
    owners = np.repeat(np.arange(len(ends)), counts)
    rows = ranges(first, counts)
    way = ends[owners, 1] - ends[owners, 0]
    x = ends[owners, 0, 0] + (rows - ends[owners, 0, 1]) / way[:, 1] * way[:, 0]
    turns = np.zeros(shape, np.int64)
    np.add.at(turns, (rows, np.ceil(x).astype(np.int64)), 1)
    return np.asarray(np.cumsum(turns, axis=1) % 2 == 1)
