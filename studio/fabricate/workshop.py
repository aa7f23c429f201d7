"""Workshop: laser cutters and materials, printers and filaments, with all their figures.

preset: an item shipped with the studio, a JSON file in resources/machines, resources/materials, resources/printers or
resources/plastics. own: an item that a maker saves, a file of the same format in their settings folder, which command
line and window share. An own item with a preset's key replaces the preset.

Files are read again on every request, so that programs see each other's changes. A file that cannot be used is skipped,
and `troubles` reports it.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np

from studio.base.encode import decode, members
from studio.base.errors import StudioError, one_named
from studio.base.folders import (
    SUFFIX,
    delete_own,
    key_of,
    own_files,
    own_path,
    refuse_key,
    refuse_title,
    shipped,
    write_own,
)
from studio.base.json_files import read
from studio.base.parameters import Validated, choice, declaration, flag, later, number, undeclared
from studio.base.texts import tr
from studio.geometry.curves.strokes import Floats
from studio.geometry.planar.drawing import NO_RECIPE, Operation, Recipe, Run
from studio.geometry.planar.regions import FreeArea

SPEEDS_FOR = 3.0
"""Thickness in mm of the sheets for which a machine's cutting speed holds."""
LARGEST = 2**16
"""Most bytes of a file of a machine or material; typical files have about 500."""
COSTS = tr("Costs")
"""Title of the group of prices."""
OTHER = "other"
LASERS = {
    OTHER: tr("Other"), "diode-5": tr("Diode, 5 W"), "diode-10": tr("Diode, 10 W"), "diode-20": tr("Diode, 20 W"),
    "co2-40": tr("CO2, 40 W"), "co2-60": tr("CO2, 60 W"), "co2-100": tr("CO2, 100 W"),
}  # fmt: skip
"""Types of laser with starting recipes, and others, which have none."""


@dataclass(frozen=True)
class Machine(Validated):
    """A laser cutter. Raises ParameterError for a value out of bounds."""

    bed_width: float = number(600.0, title="Bed width", minimum=20, maximum=5000, step=10, unit="mm", group="Bed",
        help="Maximum sheet width.")  # fmt: skip
    bed_height: float = number(400.0, title="Bed height", minimum=20, maximum=5000, step=10, unit="mm", group="Bed",
        help="Maximum sheet height.")  # fmt: skip
    cut_speed: float = number(15.0, title="Cutting", minimum=0.1, maximum=3000, step=1, unit="mm/s", group="Speeds",
        help="Without a recipe: speed of cuts in a 3 mm sheet; a thicker one takes proportionally longer.")  # fmt: skip
    score_speed: float = number(100.0, title="Scoring", minimum=0.1, maximum=3000, step=10, unit="mm/s", group="Speeds",
        help="Speed of scored lines without a recipe.")  # fmt: skip
    engrave_speed: float = number(100.0, title="Engraving", minimum=0.1, maximum=3000, step=10, unit="mm/s",
        group="Speeds", help="Speed of engraved lines and pictures without a recipe.")  # fmt: skip
    rapid_speed: float = number(200.0, title="Travel", minimum=0.1, maximum=5000, step=10, unit="mm/s", group="Speeds",
        help="Head speed with the laser off.")  # fmt: skip
    acceleration: float = number(2000.0, title="Acceleration", minimum=1, maximum=100000, step=100, unit="mm/s²",
        group="Speeds", help="Acceleration of the head, which slows down in tight curves.")  # fmt: skip
    pen_up: float = number(0.08, title="On/off delay", minimum=0, maximum=10, step=0.01, unit="s", group="Speeds",
        help="Time added for each laser-off move.")  # fmt: skip
    pictures: bool = flag(False, title="Raster engraving", group="Files",
        help="The machine can engrave PNG pictures.")  # fmt: skip
    override: float = later(number(100.0, title="Speed override", minimum=1, maximum=1000, step=5, unit="%",
        group="Speeds", help="Real speed in percent of a recipe's; only estimates use it."))  # fmt: skip
    hour_price: float = later(number(0.0, title="Price per hour", minimum=0, maximum=1e6, step=0.05, group=COSTS,
        help="Price of an hour of machine time; 0 counts none."))  # fmt: skip
    laser: str = later(choice(OTHER, LASERS, title="Laser", group="Recipes",
        help="Type of laser, which has recipes to start from."))  # fmt: skip

    @property
    def raster_speed(self) -> float:
        """Speed in mm/s at which pictures are engraved."""
        return self.engrave_speed

    def pace(self, _operation: Operation) -> float:
        """Real speed of an operation, divided by the one that is set."""
        return 1.0

    def passes(self, _operation: Operation) -> int:
        """How often each line of an operation is run."""
        return 1


