"""The abilities to be repaired as a whole, and to be made of pieces that fit in one place only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Generic, Protocol, TypeVar

from studio.base.progress import Progress
from studio.base.texts import tr
from studio.puzzles.abilities.ability import Ability

D = TypeVar("D")
D_co = TypeVar("D_co", covariant=True)


class Mended(Protocol[D_co]):
    """A repaired design."""

    @property
    def design(self) -> D_co:
        """The design."""

    @property
    def left(self) -> tuple[str, ...]:
        """Problems that remain and why, in sentences."""


@dataclass(frozen=True)
class Repairable(Ability, Generic[D]):
    """Solves all problems of a design at once, by few and small changes."""

    lacking: ClassVar[str] = tr("There is no automatic repair for {key} puzzles.")

    repair: Callable[[D, Progress], Mended[D]]


@dataclass(frozen=True)
class Distinguishable(Ability, Generic[D]):
    """Reshapes pieces until each fits in one place only, for a clearance in mm, as far as possible."""

    lacking: ClassVar[str] = tr("Pieces of {key} puzzles cannot be made unique.")

    unique: Callable[[D, float, Progress], Mended[D]]
