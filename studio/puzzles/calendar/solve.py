"""All ways in which the pieces cover the board but for the open cells of a moment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from studio.progress import Progress
from studio.puzzles.calendar.model import Board, CalendarDesign
from studio.puzzles.calendar.placing import placements

OPEN = -1
"""The entry of a cell that no piece covers."""
MOST_NODES = 50_000_000
NODES_A_STEP = 4096

Arrangement = NDArray[np.int8]
"""The number of the piece on every cell of the board, in the order of `Board.names`; OPEN where there is none."""


@dataclass(frozen=True, eq=False)
class Solutions:
    """The arrangements (s, cells) that were found; `complete` if there are no more; `nodes` steps were tried."""

    found: NDArray[np.int8]
    complete: bool
    nodes: int
    seconds: float


def solutions(
    design: CalendarDesign, open_cells: Sequence[str], progress: Progress, *, most: int | None = None
) -> Solutions:
    """All arrangements that leave just these cells (their names) open; raises Cancelled where nobody waits.

    A step fills the first empty cell, row by row, with each piece that fits there.
    """
    begin = perf_counter()
    board, pieces = design.layout, design.set
    everything = (1 << len(board.names)) - 1
    empty = everything
    for name in open_cells:
        empty &= ~(1 << board.indices[name])
    starts: list[list[tuple[int, int, int]]] = [[] for _ in board.names]
    for number, piece in enumerate(pieces):
        for cells in placements(board, piece, design.parameters.reflections):
            if cells & ~empty == 0:
                starts[(cells & -cells).bit_length() - 1].append((cells, 1 << number, number))
    found: list[list[tuple[int, int]]] = []
    laid: list[tuple[int, int]] = []
    nodes = 0
    stopped = False

    def fill(empty: int, used: int) -> None:
        nonlocal nodes, stopped
        if not empty:
            found.append(laid.copy())
            stopped = most is not None and len(found) >= most
            return
        for cells, bit, number in starts[(empty & -empty).bit_length() - 1]:
            if bit & used or cells & ~empty:
                continue
            nodes += 1
            if nodes % NODES_A_STEP == 0:
                progress.step(0.5, f"{len(found)} found, {nodes} steps")
                stopped = nodes >= MOST_NODES
            laid.append((cells, number))
            fill(empty ^ cells, used | bit)
            laid.pop()
            if stopped:
                return

    if sum(piece.area for piece in pieces) >= empty.bit_count():
        fill(empty, 0)
    table = np.full((len(found), len(board.names)), OPEN, np.int8)
    for row, each in zip(table, found, strict=True):
        for cells, number in each:
            row[[cell for cell in range(len(board.names)) if cells >> cell & 1]] = number
    return Solutions(table, not stopped, nodes, perf_counter() - begin)


@dataclass(frozen=True)
class Step:
    """A piece is laid on cells or taken up again; `solution` where the board is then full."""

    piece: int
    cells: int
    laid: bool
    solution: bool = False


Starts = list[list[tuple[int, int, int]]]


def _starts(design: CalendarDesign, open_cells: Sequence[str]) -> tuple[int, Starts]:
    board = design.layout
    empty = (1 << len(board.names)) - 1
    for name in open_cells:
        empty &= ~(1 << board.indices[name])
    starts: Starts = [[] for _ in board.names]
    for number, piece in enumerate(design.set):
        for cells in placements(board, piece, design.parameters.reflections):
            if cells & ~empty == 0:
                starts[(cells & -cells).bit_length() - 1].append((cells, 1 << number, number))
    return empty, starts


def steps(design: CalendarDesign, open_cells: Sequence[str]) -> Iterator[Step]:
    """The search, step by step."""
    empty, starts = _starts(design, open_cells)

    def fill(empty: int, used: int) -> Iterator[Step]:
        for cells, bit, number in starts[(empty & -empty).bit_length() - 1]:
            if bit & used or cells & ~empty:
                continue
            rest = empty ^ cells
            yield Step(number, cells, True, not rest)
            if rest:
                yield from fill(rest, used | bit)
            yield Step(number, cells, False)

    yield from fill(empty, 0)


def completed(
    design: CalendarDesign, open_cells: Sequence[str], lying: Mapping[int, int], progress: Progress
) -> dict[int, int] | None:
    """One solution that agrees with what lies, or None."""
    empty, starts = _starts(design, open_cells)
    used = 0
    for number, cells in lying.items():
        if cells & ~empty:
            return None
        empty ^= cells
        used |= 1 << number

    def fill(empty: int, used: int) -> dict[int, int] | None:
        if not empty:
            return {}
        progress.step(0.5)
        for cells, bit, number in starts[(empty & -empty).bit_length() - 1]:
            if bit & used or cells & ~empty:
                continue
            rest = fill(empty ^ cells, used | bit)
            if rest is not None:
                return {number: cells} | rest
        return None

    rest = fill(empty, used)
    return None if rest is None else dict(lying) | rest


def twins(board: Board, found: NDArray[np.int8]) -> NDArray[np.int64]:
    """For each arrangement itself."""
    return np.arange(len(found), dtype=np.int64)
