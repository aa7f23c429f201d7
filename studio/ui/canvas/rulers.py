"""Rulers in mm or inches along two sides of the canvas, with a mark at the mouse."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from studio.base.units import Unit, shown_as, unit
from studio.ui.canvas.view import CanvasView
from studio.ui.widgets.theme import Theme, current_theme, hint_font, sized

BREADTH = 22
LARGEST_FIGURES = 15
"""Pixels of the figures above the ticks; there is no room for larger ones."""
LABEL_PIXELS = 64
"""At least so much room for a label and its ticks."""


def nice_step(least: float) -> float:
    """The least of 1, 2 and 5 times a power of ten that is not below `least`."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(power * share for share in (1, 2, 5, 10) if power * share >= least * (1 - 1e-9))


class Ruler(QWidget):
    """One ruler; ticks and numbers follow the view it measures."""

    def __init__(self, view: CanvasView, orientation: Qt.Orientation) -> None:
        super().__init__()
        self._view = view
        self._is_level = orientation == Qt.Orientation.Horizontal
        self._mark: float | None = None
        if self._is_level:
            self.setFixedHeight(BREADTH)
        else:
            self.setFixedWidth(BREADTH)
        self._scale: QPixmap | None = None
        self._scale_of: tuple[Theme, Unit] | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        view.looked_at.connect(self._redraw)
        view.pointed.connect(self._point)

    def _redraw(self) -> None:
        self._scale = None
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(BREADTH, BREADTH)

    def _point(self, place: QPointF | None) -> None:
        self._update_at_mark()
        self._mark = None if place is None else (place.x() if self._is_level else place.y())
        self._update_at_mark()

    def _update_at_mark(self) -> None:
        if self._mark is not None:
            at = round(self._origin() + self._mark * self._view.zoom)
            self.update(QRect(at - 2, 0, 5, BREADTH) if self._is_level else QRect(0, at - 2, BREADTH, 5))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), current_theme()
        looks = theme, unit()
        known = self._scale is not None and self._scale.deviceIndependentSize() == self.size().toSizeF()
        if self._scale is None or not known or self._scale_of != looks:
            self._scale, self._scale_of = self._drawn_scale(theme), looks
        painter.drawPixmap(0, 0, self._scale)
        if self._mark is not None:
            painter.setPen(QPen(theme.accent, 1.5))
            self._tick(painter, self._origin() + self._mark * self._view.zoom, BREADTH)

    def _origin(self) -> float:
        transform = self._view.viewportTransform()
        return transform.dx() if self._is_level else transform.dy()

    def _drawn_scale(self, theme: Theme) -> QPixmap:
        """Ticks and numbers; they stay until the view moves, while the mark follows the mouse."""
        ratio = self.devicePixelRatioF()
        scale = QPixmap(self.size() * ratio)
        scale.setDevicePixelRatio(ratio)
        scale.fill(theme.panel)
        painter = QPainter(scale)
        zoom, origin = self._view.zoom * shown_as("mm")[0], self._origin()
        extent = self.width() if self._is_level else self.height()
        step = nice_step(LABEL_PIXELS / zoom)
        parts = 10 if step / 10 * zoom >= 6 else 5 if step / 5 * zoom >= 6 else 2
        hint = hint_font(self.font())
        painter.setFont(sized(hint, min(hint.pixelSize(), LARGEST_FIGURES)))
        decimals = max(0, -math.floor(math.log10(step) + 1e-9))
        for number in range(math.floor(-origin / zoom / step), math.ceil((extent - origin) / zoom / step) + 1):
            for part in range(parts):
                length = BREADTH * (0.5 if part == 0 else 0.32 if part * 2 == parts else 0.2)
                painter.setPen(QPen(theme.quiet if part == 0 else theme.line, 1))
                self._tick(painter, origin + (number + part / parts) * step * zoom, length)
            painter.setPen(theme.quiet)
            self._label(painter, origin + number * step * zoom, f"{number * step:.{decimals}f}")
        painter.setPen(QPen(theme.line, 1))
        painter.drawLine(self._spot(0, BREADTH - 0.5), self._spot(extent, BREADTH - 0.5))
        painter.end()
        return scale

    def _tick(self, painter: QPainter, at: float, length: float) -> None:
        at = round(at) + 0.5
        painter.drawLine(self._spot(at, BREADTH - length), self._spot(at, BREADTH))

    def _spot(self, along: float, across: float) -> QPointF:
        return QPointF(along, across) if self._is_level else QPointF(across, along)

    def _label(self, painter: QPainter, at: float, text: str) -> None:
        """Draw a number beside its tick, where it has room for all its digits."""
        width = painter.fontMetrics().horizontalAdvance(text) + 3
        begin = at if self._is_level else at - width
        if begin < 0 or begin + width > (self.width() if self._is_level else self.height()):
            return
        if self._is_level:
            painter.drawText(QPointF(at + 3, BREADTH * 0.5 + 1), text)
        else:
            painter.save()
            painter.translate(BREADTH * 0.5 + 1, at - 3)
            painter.rotate(-90)
            painter.drawText(QPointF(0, 0), text)
            painter.restore()
