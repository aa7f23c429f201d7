"""Strokes of the plane as cubic Bézier curves, many at a time.

stroke: one unbroken curve, a chain of cubics that share their ends; k cubics have 3k + 1 control points.
flattening: replacing a curve by a polyline that stays within a stated distance (the chord tolerance) of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Self, TypeVar
from weakref import ref

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# Five-point Gauss-Legendre nodes and weights on [0, 1]; with each cubic halved twice before, the length of
# a tongue is right to better than 0.001 %.
_NODES = np.array([0.046910077030668, 0.230765344947158, 0.5, 0.769234655052842, 0.953089922969332])
_WEIGHTS = np.array([0.118463442528095, 0.239314335249683, 0.284444444444444, 0.239314335249683, 0.118463442528095])
_SUBSPANS = 4
MEASURED_AT_ONCE = 4096
"""Cubics measured in one batch, whose data fit into a processor's cache."""
# Parameters at which cubics are sampled to find the places of arc lengths.
_SAMPLES = np.linspace(0.0, 1.0, 33)


FOUR = np.arange(4)
"""Indices of a cubic's control points."""
FEW_PAIRS = 10_000
"""Pairs of numbers up to which all are compared."""

A = TypeVar("A", bound=NDArray[Any])


def frozen(array: A) -> A:
    """Make an array read-only and return it."""
    array.flags.writeable = False
    return array


def ranges(starts: Ints, counts: Ints) -> Ints:
    """The concatenation of start, start + 1, … start + count - 1 for every pair."""
    if not len(counts):
        return np.empty(0, np.int64)
    after = counts.cumsum()
    result: Ints = (starts - after + counts).repeat(counts)
    result += np.arange(len(result))
    return result


def distinct(values: Ints) -> Ints:
    """Distinct values, ascending; numpy's own `unique` costs a start-up 25 ms for its imports."""
    ordered = np.sort(values, axis=None)
    first = np.ones(len(ordered), bool)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return ordered[first]


def among(values: Ints, some: Ints) -> NDArray[np.bool_]:
    """Mask of the values found among others; for the few of a drag, numpy's own `isin` takes longer."""
    if len(values) * len(some) > FEW_PAIRS:
        return np.isin(values, some)
    return np.asarray((values[:, None] == some).any(axis=1))


def totals(owners: Ints, amounts: Floats, count: int) -> Floats:
    """The sum of the amounts of each of `count` owners."""
    return np.bincount(owners, amounts, minlength=count).astype(np.float64, copy=False)


MIXERS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93], np.uint64)
"""Odd factors that mix coordinates into marks."""


MOST_REPLACED = 0.1
"""Largest fraction of runs that are remembered as replaced."""


def offsets(counts: Ints) -> Ints:
    """Starts of consecutive runs of given lengths, and the end of the last: n + 1 numbers."""
    result = np.zeros(len(counts) + 1, np.int64)
    counts.cumsum(out=result[1:])
    return result


def paired(points: Floats) -> NDArray[np.complex128]:
    """View points (…, 2) as complex numbers (…), which numpy compares, takes and puts several times as fast."""
    return np.ascontiguousarray(points).view(np.complex128)[..., 0]


def differing(points: Floats, others: Floats) -> NDArray[np.bool_]:
    """Mask of points (n, 2) that differ; as complex numbers, each takes one comparison."""
    return np.asarray(paired(points) != paired(others))


