"""Splicing: a tiling in which a patch, such as the surroundings of a figure, replaces a part of the base.

base: the whole tiling, without the new elements. patch: a window of it, divided anew with them. core: the faces of the
patch that replace others. seam: the edges between the core and faces that are the same in both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from studio.geometry.board.outline import Outline
from studio.geometry.board.tiling import NONE, REST_KEY, Filling, Joints, Origin, Tiling, chained, cut_counts
from studio.geometry.board.tiling_construction import inner_first
from studio.geometry.curves.strokes import Curves, Floats, Ints, frozen, offsets, paired, ranges
from studio.geometry.planar.graph import PlanarGraph

FINEST = 1e-5
"""Corners nearer to each other than this, in mm, are the same."""
Flags = NDArray[np.bool_]
V = TypeVar("V", Floats, Ints)


def spliced(base: Tiling, patch: Tiling, moved: Ints, around: Outline) -> Tiling | None:
    """Put the core of a patch into the base; None if the patch is too small for that.

    `moved` are the corners of the patch that the new elements have moved, `around` is the outline without them.
    """
    match = _Match.from_base(base, patch)
    core = _core(patch, match, moved)
    gone = None if core is None else _gone(base, patch, match, core)
    return None if core is None or gone is None else _Splice(base, patch, match, core, gone, around).tiling


@dataclass(frozen=True, eq=False)
class _Match:
    """The equal corner, edge and face of the base for each of the patch's, or -1; `flips` is 1 for edges that run the
    other way there."""

    corners: Ints
    edges: Ints
    flips: Ints
    faces: Ints

    @staticmethod
    def from_base(base: Tiling, patch: Tiling) -> _Match:
        spots, pairs = _numbered(base)
        corners = spots.places(_spots(patch.homes))
        ends = corners[patch.graph.edges]
        known = (ends >= 0).all(axis=1)
        edges = pairs.places(np.where(known, _pairs(ends, len(base.homes)), -1))
        flips = (base.graph.edges[edges, 0] != ends[:, 0]).astype(np.int64)
        # The face of the base with the same edges and name as each face of the patch, or -1.
        graph = patch.graph
        at = edges[graph.codes >> 1]
        beside = np.where(at >= 0, base.graph.sides[at, (graph.codes & 1) ^ flips[graph.codes >> 1]], -1)
        firsts = graph.starts[:-1]
        faces = np.minimum.reduceat(beside, firsts)
        alike = (faces >= 0) & (faces == np.maximum.reduceat(beside, firsts))
        alike &= np.diff(graph.starts) == np.diff(base.graph.starts)[faces]
        alike &= patch.face_keys == base.face_keys[faces]
        for face in np.flatnonzero(alike).tolist():
            alike[face] = patch.piece_name(face) == base.piece_name(int(faces[face]))
        return _Match(corners, edges, flips, np.where(alike, faces, -1))


def _spots(places: Floats) -> Ints:
    """Encode places as whole numbers, equal for equal places."""
    across, down = np.rint(places / FINEST).astype(np.int64).T
    return np.asarray((across << 32) + down)


def _pairs(ends: Ints, count: int) -> Ints:
    """Encode pairs (k, 2) of `count` corners as numbers, equal for either order."""
    return np.asarray(ends.min(axis=1) * count + ends.max(axis=1))


@dataclass(frozen=True, eq=False)
class _Numbers:
    """Numbers (k,) for look-ups, ascending, and their places in the original order."""

    ascending: Ints
    order: Ints

    @staticmethod
    def from_numbers(numbers: Ints) -> _Numbers:
        order = np.argsort(numbers, kind="stable")
        return _Numbers(numbers[order], order)

    def places(self, sought: Ints) -> Ints:
        """The original places of sought numbers, or -1."""
        at = np.minimum(np.searchsorted(self.ascending, sought), len(self.ascending) - 1)
        return np.where(self.ascending[at] == sought, self.order[at], -1)


@lru_cache(maxsize=2)
def _numbered(base: Tiling) -> tuple[_Numbers, _Numbers]:
    """Encoded corners and edges of a tiling, cached, since every move of a figure looks up the same ones."""
    return _Numbers.from_numbers(_spots(base.homes)), _Numbers.from_numbers(_pairs(base.graph.edges, len(base.homes)))


def _core(patch: Tiling, match: _Match, moved: Ints) -> Flags | None:
    """Mask of the patch's faces that differ around the new elements; None if they reach the window's rest."""
    graph = patch.graph
    core = np.zeros(graph.face_count, bool)
    core[graph.faces_at(np.concatenate([one.codes >> 1 for one in patch.fillings]))] = True
    core[graph.faces_at(graph.edges_at(moved))] = True
    _flood(core, graph.sides[graph.inner_edges], match.faces < 0)
    rest = np.append(patch.face_keys == REST_KEY, False)[graph.sides].any(axis=1)
    inside = np.append(core, False)[graph.sides].any(axis=1)
    return None if np.intersect1d(graph.edges[rest], graph.edges[inside]).size else core


def _gone(base: Tiling, patch: Tiling, match: _Match, core: Flags) -> Flags | None:
    """Mask of the base's faces that the core replaces; None if the two have different shapes."""
    graph, sides = base.graph, patch.graph.sides
    within = np.append(core, False)[sides]
    seam = np.flatnonzero((within.sum(axis=1) == 1) & (sides >= 0).all(axis=1))
    at = match.edges[seam]
    other = np.where(within[seam, 0], 1, 0)
    if not len(seam) or (at < 0).any():
        return None
    beyond = graph.sides[at, 1 - (other ^ match.flips[seam])]
    if (beyond < 0).any():
        return None
    gone = np.zeros(graph.face_count, bool)
    gone[beyond] = True
    open_ = np.ones(len(graph.edges), bool)
    open_[at] = False
    _flood(gone, graph.sides[open_ & (graph.sides >= 0).all(axis=1)], np.ones(graph.face_count, bool))
    stays = match.faces[(match.faces >= 0) & ~core]
    beside = graph.faces_at(np.concatenate([one.codes for one in base.fillings]) >> 1) if base.fillings else stays[:0]
    return None if gone[stays].any() or gone[beside].any() else gone


