"""Cuts along contours of the picture: the course on which corners move onto contours, in order, and edges follow them.

contour: a smooth line of the picture. station: distance in mm along it. The course ignores edits, so that an edit of a
corner changes only the cuts at it; an edge follows its contour as long as both its corners are on it.
Boards of layout version 1 have none (see `colour_lines`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from studio.base.chance import uniform
from studio.base.progress import Progress, kept
from studio.geometry.board.tiling import FREE, NONE, Tiling
from studio.geometry.curves.strokes import Floats, Ints, frozen
from studio.geometry.planar.graph import best_way, joined_ways
from studio.geometry.planar.regions import measures
from studio.puzzles.jigsaw.picture.colour_lines import EXACT, Contour, calmed, contours_of, drawn_contours
from studio.puzzles.jigsaw.picture.masks import (
    FollowedLine,
    Mask,
    area_on_board,
    grouped,
    hull_around,
    led_round,
    stretched,
)
from studio.puzzles.jigsaw.tongues.tongues import BESIDE_EDGE

if TYPE_CHECKING:
    import shapely

    from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
    from studio.puzzles.jigsaw.picture.board_picture import BoardPicture

REACH = 0.85
"""Largest move of a corner onto a contour, in usual pieces."""
SHORT, LONG, BENT, AWAY = 0.12, 1.9, 0.72, 0.8
"""Least distance of corners along a contour in usual pieces before they are spread, the most in lengths of their edge,
the least ratio of their chord to it, and the largest distance of its middle from the edge's, in usual pieces."""
EVENING = 4
"""Times that corners on a contour are spread between their neighbours."""
GAP, APART = 0.3, 0.4
"""Cost of leaving a contour and returning to it, and the least distance between, in usual pieces."""
MOVING = 1.0
"""Cost of moves, in the squared move over a usual piece."""
SEAMS = 6
"""Corners tried as the beginning of a closed contour."""
TRIES = 24
"""Most corners that are left out of a contour because they would squeeze a piece."""
YIELDING, ROUNDS, LEAST_MOVE = 0.85, 3, 0.04
"""Share of their neighbours' moves that other corners follow, how far that goes, and moves in usual pieces too small
to matter."""
CLEAR = 0.3
"""Distance from a contour to which corners beside it move away, in usual pieces."""
LEAST_EDGE = 0.3
"""Least length of an edge between two corners on contours, in usual pieces, unless it was shorter; of others half."""
LEAST_AREA, LEAST_ANGLE, COMPACT = 0.38, 0.36, 0.03
"""Least area of a piece as a fraction of its usual one, least angle in radians, and least ratio of its area to its
squared circumference."""
HELD = -2
"""Owner of corners that make room for an uncut area."""
TOGETHER, HOMES = 0.15, 4
"""Half the distance in usual pieces below which uncut areas are one, and how many pieces are tried for it."""
FIT_ROUND, ROUND_CALM = 0.4, 0.8
"""Distance in mm of cuts from an uncut area beyond the minimum wall, and the deviation of their average."""
OPENS, BESIDE_UNCUT = 2.0, 0.04
"""How far around an uncut area corners make room for it, and how far from it they stay, in usual pieces."""
SHORT_REST = 0.9
"""Length of the shortest rest of a contour beside an uncut area that is followed, in usual pieces."""
SLANTED = 0.7
"""Cosine of the angle to the end of a followed contour below which an edge leaves it squarely."""
ON_CONTOUR = 0.5
"""Largest distance in mm of an edited corner from a contour that its edges still follow."""
HOOKED_EDGE, HOOKED_CHORD, HOOK_REACH = 0.4, 0.9, 0.5
"""Least length of an edge with a hook in usual pieces, least ratio of its chord to it, and its least distance from an
uncut area, in usual pieces."""


@dataclass(frozen=True)
class Section:
    """The part of a contour, by number, that an edge follows, from the station of its first corner to its second's."""

    contour: int
    begin: float
    end: float


