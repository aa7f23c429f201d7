"""A process beside a window's: it answers, it says what went wrong, and it is gone when nobody asks any more."""

import math
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, wait
from pathlib import Path

import pytest

from studio.batch.companion import Companion, CompanionGone


@pytest.fixture
def companion() -> Iterator[Companion]:
    companion = Companion()
    yield companion
    companion.close()


def own_number(_question: object) -> int:
    return os.getpid()


def ends(signal_number: int) -> None:
    os.kill(os.getpid(), signal_number)
    time.sleep(60)


def is_alive(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True


def test_one_other_process_answers_all_questions(companion: Companion) -> None:
    assert companion.ask(math.sqrt, 16.0).result() == 4.0
    number = companion.ask(own_number, None).result()
    assert number not in (os.getpid(), os.getppid())
    assert companion.ask(own_number, None).result() == number


def test_what_the_work_raises_is_raised_here_and_the_process_goes_on(companion: Companion) -> None:
    number = companion.ask(own_number, None).result()
    with pytest.raises(ValueError, match="domain"):
        companion.ask(math.sqrt, -1.0).result()
    assert companion.ask(own_number, None).result() == number


def test_questions_of_several_threads_get_their_own_answers_or_none(companion: Companion) -> None:
    answers: dict[int, Future[float]] = {}

    def ask(number: int) -> None:
        answers[number] = companion.ask(math.sqrt, float(number * number))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wait(answers.values(), 60.0)
    heard = {number: answer.result() for number, answer in answers.items() if not answer.cancelled()}
    assert heard and heard == {number: float(number) for number in heard}
    assert not companion.is_asked


def test_of_the_questions_that_wait_the_newest_is_answered(companion: Companion) -> None:
    companion.ask(own_number, None).result()
    busy = companion.ask(time.sleep, 0.5)
    time.sleep(0.2)
    questions = [companion.ask(math.sqrt, float(number)) for number in range(5)]
    assert companion.is_asked and not busy.done()
    assert questions[-1].result() == 2.0 and busy.result() is None
    assert [each.cancelled() for each in questions] == [True, True, True, True, False]


def test_a_process_that_is_killed_is_told_of_and_replaced(companion: Companion) -> None:
    number = companion.ask(own_number, None).result()
    with pytest.raises(CompanionGone):
        companion.ask(ends, signal.SIGKILL).result()
    assert companion.ask(own_number, None).result() != number


def test_who_asks_next_hears_of_a_process_that_was_killed_while_nobody_asked(companion: Companion) -> None:
    number = companion.ask(own_number, None).result()
    os.kill(number, signal.SIGKILL)
    with pytest.raises(CompanionGone):
        companion.ask(own_number, None).result()
    assert companion.ask(own_number, None).result() != number


def test_who_waits_while_it_is_closed_hears_so_and_no_process_is_left(companion: Companion) -> None:
    number = companion.ask(own_number, None).result()
    heard: list[type] = []

    def hear() -> None:
        try:
            companion.ask(time.sleep, 60.0).result()
        except CompanionGone as gone:
            heard.append(type(gone))

    waiting = threading.Thread(target=hear)
    waiting.start()
    time.sleep(0.2)
    companion.close()
    waiting.join(20.0)
    assert heard == [CompanionGone] and not is_alive(number)


def test_nobody_is_called_any_more_once_it_is_closed(companion: Companion) -> None:
    heard: list[bool] = []

    def hear(answer: Future[None]) -> None:
        time.sleep(0.2)
        heard.append(answer.cancelled() or isinstance(answer.exception(), CompanionGone))

    companion.ask(own_number, None).result()
    for _ in range(3):
        companion.ask(time.sleep, 60.0).add_done_callback(hear)
    companion.close()
    assert heard == [True, True, True] and not companion.is_asked


def test_it_ends_with_the_process_that_asks(tmp_path: Path) -> None:
    program = tmp_path / "asks.py"
    program.write_text(
        "import os, signal\n"
        "from studio.batch.companion import Companion\n"
        "from tests.batch.test_companion import own_number\n"
        "if __name__ == '__main__':\n"
        "    print(Companion().ask(own_number, None).result(), flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    root = Path(__file__).parents[2]
    ended = subprocess.run(
        [sys.executable, str(program)],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    until = time.monotonic() + 20.0
    while is_alive(int(ended.stdout)) and time.monotonic() < until:
        time.sleep(0.05)
    assert not is_alive(int(ended.stdout))