def _flood(chosen: Flags, pairs: Ints, able: Flags) -> None:
    """Extend a choice of faces, in place, to all able faces connected with it."""
    while True:
        one, other = pairs.T
        edge = chosen[one] != chosen[other]
        faces = np.where(chosen[one], other, one)[edge]
        faces = faces[able[faces]]
        if not len(faces):
            return
        chosen[faces] = True


@dataclass(frozen=True, eq=False)
class _Splice:
    """The base without replaced elements, followed by the corners and edges of the core."""

    base: Tiling
    patch: Tiling
    match: _Match
    core: Flags
    gone: Flags
    around: Outline

    @property
    def known(self) -> int:
        """The number of stretches that the patch's outline shares with the base's."""
        return len(self.around.stretches)

    @cached_property
    def kept_edges(self) -> Ints:
        """The base's edges with a kept face, or with no face at all, such as the holes of figures."""
        sides = self.base.graph.sides
        return np.flatnonzero((np.append(~self.gone, False)[sides]).any(axis=1) | (sides < 0).all(axis=1))

    @cached_property
    def new_edges(self) -> Ints:
        """The patch's edges inside its core."""
        sides = self.patch.graph.sides
        inside = (np.append(self.core, True)[sides]).all(axis=1)
        return np.flatnonzero(inside & (self._is_trusted_edge | (sides < 0).all(axis=1)))

    @cached_property
    def _trusted_faces(self) -> Flags:
        return np.asarray(self.core | (self.match.faces >= 0))

    @cached_property
    def _is_trusted_edge(self) -> Flags:
        return np.asarray(np.append(self._trusted_faces, True)[self.patch.graph.sides].all(axis=1))

    @cached_property
    def _is_trusted_corner(self) -> Flags:
        """Mask of the patch's corners whose edges are all trusted."""
        trusted = np.ones(len(self.patch.homes), bool)
        trusted[self.patch.graph.edges[~self._is_trusted_edge]] = False
        return trusted

    @cached_property
    def edges_of_base(self) -> Ints:
        """The numbers of the base's edges in the whole, or -1."""
        return _numbers(self.kept_edges, len(self.base.graph.edges))

    @cached_property
    def edges_of_patch(self) -> Ints:
        """The numbers of the patch's edges in the whole, or -1."""
        numbers = np.append(self.edges_of_base, -1)[self.match.edges]
        numbers[self.new_edges] = len(self.kept_edges) + np.arange(len(self.new_edges))
        return numbers

    @cached_property
    def kept_corners(self) -> Ints:
        """The base's corners at kept edges."""
        return _used(self.base.graph, self.kept_edges)

    @cached_property
    def corners_of_base(self) -> Ints:
        """The numbers of the base's corners in the whole, or -1."""
        return _numbers(self.kept_corners, len(self.base.homes))

    @cached_property
    def new_corners(self) -> Ints:
        """The patch's corners at new edges, without kept corners of the base."""
        used = _used(self.patch.graph, self.new_edges)
        return used[np.append(self.corners_of_base, -1)[self.match.corners[used]] < 0]

    @cached_property
    def corners_of_patch(self) -> Ints:
        """The numbers of the patch's corners in the whole, or -1."""
        numbers = np.append(self.corners_of_base, -1)[self.match.corners]
        numbers[self.new_corners] = len(self.kept_corners) + np.arange(len(self.new_corners))
        return numbers

    @property
    def tiling(self) -> Tiling | None:
        """The spliced tiling; None if one of its rings touches itself."""
        base, patch = self.base, self.patch
        faces = self._faces()
        outside = _outside(self._edges, faces.sides)
        if outside is None:
            return None
        stretches = self._both_edges(base.stretches, self._stretches_moved(patch.stretches))
        rims, voids = self._rings(outside, stretches)
        graph = self._graph(faces, [*rims, *voids])
        homes = self._both_corners(base.homes, patch.homes)
        joints = self._joints()
        fillings = (*self._fillings(base, self._of_base), *self._fillings(patch, self._of_patch))
        holes = [ring for one in fillings for ring in one.holes]
        origin = Origin.from_tiling(base)
        names = _listed(base.corner_name, self.kept_corners) + _listed(patch.corner_name, self.new_corners)
        return Tiling(
            graph=graph,
            outline=self._outline(),
            size=base.size,
            scale=base.scale,
            homes=frozen(homes),
            tracks=frozen(self._both_corners(base.tracks, self._stretches_moved(patch.tracks))),
            corner_keys=frozen(self._both_corners(base.corner_keys, patch.corner_keys)),
            edge_keys=frozen(self._both_edges(base.edge_keys, patch.edge_keys)),
            face_keys=frozen(np.concatenate([base.face_keys[~self.gone], patch.face_keys[self.core]])[faces.order]),
            across=frozen(self._renewed_edges(base.across, patch.across)),
            stretches=frozen(stretches),
            joints=joints,
            voids=inner_first(graph, homes, [*holes, *voids]),
            rims=tuple(rims),
            corner_name=names.__getitem__,
            piece_name=faces.names.__getitem__,
            fillings=fillings,
            given_edge_names=self._edge_names,
            leeway=frozen(self._renewed_corners(_known(base.leeway), _known(patch.leeway))),
            known_chains=partial(self._chains, graph, joints),
            known_rim_rooms=frozen(self._renewed_edges(base.rim_rooms, patch.rim_rooms)),
            drawn_details=np.setdiff1d(self.edges_of_base[base.drawn_details], -1),
            seams=base.seams.numbered(self.edges_of_base).joined(patch.seams.numbered(self.edges_of_patch)),
            origin=Origin(
                origin.tiling,
                np.append(origin.corners[self.kept_corners], np.full(len(self.new_corners), -1)),
                np.append(origin.edges[self.kept_edges], np.full(len(self.new_edges), -1)),
            ),
        )

    @property
    def _edge_names(self) -> list[str]:
        given = [(self.base.given_edge_names, self.kept_edges), (self.patch.given_edge_names, self.new_edges)]
        return [name for names, some in given if names is not None for name in np.array(names, object)[some].tolist()]

    def _both_corners(self, base: V, patch: V) -> V:
        """Values of all corners, in the base's order and then in the patch's."""
        return np.concatenate([base[self.kept_corners], patch[self.new_corners]])

    def _both_edges(self, base: V, patch: V) -> V:
        return np.concatenate([base[self.kept_edges], patch[self.new_edges]])

    def _renewed_corners(self, base: Floats, patch: Floats) -> Floats:
        """Values of all corners, the patch's at trusted corners."""
        values, trusted = self._both_corners(base, patch), self._is_trusted_corner & (self.corners_of_patch >= 0)
        values[self.corners_of_patch[trusted]] = patch[trusted]
        return values

    def _renewed_edges(self, base: Floats, patch: Floats) -> Floats:
        values, trusted = self._both_edges(base, patch), self._is_trusted_edge & (self.edges_of_patch >= 0)
        values[self.edges_of_patch[trusted]] = patch[trusted]
        return values

    def _stretches_moved(self, numbers: Ints) -> Ints:
        """Stretches of the patch by their numbers in the whole."""
        more = len(self.base.outline.stretches) - self.known
        return np.where(numbers >= self.known, numbers + more, numbers)

    @cached_property
    def _edges(self) -> Ints:
        return np.concatenate(
            [
                self.corners_of_base[self.base.graph.edges[self.kept_edges]],
                self.corners_of_patch[self.patch.graph.edges[self.new_edges]],
            ]
        )

    def _of_base(self, codes: Ints) -> Ints:
        """Numbers of the base's half-edges in the whole; -1 or -2 for removed edges."""
        return np.asarray(2 * self.edges_of_base[codes >> 1] + (codes & 1))

    def _of_patch(self, codes: Ints) -> Ints:
        """Numbers of the patch's half-edges in the whole, new or not."""
        edges = codes >> 1
        return np.asarray(2 * self.edges_of_patch[edges] + ((codes & 1) ^ self._flips[edges]))

    @cached_property
    def _flips(self) -> Ints:
        """1 for edges (m,) of the patch that run the other way in the whole, else 0."""
        flips = self.match.flips.copy()
        flips[self.new_edges] = 0
        return flips

    def _faces(self) -> _Faces:
        parts = [
            _rings_of(self.base.graph, ~self.gone, self._of_base),
            _rings_of(self.patch.graph, self.core, self._of_patch),
        ]
        kept = int((~self.gone).sum())
        codes, counts, owners, is_hole = (
            np.concatenate([one, other]) for one, other in zip(parts[0], parts[1], strict=True)
        )
        owners[len(parts[0][2]) :] += kept
        names = _listed(self.base.piece_name, np.flatnonzero(~self.gone))
        names += _listed(self.patch.piece_name, np.flatnonzero(self.core))
        # Each face of the core comes after the kept face before it in the patch.
        stays = np.append(np.cumsum(~self.gone) - 1, -1)[self.match.faces]
        before = np.maximum.accumulate(stays)[self.core]
        order = np.argsort(np.concatenate([np.arange(kept), before + 0.5]), kind="stable")
        return _Faces.from_codes(
            codes, counts, owners, is_hole, order, [names[at] for at in order.tolist()], len(self._edges)
        )

    def _rings(self, outside: list[Ints], stretches: Ints) -> tuple[list[Ints], list[Ints]]:
        """Split the outer rings into rims of boards and rings round holes."""
        rim_of = {}
        for at, ring in enumerate(self.base.rims):
            for stretch in np.unique(self.base.stretches[ring >> 1]).tolist():
                rim_of[stretch] = at
        places = [rim_of.get(int(stretches[ring[0] >> 1]), NONE) for ring in outside]
        order = sorted(range(len(outside)), key=lambda at: (places[at], int(outside[at].min())))
        return [outside[at] for at in order if places[at] >= 0], [outside[at] for at in order if places[at] < 0]

    def _graph(self, faces: _Faces, rings: list[Ints]) -> PlanarGraph:
        corners, ends = len(self.kept_corners) + len(self.new_corners), self._edges.ravel()
        return PlanarGraph(
            corner_count=corners,
            edges=frozen(self._edges),
            sides=frozen(faces.sides),
            codes=frozen(faces.codes),
            starts=frozen(faces.starts),
            holes=frozen(faces.holes),
            rim=frozen(np.concatenate(rings)),
            rim_starts=frozen(offsets(np.array([len(ring) for ring in rings], np.int64))),
            star_edges=frozen(np.argsort(ends, kind="stable") >> 1),
            star_starts=frozen(offsets(np.bincount(ends, minlength=corners).astype(np.int64))),
        )

    def _joints(self) -> Joints:
        """The patch's joints at its trusted corners, the base's elsewhere."""
        base, patch = self.base.joints, self.patch.joints
        at, signs = np.full(self._edges.shape, NONE), np.ones(self._edges.shape)
        trusted, renewed = self._is_trusted_corner & (self.corners_of_patch >= 0), self._is_renewed
        at[: len(self.kept_edges)] = base.at[self.kept_edges]
        signs[: len(self.kept_edges)] = base.signs[self.kept_edges]
        at[renewed[self._edges]], signs[renewed[self._edges]] = NONE, 1.0
        known = np.flatnonzero(self.edges_of_patch >= 0)
        edge, end = np.nonzero(trusted[self.patch.graph.edges[known]] & (patch.at[known] >= 0))
        edge = known[edge]
        codes = self._of_patch(2 * edge + end)
        flipped = (codes & 1) != end
        at[codes >> 1, codes & 1] = len(base.keys) + patch.at[edge, end]
        signs[codes >> 1, codes & 1] = np.where(flipped, -1.0, 1.0) * patch.signs[edge, end]
        keys, ways = np.concatenate([base.keys, patch.keys]), np.concatenate([base.ways, patch.ways])
        is_used = np.zeros(len(keys) + 1, bool)
        is_used[at] = True
        used = np.flatnonzero(is_used[:-1])
        at = np.append(_numbers(used, len(keys)), NONE)[at]
        return Joints(frozen(at), frozen(signs), frozen(keys[used]), frozen(ways[used]))

    @cached_property
    def _is_renewed(self) -> Flags:
        """Mask of the whole's corners with the patch's joints."""
        renewed = np.zeros(len(self.kept_corners) + len(self.new_corners), bool)
        renewed[self.corners_of_patch[self._is_trusted_corner & (self.corners_of_patch >= 0)]] = True
        return renewed

    def _chains(self, graph: PlanarGraph, joints: Joints) -> tuple[Ints, ...]:
        """The base's chains untouched by the patch, followed by the chains of all other cuts."""
        chains = self.base.chains
        if not chains:
            return chained(graph.inner_edges, joints)
        starts = offsets(np.array([len(chain) for chain in chains], np.int64))
        codes = self._of_base(np.concatenate(chains))
        touched = (codes < 0) | self._is_renewed[self._edges[codes >> 1]].any(axis=1)
        stays = ~np.logical_or.reduceat(touched, starts[:-1])
        kept = [
            codes[low:high] for low, high in zip(starts[:-1][stays].tolist(), starts[1:][stays].tolist(), strict=True)
        ]
        is_left = np.asarray((graph.sides >= 0).all(axis=1))
        is_left[codes[np.repeat(stays, np.diff(starts))] >> 1] = False
        return (*kept, *chained(np.flatnonzero(is_left), joints))

    def _fillings(self, tiling: Tiling, numbered: Callable[[Ints], Ints]) -> list[Filling]:
        corners = self.corners_of_base if tiling is self.base else self.corners_of_patch

        def known(numbers: Ints) -> Ints:
            return np.sort(numbers[numbers >= 0])

        return [
            replace(
                one,
                codes=numbered(one.codes),
                holes=tuple(numbered(hole) for hole in one.holes),
                straight=known(numbered(2 * one.straight) >> 1),
                near=known(corners[one.near]),
                details=numbered(2 * one.details) >> 1,
            )
            for one in tiling.fillings
        ]

    def _outline(self) -> Outline:
        """The base's outline with the new rings."""
        base, patch, new = self.base.outline, self.patch.outline, self.patch.outline.stretches[self.known :]
        rings = [*map(base.rings.__getitem__, range(len(base.rings)))]
        rings += map(patch.rings.__getitem__, range(len(self.around.rings), len(patch.rings)))
        from studio.geometry.board.inlays import Run
        from studio.geometry.board.outline import Bow

        count = sum(isinstance(one, Bow) and not isinstance(one, Run) and not one.is_closed for one in new)
        bends = patch.bends[len(patch.bends) - count :]
        return Outline((*base.stretches, *new), Curves.from_strokes(rings), np.concatenate([base.bends, bends]))


