"""The board from above: a tray with its cells and labels, and pieces on it; views and editors paint by it.

Each piece is an item of its own, so that only changed pieces are repainted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import Enum, auto
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QApplication, QGraphicsItem, QGraphicsScene, QStyleOptionGraphicsItem, QWidget

from studio.base.amounts import cell_name
from studio.base.errors import StudioError
from studio.geometry.curves.strokes import Floats
from studio.geometry.planar.polyomino import outline
from studio.puzzles.calendar.model import Board, Mask, Piece, colour_of, lying
from studio.ui.canvas.cutting import blended
from studio.ui.widgets.theme import Painted, Theme, current_theme

# Appearance of pieces and boards.
#
# All lengths are in units of the scene: a cell is SIDE wide, however large it is cut.

SIDE = 20.0
"""A cell's side."""
PLAY = 0.55
"""Margin between a piece and the rim of its squares, so that neighbours do not touch."""
ROUNDING = 3.4
"""The radius of a piece's corners."""
INK = QColor("#22242A")
"""The colour of text on a piece; all piece colours are light."""
ROUND = 0.5523
"""Handle length of a cubic that approximates a quarter circle, as a share of the radius."""


@lru_cache(maxsize=64)
def tint(colour: int, theme: Theme) -> QColor:
    """Colour of a piece in a theme: a little quieter in a dark one."""
    own = QColor(colour_of(colour))
    return blended(own, theme.board, 0.16) if theme.is_dark else own


def path_of(mask: Mask, margin: float = PLAY, radius: float = ROUNDING) -> QPainterPath:
    """The outline of squares (rows, columns), `margin` within them, from the top left of the first row and column.

    Squares that do not hang together, or go round a hole, have square corners.
    """
    return _path(mask.shape, mask.tobytes(), margin, radius)


@lru_cache(maxsize=4096)
def _path(shape: tuple[int, int], mask: bytes, margin: float, radius: float) -> QPainterPath:
    squares = np.frombuffer(mask, bool).reshape(shape)
    try:
        return rounded(outline(squares.T).inset(SIDE, margin), radius)
    except StudioError:
        # Any squares, `margin` within them, joined where they are side by side.
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.WindingFill)
        upright, level = squares[1:] & squares[:-1], squares[:, 1:] & squares[:, :-1]
        fours = upright[:, 1:] & upright[:, :-1]
        for joints, down, right in ((squares, 0, 0), (upright, 1, 0), (level, 0, 1), (fours, 1, 1)):
            for row, column in np.argwhere(joints).tolist():
                whole = square(row, column) | square(row + down, column + right)
                path.addRect(whole.adjusted(margin, margin, -margin, -margin))
        return path.simplified()


def rounded(corners: Floats, radius: float) -> QPainterPath:
    """A closed path through corners (n, 2) with straight sides, each corner rounded as far as its sides reach."""
    sides = np.roll(corners, -1, axis=0) - corners
    lengths = np.hypot(*sides.T)
    along = sides / lengths[:, None]
    reach = np.minimum(radius, np.minimum(lengths, np.roll(lengths, 1)) / 2)[:, None]
    start, end = corners - reach * np.roll(along, 1, axis=0), corners + reach * along
    path = QPainterPath(QPointF(*start[0]))
    for before, corner, after in zip(start, corners, end, strict=True):
        path.lineTo(*before)
        path.cubicTo(*(before + ROUND * (corner - before)), *(after + ROUND * (corner - after)), *after)
    path.closeSubpath()
    return path


def square(row: float, column: float) -> QRectF:
    """The place of a square."""
    return QRectF(column * SIDE, row * SIDE, SIDE, SIDE)


