"""Piece labels in single strokes, at the widest place of each piece, and registration marks around a printed sheet.

overlay: a separate drawing of the engraving on the other side of a sheet, or at another time: the lines, and the
outline of the board for alignment.
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
"""Usual and least height of labels in mm; pieces too small for the least get no label."""
ROOM = 0.8
"""Fraction of the largest circle in a piece that its label may fill."""
NO_PIECES = Pieces(frozen(np.empty(0, np.int64)), frozen(np.zeros(1, np.int64)), ())


def numbers_of(drawing: Drawing) -> dict[str, str]:
    """Number the pieces in the order of the drawing, which is reading order."""
    return {name: str(number) for number, name in enumerate(drawing.pieces.names, 1)}


def labelled(
    drawing: Drawing, titles: Mapping[str, str] | None = None, most: float = LARGEST_LETTERS
) -> tuple[Drawing, list[str]]:
    """Engrave every piece's name at its widest place; also return the names that do not fit.

    `titles` replaces names, also of copies: "C4 (2)" becomes "27 (2)". Capitals are up to `most` mm tall. A piece with
    other engraving, such as the labels of a board, gets no label.
    """
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
    """Letters of a name inside a circle, or None if they would be too small to read."""
    width = width_of(name, 1.0)
    height = min(most, 2 * radius / float(np.hypot(width, 1.0)))
    if height < min(SMALLEST_LETTERS, most):
        return None
    letters = lettered(name, height)
    return Curves(letters.points + middle + (-0.5 * width * height, 0.5 * height), letters.starts)


def with_engraving(drawing: Drawing, engravings: list[Curves]) -> Drawing:
    """Add strokes to a drawing, engraved before all else; its own strokes keep their numbers."""
    if not engravings:
        return drawing
    strokes = Curves.gathered([drawing.strokes, *engravings])
    codes = 2 * np.arange(len(drawing.strokes), len(strokes))
    chains = tuple(Chain(Operation.ENGRAVE, np.array([code])) for code in codes.tolist())
    return replace(drawing, strokes=strokes, chains=(*chains, *drawing.chains))


def without_engraving(drawing: Drawing) -> Drawing:
    """Keep only the cuts of a drawing."""
    return replace(drawing, chains=tuple(chain for chain in drawing.chains if chain.operation in CUTS))


def overlay(drawing: Drawing) -> Drawing | None:
    """Engraving of a sheet, with the outline of the board scored for reference; None without engraving.

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
# bleed: margin in mm by which artwork passes an outline, so that a cut slightly off shows no bare edge. room: space
# that bleed and marks take on every side of the cuts.

NO_MARKS = "none"
MARKS = {NO_MARKS: tr("None"), "crosses": tr("Crosses"), "circles": tr("Circles")}
"""Shapes of marks, with their titles."""
APART = 2.0
"""Distance in mm between the printed artwork and a mark."""
_FOLLOWED = 0.001
_ARM = 4 / 3 * (np.sqrt(2) - 1)


def room(marks: str, size: float, bleed: float) -> float:
    """Space in mm that bleed and marks take on every side of the cuts."""
    return bleed if marks == NO_MARKS else bleed + APART + size


def bled(drawing: Drawing, bleed: float) -> Drawing:
    """Extend or clip the artwork to `bleed` mm past the outline of all pieces together."""
    if bleed <= 0 or not drawing.artwork:
        return drawing
    board = shapely.union_all(shapely.make_valid(pieces_as_polygons(drawing, drawing.polylines)))
    shape = np.array([shapely.buffer(board, bleed)], object)
    return replace(
        drawing, artwork=artwork_transform.parts(artwork_transform.extended(drawing.artwork, board, bleed), shape)[0]
    )


def framed(drawing: Drawing, width: float) -> Drawing:
    """Enlarge the page of a drawing by `width` mm on every side."""
    strokes = Curves(drawing.strokes.points + width, drawing.strokes.starts)
    artwork = artwork_transform.moved(drawing.artwork, width, width)
    wide, high = drawing.width + 2 * width, drawing.height + 2 * width
    return replace(drawing, width=wide, height=high, strokes=strokes, artwork=artwork)


def marked(drawing: Drawing, marks: str, size: float, bleed: float) -> Drawing:
    """Add four marks around the pieces of a drawing, after all cuts."""
    if marks == NO_MARKS:
        return drawing
    curves = [curve for middle in middles(drawing, size, bleed) for curve in _mark(marks, size, middle)]
    first = len(drawing.strokes)
    strokes = Curves.gathered([drawing.strokes, Curves.from_strokes(curves)])
    closed = marks == "circles"
    chains = [Chain(Operation.MARK, np.array([2 * (first + at)]), closed) for at in range(len(curves))]
    return replace(drawing, strokes=strokes, chains=(*drawing.chains, *chains))


def middles(drawing: Drawing, size: float, bleed: float) -> Floats:
    """Middles of the marks of a drawing in mm, shape (4, 2)."""
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
