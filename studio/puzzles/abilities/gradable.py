"""The ability to be graded: the difficulty of a design, and harder or easier designs."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from studio.base.amounts import share as in_percent
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.puzzles.abilities.ability import Ability

D = TypeVar("D")
LEVELS = (
    tr("Among the easiest"),
    tr("Easier than average"),
    tr("Average"),
    tr("Harder than average"),
    tr("Among the hardest"),
)


@dataclass(frozen=True)
class Grade(Generic[D]):
    """A design and its difficulty: the steps of a search for it, and the sorted `efforts` of similar designs.

    `lost` names edits of the original design that this design lacks, or is "".
    """

    design: D
    effort: int
    efforts: tuple[int, ...]
    lost: str = ""

    @property
    def share(self) -> float:
        """Share of similar designs that are easier, 0 to 1."""
        return bisect_left(self.efforts, self.effort) / len(self.efforts)

    @property
    def alike(self) -> float:
        """Share of similar designs that are equally hard, 0 to 1."""
        return bisect_right(self.efforts, self.effort) / len(self.efforts) - self.share

    @property
    def easier(self) -> str:
        """Share of similar designs that are easier, as text: none, 43 %, all."""
        if self.share in (0, 1):
            return tr("all") if self.share else tr("none")
        return in_percent(self.share)

    @property
    def level(self) -> str:
        """Approximate difficulty as text."""
        if self.efforts[0] == self.efforts[-1] == self.effort:
            return tr("As hard as all others of its size")
        if self.effort <= self.efforts[0]:
            return LEVELS[0]
        return LEVELS[min(int((self.share + self.alike / 2) * len(LEVELS)), len(LEVELS) - 1)]

    @property
    def explanation(self) -> str:
        """Sentence that explains the numbers; kinds override it."""
        return f"{self.level}."


@dataclass(frozen=True)
class Gradable(Ability, Generic[D]):
    """Grades a design, and finds a harder or easier design; all raise StudioError if that is impossible."""

    lacking: ClassVar[str] = tr("There is no difficulty rating for {key} puzzles.")

    grade: Callable[[D, Progress], Grade[D]]
    harder: Callable[[D, Progress], Grade[D]]
    easier: Callable[[D, Progress], Grade[D]]
    at_share: Callable[[D, float, Progress], Grade[D]]
    """Finds a design for which about a share of similar designs, 0 to 1, is easier."""
