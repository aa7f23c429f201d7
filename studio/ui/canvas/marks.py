"""Marks over the drawing: rings on corners, problems, locks, handles, highlights; sized in pixels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, QVariantAnimation
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF
from PySide6.QtWidgets import QGraphicsItem, QGraphicsObject, QStyleOptionGraphicsItem, QWidget

from studio.geometry.curves.strokes import Floats, Ints, differing
from studio.ui.canvas.paths import PathItem, cosmetic, polygon, zoom_of
from studio.ui.widgets.theme import current_theme

RING_Z, FINDING_Z, HIGHLIGHT_Z, HANDLE_Z, FLASH_Z, BAND_Z = range(10, 16)
HANDLE_PIXELS = 8
MARK_PIXELS = 14
FEW, MANY = 64, 1000
"""Most marks that are repainted one by one, and most marks that are searched for new ones."""
LEAST_SPACING = 14
"""Least distance of rings in pixels; nearer rings are left out, as they would hide the drawing."""


class DotsItem(QGraphicsItem):
    """Marks of a fixed size on the screen at many places; only those in the exposed part are painted."""

    def __init__(self, z: float, paint: Callable[[QPainter, Floats, Ints], None], reach: float) -> None:
        super().__init__()
        self.setZValue(z)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        self._paint = paint
        self._reach = reach
        self.places: Floats = np.empty((0, 2))
        """Places of the marks in mm, shape (n, 2)."""
        self._looks: tuple[object, ...] = ()
        self._bounds = QRectF()
        self.spacing = 0.0
        """The distance in mm of the marks; 0 for marks that are always shown."""

    def show_places(self, places: Floats, looks: Sequence[object] = ()) -> None:
        """Show marks at other places; if only a few differ, only their surroundings are repainted.

        `looks` gives the look of each mark, if marks differ in more than their places.
        """
        spots = self._changed(places, tuple(looks))
        self.places, self._looks = places, tuple(looks)
        if spots is not None:
            margin = (self._reach + 2) / max(zoom_of(self), 1e-9)
            for x, y in spots:
                self.update(QRectF(x - margin, y - margin, 2 * margin, 2 * margin))
            if all(self._bounds.contains(*spot) for spot in spots):
                return
        self.prepareGeometryChange()
        bounds = _bounds_of(places)
        self._bounds = bounds if spots is None else bounds.united(self._bounds)
        if spots is None:
            self.update()

    def _changed(self, places: Floats, looks: tuple[object, ...]) -> list[list[float]] | None:
        """Places where marks come, go or change; None if there are too many."""
        before, had = self.places, self._looks
        if len(before) == len(places) and had == looks:
            moved = np.flatnonzero(differing(before, places))
            if len(moved) <= FEW:
                return [*np.concatenate([before[moved], places[moved]]).tolist()]
        if not had and not looks:
            # New marks in between may have shifted all numbers.
            here, there = (
                {*np.ascontiguousarray(each).view(np.complex128).ravel().tolist()} for each in (before, places)
            )
            apart = here ^ there
            return [[one.real, one.imag] for one in apart] if len(apart) <= FEW else None
        if max(len(before), len(places)) > MANY:
            return None
        old, new = (
            set(zip_longest(map(tuple, spots.tolist()), own)) for spots, own in ((before, had), (places, looks))
        )
        spots = [[*place] for place, _look in old ^ new]
        return spots if len(spots) <= FEW else None

    def boundingRect(self) -> QRectF:
        if self._bounds.isNull():
            return self._bounds
        # Qt repaints nothing beyond it, and marks keep their size on the screen at any zoom.
        margin = (self._reach + 2) / max(zoom_of(self), 1e-9)
        return self._bounds.adjusted(-margin, -margin, margin, margin)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        world = painter.worldTransform()
        zoom = world.m11()
        if not len(self.places) or (self.spacing and self.spacing * zoom < LEAST_SPACING):
            return
        margin = self._reach / max(zoom, 1e-9)
        part = option.exposedRect.adjusted(-margin, -margin, margin, margin)
        x, y = self.places.T
        shown = np.flatnonzero((x >= part.left()) & (x <= part.right()) & (y >= part.top()) & (y <= part.bottom()))
        if not len(shown):
            return
        spots = self.places[shown] * [zoom, world.m22()] + [world.dx(), world.dy()]
        painter.save()
        painter.resetTransform()
        self._paint(painter, spots, shown)
        painter.restore()


def _bounds_of(places: Floats) -> QRectF:
    """A rectangle around places, with room for some to move."""
    if not len(places):
        return QRectF()
    low, high = places.min(axis=0), places.max(axis=0)
    span = max(float((high - low).max()), 1.0)
    return QRectF(QPointF(*low), QPointF(*high)).adjusted(-span, -span, span, span)


def draw_rings(painter: QPainter, spots: Floats, ink: QColor, ground: QColor) -> None:
    """Small rings at spots (n, 2) in pixels."""
    dots = polygon(spots)
    for colour, size in ((ink, 6.5), (ground, 4.0)):
        painter.setPen(QPen(colour, size, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawPoints(dots)


def error_mark(painter: QPainter, size: float, colour: QColor, ground: QColor) -> None:
    """A filled disc with a cross."""
    painter.setPen(QPen(ground, 1.5))
    painter.setBrush(colour)
    painter.drawEllipse(QPointF(0, 0), size / 2, size / 2)
    arm = size * 0.19
    painter.setPen(QPen(ground, size * 0.13, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.drawLine(QPointF(-arm, -arm), QPointF(arm, arm))
    painter.drawLine(QPointF(-arm, arm), QPointF(arm, -arm))


def warning_mark(painter: QPainter, size: float, colour: QColor, ground: QColor) -> None:
    """A filled triangle."""
    half = size * 0.56
    triangle = QPainterPath(QPointF(0, -half))
    triangle.lineTo(half, half * 0.78)
    triangle.lineTo(-half, half * 0.78)
    triangle.closeSubpath()
    painter.setPen(QPen(ground, 1.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
    painter.setBrush(colour)
    painter.drawPath(triangle)
    painter.setPen(QPen(ground, size * 0.12, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.drawLine(QPointF(0, -size * 0.16), QPointF(0, size * 0.12))
    painter.drawPoint(QPointF(0, size * 0.3))


def hint_mark(painter: QPainter, size: float, colour: QColor, ground: QColor) -> None:
    """A ring."""
    painter.setPen(QPen(colour, size * 0.16))
    painter.setBrush(ground)
    painter.drawEllipse(QPointF(0, 0), size * 0.4, size * 0.4)


def draw_padlocks(painter: QPainter, spots: Floats, _shown: Ints) -> None:
    """Quiet padlocks at spots (n, 2) of the screen, for a DotsItem."""
    for spot in spots.tolist():
        painter.save()
        painter.translate(*spot)
        padlock(painter, current_theme().quiet)
        painter.restore()


def padlock(painter: QPainter, colour: QColor) -> None:
    """A small closed padlock."""
    painter.setPen(QPen(colour, 1.5))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawArc(QRectF(-2.75, -5.5, 5.5, 7), 0, 180 * 16)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawRoundedRect(QRectF(-4, -1.5, 8, 6.5), 1.2, 1.2)


class HandleItem(QGraphicsItem):
    """A small square or round handle of a fixed size on the screen."""

    def __init__(self, is_round: bool) -> None:
        super().__init__()
        self.setZValue(HANDLE_Z)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations)
        self._is_round = is_round
        self.hide()

    def boundingRect(self) -> QRectF:
        half = HANDLE_PIXELS / 2 + 2
        return QRectF(-half, -half, 2 * half, 2 * half)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        half, theme = HANDLE_PIXELS / 2, current_theme()
        painter.setPen(QPen(theme.accent, 1.5))
        painter.setBrush(theme.board)
        if self._is_round:
            painter.drawEllipse(QRectF(-half, -half, 2 * half, 2 * half))
        else:
            painter.drawRect(QRectF(-half, -half, 2 * half, 2 * half))


class MirrorItem(HandleItem):
    """A handle with two arrowheads that face away from each other: it swaps left and right."""

    def __init__(self) -> None:
        super().__init__(is_round=True)

    def boundingRect(self) -> QRectF:
        half = HANDLE_PIXELS + 1
        return QRectF(-half, -half, 2 * half, 2 * half)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        half, theme = HANDLE_PIXELS * 0.9, current_theme()
        painter.setPen(QPen(theme.accent, 1.5))
        painter.setBrush(theme.board)
        painter.drawEllipse(QRectF(-half, -half, 2 * half, 2 * half))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.accent)
        for side in (-1, 1):
            heads = (QPointF(side * 1.2, -3), QPointF(side * 5, 0), QPointF(side * 1.2, 3))
            painter.drawPolygon(QPolygonF(heads))


class RingItem(QGraphicsItem):
    """The ring round the corner that a click would take."""

    def __init__(self) -> None:
        super().__init__()
        self.setZValue(HANDLE_Z)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations)
        self.hide()

    def boundingRect(self) -> QRectF:
        return QRectF(-9, -9, 18, 18)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        painter.setPen(QPen(current_theme().accent, 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(QPointF(0, 0), 7, 7)


class FlashItem(QGraphicsObject):
    """A ring that draws together on a place and fades: here it is. Its animation ends with it."""

    SIZE = 60

    def __init__(self) -> None:
        super().__init__()
        self.setZValue(FLASH_Z)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations)
        self._colour = QColor()
        self._share = 1.0
        self._animation = QVariantAnimation(self, startValue=0.0, endValue=1.0, duration=700)
        self._animation.valueChanged.connect(self._advance_to)
        self._animation.finished.connect(self.hide)
        self.hide()

    def flash(self, place: QPointF, colour: QColor) -> None:
        """Show the ring at a place on the scene."""
        self._colour = colour
        self.setPos(place)
        self.show()
        self._animation.stop()
        self._animation.start()

    def _advance_to(self, share: float) -> None:
        self._share = share
        self.update()

    def boundingRect(self) -> QRectF:
        return QRectF(-self.SIZE / 2, -self.SIZE / 2, self.SIZE, self.SIZE)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        colour = QColor(self._colour)
        colour.setAlphaF(1.0 - 0.6 * self._share)
        painter.setPen(QPen(colour, 2.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        radius = (self.SIZE / 2 - 3) * (1.0 - 0.6 * self._share)
        painter.drawEllipse(QPointF(0, 0), radius, radius)


class BandItem(PathItem):
    """The rubber band."""

    def __init__(self) -> None:
        super().__init__(BAND_Z)
        self._rectangle = QRectF()
        self.hide()

    def show_band(self, rectangle: QRectF) -> None:
        """Show the band over a part of the scene."""
        self._rectangle = rectangle
        path = QPainterPath()
        path.addRect(rectangle)
        self.show_path(path, lambda theme: cosmetic(theme.accent))
        self.show()

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        ground = QColor(current_theme().accent)
        ground.setAlpha(36)
        painter.fillRect(self._rectangle, ground)
        super().paint(painter, option, widget)
