"""Pieces as small shapes: a gallery in which some are ticked, and rows of them in tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QApplication, QFrame, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from studio.base.amounts import many
from studio.base.texts import tr
from studio.puzzles.calendar.model import Mask, Piece
from studio.puzzles.calendar.set_search import Form, form
from studio.ui.kinds.calendar.scene import SIDE, path_of, tint
from studio.ui.widgets.tables import NOWHERE, Index
from studio.ui.widgets.theme import Theme, current_theme, hint_font, icon

CHIP = QSize(39, 34)
UNIT, LEAST_UNIT = 7.0, 3.0
"""Pixels of a square in the gallery."""
ROW_UNIT = 5.5
"""Pixels of a square in a table."""
BETWEEN = 7
"""Between two pieces in a table."""
TITLE = 22
"""The height of a section's title."""
STEPS = {QListView.CursorAction.MoveLeft: -1, QListView.CursorAction.MoveRight: 1}


@dataclass(frozen=True)
class Section:
    """Pieces under a title."""

    title: str
    pieces: tuple[Piece, ...]


class ChipModel(QAbstractListModel):
    """Numbers of pieces in sections, each behind its title; titles cannot become current."""

    def __init__(self, chips: Chips) -> None:
        super().__init__(chips)
        self._chips = chips
        self.entries: list[int | str] = []

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return len(self.entries)

    def flags(self, index: Index) -> Qt.ItemFlag:
        is_piece = index.isValid() and isinstance(self.entries[index.row()], int)
        return Qt.ItemFlag.ItemIsEnabled if is_piece else Qt.ItemFlag.NoItemFlags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        entry = self.entries[index.row()]
        if role == Qt.ItemDataRole.UserRole:
            return entry
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._chips.piece_text(entry) if isinstance(entry, int) else ""
        return None


