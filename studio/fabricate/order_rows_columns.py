"""Orders for grids: rows to and fro, then columns, so that one piece falls at a time and the head hardly travels.

line: inner cuts that run straight on from frame to frame. family: lines of which no two meet, such as the rows.
strip: what the lines of one family leave between them. Nothing here looks at directions or places: corners may be
dragged and tongues be as wild as they will.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

import numpy as np

from studio.fabricate.network import Network, groups
from studio.geometry.curves.strokes import Floats, distinct

Run = list[int]
"""The codes along a line, in order."""


def families(network: Network) -> list[list[Run]] | None:
    """The lines of a grid, one or two families; None where the inner cuts are no grid.

    A family's lines are in the order in which they divide the board, and all run the same way.
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
    """One family to and fro, then the other; of all ways to begin the one with the least travel."""
    return _shortest(network, [[_to_and_fro(family) for family in way] for way in _both_ways(grid)])


def low_sag(network: Network, grid: list[list[Run]]) -> list[Run]:
    """As the snake, but its second family from the middle to either end: strips hang out half as far."""
    first = snake(network, grid)[0]
    second = [family for family in grid if not _holds(family, first)] or grid
    return next(runs for runs in fans(network, grid) if _holds(second[0], runs[-1]))


def fans(network: Network, grid: list[list[Run]]) -> list[list[Run]]:
    """One family to and fro, then the other from the middle to either end: the least travel for either choice."""
    found = []
    for way in _both_ways(grid):
        last = way[-1]
        versions = []
        # The first line of a fan halves the strips, or nearly so where their number is odd.
        for middle in {(len(last) - 1) // 2, len(last) // 2}:
            for here, there in ((last[middle:], last[:middle][::-1]), (last[middle::-1], last[middle + 1 :])):
                versions += [one + other for one, other in product(_directed(here), _directed(there))]
        found.append(_shortest(network, [[*[_to_and_fro(family) for family in way[:-1]], versions]]))
    return found


def _lines(network: Network) -> list[Run] | None:
    """The lines of all inner cuts, each from frame to frame; None where some cut is in no such line or in two."""
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
    """The family, 0 or 1, of every line: lines that meet are of different ones; None where that cannot be."""
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
    """The lines in the order in which they part the board into strips, all run the same way; None if they fork."""
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
    """The line run the other way."""
    return [code ^ 1 for code in reversed(line)]


def _directed(family: list[Run]) -> list[list[Run]]:
    """The lines in this order to and fro, begun either way."""
    return [
        [line if number % 2 == begun else backwards(line) for number, line in enumerate(family)] for begun in (0, 1)
    ]


def _to_and_fro(family: list[Run]) -> list[list[Run]]:
    """The four ways to run a family to and fro."""
    return _directed(family) + _directed(family[::-1])


def _both_ways(grid: list[list[Run]]) -> list[list[list[Run]]]:
    return [grid, grid[::-1]] if len(grid) > 1 else [grid]


def _holds(family: list[Run], line: Run) -> bool:
    return any(own in (line, backwards(line)) for own in family)


def _shortest(network: Network, ways: Iterable[list[list[list[Run]]]]) -> list[Run]:
    """Of all ways, each a list of parts of which any version may be taken, the one with the least travel."""
    least, best = float("inf"), list[Run]()
    for parts in ways:
        for versions in product(*parts):
            lines = [line for version in versions for line in version]
            length = travel(network, lines)
            if length < least - 1e-9:
                least, best = length, lines
    return best


def travel(network: Network, runs: Iterable[Run]) -> float:
    """The sum of the ways in mm from each run's end to the next one's begin."""
    at = list(runs)
    ends = network.nodes[network.end(np.array([run[-1] for run in at[:-1]], np.int64))]
    begins: Floats = network.nodes[network.begin(np.array([run[0] for run in at[1:]], np.int64))]
    return float(np.hypot(*(begins - ends).T).sum())
