"""The colours of the heat map: dark blue where solutions are few, pale yellow where they are many.

Equal steps of the scale look equally far apart, and each is lighter than the one before: whoever sees no hues reads it
as well. Counts are laid on it by their logarithm, as 20 solutions are to 10 what 200 are to 100.

Colours are computed in Oklab (Ottosson 2020), a space in which distances are those that are seen.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from PySide6.QtGui import QColor

from studio.geometry.curves.strokes import Floats
from studio.ui.widgets.theme import contrast

STEPS = 128
DARK, LIGHT = (0.36, 0.125, 280.0), (0.93, 0.105, 100.0)
"""The ends of the scale: lightness 0 to 1, chroma, hue in degrees."""
INKS = QColor("#000000"), QColor("#FFFFFF")
"""The text colours; one of the two has a contrast of at least 4.58 on any colour."""

_TO_LMS = np.array([
    [1.0, 0.3963377774, 0.2158037573], [1.0, -0.1055613458, -0.0638541728], [1.0, -0.0894841775, -1.2914855480]
])  # fmt: skip
_TO_RGB = np.array([
    [4.0767416621, -3.3077115913, 0.2309699292],
    [-1.2684380046, 2.6097574011, -0.3413193965],
    [-0.0041960863, -0.7034186147, 1.7076147010],
])  # fmt: skip


def colour(share: float) -> QColor:
    """The colour at a share of the scale, 0 for the fewest to 1 for the most."""
    return _colours()[round(min(max(share, 0.0), 1.0) * (STEPS - 1))]


def ink(ground: QColor) -> QColor:
    """The text colour that reads best on a colour."""
    return _ink(ground.rgb())


@cache
def _ink(ground: int) -> QColor:
    return max(INKS, key=lambda each: contrast(each, QColor.fromRgb(ground)))


def share(count: int, least: int, most: int) -> float:
    """The logarithmic place of a count between the least and the most; the middle where all are the same."""
    low, high = math.log(max(least, 1)), math.log(max(most, 1))
    if high <= low:
        return 0.5
    return (math.log(max(count, 1)) - low) / (high - low)


def marks(least: int, most: int) -> tuple[int, ...]:
    """Round numbers from least to most, such as 10, 20, 50, 100, for the foot of a scale; the ends come first."""
    round_ones = [digit * 10**power for power in range(19) for digit in (1, 2, 5)]
    inside = [each for each in round_ones if max(least, 1) < each < most]
    return (least, most, *inside) if most > least else (least,)


@cache
def _colours() -> tuple[QColor, ...]:
    """STEPS colours, each as far from the next as any other."""
    path = np.array([_oklab(at) for at in np.linspace(0.0, 1.0, 8 * STEPS)])
    way = np.concatenate([[0.0], np.linalg.norm(np.diff(path, axis=0), axis=1).cumsum()])
    even = np.linspace(0.0, way[-1], STEPS)
    places = np.stack([np.interp(even, way, path[:, axis]) for axis in range(3)], 1)
    return tuple(QColor.fromRgbF(*np.clip(_rgb(place), 0.0, 1.0).tolist()) for place in places)


def _oklab(at: float) -> Floats:
    """The place of the scale at a share of its way from dark to light; paler where a screen has no such colour."""
    lightness, chroma, hue = (low + at * (high - low) for low, high in zip(DARK, LIGHT, strict=True))
    angle = math.radians(hue)
    direction = np.array([0.0, math.cos(angle), math.sin(angle)])
    grey = np.array([lightness, 0.0, 0.0])
    while (np.abs(_linear(grey + chroma * direction) - 0.5) > 0.5).any():
        chroma -= 0.001
    return np.asarray(grey + chroma * direction, np.float64)


def _linear(place: Floats) -> Floats:
    return np.asarray(_TO_RGB @ (_TO_LMS @ place) ** 3, np.float64)


def _rgb(place: Floats) -> Floats:
    """The colour (3,) in sRGB, from 0 to 1 (IEC 61966-2-1)."""
    linear = np.clip(_linear(place), 0.0, 1.0)
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
