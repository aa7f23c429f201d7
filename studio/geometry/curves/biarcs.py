"""Cubic Béziers as chains of circular arcs, with few arcs and no corner where the curves have none.

biarc: two arcs that meet without a corner; it runs between two places on a curve, its knots, in given directions.
joint: the place where two cubics meet. span: the cubics between two joints that stay knots.

Knots lie on the curves. The directions at them, and where the arcs of a biarc meet, follow by least squares: arcs that
sway about the curve reach half as far again as those that keep its directions. A span gets one biarc more until its
worst place is within the tolerance; a biarc strays by the cube of its length (Meek and Walton, "Approximating smooth
planar curves by arc splines", 1995).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from studio.geometry.curves.strokes import Curves, Floats, Ints, Polylines, offsets, paired, ranges

Complexes = NDArray[np.complex128]
Flags = NDArray[np.bool_]

SMOOTH = float(np.radians(1.0))
"""The turn at a joint below which a chain has no corner there."""
SHORTEST = 0.02
"""Size in mm below which a curve may become a line."""
_USED = 0.99
"""Share of the tolerance that is used, as places are measured and the whole between them is reckoned."""
_MEASURED = 24
"""Places at which a biarc is measured."""
_TURNED = 0.3
"""Cosine of the greatest angle between a curve and its arc."""
_STRAIGHT = 1e-6
"""Distance in mm of control points from their chord below which a cubic is straight."""
_ONE_ARC = float(np.radians(0.2))
"""Difference of the angles of a biarc with its chord below which one arc may do."""
_ALIKE = 1e-5
"""That difference as a distance in mm, far below the rounding of files."""
_FLAT = 1e-8
"""Bulge below which an arc is a line: it rises by a hundred-millionth of half its chord."""
_JUMPED = 100.0
"""Jump of curvature, times the square of an arc's length and by the tolerance, beyond which a joint stays a knot."""
_PARTS = 16
"""Parts of a cubic by which its change of curvature is estimated."""
_REACH = 997.0
"""Cubed length of a biarc that sways about a spiral, times its change of curvature a length, by the tolerance."""
_EVEN = 1e-4
"""Share of a biarc that each part takes at least, so that straight ones have knots, too."""
_ROUNDS = 16
"""Rounds in which spans get more biarcs; what then is left is halved."""
_HOPEFUL, _SPARED, _SPARED_LATER = 3, 0.7, 0.1
"""The first rounds, and the share of a biarc by which they may be too few; later rounds may by less."""
_TRIES = 3
"""Rounds in which the knots of a span only move, before it gets another biarc."""
_LEAST, _MOST = 1e-3, 8.0
"""Bounds of the tolerances that a biarc counts as straying by when knots move."""
_FITTED = 10
"""Places by which a biarc is fitted."""
_FITS, _SHARE = 3, 0.6
"""Rounds of least squares, and the share of each but the first that is taken, since weights change."""
_POWER, _FLOOR = 1.5, 0.1
"""Power of a place's share of the largest distance by which it weighs, and what is added to the share."""
_SWAY, _RATIO = 0.4, 1.5
"""Largest turn of a direction in radians, and of a ratio's logarithm."""
_STEP = 1e-4
"""Step of these by which slopes are taken."""
_SWEEPS, _DAMPED = 8, 0.7
"""Jacobi sweeps, and the share of each that is taken."""
_AT_ONCE = 2048
"""Biarcs treated together, whose data fit into a processor's cache."""


@dataclass(frozen=True, eq=False)
class Arcs:
    """Chains of arcs: the vertices in mm, and for each the bulge of the arc to the next one.

    A bulge is the tangent of a quarter of the arc's angle, positive if it turns from the x to the y axis, 0 for a line
    and at the last vertex of a chain.
    """

    vertices: Polylines
    bulges: Floats


def biarcs(strokes: Curves, codes: Ints, starts: Ints, closed: Flags, tolerance: float) -> Arcs:
    """Return chains of strokes as arcs that stay within `tolerance` mm, both ways along their whole length.

    `codes` and `starts` join strokes to chains as in `Runs.joined`, `closed` (n,) tells which chains end smoothly in
    their start. Every end of a stroke is a vertex and kept exactly. Consecutive arcs have one tangent unless the cubics
    turn there by more than SMOOTH; only cusps, and what is shorter than SHORTEST, become lines.
    """
    # What has no length has no direction or curvature: it is found to stray, and divided or left straight.
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return _Course.from_strokes(strokes, codes, starts, closed, _USED * tolerance).arcs()


