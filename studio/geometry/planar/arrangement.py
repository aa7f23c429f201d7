"""Arrangements: the lines of any drawing as curves that meet only at their ends.

line: an input stroke of cubics (3k + 1, 2) in mm. node: a place where curves meet. stump: a curve with a free end.
bridge: a curve with the same face on both sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.geometry.curves.strokes import Curves, Floats, Ints, offsets, split_at_knots

FLATNESS = 0.002
"""Largest distance in mm of the chords that are searched for crossings from their curve."""
GRAZING = 0.02
"""Sine of the angle below which two curves touch or overlap, rather than cross."""
SAME = 1e-6
"""Distance in mm between places that is a rounding error."""
CORNER = np.radians(15.0)
"""Least turn of a line at a corner."""
MOST_PAIRS = 2**21
"""Limit for the pairs of chords that are near each other."""
NEWTON_STEPS = 6


@dataclass(frozen=True)
class Loose:
    """A curve that separates no faces: its free end (or middle) in mm, its length, and the distance of its end to the
    next curve, infinite if there is none."""

    x: float
    y: float
    length: float
    gap: float
    is_bridge: bool = False


@dataclass(frozen=True, eq=False)
class Arrangement:
    """Curves between nodes: `nodes` (n, 2) in mm, and `ends` (m, 2) the nodes of each curve.

    `loose` lists the curves left out because they separate nothing, `doubled` the places (k, 2) of stretches drawn
    twice and left out, `gaps` the distances in mm over which ends were moved to meet.
    """

    nodes: Floats
    curves: Curves
    ends: Ints
    loose: tuple[Loose, ...]
    doubled: Floats
    gaps: Floats


def arranged(lines: Sequence[Floats], tolerance: float, progress: Progress = SILENT) -> Arrangement:
    """Split lines where they cross or meet, and join ends no further apart than `tolerance` mm.

    Stretches drawn twice are kept once, and curves that separate nothing are left out; curves that meet at a node
    without a third become one. Raise StudioError if too many lines are near each other.
    """
    lines = [line for line in map(without_points, lines) if len(line) > 1]
    if not lines:
        nothing = np.empty((0, 2))
        return Arrangement(nothing, Curves(nothing, np.zeros(1, np.int64)), np.empty((0, 2), np.int64), (), nothing,
                           np.empty(0))  # fmt: skip
    strokes = _split(lines, _cuts(_Chords.from_lines(lines), tolerance, progress.part(0.0, 0.5)))
    progress.step(0.6)
    strokes, nodes, ends, gaps = _met(strokes, tolerance)
    strokes, ends = _chosen(strokes, ends, _lasting(strokes, ends, tolerance))
    once, doubled = _once(strokes, ends, tolerance, progress.part(0.6, 0.8))
    strokes, ends = _chosen(strokes, ends, once)
    parting = _parting(strokes, ends, nodes)
    loose = _loose(strokes, ends, parting)
    progress.step(0.9)
    strokes, ends = _dissolved(*_chosen(strokes, ends, parting), nodes)
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
    knots = chords.knots[at] + np.clip(share, 0, 1) * chords.steps[at]
    found, _ = _points(chords, np.zeros(len(knots), np.int64), knots)
    return knots, np.hypot(*(found - places).T)


def _cuts(chords: _Chords, tolerance: float, progress: Progress) -> list[list[float]]:
    """Knots at which every line is split."""
    import shapely

    cuts: list[list[float]] = [[] for _ in range(len(chords.curves))]
    boxes = shapely.linestrings(np.stack([chords.begins, chords.finishes], 1))
    tree = shapely.STRtree(boxes)
    progress.step(0.2)
    one, other = _near(tree, boxes, 0.0)
    same = chords.owners[one] == chords.owners[other]
    beside = same & (np.abs(one - other) <= 1)
    fit = (one < other) & ~beside
    one, other = one[fit], other[fit]
    begins, ways = chords.begins, chords.finishes - chords.begins
    cross = ways[one, 0] * ways[other, 1] - ways[one, 1] * ways[other, 0]
    lengths = np.hypot(*ways.T)
    steep = np.abs(cross) > GRAZING * lengths[one] * lengths[other]
    one, other, cross = one[steep], other[steep], cross[steep]
    apart = begins[other] - begins[one]
    share = (apart[:, 0] * ways[other, 1] - apart[:, 1] * ways[other, 0]) / cross
    rest = (apart[:, 0] * ways[one, 1] - apart[:, 1] * ways[one, 0]) / cross
    here = chords.knots[one] + share * chords.steps[one]
    there = chords.knots[other] + rest * chords.steps[other]
    here, there = _refined(chords, one, here, other, there)
    for line, knot in ((chords.owners[one], here), (chords.owners[other], there)):
        for at, value in zip(line.tolist(), knot.tolist(), strict=True):
            cuts[at].append(value)
    progress.step(0.6)
    _cut_at_stops(chords, tree, tolerance, cuts)
    progress.step(1.0)
    return cuts


def _near(tree: object, geometries: NDArray[np.object_], distance: float) -> tuple[Ints, Ints]:
    """Pairs of geometries and entries of the tree no further apart than a distance in mm."""
    step, count, found = 20_000, 0, []
    for at in range(0, len(geometries), step):
        part = geometries[at : at + step]
        one, other = (
            tree.query(part, predicate="dwithin", distance=distance)  # type: ignore[attr-defined]
            if distance
            else tree.query(part, predicate="intersects")  # type: ignore[attr-defined]
        )
        found.append(np.stack([one + at, other]))
        count += len(one)
        if count > MOST_PAIRS + 4 * len(geometries):
            raise StudioError(tr("too many of its lines cross or lie on each other. Simplify the drawing."))
    both = np.concatenate(found, axis=1) if found else np.empty((2, 0), np.int64)
    return both[0], both[1]


def _points(chords: _Chords, lines: Ints, knots: Floats, number: Ints | None = None) -> tuple[Floats, Floats]:
    """Places and derivatives (k, 2) of lines at knots, on the cubics (k,) of some numbers."""
    sizes = (chords.curves.counts - 1) // 3
    number = np.clip(knots.astype(np.int64), 0, sizes[lines] - 1) if number is None else number
    share = (knots - number)[:, None]
    at = chords.curves.starts[lines] + 3 * number
    a, b, c, d = (chords.curves.points[at + i] for i in range(4))
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
        place, way = _points(chords, lines, here, first)
        target, along = _points(chords, others, there, second)
        apart = target - place
        cross = way[:, 0] * along[:, 1] - way[:, 1] * along[:, 0]
        cross = np.where(np.abs(cross) < SAME**2, np.inf, cross)
        here = np.clip(here + (apart[:, 0] * along[:, 1] - apart[:, 1] * along[:, 0]) / cross, *low)
        there = np.clip(there + (apart[:, 0] * way[:, 1] - apart[:, 1] * way[:, 0]) / cross, *high)
    return here, there


def _cut_at_stops(chords: _Chords, tree: object, tolerance: float, cuts: list[list[float]]) -> None:
    """Split lines where another line, or a far part of their own, ends or has a corner."""
    import shapely

    owners, own, places = _stops(chords)
    stop, chord = _near(tree, shapely.points(places), tolerance)
    begins, ways = chords.begins[chord], chords.finishes[chord] - chords.begins[chord]
    share = np.clip(((places[stop] - begins) * ways).sum(axis=1) / np.maximum((ways**2).sum(axis=1), SAME**2), 0, 1)
    knots = chords.knots[chord] + share * chords.steps[chord]
    gaps = np.hypot(*(begins + share[:, None] * ways - places[stop]).T)
    lines = chords.owners[chord]
    # Of neighbouring chords near a stop, the nearest counts.
    for at in np.lexsort((gaps, lines, stop)).tolist():
        line, knot, its, here = int(lines[at]), float(knots[at]), int(owners[stop[at]]), float(own[stop[at]])
        if line == its and _length_between(chords, line, knot, here) <= 4 * tolerance:
            continue
        for cut, where in ((line, knot), (its, here)):
            if all(_length_between(chords, cut, where, known) > 2 * tolerance for known in cuts[cut]):
                cuts[cut].append(where)


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


def _length_between(chords: _Chords, line: int, knot: float, other: float) -> float:
    places, _ = _points(chords, np.array([line, line]), np.array([knot, other]))
    return float(np.hypot(*(places[1] - places[0]))) if abs(knot - other) < 1 else np.inf


def _split(lines: Sequence[Floats], cuts: list[list[float]]) -> list[Floats]:
    """Split lines at knots, closed ones without any at two places."""
    parts: list[Floats] = []
    for line, knots in zip(lines, cuts, strict=True):
        size = (len(line) - 1) // 3
        places = sorted(knot for knot in {*knots} if SAME < knot < size - SAME)
        if (line[0] == line[-1]).all() and len(places) < 2:
            places = sorted({*places, size / 3, 2 * size / 3})
        parts += [part for part in map(without_points, split_at_knots(line, places)) if len(part) > 1]
    return parts


def _met(strokes: list[Floats], tolerance: float) -> tuple[list[Floats], Floats, Ints, Floats]:
    """Move ends within a tolerance in mm to a common node; return the moved strokes, the nodes (n, 2), the nodes at the
    ends of every stroke (m, 2), and the distances in mm that ends were apart."""
    import shapely

    ends = np.stack([stroke[[0, -1]] for stroke in strokes]).reshape(-1, 2)
    places = shapely.points(ends)
    one, other = _near(shapely.STRtree(places), places, tolerance)
    group = np.arange(len(ends))
    while True:
        least = group.copy()
        np.minimum.at(least, one, group[other])
        least = least[least]
        if (least == group).all():
            break
        group = least
    _, firsts, number = np.unique(group, return_index=True, return_inverse=True)
    count = np.bincount(number)
    nodes = np.stack([np.bincount(number, ends[:, i]) / count for i in (0, 1)], 1)
    # Ends that meet already stay exactly where they are.
    spread = np.zeros(len(nodes))
    np.maximum.at(spread, number, np.hypot(*(ends - ends[firsts][number]).T))
    exact = spread <= SAME
    nodes[exact] = ends[firsts[exact]]
    moved = [stroke.copy() for stroke in strokes]
    shifts = nodes[number] - ends
    for at, stroke in enumerate(moved):
        stroke[:2] += shifts[2 * at]
        stroke[-2:] += shifts[2 * at + 1]
        stroke[0], stroke[-1] = nodes[number[2 * at]], nodes[number[2 * at + 1]]
    return moved, nodes, number.reshape(-1, 2), spread[~exact]


def _lasting(strokes: list[Floats], ends: Ints, tolerance: float) -> Ints:
    """The strokes without what remains of lines that overshoot others."""
    extents = np.array([np.ptp(stroke, axis=0).max() for stroke in strokes])
    return np.flatnonzero((ends[:, 0] != ends[:, 1]) | (extents > 4 * tolerance))


def _once(strokes: list[Floats], ends: Ints, tolerance: float, progress: Progress) -> tuple[Ints, Floats]:
    """The strokes without those that cover an earlier one between the same nodes; also the middles of these."""
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
            if (shapely.hausdorff_distance(earlier, lines[at]) <= 2 * tolerance).any():
                kept[group[at]] = False
                doubled.append(shapely.get_coordinates(lines[at].interpolate(0.5, normalized=True))[0])
    return np.flatnonzero(kept), np.unique(np.round(np.array(doubled).reshape(-1, 2), 1), axis=0)


def _parting(strokes: list[Floats], ends: Ints, nodes: Floats) -> Ints:
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


def _loose(strokes: list[Floats], ends: Ints, parting: Ints) -> tuple[Loose, ...]:
    """Describe the strokes that part nothing."""
    import shapely

    alone = np.setdiff1d(np.arange(len(strokes)), parting)
    if not len(alone):
        return ()
    degrees = np.bincount(ends.ravel())
    curves = Curves.from_strokes(strokes)
    flat = curves.flattened(FLATNESS)
    lines = shapely.linestrings(flat.points, indices=flat.owners)
    found = []
    for at in alone.tolist():
        free = [end for end in (0, 1) if degrees[ends[at, end]] == 1]
        middle = shapely.get_coordinates(lines[at].interpolate(0.5, normalized=True))[0]
        x, y = (strokes[at][-free[0]] if free else middle).tolist()
        others = np.delete(lines, at)
        gap = float(shapely.distance(others, shapely.Point(x, y)).min()) if free and len(others) else np.inf
        found.append(Loose(x, y, float(curves.lengths[at]), gap, is_bridge=not free))
    return tuple(found)


def _dissolved(strokes: list[Floats], ends: Ints, nodes: Floats) -> tuple[list[Floats], Ints]:
    """Join the strokes at nodes where only two meet; a ring keeps two."""
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
