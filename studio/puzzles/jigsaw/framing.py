"""The frame around a figure or an engraving, turned as it is, and what a pull at it makes of the pose."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Protocol

import numpy as np

from studio.geometry.curves import Floats
from studio.puzzles.jigsaw.whimsies import Pose

SMALLEST, LARGEST = 5.0, 5000.0
"""The bounds of the height in mm that a frame gives a figure; one that is smaller already may stay so."""
FARTHEST = (-1000.0, 11000.0)
"""The bounds of the position in mm."""
DECIMALS = 1
"""Of heights in mm and rotations in degrees that are pulled."""
SNAP = 15.0
"""Degrees of the steps that a rotation can be held to."""
_BOX = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])


class Posed(Protocol):
    """What has a pose: a figure or an engraving; `width` is that of its frame, in its height."""

    @property
    def pose(self) -> Pose:
        """Where it is."""

    @property
    def width(self) -> float:
        """How wide it is, in its height."""


def frame(figure: Posed) -> Floats:
    """The corners (4, 2) in mm around a figure, from its own upper left one clockwise."""
    return replace(figure.pose, is_mirrored=False).placed(_BOX * [figure.width, 1.0])


def frames(figure: Posed, x: float, y: float) -> bool:
    """Whether a place on the board is within the frame of a figure."""
    angle = math.radians(figure.pose.turn)
    right, down = x - figure.pose.x, y - figure.pose.y
    across, along = right * math.cos(angle) + down * math.sin(angle), down * math.cos(angle) - right * math.sin(angle)
    height = figure.pose.height
    return abs(across) <= height * figure.width / 2 and abs(along) <= height / 2


def shifted(pose: Pose, right: float, down: float) -> Pose:
    """The pose some mm further, as far as it may go."""
    low, high = FARTHEST
    return replace(pose, x=min(max(pose.x + right, low), high), y=min(max(pose.y + down, low), high))


def scaled(figure: Posed, corner: int, right: float, down: float) -> Pose:
    """The pose after a pull of one corner by some mm; the opposite corner stays."""
    pose, corners = figure.pose, frame(figure)
    still = corners[corner - 2]
    diagonal = corners[corner] - still
    share = 1.0 + float((right, down) @ diagonal) / float(diagonal @ diagonal)
    least = min(SMALLEST, pose.height)
    height = min(max(round(pose.height * share, DECIMALS), least), LARGEST)
    low, high = FARTHEST
    x, y = np.clip(still + diagonal / 2 * (height / pose.height), low, high).tolist()
    return replace(pose, x=x, y=y, height=height)


def rotated(pose: Pose, begin: tuple[float, float], end: tuple[float, float], *, snaps: bool) -> Pose:
    """The pose after a pull around its middle from one place on the board to another, perhaps in steps of 15°."""
    first, last = (math.atan2(y - pose.y, x - pose.x) for x, y in (begin, end))
    turn = pose.turn + math.degrees(last - first)
    turn = SNAP * round(turn / SNAP) if snaps else round(turn, DECIMALS)
    return pose.turned(turn - pose.turn)
