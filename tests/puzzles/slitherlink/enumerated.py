"""Every loop of a small grid of squares, found by going through all insides there are.

inside: the cells that a loop encloses, a bit each. Cells that meet at a corner only would make the loop touch itself;
an inside in one piece without holes has one loop around it.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from studio.geometry.curves.strokes import Ints


@cache
def counts_of_loops(size: int) -> Ints:
    """How many edges of each loop (n, size * size) every cell of a square grid has."""
    insides = _insides(size)
    board = ((insides[:, None] >> np.arange(size * size)) & 1).astype(np.int8).reshape(-1, size, size)
    padded = np.pad(board, ((0, 0), (1, 1), (1, 1)))
    around = (padded[:, :-2, 1:-1], padded[:, 2:, 1:-1], padded[:, 1:-1, :-2], padded[:, 1:-1, 2:])
    return np.asarray(sum((near != board).astype(np.int8) for near in around)).reshape(len(insides), -1)


def _insides(size: int) -> Ints:
    rows = np.arange(1 << size)
    beside = rows[:, None] ^ rows
    # Two rows meet at a corner only where neighbours in both differ and so do those above each other.
    turned = (rows ^ (rows >> 1)) & ((1 << (size - 1)) - 1)
    meets = turned[:, None] & turned & beside & (beside >> 1)
    found = rows.copy()
    for row in range(1, size):
        last = found >> (size * (row - 1))
        before, after = np.nonzero((meets == 0)[last])
        found = found[before] | (after << (size * row))
    found = found[found > 0]
    sound: NDArray[np.bool_] = _is_one_piece(found, size) & (_euler(found, size) == 1)
    return np.asarray(found[sound])


def _is_one_piece(insides: Ints, size: int) -> NDArray[np.bool_]:
    every = (1 << size * size) - 1
    first = sum(1 << size * row for row in range(size))
    reached = insides & -insides
    while True:
        sideways = ((reached << 1) & ~first) | ((reached & ~first) >> 1)
        grown = (reached | sideways | (reached << size) | (reached >> size)) & insides & every
        if (grown == reached).all():
            return np.asarray(reached == insides)
        reached = grown


def _euler(insides: Ints, size: int) -> Ints:
    """Pieces less holes, which are cells less sides between two of them and corners among four."""
    last = sum(1 << size * row + size - 1 for row in range(size))
    across = insides & (insides >> 1) & ~last
    down = insides & (insides >> size)
    return _bits(insides) - _bits(across) - _bits(down) + _bits(across & (across >> size))


def _bits(numbers: Ints) -> Ints:
    return np.asarray(sum((numbers >> bit) & 1 for bit in range(25)))