@dataclass(frozen=True, eq=False)
class _Faces:
    """Faces as in PlanarGraph; `order` (f,) are their numbers before sorting."""

    codes: Ints
    starts: Ints
    holes: Ints
    sides: Ints
    order: Ints
    names: list[str]

    @staticmethod
    def from_codes(
        codes: Ints, counts: Ints, owners: Ints, is_hole: Flags, order: Ints, names: list[str], edges: int
    ) -> _Faces:
        """Build from concatenated rings of half-edges: their lengths, faces and hole flags, and the count of edges."""
        rank = _numbers(order, len(order))
        rings = np.argsort(rank[owners], kind="stable")
        codes = codes[ranges(offsets(counts)[:-1][rings], counts[rings])]
        begins_at = offsets(counts[rings])
        starts = np.append(begins_at[:-1][~is_hole[rings]], len(codes))
        sides = np.full(2 * edges, NONE)
        sides[codes] = np.repeat(np.arange(len(names)), np.diff(starts))
        return _Faces(codes, starts, begins_at[:-1][is_hole[rings]], sides.reshape(-1, 2), order, names)


def _rings_of(graph: PlanarGraph, chosen: Flags, numbered: Callable[[Ints], Ints]) -> tuple[Ints, Ints, Ints, Flags]:
    """Half-edges of chosen faces, and for every ring its length, its face among the chosen, and a flag for holes."""
    bounds = np.sort(np.concatenate([graph.starts, graph.holes]))
    owners = np.searchsorted(graph.starts, bounds[:-1], side="right") - 1
    stays = chosen[owners]
    counts = np.diff(bounds)[stays]
    codes = numbered(graph.codes[ranges(bounds[:-1][stays], counts)])
    number = np.cumsum(chosen) - 1
    is_hole = np.zeros(len(graph.codes) + 1, bool)
    is_hole[graph.holes] = True
    return codes, counts, number[owners[stays]], is_hole[bounds[:-1][stays]]


