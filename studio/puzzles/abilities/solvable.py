"""The ability to be solved by search: the number of solutions of the puzzle or of each of its targets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Generic, Protocol, TypeVar

from studio.base.progress import Progress
from studio.base.texts import tr
from studio.puzzles.abilities.ability import Ability

if TYPE_CHECKING:
    from studio.solving.solved import Count, Tally

D = TypeVar("D")
D_contra = TypeVar("D_contra", contravariant=True)


class CountSolutions(Protocol[D_contra]):
    """Counts the solutions of a design; symmetric solutions count once."""

    def __call__(
        self, design: D_contra, target: Sequence[str], progress: Progress, /, *, most: int | None = None
    ) -> Count:
        """Count the solutions for a target, a choice of cells; stop counting at `most`."""


@dataclass(frozen=True)
class Targets(Generic[D]):
    """Targets of a kind whose designs are a different puzzle for every date or choice of labels.

    `date` and `labels` return the cells that stay open for a date (`10-06`) or for labels (`Jan,6`). They raise
    StudioError for unknown names, and for an empty text if a choice is required.
    """

    date: Callable[[D, str], Sequence[str]]
    labels: Callable[[D, str], Sequence[str]]
    year: Callable[[D, Progress], Tally]


@dataclass(frozen=True)
class Solvable(Ability, Generic[D]):
    """Counts the solutions of a design."""

    lacking: ClassVar[str] = tr("There is nothing to solve for {key} puzzles: each design is its own solution.")

    count: CountSolutions[D]
    targets: Targets[D] | None = None
    """None for a kind whose designs are a single puzzle, counted without a target."""
