"""The key to the heat map: how many dates have how many solutions, over the colours of the scale."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QToolTip, QWidget

from studio.base.amounts import many, thousands
from studio.base.texts import tr
from studio.geometry.curves.strokes import Ints
from studio.puzzles.calendar.year import NO_CHART, Chart
from studio.ui.kinds.calendar.heat_map import FADED, colour, draw_easiest, draw_hardest, draw_nothing, ink, marks, share
from studio.ui.widgets.theme import MARGIN, Painted, current_theme, hint_font

BARS = 28
BAR_HEIGHT, RAMP_HEIGHT, TEXT_HEIGHT = 40, 12, 18
TOP = 6
WIDEST = 520
SIGN = 14
SIGNS = ((tr("Hardest"), draw_hardest, 0.0), (tr("Easiest"), draw_easiest, 1.0))
NO_SOLUTION = {True: tr("No solution"), False: tr("None so far")}
"""The meaning of a cross in a complete year, and in an incomplete one."""


class Legend(QWidget):
    """Bars for the dates, the scale below them with round numbers, and the signs of the map."""

    pointed = Painted[int | None](None)
    """The pointed count on the scale."""
    is_faded = Painted(False)
    """True while the legend is pale."""

    def __init__(self) -> None:
        super().__init__()
        self._chart = NO_CHART
        self.setMouseTracking(True)
        self.setAccessibleName(tr("Heat map legend"))

    def show_chart(self, chart: Chart) -> None:
        """Show the counts of a chart."""
        self._chart = chart
        if chart.dates:
            said = tr(
                "Colours from {least} to {solutions}, on a logarithmic scale.",
                least=thousands(chart.least),
                solutions=many(chart.most, "solution"),
            )
            self.setAccessibleDescription(said)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(WIDEST, TOP + BAR_HEIGHT + RAMP_HEIGHT + TEXT_HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, self.sizeHint().height())

    @property
    def bounds(self) -> tuple[int, int]:
        """Fewest and most solutions among dates with any."""
        counts = self._chart.counts[self._chart.counts > 0]
        return (int(counts.min()), int(counts.max())) if len(counts) else (0, 0)

    def bars(self) -> Ints:
        """The number of dates (BARS,) in each part of the scale."""
        least, most = self.bounds
        counts = self._chart.counts[self._chart.counts > 0].tolist()
        places = [min(int(share(count, least, most) * BARS), BARS - 1) for count in counts]
        return np.bincount(np.array(places, np.int64), minlength=BARS)

    # Painting

    def _ramp(self) -> QRectF:
        metrics = QFontMetricsF(hint_font(self.font()))
        key = (
            SIGN
            + 8
            + max(metrics.horizontalAdvance(words) for words in (tr("Hardest"), tr("Easiest"), *NO_SOLUTION.values()))
        )
        return QRectF(0, TOP + BAR_HEIGHT, min(self.width() - key - 2 * MARGIN, WIDEST), RAMP_HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._chart.dates:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(hint_font(self.font()))
        if self.bounds[1]:
            painter.setOpacity(FADED if self.is_faded else 1.0)
            self._draw_bars(painter)
            painter.setOpacity(1.0)
            ramp, (least, most) = self._ramp(), self.bounds
            taken: list[tuple[float, float]] = []
            metrics = QFontMetricsF(painter.font())
            for count in marks(least, most):
                x = ramp.left() + share(count, least, most) * ramp.width()
                text = thousands(count)
                half = metrics.horizontalAdvance(text) / 2
                middle = min(max(x, ramp.left() + half), ramp.right() - half)
                if any(middle - half < right + 6 and left - 6 < middle + half for left, right in taken):
                    continue
                taken.append((middle - half, middle + half))
                painter.setPen(QPen(current_theme().quiet, 1))
                painter.drawLine(QPointF(x, ramp.bottom()), QPointF(x, ramp.bottom() + 3))
                area = QRectF(middle - half - 2, ramp.bottom() + 3, 2 * half + 4, TEXT_HEIGHT - 3)
                painter.drawText(area, Qt.AlignmentFlag.AlignCenter, text)
            self._draw_pointer(painter)
        self._draw_key(painter)

    def _draw_bars(self, painter: QPainter) -> None:
        ramp, bars = self._ramp(), self.bars()
        wide, tallest = ramp.width() / BARS, max(int(bars.max()), 1)
        for number, count in enumerate(bars.tolist()):
            ground = colour((number + 0.5) / BARS)
            left = ramp.left() + number * wide
            painter.fillRect(QRectF(left, ramp.top(), wide + 0.5, ramp.height()), ground)
            if count:
                height = max(2.0, (BAR_HEIGHT - 3) * count / tallest)
                bar = QRectF(left + 0.5, ramp.top() - 2 - height, wide - 1, height)
                painter.fillRect(bar, ground)
                painter.setPen(QPen(current_theme().board_edge, 0.7))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(bar)

    def _draw_pointer(self, painter: QPainter) -> None:
        if not self.pointed:
            return
        ramp, (least, most) = self._ramp(), self.bounds
        x = ramp.left() + share(self.pointed, least, most) * ramp.width()
        tip = QPointF(x, ramp.top() + 1)
        painter.setPen(QPen(current_theme().board, 1))
        painter.setBrush(current_theme().text)
        painter.drawPolygon(QPolygonF([tip, tip + QPointF(-5, -8), tip + QPointF(5, -8)]))

    def _draw_key(self, painter: QPainter) -> None:
        left = self._ramp().right() + 2 * MARGIN
        top = float(TOP)
        for (words, draw, at), places in zip(SIGNS, (self._chart.hardest, self._chart.easiest), strict=True):
            if not places:
                continue
            area = QRectF(left, top + 2, SIGN, SIGN)
            ground = colour(at)
            painter.fillRect(area, ground)
            draw(painter, area, ink(ground))
            self._key_words(painter, area, words)
            top += SIGN + 8
        if (self._chart.counts == 0).any():
            area = QRectF(left, top + 2, SIGN, SIGN)
            draw_nothing(painter, area, any_solved=bool(self._chart.most))
            self._key_words(painter, area, NO_SOLUTION[self._chart.is_complete])

    def _key_words(self, painter: QPainter, sign: QRectF, words: str) -> None:
        painter.setPen(current_theme().quiet)
        side = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(sign.right() + 8, sign.top() - 2, 160, SIGN + 4), side, words)

    # Tooltips

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self._words_at(QPointF(event.pos())), self)
            return True
        return super().event(event)

    def _words_at(self, place: QPointF) -> str:
        """Number of dates in the bar at a place; empty off the bars."""
        ramp = self._ramp()
        least, most = self.bounds
        if not most or not ramp.left() <= place.x() < ramp.right():
            return ""
        number = int((place.x() - ramp.left()) / ramp.width() * BARS)
        low, high = (least * (most / least) ** (at / BARS) for at in (number, number + 1))
        first, last = math.ceil(low - 1e-9), most if number == BARS - 1 else math.ceil(high - 1e-9) - 1
        dates = self._chart.noun.many(int(self.bars()[number]))
        if last < first:
            return ""
        between = (
            many(first, "solution")
            if first == last
            else tr("{least} to {solutions}", least=thousands(first), solutions=many(last, "solution"))
        )
        return tr("{dates} with {solutions}", dates=dates, solutions=between)
