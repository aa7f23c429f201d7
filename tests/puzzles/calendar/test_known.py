"""Years that were counted are found again, and only for the board and pieces that they belong to."""

import json
import os
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from studio.base.progress import Cancelled, Progress
from studio.puzzles.calendar import questions
from studio.puzzles.calendar.model import CalendarDesign, CalendarParameters, Piece
from studio.puzzles.calendar.year import Year, year

ARTICLE = CalendarDesign()
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    place = questions.folder()
    assert place is not None and place.is_relative_to(tmp_path)
    return place


@pytest.fixture(scope="module")
def counted() -> Year:
    return year(ARTICLE, Progress())


def test_a_year_is_found_again(counted: Year) -> None:
    assert questions.remembered(ARTICLE) is None
    questions.remember(ARTICLE, counted)
    again = questions.remembered(ARTICLE)
    assert again is not None and again.counts.tolist() == counted.counts.tolist()
    assert (again.groups, again.complete, again.nodes) == (counted.groups, True, counted.nodes)
    assert questions.year_of(ARTICLE, Progress(), again) is again


def test_names_colours_and_millimetres_do_not_count_but_squares_do(counted: Year) -> None:
    questions.remember(ARTICLE, counted)
    renamed = tuple(replace(piece, name=f"{piece.name} two", colour=1) for piece in reversed(ARTICLE.set))
    assert questions.remembered(replace(ARTICLE, pieces=renamed)) is not None
    german = replace(
        ARTICLE.layout, labels=tuple(replace(each, text=f"{each.text}.") for each in ARTICLE.layout.labels)
    )
    assert questions.remembered(replace(ARTICLE, board=german, parameters=CalendarParameters(cell=12.0))) is not None
    changed = (*ARTICLE.set[:-1], Piece("W", ("#..", "##.", ".##")))
    assert questions.remembered(replace(ARTICLE, pieces=changed)) is None
    assert questions.remembered(replace(ARTICLE, parameters=CalendarParameters(reflections=False))) is None
    assert (
        questions.remembered(replace(ARTICLE, board=replace(ARTICLE.layout, labels=ARTICLE.layout.labels[1:]))) is None
    )


@pytest.mark.parametrize(
    "spoilt",
    [
        b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 100_000, b'{"key": 1}', b" " * (questions.LARGEST + 1),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_used_is_passed_over(counted: Year, folder: Path, spoilt: bytes) -> None:
    questions.remember(ARTICLE, counted)
    (file,) = folder.iterdir()
    file.write_bytes(spoilt)
    assert questions.remembered(ARTICLE) is None
    questions.remember(ARTICLE, counted)
    assert questions.remembered(ARTICLE) is not None


@pytest.mark.parametrize(
    "change",
    [
        {"counts": [[1, 2], [3]]}, {"counts": [1]}, {"counts": "x"}, {"groups": ["day", "month"]}, {"key": "0"},
        {"nodes": "many"}, {"counts": np.zeros((12, 31), int).tolist()}, {"counts": np.ones((12, 31)).tolist()},
    ],
)  # fmt: skip
def test_a_file_of_another_make_is_passed_over(counted: Year, folder: Path, change: dict[str, object]) -> None:
    questions.remember(ARTICLE, counted)
    (file,) = folder.iterdir()
    changed = json.loads(file.read_text()) | change
    file.write_text(json.dumps(changed | {"sum": questions.sum_of(changed)}))
    assert questions.remembered(ARTICLE) is None


def test_an_incomplete_year_is_not_kept(counted: Year, folder: Path) -> None:
    questions.remember(ARTICLE, replace(counted, complete=False))
    assert questions.remembered(ARTICLE) is None and not folder.exists()


def test_a_folder_that_cannot_be_written_stops_nobody(counted: Year, folder: Path) -> None:
    folder.parent.mkdir(parents=True)
    folder.write_text("a file in its place")
    questions.remember(ARTICLE, counted)
    assert questions.remembered(ARTICLE) is None


def test_of_too_many_years_the_one_longest_unasked_is_forgotten(
    counted: Year, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(questions, "MOST_FILES", 3)
    folder.mkdir(parents=True)
    for age in range(5):
        old = folder / f"{age}.json"
        old.write_text("{}")
        os.utime(old, (1000 - age, 1000 - age))
    questions.remember(ARTICLE, counted)
    assert len(list(folder.iterdir())) == 3 and {"0.json", "1.json"} <= {file.name for file in folder.iterdir()}
    assert questions.remembered(ARTICLE) is not None


def test_another_process_finds_what_one_has_counted(counted: Year) -> None:
    questions.remember(ARTICLE, counted)
    program = (
        "from studio.puzzles.calendar.questions import remembered\n"
        "from studio.puzzles.calendar.model import CalendarDesign\n"
        "print(remembered(CalendarDesign()).total)"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=os.environ, capture_output=True, text=True, timeout=60
    )
    assert (found.stdout, found.stderr) == ("24405\n", "")


def test_two_who_ask_for_the_same_year_at_once_have_it_counted_once(folder: Path) -> None:
    begun = threading.Event()
    heard: list[tuple[str, Year]] = []
    counts: list[str] = []

    def ask(who: str) -> None:
        def told(_share: float, note: str) -> None:
            if note:
                counts.append(who)
                begun.set()

        heard.append((who, questions.year_of(ARTICLE, Progress(told))))

    first = threading.Thread(target=ask, args=("first",))
    first.start()
    assert begun.wait(20)
    ask("second")
    first.join()
    assert set(counts) == {"first"} and [year.total for _, year in heard] == [24405, 24405]


def test_who_waits_for_a_count_of_another_can_give_up() -> None:
    nobody = Progress()
    nobody.cancel()
    with questions._COUNTING, pytest.raises(Cancelled):
        questions.year_of(ARTICLE, nobody)
