"""What is known of a puzzle's solutions once they were looked for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Solved:
    """How many solutions were found, symmetric ones counted once; `complete` if there are no more than these.

    `nodes` tells how many steps the search tried: the same for the same puzzle on every computer.
    """

    solutions: int
    complete: bool
    nodes: int
    seconds: float
