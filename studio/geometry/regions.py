"""The pieces of a drawing as polygons with their holes, and the waste that lies in these.

waste: what of a hole no other piece fills; it falls out and belongs to no piece.
"""

from __future__ import annotations

import numpy as np
import shapely
from numpy.typing import NDArray

from studio.geometry.curves import Ints, Polylines
from studio.geometry.drawing import AREA_TOLERANCE, Drawing

Polygons = NDArray[np.object_]

LEAST_WASTE = 1e-3
"""What is smaller, in mm², is only a rounding error."""


def as_polygons(rings: Polylines, owners: Ints) -> Polygons:
    """One polygon a piece, of its outline and the holes that follow it; `owners` has the piece of every ring."""
    lines = shapely.linearrings(rings.points, indices=rings.owners)
    starts = np.searchsorted(owners, np.arange(int(owners.max(initial=-1)) + 2))
    result = shapely.polygons(lines[starts[:-1]])
    for at in np.flatnonzero(np.diff(starts) > 1).tolist():
        result[at] = shapely.Polygon(lines[starts[at]], lines[starts[at] + 1 : starts[at + 1]])
    return np.asarray(result)


def pieces_as_polygons(drawing: Drawing, polylines: Polylines) -> Polygons:
    """The pieces of a drawing, from the polylines of its strokes."""
    return as_polygons(drawing.rings(polylines), drawing.pieces.ring_owners)


def waste_count(drawing: Drawing) -> int:
    """How many parts fall out of the holes of a drawing's pieces and are no pieces."""
    if not len(drawing.pieces.holes):
        return 0
    pieces = pieces_as_polygons(drawing, drawing.polylines)
    rims = drawing.holes().flattened(AREA_TOLERANCE)
    holes = shapely.polygons(shapely.linearrings(rims.points, indices=rims.owners))
    waste = shapely.get_parts(shapely.difference(shapely.union_all(holes), shapely.union_all(pieces)))
    return int((shapely.area(waste) > LEAST_WASTE).sum())