def _outside(edges: Ints, sides: Ints) -> list[Ints] | None:
    """Rings of half-edges without a face, from the least corner on; None if a ring touches itself."""
    outside = sides < 0
    codes = np.flatnonzero((outside & ~outside[:, ::-1]).ravel())
    begins, ends = edges[codes >> 1, codes & 1], edges[codes >> 1, 1 - (codes & 1)]
    if len(np.unique(begins)) < len(begins):
        return None
    following = dict(zip(begins.tolist(), zip(codes.tolist(), ends.tolist(), strict=True), strict=True))
    rings = []
    for begin in sorted(following):
        ring, at = [], begin
        while at in following:
            code, at = following.pop(at)
            ring.append(code)
        if ring:
            rings.append(np.array(ring, np.int64))
    return rings


def _used(graph: PlanarGraph, edges: Ints) -> Ints:
    """The corners of edges, ascending."""
    is_used = np.zeros(graph.corner_count, bool)
    is_used[graph.edges[edges]] = True
    return np.flatnonzero(is_used)


def _numbers(kept: Ints, count: int) -> Ints:
    """The place of each element among the kept ones, or -1."""
    numbers = np.full(count, -1)
    numbers[kept] = np.arange(len(kept))
    return numbers


def _listed(name: Callable[[int], str], some: Ints) -> list[str]:
    return [*map(name, some.tolist())]


