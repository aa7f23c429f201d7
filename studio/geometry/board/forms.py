"""Forms of boards as outlines: each fills a box of width × height mm from the origin.

ring: a closed curve (3k + 1, 2) of cubics in mm with the board at the right hand, that is, clockwise on the screen.
"""

from __future__ import annotations

import numpy as np

from studio.geometry.curves.rounded import HANDLE, disc, rounded
from studio.geometry.curves.strokes import Floats, closed_through

HEART_HALF = np.array([
    (0.5, 0.24), (0.5, 0.09), (0.385, 0.0), (0.262, 0.0), (0.115, 0.0), (0.0, 0.115), (0.0, 0.29),
    (0.0, 0.56), (0.27, 0.76), (0.5, 1.0),
])  # fmt: skip
"""The left half of a heart from its cleft to its tip, in shares of its box."""
SPRING = 0.5
"""The height of an arch's curve, as a fraction of its width; less where the board is not so high."""


def rectangle(width: float, height: float, radius: float) -> Floats:
    """A rectangle with corners of a radius."""
    corners = np.array([(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)])
    return rounded(corners, radius)


def ellipse(width: float, height: float) -> Floats:
    """An ellipse."""
    return disc(1.0) * [width / 2, height / 2] + [width / 2, height / 2]


def polygon(width: float, height: float, sides: int) -> Floats:
    """A polygon with equal sides and one of them at the bottom, stretched to fill the box."""
    turns = 2 * np.pi * (np.arange(sides) + 0.5) / sides + np.pi / 2
    corners = np.stack([np.cos(turns), np.sin(turns)], 1)
    corners -= corners.min(axis=0)
    return closed_through(corners / corners.max(axis=0) * [width, height])


def heart(width: float, height: float) -> Floats:
    """A heart."""
    right = HEART_HALF * [-1, 1] + [1, 0]
    ring: Floats = np.concatenate([right, HEART_HALF[-2::-1]]) * [width, height]
    ring[-1] = ring[0]
    return ring


def arch(width: float, height: float) -> Floats:
    """An arch: straight sides and a floor under half an ellipse."""
    rise = min(SPRING * width, height * 0.75)
    half, reach = width / 2, HANDLE
    crown = np.array([
        (0.0, rise), (0.0, rise * (1 - reach)), (half * (1 - reach), 0.0), (half, 0.0),
        (half * (1 + reach), 0.0), (width, rise * (1 - reach)), (width, rise),
    ])  # fmt: skip
    walls = closed_through(np.array([(width, rise), (width, height), (0.0, height), (0.0, rise)]))
    return np.concatenate([crown, walls[1:10]])
