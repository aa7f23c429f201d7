"""The command that makes every piece of a jigsaw fit in one place only."""

import json
from pathlib import Path

import pytest

from studio.cli import main
from studio.files.store import load

BOARD = ["columns=5", "rows=4", "width=125", "height=100", "perturbation=0", "vary_size=0", "vary_place=0",
         "vary_depth=0", "vary_slant=0", "vary_neck=0"]  # fmt: skip


@pytest.fixture
def board(tmp_path: Path) -> Path:
    out = tmp_path / "board.puzzle"
    assert main(["new", "jigsaw", "-o", str(out), *(part for text in BOARD for part in ("--set", text))]) == 0
    return out


def fits(file: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    capsys.readouterr()
    assert main(["fits", str(file), "--clearance", "0.15", "--json"]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return {name: found[name] for name in ("pairs", "ambiguous", "share")}


def test_a_board_is_made_unique_and_the_figures_are_those_of_fits(
    board: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "unique.puzzle"
    before = fits(board, capsys)
    assert main(["unique", str(board), "-o", str(out), "--clearance", "0.15", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["clearance"] == 0.15 and said["left"] == []
    assert said["before"] == before and said["after"] == fits(out, capsys) == {"pairs": 0, "ambiguous": 0, "share": 0}
    assert {edit.name for edit in load(out).design.tongues} == {*said["tongues"]} != set()


def test_devious_goes_the_other_way(board: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["edit", str(board), "--set", "vary_size=0.3", "--set", "vary_place=0.05"]) == 0
    capsys.readouterr()
    assert main(["unique", str(board), "-o", str(tmp_path / "x.puzzle"), "--devious", "--clearance", "0.3"]) == 0
    assert "false fits after, at 0.30 mm clearance." in capsys.readouterr().out


def test_what_cannot_be_is_one_sentence(board: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = board.read_bytes()
    capsys.readouterr()
    assert main(["unique", str(board), "--clearance", "9"]) == 2
    assert capsys.readouterr().err == "--clearance must be 0 to 2 mm, not 9.\n"
    assert main(["unique", str(board), "-o", "-", "--json"]) == 2
    cube = tmp_path / "cube.puzzle"
    assert main(["new", "cube", "-o", str(cube)]) == 0 and main(["unique", str(cube)]) == 2
    assert "This command needs a jigsaw" in capsys.readouterr().err and board.read_bytes() == before
