"""Where the pieces of a jigsaw are at the start of a game: in rows around an empty middle as large as the board."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from studio.base.chance import uniform
from studio.geometry.curves.strokes import Floats, Ints

PROPORTION = 1.6
"""Width of a table by its height, about that of a window."""
AIR = 0.12
"""Between pieces, as a fraction of a usual one."""
USUAL = 90
"""The percentile of the pieces' extents that rows are made for; larger pieces have rows of their own."""
HALVINGS = 14
"""How often the range of possible widths of the table is halved."""


class Scatter(NamedTuple):
    """The middles (n, 2) of scattered pieces, and the box of the table: left, top, width and height in mm."""

    middles: Floats
    box: tuple[float, float, float, float]


def scattered(extents: Floats, board: tuple[float, float], seed: int) -> Scatter:
    """Pieces of some extents (n, 2) in mm around a board of a width and height, whose corner is 0, 0."""
    count = len(extents)
    air = AIR * float(np.sqrt(np.median(extents.prod(axis=1))))
    usual = float(np.percentile(extents[:, 1], USUAL)) * 1.001
    order = np.argsort(uniform(seed, np.arange(count), "scatter"), kind="stable")
    large = extents[order, 1] > usual
    order = np.concatenate([order[large][np.argsort(-extents[order[large], 1], kind="stable")], order[~large]])
    room = extents + air
    hole = np.array(board) + 2 * air
    # Wide enough for the largest piece beside the board, as it would never find a place otherwise.
    narrow = float(max(hole[0] + 2 * room[:, 0].max(), PROPORTION * hole[1]))
    wide = narrow
    while _rows(order, room, usual + air, hole, wide) is None:
        wide *= 1.5
    for _ in range(HALVINGS):
        between = (narrow + wide) / 2
        narrow, wide = (narrow, between) if _rows(order, room, usual + air, hole, between) else (between, wide)
    rows = _rows(order, room, usual + air, hole, wide)
    assert rows is not None
    middles = _spread(rows, room, air, seed)
    height = wide / PROPORTION
    left, top = (board[0] - wide) / 2, (board[1] - height) / 2
    return Scatter(np.round(middles + np.array([left, top]), 2), (left, top, wide, height))


class _Run(NamedTuple):
    """Pieces side by side: where the run begins and ends, and its top and height."""

    pieces: list[int]
    begin: float
    end: float
    top: float
    height: float


def _rows(order: Ints, room: Floats, usual: float, hole: Floats, wide: float) -> list[_Run] | None:
    """All pieces in runs on a table of a width, around the hole in its middle; None where there is not room enough."""
    height = wide / PROPORTION
    left, right = (wide - hole[0]) / 2, (wide + hole[0]) / 2
    above, below = (height - hole[1]) / 2, (height + hole[1]) / 2
    waiting = order.tolist()[::-1]
    sizes = room.tolist()
    runs, top = [], 0.0
    while waiting:
        row = max(usual, sizes[waiting[-1]][1])
        if top + row > height:
            return None
        is_beside = top < below and top + row > above
        for begin, end in ((0.0, left), (right, wide)) if is_beside else ((0.0, wide),):
            run, at = [], begin
            while waiting and at + sizes[waiting[-1]][0] <= end:
                at += sizes[waiting[-1]][0]
                run.append(waiting.pop())
            if run:
                runs.append(_Run(run, begin, end, top, row))
        top += row
    return runs


def _spread(runs: list[_Run], room: Floats, air: float, seed: int) -> Floats:
    """The middles (n, 2) of the pieces of runs, the room that is left spread between them by chance."""
    middles = np.empty((len(room), 2))
    for run in runs:
        which = np.array(run.pieces)
        widths, heights = room[which].T
        gaps = uniform(seed, np.append(which, len(room) + which[0]), "gap") + 0.2
        gaps *= (run.end - run.begin - widths.sum()) / gaps.sum()
        middles[which, 0] = run.begin + np.cumsum(gaps)[:-1] + np.cumsum(widths) - widths / 2
        free = run.height - heights
        middles[which, 1] = run.top + heights / 2 + free * uniform(seed, which, "height")
    return middles
