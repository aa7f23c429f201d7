"""The facts about how hard a jigsaw is."""

from dataclasses import replace

import pytest

from studio.progress import SILENT
from studio.puzzles.jigsaw.fits import false_fits
from studio.puzzles.jigsaw.geometry import shape
from studio.puzzles.jigsaw.hardness import Reading, reading
from studio.puzzles.jigsaw.model import JigsawDesign, JigsawParameters, TongueEdit

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
    assert "Interchangeable" in " ".join(found.words)


def test_pieces_of_usual_boards_cannot_be_swapped() -> None:
    found = read(parameters=JigsawParameters(columns=5, rows=4, width=125.0, height=100.0))
    assert found.swaps == () and found.wrong == 0.0 and found.shapes == 31
    assert "No two pieces are interchangeable." in found.words
