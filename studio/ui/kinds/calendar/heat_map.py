"""The heat map of a chart: a cell for every date in the colour of its count, dark blue to pale yellow.

Hardest and easiest dates have a sign in the corner of their cells, dates without a solution a cross.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from studio.base.amounts import thousands
from studio.base.texts import tr
from studio.geometry.curves.strokes import Floats
from studio.puzzles.calendar.year import NO_CHART, Chart, Place, words_of
from studio.ui.widgets.tables import NOWHERE, Index
from studio.ui.widgets.theme import contrast, current_theme, hint_font

# The colours of the heat map: dark blue for few solutions, pale yellow for many.
#
# Equal steps of the scale look equally far apart, and each is lighter than the one before, so it can be read without
# seeing hues. Counts are laid on it by their logarithm, as 20 solutions are to 10 what 200 are to 100.
#
# Colours are computed in Oklab (Ottosson 2020), a perceptually uniform space.

STEPS = 128
DARK, LIGHT = (0.36, 0.125, 280.0), (0.93, 0.105, 100.0)
"""The ends of the scale: lightness 0 to 1, chroma, hue in degrees."""
INKS = QColor("#000000"), QColor("#FFFFFF")
"""The text colours; one of the two has a contrast of at least 4.58 on any colour."""

_TO_LMS = np.array([
    [1.0, 0.3963377774, 0.2158037573], [1.0, -0.1055613458, -0.0638541728], [1.0, -0.0894841775, -1.2914855480]
])  # fmt: skip
_TO_RGB = np.array([
    [4.0767416621, -3.3077115913, 0.2309699292],
    [-1.2684380046, 2.6097574011, -0.3413193965],
    [-0.0041960863, -0.7034186147, 1.7076147010],
])  # fmt: skip


def colour(share: float) -> QColor:
    """The colour at a share of the scale, 0 for the fewest to 1 for the most."""
    return _colours()[round(min(max(share, 0.0), 1.0) * (STEPS - 1))]


def ink(ground: QColor) -> QColor:
    """The text colour that reads best on a colour."""
    return _ink(ground.rgb())


@cache
def _ink(ground: int) -> QColor:
    return max(INKS, key=lambda each: contrast(each, QColor.fromRgb(ground)))


def scale_share(count: int, least: int, most: int) -> float:
    """Logarithmic place of a count between the least and the most; the middle if both are the same."""
    low, high = math.log(max(least, 1)), math.log(max(most, 1))
    if high <= low:
        return 0.5
    return (math.log(max(count, 1)) - low) / (high - low)


def marks(least: int, most: int) -> tuple[int, ...]:
    """Round numbers from least to most, such as 10, 20, 50, 100, for the foot of a scale; the ends come first."""
    round_ones = [digit * 10**power for power in range(19) for digit in (1, 2, 5)]
    inside = [each for each in round_ones if max(least, 1) < each < most]
    return (least, most, *inside) if most > least else (least,)


@cache
def _colours() -> tuple[QColor, ...]:
    """STEPS colours at equal distances."""
    path = np.array([_oklab(at) for at in np.linspace(0.0, 1.0, 8 * STEPS)])
    way = np.concatenate([[0.0], np.linalg.norm(np.diff(path, axis=0), axis=1).cumsum()])
    even = np.linspace(0.0, way[-1], STEPS)
    places = np.stack([np.interp(even, way, path[:, axis]) for axis in range(3)], 1)
    colours = []
    for place in places:
        # In sRGB (IEC 61966-2-1).
        linear = np.clip(_linear(place), 0.0, 1.0)
        rgb = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
        colours.append(QColor.fromRgbF(*np.clip(rgb, 0.0, 1.0).tolist()))
    return tuple(colours)


def _oklab(at: float) -> Floats:
    """Place of the scale at a share of its way from dark to light; paler if a screen has no such colour."""
    lightness, chroma, hue = (low + at * (high - low) for low, high in zip(DARK, LIGHT, strict=True))
    angle = math.radians(hue)
    direction = np.array([0.0, math.cos(angle), math.sin(angle)])
    grey = np.array([lightness, 0.0, 0.0])
    while (np.abs(_linear(grey + chroma * direction) - 0.5) > 0.5).any():
        chroma -= 0.001
    return np.asarray(grey + chroma * direction, np.float64)


def _linear(place: Floats) -> Floats:
    return np.asarray(_TO_RGB @ (_TO_LMS @ place) ** 3, np.float64)


LEAST_CELL, LARGEST_WIDTH, LARGEST_HEIGHT = 16, 64, 46
GAP = 1.0
"""Between two cells."""
HEAD = 20
"""The height of the heads of the columns."""
PAD = 8
"""Gap between the heads of the rows and the cells."""
WIDEST_HEAD = 120.0
SMALLEST_NUMBER, LARGEST_NUMBER = 9, 15
"""Pixel sizes of the numbers in the cells; numbers that do not fit are shown in thousands or not at all."""
NUMBER_SHARE = 0.48
"""Largest share of a cell's height for its number; the lowest cells have room for none."""
FADED = 0.45
"""Opacity of the map while another count is under way."""


