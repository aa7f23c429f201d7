"""The joint of a calendar puzzle: its smallest piece, and a frame just for that."""

from __future__ import annotations

import re

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.geometry.planar.joint import Inlay
from studio.puzzles.calendar.checks import piece_trouble
from studio.puzzles.calendar.geometry import CalendarShapes
from studio.puzzles.calendar.model import FILLED, CalendarDesign, CalendarParameters, Piece
from studio.puzzles.calendar.tray import alone, largest_radius

ROUNDED_OFF = 0.3
"""How far a rectangle's corner must be from both sides of a rounded corner to lie within it, in radii."""


def joint(shapes: CalendarShapes) -> Inlay:
    """The smallest piece and the opening of a frame around it; raises StudioError where none is whole."""
    design = shapes.design
    piece = smallest_piece(design)
    part, opening = (ring.stroke for ring in alone(piece, design.parameters))
    return Inlay(part, opening, room(piece, design.parameters))


def smallest_piece(design: CalendarDesign) -> Piece:
    """The smallest piece in one part without a hole; raises StudioError where there is none."""
    whole = [piece for piece in design.set if not piece_trouble(piece)]
    if not whole:
        raise StudioError(tr("A fit coupon needs a piece in one part without a hole."))
    return min(whole, key=lambda one: len(one.squares))


def room(piece: Piece, parameters: CalendarParameters) -> tuple[float, float, float, float]:
    """Left, top, right and bottom in mm of a rectangle within the longest row of squares."""
    runs = [
        (run.end() - run.start(), row, run.start())
        for row, squares in enumerate(piece.rows)
        for run in re.finditer(f"{re.escape(FILLED)}+", squares)
    ]
    length, row, column = max(runs)
    margin = parameters.play / 2 + ROUNDED_OFF * min(parameters.radius, largest_radius(parameters))
    left, top, cell = column * parameters.cell, row * parameters.cell, parameters.cell
    return left + margin, top + margin, left + length * cell - margin, top + cell - margin
