"""Previews of sheets as they will be cut, one at a time with every line in its operation's colour, and of pages as they
will be printed, with their words as outlines of the same fonts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import shapely
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, QSizeF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QWheelEvent,
)
from PySide6.QtWidgets import QGraphicsItem, QGraphicsScene, QLabel, QSizePolicy, QStyleOptionGraphicsItem, QWidget
from shapely.affinity import translate

from studio.base.amounts import extent
from studio.base.texts import tr
from studio.geometry.planar.drawing import Drawing, Operation
from studio.geometry.planar.regions import OVERLAP, FreeArea, Move, parts_of, pieces_as_polygons
from studio.paper.fonts import spelled
from studio.paper.leaflet import Leaflet, Page, Words
from studio.ui.canvas.ink import Painting, boxed, painted
from studio.ui.canvas.paths import curved
from studio.ui.canvas.view import CanvasView
from studio.ui.widgets.controls import hint_label, invitation, quiet_button
from studio.ui.widgets.layout import REST, column, row, stack
from studio.ui.widgets.theme import GAP, MARGIN, Painted, current_theme, light_theme

if TYPE_CHECKING:
    from studio.exporting.colour_profiles import Profile

LEAST, WANTED = QSize(240, 150), QSize(340, 250)
RIM = 8
FADED = 0.35
"""Opacity of outdated sheets."""
MARK_WIDTH = 2
TINT = 0.25
"""Opacity of the tint of pieces that are moved or misplaced."""
MOVABLE = tr("Drag a part to move it, right-click or R to turn it; the wheel zooms.")
ZOOM_STEP, MOST_ZOOM = 1.25, 40.0
SHARP_MS = 60
"""Delay after the last zoom until the sheet is painted sharply."""
STEP_MM = 1.0
ARROWS = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1)}
PAPER = QColor("#FFFFFF")


class SheetPicture(QWidget):
    """One drawing, as large as there is room or larger; its parts can be dragged to other places.

    The wheel zooms at the mouse; dragging the background moves the view. A part under the mouse is dragged, the right
    button or R turns it, and the arrow keys move it by a millimetre, with Shift by ten.
    """

    is_faded = Painted(False)
    """True if its lines are pale, as the sheet is outdated."""
    marked = Painted[QRectF | None](None)
    """A part of the sheet in mm with a frame around it."""
    free = Painted[FreeArea | None](None)
    """The free area of the sheet; None if all of it is."""
    wrong = Painted[tuple[str, ...]](())
    """Names of pieces that overlap others or leave the sheet."""
    clicked = Signal(float, float)
    """Reports a click on the sheet by its place in mm."""
    moved = Signal(object)
    """Reports the `Move` of a part from its present place."""
    zoomed = Signal()
    """Reports another zoom."""

    def __init__(self) -> None:
        super().__init__()
        self._drawing: Drawing | None = None
        self._profile: Profile | None = None
        self._paths: list[tuple[Operation, QPainterPath]] = []
        self._artwork: list[Painting] = []
        self._painted: QPixmap | None = None
        self._painted_at = QPointF(), 1.0
        self.zoom = 1.0
        """How many times larger than the whole sheet it is shown."""
        self._shift = QPointF()
        self.is_movable = False
        """True if parts can be dragged."""
        self._outlines: SheetParts | None = None
        self._held: Held | None = None
        self._panned: QPointF | None = None
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(SHARP_MS)
        self._later.timeout.connect(self._forget)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        return WANTED

    def minimumSizeHint(self) -> QSize:
        return LEAST

    def show_drawing(self, drawing: Drawing | None) -> None:
        """Show another drawing, or an empty background."""
        if drawing is not self._drawing:
            name = "" if self._held is None else self._held.name
            self._drawing, self._outlines = drawing, None
            self._paths = [] if drawing is None else _paths(drawing)
            self._artwork = [] if drawing is None else [boxed(each)[0] for each in drawing.artwork]
            # The part that was moved last stays in hand for the keys.
            is_there = self.is_movable and drawing is not None and name in drawing.pieces.names
            self._hold(Held(self._parts, self._parts.part(name), QPointF()) if is_there else None)
            self._forget()

    def show_profile(self, profile: Profile) -> None:
        """Draw in the colours of another profile."""
        if profile is not self._profile:
            self._profile = profile
            self._forget()

    def fit(self) -> None:
        """Show the whole sheet."""
        self.zoom, self._shift = 1.0, QPointF()
        self._forget()
        self.zoomed.emit()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._forget()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), current_theme().canvas)
        if self._drawing is None or self._profile is None:
            return
        ratio = self.devicePixelRatioF()
        corner, scale = self._placed(self._drawing)
        if self._painted is None or self._painted.size() != self.size() * ratio:
            self._painted, self._painted_at = self._paint(self._drawing, self._profile, ratio), (corner, scale)
        painter.setOpacity(FADED if self.is_faded else 1.0)
        # A large sheet takes longer than a frame: until it is painted anew, the last picture is stretched.
        before, times = self._painted_at[0], scale / self._painted_at[1]
        painter.drawPixmap(QRectF(corner - before * times, QSizeF(self.size()) * times), self._painted,
                           QRectF(QPointF(), QSizeF(self._painted.size())))  # fmt: skip
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(corner)
        painter.scale(scale, scale)
        theme = current_theme()
        if self._held is not None:
            self._fill(painter, self._held.path, theme.error if self._held.is_wrong else theme.accent)
        if self.wrong and not self.is_faded:
            self._fill(painter, self._parts.path_of(self.wrong), theme.error)
        painter.resetTransform()
        if self.marked is not None:
            frame = QRectF(corner + self.marked.topLeft() * scale, self.marked.size() * scale)
            painter.setPen(QPen(current_theme().accent, MARK_WIDTH))
            painter.drawRect(frame)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom at the mouse."""
        if self._drawing is None:
            super().wheelEvent(event)
            return
        corner, scale = self._placed(self._drawing)
        place = (event.position() - corner) / scale
        self.zoom = min(max(self.zoom * ZOOM_STEP ** (event.angleDelta().y() / 120), 1.0), MOST_ZOOM)
        if self.zoom == 1.0:
            self._shift = QPointF()
        else:
            corner, scale = self._placed(self._drawing)
            self._shift += event.position() - (corner + place * scale)
        event.accept()
        self._show_later()
        self.zoomed.emit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._drawing is None:
            super().mousePressEvent(event)
            return
        place = self._in_mm(event.position())
        part = self._parts.at(place.x(), place.y()) if self.is_movable and not self.is_faded else None
        if event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit(place.x(), place.y())
            self._panned = event.position() if part is None else None
        elif event.button() != Qt.MouseButton.RightButton or part is None:
            super().mousePressEvent(event)
            return
        self._hold(None if part is None else Held(self._parts, part, place))
        if part is not None:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            if event.button() == Qt.MouseButton.RightButton:
                self._turn()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag a part or the view."""
        if self._drawing is None or not event.buttons() & Qt.MouseButton.LeftButton:
            place = self._in_mm(event.position())
            over = self.is_movable and not self.is_faded and self._parts.at(place.x(), place.y()) is not None
            self.setCursor(Qt.CursorShape.OpenHandCursor if over else Qt.CursorShape.ArrowCursor)
            return
        if self._held is not None:
            self._held.drag(self._in_mm(event.position()), self._room)
            self.update()
        elif self._panned is not None and self.zoom > 1:
            self._shift += event.position() - self._panned
            self._panned = event.position()
            self._show_later()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._panned = None
        if self._held is not None and event.button() == Qt.MouseButton.LeftButton:
            self._tell()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Turn or move the part that was taken last."""
        way = ARROWS.get(Qt.Key(event.key()))
        if self._held is None or (way is None and event.key() != Qt.Key.Key_R):
            super().keyPressEvent(event)
        elif way is None:
            self._turn()
        else:
            step = STEP_MM * (10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
            self._held.shift = QPointF(*way) * step
            self._tell()

    def shown_at(self, x: float, y: float) -> QPointF:
        """The place of a point of the sheet in mm on the widget in pixels."""
        if self._drawing is None:
            return QPointF()
        corner, scale = self._placed(self._drawing)
        return corner + QPointF(x, y) * scale

    @property
    def _parts(self) -> SheetParts:
        if self._outlines is None:
            assert self._drawing is not None
            self._outlines = SheetParts(self._drawing)
        return self._outlines

    @property
    def _room(self) -> shapely.Geometry:
        """Where parts may lie, in mm."""
        if self.free is not None:
            return self.free.shape
        drawing = self._drawing
        return shapely.box(0, 0, *((1, 1) if drawing is None else (drawing.width, drawing.height)))

    def _hold(self, held: Held | None) -> None:
        self._held = held
        self.update()

    def _turn(self) -> None:
        if self._held is not None:
            self._held.quarters = 1
            self._tell()

    def _tell(self) -> None:
        """Report the move of the part in hand, if it was moved; it stays in hand for the keys."""
        held = self._held
        if held is None or (held.shift.isNull() and not held.quarters):
            return
        move = Move(held.name, held.quarters, held.shift.x(), held.shift.y())
        self.moved.emit(move)

    def _in_mm(self, place: QPointF) -> QPointF:
        if self._drawing is None:
            return QPointF()
        corner, scale = self._placed(self._drawing)
        return (place - corner) / scale

    def _placed(self, drawing: Drawing) -> tuple[QPointF, float]:
        """The upper left corner of the sheet in pixels, and the pixels of a mm."""
        room = QRectF(self.rect()).adjusted(RIM, RIM, -RIM, -RIM)
        scale = min(room.width() / drawing.width, room.height() / drawing.height) * self.zoom
        return room.center() - QPointF(drawing.width, drawing.height) * scale / 2 + self._shift, scale

    def _show_later(self) -> None:
        self._later.start()
        self.update()

    def _forget(self) -> None:
        self._painted = None
        self.update()

    def _fill(self, painter: QPainter, path: QPainterPath, colour: QColor) -> None:
        """Tint some pieces."""
        pen = QPen(colour, MARK_WIDTH)
        pen.setCosmetic(True)
        painter.setPen(pen)
        tint = QColor(colour)
        tint.setAlphaF(TINT)
        painter.setBrush(tint)
        painter.drawPath(path)

    def _paint(self, drawing: Drawing, profile: Profile, ratio: float) -> QPixmap:
        """Paint the sheet and its lines into a picture, because a large sheet takes longer than a frame."""
        picture = QPixmap(self.size() * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        corner, scale = self._placed(drawing)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(corner)
        painter.scale(scale, scale)
        # Profiles have colours for white, so the sheet is bright under a dark theme too.
        edge = QPen(current_theme().board_edge, 1)
        edge.setCosmetic(True)
        painter.setPen(edge)
        painter.setBrush(light_theme().canvas if current_theme().is_dark else light_theme().board)
        whole = QRectF(0, 0, drawing.width, drawing.height)
        if self.free is None:
            painter.drawRect(whole)
        else:
            painter.drawPath(_area(self.free.shape))
        if self._artwork:
            painter.save()
            painter.setClipRect(whole)
            for mark in self._artwork:
                mark.paint(painter, whole)
            painter.restore()
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for operation, path in self._paths:
            pen = QPen(QColor(profile.layer(operation).colour), 1)
            pen.setCosmetic(True)
            painter.setPen(pen)
            painter.drawPath(path)
        painter.end()
        return picture


class SheetParts:
    """The parts of a sheet as polygons, to be found under the mouse."""

    def __init__(self, drawing: Drawing) -> None:
        self._names = drawing.pieces.names
        self.polygons = pieces_as_polygons(drawing, drawing.polylines)
        self.parts = parts_of(drawing)
        self._tree = shapely.STRtree(self.polygons)

    def at(self, x: float, y: float) -> int | None:
        """The part under a place in mm, by its first piece; None between parts."""
        found = self._tree.query(shapely.Point(x, y), predicate="within")
        return int(self.parts[found[0]]) if len(found) else None

    def part(self, name: str) -> int:
        """The part of a name."""
        return int(self.parts[self._names.index(name)])

    def name(self, part: int) -> str:
        """The name of a part."""
        return self._names[part]

    def shape(self, part: int) -> shapely.Geometry:
        """The area of a part."""
        return shapely.union_all(self.polygons[self.parts == part])

    def touches(self, shape: shapely.Geometry, part: int) -> bool:
        """True if a shape overlaps a piece of another part."""
        found = self._tree.query(shape, predicate="intersects")
        others = self.polygons[found[self.parts[found] != part]]
        return bool((shapely.area(shapely.intersection(others, shape)) > OVERLAP).any())

    def path_of(self, names: Sequence[str]) -> QPainterPath:
        """The outlines of some pieces."""
        chosen = {*names}
        whole = [polygon for name, polygon in zip(self._names, self.polygons, strict=True) if name in chosen]
        return _area(shapely.union_all(whole))


class Held:
    """A part of a sheet in the hand: its shift in mm and its quarter turns since it was taken."""

    def __init__(self, parts: SheetParts, part: int, place: QPointF) -> None:
        self._parts, self._part, self._place = parts, part, place
        self.name, self._shape = parts.name(part), parts.shape(part)
        self._outline = _area(self._shape)
        self.shift, self.quarters, self.is_wrong = QPointF(), 0, False

    @property
    def path(self) -> QPainterPath:
        """The outline at the present place."""
        return self._outline.translated(self.shift)

    def drag(self, place: QPointF, room: shapely.Geometry) -> None:
        """Follow the mouse to a place in mm."""
        self.shift = place - self._place
        shape = translate(self._shape, self.shift.x(), self.shift.y())
        self.is_wrong = self._parts.touches(shape, self._part) or not room.buffer(OVERLAP).contains(shape)


def _area(shape: shapely.Geometry) -> QPainterPath:
    """The outlines of polygons as a path."""
    path = QPainterPath()
    for part in shapely.get_parts(shape).tolist():
        for ring in (part.exterior, *part.interiors) if isinstance(part, shapely.Polygon) else ():
            path.addPolygon(QPolygonF([QPointF(x, y) for x, y in shapely.get_coordinates(ring).tolist()]))
    return path


class SheetPages(QWidget):
    """Sheets to page through, with the number and size of the one in sight."""

    def __init__(self, noun: str = tr("Sheet")) -> None:
        super().__init__()
        self._noun = noun
        self._drawings: tuple[Drawing, ...] = ()
        self.page = 0
        """The number of the sheet in sight, counted from 0."""
        self.picture = SheetPicture()
        self.words = hint_label()
        self.words.setWordWrap(False)
        self.back, self.on = quiet_button(tr("Previous sheet"), "previous"), quiet_button(tr("Next sheet"), "next")
        self.whole, self.reset = (
            quiet_button(tr("Show the whole sheet"), "fit"),
            quiet_button(tr("Undo all moves"), "undo"),
        )
        self._movable = 0
        self.setAccessibleName(tr("Sheets"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        column(
            (self.picture, 1), row((self.words, 1), self.reset, self.whole, self.back, self.on), of=self, gap=GAP // 2
        )
        self.back.clicked.connect(lambda: self.turn(-1))
        self.on.clicked.connect(lambda: self.turn(1))
        self.whole.clicked.connect(self.picture.fit)
        self.picture.zoomed.connect(lambda: self.whole.setVisible(self.picture.zoom > 1))
        # The row keeps its height, so that the picture does not move under the mouse.
        policy = self.whole.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.whole.setSizePolicy(policy)
        self.whole.hide()
        self.reset.hide()
        self.show_sheets(())

    def show_sheets(self, drawings: Sequence[Drawing], movable: int = 0) -> None:
        """Show other sheets; the page number stays if it still exists. Parts of the first `movable` can be moved."""
        self._drawings, self._movable = tuple(drawings), movable
        self.page = max(0, min(self.page, len(self._drawings) - 1))
        self._show()

    def turn(self, by: int) -> None:
        """Go to the next (1) or the previous (-1) sheet."""
        self.page = max(0, min(self.page + by, len(self._drawings) - 1))
        self._show()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Page with the usual keys."""
        steps = {Qt.Key.Key_PageDown: 1, Qt.Key.Key_PageUp: -1}
        if event.key() in steps:
            self.turn(steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def _show(self) -> None:
        count = len(self._drawings)
        drawing = self._drawings[self.page] if count else None
        self.picture.is_movable = drawing is not None and self.page < self._movable
        self.picture.setToolTip(MOVABLE if self.picture.is_movable else "")
        self.picture.show_drawing(drawing)
        said = ""
        if drawing is not None:
            size = extent(drawing.width, drawing.height)
            said = (
                tr("{noun} {page} of {count}, {size}", noun=self._noun, page=self.page + 1, count=count, size=size)
                if count > 1
                else tr("{noun} of {size}", noun=self._noun, size=size)
            )
        self.words.setText(said)
        self.words.show()
        self.picture.setAccessibleName(said or tr("No sheet"))
        for button, can in ((self.back, self.page > 0), (self.on, self.page < count - 1)):
            button.setVisible(count > 1)
            button.setEnabled(can)


def _paths(drawing: Drawing) -> list[tuple[Operation, QPainterPath]]:
    """Return the lines of each operation as one path."""
    paths = []
    for operation in Operation:
        codes = [chain.strokes for chain in drawing.chains if chain.operation is operation]
        if codes:
            paths.append((operation, curved(drawing.strokes.chosen(np.concatenate(codes) >> 1))))
    return paths


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
    """The pages of a leaflet, one at a time; below them its number, if there are several."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title
        self._leaflet: Leaflet | None = None
        self.page = 0
        """The page in sight, counted from 0."""
        self._scene = QGraphicsScene(self)
        self.view = CanvasView(self._scene)
        self.view.setAccessibleName(title)
        self._message = invitation()
        self._before = quiet_button(tr("Previous page"), "previous")
        self._after = quiet_button(tr("Next page"), "next")
        self._reading = QLabel()
        self._strip = QWidget()
        row(REST, self._before, self._reading, self._after, REST, of=self._strip, gap=GAP, margins=MARGIN // 2)
        self._middle = stack(self.view, self._message)
        column((self._middle, 1), self._strip, of=self, gap=0)
        self._before.clicked.connect(lambda: self.turn(-1))
        self._after.clicked.connect(lambda: self.turn(1))
        self.setFocusProxy(self.view)
        self.show_message("")

    @property
    def message(self) -> str:
        """The message in place of pages; empty while they are in sight."""
        return "" if self._leaflet is not None else self._message.text()

    def show_leaflet(self, leaflet: Leaflet) -> None:
        """Show pages, from the page that was in sight."""
        self._leaflet = leaflet
        self._middle.setCurrentWidget(self.view)
        self.turn(0)

    def show_message(self, sentence: str) -> None:
        """Show a sentence in place of the pages."""
        self._leaflet = None
        self._scene.clear()
        self._message.setText(sentence)
        self._middle.setCurrentWidget(self._message)
        self._strip.hide()

    def turn(self, by: int) -> None:
        """Turn some pages on or back, no further than the first or last."""
        if self._leaflet is None:
            return
        pages = self._leaflet.pages
        self.page = min(max(self.page + by, 0), len(pages) - 1)
        page = pages[self.page]
        self._scene.clear()
        self._scene.addItem(PageItem(page))
        self.view.show_board(page.width, page.height)
        self._strip.setVisible(len(pages) > 1)
        self._reading.setText(tr("Page {page} of {pages}", page=self.page + 1, pages=len(pages)))
        self._before.setEnabled(self.page > 0)
        self._after.setEnabled(self.page < len(pages) - 1)
        lines = (mark.text for group in page.groups for mark in group.marks if isinstance(mark, Words))
        self.view.setAccessibleDescription("\n".join([self._reading.text(), *map(spelled, lines)]))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Turn the pages with the usual keys."""
        steps = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}
        if event.key() in steps:
            self.turn(steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)
