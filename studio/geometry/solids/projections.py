"""Projections of solids: by a camera, and the exact isometric view of unit voxels.

target: the place that stays in the middle while the eye goes round. span: the height of the picture in mm at the
target. parallel: a view from so far away that parallels stay parallel and sizes do not shrink with distance, as in
technical drawings; depths are still measured from an eye at the usual distance. Places in the picture are pixels from
its top left corner.

The isometric view is from the right, the front and above. The sides of all voxels fall onto one lattice of triangles,
and every triangle shows a single side. So hidden surfaces are found without any rounding, as long as bodies are moved
by whole voxels. side: one of the three directions of visible sides. flat: the visible part of one body in one plane.
Voxel (x, y, z) reaches from there to (x + 1, y + 1, z + 1); x grows to the right, y backwards, z upwards. Places on
paper are in voxels, to the right and down.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property
from math import cos, radians, sin, tan

import numpy as np
from numpy.typing import NDArray

from studio.geometry.curves.strokes import Floats, Ints
from studio.geometry.planar.polyomino import outlines

ANGLE = 21.0
"""Vertical field of view in degrees: small, so that parallels look parallel."""
DEGREES_PER_PIXEL = 0.4
STEEPEST = 90.0
SMALLEST_SPAN, LARGEST_SPAN = 0.5, 20_000.0
FAR_AWAY = 1000.0
"""Distances of the eye from which parallels look parallel."""
NEAREST, FARTHEST = 0.02, 12.0
"""The near and far plane, in distances of the eye from its target."""

Pixels = tuple[float, float]
COS_30 = 3**0.5 / 2


@dataclass(frozen=True)
class Camera:
    """The eye's position: `yaw` round the vertical and `pitch` above the ground in degrees."""

    yaw: float = -58.0
    pitch: float = 27.0
    target: tuple[float, float, float] = (0.0, 0.0, 0.0)
    span: float = 100.0
    is_parallel: bool = False

    @cached_property
    def axes(self) -> Floats:
        """Unit vectors to the right, up, and from the target to the eye, as rows (3, 3)."""
        y, p = radians(self.yaw), radians(self.pitch)
        return np.array([
            [-sin(y), cos(y), 0.0],
            [-sin(p) * cos(y), -sin(p) * sin(y), cos(p)],
            [cos(p) * cos(y), cos(p) * sin(y), sin(p)],
        ])  # fmt: skip

    @property
    def distance(self) -> float:
        """Distance from the eye to the target in mm."""
        return self.span / 2 / tan(radians(ANGLE / 2))

    @property
    def eye(self) -> Floats:
        """The eye's position (3,) in mm."""
        return np.asarray(np.array(self.target) + self.distance * self.axes[2])

    @property
    def onlooker(self) -> Floats:
        """The viewpoint (3,) that sees the same sides: the eye, or a place very far away in a parallel view."""
        return self.eye + (FAR_AWAY * self.distance * self.axes[2] if self.is_parallel else 0.0)

    def matrix(self, size: Pixels) -> Floats:
        """Matrix (4, 4) for columns, from mm to the clip space of a graphics card."""
        turn = np.eye(4)
        turn[:3, :3] = self.axes
        turn[:3, 3] = -self.axes @ self.eye
        near, far = NEAREST * self.distance, FARTHEST * self.distance
        reach = 1 / tan(radians(ANGLE / 2))
        lens = np.zeros((4, 4))
        lens[0, 0], lens[1, 1] = reach * size[1] / size[0], reach
        if self.is_parallel:
            lens[:2] /= self.distance
            lens[2, 2:] = 2 / (near - far), (far + near) / (near - far)
            lens[3, 3] = 1.0
        else:
            lens[2, 2:] = (far + near) / (near - far), 2 * far * near / (near - far)
            lens[3, 2] = -1.0
        return np.asarray(lens @ turn)

    def project(self, places: Floats, size: Pixels) -> Floats:
        """Project places (n, 3) in mm to pixels and their depths along the view: (n, 3)."""
        along = (places - self.eye) @ self.axes.T
        depth = np.maximum(-along[:, 2], NEAREST * self.distance)
        scale = size[1] / 2 / tan(radians(ANGLE / 2)) / (self.distance if self.is_parallel else depth)
        scale = np.broadcast_to(scale, depth.shape)
        return np.stack([size[0] / 2 + along[:, 0] * scale, size[1] / 2 - along[:, 1] * scale, depth], 1)

    def spot(self, at: Pixels, size: Pixels) -> Floats:
        """The point (3,) in mm at a place of the picture, as far away as the target."""
        mm = self.span / size[1]
        right, up = (at[0] - size[0] / 2) * mm, (size[1] / 2 - at[1]) * mm
        return np.asarray(np.array(self.target) + right * self.axes[0] + up * self.axes[1])

    def ray(self, at: Pixels, size: Pixels) -> tuple[Floats, Floats]:
        """Origin (3,) and direction (3,), 1 long along the view, of the ray through a place of the picture."""
        spot = self.spot(at, size)
        if self.is_parallel:
            return spot + self.distance * self.axes[2], -self.axes[2]
        return self.eye, (spot - self.eye) / self.distance

    def turned(self, by: Pixels) -> Camera:
        """Orbit by a drag in pixels, so that the pieces turn with the mouse; the view is no longer parallel."""
        pitch = min(max(self.pitch + by[1] * DEGREES_PER_PIXEL, -STEEPEST), STEEPEST)
        yaw = (self.yaw - by[0] * DEGREES_PER_PIXEL + 180.0) % 360.0 - 180.0
        return replace(self, yaw=yaw, pitch=pitch, is_parallel=False)

    def panned(self, by: Pixels, size: Pixels) -> Camera:
        """Pan by a drag in pixels, which moves the target along."""
        mm = self.span / size[1]
        return self._at(np.array(self.target) - by[0] * mm * self.axes[0] + by[1] * mm * self.axes[1])

    def zoomed(self, factor: float, at: Pixels, size: Pixels) -> Camera:
        """Zoom in by a factor; the point at a place of the picture, as far away as the target, stays there."""
        span = min(max(self.span / factor, SMALLEST_SPAN), LARGEST_SPAN)
        still = self.spot(at, size)
        return replace(self._at(still + (np.array(self.target) - still) * (span / self.span)), span=span)

    def looking(self, yaw: float, pitch: float) -> Camera:
        """Look from another side, in parallel view, as in a technical drawing."""
        return replace(self, yaw=yaw, pitch=pitch, is_parallel=True)

    def fitted(self, places: Floats, size: Pixels, margin: float) -> Camera:
        """Fit all places (n, 3) into the picture from the same side, at least `margin` pixels from the rim."""
        if self.is_parallel:
            return self._fitted_flat(places @ self.axes.T, size, margin)
        # Four planes through the eye bound the view: the eye must lie behind all places along each of them.
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

    def _fitted_flat(self, seen: Floats, size: Pixels, margin: float) -> Camera:
        low, high = seen.min(axis=0), seen.max(axis=0)
        span = max(float(size[1] * (high - low)[axis] / max(side - 2 * margin, 20.0)) for axis, side in enumerate(size))
        at = self._at((low + high) / 2 @ self.axes)
        return replace(at, span=min(max(span, SMALLEST_SPAN), LARGEST_SPAN))

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


