"""Which cells are known to be on the same side of the loop, inside or outside, or on opposite sides.

root: the cell that represents all that are linked. odd: on the other side than its root.
"""

from __future__ import annotations


class Contradiction(Exception):
    """What is known of the edges cannot be."""


class Sides:
    """Which cells are known to be on the same side of the loop, or on opposite sides."""

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
        """Say of two cells whether they are on opposite sides; whether that is news. Raises Contradiction."""
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
        """Whether two cells are on opposite sides; None where that is not known."""
        first, first_odd = self._root(one)
        second, second_odd = self._root(other)
        return None if first != second else first_odd != second_odd
