"""The ability to be cut from a sheet, by a laser or a plotter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from studio.geometry.drawing import Drawing
from studio.geometry.joint import Joint
from studio.puzzles.abilities.ability import Ability
from studio.texts import tr

S = TypeVar("S")
MOST_MOVED = 300
"""Up to how many moved strokes a check can follow a drag; more would not fit in a frame."""


@dataclass(frozen=True)
class Cut(Ability, Generic[S]):
    """A drawing of what is cut."""

    lacking: ClassVar[str] = tr("There is nothing to cut for {key} puzzles.")

    drawing: Callable[[S], Drawing]
    joint: Callable[[S], Joint]
    """The joint that a coupon tries; raises StudioError where the design has none."""
    has_edges: bool = True
    """Whether its cuts stand for straight edges, which a draft shows beside them."""


class Drawn(Protocol):
    """Shapes with a drawing and the design that they are of."""

    @property
    def design(self) -> Any:
        """The design."""

    @property
    def drawing(self) -> Drawing:
        """What is cut."""


def moved_few_strokes(now: Drawn, then: Drawn) -> bool:
    """Whether shapes of the same parameters differ by so few strokes that their check fits in a frame."""
    if now.design.parameters != then.design.parameters:
        return False
    strokes, before = now.drawing.strokes, then.drawing.strokes
    return len(strokes) == len(before) and len(strokes.changed_since(before)) <= MOST_MOVED
