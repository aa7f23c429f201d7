"""Tilings: the division of a board into faces, before randomness and edits move anything.

home: a corner's regular place. track: a corner's freedom: it is free, it stays, or it slides on a stretch of the
outline. joint: two edges of a corner, one of which continues into the other; a corner may have several.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from studio.geometry.board.outline import Outline
from studio.geometry.curves.strokes import Curves, Floats, Ints, Polylines, distinct, frozen, offsets, paired, ranges
from studio.geometry.planar.graph import PlanarGraph

if TYPE_CHECKING:
    from studio.geometry.board.figure_knobs import Knob


FREE, FIXED = -1, -2
"""Tracks of corners that do not slide; all other tracks are numbers of stretches."""
NONE = -1
REST_KEY = -1
"""Key of the cell that stands for everything beyond a window."""
INCENTRE_TOLERANCE = 1e-3
"""The largest error of an incentre, as a fraction of the scale."""
ON_OUTLINE = 0.05
"""Largest distance in mm of a corner of the border from its outline."""
DRAWN_TOLERANCE = 0.01
"""Largest distance in mm of polylines from drawn edges."""
STRAIGHT_WITHIN = 0.01
"""Largest distance of a straight drawn edge from its chord, as a fraction of the chord."""
CALM = 0.4
"""Factor for the stray of corners near a figure."""
SHORT, SLACK = 0.42, 0.8
"""Edges shorter than the first, in usual faces, mostly have no tongue; corners of edges below the second stray less."""
CROWDED = 0.25
"""Edges with less room than this fraction of a usual face have no tongue."""
SHARP, BLUNT = np.radians(30.0), np.radians(52.0)
"""Angles of faces at which their corners do not stray, and from which they stray freely."""


@dataclass(frozen=True, eq=False)
class Joints:
    """Continuations of edges: `at` (m, 2) the joint at the first and the second corner of every edge, or -1; `signs`
    (m, 2) 1 if the edge runs along the joint's direction and -1 if against it; `keys` (j,) for chance; `ways` (j, 2)
    the unit directions."""

    at: Ints
    signs: Floats
    keys: Ints
    ways: Floats


@dataclass(frozen=True, eq=False)
class Labels:
    """Keys for chance and names of a tiling's elements, if they do not follow from ids of its corners.

    Per corner: `corner_keys` (n,), `corner_names`, and `is_knot` (n,) for corners of the border that stay. Per edge:
    `edge_keys` (m,), `edge_names`, and `pieces` (m, 2) the pieces of its half-edges, or -1. Per piece: `piece_keys`
    (p,), `piece_names`.
    """

    corner_keys: Ints
    corner_names: Sequence[str]
    is_knot: NDArray[np.bool_]
    edge_keys: Ints
    edge_names: Sequence[str]
    pieces: Ints
    piece_keys: Ints
    piece_names: Sequence[str]


NO_DETAILS = frozen(np.empty(0, np.int64))


@dataclass(frozen=True, eq=False)
class Filling:
    """A void that is a piece of its own: a figure by its name.

    `codes` (k,) are the half-edges round it, clockwise on the screen, and `holes` the ones along its own holes.
    `straight` are the edges too near it for a tongue, `near` the corners near it. `knobs` are its own tongues. `part`
    are the letters of one of several pieces of a figure, and `details` the edges that end inside it.
    """

    name: str
    codes: Ints
    holes: tuple[Ints, ...]
    straight: Ints
    near: Ints
    knobs: tuple[Knob, ...] = ()
    part: str = ""
    details: Ints = field(default_factory=lambda: NO_DETAILS)

    @property
    def piece(self) -> str:
        """The name of the piece."""
        return self.name + self.part

    @property
    def outlines(self) -> Ints:
        """The half-edges round it and along its holes."""
        return np.concatenate([self.codes, *self.holes])


@dataclass(frozen=True, eq=False)
class Seams:
    """The edges (k,) between two fillings, ascending, and their curves (k runs); `are_within` (k,) the same figure."""

    edges: Ints
    curves: Curves
    are_within: NDArray[np.bool_]

    def joined(self, other: Seams) -> Seams:
        """Append others, with greater numbers."""
        return Seams(
            frozen(np.concatenate([self.edges, other.edges])),
            Curves.gathered([self.curves, other.curves]),
            frozen(np.concatenate([self.are_within, other.are_within])),
        )

    def numbered(self, edges: Ints) -> Seams:
        """Take the numbers of edges from a table (m,)."""
        return replace(self, edges=frozen(edges[self.edges]))


NO_SEAMS = Seams(
    frozen(np.empty(0, np.int64)), Curves(np.empty((0, 2)), np.zeros(1, np.int64)), frozen(np.empty(0, bool))
)


def _steadiness(tiling: Tiling) -> Floats:
    """Factors (n,) for the stray of corners of sharp faces, which would get sharper still; 1 elsewhere."""
    graph, homes = tiling.graph, tiling.homes
    least = np.ones(len(homes))
    after = np.arange(1, len(graph.codes) + 1)
    after[graph.starts[1:] - 1] = graph.starts[:-1]
    edges, backwards = graph.codes >> 1, graph.codes & 1
    begins, ends = graph.edges[edges, backwards], graph.edges[edges, 1 - backwards]
    ways = paired(homes[ends] - homes[begins])
    angles = np.pi - np.abs(np.angle(ways[after] * ways.conj()))
    shares = ((angles - SHARP) / (BLUNT - SHARP)).clip(0.0, 1.0)
    for corners in (begins, ends, ends[after]):
        np.minimum.at(least, corners, shares)
    return frozen(least)


@dataclass(frozen=True, eq=False)
class Tiling:
    """A division of a board of `size` mm into faces.

    Per corner: `homes` (n, 2) mm, `tracks` (n,) FREE, FIXED or the number of a stretch of the outline, `corner_keys`
    (n,) for chance. Per edge: `edge_keys` (m,), `across` (m,) mm of room at right angles to it, `stretches` (m,) the
    stretch along which it runs on the border, or -1. `face_keys` (f,) order the two faces in an edge's name. `scale`
    (2,) is the extent of a usual face in mm, the unit of manual moves. Edges shorter than `shortest`, in its lesser
    side, have no tongues. `voids` are the rings of the board's holes, inner holes first, and `rims` the rings of the
    border. Names are unique, and unchanged elements keep theirs.
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
    """Voids that are pieces of their own, numbered after the faces."""
    given_edge_names: Sequence[str] | None = None
    """Names of edges, if not derived from their pieces, as for merged pieces."""
    leeway: Floats | None = None
    """Distance (n,) in mm that corners can stray before cuts meet the outline, infinite if further than they ever do;
    None in a regular tiling, which needs none."""
    known_chains: tuple[Ints, ...] | Callable[[], tuple[Ints, ...]] | None = None
    """`chains` in an order of the tiling's own, or a function that computes them."""
    known_rim_rooms: Floats | None = None
    origin: Origin | None = None
    """The elements of a spliced tiling shared with its origin."""
    drawn: Curves | None = None
    """The curves (m runs) of edges drawn by a maker, between the homes of their corners; None for straight edges."""
    seams: Seams = NO_SEAMS
    drawn_details: Ints = field(default_factory=lambda: NO_DETAILS)
    """The edges that a maker drew as details, which end inside pieces."""
    shortest: float = SHORT

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
    def is_inner(self) -> NDArray[np.bool_]:
        """Mask (m,) of the edges between two pieces that can have tongues: of two faces, or of figures."""
        inner = np.asarray((self.graph.sides >= 0).all(axis=1))
        inner[self.seams.edges] = True
        return frozen(inner)

    @cached_property
    def inner_edges(self) -> Ints:
        """The edges between two pieces that can have tongues."""
        return frozen(np.flatnonzero(self.is_inner))

    def is_rim(self, edge: int) -> bool:
        """True if an edge cannot have a tongue: it is on the border, or between a figure and the board."""
        return not self.is_inner[edge]

    @cached_property
    def on_border(self) -> NDArray[np.bool_]:
        """True for the edges (m,) of the board's border and holes; the outline of a figure is neither."""
        found = self.graph.sides.min(axis=1) < 0
        for filling in self.fillings:
            found[filling.outlines >> 1] = False
            found[filling.details] = False
        found[self.drawn_details] = False
        return frozen(found)

    @property
    def border_faces(self) -> Ints:
        """The faces at the border, ascending."""
        return distinct(self.graph.sides[self.on_border].max(axis=1))

    @cached_property
    def chains(self) -> tuple[Ints, ...]:
        """Inner cuts as half-edges end to end, in an order with little travel of the head."""
        known = self.known_chains
        if known is None:
            return chained(self.graph.inner_edges, self.joints)
        return known() if callable(known) else known

    @cached_property
    def _ranks(self) -> dict[int, int]:
        """Ranks, by key, of edges after the first between the same two pieces."""
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
        """Cached names: findings name the same few edges again and again."""
        return {}

    @cached_property
    def piece_names(self) -> tuple[str, ...]:
        """The names of all pieces in order."""
        return tuple(map(self.piece_name, range(self.graph.face_count)))

    @cached_property
    def movable(self) -> Ints:
        """The movable corners."""
        return np.flatnonzero(self.tracks != FIXED)

    @cached_property
    def freedom(self) -> Floats:
        """Freedom of every corner to move along x and y, 1 or 0, (n, 2)."""
        kinds = [stretch.freedom for stretch in self.outline.stretches] + [np.zeros(2), np.ones(2)]
        return frozen(np.array(kinds)[self.tracks])

    @cached_property
    def inward(self) -> Floats:
        """The unit normal (n, 2) into the board at the homes of sliding corners; 0 for other corners."""
        result = np.zeros_like(self.homes)
        for stretch, chosen in self.sliding(np.arange(len(self.homes))):
            result[chosen] = self.outline.stretches[stretch].inward(self.homes[chosen])
        return frozen(result)

    def are_closed(self, chains: Sequence[Ints]) -> list[bool]:
        """Return for each chain of half-edges whether it ends where it begins."""
        begins, ends = (np.array([codes[at] for codes in chains], np.int64) for at in (0, -1))
        edges = self.graph.edges
        shut: list[bool] = (edges[begins >> 1, begins & 1] == edges[ends >> 1, 1 - (ends & 1)]).tolist()
        return shut

    def sliding(self, corners: Ints) -> list[tuple[int, Ints]]:
        """Group sliding corners by stretch, as indices into `corners`."""
        tracks = self.tracks[corners]
        return [(track, np.flatnonzero(tracks == track)) for track in sorted({*tracks.tolist()} - {FREE, FIXED})]

    def reached(self, corners: Ints, places: Floats) -> Floats:
        """Places (k, 2) reached by corners dragged to places (k, 2): on the board, or along their stretches."""
        result = places.copy()
        free = self.tracks[corners] == FREE
        result[free] = self.outline.held(places[free])
        for stretch, chosen in self.sliding(corners):
            result[chosen] = self.outline.stretches[stretch].nearest(places[chosen])
        return result

    @cached_property
    def corner_indices(self) -> dict[str, int]:
        """The movable corners by name."""
        return {self.corner_name(corner): corner for corner in self.movable.tolist()}

    @cached_property
    def edge_indices(self) -> dict[str, int]:
        """The inner edges by name."""
        names = self.piece_names
        inner = self.inner_edges
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
        """The length (m,) in mm of every edge between its corners' homes."""
        ends = self.homes[self.graph.edges]
        return frozen(np.hypot(*(ends[:, 1] - ends[:, 0]).T))

    @cached_property
    def bows(self) -> Floats:
        """The side (m,) to which most of each drawn edge lies, as of tongues: 1 or -1, and 0 for straight edges."""
        bows = np.zeros(len(self.lengths))
        edges, curves = (self.seams.edges, self.seams.curves) if self.drawn is None else (slice(None), self.drawn)
        if not len(curves):
            return frozen(bows)
        begins, ends = curves.ends[curves.owners].transpose(1, 0, 2)
        (right, down), (x, y) = (ends - begins).T, (curves.points - begins).T
        off, firsts = right * y - down * x, curves.starts[:-1]
        is_bowed = np.maximum.reduceat(np.abs(off), firsts) > STRAIGHT_WITHIN * self.lengths[edges] ** 2
        bows[edges] = np.where(is_bowed, np.where(np.add.reduceat(off, firsts) < 0, -1.0, 1.0), 0.0)
        return frozen(bows)

    def drawn_curves(self, edges: Ints) -> Curves:
        """The curves of drawn edges, or of seams, between the homes of their corners."""
        if self.drawn is not None:
            return self.drawn.chosen(edges)
        return self.seams.curves.chosen(np.searchsorted(self.seams.edges, edges))

    @cached_property
    def rim_gaps(self) -> Floats:
        """The length (n,) in mm of the shorter edge along the border at every corner; infinite away from it."""
        rim = self.stretches >= 0
        gaps = np.full(len(self.homes), np.inf)
        np.minimum.at(gaps, self.graph.edges[rim].ravel(), np.repeat(self.lengths[rim], 2))
        return frozen(gaps)

    @cached_property
    def is_bare(self) -> NDArray[np.bool_]:
        """Mask (m,) of edges too short for a tongue, or too near to something else; all False in a regular tiling."""
        if self.leeway is None:
            return frozen(np.zeros(len(self.lengths), bool))
        room = np.minimum(self.across, self.rim_rooms)
        bare = (self.lengths < self.shortest * self.scale.min()) | (room < CROWDED * self.scale.min())
        for one in self.fillings:
            bare[one.straight] = True
        return frozen(bare)

    @cached_property
    def slack(self) -> Floats:
        """Stray of every corner as a fraction of the usual, (n,): less at short edges and near figures, 0 on them."""
        if self.leeway is None:
            return frozen(np.ones(len(self.homes)))
        least = self.leeway.copy()
        np.minimum.at(least, self.graph.edges.ravel(), np.repeat(self.lengths, 2))
        slack = np.minimum(1.0, least / (SLACK * float(self.scale.min())))
        for one in self.fillings:
            slack[one.near] *= CALM
        slack[self.is_on_figure] = 0.0
        return frozen(slack)

    steadiness = cached_property(_steadiness)

    @cached_property
    def rim_rooms(self) -> Floats:
        """Room (m,) in mm that the outline leaves to the tongues of inner edges; infinite far away from it."""
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
        """Mask (n,) of the corners on the outline of a figure."""
        on = np.zeros(len(self.homes), bool)
        for one in self.fillings:
            on[self.graph.edges[one.codes >> 1]] = True
        return frozen(on)

    @cached_property
    def borders(self) -> tuple[Ints, ...]:
        """The rings of half-edges round the board with the figures that reach over its border."""
        codes = np.concatenate([one.codes for one in self.fillings]) if self.fillings else self.rims[0][:0]
        if not any(np.isin(ring, codes).any() for ring in self.rims):
            return self.rims
        beyond = codes[(self.graph.sides[codes >> 1] < 0).all(axis=1)] ^ 1
        inside = np.concatenate([*(one.outlines for one in self.fillings), *self.voids])
        around = np.concatenate([*self.rims, np.setdiff1d(beyond, inside)])
        around = around[~np.isin(around, codes)]
        begins = self.graph.edges[around >> 1, around & 1].tolist()
        following, rings = dict(zip(begins, around.tolist(), strict=True)), list[Ints]()
        while following:
            at, ring = min(following), list[int]()
            while at in following:
                ring.append(following.pop(at))
                at = int(self.graph.edges[ring[-1] >> 1, 1 - (ring[-1] & 1)])
            rings.append(np.array(ring, np.int64))
        return tuple(rings)

    @cached_property
    def details(self) -> frozenset[int]:
        """The edges that end inside pieces."""
        return frozenset(np.concatenate([*(one.details for one in self.fillings), self.drawn_details]).tolist())

    @cached_property
    def figure_cuts(self) -> tuple[Ints, ...]:
        """Details, and open cuts of figures, as half-edges end to end: those that end inside a piece come first, then
        those between pieces, and those where a figure reaches the border."""
        details = np.concatenate([*(one.details for one in self.fillings), self.drawn_details]).tolist()
        cuts = [np.array([2 * edge]) for edge in (*details, *self.seams.edges.tolist())]
        codes = np.concatenate([one.codes for one in self.fillings]) if self.fillings else self.rims[0][:0]
        for ring in self.rims:
            inside = np.isin(ring, codes)
            if inside.any() and not inside.all():
                first = int(np.flatnonzero(~inside)[0])
                ring, inside = np.roll(ring, -first), np.roll(inside, -first)
                cuts += [part for part in np.split(ring, 1 + np.flatnonzero(np.diff(inside))) if part[0] in codes]
        return tuple(cuts)

    def piece_at(self, code: int) -> str:
        """The name of the piece that a half-edge goes around."""
        face = int(self.graph.sides[code >> 1, code & 1])
        return self.piece_name(face) if face >= 0 else self._filling_at.get(code, "")

    @cached_property
    def _filling_at(self) -> dict[int, str]:
        return {code: one.piece for one in self.fillings for code in one.outlines.tolist()}

    @cached_property
    def figure_of(self) -> dict[int, str]:
        """The names of figures, by the edges along them."""
        return {
            edge: one.name
            for one in self.fillings
            for edge in np.concatenate([one.details, one.outlines >> 1]).tolist()
        }

    @cached_property
    def figure_tongues(self) -> tuple[tuple[str, Knob], ...]:
        """The tongues of figures, each with the name of its figure; they are numbered after the edges."""
        return tuple((one.name, knob) for one in self.fillings for knob in one.knobs)

    def tongue_name(self, tongue: int) -> str:
        """The name of an inner edge, or of a figure's tongue, `fish1.2`."""
        beyond = tongue - len(self.edge_keys)
        if beyond < 0:
            return self.edge_name(tongue)
        figure, knob = self.figure_tongues[beyond]
        return f"{figure}.{knob.number}"

    @cached_property
    def tongue_indices(self) -> dict[str, int]:
        """The inner edges and the figures' tongues by name."""
        if not self.figure_tongues:
            return self.edge_indices
        count = len(self.edge_keys)
        return self.edge_indices | {
            self.tongue_name(tongue): tongue for tongue in range(count, count + len(self.figure_tongues))
        }

    @cached_property
    def incentres(self) -> Floats:
        """Centre and radius (f, 3) in mm of the largest circle in every face, clear of its holes."""
        lines = None if self.drawn is None else self.drawn.flattened(DRAWN_TOLERANCE)
        return frozen(_incentres(self.graph, self.homes, INCENTRE_TOLERANCE * float(self.scale.min()), lines))


