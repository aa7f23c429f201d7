"""The ability to choose a size for a new design that suits its other parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from studio.base.texts import tr
from studio.puzzles.abilities.ability import Ability


@dataclass(frozen=True)
class Sized(Ability):
    """Adds a size to the chosen parameters of a new design, by name; chosen sizes are kept."""

    lacking: ClassVar[str] = tr("The size of {key} puzzles follows from their parts.")

    sized: Callable[[Mapping[str, Any]], dict[str, Any]]
