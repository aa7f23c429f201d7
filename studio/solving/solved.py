"""What is known of a puzzle's solutions once they were looked for."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Count:
    """How many solutions were found, symmetric ones counted once; `complete` if there are no more than these.

    `nodes` is the number of search nodes: the same for the same puzzle on every computer.
    """

    solutions: int
    complete: bool
    nodes: int
    seconds: float

    @property
    def of_solved(self) -> Count:
        """The count for a puzzle whose own solution is known: a search that ended early may not have come to it."""
        return self if self.complete or self.solutions else replace(self, solutions=1)


@dataclass(frozen=True)
class Tally:
    """The solutions of a puzzle for each of its dates, under the words that name them; `lines` are the same as text.

    Where it is not `complete`, every count is a lower bound.
    """

    counts: dict[str, int]
    lines: tuple[str, ...]
    complete: bool
    nodes: int
    seconds: float
