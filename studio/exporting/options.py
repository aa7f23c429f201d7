"""File formats and their options: a class of options for each format, and one class that serves several at once.

A format is one value: title, options, writer, reader and proof of a written file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar

from studio.base.errors import StudioError
from studio.base.parameters import ParameterError, Validated, choice, flag, integer, number, undeclared
from studio.base.texts import alternatives, tr
from studio.exporting.colour_profiles import titles
from studio.geometry.planar.drawing import CUTS, NO_RECIPE, Chain, Operation, Recipe, Run, Setting

AT_USUAL_SPEEDS = Run()
"""An unknown machine."""
NO_RASTER = tr("Only for greyscale artwork.")
NO_UNIT = tr("DXF R12 has no units: import it as millimetres.")
EXACT = tr("Splines are exact.")
ALIGNMENT = "alignment"
"""Name of the line in a file that says how its cuts were aligned with a print; other lines are named by layers."""
ONE_PAGE = tr("Only for tiled pages.")
PAPERS = {"A4": (210.0, 297.0), "A3": (297.0, 420.0), "A5": (148.0, 210.0), "Letter": (215.9, 279.4)}
"""Width and height in mm of paper in portrait orientation."""
CELLS = (Operation.SCORE, *CUTS)
"""Operations of the squares of a test card; its labels are engraved."""


@dataclass(frozen=True)
class NoOptions(Validated):
    """A format without options, and the base of all others; raises ParameterError for invalid values."""

    def idle(self) -> Mapping[str, str]:
        """Return options made meaningless by others, each with the reason."""
        return {}


@dataclass(frozen=True)
class LaserOptions(NoOptions):
    """Options shared by all formats with lines for a laser cutter."""

    profile: str = choice("lightburn", titles, title="Profile",
        help="Colours and layers for your laser software.")  # fmt: skip
    print_pdf: bool = flag(False, title="Print PDF",
        help="Writes NAME-print.pdf beside it: the artwork with bleed and registration marks, without cuts.",
    )  # fmt: skip
    raster: bool = flag(False, title="Greyscale artwork",
        help="Makes one greyscale picture of the artwork, for engraving; LightBurn projects get an image layer.",
    )  # fmt: skip
    raster_png: bool = flag(False, title="Engraving PNG",
        help="Writes NAME-raster.png beside it: the artwork in greyscale, as large as the sheet.",
    )  # fmt: skip
    piece_pngs: bool = flag(False, title="Piece PNGs",
        help="Writes each piece with its artwork, on a transparent background, to the folder NAME-pieces.",
    )  # fmt: skip
    rest: bool = flag(False, title="Rest of the sheet",
        help="Writes NAME-rest.svg beside it: what is left of the sheet, to be cut from next time.",
    )  # fmt: skip
    raster_dpi: int = integer(254, title="Raster", minimum=50, maximum=1200, unit="dpi",
        help="Engraved lines, or pixels of a piece, per inch; 254 dpi is 10 per millimetre.")  # fmt: skip
    invert: bool = flag(False, title="Invert", help="Engraves what is bright, for slate and coated metal.")
    gamma: float = number(1.0, title="Gamma", minimum=0.2, maximum=5, step=0.1,
        help="Above 1 darkens the midtones, below 1 brightens them.")  # fmt: skip
    recipe: Recipe = undeclared(NO_RECIPE, repr=False)
    """Settings of the machine to write, if any; nobody enters them here."""
    run: Run = undeclared(AT_USUAL_SPEEDS, repr=False)
    """Speeds and titles of the machine, for files that state them; nobody enters them here."""
    cells: tuple[Setting, ...] = undeclared((), repr=False)
    """Settings of the squares of a test card, one for each of its lines that are cut or scored."""
    are_filled: bool = undeclared(False, repr=False)
    """True if the squares of a test card are filled with lines."""

    @property
    def remarks(self) -> dict[str, str]:
        """Return lines about the whole sheet by name: how its cuts were aligned with a print."""
        return {ALIGNMENT: self.run.note} if self.run.note else {}

    def idle(self) -> Mapping[str, str]:
        """Return options made meaningless by others, each with the reason."""
        if self.raster or self.raster_png:
            return super().idle()
        unused = ("invert", "gamma") if self.piece_pngs else ("raster_dpi", "invert", "gamma")
        return {**super().idle(), **dict.fromkeys(unused, NO_RASTER)}


@dataclass(frozen=True)
class LightburnOptions(LaserOptions):
    """Options of a LightBurn project."""

    keep_order: bool = flag(True, title="Keep cut order",
        help="Turns off LightBurn's cut optimisation for this project.")  # fmt: skip


@dataclass(frozen=True)
class SvgOptions(LaserOptions):
    """Options of an SVG."""

    svg_unit: str = choice("mm", {"mm": "Millimetres", "px72": "Pixels, 72 per inch"}, title="SVG unit",
        help="Pixels for Silhouette and Cricut, which ignore millimetres and take 72 pixels to an inch.")  # fmt: skip


@dataclass(frozen=True)
class GcodeOptions(LaserOptions):
    """Options of G-code; speeds are those of the machine, and a recipe's power, passes and air come first."""

    cut_power: float = number(100.0, title="Cutting power", minimum=0.1, maximum=100, step=5, unit="%",
        help="Laser power of through cuts, unless the recipe has one; speeds are those of the machine.")  # fmt: skip
    line_power: float = number(20.0, title="Line power", minimum=0.1, maximum=100, step=5, unit="%",
        help="Laser power of scored and engraved lines, unless the recipe has one.")  # fmt: skip
    max_power: int = integer(1000, title="Maximum S", minimum=100, maximum=100000,
        help="S value of full power, the controller's setting $30; 1000 unless it was changed.")  # fmt: skip
    air: bool = flag(
        True, title="Air assist", help="Switches air on (M8) before the first cut and off (M9) at the end."
    )

    def power(self, operation: Operation) -> int:
        """Return the S value of an operation, at least 1."""
        setting = self.recipe.of(operation)
        percent = self.cut_power if operation in CUTS else self.line_power
        percent = percent if setting is None else setting.power_max
        return max(1, round(self.max_power * percent / 100))

    def passes(self, operation: Operation) -> int:
        """Return how often each line of an operation is run."""
        setting = self.recipe.of(operation)
        return 1 if setting is None else setting.passes

    def worked(self, chains: Iterable[Chain]) -> list[tuple[float, int, int]]:
        """Return the speed in mm/s, the S value and the passes of each chain; squares of a test card have their own."""
        cells, found = iter(self.cells), []
        for chain in chains:
            cell = next(cells) if self.cells and chain.operation in CELLS else None
            if cell is None:
                operation = chain.operation
                found.append((self.run.speed(operation), self.power(operation), self.passes(operation)))
            else:
                found.append((cell.speed, max(1, round(self.max_power * cell.power_max / 100)), cell.passes))
        return found

    @property
    def has_air(self) -> bool:
        """True if air is switched on: by the recipe of cuts, if there is one."""
        return self.air if self.recipe.cut is None else self.recipe.cut.air


