"""Of an engraving that leaves the board, the part on the board is made, whatever is exported."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import shapely

from studio.base.progress import SILENT
from studio.cli import main
from studio.exporting.formats import LASER, Options
from studio.exporting.laser_files import write
from studio.files.store import load
from studio.geometry.curves.strokes import Curves, Floats, through
from studio.geometry.planar.drawing import Drawing, Operation
from studio.geometry.planar.regions import board_region
from studio.puzzles.jigsaw.checks import check
from studio.puzzles.jigsaw.figures.whimsies import Pose
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.picture.engravings import Engraving, of_drawing

CALM = JigsawParameters(columns=4, rows=3, width=80, height=60, perturbation=0.0)


def engraved(design: JigsawDesign) -> tuple[JigsawShapes, list[shapely.LineString]]:
    """The shapes of a design, and all lines that are engraved on the face or the back."""
    shapes = shape(design, None, SILENT)
    return shapes, engraved_lines(shapes.whole)


def engraved_lines(drawing: Drawing) -> list[shapely.LineString]:
    strokes = [int(one.strokes[0] >> 1) for one in drawing.chains if one.operation is Operation.ENGRAVE]
    lines = drawing.strokes.flattened(0.001)
    return [shapely.LineString(lines[stroke]) for stroke in strokes]


def line_across(y: float, reach: float = 200.0, side: str = "face") -> Engraving:
    """A level line of some length in mm about the middle of the board, drawn as an engraving."""
    stroke = np.linspace((0.0, 0.0), (reach, 0.0), 4)
    return of_drawing("drawing1", [stroke], Pose(x=40.0, y=y, height=reach), side)


@pytest.mark.parametrize("side", ["face", "back"])
def test_a_line_is_cut_off_at_the_border(side: str) -> None:
    shapes, lines = engraved(JigsawDesign(CALM).with_engraving(line_across(21.0, side=side)))
    assert len(lines) == 1
    assert sorted(x for x, _ in lines[0].coords)[:: len(lines[0].coords) - 1] == pytest.approx([0, 80], abs=1e-6)
    assert {y for _, y in lines[0].coords} == {21.0}
    found = [one for one in check(shapes.design, shapes, None, SILENT).findings if one.problem.key == "engraving"]
    assert [one.message.partition(". ")[0] for one in found] == [
        "Engraving drawing1 leaves the board; only the part on the board is engraved"
    ]


def test_what_is_on_the_board_stays_what_it_was() -> None:
    engraving = Engraving("text1", Pose(x=40, y=30, height=10), "MIA")
    shapes, _ = engraved(JigsawDesign(CALM).with_engraving(engraving))
    first = len(shapes.drawing.strokes)
    kept = Curves(shapes.whole.strokes.points[shapes.whole.strokes.starts[first] :], engraving.on_board.starts)
    assert np.array_equal(kept.points, engraving.on_board.points)
    assert not [one for one in check(shapes.design, shapes, None, SILENT).findings if one.problem.key == "engraving"]


def test_an_engraving_beside_the_board_leaves_nothing() -> None:
    shapes, lines = engraved(JigsawDesign(CALM).with_engraving(Engraving("text1", Pose(x=300, y=30, height=10), "MIA")))
    assert lines == [] and len(shapes.whole.strokes) == len(shapes.drawing.strokes)


def test_a_hole_of_the_board_is_left_out(tmp_path: Path) -> None:
    drawing, puzzle = tmp_path / "frame.svg", tmp_path / "frame.puzzle"
    drawing.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="80mm" height="80mm" viewBox="0 0 80 80">'
        '<path fill-rule="evenodd" d="M0,0 H80 V80 H0 Z M30,30 H50 V50 H30 Z"/></svg>'
    )
    assert main(["new", "jigsaw", "-o", str(puzzle), "--set", "tiling=hexagons"]) == 0
    assert main(["outline", str(puzzle), str(drawing)]) == 0
    design = load(puzzle).design
    assert isinstance(design, JigsawDesign)
    shapes, lines = engraved(design.with_engraving(line_across(40.0)))
    board = board_region(shapes.drawing)
    assert shapely.area(board) == pytest.approx(float(shapes.drawing.piece_areas.sum()), rel=1e-4)
    spans = sorted((round(line.bounds[0], 6), round(line.bounds[2], 6)) for line in lines)
    assert spans == [(0, 30), (50, 80)]


def test_lines_on_each_other_are_engraved_once(tmp_path: Path) -> None:
    name = Engraving("text1", Pose(x=40, y=30, height=8), "twice")
    once, _ = engraved(JigsawDesign(CALM).with_engraving(name))
    both, _ = engraved(JigsawDesign(CALM).with_engravings([name, replace(name, name="text2")]))
    assert np.array_equal(both.whole.strokes.points, once.whole.strokes.points)
    sides = shape(JigsawDesign(CALM).with_engravings([name, replace(name, name="text2", side="back")]), None, SILENT)
    assert len(sides.whole.chains) > len(once.whole.chains)
    # Two squares that share a side, as drawing programs write them.
    squares = [straight_ring([(x, 10.0), (x + 20, 10.0), (x + 20, 30.0), (x, 30.0)]) for x in (10.0, 30.0)]
    shared = of_drawing("drawing1", squares, Pose(x=40, y=30, height=20), "face")
    for suffix in LASER.suffixes:
        write(engraved(JigsawDesign(CALM).with_engraving(shared))[0].whole, tmp_path / f"squares{suffix}")


def straight_ring(corners: list[tuple[float, float]]) -> Floats:
    return through(np.array([*corners, corners[0]]))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("outline", ["rectangle", "ellipse", "heart"])
@pytest.mark.parametrize("suffix", LASER.suffixes)
def test_every_format_is_written(outline: str, suffix: str, tmp_path: Path) -> None:
    design = JigsawDesign(JigsawParameters(outline=outline, width=80, height=60, columns=4, rows=3))
    name = Engraving("text1", Pose(x=40, y=30, height=16), "Bartholomew")
    shapes, lines = engraved(design.with_engraving(name).with_engraving(line_across(50.0)))
    report = write(shapes.whole, tmp_path / f"board{suffix}", Options(dpi=96))
    assert report.chains == len(lines) + len(shapes.drawing.chains) and not report.problem


def test_one_long_name_does_not_stop_a_batch(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    design = tmp_path / "board.puzzle"
    assert main(["new", "jigsaw", "--set", "width=80", "--set", "height=60", "--set", "columns=4", "--set", "rows=3",
                 "-o", str(design)]) == 0  # fmt: skip
    assert main(["engrave", str(design), "--text", "{name}", "--height", "12", "--force"]) == 0
    names = tmp_path / "names.csv"
    names.write_text("name\nMia\nMaximilian-Alexander\n", encoding="utf-8")
    assert main(["batch", str(design), "--names", str(names), "--formats", "svg", "-o", str(tmp_path / "out")]) == 0
    capsys.readouterr()
    assert len(list((tmp_path / "out").glob("*.svg"))) == 2
