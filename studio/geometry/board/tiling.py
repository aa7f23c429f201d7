"""Tilings: how a board is divided into faces before randomness and edits move anything.

home: a corner's regular place. track: what a corner can be moved along: it is free, it stays, or it slides on a
stretch of the outline. joint: two edges of a corner of which one runs on into the other; a corner may have several.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.geometry.board.outline import SHARPEST, Outline, Stretch, outline_of
from studio.geometry.curves.strokes import (
    Floats,
    Ints,
    Polylines,
    closed_through,
    distinct,
    frozen,
    offsets,
    ranges,
    totals,
)
from studio.geometry.planar.graph import PlanarGraph, crossing, trace

if TYPE_CHECKING:
    from studio.geometry.figures.knobs import Knob

FREE, FIXED = -1, -2
"""The tracks of corners that do not slide; others are numbers of stretches."""
NONE = -1
REST_KEY = -1
"""The key of the cell that stands for all cells beyond a window."""
INCENTRE_TOLERANCE = 1e-3
"""The largest error of an incentre, as a fraction of the scale."""
ON_OUTLINE = 0.05
"""How far in mm a corner of the border may be from the outline that it is put on."""
ROUND_A_BEND = np.radians(75.0)
"""Where cells have no grid, edges run on into each other also where they turn as far as this: at threes they bend."""
KEEPS_OFF = np.radians(20.0)
"""The least angle between the common direction of two edges that run on into each other and any other edge there."""
CALM = 0.4
"""How far corners near a figure stray, as a fraction of what is usual."""
SHORT, SLACK = 0.42, 0.8
"""Edges shorter than the first, in usual faces, have no tongue; corners of those shorter than the second stray less."""
CROWDED = 0.25
"""Edges with less room than this fraction of a usual face have no tongue."""
ROUNDISH = 0.4
"""The radius of the largest circle in an even face, as a fraction of the root of its area, is at least about this."""
LEVEL_DECIMALS = 6
"""Of the direction of a joint, where the most level one is sought."""
MOST_CORNERS = 2**20
"""Ids of corners are smaller, so that two of them make the id of an edge."""


@dataclass(frozen=True, eq=False)
class Joints:
    """Where edges run on into each other: `at` (m, 2) the joint at the first and the second corner of every edge, or
    -1; `signs` (m, 2) 1 where the edge runs along the joint's direction and -1 where it runs against it; `keys` (j,)
    for chance; `ways` (j, 2) the unit directions."""

    at: Ints
    signs: Floats
    keys: Ints
    ways: Floats


@dataclass(frozen=True, eq=False)
class Labels:
    """Keys for chance and names of a tiling's elements, where they do not follow from ids of its corners.

    Per corner: `corner_keys` (n,), `corner_names`, and `is_knot` (n,) of the border for those that stay. Per edge:
    `edge_keys` (m,), `edge_names`, and `pieces` (m, 2) the pieces of its half-edges, -1 where there is none. Per piece:
    `piece_keys` (p,), `piece_names`.
    """

    corner_keys: Ints
    corner_names: Sequence[str]
    is_knot: NDArray[np.bool_]
    edge_keys: Ints
    edge_names: Sequence[str]
    pieces: Ints
    piece_keys: Ints
    piece_names: Sequence[str]


@dataclass(frozen=True, eq=False)
class Filling:
    """A void that is a piece of its own: a figure by its name.

    `codes` (k,) are the half-edges round it, clockwise on the screen, and `holes` those along its own holes. `straight`
    are the edges too near it for a tongue, `near` the corners near it. `knobs` are its own tongues.
    """

    name: str
    codes: Ints
    holes: tuple[Ints, ...]
    straight: Ints
    near: Ints
    knobs: tuple[Knob, ...] = ()

    @property
    def outlines(self) -> Ints:
        """The half-edges round it and along its holes."""
        return np.concatenate([self.codes, *self.holes])


@dataclass(frozen=True, eq=False)
class Tiling:
    """A division of a board of `size` mm into faces.

    Per corner: `homes` (n, 2) mm, `tracks` (n,) FREE, FIXED or the number of a stretch of the outline, `corner_keys`
    (n,) for chance. Per edge: `edge_keys` (m,), `across` (m,) mm of room at right angles to it, `stretches` (m,) the
    stretch along which it runs on the border, or -1. By `face_keys` (f,) the two faces in an edge's name are
    ordered. `scale` (2,) is the extent of a usual face in mm, in which a hand's moves are kept. `voids` close the
    holes of the board, what lies inside another before it, and `rims` the border. Names are unique, and those of what
    stays the same outlive a change.
    """

    graph: PlanarGraph
    outline: Outline
    size: tuple[float, float]
    scale: Floats
    homes: Floats
    tracks: Ints
    corner_keys: Ints
    edge_keys: Ints
    face_keys: Ints
    across: Floats
    stretches: Ints
    joints: Joints
    voids: tuple[Ints, ...]
    rims: tuple[Ints, ...]
    corner_name: Callable[[int], str]
    piece_name: Callable[[int], str]
    fillings: tuple[Filling, ...] = ()
    """The voids that are pieces of their own, behind the faces."""
    given_edge_names: Sequence[str] | None = None
    """The names of edges that are not called after their pieces, as where pieces are merged."""
    leeway: Floats | None = None
    """How far (n,) in mm corners can stray before cuts meet the outline, infinite where that is further than they ever
    do; None in a regular tiling, where it is no matter."""
    known_chains: tuple[Ints, ...] | Callable[[], tuple[Ints, ...]] | None = None
    """`chains` of a tiling that has an order of its own for them, or what works them out."""
    known_rim_rooms: Floats | None = None
    """`rim_rooms` where they are known already."""
    origin: Origin | None = None
    """Of a tiling that was put together of others: what it has in common with the one that it set out from."""

    def edge_name(self, edge: int) -> str:
        """The name of an inner edge: the two pieces it separates, `C4-D4`; `C4-D4.2` is the second between them."""
        if self.given_edge_names is not None:
            return self.given_edge_names[edge]
        known = self._edge_names.get(edge)
        if known is None:
            first, second = sorted(self.graph.sides[edge].tolist(), key=self.face_keys.__getitem__)
            known = self._edge_names[edge] = self._numbered(f"{self.piece_name(first)}-{self.piece_name(second)}", edge)
        return known

    def _numbered(self, name: str, edge: int) -> str:
        rank = self._ranks.get(edge, 0)
        return f"{name}.{rank + 1}" if rank else name

    @cached_property
    def on_border(self) -> NDArray[np.bool_]:
        """True for the edges (m,) of the board's border and holes; the outline of a figure is neither."""
        found = self.graph.sides.min(axis=1) < 0
        for filling in self.fillings:
            found[filling.outlines >> 1] = False
        return frozen(found)

    @property
    def border_faces(self) -> Ints:
        """The faces at the border, ascending."""
        return distinct(self.graph.sides[self.on_border].max(axis=1))

    @cached_property
    def chains(self) -> tuple[Ints, ...]:
        """The inner cuts, half-edges end to end, in an order in which the head hardly travels."""
        known = self.known_chains
        if known is None:
            return chained(self.graph.inner_edges, self.joints)
        return known() if callable(known) else known

    @cached_property
    def _ranks(self) -> dict[int, int]:
        """The places, in the order of their keys, of edges beside the first between the same two pieces."""
        inner = self.graph.inner_edges
        low, high = np.sort(self.graph.sides[inner], axis=1).T
        order = np.lexsort((self.edge_keys[inner], high, low))
        again = (low[order][1:] == low[order][:-1]) & (high[order][1:] == high[order][:-1])
        ranks: dict[int, int] = {}
        for at in (np.flatnonzero(again) + 1).tolist():
            ranks[int(inner[order[at]])] = ranks.get(int(inner[order[at - 1]]), 0) + 1
        return ranks

    @cached_property
    def _edge_names(self) -> dict[int, str]:
        """The names asked for so far: findings name the same few edges again and again."""
        return {}

    @cached_property
    def piece_names(self) -> tuple[str, ...]:
        """The names of all pieces in order."""
        return tuple(map(self.piece_name, range(self.graph.face_count)))

    @cached_property
    def movable(self) -> Ints:
        """The corners that can be moved."""
        return np.flatnonzero(self.tracks != FIXED)

    @cached_property
    def freedom(self) -> Floats:
        """1 or 0 along x and y for every corner, (n, 2), as it can be moved."""
        kinds = [stretch.freedom for stretch in self.outline.stretches] + [np.zeros(2), np.ones(2)]
        return frozen(np.array(kinds)[self.tracks])

    @cached_property
    def inward(self) -> Floats:
        """The unit normal (n, 2) into the board of corners that slide, at home; 0 elsewhere."""
        result = np.zeros_like(self.homes)
        for stretch, chosen in self.sliding(np.arange(len(self.homes))):
            result[chosen] = self.outline.stretches[stretch].inward(self.homes[chosen])
        return frozen(result)

    def are_closed(self, chains: Sequence[Ints]) -> list[bool]:
        """Which chains of half-edges end where they begin."""
        begins, ends = (np.array([codes[at] for codes in chains], np.int64) for at in (0, -1))
        edges = self.graph.edges
        shut: list[bool] = (edges[begins >> 1, begins & 1] == edges[ends >> 1, 1 - (ends & 1)]).tolist()
        return shut

    def sliding(self, corners: Ints) -> list[tuple[int, Ints]]:
        """The stretches on which some corners slide, and the places of these among the corners."""
        tracks = self.tracks[corners]
        return [(track, np.flatnonzero(tracks == track)) for track in sorted({*tracks.tolist()} - {FREE, FIXED})]

    def reached(self, corners: Ints, places: Floats) -> Floats:
        """Where corners go that are dragged to some places (k, 2): on the board, or along their stretches."""
        result = places.copy()
        free = self.tracks[corners] == FREE
        result[free] = self.outline.held(places[free])
        for stretch, chosen in self.sliding(corners):
            result[chosen] = self.outline.stretches[stretch].nearest(places[chosen])
        return result

    @cached_property
    def corner_indices(self) -> dict[str, int]:
        """The corner of every name, movable ones only."""
        return {self.corner_name(corner): corner for corner in self.movable.tolist()}

    @cached_property
    def edge_indices(self) -> dict[str, int]:
        """The inner edge of every name."""
        names = self.piece_names
        inner = self.graph.inner_edges
        if self.given_edge_names is not None:
            return {self.given_edge_names[edge]: edge for edge in inner.tolist()}
        sides = self.graph.sides[inner]
        faces = np.take_along_axis(sides, self.face_keys[sides].argsort(axis=1), axis=1).tolist()
        return {
            self._numbered(f"{names[first]}-{names[second]}", edge): edge
            for edge, (first, second) in zip(inner.tolist(), faces, strict=True)
        }

    @cached_property
    def lengths(self) -> Floats:
        """The length (m,) in mm of every edge between its corners at home."""
        ends = self.homes[self.graph.edges]
        return frozen(np.hypot(*(ends[:, 1] - ends[:, 0]).T))

    @cached_property
    def rim_gaps(self) -> Floats:
        """The length (n,) in mm of the shorter edge along the border at every corner; infinite away from it."""
        rim = self.stretches >= 0
        gaps = np.full(len(self.homes), np.inf)
        np.minimum.at(gaps, self.graph.edges[rim].ravel(), np.repeat(self.lengths[rim], 2))
        return frozen(gaps)

    @cached_property
    def is_bare(self) -> NDArray[np.bool_]:
        """Which edges (m,) are too short for a tongue, or too near to something else; none of a regular tiling."""
        if self.leeway is None:
            return frozen(np.zeros(len(self.lengths), bool))
        room = np.minimum(self.across, self.rim_rooms)
        bare = (self.lengths < SHORT * self.scale.min()) | (room < CROWDED * self.scale.min())
        for one in self.fillings:
            bare[one.straight] = True
        return frozen(bare)

    @cached_property
    def slack(self) -> Floats:
        """How far every corner can stray as a fraction of what is usual, (n,): less where an edge at it is short."""
        if self.leeway is None:
            return frozen(np.ones(len(self.homes)))
        least = self.leeway.copy()
        np.minimum.at(least, self.graph.edges.ravel(), np.repeat(self.lengths, 2))
        slack = np.minimum(1.0, least / (SLACK * float(self.scale.min())))
        for one in self.fillings:
            slack[one.near] *= CALM
        slack[self.is_on_figure] = 0.0
        return frozen(slack)

    @cached_property
    def rim_rooms(self) -> Floats:
        """The room (m,) in mm that the outline leaves the tongues of inner edges; infinite where it is far away."""
        if self.known_rim_rooms is not None:
            return self.known_rim_rooms
        if self.leeway is None:
            return frozen(np.full(len(self.lengths), np.inf))
        inner = np.flatnonzero(self.stretches < 0)
        middles = self.homes[self.graph.edges[inner]].mean(axis=1)
        gaps = self.outline.gaps(middles, float(self.scale.max()))
        for knob in (knob for one in self.fillings for knob in one.knobs if knob.points_out):
            gaps = np.minimum(gaps, knob.gaps(middles))
        rooms = np.full(len(self.stretches), np.inf)
        rooms[inner] = 2 * gaps
        return frozen(rooms)

    @cached_property
    def is_on_figure(self) -> NDArray[np.bool_]:
        """Which corners (n,) are on the outline of a figure."""
        on = np.zeros(len(self.homes), bool)
        for one in self.fillings:
            on[self.graph.edges[one.codes >> 1]] = True
        return frozen(on)

    @cached_property
    def figure_of(self) -> dict[int, str]:
        """The figure of every edge along one, by its name."""
        return {
            edge: one.name for one in self.fillings for edge in (np.concatenate([one.codes, *one.holes]) >> 1).tolist()
        }

    @cached_property
    def figure_tongues(self) -> tuple[tuple[str, Knob], ...]:
        """The tongues of figures, each with the name of its figure; their numbers follow those of the edges."""
        return tuple((one.name, knob) for one in self.fillings for knob in one.knobs)

    def tongue_name(self, tongue: int) -> str:
        """The name of an inner edge, or that of a tongue of a figure, `fish1.2`."""
        beyond = tongue - len(self.edge_keys)
        if beyond < 0:
            return self.edge_name(tongue)
        figure, knob = self.figure_tongues[beyond]
        return f"{figure}.{knob.number}"

    @cached_property
    def tongue_indices(self) -> dict[str, int]:
        """The inner edge, or the tongue of a figure, of every name."""
        if not self.figure_tongues:
            return self.edge_indices
        count = len(self.edge_keys)
        return self.edge_indices | {
            self.tongue_name(tongue): tongue for tongue in range(count, count + len(self.figure_tongues))
        }

    @cached_property
    def incentres(self) -> Floats:
        """The centre and the radius (f, 3) in mm of the largest circle in every face, its holes left out."""
        return frozen(_incentres(self.graph, self.homes, INCENTRE_TOLERANCE * float(self.scale.min())))


