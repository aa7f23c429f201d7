"""The dates of a board: labels that are uncovered together.

With months and days only days that exist count: 29 February does, 30 February does not. In a real year each date has
the weekday that it has there, and 29 February counts only in a leap year.
"""

from __future__ import annotations

import datetime
from calendar import isleap
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from itertools import product
from math import prod

from studio.base.amounts import many, thousands
from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.puzzles.calendar.model import ANY_YEAR, DAY, MONTH, WEEKDAY, Board, Label

DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
"""The days of the months of a leap year."""

WEEKDAYS = tr("Monday Tuesday Wednesday Thursday Friday Saturday Sunday").split()
"""The weekdays from Monday on."""

SPOKEN = (WEEKDAY, DAY, MONTH)
"""Order of the groups in a spoken date; other groups follow."""

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
        words = tr(
            "The labels form {groups}; a year can be counted for at most {most}.",
            groups=many(groups, "group"),
            most=MOST_GROUPS,
        )
        raise StudioError(words)
    if ways > MOST_DATES:
        words = tr(
            "The labels allow {combinations}; a year can be counted for at most {most}.",
            combinations=many(ways, "combination"),
            most=thousands(MOST_DATES),
        )
        raise StudioError(words)


def dates(board: Board, year: int = ANY_YEAR) -> Iterator[Date]:
    """All dates of a board, by value: the first group changes slowest. None for a board without labels."""
    if board.groups:
        for date in product(*board.groups.values()):
            if exists(date, year):
                yield date


def exists(date: Date, year: int = ANY_YEAR) -> bool:
    """True if its month has its day and the year its weekday; a date without month or day always exists."""
    known = {label.group: label.value for label in date}
    if not is_day(known, year):
        return False
    weekday = weekday_of(known, year)
    return weekday is None or known.get(WEEKDAY, weekday) == weekday


def is_day(values: Mapping[str, int], year: int = ANY_YEAR) -> bool:
    """True if the month has the day, by the values of their groups, or if either is missing."""
    month, day = values.get(MONTH), values.get(DAY)
    if month is None or day is None:
        return True
    return day <= DAYS[month - 1] and (year == ANY_YEAR or (month, day) != (2, 29) or isleap(year))


def weekday_of(values: Mapping[str, int], year: int) -> int | None:
    """The weekday of a day in a year, 1 for Monday; None in any year, and without a month or a day."""
    if year == ANY_YEAR or MONTH not in values or DAY not in values or not is_day(values, year):
        return None
    return datetime.date(year, values[MONTH], values[DAY]).isoweekday()


def refusal(board: Board, date: Date, year: int = ANY_YEAR) -> str:
    """The reason why labels are no date, in a sentence; empty if they are a date."""
    if exists(date, year):
        return ""
    known = {label.group: label.value for label in date}
    day = tuple(label for label in date if label.group in (MONTH, DAY))
    if not is_day(known):
        return tr("{date} does not exist.", date=said(day))
    weekday = weekday_of(known, year)
    if weekday is None:
        return tr("{date} {year} does not exist.", date=said(day), year=year)
    texts = [label.text for label in board.groups.get(WEEKDAY, ()) if label.value == weekday]
    return tr("{date} {year} is a {weekday}.", date=said(day), year=year, weekday=written_out(weekday, *texts[:1]))


def written_out(weekday: int, text: str = "") -> str:
    """A weekday in full: an English word, or the text of its label unless that abbreviates the word."""
    word = WEEKDAYS[weekday - 1]
    return word if word.casefold().startswith(text.casefold()) else text


class Noun(Enum):
    """The noun for the dates of a board."""

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
    """Return the noun for dates of these groups: "date" if they include months or days."""
    return Noun.DATE if {DAY, MONTH} & set(groups) else Noun.COMBINATION


def said(date: Date) -> str:
    """A date as it is written: `Tue 6 Oct`, and then the labels of a maker's own groups."""
    known = {label.group: label.text for label in date}
    words = [known.pop(group) for group in SPOKEN if group in known]
    return " ".join([*words, *known.values()])
