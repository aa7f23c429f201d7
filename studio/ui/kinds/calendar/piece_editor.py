"""The piece editor: the present pieces, the piece being drawn, and all polyominoes to choose from."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from studio.base.amounts import many
from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.puzzles.calendar import edits
from studio.puzzles.calendar.checks import piece_trouble
from studio.puzzles.calendar.edits import Square, mask_of, straight
from studio.puzzles.calendar.model import LONGEST_SIDE, LONGEST_TEXT, PALETTE, CalendarDesign, Piece, title_of
from studio.puzzles.calendar.set_search import polyominoes
from studio.ui.canvas.view import ARROWS
from studio.ui.kinds.calendar.gallery import Chips, Section, draw_piece
from studio.ui.kinds.calendar.scene import INK, tint
from studio.ui.kinds.calendar.views import BaseCalendarExtension
from studio.ui.widgets.controls import control_height, heading, large_button, wrapping
from studio.ui.widgets.layout import REST, column, grid, row
from studio.ui.widgets.tables import NOWHERE, Index
from studio.ui.widgets.theme import GAP, MARGIN, Painted, current_theme, hint_font

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
        """True while a stroke is under way."""
        return self._before is not None

    def stop(self) -> None:
        """Give a stroke up without a word."""
        self._before = None

    # Places of the squares

    @property
    def unit(self) -> float:
        """Pixels of a square."""
        return (PAD - 1) / self.count

    def area(self, place: Square) -> QRectF:
        """Area of a square."""
        return QRectF(0.5 + place[1] * self.unit, 0.5 + place[0] * self.unit, self.unit, self.unit)

    def _at(self, position: QPointF) -> Square:
        row, column = int(position.y() // self.unit), int(position.x() // self.unit)
        return min(max(row, 0), self.count - 1), min(max(column, 0), self.count - 1)

    def sizeHint(self) -> QSize:
        return QSize(PAD, PAD)

    # Painting

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

    # Mouse and keys

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
        (row, column), state = self.keys_at, tr("filled") if self.keys_at in self.squares else tr("empty")
        words = tr("Row {row}, column {column}: {state}", row=row + 1, column=column + 1, state=state)
        self.setAccessibleDescription(words)


COLUMNS = 5
SWATCH = 22
STEPS = {QListView.CursorAction.MoveLeft: -1, QListView.CursorAction.MoveRight: 1}


class ColourModel(QAbstractListModel):
    """All colours by their names."""

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return len(PALETTE)

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
        self.setFixedSize(COLUMNS * SWATCH + 1, -(-len(PALETTE) // COLUMNS) * SWATCH)
        self.setAccessibleName(tr("Piece colour"))
        self.show_colour(0)

    def show_colour(self, colour: int) -> None:
        """Tick a colour."""
        self._colour = colour % len(PALETTE)
        self.setCurrentIndex(self.model().index(self._colour, 0))
        self.setAccessibleDescription(title_of(self._colour))

    def moveCursor(self, action: QListView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        if action not in STEPS:
            return super().moveCursor(action, modifiers)
        row = min(max(self.currentIndex().row() + STEPS[action], 0), len(PALETTE) - 1)
        return self.model().index(row, 0)

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if current.isValid() and current.row() != self._colour:
            self.chosen.emit(current.row())


SIZES = {tr("Add a piece of 1 to 4 squares"): (1, 2, 3, 4), tr("Add a pentomino"): (5,), tr("Add a hexomino"): (6,)}
"""The sections of the catalogue and the sizes in them."""
SIDE_WIDTH = 284
SHELF_CHIP, SHELF_UNIT = QSize(42, 37), 7.5
MOST_ROWS = 3
"""Most visible rows of pieces; more scroll."""


class Shelf(Chips):
    """The puzzle's pieces; a click selects one."""

    def __init__(self) -> None:
        super().__init__(tr("Puzzle pieces"), SHELF_CHIP, SHELF_UNIT)
        self._marked: int | None = None
        self._faults: frozenset[int] = frozenset()

    def show_pieces(self, pieces: tuple[Piece, ...]) -> None:
        """Show other pieces."""
        self._faults = frozenset(number for number, piece in enumerate(pieces) if piece_trouble(piece))
        self.show_sections([Section("", pieces)])

    def mark(self, number: int | None) -> None:
        """Mark the selected piece."""
        self._marked = number
        if number is not None and number < len(self.pieces):
            self.go_to(number)
        self.viewport().update()

    def is_marked(self, number: int) -> bool:
        """True if a piece is selected."""
        return number == self._marked

    def has_fault(self, number: int) -> bool:
        """True if a piece cannot be cut."""
        return number in self._faults

    def piece_text(self, number: int) -> str:
        """A piece by its name and size, and its fault."""
        trouble = piece_trouble(self.pieces[number]) if number in self._faults else ""
        return f"{super().piece_text(number)}{f'. {trouble}' if trouble else ''}"


