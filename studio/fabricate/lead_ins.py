"""Start points of closed cuts, where they show least, with lead-ins through the waste and overcuts.

The beam burns a wider spot where it starts. loop: a closed cut. lead-in: a short cut through the waste up to the start
of a loop, so that the spot lies in the waste. overcut: the first stretch of a loop, cut again at its end, so that the
piece drops out. knot: an end of a cubic; loops start at knots. turn: change of direction at a knot in radians, positive
where the piece is convex. waste: the side of a loop without its piece.

A loop starts at a corner that sticks out, since corners of pieces meet in the joints, or where another cut ends on it;
otherwise at a corner that reaches in, and only without any where it is bent most towards the piece, as in the neck of
a tongue. A lead-in runs straight into the first cut of a corner that sticks out, along the bisector into other corners,
and elsewhere along a quarter of a circle that touches the loop, or square to it in a bend too tight for that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

import numpy as np
import shapely
from numpy.typing import NDArray

from studio.geometry.curves.strokes import Curves, Floats, Ints, offsets, split_at, totals
from studio.geometry.planar.drawing import CUTS, Chain, Drawing, Pieces

Flags = NDArray[np.bool_]

CORNER = np.radians(35.0)
"""Least turn at a corner, in radians, within WINDOW before and behind it."""
WINDOW, SHARE = 0.5, 0.05
"""Length in mm on either side of a knot along which its turn is measured, and its largest share of the loop."""
STEP, FINE = np.radians(15.0), np.radians(1.0)
"""Steps in radians by which corners differ, and other knots."""
FOLLOWED = 0.01
"""Largest deviation in mm of the polylines of loops."""
MEETING = 1e-3
"""Distance in mm within which another stroke's end may lie on the start of a loop."""
CLEAR = 0.3
"""Least distance in mm of a lead-in from all other cuts and lead-ins."""
OWN_CLEAR = 0.1
"""Least distance of the far half of a lead-in from its own loop, as a share of its length."""
SHARES = (1.0, 0.5, 0.25)
"""Lengths of lead-ins to try, as shares of the length asked for."""
SHORTEST = 0.2
"""Least length in mm of a lead-in and of a part of a stroke."""
TRIED = 6
"""Most knots of a kind to try on each loop."""
STICKING_OUT, REACHING_IN, SMOOTH = KINDS = range(3)
"""Kinds of knots, the best first."""
STRAIGHT_ON, BISECTOR, ARC = range(3)
SHAPES = {STICKING_OUT: (STRAIGHT_ON, BISECTOR), REACHING_IN: (BISECTOR,), SMOOTH: (ARC, BISECTOR)}
"""Shapes of the lead-ins to knots of a kind."""
PARTS = 8
"""Steps of the polylines of lead-ins."""
LAST = (0.91, 0.95, 0.98)
"""Places in the last step, as shares of a lead-in, that must lie in the waste."""


@dataclass(frozen=True)
class LeadRule:
    """Lengths in mm of lead-ins and overcuts, 0 for none, and the part of the sheet in which lead-ins may lie."""

    lead_in: float = 0.0
    overcut: float = 0.0
    room: shapely.Geometry | None = None


@dataclass(frozen=True, eq=False)
class Starts:
    """A drawing whose loops of one stroke begin at their start points.

    `codes` are those with which other loops may begin; a loop with none of them may begin with any. `leads` are the
    lead-ins, control points (4, 2) in mm, by the first codes of their loops. `without` loops have no room for a
    lead-in, and `shorter` have a shorter one.
    """

    drawing: Drawing
    codes: frozenset[int] = frozenset()
    leads: Mapping[int, Floats] = field(default_factory=dict)
    without: int = 0
    shorter: int = 0


