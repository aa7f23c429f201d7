"""Appearance of pieces and boards: outlines with rounded corners, and colours.

All lengths are in units of the scene: a cell is SIDE wide, however large it is cut.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainterPath

from studio.base.errors import StudioError
from studio.geometry.curves.strokes import Floats
from studio.geometry.planar.polyomino import outline
from studio.puzzles.calendar.colours import colour_of
from studio.puzzles.calendar.model import Mask
from studio.ui.canvas.cutting import blended
from studio.ui.widgets.theme import Theme

SIDE = 20.0
"""A cell's side."""
PLAY = 0.55
"""Margin between a piece and the rim of its squares, so that neighbours do not touch."""
ROUNDING = 3.4
"""The radius of a piece's corners."""
INK = QColor("#22242A")
"""The colour of text on a piece; all piece colours are light."""
ROUND = 0.5523
"""Handle length of a cubic that approximates a quarter circle, as a share of the radius."""


@lru_cache(maxsize=64)
def tint(colour: int, theme: Theme) -> QColor:
    """Colour of a piece in a theme: a little quieter in a dark one."""
    own = QColor(colour_of(colour))
    return blended(own, theme.board, 0.16) if theme.is_dark else own


def path_of(mask: Mask, margin: float = PLAY, radius: float = ROUNDING) -> QPainterPath:
    """The outline of squares (rows, columns), `margin` within them, from the top left of the first row and column.

    Squares that do not hang together, or go round a hole, have square corners.
    """
    return _path(mask.shape, mask.tobytes(), margin, radius)


@lru_cache(maxsize=4096)
def _path(shape: tuple[int, int], mask: bytes, margin: float, radius: float) -> QPainterPath:
    squares = np.frombuffer(mask, bool).reshape(shape)
    try:
        return rounded(outline(squares.T).inset(SIDE, margin), radius)
    except StudioError:
        return _joined(squares, margin)


def _joined(squares: Mask, margin: float) -> QPainterPath:
    """Any squares, `margin` within them, joined where they are side by side."""
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    upright, level = squares[1:] & squares[:-1], squares[:, 1:] & squares[:, :-1]
    fours = upright[:, 1:] & upright[:, :-1]
    for joints, down, right in ((squares, 0, 0), (upright, 1, 0), (level, 0, 1), (fours, 1, 1)):
        for row, column in np.argwhere(joints).tolist():
            whole = square(row, column) | square(row + down, column + right)
            path.addRect(whole.adjusted(margin, margin, -margin, -margin))
    return path.simplified()


def rounded(corners: Floats, radius: float) -> QPainterPath:
    """A closed path through corners (n, 2) with straight sides, each corner rounded as far as its sides reach."""
    sides = np.roll(corners, -1, axis=0) - corners
    lengths = np.hypot(*sides.T)
    along = sides / lengths[:, None]
    reach = np.minimum(radius, np.minimum(lengths, np.roll(lengths, 1)) / 2)[:, None]
    start, end = corners - reach * np.roll(along, 1, axis=0), corners + reach * along
    path = QPainterPath(QPointF(*start[0]))
    for before, corner, after in zip(start, corners, end, strict=True):
        path.lineTo(*before)
        path.cubicTo(*(before + ROUND * (corner - before)), *(after + ROUND * (corner - after)), *after)
    path.closeSubpath()
    return path


def square(row: float, column: float) -> QRectF:
    """The place of a square."""
    return QRectF(column * SIDE, row * SIDE, SIDE, SIDE)


def heart(mask: Mask) -> tuple[float, float]:
    """The place (row, column) of a piece's name: as near to its middle as squares allow.

    That is on one of its squares, on two side by side, or on four that meet.
    """
    squares = np.argwhere(mask)
    upright, level = mask[1:] & mask[:-1], mask[:, 1:] & mask[:, :-1]
    pairs = [np.argwhere(upright) + np.array([0.5, 0.0]), np.argwhere(level) + np.array([0.0, 0.5])]
    places = np.concatenate([squares, *pairs, np.argwhere(upright[:, 1:] & upright[:, :-1]) + 0.5])
    away = ((places - squares.mean(axis=0)) ** 2).sum(axis=1)
    row, column = places[int(away.argmin())].tolist()
    return row, column
