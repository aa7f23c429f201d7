"""Figures that fill voids of a tiling as pieces of their own, and how the cuts around end on them.

spot: a place on a figure's outline where a cut may end. A cut meets an outline squarely where it soon leads away from
it; lengths are in cells, the lesser side of a usual face.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from studio.errors import StudioError
from studio.geometry.curves import Curves, Floats, Ints, frozen, offsets
from studio.geometry.distances import Distances
from studio.geometry.knobs import Knob, Surroundings, knobs, numbered
from studio.geometry.outline import Bow
from studio.geometry.planar import PlanarGraph, crossing
from studio.geometry.thinness import region
from studio.geometry.tiling import FIXED, FREE, NONE, Filling, Tiling, polygons_of
from studio.texts import tr

if TYPE_CHECKING:
    import shapely

FLATTENING = 0.01
"""The largest deviation in mm of the polygon of a figure from its curves."""
SPOTS = 0.03
"""The distance between two spots."""
REACH = 1.5
"""The largest distance along the outline by which the end of a cut is moved."""
AHEAD = (0.1, 0.3, 0.6, 0.9, 1.2)
"""How far along a cut from its end its distance from the figure is measured."""
AWAY = 0.3
"""A cut that is as far from the figure as this need not lead further away."""
STAY = 0.25
"""The cost of moving an end by one cell, where a cut that meets the outline squarely costs 0 and one along it 1."""
AT_ONCE = 12
"""How many spots are looked at together."""
FIRST = 2 * AT_ONCE
"""How many of every corner are looked at before any is moved."""
APART = 0.22
"""The least distance between two ends on one outline."""
CLEAR = 0.36
"""The distance from figures at which cuts pass them."""
SLIVER = 0.3
"""Faces are not made smaller than this fraction of a usual one."""
SHORTEST = 0.4
"""Cuts are not made shorter than this where corners move away from figures."""
ROUNDS = 6
"""How often corners are moved away from figures."""
SHARE = 0.4
"""The least share of a move that a corner makes, however far along its cut the figure is nearest."""
STRAIGHT = 0.6
"""Cuts beside figures that are shorter than this, or have less room, have no tongue."""
BESIDE = 1.0
"""What is nearer to a figure than this is beside it."""
ON = 0.1
"""What is nearer to a figure than this, in mm, is on it."""
KNOB, LOWEST = 0.2, 2.4
"""The usual height of a figure's tongues, and in mm the least one."""
RUNS = 3
"""Into how many edges the outline of a hole is divided."""


@dataclass(frozen=True, eq=False)
class Run(Bow):
    """A stretch that has one edge, from its beginning to its end."""

    def stroke(self, first: Floats, second: Floats, homes: Floats, *, waves: bool) -> Floats:
        """All of it: its corners stay."""
        return self.points


@dataclass(frozen=True, eq=False)
class Placed:
    """A figure by its name: its outline and its holes (3k + 1, 2) in mm, and how many tongues it is to have.

    Of a mirrored one the outline runs the other way than it was drawn, from the same place.
    """

    name: str
    rings: Sequence[Floats]
    tongues: int = 0
    is_mirrored: bool = False

    @property
    def as_drawn(self) -> Floats:
        """Its outline (3k + 1, 2) in the direction in which it was drawn."""
        return self.rings[0][::-1] if self.is_mirrored else self.rings[0]


