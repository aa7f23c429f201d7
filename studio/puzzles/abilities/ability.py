"""Base of all abilities, and the abilities that need only a function or two."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from studio.base.progress import Progress
from studio.base.texts import tr

D = TypeVar("D")
D_co = TypeVar("D_co", covariant=True)


class Ability:
    """A capability of some kinds of puzzle; it brings commands, a place in the window, and promises to keep."""

    lacking: ClassVar[str]
    """Sentence for a kind without the ability; `{key}` is replaced by the key of the kind."""


@dataclass(frozen=True)
class Sized(Ability):
    """Adds a size to the chosen parameters of a new design, by name; chosen sizes are kept."""

    lacking: ClassVar[str] = tr("The size of {key} puzzles follows from their parts.")

    sized: Callable[[Mapping[str, Any]], dict[str, Any]]


@dataclass(frozen=True)
class Inscribable(Ability, Generic[D]):
    """Replaces each text of a design's edits by the result of a function."""

    lacking: ClassVar[str] = tr("There are no texts in {key} puzzles.")

    inscribed: Callable[[D, Callable[[str], str]], D]


class Mended(Protocol[D_co]):
    """A repaired design."""

    @property
    def design(self) -> D_co:
        """Repaired design."""

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
    """Reshapes pieces until each fits in a single place at a clearance in mm, as far as possible."""

    lacking: ClassVar[str] = tr("Pieces of {key} puzzles cannot be made unique.")

    unique: Callable[[D, float, Progress], Mended[D]]
