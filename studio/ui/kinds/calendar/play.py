"""Play: the pieces lie around the board and are dragged, turned and flipped onto it, with hints; solved is told.

hand: the piece that is being moved, by the mouse or by the arrow keys.
Laying and taking up is no edit of the design: it has a history of its own, which Ctrl+Z goes back while the board has
the focus. Games are kept for every moment as long as the window is open.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent

from studio.amounts import many, thousands
from studio.progress import Progress
from studio.puzzles.calendar.game import Game, Hint, Log, Spot, flipped, fresh, hint, in_place, spot, still, turned
from studio.puzzles.calendar.model import CalendarDesign, Mask
from studio.puzzles.calendar.placing import lying
from studio.ui.canvas.tool import ARROWS, Pointer, Tool
from studio.ui.canvas.view import CanvasView
from studio.ui.kinds.calendar import dock
from studio.ui.kinds.calendar.looks import SIDE
from studio.ui.kinds.calendar.moment import MomentBar
from studio.ui.kinds.calendar.page import CanvasPage, Desk, is_same_puzzle
from studio.ui.kinds.calendar.saying import Saying
from studio.ui.kinds.calendar.scene import BoardScene, PieceItem, PieceState
from studio.ui.layout import column, row
from studio.ui.session.derived import Derived
from studio.ui.shell.actions import Command
from studio.ui.solid.panel import Strip
from studio.ui.theme import GAP, MARGIN, heading_font
from studio.ui.widgets import large_button

HINTING = "calendar hint"
STIR = 3
"""Pixels that the mouse must move before a click becomes a drag."""
NO_FLIPPING = "The pieces of this puzzle stay face up. Tick “Pieces may be flipped” in the form to flip them."


class HintAsked(NamedTuple):
    """The state of a game in which a hint is wanted."""

    design: CalendarDesign
    open_cells: tuple[str, ...]
    game: Game


@dataclass
class HeldPiece:
    """A piece in the hand: its squares, and the place in them, in squares, at which it is held."""

    piece: int
    mask: Mask
    held: tuple[float, float]
    by_keys: bool = False
    place: tuple[float, float] = (0.0, 0.0)
    """The row and column of the board at which its corner is."""
    spot: Spot | None = None
    start: Pointer | None = field(default=None, repr=False)
    is_moving: bool = False


class PlayView(CanvasView):
    """A view whose Ctrl+Z takes back a move instead of an edit of the design."""

    def event(self, event: QEvent) -> bool:
        """Take undo and redo before the window's own actions do."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _history(event):
            event.accept()
            return True
        return super().event(event)


def _history(event: QKeyEvent) -> int:
    """-1 for undo, 1 for redo, 0 for any other key."""
    if event.matches(QKeySequence.StandardKey.Undo):
        return -1
    again = event.matches(QKeySequence.StandardKey.Redo) or (
        event.key() == Qt.Key.Key_Y and event.modifiers() == Qt.KeyboardModifier.ControlModifier
    )
    return 1 if again else 0


