"""Fitting of smooth curves to polylines, with as few cubics as a tolerance allows.

The points are taken as samples of curves with corners between them, as a flattening makes them. The points between two
corners are fitted with one cubic by least squares, its ends and tangents fixed; where a point strays too far, or the
cubic leaves the chord between two points, it is split there (Schneider, "An algorithm for automatically fitting
digitized curves", 1990). All spans of all lines are treated at once.

span: the points between two neighbouring breaks. break: a corner, or the end of a straight line that runs into a curve.
bulge: the distance of a cubic from the chord between two places on it; of the whole stretch, not of samples.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from studio.geometry.curves.strokes import Curves, Floats, Ints, Polylines, offsets, ranges, straight

SHARP = 30.0
"""A turn in degrees that is always a corner."""
STENCIL = 5
"""The number of points that give the tangent of their curve."""
POINTS_AT_ONCE = 60_000
"""Number of points that, with what is computed of them, stay in a processor's cache."""
ROUNDS = 3
"""Refinements of the points' parameters along a cubic before it is split."""
HOPELESS = 12.0
"""The error in tolerances beyond which a cubic is split at once, since refining would not help."""
SHORTEST_HANDLE, LONGEST_HANDLE = 0.03, 4.0
"""Range of the lengths of a cubic's handles, in thirds of the way along its points; other lengths make loops."""
NO_STEP = 1e-12
"""Length in mm that stands for none, against division by zero."""
SHORT = 0.4
"""A step shorter than this share of its neighbour leads to a point between the even places of a flattening."""
NO_STEP = 1e-9
"""Length in mm below which a step is a rounding error."""
NO_TURN = 1e-9
"""Largest distance in mm of a point on the line through its neighbours."""
FOLDED = 0.25
"""Largest lead or lag of places on a cubic against the same share of its chord, in chords: within it the cubic runs
forward all along."""

Flags = NDArray[np.bool_]


def fitted(lines: Polylines, tolerance: float, chord: float, knots: Flags | None = None) -> Curves:
    """Fit curves that pass within `tolerance` mm of every point of the lines and through both their ends.

    `chord` is the largest distance in mm of the lines' chords from their curves (the chord tolerance of the
    flattening): a turn that would exceed it is a corner, and no curve bulges further from a chord. So curves and lines
    are nowhere further apart than `tolerance` and `chord` together. Three or more points in a straight line, and two
    points that are both breaks, become a straight cubic. `knots` marks points known to lie between two cubics. A line
    that ends where it starts is a ring; a ring with corners begins at its first corner.

    >>> angles = np.linspace(0.0, np.pi / 2, 20)
    >>> quarter = Polylines(10.0 * np.column_stack([np.cos(angles), np.sin(angles)]), np.array([0, 20]))
    >>> len(fitted(quarter, tolerance=0.01, chord=0.05).cubics)
    1
    """
    if knots is None:
        knots = np.zeros(len(lines.points), bool)
    parts = []
    first = 0
    while first < len(lines):
        last = int(np.searchsorted(lines.starts, lines.starts[first] + POINTS_AT_ONCE, side="right")) - 1
        last = max(last, first + 1)
        begin, end = lines.starts[[first, last]]
        part = Polylines(lines.points[begin:end], lines.starts[first : last + 1] - begin)
        parts.append(_fitted(*_from_corners(*_distinct(part, knots[begin:end]), chord), tolerance, chord))
        first = last
    return Curves.gathered(parts)


@dataclass(frozen=True, eq=False)
class _Course:
    """Lines, with the unit vectors (n, 2) and lengths (n,) of the steps into and out of every point.

    At the ends of an open line both steps are the same; on a ring they wrap around.
    """

    lines: Polylines
    ring: Flags
    into: Floats
    out: Floats
    length_in: Floats
    length_out: Floats

    def turns(self) -> Floats:
        """Turns of the line at every point in radians, at least 0."""
        cross = self.into[:, 0] * self.out[:, 1] - self.into[:, 1] * self.out[:, 0]
        return np.asarray(np.abs(np.arctan2(cross, (self.into * self.out).sum(axis=1))))