@dataclass(frozen=True, eq=False)
class Runs:
    """Runs of points of unequal length: run i is `points[starts[i]:starts[i + 1]]`, points (n, 2) in mm."""

    points: Floats
    starts: Ints
    _compared: tuple[ref[Runs], Ints] | None = field(default=None, init=False, repr=False)
    """The last answer of `changed_since`: canvas, checks and pipeline ask the same question of every frame."""
    _descent: tuple[object, Ints] | None = field(default=None, init=False, repr=False)
    """A token for the original runs that `replaced` started from, and all runs replaced since, ascending."""
    _taken: tuple[ref[Runs], Ints] | None = field(default=None, init=False, repr=False)
    """The source runs of `taken`, and the numbers taken."""
    _sought: tuple[ref[Runs], Ints] | None = field(default=None, init=False, repr=False)
    """The last answer of `found_in`, so that runs that a drag takes from earlier ones are not searched again."""
    _patch: tuple[Floats, Ints, Runs] | None = field(default=None, init=False, repr=False)
    """Earlier points, the replaced runs, and their replacements, until the points made by `replaced` are first read. A
    move of a drag reads only the replacements."""

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Floats:
            patch = self.__dict__.get("_patch")
            if name != "points" or patch is None:
                if name in self.__dict__:  # another thread was faster
                    return self.__dict__[name]
                raise AttributeError(name)
            before, chosen, runs = patch
            points = before.copy()
            points[ranges(self.starts[chosen], runs.counts)] = runs.points
            object.__setattr__(self, "points", frozen(points))
            object.__setattr__(self, "_patch", None)
            return points

    def __post_init__(self) -> None:
        frozen(self.points)
        frozen(self.starts)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, run: int) -> Floats:
        return self.points[self.starts[run] : self.starts[run + 1]]

    @property
    def counts(self) -> Ints:
        """The number of points of every run."""
        return self.starts[1:] - self.starts[:-1]

    @cached_property
    def owners(self) -> Ints:
        """The run that each point belongs to."""
        return np.repeat(np.arange(len(self)), self.counts)

    def changed_since(self, before: Runs) -> Ints:
        """The runs whose points differ from `before`, which has as many runs."""
        known = self._compared
        if known is not None and known[0]() is before:
            return known[1]
        changed = self._changed_since(before)
        object.__setattr__(self, "_compared", (ref(before), frozen(changed)))
        return changed

    def _changed_since(self, before: Runs) -> Ints:
        if self is before or self.__dict__.get("points", self) is before.__dict__.get("points"):
            return np.empty(0, np.int64)
        mine, its = self._descent, before._descent
        if mine is None or its is None or mine[0] is not its[0]:
            return self._differing_from(before)
        replaced = mine[1] if mine[1] is its[1] else distinct(np.concatenate([mine[1], its[1]]))
        return np.asarray(replaced[self.chosen(replaced)._differing_from(before.chosen(replaced))])

    def _differing_from(self, before: Runs) -> Ints:
        """Compare all runs and return the ones whose points differ."""
        if np.array_equal(self.starts, before.starts):
            moved = np.flatnonzero(differing(self.points, before.points))
            return distinct(np.searchsorted(self.starts, moved, side="right") - 1)
        resized = self.counts != before.counts
        alike = np.flatnonzero(~resized)
        counts = self.counts[alike]
        here = self.points[ranges(self.starts[alike], counts)]
        there = before.points[ranges(before.starts[alike], counts)]
        moved = distinct(np.repeat(alike, counts)[differing(here, there)])
        return distinct(np.concatenate([np.flatnonzero(resized), moved]))

    def found_in(self, before: Runs) -> Ints:
        """The run of `before` with the same points as each run, whatever its number, or -1."""
        known = self._sought
        if known is not None and known[0]() is before:
            return known[1]
        found = self._found_by_descent(before)
        left = np.flatnonzero(found < 0)
        found[left] = (self if len(left) == len(self) else self.chosen(left))._searched_in(before)
        object.__setattr__(self, "_sought", (ref(before), frozen(found)))
        return found

    def _found_by_descent(self, before: Runs) -> Ints:
        """`found_in` as far as it follows from the runs that these were taken from."""
        source, numbers = (None, None) if self._taken is None else (self._taken[0](), self._taken[1])
        if source is None or numbers is None:
            return np.full(len(self), -1)
        if source is before:
            return numbers.copy()
        known = source._sought
        if known is None or known[0]() is not before:
            return np.full(len(self), -1)
        return np.append(known[1], -1)[numbers]

    def _searched_in(self, before: Runs) -> Ints:
        known, sought = before._marks, self._marks
        if not len(known) or not len(sought):
            return np.full(len(self), -1)
        order = before._order
        at = order[np.minimum(np.searchsorted(known, sought, sorter=order), len(order) - 1)]
        alike = np.flatnonzero((known[at] == sought) & (self.counts == before.counts[at]))
        here, there = self.chosen(alike), before.chosen(at[alike])
        alike = np.delete(alike, here._changed_since(there))
        found = np.full(len(self), -1)
        found[alike] = at[alike]
        return found

    @cached_property
    def _marks(self) -> NDArray[np.uint64]:
        """A hash of every run's first two points."""
        first = np.ascontiguousarray(self.points).view(np.uint64)[self.starts[:-1, None] + np.arange(2)].reshape(-1, 4)
        return np.asarray((first * MIXERS).sum(axis=1, dtype=np.uint64))

    @cached_property
    def _order(self) -> Ints:
        """The runs in the order of their marks."""
        return np.argsort(self._marks, kind="stable")

    def taken(self, numbers: Ints, others: Self) -> Self:
        """Take runs by their numbers (n,), and for each -1 the next of the others."""
        places = numbers.copy()
        places[numbers < 0] = len(self) + np.arange(len(others))
        result = type(self).gathered([self, others]).chosen(places)
        object.__setattr__(result, "_taken", (ref(self), frozen(numbers)))
        return result

    def replaced(self, chosen: Ints, runs: Self) -> Self:
        """Replace the chosen runs."""
        counts = runs.counts
        if np.array_equal(self.starts[chosen + 1] - self.starts[chosen], counts):
            result = self._patched(chosen, runs)
        else:
            all_counts = self.counts.copy()
            all_counts[chosen] = counts
            starts = offsets(all_counts)
            points = np.empty((int(starts[-1]), 2))
            kept = np.ones(len(self), bool)
            kept[chosen] = False
            sizes = all_counts[kept]
            points[ranges(starts[:-1][kept], sizes)] = self.points[ranges(self.starts[:-1][kept], sizes)]
            points[ranges(starts[chosen], counts)] = runs.points
            result = type(self)(points, starts)
        self._descend(result, chosen)
        return result

    def _patched(self, chosen: Ints, runs: Self) -> Self:
        """`replaced` for runs of unchanged sizes, whose points are assembled when they are first read."""
        patch = self._patch
        points = patch[0] if patch is not None and np.array_equal(patch[1], chosen) else self.points
        result = object.__new__(type(self))
        object.__setattr__(result, "starts", self.starts)
        object.__setattr__(result, "_patch", (points, chosen, runs))
        return result

    def _descend(self, result: Runs, replaced: Ints) -> None:
        """Note the replaced runs of a result, so that a comparison examines only these."""
        if self._descent is None or len(self._descent[1]) > MOST_REPLACED * len(self):
            object.__setattr__(self, "_descent", (object(), replaced[:0]))
        assert self._descent is not None
        origin, before = self._descent
        since = before if among(replaced, before).all() else distinct(np.concatenate([before, replaced]))
        object.__setattr__(result, "_descent", (origin, since))

    @property
    def ends(self) -> Floats:
        """First and last point (n, 2, 2) of every run."""
        return np.asarray(self.points[np.array([self.starts[:-1], self.starts[1:] - 1]).T])

    @classmethod
    def gathered(cls, parts: Sequence[Self]) -> Self:
        """Concatenate the runs of several parts."""
        points = np.concatenate([np.empty((0, 2)), *(part.points for part in parts)])
        return cls(points, offsets(np.concatenate([np.empty(0, np.int64), *(part.counts for part in parts)])))

    def chosen(self, runs: Ints) -> Self:
        """Select runs, in the order given."""
        patch = self._patch
        if patch is not None and isinstance(patch[2], type(self)) and np.array_equal(patch[1], runs):
            return patch[2]
        begins = self.starts[runs]
        counts = self.starts[runs + 1] - begins
        return type(self)(self.points.take(ranges(begins, counts), axis=0), offsets(counts))

    def joined(self, codes: Ints, starts: Ints) -> Self:
        """Join runs end to end; code 2i is run i forwards, 2i + 1 backwards; shared ends appear once."""
        runs, backwards = codes >> 1, (codes & 1).astype(bool)
        counts = self.counts[runs]
        at = offsets(counts)
        steps = np.where(backwards, -1, 1)
        begins = np.where(backwards, self.starts[runs + 1] - 1, self.starts[runs])
        within = np.arange(int(at[-1])) - np.repeat(at[:-1], counts)
        points = self.points[np.repeat(begins, counts) + np.repeat(steps, counts) * within]
        keep = np.ones(len(points), bool)
        first = np.zeros(len(codes), bool)
        first[starts[:-1]] = True
        keep[at[:-1][~first]] = False
        sizes = counts - ~first
        return type(self)(points[keep], offsets(np.add.reduceat(sizes, starts[:-1]) if len(starts) > 1 else sizes))


