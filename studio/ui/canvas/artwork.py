"""Words, lines, regions and pictures as Qt paints them: those of a page, and the artwork of a drawing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import assert_never

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen, QTransform
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from studio.geometry.artwork import Picture, Region
from studio.geometry.curves import Floats
from studio.paper.fonts import EM, Font, typeset
from studio.paper.leaflet import SHIFTS, Area, Line, Mark, Words, as_marks


@dataclass(frozen=True, eq=False)
class PaintedMark:
    """A mark as Qt paints it: a path, filled or drawn or both, or a picture in a box."""

    path: QPainterPath
    fill: QColor | None = None
    pen: QPen | None = None
    image: QImage | None = None

    def paint(self, painter: QPainter) -> None:
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
            path = QPainterPath()
            for ring in mark.rings:
                path.addPath(_path(ring, closed=True))
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


class ArtworkItem(QGraphicsItem):
    """The artwork of a drawing, under its lines; `shown` are its regions and pictures."""

    def __init__(self, z: float) -> None:
        super().__init__()
        self.setZValue(z)
        self.hide()
        self.shown: tuple[Region | Picture, ...] = ()
        self._marks: list[PaintedMark] = []

    def show_artwork(self, artwork: tuple[Region | Picture, ...]) -> None:
        """Show other artwork; pictures that stay are not decoded again."""
        if artwork == self.shown:
            return
        self.prepareGeometryChange()
        known = dict(zip(map(id, self.shown), self._marks, strict=True))
        self._marks = [
            known.get(id(each)) or painted(mark) for each, mark in zip(artwork, as_marks(artwork), strict=True)
        ]
        self.shown = artwork
        self.setVisible(bool(artwork))
        self.update()

    def boundingRect(self) -> QRectF:
        bounds = QRectF()
        for mark in self._marks:
            bounds = bounds.united(mark.path.boundingRect())
        return bounds

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        for mark in self._marks:
            mark.paint(painter)
