"""What the board shows over its drawing: the loop, hidden clues, the shape, locks, and a second solution."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from studio.geometry.curves import Curves, Floats, Ints, straight
from studio.geometry.engraving import Room, laid
from studio.puzzles.slitherlink.deal import deciding
from studio.puzzles.slitherlink.geometry import CLUE, SlitherlinkShapes
from studio.puzzles.slitherlink.model import cells_of
from studio.solving.loops import Line
from studio.ui.canvas import paths
from studio.ui.canvas.canvas import Canvas
from studio.ui.canvas.layers import FILL_Z, PathItem, cosmetic
from studio.ui.canvas.marks import HIGHLIGHT_Z, RING_Z, DotsItem, padlock
from studio.ui.theme import Theme, current_theme

LOCK_PIXELS = 12
CLUE_REACH = 0.6
"""How far from its middle a click is on a clue and not on its cell, as a share of the circle in the cell."""
LOCK_AWAY = np.array([0.62, 0.62])
"""How far left and above the middle of a cell its padlock is, in radii."""
SHAPE_ALPHA, INSIDE_ALPHA, APART_ALPHA, HIDDEN_ALPHA = 30, 40, 60, 170


class Overlay:
    """The marks of one board on its canvas."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._shapes: SlitherlinkShapes | None = None
        self._second: Line | None = None
        self._stroke: frozenset[int] | None = None
        self.is_solved = True
        self._tints = PathItem(FILL_Z + 0.5)
        self._loop, self._other = PathItem(RING_Z), PathItem(RING_Z + 0.2)
        self._hidden, self._given, self._deciding = (PathItem(RING_Z + above) for above in (0.3, 0.35, 0.4))
        self._locks = DotsItem(RING_Z + 0.5, self._paint_locks, LOCK_PIXELS)
        self.hovered, self.chosen = PathItem(HIGHLIGHT_Z - 0.5), PathItem(HIGHLIGHT_Z)
        for item in (
            self._tints, self._loop, self._other, self._hidden, self._given, self._deciding, self._locks, self.hovered,
            self.chosen,
        ):  # fmt: skip
            canvas.scene.addItem(item)

    def show_solved(self, is_on: bool) -> None:
        """Show the loop and the hidden clues, or the puzzle alone."""
        self.is_solved = is_on
        self._draw()

    def show_shapes(self, shapes: SlitherlinkShapes) -> None:
        """Follow the shapes; what is known of a second solution is of those before."""
        self._shapes, self._second = shapes, None
        self._draw()

    def show_second(self, second: Line | None) -> None:
        """Lay a second solution over the first, or none."""
        if second != self._second:
            self._second = second
            self._draw()

    def show_stroke(self, cells: Collection[int] | None) -> None:
        """Show a shape that is being painted in place of the design's."""
        self._stroke = None if cells is None else frozenset(cells)
        self._draw()

    def cells_path(self, cells: Iterable[int]) -> QPainterPath:
        """The outlines of some cells."""
        path = QPainterPath()
        if self._shapes is not None:
            for cell in cells:
                path.addPolygon(paths.polygon(self._shapes.outline(cell)))
                path.closeSubpath()
        return path

    def clue_path(self, cell: int) -> QPainterPath:
        """A ring round a clue."""
        path = QPainterPath()
        if self._shapes is not None:
            x, y = self._shapes.middle_of(cell)
            radius = self._shapes.radius * CLUE_REACH
            path.addEllipse(x - radius, y - radius, 2 * radius, 2 * radius)
        return path

    def _draw(self) -> None:
        shapes = self._shapes
        if shapes is None:
            return
        design = shapes.design
        inside, second = cells_of(design.inside), self._second if self.is_solved else None
        shape = self._stroke if self._stroke is not None else design.allowed if design.shape else ()
        filled = [(self.cells_path(shape), lambda theme: _tinted(theme.hint, SHAPE_ALPHA))]
        line: Iterable[int] = ()
        hidden, given = list[int](), list[int]()
        decide: list[int] = []
        other: set[int] = set()
        if self.is_solved:
            line = design.line
            within = self.cells_path(cell for cell, is_in in enumerate(inside) if is_in)
            filled.append((within, lambda theme: _tinted(theme.accent, INSIDE_ALPHA)))
            given = list(design.clues)
            hidden = [cell for cell in range(len(inside)) if cell not in design.clues]
        if second is not None:
            other = {*second} - {*design.line}
            theirs = design.parameters.net.enclosed(second)
            apart = self.cells_path(cell for cell, is_in in enumerate(inside) if is_in != theirs[cell])
            filled.append((apart, lambda theme: _tinted(theme.warning, APART_ALPHA)))
            decide = [cell for cell in deciding(design, second) if cell not in design.clues]
        self._tints.fill_paths(filled)
        self._loop.show_path(self._lines(line), _of_loop)
        self._other.show_path(self._lines(sorted(other)), _of_other)
        self._hidden.show_path(self._digits(hidden), lambda theme: cosmetic(_tinted(theme.disabled, HIDDEN_ALPHA)))
        self._given.show_path(self._digits(given), lambda theme: cosmetic(theme.text, 1.8))
        rings = QPainterPath()
        for cell in decide:
            rings.addPath(self.clue_path(cell))
        self._deciding.show_path(rings, lambda theme: cosmetic(theme.warning, 1.5))
        self._show_locks()

    def _lines(self, edges: Iterable[int]) -> QPainterPath:
        assert self._shapes is not None
        ends = [self._shapes.design.parameters.net.ends[edge] for edge in edges]
        return paths.curved(straight(self._shapes.dots[np.array(ends, np.int64).reshape(-1, 2)]))

    def _digits(self, cells: Iterable[int]) -> QPainterPath:
        assert self._shapes is not None
        radius, counts = self._shapes.radius, self._shapes.design.counts
        strokes = []
        for cell in cells:
            letters = laid(str(counts[cell]), 2 * CLUE * radius, Room(2 * radius, 2 * radius), 0.0)
            assert letters is not None, "a digit is narrower than tall"
            strokes += [letters[at] + self._shapes.middles[cell] for at in range(len(letters))]
        return paths.curved(Curves.of(strokes)) if strokes else QPainterPath()

    def _show_locks(self) -> None:
        assert self._shapes is not None
        design = self._shapes.design
        numbers = design.parameters.form.numbers
        own = sorted(numbers[name] for name in {*design.own_cells, *design.own_clues})
        # Where all are edited, as in an imported puzzle, a mark in each cell would tell nothing.
        places = self._shapes.middles[own] if len(own) < len(numbers) else np.empty((0, 2))
        self._locks.spacing = self._shapes.radius
        self._locks.show_places(places - self._shapes.radius * LOCK_AWAY)

    def _paint_locks(self, painter: QPainter, spots: Floats, _shown: Ints) -> None:
        for spot in spots.tolist():
            painter.save()
            painter.translate(*spot)
            padlock(painter, current_theme().quiet)
            painter.restore()


def _tinted(colour: QColor, alpha: int) -> QColor:
    tint = QColor(colour)
    tint.setAlpha(alpha)
    return tint


def _of_loop(theme: Theme) -> QPen:
    pen = cosmetic(theme.accent, 3.0)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    return pen


def _of_other(theme: Theme) -> QPen:
    pen = cosmetic(theme.warning, 3.0)
    pen.setDashPattern([2.0, 1.5])
    return pen
