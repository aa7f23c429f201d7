"""The tray of a game: the unplaced pieces, as a list that scrolls, sorted and filtered."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from studio.base.texts import tr
from studio.puzzles.zigzaw.game import NONE, pieces_of
from studio.puzzles.zigzaw.model import ZigzawDesign
from studio.solving.edges import UNKNOWN
from studio.ui.kinds.zigzaw.scene import Form, paint_piece
from studio.ui.widgets.theme import current_theme, hint_font

Index = QModelIndex | QPersistentModelIndex
PICTURE = QSize(72, 64)
"""The room for the picture of a piece."""
NUMBER = 16
"""The height of the number below it."""
CELL = QSize(PICTURE.width() + 10, PICTURE.height() + NUMBER + 8)
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class TrayModel(QAbstractListModel):
    """Pieces by their numbers, in the order in which they are shown."""

    def __init__(self, design: ZigzawDesign) -> None:
        super().__init__()
        self.show_design(design)

    def show_design(self, design: ZigzawDesign) -> None:
        """Take the pieces of another design; at first the tray is empty."""
        self.beginResetModel()
        self.design, self.pieces = design, pieces_of(design)
        self.numbers: tuple[int, ...] = ()
        self.endResetModel()

    def show_numbers(self, numbers: Sequence[int]) -> None:
        """Show these pieces; if only one came or went, the others stay in place."""
        before, after = self.numbers, tuple(numbers)
        at = next((at for at, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]), None)
        at = min(len(before), len(after)) if at is None else at
        if before[at + 1 :] == after[at:] and len(before) == len(after) + 1:
            self.beginRemoveRows(QModelIndex(), at, at)
            self.numbers = after
            self.endRemoveRows()
        elif before[at:] == after[at + 1 :] and len(after) == len(before) + 1:
            self.beginInsertRows(QModelIndex(), at, at)
            self.numbers = after
            self.endInsertRows()
        elif before != after:
            self.beginResetModel()
            self.numbers = after
            self.endResetModel()

    def piece_text(self, number: int) -> str:
        """Description of a piece for screen readers: its number, and the colour of each of its limbs."""
        paints = self.design.palette
        parts = [
            f"{limb.name.replace('_', ' ')} {tr('plain') if colour == UNKNOWN else paints[colour].name.lower()}"
            for limb, colour in zip(self.design.body.limbs, self.pieces.colours[number].tolist(), strict=True)
        ]
        return tr("Piece {number}: {colours}", number=number, colours=", ".join(parts))

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.numbers)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        number = self.numbers[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return str(number)
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            return self.piece_text(number)
        return None


class PieceDelegate(QStyledItemDelegate):
    """Paints a piece in its colours, and its number below."""

    def __init__(self) -> None:
        super().__init__()
        self.form: Form
        self.paints: Sequence[QColor] = ()
        self.lifted = NONE
        """The held piece."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return CELL

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        assert isinstance(model, TrayModel)
        number = model.numbers[index.row()]
        theme, cell, bounds = current_theme(), QRectF(option.rect), self.form.bounds
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(theme.accent if option.state & QStyle.StateFlag.State_HasFocus else theme.line)
            painter.setBrush(theme.selection)
            painter.drawRoundedRect(cell.adjusted(2.5, 2.5, -2.5, -2.5), 4, 4)
        painter.setFont(hint_font(option.font))
        painter.setPen(theme.text)
        below = QRectF(cell.left(), cell.bottom() - NUMBER - 2, cell.width(), NUMBER)
        painter.drawText(below, Qt.AlignmentFlag.AlignCenter, str(number))
        painter.setOpacity(0.3 if number == self.lifted else 1.0)
        scale = min(PICTURE.width() / bounds.width(), PICTURE.height() / bounds.height())
        painter.translate(cell.center().x(), cell.top() + 5 + PICTURE.height() / 2)
        painter.scale(scale, scale)
        painter.translate(-bounds.center())
        paint_piece(painter, self.form, model.pieces.colours[number].tolist(), self.paints)
        painter.restore()


class TrayView(QListView):
    """The list; the hand tool handles the mouse on a piece."""

    pressed_on = Signal(int, QPoint)
    """The left button went down on a piece, or NONE between pieces; brings the place on the screen."""
    pulled = Signal(QPoint, bool)
    """The mouse moved, with the left button down or not."""
    let_go = Signal(QPoint)
    chosen = Signal(int)
    """A piece was chosen with the keys."""
    given_up = Signal()
    """Escape."""

    def __init__(self, model: TrayModel) -> None:
        super().__init__()
        self.pieces = model
        self.painter_ = PieceDelegate()
        self.setModel(model)
        self.setItemDelegate(self.painter_)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.verticalScrollBar().setSingleStep(CELL.height() // 2)
        self.setAccessibleName(tr("Tray"))
        self.setAccessibleDescription(tr("Arrow keys choose a piece, Enter picks it up, Tab goes to the board."))

    @property
    def number(self) -> int:
        """The piece that the keys are on, or NONE."""
        row = self.currentIndex().row()
        return self.pieces.numbers[row] if 0 <= row < len(self.pieces.numbers) else NONE

    def select(self, number: int) -> None:
        """Put the keys on a piece and bring it in sight."""
        if number in self.pieces.numbers:
            self.setCurrentIndex(self.pieces.index(self.pieces.numbers.index(number)))

    def show_numbers(self, numbers: Sequence[int]) -> None:
        """Show these pieces; the keys stay on the same piece, or on its successor in the list."""
        row, number = self.currentIndex().row(), self.number
        self.pieces.show_numbers(numbers)
        if number not in self.pieces.numbers and self.pieces.numbers:
            number = self.pieces.numbers[min(max(row, 0), len(self.pieces.numbers) - 1)]
        if self.number != number:
            self.select(number)

    def lift(self, number: int) -> None:
        """Show a piece faintly while it is held."""
        if number != self.painter_.lifted:
            self.painter_.lifted = number
            self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        # The faces of many pieces are as white as a list is.
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), current_theme().canvas)
        painter.end()
        super().paintEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        index = self.indexAt(event.position().toPoint())
        if index.isValid():
            self.setCurrentIndex(index)
        self.pressed_on.emit(self.number if index.isValid() else NONE, event.globalPosition().toPoint())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        is_down = bool(event.buttons() & Qt.MouseButton.LeftButton)
        self.pulled.emit(event.globalPosition().toPoint(), is_down)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.let_go.emit(event.globalPosition().toPoint())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER:
            if self.number != NONE:
                self.chosen.emit(self.number)
        elif event.key() == Qt.Key.Key_Escape:
            self.given_up.emit()
        elif event.text() and event.key() not in (Qt.Key.Key_Home, Qt.Key.Key_End):
            event.ignore()
        else:
            super().keyPressEvent(event)
