"""What can be wrong with the cuts of a flat board: crossings and thin bridges.

All is measured on polylines within `CHORD_TOLERANCE` of the curves. bridge: the wood left between two cuts.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely
from numpy.typing import NDArray

from studio.geometry.curves import Curves, Floats, Ints, Polylines
from studio.geometry.drawing import Drawing
from studio.geometry.regions import Polygons, waste
from studio.progress import Progress
from studio.texts import tr

CHORD_TOLERANCE = 0.05
"""How far in mm the polylines that are checked may lie from the curves: a third of a laser's kerf, at the most."""
PIECES_AT_ONCE = 400
"""So many pieces take about 10 ms to polygonize, less than a frame."""
JOINT = 0.05
"""The length in mm at either end of a cut that is left out where crossings are sought: cuts meet at corners."""
CORNER_REACH = 2.0
"""How many least bridges from a shared corner two cuts may be near each other: closer means an angle below 30°."""


@dataclass(frozen=True, eq=False)
class Cuts:
    """Some strokes of a drawing as lines; `cores` are the parts that may not meet another line."""

    strokes: Ints
    polylines: Polylines
    lines: NDArray[np.object_]

    @cached_property
    def cores(self) -> NDArray[np.object_]:
        """The lines without what lies nearest to their ends."""
        return _trimmed(self.polylines)

    def prepare(self) -> None:
        """Make cores and tree now, before two threads ask for them."""
        _ = self.cores, self.tree

    @cached_property
    def tree(self) -> shapely.STRtree:
        """The lines, ready to be searched."""
        tree = shapely.STRtree(self.lines)
        tree.query(self.lines[:1])  # a tree builds itself at its first question
        return tree


def cuts(strokes: Curves, chosen: Ints | None = None) -> Cuts:
    """All strokes or some as lines within CHORD_TOLERANCE."""
    if chosen is None:
        chosen, polylines = np.arange(len(strokes)), strokes.flattened(CHORD_TOLERANCE)
    else:
        polylines = strokes.chosen(chosen).flattened(CHORD_TOLERANCE)
    return Cuts(chosen, polylines, shapely.linestrings(polylines.points, indices=polylines.owners))


@dataclass(frozen=True, eq=False)
class CutIndex:
    """All cuts of a board, as they were when their large tree was built, and those that moved since."""

    everything: Cuts
    moved: Cuts | None = None

    def moved_to(self, moved: Cuts) -> CutIndex:
        """The board with some cuts elsewhere; the large tree is kept."""
        if self.moved is not None:
            kept = ~np.isin(self.moved.strokes, moved.strokes)
            moved = _joined(_chosen(self.moved, kept), moved)
        return CutIndex(self.everything, moved)

    def around(self, some: Cuts, reach: float) -> Cuts:
        """`some`, first, and then the other cuts whose boxes lie within `reach` mm of theirs."""
        low, high = np.hsplit(shapely.bounds(some.lines), 2)
        boxes = shapely.box(*(low - reach).T, *(high + reach).T)
        near = np.zeros(len(self.everything.lines), bool)
        near[self.everything.tree.query(boxes)[1]] = True
        result = some
        if self.moved is not None:
            near[self.moved.strokes] = False
            moved = ~np.isin(self.moved.strokes, some.strokes)
            if moved.any():
                met = np.zeros(len(moved), bool)
                met[self.moved.tree.query(boxes)[1]] = True
                result = _joined(some, _chosen(self.moved, moved & met))
        near[some.strokes] = False
        return _joined(result, _chosen(self.everything, near))


def _chosen(some: Cuts, mask: NDArray[np.bool_]) -> Cuts:
    at = np.flatnonzero(mask)
    return Cuts(some.strokes[at], some.polylines.chosen(at), some.lines[at])


def _joined(one: Cuts, other: Cuts) -> Cuts:
    lines = Polylines.gathered([one.polylines, other.polylines])
    return Cuts(np.concatenate([one.strokes, other.strokes]), lines, np.concatenate([one.lines, other.lines]))


