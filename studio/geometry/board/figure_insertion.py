"""Figures that fill voids of a tiling as pieces of their own, and the ends of the cuts around them.

spot: a place on a figure's outline at which a cut may end. A cut meets an outline squarely if it soon leads away from
it; lengths are in cells, the shorter side of a usual face.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.geometry.board.figure_knobs import Knob, Surroundings, knobs, numbered
from studio.geometry.board.inlays import Inlay, Placed, as_lines, extended
from studio.geometry.board.outline import Bow
from studio.geometry.board.tiling import FREE, Filling, Tiling, polygons_of
from studio.geometry.curves.offsetting import Distances, region
from studio.geometry.curves.strokes import Curves, Floats, Ints, frozen, offsets, ranges
from studio.geometry.planar.graph import crossing

if TYPE_CHECKING:
    import shapely

FLATTENING = 0.01
"""The largest deviation in mm of the polygon of a figure from its curves."""
SPOTS = 0.03
"""The distance between two spots."""
REACH = 1.5
"""The largest distance along the outline by which the end of a cut is moved."""
AHEAD = ((0.1,), (0.3, 0.6, 0.9, 1.2))
"""Distances along a cut from its end at which its gap to the figure is measured, look by look: the first rules out most
spots."""
AWAY = 0.3
"""Distance from the figure at which a cut need not lead further away."""
STAY = 0.25
"""The cost of moving an end by one cell; a cut that meets the outline squarely costs 0, a cut along it 1."""
AT_FIRST = 6
"""Most promising spots of a corner that get another look first."""
APART = 0.22
"""The least distance between two ends on one outline."""
CLEAR = 0.36
"""The distance at which cuts pass figures."""
SLIVER = 0.3
"""Faces are not made smaller than this fraction of a usual one."""
SHORTEST = 0.4
"""Cuts are not made shorter than this by corners that move away from figures."""
ROUNDS = 6
"""Rounds of moving corners away from figures."""
SHARE = 0.4
"""The least share of a move that a corner makes, wherever along its cut the figure is nearest."""
STRAIGHT, SHORT = 0.6, 0.3
"""Cuts beside figures with a length or room below the first have no tongue; below the second if ends are seated."""
BESIDE = 1.0
"""Distance within which a cut or a corner is beside a figure."""
ON = 0.1
"""Distance in mm within which a corner is on a figure."""
KNOB, LOWEST = 0.2, 2.4
"""The usual height of a figure's tongues, and the least height in mm."""
RUNS = 3
"""Edges along the outline of a hole."""


