"""The widget that shows pieces in 3-D: the mouse turns, pans, zooms, points and clicks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QPolygonF,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from studio.base.texts import tr
from studio.geometry.curves.strokes import Floats
from studio.geometry.solids.projections import SIDES, Camera
from studio.ui.canvas.view import pinch_of, turn_of
from studio.ui.solid.overlay import Badge, Chosen, Mark, Overlay, paint_caption
from studio.ui.solid.progressive import USUAL_RENDERERS, ProgressivePicture
from studio.ui.solid.renderer import Renderer, Shot
from studio.ui.solid.scene import Bed, BodyLook, Exhibit, Scene, SceneBody, Section
from studio.ui.solid.view_cube import Direction, ViewCube, angles_of
from studio.ui.widgets.theme import Painted, current_theme

CLICK_PIXELS = 4
"""A press that moves less than this is a click."""
KEY_PIXELS = 25.0
"""Length of the mouse drag that a press of an arrow key equals."""
FIT_MARGIN = 44
FLAT = 0.3
"""A scene lower than this share of its shorter side is flat, such as a board or a bed of pieces."""
CORNER = 8
"""Distance of the view cube from the corner, in pixels."""
ROOM_FOR_CUBE = 240
"""Least shorter side of the widget with a view cube, in pixels."""


class SolidView(QWidget):
    """Shows bodies; the caller decides how each one looks and what a click does.

    Bodies are numbered by their place in the sequence shown.
    """

    pointed = Signal(object, object)
    """Body under the mouse: its number, and the place (3,) in its own mm; None and None for nothing."""
    clicked = Signal(object, object, object)
    """Body clicked, as in `pointed`, and the keys held, a KeyboardModifier."""
    menu_wanted = Signal(object)
    """Brings the place of the screen, a QPoint."""
    announced = Signal(str)
    """A sentence for the maker."""
    mark = Painted[Mark | None](None)
    """The marked cell."""
    chosen = Painted[Sequence[Chosen]](())
    """Cells that are tinted and outlined; a broken line shows the place of a hidden one."""
    badges = Painted[Sequence[Badge]](())
    """Small icons on cells, each on a visible side of its cell."""
    arrow = Painted[int | None](None)
    """Number of the moving body: an arrow next to it shows where it goes."""
    caption = Painted[str]("")
    """A sentence below the bodies."""

    has_dimensions = Painted[bool](False)
    """True if sizes are shown."""

    def __init__(self, makers: Sequence[Callable[[], Renderer]] | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.picture = ProgressivePicture(
            self, self._shot, USUAL_RENDERERS if makers is None else makers,
            is_held=lambda: self.is_dragging, announce=self.announced.emit,
        )  # fmt: skip
        self.camera = Camera()
        self._exhibit = Exhibit()
        self._scene: Scene | None = None
        self._fits = True
        self._pressed: QPointF | None = None
        self._last = QPointF()
        self._under: QPointF | None = None
        self._drag: Callable[[tuple[float, float]], None] | None = None
        self._space = False
        self.keys = Qt.KeyboardModifier.NoModifier
        """The keys that were held at the last event of mouse or keyboard."""
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMinimumSize(160, 120)
        self.setAccessibleName(tr("3-D view"))
        self.setAccessibleDescription(tr("Arrow keys orbit. Pieces can also be selected in the table below."))
        self.cube = ViewCube(lambda: self.camera, self)
        self.cube.chosen.connect(self.look_from_direction)
        self.cube.dragged.connect(self._turn)

    def sizeHint(self) -> QSize:
        return QSize(640, 480)

    # Bodies and their looks

    def show_bodies(self, bodies: Sequence[SceneBody], *, bed: Bed | None = None, settled: bool = True) -> None:
        """Show other bodies, exploded as far as before, or on the middle of a printer's bed.

        Bodies that are not `settled` will soon change again.
        """
        known, before = tuple(bodies), self._exhibit
        is_same = len(known) == len(before.bodies) and (bed is None) == (before.bed is None)
        shares = before.shares if is_same else np.zeros(len(known))
        self._show(replace(before, bodies=known, bed=bed, shares=shares), moving=not settled)

    def show_shares(self, shares: Floats) -> None:
        """Move each body by a share (n,) of the whole way out."""
        self._show(replace(self._exhibit, shares=shares))

    def show_looks(self, looks: Mapping[int, BodyLook | None]) -> None:
        """Give bodies other looks by their numbers: None hides a body, unnamed bodies are plain."""
        if looks != self._exhibit.looks:
            # The eye keeps its place, so that the remaining bodies do not leap.
            self._show(replace(self._exhibit, looks=dict(looks)), fit=False)

    def show_section(self, section: Section | None) -> None:
        """Cut everything at a plane; None removes the cut."""
        if section != self._exhibit.section:
            self._show(replace(self._exhibit, section=section), fit=False)

    def _show(self, exhibit: Exhibit, *, moving: bool = True, fit: bool = True) -> None:
        self._exhibit, self._scene = exhibit, None
        if self._fits and fit:
            self.camera = self._fitted()
        self.picture.renew(moving=moving)

    @property
    def renderer(self) -> Renderer:
        """The renderer, made on first use."""
        return self.picture.renderer

    @property
    def scene(self) -> Scene:
        """All that is shown now."""
        if self._scene is None:
            self._scene = self._exhibit.scene(current_theme())
        return self._scene

    def _shot(self) -> Shot:
        return Shot(self.scene, self.camera, self.size())

    def body(self, number: int) -> SceneBody:
        """The body with a number."""
        return self._exhibit.bodies[number]

    @property
    def ends(self) -> tuple[Floats, Floats]:
        """The least and the greatest coordinates (3,) of all bodies in their places."""
        return self._exhibit.ends

    # The camera

    @property
    def _pixels(self) -> tuple[float, float]:
        return float(max(1, self.width())), float(max(1, self.height()))

    @property
    def is_moving(self) -> bool:
        """True until the final picture is in sight, after a movement or during preparation."""
        return self.picture.is_draft or self.picture.image is None

    @property
    def is_dragging(self) -> bool:
        """True while the mouse turns or pans."""
        return self._drag is not None

    def fit(self) -> None:
        """Show everything, as large as it fits."""
        self._fits = True
        self._look(self._fitted())

    def _fitted(self) -> Camera:
        """A camera that shows everything, and a bed or a board so small that its corner is clear of the view cube."""
        camera = self.camera.fitted(self.scene.corners, self._pixels, FIT_MARGIN)
        corners = self.scene.corners
        (left, front, low), (right, back, high) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
        if high - low > FLAT * min(right - left, back - front) or self.cube.isHidden():
            return camera
        ends = np.array([(left, front, low), (right, front, low), (right, back, low), (left, back, low)])
        for margin in range(FIT_MARGIN, min(self.width(), self.height()) // 4, 6):
            camera = self.camera.fitted(self.scene.corners, self._pixels, margin)
            spots = camera.project(ends, self._pixels)[:, :2].tolist()
            if not QPolygonF([QPointF(x, y) for x, y in spots]).intersects(QRectF(self.cube.geometry())):
                break
        return camera

    def zoom_by(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom about a place of the picture; its middle by default."""
        place = at if at is not None else QPointF(self.width() / 2, self.height() / 2)
        self._fits = False
        self._look(self.camera.zoomed(factor, (place.x(), place.y()), self._pixels))

    def look_from(self, side: str) -> None:
        """Look from one of SIDES."""
        self.look_along(self.camera.looking(*SIDES[side]))

    def look_from_direction(self, direction: Direction) -> None:
        """Look from a side, an edge or a corner of the view cube, at the same scale unless everything was in sight."""
        camera = self.camera.looking(*angles_of(direction))
        if self._fits:
            self.look_along(camera)
        else:
            self._look(camera)

    def look_along(self, camera: Camera) -> None:
        """Look through another camera."""
        self.camera = camera
        self.fit()

    def _look(self, camera: Camera) -> None:
        self.camera = camera
        self.picture.renew()

    def _turn(self, by: tuple[float, float]) -> None:
        self._look(self.camera.turned(by))

    def _pan(self, by: tuple[float, float]) -> None:
        self._fits = False
        self._look(self.camera.panned(by, self._pixels))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if not self.picture.paint(painter):
            return
        pick = None if self.picture.is_draft else self.renderer.pick
        over = Overlay(painter, self.scene, self.camera, self._pixels, pick)
        if self._exhibit.bed is not None:
            over.paint_bed(self._exhibit.bed)
        if self.has_dimensions:
            over.paint_dimensions()
        over.paint_chosen(self.chosen)
        over.paint_badges(self.badges)
        over.paint_mark(self.mark)
        over.paint_arrow(self.arrow)
        paint_caption(painter, self.rect(), self.caption)

    # The mouse and the keys

    def at(self, place: QPointF) -> tuple[int | None, Floats | None]:
        """The body at a place of the widget, and the point on it, in its own mm."""
        number = self.picture.pick(place.x(), place.y())
        if number is None:
            return None, None
        start, way = self.camera.ray((place.x(), place.y()), self._pixels)
        return number, self.scene.by_number[number].struck(start, way, self.scene.section)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        left = event.button() == Qt.MouseButton.LeftButton
        self._last = event.position()
        if event.button() == Qt.MouseButton.MiddleButton or (left and self._space):
            self._drag = self._pan
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
        elif left:
            self._pressed = event.position()
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        here = event.position()
        if self._pressed is not None and (here - self._pressed).manhattanLength() >= CLICK_PIXELS:
            self._pressed = None
            self._drag = self._turn
            self.mark = None
            self.setCursor(Qt.CursorShape.SizeAllCursor)
        if self._drag is not None:
            self._drag((here.x() - self._last.x(), here.y() - self._last.y()))
            self._last = here
        elif event.buttons() == Qt.MouseButton.NoButton and not self._space:
            self._point(here, event.modifiers())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        was_click = self._pressed is not None and event.button() == Qt.MouseButton.LeftButton
        self._pressed = self._drag = None
        self.setCursor(Qt.CursorShape.OpenHandCursor if self._space else Qt.CursorShape.ArrowCursor)
        if was_click:
            self.clicked.emit(*self.at(event.position()), event.modifiers())
            self._point(event.position(), event.modifiers())
        event.accept()

    def _point(self, here: QPointF, keys: Qt.KeyboardModifier) -> None:
        self.keys, self._under = keys, here
        self.pointed.emit(*self.at(here))

    def _hold(self, key: Qt.KeyboardModifier, *, held: bool) -> None:
        """Report the body under the mouse again, since a held key changes the effect of a click."""
        keys = self.keys | key if held else self.keys & ~key
        if self._under is not None and self._drag is None:
            self._point(self._under, keys)
        self.keys = keys

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self._drag is None:
            self.menu_wanted.emit(event.globalPos())

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QNativeGestureEvent) and (factor := pinch_of(event)) is not None:
            self.zoom_by(factor, event.position())
            return True
        return super().event(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.accept()
        turn = turn_of(event)
        if turn.zoom != 1.0:
            self.zoom_by(turn.zoom, event.position())
        elif not turn.pan.isNull():
            self._pan((turn.pan.x(), turn.pan.y()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        turns = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1)}
        if event.key() == Qt.Key.Key_Space:
            if not event.isAutoRepeat() and self._drag is None:
                self._space = True
                self.setCursor(Qt.CursorShape.OpenHandCursor)
        elif event.key() == Qt.Key.Key_Shift:
            self._hold(Qt.KeyboardModifier.ShiftModifier, held=True)
        elif event.key() in turns:
            right, down = turns[Qt.Key(event.key())]
            self._turn((right * KEY_PIXELS, down * KEY_PIXELS))
        elif event.key() == Qt.Key.Key_Escape:
            self._pressed = self._drag = None
            self.clicked.emit(None, None, event.modifiers())
        else:
            event.ignore()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._space = False
            self.setCursor(Qt.CursorShape.ArrowCursor)
        elif event.key() == Qt.Key.Key_Shift:
            self._hold(Qt.KeyboardModifier.ShiftModifier, held=False)
        else:
            event.ignore()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._space = False
        self._pressed = self._drag = None
        super().focusOutEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._exhibit.bodies:
            self._show(self._exhibit, moving=False)

    def leaveEvent(self, event: QEvent) -> None:
        self._under = None
        self.pointed.emit(None, None)
        super().leaveEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.cube.move(self.width() - self.cube.width() - CORNER, CORNER)
        self.cube.setVisible(min(self.width(), self.height()) >= ROOM_FOR_CUBE)
        self.picture.resize()
        if self._fits:
            self.camera = self._fitted()
