"""A recipe: how a machine works a material, as a setting for each kind of work on it.

work: what the beam does to the sheet. Lines are cut, scored, engraved or marked, pictures are engraved as a raster.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from studio.base.parameters import Validated, declarations, flag, integer, line, number
from studio.base.texts import tr
from studio.base.units import MM_PER_INCH
from studio.geometry.planar.drawing import Operation

LONGEST_NOTE = 200
"""Most characters of a note."""


@dataclass(frozen=True)
class Setting(Validated):
    """Setting of a machine for one kind of work. Raises ParameterError for a value out of bounds."""

    power_max: float = number(100.0, title="Max power", minimum=0, maximum=100, step=1, unit="%",
        help="Power at full speed.")  # fmt: skip
    power_min: float = number(0.0, title="Min power", minimum=0, maximum=100, step=1, unit="%",
        help="Power in corners, where the head slows down.")  # fmt: skip
    speed: float = number(10.0, title="Speed", minimum=0.1, maximum=5000, step=1, unit="mm/s",
        help="Head speed of each pass.")  # fmt: skip
    passes: int = integer(1, title="Passes", minimum=1, maximum=50, help="How often each line is run.")
    air: bool = flag(False, title="Air assist", help="Air assist on.")
    kerf: float = number(0.0, title="Kerf", minimum=0, maximum=2, step=0.01, unit="mm", zero=tr("Material"),
        help="Width of the cut; 0 means the material's.")  # fmt: skip
    focus: float = number(0.0, title="Focus", minimum=-50, maximum=50, step=0.1, unit="mm",
        help="Z offset from the usual focus.")  # fmt: skip
    interval: float = number(0.1, title="Line interval", minimum=0.01, maximum=5, step=0.01, unit="mm",
        help="Distance between two lines of a raster; 0.1 mm is 254 dpi.")  # fmt: skip
    note: str = line("", title="Note", longest=LONGEST_NOTE, help="A note to yourself, written to files.")

    @property
    def dpi(self) -> float:
        """Raster lines per inch."""
        return MM_PER_INCH / self.interval

    @property
    def pace(self) -> float:
        """Speed in mm/s over all passes, without the way back to their starts."""
        return self.speed / self.passes


FIELDS = tuple(known.name for known in declarations(Setting))
"""Names of a setting's values, in the order of tables."""
CUT, SCORE, ENGRAVE, MARK, RASTER = WORKS = ("cut", "score", "engrave", "mark", "raster")
"""Kinds of work, in the order of tables."""
TITLES = {CUT: tr("Cut"), SCORE: tr("Score"), ENGRAVE: tr("Engrave"), MARK: tr("Mark"), RASTER: tr("Raster")}
WORK_OF = {
    Operation.INNER: CUT, Operation.BORDER: CUT, Operation.SCORE: SCORE, Operation.ENGRAVE: ENGRAVE,
    Operation.MARK: MARK,
}  # fmt: skip
"""The work that each operation of a drawing is."""


@dataclass(frozen=True)
class Recipe:
    """Settings of a machine for a material; None for work that has none."""

    cut: Setting | None = None
    score: Setting | None = None
    engrave: Setting | None = None
    mark: Setting | None = None
    raster: Setting | None = None

    def setting(self, work: str) -> Setting | None:
        """Return the setting for a kind of work, one of WORKS."""
        found: Setting | None = getattr(self, work)
        return found

    def of(self, operation: Operation) -> Setting | None:
        """Return the setting for an operation of a drawing."""
        return self.setting(WORK_OF[operation])

    @property
    def is_empty(self) -> bool:
        """True if it has no setting at all."""
        return all(getattr(self, each.name) is None for each in fields(self))


NO_RECIPE = Recipe()
"""A recipe without settings."""


@dataclass(frozen=True)
class LibraryEntry:
    """A setting in a library of another program: name of the material, thickness in mm or None, work and setting."""

    material: str
    thickness: float | None
    work: str
    setting: Setting


def summary(setting: Setting, work: str) -> str:
    """Describe a setting in one line of ASCII text, with every value that is not at its default.

    >>> summary(Setting(power_max=65.0, speed=15.0, air=True, note="Test first"), "cut")
    '65 %, 15 mm/s, 1 pass, air. Test first'
    """
    power = f"{setting.power_max:g} %"
    if setting.power_min:
        power = f"{setting.power_min:g} to {power}"
    parts = [power, f"{setting.speed:g} mm/s", "1 pass" if setting.passes == 1 else f"{setting.passes} passes"]
    if setting.air:
        parts.append("air")
    if setting.kerf:
        parts.append(f"kerf {setting.kerf:g} mm")
    if setting.focus:
        parts.append(f"focus {setting.focus:+g} mm")
    if work == RASTER:
        parts.append(f"interval {setting.interval:g} mm ({setting.dpi:.0f} dpi)")
    return ", ".join(parts) + (f". {setting.note}" if setting.note else "")