def filled(
    tiling: Tiling,
    figures: Sequence[Placed | Inlay],
    wall: float = 0.0,
    *,
    moves_corners: bool = True,
    seats_ends: bool = False,
    follows_rim: bool = True,
) -> Tiling:
    """Fill the voids of a tiling with figures as pieces; their tongues keep walls, in mm, to everything around.

    With `moves_corners` those nearby move, so that cuts keep clear of figures or meet them squarely; with `seats_ends`
    none ends at a corner of a figure, and short edges have tongues. Figures' tongues keep off the rim, with
    `follows_rim` off its curves instead of their chords. Raises StudioError if a figure has no void.
    """
    import shapely

    areas = np.array([one.area for one in figures])
    shapely.prepare(areas)
    voids = [
        np.array([*one.shore_of(tiling)], np.int64) if isinstance(one, Inlay) else _void(tiling, one.name, area)
        for one, area in zip(figures, areas, strict=True)
    ]
    moved = _cleared(tiling, voids, areas, wall, seats_ends=seats_ends) if moves_corners else tiling
    own = list[tuple[Knob, ...]]()
    for at, one in enumerate(figures):
        heads = [knob.head for each in own for knob in each if knob.points_out]
        others = np.concatenate([np.delete(areas, at), heads])
        if isinstance(one, Inlay):
            own.append(_knobs_of_inlay(moved, one, others, wall, in_each=seats_ends, follows_rim=follows_rim))
        else:
            found = partial(_knobs, moved, one, voids[at], others, wall, in_each=seats_ends, follows_rim=follows_rim)
            own.append(found() if one.tongues else ())
    # Limit the room of cuts to what figures, and their `outward` tongues, leave them.
    outward = [knob for each in own for knob in each if knob.points_out]
    middles = moved.homes[moved.graph.edges].mean(axis=1)
    gaps = np.min([_gaps(area, middles, moved.across / 2) for area in areas], axis=0)
    for knob in outward:
        gaps = np.minimum(gaps, knob.gaps(middles))
    moved = replace(moved, across=frozen(np.minimum(moved.across, 2 * gaps)))
    fillings = [
        _filling(moved, one.name, codes, area, each, SHORT if seats_ends else STRAIGHT)
        for one, codes, area, each in zip(figures, voids, areas, own, strict=True)
    ]
    result = list[Filling]()
    for one, filling in zip(figures, fillings, strict=True):
        if isinstance(one, Inlay):
            moved, pieces = one.laid(moved)
            named = {
                name: [knob for knob in filling.knobs if knob.figure == name] for name in {each.name for each in pieces}
            }
            for piece in pieces:
                knobs_of = [replace(knob, figure="") for knob in named.pop(piece.name, ())]
                result.append(replace(piece, straight=filling.straight, near=filling.near, knobs=tuple(knobs_of)))
            continue
        for ring in one.rings[1:]:
            moved, codes = _with_hole(moved, ring)
            filling = replace(filling, holes=(*filling.holes, codes))
        if one.lines:
            first, corners = len(moved.graph.edges), moved.graph.corner_count + np.arange(2 * len(one.lines))
            ends = np.concatenate([line[[0, -1]] for line in one.lines])
            moved = extended(moved, ends, corners.reshape(-1, 2), one.lines)
            filling = replace(filling, details=first + np.arange(len(one.lines)))
        result.append(filling)
    return replace(moved, fillings=tuple(result))


def _cleared(
    tiling: Tiling, voids: Sequence[Ints], areas: NDArray[np.object_], wall: float, *, seats_ends: bool
) -> Tiling:
    """Move corners near figures, so that cuts keep clear of them or meet them squarely."""
    homes = tiling.homes.copy()
    passing = [_Passing(tiling, homes, codes, areas, at) for at, codes in enumerate(voids)]
    for _ in range(ROUNDS):
        if not sum(each.make_way() for each in passing):
            break
    for at, codes in enumerate(voids):
        if not seats_ends:
            _Ends(tiling, homes, codes, areas, at, wall).square()
    _restore(tiling, homes, areas)
    return replace(tiling, homes=frozen(homes))


def _knobs(
    tiling: Tiling, figure: Placed, codes: Ints, others: NDArray[np.object_], wall: float,
    inlay: Inlay | None = None, *, in_each: bool, follows_rim: bool,
) -> tuple[Knob, ...]:  # fmt: skip
    """The tongues of a figure, or of one of an inlay, that fit between the cuts that end on it."""
    import shapely

    cell = float(tiling.scale.min())
    area = region(tuple(figure.rings), FLATTENING) if inlay is None else inlay.area
    own = set((codes >> 1).tolist())
    around = [edge for edge in _within(tiling, area, 2 * cell) if edge not in own]
    lines = shapely.linestrings(tiling.homes[tiling.graph.edges[around]])
    for at in np.flatnonzero(~tiling.is_inner[around]).tolist() if follows_rim else ():
        lines[at] = shapely.linestrings(_run(tiling, 2 * around[at]))
    if tiling.drawn is not None:
        flat = tiling.drawn.chosen(np.array(around, np.int64)).flattened(FLATTENING)
        lines = shapely.linestrings(flat.points, indices=flat.owners)
    runs = [(int(tiling.graph.sides[code >> 1].max()), _run(tiling, code)) for code in codes.tolist()]
    within = as_lines(figure.lines) if inlay is None else inlay.inner_lines
    surroundings = Surroundings(area, np.concatenate([lines, others]), wall, within)
    found = knobs(runs, surroundings, figure.tongues, KNOB * cell, LOWEST, in_each=in_each)
    return numbered(found, figure.as_drawn, figure.tongues)