class PlayTool(Tool):
    """Takes pieces in the hand, by the mouse or by the keys."""

    def __init__(self, page: PlayPage) -> None:
        super().__init__(page)
        self._page = page

    def hovered(self, pointer: Pointer) -> Qt.CursorShape:
        """Show which piece a click would take."""
        over = self._page.scene.piece_at(pointer.x, pointer.y)
        self._page.show_over(over)
        return Qt.CursorShape.ArrowCursor if over is None else Qt.CursorShape.OpenHandCursor

    def pressed(self, pointer: Pointer) -> None:
        """Take the piece under the mouse."""
        page = self._page
        page.put_back()
        piece = page.scene.piece_at(pointer.x, pointer.y)
        if piece is None:
            name = page.scene.cell_at(pointer.x, pointer.y)
            page.desk.selection.select_cell(name or None)
        else:
            page.desk.selection.select([piece])
            page.take(piece, pointer)

    def dragged(self, pointer: Pointer) -> None:
        """The piece follows."""
        self._page.move_hand(pointer)

    def released(self, pointer: Pointer) -> None:
        """Let go."""
        self._page.let_go()

    def double_clicked(self, pointer: Pointer) -> None:
        """Take a piece up, or choose the label of a cell that none covers."""
        page = self._page
        page.put_back()
        piece = page.scene.piece_at(pointer.x, pointer.y)
        if piece is not None:
            page.take_up([piece])
        else:
            page.choose_cell(page.scene.cell_at(pointer.x, pointer.y))

    def menu_asked(self, pointer: Pointer) -> None:
        """Select what is under the mouse and ask for the menu."""
        piece = self._page.scene.piece_at(pointer.x, pointer.y)
        if piece is not None:
            self._page.desk.selection.select([piece])
        self.menu_wanted.emit(pointer.screen)

    def key_pressed(self, event: QKeyEvent) -> bool:
        """Arrows choose a piece or move the one in the hand; Enter takes it in the hand or lays it."""
        page, key = self._page, Qt.Key(event.key())
        if _history(event):
            page.go_back(-_history(event))
            return True
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            page.enter()
            return True
        if key in ARROWS:
            page.arrow(*ARROWS[key])
            return True
        return False

    def left(self) -> None:
        """Nothing is under the mouse any more."""
        self._page.show_over(None)

    def cancelled(self) -> bool:
        """Put the piece in the hand back, or let go what is selected."""
        page = self._page
        if page.hand is not None:
            page.put_back()
            return True
        had = page.desk.selection.piece is not None
        page.desk.selection.select()
        return had


