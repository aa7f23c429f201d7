"""Marks of a slitherlink on the canvas: loop, hidden clues, locks, a second solution, and cells hovered or selected."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPixmap
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from studio.geometry.art.lettering import Room, laid
from studio.geometry.curves.strokes import Floats, Ints
from studio.puzzles.slitherlink.generate import deciding
from studio.puzzles.slitherlink.geometry import SlitherlinkShapes, clue_heights
from studio.puzzles.slitherlink.model import cells_of
from studio.solving.loops import LoopEdges
from studio.ui.canvas import paths
from studio.ui.canvas.canvas import Canvas
from studio.ui.canvas.drawing_tiles import FILL_Z
from studio.ui.canvas.marks import HIGHLIGHT_Z, RING_Z, DotsItem, draw_padlocks
from studio.ui.canvas.paths import PathItem, cosmetic
from studio.ui.widgets.theme import Theme, current_theme

MARGIN = 6
"""Pixels that a line reaches beyond its edge."""
SHAPE, INSIDE, APART = 1, 2, 3
"""Tints of cells: of the shape, inside the loop, on other sides of the loop in a second solution."""
GIVEN, HIDDEN = 1, 2
"""Styles of digits."""
LOOP, OTHER = 1, 2
"""Styles of lines: of the loop, and of a second solution."""


@dataclass(frozen=True, eq=False)
class Places:
    """Places in mm: the outline of every cell, its middle (f, 2), the ends (m, 2, 2) of every edge.

    `radius` belongs to the circle in a usual cell, `heights` (f,) to the digits.
    """

    outlines: tuple[Floats, ...]
    middles: Floats
    ends: Floats
    radius: float
    heights: Floats


@dataclass(frozen=True, eq=False)
class Shown:
    """Tint, number, style of the digit, and ring of every cell; style of the line of every edge; 0 for none."""

    tints: Ints
    numbers: Ints
    digits: Ints
    rings: Ints
    lines: Ints


class SheetItem(QGraphicsItem):
    """Paints the exposed part of a grid: the tints of its cells below the cuts, or lines and digits above them."""

    def __init__(self, z: float, *, is_ground: bool) -> None:
        super().__init__()
        self.setZValue(z)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        self._is_ground = is_ground
        self._places: Places | None = None
        self.shown: Shown | None = None
        self._bounds = QRectF()
        self._reach = 0.0
        """Largest reach of a cell from its middle."""

    def show_sheet(self, places: Places, shown: Shown) -> None:
        """Show another state of the grid, or another grid."""
        self.shown = shown
        if places is not self._places:
            self._places = places
            points = np.concatenate([places.middles, places.ends.reshape(-1, 2)])
            cells = zip(places.outlines, places.middles, strict=True)
            self._reach = max(float(np.hypot(*(ring - middle).T).max()) for ring, middle in cells)
            low, high = points.min(axis=0) - 2 * places.radius, points.max(axis=0) + 2 * places.radius
            self.prepareGeometryChange()
            self._bounds = QRectF(QPointF(*low), QPointF(*high))
        self.update()

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        places, shown = self._places, self.shown
        if places is None or shown is None:
            return
        theme, part, radius = current_theme(), option.exposedRect, self._reach
        cells = _within(places.middles, part.adjusted(-radius, -radius, radius, radius))
        if self._is_ground:
            for tint, colour, alpha in (
                (SHAPE, theme.hint, SHAPE_ALPHA), (INSIDE, theme.accent, INSIDE_ALPHA),
                (APART, theme.warning, APART_ALPHA),
            ):  # fmt: skip
                path = QPainterPath()
                path.setFillRule(Qt.FillRule.WindingFill)
                for cell in cells[shown.tints[cells] == tint].tolist():
                    path.addPolygon(paths.polygon(places.outlines[cell]))
                painter.fillPath(path, _tinted(colour, alpha))
            return
        reach = 2 * radius + MARGIN / max(painter.worldTransform().m11(), 1e-9)
        edges = _within(places.ends.mean(axis=1), part.adjusted(-reach, -reach, reach, reach))
        loop, other = cosmetic(theme.accent, 3.0), cosmetic(theme.warning, 3.0)
        loop.setCapStyle(Qt.PenCapStyle.RoundCap)
        other.setDashPattern([2.0, 1.5])
        for style, pen in ((LOOP, loop), (OTHER, other)):
            painter.setPen(pen)
            ends = places.ends[edges[shown.lines[edges] == style]].reshape(-1, 4)
            painter.drawLines([QLineF(*line) for line in ends.tolist()])
        painter.setPen(cosmetic(theme.warning, 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        size = CLUE_REACH * places.radius
        for x, y in places.middles[cells[shown.rings[cells] > 0]].tolist():
            painter.drawEllipse(QPointF(x, y), size, size)
        self._paint_digits(painter, places, shown, cells, theme)

    def _paint_digits(self, painter: QPainter, places: Places, shown: Shown, cells: Ints, theme: Theme) -> None:
        world, ratio = painter.worldTransform(), painter.device().devicePixelRatioF()
        heights = np.maximum(np.round(places.heights * world.m11()), 1).astype(np.int64)
        painter.save()
        painter.resetTransform()
        for style, colour, width in ((GIVEN, theme.text, 1.8), (HIDDEN, _tinted(theme.quiet, HIDDEN_ALPHA), 1.0)):
            chosen = cells[shown.digits[cells] == style]
            spots = places.middles[chosen] * [world.m11(), world.m22()] + [world.dx(), world.dy()]
            digits = zip(spots.tolist(), shown.numbers[chosen].tolist(), heights[chosen].tolist(), strict=True)
            for (x, y), digit, height in digits:
                mark = _digit(digit, height, colour.rgba(), width, ratio)
                half = mark.deviceIndependentSize() / 2
                painter.drawPixmap(QPointF(x - half.width(), y - half.height()), mark)
        painter.restore()


def _within(places: Floats, part: QRectF) -> Ints:
    x, y = places.T
    return np.flatnonzero((x >= part.left()) & (x <= part.right()) & (y >= part.top()) & (y <= part.bottom()))


@lru_cache(maxsize=256)
def _digit(number: int, height: int, ink: int, width: float, ratio: float) -> QPixmap:
    """A digit as engraved, drawn once in device pixels; there may be thousands on the board."""
    side = round((height * 1.4 + 4) * ratio)
    mark = QPixmap(side, side)
    mark.setDevicePixelRatio(ratio)
    mark.fill(Qt.GlobalColor.transparent)
    painter = QPainter(mark)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(side / ratio / 2, side / ratio / 2)
    painter.setPen(QPen(QColor.fromRgba(ink), width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    strokes = laid(str(number), float(height), Room(4.0 * height, 4.0 * height), 0.0)
    assert strokes is not None, "a digit is narrower than its room"
    painter.drawPath(paths.curved(strokes))
    painter.end()
    return mark


def numbered(count: int, *styled: tuple[int, Sequence[int]]) -> Ints:
    """Style of each of `count` items: `styled` has styles and the items they apply to; later ones win."""
    found = np.zeros(count, np.int64)
    for style, members in styled:
        found[list(members)] = style
    return found


LOCK_PIXELS = 12
CLUE_REACH = 0.6
"""Radius within which a click is on a clue and not on its cell, as a share of the circle in the cell."""
LOCK_AWAY = np.array([0.62, 0.62])
"""Offset of a padlock left of and above the middle of its cell, in radii."""
SHAPE_ALPHA, INSIDE_ALPHA, APART_ALPHA, HIDDEN_ALPHA = 30, 40, 60, 110


class Overlay:
    """The marks of one board on its canvas."""

    def __init__(self, canvas: Canvas) -> None:
        self._shapes: SlitherlinkShapes | None = None
        self._places: Places | None = None
        self._second: LoopEdges | None = None
        self._stroke: frozenset[int] | None = None
        self.is_solved = True
        self.ground, self.sheet = SheetItem(FILL_Z + 0.5, is_ground=True), SheetItem(RING_Z, is_ground=False)
        self._locks = DotsItem(RING_Z + 0.5, draw_padlocks, LOCK_PIXELS)
        self.hovered, self.chosen = PathItem(HIGHLIGHT_Z - 0.5), PathItem(HIGHLIGHT_Z)
        for item in (self.ground, self.sheet, self._locks, self.hovered, self.chosen):
            canvas.scene.addItem(item)

    def show_solved(self, is_on: bool) -> None:
        """Show the loop and the hidden clues, or the puzzle alone."""
        self.is_solved = is_on
        self._draw()

    def show_shapes(self, shapes: SlitherlinkShapes) -> None:
        """Follow the shapes, and drop the second solution of the former ones."""
        self._shapes, self._second = shapes, None
        self._draw()

    def show_second(self, second: LoopEdges | None) -> None:
        """Show a second solution over the first, or none."""
        if second != self._second:
            self._second = second
            self._draw()

    def show_stroke(self, cells: Collection[int] | None) -> None:
        """Show a shape that is being painted instead of the design's."""
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
            radius = self._shapes.radius_of(cell) * CLUE_REACH
            path.addEllipse(x - radius, y - radius, 2 * radius, 2 * radius)
        return path

    def _draw(self) -> None:
        shapes = self._shapes
        if shapes is None:
            return
        design, p = shapes.design, shapes.design.parameters
        if self._places is None or self._places.middles is not shapes.middles:
            outlines = tuple(shapes.outline(cell) for cell in range(p.net.outside))
            ends = shapes.dots[np.array(p.net.ends)]
            self._places = Places(outlines, shapes.middles, ends, shapes.radius, clue_heights(p))
        cells, edges = len(design.counts), len(p.net.ends)
        inside, second = cells_of(design.inside), self._second if self.is_solved else None
        shape = sorted(self._stroke) if self._stroke is not None else design.allowed if design.shape else ()
        within = [cell for cell, is_in in enumerate(inside) if is_in and self.is_solved]
        apart, decide, other = list[int](), list[int](), list[int]()
        if second is not None:
            other = sorted({*second} - {*design.line})
            apart = design.apart(second)
            decide = [cell for cell in deciding(design, second) if cell not in design.clues]
        digits = ((HIDDEN, range(cells)), (GIVEN, list(design.clues))) if self.is_solved else ()
        shown = Shown(
            numbered(cells, (SHAPE, shape), (INSIDE, within), (APART, apart)), np.array(design.counts),
            numbered(cells, *digits), numbered(cells, (1, decide)),
            numbered(edges, (LOOP, design.line if self.is_solved else ()), (OTHER, other)),
        )  # fmt: skip
        for item in (self.ground, self.sheet):
            item.show_sheet(self._places, shown)
        own = sorted(p.form.numbers[name] for name in {*design.own_cells, *design.own_clues})
        # If all cells are edited, as in an imported puzzle, a mark in each would say nothing.
        locked = shapes.middles[own] if len(own) < len(p.form.numbers) else np.empty((0, 2))
        self._locks.spacing = shapes.radius
        self._locks.show_places(locked - shapes.radius * LOCK_AWAY)


def _tinted(colour: QColor, alpha: int) -> QColor:
    tint = QColor(colour)
    tint.setAlpha(alpha)
    return tint