@dataclass(frozen=True, eq=False)
class Origin:
    """A tiling, and for each corner (n,) and each edge (m,) of another the one in it that is the same, or -1."""

    tiling: Tiling
    corners: Ints
    edges: Ints

    @staticmethod
    def of(tiling: Tiling) -> Origin:
        """What a tiling set out from; itself where it was made in one piece."""
        return tiling.origin or Origin(tiling, np.arange(len(tiling.homes)), np.arange(len(tiling.graph.edges)))


def polygons_of(graph: PlanarGraph, homes: Floats, some: Ints | None = None) -> NDArray[np.object_]:
    """The faces, or some of them, as polygons with their holes, their edges straight."""
    from studio.geometry.planar.regions import as_polygons

    bounds = np.sort(np.concatenate([graph.starts, graph.holes]))
    owners = np.searchsorted(graph.starts, bounds[:-1], side="right") - 1
    codes = graph.codes
    if some is not None:
        number = np.full(graph.face_count, NONE)
        number[some] = np.arange(len(some))
        rings = np.flatnonzero(number[owners] >= 0)
        rings = rings[np.argsort(number[owners[rings]], kind="stable")]
        counts = np.diff(bounds)[rings]
        codes, owners = codes[ranges(bounds[rings], counts)], number[owners[rings]]
        bounds = offsets(counts)
    begins = homes[graph.edges[codes >> 1, codes & 1]]
    return as_polygons(Polylines(begins, bounds), owners)


