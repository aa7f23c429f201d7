"""Where pieces can lie on a board: every turn and flip that looks different, at every place.

placement: a piece laid on the board in one way, as a whole number whose bit i is the i-th cell of the board.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from studio.puzzles.calendar.model import Board, Mask, Piece


def orientations(mask: Mask, *, reflections: bool) -> tuple[Mask, ...]:
    """The ways (rows, columns) to turn a piece, and to flip it, that look different; the piece as it is first."""
    found: dict[tuple[tuple[int, ...], bytes], Mask] = {}
    for flipped in (mask, mask[:, ::-1]) if reflections else (mask,):
        for quarter in range(4):
            turned = np.ascontiguousarray(np.rot90(flipped, quarter))
            found.setdefault((turned.shape, turned.tobytes()), turned)
    return tuple(found.values())


@lru_cache(maxsize=256)
def placements(board: Board, piece: Piece, reflections: bool) -> tuple[int, ...]:
    """All placements of a piece on a board, without regard to other pieces, ascending."""
    bits = {place: 1 << cell for cell, place in enumerate(map(tuple, np.argwhere(board.mask).tolist()))}
    rows, columns = board.mask.shape
    found = set()
    for way in orientations(piece.mask, reflections=reflections):
        squares = np.argwhere(way).tolist()
        for top in range(rows - way.shape[0] + 1):
            for left in range(columns - way.shape[1] + 1):
                cells = [bits.get((top + row, left + column), 0) for row, column in squares]
                if all(cells):
                    found.add(sum(cells))
    return tuple(sorted(found))