@dataclass(frozen=True, eq=False)
class _Biarcs:
    """Biarcs from `begin` to `end`, their directions there, and the ratio of both tangents that meet between."""

    begin: Complexes
    end: Complexes
    leaving: Complexes
    reaching: Complexes
    ratio: Floats

    def chosen(self, some: Ints | Flags | slice) -> _Biarcs:
        """Select biarcs."""
        begin, end, leaving, reaching = (each[some] for each in (self.begin, self.end, self.leaving, self.reaching))
        return _Biarcs(begin, end, leaving, reaching, self.ratio[some])

    def meetings(self) -> tuple[Complexes, Complexes]:
        """Return the places where the arcs of each meet, and their direction there."""
        way = self.end - self.begin
        square = _dot(way, way)
        bend = 2 * self.ratio * (1 - _dot(self.leaving, self.reaching))
        along = _dot(way, self.ratio * self.leaving + self.reaching)
        late = square / (along + np.sqrt(along**2 + bend * square))
        early = self.ratio * late
        one, two = self.begin + early * self.leaving, self.end - late * self.reaching
        return (late * one + early * two) / (early + late), _unit(two - one)

    def curvatures(self, meeting: Complexes) -> tuple[Floats, Floats]:
        """Return the curvatures of both arcs."""
        return _curvature(meeting - self.begin, self.leaving), _curvature(meeting - self.end, self.reaching)

    def are_round(self) -> Flags:
        """Return whether one arc does for both, which is so if it meets both directions."""
        chord = self.end - self.begin
        apart = np.angle(chord * self.leaving.conjugate()) - np.angle(self.reaching * chord.conjugate())
        return np.asarray((np.abs(apart) < _ONE_ARC) & (np.abs(apart * chord) < _ALIKE))

    def seen_from(self, places: Complexes) -> tuple[Complexes, Flags, Floats, Floats]:
        """Return places (n, m) as seen from the outer end of their arc, whether it is the first, and curvatures.

        An arc of curvature k passes its end in the direction 1, so that `_aside` is a place's distance from it.
        """
        meeting, way = self.meetings()
        is_first = ((places - meeting[:, None]) * way.conjugate()[:, None]).real < 0
        arms = np.where(
            is_first,
            (places - self.begin[:, None]) * self.leaving.conjugate()[:, None],
            (places - self.end[:, None]) * self.reaching.conjugate()[:, None],
        )
        return arms, is_first, *self.curvatures(meeting)

    def strays(self, places: Complexes, ways: Complexes) -> Floats:
        """Return the largest distance of the places (n, m) of a curve from each; infinite if the curve turns back.

        A curve that never turns back and passes where the arcs meet has all places of the arcs as its nearest ones in
        turn, so that none of them is farther from it than one of its own is from them.
        """
        arms, is_first, one, two = self.seen_from(places)
        curvature = np.where(is_first, one[:, None], two[:, None])
        ahead = (1 + 1j * curvature * arms) * np.where(is_first, self.leaving[:, None], self.reaching[:, None])
        back = (_dot(ahead, ways) <= _TURNED * np.abs(ahead) * np.abs(ways)).any(axis=1)
        aside = _aside(arms, curvature)
        # Between three places a parabola rises above the middle one by an eighth of their second difference at most.
        peaks = np.abs(aside[:, 1:-1]) + np.abs(np.diff(aside, n=2, axis=1)) / 8
        worst = np.maximum(peaks, np.abs(aside[:, :: _MEASURED - 1]).max(axis=1)[:, None]).max(axis=1)
        apart = np.abs(places - self.meetings()[0][:, None]).min(axis=1)
        missed = ~(apart <= np.abs(np.diff(places, axis=1)).max(axis=1) + worst)
        return np.where(back | missed | ~np.isfinite(worst), np.inf, worst)


def _dot(one: Complexes, other: Complexes) -> Floats:
    return np.asarray(one.real * other.real + one.imag * other.imag)


