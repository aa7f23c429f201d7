"""What a maker chooses about a file: each format has a class of its own, and one class can serve several formats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from studio.export.profiles import titles
from studio.parameters import Validated, choice, flag, integer, number
from studio.texts import tr

NO_RASTER = tr("Only for greyscale artwork.")


@dataclass(frozen=True)
class NoOptions(Validated):
    """A format with nothing to choose, and the base of all others; raises ParameterError for what cannot be."""

    def idle(self) -> Mapping[str, str]:
        """The options that the others leave without a meaning, each with the reason."""
        return {}


@dataclass(frozen=True)
class LaserOptions(NoOptions):
    """What every format with lines for a laser cutter asks."""

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
    raster_dpi: int = integer(254, title="Raster", minimum=50, maximum=1200, unit="dpi",
        help="Engraved lines, or pixels of a piece, per inch; 254 dpi is 10 per millimetre.")  # fmt: skip
    invert: bool = flag(False, title="Invert", help="Engraves what is bright, for slate and coated metal.")
    gamma: float = number(1.0, title="Gamma", minimum=0.2, maximum=5, step=0.1,
        help="Above 1 darkens the midtones, below 1 brightens them.")  # fmt: skip

    def idle(self) -> Mapping[str, str]:
        """The options that the others leave without a meaning, each with the reason."""
        if self.raster or self.raster_png:
            return super().idle()
        unused = ("invert", "gamma") if self.piece_pngs else ("raster_dpi", "invert", "gamma")
        return {**super().idle(), **dict.fromkeys(unused, NO_RASTER)}


OF_ARTWORK = ("print_pdf", "raster", "raster_png", "piece_pngs", "raster_dpi", "invert", "gamma")
"""The options that have a meaning only where there is artwork."""
NOTHING = NoOptions()


def together(classes: Iterable[type[Any]]) -> type[Any]:
    """A class with the options of all of these, each once and in their order; it is a subclass of every one."""
    known = dict.fromkeys(classes)
    needed = [one for one in known if not any(issubclass(other, one) for other in known if other is not one)]
    if len(needed) == 1:
        return needed[0]
    # A dataclass takes the fields of its last base first.
    return dataclass(frozen=True)(type("Options", tuple(reversed(needed)), {}))
