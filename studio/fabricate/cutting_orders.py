"""Cutting orders: grids by rows and columns, any drawing piece by piece from a board that hangs on its frame, and lines
in any order.

finishing a piece: cutting the rest of its outline. If the rest of the board hangs on the frame after every finished
piece, no cut is ever loose and pieces fall one at a time. Computed backwards this is growth: every piece put back
touches the frame or a piece put back before. So an order is grown, as near to a wanted order as contact allows. lane: a
strip across the board; pieces are wanted lane after lane, to and fro.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from itertools import product
from math import hypot

import numpy as np

from studio.base.progress import Progress
from studio.base.texts import tr
from studio.fabricate.cut_network import Network, groups
from studio.geometry.curves.strokes import Floats, Ints, distinct, totals
from studio.geometry.planar.drawing import Chain

# Orders for grids.
#
# line: inner cuts that run straight on from frame to frame. family: lines that never meet each other, such as the rows.
# strip: the part of the board between neighbouring lines of a family. Orders do not depend on directions or places:
# corners may be dragged and tongues have any shape.

Run = list[int]
"""Codes along a line, in order."""


def families(network: Network) -> list[list[Run]] | None:
    """Find the lines of a grid, one or two families; None if the inner cuts are not a grid.

    A family's lines are in the order in which they divide the board, and run in the same direction.
    """
    lines = _lines(network)
    if not lines:
        return None
    colours = _colours(network, lines)
    if colours is None:
        return None
    found = []
    for colour in sorted(set(colours)):
        family = _in_order(network, [line for line, own in zip(lines, colours, strict=True) if own == colour])
        if family is None:
            return None
        found.append(family)
    return found


def snake(network: Network, grid: list[list[Run]]) -> list[Run]:
    """Cut a family to and fro, then the other, beginning so that travel is least."""
    return _shortest(network, [[_to_and_fro(family) for family in way] for way in _both_ways(grid)])


def low_sag(network: Network, grid: list[list[Run]]) -> list[Run]:
    """Cut a family as `snake` does, then the second from the middle to either end: strips overhang half as far."""
    first = snake(network, grid)[0]
    second = [family for family in grid if not _holds(family, first)] or grid
    return next(runs for runs in fans(network, grid) if _holds(second[0], runs[-1]))


def fans(network: Network, grid: list[list[Run]]) -> list[list[Run]]:
    """Cut a family to and fro, then the other from the middle to either end: the least travel for each choice."""
    found = []
    for way in _both_ways(grid):
        last = way[-1]
        versions = []
        # The first line of a fan halves the strips, nearly so if their number is odd.
        for middle in {(len(last) - 1) // 2, len(last) // 2}:
            for here, there in ((last[middle:], last[:middle][::-1]), (last[middle::-1], last[middle + 1 :])):
                versions += [one + other for one, other in product(_directed(here), _directed(there))]
        found.append(_shortest(network, [[*[_to_and_fro(family) for family in way[:-1]], versions]]))
    return found


def _lines(network: Network) -> list[Run] | None:
    """Lines of all inner cuts, each from frame to frame; None unless every cut is in exactly one line."""
    following = network.lines
    before = {after: code for code, after in following.items()}
    inner = network.inner
    on_frame = np.zeros(len(network.nodes), bool)
    rim = (network.sides == network.frame).any(axis=1)
    on_frame[network.ends[rim].ravel()] = True
    codes = np.concatenate([2 * inner, 2 * inner + 1])
    begins = codes[on_frame[network.begin(codes)]]
    lines: list[Run] = []
    used: set[int] = set()
    for code in begins.tolist():
        if code in before:
            return None
        if code >> 1 in used:
            continue
        line = [code]
        while line[-1] in following:
            line.append(following[line[-1]])
        strokes = {at >> 1 for at in line}
        if len(strokes) < len(line) or strokes & used or not on_frame[network.end(np.array(line[-1:]))[0]]:
            return None
        used |= strokes
        lines.append(line)
    return lines if len(used) == len(inner) else None


def _colours(network: Network, lines: list[Run]) -> list[int] | None:
    """Assign every line to family 0 or 1 so that lines that meet are in different families; None if impossible."""
    meeting: dict[int, list[int]] = {}
    for number, line in enumerate(lines):
        for node in network.begin(np.array(line[1:], np.int64)).tolist():
            meeting.setdefault(node, []).append(number)
    crossing: list[set[int]] = [set() for _ in lines]
    for numbers in meeting.values():
        if len(set(numbers)) < len(numbers):
            return None
        if len(numbers) > 1:
            for number in numbers:
                crossing[number].update(numbers)
    for number, others in enumerate(crossing):
        others.discard(number)
    colours = [-1] * len(lines)
    if not any(crossing):
        return [0] * len(lines)
    colours[0], stack = 0, [0]
    while stack:
        at = stack.pop()
        for other in crossing[at]:
            if colours[other] < 0:
                colours[other] = 1 - colours[at]
                stack.append(other)
            elif colours[other] == colours[at]:
                return None
    return None if -1 in colours else colours


def _in_order(network: Network, family: list[Run]) -> list[Run] | None:
    """Sort and direct the lines of a family as they divide the board into strips; None if the strips fork."""
    own = np.zeros(len(network.sides), bool)
    own[np.concatenate([np.array(line, np.int64) for line in family]) >> 1] = True
    joints = network.sides[network.inner[~own[network.inner]]]
    strip = groups(network.region_count, joints)
    beside: dict[int, list[tuple[int, int, Run]]] = {}
    for line in family:
        left = distinct(strip[[network.sides[code >> 1, code & 1] for code in line]])
        right = distinct(strip[[network.sides[code >> 1, 1 - (code & 1)] for code in line]])
        if len(left) != 1 or len(right) != 1 or left[0] == right[0]:
            return None
        beside.setdefault(int(left[0]), []).append((int(right[0]), int(left[0]), line))
        beside.setdefault(int(right[0]), []).append((int(left[0]), int(left[0]), line))
    tips = [at for at, lines in beside.items() if len(lines) == 1]
    if len(tips) != 2 or any(len(lines) > 2 for lines in beside.values()):
        return None
    ordered: list[Run] = []
    at, before = min(tips), -1
    while len(ordered) < len(family):
        steps = [step for step in beside[at] if step[0] != before]
        if len(steps) != 1:
            return None
        there, left_strip, line = steps[0]
        ordered.append(line if left_strip == at else backwards(line))
        at, before = there, at
    return ordered


def backwards(line: Run) -> Run:
    """Reverse a line."""
    return [code ^ 1 for code in reversed(line)]


def _directed(family: list[Run]) -> list[list[Run]]:
    """Direct the lines to and fro in this order, beginning in either direction."""
    return [
        [line if number % 2 == begun else backwards(line) for number, line in enumerate(family)] for begun in (0, 1)
    ]


def _to_and_fro(family: list[Run]) -> list[list[Run]]:
    """Four ways to run a family to and fro."""
    return _directed(family) + _directed(family[::-1])


def _both_ways(grid: list[list[Run]]) -> list[list[list[Run]]]:
    return [grid, grid[::-1]] if len(grid) > 1 else [grid]


def _holds(family: list[Run], line: Run) -> bool:
    return any(own in (line, backwards(line)) for own in family)


def _shortest(network: Network, ways: Iterable[list[list[list[Run]]]]) -> list[Run]:
    """Choose the way with the least travel; a way is a list of parts, and a part a list of alternative versions."""
    least, best = float("inf"), list[Run]()
    for parts in ways:
        for versions in product(*parts):
            lines = [line for version in versions for line in version]
            length = travel(network, lines)
            if length < least - 1e-9:
                least, best = length, lines
    return best


def travel(network: Network, runs: Iterable[Run]) -> float:
    """Total distance in mm from each run's end to the beginning of the next."""
    at = list(runs)
    ends = network.nodes[network.end(np.array([run[-1] for run in at[:-1]], np.int64))]
    begins: Floats = network.nodes[network.begin(np.array([run[0] for run in at[1:]], np.int64))]
    return float(np.hypot(*(begins - ends).T).sum())


