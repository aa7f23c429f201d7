"""Orders along lines that run straight on, for boards that are nearly grids: outlines, whimsies, merged pieces.

trail: inner cuts that run straight on at every node, as far as they can. Trails that lie one way are cut first, from
one end of the board to the other, to and fro, then those that lie across them. Where a piece would be loose too early,
the cut in question is made sooner.
"""

from __future__ import annotations

from itertools import product
from math import hypot

import numpy as np

from studio.fabricate.network import Network
from studio.fabricate.order_rows_columns import Run, backwards
from studio.geometry.curves.strokes import Ints, offsets


def trails(network: Network) -> list[list[Run]]:
    """The inner cuts along trails, in several orders; their cuts may be loose."""
    lines = _trails(network)
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
    """The lines in this order, each with the places of its two ends in mm, begun at the nearer one."""
    result: list[Run] = []
    at: list[float] | None = None
    for line, begin, end in lines:
        turned = at is not None and hypot(end[0] - at[0], end[1] - at[1]) < hypot(begin[0] - at[0], begin[1] - at[1])
        result.append(backwards(line) if turned else line)
        at = begin if turned else end
    return result


def _trails(network: Network) -> list[Run]:
    """All inner cuts along lines that run straight on, each as long as it goes."""
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
    return lines


def _followed(following: dict[int, int], code: int, used: set[int]) -> Run:
    """The codes that run straight on after one, up to a cut that is in use; they are in use then."""
    line: Run = []
    while code in following and following[code] >> 1 not in used:
        code = following[code]
        used.add(code >> 1)
        line.append(code)
    return line


def _following(network: Network) -> dict[int, int]:
    """The code that runs straight on from each: the pairs at every node that turn least, each cut in one of them."""
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
