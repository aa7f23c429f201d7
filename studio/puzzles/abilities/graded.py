"""The ability to be graded: how hard a design is, and one that is harder or easier."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from studio.progress import Progress
from studio.puzzles.abilities.ability import Ability

D = TypeVar("D")


class Grade(Protocol):
    """How hard a design is beside others like it."""

    @property
    def design(self) -> Any:
        """The design that was graded."""

    @property
    def effort(self) -> int:
        """The steps that the search for all its solutions takes."""

    @property
    def efforts(self) -> tuple[int, ...]:
        """The efforts of the others, sorted."""

    @property
    def share(self) -> float:
        """The share (0 to 1) of the others that are easier."""

    @property
    def alike(self) -> float:
        """The share (0 to 1) of the others that are neither easier nor harder."""

    @property
    def level(self) -> str:
        """About how hard it is, in few words."""

    @property
    def words(self) -> str:
        """What the numbers mean, in a sentence."""

    @property
    def lost(self) -> str:
        """Edits of the design that it was found from that are not in it, in words; else empty."""


@dataclass(frozen=True)
class Graded(Ability, Generic[D]):
    """Tells how hard a design is, and finds a harder or an easier one; all raise StudioError where that cannot be."""

    lacking: ClassVar[str] = "Designs of the kind {key} are not compared by how hard they are."

    grade: Callable[[D, Progress], Grade]
    harder: Callable[[D, Progress], Grade]
    easier: Callable[[D, Progress], Grade]
    at_share: Callable[[D, float, Progress], Grade]
    """Finds one for which about a share (0 to 1) of the others is easier."""