def _knobs_of_inlay(
    tiling: Tiling, inlay: Inlay, others: NDArray[np.object_], wall: float, *, in_each: bool, follows_rim: bool
) -> tuple[Knob, ...]:
    """The tongues of the figures of an inlay between them and the board."""
    shore, found = inlay.shore_of(tiling), list[Knob]()
    for figure in inlay.figures:
        codes = [code for code, edge in shore.items() if inlay.figure_at(edge) == figure.name]
        if figure.tongues and codes:
            heads = [knob.head for knob in found]
            around = np.concatenate([others, np.array(heads, object)])
            which = np.array(codes, np.int64)
            own = _knobs(tiling, figure, which, around, wall, inlay, in_each=in_each, follows_rim=follows_rim)
            found += [replace(knob, figure=figure.name) for knob in own]
    return tuple(found)


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
    line = Curves.from_strokes(stretch.strokes(places[None], places[None], waves=False)).flattened(FLATTENING)[0]
    return line[::-1] if code & 1 else line


def _corners(tiling: Tiling, codes: Ints) -> Ints:
    """The corners at which half-edges begin."""
    return np.asarray(tiling.graph.edges[codes >> 1, codes & 1])


def _void(tiling: Tiling, name: str, area: shapely.Polygon) -> Ints:
    """The half-edges round a figure's void, which has all corners on the figure's outline."""
    import shapely

    outline = shapely.boundary(area)
    rims = [tiling.homes[_corners(tiling, codes)] for codes in tiling.voids]
    gaps = [float(shapely.distance(outline, shapely.points(rim)).max()) for rim in rims]
    if min(gaps, default=np.inf) > ON:
        raise StudioError(tr("Figure {figure} leaves no piece around it.", figure=name))
    return tiling.voids[int(np.argmin(gaps))]


def _gaps(area: shapely.Polygon, places: Floats, most: Floats | float) -> Floats:
    """Distances (k,) in mm of places (k, 2) from a figure; infinite if its box is further away than `most`."""
    import shapely

    low, high = shapely.bounds(area).reshape(2, 2)
    away = np.maximum(np.maximum(low - places, places - high), 0.0)
    near = np.flatnonzero(np.hypot(away[:, 0], away[:, 1]) <= most)
    gaps = np.full(len(places), np.inf)
    gaps[near] = shapely.distance(area, shapely.points(places[near]))
    return gaps


def _filling(
    tiling: Tiling, name: str, codes: Ints, area: shapely.Polygon, own: tuple[Knob, ...], least: float
) -> Filling:
    cell = float(tiling.scale.min())
    gaps = _gaps(area, tiling.homes[tiling.graph.edges].mean(axis=1), BESIDE * cell)
    is_narrow = np.minimum(tiling.across, tiling.lengths) < least * cell
    near = _gaps(area, tiling.homes, BESIDE * cell) < BESIDE * cell
    return Filling(name, codes, (), np.flatnonzero((gaps < BESIDE * cell) & is_narrow), np.flatnonzero(near), own)


def _others_near(areas: NDArray[np.object_], at: int, most: float) -> NDArray[np.object_]:
    """The figures with boxes within a distance in mm of the box of figure `at`."""
    import shapely

    boxes = shapely.bounds(areas)
    away = np.maximum(boxes[:, :2] - boxes[at, 2:], boxes[at, :2] - boxes[:, 2:]).max(axis=1)
    return np.asarray(areas[(away <= most) & (np.arange(len(areas)) != at)])


