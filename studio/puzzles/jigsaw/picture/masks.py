"""What a maker paints on a jigsaw for its cuts: areas and lines.

Tongues and corners keep clear of the protected area, such as lettering; no cut at all should enter the uncut area, such
as an eye; and cuts follow lines. On a board with a picture these belong to it and move with it; their unit is then the
width of the whole picture, from the picture's upper left corner. Without one they are in mm from the board's corner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from studio.base.errors import StudioError
from studio.base.parameters import ParameterError
from studio.base.texts import tr
from studio.geometry.board.board_spec import DRAWN, Ring
from studio.geometry.curves.strokes import Curves, Floats, Ints
from studio.puzzles.jigsaw.picture.board_picture import BoardPicture
from studio.puzzles.jigsaw.tongues.tongues import PLAIN, SIDE, STRAIGHT

if TYPE_CHECKING:
    from shapely import Polygon
    from shapely.geometry.base import BaseGeometry

    from studio.geometry.board.tiling import Tiling
    from studio.puzzles.jigsaw.model.design import JigsawDesign

Size = tuple[float, float]
MOST_POINTS = 20_000
DEEPEST = 100
"""Most polygons nested in each other in an area from a file."""
FARTHEST = 1e6
"""Largest coordinate, in units."""
GRIDS = {False: 2, True: 6}
"""Decimals of points in mm, and in widths of a picture."""
BRUSHES = (0.5, 200.0)
"""Least and largest radius of a brush in mm."""
ARCS = 8
"""Sides of a quarter of a brush."""
STRAY = 0.05
"""Largest deviation of a brush from the mouse's path, in its radii."""
FLATTENING = 0.05
"""Largest deviation in mm of the lines that tell if a cut enters the uncut area."""
ON_RING = 1e-9
"""Largest difference in mm of the same point in two areas."""
STEERABLE = 2
"""First layout version in which areas and lines steer cuts."""
_EXACT = 6
"""Decimals in mm of painted and read outlines."""
MANY_POINTS = 5_000
"""Number of points above which an area is simplified, so that it stays fast after any number of brush strokes."""
FINE, COARSEST = 0.02, 0.5
"""Deviation in mm of a simplified outline, at first and at most."""
PINHOLE = 0.25
"""Area in mm² below which holes are closed when an area is simplified."""
SPECK = 0.01
"""Area in mm² below which parts are dropped."""
MOST_LINES, SIMPLER = 200, 0.2
"""Most lines that cuts follow, and how far in mm a line may be from the mouse's path."""


@dataclass(frozen=True)
class Mask:
    """A protected area: polygons, which are holes inside others; `on_picture` if its unit is a picture's.

    Raises ParameterError if the polygons enclose no area.
    """

    rings: tuple[Ring, ...]
    on_picture: bool = False

    def __post_init__(self) -> None:
        if sum(map(len, self.rings)) > MOST_POINTS:
            raise ParameterError("rings", tr("rings must have at most {most} points.", most=MOST_POINTS))
        if not self.rings or min(map(len, self.rings)) < 3:
            raise ParameterError("rings", tr("rings must be polygons of at least three points."))
        if max(abs(each) for ring in self.rings for point in ring for each in point) > FARTHEST:
            raise ParameterError("rings", tr("rings must be within {farthest:g} of the corner.", farthest=FARTHEST))
        if self.region.is_empty:
            raise ParameterError("rings", tr("rings must enclose an area."))

    @cached_property
    def region(self) -> BaseGeometry:
        """Area in its own unit, prepared for many queries."""
        import shapely

        lines = shapely.union_all([shapely.linearrings(np.array(ring)) for ring in self.rings])
        region = shapely.build_area(lines)
        shapely.prepare(region)
        return region

    @classmethod
    def from_region(cls, region: BaseGeometry, *, on_picture: bool) -> Mask | None:
        """Make the mask of an area in its own unit; None if empty. Raise StudioError for too many points."""
        import shapely

        decimals = GRIDS[on_picture]
        with np.errstate(all="ignore"):  # shapely divides by tiny numbers
            snapped = shapely.normalize(shapely.set_precision(region, 10.0**-decimals))
        parts = [part for part in shapely.get_parts(snapped) if isinstance(part, shapely.Polygon)]
        found = [shapely.get_coordinates(ring)[:-1] for part in parts for ring in (part.exterior, *part.interiors)]
        if (count := sum(map(len, found))) > MOST_POINTS:
            raise StudioError(
                tr(
                    "the protected area would have {count:,} points (maximum {most:,}). Use simpler shapes.",
                    count=count,
                    most=MOST_POINTS,
                )
            )
        rings = (tuple((x, y) for x, y in (np.round(ring, decimals) + 0.0).tolist()) for ring in found)
        return cls(tuple(rings), on_picture) if found else None


