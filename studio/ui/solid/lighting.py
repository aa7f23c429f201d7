"""Light on a scene: shadows of the key light, and occlusion.

The key light is fixed while the camera turns, so all of it is the same for each picture of a scene.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from studio.geometry.curves.strokes import Floats
from studio.ui.solid.scene import TO_LIGHT, BodyLook, Scene

GRID = 44
"""Cells of the occlusion grid along each side."""
BLUR = 0.36
"""Reach of occlusion, in sides of a cell."""
GROUND_RADII = 3.3
"""Radius of the ground, in radii of the model; beyond, it is the plain colour of the canvas."""
SOFTNESS = 0.03
"""Most blur of a shadow beyond its rim, in radii of the light's view."""


@dataclass(frozen=True, eq=False)
class Lighting:
    """Shadow projection and occlusion grid of a scene."""

    light: Floats
    """Projection from mm to the light's view, shape (4, 4)."""
    low: Floats
    """The least corner (3,) of the occlusion grid."""
    extent: Floats
    """Size of the occlusion grid in mm, shape (3,)."""
    reach: float
    """Reach of occlusion, in mm."""
    felt: NDArray[np.uint8]
    """Amount of material nearby, 0 to 255, axes z, y, x."""
    touched: Floats
    """Least and greatest x and y of the ground with any shadow or shade, shape (2, 2)."""


def lighting_of(scene: Scene) -> Lighting:
    """Compute shadows and occlusion of a scene."""
    low, high = scene.body_corners.min(axis=0), scene.body_corners.max(axis=0)
    radius = 1.08 * float(np.linalg.norm(high - low)) / 2
    cells = _felt_cells(scene)
    side = float(np.median(cells[:, 1] - cells[:, 0])) if len(cells) else 1.0
    # A reach below one cell of the grid would flicker from cell to cell.
    reach = max(BLUR * side, float((high - low).max()) / GRID)
    begin, end = low - 2.5 * reach, high + 2.5 * reach
    felt = _felt(cells, begin, end - begin, reach)
    touched = np.array([begin[:2], end[:2]])
    fallen = scene.body_corners - TO_LIGHT * ((scene.body_corners[:, 2:] - scene.floor) / TO_LIGHT[2])
    rim = SOFTNESS * radius + reach / BLUR
    touched[0] = np.minimum(touched[0], fallen[:, :2].min(axis=0) - rim)
    touched[1] = np.maximum(touched[1], fallen[:, :2].max(axis=0) + rim)
    return Lighting(_seen_by_light((low + high) / 2, radius), begin, end - begin, reach, felt, touched)


def ground_around(scene: Scene, touched: Floats) -> tuple[Floats, Floats]:
    """Triangles (n, 3, 2) of the ground that may have shadow or shade, and of the ground around it."""
    far, middle = GROUND_RADII * scene.radius, scene.middle[:2]
    outer = np.array([middle - far, middle + far])
    inner = np.clip(touched, outer[0], outer[1])
    a, b = _corners(inner), _corners(outer)
    around = [[[a[i], b[i], b[i - 3]], [a[i], b[i - 3], a[i - 3]]] for i in range(4)]
    return a[[[0, 1, 2], [0, 2, 3]]], np.array(around).reshape(-1, 3, 2)


def _corners(box: Floats) -> Floats:
    """The corners (4, 2) of a rectangle (2, 2), counter-clockwise."""
    return np.array([box[0], [box[1, 0], box[0, 1]], box[1], [box[0, 0], box[1, 1]]])


def _seen_by_light(middle: Floats, radius: float) -> Floats:
    side = np.cross([0.0, 0.0, 1.0], TO_LIGHT)
    side /= np.linalg.norm(side)
    turn = np.array([side, np.cross(TO_LIGHT, side), TO_LIGHT])
    light = np.eye(4)
    light[:3, :3] = turn / radius
    # The shadow on the ground reaches beyond the bodies.
    light[2, :3] = -turn[2] / (4 * radius)
    light[:3, 3] = -light[:3, :3] @ middle
    return light


def _felt_cells(scene: Scene) -> Floats:
    """Boxes (k, 2, 3) of all material that casts shade."""
    shown = [each for each in scene.placed if each.look is not BodyLook.DIMMED]
    cells = np.concatenate([each.body.cells + each.shift for each in shown] or [np.zeros((0, 2, 3))])
    return cells if scene.section is None else scene.section.left_of(cells)


def _felt(cells: Floats, low: Floats, extent: Floats, reach: float) -> NDArray[np.uint8]:
    """The occlusion grid: each cell of material is the product of three blurred stretches."""
    places = low[:, None] + (np.arange(GRID) + 0.5) / GRID * extent[:, None]
    shares = [
        _blurred(places[axis][None] - cells[:, 0, axis][:, None], reach)
        - _blurred(places[axis][None] - cells[:, 1, axis][:, None], reach)
        for axis in range(3)
    ]
    plane = (shares[2][:, :, None] * shares[1][:, None, :]).reshape(len(cells), GRID * GRID)
    grid = plane.T.astype(np.float32) @ shares[0].astype(np.float32)
    return np.asarray((np.clip(grid, 0.0, 1.0) * 255).astype(np.uint8))


def _blurred(away: Floats, reach: float) -> Floats:
    """A step blurred to a slope: 0 well before it, 1 well behind it."""
    return np.asarray(0.5 + 0.5 * np.tanh(away * (0.8 / reach)))