class PieceEditor(QWidget):
    """A column next to the board."""

    def __init__(self, desk: BaseCalendarExtension) -> None:
        super().__init__()
        self._desk = desk
        self.shelf, self.catalogue = Shelf(), Chips(tr("Polyominoes of 1 to 6 squares"))
        self.pad, self.swatches, self.name = DrawPad(), Swatches(), QLineEdit()
        self.says = wrapping()
        self.new = large_button(tr("Draw new piece (N)"), "add")
        self.copy = large_button(tr("Duplicate piece (Ctrl+D)"), "copy")
        self.remove = large_button(tr("Remove piece (Del)"), "remove")
        self.turn = large_button(tr("Rotate piece (R)"), "turn")
        self.flip = large_button(tr("Flip piece (F)"), "turn-over")
        self._shown: CalendarDesign | None = None
        self.setFixedWidth(SIDE_WIDTH)
        self._title = heading(tr("Pieces"))
        self.name.setMaxLength(LONGEST_TEXT)
        self.name.setAccessibleName(tr("Piece name"))
        self.name.setPlaceholderText(tr("Name"))
        self.name.setMinimumHeight(control_height())
        self.says.setFont(hint_font(QApplication.font()))
        facts = column(self.name, self.swatches, row(self.turn, self.flip, REST, gap=GAP // 2), REST)
        drawing = grid([self.pad], across=MARGIN, down=GAP // 2)
        drawing.addLayout(facts, 0, 1)
        drawing.addWidget(self.says, 1, 0, 1, 2)
        self.catalogue.show_sections(
            [
                Section(title, tuple(piece for size in sizes for piece in polyominoes(size)))
                for title, sizes in SIZES.items()
            ]
        )
        head = row((self._title, 1), self.new, self.copy, self.remove, gap=GAP // 2)
        items = (head, self.shelf, drawing, (self.catalogue, 1))
        column(*items, of=self, margins=(MARGIN, GAP // 2, MARGIN, GAP))
        self._listen()

    def _listen(self) -> None:
        self.shelf.taken.connect(lambda number: self._desk.selection.select([number]))
        self.catalogue.taken.connect(lambda number: self._add(self.catalogue.pieces[number]))
        self.pad.drawing.connect(self._draw)
        self.pad.drawn.connect(self._keep_drawing)
        self.pad.given_up.connect(self._desk.session.document.abandon)
        self.swatches.chosen.connect(self._colour)
        self.name.editingFinished.connect(self._rename)
        for button, action in (
            (self.new, self.begin_new), (self.copy, self.duplicate), (self.remove, self.take_away),
            (self.turn, self.turn_form), (self.flip, self.flip_form),
        ):  # fmt: skip
            button.clicked.connect(lambda _checked=False, action=action: action())
        self._desk.selection.changed.connect(self.follow)

    # Display

    @property
    def piece(self) -> Piece | None:
        """The selected piece."""
        number, pieces = self._desk.selection.piece, self._desk.design.set
        return pieces[number] if number is not None and number < len(pieces) else None

    def show_design(self, design: CalendarDesign, *, settled: bool) -> None:
        """Follow the design."""
        before, self._shown = self._shown, design
        if before is None or before.set != design.set:
            self.shelf.show_pieces(design.set)
            self._title.setText(tr("Pieces ({count})", count=len(design.set)))
            # Make room for the rows of pieces, up to MOST_ROWS.
            width = SIDE_WIDTH - 2 * MARGIN
            rows = -(-len(self.shelf.pieces) // max(width // SHELF_CHIP.width(), 1))
            fits = rows <= MOST_ROWS
            policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOff if fits else Qt.ScrollBarPolicy.ScrollBarAsNeeded
            self.shelf.setVerticalScrollBarPolicy(policy)
            self.shelf.setFixedHeight(min(rows, MOST_ROWS) * SHELF_CHIP.height() + 2)
        if settled:
            self.pad.stop()
            self.follow()

    def follow(self) -> None:
        """Show the selected piece."""
        piece, number = self.piece, self._desk.selection.piece
        self.shelf.mark(number)
        if not self.pad.is_drawing:
            self.pad.show_piece(piece, piece.colour if piece is not None else edits.free_colour(self._desk.design))
        for widget in (self.copy, self.remove, self.turn, self.flip, self.name, self.swatches):
            widget.setEnabled(piece is not None)
        if not self.name.hasFocus() or piece is None:
            self.name.setText(piece.name if piece is not None else "")
        if piece is not None:
            self.swatches.show_colour(piece.colour)
        self._say(piece)

    def _say(self, piece: Piece | None) -> None:
        if piece is None:
            self.says.setText(tr("Drag on the grid, or click a shape below."))
        else:
            self.says.setText(piece_trouble(piece) or f"{many(piece.area, 'square')}.")

    # Actions

    def begin_new(self) -> None:
        """Clear the grid for drawing a new piece."""
        self._desk.selection.select()
        self.pad.show_piece(None, edits.free_colour(self._desk.design))
        self.pad.setFocus()

    def duplicate(self) -> None:
        """Duplicate the selected piece."""
        piece, number = self.piece, self._desk.selection.piece
        if piece is not None and number is not None:
            self._desk.edit(tr("Duplicate {name}", name=piece.name), edits.with_piece_duplicated, piece.name)
            self._select(number + 1)

    def take_away(self) -> None:
        """Remove the selected piece; the next one is selected."""
        piece, number = self.piece, self._desk.selection.piece
        if piece is None or number is None:
            return
        if self._desk.edit(tr("Remove {name}", name=piece.name), edits.without_piece, piece.name):
            self._desk.selection.select()
            self._select(min(number, len(self._desk.design.set) - 1))

    def turn_form(self) -> None:
        """Rotate the piece by a quarter."""
        piece = self.piece
        if piece is not None:
            self._desk.edit(tr("Rotate {name}", name=piece.name), edits.with_piece_turned, piece.name)

    def flip_form(self) -> None:
        """Flip the piece."""
        piece = self.piece
        if piece is not None:
            self._desk.edit(tr("Flip {name}", name=piece.name), edits.with_piece_flipped, piece.name)

    def _add(self, polyomino: Piece) -> None:
        if self._desk.edit(tr("Add {name}", name=polyomino.name), edits.with_piece, polyomino.squares):
            self._select(len(self._desk.design.set) - 1)

    def _draw(self, squares: frozenset[Square]) -> None:
        try:
            drawn = self._drawn(self._desk.design, squares)
        except StudioError:
            return  # Reported at the end of the drag, since it may pass.
        self._desk.session.document.preview(drawn)
        number = self._desk.selection.piece
        self._say(drawn.set[-1 if self.piece is None or number is None else number])

    def _keep_drawing(self, squares: frozenset[Square]) -> None:
        is_new, piece = self.piece is None, self.piece
        if is_new and not squares:
            self._desk.session.document.abandon()
            return
        title = tr("Draw a piece") if piece is None else tr("Draw {name}", name=piece.name)
        if not self._desk.edit(title, self._drawn, squares):
            self._desk.session.document.abandon()
        elif is_new:
            self._select(len(self._desk.design.set) - 1)
            self.pad.show_piece(self.piece, self._desk.design.set[-1].colour, squares)

    def _drawn(self, design: CalendarDesign, squares: frozenset[Square]) -> CalendarDesign:
        piece = self.piece
        if piece is None:
            return edits.with_piece(design, squares)
        return edits.with_piece_drawn(design, piece.name, squares, renames=True)

    def _colour(self, colour: int) -> None:
        piece = self.piece
        if piece is not None and colour != piece.colour:
            self._desk.edit(tr("Recolour {name}", name=piece.name), edits.with_colour, piece.name, colour)

    def _rename(self) -> None:
        piece, wanted = self.piece, self.name.text().strip()
        if piece is None or wanted == piece.name:
            return
        if not self._desk.edit(tr("Rename {name}", name=piece.name), edits.with_piece_renamed, piece.name, wanted):
            self.name.setText(piece.name)

    def _select(self, number: int) -> None:
        self._desk.selection.select([number])
        self.follow()
