"""The widget that shows pieces in 3-D: the mouse turns, pans, zooms, points and clicks.

While anything moves it shows drafts; a moment after it has come to rest, the final picture, which is drawn in slices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from time import perf_counter

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QImage,
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
from studio.geometry.solids.camera import SIDES, Camera
from studio.ui.solid.overlay import Badge, Chosen, Mark, Overlay
from studio.ui.solid.pointing import paint_caption
from studio.ui.solid.renderer import Quality, Renderer
from studio.ui.solid.renderers import USUAL_RENDERERS, first_that_works
from studio.ui.solid.scene import Bed, BodyLook, Placed, Scene, SceneBody, Section
from studio.ui.solid.viewcube import Direction, ViewCube, angles_of
from studio.ui.widgets.theme import Painted, current_theme
from studio.ui.widgets.wheel import pinch_of, turn_of

# Coarseness of drafts

SHARES = (1.0, 0.85, 0.7, 0.5)
"""The sides of a draft as shares of the widget's, finest first: few, since each has pictures of its own on the card."""
FIRST_IF_SLOW = 2
"""Index of the first share for a library that draws without a graphics card."""
FRAME_S = 0.033
"""Seconds per frame; after a slower draft the next one is coarser."""
SPARE = 0.8
"""Share of a frame within which the next finer draft must be expected to stay before it is tried."""


class Coarseness:
    """The share at which the next draft is drawn, from how long the last one took."""

    def __init__(self, *, is_slow: bool = False) -> None:
        self._at = FIRST_IF_SLOW if is_slow else 0

    @property
    def share(self) -> float:
        """The sides of the next draft as a share of those of the widget."""
        return SHARES[self._at]

    def took(self, seconds: float) -> None:
        """Note how long a draft at this share took."""
        if seconds > FRAME_S:
            self._at = min(self._at + 1, len(SHARES) - 1)
        elif self._at and seconds * (SHARES[self._at - 1] / self.share) ** 2 < SPARE * FRAME_S:
            self._at -= 1


AT_ONCE = 30_000
"""Most triangles that a graphics card draws as a final picture in one go; larger scenes are seen as a draft first."""
REST_MS = 120
"""Time at rest before the final picture is drawn."""
CLICK_PIXELS = 4
"""A press that moves less than this is a click."""
KEY_PIXELS = 25.0
"""Length of the mouse drag that a press of an arrow key equals."""
FIT_MARGIN = 44
EXPLODED = 0.36
"""Travel of bodies in a fully exploded view, as a share of the longest side."""
FLAT = 0.3
"""A scene lower than this share of its shorter side is flat, such as a board or a bed of pieces."""
CORNER = 8
"""Distance of the view cube from the corner, in pixels."""
ROOM_FOR_CUBE = 240
"""Least shorter side of the widget with a view cube, in pixels."""
DONE = object()


