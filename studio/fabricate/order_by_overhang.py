"""The order for any drawing: no cut loose first, then as little as can be hanging out, then the least travel.

Many orders are made: pieces cut out lane by lane, lines that run straight on, and on grids the snakes. The most
promising are improved by small moves with a fixed amount of work, so the same drawing always gets the same plan.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from studio.base.progress import Progress
from studio.base.texts import tr
from studio.fabricate.loose_pieces import release
from studio.fabricate.network import Network
from studio.fabricate.order_along_lines import trails
from studio.fabricate.order_piece_by_piece import linked, sweeps
from studio.fabricate.order_rows_columns import Run, fans, snake, travel
from studio.fabricate.order_search import Search
from studio.geometry.planar.drawing import Operation

FAR = 1.5
"""A plan with more travel than this multiple of the lower bound is not preferred for less overhang."""
PROMISING = 2.2
"""What the search can bring below `FAR`, in lower bounds."""
LOOKS = 450
"""Places looked at for each cut, in search of a better order of the most promising one."""
AGAIN = 150
"""The same for every other one."""
MOST = 800_000
"""Places looked at for all cuts together at most; a look takes some 1.4 µs."""
ENOUGH = 1.03
"""Lower bounds of travel below which nothing better is sought."""
TRIES = 4
"""The largest number of orders that are improved."""
STRAIGHT = 3
"""Orders along straight lines that are looked at, those with the least travel."""


@dataclass(frozen=True)
class _Order:
    """An order of the inner cuts and its figures."""

    runs: list[Run]
    loose: int
    reach: int
    travel: float

    def worth(self, bound: float, far: float) -> tuple[bool, bool, int, float]:
        """Less is better."""
        return self.loose > 0, self.travel > far * bound, self.reach, self.travel


def release_aware(network: Network, grid: list[list[Run]] | None, bound: float, progress: Progress) -> list[Run]:
    """The runs of the inner cuts; `bound` is the least travel that they can have, in mm."""
    if not len(network.inner):
        return []
    orders = []
    found = sweeps(network, progress.part(0.0, 0.1))
    for number, runs in enumerate(found):
        progress.step(0.1 + 0.1 * number / len(found), tr("Comparing orders"))
        orders.append(_order(network, runs))
    straight = [snake(network, grid), *fans(network, grid)] if grid is not None else trails(network)
    straight.sort(key=lambda runs: travel(network, runs))
    for number, runs in enumerate(straight[:STRAIGHT]):
        part = progress.part(0.2 + 0.1 * number / STRAIGHT, 0.2 + 0.1 * (number + 1) / STRAIGHT)
        orders.append(_fixed(network, _order(network, runs), part))
    orders.sort(key=lambda order: order.worth(bound, PROMISING))
    best = min(orders, key=lambda order: order.worth(bound, FAR))
    tried: set[int] = set()
    for order in orders:
        # Of orders that hang out equally far the one with the least travel is the most promising.
        if len(tried) == TRIES or best.worth(bound, FAR) <= (False, False, order.reach, 0.0):
            break
        if order.reach in tried:
            continue
        part = progress.part(0.3 + 0.7 * len(tried) / TRIES, 0.3 + 0.7 * (len(tried) + 1) / TRIES)
        looks = min((AGAIN if tried else LOOKS) * len(network.inner), MOST)
        better = _improved(network, order, looks, ENOUGH * bound, part)
        tried.add(order.reach)
        best = min(best, better, key=lambda order: order.worth(bound, FAR))
    return best.runs


def _order(network: Network, runs: list[Run]) -> _Order:
    runs = linked(network, runs)
    inner = np.array([code for run in runs for code in run], np.int64) >> 1
    border = network.strokes_of(Operation.BORDER)
    let_go = release(network, np.concatenate([inner, border]), len(inner))
    return _Order(runs, int((let_go.loose < len(inner)).sum()), let_go.reach, travel(network, runs))


def _fixed(network: Network, order: _Order, progress: Progress) -> _Order:
    """The order with loose cuts made sooner, if it has any."""
    if not order.loose:
        return order
    return _order(network, _apart(Search(network, order.runs, lambda codes: True).without_loose_cuts(progress)))


def _improved(network: Network, order: _Order, looks: int, enough: float, progress: Progress) -> _Order:
    """The order with less travel, and no piece hanging out farther than any did before."""
    if order.loose:
        return order
    border = network.strokes_of(Operation.BORDER)

    def hangs_well(codes: Run) -> bool:
        cuts = np.concatenate([np.array(codes, np.int64) >> 1, border])
        return release(network, cuts, len(codes)).reach <= order.reach

    return _order(network, _apart(Search(network, order.runs, hangs_well).improve(looks, enough, progress)))


def _apart(codes: Run) -> list[Run]:
    return [[code] for code in codes]
