"""Computations off the GUI thread: only the newest of a lane is heard, and closing leaves no thread."""

from __future__ import annotations

import gc
import sys
import threading
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.ui.session.jobs import FAULT, GARBAGE, Jobs


@pytest.fixture
def jobs(qapp: QApplication) -> Iterator[Jobs]:
    made = Jobs()
    yield made
    made.close()


def test_an_answer_comes_back_to_the_gui_thread(jobs: Jobs, qtbot: QtBot) -> None:
    heard: list[tuple[int, threading.Thread]] = []
    worked: list[threading.Thread] = []

    def work(progress: Progress) -> int:
        worked.append(threading.current_thread())
        return 6 * 7

    def done(answer: int) -> None:
        heard.append((answer, threading.current_thread()))

    jobs.start("lane", work, done=done, failed=lambda error: None)
    assert jobs.is_busy("lane")
    qtbot.waitUntil(lambda: bool(heard))
    assert heard == [(42, threading.main_thread())]
    assert worked[0] is not threading.main_thread()
    assert not jobs.is_busy("lane")


def test_only_the_newest_of_a_lane_is_heard(jobs: Jobs, qtbot: QtBot) -> None:
    heard: list[str] = []
    begun, go = threading.Event(), threading.Event()

    def slow(progress: Progress) -> str:
        begun.set()
        go.wait(10)
        return "old"

    jobs.start("lane", slow, done=heard.append, failed=lambda error: heard.append(repr(error)))
    assert begun.wait(10)
    jobs.start("lane", lambda progress: "new", done=heard.append, failed=lambda error: heard.append(repr(error)))
    go.set()
    qtbot.waitUntil(lambda: bool(heard))
    jobs.close()
    QApplication.processEvents()
    assert heard == ["new"]


def test_a_cancelled_job_stops_at_its_next_step(jobs: Jobs) -> None:
    steps: list[int] = []
    begun, go = threading.Event(), threading.Event()

    def work(progress: Progress) -> None:
        for step in range(1000):
            progress.step(step / 1000)
            steps.append(step)
            begun.set()
            go.wait(10)

    jobs.start("lane", work, done=lambda answer: None, failed=lambda error: None)
    assert begun.wait(10)
    jobs.cancel("lane")
    go.set()
    jobs.close()
    assert steps == [0]


def test_a_failure_is_handed_over(jobs: Jobs, qtbot: QtBot) -> None:
    heard: list[Exception] = []

    def work(progress: Progress) -> None:
        raise StudioError("The disk is full.")

    jobs.start("lane", work, done=lambda answer: None, failed=heard.append)
    qtbot.waitUntil(lambda: bool(heard))
    assert str(heard[0]) == "The disk is full."


def test_progress_is_told_while_it_is_heard(jobs: Jobs, qtbot: QtBot) -> None:
    progressed: list[tuple[float, str]] = []
    done: list[None] = []

    def work(progress: Progress) -> None:
        progress.step(0.5, "Half-way")

    jobs.start(
        "lane", work, done=done.append, failed=lambda error: None, progressed=lambda *what: progressed.append(what)
    )
    qtbot.waitUntil(lambda: bool(done))
    assert progressed == [(0.5, "Half-way")]


def test_of_many_steps_a_few_are_told_and_the_newest_among_them(jobs: Jobs, qtbot: QtBot) -> None:
    told: list[float] = []
    go = threading.Event()

    def work(progress: Progress) -> None:
        for step in range(1000):
            progress.step(step / 1000)
        go.wait(10)

    jobs.start("lane", work, progressed=lambda fraction, _note: told.append(fraction))
    qtbot.waitUntil(lambda: told[-1:] == [0.999])
    go.set()
    assert len(told) < 100


def test_what_was_heard_is_let_go_at_once(jobs: Jobs, qtbot: QtBot) -> None:
    """Work holds a whole board; waiting for the garbage collector would pile boards up."""

    class Board:
        pass

    board = Board()
    held = weakref.ref(board)
    done: list[str] = []

    def work(progress: Progress, board: Board = board) -> str:
        progress.step(0.5)
        return type(board).__name__

    gc.disable()
    try:
        jobs.start("lane", work, done=done.append, failed=lambda error: None)
        del board, work
        qtbot.waitUntil(lambda: bool(done))
        jobs.close()
        assert held() is None
    finally:
        gc.enable()


def test_garbage_is_collected_by_the_gui_thread_alone(jobs: Jobs, qtbot: QtBot) -> None:
    threads: set[int] = set()

    def note(_phase: str, _info: dict[str, int]) -> None:
        threads.add(threading.get_ident())

    def work(progress: Progress) -> int:
        for _ in range(200_000):
            ring: list[object] = []
            ring.append(ring)
        return 1

    done: list[int] = []
    gc.callbacks.append(note)
    try:
        jobs.start("lane", work, done=done.append, failed=lambda error: None)
        assert not gc.isenabled() and GARBAGE.is_collected
        qtbot.waitUntil(lambda: bool(done))
        GARBAGE.sweep()
    finally:
        gc.callbacks.remove(note)
    assert threads == {threading.get_ident()}
    assert gc.isenabled()


def test_long_work_in_some_lanes_holds_up_no_other(jobs: Jobs, qtbot: QtBot) -> None:
    heard: list[str] = []
    go = threading.Event()
    for lane in range(5):
        jobs.start(str(lane), lambda progress: go.wait(10), done=lambda _: None, failed=lambda error: None)
    jobs.start("check", lambda progress: "checked", done=heard.append, failed=lambda error: None)
    qtbot.waitUntil(lambda: bool(heard))
    assert heard == ["checked"] and jobs.is_busy("0")
    go.set()


def test_finishing_hears_every_answer_also_of_work_that_an_answer_begins(jobs: Jobs) -> None:
    heard: list[str] = []

    def go_on(answer: str) -> None:
        heard.append(answer)
        jobs.start("after", lambda progress: "second", done=heard.append, failed=lambda error: None)

    jobs.start("before", lambda progress: "first", done=go_on, failed=lambda error: None)
    jobs.finish()
    assert heard == ["first", "second"]


def test_a_bug_reaches_the_crash_hook_and_whoever_waits_hears_a_sentence(
    jobs: Jobs, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    reported: list[type[BaseException]] = []
    heard: list[StudioError] = []
    monkeypatch.setattr(sys, "excepthook", lambda kind, _error, _trace: reported.append(kind))

    def work(progress: Progress) -> None:
        raise ZeroDivisionError("by nought")

    jobs.start("lane", work, done=lambda answer: None, failed=heard.append)
    qtbot.waitUntil(lambda: bool(heard))
    assert reported == [ZeroDivisionError] and str(heard[0]) == FAULT
