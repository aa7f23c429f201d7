"""Trays made of flat parts: a base, a frame around an opening, fillers, and a lid with a recess for a picture.

opening: the area of the base inside the frame. filler: a loose part in a hole of the opening, beyond reach of the
frame, glued on the base. notch: room in the frame for a finger. recess: a window in the uppermost part of a lid.
clearance: the gap in mm between the tray's contents and the frame, all round.
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
"""Distance between the parts on the sheet in mm."""
FOLLOWED = 0.002
"""Largest distance in mm of the chords of outlines from their curves."""
STRAYED = 0.004
"""Largest distance in mm of the curves of a part from its outline."""
BENT = math.radians(12.0)
"""Turn above which an outline has a corner; chords of a curve turn by less."""
THINNED = 0.0002
"""Length in mm of meaningless steps, as offsets leave them."""
STEP, MOST_STEPS = 0.2, 20_000
"""Distance in mm between the points to which a curve is fitted, and the most points."""
MEASURED = 0.01
"""Largest distance in mm from the outlines of the lines that wood is measured between."""
MOST_ROUNDED = 0.45
"""The largest radius of the outside, as a share of its narrower side."""
ROUNDED = 0.02
"""Tenths of a mm by which a sheet may be smaller than parts and spacing require."""
SPIKE = LEAST_WOOD**2 / 8
"""Area in mm² that rounding takes from a spike of about 70°; blunter corners are not spikes."""
SHORTENED = 0.3 * LEAST_WOOD
"""Least distance in mm of the tips of such spikes from their rounded remainder."""
QUICK_UP_TO = 100
"""Points of a board up to which its tray follows every move of the mouse."""
LEAST_PART = 1e-3
"""Area in mm² below which a part is a rounding error."""


def parted(plate: shapely.Geometry, opening: shapely.Geometry) -> tuple[shapely.Polygon, list[shapely.Polygon]]:
    """Cut an opening out of a plate; return the frame around it and the loose parts inside."""
    left_over = shapely.get_parts(shapely.difference(plate, opening))
    order = np.argsort(-shapely.area(shapely.envelope(left_over)), kind="stable")
    frame, *loose = (left_over[at] for at in order)
    return frame, loose


def filler_names(count: int) -> list[str]:
    """The names of `count` fillers."""
    return [tr("Filler {number}", number=at + 1) for at in range(count)] if count > 1 else [tr("Filler")] * count


def wood(outside: shapely.Polygon, rims: Sequence[shapely.LinearRing]) -> float:
    """Least width in mm of a frame between its outside and the rims of its openings; 0 if it is open."""
    if not all(outside.contains(rim) for rim in rims):
        return 0.0
    return min(float(outside.exterior.distance(rim)) for rim in rims)


def in_rows(sizes: Floats) -> tuple[Floats, float, float]:
    """Lay parts of sizes (p, 2) in rows; return their corners, and the width and height of the sheet, all in mm.

    Rows are as wide as twice the first part, which is the widest.
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
    """The form of a tray around a board; lengths in mm.

    `is_box` makes the outside a rectangle, else it follows the board; `corner` is the radius of its corners. `notches`
    counts the notches, of the radius `notch`. `has_recess` gives a lid a recess for a picture.
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
        """True if the tray can be made within one frame of a drag, since its board has few points."""
        return int(shapely.get_num_coordinates(self.board)) <= QUICK_UP_TO

    @cached_property
    def bare_opening(self) -> shapely.Geometry:
        """The area of the board, its clearance, and the wood beside them that would break off."""
        moved = _moved(self.board, self.form.clearance)
        rings = [shapely.get_rings(part) for part in shapely.get_parts(moved)]
        outsides = shapely.union_all([shapely.Polygon(first) for first, *_ in rings])
        holes = [shapely.Polygon(hole) for _, *others in rings for hole in others]
        kept, opening = [hole for hole in holes if _is_sturdy(hole)], _without_spikes(outsides)
        return shapely.difference(opening, shapely.union_all(kept)) if kept else opening

    @cached_property
    def lost_holes(self) -> list[tuple[float, float]]:
        """The middles of the board's holes that are too small for a filler."""
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

        An even number has another notch in the middle of the left, and as many above as below.
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
        """The fillers, which stand in the holes of the board."""
        return self._parted[1]

    @cached_property
    def bare_frame(self) -> shapely.Polygon:
        """The frame without its notches."""
        return self._parted[0]

    @cached_property
    def frame(self) -> shapely.Polygon:
        """The frame, or its largest part if notches cut it apart."""
        return max(self._notched, key=lambda part: float(part.area), default=self.bare_frame)

    @cached_property
    def _notched(self) -> list[shapely.Polygon]:
        """The parts of the frame without its notches' discs."""
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
        """All parts by name: base, frame, fillers, then the lid's from below."""
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
        """The rings of frame and fillers, as seen from above."""
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
        """Least width of the frame in mm, ignoring notches; 0 if the outside cuts it open."""
        outside, opening = shapely.simplify([self.outside, self.bare_opening], MEASURED).tolist()
        return wood(outside, [shapely.LinearRing(one.exterior) for one in shapely.get_parts(opening)])

    @cached_property
    def narrowest(self) -> tuple[float, float]:
        """The place of the least width of the frame, ignoring notches, or of the outside's cut through it."""
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
        """Least width in mm of the bare frame at the notches; infinite without notches."""
        middles = shapely.points(self.notch_places)
        return float(np.min(shapely.distance(middles, self.outside.exterior), initial=np.inf))

    @cached_property
    def apart(self) -> float:
        """Least gap in mm between two notches; below 0 if they run into each other."""
        places = self.notch_places
        away = np.hypot(*(places[:, None] - places).transpose(2, 0, 1))
        np.fill_diagonal(away, np.inf)
        return float(away.min(initial=np.inf)) - 2 * self.form.notch

    @cached_property
    def drawing(self) -> Drawing:
        """All parts side by side, to be cut; the places of the fillers are scored on the base."""
        return sheet([name for name, _ in self.parts], [part for _, part in self.parts], self.fillers)