@dataclass(frozen=True)
class HpglOptions(LaserOptions):
    """Options of HPGL."""

    hpgl: str = choice("whole", {"whole": "HPGL (0.025 mm)", "decimals": "HPGL/2 (decimals)", "arcs": "HPGL/2 (arcs)"},
        title="HPGL version",
        help="HPGL has whole steps of 0.025 mm, which every program reads; HPGL/2 has decimals, and arcs run smoothly.",
    )  # fmt: skip


@dataclass(frozen=True)
class DxfOptions(LaserOptions):
    """Options of a DXF; raises ParameterError for invalid values."""

    version: str = choice("R2000",
        {"R2000": "R2000 (with units)", "R12": "R12 (no units, import as mm)"},
        title="DXF version",
        help="R2000 stores the unit (mm); R12 has no units, but every program reads it.")  # fmt: skip
    curves: str = choice(
        "arcs", {"arcs": "Arcs", "polyline": "Lines", "spline": "Splines (exact)"}, title="DXF curves",
        help="Arcs run smoothly and make small files; lines suit programs that read neither arcs nor splines; splines "
        "are exact, but some laser software distorts them.",
    )  # fmt: skip
    tolerance: float = number(0.01, title="Tolerance", minimum=0.001, maximum=1.0, step=0.01, unit="mm",
        help="Maximum deviation of arcs or lines from the curve; a laser line is 0.1 to 0.3 mm wide.")  # fmt: skip
    close: bool = flag(False, title="Close polylines explicitly",
        help="Repeats the first point, for programs that lose the last edge of a closed polyline.")  # fmt: skip

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.version == "R12" and self.curves == "spline":
            raise ParameterError("curves", tr("DXF R12 has no splines; choose arcs or lines, or DXF R2000."))

    def idle(self) -> Mapping[str, str]:
        """Return options made meaningless by others, each with the reason."""
        exact = {"tolerance": EXACT} if self.curves == "spline" else {}
        return {**super().idle(), **exact}


@dataclass(frozen=True)
class PdfOptions(LaserOptions):
    """The options of a PDF and its pages."""

    pages: str = choice("one", {"one": "Single page", "tiled": "Tiled pages"},
        title="Pages", help="A single page for the laser, or tiled pages for a 1:1 paper copy.")  # fmt: skip
    paper: str = choice("A4", {name: name for name in PAPERS}, title="Paper",
        help="Paper in your printer; portrait or landscape, whichever needs fewer pages.")  # fmt: skip
    paper_margin: float = number(10.0, title="Paper margin", minimum=0, maximum=30, step=1, unit="mm",
        help="Margin that your printer leaves blank.")  # fmt: skip
    overlap: float = number(10.0, title="Overlap", minimum=0, maximum=50, step=1, unit="mm",
        help="Overlap between neighbouring pages, for gluing.")  # fmt: skip

    def idle(self) -> Mapping[str, str]:
        """Return options made meaningless by others, each with the reason."""
        names = ("paper", "paper_margin", "overlap") if self.pages == "one" else ()
        return {**super().idle(), **dict.fromkeys(names, ONE_PAGE)}


