"""A real year: the weekday follows from the date, and 29 February comes in leap years only."""

import datetime
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from studio.base.encode import encode
from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.puzzles.calendar import game, questions
from studio.puzzles.calendar import year as year_
from studio.puzzles.calendar.model import (
    Board,
    CalendarDesign,
    CalendarParameters,
    Label,
    Piece,
    built_in,
    dates,
    refusal,
    said,
)
from studio.puzzles.calendar.questions import date_cells, tally
from studio.puzzles.calendar.set_search import SetConditions, candidates, search
from studio.puzzles.calendar.solve import count
from studio.puzzles.calendar.year import NO_DATE, chart, extremes, places, question, year

WEEKDAYS = built_in("weekday").board
SMALL = CalendarDesign(
    CalendarParameters(year=2026),
    Board(
        ("....", "....", "....", "###."),
        tuple(
            Label(name, group, value, text)
            for name, group, value, text in (
                ("A1", "month", 1, "Jan"), ("A2", "weekday", 3, "Wed"), ("A3", "weekday", 7, "Sun"),
                ("B1", "month", 2, "Feb"), ("B2", "weekday", 4, "Thu"), ("C1", "day", 1, "1"),
                ("C2", "weekday", 5, "Fri"), ("D1", "day", 2, "2"), ("D2", "weekday", 6, "Sat"),
            )
        ),
    ),
    (Piece("I", ("#",)), Piece("V", ("#.", "##")), Piece("V 2", ("#.", "##")), Piece("V 3", ("#.", "##"))),
)  # fmt: skip
"""1 and 2 January 2026 are a Thursday and a Friday, 1 February a Sunday; 2 February, a Monday, is not on the board."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


@pytest.mark.parametrize("number", [1583, 1900, 2000, 2026, 2028, 9999])
def test_the_dates_are_those_of_the_year(number: int) -> None:
    first = datetime.date(number, 1, 1)
    length = datetime.date(number, 12, 31) - first
    days = [first + datetime.timedelta(days=day) for day in range(length.days + 1)]
    expected = [(day.month, day.day, day.isoweekday()) for day in days]
    assert [tuple(label.value for label in date) for date in dates(WEEKDAYS, number)] == expected
    assert len(list(dates(built_in("article").board, number))) == len(expected), "also on a board without weekdays"


def test_a_year_concerns_only_boards_with_months_and_days() -> None:
    dice = CalendarDesign(CalendarParameters(board="dice", year=2026))
    assert dice.year == 0 and question(dice) == question(replace(dice, parameters=CalendarParameters(board="dice")))
    assert len(list(dates(dice.layout, dice.year))) == 36


def test_the_counts_of_a_year_are_those_of_its_dates_however_they_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    found = year(SMALL, Progress())
    each = {
        said(date): (count(SMALL, [label.name for label in date], Progress()).solutions, int(found.counts[place]))
        for place, date in places(SMALL.layout, SMALL.year)
    }
    assert set(each) == {"Thu 1 Jan", "Fri 2 Jan", "Sun 1 Feb"} and found.dated.size == 3
    assert all(one == other for one, other in each.values()) and found.total > 0
    monkeypatch.setattr(year_, "MOST_STATES_AT_ONCE", 3)
    assert year(SMALL, Progress()).counts.tolist() == found.counts.tolist()


def test_all_years_are_counted_at_once_and_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    first = questions.year_of(SMALL, Progress())
    whole = questions.remembered(SMALL.in_any_year)
    assert whole is not None and whole.dated.size == 20 and first.question == question(SMALL) != whole.question
    monkeypatch.setattr(year_, "counted", None)  # nothing is counted from here on
    again = questions.year_of(replace(SMALL, parameters=CalendarParameters(year=2027)), Progress())
    assert again.dated.size == 2, "1 and 2 January 2027 are a Friday and a Saturday, 1 and 2 February not on the board"
    assert np.array_equal(questions.year_of(SMALL.in_any_year, Progress()).counts, whole.counts)
    assert ((again.counts == whole.counts) | (again.counts == NO_DATE)).all()


def test_labels_that_are_no_date_of_the_year_are_refused_in_a_sentence() -> None:
    assert date_cells(SMALL, "01-02") == date_cells(SMALL, "01-02-fri") == ("A1", "D1", "C2")
    for text, sentence in (("01-02-sat", "2 Jan 2026 is a Friday."), ("02-29", "02-29 does not exist in 2026.")):
        with pytest.raises(StudioError, match=sentence):
            date_cells(SMALL, text)
    with pytest.raises(StudioError, match="2 Jan 2026 is a Friday"):
        game.start(SMALL, ("A1", "D1", "D2"))
    assert game.start(SMALL, ("A1", "D1", "C2")).open_cells == ("A1", "D1", "C2")
    board = built_in("weekday").board
    leap = tuple(next(one for one in board.groups[group] if one.value == value)
                 for group, value in (("month", 2), ("day", 29), ("weekday", 2)))  # fmt: skip
    assert refusal(board, leap, 2026) == "29 Feb 2026 does not exist."
    assert refusal(board, leap, 2028) == "" and refusal(board, leap, 2024) == "29 Feb 2024 is a Thursday."


def test_a_year_reads_as_one_without_a_choice_of_weekdays() -> None:
    found = year(SMALL, Progress())
    seen = chart(SMALL.layout, found.counts, {})
    assert seen.whatever == () and len(seen.cells) == 3 and "weekday" not in extremes(seen)
    assert chart(SMALL.layout, year(SMALL.in_any_year, Progress()).counts, {}).whatever == ("weekday",)
    lines = tally(SMALL, Progress()).lines
    assert not any("Minimum over" in line for line in lines) and any(" for 3 dates" in line for line in lines)


def test_sets_are_sought_for_the_dates_of_the_year() -> None:
    request = SetConditions(candidates((1, 3)), copies=3)
    every = {found.name for found in search(SMALL.layout, request, Progress())}
    real = [found for found in search(SMALL.layout, replace(request, year=2026), Progress())]
    assert not every and {found.name for found in real} == {"I1 V3 V3 2 V3 3"}
    assert all(found.year.dated.size == 3 and found.year.least > 0 for found in real)


def test_files_without_a_year_keep_their_bytes() -> None:
    assert "year" not in json.dumps(encode(CalendarDesign(), CalendarParameters))
    assert '"year": 2026' in json.dumps(encode(SMALL, CalendarParameters))
