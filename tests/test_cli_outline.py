"""The command `outline`: the loop of a slitherlink from what a picture shows, a jigsaw's board from a drawing."""

from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from studio.cli import main
from studio.files.store import load
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.tiling import tiling_of
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


def test_a_cube_has_no_outline(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "cube", "-o", str(tmp_path / "c.puzzle")]) == 0
    assert main(["outline", str(tmp_path / "c.puzzle"), "x.svg"]) != 0
    assert "Only a jigsaw or a slitherlink has an outline" in capsys.readouterr().err


def test_a_jigsaw_takes_the_outline_of_a_drawing_in_true_size(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    puzzle, drawing = tmp_path / "j.puzzle", tmp_path / "frame.svg"
    drawing.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="20cm" height="10cm" viewBox="0 0 200 100">'
        '<path fill-rule="evenodd" d="M0,0 H200 V100 H0 Z M80,30 H120 V70 H80 Z"/></svg>'
    )
    assert main(["new", "jigsaw", "-o", str(puzzle), "--set", "tiling=hexagons"]) == 0
    assert main(["outline", str(puzzle), str(drawing)]) == 0
    design = load(puzzle).design
    assert isinstance(design, JigsawDesign)
    assert (design.parameters.width, design.parameters.height) == (200.0, 100.0)
    tiling = tiling_of(design)
    assert tiling.outline.region.area == pytest.approx(200 * 100 - 40 * 40)
    assert len(tiling.rims) == len(tiling.voids) == 1
    out = tmp_path / "cut.dxf"
    assert main(["export", str(puzzle), "-o", str(out)]) == 0
    assert f"{tiling.graph.face_count} pieces" in capsys.readouterr().out
    drawing.write_text('<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>')
    before = puzzle.read_bytes()
    assert main(["outline", str(puzzle), str(drawing)]) != 0
    assert "states no unit of length" in capsys.readouterr().err
    assert puzzle.read_bytes() == before
    assert main(["outline", str(puzzle), str(drawing), "--unit", "cm"]) == 0
    assert load(puzzle).design.parameters.width == 90.0


def test_a_slitherlink_takes_the_outline_of_a_drawing_for_its_cells(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    puzzle, drawing = tmp_path / "s.puzzle", tmp_path / "plate.svg"
    words = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="15cm" height="9cm" viewBox="0 0 150 90"><path d="{}"/></svg>'
    )
    drawing.write_text(words.format("M0,0 H100 L150,45 L100,90 H0 Z"))
    assert main(["new", "slitherlink", "-o", str(puzzle), "--set", "board=pegs"]) == 0
    assert main(["outline", str(puzzle), str(drawing)]) == 0
    design = load(puzzle).design
    assert isinstance(design, SlitherlinkDesign) and design.parameters.outline == "file"
    width, height = (design.parameters.edge * length for length in design.parameters.form.size)
    assert [width, height] == pytest.approx([150.0, 90.0], abs=1e-3)
    assert main(["solve", str(puzzle)]) == 0
    assert "1 solution" in capsys.readouterr().out
    for name in ("cut.dxf", "cut.svg"):
        assert main(["export", str(puzzle), "-o", str(tmp_path / name)]) == 0
    assert main(["leaflet", str(puzzle), "-o", str(tmp_path / "page.pdf")]) == 0
    before = puzzle.read_bytes()
    drawing.write_text(words.format("M0,0 H150 V90 H0 Z M40,30 V60 H80 V30 Z"))
    assert main(["outline", str(puzzle), str(drawing)]) != 0
    assert "without holes" in capsys.readouterr().err
    assert puzzle.read_bytes() == before
