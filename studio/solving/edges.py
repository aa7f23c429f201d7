"""Edge matching: pieces on places so that touching sides match, counted or filmed step by step.

side: a one-coloured edge or face shared by several places, such as a face of a cube; the border may give its colour.
slot: a part of a piece; slot k of the piece on place p shows the side `slots[p][k]`. sort: pieces that are alike,
counted as a multiset, so that swapping two of them makes no other solution.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from math import log
from operator import itemgetter
from time import perf_counter
from typing import NamedTuple, assert_never

import numpy as np
from numpy.typing import NDArray

from studio.base.amounts import many
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.curves.strokes import Ints, frozen
from studio.solving.assembly import Count, set_bits

UNKNOWN = -1
"""The colour of a side without a border or a piece yet."""
SOME = -2
"""While a search is prepared, a colour that will be known when it runs."""
CLEARLY = 0.9
"""Share below which a number is clearly less than another."""
QUICKLY_CHOSEN = 81
"""Places up to which choosing the most constrained place costs nothing."""
WANDERING = 30
"""Placements per place after which a search in order gives way to fewest first."""
BETWEEN_STEPS = 2_000
"""Steps between two checks whether a search was cancelled."""

Finder = Callable[[], Iterable[int]]
"""Returns the sorts that fit a place."""
Lookup = dict[object, list[int]]


class Strategy(Enum):
    """The order in which places are filled, and the lookup of their pieces."""

    ONE_BY_ONE = "one-by-one"
    INDEXED = "indexed"
    FEWEST_FIRST = "fewest-first"


@dataclass(frozen=True)
class Matching:
    """Places and pieces of an edge-matching puzzle.

    `slots` has the sides of each place, `given` the colour of each side or UNKNOWN, `pieces` the colours of each piece,
    one for each slot. Pieces and places are equal in number.
    """

    slots: tuple[tuple[int, ...], ...]
    given: tuple[int, ...]
    pieces: tuple[tuple[int, ...], ...]

    @cached_property
    def sorts(self) -> tuple[tuple[int, ...], ...]:
        """The colours of every sort, in the order of their first pieces."""
        return tuple(dict.fromkeys(self.pieces))

    @cached_property
    def members(self) -> tuple[tuple[int, ...], ...]:
        """The pieces of every sort."""
        found: dict[tuple[int, ...], list[int]] = {colours: [] for colours in self.sorts}
        for piece, colours in enumerate(self.pieces):
            found[colours].append(piece)
        return tuple(map(tuple, found.values()))

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The places in order, or in reverse order if fewer sorts fit each that way."""
        forwards = tuple(range(len(self.slots)))
        other = forwards[::-1]
        return other if self._freedom(other) < CLEARLY * self._freedom(forwards) else forwards

    def _freedom(self, order: Sequence[int]) -> float:
        """Logarithm of the number of sorts that fit a place, summed over places filled in an order."""
        known = {side for side, colour in enumerate(self.given) if colour != UNKNOWN}
        fitting: dict[tuple[int, ...], float] = {}
        total = 0.0
        for place in order:
            slots = tuple(slot for slot, side in enumerate(self.slots[place]) if side in known)
            if slots not in fitting:
                alike = Counter(tuple([shown[slot] for slot in slots]) for shown in self.sorts)
                fitting[slots] = log(sum(count * count for count in alike.values()) / len(self.sorts))
            total += fitting[slots]
            known.update(self.slots[place])
        return total

    @cached_property
    def decoys(self) -> tuple[int, ...]:
        """Number of wrong sorts that fit each place once all places before it in `order` are filled correctly.

        The pieces must be in the order of the places, as in a solution.
        """
        table, known, left = _Table(self), list(self.given), Counter(self.pieces)
        counts = [0] * len(self.slots)
        for place in self.order:
            counts[place] = sum(left[self.sorts[sort]] > 0 for sort in table.fitting(place, known)) - 1
            left[self.pieces[place]] -= 1
            for side, colour in zip(self.slots[place], self.pieces[place], strict=True):
                known[side] = colour
        return tuple(counts)


class Step(NamedTuple):
    """One step of a search: a piece of a sort placed or lifted; `tests` counts the tests so far."""

    place: int
    sort: int
    is_placed: bool
    tests: int


