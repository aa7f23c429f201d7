"""What a design becomes: a drawing to cut, or solids to print; derived, shown and exported, never saved."""

from __future__ import annotations

from dataclasses import dataclass

from studio.geometry.drawing import Drawing


@dataclass(frozen=True, eq=False)
class Shapes:
    """The shapes of one design."""

    drawing: Drawing
