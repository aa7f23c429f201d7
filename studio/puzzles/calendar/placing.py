"""The placements of pieces on a board: every distinct orientation, at every place.

placement: a piece laid on the board in one way, as a whole number whose bit i is the i-th cell of the board.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from studio.puzzles.calendar.model import Board, Mask, Piece


def orientations(mask: Mask, *, reflections: bool) -> tuple[Mask, ...]:
    """The ways (rows, columns) to turn a piece, and to flip it, that look different; the piece as it is first."""
    return _orientations(mask.shape, mask.tobytes(), reflections)


@lru_cache(maxsize=1024)
def _orientations(shape: tuple[int, ...], squares: bytes, reflections: bool) -> tuple[Mask, ...]:
    mask = np.frombuffer(squares, bool).reshape(shape)
    found: dict[tuple[tuple[int, ...], bytes], Mask] = {}
    for flipped in (mask, mask[:, ::-1]) if reflections else (mask,):
        for quarter in range(4):
            turned = np.ascontiguousarray(np.rot90(flipped, quarter))
            turned.setflags(write=False)
            found.setdefault((turned.shape, turned.tobytes()), turned)
    return tuple(found.values())


@lru_cache(maxsize=256)
def placements(board: Board, piece: Piece, reflections: bool) -> tuple[int, ...]:
    """All placements of a piece on a board, without regard to other pieces, ascending."""
    numbers = _numbers(board)
    rows, columns = board.mask.shape
    found = set()
    for way in orientations(piece.mask, reflections=reflections):
        squares = np.argwhere(way).tolist()
        for top in range(rows - way.shape[0] + 1):
            for left in range(columns - way.shape[1] + 1):
                cells = [numbers.get((top + row, left + column), -1) for row, column in squares]
                if min(cells) >= 0:
                    found.add(sum(1 << cell for cell in cells))
    return tuple(sorted(found))


@lru_cache(maxsize=4096)
def lying(board: Board, cells: int) -> tuple[Mask, int, int]:
    """A placement as squares without an empty rim, and the row and column of the first of them."""
    places = np.argwhere(board.mask)[[cell for cell in range(len(board.names)) if cells >> cell & 1]]
    top, left = places.min(axis=0).tolist()
    mask = np.zeros(tuple((places.max(axis=0) - (top, left) + 1).tolist()), bool)
    mask[tuple((places - (top, left)).T)] = True
    return mask, top, left


def bits(board: Board, mask: Mask, top: int, left: int) -> int:
    """The placement of squares whose first row and column are at these of the board; 0 where they do not fit."""
    cells = 0
    known = _numbers(board)
    for row, column in np.argwhere(mask).tolist():
        number = known.get((top + row, left + column))
        if number is None:
            return 0
        cells |= 1 << number
    return cells


@lru_cache(maxsize=64)
def _numbers(board: Board) -> dict[tuple[int, int], int]:
    return {place: number for number, place in enumerate(board.places.values())}
