"""All ways in which the pieces cover the board but for the open cells of a moment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from studio.progress import Progress
from studio.puzzles.calendar.model import CalendarDesign
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
