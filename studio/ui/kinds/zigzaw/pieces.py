"""How the pieces of a zigzaw are painted: a dark body with coloured stickers, each sort of path made once.

All lengths are in units of the scene, of which the edge of a sticker has EDGE, however large it is cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPolygonF

from studio.geometry.curves.strokes import Floats
from studio.puzzles.zigzaw.board import layout
from studio.puzzles.zigzaw.bodies import DIVISION, FACES, HALF, STEPS, Body, Cube, Sticker
from studio.puzzles.zigzaw.colours import GAP, GROUND
from studio.puzzles.zigzaw.model import LETTERS, UNPAINTED, ZigzawDesign
from studio.solving.edges import UNKNOWN

EDGE = 10.0
"""The edge of a sticker."""


def place_of(cube: Cube) -> QPointF:
    """Where the origin of a cube, and of its piece, is."""
    return spot(*cube.origin)


def spot(x: float, y: float) -> QPointF:
    """A lattice point in units of the scene."""
    return QPointF(x * DIVISION * EDGE, y * HALF * EDGE)


def polygon(points: Sequence[tuple[float, float]]) -> QPolygonF:
    """Lattice points as a ring."""
    return QPolygonF([spot(x, y) for x, y in points])


@dataclass(frozen=True, eq=False)
class Form:
    """The paths of a body, from its cube's origin: its outline, and the stickers of each limb."""

    outline: QPainterPath
    limbs: tuple[QPainterPath, ...]

    @property
    def bounds(self) -> QRectF:
        """Where the piece is."""
        return self.outline.boundingRect()


@lru_cache(16)
def form_of(body: Body) -> Form:
    """The paths of a body."""
    outline = QPainterPath()
    outline.addPolygon(polygon(body.outline))
    outline.closeSubpath()
    limbs = []
    for limb in body.limbs:
        path = QPainterPath()
        for sticker in limb.stickers:
            _add(path, sticker, STEPS[limb.step])
        limbs.append(path)
    return Form(outline, tuple(limbs))


def _add(path: QPainterPath, sticker: Sticker, origin: tuple[int, int]) -> None:
    """Add a sticker."""
    path.addPolygon(_inset(sticker).translated(spot(*origin)))
    path.closeSubpath()


@cache
def _inset(sticker: Sticker) -> QPolygonF:
    """A sticker, a little smaller than it is, so that the ground is seen between two."""
    corners: Floats = np.array(sticker.corners, float)
    middle = corners.mean(axis=0)
    return polygon([(x, y) for x, y in (middle + (1 - 2 * GAP) * (corners - middle)).tolist()])


def paint_piece(painter: QPainter, form: Form, colours: Sequence[int], paints: Sequence[QColor]) -> None:
    """Paint a piece at the painter's origin; `colours` are the numbers of its limbs' paints, UNKNOWN for bare ones."""
    painter.fillPath(form.outline, QColor(GROUND))
    for path, colour in zip(form.limbs, colours, strict=True):
        if colour != UNKNOWN:
            painter.fillPath(path, paints[colour])


@dataclass(frozen=True, eq=False)
class Frame:
    """What the frame shows: the ground of its cubes, and its stickers by their letters; `bounds` are those of all."""

    bounds: QRectF
    ground: QPainterPath
    stickers: tuple[tuple[str, QPainterPath], ...]

    def paint(self, painter: QPainter, paints: Sequence[QColor]) -> None:
        """Paint the frame at the painter's origin."""
        painter.fillPath(self.ground, QColor(GROUND))
        for letter, path in self.stickers:
            if letter != UNPAINTED:
                painter.fillPath(path, paints[LETTERS.index(letter)])


_HEXAGON = ((6, 4), (9, 7), (9, 13), (6, 16), (3, 13), (3, 7))


def frame_of(design: ZigzawDesign) -> Frame:
    """What the frame of a design shows."""
    stickers: dict[str, QPainterPath] = {}
    ground, bounds = QPainterPath(), QRectF()
    for cube, owners in layout(design.parameters).stickers.items():
        x, y = cube.origin
        hexagon = polygon([(x + across, y + down) for across, down in _HEXAGON])
        bounds = bounds.united(hexagon.boundingRect())
        own = [sticker for sticker, owner in owners.items() if owner == UNKNOWN]
        if own:
            ground.addPolygon(hexagon)
            ground.closeSubpath()
        for sticker in own:
            letter = design.triples[cube][FACES.index(sticker.face)]
            _add(stickers.setdefault(letter, QPainterPath()), sticker, cube.origin)
    return Frame(bounds, ground, tuple(stickers.items()))
