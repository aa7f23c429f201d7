"""An answer in step with a question: nothing is worked out twice, too early, too late, or for nobody."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.ui.session.derived import Derived, Memory
from studio.ui.session.jobs import Jobs


@pytest.fixture
def jobs(qapp: QApplication) -> Iterator[Jobs]:
    made = Jobs()
    yield made
    made.close()


class Doubling:
    """Doubles numbers, notes which, refuses negative ones, and can be held up."""

    def __init__(self) -> None:
        self.asked: list[int] = []
        self.go = threading.Event()
        self.go.set()

    def __call__(self, number: int, progress: Progress) -> int:
        self.asked.append(number)
        progress.step(0.5, "half")
        self.go.wait(10)
        progress.step(0.9)
        if number < 0:
            raise StudioError("Too small.")
        return 2 * number


def test_the_answer_to_the_newest_question_comes_and_is_shown_once(jobs: Jobs, qtbot: QtBot) -> None:
    work = Doubling()
    derived = Derived(jobs, "lane", work, patience=10_000)
    changes: list[int | None] = []
    derived.changed.connect(lambda: changes.append(derived.answer))
    derived.ask(21)
    assert derived.answer is None and derived.is_busy
    qtbot.waitUntil(lambda: derived.answer == 42)
    derived.ask(21)
    assert changes == [42] and work.asked == [21]


def test_questions_asked_in_a_row_are_worked_out_once_after_the_pause(jobs: Jobs, qtbot: QtBot) -> None:
    work = Doubling()
    derived = Derived(jobs, "lane", work, pause=30)
    for number in range(5):
        derived.ask(number)
    assert derived.is_under_way and not derived.is_busy
    qtbot.waitUntil(lambda: derived.answer == 8)
    assert work.asked == [4]


def test_remembered_answers_come_at_once_and_the_oldest_is_forgotten(jobs: Jobs, qtbot: QtBot) -> None:
    work = Doubling()
    derived = Derived(jobs, "lane", work, remembered=2)
    for number in (1, 2, 1, 3, 1):
        derived.ask(number)
        qtbot.waitUntil(lambda number=number: derived.answer == 2 * number)  # type: ignore[misc]
    assert work.asked == [1, 2, 3]
    derived.ask(2)
    assert derived.answer is None and derived.last == 2
    qtbot.waitUntil(lambda: derived.answer == 4)
    assert work.asked == [1, 2, 3, 2]


def test_it_is_said_that_an_answer_takes_a_while_only_when_it_does(jobs: Jobs, qtbot: QtBot) -> None:
    work = Doubling()
    work.go.clear()
    derived = Derived(jobs, "lane", work, patience=20)
    derived.ask(1)
    assert not derived.is_waiting
    qtbot.waitUntil(lambda: derived.is_waiting and derived.share == 0.5 and derived.note == "half")
    work.go.set()
    qtbot.waitUntil(lambda: derived.answer == 2)
    assert not derived.is_waiting


def test_a_refusal_is_kept_until_another_question_or_another_try(jobs: Jobs, qtbot: QtBot) -> None:
    work = Doubling()
    derived = Derived(jobs, "lane", work)
    derived.ask(-1)
    qtbot.waitUntil(lambda: derived.problem == "Too small.")
    derived.ask(-1)
    assert work.asked == [-1] and derived.answer is None and not derived.is_waiting
    derived.again()
    qtbot.waitUntil(lambda: work.asked == [-1, -1] and derived.problem != "")
    derived.ask(1)
    assert derived.problem == ""
    qtbot.waitUntil(lambda: derived.answer == 2)


def test_what_is_cancelled_with_a_reason_stays_without_an_answer(jobs: Jobs, qtbot: QtBot) -> None:
    work = Doubling()
    work.go.clear()
    derived = Derived(jobs, "lane", work)
    derived.ask(1)
    derived.cancel("Given up.")
    assert (derived.problem, derived.is_busy, derived.is_waiting) == ("Given up.", False, False)
    derived.ask(1)
    assert not derived.is_under_way
    work.go.set()


def test_nothing_is_begun_while_nobody_watches_and_a_watcher_need_not_wait_for_the_pause(
    jobs: Jobs, qtbot: QtBot
) -> None:
    work = Doubling()
    derived = Derived(jobs, "lane", work, pause=60_000, watched=False)
    derived.ask(1)
    assert not derived.is_under_way
    derived.watch("table", watches=True)
    derived.watch("map", watches=True)
    qtbot.waitUntil(lambda: derived.answer == 2)
    derived.watch("table", watches=False)
    derived.ask(5)
    assert derived.is_under_way and not derived.is_busy
    derived.watch("map", watches=False)
    assert not derived.is_under_way and work.asked == [1]


def test_a_question_that_has_not_settled_waits_for_one_that_has(jobs: Jobs, qtbot: QtBot) -> None:
    work = Doubling()
    derived = Derived(jobs, "lane", work)
    derived.ask(3, settled=False)
    assert not derived.is_under_way
    derived.ask(3)
    qtbot.waitUntil(lambda: derived.answer == 6)
    derived.ask(4, settled=False)
    derived.ask(3, settled=False)
    assert derived.answer == 6, "what is known is no secret while a hand is at work"
    assert work.asked == [3]


def test_work_goes_on_while_the_question_is_only_put_again(jobs: Jobs, qtbot: QtBot) -> None:
    work = Doubling()
    work.go.clear()
    derived = Derived(jobs, "lane", work)
    derived.ask(3)
    derived.ask(3, settled=False)
    assert derived.is_busy
    work.go.set()
    qtbot.waitUntil(lambda: derived.answer == 6)
    assert work.asked == [3]


def test_answers_of_one_memory_need_not_be_worked_out_twice(jobs: Jobs, qtbot: QtBot) -> None:
    work, memory = Doubling(), Memory[int](2)
    one = Derived(jobs, "lane", work, remembered=memory)
    other = Derived(jobs, "other lane", work, remembered=memory)
    one.ask(1)
    qtbot.waitUntil(lambda: one.answer == 2)
    other.ask(1)
    assert other.answer == 2 and work.asked == [1]


def test_patience_is_that_for_the_newest_question(jobs: Jobs, qtbot: QtBot) -> None:
    work = Doubling()
    work.go.clear()
    derived = Derived(jobs, "lane", work, patience=300)
    derived.ask(1)
    time.sleep(0.15)
    begin = time.monotonic()
    derived.ask(2)
    qtbot.waitUntil(lambda: derived.is_waiting)
    assert time.monotonic() - begin > 0.28
    work.go.set()


def test_finishing_answers_here_and_now_and_tells_why_it_cannot(jobs: Jobs) -> None:
    work = Doubling()
    derived = Derived(jobs, "lane", work, pause=60_000)
    derived.ask(4)
    derived.finish()
    assert derived.answer == 8 and not derived.is_under_way
    derived.ask(-4)
    derived.finish()
    assert derived.problem == "Too small." and derived.answer is None


def test_an_answer_can_be_learned_from_elsewhere(jobs: Jobs) -> None:
    work = Doubling()
    derived = Derived(jobs, "lane", work)
    derived.learn(7, 14)
    derived.ask(7)
    assert derived.answer == 14 and work.asked == []


def test_questions_of_one_key_have_one_answer(jobs: Jobs, qtbot: QtBot) -> None:
    work = Doubling()
    derived = Derived(jobs, "lane", work, key=lambda number: number % 10)
    derived.ask(3)
    qtbot.waitUntil(lambda: derived.answer == 6)
    derived.ask(13)
    assert derived.answer == 6 and derived.question == 13 and work.asked == [3]
    derived.ask(None)
    assert derived.answer is None and not derived.is_under_way
