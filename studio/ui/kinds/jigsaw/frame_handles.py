"""Frames on the canvas, of a figure, an engraving or the picture: a handle at each corner scales, the knob rotates.

Figures and engravings also have a mirror handle."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainterPath, QPen, QPolygonF

from studio.base.texts import tr
from studio.geometry.curves.strokes import Floats
from studio.puzzles.jigsaw.figures.whimsies import Posed, frame
from studio.ui.canvas.canvas import Canvas
from studio.ui.canvas.marks import HANDLE_Z, HandleItem, MirrorItem
from studio.ui.canvas.paths import PathItem, cosmetic
from studio.ui.canvas.view import Pointer
from studio.ui.widgets.theme import Theme

CORNERS, KNOB, MIRROR = range(4), 4, 5
"""Numbers of the handles: corners clockwise from the figure's own upper left, the knob, the mirror handle."""
CATCH = 10
"""Catch radius of handles and corners, in pixels."""
STEM = 26
"""Distance of the knob from the frame, in pixels."""
LEAST_LONG, LEAST_SHORT = 32, 14
"""Least longer and shorter side in pixels of a frame with handles; they would hide the content of a smaller one."""
LEAST_MIRRORED = 40
"""Least height in pixels at which the mirror handle fits between two corners."""


class FrameHandles:
    """Shows a frame, and finds the handle under the mouse."""

    def __init__(self, canvas: Canvas) -> None:
        self._view = canvas.view
        self.lines = PathItem(HANDLE_Z - 0.5)
        self.handles = [HandleItem(is_round=number == KNOB) for number in (*CORNERS, KNOB)]
        for item in (self.lines, *self.handles):
            canvas.scene.addItem(item)
        self._corners: Floats | None = None
        self._view.zoomed.connect(lambda _zoom: self.show_corners(self._corners))

    def show_corners(self, corners: Floats | None) -> None:
        """Show a frame by its corners (4, 2) in mm, clockwise from its own upper left one, or put it away."""
        self._corners = corners
        places = [] if corners is None else self._places(corners)
        for number, item in enumerate(self.handles):
            item.setVisible(number < len(places))
            if item.isVisible():
                item.setPos(places[number])
        path = QPainterPath()
        if corners is not None:
            path.addPolygon(QPolygonF([QPointF(*corner) for corner in [*corners.tolist(), corners[0].tolist()]]))
        if places:
            path.moveTo((places[0] + places[1]) / 2)
            path.lineTo(places[KNOB])
        self.lines.show_path(path, frame_pen)

    def _places(self, corners: Floats) -> list[QPointF]:
        """Places of the handles of a frame; empty if it is too small on the screen."""
        zoom = self._view.zoom
        sides = zoom * np.hypot(*(corners[1:3] - corners[:2]).T)
        if sides.max() < LEAST_LONG or sides.min() < LEAST_SHORT:
            return []
        up = corners[0] - corners[3]
        knob = (corners[0] + corners[1]) / 2 + STEM / zoom * up / np.hypot(*up)
        places = [*corners.tolist(), knob.tolist()]
        if sides[1] >= LEAST_MIRRORED:
            places.append(((corners[1] + corners[2]) / 2).tolist())
        return [QPointF(*place) for place in places]

    def handle_at(self, pointer: Pointer) -> int | None:
        """The nearest of the handles that the mouse can catch."""
        offsets = [item.pos() - pointer.place for item in self.handles]
        distances = [math.hypot(offset.x(), offset.y()) for offset in offsets]
        nearest = min(range(len(distances)), key=distances.__getitem__)
        return nearest if self.handles[nearest].isVisible() and distances[nearest] <= CATCH * pointer.pixel else None

    def cursor(self, handle: int) -> Qt.CursorShape:
        """Cursor for dragging a handle."""
        if handle == KNOB:
            return Qt.CursorShape.CrossCursor
        if handle == MIRROR:
            return Qt.CursorShape.PointingHandCursor
        way = self.handles[handle].pos() - self.handles[(handle + 2) % 4].pos()
        is_falling = way.x() * way.y() > 0
        return Qt.CursorShape.SizeFDiagCursor if is_falling else Qt.CursorShape.SizeBDiagCursor


class FigureFrame(FrameHandles):
    """The frame of one figure or engraving, or of several."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        mirror = MirrorItem()
        mirror.setToolTip(tr("Mirror: click, or drag across"))
        canvas.scene.addItem(mirror)
        self.handles.append(mirror)

    def show(self, figure: Posed | None) -> None:
        """Show the frame of a figure or an engraving, or put it away."""
        self.show_corners(None if figure is None else frame(figure))


def frame_pen(theme: Theme) -> QPen:
    """Pen of the frame and the line to its knob."""
    return cosmetic(theme.accent)
