"""The outlines of the dark cells of a raster, as polygons with few points."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.geometry.curves.strokes import Floats

if TYPE_CHECKING:
    from shapely import LinearRing, Polygon
    from shapely.geometry.base import BaseGeometry

SMOOTHING = 0.75
"""How far, in cells, an outline may be from the stairs that the cells make."""
SPECK = 4.0
"""Parts and holes of less than so many cells are left out."""
MOST_SIDES = 100_000
"""Sides between dark and light cells; a picture of noise has more, an area that somebody drew far fewer."""


def traced(cells: NDArray[np.bool_]) -> BaseGeometry:
    """The area of the cells (rows, columns) that are set, a cell being 1 × 1 and the first one at the origin.

    Raises StudioError if it has more than MOST_SIDES sides.
    """
    import shapely

    padded = np.pad(cells, 1).astype(np.int8)
    y, x = np.nonzero(np.diff(padded[1:-1], axis=1))
    upright = np.stack([np.stack([x, y], 1), np.stack([x, y + 1], 1)], 1)
    y, x = np.nonzero(np.diff(padded[:, 1:-1], axis=0))
    level = np.stack([np.stack([x, y], 1), np.stack([x + 1, y], 1)], 1)
    sides = np.concatenate([upright, level])
    if not len(sides):
        return shapely.Polygon()
    if len(sides) > MOST_SIDES:
        raise StudioError(tr("its areas have more than {most:,} edges. Use simpler shapes.", most=MOST_SIDES))
    faces = shapely.get_parts(shapely.polygonize(shapely.linestrings(sides)))
    at = np.floor(shapely.get_coordinates(shapely.point_on_surface(faces))).astype(np.int64)
    parts = faces[cells[at[:, 1], at[:, 0]] & (shapely.area(faces) >= SPECK)]
    return shapely.union_all([shapely.make_valid(_smoothed(part)) for part in parts])


def _smoothed(part: Polygon) -> BaseGeometry:
    """A part that runs through the middles of the sides of its cells, without holes that are specks."""
    import shapely

    holes = [hole for hole in part.interiors if shapely.area(shapely.Polygon(hole)) >= SPECK]
    return shapely.simplify(shapely.Polygon(_middles(part.exterior), [_middles(hole) for hole in holes]), SMOOTHING)


def _middles(ring: LinearRing) -> Floats:
    import shapely

    places = shapely.get_coordinates(shapely.segmentize(ring, 1.0))
    return np.asarray((places[1:] + places[:-1]) / 2)
