"""The rim of a board: a border around the outline of its cells."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from studio.geometry.board.board_spec import RECTANGLE, Form
from studio.geometry.curves.rounded import SHARE, rounded
from studio.geometry.curves.strokes import Curves, Floats, closed_through
from studio.puzzles.slitherlink.model import SlitherlinkParameters

SPACING = 5.0
"""Around the board, in mm, so that a beam may run beside its rim."""
TOLERANCE = 0.01
"""How far in mm the chords of the rim are from its curves."""
ARC = 64
"""Chords of a quarter circle."""


def rim_of(p: SlitherlinkParameters) -> Floats:
    """The rim as a closed curve (3k + 1, 2) in mm, clockwise on the screen."""
    around = SPACING + p.border
    width, height = p.edge * np.array(p.form.size)
    if p.outline != RECTANGLE:
        return _around(p.layout.board(width, height), p.border) + around
    corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * [width, height] + around
    outwards = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    return rounded(corners + p.border * outwards, p.corner)


@lru_cache(maxsize=8)
def _around(form: Form, border: float) -> Floats:
    import shapely

    from studio.geometry.board.board_outline import bounded

    region = shapely.simplify(shapely.buffer(bounded(form).region, border, quad_segs=ARC), TOLERANCE)
    return closed_through(shapely.get_coordinates(shapely.orient_polygons(region).exterior)[:-1])


def from_rim(p: SlitherlinkParameters, points: Floats) -> Floats:
    """How far points (n, 2) in mm are from the rim; negative outside."""
    if p.outline == RECTANGLE:
        half = p.edge * np.array(p.form.size) / 2 + p.border
        radius = min(p.corner, SHARE * 2 * float(half.min()))
        beyond = np.abs(points - half - SPACING) - (half - radius)
        return np.asarray(radius - np.hypot(*np.maximum(beyond, 0).T) - np.minimum(beyond.max(axis=1), 0))
    import shapely

    board = shapely.Polygon(Curves.of([rim_of(p)]).flattened(TOLERANCE).points)
    gaps = shapely.distance(board.exterior, shapely.points(points))
    return np.asarray(np.where(shapely.contains_xy(board, points[:, 0], points[:, 1]), gaps, -gaps))
