"""The picture of a jigsaw under its cuts: as large and where its design says, and nowhere off the board."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from studio.geometry.art.artwork import Clip, Picture
from studio.geometry.curves.strokes import Floats
from studio.geometry.planar.drawing import AREA_TOLERANCE, Drawing, Operation
from studio.puzzles.jigsaw.picture.board_picture import BoardPicture


def shown(picture: BoardPicture, drawing: Drawing) -> Picture:
    """The picture under a drawing: within its outline, outside its holes, without what is cropped."""
    rings = board_rings(drawing)
    if any(picture.crop):
        rings = _within(rings, picture.kept(drawing.width, drawing.height).corners)
    return replace(picture.on_board(drawing.width, drawing.height), clip=Clip(rings))


def board_rings(drawing: Drawing) -> tuple[Floats, ...]:
    """The outline of a board and those of its holes (n, 2) in mm; figures are no holes."""
    rings = []
    for chain in drawing.chains:
        is_hole = chain.bounds_void and drawing.followed_once[chain.strokes >> 1].all()
        if chain.closed and (chain.operation is Operation.BORDER or is_hole):
            ring = drawing.strokes.joined(chain.strokes, np.array([0, len(chain.strokes)]))
            rings.append(ring.flattened(AREA_TOLERANCE).points[:-1])
    return tuple(rings)


def _within(rings: Iterable[Floats], corners: Floats) -> tuple[Floats, ...]:
    """Rings, filled by the even-odd rule, as far as they are within a turned box."""
    import shapely

    board = shapely.Polygon()
    for ring in rings:
        board = board.symmetric_difference(shapely.Polygon(ring).buffer(0))
    left = board.intersection(shapely.Polygon(corners))
    parts = [part for part in shapely.get_parts(left) if isinstance(part, shapely.Polygon)]
    found = [ring for part in parts for ring in (part.exterior, *part.interiors)]
    # A picture that is cropped to nothing on the board is not shown at all.
    return tuple(shapely.get_coordinates(ring)[:-1] for ring in found) or (np.zeros((3, 2)),)