@dataclass(frozen=True)
class Solutions:
    """Solutions of a search, each as the sort on every place, and their count."""

    found: tuple[tuple[int, ...], ...]
    count: Count
    deepest: int
    """The most places filled at once."""

    @property
    def is_unique(self) -> bool:
        """True if a complete search found exactly one solution."""
        return self.count.complete and self.count.solutions == 1


def solutions(
    matching: Matching, progress: Progress, *, most: int | None = None, nodes: int | None = None,
    strategy: Strategy = Strategy.INDEXED,
) -> Solutions:  # fmt: skip
    """Find all solutions, or the first `most`; after `nodes` placed pieces the search gives up, not complete."""
    begin = perf_counter()
    places = len(matching.slots)
    placed = [UNKNOWN] * places
    depth = deepest = count = 0
    found: list[tuple[int, ...]] = []
    complete = True
    for step in steps(matching, strategy):
        if not step.is_placed:
            placed[step.place] = UNKNOWN
            depth -= 1
            continue
        if (most is not None and len(found) >= most) or (nodes is not None and count >= nodes):
            complete = False
            break
        if not count % BETWEEN_STEPS:
            progress.step(0.0, tr("Searching"))
        count += 1
        depth += 1
        deepest = max(deepest, depth)
        placed[step.place] = step.sort
        if depth == places:
            found.append(tuple(placed))
    return Solutions(tuple(found), Count(len(found), complete, count, perf_counter() - begin), deepest)


def proven(matching: Matching, progress: Progress, *, most: int | None = None, nodes: int) -> Solutions:
    """Find all solutions, or the first `most`: in order for a while, then fewest first, then in order for long.

    After `nodes` placed pieces in all the searches give up; fewest first does so earlier on a large board, where each
    choice takes longer. The answer is then not complete, and comes from the search that found the most.
    """
    places = len(matching.slots)
    few = min(nodes, WANDERING * places)
    choosy = (nodes - few) // 2 * QUICKLY_CHOSEN // max(QUICKLY_CHOSEN, places)
    # The last search repeats the first, so it must run for longer.
    long = nodes - few - choosy if nodes - few - choosy > few else 0
    searches = ((Strategy.INDEXED, few), (Strategy.FEWEST_FIRST, choosy), (Strategy.INDEXED, long))
    best = Solutions((), Count(0, False, 0, 0.0), 0)
    tried, seconds = 0, 0.0
    for strategy, limit in searches:
        if not limit:
            continue
        known = solutions(matching, progress, most=most, nodes=limit, strategy=strategy)
        tried, seconds = tried + known.count.nodes, seconds + known.count.seconds
        if known.count.complete or (len(known.found), known.deepest) > (len(best.found), best.deepest):
            best = known
        if known.count.complete or len(known.found) == most:
            break
    return replace(best, count=replace(best.count, nodes=tried, seconds=seconds))


def steps(matching: Matching, strategy: Strategy) -> Iterator[Step]:
    """Yield every step of an exhaustive search."""
    match strategy:
        case Strategy.ONE_BY_ONE:
            return _in_order(matching, range(len(matching.slots)), _held_against_all)
        case Strategy.INDEXED:
            return _in_order(matching, matching.order, _looked_up)
        case Strategy.FEWEST_FIRST:
            return _fewest_first(matching)
        case _:
            assert_never(strategy)


def _in_order(matching: Matching, order: Sequence[int], finder: Callable[[_State, int], Finder]) -> Iterator[Step]:
    """Fill the places in a fixed order, so that each place always knows the same slots."""
    state = _State(matching)
    finders: list[Finder] = []
    fresh: list[list[tuple[int, int]]] = []
    for place in order:
        finders.append(finder(state, place))
        sides = enumerate(matching.slots[place])
        fresh.append([(slot, side) for slot, side in sides if state.colours[side] == UNKNOWN])
        for _slot, side in fresh[-1]:
            state.colours[side] = SOME
    sorts, colours, left = matching.sorts, state.colours, state.left
    at, end = 0, len(finders) - 1
    placed = [UNKNOWN] * len(finders)
    open_: list[Iterator[int]] = [iter(finders[0]())]
    while True:
        for sort in open_[-1]:
            left[sort] -= 1
            placed[at] = sort
            shown = sorts[sort]
            for slot, side in fresh[at]:
                colours[side] = shown[slot]
            yield Step(order[at], sort, True, state.tests)
            if at < end:
                at += 1
                open_.append(iter(finders[at]()))
                break
            left[sort] += 1
            yield Step(order[at], sort, False, state.tests)
        else:
            open_.pop()
            if not at:
                return
            at -= 1
            left[placed[at]] += 1
            yield Step(order[at], placed[at], False, state.tests)


