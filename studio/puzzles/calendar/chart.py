"""A year's counts as a chart: rows and columns of dates, ranks, and sentences about them.

chart: rows and columns of cells, each a date or empty. On a board with more than two groups the labels of further
groups are chosen, or a cell shows the date with the fewest solutions.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from studio.base.amounts import at_least, listed, many, thousands
from studio.base.texts import as_cell, tr
from studio.geometry.curves.strokes import Ints
from studio.puzzles.calendar.dates import WEEKDAYS, Date, Noun, noun_of, said
from studio.puzzles.calendar.model import MONTH, WEEKDAY, Board, Label
from studio.puzzles.calendar.year import NO_DATE

MOST_NAMED = 4
"""Most dates named in a sentence; of more, one fewer is named and the rest are counted."""
_MONTHS = tr("January February March April May June July August September October November December")
_FULL = {MONTH: _MONTHS.split(), WEEKDAY: WEEKDAYS}

Place = tuple[int, int]
"""A row and a column of a chart."""


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
    seen = np.full((len(rows), len(columns)), NO_DATE, np.int64)
    cells: dict[Place, Date] = {}
    picked = tuple(slice(None) if group not in chosen else slice(chosen[group], chosen[group] + 1) for group in further)
    for row in rows:
        for column in columns:
            place = (row, column)[2 - len(shown) :]
            rest = table[place][picked] if further else table[place]
            if not (rest >= 0).any():
                continue
            fewest = np.unravel_index(int(np.where(rest < 0, np.iinfo(np.int64).max, rest).argmin()), rest.shape)
            seen[row, column] = rest[fewest]
            at = dict(zip(shown, place, strict=True))
            at |= {group: chosen.get(group, int(fewest[axis])) for axis, group in enumerate(further)}
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
