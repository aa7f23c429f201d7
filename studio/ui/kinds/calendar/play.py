"""Play: the pieces around the board are dragged, rotated and flipped onto it, with hints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QResizeEvent

from studio.base.amounts import many
from studio.base.texts import tr
from studio.puzzles.abilities.playable import Hint
from studio.puzzles.calendar.game import Game, placed_text
from studio.puzzles.calendar.gestures import Hand, HeldPiece, Under
from studio.puzzles.calendar.model import CalendarDesign, lying
from studio.ui.canvas.view import CanvasView
from studio.ui.kinds.calendar.scene import RIM, SIDE, BoardScene, PieceItem, PieceState
from studio.ui.kinds.calendar.views import BaseCalendarExtension, CanvasPage, DateBar, is_same_puzzle
from studio.ui.panels.game_page import Feast, GamePage, PlayTool
from studio.ui.session.actions import Command
from studio.ui.session.games import VIEW
from studio.ui.widgets.layout import column

APART = 0.25
"""Room between two pieces, in cells."""
AWAY = 0.8
"""Room between board and pieces, in cells."""


@dataclass(frozen=True)
class Dock:
    """The middle of every piece's slot, and the visible area, in units of the scene."""

    middles: tuple[QPointF, ...]
    room: QRectF


def dock(shape: tuple[int, int], sides: Sequence[int], aspect: float) -> Dock:
    """A dock for pieces whose longer sides are `sides`, for a window `aspect` times as wide as high."""
    rows, columns = shape
    slots = [side + APART for side in sides]
    best: tuple[float, Dock] | None = None
    for beside in (True, False):
        for across in range(1, len(slots) + 1):
            made = _packed(slots, across, rows, columns, beside=beside)
            fit = min(aspect * 100 / made.room.width(), 100 / made.room.height())
            if best is None or fit > best[0] * 1.0001:
                best = fit, made
    return best[1] if best is not None else Dock((), _board(rows, columns))


def _board(rows: int, columns: int) -> QRectF:
    return QRectF(-RIM, -RIM, columns * SIDE + 2 * RIM, rows * SIDE + 2 * RIM)


def _packed(slots: Sequence[float], across: int, rows: int, columns: int, *, beside: bool) -> Dock:
    """Slots in lines of `across`, each as high as its largest; the lines are centred on the board's middle."""
    lines = [slots[first : first + across] for first in range(0, len(slots), across)]
    width, height = max(sum(line) for line in lines), sum(max(line) for line in lines)
    board = _board(rows, columns)
    if beside:
        left, top = columns + RIM / SIDE + AWAY, (rows - height) / 2
    else:
        left, top = (columns - width) / 2, rows + RIM / SIDE + AWAY
    middles = []
    for line in lines:
        high = max(line)
        gap = (width - sum(line)) / len(line)
        at = left
        for slot in line:
            middles.append(QPointF((at + (slot + gap) / 2) * SIDE, (top + high / 2) * SIDE))
            at += slot + gap
        top += high
    taken = QRectF(left * SIDE, (top - height) * SIDE, width * SIDE, height * SIDE)
    return Dock(tuple(middles), board.united(taken))