def _incentres(graph: PlanarGraph, homes: Floats, tolerance: float) -> Floats:
    import shapely

    radii = shapely.maximum_inscribed_circle(polygons_of(graph, homes), tolerance)
    middles = shapely.get_coordinates(shapely.get_point(radii, 0))
    return np.column_stack([middles, shapely.length(radii)])


def distinguished(names: Sequence[str], keys: Sequence[Sequence[int]] | None = None) -> list[str]:
    """The names, where several are the same with `.2`, `.3` … behind all but the first, in the order of their keys, or
    in that of the names without any."""
    order = sorted(range(len(names)), key=lambda at: (names[at], keys[at] if keys else at))
    result = list(names)
    rank = 1
    for before, at in pairwise(order):
        rank = rank + 1 if names[before] == names[at] else 1
        if rank > 1:
            result[at] = f"{names[at]}.{rank}"
    return result


def tiled(
    corners: Floats,
    edges: Ints,
    *,
    ids: Ints | None = None,
    scale: float | None = None,
    rings: Sequence[Floats] = (),
    voids: Sequence[tuple[float, float]] = (),
    names: Callable[[Floats], Sequence[str]] | None = None,
    joints: Sequence[tuple[int, int]] | None = None,
) -> Tiling:
    """A tiling of corners (n, 2) in mm and edges (m, 2) between them.

    `ids` (n,) name the corners, so that names and random values survive a change of the rest. `rings` are the outline's
    closed curves, from the border's corners where there are none; `voids` are places in faces that are holes of the
    board. `names` gives the faces' names from their incentres (f, 3), several may be the same; without it they are
    called after their corners. `joints` are pairs of half-edges, one that reaches a corner and one that
    leaves it; without them edges run on where they are straightest. Raises StudioError, with the place, where edges
    cross, coincide or are loose, or where the border's corners are not on the outline.

    >>> corners = np.array([(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)])
    >>> halves = tiled(corners, np.array([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)]), names=lambda centres: ["A", "B"])
    >>> halves.piece_names, halves.size, halves.edge_name(4)
    (('A', 'B'), (10.0, 10.0), 'A-B')
    """
    ids = np.arange(len(corners)) if ids is None else ids
    _refuse_muddle(corners, edges, ids)
    whole = trace(corners, edges)
    graph, boards = _hollowed(whole, corners, voids), len(whole.rims)
    if scale is None:
        extent = np.ptp(corners, axis=0)
        scale = float(np.sqrt(extent[0] * extent[1] / max(graph.face_count, 1)))
    circles = _incentres(graph, corners, INCENTRE_TOLERANCE * scale)
    low, high = np.sort(ids[edges], axis=1).T
    edge_keys = low * MOST_CORNERS + high
    outline = outline_of([*rings] if rings else [closed_through(_ring(graph, corners, rim)) for rim in graph.rims])
    graph, tracks, stretches, _ = _tracks(graph, corners, outline)
    pairs = _straightest(graph, corners, 2 * SHARPEST) if joints is None else joints
    keyed = _joints(graph, corners, ids, edge_keys, pairs, MOST_CORNERS)
    ways = _least_ways(graph, ids)
    faces = (
        distinguished(names(circles), ways.tolist()) if names else [f"{one}:{other}" for one, other in ways.tolist()]
    )
    radius = np.append(circles[:, 2], np.inf)
    return Tiling(
        graph=graph,
        outline=outline,
        size=(float(outline.box[1][0]), float(outline.box[1][1])),
        scale=frozen(np.full(2, scale)),
        homes=frozen(corners),
        tracks=frozen(tracks),
        corner_keys=frozen(ids),
        edge_keys=frozen(edge_keys),
        face_keys=frozen(ways @ np.array([MOST_CORNERS, 1])),
        across=frozen(2 * radius[graph.sides].min(axis=1)),
        stretches=frozen(stretches),
        joints=keyed,
        voids=inner_first(graph, corners, graph.rims[boards:]),
        rims=graph.rims[:boards],
        corner_name=lambda corner: str(ids[corner]),
        piece_name=faces.__getitem__,
    )