@dataclass(frozen=True, eq=False)
class Origin:
    """A tiling, and its corner and edge that equal each corner (n,) and edge (m,) of another, or -1."""

    tiling: Tiling
    corners: Ints
    edges: Ints

    @staticmethod
    def from_tiling(tiling: Tiling) -> Origin:
        """The origin of a spliced tiling, or the tiling itself."""
        return tiling.origin or Origin(tiling, np.arange(len(tiling.homes)), np.arange(len(tiling.graph.edges)))


def polygons_of(
    graph: PlanarGraph, homes: Floats, some: Ints | None = None, lines: Polylines | None = None
) -> NDArray[np.object_]:
    """All faces, or some, as polygons with holes; edges are straight without `lines` (m runs)."""
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
    if lines is not None:
        return as_polygons(lines.joined(codes, bounds), owners)
    begins = homes[graph.edges[codes >> 1, codes & 1]]
    return as_polygons(Polylines(begins, bounds), owners)


def _incentres(graph: PlanarGraph, homes: Floats, tolerance: float, lines: Polylines | None = None) -> Floats:
    import shapely

    radii = shapely.maximum_inscribed_circle(polygons_of(graph, homes, lines=lines), tolerance)
    middles = shapely.get_coordinates(shapely.get_point(radii, 0))
    return np.column_stack([middles, shapely.length(radii)])


def distinguished(names: Sequence[str], keys: Sequence[Sequence[int]] | None = None) -> list[str]:
    """Append `.2`, `.3` … to repeated names, except the first of each, in the order of their keys, or of the names
    without keys."""
    order = sorted(range(len(names)), key=lambda at: (names[at], keys[at] if keys else at))
    result = list(names)
    rank = 1
    for before, at in pairwise(order):
        rank = rank + 1 if names[before] == names[at] else 1
        if rank > 1:
            result[at] = f"{names[at]}.{rank}"
    return result


def cut_counts(tiling: Tiling) -> Ints:
    """Count the edges (n,) between two pieces that can have tongues at every corner."""
    return np.bincount(tiling.graph.edges[tiling.inner_edges].ravel(), minlength=tiling.graph.corner_count)


def chained(edges: Ints, joints: Joints) -> tuple[Ints, ...]:
    """Link inner edges along joints into chains of half-edges, each edge once; a chain may be closed."""
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