def _fewest_first(matching: Matching) -> Iterator[Step]:
    """Fill the most constrained place next, the first of several."""
    state = _Choosy(matching)
    stack = [state.best()]
    trail: list[tuple[int, int, dict[int, int]]] = []
    while stack:
        place, sorts = stack[-1]
        sort = next(sorts, UNKNOWN)
        if sort != UNKNOWN:
            trail.append((place, sort, state.put(place, sort)))
            yield Step(place, sort, True, state.tests)
            stack.append(state.best())
            continue
        stack.pop()
        if trail:
            place, sort, before = trail.pop()
            state.lift(sort, before)
            yield Step(place, sort, False, state.tests)


class _Choosy:
    """A partly filled board with the sorts that still fit each empty place, as bits of a number."""

    def __init__(self, matching: Matching) -> None:
        self._sorts, self._slots = matching.sorts, matching.slots
        self._left = [len(pieces) for pieces in matching.members]
        self._available = (1 << len(matching.sorts)) - 1
        self._like: dict[tuple[int, int], int] = {}
        for sort, shown in enumerate(matching.sorts):
            for slot, colour in enumerate(shown):
                self._like[slot, colour] = self._like.get((slot, colour), 0) | 1 << sort
        self._showing: dict[int, list[tuple[int, int]]] = {}
        self._fitting = dict.fromkeys(range(len(matching.slots)), self._available)
        for place, sides in enumerate(matching.slots):
            for slot, side in enumerate(sides):
                self._showing.setdefault(side, []).append((place, slot))
                if matching.given[side] != UNKNOWN:
                    self._fitting[place] &= self._like.get((slot, matching.given[side]), 0)
        self.tests = 0

    def best(self) -> tuple[int, Iterator[int]]:
        """The most constrained place and the sorts that fit it; UNKNOWN and no sorts if all places are filled."""
        fewest, best = len(self._sorts) + 1, UNKNOWN
        for place, fitting in self._fitting.items():
            count = (fitting & self._available).bit_count()
            if count < fewest or (count == fewest and place < best):
                fewest, best = count, place
        if best == UNKNOWN:
            return UNKNOWN, iter(())
        self.tests += fewest
        return best, set_bits(self._fitting[best] & self._available)

    def put(self, place: int, sort: int) -> dict[int, int]:
        """Place a piece; return the earlier sorts of the places it affects, for `lift`."""
        before = {place: self._fitting.pop(place)}
        self._left[sort] -= 1
        if not self._left[sort]:
            self._available ^= 1 << sort
        for side, colour in zip(self._slots[place], self._sorts[sort], strict=True):
            for other, slot in self._showing[side]:
                fitting = self._fitting.get(other)
                if fitting is not None:
                    before.setdefault(other, fitting)
                    self._fitting[other] = fitting & self._like.get((slot, colour), 0)
        return before

    def lift(self, sort: int, before: dict[int, int]) -> None:
        """Remove a piece again."""
        if not self._left[sort]:
            self._available ^= 1 << sort
        self._left[sort] += 1
        self._fitting.update(before)


def _held_against_all(state: _State, place: int) -> Finder:
    """Compare every remaining sort with the pieces around a place."""
    known = [(slot, side) for slot, side in enumerate(state.matching.slots[place]) if state.colours[side] != UNKNOWN]

    def found() -> Iterator[int]:
        for sort, shown in enumerate(state.matching.sorts):
            if state.left[sort]:
                state.tests += 1
                if all(state.colours[side] == shown[slot] for slot, side in known):
                    yield sort

    return found


def _looked_up(state: _State, place: int) -> Finder:
    """Look up the sorts that fit by the colours around a place."""
    chosen, table = state.table.lookup(place, state.colours)

    def found() -> Sequence[int]:
        sorts = [sort for sort in table.get(chosen(state.colours), ()) if state.left[sort]]
        state.tests += len(sorts)
        return sorts

    return found