WIDTHS = (0.7, 0.85, 1.0, 1.2)
"""Widths of lanes to try, in widths of a piece."""


def sweeps(network: Network, progress: Progress) -> list[list[Run]]:
    """Orders of the inner cuts, lane after lane, for several directions and widths of lanes."""
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
    """Regions between inner cuts, with the cuts along the outline of each."""

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
        """Position of each region: the mean of the ends of its strokes in mm, shape (n, 2)."""
        network = self.network
        ends = network.nodes[network.ends].mean(axis=1)
        owners = network.sides.ravel()
        counts = np.maximum(np.bincount(owners, minlength=network.region_count), 1)
        at = np.repeat(ends, 2, axis=0)
        return np.stack([totals(owners, at[:, i], network.region_count) / counts for i in (0, 1)], 1)

    def grown(self, wanted: Ints) -> list[int]:
        """Order all regions except the frame for finishing, as near to the wanted order as is safe."""
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
        """Order the inner cuts so that regions are finished in this order."""
        cut: set[int] = set()
        groups: list[list[Run]] = [[[code] for code in self.first]] if self.first else []
        for region in order:
            # Uncut parts of a region's outline, in unbroken runs.
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
            if runs:
                groups.append(runs)
                cut.update(code >> 1 for run in runs for code in run)
        return self._directed(groups)

    def _directed(self, groups: list[list[Run]]) -> list[Run]:
        """Direct the runs of all groups, in order, for the least travel."""
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
    """Join consecutive runs if the second begins at the end of the first."""
    result: list[Run] = []
    begins = network.begin(np.array([run[0] for run in runs], np.int64)).tolist()
    ends = network.end(np.array([run[-1] for run in runs], np.int64)).tolist()
    for number, run in enumerate(runs):
        if number and ends[number - 1] == begins[number]:
            result[-1] = result[-1] + run
        else:
            result.append(list(run))
    return result


