"""False fits of a jigsaw: inner edges so alike that a piece fits in another one's place.

Two edges are laid on each other by the middle and the direction of the lines between their ends, knob into hole and
pieces face up; they are a false fit where neither curve leaves the other by more than the clearance (Hausdorff).
An edge without a knob is tried both ways round.

Where one curve leaves another by d at most, their extents in any direction differ by d at most, and their widths by
2 d: that rules out nearly all pairs. Where corresponding points of two curves are at most d apart, so are the curves.
profile: an inner edge laid with its middle at the origin, from left to right, its knob towards +y.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, islice, pairwise, product

import numpy as np
from numpy.typing import NDArray

from studio.amounts import many, share, thousands
from studio.errors import StudioError
from studio.geometry.curves import Curves, Floats, Ints, Polylines, distinct, frozen, offsets, ranges
from studio.progress import SILENT, Progress
from studio.puzzles.jigsaw.geometry import JigsawShapes
from studio.puzzles.jigsaw.necks import narrow_necks
from studio.texts import tr

LARGEST = 2.0
"""The largest clearance in mm."""
WORST = 20
"""How many of the closest pairs are named."""
FLATTENING = 0.002
"""The largest deviation in mm of the lines that are compared."""
SPACING = 0.5
"""The largest distance in mm between the points of a line whose distances to the other line are taken."""
DECIMALS = 6
"""Of the places in mm by which profiles are the same."""
DIRECTIONS = 16
"""In how many directions extents are compared."""
SHORTEST = 1e-9
"""In mm: an edge whose ends are closer has no direction."""
AT_ONCE = 2**18
"""Pairs that are compared at once; all of a large board would fill gigabytes."""
POINTS_AT_ONCE = 2**20
"""Control points that are compared at once."""
SAMPLES = 8
"""Points of every cubic that are compared with those of another one."""
PROBES = 12
"""Points of a line whose distances to another one are taken before those of all."""
MEASURED_AT_ONCE = 256
"""Pairs of lines that are measured between two looks at Cancel."""


@dataclass(frozen=True)
class FalseFit:
    """Two inner edges that can be taken for each other, by name, and how far one leaves the other in mm."""

    one: str
    other: str
    distance: float


@dataclass(frozen=True, eq=False)
class Fits:
    """The false fits of a board at a clearance in mm: `others` (k,) of each of its inner `edges` (k,), and the closest.

    Distances are those of the curves within 0.01 mm.
    """

    clearance: float
    edges: Ints
    others: Ints
    worst: tuple[FalseFit, ...]

    @property
    def pairs(self) -> int:
        """The number of false fits."""
        return int(self.others.sum()) // 2

    @property
    def ambiguous(self) -> int:
        """The number of edges with at least one."""
        return int(np.count_nonzero(self.others))

    @property
    def share(self) -> float:
        """The share of edges with at least one; 0 on a board without inner edges."""
        return self.ambiguous / max(len(self.edges), 1)


def false_fits(shapes: JigsawShapes, clearance: float, progress: Progress = SILENT, most: int = WORST) -> Fits:
    """The false fits of a board at a clearance in mm, and up to `most` of the closest pairs.

    Raises StudioError for a clearance out of bounds, or larger than a neck.
    """
    if not 0.0 <= clearance <= LARGEST:
        raise StudioError(
            tr("The clearance must be from 0 to {most:g} mm, not {clearance:g} mm.", most=LARGEST, clearance=clearance)
        )
    edges = shapes.tiling.graph.inner_edges
    _refuse_narrow_necks(shapes, edges, clearance)
    strokes, plain = _profiles(shapes, edges), shapes.plain[edges]
    first, kinds = _alike(strokes)
    found = _Found(clearance, np.bincount(kinds, minlength=len(first)), most)
    _Table(strokes.chosen(first), plain[first], clearance).compare(found, progress)
    others = frozen(found.others[kinds])
    return Fits(clearance, edges, others, tuple(islice(_named(shapes, edges, kinds, found), most)))


def fits_words(found: Fits) -> str:
    """The false fits of a board, in words."""
    if not len(found.edges):
        return tr("No inner edges")
    if not found.ambiguous:
        return tr("No false fits at {clearance:.2f} mm clearance", clearance=found.clearance)
    return tr(
        "{pairs} at {clearance:.2f} mm clearance: {ambiguous} of {edges} ({share}) could be taken for another",
        pairs=many(found.pairs, "false fit"), clearance=found.clearance, ambiguous=thousands(found.ambiguous),
        edges=many(len(found.edges), "inner edge"), share=share(found.share),
    )  # fmt: skip


def _refuse_narrow_necks(shapes: JigsawShapes, edges: Ints, clearance: float) -> None:
    """Raises StudioError for a clearance that is larger than a neck."""
    knobbed = edges[~shapes.plain[edges]]
    for _style, which in shapes.of_one_style(knobbed):
        alike = knobbed[which]
        narrow, widths, _places = narrow_necks(shapes.drawing.strokes.chosen(alike), clearance)
        if len(narrow):
            at = int(widths.argmin())
            raise StudioError(
                tr(
                    "The clearance of {clearance:.2f} mm is larger than the neck of tongue {tongue}, {width:.2f} mm.",
                    clearance=clearance,
                    tongue=shapes.tiling.edge_name(int(alike[narrow[at]])),
                    width=float(widths[at]),
                )
            )


def _profiles(shapes: JigsawShapes, edges: Ints) -> Curves:
    """The profiles of some inner edges."""
    strokes, frames = shapes.drawing.strokes.chosen(edges), shapes.frames(edges)
    ends = strokes.ends
    way = ends[:, 1] - ends[:, 0]
    length = np.hypot(way[:, 0], way[:, 1])
    along = np.where(length[:, None] < SHORTEST, [1.0, 0.0], way / np.maximum(length, SHORTEST)[:, None])
    across = np.stack([-along[:, 1], along[:, 0]], 1)
    offset = strokes.points - ends.mean(axis=1)[strokes.owners]
    x, y = ((offset * axis[strokes.owners]).sum(axis=1) for axis in (along, across))
    laid = Curves(np.stack([x, y], 1), strokes.starts)
    return _turned(laid, (frames.across * across).sum(axis=1) < 0)


def _turned(strokes: Curves, which: NDArray[np.bool_]) -> Curves:
    """Profiles of which some are turned by 180°, so that they again run from left to right."""
    turned = which[strokes.owners]
    mirrored = (strokes.starts[:-1] + strokes.starts[1:] - 1)[strokes.owners] - np.arange(len(strokes.points))
    points = np.where(turned[:, None], -strokes.points[mirrored], strokes.points)
    return Curves(points, strokes.starts)


def _alike(strokes: Curves) -> tuple[Ints, Ints]:
    """The first profile of each kind, all of one kind being the same, and the kind (k,) of every profile."""
    numbers: dict[bytes, int] = {}
    points = np.round(strokes.points, DECIMALS) + 0.0
    starts = strokes.starts.tolist()
    runs = (points[begin:end].tobytes() for begin, end in pairwise(starts))
    kinds = np.array([numbers.setdefault(run, len(numbers)) for run in runs], np.int64)
    return np.unique(kinds, return_index=True)[1], kinds


@dataclass(eq=False)
class _Found:
    """False fits between kinds of profiles, as they are found: how many edges each kind could be taken for.

    `closest` has up to `most` of the closest pairs, and perhaps some more, by their distances in mm.
    """

    clearance: float
    amounts: Ints
    most: int
    others: Ints = field(init=False)
    closest: dict[tuple[int, int], float] = field(default_factory=dict)
    limit: float = np.inf
    """What is as far apart as this is none of the closest."""

    def __post_init__(self) -> None:
        self.others = self.amounts - 1
        if (self.amounts * self.others // 2).sum() >= self.most:
            self.limit = 0.0

    def count(self, one: Ints, other: Ints) -> None:
        """Add false fits between kinds, each pair once."""
        for here, there in ((one, other), (other, one)):
            self.others += np.bincount(here, self.amounts[there], len(self.amounts)).astype(np.int64)

    def keep(self, one: Ints, other: Ints, distances: Floats) -> None:
        """Keep the closest of some false fits."""
        near = np.flatnonzero(distances < self.limit)
        for *pair, distance in zip(*(each[near].tolist() for each in (one, other, distances)), strict=True):
            self.closest[tuple(pair)] = min(distance, self.closest.get(tuple(pair), np.inf))
        if len(self.closest) > self.most:
            ordered = sorted(self.closest.items(), key=lambda each: each[::-1])[: self.most]
            self.closest = dict(ordered)
            self.limit = ordered[-1][1] if ordered else 0.0


class _Table:
    """Profiles with all that rules out pairs of them, or makes sure of them."""

    def __init__(self, strokes: Curves, plain: NDArray[np.bool_], clearance: float) -> None:
        self._count, self._plain, self._clearance = len(strokes), plain, clearance
        straight = np.flatnonzero(plain)
        back = strokes.chosen(straight)
        self._strokes = Curves.gathered([strokes, _turned(back, np.ones(len(back), bool))])
        self._back = np.full(self._count, -1)
        self._back[straight] = self._count + np.arange(len(straight))
        lines = self._strokes.flattened(FLATTENING)
        angles = 2 * np.pi * np.arange(DIRECTIONS) / DIRECTIONS
        heights = lines.points @ np.stack([np.cos(angles), np.sin(angles)])
        self._extents = np.maximum.reduceat(heights, lines.starts[:-1]) if len(lines) else heights
        self._lines = _Lines(lines)
        self._slack = clearance + 2 * FLATTENING

    def compare(self, found: _Found, progress: Progress) -> None:
        """Find all false fits."""
        for done, one, other in self._near():
            progress.step(done)
            knob = np.where(self._plain[one], other, one), np.where(self._plain[one], one, other)
            ways = [knob, (knob[0], self._back[knob[1]])]
            fitting = []
            for at, (here, there) in enumerate(ways):
                able = np.flatnonzero(there >= 0) if at else np.arange(len(here))
                fitting.append(self._fitting(found, here[able], there[able], (one[able], other[able]), progress, done))
            codes = distinct(np.concatenate(fitting))
            found.count(*np.divmod(codes, self._count))

    def _near(self) -> Iterator[tuple[float, Ints, Ints]]:
        """The share that is done, and pairs of profiles whose widths allow a false fit; each pair once."""
        widths = self._extents[: self._count, 0] + self._extents[: self._count, DIRECTIONS // 2]
        order = np.argsort(widths, kind="stable")
        widths = widths[order]
        rows = np.arange(self._count)
        counts = np.searchsorted(widths, widths + 2 * self._slack, side="right") - rows - 1
        before = offsets(counts)
        begin = 0
        while begin < self._count:
            end = max(begin + 1, int(np.searchsorted(before, before[begin] + AT_ONCE, side="right")) - 1)
            one = np.repeat(rows[begin:end], counts[begin:end])
            other = ranges(rows[begin:end] + 1, counts[begin:end])
            yield float(before[begin] / max(before[-1], 1)), order[one], order[other]
            begin = end

    def _fitting(
        self, found: _Found, here: Ints, there: Ints, names: tuple[Ints, Ints], progress: Progress, done: float
    ) -> Ints:
        """The codes of those of some pairs that are false fits."""
        chosen, least = self._possible(here, there)
        here, there, names = here[chosen], there[chosen], (names[0][chosen], names[1][chosen])
        sure = self._most(here, there) <= self._clearance
        distances = np.full(len(here), np.nan)

        def measure(which: Ints) -> None:
            for begin in range(0, len(which), MEASURED_AT_ONCE):
                progress.step(done)
                some = which[begin : begin + MEASURED_AT_ONCE]
                distances[some] = self._lines.distances(here[some], there[some], self._clearance)
                close = some[distances[some] <= self._clearance]
                found.keep(names[0][close], names[1][close], distances[close])

        measure(np.flatnonzero(~sure))
        for at in self._by_least(least, sure):
            if least[at[0]] >= found.limit:
                break
            measure(at)
        fitting = sure | (distances <= self._clearance)
        return names[0][fitting] * self._count + names[1][fitting]

    @staticmethod
    def _by_least(least: Floats, sure: NDArray[np.bool_]) -> Iterator[Ints]:
        which = np.flatnonzero(sure)
        which = which[np.argsort(least[which], kind="stable")]
        return (which[begin : begin + WORST] for begin in range(0, len(which), WORST))

    def _possible(self, here: Ints, there: Ints) -> tuple[Ints, Floats]:
        """Those of some pairs that their extents do not rule out, and a lower bound of their distances in mm."""
        chosen = np.arange(len(here))
        least = np.zeros(len(here))
        for column in np.argsort(-self._extents.std(axis=0)) if len(here) else ():
            extents = self._extents[:, column]
            gap = np.abs(extents[here[chosen]] - extents[there[chosen]])
            within = gap <= self._slack
            chosen, least = chosen[within], np.maximum(least, gap)[within]
        return chosen, np.maximum(least - 2 * FLATTENING, 0.0)

    def _most(self, here: Ints, there: Ints) -> Floats:
        """An upper bound of the distances of some pairs in mm, infinite where their curves have nothing in common."""
        counts, starts, points = self._strokes.counts, self._strokes.starts, self._strokes.points
        most = np.full(len(here), np.inf)
        for number in distinct(counts[here]).tolist():
            same = np.flatnonzero((counts[here] == number) & (counts[there] == number))
            step = max(POINTS_AT_ONCE // number, 1)
            for begin in range(0, len(same), step):
                some = same[begin : begin + step]
                gaps = points[starts[here[some]][:, None] + np.arange(number)]
                gaps -= points[starts[there[some]][:, None] + np.arange(number)]
                most[some] = _largest(gaps)
        return most


def _largest(gaps: Floats) -> Floats:
    """The greatest length (p,) that the chains of cubics with the control points (p, 3 n + 1, 2) have, from above.

    Between two samples a cubic leaves its chord by an eighth of its second derivative at most.
    """
    count, number, _ = gaps.shape
    part, step = np.divmod(np.arange((number - 1) // 3 * SAMPLES + 1), SAMPLES)
    part[-1], step[-1] = part[-2], SAMPLES
    t = step / SAMPLES
    basis = np.stack([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3], 1)
    weights = np.zeros((len(t), number))
    np.put_along_axis(weights, 3 * part[:, None] + np.arange(4), basis, axis=1)
    squares = sum((gaps[:, :, axis] @ weights.T) ** 2 for axis in (0, 1))
    cubics = gaps[:, 3 * np.arange((number - 1) // 3)[:, None] + np.arange(4)]
    bends = np.diff(cubics, n=2, axis=2)
    bend = np.sqrt((bends * bends).sum(axis=3).reshape(count, -1).max(axis=1))
    return np.asarray(np.sqrt(np.max(squares, axis=1)) + 6 / 8 * bend / SAMPLES**2)


class _Lines:
    """Polylines between which distances are measured."""

    def __init__(self, lines: Polylines) -> None:
        import shapely

        drawn = shapely.linestrings(lines.points, indices=lines.owners) if len(lines) else np.empty(0, object)
        self._lines = shapely.segmentize(drawn, SPACING)
        places = np.linspace(lines.starts[:-1], lines.starts[1:] - 1, PROBES).astype(np.int64).T
        self._probes = shapely.points(lines.points[places])

    def distances(self, one: Ints, other: Ints, limit: float) -> Floats:
        """How far lines leave each other, in mm, (k,); of those beyond a limit some distance beyond it."""
        import shapely

        result = shapely.distance(self._probes[one], self._lines[other][:, None]).max(axis=1)
        close = np.flatnonzero(result <= limit)
        result[close] = shapely.hausdorff_distance(self._lines[one[close]], self._lines[other[close]])
        return np.asarray(result)


def _named(shapes: JigsawShapes, edges: Ints, kinds: Ints, found: _Found) -> Iterator[FalseFit]:
    """The closest false fits, closest first."""
    order = np.argsort(kinds, kind="stable")
    members = np.split(edges[order], offsets(found.amounts)[1:-1]) if len(edges) else []
    names = shapes.tiling.edge_name
    for same in members:
        for one, other in combinations(same.tolist(), 2):
            yield FalseFit(names(one), names(other), 0.0)
    for (here, there), distance in sorted(found.closest.items(), key=lambda each: each[::-1]):
        for pair in product(members[here].tolist(), members[there].tolist()):
            one, other = sorted(pair)
            yield FalseFit(names(one), names(other), distance)