def _unit(values: Complexes) -> Complexes:
    """Return unit vectors; 0 stays 0."""
    long = np.abs(values)
    return np.asarray(values / np.where(long > 0, long, 1.0))


def _curvature(arm: Complexes, way: Complexes) -> Floats:
    """Return the curvature of an arc that passes the origin in a direction, and a place."""
    return np.asarray(2 * (arm * way.conjugate()).imag / _dot(arm, arm))


def _aside(arms: Complexes, curvature: Floats) -> Floats:
    """Return signed distances of places from circles that pass the origin in the direction 1."""
    power = curvature / 2 * _dot(arms, arms) - arms.imag
    return np.asarray(2 * power / (1 + np.sqrt(np.maximum(1 + 2 * curvature * power, 0))))


@dataclass(eq=False)
class _Course:
    """The cubics (n, 4) of all chains, the same as polynomials (4, n), their spans, and the joints of the spans.

    A span is the cubics `first` to `last`; its joints are `before` and `after`. A joint has a direction, and is `free`
    if the arcs may choose another one there. Places on the course are the number of a cubic plus a share of it.
    """

    cubics: Complexes
    powers: Complexes
    tolerance: float
    first: Ints
    last: Ints
    before: Ints
    after: Ints
    ways: Complexes
    free: Flags
    straight: Flags
    changes: Floats
    chains: Ints

    @classmethod
    def from_strokes(cls, strokes: Curves, codes: Ints, starts: Ints, closed: Flags, tolerance: float) -> _Course:
        joined = strokes.joined(codes, starts)
        cubics, chain = paired(joined.cubics), joined.cubic_owners
        count = len(cubics)
        stroke = np.arange(len(codes)).repeat((strokes.counts[codes >> 1] - 1) // 3)
        leaving, reaching = _ways(cubics)
        straight = _are_lines(cubics, min(SHORTEST, tolerance))
        # The cubic that follows each, -1 at an open end.
        ends = np.flatnonzero(np.append(chain[1:] != chain[:-1], [True]))
        following = np.arange(1, count + 1)
        following[ends] = np.where(closed, np.append([0], ends[:-1] + 1), -1)
        turns = np.abs(np.angle(leaving[following] * reaching.conjugate()))
        smooth = (following >= 0) & (turns < SMOOTH) & (np.abs(reaching) > 0) & (np.abs(leaving[following]) > 0)
        changes, curvature, lengths = _changes(cubics, tolerance)
        changes[straight] = 0
        # Spans end where the curvature jumps too far for an arc.
        reach = lengths / np.maximum(2 * changes.sum(axis=1), 1e-9)
        jump = np.abs(curvature[following, 0] - curvature[:, -1]) * np.minimum(reach, reach[following]) ** 2
        runs_on = smooth & (np.append(stroke[1:], -1) == stroke) & ~straight & ~straight[following]
        runs_on &= jump < _JUMPED * tolerance
        last = np.flatnonzero(~runs_on)
        first = np.append([0], last[:-1] + 1)
        # A joint is numbered by the cubic before it, or else by the cubic behind it.
        numbers = np.arange(count)
        joint = np.full(count, -1)
        joint[following[smooth]] = numbers[smooth]
        alone = joint < 0
        joint[alone] = count + numbers[alone]
        ways = np.concatenate([reaching, leaving])
        met = smooth & ~straight
        both = _unit(reaching + leaving[following])
        ways[:count] = np.where(met, np.where(straight[following], leaving[following], both), reaching)
        free = np.ones(2 * count, bool)
        free[:count][smooth] = ~straight[smooth] & ~straight[following[smooth]]
        differences = [np.diff(cubics, n=order, axis=1)[:, 0] * (1, 3, 3, 1)[order] for order in range(4)]
        straight = straight[first]
        return cls(
            cubics, np.stack(differences), tolerance, first, last, joint[first], last, ways, free, straight, changes,
            chain[first],
        )  # fmt: skip

    def at(self, places: Floats, cubics: Ints) -> tuple[Complexes, Complexes]:
        """Return points on the given cubics, and the directions there, of any length."""
        share = places - cubics
        one, two, three, four = (power[cubics] for power in self.powers)
        return one + share * (two + share * (three + share * four)), two + share * (2 * three + 3 * share * four)

    def between(self, begins: Floats, ends: Floats, last: Ints, number: int) -> tuple[Complexes, Complexes]:
        """Return `number` points evenly between places, and the directions there."""
        places = begins[:, None] + (ends - begins)[:, None] * ((np.arange(number) + 0.5) / number)
        return self.at(places, np.minimum(places.astype(np.int64), last[:, None]))

    def arcs(self) -> Arcs:
        """Return all chains as arcs."""
        lines = np.flatnonzero(self.straight)
        found = [
            _Found(lines, self.first[lines].astype(np.float64), self.cubics[self.first[lines], 0], np.zeros(len(lines)))
        ]
        ways, free = self.ways.copy(), self.free.copy()
        spans = np.flatnonzero(~self.straight)
        is_round, biarcs = self._round(spans)
        found += _met(spans[is_round], self.first[spans[is_round]].astype(np.float64), biarcs.chosen(is_round))
        free[self.before[spans[is_round]]] = free[self.after[spans[is_round]]] = False
        spans = spans[~is_round]
        sizes = self.last[spans] - self.first[spans] + 1
        counts = _PARTS * sizes
        knots = self.first[spans].repeat(counts + 1) + ranges(np.zeros(len(spans), np.int64), counts + 1) / _PARTS
        weights = self.changes[ranges(self.first[spans], sizes)].ravel() + _EVEN
        wanted = np.maximum(1, np.ceil(_sums(weights, counts) - _SPARED_LATER)).astype(np.int64)
        for turn in range(_ROUNDS):
            if not len(spans):
                break
            knots, counts = _spread(knots, weights, counts, wanted), wanted
            begins, biarcs, strays = self._swaying(spans, knots, counts, ways, free)
            at = offsets(counts)
            good = np.maximum.reduceat(strays, at[:-1]) <= self.tolerance
            for joints, settled in (
                (self.before[spans[good]], biarcs.leaving[at[:-1][good]]),
                (self.after[spans[good]], biarcs.reaching[at[1:][good] - 1]),
            ):
                ways[joints], free[joints] = settled, False
            mine = good.repeat(counts)
            found += _met(spans.repeat(counts)[mine], begins[mine], biarcs.chosen(mine))
            weights = np.cbrt(np.clip(strays[~mine] / self.tolerance, _LEAST, _MOST))
            knots = knots[~good.repeat(counts + 1)]
            spans, counts = spans[~good], counts[~good]
            spared = _SPARED if turn < _HOPEFUL else _SPARED_LATER
            wanted = np.ceil(_sums(weights, counts) - spared).astype(np.int64)
            wanted = np.maximum(wanted, counts + (turn % _TRIES == _TRIES - 1))
        found += self._halved(spans, ways)
        return self._assembled(found)

    def _round(self, spans: Ints) -> tuple[Flags, _Biarcs]:
        """Return whether each span is one arc in its own directions, and its biarc in these."""
        ends = self.cubics[self.first[spans], 0], self.cubics[self.last[spans], 3]
        ways = self.ways[self.before[spans]], self.ways[self.after[spans]]
        biarcs = _Biarcs(*ends, *ways, np.ones(len(spans)))
        begins, ends_at = self.first[spans].astype(np.float64), self.last[spans].astype(np.float64) + 1
        is_round = biarcs.are_round()
        some = np.flatnonzero(is_round)
        strays = self._strays(biarcs.chosen(some), begins[some], ends_at[some], self.last[spans[some]])
        is_round[some] = strays <= self.tolerance
        return is_round, biarcs

    def _swaying(
        self, spans: Ints, knots: Floats, counts: Ints, ways: Complexes, free: Flags
    ) -> tuple[Floats, _Biarcs, Floats]:
        """Return biarcs that sway about their spans between knots: where each begins, and how far it strays."""
        count, owners, bounds = int(counts.sum()), spans.repeat(counts), offsets(counts)
        begins, ends = (
            np.delete(knots, bounds[1:] + np.arange(len(spans))),
            np.delete(knots, bounds[:-1] + np.arange(len(spans))),
        )
        begin, leaving = self.at(begins, np.clip(begins.astype(np.int64), self.first[owners], self.last[owners]))
        end = np.append(begin[1:], 0)
        end[bounds[1:] - 1] = self.cubics[self.last[spans], 3]
        # Directions are numbered: first that in which each biarc begins, then those at joints.
        joints, numbers = np.unique([self.before[spans], self.after[spans]], return_inverse=True)
        here, there = np.arange(count), np.arange(1, count + 1)
        here[bounds[:-1]], there[bounds[1:] - 1] = count + numbers.reshape(2, -1)
        towards = np.concatenate([_unit(leaving), ways[joints]])
        loose = np.concatenate([np.ones(count, bool), free[joints]])
        sway, ratio = np.zeros(len(towards)), np.zeros(count)
        places, _ = self.between(begins, ends, self.last[owners], _FITTED)
        for fit in range(_FITS):
            turned = towards * np.exp(1j * sway)
            biarcs = _Biarcs(begin, end, turned[here], turned[there], np.exp(ratio))
            square, slope = _equations(biarcs, places, flat=fit == 0)
            more, by = _solved(square, slope, here, there, loose)
            share = 1.0 if fit == 0 else _SHARE
            sway = np.clip(sway + share * more, -_SWAY, _SWAY)
            ratio = np.clip(ratio + share * by, -_RATIO, _RATIO)
        turned = towards * np.exp(1j * sway)
        biarcs = _Biarcs(begin, end, turned[here], turned[there], np.exp(ratio))
        return begins, biarcs, self._strays(biarcs, begins, ends, self.last[owners])

    def _strays(self, biarcs: _Biarcs, begins: Floats, ends: Floats, last: Ints) -> Floats:
        found = [np.empty(0)]
        for start in range(0, len(begins), _AT_ONCE):
            some = slice(start, start + _AT_ONCE)
            found.append(biarcs.chosen(some).strays(*self.between(begins[some], ends[some], last[some], _MEASURED)))
        return np.concatenate(found)

    def _halved(self, spans: Ints, ways: Complexes) -> list[_Found]:
        """Return spans as biarcs in their own directions, halved until they are within the tolerance, or tiny."""
        found: list[_Found] = []
        begins, ends, owners = self.first[spans].astype(np.float64), self.last[spans].astype(np.float64) + 1, spans
        while len(begins):
            begin, leaving = self.at(begins, np.clip(begins.astype(np.int64), self.first[owners], self.last[owners]))
            end, reaching = self.at(ends, np.ceil(ends).astype(np.int64) - 1)
            is_first, is_last = begins == self.first[owners], ends == self.last[owners] + 1
            leaving[is_first], reaching[is_last] = (
                ways[self.before[owners[is_first]]],
                ways[self.after[owners[is_last]]],
            )
            biarcs = _Biarcs(begin, end, _unit(leaving), _unit(reaching), np.ones(len(begin)))
            good = self._strays(biarcs, begins, ends, self.last[owners]) <= self.tolerance
            places, _ = self.between(begins, ends, self.last[owners], _MEASURED)
            tiny = ~good & (np.abs(places - begin[:, None]).max(axis=1) <= min(SHORTEST, self.tolerance) / 2)
            found += _met(owners[good], begins[good], biarcs.chosen(good))
            found.append(_Found(owners[tiny], begins[tiny], begin[tiny], np.zeros(int(tiny.sum()))))
            left = ~good & ~tiny
            middle = (begins[left] + ends[left]) / 2
            begins, ends = np.append(begins[left], middle), np.append(middle, ends[left])
            owners = np.tile(owners[left], 2)
        return found

    def _assembled(self, found: list[_Found]) -> Arcs:
        """Return the arcs in the order of their chains, each chain with its end."""
        chains = np.concatenate([self.chains[each.spans] for each in found])
        count = int(self.chains[-1]) + 1
        last = np.append(np.flatnonzero(np.diff(self.chains)), len(self.chains) - 1)
        places = np.concatenate([each.places for each in found] + [self.last[last] + 1.0])
        vertices = np.concatenate([each.begin for each in found] + [self.cubics[self.last[last], 3]])
        bulges = np.concatenate([each.bulges for each in found] + [np.zeros(count)])
        chains = np.append(chains, np.arange(count))
        order = np.lexsort((places, chains))
        points = vertices[order].view(np.float64).reshape(-1, 2)
        return Arcs(Polylines(points, offsets(np.bincount(chains))), bulges[order])


@dataclass(frozen=True, eq=False)
class _Found:
    """Arcs found: their spans, their places on the course for the order, where they begin, and their bulges."""

    spans: Ints
    places: Floats
    begin: Complexes
    bulges: Floats


def _met(spans: Ints, places: Floats, biarcs: _Biarcs) -> list[_Found]:
    """Return both arcs of biarcs, or one where one does."""
    meeting, _ = biarcs.meetings()
    chord = biarcs.end - biarcs.begin
    early, late = np.angle(chord * biarcs.leaving.conjugate()), np.angle(biarcs.reaching * chord.conjugate())
    one = biarcs.are_round()
    first = np.where(one, (early + late) / 2, np.angle((meeting - biarcs.begin) * biarcs.leaving.conjugate()))
    second = np.angle(biarcs.reaching * (biarcs.end - meeting).conjugate())
    return [
        _Found(spans, places, biarcs.begin, _bulge(first)),
        _Found(spans[~one], places[~one], meeting[~one], _bulge(second[~one])),
    ]


def _bulge(angle: Floats) -> Floats:
    """Return the bulges of arcs from their angles with the chord in radians; those below _FLAT become 0."""
    bulge = np.tan(angle / 2)
    return np.where(np.abs(bulge) < _FLAT, 0.0, bulge)


def _equations(biarcs: _Biarcs, places: Complexes, *, flat: bool) -> tuple[Floats, Floats]:
    """Return the normal equations (n, 3, 3) and (n, 3) of each biarc, by both directions and the ratio's logarithm.

    Unless `flat`, places weigh more the farther they are from the arcs, as the worst one counts.
    """
    found = [
        _some_equations(biarcs.chosen(slice(at, at + _AT_ONCE)), places[at : at + _AT_ONCE], flat)
        for at in range(0, len(places), _AT_ONCE)
    ]
    square, slope = zip(*found, strict=True)
    return np.concatenate(square), np.concatenate(slope)


def _some_equations(biarcs: _Biarcs, places: Complexes, flat: bool) -> tuple[Floats, Floats]:
    arms, is_first, one, two = biarcs.seen_from(places)
    aside = _aside(arms, np.where(is_first, one[:, None], two[:, None]))
    # Turning its end moves an arc by the arm; its curvature then changes, too, which moves it by half the arm squared.
    rows = np.empty((*aside.shape, 3))
    lever = _dot(arms, arms) / 2
    for number, (leaving, reaching, ratio) in enumerate(np.eye(3) * _STEP):
        moved = _Biarcs(
            biarcs.begin,
            biarcs.end,
            biarcs.leaving * np.exp(1j * leaving),
            biarcs.reaching * np.exp(1j * reaching),
            biarcs.ratio * np.exp(ratio),
        )
        early, late = moved.curvatures(moved.meetings()[0])
        rows[..., number] = lever * np.where(is_first, (early - one)[:, None], (late - two)[:, None]) / _STEP
    rows[..., 0] += arms.real * is_first
    rows[..., 1] += arms.real * ~is_first
    if flat:
        weighed = rows
    else:
        size = np.abs(aside)
        weighed = rows * ((size / np.maximum(size.max(axis=1), 1e-12)[:, None] + _FLOOR) ** _POWER)[..., None]
    turned = np.swapaxes(weighed, 1, 2)
    # A biarc without length has no equations.
    return np.nan_to_num(turned @ rows), np.nan_to_num((turned @ aside[..., None])[..., 0])


def _solved(square: Floats, slope: Floats, here: Ints, there: Ints, loose: Flags) -> tuple[Floats, Floats]:
    """Return the turns of all directions, and the changes of the ratios, that solve the equations of all biarcs.

    Each biarc's ratio is eliminated; what is left is solved by damped Jacobi sweeps.
    """
    count = len(loose)
    pivot = square[:, 2, 2] + 1e-9
    cross = square[:, 2, :2] / pivot[:, None]
    rest = square[:, :2, :2] - square[:, :2, 2:] * cross[:, None]
    known = slope[:, :2] - cross * slope[:, 2:]
    diagonal = np.bincount(here, rest[:, 0, 0], count) + np.bincount(there, rest[:, 1, 1], count) + 1e-9
    wanted = np.bincount(here, known[:, 0], count) + np.bincount(there, known[:, 1], count)
    turns = np.zeros(count)
    for _ in range(_SWEEPS):
        coupled = np.bincount(here, rest[:, 0, 1] * turns[there], count)
        coupled += np.bincount(there, rest[:, 0, 1] * turns[here], count)
        turns = np.where(loose, (1 - _DAMPED) * turns - _DAMPED * (wanted + coupled) / diagonal, 0)
    turns = np.clip(turns, -_SWAY / 2, _SWAY / 2)
    ratios = -slope[:, 2] / pivot - cross[:, 0] * turns[here] - cross[:, 1] * turns[there]
    return turns, np.clip(ratios, -_RATIO / 2, _RATIO / 2)


def _sums(values: Floats, counts: Ints) -> Floats:
    return np.add.reduceat(values, offsets(counts)[:-1])


def _spread(knots: Floats, weights: Floats, counts: Ints, wanted: Ints) -> Floats:
    """Return `wanted` + 1 knots for each span, with the same weight between any two."""
    owners = np.arange(len(counts))
    # Spans lie 2 apart, so that one interpolation serves all.
    total = offsets(counts)
    sums = np.append([0.0], np.cumsum(weights))
    below = sums[total[:-1]].repeat(counts + 1)
    index = ranges(total[:-1], counts + 1)
    share = (sums[index] - below) / (sums[total[1:]] - sums[total[:-1]]).repeat(counts + 1)
    steps = ranges(np.zeros(len(wanted), np.int64), wanted + 1)
    at = 2 * owners.repeat(wanted + 1) + steps / wanted.repeat(wanted + 1)
    result = np.interp(at, 2 * owners.repeat(counts + 1) + share, knots)
    ends, new = offsets(counts + 1), offsets(wanted + 1)
    result[new[:-1]], result[new[1:] - 1] = knots[ends[:-1]], knots[ends[1:] - 1]
    return result


def _ways(cubics: Complexes) -> tuple[Complexes, Complexes]:
    """Return the directions in which cubics begin and end; 0 for those of no size."""
    leaving, reaching = np.zeros(len(cubics), complex), np.zeros(len(cubics), complex)
    for number in (3, 2, 1):
        one, two = cubics[:, number] - cubics[:, 0], cubics[:, 3] - cubics[:, 3 - number]
        leaving = np.where(np.abs(one) > _STRAIGHT, one, leaving)
        reaching = np.where(np.abs(two) > _STRAIGHT, two, reaching)
    return _unit(leaving), _unit(reaching)


def _are_lines(cubics: Complexes, tiny: float) -> Flags:
    """Return whether each cubic runs straight from end to end, or is no larger than `tiny` mm."""
    chord = cubics[:, 3] - cubics[:, 0]
    arms = (cubics[:, 1:3] - cubics[:, :1]) * _unit(chord).conjugate()[:, None]
    reach = np.column_stack([np.zeros(len(arms)), arms.real, np.abs(chord)])
    is_line = (np.abs(chord) > _STRAIGHT) & (np.abs(arms.imag) <= _STRAIGHT).all(axis=1)
    is_line &= (np.diff(reach, axis=1) >= -_STRAIGHT).all(axis=1)
    return np.asarray(is_line | (np.abs(cubics - cubics[:, :1]).max(axis=1) <= tiny))


def _changes(cubics: Complexes, tolerance: float) -> tuple[Floats, Floats, Floats]:
    """Return how many biarcs each part of each cubic takes, the curvature between parts, and the lengths of cubics."""
    share = np.arange(_PARTS + 1) / _PARTS
    rest = 1 - share
    first, second = 3 * np.diff(cubics, axis=1), 6 * np.diff(cubics, n=2, axis=1)
    slope = first @ np.array([rest**2, 2 * rest * share, share**2])
    bend = second @ np.array([rest, share])
    speed = np.maximum(np.abs(slope), _STRAIGHT)
    curvature = (slope.conjugate() * bend).imag / speed**3
    long = (speed[:, 1:] + speed[:, :-1]) / (2 * _PARTS)
    return np.cbrt(np.abs(np.diff(curvature, axis=1)) * long**2 / (_REACH * tolerance)), curvature, long.sum(axis=1)