def sheet(names: Sequence[str], parts: Sequence[shapely.Polygon], scored: Sequence[shapely.Polygon] = ()) -> Drawing:
    """Lay parts in rows, as curves; outlines of `scored` are scored on the first part."""
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
    """Fit a curve to a closed way through points (n, 2), keeping corners and straight sides.

    Between these it is fitted to evenly spaced places, since offset outlines have clustered points.
    """
    sides = np.roll(points, -1, axis=0) - points
    lengths = np.hypot(*sides.T)
    ways = np.arctan2(sides[:, 1], sides[:, 0])
    turns = np.abs((ways - np.roll(ways, 1) + np.pi) % (2 * np.pi) - np.pi)
    is_corner = turns > BENT
    turns[is_corner] = 0.0
    # A chord with such turns at both ends would be too far from a curve.
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
    """Evenly spaced places along a run of points, about a step in mm apart; a straight run keeps just its ends."""
    if len(run) < 3:
        return run
    way = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(run, axis=0).T))])
    at = np.linspace(0.0, way[-1], max(5, math.ceil(way[-1] / step) + 1))
    places = np.stack([np.interp(at, way, run[:, axis]) for axis in (0, 1)], 1)
    places[0], places[-1] = run[0], run[-1]
    return places


def region_of(outlines: Polylines) -> shapely.Geometry:
    """The area of closed lines: outlines with holes, and islands in these."""
    rings = shapely.make_valid(shapely.polygons(shapely.linearrings(outlines.points, indices=outlines.owners)))
    found = shapely.get_parts(shapely.make_valid(reduce(shapely.symmetric_difference, rings)))
    kept: Polygons = found[(shapely.get_type_id(found) == 3) & (shapely.area(found) > LEAST_PART)]
    return shapely.union_all(kept)


def _station(rim: shapely.LinearRing, way: float) -> float:
    """Distance along a ring to its outermost point at half its height, on the right (1) or the left (-1)."""
    left, top, right, bottom = rim.bounds
    middle = (left + right) / 2, (top + bottom) / 2
    ray = shapely.LineString([middle, (middle[0] + way * (right - left), middle[1])])
    met = shapely.get_coordinates(shapely.intersection(rim, ray))
    return float(rim.project(shapely.Point(met[(way * met[:, 0]).argmax()]))) if len(met) else 0.0


def _moved(area: shapely.Geometry, by: float) -> shapely.Geometry:
    """Move the outlines of an area outwards by mm, mitred."""
    return buffered(np.array([area], object), by)[0] if by else area


def _is_sturdy(part: shapely.Polygon) -> bool:
    """True if a part stays one part, and does not vanish, when LEAST_WOOD / 2 is taken off all round."""
    left = shapely.buffer(part, -LEAST_WOOD / 2)
    return left.geom_type == "Polygon" and not left.is_empty


def _without_spikes(opening: shapely.Geometry) -> shapely.Geometry:
    """Add spikes of wood that reach into an opening and are narrower than LEAST_WOOD to it."""
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
    """Chords for a quarter circle, within FOLLOWED of it."""
    return max(8, math.ceil(math.pi / 4 / math.acos(1 - min(FOLLOWED / max(radius, FOLLOWED), 0.5))))


def _softened(area: shapely.Polygon, radius: float) -> shapely.Polygon:
    """Round an area's corners, hollow ones included, unless that would divide it."""
    left, top, right, bottom = area.bounds
    radius = min(radius, MOST_ROUNDED * min(right - left, bottom - top))
    if radius <= THINNED:
        return area
    steps = _steps(radius)
    filled = shapely.buffer(shapely.buffer(area, radius, quad_segs=steps), -radius, quad_segs=steps)
    filled = shapely.Polygon(filled.exterior) if filled.geom_type == "Polygon" else area
    found = shapely.buffer(shapely.buffer(filled, -radius, quad_segs=steps), radius, quad_segs=steps)
    return found if found.geom_type == "Polygon" and not found.is_empty else filled
