"""Picking: the nearest point, the nearest stroke, the piece around a place."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from studio.geometry.curves.strokes import Curves, Floats, Ints, Polylines
from studio.geometry.planar.drawing import Drawing

PICK_TOLERANCE = 0.1
"""The largest deviation in mm of the polylines used for picking."""


def nearest_point(points: Floats, x: float, y: float, reach: float) -> int | None:
    """The index of the nearest of points (n, 2) within `reach` mm, or None."""
    if not len(points):
        return None
    squares = (points[:, 0] - x) ** 2 + (points[:, 1] - y) ** 2
    best = int(squares.argmin())
    return best if squares[best] <= reach * reach else None


@dataclass(frozen=True, eq=False)
class Picker:
    """Finds strokes and pieces of one drawing; boxes are made when they are first asked for."""

    drawing: Drawing

    @cached_property
    def boxes(self) -> Floats:
        """The box (m, 4) of every stroke's control points: least x and y, greatest x and y."""
        return _boxes(self.drawing.strokes)

    @cached_property
    def piece_boxes(self) -> Floats:
        """The box (k, 4) of every piece."""
        pieces = self.drawing.pieces
        around = self.boxes[pieces.codes >> 1]
        low = np.minimum.reduceat(around[:, :2], pieces.starts[:-1], axis=0)
        high = np.maximum.reduceat(around[:, 2:], pieces.starts[:-1], axis=0)
        return np.concatenate([low, high], 1)

    def nearest_stroke(self, x: float, y: float, reach: float) -> int | None:
        """The stroke nearest to a place, within `reach` mm, or None."""
        boxes = self.boxes
        near = np.flatnonzero(
            (boxes[:, 0] <= x + reach)
            & (boxes[:, 1] <= y + reach)
            & (boxes[:, 2] >= x - reach)
            & (boxes[:, 3] >= y - reach)
        )
        if not len(near):
            return None
        lines = self.drawing.strokes.chosen(near).flattened(PICK_TOLERANCE)
        here = lines.points[:-1]
        way = lines.points[1:] - here
        offset = np.array([x, y]) - here
        length = np.maximum((way**2).sum(axis=1), 1e-18)
        share = np.clip((way * offset).sum(axis=1) / length, 0.0, 1.0)
        squares = ((offset - share[:, None] * way) ** 2).sum(axis=1)
        squares[lines.starts[1:-1] - 1] = np.inf
        best = int(squares.argmin())
        if squares[best] > reach * reach:
            return None
        return int(near[lines.owners[best]])

    def piece_at(self, x: float, y: float) -> int | None:
        """The piece around a place, or None."""
        boxes = self.piece_boxes
        around = (boxes[:, 0] <= x) & (boxes[:, 1] <= y) & (boxes[:, 2] >= x) & (boxes[:, 3] >= y)
        for piece in np.flatnonzero(around).tolist():
            if _encloses(self.piece_rings(piece), x, y):
                return int(piece)
        return None

    def piece_outline(self, piece: int) -> Floats:
        """The outline (n, 2) of a piece within PICK_TOLERANCE."""
        return self.piece_rings(piece)[0]

    def piece_rings(self, piece: int) -> Polylines:
        """The outline of a piece and its holes within PICK_TOLERANCE."""
        pieces = self.drawing.pieces
        first, last = np.searchsorted(pieces.rings, pieces.starts[piece : piece + 2])
        rings = pieces.rings[first : last + 1]
        codes = pieces.codes[rings[0] : rings[-1]]
        used, places = np.unique(codes >> 1, return_inverse=True)
        lines = self.drawing.strokes.chosen(used).flattened(PICK_TOLERANCE)
        return lines.joined(2 * places + (codes & 1), rings - rings[0])

    def strokes_within(self, low: tuple[float, float], high: tuple[float, float]) -> Ints:
        """The strokes wholly inside a rectangle."""
        boxes = self.boxes
        return np.flatnonzero(
            (boxes[:, 0] >= low[0]) & (boxes[:, 1] >= low[1]) & (boxes[:, 2] <= high[0]) & (boxes[:, 3] <= high[1])
        )


def _boxes(strokes: Curves) -> Floats:
    low = np.minimum.reduceat(strokes.points, strokes.starts[:-1], axis=0)
    high = np.maximum.reduceat(strokes.points, strokes.starts[:-1], axis=0)
    return np.concatenate([low, high], 1)


def _encloses(rings: Polylines, x: float, y: float) -> bool:
    """Whether closed rings go round a place (even-odd rule)."""
    here, following = rings.points[:-1], rings.points[1:]
    spans = (here[:, 1] > y) != (following[:, 1] > y)
    spans[rings.starts[1:-1] - 1] = False
    rise = np.where(spans, following[:, 1] - here[:, 1], 1.0)
    meets = here[:, 0] + (y - here[:, 1]) / rise * (following[:, 0] - here[:, 0])
    return bool((spans & (meets > x)).sum() % 2)
