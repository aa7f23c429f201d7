"""The joint of a cube's plates: two teeth and their slots, as wide as the design's voxels and as deep as a plate."""

from __future__ import annotations

import numpy as np

from studio.geometry.curves.strokes import through
from studio.geometry.planar.joint import Seam
from studio.puzzles.cube.geometry import CubeShapes

TEETH = np.array([(0, 0), (0, 1), (1, 1), (1, 0), (2, 0), (2, 1), (3, 1), (3, 0)], np.float64)
"""The corners of a seam with two teeth, in voxels."""


def joint(shapes: CubeShapes) -> Seam:
    """Two teeth; their clearance is that of the material, as it is of the pieces that are cut."""
    return Seam(through(TEETH * (shapes.design.parameters.unit, shapes.design.parameters.plate)))
