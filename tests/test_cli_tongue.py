"""The command `tongue`: a jigsaw's own tongue from an SVG drawing or from JSON."""

from pathlib import Path

import numpy as np
import pytest

from studio.cli import main
from studio.files.store import load
from studio.geometry.curves.strokes import Floats
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.tongues.profiles import FOLDER, own_profile, profile

EARLET = profile("earlet").points


def svg(points: Floats, more: str = "") -> str:
    """A drawing of one open path, y downwards."""
    begin, *rest = (f"{x:.4f},{y:.4f}" for x, y in points.tolist())
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200"><rect width="5" height="5"/>'
        f'<path fill="none" stroke="red" d="M{begin} C{" ".join(rest)}"/>{more}</svg>'
    )


@pytest.fixture
def board(tmp_path: Path) -> Path:
    assert main(["new", "jigsaw", "-o", str(tmp_path / "board.puzzle")]) == 0
    return tmp_path / "board.puzzle"


def drawn(board: Path, text: str, name: str = "ear.svg") -> Floats:
    """The profile that a board takes from a drawing."""
    drawing = board.with_name(name)
    drawing.write_text(text)
    out = board.with_name("out.puzzle")
    assert main(["tongue", str(board), str(drawing), "-o", str(out), "--force"]) == 0
    design = load(out).design
    assert isinstance(design, JigsawDesign) and design.profile is not None
    assert design.parameters.tongue_style == "own"
    return own_profile(design.profile).points


@pytest.mark.parametrize("angle", [0.0, 30.0, 180.0])
@pytest.mark.parametrize("is_reversed", [False, True])
def test_a_tongue_is_read_from_a_path_of_any_size_and_direction(board: Path, angle: float, is_reversed: bool) -> None:
    right = EARLET + np.isin(np.arange(len(EARLET)), (14, 15, 16))[:, None] * (0.04, 0.0)
    cos, sin = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    placed = right * (80, -80) @ np.array([[cos, sin], [-sin, cos]]) + (60, 120)
    points = drawn(board, svg(placed[::-1] if is_reversed else placed))
    inner = slice(2, -2)
    assert points[inner] == pytest.approx(right[inner], abs=1e-4)
    assert main(["check", str(board.with_name("out.puzzle"))]) == 0


def test_slight_kinks_of_a_drawing_are_smoothed(board: Path) -> None:
    dovetail = profile("dovetail").points
    rough = dovetail.copy()
    rough[5] -= (0.003, 0.0)
    rough[7] = rough[6]
    points = drawn(board, svg(rough * (80, -80) + (60, 120)))
    assert points[::3] == pytest.approx(dovetail[::3], abs=1e-4)
    assert points[5] == pytest.approx(dovetail[5], abs=0.005)
    assert np.hypot(*(points[7] - points[6])) == pytest.approx(0.01, abs=1e-4)


def test_a_tongue_is_read_from_json_as_the_studio_has_them(board: Path) -> None:
    points = drawn(board, (FOLDER / "ball.json").read_text(), "mine.json")
    assert points == pytest.approx(profile("ball").points)
    mixed = ["--set", "tongue_style=mixed", "--set", "mix_own=3"]
    assert main(["edit", str(board.with_name("out.puzzle")), *mixed, "-o", str(board), "--force"]) == 0


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("a.svg", svg(EARLET * 50, '<path d="M0,0 L5,5"/>'), "it has 2 open paths"),
        ("a.svg", '<svg xmlns="http://www.w3.org/2000/svg"><circle r="5"/></svg>', "it has 0 open paths"),
        ("a.svg", svg(profile("wave").points * 50), "has no neck"),
        ("a.svg", svg(np.array([(0, 0), (0, 9), (1, 2), (5, 9), (9, 9), (9, 8), (9, 0)])), "has a kink at point 3"),
        ("a.svg", svg(np.tile(EARLET, (12, 1))[:-2] * 50), "its path has 298 points (maximum 181)"),
        ("a.svg", "<!DOCTYPE svg [<!ENTITY a SYSTEM 'b'>]><svg>&a;</svg>", "it declares entities"),
        ("a.json", (FOLDER / "wave.json").read_text(), "has no neck"),
        ("a.json", '{"title": "A"}', "needs 3 n + 1 points"),
        ("a.json", "[]", "tongue must be an object"),
        ("a.dxf", "", "unknown file extension. Use .svg or .json"),
    ],
)  # fmt: skip
def test_what_is_no_tongue_is_refused_and_nothing_changes(
    board: Path, capsys: pytest.CaptureFixture[str], name: str, text: str, sentence: str
) -> None:
    before = board.read_bytes()
    board.with_name(name).write_text(text)
    assert main(["tongue", str(board), str(board.with_name(name))]) == 2
    told = capsys.readouterr().err
    assert sentence in told and f"Cannot import {name}" in told and told.count("\n") == 1
    assert board.read_bytes() == before