# Lines that may be cut in any order: always the nearest next, without detours, each begun at its best entry.


ROUNDS = 12
"""Most passes over all chains in search of detours."""
LEAST = 1e-6
"""Gain in mm below which it is a rounding error."""


def nearest_next(network: Network, chains: Sequence[Chain], head: Floats | None) -> list[Chain]:
    """Order chains by always going on to the nearest; open chains begin at either end, closed chains at a start.

    `head` is the place in mm from which the head comes; without it, the first chain stays first.
    """
    waiting = list(chains)
    ordered: list[Chain] = []
    entries = [entries_of(network, chain) for chain in waiting]
    owners = np.repeat(np.arange(len(waiting)), [len(entry) for entry in entries])
    nodes = network.begin(np.concatenate(entries)) if entries else np.empty(0, np.int64)
    places = network.nodes[nodes]
    left = np.ones(len(owners), bool)
    first = np.searchsorted(owners, np.arange(len(waiting)))
    for _ in waiting:
        if head is None:
            at = 0
        else:
            away = np.where(left, (places[:, 0] - head[0]) ** 2 + (places[:, 1] - head[1]) ** 2, np.inf)
            at = int(away.argmin())
        number = int(owners[at])
        left[owners == number] = False
        chain = begun_with(waiting[number], int(entries[number][at - first[number]]))
        ordered.append(chain)
        head = network.nodes[network.end(chain.strokes[-1:])[0]]
    return ordered


def from_within(network: Network, chains: Sequence[Chain]) -> list[list[Chain]]:
    """Group chains in cutting order, so that chains inside a closed chain are cut before it."""
    import shapely

    closed = [at for at, chain in enumerate(chains) if chain.closed]
    if len(closed) < 2:
        return [list(chains)]
    lines = network.polylines
    rings = [
        np.concatenate([lines[code >> 1][:: -1 if code & 1 else 1] for code in chains[at].strokes]) for at in closed
    ]
    areas = shapely.polygons([shapely.linearrings(ring) for ring in rings])
    _inner, outer = shapely.STRtree(areas).query(areas, "within")
    # Each ring is within itself, too. Rings that hold most go last; rings that hold equally many are not nested.
    held = np.zeros(len(chains), np.int64)
    held[closed] = np.bincount(outer, minlength=len(closed)) - 1
    return [[chains[at] for at in np.flatnonzero(held == depth).tolist()] for depth in sorted(set(held.tolist()))]