def filled(tiling: Tiling, figures: Sequence[Placed], wall: float = 0.0) -> Tiling:
    """The tiling with figures as pieces in its voids; their tongues leave walls, in mm, to all around.

    Corners nearby move, so that cuts keep clear of figures or meet them squarely. Raises StudioError where a figure has
    no void.
    """
    import shapely

    areas = np.array([region(tuple(one.rings[:1]), FLATTENING) for one in figures])
    shapely.prepare(areas)
    voids = [_void(tiling, one.name, area) for one, area in zip(figures, areas, strict=True)]
    homes = tiling.homes.copy()
    for _ in range(ROUNDS):
        if not sum(_make_way(tiling, homes, area) for area in areas):
            break
    for codes, area in zip(voids, areas, strict=True):
        _Ends(tiling, homes, codes, area).square()
    _restore(tiling, homes, areas)
    moved = replace(tiling, homes=frozen(homes))
    own = [
        _knobs(moved, one, voids[at], np.delete(areas, at), wall) if one.tongues else ()
        for at, one in enumerate(figures)
    ]
    moved = _with_room(moved, areas, [knob for each in own for knob in each if knob.points_out])
    fillings = [
        _filling(moved, one.name, codes, area, each)
        for one, codes, area, each in zip(figures, voids, areas, own, strict=True)
    ]
    for at, one in enumerate(figures):
        for ring in one.rings[1:]:
            moved, codes = _with_hole(moved, ring)
            fillings[at] = replace(fillings[at], holes=(*fillings[at].holes, codes))
    return replace(moved, fillings=tuple(fillings))


def _knobs(tiling: Tiling, figure: Placed, codes: Ints, others: NDArray[np.object_], wall: float) -> tuple[Knob, ...]:
    """The tongues of a figure for which there is room between the cuts that end on it."""
    import shapely

    cell = float(tiling.scale.min())
    area = region(tuple(figure.rings), FLATTENING)
    own = set((codes >> 1).tolist())
    around = [edge for edge in _within(tiling, area, 2 * cell) if edge not in own]
    lines = shapely.linestrings(tiling.homes[tiling.graph.edges[around]])
    runs = [(int(tiling.graph.sides[code >> 1].max()), _run(tiling, code)) for code in codes.tolist()]
    surroundings = Surroundings(area, np.concatenate([lines, others]), wall)
    found = knobs(runs, surroundings, figure.tongues, KNOB * cell, LOWEST)
    return numbered(found, figure.as_drawn, figure.tongues)


def _within(tiling: Tiling, area: shapely.Polygon, margin: float) -> list[int]:
    """The edges within a margin in mm of the box of an area."""
    import shapely

    left, top, right, bottom = shapely.bounds(area).tolist()
    ends = tiling.homes[tiling.graph.edges]
    low, high = ends.min(axis=1), ends.max(axis=1)
    near = (high >= (left - margin, top - margin)) & (low <= (right + margin, bottom + margin))
    return [int(edge) for edge in np.flatnonzero(near.all(axis=1))]


def _run(tiling: Tiling, code: int) -> Floats:
    """The line (n, 2) of the outline along a half-edge."""
    places = tiling.homes[tiling.graph.edges[code >> 1]]
    stretch = tiling.outline.stretches[tiling.stretches[code >> 1]]
    line = Curves.of(stretch.strokes(places[None], places[None], waves=False)).flattened(FLATTENING)[0]
    return line[::-1] if code & 1 else line


def _void(tiling: Tiling, name: str, area: shapely.Polygon) -> Ints:
    """The half-edges round the void that a figure fills: that of which all corners are on its outline."""
    import shapely

    outline = shapely.boundary(area)
    rims = [tiling.homes[tiling.graph.edges[codes >> 1, codes & 1]] for codes in tiling.voids]
    gaps = [float(shapely.distance(outline, shapely.points(rim)).max()) for rim in rims]
    if min(gaps, default=np.inf) > ON:
        raise StudioError(tr("Figure {figure} leaves no piece around it.", figure=name))
    return tiling.voids[int(np.argmin(gaps))]


def _gaps(area: shapely.Polygon, places: Floats, most: Floats | float) -> Floats:
    """The distances (k,) in mm of places (k, 2) from a figure; infinite where its box is further away than `most`."""
    import shapely

    low, high = shapely.bounds(area).reshape(2, 2)
    away = np.maximum(np.maximum(low - places, places - high), 0.0)
    near = np.flatnonzero(np.hypot(away[:, 0], away[:, 1]) <= most)
    gaps = np.full(len(places), np.inf)
    gaps[near] = shapely.distance(area, shapely.points(places[near]))
    return gaps


