"""The command that counts the false fits of a jigsaw."""

import json
import re
from pathlib import Path

import pytest

from studio.cli import main
from studio.fabricate.workshop import USUAL, Material, one_of

REGULAR = ["columns=3", "rows=2", "width=75", "height=50", "tongue_style=article", "perturbation=0", "vary_size=0",
           "vary_place=0", "vary_depth=0", "vary_slant=0", "vary_neck=0"]  # fmt: skip


@pytest.fixture
def board(tmp_path: Path) -> Path:
    out = tmp_path / "board.puzzle"
    assert main(["new", "jigsaw", "-o", str(out), *(part for text in REGULAR for part in ("--set", text))]) == 0
    return out


def test_the_closest_pairs_are_listed(board: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["fits", str(board), "--clearance", "1"]) == 0
    first, wrong, swaps, made_of, *pairs = capsys.readouterr().out.splitlines()
    assert first == "21 false fits at 1.00 mm clearance: 7 of 7 inner edges (100 %) could be mistaken for another."
    assert wrong.startswith("Expected wrong fits per piece: ") and "interchangeable" in swaps.lower()
    assert made_of.startswith("6 pieces, 6 (100 %) at the border. 7 inner edges, 0 straight, in ")
    assert len(pairs) == 20 and all(
        re.fullmatch(r"[A-C]\d-[A-C]\d, [A-C]\d-[A-C]\d  0\.\d{3} mm", pair) for pair in pairs
    )
    distances = [pair.split()[2] for pair in pairs]
    assert distances == sorted(distances)


def test_without_a_clearance_it_is_the_kerf_of_the_usual_material(
    board: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert main(["fits", str(board), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["clearance"] == one_of(Material, USUAL[Material]).value.kerf


def test_json_has_the_figures_of_the_board(board: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["edit", str(board), "--set", "vary_size=0.3"]) == 0
    capsys.readouterr()
    assert main(["fits", str(board), "--clearance", "0.5", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found)[:6] == ["clearance", "edges", "pairs", "ambiguous", "share", "worst"]
    assert (found["pieces"], found["border"], found["straight"]) == (6, 6, 0) and 1 <= found["shapes"] <= 7
    # Each false fit is one place for either of two edges, seen from the pieces on both sides of it.
    assert found["wrong"] == pytest.approx(4 * found["pairs"] / 6, abs=0.001)
    assert found["all_swaps"] is True and isinstance(found["swaps"], list)
    assert (found["clearance"], found["edges"], found["pairs"]) == (0.5, 7, len(found["worst"]))
    assert found["share"] == round(found["ambiguous"] / 7, 4)
    distances = [distance for _one, _other, distance in found["worst"]]
    assert distances == sorted(distances) and all(0 < distance <= 0.5 for distance in distances)


def test_a_clearance_larger_than_a_neck_is_one_sentence(board: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["edit", str(board), "--set", "width=15", "--set", "height=10"]) == 0
    capsys.readouterr()
    assert main(["fits", str(board), "--clearance", "1.9"]) == 2
    problem = capsys.readouterr().err
    assert (
        problem.startswith("The clearance of 1.90 mm is larger than the neck of tongue ") and problem.count("\n") == 1
    )
