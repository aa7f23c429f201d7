"""Colouring pieces so that neighbours differ."""

from __future__ import annotations

import numpy as np

from studio.geometry.curves.strokes import Ints
from studio.geometry.planar.drawing import Pieces


def tints(pieces: Pieces, count: int) -> Ints:
    """A tint from 0 to `count` - 1 for every piece, in which pieces that share a stroke differ where that can be had.

    Greedy in the order of the pieces; each begins its search at another tint, so that all are used alike.
    """
    strokes = pieces.codes >> 1
    order = np.argsort(strokes, kind="stable")
    same = strokes[order][1:] == strokes[order][:-1]
    owners = pieces.owners[order]
    neighbours: list[list[int]] = [[] for _ in range(len(pieces))]
    for one, other in zip(owners[:-1][same].tolist(), owners[1:][same].tolist(), strict=True):
        neighbours[one].append(other)
        neighbours[other].append(one)
    result = [-1] * len(pieces)
    for piece in range(len(pieces)):
        taken = {result[other] for other in neighbours[piece]}
        first = piece * 5 // 3 % count
        free = (tint % count for tint in range(first, first + count) if tint % count not in taken)
        result[piece] = next(free, first)
    return np.array(result, np.int64)
