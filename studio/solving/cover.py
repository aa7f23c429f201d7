"""Exact covers of cells by pieces, each used once, with one cell of every group left open: counted and listed.

placement: the cells that a piece covers in one place and one way, as a whole number whose bit i is cell i.
hole: a cell of a group that may stay open; one of each group does. opening: the choice of a hole in every group.
state: a partial cover without a gap before a cell: the covered cells from there on, and the used pieces and groups.
Two partial covers of the same state go on in the same ways, so they are followed once.
live state: a state from which a full cover can be reached.

The count merges states, cell by cell (a transfer matrix over a broken profile); a layer is all states at one cell, in
one numpy array of 64-bit numbers: the window of cells from there on in the low bits, the used pieces and groups above.
One sweep forth finds the states, one back counts the covers reached from each; so all openings are counted at once,
and the work does not depend on the number of covers.

Pieces with the same placements are twins: swapping them makes no other cover.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.curves.strokes import Ints

Keys = NDArray[np.uint64]

SOLVER = 1
"""The version of this search, kept with its counts; it rises when counts may differ from an earlier version's."""
WIDEST = 63
"""Most bits of a state: the window of cells, and one for each piece and group."""
MOST_STATES = 24_000_000
"""States after which a count gives up: 200 MB, some seconds."""
CHUNK = 1 << 13
"""States advanced in one batch: their successors still fit in the processor's cache."""
FEW_STATES = 1 << 12
"""Layers with at most this many states keep their steps for the way back; less than CHUNK."""
LARGEST_COUNT = 1 << 40
"""Most covers of a state; a sum of more might not fit into 64 bits."""
HOLE = -1
"""The entry of a cell that no piece covers."""


@dataclass(frozen=True)
class Cover:
    """The number of cells, the placements of each piece, and the possible holes of each group.

    The work depends on the order of the cells: best is an order in which placements cover cells with near numbers.
    """

    cells: int
    pieces: tuple[tuple[int, ...], ...]
    holes: tuple[tuple[int, ...], ...] = ()

    @property
    def openings(self) -> tuple[int, ...]:
        """Number of holes in each group."""
        return tuple(map(len, self.holes))

    @cached_property
    def fits(self) -> bool:
        """True if the cells of the pieces and one hole of each group add up to `cells`."""
        if not all(self.pieces):
            return False
        return sum(ways[0].bit_count() for ways in self.pieces) + len(self.holes) == self.cells

    @cached_property
    def window(self) -> int:
        """Cells from the first to the last of the longest placement."""
        return max((cells.bit_length() - lowest(cells) for ways in self.pieces for cells in ways), default=1)

    @property
    def packs(self) -> bool:
        """True if a state fits into 64 bits, as `counted` and `listed` require."""
        return self.window + len(self.pieces) + len(self.holes) <= WIDEST

    @cached_property
    def elder(self) -> tuple[int | None, ...]:
        """The last twin before each piece, which must be placed first, or None."""
        last: dict[tuple[int, ...], int] = {}
        found = []
        for number, ways in enumerate(self.pieces):
            alike = tuple(sorted(ways))
            found.append(last.get(alike))
            last[alike] = number
        return tuple(found)


class TooManyStates(Exception):
    """A cover has more than MOST_STATES states, or one of them does not fit into 64 bits."""


@dataclass(frozen=True, eq=False)
class Counted:
    """Covers of every opening, as int64 `counts` with an axis for each group, and the number of states examined."""

    counts: Ints
    states: int


@dataclass(frozen=True, eq=False)
class Listed:
    """Covers as int8 `table` (s, cells): the piece or HOLE on every cell; `complete` if no others exist.

    `states` is the number of states examined.
    """

    table: NDArray[np.int8]
    complete: bool
    states: int


def counted(cover: Cover, progress: Progress, *, most_states: int = MOST_STATES) -> Counted:
    """Count the covers of every opening; raises Cancelled, and TooManyStates if the cover is too large.

    >>> one_of_three_open = Cover(3, ((0b011, 0b110),), ((0, 1, 2),))
    >>> counted(one_of_three_open, Progress()).counts.tolist()
    [1, 0, 1]
    """
    if not cover.fits:
        return Counted(np.zeros(cover.openings, np.int64), 0)
    layers = _Layers(cover, progress.part(0.0, 0.5), most_states)
    return Counted(_counts_back(layers, cover, progress.part(0.5, 1.0)), layers.states)


