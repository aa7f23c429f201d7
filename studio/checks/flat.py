"""What can be wrong with the cuts of a flat board: crossings, and pieces that are not cut out.

All is measured on polylines within `CHORD_TOLERANCE` of the curves; cuts that cross by less have a wall of no width
between them (`walls`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely
from numpy.typing import NDArray

from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.curves.strokes import Curves, Floats, Ints, Polylines, among
from studio.geometry.planar.drawing import Drawing, Pieces, is_one_ring
from studio.geometry.planar.regions import Polygons, waste

CHORD_TOLERANCE = 0.05
"""The largest deviation in mm of the checked polylines from the curves: a third of a laser's kerf."""
PIECES_AT_ONCE = 400
"""Number of pieces that take about 10 ms to polygonize, less than a frame."""
PRECISE = 0.001
"""How far in mm the polylines may lie from the curves of which it is asked whether they just meet."""
JOINT = 0.05
"""The length in mm at either end of a cut that is left out where crossings are sought: cuts meet at corners."""


SAME_WAY = 1e-6
"""Lines that leave a corner with a smaller angle between them, in radians, may lie one upon the other."""


@dataclass(frozen=True, eq=False)
class Cuts:
    """Some strokes of a drawing as lines; `cores` are the parts that may not meet another line."""

    strokes: Ints
    curves: Curves
    polylines: Polylines
    lines: NDArray[np.object_]

    def chosen(self, mask: NDArray[np.bool_]) -> Cuts:
        """Those of some places among them."""
        at = mask.nonzero()[0]
        return Cuts(self.strokes[at], self.curves.chosen(at), self.polylines.chosen(at), self.lines[at])

    @cached_property
    def cores(self) -> NDArray[np.object_]:
        """The lines shortened at both ends."""
        return trimmed(self.polylines)

    def prepare(self) -> None:
        """Make cores and tree now, before two threads ask for them."""
        _ = self.cores, self.tree

    @cached_property
    def tree(self) -> shapely.STRtree:
        """The lines, ready to be searched."""
        tree = shapely.STRtree(self.lines)
        tree.query(self.lines[:1])  # a tree builds itself at its first question
        return tree


def cuts(strokes: Curves, chosen: Ints | None = None, tolerance: float = CHORD_TOLERANCE) -> Cuts:
    """All strokes or some as lines within a tolerance in mm."""
    if chosen is None:
        chosen = np.arange(len(strokes))
    else:
        strokes = strokes.chosen(chosen)
    polylines = strokes.flattened(tolerance)
    return Cuts(chosen, strokes, polylines, shapely.linestrings(polylines.points, indices=polylines.owners))


@dataclass(frozen=True, eq=False)
class CutIndex:
    """All cuts of a board, as they were when their large tree was built, and those that moved since."""

    everything: Cuts
    moved: Cuts | None = None

    def moved_to(self, moved: Cuts) -> CutIndex:
        """The board with some cuts elsewhere; the large tree is kept."""
        if self.moved is not None:
            kept = ~among(self.moved.strokes, moved.strokes)
            if kept.any():
                moved = _joined(self.moved.chosen(kept), moved)
        return CutIndex(self.everything, moved)

    def around(self, some: Cuts, reach: float) -> Cuts:
        """`some`, first, and then the other cuts whose boxes lie within `reach` mm of theirs."""
        left, top, right, bottom = shapely.bounds(some.lines).T
        boxes = shapely.box(left - reach, top - reach, right + reach, bottom + reach)
        near = np.zeros(len(self.everything.lines), bool)
        near[self.everything.tree.query(boxes)[1]] = True
        result = some
        if self.moved is not None:
            near[self.moved.strokes] = False
            moved = ~among(self.moved.strokes, some.strokes)
            if moved.any():
                met = np.zeros(len(moved), bool)
                met[self.moved.tree.query(boxes)[1]] = True
                result = _joined(some, self.moved.chosen(moved & met))
        near[some.strokes] = False
        return _joined(result, self.everything.chosen(near))


def _joined(one: Cuts, other: Cuts) -> Cuts:
    lines = Polylines.gathered([one.polylines, other.polylines])
    curves = Curves.gathered([one.curves, other.curves])
    return Cuts(np.concatenate([one.strokes, other.strokes]), curves, lines, np.concatenate([one.lines, other.lines]))


