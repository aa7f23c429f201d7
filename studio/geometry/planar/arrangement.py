"""Arrangements: the lines of any drawing as curves that meet only at their ends.

line: an input stroke of cubics (3k + 1, 2) in mm. node: a place where curves meet. stump: a curve with a free end.
bridge: a curve with the same face on both sides.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.geometry.curves.strokes import Curves, Floats, Ints, offsets, split_at_knots

if TYPE_CHECKING:
    from shapely import STRtree

FLATNESS = 0.002
"""Largest distance in mm of the chords that are searched for crossings from their curve."""
GRAZING = 0.02
"""Sine of the angle below which the crossing of two curves is taken from their chords, unrefined."""
PARALLEL = 1e-7
"""Sine of the angle below which two chords are parallel."""
SAME, LEAST = 1e-6, 1e-4
"""Distances in mm between places that are a rounding error, and within which ends are always joined."""
OVERSHOT = 1e-3
"""Length in mm by which an end beyond another line is on it: files are rounded to thousandths."""
DOUBLE = 0.1
"""Largest distance in mm of two curves between the same nodes that are one line, drawn twice."""
SHORT = 0.125
"""Distance of the points of two cubics, as a share of their extent, up to which they are one, drawn twice."""
CORNER = np.radians(15.0)
"""Least turn of a line at a corner."""
ALONG, MOST_CROSSINGS = 20.0, 3
"""Distance from a crossing, in tolerances, at which lines no more than half a tolerance apart run along each other; and
the most crossings of two lines that do not."""
MOST_PAIRS, MOST_AT_ONCE = 2**21, 2**24
"""Limits for the pairs of chords that are near each other, in all, and found by one search."""
NEWTON_STEPS = 6


@dataclass(frozen=True, eq=False)
class Arrangement:
    """Curves between nodes: `nodes` (n, 2) in mm, and `ends` (m, 2) the nodes of each curve.

    `loose` are the curves left out because they separate nothing, `doubled` the places (k, 2) of stretches drawn twice
    and left out, `gaps` the distances in mm over which ends were moved to meet.
    """

    nodes: Floats
    curves: Curves
    ends: Ints
    loose: tuple[Floats, ...]
    doubled: Floats
    gaps: Floats


def arranged(lines: Sequence[Floats], tolerance: float, progress: Progress = SILENT) -> Arrangement:
    """Split lines where they cross or meet, and join ends no further apart than `tolerance` mm.

    Stretches drawn twice are kept once, and curves that separate nothing are left out; curves that meet at a node
    without a third become one. Raise StudioError if too many lines are near each other.
    """
    tolerance = max(tolerance, LEAST)
    lines, repeated = _distinct([line for line in map(without_points, lines) if len(line) > 1], tolerance)
    if not lines:
        nothing = np.empty((0, 2))
        return Arrangement(nothing, Curves(nothing, np.zeros(1, np.int64)), np.empty((0, 2), np.int64), (), nothing,
                           np.empty(0))  # fmt: skip
    cuts = _cuts(_Chords.from_lines(lines), tolerance, progress.part(0.0, 0.5))
    progress.step(0.6)
    strokes, nodes, ends, gaps = _met(*_split(lines, cuts, tolerance), tolerance)
    strokes, ends = _chosen(strokes, ends, _lasting(strokes, ends, tolerance))
    once, doubled = _once(strokes, ends, tolerance, progress.part(0.6, 0.8))
    doubled = np.unique(np.round(np.concatenate([repeated, doubled]), 1), axis=0)
    strokes, ends = _chosen(strokes, ends, once)
    lasting = parting(strokes, ends, nodes)
    progress.step(0.9)
    loose = tuple(strokes[at] for at in np.setdiff1d(np.arange(len(strokes)), lasting).tolist())
    strokes, ends = dissolved(*_chosen(strokes, ends, lasting), nodes)
    used, ends = np.unique(ends, return_inverse=True)
    return Arrangement(nodes[used], Curves.from_strokes(strokes), ends.reshape(-1, 2), loose, doubled, gaps)


def _chosen(strokes: list[Floats], ends: Ints, some: Ints) -> tuple[list[Floats], Ints]:
    return [strokes[at] for at in some.tolist()], ends[some]


def without_points(line: Floats) -> Floats:
    """Remove the cubics of a line (3k + 1, 2) that have no extent."""
    cubics = line[3 * np.arange((len(line) - 1) // 3)[:, None] + np.arange(4)]
    kept = np.ptp(cubics, axis=1).max(axis=1) > SAME
    if kept.all():
        return line
    return np.concatenate([*(cubic[:3] for cubic in cubics[kept]), line[-1:]])


def _distinct(lines: list[Floats], tolerance: float) -> tuple[list[Floats], Floats]:
    """Leave out cubics that repeat an earlier one in either direction, as in files of closed pieces: crossings of such
    curves are rounding errors. Also return the middles (k, 2) of the stretches left out."""
    import shapely

    if not lines:
        return [], np.empty((0, 2))
    curves = Curves.from_strokes(lines)
    cubics = curves.cubics
    places = shapely.points(cubics.transpose(0, 2, 1) @ (0.125, 0.375, 0.375, 0.125))
    one, other = _near(shapely.STRtree(places), places, tolerance)
    one, other = one[one < other], other[one < other]
    ways = np.stack([cubics[other], cubics[other, ::-1]])
    apart = np.abs(ways - cubics[one]).max(axis=(2, 3)).min(axis=0)
    # Next to short cubics, within the tolerance, others run on.
    extents = np.ptp(cubics, axis=1).max(axis=1)
    repeats = other[apart <= np.minimum(tolerance, SHORT * extents[one])]
    if not len(repeats):
        return lines, np.empty((0, 2))
    is_first = np.ones(len(cubics), bool)
    is_first[repeats] = False
    owners, kept, doubled = curves.cubic_owners, list[Floats](), list[Floats]()
    for run in np.split(np.arange(len(cubics)), 1 + np.flatnonzero(np.diff(2 * owners + is_first))):
        if is_first[run[0]]:
            kept.append(np.concatenate([cubics[run[0], :1], cubics[run, 1:].reshape(-1, 2)]))
        else:
            doubled.append(shapely.get_coordinates(places[run[len(run) // 2]])[0])
    return kept, np.array(doubled)


@dataclass(frozen=True, eq=False)
class _Chords:
    """Chords (k,) of lines: where each begins and finishes, the line that owns it, its first knot along the line, which
    is the number of a cubic plus a share of it, and the step to the next knot."""

    curves: Curves
    begins: Floats
    finishes: Floats
    owners: Ints
    knots: Floats
    steps: Floats

    @cached_property
    def lengths(self) -> Floats:
        """The length (k,) of each in mm."""
        return np.asarray(np.hypot(*(self.finishes - self.begins).T))

    def arcs(self, lines: Ints, knots: Floats) -> Floats:
        """Lengths in mm along lines from the begin of the first one to knots (k,)."""
        most = float(self.knots.max()) + 2.0
        at = np.searchsorted(self.owners * most + self.knots, lines * most + knots, side="right") - 1
        before = np.cumsum(self.lengths) - self.lengths
        return np.asarray(before[at] + (knots - self.knots[at]) / self.steps[at] * self.lengths[at])

    @staticmethod
    def from_lines(lines: Sequence[Floats]) -> _Chords:
        curves = Curves.from_strokes([*lines])
        cubics = Curves(curves.cubics.reshape(-1, 2), 4 * np.arange(len(curves.cubic_owners) + 1))
        parts = cubics.flattened(FLATNESS)
        last = np.zeros(len(parts.points), bool)
        last[parts.starts[1:] - 1] = True
        chords = parts.counts - 1
        within = np.arange(int(chords.sum())) - np.repeat(offsets(chords)[:-1], chords)
        firsts = np.searchsorted(curves.cubic_owners, np.arange(len(lines)))
        number = np.arange(len(parts)) - firsts[curves.cubic_owners]
        steps = np.repeat(1.0 / chords, chords)
        return _Chords(
            curves, parts.points[~last], parts.points[1:][~last[:-1]],
            np.repeat(curves.cubic_owners, chords), np.repeat(number, chords) + within * steps, steps,
        )  # fmt: skip


def knots_near(line: Floats, places: Floats) -> tuple[Floats, Floats]:
    """The knots (k,) on a line nearest to places (k, 2), and their distances (k,) in mm."""
    import shapely

    chords = _Chords.from_lines([line])
    ways = chords.finishes - chords.begins
    tree = shapely.STRtree(shapely.linestrings(np.stack([chords.begins, chords.finishes], 1)))
    at = tree.nearest(shapely.points(places))
    share = ((places - chords.begins[at]) * ways[at]).sum(axis=1) / np.maximum((ways[at] ** 2).sum(axis=1), SAME**2)
    low, high = chords.knots[at], chords.knots[at] + chords.steps[at]
    knots = low + np.clip(share, 0, 1) * chords.steps[at]
    number, owners = low.astype(np.int64), np.zeros(len(at), np.int64)
    for _ in range(NEWTON_STEPS):
        met, way = _points(chords.curves, owners, knots, number)
        off = ((places - met) * way).sum(axis=1) / np.maximum((way**2).sum(axis=1), SAME**2)
        knots = np.clip(knots + off, low, high)
    return knots, np.hypot(*(places_at(line, knots) - places).T)


def places_at(line: Floats, knots: Floats) -> Floats:
    """The places (k, 2) of a line at knots (k,): the number of a cubic, plus a share of it."""
    return _points(Curves.from_strokes([line]), np.zeros(len(knots), np.int64), knots)[0]


@dataclass
class _Cut:
    """The cuts of a line: their knots, and their distances along it in ascending order, between those of its ends."""

    begin: float
    end: float
    arcs: list[float] = field(default_factory=list)
    knots: list[float] = field(default_factory=list)

    def add(self, arc: float, knot: float, apart: float) -> None:
        """Add a cut unless another is nearer than `apart` mm, or it is at an end."""
        if not self.begin + OVERSHOT < arc < self.end - OVERSHOT:
            return
        at = bisect_left(self.arcs, arc)
        if all(abs(arc - known) > apart for known in self.arcs[max(0, at - 1) : at + 1]):
            self.arcs.insert(at, arc)
            self.knots.append(knot)


def _cuts(chords: _Chords, tolerance: float, progress: Progress) -> list[list[float]]:
    """Knots at which every line is split."""
    import shapely

    until = np.cumsum(np.bincount(chords.owners, chords.lengths, len(chords.curves)))
    # A ring is cut beside its first point, too.
    beyond = np.where((chords.curves.ends[:, 0] == chords.curves.ends[:, 1]).all(axis=1), 1.0, 0.0)
    spans = np.stack([np.append(0.0, until[:-1]) - beyond, until + beyond], 1)
    cuts = [_Cut(begin, end) for begin, end in spans.tolist()]
    boxes = shapely.linestrings(np.stack([chords.begins, chords.finishes], 1))
    tree = shapely.STRtree(boxes)
    progress.step(0.2)
    one, other = _near(tree, boxes, 0.0)
    beside = (chords.owners[one] == chords.owners[other]) & (np.abs(one - other) <= 1)
    fit = (one < other) & ~beside
    one, other = one[fit], other[fit]
    begins, ways = chords.begins, chords.finishes - chords.begins
    cross = ways[one, 0] * ways[other, 1] - ways[one, 1] * ways[other, 0]
    sines = np.abs(cross) / (chords.lengths[one] * chords.lengths[other])
    one, other, cross, steep = (each[sines > PARALLEL] for each in (one, other, cross, sines > GRAZING))
    apart = begins[other] - begins[one]
    share = np.clip((apart[:, 0] * ways[other, 1] - apart[:, 1] * ways[other, 0]) / cross, 0, 1)
    rest = np.clip((apart[:, 0] * ways[one, 1] - apart[:, 1] * ways[one, 0]) / cross, 0, 1)
    here = chords.knots[one] + share * chords.steps[one]
    there = chords.knots[other] + rest * chords.steps[other]
    # At a flat angle the crossing of the chords is as good as any place nearby.
    here[steep], there[steep] = _refined(chords, one[steep], here[steep], other[steep], there[steep])
    lines, others = chords.owners[one], chords.owners[other]
    arcs = chords.arcs(lines, here)
    kept = ~_running_along(chords, tree, np.stack([lines, others], 1), arcs, tolerance)
    for line, knot, arc in ((lines, here, arcs), (others, there, chords.arcs(others, there))):
        for at, along, value in zip(line[kept].tolist(), arc[kept].tolist(), knot[kept].tolist(), strict=True):
            cuts[at].add(along, value, tolerance / 2)
    progress.step(0.6)
    _cut_at_stops(chords, tree, tolerance, cuts)
    progress.step(1.0)
    return [each.knots for each in cuts]


def _running_along(chords: _Chords, tree: STRtree, lines: Ints, arcs: Floats, tolerance: float) -> NDArray[np.bool_]:
    """True for crossings of two lines (k, 2), at arcs (k,) of the first one, that are rounding errors: the lines run
    along each other there, and cross many times. Where they begin and cease to, they are cut."""
    import shapely

    order = np.lexsort((arcs, lines[:, 1], lines[:, 0]))
    lines, arcs, reach, until = lines[order], arcs[order], ALONG * tolerance, np.cumsum(chords.lengths)
    pair = np.append(0, np.cumsum(np.diff(lines, axis=0).any(axis=1)))[: len(order)]
    doubtful = np.flatnonzero(np.bincount(pair)[pair] > MOST_CROSSINGS) if len(order) else order
    # Either way from a crossing lines that cross at an angle are apart.
    there = np.clip(np.add.outer((-reach, reach), arcs[doubtful]), 0, until[-1]).ravel()
    at = np.minimum(np.searchsorted(until, there), len(until) - 1)
    share = 1 - (until[at] - there) / chords.lengths[at]
    places = chords.begins[at] + share[:, None] * (chords.finishes - chords.begins)[at]
    place, chord = _near(tree, shapely.points(places), tolerance / 2)
    first, second = lines[doubtful[place % max(len(doubtful), 1)]].T
    is_other = np.abs(until[chord] - there[place]) > reach + chords.lengths[chord]
    met = place[(chords.owners[chord] == second) & ((first != second) | is_other)]
    runs = np.zeros(len(order), bool)
    runs[doubtful[met % max(len(doubtful), 1)]] = True
    found = np.zeros(len(order), bool)
    found[order[1:-1]] = runs[1:-1] & runs[:-2] & runs[2:] & (pair[1:-1] == pair[:-2]) & (pair[1:-1] == pair[2:])
    return found


def _near(tree: STRtree, geometries: NDArray[np.object_], distance: float) -> tuple[Ints, Ints]:
    """Pairs of geometries and entries of the tree no further apart than a distance in mm."""
    step, count, found = max(1, MOST_AT_ONCE // max(len(tree), 1)), 0, []
    for at in range(0, len(geometries), step):
        part = geometries[at : at + step]
        one, other = (
            tree.query(part, predicate="dwithin", distance=distance)
            if distance
            else tree.query(part, predicate="intersects")
        )
        found.append(np.stack([one + at, other]))
        count += len(one)
        if count > MOST_PAIRS + 4 * len(geometries):
            raise StudioError(tr("too many of its lines cross or lie on each other. Simplify the drawing."))
    both = np.concatenate(found, axis=1) if found else np.empty((2, 0), np.int64)
    return both[0], both[1]


def _points(curves: Curves, lines: Ints, knots: Floats, number: Ints | None = None) -> tuple[Floats, Floats]:
    """Places and derivatives (k, 2) of lines at knots, on the cubics (k,) of some numbers."""
    sizes = (curves.counts - 1) // 3
    number = np.clip(knots.astype(np.int64), 0, sizes[lines] - 1) if number is None else number
    share = (knots - number)[:, None]
    at = curves.starts[lines] + 3 * number
    a, b, c, d = (curves.points[at + i] for i in range(4))
    rest = 1 - share
    place = rest**3 * a + 3 * rest**2 * share * b + 3 * rest * share**2 * c + share**3 * d
    way = 3 * (rest**2 * (b - a) + 2 * rest * share * (c - b) + share**2 * (d - c))
    return np.asarray(place), np.asarray(way)


def _refined(chords: _Chords, one: Ints, here: Floats, other: Ints, there: Floats) -> tuple[Floats, Floats]:
    """Knots of crossings on both curves, from those on two of their chords (Newton's method)."""
    lines, others = chords.owners[one], chords.owners[other]
    # A chord's own cubic: at a knot the next one may go another way.
    first, second = (chords.knots[each].astype(np.int64) for each in (one, other))
    low, high = ((chords.knots[each], chords.knots[each] + chords.steps[each]) for each in (one, other))
    here, there = np.clip(here, *low), np.clip(there, *high)
    for _ in range(NEWTON_STEPS):
        place, way = _points(chords.curves, lines, here, first)
        target, along = _points(chords.curves, others, there, second)
        apart = target - place
        cross = way[:, 0] * along[:, 1] - way[:, 1] * along[:, 0]
        cross = np.where(np.abs(cross) < SAME**2, np.inf, cross)
        here = np.clip(here + (apart[:, 0] * along[:, 1] - apart[:, 1] * along[:, 0]) / cross, *low)
        there = np.clip(there + (apart[:, 0] * way[:, 1] - apart[:, 1] * way[:, 0]) / cross, *high)
    return here, there


def _cut_at_stops(chords: _Chords, tree: STRtree, tolerance: float, cuts: list[_Cut]) -> None:
    """Split lines where another line, or a far part of their own, ends or has a corner."""
    import shapely

    owners, own, places = _stops(chords)
    stop, chord = _near(tree, shapely.points(places), tolerance)
    begins, ways = chords.begins[chord], chords.finishes[chord] - chords.begins[chord]
    share = np.clip(((places[stop] - begins) * ways).sum(axis=1) / np.maximum((ways**2).sum(axis=1), SAME**2), 0, 1)
    knots = chords.knots[chord] + share * chords.steps[chord]
    gaps = np.hypot(*(begins + share[:, None] * ways - places[stop]).T)
    lines, arcs, here = chords.owners[chord], chords.arcs(chords.owners[chord], knots), chords.arcs(owners, own)
    its = owners[stop]
    far = (lines != its) | (np.abs(arcs - here[stop]) > 4 * tolerance)
    nearest: dict[tuple[int, int], list[float]] = {}
    order = np.lexsort((gaps, lines, stop))
    for at in order[far[order]].tolist():
        # Of neighbouring chords near a stop, the nearest counts.
        known = nearest.setdefault((int(stop[at]), int(lines[at])), [])
        if all(abs(arcs[at] - arc) > 4 * tolerance for arc in known):
            known.append(float(arcs[at]))
            cuts[lines[at]].add(float(arcs[at]), float(knots[at]), tolerance / 2)
            cuts[its[at]].add(float(here[stop[at]]), float(own[stop[at]]), tolerance / 2)


def _stops(chords: _Chords) -> tuple[Ints, Floats, Floats]:
    """The lines (k,), knots (k,) and places (k, 2) of all ends and sharp corners."""
    ways = chords.finishes - chords.begins
    cross = ways[:-1, 0] * ways[1:, 1] - ways[:-1, 1] * ways[1:, 0]
    turns = np.abs(np.arctan2(cross, (ways[:-1] * ways[1:]).sum(axis=1))) > CORNER
    corners = 1 + np.flatnonzero(turns & (chords.owners[1:] == chords.owners[:-1]) & (chords.knots[1:] % 1 == 0))
    ends = chords.curves.ends
    sizes = (chords.curves.counts - 1) // 3
    every = np.arange(len(ends))
    return (
        np.concatenate([every, every, chords.owners[corners]]),
        np.concatenate([np.zeros(len(ends)), sizes, chords.knots[corners]]),
        np.concatenate([ends[:, 0], ends[:, 1], chords.begins[corners]]),
    )


def _split(lines: Sequence[Floats], cuts: list[list[float]], tolerance: float) -> tuple[list[Floats], list[bool]]:
    """Split lines at knots, and parts that end where they begin at two places more; also tell of both ends of every
    part if its line goes on there."""
    parts, goes_on = list[Floats](), list[bool]()
    for line, knots in zip(lines, cuts, strict=True):
        size = (len(line) - 1) // 3
        places = sorted(knot for knot in {*knots} if SAME < knot < size - SAME)
        for number, part in enumerate(split_at_knots(line, places)):
            whole = without_points(part)
            before, after = number > 0, number < len(places)
            if len(whole) > 1 and np.hypot(*(whole[-1] - whole[0])) <= tolerance < np.ptp(whole, axis=0).max() / 4:
                extent = (len(whole) - 1) // 3
                parts += split_at_knots(whole, [extent / 3, 2 * extent / 3])
                goes_on += [before, True, True, True, True, after]
            elif len(whole) > 1:
                parts.append(whole)
                goes_on += [before, after]
    return parts, goes_on


def _met(strokes: list[Floats], goes_on: Sequence[bool], tolerance: float) -> tuple[list[Floats], Floats, Ints, Floats]:
    """Move ends within a tolerance in mm to a common node, which is on the lines that go on there.

    Also return the nodes (n, 2), those at the ends of every stroke (m, 2), and the distances in mm of ends apart.
    """
    ends = np.stack([stroke[[0, -1]] for stroke in strokes]).reshape(-1, 2)
    # What a cut leaves of a line that overshoots another, or between two crossings.
    is_short = np.array([np.ptp(stroke, axis=0).max() <= tolerance for stroke in strokes])
    is_rest = np.repeat(is_short & np.reshape(goes_on, (-1, 2)).any(axis=1), 2)
    group = _groups(ends, is_rest, tolerance)
    order = np.lexsort((is_rest, group))
    _, firsts, number = np.unique(group[order], return_index=True, return_inverse=True)
    firsts, number = order[firsts], number[np.argsort(order)]
    counted = ~is_rest | is_rest[firsts][number]
    leading = counted & np.array(goes_on)
    weights = np.where(np.bincount(number, leading)[number] > 0, leading, counted)
    total = np.bincount(number, weights)
    nodes = np.stack([np.bincount(number, weights * ends[:, i]) / total for i in (0, 1)], 1)
    # Ends that meet already stay exactly where they are.
    spread = np.zeros(len(nodes))
    np.maximum.at(spread, number, np.where(counted, np.hypot(*(ends - ends[firsts][number]).T), 0))
    exact = spread <= SAME
    nodes[exact] = ends[firsts[exact]]
    moved = [stroke.copy() for stroke in strokes]
    shifts = nodes[number] - ends
    for at, stroke in enumerate(moved):
        stroke[:2] += shifts[2 * at]
        stroke[-2:] += shifts[2 * at + 1]
        stroke[0], stroke[-1] = nodes[number[2 * at]], nodes[number[2 * at + 1]]
        for back, shift in enumerate(np.hypot(*shifts[2 * at : 2 * at + 2].T).tolist()):
            moved[at] = _blunt(moved[at][::-1] if back else moved[at], 4 * shift)[:: -1 if back else 1]
    return moved, nodes, number.reshape(-1, 2), spread[~exact]


def _blunt(stroke: Floats, shift: float) -> Floats:
    """Leave out cubics at the begin of a stroke that a shift of that end in mm, or rounding, may turn round."""
    first = 0
    while first + 4 < len(stroke) and np.ptp(stroke[first : first + 4], axis=0).max() <= max(shift, OVERSHOT):
        first += 3
    return np.concatenate([stroke[:1], stroke[first + 1 :]]) if first else stroke


def _groups(ends: Floats, is_rest: NDArray[np.bool_], tolerance: float) -> Ints:
    """The group of each end (2m,), nearest first: none is wider than the tolerance, or has both ends of a stroke that
    is no rest."""
    import shapely

    _, group = np.unique(np.round(ends / SAME).astype(np.int64), axis=0, return_inverse=True)
    group = group.reshape(-1)
    members: dict[int, set[int]] = {}
    for end, number in enumerate(group.tolist()):
        members.setdefault(number, set()).add(end)
    places = shapely.points(ends)
    one, other = _near(shapely.STRtree(places), places, tolerance)
    fit = (one < other) & (group[one] != group[other])
    one, other = one[fit], other[fit]
    owner = group.tolist()
    rests = set(np.flatnonzero(is_rest).tolist())
    for at in np.argsort(np.hypot(*(ends[one] - ends[other]).T), kind="stable").tolist():
        first, second = owner[one[at]], owner[other[at]]
        if first == second:
            continue
        both = members[first] | members[second]
        whole = both - rests
        across = ends[[*members[first]], None] - ends[[*members[second]]]
        if len({end >> 1 for end in whole}) < len(whole) or np.hypot(*np.moveaxis(across, 2, 0)).max() > tolerance:
            continue
        members[first] = both
        for end in members.pop(second):
            owner[end] = first
    return np.array(owner, np.int64)


def _lasting(strokes: list[Floats], ends: Ints, tolerance: float) -> Ints:
    """The strokes without what remains of lines that overshoot others by no more than the tolerance."""
    is_short = np.array([np.ptp(stroke, axis=0).max() <= tolerance for stroke in strokes])
    kept = np.flatnonzero(~is_short | (ends[:, 0] != ends[:, 1]))
    degrees = np.bincount(ends[kept].ravel())
    return np.asarray(kept[~(is_short[kept] & (degrees[ends[kept]] == 1).any(axis=1))])


def _once(strokes: list[Floats], ends: Ints, tolerance: float, progress: Progress) -> tuple[Ints, Floats]:
    """Choose one of strokes that cover each other between the same nodes; also return the middles of the others."""
    import shapely

    low, high = np.sort(ends, axis=1).T
    order = np.lexsort((np.arange(len(ends)), high, low))
    again = (np.diff(low[order]) == 0) & (np.diff(high[order]) == 0)
    groups = np.split(order, np.flatnonzero(~again) + 1)
    kept, doubled = np.ones(len(strokes), bool), []
    for number, group in enumerate(groups):
        if len(group) < 2:
            continue
        progress.step(number / len(groups))
        flat = Curves.from_strokes([strokes[at] for at in group.tolist()]).flattened(FLATNESS)
        lines = shapely.linestrings(flat.points, indices=flat.owners)
        for at in range(1, len(group)):
            earlier = lines[:at][kept[group[:at]]]
            if (shapely.hausdorff_distance(earlier, lines[at]) <= min(2 * tolerance, DOUBLE)).any():
                kept[group[at]] = False
                doubled.append(shapely.get_coordinates(lines[at].interpolate(0.5, normalized=True))[0])
    return np.flatnonzero(kept), np.array(doubled).reshape(-1, 2)


def parting(strokes: list[Floats], ends: Ints, nodes: Floats) -> Ints:
    """The strokes whose removal would join two faces: all but the bridges of the graph (Tarjan 1974)."""
    beside: list[list[tuple[int, int]]] = [[] for _ in nodes]
    for at, (one, other) in enumerate(ends.tolist()):
        beside[one].append((other, at))
        if one != other:
            beside[other].append((one, at))
    order, least = [-1] * len(nodes), [0] * len(nodes)
    is_bridge = np.zeros(len(strokes), bool)
    count = 0
    for root in range(len(nodes)):
        if order[root] >= 0:
            continue
        order[root] = least[root] = count
        count += 1
        path = [(root, -1, iter(beside[root]))]
        while path:
            node, came, rest = path[-1]
            for other, by in rest:
                if by == came:
                    continue
                if order[other] >= 0:
                    least[node] = min(least[node], order[other])
                    continue
                order[other] = least[other] = count
                count += 1
                path.append((other, by, iter(beside[other])))
                break
            else:
                path.pop()
                if path:
                    before = path[-1][0]
                    least[before] = min(least[before], least[node])
                    is_bridge[came] = least[node] > order[before]
    return np.flatnonzero(~is_bridge)


def dissolved(strokes: list[Floats], ends: Ints, nodes: Floats) -> tuple[list[Floats], Ints]:
    """Join strokes (3k + 1, 2) at nodes where only two meet; a ring keeps two. Also return the nodes at their ends."""
    degrees = np.bincount(ends.ravel(), minlength=len(nodes))
    at_node: list[list[int]] = [[] for _ in nodes]
    for at, (one, other) in enumerate(ends.tolist()):
        at_node[one].append(2 * at)
        at_node[other].append(2 * at + 1)
    passes = (degrees == 2).tolist()
    seen = [False] * len(strokes)
    chains: list[list[int]] = []

    def walked(code: int) -> list[int]:
        """Half-edges from one on, through nodes where two meet."""
        chain = []
        while not seen[code >> 1]:
            seen[code >> 1] = True
            chain.append(code)
            node = int(ends[code >> 1, 1 - (code & 1)])
            if not passes[node]:
                break
            code = next(other for other in at_node[node] if other != code ^ 1)
        return chain

    for node, codes in enumerate(at_node):
        if not passes[node]:
            chains += [chain for code in codes if (chain := walked(code))]
    chains += [chain for at in range(len(strokes)) if (chain := walked(2 * at))]
    joined, both = [], []
    for chain in chains:
        first, last = ends[chain[0] >> 1, chain[0] & 1], ends[chain[-1] >> 1, 1 - (chain[-1] & 1)]
        half = (len(chain) + 1) // 2
        for part in (chain[:half], chain[half:]) if first == last and len(chain) > 1 else (chain,):
            ways = [strokes[code >> 1] if code & 1 == 0 else strokes[code >> 1][::-1] for code in part]
            joined.append(np.concatenate([ways[0], *(way[1:] for way in ways[1:])]))
            both.append((ends[part[0] >> 1, part[0] & 1], ends[part[-1] >> 1, 1 - (part[-1] & 1)]))
    return joined, np.array(both, np.int64).reshape(-1, 2)
