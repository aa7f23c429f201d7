"""Protected area of a jigsaw, which tongues and corners keep clear of, such as a face or lettering.

On a board with a picture the area belongs to it and moves with it; its unit is then the width of the whole picture,
from the picture's upper left corner. Without a picture the area is in mm from the board's upper left corner.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from studio.base.errors import StudioError
from studio.base.parameters import ParameterError
from studio.base.texts import tr
from studio.geometry.board.board_spec import Ring
from studio.geometry.curves.strokes import Floats
from studio.puzzles.jigsaw.picture.board_picture import BoardPicture

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

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


def rebound(mask: Mask, before: BoardPicture | None, after: BoardPicture | None, size: Size) -> Mask | None:
    """Keep a mask's place on the board when a picture comes or goes; a mask on a picture stays on a new picture."""
    if mask.on_picture == (after is not None):
        return mask
    return of_area(area_on_board(mask, before, size), after, size)


def changed(
    mask: Mask | None, area: BaseGeometry, picture: BoardPicture | None, size: Size, *, erases: bool = False
) -> Mask | None:
    """Add an area in mm to a mask, or erase it; None if nothing is left."""
    import shapely

    before = area_on_board(mask, picture, size)
    return of_area((shapely.difference if erases else shapely.union)(before, area), picture, size)


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
