"""The ability to have texts in a design, which a batch fills in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from studio.base.texts import tr
from studio.puzzles.abilities.ability import Ability

D = TypeVar("D")


@dataclass(frozen=True)
class Inscribable(Ability, Generic[D]):
    """Replaces each text of a design's edits by the result of a function."""

    lacking: ClassVar[str] = tr("There are no texts in {key} puzzles.")

    inscribed: Callable[[D, Callable[[str], str]], D]