def _filling(tiling: Tiling, name: str, codes: Ints, area: shapely.Polygon, own: tuple[Knob, ...]) -> Filling:
    cell = float(tiling.scale.min())
    gaps = _gaps(area, tiling.homes[tiling.graph.edges].mean(axis=1), BESIDE * cell)
    is_narrow = np.minimum(tiling.across, tiling.lengths) < STRAIGHT * cell
    near = _gaps(area, tiling.homes, BESIDE * cell) < BESIDE * cell
    return Filling(name, codes, (), np.flatnonzero((gaps < BESIDE * cell) & is_narrow), np.flatnonzero(near), own)


def _with_room(tiling: Tiling, areas: NDArray[np.object_], outward: Sequence[Knob]) -> Tiling:
    """The tiling in which cuts have no more room than figures, and their tongues `outward`, leave them."""
    middles = tiling.homes[tiling.graph.edges].mean(axis=1)
    gaps = np.min([_gaps(area, middles, tiling.across / 2) for area in areas], axis=0)
    for knob in outward:
        gaps = np.minimum(gaps, knob.gaps(middles))
    return replace(tiling, across=frozen(np.minimum(tiling.across, 2 * gaps)))


def _near(tiling: Tiling, homes: Floats, area: shapely.Polygon) -> Ints:
    """The cuts near a figure."""
    import shapely

    inner = tiling.graph.inner_edges
    margin = 2 * float(tiling.scale.min())
    left, top, right, bottom = shapely.bounds(area).tolist()
    ends = homes[tiling.graph.edges[inner]]
    inside = (ends >= (left - margin, top - margin)) & (ends <= (right + margin, bottom + margin))
    return inner[inside.all(axis=(1, 2))]


def _make_way(tiling: Tiling, homes: Floats, area: shapely.Polygon) -> bool:
    """Move free corners, in `homes`, away from a figure that their cuts pass too closely; whether any was moved."""
    import shapely

    clear, edges = CLEAR * float(tiling.scale.min()), tiling.graph.edges
    near = _near(tiling, homes, area)
    lines = shapely.linestrings(homes[edges[near]])
    passing = near[shapely.dwithin(area, lines, clear)]
    is_on = shapely.distance(area, shapely.points(homes[edges[passing]])) < ON
    passing = passing[~is_on.any(axis=1)]
    lines = shapely.linestrings(homes[edges[passing]])
    gaps = shapely.distance(lines, area)
    moves = np.zeros_like(homes)
    close = np.flatnonzero(gaps < clear)
    links = shapely.get_coordinates(shapely.shortest_line(lines[close], area)).reshape(-1, 2, 2)
    ways = (links[:, 0] - links[:, 1]) / np.maximum(gaps[close], 1e-9)[:, None] * (clear - gaps[close])[:, None] / 2
    along = shapely.line_locate_point(lines[close], shapely.points(links[:, 0]), normalized=True)
    for way, ends, share in zip(ways, edges[passing[close]].tolist(), along.tolist(), strict=True):
        for corner, part in zip(ends, (1 - share, share), strict=True):
            move = way * min(1.0, SHARE + part)
            if tiling.tracks[corner] == FREE and np.hypot(*move) > np.hypot(*moves[corner]):
                moves[corner] = move
    near = edges[near]
    before, after = (np.hypot(*np.diff(places[near], axis=1)[:, 0].T) for places in (homes, homes + moves))
    moves[near[after < np.minimum(before, SHORTEST * float(tiling.scale.min()))]] = 0.0
    is_moved = np.asarray(moves.any(axis=1))
    if not is_moved.any() or crossing(homes + moves, near, np.asarray(is_moved[near].any(axis=1))) is not None:
        return False
    homes += moves
    return True


