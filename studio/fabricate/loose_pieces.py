"""What comes loose when: the piece that each cut frees, cuts into loose wood, and how far what is left hangs out.

loose cut: a cut whose wood on both sides is already free of the frame. reach: over how many pieces, counted from the
frame, what is not yet cut still hangs together at its longest; a piece at the rim counts one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from studio.fabricate.network import Network
from studio.geometry.curves.strokes import Ints


@dataclass(frozen=True, eq=False)
class Release:
    """What an order of cuts lets go; `freed_by` has for each piece the cut that frees it, -1 where none does."""

    freed_by: Ints
    loose: Ints
    largest: int
    reach: int


def release(network: Network, cuts: Ints, inner: int) -> Release:
    """What the cuts, strokes in their order, let go; the first `inner` of them are made while the border holds.

    Computed backwards: from the fully cut board, one cut after another is healed. Then nothing ever moves away from the
    frame, so each piece's distance is kept up to date by looking at what came nearer alone; and as a piece hangs
    farthest out in the moment before it is freed, which is the first in which it is held at all, the reach is exact.
    """
    far = network.region_count
    away = [far] * network.region_count
    away[network.frame] = 0
    near: list[list[int]] = [[] for _ in away]
    held: list[int] = []

    def heal(here: int, there: int) -> None:
        """Let two regions hang together, and collect in `held` what thereby hangs on the frame again."""
        near[here].append(there)
        near[there].append(here)
        if -1 <= away[here] - away[there] <= 1:
            return
        nearer = [here if away[here] < away[there] else there]
        for region in nearer:
            reached = away[region] + 1
            for other in near[region]:
                if away[other] > reached:
                    if away[other] == far:
                        held.append(other)
                    away[other] = reached
                    nearer.append(other)

    uncut = np.ones(len(network.sides), bool)
    uncut[cuts] = False
    outlined = network.drawing.pieces.codes >> 1
    for here, there in network.sides[outlined[uncut[outlined]]].tolist():
        heal(here, there)
    freed_by = np.full(network.region_count, -1, np.int64)
    loose, largest, reach = [], 0, 0
    sides = network.sides[cuts].tolist()
    for at in range(len(sides) - 1, -2, -1):
        if at == inner - 1:
            reach = max((distance for distance in away[: network.frame] if distance < far), default=0)
        if at < 0:
            break
        held.clear()
        heal(*sides[at])
        if away[sides[at][0]] == far:
            loose.append(at)
        elif held:
            freed_by[held] = at
            pieces = [away[region] for region in held if region < network.frame]
            largest = max(largest, len(pieces))
            if at < inner:
                reach = max([reach, *pieces])
    return Release(freed_by[: network.frame], np.array(loose[::-1], np.int64), largest, reach)