@dataclass(frozen=True)
class FollowedLine:
    """A line that cuts follow: its path, in the unit of a picture if `on_picture`, and its strength up to 1.

    Raises ParameterError for a path without length and a strength out of bounds.
    """

    path: Ring
    strength: float = 1.0
    on_picture: bool = False

    def __post_init__(self) -> None:
        if not 1 < len(set(self.path)) <= len(self.path) <= MOST_POINTS:
            raise ParameterError("path", tr("path must have 2 to {most} points.", most=MOST_POINTS))
        if max(abs(each) for point in self.path for each in point) > FARTHEST:
            raise ParameterError("path", tr("path must be within {farthest:g} of the corner.", farthest=FARTHEST))
        if not 0.0 < self.strength <= 1.0:
            raise ParameterError("strength", tr("strength must be above 0 and at most 1."))

    def on_board(self, picture: BoardPicture | None, size: Size) -> Floats:
        """The path in mm on the board, shape (n, 2)."""
        return Placement.from_picture(picture if self.on_picture else None, size).on_board(np.array(self.path))

    @classmethod
    def from_path(cls, way: Floats, strength: float, picture: BoardPicture | None, size: Size) -> FollowedLine | None:
        """Make the line along a path in mm, shape (n, 2); None if it is a mere point."""
        import shapely

        places = np.round(way, _EXACT)
        if len(places) < 2 or float(np.ptp(places, axis=0).max()) < SIMPLER:
            return None
        simple = shapely.get_coordinates(shapely.simplify(shapely.LineString(places), SIMPLER))
        own = Placement.from_picture(picture, size).from_board(simple)
        points = (np.round(own, GRIDS[picture is not None]) + 0.0).tolist()
        return cls(tuple((x, y) for x, y in points), strength, picture is not None)


@dataclass(frozen=True)
class Placement:
    """Frame of a mask on the board: its origin in mm, its unit in mm, and its rotation as (cos, sin)."""

    origin: tuple[float, float]
    scale: float
    turn: tuple[float, float] = (1.0, 0.0)

    @classmethod
    def from_picture(cls, picture: BoardPicture | None, size: Size) -> Placement:
        """Frame of a picture, or of the board in mm."""
        if picture is None:
            return cls((0.0, 0.0), 1.0)
        corners = picture.on_board(*size).corners
        width = picture.box(*size)[2]
        right = ((corners[1] - corners[0]) / width).tolist()
        return cls((float(corners[0, 0]), float(corners[0, 1])), width, (right[0], right[1]))

    def on_board(self, points: Floats) -> Floats:
        """Convert points to mm on the board, shape (n, 2)."""
        (cos, sin), x, y = self.turn, points[:, 0] * self.scale, points[:, 1] * self.scale
        return np.stack([self.origin[0] + cos * x - sin * y, self.origin[1] + sin * x + cos * y], 1)

    def from_board(self, points: Floats) -> Floats:
        """Convert points on the board to this frame, shape (n, 2)."""
        (cos, sin), x, y = self.turn, points[:, 0] - self.origin[0], points[:, 1] - self.origin[1]
        return np.stack([cos * x + sin * y, cos * y - sin * x], 1) / self.scale


def placement(mask: Mask, picture: BoardPicture | None, size: Size) -> Placement:
    """Frame of a mask on a board, given the board's size in mm."""
    return Placement.from_picture(picture if mask.on_picture else None, size)


def area_on_board(mask: Mask | None, picture: BoardPicture | None, size: Size) -> BaseGeometry:
    """Protected area in mm on the board; empty without a mask."""
    import shapely

    if mask is None:
        return shapely.Polygon()
    return shapely.transform(mask.region, placement(mask, picture, size).on_board)