def _trimmed(polylines: Polylines) -> NDArray[np.object_]:
    """The lines without the outermost JOINT mm, or half a chord where that is less, at both ends."""
    points = polylines.points.copy()
    for end, inside in (
        (polylines.starts[:-1], polylines.starts[:-1] + 1),
        (polylines.starts[1:] - 1, polylines.starts[1:] - 2),
    ):
        chord = polylines.points[inside] - polylines.points[end]
        length = np.maximum(np.hypot(chord[:, 0], chord[:, 1]), 1e-12)
        share = np.minimum(JOINT / length, 1 / 3)
        points[end] += share[:, None] * chord
    return np.asarray(shapely.linestrings(points, indices=polylines.owners))


def _shortened(polylines: Polylines, reach: float) -> tuple[Ints, NDArray[np.object_]]:
    """The lines without what lies within `reach` mm of their ends, and which of them have something left."""
    starts, owners, points = polylines.starts, polylines.owners, polylines.points.copy()
    gaps = [np.hypot(*(polylines.points - polylines.points[end][owners]).T) for end in (starts[:-1], starts[1:] - 1)]
    # A head that comes back within reach of a corner stays in: only the run from each end is cut off.
    position = np.arange(len(points))
    begin = np.minimum.reduceat(np.where(gaps[0] > reach, position, len(points)), starts[:-1])
    end = np.maximum.reduceat(np.where(gaps[1] > reach, position, -1), starts[:-1])
    left = (begin < starts[1:]) & (end >= starts[:-1])
    places = []
    for far, near, gap in ((begin, begin - 1, gaps[0]), (end, end + 1, gaps[1])):
        far, near = far[left], near[left]
        share = _leaving(polylines.points[near], polylines.points[far], gap[near], gap[far], reach)
        points[near] += share[:, None] * (polylines.points[far] - polylines.points[near])
        places.append(near + np.sign(far - near) * share)
    left[left] = places[0] < places[1]
    if not left.any():
        return np.empty(0, np.int64), np.empty(0, object)
    keep = left[owners] & (position >= begin[owners] - 1) & (position <= end[owners] + 1)
    renumbered = np.cumsum(left) - 1
    return np.flatnonzero(left), shapely.linestrings(points[keep], indices=renumbered[owners[keep]])


