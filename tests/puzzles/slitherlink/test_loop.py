"""Loops by chance: always one loop, as long or as crumpled as promised."""

import pytest

from studio.base.progress import SILENT
from studio.geometry.board.board_spec import BRICKS, HAND_CUT, RINGS, VORONOI
from studio.geometry.board.grids import GRIDS, HEXAGON, SQUARE, TRIANGLE
from studio.puzzles.slitherlink.generate import filled, folded, wound
from tests.depth import examples
from tests.solving.test_net import is_one_loop, of_grid

every_form = pytest.mark.parametrize("form", GRIDS)
LONG = {SQUARE: 1.0, HEXAGON: 1.9, TRIANGLE: 0.53, BRICKS: 1.9, VORONOI: 1.6, RINGS: 1.35, HAND_CUT: 1.8}
"""Edges for each cell of the grid that a winding loop has at least; a known generator's loops of squares have 1.02."""


@every_form
def test_a_winding_loop_is_one_loop_and_long(form: str) -> None:
    board = of_grid(form, 20, 20)
    for seed in range(examples(3, 10)):
        inside = wound(board, range(board.outside), seed, SILENT)
        assert is_one_loop(board, inside[:-1])
        assert len(board.line(inside[:-1])) >= LONG[form] * board.outside
    assert wound(board, range(board.outside), 1, SILENT) != wound(board, range(board.outside), 2, SILENT)


@pytest.mark.parametrize("ratio", [0.8, 1.2, 1.6, 1.8])
def test_a_folded_loop_has_the_ratio_asked_for(ratio: float) -> None:
    for size in (7, 10, 20):
        board = of_grid(SQUARE, size, size)
        for seed in range(5):
            inside = folded(board, range(board.outside), seed, ratio, 0.3, SILENT)
            assert is_one_loop(board, inside[:-1])
            assert ratio <= len(board.line(inside[:-1])) / sum(inside) <= ratio + 4 / sum(inside) + 0.1


def test_a_folded_loop_keeps_its_least_area_and_reaches_the_middle() -> None:
    board = of_grid(SQUARE, 20, 20)
    for seed in range(5):
        inside = folded(board, range(board.outside), seed, 1.8, 0.5, SILENT)
        assert sum(inside) >= 200
        middle = [20 * row + column for row in range(7, 13) for column in range(7, 13)]
        assert not all(inside[cell] for cell in middle), "no solid middle is left"


def test_a_loop_round_cells_encloses_all_that_one_loop_can() -> None:
    board = of_grid(SQUARE, 5, 5)
    ring = [cell for cell in range(25) if cell not in (6, 7, 8, 11, 12, 13, 16, 17, 18)]
    inside = filled(board, ring)
    assert is_one_loop(board, inside[:-1]) and sum(inside) == 15, "all of a ring of 16 but one"
    two = filled(board, [0, 1, 2, 23, 24])
    assert [cell for cell in range(25) if two[cell]] == [0, 1, 2], "the larger part"
