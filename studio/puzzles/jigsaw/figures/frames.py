"""Frames around figures and engravings, and the poses after a frame is pulled."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from studio.base.parameters import declaration
from studio.geometry.curves.strokes import Floats
from studio.puzzles.jigsaw.figures.whimsies import Pose, Whimsy

SMALLEST, LARGEST = 5.0, 5000.0
"""Bounds of the height in mm that a frame gives a figure; a figure that is smaller already may stay so."""
FARTHEST = (-1000.0, 11000.0)
"""Bounds of a position in mm."""
DECIMALS = 1
"""Decimals of pulled heights in mm and rotations in degrees."""
PLACES = 6
"""Decimals of poses that figures get from a common frame."""
SNAP = 15.0
"""Steps in degrees to which a rotation can snap."""
_BOX = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])


class Posed(Protocol):
    """A figure or an engraving, or several in a common frame."""

    @property
    def pose(self) -> Pose:
        """Pose on the board."""

    @property
    def width(self) -> float:
        """Width of the frame in units of its height."""


@dataclass(frozen=True)
class Together:
    """Several figures or engravings in a common upright frame."""

    pose: Pose
    width: float


def together(figures: Sequence[Posed]) -> Posed | None:
    """Common frame of figures; a single figure is its own. None without figures."""
    if len(figures) < 2:
        return figures[0] if figures else None
    corners = np.concatenate([frame(one) for one in figures])
    (left, top), (right, bottom) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    least, _most = declaration(Pose, "height").limits
    low, high = FARTHEST
    x, y = np.clip([(left + right) / 2, (top + bottom) / 2], low, high).tolist()
    height = max(bottom - top, least)
    return Together(Pose(x=x, y=y, height=min(height, LARGEST)), (right - left) / height)


def carried(poses: Sequence[Pose], before: Pose, after: Pose) -> list[Pose]:
    """Mirror, move, scale and rotate poses with their common frame; scale only as far as the limits of each allow."""
    least, most = declaration(Pose, "height").limits
    heights = [pose.height for pose in poses]
    share = min(max(after.height / before.height, least / min(heights)), most / max(heights))
    angle = math.radians(after.turn - before.turn)
    across, along = share * math.cos(angle), share * math.sin(angle)
    low, high = FARTHEST
    found = []
    for pose in poses:
        right, down = pose.x - before.x, pose.y - before.y
        if after.is_mirrored != before.is_mirrored:
            right, pose = -right, replace(pose, turn=-pose.turn, is_mirrored=not pose.is_mirrored)
        x = min(max(after.x + across * right - along * down, low), high)
        y = min(max(after.y + along * right + across * down, low), high)
        height = min(max(share * pose.height, least), most)
        found.append(replace(pose, x=x, y=y, height=height).turned(after.turn - before.turn))
    return found


def posed_together(figures: Sequence[Whimsy], pose: Pose) -> dict[str, Pose]:
    """Poses of figures, by name, after their common frame gets a new pose; a single figure gets just that."""
    if len(figures) == 1:
        return {figures[0].name: pose}
    around = together(figures)
    if around is None:
        return {}
    moved = _tidy(carried([one.pose for one in figures], around.pose, pose))
    return dict(zip((one.name for one in figures), moved, strict=True))


def _tidy(poses: Iterable[Pose]) -> list[Pose]:
    """Round the numbers of poses."""
    return [
        replace(one, x=round(one.x, PLACES), y=round(one.y, PLACES), height=round(one.height, PLACES),
                turn=round(one.turn, PLACES))
        for one in poses
    ]  # fmt: skip


def mirrored(figures: Sequence[Posed]) -> list[Pose]:
    """Mirror poses left to right: a single figure or engraving in its own frame, several about their middle."""
    around = together(figures)
    if around is None:
        return []
    if len(figures) == 1:
        return [replace(around.pose, is_mirrored=not around.pose.is_mirrored)]
    return _tidy(carried([one.pose for one in figures], around.pose, replace(around.pose, is_mirrored=True)))


def is_across(figure: Posed, x: float, y: float) -> bool:
    """True if a place on the board is left of the middle of a frame, in the frame's own rotation."""
    angle = math.radians(figure.pose.turn)
    return (x - figure.pose.x) * math.cos(angle) + (y - figure.pose.y) * math.sin(angle) < 0


def frame(figure: Posed) -> Floats:
    """Corners of a figure's frame in mm, clockwise from its own upper left, shape (4, 2)."""
    return replace(figure.pose, is_mirrored=False).placed(_BOX * [figure.width, 1.0])


def frames(figure: Posed, x: float, y: float) -> bool:
    """True if a place on the board is within the frame of a figure."""
    angle = math.radians(figure.pose.turn)
    right, down = x - figure.pose.x, y - figure.pose.y
    across, along = right * math.cos(angle) + down * math.sin(angle), down * math.cos(angle) - right * math.sin(angle)
    height = figure.pose.height
    return abs(across) <= height * figure.width / 2 and abs(along) <= height / 2


def shifted(pose: Pose, right: float, down: float) -> Pose:
    """Move a pose by some mm, within FARTHEST."""
    low, high = FARTHEST
    return replace(pose, x=min(max(pose.x + right, low), high), y=min(max(pose.y + down, low), high))


def scaled(figure: Posed, corner: int, right: float, down: float) -> Pose:
    """Scale by pulling a corner of the frame some mm; the opposite corner stays."""
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
    """Rotate a pose about its middle by a pull between two places on the board; `snaps` rounds to steps of 15°."""
    first, last = (math.atan2(y - pose.y, x - pose.x) for x, y in (begin, end))
    turn = pose.turn + math.degrees(last - first)
    turn = SNAP * round(turn / SNAP) if snaps else round(turn, DECIMALS)
    return pose.turned(turn - pose.turn)
