"""Cells, lines and digits of a grid, painted as one item, of which only what is exposed is painted.

A sheet has for every cell a tint and a digit, and for every edge a line, each by the number of a style, 0 for none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPixmap
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from studio.geometry.art.engraving import Room, laid
from studio.geometry.curves.strokes import Floats, Ints
from studio.ui.canvas import paths
from studio.ui.widgets.theme import Theme, current_theme

MARGIN = 6
"""How far in pixels a line reaches beyond its edge."""
Colour = Callable[[Theme], QColor]
Pen = Callable[[Theme], QPen]


@dataclass(frozen=True, eq=False)
class Places:
    """Where things are, in mm: the outline of every cell, its middle (f, 2), the ends (m, 2, 2) of every edge.

    `radius` is that of the circle in a usual cell, `heights` (f,) how tall the digits are.
    """

    outlines: tuple[Floats, ...]
    middles: Floats
    ends: Floats
    radius: float
    heights: Floats


@dataclass(frozen=True)
class Styles:
    """What the numbers of tints, digits and lines look like, each from 1 on, and the pen of rings."""

    tints: tuple[Colour, ...]
    digits: tuple[tuple[Colour, float], ...]
    """A colour and the width of the strokes in pixels."""
    lines: tuple[Pen, ...]
    ring: Pen
    reach: float
    """The radius of rings, as a share of that of the circle in a cell."""


@dataclass(frozen=True, eq=False)
class Shown:
    """Of every cell its tint, its number, the style of its digit and whether it has a ring; of every edge its line."""

    tints: Ints
    numbers: Ints
    digits: Ints
    rings: Ints
    lines: Ints


class SheetItem(QGraphicsItem):
    """Paints a sheet."""

    def __init__(self, z: float, styles: Styles) -> None:
        super().__init__()
        self.setZValue(z)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        self._styles = styles
        self._places: Places | None = None
        self.shown: Shown | None = None
        self._bounds = QRectF()
        self._reach = 0.0
        """How far from its middle a cell reaches at most."""

    def show_sheet(self, places: Places, shown: Shown) -> None:
        """Show a sheet."""
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
        self._paint_tints(painter, places, shown.tints, cells, theme)
        reach = 2 * radius + MARGIN / max(painter.worldTransform().m11(), 1e-9)
        edges = _within(places.ends.mean(axis=1), part.adjusted(-reach, -reach, reach, reach))
        for number, pen in enumerate(self._styles.lines, 1):
            painter.setPen(pen(theme))
            ends = places.ends[edges[shown.lines[edges] == number]].reshape(-1, 4)
            painter.drawLines([QLineF(*line) for line in ends.tolist()])
        painter.setPen(self._styles.ring(theme))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        size = self._styles.reach * places.radius
        for x, y in places.middles[cells[shown.rings[cells] > 0]].tolist():
            painter.drawEllipse(QPointF(x, y), size, size)
        self._paint_digits(painter, places, shown, cells, theme)

    def _paint_tints(self, painter: QPainter, places: Places, tints: Ints, cells: Ints, theme: Theme) -> None:
        for number, colour in enumerate(self._styles.tints, 1):
            path = QPainterPath()
            path.setFillRule(Qt.FillRule.WindingFill)
            for cell in cells[tints[cells] == number].tolist():
                path.addPolygon(paths.polygon(places.outlines[cell]))
            painter.fillPath(path, colour(theme))

    def _paint_digits(self, painter: QPainter, places: Places, shown: Shown, cells: Ints, theme: Theme) -> None:
        world, ratio = painter.worldTransform(), painter.device().devicePixelRatioF()
        heights = np.maximum(np.round(places.heights * world.m11()), 1).astype(np.int64)
        painter.save()
        painter.resetTransform()
        for number, (colour, width) in enumerate(self._styles.digits, 1):
            chosen = cells[shown.digits[cells] == number]
            spots = places.middles[chosen] * [world.m11(), world.m22()] + [world.dx(), world.dy()]
            ink = colour(theme).rgba()
            digits = zip(spots.tolist(), shown.numbers[chosen].tolist(), heights[chosen].tolist(), strict=True)
            for (x, y), digit, height in digits:
                mark = _digit(digit, height, ink, width, ratio)
                half = mark.deviceIndependentSize() / 2
                painter.drawPixmap(QPointF(x - half.width(), y - half.height()), mark)
        painter.restore()


def _within(places: Floats, part: QRectF) -> Ints:
    x, y = places.T
    return np.flatnonzero((x >= part.left()) & (x <= part.right()) & (y >= part.top()) & (y <= part.bottom()))


@lru_cache(maxsize=256)
def _digit(number: int, height: int, ink: int, width: float, ratio: float) -> QPixmap:
    """A digit as it is engraved, drawn once in real pixels; there may be thousands on the board."""
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
    """The style of each of `count` things: `styled` has styles and the things they apply to; later ones win."""
    found = np.zeros(count, np.int64)
    for style, members in styled:
        found[list(members)] = style
    return found
