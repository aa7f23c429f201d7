"""Play: the board with its frame, next to it a tray of pieces to scroll, sort and filter, and help: hints and
mismatches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QLabel,
    QListView,
    QSplitter,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from studio.base.amounts import many
from studio.base.texts import tr
from studio.puzzles.abilities.playable import Hint
from studio.puzzles.zigzaw.game import NONE, Game, fitting, pieces_of, placed_text, tray
from studio.puzzles.zigzaw.gestures import TRAY, Hand
from studio.puzzles.zigzaw.model import ZigzawDesign
from studio.solving.edges import UNKNOWN
from studio.ui.canvas.view import CanvasView
from studio.ui.kinds.zigzaw.scene import Form, TableScene, fine, paint_piece
from studio.ui.panels.game_page import BoardPage, Feast, GamePage, PlayTool
from studio.ui.session.actions import Command
from studio.ui.session.games import Games
from studio.ui.widgets.controls import CalmComboBox, ElidedLabel
from studio.ui.widgets.layout import column, row
from studio.ui.widgets.theme import GAP, current_theme, hint_font

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


TRAY_WIDTH = 3 * CELL.width() + 2 * GAP
TRAY_HEIGHT = 2 * CELL.height() + 80
MENU = "&Game"
LEAST_ZOOM = 0.5
"""Least scale of a held piece, in pixels a unit of the scene."""
BESIDE = QPoint(6, 6)
"""Pixels by which a piece carried by the keys is away from its place."""


class Ghost(QWidget):
    """The held piece, above board and tray."""

    def __init__(self, scene: TableScene, parent: QWidget) -> None:
        super().__init__(parent)
        self._scene, self._zoom, self._piece = scene, 1.0, NONE
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def show_piece(self, piece: int, zoom: float, middle: QPoint) -> None:
        """Show a piece about a place of the parent."""
        self._piece, self._zoom = piece, max(zoom, LEAST_ZOOM)
        size = (self._scene.form.bounds.size() * self._zoom).toSize()
        self.resize(size.width() + 8, size.height() + 8)
        self.move(middle - self.rect().center())
        self.raise_()
        self.show()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        scene = self._scene
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(self.width() / 2, self.height() / 2)
        painter.scale(self._zoom, self._zoom)
        painter.translate(-scene.form.bounds.center())
        paint_piece(painter, scene.form, scene.pieces.colours[self._piece].tolist(), scene.paints)
        painter.setPen(fine(painter, current_theme().accent, 2.0))
        painter.drawPath(scene.form.outline)


class PlayTable(QWidget):
    """Board and tray side by side, or one below the other if that leaves more room."""

    def __init__(self, view: CanvasView, tray: TrayView, beside: QWidget) -> None:
        super().__init__()
        self._view, self._tray = view, tray
        self.split = QSplitter(Qt.Orientation.Horizontal)
        self.split.setChildrenCollapsible(False)
        self.split.addWidget(view)
        self.split.addWidget(beside)
        self.split.setStretchFactor(0, 1)
        self.split.setSizes([3 * TRAY_WIDTH, TRAY_WIDTH])
        column((self.split, 1), of=self, gap=0)
        self.setFocusProxy(view)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.width() > self.height()
        orientation = Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical
        if orientation is not self.split.orientation():
            self.split.setOrientation(orientation)
            length, own = (self.width(), TRAY_WIDTH) if wide else (self.height(), TRAY_HEIGHT)
            self.split.setSizes([max(length - own, own), own])

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes from board to tray and back; Shift+Tab leaves them as everywhere."""
        for one, other in ((self._view, self._tray), (self._tray, self._view)):
            if forward and one.hasFocus():
                other.setFocus(Qt.FocusReason.TabFocusReason)
                return True
        return super().focusNextPrevChild(forward)