def _distinct(lines: Polylines, knots: Flags) -> tuple[Polylines, Flags]:
    """Remove points that repeat the point before, with their knots."""
    step = np.diff(lines.points, axis=0, prepend=np.nan)
    moved = np.abs(step).max(axis=1, initial=0.0) > NO_STEP
    moved |= np.isnan(step[:, 0])
    moved[lines.starts[:-1]] = True
    last = lines.starts[1:] - 1
    # The last point is kept, so that a ring still ends where it starts; the one before it is removed instead.
    before = last[~moved[last] & (last - 1 > lines.starts[:-1])] - 1
    moved[last] = True
    moved[before] = False
    if moved.all():
        return lines, knots
    counts = np.bincount(lines.owners[moved], minlength=len(lines))
    return Polylines(lines.points[moved], offsets(counts)), knots[moved]


def _course(lines: Polylines) -> _Course:
    points, first, last = lines.points, lines.starts[:-1], lines.starts[1:] - 1
    ring = (points[first] == points[last]).all(axis=1)
    step = np.zeros_like(points)
    step[:-1] = points[1:] - points[:-1]
    step[last] = np.where(ring[:, None], step[first], step[np.maximum(last - 1, first)])
    length = np.maximum(np.hypot(step[:, 0], step[:, 1]), 1e-300)
    unit = step / length[:, None]
    into, length_in = np.roll(unit, 1, axis=0), np.roll(length, 1)
    before = np.maximum(last - 1, first)
    into[first] = np.where(ring[:, None], unit[before], unit[first])
    length_in[first] = np.where(ring, length[before], length[first])
    return _Course(lines, ring, into, unit, length_in, length)


def _corners(course: _Course, chord: float) -> Flags:
    """Mask of corners: points that turn sharply, or so far that their chords would leave a curve by more than `chord`.

    A curve that turns by θ between chords a and b has the curvature 2θ / (a + b); its chord c lies c² / 8 times that
    away from it.
    """
    turns = course.turns()
    shorter = np.minimum(course.length_in, course.length_out)
    away = turns * shorter**2 / (4 * (course.length_in + course.length_out))
    return np.asarray((turns > np.radians(SHARP)) | (away > chord))


def _from_corners(lines: Polylines, knots: Flags, chord: float) -> tuple[Polylines, Flags]:
    """Begin rings with corners at their first corner, with their knots."""
    course = _course(lines)
    first, last = lines.starts[:-1], lines.starts[1:] - 1
    places = np.where(_corners(course, chord), np.arange(len(lines.points)), len(lines.points))
    foremost = np.minimum.reduceat(places, first)
    shift = np.where(course.ring & (foremost < last), foremost - first, 0)
    if not shift.any():
        return lines, knots
    within = np.arange(len(lines.points)) - first[lines.owners]
    turned = (within + shift[lines.owners]) % np.maximum(last - first, 1)[lines.owners]
    at = np.where(shift[lines.owners] > 0, turned, within) + first[lines.owners]
    return Polylines(lines.points[at], lines.starts), knots[at]


