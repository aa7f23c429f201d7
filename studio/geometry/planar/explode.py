"""Areas spread apart: each moves straight away from the middle of the board until all keep a distance.

level: pieces that can be spread together. A piece inside a hole of another, or so far round another that both would
have to go too far, cannot; the smaller of the two comes to the next level, which is laid out beside the first.
way (2,): how far in mm a piece moves where the board grows to twice its size. growth: the share of its way that every
piece of a level moves.
"""

from __future__ import annotations

import numpy as np
import shapely
from numpy.typing import NDArray

from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.geometry.curves.strokes import Floats, Ints
from studio.geometry.planar.regions import Polygons

TOLERANCE = 0.05
"""How far in mm the outlines that are compared stray from the pieces."""
MOST = 3.0
"""The largest growth of a level; pieces that need more are spread apart on a level of their own."""
LEVELS = 64
"""On how many lines along their way two pieces are compared; the rest is found when they are measured."""
FARTHER = 1.01
"""The factor by which growth rises where two pieces are still too near."""
ROUNDING = 1e-6


def spread(pieces: Polygons, distance: float, progress: Progress = SILENT) -> Floats:
    """How far each piece moves (n, 2) in mm so that any two are at least `distance` mm apart; raises Cancelled.

    >>> shift = spread(np.array([shapely.box(0, 0, 10, 10), shapely.box(10, 0, 20, 10)]), 2.0)
    >>> bool(np.ptp(shift[:, 0]) >= 2), bool(np.ptp(shift[:, 1]) == 0)
    (True, True)
    """
    shifts = np.zeros((len(pieces), 2))
    right = 0.0
    rest = np.arange(len(pieces))
    while len(rest):
        progress.step(1 - len(rest) / len(pieces), tr("Spreading pieces apart"))
        filled = shapely.polygons(shapely.get_exterior_ring(pieces[rest]))
        level, growth = _level(filled, _outermost(filled), distance, progress)
        here = rest[level]
        shifts[here] = growth * _ways(filled[level])
        laid = shapely.bounds(shifted(filled[level], shifts[here]))
        if len(here) < len(pieces):
            shifts[here] += (right - laid[:, 0].min(), -laid[:, 1].min())
            right += float(np.ptp(laid[:, [0, 2]])) + distance
        rest = np.setdiff1d(rest, here)
    return shifts


def _outermost(filled: Polygons) -> Ints:
    """The pieces that are in no hole of another."""
    inside, around = shapely.STRtree(filled).query(shapely.point_on_surface(filled), predicate="within")
    area = shapely.area(filled)
    return np.setdiff1d(np.arange(len(filled)), inside[(inside != around) & (area[inside] < area[around])])


def _level(filled: Polygons, level: Ints, distance: float, progress: Progress) -> tuple[Ints, float]:
    """Those of some pieces that can be spread together, and their growth."""
    while True:
        own = filled[level]
        ways = _ways(own)
        near = _near(own, distance)
        plain = shapely.simplify(own, TOLERANCE)
        grown = shapely.simplify(shapely.buffer(plain, distance + 2 * TOLERANCE), TOLERANCE / 2)
        growths = np.array([_parted(grown[one], plain[other], ways[other] - ways[one]) for one, other in near.tolist()])
        smaller = [one if own[one].area < own[other].area else other for one, other in near]
        far = sorted({at for at, growth in zip(smaller, growths, strict=True) if growth > MOST})
        if not far:
            break
        level = np.delete(level, far)
    growth = float(growths.max(initial=0.0))
    while len(_near(shifted(own, growth * ways), distance)):
        progress.step(0.5)
        growth = max(growth, 0.001) * FARTHER
        if growth > 100 * MOST:
            raise StudioError(tr("The pieces cannot be spread apart; nest them instead."))
    return level, growth


def _ways(filled: Polygons) -> Floats:
    middles = shapely.get_coordinates(shapely.centroid(filled))
    low, high = np.split(shapely.total_bounds(filled), 2)
    return np.asarray(middles - (low + high) / 2)


def shifted(polygons: Polygons, shifts: Floats) -> Polygons:
    """Polygons, each moved by its shift (n, 2) in mm."""
    counts = shapely.get_num_coordinates(polygons)
    points = shapely.get_coordinates(polygons) + np.repeat(shifts, counts, axis=0)
    return np.asarray(shapely.set_coordinates(polygons.copy(), points))


def _near(polygons: Polygons, distance: float) -> Ints:
    """Pairs (k, 2) of pieces that overlap, or are nearer than the distance; those that only touch keep one of 0."""
    tree = shapely.STRtree(polygons)
    one, other = tree.query(polygons, predicate="dwithin", distance=max(distance - ROUNDING, 0.0))
    first = one < other
    one, other = one[first], other[first]
    if distance <= ROUNDING:
        overlap = shapely.area(shapely.intersection(polygons[one], polygons[other])) > ROUNDING
        one, other = one[overlap], other[overlap]
    return np.stack([one, other], 1)


def _parted(here: shapely.Polygon, there: shapely.Polygon, way: Floats) -> float:
    """The share of its way from which on `there` has left `here` for good."""
    length = float(np.hypot(*way))
    if length < ROUNDING:
        return np.inf
    along = way / length
    frame = np.stack([along, (-along[1], along[0])], 1)
    front, back = (shapely.get_coordinates(one.exterior) @ frame for one in (here, there))
    low, high = max(front[:, 1].min(), back[:, 1].min()), min(front[:, 1].max(), back[:, 1].max())
    if high <= low:
        return 0.0
    levels = low + (high - low) * (np.arange(LEVELS) + 0.5) / LEVELS
    reach = _farthest(front, levels) + _farthest(back * (-1, 1), levels)
    return max(0.0, float(reach.max()) / length)


def _farthest(ring: Floats, levels: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far a ring reaches to the right on each of some levels that it crosses."""
    (x0, y0), (x1, y1) = ring[:-1].T, ring[1:].T
    crossed = (np.minimum(y0, y1) <= levels[:, None]) & (levels[:, None] <= np.maximum(y0, y1)) & (y0 != y1)
    share = (levels[:, None] - y0) / np.where(y0 == y1, 1.0, y1 - y0)
    return np.asarray(np.where(crossed, x0 + share * (x1 - x0), -np.inf).max(axis=1))