@dataclass(frozen=True)
class Equipped(Machine):
    """A machine set up for a material by a recipe, whose speeds and passes replace its own."""

    recipe: Recipe = undeclared(NO_RECIPE)

    @property
    def raster_speed(self) -> float:
        """Speed in mm/s at which pictures are engraved."""
        raster = self.recipe.raster
        return self.engrave_speed if raster is None else raster.pace * self.override / 100

    def pace(self, operation: Operation) -> float:
        """Real speed of an operation, divided by the one that is set."""
        return 1.0 if self.recipe.of(operation) is None else self.override / 100

    def passes(self, operation: Operation) -> int:
        """How often each line of an operation is run."""
        found = self.recipe.of(operation)
        return 1 if found is None else found.passes

    def for_sheet(self, thickness: float) -> Machine:
        """Set the speeds of the recipe; work without a setting takes those for the thickness in mm."""
        usual, recipe = _for_thickness(self, thickness), self.recipe
        return replace(
            usual,
            cut_speed=usual.cut_speed if recipe.cut is None else recipe.cut.speed,
            score_speed=usual.score_speed if recipe.score is None else recipe.score.speed,
            engrave_speed=usual.engrave_speed if recipe.engrave is None else recipe.engrave.speed,
        )


@dataclass(frozen=True)
class Material(Validated):
    """A sheet material. Raises ParameterError for a value out of bounds."""

    thickness: float = number(3.0, title="Thickness", minimum=0.05, maximum=50, step=0.1, unit="mm",
        help="Measured thickness of the sheet.")  # fmt: skip
    kerf: float = number(0.15, title="Kerf", minimum=0, maximum=2, step=0.01, unit="mm",
        help="Width of the line the beam burns away; a fit coupon measures it.")  # fmt: skip
    play: float = number(0.0, title="Clearance", minimum=-0.5, maximum=1, step=0.01, unit="mm",
        help="Gap between two assembled pieces, 0 to 0.05 mm in plywood; negative for a press fit.")  # fmt: skip
    bridge: float = number(1.0, title="Minimum wall", minimum=0, maximum=20, step=0.1, unit="mm",
        help="Narrowest wall that does not break.")  # fmt: skip
    price: float = later(number(0.0, title="Price", minimum=0, maximum=1e6, step=0.05, group=COSTS,
        help="Price of a sheet of the size below, or of 1 m² without a size; 0 counts none."))  # fmt: skip
    sheet_width: float = later(number(0.0, title="Sheet width", minimum=0, maximum=10000, step=10, unit="mm",
        group=COSTS, zero="1 m²", help="Width of the sheet that has this price."))  # fmt: skip
    sheet_height: float = later(number(0.0, title="Sheet height", minimum=0, maximum=10000, step=10, unit="mm",
        group=COSTS, zero="1 m²", help="Height of the sheet that has this price."))  # fmt: skip


@dataclass(frozen=True)
class Printer(Validated):
    """A 3-D printer. Raises ParameterError for a value out of bounds."""

    bed_width: float = number(220.0, title="Bed width", minimum=20, maximum=2000, step=10, unit="mm", group="Bed",
        help="Maximum print width.")  # fmt: skip
    bed_depth: float = number(220.0, title="Bed depth", minimum=20, maximum=2000, step=10, unit="mm", group="Bed",
        help="Maximum print depth.")  # fmt: skip
    bed_height: float = number(200.0, title="Height", minimum=10, maximum=2000, step=10, unit="mm", group="Bed",
        help="Maximum print height.")  # fmt: skip
    nozzle: float = number(0.4, title="Nozzle", minimum=0.1, maximum=2, step=0.1, unit="mm", group="Line",
        help="Width of a printed line; walls need at least two.")  # fmt: skip


@dataclass(frozen=True)
class Plastic(Validated):
    """A filament. Raises ParameterError for a value out of bounds."""

    gap: float = number(0.2, title="Clearance", minimum=0, maximum=2, step=0.05, unit="mm",
        help="Clearance that usually fits; a fit coupon finds the best one for your printer.")  # fmt: skip
    density: float = number(1.24, title="Density", minimum=0.3, maximum=10, step=0.01, unit="g/cm³",
        help="Mass of 1 cm³.")  # fmt: skip


