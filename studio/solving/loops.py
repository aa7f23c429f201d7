"""Plane nets of cells, and the single loops through them that satisfy clues: found, proven unique, explained.

clue: the number of a cell's edges on the loop. budget: the conflicts after which a search gives up.
spurious loop: a loop of an answer that has several. step: a conflict, or a spurious loop ruled out.

One variable for each edge; a dot has two edges of the loop or none; each clue has a selector of its own, so that the
same search answers for any set of clues and keeps its learned clauses. A single loop is demanded only when an answer
has several: if all edges of one of them are on, no other edge is, and the clues that it breaks are not in force. The
solver is python-sat's (https://pysathq.github.io, Ignatiev, Morgado and Marques-Silva 2018).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import combinations
from time import perf_counter

from studio.base.progress import SILENT, Progress
from studio.solving.assembly import Count

# A plane net of cells.
#
# dot: an end of edges. outside: the region around all cells, numbered as the count of cells. ring: the cells around a
# cell in turn, at its edges and at its dots. inside: cells enclosed by a loop.


@dataclass(frozen=True, eq=False)
class Net:
    """Cells: `edges` and `dots` in turn, edge i between dots i and i + 1; cells across the edges, `near`, and all
    around, `rings`. Edges: their dots, `ends`, and the cells at their `sides`. Dots: edges in turn, `stars`, and
    `wedges`, the cells between each edge and the next."""

    edges: tuple[tuple[int, ...], ...]
    dots: tuple[tuple[int, ...], ...]
    ends: tuple[tuple[int, int], ...]
    sides: tuple[tuple[int, int], ...]
    stars: tuple[tuple[int, ...], ...]
    wedges: tuple[tuple[int, ...], ...]
    near: tuple[tuple[int, ...], ...]
    rings: tuple[tuple[int, ...], ...]

    @property
    def outside(self) -> int:
        """The number of the outside: the count of cells."""
        return len(self.edges)

    def line(self, inside: Sequence[bool]) -> list[int]:
        """The edges between inside and outside, ascending; `inside` has an entry for each cell."""
        known = [*inside, False]
        return [edge for edge, (one, other) in enumerate(self.sides) if known[one] != known[other]]

    def counts(self, line: Iterable[int]) -> list[int]:
        """Number of a line's edges at each cell."""
        found = [0] * (self.outside + 1)
        for edge in line:
            one, other = self.sides[edge]
            found[one] += 1
            found[other] += 1
        return found[:-1]

    def can_flip(self, inside: Sequence[bool], cell: int) -> bool:
        """True if a single loop stays single when a cell changes sides; the last of `inside`, the outside, is False.

        It does if a turn around the cell meets one stretch of inside and one of outside, each across an edge: then the
        change joins and parts no regions, and the line does not touch itself at a dot.
        """
        alike = [inside[other] for other in self.near[cell]]
        if all(alike) or not any(alike):
            return False
        changes = 0
        before = inside[self.rings[cell][-1]]
        for other in self.rings[cell]:
            now = inside[other]
            if now != before:
                changes += 1
                if changes > 2:
                    return False
                before = now
        return changes == 2

    def is_even(self, line: Collection[int]) -> bool:
        """True if a line has no ends and does not touch itself: two or none of its edges at every dot."""
        found: dict[int, int] = {}
        for edge in line:
            for dot in self.ends[edge]:
                found[dot] = found.get(dot, 0) + 1
        return all(count == 2 for count in found.values())

    def loops(self, line: Collection[int]) -> list[list[int]]:
        """Split an even line into closed loops, each with its edges in turn."""
        ends = self.ends
        pairs = [0] * len(self.stars)
        """The exclusive or of the two edges at each dot."""
        for edge in line:
            one, other = ends[edge]
            pairs[one] ^= edge
            pairs[other] ^= edge
        found, left = [], bytearray(len(ends))
        for edge in line:
            left[edge] = 1
        for first in line:
            if not left[first]:
                continue
            loop = []
            edge, dot = first, ends[first][1]
            while left[edge]:
                left[edge] = 0
                loop.append(edge)
                edge ^= pairs[dot]
                one, other = ends[edge]
                dot = other if one == dot else one
            found.append(loop)
        return found

    def enclosed(self, line: Collection[int]) -> list[bool]:
        """Return for each cell whether a single loop encloses it."""
        walls = set(line)
        near: list[list[int]] = [[] for _ in range(self.outside + 1)]
        for edge, (one, other) in enumerate(self.sides):
            if edge not in walls:
                near[one].append(other)
                near[other].append(one)
        inside = [True] * (self.outside + 1)
        inside[self.outside] = False
        todo = [self.outside]
        while todo:
            for cell in near[todo.pop()]:
                if inside[cell]:
                    inside[cell] = False
                    todo.append(cell)
        return inside[:-1]


