"""The heat map of a chart: a cell for every date, in the colour of its count and with the count in it.

Hardest and easiest dates wear a sign in the corner of their cells, dates without a solution a cross.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QToolTip, QWidget

from studio.amounts import thousands
from studio.puzzles.calendar.chart import Chart, Place, words_of
from studio.puzzles.calendar.model import Label
from studio.ui.kinds.calendar.heat import colour, ink, share
from studio.ui.theme import current_theme, hint_font

LEAST_CELL, LARGEST_WIDTH, LARGEST_HEIGHT = 16, 64, 46
GAP = 1.0
"""Between two cells."""
HEAD = 20
"""The height of the heads of the columns."""
PAD = 8
"""Between the heads of the rows and the cells."""
WIDEST_HEAD = 120.0
SMALLEST_NUMBER, LARGEST_NUMBER = 9, 15
"""Pixels of the numbers in the cells; where they do not fit they are told in thousands, else not at all."""
NUMBER_SHARE = 0.48
"""How much of a cell's height its number takes at most; in the lowest cells there is room for none."""
FADED = 0.45
"""How much of the map is left while another count is under way."""
STEPS = {
    Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0),
}  # fmt: skip


class HeatMap(QWidget):
    """Shows a chart; mouse or arrows point at a date, a click or Space chooses it, two clicks or Enter open it."""

    pointed = Signal(object)
    """The Place under the mouse or the arrows; None where there is no date."""
    chosen = Signal(object)
    """A Place whose date is wanted."""
    opened = Signal(object)
    """A Place whose date is wanted on the board."""

    def __init__(self) -> None:
        super().__init__()
        self.chart: Chart | None = None
        self.is_complete = True
        self._is_faded = False
        self._over: Place | None = None
        self._current: Place | None = None
        self._marked: Place | None = None
        self._chip = QSize(LEAST_CELL, LEAST_CELL)
        self._side = 0  # the width of the heads of the rows
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Solutions of every date")

    # What is shown

    def show_chart(self, chart: Chart | None, *, complete: bool = True) -> None:
        """Show counts; None where none are known."""
        alike = chart is not None and self.chart is not None and chart.counts.shape == self.chart.counts.shape
        self.chart, self.is_complete = chart, complete
        if not alike:
            self._over = self._current = None
        self._side = self._heads()
        self.updateGeometry()
        self._fit()
        self.update()

    def fade(self, faded: bool) -> None:
        """Show it pale, as counts that no longer hold, or as they hold."""
        if faded != self._is_faded:
            self._is_faded = faded
            self.update()

    def mark(self, place: Place | None) -> None:
        """Put a frame around the date that is shown elsewhere."""
        if place != self._marked:
            self._marked = place
            self.update()

    def point_at(self, place: Place | None) -> None:
        """Point at a date as the mouse would."""
        if place is None or (self.chart is not None and place in self.chart.cells):
            self._point(place)

    @property
    def place(self) -> Place | None:
        """The date under the mouse, else the one that the arrows are on."""
        return self._over or self._current

    # Where it is

    def cell(self, place: Place) -> QRectF:
        """Where a cell is in the widget."""
        row, column = place
        left, top = self._origin()
        width, height = self._chip.width(), self._chip.height()
        return QRectF(left + column * width, top + row * height, width - GAP, height - GAP)

    def at(self, point: QPointF) -> Place | None:
        """The date at a point of the widget; None where there is none."""
        if self.chart is None:
            return None
        left, top = self._origin()
        place = (int((point.y() - top) // self._chip.height()), int((point.x() - left) // self._chip.width()))
        return place if place in self.chart.cells else None

    def sizeHint(self) -> QSize:
        return self._size(30, 27)

    def minimumSizeHint(self) -> QSize:
        return self._size(LEAST_CELL, LEAST_CELL)

    def _size(self, width: int, height: int) -> QSize:
        if self.chart is None:
            return QSize(240, 120)
        rows, columns = self.chart.counts.shape
        return QSize(self._side + columns * width, self._top() + rows * height)

    def heightForWidth(self, width: int) -> int:
        """The height at which the cells have their best shape in a width."""
        if self.chart is None:
            return 120
        rows, columns = map(int, self.chart.counts.shape)
        cell = min(max((width - self._side) // columns, LEAST_CELL), LARGEST_WIDTH)
        return self._top() + rows * min(cell, LARGEST_HEIGHT)

    def hasHeightForWidth(self) -> bool:
        return True

    def _heads(self) -> int:
        """The width that the heads of the rows need."""
        if self.chart is None or not self.chart.rows:
            return 0
        metrics = QFontMetricsF(hint_font(self.font()))
        widest = max(metrics.horizontalAdvance(label.text) for label in self.chart.rows)
        return round(min(widest, WIDEST_HEAD)) + PAD

    def _top(self) -> int:
        return HEAD if self.chart is not None and self.chart.columns else 0

    def _origin(self) -> tuple[float, float]:
        """The upper left corner of the cells."""
        return float(self._side), float(self._top())

    def _fit(self) -> None:
        if self.chart is None:
            return
        rows, columns = self.chart.counts.shape
        width = min(max((self.width() - self._side) // columns, LEAST_CELL), LARGEST_WIDTH)
        height = min(max((self.height() - self._top()) // rows, LEAST_CELL), LARGEST_HEIGHT)
        self._chip = QSize(width, height)

    # How it is drawn

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.chart is None:
            return
        self._draw_heads(painter)
        painter.setOpacity(FADED if self._is_faded else 1.0)
        font = self._number_font()
        for place in self.chart.cells:
            if self.cell(place).intersects(event.rect()):
                self._draw_cell(painter, place, font)
        painter.setOpacity(1.0)
        self._draw_frames(painter)

    def _draw_heads(self, painter: QPainter) -> None:
        assert self.chart is not None
        painter.setFont(hint_font(self.font()))
        pointed = self.place
        left, top = self._origin()
        centred = Qt.AlignmentFlag.AlignCenter
        for column, label in enumerate(self.chart.columns):
            strong = pointed is not None and pointed[1] == column
            area = QRectF(left + column * self._chip.width(), 0, self._chip.width() - GAP, HEAD)
            self._head(painter, area, label, centred, strong=strong)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for row, label in enumerate(self.chart.rows):
            strong = pointed is not None and pointed[0] == row
            area = QRectF(0, top + row * self._chip.height(), left - PAD, self._chip.height() - GAP)
            self._head(painter, area, label, right, strong=strong)

    def _head(self, painter: QPainter, area: QRectF, label: Label, side: Qt.AlignmentFlag, *, strong: bool) -> None:
        text = painter.fontMetrics().elidedText(label.text, Qt.TextElideMode.ElideRight, round(area.width()) + 4)
        painter.setPen(current_theme().text if strong else current_theme().quiet)
        painter.drawText(area.adjusted(-4, 0, 4, 0) if side & Qt.AlignmentFlag.AlignHCenter else area, side, text)

    def _draw_cell(self, painter: QPainter, place: Place, font: QFont | None) -> None:
        assert self.chart is not None
        count, area = int(self.chart.counts[place]), self.cell(place)
        if count == 0:
            draw_nothing(painter, area, any_solved=bool(self.chart.most))
            return
        ground = colour(share(count, max(self.chart.least, 1), self.chart.most))
        painter.fillRect(area, ground)
        if font is not None:
            painter.setFont(font)
            painter.setPen(ink(ground))
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, self._number(count, font))
        if place in self.chart.hardest:
            draw_hardest(painter, area, ink(ground))
        elif place in self.chart.easiest:
            draw_easiest(painter, area, ink(ground))

    def _draw_frames(self, painter: QPainter) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self._marked is not None and self.chart is not None and self._marked in self.chart.cells:
            self._frame(painter, self._marked, current_theme().accent)
        pointed = self._over if self._over is not None else self._current if self.hasFocus() else None
        if pointed is not None and pointed != self._marked:
            self._frame(painter, pointed, current_theme().text)

    def _frame(self, painter: QPainter, place: Place, line: QColor) -> None:
        """A frame of two lines, so that it is seen on every colour."""
        area = self.cell(place)
        painter.setPen(QPen(current_theme().board, 4, j=Qt.PenJoinStyle.MiterJoin))
        painter.drawRect(area)
        painter.setPen(QPen(line, 2, j=Qt.PenJoinStyle.MiterJoin))
        painter.drawRect(area)

    def _number_font(self) -> QFont | None:
        """The largest font in which every count, in thousands if need be, fits its cell; None where none does."""
        assert self.chart is not None
        font, room = QFont(self.font()), self._chip.width() - 3
        said = {_short(count) for count in set(self.chart.counts.ravel().tolist())}
        for pixels in range(LARGEST_NUMBER, SMALLEST_NUMBER - 1, -1):
            font.setPixelSize(pixels)
            metrics = QFontMetricsF(font)
            if pixels <= NUMBER_SHARE * self._chip.height() and all(
                metrics.horizontalAdvance(text) <= room for text in said
            ):
                return font
        return None

    def _number(self, count: int, font: QFont) -> str:
        whole = thousands(count)
        fits = QFontMetricsF(font).horizontalAdvance(whole) <= self._chip.width() - 3
        return whole if fits else _short(count)

    # What mouse and keys do

    def resizeEvent(self, event: object) -> None:
        self._fit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point(self.at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        self._point(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self.at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and place is not None:
            self._current = place
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        place = self.at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and place is not None and place == self._current:
            self.chosen.emit(place)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        place = self.at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and place is not None:
            self._current = None
            self.opened.emit(place)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._current is not None:
            self.opened.emit(self._current)
        elif key == Qt.Key.Key_Space and self._current is not None:
            self.chosen.emit(self._current)
        elif event.key() in STEPS and self.chart is not None and self.chart.dates:
            self._over = None
            self._go(*STEPS[Qt.Key(event.key())])
        else:
            event.ignore()

    def focusInEvent(self, event: object) -> None:
        if self._current is None and self.chart is not None and self.chart.dates:
            self._current = self._marked if self._marked in self.chart.cells else min(self.chart.cells)
        self._tell()

    def focusOutEvent(self, event: object) -> None:
        self._tell()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            place = self.at(QPointF(event.pos()))
            if place is None or self.chart is None:
                QToolTip.hideText()
            else:
                area = self.cell(place).toAlignedRect()
                QToolTip.showText(event.globalPos(), self.words(place), self, area)
            return True
        return super().event(event)

    def words(self, place: Place) -> str:
        """What there is to know of a date."""
        assert self.chart is not None
        return words_of(self.chart, place, complete=self.is_complete)

    def _go(self, down: int, right: int) -> None:
        """Go to the next date in a direction, over what is none; stay at the rim."""
        assert self.chart is not None
        rows, columns = self.chart.counts.shape
        row, column = self._current or self._marked or min(self.chart.cells)
        if self._current is not None or self._marked is not None:
            row, column = row + down, column + right
        while 0 <= row < rows and 0 <= column < columns:
            if (row, column) in self.chart.cells:
                self._current = (row, column)
                break
            row, column = row + down, column + right
        self._tell()

    def _point(self, place: Place | None) -> None:
        if place != self._over:
            self._over = place
            self.setCursor(Qt.CursorShape.ArrowCursor if place is None else Qt.CursorShape.PointingHandCursor)
            self._tell()

    def _tell(self) -> None:
        shown = self._over if self._over is not None else self._current if self.hasFocus() else None
        self.setAccessibleDescription("" if shown is None else self.words(shown))
        self.pointed.emit(shown)
        self.update()


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
    """A date without a solution: an empty cell with a cross, quiet where no date has one and nothing stands out."""
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
