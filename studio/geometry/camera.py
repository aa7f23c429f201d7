"""The eye in front of the pieces: it goes round them, nearer and farther, and stands still where it is told to.

target: the place that stays in the middle while the eye goes round. span: how much of the world, in mm, fits between
the upper and the lower rim of the picture at the target. Places in the picture are pixels from its top left corner.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import cos, radians, sin, tan

import numpy as np

from studio.geometry.curves import Floats

ANGLE = 21.0
"""How much the eye takes in from top to bottom, in degrees: little, so that parallels look parallel."""
DEGREES_PER_PIXEL = 0.4
STEEPEST = 90.0
SMALLEST_SPAN, LARGEST_SPAN = 0.5, 20_000.0
NEAREST, FARTHEST = 0.02, 12.0
"""What is drawn at all lies between these, in distances of the eye from its target."""

Pixels = tuple[float, float]


@dataclass(frozen=True)
class Camera:
    """Where the eye is: `yaw` round the vertical and `pitch` above the ground in degrees."""

    yaw: float = -58.0
    pitch: float = 27.0
    target: tuple[float, float, float] = (0.0, 0.0, 0.0)
    span: float = 100.0

    @cached_property
    def axes(self) -> Floats:
        """To the right, up, and from the target to the eye, as rows (3, 3)."""
        y, p = radians(self.yaw), radians(self.pitch)
        return np.array([
            [-sin(y), cos(y), 0.0],
            [-sin(p) * cos(y), -sin(p) * sin(y), cos(p)],
            [cos(p) * cos(y), cos(p) * sin(y), sin(p)],
        ])  # fmt: skip

    @property
    def distance(self) -> float:
        """From the eye to the target in mm."""
        return self.span / 2 / tan(radians(ANGLE / 2))

    @property
    def eye(self) -> Floats:
        """Where the eye is (3,) in mm."""
        return np.asarray(np.array(self.target) + self.distance * self.axes[2])

    def matrix(self, size: Pixels) -> Floats:
        """From mm to the cube that a graphics card clips to, as a matrix (4, 4) for columns."""
        turn = np.eye(4)
        turn[:3, :3] = self.axes
        turn[:3, 3] = -self.axes @ self.eye
        near, far = NEAREST * self.distance, FARTHEST * self.distance
        reach = 1 / tan(radians(ANGLE / 2))
        lens = np.zeros((4, 4))
        lens[0, 0], lens[1, 1] = reach * size[1] / size[0], reach
        lens[2, 2:] = (far + near) / (near - far), 2 * far * near / (near - far)
        lens[3, 2] = -1.0
        return np.asarray(lens @ turn)

    def project(self, places: Floats, size: Pixels) -> Floats:
        """Where places (n, 3) in mm are seen, as pixels, and how far from the eye along its view: (n, 3)."""
        along = (places - self.eye) @ self.axes.T
        depth = np.maximum(-along[:, 2], NEAREST * self.distance)
        scale = size[1] / 2 / tan(radians(ANGLE / 2)) / depth
        return np.stack([size[0] / 2 + along[:, 0] * scale, size[1] / 2 - along[:, 1] * scale, depth], 1)

    def way_to(self, at: Pixels, size: Pixels) -> Floats:
        """The direction (3,) from the eye to what is seen at a place of the picture; 1 long along its view."""
        mm = 2 * tan(radians(ANGLE / 2)) / size[1]
        right, up = (at[0] - size[0] / 2) * mm, (size[1] / 2 - at[1]) * mm
        return np.asarray(right * self.axes[0] + up * self.axes[1] - self.axes[2])

    def turned(self, by: Pixels) -> Camera:
        """After a drag by so many pixels, which turns the pieces the way the mouse goes."""
        pitch = min(max(self.pitch + by[1] * DEGREES_PER_PIXEL, -STEEPEST), STEEPEST)
        yaw = (self.yaw - by[0] * DEGREES_PER_PIXEL + 180.0) % 360.0 - 180.0
        return replace(self, yaw=yaw, pitch=pitch)

    def panned(self, by: Pixels, size: Pixels) -> Camera:
        """After a drag by so many pixels that takes the target along."""
        mm = self.span / size[1]
        return self._at(np.array(self.target) - by[0] * mm * self.axes[0] + by[1] * mm * self.axes[1])

    def zoomed(self, factor: float, at: Pixels, size: Pixels) -> Camera:
        """Nearer by a factor; what is seen at a place of the picture, as far away as the target, stays there."""
        span = min(max(self.span / factor, SMALLEST_SPAN), LARGEST_SPAN)
        still = self.eye + self.distance * self.way_to(at, size)
        return replace(self._at(still + (np.array(self.target) - still) * (span / self.span)), span=span)

    def looking(self, yaw: float, pitch: float) -> Camera:
        """From another side."""
        return replace(self, yaw=yaw, pitch=pitch)

    def fitted(self, places: Floats, size: Pixels, margin: float) -> Camera:
        """From the same side, so that all places (n, 3) are seen, at least `margin` pixels from the rim."""
        # Four planes through the eye bound what is seen: the eye must lie behind all places along each of them.
        across, up, near = (places @ self.axes.T).T
        reach = tan(radians(ANGLE / 2)) / size[1]
        wide, high = (reach * max(side - 2 * margin, 20.0) for side in size)
        right, left = (across + wide * near).max(), (wide * near - across).max()
        above, below = (up + high * near).max(), (high * near - up).max()
        eye = max((right + left) / (2 * wide), (above + below) / (2 * high))
        middle = (near.min() + near.max()) / 2
        target = np.array([(right - left) / 2, (above - below) / 2, middle]) @ self.axes
        span = 2 * (eye - middle) * tan(radians(ANGLE / 2))
        return replace(self._at(target), span=float(min(max(span, SMALLEST_SPAN), LARGEST_SPAN)))

    def _at(self, target: Floats) -> Camera:
        x, y, z = target.tolist()
        return replace(self, target=(x, y, z))


SIDES: dict[str, tuple[float, float]] = {
    "front": (-90.0, 0.0),
    "back": (90.0, 0.0),
    "left": (180.0, 0.0),
    "right": (0.0, 0.0),
    "top": (-90.0, 90.0),
    "bottom": (-90.0, -90.0),
    "isometric": (-45.0, 35.264),
}
"""Yaw and pitch of the six views and of the isometric one."""
