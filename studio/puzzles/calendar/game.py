"""Positions in a game of a calendar puzzle: placed pieces, their orientations, and the place a held piece snaps to."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

import numpy as np

from studio.base.amounts import listed, many
from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.puzzles.abilities.playable import Hint
from studio.puzzles.calendar.model import (
    DAY,
    WEEKDAY,
    Board,
    CalendarDesign,
    Mask,
    bits,
    exists,
    lying,
    placements,
    refusal,
    said,
)
from studio.puzzles.calendar.solve import completed
from studio.solving.cover import members

SNAP = 0.85
"""Greatest distance in cells from which a released piece slips into a place."""


@dataclass(frozen=True)
class Game:
    """A position: `masks` are the pieces in their orientations, `laid` the placements of pieces on the board.

    `laid` is in the order of placing, so that the last is known. The orientation of a piece beside the board makes no
    other position.
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
        """True if every cell but the open ones is covered."""
        return self.covered() == self.room

    def covered(self, *, but: int | None = None) -> int:
        """The cells covered by pieces, or by all pieces but one."""
        cells = 0
        for piece, own in self.placed.items():
            if piece != but:
                cells |= own
        return cells

    def taken(self, but: int) -> int:
        """The cells closed to a piece: cells under other pieces, and the open cells."""
        return self.covered(but=but) | (1 << len(self.board.names)) - 1 & ~self.room

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
    """The place for a piece: the row and column of its first square, its cells, and whether it fits."""

    row: int
    column: int
    cells: int
    fits: bool


def spot(board: Board, mask: Mask, row: float, column: float, taken: int) -> Spot | None:
    """Return the place for a piece released with its corner at (row, column), in cells.

    The nearest that fits and is no more than SNAP away; else the nearest of all; None if that is off the board.
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
    # Is a square of the piece over the board's grid?
    places = np.argwhere(mask) + np.array(near)
    is_over = ((places >= 0) & (places < board.mask.shape)).all(axis=1).any()
    return Spot(*near, 0, fits=False) if is_over else None


def in_place(board: Board, mask: Mask, cells: int, taken: int) -> int | None:
    """Return the nearest fitting placement of `mask` that overlaps `cells`; None if nothing fits."""
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


# The rules of a game of a calendar puzzle, whose moves are texts: `L 90 C3` places a piece, `L off` removes it.
# turn: the degrees clockwise from the drawn piece, 0, 90, 180 or 270; with an f before it, `f90`, the piece is
# flipped from left to right first. The cell is the first that the piece covers, row by row.


OFF = "off"
TURNS = tuple(f"{face}{90 * quarters}" for face in ("", "f") for quarters in range(4))


def start(design: CalendarDesign, target: Sequence[str]) -> Game:
    """The empty board with the cells of some labels open, one of every group; raises StudioError for other cells."""
    board = design.layout
    labels = [board.on[name] for name in target if name in board.on]
    if len(labels) < len(target) or [label.group for label in labels] != list(board.groups):
        cells = ", ".join(target)[:40] or tr("no cell")
        raise StudioError(tr("Leave exactly one label of each group uncovered, not {cells}.", cells=cells))
    reason = refusal(board, tuple(labels), design.year)
    others = [board.groups[label.group] if label.group in (DAY, WEEKDAY) else (label,) for label in labels]
    if reason and any(exists(date, design.year) for date in product(*others)):
        raise StudioError(reason)
    return Game(board, tuple(target), tuple(piece.mask for piece in design.set))


def moved(design: CalendarDesign, game: Game, text: str) -> Game:
    """The position after a move; raises StudioError for an invalid text, or a move that is impossible here."""
    head, _, last = text.rpartition(" ")
    if last == OFF:
        piece = _piece(design, head)
        if piece not in game.placed:
            raise StudioError(tr("Piece {name} is not on the board.", name=head))
        return game.without([piece])
    name, _, turn = head.rpartition(" ")
    if turn not in TURNS:
        raise StudioError(tr("Enter a move as piece, rotation and cell, such as 'L 90 C3', or as piece and 'off'."))
    board, piece, where = game.board, _piece(design, name), last[:12]
    if last not in board.places:
        raise StudioError(tr("The board has no cell {cell!r}.", cell=where))
    if turn.startswith("f") and not design.parameters.reflections:
        raise StudioError(tr("Piece {name} cannot be flipped: this puzzle does not allow it.", name=name))
    mask = _held(design.set[piece].mask, turn)
    row, column = board.places[last]
    cells = bits(board, mask, row, column - int(mask[0].argmax()))
    if not cells:
        raise StudioError(tr("Piece {name} does not fit on the board at {cell}.", name=name, cell=where))
    if game.placed.get(piece) == cells:
        raise StudioError(tr("Piece {name} is already there.", name=name))
    rest = {other: own for other, own in game.placed.items() if other != piece}
    if cells & game.taken(piece):
        others = [design.set[other].name for other, own in rest.items() if own & cells]
        opened = [label for label in game.open_cells if cells >> board.indices[label] & 1]
        why = (
            tr("piece {name} is in the way", name=others[0])
            if others
            else tr("it would cover {labels}", labels=opened[0])
        )
        raise StudioError(tr("Piece {name} cannot go to {cell}: {reason}.", name=name, cell=where, reason=why))
    return replace(game.with_mask(piece, lying(board, cells)[0]), placed=rest | {piece: cells})


def _piece(design: CalendarDesign, name: str) -> int:
    for number, piece in enumerate(design.set):
        if piece.name == name:
            return number
    raise StudioError(tr("There is no piece {name!r}.", name=name[:40]))


def _held(mask: Mask, turn: str) -> Mask:
    """A piece as a turn has it."""
    quarters = int(turn.removeprefix("f")) // 90
    return np.rot90(flipped(mask) if turn.startswith("f") else mask, -quarters)


def placed_text(design: CalendarDesign, piece: int, cells: int) -> str:
    """The move that places a piece on the cells of a placement, with the first turn in which it looks so."""
    board, own = design.layout, design.set[piece]
    turn = turn_of(own.mask, lying(board, cells)[0])
    return f"{own.name} {turn} {board.names[next(iter(members(cells)))]}"


def turn_of(own: Mask, placed: Mask) -> str:
    """The first turn in which a piece looks as it is placed."""
    return next(turn for turn in TURNS if np.array_equal(_held(own, turn), placed))


def off_text(design: CalendarDesign, piece: int) -> str:
    """The move that removes a piece."""
    return f"{design.set[piece].name} {OFF}"


def tally(_design: CalendarDesign, game: Game) -> str:
    """The number of placed pieces."""
    count = len(game.placed)
    return tr("{count} of {pieces} placed", count=count, pieces=many(len(game.masks), "piece"))


def sketch(design: CalendarDesign, game: Game) -> str:
    """The board in letters: the piece's name on every covered cell, a dot on bare ones, + on open cells."""
    on = {cell: design.set[piece].name for piece, cells in game.placed.items() for cell in members(cells)}
    on |= {game.board.indices[name]: "+" for name in game.open_cells}
    width = max(map(len, on.values()), default=1)
    rows, columns = game.board.mask.shape
    table = [[" " * width] * columns for _ in range(rows)]
    for cell, (row, column) in enumerate(game.board.places.values()):
        table[row][column] = f"{on.get(cell, '.'):{width}}"
    return "\n".join(" ".join(line).rstrip() for line in table)


