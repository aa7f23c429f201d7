"""A search recorded step by step, so that every moment of it can be looked at: the board, the depth, the counts.

A board is an array with the sort on each place, or UNKNOWN.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from studio.base.amounts import many
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.curves.strokes import Ints, frozen
from studio.solving.edges import BETWEEN_STEPS, UNKNOWN, Matching, Step, Strategy, steps

MOST_NODES = 500_000
"""Pieces tried in the longest film; it takes a few seconds to record."""
MOST_TESTS = 20_000_000
"""Tests in the longest film, for the strategies that make many for each piece."""
BETWEEN_TESTS = 20_000
"""Tests between two checks whether a search was cancelled."""
STRIDE = 1024
"""Steps between two boards that are kept."""


@dataclass(frozen=True)
class FilmFrame:
    """A film after some `steps`: the last of them, and what was counted up to then."""

    steps: int
    last: Step | None
    depth: int
    """Pieces on the board."""
    tried: int
    """Pieces placed so far, however often."""
    tests: int
    solutions: int


@dataclass(frozen=True, eq=False)
class Film:
    """A search; `places`, `sorts`, `placed` and `tests` have an entry for each step.

    It is `complete` where the search came to its end.
    """

    matching: Matching
    strategy: Strategy
    places: Ints
    sorts: Ints
    placed: NDArray[np.bool_]
    tests: Ints
    complete: bool
    seconds: float
    """How long the search took."""

    def __len__(self) -> int:
        return len(self.places)

    @cached_property
    def depths(self) -> Ints:
        """The pieces on the board at the beginning and after each step."""
        return frozen(np.concatenate([[0], np.cumsum(np.where(self.placed, 1, -1))]))

    @cached_property
    def ends(self) -> tuple[int, ...]:
        """The numbers of steps after which the board is full: the solutions."""
        return tuple(np.flatnonzero(self.depths == len(self.matching.slots)).tolist())

    @cached_property
    def _kept(self) -> tuple[Ints, ...]:
        """The board after every STRIDE steps."""
        board = np.full(len(self.matching.slots), UNKNOWN)
        kept = [board.copy()]
        for begin in range(0, len(self) - STRIDE + 1, STRIDE):
            self._play(board, begin, begin + STRIDE)
            kept.append(board.copy())
        return tuple(kept)

    def _play(self, board: Ints, begin: int, end: int) -> None:
        """Make some steps; where several concern a place, the last one counts."""
        board[self.places[begin:end]] = np.where(self.placed[begin:end], self.sorts[begin:end], UNKNOWN)

    def board(self, count: int) -> Ints:
        """The board after `count` steps."""
        board = self._kept[count // STRIDE].copy()
        self._play(board, count - count % STRIDE, count)
        return board

    def at(self, count: int) -> FilmFrame:
        """What is known after `count` steps."""
        depth = int(self.depths[count])
        tests = int(self.tests[count - 1]) if count else 0
        return FilmFrame(
            count, self._step(count - 1), depth, (count + depth) // 2, tests, bisect_right(self.ends, count)
        )

    def _step(self, number: int) -> Step | None:
        if number < 0:
            return None
        return Step(
            int(self.places[number]), int(self.sorts[number]), bool(self.placed[number]), int(self.tests[number])
        )

    def stop_after(self, count: int) -> int:
        """The next place to stop at after `count` steps: the next solution, or the end."""
        at = bisect_right(self.ends, count)
        return self.ends[at] if at < len(self.ends) else len(self)

    @property
    def verdict(self) -> str:
        """What the search proved, in a sentence."""
        whole = self.at(len(self))
        count = whole.solutions
        effort = tr("{pieces} tried, {tests}", pieces=many(whole.tried, "piece"), tests=many(whole.tests, "test"))
        if not self.complete:
            found = tr("At least {solutions}", solutions=many(count, "solution")) if count else tr("No solution found")
            return tr("{found}; search stopped after {effort}.", found=found, effort=effort)
        if count == 1:
            return tr("Unique solution (exhaustive search: {effort}).", effort=effort)
        return (
            tr("{solutions} (exhaustive search: {effort}).", solutions=many(count, "solution"), effort=effort)
            if count
            else tr("No solution (exhaustive search: {effort}).", effort=effort)
        )


def record(
    matching: Matching, strategy: Strategy, progress: Progress, nodes: int | None = None, tests: int | None = None
) -> Film:
    """The film of a search for all solutions, which ends early after `nodes` pieces tried or `tests` tests."""
    nodes, tests = MOST_NODES if nodes is None else nodes, MOST_TESTS if tests is None else tests
    begin = perf_counter()
    places, sorts, placed, tested = array("q"), array("q"), array("b"), array("q")
    count = due = 0
    complete = True
    for step in steps(matching, strategy):
        if step.is_placed:
            if count >= nodes or step.tests > tests:
                complete = False
                break
            count += 1
            if step.tests >= due or not count % BETWEEN_STEPS:
                progress.step(max(count / nodes, step.tests / tests), tr("Searching"))
                due = step.tests + BETWEEN_TESTS
        places.append(step.place)
        sorts.append(step.sort)
        placed.append(step.is_placed)
        tested.append(step.tests)
    seconds = perf_counter() - begin
    whole = [frozen(np.array(each, np.int64)) for each in (places, sorts, tested)]
    return Film(matching, strategy, whole[0], whole[1], frozen(np.array(placed, bool)), whole[2], complete, seconds)
