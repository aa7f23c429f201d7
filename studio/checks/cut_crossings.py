"""Checks of a flat board's cuts: crossings, and pieces that are not cut out.

Measurements use polylines within `CHORD_TOLERANCE` of the curves; cuts that cross by less have a wall of width 0
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
from studio.geometry.planar.drawing import Drawing, is_one_ring
from studio.geometry.planar.regions import waste

CHORD_TOLERANCE = 0.05
"""The largest deviation in mm of the checked polylines from the curves: a third of a laser's kerf."""
PIECES_AT_ONCE = 400
"""Pieces polygonized in one batch: about 10 ms, less than a frame."""
PRECISE = 0.001
"""Tolerance in mm of the polylines on which curves are tested for meeting."""
JOINT = 0.05
"""Length in mm ignored at both ends of a cut in the search for crossings: cuts meet at corners."""


SAME_WAY = 1e-6
"""Angle in radians between lines at a corner below which they may lie on each other."""


@dataclass(frozen=True, eq=False)
class Cuts:
    """Strokes of a drawing as lines; their `cores` must not meet another line."""

    strokes: Ints
    curves: Curves
    polylines: Polylines
    lines: NDArray[np.object_]

    def chosen(self, mask: NDArray[np.bool_]) -> Cuts:
        """Select cuts by a mask."""
        at = mask.nonzero()[0]
        return Cuts(self.strokes[at], self.curves.chosen(at), self.polylines.chosen(at), self.lines[at])

    @cached_property
    def cores(self) -> NDArray[np.object_]:
        """Lines shortened at both ends."""
        return trimmed(self.polylines)

    def prepare(self) -> None:
        """Make cores and tree now, before two threads ask for them."""
        _ = self.cores, self.tree

    @cached_property
    def tree(self) -> shapely.STRtree:
        """Search tree of the lines."""
        tree = shapely.STRtree(self.lines)
        tree.query(self.lines[:1])  # a tree is built at its first query
        return tree


def cuts(strokes: Curves, chosen: Ints | None = None, tolerance: float = CHORD_TOLERANCE) -> Cuts:
    """Flatten all strokes, or the chosen ones, into lines within a tolerance in mm."""
    if chosen is None:
        chosen = np.arange(len(strokes))
    else:
        strokes = strokes.chosen(chosen)
    polylines = strokes.flattened(tolerance)
    return Cuts(chosen, strokes, polylines, shapely.linestrings(polylines.points, indices=polylines.owners))


@dataclass(frozen=True, eq=False)
class CutIndex:
    """All cuts of a board when their large tree was built, and the cuts moved since."""

    everything: Cuts
    moved: Cuts | None = None

    def moved_to(self, moved: Cuts) -> CutIndex:
        """Move cuts, keeping the large tree."""
        if self.moved is not None:
            kept = ~among(self.moved.strokes, moved.strokes)
            if kept.any():
                moved = _joined(self.moved.chosen(kept), moved)
        return CutIndex(self.everything, moved)

    def around(self, some: Cuts, reach: float) -> Cuts:
        """Return `some` cuts followed by all others whose boxes lie within `reach` mm of theirs."""
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
    """Shorten lines at both ends by JOINT mm, or by a third of the end chord if that is less."""
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
    """Indices of distinct pairs (k, 2), sorted; numpy's own `unique` takes much longer for a few."""
    order = np.lexsort((pairs[:, 1], pairs[:, 0]))
    ordered = pairs[order]
    first = np.ones(len(order), bool)
    first[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    return np.asarray(order[first])


def crossings(some: Cuts, first: int | None = None) -> Pairs:
    """Find pairs of cuts that cross or touch anywhere but at a shared corner.

    With `first`, at least one cut of each pair is among the `first` cuts.
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
    """Find the strokes that cross themselves, and the places (k, 2) in mm."""
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
    """True if cuts without crossings certainly enclose exactly the pieces of their drawing.

    They do if the pieces have area, each goes round once along strokes that meet end to end, and one ring goes round
    all of them: then the ways round the pieces add up to that ring, and every place within it lies in one piece alone.
    False means unproven: count the pieces.
    """
    pieces = drawing.pieces
    used, corners = np.unique(everything.curves.ends.reshape(-1, 2), axis=0, return_inverse=True)
    corners = corners.reshape(-1, 2)
    begins = corners[pieces.codes >> 1, pieces.codes & 1]
    ends = corners[pieces.codes >> 1, 1 - (pieces.codes & 1)]
    plain = not len(pieces.holes) and bool((areas > 0).all())
    # Index of the code after each in its ring.
    after = np.arange(1, len(pieces.codes) + 1)
    after[pieces.starts[1:] - 1] = pieces.starts[:-1]
    plain &= np.array_equal(ends, begins[after])
    plain &= len(np.unique(pieces.codes)) == len(pieces.codes)
    plain &= len(np.unique(np.stack([pieces.owners, begins]), axis=1).T) == len(begins)
    return bool(plain) and is_one_ring(corners[drawing.followed_once]) and _parted_at_corners(everything, used, corners)


def _parted_at_corners(everything: Cuts, places: Floats, corners: Ints) -> bool:
    """True if the line ends that `crossings` ignores cannot meet: no two cuts leave a corner in the same direction, and
    no two corners at `places` are within 2 JOINT."""
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
    """Count the pieces enclosed by the cuts, by polygonizing them; cuts that cross do not count as meeting.

    Waste from the board's and the pieces' holes does not count.

    Pieces are polygonized in batches, because shapely holds the interpreter lock, and so the window, meanwhile: the
    strokes round neighbouring pieces enclose these and few others, and each face is counted once.
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
        # Mask of the faces inside any region.
        inside = np.zeros(len(faces), bool)
        if len(fallen):
            inside[shapely.STRtree(fallen).query(shapely.point_on_surface(faces), predicate="within")[0]] = True
        found.append(np.column_stack([middles, shapely.area(faces)])[~inside])
    return len(np.unique(np.concatenate(found), axis=0))
