"""Orders for any drawing: piece after piece is cut out, and what is left always hangs on the frame.

finishing a piece: cutting all of its outline that is not yet cut. If what is left of the board hangs on the frame after
every finished piece, no cut is ever loose and pieces fall one at a time. Computed backwards that is growth: every piece
put back touches the frame or a piece that is already there. So an order is made by growing, as near to a wanted order
as touching allows. lane: a strip across the board; pieces are wanted lane after lane, to and fro.
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import product
from math import hypot

import numpy as np

from studio.base.progress import Progress
from studio.base.texts import tr
from studio.fabricate.network import Network
from studio.fabricate.order_rows_columns import Run, backwards
from studio.geometry.curves.strokes import Floats, Ints, totals

WIDTHS = (0.7, 0.85, 1.0, 1.2)
"""Widths of lanes that are tried, in widths of a piece."""


def sweeps(network: Network, progress: Progress) -> list[list[Run]]:
    """The inner cuts, lane after lane, in several directions and widths."""
    regions = _Regions(network)
    centres = regions.centres
    areas = np.abs(network.drawing.areas(network.polylines.sweeps))
    size = float(np.sqrt(areas.mean())) if areas.any() else 1.0
    found = []
    ways = list(product((0, 1), WIDTHS, (1, -1), (1, -1)))
    for number, (axis, width, down, right) in enumerate(ways):
        progress.step(number / len(ways), tr("Sweeping the board"))
        lane = np.floor(down * centres[:, 1 - axis] / (width * size))
        lane -= lane.min(initial=0)
        wanted = np.lexsort((right * np.where(lane % 2, -1, 1) * centres[:, axis], lane))
        found.append(regions.cut_out(regions.grown(wanted)))
    return found


class _Regions:
    """The regions that inner cuts part, and what is cut along each."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.frame = network.frame
        sides = network.sides.tolist()
        self._sides = sides
        self._touching: list[set[int]] = [set() for _ in range(network.region_count)]
        for here, there in sides:
            self._touching[here].add(there)
            self._touching[there].add(here)
        inner = np.zeros(len(sides), bool)
        inner[network.inner] = True
        self._outlines: list[list[int]] = [[] for _ in self._touching]
        pieces = network.drawing.pieces
        for piece in range(len(pieces)):
            codes = pieces.codes[pieces.starts[piece] : pieces.starts[piece + 1]]
            self._outlines[piece] = codes[inner[codes >> 1]].tolist()
        named = {code >> 1 for outline in self._outlines for code in outline}
        self.first: list[int] = []
        for stroke in network.inner.tolist():
            if stroke not in named:
                region = sides[stroke][0]
                if region == self.frame:
                    self.first.append(2 * stroke)
                else:
                    self._outlines[region].append(2 * stroke)
        # An island or a piece around a whimsy is finished along strokes that other outlines name.
        for outline_of in range(len(pieces)):
            for code in list(self._outlines[outline_of]):
                other = sides[code >> 1][1 - (code & 1)]
                if other != self.frame and code ^ 1 not in self._outlines[other]:
                    self._outlines[other].append(code ^ 1)
        self._begin = network.begin(np.arange(2 * len(sides))).tolist()
        self._end = network.end(np.arange(2 * len(sides))).tolist()
        self._nodes = network.nodes.tolist()

    @property
    def centres(self) -> Floats:
        """The position of each region: the middle of the ends of its strokes, (n, 2) mm."""
        network = self.network
        ends = network.nodes[network.ends].mean(axis=1)
        owners = network.sides.ravel()
        counts = np.maximum(np.bincount(owners, minlength=network.region_count), 1)
        at = np.repeat(ends, 2, axis=0)
        return np.stack([totals(owners, at[:, i], network.region_count) / counts for i in (0, 1)], 1)

    def grown(self, wanted: Ints) -> list[int]:
        """All regions but the frame in an order of finishing as near to the wanted one as safe."""
        rank = np.empty(len(wanted), np.int64)
        rank[wanted] = np.arange(len(wanted))[::-1]
        ranks = rank.tolist()
        there = [False] * len(ranks)
        there[self.frame] = True
        heap: list[tuple[int, int]] = []
        waiting = set(self._touching[self.frame])
        for region in waiting:
            heappush(heap, (ranks[region], region))
        order = []
        while heap:
            _, region = heappop(heap)
            if there[region]:
                continue
            there[region] = True
            order.append(region)
            for other in self._touching[region]:
                if not there[other] and other not in waiting:
                    waiting.add(other)
                    heappush(heap, (ranks[other], other))
        missing = [region for region in reversed(range(len(ranks))) if not there[region]]
        return [*missing, *reversed(order)]

    def cut_out(self, order: list[int]) -> list[Run]:
        """The inner cuts, finishing regions in this order."""
        cut: set[int] = set()
        groups: list[list[Run]] = [[[code] for code in self.first]] if self.first else []
        for region in order:
            runs = self._runs(region, cut)
            if runs:
                groups.append(runs)
                cut.update(code >> 1 for run in runs for code in run)
        return self._directed(groups)

    def _runs(self, region: int, cut: set[int]) -> list[Run]:
        """What is not yet cut of a region's outline, in unbroken runs."""
        begin, end = self._begin, self._end
        runs: list[Run] = []
        for code in self._outlines[region]:
            if code >> 1 in cut:
                continue
            if runs and end[runs[-1][-1]] == begin[code]:
                runs[-1].append(code)
            else:
                runs.append([code])
        if len(runs) > 1 and end[runs[-1][-1]] == begin[runs[0][0]]:
            runs[0] = runs.pop() + runs[0]
        return runs

    def _directed(self, groups: list[list[Run]]) -> list[Run]:
        """The runs of all parts in order, each the way round that makes for the least travel."""
        runs = [run for group in groups for run in group]
        begin, end = self._begin, self._end
        nodes: list[list[float]] = self._nodes

        def way(one: int, other: int) -> float:
            x, y = nodes[one]
            u, v = nodes[other]
            return hypot(x - u, y - v)

        costs = (0.0, 0.0)
        backs: list[tuple[int, int]] = []
        tips = [(begin[run[0]], end[run[-1]]) for run in runs]
        for number in range(1, len(runs)):
            first, last = tips[number - 1]
            start, stop = tips[number]
            forwards = (costs[0] + way(last, start), costs[1] + way(first, start))
            reverse = (costs[0] + way(last, stop), costs[1] + way(first, stop))
            backs.append((int(forwards[1] < forwards[0]), int(reverse[1] < reverse[0])))
            costs = (min(forwards), min(reverse))
        turned = int(costs[1] < costs[0])
        result = []
        for number in range(len(runs) - 1, -1, -1):
            result.append(backwards(runs[number]) if turned else runs[number])
            if number:
                turned = backs[number - 1][turned]
        return linked(self.network, result[::-1])


def linked(network: Network, runs: list[Run]) -> list[Run]:
    """The runs, with those that meet end to begin made one."""
    result: list[Run] = []
    begins = network.begin(np.array([run[0] for run in runs], np.int64)).tolist()
    ends = network.end(np.array([run[-1] for run in runs], np.int64)).tolist()
    for number, run in enumerate(runs):
        if number and ends[number - 1] == begins[number]:
            result[-1] = result[-1] + run
        else:
            result.append(list(run))
    return result
