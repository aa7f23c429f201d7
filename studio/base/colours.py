"""Colours as `#RRGGBB`: a distinguishable palette, mixtures, and a test for dark letters."""

from __future__ import annotations

COLOURS = ("#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00")
"""Six colours that colour-blind people can distinguish (Okabe and Ito 2008)."""
BRIGHT = 0.26
"""Luminance above which dark letters are easier to read than white ones."""


def mixed(colour: str, other: str, share: float) -> str:
    """Mix a share (0 to 1) of another colour into a colour."""
    pairs = zip(channels(colour), channels(other), strict=True)
    return "#" + "".join(f"{round(one + (two - one) * share):02X}" for one, two in pairs)


def is_bright(colour: str) -> bool:
    """True if dark letters are easier to read on the colour than white ones."""
    red, green, blue = (float((channel / 255) ** 2.2) for channel in channels(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue > BRIGHT


def channels(colour: str) -> tuple[int, int, int]:
    """Red, green and blue, each from 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
