"""From a calendar puzzle's design to what is cut: its pieces, side by side on a sheet."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from studio.errors import StudioError
from studio.geometry.curves import Curves, straight
from studio.geometry.drawing import Chain, Drawing, Operation, Pieces
from studio.geometry.polyomino import outline
from studio.geometry.shapes import Shapes
from studio.progress import Progress
from studio.puzzles.calendar.model import CalendarDesign

SPACING = 5.0
"""Between the pieces on the sheet, in mm."""


@dataclass(frozen=True, eq=False)
class CalendarShapes(Shapes):
    """A calendar puzzle's shapes."""

    design: CalendarDesign


def shape(design: CalendarDesign, before: Shapes | None, progress: Progress) -> CalendarShapes:
    """The shapes of a design."""
    progress.step(0.0)
    cell = design.parameters.cell
    strokes, left, bottom = [], SPACING, 0.0
    for piece in design.set:
        try:
            corners = outline(piece.mask.T).inset(cell, 0.0) + (left, SPACING)
        except StudioError:
            continue
        sides = straight(np.stack([corners, np.roll(corners, -1, axis=0)], 1)).points.reshape(-1, 4, 2)
        strokes.append(np.concatenate([sides[:, :3].reshape(-1, 2), sides[-1, 3:]]))
        left += piece.mask.shape[1] * cell + SPACING
        bottom = max(bottom, SPACING + piece.mask.shape[0] * cell + SPACING)
    count = len(strokes)
    chains = tuple(Chain(Operation.BORDER, np.array([2 * number]), closed=True) for number in range(count))
    names = tuple(piece.name for piece in design.set)
    pieces = Pieces(2 * np.arange(count), np.arange(count + 1), names[:count])
    return CalendarShapes(Drawing(left, bottom, Curves.of(strokes), chains, pieces), design)
