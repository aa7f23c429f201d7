"""The sizes of a board with holes or slots, in mm, as they follow from the parameters.

hole: an opening at a dot for a peg. slot: an opening along an edge for a stick; it ends before the dots, so that the
cells stay joined there. tenon: the part of a stick that is in its slot; its shoulders rest on the board.
"""

from __future__ import annotations

from math import cos, pi, sin, tan

import numpy as np

from studio.geometry.board.board_spec import BRICKS
from studio.geometry.board.grids import HEXAGON, SQUARE, TRIANGLE
from studio.geometry.curves.rounded import rounded
from studio.geometry.curves.strokes import Floats
from studio.puzzles.slitherlink.model import PEGS, PLAIN, STICKS, SlitherlinkParameters

TURNS = {SQUARE: pi / 2, HEXAGON: 2 * pi / 3, TRIANGLE: pi / 3, BRICKS: pi / 2}
"""The least angle between two edges at a dot of cells that are all alike."""
CLUE = 0.42
"""How tall a clue is, as a share of the diameter of the circle in its cell."""
REACH = 0.62
"""How far a digit reaches from its middle, in heights."""
CLEAR = 0.5
"""What stays free between a clue and the holes or slots around it."""
DOT = 0.05
"""The radius of an engraved dot, as a share of a cell's edge."""
DOT_SHARE = 0.3
"""The greatest radius of an engraved dot, as a share of the way from the dot to the slots."""
SHOULDER = 1.0
"""How far a stick reaches beyond either end of its slot at least."""
APART = 0.5
"""What stays free between two sticks that meet at a dot."""
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
    """How far slots end before a dot: there is a wall between two, and room for the shoulders of sticks."""
    half = TURNS[p.grid] / 2
    wide = (p.thickness + p.play) / 2
    return max((p.wall / 2 + wide * cos(half)) / sin(half), _end(p) + SHOULDER)


def _end(p: SlitherlinkParameters) -> float:
    """How far sticks end before a dot, so that two of them have room there."""
    return p.thickness / 2 / tan(TURNS[p.grid] / 2) + APART / 2


def clue_heights(p: SlitherlinkParameters) -> Floats:
    """How tall the clue of every cell (f,) is: as asked, or fitted to its cell."""
    return np.full(len(p.form.cells), p.clue) if p.clue else fitted_clues(p)


def fitted_clues(p: SlitherlinkParameters) -> Floats:
    """How tall the clue of every cell (f,) is if it is fitted; all have one height but those in small cells."""
    circles = np.minimum(p.form.circles, p.form.circle)
    return np.maximum(np.minimum(2 * CLUE * circles * p.edge, (free(p) - CLEAR) / REACH), SHORTEST)


def tallest_clues(p: SlitherlinkParameters) -> Floats:
    """How tall the clue of every cell (f,) can be without reaching holes, slots or the edges of its cell."""
    return np.maximum(free(p) / REACH, SHORTEST)


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
    """How wide a stick is above the board, and its tenon."""
    tenon = max(slot_of(p)[0] - p.play, SHORTEST)
    return max(p.edge - 2 * _end(p), tenon + 2 * SHOULDER), tenon