def rings_on_board(mask: Mask | None, picture: BoardPicture | None, size: Size) -> tuple[Floats, ...]:
    """Polygons of a protected area in mm on the board, each of shape (n, 2)."""
    if mask is None:
        return ()
    placed = placement(mask, picture, size)
    return tuple(placed.on_board(np.array(ring)) for ring in mask.rings)


def of_area(area: BaseGeometry, picture: BoardPicture | None, size: Size) -> Mask | None:
    """Make the mask of an area in mm on the board; it belongs to the picture, if any."""
    import shapely

    parts = shapely.get_parts(shapely.make_valid(area))
    kept = _clean(shapely.union_all([part for part in parts if shapely.area(part) >= SPECK]))
    placed = Placement.from_picture(picture, size)
    return Mask.from_region(shapely.transform(kept, placed.from_board), on_picture=picture is not None)


def _clean(area: BaseGeometry) -> BaseGeometry:
    """Simplify an area of many points: close pinholes, and coarsen its outline as far as necessary."""
    import shapely

    coarse = FINE
    while shapely.get_num_coordinates(area) > MANY_POINTS and coarse <= COARSEST:
        parts = [part for part in shapely.get_parts(area) if isinstance(part, shapely.Polygon)]
        filled_up = [
            shapely.Polygon(part.exterior, [hole for hole in part.interiors if shapely.Polygon(hole).area >= PINHOLE])
            for part in parts
        ]
        area = shapely.simplify(shapely.union_all(filled_up), coarse)
        coarse *= 2
    return area


def rebound(mask: Mask | None, before: BoardPicture | None, after: BoardPicture | None, size: Size) -> Mask | None:
    """Keep a mask's place on the board when a picture comes or goes; a mask on a picture stays on a new picture."""
    if mask is None or mask.on_picture == (after is not None):
        return mask
    return of_area(area_on_board(mask, before, size), after, size)


def lines_rebound(
    lines: tuple[FollowedLine, ...], before: BoardPicture | None, after: BoardPicture | None, size: Size
) -> tuple[FollowedLine, ...]:
    """Keep the places of lines on the board when a picture comes or goes, as of a mask."""
    if all(line.on_picture == (after is not None) for line in lines):
        return lines
    found = (FollowedLine.from_path(line.on_board(before, size), line.strength, after, size) for line in lines)
    return tuple(line for line in found if line is not None)


def changed(
    mask: Mask | None, area: BaseGeometry, picture: BoardPicture | None, size: Size, *, erases: bool = False
) -> Mask | None:
    """Add an area in mm to a mask, or erase it; None if nothing is left."""
    import shapely

    before = area_on_board(mask, picture, size)
    return of_area((shapely.difference if erases else shapely.union)(before, area), picture, size)


def ensure_steerable(design: JigsawDesign) -> None:
    """Raise StudioError if uncut areas and lines have no effect on the cuts of a board."""
    if design.parameters.tiling == DRAWN:
        raise StudioError(tr("Drawn cuts stay as they are. Choose another tiling first."))
    if design.parameters.layout_version < STEERABLE:
        raise StudioError(tr("This board keeps an older layout. Use the newest layout first."))


def without_lines(
    lines: tuple[FollowedLine, ...], area: BaseGeometry, picture: BoardPicture | None, size: Size
) -> tuple[FollowedLine, ...]:
    """Drop the lines that enter an area in mm."""
    import shapely

    return tuple(one for one in lines if not shapely.LineString(one.on_board(picture, size)).intersects(area))


def brushed(way: Floats, radius: float, size: Size) -> BaseGeometry:
    """Area in mm that a round brush covers along a path, shape (n, 2), clipped to the board."""
    import shapely

    places = np.round(way, _EXACT)
    line = shapely.LineString(places).simplify(STRAY * radius) if len(way) > 1 else shapely.Point(places[0])
    return shapely.intersection(shapely.buffer(line, radius, quad_segs=ARCS), shapely.box(0.0, 0.0, *size))


