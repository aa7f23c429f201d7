"""The joint of a zigzaw: a piece, and an opening just like it."""

from __future__ import annotations

import numpy as np
import shapely

from studio.geometry.curves import Floats, closed_through
from studio.geometry.joint import Inlay
from studio.puzzles.zigzaw.geometry import ZigzawShapes, at
from studio.puzzles.zigzaw.lattice import STEPS

WIDE = 2.0
"""How many times as wide as tall the room for words is."""
FINENESS = 24
"""Heights of the room that are tried, up to that of the piece."""


def joint(shapes: ZigzawShapes) -> Inlay:
    """A piece and the opening between its neighbours, which share all its lines."""
    p, body = shapes.design.parameters, shapes.design.body
    corners = np.array(body.outline, float)
    outline = at(p, np.zeros(2), corners)
    middles = [np.mean(sticker.corners, axis=0) + STEPS[limb.step] for limb in body.limbs for sticker in limb.stickers]
    part = closed_through(outline)
    return Inlay(part, part[::-1], _room(outline, at(p, np.zeros(2), np.array(middles))))


def _room(outline: Floats, middles: Floats) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of the tallest rectangle within an outline round one of some points."""
    whole = shapely.Polygon(outline)
    tallest = float(np.ptp(outline[:, 1]))
    halves = np.linspace(0.0, tallest / 2, FINENESS + 1)[1:, None]
    (x, y) = middles.T
    boxes = shapely.box(x - WIDE * halves, y - halves, x + WIDE * halves, y + halves)
    fits = shapely.contains(whole, boxes)
    height, middle = max(np.argwhere(fits).tolist())
    left, top, right, bottom = shapely.bounds(boxes[height, middle]).tolist()
    return left, top, right, bottom
