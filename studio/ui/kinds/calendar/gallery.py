"""Pieces as small shapes: a gallery in which some are ticked, and rows of them in tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QScrollArea, QStyledItemDelegate, QStyleOptionViewItem, QToolTip, QWidget

from studio.amounts import many
from studio.puzzles.calendar.catalogue import Form, form
from studio.puzzles.calendar.model import Mask, Piece
from studio.ui.icons import icon
from studio.ui.kinds.calendar.looks import SIDE, path_of, tint
from studio.ui.layout import scrolled
from studio.ui.theme import Theme, current_theme, hint_font

CHIP = QSize(39, 34)
UNIT, LEAST_UNIT = 7.0, 3.0
"""Pixels of a square in the gallery."""
ROW_UNIT = 5.5
"""Pixels of a square in a table."""
BETWEEN = 7
"""Between two pieces in a table."""
TITLE = 22
"""The height of a section's title."""
STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


@dataclass(frozen=True)
class Section:
    """Pieces under a title."""

    title: str
    pieces: tuple[Piece, ...]


class Chips(QWidget):
    """Sections of pieces, each piece on a chip of its own; a click, Space or Enter takes one.

    Chips may be marked, which is the accent's frame and ground, and ticked besides.
    """

    moved = Signal()
    """The keys are on another piece."""

    def __init__(self, name: str, size: QSize = CHIP, unit: float = UNIT) -> None:
        super().__init__()
        self.size_, self.unit = size, unit
        self.sections: tuple[Section, ...] = ()
        self._over: int | None = None
        self._current = 0
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(name)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """All pieces in the order in which they stand."""
        return tuple(piece for section in self.sections for piece in section.pieces)

    def show_sections(self, sections: Sequence[Section]) -> None:
        """Show other pieces."""
        self.sections = tuple(sections)
        self._current = min(self._current, max(len(self.pieces) - 1, 0))
        self._over = None
        self.updateGeometry()
        self.update()

    # What those that use it say

    def take(self, number: int) -> None:
        """A piece was clicked, or taken by the keys."""

    def is_marked(self, number: int) -> bool:
        """Whether a piece is marked."""
        return False

    def has_tick(self, number: int) -> bool:
        """Whether a marked piece has a tick besides."""
        return False

    def has_fault(self, number: int) -> bool:
        """Whether a piece wears the sign of a warning."""
        return False

    def words(self, number: int) -> str:
        """A piece by its name and size."""
        piece = self.pieces[number]
        return f"{piece.name}, {many(piece.area, 'square')}"

    # Where they are

    def cells(self) -> list[QRectF]:
        """Where every piece stands."""
        found: list[QRectF] = []
        columns, top, chip = self._columns(), 0, self.size_
        for section in self.sections:
            top += self._title(section)
            for number in range(len(section.pieces)):
                row, column = divmod(number, columns)
                found.append(QRectF(column * chip.width(), top + row * chip.height(), chip.width(), chip.height()))
            top += -(-len(section.pieces) // columns) * chip.height()
        return found

    def at(self, place: QPointF) -> int | None:
        """The piece at a place."""
        return next((number for number, cell in enumerate(self.cells()) if cell.contains(place)), None)

    def _columns(self) -> int:
        return max(1, self.width() // self.size_.width())

    def _title(self, section: Section) -> int:
        return TITLE if section.title else 0

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        columns = max(1, width // self.size_.width())
        rows = sum(-(-len(section.pieces) // columns) for section in self.sections)
        return sum(map(self._title, self.sections)) + rows * self.size_.height()

    def sizeHint(self) -> QSize:
        width = 6 * self.size_.width()
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(3 * self.size_.width(), self.heightForWidth(max(self.width(), 3 * self.size_.width())))

    def resizeEvent(self, event: object) -> None:
        self.updateGeometry()

    # How they are drawn

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), current_theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        cells, number, columns, top = self.cells(), 0, self._columns(), 0
        for section in self.sections:
            painter.setFont(hint_font(QApplication.font()))
            painter.setPen(theme.quiet)
            area = QRectF(0, top, self.width(), self._title(section))
            painter.drawText(area, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, section.title)
            top += self._title(section) + -(-len(section.pieces) // columns) * self.size_.height()
            for piece in section.pieces:
                self._draw_chip(painter, number, piece, cells[number].adjusted(1, 1, -1, -1), theme)
                number += 1

    def _draw_chip(self, painter: QPainter, number: int, piece: Piece, area: QRectF, theme: Theme) -> None:
        ticked = self.is_marked(number)
        focused = self.hasFocus() and number == self._current
        line = theme.accent if ticked or focused else theme.quiet if number == self._over else theme.line
        painter.setPen(
            QPen(
                line,
                2 if ticked or focused else 1,
                Qt.PenStyle.DotLine if focused and not ticked else Qt.PenStyle.SolidLine,
            )
        )
        painter.setBrush(theme.selection if ticked else theme.field)
        painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
        rows, columns = piece.mask.shape
        unit = min(self.unit, (area.width() - 8) / columns, (area.height() - 8) / rows)
        draw_piece(
            painter, piece.mask, area.center() - QPointF(columns, rows) * unit / 2, unit, tint(piece.colour, theme)
        )
        if self.has_tick(number):
            draw_tick(painter, area, theme)
        if self.has_fault(number):
            draw_fault(painter, area, theme)

    # What mouse and keys do

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        over = self.at(event.position())
        if over != self._over:
            self._over = over
            self.setCursor(Qt.CursorShape.ArrowCursor if over is None else Qt.CursorShape.PointingHandCursor)
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._over = None
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        number = self.at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and number is not None:
            self._take(number)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        count = len(self.pieces)
        if count and event.key() in STEPS:
            self._go(min(max(self._current + STEPS[Qt.Key(event.key())], 0), count - 1))
        elif count and event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._go(self._beyond(event.key() == Qt.Key.Key_Down))
        elif count and event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._take(self._current)
        else:
            event.ignore()

    def focusInEvent(self, event: object) -> None:
        self._tell()
        self.update()

    def focusOutEvent(self, event: object) -> None:
        self.update()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            number = self.at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), "" if number is None else self.words(number), self)
            return True
        return super().event(event)

    def current_area(self) -> QRectF:
        """Where the piece is that the keys act on."""
        return self.cells()[self._current] if self.pieces else QRectF()

    def _take(self, number: int) -> None:
        self._current = number
        self.take(number)
        self._tell()
        self.update()

    def _go(self, number: int) -> None:
        self._current = number
        self._tell()
        self.moved.emit()
        self.update()

    def _beyond(self, down: bool) -> int:
        """The nearest piece in the next row below or above; the same where there is none."""
        cells = self.cells()
        here = cells[self._current]
        rows = sorted({cell.top() for cell in cells if (cell.top() > here.top()) == down and cell.top() != here.top()})
        if not rows:
            return self._current
        top = rows[0] if down else rows[-1]
        there = [number for number, cell in enumerate(cells) if cell.top() == top]
        return min(there, key=lambda number: abs(cells[number].left() - here.left()))

    def _tell(self) -> None:
        if self.pieces:
            self.setAccessibleDescription(self.words(self._current))


class Gallery(Chips):
    """Chips of which some are ticked. Pieces of one form are ticked together."""

    changed = Signal()
    """Others are ticked."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._ticked: dict[Form, Piece] = {}

    @property
    def ticked(self) -> tuple[Piece, ...]:
        """The pieces that are ticked, one of each form, in the order in which they stand."""
        found: dict[Form, Piece] = {}
        for piece in self.pieces:
            if form(piece.mask) in self._ticked:
                found.setdefault(form(piece.mask), piece)
        return tuple(found.values())

    def show_sections(self, sections: Sequence[Section]) -> None:
        """Show other pieces; what is ticked and still there stays ticked."""
        super().show_sections(sections)
        forms = {form(piece.mask) for piece in self.pieces}
        self._ticked = {key: piece for key, piece in self._ticked.items() if key in forms}

    def tick(self, pieces: Sequence[Piece]) -> None:
        """Tick just these."""
        ticked = {form(piece.mask): piece for piece in pieces}
        if ticked.keys() != self._ticked.keys():
            self._ticked = ticked
            self.update()
            self.changed.emit()

    def take(self, number: int) -> None:
        """Tick a piece, or take its tick away."""
        piece = self.pieces[number]
        key = form(piece.mask)
        if key in self._ticked:
            del self._ticked[key]
        else:
            self._ticked[key] = piece
        self.changed.emit()

    def is_marked(self, number: int) -> bool:
        """Whether a piece is ticked."""
        return form(self.pieces[number].mask) in self._ticked

    def has_tick(self, number: int) -> bool:
        """Whether a piece is ticked."""
        return self.is_marked(number)

    def words(self, number: int) -> str:
        """A piece by its name and size, and whether it is ticked."""
        return f"{super().words(number)}{', in every set' if self.is_marked(number) else ''}"


class SetDelegate(QStyledItemDelegate):
    """Draws a cell whose UserRole is a tuple of pieces as small shapes in a row."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
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


def draw_fault(painter: QPainter, area: QRectF, theme: Theme) -> None:
    """The sign of a warning in the upper right corner of a chip."""
    icon("warning").paint(painter, QRectF(area.right() - 15, area.top() + 2, 13, 13).toRect())


def followed(chips: Chips) -> QScrollArea:
    """Chips in an area that scrolls, and follows the keys."""
    area = scrolled(chips)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def bring() -> None:
        here = chips.current_area().toAlignedRect()
        area.ensureVisible(here.center().x(), here.center().y(), here.width(), here.height())

    chips.moved.connect(bring)
    return area
