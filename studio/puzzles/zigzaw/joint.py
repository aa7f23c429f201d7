"""The joint of a zigzaw: a piece, and an opening just like it."""

from __future__ import annotations

import numpy as np

from studio.geometry.planar.joint import Inlay
from studio.puzzles.zigzaw.backs import room
from studio.puzzles.zigzaw.geometry import ZigzawShapes, outline_of


def joint(shapes: ZigzawShapes) -> Inlay:
    """A piece and the opening between its neighbours, which share all its lines."""
    p = shapes.design.parameters
    part = outline_of(p)
    left, top, right, bottom = (p.edge * np.array(room(p.body))).tolist()
    return Inlay(part, part[::-1], (left, top, right, bottom))
