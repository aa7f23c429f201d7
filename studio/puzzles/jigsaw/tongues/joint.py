"""The joint of a jigsaw: its median tongue."""

from __future__ import annotations

import numpy as np

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.geometry.curves.strokes import Curves, Floats
from studio.geometry.planar.drawing import Seam
from studio.puzzles.jigsaw.model.geometry import JigsawShapes

FLATTENING = 0.02
"""The largest deviation in mm of the polyline that decides a tongue's side."""


def joint(shapes: JigsawShapes) -> Seam:
    """The tongue that is the median by length; raises StudioError where there is none."""
    inner = shapes.tiling.graph.inner_edges
    tongues = inner[~shapes.plain[inner]]
    if not len(tongues):
        raise StudioError(tr("No fit coupon: the puzzle has no tongue between two pieces."))
    strokes = shapes.drawing.strokes
    by_length = np.argsort(strokes.lengths[tongues], kind="stable")
    return Seam(_hanging(strokes[int(tongues[by_length[(len(tongues) - 1) // 2]])]))


def _hanging(tongue: Floats) -> Floats:
    """A tongue rotated so that its ends are on y = 0, the first at the origin, and most of it below them."""
    way = tongue[-1] - tongue[0]
    length = float(np.hypot(*way))
    along = way / length
    turned: Floats = (tongue - tongue[0]) @ np.array([[along[0], -along[1]], [along[1], along[0]]])
    turned[0], turned[-1] = (0.0, 0.0), (length, 0.0)
    heights = Curves.of([turned]).flattened(FLATTENING).points[:, 1]
    if -heights.min() > heights.max():
        turned = np.array([length, 0.0]) - turned[::-1]
        turned[0], turned[-1] = (0.0, 0.0), (length, 0.0)
    return turned