Figures = Machine | Material | Printer | Plastic
USUAL: dict[type[Figures], str] = {Machine: "co2-600x400", Material: "plywood-3", Printer: "usual-220", Plastic: "pla"}
"""All kinds, with the key of each kind's default item."""
Kind = TypeVar("Kind", bound=Figures)


_UNKNOWN: dict[type[Any], str] = {
    Machine: tr("Unknown machine"), Material: tr("Unknown material"),
    Printer: tr("Unknown printer"), Plastic: tr("Unknown filament"),
}  # fmt: skip


@dataclass(frozen=True)
class Named(Generic[Kind]):
    """An item of the workshop with its key, title and note for the maker. Raises StudioError if these are invalid.

    The key is the name of its file: words of lower-case letters and digits joined by hyphens, `plywood-3`.
    """

    key: str
    title: str
    value: Kind
    note: str = ""
    own: bool = True

    def __post_init__(self) -> None:
        refuse_key(self.key)
        refuse_title(self.title)
        if not isinstance(self.note, str):
            raise StudioError(tr("The note must be text, not {note!r}.", note=self.note))


def every(kind: type[Kind]) -> tuple[Named[Kind], ...]:
    """Usable items of a kind: presets by key, then the maker's own."""
    return _shelf(kind)[0]


def one_of(kind: type[Kind], key: str) -> Named[Kind]:
    """Find an item by key. Raise StudioError, with the known keys or the problem of its file, if that fails."""
    known, bad = _shelf(kind)
    if key in bad:
        raise StudioError(bad[key])
    return one_named({one.key: one for one in known}, key, _UNKNOWN[kind])


def troubles() -> tuple[str, ...]:
    """Sentences about the maker's files that cannot be used."""
    return tuple(sentence for kind in USUAL for sentence in _shelf(kind)[1].values())


def usual_sheet(thickness: float) -> Material:
    """Make a material with default figures and a thickness in mm, clamped to its limits."""
    least, most = declaration(Material, "thickness").limits
    return Material(thickness=min(max(thickness, least), most))


def for_thickness(machine: Machine, thickness: float) -> Machine:
    """Set the speed at which a machine cuts sheets of a thickness in mm.

    A sheet twice as thick takes twice as long; a thin sheet is cut at most at the faster of cutting and scoring speed.
    A recipe's speeds hold for the sheets of its material.
    """
    return machine.for_sheet(thickness) if isinstance(machine, Equipped) else _for_thickness(machine, thickness)


def _for_thickness(machine: Machine, thickness: float) -> Machine:
    return replace(machine, cut_speed=float(cutting_speed(machine.cut_speed, machine.score_speed, thickness)))


def cutting_speed(cut: Floats | float, score: Floats | float, thickness: Floats | float) -> Floats:
    """Speeds in mm/s for sheets of thicknesses in mm, given the cutting and the scoring speed of a machine in mm/s."""
    speeds = np.minimum(cut * SPEEDS_FOR / np.asarray(thickness), np.maximum(cut, score))
    return np.asarray(np.maximum(speeds, declaration(Machine, "cut_speed").limits[0]))


def run_of(machine: Machine, material: Material, machine_title: str = "", material_title: str = "") -> Run:
    """Return how a machine runs a drawing in a sheet of a material; the bed counts if the machine is named."""
    timed = for_thickness(machine, material.thickness)
    bed = (machine.bed_width, machine.bed_height) if machine_title else None
    speeds = timed.cut_speed, timed.score_speed, timed.engrave_speed, timed.rapid_speed
    return Run(machine_title, material_title, *speeds, bed)


def with_kerf(named: Named[Material], kerf: float) -> Named[Material]:
    """Set the kerf that a fit coupon showed; the material becomes the maker's own. Raise ParameterError if invalid."""
    return replace(named, value=replace(named.value, kerf=kerf), own=True)


def with_bed(title: str, width: float, height: float) -> Named[Machine]:
    """Return the machine of a title with another bed, in mm, or a usual one with this bed if it is unknown.

    Raises StudioError for a title or a size that a machine cannot have.
    """
    key = key_of(title, (), "machine")
    known = next((one for one in every(Machine) if one.key == key), None)
    before = Machine() if known is None else known.value
    return Named(key, title, replace(before, bed_width=width, bed_height=height), "" if known is None else known.note)


def keep(named: Named[Kind]) -> None:
    """Save an item among the maker's own, replacing the item with its key. Raise StudioError if it cannot be saved."""
    content = {"title": named.title, "note": named.note, _word(type(named.value)): asdict(named.value)}
    write_own(_own_path(type(named.value), named.key), content)


