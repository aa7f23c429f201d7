"""The pieces of a drawing as polygons with their holes, and the waste inside the holes.

waste: what of a hole no piece fills; it falls out and belongs to no piece.
"""

from __future__ import annotations

import numpy as np
import shapely
from numpy.typing import NDArray

from studio.geometry.curves import Ints, Polylines
from studio.geometry.drawing import Drawing

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


def waste(drawing: Drawing) -> Polygons:
    """What falls out of the holes of a drawing's pieces, and out of holes between them, and is no piece."""
    if not len(drawing.pieces.holes) and not _may_have_voids(drawing):
        return np.empty(0, object)
    # Pieces that cross themselves are no valid polygons, and what they leave over is still to be known.
    together = shapely.union_all(shapely.make_valid(pieces_as_polygons(drawing, drawing.polylines)))
    filled = shapely.union_all(shapely.polygons(shapely.get_exterior_ring(shapely.get_parts(together))))
    parts = shapely.get_parts(shapely.difference(filled, together))
    return np.asarray(parts[shapely.area(parts) > LEAST_WASTE])


def _may_have_voids(drawing: Drawing) -> bool:
    """Whether pieces that share lines leave more than one ring of lines that only one piece follows."""
    if not drawing.shares_lines:
        return False
    strokes = drawing.strokes
    alone = np.flatnonzero(drawing.followed_once)
    ends = strokes.points[np.stack([strokes.starts[alone], strokes.starts[alone + 1] - 1], 1)]
    return int(shapely.get_num_geometries(shapely.line_merge(shapely.multilinestrings(ends)))) > 1