def start_points(drawing: Drawing, rule: LeadRule | None = None) -> Starts:
    """Choose the start points of all loops, and lead-ins to loops that bound one piece and meet no other cut.

    Strokes keep their numbers.
    """
    loops = _Loops.from_drawing(drawing)
    if not len(loops.chains):
        return Starts(drawing)
    best, leads, without, shorter = loops.best, dict[int, Floats](), 0, 0
    asked = 0.0 if rule is None else rule.lead_in
    if rule is not None and asked > 0:
        fitted = _Fitting(loops, rule).leads()
        for loop, (knot, lead) in fitted.items():
            best[loop] = knot
            leads[int(loops.codes[knot])] = lead
            shorter += bool(np.hypot(*(lead[-1] - lead[0])) < 0.6 * asked)
        without = int(loops.alone.sum()) - len(fitted)
    codes: set[int] = set()
    rotated, curves = [], []
    for loop, chain in enumerate(loops.chains):
        knot = int(best[loop])
        if len(chain.strokes) > 1:
            own = slice(*loops.firsts[loop : loop + 2])
            alike = loops.allowed[own] & (loops.kinds[own] == loops.kinds[knot])
            if leads:
                codes.add(int(loops.codes[knot]))
            elif loops.kinds[knot] != SMOOTH:
                codes |= {*loops.codes[own][alike].tolist()}
        elif (at := knot - int(loops.firsts[loop])) > 0:
            curve = loops.curves[loop]
            turned = np.concatenate([curve[3 * at :], curve[1 : 3 * at + 1]])
            rotated.append(int(chain.strokes[0]) >> 1)
            curves.append(turned[:: -1 if chain.strokes[0] & 1 else 1])
    if rotated:
        strokes = drawing.strokes.replaced(np.array(rotated, np.int64), Curves.from_strokes(curves))
        drawing = replace(drawing, strokes=strokes)
    return Starts(drawing, frozenset(codes), leads, without, shorter)


@dataclass(frozen=True, eq=False)
class _Loops:
    """Loops of a drawing, each as one curve with its piece on the right, and their knots, loop after loop.

    Per knot: `codes`, the code that begins there, or the one that it lies on; `allowed`, whether its loop can begin
    there; `turns` and `kinds`. `firsts` are the first knots of loops, with the end; `sides` is 1 for a loop with its
    piece on the right, otherwise -1; `alone` marks loops that bound one piece and meet no other cut.
    """

    chains: Sequence[Chain]
    curves: Curves
    firsts: Ints
    sides: Ints
    alone: Flags
    codes: Ints
    allowed: Flags
    turns: Floats
    kinds: Ints
    order: Ints
    drawing: Drawing

    @classmethod
    def from_drawing(cls, drawing: Drawing) -> _Loops:
        """Find the loops of a drawing and rank their knots."""
        chains = [chain for chain in drawing.chains if chain.closed and chain.operation in CUTS]
        strokes, pieces = drawing.strokes, drawing.pieces
        codes = np.concatenate([np.empty(0, np.int64), *(chain.strokes for chain in chains)])
        counts = np.array([len(chain.strokes) for chain in chains], np.int64)
        curves = strokes.joined(codes, offsets(counts))
        cubics = (strokes.counts[codes >> 1] - 1) // 3
        begins = offsets(cubics)[:-1]
        firsts = offsets(totals(np.repeat(np.arange(len(chains)), counts), cubics, len(chains)).astype(np.int64))
        owners = np.repeat(np.arange(len(chains)), np.diff(firsts))
        followed = np.zeros(2 * len(strokes), np.int64)
        np.add.at(followed, pieces.codes, 1)
        heads = codes[offsets(counts)[:-1]]
        sides = np.where((followed[heads] == 0) & (followed[heads ^ 1] > 0), -1, 1)
        is_free = _are_free(strokes, codes)
        once = (followed[codes] + followed[codes ^ 1] == 1) & is_free
        alone = np.logical_and.reduceat(once, offsets(counts)[:-1]) if len(chains) else np.empty(0, bool)
        allowed = np.zeros(len(owners), bool)
        allowed[begins] = True
        # A stroke that is a whole loop may begin at any knot, unless other cuts end at its start.
        allowed |= ((counts == 1) & is_free[offsets(counts)[:-1]])[owners] if len(chains) else False
        turns = sides[owners] * _turns(curves)
        kinds = np.where(turns >= CORNER, STICKING_OUT, np.where(turns <= -CORNER, REACHING_IN, SMOOTH))
        # Where another cut ends, the spot lies in the joint of two pieces.
        kinds[begins[~is_free]] = STICKING_OUT
        key = np.rint(np.abs(np.abs(turns) - np.pi / 2) / STEP)
        calm = np.rint(turns / FINE)
        key = np.where(kinds == SMOOTH, np.where(calm < 0, calm, 1000 - calm), key)
        beside = _less_than_beside(turns, owners, firsts, cubics=curves.cubics)
        order = np.lexsort((key, beside & (kinds != SMOOTH), kinds, ~allowed, owners))
        return cls(
            chains, curves, firsts, sides, alone, np.repeat(codes, cubics), allowed, turns, kinds, order, drawing
        )

    @property
    def best(self) -> Ints:
        """The best knot of every loop."""
        return self.order[self.firsts[:-1]].copy()