@dataclass(frozen=True, eq=False)
class Course:
    """Corners on contours and edges along them, without edits.

    Per corner: `places` (n, 2) in mm, and `owners` (n,) the contour it is on, or -1. `sections` are the parts of
    contours by edge. `rooms` (m,) bounds the room in mm of tongues beside them.
    """

    contours: tuple[Contour, ...]
    places: Floats
    owners: Ints
    sections: dict[int, Section]
    rooms: Floats
    pairs: list[list[int]]
    """Corners of the edges that follow contours, in the order of `sections`."""
    guards: dict[int, float]
    """Edges of pieces around uncut areas, and the side of each that is outside."""
    hooks: frozenset[int]
    """Edges along contours that carry a small tongue."""

    def section(self, edge: int, corners: tuple[int, int], ends: Floats) -> Section | None:
        """Part of a contour that an edge with `ends` (2, 2) in mm follows; None if an edited corner is off it."""
        found = self.sections.get(edge)
        if found is None:
            return None
        contour = self.contours[found.contour]
        stations = [found.begin, found.end]
        for at, corner in enumerate(corners):
            if np.abs(ends[at] - self.places[corner]).max() > 10.0**-4:
                (station,), (distance,) = contour.nearest(ends[[at]])
                if distance > ON_CONTOUR:
                    return None
                if contour.is_closed:
                    half = contour.length / 2
                    station = stations[at] + (station - stations[at] + half) % contour.length - half
                stations[at] = float(station)
        span = stations[1] - stations[0]
        if not 0.5 < span / (found.end - found.begin) < 1.5:
            return None
        return Section(found.contour, *stations)

    def follows(self, tiling: Tiling, corners: Floats, edges: Ints) -> NDArray[np.bool_]:
        """Mask of edges that follow contours, given the places (n, 2) of all corners."""
        pairs = tiling.graph.edges
        return np.array(
            [
                edge in self.sections and self.section(edge, tuple(pairs[edge]), corners[pairs[edge]]) is not None
                for edge in edges.tolist()
            ],
            bool,
        )

    def curve(self, edge: int, corners: tuple[int, int], ends: Floats) -> Floats:
        """Cubics, shape (3k + 1, 2), of an edge that follows, exactly between its `ends` (2, 2)."""
        found = self.section(edge, corners, ends)
        assert found is not None
        points = self.contours[found.contour].cut(found.begin, found.end)
        shares = np.linspace(0.0, 1.0, len(points))[:, None]
        points += (1 - shares) * (ends[0] - points[0]) + shares * (ends[1] - points[-1])
        points[0], points[-1] = ends
        return points

    def bent(self, edge: int, corners: tuple[int, int], ends: Floats, points: Floats) -> Floats:
        """Lay control points (n, 2) of a tongue on the straight line between `ends` (2, 2) along the contour."""
        found = self.section(edge, corners, ends)
        assert found is not None
        contour, span, chord = self.contours[found.contour], found.end - found.begin, ends[1] - ends[0]
        length = float(np.sqrt((chord**2).sum()))
        along = chord / length
        offset = points - ends[0]
        shares = np.clip(offset[:, 0] * along[0] + offset[:, 1] * along[1], 0.0, length)[:, None] / length
        stations = found.begin + shares[:, 0] * span
        ways = math.copysign(1.0, span) * contour.ways(stations)
        places = contour.at(stations)
        places += (1 - shares) * (ends[0] - places[0]) + shares * (ends[1] - places[-1])
        # The first and the last handle turn with the contour at the corners.
        feet, ways[1], ways[-2] = ends[0] + shares * chord, ways[0], ways[-1]
        places[1], places[-2], feet[1], feet[-2] = ends[0], ends[1], ends[0], ends[1]
        off = points - feet
        u, v = off[:, 0] * along[0] + off[:, 1] * along[1], off[:, 1] * along[0] - off[:, 0] * along[1]
        places += u[:, None] * ways + v[:, None] * np.stack([-ways[:, 1], ways[:, 0]], 1)
        places[0], places[-1] = ends
        return places

    @cached_property
    def _ways(self) -> dict[int, list[Floats]]:
        """Unit directions (2,) in which edges that follow leave corners, by corner."""
        found: dict[int, list[Floats]] = {}
        for section, pair in zip(self.sections.values(), self.pairs, strict=True):
            contour = self.contours[section.contour]
            ways = contour.ways(np.array([section.begin, section.end]))
            signs = (1.0, -1.0) if section.end > section.begin else (-1.0, 1.0)
            for corner, way, sign in zip(pair, ways, signs, strict=True):
                found.setdefault(corner, []).append(sign * way)
        return found

    def normals(self, tiling: Tiling, edges: Ints, ends: Floats) -> Iterator[tuple[int, int, Floats]]:
        """Index, end and unit normal (2,) of the edges with `ends` (k, 2, 2) that should leave a contour squarely."""
        for at, edge in enumerate(edges.tolist() if self.sections else ()):
            for end, corner in enumerate(tiling.graph.edges[edge].tolist()):
                ways = self._ways.get(corner, ())
                if edge in self.sections or not ways or np.abs(ends[at, end] - self.places[corner]).max() > ON_CONTOUR:
                    continue
                away = ends[at, 1 - end] - ends[at, end]
                size = float(np.sqrt((away**2).sum()))
                if len(ways) == 1 and float((ways[0] * away).sum()) < SLANTED * size:
                    continue
                normal = np.array([-ways[0][1], ways[0][0]])
                yield at, end, normal if float((normal * away).sum()) >= 0 else -normal


