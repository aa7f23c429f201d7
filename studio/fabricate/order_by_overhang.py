"""Cutting order for any drawing in which pieces overhang little and no cut comes loose early.

Many orders are tried: pieces cut out lane by lane, lines that run straight on, and on grids the snakes. The most
promising are improved by small moves with a fixed amount of work, so the same drawing always gets the same plan.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import hypot

import numpy as np

from studio.base.progress import Progress
from studio.base.texts import tr
from studio.fabricate.cut_network import Network
from studio.fabricate.cutting_orders import Run, backwards, fans, linked, snake, sweeps, travel
from studio.fabricate.order_search import Search
from studio.geometry.curves.strokes import Ints, offsets
from studio.geometry.planar.drawing import Operation

# Release of pieces by cuts


@dataclass(frozen=True, eq=False)
class Release:
    """Release of pieces by an order of cuts; `freed_by` holds the index of the cut that frees each piece, or -1.

    `loose` holds the cuts made in loose wood, `largest` the most pieces freed at once, `reach` the longest overhang.
    """

    freed_by: Ints
    loose: Ints
    largest: int
    reach: int


def release(network: Network, cuts: Ints, inner: int) -> Release:
    """Find the release by cuts, strokes in order; the first `inner` of them are made while the border holds.

    Computed backwards: from the fully cut board, cuts are healed one after another. Distances to the frame then never
    grow, so only regions that came nearer are updated. A piece overhangs farthest just before it is freed, which is the
    first moment, backwards, in which it is held, so the reach is exact.
    """
    far = network.region_count
    away = [far] * network.region_count
    away[network.frame] = 0
    near: list[list[int]] = [[] for _ in away]
    held: list[int] = []

    def heal(here: int, there: int) -> None:
        """Connect two regions, and collect in `held` the regions that hang on the frame again."""
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


# Orders along lines that run straight on, for boards that are nearly grids: outlines, whimsies, merged pieces.
# trail: inner cuts that run straight on at every node, as far as they can. Trails of one direction are cut first,
# from one end of the board to the other, to and fro, then the trails across them. If a piece would be loose too early,
# its cut is made sooner.


def trails(network: Network) -> list[list[Run]]:
    """Orders of the inner cuts along trails; their cuts may be loose."""
    # Collect all inner cuts in trails, each as long as possible.
    following = _following(network)
    used: set[int] = set()
    lines: list[Run] = []
    for stroke in network.inner.tolist():
        if stroke in used:
            continue
        used.add(stroke)
        onwards = _followed(following, 2 * stroke, used)
        back = _followed(following, 2 * stroke + 1, used)
        lines.append([*backwards(back), 2 * stroke, *onwards])
    firsts, lasts = (np.array([line[at] for line in lines], np.int64) for at in (0, -1))
    ends = np.stack([network.begin(firsts), network.end(lasts)], 1)
    tips = network.nodes[ends].tolist()
    way = network.nodes[ends[:, 1]] - network.nodes[ends[:, 0]]
    starts = offsets(np.array([len(line) for line in lines], np.int64))
    codes = np.array([code for line in lines for code in line], np.int64)
    middles = network.nodes[network.ends[codes >> 1]].mean(axis=1)
    centres = np.add.reduceat(middles, starts[:-1], axis=0) / np.diff(starts)[:, None]
    upright = np.abs(way[:, 1]) > np.abs(way[:, 0])
    rings = ends[:, 0] == ends[:, 1]
    families = [np.flatnonzero(rings), np.flatnonzero(~rings & ~upright), np.flatnonzero(~rings & upright)]
    found = []
    for first, down, right in product((1, 2), (1, -1), (1, -1)):
        order = families[0].tolist()
        for family, turn in ((first, down), (3 - first, right)):
            across = centres[families[family], 2 - family]
            order += families[family][np.argsort(turn * across, kind="stable")].tolist()
        found.append(_to_and_fro([(lines[at], *tips[at]) for at in order]))
    return found


def _to_and_fro(lines: list[tuple[Run, list[float], list[float]]]) -> list[Run]:
    """Direct lines in this order, each from its nearer end; lines come with the places of both ends in mm."""
    result: list[Run] = []
    at: list[float] | None = None
    for line, begin, end in lines:
        turned = at is not None and hypot(end[0] - at[0], end[1] - at[1]) < hypot(begin[0] - at[0], begin[1] - at[1])
        result.append(backwards(line) if turned else line)
        at = begin if turned else end
    return result


def _followed(following: dict[int, int], code: int, used: set[int]) -> Run:
    """Follow codes that run straight on, up to a used cut, and mark them as used."""
    line: Run = []
    while code in following and following[code] >> 1 not in used:
        code = following[code]
        used.add(code >> 1)
        line.append(code)
    return line


def _following(network: Network) -> dict[int, int]:
    """Code that runs straight on from each code: at every node, pairs with the least turn, each cut in one pair."""
    inner = network.inner
    codes: Ints = np.concatenate([2 * inner, 2 * inner + 1])
    polylines = network.polylines
    leaving: dict[int, list[tuple[int, float]]] = {}
    begins = network.begin(codes).tolist()
    for code, node in zip(codes.tolist(), begins, strict=True):
        line = polylines[code >> 1]
        here, there = (line[-1], line[-2]) if code & 1 else (line[0], line[1])
        leaving.setdefault(node, []).append((code, float(np.arctan2(there[1] - here[1], there[0] - here[0]))))
    following: dict[int, int] = {}
    for ways in leaving.values():
        pairs = sorted(
            (abs(abs((one[1] - other[1] + np.pi) % (2 * np.pi) - np.pi) - np.pi), one[0], other[0])
            for number, one in enumerate(ways)
            for other in ways[:number]
        )
        paired: set[int] = set()
        for turn, one, two in pairs:
            if turn < np.pi / 3 and one not in paired and two not in paired:
                paired |= {one, two}
                following[one ^ 1] = two
                following[two ^ 1] = one
    return following


FAR = 1.5
"""Travel, in lower bounds, above which an order is not preferred for less overhang."""
PROMISING = 2.2
"""Travel, in lower bounds, that the search can bring below `FAR`."""
LOOKS = 450
"""Places tried for each cut to improve the most promising order."""
AGAIN = 150
"""Places tried for each cut to improve any other order."""
MOST = 800_000
"""Most places tried for all cuts together; a try takes about 1.4 µs."""
ENOUGH = 1.03
"""Travel, in lower bounds, below which the search stops."""
TRIES = 4
"""Most orders that are improved."""
STRAIGHT = 3
"""Number of orders along straight lines that are considered, by least travel."""


@dataclass(frozen=True)
class _Order:
    """An order of the inner cuts and its figures."""

    runs: list[Run]
    loose: int
    reach: int
    travel: float

    def worth(self, bound: float, far: float) -> tuple[bool, bool, int, float]:
        """Sort key of an order: less is better."""
        return self.loose > 0, self.travel > far * bound, self.reach, self.travel


def release_aware(network: Network, grid: list[list[Run]] | None, bound: float, progress: Progress) -> list[Run]:
    """Order the inner cuts in runs; `bound` is the least possible travel in mm."""
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
        order = _order(network, runs)
        if order.loose:
            search = Search(network, order.runs, lambda codes: True)
            order = _order(network, _apart(search.without_loose_cuts(part)))
        orders.append(order)
    orders.sort(key=lambda order: order.worth(bound, PROMISING))
    best = min(orders, key=lambda order: order.worth(bound, FAR))
    tried: set[int] = set()
    for order in orders:
        # Of orders with equal overhang, the order with the least travel is the most promising.
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


def _improved(network: Network, order: _Order, looks: int, enough: float, progress: Progress) -> _Order:
    """Reduce the travel of an order without more overhang."""
    if order.loose:
        return order
    border = network.strokes_of(Operation.BORDER)

    def hangs_well(codes: Run) -> bool:
        cuts = np.concatenate([np.array(codes, np.int64) >> 1, border])
        return release(network, cuts, len(codes)).reach <= order.reach

    return _order(network, _apart(Search(network, order.runs, hangs_well).improve(looks, enough, progress)))


def _apart(codes: Run) -> list[Run]:
    return [[code] for code in codes]