def _refuse_muddle(corners: Floats, edges: Ints, ids: Ints) -> None:
    """Raise StudioError where edges cross, or where ids do not tell corners apart."""
    met = crossing(corners, edges)
    if met is not None:
        raise StudioError(tr("Two cuts cross at {x:.2f}, {y:.2f} mm.", x=met[0], y=met[1]))
    if len({*ids.tolist()}) < len(ids) or not ((ids >= 0) & (ids < MOST_CORNERS)).all():
        raise StudioError(tr("Every corner of a tiling needs a unique id."))


def labelled(
    corners: Floats, edges: Ints, labels: Labels, *, outline: Outline, size: tuple[float, float], scale: Floats
) -> Tiling:
    """A tiling whose elements have keys and names of their own: corners (n, 2) in mm and edges (m, 2) between them.

    A face of which no half-edge has a piece is a hole of the board. Raises StudioError as `tiled` does.
    """
    whole = trace(corners, edges)
    owned = labels.pieces[whole.codes >> 1, whole.codes & 1]
    piece_of = np.maximum.reduceat(owned, whole.starts[:-1])
    holes = np.flatnonzero(piece_of < 0)
    graph = whole.without(holes) if len(holes) else whole
    pieces = piece_of[piece_of >= 0]
    graph, tracks, stretches, homes = _tracks(graph, corners, outline)
    tracks[labels.is_knot] = FIXED
    pairs = _straightest(graph, corners, ROUND_A_BEND)
    keyed = _joints(graph, corners, labels.corner_keys, labels.edge_keys, pairs, 2)
    radius = np.append(_radii(graph, corners, labels.piece_keys[pieces] != REST_KEY), np.inf)
    return Tiling(
        graph=graph,
        outline=outline,
        size=size,
        scale=frozen(scale),
        homes=frozen(homes),
        tracks=frozen(tracks),
        corner_keys=frozen(labels.corner_keys),
        edge_keys=frozen(labels.edge_keys),
        face_keys=frozen(labels.piece_keys[pieces]),
        across=frozen(2 * radius[graph.sides].min(axis=1)),
        stretches=frozen(stretches),
        joints=keyed,
        voids=inner_first(graph, corners, graph.rims[len(whole.rims) :]),
        rims=graph.rims[: len(whole.rims)],
        corner_name=labels.corner_names.__getitem__,
        piece_name=[labels.piece_names[piece] for piece in pieces.tolist()].__getitem__,
        given_edge_names=labels.edge_names,
        leeway=frozen(_leeway(graph, tracks, homes, outline, SLACK * float(scale.min()))),
    )