def heart(mask: Mask) -> tuple[float, float]:
    """The place (row, column) of a piece's name: as near to its middle as squares allow.

    That is on one of its squares, on two side by side, or on four that meet.
    """
    squares = np.argwhere(mask)
    upright, level = mask[1:] & mask[:-1], mask[:, 1:] & mask[:, :-1]
    pairs = [np.argwhere(upright) + np.array([0.5, 0.0]), np.argwhere(level) + np.array([0.0, 0.5])]
    places = np.concatenate([squares, *pairs, np.argwhere(upright[:, 1:] & upright[:, :-1]) + 0.5])
    away = ((places - squares.mean(axis=0)) ** 2).sum(axis=1)
    row, column = places[int(away.argmin())].tolist()
    return row, column


class CalendarSelection(QObject):
    """At most one piece, by its number, or one cell, by its name."""

    changed = Signal()
    """The selection, or the text of the view, has changed."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.piece: int | None = None
        self.cell: str | None = None

    @property
    def pieces(self) -> frozenset[int]:
        """The selected piece as a set, for the table."""
        return frozenset() if self.piece is None else frozenset([self.piece])

    def select(self, pieces: Iterable[int] = ()) -> None:
        """Select a piece, the lowest of several, or none."""
        self._take(min(pieces, default=None), None)

    def select_cell(self, name: str | None) -> None:
        """Select a cell, or none."""
        self._take(None, name)

    def _take(self, piece: int | None, cell: str | None) -> None:
        if (piece, cell) != (self.piece, self.cell):
            self.piece, self.cell = piece, cell
            self.changed.emit()


RIM = 9.0
"""The tray's frame around the cells."""
WELL_ROUNDING = 4.0
TRAY_Z, PIECE_Z, GHOST_Z, HAND_Z, MARK_Z = 0.0, 1.0, 2.0, 4.0, 5.0
LEAST_TEXT = 5
"""Smaller letters, in pixels, are left out."""
SHADOWS = {
    False: ((3.0, 12, 0.5), (1.6, 20, 0.4)),
    True: ((10.0, 4, 2.4), (8.0, 5, 2.2), (6.0, 6, 1.9), (4.4, 7, 1.6), (3.0, 8, 1.2), (1.6, 9, 0.8)),
}
"""Breadth, strength of 255 and drop of the layers of a soft shadow: of placed and of held pieces."""
LABEL_SHARE, LONG_LABEL_SHARE, NAME_SHARE = 0.34, 0.84, 0.42
"""Heights of letters and the widest label, as shares of a cell."""


class PieceState(Enum):
    """State in which a piece is painted."""

    LYING = auto()
    HOVERED = auto()
    SELECTED = auto()
    IN_HAND = auto()
    GHOST = auto()
    """Snap position of the held piece."""
    REFUSED = auto()
    """Position at which the held piece does not fit."""


HEIGHTS = {
    PieceState.IN_HAND: HAND_Z, PieceState.GHOST: GHOST_Z, PieceState.REFUSED: GHOST_Z,
    PieceState.SELECTED: PIECE_Z + 0.2,
}  # fmt: skip


def written(painter: QPainter, box: QRectF, text: str, share: float, widest: float, weight: QFont.Weight) -> None:
    """Write a text into the middle of a box of the scene, sharp at every zoom: its height is a share of a cell.

    A text wider than that share of the box is made smaller; if it became too small to read, it ends in dots.
    """
    world = painter.worldTransform()
    room = world.mapRect(box)
    cell = SIDE * world.m11()
    if share * cell < LEAST_TEXT:
        return
    font = QFont(QApplication.font())
    font.setWeight(weight)
    font.setPixelSize(max(round(share * cell), LEAST_TEXT))
    width = QFontMetricsF(font).horizontalAdvance(text)
    if width > widest * room.width():
        least = max(LEAST_TEXT, round(0.5 * share * cell))
        font.setPixelSize(max(int(font.pixelSize() * widest * room.width() / width), least))
        text = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, room.width() * 0.96)
    painter.save()
    painter.resetTransform()
    painter.setFont(font)
    painter.drawText(room, Qt.AlignmentFlag.AlignCenter, text)
    painter.restore()


def fine(painter: QPainter, colour: QColor, pixels: float = 1.0) -> QPen:
    """A pen with a width in pixels at any zoom; unlike a cosmetic one, equally wide on screens of any density."""
    width = pixels / painter.worldTransform().m11()
    return QPen(colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)


