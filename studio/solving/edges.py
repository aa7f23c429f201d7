"""Edge matching: pieces laid on places so that all that show the same side of the board show it in one colour.

side: what several places show a part of, such as a face of a cube; the border gives some sides their colour. slot: a
part of a piece; slot k of the piece on place p shows the side `slots[p][k]`. sort: pieces that are alike; they are
counted as a multiset, so that swapping two of them makes no other solution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from operator import itemgetter
from time import perf_counter
from typing import NamedTuple, assert_never

from studio.progress import Progress
from studio.solving.solved import Count

UNKNOWN = -1
"""The colour of a side that neither the border nor a piece shows yet."""
SOME = -2
"""Stands for a colour that will be known by then, while a search is prepared."""
BETWEEN_STEPS = 2_000
"""Steps of a search between two questions whether anybody still waits."""

Finder = Callable[[], Iterable[int]]
"""Finds the sorts that fit a place."""
Lookup = dict[object, list[int]]


class Strategy(Enum):
    """In which order places are filled, and how the pieces for one are found."""

    ONE_BY_ONE = "one-by-one"
    INDEXED = "indexed"
    FEWEST_FIRST = "fewest-first"


@dataclass(frozen=True)
class Matching:
    """Places and pieces of an edge-matching puzzle.

    `slots` has the sides that each place shows, `given` the colour of each side or UNKNOWN, `pieces` the colours of
    each piece, as many as a place has slots. There are as many pieces as places.
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
    def decoys(self) -> tuple[int, ...]:
        """For every place, how many wrong sorts fit what a solver knows who filled all places before it rightly.

        The pieces must be in the order of the places, as in a solution.
        """
        table, known = _Table(self), list(self.given)
        counts = []
        for place, colours in enumerate(self.pieces):
            counts.append(len(table.fitting(place, known)) - 1)
            for side, colour in zip(self.slots[place], colours, strict=True):
                known[side] = colour
        return tuple(counts)


class Step(NamedTuple):
    """One step of a search: a piece of a sort laid on a place, or lifted from it; `tests` were made so far."""

    place: int
    sort: int
    is_laid: bool
    tests: int


@dataclass(frozen=True)
class Solutions:
    """What a search found: the sort on each place, for every solution, and how far it came."""

    found: tuple[tuple[int, ...], ...]
    count: Count
    deepest: int
    """The most places that were filled at once."""


def solutions(
    matching: Matching, progress: Progress, *, most: int | None = None, nodes: int | None = None,
    strategy: Strategy = Strategy.INDEXED,
) -> Solutions:  # fmt: skip
    """All solutions, or the first `most`; after `nodes` laid pieces the search gives up and is not complete."""
    begin = perf_counter()
    places = len(matching.slots)
    laid = [UNKNOWN] * places
    depth = deepest = count = 0
    found: list[tuple[int, ...]] = []
    complete = True
    for step in steps(matching, strategy):
        if not step.is_laid:
            laid[step.place] = UNKNOWN
            depth -= 1
            continue
        if (most is not None and len(found) >= most) or (nodes is not None and count >= nodes):
            complete = False
            break
        if not count % BETWEEN_STEPS:
            progress.step(0.0, "Searching")
        count += 1
        depth += 1
        deepest = max(deepest, depth)
        laid[step.place] = step.sort
        if depth == places:
            found.append(tuple(laid))
    return Solutions(tuple(found), Count(len(found), complete, count, perf_counter() - begin), deepest)


def steps(matching: Matching, strategy: Strategy) -> Iterator[Step]:
    """Every step of an exhaustive search, one after another."""
    match strategy:
        case Strategy.ONE_BY_ONE | Strategy.INDEXED:
            return _in_order(matching, _held_against_all if strategy is Strategy.ONE_BY_ONE else _looked_up)
        case Strategy.FEWEST_FIRST:
            return _fewest_first(matching)
        case _:
            assert_never(strategy)


def _in_order(matching: Matching, finder: Callable[[_State, int], Finder]) -> Iterator[Step]:
    """The places are filled in their order, so that what is known at each is always the same slots."""
    state = _State(matching)
    finders: list[Finder] = []
    fresh: list[list[tuple[int, int]]] = []
    for place, sides in enumerate(matching.slots):
        finders.append(finder(state, place))
        fresh.append([(slot, side) for slot, side in enumerate(sides) if state.colours[side] == UNKNOWN])
        for _slot, side in fresh[-1]:
            state.colours[side] = SOME
    sorts, colours, left = matching.sorts, state.colours, state.left
    at, end = 0, len(finders) - 1
    laid = [UNKNOWN] * len(finders)
    open_: list[Iterator[int]] = [iter(finders[0]())]
    while True:
        for sort in open_[-1]:
            left[sort] -= 1
            laid[at] = sort
            shown = sorts[sort]
            for slot, side in fresh[at]:
                colours[side] = shown[slot]
            yield Step(at, sort, True, state.tests)
            if at < end:
                at += 1
                open_.append(iter(finders[at]()))
                break
            left[sort] += 1
            yield Step(at, sort, False, state.tests)
        else:
            open_.pop()
            if not at:
                return
            at -= 1
            left[laid[at]] += 1
            yield Step(at, laid[at], False, state.tests)