def _leeway(graph: PlanarGraph, tracks: Ints, homes: Floats, outline: Outline, most: float) -> Floats:
    """How far in mm corners (n,) can stray: free ones to the outline, others as far as the free ones beside them;
    infinite where it is more than `most`."""
    free = tracks == FREE
    leeway = np.full(len(homes), np.inf)
    leeway[free] = outline.gaps(homes[free], most)
    gaps = leeway.copy()
    for one, other in (graph.edges.T, graph.edges.T[::-1]):
        beside = ~free[one] & free[other]
        np.minimum.at(leeway, one[beside], gaps[other[beside]])
    return leeway


def inner_first(graph: PlanarGraph, corners: Floats, rings: Sequence[Ints]) -> tuple[Ints, ...]:
    """The rings round holes, the smallest first."""
    return tuple(sorted(rings, key=lambda rim: _extent(_ring(graph, corners, rim))))


def _radii(graph: PlanarGraph, corners: Floats, matters: NDArray[np.bool_]) -> Floats:
    """About the radius (f,) in mm of the largest circle in every face that matters (f,).

    It is the way from its middle to the nearest edge, and searched where that is short for the face's area, as in one
    that is hollow.
    """
    owners = np.repeat(np.arange(graph.face_count), np.diff(graph.starts))
    ends = corners[graph.edges[graph.codes >> 1, :]]
    backwards = graph.codes & 1 == 1
    ends[backwards] = ends[backwards, ::-1]
    begins, ways = ends[:, 0], ends[:, 1] - ends[:, 0]
    lengths = np.maximum(np.hypot(ways[:, 0], ways[:, 1]), 1e-9)
    total = totals(owners, lengths, graph.face_count)
    halves = ends.mean(axis=1) * lengths[:, None]
    middles = np.stack([totals(owners, halves[:, i], graph.face_count) for i in (0, 1)], 1) / total[:, None]
    away = middles[owners] - begins
    gaps = (ways[:, 0] * away[:, 1] - ways[:, 1] * away[:, 0]) / lengths
    radii: Floats = np.minimum.reduceat(gaps, graph.starts[:-1])
    cross = begins[:, 0] * ends[:, 1, 1] - begins[:, 1] * ends[:, 1, 0]
    areas = totals(owners, cross, graph.face_count) / 2
    doubtful = np.flatnonzero((radii < ROUNDISH * np.sqrt(areas)) & matters)
    if len(doubtful):
        import shapely

        polygons = polygons_of(graph, corners, doubtful)
        radii[doubtful] = shapely.length(
            shapely.maximum_inscribed_circle(polygons, np.sqrt(areas[matters].max()) / 100)
        )
    return radii


