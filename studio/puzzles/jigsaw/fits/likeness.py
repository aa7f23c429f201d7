"""Hausdorff distances between curves laid on each other, for many pairs at once.

profile: an inner edge laid with its middle at the origin, from left to right, its knob towards +y; a profile without a
knob is also tried turned by 180°. Points of the plane are complex numbers here.

If one curve leaves another by at most d, their extents in any direction differ by at most d: that rules out nearly all
pairs. In the remaining pairs, places all along each curve look for their foot on the other, first near the same place;
the whole of the other curve is searched only if that foot is too far.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from studio.base.progress import Progress
from studio.geometry.curves.strokes import Curves, Floats, Ints, distinct, offsets, ranges

# Bounds of the distance between two profiles.
#
# A single profile, the rule, stands for all. Posts stand on either side of it. Two profiles' distances from a post
# differ by at most the distance between the profiles: the lower bound. Each profile is approximated by a line through
# its places nearest to those of the rule; the largest gap between places of the same number, plus the deviation of both
# curves from their lines, is the upper bound.

FINE = 400
"""Approximate number of sampled points of a profile."""
RULE_PLACES = 200
"""Number of places of the rule, each with a nearest place on every profile."""
POSTS = 50
"""Number of posts on either side of the rule."""
AWAY = 1.0
"""Distance in mm between posts and the rule."""
LEEWAY = 0.002
"""Margin in mm of the bounds, because measured distances may be less exact."""
PROFILES_AT_ONCE = 64
"""Profiles bounded together; their arrays then fit into the processor's cache."""


