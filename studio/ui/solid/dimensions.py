"""Dimension lines beside pieces in space: one for each axis, on the outside of the picture, its length in words."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from studio.base.amounts import extent
from studio.geometry.curves.strokes import Floats
from studio.geometry.solids.camera import Camera, Pixels
from studio.ui.widgets.theme import current_theme

SHORTEST = 10.0
"""The length in pixels below which an edge is seen too much from its end to be measured."""
BEYOND = 5.0
"""How far the lines from the corners reach beyond the dimension line, in pixels."""
HEAD, HALF_HEAD = 9.0, 3.0
"""An arrow's head and half its width, in pixels."""
PADDING = 4.0, 1.0
"""Around a length, to the sides and above and below, in pixels."""
_SIDES = tuple((axis, end) for axis in range(3) for end in (0, 1))


def paint_dimensions(
    painter: QPainter, ends: Floats, camera: Camera, pixels: Pixels, away: float, colour: QColor
) -> None:
    """Paint the lengths of a box given by its least and greatest coordinates (2, 3), `away` pixels beside its edges."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    middle = camera.project(ends.mean(axis=0)[None], pixels)[0, :2]
    for axis, edge in _edges(ends, camera, pixels):
        spots = camera.project(edge, pixels)[:, :2]
        way = spots[1] - spots[0]
        length = float(np.linalg.norm(way))
        if length >= SHORTEST:
            across = np.array([-way[1], way[0]]) / length
            outwards = across if across @ (spots.mean(axis=0) - middle) >= 0 else -across
            _paint_line(painter, spots, outwards, away, colour)
            words = extent(float(ends[1, axis] - ends[0, axis]))
            _paint_length(painter, QPointF(*(spots.mean(axis=0) + away * outwards).tolist()), words, pixels, colour)
    painter.restore()


def _edges(ends: Floats, camera: Camera, pixels: Pixels) -> Iterator[tuple[int, Floats]]:
    """For each axis the edge (2, 3) of a box that is measured: one at the rim of what is seen of it.

    Level edges are measured below, upright ones at the side.
    """
    middle = ends.mean(axis=0)
    faces = {side: _faces(camera, ends, side) for side in _SIDES}
    centre = camera.project(middle[None], pixels)[0, :2]
    for axis in range(3):
        one, other = (each for each in range(3) if each != axis)
        found: list[tuple[float, Floats]] = []
        for at in (0, 1):
            for beside in (0, 1):
                if faces[one, at] == faces[other, beside]:
                    continue
                edge = ends.copy()
                edge[:, one], edge[:, other] = ends[at, one], ends[beside, other]
                right, down = (camera.project(edge, pixels)[:, :2].mean(axis=0) - centre).tolist()
                found.append((abs(right) if axis == 2 else down, edge))
        if found:
            yield axis, max(found, key=lambda each: each[0])[1]


def _faces(camera: Camera, ends: Floats, side: tuple[int, int]) -> bool:
    """Whether a side of a box faces the eye."""
    axis, end = side
    return bool((camera.onlooker[axis] - ends[end, axis]) * (1 if end else -1) > 0)


def _paint_line(painter: QPainter, spots: Floats, outwards: Floats, away: float, colour: QColor) -> None:
    thin = QPen(colour, 1.0)
    thin.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(thin)
    tail, tip = spots + away * outwards
    for corner, end in zip(spots, (tail, tip), strict=True):
        painter.drawLine(QPointF(*(corner + 2.0 * outwards).tolist()), QPointF(*(end + BEYOND * outwards).tolist()))
    painter.drawLine(QPointF(*tail.tolist()), QPointF(*tip.tolist()))
    way = (tip - tail) / max(float(np.linalg.norm(tip - tail)), 1e-9)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    for point, along in ((tail, way), (tip, -way)):
        across = np.array([-along[1], along[0]])
        head = [point, point + HEAD * along + HALF_HEAD * across, point + HEAD * along - HALF_HEAD * across]
        painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in np.array(head).tolist()]))


def _paint_length(painter: QPainter, middle: QPointF, words: str, pixels: Pixels, colour: QColor) -> None:
    """Write a length upright on a plain ground, moved into the picture where it would leave it."""
    theme, metrics = current_theme(), QFontMetricsF(painter.font())
    box = QRectF(0, 0, metrics.horizontalAdvance(words) + 2 * PADDING[0], metrics.height() + 2 * PADDING[1])
    box.moveCenter(middle)
    box.moveLeft(min(max(box.left(), 1.0), max(pixels[0] - box.width() - 1.0, 1.0)))
    box.moveTop(min(max(box.top(), 1.0), max(pixels[1] - box.height() - 1.0, 1.0)))
    painter.setPen(QPen(colour, 1.0))
    painter.setBrush(theme.panel)
    painter.drawRoundedRect(box, 3, 3)
    painter.setPen(theme.text)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)
