"""Small puzzles made by hand for the tests of exports."""

from collections.abc import Callable

import numpy as np
import pytest

from studio.geometry.curves.strokes import Curves, Floats, Ints, straight
from studio.geometry.planar.drawing import Chain, Drawing, Operation, Pieces

# A tongue over an edge from (0, 0) to (1, 0): three cubics.
TONGUE = np.array(
    [(0, 0), (0.2, 0.03), (0.55, -0.08), (0.42, 0.08), (0.25, 0.27), (0.72, 0.29), (0.59, 0.09), (0.5, -0.1),
     (0.8, -0.02), (1, 0)]
)  # fmt: skip


def wiggle(start: Floats, end: Floats, side: int) -> Floats:
    """A tongue from one corner to another; `side` is 1 or -1."""
    way = end - start
    across = np.array([-way[1], way[0]])
    points: Floats = start + TONGUE[:, :1] * way + side * TONGUE[:, 1:] * across
    points[-1] = end
    return points


def grid(columns: int, rows: int, cell: float = 20.0) -> Drawing:
    """A board of columns × rows pieces: rows cut first, then columns, to and fro, the border last."""
    places = np.stack(np.meshgrid(np.arange(columns + 1), np.arange(rows + 1)), 2) * cell
    corner = places + 0.11 * cell * np.sin(1.7 * places[..., ::-1] + places / 3)
    corner[[0, -1], :, 1] = places[[0, -1], :, 1]
    corner[:, [0, -1], 0] = places[:, [0, -1], 0]
    corner[[0, 0, -1, -1], [0, -1, 0, -1]] = places[[0, 0, -1, -1], [0, -1, 0, -1]]
    strokes: list[Floats] = []
    across = np.empty((rows + 1, columns), np.int64)
    down = np.empty((rows, columns + 1), np.int64)
    for row in range(rows + 1):
        for column in range(columns):
            across[row, column] = len(strokes)
            ends = corner[row, column], corner[row, column + 1]
            inner = 0 < row < rows
            strokes.append(wiggle(*ends, (-1) ** (row + column)) if inner else straight(np.array([ends])).points)
    for row in range(rows):
        for column in range(columns + 1):
            down[row, column] = len(strokes)
            ends = corner[row, column], corner[row + 1, column]
            inner = 0 < column < columns
            strokes.append(wiggle(*ends, (-1) ** (row * column)) if inner else straight(np.array([ends])).points)
    chains = [Chain(Operation.INNER, _to_and_fro(across[row], row)) for row in range(1, rows)]
    chains += [Chain(Operation.INNER, _to_and_fro(down[:, column], column)) for column in range(1, columns)]
    border = [2 * across[0], 2 * down[:, -1], 2 * across[-1, ::-1] + 1, 2 * down[::-1, 0] + 1]
    chains.append(Chain(Operation.BORDER, np.concatenate(border), closed=True))
    codes = [2 * across[:-1], 2 * down[:, 1:], 2 * across[1:] + 1, 2 * down[:, :-1] + 1]
    names = tuple(f"{column + 1}/{row + 1}" for row in range(rows) for column in range(columns))
    pieces = Pieces(np.stack(codes, 2).ravel(), np.arange(rows * columns + 1) * 4, names)
    return Drawing(columns * cell, rows * cell, Curves.from_strokes(strokes), tuple(chains), pieces)


def _to_and_fro(strokes: Ints, number: int) -> Ints:
    return 2 * strokes if number % 2 else 2 * strokes[::-1] + 1


@pytest.fixture(name="grid")
def _grid() -> Callable[..., Drawing]:
    return grid
