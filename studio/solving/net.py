"""A plane net of cells: which edges and cells are around each, as plain tuples for searches that step through it.

dot: where edges meet. outside: all that is no cell; its number is the count of cells. ring: the cells around a cell in
turn, at its edges and at its dots. inside: cells that a loop encloses.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass


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