class _Table:
    """The sorts by the colours of some of their slots, with a table made for each set of slots at its first use."""

    def __init__(self, matching: Matching) -> None:
        self._slots, self._sorts = matching.slots, matching.sorts
        self._tables: dict[tuple[int, ...], Lookup] = {}

    def lookup(self, place: int, colours: Sequence[int]) -> tuple[Callable[[Sequence[int]], object], Lookup]:
        """A getter of the known sides' colours at a place, and the sorts by the colours that it returns."""
        sides = self._slots[place]
        known = tuple(slot for slot, side in enumerate(sides) if colours[side] != UNKNOWN)
        if not known:
            return lambda _colours: None, {None: list(range(len(self._sorts)))}
        if known not in self._tables:
            chosen = itemgetter(*known)
            table: Lookup = {}
            for sort, shown in enumerate(self._sorts):
                table.setdefault(chosen(shown), []).append(sort)
            self._tables[known] = table
        return itemgetter(*[sides[slot] for slot in known]), self._tables[known]

    def fitting(self, place: int, colours: Sequence[int]) -> Sequence[int]:
        """The sorts that match the known sides of a place."""
        chosen, table = self.lookup(place, colours)
        return table.get(chosen(colours), ())


class _State:
    """A partly filled board: the colours of its sides, the pieces of each sort left, and the tests so far."""

    def __init__(self, matching: Matching) -> None:
        self.matching = matching
        self.table = _Table(matching)
        self.colours = list(matching.given)
        self.left = [len(pieces) for pieces in matching.members]
        self.tests = 0


# A search recorded step by step.
#
# A board is an array with the sort on each place, or UNKNOWN.

MOST_NODES = 500_000
"""Pieces tried in the longest film, which takes a few seconds to record."""
MOST_TESTS = 20_000_000
"""Tests in the longest film, for strategies with many tests for each piece."""
BETWEEN_TESTS = 20_000
"""Tests between two checks whether a search was cancelled."""
STRIDE = 1024
"""Steps between two stored boards."""


@dataclass(frozen=True)
class FilmFrame:
    """A film after a number of `steps`: the last step, and the counts up to then."""

    steps: int
    last: Step | None
    depth: int
    """Pieces on the board."""
    tried: int
    """Placements so far, repeated ones included."""
    tests: int
    solutions: int


@dataclass(frozen=True, eq=False)
class Film:
    """A recorded search; `places`, `sorts`, `placed` and `tests` have an entry for each step.

    `complete` is true if the search was exhaustive.
    """

    matching: Matching
    strategy: Strategy
    places: Ints
    sorts: Ints
    placed: NDArray[np.bool_]
    tests: Ints
    complete: bool
    seconds: float
    """Duration of the search."""

    def __len__(self) -> int:
        return len(self.places)

    @cached_property
    def depths(self) -> Ints:
        """The pieces on the board at the beginning and after each step."""
        return frozen(np.concatenate([[0], np.cumsum(np.where(self.placed, 1, -1))]))

    @cached_property
    def ends(self) -> tuple[int, ...]:
        """The step counts at which the board is full: the solutions."""
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
        """Apply a range of steps to a board; the last step on a place counts."""
        board[self.places[begin:end]] = np.where(self.placed[begin:end], self.sorts[begin:end], UNKNOWN)

    def board(self, count: int) -> Ints:
        """The board after `count` steps."""
        board = self._kept[count // STRIDE].copy()
        self._play(board, count - count % STRIDE, count)
        return board

    def at(self, count: int) -> FilmFrame:
        """The film's state after `count` steps."""
        depth = int(self.depths[count])
        columns = self.places, self.sorts, self.placed, self.tests
        last = Step(*(column[count - 1].item() for column in columns)) if count else None
        tests = last.tests if last is not None else 0
        return FilmFrame(count, last, depth, (count + depth) // 2, tests, bisect_right(self.ends, count))

    def stop_after(self, count: int) -> int:
        """The next stop after `count` steps: the next solution, or the end."""
        at = bisect_right(self.ends, count)
        return self.ends[at] if at < len(self.ends) else len(self)

    @property
    def verdict(self) -> str:
        """The result of the search in a sentence."""
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
    """Record a search for all solutions, which ends early after `nodes` pieces tried or `tests` tests."""
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
