"""A position in a game of a calendar puzzle: placed pieces, their orientations, and where a held one would snap."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from studio.puzzles.calendar.model import Board, Mask
from studio.puzzles.calendar.placing import bits, lying

SNAP = 0.85
"""How far from a place, in cells, a piece may be let go to slip into it."""


@dataclass(frozen=True)
class Game:
    """A position: `masks` are the pieces in their orientations, `laid` the placements of those on the board.

    `laid` is in the order in which the pieces were laid, so that the last is known. How a piece is held beside the
    board makes no other position.
    """

    board: Board
    open_cells: tuple[str, ...]
    masks: tuple[Mask, ...] = field(compare=False)
    placed: Mapping[int, int] = field(default_factory=dict)

    @property
    def room(self) -> int:
        """The cells that are to be covered."""
        whole = (1 << len(self.board.names)) - 1
        for name in self.open_cells:
            whole &= ~(1 << self.board.indices[name])
        return whole

    @property
    def is_solved(self) -> bool:
        """Whether every cell but the open ones is covered."""
        return self.covered() == self.room

    def covered(self, *, but: int | None = None) -> int:
        """The cells covered by pieces, or by all pieces but one."""
        cells = 0
        for piece, own in self.placed.items():
            if piece != but:
                cells |= own
        return cells

    def taken(self, but: int) -> int:
        """The cells closed to a piece: those of the others, and the open cells."""
        return self.covered(but=but) | (1 << len(self.board.names)) - 1 & ~self.room

    def with_placed(self, piece: int, cells: int) -> Game:
        """With a piece placed, or moved."""
        rest = {other: own for other, own in self.placed.items() if other != piece}
        return replace(self.with_mask(piece, lying(self.board, cells)[0]), placed=rest | {piece: cells})

    def without(self, pieces: Collection[int]) -> Game:
        """With pieces removed."""
        return replace(self, placed={piece: own for piece, own in self.placed.items() if piece not in pieces})

    def with_mask(self, piece: int, mask: Mask) -> Game:
        """The game with another orientation of a piece that is not placed."""
        return replace(self, masks=(*self.masks[:piece], mask, *self.masks[piece + 1 :]))


def turned(mask: Mask) -> Mask:
    """A quarter clockwise."""
    return np.ascontiguousarray(np.rot90(mask, -1))


def flipped(mask: Mask) -> Mask:
    """The other face up, mirrored from left to right."""
    return np.ascontiguousarray(mask[:, ::-1])


@dataclass(frozen=True)
class Spot:
    """Where a piece would be placed: the row and column of its first square, its cells, and whether it fits."""

    row: int
    column: int
    cells: int
    fits: bool


def spot(board: Board, mask: Mask, row: float, column: float, taken: int) -> Spot | None:
    """The place for a piece that is let go with its corner at a place of the board, in cells.

    The nearest that fits and is no more than SNAP away; else the nearest of all; None where that is off the board.
    """
    near = round(row), round(column)
    best: tuple[float, Spot] | None = None
    for top in range(near[0] - 1, near[0] + 2):
        for left in range(near[1] - 1, near[1] + 2):
            away = float(np.hypot(top - row, left - column))
            cells = bits(board, mask, top, left)
            if away <= SNAP and cells and not cells & taken and (best is None or away < best[0]):
                best = away, Spot(top, left, cells, fits=True)
    if best is not None:
        return best[1]
    return Spot(*near, 0, fits=False) if _is_over(board, mask, *near) else None


def _is_over(board: Board, mask: Mask, top: int, left: int) -> bool:
    """Whether a square of a piece is over the board."""
    rows, columns = board.mask.shape
    places = np.argwhere(mask) + np.array([top, left])
    return bool(((places >= 0) & (places < (rows, columns))).all(axis=1).any())


def in_place(board: Board, mask: Mask, cells: int, taken: int) -> int | None:
    """The fitting placement of squares nearest to another that it overlaps; None where there is none."""
    own, row, column = lying(board, cells)
    middle = np.array([row, column]) + np.array(own.shape) / 2
    best: tuple[float, int] | None = None
    for top in range(row - 3, row + 4):
        for left in range(column - 3, column + 4):
            other = bits(board, mask, top, left)
            away = float(np.abs(np.array([top, left]) + np.array(mask.shape) / 2 - middle).sum())
            if other and other & cells and not other & taken and (best is None or away < best[0]):
                best = away, other
    return None if best is None else best[1]
