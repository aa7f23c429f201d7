"""Scales of efforts, and the way to a harder or an easier design on them."""

from collections.abc import Iterator

import pytest

from studio.base.errors import StudioError
from studio.base.progress import SILENT, Cancelled, Progress
from studio.puzzles.abilities.gradable_solvable import Grade, Wanted, above, below, climbed, nearest, others, sampled
from studio.puzzles.kind import Generated

EFFORTS = tuple(range(10))


def grades(*efforts: int) -> list[Grade[str]]:
    return [Grade(f"puzzle {effort}", effort, EFFORTS) for effort in efforts]


def even(seed: int, _progress: Progress) -> int:
    if seed % 2:
        raise StudioError("It is odd.")
    return seed


def made(seed: int, _progress: Progress) -> Generated[int]:
    return Generated(seed)


def test_others_come_by_the_same_seeds_each_time_and_those_without_an_effort_are_left_out() -> None:
    found = [tried for _, tried in others(made, even, 1, 40, SILENT)]
    assert found == [tried for _, tried in others(made, even, 1, 40, SILENT)]
    assert 5 < len(found) < 35 and not any(seed % 2 for seed in found) and len({*found}) == len(found)
    assert found != [tried for _, tried in others(made, even, 2, 40, SILENT)]


def test_others_that_nobody_waits_for_end() -> None:
    stopped = Progress()
    stopped.cancel()
    with pytest.raises(Cancelled):
        next(others(made, even, 1, 40, stopped))


def test_a_sample_is_sorted_and_large_enough() -> None:
    assert sampled([3, 1, 2], 5, 3) == (1, 2, 3)
    with pytest.raises(StudioError, match="Only 3 of 5 similar puzzles have a unique solution"):
        sampled([3, 1, 2], 5, 4)


def test_the_nearest_has_a_wanted_effort_and_the_first_that_is_near_enough_will_do() -> None:
    share = nearest(grades(1, 9, 7), Wanted(0.6))
    assert share is not None and share.effort == 7
    [middle] = grades(5)
    harder, easier = nearest(grades(5, 4, 9, 6), above(middle)), nearest(grades(5, 6, 0, 4), below(middle))
    assert harder is not None and harder.effort == 6 and easier is not None and easier.effort == 4
    assert nearest(grades(5, 4), above(middle)) is None
    looked = iter(grades(2, 6, 7))
    first = nearest(looked, Wanted(0.6))
    assert first is not None and first.effort == 6 and [left.effort for left in looked] == [7]


def test_a_ladder_is_climbed_to_the_first_rung_that_has_what_is_wanted() -> None:
    tried = []

    def rung(base: int, _progress: Progress) -> Iterator[Grade[str]]:
        tried.append(base)
        yield from grades(base, base + 1)

    [middle] = grades(5)
    assert climbed([3, 5, 8], rung, 2, above(middle), SILENT).effort == 6 and tried == [3, 5]
    with pytest.raises(StudioError, match="Tried 4 similar puzzles; none is harder"):
        climbed([1, 2], rung, 2, above(middle), SILENT)
    with pytest.raises(StudioError, match="Tried 2 similar puzzles; none is easier"):
        climbed([8], rung, 2, below(middle), SILENT)
