"""Paths as Qt paints them: made of arrays of points without a Python call a point, with their pens."""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import cache, reduce

import numpy as np
from PySide6.QtCore import QByteArray, QDataStream, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from studio.geometry.curves.strokes import Curves, Floats, Ints, Runs
from studio.ui.widgets.theme import Theme, current_theme, light_theme

_ELEMENT = np.dtype([("type", ">i4"), ("x", ">f8"), ("y", ">f8")])
_MOVE, _LINE, _CURVE, _CURVE_DATA = range(4)


def curved(strokes: Curves) -> QPainterPath:
    """All strokes as one path of cubics."""
    types = np.full(len(strokes.points), _CURVE_DATA)
    types[(np.arange(len(types)) - strokes.starts[:-1][strokes.owners]) % 3 == 1] = _CURVE
    types[strokes.starts[:-1]] = _MOVE
    return _path(strokes.points, types)


def lined(runs: Runs) -> QPainterPath:
    """All runs as one path of straight lines."""
    types = np.full(len(runs.points), _LINE)
    types[runs.starts[:-1]] = _MOVE
    return _path(runs.points, types)


def chords(strokes: Curves, chosen: Ints) -> QPainterPath:
    """Some strokes as the straight lines between their ends."""
    return _path(strokes.chosen(chosen).ends.reshape(-1, 2), np.tile([_MOVE, _LINE], len(chosen)))


def _path(points: Floats, types: Ints) -> QPainterPath:
    """A path by Qt's own wire format: reading it back is twenty times faster than building it call by call."""
    path = QPainterPath()
    if not len(points):
        return path
    elements = np.empty(len(points), _ELEMENT)
    elements["type"], elements["x"], elements["y"] = types, points[:, 0], points[:, 1]
    wire = struct.pack(">i", len(points)) + elements.tobytes() + struct.pack(">ii", 0, 0)
    QDataStream(QByteArray(wire)) >> path
    return path


def around(points: Floats) -> QRectF:
    """Bounding rectangle of points (n, 2); null if empty."""
    if not len(points):
        return QRectF()
    (left, top), (right, bottom) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
    return QRectF(left, top, right - left, bottom - top)


def polygon(points: Floats) -> QPolygonF:
    """Points (n, 2) as Qt's list of points."""
    return QPolygonF([QPointF(x, y) for x, y in points.tolist()])


HALO = ((1.0, 0.0), (0.0, 1.0))
"""Offsets of a halo from its line, in pixels right and down: a line of any direction has it on at least one side."""
Pen = Callable[[Theme], QPen]
Fill = Callable[[Theme], QColor]
Halo = Callable[[Theme], QPen | None]


def cosmetic(colour: QColor, width: float = 1.0, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
    """A pen with a width in pixels at any zoom."""
    pen = QPen(colour, width, style, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
    pen.setCosmetic(True)
    return pen


def zoom_of(item: QGraphicsItem) -> float:
    """Zoom of the item's view in pixels a mm; 1 without a view."""
    scene = item.scene()
    return scene.views()[0].transform().m11() if scene and scene.views() else 1.0


@cache
def cut_pen(theme: Theme) -> QPen:
    """The pen of cuts."""
    return cosmetic(theme.cut)


@cache
def paper_pen(_theme: Theme) -> QPen:
    """The pen of cuts over artwork, whose colours are meant for white paper."""
    return cosmetic(light_theme().cut)


@cache
def halo_pen(_theme: Theme) -> QPen:
    """The pen of the light rims of cuts over a picture, which may be as dark as the cuts."""
    colour = QColor(light_theme().board)
    colour.setAlpha(150)
    return cosmetic(colour)


@cache
def engraved_pen(theme: Theme) -> QPen:
    """The pen of engraved and scored lines, quieter than cuts."""
    return cosmetic(theme.draft)


@cache
def draft_pen(theme: Theme) -> QPen:
    """The pen of the straight edges under the tongues."""
    return cosmetic(theme.draft, style=Qt.PenStyle.DashLine)


class PathItem(QGraphicsItem):
    """One path with a pen, or several with a colour each, all of the theme; only its own area is repainted."""

    def __init__(self, z: float) -> None:
        super().__init__()
        self.setZValue(z)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        self._bounds = QRectF()
        self._pen: Pen | None = None
        self._path = QPainterPath()
        self._later: Callable[[], QPainterPath] | None = None
        self._filled: list[tuple[QPainterPath, Fill]] = []
        self._least_zoom = 0.0
        self._halo: Halo | None = None
        self.rebuilt = 0

    def show_path(
        self,
        path: QPainterPath,
        pen: Pen,
        least_zoom: float = 0.0,
        halo: Halo | None = None,
        within: QRectF | None = None,
    ) -> None:
        """Draw a path with a pen, from a zoom (pixels a mm) on, perhaps with a halo; `within` bounds the part that has
        changed and is repainted."""
        self._later = None
        self._path, self._pen, self._filled, self._least_zoom, self._halo = path, pen, [], least_zoom, halo
        self._take(path.controlPointRect(), within)

    def show_later(
        self,
        make: Callable[[], QPainterPath],
        bounds: QRectF,
        pen: Pen,
        least_zoom: float,
        within: QRectF | None = None,
    ) -> None:
        """Draw a path within some bounds from a zoom on, made when it is first seen; repainted as by `show_path`."""
        self._pen, self._filled, self._least_zoom, self._halo = pen, [], least_zoom, None
        self._path, self._later = QPainterPath(), make
        self._take(bounds, within)

    def fill_paths(self, filled: list[tuple[QPainterPath, Fill]]) -> None:
        """Fill several paths, each in its colour."""
        self._pen, self._filled = None, filled
        self._take(reduce(QRectF.united, (path.controlPointRect() for path, _colour in filled), QRectF()))

    def _take(self, bounds: QRectF, within: QRectF | None = None) -> None:
        self.rebuilt += 1
        # Qt would keep old pixels at the rim of the part, where a halo ends.
        is_kept = self.cacheMode() != QGraphicsItem.CacheMode.NoCache
        if within is not None and not is_kept and self._bounds.contains(bounds):
            self.update(within.adjusted(-1, -1, 1, 1))
            return
        if bounds.isNull() and self._bounds.isNull():
            # Qt would repaint the board's corner, and everything between it and other exposed areas.
            return
        self.prepareGeometryChange()
        self._bounds = bounds if bounds.isNull() else bounds.adjusted(-1, -1, 1, 1)
        if not bounds.isNull():
            self.update()

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        theme = current_theme()
        if self._pen is None:
            for path, colour in self._filled:
                painter.fillPath(path, colour(theme))
        elif painter.worldTransform().m11() >= self._least_zoom:
            if self._later is not None:
                self._path, self._later = self._later(), None
            painter.setBrush(Qt.BrushStyle.NoBrush)
            halo = None if self._halo is None else self._halo(theme)
            if halo is not None:
                # Lines of one pixel next to it: a single wider line takes six times as long.
                pixel = 1.0 / max(painter.worldTransform().m11(), 1e-9)
                painter.setPen(halo)
                for right, down in HALO:
                    painter.translate(right * pixel, down * pixel)
                    painter.drawPath(self._path)
                    painter.translate(-right * pixel, -down * pixel)
            painter.setPen(self._pen(theme))
            painter.drawPath(self._path)
