"""Plane nets of cells, and the single loops through them that satisfy clues: found, proven unique, explained.

clue: how many of a cell's edges the loop has. budget: how many conflicts a search may meet before it gives up.
spurious loop: one of several that the edges of an answer make. step: a conflict, or a spurious loop ruled out.

One variable for each edge; a dot has two edges of the loop or none; a clue stands behind a selector of its own, so that
the same search answers for any set of clues and keeps what it learned. That there is only one loop is said as late as
an answer has several: where all edges of one of them are on, nothing else is, and the clues that it breaks are not in
force. The search is python-sat's (https://pysathq.github.io, Ignatiev, Morgado and Marques-Silva 2018).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from time import perf_counter

from studio.base.progress import SILENT, Progress
from studio.solving.solved import Count

# A plane net of cells.
#
# dot: where edges meet. outside: the region around all cells, numbered as the count of cells. ring: the cells around a
# cell in turn, at its edges and at its dots. inside: cells that a loop encloses.


@dataclass(frozen=True, eq=False)
class Net:
    """A net: of every cell its edges and dots in turn, edge i between dots i and i + 1; of every edge its dots and the
    two cells at its sides; of every dot its edges in turn and `wedges`, the cells between each and the next; and of
    every cell the cells across its edges, which are `near` it, and all around it, its ring."""

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
        """The number of the outside, which is the count of cells."""
        return len(self.edges)

    def line(self, inside: Sequence[bool]) -> list[int]:
        """The edges between inside and outside, ascending; `inside` says it of every cell."""
        known = [*inside, False]
        return [edge for edge, (one, other) in enumerate(self.sides) if known[one] != known[other]]

    def counts(self, line: Iterable[int]) -> list[int]:
        """How many edges of a line every cell has."""
        found = [0] * (self.outside + 1)
        for edge in line:
            one, other = self.sides[edge]
            found[one] += 1
            found[other] += 1
        return found[:-1]

    def can_flip(self, inside: Sequence[bool], cell: int) -> bool:
        """Whether one loop stays one loop when a cell changes sides; `inside` has False for the outside as its last.

        It does where going round the cell one meets the inside once and the outside once, each across an edge: then it
        neither joins what was apart nor parts what was joined, and the line does not touch itself at a dot.
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
        """Whether a line has no end and does not touch itself: two of its edges at a dot or none."""
        found: dict[int, int] = {}
        for edge in line:
            for dot in self.ends[edge]:
                found[dot] = found.get(dot, 0) + 1
        return all(count == 2 for count in found.values())

    def loops(self, line: Collection[int]) -> list[list[int]]:
        """The closed loops that an even line is made of, in turn."""
        ends = self.ends
        pairs = [0] * len(self.stars)
        """Of every dot its two edges, one exclusive or the other."""
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
        """Which cells lie inside a single loop."""
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
    """The net of cells, each the dots around it in turn, all the same way round, and of edges between dots.

    The outside lies at every dot once at most.
    """
    numbers = {frozenset(ends): edge for edge, ends in enumerate(edges)}
    count = 1 + max(dot for ends in edges for dot in ends)
    around, sides = [], [[len(cells)] * 2 for _ in edges]
    ways: list[dict[int, tuple[int, int]]] = [{} for _ in range(count)]
    """Of every dot: for the edge by which a cell comes to it, the cell and the edge by which it leaves."""
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
    """The cells around a cell in turn: across each edge, and then those that only share the dot at its end."""
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
    """The other one of an edge's two cells."""
    one, other = sides
    return other if one == cell else one


SLICE = 400
"""Conflicts between two checks whether a search was cancelled."""
MOST_SAID = 16
"""Clues that one spurious loop breaks, of which the search is reminded at once."""
LoopEdges = tuple[int, ...]
"""The edges of a loop, ascending."""


@dataclass(frozen=True)
class Answer:
    """A line that satisfies clues, or None; if `is_known` is false the search gave up, and there may be one.

    Where there is none, `needed` has cells whose clues, with those that are settled, rule every line out.
    """

    line: LoopEdges | None
    is_known: bool = True
    needed: tuple[int, ...] = ()


GAVE_UP = Answer(None, False)


