"""A jigsaw's tray on the command line: made, planned, exported, and told what it needs to know."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from studio.cli import main


@pytest.fixture
def board(tmp_path: Path) -> Path:
    path = tmp_path / "board.puzzle"
    sizes = ("columns=4", "rows=3", "width=120", "height=90", "tray=true", "tray_lid=recess")
    assert main(["new", "jigsaw", "-o", str(path), *(word for one in sizes for word in ("--set", one))]) == 0
    return path


def test_a_tray_is_planned_beside_the_board(board: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", str(board)]) == 0
    said = capsys.readouterr().out
    assert "Tray: 0.5 mm clearance between puzzle and frame all round, as cut." in said
    assert "Its 5 parts: cut length" in said and "0 loose cuts" in said
    assert main(["plan", str(board), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["tray"]["loose_cuts"] == 0


def test_a_tray_is_exported_to_files_of_its_own(board: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = board.with_suffix(".dxf")
    assert main(["export", str(board), "-o", str(out), "--machine", "co2-600x400", "--json"]) == 0
    puzzle, tray = json.loads(capsys.readouterr().out)
    assert (puzzle["faces"], tray["faces"], tray["beside"]) == (12, 5, "tray")
    assert tray["path"] == str(out.with_name("board-tray.dxf")) and out.with_name("board-tray.dxf").exists()
    assert any("0.5 mm clearance" in note for note in puzzle["notes"])


def test_a_tray_that_no_bed_takes_is_refused_and_nothing_is_written(
    board: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["edit", str(board), "--set", "tray_rim=100"]) == 0
    out = board.with_suffix(".svg")
    assert main(["export", str(board), "-o", str(out), "--machine", "co2-300x200"]) == 2
    assert "Base of the tray (321.3 × 291.3 mm) is larger than the usable bed" in capsys.readouterr().err
    assert not list(board.parent.glob("*.svg"))


def test_a_trimmed_tray_larger_than_the_bed_is_told(board: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = board.with_suffix(".svg")
    words = ["export", str(board), "-o", str(out), "--machine", "co2-300x200", "--set", "page=board"]
    assert main(words) == 0
    assert "Choose the machine bed as the sheet" in capsys.readouterr().out


@pytest.mark.parametrize("value", ["tray_notches=1.5", "tray_notch=1", "tray_form=round", "tray_rim=-3", "tray=maybe"])
def test_values_that_no_tray_has_are_refused(board: Path, capsys: pytest.CaptureFixture[str], value: str) -> None:
    before = board.read_bytes()
    assert main(["edit", str(board), "--set", value]) == 2
    assert value.partition("=")[0] in capsys.readouterr().err and board.read_bytes() == before


def test_lead_ins_reach_board_and_tray_and_single_lines_are_told_to_have_none(
    board: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, led = board.with_suffix(".svg"), ("--lead-in", "1.5", "--overcut", "0.5")
    lengths = []
    for more in ((), led):
        assert main(["export", str(board), "-o", str(out), "--separate", "--json", "--force", *more]) == 0
        lengths.append([one["cut_length"] for one in json.loads(capsys.readouterr().out)])
    assert lengths[1][0] - lengths[0][0] == pytest.approx(12 * 2.0, abs=0.2)
    assert lengths[1][1] - lengths[0][1] > 5 * 2.0 - 0.2
    assert main(["export", str(board), "-o", str(out), "--force", *led]) == 0
    assert "Single lines have no lead-ins and overcuts; `--separate`" in capsys.readouterr().out
