"""Play: the pieces around the board are dragged, rotated and flipped onto it, with hints."""

from __future__ import annotations

from PySide6.QtCore import QPointF
from PySide6.QtGui import QResizeEvent

from studio.base.amounts import many
from studio.base.texts import tr
from studio.puzzles.abilities.playable import Hint
from studio.puzzles.calendar.game import Game, placed_text
from studio.puzzles.calendar.model import CalendarDesign, lying
from studio.ui.canvas.view import CanvasView
from studio.ui.kinds.calendar import dock
from studio.ui.kinds.calendar.dates import DateBar
from studio.ui.kinds.calendar.looks import SIDE
from studio.ui.kinds.calendar.play_tool import HandTool, HeldPiece
from studio.ui.kinds.calendar.scene import BoardScene
from studio.ui.kinds.calendar.views import CanvasPage, Desk, is_same_puzzle
from studio.ui.play.game_page import GamePage
from studio.ui.play.solved_glow import Feast
from studio.ui.session.commands import Command
from studio.ui.session.games import VIEW
from studio.ui.widgets.layout import column


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

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.games = desk.games
        self.scene = BoardScene()
        self.view = CanvasView(self.scene)
        self.view.setAccessibleName(tr("Game"))
        self.view.setAccessibleDescription(
            tr("Arrow keys select a piece, Enter picks it up, arrow keys move it, R rotates, F flips, Enter places it.")
        )
        self.hand = self.tool = self.view.tool = HandTool(desk, self.games, self.scene, self.view, self.choose_cell)
        self.feast = Feast(self.games, self.scene, lambda: self.scene.tray.well)
        self._shown = desk.design
        self._dock = dock.dock((1, 1), (), 1.0)
        self.scene.show_design(desk.design.layout, desk.design.set)
        self.games.show(desk.design, desk.date.open_cells)
        self.date_bar = DateBar(desk.date)
        buttons = (tr("Rotate (R)"), "turn", self.hand.turn), (tr("Flip (F)"), "turn-over", self.hand.flip)
        self.page = GamePage(
            self.games, self.view, chooser=self.date_bar, buttons=buttons, solved=self._solved_words
        )  # fmt: skip
        self.setFocusProxy(self.view)
        column(self.page, of=self)
        self.commands = self._commands()
        self.games.moved.connect(self._follow_game)
        self.games.opened.connect(self._follow_opened)
        self.games.hinted.connect(self._follow_hint)
        self.hand.let_go.connect(self._show_game)
        self.page.counted.connect(self.reworded)
        desk.date.changed.connect(self._follow_date)
        desk.answers.changed.connect(self.page.say)
        desk.answers.reworded.connect(self.page.say)
        self._arrange()
        self._follow_date()

    def _commands(self) -> list[Command]:
        return [
            Command("turn", tr("Rotate piece"), "&Piece", self.hand.turn, ("R",), "turn",
                    tr("Rotate the piece you hold or point at by a quarter"), on_canvas=True),
            Command("flip_piece", tr("Flip piece"), "&Piece", self.hand.flip, ("F",), "turn-over",
                    tr("Flip the piece you hold or point at, if the puzzle allows it"), on_canvas=True),
            Command("take_up", tr("Remove piece"), "&Piece", lambda: self.hand.remove(self.desk.selection.piece),
                    ("Backspace", "Del"), "", tr("Put the selected piece back beside the board"), on_canvas=True),
            *self.page.commands("&Piece"),
        ]  # fmt: skip

    # What the window asks

    @property
    def words(self) -> str:
        """The state of the game."""
        return self.page.tally.text()

    def show_design(self, design: CalendarDesign, *, settled: bool) -> None:
        """Play with another design; pieces that still fit stay placed."""
        before, self._shown = self._shown, design
        self.hand.drop()
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
            middle = (mask.shape[0] / 2, mask.shape[1] / 2)
            self.hand.hold(HeldPiece(piece, mask, middle, place=(row + 0.35, column + 0.3)))

    def fit(self) -> None:
        """Show the board and all pieces."""
        self._arrange()
        self._show_game()
        self.view.fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange the pieces again unless one is held."""
        super().resizeEvent(event)
        if self.hand.piece is None:
            self._arrange()
            self._show_game()

    # What is shown

    @property
    def game(self) -> Game:
        """The current game."""
        game: Game = self.games.game
        return game

    def _follow_game(self) -> None:
        self.hand.drop()
        self.scene.tray.show_done(self.games.is_solved)
        self._show_game()
        self.feast.follow()

    def _follow_hint(self, hint: Hint) -> None:
        names = [piece.name for piece in self._shown.set]
        self.desk.selection.select(names.index(name) for name in hint.pieces[:1])

    def _follow_date(self) -> None:
        self.scene.tray.show_open(self.desk.date.open_cells)
        if self.desk.date.is_of(self._shown):
            self.games.choose(self.desk.date.open_cells)

    def _follow_opened(self) -> None:
        self.desk.date.choose(*(self._shown.layout.on[name] for name in self.games.target))

    def _arrange(self) -> None:
        """Put the dock where it leaves board and pieces largest."""
        port = self.view.viewport().size()
        sides = [max(piece.mask.shape) for piece in self._shown.set]
        self._dock = dock.dock(self.scene.board.mask.shape, sides, port.width() / max(port.height(), 1))
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
        self.hand.show_selection()

    def _solved_words(self) -> str:
        answer, when = self.desk.answers.answer, self.desk.date.words
        if answer is None or not len(answer):
            return tr("Solved: {date}.", date=when)
        solutions = many(len(answer), "solution")
        if not answer.solutions.complete:
            return tr("Solved: {date}. One of at least {solutions}.", date=when, solutions=solutions)
        if len(answer) == 1:
            return tr("Solved: {date}. This is the only solution.", date=when)
        return tr("Solved: {date}. One of {solutions}.", date=when, solutions=solutions)
