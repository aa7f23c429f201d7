"""The ability to be printed: solids for a 3-D printer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from studio.base.progress import Progress
from studio.base.texts import tr
from studio.puzzles.abilities.ability import Ability

if TYPE_CHECKING:
    from studio.geometry.curves.strokes import Floats
    from studio.geometry.solids.solid import Solid

D = TypeVar("D")
S = TypeVar("S")


def _no_gap(_shapes: object) -> None:
    return None


@dataclass(frozen=True, eq=False)
class Seen:
    """Bodies as they are looked at: put together, and how far (n, 3) in mm each is from there when spread apart.

    They are as rough as is good enough for the screen. `printed` are those of which the plates are made.
    """

    solids: tuple[Solid, ...]
    ways: Floats
    printed: tuple[Solid, ...]
    pieces: int | None = None
    """How many of the bodies are pieces of the puzzle, where not all are."""
    note: str = ""
    """A sentence about bodies that cannot be printed as they are shown."""


@dataclass(frozen=True)
class Printable(Ability, Generic[D, S]):
    """The bodies of a puzzle, and what to know of how they fit."""

    lacking: ClassVar[str] = tr("There is nothing to 3-D print for {key} puzzles: they are flat.")

    bodies: Callable[[S, Progress], tuple[Solid, ...]]
    """The solids as they are printed, side by side, which may take a while."""
    fit: Callable[[S], tuple[tuple[str, str], ...]]
    """How they go together, for somebody about to print: titles and values in words."""
    gap: Callable[[S], float | None] = _no_gap
    """The clearance in mm in a joint between two solids; None where there is no joint."""
    joints: Callable[[D, Sequence[float], Progress], tuple[Solid, ...]] | None = None
    """Blocks that try the design's joints at several clearances in mm, a pair for each."""
    seen: Callable[[S, Progress], Seen] | None = None
    """What is shown in space, which may take a while; None for a kind that shows its bodies itself."""