class BlockSide(IntEnum):
    """Directions of visible sides."""

    RIGHT = 0
    FRONT = 1
    TOP = 2

    @property
    def axis(self) -> int:
        """The axis along which the side faces."""
        return int(self)

    @property
    def across(self) -> Floats:
        """One voxel to the right on such a side, (2,) on paper."""
        return _seen_as([0.0, 1.0, 0.0] if self is BlockSide.RIGHT else [1.0, 0.0, 0.0])

    @property
    def down(self) -> Floats:
        """One voxel down on such a side, (2,) on paper."""
        return _seen_as([0.0, -1.0, 0.0] if self is BlockSide.TOP else [0.0, 0.0, -1.0])


@dataclass(frozen=True, eq=False)
class Flat:
    """The visible part of one body in one plane: loops (m, 2) on paper, holes the other way round."""

    body: int
    side: BlockSide
    loops: tuple[Floats, ...]


@dataclass(frozen=True, eq=False)
class Sight:
    """The visible parts of bodies: their flats, and the visible outline of each body.

    `_shown` are the triangles, as numbered by `_triangles`, with body, side and plane.
    """

    flats: tuple[Flat, ...]
    bodies: tuple[tuple[int, tuple[Floats, ...]], ...]
    _shown: frozenset[tuple[int, ...]]

    def shows(self, body: int, voxel: Floats, side: BlockSide) -> bool:
        """True if the whole side of a voxel (3,) of a body is visible."""
        places, plane, _ = _triangles(voxel[None].astype(np.int64), side)
        wanted = {(*place, body, int(side), int(plane[0])) for place in places[0].tolist()}
        return wanted <= self._shown