def net(cells: Sequence[Sequence[int]], edges: Sequence[tuple[int, int]]) -> Net:
    """Build a net from cells, each the dots around it in turn, all the same way round, and edges between dots.

    The outside must lie at every dot at most once.
    """
    numbers = {frozenset(ends): edge for edge, ends in enumerate(edges)}
    count = 1 + max(dot for ends in edges for dot in ends)
    around, sides = [], [[len(cells)] * 2 for _ in edges]
    ways: list[dict[int, tuple[int, int]]] = [{} for _ in range(count)]
    """For each dot, the cell and the edge by which the cell leaves, by the edge by which it arrives."""
    for cell, dots in enumerate(cells):
        ring = [numbers[frozenset(pair)] for pair in zip(dots, [*dots[1:], dots[0]], strict=True)]
        around.append(tuple(ring))
        for at, edge in enumerate(ring):
            ways[dots[at]][ring[at - 1]] = (cell, edge)
            sides[edge][edges[edge][0] != dots[at]] = cell
    stars, wedges = [], []
    for way in ways:
        leaving = {edge for _, edge in way.values()}
        first = next((edge for edge in way if edge not in leaving), next(iter(way)))
        star, between = [first], []
        while True:
            cell, edge = way.get(star[-1], (len(cells), first))
            between.append(cell)
            if edge == first:
                break
            star.append(edge)
        stars.append(tuple(star))
        wedges.append(tuple(between))
    rings = tuple(_ring(cell, dots, around[cell], sides, stars, wedges) for cell, dots in enumerate(cells))
    near = tuple(tuple(_across(sides[edge], cell) for edge in ring) for cell, ring in enumerate(around))
    ends = tuple((one, other) for one, other in edges)
    known = tuple((one, other) for one, other in sides)
    return Net(tuple(around), tuple(map(tuple, cells)), ends, known, tuple(stars), tuple(wedges), near, rings)


def _ring(
    cell: int,
    dots: Sequence[int],
    edges: Sequence[int],
    sides: Sequence[Sequence[int]],
    stars: Sequence[Sequence[int]],
    wedges: Sequence[Sequence[int]],
) -> tuple[int, ...]:
    """The cells around a cell in turn: across each edge, then the cells that share only the dot at its end."""
    ring: list[int] = []
    for at, edge in enumerate(edges):
        ring.append(_across(sides[edge], cell))
        dot = dots[(at + 1) % len(dots)]
        star, between = stars[dot], wedges[dot]
        # A wedge lies between the edge by which its cell comes to the dot and the one by which it leaves.
        here = star.index(edge)
        ring += [between[(here - step) % len(star)] for step in range(2, len(star) - 1)]
    return tuple(ring)


def _across(sides: Sequence[int], cell: int) -> int:
    one, other = sides
    return other if one == cell else one


SLICE = 400
"""Conflicts between two checks whether a search was cancelled."""
MOST_SAID = 16
"""Most broken conditions encoded at once for a spurious loop."""
LoopEdges = tuple[int, ...]
"""The edges of a loop, ascending."""


@dataclass(frozen=True)
class Answer:
    """A line that satisfies clues, or None; if `is_known` is false the search gave up, and a line may exist.

    If no line exists, `needed` has cells whose clues, with the settled ones, rule every line out.
    """

    line: LoopEdges | None
    is_known: bool = True
    needed: tuple[int, ...] = ()


GAVE_UP = Answer(None, False)