@dataclass(frozen=True, eq=False)
class Bounds:
    """Bounds of the distances between k profiles, in mm.

    `nearest` and `farthest` bound the distances from posts, shape (p, k). `places` holds x and y of the places, shape
    (s, k), and `leaves` the deviation of profiles from the lines through these, shape (k,).
    """

    nearest: Floats
    farthest: Floats
    places: Floats
    leaves: Floats

    @classmethod
    def from_strokes(cls, strokes: Curves) -> Bounds:
        """Compute the bounds of profiles."""
        count = len(strokes)
        near, far, places = (np.empty((rows, count)) for rows in (2 * POSTS, 2 * POSTS, 2 * RULE_PLACES))
        found = cls(near, far, places, np.empty(count))
        rule = _fine(strokes, np.array([count // 2]))[0][0]
        for number in distinct(strokes.counts).tolist():
            alike = np.flatnonzero(strokes.counts == number)
            for begin in range(0, len(alike), PROFILES_AT_ONCE):
                some = alike[begin : begin + PROFILES_AT_ONCE]
                found._take(some, *_fine(strokes, some), rule)
        return found

    def _take(self, some: Ints, fine: Complexes, sags: Floats, rule: Complexes) -> None:
        """Bound profiles by sampled points, shape (n, f), and the sag of curves beyond the lines through them."""
        marks = rule[np.linspace(0, len(rule) - 1, RULE_PLACES).round().astype(np.int64)]
        way = np.gradient(marks)
        way /= np.maximum(np.abs(way), 1e-12)
        step = RULE_PLACES // POSTS
        posts = np.concatenate([(marks + side * way)[step // 2 :: step][:POSTS] for side in (AWAY * 1j, -AWAY * 1j)])
        away = np.abs(fine[:, None] - posts[:, None]).min(axis=2)
        chords = np.abs(np.diff(fine, axis=1)).max(axis=1)[:, None]
        self.farthest[:, some] = away.T
        # The foot is between two points, and the curve deviates from the line through them.
        nearer = np.minimum(chords / 2, chords**2 / np.maximum(8 * away, 1e-9))
        self.nearest[:, some] = (away - nearer - sags[:, None]).T

        next_to = np.abs(fine[:, None] - marks[:, None]).argmin(axis=2)
        next_to[:, 0], next_to[:, -1] = 0, fine.shape[1] - 1
        at = np.maximum.accumulate(next_to, axis=1)
        places = np.take_along_axis(fine, at, 1)
        self.places[:, some] = np.stack([places.real, places.imag], 2).reshape(len(some), -1).T
        self.leaves[some] = _leaving(fine, places, at) + sags

    def below(self, one: Ints, other: Ints) -> Floats:
        """Least distances between profiles in mm."""
        result = np.zeros(len(one))
        for near, far in zip(self.nearest, self.farthest, strict=True):
            np.maximum(result, near[one] - far[other], out=result)
            np.maximum(result, near[other] - far[one], out=result)
        return np.maximum(result - LEEWAY, 0.0)

    def above(self, one: Ints, other: Ints) -> Floats:
        """Greatest distances between profiles in mm."""
        result = np.zeros(len(one))
        for x, y in zip(self.places[::2], self.places[1::2], strict=True):
            np.maximum(result, (x[one] - x[other]) ** 2 + (y[one] - y[other]) ** 2, out=result)
        return np.sqrt(result) + self.leaves[one] + self.leaves[other] + LEEWAY


def _fine(strokes: Curves, which: Ints) -> tuple[Complexes, Floats]:
    """Sample strokes with equal numbers of control points: points, shape (n, f), and the sag of curves between them."""
    number = int(strokes.counts[which[0]])
    cubics = (number - 1) // 3
    starts = strokes.starts[which][:, None, None] + 3 * np.arange(cubics)[:, None]
    points = strokes.points[starts + np.arange(4)]
    control = points[..., 0] + 1j * points[..., 1]
    per = max(FINE // cubics, 8)
    t = np.arange(per) / per
    terms = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
    along = sum(control[:, :, at, None] * term for at, term in enumerate(terms))
    fine = np.concatenate([np.reshape(along, (len(which), -1)), control[:, -1:, 3]], axis=1)
    bends = np.abs(np.diff(control, n=2, axis=2)).reshape(len(which), -1).max(axis=1)
    return fine, np.asarray(6 / 8 * bends / per**2)


def _leaving(fine: Complexes, places: Complexes, at: Ints) -> Floats:
    """Deviation of points, shape (n, f), from the lines through the points `places` at indices `at`, shape (n, s)."""
    numbers = np.arange(fine.shape[1])
    line = np.clip((at[:, :, None] <= numbers).sum(axis=1) - 1, 0, at.shape[1] - 2)
    begin, end = (np.take_along_axis(places, line + more, 1) for more in (0, 1))
    way, offset = end - begin, fine - begin
    t = (offset * way.conj()).real / np.maximum(np.abs(way) ** 2, 1e-18)
    return np.asarray(np.abs(offset - np.clip(t, 0.0, 1.0) * way).max(axis=1))


DECIMALS = 6
"""Decimals of distances in mm and of profiles' coordinates, so that every way of computing gives the same answer."""
FLATTENING = 0.002
"""Largest deviation in mm of the lines that are compared as a whole."""
SPACING = 0.5
"""Largest distance in mm between measured points of a line."""
DIRECTIONS = 8
"""Number of directions in which extents are compared, to either side."""
PLACES = 48
"""Approximate number of places of a curve that look for their foot on the other."""
PROBES = 6
"""Step between the places that look first."""
STEPS = 2
"""Number of times a foot is moved along the tangent."""
WINDOW = 4
"""Number of places to either side of its own from which a foot may start."""
BETWEEN = np.array([-0.75, -0.5, -0.25, 0.25, 0.5, 0.75])
"""Offsets from the farthest place, in places, at which a place even farther away is sought."""
HALVINGS = 6
"""Number of times the reach of a search along a curve is halved."""
NEARER = 0.001
"""Improvement in mm below which a place has found its foot on a curve."""
SLACK = 0.002
"""Tolerance in mm, beyond the clearance, of extents: they are more exact than distances."""
TINY = 1e-18
"""Squared speed in mm² below which a curve has no direction."""
DOUBT = 0.02
"""Difference in mm from the clearance below which a distance between lines is measured between the curves."""
AT_ONCE = 2**18
"""Pairs listed at once; all pairs of a large board would fill gigabytes."""
MEASURED_AT_ONCE = 256
"""Pairs measured between two checks for Cancel; their arrays then fit into the processor's cache."""
MANY_ALIKE = 8
"""Break-even in pairs per profile: measuring this many takes as long as computing bounds."""
Complexes = NDArray[np.complex128]
Mattering = Callable[[Ints, Ints, Floats], NDArray[np.bool_]]
"""Function of pairs and their least distances in mm: True for pairs whose distances matter."""


def always(one: Ints, other: Ints, least: Floats) -> NDArray[np.bool_]:
    """Return True for all pairs: every distance matters."""
    return np.ones(len(one), bool)


def never(one: Ints, other: Ints, least: Floats) -> NDArray[np.bool_]:
    """Return False for all pairs: only likeness matters."""
    return np.zeros(len(one), bool)


def per_cubic(cubics: int) -> int:
    """Number of places on each cubic of a curve."""
    return max(PLACES // cubics, 6)


@dataclass(frozen=True, eq=False)
class Likeness:
    """Profiles to be compared at a clearance in mm; `plain` marks profiles without a knob, shape (k,)."""

    strokes: Curves
    plain: NDArray[np.bool_]
    clearance: float
    extents: Floats
    """Reach of each profile in every direction and its opposite, in mm, shape (k, 2 · DIRECTIONS)."""

    @classmethod
    def from_strokes(cls, strokes: Curves, plain: NDArray[np.bool_], clearance: float) -> Likeness:
        """Compute the extents of profiles."""
        extents = np.empty((len(strokes), 2 * DIRECTIONS))
        ways = np.exp(1j * np.pi * np.arange(DIRECTIONS) / DIRECTIONS)
        for number in distinct(strokes.counts).tolist():
            which = np.flatnonzero(strokes.counts == number)
            control = _control(strokes, which, number)
            for at, way in enumerate(ways):
                highest, lowest = _reach(control.real * way.real + control.imag * way.imag)
                extents[which, at], extents[which, at + DIRECTIONS] = highest, -lowest
        return cls(strokes, plain, clearance, extents)

    def replaced(self, which: Ints, other: Likeness) -> Likeness:
        """Replace profiles by others; places beyond the last add profiles."""
        count = len(self.strokes)
        added = np.flatnonzero(which >= count)
        strokes = Curves.gathered([self.strokes, other.strokes.chosen(added)]) if len(added) else self.strokes
        inside = np.flatnonzero(which < count)
        strokes = strokes.replaced(which[inside], other.strokes.chosen(inside))
        arrays = []
        for mine, others in ((self.plain, other.plain), (self.extents, other.extents)):
            grown = np.concatenate([mine, others[added]])
            grown[which[inside]] = others[inside]
            arrays.append(grown)
        return Likeness(strokes, arrays[0], self.clearance, arrays[1])

    def pairs(self) -> Iterator[tuple[float, Ints, Ints]]:
        """Yield the share done, and pairs of profiles similar enough in width to be alike; each pair once."""
        slack = self.clearance + SLACK
        widths = self.extents[:, 0] + self.extents[:, DIRECTIONS]
        order = np.argsort(widths, kind="stable")
        widths = widths[order]
        rows = np.arange(len(order))
        counts = np.searchsorted(widths, widths + 2 * slack, side="right") - rows - 1
        before = offsets(counts)
        begin = 0
        while begin < len(order):
            end = max(begin + 1, int(np.searchsorted(before, before[begin] + AT_ONCE, side="right")) - 1)
            one = np.repeat(order[begin:end], counts[begin:end])
            other = order[ranges(rows[begin:end] + 1, counts[begin:end])]
            yield float(before[begin] / max(before[-1], 1)), one, other
            begin = end

    def pairs_of(self, which: Ints) -> Iterator[tuple[float, Ints, Ints]]:
        """Yield the share done, and pairs of some profiles with all others; each pair once."""
        rank = np.full(len(self.strokes), len(which))
        rank[which] = np.arange(len(which))
        everything = np.arange(len(self.strokes))
        step = max(AT_ONCE // max(len(everything), 1), 1)
        for begin in range(0, len(which), step):
            one = np.repeat(which[begin : begin + step], len(everything))
            other = np.tile(everything, len(one) // max(len(everything), 1))
            once = rank[one] < rank[other]
            yield begin / len(which), one[once], other[once]

    def alike(
        self, pairs: Iterator[tuple[float, Ints, Ints]], progress: Progress, matters: Mattering = always
    ) -> Iterator[tuple[Ints, Ints, Floats]]:
        """Yield the pairs that are alike within the clearance, with distances in mm.

        A distance that does not matter may be NaN. If bounds are used, pairs come in the order of their lower bounds.
        """
        for done, one, other in pairs:
            progress.step(done)
            knobbed = ~(self.plain[one] | self.plain[other])
            chosen = np.flatnonzero(knobbed)
            chosen = chosen[self._possible(one[chosen], other[chosen], False)]
            if len(chosen) > MANY_ALIKE * len(self.strokes):
                yield from self._bounded(one[chosen], other[chosen], matters, partial(progress.step, done))
                one, other = one[~knobbed], other[~knobbed]
            yield self._alike(one, other, partial(progress.step, done))

    def _alike(self, one: Ints, other: Ints, step: Callable[[], None]) -> tuple[Ints, Ints, Floats]:
        """Find the pairs that are alike, measuring all of them."""
        ways = []
        for is_turned in (False, True):
            # Only the second profile of a pair may be turned.
            able = np.flatnonzero(self.plain[one] | self.plain[other]) if is_turned else np.arange(len(one))
            swapped = self.plain[one[able]]
            here, there = np.where(swapped, other[able], one[able]), np.where(swapped, one[able], other[able])
            chosen = self._possible(here, there, is_turned)
            near = np.full(len(chosen), np.inf)
            for begin in range(0, len(chosen), MEASURED_AT_ONCE):
                step()
                some = chosen[begin : begin + MEASURED_AT_ONCE]
                near[begin : begin + MEASURED_AT_ONCE] = self._distances(here[some], there[some], is_turned)
            ways.append((able[chosen], near))
        distances = np.full(len(one), np.inf)
        for places, near in ways:
            distances[places] = np.minimum(distances[places], near)
        found = np.flatnonzero(distances <= self.clearance)
        return one[found], other[found], distances[found]

    def _bounded(
        self, one: Ints, other: Ints, matters: Mattering, step: Callable[[], None]
    ) -> Iterator[tuple[Ints, Ints, Floats]]:
        """Yield the pairs with knobs that are alike, measuring only pairs that bounds do not decide."""
        least = self._bounds.below(one, other)
        chosen = np.flatnonzero(least <= self.clearance)
        chosen = chosen[np.argsort(least[chosen], kind="stable")]
        is_sure = self._bounds.above(one[chosen], other[chosen]) <= self.clearance
        for begin in range(0, len(chosen), MEASURED_AT_ONCE):
            step()
            some, sure = chosen[begin : begin + MEASURED_AT_ONCE], is_sure[begin : begin + MEASURED_AT_ONCE]
            here, there = one[some], other[some]
            measured = np.flatnonzero(~sure | matters(here, there, least[some]))
            distances = np.full(len(some), np.nan)
            distances[measured] = self._distances(here[measured], there[measured], False)
            found = np.flatnonzero(sure | (distances <= self.clearance))
            yield here[found], there[found], distances[found]

    def are_alike(self, here: int, there: int, *, is_turned: bool) -> bool:
        """True if two profiles are alike, the second turned by 180° if `is_turned`; a single pair takes under 1 ms."""
        one, other = np.array([here]), np.array([there])
        if not len(self._possible(one, other, is_turned)):
            return False
        distance = float(self._lines.distances(one, other, is_turned, math.inf)[0])
        if abs(distance - self.clearance) > DOUBT:
            return distance < self.clearance
        return bool(self._distances(one, other, is_turned)[0] <= self.clearance)

    def _possible(self, here: Ints, there: Ints, is_turned: bool) -> Ints:
        """Indices of the pairs that extents do not rule out."""
        chosen = np.arange(len(here))
        for column in np.argsort(-self.extents.std(axis=0)) if len(here) else ():
            turned = (column + DIRECTIONS) % (2 * DIRECTIONS) if is_turned else column
            one, other = here[chosen], there[chosen]
            gap = np.abs(self.extents[one, column] - self.extents[other, turned])
            chosen = chosen[gap <= self.clearance + SLACK]
        return chosen

    def _distances(self, here: Ints, there: Ints, is_turned: bool) -> Floats:
        """Distances of pairs in mm; infinite beyond the clearance."""
        counts = self.strokes.counts
        result = np.full(len(here), np.inf)
        same = counts[here] == counts[there]
        whole = np.flatnonzero(~same)
        for number in distinct(counts[here[same]]).tolist():
            some = np.flatnonzero(same & (counts[here] == number))
            one, other = _control(self.strokes, here[some], number), _control(self.strokes, there[some], number)
            other = -other[:, ::-1] if is_turned else other
            result[some] = _near(one, other, self.clearance)
        if len(whole):
            result[whole] = self._lines.distances(here[whole], there[whole], is_turned, self.clearance)
        return result

    @cached_property
    def _bounds(self) -> Bounds:
        return Bounds.from_strokes(self.strokes)

    @cached_property
    def _lines(self) -> _Lines:
        return _Lines(self.strokes)


def _control(strokes: Curves, which: Ints, number: int) -> Complexes:
    """Control points of k strokes with n points each, shape (k, n)."""
    points = np.ascontiguousarray(strokes.points).view(np.complex128)[:, 0]
    return np.asarray(points[strokes.starts[which][:, None] + np.arange(number)])


def _places(control: Complexes) -> Complexes:
    """Places of curves, shape (p, s), from their control points, shape (p, n)."""
    cubics = (control.shape[1] - 1) // 3
    t = np.arange(per_cubic(cubics)) / per_cubic(cubics)
    # Summed term by term: a product of such small matrices waits for the processor's other cores.
    terms = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
    points = sum(control[:, at : 3 * cubics + at : 3, None] * term for at, term in enumerate(terms))
    return np.concatenate([np.reshape(points, (len(control), -1)), control[:, -1:]], axis=1)


def _reach(heights: Floats) -> tuple[Floats, Floats]:
    """Greatest and least heights of curves, from the heights of their control points, shape (k, n)."""
    four = [heights[:, at:][:, : heights.shape[1] - 1 : 3] for at in range(4)]
    # Roots of the derivative a t² + 2 b t + c, in a form without cancellation; roots divided by 0 are dropped below.
    a, b, c = (four[3] - four[0] + 3 * (four[1] - four[2]), four[0] - 2 * four[1] + four[2], four[1] - four[0])
    root = -b - np.copysign(np.sqrt(np.maximum(b * b - a * c, 0.0)), b)
    with np.errstate(divide="ignore", invalid="ignore"):
        turns = np.stack([root / a, c / root])
    t = np.where((turns > 0.0) & (turns < 1.0), turns, 0.0)
    for _ in range(3):
        four = [here + (there - here) * t for here, there in pairwise(four)]
    ends = heights[:, ::3]
    return (
        np.maximum(four[0].max(axis=(0, 2), initial=-np.inf), ends.max(axis=1)),
        np.minimum(four[0].min(axis=(0, 2), initial=np.inf), ends.min(axis=1)),
    )


def _near(one: Complexes, other: Complexes, limit: float) -> Floats:
    """Distances of pairs of curves, shape (p, n); infinite beyond a limit."""
    curves, places = (one, other), (_places(one), _places(other))
    distances = np.zeros(len(one))
    left, unsure = np.arange(len(one)), np.zeros(len(one), bool)
    for step in (PROBES, 1):
        for here, there in ((0, 1), (1, 0)):
            if not len(left):
                break
            control, dots = curves[there][left], places[there][left]
            most, spots = _most(control, dots, curves[here][left], places[here][left], step, WINDOW)
            far = most > limit
            # A place that is too far, or farthest, may have looked for its foot in the wrong part of the curve.
            some = np.flatnonzero(far)
            gaps = _whole(control[some], dots[some], spots[some, None])[:, 0]
            unsure[left[some[np.round(gaps, DECIMALS) <= limit]]] = True
            if step == 1:
                some = np.flatnonzero(~far)
                gaps = _whole(control[some], dots[some], spots[some, None])[:, 0]
                unsure[left[some[gaps < most[some] - NEARER]]] = True
            distances[left] = np.where(far, np.inf, np.maximum(distances[left], most))
            left = left[~far]
    which = np.flatnonzero(unsure)
    if len(which):
        both = [
            _most(curves[there][which], places[there][which], curves[here][which], places[here][which], 1, 0)[0]
            for here, there in ((0, 1), (1, 0))
        ]
        whole = np.maximum(*both)
        distances[which] = np.where(whole <= limit, whole, np.inf)
    return distances


def _most(
    control: Complexes, dots: Complexes, other: Complexes, others: Complexes, step: int, window: int
) -> tuple[Floats, Complexes]:
    """Greatest distance of `others` from curves, and its place; every `step`-th place is tried. Shapes (p, n), (p, s).

    Feet are sought within `window` places to either side of the same place; with 0 along the whole curve.
    """
    per = per_cubic((control.shape[1] - 1) // 3)
    spots, last = others[:, ::step], others.shape[1] - 1
    gaps = _gaps(control, spots, _starts(dots, spots, step, window) / per) if window else _whole(control, dots, spots)
    worst = gaps.argmax(axis=1)[:, None]
    most, where = np.take_along_axis(gaps, worst, 1)[:, 0], np.take_along_axis(spots, worst, 1)[:, 0]
    if step == 1:
        # A point between two places may be farther away.
        between = np.clip(worst + BETWEEN, 0, last)
        spots = _at(other, between / per)[0]
        gaps = _whole(control, dots, spots)
        worst = gaps.argmax(axis=1)[:, None]
        more, there = np.take_along_axis(gaps, worst, 1)[:, 0], np.take_along_axis(spots, worst, 1)[:, 0]
        most, where = np.maximum(most, more), np.where(more > most, there, where)
    return np.round(most, DECIMALS), where


def _starts(dots: Complexes, spots: Complexes, step: int, window: int) -> Ints:
    """Indices of the places of curves, shape (p, s), nearest to spots, shape (p, r), within a window."""
    last = dots.shape[1] - 1
    same = np.arange(0, last + 1, step)
    starts = np.broadcast_to(same, spots.shape).copy()
    least = np.full(spots.shape, np.inf)
    for shift in range(-window, window + 1):
        at = np.clip(same + shift, 0, last)
        away = spots - dots[:, at]
        square = away.real**2 + away.imag**2
        is_less = square < least
        np.copyto(starts, at, where=is_less)
        np.copyto(least, square, where=is_less)
    return starts


def _whole(control: Complexes, dots: Complexes, spots: Complexes) -> Floats:
    """Distances of spots, shape (p, r), from their feet anywhere on curves, shape (p, n), with places, shape (p, s)."""
    rows, last = np.arange(len(spots)), dots.shape[1] - 1
    per = per_cubic((control.shape[1] - 1) // 3)
    chords = np.abs(np.diff(dots, axis=1)).max(axis=1, initial=0.0)
    result = np.empty(spots.shape)
    for at in range(spots.shape[1]):
        away = spots[:, at, None] - dots
        squares = away.real**2 + away.imag**2
        first = squares.argmin(axis=1)
        gaps = _descended(control, spots[:, at], first / per)
        # Another part of the curve may hold a nearer foot, although its places are farther.
        for shift in (-1, 0, 1):
            squares[rows, np.clip(first + shift, 0, last)] = np.inf
        second = squares.argmin(axis=1)
        some = np.flatnonzero(np.sqrt(squares[rows, second]) < gaps + chords / 2)
        gaps[some] = np.minimum(gaps[some], _descended(control[some], spots[some, at], second[some] / per))
        result[:, at] = gaps
    return result


def _descended(control: Complexes, spots: Complexes, starts: Floats) -> Floats:
    """Distances of spots from curves, shape (p, n), near starts, both shape (p,): slower but surer than `_gaps`."""
    cubics = (control.shape[1] - 1) // 3
    t, spots = starts[:, None], spots[:, None]
    least = np.abs(spots - _at(control, t)[0])
    reach = 0.5 / per_cubic(cubics)
    for _ in range(HALVINGS):
        there = np.clip(t + np.array([-reach, reach]), 0.0, cubics)
        gaps = np.abs(spots - _at(control, there)[0])
        best = gaps.argmin(axis=1)[:, None]
        gap = np.take_along_axis(gaps, best, 1)
        t, least = np.where(gap < least, np.take_along_axis(there, best, 1), t), np.minimum(gap, least)
        reach /= 2
    return np.asarray(least[:, 0])


def _gaps(control: Complexes, spots: Complexes, starts: Floats) -> Floats:
    """Distances of spots from their feet on curves, shape (p, n), sought from starts in cubics, both shape (p, s)."""
    t, cubics = starts, (control.shape[1] - 1) // 3
    least = np.full(spots.shape, np.inf)
    for step in range(STEPS + 1):
        points, ways = _at(control, t)
        away = spots - points
        np.minimum(least, away.real**2 + away.imag**2, out=least)
        if step < STEPS:
            along = away.real * ways.real + away.imag * ways.imag
            t = np.clip(t + along / np.maximum(ways.real**2 + ways.imag**2, TINY), 0.0, cubics)
    return np.asarray(np.sqrt(least))


def _at(control: Complexes, places: Floats) -> tuple[Complexes, Complexes]:
    """Points and derivatives of curves, shape (p, n), at places in cubics, shape (p, s)."""
    part = np.minimum(places.astype(np.int64), (control.shape[1] - 1) // 3 - 1)
    base, t = (np.arange(len(control)) * control.shape[1])[:, None] + 3 * part, places - part
    flat = control.ravel()
    points = [flat[base + at] for at in range(4)]
    for _ in range(2):
        points = [here + (there - here) * t for here, there in pairwise(points)]
    way = points[1] - points[0]
    return points[0] + way * t, 3 * way


class _Lines:
    """Profiles as lines, each flattened on first use, and the Hausdorff distances between them."""

    def __init__(self, strokes: Curves) -> None:
        self._strokes = strokes
        self._known: dict[tuple[int, bool], object] = {}

    def distances(self, here: Ints, there: Ints, is_turned: bool, limit: float) -> Floats:
        """Distances between lines in mm, the second turned if `is_turned`; infinite beyond a limit."""
        import shapely

        one, other = self._drawn(here, False), self._drawn(there, is_turned)
        near = np.round(shapely.hausdorff_distance(one, other), DECIMALS)
        return np.where(near <= limit, near, np.inf)

    def _drawn(self, which: Ints, is_turned: bool) -> NDArray[np.object_]:
        import shapely

        new = np.array([each for each in distinct(which).tolist() if (each, is_turned) not in self._known], np.int64)
        if len(new):
            lines = self._strokes.chosen(new).flattened(FLATTENING)
            drawn = shapely.linestrings(-lines.points if is_turned else lines.points, indices=lines.owners)
            made = shapely.segmentize(drawn, SPACING)
            self._known |= {(each, is_turned): line for each, line in zip(new.tolist(), made, strict=True)}
        result = np.empty(len(which), object)
        result[:] = [self._known[each, is_turned] for each in which.tolist()]
        return result