class _Planner:
    """Lays contours on a board, one after the other, wherever no piece is squeezed."""

    def __init__(self, tiling: Tiling, base: Floats, rim_reach: Floats) -> None:
        graph = tiling.graph
        self.tiling, self.regular, self.base, self.rim_reach = tiling, base, base, rim_reach
        self.usual = float(tiling.scale.min())
        self.reach = 0.0
        self.uncut: list[shapely.Polygon] = []
        self.spared: list[tuple[int, shapely.Geometry]] = []
        self.guards = dict[int, float]()
        self.places, self.owners = base.copy(), np.full(len(base), NONE)
        self.sections = dict[int, Section]()
        self.contours = list[Contour]()
        able = np.asarray((graph.sides >= 0).all(axis=1) & ~tiling.is_bare)
        able[tiling.seams.edges] = False
        self.edges = np.flatnonzero(able)
        self.free = np.asarray(tiling.tracks == FREE)
        self._usual_faces = dict[int, tuple[float, float, float]]()

    def spare(self, area: shapely.Geometry, margin: float, *, regroups: bool) -> None:
        """Keep cuts out of an area in mm: each part of it, or some near each other, inside a piece that makes room.
        If it `regroups`, it tries other parts together where that fails."""
        import shapely

        nearby = grouped(area, (1 + regroups) * TOGETHER * self.usual)
        ways = grouped(area, TOGETHER * self.usual), nearby, shapely.get_parts(area).tolist()
        tried = list[tuple[int, list[shapely.Geometry], _Planner]]()
        for parts in ways[: 3 if regroups and len(nearby) == 1 else 1]:
            if not tried or tried[-1][0]:
                trial = copy(self)
                vars(trial).update((name, copy(own)) for name, own in vars(self).items() if type(own) in (list, dict))
                left = [own for own in parts if not trial._make_room(own, margin)]
                tried.append((sum(map(shapely.get_num_geometries, left)), left, trial))
        _, left, best = min(tried, key=lambda one: one[0])
        if left and len(nearby) > 1:
            for near in nearby:
                self.spare(near, margin, regroups=regroups)
            return
        vars(self).update(vars(best))
        for own in left:
            rim = shapely.get_coordinates(shapely.get_exterior_ring(hull_around(own, margin + FIT_ROUND)))
            self.lay(Contour(np.round(calmed(rim, ROUND_CALM, closed=True), EXACT), 1.0), 1.0)

    def _make_room(self, own: shapely.Geometry, margin: float) -> bool:
        """Let a piece make room for an area, so that no cut enters it; False if none can."""
        hull = hull_around(own, margin + FIT_ROUND)
        before = self.places, self.owners, self.sections, len(self.contours)
        for face, home in self._homes(hull):
            room = stretched(self.places, hull, home, BESIDE_UNCUT * self.usual, OPENS * self.usual)
            fixed = ~self.free | (self.owners != NONE)
            self.places = np.where(fixed[:, None], self.places, np.round(room, EXACT))
            self.sections = dict(before[2])
            self._lead_round(face, hull)
            if self._squeezed(before[0]) is None and self._misses(own) and self._cut() is None:
                self.owners = self.owners.copy()
                self.owners[self.tiling.graph.edges[np.array(self._codes(face)) >> 1]] = HELD
                self.base = self.places
                self.spared.append((face, own))
                self.uncut.append(hull)
                self.guards |= {code >> 1: 1.0 if code & 1 else -1.0 for code in self._codes(face)}
                return True
            self.places, self.owners, self.sections = before[:3]
            del self.contours[before[3] :]
        return False

    def _homes(self, hull: shapely.Polygon) -> Iterator[tuple[int, shapely.Polygon]]:
        """Pieces that could hold a convex area, those with most of it first."""
        import shapely

        rings = [self._ring(at, self.places, self.sections) for at in range(self.tiling.graph.face_count)]
        faces = np.array([shapely.Polygon(np.concatenate([each[:-1] for each in ring])) for ring in rings])
        near = shapely.STRtree(faces).query(hull, predicate="intersects")
        areas = np.round(shapely.area(shapely.intersection(faces[near], hull)), 3)
        yield from ((at, faces[at]) for at in near[np.lexsort((near, -areas))][:HOMES].tolist())

    def _lead_round(self, face: int, hull: shapely.Polygon) -> None:
        """Lead the edges of a piece round a convex area inside it."""
        import shapely

        graph = self.tiling.graph
        for code in self._codes(face):
            edge, ends = code >> 1, self.places[graph.edges[code >> 1]][:: 1 - 2 * (code & 1)]
            if code >> 1 not in self.edges or not shapely.intersects(shapely.LineString(ends), hull):
                continue
            way = led_round(hull, ends)
            if len(way) > 2:
                contour = Contour(np.round(calmed(way, ROUND_CALM), EXACT), 1.0)
                stations = (0.0, contour.length) if code & 1 == 0 else (contour.length, 0.0)
                self.sections[edge] = Section(len(self.contours), *stations)
                self.contours.append(contour)

    def _misses(self, area: shapely.Geometry) -> bool:
        """True if no edge enters an area."""
        import shapely

        ends = self.places[self.tiling.graph.edges]
        straight = np.setdiff1d(np.arange(len(ends)), list(self.sections))
        lines = [*shapely.linestrings(ends[straight]), *(self._line(one) for one in self.sections.values())]
        return not bool(shapely.intersects(area, lines).any())

    def _cut(self, margin: float = 0.0) -> list[int] | None:
        """Corners of a piece around an uncut area that a cut comes nearer than `margin` mm nevertheless, or None."""
        import shapely

        for face, area in self.spared:
            if not self._misses(shapely.buffer(area, margin)):
                return list(np.unique(self.tiling.graph.edges[np.array(self._codes(face)) >> 1]).tolist())
        return None

    def _line(self, section: Section) -> shapely.LineString:
        import shapely

        return shapely.LineString(self.contours[section.contour].at(np.linspace(section.begin, section.end, 17)))

    def lay(self, contour: Contour, follow: float) -> None:
        """Let edges follow a contour as far as they can, and corners move as far as they may for a share `follow`."""
        import shapely

        self.reach = REACH * follow * self.usual
        if any(shapely.intersects(contour.line, each) for each in self.uncut):
            outside = shapely.difference(contour.line, shapely.union_all(self.uncut))
            for part in shapely.get_parts(shapely.line_merge(outside)):
                if shapely.length(part) > SHORT_REST * self.usual:
                    self._lay(Contour(shapely.get_coordinates(part), contour.strength))
            return
        self._lay(contour)

    def _lay(self, contour: Contour) -> None:
        banned, number = set[int](), len(self.contours)
        stations, distances, places = self._candidates(contour)
        before = self.places, self.owners, self.sections
        for _ in range(TRIES):
            spread = places.copy()
            path = self._path(contour, stations, distances, spread, banned)
            if not path:
                break
            on = np.unique(self.tiling.graph.edges[list(path)])
            self.owners = before[1].copy()
            self.owners[on] = np.where(self.owners[on] == NONE, number, self.owners[on])
            self.contours.append(contour)
            self.sections = before[2] | path
            self.places = self._relaxed(before[0], spread, on[before[1][on] == NONE])
            bad = self._squeezed(before[0]) or self._cut(FIT_ROUND)
            if bad is None:
                return
            mine = [each for each in bad if each in on and before[1][each] == NONE] or on.tolist()
            # The corner that moves furthest is left out.
            banned.add(max(mine, key=lambda each: (distances[each], each)))
            self.contours.pop()
            self.places, self.owners, self.sections = before

    def _candidates(self, contour: Contour) -> tuple[Floats, Floats, Floats]:
        """Stations and distances in mm (n,) of corners that can move onto a contour, else infinite, and where to."""
        import shapely

        stations, distances, places = np.zeros(len(self.base)), np.full(len(self.base), np.inf), self.places.copy()
        points = shapely.points(self.places)
        near = self.free & shapely.dwithin(contour.line, points, self.reach)
        chosen = np.flatnonzero(near)
        if len(chosen):
            stations[chosen], distances[chosen] = contour.nearest(self.places[chosen])
            places[chosen] = np.round(contour.at(stations[chosen]), EXACT)
            # A corner that is on another contour already can only stay.
            distances[chosen[(self.owners[chosen] != NONE) & (distances[chosen] > ON_CONTOUR / 5)]] = np.inf
        for end, is_at in enumerate(contour.at_border):
            off = np.sqrt(((self.places - contour.points[-end]) ** 2).sum(axis=1))
            off[(self.tiling.tracks < 0) | (off > self.rim_reach) | (self.owners != NONE)] = np.inf
            at = int(off.argmin())
            if is_at and np.isfinite(off[at]):
                stretch = self.tiling.outline.stretches[int(self.tiling.tracks[at])]
                stations[at], distances[at] = end * contour.length, round(float(off[at]), EXACT)
                places[at] = stretch.nearest(contour.points[[-end]])[0]
        return stations, distances, places

    def _path(
        self, contour: Contour, stations: Floats, distances: Floats, places: Floats, banned: set[int]
    ) -> dict[int, Section]:
        """The edges that cover most of a contour with the least moves, and their parts of it.

        Changes `places` of their corners, so that they are spread along it.
        """
        fits = np.isfinite(distances)
        fits[list(banned)] = False
        edges = self.edges[fits[self.tiling.graph.edges[self.edges]].all(axis=1)]
        edges = edges[[int(edge) not in self.sections for edge in edges]] if len(edges) else edges
        if not len(edges):
            return {}
        first, second = self.tiling.graph.edges[edges].T
        span = stations[second] - stations[first]
        length, usual = contour.length, self.usual
        if contour.is_closed:
            span = np.mod(span + length / 2, length) - length / 2
        gap = np.abs(span)
        chord, own = places[second] - places[first], self.base[second] - self.base[first]
        middle = contour.at(stations[first] + span / 2) - (self.places[first] + self.places[second]) / 2
        sizes = [np.sqrt((each**2).sum(axis=1)) for each in (chord, own, middle)]
        good = (gap >= SHORT * usual) & (gap <= LONG * sizes[1]) & (sizes[0] >= BENT * gap) & (sizes[2] <= AWAY * usual)
        moves = (distances[first] ** 2 + distances[second] ** 2) / 2
        value = np.round(gap - MOVING * moves / usual, EXACT)
        first, second, span, value, edges = (each[good] for each in (first, second, span, value, edges))
        begins = np.where(span > 0, first, second)
        ends = np.where(span > 0, second, first)
        nodes = np.unique(np.concatenate([first, second]))
        if not len(nodes):
            return {}
        seams = [NONE]
        if contour.is_closed:
            seams = nodes[np.lexsort((nodes, distances[nodes]))][:SEAMS].tolist()
        best, chosen = 0.0, list[int]()
        for seam in seams:
            zero = 0.0 if seam == NONE else stations[seam]
            own = {each: float((stations[each] - zero) % length if contour.is_closed else stations[each])
                   for each in nodes.tolist()}  # fmt: skip
            ways = [
                (begin, NONE if end == seam else end, worth, at)
                for at, (begin, end, worth, far) in enumerate(
                    zip(begins.tolist(), ends.tolist(), value.tolist(), np.abs(span).tolist(), strict=True)
                )
                if own[begin] + far <= length + 1e-6
            ]
            if seam != NONE:
                own[NONE] = length
            total, path = best_way(own, ways, APART * usual, GAP * usual)
            if total > best:
                best, chosen = total, path
        number, found = len(self.contours), dict[int, Section]()
        for run in joined_ways(begins, ends, chosen):
            corners = [*begins[run].tolist(), int(ends[run[-1]])]
            spread = stations[corners[0]] + np.concatenate([[0.0], np.cumsum(np.abs(span[run]))])
            can = np.array([self.owners[each] == NONE and self.free[each] for each in corners])
            can[[0, -1]] = False
            for _ in range(EVENING):
                even = (spread[:-2] + 2 * spread[1:-1] + spread[2:]) / 4
                spread[1:-1] = np.round(np.where(can[1:-1], even, spread[1:-1]), EXACT)
            places[corners] = np.where(can[:, None], np.round(contour.at(spread), EXACT), places[corners])
            for at, begin, end in zip(run, spread[:-1].tolist(), spread[1:].tolist(), strict=True):
                begin, end = (begin, end) if span[at] > 0 else (end, begin)
                found[int(edges[at])] = Section(number, begin, end)
        return found

    def _relaxed(self, before: Floats, places: Floats, on: Ints) -> Floats:
        """Places of all corners once those `on` a contour are at their places there; those nearby follow a little."""
        moves = before - self.base
        moves[on] = places[on] - self.base[on]
        held = ~self.free | (self.owners != NONE)
        first, second = self.tiling.graph.edges.T
        degrees = np.bincount(self.tiling.graph.edges.ravel(), minlength=len(moves))
        moves[~held] = 0.0
        for _ in range(ROUNDS):
            sums = np.stack(
                [
                    np.bincount(first, moves[second, axis], minlength=len(moves))
                    + np.bincount(second, moves[first, axis], minlength=len(moves))
                    for axis in (0, 1)
                ],
                1,
            )
            moves[~held] = (YIELDING * sums / np.maximum(degrees, 1)[:, None])[~held]
        moves[~held & ((moves**2).sum(axis=1) < (LEAST_MOVE * self.usual) ** 2)] = 0.0
        found = self.base + np.round(moves, EXACT)
        for contour in self.contours:
            self._clear(contour, found, held)
        return found

    def _clear(self, contour: Contour, places: Floats, held: NDArray[np.bool_]) -> None:
        """Move the places of corners beside a contour away from it, to leave room for the pieces along it."""
        import shapely

        clear = CLEAR * self.usual
        near = np.flatnonzero(~held & shapely.dwithin(contour.line, shapely.points(places), clear))
        if len(near):
            stations, distances = contour.nearest(places[near])
            ways = contour.ways(stations)
            normals = np.stack([-ways[:, 1], ways[:, 0]], 1)
            off = places[near] - contour.at(stations)
            side = np.where((normals * off).sum(axis=1) >= 0, 1.0, -1.0)
            places[near] += np.round(((clear - distances) * side)[:, None] * normals, EXACT)

    def _squeezed(self, before: Floats) -> list[int] | None:
        """Corners of a piece that the moves since `before` squeeze, or None."""
        graph = self.tiling.graph
        moved = np.flatnonzero((self.places != before).any(axis=1))
        edges = graph.edges_at(moved)
        (new, old) = (np.sqrt(((each[graph.edges[edges, 1]] - each[graph.edges[edges, 0]]) ** 2).sum(axis=1))
                      for each in (self.places, self.base))  # fmt: skip
        least = LEAST_EDGE * np.where((self.owners[graph.edges[edges]] != NONE).all(axis=1), 1.0, 0.5)
        short = edges[new < np.minimum(least * self.usual, 0.9 * old)]
        if len(short):
            return list(graph.edges[short[0]].tolist())
        for face in graph.faces_at(graph.edges_at(moved)).tolist():
            if face not in self._usual_faces:
                self._usual_faces[face] = measures(self._ring(face, self.regular, {}))
            area, angle, compact = measures(self._ring(face, self.places, self.sections))
            usual_area, usual_angle, usual_compact = self._usual_faces[face]
            if (
                area < LEAST_AREA * usual_area
                or angle < min(LEAST_ANGLE, 0.9 * usual_angle)
                or compact < min(COMPACT, 0.9 * usual_compact)
            ):
                return list(dict.fromkeys(graph.edges[np.array(self._codes(face)) >> 1].ravel().tolist()))
        return None

    def _codes(self, face: int) -> list[int]:
        """Half-edges round a face, without its holes."""
        graph = self.tiling.graph
        begin, end = graph.starts[[face, face + 1]]
        holes = graph.holes[(graph.holes > begin) & (graph.holes < end)]
        return list(graph.codes[begin : min([end, *holes])].tolist())

    def _ring(self, face: int, places: Floats, sections: dict[int, Section]) -> list[Floats]:
        """Edges (n, 2) round a face, each along its contour or straight."""
        graph, found = self.tiling.graph, list[Floats]()
        for code in self._codes(face):
            ends = places[graph.edges[code >> 1]]
            section = sections.get(code >> 1)
            if section is not None:
                stations = np.linspace(section.begin, section.end, 9)
                ends = np.concatenate([ends[:1], self.contours[section.contour].at(stations)[1:-1], ends[1:]])
            found.append(ends[::-1] if code & 1 else ends)
        return found

    def hooks(self, seed: int, area: shapely.Geometry) -> frozenset[int]:
        """Edges along contours, two or three apart, that should carry a small tongue away from an uncut area.

        Pieces on both sides of a contour would otherwise be held to each other by nothing.
        """
        import shapely

        edges = np.array(sorted(self.sections.keys() - self.guards.keys()), np.int64)
        found, taken, reach = list[int](), set[int](), HOOK_REACH * self.usual
        for edge in edges[np.argsort(uniform(seed, self.tiling.edge_keys[edges], "hook"), kind="stable")].tolist():
            first, second = self.tiling.graph.edges[edge].tolist()
            section, chord = self.sections[edge], np.hypot(*(self.places[second] - self.places[first]))
            long = abs(section.end - section.begin)
            able = long > HOOKED_EDGE * self.usual and chord > HOOKED_CHORD * long and not taken & {first, second}
            if able and not shapely.dwithin(self._line(section), area, reach):
                found.append(edge)
                taken |= {first, second}
        return frozenset(found)