@dataclass(frozen=True, eq=False)
class _Spans:
    """Spans from point `first` to point `last`; each lies between two neighbouring breaks, `low` and `high`."""

    first: Ints
    last: Ints
    low: Ints
    high: Ints

    def chosen(self, which: Flags | Ints) -> _Spans:
        """Select spans."""
        return _Spans(self.first[which], self.last[which], self.low[which], self.high[which])

    def split(self, at: Ints) -> _Spans:
        """Split each span at a point `at`, or at the nearest point of its middle third."""
        third = np.maximum((self.last - self.first) // 3, 1)
        at = np.clip(at, self.first + third, self.last - third)
        return _Spans(
            np.concatenate([self.first, at]),
            np.concatenate([at, self.last]),
            np.concatenate([self.low, self.low]),
            np.concatenate([self.high, self.high]),
        )


def _fitted(lines: Polylines, knots: Flags, tolerance: float, chord: float) -> Curves:
    steps = np.hypot(*np.diff(lines.points, axis=0).T)
    spans, way = _spans(lines, knots, chord), np.concatenate([[0.0], np.cumsum(steps)])
    done: list[tuple[Ints, Floats]] = []
    while len(spans.first):
        control, worst, at = _cubics(lines.points, way, spans, tolerance, chord)
        good = worst <= tolerance
        done.append((spans.first[good], control[good]))
        spans = spans.chosen(~good).split(at[~good])
    beginnings = np.concatenate([first for first, _ in done])
    order = np.argsort(beginnings)
    control = np.concatenate([part for _, part in done])[order]
    owners = lines.owners[beginnings[order]]
    starts = offsets(3 * np.bincount(owners, minlength=len(lines)) + 1)
    points = np.empty((int(starts[-1]), 2))
    points[starts[:-1]] = lines.points[lines.starts[:-1]]
    within = 3 * np.arange(len(owners)) + owners + 1
    points[within[:, None] + np.arange(3)] = control[:, 1:]
    return Curves(points, starts)


def _spans(lines: Polylines, knots: Flags, chord: float) -> _Spans:
    """The spans between all breaks, the knots among them."""
    course = _course(lines)
    corners = _corners(course, chord)
    first, last = lines.starts[:-1], lines.starts[1:] - 1
    turns = np.where(corners, 0.0, course.turns())
    flat = ~corners & (turns * np.minimum(course.length_in, course.length_out) <= NO_TURN)
    flat[first] = flat[last] = False
    # The chord from here on is a straight line: others continue it, or its turns at both ends are too large for a curve
    # near it.
    continued = np.zeros(len(turns), bool)
    continued[:-1] = flat[:-1] | flat[1:]
    is_line = continued.copy()
    is_line[:-1] |= course.length_out[:-1] * np.maximum(turns[:-1], turns[1:]) / 8 > 2 * chord
    is_line[last] = False
    breaks = corners | is_line | knots
    breaks[1:] |= is_line[:-1]
    breaks &= ~flat
    breaks[first] = breaks[last] = True
    at = np.flatnonzero(breaks)
    begin, end = at[:-1], at[1:]
    inside = lines.owners[begin] == lines.owners[end]
    begin, end = begin[inside], end[inside]
    return _Spans(begin, end, begin, end)


def _tangents(points: Floats, at: Ints, low: Ints, high: Ints) -> Floats:
    """Unit tangents (k, 2) at points, from up to STENCIL points around each between `low` and `high`.

    They belong to the polynomial through these points over the distance along them (Lagrange).
    """
    result = np.empty((len(at), 2))
    sizes = np.minimum(STENCIL, high - low + 1)
    for size in range(2, STENCIL + 1):
        same = np.flatnonzero(sizes == size)
        if not len(same):
            continue
        begin = np.clip(at[same] - size // 2, low[same], high[same] - size + 1)
        around = points[begin[:, None] + np.arange(size)]
        way = np.zeros((len(same), size))
        np.cumsum(np.hypot(*np.moveaxis(np.diff(around, axis=1), 2, 0)), axis=1, out=way[:, 1:])
        here = (np.arange(len(same)), at[same] - begin)
        gaps = way[:, :, None] - way[:, None, :]
        weights = 1.0 / np.where(gaps == 0, 1.0, gaps).prod(axis=2)
        apart = way[here][:, None] - way
        apart[apart == 0] = 1.0
        shares = weights / weights[here][:, None] / apart
        shares[here] = 0.0
        shares[here] = -shares.sum(axis=1)
        result[same] = (shares[:, :, None] * around).sum(axis=1)
    return result / np.maximum(np.hypot(result[:, 0], result[:, 1]), 1e-300)[:, None]


def _cubics(points: Floats, way: Floats, spans: _Spans, tolerance: float, chord: float) -> tuple[Floats, Floats, Ints]:
    """The best cubic (k, 4, 2) found for every span, its largest error in mm, and the point with that error.

    The error is infinite if the cubic bulges by more than `chord` mm between two points.
    """
    # Cubics on the tangents at the spans' ends, with handles a third as long as the distance along the points.
    begin, end = points[spans.first], points[spans.last]
    third = (way[spans.last] - way[spans.first])[:, None] / 3
    leaving = third * _tangents(points, spans.first, spans.low, spans.high)
    reaching = third * _tangents(points, spans.last, spans.low, spans.high)
    control = np.stack([begin, begin + leaving, end - reaching, end], 1)
    worst = np.zeros(len(control))
    at = spans.first + 1
    is_single = spans.last - spans.first == 1
    single = np.flatnonzero(is_single)
    whole = np.zeros(len(single)), np.ones(len(single))
    single = single[_bulges(control[single], *whole, control[single, 0], control[single, 3]) > chord]
    control[single] = straight(control[single][:, [0, 3]]).cubics
    active = np.flatnonzero(~is_single)
    worst[active] = np.inf
    samples = _Samples.from_points(points, spans.chosen(active))
    for left in reversed(range(ROUNDS)):
        if not len(active):
            break
        tried = samples.least_squares(control[active])
        apart = samples.apart(tried)
        strays, where = samples.strays(apart)
        near, bulges, beside = samples.bulges(strays <= tolerance, tried, apart)
        near, beside = near[bulges > chord], beside[bulges > chord]
        strays[near] = np.inf
        at[active[near]] = beside
        better = strays < worst[active]
        chosen = active[better]
        control[chosen], worst[chosen], at[chosen] = tried[better], strays[better], where[better]
        if not left:
            break
        going = (strays > tolerance) & (strays < HOPELESS * tolerance)
        samples = samples.moved(going, tried[going], apart)
        active = active[going]
    return control, worst, at


@dataclass(frozen=True, eq=False)
class _Samples:
    """Inner points of spans, at `places` between 0 and 1 along the cubic of their span.

    Span i has the points `starts[i]` to `starts[i + 1]`, at least one.
    """

    index: Ints
    x: Floats
    y: Floats
    places: Floats
    starts: Ints

    @classmethod
    def from_points(cls, points: Floats, spans: _Spans) -> _Samples:
        """Place the inner points evenly, as a flattening samples a cubic.

        Only a first or last step much shorter than its neighbour leads to a point between such places.
        """
        counts = spans.last - spans.first - 1
        starts = offsets(counts)
        index = ranges(spans.first + 1, counts)
        # A point may be repeated at the end of a line.
        steps = np.maximum(np.hypot(*np.diff(points, axis=0).T), NO_STEP)
        ends = np.stack([steps[spans.first] / steps[spans.first + 1], steps[spans.last - 1] / steps[spans.last - 2]])
        first, last = np.where(ends < SHORT, ends, 1.0)
        within = index - np.repeat(spans.first + 1, counts)
        places = (within + np.repeat(first, counts)) / np.repeat(counts - 1 + first + last, counts)
        return cls(index, points[index, 0], points[index, 1], places, starts)

    @cached_property
    def counts(self) -> Ints:
        """Points in each span."""
        return np.diff(self.starts)

    @cached_property
    def owners(self) -> Ints:
        """The span that each point belongs to."""
        return np.repeat(np.arange(len(self.counts)), self.counts)

    def least_squares(self, guessed: Floats) -> Floats:
        """Cubics (k, 4, 2) nearest to the points at their parameters, with the ends and tangents of guessed cubics."""
        owners, at = self.owners, self.starts[:-1]
        t, rest = self.places, 1 - self.places
        one, two, late = 3 * t * rest**2, 3 * t**2 * rest, t**2 * (3 - 2 * t)
        begin, end = guessed[:, 0], guessed[:, 3]
        way = end - begin
        x = self.x - begin[:, 0][owners] - late * way[:, 0][owners]
        y = self.y - begin[:, 1][owners] - late * way[:, 1][owners]
        products = (one * one, one * two, two * two, one * x, one * y, two * x, two * y)
        ones, both, twos, one_x, one_y, two_x, two_y = (np.add.reduceat(product, at) for product in products)
        # The handles are sought in units of the guessed ones.
        leaving, reaching = guessed[:, 1] - begin, guessed[:, 2] - end
        ones *= (leaving**2).sum(axis=1)
        twos *= (reaching**2).sum(axis=1)
        both *= (leaving * reaching).sum(axis=1)
        first = leaving[:, 0] * one_x + leaving[:, 1] * one_y
        second = reaching[:, 0] * two_x + reaching[:, 1] * two_y
        determinant = ones * twos - both**2
        sound = determinant > 1e-9 * ones * twos
        divisor = np.where(sound, determinant, 1.0)
        lengths = np.stack([twos * first - both * second, ones * second - both * first], 1) / divisor[:, None]
        sound &= ((lengths > SHORTEST_HANDLE) & (lengths < LONGEST_HANDLE)).all(axis=1)
        lengths = np.where(sound[:, None], lengths, 1.0)
        return np.stack([begin, begin + lengths[:, :1] * leaving, end + lengths[:, 1:] * reaching, end], 1)

    def apart(self, cubics: Floats) -> tuple[Floats, Floats]:
        """Offsets in mm, in x and in y, of the places on their cubics from the points."""
        owners, t, rest = self.owners, self.places, 1 - self.places
        weights = rest**3, 3 * t * rest**2, 3 * t**2 * rest, t**3
        x = np.zeros(len(t))
        y = np.zeros(len(t))
        for number, weight in enumerate(weights):
            x += cubics[:, number, 0][owners] * weight
            y += cubics[:, number, 1][owners] * weight
        x -= self.x
        y -= self.y
        return x, y

    def strays(self, apart: tuple[Floats, Floats]) -> tuple[Floats, Ints]:
        """Largest distance in mm of a point from its place on its cubic, span by span, and the point."""
        x, y = apart
        square = x**2 + y**2
        worst = np.maximum.reduceat(square, self.starts[:-1])
        hits = np.flatnonzero(square == worst[self.owners])
        where = np.empty(len(worst), np.int64)
        where[self.owners[hits[::-1]]] = self.index[hits[::-1]]
        return np.sqrt(worst), where

    def bulges(self, which: Flags, cubics: Floats, apart: tuple[Floats, Floats]) -> tuple[Ints, Floats, Ints]:
        """The selected spans, the largest bulge in mm of each one's cubic between two points, and a point beside it."""
        some, counts = np.flatnonzero(which), self.counts[which]
        kept = np.flatnonzero(which[self.owners])
        owners = np.repeat(np.arange(len(some)), counts + 1)
        inner = np.arange(len(kept)) + np.repeat(np.arange(len(some)), counts)
        low, high = np.zeros(len(owners)), np.ones(len(owners))
        high[inner] = low[inner + 1] = self.places[kept]
        cubics = cubics[some][owners]
        begins, ends = cubics[:, 0].copy(), cubics[:, 3].copy()
        on_curve = np.stack([self.x[kept] + apart[0][kept], self.y[kept] + apart[1][kept]], 1)
        ends[inner] = begins[inner + 1] = on_curve
        bulges = _bulges(cubics, low, high, begins, ends)
        starts = offsets(counts + 1)[:-1]
        worst = np.maximum.reduceat(bulges, starts) if len(some) else bulges
        hits = np.flatnonzero(bulges == worst[owners])[::-1]
        where = np.empty(len(some), np.int64)
        where[owners[hits]] = hits - starts[owners[hits]]
        first = self.index[self.starts[:-1][some]]
        return some, worst, first + np.minimum(where, counts - 1)

    def moved(self, which: Flags, cubics: Floats, apart: tuple[Floats, Floats]) -> _Samples:
        """Move the points of spans to the nearest places on their cubics, by a step of Newton's method."""
        counts = self.counts[which]
        starts = offsets(counts)
        kept = np.flatnonzero(which[self.owners])
        owners = np.repeat(np.arange(len(counts)), counts)
        first = 3 * np.diff(cubics, axis=1)
        second = 2 * np.diff(first, axis=1)
        t = self.places[kept]
        rest = 1 - t
        early, middle, late = rest**2, 2 * t * rest, t**2
        slope_x, slope_y = (
            first[:, 0, axis][owners] * early + first[:, 1, axis][owners] * middle + first[:, 2, axis][owners] * late
            for axis in (0, 1)
        )
        bend_x, bend_y = (second[:, 0, axis][owners] * rest + second[:, 1, axis][owners] * t for axis in (0, 1))
        apart_x, apart_y = apart[0][kept], apart[1][kept]
        fall = slope_x**2 + slope_y**2 + apart_x * bend_x + apart_y * bend_y
        step = (apart_x * slope_x + apart_y * slope_y) / np.where(fall > 0, fall, np.inf)
        return _Samples(self.index[kept], self.x[kept], self.y[kept], np.clip(t - step, 0.0, 1.0), starts)


def _bulges(cubics: Floats, low: Floats, high: Floats, begins: Floats, ends: Floats) -> Floats:
    """Largest distance in mm of cubics (k, 4, 2) from the chord between two places on each; infinite if one folds.

    A curve whose second derivative is at most M leaves its chord by at most M (high - low)² / 8 (de Boor, "A Practical
    Guide to Splines", 1978); a cubic's is largest at an end.
    """
    change = 6 * np.diff(cubics, n=2, axis=1)
    way = ends - begins
    length = np.hypot(way[:, 0], way[:, 1])
    along = way / np.maximum(length, 1e-300)[:, None]
    aside, ahead = np.zeros(len(low)), np.zeros(len(low))
    for place in (low, high):
        bend = change[:, 0] * (1 - place)[:, None] + change[:, 1] * place[:, None]
        aside = np.maximum(aside, np.abs(along[:, 0] * bend[:, 1] - along[:, 1] * bend[:, 0]))
        ahead = np.maximum(ahead, np.abs((along * bend).sum(axis=1)))
    reach = (high - low) ** 2 / 8
    runs_on = (high > low) & (ahead * reach <= FOLDED * length)
    return np.where(runs_on, aside * reach, np.inf)
