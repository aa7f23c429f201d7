"""The dates of a board: labels that are uncovered together.

With months and days only days that exist count: 29 February does, 30 February does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import product
from math import prod

from studio.amounts import many, thousands
from studio.errors import StudioError
from studio.puzzles.calendar.model import DAY, MONTH, WEEKDAY, Board, Label
from studio.texts import tr

DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
"""The days of the months of a leap year."""

SPOKEN = (WEEKDAY, DAY, MONTH)
"""The order in which a date is said; other groups follow."""

Date = tuple[Label, ...]
"""One label of every group, in the order of `Board.groups`."""

MOST_DATES = 100_000
"""Most dates of a year; a weekday board has 2604."""
MOST_GROUPS = 16
"""Most groups of a year: each is an axis of its table."""


def refuse_crowd(board: Board) -> None:
    """Raise StudioError for a board with too many dates to count."""
    groups, ways = len(board.groups), prod(map(len, board.groups.values()))
    if groups > MOST_GROUPS:
        raise StudioError(
            tr(
                "The labels form {groups}; a year can be counted for at most {most}.",
                groups=many(groups, "group"),
                most=MOST_GROUPS,
            )
        )
    if ways > MOST_DATES:
        raise StudioError(
            tr(
                "The labels allow {combinations}; a year can be counted for at most {most}.",
                combinations=many(ways, "combination"),
                most=thousands(MOST_DATES),
            )
        )


def dates(board: Board) -> Iterator[Date]:
    """All dates of a board, by value: the first group changes slowest. None for a board without labels."""
    if board.groups:
        for date in product(*board.groups.values()):
            if exists(date):
                yield date


def exists(date: Date) -> bool:
    """Whether its day is one of its month; true where there are no months or no days."""
    known = {label.group: label.value for label in date}
    return MONTH not in known or DAY not in known or known[DAY] <= DAYS[known[MONTH] - 1]


class Noun(Enum):
    """What the dates of a board are called."""

    DATE = "date"
    COMBINATION = "combination"

    @property
    def one(self) -> str:
        """The word for a single one."""
        return tr("date") if self is Noun.DATE else tr("combination")

    @property
    def several(self) -> str:
        """The word for several."""
        return tr("dates") if self is Noun.DATE else tr("combinations")

    def many(self, count: int) -> str:
        """A number of them: 366 dates."""
        return many(count, "date") if self is Noun.DATE else many(count, "combination")


def noun_of(groups: Iterable[str]) -> Noun:
    """What dates of these groups are called: dates where there are months or days."""
    return Noun.DATE if {DAY, MONTH} & set(groups) else Noun.COMBINATION


def is_dated(board: Board) -> bool:
    """Whether a board has months and days."""
    return MONTH in board.groups and DAY in board.groups


def said(date: Date) -> str:
    """A date as it is written: `Tue 6 Oct`, and then the labels of a maker's own groups."""
    known = {label.group: label.text for label in date}
    words = [known.pop(group) for group in SPOKEN if group in known]
    return " ".join([*words, *known.values()])