def _least_gaps(areas: NDArray[np.object_], lines: NDArray[np.object_]) -> Floats:
    """Distances (k,) in mm of lines from the nearest figure; infinite without figures."""
    import shapely

    return np.asarray(shapely.distance(areas[:, None], lines).min(axis=0, initial=np.inf))


def _near(tiling: Tiling, homes: Floats, area: shapely.Polygon) -> Ints:
    import shapely

    inner = tiling.graph.inner_edges
    margin = 2 * float(tiling.scale.min())
    left, top, right, bottom = shapely.bounds(area).tolist()
    ends = homes[tiling.graph.edges[inner]]
    inside = (ends >= (left - margin, top - margin)) & (ends <= (right + margin, bottom + margin))
    return inner[inside.all(axis=(1, 2))]


class _Passing:
    """Cuts that pass a figure without an end on it; their free corners move in `homes`."""

    def __init__(self, tiling: Tiling, homes: Floats, codes: Ints, areas: NDArray[np.object_], at: int) -> None:
        edges, ends_here = tiling.graph.edges, np.zeros(len(homes), bool)
        ends_here[_corners(tiling, codes)] = True
        area = areas[at]
        self._homes, self._area = homes, area
        self._cell = float(tiling.scale.min())
        self._others = _others_near(areas, at, 3 * CLEAR * self._cell)
        rim = np.concatenate(tiling.rims) >> 1
        is_alone = not len(self._others) and not np.isin(_within(tiling, area, 2 * self._cell), rim).any()
        self._board = None if is_alone else tiling.outline.region
        self._free = tiling.tracks == FREE
        self._near = edges[_near(tiling, homes, area)]
        self._ends = self._near[~ends_here[self._near].any(axis=1)]
        self._places = np.full((len(self._ends), 2, 2), np.nan)
        self._gaps = np.full(len(self._ends), np.inf)

    def make_way(self) -> bool:
        """Move corners away from the figure where cuts pass it too closely; return whether any moved."""
        import shapely

        self._measure()
        most, homes = CLEAR * self._cell, self._homes
        close = np.flatnonzero(self._gaps < most)
        if not len(close):
            return False
        lines, gaps = shapely.linestrings(self._places[close]), self._gaps[close]
        # Between two figures a cut goes no further than half way to the other.
        clear = np.minimum(most, (gaps + _least_gaps(self._others, lines)) / 2)
        links = shapely.get_coordinates(shapely.shortest_line(lines, self._area)).reshape(-1, 2, 2)
        missing = np.maximum(clear - gaps, 0.0)
        ways = (links[:, 0] - links[:, 1]) / np.maximum(gaps, 1e-9)[:, None] * missing[:, None] / 2
        along = shapely.line_locate_point(lines, shapely.points(links[:, 0]), normalized=True)
        shares = np.minimum(1.0, SHARE + np.stack([1 - along, along], 1))
        corners, wanted = self._ends[close].ravel(), (ways[:, None] * shares[..., None]).reshape(-1, 2)
        # The largest move of each corner wins: it is written last.
        order = np.argsort(-np.hypot(wanted[:, 0], wanted[:, 1]), kind="stable")[::-1]
        order = order[self._free[corners[order]]]
        moves, near = np.zeros_like(homes), self._near
        moves[corners[order]] = wanted[order]
        before, after = (np.hypot(*np.diff(places[near], axis=1)[:, 0].T) for places in (homes, homes + moves))
        moves[near[after < np.minimum(before, SHORTEST * self._cell)]] = 0.0
        moves[self._leaving(moves)] = 0.0
        is_moved = np.asarray(moves.any(axis=1))
        if not is_moved.any() or crossing(homes + moves, near, np.asarray(is_moved[near].any(axis=1))) is not None:
            return False
        homes += moves
        return True

    def _leaving(self, moves: Floats) -> Ints:
        """The corners of cuts that would run into other figures or over the border."""
        import shapely

        if self._board is None:
            return np.empty(0, np.int64)
        cuts = self._near[moves[self._near].any(axis=(1, 2))]
        after = shapely.linestrings((self._homes + moves)[cuts])
        doubtful = ~shapely.contains_properly(self._board, after)
        cuts, after = cuts[doubtful], after[doubtful]
        out, was = (
            shapely.length(shapely.difference(lines, self._board))
            for lines in (after, shapely.linestrings(self._homes[cuts]))
        )
        return np.asarray(cuts[out > was + ON].ravel())

    def _measure(self) -> None:
        """Update the gaps between the figure and the cuts whose ends moved."""
        import shapely

        places = self._homes[self._ends]
        moved = np.flatnonzero((places != self._places).reshape(-1, 4).any(axis=1))
        lines = shapely.linestrings(places[moved])
        near = shapely.dwithin(self._area, lines, CLEAR * self._cell)
        self._places, self._gaps[moved] = places, np.inf
        self._gaps[moved[near]] = shapely.distance(lines[near], self._area)


