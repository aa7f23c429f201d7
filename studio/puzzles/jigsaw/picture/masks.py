"""The protected area of a jigsaw: what tongues and corners keep clear of, such as a face or lettering.

With a picture on the board the area belongs to it and goes wherever it goes; its unit is then the width of the whole
picture, from the picture's upper left corner. Without one it is in mm from the board's.
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
"""Polygons within polygons of an area that is read."""
FARTHEST = 1e6
"""The largest coordinate, in units."""
GRIDS = {False: 2, True: 6}
"""Decimals of points in mm, and in widths of a picture."""
BRUSHES = (0.5, 200.0)
"""The least and the largest radius of a brush in mm."""
ARCS = 8
"""Sides of a quarter of a brush."""
STRAY = 0.05
"""How far a brush may leave the way of the mouse, in its radii."""
_EXACT = 6
"""Decimals of what is painted or read, in mm."""
MANY_POINTS = 5_000
"""An area of more points is made simpler, so that any number of strokes of the brush stays one area that is quick."""
FINE, COARSEST = 0.02, 0.5
"""How far in mm its outline may move for that, at first and at most."""
PINHOLE = 0.25
"""Holes of less than this area in mm² are closed in it."""
SPECK = 0.01
"""Parts of less than this area in mm² are left out."""


@dataclass(frozen=True)
class Mask:
    """A protected area: polygons, of which one within another is a hole, and whether its unit is that of a picture.

    Raises ParameterError for what encloses no area.
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
        """The area in its own unit, ready to be asked many times."""
        import shapely

        lines = shapely.union_all([shapely.linearrings(np.array(ring)) for ring in self.rings])
        region = shapely.build_area(lines)
        shapely.prepare(region)
        return region

    @classmethod
    def of(cls, region: BaseGeometry, *, on_picture: bool) -> Mask | None:
        """The mask of an area in its own unit; None for an empty one. Raises StudioError for too many points."""
        import shapely

        decimals = GRIDS[on_picture]
        with np.errstate(all="ignore"):  # shapely divides by what is next to nothing
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
    """Where the unit of a mask is on the board: its origin in mm, the mm in a unit, and its turn as (cos, sin)."""

    origin: tuple[float, float]
    scale: float
    turn: tuple[float, float] = (1.0, 0.0)

    @classmethod
    def of(cls, picture: BoardPicture | None, size: Size) -> Placement:
        """That of the unit of a picture, or of mm."""
        if picture is None:
            return cls((0.0, 0.0), 1.0)
        corners = picture.on_board(*size).corners
        width = picture.box(*size)[2]
        right = ((corners[1] - corners[0]) / width).tolist()
        return cls((float(corners[0, 0]), float(corners[0, 1])), width, (right[0], right[1]))

    def on_board(self, points: Floats) -> Floats:
        """Points (n, 2) in mm on the board."""
        (cos, sin), x, y = self.turn, points[:, 0] * self.scale, points[:, 1] * self.scale
        return np.stack([self.origin[0] + cos * x - sin * y, self.origin[1] + sin * x + cos * y], 1)

    def from_board(self, points: Floats) -> Floats:
        """Points (n, 2) of the board in the unit."""
        (cos, sin), x, y = self.turn, points[:, 0] - self.origin[0], points[:, 1] - self.origin[1]
        return np.stack([cos * x + sin * y, cos * y - sin * x], 1) / self.scale


def placement(mask: Mask, picture: BoardPicture | None, size: Size) -> Placement:
    """Where the unit of a mask is on a board of some size in mm."""
    return Placement.of(picture if mask.on_picture else None, size)


def area_on_board(mask: Mask | None, picture: BoardPicture | None, size: Size) -> BaseGeometry:
    """The protected area in mm on the board; an empty one where there is none."""
    import shapely

    if mask is None:
        return shapely.Polygon()
    return shapely.transform(mask.region, placement(mask, picture, size).on_board)


def rings_on_board(mask: Mask | None, picture: BoardPicture | None, size: Size) -> tuple[Floats, ...]:
    """The polygons (n, 2) of a protected area in mm on the board."""
    if mask is None:
        return ()
    placed = placement(mask, picture, size)
    return tuple(placed.on_board(np.array(ring)) for ring in mask.rings)


def of_area(area: BaseGeometry, picture: BoardPicture | None, size: Size) -> Mask | None:
    """The mask of an area in mm on the board, which belongs to the picture if there is one."""
    import shapely

    parts = shapely.get_parts(shapely.make_valid(area))
    kept = _clean(shapely.union_all([part for part in parts if shapely.area(part) >= SPECK]))
    placed = Placement.of(picture, size)
    return Mask.of(shapely.transform(kept, placed.from_board), on_picture=picture is not None)


def _clean(area: BaseGeometry) -> BaseGeometry:
    """An area of many points with fewer of them: without pinholes, and its outline as coarse as it must be."""
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
    """A mask where it is on the board, when a picture comes or goes; one that belongs to a picture stays with it."""
    if mask.on_picture == (after is not None):
        return mask
    return of_area(area_on_board(mask, before, size), after, size)


def changed(
    mask: Mask | None, area: BaseGeometry, picture: BoardPicture | None, size: Size, *, erases: bool = False
) -> Mask | None:
    """A mask with an area in mm added to it, or taken from it; None where nothing is left."""
    import shapely

    before = area_on_board(mask, picture, size)
    return of_area((shapely.difference if erases else shapely.union)(before, area), picture, size)


def brushed(way: Floats, radius: float, size: Size) -> BaseGeometry:
    """The area in mm that a round brush covers on its way (n, 2), as far as it is on the board."""
    import shapely

    places = np.round(way, _EXACT)
    line = shapely.LineString(places).simplify(STRAY * radius) if len(way) > 1 else shapely.Point(places[0])
    return shapely.intersection(shapely.buffer(line, radius, quad_segs=ARCS), shapely.box(0.0, 0.0, *size))


def filled(rings: Iterable[Floats]) -> BaseGeometry:
    """The area in closed polygons (n, 2); one that is wholly within another is a hole in it.

    Raises StudioError for more than DEEPEST polygons in each other.
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