class LoopSearch:
    """Searches for loops in one net, faster with each search before; for one thread only."""

    def __init__(self, net: Net) -> None:
        from pysat.solvers import Solver

        self._net = net
        # Minisat has budgets and cores; no other solver is faster here.
        self._solver = Solver(name="minisat22")
        self._clues: dict[tuple[int, int], int] = {}
        self._cells: dict[int, int] = {}
        self._settled: set[int] = set()
        self._barred: dict[LoopEdges, int] = {}
        self._top = len(net.ends)
        for star in net.stars:
            on = [edge + 1 for edge in star]
            for edge in on:
                self._solver.add_clause([-edge, *(other for other in on if other != edge)])
            for three in combinations(on, 3):
                self._solver.add_clause([-edge for edge in three])
        self._solver.add_clause([edge + 1 for edge in range(len(net.ends))])
        self.cuts = 0
        """Spurious loops ruled out so far."""

    def close(self) -> None:
        """Free the search's memory."""
        self._solver.delete()

    def find(
        self,
        clues: Mapping[int, int],
        *,
        barred: Iterable[LoopEdges] = (),
        on: Iterable[int] = (),
        off: Iterable[int] = (),
        budget: int | None = None,
        steps: int | None = None,
        progress: Progress = SILENT,
    ) -> Answer:
        """Find a loop that satisfies clues, is none of the barred loops, and has the edges `on` and none of `off`.

        The search gives up after a budget of conflicts, or of steps.
        """
        known = self._clues
        assumed = [known.get(clue) or self._selector(clue) for clue in clues.items()]
        if self._settled:
            assumed = [literal for literal in assumed if literal not in self._settled]
        barred, on = {*barred}, {*on}
        assumed += [self._bar(line) for line in barred]
        assumed += [edge + 1 for edge in on]
        assumed += [-edge - 1 for edge in off]
        first, begun = self.conflicts, self.steps
        while True:
            left = SLICE if budget is None else budget - (self.conflicts - first)
            if left <= 0 or (steps is not None and self.steps - begun >= steps):
                return GAVE_UP
            progress.step(0.0)
            self._solver.conf_budget(min(SLICE, left))
            # With False, python-sat handles Ctrl+C itself while it searches, and raises an error of its own.
            found = self._solver.solve_limited(assumptions=assumed, expect_interrupt=True)
            if found is None:
                continue
            if not found:
                core = {self._cells.get(literal) for literal in self._solver.get_core() or ()}
                return Answer(None, True, tuple(cell for cell in clues if cell in core))
            model = self._solver.get_model()[: len(self._net.ends)]
            line = self._checked([value - 1 for value in model if value > 0], clues, on)
            if line is not None and line not in barred:
                return Answer(line)

    def prefer(self, line: LoopEdges) -> None:
        """Start the next searches near a loop."""
        on = {*line}
        self._solver.set_phases([edge + 1 if edge in on else -edge - 1 for edge in range(len(self._net.ends))])

    def settle(self, clues: Mapping[int, int]) -> None:
        """Make clues permanent, which speeds up all later searches; each must still name them."""
        for clue in clues.items():
            literal = self._selector(clue)
            self._settled.add(literal)
            self._solver.add_clause([literal])

    def _checked(self, model: list[int], clues: Mapping[int, int], on: Collection[int]) -> LoopEdges | None:
        """The loop of a model that meets all conditions, or None; spurious loops are ruled out."""
        loops = self._net.loops(model)
        if len(loops) == 1:
            return tuple(model)
        for loop in loops:
            counts = self._net.counts(loop)
            broken = [self._clues[clue] for clue in clues.items() if counts[clue[0]] != clue[1]]
            edges = {*loop}
            broken += [edge + 1 for edge in on if edge not in edges]
            if not broken:
                return tuple(sorted(loop))
            # Forbid the loop while conditions that it breaks hold: up to MOST_SAID now, more when needed.
            self.cuts += 1
            self._top += 1
            self._solver.add_clause([self._top, *(-edge - 1 for edge in loop)])
            for literal in broken[:: len(broken) // MOST_SAID + 1]:
                self._solver.add_clause([-self._top, -literal])
        return None

    @property
    def steps(self) -> int:
        """Steps of all searches so far: the same for the same questions on every computer."""
        return self.conflicts + self.cuts

    @property
    def conflicts(self) -> int:
        """The conflicts of all searches so far."""
        return int(self._solver.accum_stats()["conflicts"])

    def _selector(self, clue: tuple[int, int]) -> int:
        """The variable that switches on a clue, (cell, count)."""
        known = self._clues.get(clue)
        if known is None:
            self._top += 1
            known = self._clues[clue] = self._top
            self._cells[known], count = clue
            edges = [edge + 1 for edge in self._net.edges[clue[0]]]
            for more in combinations(edges, count + 1):
                self._solver.add_clause([-known, *(-edge for edge in more)])
            for less in combinations(edges, len(edges) - count + 1):
                self._solver.add_clause([-known, *less])
        return known

    def _bar(self, line: LoopEdges) -> int:
        known = self._barred.get(line)
        if known is None:
            self._top += 1
            known = self._barred[line] = self._top
            self._solver.add_clause([-known, *(-edge - 1 for edge in line)])
        return known


class Propagation:
    """Clauses, and the literals that follow by unit propagation, without search."""

    def __init__(self) -> None:
        from pysat.solvers import Solver

        self._solver = Solver(name="minisat22")

    def close(self) -> None:
        """Free its memory."""
        self._solver.delete()

    def add(self, *clause: int) -> None:
        """Add a clause: at least one of its literals holds."""
        self._solver.add_clause(clause)

    def followed(self, assumed: Sequence[int]) -> list[int]:
        """The literals that follow from the assumed ones, included."""
        return [*self._solver.propagate(assumptions=assumed)[1]]


def solutions(
    net: Net,
    clues: Mapping[int, int],
    progress: Progress,
    *,
    most: int,
    steps: int | None = None,
    known: LoopEdges | None = None,
) -> tuple[list[LoopEdges], Count]:
    """Find the loops that satisfy clues, up to `most`, and their count, complete if no others exist.

    A `known` solution comes first. The search stops after `steps` steps.

    >>> from studio.solving.loops import net
    >>> two_squares = net([(0, 1, 4, 3), (1, 2, 5, 4)], [(0, 1), (1, 2), (0, 3), (1, 4), (2, 5), (3, 4), (4, 5)])
    >>> solutions(two_squares, {0: 4}, Progress(), most=2)[0]
    [(0, 2, 3, 5)]
    """
    began = perf_counter()
    lines, is_complete = [] if known is None else [known], False
    with closing(LoopSearch(net)) as search:
        if known is not None:
            search.prefer(known)
        while len(lines) < most:
            left = None if steps is None else steps - search.steps
            answer = search.find(clues, barred=lines, progress=progress, steps=left)
            if answer.line is None:
                is_complete = answer.is_known
                break
            lines.append(answer.line)
        return lines, Count(len(lines), is_complete, search.steps, perf_counter() - began)
