"""Words, lines, regions and pictures of a page as Qt paints them, and artwork under the cuts.

Of artwork, only changed regions and pictures are repainted.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, reduce
from threading import Lock
from typing import Protocol, assert_never
from weakref import WeakValueDictionary

import numpy as np
from PySide6.QtCore import QBuffer, QIODevice, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QImageReader, QPainter, QPainterPath, QPen, QPolygonF, QTransform
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from studio.geometry.art.artwork import Picture, Region
from studio.geometry.curves.strokes import Floats, Polylines, offsets
from studio.paper.fonts import EM, Font, typeset
from studio.paper.leaflet import SHIFTS, Area, Line, Mark, Words
from studio.ui.canvas import paths
from studio.ui.canvas.paths import around

LEAST_ACROSS = 64
"""Width in pixels of the smallest size that a picture is kept in."""
MOST_DECODED = 2
"""Unused pictures that are kept decoded; a picture of 24 megapixels takes 128 MB with all its sizes."""
BAND = 128
"""Rows of an image that are halved at a time."""
COMING = QColor("#E4E4E1")
"""Placeholder for a picture that is still being decoded."""


@dataclass(frozen=True, eq=False)
class PaintedMark:
    """A mark as Qt paints it: a path, filled or drawn or both."""

    path: QPainterPath
    fill: QColor | None = None
    pen: QPen | None = None

    def paint(self, painter: QPainter, _part: QRectF | None = None) -> None:
        """Paint the mark in mm."""
        if self.fill is not None:
            painter.fillPath(self.path, self.fill)
        if self.pen is not None:
            painter.strokePath(self.path, self.pen)


class PaintedPicture:
    """A picture as Qt paints it: turned, clipped, and in the smallest of its sizes that is fine enough.

    Without `waits` the caller decodes it in a thread; until then it is a plain area.
    """

    path: QPainterPath
    """Area that it may cover."""

    def __init__(self, picture: Picture, *, waits: bool = True) -> None:
        self._data = picture.data
        self._sizes = sizes_of(picture.data) if waits else decoded_sizes(picture.data)
        self._turned = QTransform.fromTranslate(*picture.middle)
        self._turned.rotate(picture.turn)
        self._turned.translate(-picture.box[2] / 2, -picture.box[3] / 2)
        self._frame = QRectF(0, 0, *picture.box[2:])
        self._clip = None if picture.clip is None else _closed(picture.clip.rings)
        self.path = QPainterPath()
        self.path.addPolygon(self._turned.map(QPolygonF(self._frame)))
        if self._clip is not None:
            bounds = QPainterPath()
            bounds.addRect(self.path.boundingRect() & self._clip.boundingRect())
            self.path = bounds

    def paint(self, painter: QPainter, _part: QRectF | None = None) -> None:
        """Paint the picture in mm."""
        if self._sizes is None:
            self._sizes = decoded_sizes(self._data)
        device = self._turned * painter.deviceTransform()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        if self._clip is not None:
            painter.setClipPath(self._clip, Qt.ClipOperation.IntersectClip)
        painter.setTransform(self._turned, True)
        if self._sizes is None:
            painter.fillRect(self._frame, COMING)
        else:
            across = self._frame.width() * math.hypot(device.m11(), device.m12())
            painter.drawImage(self._frame, self._sizes.at_least(across))
        painter.restore()


class Sizes:
    """A picture decoded, and halved again and again, so that no frame scales more of it than the screen has pixels."""

    def __init__(self, data: bytes) -> None:
        image = _read(data)
        # The format that Qt paints fastest.
        form = QImage.Format.Format_ARGB32_Premultiplied if image.hasAlphaChannel() else QImage.Format.Format_RGB32
        self._images = [image.convertToFormat(form)]

    def at_least(self, across: float) -> QImage:
        """The smallest image at least `across` pixels wide, or the largest if none is."""
        while self._images[-1].width() >= 2 * max(across, LEAST_ACROSS):
            self._images.append(_halved(self._images[-1]))
        return next((one for one in reversed(self._images) if one.width() >= across), self._images[0])


class _Decoded:
    """Decoded pictures in use or recently wanted, by the bytes of their files; safe on any thread."""

    def __init__(self) -> None:
        self._lock, self._last = Lock(), dict[bytes, Sizes]()
        self._alive = WeakValueDictionary[bytes, Sizes]()

    def of(self, data: bytes) -> Sizes | None:
        """A decoded picture; None if it is not decoded."""
        with self._lock:
            return self._alive.get(data)

    def keep(self, data: bytes, sizes: Sizes) -> None:
        """Keep a picture, and drop the least recently wanted pictures that are not shown."""
        with self._lock:
            self._last.pop(data, None)
            self._last[data] = self._alive[data] = sizes
            for oldest in [*self._last][:-MOST_DECODED]:
                del self._last[oldest]


_DECODED = _Decoded()


def decoded_sizes(data: bytes) -> Sizes | None:
    """A picture by the bytes of its file, if it is decoded already."""
    return _DECODED.of(data)


def sizes_of(data: bytes) -> Sizes:
    """A picture by the bytes of its file, decoded once, in all its sizes; on any thread."""
    sizes = _DECODED.of(data)
    if sizes is None:
        sizes = Sizes(data)
        sizes.at_least(1.0)
    _DECODED.keep(data, sizes)
    return sizes


def _read(data: bytes) -> QImage:
    """A picture by the bytes of its file; empty if they cannot be read.

    A reader lets other threads run while it decodes, which `QImage.fromData` does not. It looks for its format first,
    which lets none run: Qt does that under a lock, in which it asks the buffer and so waits for Python, while a thread
    that holds Python may wait for that lock.
    """
    file = QBuffer()
    file.setData(data)
    file.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(file)
    return reader.read() if reader.canRead() else QImage()


def _halved(image: QImage) -> QImage:
    """An image of half the size, made band by band so that other threads run in between."""
    width, height = image.width() // 2, max(1, image.height() // 2)
    half = QImage(width, height, image.format())
    half.fill(Qt.GlobalColor.transparent)
    painter = QPainter(half)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
    for top in range(0, height, BAND):
        rows = min(BAND, height - top)
        band = image.copy(0, 2 * top, 2 * width, min(2 * rows, image.height()))
        painter.drawImage(0, top, band.scaled(width, rows, mode=Qt.TransformationMode.SmoothTransformation))
    painter.end()
    return half


def painted(mark: Mark) -> PaintedMark | PaintedPicture:
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
            return PaintedPicture(mark)
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
