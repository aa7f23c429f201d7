"""The page of a game around its board: the tool that plays it, the clock, buttons, and the light when it is solved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from PySide6.QtCore import QEasingCurve, QEvent, QObject, QPoint, QPointF, Qt, QVariantAnimation, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFontDatabase,
    QHideEvent,
    QKeyEvent,
    QKeySequence,
    QLinearGradient,
    QPainterPath,
    QPalette,
    QShowEvent,
)
from PySide6.QtWidgets import QApplication, QGraphicsPathItem, QGraphicsScene, QLabel, QStyle, QToolButton, QWidget

from studio.base.amounts import many, stopwatch
from studio.base.texts import tr
from studio.puzzles.abilities.cuttable import Cuttable
from studio.puzzles.abilities.playable import Gesture, Hint, What
from studio.ui.canvas.paths import cosmetic
from studio.ui.canvas.view import CanvasView, Pointer, Tool, stirred
from studio.ui.session.actions import Command
from studio.ui.session.extension import Extension, View
from studio.ui.session.games import VIEW, Games, game_commands
from studio.ui.session.session import Session
from studio.ui.widgets.controls import ElidedLabel, Strip, TextLine, large_button
from studio.ui.widgets.layout import column, row
from studio.ui.widgets.theme import GAP, MARGIN, current_theme, heading_font

D = TypeVar("D")
G = TypeVar("G")
H = TypeVar("H")

Button = tuple[str, str, Callable[[], object]]
"""Words, icon and action of a button."""


def _steps_back(event: QEvent) -> int:
    """1 for undo, -1 for redo, 0 for anything else."""
    if not isinstance(event, QKeyEvent):
        return 0
    if event.matches(QKeySequence.StandardKey.Undo):
        return 1
    again = event.matches(QKeySequence.StandardKey.Redo) or (
        event.key() == Qt.Key.Key_Y and event.modifiers() == Qt.KeyboardModifier.ControlModifier
    )
    return -1 if again else 0


class GamePage(QWidget):
    """A kind's board, above it the progress of the game, below it buttons and messages.

    Placing and removing pieces does not edit the design: a game has a history of its own, which Ctrl+Z undoes while the
    page has the focus. The board follows `Games.moved` by itself.
    """

    counted = Signal()
    """The tally changed."""

    def __init__(
        self,
        games: Games,
        board: QWidget,
        *,
        chooser: QWidget | None = None,
        buttons: Sequence[Button] = (),
        solved: Callable[[], str] = lambda: tr("Solved."),
    ) -> None:
        super().__init__()
        self._games, self._solved = games, solved
        self.buttons: dict[str, QToolButton] = {}
        """The buttons by their words."""
        self.tally, self.says, self.clock = ElidedLabel(), ElidedLabel(wraps=True), QLabel()
        self.tally.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.says.setFont(heading_font(self.says.font()))
        self.clock.setObjectName("clock")
        self.clock.setToolTip(tr("Playing time; pauses while the game is out of sight"))
        self.clock.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.clock.hide()
        self.setFocusProxy(board)
        first = () if chooser is None else (chooser,)
        above = row(*first, (self.tally, 1), self.clock, gap=2 * GAP, margins=(MARGIN, GAP // 2, MARGIN, GAP // 2))
        below = Strip()
        row(*self._made(buttons), (self.says, 1), of=below, margins=(MARGIN, 5, MARGIN, 4))
        column(above, (board, 1), below, of=self, gap=0)
        games.moved.connect(self.say)
        games.posted.connect(self.say)
        games.clock_ticked.connect(self._show_time)

    def _made(self, own: Sequence[Button]) -> list[QWidget]:
        made: list[QWidget] = []
        for words, name, action in (
            (tr("Hint (H)"), "bulb", self._games.ask_hint), *own,
            (tr("Undo move (Z)"), "undo", partial(self._games.go_back, 1)),
            (tr("Start over (Ctrl+Backspace)"), "reset", self._games.restart),
        ):  # fmt: skip
            button = large_button(words, name)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(lambda _checked=False, action=action: action())
            self.buttons[words] = button
            made.append(button)
        return made

    def commands(self, menu: str) -> list[Command]:
        """Commands of every game, for a menu."""
        return game_commands(self._games, menu)

    def say(self) -> None:
        """Show the progress of the game and the answer to the last request."""
        log = self._games.log
        words = [self._games.tally, many(log.count, "move"), *([many(log.hints, "hint")] if log.hints else [])]
        if self.tally.text() != " · ".join(words):
            self.tally.setText(" · ".join(words))
            self.counted.emit()
        self.says.setText(self._solved() if self._games.is_solved else self._games.said)
        self._show_time()

    def _show_time(self) -> None:
        self.clock.setVisible(bool(self._games.log.moves))
        self.clock.setText(stopwatch(self._games.seconds))

    def event(self, event: QEvent) -> bool:
        """Take undo and redo before the window's own actions do."""
        if event.type() is QEvent.Type.ShortcutOverride and _steps_back(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Undo and redo go through the game."""
        if steps := _steps_back(event):
            self._games.go_back(steps)
        else:
            event.ignore()

    def showEvent(self, event: QShowEvent) -> None:
        self._games.watch(watches=True)

    def hideEvent(self, event: QHideEvent) -> None:
        self._games.watch(watches=False)


KEYS = {
    Qt.Key.Key_Left: "left", Qt.Key.Key_Right: "right", Qt.Key.Key_Up: "up", Qt.Key.Key_Down: "down",
    Qt.Key.Key_Return: "enter", Qt.Key.Key_Enter: "enter", Qt.Key.Key_Space: "space",
}  # fmt: skip
CURSORS = {
    "": Qt.CursorShape.ArrowCursor, "point": Qt.CursorShape.PointingHandCursor,
    "open": Qt.CursorShape.OpenHandCursor, "closed": Qt.CursorShape.ClosedHandCursor,
}  # fmt: skip


class PlayBoard(Protocol):
    """A kind's board, as the tool sees it."""

    def hit(self, x: float, y: float) -> Any:
        """Return what lies at a place of the scene, for the kind's `interpret`."""

    def show_hand(self, before: Any, hand: Any) -> None:
        """Show the hand in place of the one before."""

    def answer(self, what: str, *values: str) -> None:
        """Carry out a request of the kind's own."""


class PlayTool(Tool):
    """Turns mouse and keys into gestures, has the kind interpret them, and carries out the replies.

    `hand` is the state between gestures: whatever is held, selected, or under mouse and keys, and its `cursor`.
    """

    def __init__(self, games: Games, view: CanvasView, board: PlayBoard, hand: Any, unit: float = 1.0) -> None:
        """`unit` is the length of the kind's unit in the scene."""
        super().__init__(view)
        self._games, self._view, self._board, self._unit = games, view, board, unit
        self.hand = self._shown = hand
        self._moves = False
        """True while a move of the hand is made."""
        self._pressed: QPoint | None = None
        """Place of the press on the screen, until a drag begins."""
        self._last: QPoint | None = None
        """Place of the mouse on the screen."""

    def act(self, what: What, pointer: Pointer | None = None, **more: Any) -> bool:
        """Have a gesture interpreted, and carry out the reply; returns whether the gesture was used."""
        games, port = self._games, self._view.viewport()
        if pointer is not None:
            self._last = pointer.screen
            more |= {
                "x": pointer.x / self._unit, "y": pointer.y / self._unit, "shift": pointer.shift,
                "control": pointer.control, "is_off": not port.rect().contains(port.mapFromGlobal(pointer.screen)),
            }  # fmt: skip
        assert games.played.interpret is not None
        reply = games.played.interpret(games.design, games.game, self.hand, Gesture(what, **more))
        self.hand = reply.hand
        if reply.move:
            self._moves = True
            games.move(reply.move)
            self._moves = False
        if reply.game is not None:
            games.hold(reply.game)
        self.take(self.hand)  # unless the page, which follows the game, has done so
        if reply.words:
            games.post(reply.words)
        if reply.place is not None:
            self._view.show_place(QPointF(*reply.place) * self._unit, self._view.zoom)
        if pointer is not None and reply.asks == ("menu",):
            self.menu_wanted.emit(pointer.screen)
        elif reply.asks:
            self._board.answer(*reply.asks)
        return reply.is_used

    def take(self, hand: Any, *, is_new: bool = False) -> None:
        """Have another hand, and show it; on a new board, even the same one."""
        before, self._shown, self.hand = self._shown, hand, hand
        if is_new or hand != before:
            self._board.show_hand(hand if is_new else before, hand)
        if (before.cursor == "closed") != (hand.cursor == "closed"):
            self._view.viewport().setCursor(CURSORS[hand.cursor])

    def drop(self) -> None:
        """Tell the kind that the position has changed."""
        self._pressed = None
        self.act("drop", key="move" if self._moves else "")

    def drag_again(self) -> None:
        """Drag to the place of the mouse on the board, which has changed under it."""
        if self._last is not None:
            self.act("drag", self.pointer_at(self._last))

    def press_key(self, key: str) -> None:
        """Act as a key of the kind's own, which is a command of the window."""
        self.act("key", key=key)

    def pointer_at(self, screen: QPoint) -> Pointer:
        """The mouse at a place of the screen, even beside the view."""
        place = self._view.mapToScene(self._view.viewport().mapFromGlobal(screen))
        return Pointer(place.x(), place.y(), screen, 1.0 / self._view.zoom, shift=False, control=False)

    def hovered(self, pointer: Pointer) -> Qt.CursorShape:
        """Hover; returns the look of the mouse that the hand has."""
        self.act("hover", pointer, over=self._board.hit(pointer.x, pointer.y))
        return CURSORS[self.hand.cursor]

    def pressed(self, pointer: Pointer) -> None:
        """Press on whatever lies there."""
        self.press(pointer, over=self._board.hit(pointer.x, pointer.y), key=pointer.button)

    def press(self, pointer: Pointer, **more: Any) -> None:
        """A button went down, on the board or beside it."""
        self._pressed = pointer.screen
        self.act("press", pointer, **more)

    def dragged(self, pointer: Pointer) -> None:
        """Drag, once the mouse has moved far enough."""
        if self._pressed is None or stirred(self._pressed, pointer.screen):
            self._pressed = None
            self.act("drag", pointer)

    def released(self, pointer: Pointer) -> None:
        """Release."""
        self._pressed = None
        self.act("release", pointer)

    def double_clicked(self, pointer: Pointer) -> None:
        """Double-click on whatever lies there."""
        self.act("double", pointer, over=self._board.hit(pointer.x, pointer.y))

    def menu_asked(self, pointer: Pointer) -> None:
        """Use the right button on whatever lies there."""
        self.act("menu", pointer, over=self._board.hit(pointer.x, pointer.y))

    def wheeled(self, notches: float, pointer: Pointer) -> bool:
        """Turn the wheel."""
        return self.act("wheel", pointer, notches=notches)

    def left(self) -> None:
        """Leave the board."""
        self.act("leave")

    def cancelled(self) -> bool:
        """Escape."""
        return self.act("cancel")

    def key_pressed(self, event: QKeyEvent) -> bool:
        """Press an arrow, Enter or Space."""
        name, held = KEYS.get(Qt.Key(event.key())), event.modifiers()
        shift, control = (
            bool(held & each) for each in (Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier)
        )
        return name is not None and self.act("key", key=name, shift=shift, control=control)


class BoardPage(QWidget, Generic[D, G, H]):
    """A kind's board at play, shown in a view of the window.

    A kind sets `view`, `tool` and `commands`, calls `lay_out`, and implements the methods that raise here.
    """

    reworded = Signal()
    """Its text for the status bar or its possible commands have changed."""
    view: CanvasView
    tool: PlayTool
    page: GamePage
    commands: list[Command]

    def __init__(self, games: Games, design: D) -> None:
        super().__init__()
        self.games, self._design = games, design
        self._is_made = True
        """True if the board matches the design; a board out of sight waits until it is shown."""

    def lay_out(self, page: GamePage) -> None:
        """Show the page, and follow the game."""
        self.page = page
        self.setFocusProxy(self.view)
        column(page, of=self)
        self.games.moved.connect(self._follow_game)
        self.games.hint_given.connect(self._follow_hint)
        page.counted.connect(self.reworded)

    @property
    def game(self) -> G:
        """The position."""
        game: G = self.games.game
        return game

    @property
    def hand(self) -> H:
        """The hand that the tool shows."""
        hand: H = self.tool.hand
        return hand

    def hit(self, x: float, y: float) -> Any:
        """Return what lies at a place of the scene, for the kind's `interpret`; nothing if that needs no scene."""
        return None

    def show_hand(self, before: H, hand: H) -> None:
        """Show the hand in place of the one before."""
        raise NotImplementedError

    def answer(self, what: str, *values: str) -> None:
        """Carry out a request of the kind's own."""

    def entry(self, choose: Callable[[], object]) -> View:
        """The page as a view of the window, which calls `choose` when it comes in sight."""
        return View(VIEW, tr("Play"), self, choose, self.fit, self.view.zoom_by, None, self.seek)

    def fit(self) -> None:
        """Show the whole board."""
        self.view.fit()

    def seek(self, share: float) -> None:
        """Show the game after a share of it, from 0 to 1, is played; for pictures."""
        raise NotImplementedError

    def show_design(self, design: D, *, settled: bool) -> None:
        """Play with another design, and keep pieces in place if possible. The board is made when it comes in sight."""
        if design != self._design and (settled or self.isVisible()):
            self._design, self._is_made = design, False
            self.games.show(design)
        if self.isVisible():
            self._make()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._make()

    def _make(self) -> None:
        """Make the board of the design, unless it is there."""
        if not self._is_made:
            self._is_made = True
            self._make_board()
            self._follow_game()

    def _make_board(self) -> None:
        """Make the empty board of another design, with no piece held."""
        raise NotImplementedError

    def _follow_game(self) -> None:
        """Show the position, if the board of its design is made."""
        raise NotImplementedError

    def _follow_hint(self, hint: Hint) -> None:
        """Show the pieces of a hint."""
        raise NotImplementedError


class TypedBoard(QWidget):
    """A game in letters, and a line on which moves are typed."""

    def __init__(self, games: Games) -> None:
        super().__init__()
        self._games = games
        self.sketch, self.line = QLabel(), TextLine()
        self.sketch.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.sketch.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.sketch.setAccessibleName(tr("Game"))
        self.line.setPlaceholderText("A move")
        self.line.setAccessibleName(tr("Move"))
        self.setFocusProxy(self.line)
        column((self.sketch, 1), self.line, of=self, margins=MARGIN)
        self.line.returnPressed.connect(self._play)
        games.moved.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        self.sketch.setText(self._games.played.sketch(self._games.design, self._games.game))

    def _play(self) -> None:
        before = self._games.game
        self._games.move(self.line.text().strip())
        if self._games.game is not before:
            self.line.clear()


class TypedExtension(Extension[Any]):
    """The window of a kind that can be played but has no view of its own."""

    def __init__(self, session: Session, games: Games) -> None:
        super().__init__(session)
        self._games = games
        self.page = GamePage(games, TypedBoard(games))
        self.views = [View(VIEW, tr("Play"), self.page, lambda: None, lambda: None, lambda _factor: None)]
        if session.kind.able(Cuttable) is not None:
            canvas = session.canvas
            self.views.insert(0, View("board", tr("Board"), canvas, lambda: None, canvas.view.fit, canvas.view.zoom_by))
        self.commands = self.page.commands("&Game")
        self.page.counted.connect(self.changed)
        session.pipeline.shapes_changed.connect(self._show)
        self.page.say()

    @property
    def status_text(self) -> str:
        """Progress of the game, for the status bar."""
        return self.page.tally.text()

    def _show(self, _shapes: object, _settled: bool) -> None:
        self._games.show(self.session.pipeline.design)


# A light that passes once over the board of a solved game, in every kind

LASTS_MS = 1400
BAND = 0.22
"""The width of the light, as a fraction of its way."""
STRENGTH_ON_BRIGHT, STRENGTH_ON_DARK = 110, 150
"""The opacity of the light at its middle, of 255: green on bright boards, where white would not be seen, else white."""
ABOVE_ALL = 3e6

Area = Callable[[], QPainterPath]


class Feast(QObject):
    """A band of light over the solved board, which takes no input away and ends with the next move.

    It passes only when a move solves the puzzle, not when a solved game is opened, redone or brought in sight. It never
    passes if the desktop wants no motion.
    """

    def __init__(self, games: Games, scene: QGraphicsScene, area: Area, rim: Area | None = None) -> None:
        """`area` is lit by the passing light, `rim` is framed as long as the puzzle is solved."""
        super().__init__(scene)
        self._games, self._scene, self._area, self._rimmed = games, scene, area, rim
        self._light, self._rim = QGraphicsPathItem(), QGraphicsPathItem()
        for item in (self._light, self._rim):
            item.setZValue(ABOVE_ALL)
            item.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
            item.hide()
        self._way = QVariantAnimation(self)
        self._way.setDuration(LASTS_MS)
        self._way.setStartValue(0.0)
        self._way.setEndValue(1.0)
        self._way.setEasingCurve(QEasingCurve.Type.InOutSine)
        self._way.valueChanged.connect(self._show)
        self._way.finished.connect(self._light.hide)
        self.held = 0
        """The number of times that the light passed."""
        games.solved.connect(self._start)

    @property
    def is_on(self) -> bool:
        """True if the solved board has its rim."""
        return self._rim.isVisible()

    @property
    def is_passing(self) -> bool:
        """True while the light passes."""
        return self._light.isVisible()

    def follow(self) -> None:
        """Follow the game: another position ends the light, and an unsolved one has no rim."""
        self.stop()
        if self._rimmed is None or not self._games.is_solved:
            return
        self._add(self._rim)
        self._rim.setPath(self._rimmed())
        self._rim.setPen(cosmetic(current_theme().done, 3.0))
        self._rim.show()

    def stop(self) -> None:
        """Hide light and rim, and leave the scene, which can then be cleared."""
        self._way.stop()
        for item in (self._light, self._rim):
            item.hide()
            if item.scene() is self._scene:
                self._scene.removeItem(item)

    def seek(self, share: float) -> None:
        """Show the light after a share (0 to 1) of its way, for pictures."""
        self._way.stop()
        self._lay()
        self._show(share)

    def _start(self) -> None:
        if QApplication.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration) > 0:
            self.held += 1
            self._lay()
            self._show(0.0)
            self._way.start()

    def _lay(self) -> None:
        self._add(self._light)
        self._light.setPath(self._area())
        self._light.setPen(QColor(0, 0, 0, 0))
        self._light.show()

    def _add(self, item: QGraphicsPathItem) -> None:
        if item.scene() is not self._scene:
            self._scene.addItem(item)

    def _show(self, share: object) -> None:
        assert isinstance(share, float)
        box = self._light.path().controlPointRect()
        light = QLinearGradient(box.topLeft(), box.bottomRight())
        middle = -BAND + share * (1 + 2 * BAND)
        theme = current_theme()
        colour = QColor(Qt.GlobalColor.white) if theme.is_dark else theme.done.lighter(150)
        most = STRENGTH_ON_DARK if theme.is_dark else STRENGTH_ON_BRIGHT
        for at, strength in ((middle - BAND, 0), (middle, most), (middle + BAND, 0)):
            colour.setAlpha(strength)
            light.setColorAt(min(max(at, 0.0), 1.0), colour)
        self._light.setBrush(QBrush(light))
