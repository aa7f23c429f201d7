"""Flat pieces made of squares: their outline, and its inset by a margin.

polyomino: squares of a grid that hang together by their sides. loop: the corners of its outline, (n, 2) in squares,
followed so that the piece lies on the left where y grows upwards. convex: a corner at which the outline turns left.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.geometry.curves.strokes import Floats, Ints, frozen

Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Loop:
    """The outline of a polyomino: corners (n, 2), outward directions (n, 2) of the sides before and after each."""

    corners: Ints
    before: Ints
    after: Ints
    convex: Mask

    def inset(self, side: float, margin: float) -> Floats:
        """The corners (n, 2) in mm of squares of `side` mm, all sides moved inwards by `margin` mm."""
        return np.asarray(self.corners * side - margin * (self.before + self.after), np.float64)


def outline(mask: Mask) -> Loop:
    """The outline of the squares (i, j) at which `mask` (a, b) is true; i counts along x, j along y.

    Raises StudioError unless it is one loop: the squares hang together by their sides, without a hole, and no two
    touch at a corner only.
    """
    squares = {(i, j) for i, j in np.argwhere(mask).tolist()}
    following: dict[tuple[int, int], tuple[int, int]] = {}
    steps = 0
    for i, j in squares:
        for free, start, end in (
            ((i, j - 1), (i, j), (i + 1, j)),
            ((i + 1, j), (i + 1, j), (i + 1, j + 1)),
            ((i, j + 1), (i + 1, j + 1), (i, j + 1)),
            ((i - 1, j), (i, j + 1), (i, j)),
        ):
            if free not in squares:
                following[start] = end
                steps += 1
    if not following:
        raise StudioError(tr("A piece without voxels has no outline."))
    walk = [min(following)]
    # Two squares that touch at a corner only have two ways to go on from there, and the walk might never come back.
    while len(following) == steps and (at := following[walk[-1]]) != walk[0]:
        walk.append(at)
    if len(walk) != steps:
        raise StudioError(tr("A piece must be in one part and have no hole."))
    points = np.array(walk, np.int64)
    coming, going = points - np.roll(points, 1, axis=0), np.roll(points, -1, axis=0) - points
    turn = coming[:, 0] * going[:, 1] - coming[:, 1] * going[:, 0]
    kept = turn != 0
    outward = [np.stack([way[kept, 1], -way[kept, 0]], 1) for way in (coming, going)]
    return Loop(frozen(points[kept]), frozen(outward[0]), frozen(outward[1]), frozen(turn[kept] > 0))
