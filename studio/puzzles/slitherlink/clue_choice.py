"""The choice of a loop's clues: few, with one solution left, and as hard as asked.

own: clues that are given or hidden whatever else changes. Easy puzzles, and those of squares up to Tricky, lose clues
as long as the rules of the grade solve the rest. Otherwise the search for a second solution takes clues away; then the
rules of the grade that is asked solve the puzzle, and where they are stuck clues are given back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np

from studio.base.chance import uniform
from studio.base.progress import Progress
from studio.geometry.board.grids import SQUARE, Grid, Layout, grid
from studio.geometry.curves.strokes import Floats
from studio.puzzles.slitherlink.edge_groups import ground_of, ways_of
from studio.puzzles.slitherlink.model import (
    EASY,
    FEWEST,
    GRADES,
    HALF_TURN,
    MIRROR,
    NO_SYMMETRY,
    NORMAL,
    QUARTER_TURN,
    TRICKY,
    SlitherlinkParameters,
)
from studio.puzzles.slitherlink.rules import AROUND, LEVELS, PAIRS, Reasoner
from studio.puzzles.slitherlink.steps import follow, work
from studio.solving.loops import LoopEdges, LoopSearch, Net, Propagation

# Which cells a symmetry maps onto each other.
# orbit: cells that are mapped onto each other, in a puzzle with symmetry all with a clue or all without.


_MAPS = {
    HALF_TURN: (np.array([(-1.0, 0.0), (0.0, -1.0)]),),
    MIRROR: (np.array([(-1.0, 0.0), (0.0, 1.0)]), np.array([(1.0, 0.0), (0.0, -1.0)])),
    QUARTER_TURN: (np.array([(0.0, 1.0), (-1.0, 0.0)]),),
}
"""What each symmetry does to a place, seen from the middle of the cells; the second is tried where the first fails."""
NEAR = 0.1
"""How far from a cell's middle, in edges, another one may be mapped: clipped grids are even only about so much."""


@lru_cache(maxsize=32)
def orbits(layout: Layout, symmetry: str) -> tuple[tuple[int, ...], ...] | None:
    """The orbits of the cells, in the order of their first cells; None where a cell would be mapped on none."""
    cells = grid(layout)
    if symmetry == NO_SYMMETRY:
        return tuple((cell,) for cell in range(len(cells.cells)))
    for turn in _MAPS[symmetry]:
        image = _image(cells, turn)
        if image is not None:
            followed: dict[int, tuple[int, ...]] = {}
            for first in range(len(image)):
                orbit, cell = [first], image[first]
                while cell != first:
                    orbit.append(cell)
                    cell = image[cell]
                followed.setdefault(min(orbit), tuple(sorted(orbit)))
            return tuple(followed.values())
    return None


def _image(cells: Grid, turn: Floats) -> list[int] | None:
    """The cell on which each is mapped."""
    places = cells.middles(1.0)
    middle = np.array(cells.size) / 2
    wanted = (places - middle) @ turn.T + middle
    found = []
    for place in wanted:
        gaps = np.hypot(*(places - place).T)
        found.append(int(gaps.argmin()))
        if gaps[found[-1]] > NEAR:
            return None
    return found if len({*found}) == len(found) else None


# Clues removed as long as the rules of a grade below Hard solve the rest: these rules as clauses, only propagated.
# So a board is tried many times faster than by a `Reasoner`, which is asked in the end. The clauses decide
# what the Easy rules do, and on squares what all of them do; on other cells less, so that more clues stay than need be.
# orbit: cells whose clues go together. full: a clue that only one edge of its cell lacks. most, least: variables for
# two edges of a cell that meet: at most one of them is a line, and at least one.


MOST_CHOICES = 6
"""Choices of some of a cell's edges up to which a rule about them is said."""
MOST_EDGES = 8
"""Edges of a cell at the border, or of a dot of it, up to which all is said that its clue leaves of them."""


def worth(count: int, edges: int) -> int:
    """Rough worth of a clue: greatest for full ones, least near half of the edges."""
    if count == edges:  # The clue is the whole loop.
        return 9
    if count in (0, 1):
        return 1 - 2 * count
    if count == edges - 1:
        return 3
    if edges <= 4:
        return -2
    return -1 if count == edges - 2 else -3