def filled(rings: Iterable[Floats]) -> BaseGeometry:
    """Fill closed polygons, each of shape (n, 2); a polygon inside another is a hole in it.

    Raise StudioError for more than DEEPEST nested polygons.
    """
    import shapely

    polygons = np.array(
        [shapely.make_valid(shapely.Polygon(np.round(one, _EXACT))) for one in rings if len(one) > 2], object
    )
    areas = shapely.area(polygons)
    within, around = shapely.STRtree(polygons).query(polygons, predicate="within")
    depths = np.bincount(within[areas[around] > areas[within]], minlength=len(polygons))
    if depths.max(initial=0) > DEEPEST:
        raise StudioError(tr("more than {most} of its paths lie in each other. Simplify the drawing.", most=DEEPEST))
    found: BaseGeometry = shapely.Polygon()
    for depth in range(int(depths.max(initial=0)) + 1):
        change = shapely.difference if depth % 2 else shapely.union
        found = change(found, shapely.union_all(polygons[depths == depth]))
    return found


def guard(
    design: JigsawDesign,
    tiling: Tiling,
    guards: dict[int, float],
    tongues: Floats,
    edges: Ints,
    draw: Callable[[Ints], Curves],
) -> None:
    """Turn unedited tongues of edges around uncut areas outwards, and make edges straight that would enter one.

    `guards` holds the outer side of each such edge; `draw` draws the curves of edges as the table `tongues` says.
    """
    import shapely

    edited = {tiling.tongue_indices[edit.name] for edit in design.tongues if not edit.is_only_kept}
    mine = [edge for edge in edges.tolist() if edge in guards and edge not in edited]
    some = np.array([edge for edge in mine if tongues[edge, PLAIN] < STRAIGHT], np.int64)
    if len(some):
        tongues[some, SIDE] = [guards[edge] for edge in some.tolist()]
        lines = draw(some).flattened(FLATTENING)
        area = area_on_board(design.uncut, design.picture, design.size)
        enters = shapely.intersects(area, shapely.linestrings(lines.points, indices=lines.owners))
        tongues[some[enters], PLAIN] = STRAIGHT


def grouped(area: BaseGeometry, reach: float) -> list[BaseGeometry]:
    """Parts of an area, those in one that are nearer to each other than twice `reach` in mm."""
    import shapely

    around = [part for part in shapely.get_parts(shapely.buffer(area, reach)) if not part.is_empty]
    return [area] if len(around) == 1 else [shapely.intersection(area, part) for part in around]


def hull_around(area: BaseGeometry, margin: float) -> Polygon:
    """Convex area around another, with a margin in mm."""
    import shapely

    return shapely.buffer(shapely.convex_hull(area), margin)


def stretched(places: Floats, hull: BaseGeometry, home: BaseGeometry, beside: float, reach: float) -> Floats:
    """Places (n, 2) once the area `home` is moved and stretched around a convex area, and those within `reach` with it.

    Places stay `beside` mm from the box around the convex area.
    """
    low, high = np.array(hull.bounds[:2]) - beside, np.array(hull.bounds[2:]) + beside
    first, last = np.array(home.bounds[:2]), np.array(home.bounds[2:])
    # What a piece holds of its box: a triangle less than a square.
    waste = (last - first) * (1 - np.sqrt(home.area / np.prod(last - first))) / 2
    first, last = first + waste, last - waste
    fits = high - low <= last - first
    begin = np.where(fits, first + np.minimum(low - first, 0) + np.maximum(high - last, 0), low)
    end = np.where(fits, begin + last - first, high)
    inside = np.clip((places - first) / (last - first), 0.0, 1.0)
    moves = begin + inside * (end - begin) - (first + inside * (last - first))
    beyond = np.maximum(np.maximum(first - places, places - last), 0.0)
    return np.asarray(places + moves * np.clip(1 - np.sqrt((beyond**2).sum(axis=1)) / reach, 0.0, 1.0)[:, None])


def led_round(hull: BaseGeometry, ends: Floats) -> Floats:
    """Shortest way (k, 2) between two ends (2, 2) with a convex area at its left as seen with y upwards, as pieces are
    followed; the ends alone if one is between the other and the area."""
    import shapely

    ring = shapely.get_coordinates(shapely.convex_hull(shapely.union(hull, shapely.MultiPoint(ends))))[:-1]
    x, y = ring.T
    ring = ring if (x * np.roll(y, -1) - np.roll(x, -1) * y).sum() > 0 else ring[::-1]
    at = [np.flatnonzero((np.abs(ring - end) < ON_RING).all(axis=1)) for end in ends]
    if min(map(len, at)) == 0:
        return ends
    way = np.roll(ring, -int(at[0][0]), axis=0)[: 1 + int(at[1][0] - at[0][0]) % len(ring)]
    return np.asarray(way)