@dataclass(frozen=True)
class PngOptions(LaserOptions):
    """Options of a picture."""

    dpi: int = integer(300, title="Resolution", minimum=10, maximum=2400, unit="dpi",
        help="Pixels per inch, stored in the file so that it opens at 1:1.")  # fmt: skip
    ground: str = choice("white", {"white": "White", "transparent": "Transparent"}, title="Background",
        help="Colour behind the lines.")  # fmt: skip
    line_width: float = number(0.2, title="Line width", minimum=0.01, maximum=5.0, step=0.05, unit="mm",
        help="Width of the drawn lines, at least one pixel.")  # fmt: skip


@dataclass(frozen=True)
class LeafletOptions(NoOptions):
    """Options of paper that goes with a puzzle; raises ParameterError for invalid values."""

    paper: str = choice("A4", {name: name for name in PAPERS}, title="Paper",
        help="Paper in your printer.")  # fmt: skip

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the paper in mm, upright."""
        return PAPERS[self.paper]


OF_ARTWORK = ("print_pdf", "raster", "raster_png", "piece_pngs", "raster_dpi", "invert", "gamma")
"""The options that only matter for sheets with artwork."""
NOTHING = NoOptions()


def together(classes: Iterable[type[Any]]) -> type[Any]:
    """Return a subclass of all these classes, with their options each once and in order."""
    known = dict.fromkeys(classes)
    needed = [one for one in known if not any(issubclass(other, one) for other in known if other is not one)]
    if len(needed) == 1:
        return needed[0]
    # A dataclass takes the fields of its last base first.
    return dataclass(frozen=True)(type("Options", tuple(reversed(needed)), {}))


Thing = TypeVar("Thing")
Options = TypeVar("Options", bound=NoOptions)
Read = TypeVar("Read")
Found = TypeVar("Found", bound="Report")


class Unreadable(StudioError):
    """A file that does not hold what we write."""


@dataclass(frozen=True, kw_only=True)
class Report:
    """Findings from a file read back, its path and its size; the proof leaves path and size empty."""

    path: Path = Path()
    bytes: int = 0

    def values(self) -> dict[str, Any]:
        """Return all figures by name, in JSON's types."""
        return asdict(self) | {"path": str(self.path)}

    @property
    def problem(self) -> str:
        """Why the file is useless although written correctly; empty if it is usable."""
        return ""


@dataclass(frozen=True)
class Format(Generic[Thing, Options, Read, Found]):
    """A file format: how it is written as bytes, read back, and compared with the original thing.

    `title` is for the window, `help` for the manual. `prove` takes the read result, the thing, the options and
    `rounding`, the error in mm that a number in the file may have; it raises Unreadable. `note` warns about the chosen
    options. `is_book` says that one file takes several pages. `apart` is the title of writing several solids to a file
    each, for formats whose files cannot name them. `without` lists options that the format does not use.
    """

    suffix: str
    title: str
    help: str
    options: type[Options]
    rounding: float
    write: Callable[[Thing, Options], bytes]
    read: Callable[[bytes, Options], Read]
    prove: Callable[[Read, Thing, Options, float], Found]
    note: Callable[[Options], str] = lambda _: ""
    is_picture: bool = False
    is_book: bool = False
    apart: str = ""
    without: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name of the format in a sentence."""
        return self.suffix.lstrip(".").upper()


def unread(data: bytes, _options: NoOptions) -> bytes:
    """Return a file as written, for formats that are read back in the tests alone."""
    return data


AnyFormat = Format[Any, Any, Any, Any]


@dataclass(frozen=True)
class Formats(Generic[Thing, Found]):
    """The formats for one purpose.

    `title` names the purpose in a word, `unknown` is the complaint about another file extension, and the last choice is
    remembered under `key`.
    """

    title: str
    unknown: str
    key: str
    members: tuple[Format[Thing, Any, Any, Found], ...]

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The file extensions, in order."""
        return tuple(one.suffix for one in self.members)

    @cached_property
    def options(self) -> type[Any]:
        """The class of the options of all formats together; a value of it serves each format."""
        return together(one.options for one in self.members)

    def of(self, path: Path) -> Format[Thing, Any, Any, Found]:
        """Return the format for a file's extension; raises StudioError naming the known ones."""
        for one in self.members:
            if one.suffix == path.suffix.lower():
                return one
        suffixes = alternatives(self.suffixes)
        raise StudioError(tr("{path}: {problem}. Use {suffixes}.", path=path, problem=self.unknown, suffixes=suffixes))
