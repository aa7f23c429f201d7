"""The cut plan: in which order and direction a drawing's lines are cut, and all the numbers by which it is judged.

pen-up: the beam goes off, the head travels, the beam goes on. loose cut: a cut whose wood on both sides is already
free of the frame. frame: what is left of the sheet around the board; it falls away last. reach: over how many pieces,
counted from the frame, what is not yet cut still hangs together at its longest.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from studio.geometry.curves import Floats, Ints
from studio.geometry.drawing import Drawing


class Strategy(Enum):
    """How the order is sought; the value is its name in files and on the command line."""

    SNAKE = "snake"
    LOW_SAG = "low-sag"
    RELEASE_AWARE = "release-aware"
    SINGLY = "singly"
    AS_DRAWN = "as-drawn"


@dataclass(frozen=True, eq=False)
class Timeline:
    """Where the head is at any moment of a plan, and when each piece falls free.

    The head is at `points[i]` (n, 2) in mm after `times[i]` seconds, ascending, and moves evenly between. `cuts[i]`
    is the place in the plan, counted over all strokes of all chains, of the stroke that is cut on the way from point
    i to i + 1, or -1 where the head travels or waits with the beam off (n - 1 entries). `freed` has the seconds after
    which each piece is free of the frame, infinity where it never is.
    """

    points: Floats
    times: Floats
    cuts: Ints
    freed: Floats

    @property
    def seconds(self) -> float:
        """How long all of it takes."""
        return float(self.times[-1])


@dataclass(frozen=True, eq=False)
class Plan:
    """A drawing with its chains in the order and direction in which they are cut, and what that costs.

    Lengths in mm. `lower_bound` is the least travel that any order of this drawing's lines can have, `least_chains`
    the fewest chains in which they can be cut. `freed_by` has for each piece the place in the plan of the cut that
    frees it, counted over all strokes of all chains, and -1 where nothing does.
    """

    strategy: Strategy
    drawing: Drawing
    travel: float
    cut: float
    pen_ups: int
    lower_bound: float
    least_chains: int
    loose_cuts: int
    largest_freed: int
    reach: int
    freed_by: Ints
    timeline: Timeline

    @property
    def ratio(self) -> float:
        """Travel over the lower bound; 1 where neither is needed, infinity where only the bound is zero."""
        if self.lower_bound > 0:
            return self.travel / self.lower_bound
        return 1.0 if self.travel == 0 else float("inf")

    @property
    def seconds(self) -> float:
        """How long the machine takes."""
        return self.timeline.seconds
