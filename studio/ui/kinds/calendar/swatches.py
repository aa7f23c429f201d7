"""The colours that a piece can have, to be chosen by a click or by the arrow keys."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QFrame, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from studio.base.texts import tr
from studio.puzzles.calendar.colours import COLOURS, title_of
from studio.ui.kinds.calendar.looks import INK, tint
from studio.ui.panels.tables import NOWHERE, Index
from studio.ui.widgets.theme import current_theme

COLUMNS = 5
SWATCH = 22
STEPS = {QListView.CursorAction.MoveLeft: -1, QListView.CursorAction.MoveRight: 1}


class ColourModel(QAbstractListModel):
    """All colours by their names."""

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return len(COLOURS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        words = {Qt.ItemDataRole.ToolTipRole: title_of(index.row()).capitalize(),
                 Qt.ItemDataRole.AccessibleTextRole: title_of(index.row())}  # fmt: skip
        return QSize(SWATCH, SWATCH) if role == Qt.ItemDataRole.SizeHintRole else words.get(Qt.ItemDataRole(role))


class SwatchDelegate(QStyledItemDelegate):
    """Draws a colour; the chosen one has a tick."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, is_enabled = current_theme(), bool(option.state & QStyle.StateFlag.State_Enabled)
        area, ground = QRectF(option.rect).adjusted(2.5, 2.5, -2.5, -2.5), tint(index.row(), theme)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(1.0 if is_enabled else 0.4)
        painter.setPen(QPen(ground.darker(150), 1))
        painter.setBrush(ground)
        painter.drawRoundedRect(area, 3, 3)
        if is_enabled and option.state & QStyle.StateFlag.State_Selected:
            middle, has_focus = area.center(), bool(option.state & QStyle.StateFlag.State_HasFocus)
            painter.setPen(QPen(INK, 1.8))
            painter.drawPolyline([
                middle + QPointF(-4, 0), middle + QPointF(-1.2, 2.8), middle + QPointF(4, -3.2)
            ])  # fmt: skip
            painter.setPen(QPen(theme.accent if has_focus else theme.text, 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(area.adjusted(-2, -2, 2, 2), 4, 4)
        painter.restore()


class Swatches(QListView):
    """All colours; the chosen one has a tick."""

    chosen = Signal(int)
    """Another colour, by its number."""

    def __init__(self) -> None:
        super().__init__()
        self._colour = 0
        self.setModel(ColourModel(self))
        self.setItemDelegate(SwatchDelegate(self))
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        # A row that fills the width to its last pixel would wrap before it.
        self.setFixedSize(COLUMNS * SWATCH + 1, -(-len(COLOURS) // COLUMNS) * SWATCH)
        self.setAccessibleName(tr("Piece colour"))
        self.show_colour(0)

    def show_colour(self, colour: int) -> None:
        """Tick a colour."""
        self._colour = colour % len(COLOURS)
        self.setCurrentIndex(self.model().index(self._colour, 0))
        self.setAccessibleDescription(title_of(self._colour))

    def moveCursor(self, action: QListView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        if action not in STEPS:
            return super().moveCursor(action, modifiers)
        row = min(max(self.currentIndex().row() + STEPS[action], 0), len(COLOURS) - 1)
        return self.model().index(row, 0)

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if current.isValid() and current.row() != self._colour:
            self.chosen.emit(current.row())
