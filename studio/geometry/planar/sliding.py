"""Sliding one flat part off another in their plane, and the clearance needed for it.

clearance: the gap in mm that a cut leaves between the parts, half of it taken from each. shift: the displacement of a
part, (2,) in mm. depth: the penetration of a moved part into the other, in mm, or minus their distance. way out:
shifts from 0, 0 until the contact of both is left behind.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from heapq import heappop, heappush
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from studio.geometry.curves.strokes import Floats, ranges

if TYPE_CHECKING:
    import shapely

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