def essentials(design: CalendarDesign) -> Any:
    """Cells, the groups of their labels, and the pieces; texts, colours and lengths make no other game."""
    labels = [[label.name, label.group] for label in design.layout.labels]
    pieces = [[piece.name, *piece.rows] for piece in design.set]
    return [list(design.layout.rows), labels, pieces, design.parameters.reflections]


def carry(before: CalendarDesign, game: Game, design: CalendarDesign) -> Iterator[str]:
    """The moves that place unchanged pieces again in another design on the same cells, if they still fit."""
    if before.layout.rows != design.layout.rows:
        return
    numbers = {piece.name: number for number, piece in enumerate(design.set)}
    names = {piece.name for piece in before.set}
    for was, cells in game.placed.items():
        old = before.set[was]
        renamed = was if was < len(design.set) and design.set[was].name not in names else None
        now = numbers.get(old.name, renamed)
        if now is None or design.set[now].rows != old.rows:
            continue
        if cells in placements(design.layout, design.set[now], design.parameters.reflections):
            yield placed_text(design, now, cells)


def hint(design: CalendarDesign, game: Game, progress: Progress) -> Hint:
    """A piece of a solution that fits the placed pieces; else the fewest pieces to remove, the last placed first."""
    placed = game.placed
    whole = completed(design, game.open_cells, placed, progress)
    if whole is not None:
        free = {piece: cells for piece, cells in whole.items() if piece not in placed}
        if not free:
            return Hint()
        piece = min(free, key=lambda each: free[each] & -free[each])
        return Hint(placed_text(design, piece, free[piece]), (design.set[piece].name,))
    order = list(placed)[::-1]
    for taken in [*([piece] for piece in order), *(order[:count] for count in range(2, len(order) + 1))]:
        rest = {piece: cells for piece, cells in placed.items() if piece not in taken}
        if completed(design, game.open_cells, rest, progress) is not None:
            names = tuple(design.set[piece].name for piece in taken)
            named = listed(tr("piece {name}", name=name) for name in names)
            return Hint("", names, tr("No solution fits the placed pieces. Remove {pieces}.", pieces=named))
    when = said(tuple(design.layout.on[name] for name in game.open_cells)) or tr("the whole board")
    return Hint(words=tr("{date} has no solution.", date=when))
