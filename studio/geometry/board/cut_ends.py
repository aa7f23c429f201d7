"""Ends of cuts on an outline, moved along it to where a cutter by hand would let them end.

seat: a place on the outline at which a cut may end. The best is square to the outline, on a smooth part of it, away
from other ends, and near the place where the cut met the outline first. Lengths are in cells unless they are in mm.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.base.chance import uniform
from studio.base.errors import StudioError
from studio.geometry.board.border import BEND, CROSSING, KNOT, SAME, TOO_FINE, TOUCHES, Border, Cuts, Nodes
from studio.geometry.board.tessellations import SHARPEST, Tessellation, least_angles
from studio.geometry.curves.strokes import Floats, Ints, distinct
from studio.geometry.planar.graph import crossing, share_none

CROSSING_KEY = 1 << 39
"""Bit set in the keys of nodes at which an edge crosses the outline."""
REACH, STEP = 1.2, 0.06
"""Furthest move of an end along the outline, and the distance between two seats."""
STAY = 0.2
"""Cost of a move by one cell; a cut square to the outline costs 0, one along it 1."""
APART, LEAST_APART = 0.5, 0.06
"""Distance between ends below which they are crowded, and the least."""
CROWDED, AT_CORNER, BLOCKED, DISORDER = 1.5, 4.0, 100.0, 1e4
"""Costs of two ends at one place, of an end at a corner, of a cut that hardly leaves the outline, and of disorder."""
BEND_WITHIN, SHARP = 0.6, np.radians(28.0)
"""Distance in mm to both sides over which an outline's turn is measured, and the turn that makes a corner."""
TAPERED, TAPERING = np.radians(34.0), 1.0
"""Angle of a corner at which wood tapers off, and the cost of one."""
KEEP_OFF, TOO_NEAR = 2.4, 1.8
"""Distance in mm that ends keep from corners, and below which a cut had better not be."""
TIP = 0.45
"""Distance that ends keep from the tips of a board, so that a tip is a piece."""
TIP_WITHIN, POINTED = 0.3, np.radians(40.0)
"""Distance to both sides over which a tip's turn is measured, and the least turn of a tip."""
STRAIT, BEYOND, STEPS = 0.12, 0.3, 20
"""Distance from the outline below which a cut is in a strait, its least length beyond, and the steps to find one."""
ROUNDS, PATIENCE = 8, 4
"""Attempts to find seats from which cuts cross nothing, and those after which cuts that do are left out."""
HUGGED = 0.05
"""Distance from the outline below which the middle of a cut between two places of it is on it."""
AT_END = 1e-5
"""Share of a cut's length within which it meets the outline at its end."""
AHEAD, LAST, AWAY = (0.12, 0.3, 0.6), 0.8, 0.35
"""Distances along a cut, up to a share of its length, at which its distance from the outline is measured, and the
greatest one that matters."""
LEAST_SLOPE = 0.25
"""Least distance from the outline, as a share of that along the cut; a sine."""
PROBES = (0.1, 0.3, 0.6)
"""Shares of a cut's length, from the outline, at which its distance from the outline is tested."""


