"""The calendar from the command line: a date, labels, and the whole year."""

import json
from pathlib import Path

import pytest

from studio.cli import main
from studio.files.store import save
from studio.puzzles.calendar import year
from studio.puzzles.calendar.kind import CALENDAR
from studio.puzzles.calendar.model import Board, CalendarDesign, CalendarParameters, Label, Piece
from studio.puzzles.cube.kind import CUBE
from studio.puzzles.cube.model import CubeDesign


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    save(Path("calendar.puzzle"), CALENDAR, CalendarDesign())
    save(Path("weekday.puzzle"), CALENDAR, CalendarDesign(CalendarParameters(board="weekday")))
    save(Path("2026.puzzle"), CALENDAR, CalendarDesign(CalendarParameters(board="weekday", year=2026)))
    save(Path("cube.puzzle"), CUBE, CubeDesign())
    square = Board(("..", ".."))
    domino = Piece("D", ("##",))
    save(Path("plain.puzzle"), CALENDAR, CalendarDesign(board=square, pieces=(domino, Piece("E", ("##",)))))
    moon = (Label("A1", "moon", 1, "new"), Label("A2", "tide", 1, "high"), Label("B1", "moon", 2, "full"))
    save(Path("moon.puzzle"), CALENDAR, CalendarDesign(board=Board(("..", ".."), moon), pieces=(domino,)))


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["solve", *words])
    return code, *capsys.readouterr()


@pytest.mark.parametrize(
    ("words", "solutions"),
    [
        (["calendar.puzzle", "--date", "10-06"], 7),
        (["calendar.puzzle", "--date", "11-05"], 178),
        (["calendar.puzzle", "--date", " 1-25 "], 216),
        (["calendar.puzzle", "--open", "oct, 6"], 7),
        (["calendar.puzzle", "--open", "Feb,30"], 34),
        (["weekday.puzzle", "--date", "04-06-mon"], 97),
        (["weekday.puzzle", "--open", "6,Mon,Apr"], 97),
        (["moon.puzzle", "--open", "new,high"], 1),
        (["moon.puzzle", "--open", "full,high"], 0),
        (["plain.puzzle"], 2),
    ],
)
def test_a_date_is_counted(capsys: pytest.CaptureFixture[str], words: list[str], solutions: int) -> None:
    code, out, err = said(capsys, *words, "--json")
    answer = json.loads(out)
    assert (code, err) == (0, "") and list(answer) == ["solutions", "complete", "nodes", "seconds", "solution"]
    assert (answer["solution"] is None) == (solutions == 0)
    assert (answer["solutions"], answer["complete"]) == (solutions, True)
    assert answer["nodes"] >= solutions and answer["seconds"] > 0


