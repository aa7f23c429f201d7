"""Results of a search for a puzzle's solutions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Count:
    """Number of solutions found, symmetric ones counted once; `complete` if no others exist.

    `nodes` is the number of search nodes: the same for the same puzzle on every computer.
    """

    solutions: int
    complete: bool
    nodes: int
    seconds: float

    @property
    def of_solved(self) -> Count:
        """At least one solution, for a puzzle whose own is known, even if the search ended before it."""
        return self if self.complete or self.solutions else replace(self, solutions=1)


def set_bits(number: int) -> Iterator[int]:
    """The places of the bits of a number that are 1, the lowest first."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


@dataclass(frozen=True)
class Tally:
    """Solutions of a puzzle for each of its dates, by the dates' names; `lines` are the same as text.

    Unless `complete`, every count is a lower bound.
    """

    counts: dict[str, int]
    lines: tuple[str, ...]
    complete: bool
    nodes: int
    seconds: float
