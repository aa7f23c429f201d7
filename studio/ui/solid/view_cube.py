"""The view cube: a small cube that turns with the pieces and whose sides, edges and corners choose where to look from.

direction: -1, 0 or 1 along x, y and z, towards the eye: (0, -1, 0) is the front, (1, -1, 1) a corner.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import atan2, degrees, hypot

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPolygonF,
    QTransform,
)
from PySide6.QtWidgets import QStyle, QStyleOptionFocusRect, QWidget

from studio.base.texts import tr, within
from studio.geometry.curves.strokes import Floats
from studio.geometry.solids.projections import Camera
from studio.ui.solid.overlay import line_path
from studio.ui.solid.scene import TO_LIGHT, rgb
from studio.ui.widgets.theme import Painted, current_theme

Direction = tuple[int, int, int]

SIDE = 96
"""Width and height of the widget in pixels."""
HALF = 27.0
"""Half the side of the cube in pixels: turned corner first, it still fits."""
BAND = 0.5
"""Distance of a side's edge zones from its middle, in halves of its width."""
LETTERS_WIDE, LETTERS_HIGH = 1.6, 0.6
"""The room for the longest name on a side, in halves of its width."""
DRAG_PIXELS = 4
EDGE_ON = 0.02
"""Cosine below which a side is seen edge-on."""
NAMES: dict[Direction, str] = {
    (0, -1, 0): tr("Front"), (0, 1, 0): tr("Back"), (-1, 0, 0): tr("Left"),
    (1, 0, 0): tr("Right"), (0, 0, 1): tr("Top"), (0, 0, -1): tr("Bottom"),
}  # fmt: skip
ROUND: tuple[tuple[int, int], ...] = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""The eight directions round the vertical, as a turn to the right passes them."""


@dataclass(frozen=True, eq=False)
class _Side:
    """A side of the cube: its directions outwards and, for a viewer in front of it, to the right and up."""

    outwards: Floats
    right: Floats
    up: Floats
    name: str

    def direction(self, right: float, up: float) -> Direction:
        """The direction that a place on the side chooses, -1 to 1 from its middle."""
        signs = [(place > BAND) - (place < -BAND) for place in (right, up)]
        x, y, z = (self.outwards + signs[0] * self.right + signs[1] * self.up).tolist()
        return round(x), round(y), round(z)


def _side(direction: Direction, name: str) -> _Side:
    outwards = np.array(direction, float)
    up = np.array([0.0, direction[2], 0.0]) if direction[2] else np.array([0.0, 0.0, 1.0])
    return _Side(outwards, np.cross(up, outwards), up, name)


_SIDES = tuple(_side(*known) for known in NAMES.items())


def name_of(direction: Direction) -> str:
    """A direction in words: `Front` or `Front, right, top`."""
    parts = [name for known, name in NAMES.items() if any(a and a == b for a, b in zip(known, direction, strict=True))]
    return ", ".join([parts[0], *map(within, parts[1:])])


def angles_of(direction: Direction) -> tuple[float, float]:
    """Yaw and pitch in degrees of a camera that looks from a direction; from above and below the front is at the foot.

    >>> angles_of((0, -1, 0)), angles_of((0, 0, 1))
    ((-90.0, 0.0), (-90.0, 90.0))
    """
    x, y, z = direction
    yaw = degrees(atan2(y, x)) if x or y else -90.0
    return yaw, degrees(atan2(z, hypot(x, y)))


def nearest(camera: Camera) -> Direction:
    """Direction nearest to the one from which a camera looks."""
    directions = (each for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if any(each := (x, y, z)))
    return max(directions, key=lambda each: float(np.dot(each, camera.axes[2]) / np.linalg.norm(each)))


def stepped(direction: Direction, camera: Camera, right: int, up: int) -> Direction:
    """The direction next to another one, to the right or up of it; over a pole it goes no further."""
    x, y, z = direction
    flat = (x, y)
    if flat == (0, 0):
        # Leave a pole towards the foot of the picture, so that right stays right.
        away = -np.sign(z) * camera.axes[1][:2]
        flat = max(ROUND, key=lambda each: float(np.dot(each, away) / hypot(*each)))
        return (*flat, z) if up * z < 0 else direction
    if right:
        return (*ROUND[(ROUND.index(flat) + right) % len(ROUND)], z)
    if abs(z + up) > 1:
        return 0, 0, z
    return (*flat, z + up)


class ViewCube(QWidget):
    """Shows the direction of a camera; lets mouse events off the cube through."""

    chosen = Signal(object)
    """Brings the direction to look from."""
    dragged = Signal(object)
    """Brings the drag of the cube to the right and down, in pixels."""
    pointed = Painted[Direction | None](None)
    """The direction under the mouse."""

    def __init__(self, camera: Callable[[], Camera], parent: QWidget) -> None:
        super().__init__(parent)
        self._camera = camera
        self._pressed: QPointF | None = None
        self._is_dragged = False
        self.setFixedSize(QSize(SIDE, SIDE))
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(tr("View cube"))
        self.setAccessibleDescription(tr("Arrow keys look from the next side, edge or corner."))

    # Places

    def _seen(self) -> list[_Side]:
        """The sides that face us."""
        away = self._camera().axes[2]
        return [side for side in _SIDES if float(side.outwards @ away) > EDGE_ON]

    def _map(self, side: _Side) -> QTransform:
        """From a side, to the right and down from its middle in halves of its width, to the widget."""
        right, up, _ = self._camera().axes * HALF
        middle = side.outwards
        return QTransform(
            side.right @ right, -(side.right @ up), -(side.up @ right), side.up @ up,
            SIDE / 2 + middle @ right, SIDE / 2 - middle @ up,
        )  # fmt: skip

    def direction_at(self, place: QPointF) -> Direction | None:
        """The direction that a place of the widget chooses; None off the cube."""
        for side in self._seen():
            back, is_good = self._map(side).inverted()
            spot = back.map(place)
            if is_good and max(abs(spot.x()), abs(spot.y())) <= 1.0:
                return side.direction(spot.x(), -spot.y())
        return None

    # The picture

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = current_theme()
        scale = _letter_scale()
        for side in self._seen():
            onto = self._map(side)
            ink = theme.text if float(side.outwards @ self._camera().axes[2]) > 0.35 else theme.quiet
            painter.setPen(QPen(theme.quiet, 1.0, j=Qt.PenJoinStyle.RoundJoin))
            painter.setBrush(_shade(side))
            painter.drawPolygon(onto.map(QPolygonF(QRectF(-1, -1, 2, 2))))
            self._paint_pointed(painter, side, onto)
            path = QTransform().scale(scale, scale).map(_letters(side.name))
            painter.fillPath(onto.map(path), ink)
        if self.hasFocus():
            option = QStyleOptionFocusRect()
            option.initFrom(self)
            self.style().drawPrimitive(QStyle.PrimitiveElement.PE_FrameFocusRect, option, painter, self)

    def _paint_pointed(self, painter: QPainter, side: _Side, onto: QTransform) -> None:
        """Tint the part of a side that chooses the direction under the mouse."""
        if self.pointed is None:
            return
        ends = (-1.0, -BAND, BAND, 1.0)
        tint = QColor(current_theme().accent)
        tint.setAlphaF(0.45)
        for right in range(3):
            for up in range(3):
                middle = (ends[right] + ends[right + 1]) / 2, (ends[up] + ends[up + 1]) / 2
                if side.direction(*middle) == self.pointed:
                    part = QRectF(QPointF(ends[right], -ends[up + 1]), QPointF(ends[right + 1], -ends[up]))
                    path = QPainterPath()
                    path.addPolygon(onto.map(QPolygonF(part)))
                    painter.fillPath(path, tint)

    # The mouse and the keys

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or self.direction_at(event.position()) is None:
            event.ignore()
            return
        self._pressed, self._is_dragged = event.position(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        here = event.position()
        if self._pressed is None:
            self._point(self.direction_at(here) if event.buttons() == Qt.MouseButton.NoButton else None)
            if self.pointed is None:
                event.ignore()
            return
        by = here - self._pressed
        if self._is_dragged or by.manhattanLength() >= DRAG_PIXELS:
            self._is_dragged, self._pressed = True, here
            self._point(None)
            self.dragged.emit((by.x(), by.y()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None:
            event.ignore()
            return
        direction = None if self._is_dragged else self.direction_at(event.position())
        self._pressed = None
        if direction is not None:
            self.chosen.emit(direction)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._point(None)
        super().leaveEvent(event)

    def _point(self, direction: Direction | None) -> None:
        self.pointed = direction
        self.setToolTip("" if direction is None else tr("{side} view", side=name_of(direction)))
        if direction is None:
            self.unsetCursor()
        else:
            self.setCursor(Qt.CursorShape.PointingHandCursor)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, 1), Qt.Key.Key_Down: (0, -1)}
        if event.key() not in steps:
            event.ignore()
            return
        camera = self._camera()
        direction = stepped(nearest(camera), camera, *steps[Qt.Key(event.key())])
        self.chosen.emit(direction)
        self.setAccessibleDescription(tr("{side} view", side=name_of(direction)))
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.DescriptionChanged))


def _shade(side: _Side) -> QColor:
    """The colour of a side: the brighter, the more it faces the light."""
    theme = current_theme()
    low, high = (theme.button, theme.board) if not theme.is_dark else (theme.panel, theme.board)
    share = 0.5 + 0.5 * float(side.outwards @ TO_LIGHT)
    parts = ((a + (b - a) * share) for a, b in zip(rgb(low), rgb(high), strict=True))
    return QColor.fromRgbF(*parts)


@cache
def _letters(name: str) -> QPainterPath:
    """The outlines of a name, its middle at 0, 0."""
    path, capital = line_path(name), line_path("H")
    # All names are on one line, so that letters below it do not lift the others.
    return path.translated(-path.boundingRect().center().x(), -capital.boundingRect().center().y())


@cache
def _letter_scale() -> float:
    """Common scale of the letters on all sides, by which the longest name fits."""
    boxes = [_letters(name).boundingRect() for name in NAMES.values()]
    wide, high = max(box.width() for box in boxes), max(box.height() for box in boxes)
    return min(LETTERS_WIDE / max(wide, 1.0), LETTERS_HIGH / max(high, 1.0))