def entries_of(network: Network, chain: Chain) -> Ints:
    """Codes with which a chain can begin: both directions of an open chain, the starts or all of a closed chain."""
    if chain.closed:
        starts = [code for code in chain.strokes.tolist() if code in network.starts] if network.starts else []
        return np.array(starts) if starts else chain.strokes
    return np.array([chain.strokes[0], chain.strokes[-1] ^ 1])


def begun_with(chain: Chain, code: int) -> Chain:
    """Begin a chain with one of its entries."""
    if chain.closed:
        return Chain(chain.operation, np.roll(chain.strokes, -int((chain.strokes == code).argmax())), True)
    return chain if code == chain.strokes[0] else Chain(chain.operation, chain.strokes[::-1] ^ 1)


def shortened(network: Network, chains: Sequence[Chain], head: Floats | None, progress: Progress) -> list[Chain]:
    """Order chains at least as well as `nearest_next`, and usually better."""
    plain = nearest_next(network, chains, head)
    if len(plain) < 3:
        return plain
    middles = np.array([network.nodes[network.begin(chain.strokes)].mean(axis=0) for chain in plain])
    order = _untwisted(middles, progress)
    better = _well_begun(network, [plain[at] for at in order.tolist()], head)
    return min(plain, better, key=lambda ordered: _travel(network, ordered, head))


def _untwisted(places: Floats, progress: Progress) -> Ints:
    """Order places, shape (n, 2), until no reversal of a stretch shortens the path (2-opt, Croes 1958).

    The first place stays first.
    """
    order = np.arange(len(places))
    at = places.copy()
    for round_number in range(ROUNDS):
        gained = False
        for here in range(len(at) - 2):
            if here % 100 == 0:
                progress.step(round_number / ROUNDS, tr("Removing detours"))
            way = np.hypot(*(at[here + 1] - at[here]))
            ahead = at[here + 2 :]
            onwards = np.append(np.hypot(*np.diff(at[here + 2 :], axis=0).T), 0.0)
            closing = np.append(np.hypot(*(ahead[1:] - at[here + 1]).T), 0.0)
            gain = way + onwards - np.hypot(*(ahead - at[here]).T) - closing
            best = int(gain.argmax())
            if gain[best] > LEAST:
                stretch = slice(here + 1, here + best + 3)
                at[stretch], order[stretch] = at[stretch][::-1].copy(), order[stretch][::-1].copy()
                gained = True
        if not gained:
            break
    return order


def _well_begun(network: Network, chains: list[Chain], head: Floats | None) -> list[Chain]:
    """Choose the entry of each chain, in this order, for the least total travel, by dynamic programming."""
    choices = [entries_of(network, chain) for chain in chains]
    entering = [network.nodes[network.begin(codes)] for codes in choices]
    leaving = [places if chain.closed else places[::-1] for chain, places in zip(chains, entering, strict=True)]
    costs = np.zeros(len(entering[0])) if head is None else np.hypot(*(entering[0] - head).T)
    chosen: list[Ints] = []
    for here, there in zip(leaving[:-1], entering[1:], strict=True):
        steps = costs[:, None] + np.hypot(*np.moveaxis(here[:, None] - there, 2, 0))
        chosen.append(steps.argmin(axis=0))
        costs = steps.min(axis=0)
    entries = [int(costs.argmin())]
    for back in reversed(chosen):
        entries.append(int(back[entries[-1]]))
    return [
        begun_with(chain, int(codes[entry]))
        for chain, codes, entry in zip(chains, choices, reversed(entries), strict=True)
    ]


def _travel(network: Network, chains: list[Chain], head: Floats | None) -> float:
    """Total distance in mm between chains, including the approach to the first."""
    begins = network.nodes[[network.begin(chain.strokes[:1])[0] for chain in chains]]
    ends = network.nodes[[network.end(chain.strokes[-1:])[0] for chain in chains]]
    approach = 0.0 if head is None else float(np.hypot(*(begins[0] - head)))
    return approach + float(np.hypot(*(begins[1:] - ends[:-1]).T).sum())