def place_of(index: Index) -> Place | None:
    """Row and column of a cell; None if it is not valid or not a date."""
    exists = index.isValid() and bool(index.flags() & Qt.ItemFlag.ItemIsEnabled)
    return (index.row(), index.column()) if exists else None


class ChartModel(QAbstractTableModel):
    """The counts of a chart; cells without a date cannot become current."""

    def __init__(self) -> None:
        super().__init__()
        self.chart = NO_CHART

    def show_chart(self, chart: Chart) -> None:
        """Take other counts; a chart of the same size keeps the current cell."""
        alike = chart.counts.shape == self.chart.counts.shape
        if not alike:
            self.beginResetModel()
        self.chart = chart
        if not alike:
            self.endResetModel()

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return int(self.chart.counts.shape[0])

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return int(self.chart.counts.shape[1])

    def flags(self, index: Index) -> Qt.ItemFlag:
        exists = (index.row(), index.column()) in self.chart.cells
        return Qt.ItemFlag.ItemIsEnabled if exists else Qt.ItemFlag.NoItemFlags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            place = place_of(index)
            return "" if place is None else self.date_text(place)
        return None

    def headerData(self, section: int, way: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        labels = self.chart.columns if way == Qt.Orientation.Horizontal else self.chart.rows
        return labels[section].text if section < len(labels) else None

    def date_text(self, place: Place) -> str:
        """The facts of a date."""
        return words_of(self.chart, place)


class HeatMap(QTableView):
    """Shows a chart; mouse or arrows point at a date, a click or Space chooses it, two clicks or Enter open it."""

    pointed = Signal(object)
    """The Place under the mouse or the arrows; None off the dates."""
    chosen = Signal(object)
    """The Place of the date to choose."""
    opened = Signal(object)
    """The Place of the date to show on the board."""

    def __init__(self) -> None:
        super().__init__()
        self.counts = ChartModel()
        self.is_faded = False
        self.number_font: QFont | None = None
        self._over: Place | None = None
        self._marked: Place | None = None
        self.setModel(self.counts)
        self.setItemDelegate(CellDelegate(self))
        self.setHorizontalHeader(Heads(Qt.Orientation.Horizontal, self))
        self.setVerticalHeader(Heads(Qt.Orientation.Vertical, self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setSelectionMode(QTableView.SelectionMode.NoSelection)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.viewport().setAutoFillBackground(False)
        self.setAccessibleName(tr("Number of solutions"))
        self.entered.connect(lambda index: self.point_at(place_of(index)))
        self.viewportEntered.connect(lambda: self.point_at(None))
        self.clicked.connect(lambda index: self._ask(self.chosen, index))
        self.activated.connect(lambda index: self._ask(self.opened, index))

    # Display

    @property
    def chart(self) -> Chart:
        """The counts in sight."""
        return self.counts.chart

    def show_chart(self, chart: Chart) -> None:
        """Show counts."""
        self.counts.show_chart(chart)
        if place_of(self.currentIndex()) is None:
            self._over = None
        self.horizontalHeader().setVisible(bool(chart.columns))
        self.verticalHeader().setVisible(bool(chart.rows))
        self.updateGeometry()
        self._fit()
        self._repaint()

    def fade(self, faded: bool) -> None:
        """Show the map pale while its counts are out of date, or in full colours."""
        self.is_faded = faded
        self._repaint()

    def mark(self, place: Place | None) -> None:
        """Put a frame around the date in sight elsewhere."""
        self._marked = place
        self._repaint()

    @property
    def place(self) -> Place | None:
        """The date under the mouse, otherwise the date at the arrows' cell."""
        return self._over or place_of(self.currentIndex())

    def _fit(self) -> None:
        rows, columns = self.chart.counts.shape
        if not rows:
            return
        side = self.verticalHeader().sizeHint().width() if self.chart.rows else 0
        top = HEAD if self.chart.columns else 0
        width = min(max((self.width() - side) // columns, LEAST_CELL), LARGEST_WIDTH)
        height = min(max((self.height() - top) // rows, LEAST_CELL), LARGEST_HEIGHT)
        self.horizontalHeader().setDefaultSectionSize(width)
        self.verticalHeader().setDefaultSectionSize(height)

    def updateGeometries(self) -> None:
        super().updateGeometries()
        for corner in self.findChildren(QAbstractButton, options=Qt.FindChildOption.FindDirectChildrenOnly):
            corner.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        self.number_font = self._number_font()
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._marked in self.chart.cells:
            self._frame(painter, self._marked, current_theme().accent)
        pointed = self._pointed()
        if pointed is not None and pointed != self._marked:
            self._frame(painter, pointed, current_theme().text)

    def _frame(self, painter: QPainter, place: Place, line: QColor) -> None:
        """A frame of two lines, visible on every colour."""
        area = area_of(self.visualRect(self.counts.index(*place)))
        painter.setPen(QPen(current_theme().board, 4, j=Qt.PenJoinStyle.MiterJoin))
        painter.drawRect(area)
        painter.setPen(QPen(line, 2, j=Qt.PenJoinStyle.MiterJoin))
        painter.drawRect(area)

    def _number_font(self) -> QFont | None:
        """Largest font in which every count, in thousands if need be, fits its cell; None if no font does."""
        font, room = QFont(self.font()), self.horizontalHeader().defaultSectionSize() - 3
        said = {_short(count) for count in set(self.chart.counts.ravel().tolist())}
        highest = NUMBER_SHARE * self.verticalHeader().defaultSectionSize()
        for pixels in range(LARGEST_NUMBER, SMALLEST_NUMBER - 1, -1):
            font.setPixelSize(pixels)
            metrics = QFontMetricsF(font)
            if pixels <= highest and all(metrics.horizontalAdvance(text) <= room for text in said):
                return font
        return None

    # Mouse and keys

    def leaveEvent(self, event: QEvent) -> None:
        self.point_at(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space:
            self._ask(self.chosen, self.currentIndex())
        else:
            if event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down):
                self._over = None
            super().keyPressEvent(event)

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self._report()

    def focusInEvent(self, event: QFocusEvent) -> None:
        if self.chart.dates and not self.currentIndex().isValid():
            begin = self._marked if self._marked in self.chart.cells else min(self.chart.cells)
            self.setCurrentIndex(self.counts.index(*begin))
        super().focusInEvent(event)
        self._report()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._report()

    def _ask(self, wanted: SignalInstance, index: Index) -> None:
        place = place_of(index)
        if place is not None:
            wanted.emit(place)

    def point_at(self, place: Place | None) -> None:
        """Point at a date, as the mouse does; clear the pointer if the date is not on the map."""
        over = place if place in self.chart.cells else None
        if over != self._over:
            self._over = over
            self.setCursor(Qt.CursorShape.ArrowCursor if over is None else Qt.CursorShape.PointingHandCursor)
            self._report()

    def _pointed(self) -> Place | None:
        return self._over or (place_of(self.currentIndex()) if self.hasFocus() else None)

    def _report(self) -> None:
        self.pointed.emit(self._pointed())
        self._repaint()

    def _repaint(self) -> None:
        for each in (self, self.horizontalHeader(), self.verticalHeader()):
            each.viewport().update()


class Heads(QHeaderView):
    """Labels of rows or columns; the labels of the pointed date are strong."""

    def __init__(self, way: Qt.Orientation, map_: HeatMap) -> None:
        super().__init__(way, map_)
        self._map = map_
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setMinimumSectionSize(LEAST_CELL)
        self.viewport().setAutoFillBackground(False)

    def sizeHint(self) -> QSize:
        metrics = QFontMetricsF(hint_font(self.font()))
        widest = max((metrics.horizontalAdvance(label.text) for label in self._map.chart.rows), default=0.0)
        return QSize(round(min(widest, WIDEST_HEAD)) + PAD, HEAD)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme, pointed = QPainter(self.viewport()), current_theme(), self._map.place
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(hint_font(self.font()))
        is_level = self.orientation() == Qt.Orientation.Horizontal
        for number in range(self.count()):
            at, size = self.sectionViewportPosition(number), self.sectionSize(number) - GAP
            area = QRectF(at, 0, size, HEAD) if is_level else QRectF(0, at, self.width() - PAD, size)
            said = self.model().headerData(number, self.orientation())
            text = painter.fontMetrics().elidedText(said, Qt.TextElideMode.ElideRight, round(area.width()) + 4)
            is_strong = pointed is not None and pointed[1 if is_level else 0] == number
            painter.setPen(theme.text if is_strong else theme.quiet)
            side = Qt.AlignmentFlag.AlignHCenter if is_level else Qt.AlignmentFlag.AlignRight
            room = area.adjusted(-4, 0, 4, 0) if is_level else area
            painter.drawText(room, side | Qt.AlignmentFlag.AlignVCenter, text)


class CellDelegate(QStyledItemDelegate):
    """Draws a date in the colour of its count."""

    def __init__(self, map_: HeatMap) -> None:
        super().__init__(map_)
        self._map = map_

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        chart, place, font = self._map.chart, place_of(index), self._map.number_font
        if place is None:
            return
        count, area = int(chart.counts[place]), area_of(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(FADED if self._map.is_faded else 1.0)
        if count == 0:
            draw_nothing(painter, area, any_solved=bool(chart.most))
        else:
            ground = colour(scale_share(count, max(chart.least, 1), chart.most))
            painter.fillRect(area, ground)
            if font is not None:
                painter.setFont(font)
                painter.setPen(ink(ground))
                number, room = thousands(count), option.rect.width() - 3
                if QFontMetricsF(font).horizontalAdvance(number) > room:
                    number = _short(count)
                painter.drawText(area, Qt.AlignmentFlag.AlignCenter, number)
            if place in chart.hardest:
                draw_hardest(painter, area, ink(ground))
            elif place in chart.easiest:
                draw_easiest(painter, area, ink(ground))
        painter.restore()


def area_of(rect: QRect) -> QRectF:
    """The filled part of a cell's room."""
    return QRectF(rect).adjusted(0, 0, -GAP, -GAP)


def draw_hardest(painter: QPainter, area: QRectF, line: QColor) -> None:
    """The sign of the hardest date: a triangle in the upper left corner."""
    side = min(6.0, area.height() / 3.5)
    corner = area.topLeft() + QPointF(2, 2)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(line)
    painter.drawPolygon(QPolygonF([corner, corner + QPointF(side, 0), corner + QPointF(0, side)]))


def draw_easiest(painter: QPainter, area: QRectF, line: QColor) -> None:
    """The sign of the easiest date: a dot in the upper right corner."""
    radius = min(2.4, area.height() / 8)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(line)
    painter.drawEllipse(area.topRight() + QPointF(-radius - 1.5, radius + 1.5), radius, radius)


def draw_nothing(painter: QPainter, area: QRectF, *, any_solved: bool) -> None:
    """Draw a date without a solution: an empty cell with a cross, quiet if no date has a solution."""
    theme = current_theme()
    line = theme.error if any_solved else theme.quiet
    painter.fillRect(area, theme.board)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.board_edge, 1))
    painter.drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5))
    painter.setPen(QPen(line, 1.6))
    arm = min(area.width(), area.height()) / 5
    middle = area.center()
    painter.drawLine(middle - QPointF(arm, arm), middle + QPointF(arm, arm))
    painter.drawLine(middle + QPointF(arm, -arm), middle + QPointF(-arm, arm))


def _short(count: int) -> str:
    """A count in three or four letters: 970, 1.6k, 10k, 2M."""
    for size, letter in ((10**6, "M"), (10**3, "k")):
        if count >= size:
            amount = count / size
            return f"{amount:.1f}{letter}" if amount < 9.95 else f"{amount:.0f}{letter}"
    return str(max(count, 0))
