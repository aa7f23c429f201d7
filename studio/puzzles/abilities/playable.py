"""The ability to be played: a move is a short text, so that undo, saved games and tests are one mechanism."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.puzzles.abilities.ability import Ability

if TYPE_CHECKING:
    from studio.puzzles.abilities.solvable import Targets

D = TypeVar("D")
G = TypeVar("G")
RESTART = "restart"
"""The move of every kind that begins again; it can be undone like any other."""
MOST_MOVES = 20_000
"""Moves of the longest game."""
LONGEST_SHOWN = 60
"""Letters of a refused move that a sentence repeats."""


@dataclass(frozen=True)
class Hint:
    """What helps in a position: a move, or pieces that are wrong, by name; `words` say why, or that nothing helps."""

    move: str = ""
    pieces: tuple[str, ...] = ()
    """The piece that the move is about, or those that are wrong; none where there is no solution."""
    words: str = ""
    waits: bool = False
    """Whether the move is shown with its words first, and made when the hint is asked for again."""


@dataclass(frozen=True)
class Log(Generic[G]):
    """A game: its target, its moves, the position before the first and after each, and how many are in force."""

    target: tuple[str, ...]
    states: tuple[G, ...]
    moves: tuple[str, ...] = ()
    at: int = 0
    hints: int = 0
    """Hints since the last restart."""
    seconds: float = 0.0
    """Time of play since the last restart."""

    @property
    def game(self) -> G:
        """The position after the moves in force."""
        return self.states[self.at]

    @property
    def count(self) -> int:
        """The moves in force since the last restart."""
        moves = self.moves[: self.at]
        return moves[::-1].index(RESTART) if RESTART in moves else self.at

    def with_state(self, game: G) -> Log[G]:
        """Another value for the same position, as when a piece that is not placed is held otherwise."""
        return replace(self, states=(*self.states[: self.at], game, *self.states[self.at + 1 :]))


def _nothing(_before: Any, _game: Any, _design: Any) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True)
class Playable(Ability, Generic[D, G]):
    """The rules of a game, as pure functions of a design and a position G.

    Positions are values that can be compared, and a text is one line. Where a function refuses, it raises StudioError
    with one sentence that says what is wrong.
    """

    lacking: ClassVar[str] = tr("There is no on-screen game for {key} puzzles.")

    start: Callable[[D, Sequence[str]], G]
    """The position before the first move, for a target; refuses what is no target."""
    move: Callable[[D, G, str], G]
    """The position after a move; refuses a text that is no move, or not in this position."""
    done: Callable[[D, G], bool]
    hint: Callable[[D, G, Progress], Hint]
    tally: Callable[[D, G], str]
    """How far the game is, in words: `3 of 8 pieces placed`."""
    sketch: Callable[[D, G], str]
    """The position in lines of letters."""
    essentials: Callable[[D], Any]
    """All of a design that its games depend on, as JSON values: a game saved is one of these."""
    carry: Callable[[D, G, D], Iterable[str]] = _nothing
    """The moves that bring about, in another design, what can stay of a position."""
    targets: Targets[D] | None = None
    """None for a kind whose designs are one puzzle, played for no target."""
    terms: Callable[[Sequence[str]], Sequence[str]] | None = None
    """The target for terms such as `seed=3`; refuses what is no term. None for a kind that is played in one way."""

    def begun(self, design: D, target: Sequence[str] = ()) -> Log[G]:
        """A game without a move."""
        return Log(tuple(target), (self.start(design, target),))

    def with_move(self, design: D, log: Log[G], text: str) -> Log[G]:
        """A game with one more move; moves that were taken back are dropped."""
        game = self._after(design, log.target, log.at, log.game, text)
        fresh = replace(log, hints=0, seconds=0.0) if text == RESTART else log
        states, moves = (*log.states[: log.at + 1], game), (*log.moves[: log.at], text)
        return replace(fresh, states=states, moves=moves, at=len(moves))

    def with_moves(self, design: D, log: Log[G], texts: Sequence[str], progress: Progress = SILENT) -> Log[G]:
        """A game with more moves; refuses the first that cannot be made, by its number and text."""
        states = [*log.states[: log.at + 1]]
        for at, text in enumerate(texts, log.at):
            progress.step((at - log.at) / len(texts))
            try:
                states.append(self._after(design, log.target, at, states[-1], text))
            except StudioError as problem:
                shown = repr(text[:LONGEST_SHOWN]) + ("…" if len(text) > LONGEST_SHOWN else "")
                raise StudioError(
                    tr("Move {number} ({move}) is not possible: {problem}", number=at + 1, move=shown, problem=problem)
                ) from problem
        moves = (*log.moves[: log.at], *texts)
        log = replace(log, hints=0, seconds=0.0) if RESTART in texts else log
        return replace(log, states=tuple(states), moves=moves, at=len(moves))

    def _after(self, design: D, target: Sequence[str], at: int, game: G, text: str) -> G:
        """The position after a move, before which there are `at` others."""
        if at >= MOST_MOVES:
            raise StudioError(tr("A game is limited to {most} moves.", most=MOST_MOVES))
        return self.start(design, target) if text == RESTART else self.move(design, game, text)
