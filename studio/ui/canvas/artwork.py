"""Artwork under the cuts; only changed regions and pictures are repainted."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Protocol

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPainterPath
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from studio.geometry.art.artwork import Picture, Region
from studio.geometry.curves.strokes import Floats, offsets
from studio.ui.canvas.paths import around

FEW = 32
"""Changed regions up to this number are compared ring by ring to find the area to repaint."""


class Painting(Protocol):
    """A region or picture as Qt paints it."""

    def paint(self, painter: QPainter, part: QRectF, /) -> None:
        """Paint the visible content of a part of the drawing, in mm."""


class ArtworkItem(QGraphicsItem):
    """The artwork of a drawing, under its lines; `shown` are its regions and pictures.

    If only a few of them change, only their places are repainted; `painted` counts repainted marks. Without `waits` the
    caller decodes pictures, and then updates the item.
    """

    def __init__(self, z: float, *, waits: bool = True) -> None:
        super().__init__()
        self._waits = waits
        self.setZValue(z)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        self.hide()
        self.shown: tuple[Region | Picture, ...] = ()
        self.painted = 0
        self._marks: list[Painting] = []
        self._boxes: list[QRectF] = []
        self._bounds = QRectF()

    def show_artwork(self, artwork: tuple[Region | Picture, ...]) -> None:
        """Show other artwork; unchanged regions and pictures are neither made nor decoded again."""
        if artwork == self.shown:
            return
        known = dict(zip(map(id, self.shown), zip(self._marks, self._boxes, strict=True), strict=True))
        made = [known.get(id(each)) or boxed(each, waits=self._waits) for each in artwork]
        changed = changes(self.shown, artwork)
        self.shown = artwork
        self._marks, self._boxes = [mark for mark, _ in made], [box for _, box in made]
        bounds = reduce(QRectF.united, self._boxes, QRectF())
        if bounds != self._bounds:
            self.prepareGeometryChange()
            self._bounds = bounds
            self.update()
        self.setVisible(bool(artwork))
        for box in changed:
            self.update(box)

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        part = option.exposedRect
        for mark, box in zip(self._marks, self._boxes, strict=True):
            if box.intersects(part):
                self.painted += 1
                mark.paint(painter, part)


class Apart:
    """Rings in one colour that do not overlap, painted one by one: Qt takes eight times as long for one path of all."""

    def __init__(self, region: Region) -> None:
        self._fill = QColor(region.fill)
        self._rings = [_ring(ring) for ring in region.rings]
        points = np.concatenate(region.rings)
        starts = offsets(np.array([len(ring) for ring in region.rings]))[:-1]
        self._low, self._high = np.minimum.reduceat(points, starts), np.maximum.reduceat(points, starts)

    @property
    def bounds(self) -> QRectF:
        """Bounding rectangle of all rings, in mm."""
        return QRectF(QPointF(*self._low.min(axis=0).tolist()), QPointF(*self._high.max(axis=0).tolist()))

    def paint(self, painter: QPainter, part: QRectF) -> None:
        """Paint the rings that are in a part of the drawing."""
        seen = (self._low < (part.right(), part.bottom())) & (self._high > (part.left(), part.top()))
        for at in np.flatnonzero(seen.all(axis=1)).tolist():
            painter.fillPath(self._rings[at], self._fill)


def _ring(points: Floats) -> QPainterPath:
    """A ring as a path, built call by call: it has few points."""
    first, *rest = points.tolist()
    path = QPainterPath(QPointF(*first))
    for x, y in rest:
        path.lineTo(x, y)
    path.closeSubpath()
    return path


def boxed(each: Region | Picture, *, waits: bool = True) -> tuple[Painting, QRectF]:
    """A region or picture as Qt paints it, and its bounds; for `waits` see `PaintedPicture`."""
    if isinstance(each, Region) and each.are_apart:
        rings = Apart(each)
        return rings, rings.bounds
    from studio.paper.leaflet import as_marks
    from studio.ui.canvas.ink import PaintedPicture, painted

    (mark,) = as_marks((each,))
    made = PaintedPicture(mark, waits=waits) if isinstance(mark, Picture) else painted(mark)
    return made, made.path.boundingRect()


def changes(before: Sequence[Region | Picture], after: Sequence[Region | Picture]) -> list[QRectF]:
    """Areas in which artwork has changed, in mm."""
    begin = 0
    while begin < min(len(before), len(after)) and before[begin] is after[begin]:
        begin += 1
    end = 0
    while end < min(len(before), len(after)) - begin and before[-1 - end] is after[-1 - end]:
        end += 1
    gone, come = before[begin : len(before) - end], after[begin : len(after) - end]
    if len(gone) != len(come) or len(gone) > FEW:
        return [_covered(each) for each in (*gone, *come)]
    return [box for one, other in zip(gone, come, strict=True) if one is not other for box in _between(one, other)]


def _between(one: Region | Picture, other: Region | Picture) -> list[QRectF]:
    """Areas that change if `other` replaces `one`: for regions of one colour, the rings that only one of them has."""
    if not (isinstance(one, Region) and isinstance(other, Region) and one.fill == other.fill):
        return [_covered(one), _covered(other)]
    rings = [{ring.tobytes(): ring for ring in each.rings} for each in (one, other)]
    return [around(rings[which][key]) for which in (0, 1) for key in rings[which].keys() - rings[1 - which].keys()]


def _covered(each: Region | Picture) -> QRectF:
    return around(each.corners if isinstance(each, Picture) else np.concatenate(each.rings))
