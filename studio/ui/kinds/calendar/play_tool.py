"""The tool for play: pieces are picked up, rotated, flipped and placed by mouse or keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent

from studio.base.texts import tr
from studio.puzzles.calendar.game import Game, Spot, flipped, in_place, off_text, placed_text, spot, turned
from studio.puzzles.calendar.model import CalendarDesign, Mask, lying
from studio.ui.canvas.view import ARROWS, CanvasView, Pointer, Tool, stirred
from studio.ui.kinds.calendar.scene import SIDE, BoardScene, PieceItem, PieceState
from studio.ui.kinds.calendar.views import Desk
from studio.ui.session.games import Games

NO_FLIPPING = tr("Pieces cannot be flipped. Turn on “Flipped pieces” in the form to allow it.")


@dataclass
class HeldPiece:
    """A held piece: its squares, and the point, in squares, at which it is held."""

    piece: int
    mask: Mask
    held: tuple[float, float]
    by_keys: bool = False
    place: tuple[float, float] = (0.0, 0.0)
    """Row and column of its corner on the board."""
    spot: Spot | None = None
    start: Pointer | None = field(default=None, repr=False)
    is_moving: bool = False


class HandTool(Tool):
    """Picks pieces up and makes moves of their placements."""

    let_go = Signal()
    """The held pieces were released; pieces that were not moved go back to their places."""

    def __init__(
        self, desk: Desk, games: Games, scene: BoardScene, view: CanvasView, choose_cell: Callable[[str], None]
    ) -> None:
        super().__init__(view)
        self._desk, self._games, self._scene, self._view = desk, games, scene, view
        self._choose_cell = choose_cell
        self.piece: HeldPiece | None = None
        self.ghost = PieceItem("", 0)
        self.ghost.hide()
        scene.addItem(self.ghost)
        self._over: int | None = None
        desk.selection.changed.connect(self.show_selection)

    @property
    def _design(self) -> CalendarDesign:
        design: CalendarDesign = self._games.design
        return design

    @property
    def _game(self) -> Game:
        game: Game = self._games.game
        return game

    @property
    def moving(self) -> int | None:
        """The piece that is being moved."""
        return self.piece.piece if self.piece is not None and self.piece.is_moving else None

    def show_selection(self) -> None:
        """Show the selected and the hovered piece."""
        self._scene.show_selection(self._desk.selection, {self._over}, self.moving)

    # The mouse

    def hovered(self, pointer: Pointer) -> Qt.CursorShape:
        """Show the hovered piece."""
        over = self._scene.piece_at(pointer.x, pointer.y)
        self._show_over(over)
        return Qt.CursorShape.ArrowCursor if over is None else Qt.CursorShape.OpenHandCursor

    def left(self) -> None:
        """Nothing is under the mouse any more."""
        self._show_over(None)

    def _show_over(self, piece: int | None) -> None:
        if piece != self._over:
            self._over = piece
            self.show_selection()

    def pressed(self, pointer: Pointer) -> None:
        """Pick up the piece under the mouse."""
        self.put_back()
        piece = self._scene.piece_at(pointer.x, pointer.y)
        if piece is None:
            self._desk.selection.select_cell(self._scene.cell_at(pointer.x, pointer.y) or None)
            return
        self._desk.selection.select([piece])
        at = self._scene.items_[piece].mapFromScene(pointer.place)
        held = at.y() / SIDE, at.x() / SIDE
        place = pointer.y / SIDE - held[0], pointer.x / SIDE - held[1]
        self.piece = HeldPiece(piece, self._game.masks[piece], held, place=place, start=pointer)

    def dragged(self, pointer: Pointer) -> None:
        """The held piece follows the mouse."""
        holding = self.piece
        if holding is None or holding.start is None:
            return
        if not holding.is_moving:
            if not stirred(holding.start.screen, pointer.screen):
                return
            self._view.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
        holding.place = (pointer.y / SIDE - holding.held[0], pointer.x / SIDE - holding.held[1])
        self.hold(holding)

    def released(self, pointer: Pointer) -> None:
        """Place the piece if it fits; otherwise it goes back, or next to the board if dropped there."""
        holding = self.piece
        if holding is None or not holding.is_moving:
            self.put_back()
            return
        self._view.viewport().setCursor(Qt.CursorShape.ArrowCursor)
        if self._place(holding):
            return
        if holding.spot is None:
            self.remove(holding.piece)
        self.drop()
        if holding.piece in self._game.placed:
            self.let_go.emit()
        else:
            self._games.hold(self._game.with_mask(holding.piece, holding.mask))

    def double_clicked(self, pointer: Pointer) -> None:
        """Remove a piece, or select the label of an uncovered cell."""
        self.put_back()
        piece = self._scene.piece_at(pointer.x, pointer.y)
        if piece is not None:
            self.remove(piece)
        else:
            self._choose_cell(self._scene.cell_at(pointer.x, pointer.y))

    def menu_asked(self, pointer: Pointer) -> None:
        """Select the piece or cell under the mouse and ask for the menu."""
        piece = self._scene.piece_at(pointer.x, pointer.y)
        if piece is not None:
            self._desk.selection.select([piece])
        self.menu_wanted.emit(pointer.screen)

    # The keys

    def key_pressed(self, event: QKeyEvent) -> bool:
        """Arrow keys select a piece or move the held one; Enter picks it up or places it."""
        key = Qt.Key(event.key())
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._enter()
        elif key in ARROWS:
            self._step(*ARROWS[key])
        else:
            return False
        return True

    def cancelled(self) -> bool:
        """Put the held piece back, or clear the selection."""
        if self.piece is not None:
            self.put_back()
            return True
        had = self._desk.selection.piece is not None
        self._desk.selection.select()
        return had

    def _enter(self) -> None:
        holding = self.piece
        if holding is not None:
            if not self._place(holding):
                self._games.post(tr("{piece} does not fit there. Esc puts it back.", piece=self._title(holding.piece)))
            return
        piece = self._desk.selection.piece
        if piece is None or piece >= len(self._game.masks):
            self._step(0, 1)
            return
        mask = self._game.masks[piece]
        middle = (mask.shape[0] / 2, mask.shape[1] / 2)
        self.hold(HeldPiece(piece, mask, middle, by_keys=True, place=self._first_place(piece, mask)))

    def _first_place(self, piece: int, mask: Mask) -> tuple[float, float]:
        """The start of a piece moved by keys: its place, or the first place where it fits."""
        game = self._game
        if piece in game.placed:
            _mask, row, column = lying(game.board, game.placed[piece])
            return float(row), float(column)
        rows, columns = game.board.mask.shape
        for row in range(rows):
            for column in range(columns):
                found = spot(game.board, mask, row, column, game.taken(piece))
                if found is not None and found.fits and (found.row, found.column) == (row, column):
                    return float(row), float(column)
        return 0.0, 0.0

    def _step(self, down: int, right: int) -> None:
        """Move the held piece by a cell, or select the previous or next piece."""
        holding, count = self.piece, len(self._game.masks)
        if holding is not None:
            rows, columns = self._game.board.mask.shape
            row = min(max(holding.place[0] + down, 0), rows - holding.mask.shape[0])
            column = min(max(holding.place[1] + right, 0), columns - holding.mask.shape[1])
            holding.place = (row, column)
            self.hold(holding)
        elif count:
            now = self._desk.selection.piece
            self._desk.selection.select([(now + down + right) % count if now is not None else 0])

    # Turning and flipping

    def turn(self) -> None:
        """Rotate the held, hovered or selected piece clockwise by a quarter."""
        self._change(turned, lambda mask, row, column: (column, mask.shape[0] - row), tr("rotated"))

    def flip(self) -> None:
        """Flip it, or show that flipping is not allowed."""
        if not self._design.parameters.reflections:
            self._desk.refuse(NO_FLIPPING)
            return
        self._change(flipped, lambda mask, row, column: (row, mask.shape[1] - column), tr("flipped"))

    def _change(
        self, change: Callable[[Mask], Mask], follow: Callable[[Mask, float, float], tuple[float, float]], verb: str
    ) -> None:
        holding, game = self.piece, self._game
        if holding is not None:
            held, before = holding.held, holding.mask
            holding.held = follow(before, *held)
            holding.mask = change(before)
            if not holding.by_keys:
                holding.place = tuple(np.add(holding.place, np.subtract(held, holding.held)).tolist())
            self.hold(holding)
            return
        piece = self._over if self._over is not None else self._desk.selection.piece
        if piece is None or piece >= len(game.masks):
            self._games.post(tr("Pick up or point at a piece."))
            return
        self._desk.selection.select([piece])
        mask = change(game.masks[piece])
        if piece not in game.placed:
            # The rotation of a held piece is not a move of its own: it would only be in the way of undo.
            self._games.hold(game.with_mask(piece, mask))
            return
        cells = in_place(game.board, mask, game.placed[piece], game.taken(piece))
        if cells is None:
            self._games.post(
                tr("{piece} does not fit there {turned}; drag it away first.", piece=self._title(piece), turned=verb)
            )
        elif cells != game.placed[piece]:
            self._games.move(placed_text(self._design, piece, cells))

    # The held piece

    def hold(self, holding: HeldPiece) -> None:
        """Hold a piece, and show its snap position."""
        self.piece, holding.is_moving = holding, True
        holding.spot = spot(self._game.board, holding.mask, *holding.place, self._game.taken(holding.piece))
        item = self._scene.items_[holding.piece]
        item.show_mask(holding.mask)
        item.setScale(1.0)
        row, column = holding.place
        item.setPos(column * SIDE, row * SIDE)
        item.show_state(PieceState.IN_HAND)
        self.ghost.setVisible(holding.spot is not None)
        if holding.spot is not None:
            self.ghost.show_colour(self._design.set[holding.piece].colour)
            self.ghost.show_mask(holding.mask)
            self.ghost.setPos(holding.spot.column * SIDE, holding.spot.row * SIDE)
            self.ghost.show_state(PieceState.GHOST if holding.spot.fits else PieceState.REFUSED)

    def remove(self, piece: int | None) -> None:
        """Put a piece, or the selected one, back next to the board."""
        if piece is not None and piece in self._game.placed:
            self._games.move(off_text(self._design, piece))

    def drop(self) -> None:
        """Hold no piece."""
        self.piece = None
        self.ghost.hide()

    def put_back(self) -> None:
        """Cancel the move: the piece goes back."""
        if self.piece is not None:
            self.drop()
            self.let_go.emit()

    def _place(self, holding: HeldPiece) -> bool:
        """Place a piece on its spot; returns whether it fits there."""
        if holding.spot is None or not holding.spot.fits:
            return False
        if self._game.placed.get(holding.piece) == holding.spot.cells:
            self.put_back()
        else:
            self._games.move(placed_text(self._design, holding.piece, holding.spot.cells))
        return True

    def _title(self, piece: int) -> str:
        return tr("Piece {name}", name=self._design.set[piece].name)
