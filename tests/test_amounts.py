"""Amounts are said as makers say them."""

import pytest

from studio.base.amounts import listed, many, metres, share, stopwatch


@pytest.mark.parametrize(("count", "words"), [(0, "0 pieces"), (1, "1 piece"), (2, "2 pieces"), (2400, "2,400 pieces")])
def test_a_count_has_its_noun_in_singular_or_plural(count: int, words: str) -> None:
    assert many(count, "piece") == words


@pytest.mark.parametrize(("words", "row"), [("A", "A"), ("AB", "A and B"), ("ABCD", "A, B, C and D")])
def test_words_in_a_row_have_an_and_before_the_last(words: str, row: str) -> None:
    assert listed(words) == row


@pytest.mark.parametrize(("length", "words"), [(0, "0 mm"), (80.4, "80 mm"), (1000, "1.00 m"), (4213.4, "4.21 m")])
def test_a_length_is_in_metres_from_one_metre_on(length: float, words: str) -> None:
    assert metres(length) == words


@pytest.mark.parametrize(("part", "words"), [(0, "0 %"), (0.824, "82 %"), (1, "100 %")])
def test_a_share_is_in_percent(part: float, words: str) -> None:
    assert share(part) == words


@pytest.mark.parametrize(("seconds", "words"), [(0, "0:00"), (42.9, "0:42"), (725, "12:05"), (3729, "1:02:09")])
def test_a_stopwatch_shows_whole_seconds_and_hours_where_there_are_any(seconds: float, words: str) -> None:
    assert stopwatch(seconds) == words