def listed(cover: Cover, progress: Progress, *, most: int, most_states: int = MOST_STATES) -> Listed:
    """List the covers of all openings, at most `most`; raises Cancelled, and TooManyStates if the cover is too large.

    Rows are sorted, so that neighbours differ as late as possible.

    >>> dominoes = ((0b0011, 0b1100, 0b0101, 0b1010),) * 2
    >>> listed(Cover(4, dominoes), Progress(), most=9).table.tolist()
    [[0, 0, 1, 1], [0, 1, 0, 1]]
    """
    if not cover.fits:
        return Listed(np.zeros((0, cover.cells), np.int8), True, 0)
    layers = _Layers(cover, progress.part(0.0, 0.5), most_states)
    table, complete = _paths(layers, cover, most, progress.part(0.5, 1.0))
    return Listed(table[np.lexsort(table.T[::-1])] if cover.cells else table, complete, layers.states)


def lowest(cells: int) -> int:
    """The first cell of a placement."""
    return (cells & -cells).bit_length() - 1


@dataclass(frozen=True, eq=False)
class _Choices:
    """Placements on one cell, as arrays (k,): allowed if `state & asks == needs`, they make `state | fills`.

    `adds` is added to the number of the opening; `pieces` are pieces or HOLE, `cells` whole placements.
    """

    asks: Keys
    needs: Keys
    fills: Keys
    adds: Ints
    pieces: tuple[int, ...]
    cells: tuple[int, ...]


class _Layers:
    """All states, one sorted array of keys for every cell; the last layer is the full cover."""

    def __init__(self, cover: Cover, progress: Progress, most_states: int) -> None:
        if not cover.packs:
            raise TooManyStates
        self.cover = cover
        self.low = np.uint64((1 << cover.window) - 1)
        self.choices = _choices(cover)
        self.keys: list[Keys] = []
        self.states = 0
        self._steps: dict[int, tuple[Ints, Ints, Keys, Ints]] = {}
        """Steps from layers with few states: sources, choices, followers, cells skipped."""
        cells = cover.cells
        waiting = _Waiting(cells + 1)
        waiting.add(0, np.zeros(1, np.uint64))
        for cell in range(cells):
            keys = waiting.taken(cell)
            self.states += len(keys)
            lasting = [keys[:0]]
            for begin in range(0, len(keys), CHUNK):
                progress.step(cell / cells, tr("{states} partial boards", states=self.states))
                if self.states + waiting.amount > most_states and self.states + waiting.settled() > most_states:
                    raise TooManyStates
                part = keys[begin : begin + CHUNK]
                sources, choices, followers, skips = self._followers(part, cell)
                # Most states are dead ends and are forgotten.
                goes_on = np.zeros(len(part), bool)
                goes_on[sources] = True
                lasting.append(part[goes_on])
                if len(keys) <= FEW_STATES:
                    self._steps[cell] = (np.cumsum(goes_on) - 1)[sources], choices, followers, skips
                for skip in _different(skips):
                    waiting.add(cell + skip, followers[skips == skip])
            self.keys.append(np.concatenate(lasting))
        self.keys.append(waiting.taken(cells))

    def _followers(self, keys: Keys, cell: int) -> tuple[Ints, Ints, Keys, Ints]:
        """Steps from states of a cell: sources, choices, followers, cells skipped."""
        known = self.choices[cell]
        able = keys & known.asks[:, None] == known.needs[:, None]
        choices, sources = np.divmod(able.ravel().nonzero()[0], max(len(keys), 1))
        followers = keys[sources] | known.fills[choices]
        skips = self._skips(followers)
        shifted = (followers & self.low) >> skips.astype(np.uint64)
        return sources, choices, (followers & ~self.low) | shifted, skips

    def _skips(self, keys: Keys) -> Ints:
        """Number of cells from here on covered without a gap, (k,)."""
        window = keys & self.low
        # The lowest empty cell and all before it are just the bits that adding one changes.
        return (np.bitwise_count(window ^ (window + np.uint64(1))) - np.uint8(1)).astype(np.int64)

    def steps_back(self, cell: int, live: Sequence[Keys], progress: Progress) -> _Steps:
        """The steps from the states of a layer to live states of the layers behind it."""
        parts = [_NO_STEPS]
        for begin in range(0, len(self.keys[cell]), CHUNK):
            progress.step(1 - (cell + 1) / (self.cover.cells + 1), tr("Counting solutions"))
            keys = self.keys[cell][begin : begin + CHUNK]
            found = self._steps.get(cell)
            sources, choices, targets, skips = found if found is not None else self._followers(keys, cell)
            reached, targets_at = [_NO_STEPS.sources], [_NO_STEPS.targets]
            for skip in _different(skips):
                if len(live[cell + skip]):
                    of = (skips == skip).nonzero()[0]
                    there, at = _places(live[cell + skip], targets[of])
                    reached.append(of[there])
                    targets_at.append(at)
            steps = np.concatenate(reached)
            parts.append(_Steps(begin + sources[steps], choices[steps], skips[steps], np.concatenate(targets_at)))
        return _Steps(*map(np.concatenate, zip(*parts, strict=True)))


