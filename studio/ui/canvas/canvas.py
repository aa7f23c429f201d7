"""The canvas: board, drawing and findings between two rulers; a kind's tool puts its own marks on top."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap
from PySide6.QtWidgets import QGraphicsScene, QGridLayout, QWidget

from studio.checks.finding import Finding, Severity
from studio.geometry.curves import Floats, Ints
from studio.geometry.shapes import Shapes
from studio.ui.canvas.layers import DrawingLayer
from studio.ui.canvas.marks import (
    FINDING_Z,
    MARK_PIXELS,
    DotsItem,
    FlashItem,
    error_mark,
    hint_mark,
    warning_mark,
)
from studio.ui.canvas.rulers import BREADTH, Ruler
from studio.ui.canvas.view import CanvasView
from studio.ui.theme import Theme

CROWD, CROWDED_PIXELS = 150, 7
"""From how many marks in view on they are drawn smaller, so that the board can still be seen."""
JUDGING_PIXELS = 90
"""So many pixels a piece should measure when a finding is brought into view."""


class Canvas(QWidget):
    """Shows the shapes and findings of one design."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.scene = QGraphicsScene(self)
        self.view = CanvasView(self.scene)
        self.drawing = DrawingLayer(self.scene, theme)
        self._findings: tuple[Finding, ...] = ()
        self._drawn_marks: dict[tuple[Severity, int, float], QPixmap] = {}
        self._marks = DotsItem(FINDING_Z, self._paint_marks, MARK_PIXELS)
        self._flash = FlashItem()
        self.scene.addItem(self._marks)
        self.scene.addItem(self._flash)
        self._rulers = [Ruler(self.view, side, theme) for side in (Qt.Orientation.Horizontal, Qt.Orientation.Vertical)]
        self._corner = QWidget()
        self._corner.setFixedSize(BREADTH, BREADTH)
        self._corner.setAutoFillBackground(True)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(0)
        grid.addWidget(self._corner, 0, 0)
        grid.addWidget(self._rulers[0], 0, 1)
        grid.addWidget(self._rulers[1], 1, 0)
        grid.addWidget(self.view, 1, 1)
        self._shapes: Shapes | None = None
        self.wear(theme)

    def wear(self, theme: Theme) -> None:
        """Draw in the colours of another theme."""
        self.theme = theme
        self._drawn_marks.clear()
        self.scene.setBackgroundBrush(theme.canvas)
        self.drawing.wear(theme)
        palette = self._corner.palette()
        palette.setColor(self._corner.backgroundRole(), theme.panel)
        self._corner.setPalette(palette)
        for ruler in self._rulers:
            ruler.wear(theme)
        self._marks.update()

    def show_shapes(self, shapes: Shapes, settled: bool) -> None:
        """Show the shapes of a design; settled ones are no longer under anybody's hand."""
        self._shapes = shapes
        self.view.show_board(shapes.drawing.width, shapes.drawing.height)
        self.drawing.show(shapes.drawing, settled)

    def show_findings(self, findings: tuple[Finding, ...] | None) -> None:
        """Mark the places of findings; None where they are not known yet leaves none marked."""
        # What concerns the whole board has no place of its own to mark.
        self._findings = tuple(finding for finding in findings or () if finding.strokes or finding.pieces)
        places = np.array([finding.place for finding in self._findings], float).reshape(-1, 2)
        self._marks.show_places(places)
        self._marks.update()

    def show_finding(self, finding: Finding) -> None:
        """Bring a finding into view and point at it."""
        assert self._shapes is not None
        drawing = self._shapes.drawing
        piece = (drawing.width * drawing.height / max(1, len(drawing.pieces))) ** 0.5
        self.view.show_place(QPointF(*finding.place), JUDGING_PIXELS / piece)
        self._flash.flash(QPointF(*finding.place), self._colour(finding.severity))

    def show_rectangle(self, part: QRectF) -> None:
        """Show a part of the board as large as it fits."""
        self.view.show_rectangle(part)

    def _colour(self, severity: Severity) -> QColor:
        return {
            Severity.ERROR: self.theme.error,
            Severity.WARNING: self.theme.warning,
            Severity.HINT: self.theme.hint,
        }[severity]

    def _paint_marks(self, painter: QPainter, spots: Floats, shown: Ints) -> None:
        ratio = painter.device().devicePixelRatioF()
        size = MARK_PIXELS if len(shown) <= CROWD else CROWDED_PIXELS
        # The worst come first in the list and are painted last.
        for (x, y), number in zip(spots[::-1].tolist(), shown[::-1].tolist(), strict=True):
            mark = self._mark(self._findings[number].severity, size, ratio)
            half = mark.deviceIndependentSize() / 2
            painter.drawPixmap(QPointF(x - half.width(), y - half.height()), mark)

    def _mark(self, severity: Severity, size: int, ratio: float) -> QPixmap:
        """The mark of a severity, drawn once in real pixels; there may be hundreds on the board."""
        known = self._drawn_marks.get((severity, size, ratio))
        if known is None:
            side = math.ceil((size + 4) * ratio)
            known = QPixmap(side, side)
            known.setDevicePixelRatio(ratio)
            known.fill(Qt.GlobalColor.transparent)
            painter = QPainter(known)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.translate(side / ratio / 2, side / ratio / 2)
            paint = {Severity.ERROR: error_mark, Severity.WARNING: warning_mark, Severity.HINT: hint_mark}[severity]
            paint(painter, size, self._colour(severity), self.theme.board)
            painter.end()
            self._drawn_marks[severity, size, ratio] = known
        return known