def _least_ways(graph: PlanarGraph, ids: Ints) -> Ints:
    """The ids (f, 2) at the ends of the half-edge with the least ones that a face follows; no two faces share it."""
    ways = ids[graph.edges][graph.codes >> 1]
    ways[graph.codes & 1 == 1] = ways[graph.codes & 1 == 1, ::-1]
    owners = np.repeat(np.arange(graph.face_count), np.diff(graph.starts))
    order = np.lexsort((ways[:, 1], ways[:, 0], owners))
    return np.asarray(ways[order][graph.starts[:-1]])


def _extent(ring: Floats) -> float:
    """The area of the box around a ring."""
    width, height = np.ptp(ring, axis=0).tolist()
    return float(width * height)


def _ring(graph: PlanarGraph, corners: Floats, rim: Ints) -> Floats:
    """The corners of a rim, with the board on the right."""
    ring: Floats = corners[graph.edges[rim >> 1, rim & 1]][::-1]
    return ring


def _hollowed(graph: PlanarGraph, corners: Floats, voids: Sequence[tuple[float, float]]) -> PlanarGraph:
    if not voids:
        return graph
    import shapely

    faces = polygons_of(graph, corners)
    at, around = shapely.STRtree(faces).query(shapely.points(np.array(voids)), predicate="within")
    for void in sorted({*range(len(voids))} - {*at.tolist()}):
        x, y = voids[void]
        raise StudioError(tr("There is no piece at {x:.2f}, {y:.2f} mm to turn into a hole.", x=x, y=y))
    return graph.without(np.unique(around))


