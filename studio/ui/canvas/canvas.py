"""The canvas: board, drawing and findings between two rulers; a kind's tool puts its own marks on top."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette, QPen, QPixmap
from PySide6.QtWidgets import QGraphicsScene, QWidget

from studio.base.units import Unit, shown_as, unit
from studio.checks.finding import Finding, Severity
from studio.geometry.curves.strokes import Floats, Ints
from studio.geometry.planar.drawing import Drawing, nearest_point
from studio.ui.canvas.drawing_tiles import BOARD_Z, DrawingLayer
from studio.ui.canvas.marks import FINDING_Z, MARK_PIXELS, DotsItem, FlashItem, error_mark, hint_mark, warning_mark
from studio.ui.canvas.paths import PathItem, cut_pen, lined
from studio.ui.canvas.view import CanvasView
from studio.ui.widgets.layout import grid
from studio.ui.widgets.theme import Theme, current_theme, hint_font, sized

if TYPE_CHECKING:
    from studio.geometry.planar.trays import Tray

BREADTH = 22
LARGEST_FIGURES = 15
"""Pixels of the figures above the ticks; there is no room for larger ones."""
LABEL_PIXELS = 64
"""Least room for a label and its ticks, in pixels."""


class TrayLayer:
    """Shows the frame and the fillers under the board, and keeps them in step."""

    def __init__(self, scene: QGraphicsScene) -> None:
        self._wood, self._lines = PathItem(BOARD_Z - 2), PathItem(BOARD_Z - 1)
        self.shown: Tray | None = None
        """The tray in sight."""
        for item in (self._wood, self._lines):
            scene.addItem(item)

    def show(self, tray: Tray | None) -> None:
        """Show another tray, or none."""
        if tray is self.shown:
            return
        self.shown = tray
        for item in (self._wood, self._lines):
            item.setVisible(tray is not None)
        if tray is not None:
            path = lined(tray.seen)
            self._wood.fill_paths([(path, lambda theme: theme.panel)])
            self._lines.show_path(path, cut_pen)


# Rulers in mm or inches along two sides of the canvas, with a mark at the mouse


def nice_step(least: float) -> float:
    """The least of 1, 2 and 5 times a power of ten that is not below `least`."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(power * share for share in (1, 2, 5, 10) if power * share >= least * (1 - 1e-9))


class Ruler(QWidget):
    """One ruler; ticks and numbers follow the view it measures."""

    def __init__(self, view: CanvasView, orientation: Qt.Orientation) -> None:
        super().__init__()
        self._view = view
        self._is_level = orientation == Qt.Orientation.Horizontal
        self._mark: float | None = None
        if self._is_level:
            self.setFixedHeight(BREADTH)
        else:
            self.setFixedWidth(BREADTH)
        self._scale: QPixmap | None = None
        self._scale_of: tuple[Theme, Unit] | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        view.looked_at.connect(self._redraw)
        view.pointed.connect(self._point)

    def _redraw(self) -> None:
        self._scale = None
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(BREADTH, BREADTH)

    def _point(self, place: QPointF | None) -> None:
        self._update_at_mark()
        self._mark = None if place is None else (place.x() if self._is_level else place.y())
        self._update_at_mark()

    def _update_at_mark(self) -> None:
        if self._mark is not None:
            at = round(self._origin() + self._mark * self._view.zoom)
            self.update(QRect(at - 2, 0, 5, BREADTH) if self._is_level else QRect(0, at - 2, BREADTH, 5))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), current_theme()
        looks = theme, unit()
        known = self._scale is not None and self._scale.deviceIndependentSize() == self.size().toSizeF()
        if self._scale is None or not known or self._scale_of != looks:
            self._scale, self._scale_of = self._drawn_scale(theme), looks
        painter.drawPixmap(0, 0, self._scale)
        if self._mark is not None:
            painter.setPen(QPen(theme.accent, 1.5))
            self._tick(painter, self._origin() + self._mark * self._view.zoom, BREADTH)

    def _origin(self) -> float:
        transform = self._view.viewportTransform()
        return transform.dx() if self._is_level else transform.dy()

    def _drawn_scale(self, theme: Theme) -> QPixmap:
        """Ticks and numbers; they stay until the view moves, while the mark follows the mouse."""
        ratio = self.devicePixelRatioF()
        scale = QPixmap(self.size() * ratio)
        scale.setDevicePixelRatio(ratio)
        scale.fill(theme.panel)
        painter = QPainter(scale)
        zoom, origin = self._view.zoom * shown_as("mm")[0], self._origin()
        extent = self.width() if self._is_level else self.height()
        step = nice_step(LABEL_PIXELS / zoom)
        parts = 10 if step / 10 * zoom >= 6 else 5 if step / 5 * zoom >= 6 else 2
        hint = hint_font(self.font())
        painter.setFont(sized(hint, min(hint.pixelSize(), LARGEST_FIGURES)))
        decimals = max(0, -math.floor(math.log10(step) + 1e-9))
        for number in range(math.floor(-origin / zoom / step), math.ceil((extent - origin) / zoom / step) + 1):
            for part in range(parts):
                length = BREADTH * (0.5 if part == 0 else 0.32 if part * 2 == parts else 0.2)
                painter.setPen(QPen(theme.quiet if part == 0 else theme.line, 1))
                self._tick(painter, origin + (number + part / parts) * step * zoom, length)
            painter.setPen(theme.quiet)
            self._label(painter, origin + number * step * zoom, f"{number * step:.{decimals}f}")
        painter.setPen(QPen(theme.line, 1))
        painter.drawLine(self._spot(0, BREADTH - 0.5), self._spot(extent, BREADTH - 0.5))
        painter.end()
        return scale

    def _tick(self, painter: QPainter, at: float, length: float) -> None:
        at = round(at) + 0.5
        painter.drawLine(self._spot(at, BREADTH - length), self._spot(at, BREADTH))

    def _spot(self, along: float, across: float) -> QPointF:
        return QPointF(along, across) if self._is_level else QPointF(across, along)

    def _label(self, painter: QPainter, at: float, text: str) -> None:
        """Draw a number next to its tick, if there is room for all its digits."""
        width = painter.fontMetrics().horizontalAdvance(text) + 3
        begin = at if self._is_level else at - width
        if begin < 0 or begin + width > (self.width() if self._is_level else self.height()):
            return
        if self._is_level:
            painter.drawText(QPointF(at + 3, BREADTH * 0.5 + 1), text)
        else:
            painter.save()
            painter.translate(BREADTH * 0.5 + 1, at - 3)
            painter.rotate(-90)
            painter.drawText(QPointF(0, 0), text)
            painter.restore()