def _are_free(strokes: Curves, codes: Ints) -> Flags:
    """Mask of codes at whose beginnings just two ends of strokes meet."""
    ends = strokes.ends.reshape(-1, 2)
    free = np.ones(len(codes), bool)
    for shift in (0.0, 0.5):
        cells = np.floor(ends / MEETING + shift).astype(np.int64)
        _, which, count = np.unique(cells[:, 0] * 2**31 + cells[:, 1], return_inverse=True, return_counts=True)
        free &= count[which[codes]] <= 2
    return free


def _turns(curves: Curves) -> Floats:
    """Turns in radians at the beginnings of the cubics of closed curves, positive to the right on the screen."""
    cubics, owners = curves.cubics, curves.cubic_owners
    lines = Curves(cubics.reshape(-1, 2), 4 * np.arange(len(cubics) + 1)).flattened(FOLLOWED)
    points = lines.points
    if not len(points):
        return np.empty(0)
    steps = np.hypot(*np.diff(points, axis=0, prepend=points[:1]).T)
    rings = owners[lines.owners]
    # Loops lie apart on the line on which places are looked up.
    steps[np.append(True, rings[1:] != rings[:-1])] = 1.0
    along = np.cumsum(steps)
    here = along[lines.starts[:-1]]
    last = np.append(np.flatnonzero(rings[1:] != rings[:-1]), len(rings) - 1)
    begin = here[np.searchsorted(owners, np.arange(len(curves)))]
    length = np.maximum(along[last] - begin, 1e-9)
    window = np.minimum(WINDOW, SHARE * length)[owners]

    def place(shift: Floats) -> Floats:
        at = begin[owners] + (here - begin[owners] + shift) % length[owners]
        return np.stack([np.interp(at, along, points[:, axis]) for axis in (0, 1)], 1)

    knots = cubics[:, 0]
    one, two = knots - place(-window), place(window) - knots
    cross = one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]
    return np.asarray(np.arctan2(cross, (one * two).sum(axis=1)))


def _less_than_beside(turns: Floats, owners: Ints, firsts: Ints, cubics: Floats) -> Flags:
    """Mask of knots within WINDOW of a knot, one or two before or behind, that turns more."""
    at = np.arange(len(turns))
    begin, count = firsts[owners], np.diff(firsts)[owners]
    less = np.zeros(len(turns), bool)
    for step in (-2, -1, 1, 2):
        other = begin + (at - begin + step) % count
        near = np.hypot(*(cubics[other, 0] - cubics[at, 0]).T) < WINDOW
        less |= near & (np.abs(turns[other]) > np.abs(turns) + 1e-6)
    return less


