"""Shapely's own offsets of a board's faces, and how far separate outlines are from them at their worst place."""

from __future__ import annotations

import numpy as np
import shapely

from studio.base.progress import Progress
from studio.fabricate.contours import Contours
from studio.fabricate.kerf import Cutouts
from studio.geometry.curves.strokes import Floats
from studio.geometry.planar.drawing import Drawing

FOLLOWED = 2e-4
"""How far in mm polylines may be from their curves."""
STEP = 0.1
"""How far apart in mm the places are that are looked at along a line."""


def strays(cut: Cutouts, drawing: Drawing, offset: float) -> Floats:
    """The distance in mm between each piece's outlines and its face moved by the offset, at the worst place."""
    faces = Contours(drawing).flattened(FOLLOWED, Progress()).polygons
    exact = shapely.boundary(shapely.buffer(faces, offset, join_style="mitre", mitre_limit=3.0))
    lines = cut.rings.flattened(FOLLOWED)
    rings = shapely.linestrings(lines.points, indices=lines.owners)
    found = np.array([shapely.multilinestrings(rings[cut.owners == piece]) for piece in range(len(cut))], object)
    return np.maximum(furthest(found, exact), furthest(exact, found))


def furthest(lines: shapely.Geometry, others: shapely.Geometry) -> Floats:
    """How far in mm the place of each line that is furthest from the other one of its number is from it."""
    points, owners = shapely.get_coordinates(shapely.segmentize(lines, STEP), return_index=True)
    farthest = np.zeros(len(lines))
    for at in range(len(lines)):
        ends, ring = shapely.get_coordinates(shapely.get_parts(others[at]), return_index=True)
        same = ring[1:] == ring[:-1]
        tree = shapely.STRtree(shapely.linestrings(np.stack([ends[:-1][same], ends[1:][same]], 1)))
        places = shapely.points(points[owners == at])
        farthest[at] = tree.query_nearest(places, return_distance=True, all_matches=False)[1].max()
    return farthest
