"""The number of solutions of every date of a board: the whole year in one count, and a chart of it.

The open cells are holes of the cover, so that all dates share partial boards; see studio.solving.cover.

chart: rows and columns of cells, each a date or empty. On a board with more than two groups the labels of further
groups are chosen, or a cell shows the date with the fewest solutions.
"""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from time import perf_counter

import numpy as np

from studio.base.amounts import as_cell, at_least, listed, many, thousands
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.curves.strokes import Ints
from studio.puzzles.calendar.model import (
    ANY_YEAR,
    MONTH,
    WEEKDAY,
    WEEKDAYS,
    Board,
    CalendarDesign,
    Date,
    Label,
    Mask,
    Noun,
    dates,
    noun_of,
    placements,
    refuse_crowd,
    said,
)
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
MOST_NAMED = 4
"""Most dates named in a sentence; of more, one fewer is named and the rest are counted."""
_MONTHS = tr("January February March April May June July August September October November December")
_FULL = {MONTH: _MONTHS.split(), WEEKDAY: WEEKDAYS}

Place = tuple[int, int]
"""A row and a column of a chart."""


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
    place = {number: at for at, number in enumerate(order(board).tolist())}
    cover = Cover(
        len(board.names),
        tuple(ordered_placements(board, piece, design.parameters.reflections) for piece in design.set),
        tuple(tuple(place[board.indices[label.name]] for label in labels) for labels in board.groups.values()),
    )
    try:
        known = counted(cover, progress, most_states=MOST_STATES_AT_ONCE)
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


@dataclass(frozen=True, eq=False)
class Chart:
    """Counts (rows, columns) of a board with the labels at their heads; NO_DATE marks a cell without a date.

    `rows` and `columns` are empty for a board with fewer groups. In the groups `whatever`, each cell takes the label
    with the fewest solutions. Unless `is_complete`, each count is a lower bound.
    """

    rows: tuple[Label, ...]
    columns: tuple[Label, ...]
    counts: Ints
    cells: dict[Place, Date]
    whatever: tuple[str, ...] = ()
    noun: Noun = Noun.DATE
    is_complete: bool = True

    @cached_property
    def dates(self) -> tuple[Place, ...]:
        """Cells with a date, sorted by number of solutions, the fewest first."""
        rows, columns = np.nonzero(self.counts >= 0)
        order = np.argsort(self.counts[rows, columns], kind="stable")
        return tuple(zip(rows[order].tolist(), columns[order].tolist(), strict=True))

    @cached_property
    def ranks(self) -> dict[Place, int]:
        """The rank of every date: 1 for the fewest solutions; equal counts share a rank."""
        counts = [int(self.counts[place]) for place in self.dates]
        return {place: 1 + bisect_left(counts, count) for place, count in zip(self.dates, counts, strict=True)}

    @property
    def least(self) -> int:
        """The fewest solutions of a date; 0 for a chart without dates."""
        return int(self.counts[self.dates[0]]) if self.dates else 0

    @property
    def most(self) -> int:
        """The most solutions of a date; 0 for a chart without dates."""
        return int(self.counts[self.dates[-1]]) if self.dates else 0

    @cached_property
    def hardest(self) -> frozenset[Place]:
        """The dates with the fewest solutions, if they have any."""
        return frozenset(place for place in self.dates if 0 < self.counts[place] == self.least)

    @cached_property
    def easiest(self) -> frozenset[Place]:
        """The dates with the most solutions; empty if all counts are equal."""
        return frozenset(place for place in self.dates if self.least < self.counts[place] == self.most)

    def place_of(self, date: Date | None) -> Place | None:
        """Return the cell of a date, whatever its further labels; None if no cell shows it."""
        if date is None:
            return None
        wanted = {label.name for label in date}
        for place, known in self.cells.items():
            shown = {head.name for head in self.heads(place)} or {label.name for label in known}
            if shown <= wanted:
                return place
        return None

    def heads(self, place: Place) -> tuple[Label, ...]:
        """The labels of a cell's row and column."""
        row, column = place
        return (*self.rows[row : row + 1], *self.columns[column : column + 1])


NO_CHART = Chart((), (), np.empty((0, 0), np.int64), {})
"""The chart of nothing."""


def chart(board: Board, counts: Ints, chosen: Mapping[str, int], *, complete: bool = True) -> Chart:
    """Lay out counts with an axis a group, as a Year has them.

    The longer of the first two groups runs across. Every further group shows its label at the index `chosen`; if no
    index is chosen, each cell takes the label with the fewest solutions.
    """
    groups = list(board.groups)
    shown = groups[:2]
    if len(shown) == 2 and len(board.groups[shown[0]]) > len(board.groups[shown[1]]):
        shown.reverse()
    table = np.moveaxis(counts, [groups.index(group) for group in shown], range(len(shown)))
    further = groups[2:]
    labels = [range(len(board.groups[group])) for group in shown]
    rows, columns = (labels[0], labels[1]) if len(labels) == 2 else (range(1), labels[0] if labels else range(1))
    cells: dict[Place, Date] = {}
    picked = [slice(None) if group not in chosen else slice(chosen[group], chosen[group] + 1) for group in further]
    rest = table[(..., *picked)]
    flat = rest.reshape(len(rows), len(columns), -1)
    which = np.where(flat < 0, np.iinfo(np.int64).max, flat).argmin(axis=2)
    seen: Ints = np.take_along_axis(flat, which[..., None], axis=2)[..., 0]
    fewest = np.unravel_index(which, rest.shape[len(shown) :]) if further else ()
    for row, column in np.argwhere(seen >= 0).tolist():
        at = dict(zip(shown, (row, column)[2 - len(shown) :], strict=True))
        at |= {group: chosen.get(group, int(axis[row, column])) for group, axis in zip(further, fewest, strict=True)}
        cells[row, column] = tuple(board.groups[group][at[group]] for group in groups)
    heads = [board.groups[group] for group in shown]
    whatever = tuple(group for group in free_groups(board, counts) if group not in chosen)
    first, last = heads[0] if len(heads) == 2 else (), heads[-1] if heads else ()
    return Chart(first, last, seen, cells, whatever, noun_of(groups), complete)