def trimmed(polylines: Polylines) -> NDArray[np.object_]:
    """The lines without the outermost JOINT mm, or a third of a chord where that is less, at both ends."""
    points, begins, lasts = polylines.points.copy(), polylines.starts[:-1], polylines.starts[1:] - 1
    ends = np.concatenate([begins, lasts])
    chord = points.take(np.concatenate([begins + 1, lasts - 1]), axis=0) - points.take(ends, axis=0)
    length = np.maximum(np.hypot(chord[:, 0], chord[:, 1]), 1e-12)
    share = np.minimum(JOINT / length, 1 / 3)
    points[ends] += share[:, None] * chord
    return np.asarray(shapely.linestrings(points, indices=polylines.owners))


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of cuts (k, 2), the lesser first, and the place (k, 2) in mm where they meet or are nearest."""

    cuts: Ints
    places: Floats


def each_once(pairs: Ints) -> Ints:
    """The places of pairs (k, 2) in their order, each pair once; numpy's own `unique` takes much longer for a few."""
    order = np.lexsort((pairs[:, 1], pairs[:, 0]))
    ordered = pairs[order]
    first = np.ones(len(order), bool)
    first[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    return np.asarray(order[first])


def crossings(some: Cuts, first: int | None = None) -> Pairs:
    """Pairs among some cuts that cross or touch anywhere but at a shared corner.

    Of each pair one at least is among the `first` cuts, where these are not all that is asked for.
    """
    at, other = some.tree.query(some.cores, predicate="intersects")
    apart = at != other
    if first is not None:
        apart &= np.minimum(at, other) < first
    if not apart.any():
        return Pairs(np.empty((0, 2), np.int64), np.empty((0, 2)))
    pairs = np.stack([at[apart], other[apart]], 1)
    backwards = some.strokes[pairs[:, 0]] > some.strokes[pairs[:, 1]]
    pairs[backwards] = pairs[backwards, ::-1]
    pairs = pairs[each_once(pairs)]
    one, two = some.cores[pairs[:, 0]], some.cores[pairs[:, 1]]
    shared = shapely.intersection(one, two)
    middles = shapely.line_interpolate_point(shapely.shortest_line(one, two), 0.5, normalized=True)
    spots = np.where(shapely.is_empty(shared), middles, shapely.point_on_surface(shared))
    return Pairs(some.strokes[pairs], shapely.get_coordinates(spots).reshape(-1, 2))


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


def makes_its_pieces(drawing: Drawing, everything: Cuts, areas: Floats) -> bool:
    """Whether cuts of which no two cross must make the pieces of their drawing and no others.

    They do where the pieces have area, each goes round once along strokes that meet end to end, and one ring goes round
    all of them: then the ways round the pieces add up to that ring, and every place within it lies in one piece alone.
    False where that is not so plain; then pieces are to be counted.
    """
    pieces = drawing.pieces
    used, corners = np.unique(everything.curves.ends.reshape(-1, 2), axis=0, return_inverse=True)
    corners = corners.reshape(-1, 2)
    begins = corners[pieces.codes >> 1, pieces.codes & 1]
    ends = corners[pieces.codes >> 1, 1 - (pieces.codes & 1)]
    plain = not len(pieces.holes) and bool((areas > 0).all())
    plain &= np.array_equal(ends, begins[_following(pieces)])
    plain &= len(np.unique(pieces.codes)) == len(pieces.codes)
    plain &= len(np.unique(np.stack([pieces.owners, begins]), axis=1).T) == len(begins)
    return bool(plain) and is_one_ring(corners[drawing.followed_once]) and _parted_at_corners(everything, used, corners)


def _following(pieces: Pieces) -> Ints:
    """The place of the code that follows each in its ring."""
    after = np.arange(1, len(pieces.codes) + 1)
    after[pieces.starts[1:] - 1] = pieces.starts[:-1]
    return after


def _parted_at_corners(everything: Cuts, places: Floats, corners: Ints) -> bool:
    """Whether what `crossings` leaves out at the ends of lines cannot meet: no two leave a corner the same way, and no
    two corners at `places` are as near as that."""
    near = shapely.STRtree(spots := shapely.points(places)).query(spots, predicate="dwithin", distance=2 * JOINT)
    if (near[0] != near[1]).any():
        return False
    lines = everything.polylines
    first, last = lines.starts[:-1], lines.starts[1:] - 1
    ways = np.stack([lines.points[first + 1] - lines.points[first], lines.points[last - 1] - lines.points[last]], 1)
    angles = np.arctan2(ways[..., 1], ways[..., 0]).ravel()
    order = np.lexsort((angles, corners.ravel()))
    angles, at = angles[order], corners.ravel()[order]
    same = at[1:] == at[:-1]
    begins = np.flatnonzero(np.append(True, ~same))
    round_ = angles[np.append(begins[1:], len(at)) - 1] - angles[begins]
    return bool((np.diff(angles)[same] > SAME_WAY).all() and (round_ < 2 * np.pi - SAME_WAY).all())


def piece_count(drawing: Drawing, everything: Cuts, progress: Progress) -> int:
    """How many pieces the cuts enclose, by polygonizing them; cuts that cross do not count as meeting.

    What falls out of the board's and the pieces' holes is waste and does not count.

    It is done part by part, because shapely holds the interpreter while it polygonizes, and a window with it: the
    strokes round some neighbouring pieces enclose these and few others, each of which is counted once.
    """
    pieces, fallen = drawing.pieces, waste(drawing)
    found = []
    parts = max(1, -(-len(pieces) // PIECES_AT_ONCE))
    for part in range(parts):
        progress.step(part / parts, tr("Counting pieces"))
        low, high = len(pieces) * part // parts, len(pieces) * (part + 1) // parts
        strokes = np.unique(pieces.codes[pieces.starts[low] : pieces.starts[high]] >> 1)
        # Two parts may follow one ring from different points; normalized, they measure the same to the bit.
        faces = shapely.normalize(shapely.get_parts(shapely.polygonize(everything.lines[strokes])))
        middles = shapely.get_coordinates(shapely.centroid(faces))
        found.append(np.column_stack([middles, shapely.area(faces)])[~_within(faces, fallen)])
    return len(np.unique(np.concatenate(found), axis=0))


def _within(faces: Polygons, regions: Polygons) -> NDArray[np.bool_]:
    """Which faces are inside any of some regions."""
    inside = np.zeros(len(faces), bool)
    if len(regions):
        inside[shapely.STRtree(regions).query(shapely.point_on_surface(faces), predicate="within")[0]] = True
    return inside
