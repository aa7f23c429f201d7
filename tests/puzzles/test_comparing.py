"""What changed between two designs: the lines that only one has, by their lengths, and the parameters."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
import shapely
from PIL import Image

from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.cli import main
from studio.files.store import save
from studio.geometry.curves.strokes import Floats
from studio.puzzles import registry
from studio.puzzles.abilities.cuttable import Cuttable
from studio.puzzles.comparison import compared, ensure_alike, names_of, picture
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model import edits
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.kind import AnyKind
from tests.classic import classic

PLAIN = JigsawDesign(classic(columns=6, rows=4, width=150.0, height=100.0))


def as_lines(lines: tuple[Floats, ...]) -> shapely.MultiLineString:
    return shapely.MultiLineString(list(lines))


def stroke(shapes: JigsawShapes, edge: int) -> shapely.LineString:
    return shapely.LineString(shapes.drawing.strokes.chosen(np.array([edge])).flattened(0.001).points)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("key", registry.KINDS)
def test_a_design_has_no_differences_from_itself(key: str) -> None:
    kind: AnyKind = registry.kind(key)
    design = kind.example()
    found = compared(kind, design, replace(design), SILENT)
    assert found.is_same and found.summary == ("No differences.",)
    assert not found.gone and not found.come and not found.settings
    length = kind.need(Cuttable).drawing(kind.shape(design, None, SILENT)).strokes.flattened(0.001)
    drawn = shapely.length(shapely.union_all([shapely.LineString(length[at]) for at in range(len(length))]))
    assert shapely.length(shapely.union_all([shapely.LineString(one) for one in found.kept])) == pytest.approx(
        drawn, rel=5e-3
    )


def test_a_flipped_tongue_is_gone_on_one_side_and_has_come_on_the_other() -> None:
    shapes = shape(PLAIN, None, SILENT)
    edge = int(shapes.tiling.graph.inner_edges[11])
    flipped = edits.with_tongues_flipped(shapes, [edge])
    found = compared(JIGSAW, PLAIN, flipped, SILENT)
    old, new = stroke(shapes, edge), stroke(shape(flipped, None, SILENT), edge)
    # What is within 0.05 mm of the other line is in both: at the ends of the edge, and where the two cross.
    for lines, own, other in ((found.gone, old, new), (found.come, new, old)):
        expected = shapely.length(shapely.difference(own, shapely.buffer(other, 0.05)))
        assert shapely.length(as_lines(lines)) == pytest.approx(expected, abs=0.5)
        assert shapely.hausdorff_distance(as_lines(lines), own) < 8.0
    assert found.settings == () and found.pieces == (24, 24) and not found.is_same
    assert found.summary[0].startswith("Removed: ") and len(found.summary) == 1


def test_a_border_that_is_only_divided_elsewhere_is_unchanged() -> None:
    shapes = shape(PLAIN, None, SILENT)
    outer = next(int(at) for at in shapes.tiling.movable if shapes.corners[at][1] == 0.0)
    x, y = shapes.corners[outer].tolist()
    moved = edits.with_corners_at(shapes, {outer: (x + 2.0, y)})
    found = compared(JIGSAW, PLAIN, moved, SILENT)
    rim = shapely.LineString([(0.0, 0.0), (150.0, 0.0)])
    for lines in (found.gone, found.come):
        assert lines and shapely.length(shapely.intersection(as_lines(lines), shapely.buffer(rim, 0.01))) < 0.2
    on_rim = shapely.intersection(as_lines(found.kept), shapely.buffer(rim, 0.01))
    assert shapely.length(shapely.union_all(on_rim)) == pytest.approx(150.0, abs=0.5)


def test_parameters_are_told_as_the_form_shows_them() -> None:
    other = JigsawDesign(replace(PLAIN.parameters, columns=7, width=175.0, tongue_style="ball", tricky_border=True))
    found = compared(JIGSAW, PLAIN, other, SILENT)
    told = {one.title: (one.before, one.after) for one in found.settings}
    assert told["Columns"] == ("6", "7") and told["Width"] == ("150.00 mm", "175.00 mm")
    assert told["Style"][1] == "Ball" and told["Tricky border"] == ("off", "on")
    assert "Pieces: 24 → 28" in found.summary and found.sizes == ((150.0, 100.0), (175.0, 100.0))


def test_edits_that_are_not_drawn_are_told() -> None:
    locked = edits.with_tongues_locked(
        shape(PLAIN, None, SILENT), [int(shape(PLAIN, None, SILENT).tiling.graph.inner_edges[3])], True
    )
    found = compared(JIGSAW, PLAIN, locked, SILENT)
    assert found.summary == ("The lines are the same.", "Only edits that are not drawn as lines differ.")


def test_designs_of_two_kinds_are_not_compared() -> None:
    with pytest.raises(StudioError, match=r"A jigsaw cannot be compared with a cube"):
        ensure_alike(JIGSAW, registry.kind("cube"))


def test_files_of_one_name_are_told_apart_by_their_folders() -> None:
    assert names_of(Path("a/one.puzzle"), Path("b/two.puzzle")) == ("one.puzzle", "two.puzzle")
    assert names_of(Path("a/one.puzzle"), Path("b/one.puzzle")) == ("a/one.puzzle", "b/one.puzzle")


def test_the_picture_of_a_large_board_is_of_a_handy_size() -> None:
    large = JigsawDesign(JigsawParameters(columns=4, rows=2, width=4000.0, height=2000.0))
    (page,) = picture(compared(JIGSAW, large, replace(large), SILENT), ("a", "b")).pages
    assert page.width == pytest.approx(420.0) and 200.0 < page.height < 300.0


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    shapes = shape(PLAIN, None, SILENT)
    flipped = edits.with_tongues_flipped(shapes, [int(shapes.tiling.graph.inner_edges[11])])
    one, other = tmp_path / "one.puzzle", tmp_path / "other.puzzle"
    save(one, JIGSAW, PLAIN)
    save(other, JIGSAW, flipped)
    return one, other


def test_the_command_tells_the_differences_and_draws_them(
    files: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = map(str, files)
    assert main(["compare", one, one]) == 0
    assert capsys.readouterr().out == "No differences.\n"
    for ending in ("png", "svg", "pdf"):
        out = tmp_path / f"changes.{ending}"
        assert main(["compare", one, other, "-o", str(out), "--json"]) == 1
        told = json.loads(capsys.readouterr().out)
        assert told["same"] is False and 15.0 < told["removed"] < 60.0 and told["parameters"] == {}
    image = Image.open(tmp_path / "changes.png").convert("RGB")
    colours = {colour for _count, colour in image.getcolors(1 << 24) or []}
    assert (213, 94, 0) in colours and (0, 114, 178) in colours
    text = pypdfium2.PdfDocument(tmp_path / "changes.pdf")[0].get_textpage().get_text_range()
    assert "Only in one.puzzle" in text and "Only in other.puzzle" in text


@pytest.mark.parametrize(("words", "told"), [
    (["one.puzzle", "gone.puzzle"], "there is no such file"),
    (["one.puzzle", "other.puzzle", "-o", "changes.dxf"], "must end in .png, .svg or .pdf"),
    (["one.puzzle", "other.puzzle", "-o", "nowhere/changes.png"], "nowhere"),
    (["one.puzzle", "cube.puzzle"], "A jigsaw cannot be compared with a cube"),
], ids=["missing", "ending", "folder", "kind"])  # fmt: skip
def test_what_cannot_be_compared_is_told_in_a_sentence(
    files: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    words: list[str], told: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    save(Path("cube.puzzle"), registry.kind("cube"), registry.kind("cube").example())
    before = sorted(tmp_path.iterdir())
    assert main(["compare", *words]) == 2
    assert told in capsys.readouterr().err and sorted(tmp_path.iterdir()) == before


def test_a_picture_does_not_replace_a_design(
    files: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    work = tmp_path / "work.png"
    work.write_bytes(files[0].read_bytes())
    assert main(["compare", *map(str, files), "-o", str(work)]) == 2
    assert "--force" in capsys.readouterr().err and work.read_bytes() == files[0].read_bytes()
