"""Drawings of other programs: their units of length, and what is found in them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from studio.errors import StudioError
from studio.geometry.curves import Floats
from studio.texts import alternatives, tr

UNITS = {"mm": 1.0, "cm": 10.0, "in": 25.4, "pt": 25.4 / 72, "pc": 25.4 / 6, "px": 25.4 / 96, "q": 0.25}
"""The mm in each unit."""
OFFERED = ("mm", "cm", "in", "pt", "px")


@dataclass
class Found:
    """What a file draws: strokes (3k + 1, 2) in mm, and how many elements of each sort are left out."""

    strokes: list[Floats] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)


class UnitMissing(StudioError):
    """A file states no unit of length, and none was chosen for it."""


def millimetres(unit: str | None) -> float:
    """The mm in a unit chosen for a file that states none; raises UnitMissing without one."""
    if unit is None:
        raise UnitMissing(tr("it states no unit of length; choose {units}.", units=alternatives(OFFERED)))
    if unit not in OFFERED:
        raise StudioError(tr("{unit!r} is not a unit; choose {units}.", unit=unit, units=alternatives(OFFERED)))
    return UNITS[unit]