class Thinning:
    """Tries which clues of a loop the rules up to a level need."""

    def __init__(self, net: Net, counts: Sequence[int], level: int) -> None:
        self._net, self._counts, self._level = net, counts, level
        self._clauses = Propagation()
        self._say = self._clauses.add
        self._ground = ground_of(net)
        self._top = len(net.ends)
        self._given = [self._variable() for _ in counts]
        """For each cell the variable that says that its clue is given."""
        self._pairs = [[(self._variable(), self._variable()) for _ in edges] for edges in net.edges]
        """For each cell and dot of it: most and least of the edges before and after the dot."""
        for star in net.stars:
            edges = [edge + 1 for edge in star]
            for edge in edges:
                self._say(-edge, *(other for other in edges if other != edge))
            for three in combinations(edges, 3):
                self._say(*(-edge for edge in three))
        for cell in range(net.outside):
            self._say_cell(cell)

    def close(self) -> None:
        """Free its memory."""
        self._clauses.close()

    def thinned(self, orbits: Iterable[Sequence[int]], cells: set[int], progress: Progress) -> set[int] | None:
        """The given cells without each orbit, in turn, that is not needed; None if all of them are not enough."""
        if not self.solves(cells):
            return None
        for orbit in orbits:
            progress.step(0.0)
            fewer = cells.difference(orbit)
            if self.solves(fewer):
                cells = fewer
        return cells

    def solves(self, cells: set[int]) -> bool:
        """True if the clues of these cells decide every edge."""
        given, edges = [self._given[cell] for cell in cells], len(self._net.ends)
        while True:
            known = [literal for literal in self._clauses.followed(given) if -edges <= literal <= edges]
            # If the lines form a closed loop, every other edge is crossed.
            dots = [dot for edge in known if edge > 0 for dot in self._net.ends[edge - 1]]
            if len(known) == edges or 0 < len(dots) == 2 * len({*dots}):
                return True
            if not self._say_closed(known, cells):
                return False

    def _variable(self) -> int:
        self._top += 1
        return self._top

    def _say_cell(self, cell: int) -> None:
        net, count, given = self._net, self._counts[cell], self._given[cell]
        edges = [edge + 1 for edge in net.edges[cell]]
        for more in combinations(edges, count + 1):
            self._say(-given, *(-edge for edge in more))
        for less in combinations(edges, len(edges) - count + 1):
            self._say(-given, *less)
        if self._ground.is_rim[self._ground.dots + cell]:
            self._say_rim(cell)
        for at, dot in enumerate(net.dots[cell]):
            pair = edges[at - 1], edges[at]
            elsewhere = [edge for edge in edges if edge not in pair]
            beyond = [edge + 1 for edge in net.stars[dot] if edge + 1 not in pair]
            self._say_corner(cell, at, pair, elsewhere, beyond)
            if count == len(edges) - 1:
                self._say_full(cell, dot)
        if self._level >= LEVELS[AROUND] and len(edges) == 4 and count == 2:
            for at, (most, least) in enumerate(self._pairs[cell]):
                across = self._pairs[cell][at - 2]
                self._say(-given, -most, across[1])
                self._say(-given, -least, across[0])

    def _say_corner(
        self, cell: int, at: int, pair: tuple[int, int], elsewhere: Sequence[int], beyond: Sequence[int]
    ) -> None:
        """Add clauses at a dot of a cell: from its clue, the edges beyond the dot, and other cells there."""
        count, given = self._counts[cell], self._given[cell]
        most, least = self._pairs[cell][at]
        if self._level >= LEVELS[AROUND]:
            for line in beyond:
                self._say(-line, most)
        for some in _some(elsewhere, len(elsewhere) - count + 2):
            # Where no more is said of it, a variable for the two edges would only be one more to be followed.
            for one in (most,) if self._level >= LEVELS[AROUND] else beyond:
                self._say(-given, -one, *some)
        for some in _some(elsewhere, len(elsewhere) + 1 - count) if count > 1 else ():
            for edge in pair:
                self._say(-given, *some, *beyond, edge)
        if self._level < LEVELS[AROUND]:
            return
        for line in beyond:
            self._say(-line, *(other for other in beyond if other != line), least)
        self._say(-least, *pair)
        self._say(-most, *(-edge for edge in pair))
        for edge in pair:
            self._say(-edge, least)
            self._say(edge, most)
            self._say(-most, *beyond, -edge)
            self._say(-least, *beyond, edge)
        for some in _some(elsewhere, count) if count else ():
            self._say(-given, -least, *(-edge for edge in some))
        if self._level >= LEVELS[PAIRS]:
            self._say_passed(cell, at, beyond)

    def _say_rim(self, cell: int) -> None:
        """Say of a cell at the border what its ways leave to its own edges, and to those at each of its dots."""
        ground, given = self._ground, self._given[cell]
        group = ground.dots + cell
        every = ground.ways[group].sums[self._counts[cell]]
        left = every & ground.first[group]
        self._say_implied(given, group, every, left)
        masks = ground.ways[group].masks[left]
        for here, dot, there in ground.corners[group]:
            every = ground.first[dot]
            self._say_implied(given, dot, every, every & ground.ways[dot].allowed[there][masks[here]])

    def _say_implied(self, given: int, group: int, every: int, left: int) -> None:
        """Say of the edges of a group what follows from the ways that a given clue leaves of all others."""
        edges = self._ground.edges[group]
        if left != every and len(edges) <= MOST_EDGES:
            for clause in implied(len(edges), left):
                self._say(-given, *((edges[at] + 1) * sign for at, sign in clause))

    def _say_passed(self, cell: int, at: int, beyond: Sequence[int]) -> None:
        """Add clauses of corner pairs, from the clue to the dot and across the dot to the other cells."""
        count, given, net = self._counts[cell], self._given[cell], self._net
        most, least = self._pairs[cell][at]
        if count == 1:
            self._say(-given, most)
        if count == len(net.edges[cell]) - 1:
            self._say(-given, least)
        if len(beyond) == 1:
            self._say(-most, -least, beyond[0])
        dot = net.dots[cell][at]
        for other in net.wedges[dot]:
            if other != net.outside and not {*net.edges[cell]} & {*net.edges[other]}:
                theirs = self._pairs[other][net.dots[other].index(dot)]
                self._say(-least, theirs[0])
                if len(beyond) == 2:
                    self._say(-most, -least, theirs[1])

    def _say_full(self, cell: int, dot: int) -> None:
        """Add clauses of two full clues that meet at a dot, such as adjacent or diagonal 3s of squares."""
        net, counts = self._net, self._counts
        for other in net.wedges[dot]:
            if other >= cell or counts[other] != len(net.edges[other]) - 1:
                continue
            mine, theirs = {*net.edges[cell]}, {*net.edges[other]}
            shared = mine & theirs
            if len(shared) > 1 or counts == net.counts((mine | theirs) - shared):
                continue
            dots = net.ends[next(iter(shared))] if shared else (dot,)
            stars = {edge for one in dots for edge in net.stars[one]}
            for edge in ((mine | theirs) - stars) | shared:
                self._say(-self._given[cell], -self._given[other], edge + 1)
            for edge in stars - mine - theirs:
                self._say(-self._given[cell], -self._given[other], -edge - 1)

    def _say_closed(self, known: Sequence[int], cells: set[int]) -> bool:
        """Say of edges that would close the loop before a given clue has its lines; whether that is news."""
        net, is_new = self._net, False
        for path, edge in self._closings(known):
            loop = [*path, edge]
            counts = net.counts(loop)
            broken = [cell for cell, count in enumerate(self._counts) if counts[cell] != count]
            if not cells.isdisjoint(broken):
                whole = self._variable()
                self._say(whole, *(-one - 1 for one in loop))
                for cell in broken:
                    self._say(-whole, -self._given[cell])
                is_new = True
        return is_new

    def _closings(self, known: Sequence[int]) -> Iterator[tuple[list[int], int]]:
        """The pieces of the loop whose ends an unknown edge joins, each with that edge."""
        ends, unknown = self._net.ends, {*range(1, len(self._net.ends) + 1)}.difference(map(abs, known))
        between = {ends[edge - 1]: edge - 1 for edge in unknown}
        mixed, lines = [0] * len(self._net.stars), [0] * len(self._net.stars)
        for edge in known:
            if edge > 0:
                for dot in ends[edge - 1]:
                    # Of two lines at a dot each is the mixture without the other.
                    mixed[dot] ^= edge
                    lines[dot] += 1
        for first in [dot for dot, count in enumerate(lines) if count == 1]:
            path, dot, line = list[int](), first, 0
            while line := mixed[dot] ^ line:
                path.append(line - 1)
                one, other = ends[line - 1]
                dot = other if one == dot else one
            closing = between.get((first, dot), between.get((dot, first))) if first < dot else None
            if closing is not None:
                yield path, closing


