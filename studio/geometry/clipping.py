"""A tessellation clipped to an outline: whole pieces inside, no slivers, cuts that end on the outline.

node: a corner of the clipped board. station: a place on the outline, in cells along its rings one after another.
knot: a node of the outline at which no cut ends. part: what is left of an edge or a cell. sliver: a part too small or
too thin for a piece; it goes to the neighbour with which it shares most.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.errors import StudioError
from studio.geometry.curves import Floats, Ints, Polylines, distinct, totals
from studio.geometry.outline import OUTLINE_TOLERANCE, Outline
from studio.geometry.planar import PlanarGraph, trace
from studio.geometry.tessellations import NO_CELL, Tessellation
from studio.geometry.tiling import Labels, Tiling, distinguished, labelled, polygons_of
from studio.texts import tr

SNAPS = (0.24, 0.12, 0.0)
"""Corners nearer to the outline than this, in cells, move onto it; smaller where cuts would cross then."""
LEAST_GAP = 0.65
"""Nodes of the outline nearer to each other than this fraction of a snap become one."""
LEAST_AREA, LEAST_RADIUS = 0.36, 0.17
"""Parts smaller than this fraction of a cell, or whose inscribed circle is smaller (in cells), are slivers."""
DOUBTFUL, STRAIGHT_SHARE = 0.9, 0.8
"""Only parts smaller than the first, in cells, that fill the second share of their polygon may be too thin."""
LARGEST_LOSS = 0.06
"""The most of a cell that a piece loses or gains where a bend between two cuts is straightened."""
SAME = 1e-7
"""Shares of an edge that are only rounding errors."""
MOST_KNOTS = 14
"""How often knots are added between nodes where the straight border would cross a cut."""
TOUCHES = 1e-4
"""What is nearer to the outline than this, in cells, is on it."""
ONTO_BEND = 1.6
"""Corners nearer to a bend than this, in snaps, move onto it."""
SQUARE = 0.6
"""How much of the way to its nearest place on the outline the end of a cut is moved there."""
LEAST_SLOPE = 0.25
"""The least sine of the angle between the outline and a cut that ends there; one that keeps nearer is left out."""
HUGS = 0.8
"""A line that ends on the outline and keeps nearer to it than this, in snaps, would part off a sliver."""
LEAST_NODES = 3
"""Of every ring, so that its straight edges enclose something."""
BEND, CORNER, CROSSING, KNOT = range(4)
"""What a node is; on the outline the least is kept where several become one."""
CROSSING_KEY = 1 << 39
"""Set in the keys of nodes where an edge crosses the outline."""


@dataclass(frozen=True, eq=False)
class _Border:
    """An outline as polylines; all lengths are in cells, so that cells of any form are treated alike."""

    lines: Polylines
    bends: Floats
    region: Any

    @staticmethod
    def of(outline: Outline, scale: Floats) -> _Border:
        """An outline in cells of so many mm."""
        import shapely

        lines = outline.rings.flattened(OUTLINE_TOLERANCE)
        region = shapely.transform(outline.region, lambda places: places / scale)
        shapely.prepare(region)
        return _Border(Polylines(lines.points / scale, lines.starts), outline.bends / scale, region)

    @cached_property
    def segments(self) -> Ints:
        """The points (s, 2) at the ends of every segment."""
        first = np.flatnonzero(self.lines.owners[:-1] == self.lines.owners[1:])
        return np.stack([first, first + 1], 1)

    @cached_property
    def begins(self) -> Floats:
        """The station of the beginning of every segment, and the end of the last, (s + 1,)."""
        ways = np.diff(self.lines.points[self.segments], axis=1)[:, 0]
        return np.append(0.0, np.cumsum(np.hypot(ways[:, 0], ways[:, 1])))

    @cached_property
    def rings(self) -> Floats:
        """The station at which every ring begins, and the end of the last, (r + 1,)."""
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

    def nearest(self, places: Floats) -> tuple[Floats, Floats]:
        """The stations (k,) nearest to places (k, 2), and how far away these are (k,)."""
        import shapely

        (which, near), _ = self.tree.query_nearest(shapely.points(places), all_matches=False, return_distance=True)
        assert len(which) == len(places)
        ends = self.lines.points[self.segments[near]]
        way = ends[:, 1] - ends[:, 0]
        square = np.maximum((way**2).sum(axis=1), 1e-18)
        share = np.clip(((places - ends[:, 0]) * way).sum(axis=1) / square, 0.0, 1.0)
        stations = self._begun(self.begins[near] + share * np.sqrt(square), near)
        return stations, np.hypot(*(ends[:, 0] + share[:, None] * way - places).T)

    def holds(self, places: Floats) -> NDArray[np.bool_]:
        """Which places (k, 2) are on the board."""
        import shapely

        return np.asarray(shapely.contains_xy(self.region, places[:, 0], places[:, 1]))

    def at(self, stations: Floats) -> Floats:
        """The places (k, 2) at some stations."""
        segment = np.clip(np.searchsorted(self.begins, stations, side="right") - 1, 0, len(self.segments) - 1)
        ends = self.lines.points[self.segments[segment]]
        length = np.maximum(self.begins[segment + 1] - self.begins[segment], 1e-12)
        share = np.clip((stations - self.begins[segment]) / length, 0.0, 1.0)[:, None]
        return np.asarray((1 - share) * ends[:, 0] + share * ends[:, 1])

    def swept(self, stations: Floats) -> Floats:
        """Twice the area (k,) swept from the beginning to some stations."""
        segment = np.clip(np.searchsorted(self.begins, stations, side="right") - 1, 0, len(self.segments) - 1)
        begin, end = self.lines.points[self.segments[segment, 0]], self.at(stations)
        return np.asarray(self.sweeps[segment] + begin[:, 0] * end[:, 1] - begin[:, 1] * end[:, 0])

    def crossings(self, ends: Floats) -> tuple[Ints, Floats, Floats]:
        """Where straight lines (k, 2, 2) cross the outline: the lines, the shares of their length and the stations."""
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
        """Stations on some segments, those at the end of a ring brought to its beginning."""
        ring = np.searchsorted(self.rings, self.begins[segments], side="right") - 1
        return np.where(stations >= self.rings[ring + 1] - SAME, self.rings[ring], stations)


@dataclass(frozen=True, eq=False)
class _Nodes:
    """Places (n, 2), keys (n,) and names; stations (n,) on the outline, NaN inside the board, and kinds (n,)."""

    places: Floats
    keys: Ints
    names: list[str]
    stations: Floats
    kinds: Ints

    def chosen(self, some: Ints) -> _Nodes:
        """Some of them in the order named."""
        names = [self.names[at] for at in some.tolist()]
        return _Nodes(self.places[some], self.keys[some], names, self.stations[some], self.kinds[some])

    def joined(self, other: _Nodes) -> _Nodes:
        """These and others."""
        return _Nodes(
            np.concatenate([self.places, other.places]),
            np.concatenate([self.keys, other.keys]),
            [*self.names, *other.names],
            np.concatenate([self.stations, other.stations]),
            np.concatenate([self.kinds, other.kinds]),
        )

    @staticmethod
    def on(border: _Border, stations: Floats, kind: int) -> _Nodes:
        """Nodes of the outline without names."""
        count = len(stations)
        return _Nodes(border.at(stations), np.zeros(count, np.int64), [""] * count, stations, np.full(count, kind))


@dataclass(frozen=True, eq=False)
class _Cuts:
    """What is left of edges: their nodes (c, 2) and the edges of the tessellation (c,) that they are parts of."""

    ends: Ints
    edges: Ints


@dataclass(frozen=True, eq=False)
class _Rim:
    """The straight edges of the border, ring after ring in the order of their stations, the board at the right."""

    ends: Ints
    begins: Floats
    lengths: Floats
    rings: Floats

    @property
    def middles(self) -> Floats:
        """The stations (b,) half-way along the outline between the ends."""
        return self._wrapped(self.begins + self.lengths / 2)

    def _wrapped(self, stations: Floats) -> Floats:
        ring = np.searchsorted(self.rings, self.begins, side="right") - 1
        low, high = self.rings[ring], self.rings[ring + 1]
        return np.where(stations >= high - SAME, np.maximum(stations - (high - low), low), stations)

    @property
    def finishes(self) -> Floats:
        """The stations (b,) of their ends."""
        return self._wrapped(self.begins + self.lengths)

    def covering(self, stations: Floats) -> Ints:
        """The edges within which some stations are."""
        ring = np.searchsorted(self.rings, stations, side="right") - 1
        firsts = np.searchsorted(self.begins, self.rings)
        at = np.searchsorted(self.begins, stations, side="right") - 1
        return np.where(at < firsts[ring], firsts[ring + 1] - 1, at)


def clipped(
    tessellation: Tessellation, outline: Outline, size: tuple[float, float], merged: Collection[str] = ()
) -> Tiling:
    """The tiling of what is within an outline, on a board of `size` mm.

    `merged` names cuts that are left out, so that the pieces on either side are one; names that no cut has are
    ignored. Raises StudioError where the outline has details that no straight edges between its nodes follow.
    """
    border = _Border.of(outline, tessellation.scale)
    for snap in SNAPS[:-1]:
        # Corners that move onto the outline may make cuts cross where it has details as small as a cell.
        with suppress(StudioError):
            return _clipped(tessellation, outline, border, size, snap, merged)
    return _clipped(tessellation, outline, border, size, SNAPS[-1], merged)


def _clipped(
    tessellation: Tessellation,
    outline: Outline,
    border: _Border,
    size: tuple[float, float],
    snap: float,
    merged: Collection[str],
) -> Tiling:
    nodes, cuts = _parted(tessellation, border, snap)
    nodes, rim = _bordered(nodes, cuts.ends, border)
    parts = _parts(tessellation, border, nodes, cuts, rim)
    names = _edge_names(tessellation, cuts)
    left_out = [at for at, name in enumerate(names) if name in merged] + _hugging(nodes, cuts, border)
    owners = _grouped(parts, left_out)
    sides = np.append(owners, NO_CELL)[parts.graph.sides]
    ends, kept = _straightened(nodes, cuts.ends, sides[: len(cuts.ends)])
    used = np.unique(np.concatenate([ends.ravel(), np.flatnonzero(nodes.kinds == BEND)]))
    final, last_rim = _bordered(nodes.chosen(used), np.searchsorted(used, ends), border)
    along = sides[len(cuts.ends) :, 0][rim.covering(last_rim.middles)]
    pieces = np.concatenate([sides[: len(cuts.ends)][kept], np.stack([along, np.full_like(along, NO_CELL)], 1)])
    roots, pieces = np.unique(pieces, return_inverse=True)
    shift = int(roots[0] < 0)
    cells = parts.cells[roots[shift:]]
    blank = len(last_rim.ends)
    labels = Labels(
        corner_keys=final.keys,
        corner_names=distinguished(final.names, [[at] for at in range(len(final.names))]),
        is_knot=final.kinds == KNOT,
        edge_keys=np.concatenate([tessellation.edge_keys[cuts.edges[kept]], np.zeros(blank, np.int64)]),
        edge_names=[*(names[at] for at in kept.tolist()), *[""] * blank],
        pieces=pieces.reshape(-1, 2) - shift,
        piece_keys=tessellation.cell_keys[cells],
        piece_names=distinguished(
            [tessellation.cell_names[cell] for cell in cells.tolist()], [[at] for at in range(len(cells))]
        ),
    )
    edges = np.concatenate([np.searchsorted(used, ends), last_rim.ends])
    places = final.places * tessellation.scale
    return labelled(places, edges, labels, outline=outline, size=size, scale=tessellation.scale)


def _parted(tessellation: Tessellation, border: _Border, snap: float) -> tuple[_Nodes, _Cuts]:
    """The corners and edges within the outline, those near it moved onto it."""
    count, edges = len(tessellation.corners), tessellation.edges
    nodes, inside = _snapped(tessellation, border, snap)
    corners, near = nodes.places, ~np.isnan(nodes.stations)
    which, shares, met = border.crossings(corners[edges])
    true = (shares > SAME) & (shares < 1 - SAME)
    which, shares, met = which[true], shares[true], met[true]
    broken = np.asarray(~(inside & ~near)[edges].all(axis=1), bool)
    broken[which] = True
    spans = _spans(edges, np.flatnonzero(broken), which, shares, count)
    along = spans.shares.mean(axis=1, keepdims=True)
    middles = (1 - along) * corners[edges[spans.edges, 0]] + along * corners[edges[spans.edges, 1]]
    at_rim = np.append(near, np.ones(len(which), bool))[spans.ends].all(axis=1)
    # A line from one place of the outline to another that keeps near it would part off a sliver.
    least = np.where(at_rim, max(HUGS * snap, TOUCHES), TOUCHES)
    left = np.flatnonzero(border.holds(middles) & (border.nearest(middles)[1] > least))
    whole = np.flatnonzero(~broken)
    cuts = _Cuts(np.concatenate([edges[whole], spans.ends[left]]), np.concatenate([whole, spans.edges[left]]))
    if snap > 0:
        met = _squared(met, spans.ends[left], corners, border)
    crossing = replace(
        _Nodes.on(border, met, CROSSING),
        keys=tessellation.edge_keys[which] | CROSSING_KEY,
        names=[_beside(tessellation, edge) for edge in which.tolist()],
    )
    bends = _Nodes.on(border, border.nearest(border.bends)[0], BEND)
    return _together(nodes.joined(crossing).joined(bends), cuts, border, LEAST_GAP * snap)


def _snapped(tessellation: Tessellation, border: _Border, snap: float) -> tuple[_Nodes, NDArray[np.bool_]]:
    """The corners, those near the outline on it and the nearest to a bend at the bend, and which are inside."""
    corners = tessellation.corners / tessellation.scale
    stations, gaps = border.nearest(corners)
    near = np.asarray(gaps <= max(snap, TOUCHES))
    inside = border.holds(corners)
    for station, place in zip(border.nearest(border.bends)[0].tolist(), border.bends, strict=True):
        away = np.hypot(*(corners - place).T)
        at = int(away.argmin())
        if away[at] <= max(ONTO_BEND * snap, TOUCHES):
            near[at], stations[at] = True, station
    places = np.where(near[:, None], border.at(stations), corners)
    kinds = np.full(len(corners), CORNER)
    names = [*tessellation.corner_names]
    return _Nodes(places, tessellation.corner_keys, names, np.where(near, stations, np.nan), kinds), inside


def _squared(met: Floats, ends: Ints, corners: Floats, border: _Border) -> Floats:
    """The stations where cuts cross the outline, moved so that cuts meet it at nearly right angles.

    `ends` (c, 2) are those of parts of edges: corners, and beyond their count the crossings.
    """
    count = len(corners)
    inner = np.full(len(met), -1)
    for near_end, beyond in ((0, 1), (1, 0)):
        crossed = (ends[:, beyond] >= count) & (ends[:, near_end] < count)
        inner[ends[crossed, beyond] - count] = ends[crossed, near_end]
    turned = np.flatnonzero(inner >= 0)
    begins, finishes = border.at(met[turned]), corners[inner[turned]]
    feet = border.at(border.nearest(finishes)[0])
    begins = border.at(border.nearest(begins + SQUARE * (feet - begins))[0])
    hugging = _hugs(begins, finishes, border)
    begins[hugging] = feet[hugging]
    result = met.copy()
    result[turned] = border.nearest(begins)[0]
    return result


def _hugs(begins: Floats, finishes: Floats, border: _Border) -> NDArray[np.bool_]:
    """Whether straight cuts (k,) from places of the outline to places inside keep near it or even cross it."""
    found = np.zeros(len(begins), bool)
    for share in (0.1, 0.3, 0.6):
        places = begins + share * (finishes - begins)
        away = share * np.hypot(*(finishes - begins).T)
        found |= border.nearest(places)[1] < LEAST_SLOPE * away
        found |= ~border.holds(places)
    return found


def _hugging(nodes: _Nodes, cuts: _Cuts, border: _Border) -> list[int]:
    """The cuts with one end on the outline that keep near it."""
    on_rim = ~np.isnan(nodes.stations[cuts.ends])
    some = np.flatnonzero(on_rim.sum(axis=1) == 1)
    first = np.where(on_rim[some, 0], 0, 1)
    begins, finishes = (nodes.places[cuts.ends[some, end]] for end in (first, 1 - first))
    return [int(cut) for cut in some[_hugs(begins, finishes, border)]]


@dataclass(frozen=True, eq=False)
class _Spans:
    """Parts of edges between stops: the edges (k,), shares of their length (k, 2), and nodes (k, 2) at their ends."""

    edges: Ints
    shares: Floats
    ends: Ints


def _spans(edges: Ints, broken: Ints, which: Ints, shares: Floats, count: int) -> _Spans:
    """The parts of some edges between their ends and where they cross the outline; crossing i is node count + i."""
    stops: dict[int, list[tuple[float, int]]] = {
        edge: [(0.0, first), (1.0, second)]
        for edge, (first, second) in zip(broken.tolist(), edges[broken].tolist(), strict=True)
    }
    for at, (edge, share) in enumerate(zip(which.tolist(), shares.tolist(), strict=True)):
        stops[edge].append((share, count + at))
    found = [
        (edge, low[0], high[0], low[1], high[1])
        for edge, places in stops.items()
        for low, high in pairwise(sorted(places))
        if high[0] - low[0] > SAME
    ]
    table = np.array(found, np.float64).reshape(-1, 5)
    return _Spans(table[:, 0].astype(np.int64), table[:, 1:3], table[:, 3:].astype(np.int64))


def _beside(tessellation: Tessellation, edge: int) -> str:
    cells = sorted(
        (cell for cell in tessellation.sides[edge].tolist() if cell >= 0),
        key=lambda cell: int(tessellation.cell_keys[cell]),
    )
    return ":".join(tessellation.cell_names[cell] for cell in cells)


def _together(nodes: _Nodes, cuts: _Cuts, border: _Border, gap: float) -> tuple[_Nodes, _Cuts]:
    """With nodes of the outline that are near each other made one, and those that nothing needs left out."""
    used = np.zeros(len(nodes.keys), bool)
    used[cuts.ends] = True
    used |= nodes.kinds == BEND
    rim = np.flatnonzero(used & ~np.isnan(nodes.stations))
    rim = rim[np.argsort(nodes.stations[rim], kind="stable")]
    becomes = np.arange(len(used))
    ring = np.searchsorted(border.rings, nodes.stations[rim], side="right") - 1
    for number in range(len(border.rings) - 1):
        _join_near(rim[ring == number], nodes, becomes, gap, border.rings[number + 1] - border.rings[number])
    ends = becomes[cuts.ends]
    kept = ends[:, 0] != ends[:, 1]
    _, first = np.unique(np.sort(ends, axis=1), axis=0, return_index=True)
    kept &= np.isin(np.arange(len(ends)), first)
    needed = np.unique(np.concatenate([ends[kept].ravel(), becomes[nodes.kinds == BEND]]))
    return nodes.chosen(needed), _Cuts(np.searchsorted(needed, ends[kept]), cuts.edges[kept])


def _join_near(rim: Ints, nodes: _Nodes, becomes: Ints, gap: float, length: float) -> None:
    """Let each of some nodes in order round a ring become the one before it, where they are near."""
    if not len(rim):
        return
    # Begin behind the widest gap, so that no group goes round the end.
    stations = nodes.stations[rim]
    gaps = np.diff(stations, append=stations[0] + length)
    rim = np.roll(rim, -int(gaps.argmax()) - 1)
    leader = int(rim[0])
    for node in rim[1:].tolist():
        away = (nodes.stations[node] - nodes.stations[leader]) % length
        if away > gap or (nodes.kinds[node] == nodes.kinds[leader] == BEND and away > TOUCHES):
            leader = node
        elif nodes.kinds[node] < nodes.kinds[leader]:
            becomes[becomes == leader] = node
            leader = node
        else:
            becomes[node] = leader


def _bordered(nodes: _Nodes, cuts: Ints, border: _Border) -> tuple[_Nodes, _Rim]:
    """The nodes with knots where they are needed, and the edges of the border between those on the outline.

    Raises StudioError where two cuts cross, or where no knots make the border cross none.
    """
    for low, high in pairwise(border.rings.tolist()):
        if not ((nodes.stations >= low) & (nodes.stations < high)).any():
            nodes = nodes.joined(_Nodes.on(border, np.linspace(low, high, LEAST_NODES, endpoint=False), KNOT))
    for _ in range(MOST_KNOTS):
        rim = _rim(nodes, border)
        needed = _crossed(nodes.places, cuts, rim)
        if not needed.any():
            needed = _cutting_off(nodes, cuts, rim)
        ring = np.searchsorted(rim.rings, rim.begins, side="right") - 1
        needed |= (np.bincount(ring) < LEAST_NODES)[ring]
        if not needed.any():
            return nodes, rim
        nodes = nodes.joined(_Nodes.on(border, rim.middles[needed], KNOT))
    raise StudioError(tr("The border is too close to the cuts."))


def _rim(nodes: _Nodes, border: _Border) -> _Rim:
    ends, begins, lengths = [], [], []
    for low, high in pairwise(border.rings.tolist()):
        own = np.flatnonzero((nodes.stations >= low) & (nodes.stations < high))
        own = own[np.argsort(nodes.stations[own], kind="stable")]
        begin = nodes.stations[own]
        ends.append(np.stack([own, np.roll(own, -1)], 1))
        begins.append(begin)
        lengths.append(np.diff(begin, append=begin[0] + high - low))
    return _Rim(np.concatenate(ends), np.concatenate(begins), np.concatenate(lengths), border.rings)


def _crossed(places: Floats, cuts: Ints, rim: _Rim) -> NDArray[np.bool_]:
    """The edges (b,) of the border that cross another edge or join the same nodes as one."""
    import shapely

    edges = np.concatenate([rim.ends, cuts])
    lines = shapely.linestrings(places[edges])
    one, other = shapely.STRtree(lines).query(lines, predicate="intersects")
    apart = (one < other) & (edges[one][:, :, None] != edges[other][:, None, :]).all(axis=(1, 2))
    if (one[apart] >= len(rim.ends)).any():
        x, y = places[cuts[one[apart].max() - len(rim.ends)]].mean(axis=0).tolist()
        raise StudioError(tr("Two cuts cross at {x:.2f}, {y:.2f} mm.", x=x, y=y))
    needed = np.zeros(len(rim.ends), bool)
    beside = (one < other) & ~apart & (one < len(rim.ends))
    needed[one[beside][_on_each_other(places, edges[one[beside]], edges[other[beside]])]] = True
    met = np.concatenate([one[apart], other[apart]])
    needed[met[met < len(rim.ends)]] = True
    _, which, counts = np.unique(np.sort(edges, axis=1), axis=0, return_inverse=True, return_counts=True)
    return needed | (counts[which.reshape(-1)][: len(rim.ends)] > 1)


def _cutting_off(nodes: _Nodes, cuts: Ints, rim: _Rim) -> NDArray[np.bool_]:
    """The edges (b,) of the border that are nearest to a node that they leave on the wrong side, in a bulge of the
    outline: a node inside the board, or one of another ring."""
    import shapely

    needed = np.zeros(len(rim.ends), bool)
    bounds = np.searchsorted(rim.begins, rim.rings).tolist()
    used = distinct(np.concatenate([cuts.ravel(), rim.ends.ravel()]))
    points = shapely.points(nodes.places[used])
    outer = None
    for low, high in pairwise(bounds):
        if high - low < LEAST_NODES:
            continue
        own = rim.ends[low:high]
        ring = nodes.places[own[:, 0]]
        x, y = ring.T
        turns = bool((x * np.roll(y, -1) - np.roll(x, -1) * y).sum() > 0)
        outer = turns if outer is None else outer
        polygon = shapely.polygons(ring)
        shapely.prepare(polygon)
        wrong = shapely.contains_properly(polygon, points) != (turns == outer)
        wrong &= ~np.isin(used, own)
        if wrong.any():
            nearest = shapely.STRtree(shapely.linestrings(nodes.places[own])).nearest(points[wrong])
            needed[low + nearest] = True
    return needed


def _on_each_other(places: Floats, edges: Ints, others: Ints) -> NDArray[np.bool_]:
    """Whether edges (k, 2) leave a node that they share with others (k, 2) in the same direction."""
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


@dataclass(frozen=True, eq=False)
class _Parts:
    """What the cuts and the border enclose: a graph whose first edges are the cuts, and of its faces the areas (f,),
    the cells (f,) that they are parts of, and which are holes of the board (f,)."""

    graph: PlanarGraph
    places: Floats
    areas: Floats
    cells: Ints
    is_hole: NDArray[np.bool_]


def _parts(tessellation: Tessellation, border: _Border, nodes: _Nodes, cuts: _Cuts, rim: _Rim) -> _Parts:
    edges = np.concatenate([cuts.ends, rim.ends])
    graph = trace(nodes.places, edges)
    owners = np.repeat(np.arange(graph.face_count), np.diff(graph.starts))
    begins = nodes.places[edges[graph.codes >> 1, graph.codes & 1]]
    finishes = nodes.places[edges[graph.codes >> 1, 1 - (graph.codes & 1)]]
    swept = begins[:, 0] * finishes[:, 1] - begins[:, 1] * finishes[:, 0]
    number = (graph.codes >> 1) - len(cuts.ends)
    on_rim = number >= 0
    bulges = _bulges(nodes, rim, border)[number[on_rim]]
    swept[on_rim] += np.where(graph.codes[on_rim] & 1, -bulges, bulges)
    own = np.full(len(number), NO_CELL)
    own[~on_rim] = tessellation.sides[cuts.edges[graph.codes[~on_rim] >> 1], graph.codes[~on_rim] & 1]
    lengths = np.hypot(*(finishes - begins).T)
    is_hole = np.zeros(graph.face_count, bool)
    beyond = graph.sides[len(cuts.ends) :, 1]
    is_hole[beyond[beyond >= 0]] = True
    areas = totals(owners, swept, graph.face_count) / 2
    return _Parts(graph, nodes.places, areas, _cells(tessellation, graph, nodes.places, owners, own, lengths), is_hole)


def _bulges(nodes: _Nodes, rim: _Rim, border: _Border) -> Floats:
    """Twice the area (b,) between the outline and every edge of the border, positive where the outline bulges."""
    firsts = np.append(0, np.cumsum(border.lines.counts - 1))
    ring = np.searchsorted(border.rings, rim.begins, side="right") - 1
    finishes = rim.finishes
    swept = border.swept(finishes) - border.swept(rim.begins)
    around = border.sweeps[firsts[ring + 1]] - border.sweeps[firsts[ring]]
    swept += np.where(finishes <= rim.begins, around, 0.0)
    ends = nodes.places[rim.ends]
    return np.asarray(swept - (ends[:, 0, 0] * ends[:, 1, 1] - ends[:, 0, 1] * ends[:, 1, 0]))


def _cells(
    tessellation: Tessellation, graph: PlanarGraph, places: Floats, owners: Ints, own: Ints, lengths: Floats
) -> Ints:
    """The cell (f,) that shares most with every face; without any cut it is the one whose middle is nearest."""
    known = own >= 0
    pairs, which = np.unique(np.stack([owners[known], own[known]], 1), axis=0, return_inverse=True)
    shared = totals(which.reshape(-1), lengths[known], len(pairs))
    order = np.argsort(shared, kind="stable")
    cells = np.full(graph.face_count, NO_CELL)
    cells[pairs[order, 0]] = pairs[order, 1]
    for face in np.flatnonzero(cells < 0).tolist():
        around = graph.codes[owners == face]
        middle = places[graph.edges[around >> 1, around & 1]].mean(axis=0)
        cells[face] = int(np.hypot(*(tessellation.middles / tessellation.scale - middle).T).argmin())
    return cells


def _grouped(parts: _Parts, merged: list[int]) -> Ints:
    """For every face the one it belongs to (f,): itself, or one that it is merged with or a sliver of; -1 for holes."""
    graph, areas = parts.graph, parts.areas.copy()
    owners = np.arange(graph.face_count)

    def join(one: int, other: int) -> None:
        if one != other:
            least, most = sorted((one, other), key=lambda face: (parts.areas[face], -face))
            owners[owners == least] = most
            areas[most] += areas[least]

    for cut in merged:
        one, other = owners[graph.sides[cut]].tolist()
        join(one, other)
    shared = _shared(parts)
    waiting = [face for face in np.argsort(areas, kind="stable").tolist() if not parts.is_hole[face]]
    thin = _thin(parts)
    for face in waiting:
        if owners[face] != face or not (areas[face] < LEAST_AREA or thin[face]):
            continue
        lengths: dict[int, float] = defaultdict(float)
        for inside in np.flatnonzero(owners == face).tolist():
            for other, length in shared[inside]:
                if owners[other] != face:
                    lengths[int(owners[other])] += length
        if lengths:
            join(face, max(lengths, key=lambda other: (lengths[other], -other)))
    owners[parts.is_hole] = NO_CELL
    return owners


def _shared(parts: _Parts) -> list[list[tuple[int, float]]]:
    """For every face its neighbours across cuts, with the lengths of these."""
    graph = parts.graph
    ends = parts.places[graph.edges]
    lengths = np.hypot(*(ends[:, 1] - ends[:, 0]).T)
    beside: list[list[tuple[int, float]]] = [[] for _ in range(graph.face_count)]
    for (one, other), length in zip(graph.sides.tolist(), lengths.tolist(), strict=True):
        if one >= 0 and other >= 0 and not parts.is_hole[one] and not parts.is_hole[other]:
            beside[one].append((other, length))
            beside[other].append((one, length))
    return beside


def _thin(parts: _Parts) -> NDArray[np.bool_]:
    """The faces at the border that no circle of LEAST_RADIUS fits into."""
    import shapely

    graph = parts.graph
    thin = np.zeros(graph.face_count, bool)
    at_rim = distinct(graph.sides[graph.sides.min(axis=1) < 0])
    polygons = polygons_of(graph, parts.places)
    # Where the outline bulges, a polygon of straight edges is thinner than the part.
    doubtful = (parts.areas < DOUBTFUL) & (shapely.area(polygons) > STRAIGHT_SHARE * parts.areas)
    doubtful &= np.isin(np.arange(graph.face_count), at_rim)
    thin[doubtful] = shapely.is_empty(shapely.buffer(polygons[doubtful], -LEAST_RADIUS, quad_segs=2))
    return thin


def _straightened(nodes: _Nodes, cuts: Ints, sides: Ints) -> tuple[Ints, Ints]:
    """The ends and the numbers of the cuts with other pieces on either side; where only two meet they become one."""
    import shapely

    kept = sides[:, 0] != sides[:, 1]
    ends = cuts.copy()
    degrees = np.bincount(ends[kept].ravel(), minlength=len(nodes.keys))
    tree = shapely.STRtree(shapely.linestrings(nodes.places[cuts]))
    for node in np.flatnonzero((degrees == 2) & np.isnan(nodes.stations)).tolist():
        one, other = np.flatnonzero(kept & (ends == node).any(axis=1)).tolist()
        far = [int(ends[cut].sum() - node) for cut in (one, other)]
        if far[0] == far[1] or (kept & (np.sort(ends, axis=1) == sorted(far)).all(axis=1)).any():
            continue
        (right, down), (across, along) = nodes.places[far] - nodes.places[node]
        if abs(right * along - down * across) / 2 > LARGEST_LOSS:
            continue
        line = shapely.linestrings(nodes.places[far])
        met = tree.query(line, predicate="intersects")
        met = met[kept[met] & (met != one) & (met != other)]
        if np.isin(ends[met], far).any(axis=1).all():
            ends[one] = np.where(ends[one] == node, far[1], ends[one])
            kept[other] = False
    return ends[kept], np.flatnonzero(kept)


def _edge_names(tessellation: Tessellation, cuts: _Cuts) -> list[str]:
    """The names of cuts after the two cells that they separate; `C4-D4.2` is the second between these."""
    pairs = tessellation.sides[cuts.edges]
    turned = tessellation.cell_keys[pairs[:, 0]] > tessellation.cell_keys[pairs[:, 1]]
    pairs[turned] = pairs[turned, ::-1]
    cells = tessellation.cell_names
    names = [f"{cells[one]}-{cells[other]}" for one, other in pairs.tolist()]
    order = np.stack([tessellation.edge_keys[cuts.edges], np.arange(len(names))], 1)
    return distinguished(names, order.tolist())
