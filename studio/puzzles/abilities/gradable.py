"""The ability to be graded: how hard a design is, and one that is harder or easier."""

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
    """A design and how hard it is: the steps of a search for it, beside the `efforts` of others like it, sorted.

    `lost` names edits of the design that it was found from that are not in it, in words; else it is empty.
    """

    design: D
    effort: int
    efforts: tuple[int, ...]
    lost: str = ""

    @property
    def share(self) -> float:
        """The share (0 to 1) of the others that are easier."""
        return bisect_left(self.efforts, self.effort) / len(self.efforts)

    @property
    def alike(self) -> float:
        """The share (0 to 1) of the others that are neither easier nor harder."""
        return bisect_right(self.efforts, self.effort) / len(self.efforts) - self.share

    @property
    def easier(self) -> str:
        """How many of the others are easier, in a word: none, 43 %, all."""
        if self.share in (0, 1):
            return tr("all") if self.share else tr("none")
        return in_percent(self.share)

    @property
    def level(self) -> str:
        """About how hard it is, in few words."""
        if self.efforts[0] == self.efforts[-1] == self.effort:
            return tr("As hard as all others of its size")
        if self.effort <= self.efforts[0]:
            return LEVELS[0]
        return LEVELS[min(int((self.share + self.alike / 2) * len(LEVELS)), len(LEVELS) - 1)]

    @property
    def words(self) -> str:
        """What the numbers mean, in a sentence; kinds say it of their own."""
        return f"{self.level}."


@dataclass(frozen=True)
class Gradable(Ability, Generic[D]):
    """Grades a design, and finds a harder or an easier one; all raise StudioError where that is impossible."""

    lacking: ClassVar[str] = tr("There is no difficulty rating for {key} puzzles.")

    grade: Callable[[D, Progress], Grade[D]]
    harder: Callable[[D, Progress], Grade[D]]
    easier: Callable[[D, Progress], Grade[D]]
    at_share: Callable[[D, float, Progress], Grade[D]]
    """Finds one for which about a share (0 to 1) of the others is easier."""