class Chips(QListView):
    """Sections of pieces, each piece on its own chip; a click, Space or Enter picks one.

    Chips may be marked by a frame and ground in the accent colour, and also ticked.
    """

    taken = Signal(int)
    """The number of a piece that was clicked, or picked by keys."""
    ticks = False
    """True if marked pieces also have a tick."""

    def __init__(self, name: str, size: QSize = CHIP, unit: float = UNIT) -> None:
        super().__init__()
        self.size_, self.unit = size, unit
        self.sections: tuple[Section, ...] = ()
        self.pieces: tuple[Piece, ...] = ()
        """All pieces in the order in which they are shown."""
        self.chips = ChipModel(self)
        self.setModel(self.chips)
        self.setItemDelegate(ChipDelegate(self))
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setSelectionMode(QListView.SelectionMode.NoSelection)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.viewport().setAutoFillBackground(False)
        self.setAccessibleName(name)
        self.clicked.connect(self._take)
        self.entered.connect(self._point)
        self.viewportEntered.connect(lambda: self._point(NOWHERE))

    def show_sections(self, sections: Sequence[Section]) -> None:
        """Show other pieces."""
        here = self.number
        self.chips.beginResetModel()
        self.sections = tuple(sections)
        self.pieces = tuple(piece for section in sections for piece in section.pieces)
        self.chips.entries, number = [], 0
        for section in sections:
            self.chips.entries += [section.title] if section.title else []
            self.chips.entries += range(number, number + len(section.pieces))
            number += len(section.pieces)
        self.chips.endResetModel()
        self.go_to(min(here, len(self.pieces) - 1))

    @property
    def number(self) -> int:
        """The piece that the keys act on."""
        entry = self.currentIndex().data(Qt.ItemDataRole.UserRole)
        return entry if isinstance(entry, int) else 0

    def index_of(self, number: int) -> QModelIndex:
        """Model index of a piece; NOWHERE for an unknown number."""
        return self.chips.index(self.chips.entries.index(number)) if 0 <= number < len(self.pieces) else NOWHERE

    def go_to(self, number: int) -> None:
        """Have the keys act on a piece."""
        self.setCurrentIndex(self.index_of(number))

    # For subclasses to override

    def is_marked(self, number: int) -> bool:
        """True if a piece is marked."""
        return False

    def has_fault(self, number: int) -> bool:
        """True if a piece has a warning sign."""
        return False

    def piece_text(self, number: int) -> str:
        """A piece by its name and size."""
        piece = self.pieces[number]
        return f"{piece.name}, {many(piece.area, 'square')}"

    # Mouse and keys

    def moveCursor(self, action: QListView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """Left and right follow the order of the pieces; up and down go to the nearest in the next row of chips."""
        moves = QListView.CursorAction
        if action in STEPS:
            return self.index_of(min(max(self.number + STEPS[action], 0), len(self.pieces) - 1))
        if action not in (moves.MoveUp, moves.MoveDown) or not self.pieces:
            return super().moveCursor(action, modifiers)
        areas = [self.visualRect(self.index_of(number)) for number in range(len(self.pieces))]
        here, down = areas[self.number], action == moves.MoveDown
        tops = [area.top() for area in areas if (area.top() > here.top() if down else area.top() < here.top())]
        top = (min if down else max)(tops, default=here.top())
        row = [number for number, area in enumerate(areas) if area.top() == top]
        return self.index_of(min(row, key=lambda number: abs(areas[number].left() - here.left())))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._take(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self._report()

    def _take(self, index: Index) -> None:
        number = index.data(Qt.ItemDataRole.UserRole)
        if isinstance(number, int):
            self.taken.emit(number)
            self._report()

    def _point(self, index: Index) -> None:
        is_piece = bool(index.flags() & Qt.ItemFlag.ItemIsEnabled)
        self.setCursor(Qt.CursorShape.PointingHandCursor if is_piece else Qt.CursorShape.ArrowCursor)

    def _report(self) -> None:
        if self.currentIndex().isValid():
            self.setAccessibleDescription(self.piece_text(self.number))
        self.viewport().update()


class ChipDelegate(QStyledItemDelegate):
    """Draws pieces on chips, and the titles of sections."""

    def __init__(self, chips: Chips) -> None:
        super().__init__(chips)
        self._chips = chips

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        is_piece = isinstance(index.data(Qt.ItemDataRole.UserRole), int)
        return self._chips.size_ if is_piece else QSize(self._chips.viewport().width(), TITLE)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        entry, theme = index.data(Qt.ItemDataRole.UserRole), current_theme()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if isinstance(entry, int):
            chips, piece, area = self._chips, self._chips.pieces[entry], QRectF(option.rect).adjusted(1, 1, -1, -1)
            marked = chips.is_marked(entry)
            focused = chips.hasFocus() and entry == chips.number
            hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
            line = theme.accent if marked or focused else theme.quiet if hovered else theme.line
            style = Qt.PenStyle.DotLine if focused and not marked else Qt.PenStyle.SolidLine
            painter.setPen(QPen(line, 2 if marked or focused else 1, style))
            painter.setBrush(theme.selection if marked else theme.field)
            painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
            rows, columns = piece.mask.shape
            unit = min(chips.unit, (area.width() - 8) / columns, (area.height() - 8) / rows)
            corner = area.center() - QPointF(columns, rows) * unit / 2
            draw_piece(painter, piece.mask, corner, unit, tint(piece.colour, theme))
            if marked and chips.ticks:
                draw_tick(painter, area, theme)
            if chips.has_fault(entry):
                icon("warning").paint(painter, QRectF(area.right() - 15, area.top() + 2, 13, 13).toRect())
        else:
            painter.setFont(hint_font(QApplication.font()))
            painter.setPen(theme.quiet)
            painter.drawText(option.rect, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, entry)
        painter.restore()


class Gallery(Chips):
    """Chips that can be ticked; pieces of the same form are ticked together."""

    ticks = True
    changed = Signal()
    """The ticks have changed."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._ticked: dict[Form, Piece] = {}
        self.taken.connect(self._turn)

    @property
    def ticked(self) -> tuple[Piece, ...]:
        """The ticked pieces, one of each form, in their order in the gallery."""
        found: dict[Form, Piece] = {}
        for piece in self.pieces:
            if form(piece.mask) in self._ticked:
                found.setdefault(form(piece.mask), piece)
        return tuple(found.values())

    def show_sections(self, sections: Sequence[Section]) -> None:
        """Show other pieces, and keep the ticks of remaining ones."""
        super().show_sections(sections)
        forms = {form(piece.mask) for piece in self.pieces}
        self._ticked = {key: piece for key, piece in self._ticked.items() if key in forms}

    def tick(self, pieces: Sequence[Piece]) -> None:
        """Tick just these."""
        ticked = {form(piece.mask): piece for piece in pieces}
        if ticked.keys() != self._ticked.keys():
            self._ticked = ticked
            self.viewport().update()
            self.changed.emit()

    def _turn(self, number: int) -> None:
        """Tick a piece, or take its tick away."""
        piece = self.pieces[number]
        key = form(piece.mask)
        if key in self._ticked:
            del self._ticked[key]
        else:
            self._ticked[key] = piece
        self.changed.emit()

    def is_marked(self, number: int) -> bool:
        """True if a piece is ticked."""
        return form(self.pieces[number].mask) in self._ticked

    def piece_text(self, number: int) -> str:
        """A piece by its name and size, and whether it is ticked."""
        words = super().piece_text(number)
        return tr("{piece}, required", piece=words) if self.is_marked(number) else words


class SetDelegate(QStyledItemDelegate):
    """Draws a cell whose UserRole is a tuple of pieces as small shapes in a row."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        pieces = index.data(Qt.ItemDataRole.UserRole)
        if not isinstance(pieces, tuple):
            super().paint(painter, option, index)
            return
        theme = current_theme()
        bare = QStyleOptionViewItem(option)
        self.initStyleOption(bare, index)
        bare.text = ""
        style = QApplication.style()
        style.drawControl(style.ControlElement.CE_ItemViewItem, bare, painter, option.widget)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(option.rect)
        unit = self.unit(pieces, option.rect.width())
        left, middle = option.rect.left() + 4.0, option.rect.center().y() + 0.5
        for piece in pieces:
            rows, columns = piece.mask.shape
            draw_piece(painter, piece.mask, QPointF(left, middle - rows * unit / 2), unit, tint(piece.colour, theme))
            left += columns * unit + BETWEEN
        painter.restore()

    def unit(self, pieces: tuple[Piece, ...], width: float) -> float:
        """Pixels of a square at which a set fits a width."""
        squares = sum(int(piece.mask.shape[1]) for piece in pieces)
        return max(LEAST_UNIT, min(ROW_UNIT, (width - 8 - BETWEEN * len(pieces)) / max(squares, 1)))


def draw_piece(painter: QPainter, mask: Mask, corner: QPointF, unit: float, ground: QColor) -> None:
    """A piece with its upper left corner at a place, a square of it `unit` pixels wide."""
    painter.save()
    painter.translate(corner)
    painter.scale(unit / SIDE, unit / SIDE)
    pen = QPen(ground.darker(150), 1)
    pen.setCosmetic(True)
    painter.setPen(pen)
    painter.setBrush(ground)
    painter.drawPath(path_of(mask))
    painter.restore()


def draw_tick(painter: QPainter, area: QRectF, theme: Theme) -> None:
    """A tick in the lower right corner of a chip."""
    disc = QRectF(area.right() - 13, area.bottom() - 13, 11, 11)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.accent)
    painter.drawEllipse(disc)
    painter.setPen(QPen(theme.on_accent, 1.6))
    painter.drawPolyline([
        disc.topLeft() + QPointF(2.7, 5.7), disc.topLeft() + QPointF(4.8, 7.8), disc.topLeft() + QPointF(8.4, 3.6)
    ])  # fmt: skip