def _known(values: Floats | None) -> Floats:
    assert values is not None, "a tiling of cells knows its leeway"
    return values


# Elements shared by two tilings spliced from the same origin, as when a figure moves


@dataclass(frozen=True, eq=False)
class Shared:
    """The equivalent elements of another tiling, or -1.

    `corners` (n,) have the same home, freedom and number of cuts, on which landings depend, `tongues` (m,) are edges of
    the same name that both can or cannot have one, and `edges` (m,) also have the same joints and no end on a figure.
    """

    corners: Ints
    tongues: Ints
    edges: Ints

    @staticmethod
    def from_tiling(tiling: Tiling, other: Tiling) -> Shared | None:
        """Compare two tilings; None unless both have the same origin."""
        here, there = Origin.from_tiling(tiling), Origin.from_tiling(other)
        if here.tiling is not there.tiling:
            return None
        known = len(here.tiling.outline.stretches)
        corners = _shared(here.corners, there.corners, len(here.tiling.homes))
        same = (paired(tiling.homes) == paired(other.homes)[corners]) & (tiling.slack == other.slack[corners])
        same &= (tiling.tracks == other.tracks[corners]) & (tiling.tracks < known)
        same &= (tiling.rim_gaps == other.rim_gaps[corners]) & (cut_counts(tiling) == cut_counts(other)[corners])
        same &= ~tiling.is_on_figure & ~other.is_on_figure[corners]
        corners = _where(same, corners)
        edges = _shared(here.edges, there.edges, len(here.tiling.edge_keys))
        tongues = _where(tiling.is_bare == other.is_bare[edges], edges)
        same = (tiling.stretches == other.stretches[edges]) & (tiling.stretches < known)
        same &= _same_joints(tiling.joints, other.joints, edges)
        same &= (corners[tiling.graph.edges] == other.graph.edges[edges]).all(axis=1)
        return Shared(corners, tongues, _where(same, edges))

    def other_faces(self, graph: PlanarGraph, before: PlanarGraph) -> NDArray[np.bool_]:
        """Mask (f,) of the graph's faces without an equal face, by edges, in the graph `before`."""
        edges = self.edges[graph.codes >> 1]
        beside = np.where(edges >= 0, before.sides[edges, graph.codes & 1], NONE)
        firsts = graph.starts[:-1]
        faces = np.minimum.reduceat(beside, firsts)
        other = (faces < 0) | (faces != np.maximum.reduceat(beside, firsts))
        return np.asarray(other | (np.diff(graph.starts) != np.diff(before.starts)[faces]))


def _shared(here: Ints, there: Ints, count: int) -> Ints:
    """Indices in `there` of the elements `here`, or -1."""
    at = np.full(count + 1, NONE)
    at[there] = np.arange(len(there))
    at[-1] = NONE
    return np.asarray(at[here])


def _where(same: NDArray[np.bool_], numbers: Ints) -> Ints:
    return np.where(same, numbers, NONE)


def _same_joints(here: Joints, there: Joints, edges: Ints) -> NDArray[np.bool_]:
    """Mask of edges (m,) that continue, or end, at both ends as the others (m,) do."""
    at, other = here.at, there.at[edges]
    same = (at < 0) == (other < 0)
    keys, ways = np.append(here.keys, 0), np.append(paired(here.ways), 0.0)
    keys_there, ways_there = np.append(there.keys, 0), np.append(paired(there.ways), 0.0)
    same &= (keys[at] == keys_there[other]) & (ways[at] == ways_there[other])
    same &= here.signs == there.signs[edges]
    return np.asarray(same.all(axis=1))