def paper(places: Floats) -> Floats:
    """Project places (n, 3) in space onto paper, (n, 2)."""
    x, y, z = places.T
    return np.stack([(x + y) * COS_30, (x - y) / 2 - z], 1)


def _seen_as(way: list[float]) -> Floats:
    return np.asarray(paper(np.array([way]))[0])


def seen(voxels: Ints, bodies: Ints) -> Sight:
    """Find the visible parts of distinct voxels (n, 3), which belong to bodies (n,)."""
    there = {tuple(voxel) for voxel in voxels.tolist()}
    rows = []
    for side in BlockSide:
        way = np.zeros(3, np.int64)
        way[side.axis] = -1 if side is BlockSide.FRONT else 1
        before = voxels + way
        bare = np.array([tuple(voxel) not in there for voxel in before.tolist()], bool)
        places, planes, nearness = _triangles(voxels[bare], side)
        many = np.stack([bodies[bare], np.full(int(bare.sum()), int(side)), planes], 1)
        rows.append(np.concatenate([places, np.repeat(many[:, None], 2, axis=1), nearness[..., None]], 2))
    found = np.concatenate(rows).reshape(-1, 7)
    order = np.lexsort((found[:, 6], found[:, 2], found[:, 1], found[:, 0]))
    found = found[order]
    last = np.ones(len(found), bool)
    last[:-1] = (found[1:, :3] != found[:-1, :3]).any(axis=1)
    shown = found[last, :6]
    flats = tuple(
        Flat(key[0], BlockSide(key[1]), _loops(shown[(shown[:, 3:] == key).all(axis=1)]))
        for key in np.unique(shown[:, 3:], axis=0).tolist()
    )
    whole = tuple((body, _loops(shown[shown[:, 3] == body])) for body in np.unique(shown[:, 3]).tolist())
    return Sight(flats, whole, frozenset(tuple(row) for row in shown.tolist()))


def _triangles(voxels: Ints, side: BlockSide) -> tuple[Ints, Ints, Ints]:
    """The two triangles (n, 2, 3) covered by a side of each voxel, its plane (n,), and their nearness (n, 2).

    On the lattice p = x - z and q = -y - z, which is constant along the view, a triangle is half of a square:
    (p, q, 0) holds the corner (p + 1, q), (p, q, 1) the corner (p, q + 1).
    """
    # With b = -y all three axes point to the eye.
    a, b, c = voxels[:, 0], -voxels[:, 1] - 1, voxels[:, 2]
    match side:
        case BlockSide.RIGHT:
            pairs, plane = ((a - c, b - c - 1, 1), (a - c, b - c, 0)), a + 1
        case BlockSide.FRONT:
            pairs, plane = ((a - c - 1, b - c, 0), (a - c, b - c, 1)), b + 1
        case BlockSide.TOP:
            pairs, plane = ((a - c - 1, b - c - 1, 0), (a - c - 1, b - c - 1, 1)), c + 1
    places = np.stack([np.stack([p, q, np.full(len(p), half)], 1) for p, q, half in pairs], 1)
    # Position of a triangle's middle along the view, in thirds, counted from height 0.
    thirds = 3 * places[..., :2] + np.where(places[..., 2:] == 0, [2, 1], [1, 2])
    shift = {
        BlockSide.RIGHT: thirds[..., 0],
        BlockSide.FRONT: thirds[..., 1],
        BlockSide.TOP: np.zeros_like(thirds[..., 0]),
    }[side]
    return places, plane, 3 * plane[:, None] - shift


_HALVES = np.array([[[0, 0], [1, 0], [1, 1]], [[0, 0], [1, 1], [0, 1]]], np.int64)


def _loops(shown: NDArray[np.int64]) -> tuple[Floats, ...]:
    """Outlines on paper of triangles (n, 3 and more)."""
    tiles = shown[:, None, :2] + _HALVES[shown[:, 2]]
    return tuple(
        np.stack([(loop[:, 0] - loop[:, 1]) * COS_30, (loop[:, 0] + loop[:, 1]) / 2], 1) for loop in outlines(tiles)
    )
