"""The ability to be solved by search: how many solutions there are, of the puzzle or of each of its targets."""

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
    """Counts the solutions of a design; symmetric ones count once."""

    def __call__(
        self, design: D_contra, target: Sequence[str], progress: Progress, /, *, most: int | None = None
    ) -> Count:
        """The number of solutions for a target, a choice of cells; beyond `most` only that there are that many."""


@dataclass(frozen=True)
class Targets(Generic[D]):
    """What a kind offers whose designs are another puzzle for every date, or whatever its labels name.

    `date` and `labels` give the cells that stay open for a date (`10-06`) or for labels (`Jan,6`), and raise
    StudioError for words that name nothing; no words at all do so where there is something to choose.
    """

    date: Callable[[D, str], Sequence[str]]
    labels: Callable[[D, str], Sequence[str]]
    year: Callable[[D, Progress], Tally]


@dataclass(frozen=True)
class Solvable(Ability, Generic[D]):
    """The number of solutions of a design."""

    lacking: ClassVar[str] = tr("There is nothing to solve for {key} puzzles: each design is its own solution.")

    count: CountSolutions[D]
    targets: Targets[D] | None = None
    """None for a kind whose designs are one puzzle, which is counted for no target."""
