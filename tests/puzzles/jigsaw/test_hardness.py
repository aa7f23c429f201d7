"""The facts about how hard a jigsaw is."""

from dataclasses import replace

import pytest

from studio.base.progress import SILENT
from studio.geometry.board.tiling_construction import tiled
from studio.puzzles.jigsaw.figures.figure_edits import with_text
from studio.puzzles.jigsaw.figures.whimsies import Pose, Whimsy
from studio.puzzles.jigsaw.fits.false_fits import Reading, false_fits, reading
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.model.geometry import shape
from tests.geometry.nets import grid, scaled

BOARD = JigsawParameters(
    columns=5, rows=4, width=125.0, height=100.0, perturbation=0.0, vary_size=0.0, vary_place=0.0, vary_depth=0.0,
    vary_slant=0.0, vary_neck=0.0, smooth_joints=False, tongue_style="article",
)  # fmt: skip


def read(*edits: TongueEdit, parameters: JigsawParameters = BOARD, clearance: float = 0.05) -> Reading:
    shapes = shape(JigsawDesign(parameters).with_tongues(edits), None, SILENT)
    return reading(false_fits(shapes, clearance), SILENT)


def straight() -> list[TongueEdit]:
    shapes = shape(JigsawDesign(BOARD), None, SILENT)
    return [TongueEdit(shapes.tiling.edge_name(edge), ruled=True) for edge in shapes.tiling.graph.inner_edges.tolist()]


def test_on_a_board_of_equal_squares_all_pieces_of_a_sort_can_be_swapped() -> None:
    found = read(*straight())
    assert (found.pieces, found.border, found.edges, found.straight, found.shapes) == (20, 14, 31, 31, 1)
    # Six inside, four corners, ten along the border.
    assert len(found.swaps) == 6 * 5 // 2 + 4 * 3 // 2 + 10 * 9 // 2 and found.all_compared
    assert found.wrong == pytest.approx(2 * 31 * 30 / 20)


def test_one_other_tongue_spoils_its_two_pieces() -> None:
    edits = [replace(edit, ruled=False, size=0.3, side=1) if edit.name == "B2-C2" else edit for edit in straight()]
    found = read(*edits)
    assert not {"B2", "C2"} & {name for pair in found.swaps for name in pair}
    assert len(found.swaps) == 4 * 3 // 2 + 4 * 3 // 2 + 10 * 9 // 2
    assert "Interchangeable" in " ".join(found.sentences)


def test_pieces_of_usual_boards_cannot_be_swapped() -> None:
    found = read(parameters=JigsawParameters(columns=5, rows=4, width=125.0, height=100.0))
    assert found.swaps == () and found.wrong == 0.0 and found.shapes == 31
    assert "No two pieces are interchangeable." in found.sentences


def test_pieces_around_a_figure_are_not_at_the_border() -> None:
    bare = JigsawDesign(JigsawParameters(columns=12, rows=10, width=300.0, height=250.0))
    cat = replace(bare, whimsies=(Whimsy("cat1", "cat", Pose(x=150.0, y=125.0, height=60.0), tongues=2),))
    letters = with_text(bare, "BO", 40.0, SILENT).design
    for design in (bare, cat, letters):
        shapes = shape(design, None, SILENT)
        assert len(shapes.tiling.fillings) == len(design.whimsies)
        # 12 above, 12 below, 8 on each side.
        assert reading(false_fits(shapes, 0.0), SILENT).border == 2 * 12 + 2 * 8
        names = {shapes.tiling.piece_name(face) for face in shapes.tiling.border_faces.tolist()}
        assert names == {f"{column}{row}" for column in "ABCDEFGHIJKL" for row in range(1, 11)
                         if column in "AL" or row in (1, 10)}  # fmt: skip
    # Seven pieces meet the outline of the cat, and none of them can be swapped for one at the border.
    shapes = shape(cat, None, SILENT)
    around = shapes.tiling.graph.sides[shapes.tiling.fillings[0].outlines >> 1].max(axis=1)
    assert len({*around.tolist()} - {*shapes.tiling.border_faces.tolist()}) == len({*around.tolist()}) >= 7


def test_pieces_at_a_hole_of_the_board_are_at_the_border() -> None:
    tiling = tiled(*scaled(grid(5, 5), 10, 0, 0), voids=[(25.0, 25.0)])
    # 16 around a board of 5 × 5, and the four beside the hole in its middle.
    assert len(tiling.border_faces) == 16 + 4
