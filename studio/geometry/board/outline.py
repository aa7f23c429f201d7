"""The outline of a board: rings of stretches on which the corners of the border slide.

stretch: a part of a ring between two sharp bends, or a whole ring without bends. station: a place on a stretch as a
number. depth: the distance in mm of a wavy border inside its stretch.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.geometry.curves.strokes import Curves, Floats, Polylines, frozen, offsets
from studio.geometry.planar.graph import crossing

if TYPE_CHECKING:
    import shapely

ARC_HALF = 1.0 - 0.5**0.5
"""Distance of the middle of a quarter arc of radius 1 from the sides of its square."""
NO_LENGTH = 1e-9
"""Length in mm below which a stretch is a rounding error."""
AT_KNOT = 1e-6
"""Stations nearer than this to the end of a cubic are moved onto it."""
WAVE_HANDLE = 0.4
"""Length of a wave's handles along its stretch, as a share of its length."""
OUTLINE_TOLERANCE = 0.01
"""The largest deviation in mm of the polygon of an outline from its curves."""
SHARPEST = np.radians(15.0)
"""Turn of a ring that makes a bend: a corner of the board stays at that place."""
SAMPLES, LEAST_SAMPLES, MOST_CHORDS = 64, 4, 4096
"""Chords per cubic in the first search for the nearest place; fewer where there are many short cubics."""
FINER = np.linspace(-1.0, 1.0, 17)
"""Places around the nearest so far, in units of their previous distance from each other."""
EXACT = 1e-6
"""The distance in mm between places at which refinement ends."""
MOST_KNOWN = 2000
"""Places whose nearest stations a curve caches."""
MOST_COMPARED = 50_000
"""Cubics times places compared in one batch; more would exceed the processor's cache."""
DEEPEST = 0.5
"""Largest depth of a wavy border, as a share of the radius of the largest inner circle that touches there."""
MOST_TOUCHED = 1024
"""Most places of a stretch that are tested against such a circle."""
NEARLY = 1 + 1e-9
"""Tolerance factor for comparisons of squared distances."""


class Stretch(ABC):
    """A part of an outline as a curve."""

    @property
    @abstractmethod
    def freedom(self) -> Floats:
        """Freedom of a corner to slide along x and y, 1 or 0, (2,)."""

    @property
    @abstractmethod
    def box(self) -> tuple[Floats, Floats]:
        """The least and the greatest x and y of a box around it."""

    @abstractmethod
    def nearest(self, places: Floats) -> Floats:
        """The places (k, 2) on the stretch for pointer positions (k, 2)."""

    @abstractmethod
    def stations(self, places: Floats, margin: Floats) -> Floats:
        """The stations (k,) nearest to places (k, 2), at least `margin` (2,) mm from the ends of the stretch."""

    @abstractmethod
    def at(self, stations: Floats, depths: Floats | float = 0.0) -> Floats:
        """The places (k, 2) at stations, moved inside by depths in mm as far as there is room."""

    @abstractmethod
    def inward(self, places: Floats) -> Floats:
        """The unit normals (k, 2) into the board at places of the stretch."""

    @abstractmethod
    def strokes(self, ends: Floats, homes: Floats, *, waves: bool) -> list[Floats]:
        """Control points of the border between pairs of places (k, 2, 2), whose corners have their homes at `homes`."""


