"""Trays made of flat parts: a base, a frame around an opening, fillers, and a lid with a recess for a picture.

opening: where the frame leaves the base free. filler: what stands in a hole of the opening, where no frame reaches; a
loose part, glued on the base. notch: room in the frame for a finger. recess: a window in the uppermost part of a lid.
clearance: the gap in mm between what is put into the tray and the frame, all round.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import pairwise

import numpy as np
import shapely

from studio.base.texts import tr
from studio.geometry.curves.fitting import fitted
from studio.geometry.curves.offsetting import buffered
from studio.geometry.curves.strokes import Floats, Polylines, offsets
from studio.geometry.planar.drawing import Drawing, Operation, Path, closed_parts
from studio.geometry.planar.regions import Polygons

BASE, FRAME = tr("Base"), tr("Frame")
LID, LID_RIM, PICTURE_FRAME = tr("Lid"), tr("Lid rim"), tr("Picture frame")
LEAST_WOOD = 2.0
"""Minimum width of a frame in mm at its narrowest point."""
SPACING = 5.0
"""Between the parts on the sheet, in mm."""
FOLLOWED = 0.002
"""How far in mm the chords of outlines may be from their curves."""
STRAYED = 0.004
"""How far in mm the curves of a part may be from its outline."""
BENT = math.radians(12.0)
"""A turn from which on an outline has a corner; chords of a curve turn by less."""
THINNED = 0.0002
"""What in mm is a step of no meaning, as offsets leave them."""
STEP, MOST_STEPS = 0.2, 20_000
"""The way in mm between the points that a curve is laid through, and how many of them there are at most."""
MEASURED = 0.01
"""How far in mm the lines between which wood is measured may be from the outlines."""
MOST_ROUNDED = 0.45
"""The largest radius of the outside, as a share of its narrower side."""
ROUNDED = 0.02
"""By how many tenths of a mm a sheet may be smaller than parts and spacing ask for."""
SPIKE = LEAST_WOOD**2 / 8
"""The area in mm² by which rounding shortens a spike of about 70°; corners that are less sharp are none."""
SHORTENED = 0.3 * LEAST_WOOD
"""How far in mm the tips of such spikes are from what is left of them, at least."""
QUICK_UP_TO = 100
"""Up to how many points of a board its tray follows every move of the mouse."""
LEAST_PART = 1e-3
"""What is smaller, in mm², is only a rounding error."""


def parted(plate: shapely.Geometry, opening: shapely.Geometry) -> tuple[shapely.Polygon, list[shapely.Polygon]]:
    """What an opening leaves of a plate: the frame around it, and what of it no frame reaches."""
    left_over = shapely.get_parts(shapely.difference(plate, opening))
    order = np.argsort(-shapely.area(shapely.envelope(left_over)), kind="stable")
    frame, *loose = (left_over[at] for at in order)
    return frame, loose


def filler_names(count: int) -> list[str]:
    """What so many fillers are called."""
    return [tr("Filler {number}", number=at + 1) for at in range(count)] if count > 1 else [tr("Filler")] * count


def wood(outside: shapely.Polygon, rims: Sequence[shapely.LinearRing]) -> float:
    """How wide a frame is in mm between its outside and the rims of its openings, at its narrowest; 0 where open."""
    if not all(outside.contains(rim) for rim in rims):
        return 0.0
    return min(float(outside.exterior.distance(rim)) for rim in rims)


def in_rows(sizes: Floats) -> tuple[Floats, float, float]:
    """Where parts of some sizes (p, 2) begin, and the width and the height of what they lie on, all in mm.

    They lie in rows as wide as twice the first of them, which is the largest.
    """
    width = max(2 * float(sizes[0, 0]) + SPACING, float(sizes[:, 0].max()))
    corners = np.empty_like(sizes)
    right = down = row = 0.0
    for at, (wide, tall) in enumerate(sizes.tolist()):
        if right and right + wide > width + 1e-9:
            right, down, row = 0.0, down + row + SPACING, 0.0
        corners[at] = right, down
        right, row = right + wide + SPACING, max(row, tall)
    return corners + SPACING, width + 2 * SPACING, down + row + 2 * SPACING


@dataclass(frozen=True)
class TrayForm:
    """How a tray is built around a board; lengths in mm.

    `is_box` makes the outside a rectangle, else it follows the board; `corner` is the radius of its corners. There are
    `notches` of the radius `notch`. `has_recess` gives a lid a recess for a picture.
    """

    clearance: float
    rim: float
    corner: float
    notches: int = 0
    notch: float = 0.0
    is_box: bool = False
    has_lid: bool = False
    has_recess: bool = False


@dataclass(frozen=True, eq=False)
class Tray:
    """The parts of a tray around a board, a polygon or several, in their places around it, in mm."""

    board: shapely.Geometry
    form: TrayForm

    @cached_property
    def is_quick(self) -> bool:
        """Whether such a tray can be made within a frame, as its board has few points."""
        return int(shapely.get_num_coordinates(self.board)) <= QUICK_UP_TO

    @cached_property
    def bare_opening(self) -> shapely.Geometry:
        """Where the board and its clearance are, and what of the wood beside them would break off."""
        moved = _moved(self.board, self.form.clearance)
        rings = [shapely.get_rings(part) for part in shapely.get_parts(moved)]
        outsides = shapely.union_all([shapely.Polygon(first) for first, *_ in rings])
        holes = [shapely.Polygon(hole) for _, *others in rings for hole in others]
        kept, opening = [hole for hole in holes if _is_sturdy(hole)], _without_spikes(outsides)
        return shapely.difference(opening, shapely.union_all(kept)) if kept else opening

    @cached_property
    def lost_holes(self) -> list[tuple[float, float]]:
        """The middles of those holes of the board that are too small for a filler."""
        kept = [shapely.Polygon(hole) for one in shapely.get_parts(self.bare_opening) for hole in one.interiors]
        found = []
        for part in shapely.get_parts(self.board):
            for hole in part.interiors:
                within = shapely.Polygon(hole)
                if not any(within.contains(one) for one in kept):
                    middle = within.representative_point()
                    found.append((float(middle.x), float(middle.y)))
        return found

    @cached_property
    def outside(self) -> shapely.Polygon:
        """The outline of base and frame."""
        around = shapely.union_all([shapely.Polygon(one.exterior) for one in shapely.get_parts(self.bare_opening)])
        if self.form.is_box:
            around = shapely.envelope(around)
        whole = _moved(around, self.form.rim)
        if whole.geom_type != "Polygon":
            whole = _moved(shapely.convex_hull(around), self.form.rim)
        return _softened(shapely.Polygon(whole.exterior), self.form.corner)

    @cached_property
    def notch_places(self) -> Floats:
        """The middles (n, 2) of the notches: evenly spread along the opening, the first in the middle of its right.

        Of an even number another one is in the middle of its left, and as many are above as below.
        """
        count = self.form.notches
        if not count:
            return np.empty((0, 2))
        opening = max(shapely.get_parts(self.bare_opening), key=lambda part: float(part.area))
        rim = shapely.LinearRing(opening.exterior.coords)
        right, left = _station(rim, 1.0), _station(rim, -1.0)
        if count % 2:
            stations = right + rim.length * np.arange(count) / count
        else:
            shares = np.arange(count // 2) / (count // 2)
            there, back = (left - right) % rim.length, (right - left) % rim.length
            stations = np.concatenate([right + shares * there, left + shares * back])
        return np.asarray(shapely.get_coordinates(shapely.line_interpolate_point(rim, stations % rim.length)))

    @cached_property
    def fillers(self) -> list[shapely.Polygon]:
        """What stands in the holes of the board."""
        return self._parted[1]

    @cached_property
    def bare_frame(self) -> shapely.Polygon:
        """The frame without its notches."""
        return self._parted[0]

    @cached_property
    def frame(self) -> shapely.Polygon:
        """The frame; where notches cut it apart, its largest part."""
        return max(self._notched, key=lambda part: float(part.area), default=self.bare_frame)

    @cached_property
    def _notched(self) -> list[shapely.Polygon]:
        """What the notches leave of the frame."""
        if not len(self.notch_places):
            return [self.bare_frame]
        discs = shapely.buffer(shapely.points(self.notch_places), self.form.notch, quad_segs=_steps(self.form.notch))
        parts: list[shapely.Polygon] = shapely.get_parts(
            shapely.difference(self.bare_frame, shapely.union_all(discs))
        ).tolist()
        return parts

    @cached_property
    def _parted(self) -> tuple[shapely.Polygon, list[shapely.Polygon]]:
        return parted(self.outside, self.bare_opening)

    @cached_property
    def lid(self) -> shapely.Polygon:
        """The outline of the lid, whose rim goes round the tray."""
        return _softened(shapely.Polygon(_moved(self._around_tray, self.form.rim).exterior), self.form.corner)

    @cached_property
    def _around_tray(self) -> shapely.Polygon:
        return shapely.Polygon(_moved(self.outside, self.form.clearance).exterior)

    @cached_property
    def parts(self) -> tuple[tuple[str, shapely.Polygon], ...]:
        """All parts by name: base, frame, fillers, then those of the lid from below."""
        found = [(BASE, self.outside), (FRAME, self.frame)]
        found += zip(filler_names(len(self.fillers)), self.fillers, strict=True)
        if self.form.has_lid:
            found += [(LID, self.lid), (LID_RIM, shapely.difference(self.lid, self._around_tray))]
        if self.form.has_lid and self.form.has_recess:
            windows = [shapely.Polygon(one.exterior) for one in shapely.get_parts(self.bare_opening)]
            found.append((PICTURE_FRAME, shapely.difference(self.lid, shapely.union_all(windows))))
        return tuple(found)

    @cached_property
    def seen(self) -> Polylines:
        """The rings of frame and fillers, as they are seen from above."""
        rings = shapely.get_rings([*(self._notched or [self.bare_frame]), *self.fillers])
        points, owners = shapely.get_coordinates(rings, return_index=True)
        return Polylines(points, offsets(np.bincount(owners)))

    @property
    def size(self) -> tuple[float, float]:
        """The width and height of the base in mm."""
        left, top, right, bottom = self.outside.bounds
        return float(right - left), float(bottom - top)

    @cached_property
    def bare_wood(self) -> float:
        """How wide the frame is in mm at its narrowest, notches left aside; 0 where the outside cuts it open."""
        outside, opening = shapely.simplify([self.outside, self.bare_opening], MEASURED).tolist()
        return wood(outside, [shapely.LinearRing(one.exterior) for one in shapely.get_parts(opening)])

    @cached_property
    def narrowest(self) -> tuple[float, float]:
        """Where the frame is narrowest, notches left aside, or where the outside cuts it open."""
        beyond = shapely.difference(self.bare_opening, self.outside)
        if not beyond.is_empty:
            middle = max(shapely.get_parts(beyond), key=lambda part: float(part.area)).representative_point()
            return float(middle.x), float(middle.y)
        outside, opening = shapely.simplify([self.outside, self.bare_opening], MEASURED).tolist()
        rims = shapely.multilinestrings([one.exterior for one in shapely.get_parts(opening)])
        _there, here = shapely.get_coordinates(shapely.shortest_line(outside.exterior, rims)).tolist()
        return here[0], here[1]

    @cached_property
    def room_behind(self) -> float:
        """The width of the frame in mm where notches are, at its narrowest, as if they were not; infinity without."""
        middles = shapely.points(self.notch_places)
        return float(np.min(shapely.distance(middles, self.outside.exterior), initial=np.inf))

    @cached_property
    def apart(self) -> float:
        """How far in mm two notches are apart at least; below 0 where they run into each other."""
        places = self.notch_places
        away = np.hypot(*(places[:, None] - places).transpose(2, 0, 1))
        np.fill_diagonal(away, np.inf)
        return float(away.min(initial=np.inf)) - 2 * self.form.notch

    @cached_property
    def drawing(self) -> Drawing:
        """All parts side by side, to be cut; on the base it is scored where fillers go."""
        return sheet([name for name, _ in self.parts], [part for _, part in self.parts], self.fillers)


def sheet(names: Sequence[str], parts: Sequence[shapely.Polygon], scored: Sequence[shapely.Polygon] = ()) -> Drawing:
    """Parts in rows, as curves; outlines of `scored` are scored on the first of them."""
    boxes = shapely.bounds(np.array(parts, object))
    sizes = boxes[:, 2:] - boxes[:, :2]
    order = np.argsort(-np.round(sizes[:, 0], 1), kind="stable")
    placed, width, height = in_rows(sizes[order])
    places = np.empty_like(placed)
    places[order] = placed
    width, height = (math.ceil(10 * side - ROUNDED) / 10 for side in (width, height))
    origins = places - boxes[:, :2]
    rings = [[ring + origin for ring in curves_of(part)] for part, origin in zip(parts, origins, strict=True)]
    marks = [Path(Operation.SCORE, ring + origins[0], closed=True) for part in scored for ring in curves_of(part)]
    return closed_parts((width, height), names, rings, marks)


def curves_of(part: shapely.Polygon) -> list[Floats]:
    """The rings of a part as closed curves (3k + 1, 2): the outline clockwise on the screen, then its holes."""
    rings = shapely.get_rings(shapely.orient_polygons(shapely.simplify(part, THINNED)))
    return [_curved(shapely.get_coordinates(ring)[:-1]) for ring in rings]


def _curved(points: Floats) -> Floats:
    """A closed way through points (n, 2) as a curve; corners and straight sides stay what they are.

    Between them it is laid through places at even distances, as what comes of offsets has its points in heaps.
    """
    sides = np.roll(points, -1, axis=0) - points
    lengths = np.hypot(*sides.T)
    ways = np.arctan2(sides[:, 1], sides[:, 0])
    turns = np.abs((ways - np.roll(ways, 1) + np.pi) % (2 * np.pi) - np.pi)
    is_corner = turns > BENT
    turns[is_corner] = 0.0
    # A chord of a curve that turns like this at either end would be further from it than chords are.
    is_straight = lengths * np.maximum(turns, np.roll(turns, -1)) / 8 > 3 * FOLLOWED
    breaks = np.flatnonzero(is_corner | is_straight | np.roll(is_straight, 1))
    if not len(breaks):
        breaks = np.zeros(1, np.int64)
    begin = int(breaks[0])
    around = np.roll(points, -begin, axis=0)
    around = np.concatenate([around, around[:1]])
    ends = [*(breaks - begin).tolist(), len(points)]
    step = max(STEP, float(lengths.sum()) / MOST_STEPS)
    runs = [_spread(around[low : high + 1], step) for low, high in pairwise(ends)]
    curves = fitted(
        Polylines(np.concatenate(runs), offsets(np.array([len(run) for run in runs]))), STRAYED, step * BENT / 4
    )
    return curves.joined(2 * np.arange(len(runs)), np.array([0, len(runs)]))[0]


def _spread(run: Floats, step: float) -> Floats:
    """Places at even distances along a run of points, about a step in mm apart; of a straight run its ends."""
    if len(run) < 3:
        return run
    way = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(run, axis=0).T))])
    at = np.linspace(0.0, way[-1], max(5, math.ceil(way[-1] / step) + 1))
    places = np.stack([np.interp(at, way, run[:, axis]) for axis in (0, 1)], 1)
    places[0], places[-1] = run[0], run[-1]
    return places


def region_of(outlines: Polylines) -> shapely.Geometry:
    """What closed lines enclose: outlines, holes in them, and islands in these."""
    rings = shapely.make_valid(shapely.polygons(shapely.linearrings(outlines.points, indices=outlines.owners)))
    found = shapely.get_parts(shapely.make_valid(reduce(shapely.symmetric_difference, rings)))
    kept: Polygons = found[(shapely.get_type_id(found) == 3) & (shapely.area(found) > LEAST_PART)]
    return shapely.union_all(kept)


def _station(rim: shapely.LinearRing, way: float) -> float:
    """How far along a ring it is to where it is outermost at half its height, on the right (1) or the left (-1)."""
    left, top, right, bottom = rim.bounds
    middle = (left + right) / 2, (top + bottom) / 2
    ray = shapely.LineString([middle, (middle[0] + way * (right - left), middle[1])])
    met = shapely.get_coordinates(shapely.intersection(rim, ray))
    return float(rim.project(shapely.Point(met[(way * met[:, 0]).argmax()]))) if len(met) else 0.0


def _moved(area: shapely.Geometry, by: float) -> shapely.Geometry:
    """An area with mitred outlines further out, by some mm."""
    return buffered(np.array([area], object), by)[0] if by else area


def _is_sturdy(part: shapely.Polygon) -> bool:
    """Whether a part is nowhere so narrow that it breaks in two, and is there at all."""
    left = shapely.buffer(part, -LEAST_WOOD / 2)
    return left.geom_type == "Polygon" and not left.is_empty


def _without_spikes(opening: shapely.Geometry) -> shapely.Geometry:
    """An opening, and all spikes of wood that reach into it and are narrower than LEAST_WOOD."""
    reach, steps = LEAST_WOOD / 2, _steps(LEAST_WOOD / 2)
    filled = shapely.buffer(shapely.buffer(opening, reach, quad_segs=steps), -reach, quad_segs=steps)
    rims = shapely.boundary(filled)
    shapely.prepare(rims)
    if shapely.dwithin(rims, shapely.points(shapely.get_coordinates(opening)), SHORTENED).all():
        return opening
    parts = shapely.get_parts(shapely.difference(filled, opening))
    spikes = parts[shapely.area(parts) > SPIKE]
    return shapely.union_all([opening, *shapely.buffer(spikes, THINNED)]) if len(spikes) else opening


def _steps(radius: float) -> int:
    """Chords for a quarter circle, FOLLOWED from it."""
    return max(8, math.ceil(math.pi / 4 / math.acos(1 - min(FOLLOWED / max(radius, FOLLOWED), 0.5))))


def _softened(area: shapely.Polygon, radius: float) -> shapely.Polygon:
    """An area whose corners, those that are hollow too, are rounded; as it is where rounding would divide it."""
    left, top, right, bottom = area.bounds
    radius = min(radius, MOST_ROUNDED * min(right - left, bottom - top))
    if radius <= THINNED:
        return area
    steps = _steps(radius)
    filled = shapely.buffer(shapely.buffer(area, radius, quad_segs=steps), -radius, quad_segs=steps)
    filled = shapely.Polygon(filled.exterior) if filled.geom_type == "Polygon" else area
    found = shapely.buffer(shapely.buffer(filled, -radius, quad_segs=steps), radius, quad_segs=steps)
    return found if found.geom_type == "Polygon" and not found.is_empty else filled
