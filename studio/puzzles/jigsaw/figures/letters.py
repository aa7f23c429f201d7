"""Text as figures: a piece for each letter, from the bold outline font of the leaflets.

Every letter is a single piece without holes: the wood in the counters of A or O stays joined to the wood around through
a slot where the letter is thinnest, as in a stencil, and the dot of i is joined to its stem. Filled counters would turn
them into other letters, and counters left as holes would fall out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.geometry.curves.rings import BAR_FLATTENING as FLATTENING
from studio.geometry.curves.rings import Outlined, bar, box, in_one_piece, ring_of
from studio.geometry.curves.strokes import Curves, Floats
from studio.paper.fonts import Command, capitals, spelled, typeset, unset
from studio.puzzles.jigsaw.figures.silhouettes import BAR, LEAST_PART, Figure, silhouette
from studio.puzzles.jigsaw.figures.whimsies import Pose, Whimsy, of_figure

if TYPE_CHECKING:
    import shapely

MOST_LETTERS = 60
SLOT = 1.1 * LEAST_PART
"""Width of a slot into a counter, in heights of capitals."""
CENTRED = 1.5
"""Factor by which a slot in the middle may be longer than the shortest."""
SPACING = 0.08
"""Room added between two letters, in heights of capitals, so that wood is left between them."""
LEAST_WIDTH = 0.5 * LEAST_PART
"""Least width of any part or notch of a letter, in heights of capitals; half of it is the radius of corners."""
QUARTER = 16
"""Chords per quarter circle."""


@dataclass(frozen=True, eq=False)
class Letter:
    """A letter as a figure; middle and height in heights of capitals, from the middle of the line of text."""

    figure: Figure
    x: float
    y: float
    height: float


@lru_cache(16)
def letters_as_figures(text: str) -> tuple[Letter, ...]:
    """Turn each letter of a line of text into a piece. Raise StudioError for text that cannot be cut.

    The line runs from -width / 2 to width / 2, and capitals from -0.5 to 0.5.
    """
    words = spelled(text).strip()
    if not words:
        raise StudioError(tr("Enter a name or word for the figures."))
    if len(words) > MOST_LETTERS:
        raise StudioError(tr("The text has {count} letters (maximum {most}).", count=len(words), most=MOST_LETTERS))
    reason = unset(words)
    if reason:
        raise StudioError(tr("The text cannot be cut: {reason}.", reason=reason))
    setting = typeset(words, bold=True)
    letters = [
        _letter(letter, run.font.outline(glyph), place)
        for run in setting.runs
        for letter, glyph, place in zip(run.letters, run.glyphs, run.places, strict=True)
        if letter.strip()
    ]
    middle = setting.width / capitals() / 2
    return tuple(Letter(one.figure, one.x - middle, one.y + 0.5, one.height) for one in letters)


def lettered(names: Sequence[str], text: str, pose: Pose) -> tuple[Whimsy, ...]:
    """Turn each letter of a text into a whimsy called by `names`; the pose holds for the line, its height for capitals.

    Raise StudioError for text that cannot be cut, and ValueError if names and letters differ in number.
    """
    letters = letters_as_figures(text)
    spread = SPACING * (np.arange(len(letters)) - (len(letters) - 1) / 2)
    middles = pose.placed(np.array([(one.x + more, one.y) for one, more in zip(letters, spread, strict=True)]))
    return tuple(
        of_figure(name, one.figure, replace(pose, x=float(x), y=float(y), height=pose.height * one.height))
        for name, one, (x, y) in zip(names, letters, middles.tolist(), strict=True)
    )


def _letter(letter: str, outline: tuple[Command, ...], place: float) -> Letter:
    """Make a letter with its foot at 0."""
    import shapely

    shape = shapely.orient_polygons(_as_one(_filled(outline)), exterior_cw=False)
    points = ring_of(shapely.get_exterior_ring(shape), 1.0)
    low, high = box(points)
    (x, y), height = ((low + high) / 2).tolist(), float((high - low)[1])
    return Letter(silhouette(letter, Outlined((points,))), x + place / capitals(), y, height)


def _filled(outline: tuple[Command, ...]) -> shapely.Geometry:
    """Region of a glyph in heights of capitals: contours that turn one way fill, the opposite contours cut out.

    Large contours go first, because whatever lies in a hole is smaller than the hole.
    """
    import shapely

    lines = Curves.from_strokes([contour / capitals() for contour in contours(outline)]).flattened(FLATTENING)
    parts = shapely.buffer(shapely.polygons(shapely.linearrings(lines.points, indices=lines.owners)), 0)
    shape = shapely.union_all([])
    for at in np.argsort(-shapely.area(parts), kind="stable").tolist():
        put = shapely.union if lines.sweeps[at] > 0 else shapely.difference
        shape = put(shape, parts[at])
    return shape


def contours(outline: tuple[Command, ...]) -> Iterator[Floats]:
    """Closed contours of a glyph; control points, shape (3k + 1, 2)."""
    points: list[Floats] = []
    for command, numbers in outline:
        given = np.array(numbers).reshape(-1, 2)
        if command == "M":
            points = [given]
        elif command == "C":
            points.append(given)
        elif command == "Q":
            begin = points[-1][-1]
            points.append(np.stack([(begin + 2 * given[0]) / 3, (given[1] + 2 * given[0]) / 3, given[1]]))
        else:
            begin, end = points[-1][-1], points[0][0] if command == "Z" else given[0]
            if (begin != end).any():
                points.append(np.stack([(2 * begin + end) / 3, (begin + 2 * end) / 3, end]))
            if command == "Z" and len(points) > 1:
                yield np.concatenate(points)


def _as_one(shape: shapely.Geometry) -> shapely.Polygon:
    """Join the parts of a region by bars, connect its holes to the outside by slots, and round its corners."""
    import shapely

    shape = in_one_piece(shape, BAR)
    while shapely.get_num_interior_rings(shape):
        holes = shapely.polygons([shapely.get_interior_ring(shape, at) for at in range(len(shape.interiors))])
        rim = shapely.get_exterior_ring(shape)
        # The hole nearest to the rim first: the others may then open into it.
        hole = holes[shapely.distance(holes, rim).argmin()]
        open_one = shapely.difference(shape, bar(hole, rim, SLOT, CENTRED))
        is_whole = shapely.get_type_id(open_one) == shapely.GeometryType.POLYGON
        # A counter is filled if its slot would cut the letter in two.
        shape = open_one if is_whole else shapely.union(shape, hole)
    for radius in (LEAST_WIDTH / 2, -LEAST_WIDTH, LEAST_WIDTH / 2):
        shape = shapely.buffer(shape, radius, quad_segs=QUARTER)
    return shape
