"""The piece editor: the pieces there are, the one that is drawn, and all polyominoes to choose from."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPen
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
from studio.puzzles.calendar.catalogue import polyominoes
from studio.puzzles.calendar.checks import piece_trouble
from studio.puzzles.calendar.colours import COLOURS, title_of
from studio.puzzles.calendar.edits import Square
from studio.puzzles.calendar.model import LONGEST_TEXT, CalendarDesign, Piece
from studio.ui.kinds.calendar.drawing_pad import DrawPad
from studio.ui.kinds.calendar.gallery import Chips, Section
from studio.ui.kinds.calendar.looks import INK, tint
from studio.ui.kinds.calendar.views import Desk
from studio.ui.panels.tables import NOWHERE, Index
from studio.ui.widgets.controls import control_height, heading, large_button, wrapping
from studio.ui.widgets.layout import REST, column, grid, row
from studio.ui.widgets.theme import GAP, MARGIN, current_theme, hint_font

# The colours that a piece can have, to be chosen by a click or by the arrow keys.


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
        """Whether a piece is selected."""
        return number == self._marked

    def has_fault(self, number: int) -> bool:
        """Whether a piece cannot be cut."""
        return number in self._faults

    def words(self, number: int) -> str:
        """A piece by its name and size, and its fault."""
        trouble = piece_trouble(self.pieces[number]) if number in self._faults else ""
        return f"{super().words(number)}{f'. {trouble}' if trouble else ''}"


class PieceEditor(QWidget):
    """A column beside the board."""

    def __init__(self, desk: Desk) -> None:
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
        self._lay_out()
        self._listen()

    def _lay_out(self) -> None:
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

    def _listen(self) -> None:
        self.shelf.taken.connect(lambda number: self._desk.selection.select([number]))
        self.catalogue.taken.connect(lambda number: self._add(self.catalogue.pieces[number]))
        self.pad.drawing.connect(self._draw)
        self.pad.drawn.connect(self._keep_drawing)
        self.pad.given_up.connect(self._desk.document.abandon)
        self.swatches.chosen.connect(self._colour)
        self.name.editingFinished.connect(self._rename)
        for button, action in (
            (self.new, self.begin_new), (self.copy, self.duplicate), (self.remove, self.take_away),
            (self.turn, self.turn_form), (self.flip, self.flip_form),
        ):  # fmt: skip
            button.clicked.connect(lambda _checked=False, action=action: action())
        self._desk.selection.changed.connect(self.follow)

    # What is shown

    @property
    def design(self) -> CalendarDesign:
        """The design as it is."""
        return self._desk.design

    @property
    def piece(self) -> Piece | None:
        """The selected piece."""
        number, pieces = self._desk.selection.piece, self.design.set
        return pieces[number] if number is not None and number < len(pieces) else None

    def show_design(self, design: CalendarDesign, *, settled: bool) -> None:
        """Follow the design."""
        before, self._shown = self._shown, design
        if before is None or before.set != design.set:
            self.shelf.show_pieces(design.set)
            self._title.setText(tr("Pieces ({count})", count=len(design.set)))
            self._fit_shelf()
        if settled:
            self.pad.stop()
            self.follow()

    def follow(self) -> None:
        """Show the selected piece."""
        piece, number = self.piece, self._desk.selection.piece
        self.shelf.mark(number)
        if not self.pad.is_drawing:
            self.pad.show_piece(piece, piece.colour if piece is not None else self._next_colour)
        for widget in (self.copy, self.remove, self.turn, self.flip, self.name, self.swatches):
            widget.setEnabled(piece is not None)
        if not self.name.hasFocus() or piece is None:
            self.name.setText(piece.name if piece is not None else "")
        if piece is not None:
            self.swatches.show_colour(piece.colour)
        self._say(piece)

    @property
    def _next_colour(self) -> int:
        return edits.free_colour(self.design)

    def _say(self, piece: Piece | None) -> None:
        if piece is None:
            self.says.setText(tr("Drag on the grid, or click a shape below."))
        else:
            self.says.setText(piece_trouble(piece) or f"{many(piece.area, 'square')}.")

    def _fit_shelf(self) -> None:
        """Make room for the rows that there are, up to some."""
        width = SIDE_WIDTH - 2 * MARGIN
        rows = -(-len(self.shelf.pieces) // max(width // SHELF_CHIP.width(), 1))
        fits = rows <= MOST_ROWS
        policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOff if fits else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.shelf.setVerticalScrollBarPolicy(policy)
        self.shelf.setFixedHeight(min(rows, MOST_ROWS) * SHELF_CHIP.height() + 2)

    # What is done

    def begin_new(self) -> None:
        """Clear the grid for drawing a new piece."""
        self._desk.selection.select()
        self.pad.show_piece(None, self._next_colour)
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
            self._select(min(number, len(self.design.set) - 1))

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
            self._select(len(self.design.set) - 1)

    def _draw(self, squares: frozenset[Square]) -> None:
        try:
            drawn = self._drawn(self.design, squares)
        except StudioError:
            return  # Reported at the end of the drag, since it may pass.
        self._desk.document.preview(drawn)
        number = self._desk.selection.piece
        self._say(drawn.set[-1 if self.piece is None or number is None else number])

    def _keep_drawing(self, squares: frozenset[Square]) -> None:
        is_new, piece = self.piece is None, self.piece
        if is_new and not squares:
            self._desk.document.abandon()
            return
        title = tr("Draw a piece") if piece is None else tr("Draw {name}", name=piece.name)
        if not self._desk.edit(title, self._drawn, squares):
            self._desk.document.abandon()
        elif is_new:
            self._select(len(self.design.set) - 1)
            self.pad.show_piece(self.piece, self.design.set[-1].colour, squares)

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
