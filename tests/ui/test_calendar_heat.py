"""The colours of a year's heat map, which everybody can tell apart."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtGui import QColor

from studio.ui.kinds.calendar.heat_map import STEPS, colour, ink, marks, scale_share
from studio.ui.widgets.theme import contrast


def lightness(shade: QColor) -> float:
    """The CIE lightness, 0 to 100."""
    luminance = contrast(shade, QColor("black")) * 0.05 - 0.05
    return 116 * luminance ** (1 / 3) - 16 if luminance > 0.008856 else 903.3 * luminance


def test_numbers_can_be_read_on_every_colour_of_the_scale() -> None:
    shades = [colour(at / (STEPS - 1)) for at in range(STEPS)]
    assert min(contrast(ink(shade), shade) for shade in shades) >= 4.5


def test_the_scale_is_told_apart_without_hues_as_each_step_is_lighter_than_the_one_before() -> None:
    steps = np.diff([lightness(colour(at / 12)) for at in range(13)])
    assert (steps > 2).all(), "every twelfth of the scale is seen to be lighter"


def test_steps_of_the_scale_are_seen_as_equal() -> None:
    """Distances in CIELAB, a space that the scale was not made in."""

    def lab(shade: QColor) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        rgb = np.array([shade.redF(), shade.greenF(), shade.blueF()])
        linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
        to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
        x, y, z = np.cbrt(to_xyz @ linear / (0.9505, 1.0, 1.089))
        return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])

    steps = [float(np.linalg.norm(lab(colour((at + 1) / 12)) - lab(colour(at / 12)))) for at in range(12)]
    assert max(steps) < 2.2 * min(steps)


def test_counts_lie_on_the_scale_by_their_ratios() -> None:
    assert scale_share(7, 7, 7 * 16) == 0 and scale_share(7 * 16, 7, 7 * 16) == 1
    assert scale_share(28, 7, 7 * 16) == pytest.approx(0.5)
    assert scale_share(5, 5, 5) == 0.5
    assert marks(7, 216) == (7, 216, 10, 20, 50, 100, 200)