class _Waiting:
    """Reached states of every cell until their turn; a state may be there many times."""

    def __init__(self, cells: int) -> None:
        self.parts: list[list[Keys]] = [[] for _ in range(cells)]
        self.amount = 0

    def add(self, cell: int, keys: Keys) -> None:
        self.parts[cell].append(keys)
        self.amount += len(keys)

    def taken(self, cell: int) -> Keys:
        """Remove and return the states of a cell, each once, ascending."""
        self.amount -= sum(map(len, self.parts[cell]))
        keys = _distinct(self.parts[cell])
        self.parts[cell] = []
        return keys

    def settled(self) -> int:
        """Drop repeated states; return the number of those left."""
        self.parts = [[_distinct(parts)] for parts in self.parts]
        self.amount = sum(len(keys) for parts in self.parts for keys in parts)
        return self.amount


class _Steps(NamedTuple):
    """Steps between states, (e,): source in its layer, choice, cells skipped, target in its layer."""

    sources: Ints
    choices: Ints
    skips: Ints
    targets: Ints


_NO_STEPS = _Steps(*(np.zeros(0, np.int64) for _ in range(4)))


def _different(numbers: Ints) -> list[int]:
    """Distinct values of small numbers, ascending."""
    return np.bincount(numbers).nonzero()[0].tolist()


def _distinct(parts: Sequence[Keys]) -> Keys:
    if not parts:
        return np.zeros(0, np.uint64)
    keys = np.concatenate(parts)
    keys.sort()
    return keys[np.concatenate(([True], keys[1:] != keys[:-1]))] if len(keys) else keys


def _choices(cover: Cover) -> list[_Choices]:
    starts: list[list[tuple[int, int, int, int, int, int]]] = [[] for _ in range(cover.cells)]
    for number, ways in enumerate(cover.pieces):
        elder, bit = cover.elder[number], 1 << cover.window + number
        needs = 0 if elder is None else 1 << cover.window + elder
        for cells in ways:
            first = lowest(cells)
            fills = cells >> first | bit
            starts[first].append((fills | needs, needs, fills, 0, number, cells))
    stride = prod(cover.openings)
    for group, holes in enumerate(cover.holes):
        stride //= max(len(holes), 1)
        fills = 1 | 1 << cover.window + len(cover.pieces) + group
        for place, cell in enumerate(holes):
            starts[cell].append((fills, 0, fills, place * stride, HOLE, 1 << cell))
    found = []
    for start in starts:
        masks = np.array([each[:3] for each in start], np.uint64).reshape(-1, 3).T.copy()
        adds, pieces, placed = ([each[column] for each in start] for column in (3, 4, 5))
        found.append(_Choices(masks[0], masks[1], masks[2], np.array(adds, np.int64), tuple(pieces), tuple(placed)))
    return found


@lru_cache(maxsize=4096)
def members(cells: int) -> tuple[int, ...]:
    """The cells of a placement, ascending."""
    found = []
    while cells:
        found.append(lowest(cells))
        cells &= cells - 1
    return tuple(found)


def _places(keys: Keys, wanted: Keys) -> tuple[Ints, Ints]:
    """Indices of the wanted keys found among sorted keys, at least one, and their places there."""
    at = np.searchsorted(keys, wanted)
    at[at == len(keys)] = 0
    there = (keys[at] == wanted).nonzero()[0]
    return there, at[there]


def _spread(starts: Ints, which: Ints) -> tuple[Ints, Ints]:
    """The rows of states `which` one after the other, and the index in `which` that each row belongs to.

    The rows of state i are `starts[i]` to `starts[i + 1]`.
    """
    lengths = starts[which + 1] - starts[which]
    owners = np.repeat(np.arange(len(which)), lengths)
    begins = np.cumsum(lengths) - lengths
    return np.arange(len(owners)) - begins[owners] + starts[which][owners], owners


