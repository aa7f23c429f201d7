"""The joint of a calendar puzzle: its smallest piece, and a frame just for that."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import shapely

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.art.artwork import COLOURS
from studio.geometry.curves.strokes import Curves
from studio.geometry.planar.drawing import Inlay
from studio.geometry.solids.slab import label, pair
from studio.geometry.solids.solid import Solid
from studio.puzzles.calendar.checks import piece_trouble
from studio.puzzles.calendar.geometry import CalendarShapes
from studio.puzzles.calendar.model import FILLED, CalendarDesign, CalendarParameters, Piece
from studio.puzzles.calendar.tray import alone, largest_radius

ROUNDED_OFF = 0.3
"""Least distance, in radii, of a rectangle's corner from both sides of a rounded corner that it lies within."""


def joint(shapes: CalendarShapes) -> Inlay:
    """The smallest piece and the opening of a frame around it; raises StudioError if no piece is whole."""
    design = shapes.design
    piece = smallest_piece(design)
    part, opening = (ring.stroke for ring in alone(piece, design.parameters))
    return Inlay(part, opening, room(piece, design.parameters))


def smallest_piece(design: CalendarDesign) -> Piece:
    """The smallest piece in one part without a hole; raises StudioError if every piece has parts or holes."""
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


# The printed fit coupon of a calendar puzzle: its smallest piece in a frame just for that, at several clearances.
# The piece is made smaller, since the fit depends on the clearance alone.


CELL = 6.5
"""Greatest side of a piece's square, in mm."""


def joints(design: CalendarDesign, gaps: Sequence[float], progress: Progress) -> tuple[Solid, ...]:
    """A frame and a piece for each clearance in mm; raises StudioError if no piece is whole, and Cancelled."""
    p, piece = design.parameters, smallest_piece(design)
    cell = min(p.cell, CELL)
    found = []
    for number, gap in enumerate(gaps):
        progress.step(number / len(gaps), tr("Making the {clearance} mm pair", clearance=label(gap)))
        one = replace(p, cell=cell, play=gap, radius=min(p.radius, 0.1 * cell), corner=0.0)
        rings = [Curves.from_strokes([ring.stroke]).flattened(0.02).points for ring in alone(piece, one)]
        part, opening = map(shapely.Polygon, rings)
        meshes = pair(part, opening, room(piece, one), p.thickness, label(gap))
        for name, mesh in zip("ab", meshes, strict=True):
            found.append(Solid(f"{label(gap)} {name}", COLOURS[number % len(COLOURS)], mesh))
    progress.step(1.0)
    return tuple(found)
