"""A drawing as pixels: what a maker chooses about them, how wide lines are, and which colours they have."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from studio.export.options import LaserOptions
from studio.export.profiles import profile
from studio.geometry.curves import Ints
from studio.geometry.drawing import Drawing
from studio.parameters import choice, integer, number

INCH = 25.4
FINER = 4
"""Each pixel is drawn as this many by this many fine pixels; their number is that of the shades."""
FOLLOWED = 0.1
"""How far the polylines that are drawn may stray from the curves, in pixels."""
TILE = 1024
"""Pixels a side that are drawn at once: 16 MB at four times the resolution."""
_CANVAS = 2**19


@dataclass(frozen=True)
class PngOptions(LaserOptions):
    """What a maker chooses about a picture."""

    dpi: int = integer(300, title="Resolution", minimum=10, maximum=2400, unit="dpi",
        help="Pixels per inch, stored in the file so that it opens at 1:1.")  # fmt: skip
    ground: str = choice("white", {"white": "White", "transparent": "Transparent"}, title="Background",
        help="Colour behind the lines.")  # fmt: skip
    line_width: float = number(0.2, title="Line width", minimum=0.01, maximum=5.0, step=0.05, unit="mm",
        help="Width of the drawn lines, at least one pixel.")  # fmt: skip


def rows_at_once(width: int) -> int:
    """How many rows of artwork are painted at once: few enough to take little memory."""
    return max(1, min(TILE, _CANVAS // width))


def bands(height: int, rows: int) -> list[range]:
    """All rows of a picture, band by band."""
    return [range(top, min(height, top + rows)) for top in range(0, height, rows)]


def ground_of(options: PngOptions) -> tuple[int, int, int, int]:
    """What of red, green, blue and opacity is seen where nothing is drawn."""
    return (0, 0, 0, 0) if options.ground == "transparent" else (255, 255, 255, 255)


def coloured(drawing: Drawing, options: PngOptions) -> tuple[list[str], Ints]:
    """The colours of a picture in the order in which they are first used, and for every chain the place of its own."""
    known = profile(options.profile)
    each = [known.layer(chain.operation).colour for chain in drawing.chains]
    colours = list(dict.fromkeys(each))
    return colours, np.array([colours.index(colour) for colour in each])


def line_width(options: PngOptions) -> int:
    """The width of drawn lines in fine pixels: an odd number, so that they are centred."""
    return max(FINER, round(FINER * options.line_width * options.dpi / INCH)) // 2 * 2 + 1
