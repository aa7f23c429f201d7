"""Shapes of a slitherlink's design: a board with engraved clues, its holes or slots, and sticks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import cos, pi, sin, tan

import numpy as np

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.art.lettering import Room, laid
from studio.geometry.board.board_spec import BRICKS, RECTANGLE, Form
from studio.geometry.board.grids import HEXAGON, SQUARE, TRIANGLE, Layout, grid
from studio.geometry.curves.strokes import Curves, Floats, closed_through
from studio.geometry.planar.drawing import Drawing, Inlay, Operation, Path, closed_parts
from studio.geometry.planar.polyomino import SHARE, disc, rounded
from studio.puzzles.abilities.cuttable import Thickness
from studio.puzzles.slitherlink.model import PEGS, PLAIN, STICKS, SlitherlinkDesign, SlitherlinkParameters
from studio.solving.loops import Net

# The sizes of a board with holes or slots, in mm, as they follow from the parameters.
#
# hole: an opening at a dot for a peg. slot: an opening along an edge for a stick; it ends before the dots, so that the
# cells stay joined there. tenon: the part of a stick that is in its slot; its shoulders rest on the board.

TURNS = {SQUARE: pi / 2, HEXAGON: 2 * pi / 3, TRIANGLE: pi / 3, BRICKS: pi / 2}
"""The least angle between two edges at a dot of cells that are all alike."""
CLUE = 0.42
"""Height of a clue, as a share of the diameter of the circle in its cell."""
REACH = 0.62
"""Reach of a digit from its middle, in heights."""
CLEAR = 0.5
"""Gap in mm between a clue and the holes or slots around it."""
DOT = 0.05
"""The radius of an engraved dot, as a share of a cell's edge."""
DOT_SHARE = 0.3
"""The greatest radius of an engraved dot, as a share of the way from the dot to the slots."""
SHOULDER = 1.0
"""Least reach in mm of a stick beyond either end of its slot."""
APART = 0.5
"""Gap in mm between two sticks that meet at a dot."""
SHORTEST = 0.5
"""The length that a slot has at least, so that there is something to draw."""
ROUNDING = 1.5
"""The radius of a stick's upper corners."""


def hole_of(p: SlitherlinkParameters) -> float:
    """The diameter of a hole."""
    return p.peg + p.play


def slot_of(p: SlitherlinkParameters) -> tuple[float, float]:
    """The length and the width of a slot."""
    return max(p.edge - 2 * setback(p), SHORTEST), p.thickness + p.play


def setback(p: SlitherlinkParameters) -> float:
    """Distance in mm of slots from a dot: it leaves a wall between two, and room for the shoulders of sticks."""
    half = TURNS[p.grid] / 2
    wide = (p.thickness + p.play) / 2
    return max((p.wall / 2 + wide * cos(half)) / sin(half), _end(p) + SHOULDER)


def _end(p: SlitherlinkParameters) -> float:
    """Distance in mm of sticks from a dot, so that two of them have room there."""
    return p.thickness / 2 / tan(TURNS[p.grid] / 2) + APART / 2


def clue_heights(p: SlitherlinkParameters) -> Floats:
    """Height in mm of the clue of every cell (f,): as asked, or fitted to its cell."""
    return np.full(len(p.form.cells), p.clue) if p.clue else fitted_clues(p)


def fitted_clues(p: SlitherlinkParameters) -> Floats:
    """Height in mm of the fitted clue of every cell (f,), the same in all but small cells."""
    circles = np.minimum(p.form.circles, p.form.circle)
    return np.maximum(np.minimum(2 * CLUE * circles * p.edge, (free(p) - CLEAR) / REACH), SHORTEST)


def free(p: SlitherlinkParameters) -> Floats:
    """The radius of the circle around every cell's middle (f,) that holds no hole, no slot and no edge."""
    circles: Floats = p.form.circles * p.edge
    if p.board == PEGS:
        return np.minimum(circles, p.form.reaches * p.edge - hole_of(p) / 2)
    return circles - slot_of(p)[1] / 2 if p.board == STICKS else circles


def dot_radius(p: SlitherlinkParameters) -> float:
    """The radius of an engraved dot."""
    return DOT * p.edge if p.board == PLAIN else min(DOT * p.edge, DOT_SHARE * setback(p))


def slots(p: SlitherlinkParameters, dots: Floats) -> Floats:
    """The corners (m, 4, 2) of the slots along all edges between dots (n, 2), counter-clockwise on the screen."""
    length, width = slot_of(p)
    begin, end = (dots[p.form.edges[:, side]] for side in (0, 1))
    along = (end - begin) / p.edge
    across = along @ np.array([(0.0, 1.0), (-1.0, 0.0)])
    middle, half = (begin + end) / 2, along * length / 2
    side = across * width / 2
    return np.stack([middle - half - side, middle - half + side, middle + half + side, middle + half - side], 1)


