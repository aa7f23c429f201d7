"""The border to which a tessellation is clipped: places along an outline, and the nodes of cuts on it.

Lengths are in cells. node: a corner of the clipped board. station: a place on the outline, in cells along its rings
one after another. knot: a node of the outline without a cut.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.geometry.board.outline import Outline
from studio.geometry.curves.strokes import Floats, Ints, Polylines
from studio.geometry.planar.graph import share_none

SAME = 1e-7
"""Share of an edge below which a difference is a rounding error."""
TOUCHES = 1e-4
"""Distance in cells within which a place is on the outline."""
MOST_KNOTS = 14
"""Rounds in which knots are added where the straight border would cross a cut."""
MOST_NODES = 24
"""Nodes of an outline, as a multiple of the first, beyond which no more are added."""
LEAST_NODES = 3
"""Least nodes of a ring, so that its straight edges enclose an area."""
TOO_FINE = tr("The outline has details too fine for these pieces. Make the pieces smaller or the outline smoother.")
"""Refusal if cuts cross, or no knots keep the border off them."""
BEND, CORNER, CROSSING, KNOT = range(4)
"""Kinds of nodes; nodes of the outline that merge keep the lowest."""


@dataclass(frozen=True, eq=False)
class Border:
    """An outline as polylines. The region is in mm; all other lengths are in cells of `scale` (2,) mm, so that cells of
    any form are treated alike."""

    lines: Polylines
    bends: Floats
    region: Any
    scale: Floats

    @staticmethod
    def from_outline(outline: Outline, scale: Floats) -> Border:
        """Convert an outline to cells of `scale` (2,) mm."""
        lines = outline.lines
        return Border(Polylines(lines.points / scale, lines.starts), outline.bends / scale, outline.region, scale)

    @cached_property
    def segments(self) -> Ints:
        """The points (s, 2) at the ends of every segment."""
        first = np.flatnonzero(self.lines.owners[:-1] == self.lines.owners[1:])
        return np.stack([first, first + 1], 1)

    @cached_property
    def begins(self) -> Floats:
        """Stations of the beginnings of all segments, and of the end of the last, (s + 1,)."""
        ways = np.diff(self.lines.points[self.segments], axis=1)[:, 0]
        return np.append(0.0, np.cumsum(np.hypot(ways[:, 0], ways[:, 1])))

    @cached_property
    def rings(self) -> Floats:
        """Stations of the beginnings of all rings, and of the end of the last, (r + 1,)."""
        counts = np.append(0, np.cumsum(self.lines.counts - 1))
        return np.asarray(self.begins[counts])

    @cached_property
    def sweeps(self) -> Floats:
        """Twice the area swept from the beginning to that of every segment, and to the end, (s + 1,)."""
        ends = self.lines.points[self.segments]
        return np.append(0.0, np.cumsum(ends[:, 0, 0] * ends[:, 1, 1] - ends[:, 0, 1] * ends[:, 1, 0]))

    @cached_property
    def tree(self) -> Any:
        """A search tree of the segments."""
        import shapely

        return shapely.STRtree(shapely.linestrings(self.lines.points[self.segments]))

    @cached_property
    def at_bends(self) -> Floats:
        """The stations (k,) of the bends."""
        return self.nearest(self.bends)[0]

    def nearest(self, places: Floats, most: float | None = None) -> tuple[Floats, Floats]:
        """The stations (k,) nearest to places (k, 2), and their distances (k,); 0 and infinite for places further away
        than `most`."""
        import shapely

        which, near = self.tree.query_nearest(shapely.points(places), max_distance=most, all_matches=False)
        ends = self.lines.points[self.segments[near]]
        way, here = ends[:, 1] - ends[:, 0], places[which]
        square = np.maximum((way**2).sum(axis=1), 1e-18)
        share = np.clip(((here - ends[:, 0]) * way).sum(axis=1) / square, 0.0, 1.0)
        stations, gaps = np.zeros(len(places)), np.full(len(places), np.inf)
        stations[which] = self._begun(self.begins[near] + share * np.sqrt(square), near)
        gaps[which] = np.hypot(*(ends[:, 0] + share[:, None] * way - here).T)
        return stations, gaps

    def holds(self, places: Floats) -> NDArray[np.bool_]:
        """Mask of the places (k, 2) on the board."""
        import shapely

        return np.asarray(shapely.contains_xy(self.region, places * self.scale))

    def at(self, stations: Floats) -> Floats:
        """Places (k, 2) at stations."""
        segment = np.clip(np.searchsorted(self.begins, stations, side="right") - 1, 0, len(self.segments) - 1)
        ends = self.lines.points[self.segments[segment]]
        length = np.maximum(self.begins[segment + 1] - self.begins[segment], 1e-12)
        share = np.clip((stations - self.begins[segment]) / length, 0.0, 1.0)[:, None]
        return np.asarray((1 - share) * ends[:, 0] + share * ends[:, 1])

    def swept(self, stations: Floats) -> Floats:
        """Twice the area (k,) swept from the beginning to stations."""
        segment = np.clip(np.searchsorted(self.begins, stations, side="right") - 1, 0, len(self.segments) - 1)
        begin, end = self.lines.points[self.segments[segment, 0]], self.at(stations)
        return np.asarray(self.sweeps[segment] + begin[:, 0] * end[:, 1] - begin[:, 1] * end[:, 0])

    def crossings(self, ends: Floats) -> tuple[Ints, Floats, Floats]:
        """Crossings of straight lines (k, 2, 2) with the outline: lines, shares of their length, stations."""
        import shapely

        which, segment = self.tree.query(shapely.linestrings(ends), predicate="intersects")
        one, two = self.lines.points[self.segments[segment, 0]], self.lines.points[self.segments[segment, 1]]
        start, way, side = ends[which, 0], ends[which, 1] - ends[which, 0], two - one
        turn = way[:, 0] * side[:, 1] - way[:, 1] * side[:, 0]
        kept = np.abs(turn) > 1e-12 * np.hypot(*way.T) * np.hypot(*side.T)
        which, segment, one, start, way, side, turn = (
            each[kept] for each in (which, segment, one, start, way, side, turn)
        )
        between = one - start
        share = (between[:, 0] * side[:, 1] - between[:, 1] * side[:, 0]) / turn
        along = np.clip((between[:, 0] * way[:, 1] - between[:, 1] * way[:, 0]) / turn, 0.0, 1.0)
        stations = self._begun(self.begins[segment] + along * np.hypot(*side.T), segment)
        return which, np.clip(share, 0.0, 1.0), stations

    def _begun(self, stations: Floats, segments: Ints) -> Floats:
        """Move stations at the end of a ring to its beginning."""
        ring = np.searchsorted(self.rings, self.begins[segments], side="right") - 1
        return np.where(stations >= self.rings[ring + 1] - SAME, self.rings[ring], stations)


@dataclass(frozen=True, eq=False)
class Nodes:
    """Places (n, 2), keys (n,) and names; stations (n,) on the outline, NaN inside the board, and kinds (n,)."""

    places: Floats
    keys: Ints
    names: list[str]
    stations: Floats
    kinds: Ints

    def chosen(self, some: Ints) -> Nodes:
        """Select nodes, in the order given."""
        names = [self.names[at] for at in some.tolist()]
        return Nodes(self.places[some], self.keys[some], names, self.stations[some], self.kinds[some])

    def joined(self, other: Nodes) -> Nodes:
        """Append other nodes."""
        return Nodes(
            np.concatenate([self.places, other.places]),
            np.concatenate([self.keys, other.keys]),
            [*self.names, *other.names],
            np.concatenate([self.stations, other.stations]),
            np.concatenate([self.kinds, other.kinds]),
        )

    @staticmethod
    def on(border: Border, stations: Floats, kind: int) -> Nodes:
        """Make unnamed nodes of the outline."""
        count = len(stations)
        return Nodes(border.at(stations), np.zeros(count, np.int64), [""] * count, stations, np.full(count, kind))


@dataclass(frozen=True, eq=False)
class Cuts:
    """Remaining parts of edges: their nodes (c, 2), and the edges of the tessellation (c,) they come from."""

    ends: Ints
    edges: Ints


@dataclass(frozen=True, eq=False)
class Rim:
    """The straight edges of the border, ring after ring in the order of their stations, the board at the right."""

    ends: Ints
    begins: Floats
    lengths: Floats
    rings: Floats

    @property
    def middles(self) -> Floats:
        """The stations (b,) half-way along the outline between the ends."""
        return self.along(np.full(1, 0.5))[:, 0]

    def along(self, shares: Floats) -> Floats:
        """The stations (b, k) at shares (k,) of their lengths."""
        return self._wrapped(self.begins[:, None] + shares * self.lengths[:, None])

    def _wrapped(self, stations: Floats) -> Floats:
        ring = np.searchsorted(self.rings, self.begins, side="right") - 1
        low, high = self.rings[ring, None], self.rings[ring + 1, None]
        return np.where(stations >= high - SAME, np.maximum(stations - (high - low), low), stations)

    @property
    def finishes(self) -> Floats:
        """The stations (b,) of their ends."""
        return self.along(np.ones(1))[:, 0]

    def covering(self, stations: Floats) -> Ints:
        """The edges that cover stations."""
        ring = np.searchsorted(self.rings, stations, side="right") - 1
        firsts = np.searchsorted(self.begins, self.rings)
        at = np.searchsorted(self.begins, stations, side="right") - 1
        return np.where(at < firsts[ring], firsts[ring + 1] - 1, at)


def bordered(nodes: Nodes, cuts: Ints, border: Border) -> tuple[Nodes, Rim]:
    """Add the knots that the border needs; return the nodes, and the edges between the nodes on the outline.

    Raises StudioError if two cuts cross, or if no knots keep the border from crossing cuts.
    """
    for low, high in pairwise(border.rings.tolist()):
        if not ((nodes.stations >= low) & (nodes.stations < high)).any():
            nodes = nodes.joined(Nodes.on(border, np.linspace(low, high, LEAST_NODES, endpoint=False), KNOT))
    first = 0
    for _ in range(MOST_KNOTS):
        rim = _rim(nodes, border)
        needed = _crossed(nodes.places, cuts, rim)
        if not needed.any():
            needed = _cutting_off(nodes, cuts, rim)
        ring = np.searchsorted(rim.rings, rim.begins, side="right") - 1
        needed |= (np.bincount(ring) < LEAST_NODES)[ring]
        if not needed.any():
            return nodes, rim
        first = first or len(rim.ends)
        if len(rim.ends) > MOST_NODES * first:
            break
        nodes = nodes.joined(Nodes.on(border, rim.middles[needed], KNOT))
    raise StudioError(TOO_FINE)


def _rim(nodes: Nodes, border: Border) -> Rim:
    ends, begins, lengths = [], [], []
    for low, high in pairwise(border.rings.tolist()):
        own = np.flatnonzero((nodes.stations >= low) & (nodes.stations < high))
        own = own[np.argsort(nodes.stations[own], kind="stable")]
        begin = nodes.stations[own]
        ends.append(np.stack([own, np.roll(own, -1)], 1))
        begins.append(begin)
        lengths.append(np.diff(begin, append=begin[0] + high - low))
    return Rim(np.concatenate(ends), np.concatenate(begins), np.concatenate(lengths), border.rings)


def _crossed(places: Floats, cuts: Ints, rim: Rim) -> NDArray[np.bool_]:
    """Mask (b,) of the border's edges that cross another edge or join the same nodes as another."""
    import shapely

    edges = np.concatenate([rim.ends, cuts])
    lines = shapely.linestrings(places[edges])
    one, other = shapely.STRtree(lines).query(lines)
    one, other = one[one < other], other[one < other]
    apart = share_none(edges[one], edges[other])
    # Edges that share a node meet there.
    meets = ~apart
    meets[apart] = shapely.intersects(lines[one[apart]], lines[other[apart]])
    one, other, apart = one[meets], other[meets], apart[meets]
    if (one[apart] >= len(rim.ends)).any():
        raise StudioError(TOO_FINE)
    needed = np.zeros(len(rim.ends), bool)
    beside = ~apart & (one < len(rim.ends))
    needed[one[beside][_on_each_other(places, edges[one[beside]], edges[other[beside]])]] = True
    met = np.concatenate([one[apart], other[apart]])
    needed[met[met < len(rim.ends)]] = True
    between = edges.min(axis=1) * len(places) + edges.max(axis=1)
    _, which, counts = np.unique(between, return_inverse=True, return_counts=True)
    return needed | (counts[which][: len(rim.ends)] > 1)