class TrayItem(QGraphicsItem):
    """The tray: its frame, the well with the cells, and the labels; open cells are lit."""

    is_done = Painted(False)
    """True if all of it is covered; the frame then has the accent."""

    def __init__(self) -> None:
        super().__init__()
        self.setZValue(TRAY_Z)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        # Frame, shadow and labels take longer than all pieces, and hardly ever change.
        self.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)
        self._board = Board((".",))
        self._open: frozenset[str] = frozenset()
        self._hovered = ""
        self._selected = ""
        self._stressed: frozenset[str] = frozenset()
        self.well = QPainterPath()
        """The outline of all cells."""
        self._grid = QPainterPath()
        self._boxes: dict[str, QRectF] = {}

    def show_board(self, board: Board) -> None:
        """Show another board."""
        self.prepareGeometryChange()
        self._board = board
        self._boxes = {name: square(*place) for name, place in board.places.items()}
        self.well = path_of(board.mask, -0.8, WELL_ROUNDING)
        # The lines between cells.
        mask = board.mask
        path = QPainterPath()
        for row, column in np.argwhere(mask[:, :-1] & mask[:, 1:]).tolist():
            path.moveTo((column + 1) * SIDE, row * SIDE)
            path.lineTo((column + 1) * SIDE, (row + 1) * SIDE)
        for row, column in np.argwhere(mask[:-1] & mask[1:]).tolist():
            path.moveTo(column * SIDE, (row + 1) * SIDE)
            path.lineTo((column + 1) * SIDE, (row + 1) * SIDE)
        self._grid = path
        self.update()

    def show_open(self, names: Iterable[str]) -> None:
        """Light the uncovered cells."""
        names = frozenset(names)
        self._repaint(self._open ^ names)
        self._open = names

    def show_hovered(self, name: str) -> None:
        """Light a cell that a click would choose."""
        if name != self._hovered:
            self._repaint({self._hovered, name})
            self._hovered = name

    def show_selected(self, name: str) -> None:
        """Frame a cell."""
        if name != self._selected:
            self._repaint({self._selected, name})
            self._selected = name

    def show_stressed(self, names: Iterable[str]) -> None:
        """Write the labels of some cells as strongly as on uncovered cells."""
        names = frozenset(names)
        self._repaint(self._stressed ^ names)
        self._stressed = names

    def _repaint(self, names: Iterable[str]) -> None:
        for name in names:
            if name in self._boxes:
                self.update(self._boxes[name])

    @property
    def size(self) -> tuple[float, float]:
        """Width and height without the frame."""
        rows, columns = self._board.mask.shape
        return columns * SIDE, rows * SIDE

    def boundingRect(self) -> QRectF:
        width, height = self.size
        return QRectF(-RIM, -RIM, width + 2 * RIM, height + 2 * RIM).adjusted(-6, -6, 6, 8)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        theme, part = current_theme(), option.exposedRect
        width, height = self.size
        body = QPainterPath()
        body.addRoundedRect(QRectF(-RIM, -RIM, width + 2 * RIM, height + 2 * RIM), 7.0, 7.0)
        _shadow(painter, body, is_high=True)
        painter.setPen(fine(painter, theme.done, 2.5) if self.is_done else fine(painter, theme.board_edge))
        painter.setBrush(theme.board)
        painter.drawPath(body)
        floor = blended(theme.board, theme.canvas, 0.62)
        painter.setPen(fine(painter, blended(theme.board_edge, theme.text, 0.12)))
        painter.setBrush(floor)
        painter.drawPath(self.well)
        painter.setPen(fine(painter, blended(floor, theme.board_edge, 0.55)))
        painter.drawPath(self._grid)
        for name, box in self._boxes.items():
            if not box.intersects(part):
                continue
            label, is_open = self._board.on.get(name), name in self._open
            if is_open or name in (self._hovered, self._selected):
                has_rim = is_open or name == self._selected
                painter.setPen(fine(painter, theme.accent, 1.6) if has_rim else Qt.PenStyle.NoPen)
                painter.setBrush(theme.selection)
                painter.drawRoundedRect(box.adjusted(1.1, 1.1, -1.1, -1.1), 3.0, 3.0)
            if label is not None:
                painter.setPen(theme.text if is_open or name in self._stressed else theme.quiet)
                weight = QFont.Weight.DemiBold if is_open else QFont.Weight.Normal
                written(painter, box, label.text, LABEL_SHARE, LONG_LABEL_SHARE, weight)


