"""The ability to be played: moves are short texts, so that undo, saved games and tests share one mechanism.

Mouse and keys reach the rules as gestures: `interpret` makes of each a move, or another state of the hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar

from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.puzzles.abilities.ability import Ability

if TYPE_CHECKING:
    from studio.puzzles.abilities.gradable_solvable import Targets

D = TypeVar("D")
G = TypeVar("G")
H = TypeVar("H")
RESTART = "restart"
"""Move of every kind that starts over; it can be undone like any other."""
MOST_MOVES = 20_000
"""Most moves of a game."""
LONGEST_SHOWN = 60
"""Most letters of a refused move in an error message."""
ARROWS = {"left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0)}
"""The arrow keys as steps down and to the right."""
What = Literal["hover", "press", "drag", "release", "double", "menu", "wheel", "leave", "key", "cancel", "drop"]


@dataclass(frozen=True)
class Gesture:
    """A mouse or key event on a board at play.

    A drag begins some pixels after the press, and its release may be off the view. A key is an arrow, `enter`, `space`
    or a command of the kind. `cancel` is Escape; `drop` tells that the position has changed, with the key `move` if by
    the reply to a gesture.
    """

    what: What
    x: float = 0.0
    y: float = 0.0
    """Place on the board, in the kind's own units."""
    over: Any = None
    """Result of the board's hit test, for a kind whose window knows what lies where."""
    key: str = ""
    """Name of the key; of a mouse button other than the left one; or of another widget that the mouse is on."""
    shift: bool = False
    control: bool = False
    is_off: bool = False
    """True if the mouse is beside the view."""
    notches: float = 0.0
    """Turn of the wheel."""


@dataclass(frozen=True)
class Reply(Generic[H]):
    """The hand after a gesture, and what else follows from it; a move is made first."""

    hand: H
    move: str = ""
    """A move that is refused leaves the position as it is."""
    game: Any = None
    """Another value for the same position, as when an unplaced piece is turned."""
    words: str = ""
    place: tuple[float, float] | None = None
    """Place on the board to bring into view."""
    asks: tuple[str, ...] = ()
    """A request to the window: `menu`, or one of the kind's own with its values."""
    is_used: bool = True
    """False if a key, the wheel or Escape means nothing here."""


@dataclass(frozen=True)
class Hint:
    """Help in a position: a move, or wrong pieces, by name; `words` say why, or that nothing helps."""

    move: str = ""
    pieces: tuple[str, ...] = ()
    """Piece of the move, or wrong pieces; empty without a solution."""
    words: str = ""
    waits: bool = False
    """True if the move is first shown with its words, and played when the hint is requested again."""


@dataclass(frozen=True)
class Log(Generic[G]):
    """A game: its target, its moves, the positions before the first and after each, and `at`, the moves in force."""

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
        """Position after the moves in force."""
        return self.states[self.at]

    @property
    def count(self) -> int:
        """Number of moves in force since the last restart."""
        moves = self.moves[: self.at]
        return moves[::-1].index(RESTART) if RESTART in moves else self.at

    def with_state(self, game: G) -> Log[G]:
        """Replace the current position by an equivalent value, as when an unplaced piece is turned."""
        return replace(self, states=(*self.states[: self.at], game, *self.states[self.at + 1 :]))


@dataclass(frozen=True)
class Playable(Ability, Generic[D, G]):
    """Rules of a game, as pure functions of a design and a position G.

    Positions are comparable values, and a text is a single line. A function refuses by raising StudioError with a
    sentence that names the problem.
    """

    lacking: ClassVar[str] = tr("There is no on-screen game for {key} puzzles.")

    start: Callable[[D, Sequence[str]], G]
    """Position before the first move, for a target; refuses an invalid target."""
    move: Callable[[D, G, str], G]
    """Position after a move; refuses a text that is not a move, or not allowed in this position."""
    done: Callable[[D, G], bool]
    hint: Callable[[D, G, Progress], Hint]
    tally: Callable[[D, G], str]
    """Progress of the game as text: `3 of 8 pieces placed`."""
    sketch: Callable[[D, G], str]
    """Position in lines of letters."""
    essentials: Callable[[D], Any]
    """Parts of a design that its games depend on, as JSON values; a saved game belongs to these."""
    carry: Callable[[D, G, D], Iterable[str]] = lambda _before, _game, _design: ()
    """Moves that rebuild, in another design, the parts of a position that can stay."""
    targets: Targets[D] | None = None
    """None for a kind whose designs are a single puzzle, played without a target."""
    terms: Callable[[Sequence[str]], Sequence[str]] | None = None
    """Target for terms such as `seed=3`; refuses invalid terms. None for a kind without options of play."""
    interpret: Callable[[D, G, Any, Gesture], Reply[Any]] | None = None
    """Answer to a gesture, from a position and the hand before, a value of the kind's own; None at first."""

    def begun(self, design: D, target: Sequence[str] = ()) -> Log[G]:
        """Start a game without moves."""
        return Log(tuple(target), (self.start(design, target),))

    def with_move(self, design: D, log: Log[G], text: str) -> Log[G]:
        """Add a move; moves that were undone are dropped."""
        game = self._after(design, log.target, log.at, log.game, text)
        fresh = replace(log, hints=0, seconds=0.0) if text == RESTART else log
        states, moves = (*log.states[: log.at + 1], game), (*log.moves[: log.at], text)
        return replace(fresh, states=states, moves=moves, at=len(moves))

    def with_moves(self, design: D, log: Log[G], texts: Sequence[str], progress: Progress = SILENT) -> Log[G]:
        """Add moves. Raise StudioError, with number and text, for the first impossible move."""
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
        """Position after a move that follows `at` others."""
        if at >= MOST_MOVES:
            raise StudioError(tr("A game is limited to {most} moves.", most=MOST_MOVES))
        return self.start(design, target) if text == RESTART else self.move(design, game, text)
