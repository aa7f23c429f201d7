"""Ways to fill a form are counted right: held against numbers known from outside."""

from itertools import product

import numpy as np
import pytest

from studio.base.progress import Cancelled, Progress
from studio.geometry.planar.polyomino import Mask
from studio.solving.assembly import Assembly, count

PENTOMINOES = (
    ".##/##./.#.", "#####", "#/#/#/##", "##./.###", "##/##/#.", "###/.#./.#.",
    "#.#/###", "#../#../###", "#../##./.##", ".#./###/.#.", ".#/##/.#/.#", "##./.#./.##",
)  # fmt: skip
"""F I L N P T U V W X Y Z."""


def piece(picture: str) -> Mask:
    rows = picture.split("/")
    return np.array([[letter == "#" for letter in row.ljust(max(map(len, rows)), ".")] for row in rows])


def ways(shape: Mask) -> list[Mask]:
    found = {}
    for flipped in (shape, shape[:, ::-1]):
        for turns in range(4):
            way = np.rot90(flipped, turns)
            found[way.shape, way.tobytes()] = way
    return list(found.values())


def board(rows: int, columns: int, pieces: list[Mask], copies: tuple[int, ...]) -> Assembly:
    """A rectangle to be filled, with its four (or eight) symmetries."""
    cells, types = [], []
    for number, shape in enumerate(pieces):
        for way in ways(shape):
            h, w = way.shape
            for i, j in product(range(rows - h + 1), range(columns - w + 1)):
                sheet = np.zeros((rows, columns), bool)
                sheet[i : i + h, j : j + w] = way
                cells.append(sheet.ravel())
                types.append(number)
    grid = np.arange(rows * columns).reshape(rows, columns)
    turned = [grid, grid[::-1], grid[:, ::-1], grid[::-1, ::-1]]
    if rows == columns:
        turned += [each.T for each in turned]
    return Assembly(np.array(cells), np.array(types), copies, np.array([each.ravel() for each in turned]))


def test_the_twelve_pentominoes_fill_three_by_twenty_in_two_ways() -> None:
    shapes = [piece(picture) for picture in PENTOMINOES]
    assert sorted(int(shape.sum()) for shape in shapes) == [5] * 12
    found = count(board(3, 20, shapes, (1,) * 12), Progress())
    assert (found.solutions, found.complete) == (2, True)


@pytest.mark.parametrize(("rows", "columns", "tilings"), [(2, 2, 1), (2, 3, 2), (2, 4, 4), (4, 4, 9)])
def test_dominoes_that_are_all_alike_fill_a_board_in_so_many_ways(rows: int, columns: int, tilings: int) -> None:
    domino = np.ones((1, 2), bool)
    found = count(board(rows, columns, [domino], (rows * columns // 2,)), Progress())
    assert (found.solutions, found.complete) == (tilings, True)


def test_a_form_that_cannot_be_filled_has_no_solution() -> None:
    found = count(board(2, 3, [piece("##/##"), piece("##")], (1, 1)), Progress())
    assert (found.solutions, found.complete) == (1, True)
    none = count(board(2, 4, [piece("###/.#."), piece("####")], (1, 1)), Progress())
    assert (none.solutions, none.complete) == (0, True)


def test_a_search_that_is_cut_short_says_so() -> None:
    domino = np.ones((1, 2), bool)
    assembly = board(4, 4, [domino], (8,))
    by_number = count(assembly, Progress(), most=3)
    assert (by_number.solutions, by_number.complete) == (3, False)
    by_steps = count(assembly, Progress(), most_nodes=10)
    assert by_steps.solutions < 9 and not by_steps.complete


def test_the_same_search_takes_the_same_steps() -> None:
    domino = np.ones((1, 2), bool)
    first, second = (count(board(4, 4, [domino], (8,)), Progress()) for _ in range(2))
    assert first.nodes == second.nodes > 0


def test_a_search_that_nobody_waits_for_ends() -> None:
    stopped = Progress()
    stopped.cancel()
    with pytest.raises(Cancelled):
        count(board(2, 2, [np.ones((1, 2), bool)], (2,)), stopped)