def _runs(sorted_: Ints) -> Ints:
    """Start of each run of equal values in a sorted array."""
    return np.flatnonzero(np.concatenate(([True], sorted_[1:] != sorted_[:-1]))) if len(sorted_) else sorted_


def _summed(numbers: Ints, amounts: Ints) -> tuple[Ints, Ints]:
    """Distinct numbers, ascending, with the sums of their amounts."""
    if not len(numbers):
        return numbers, amounts
    order = np.argsort(numbers)
    numbers = numbers[order]
    first = _runs(numbers)
    return numbers[first], np.add.reduceat(amounts[order], first)


class _Table(NamedTuple):
    """Openings reached from a layer's live states, and their covers; the rows of state i begin at `starts[i]`."""

    starts: Ints
    openings: Ints
    covers: Ints


def _counts_back(layers: _Layers, cover: Cover, progress: Progress) -> Ints:
    """Count the covers of all openings: from the last cell back, each state's covers by opening."""
    size = prod(cover.openings)
    live = list(layers.keys)
    end = len(live[-1])
    nothing = np.zeros(0, np.int64)
    tables = [_Table(nothing, nothing, nothing) for _ in live]
    tables[-1] = _Table(np.arange(end + 1), np.zeros(end, np.int64), np.ones(end, np.int64))
    for cell in reversed(range(cover.cells)):
        steps = layers.steps_back(cell, live, progress)
        parts = [(nothing, nothing)]
        for skip in _different(steps.skips):
            of = np.flatnonzero(steps.skips == skip)
            behind = tables[cell + skip]
            rows, owners = _spread(behind.starts, steps.targets[of])
            of = of[owners]
            openings = behind.openings[rows] + layers.choices[cell].adds[steps.choices[of]]
            parts.append((steps.sources[of] * size + openings, behind.covers[rows]))
        numbers, covers = _summed(*(np.concatenate(each) for each in zip(*parts, strict=True)))
        if covers.max(initial=0) > LARGEST_COUNT:
            raise TooManyStates
        states, openings = np.divmod(numbers, size)
        first = _runs(states)
        tables[cell] = _Table(np.append(first, len(states)), openings, covers)
        live[cell] = layers.keys[cell] = layers.keys[cell][states[first]]
        if cell + cover.window < len(live):
            tables[cell + cover.window] = _Table(nothing, nothing, nothing)
    counts = np.zeros(size, np.int64)
    counts[tables[0].openings] = tables[0].covers
    return counts.reshape(cover.openings)


def _paths(layers: _Layers, cover: Cover, most: int, progress: Progress) -> tuple[NDArray[np.int8], bool]:
    """List the covers: find the live states from the last cell back, then go forth along these alone."""
    live = list(layers.keys)
    ways: list[_Steps] = [_NO_STEPS for _ in live]
    for cell in reversed(range(cover.cells)):
        steps = layers.steps_back(cell, live, progress.part(0.0, 0.5))
        order = np.argsort(steps.sources, kind="stable")
        steps = _Steps(*(each[order] for each in steps))
        first = _runs(steps.sources)
        live[cell] = layers.keys[cell] = layers.keys[cell][steps.sources[first]]
        ways[cell] = steps._replace(sources=np.append(first, len(steps.sources)))
    complete = True
    waiting: list[list[tuple[Ints, NDArray[np.int8]]]] = [[] for _ in live]
    waiting[0].append((np.arange(len(live[0])), np.full((len(live[0]), cover.cells), HOLE, np.int8)))
    for cell in range(cover.cells):
        progress.step(0.5 + 0.5 * cell / cover.cells, tr("Listing solutions"))
        if not waiting[cell]:
            continue
        states, table = (np.concatenate(each) for each in zip(*waiting[cell], strict=True))
        waiting[cell] = []
        steps = ways[cell]
        rows, owners = _spread(steps.sources, states)
        complete, rows, owners = complete and len(rows) <= most, rows[:most], owners[:most]
        table = table[owners]
        choices, skips = steps.choices[rows], steps.skips[rows]
        for choice in _different(choices):
            placed = np.array(members(layers.choices[cell].cells[choice]))
            table[(choices == choice).nonzero()[0][:, None], placed] = layers.choices[cell].pieces[choice]
        for skip in _different(skips):
            of = skips == skip
            waiting[cell + skip].append((steps.targets[rows][of], table[of]))
    table = np.concatenate([np.zeros((0, cover.cells), np.int8), *(each for _, each in waiting[-1])])
    return table[:most], complete and len(table) <= most
