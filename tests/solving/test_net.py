"""Nets of cells: a cell changes sides only where one loop stays one loop."""

import pytest

from studio.geometry.board.grids import GRIDS, SQUARE, Layout, grid
from studio.solving.loops import Net, net


def of_grid(form: str, columns: int, rows: int) -> Net:
    cells = grid(Layout(form, columns, rows))
    return net(cells.cells, [(one, other) for one, other in cells.edges.tolist()])


def is_one_loop(board: Net, inside: list[bool]) -> bool:
    line = board.line(inside)
    return bool(line) and board.is_even(line) and len(board.loops(line)) == 1


def every_inside(board: Net) -> list[list[bool]]:
    count = board.outside
    return [[bool(number >> cell & 1) for cell in range(count)] for number in range(1, 1 << count)]


@pytest.mark.parametrize(("size", "loops"), [(3, 213), (4, 9349)])
def test_simple_loops_are_as_many_as_known(size: int, loops: int) -> None:
    board = of_grid(SQUARE, size, size)
    assert sum(is_one_loop(board, inside) for inside in every_inside(board)) == loops


@pytest.mark.sampled(7)
@pytest.mark.parametrize("form", GRIDS)
def test_a_cell_can_flip_exactly_where_one_loop_stays_one(form: str) -> None:
    board = of_grid(form, 4, 3)
    tried = 0
    for inside in every_inside(board):
        if not is_one_loop(board, inside):
            continue
        for cell in range(board.outside):
            flipped = [value != (at == cell) for at, value in enumerate(inside)]
            can = board.can_flip([*inside, False], cell)
            assert can <= is_one_loop(board, flipped)
            assert can == is_one_loop(board, flipped), (inside, cell)
            tried += can
    assert tried > 100


@pytest.mark.sampled(3)
@pytest.mark.parametrize("form", GRIDS)
def test_what_a_loop_encloses_has_that_loop_around_it(form: str) -> None:
    board = of_grid(form, 4, 3)
    insides = [inside for inside in every_inside(board) if is_one_loop(board, inside)]
    assert len(insides) > 100
    for inside in insides:
        assert board.enclosed(board.line(inside)) == inside
        assert sum(board.counts(board.line(inside))) >= len(board.line(inside))


def test_the_cells_around_a_cell_are_in_turn() -> None:
    cells = grid(Layout(SQUARE, 5, 5))
    board = of_grid(SQUARE, 5, 5)
    names = [*cells.names, "outside"]
    assert [names[other] for other in board.rings[cells.numbers["C3"]]] == [
        "C2",
        "D2",
        "D3",
        "D4",
        "C4",
        "B4",
        "B3",
        "B2",
    ]
