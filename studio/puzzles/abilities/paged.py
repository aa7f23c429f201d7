"""The ability to be laid out on paper."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from studio.base.progress import Progress
from studio.base.texts import tr
from studio.base.units import in_millimetres
from studio.puzzles.abilities.ability import Ability

if TYPE_CHECKING:
    from studio.paper.leaflet import Leaflet

D = TypeVar("D")
S = TypeVar("S")


@dataclass(frozen=True)
class Paged(Ability, Generic[S]):
    """The leaflet of a puzzle: its title, and its layout on paper."""

    lacking: ClassVar[str] = tr("There is no leaflet for {key} puzzles.")

    title: str
    lay_out: Callable[[S, str, tuple[float, float], Progress], Leaflet]
    """Lays out the leaflet of shapes under a name, on paper of a width and height in mm."""

    def leaflet(self, shapes: S, name: str, size: tuple[float, float], progress: Progress) -> Leaflet:
        """Call `lay_out` with lengths in millimetres, independent of the unit on screen."""
        with in_millimetres():
            return self.lay_out(shapes, name, size, progress)