def _leaving(near: Floats, far: Floats, gap_near: Floats, gap_far: Floats, reach: float) -> Floats:
    """The share of the way from `near` to `far` at which a circle of radius `reach` is left.

    The circle's middle lies `gap_near` and `gap_far` from the two; the law of cosines tells how it lies.
    """
    square = np.maximum(((far - near) ** 2).sum(axis=1), 1e-18)
    back = (gap_far**2 - gap_near**2 - square) / 2
    return np.asarray((-back + np.sqrt(np.maximum(back**2 + square * (reach**2 - gap_near**2), 0.0))) / square)


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of cuts (k, 2), the lesser first, and the place (k, 2) in mm where they meet or are nearest."""

    cuts: Ints
    places: Floats


def crossings(some: Cuts) -> Pairs:
    """Pairs among some cuts that cross or touch anywhere but at a shared corner."""
    at, other = some.tree.query(some.cores, predicate="intersects")
    apart = at != other
    pairs = np.stack([at[apart], other[apart]], 1)
    backwards = some.strokes[pairs[:, 0]] > some.strokes[pairs[:, 1]]
    pairs[backwards] = pairs[backwards, ::-1]
    pairs = np.unique(pairs, axis=0)
    one, two = some.cores[pairs[:, 0]], some.cores[pairs[:, 1]]
    shared = shapely.intersection(one, two)
    middles = shapely.line_interpolate_point(shapely.shortest_line(one, two), 0.5, normalized=True)
    spots = np.where(shapely.is_empty(shared), middles, shapely.point_on_surface(shared))
    return Pairs(some.strokes[pairs], shapely.get_coordinates(spots).reshape(-1, 2))


def thin_bridges(some: Cuts, width: float) -> tuple[Pairs, Floats]:
    """Pairs among some cuts nearer than `width` mm away from a shared corner, and their distances in mm."""
    if width <= 0:
        return Pairs(np.empty((0, 2), np.int64), np.empty((0, 2))), np.empty(0)
    left, middles = _shortened(some.polylines, CORNER_REACH * width)
    at, other = some.tree.query(middles, predicate="dwithin", distance=width)
    apart = left[at] != other
    at, other = at[apart], other[apart]
    links = shapely.shortest_line(middles[at], some.lines[other])
    gaps = shapely.length(links)
    pairs = np.sort(np.stack([some.strokes[left[at]], some.strokes[other]], 1), axis=1)
    order = np.lexsort((gaps, pairs[:, 1], pairs[:, 0]))
    pairs, gaps, links = pairs[order], gaps[order], links[order]
    nearest = np.ones(len(pairs), bool)
    nearest[1:] = (pairs[1:] != pairs[:-1]).any(axis=1)
    places = shapely.line_interpolate_point(links[nearest], 0.5, normalized=True)
    return Pairs(pairs[nearest], shapely.get_coordinates(places).reshape(-1, 2)), gaps[nearest]


def self_crossings(some: Cuts) -> tuple[Ints, Floats]:
    """The strokes among `some` that cross themselves, and where (k, 2) in mm."""
    crossed = np.flatnonzero(~shapely.is_simple(some.lines))
    places = [_first_self_crossing(some.polylines[at]) for at in crossed.tolist()]
    return some.strokes[crossed], np.array(places).reshape(-1, 2)


def _first_self_crossing(points: Floats) -> Floats:
    spans = shapely.linestrings(np.stack([points[:-1], points[1:]], 1))
    at, other = shapely.STRtree(spans).query(spans, predicate="intersects")
    apart = other > at + 1
    if not apart.any():
        return np.asarray(points[len(points) // 2])
    met = shapely.intersection(spans[at[apart][0]], spans[other[apart][0]])
    return np.asarray(shapely.get_coordinates(shapely.centroid(met))[0])


def piece_count(drawing: Drawing, everything: Cuts, progress: Progress) -> int:
    """How many pieces the cuts enclose, by polygonizing them; cuts that cross do not count as meeting.

    What falls out of the board's and the pieces' holes is waste and does not count.

    It is done part by part, because shapely holds the interpreter while it polygonizes, and a window with it: the
    strokes round some neighbouring pieces enclose these and at most a few others, each of which is counted once.
    """
    pieces, fallen = drawing.pieces, waste(drawing)
    found = []
    parts = max(1, -(-len(pieces) // PIECES_AT_ONCE))
    for part in range(parts):
        progress.step(part / parts, tr("Counting the pieces"))
        low, high = len(pieces) * part // parts, len(pieces) * (part + 1) // parts
        strokes = np.unique(pieces.codes[pieces.starts[low] : pieces.starts[high]] >> 1)
        # Two parts may follow one ring from different points; normalized, they measure the same to the bit.
        faces = shapely.normalize(shapely.get_parts(shapely.polygonize(everything.lines[strokes])))
        middles = shapely.get_coordinates(shapely.centroid(faces))
        found.append(np.column_stack([middles, shapely.area(faces)])[~_within(faces, fallen)])
    return len(np.unique(np.concatenate(found), axis=0))


def _within(faces: Polygons, regions: Polygons) -> NDArray[np.bool_]:
    """Which faces lie in any of some regions."""
    inside = np.zeros(len(faces), bool)
    if len(regions):
        inside[shapely.STRtree(regions).query(shapely.point_on_surface(faces), predicate="within")[0]] = True
    return inside