def forget(key: str, kind: type[Figures]) -> None:
    """Delete an item of the maker's own, usable or not; a preset with its key reappears.

    Raise StudioError if it does not exist or cannot be deleted.
    """
    delete_own(_own_path(kind, key))


def own_keys(kind: type[Figures]) -> frozenset[str]:
    """Keys of the maker's own files, usable or not."""
    good, bad = _own(kind)
    return frozenset(one.key for one in good) | frozenset(bad)


def read_named(path: Path, kind: type[Kind], *, own: bool = False) -> Named[Kind]:
    """Read an item from a JSON file. Raise StudioError, naming the file, if it is invalid."""
    word = _word(kind)
    try:
        data = read(path, LARGEST)
        members(data, "", {"title": True, "note": True, word: True})
        return Named(path.stem, data["title"], decode(kind, data[word], word, kind), data["note"], own)
    except StudioError as problem:
        raise StudioError(
            tr("{file} cannot be used: {problem}", file=f"{plural(kind)}/{path.name}", problem=problem)
        ) from problem


def _word(kind: type[Any]) -> str:
    """Name of a kind, in sentences and in files."""
    return kind.__name__.lower()


def plural(kind: type[Any]) -> str:
    """Plural of a kind, in sentences and as the name of a folder."""
    return f"{_word(kind)}s"


def _own_path(kind: type[Any], key: str) -> Path:
    return own_path(plural(kind), key)


def presets(kind: type[Kind]) -> tuple[Named[Kind], ...]:
    """Read the presets of a kind, by key."""
    folder = shipped(plural(kind))
    return tuple(read_named(path, kind) for path in sorted(folder.glob(f"*{SUFFIX}")))


def _own(kind: type[Kind]) -> tuple[list[Named[Kind]], dict[str, str]]:
    """Read the maker's own items, and the problems of files that cannot be used, by key."""
    good: list[Named[Kind]] = []
    bad: dict[str, str] = {}
    try:
        paths = own_files(plural(kind))
    except StudioError as problem:
        return [], {"": str(problem)}
    for path in paths:
        try:
            good.append(read_named(path, kind, own=True))
        except StudioError as problem:
            bad[path.stem] = str(problem)
    return good, bad


def _shelf(kind: type[Kind]) -> tuple[tuple[Named[Kind], ...], dict[str, str]]:
    """Usable items of a kind, and sentences about files that cannot be used, by key."""
    good, bad = _own(kind)
    named = {one.key: one for one in (*presets(kind), *good)}
    return tuple(named.values()), bad


ROUNDING = 1e-6
"""Length in mm up to which it is a rounding error."""


@dataclass(frozen=True)
class Bed:
    """A bed: width and height, free margin all round, spacing between parts; all in mm.

    `bleed` is the distance by which artwork reaches past the cut outline. With an `area`, only this part of a sheet as
    large as the bed is free. Raises StudioError if there is no room between the margins.
    """

    width: float
    height: float
    margin: float = 5.0
    spacing: float = 1.0
    bleed: float = 0.0
    area: FreeArea | None = None

    def __post_init__(self) -> None:
        if not (self.width > 0 and self.height > 0):
            raise StudioError(
                tr("No sheet fits a bed of {width:g} × {height:g} mm.", width=self.width, height=self.height)
            )
        if not (self.margin >= 0 and self.spacing >= 0):
            raise StudioError(tr("Margin and spacing cannot be negative."))
        if min(self.width, self.height) <= 2 * self.margin:
            raise StudioError(
                tr(
                    "A margin of {margin:g} mm leaves no room on a bed of {width:g} × {height:g} mm.",
                    margin=self.margin,
                    width=self.width,
                    height=self.height,
                )
            )
        if self.area is not None and self.area.inside(self.margin).is_empty:
            raise StudioError(
                tr("A margin of {margin:g} mm leaves no room in {area}.", margin=self.margin, area=self.area.title)
            )

    @property
    def inside(self) -> tuple[float, float]:
        """Width and height in mm between the margins, of a free area those of the box around it."""
        if self.area is not None:
            left, top, right, bottom = self.area.inside(self.margin).bounds
            return right - left, bottom - top
        return self.width - 2 * self.margin, self.height - 2 * self.margin

    @property
    def surface(self) -> float:
        """Surface in mm² of the sheet, or of its free area."""
        return self.width * self.height if self.area is None else float(self.area.shape.area)


def fits(size: tuple[float, float], bed: Bed) -> bool:
    """True if this size fits between the margins, turned or not."""
    width, height = bed.inside
    return any(w <= width + ROUNDING and h <= height + ROUNDING for w, h in (size, size[::-1]))