def with_own_nodes(
    tessellation: Tessellation, nodes: Nodes, cuts: Cuts, border: Border, most: int
) -> tuple[Nodes, Cuts]:
    """Give every cut that ends on a figure or a hole, or among `most` at one place of the border, a node of its own, at
    the same place as the others there."""
    ends = cuts.ends.copy()
    at = ends.ravel()
    is_parted = (np.bincount(at, minlength=len(nodes.keys))[at] <= most) & ~np.isnan(nodes.stations[at])
    on_rim = np.flatnonzero(((nodes.stations[at] >= border.rings[1]) | is_parted) & (nodes.kinds[at] != BEND))
    _, first = np.unique(at[on_rim], return_index=True)
    again = np.setdiff1d(on_rim, on_rim[first])
    edges = cuts.edges[again // 2]
    more = replace(
        nodes.chosen(at[again]),
        keys=tessellation.edge_keys[edges] | CROSSING_KEY,
        names=[beside(tessellation, edge) for edge in edges.tolist()],
        kinds=np.full(len(again), CROSSING),
    )
    ends.ravel()[again] = len(nodes.keys) + np.arange(len(again))
    return nodes.joined(more), Cuts(ends, cuts.edges)


def beside(tessellation: Tessellation, edge: int) -> str:
    """Name the cells beside an edge of a tessellation, in the order of their keys."""
    cells = sorted(
        (cell for cell in tessellation.sides[edge].tolist() if cell >= 0),
        key=lambda cell: int(tessellation.cell_keys[cell]),
    )
    return ":".join(tessellation.cell_names[cell] for cell in cells)


def seated(
    nodes: Nodes, cuts: Cuts, border: Border, *, heeds_tips: bool, heeds_bends: bool = False
) -> tuple[Nodes, Cuts]:
    """Move the nodes of the outline at which cuts end, one each, to their seats; bends stay.

    With `heeds_tips` seats from which wood would taper off, at the outline or at the other end of a cut, are costly;
    with `heeds_bends` they keep off the bends of the outer ring. Cuts for which no seats are found from which they
    cross nothing are left out. Raises StudioError if others cross.
    """
    everywhere, refused = _tips(border), np.empty((0, 2))
    bends = border.at_bends if heeds_bends else np.empty(0)
    for attempt in range(ROUNDS):
        ends = cuts.ends
        degrees = np.bincount(ends.ravel(), minlength=len(nodes.keys))
        movable = np.flatnonzero((degrees > 0) & ~np.isnan(nodes.stations) & (nodes.kinds != BEND))
        begun = now = _out_of_straits(nodes, ends, border, movable)
        # The ends of a cut between two places of the outline wait for each other.
        for _sweep in range(2 if np.isin(ends, movable).all(axis=1).any() else 1):
            for number, (low, high) in enumerate(pairwise(border.rings.tolist())):
                some = movable[(begun.stations[movable] >= low) & (begun.stations[movable] < high)]
                if len(some):
                    tips = everywhere[: None if number == 0 else 0]
                    blunt = bends[(bends < high) & (number == 0)]
                    ring = _Ring(begun, now, ends, border, some, (low, high), (tips, blunt), heeds_tips=heeds_tips)
                    now = _moved(now, border, ring.nodes, ring.best(refused))
        wrong = _crossing(now, ends, border)
        if not len(wrong):
            return now, cuts
        if attempt >= PATIENCE:
            cuts = _without(nodes, cuts, wrong)
            continue
        there = distinct(ends[wrong])
        there = there[~np.isnan(now.stations[there])]
        refused = np.concatenate([refused, np.stack([there, now.stations[there]], 1)])
    raise StudioError(TOO_FINE)


def with_long_ends(nodes: Nodes, cuts: Cuts, border: Border, least: float) -> Nodes:
    """Move the inner ends of cuts from the outline shorter than `least` away from it, where none will cross and no
    corner becomes sharp."""
    on_rim = ~np.isnan(nodes.stations[cuts.ends])
    ways = np.where(on_rim[:, :1], 1.0, -1.0) * (nodes.places[cuts.ends[:, 1]] - nodes.places[cuts.ends[:, 0]])
    sizes = np.hypot(ways[:, 0], ways[:, 1])
    short = np.flatnonzero((on_rim.sum(axis=1) == 1) & (sizes < least) & (sizes > SAME))
    inner = cuts.ends[short, on_rim[short, 0].astype(np.int64)]
    moves = np.zeros_like(nodes.places)
    np.add.at(moves, inner, ways[short] * (least / sizes[short] - 1.0)[:, None])
    least_gaps = np.minimum(least_angles(nodes.places, cuts.ends), SHARPEST)
    while moves.any():
        moved = replace(nodes, places=nodes.places + moves)
        sharp = least_angles(moved.places, cuts.ends) < least_gaps - SAME
        wrong = np.union1d(_crossing(moved, cuts.ends, border), np.flatnonzero(sharp[cuts.ends].any(axis=1)))
        undone = distinct(cuts.ends[wrong])
        if not moves[undone].any():
            return moved
        moves[undone] = 0.0
    return nodes


def _without(nodes: Nodes, cuts: Cuts, some: Ints) -> Cuts:
    """Leave out cuts, and those that part nothing without them."""
    while len(some):
        cuts = Cuts(np.delete(cuts.ends, some, axis=0), np.delete(cuts.edges, some))
        is_alone = (np.bincount(cuts.ends.ravel(), minlength=len(nodes.keys)) == 1) & np.isnan(nodes.stations)
        some = np.flatnonzero(is_alone[cuts.ends].any(axis=1))
    return cuts


def _out_of_straits(nodes: Nodes, cuts: Ints, border: Border, movable: Ints) -> Nodes:
    """Move the ends of cuts that lead through a strait of the outline to a side of it."""
    if not len(movable):
        return nodes
    far = np.full(len(nodes.keys), -1)
    far[cuts[:, 0]], far[cuts[:, 1]] = cuts[:, 1], cuts[:, 0]
    there = nodes.places[far[movable]]
    ways = nodes.places[movable] - there
    sizes = np.hypot(ways[:, 0], ways[:, 1])
    shares = np.linspace(0.0, 1.0, STEPS, endpoint=False)
    spots = (there[:, None] + shares[:, None] * ways[:, None]).reshape(-1, 2)
    stations, gaps = (each.reshape(len(movable), -1) for each in border.nearest(spots, STRAIT))
    is_strait = (
        (gaps < STRAIT) & ((1 - shares) * sizes[:, None] > BEYOND) & np.isnan(nodes.stations[far[movable], None])
    )
    some = np.flatnonzero(is_strait.any(axis=1))
    return _moved(nodes, border, movable[some], stations[some, is_strait[some].argmax(axis=1)])


def _moved(nodes: Nodes, border: Border, some: Ints, stations: Floats) -> Nodes:
    """Move nodes to other stations."""
    places, there = nodes.places.copy(), nodes.stations.copy()
    there[some], places[some] = stations, border.at(stations)
    return Nodes(places, nodes.keys, nodes.names, there, nodes.kinds)


class _Ring:
    """The ends of cuts on one ring, in order round it, and the costs (n, k) of k seats of each."""

    def __init__(
        self, at_first: Nodes, nodes: Nodes, cuts: Ints, border: Border, some: Ints, bounds: tuple[float, float],
        corners: tuple[Floats, Floats], *, heeds_tips: bool,
    ) -> None:  # fmt: skip
        self._bounds, first = bounds, at_first.stations
        low, high = bounds
        length = high - low
        order = some[np.lexsort((_leans(at_first, cuts, border, some, bounds), np.round(first[some], 9)))]
        gaps = np.diff(first[order], append=first[order[0]] + length)
        # Begin behind the widest gap, half of which is free for the ends on either side.
        order, free = np.roll(order, -int(gaps.argmax()) - 1), max(float(gaps.max()) - APART, 0.0) / 2
        here = first[order]
        here = here[0] + (here - here[0]) % length
        reach = int(min(REACH, length / 4) / STEP)
        moves = STEP * np.arange(-reach, reach + 1)
        self.nodes, self._seats = order, here[:, None] + moves
        costs = STAY * np.abs(np.broadcast_to(moves, self._seats.shape))
        self._costs = costs + AT_CORNER * _cornered(border, self._seats, bounds, *corners)
        self._costs[0, moves < -free], self._costs[-1, moves > free] = BLOCKED, BLOCKED
        places, inward = _frames(border, self._seats.ravel(), bounds)
        row_of = np.full(len(nodes.keys), -1)
        row_of[order] = np.arange(len(order))
        cut, end = np.nonzero(row_of[cuts] >= 0)
        rows = row_of[cuts[cut, end]]
        at = rows[:, None] * len(moves) + np.arange(len(moves))
        ways = nodes.places[cuts[cut, 1 - end]][:, None] - places[at]
        sizes = np.maximum(np.hypot(ways[..., 0], ways[..., 1]), SAME)
        slopes = (ways * inward[at]).sum(axis=2) / sizes
        oblique = np.where(slopes < LEAST_SLOPE, BLOCKED, 1 - slopes)
        able = slopes >= LEAST_SLOPE
        oblique[able] = np.maximum(oblique[able], _narrowness(border, places[at[able]], ways[able], sizes[able]))
        worst = np.zeros(self._seats.shape)
        np.maximum.at(worst, rows, oblique)
        self._costs += worst
        if heeds_tips:
            # Wood tapers off where a cut meets the outline, or another cut at its other end, at a small angle.
            tapers = slopes < np.sin(TAPERED)
            for at_row, (one, far) in enumerate(zip(cut.tolist(), cuts[cut, 1 - end].tolist(), strict=True)):
                others = np.flatnonzero((cuts == far).any(axis=1))
                # Where the other cuts began, as a window around a figure must be divided as the whole board is.
                away = at_first.places[cuts[others[others != one]].sum(axis=1) - far] - at_first.places[far]
                cosines = -(ways[at_row] / sizes[at_row, :, None]) @ (away / np.hypot(away[:, :1], away[:, 1:])).T
                tapers[at_row] |= (cosines > np.cos(TAPERED)).any(axis=1)
            worst = np.zeros(self._seats.shape)
            np.maximum.at(worst, rows, TAPERING * tapers)
            self._costs += worst

    def best(self, refused: Floats) -> Floats:
        """The stations (n,) of the cheapest seats in order, by dynamic programming along the ring.

        `refused` (r, 2) are numbers of nodes, and stations that they cannot have.
        """
        seats, costs = self._seats, self._costs.copy()
        low, high = self._bounds
        for node, station in refused.tolist():
            away = np.abs(seats[self.nodes == node] - station) % (high - low)
            costs[self.nodes == node] += np.where(np.minimum(away, high - low - away) < 1.5 * STEP, BLOCKED, 0.0)
        least, came = costs[0], []
        for row in range(1, len(seats)):
            gaps = seats[row][None] - seats[row - 1][:, None]
            between = CROWDED * np.maximum(1 - gaps / APART, 0.0) + np.where(gaps < LEAST_APART, DISORDER, 0.0)
            whole = least[:, None] + between
            came.append(whole.argmin(axis=0))
            least = whole.min(axis=0) + costs[row]
        at = int(least.argmin())
        chosen = [at]
        for before in reversed(came):
            at = int(before[at])
            chosen.append(at)
        found = seats[np.arange(len(seats)), chosen[::-1]]
        return np.asarray(low + (found - low) % (high - low))


def _frames(border: Border, seats: Floats, bounds: tuple[float, float]) -> tuple[Floats, Floats]:
    """Places (k, 2) and inward unit normals (k, 2) of seats on the ring between stations `bounds`."""
    low, high = bounds
    here, before, behind = (border.at(low + (seats + way - low) % (high - low)) for way in (0.0, -STEP, STEP))
    way = behind - before
    return here, np.stack([-way[:, 1], way[:, 0]], 1) / np.maximum(np.hypot(way[:, 0], way[:, 1]), SAME)[:, None]


def _leans(nodes: Nodes, cuts: Ints, border: Border, some: Ints, bounds: tuple[float, float]) -> Floats:
    """Cosines (n,) between the cuts of nodes and the outline's way, of one cut each: they order nodes at one place."""
    far = np.full(len(nodes.keys), -1)
    far[cuts[:, 0]], far[cuts[:, 1]] = cuts[:, 1], cuts[:, 0]
    places, inward = _frames(border, nodes.stations[some], bounds)
    way = nodes.places[far[some]] - places
    along = way[:, 0] * inward[:, 1] - way[:, 1] * inward[:, 0]
    return np.asarray(along / np.maximum(np.hypot(way[:, 0], way[:, 1]), SAME))


def _narrowness(border: Border, places: Floats, ways: Floats, sizes: Floats) -> Floats:
    """Cost (k,) of straight cuts (k,) from the outline that keep near it: 0 if they lead away; BLOCKED if they leave
    the board or hardly leave the outline."""
    found = np.zeros(len(places))
    for ahead in AHEAD:
        along = np.minimum(ahead, LAST * sizes)
        probes = places + (along / sizes)[:, None] * ways
        most = np.minimum(along, AWAY)
        shares = np.minimum(border.nearest(probes, AWAY)[1] / most, 1.0)
        found = np.maximum(found, np.where((shares < LEAST_SLOPE) | ~border.holds(probes), BLOCKED, 1 - shares))
    return found


def corners_along(places: Floats) -> NDArray[np.bool_]:
    """Mask (k,) of the places (k, 2) round a ring, BEND_WITHIN / 2 mm apart, at which the ring turns sharply."""
    ways = places - np.roll(places, 2, axis=0)
    ahead = np.roll(places, -2, axis=0) - places
    cross = ways[:, 0] * ahead[:, 1] - ways[:, 1] * ahead[:, 0]
    return np.asarray(np.abs(np.arctan2(cross, (ways * ahead).sum(axis=1))) > SHARP)


def _cornered(border: Border, seats: Floats, bounds: tuple[float, float], tips: Floats, blunt: Floats) -> Floats:
    """Nearness (n, k) of seats to corners, sharp and blunt, and tips: 1 on them, 0 at the distance to be kept."""
    low, high = bounds
    usual = float(border.scale.mean())
    found = np.zeros(seats.shape)
    sharp = np.append(_sharp(border, bounds), blunt)
    for places, keep in ((sharp, KEEP_OFF / usual), (tips, TIP)):
        if len(places):
            away = np.abs(seats.ravel()[:, None] - places) % (high - low)
            gaps = np.minimum(away, high - low - away).min(axis=1).reshape(seats.shape)
            near = np.where(gaps < keep, 1.0 + 0.5 * (1 - gaps / keep), 0.0)
            found = np.maximum(found, near)
    return found


def ends_at_corners(nodes: Nodes, cuts: Cuts, border: Border) -> Ints:
    """The cuts that end too near a corner of a figure or a hole, for want of a better seat."""
    usual, found = float(border.scale.mean()), np.zeros(len(nodes.keys), bool)
    for low, high in pairwise(border.rings[1:].tolist()):
        some = np.flatnonzero((nodes.stations >= low) & (nodes.stations < high) & (nodes.kinds != BEND))
        sharp = _sharp(border, (low, high))
        if len(some) and len(sharp):
            away = np.abs(nodes.stations[some, None] - sharp)
            found[some] = np.minimum(away, high - low - away).min(axis=1) * usual < TOO_NEAR
    return np.flatnonzero(found[cuts.ends].any(axis=1))


def _sharp(border: Border, bounds: tuple[float, float]) -> Floats:
    """Stations (k,) at which the ring between stations turns sharply, either way."""
    low, high = bounds
    count = max(8, int((high - low) * float(border.scale.mean()) / (BEND_WITHIN / 2)))
    stations = low + (high - low) * np.arange(count) / count
    return np.asarray(stations[corners_along(border.at(stations) * border.scale)])


def _tips(border: Border) -> Floats:
    """Stations (k,) of the tips of the outer ring, where it turns sharply towards the board."""
    low, high = border.rings[:2]
    stations = np.linspace(low, high, max(8, int((high - low) / STEP)), endpoint=False)
    stations = np.union1d(stations, border.at_bends[border.at_bends < high])
    before, behind = (border.at(low + (stations + way - low) % (high - low)) for way in (-TIP_WITHIN, TIP_WITHIN))
    here = border.at(stations)
    (right, down), (across, along) = (here - before).T, (behind - here).T
    return np.asarray(stations[np.arctan2(right * along - down * across, right * across + down * along) > POINTED])


def _crossing(nodes: Nodes, cuts: Ints, border: Border) -> Ints:
    """The cuts on the outline that cross another (of two, that with more ends there), or cross or hug the outline."""
    import shapely

    lines = shapely.linestrings(nodes.places[cuts])
    one, other = shapely.STRtree(lines).query(lines, predicate="intersects")
    apart = share_none(cuts[one], cuts[other]) & (one < other)
    one, other = one[apart], other[apart]
    on_rim = ~np.isnan(nodes.stations[cuts])
    counts, lengths = on_rim.sum(axis=1), shapely.length(lines)
    is_first = (counts[one] > counts[other]) | ((counts[one] == counts[other]) & (lengths[one] > lengths[other]))
    at_rim = np.flatnonzero(counts)
    which, shares, _ = border.crossings(nodes.places[cuts[at_rim]])
    ends = on_rim[at_rim[which]]
    true = ~((shares < AT_END) & ends[:, 0]) & ~((shares > 1 - AT_END) & ends[:, 1])
    between = np.flatnonzero(counts == 2)
    middles = nodes.places[cuts[between]].mean(axis=1)
    hugs = (border.nearest(middles, HUGGED)[1] < HUGGED) | ~border.holds(middles)
    return distinct(np.concatenate([np.where(is_first, one, other), at_rim[which[true]], between[hugs]]))


def hugs(begins: Floats, finishes: Floats, border: Border) -> NDArray[np.bool_]:
    """True for straight cuts (k,) from the outline to places inside that keep near the outline or even cross it."""
    shares = np.repeat(PROBES, len(begins))
    ways = np.tile(finishes - begins, (len(PROBES), 1))
    places = np.tile(begins, (len(PROBES), 1)) + shares[:, None] * ways
    away = shares * np.hypot(ways[:, 0], ways[:, 1])
    least = LEAST_SLOPE * away
    found = (border.nearest(places, least.max(initial=TOUCHES))[1] < least) | ~border.holds(places)
    return np.asarray(found.reshape(len(PROBES), -1).any(axis=0))


def hugging(nodes: Nodes, cuts: Cuts, border: Border) -> list[int]:
    """Cuts with one end on the outline that keep near it."""
    on_rim = ~np.isnan(nodes.stations[cuts.ends])
    some = np.flatnonzero(on_rim.sum(axis=1) == 1)
    first = np.where(on_rim[some, 0], 0, 1)
    begins, finishes = (nodes.places[cuts.ends[some, end]] for end in (first, 1 - first))
    return [int(cut) for cut in some[hugs(begins, finishes, border)]]


# Split corners: a cut that ends near a sharp corner of a board is moved into it, so that two pieces share the corner.


AROUND, SEARCH = 0.4, 0.05
"""Distance in cells to both sides over which the border's turn is measured, and the steps of the search."""
FINER = 80
"""Parts of the two steps around a corner in the finer search; even, so that the middle is the step itself."""
CORNERED = np.radians(50.0)
"""A border that turns by more than this within that distance has a corner."""
NEAR = 1.8
"""Greatest distance in cells along the border from the end of a cut to the corner it is moved into."""
OFF_BISECTOR = np.radians(25.0)
"""Angle between such a cut and the bisector of a notch from which it is turned."""
LEAST_ANGLE = np.radians(30.0)
"""Least angle between such a cut and the border; a smaller one would cut off a sliver."""


class SplitCorners(NamedTuple):
    """The share of a board's sharp corners to be split between two pieces, and the seed that chooses them."""

    share: float = 0.0
    seed: int = 0


NO_SPLIT = SplitCorners()


def with_split_corners(
    nodes: Nodes,
    cuts: Cuts,
    keys: Ints,
    lasting: NDArray[np.bool_],
    border: Border,
    split: SplitCorners,
    *,
    splits_notches: bool,
    turns_cuts: bool,
) -> tuple[Nodes, Cuts, Ints]:
    """Move a fitting cut into the sharp corners that are to be split and have none, and into notches of the outer ring.

    `keys` (c,) of the cuts are for chance, and `lasting` (c,) marks the cuts that will not be left out. With
    `turns_cuts` those that lead into notches far off their bisectors are turned, where they will cross nothing. Also
    returns the cuts that were moved into sharp corners.
    """
    corners = _corners(border, border.rings, 1.0) if split.share else np.empty(0)
    corners = corners[uniform(split.seed, np.arange(len(corners)), "split corner") < split.share]
    sharp, splitting = set(corners.tolist()), list[int]()
    if splits_notches:
        corners = np.sort(np.append(corners, _corners(border, border.rings[:2], -1.0)))
    blunt = [station for station in corners.tolist() if not (np.abs(nodes.stations - station) < SAME).any()]
    nodes = nodes.joined(Nodes.on(border, np.array(blunt), KNOT))
    ends = cuts.ends.copy()
    for station in corners.tolist():
        gaps = np.abs(nodes.stations - station)
        if not (gaps[np.unique(ends[lasting])] < SEARCH).any():
            found = _led(nodes, ends, keys, lasting, border, station)
            if found is not None:
                ends[found] = int(np.nanargmin(gaps))
                splitting += [found[0]] if station in sharp else []
                if turns_cuts:
                    nodes = _turned(nodes, ends, border, found)
    needed = np.unique(np.concatenate([ends.ravel(), np.flatnonzero(nodes.kinds == BEND)]))
    return nodes.chosen(needed), Cuts(np.searchsorted(needed, ends), cuts.edges), np.array(splitting, np.int64)


def _corners(border: Border, rings: Floats, way: float) -> Floats:
    """Stations (k,) at which the border turns sharply towards the board, or away from it if `way` is -1, on some rings
    by their bounds."""
    found: list[float] = []
    for low, high in pairwise(rings.tolist()):
        bends = border.nearest(border.bends)[0] if len(border.bends) else np.empty(0)
        steps = np.linspace(low, high, max(3, int((high - low) / SEARCH)), endpoint=False)
        stations = np.sort(np.concatenate([steps, bends[(bends >= low) & (bends < high)]]))
        turns = way * _turns(border, stations, low, high)
        for at in np.argsort(-turns, kind="stable").tolist():
            apart = np.abs(stations[at] - np.array(found)) if found else np.full(1, np.inf)
            apart = np.minimum(apart, high - low - apart) if found else apart
            if turns[at] > CORNERED and apart.min() > 2 * AROUND:
                near = low + (stations[at] + np.linspace(-SEARCH, SEARCH, FINER + 1) - low) % (high - low)
                sharpest = float(near[int(np.argmax(way * _turns(border, near, low, high)))])
                found.append(sharpest)
    return np.sort(np.array(found))


def _turns(border: Border, stations: Floats, low: float, high: float) -> Floats:
    """Angles (k,) by which the border of a ring turns towards the board around stations."""
    before, behind = (border.at(low + (stations + way - low) % (high - low)) for way in (-AROUND, AROUND))
    here = border.at(stations)
    (right, down), (across, along) = (here - before).T, (behind - here).T
    return np.asarray(np.arctan2(right * along - down * across, right * across + down * along))


def _led(
    nodes: Nodes, ends: Ints, keys: Ints, lasting: NDArray[np.bool_], border: Border, station: float
) -> tuple[int, int] | None:
    """A cut, and the end of it, that can be moved to a corner, into a notch nearest its bisector; None if none fits."""
    import shapely

    ring = int(np.searchsorted(border.rings, station, side="right")) - 1
    low, high = border.rings[ring], border.rings[ring + 1]
    degrees = np.bincount(ends[lasting].ravel(), minlength=len(nodes.keys))
    ending = np.flatnonzero((degrees == 1) & (nodes.stations >= low) & (nodes.stations < high) & (nodes.kinds != BEND))
    if not len(ending):
        return None
    way = (nodes.stations[ending] - station) % (high - low)
    here = border.at(np.array([station]))[0]
    sides = _sides(border, station)
    fitting = []
    for at, away in ((int(way.argmax()), high - low - way.max()), (int(way.argmin()), way.min())):
        cut, end = (int(each[0]) for each in np.nonzero((ends == ending[at]) & lasting[:, None]))
        far = int(ends[cut, 1 - end])
        if away > NEAR or not np.isnan(nodes.stations[far]):
            continue
        others = np.flatnonzero(lasting & (ends != far).all(axis=1))
        line = shapely.linestrings([here, nodes.places[far]])
        crosses = shapely.intersects(line, shapely.linestrings(nodes.places[ends[others]])).any()
        if not crosses and _is_open(border, here, nodes.places[far], sides):
            fitting.append((cut, end))
    if fitting and _turns(border, np.array([station]), low, high)[0] < 0:
        ways = nodes.places[[ends[cut, 1 - end] for cut, end in fitting]] - here
        return fitting[int((ways @ _bisector(sides) / np.hypot(*ways.T)).argmax())]
    return min(fitting, key=lambda each: float(uniform(0, keys[[each[0]]], "split corner")[0]), default=None)


def _sides(border: Border, station: float) -> Floats:
    """The ways (2, 2) from a corner of the border along both of its sides."""
    ring = int(np.searchsorted(border.rings, station, side="right")) - 1
    low, high = border.rings[ring], border.rings[ring + 1]
    return np.asarray(
        border.at(low + (station + np.array([-AROUND, AROUND]) - low) % (high - low)) - border.at(np.array([station]))
    )


def _bisector(sides: Floats) -> Floats:
    """The way (2,) out of a notch, away from both of its sides."""
    return np.asarray(-(sides / np.hypot(*sides.T)[:, None]).sum(axis=0))


def _turned(nodes: Nodes, ends: Ints, border: Border, led: tuple[int, int]) -> Nodes:
    """Move the inner end of a cut, by its number and its end at a notch, around the notch towards its bisector."""
    cut, end = led
    at, far = int(ends[cut, end]), int(ends[cut, 1 - end])
    way, (right, down) = nodes.places[far] - nodes.places[at], _bisector(_sides(border, float(nodes.stations[at])))
    off = np.arctan2(right * way[1] - down * way[0], right * way[0] + down * way[1])
    beyond = off - np.clip(off, -OFF_BISECTOR, OFF_BISECTOR)
    cosine, sine = np.cos(-beyond), np.sin(-beyond)
    places = nodes.places.copy()
    places[far] = places[at] + (cosine * way[0] - sine * way[1], sine * way[0] + cosine * way[1])
    is_free = crossing(places, ends, (ends == far).any(axis=1)) is None and border.holds(places[[far]]).all()
    return replace(nodes, places=places) if beyond and is_free else nodes


def _is_open(border: Border, here: Floats, there: Floats, sides: Floats) -> bool:
    """True if a cut from a corner keeps away from both sides (2, 2) of the border and stays within it."""
    way = there - here
    cosines: NDArray[np.float64] = (sides @ way) / np.hypot(*sides.T) / np.hypot(*way)
    places = here + np.linspace(0.1, 0.9, 9)[:, None] * way
    return bool((cosines < np.cos(LEAST_ANGLE)).all() and border.holds(places).all())


# Noodles: long pieces of two or three cells in a row, away from the border and from figures.
