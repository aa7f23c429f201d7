"""Words, lines, regions and pictures of a page as Qt paints them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import assert_never

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen, QTransform

from studio.geometry.artwork import Picture
from studio.geometry.curves import Floats, Polylines, offsets
from studio.paper.fonts import EM, Font, typeset
from studio.paper.leaflet import SHIFTS, Area, Line, Mark, Words
from studio.ui.canvas import paths


@dataclass(frozen=True, eq=False)
class PaintedMark:
    """A mark as Qt paints it: a path, filled or drawn or both, or a picture in a box."""

    path: QPainterPath
    fill: QColor | None = None
    pen: QPen | None = None
    image: QImage | None = None

    def paint(self, painter: QPainter, _part: QRectF | None = None) -> None:
        """Paint the mark in mm."""
        if self.image is not None:
            painter.drawImage(self.path.boundingRect(), self.image)
            return
        if self.fill is not None:
            painter.fillPath(self.path, self.fill)
        if self.pen is not None:
            painter.strokePath(self.path, self.pen)


def painted(mark: Mark) -> PaintedMark:
    """A mark as Qt paints it."""
    match mark:
        case Area():
            path = _closed(mark.rings)
            return PaintedMark(path, QColor(mark.fill), _pen(mark.line, mark.width) if mark.line else None)
        case Line():
            path = _path(mark.points, closed=mark.closed, curved=mark.curved)
            return PaintedMark(path, pen=_pen(mark.colour, mark.width, mark.dashes))
        case Words():
            return PaintedMark(_words(mark), QColor(mark.colour))
        case Picture():
            path = QPainterPath()
            path.addRect(QRectF(*mark.box))
            return PaintedMark(path, image=QImage.fromData(mark.data))
        case _:
            assert_never(mark)


def _closed(rings: Sequence[Floats]) -> QPainterPath:
    """Rings as one path, each back at its start."""
    if not rings:
        return QPainterPath()
    points = [part for ring in rings for part in (ring, ring[:1])]
    return paths.lined(Polylines(np.concatenate(points), offsets(np.array([len(ring) + 1 for ring in rings]))))


def _path(points: Floats, *, closed: bool, curved: bool = False) -> QPainterPath:
    start, *rest = (QPointF(x, y) for x, y in points.tolist())
    path = QPainterPath(start)
    if curved:
        for at in range(0, len(rest), 3):
            path.cubicTo(*rest[at : at + 3])
    else:
        for point in rest:
            path.lineTo(point)
    if closed:
        path.closeSubpath()
    return path


def _pen(colour: str, width: float, dashes: tuple[float, ...] = ()) -> QPen:
    pen = QPen(QColor(colour), width)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    if dashes:
        # Qt measures dashes in widths of the line.
        pen.setDashPattern([length / width for length in dashes])
    return pen


def _words(words: Words) -> QPainterPath:
    setting = typeset(words.text, bold=words.bold)
    start = -SHIFTS[words.anchor] * setting.width
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    for run in setting.runs:
        for glyph, place in zip(run.glyphs, run.places, strict=True):
            path.addPath(_glyph(run.font, glyph).translated(start + place, 0.0))
    a, b, c, d = (part * words.size / EM for part in words.turn)
    return QTransform(a, b, c, d, *words.place).map(path)


@cache
def _glyph(font: Font, glyph: str) -> QPainterPath:
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    for letter, numbers in font.outline(glyph):
        points = [QPointF(x, y) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
        match letter:
            case "M":
                path.moveTo(*points)
            case "L":
                path.lineTo(*points)
            case "Q":
                path.quadTo(*points)
            case "C":
                path.cubicTo(*points)
            case _:
                path.closeSubpath()
    return path