@dataclass(frozen=True, eq=False)
class Side(Stretch):
    """A straight side along x (axis 0) or y (axis 1) at `base`, `length` mm long, with rounded ends.

    `inwards` is the direction into the board across it, 1 or -1. Stations are coordinates along the axis.
    """

    axis: int
    base: float
    inwards: float
    length: float
    radius: float

    @property
    def freedom(self) -> Floats:
        """1 along the side's axis, 0 across."""
        return np.array([1.0, 0.0] if self.axis == 0 else [0.0, 1.0])

    @property
    def box(self) -> tuple[Floats, Floats]:
        """Corners of the box around the side and its arcs."""
        ends = np.full((2, 2), self.base)
        ends[:, self.axis] = 0.0, self.length
        ends[1, 1 - self.axis] += self.inwards * self.radius
        return ends.min(axis=0), ends.max(axis=0)

    def nearest(self, places: Floats) -> Floats:
        """Project places onto the side."""
        result = np.full_like(places, self.base)
        result[:, self.axis] = np.clip(places[:, self.axis], 0.0, self.length)
        return result

    def stations(self, places: Floats, margin: Floats) -> Floats:
        """Coordinates along the axis, clear of the arcs and margins."""
        least = self.radius * ARC_HALF + margin[self.axis]
        return np.clip(places[:, self.axis], least, self.length - least)

    def at(self, stations: Floats, depths: Floats | float = 0.0) -> Floats:
        """Places at stations; depths apply only between the arcs."""
        near, radius = np.minimum(stations, self.length - stations), self.radius
        arc = radius - np.sqrt(np.maximum(0.0, radius**2 - np.maximum(0.0, radius - near) ** 2))
        result = np.empty((len(stations), 2))
        result[:, self.axis] = stations
        result[:, 1 - self.axis] = self.base + self.inwards * np.where(near < radius, arc, depths)
        return result

    def inward(self, places: Floats) -> Floats:
        """The same unit normal for all places."""
        return np.tile(self.inwards * np.eye(2)[1 - self.axis], (len(places), 1))

    def strokes(self, ends: Floats, homes: Floats, *, waves: bool) -> list[Floats]:
        """Straight or wavy strokes, rounded at the ends of the side."""
        return [self._stroke(first, second, waves=waves) for first, second in ends]

    def _stroke(self, first: Floats, second: Floats, *, waves: bool) -> Floats:
        low, high = first[self.axis], second[self.axis]
        if low > high:
            # A corner dragged past its neighbour makes the border run backwards.
            return self._stroke(second, first, waves=waves)[::-1]
        if low == high or (not waves and low >= self.radius and high <= self.length - self.radius):
            return np.stack([first, (2 * first + second) / 3, (first + 2 * second) / 3, second])
        across = 1 - self.axis
        profile = self._profile(low, abs(first[across] - self.base), high, abs(second[across] - self.base))
        stroke = np.empty((len(profile), 2))
        stroke[:, self.axis] = profile[:, 0]
        stroke[:, across] = self.base + self.inwards * profile[:, 1]
        stroke[0], stroke[-1] = first, second
        return stroke

    def _profile(self, low: float, low_depth: float, high: float, high_depth: float) -> Floats:
        """The border from `low` to `high` along the side, as control points (along, depth): arc, wave, arc."""
        side, radius = self.length, self.radius
        points: list[tuple[float, float]] = [(low, low_depth)]

        def arc(begin: float, end: float, mirrored: float) -> None:
            first, second = np.arccos(1 - np.array([begin, end]) / radius)
            handle = 4 / 3 * np.tan((second - first) / 4)
            for angle, sign in ((first, 1), (second, -1)):
                along = radius * (1 - np.cos(angle) + sign * handle * np.sin(angle))
                depth = radius * (1 - np.sin(angle) - sign * handle * np.cos(angle))
                points.append((float(mirrored + along if mirrored == 0 else mirrored - along), float(depth)))
            along, depth = radius * (1 - np.cos(second)), radius * (1 - np.sin(second))
            points.append((float(mirrored + along if mirrored == 0 else mirrored - along), float(depth)))

        if low < radius:
            arc(low, min(high, radius), 0.0)
        arcs_meet = side - 2 * radius < NO_LENGTH
        if high > radius and low < side - radius and not arcs_meet:
            begin, depth = points[-1]
            end = min(high, side - radius)
            until = high_depth if high <= side - radius else 0.0
            reach = WAVE_HANDLE * (end - begin) if depth != until else (end - begin) / 3
            points += [(begin + reach, depth), (end - reach, until), (end, until)]
        if high > side - radius:
            arc(side - max(low, side - radius), side - high, side)
        return np.array(points)


