"""Random loops: grown so that they wind through all cells, or folded in from the rim.

inside: of every cell whether the loop encloses it, and at last False for the outside. gain: how many edges longer the
loop becomes when a cell changes sides. ratio: the edges of the loop for each cell that it encloses.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from heapq import heappop, heappush

import numpy as np

from studio.base.chance import uniform
from studio.base.progress import Progress
from studio.solving.net import Net

AHEAD = 0.6
"""How often a fold goes on where the last one ended, so that folds reach the middle of a large board."""
STEPS_TOLD = 64


def filled(net: Net, allowed: Collection[int]) -> list[bool]:
    """The inside of a loop round as many of some cells as it can enclose; of several parts the largest."""
    left, best = {*allowed}, [False] * (net.outside + 1)
    while left:
        inside = [False] * (net.outside + 1)
        first = min(left)
        inside[first] = True
        todo = [first]
        for cell in todo:
            for other in net.rings[cell]:
                if other in left and not inside[other] and net.can_flip(inside, other):
                    inside[other] = True
                    todo.append(other)
        left -= {*todo}
        if len(todo) > sum(best):
            best = inside
    return best


def wound(net: Net, allowed: Collection[int], seed: int, progress: Progress) -> list[bool]:
    """The inside of a long loop through some cells: grown cell by cell, those first that make the loop the longest."""
    inside = [False] * (net.outside + 1)
    cells = np.array(sorted(allowed), np.int64)
    if not len(cells):
        return inside
    ranks = dict(zip(cells.tolist(), uniform(seed, cells, "wind").tolist(), strict=True))
    first = min(ranks, key=ranks.__getitem__)
    inside[first] = True
    waiting: list[tuple[int, float, int]] = []
    _queue(net, inside, ranks, net.rings[first], waiting)
    for step in range(len(cells) * net.outside):
        if step % STEPS_TOLD == 0:
            progress.step(min(step / (4 * len(cells)), 1.0))
        if not waiting:
            break
        loss, _, cell = heappop(waiting)
        gain = _gain(net, inside, cell)
        if inside[cell] or gain < 0 or not net.can_flip(inside, cell):
            continue
        if gain < -loss:
            _queue(net, inside, ranks, [cell], waiting)
            continue
        inside[cell] = True
        _queue(net, inside, ranks, net.rings[cell], waiting)
    return inside


def _queue(
    net: Net,
    inside: Sequence[bool],
    ranks: dict[int, float],
    cells: Collection[int],
    waiting: list[tuple[int, float, int]],
) -> None:
    for cell in cells:
        if cell in ranks and not inside[cell]:
            heappush(waiting, (-_gain(net, inside, cell), ranks[cell], cell))


def folded(net: Net, allowed: Collection[int], seed: int, ratio: float, least: float, progress: Progress) -> list[bool]:
    """The inside of a loop round some cells, folded in until it has a ratio or encloses only a share of these cells.

    Cells that make the loop the longest are folded in first, and a fold mostly goes on where it is.
    """
    inside = filled(net, allowed)
    area, length = sum(inside), len(net.line(inside[:-1]))
    floor = max(least * area, 1.0)
    rim = [cell for cell in range(net.outside) if inside[cell] and not all(inside[other] for other in net.near[cell])]
    last: list[int] = []
    step = 0
    while length < ratio * area and area - 1 >= floor:
        numbers = uniform(seed, np.array([2 * step, 2 * step + 1]), "fold")
        step += 1
        if step % STEPS_TOLD == 0:
            progress.step(min((length / area) / ratio, 1.0))
        choices = _best(net, inside, last, 1) if numbers[0] < AHEAD else []
        if not choices:
            rim = [cell for cell in rim if inside[cell]]
            choices = _best(net, inside, rim, 0)
        if not choices:
            break
        cell = choices[int(numbers[1] * len(choices))]
        length += _gain(net, inside, cell)
        area -= 1
        inside[cell] = False
        last = [other for other in net.near[cell] if inside[other]]
        rim += [other for other in last if other not in rim]
    return inside


def _best(net: Net, inside: Sequence[bool], cells: Collection[int], least: int) -> list[int]:
    """The cells that make the loop longest when they are folded in, of those with a least gain."""
    best = least
    found: list[int] = []
    for cell in cells:
        gain = _gain(net, inside, cell)
        if gain >= best and net.can_flip(inside, cell):
            if gain > best:
                best, found = gain, []
            found.append(cell)
    return found


def _gain(net: Net, inside: Sequence[bool], cell: int) -> int:
    here = inside[cell]
    near = net.near[cell]
    return 2 * sum(inside[other] == here for other in near) - len(near)
