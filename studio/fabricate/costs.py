"""The cost of a puzzle: its share of the material, machine time, and extras.

material: the price of a sheet times the share of it that the puzzle takes, the rectangle around all its cuts. machine
time: the estimated time at the price of an hour of the machine. extras: a fixed sum for every puzzle, such as its box.
Each is rounded to hundredths, and the cost is their sum, so that a list of them adds up. Without any price there is no
cost.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from studio.base.encode import decode
from studio.base.errors import StudioError
from studio.base.folders import own_folder, write_own
from studio.base.json_files import read
from studio.base.parameters import Validated, line, number
from studio.base.texts import tr
from studio.base.units import figure
from studio.fabricate.workshop import COSTS, LARGEST, Machine, Material
from studio.geometry.planar.drawing import Drawing

if TYPE_CHECKING:
    from studio.fabricate.making import Made

FILE = "costs.json"
SQUARE_METRE = 1e6
BEFORE = "$£¥₹₩₽"
"""Currencies written before the amount."""


@dataclass(frozen=True)
class Pricing(Validated):
    """Extras of every puzzle, and the currency of all prices."""

    currency: str = line("€", title="Currency", longest=8, group=COSTS,
        help="Symbol or name of the currency of all prices.")  # fmt: skip
    extras: float = number(0.0, title="Extras per puzzle", minimum=0, maximum=1e6, step=0.05, group=COSTS,
        help="Added to the cost of every puzzle, such as box and printing.")  # fmt: skip


@dataclass(frozen=True)
class Cost:
    """The cost of one puzzle, each part rounded to hundredths of the currency."""

    material: float
    machine: float
    extras: float
    currency: str

    @property
    def total(self) -> float:
        """Sum of the parts."""
        return round(self.material + self.machine + self.extras, 2)

    @property
    def in_words(self) -> str:
        """The sum: `4.35 €`."""
        return money(self.total, self.currency)

    @property
    def parts(self) -> str:
        """All parts in a sentence."""
        return tr(
            "Material {material}, machine {machine}, extras {extras} per puzzle.",
            material=money(self.material, self.currency), machine=money(self.machine, self.currency),
            extras=money(self.extras, self.currency),
        )  # fmt: skip

    def values(self) -> dict[str, Any]:
        """All parts and their sum, for JSON."""
        return asdict(self) | {"total": self.total}


@dataclass(frozen=True)
class Prices:
    """Prices of material, per mm², of machine time, per second, and of the extras of a puzzle."""

    area: float
    time: float
    extras: float
    currency: str

    @classmethod
    def of(cls, machine: Machine, material: Material, pricing: Pricing) -> Prices:
        """The prices of a machine and of a material."""
        sheet = material.sheet_width * material.sheet_height or SQUARE_METRE
        return cls(material.price / sheet, machine.hour_price / 3600, pricing.extras, pricing.currency)

    @property
    def any(self) -> bool:
        """True if there is a price."""
        return bool(self.area or self.time or self.extras)

    def cost(self, area: float, seconds: float, puzzles: int = 1) -> Cost | None:
        """Cost of each of some puzzles that take an area in mm² and some seconds together; None without any price."""
        if not self.any:
            return None
        material, machine = self.area * area / puzzles, self.time * seconds / puzzles
        return Cost(_rounded(material), _rounded(machine), _rounded(self.extras), self.currency)

    def cost_of(self, made: Made, puzzles: int, engraving: float = 0.0) -> Cost | None:
        """Cost of each of some puzzles made together; engraving their pictures takes some more seconds."""
        return self.cost(area_of((*made.sheets, *made.tray_sheets)), made.seconds + engraving, puzzles)


def area_of(sheets: Iterable[Drawing]) -> float:
    """Area in mm² of the rectangles around all lines of some sheets."""
    found = 0.0
    for sheet in sheets:
        if len(sheet.strokes):
            found += float(np.prod(np.ptp(sheet.strokes.points, axis=0)))
    return found


def money(amount: float, currency: str) -> str:
    """An amount with its currency.

    >>> money(4.345, "€"), money(1204.5, "$")
    ('4.35 €', '$1,204.50')
    """
    text = f"{_rounded(amount):,.2f}"
    return f"{currency}{text}" if currency and currency in BEFORE else f"{text} {currency}".rstrip()


def _rounded(amount: float) -> float:
    return float(figure(amount, ".2f"))


def pricing() -> Pricing:
    """The maker's currency and extras; the usual ones if the file cannot be used."""
    with suppress(StudioError):
        return _stored()
    return Pricing()


def trouble() -> str:
    """Sentence about a problem of the file of costs, or ""."""
    try:
        _stored()
    except StudioError as problem:
        return tr("{file} cannot be used: {problem}", file=FILE, problem=problem)
    return ""


def keep(chosen: Pricing) -> None:
    """Save currency and extras. Raise StudioError if that fails."""
    write_own(own_folder() / FILE, asdict(chosen))


def _stored() -> Pricing:
    path = own_folder() / FILE
    return decode(Pricing, read(path, LARGEST), "costs", Pricing) if os.path.exists(path) else Pricing()
