"""Shading of a scene: shadows of the key light, occlusion, and antialiasing.

The key light is fixed while the camera turns, so all of it is the same for each picture of a scene.

Morphological antialiasing smooths the stairs of a picture with one sample per pixel. Where pixels above each other
differ, a run of such places along a row is a stretch of an edge. At an end of a run the edge goes on in the row above
or below, half a pixel up or down. The straight line from there to the middle of the run is where the edge really is,
so each pixel next to it takes as much of its neighbour's colour as the line cuts off.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from studio.geometry.curves.strokes import Floats, Ints
from studio.ui.solid.scene import TO_LIGHT, BodyLook, Scene

GRID = 44
"""Cells of the occlusion grid along each side."""
BLUR = 0.36
"""Reach of occlusion, in sides of a cell."""
GROUND_RADII = 3.3
"""Radius of the ground, in radii of the model; beyond, it is the plain colour of the canvas."""
SOFTNESS = 0.03
"""Most blur of a shadow beyond its rim, in radii of the light's view."""
STEP = 20
"""Least difference of a channel at an edge, of 255."""
Pixels = NDArray[np.uint8]
Mask = NDArray[np.bool_]


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


def smooth(pixels: Pixels) -> None:
    """Smooth the edges of a picture (height, width, 4) in place."""
    height, width = pixels.shape[:2]
    if height < 2 or width < 2:
        return
    across, down = _differs(pixels[:, :-1], pixels[:, 1:]), _differs(pixels[:-1], pixels[1:])
    flat = np.ascontiguousarray(pixels).reshape(-1, 4)
    both = _shares(down, across, width, 1), _shares(across.T, down.T, 1, width)
    in_rows, in_columns = (_greatest(shares, len(flat)) for shares in both)
    # Rows and columns find the same edge; the larger share counts. All changes start from the original picture.
    changes = []
    for shares, decides in zip(both, (in_rows >= in_columns, in_columns > in_rows), strict=True):
        for numbers, by, share in shares:
            at, part = numbers[decides[numbers]], share[decides[numbers]]
            changes.append((at, (flat[at + by].astype(np.float32) - flat[at]) * part[:, None]))
    for at, change in changes:
        flat[at] = np.clip(np.rint(flat[at] + change), 0, 255).astype(np.uint8)
    if flat.base is not pixels:
        pixels[:] = flat.reshape(pixels.shape)


def _differs(one: Pixels, other: Pixels) -> Mask:
    """Mask of the pixels at which two pictures (height, width, 4) differ in some channel."""
    apart = np.maximum(one, other) - np.minimum(one, other) >= STEP
    return np.asarray(apart.view(np.uint32)[..., 0] != 0)


def _shares(edges: Mask, crossing: Mask, below: int, beside: int) -> list[tuple[Ints, int, Floats]]:
    """Pixels that take a share of a neighbour's colour: their numbers, the offset to the neighbour's, and the shares.

    edges: (rows - 1, columns), edges below pixels. crossing: (rows, columns - 1), edges beside pixels. below, beside:
    offsets from the number of a pixel to the numbers of the next ones below and beside it.
    """
    rows, columns = edges.shape
    # With a column in between, no run goes on in the next row.
    padded = np.zeros((rows, columns + 1), np.bool_)
    padded[:, :-1] = edges
    places = np.flatnonzero(padded)
    if not len(places):
        return []
    is_first = np.diff(places, prepend=-2) != 1
    firsts = np.flatnonzero(is_first)
    lengths = np.diff(firsts, append=len(places))
    y, x = np.divmod(places[firsts], columns + 1)
    heights = [_height(crossing, y, x - 1), _height(crossing, y, x + lengths - 1)]
    bent = (heights[0] != 0) | (heights[1] != 0)
    run = np.repeat(np.arange(len(firsts)), lengths)
    kept = bent[run]
    run = run[kept]
    along = (np.arange(len(places)) - firsts[np.repeat(np.arange(len(firsts)), lengths)])[kept]
    length = lengths[run].astype(np.float64)
    left = heights[0][run] * _cut_off(along, length)
    right = heights[1][run] * _cut_off(length - 1 - along, length)
    numbers = y[run] * below + (x[run] + along) * beside
    up = np.maximum(left, 0.0) + np.maximum(right, 0.0)
    down = np.maximum(-left, 0.0) + np.maximum(-right, 0.0)
    higher, lower = up > 0, down > 0
    return [(numbers[higher], below, up[higher]), (numbers[lower] + below, -below, down[lower])]


def _greatest(shares: list[tuple[Ints, int, Floats]], count: int) -> Floats:
    """Greatest share that each of `count` pixels takes."""
    greatest = np.zeros(count)
    for numbers, _, share in shares:
        greatest[numbers] = np.maximum(greatest[numbers], share)
    return greatest


def _height(crossing: Mask, y: Ints, x: Ints) -> Ints:
    """Turn of an edge below row y at its end before column x + 1: 1 up, -1 down, 0 both, neither, or the rim."""
    within = (x >= 0) & (x < crossing.shape[1])
    column = np.clip(x, 0, crossing.shape[1] - 1)
    up, down = crossing[y, column], crossing[y + 1, column]
    return np.where(within, up.astype(np.int64) - down.astype(np.int64), 0)


def _cut_off(along: Floats | Ints, length: Floats) -> Floats:
    """Share of each pixel cut off by a line that falls from half a pixel at the end of a run to 0 in its middle."""
    begin, end = np.minimum(along, length / 2), np.minimum(along + 1, length / 2)
    return np.asarray(0.5 * ((end - end * end / length) - (begin - begin * begin / length)))
