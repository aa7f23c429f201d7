"""Blocks that try how a part fits into an opening: thin slices of both, printed in a few minutes, with their labels."""

from __future__ import annotations

import numpy as np
import shapely

from studio.geometry.art.lettering import Room, fitted, grooves, laid
from studio.geometry.curves.strokes import Curves, Floats
from studio.geometry.solids.solid import Mesh, engraved, stacked

UP = np.array([1.0, -1.0])
"""From a drawing, in which y grows downwards, to the bed."""
SLICE = 2.0
"""How thick a slice is at most, in mm: enough to be held, and ten layers of 0.2 mm."""
WALL, LABEL, PEN, DEPTH = 3.0, 6.5, 0.8, 0.6
"""In mm: how wide a block is around its opening, how tall the room for its label, and how wide and deep its letters
are."""
FINE = 1e-3
"""The grid in mm on which outlines are laid."""

Space = tuple[float, float, float, float]
"""Left, top, right and bottom in mm of a rectangle of the drawing."""


def label(gap: float) -> str:
    """A gap as it is sunk into the blocks: two places, or three where it needs them."""
    return f"{gap:.3f}".removesuffix("0")


def pair(part: shapely.Polygon, opening: shapely.Polygon, room: Space, thick: float, text: str) -> tuple[Mesh, Mesh]:
    """A block with the opening and a label below it, and the part with its label in a room; both begin at the origin.

    All is in mm in a drawing; slices are as thick as the puzzle, `thick`, or thinner.
    """
    height = min(thick, SLICE)
    # The block is as large for every clearance.
    low, high = ((shapely.bounds(part) + shapely.bounds(opening)) / 2).reshape(2, 2)
    block = shapely.box(*(low - WALL), *(high + WALL + np.array([0.0, LABEL])))
    below = (float(low[0]), float(high[1] + WALL / 2), float(high[0]), float(high[1] + WALL / 2 + LABEL))
    meshes = [
        _labelled(extruded(area, 0.0, height, FINE), text, space)
        for area, space in ((block - opening, below), (part, room))
    ]
    one, other = (mesh.moved(np.eye(3), -mesh.bounds[0]) for mesh in meshes)
    return one, other


def extruded(area: shapely.Geometry, low: float, high: float, grid: float) -> Mesh:
    """An area of a drawing with its holes as an upright body, y upwards, its corners on a grid in mm."""
    even = shapely.normalize(shapely.set_precision(area, grid))
    rings = [even.exterior.coords, *(ring.coords for ring in even.interiors)]
    loops = []
    for number, ring in enumerate(rings):
        points = np.array(ring)[:-1] * UP
        x, y = points.T
        is_left = float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum()) > 0
        loops.append(np.stack([points if is_left == (number == 0) else points[::-1]] * 2))
    return stacked(loops, np.array([low, high]))


def _labelled(mesh: Mesh, text: str, space: Space) -> Mesh:
    """A body with a text in its top, as tall as it can be in a space."""
    left, top, right, bottom = space
    whole = Room(right - left, bottom - top)
    height = fitted(text, whole, PEN, LABEL / 2)
    strokes = laid(text, height, whole, PEN) if height else None
    if strokes is None:
        return mesh
    middle = _middle(space) * UP
    flipped = Curves(strokes.points * UP, strokes.starts)
    return engraved(mesh, [rim + middle for rim in grooves(flipped, PEN)], DEPTH)


def _middle(space: Space) -> Floats:
    left, top, right, bottom = space
    return np.array([(left + right) / 2, (top + bottom) / 2])
