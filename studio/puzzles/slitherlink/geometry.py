"""From a slitherlink's design to its shapes: a board with clues and dots engraved."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from studio.geometry.closed import closed_parts
from studio.geometry.curves import Floats, closed_through
from studio.geometry.drawing import Drawing, Operation, Path
from studio.geometry.engraving import Room, laid
from studio.geometry.rounded import disc
from studio.progress import Progress
from studio.puzzles.slitherlink.model import SlitherlinkDesign, SlitherlinkParameters

CLUE = 0.42
"""How tall a clue is, as a share of the diameter of the circle in its cell."""
DOT = 0.05
"""The radius of an engraved dot, as a share of a cell's edge."""
BOARD = "Board"
SPACING = 5.0
"""Around the board, in mm, so that a beam may run beside its rim."""


@dataclass(frozen=True, eq=False)
class SlitherlinkShapes:
    """A slitherlink's shapes: beside the drawing, where dots and cells lie in it, in mm."""

    design: SlitherlinkDesign
    drawing: Drawing
    dots: Floats
    middles: Floats
    radius: float
    """That of the circle in a cell."""

    def outline(self, cell: int) -> Floats:
        """The corners (n, 2) of a cell in mm."""
        return np.asarray(self.dots[list(self.design.parameters.net.dots[cell])])

    def middle_of(self, cell: int) -> tuple[float, float]:
        """The middle of a cell in mm."""
        x, y = self.middles[cell].tolist()
        return x, y

    def cell_at(self, x: float, y: float) -> int | None:
        """The cell at a place in mm, or None beside all of them."""
        near = np.argsort(((self.middles - (x, y)) ** 2).sum(axis=1))[:4]
        for cell in near.tolist():
            ring = self.outline(cell)
            along = np.roll(ring, -1, axis=0) - ring
            to = np.array([x, y]) - ring
            if (along[:, 0] * to[:, 1] - along[:, 1] * to[:, 0] >= 0).all():
                return int(cell)
        return None


def shape(design: SlitherlinkDesign, before: SlitherlinkShapes | None, progress: Progress) -> SlitherlinkShapes:
    """The shapes of a design; of `before`, the drawing where nothing of it changed."""
    progress.step(0.0)
    p = design.parameters
    size, dots, middles, radius = laid_out(p)
    if before is not None and before.design.parameters == p and before.design.clues == design.clues:
        return SlitherlinkShapes(design, before.drawing, dots, middles, radius)
    rim = closed_through(SPACING + np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * (np.array(size) - 2 * SPACING))
    dotted = [Path(Operation.ENGRAVE, disc(DOT * p.edge) + dot, closed=True) for dot in dots]
    marks = [*_clues(design, middles, radius), *dotted]
    return SlitherlinkShapes(design, closed_parts(size, [BOARD], [[rim]], marks), dots, middles, radius)


def laid_out(p: SlitherlinkParameters) -> tuple[tuple[float, float], Floats, Floats, float]:
    """The size of the board, where dots (n, 2) and the middles of cells (f, 2) are, and the radius of a cell's circle.

    All in mm from the top left corner of the drawing, in which the board has some room around it.
    """
    return _laid_out(p.grid, p.columns, p.rows, p.edge, p.border)


@lru_cache(maxsize=16)
def _laid_out(
    form: str, columns: int, rows: int, edge: float, border: float
) -> tuple[tuple[float, float], Floats, Floats, float]:
    p = SlitherlinkParameters(grid=form, columns=columns, rows=rows)
    dots, middles = p.form.corners(edge) + border + SPACING, p.form.middles(edge) + border + SPACING
    width, height = (dots.max(axis=0) + border + SPACING).tolist()
    ring = dots[list(p.form.cells[0])]
    radius = float(np.hypot(*(ring[:2].mean(axis=0) - middles[0])))
    return (width, height), dots, middles, radius


def _clues(design: SlitherlinkDesign, middles: Floats, radius: float) -> list[Path]:
    height = 2 * CLUE * radius
    room = Room(2 * radius, 2 * radius)
    paths = []
    for cell, count in design.clues.items():
        letters = laid(str(count), height, room, 0.0)
        assert letters is not None, "a digit is narrower than tall"
        paths += [Path(Operation.ENGRAVE, letters[at] + middles[cell], closed=False) for at in range(len(letters))]
    return paths
