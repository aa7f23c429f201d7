"""The abilities to be printed: solids for a 3-D printer, and pages of paper."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from studio.base.progress import Progress
from studio.base.texts import tr
from studio.base.units import in_millimetres
from studio.puzzles.abilities.ability import Ability

if TYPE_CHECKING:
    from studio.geometry.curves.strokes import Floats
    from studio.geometry.solids.solid import Solid
    from studio.paper.leaflet import Leaflet

D = TypeVar("D")
S = TypeVar("S")


@dataclass(frozen=True, eq=False)
class Seen:
    """Bodies for the view: assembled `solids`, and `ways`, the shifts in mm that spread them apart, shape (n, 3).

    They are simplified for the screen. `printed` are the bodies on the plates.
    """

    solids: tuple[Solid, ...]
    ways: Floats
    printed: tuple[Solid, ...]
    pieces: int | None = None
    """Number of bodies that are pieces of the puzzle; None if all are."""
    note: str = ""
    """Sentence about bodies that cannot be printed as shown."""


@dataclass(frozen=True)
class Printable(Ability, Generic[D, S]):
    """Bodies of a puzzle, and facts about their fit."""

    lacking: ClassVar[str] = tr("There is nothing to 3-D print for {key} puzzles: they are flat.")

    bodies: Callable[[S, Progress], tuple[Solid, ...]]
    """Solids as printed, side by side; may take a while."""
    fit: Callable[[S], tuple[tuple[str, str], ...]]
    """Facts about the fit before printing: titles and values as text."""
    gap: Callable[[S], float | None] = lambda _shapes: None
    """Clearance in mm in a joint between two solids; None without joints."""
    joints: Callable[[D, Sequence[float], Progress], tuple[Solid, ...]] | None = None
    """Blocks that test the design's joints, a pair for each clearance in mm."""
    seen: Callable[[S, Progress], Seen] | None = None
    """Bodies for the 3-D view; may take a while. None for a kind that shows its printed bodies."""


@dataclass(frozen=True)
class PaperPrintable(Ability, Generic[S]):
    """The leaflet of a puzzle: its title, and its layout on paper."""

    lacking: ClassVar[str] = tr("There is no leaflet for {key} puzzles.")

    title: str
    lay_out: Callable[[S, str, tuple[float, float], Progress], Leaflet]
    """Lays out the leaflet of shapes under a name, on paper of a width and height in mm."""

    def leaflet(self, shapes: S, name: str, size: tuple[float, float], progress: Progress) -> Leaflet:
        """Call `lay_out` with lengths in millimetres, independent of the unit on screen."""
        with in_millimetres():
            return self.lay_out(shapes, name, size, progress)
