"""The command that finds sets of pieces for a calendar puzzle."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from studio.cli import main
from studio.files.store import load, save
from studio.puzzles.calendar.kind import CALENDAR
from studio.puzzles.calendar.model import CalendarDesign, CalendarParameters

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def dice(tmp_path: Path) -> Path:
    path = tmp_path / "dice.puzzle"
    save(path, CALENDAR, CalendarDesign(CalendarParameters(board="dice")))
    return path


def test_sets_are_told_as_they_are_found_and_the_best_is_written(
    dice: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    best = dice.with_name("best.puzzle")
    assert main(["sets", str(dice), "--limit", "3", "--rank", "even", "-o", str(best)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 5 and all(" of 495: " in line for line in lines[:3])
    assert lines[3].startswith("Smallest spread: ") and lines[4] == f"Wrote {best}."
    design = load(best).design
    assert design.layout == load(dice).design.layout and len(design.pieces) == 8
    assert " ".join(piece.name for piece in design.pieces) in lines[3]
    assert main(["solve", str(best), "--year"]) == 0


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX")
def test_ctrl_c_keeps_the_best_of_what_was_found(tmp_path: Path) -> None:
    path, best = tmp_path / "calendar.puzzle", tmp_path / "best.puzzle"
    save(path, CALENDAR, CalendarDesign())
    words = [sys.executable, "-m", "studio", "sets", str(path), "--sizes", "5", "--must", "O", "-o", str(best)]
    process = subprocess.Popen(
        words, env=os.environ | {"PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    first = process.stdout.readline()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert " of 792: " in first and (process.returncode, err) == (130, "Stopped.\n")
    assert out.splitlines()[-1] == f"Wrote {best}."
    assert all(piece.name in out + first for piece in load(best).design.pieces)


def test_json_is_one_value_with_the_best_first(dice: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["sets", str(dice), "--sizes", "5", "--must", "F,X", "--json"]
    assert main(words) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["sets"] == 210
    least = [one["least"] for one in answer["found"]]
    assert len(least) == 4 and least == sorted(least, reverse=True) and least[-1] >= 1
    assert all({"F", "X"} <= set(one["pieces"]) and one["number"] <= 210 for one in answer["found"])
    first = answer["found"][0]
    assert first["least"] <= first["mean"] <= first["most"] and first["total"] == round(36 * first["mean"])


def test_an_own_piece_can_be_a_must_by_its_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "calendar.puzzle"
    save(path, CALENDAR, CalendarDesign())
    assert main(["sets", str(path), "--sizes", "5", "--must", "O", "--limit", "1"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == (
        "27 of 792: O L N P U V Y Z: 7 to 216 solutions, mean 66.7, spread 56 %"
    )


def test_no_set_is_the_answer_no(dice: Path, capsys: pytest.CaptureFixture[str]) -> None:
    best = dice.with_name("best.puzzle")
    assert main(["sets", str(dice), "--must", "F,X", "--tries", "2", "-o", str(best)]) == 1
    assert "None of 2 sets can solve every combination." in capsys.readouterr().out
    assert not best.exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--must", "Q"], "Unknown polyomino 'Q'"),
        (["--sizes", "5,x"], "--sizes must be a whole number from 1"),
        (["--sizes", "9"], "1 to 7 squares, not 9"),
        (["--rank", "best"], "Unknown ranking 'best'; choose from scarcest, even, hard."),
        (["--limit", "0"], "--limit must be a whole number from 1"),
        (["--pieces", "3"], "No set of these pieces covers 40 squares"),
        (["--copies", "-1"], "--copies must be a whole number from 1"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_one_sentence(
    dice: Path, words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sets", str(dice), *words]) == 2
    told = capsys.readouterr()
    assert sentence in told.err and told.err.count("\n") == 1 and told.out == ""