def free_groups(board: Board, counts: Ints) -> tuple[str, ...]:
    """The groups beyond the first two that leave a choice; in a real year the weekday follows from month and day."""
    groups = tuple(board.groups)
    which = counts != NO_DATE
    return tuple(group for axis, group in enumerate(groups) if axis > 1 and (which.sum(axis=axis) > 1).any())


def in_words(date: Date) -> str:
    """A date as it is written: `6 October`, `Monday 6 October`; labels of other groups follow."""
    return said(tuple(replace(label, text=full(label)) for label in date))


def full(label: Label) -> str:
    """A label's word, written out if it is the beginning of an English month or weekday."""
    if label.group in _FULL and len(label.text) >= 3:
        word = _FULL[label.group][label.value - 1]
        if word.casefold().startswith(label.text.casefold()):
            return word
    return label.text


def extremes(seen: Chart) -> str:
    """The hardest and the easiest dates in a sentence; the dates without a solution come first."""
    if not seen.dates:
        return tr("This board has no {dates}.", dates=seen.noun.several)
    none = [place for place in seen.dates if seen.counts[place] == 0]
    words = []
    if len(none) == len(seen.dates):
        return (
            tr("No {date} has a solution.", date=seen.noun.one)
            if seen.is_complete
            else tr("No {date} has a solution so far.", date=seen.noun.one)
        )
    if none:
        words.append(tr("Without a solution: {dates}.", dates=_named(seen, none)))
    hardest = [place for place in seen.dates if place in seen.hardest]
    easiest = [place for place in seen.dates if place in seen.easiest]
    least = at_least(many(seen.least, "solution"), exact=seen.is_complete)
    if hardest and easiest:
        words.append(
            tr("Hardest: {dates} ({solutions}).", dates=_named(seen, hardest), solutions=_each(least, hardest))
        )
    if easiest:
        words.append(
            tr(
                "{easiest}: {dates} ({count}).",
                easiest=easiest_of(seen.whatever),
                dates=_named(seen, easiest),
                count=_each(at_least(thousands(seen.most), exact=seen.is_complete), easiest),
            )
        )
    elif not none:
        words.append(tr("Every {date} has {solutions}.", date=seen.noun.one, solutions=least))
    return " ".join(words)


def words_of(seen: Chart, place: Place) -> str:
    """The facts of a date: `6 October: 7 solutions, the hardest of 366`."""
    count, rank, dates = int(seen.counts[place]), seen.ranks[place], len(seen.dates)
    date = in_words(seen.cells[place])
    if count == 0:
        return tr("{date}: no solution", date=date) if seen.is_complete else tr("{date}: no solution so far", date=date)
    if place in seen.hardest and rank == 1:
        beside = tr("the hardest of {count}", count=dates)
    elif place in seen.easiest:
        beside = tr("the easiest of {count}", count=dates)
    else:
        beside = tr("rank {rank} of {count}", rank=rank, count=dates)
    return tr(
        "{date}: {solutions}, {rank}",
        date=date,
        solutions=at_least(many(count, "solution"), exact=seen.is_complete),
        rank=beside,
    )


def easiest_of(whatever: Sequence[str]) -> str:
    """The heading of the easiest dates, if some groups take the label with the fewest solutions."""
    if not whatever:
        return tr("Easiest")
    return tr("Easiest with its hardest {groups}", groups=listed(whatever))


def as_text(seen: Chart) -> str:
    """The table of dates to be pasted into a spreadsheet: lines with tabs, the hardest date first."""
    labels = seen.cells[seen.dates[0]] if seen.dates else ()
    lines = [[*(label.group for label in labels), "solutions", "rank"]]
    for place in seen.dates:
        date = [label.text for label in seen.cells[place]]
        lines.append([*date, str(int(seen.counts[place])), str(seen.ranks[place])])
    return "".join("\t".join(map(as_cell, line)) + "\n" for line in lines)


def _named(seen: Chart, places: list[Place]) -> str:
    """Some dates in words; the easiest without the groups that do not matter to it."""
    easiest = seen.counts[places[0]] > seen.least
    named = len(places) if len(places) <= MOST_NAMED else MOST_NAMED - 1
    dates = [seen.cells[place] for place in places[:named]]
    names = [
        in_words(tuple(label for label in date if not (easiest and label.group in seen.whatever))) for date in dates
    ]
    rest = len(places) - named
    return listed([*names, tr("{count} more", count=thousands(rest))] if rest else names)


def _each(amount: str, places: Sequence[Place]) -> str:
    """An amount of every one of some places."""
    return tr("{amount} each", amount=amount) if len(places) > 1 else amount
