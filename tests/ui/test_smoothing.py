"""Stairs of a picture with one sample a pixel become what many samples a pixel would have shown."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from studio.ui.solid.shading import smooth

SIDE, FINE = 64, 16
DARK, BRIGHT = np.array([30, 60, 90, 255]), np.array([220, 140, 100, 255])


def half(degrees: float, per_pixel: int) -> NDArray[np.uint8]:
    """A picture of two halves that meet at a straight edge, each pixel the mean of so many samples along each side."""
    at = (np.arange(SIDE * per_pixel) + 0.5) / per_pixel - SIDE / 2 + 0.13
    x, y = np.meshgrid(at, at)
    across = x * np.cos(np.radians(degrees)) + y * np.sin(np.radians(degrees)) > 0
    share = across.reshape(SIDE, per_pixel, SIDE, per_pixel).mean(axis=(1, 3))[..., None]
    return np.asarray(np.rint(share * BRIGHT + (1 - share) * DARK), np.uint8)


@pytest.mark.parametrize("degrees", [3, 10, 27, 40, 45, 63, 80, 100, 127, 165, 200, 350], ids=str)
def test_a_slanted_edge_is_nearly_that_of_256_samples_a_pixel(degrees: float) -> None:
    raw, wanted = half(degrees, 1), half(degrees, FINE)
    smoothed = raw.copy()
    smooth(smoothed)
    # At the rim of the picture nobody knows how an edge goes on.
    before, after = ((each.astype(int) - wanted)[4:-4, 4:-4] for each in (raw, smoothed))
    slant = min(degrees % 90, 90 - degrees % 90)
    # Long stairs look worst; where each is a pixel long, all lines within that pixel have the same stairs.
    most = 0.3 if slant < 25 else 0.65
    assert (after**2).mean() ** 0.5 < most * (before**2).mean() ** 0.5
    assert np.abs(after).max() <= np.abs(before).max() * (0.5 if slant < 25 else 0.6)


@pytest.mark.parametrize("degrees", [0, 90, 180, 270], ids=str)
def test_what_has_no_stairs_stays_as_it_is(degrees: float) -> None:
    raw = half(degrees, 1)
    smoothed = raw.copy()
    smooth(smoothed)
    assert (smoothed == raw).all()


def test_a_slow_fade_and_a_picture_of_a_pixel_stay_as_they_are() -> None:
    fade = np.repeat(np.repeat(np.arange(0, 250, 5, dtype=np.uint8)[:, None, None], 40, axis=1), 4, axis=2).copy()
    for picture in (fade, fade[:1, :1].copy(), np.zeros((1, 5, 4), np.uint8), np.zeros((0, 0, 4), np.uint8)):
        before = picture.copy()
        smooth(picture)
        assert (picture == before).all()


def test_a_picture_turned_or_mirrored_is_smoothed_alike() -> None:
    raw = half(17, 1)
    smoothed = raw.copy()
    smooth(smoothed)
    for other, wanted in (
        (raw[::-1], smoothed[::-1]), (raw[:, ::-1], smoothed[:, ::-1]),
        (np.swapaxes(raw, 0, 1), np.swapaxes(smoothed, 0, 1)),
    ):  # fmt: skip
        own = other.copy(order="C")
        smooth(own)
        assert (own == wanted).all()
