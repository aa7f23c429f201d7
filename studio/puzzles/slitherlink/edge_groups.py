"""Dots and cells of a net as groups of edges, and the consequences of the ways to draw a group.

group: a dot or a cell, with the edges around it; dots are numbered first. ways: the possible states of a group's edges,
as a set of bits, one for each of the 2^n states of its n edges. corner: an edge of a group and the next; a cell and a
dot share the corner between them. mask: the remaining ones of the four combinations of a corner's two edges.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from studio.solving.loops import Net

UNKNOWN, ON, OFF = 0, 1, 2
"""State of an edge: unknown, on the loop (a line), or off it (a cross)."""
EQUAL, OPPOSITE = 0b1001, 0b0110
"""The masks of two edges with equal states, and of two edges with one of them on."""
ANY = 0b1111
"""The mask that leaves all four combinations."""
Pair = tuple[int, int, int]
"""Two edges of a group by their places, and 0 if they are equal, 1 if they are opposite."""


class Ways:
    """Consequences of the ways of a group of some size; answers are kept."""

    def __init__(self, size: int) -> None:
        self.size = size
        states = range(1 << size)
        self.every = (1 << (1 << size)) - 1
        self.on = tuple(_bits(state for state in states if state >> at & 1) for at in range(size))
        self.off = tuple(self.every & ~bits for bits in self.on)
        self.sums = tuple(_bits(s for s in states if s.bit_count() == total) for total in range(size + 1))
        """The ways by the number of edges that are on."""
        self.fixed = _Fixed(self)
        """For ways: the places of edges that are on in all of them, and of edges that are off in all."""
        self.masks = _Masks(self)
        """For ways: the mask of each corner, made by an edge and the next."""
        self.links = _Links(self)
        """For ways: the pairs of edges that are equal in all of them, or opposite."""
        self.allowed = tuple(tuple(self.pair(at, (at + 1) % size, mask) for mask in range(16)) for at in range(size))
        """For each corner and mask: the ways that have one of its combinations."""

    def pair(self, one: int, other: int, mask: int) -> int:
        """The ways in which two edges have one of the combinations of a mask."""
        found = 0
        for which in range(4):
            if mask >> which & 1:
                found |= (self.on if which & 1 else self.off)[one] & (self.on if which & 2 else self.off)[other]
        return found


class _Fixed(dict[int, tuple[tuple[int, ...], tuple[int, ...]]]):
    def __init__(self, ways: Ways) -> None:
        self._ways = ways

    def __missing__(self, left: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        on = tuple(at for at, bits in enumerate(self._ways.off) if not left & bits)
        off = tuple(at for at, bits in enumerate(self._ways.on) if not left & bits)
        self[left] = found = on, off
        return found


class _Masks(dict[int, tuple[int, ...]]):
    def __init__(self, ways: Ways) -> None:
        self._ways = ways

    def __missing__(self, left: int) -> tuple[int, ...]:
        ways, size = self._ways, self._ways.size
        self[left] = found = tuple(
            _bits(which for which in range(4) if left & ways.pair(at, (at + 1) % size, 1 << which))
            for at in range(size)
        )
        return found


class _Links(dict[int, tuple[Pair, ...]]):
    def __init__(self, ways: Ways) -> None:
        self._ways = ways

    def __missing__(self, left: int) -> tuple[Pair, ...]:
        ways = self._ways
        self[left] = found = tuple(
            (one, other, parity)
            for one in range(ways.size)
            for other in range(one + 1, ways.size)
            for parity, mask in enumerate((EQUAL, OPPOSITE))
            if not left & ~ways.pair(one, other, mask)
        )
        return found


def _bits(numbers: Iterable[int]) -> int:
    return sum(1 << number for number in numbers)


@lru_cache(maxsize=16)
def ways_of(size: int) -> Ways:
    """The consequences of ways for groups of a size."""
    return Ways(size)


class Ground:
    """All groups of a net, dots first and then cells, before any clue is given."""

    def __init__(self, net: Net) -> None:
        self.net = net
        self.dots = len(net.stars)
        self.edges = [*net.stars, *net.edges]
        self.ways = [ways_of(len(edges)) for edges in self.edges]
        self.first = [ways.sums[0] | ways.sums[2] for ways in self.ways[: self.dots]]
        self.first += [ways.every for ways in self.ways[self.dots :]]
        self.touched: tuple[list[list[tuple[int, int]]], ...] = ([], [[] for _ in net.ends], [[] for _ in net.ends])
        """For each value and edge: the groups of the edge, and the ways that have this value there."""
        for group, edges in enumerate(self.edges):
            for at, edge in enumerate(edges):
                self.touched[ON][edge].append((group, self.ways[group].on[at]))
                self.touched[OFF][edge].append((group, self.ways[group].off[at]))
        self.corners: list[list[tuple[int, int, int]]] = [[] for _ in self.edges]
        """For each group: its corners, each with the group that shares it and its number there."""
        self.is_rim = [False] * len(self.edges)
        """True for a cell that is alone at one of its dots."""
        places = [{cell: at for at, cell in enumerate(wedges)} for wedges in net.wedges]
        for cell, dots in enumerate(net.dots):
            group = self.dots + cell
            for at, dot in enumerate(dots):
                here, there = (at - 1) % len(dots), places[dot][cell]
                self.corners[group].append((here, dot, there))
                self.corners[dot].append((there, group, here))
                if len(net.stars[dot]) == 2:
                    self.first[group] &= self.ways[group].allowed[here][EQUAL]
                    self.is_rim[group] = True
        self.between = {frozenset(ends): edge for edge, ends in enumerate(net.ends)}

    def beside(self, group: int, one: int, other: int) -> tuple[int, int] | None:
        """Return the two cells whose sides a pair of a group's edges relates; None if the pair relates none.

        They are the neighbours of a cell beyond the edges, or the cells beyond two neighbouring edges of a dot.
        """
        if group >= self.dots:
            near = self.net.near[group - self.dots]
            return near[one], near[other]
        around = self.net.wedges[group]
        if (one + 1) % len(around) == other:
            return around[one - 1], around[other]
        if (other + 1) % len(around) == one:
            return around[other - 1], around[one]
        return None


@lru_cache(maxsize=8)
def ground_of(net: Net) -> Ground:
    """The groups of a net."""
    return Ground(net)


class Joint(NamedTuple):
    """The change of a loop by a line: the ends of its piece, what was at their other ends before, and the count."""

    first: int
    before: int
    last: int
    after: int
    pieces: int
    closing: int | None
    """The unknown edge that would close the piece."""


class Loop:
    """The pieces of the loop that are drawn; `value` and `clues` are followed as they change."""

    def __init__(self, ground: Ground, value: Sequence[int], clues: Mapping[int, int]) -> None:
        self._net, self._between, self._value, self._clues = ground.net, ground.between, value, clues
        self._pieces = 0
        self._far = list(range(ground.dots))
        """For each dot that ends a piece: the dot at its other end."""

    def join(self, edge: int) -> Joint | None:
        """Join a line to the pieces; None if it closes one."""
        far = self._far
        one, other = self._net.ends[edge]
        first, last = far[one], far[other]
        if first == other:
            return None
        closing = self._between.get(frozenset((first, last)))
        if closing is not None and self._value[closing] != UNKNOWN:
            closing = None
        joint = Joint(first, far[first], last, far[last], self._pieces, closing)
        self._pieces += 1 - (first != one) - (last != other)
        far[first], far[last] = last, first
        return joint

    def take_back(self, joint: Joint) -> None:
        """Undo the last joint."""
        self._far[joint.first], self._far[joint.last], self._pieces = joint.before, joint.after, joint.pieces

    def completes(self, edge: int | None = None) -> bool:
        """True if the loop is whole, with `edge` if it closes a piece, and every clue has its lines."""
        if self._pieces != 1:
            return False
        value, net = self._value, self._net
        extra = net.sides[edge] if edge is not None else ()
        return all(
            sum(value[other] == ON for other in net.edges[cell]) + (cell in extra) == count
            for cell, count in self._clues.items()
        )


# Cells known to be on the same side of the loop, inside or outside, or on opposite sides.
#
# root: the cell that represents all linked ones. odd: on the other side than its root.


class Contradiction(Exception):
    """The known edges contradict each other."""


class Sides:
    """Links between cells that are on the same side of the loop, or on opposite sides."""

    def __init__(self, count: int) -> None:
        self._parents = list(range(count))
        self._odd = [False] * count

    def _root(self, cell: int) -> tuple[int, bool]:
        way, is_odd = [], False
        while self._parents[cell] != cell:
            way.append(cell)
            cell = self._parents[cell]
        for one in reversed(way):
            is_odd = self._odd[one] = self._odd[one] != is_odd
            self._parents[one] = cell
        return cell, is_odd

    def link(self, one: int, other: int, is_apart: bool) -> bool:
        """Link two cells on the same side or on opposite sides; return whether that is new. Raises Contradiction."""
        first, first_odd = self._root(one)
        second, second_odd = self._root(other)
        if first == second:
            if (first_odd != second_odd) != is_apart:
                raise Contradiction
            return False
        self._parents[second] = first
        self._odd[second] = (first_odd != second_odd) != is_apart
        return True

    def apart(self, one: int, other: int) -> bool | None:
        """Return whether two cells are on opposite sides; None if unknown."""
        first, first_odd = self._root(one)
        second, second_odd = self._root(other)
        return None if first != second else first_odd != second_odd
