"""Print-then-cut: artwork that bleeds past the outlines, and marks by which a print is found again on the bed.

bleed: how far in mm artwork reaches past an outline, so that a cut that is a little off shows no bare edge. room: what
that and the marks take on every side of what is cut.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import shapely

from studio.base.texts import tr
from studio.geometry.art import artwork_transform
from studio.geometry.curves.strokes import Curves, Floats, through
from studio.geometry.planar.drawing import Chain, Drawing, Operation
from studio.geometry.planar.regions import pieces_as_polygons

NO_MARKS = "none"
MARKS = {NO_MARKS: tr("None"), "crosses": tr("Crosses"), "circles": tr("Circles")}
"""The shapes of marks, with their titles."""
APART = 2.0
"""The distance in mm between what is printed and a mark."""
_FOLLOWED = 0.001
_ARM = 4 / 3 * (np.sqrt(2) - 1)


def room(marks: str, size: float, bleed: float) -> float:
    """How much is taken on every side of what is cut, in mm."""
    return bleed if marks == NO_MARKS else bleed + APART + size


def bled(drawing: Drawing, bleed: float) -> Drawing:
    """The drawing whose artwork reaches `bleed` mm past the outline of all pieces together, and no farther."""
    if bleed <= 0 or not drawing.artwork:
        return drawing
    board = shapely.union_all(shapely.make_valid(pieces_as_polygons(drawing, drawing.polylines)))
    shape = np.array([shapely.buffer(board, bleed)], object)
    return replace(
        drawing, artwork=artwork_transform.parts(artwork_transform.extended(drawing.artwork, board, bleed), shape)[0]
    )


def framed(drawing: Drawing, width: float) -> Drawing:
    """The drawing on a page that is larger by `width` mm on every side."""
    strokes = Curves(drawing.strokes.points + width, drawing.strokes.starts)
    artwork = artwork_transform.moved(drawing.artwork, width, width)
    wide, high = drawing.width + 2 * width, drawing.height + 2 * width
    return replace(drawing, width=wide, height=high, strokes=strokes, artwork=artwork)


def marked(drawing: Drawing, marks: str, size: float, bleed: float) -> Drawing:
    """The drawing with four marks round its pieces, after all that is cut."""
    if marks == NO_MARKS:
        return drawing
    curves = [curve for middle in middles(drawing, size, bleed) for curve in _mark(marks, size, middle)]
    first = len(drawing.strokes)
    strokes = Curves.gathered([drawing.strokes, Curves.of(curves)])
    closed = marks == "circles"
    chains = [Chain(Operation.MARK, np.array([2 * (first + at)]), closed) for at in range(len(curves))]
    return replace(drawing, strokes=strokes, chains=(*drawing.chains, *chains))


def middles(drawing: Drawing, size: float, bleed: float) -> Floats:
    """The middles (4, 2) in mm of the marks of a drawing."""
    lines = drawing.outlines(drawing.strokes.flattened(_FOLLOWED)).points
    out = bleed + APART + size / 2
    (left, top), (right, bottom) = lines.min(axis=0) - out, lines.max(axis=0) + out
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)])


def _mark(marks: str, size: float, middle: Floats) -> list[Floats]:
    half = size / 2
    if marks == "crosses":
        return [through(middle + half * np.array(ends)) for ends in (((-1, 0), (1, 0)), ((0, -1), (0, 1)))]
    turns = np.array([(1, 0), (0, 1), (-1, 0), (0, -1), (1, 0)], float)
    points = [turns[:1]]
    for here, there in pairwise(turns):
        points.append(np.array([here + _ARM * there, there + _ARM * here, there]))
    return [middle + half * np.concatenate(points)]
