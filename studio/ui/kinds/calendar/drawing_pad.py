"""A small grid for drawing a piece: squares are added and removed by dragging or by keys."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QWidget

from studio.base.texts import tr
from studio.puzzles.calendar.edits import Square, mask_of, straight
from studio.puzzles.calendar.model import LONGEST_SIDE, Piece
from studio.ui.canvas.tool import ARROWS
from studio.ui.kinds.calendar.gallery import draw_piece
from studio.ui.kinds.calendar.looks import tint
from studio.ui.widgets.theme import Painted, current_theme, hint_font

LEAST_SQUARES = 7
"""Squares along a side of the grid; more for a larger piece."""
PAD = 127
INVITATION = tr("Draw a piece")


class DrawPad(QWidget):
    """Shows one piece, or nothing for a new one; reports the squares drawn."""

    drawing = Signal(object)
    """The squares during a drag, a frozenset of rows and columns."""
    drawn = Signal(object)
    """The squares at the end of a drag."""
    given_up = Signal()
    """Drawing was cancelled."""
    squares = Painted[frozenset[Square]](frozenset())
    keys_at = Painted[Square]((LEAST_SQUARES // 2, LEAST_SQUARES // 2))
    """The square that the keys act on."""
    _over = Painted[Square | None](None)

    def __init__(self) -> None:
        super().__init__()
        self.count = LEAST_SQUARES
        self._colour = 0
        self._before: frozenset[Square] | None = None
        self._is_filling = True
        self._last: Square = (0, 0)
        self.setFixedSize(PAD, PAD)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Squares of the piece"))
        self.setToolTip(tr("Drag to add or remove squares, or use arrow keys and Space"))

    def show_piece(self, piece: Piece | None, colour: int, drawn: frozenset[Square] = frozenset()) -> None:
        """Show a piece in the middle of the grid, or an empty grid; squares just drawn keep their place."""
        self._colour = colour
        self.squares = drawn or self.squares
        if piece is None:
            self.squares, self.count = frozenset(), LEAST_SQUARES
        elif not self.squares or not np.array_equal(mask_of(self.squares), piece.mask):
            rows, columns = piece.mask.shape
            self.count = min(max(LEAST_SQUARES, rows + 2, columns + 2), LONGEST_SIDE)
            top, left = (self.count - rows) // 2, (self.count - columns) // 2
            self.squares = frozenset((top + row, left + column) for row, column in piece.squares)
        self.keys_at = min(self.keys_at[0], self.count - 1), min(self.keys_at[1], self.count - 1)
        self._report()
        self.update()

    @property
    def is_drawing(self) -> bool:
        """Whether a stroke is under way."""
        return self._before is not None

    def stop(self) -> None:
        """Give a stroke up without a word."""
        self._before = None

    # Where its squares are

    @property
    def unit(self) -> float:
        """Pixels of a square."""
        return (PAD - 1) / self.count

    def area(self, place: Square) -> QRectF:
        """Where a square is."""
        return QRectF(0.5 + place[1] * self.unit, 0.5 + place[0] * self.unit, self.unit, self.unit)

    def _at(self, position: QPointF) -> Square:
        row, column = int(position.y() // self.unit), int(position.x() // self.unit)
        return min(max(row, 0), self.count - 1), min(max(column, 0), self.count - 1)

    def sizeHint(self) -> QSize:
        return QSize(PAD, PAD)

    # How it is drawn

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), current_theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        whole = QRectF(0.5, 0.5, PAD - 1, PAD - 1)
        painter.setBrush(theme.field)
        painter.setPen(QPen(theme.line, 1))
        painter.drawRoundedRect(whole, 3, 3)
        for line in range(1, self.count):
            at = 0.5 + round(line * self.unit)
            painter.drawLine(QPointF(at, 1), QPointF(at, PAD - 1))
            painter.drawLine(QPointF(1, at), QPointF(PAD - 1, at))
        if self.squares:
            mask = mask_of(self.squares)
            top, left = (min(each[axis] for each in self.squares) for axis in (0, 1))
            draw_piece(painter, mask, self.area((top, left)).topLeft(), self.unit, tint(self._colour, theme))
        elif self._over is None:
            painter.setFont(hint_font(QApplication.font()))
            words = painter.fontMetrics().boundingRect(INVITATION).adjusted(-6, -3, 6, 3)
            words.moveCenter(self.rect().center())
            painter.fillRect(words, theme.field)
            painter.setPen(theme.quiet)
            painter.drawText(words, Qt.AlignmentFlag.AlignCenter, INVITATION)
        if self._over is not None:
            ground = QColor(theme.accent)
            ground.setAlpha(50)
            painter.fillRect(self.area(self._over).adjusted(1.5, 1.5, -1.5, -1.5), ground)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self.hasFocus():
            painter.setPen(QPen(theme.accent, 1.5))
            painter.drawRoundedRect(self.area(self.keys_at).adjusted(1.5, 1.5, -1.5, -1.5), 2, 2)
            painter.drawRoundedRect(whole, 3, 3)

    # What mouse and keys do

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() not in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton) or self._before is not None:
            return
        place = self._at(event.position())
        clears = event.button() == Qt.MouseButton.RightButton or event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        self._begin(place, fills=not clears and place not in self.squares)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = self._at(event.position())
        if self._before is None:
            self._over = place
            self.setCursor(Qt.CursorShape.CrossCursor)
            return
        for each in straight(self._last, place):
            self._put(each)
        self._last = place

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._end()

    def contextMenuEvent(self, event: object) -> None:
        """The right button clears."""

    def leaveEvent(self, event: QEvent) -> None:
        self._over = None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in ARROWS:
            down, right = ARROWS[key]
            last = self.count - 1
            self.keys_at = min(max(self.keys_at[0] + down, 0), last), min(max(self.keys_at[1] + right, 0), last)
            self._report()
        elif key in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._begin(self.keys_at, fills=self.keys_at not in self.squares)
            self._end()
        elif key == Qt.Key.Key_Escape and self._before is not None:
            self.squares, self._before = self._before, None
            self.given_up.emit()
        else:
            event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._end()
        self.update()

    def _begin(self, place: Square, *, fills: bool) -> None:
        self._before, self._is_filling, self._last, self.keys_at = self.squares, fills, place, place
        self._over = None
        self._put(place)

    def _put(self, place: Square) -> None:
        after = self.squares | {place} if self._is_filling else self.squares - {place}
        if after != self.squares:
            self.squares = after
            self.drawing.emit(after)

    def _end(self) -> None:
        if self._before is not None:
            self._before = None
            self._report()
            self.drawn.emit(self.squares)

    def _report(self) -> None:
        self.setAccessibleDescription(
            tr(
                "Row {row}, column {column}: {state}",
                row=self.keys_at[0] + 1,
                column=self.keys_at[1] + 1,
                state=tr("filled") if self.keys_at in self.squares else tr("empty"),
            )
        )