class _Fitting:
    """Finds room for lead-ins to loops: on the sheet, in the waste, and clear of every cut and of each other."""

    def __init__(self, loops: _Loops, rule: LeadRule) -> None:
        self._loops, self._rule = loops, rule
        drawing = loops.drawing
        lines = loops.curves.flattened(FOLLOWED)
        self._rings = shapely.linestrings(lines.points, indices=lines.owners)
        looped = {int(code) >> 1 for chain in loops.chains for code in chain.strokes}
        others = [
            code >> 1
            for chain in drawing.chains
            if chain.operation in CUTS
            for code in chain.strokes.tolist()
            if code >> 1 not in looped
        ]
        rest = drawing.strokes.chosen(np.array(others, np.int64)).flattened(FOLLOWED)
        cuts = shapely.linestrings(rest.points, indices=rest.owners) if others else np.empty(0, object)
        self._tree = shapely.STRtree(np.concatenate([self._rings, cuts]))
        self._areas = shapely.polygons(shapely.linearrings(lines.points, indices=lines.owners))
        # Masks of loops with their piece within.
        self._is_outer = shapely.is_ccw(self._rings) == (loops.sides > 0)
        self._room = rule.room if rule.room is not None else shapely.box(0, 0, drawing.width, drawing.height)
        shapely.prepare(self._room)

    def leads(self) -> dict[int, tuple[int, Floats]]:
        """Knots and lead-ins, control points (4, 2) in mm, by loop: the longest to a corner, otherwise elsewhere."""
        loops = self._loops
        found: dict[int, tuple[int, Floats]] = {}
        taken: list[shapely.Geometry] = []
        waiting = np.flatnonzero(loops.alone)
        # Knots of a kind follow one another in the order: for each kind their places, and per loop the first and count.
        places, firsts, counts = [], [], []
        for kind in KINDS:
            mask = (loops.kinds == kind)[loops.order] & loops.allowed[loops.order]
            before = np.append(0, np.cumsum(mask))
            places.append(np.flatnonzero(mask))
            firsts.append(before[loops.firsts[:-1]])
            counts.append(np.diff(before[loops.firsts]))
        corners, others = product(SHARES, (STICKING_OUT, REACHING_IN)), product(SHARES, (SMOOTH,))
        for (share, kind), rank in product((*corners, *others), range(TRIED)):
            length = share * self._rule.lead_in
            for shape in SHAPES[kind]:
                some = waiting[counts[kind][waiting] > rank]
                if not len(some) or (share < 1 and length < SHORTEST):
                    break
                knots = loops.order[places[kind][firsts[kind][some] + rank]]
                curves = self._shaped(some, knots, shape, length)
                fits = self._fits(some, curves, length, taken)
                for at in np.flatnonzero(fits).tolist():
                    found[int(some[at])] = int(knots[at]), curves[at]
                waiting = np.setdiff1d(waiting, some[fits])
        return found

    def _shaped(self, some: Ints, knots: Ints, shape: int, length: float) -> Floats:
        """Lead-ins of a shape to knots of loops, control points (n, 4, 2) in mm."""
        loops = self._loops
        cubics, firsts = loops.curves.cubics, loops.firsts
        before = np.where(knots == firsts[some], firsts[some + 1], knots) - 1
        here = cubics[knots, 0]
        into, out = _way(cubics[before, ::-1]) * -1, _way(cubics[knots])
        away = loops.sides[some][:, None] * np.stack([out[:, 1], -out[:, 0]], 1)
        if shape == ARC:
            radius = length / (np.pi / 2)
            # A quarter of a circle as a cubic, within 0.03 % of its radius.
            arm = radius * 4 / 3 * np.tan(np.pi / 8)
            begin = here + radius * (away - out)
            return np.stack([begin, begin - arm * away, here - arm * out, here], 1)
        if shape == STRAIGHT_ON:
            way = -out
        else:
            is_out = (loops.turns[knots] > 0)[:, None]
            way = np.where(is_out, into - out, out - into)
            size = np.hypot(way[:, 0], way[:, 1])[:, None]
            # A corner may be rounded; its bisector is then square to the curve.
            way = np.where(size < np.radians(10.0), away, way / np.maximum(size, 1e-9))
        return np.asarray(here[:, None] + np.array([3, 2, 1, 0])[:, None] * (length / 3) * way[:, None])

    def _fits(self, some: Ints, curves: Floats, length: float, taken: list[shapely.Geometry]) -> Flags:
        """Mask of the lead-ins to some loops that have room; they are added to those `taken`."""
        lines = Curves(curves.reshape(-1, 2), 4 * np.arange(len(curves) + 1))
        points = np.stack([_along(lines, at / PARTS) for at in range(PARTS + 1)], 1)
        strings = shapely.linestrings(points)
        fits = np.asarray(shapely.contains(self._room, strings))
        lead, cut = self._tree.query(strings, predicate="dwithin", distance=CLEAR)
        fits[lead[cut != some[lead]]] = False
        rings = self._rings[some]
        # The last step touches the loop, at which it ends.
        fits &= ~shapely.intersects(shapely.linestrings(points[:, :-1]), rings)
        for share in (0.0, *LAST):
            place = shapely.points(_along(lines, share))
            is_astray = shapely.contains(self._areas[some], place) == self._is_outer[some]
            fits &= ~(is_astray & (shapely.distance(place, rings) > 2 * FOLLOWED))
        far = shapely.linestrings(points[:, : PARTS // 2 + 1])
        fits &= shapely.distance(far, rings) >= OWN_CLEAR * length
        if taken:
            lead, _ = shapely.STRtree(taken).query(strings, predicate="dwithin", distance=CLEAR)
            fits[lead] = False
        at = np.flatnonzero(fits)
        one, two = shapely.STRtree(strings[at]).query(strings[at], predicate="dwithin", distance=CLEAR)
        fits[at[one[two < one]]] = False
        taken += strings[fits].tolist()
        return fits


def _way(cubics: Floats) -> Floats:
    """Directions (n, 2) in which cubics leave their first points."""
    ways = cubics[:, 1:] - cubics[:, :1]
    far = np.hypot(ways[..., 0], ways[..., 1])
    which = (far > 1e-6).argmax(axis=1)
    at = np.arange(len(cubics))
    return np.asarray(ways[at, which] / np.maximum(far[at, which], 1e-12)[:, None])


def _along(lines: Curves, share: float) -> Floats:
    """Points (n, 2) at a share of the parameter of cubics."""
    rest = 1 - share
    weights = np.array([rest**3, 3 * share * rest**2, 3 * share**2 * rest, share**3])
    return np.asarray(np.einsum("k,nkd->nd", weights, lines.cubics))


def with_lead_ins(drawing: Drawing, leads: Mapping[int, Floats], overcut: float) -> Drawing:
    """Add lead-ins to the loops that begin with these codes, and an overcut in mm to all loops of a single piece.

    An overcut repeats the first strokes of its loop; a stroke is split where an overcut ends within it. Lead-ins are
    the last strokes.
    """
    strokes, pieces = drawing.strokes, drawing.pieces
    once = np.bincount(pieces.codes >> 1, minlength=len(strokes)) == 1
    lengths = strokes.lengths
    repeats: dict[int, int] = {}
    splits: dict[int, float] = {}
    for number, chain in enumerate(drawing.chains):
        if overcut <= 0 or not (chain.closed and chain.operation in CUTS and once[chain.strokes >> 1].all()):
            continue
        own = lengths[chain.strokes >> 1]
        left, at = min(overcut, float(own.sum()) / 2), 0
        while left > own[at] - SHORTEST and left >= own[at] / 2:
            left -= float(own[at])
            at += 1
            if left <= 0:
                break
        if left > 0:
            code = int(chain.strokes[at])
            splits[code >> 1] = float(own[at]) - left if code & 1 else left
            at += 1
        repeats[number] = at
    parts: list[Floats] = []
    counts = np.ones(len(strokes), np.int64)
    for stroke in range(len(strokes)):
        if stroke in splits:
            parts += split_at(strokes[stroke], np.array([splits[stroke]]))
            counts[stroke] = 2
        else:
            parts.append(strokes[stroke])
    first = offsets(counts)
    chains: list[Chain] = []
    for number, chain in enumerate(drawing.chains):
        codes, starts = expanded(chain.strokes, first)
        lead = leads.get(int(chain.strokes[0])) if chain.closed else None
        again = repeats.get(number, 0)
        # Of a stroke that is split, only the first part is cut again.
        tail = codes[: int(starts[again]) - (int(chain.strokes[again - 1]) >> 1 in splits)] if again else codes[:0]
        if lead is not None:
            codes = np.append(2 * len(parts), codes)
            parts.append(lead)
        if lead is not None or again:
            chain = replace(chain, closed=False, overcut=len(tail))
        chains.append(replace(chain, strokes=np.concatenate([codes, tail])))
    codes, starts = expanded(pieces.codes, first)
    split = Pieces(codes, starts[pieces.starts], pieces.names, starts[pieces.holes])
    return replace(drawing, strokes=Curves.from_strokes(parts), chains=tuple(chains), pieces=split)


def expanded(codes: Ints, first: Ints) -> tuple[Ints, Ints]:
    """Codes of the parts of strokes, in order, and the offsets of each stroke's parts, with the end.

    Stroke i has the parts `first[i]` to `first[i + 1]`.
    """
    counts = np.diff(first)[codes >> 1]
    starts = offsets(counts)
    within = np.arange(int(starts[-1])) - np.repeat(starts[:-1], counts)
    backwards = np.repeat(codes & 1, counts).astype(bool)
    within = np.where(backwards, np.repeat(counts, counts) - 1 - within, within)
    return 2 * (np.repeat(first[codes >> 1], counts) + within) + backwards, starts
