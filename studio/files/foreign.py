"""Drawings of other programs: their units of length, and what is found in them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from studio.errors import StudioError
from studio.geometry.curves import Floats
from studio.texts import alternatives, tr

UNITS = {"mm": 1.0, "cm": 10.0, "in": 25.4, "pt": 25.4 / 72, "pc": 25.4 / 6, "px": 25.4 / 96, "q": 0.25}
"""The mm in each unit that files state."""
OFFERED = {
    "mm": 1.0, "cm": 10.0, "in": 25.4, "pt": 25.4 / 72, "px72": 25.4 / 72, "px90": 25.4 / 90, "px96": 25.4 / 96,
}  # fmt: skip
"""The mm in each unit to choose from; pixels are 1/72 inch in Illustrator, 1/90 in old Inkscape, 1/96 on the web."""


@dataclass
class Found:
    """Strokes (3k + 1, 2) of a file in mm, the layer of each ("" for none), and how many elements were left out.

    `left_out` counts elements that are no paths by their sort; `notes` are whole sentences about all else.
    """

    strokes: list[Floats] = field(default_factory=list)
    layers: list[str] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)


class UnitMissing(StudioError):
    """A file states no unit of length, and none was chosen for it."""


def millimetres(unit: str | None) -> float:
    """The mm in a unit chosen for a file; raises UnitMissing without one. "px" is short for "px96"."""
    if unit is None:
        raise UnitMissing(tr("it states no unit of length; choose {units}.", units=alternatives(OFFERED)))
    scale = OFFERED.get("px96" if unit == "px" else unit)
    if scale is None:
        raise StudioError(tr("{unit!r} is not a unit; choose {units}.", unit=unit, units=alternatives(OFFERED)))
    return scale