class _Held:
    """The renderer and its unfinished preparation; they outlive the widget's last paint but not the widget."""

    def __init__(self) -> None:
        self.renderer: Renderer | None = None
        self.steps: Iterator[None] | None = None

    def release(self, _gone: object = None) -> None:
        self.steps = None
        if self.renderer is not None:
            self.renderer.release()
            self.renderer = None


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
        self._makers = makers if makers is not None else USUAL_RENDERERS
        self._held = _Held()
        self.camera = Camera()
        self._bodies: tuple[SceneBody, ...] = ()
        self._bed: Bed | None = None
        self._section: Section | None = None
        self._shares: Floats = np.zeros(0)
        self._looks: Mapping[int, BodyLook | None] = {}
        self._scene: Scene | None = None
        self._image: QImage | None = None
        self._fits = True
        self._moving = self._is_final_due = False
        self._pressed: QPointF | None = None
        self._last = QPointF()
        self._under: QPointF | None = None
        self._drag: Callable[[tuple[float, float]], None] | None = None
        self._space = False
        self.keys = Qt.KeyboardModifier.NoModifier
        """The keys that were held at the last event of mouse or keyboard."""
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self._come_to_rest)
        self._slices: Iterator[QImage | None] | None = None
        self._before: QImage | None = None
        self._coarseness: Coarseness | None = None
        self._next = QTimer(self, interval=0)
        self._next.timeout.connect(self._go_on)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMinimumSize(160, 120)
        self.setAccessibleName(tr("3-D view"))
        self.setAccessibleDescription(tr("Arrow keys orbit. Pieces can also be selected in the table below."))
        self.destroyed.connect(self._held.release)
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
        known = len(bodies) == len(self._bodies) and (bed is None) == (self._bed is None)
        self._bodies, self._bed = tuple(bodies), bed
        if not known:
            self._shares = np.zeros(len(bodies))
        self._again(moving=not settled)

    def show_shares(self, shares: Floats) -> None:
        """Move each body by a share (n,) of the whole way out."""
        self._shares = shares
        self._again(moving=True)

    def show_looks(self, looks: Mapping[int, BodyLook | None]) -> None:
        """Give bodies other looks by their numbers: None hides a body, unnamed bodies are plain."""
        if looks != self._looks:
            self._looks = dict(looks)
            # The eye keeps its place, so that the remaining bodies do not leap.
            self._again(moving=True, fit=False)

    def show_section(self, section: Section | None) -> None:
        """Cut everything at a plane; None removes the cut."""
        if section != self._section:
            self._section = section
            self._again(moving=True, fit=False)

    @property
    def renderer(self) -> Renderer:
        """The renderer, made on first use."""
        if self._held.renderer is None:
            self._held.renderer, reasons = first_that_works(self._makers)
            if reasons:
                words = tr("OpenGL is not available: simplified 3-D view ({reason}).", reason=reasons[0][:120])
                # Later: a notice changes the layout, and this may be in the middle of a paint.
                QTimer.singleShot(0, self, lambda: self.announced.emit(words))
        return self._held.renderer

    @property
    def scene(self) -> Scene:
        """All that is shown now."""
        if self._scene is None:
            self._scene = self._made_scene()
        return self._scene

    def body(self, number: int) -> SceneBody:
        """The body with a number."""
        return self._bodies[number]

    def _made_scene(self) -> Scene:
        low, high = self.ends
        reach = EXPLODED * float((high - low).max())
        placed = tuple(
            Placed(number, body, body.way * (share * reach), look)
            for number, (body, share) in enumerate(zip(self._bodies, self._shares.tolist(), strict=True))
            if (look := self._looks.get(number, BodyLook.PLAIN)) is not None
        )
        theme = current_theme()
        plate = self._plate()
        if self._bed is None or plate is None:
            # Together they look as they will; taken apart, a letter says which is which.
            apart = bool(self._shares.any())
            return Scene(placed, theme.canvas, theme.accent, section=self._section, has_letters=apart)
        rim = theme.quiet if self._bed.holds(high - low) else theme.error
        return Scene(
            placed, theme.canvas, theme.accent, plate, theme.board, theme.line, rim, self._section, has_letters=False
        )

    @property
    def ends(self) -> tuple[Floats, Floats]:
        """The least and the greatest coordinates (3,) of all bodies in their places."""
        boxes = np.concatenate([body.box for body in self._bodies]) if self._bodies else np.zeros((1, 3))
        return boxes.min(axis=0), boxes.max(axis=0)

    def _plate(self) -> tuple[float, float, float, float] | None:
        if self._bed is None or not self._bodies:
            return None
        low, high = self.ends
        half = np.array([self._bed.width, self._bed.depth]) / 2
        left, front, right, back = np.concatenate([(low + high)[:2] / 2 - half, (low + high)[:2] / 2 + half]).tolist()
        return left, front, right, back

    # The camera

    @property
    def _pixels(self) -> tuple[float, float]:
        return float(max(1, self.width())), float(max(1, self.height()))

    @property
    def is_moving(self) -> bool:
        """True until the final picture is in sight, after a movement or during preparation."""
        return self._moving or self._image is None

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
        self._image = None
        self._move()

    def _turn(self, by: tuple[float, float]) -> None:
        self._look(self.camera.turned(by))

    def _pan(self, by: tuple[float, float]) -> None:
        self._fits = False
        self._look(self.camera.panned(by, self._pixels))

    # Drafts and finals

    def _again(self, *, moving: bool, fit: bool = True) -> None:
        self._scene = self._image = None
        self._leave_slices()
        if self._fits and fit:
            self.camera = self._fitted()
        if moving:
            self._move()
        self.update()

    def _move(self) -> None:
        self._moving = True
        self._leave_slices()
        self._rest.start()
        self.update()

    def _come_to_rest(self) -> None:
        if self._drag is not None:
            self._rest.start()
        elif self._image is None or not self.isVisible():
            self.settle()
        else:
            # The draft stays until the final picture is there; a mouse move meanwhile waits for a slice at most.
            self._slices = self.renderer.in_slices(self.scene, self.camera, self.size(), self.devicePixelRatioF())
            self._next.start()

    def _go_on(self) -> None:
        """Prepare or draw the next bit."""
        if self._held.steps is None:
            self._draw_slice()
        elif next(self._held.steps, DONE) is DONE:
            self._leave_slices()
            # The first time, this makes the renderer, which takes a turn of its own.
            assert self.renderer is not None
            self.update()

    def _is_prepared(self) -> bool:
        """True if the renderer is ready for the scene; if not, prepare one more step per turn of the event loop."""
        made = self._held.renderer
        if self._held.steps is None:
            self._held.steps = iter([None]) if made is None else made.preparing(self.scene)
        if next(self._held.steps, DONE) is DONE and made is not None:
            self._held.steps = None
            return True
        self._next.start()
        return False

    def _draw_slice(self) -> None:
        image = next(self._slices) if self._slices is not None else None
        if image is not None:
            self._leave_slices()
            self._moving = self._is_final_due = False
            self._image = image
            self.update()

    def _leave_slices(self) -> None:
        self._next.stop()
        self._slices = self._held.steps = None

    def finish(self) -> None:
        """Show the final picture at the next paint, whatever moved and however long it takes."""
        self._is_final_due = True
        self.settle()

    def settle(self) -> None:
        """Show the final picture without waiting for rest: at the next paint, or in slices after a draft."""
        self._rest.stop()
        self._leave_slices()
        self._moving = False
        self._image = None
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._image is None and not self._is_final_due and not self._is_prepared():
            painter.fillRect(self.rect(), current_theme().canvas)
            if self._before is not None and self._is_as_large(self._before):
                painter.drawImage(QRectF(self.rect()), self._before)
            return
        if self._image is None:
            is_heavy = self.renderer.is_slow or self.scene.triangles > AT_ONCE
            if not self._moving and not self._is_final_due and is_heavy:
                self._move()
            self._image = self._draft() if self._moving else self._rendered(Quality.FINAL)
            self._is_final_due = False
        self._before = self._image
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(QRectF(self.rect()), self._image)
        self._paint_over(painter)

    def _draft(self) -> QImage:
        if self._coarseness is None:
            self._coarseness = Coarseness(is_slow=self.renderer.is_slow)
        begin = perf_counter()
        image = self._rendered(Quality.DRAFT, self._coarseness.share)
        self._coarseness.took(perf_counter() - begin)
        return image

    def _rendered(self, quality: Quality, share: float = 1.0) -> QImage:
        return self.renderer.render(self.scene, self.camera, self.size(), share * self.devicePixelRatioF(), quality)

    def _is_as_large(self, image: QImage) -> bool:
        """True if a picture has the size of this widget, up to a pixel of a coarse draft."""
        ratio = image.devicePixelRatio()
        sides = (image.width() - ratio * self.width(), image.height() - ratio * self.height())
        return max(map(abs, sides)) <= 1

    def _paint_over(self, painter: QPainter) -> None:
        """Paint the overlays and the caption."""
        over = Overlay(painter, self.scene, self.camera, self._pixels, None if self._moving else self.renderer.pick)
        if self._bed is not None:
            over.paint_bed(self._bed)
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
        if self._held.steps is not None:
            return None, None
        if self._image is None:
            self._image = self._draft()
            self._move()
        number = self.renderer.pick(place.x(), place.y())
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
        if event.type() == QEvent.Type.PaletteChange and self._bodies:
            self._again(moving=False)

    def leaveEvent(self, event: QEvent) -> None:
        self._under = None
        self.pointed.emit(None, None)
        super().leaveEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.cube.move(self.width() - self.cube.width() - CORNER, CORNER)
        self.cube.setVisible(min(self.width(), self.height()) >= ROOM_FOR_CUBE)
        self._image = None
        if self._slices is not None:
            self.settle()
        if self._fits:
            self.camera = self._fitted()