class PlayPage(BoardPage[ZigzawDesign, Game, Hand]):
    """The zigzaw as it is played."""

    hint = tr(
        "In Play, drag a piece onto the board, or click it and then a place. Keyboard: Tab switches between board and "
        "tray, arrow keys move, Enter picks up or places, Delete removes, Esc cancels."
    )

    def __init__(self, games: Games, design: ZigzawDesign) -> None:
        super().__init__(games, design)
        self.scene = TableScene(design)
        self.feast = Feast(games, self.scene, self._area)
        self.view = CanvasView(self.scene)
        self.view.setAccessibleName(tr("Board"))
        self.tray = TrayView(TrayModel(design))
        self.mismatches = QCheckBox(tr("Show mismatches"))
        self.mismatches.setToolTip(tr("Mark faces where neighbours differ in colour (M)."))
        self.fits = QCheckBox(tr("Only fitting pieces"))
        self.fits.setToolTip(tr("List only pieces that match the neighbours of the outlined place (F)."))
        self.order = CalmComboBox(tr("Tray order"), tr("Sort order of the tray (O)"))
        self.count = ElidedLabel()
        self.table = PlayTable(self.view, self.tray, self._beside())
        self.ghost = Ghost(self.scene, self.table)
        self.tool = self.view.tool = PlayTool(games, self.view, self, Hand())
        self.lay_out(GamePage(games, self.table))
        key = self.tool.press_key
        self.commands = [
            Command("put_back_piece", tr("Remove piece"), MENU, partial(key, "remove"), ("Backspace", "Del"), "",
                    tr("Return the held piece, or the one in the outlined place, to the tray"), on_canvas=True),
            Command("show_mismatches", tr("Show mismatches"), MENU, self.mismatches.toggle, ("M",), "",
                    tr("Mark faces where neighbours differ in colour"), on_canvas=True),
            Command("only_fitting", tr("Only fitting pieces"), MENU, self.fits.toggle, ("F",), "",
                    tr("List only pieces that match the neighbours of the outlined place"), on_canvas=True),
            Command("order_tray", tr("Sort tray"), MENU, self._reorder, ("O",), "",
                    tr("Sort by number or by the colour of the next limb"), on_canvas=True),
            *self.page.commands(MENU),
        ]  # fmt: skip
        tray, tool, at = self.tray, self.tool, self.tool.pointer_at
        tray.pressed_on.connect(lambda piece, screen: tool.press(at(screen), key=TRAY, over=piece))
        tray.pulled.connect(lambda screen, is_down: (tool.dragged if is_down else tool.hovered)(at(screen)))
        tray.let_go.connect(lambda screen: tool.released(at(screen)))
        tray.chosen.connect(lambda piece: tool.act("key", key="take", over=piece))
        tray.given_up.connect(tool.cancelled)
        self.mismatches.toggled.connect(self._show_marks)
        self.fits.toggled.connect(self._show_tray)
        self.order.currentIndexChanged.connect(self._show_tray)
        self.view.looked_at.connect(self._follow_view)
        self.view.zoomed.connect(lambda _zoom: self._show_marks())
        self._show_new()
        games.show(design)

    def _beside(self) -> QWidget:
        beside = QWidget()
        self.tray.setMinimumWidth(CELL.width() + 2 * GAP)
        above = column(
            row(QLabel(tr("Sort")), (self.order, 1)), self.fits, self.mismatches, self.count, gap=GAP // 2, margins=GAP
        )
        column(above, (self.tray, 1), of=beside, gap=0)
        return beside

    # Called by the window

    @property
    def status_text(self) -> str:
        """The progress of the game, and the piece at the cursor."""
        name, piece = self.scene.pieces.names[self.hand.place], self.game.placed[self.hand.place]
        there = (
            tr("{place}: piece {piece}", place=name, piece=piece) if piece != NONE else tr("{place}: empty", place=name)
        )
        held = [tr("holding piece {piece}", piece=self.hand.piece)] if self.hand.piece != NONE else []
        return " · ".join([self.page.tally.text(), there, *held])

    def _make_board(self) -> None:
        self.feast.stop()
        self.scene.show_design(self._design)
        self._show_new()

    def _show_new(self) -> None:
        """Show the empty board of another design, and the names of its limbs."""
        design, board = self._design, self.scene.board
        self.tray.painter_.form, self.tray.painter_.paints = self.scene.form, self.scene.paints
        self.tray.pieces.show_design(design)
        names = [tr("By number"), *(tr("By {limb}", limb=limb.name.replace("_", " ")) for limb in design.body.limbs)]
        if [self.order.itemText(at) for at in range(self.order.count())] != names:
            self.order.clear()
            self.order.addItems(names)
        self.view.show_board(board.width(), board.height(), board.left(), board.top())
        self.tool.take(Hand(), is_new=True)

    def seek(self, share: float) -> None:
        """Show the game with a share (0 to 1) of the pieces placed, and the next one held."""
        self.games.watch(watches=False)  # a picture does not depend on the time
        own = self.scene.pieces.own.tolist()
        count = round(share * len(own))
        for place, piece in enumerate(own[:count]):
            self.games.move(placed_text(self._design, piece, place))
        for place, piece in enumerate(own[count : count + 1], count):
            self.tool.take(Hand(place))
            middle = self.view.mapFromScene(QPointF(*self.scene.middles[place].tolist()))
            pointer = self.tool.pointer_at(self.view.viewport().mapToGlobal(middle + QPoint(9, 7)))
            self.tool.press(pointer, key=TRAY, over=piece)
            self.tool.act("drag", pointer)

    # Display

    def _follow_game(self) -> None:
        if not self._is_made:
            return
        self.tool.drop()
        self.scene.flag(())
        is_done = self.games.is_solved
        self.scene.show_game(self.game, is_done=is_done)
        self.scene.cursor.setVisible(not is_done)
        if self.fits.isChecked() and not is_done:
            # Move the keys from a filled place to the next empty one, so that the tray shows fitting pieces.
            placed, place = self.game.placed, self.hand.place
            after = [*range(place, len(placed)), *range(place)]
            empty = next((each for each in after if placed[each] == NONE), place)
            self.tool.take(replace(self.hand, place=empty))
        self._show_marks()
        self._show_tray()
        self.feast.follow()

    def _area(self) -> QPainterPath:
        path = QPainterPath()
        path.addRect(self.scene.board)
        return path

    def _follow_hint(self, hint: Hint) -> None:
        places = [place for piece in map(int, hint.pieces) if (place := self.game.place_of(piece)) is not None]
        self.scene.flag(() if hint.move else places)
        for place in places[:1]:
            self.tool.take(replace(self.hand, place=place))

    def _show_marks(self) -> None:
        self.scene.show_marks(self.game, shows=self.mismatches.isChecked(), pixel=1 / self.view.zoom)

    def hit(self, x: float, y: float) -> int | None:
        """The place under the mouse."""
        return self.scene.place_at(QPointF(x, y))

    def show_hand(self, before: Hand, hand: Hand) -> None:
        """Show the held piece, its target, and the place of the keys."""
        scene, piece = self.scene, hand.piece
        if before is hand or (before.place, before.piece) != (hand.place, piece):
            scene.show_at(scene.cursor, hand.place)
            scene.cursor.setVisible(piece == NONE)
            scene.lift(self.game.place_of(piece) if piece != NONE else None)
            self.tray.lift(piece)
            if self.fits.isChecked():
                self._show_tray()
            self.view.setAccessibleDescription(
                tr(
                    "{position}. Arrow keys move, Enter picks up or places, Delete removes, Tab goes to the tray.",
                    position=self.status_text,
                )
            )
            self.reworded.emit()
        scene.show_at(scene.target, hand.aim)
        self._show_ghost()

    def _show_ghost(self) -> None:
        """Show the held piece at the mouse, or beside the place of the keys."""
        hand = self.hand
        if hand.piece == NONE:
            self.ghost.hide()
            return
        away, mouse = QPointF(*hand.offset), QPointF(*hand.mouse)
        middle = QPointF(*self.scene.middles[hand.place].tolist()) if hand.by_keys else mouse + away
        at = self.view.mapFromScene(middle) - (BESIDE if hand.by_keys else QPoint())
        self.ghost.show_piece(hand.piece, self.view.zoom, self.view.viewport().mapTo(self.table, at))

    def _follow_view(self) -> None:
        """Show the held piece at another zoom."""
        if self.hand.piece != NONE and not self.hand.by_keys:
            self.tool.drag_again()
        self._show_ghost()

    def answer(self, what: str, *values: str) -> None:
        """Select a piece in the tray, or let tray or board have the keys."""
        if what == "select":
            self.tray.select(int(values[0]))
        elif values[0] != TRAY:
            self.view.setFocus(Qt.FocusReason.OtherFocusReason)
        elif self.tray.number != NONE:
            self.tray.setFocus(Qt.FocusReason.TabFocusReason)

    def _show_tray(self) -> None:
        every, place = tray(self.game), self.hand.place
        shown = list(every)
        name = self.scene.pieces.names[place]
        words = many(len(every), "piece")
        if self.fits.isChecked():
            fits = fitting(self.scene.pieces, self.game, place)
            # A held piece stays in the list, so that it can be returned to its place there.
            shown = [piece for piece in every if fits[piece] or piece == self.hand.piece]
            count = sum(bool(fits[piece]) for piece in every)
            words = tr("{count} of {pieces} fit {place}", count=count, pieces=words, place=name)
        limb = self.order.currentIndex() - 1
        if limb >= 0:
            shown.sort(key=lambda piece: (int(self.scene.pieces.colours[piece, limb]), piece))
        self.count.setText(words)
        self.tray.show_numbers(shown)

    def _reorder(self) -> None:
        self.order.setCurrentIndex((self.order.currentIndex() + 1) % self.order.count())