def _restore(tiling: Tiling, homes: Floats, areas: NDArray[np.object_]) -> None:
    """Restore corners, in `homes`, whose moves made a face a sliver."""
    import shapely

    cell, graph = float(tiling.scale[0] * tiling.scale[1]), tiling.graph
    together = shapely.union_all(areas)
    owners = np.repeat(np.arange(graph.face_count), np.diff(graph.starts))
    for _ in range(ROUNDS):
        is_moved = (homes != tiling.homes).any(axis=1)
        touched = graph.faces_at(graph.edges_at(np.flatnonzero(is_moved)))
        is_small = np.zeros(graph.face_count, bool)
        faces = shapely.make_valid(polygons_of(graph, homes, touched))
        # Mask of faces that are smaller than `least` mm² without the part covered by an area.
        least = SLIVER * cell
        sizes = shapely.area(faces)
        # A face is covered no more than its box, which is faster to clip.
        most = [float(shapely.area(shapely.clip_by_rect(together, *each))) for each in shapely.bounds(faces).tolist()]
        doubtful = np.flatnonzero(sizes - most < least)
        sizes[doubtful] = shapely.area(shapely.difference(faces[doubtful], together))
        is_small[touched] = np.asarray(sizes < least)
        small = np.flatnonzero(is_small[owners])
        corners = np.unique(graph.edges[graph.codes[small] >> 1])
        corners = corners[is_moved[corners]]
        if not len(corners):
            return
        homes[corners] = tiling.homes[corners]