def _restore(tiling: Tiling, homes: Floats, areas: NDArray[np.object_]) -> None:
    """Take corners, in `homes`, back to where they were, where moves made a face a sliver."""
    import shapely

    cell, graph = float(tiling.scale[0] * tiling.scale[1]), tiling.graph
    together = shapely.union_all(areas)
    owners = np.repeat(np.arange(graph.face_count), np.diff(graph.starts))
    for _ in range(ROUNDS):
        is_moved = (homes != tiling.homes).any(axis=1)
        touched = graph.faces_at(graph.edges_at(np.flatnonzero(is_moved)))
        sizes = np.full(graph.face_count, np.inf)
        faces = shapely.make_valid(polygons_of(graph, homes)[touched])
        sizes[touched] = shapely.area(shapely.difference(faces, together))
        small = np.flatnonzero(sizes[owners] < SLIVER * cell)
        corners = np.unique(graph.edges[graph.codes[small] >> 1])
        corners = corners[is_moved[corners]]
        if not len(corners):
            return
        homes[corners] = tiling.homes[corners]


class _Ends:
    """The ends of cuts on one figure, which move in `homes` to where the cuts meet it squarely."""

    def __init__(self, tiling: Tiling, homes: Floats, codes: Ints, area: shapely.Polygon) -> None:
        import shapely

        self._tiling, self._homes, self._area = tiling, homes, area
        self._distances = Distances(area)
        self.cell = float(tiling.scale.min())
        self._ring = shapely.get_exterior_ring(area)
        self.length = float(shapely.length(self._ring))
        self._corners = tiling.graph.edges[codes >> 1, codes & 1]
        self.at = shapely.line_locate_point(self._ring, shapely.points(homes[self._corners]))
        self._around = _near(tiling, homes, area)
        self._lines = shapely.linestrings(homes[tiling.graph.edges[self._around]])

    def square(self) -> None:
        """Move all that can be moved, one after another along the outline."""
        graph, movable = self._tiling.graph, list[tuple[int, int, Ints]]()
        for number in np.argsort(self.at).tolist():
            corner = int(self._corners[number])
            own = graph.edges_at(np.array([corner]))
            own = own[graph.sides[own].min(axis=1) >= 0]
            if len(own) and self._tiling.tracks[corner] >= 0:
                movable.append((number, corner, own))
        if not movable:
            return
        spots = [_Spots(self, number, corner, own) for number, corner, own in movable]
        _Spots.look(spots)
        for (number, corner, own), its in zip(movable, spots, strict=True):
            self._move(number, corner, own, its)

    def far(self, corner: int, own: Ints) -> Floats:
        """The other ends (k, 2) of the cuts of a corner."""
        return np.asarray(self._homes[self._tiling.graph.edges[own].sum(axis=1) - corner])

    def _move(self, number: int, corner: int, own: Ints, spots: _Spots) -> None:
        """Move one corner to the best spot from which its cuts cross no other."""
        import shapely

        homes, edges = self._homes, self._tiling.graph.edges
        far = self.far(corner, own)
        is_own = np.isin(self._around, own)
        rest = self._lines[~is_own]
        for spot, place in spots.best_first(far, *self._free(number)):
            if not self._is_blocked(place, far) and _is_free(place, far, rest):
                homes[corner], self.at[number] = place, spot % self.length
                self._lines[is_own] = shapely.linestrings(homes[edges[self._around[is_own]]])
                return

    def _free(self, number: int) -> tuple[float, float]:
        """How far a corner can move along the outline to the ones before and behind it, in mm."""
        now, others = self.at[number], np.delete(self.at, number)
        back, on = (
            max(float((way * (others - now) % self.length).min(initial=np.inf)) - APART * self.cell, 0.0)
            for way in (-1, 1)
        )
        return back, on

    def places(self, spots: Floats) -> Floats:
        """Where spots (k,) are, (k, 2)."""
        import shapely

        return np.asarray(shapely.get_coordinates(shapely.line_interpolate_point(self._ring, spots % self.length)))

    def costs(self, places: Floats, far: Floats) -> Floats:
        """How far from square cuts (k,) between places (k, 2) on the outline and corners (k, 2) are, at most 1."""
        cut = far - places
        size = np.maximum(np.hypot(cut[:, 0], cut[:, 1]), 1e-9)
        ahead = np.minimum(np.array(AHEAD)[:, None] * self.cell, size)
        here = places + cut * (ahead / size)[..., None]
        away = AWAY * self.cell
        gaps = self._distances.of(here.reshape(-1, 2), away).reshape(ahead.shape)
        return np.asarray((1 - gaps / np.minimum(ahead, away)).max(axis=0))

    def _is_blocked(self, place: Floats, far: Floats) -> bool:
        """Whether a straight cut from a place to any of some corners runs through the figure."""
        import shapely

        lines = shapely.linestrings(np.stack([np.broadcast_to(place, far.shape), far], 1))
        return bool((shapely.length(shapely.intersection(lines, self._area)) > FLATTENING).any())