class PieceItem(QGraphicsItem):
    """One piece: squares as one whole with rounded corners, matt, with its name."""

    colour = Painted(0)
    """Number of its colour."""

    def __init__(self, name: str, colour: int) -> None:
        super().__init__()
        self.setZValue(PIECE_Z)
        self._name, self.colour = name, colour
        self.mask: Mask = np.ones((1, 1), bool)
        """Its squares as they are shown."""
        self.path, self._heart = QPainterPath(), QRectF()
        """Its outline, in its own place."""
        self.state = PieceState.LYING
        self.painted = 0
        """The number of paints, for tests."""

    def show_mask(self, mask: Mask) -> None:
        """Show these squares; the first row and column begin at the item's place."""
        if mask.shape != self.mask.shape or not np.array_equal(mask, self.mask) or self.path.isEmpty():
            self.prepareGeometryChange()
            self.mask = mask
            self.path, self._heart = path_of(mask), square(*heart(mask))
            self.update()

    def show_state(self, state: PieceState) -> None:
        """Show it as placed, hovered, selected, held, or as a preview."""
        if state is not self.state:
            self.state = state
            self.setZValue(HEIGHTS.get(state, PIECE_Z))
            self.update()

    def boundingRect(self) -> QRectF:
        return self.path.boundingRect().adjusted(-6, -6, 6, 8)

    def shape(self) -> QPainterPath:
        return self.path

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        self.painted += 1
        theme, state = current_theme(), self.state
        colour = tint(self.colour, theme)
        if state is PieceState.REFUSED:
            ground = QColor(theme.error)
            ground.setAlpha(40)
            painter.setPen(fine(painter, theme.error, 1.6))
            painter.setBrush(ground)
            painter.drawPath(self.path)
            painter.setBrush(QBrush(theme.error, Qt.BrushStyle.DiagCrossPattern))
            painter.drawPath(self.path)
            return
        if state is PieceState.GHOST:
            ground = QColor(colour)
            ground.setAlpha(120)
            painter.setBrush(ground)
            pen = fine(painter, theme.accent, 1.6)
            pen.setStyle(Qt.PenStyle.DashLine)
            painter.setPen(pen)
            painter.drawPath(self.path)
            return
        _shadow(painter, self.path, is_high=state is PieceState.IN_HAND)
        rim = fine(painter, colour.darker(150))
        if state is PieceState.SELECTED:
            rim = fine(painter, theme.accent, 2.6)
        elif state in (PieceState.HOVERED, PieceState.IN_HAND):
            rim = fine(painter, colour.darker(210), 1.6)
        painter.setPen(rim)
        painter.setBrush(colour.lighter(106) if state is PieceState.HOVERED else colour)
        painter.drawPath(self.path)
        painter.setPen(INK)
        written(painter, self._heart, self._name, NAME_SHARE, 0.8, QFont.Weight.DemiBold)


class CellMark(QGraphicsItem):
    """A ring on a cell, visible on every colour: the first difference of two solutions, or, in red, a fault."""

    def __init__(self, *, is_fault: bool = False) -> None:
        super().__init__()
        self.setZValue(MARK_Z)
        self._is_fault = is_fault
        self.hide()

    def ring(self, row: int, column: int) -> None:
        """Show it on a cell."""
        self.setPos(column * SIDE, row * SIDE)
        self.show()

    def boundingRect(self) -> QRectF:
        return QRectF(0, 0, SIDE, SIDE)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        line = current_theme().error if self._is_fault else INK
        for shade, breadth in ((QColor(255, 255, 255, 220), 5.5), (line, 3.0)):
            painter.setPen(fine(painter, shade, breadth))
            painter.drawRoundedRect(QRectF(2.4, 2.4, SIDE - 4.8, SIDE - 4.8), 2.6, 2.6)