def stick(p: SlitherlinkParameters) -> Floats:
    """The outline of a stick as a closed curve (3k + 1, 2), clockwise on the screen; its tenon points down."""
    width, tenon = stick_widths(p)
    shoulder, foot = p.stick, p.stick + p.thickness
    left, right = (width - tenon) / 2, (width + tenon) / 2
    corners = [(0.0, 0.0), (width, 0.0), (width, shoulder), (right, shoulder), (right, foot), (left, foot),
               (left, shoulder), (0.0, shoulder)]  # fmt: skip
    return rounded(np.array(corners), np.array([ROUNDING] * 2 + [0.0] * 6))


def stick_widths(p: SlitherlinkParameters) -> tuple[float, float]:
    """Widths in mm of a stick above the board, and of its tenon."""
    tenon = max(slot_of(p)[0] - p.play, SHORTEST)
    return max(p.edge - 2 * _end(p), tenon + 2 * SHOULDER), tenon


# The rim of a board: a border around the outline of its cells.


SPACING = 5.0
"""Margin around the board, in mm, so that a beam may run beside its rim."""
TOLERANCE = 0.01
"""Distance in mm of the rim's chords from its curves."""
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
    """Distances in mm of points (n, 2) from the rim; negative outside."""
    if p.outline == RECTANGLE:
        half = p.edge * np.array(p.form.size) / 2 + p.border
        radius = min(p.corner, SHARE * 2 * float(half.min()))
        beyond = np.abs(points - half - SPACING) - (half - radius)
        return np.asarray(radius - np.hypot(*np.maximum(beyond, 0).T) - np.minimum(beyond.max(axis=1), 0))
    import shapely

    board = shapely.Polygon(Curves.from_strokes([rim_of(p)]).flattened(TOLERANCE).points)
    gaps = shapely.distance(board.exterior, shapely.points(points))
    return np.asarray(np.where(shapely.contains_xy(board, points[:, 0], points[:, 1]), gaps, -gaps))


BOARD = "Board"
CANDIDATES = 12
"""The nearest cells, among which the one at a place is: a large one may have many small ones around it."""
CLEAR_OF_DOTS = 0.5
"""Gap between the line along an edge and its dots, and the line's least length, in mm."""
BETWEEN = 2.0
"""Gap between two sticks, in mm."""


@dataclass(frozen=True, eq=False)
class SlitherlinkShapes:
    """A slitherlink's drawing, and the places of dots and cells in it, in mm."""

    design: SlitherlinkDesign
    drawing: Drawing
    dots: Floats
    middles: Floats
    radius: float
    """That of the circle in a usual cell."""

    def radius_of(self, cell: int) -> float:
        """The radius of the circle in a cell in mm."""
        p = self.design.parameters
        return float(p.form.circles[cell]) * p.edge

    def outline(self, cell: int) -> Floats:
        """The corners (n, 2) of a cell in mm."""
        return np.asarray(self.dots[list(self.design.parameters.net.dots[cell])])

    def middle_of(self, cell: int) -> tuple[float, float]:
        """The middle of a cell in mm."""
        x, y = self.middles[cell].tolist()
        return x, y

    def cell_at(self, x: float, y: float) -> int | None:
        """The cell at a place in mm; None off the cells."""
        return cell_at(self.design.parameters.net, self.dots, self.middles, x, y)


def cell_at(net: Net, dots: Floats, middles: Floats, x: float, y: float) -> int | None:
    """The cell at a place, from the places of dots and middles of cells; None off the cells."""
    near = np.argsort(((middles - (x, y)) ** 2).sum(axis=1))[:CANDIDATES]
    for cell in near.tolist():
        ring = dots[list(net.dots[cell])]
        after = np.roll(ring, -1, axis=0)
        crosses = (ring[:, 1] <= y) != (after[:, 1] <= y)
        begins, ends = ring[crosses], after[crosses]
        across = begins[:, 0] + (y - begins[:, 1]) / (ends[:, 1] - begins[:, 1]) * (ends[:, 0] - begins[:, 0])
        if (across > x).sum() % 2:
            return int(cell)
    return None


def shape(design: SlitherlinkDesign, before: SlitherlinkShapes | None, progress: Progress) -> SlitherlinkShapes:
    """The shapes of a design; an unchanged drawing is taken from `before`."""
    progress.step(0.0)
    size, dots, middles, radius = laid_out(design.parameters)
    kept = before is not None and _drawn(before.design) == _drawn(design)
    drawing = before.drawing if before is not None and kept else _drawing(design, size, dots, middles)
    return SlitherlinkShapes(design, drawing, dots, middles, radius)


def stick_count(design: SlitherlinkDesign) -> int:
    """Number of sticks to cut."""
    p = design.parameters
    return len(design.line) + p.spares if p.board == STICKS else 0


def _drawn(design: SlitherlinkDesign) -> object:
    """All that the drawing depends on."""
    p = design.parameters
    sizes = p.board, p.edge, p.border, p.clue, p.corner, p.peg, p.play, p.thickness, p.wall, p.stick
    return p.layout, sizes, design.clues, stick_count(design)


