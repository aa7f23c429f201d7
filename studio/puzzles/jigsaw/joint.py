"""The joint of a jigsaw: its median tongue."""

from __future__ import annotations

import numpy as np

from studio.errors import StudioError
from studio.geometry.curves import Curves, Floats, distinct
from studio.geometry.drawing import Drawing
from studio.geometry.joint import Seam
from studio.puzzles.jigsaw.geometry import JigsawShapes

FLATTENING = 0.02
"""How far in mm a polyline may lie from a stroke whose bulge it measures."""
LEAST_BULGE = 0.1
"""A stroke that strays less than this share of the way between its ends is no tongue."""


def joint(shapes: JigsawShapes) -> Seam:
    """The tongue that is the median by length; raises StudioError where there is none."""
    return Seam(_hanging(_median_tongue(shapes.drawing)))


def _median_tongue(drawing: Drawing) -> Floats:
    """The control points of the tongue that is the median by length."""
    pieces = drawing.pieces
    beside = distinct((pieces.codes >> 1) * len(pieces) + pieces.owners) // max(len(pieces), 1)
    shared = np.bincount(beside, minlength=len(drawing.strokes)) == 2
    lines = drawing.strokes.flattened(FLATTENING)
    tongues = [stroke for stroke in np.flatnonzero(shared).tolist() if _bulges(lines[stroke])]
    if not tongues:
        raise StudioError("The drawing has no tongue between two pieces, of which a fit coupon could be made.")
    lengths = drawing.strokes.lengths[tongues]
    return drawing.strokes[tongues[int(np.argsort(lengths, kind="stable")[(len(tongues) - 1) // 2])]]


def _bulges(line: Floats) -> bool:
    way = line[-1] - line[0]
    length = float(np.hypot(*way))
    if length == 0:
        return False
    away = (line - line[0]) @ np.array([-way[1], way[0]]) / length
    return bool(np.abs(away).max() > LEAST_BULGE * length)


def _hanging(tongue: Floats) -> Floats:
    """A tongue turned so that its ends lie on y = 0, the first at the origin, and most of it below them."""
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