def _tracks(graph: PlanarGraph, corners: Floats, outline: Outline) -> tuple[PlanarGraph, Ints, Ints, Floats]:
    """The tracks of corners and the stretches of edges, and the corners with those that slide on their stretches; the
    corners at the ends of stretches stay."""
    tracks = np.full(len(corners), FREE)
    stretches = np.full(len(graph.edges), NONE)
    rim = graph.rim >> 1
    ends = graph.edges[rim]
    border = np.unique(ends)
    places = np.stack([_reached(stretch, corners[border]) for stretch in outline.stretches])
    gaps = np.hypot(*np.moveaxis(places - corners[border], 2, 0))
    off = np.flatnonzero(gaps.min(axis=0) > ON_OUTLINE)
    if len(off):
        x, y = corners[border[off[0]]].tolist()
        raise StudioError(tr("The corner at {x:.2f}, {y:.2f} mm is not on the outline.", x=x, y=y))
    near = np.full((len(outline.stretches), len(corners)), False)
    near[:, border] = gaps <= ON_OUTLINE
    tracks[border] = gaps.argmin(axis=0)
    homes = corners.copy()
    homes[border] = places[tracks[border], np.arange(len(border))]
    for place in outline.bends:
        at = border[((corners[border] - place) ** 2).sum(axis=1).argmin()]
        if np.hypot(*(corners[at] - place)) > ON_OUTLINE:
            raise StudioError(
                tr("The outline's corner at {x:.2f}, {y:.2f} mm must be one of the tiling's.", x=place[0], y=place[1])
            )
        tracks[at], homes[at] = FIXED, corners[at]
    doubtful: list[tuple[int, Floats, Ints]] = []
    for edge, (first, second) in zip(rim.tolist(), ends.tolist(), strict=True):
        shared = np.flatnonzero(near[:, first] & near[:, second])
        if not len(shared):
            x, y = corners[[first, second]].mean(axis=0).tolist()
            raise StudioError(tr("The border at {x:.2f}, {y:.2f} mm does not follow the outline.", x=x, y=y))
        if len(shared) > 1:
            doubtful.append((edge, corners[[first, second]].mean(axis=0)[None], shared))
        else:
            stretches[edge] = shared[0]
    for edge, middle, shared in doubtful:
        # Between corners at which two stretches meet, it is one that no other edge runs along; else the nearest.
        able = np.setdiff1d(shared, stretches[rim])
        able = able if len(able) else shared
        away = [float(np.hypot(*(outline.stretches[at].nearest(middle) - middle)[0])) for at in able.tolist()]
        stretches[edge] = able[int(np.argmin(away))]
    return _along(graph), tracks, stretches, homes


def _reached(stretch: Stretch, places: Floats) -> Floats:
    """The nearest of a stretch to some places; infinitely far where they are beyond ON_OUTLINE of its box."""
    low, high = stretch.box
    near = ((places >= low - ON_OUTLINE) & (places <= high + ON_OUTLINE)).all(axis=1)
    reached = np.full(places.shape, np.inf)
    reached[near] = _nearest(stretch, places[near].tobytes())
    return reached


@lru_cache(maxsize=64)
def _nearest(stretch: Stretch, places: bytes) -> Floats:
    """The nearest of a stretch to some places; while a figure is dragged those of the border are asked for again."""
    return frozen(stretch.nearest(np.frombuffer(places).reshape(-1, 2)))


def _along(graph: PlanarGraph) -> PlanarGraph:
    """The graph with the edges of the border turned so that the board is on their right."""
    turned = graph.rim[graph.rim & 1 == 0] >> 1
    edges, sides = graph.edges.copy(), graph.sides.copy()
    edges[turned], sides[turned] = edges[turned, ::-1], sides[turned, ::-1]
    flips = np.zeros(len(edges), np.int64)
    flips[turned] = 1
    codes, rim = (codes ^ flips[codes >> 1] for codes in (graph.codes, graph.rim))
    return replace(graph, edges=frozen(edges), sides=frozen(sides), codes=frozen(codes), rim=frozen(rim))


def _joints(
    graph: PlanarGraph, corners: Floats, ids: Ints, edge_keys: Ints, pairs: Sequence[tuple[int, int]], step: int
) -> Joints:
    """Pairs of half-edges as joints, keyed by `step` times their corner's id and their place among its joints, the
    most level first."""
    reaching, leaving = np.array(pairs, np.int64).reshape(-1, 2).T
    begins, finishes = graph.edges[leaving >> 1, leaving & 1], graph.edges[reaching >> 1, 1 - (reaching & 1)]
    at_rim = graph.sides.min(axis=1) < 0
    loose = np.flatnonzero((begins != finishes) | at_rim[reaching >> 1] | at_rim[leaving >> 1])
    if len(loose):
        raise StudioError(
            tr("A joint of corner {id} does not join two cuts that meet there.", id=ids[begins[loose[0]]])
        )
    at = np.full(graph.edges.shape, NONE)
    signs = np.ones(graph.edges.shape)
    for codes, ends in ((reaching, 1 - (reaching & 1)), (leaving, leaving & 1)):
        at[codes >> 1, ends] = np.arange(len(pairs))
        signs[codes >> 1, ends] = np.where(codes & 1, -1.0, 1.0)
    ways = _headings(graph, corners, reaching) + _headings(graph, corners, leaving)
    ways /= np.maximum(np.hypot(ways[:, 0], ways[:, 1]), 1e-9)[:, None]
    levels = -np.round(np.abs(ways[:, 0]), LEVEL_DECIMALS)
    order = np.lexsort((np.minimum(edge_keys[reaching >> 1], edge_keys[leaving >> 1]), levels, ids[begins]))
    again = np.append(False, ids[begins][order][1:] == ids[begins][order][:-1])
    places = np.arange(len(order))
    keys = np.empty(len(order), np.int64)
    keys[order] = step * ids[begins][order] + places - np.maximum.accumulate(np.where(again, 0, places))
    return Joints(frozen(at), frozen(signs), frozen(keys), frozen(ways))


