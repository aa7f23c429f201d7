"""Pairs of points with the least total distance; the head of a laser cannot travel less.

Few pairs can be in the answer: the matching is sought among near neighbours, and then the dual solution is checked
against all pairs. A pair whose points pay too much joins the search.

candidate: a pair of points that the search knows.
dual: the price of a point, or of a blossom of points, in the proof; see `studio/solving/blossom.py`.
dummy: an extra point at distance 0 from all others; its partner stays unmatched.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.geometry.curves.strokes import Floats, Ints, distinct, frozen
from studio.solving.blossom import BlossomMatcher

# Near neighbours that are candidates: fewer cost another round of the search, more cost time in each.
NEIGHBOURS = 10
# Pairs that pay too much and join the search, for each point and round.
JOINING = 3
# Distances are whole numbers up to 2 to this power: a root in floating point is right to a fraction of one, and sums
# of many stay whole in 64 bits.
BITS = 48
# Pairs examined in one batch; bounds the memory.
_BATCH = 1_000_000


@dataclass(frozen=True, eq=False)
class Proof:
    """A dual solution: no two points (or dummies, which come last) pay more than their distance, all in mm.

    A pair pays the `duals` of both, less `prices[b]` for each blossom b that holds both. So a matching weighs
    at least the sum of `duals` less, for each blossom, its price times half the number of its members, rounded down.
    """

    duals: Floats
    blossoms: tuple[Ints, ...]
    prices: Floats


@dataclass(frozen=True, eq=False)
class Matching:
    """The least-weight matching of points: `pairs` (k, 2), their `weight` in mm, and its proof.

    No matching weighs less than `bound`; the two are equal but for rounding, some 1e-14 of the distance of the
    farthest points for each pair. `trees` and `looks` count the work: searches for a partner, edges looked at there.
    """

    pairs: Ints
    weight: float
    bound: float
    proof: Proof
    trees: int
    looks: int


def least_matching(points: Floats, free: int = 0, progress: Progress = SILENT) -> Matching:
    """Return the least-weight matching of points (n, 2) in mm; `free` points, 0 or 2, stay unmatched.

    Raises ValueError if the number of the other points is odd or negative or a point is not finite, and Cancelled.

    >>> found = least_matching(np.array([[0.0, 0.0], [10.0, 0.0], [1.0, 0.0], [10.0, 2.0]]))
    >>> found.pairs.tolist(), found.weight, found.bound
    ([[0, 2], [1, 3]], 3.0, 3.0)
    """
    count = len(points) - free
    if free not in (0, 2) or count < 0 or count % 2:
        raise ValueError(
            tr("{points} points cannot be matched with {free} left unmatched", points=len(points), free=free)
        )
    if not np.isfinite(points).all():
        raise ValueError(tr("points must be finite"))
    if not len(points):
        return Matching(np.zeros((0, 2), np.int64), 0.0, 0.0, Proof(np.zeros(0), (), np.zeros(0)), 0, 0)
    plane = _Plane.from_points(points)
    matcher = _searched(plane, free, progress)
    partners = np.array(matcher.partners())[: len(points)]
    at = np.flatnonzero(np.arange(len(points)) < np.where(partners < len(points), partners, -1))
    pairs = np.stack([at, partners[at]], 1)
    ways = points[pairs[:, 0]] - points[pairs[:, 1]]
    blossoms = list(matcher.blossoms())
    proof = Proof(
        frozen(np.array(matcher.duals()) * plane.unit),
        tuple(frozen(np.array(blossom.members)) for blossom in blossoms),
        frozen(np.array([blossom.dual for blossom in blossoms]) * plane.unit),
    )
    weight = math.fsum(np.hypot(*ways.T).tolist())
    return Matching(frozen(pairs), weight, matcher.bound() * plane.unit, proof, matcher.trees, matcher.looks)


def _searched(plane: _Plane, free: int, progress: Progress) -> BlossomMatcher:
    """Search the least-weight matching of all points and dummies."""
    count = len(plane.at)
    candidates = plane.candidates(progress.part(0, 0.1))
    weights = plane.distances(candidates)
    # Every point can pay half the way to its nearest neighbour.
    half = np.full(count, np.iinfo(np.int64).max)
    np.minimum.at(half, candidates.ravel(), weights.repeat(2) // 2)
    matcher = BlossomMatcher([*half.tolist(), *[0] * free])
    matcher.add(zip(*candidates.T.tolist(), weights.tolist(), strict=True))
    matcher.match_greedily()
    matcher.match(range(count), progress.part(0.1, 0.5))
    # Dummies are joined to every point, which is costly: they come after the points are matched, for one tree.
    dummies = range(count, count + free)
    for dummy in dummies:
        matcher.add((dummy, point, 0) for point in range(count))
    matcher.match(dummies, progress.part(0.5, 0.6))
    done = 0.6
    while True:
        rest = progress.part(done, done := (1 + done) / 2)
        joining = plane.overpaying(matcher, rest.part(0, 0.5))
        if not len(joining):
            return matcher
        matcher.add(zip(*joining.T.tolist(), plane.distances(joining).tolist(), strict=True))
        matcher.match_greedily()
        matcher.match(range(count + free), rest.part(0.5, 1))


@dataclass(frozen=True, eq=False)
class _Plane:
    """Points `at` (n, 2) in units of `unit` mm, a power of two so small that distances are whole even numbers."""

    at: Floats
    unit: float

    @classmethod
    def from_points(cls, points: Floats) -> _Plane:
        """The plane of points (n, 2) in mm; the unit follows from their span."""
        span = math.hypot(*np.ptp(points, axis=0))
        unit = math.ldexp(1.0, max(math.frexp(span)[1], -100) - BITS)
        return cls(points / unit, unit)

    def distances(self, pairs: Ints) -> Ints:
        """The distances of pairs (m, 2), rounded down to even numbers."""
        x, y = (self.at[pairs[:, 0]] - self.at[pairs[:, 1]]).T
        halves: Ints = np.floor(np.sqrt(x**2 + y**2) / 2).astype(np.int64)
        return 2 * halves

    def candidates(self, progress: Progress) -> Ints:
        """Pairs (m, 2) of near neighbours and along a line through all points, which makes a matching possible."""
        count = len(self.at)
        near = min(NEIGHBOURS, count - 1)
        line = self._line()
        pairs = [np.stack([line[:-1], line[1:]], 1)]
        for rows, squares in self._squares(progress):
            squares[np.arange(len(rows)), rows] = np.inf
            nearest = np.argpartition(squares, near - 1, axis=1)[:, :near]
            pairs.append(np.stack([rows.repeat(near), nearest.ravel()], 1))
        return _each_once(np.concatenate(pairs), count)

    def _line(self) -> Ints:
        """The points ordered along a line that runs to and fro through strips."""
        x, y = (self.at - self.at.min(0)).T
        strips = np.floor(x / (x.max() + 1) * math.isqrt(len(x)))
        return np.lexsort((np.where(strips % 2, -y, y), strips))

    def _squares(self, progress: Progress) -> Iterator[tuple[Ints, Floats]]:
        """Yield batches of points (k,), and their squared distances (k, n) from all points."""
        x, y = self.at.T
        size = max(1, _BATCH // len(x))
        for begin in range(0, len(x), size):
            progress.step(begin / len(x))
            rows = np.arange(begin, min(begin + size, len(x)))
            yield rows, (x[rows, None] - x) ** 2 + (y[rows, None] - y) ** 2

    def overpaying(self, matcher: BlossomMatcher, progress: Progress) -> Ints:
        """Pairs (m, 2) that pay more than their distance, the worst few of each point; an empty answer is the proof."""
        duals = np.array(matcher.duals()[: len(self.at)])
        rebate = _Rebate(matcher)
        worst = []
        for rows, squares in self._squares(progress):
            # Rounding takes less than 3 off a distance; pairs that pass here need no roots and no blossoms.
            pay = np.maximum(duals[rows, None] + (duals + 3), 0).astype(float)
            pay[np.arange(len(rows)), rows] = 0
            here, there = np.nonzero(squares < pay**2)
            pairs = np.stack([rows[here], there], 1)
            excess = duals[pairs].sum(1) - self.distances(pairs) - rebate.of(pairs)
            pairs, excess = pairs[excess > 0], excess[excess > 0]
            pairs = pairs[np.lexsort((-excess, pairs[:, 0]))]
            rank = np.arange(len(pairs)) - np.searchsorted(pairs[:, 0], pairs[:, 0])
            worst.append(pairs[rank < JOINING])
        return _each_once(np.concatenate(worst), len(duals))


class _Rebate:
    """The rebate that blossoms give to pairs of points.

    In an order of all points in which every blossom is a run, a blossom holds two points if it holds all between them.
    So the rebate of a pair is the least rebate of two neighbours between its points.
    """

    def __init__(self, matcher: BlossomMatcher) -> None:
        order = np.array(matcher.nested_order())
        self._place = np.empty(len(order), np.int64)
        self._place[order] = np.arange(len(order))
        steps = np.zeros(len(order), np.int64)
        for blossom in matcher.blossoms():
            first = self._place[blossom.members[0]]
            steps[first] += blossom.dual
            steps[first + len(blossom.members) - 1] -= blossom.dual
        # Rebates of neighbours, and the least among 2, 4, 8 and so on from each place.
        self._least = [np.cumsum(steps)]
        while (span := 1 << (len(self._least) - 1)) < len(order):
            longer = self._least[-1].copy()
            longer[:-span] = np.minimum(longer[:-span], longer[span:])
            self._least.append(longer)

    def of(self, pairs: Ints) -> Ints:
        """The rebates (m,) of pairs (m, 2) of two different points each."""
        places = self._place[pairs]
        first, last = places.min(1), places.max(1)
        level = np.frexp(last - first)[1] - 1
        rebate = np.zeros(len(pairs), np.int64)
        for k, least in enumerate(self._least):
            at = level == k
            rebate[at] = np.minimum(least[first[at]], least[last[at] - (1 << k)])
        return rebate


def _each_once(pairs: Ints, count: int) -> Ints:
    """Distinct pairs (m, 2) of points, the lower number first."""
    codes = distinct(pairs.min(1) * count + pairs.max(1))
    return np.stack([codes // count, codes % count], 1)
