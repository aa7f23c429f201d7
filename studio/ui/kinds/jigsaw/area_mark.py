"""The marks of a protected area on the canvas: a translucent hatch, and the ring of the brush."""

from __future__ import annotations

import math
from collections.abc import Iterable

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPolygonF
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from studio.geometry.curves.strokes import Floats
from studio.ui.canvas.layers import cosmetic
from studio.ui.canvas.marks import HANDLE_Z, HIGHLIGHT_Z
from studio.ui.kinds.jigsaw.marks import faint
from studio.ui.widgets.theme import current_theme

SPACING = 9.0
"""Between the lines of the hatch, in pixels."""
FILLED, HATCHED = 40, 190
"""How opaque the area is, of 255, and how opaque its lines are."""


class AreaItem(QGraphicsItem):
    """An area with a hatch that looks alike at every zoom, or a stroke that adds to one or erases from it."""

    def __init__(self) -> None:
        super().__init__()
        self.setZValue(HIGHLIGHT_Z - 0.8)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        self.path = QPainterPath()
        self._erases = self._is_stroke = False

    def show_rings(self, rings: Iterable[Floats]) -> None:
        """Show the area in polygons (n, 2) in mm, by the even-odd rule."""
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.OddEvenFill)
        for ring in rings:
            path.addPolygon(QPolygonF([QPointF(*point) for point in ring.tolist()]))
            path.closeSubpath()
        self.show_stroke(path)
        self._is_stroke = False

    def show_stroke(self, path: QPainterPath, *, erases: bool = False) -> None:
        """Show what a stroke of the brush adds, or what it erases."""
        self.prepareGeometryChange()
        self.path, self._erases, self._is_stroke = path, erases, True
        self.update()

    def boundingRect(self) -> QRectF:
        bounds = self.path.controlPointRect()
        return bounds if bounds.isNull() else bounds.adjusted(-1, -1, 1, 1)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        if self.path.isEmpty():
            return
        theme, pixel = current_theme(), 1.0 / max(painter.worldTransform().m11(), 1e-9)
        rim = QColor(theme.board)
        rim.setAlpha(HATCHED)
        painter.fillPath(self.path, rim if self._erases else faint(theme, FILLED))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if not self._erases:
            painter.save()
            painter.setClipPath(self.path, Qt.ClipOperation.IntersectClip)
            lines = _hatch(option.exposedRect.intersected(self.boundingRect()), SPACING * pixel)
            # Dark beside light, to be seen over every picture.
            for colour, aside in ((rim, pixel), (faint(theme, HATCHED), 0.0)):
                painter.setPen(cosmetic(colour))
                painter.drawLines([line.translated(aside, 0.0) for line in lines])
            painter.restore()
        if not self._is_stroke:
            painter.setPen(cosmetic(rim, 3.0))
            painter.drawPath(self.path)
            painter.setPen(cosmetic(theme.accent))
            painter.drawPath(self.path)


def _hatch(shown: QRectF, spacing: float) -> list[QLineF]:
    """Rising lines over a rectangle, at the same places wherever the rectangle begins."""
    first = math.ceil((shown.left() + shown.top()) / spacing)
    last = math.floor((shown.right() + shown.bottom()) / spacing)
    return [
        QLineF(at * spacing - shown.top(), shown.top(), at * spacing - shown.bottom(), shown.bottom())
        for at in range(first, last + 1)
    ]


class BrushItem(QGraphicsItem):
    """The ring that a brush covers, about the mouse."""

    def __init__(self) -> None:
        super().__init__()
        self.setZValue(HANDLE_Z)
        self._size = 1.0

    def show_size(self, size: float) -> None:
        """Show a brush of another diameter in mm."""
        if size != self._size:
            self.prepareGeometryChange()
            self._size = size

    def boundingRect(self) -> QRectF:
        half = self._size / 2 + 1
        return QRectF(-half, -half, 2 * half, 2 * half)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        theme, half = current_theme(), self._size / 2
        painter.setBrush(Qt.BrushStyle.NoBrush)
        # Light beside dark, to be seen over every picture.
        for colour, beside in ((theme.board, 1.0 / max(painter.worldTransform().m11(), 1e-9)), (theme.accent, 0.0)):
            painter.setPen(cosmetic(colour))
            painter.drawEllipse(QPointF(), half + beside, half + beside)
