"""How far long work is, and how it is stopped."""

from threading import Thread
from time import process_time

import pytest

from studio.base.progress import Brief, Cancelled, Progress, kept


def test_a_part_tells_its_share_of_the_whole() -> None:
    told: list[tuple[float, str]] = []
    part = Progress(lambda fraction, note: told.append((fraction, note))).part(0.5, 1.0).part(0.0, 0.5)
    part.step(0.0, "begun")
    part.step(1.0, "done")
    assert told == [(0.5, "begun"), (0.75, "done")]


def test_a_part_with_a_note_tells_it_in_place_of_its_own() -> None:
    told: list[tuple[float, str]] = []
    part = Progress(lambda fraction, note: told.append((fraction, note))).part(0.5, 0.5, "the third of four")
    part.step(0.7, "begun")
    assert told == [(0.5, "the third of four")]


def test_who_cancels_a_part_cancels_all_of_the_computation() -> None:
    whole = Progress()
    part, other = whole.part(0.0, 0.5).part(0.0, 0.1), whole.part(0.5, 1.0)
    part.cancel()
    for progress in (part, other, whole):
        with pytest.raises(Cancelled):
            progress.step(0.0)


def test_parts_stop_with_the_whole() -> None:
    whole = Progress()
    part = whole.part(0.0, 0.5)
    whole.cancel()
    with pytest.raises(Cancelled):
        part.step(0.0)


def test_a_part_is_where_other_work_stops_too() -> None:
    class Counted(Progress):
        steps = 0

        def step(self, fraction: float, note: str = "") -> None:
            self.steps += 1
            super().step(fraction, note)

    whole = Counted()
    whole.part(0.0, 0.5).step(0.5)
    assert whole.steps == 1


def test_a_kept_answer_is_the_same_whoever_waits_for_it_and_nothing_is_kept_of_work_given_up() -> None:
    asked: list[int] = []

    @kept(2)
    def half(number: int, progress: Progress) -> float:
        asked.append(number)
        progress.step(0.0)
        return number / 2

    stopped = Progress()
    stopped.cancel()
    with pytest.raises(Cancelled):
        half(3, stopped)
    assert (half(3, Progress()), half(3, stopped)) == (1.5, 1.5) and asked == [3, 3]
    for number in (4, 5, 3):
        half(number, Progress())
    assert asked == [3, 3, 4, 5, 3], "two are kept"


def test_what_takes_long_is_not_begun_where_nobody_has_time_for_it() -> None:
    brief = Brief(5.0)
    brief.part(0.0, 0.5).ahead(1.0)
    with pytest.raises(Cancelled):
        brief.part(0.0, 0.5).part(0.2, 0.4).ahead(60.0)


def test_the_work_of_other_threads_is_counted_too() -> None:
    brief = Brief(0.05)

    def work() -> None:
        end = process_time() + 0.1
        while process_time() < end:
            pass

    thread = Thread(target=work)
    thread.start()
    thread.join()
    with pytest.raises(Cancelled):
        brief.step(0.5)
