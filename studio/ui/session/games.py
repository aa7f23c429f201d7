"""The games of a window, one per target: moves, undo, hints, and the time of play."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import Any, NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.puzzles.abilities.playable import RESTART, Hint, Log, Playable
from studio.ui.session.actions import Command
from studio.ui.session.derived import Derived
from studio.ui.session.jobs import Jobs

VIEW = "play"
"""Name of the view for play."""
HINTING = "hint"
TICK_MS = 250
MOST_ASKED = 8
"""Limit for hints queued while one is computed, so that holding a key down does not solve the puzzle."""


class HintAsked(NamedTuple):
    """A position for which a hint is wanted, and the position as the player sees it."""

    design: Any
    game: Any
    seen: Any


class Games(QObject):
    """The present game, and those of other targets, kept as long as the window is open."""

    moved = Signal()
    """The position or the game has changed."""
    played_on = Signal()
    """The maker made a move, or took one back."""
    posted = Signal()
    """The message has changed."""
    hint_given = Signal(object)
    """A hint was found: brings the Hint; its move is made, unless the hint waits."""
    opened = Signal()
    """Another game is to be shown: a saved one, or that of another target, which is the target now."""
    solved = Signal()
    """A move solved the puzzle in sight; not emitted for a solved game that is opened or brought back."""
    clock_ticked = Signal()
    saved = Signal()
    """The present game was saved."""

    def __init__(
        self,
        played: Playable[Any, Any],
        design: Any,
        jobs: Jobs,
        parent: QObject | None = None,
        now: Callable[[], float] = monotonic,
    ) -> None:
        super().__init__(parent)
        self.played, self.design, self.target = played, design, tuple[str, ...]()
        self._named: tuple[Any, str] | None = None
        """The last design and its essentials, computed only once a game is played."""
        self._awaiting: Any = None
        """A design to be played later, edited while the game was out of sight."""
        self.said = ""
        """The message about the last request."""
        self._logs: dict[tuple[str, tuple[str, ...]], Log[Any]] = {}
        """The games, by the essentials of their design and their target."""
        self._saved: dict[tuple[str, tuple[str, ...]], tuple[str, ...]] = {}
        """The moves in force when a game was last saved or opened."""
        self._aside: Log[Any] | None = None
        """The game that a saved one replaced."""
        self._hints = Derived(jobs, HINTING, self._find_hint, key=id, remembered=0, parent=self)
        self._hints.changed.connect(self._take_hint)
        self.offered: Hint | None = None
        """The hint shown, whose move waits."""
        self._asked = 0
        """Number of hints queued while one is computed."""
        self.seen: Callable[[Any], Any] = lambda game: game
        """Returns a position as the player sees it, from which hints go on if there is no mistake."""
        self._now, self._is_watched = now, False
        self._since: float | None = None
        self._clock = QTimer(self, interval=TICK_MS)
        self._clock.timeout.connect(self.clock_ticked)

    @property
    def log(self) -> Log[Any]:
        """The present game."""
        if self._key not in self._logs:
            self._keep(self.played.begun(self.design, self.target))
        return self._logs[self._key]

    @property
    def _key(self) -> tuple[str, tuple[str, ...]]:
        return self._essentials, self.target

    @property
    def _essentials(self) -> str:
        """Everything in the design that affects its games."""
        if self._named is None or self._named[0] is not self.design:
            self._named = self.design, repr(self.played.essentials(self.design))
        return self._named[1]

    def _keep(self, log: Log[Any]) -> None:
        self._logs[self._key] = log

    @property
    def game(self) -> Any:
        """The position."""
        return self.log.game

    @property
    def is_solved(self) -> bool:
        """True if the puzzle is solved."""
        return self.played.done(self.design, self.game)

    @property
    def tally(self) -> str:
        """The progress of the game, in words."""
        return self.played.tally(self.design, self.game)

    # The present game

    def show(self, design: Any, target: tuple[str, ...] = ()) -> None:
        """Play a design for a target; a design new here starts with the moves of the previous game that fit."""
        self._stop()
        before, key = self.design, self._key
        log = self._logs.get(key)
        self.design, self.target, self._awaiting = design, target, None
        if self._essentials != key[0]:
            self._aside = None
            if log is None or not log.moves:
                self._logs.pop(key, None)
            elif self._key not in self._logs:
                made = self.played.begun(self.design, self.target)
                for text in self.played.carry(before, log.game, self.design):
                    with suppress(StudioError):
                        made = self.played.with_move(self.design, made, text)
                if made.moves:
                    self._keep(replace(made, hints=log.hints, seconds=log.seconds))
        self._go_on()

    def defer(self, design: Any) -> None:
        """Play another design once a game is needed; until then nothing is computed for it."""
        self._awaiting = design

    def catch_up(self) -> None:
        """Play the deferred design, if any, for the same target."""
        if self._awaiting is not None:
            self.show(self._awaiting, self.target)

    def choose(self, target: tuple[str, ...]) -> None:
        """Play for another target."""
        self._stop()
        self.target = target
        self._go_on()

    @property
    def record(self) -> Log[Any]:
        """The present game with its time of play."""
        return replace(self.log, seconds=self.seconds)

    @property
    def unsaved(self) -> list[tuple[str, ...]]:
        """The targets of this design's games with unsaved moves, the present target first."""
        if not self._logs:
            return []
        self.catch_up()
        found = [
            target
            for (essentials, target), log in self._logs.items()
            if essentials == self._essentials and log.count
            if log.moves[: log.at] != self._saved.get((essentials, target))
        ]
        return sorted(found, key=lambda target: target != self.target)

    @property
    def unsaved_logs(self) -> list[Log[Any]]:
        """The games of the targets in `unsaved`."""
        return [
            self.record if target == self.target else self._logs[self._essentials, target] for target in self.unsaved
        ]

    def mark_saved(self) -> None:
        """Note that the present game is saved."""
        self._saved[self._key] = self.log.moves[: self.log.at]
        self.saved.emit()

    def restore(self, logs: Iterable[Log[Any]]) -> None:
        """Continue unsaved games, the last of them in sight."""
        for log in logs:
            self._bring(log)

    def open(self, log: Log[Any]) -> bool:
        """Continue a saved game; return whether `reopen` brings the previous one back."""
        self._bring(log)
        self.mark_saved()
        return self._aside is not None and bool(self._aside.moves)

    def _bring(self, log: Log[Any]) -> None:
        """Replace the game of a target."""
        self._stop()
        self.target = log.target
        self._aside = self._logs.get(self._key)
        self._keep(log)
        self._go_on()
        self.opened.emit()

    def reopen(self) -> None:
        """Continue the game that a saved one replaced, if it is still known."""
        if self._aside is not None:
            self._bring(self._aside)

    def turn_to(self, target: tuple[str, ...]) -> None:
        """Show the game of another target."""
        self.choose(target)
        self.opened.emit()

    # Moves

    def move(self, text: str) -> None:
        """Make a move, or say why it is impossible."""
        was_solved = self.is_solved
        try:
            self._take(self.played.with_move(self.design, self.record, text))
        except StudioError as problem:
            self.post(str(problem))
        if self._is_watched and not was_solved and self.is_solved:
            self.solved.emit()

    def hold(self, game: Any) -> None:
        """Take another value for the same position; this is not a move."""
        self._keep(self.log.with_state(game))
        self.moved.emit()

    def go_back(self, by: int) -> None:
        """Undo this many moves; a negative number redoes them."""
        at = self.log.at - by
        if 0 <= at < len(self.log.states):
            self._take(replace(self.record, at=at))
        else:
            self.moved.emit()
            self.post(tr("Nothing to undo.") if by > 0 else tr("Nothing to redo."))

    def restart(self) -> None:
        """Begin again, as a move that can be undone."""
        if self.log.count:
            self.move(RESTART)

    def _take(self, log: Log[Any]) -> None:
        self._stop()
        self._keep(log)
        self._go_on()
        self.played_on.emit()

    def _go_on(self) -> None:
        self._hints.ask(None)
        self.offered, self._asked = None, 0
        self.said = ""
        self._run()
        self.moved.emit()

    def post(self, words: str) -> None:
        """Show a message about the last request."""
        self.said = words
        self.posted.emit()

    # Hints

    def ask_hint(self) -> None:
        """Show the next hint or a mistake; if a hint is shown already, play it.

        Requests during the computation of a hint queue up.
        """
        if self._hints.question is not None:
            self._asked = min(self._asked + 1, MOST_ASKED)
            return
        offered, self.offered = self.offered, None
        if offered is not None:
            self.move(offered.move)
            return
        self.moved.emit()
        if not self.is_solved:
            self.post(tr("Thinking…"))
            self._hints.ask(HintAsked(self.design, self.game, self.seen(self.game)))

    def _find_hint(self, asked: HintAsked, progress: Progress) -> Hint:
        found = self.played.hint(asked.design, asked.game, progress)
        if found.move and asked.seen is not asked.game:
            return self.played.hint(asked.design, asked.seen, progress)
        return found

    def _take_hint(self) -> None:
        asked, found, problem = self._hints.question, self._hints.answer, self._hints.problem
        if asked is None or (found is None and not problem):
            return
        self._hints.ask(None)
        more, self._asked = self._asked, 0
        if found is None or asked.game is not self.game:
            self.post(problem)
            return
        if found.move:
            self._keep(replace(self.log, hints=self.log.hints + 1))
            if found.waits:
                self.offered = found
                self.moved.emit()
            else:
                self.move(found.move)
        if found.words or not found.move:
            self.post(found.words)
        self.hint_given.emit(found)
        # Queued requests are answered until a hint has to be computed.
        while found.move and more and not self.is_solved:
            more -= 1
            self.ask_hint()
            if self._hints.question is not None:
                self._asked = more
                return

    # The clock

    @property
    def seconds(self) -> float:
        """The time of play in s."""
        return self.log.seconds + (0.0 if self._since is None else self._now() - self._since)

    def watch(self, *, watches: bool) -> None:
        """Set whether the game is in sight; the clock runs only then, from the first move to the solution."""
        self._stop()
        self._is_watched = watches
        self._run()

    def _run(self) -> None:
        is_begun = self.log.count > 0 or self.log.seconds > 0
        if self._is_watched and is_begun and not self.is_solved:
            self._since = self._now()
            self._clock.start()

    def _stop(self) -> None:
        """Stop the clock, and add its time to the game."""
        if self._since is not None:
            self._keep(self.record)
            self._since = None
            self._clock.stop()


def game_commands(games: Games, menu: str) -> list[Command]:
    """Return the commands of every game, for a menu."""
    return [
        Command("hint", tr("Hint"), menu, games.ask_hint, ("H",), "bulb",
                tr("Make a correct move, or point out a mistake"), on_canvas=True, begins=True),
        Command("take_back", tr("Undo move"), menu, partial(games.go_back, 1), ("Z",), "",
                tr("Undo the last move; the design does not change"), on_canvas=True),
        Command("start_again", tr("Start over"), menu, games.restart, ("Ctrl+Backspace",), "",
                tr("Start the game again with no moves, hints or time"), on_canvas=True),
    ]  # fmt: skip