@dataclass(frozen=True, eq=False)
class Bow(Stretch):
    """A stretch of any form: the control points (3k + 1, 2) of its cubics, with the board at the right hand.

    A closed bow is a ring without a bend. Stations count cubics from the beginning.
    """

    points: Floats

    @property
    def freedom(self) -> Floats:
        """1 along both axes: the curve may have any direction."""
        return np.ones(2)

    @property
    def box(self) -> tuple[Floats, Floats]:
        """Corners of the box around its control points, which contains the curve."""
        return self.points.min(axis=0), self.points.max(axis=0)

    @property
    def is_closed(self) -> bool:
        """True if the bow is a whole ring."""
        return bool((self.points[0] == self.points[-1]).all())

    @cached_property
    def _cubics(self) -> Floats:
        """Control points (k, 4, 2)."""
        cubics: Floats = self.points[np.arange(0, len(self.points) - 1, 3)[:, None] + np.arange(4)]
        return cubics

    @property
    def _samples(self) -> int:
        return min(SAMPLES, max(LEAST_SAMPLES, MOST_CHORDS // len(self._cubics)))

    @cached_property
    def _chords(self) -> tuple[Floats, Floats]:
        """Sampled places (k, 2) on the curve, and the vectors from each to the next."""
        stations = np.arange(self._samples * len(self._cubics) + 1) / self._samples
        places = self._places(stations)
        return places[:-1], np.diff(places, axis=0)

    def nearest(self, places: Floats) -> Floats:
        """The nearest places on the curve."""
        return self.at(self.stations(places, np.zeros(2)))

    def stations(self, places: Floats, margin: Floats) -> Floats:
        """Nearest stations, from the nearest chord and ever finer samples around it."""
        count, stations = float(len(self._cubics)), self._nearest(places)
        if not self.is_closed:
            speeds = np.hypot(*self._at(np.array([0.0, count]))[1].T)
            low, high = np.minimum(np.hypot(*margin) / np.maximum(speeds, NO_LENGTH), 0.25)
            stations = np.clip(stations, low, count - high)
        return stations

    def _nearest(self, places: Floats) -> Floats:
        """Stations nearest to places, cached, since all edges at a corner ask for the same place."""
        wanted = [*map(tuple, places.tolist())]
        found = {place: self._known.get(place) for place in wanted}
        anew = [place for place, station in found.items() if station is None]
        if anew:
            made = dict(zip(anew, self._sought(np.array(anew)).tolist(), strict=True))
            found |= made
            if len(self._known) + len(made) > MOST_KNOWN:
                self._known.clear()
            if len(made) <= MOST_KNOWN:
                self._known.update(made)
        return np.array([found[place] for place in wanted], float)

    @cached_property
    def _known(self) -> dict[tuple[float, ...], float]:
        """Cached stations by place."""
        return {}

    def _sought(self, places: Floats) -> Floats:
        """Compute the stations nearest to places."""
        stations = np.empty(len(places))
        at_once = max(1, MOST_COMPARED // len(self._cubics))
        for first in range(0, len(places), at_once):
            stations[first : first + at_once] = self._roughly(places[first : first + at_once])
        reach, rows = 1.0 / self._samples, np.arange(len(places))
        for _ in range(self._refinements):
            near = self._within(stations[:, None] + reach * FINER)
            gaps = ((self._places(near.ravel()).reshape(*near.shape, 2) - places[:, None]) ** 2).sum(axis=2)
            stations, reach = near[rows, gaps.argmin(axis=1)], reach * (FINER[1] - FINER[0])
        return stations

    @cached_property
    def _refinements(self) -> int:
        """Rounds of refinement until samples are EXACT mm apart."""
        longest = float(np.hypot(*self._chords[1].T).max())
        return max(1, math.ceil(math.log(max(longest, EXACT) / EXACT, 1 / (FINER[1] - FINER[0]))))

    def _roughly(self, places: Floats) -> Floats:
        """Stations nearest to places on the chords of all cubics with boxes near enough."""
        begins, ways = self._chords
        low, high = self._boxes
        least, most = np.zeros((len(places), len(low))), np.zeros((len(places), len(low)))
        # Each axis by itself: numpy's inner loops are slow over two numbers.
        for axis, spots in enumerate(places.T[..., None]):
            least += np.maximum(np.maximum(low[:, axis] - spots, spots - high[:, axis]), 0.0) ** 2
            most += (begins[:: self._samples, axis] - spots) ** 2
        which, cubics = np.nonzero(least <= NEARLY * most.min(axis=1)[:, None])
        chords = cubics[:, None] * self._samples + np.arange(self._samples)
        begins, ways, some = begins[chords], ways[chords], places[which, None]
        squares = np.maximum((ways**2).sum(axis=2), NO_LENGTH**2)
        share = np.clip(((some - begins) * ways).sum(axis=2) / squares, 0.0, 1.0)
        gaps = ((begins + share[..., None] * ways - some) ** 2).sum(axis=2)
        rows, nearest = np.arange(len(which)), gaps.argmin(axis=1)
        least = gaps[rows, nearest]
        firsts = np.searchsorted(which, np.arange(len(places)))
        best = np.flatnonzero(least == np.minimum.reduceat(least, firsts)[which])
        best = best[np.searchsorted(which[best], np.arange(len(places)))]
        return np.asarray((chords[best, 0] + nearest[best] + share[best, nearest[best]]) / self._samples)

    @cached_property
    def _boxes(self) -> tuple[Floats, Floats]:
        """Least and greatest x and y (k, 2) of the chords of every cubic."""
        begins, ways = self._chords
        along = begins.T.reshape(2, -1, self._samples)
        ends = (begins + ways)[self._samples - 1 :: self._samples]
        return np.minimum(along.min(axis=2).T, ends), np.maximum(along.max(axis=2).T, ends)

    def at(self, stations: Floats, depths: Floats | float = 0.0) -> Floats:
        """Places at stations, moved inside along the normal by at most DEEPEST of the room there."""
        here, way = self._at(stations)
        inwards = _right_of(way)
        if np.any(depths):
            depths = np.minimum(depths, DEEPEST * self._rooms(here, inwards))
        return here + np.reshape(depths, (-1, 1)) * inwards

    def _rooms(self, places: Floats, inwards: Floats) -> Floats:
        """Radii (k,) of the largest circles that touch the stretch from inside at places of it.

        A larger circle, or a deeper border, would leave the board at a bend or a narrow part.
        """
        touched = self._chords[0]
        ways = touched[:: -(-len(touched) // MOST_TOUCHED)] - places[:, None]
        ahead = np.einsum("ijk,ik->ij", ways, inwards)
        radii = (ways**2).sum(axis=2) / (2 * np.maximum(ahead, NO_LENGTH))
        found: Floats = np.where(ahead > NO_LENGTH, radii, np.inf).min(axis=1, initial=np.inf)
        return found

    def inward(self, places: Floats) -> Floats:
        """Unit normals to the right of the curve."""
        return _right_of(self._at(self.stations(places, np.zeros(2)))[1])

    def strokes(self, ends: Floats, homes: Floats, *, waves: bool) -> list[Floats]:
        """Parts of the curve between the places nearest to both ends; wavy ones lie inside it."""
        wanted = np.concatenate([ends, homes]) if self.is_closed else ends
        found = self.stations(wanted.reshape(-1, 2), np.zeros(2)).reshape(-1, 2)
        spans, at_home = _at_knots(found[: len(ends)]), found[len(ends) :]
        if self.is_closed:
            count = len(self._cubics)
            usual = (at_home[:, 1] - at_home[:, 0]) % count
            # Take the way round that the homes have, unless one corner has slid past the other.
            begins, further = spans[:, 0], spans[:, 1] - spans[:, 0] - usual
            spans[:, 1] = begins + usual + (further + count / 2) % count - count / 2
        knots = [self._knots(*span) for span in spans.tolist()]
        return [
            self._stroke(first, second, some, stroke, waves=waves)
            for (first, second), some, stroke in zip(ends, knots, self._between(knots), strict=True)
        ]

    def _stroke(self, first: Floats, second: Floats, knots: Floats, stroke: Floats, *, waves: bool) -> Floats:
        if waves:
            begin, end = knots[[0, -1]]
            depths = np.hypot(*(np.stack([first, second]) - stroke[[0, -1]]).T)
            share = (knots - begin) / ((end - begin) or 1.0)
            depth = depths[0] + (3 * share**2 - 2 * share**3) * (depths[1] - depths[0])
            inside = self.at(self._within(knots), depth) - stroke[::3]
            stroke = stroke + np.repeat(inside, 3, axis=0)[1:-1]
        stroke[0], stroke[-1] = first, second
        return stroke

    def _within(self, stations: Floats) -> Floats:
        """Wrap stations on a ring; clip them on any other stretch."""
        count = float(len(self._cubics))
        return stations % count if self.is_closed else np.clip(stations, 0.0, count)

    def _places(self, stations: Floats) -> Floats:
        """Places (k, 2) at stations."""
        part = np.minimum(stations.astype(np.int64), len(self._cubics) - 1)
        return _cubic(self._cubics[part], stations - part)

    def _at(self, stations: Floats) -> tuple[Floats, Floats]:
        """Places and derivatives (k, 2) at stations."""
        part = np.minimum(stations.astype(np.int64), len(self._cubics) - 1)
        chosen, t = self._cubics[part], stations - part
        way = 3 * np.diff(chosen, axis=1)
        rest, here = (1 - t)[:, None], t[:, None]
        return _cubic(chosen, t), rest**2 * way[:, 0] + 2 * rest * here * way[:, 1] + here**2 * way[:, 2]

    def between(self, stations: Floats) -> list[Floats]:
        """Control points of the parts from each station to the next."""
        return self._between([self._knots(low, high) for low, high in pairwise(stations.tolist())])

    @staticmethod
    def _knots(begin: float, end: float) -> Floats:
        """Two stations and all ends of cubics between them."""
        low, high = min(begin, end), max(begin, end)
        knots = np.array([low, *np.arange(np.floor(low) + 1, np.ceil(high)), high])
        return knots if begin <= end else knots[::-1]

    def _between(self, lines: Sequence[Floats]) -> list[Floats]:
        """Control points of lines along their knots, backwards where knots descend."""
        if not lines:
            return []
        here = np.concatenate([knots[:-1] for knots in lines])
        there = np.concatenate([knots[1:] for knots in lines])
        numbers = np.floor(np.minimum(here, there))
        cubics = self._cubics[numbers.astype(np.int64) % len(self._cubics)]
        parts, spans = [], (there - numbers) - (here - numbers)
        way = np.diff(cubics, axis=1)
        for t in (here - numbers, there - numbers):
            rest = (1 - t)[:, None]
            slopes = rest**2 * way[:, 0] + 2 * (rest * t[:, None]) * way[:, 1] + t[:, None] ** 2 * way[:, 2]
            parts.append((_cubic(cubics, t), slopes * spans[:, None]))
        (begins, leaving), (ends, reaching) = parts
        points = np.stack([begins + leaving, ends - reaching, ends], 1)
        bounds = offsets(np.array([len(knots) - 1 for knots in lines])).tolist()
        return [
            np.concatenate([begins[low : low + 1], points[low:high].reshape(-1, 2)]) for low, high in pairwise(bounds)
        ]


def _cubic(cubics: Floats, t: Floats) -> Floats:
    """Places (k, 2) of cubics (k, 4, 2) at parameters (k,)."""
    rest = 1 - t
    square, rests = t * t, rest * rest
    one, two, three, four = rests * rest, 3 * rests * t, 3 * rest * square, square * t
    places = np.empty((len(t), 2))
    # Added one by one: numpy's sum rounds differently for other numbers of places, and a drag has fewer.
    for axis, (first, second, third, last) in enumerate(cubics.transpose(2, 1, 0)):
        places[:, axis] = one * first + two * second + three * third + four * last
    return places


def _at_knots(stations: Floats) -> Floats:
    """Snap stations within AT_KNOT of a cubic's end onto it, so that no part has length 0."""
    knots = np.round(stations)
    return np.where(np.abs(stations - knots) < AT_KNOT, knots, stations)


def _right_of(way: Floats) -> Floats:
    """Unit vectors to the right of vectors, with y growing downwards."""
    length = np.maximum(np.hypot(way[:, 0], way[:, 1]), NO_LENGTH)
    return np.stack([-way[:, 1], way[:, 0]], 1) / length[:, None]


@dataclass(frozen=True, eq=False)
class Outline:
    """Rings of stretches; `rings` holds each ring's control points (3k + 1, 2), closed, with the board at the right.

    At `bends` (k, 2) one stretch ends and another begins.
    """

    stretches: tuple[Stretch, ...]
    rings: Curves
    bends: Floats

    @cached_property
    def lines(self) -> Polylines:
        """The rings as polylines."""
        return self.rings.flattened(OUTLINE_TOLERANCE)

    @cached_property
    def _tree(self) -> shapely.STRtree:
        """A search tree of the rings' segments."""
        import shapely

        lines = self.lines
        first = np.flatnonzero(lines.owners[:-1] == lines.owners[1:])
        return shapely.STRtree(shapely.linestrings(lines.points[np.stack([first, first + 1], 1)]))

    @cached_property
    def box(self) -> tuple[Floats, Floats]:
        """The least and the greatest x and y."""
        points = self.lines.points
        return points.min(axis=0), points.max(axis=0)

    @cached_property
    def region(self) -> shapely.Geometry:
        """The board as polygons."""
        import shapely

        lines = self.lines
        rings = shapely.polygons(shapely.linearrings(lines.points, indices=lines.owners))
        region = shapely.GeometryCollection()
        for ring in sorted(rings, key=shapely.area, reverse=True):
            region = shapely.symmetric_difference(region, ring)
        shapely.prepare(region)
        return region

    def gaps(self, places: Floats, most: float) -> Floats:
        """Distances (k,) in mm of places (k, 2) from the rings; infinite beyond `most`."""
        import shapely

        points = shapely.points(places)
        (which, _), near = self._tree.query_nearest(points, max_distance=most, return_distance=True, all_matches=False)
        gaps = np.full(len(places), np.inf)
        gaps[which] = near
        return gaps

    def held(self, places: Floats) -> Floats:
        """Move places (k, 2) outside the board to the nearest place on it."""
        import shapely

        low, high = self.box
        held = np.clip(places, low, high)
        for at, place in enumerate(shapely.points(held)):
            if not shapely.intersects(self.region, place):
                held[at] = shapely.get_coordinates(shapely.shortest_line(self.region, place))[0]
        return held


def rounded_rectangle(width: float, height: float, radius: float) -> Outline:
    """A rectangle in mm from the origin, its corners rounded: sides at the top, the bottom, the left and the right."""
    sides = (
        Side(0, 0.0, 1.0, width, radius), Side(0, height, -1.0, width, radius),
        Side(1, 0.0, 1.0, height, radius), Side(1, width, -1.0, height, radius),
    )  # fmt: skip
    top, bottom, left, right = (_whole(side) for side in sides)
    ring = np.concatenate([top, right[1:], bottom[::-1][1:], left[::-1][1:]])
    ring[-1] = ring[0]
    return Outline(sides, Curves.from_strokes([ring]), np.stack([top[0], top[-1], bottom[-1], bottom[0]]))


def _whole(side: Side) -> Floats:
    """A side from the middle of one of its arcs to the middle of the other."""
    reach = side.radius * ARC_HALF
    first, second = side.at(np.array([reach, side.length - reach]))
    ends = np.stack([first, second])[None]
    return side.strokes(ends, ends, waves=False)[0]


def outline_of(rings: Sequence[Floats]) -> Outline:
    """An outline from closed rings of cubics (3k + 1, 2) in mm, each with the board on its right.

    A ring is divided into stretches where it bends by more than SHARPEST. Raises StudioError, with the place, if a ring
    is open, or crosses itself or another.
    """
    for ring in rings:
        if not (ring[0] == ring[-1]).all():
            raise StudioError(
                tr(
                    "The outline is not closed: it starts at {x:.2f}, {y:.2f} mm and ends at {end_x:.2f}, "
                    "{end_y:.2f} mm.",
                    x=ring[0, 0],
                    y=ring[0, 1],
                    end_x=ring[-1, 0],
                    end_y=ring[-1, 1],
                )
            )
    whole = with_rings(Outline((), Curves.from_strokes([]), np.empty((0, 2))), rings)
    lines = whole.lines
    owners = lines.owners
    first = np.flatnonzero(owners[:-1] == owners[1:])
    following = first + 1
    closes = following == lines.starts[1:][owners[first]] - 1
    ends = np.stack([first, np.where(closes, lines.starts[owners[first]], following)], 1)
    met = crossing(lines.points, ends)
    if met is not None:
        raise StudioError(tr("The outline crosses itself at {x:.2f}, {y:.2f} mm.", x=met[0], y=met[1]))
    return whole


def with_rings(outline: Outline, rings: Sequence[Floats], stops: Floats | None = None) -> Outline:
    """Append closed rings that cross nothing to an outline, keeping its stretches.

    New stretches end at bends, and at knots of the rings at `stops` (k, 2).
    """
    stretches = [Bow(frozen(points)) for ring in rings for points in divided_at_bends(ring, stops)]
    bends = [stretch.points[0] for stretch in stretches if not stretch.is_closed]
    return Outline(
        (*outline.stretches, *stretches),
        Curves.from_strokes([*(outline.rings[at] for at in range(len(outline.rings))), *rings]),
        np.concatenate([outline.bends, np.array(bends).reshape(-1, 2)]),
    )


def divided_at_bends(ring: Floats, stops: Floats | None = None) -> list[Floats]:
    """Divide a closed ring at its bends, and at knots that are among some places (k, 2)."""
    knots = ring[:-1:3]
    leaving = _direction(ring[1::3] - knots, ring[3::3] - knots)
    reaching = np.roll(_direction(ring[3::3] - ring[2::3], ring[3::3] - knots), 1, axis=0)
    cross = reaching[:, 0] * leaving[:, 1] - reaching[:, 1] * leaving[:, 0]
    is_bend = np.abs(np.arctan2(cross, (reaching * leaving).sum(axis=1))) > SHARPEST
    if stops is not None:
        is_bend |= (knots[:, None] == stops).all(axis=2).any(axis=1)
    bends = np.flatnonzero(is_bend)
    if not len(bends):
        return [ring]
    turned = np.concatenate([ring[3 * bends[0] : -1], ring[: 3 * bends[0] + 1]])
    begins = [*(3 * (bends - bends[0])).tolist(), len(turned) - 1]
    return [turned[low : high + 1].copy() for low, high in pairwise(begins)]


def _direction(handle: Floats, chord: Floats) -> Floats:
    """Unit directions of handles (k, 2), or of chords for handles of length 0."""
    flat = np.hypot(handle[:, 0], handle[:, 1]) < NO_LENGTH
    way = np.where(flat[:, None], chord, handle)
    return way / np.maximum(np.hypot(way[:, 0], way[:, 1]), NO_LENGTH)[:, None]