Clause = tuple[tuple[int, int], ...]
"""The places of edges, each with 1 for a line or -1 for a cross, of which one holds."""


@lru_cache(maxsize=1024)
def implied(size: int, left: int) -> tuple[Clause, ...]:
    """The shortest clauses that hold in all ways left to the edges of a group."""
    ways = ways_of(size)
    literals = [(at, sign, bits[at]) for at in range(size) for sign, bits in ((1, ways.off), (-1, ways.on))]
    found = list[Clause]()
    longer: list[tuple[Clause, int]] = [((), left)]
    """Clauses that do not hold, each with the ways that break it."""
    while longer:
        shorter, longer = longer, []
        for clause, broken in shorter:
            for at, sign, bits in literals[2 * clause[-1][0] + 2 if clause else 0 :]:
                one = (*clause, (at, sign))
                if broken & bits:
                    longer.append((one, broken & bits))
                elif not any({*other} <= {*one} for other in found):
                    found.append(one)
    return tuple(found)


def _some(edges: Sequence[int], count: int) -> Iterable[tuple[int, ...]]:
    """Every choice of so many of the edges, unless there are too many choices."""
    return combinations(edges, count) if count >= 0 and comb(len(edges), count) <= MOST_CHOICES else ()


BUDGET, ORBIT_BUDGET = 5, 20
"""Conflicts within which a clue, or an orbit of several, must prove needless: what takes longer is hard to see."""
FEWEST_BUDGET = 20_000
"""The same where as few clues as possible are asked for."""
OTHER_SEED = 7919
"""How far the seeds of two attempts are apart."""
MOST_ATTEMPTS, CELLS_TRIED = 12, 4000
"""How many puzzles are tried until one is as hard as asked, and how many cells they have together at most."""
EASY_CLUES = 0.5
"""The largest share of the cells with a clue in an easy puzzle, if an attempt finds one."""
MIXING = 3.0
"""How much chance counts beside what clues tell in the order in which they are removed."""
REMOVAL = 0.8
"""The share of the work that taking clues away is, of a large puzzle."""
CELLS_PRUNED = 200
"""How many cells the puzzles have together at most that are solved to see which clues were given back in vain."""