class PlayPage(CanvasPage):
    """The puzzle as it is played."""

    name = VIEW
    title = tr("Play")
    hint = tr(
        "Drag a piece onto the board. R rotates and F flips the piece you hold or point at; double-click removes it. "
        "H places a correct piece, Z undoes a move. Keyboard: arrow keys select a piece, Enter picks it up and places "
        "it, Esc puts it back."
    )
    plays = True
    tool: PlayTool

    def __init__(self, desk: BaseCalendarExtension) -> None:
        super().__init__(desk)
        self.games = desk.games
        self.scene = BoardScene()
        self.view = CanvasView(self.scene)
        self.view.setAccessibleName(tr("Game"))
        self.view.setAccessibleDescription(
            tr("Arrow keys select a piece, Enter picks it up, arrow keys move it, R rotates, F flips, Enter places it.")
        )
        self.ghost = PieceItem("", 0)
        self.ghost.hide()
        self.scene.addItem(self.ghost)
        self.tool = self.view.tool = PlayTool(self.games, self.view, self, Hand(), SIDE)
        self.feast = Feast(self.games, self.scene, lambda: self.scene.tray.well)
        self._shown = desk.design
        self._dock = dock((1, 1), (), 1.0)
        self.scene.show_design(desk.design.layout, desk.design.set)
        self.games.show(desk.design, desk.date.open_cells)
        self.date_bar = DateBar(desk.date)
        key = self.tool.press_key
        buttons = (
            (tr("Rotate (R)"), "turn", partial(key, "rotate")), (tr("Flip (F)"), "turn-over", partial(key, "flip")),
        )  # fmt: skip
        self.page = GamePage(
            self.games, self.view, chooser=self.date_bar, buttons=buttons, solved=self._solved_words
        )  # fmt: skip
        self.setFocusProxy(self.view)
        column(self.page, of=self)
        self.commands = self._commands()
        self.games.moved.connect(self._follow_game)
        self.games.opened.connect(
            lambda: desk.date.choose(*(self._shown.layout.on[name] for name in self.games.target))
        )
        self.games.hint_given.connect(self._follow_hint)
        desk.selection.changed.connect(self._follow_selection)
        self.page.counted.connect(self.reworded)
        desk.date.changed.connect(self._follow_date)
        desk.answers.changed.connect(self.page.say)
        desk.answers.reworded.connect(self.page.say)
        self._arrange()
        self._follow_date()

    def _commands(self) -> list[Command]:
        key = self.tool.press_key
        return [
            Command("turn", tr("Rotate piece"), "&Piece", partial(key, "rotate"), ("R",), "turn",
                    tr("Rotate the piece you hold or point at by a quarter"), on_canvas=True),
            Command("flip_piece", tr("Flip piece"), "&Piece", partial(key, "flip"), ("F",), "turn-over",
                    tr("Flip the piece you hold or point at, if the puzzle allows it"), on_canvas=True),
            Command("take_up", tr("Remove piece"), "&Piece", partial(key, "remove"), ("Backspace", "Del"), "",
                    tr("Put the selected piece back beside the board"), on_canvas=True),
            *self.page.commands("&Piece"),
        ]  # fmt: skip

    # Called by the window

    @property
    def status_text(self) -> str:
        """The state of the game."""
        return self.page.tally.text()

    def show_design(self, design: CalendarDesign, *, settled: bool) -> None:
        """Play with another design; pieces that still fit stay placed."""
        before, self._shown = self._shown, design
        self.tool.take(replace(self.hand, held=None))
        self.scene.show_design(design.layout, design.set)
        if not is_same_puzzle(before, design):
            self._arrange()
        self.games.show(design, self.desk.date.open_cells)

    def finish(self) -> None:
        """Solve the date at once."""
        self.desk.answers.finish()

    def seek(self, share: float) -> None:
        """Show the game with a share of the pieces placed as in the first solution, and the next one held."""
        answer = self.desk.answers.answer
        if answer is None or not len(answer):
            return
        self.games.watch(watches=False)  # a picture does not depend on the time
        whole = answer.lying(0)
        order = sorted(whole, key=lambda piece: whole[piece] & -whole[piece])
        count = round(share * len(order))
        for piece in order[:count]:
            self.games.move(placed_text(self._shown, piece, whole[piece]))
        for piece in order[count : count + 1]:
            mask, row, column = lying(self.scene.board, whole[piece])
            held = HeldPiece(piece, mask, (mask.shape[0] / 2, mask.shape[1] / 2), row + 0.35, column + 0.3)
            self.tool.take(replace(self.hand, held=held.over(self.game)))

    def fit(self) -> None:
        """Show the board and all pieces."""
        self._arrange()
        self._show_game()
        self.view.fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange the pieces again unless one is held."""
        super().resizeEvent(event)
        if self.hand.held is None:
            self._arrange()
            self._show_game()

    # Display

    @property
    def game(self) -> Game:
        """The current game."""
        game: Game = self.games.game
        return game

    @property
    def hand(self) -> Hand:
        """The hand that the tool shows."""
        hand: Hand = self.tool.hand
        return hand

    def hit(self, x: float, y: float) -> Under:
        """The piece or the cell under the mouse."""
        piece = self.scene.piece_at(x, y)
        if piece is None:
            return Under(cell=self.scene.cell_at(x, y))
        item = self.scene.items_[piece]
        return Under(piece, item.y() / SIDE, item.x() / SIDE)

    def show_hand(self, before: Hand, hand: Hand) -> None:
        """Show the held piece with the spot where it would lie, and the selection."""
        if (hand.selected, hand.cell) != (before.selected, before.cell):
            if hand.selected is None:
                self.desk.selection.select_cell(hand.cell)
            else:
                self.desk.selection.select([hand.selected])
        held = hand.held if hand.moving is not None else None
        self.ghost.setVisible(held is not None and held.spot is not None)
        if before.moving not in (None, hand.moving):
            self._show_game()
        if held is None:
            self._show_selection()
            return
        item = self.scene.items_[held.piece]
        item.show_mask(held.mask)
        item.setPos(held.column * SIDE, held.row * SIDE)
        item.show_state(PieceState.IN_HAND)
        if held.spot is not None:
            self.ghost.colour = self._shown.set[held.piece].colour
            self.ghost.show_mask(held.mask)
            self.ghost.setPos(held.spot.column * SIDE, held.spot.row * SIDE)
            self.ghost.show_state(PieceState.GHOST if held.spot.fits else PieceState.REFUSED)

    def answer(self, what: str, *values: str) -> None:
        """Select the label of a cell, or show why something is refused."""
        if what == "choose":
            self.choose_cell(*values)
        else:
            self.desk.refuse(*values)

    def _follow_selection(self) -> None:
        chosen = self.desk.selection
        if (chosen.piece, chosen.cell) != (self.hand.selected, self.hand.cell):
            self.tool.take(replace(self.hand, selected=chosen.piece, cell=chosen.cell))
        self._show_selection()

    def _show_selection(self) -> None:
        self.scene.show_selection(self.desk.selection, {self.hand.over}, self.hand.moving)

    def _follow_game(self) -> None:
        self.tool.drop()
        self.scene.tray.is_done = self.games.is_solved
        self._show_game()
        self.feast.follow()

    def _follow_hint(self, hint: Hint) -> None:
        names = [piece.name for piece in self._shown.set]
        self.desk.selection.select(names.index(name) for name in hint.pieces[:1])

    def _follow_date(self) -> None:
        self.scene.tray.show_open(self.desk.date.open_cells)
        if self.desk.date.is_of(self._shown):
            self.games.choose(self.desk.date.open_cells)

    def _arrange(self) -> None:
        """Put the dock on the side that leaves board and pieces largest."""
        port = self.view.viewport().size()
        sides = [max(piece.mask.shape) for piece in self._shown.set]
        self._dock = dock(self.scene.board.mask.shape, sides, port.width() / max(port.height(), 1))
        room = self._dock.room
        self.view.show_board(room.width(), room.height(), room.left(), room.top())

    def _show_game(self) -> None:
        """Show every piece in its place, unless it is held."""
        game = self.game
        for piece, (item, mask) in enumerate(zip(self.scene.items_, game.masks, strict=True)):
            if piece == self.hand.moving:
                continue
            if piece in game.placed:
                self.scene.put(piece, game.placed[piece])
                continue
            middle = self._dock.middles[piece]
            item.show_mask(mask)
            rows, columns = mask.shape
            item.setPos(middle - QPointF(columns, rows) * (SIDE / 2))
            item.show()
        self._show_selection()

    def _solved_words(self) -> str:
        answer, when = self.desk.answers.answer, self.desk.date.date_text
        if answer is None or not len(answer):
            return tr("Solved: {date}.", date=when)
        solutions = many(len(answer), "solution")
        if not answer.solutions.complete:
            return tr("Solved: {date}. One of at least {solutions}.", date=when, solutions=solutions)
        if len(answer) == 1:
            return tr("Solved: {date}. This is the only solution.", date=when)
        return tr("Solved: {date}. One of {solutions}.", date=when, solutions=solutions)