def _fewest_first(matching: Matching) -> Iterator[Step]:
    """Next is always the place that the fewest sorts fit, the first of several."""
    state = _State(matching)
    empty = dict.fromkeys(range(len(matching.slots)))
    stack = [_best(state, empty)]
    trail: list[tuple[int, int, list[int]]] = []
    while stack:
        place, sorts = stack[-1]
        sort = next(sorts, UNKNOWN)
        if sort != UNKNOWN:
            shown = []
            for side, colour in zip(matching.slots[place], matching.sorts[sort], strict=True):
                if state.colours[side] == UNKNOWN:
                    state.colours[side] = colour
                    shown.append(side)
            state.left[sort] -= 1
            del empty[place]
            trail.append((place, sort, shown))
            yield Step(place, sort, True, state.tests)
            stack.append(_best(state, empty) if empty else (place, iter(())))
            continue
        stack.pop()
        if trail:
            place, sort, shown = trail.pop()
            for side in shown:
                state.colours[side] = UNKNOWN
            state.left[sort] += 1
            empty[place] = None
            yield Step(place, sort, False, state.tests)


def _best(state: _State, empty: Iterable[int]) -> tuple[int, Iterator[int]]:
    """The place that the fewest sorts fit, and those."""
    fewest = len(state.left) + 1
    best: tuple[int, list[int]] = 0, []
    for place in sorted(empty):
        sorts = [sort for sort in state.table.fitting(place, state.colours) if state.left[sort]]
        state.tests += len(sorts)
        if len(sorts) < fewest:
            fewest, best = len(sorts), (place, sorts)
        if not sorts:
            break
    return best[0], iter(best[1])


def _held_against_all(state: _State, place: int) -> Finder:
    """Every piece that is left is held against what lies around the place."""
    known = [(slot, side) for slot, side in enumerate(state.matching.slots[place]) if state.colours[side] != UNKNOWN]

    def found() -> Iterator[int]:
        for sort, shown in enumerate(state.matching.sorts):
            if state.left[sort]:
                state.tests += 1
                if all(state.colours[side] == shown[slot] for slot, side in known):
                    yield sort

    return found


def _looked_up(state: _State, place: int) -> Finder:
    """The pieces that fit are looked up by the colours around the place."""
    chosen, table = state.table.lookup(place, state.colours)

    def found() -> Sequence[int]:
        sorts = [sort for sort in table.get(chosen(state.colours), ()) if state.left[sort]]
        state.tests += len(sorts)
        return sorts

    return found


class _Table:
    """The sorts by the colours of some of their slots: tables are made for those slots that are asked for."""

    def __init__(self, matching: Matching) -> None:
        self._slots, self._sorts = matching.slots, matching.sorts
        self._tables: dict[tuple[int, ...], Lookup] = {}

    def lookup(self, place: int, colours: Sequence[int]) -> tuple[Callable[[Sequence[int]], object], Lookup]:
        """What chooses the known sides of a place from the colours of all, and the sorts by what it gives."""
        sides = self._slots[place]
        known = tuple(slot for slot, side in enumerate(sides) if colours[side] != UNKNOWN)
        if not known:
            return _nothing, {None: list(range(len(self._sorts)))}
        if known not in self._tables:
            chosen = itemgetter(*known)
            table: Lookup = {}
            for sort, shown in enumerate(self._sorts):
                table.setdefault(chosen(shown), []).append(sort)
            self._tables[known] = table
        return itemgetter(*[sides[slot] for slot in known]), self._tables[known]

    def fitting(self, place: int, colours: Sequence[int]) -> Sequence[int]:
        """The sorts that show on a place what is known of its sides."""
        chosen, table = self.lookup(place, colours)
        return table.get(chosen(colours), ())


def _nothing(_colours: Sequence[int]) -> None:
    """No side is known."""


class _State:
    """A partly filled board: the colours of its sides, how many pieces of every sort are left, and tests so far."""

    def __init__(self, matching: Matching) -> None:
        self.matching = matching
        self.table = _Table(matching)
        self.colours = list(matching.given)
        self.left = [len(pieces) for pieces in matching.members]
        self.tests = 0
