"""A game of a calendar puzzle: what lies where, how every piece is held, and what a hint would do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from studio.progress import Progress
from studio.puzzles.calendar.model import Board, CalendarDesign, Mask
from studio.puzzles.calendar.placing import bits, lying, placements
from studio.puzzles.calendar.solve import completed

SNAP = 0.85
"""How far from a place, in cells, a piece may be let go to slip into it."""


@dataclass(frozen=True)
class Game:
    """One state of a game: `masks` are the pieces as they are held, `laid` the placements of those on the board.

    `laid` is in the order in which the pieces were laid, so that the last is known.
    """

    masks: tuple[Mask, ...]
    laid: Mapping[int, int] = field(default_factory=dict)

    def covered(self, *, but: int | None = None) -> int:
        """The cells that pieces lie on, or all pieces but one."""
        cells = 0
        for piece, own in self.laid.items():
            if piece != but:
                cells |= own
        return cells

    def with_laid(self, board: Board, piece: int, cells: int) -> Game:
        """A piece laid, or laid elsewhere."""
        masks = list(self.masks)
        masks[piece] = lying(board, cells)[0]
        rest = {other: own for other, own in self.laid.items() if other != piece}
        return Game(tuple(masks), rest | {piece: cells})

    def without(self, pieces: Sequence[int]) -> Game:
        """Pieces taken up."""
        return replace(self, laid={piece: own for piece, own in self.laid.items() if piece not in pieces})

    def with_mask(self, piece: int, mask: Mask) -> Game:
        """A piece held otherwise; it must not lie."""
        return replace(self, masks=(*self.masks[:piece], mask, *self.masks[piece + 1 :]))

    def is_same(self, other: Game) -> bool:
        """Whether nothing distinguishes two states; the order of laying is nothing."""
        alike = all(np.array_equal(one, two) for one, two in zip(self.masks, other.masks, strict=True))
        return alike and dict(self.laid) == dict(other.laid)


@dataclass
class Log:
    """The states of a game one after another, and which of them is shown."""

    states: list[Game]
    at: int = 0
    hints: int = 0
    begun: int = 0
    """The state from which moves are counted, where the maker started again."""

    @property
    def moves(self) -> int:
        """How many moves were made since the maker started again, or since the beginning."""
        return self.at - self.begun if self.at >= self.begun else self.at

    @property
    def game(self) -> Game:
        """The state that is shown."""
        return self.states[self.at]

    def add(self, game: Game) -> None:
        """Go on from the state that is shown; what was taken back is forgotten."""
        if self.begun > self.at:
            self.begun = 0
        self.states[self.at + 1 :] = [game]
        self.at += 1


def fresh(design: CalendarDesign) -> Game:
    """The beginning: no piece lies."""
    return Game(tuple(piece.mask for piece in design.set))


def turned(mask: Mask) -> Mask:
    """A quarter clockwise."""
    return np.ascontiguousarray(np.rot90(mask, -1))


def flipped(mask: Mask) -> Mask:
    """The other face up, mirrored from left to right."""
    return np.ascontiguousarray(mask[:, ::-1])


@dataclass(frozen=True)
class Spot:
    """Where a piece would come to lie: the row and column of its first square, its cells, and whether it fits."""

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


def in_place(design: CalendarDesign, mask: Mask, cells: int, taken: int) -> int | None:
    """The placement of squares that fits and lies nearest to another that it overlaps; None where there is none."""
    board = design.layout
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


@dataclass(frozen=True)
class Hint:
    """What helps: a piece to lay, or pieces to take up; neither where the moment has no solution at all."""

    piece: int | None = None
    cells: int = 0
    taken: tuple[int, ...] = ()


def hint(design: CalendarDesign, open_cells: Sequence[str], laid: Mapping[int, int], progress: Progress) -> Hint:
    """Lay a piece of a solution that agrees with what lies; else the fewest pieces to take up, the last laid first."""
    whole = completed(design, open_cells, laid, progress)
    if whole is not None:
        free = {piece: cells for piece, cells in whole.items() if piece not in laid}
        if not free:
            return Hint()
        piece = min(free, key=lambda each: free[each] & -free[each])
        return Hint(piece, free[piece])
    order = list(laid)[::-1]
    for taken in [*([piece] for piece in order), *(order[:count] for count in range(2, len(order) + 1))]:
        rest = {piece: cells for piece, cells in laid.items() if piece not in taken}
        if completed(design, open_cells, rest, progress) is not None:
            return Hint(taken=tuple(taken))
    return Hint()


def still(game: Game, before: CalendarDesign, design: CalendarDesign) -> Game:
    """A game with another design: pieces that did not change are held as they were, and lie where they still can."""
    if before.layout.rows != design.layout.rows:
        return fresh(design)
    kept = fresh(design)
    old = {piece.name: number for number, piece in enumerate(before.set)}
    numbers: dict[int, int] = {}
    for number, piece in enumerate(design.set):
        was = old.get(piece.name)
        if was is not None and before.set[was].rows == piece.rows:
            kept = kept.with_mask(number, game.masks[was])
            numbers[was] = number
    for was, cells in game.laid.items():
        now = numbers.get(was)
        if now is not None and cells in placements(design.layout, design.set[now], design.parameters.reflections):
            kept = kept.with_laid(design.layout, now, cells)
    return kept