class _Ends:
    """Ends of cuts on a figure, which move in `homes` until the cuts meet it squarely."""

    def __init__(
        self, tiling: Tiling, homes: Floats, codes: Ints, areas: NDArray[np.object_], at: int, wall: float
    ) -> None:
        import shapely

        area = areas[at]
        self._tiling, self._homes, self._area, self._wall = tiling, homes, area, wall
        self._distances = Distances(area)
        self.cell = float(tiling.scale.min())
        self._others = _others_near(areas, at, 2 * self.cell)
        ring = shapely.get_exterior_ring(area)
        self._ring = shapely.get_coordinates(ring)
        self._sides = np.diff(self._ring, axis=0)
        self._sizes = np.sqrt((self._sides**2).sum(axis=1))
        self._until = np.cumsum(self._sizes)
        self.length = float(self._until[-1])
        self._corners = _corners(tiling, codes)
        self.at = shapely.line_locate_point(ring, shapely.points(homes[self._corners]))
        self._around = _near(tiling, homes, area)
        self._lines = shapely.linestrings(homes[tiling.graph.edges[self._around]])

    def square(self) -> None:
        """Move all movable ends, one after another along the outline."""
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
        # The spots of many corners are examined together, which is faster than one after another.
        free = [each.within(*self._free(number)) for each, (number, _, _) in zip(spots, movable, strict=True)]
        for at in range(len(AHEAD)):
            self.look([(each, each.wanted(some)[0]) for each, some in zip(spots, free, strict=True)], at)
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
        is_own = (self._around[:, None] == own).any(axis=1)
        rest, places = self._lines[~is_own], homes[edges[self._around[~is_own]]]
        for spot, place in spots.best_first(far, *self._free(number)):
            if not self._is_blocked(place, far) and _is_free(place, far, rest, places):
                homes[corner], self.at[number] = place, spot % self.length
                self._lines[is_own] = shapely.linestrings(homes[edges[self._around[is_own]]])
                return

    def _free(self, number: int) -> tuple[float, float]:
        """Room of a corner along the outline, in mm, to its neighbours behind and ahead."""
        now, others = self.at[number], np.delete(self.at, number)
        back, on = (
            max(float((way * (others - now) % self.length).min(initial=np.inf)) - APART * self.cell, 0.0)
            for way in (-1, 1)
        )
        return back, on

    def _places(self, spots: Floats) -> Floats:
        along = spots % self.length
        side = np.minimum(np.searchsorted(self._until, along, side="right"), len(self._until) - 1)
        share = (along - np.append(0.0, self._until)[side]) / self._sizes[side]
        return np.asarray(self._ring[side] + share[:, None] * self._sides[side])

    def look(self, wanted: Sequence[tuple[_Spots, Ints]], at: int) -> None:
        """Measure the costs of spots (k,) of corners, by one of the looks ahead."""
        counts = np.array([len(some) for _, some in wanted])
        fars = np.array([len(spots.far) for spots, _ in wanted])
        places = self._places(np.concatenate([spots.at[some] for spots, some in wanted]))
        owners = np.repeat(np.arange(len(wanted)), counts)
        far = np.concatenate([spots.far for spots, _ in wanted])[ranges(offsets(fars)[owners], fars[owners])]
        costs = self._costs(np.repeat(places, fars[owners], axis=0), far, np.array(AHEAD[at]))
        costs = np.maximum.reduceat(costs, offsets(fars[owners])[:-1])
        firsts = offsets(counts).tolist()
        for (spots, some), (low, high) in zip(wanted, pairwise(firsts), strict=True):
            spots.take(some, places[low:high], costs[low:high])

    def _costs(self, places: Floats, far: Floats, ahead: Floats) -> Floats:
        """Cost (k,), at most 1, of cuts between places (k, 2) on the outline and corners (k, 2): their deviation from
        square, measured some cells (a,) ahead."""
        cut = far - places
        size = np.maximum(np.hypot(cut[:, 0], cut[:, 1]), 1e-9)
        along = np.minimum(ahead[:, None] * self.cell, size)
        here = places + cut * (along / size)[..., None]
        away = AWAY * self.cell
        gaps = self._distances.of(here.reshape(-1, 2), away).reshape(along.shape)
        return np.asarray((1 - gaps / np.minimum(along, away)).max(axis=0))

    def _is_blocked(self, place: Floats, far: Floats) -> bool:
        """True if a straight cut from a place to any of the corners runs through the figure, or nearer than a wall to
        another figure."""
        import shapely

        if len(self._others):
            gaps = _least_gaps(self._others, _straight(np.broadcast_to(place, far.shape), far))
            if (gaps < self._wall).any():
                return True
        cut = far - place
        skipped = FLATTENING / np.maximum(np.hypot(cut[:, 0], cut[:, 1]), FLATTENING)
        # Testing the cut beyond its first bit is much cheaper than a measurement.
        met = shapely.intersects(self._area, _straight(place + cut * skipped[:, None], far))
        if not met.any():
            return False
        within = shapely.intersection(_straight(np.broadcast_to(place, far.shape)[met], far[met]), self._area)
        return bool((shapely.length(within) > FLATTENING).any())