def attempts(p: SlitherlinkParameters) -> int:
    """Number of puzzles tried until one is as hard as asked."""
    return max(1, min(MOST_ATTEMPTS, CELLS_TRIED // p.net.outside))


@dataclass(frozen=True)
class Reduced:
    """The given clues, and the grades by which the puzzle misses the wish; too many clues count as a part of one."""

    given: list[bool]
    misses: float


def reduced(p: SlitherlinkParameters, line: LoopEdges, own: Mapping[int, bool], progress: Progress) -> list[bool]:
    """Choose clues that make a loop the only one, as hard as asked; all of them if even they allow another.

    Own clues stay given or hidden.
    """
    best: Reduced | None = None
    for attempt in range(attempts(p)):
        found = attempted(p, line, own, attempt, progress)
        if found is None:
            return [own.get(cell, True) for cell in range(p.net.outside)]
        best = found if best is None or found.misses < best.misses else best
        if best.misses == 0:
            break
    return best.given if best is not None else []


def attempted(
    p: SlitherlinkParameters, line: LoopEdges, own: Mapping[int, bool], attempt: int, progress: Progress
) -> Reduced | None:
    """One attempt at it; None where even all clues allow another loop."""
    counts = p.net.counts(line)
    chances = uniform(p.seed + attempt * OTHER_SEED, np.arange(p.net.outside), "clue")
    order = np.argsort(chances).tolist()
    # Where the rules of the grade below solve what an attempt leaves, the search for a second solution leaves less in
    # the next one; but what the rules need beside that are too many clues for an easy puzzle.
    if p.difficulty == EASY or (p.difficulty in (NORMAL, TRICKY) and p.grid == SQUARE and attempt % 2 == 0):
        thinned = _thinned(p, counts, own, chances.tolist(), progress)
        if thinned is not None:
            return _rated(p, thinned, progress)
    clues = {cell: count for cell, count in enumerate(counts) if own.get(cell, True)}
    with closing(LoopSearch(p.net)) as search:
        search.prefer(line)
        if search.find(clues, barred=[line], progress=progress).line is not None:
            return None
        clues = _fewer(p, search, clues, line, own, order, progress.part(0.0, REMOVAL))
    rest = progress.part(REMOVAL, 1.0)
    if p.difficulty != FEWEST:
        clues = _solvable(p, clues, counts, own, order, [*GRADES].index(p.difficulty), rest)
    return _rated(p, clues, rest)


def _rated(p: SlitherlinkParameters, clues: Mapping[int, int], progress: Progress) -> Reduced:
    """Clues, and how near they come to what was asked."""
    misses = 0.0
    if p.difficulty != FEWEST:
        level = [*GRADES].index(p.difficulty)
        misses += abs(work(p.net, clues, level, progress).level - level)
    if p.difficulty == EASY:
        misses += max(0.0, len(clues) / p.net.outside - EASY_CLUES)
    return Reduced([cell in clues for cell in range(p.net.outside)], misses)


def _thinned(
    p: SlitherlinkParameters,
    counts: Sequence[int],
    own: Mapping[int, bool],
    chances: Sequence[float],
    progress: Progress,
) -> dict[int, int] | None:
    """Remove orbits of clues while the rules of a grade solve the rest, the least telling first.

    Return None if all clues are too few for the rules.
    """
    value = [MIXING * chance + worth(count, len(edges))
             for chance, count, edges in zip(chances, counts, p.net.edges, strict=True)]  # fmt: skip
    free = [orbit for orbit in orbits_of(p) if not any(cell in own for cell in orbit)]
    free.sort(key=lambda orbit: sum(value[cell] for cell in orbit) / len(orbit))
    cells = {cell for cell in range(p.net.outside) if own.get(cell, True)}
    with closing(Thinning(p.net, counts, [*GRADES].index(p.difficulty))) as thinning:
        given = thinning.thinned(free, cells, progress)
    return None if given is None else {cell: counts[cell] for cell in sorted(given)}


def _solvable(
    p: SlitherlinkParameters,
    clues: dict[int, int],
    counts: Sequence[int],
    own: Mapping[int, bool],
    order: Sequence[int],
    level: int,
    progress: Progress,
) -> dict[int, int]:
    """Add the clues that help most where rules up to a level are stuck, until they finish."""
    reasoner = Reasoner(p.net, clues, level, progress=progress)
    orbit_of = {cell: orbit for orbit in orbits_of(p) for cell in orbit}
    ordered = dict.fromkeys(orbit_of[cell] for cell in order)
    hidden = [orbit for orbit in ordered if not any(cell in clues or cell in own for cell in orbit)]
    clues = dict(clues)
    follow(reasoner, progress)
    given: list[tuple[int, ...]] = []
    while reasoner.unknown and hidden:
        best = max(hidden, key=lambda orbit: sum(_gain(reasoner, cell, counts[cell]) for cell in orbit))
        hidden.remove(best)
        given.append(best)
        for cell in best:
            clues[cell] = counts[cell]
            reasoner.give(cell, counts[cell])
        follow(reasoner, progress)
    if not reasoner.unknown:
        for orbit in given[: CELLS_PRUNED // p.net.outside]:
            fewer = {cell: count for cell, count in clues.items() if cell not in orbit}
            if work(p.net, fewer, level, progress).is_solved:
                clues = fewer
    return clues


def _gain(reasoner: Reasoner, cell: int, count: int) -> int:
    """Value of one more clue now: by the edges that it decides, then by the ways that it rules out."""
    group = reasoner.ground.dots + cell
    ways, edges, value = reasoner.ground.ways[group], reasoner.ground.edges[group], reasoner.value
    before = reasoner.plain[group] & reasoner.deep[group] if reasoner.level else reasoner.plain[group]
    left = before & ways.sums[count]
    if left == before:
        return 0
    on, off = ways.fixed[left]
    found = sum(not value[edges[at]] for at in on) + sum(not value[edges[at]] for at in off)
    return 100 * found + before.bit_count() - left.bit_count()


def _fewer(
    p: SlitherlinkParameters,
    search: LoopSearch,
    clues: dict[int, int],
    line: LoopEdges,
    own: Mapping[int, bool],
    order: Sequence[int],
    progress: Progress,
) -> dict[int, int]:
    """Remove orbits of clues until each is needed for a single solution, as far as the budget shows."""
    humane = BUDGET if p.symmetry == NO_SYMMETRY else ORBIT_BUDGET
    budget = FEWEST_BUDGET if p.difficulty == FEWEST else humane
    orbit_of = {cell: orbit for orbit in orbits_of(p) for cell in orbit}
    settled = {cell: clues[cell] for cell in own if cell in clues}
    for number, cell in enumerate(order):
        here = progress.part(number / len(order), number / len(order))
        here.step(0.0)
        if cell not in clues or cell in settled:
            continue
        orbit = [other for other in orbit_of[cell] if other in clues and other not in settled]
        fewer = {other: clues[other] for other in clues if other not in orbit}
        answer = search.find(fewer, barred=[line], budget=budget, progress=here)
        if answer.line is None and answer.is_known:
            needed = {other for one in answer.needed for other in orbit_of[one]} | settled.keys()
            clues = {other: count for other, count in clues.items() if other in needed}
        else:
            search.settle({other: clues[other] for other in orbit})
            settled |= {other: clues[other] for other in orbit}
    return clues


def orbits_of(p: SlitherlinkParameters) -> tuple[tuple[int, ...], ...]:
    """The cells whose clues go together; each alone where the grid has no such symmetry."""
    found = orbits(p.layout, p.symmetry)
    return found if found is not None else tuple((cell,) for cell in range(p.net.outside))