def test_a_limit_says_at_least(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["calendar.puzzle", "--date=10-06", "--limit"]
    assert said(capsys, *words, "3")[1].startswith("At least 3 solutions (")
    assert said(capsys, *words, "7")[1].startswith("7 solutions (")


def test_the_year_as_json_has_every_date(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = said(capsys, "calendar.puzzle", "--year", "--json")
    counts = json.loads(out)
    assert (code, err, len(counts), sum(counts.values())) == (0, "", 366, 24405)
    assert (min(counts.values()), max(counts.values())) == (7, 216)
    assert (counts["10-06"], counts["11-05"], counts["01-25"]) == (7, 178, 216)
    assert (
        next(iter(counts)) == "01-01" and list(counts) == sorted(counts) and "02-29" in counts and "02-30" not in counts
    )


def test_every_key_of_the_year_asks_for_its_count(capsys: pytest.CaptureFixture[str]) -> None:
    counts = json.loads(said(capsys, "moon.puzzle", "--year", "--json")[1])
    assert counts == {"new,high": 1, "full,high": 0}
    for key, amount in counts.items():
        assert json.loads(said(capsys, "moon.puzzle", "--open", key, "--json")[1])["solutions"] == amount


def test_in_a_real_year_the_weekday_follows_from_the_date(capsys: pytest.CaptureFixture[str]) -> None:
    counts = [
        json.loads(said(capsys, file, f"--date={date}", "--json")[1])["solutions"]
        for file, date in (("2026.puzzle", "10-06"), ("2026.puzzle", "10-06-tue"), ("weekday.puzzle", "10-06-tue"))
    ]
    assert counts[0] == counts[1] == counts[2] > 0
    assert main(["new", "calendar", "--set", "year=1582", "-o", "early.puzzle"]) == 2
    assert "year must be 0, or 1583 to 9999, not 1582." in capsys.readouterr().err


def test_the_year_is_a_table_of_months(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "calendar.puzzle", "--year")
    lines = out.splitlines()
    assert code == 0 and lines[0].split()[:3] == ["Jan", "Feb", "Mar"] and len({len(line) for line in lines[:30]}) == 1
    assert lines[6].split()[10] == "7" and lines[31].split() == ["31", "170", "107", "87", "82", "151", "106", "77"]
    assert lines[33].startswith("24,405 solutions for 366 dates, in ")
    assert lines[34:] == ["7 for the hardest: 6 Oct.", "216 for the easiest: 25 Jan."]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ["calendar.puzzle"],
            "Choose the labels to leave uncovered: --date 10-06 for 6 October, --open with one label of",
        ),
        (["weekday.puzzle"], "Choose the labels to leave uncovered: --date 10-06-tue for 6 October, a Tuesday,"),
        (
            ["moon.puzzle"],
            "Choose the labels to leave uncovered: --open with one label of each of moon and tide, separated",
        ),
        (["calendar.puzzle", "--date=02-30"], "02-30 does not exist."),
        (["calendar.puzzle", "--date=00-10"], "00-10 does not exist."),
        (["calendar.puzzle", "--date=soon"], "--date must be month and day, such as 10-06, not 'soon'."),
        (["calendar.puzzle", "--date=10-06-xyz"], "--date must be month and day, such as 10-06, not '10-06-xyz'."),
        (["calendar.puzzle", "--date="], "--date must be month and day, such as 10-06, not ''."),
        (["calendar.puzzle", "--date=10-06-tue"], "The board has no weekdays: leave out 'tue'."),
        (["weekday.puzzle", "--date=10-06"], "The board has weekdays: add one, such as 10-06-tue."),
        (["2026.puzzle", "--date=10-06-wed"], "6 Oct 2026 is a Tuesday."),
        (["2026.puzzle", "--open=Oct,6,Wed"], "6 Oct 2026 is a Tuesday."),
        (["2026.puzzle", "--date=02-29"], "02-29 does not exist in 2026."),
        (["2026.puzzle", "--open=Feb,29,Sun"], "29 Feb 2026 does not exist."),
        (["2026.puzzle", "--open=Feb,30,Sun"], "30 Feb does not exist."),
        (["moon.puzzle", "--date=10-06"], "The board has no dates, but labels of moon and tide; use --open."),
        (["plain.puzzle", "--date=10-06"], "The board has no labels, so it has no dates."),
        (["plain.puzzle", "--year"], "The board has no labels: count its solutions without --year."),
        (["calendar.puzzle", "--open=Jan,99"], "No label on the board reads '99'."),
        (
            ["calendar.puzzle", "--open=Jan,Feb"],
            "Only one label of the group month can be left uncovered, not 'Jan,Feb'.",
        ),
        (["calendar.puzzle", "--open=Jan"], "Leave one label of every group uncovered; 'Jan' has none of day."),
        (["calendar.puzzle", "--open=Jan,1", "--year"], "Argument --year: not allowed with argument --open;"),
        (["calendar.puzzle", "--date=10-06", "--year"], "Argument --year: not allowed with argument --date;"),
        (["calendar.puzzle", "--year", "--limit=3"], "--limit is for single dates"),
        (["cube.puzzle", "--date=10-06"], "A cube has no dates: omit --date,"),
        (["cube.puzzle", "--year"], "A cube has no dates: omit --date,"),
    ],
)
def test_what_cannot_be_asked_is_told_in_a_sentence(
    capsys: pytest.CaptureFixture[str], words: list[str], sentence: str
) -> None:
    code, out, err = said(capsys, *words)
    assert (code, out) == (2, "") and err.startswith(sentence) and err.count("\n") == 1


def test_a_year_that_was_not_counted_to_its_end_says_at_least_and_gives_no_counts_as_json(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(year, "MOST_STATES_AT_ONCE", 1)
    monkeypatch.setattr(year, "MOST_STATES", 1)
    monkeypatch.setattr(year, "MOST_NODES", 366)
    code, out, err = said(capsys, "calendar.puzzle", "--year", "--json")
    assert (code, out) == (2, "") and err.startswith("The board is too large to count the whole year")
    code, out, err = said(capsys, "calendar.puzzle", "--year")
    assert code == 0 and "\nAt least " in out and "None so far for" in out