def _cutting_off(nodes: Nodes, cuts: Ints, rim: Rim) -> NDArray[np.bool_]:
    """Mask (b,) of the border's edges nearest to a node that they leave on the wrong side, in a bulge of the outline: a
    node inside the board, or of another ring."""
    import shapely

    needed = np.zeros(len(rim.ends), bool)
    bounds = np.searchsorted(rim.begins, rim.rings).tolist()
    is_used = np.zeros(len(nodes.places), bool)
    is_used[cuts], is_used[rim.ends] = True, True
    used = np.flatnonzero(is_used)
    points = shapely.points(nodes.places[used])
    outer = None
    for low, high in pairwise(bounds):
        if high - low < LEAST_NODES:
            continue
        own = rim.ends[low:high]
        polygon = shapely.polygons(nodes.places[own[:, 0]])
        turns = bool(shapely.is_ccw(shapely.get_exterior_ring(polygon)))
        outer = turns if outer is None else outer
        shapely.prepare(polygon)
        is_own = np.zeros(len(is_used), bool)
        is_own[own] = True
        wrong = (shapely.contains_properly(polygon, points) != (turns == outer)) & ~is_own[used]
        if wrong.any():
            nearest = shapely.STRtree(shapely.linestrings(nodes.places[own])).nearest(points[wrong])
            needed[low + nearest] = True
    return needed


def _on_each_other(places: Floats, edges: Ints, others: Ints) -> NDArray[np.bool_]:
    """True for edges (k, 2) that leave a node shared with others (k, 2) in the same direction."""
    found = np.zeros(len(edges), bool)
    for end in (0, 1):
        for beyond in (0, 1):
            shared = edges[:, end] == others[:, beyond]
            way = places[edges[:, 1 - end]] - places[edges[:, end]]
            away = places[others[:, 1 - beyond]] - places[others[:, beyond]]
            dot = (way * away).sum(axis=1)
            cross = way[:, 0] * away[:, 1] - way[:, 1] * away[:, 0]
            found |= shared & (np.abs(cross) <= SAME * dot)
    return found
