"""The printed fit coupon of a calendar puzzle: its smallest piece in a frame just for that, at several clearances.

The piece is made smaller, since what fits depends on the clearance alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import shapely

from studio.base.colours import COLOURS
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.curves.strokes import Curves
from studio.geometry.solids.fit_blocks import label, pair
from studio.geometry.solids.solid import Solid
from studio.puzzles.calendar.joint import room, smallest_piece
from studio.puzzles.calendar.model import CalendarDesign
from studio.puzzles.calendar.tray import Ring, alone

CELL = 6.5
"""How large a square of the piece is at most, in mm."""


def joints(design: CalendarDesign, gaps: Sequence[float], progress: Progress) -> tuple[Solid, ...]:
    """A frame and a piece for each clearance in mm; raises StudioError where no piece is whole, and Cancelled."""
    p, piece = design.parameters, smallest_piece(design)
    cell = min(p.cell, CELL)
    found = []
    for number, gap in enumerate(gaps):
        progress.step(number / len(gaps), tr("Making the {clearance} mm pair", clearance=label(gap)))
        one = replace(p, cell=cell, play=gap, radius=min(p.radius, 0.1 * cell), corner=0.0)
        part, opening = (_polygon(ring) for ring in alone(piece, one))
        meshes = pair(part, opening, room(piece, one), p.thickness, label(gap))
        for name, mesh in zip("ab", meshes, strict=True):
            found.append(Solid(f"{label(gap)} {name}", COLOURS[number % len(COLOURS)], mesh))
    progress.step(1.0)
    return tuple(found)


def _polygon(ring: Ring) -> shapely.Polygon:
    line = Curves.of([ring.stroke]).flattened(0.02).points
    return shapely.Polygon(line)