class BoardScene(QGraphicsScene):
    """A tray with pieces on it; cells are SIDE wide, the first is at 0, 0."""

    def __init__(self) -> None:
        super().__init__()
        self.board = Board((".",))
        self.tray = TrayItem()
        self.mark = CellMark()
        self.faults: list[CellMark] = []
        """The rings on faulty cells."""
        self.items_: list[PieceItem] = []
        self.pieces: tuple[Piece, ...] = ()
        """The pieces, in the order of their numbers."""
        for item in (self.tray, self.mark):
            self.addItem(item)

    def show_design(self, board: Board, pieces: Sequence[Piece]) -> None:
        """Show another board and other pieces, which are hidden until they are placed."""
        if board != self.board:
            self.board = board
            self.tray.show_board(board)
            self.mark.hide()
            self.show_faults(())
        if tuple(pieces) != self.pieces:
            for item in self.items_:
                self.removeItem(item)
            self.pieces = tuple(pieces)
            self.items_ = [PieceItem(piece.name, piece.colour) for piece in pieces]
            for item in self.items_:
                item.hide()
                self.addItem(item)

    def show_lying(self, placed: Mapping[int, int]) -> None:
        """Show only these pieces, by their numbers, each on the cells of its placement."""
        for number, item in enumerate(self.items_):
            cells = placed.get(number)
            if cells is not None:
                self.put(number, cells)
            item.setVisible(cells is not None)

    def put(self, number: int, cells: int) -> None:
        """Show one piece on the cells of a placement."""
        item = self.items_[number]
        mask, row, column = lying(self.board, cells)
        item.show_mask(mask)
        item.setPos(column * SIDE, row * SIDE)
        item.show()

    def show_selection(
        self, selection: CalendarSelection, hovered: Collection[int | None], moving: int | None = None
    ) -> None:
        """Frame the selected cell, and mark selected and hovered pieces; a moving piece stays as it is."""
        self.tray.show_selected(selection.cell or "")
        for number, item in enumerate(self.items_):
            if number != moving:
                other = PieceState.HOVERED if number in hovered else PieceState.LYING
                item.show_state(PieceState.SELECTED if number == selection.piece else other)

    def show_mark(self, cell: int | None) -> None:
        """Ring a cell by its number, or none."""
        self.mark.hide()
        if cell is not None:
            self.mark.ring(*self.board.places[self.board.names[cell]])

    def show_faults(self, names: Iterable[str]) -> None:
        """Ring only the faulty cells with these names; unknown names are left out."""
        for mark in self.faults:
            self.removeItem(mark)
        self.faults = []
        for name in names:
            if name in self.board.places:
                mark = CellMark(is_fault=True)
                mark.ring(*self.board.places[name])
                self.addItem(mark)
                self.faults.append(mark)

    def cell_at(self, x: float, y: float) -> str:
        """The name of the cell at a place, or nothing."""
        row, column = int(y // SIDE), int(x // SIDE)
        rows, columns = self.board.mask.shape
        is_cell = 0 <= row < rows and 0 <= column < columns and self.board.mask[row, column]
        return cell_name(column, row) if is_cell else ""

    def piece_at(self, x: float, y: float) -> int | None:
        """The number of the uppermost piece at a place."""
        for item in self.items(QPointF(x, y)):
            if isinstance(item, PieceItem) and item in self.items_ and item.path.contains(item.mapFromScene(x, y)):
                return self.items_.index(item)
        return None


def _shadow(painter: QPainter, path: QPainterPath, *, is_high: bool) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for breadth, strength, drop in SHADOWS[is_high]:
        pen = QPen(QColor(0, 0, 0, strength), breadth, Qt.PenStyle.SolidLine)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        painter.drawPath(path.translated(0.0, drop))