@dataclass(frozen=True)
class Question:
    """A board whose course is asked for; boards with the same course are equal."""

    tiling: Tiling
    parameters: JigsawParameters
    picture: BoardPicture | None = field(hash=False)
    uncut: Mask | None = field(hash=False)
    lines: tuple[FollowedLine, ...] = field(hash=False)
    design: JigsawDesign = field(compare=False)
    unled: Callable[[], tuple[Floats, Floats]] = field(compare=False)
    """Returns the corners' places (n, 2) in mm without a course, and how far (n,) they can slide along the border."""


def _rooms(planner: _Planner) -> Floats:
    """Room (m,) in mm of the tongues of edges beside those that follow contours; infinite elsewhere."""
    import shapely

    graph, rooms = planner.tiling.graph, np.full(len(planner.tiling.graph.edges), np.inf)
    if not planner.sections:
        return rooms
    followed = np.array(sorted(planner.sections))
    faces = graph.faces_at(followed)
    beside = np.flatnonzero(np.isin(graph.sides, faces).any(axis=1) & ~np.isin(np.arange(len(rooms)), followed))
    lines = [planner.contours[one.contour].at(np.linspace(one.begin, one.end, 9)) for one in planner.sections.values()]
    whole = shapely.multilinestrings(shapely.linestrings(np.array(lines)))
    middles = planner.places[graph.edges[beside]].mean(axis=1)
    rooms[beside] = np.round(BESIDE_EDGE * shapely.distance(whole, shapely.points(middles)), EXACT)
    return rooms


@kept(2)
def course(question: Question, progress: Progress) -> Course:
    """Lay the contours of the picture on a board, the most important first."""
    design, tiling = question.design, question.tiling
    planner = _Planner(tiling, *question.unled())
    area = area_on_board(design.uncut, design.picture, design.size)
    planner.spare(area, design.parameters.least_bridge, regroups=design.parameters.layout_version > 2)
    # Contours may move corners around an area, but not those of edges that run round it.
    led = np.zeros(len(planner.owners), bool)
    led[tiling.graph.edges[list(planner.sections)]] = True
    planner.owners = np.where((planner.owners == HELD) & ~led, NONE, planner.owners)
    for contour in drawn_contours(design, tiling, progress):
        planner.lay(contour, contour.strength)
    for contour in contours_of(design, tiling, progress):
        planner.lay(contour, design.parameters.follow_colours)
    sections = planner.sections
    pairs = tiling.graph.edges[np.array([*sections], np.int64)].tolist()
    places, owners, rooms = frozen(planner.places), frozen(planner.owners), frozen(_rooms(planner))
    hooks = planner.hooks(design.parameters.seed, area)
    return Course(tuple(planner.contours), places, owners, sections, rooms, pairs, planner.guards, hooks)
