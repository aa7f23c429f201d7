"""Rules of the grades below Hard as clauses, which only propagate: they tell which clues of a loop can be removed.

So a board is tried many times faster than by a `Reasoner`, which is asked in the end. The clauses decide what the Easy
rules do, and on squares what all of them do; on other cells less, so that more clues stay than need be.
orbit: cells whose clues go together. full: a clue that only one edge of its cell lacks. most, least: variables for
two edges of a cell that meet: at most one of them is a line, and at least one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb

from studio.base.progress import Progress
from studio.puzzles.slitherlink.edge_groups import ground_of, ways_of
from studio.puzzles.slitherlink.rules import AROUND, LEVELS, PAIRS
from studio.solving.loops import Net, Propagation

MOST_CHOICES = 6
"""Choices of some of a cell's edges up to which a rule about them is said."""
MOST_EDGES = 8
"""Edges of a cell at the border, or of a dot of it, up to which all is said that its clue leaves of them."""


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
