"""The exact isometric view of bodies of unit voxels: from the right, the front and above.

In this view the sides of all voxels fall onto one lattice of triangles, and every triangle shows a single side. So
hidden surfaces are found without any rounding, as long as bodies are moved by whole voxels.
side: one of the three directions of visible sides. flat: the visible part of one body in one plane. Voxel (x, y, z)
reaches from there to (x + 1, y + 1, z + 1); x grows to the right, y backwards, z upwards. Places on paper are in
voxels, to the right and down.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from studio.geometry.curves.strokes import Floats, Ints
from studio.geometry.planar.polyomino import outlines

COS_30 = 3**0.5 / 2


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
