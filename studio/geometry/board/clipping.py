"""A tessellation clipped to an outline: whole pieces inside, no slivers, cuts that end on the outline.

part: the remainder of an edge or a cell.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.base.chance import uniform
from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress
from studio.geometry.board.border import BEND, CORNER, CROSSING, KNOT, SAME, TOUCHES, Border, Cuts, Nodes, Rim, bordered
from studio.geometry.board.cut_ends import (
    CROSSING_KEY,
    NO_SPLIT,
    SplitCorners,
    beside,
    ends_at_corners,
    hugging,
    hugs,
    seated,
    with_long_ends,
    with_own_nodes,
    with_split_corners,
)
from studio.geometry.board.outline import Outline
from studio.geometry.board.tessellations import NO_CELL, ROW_KEY, Tessellation
from studio.geometry.board.tiling import REST_KEY, Labels, Tiling, distinguished, polygons_of
from studio.geometry.board.tiling_construction import labelled
from studio.geometry.curves.strokes import Floats, Ints, Polylines, distinct, offsets, totals
from studio.geometry.planar.graph import PlanarGraph, trace

# Slivers of a clipped tessellation: parts too small or too thin for a piece; each goes to a neighbour.
#
# part: the remainder of a cell within an outline.


class Rules(NamedTuple):
    """How a tessellation is clipped.

    Parts at the border smaller than `least_area`, or whose inscribed circle is smaller than `least_radius`, in cells,
    are slivers, and so are whole cells smaller than `least_cell`. Each joins the neighbour with the longest border or,
    with `keeps_form`, the one with which it makes the most convex piece. `seats_ends` moves ends of cuts to smooth
    parts of the outline, square to it where that can be, and `splits_notches` one into each of its notches. Up to
    `parts_ends` that share a place of it are parted, and then none end at a corner of a figure; with `heeds_tips` they
    had better meet nothing at a small angle. Edges shorter than `least_edge` are lengthened where there is room,
    corners of narrow cells move `least_across` apart, and parts narrower than `least_width` are slivers, too; all in
    cells. With `keeps_halves` the halves of a split corner may be narrow. With `heeds_bends` ends keep off the bends of
    the border, too, however blunt.
    """

    least_area: float = 0.36
    least_radius: float = 0.17
    least_cell: float = 0.36
    seats_ends: bool = False
    keeps_form: bool = False
    splits_notches: bool = False
    parts_ends: int = 0
    least_edge: float = 0.0
    least_across: float = 0.0
    least_width: float = 0.0
    keeps_halves: bool = False
    heeds_tips: bool = False
    heeds_bends: bool = False


_BY_HAND = Rules(0.4, 0.21, 0.3, seats_ends=True, keeps_form=True, splits_notches=True)
_APART = _BY_HAND._replace(parts_ends=2, least_edge=0.5, least_across=0.7, least_width=0.68)
_WIDE = _APART._replace(least_across=0.775, parts_ends=9, least_width=0.72, keeps_halves=True, heeds_tips=True)
RULES = (Rules(), Rules(0.4, 0.21, 0.4, seats_ends=True), _BY_HAND, _APART, _WIDE, _WIDE._replace(heeds_bends=True))
"""Rules by version of the layout, from 1."""
AS_CONVEX = 0.05
"""Difference in convexity, the share of its convex hull that a piece fills, which the length of a border outweighs."""
WHOLE = 0.98
"""Share of its cell from which a part is the whole cell, and as narrow as it is meant to be."""
SHARES = np.linspace(0.0, 1.0, 9)
"""Shares of the border between two nodes at which its places are known to a part."""
DOUBTFUL, STRAIGHT_SHARE = 0.9, 0.8
"""Only parts smaller than the first, in cells, and covered to the second share by their polygon may be too thin."""


@dataclass(frozen=True, eq=False)
class Parts:
    """Faces between cuts and border: a graph, with the cuts as its first edges, the lines of its edges, and for each
    face its area (f,), the cell (f,) it is a part of, and masks (f,) of holes of the board and of whole cells.

    A half of a split corner counts as whole.
    """

    graph: PlanarGraph
    places: Floats
    lines: Polylines
    areas: Floats
    cells: Ints
    is_hole: NDArray[np.bool_]
    is_whole: NDArray[np.bool_]


def parts_of(
    tessellation: Tessellation, border: Border, nodes: Nodes, cuts: Cuts, rim: Rim, splitting: Ints | None = None
) -> Parts:
    """Find the faces between cuts and the rim; `splitting` are the cuts whose sides count as whole."""
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
    # The cell (f,) with the longest border on each face; for a face without cuts, the cell with the nearest middle.
    known = own >= 0
    count = len(tessellation.cell_keys)
    pairs, which = np.unique(owners[known] * count + own[known], return_inverse=True)
    shared = totals(which, lengths[known], len(pairs))
    pairs = pairs[np.argsort(shared, kind="stable")]
    cells = np.full(graph.face_count, NO_CELL)
    cells[pairs // count] = pairs % count
    for face in np.flatnonzero(cells < 0).tolist():
        around = graph.codes[owners == face]
        middle = nodes.places[graph.edges[around >> 1, around & 1]].mean(axis=0)
        cells[face] = int(np.hypot(*(tessellation.middles / tessellation.scale - middle).T).argmin())
    runs = border.at(rim.along(SHARES).ravel()).reshape(-1, len(SHARES), 2)
    points = np.concatenate([nodes.places[cuts.ends].reshape(-1, 2), runs.reshape(-1, 2)])
    counts = np.repeat([2, len(SHARES)], [len(cuts.ends), len(rim.ends)])
    is_whole = areas > WHOLE * np.abs(tessellation.areas[cells])
    if splitting is not None:
        is_whole[graph.sides[splitting]] = True
    return Parts(graph, nodes.places, Polylines(points, offsets(counts)), areas, cells, is_hole, is_whole)


def _bulges(nodes: Nodes, rim: Rim, border: Border) -> Floats:
    """Twice the area (b,) between the outline and every edge of the border, positive where the outline bulges."""
    firsts = np.append(0, np.cumsum(border.lines.counts - 1))
    ring = np.searchsorted(border.rings, rim.begins, side="right") - 1
    finishes = rim.finishes
    swept = border.swept(finishes) - border.swept(rim.begins)
    around = border.sweeps[firsts[ring + 1]] - border.sweeps[firsts[ring]]
    swept += np.where(finishes <= rim.begins, around, 0.0)
    ends = nodes.places[rim.ends]
    return np.asarray(swept - (ends[:, 0, 0] * ends[:, 1, 1] - ends[:, 0, 1] * ends[:, 1, 0]))


def grouped(parts: Parts, merged: list[int], rules: Rules) -> Ints:
    """The face that each face belongs to (f,): itself, or the face it merges with or is a sliver of; -1 for holes."""
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
    thin, least = _thin(parts, rules), np.full(graph.face_count, rules.least_cell)
    least[_at_rim(parts, rules)] = rules.least_area
    for face in waiting:
        if owners[face] != face or not (areas[face] < least[face] or thin[face]):
            continue
        lengths: dict[int, float] = defaultdict(float)
        for inside in np.flatnonzero(owners == face).tolist():
            for other, length in shared[inside]:
                if owners[other] != face:
                    lengths[int(owners[other])] += length
        if lengths:
            able = _well_formed(parts, owners, face, lengths, rules) if rules.keeps_form else [*lengths]
            join(face, max(able, key=lambda other: (lengths[other], -other)))
    owners[parts.is_hole] = NO_CELL
    return owners


def _well_formed(parts: Parts, owners: Ints, face: int, others: Iterable[int], rules: Rules) -> list[int]:
    """The owners among `others` with which a face makes a piece nearly as convex as the best."""
    import shapely

    groups = {other: np.flatnonzero((owners == face) | (owners == other)) for other in others}
    lines = parts.lines if rules.least_width else None
    wholes = [
        shapely.union_all(shapely.make_valid(polygons_of(parts.graph, parts.places, group, lines)))
        for group in groups.values()
    ]
    shares = shapely.area(wholes) / np.maximum(shapely.area(shapely.convex_hull(wholes)), SAME)
    return [other for other, share in zip(groups, shares.tolist(), strict=True) if share >= shares.max() - AS_CONVEX]


def _shared(parts: Parts) -> list[list[tuple[int, float]]]:
    """The neighbours of every face across cuts, with the lengths of these cuts."""
    graph = parts.graph
    ends = parts.places[graph.edges]
    lengths = np.hypot(*(ends[:, 1] - ends[:, 0]).T)
    beside: list[list[tuple[int, float]]] = [[] for _ in range(graph.face_count)]
    for (one, other), length in zip(graph.sides.tolist(), lengths.tolist(), strict=True):
        if one >= 0 and other >= 0 and not parts.is_hole[one] and not parts.is_hole[other]:
            beside[one].append((other, length))
            beside[other].append((one, length))
    return beside


def _at_rim(parts: Parts, rules: Rules) -> Ints:
    """The faces at the border, and round its holes if there is a least width."""
    sides = parts.graph.sides
    is_rim = sides < 0
    if rules.least_width:
        is_rim |= parts.is_hole[sides]
    beside = distinct(sides[is_rim.any(axis=1)])
    return beside[beside >= 0]


def _thin(parts: Parts, rules: Rules) -> NDArray[np.bool_]:
    """Mask (f,) of the faces at the border too thin, or too narrow."""
    import shapely

    graph = parts.graph
    thin, at_rim = np.zeros(graph.face_count, bool), _at_rim(parts, rules)
    small = at_rim[parts.areas[at_rim] < DOUBTFUL]
    polygons = polygons_of(graph, parts.places, small, parts.lines if rules.least_width else None)
    if not rules.least_width:
        # On a bulge of the outline, a polygon of straight edges is thinner than the part.
        doubtful = shapely.area(polygons) > STRAIGHT_SHARE * parts.areas[small]
        small, polygons = small[doubtful], polygons[doubtful]
    thin[small] = shapely.is_empty(shapely.buffer(polygons, -rules.least_radius, quad_segs=2))
    if rules.least_width:
        boxes = shapely.get_coordinates(shapely.oriented_envelope(polygons)).reshape(-1, 5, 2)
        sides = np.diff(boxes[:, :3], axis=1)
        is_narrow = np.hypot(sides[..., 0], sides[..., 1]).min(axis=1) < rules.least_width
        thin[small] |= is_narrow & ~parts.is_whole[small]
    return thin


# Noodles: long pieces of two or three cells in a row, away from the border and from figures.

LONGER = 0.5
"""Share of noodles that are of three cells."""


@dataclass(frozen=True)
class Noodles:
    """The share of inner pieces that are noodles, up to 1/4, the seed that chooses them, and names of lasting cuts."""

    share: float = 0.0
    seed: int = 0
    kept: frozenset[str] = frozenset()

    def left_out(self, tessellation: Tessellation, cuts: Cuts, names: list[str], sides: Ints) -> list[int]:
        """The cuts within noodles: between cells of keys that follow each other in a row, both in inner pieces.

        `sides` are the pieces (m, 2) beside the cuts and the border's edges, or -1.
        """
        at_border = np.zeros(sides.max(initial=0) + 2, bool)
        at_border[sides[len(cuts.ends) :]] = at_border[NO_CELL] = True
        keys = np.append(tessellation.cell_keys, NO_CELL)[tessellation.sides[cuts.edges]]
        low, high = keys.min(axis=1), keys.max(axis=1)
        in_row = (high - low == 1) & (low >= 0) & (low // ROW_KEY == high // ROW_KEY)
        in_row &= ~at_border[sides[: len(cuts.ends)]].any(axis=1)
        is_longer = uniform(self.seed, low - 1, "noodle length") < LONGER
        found = np.flatnonzero(in_row & (self._begin(low) | (self._begin(low - 1) & is_longer))).tolist()
        return [at for at in found if names[at] not in self.kept]

    def _begin(self, keys: Ints) -> NDArray[np.bool_]:
        """Mask of the cells (k,) at which a noodle begins; the next begins three cells further at the earliest."""
        begun = self.share / (1 + (1 + LONGER) * self.share)
        chance = uniform(self.seed, keys, "noodle")
        others = np.min([uniform(self.seed, keys + away, "noodle") for away in (-2, -1, 1, 2)], axis=0)
        return np.asarray(chance < np.minimum(others, 1 - max(0.0, 1 - 5 * begun) ** 0.2))


SNAPS = (0.24, 0.12, 0.0)
"""Distances in cells below which corners move onto the outline; the next is tried if cuts would cross."""
LEAST_GAP = 0.65
"""Nodes of the outline nearer to each other than this fraction of a snap are merged."""
LARGEST_LOSS = 0.06
"""Largest area, in cells, that a piece may lose or gain when a bend between two cuts is straightened."""
ONTO_BEND = 1.6
"""Corners nearer to a bend than this, in snaps, move onto it."""
SQUARE = 0.6
"""Share of the way to the foot of its perpendicular by which the end of a cut moves along the outline."""
HUGS = 0.8
"""Distance in snaps below which a line between places of the outline would cut off a sliver."""


def clipped(
    tessellation: Tessellation,
    outline: Outline,
    size: tuple[float, float],
    merged: Collection[str] = (),
    progress: Progress = SILENT,
    *,
    split: SplitCorners = NO_SPLIT,
    rules: Rules = RULES[0],
    noodles: Noodles | None = None,
) -> Tiling:
    """Clip a tessellation to an outline, on a board of `size` mm.

    `merged` names cuts to leave out, which merges the pieces on either side; unknown names are ignored. `split` moves
    cuts into corners of the outline; `noodles` leave out cuts. Raises StudioError if the outline has details too fine
    for straight edges between its nodes.
    """
    border = Border.from_outline(outline, tessellation.scale)
    how = noodles or Noodles(), progress, split
    # Corners that move onto the outline, or ends along it, may make cuts cross at details as small as a cell.
    ways = [(snap, each) for each in dict.fromkeys((rules, RULES[0])) for snap in SNAPS]
    for snap, each in ways[:-1]:
        with suppress(StudioError):
            return _clipped(tessellation, outline, border, size, snap, merged, *how, each)
    return _clipped(tessellation, outline, border, size, ways[-1][0], merged, *how, ways[-1][1])


def _clipped(
    tessellation: Tessellation,
    outline: Outline,
    border: Border,
    size: tuple[float, float],
    snap: float,
    merged: Collection[str],
    noodles: Noodles,
    progress: Progress,
    split: SplitCorners,
    rules: Rules,
) -> Tiling:
    progress.step(0.0)
    nodes, cuts = _parted(tessellation, border, snap, keeps_off=rules.seats_ends)
    if rules.seats_ends:
        nodes, cuts = with_own_nodes(tessellation, nodes, cuts, border, rules.parts_ends)
        nodes, cuts = seated(nodes, cuts, border, heeds_tips=rules.heeds_tips, heeds_bends=rules.heeds_bends)
        if rules.least_edge:
            nodes = with_long_ends(nodes, cuts, border, rules.least_edge)
        used = np.unique(np.concatenate([cuts.ends.ravel(), np.flatnonzero(nodes.kinds == BEND)]))
        nodes, cuts = nodes.chosen(used), Cuts(np.searchsorted(used, cuts.ends), cuts.edges)
    splitting: Ints | None = None
    if split.share or rules.splits_notches:
        lasting = np.ones(len(cuts.edges), bool)
        lasting[hugging(nodes, cuts, border)] = False
        keys = tessellation.edge_keys[cuts.edges]
        nodes, cuts, led = with_split_corners(
            nodes,
            cuts,
            keys,
            lasting,
            border,
            split,
            splits_notches=rules.splits_notches,
            turns_cuts=rules.parts_ends > 0,
        )
        splitting = led if rules.keeps_halves else None
    progress.step(0.2)
    nodes, rim = bordered(nodes, cuts.ends, border)
    parts = parts_of(tessellation, border, nodes, cuts, rim, splitting)
    names = _edge_names(tessellation, cuts)
    left_out = [at for at, name in enumerate(names) if name in merged] + hugging(nodes, cuts, border)
    if rules.seats_ends:
        # Few long cells may leave room between them and the outline, which is no piece of its own.
        left_out += np.flatnonzero((tessellation.sides[cuts.edges] < 0).any(axis=1)).tolist()
    if rules.parts_ends:
        left_out += ends_at_corners(nodes, cuts, border).tolist()
    progress.step(0.4)
    owners = grouped(parts, left_out, rules)
    if noodles.share:
        sides = np.append(owners, NO_CELL)[parts.graph.sides]
        owners = grouped(parts, left_out + noodles.left_out(tessellation, cuts, names, sides), rules)
    sides = np.append(owners, NO_CELL)[parts.graph.sides]
    is_rest = np.append(tessellation.cell_keys[parts.cells] == REST_KEY, False)
    ends, kept = _straightened(nodes, cuts.ends, sides[: len(cuts.ends)], is_rest)
    used = np.unique(np.concatenate([ends.ravel(), np.flatnonzero(nodes.kinds == BEND)]))
    final, last_rim = nodes, rim
    if len(used) < len(nodes.keys) or not np.array_equal(ends, cuts.ends):
        final, last_rim = bordered(nodes.chosen(used), np.searchsorted(used, ends), border)
    along = sides[len(cuts.ends) :, 0][rim.covering(last_rim.middles)]
    pieces = np.concatenate([sides[: len(cuts.ends)][kept], np.stack([along, np.full_like(along, NO_CELL)], 1)])
    roots, pieces = np.unique(pieces, return_inverse=True)
    shift = int(roots[0] < 0)
    cells = parts.cells[roots[shift:]]
    blank = len(last_rim.ends)
    labels = Labels(
        corner_keys=final.keys,
        corner_names=distinguished(final.names),
        is_knot=final.kinds == KNOT,
        edge_keys=np.concatenate([tessellation.edge_keys[cuts.edges[kept]], np.zeros(blank, np.int64)]),
        edge_names=[*(names[at] for at in kept.tolist()), *[""] * blank],
        pieces=pieces.reshape(-1, 2) - shift,
        piece_keys=tessellation.cell_keys[cells],
        piece_names=distinguished([tessellation.cell_names[cell] for cell in cells.tolist()]),
    )
    progress.step(0.6)
    edges = np.concatenate([np.searchsorted(used, ends), last_rim.ends])
    places = final.places * tessellation.scale
    return labelled(places, edges, labels, outline=outline, size=size, scale=tessellation.scale)


def _parted(tessellation: Tessellation, border: Border, snap: float, *, keeps_off: bool) -> tuple[Nodes, Cuts]:
    """Corners and edges within the outline, with near ones moved onto it; `keeps_off` bends."""
    count, edges = len(tessellation.corners), tessellation.edges
    nodes, inside = _snapped(tessellation, border, snap, keeps_off=keeps_off)
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
    # A line between places of the outline that keeps near it would cut off a sliver.
    least = np.where(at_rim, max(HUGS * snap, TOUCHES), TOUCHES)
    left = np.flatnonzero(border.holds(middles) & (border.nearest(middles, least.max(initial=TOUCHES))[1] > least))
    whole = np.flatnonzero(~broken)
    cuts = Cuts(np.concatenate([edges[whole], spans.ends[left]]), np.concatenate([whole, spans.edges[left]]))
    if snap > 0:
        met = _squared(met, spans.ends[left], corners, border)
    crossing = replace(
        Nodes.on(border, met, CROSSING),
        keys=tessellation.edge_keys[which] | CROSSING_KEY,
        names=[beside(tessellation, edge) for edge in which.tolist()],
    )
    bends = Nodes.on(border, border.at_bends, BEND)
    gap = LEAST_GAP * snap
    return _together(nodes.joined(crossing).joined(bends), cuts, border, gap, keeps_off=keeps_off)


def _snapped(
    tessellation: Tessellation, border: Border, snap: float, *, keeps_off: bool
) -> tuple[Nodes, NDArray[np.bool_]]:
    """Move corners near the outline onto it, and the nearest to each bend to the bend unless it `keeps_off`; also mask
    the inside ones."""
    corners = tessellation.corners / tessellation.scale
    on = max(snap, TOUCHES)
    stations, gaps = border.nearest(corners, on)
    near = np.asarray(gaps <= on)
    inside = border.holds(corners)
    for station, place in zip(border.at_bends.tolist(), border.bends, strict=True):
        if keeps_off:
            continue
        away = np.hypot(*(corners - place).T)
        at = int(away.argmin())
        if away[at] <= max(ONTO_BEND * snap, TOUCHES):
            near[at], stations[at] = True, station
    places = np.where(near[:, None], border.at(stations), corners)
    kinds = np.full(len(corners), CORNER)
    names = [*tessellation.corner_names]
    return Nodes(places, tessellation.corner_keys, names, np.where(near, stations, np.nan), kinds), inside


def _squared(met: Floats, ends: Ints, corners: Floats, border: Border) -> Floats:
    """Move the stations of crossings so that cuts meet the outline at nearly right angles.

    `ends` (c, 2) of parts of edges are corners, or crossings numbered after them.
    """
    count = len(corners)
    inner = np.full(len(met), -1)
    for near_end, beyond in ((0, 1), (1, 0)):
        crossed = (ends[:, beyond] >= count) & (ends[:, near_end] < count)
        inner[ends[crossed, beyond] - count] = ends[crossed, near_end]
    turned = np.flatnonzero(inner >= 0)
    begins, finishes = border.at(met[turned]), corners[inner[turned]]
    feet = border.nearest(finishes)[0]
    found = border.nearest(begins + SQUARE * (border.at(feet) - begins))[0]
    result = met.copy()
    result[turned] = np.where(hugs(border.at(found), finishes, border), feet, found)
    return result


@dataclass(frozen=True, eq=False)
class _Spans:
    """Parts of edges between stops: the edges (k,), shares of their length (k, 2), and nodes (k, 2) at their ends."""

    edges: Ints
    shares: Floats
    ends: Ints


def _spans(edges: Ints, broken: Ints, which: Ints, shares: Floats, count: int) -> _Spans:
    """Split edges at their crossings with the outline; crossing i is node `count` + i."""
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


def _together(nodes: Nodes, cuts: Cuts, border: Border, gap: float, *, keeps_off: bool = False) -> tuple[Nodes, Cuts]:
    """Merge nodes of the outline within `gap`, and drop unused nodes and doubled cuts; bends that are kept off stay."""
    used = np.zeros(len(nodes.keys), bool)
    used[cuts.ends] = True
    used |= nodes.kinds == BEND
    rim = np.flatnonzero(used & ~np.isnan(nodes.stations) & ~(keeps_off & (nodes.kinds == BEND)))
    rim = rim[np.argsort(nodes.stations[rim], kind="stable")]
    becomes = np.arange(len(used))
    ring = np.searchsorted(border.rings, nodes.stations[rim], side="right") - 1
    for number in range(len(border.rings) - 1):
        _join_near(rim[ring == number], nodes, becomes, gap, border.rings[number + 1] - border.rings[number])
    ends = becomes[cuts.ends]
    kept = ends[:, 0] != ends[:, 1]
    _, first = np.unique(ends.min(axis=1) * len(used) + ends.max(axis=1), return_index=True)
    is_first = np.zeros(len(ends), bool)
    is_first[first] = True
    kept &= is_first
    needed = np.unique(np.concatenate([ends[kept].ravel(), becomes[nodes.kinds == BEND]]))
    return nodes.chosen(needed), Cuts(np.searchsorted(needed, ends[kept]), cuts.edges[kept])


def _join_near(rim: Ints, nodes: Nodes, becomes: Ints, gap: float, length: float) -> None:
    """Merge runs of near nodes, given in order round a ring, by changing `becomes`."""
    if not len(rim):
        return
    # Begin behind the widest gap, so that no group wraps around.
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


def _straightened(nodes: Nodes, cuts: Ints, sides: Ints, is_rest: NDArray[np.bool_]) -> tuple[Ints, Ints]:
    """Ends and numbers of the cuts between different pieces; two cuts that meet alone become one, unless one borders on
    the rest of a window, where further cuts may end."""
    import shapely

    kept = sides[:, 0] != sides[:, 1]
    ends = cuts.copy()
    degrees = np.bincount(ends[kept].ravel(), minlength=len(nodes.keys))
    degrees[ends[kept & is_rest[sides].any(axis=1)]] = 0
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


def _edge_names(tessellation: Tessellation, cuts: Cuts) -> list[str]:
    """Names of cuts after the two cells they separate; `C4-D4.2` is the second between these."""
    pairs = tessellation.sides[cuts.edges]
    turned = tessellation.cell_keys[pairs[:, 0]] > tessellation.cell_keys[pairs[:, 1]]
    pairs[turned] = pairs[turned, ::-1]
    cells = tessellation.cell_names
    names = [f"{cells[one]}-{cells[other]}" for one, other in pairs.tolist()]
    order = np.stack([tessellation.edge_keys[cuts.edges], np.arange(len(names))], 1)
    return distinguished(names, order.tolist())
