"""The colours that a piece can have, to be chosen by a click or by the arrow keys."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from studio.puzzles.calendar.colours import COLOURS, title_of
from studio.ui.kinds.calendar.looks import INK, tint
from studio.ui.theme import current_theme

COLUMNS = 5
SWATCH = 22
STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: -COLUMNS, Qt.Key.Key_Down: COLUMNS}


class Swatches(QWidget):
    """All colours; the chosen one has a tick."""

    chosen = Signal(int)
    """Another colour, by its number."""

    def __init__(self) -> None:
        super().__init__()
        self._colour = 0
        self.setFixedSize(COLUMNS * SWATCH, -(-len(COLOURS) // COLUMNS) * SWATCH)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Colour of the piece")

    def show_colour(self, colour: int) -> None:
        """Tick a colour."""
        self._colour = colour % len(COLOURS)
        self.setAccessibleDescription(title_of(self._colour))
        self.update()

    def area(self, colour: int) -> QRectF:
        """Where a colour is."""
        row, column = divmod(colour, COLUMNS)
        return QRectF(column * SWATCH, row * SWATCH, SWATCH, SWATCH).adjusted(2.5, 2.5, -2.5, -2.5)

    def _at(self, place: QPointF) -> int | None:
        return next((each for each in range(len(COLOURS)) if self.area(each).contains(place)), None)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), current_theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self.isEnabled():
            painter.setOpacity(0.4)
        for colour in range(len(COLOURS)):
            area, ground = self.area(colour), tint(colour, theme)
            is_chosen = colour == self._colour and self.isEnabled()
            painter.setPen(QPen(ground.darker(150), 1))
            painter.setBrush(ground)
            painter.drawRoundedRect(area, 3, 3)
            if is_chosen:
                middle = area.center()
                painter.setPen(QPen(INK, 1.8))
                painter.drawPolyline([
                    middle + QPointF(-4, 0), middle + QPointF(-1.2, 2.8), middle + QPointF(4, -3.2)
                ])  # fmt: skip
                painter.setPen(QPen(theme.accent if self.hasFocus() else theme.text, 1.5))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(area.adjusted(-2, -2, 2, 2), 4, 4)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        colour = self._at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and colour is not None:
            self.chosen.emit(colour)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = STEPS.get(Qt.Key(event.key()))
        if step is None:
            event.ignore()
        elif 0 <= self._colour + step < len(COLOURS):
            self.chosen.emit(self._colour + step)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.update()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            colour = self._at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), "" if colour is None else title_of(colour).capitalize(), self)
            return True
        return super().event(event)
