"""A tongue on which points and handles are dragged, and six pieces that have it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen, QTransform
from PySide6.QtWidgets import QSizePolicy, QWidget

from studio.base.progress import SILENT
from studio.base.texts import tr
from studio.geometry.curves.strokes import Curves
from studio.geometry.planar.tints import tints
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.geometry import shape
from studio.puzzles.jigsaw.tongues.profiles import Stored
from studio.puzzles.jigsaw.tongues.sketch import Sketch
from studio.puzzles.jigsaw.tongues.styles import OWN
from studio.ui.canvas import paths
from studio.ui.canvas.layers import cosmetic
from studio.ui.canvas.tool import ARROWS
from studio.ui.widgets.theme import GAP, current_theme

LARGE, SMALL = QSize(600, 440), QSize(312, 212)
WIDE, BELOW, ABOVE = 1.12, 0.18, 0.5
"""The part of the board that is seen, in lengths of the edge."""
KNOT, HANDLE = 9, 7
"""Pixels across what can be dragged."""
CATCH = 10
"""How near, in pixels, the mouse takes it."""
ON_CURVE = 8
"""How near, in pixels, a double-click adds a point."""
NUDGE, COARSE = 0.002, 0.02
"""How far an arrow key moves a point, in lengths of the edge, and with Shift."""

LEAST_SIDE, LARGEST_SIDE = 2.5, 3000.0
"""The sides in mm of the pieces of a preview."""


class SketchView(QWidget):
    """The sketch in large; a drag brings each sketch while it is made, and ends as one step."""

    changed = Signal(object)
    """Another sketch is in sight: brings it."""
    settled = Signal()
    """A change has ended."""

    def __init__(self, sketch: Sketch) -> None:
        super().__init__()
        self.setAccessibleName(tr("Tongue"))
        self.setMinimumSize(LARGE)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.sketch = sketch
        self.chosen: int | None = None
        self._held: int | None = None
        self._grip = QPointF()

    def show_sketch(self, sketch: Sketch) -> None:
        """Show another sketch without a signal."""
        if self.chosen is not None and self.chosen not in sketch.movable:
            self.chosen = None
        self.sketch = sketch
        self.update()

    @property
    def knot(self) -> int | None:
        """The point that is selected, or the one of the selected handle."""
        return None if self.chosen is None else (self.chosen + 1) // 3

    def place(self, point: int) -> QPointF:
        """Where a control point is in the widget."""
        return self.shown.map(QPointF(*self.sketch.points[point].tolist()))

    @property
    def shown(self) -> QTransform:
        """From lengths of the edge, upwards, to pixels."""
        scale = min(self.width() / WIDE, self.height() / (BELOW + ABOVE))
        below = (self.height() - scale * (BELOW + ABOVE)) / 2 + scale * ABOVE
        return QTransform(scale, 0, 0, -scale, (self.width() - scale) / 2, below)

    def add_point(self) -> None:
        """Add a point after the selected one, or else on the first curve of the head."""
        last = self.sketch.last
        knot = self.knot
        cubic = min(last - 1, knot) if knot is not None else (last - 1) // 2
        self._take(self.sketch.with_knot(cubic, 0.5))
        self.settled.emit()

    def remove_point(self) -> None:
        """Remove the selected point."""
        if self.knot is None:
            return
        self.chosen, sketch = None, self.sketch.without_knot(self.knot)
        self._take(sketch)
        self.settled.emit()

    def _take(self, sketch: Sketch) -> None:
        self.show_sketch(sketch)
        self.changed.emit(sketch)

    def _under(self, place: QPointF) -> int | None:
        """The nearest control point within reach; points come before handles."""
        near: list[tuple[bool, float, int]] = []
        for point in self.sketch.movable:
            offset = self.place(point) - place
            distance = math.hypot(offset.x(), offset.y())
            if distance <= CATCH:
                near.append((point % 3 != 0, distance, point))
        return min(near)[2] if near else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take what is under the mouse."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self.chosen = self._held = self._under(event.position())
        if self._held is not None:
            self._grip = self.place(self._held) - event.position()
        self.update()
        self.changed.emit(self.sketch)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag it."""
        if self._held is None:
            is_over = self._under(event.position()) is not None
            self.setCursor(Qt.CursorShape.SizeAllCursor if is_over else Qt.CursorShape.ArrowCursor)
            return
        at = self.shown.inverted()[0].map(event.position() + self._grip)
        self._take(self.sketch.moved(self._held, at.x(), at.y()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let it go."""
        if event.button() == Qt.MouseButton.LeftButton and self._held is not None:
            self._held = None
            self.settled.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Add a point to the curve under the mouse."""
        at = self.shown.inverted()[0].map(event.position())
        cubic, share, gap = self.sketch.nearest(at.x(), at.y())
        if self._under(event.position()) is None and gap * self.shown.m11() <= ON_CURVE:
            self._take(self.sketch.with_knot(cubic, share))
            self.chosen = self._under(event.position())
            self.settled.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrow keys move the selected point or handle; Delete removes the point."""
        arrow = ARROWS.get(Qt.Key(event.key()))
        if self.chosen is not None and arrow is not None:
            step = COARSE if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else NUDGE
            x, y = self.sketch.points[self.chosen].tolist()
            self._take(self.sketch.moved(self.chosen, x + step * arrow[1], y - step * arrow[0]))
            self.settled.emit()
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and self.chosen is not None:
            self.remove_point()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the two pieces that the tongue joins, the points, and their handles."""
        painter, theme = QPainter(self), current_theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.pieces[0])
        painter.drawRect(ground)
        self._draw_piece(painter)
        painter.setPen(cosmetic(theme.draft, 1.0, Qt.PenStyle.DashLine))
        painter.drawLine(self.place(0), self.place(len(self.sketch.points) - 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(cosmetic(theme.cut, 2.0))
        painter.drawPath(self.shown.map(self._curve))
        self._draw_points(painter)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(cosmetic(theme.accent if self.hasFocus() else theme.line, 1.0))
        painter.drawRect(ground)
        painter.end()

    @property
    def _curve(self) -> QPainterPath:
        return paths.curved(Curves.of([self.sketch.points]))

    def _draw_piece(self, painter: QPainter) -> None:
        """Fill the piece that has the tongue, below the curve."""
        theme = current_theme()
        piece = self._curve
        for x, y in ((2.0, 0.0), (2.0, -2.0), (-1.0, -2.0), (-1.0, 0.0)):
            piece.lineTo(x, y)
        painter.save()
        painter.setClipRect(self.rect())
        painter.setBrush(theme.pieces[1])
        painter.drawPath(self.shown.map(piece))
        painter.restore()

    def _draw_points(self, painter: QPainter) -> None:
        theme, chosen = current_theme(), self.knot
        for knot, arms in self._arms():
            painter.setPen(cosmetic(theme.accent, 1.5 if knot == chosen else 1.0))
            for arm in arms:
                painter.drawLine(self.place(3 * knot), self.place(arm))
        for knot, arms in self._arms():
            for point, size in ((arms[0], HANDLE), (arms[1], HANDLE), (3 * knot, KNOT)):
                box = QRectF(-size / 2, -size / 2, size, size).translated(self.place(point))
                painter.setPen(QPen(theme.accent, 1.5))
                painter.setBrush(theme.accent if point == self.chosen else theme.board)
                (painter.drawRect if point == 3 * knot else painter.drawEllipse)(box)

    def _arms(self) -> Iterator[tuple[int, tuple[int, int]]]:
        for knot in range(1, self.sketch.last):
            yield knot, (3 * knot - 1, 3 * knot + 1)


class NeighboursView(QWidget):
    """Six pieces of the board's numbers, on an even grid, with a profile; the last that could be cut stays in sight."""

    def __init__(self, design: JigsawDesign) -> None:
        super().__init__()
        self.setAccessibleName(tr("Preview"))
        self.setFixedSize(SMALL)
        across, down = design.parameters.cell
        # Pieces of any size look alike; those of a board of six must be within a board's bounds.
        side = min(max(math.sqrt(across * down), LEAST_SIDE), LARGEST_SIDE)
        numbers = replace(
            design.parameters, tongue_style=OWN, outline="rectangle", tiling="grid", corner_radius=0.0, pieces=0,
            columns=3, rows=2, width=3 * side, height=2 * side, tricky_border=False, plain_share=0.0,
            perturbation=0.0,
        )  # fmt: skip
        self._numbers = numbers
        self.is_stale = False
        self._pieces: list[tuple[QPainterPath, int]] = []

    def show_profile(self, stored: Stored | None) -> None:
        """Show pieces with a profile; without one those in sight fade."""
        self.is_stale = stored is None
        if stored is not None:
            drawing = shape(JigsawDesign(self._numbers, profile=stored), None, SILENT).drawing
            of_pieces = tints(drawing.pieces, len(current_theme().pieces)).tolist()
            self._pieces = [
                (paths.curved(drawing.strokes.joined(one.codes, one.starts)), tint)
                for at, tint in enumerate(of_pieces)
                for one in [drawing.pieces.chosen(np.array([at]))]
            ]
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the pieces in the tints of the canvas."""
        painter, theme = QPainter(self), current_theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(0.35 if self.is_stale else 1.0)
        width, height = self._numbers.width, self._numbers.height
        scale = min((self.width() - GAP) / width, (self.height() - GAP) / height)
        painter.translate((self.width() - scale * width) / 2, (self.height() - scale * height) / 2)
        painter.scale(scale, scale)
        painter.setPen(cosmetic(theme.cut, 1.2))
        for path, tint in self._pieces:
            painter.setBrush(theme.pieces[tint])
            painter.drawPath(path)
        painter.end()