@dataclass(frozen=True, eq=False)
class Polylines(Runs):
    """Polylines in mm."""

    @cached_property
    def lengths(self) -> Floats:
        """The length of every polyline in mm."""
        steps = np.hypot(*np.diff(self.points, axis=0).T)
        inside = np.ones(len(steps), bool)
        inside[self.starts[1:-1] - 1] = False
        owners = self.owners[:-1][inside]
        return totals(owners, steps[inside], len(self))

    @cached_property
    def sweeps(self) -> Floats:
        """The signed area in mm² that the ray from the origin sweeps along every polyline; round a ring they add up
        to its area (Green's theorem), positive if followed clockwise with y growing downwards."""
        here, following = self.points[:-1], self.points[1:]
        cross = here[:, 0] * following[:, 1] - here[:, 1] * following[:, 0]
        inside = np.ones(len(cross), bool)
        inside[self.starts[1:-1] - 1] = False
        return totals(self.owners[:-1][inside], 0.5 * cross[inside], len(self))


@dataclass(frozen=True, eq=False)
class Curves(Runs):
    """Strokes as chains of cubics: each run holds the 3k + 1 control points of k cubics."""

    @classmethod
    def from_strokes(cls, strokes: list[Floats]) -> Curves:
        """Curves from a list of (3k + 1, 2) arrays of control points."""
        points = np.concatenate(strokes) if strokes else np.empty((0, 2))
        return cls(points, offsets(np.array([len(stroke) for stroke in strokes], np.int64)))

    @cached_property
    def cubic_owners(self) -> Ints:
        """The stroke that each cubic belongs to."""
        return np.arange(len(self)).repeat((self.counts - 1) // 3)

    @cached_property
    def _firsts(self) -> Ints:
        """Index of the first control point of every cubic; each has three, and each stroke a last one."""
        owners = self.cubic_owners
        return 3 * np.arange(len(owners)) + owners

    @property
    def cubics(self) -> Floats:
        """The control points (k, 4, 2) of all cubics, stroke after stroke."""
        return self.points.take(self._firsts[:, None] + FOUR, axis=0)

    @cached_property
    def lengths(self) -> Floats:
        """The arc length of every stroke in mm."""
        spans = (np.arange(_SUBSPANS)[:, None] + _NODES).ravel() / _SUBSPANS
        weights = np.tile(_WEIGHTS, _SUBSPANS) / _SUBSPANS
        basis = np.stack([(1 - spans) ** 2, 2 * spans * (1 - spans), spans**2], 1)
        firsts = self._firsts
        long = np.empty(len(firsts))
        for begin in range(0, len(firsts), MEASURED_AT_ONCE):
            some = slice(begin, begin + MEASURED_AT_ONCE)
            hodograph = 3.0 * np.diff(self.points[firsts[some][:, None] + np.arange(4)], axis=1)
            across, down = basis @ hodograph[:, :, 0].T, basis @ hodograph[:, :, 1].T
            # np.hypot, which cannot overflow, takes five times as long.
            long[some] = weights @ np.sqrt(across * across + down * down)
        return totals(self.owners[firsts], long, len(self))

    def flattened(self, tolerance: float) -> Polylines:
        """Polylines that stay within `tolerance` mm of the curves; ends are kept exactly.

        The number of chords follows from the second differences of the control points (Wang 1984), which bounds
        the distance from above.
        """
        cubics, owners = self.cubics, self.cubic_owners
        steps = cubics[:, 1:] - cubics[:, :-1]
        bends = steps[:, 1:] - steps[:, :-1]
        bend = np.hypot(bends[..., 0], bends[..., 1]).max(axis=1, initial=0.0)
        exact = np.ceil(np.sqrt(0.75 * bend / tolerance))
        chords = np.maximum(1, np.where(exact <= 8, exact, 4 * np.ceil(exact / 4))).astype(np.int64)
        starts = offsets(np.bincount(owners, chords, minlength=len(self)).astype(np.int64) + 1)
        points = np.empty(int(starts[-1]), np.complex128)
        points[starts[:-1]] = paired(self.points)[self.starts[:-1]]
        at = offsets(chords)[:-1] + owners + 1
        for number in distinct(chords).tolist():
            same = (chords == number).nonzero()[0]
            points[at[same][:, None] + np.arange(number)] = paired(_weights(number) @ cubics.take(same, axis=0))
        return Polylines(points.view(np.float64).reshape(-1, 2), starts)


@lru_cache(maxsize=256)
def _weights(chords: int) -> Floats:
    """Weights (k, 4) of a cubic's control points at the ends of its chords."""
    along = np.arange(1, chords + 1)[:, None] / chords
    rest = 1 - along
    return frozen(np.concatenate([rest**3, 3 * along * rest**2, 3 * along**2 * rest, along**3], 1))


def through(points: Floats) -> Floats:
    """Control points (3n - 2, d) of a stroke of straight cubics through points (n, d)."""
    thirds = np.arange(3)[:, None] / 3
    between = points[:-1, None] * (1 - thirds) + points[1:, None] * thirds
    return np.concatenate([between.reshape(-1, points.shape[1]), points[-1:]])


def split_at(stroke: Floats, lengths: Floats) -> list[Floats]:
    """Split a stroke (3k + 1, 2) at ascending arc lengths in mm within it."""
    cubics = stroke[3 * np.arange((len(stroke) - 1) // 3)[:, None] + np.arange(4)]
    rest = 1 - _SAMPLES
    basis = np.stack([rest**3, 3 * _SAMPLES * rest**2, 3 * _SAMPLES**2 * rest, _SAMPLES**3], 1)
    steps = np.hypot(*np.moveaxis(np.diff(basis @ cubics, axis=1), 2, 0)).ravel()
    along = np.concatenate([[0.0], np.cumsum(steps)])
    # Chords are a little shorter than their curve.
    along *= float(Curves.from_strokes([stroke]).lengths[0]) / max(float(along[-1]), 1e-12)
    knots = np.interp(lengths, along, np.arange(len(along)) / (len(_SAMPLES) - 1))
    return split_at_knots(stroke, knots.tolist())


def split_at_knots(stroke: Floats, knots: Sequence[float]) -> list[Floats]:
    """Split a stroke (3k + 1, 2) at ascending knots within it: the number of a cubic, plus a share of it."""
    parts, begin, here = [], 0.0, stroke
    for knot in knots:
        which = min(int(knot), (len(stroke) - 1) // 3 - 1)
        # The rest of a cubic that was split before runs from that knot to its end.
        low = max(float(which), begin)
        before, here = _parted(here, which - int(begin), (knot - low) / (which + 1 - low))
        parts.append(before)
        begin = knot
    return [*parts, here]


def _parted(stroke: Floats, cubic: int, share: float) -> tuple[Floats, Floats]:
    """Split a stroke within one of its cubics (de Casteljau)."""
    a, b, c, d = stroke[3 * cubic : 3 * cubic + 4]
    ab, bc, cd = a + share * (b - a), b + share * (c - b), c + share * (d - c)
    abc, bcd = ab + share * (bc - ab), bc + share * (cd - bc)
    middle = abc + share * (bcd - abc)
    before = np.concatenate([stroke[: 3 * cubic + 1], [ab, abc, middle]])
    return before, np.concatenate([[middle, bcd, cd], stroke[3 * cubic + 3 :]])


def closed_through(corners: Floats) -> Floats:
    """Control points (3n + 1, 2) of a closed stroke of straight cubics through n corners."""
    return through(np.concatenate([corners, corners[:1]]))


def samples(strokes: Curves, chosen: Ints, steps: int) -> Floats:
    """Points in equal steps of the parameter along some strokes, shape (k, steps + 1, 2)."""
    points = np.empty((len(chosen), steps + 1, 2))
    counts = strokes.counts[chosen]
    for count in distinct(counts).tolist():
        alike = np.flatnonzero(counts == count)
        control = paired(strokes.points)[strokes.starts[chosen[alike], None] + np.arange(count)]
        points[alike] = (control @ _sampling(count, steps)).view(np.float64).reshape(len(alike), -1, 2)
    return points


@lru_cache(maxsize=64)
def _sampling(count: int, steps: int) -> NDArray[np.complex128]:
    """Weights of the `count` control points of a stroke at its samples, shape (count, steps + 1)."""
    cubics = (count - 1) // 3
    places = np.arange(steps + 1) * (cubics / steps)
    which = np.minimum(places.astype(np.int64), cubics - 1)
    t = (places - which)[:, None]
    weights = np.zeros((steps + 1, count), complex)
    basis = np.concatenate([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3], 1)
    np.put_along_axis(weights, 3 * which[:, None] + np.arange(4), basis, axis=1)
    return frozen(weights.T)


def straight(ends: Floats) -> Curves:
    """Straight strokes as cubics between ends (n, 2, 2) in mm."""
    thirds = np.array([0.0, 1 / 3, 2 / 3, 1.0])[:, None]
    points = ends[:, None, 0] * (1 - thirds) + ends[:, None, 1] * thirds
    points[:, 3] = ends[:, 1]
    return Curves(points.reshape(-1, 2), np.arange(len(ends) + 1) * 4)