class PlayPage(CanvasPage):
    """The puzzle as it is played."""

    name = "play"
    title = "Play"
    hint = (
        "Drag a piece onto the board. R turns it and F flips it, in the hand or under the mouse; a double-click takes "
        "it up. H lays a piece that is right, Z takes back. With the keys alone: arrows choose a piece, Enter takes "
        "it in the hand and lays it, Escape puts it back."
    )
    plays = True

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.scene = BoardScene()
        self.view, self.tool = PlayView(self.scene), PlayTool(self)
        self.view.setAccessibleName("Game")
        self.view.setAccessibleDescription(
            "Arrow keys choose a piece, Enter takes it in the hand, arrows move it, R turns, F flips, Enter lays it."
        )
        self.view.tool = self.tool
        self.ghost = PieceItem("", 0)
        self.ghost.hide()
        self.scene.addItem(self.ghost)
        self.hand: HeldPiece | None = None
        self._over: int | None = None
        self._shown = desk.design
        self._logs: dict[tuple[str, ...], Log] = {}
        self._dock = dock.dock((1, 1), (), 1.0)
        self._said = ""
        self._hints = Derived(desk.jobs, HINTING, _hinted, key=id, remembered=0, parent=self)
        self._hints.changed.connect(self._take_hint)
        self.moment_bar = MomentBar(desk.moment)
        self.tally, self.says = Saying(), Saying()
        self.says.setFont(heading_font(self.says.font()))
        self.setFocusProxy(self.view)
        self._lay_out()
        self.commands = self._commands()
        desk.moment.changed.connect(self._follow_moment)
        desk.answers.changed.connect(self._say)
        desk.answers.reworded.connect(self._say)
        desk.selection.changed.connect(self._follow_selection)
        self.scene.show_design(desk.design.layout, desk.design.set)
        self._arrange()
        self._follow_moment()

    def _commands(self) -> list[Command]:
        return [
            Command("turn", "Turn", "&Piece", self.turn, ("R",), "turn",
                    "Turn the piece in the hand, or the one under the mouse, by a quarter", on_canvas=True),
            Command("flip_piece", "Flip over", "&Piece", self.flip, ("F",), "turn-over",
                    "Turn the piece over, where the puzzle allows it", on_canvas=True),
            Command("take_up", "Take up", "&Piece", self._take_up_selected, ("Backspace", "Del"), "",
                    "Put the selected piece back beside the board", on_canvas=True),
            Command("hint", "Hint", "&Piece", self.ask_hint, ("H",), "bulb",
                    "Lay a piece of a solution that agrees with what lies", on_canvas=True),
            Command("take_back", "Take back the move", "&Piece", lambda: self.go_back(1), ("Z",), "",
                    "Go back in the game; the design stays as it is", on_canvas=True),
            Command("start_again", "Start again", "&Piece", self.start_again, ("Ctrl+Backspace",), "",
                    "Take up every piece", on_canvas=True),
        ]  # fmt: skip

    def _lay_out(self) -> None:
        below = Strip()
        above = row(self.moment_bar, (self.tally, 1), gap=2 * GAP, margins=(MARGIN, GAP // 2, MARGIN, GAP // 2))
        self.tally.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        buttons = []
        for words, name, deed in (
            ("Hint (H)", "bulb", self.ask_hint), ("Turn (R)", "turn", self.turn), ("Flip (F)", "turn-over", self.flip),
            ("Take back (Z)", "undo", lambda: self.go_back(1)),
            ("Start again (Ctrl+Backspace)", "reset", self.start_again),
        ):  # fmt: skip
            button = large_button(words, name)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(lambda _checked=False, deed=deed: deed())
            buttons.append(button)
        row(*buttons, (self.says, 1), of=below, margins=(MARGIN, 5, MARGIN, 4))
        column(above, (self.view, 1), below, of=self, gap=0)

    # What the window asks

    @property
    def words(self) -> str:
        """How far the game is."""
        return self.tally.text()

    def show_design(self, design: CalendarDesign, *, settled: bool) -> None:
        """Play with another design; what still can lie, lies."""
        before, self._shown = self._shown, design
        if before.set != design.set:
            self._drop_hand()
        self.scene.show_design(design.layout, design.set)
        if not is_same_puzzle(before, design):
            self._drop_hand()
            here = self._logs.get(self.desk.moment.open_cells)
            self._logs = {}
            if here is not None:
                self._logs[self.desk.moment.open_cells] = Log([still(here.game, before, design)])
            self._hints.ask(None)
            self._said = ""
            self._arrange()
        self._show_game()

    def finish(self) -> None:
        """Have the date solved here and now."""
        self.desk.answers.finish()

    def seek(self, share: float) -> None:
        """Show the game with so large a share of the pieces laid as in the first solution, and the next in the hand."""
        answer = self.desk.answers.answer
        if answer is None or not len(answer):
            return
        whole = answer.lying(0)
        order = sorted(whole, key=lambda piece: whole[piece] & -whole[piece])
        count = round(share * len(order))
        for piece in order[:count]:
            self._go_on(self.game.with_laid(self.scene.board, piece, whole[piece]))
        for piece in order[count : count + 1]:
            mask, row, column = lying(self.scene.board, whole[piece])
            middle = (mask.shape[0] / 2, mask.shape[1] / 2)
            self.hand = HeldPiece(piece, mask, middle, place=(row + 0.35, column + 0.3))
            self._show_hand()

    def fit(self) -> None:
        """Show the board and all pieces."""
        self._arrange()
        self._show_game()
        self.view.fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Pieces go where there is room, while none is in the hand."""
        super().resizeEvent(event)
        if self.hand is None:
            self._arrange()
            self._show_game()

    # The game

    @property
    def log(self) -> Log:
        """The game of the moment."""
        return self._logs.setdefault(self.desk.moment.open_cells, Log([fresh(self._shown)]))

    @property
    def game(self) -> Game:
        """What lies where now."""
        return self.log.game

    @property
    def is_solved(self) -> bool:
        """Whether every cell but the open ones is covered."""
        return self.game.covered() == self._room

    @property
    def _room(self) -> int:
        """The cells that are to be covered."""
        board = self.scene.board
        everything = (1 << len(board.names)) - 1
        for name in self.desk.moment.open_cells:
            everything &= ~(1 << board.indices[name])
        return everything

    def _taken(self, but: int) -> int:
        """Where a piece cannot lie: on the others, and on the open cells."""
        whole = (1 << len(self.scene.board.names)) - 1
        return self.game.covered(but=but) | whole & ~self._room

    def _go_on(self, game: Game) -> None:
        self._hints.ask(None)
        self._said = ""
        if not game.is_same(self.game):
            self.log.add(game)
        self._show_game()

    def go_back(self, by: int) -> None:
        """Take back so many moves; a negative number brings moves back."""
        self._drop_hand()
        at = self.log.at - by
        if 0 <= at < len(self.log.states):
            self.log.at = at
            self._said = ""
        else:
            self._said = "No move is left to take back." if by > 0 else "No move was taken back."
        self._show_game()

    def start_again(self) -> None:
        """Take up every piece, as a move that can be taken back."""
        self._drop_hand()
        log, game = self.log, self.game.without(list(self.game.laid))
        if not game.is_same(log.game):
            log.add(game)
        log.begun, log.hints = log.at, 0
        self._go_on(game)

    def take_up(self, pieces: list[int]) -> None:
        """Put pieces back beside the board."""
        self._drop_hand()
        self._go_on(self.game.without(pieces))

    def _take_up_selected(self) -> None:
        piece = self.desk.selection.piece
        if piece is not None:
            self.take_up([piece])

    # Turning and flipping

    def turn(self) -> None:
        """Turn the piece in the hand, under the mouse or selected by a quarter, clockwise."""
        self._change(turned, lambda mask, row, column: (column, mask.shape[0] - row), "turned")

    def flip(self) -> None:
        """Turn it over; where pieces must not be flipped, that is told."""
        if not self._shown.parameters.reflections:
            self.desk.refuse(NO_FLIPPING)
            return
        self._change(flipped, lambda mask, row, column: (row, mask.shape[1] - column), "flipped")

    def _change(
        self, change: Callable[[Mask], Mask], follow: Callable[[Mask, float, float], tuple[float, float]], verb: str
    ) -> None:
        hand = self.hand
        if hand is not None:
            held, before = hand.held, hand.mask
            hand.held = follow(before, *held)
            hand.mask = change(before)
            if not hand.by_keys:
                hand.place = tuple(np.add(hand.place, np.subtract(held, hand.held)).tolist())
            self._show_hand()
            return
        piece = self._over if self._over is not None else self.desk.selection.piece
        if piece is None or piece >= len(self.game.masks):
            self._tell("Take a piece, or point at one.")
            return
        self.desk.selection.select([piece])
        game, mask = self.game, change(self.game.masks[piece])
        if piece in game.laid:
            cells = in_place(self._shown, mask, game.laid[piece], self._taken(piece))
            if cells is None:
                self._tell(f"There is no room there for {self._title(piece)} {verb}; drag it away first.")
                return
            self._go_on(game.with_laid(self.scene.board, piece, cells))
        else:
            # How a piece is held is no move of its own: it would only be in the way of what is taken back.
            self.log.states[self.log.at] = game.with_mask(piece, mask)
            self._show_game()

    # The hand

    def take(self, piece: int, pointer: Pointer) -> None:
        """Take a piece in the hand where the mouse is."""
        item, mask = self.scene.items_[piece], self.game.masks[piece]
        at = item.mapFromScene(pointer.place)
        held = at.y() / SIDE, at.x() / SIDE
        place = pointer.y / SIDE - held[0], pointer.x / SIDE - held[1]
        self.hand = HeldPiece(piece, mask, held, place=place, start=pointer)

    def move_hand(self, pointer: Pointer) -> None:
        """The piece in the hand follows the mouse."""
        hand = self.hand
        if hand is None or hand.start is None:
            return
        if not hand.is_moving:
            offset = pointer.screen - hand.start.screen
            if max(abs(offset.x()), abs(offset.y())) < STIR:
                return
            hand.is_moving = True
            self.view.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
        hand.place = (pointer.y / SIDE - hand.held[0], pointer.x / SIDE - hand.held[1])
        self._show_hand()

    def let_go(self) -> None:
        """Lay the piece where it fits; else it goes back to where it was, or beside the board if let go there."""
        hand = self.hand
        self._drop_hand()
        if hand is None:
            return
        if not hand.is_moving:
            self._keep_mask(hand)
            self._show_game()
            return
        self.view.viewport().setCursor(Qt.CursorShape.ArrowCursor)
        if hand.spot is not None and hand.spot.fits:
            self._go_on(self.game.with_laid(self.scene.board, hand.piece, hand.spot.cells))
            return
        if hand.spot is None:
            self._go_on(self.game.without([hand.piece]))
        self._keep_mask(hand)
        self._show_game()

    def _keep_mask(self, hand: HeldPiece) -> None:
        """A piece beside the board stays as it was turned in the hand."""
        if hand.piece not in self.game.laid:
            self.log.states[self.log.at] = self.game.with_mask(hand.piece, hand.mask)

    def put_back(self) -> None:
        """Give the move up: the piece is where it was."""
        if self.hand is not None:
            self._drop_hand()
            self._show_game()

    def _drop_hand(self) -> None:
        self.hand = None
        self.ghost.hide()

    def _show_hand(self) -> None:
        hand = self.hand
        assert hand is not None
        hand.is_moving = True
        hand.spot = spot(self.scene.board, hand.mask, *hand.place, self._taken(hand.piece))
        item = self.scene.items_[hand.piece]
        item.show_mask(hand.mask)
        item.setScale(1.0)
        row, column = hand.place
        item.setPos(column * SIDE, row * SIDE)
        item.show_state(PieceState.IN_HAND)
        self.ghost.setVisible(hand.spot is not None)
        if hand.spot is not None:
            self.ghost.show_colour(self._shown.set[hand.piece].colour)
            self.ghost.show_mask(hand.mask)
            self.ghost.setPos(hand.spot.column * SIDE, hand.spot.row * SIDE)
            self.ghost.show_state(PieceState.GHOST if hand.spot.fits else PieceState.REFUSED)

    # By the keys

    def enter(self) -> None:
        """Take the selected piece in the hand, or lay the one in it."""
        hand = self.hand
        if hand is not None:
            if hand.spot is not None and hand.spot.fits:
                self._drop_hand()
                self._go_on(self.game.with_laid(self.scene.board, hand.piece, hand.spot.cells))
            else:
                self._tell(f"There is no room there for {self._title(hand.piece)}. Escape puts it back.")
            return
        piece = self.desk.selection.piece
        if piece is None or piece >= len(self.game.masks):
            self.arrow(0, 1)
            return
        mask = self.game.masks[piece]
        place = self._first_place(piece, mask)
        self.hand = HeldPiece(piece, mask, (mask.shape[0] / 2, mask.shape[1] / 2), by_keys=True, place=place)
        self._show_hand()

    def _first_place(self, piece: int, mask: Mask) -> tuple[float, float]:
        """Where a piece begins its way by the keys: where it lies, or where it first fits."""
        board, taken = self.scene.board, self._taken(piece)
        if piece in self.game.laid:
            _mask, row, column = lying(board, self.game.laid[piece])
            return float(row), float(column)
        rows, columns = board.mask.shape
        for row in range(rows):
            for column in range(columns):
                found = spot(board, mask, row, column, taken)
                if found is not None and found.fits and (found.row, found.column) == (row, column):
                    return float(row), float(column)
        return 0.0, 0.0

    def arrow(self, down: int, right: int) -> None:
        """Move the piece in the hand by a cell, or select the piece before or after."""
        hand = self.hand
        if hand is None:
            count = len(self.game.masks)
            if count:
                now = self.desk.selection.piece
                step = down + right
                self.desk.selection.select([(now + step) % count if now is not None else 0])
            return
        rows, columns = self.scene.board.mask.shape
        row = min(max(hand.place[0] + down, 0), rows - hand.mask.shape[0])
        column = min(max(hand.place[1] + right, 0), columns - hand.mask.shape[1])
        hand.place = (row, column)
        self._show_hand()

    # Hints

    def ask_hint(self) -> None:
        """Have a piece laid that is right, or hear which is wrong."""
        self.put_back()
        if self.is_solved:
            return
        self._tell("Thinking …")
        self._hints.ask(HintAsked(self._shown, self.desk.moment.open_cells, self.game))

    def _take_hint(self) -> None:
        asked, found, problem = self._hints.question, self._hints.answer, self._hints.problem
        if asked is None or (found is None and not problem):
            return
        self._said = problem
        self._hints.ask(None)
        game = self.game
        if found is None or asked.open_cells != self.desk.moment.open_cells or asked.game is not game:
            self._say()
            return
        if found.piece is not None:
            self._drop_hand()
            self.log.hints += 1
            self._go_on(game.with_laid(self.scene.board, found.piece, found.cells))
            self.desk.selection.select([found.piece])
        elif found.taken:
            named = " and ".join(self._title(piece) for piece in found.taken)
            self._tell(f"No solution agrees with what lies. Take up {named}.")
            self.desk.selection.select(found.taken[:1])
        else:
            self._tell(f"{self.desk.moment.words} has no solution.")

    # What is shown

    def _follow_moment(self) -> None:
        self._drop_hand()
        self._hints.ask(None)
        self._said = ""
        self.scene.tray.show_open(self.desk.moment.open_cells)
        if self._shown.layout == self.desk.moment.board:
            self._show_game()

    def _arrange(self) -> None:
        """Put the dock where it leaves board and pieces largest."""
        port = self.view.viewport().size()
        sides = [max(piece.mask.shape) for piece in self._shown.set]
        self._dock = dock.dock(self.scene.board.mask.shape, sides, port.width() / max(port.height(), 1))
        room = self._dock.room
        self.view.show_board(room.width(), room.height(), room.left(), room.top())

    def _show_game(self) -> None:
        """Show every piece where it is, unless it is in the hand."""
        game = self.game
        for piece, (item, mask) in enumerate(zip(self.scene.items_, game.masks, strict=True)):
            if self.hand is not None and self.hand.piece == piece and self.hand.is_moving:
                continue
            if piece in game.laid:
                item.setScale(1.0)
                self.scene.lay(piece, game.laid[piece])
                continue
            middle = self._dock.middles[piece]
            item.show_mask(mask)
            item.setScale(dock.SCALE)
            rows, columns = mask.shape
            item.setPos(middle - QPointF(columns, rows) * (SIDE * dock.SCALE / 2))
            item.show()
        self._follow_selection()
        self._say()

    def show_over(self, piece: int | None) -> None:
        """Show which piece a click would take."""
        if piece != self._over:
            self._over = piece
            self._follow_selection()

    def _follow_selection(self) -> None:
        moving = self.hand.piece if self.hand is not None and self.hand.is_moving else None
        self.scene.show_selection(self.desk.selection, {self._over}, moving)

    def _tell(self, words: str) -> None:
        self._said = words
        self._say()

    def _say(self) -> None:
        log, count = self.log, len(self.game.laid)
        said = [f"{count} of {many(len(self.game.masks), 'piece')} lie" + ("s" if count == 1 else "")]
        said.append(many(log.moves, "move"))
        if log.hints:
            said.append(many(log.hints, "hint"))
        if self.tally.text() != " · ".join(said):
            self.tally.setText(" · ".join(said))
            self.desk.selection.changed.emit()
        solved = self.is_solved
        self.scene.tray.show_done(solved)
        self.says.setText(self._solved_words() if solved else self._said)

    def _solved_words(self) -> str:
        answer, when = self.desk.answers.answer, self.desk.moment.words
        if answer is None or not len(answer):
            return f"Solved: {when}."
        others = len(answer) - 1
        if not others and answer.solutions.complete:
            return f"Solved: {when}. This is the only solution."
        least = "" if answer.solutions.complete else "at least "
        return f"Solved: {when}. There {'is' if others == 1 else 'are'} {least}{thousands(others)} other" + (
            " solution." if others == 1 else " solutions."
        )

    def _title(self, piece: int) -> str:
        return f"piece {self._shown.set[piece].name}"


def _hinted(asked: HintAsked, progress: Progress) -> Hint:
    return hint(asked.design, asked.open_cells, asked.game.laid, progress)
