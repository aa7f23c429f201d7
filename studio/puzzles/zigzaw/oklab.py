"""Colours in OKLab (Ottosson 2020), where equal distances look about equal; light is 0 to 1."""

from __future__ import annotations

import numpy as np

from studio.base.colours import channels
from studio.geometry.curves.strokes import Floats
from studio.puzzles.zigzaw.model import Paint

_TO_CONES = np.array([
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
])  # fmt: skip
_TO_LAB = np.array([
    [0.2104542553, 0.7936177850, -0.0040720468],
    [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
])  # fmt: skip


def oklab(colours: Floats) -> Floats:
    """sRGB colours (…, 3), from 0 to 1, in OKLab."""
    linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    return np.asarray(np.cbrt(linear @ _TO_CONES.T) @ _TO_LAB.T)


def of_hex(*colours: str) -> Floats:
    """Colours written `#RRGGBB` (n, 3) in OKLab."""
    return oklab(np.array([channels(colour) for colour in colours]) / 255)


def of_paints(paints: tuple[Paint, ...]) -> Floats:
    """The paints (n, 3) in OKLab."""
    return of_hex(*(paint.colour for paint in paints))


def to_hex(colour: Floats) -> str:
    """A colour of OKLab as `#RRGGBB`."""
    linear = (np.linalg.solve(_TO_LAB, colour) ** 3) @ np.linalg.inv(_TO_CONES).T
    share = np.clip(linear, 0, 1)
    encoded = np.where(share <= 0.0031308, 12.92 * share, 1.055 * share ** (1 / 2.4) - 0.055)
    return "#" + "".join(f"{round(255 * one):02X}" for one in encoded.tolist())
