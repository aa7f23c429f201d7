"""Network of a drawing's lines: the nodes where they meet, and the regions on either side of each.

node: a place where strokes meet or end. run: a path along strokes, as codes: 2i is stroke i forwards, 2i + 1 backwards.
region: a piece, the frame, or an island. frame: the sheet around the board. island: waste inside the board, such as the
contents of a hole; it hangs on the pieces around it until it is cut out. travel: a straight move with the beam off.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from studio.geometry.curves.strokes import Floats, Ints, Polylines, distinct, frozen, offsets, totals
from studio.geometry.planar.drawing import CUTS, Chain, Drawing, Operation

Flags = NDArray[np.bool_]

MEETING = 1e-4
"""Distance in mm within which ends of strokes are the same node, as in a file that is read back."""
FOLLOWED = 0.05
"""Largest deviation in mm of the polylines from the strokes; the head's path and containment use these polylines."""
NEIGHBOURS = 9
"""Number of nodes near a node to which the head may travel from it in a search."""
BATCH = 500
"""Nodes whose neighbours are sought at once, to limit memory."""
OPERATIONS = tuple(Operation)


@dataclass(frozen=True, eq=False)
class Network:
    """Input of a plan.

    `chains` are the drawing's own, sorted by operation, every stroke once for each effect. Per stroke, shape (n, 2):
    `ends`, its first and last node, and `sides`, the regions that codes 2i and 2i + 1 go around; the pieces come first,
    then `frame`, then the islands. `nodes` are in mm, shape (k, 2). `polylines` follow strokes within `FOLLOWED` mm.
    `starts` are codes with which closed chains begin; one with none of them may begin with any.
    """

    drawing: Drawing
    chains: tuple[Chain, ...]
    nodes: Floats
    ends: Ints
    sides: Ints
    region_count: int
    polylines: Polylines
    starts: frozenset[int] = frozenset()

    @classmethod
    def from_drawing(cls, drawing: Drawing, starts: frozenset[int] = frozenset()) -> Network:
        """Build the network of a drawing whose loops may begin with the codes `starts`."""
        tips = drawing.strokes.ends.reshape(-1, 2)
        # Number strokes' ends by node: ends that meet within MEETING are one.
        links = []
        for shift in ((0.0, 0.0), (0.5, 0.0), (0.0, 0.5), (0.5, 0.5)):
            cells = np.floor(tips / (2 * MEETING) + shift).astype(np.int64)
            keys = cells[:, 0] * 2**31 + cells[:, 1]
            order = np.argsort(keys, kind="stable")
            same = np.flatnonzero(keys[order[1:]] == keys[order[:-1]])
            links.append(np.stack([order[same], order[same + 1]], 1))
        label = groups(len(tips), np.concatenate(links))
        names = np.searchsorted(distinct(label), label)
        nodes = np.empty((int(names.max(initial=-1)) + 1, 2))
        nodes[names[::-1]] = tips[::-1]
        ends = names.reshape(-1, 2)
        chains = _each_once(drawing.chains)
        polylines = drawing.strokes.flattened(FOLLOWED)
        cuts = [chain.strokes >> 1 for chain in chains if chain.operation in CUTS]
        sides, region_count = _sides(drawing, ends, len(nodes), joined(cuts), polylines)
        return cls(drawing, chains, frozen(nodes), frozen(ends), frozen(sides), region_count, polylines, starts)

    @property
    def frame(self) -> int:
        """Number of the frame among the regions."""
        return len(self.drawing.pieces)

    def chains_of(self, operation: Operation) -> list[Chain]:
        """Drawing's own chains of an operation."""
        return [chain for chain in self.chains if chain.operation is operation]

    def strokes_of(self, operation: Operation) -> Ints:
        """Strokes of an operation, in the drawing's own order."""
        return joined([chain.strokes >> 1 for chain in self.chains_of(operation)])

    @cached_property
    def cuts(self) -> Ints:
        """Strokes that are cut through."""
        return np.concatenate([self.strokes_of(operation) for operation in CUTS])

    @cached_property
    def inner(self) -> Ints:
        """Strokes that are cut while the border holds the board."""
        return self.strokes_of(Operation.INNER)

    @cached_property
    def neighbours(self) -> dict[int, list[tuple[int, float]]]:
        """Nearest nodes of each node of inner cuts, with distances in mm; the node itself first, then by distance."""
        chosen = distinct(self.ends[self.inner])
        places = self.nodes[chosen]
        count = min(NEIGHBOURS + 1, len(chosen))
        found: dict[int, list[tuple[int, float]]] = {}
        for begin in range(0, len(chosen), BATCH):
            some = places[begin : begin + BATCH]
            away = np.hypot(some[:, None, 0] - places[:, 0], some[:, None, 1] - places[:, 1])
            near = np.argpartition(away, count - 1, axis=1)[:, :count]
            away = np.take_along_axis(away, near, axis=1)
            order = np.lexsort((near, away), axis=1)
            near, away = np.take_along_axis(near, order, axis=1), np.take_along_axis(away, order, axis=1)
            for row, node in enumerate(chosen[begin : begin + BATCH].tolist()):
                found[node] = list(zip(chosen[near[row]].tolist(), away[row].tolist(), strict=True))
        return found

    def begin(self, codes: Ints) -> Ints:
        """Nodes at which codes begin."""
        return np.asarray(self.ends[codes >> 1, codes & 1])

    def end(self, codes: Ints) -> Ints:
        """Nodes at which codes end."""
        return np.asarray(self.ends[codes >> 1, 1 - (codes & 1)])

    def odd(self, strokes: Ints) -> Ints:
        """Nodes at which an odd number of these strokes end."""
        return np.flatnonzero(np.bincount(self.ends[strokes].ravel(), minlength=len(self.nodes)) % 2)

    def least_chains(self, strokes: Ints) -> int:
        """Least number of chains for these strokes: half the odd nodes of each connected part, at least 1."""
        if not len(strokes):
            return 0
        part = groups(len(self.nodes), self.ends[strokes])
        odd = np.bincount(part[self.odd(strokes)], minlength=len(self.nodes))
        return int(np.maximum(odd[distinct(part[self.ends[strokes, 0]])] // 2, 1).sum())

    def run(self, codes: Ints, operation: Operation) -> Chain:
        """Make a chain along a run, closed if it ends at the node where it begins."""
        codes = np.asarray(codes, np.int64)
        return Chain(operation, codes, bool(self.begin(codes[0]) == self.end(codes[-1])))

    @cached_property
    def lines(self) -> dict[int, int]:
        """Continuations of lines of inner cuts through nodes: code to the following code.

        At a node of four pieces, a line continues along the stroke that shares no piece with it. Directions do not
        matter, so a tongue may begin at any angle. Lines end at the border.
        """
        codes = self.drawing.pieces.codes
        around = np.full(2 * len(self.ends), -1, np.int64)
        around[codes ^ 1] = self.drawing.pieces.following
        inner = np.zeros(len(self.ends), bool)
        inner[self.inner] = True
        sides_known = (self.sides < self.frame).all(axis=1)
        inner &= sides_known
        outgoing = np.concatenate([2 * np.flatnonzero(inner), 2 * np.flatnonzero(inner) + 1])
        degree = np.bincount(self.ends.ravel(), np.repeat(inner, 2), minlength=len(self.nodes)).astype(np.int64)
        every = np.zeros(len(self.ends), bool)
        every[self.cuts] = True
        closed = np.ones(len(self.nodes), bool)
        closed[self.ends[every & ~inner].ravel()] = False
        wanted = outgoing[closed[self.begin(outgoing)] & (degree[self.begin(outgoing)] % 2 == 0)]
        following: dict[int, int] = {}
        for code in wanted.tolist():
            at = code
            for _ in range(int(degree[self.ends[code >> 1, code & 1]]) // 2):
                at = int(around[at])
                if at < 0:
                    break
            if at >= 0:
                following[code ^ 1] = at
        return following


def boards(network: Network) -> list[Drawing]:
    """Split a sheet into its boards with inner cuts, each a separate drawing; strokes keep their numbers.

    Pieces on either side of an inner cut belong to the same board; two boards share only the frame.
    """
    drawing, frame = network.drawing, network.frame
    sides = network.sides[network.inner]
    beside = np.where(sides == frame, sides[:, ::-1], sides)
    label = groups(network.region_count, beside[(beside != frame).all(axis=1)])
    of_strokes = np.full(len(network.sides), -1, np.int64)
    of_strokes[network.inner] = label[beside[:, 0]]
    found = distinct(of_strokes[network.inner])
    if len(found) < 2:
        return [drawing]
    pieces = drawing.pieces
    result = []
    for board in found.tolist():
        chosen = np.flatnonzero(label[: len(pieces)] == board)
        own = pieces.chosen(chosen)
        outlined = np.zeros(len(network.sides), bool)
        outlined[own.codes >> 1] = True
        chains = [
            Chain(Operation.INNER, np.array([2 * stroke])) for stroke in np.flatnonzero(of_strokes == board).tolist()
        ]
        chains += [chain for chain in network.chains_of(Operation.BORDER) if outlined[chain.strokes >> 1].any()]
        result.append(replace(drawing, chains=tuple(chains), pieces=own))
    return result


def joined(runs: list[Ints]) -> Ints:
    """Concatenate runs; empty without runs."""
    return np.concatenate(runs) if runs else np.empty(0, np.int64)


def groups(count: int, links: Ints) -> Ints:
    """Lowest member of each item's group, for `count` items grouped by links, shape (m, 2)."""
    label = np.arange(count)
    while True:
        low = label[links].min(axis=1) if len(links) else np.empty(0, np.int64)
        lower = label.copy()
        for side in (0, 1):
            np.minimum.at(lower, label[links[:, side]], low)
        lower = lower[lower]
        if np.array_equal(lower, label):
            return label
        label = lower


def _each_once(chains: Sequence[Chain]) -> tuple[Chain, ...]:
    """Sort chains by operation, and split each at strokes with the same effect twice; the border keeps its strokes."""
    kept: dict[int, list[Chain]] = {number: [] for number in range(len(chains))}
    seen: dict[object, set[int]] = {}
    for number in sorted(range(len(chains)), key=lambda at: (-OPERATIONS.index(chains[at].operation), at)):
        chain = chains[number]
        effect = CUTS if chain.operation in CUTS else chain.operation
        known = seen.setdefault(effect, set())
        codes = chain.strokes[: len(chain.strokes) - chain.overcut].tolist()
        fresh: list[list[int]] = [[]]
        for code in codes:
            if code >> 1 in known:
                fresh.append([])
            else:
                known.add(code >> 1)
                fresh[-1].append(code)
        whole = len(fresh[0]) == len(codes)
        kept[number] = [chain if whole else Chain(chain.operation, np.array(run, np.int64)) for run in fresh if run]
    order = sorted(range(len(chains)), key=lambda at: OPERATIONS.index(chains[at].operation))
    return tuple(chain for number in order for chain in kept[number])


def _sides(drawing: Drawing, ends: Ints, node_count: int, cuts: Ints, polylines: Polylines) -> tuple[Ints, int]:
    """Regions on both sides of every stroke, and the number of regions.

    A piece's outline names it on one side. The other side of strokes that a single outline follows is found by
    connected part: a part that goes around its pieces lies in the smallest piece or hole around it, else in the frame;
    a part that goes the other way is the rim of a hole, with an island in it.
    """
    pieces = drawing.pieces
    frame = len(pieces)
    sides = np.full((len(ends), 2), -1, np.int64)
    sides[pieces.codes >> 1, pieces.codes & 1] = pieces.owners
    open_side = sides < 0
    one_sided = np.flatnonzero(open_side.any(axis=1) & ~open_side.all(axis=1))
    bare = cuts[open_side[cuts].all(axis=1)]
    regions = frame + 1
    within = _Within(drawing, polylines, sides, ends, node_count)
    if len(one_sided):
        part = groups(node_count, ends[one_sided])[ends[one_sided, 0]]
        turned = np.where(sides[one_sided, 0] >= 0, 1.0, -1.0)
        area = totals(part, polylines.sweeps[one_sided] * turned, node_count)
        missing = np.where(sides[one_sided, 0] >= 0, 1, 0)
        parts = distinct(part)
        holes = []
        for hole in parts[area[parts] <= 0].tolist():
            rim = one_sided[part == hole]
            sides[rim, missing[part == hole]] = regions
            holes.append((regions, rim, -float(area[hole])))
            regions += 1
        outer, around = parts[area[parts] > 0], _Holes(tuple(holes), polylines)
        for rim_part in outer.tolist():
            rim = one_sided[part == rim_part]
            alone = len(outer) == 1 and not holes
            sides[rim, missing[part == rim_part]] = frame if alone else within.region(rim, around, frame)
    nothing = _Holes((), polylines)
    for stroke in distinct(bare).tolist():
        sides[stroke] = within.region(np.array([stroke]), nothing, frame) if frame else frame
    return np.where(sides < 0, frame, sides), regions


class _Boxes:
    """Boxes around runs of points, to find the few runs near a place."""

    def __init__(self, points: Floats, starts: Ints) -> None:
        self._low = np.minimum.reduceat(points, starts) if len(starts) else np.empty((0, 2))
        self._high = np.maximum.reduceat(points, starts) if len(starts) else np.empty((0, 2))

    def around(self, point: Floats) -> list[int]:
        """Runs whose boxes contain a point."""
        return np.flatnonzero(((self._low <= point) & (point <= self._high)).all(axis=1)).tolist()


class _Holes:
    """Holes, each with its region, the strokes of its rim and its area."""

    def __init__(self, holes: tuple[tuple[int, Ints, float], ...], polylines: Polylines) -> None:
        self._holes, self._polylines = holes, polylines
        rims = [np.concatenate([polylines[stroke] for stroke in rim.tolist()]) for _, rim, _ in holes]
        starts = offsets(np.array([len(rim) for rim in rims], np.int64))[:-1]
        self._boxes = _Boxes(np.concatenate([np.empty((0, 2)), *rims]), starts)

    def around(self, point: Floats) -> Iterator[tuple[int, Ints, float]]:
        """Yield the holes around a point."""
        for at in self._boxes.around(point):
            crossings = sum(_crossings(self._polylines[stroke], point) for stroke in self._holes[at][1].tolist())
            if crossings % 2:
                yield self._holes[at]


class _Within:
    """Finds the region around a part of the drawing."""

    def __init__(self, drawing: Drawing, polylines: Polylines, sides: Ints, ends: Ints, node_count: int) -> None:
        self._drawing, self._polylines = drawing, polylines
        self._sides, self._ends, self._node_count = sides, ends, node_count

    @cached_property
    def _rings(self) -> Polylines:
        return self._drawing.rings(self._polylines)

    @cached_property
    def _boxes(self) -> _Boxes:
        return _Boxes(self._rings.points, self._rings.starts[:-1])

    @cached_property
    def _areas(self) -> Floats:
        return self._drawing.areas(self._polylines.sweeps)

    @cached_property
    def _part(self) -> Ints:
        """Connected part of all outlines that each node belongs to."""
        outlined = distinct(self._drawing.pieces.codes >> 1)
        return groups(self._node_count, self._ends[outlined])

    def region(self, rim: Ints, holes: _Holes, otherwise: int) -> int:
        """Smallest piece or hole around some strokes, ignoring their own part; `otherwise` if none contains them."""
        line = self._polylines[int(rim[0])]
        point = 0.5 * (line[len(line) // 2] + line[len(line) // 2 - 1])
        own = self._part[self._ends[rim[0], 0]]
        pieces = self._drawing.pieces
        rings = [ring for ring in self._boxes.around(point) if _crossings(self._rings[ring], point) % 2]
        owners = Counter(pieces.ring_owners[rings].tolist())
        found = []
        for piece in (piece for piece, count in owners.items() if count % 2):
            if self._part[self._ends[pieces.codes[pieces.starts[piece]] >> 1, 0]] != own:
                found.append((float(self._areas[piece]), piece))
        for island, strokes, area in holes.around(point):
            if self._part[self._ends[strokes[0], 0]] != own:
                found.append((area, island))
        return min(found)[1] if found else otherwise


def _crossings(line: Floats, point: Floats) -> int:
    """Count the steps of a line that cross the ray from a point to the right."""
    here, there = line[:-1], line[1:]
    x, y = point
    spans = (here[:, 1] > y) != (there[:, 1] > y)
    rise = np.where(spans, there[:, 1] - here[:, 1], 1.0)
    return int((spans & (here[:, 0] + (y - here[:, 1]) / rise * (there[:, 0] - here[:, 0]) > x)).sum())