def _headings(graph: PlanarGraph, corners: Floats, codes: Ints) -> Floats:
    """The unit directions (k, 2) of half-edges."""
    begins, ends = graph.edges[codes >> 1, codes & 1], graph.edges[codes >> 1, 1 - (codes & 1)]
    ways = corners[ends] - corners[begins]
    return np.asarray(ways / np.hypot(ways[:, 0], ways[:, 1])[:, None])


def _straightest(graph: PlanarGraph, corners: Floats, sharpest: float) -> list[tuple[int, int]]:
    """At every corner inside the board, its inner edges in pairs that turn by less than an angle, the straightest
    first."""
    degrees = np.diff(graph.star_starts)
    inner = np.ones(graph.corner_count, bool)
    inner[graph.edges[graph.rim >> 1]] = False
    pairs: list[tuple[int, float, int, int]] = []
    for degree in sorted({*degrees[inner].tolist()} - {0, 1}):
        at = np.flatnonzero(inner & (degrees == degree))
        stars = graph.star_edges[graph.star_starts[at, None] + np.arange(degree)]
        codes = 2 * stars + (graph.edges[stars, 0] != at[:, None])
        ways = corners[graph.edges[stars].sum(axis=2) - at[:, None]] - corners[at, None]
        ways /= np.hypot(ways[..., 0], ways[..., 1])[..., None]
        first, second = _two_of(degree)
        turns = (ways[:, first] * ways[:, second]).sum(axis=2)
        rows, which = np.nonzero((turns <= -np.cos(sharpest)) & _leave_room(ways, first, second))
        one, other = codes[rows, first[which]], codes[rows, second[which]]
        low, high = np.minimum(one, other), np.maximum(one, other)
        pairs += zip(at[rows].tolist(), turns[rows, which].tolist(), low.tolist(), high.tolist(), strict=True)
    joined: set[int] = set()
    result = []
    for _corner, _turn, one, other in sorted(pairs):
        if joined.isdisjoint((one, other)):
            joined |= {one, other}
            result.append((one ^ 1, other))
    return result


@lru_cache
def _two_of(count: int) -> tuple[Ints, Ints]:
    """The lesser and the greater number of every pair of `count` things."""
    first, second = np.triu_indices(count, 1)
    return frozen(first), frozen(second)


def _leave_room(ways: Floats, first: Ints, second: Ints) -> NDArray[np.bool_]:
    """Which pairs (p,) of the directions (k, d, 2) at corners (k,) turn onto a common line that keeps off the others,
    (k, p)."""
    lines = ways[:, first] - ways[:, second]
    lines /= np.maximum(np.hypot(lines[..., 0], lines[..., 1]), 1e-9)[..., None]
    near = lines @ ways.transpose(0, 2, 1)
    places = np.arange(ways.shape[1])
    others = (places != first[:, None]) & (places != second[:, None])
    return np.asarray((~others | (np.abs(near) < np.cos(KEEPS_OFF))).all(axis=2))


def chained(edges: Ints, joints: Joints) -> tuple[Ints, ...]:
    """Inner edges, each once, joint after joint; a chain that comes back to its beginning is closed."""
    joint = joints.at[edges].ravel()
    leaving = (2 * edges[:, None] + np.arange(2)).ravel()
    order = np.argsort(joint, kind="stable")
    joint, leaving = joint[order], leaving[order]
    pairs = np.flatnonzero((joint[1:] == joint[:-1]) & (joint[1:] >= 0))
    one, other = leaving[pairs], leaving[pairs + 1]
    partners = dict(zip((one ^ 1).tolist(), other.tolist(), strict=True))
    partners |= zip((other ^ 1).tolist(), one.tolist(), strict=True)
    chains = []
    left = dict.fromkeys(edges.tolist())
    begins = [code for edge in left for code in (2 * edge, 2 * edge + 1) if code ^ 1 not in partners]
    for code in [*begins, *(2 * edge for edge in left)]:
        chain = []
        at: int | None = code
        while at is not None and at >> 1 in left:
            del left[at >> 1]
            chain.append(at)
            at = partners.get(at)
        if chain:
            chains.append(np.array(chain, np.int64))
    return tuple(chains)
