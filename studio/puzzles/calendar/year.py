"""The number of solutions of every date of a board: the whole year in one count.

The open cells are holes of the cover, so that all dates share partial boards; see studio.solving.cover.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from time import perf_counter

import numpy as np

from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.curves.strokes import Ints
from studio.puzzles.calendar.dates import Date, dates, refuse_crowd
from studio.puzzles.calendar.model import ANY_YEAR, Board, CalendarDesign, Mask, placements
from studio.puzzles.calendar.solve import count_by_layers, count_plainly, order, ordered_placements
from studio.solving.cover import Cover, TooManyStates, counted

NO_DATE = -1
"""The count of labels that are no date together, such as 30 February."""
FORMAT = 1
"""Part of every question; raise it when the counting changes."""
MOST_STATES_AT_ONCE = 24_000_000
"""Partial boards of one count: 200 MB of them, some ten seconds; more are counted date by date."""
MOST_STATES = 200_000_000
"""Partial boards for all dates together if a board is too large for a single count: some minutes."""
MOST_NODES = 4_000_000
"""Steps for all dates together in a plain search if even one date is too large: some half a minute."""


@dataclass(frozen=True, eq=False)
class Year:
    """The counts of all dates: int64 with an axis for each group of `Board.groups`, in its order; NO_DATE for none.

    Unless `complete`, every count is a lower bound. `nodes` partial boards were looked at. `question` names the input
    of the counts.
    """

    groups: tuple[str, ...]
    counts: Ints
    complete: bool
    nodes: int
    seconds: float
    question: str = ""

    @cached_property
    def dated(self) -> Ints:
        """The counts of all dates, one after the other."""
        return np.asarray(self.counts[self.counts != NO_DATE])

    @property
    def total(self) -> int:
        """All solutions of all dates."""
        return int(self.dated.sum())

    @property
    def least(self) -> int:
        """Number of solutions of the hardest date; 0 for a board without dates."""
        return int(self.dated.min(initial=np.iinfo(np.int64).max)) if self.dated.size else 0

    @property
    def most(self) -> int:
        """Number of solutions of the easiest date; 0 for a board without dates."""
        return int(self.dated.max(initial=0))

    def having(self, amount: int) -> tuple[tuple[int, ...], ...]:
        """The dates with an amount of solutions, each as its place on every axis, in the order of the year."""
        if not self.groups:
            return ()
        return tuple(tuple(place) for place in np.argwhere(self.counts == amount).tolist())


def year(design: CalendarDesign, progress: Progress, *, most_states: int | None = None) -> Year:
    """The counts of all dates of a design's board.

    Raises Cancelled, StudioError for a board with more dates than can be counted in reasonable time, and TooManyStates
    if it takes more than `most_states` partial boards.
    """
    return part_of(most_of(design, progress, most_states=most_states), design)


def most_of(design: CalendarDesign, progress: Progress, *, most_states: int | None = None) -> Year:
    """Count all dates in any year, which takes no longer; on a board too large for that, the dates of its year.

    Raises as `year` does.
    """
    begin = perf_counter()
    board, whole = design.layout, design.in_any_year
    refuse_crowd(board)
    if not board.groups:
        return Year((), np.full((), NO_DATE, np.int64), True, 0, perf_counter() - begin, question(whole))
    try:
        known = counted(_cover(design), progress, most_states=MOST_STATES_AT_ONCE)
    except TooManyStates:
        which = date_mask(board, design.year)
        return _one_by_one(design, which, progress, begin, question(design), most_states)
    counts = np.where(date_mask(board), known.counts, NO_DATE)
    counts.setflags(write=False)
    return Year(tuple(board.groups), counts, True, known.states, perf_counter() - begin, question(whole))


def part_of(known: Year, design: CalendarDesign) -> Year:
    """Restrict a board's counts to the dates of the design's year."""
    asked = question(design)
    if known.question == asked:
        return known
    counts = np.where(date_mask(design.layout, design.year), known.counts, NO_DATE)
    counts.setflags(write=False)
    return replace(known, counts=counts, question=asked)


def question(design: CalendarDesign) -> str:
    """A hash of all that the counts of a design depend on: cells, labels' groups and values, pieces, flipping, year."""
    board = design.layout
    labels = [(group, [(label.name, label.value) for label in labels]) for group, labels in board.groups.items()]
    pieces = sorted(piece.rows for piece in design.set)
    asked = [FORMAT, board.rows, labels, pieces, design.parameters.reflections]
    if design.year != ANY_YEAR:
        asked.append(design.year)
    return hashlib.sha256(json.dumps(asked).encode()).hexdigest()


def used(design: CalendarDesign) -> tuple[bool, ...]:
    """Return for each piece whether it fits the board with a label of every group left uncovered."""
    board = design.layout
    groups = [sum(1 << board.indices[label.name] for label in labels) for labels in board.groups.values()]
    return tuple(
        any(
            all(group & ~cells for group in groups) for cells in placements(board, piece, design.parameters.reflections)
        )
        for piece in design.set
    )


def places(board: Board, year: int = ANY_YEAR) -> Iterator[tuple[tuple[int, ...], Date]]:
    """All dates with their place on the axes of `Year.counts`."""
    at = {label.name: place for labels in board.groups.values() for place, label in enumerate(labels)}
    for date in dates(board, year):
        yield tuple(at[label.name] for label in date), date


def date_mask(board: Board, year: int = ANY_YEAR) -> Mask:
    """Mask of the combinations of labels that are dates, with an axis for each group."""
    which = np.zeros(tuple(len(labels) for labels in board.groups.values()), bool)
    for place, _date in places(board, year):
        which[place] = True
    return which


def _one_by_one(
    design: CalendarDesign, which: Mask, progress: Progress, begin: float, asked: str, most_states: int | None
) -> Year:
    """Count the dates of a board that is too large for a single count, one by one."""
    board = design.layout
    counts = np.full(which.shape, NO_DATE, np.int64)
    nodes, complete = 0, True
    every = list(places(board, design.year))
    plain = False
    for number, (place, date) in enumerate(every):
        part = progress.part(number / len(every), (number + 1) / len(every))
        part.step(0.0, tr("{number} of {count} counted", number=number, count=len(every)))
        cells = [label.name for label in date]
        if not plain:
            try:
                known = count_by_layers(design, cells, part)
            except TooManyStates:
                plain = True
        if plain:
            known = count_plainly(design, cells, part, most_nodes=MOST_NODES // len(every))
        counts[place] = known.solutions
        nodes, complete = nodes + known.nodes, complete and known.complete
        if most_states is not None and nodes > most_states:
            raise TooManyStates
        plain = plain or nodes > MOST_STATES
    counts.setflags(write=False)
    return Year(tuple(board.groups), counts, complete, nodes, perf_counter() - begin, asked)


def _cover(design: CalendarDesign) -> Cover:
    board = design.layout
    place = {number: at for at, number in enumerate(order(board).tolist())}
    return Cover(
        len(board.names),
        tuple(ordered_placements(board, piece, design.parameters.reflections) for piece in design.set),
        tuple(tuple(place[board.indices[label.name]] for label in labels) for labels in board.groups.values()),
    )
