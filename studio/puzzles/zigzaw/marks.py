"""Registration marks in the corners of a zigzaw's frame: printed with its colours and scored into the wood alike."""

from __future__ import annotations

import numpy as np

from studio.geometry.art.artwork import Region
from studio.geometry.curves.rounded import disc
from studio.geometry.curves.strokes import Curves, Floats, straight
from studio.puzzles.zigzaw.model import CROSSES, NOTHING, ZigzawParameters

INK = "#000000"
ARM, DOT = 3.0, 1.0
"""The arms of a cross and the radius of a dot, in mm."""
ARM_SHARE, DOT_SHARE = 0.35, 0.2
"""The arms of a cross and the radius of a dot on a narrow rim, as shares of its width."""
LINE = 0.2
"""How wide in mm the lines of a printed cross are."""
STEPS = 24


def places(parameters: ZigzawParameters, width: float, height: float) -> Floats:
    """The middles (4, 2) of the marks in mm."""
    away = parameters.border / 2
    return np.array([(x, y) for y in (away, height - away) for x in (away, width - away)])


def size_of(parameters: ZigzawParameters) -> float:
    """How wide and high in mm a mark is."""
    if parameters.marks == CROSSES:
        return 2 * min(ARM, ARM_SHARE * parameters.border)
    return 2 * min(DOT, DOT_SHARE * parameters.border)


def scored(parameters: ZigzawParameters, width: float, height: float) -> Curves:
    """The marks as they are scored, on a board `width` mm wide and `height` mm high."""
    if parameters.marks == NOTHING:
        return Curves.of([])
    middles = places(parameters, width, height)
    if parameters.marks == CROSSES:
        arm = size_of(parameters) / 2
        ways = np.array([[(-arm, 0), (arm, 0)], [(0, -arm), (0, arm)]])
        return straight((middles[:, None, None] + ways).reshape(-1, 2, 2))
    return Curves.of([disc(size_of(parameters) / 2) + middle for middle in middles])


def printed(parameters: ZigzawParameters, width: float, height: float) -> tuple[Region, ...]:
    """The marks as they are printed: their scored lines run in the middle of a cross and round a dot."""
    if parameters.marks == NOTHING:
        return ()
    middles = places(parameters, width, height)
    if parameters.marks == CROSSES:
        arm, half = size_of(parameters) / 2, LINE / 2
        quarter = np.array([(half, arm), (half, half), (arm, half)])
        turn = np.array([(0.0, -1.0), (1.0, 0.0)])
        cross = np.concatenate([quarter @ np.linalg.matrix_power(turn, times) for times in range(4)])
        return (Region(tuple(cross + middle for middle in middles), INK),)
    angles = np.linspace(0.0, 2 * np.pi, STEPS, endpoint=False)
    ring = size_of(parameters) / 2 * np.stack([np.cos(angles), np.sin(angles)], 1)
    return (Region(tuple(ring + middle for middle in middles), INK),)
