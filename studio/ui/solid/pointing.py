"""Arrow that shows where a piece goes, and a caption, painted over the 3-D picture."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from studio.geometry.curves.strokes import Floats
from studio.ui.widgets.theme import current_theme

SHORTEST = 14.0
"""An arrow of fewer pixels is a ring with a cross: the piece goes away from the eye, or towards it."""
ASIDE = 12.0
"""Distance of an arrow from the way of its piece, in pixels."""
HEAD, HALF_HEAD, SHAFT, HALO = 15.0, 7.5, 3.5, 2.5
"""An arrow's head, half its width, the width of its shaft and the margin around it, in pixels."""
LOW = 120.0
"""Pixels by which an arrow must be farther from the middle to be placed below."""
RING, RING_LINE = 12.0, 2.5
PADDING, BELOW = 10.0, 8.0
"""Padding around the words of a caption, and its distance from the end of the picture, in pixels."""


def paint_arrow(painter: QPainter, before: Floats, after: Floats, middle: Floats, *, is_coming: bool) -> None:
    """Paint an arrow along the way of a body whose box goes from corners (8, 2) at `before` to `after`, in pixels.

    It lies on the side farther from `middle`, the middle of the scene, so that it covers little, and rather above than
    below, where a caption is. `is_coming` is True if the body comes nearer to the eye.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    ways = after - before
    way = ways.mean(axis=0)
    length = float(np.linalg.norm(way))
    if length < SHORTEST:
        _paint_ring(painter, QPointF(*before.mean(axis=0).tolist()), is_coming=is_coming)
    else:
        way = way / length
        right = np.array([-way[1], way[0]])
        both = [right, -right]
        corners = [int(np.maximum(before @ aside, after @ aside).argmax()) for aside in both]
        reaches = [
            float((before[corner] - middle) @ aside - LOW * aside[1])
            for corner, aside in zip(corners, both, strict=True)
        ]
        chosen = int(np.argmax(reaches))
        aside, corner = both[chosen], corners[chosen]
        _paint_shaft(painter, before[corner] + ASIDE * aside, after[corner] + ASIDE * aside)
    painter.restore()


def _paint_shaft(painter: QPainter, tail: Floats, tip: Floats) -> None:
    length = float(np.linalg.norm(tip - tail))
    if length < 1e-6:
        return
    way = (tip - tail) / length
    across = np.array([-way[1], way[0]])
    head = min(HEAD, 0.8 * length)
    neck = tip - head * way
    half, wide = SHAFT / 2, HALF_HEAD * head / HEAD
    outline = [
        tail + half * across, neck + half * across, neck + wide * across, tip,
        neck - wide * across, neck - half * across, tail - half * across,
    ]  # fmt: skip
    polygon = QPolygonF([QPointF(x, y) for x, y in np.array(outline).tolist()])
    _paint_over(painter, _path(polygon))


def _path(polygon: QPolygonF) -> QPainterPath:
    path = QPainterPath()
    path.addPolygon(polygon)
    path.closeSubpath()
    return path


def _paint_over(painter: QPainter, path: QPainterPath) -> None:
    theme = current_theme()
    painter.setPen(QPen(theme.canvas, 2 * HALO, j=Qt.PenJoinStyle.RoundJoin))
    painter.setBrush(theme.accent)
    painter.drawPath(path)
    painter.fillPath(path, theme.accent)


def _paint_ring(painter: QPainter, middle: QPointF, *, is_coming: bool) -> None:
    """A dot in a ring, the tip of an arrow towards the eye, or a cross, the feathers of an arrow away from it."""
    theme = current_theme()
    painter.setPen(QPen(theme.canvas, 2 * HALO))
    painter.setBrush(theme.canvas)
    painter.drawEllipse(middle, RING, RING)
    pen = QPen(theme.accent, RING_LINE, c=Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    painter.drawEllipse(middle, RING, RING)
    if is_coming:
        painter.setBrush(theme.accent)
        painter.drawEllipse(middle, 2.0, 2.0)
        return
    reach = RING * 0.5
    for sign in (1, -1):
        painter.drawLine(middle + QPointF(-reach, -sign * reach), middle + QPointF(reach, sign * reach))


def paint_caption(painter: QPainter, room: QRect, words: str) -> None:
    """Paint a sentence on a plain ground in the middle of the lower end of a picture, unless it is empty."""
    if not words:
        return
    theme = current_theme()
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    metrics = QFontMetricsF(painter.font())
    text = metrics.elidedText(words, Qt.TextElideMode.ElideRight, max(0.0, room.width() - 4 * PADDING))
    box = QRectF(0, 0, metrics.horizontalAdvance(text) + 2 * PADDING, metrics.height() + PADDING)
    box.moveCenter(QPointF(room.width() / 2, room.height() - BELOW - box.height() / 2))
    painter.setPen(QPen(theme.line, 1))
    painter.setBrush(theme.panel)
    painter.drawRoundedRect(box, 6, 6)
    painter.setPen(theme.text)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
    painter.restore()