class _Spots:
    """The spots that a corner may move to, its own place first, and a lower bound of their costs, which rises with each
    look ahead."""

    def __init__(self, ends: _Ends, number: int, corner: int, own: Ints) -> None:
        now = ends.at[number]
        self._ends, self.far = ends, ends.far(corner, own)
        steps = ends.cell * np.arange(-REACH, REACH + SPOTS / 2, SPOTS)
        self._steps, self.at = np.append(0.0, steps), np.append(now, now + steps)
        self._away = STAY * np.abs(self.at - now) / ends.cell
        self._places = np.empty((len(self.at), 2))
        self._costs, self._looks = self._away.copy(), np.zeros(len(self.at), np.int64)

    def within(self, back: float, on: float) -> Ints:
        """The spots within distances in mm on either side, and the corner's own place."""
        allowed = (self._steps >= -back) & (self._steps <= on)
        allowed[0] = True
        return np.flatnonzero(allowed)

    def wanted(self, among: Ints) -> tuple[Ints, int]:
        """The spots that may still be the cheapest, and the look to take at them next; none once the cheapest is
        known."""
        costs, looks = self._costs[among], self._looks[among]
        least = float(costs[looks == len(AHEAD)].min(initial=np.inf))
        for at in reversed(range(len(AHEAD))):
            some = among[(looks == at) & (costs <= least)]
            if len(some):
                return some if at == 0 or least < np.inf else self._cheapest(some), at
        return among[:0], 0

    def _cheapest(self, among: Ints) -> Ints:
        """The AT_FIRST spots with the lowest known costs."""
        return np.asarray(among[np.argsort(self._costs[among], kind="stable")[:AT_FIRST]])

    def take(self, some: Ints, places: Floats, costs: Floats) -> None:
        """Store the places of spots, and raise their costs by another look."""
        self._places[some] = places
        self._costs[some] = np.maximum(self._costs[some], costs + self._away[some])
        self._looks[some] += 1

    def best_first(self, far: Floats, back: float, on: float) -> Iterator[tuple[float, Floats]]:
        """Yield the spots within free distances on either side, and their places, the cheapest first."""
        if not np.array_equal(far, self.far):
            self.far = far
            self._costs, self._looks = self._away.copy(), np.zeros_like(self._looks)
        left = self.within(back, on)
        while len(left):
            some, at = self.wanted(left)
            if len(some):
                self._ends.look([(self, some)], at)
                continue
            best = int(left[self._costs[left].argmin()])
            yield float(self.at[best]), self._places[best]
            left = left[left != best]


def _straight(begins: Floats, ends: Floats) -> NDArray[np.object_]:
    import shapely

    return np.asarray(shapely.linestrings(np.stack([begins, ends], 1)))


def _is_free(place: Floats, far: Floats, rest: NDArray[np.object_], places: Floats) -> bool:
    """True if straight cuts from a place to corners `far` meet other cuts, between places (k, 2, 2), only at shared
    ends."""
    import shapely

    for end, line in zip(far, _straight(np.broadcast_to(place, far.shape), far), strict=True):
        met = places[shapely.intersects(rest, line)]
        if not (met == end).all(axis=2).any(axis=1).all():
            return False
    return True


def _with_hole(tiling: Tiling, ring: Floats) -> tuple[Tiling, Ints]:
    """Add a closed curve that separates no pieces, the hole of a figure; also return the half-edges along it."""
    runs = list(Bow(ring).between(np.linspace(0.0, len(ring) // 3, RUNS + 1)))
    corners = tiling.graph.corner_count + np.arange(RUNS)
    codes = 2 * (len(tiling.graph.edges) + np.arange(RUNS))
    ends = np.stack([corners, np.roll(corners, -1)], 1)
    whole = extended(tiling, np.array([run[0] for run in runs]), ends, runs)
    return replace(whole, voids=(codes, *tiling.voids)), codes