class LoopSearch:
    """Answers questions about one net, and is the faster the more it was asked before; for one thread only."""

    def __init__(self, net: Net) -> None:
        from pysat.solvers import Solver

        self._net = net
        # Budgets and cores are what Minisat has; of the others no one is faster here.
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
        """How many spurious loops were ruled out so far."""

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
        """A loop with given counts of edges at cells, none of the barred loops, with some edges on and others off.

        It gives up after a budget of conflicts, or of steps.
        """
        known = self._clues
        assumed = [known.get(clue) or self._selector(clue) for clue in clues.items()]
        if self._settled:
            assumed = [literal for literal in assumed if literal not in self._settled]
        barred, on = {*barred}, {*on}
        assumed += [self._bar(line) for line in barred]
        assumed += [edge + 1 for edge in on]
        assumed += [-edge - 1 for edge in off]
        return self._search(clues, on, assumed, barred, budget, steps, progress)

    def prefer(self, line: LoopEdges) -> None:
        """Look near a loop first."""
        on = {*line}
        self._solver.set_phases([edge + 1 if edge in on else -edge - 1 for edge in range(len(self._net.ends))])

    def settle(self, clues: Mapping[int, int]) -> None:
        """Some clues hold in all questions from here on, which makes these cheaper; each must still name them."""
        for clue in clues.items():
            literal = self._selector(clue)
            self._settled.add(literal)
            self._solver.add_clause([literal])

    def _search(
        self,
        clues: Mapping[int, int],
        on: Collection[int],
        assumed: list[int],
        barred: set[LoopEdges],
        budget: int | None,
        steps: int | None,
        progress: Progress,
    ) -> Answer:
        first, begun = self.conflicts, self.steps
        while True:
            left = SLICE if budget is None else budget - (self.conflicts - first)
            if left <= 0 or (steps is not None and self.steps - begun >= steps):
                return GAVE_UP
            progress.step(0.0)
            self._solver.conf_budget(min(SLICE, left))
            # With False, python-sat takes Ctrl+C for itself while it searches, and raises an error of its own.
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

    def _checked(self, model: list[int], clues: Mapping[int, int], on: Collection[int]) -> LoopEdges | None:
        """The line of an answer if it is one loop that meets all that is asked; spurious loops are ruled out."""
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
            self._rule_out(loop, broken)
        return None

    def _rule_out(self, loop: Sequence[int], broken: Sequence[int]) -> None:
        """Where all edges of a loop are on, what it breaks is not asked; some of it is said, the rest when needed."""
        self.cuts += 1
        self._top += 1
        whole = self._top
        add = self._solver.add_clause
        add([whole, *(-edge - 1 for edge in loop)])
        for literal in broken[:: len(broken) // MOST_SAID + 1]:
            add([-whole, -literal])

    @property
    def steps(self) -> int:
        """What all searches so far took: the same for the same questions on every computer."""
        return self.conflicts + self.cuts

    @property
    def conflicts(self) -> int:
        """The conflicts of all searches so far."""
        return int(self._solver.accum_stats()["conflicts"])

    def _selector(self, clue: tuple[int, int]) -> int:
        """The variable that switches a clue, a cell and its count, on."""
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
    """Clauses, and the literals that follow from some one clause at a time; nothing is supposed."""

    def __init__(self) -> None:
        from pysat.solvers import Solver

        self._solver = Solver(name="minisat22")

    def close(self) -> None:
        """Free its memory."""
        self._solver.delete()

    def add(self, *clause: int) -> None:
        """Add a clause: one of its literals holds."""
        self._solver.add_clause(clause)

    def followed(self, assumed: Sequence[int]) -> list[int]:
        """The literals that follow, with those assumed."""
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
    """The loops that satisfy clues, up to `most`, and their count; it is complete if there are no more.

    A loop that is known to be one of them comes first. The search stops after `steps` steps.

    >>> from studio.solving.loops import net
    >>> two_squares = net([(0, 1, 4, 3), (1, 2, 5, 4)], [(0, 1), (1, 2), (0, 3), (1, 4), (2, 5), (3, 4), (4, 5)])
    >>> solutions(two_squares, {0: 4}, Progress(), most=2)[0]
    [(0, 2, 3, 5)]
    """
    began = perf_counter()
    search = LoopSearch(net)
    lines: list[LoopEdges] = []
    if known is not None:
        search.prefer(known)
        lines = [known]
    is_complete = False
    try:
        while len(lines) < most:
            left = None if steps is None else steps - search.steps
            answer = search.find(clues, barred=lines, progress=progress, steps=left)
            if answer.line is None:
                is_complete = answer.is_known
                break
            lines.append(answer.line)
        return lines, Count(len(lines), is_complete, search.steps, perf_counter() - began)
    finally:
        search.close()
