"""Piece labels in single strokes, where each piece is widest, and registration marks around a printed sheet.

overlay: what is engraved on the other side of a sheet, or at another time, as a drawing of its own: the lines and the
outline of the board, by which it is placed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

import numpy as np
import shapely

from studio.base.texts import tr
from studio.fabricate.contours import Contours
from studio.geometry.art import artwork_transform
from studio.geometry.art.lettering import lettered, width_of
from studio.geometry.curves.strokes import Curves, Floats, frozen, through
from studio.geometry.planar.drawing import CUTS, Chain, Drawing, Operation, Pieces
from studio.geometry.planar.regions import pieces_as_polygons

LARGEST_LETTERS, SMALLEST_LETTERS = 4.0, 1.0
"""The usual height in mm of labels, and the least; pieces too small for that get none."""
ROOM = 0.8
"""The fraction of the largest circle in a piece that its label may fill."""
NO_PIECES = Pieces(frozen(np.empty(0, np.int64)), frozen(np.zeros(1, np.int64)), ())


def numbers_of(drawing: Drawing) -> dict[str, str]:
    """A running number for every piece, in the order of the drawing, which is that of reading."""
    return {name: str(number) for number, name in enumerate(drawing.pieces.names, 1)}


def labelled(
    drawing: Drawing, titles: Mapping[str, str] | None = None, most: float = LARGEST_LETTERS
) -> tuple[Drawing, list[str]]:
    """The drawing with every piece's name engraved where it is widest, and the names for which there is no room.

    `titles` are engraved instead of the names that they have, also those of copies: "C4 (2)" becomes "27 (2)".
    Capitals are up to `most` mm tall.

    A piece on which something is engraved already, such as the labels of a board, gets no name over it.
    """
    import shapely

    shapes = Contours(drawing).polygons
    begins = [path.points[0] for path in drawing.paths() if path.operation not in CUTS]
    bearing = set(shapely.STRtree(shapes).query(shapely.points(begins), predicate="intersects")[1]) if begins else set()
    circles = shapely.maximum_inscribed_circle(shapes, tolerance=0.5)
    middles = shapely.get_coordinates(shapely.get_point(circles, 0))
    radii = shapely.length(circles)
    strokes, left_out = [], []
    for piece, (name, middle, radius) in enumerate(zip(drawing.pieces.names, middles, radii.tolist(), strict=True)):
        if piece in bearing:
            continue
        letters = _fitting(_title(name, titles or {}), middle, ROOM * radius, most)
        if letters is not None:
            strokes.append(letters)
        else:
            left_out.append(name)
    return with_engraving(drawing, strokes), left_out


def _title(name: str, titles: Mapping[str, str]) -> str:
    base, _, copy = name.partition(" (")
    return f"{titles.get(base, base)} ({copy}" if copy else titles.get(base, base)


def _fitting(
    name: str, middle: np.ndarray[tuple[int], np.dtype[np.float64]], radius: float, most: float
) -> Curves | None:
    """The letters of a name inside a circle, or None where they would be too small to read."""
    width = width_of(name, 1.0)
    height = min(most, 2 * radius / float(np.hypot(width, 1.0)))
    if height < min(SMALLEST_LETTERS, most):
        return None
    letters = lettered(name, height)
    return Curves(letters.points + middle + (-0.5 * width * height, 0.5 * height), letters.starts)


def with_engraving(drawing: Drawing, engravings: list[Curves]) -> Drawing:
    """The drawing with more strokes, engraved before all else; its own keep their numbers."""
    if not engravings:
        return drawing
    strokes = Curves.gathered([drawing.strokes, *engravings])
    codes = 2 * np.arange(len(drawing.strokes), len(strokes))
    chains = tuple(Chain(Operation.ENGRAVE, np.array([code])) for code in codes.tolist())
    return replace(drawing, strokes=strokes, chains=(*chains, *drawing.chains))


def without_engraving(drawing: Drawing) -> Drawing:
    """The drawing with nothing but its cuts."""
    return replace(drawing, chains=tuple(chain for chain in drawing.chains if chain.operation in CUTS))


def overlay(drawing: Drawing) -> Drawing | None:
    """What is engraved on a sheet, with the outline of the board scored for reference; None where there is nothing.

    Separate pieces have all their outlines.
    """
    engraved = tuple(chain for chain in drawing.chains if chain.operation not in CUTS)
    if not engraved:
        return None
    border = [chain for chain in drawing.chains if chain.operation is Operation.BORDER]
    cuts = border if drawing.shares_lines else [chain for chain in drawing.chains if chain.operation in CUTS]
    outline = tuple(replace(chain, operation=Operation.SCORE) for chain in cuts)
    return replace(drawing, chains=(*engraved, *outline), pieces=NO_PIECES, artwork=())


# Print-then-cut.
#
# bleed: margin in mm by which artwork passes an outline, so that a cut a little off shows no bare edge. room: what
# bleed and marks take on every side of the cuts.

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
