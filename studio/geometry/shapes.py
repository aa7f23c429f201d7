"""What a design becomes: a drawing to cut, or solids to print; derived, shown and exported, never saved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from studio.geometry.drawing import Drawing

if TYPE_CHECKING:
    from studio.geometry.solid import Solid


@dataclass(frozen=True, eq=False)
class Shapes:
    """The shapes of one design."""

    drawing: Drawing

    @property
    def bed(self) -> tuple[Solid, ...]:
        """The solids as they are printed, side by side; a flat puzzle has none."""
        return ()

    @property
    def is_printed(self) -> bool:
        """Whether there are solids; kinds whose solids take a while say so without making them."""
        return bool(self.bed)

    @property
    def fit(self) -> tuple[tuple[str, str], ...]:
        """What somebody who prints the solids should know of how they go together: names and values in words."""
        return ()

    @property
    def gap(self) -> float | None:
        """The air in mm in a joint between two solids; None where there is none."""
        return None
