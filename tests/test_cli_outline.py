"""The command `outline`: the loop of a slitherlink from what a picture shows."""

from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from studio.cli import main
from studio.files.store import load
from studio.puzzles.slitherlink.model import SlitherlinkDesign


def test_the_loop_is_the_outline_of_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    puzzle, picture = tmp_path / "loop.puzzle", tmp_path / "box.png"
    image = Image.new("L", (100, 100), 255)
    ImageDraw.Draw(image).rectangle((30, 30, 69, 69), fill=0)
    image.save(picture)
    assert main(["new", "slitherlink", "-o", str(puzzle)]) == 0
    assert main(["outline", str(puzzle), str(picture), "-o", str(tmp_path / "box.puzzle")]) == 0
    design = load(tmp_path / "box.puzzle").design
    assert isinstance(design, SlitherlinkDesign) and design.parameters.loop == "outline"
    assert design.inside == ("." * 10,) * 3 + ("...####...",) * 4 + ("." * 10,) * 3
    assert main(["check", str(tmp_path / "box.puzzle")]) == 0
    capsys.readouterr()
    image.paste(255, (0, 0, 100, 100))
    image.save(picture)
    before = puzzle.read_bytes()
    assert main(["outline", str(puzzle), str(picture)]) != 0
    assert "nothing in it stands out" in capsys.readouterr().err
    assert puzzle.read_bytes() == before


def test_only_a_slitherlink_has_a_loop(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "jigsaw", "-o", str(tmp_path / "j.puzzle")]) == 0
    assert main(["outline", str(tmp_path / "j.puzzle"), "x.png"]) != 0
    assert "Only a slitherlink has a loop" in capsys.readouterr().err