def _drawing(design: SlitherlinkDesign, size: tuple[float, float], dots: Floats, middles: Floats) -> Drawing:
    """The board, and sticks below it."""
    p = design.parameters
    board = [rim_of(p)]
    # Holes and slots are followed counter-clockwise on the screen.
    if p.board == PEGS:
        board += list(disc(hole_of(p) / 2)[::-1] + dots[:, None])
    elif p.board == STICKS:
        board += [closed_through(corners) for corners in slots(p, dots)]
    heights, marks = clue_heights(p).tolist(), list[Path]()
    for cell, count in design.clues.items():
        height = heights[cell]
        letters = laid(str(count), height, Room(2 * height, 2 * height), 0.0)
        assert letters is not None, "a digit fits a square twice as wide as it is tall"
        marks += [Path(Operation.ENGRAVE, letters[at] + middles[cell], closed=False) for at in range(len(letters))]
    if p.layout.needs_scores:
        marks += _lines(p, dots)
    if p.board != PEGS:
        marks += [Path(Operation.ENGRAVE, dot, closed=True) for dot in disc(dot_radius(p)) + dots[:, None]]
    sticks, height = _sticks(design, size)
    names = [BOARD, *(tr("Stick {number}", number=number) for number in range(1, len(sticks) + 1))]
    return closed_parts((size[0], height), names, [board, *([one] for one in sticks)], marks)


def _lines(p: SlitherlinkParameters, dots: Floats) -> list[Path]:
    """Scored lines along the edges, apart from dots, holes and slots, if there is room."""
    if p.board == STICKS:
        return []
    away = (hole_of(p) / 2 if p.board == PEGS else dot_radius(p)) + CLEAR_OF_DOTS
    begin, end = (dots[p.form.edges[:, side]] for side in (0, 1))
    lengths = np.hypot(*(end - begin).T)[:, None]
    ways = (end - begin) / lengths
    ends = np.stack([begin + away * ways, end - away * ways], 1)[lengths[:, 0] - 2 * away > CLEAR_OF_DOTS]
    return [Path(Operation.SCORE, np.linspace(one, other, 4), closed=False) for one, other in ends]


def _sticks(design: SlitherlinkDesign, size: tuple[float, float]) -> tuple[list[Floats], float]:
    """The sticks in rows below the board, and the height of the drawing with them."""
    count = stick_count(design)
    if not count:
        return [], size[1]
    one = stick(design.parameters)
    wide, tall = (one.max(axis=0) + BETWEEN).tolist()
    columns = max(int((size[0] - 2 * SPACING + BETWEEN) // wide), 1)
    row, column = np.divmod(np.arange(count), columns)
    places = np.stack([SPACING + column * wide, size[1] + row * tall], 1)
    rows = -(-count // columns)
    return list(one + places[:, None]), size[1] + rows * tall - BETWEEN + SPACING


def laid_out(p: SlitherlinkParameters) -> tuple[tuple[float, float], Floats, Floats, float]:
    """The size of the board, the dots (n, 2), the middles of cells (f, 2), and the radius of a cell's circle.

    All in mm from the top left corner of the drawing, in which the board has some room around it.
    """
    return _laid_out(p.layout, p.edge, p.border)


@lru_cache(maxsize=16)
def _laid_out(layout: Layout, edge: float, border: float) -> tuple[tuple[float, float], Floats, Floats, float]:
    form = grid(layout)
    dots, middles = form.corners(edge) + border + SPACING, form.middles(edge) + border + SPACING
    width, height = (edge * np.array(form.size) + 2 * (border + SPACING)).tolist()
    return (width, height), dots, middles, edge * form.circle


# The joint of a slitherlink's board: a stick and a slot.


MARGIN = 1.0
"""Margin around the label of a stick, in mm."""


def joint(shapes: SlitherlinkShapes) -> Inlay:
    """A stick and the slot that its tenon goes into; raises StudioError for a board without slots."""
    p = shapes.design.parameters
    if p.board != STICKS:
        why = tr("Pegs are not cut with the board") if p.board == PEGS else tr("An engraved board is one piece")
        raise StudioError(tr("{reason}, so there is no fit to test.", reason=why))
    width, _tenon = stick_widths(p)
    slot = slots(p, shapes.dots)[0]
    return Inlay(stick(p), closed_through(slot), (MARGIN, MARGIN, width - MARGIN, p.stick - MARGIN))


def thickness(shapes: SlitherlinkShapes) -> Thickness | None:
    """That of the sticks, which go into their slots on edge; a board without slots is cut from any sheet."""
    p = shapes.design.parameters
    return Thickness(p.thickness, "thickness", tr("thickness"), with_thickness) if p.board == STICKS else None


def with_thickness(design: SlitherlinkDesign, thickness: float) -> SlitherlinkDesign:
    """The design for sheets of another thickness in mm; raises ParameterError if no slot can have it."""
    return replace(design, parameters=replace(design.parameters, thickness=thickness))
