"""Shows pages as they will be written: the same marks, their words drawn from the outlines of the same fonts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import assert_never

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QKeyEvent, QPainter, QPainterPath, QPen, QTransform
from PySide6.QtWidgets import QGraphicsItem, QGraphicsScene, QLabel, QStyleOptionGraphicsItem, QWidget

from studio.geometry.artwork import Picture
from studio.geometry.curves import Floats
from studio.paper.fonts import EM, Font, spelled, typeset
from studio.paper.leaflet import SHIFTS, Area, Leaflet, Line, Mark, Page, Words
from studio.ui.canvas.view import CanvasView
from studio.ui.layout import REST, column, row, stack
from studio.ui.theme import GAP, MARGIN, current_theme
from studio.ui.widgets import invitation, quiet_button

PAPER = QColor("#FFFFFF")


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


class PageItem(QGraphicsItem):
    """A page on the scene, in mm; paper is white in every theme."""

    def __init__(self, page: Page) -> None:
        super().__init__()
        self._size = QRectF(0, 0, page.width, page.height)
        self._marks = [painted(mark) for group in page.groups for mark in group.marks]

    def boundingRect(self) -> QRectF:
        return self._size.adjusted(-1, -1, 1, 1)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        rim = QPen(current_theme().board_edge)
        rim.setCosmetic(True)
        painter.setPen(rim)
        painter.setBrush(PAPER)
        painter.drawRect(self._size)
        painter.setClipRect(self._size)
        for mark in self._marks:
            mark.paint(painter)


class PagesPanel(QWidget):
    """The pages of a leaflet, one in sight at a time; below them which it is, where there are several."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title
        self._leaflet: Leaflet | None = None
        self._page = 0
        self._scene = QGraphicsScene(self)
        self.view = CanvasView(self._scene)
        self.view.setAccessibleName(title)
        self._told = invitation()
        self._before = quiet_button("Previous page", "previous")
        self._after = quiet_button("Next page", "next")
        self._reading = QLabel()
        self._strip = QWidget()
        row(REST, self._before, self._reading, self._after, REST, of=self._strip, gap=GAP, margins=MARGIN // 2)
        self._middle = stack(self.view, self._told)
        column((self._middle, 1), self._strip, of=self, gap=0)
        self._before.clicked.connect(lambda: self.turn(-1))
        self._after.clicked.connect(lambda: self.turn(1))
        self.setFocusProxy(self.view)
        self.tell("")

    @property
    def page(self) -> int:
        """The page in sight, counted from 0."""
        return self._page

    @property
    def told(self) -> str:
        """What is said in place of pages; empty where they are in sight."""
        return "" if self._leaflet is not None else self._told.text()

    def show_leaflet(self, leaflet: Leaflet) -> None:
        """Show pages, from the page that was in sight."""
        self._leaflet = leaflet
        self._middle.setCurrentWidget(self.view)
        self.turn(0)

    def tell(self, sentence: str) -> None:
        """Show a sentence in place of the pages."""
        self._leaflet = None
        self._scene.clear()
        self._told.setText(sentence)
        self._middle.setCurrentWidget(self._told)
        self._strip.hide()

    def turn(self, by: int) -> None:
        """Show a page further on or back; beyond the last one it stays."""
        if self._leaflet is None:
            return
        pages = self._leaflet.pages
        self._page = min(max(self._page + by, 0), len(pages) - 1)
        page = pages[self._page]
        self._scene.clear()
        self._scene.addItem(PageItem(page))
        self.view.show_board(page.width, page.height)
        self._strip.setVisible(len(pages) > 1)
        self._reading.setText(f"Page {self._page + 1} of {len(pages)}")
        self._before.setEnabled(self._page > 0)
        self._after.setEnabled(self._page < len(pages) - 1)
        lines = (mark.text for group in page.groups for mark in group.marks if isinstance(mark, Words))
        self.view.setAccessibleDescription("\n".join([self._reading.text(), *map(spelled, lines)]))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Turn the pages with the keys for that."""
        steps = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}
        if event.key() in steps:
            self.turn(steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)