class _Spots:
    """The spots that a corner may move to, and what those cost that were looked at."""

    def __init__(self, ends: _Ends, number: int, corner: int, own: Ints) -> None:
        now = ends.at[number]
        self._ends, self._far = ends, ends.far(corner, own)
        steps = ends.cell * np.arange(-REACH, REACH + SPOTS / 2, SPOTS)
        self._steps, self._spots = np.append(0.0, steps), np.append(now, now + steps)
        self._least = STAY * np.abs(self._spots - now) / ends.cell
        self._order = np.argsort(self._least, kind="stable")
        self._known: dict[int, tuple[float, Floats]] = {}

    @staticmethod
    def look(all_spots: Sequence[_Spots]) -> None:
        """Look at the nearest spots of many corners together, which is sooner done than one after another."""
        _look([(each, each._order[:FIRST], each._far) for each in all_spots])

    def take(self, some: Ints, places: Floats, costs: Floats) -> None:
        """Keep what some spots cost."""
        worst = np.maximum(costs, 0.0) + self._least[some]
        self._known.update(zip(some.tolist(), zip(worst.tolist(), places, strict=True), strict=True))

    def best_first(self, far: Floats, back: float, on: float) -> Iterator[tuple[float, Floats]]:
        """Spots within the ways free on either side and their places, the least costly first; those far away are
        looked at only where they may be less costly than the nearer ones."""
        if not np.array_equal(far, self._far):
            self._known, self._far = {}, far
        allowed = (self._steps >= -back) & (self._steps <= on)
        allowed[0] = True
        waiting, seen = self._order[allowed[self._order]].tolist(), list[tuple[float, int]]()
        while waiting or seen:
            while waiting and (not seen or self._least[waiting[0]] <= seen[0][0]):
                some, waiting = waiting[:AT_ONCE], waiting[AT_ONCE:]
                unknown = [spot for spot in some if spot not in self._known]
                if unknown:
                    _look([(self, np.array(unknown), far)])
                for spot in some:
                    heappush(seen, (self._known[spot][0], spot))
            _cost, spot = heappop(seen)
            yield float(self._spots[spot]), self._known[spot][1]

    @property
    def ends(self) -> _Ends:
        """Those that it is one of."""
        return self._ends

    def at(self, some: Ints) -> Floats:
        """How far along the outline some spots are, in mm."""
        return self._spots[some]


