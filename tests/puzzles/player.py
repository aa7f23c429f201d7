"""A player without a window, whose gestures become moves as the window's tool makes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from studio.puzzles.abilities.playable import ARROWS, Gesture, Playable, What
from studio.puzzles.kind import AnyKind

Place = tuple[float, float]


def ways(start: int, beside: Callable[[int, tuple[int, int]], int]) -> dict[int, list[str]]:
    """The fewest arrow keys from a place to each that they lead to."""
    found: dict[int, list[str]] = {start: []}
    for here in (todo := [start]):
        for key, arrow in ARROWS.items():
            there = beside(here, arrow)
            if there not in found:
                found[there] = [*found[here], key]
                todo.append(there)
    return found


class Player:
    """Plays one game; `said` and `asked` are of the last gesture."""

    def __init__(self, kind: AnyKind, design: Any, hand: Any, target: tuple[str, ...] = ()) -> None:
        self.played, self.design = kind.need(Playable), design
        self.log = self.played.begun(design, target)
        self.hand: Any = hand
        self.said, self.asked = "", tuple[str, ...]()

    @property
    def game(self) -> Any:
        return self.log.game

    @property
    def is_solved(self) -> bool:
        return self.played.done(self.design, self.game)

    def act(self, what: What, place: Place = (0.0, 0.0), **more: Any) -> bool:
        """Make a gesture; returns whether it was used."""
        assert self.played.interpret is not None
        reply = self.played.interpret(self.design, self.game, self.hand, Gesture(what, *place, **more))
        self.hand, self.said, self.asked = reply.hand, reply.words, reply.asks
        if reply.move:
            self.log = self.played.with_move(self.design, self.log, reply.move)
            self.act("drop", key="move")
            self.asked = reply.asks
        if reply.game is not None:
            self.log = self.log.with_state(reply.game)
        return reply.is_used

    def drag(self, *places: Place, over: Any = None, **more: Any) -> None:
        """Press at the first place, where something lies, go over the others, and release at the last."""
        self.act("press", places[0], over=over, **more)
        for place in places[1:]:
            self.act("drag", place, **more)
        self.act("release", places[-1], **more)

    def keys(self, *keys: str) -> None:
        for key in keys:
            self.act("key", key=key)
