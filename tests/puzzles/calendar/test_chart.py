"""The year's chart: where dates stand and what is said of them."""

from __future__ import annotations

import numpy as np
import pytest

from studio.puzzles.calendar.model import Board, Label, built_in
from studio.puzzles.calendar.year import as_text, chart, extremes, in_words, words_of

ARTICLE, WEEKDAY = built_in("article").board, built_in("weekday").board
HAND = Board(("....", "...."), tuple(
    Label(name, group, value, text)
    for name, group, value, text in [
        ("A1", "hour", 1, "one"), ("A2", "mood", 1, "glad"), ("B1", "hour", 2, "two"), ("B2", "mood", 2, "calm"),
        ("C1", "hour", 3, "three"),
    ]
))  # fmt: skip


def test_months_run_down_and_days_run_across() -> None:
    counts = np.arange(12 * 31).reshape(12, 31)
    seen = chart(ARTICLE, counts, {})
    assert [label.text for label in seen.rows][:2] == ["Jan", "Feb"] and len(seen.columns) == 31
    assert seen.counts[9, 5] == counts[9, 5]
    assert in_words(seen.cells[9, 5]) == "6 October"


def test_of_three_groups_a_cell_has_the_weekday_with_the_fewest_solutions() -> None:
    counts = np.full((12, 31, 7), 50)
    counts[3, 5, 0], counts[11, 30] = 3, 90
    seen = chart(WEEKDAY, counts, {})
    assert in_words(seen.cells[3, 5]) == "Monday 6 April" and seen.counts[3, 5] == 3
    assert (
        extremes(seen) == "Hardest: Monday 6 April (3 solutions). Easiest with its hardest weekday: 31 December (90)."
    )
    tuesdays = chart(WEEKDAY, counts, {"weekday": 1})
    assert tuesdays.counts[3, 5] == 50 and in_words(tuesdays.cells[3, 5]) == "Tuesday 6 April"
    counts[3, 5, 0], counts[3, 5, 2], counts[3, 5, 3] = 4, -1, 0
    assert in_words(chart(WEEKDAY, counts, {}).cells[3, 5]) == "Thursday 6 April", "none is the fewest; -1 is no date"


def test_a_makers_own_groups_have_a_chart_with_the_longer_group_across() -> None:
    seen = chart(HAND, np.array([[4, 0], [2, 9], [4, 4]]), {})
    assert [label.text for label in seen.columns] == ["one", "two", "three"]
    assert [label.text for label in seen.rows] == ["glad", "calm"]
    assert words_of(seen, (0, 1)) == "two glad: 2 solutions, rank 2 of 6"
    assert extremes(seen) == "Without a solution: one calm. Easiest: two calm (9)."


@pytest.mark.parametrize(("groups", "shape"), [(1, (1, 3)), (0, (1, 1))])
def test_a_board_with_one_group_or_none_has_a_chart_too(groups: int, shape: tuple[int, int]) -> None:
    labels = tuple(label for label in HAND.labels if label.group == "hour") if groups else ()
    board = Board(HAND.rows, labels)
    seen = chart(board, np.full((3,) * groups, 5), {})
    assert seen.counts.shape == shape and len(seen.cells) == shape[1]
    assert extremes(seen) == "Every combination has 5 solutions."


def test_dates_with_as_many_solutions_share_their_rank() -> None:
    seen = chart(HAND, np.array([[4, 1], [2, 9], [4, 4]]), {})
    assert sorted(seen.ranks.values()) == [1, 2, 3, 3, 3, 6]


def test_the_date_of_the_board_is_found_whatever_its_weekday() -> None:
    counts = np.full((12, 31, 7), 50)
    counts[3, 5, 0] = 3
    seen = chart(WEEKDAY, counts, {})
    groups = WEEKDAY.groups
    assert seen.place_of((groups["month"][3], groups["day"][5], groups["weekday"][6])) == (3, 5)


def test_counts_that_are_not_complete_are_told_as_at_least() -> None:
    seen = chart(HAND, np.array([[4, 0], [2, 9], [4, 4]]), {}, complete=False)
    assert "at least 9" in extremes(seen)
    assert words_of(seen, (1, 0)) == "one calm: no solution so far"
    assert words_of(seen, (0, 1)).startswith("two glad: at least 2 solutions")


def test_dates_that_share_the_end_of_the_year_are_named_together() -> None:
    seen = chart(HAND, np.array([[4, 1], [1, 9], [9, 1]]), {})
    assert extremes(seen) == (
        "Hardest: two glad, one calm and three calm (1 solution each). Easiest: three glad and two calm (9 each)."
    )
    assert extremes(chart(HAND, np.zeros((3, 2), np.int64), {})) == "No combination has a solution."


def test_the_table_goes_to_a_spreadsheet_as_lines_with_tabs() -> None:
    lines = as_text(chart(HAND, np.array([[4, 1], [2, 9], [4, 4]]), {})).splitlines()
    assert lines[0].split("\t") == ["hour", "mood", "solutions", "rank"]
    assert lines[1].split("\t") == ["one", "calm", "1", "1"] and len(lines) == 7