CROWD, CROWDED_PIXELS = 150, 7
"""Number of marks in view from which they are drawn smaller, so that the board can still be seen."""
JUDGING_PIXELS = 90
"""Size of a piece in pixels when a finding is brought into view."""


STICKS_OUT = 1.0
"""Distance in mm beyond a board from which a figure widens the view."""


class Canvas(QWidget):
    """Shows the drawing and the findings of one design."""

    draft_shown = Signal(bool)
    """Straight edges and corners are shown over the curves, or hidden."""
    shown_alone = Signal()
    """Emitted before a picture is taken, when only the drawing remains visible."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.scene = QGraphicsScene(self)
        self.view = CanvasView(self.scene)
        self.drawing = DrawingLayer(self.scene)
        self.view.zoomed.connect(self.drawing.show_zoom)
        self._findings: tuple[Finding, ...] = ()
        self._marks = DotsItem(FINDING_Z, self._paint_marks, MARK_PIXELS)
        self._is_crowded = False
        self.view.looked_at.connect(self._count_marks)
        self._flash = FlashItem()
        self.scene.addItem(self._marks)
        self.scene.addItem(self._flash)
        across, down = Ruler(self.view, Qt.Orientation.Horizontal), Ruler(self.view, Qt.Orientation.Vertical)
        corner = QWidget()
        corner.setFixedSize(BREADTH, BREADTH)
        corner.setBackgroundRole(QPalette.ColorRole.AlternateBase)
        corner.setAutoFillBackground(True)
        self.setLayout(grid([corner, across], [down, self.view], across=0, down=0))
        self._rulers = (across, down)
        self._size = (0.0, 0.0)

    def show_unit(self) -> None:
        """Draw the rulers in the unit of length in use."""
        for ruler in self._rulers:
            ruler.update()

    def show_drawing(self, drawing: Drawing, settled: bool, tray: Tray | None = None) -> None:
        """Show a drawing, perhaps in its tray; `settled` means that no gesture is changing it."""
        if tray is None:
            size = drawing.width, drawing.height
            if settled or size != self._size:
                self._size = size
                self.view.show_board(*_seen(drawing))
        elif settled:
            left, top, _, _ = tray.outside.bounds
            self.view.show_board(*tray.size, left, top)
        if tray is not None or "tray" in self.__dict__:
            self.tray.show(tray)
        self.drawing.show(drawing, settled)

    @cached_property
    def tray(self) -> TrayLayer:
        """The tray around the drawing; made with the first tray."""
        return TrayLayer(self.scene)

    def show_draft(self, draft: bool) -> None:
        """Show or hide the straight edges under the curves."""
        self.drawing.show_draft(draft)
        self.draft_shown.emit(draft)

    def show_alone(self) -> None:
        """Show the drawing without any design aids, for a picture."""
        self.show_draft(False)
        self.shown_alone.emit()

    def show_findings(self, findings: tuple[Finding, ...] | None) -> None:
        """Mark the places of findings; None, for findings not known yet, removes all marks."""
        self._findings = tuple(finding for finding in findings or () if finding.is_marked)
        places = np.array([finding.place for finding in self._findings], float).reshape(-1, 2)
        self._marks.show_places(places, [finding.severity for finding in self._findings])
        self._count_marks()

    def finding_at(self, screen: QPoint) -> Finding | None:
        """Return the finding with a mark at a place on the screen, or that of a line of the tool there."""
        pointer, tool = self.view.pointer_at(screen), self.view.tool
        number = nearest_point(self._marks.places, pointer.x, pointer.y, MARK_PIXELS / 2 * pointer.pixel)
        if number is not None:
            return self._findings[number]
        return None if tool is None else tool.finding_at(pointer, self._findings)

    def offers_at(self, screen: QPoint) -> dict[str, Callable[[], object]]:
        """Return what the tool offers at a place on the screen, by title."""
        tool = self.view.tool
        return {} if tool is None else tool.offers_at(self.view.pointer_at(screen))

    def show_finding(self, finding: Finding) -> None:
        """Bring a finding into view and point at it."""
        drawing = self.drawing.drawing
        piece = (drawing.width * drawing.height / max(1, len(drawing.pieces))) ** 0.5
        self.view.show_place(QPointF(*finding.place), JUDGING_PIXELS / piece)
        self._flash.flash(QPointF(*finding.place), colour_of(finding.severity, current_theme()))

    def _paint_marks(self, painter: QPainter, spots: Floats, shown: Ints) -> None:
        ratio, theme = painter.device().devicePixelRatioF(), current_theme()
        size = CROWDED_PIXELS if self._is_crowded else MARK_PIXELS
        # The worst come first in the list and are painted last.
        for (x, y), number in zip(spots[::-1].tolist(), shown[::-1].tolist(), strict=True):
            mark = drawn_mark(self._findings[number].severity, theme, size, ratio)
            half = mark.deviceIndependentSize() / 2
            painter.drawPixmap(QPointF(x - half.width(), y - half.height()), mark)

    def _count_marks(self) -> None:
        """Repaint all marks if the size changes that their number in view calls for."""
        part = self.view.mapToScene(self.view.viewport().rect()).boundingRect()
        x, y = self._marks.places.T
        seen = (x >= part.left()) & (x <= part.right()) & (y >= part.top()) & (y <= part.bottom())
        was_crowded, self._is_crowded = self._is_crowded, int(seen.sum()) > CROWD
        if self._is_crowded != was_crowded:
            self._marks.update()


def _seen(drawing: Drawing) -> tuple[float, float, float, float]:
    """Width, height, left and top in mm of a board with what sticks out of it by more than STICKS_OUT."""
    size = np.array([drawing.width, drawing.height])
    points = drawing.strokes.points if len(drawing.strokes) else np.zeros((1, 2))
    low, high = points.min(axis=0), points.max(axis=0)
    low, high = np.where(low < -STICKS_OUT, low, 0.0), np.where(high > size + STICKS_OUT, high, size)
    (width, height), (left, top) = (high - low).tolist(), low.tolist()
    return width, height, left, top


def colour_of(severity: Severity, theme: Theme) -> QColor:
    """The colour of findings."""
    return {Severity.ERROR: theme.error, Severity.WARNING: theme.warning, Severity.HINT: theme.hint}[severity]


@lru_cache(maxsize=64)
def drawn_mark(severity: Severity, theme: Theme, size: int, ratio: float) -> QPixmap:
    """Mark of a severity, drawn once in device pixels; there may be hundreds on the board."""
    side = math.ceil((size + 4) * ratio)
    mark = QPixmap(side, side)
    mark.setDevicePixelRatio(ratio)
    mark.fill(Qt.GlobalColor.transparent)
    painter = QPainter(mark)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(side / ratio / 2, side / ratio / 2)
    paint = {Severity.ERROR: error_mark, Severity.WARNING: warning_mark, Severity.HINT: hint_mark}[severity]
    paint(painter, size, colour_of(severity, theme), theme.board)
    painter.end()
    return mark