def _look(wanted: Sequence[tuple[_Spots, Ints, Floats]]) -> None:
    """Look at some spots of corners of one figure: what cuts cost that lead from there to other corners (k, 2)."""
    ends = wanted[0][0].ends
    places = ends.places(np.concatenate([spots.at(some) for spots, some, _ in wanted]))
    firsts = offsets(np.array([len(some) for _, some, _ in wanted]))
    pairs = [(places[low:high], far) for (_, _, far), low, high in zip(wanted, firsts[:-1], firsts[1:], strict=True)]
    costs = ends.costs(
        np.concatenate([np.repeat(each, len(far), axis=0) for each, far in pairs]),
        np.concatenate([np.tile(far, (len(each), 1)) for each, far in pairs]),
    )
    done = 0
    for (spots, some, far), (own, _) in zip(wanted, pairs, strict=True):
        size = len(some) * len(far)
        spots.take(some, own, costs[done : done + size].reshape(len(some), len(far)).max(axis=1))
        done += size


def _is_free(place: Floats, far: Floats, rest: NDArray[np.object_]) -> bool:
    """Whether straight cuts from a place to some corners meet others only where these end, too."""
    import shapely

    for end in far:
        met = rest[shapely.intersects(rest, shapely.linestrings([place, end]))]
        if (shapely.distance(shapely.boundary(met), shapely.points(end)) > 0).any():
            return False
    return True


def _with_hole(tiling: Tiling, ring: Floats) -> tuple[Tiling, Ints]:
    """The tiling with a closed curve that parts no pieces, the hole of a figure, and the half-edges along it."""
    bow, graph = Bow(ring), tiling.graph
    stations = np.linspace(0.0, len(ring) // 3, RUNS + 1)
    runs = [Run(frozen(points)) for points in bow.between(stations)]
    corners = graph.corner_count + np.arange(RUNS)
    edges = len(graph.edges) + np.arange(RUNS)
    places = np.array([run.points[0] for run in runs])
    names = [f"{corner}" for corner in corners.tolist()]
    blank = np.zeros(RUNS, np.int64)
    joints = tiling.joints
    known = tiling.corner_name
    return replace(
        tiling,
        graph=_with_ring(graph, corners, edges),
        outline=replace(tiling.outline, stretches=(*tiling.outline.stretches, *runs)),
        homes=frozen(np.concatenate([tiling.homes, places])),
        tracks=frozen(np.concatenate([tiling.tracks, blank + FIXED])),
        corner_keys=frozen(np.concatenate([tiling.corner_keys, blank])),
        edge_keys=frozen(np.concatenate([tiling.edge_keys, blank])),
        across=frozen(np.concatenate([tiling.across, blank + np.inf])),
        stretches=frozen(np.concatenate([tiling.stretches, len(tiling.outline.stretches) + np.arange(RUNS)])),
        joints=replace(
            joints,
            at=frozen(np.concatenate([joints.at, np.full((RUNS, 2), NONE)])),
            signs=frozen(np.concatenate([joints.signs, np.ones((RUNS, 2))])),
        ),
        leeway=None if tiling.leeway is None else frozen(np.concatenate([tiling.leeway, blank + np.inf])),
        voids=(2 * edges, *tiling.voids),
        corner_name=lambda corner: names[corner - corners[0]] if corner >= corners[0] else known(corner),
        given_edge_names=[*(tiling.given_edge_names or ()), *[""] * RUNS],
    ), 2 * edges


def _with_ring(graph: PlanarGraph, corners: Ints, edges: Ints) -> PlanarGraph:
    """The graph with a ring of new edges between new corners, without a face on either side."""
    return replace(
        graph,
        corner_count=graph.corner_count + len(corners),
        edges=frozen(np.concatenate([graph.edges, np.stack([corners, np.roll(corners, -1)], 1)])),
        sides=frozen(np.concatenate([graph.sides, np.full((len(edges), 2), NONE)])),
        star_edges=frozen(np.concatenate([graph.star_edges, np.stack([np.roll(edges, 1), edges], 1).ravel()])),
        star_starts=frozen(
            np.concatenate([graph.star_starts, graph.star_starts[-1] + 2 * (np.arange(len(corners)) + 1)])
        ),
    )
