"""The command that fixes all problems of a jigsaw."""

import json
from pathlib import Path

import pytest

from studio.cli import main
from studio.files.store import load


def test_a_wild_jigsaw_is_repaired_and_the_figures_are_true(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wild, tame = tmp_path / "wild.puzzle", tmp_path / "tame.puzzle"
    new = [
        "new",
        "jigsaw",
        "--set",
        "perturbation=0.45",
        "--set",
        "tongue_size=0.5",
        "--set",
        "layout_version=1",
        "-o",
        str(wild),
    ]
    assert main([*new, "--set", "columns=5", "--set", "rows=4", "--set", "width=125", "--set", "height=100"]) == 0
    assert main(["check", str(wild), "--json"]) == 1
    found = json.loads(capsys.readouterr().out.split("puzzle.\n", 1)[1])
    assert main(["repair", str(wild), "-o", str(tame), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    severities = [one["severity"] for one in found]
    assert said["before"] == {"errors": severities.count("error"), "warnings": severities.count("warning")}
    assert said["after"] == {"errors": 0, "warnings": 0} and said["left"] == []
    assert main(["check", str(tame)]) == 0
    assert {edit.name for edit in load(tame).design.tongues} == {*said["tongues"]}
    capsys.readouterr()
    assert main(["repair", str(tame)]) == 0
    assert capsys.readouterr().out.splitlines() == [f"Wrote {tame}.", "There was nothing to fix."]


def test_nothing_is_replaced_unasked_and_only_jigsaws_are_repaired(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = tmp_path / "one.puzzle", tmp_path / "other.puzzle"
    assert main(["new", "jigsaw", "-o", str(one)]) == main(["new", "cube", "-o", str(other)]) == 0
    before = other.read_bytes()
    assert main(["repair", str(one), "-o", str(other)]) != 0
    assert main(["repair", str(other)]) != 0
    assert other.read_bytes() == before
    assert "This command needs a jigsaw" in capsys.readouterr().err
    assert main(["repair", str(one), "-o", "-", "--json"]) != 0


def test_the_next_seed_that_needs_no_repair_is_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board, clean = tmp_path / "board.puzzle", tmp_path / "clean.puzzle"
    new = ["new", "jigsaw", "--set", "perturbation=0.25", "--set", "tongue_size=0.3", "-o", str(board)]
    assert main([*new, "--set", "columns=5", "--set", "rows=4", "--set", "width=125", "--set", "height=100"]) == 0
    capsys.readouterr()
    assert main(["repair", str(board), "--reroll", "-o", str(clean), "--json"]) == 0
    seed = json.loads(capsys.readouterr().out)["seed"]
    assert load(clean).design.parameters.seed == seed > load(board).design.parameters.seed
    assert main(["check", str(clean), "--json"]) == 0
    assert not [one for one in json.loads(capsys.readouterr().out) if one["severity"] != "hint"]
