"""The view of the board: zoom at the cursor, pan, fit; the active tool turns other events into designs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QContextMenuEvent,
    QFocusEvent,
    QInputDevice,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QGraphicsScene, QGraphicsView, QWidget

from studio.base.texts import tr
from studio.checks.finding import Finding
from studio.ui.widgets.theme import current_theme

ZOOM_STEP = 1.15
"""Factor of one notch of the wheel."""
NOTCH = 120
ARROWS = {
    Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0),
}  # fmt: skip
"""The arrow keys as steps down and to the right."""


class Turn(NamedTuple):
    """The zoom and pan requested by a wheel event."""

    zoom: float
    """Zoom factor about the place of the mouse."""
    pan: QPointF
    """Pixels by which the picture moves right and down."""


def notches(event: QWheelEvent) -> float:
    """Return the notches of the wheel away from the maker, in fractions for finer wheels."""
    delta = event.angleDelta()
    # With Shift some systems report a sideways wheel.
    return (delta.y() or delta.x()) / NOTCH


def turn_of(event: QWheelEvent) -> Turn:
    """Return a zoom for a wheel, a pan for a touchpad; with Ctrl a touchpad zooms, too."""
    if _is_touchpad(event) and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
        pixels = event.pixelDelta()
        # Some systems report two fingers only in eighths of a degree, like a wheel.
        return Turn(1.0, QPointF(event.angleDelta()) / 8 if pixels.isNull() else QPointF(pixels))
    return Turn(ZOOM_STEP ** (event.angleDelta().y() / NOTCH), QPointF())


def pinch_of(event: QNativeGestureEvent) -> float | None:
    """Return the zoom factor of a two-finger gesture; None for any other gesture."""
    return 1.0 + event.value() if event.gestureType() is Qt.NativeGestureType.ZoomNativeGesture else None


def _is_touchpad(event: QWheelEvent) -> bool:
    """True for a touchpad, by device and phase: mice, too, send pixels, with libinput's X driver from 1.2 on."""
    device = event.device()
    is_pad = device is not None and device.type() is QInputDevice.DeviceType.TouchPad
    return is_pad or event.phase() is not Qt.ScrollPhase.NoScrollPhase


# Tools turn mouse and key events on the canvas into designs


@dataclass(frozen=True)
class Pointer:
    """The mouse: its place on the board in mm and on the screen, and the keys held; `pixel` is one pixel in mm."""

    x: float
    y: float
    screen: QPoint
    pixel: float
    shift: bool
    control: bool
    alt: bool = False
    button: str = ""
    """Button that went down or up, if not the left one: `right` or `middle`."""

    @property
    def place(self) -> QPointF:
        """The place on the board."""
        return QPointF(self.x, self.y)

    def way_from(self, start: Pointer) -> tuple[float, float]:
        """Way of a drag in mm, right and down; Shift keeps to an axis."""
        right, down = self.x - start.x, self.y - start.y
        if self.shift:
            return (right, 0.0) if abs(right) >= abs(down) else (0.0, down)
        return right, down


STIR = 3
"""Pixels that the mouse must move with the button down before it drags."""


def stirred(start: QPoint, now: QPoint) -> bool:
    """True if the mouse has moved far enough on the screen to drag."""
    way = now - start
    return max(abs(way.x()), abs(way.y())) >= STIR


LEFT, RIGHT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton
BUTTONS = {RIGHT: "right", MIDDLE: "middle"}


class Tool(QObject):
    """A tool that does nothing; the canvas still pans and zooms."""

    takes_double_clicks = True
    """True if a double click is more than two clicks."""
    buttons = LEFT
    """Buttons that press and drag; the middle one, which pans, only presses by a click."""
    takes_space = False
    """True if Space is a key like others."""
    menu_wanted = Signal(object)
    """Brings the place of the screen, a QPoint."""

    def hovered(self, pointer: Pointer) -> Qt.CursorShape:
        """Highlight the target of a click; returns the cursor for a drag."""
        return Qt.CursorShape.ArrowCursor

    def pressed(self, pointer: Pointer) -> None:
        """A button went down."""

    def dragged(self, pointer: Pointer) -> None:
        """The mouse moved with the button down."""

    def released(self, pointer: Pointer) -> None:
        """The button went up."""

    def double_clicked(self, pointer: Pointer) -> None:
        """The left button went down for the second time."""

    def menu_asked(self, pointer: Pointer) -> None:
        """Ask for the context menu; by default, the window's."""
        self.menu_wanted.emit(pointer.screen)

    def finding_at(self, pointer: Pointer, findings: Sequence[Finding]) -> Finding | None:
        """Return the one of some findings whose line, drawn by the tool, is under the mouse."""
        return None

    def offers_at(self, pointer: Pointer) -> dict[str, Callable[[], object]]:
        """Return actions for the place under the mouse by title, which the context menu offers first."""
        return {}

    def key_pressed(self, event: QKeyEvent) -> bool:
        """Handle a key; returns whether the tool has used it."""
        return False

    def wheeled(self, notches: float, pointer: Pointer) -> bool:
        """The wheel was turned away from the maker; returns whether the tool has used it."""
        return False

    def left(self) -> None:
        """The mouse left the canvas."""

    def cancelled(self) -> bool:
        """Escape: give up the gesture; returns whether there was one."""
        return False


PADDING = 3.0
"""The empty margin around the board, in boards, so that any place can be zoomed to the middle."""
FIT_MARGIN = 28
CLOSEST, FARTHEST = 400.0, 0.02
"""Bounds of the zoom in pixels a mm."""


class CanvasView(QGraphicsView):
    """Shows a scene in mm; wheel zooms at the cursor, middle button or Space with the left button pans."""

    zoomed = Signal(float)
    """The zoom in pixels a mm."""
    looked_at = Signal()
    """Another part of the board is in view."""
    pointed = Signal(object)
    """Place of the mouse on the board, a QPointF in mm, or None when it has left."""
    began = Signal()
    """The tool is about to be used: a button went down."""

    def __init__(self, scene: QGraphicsScene, parent: QWidget | None = None) -> None:
        super().__init__(scene, parent)
        self._scene = scene
        self.tool: Tool | None = None
        self._board = QRectF(0, 0, 1, 1)
        self._sheet: QRectF | None = None
        self._before: tuple[float, QPointF, bool] | None = None
        """View of the board before the sheet: zoom, centre, and whether the board was fitted."""
        self._panned_from: QPoint | None = None
        self._space = False
        self._dragging = Qt.MouseButton.NoButton
        """The button with which the tool drags."""
        self._pan_start = QPoint()
        self._fits = True
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setResizeAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.MinimalViewportUpdate)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # the scene paints its whole ground
        self.setMouseTracking(True)
        self.setAcceptDrops(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Canvas"))
        self.setAccessibleDescription(tr("The board. All edits can also be made in the tables below."))

    @property
    def zoom(self) -> float:
        """Pixels a mm."""
        return self.transform().m11()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            for item in self._scene.items():
                item.update()  # cached items too

    def drawBackground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        # With smoothing, a last row missed by the rounded rim would keep some of its former pixels.
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.fillRect(rect, QBrush(current_theme().canvas))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    @property
    def true_zoom(self) -> float:
        """Pixels a mm at which the board is as large on the screen as on the bench."""
        return self.screen().physicalDotsPerInch() / 25.4

    @property
    def is_dragging(self) -> bool:
        """True while the tool holds a button."""
        return self._dragging is not Qt.MouseButton.NoButton

    def show_board(self, width: float, height: float, left: float = 0.0, top: float = 0.0) -> None:
        """Take the size and the origin of another board, in mm; a fitted view is fitted again."""
        board = QRectF(left, top, width, height)
        if board == self._board:
            return
        self._board = board
        self._scene.setSceneRect(_padded(board))
        if self._sheet is None:
            self.setSceneRect(_padded(board))
            if self._fits:
                self.fit()

    def show_scene(self, scene: QGraphicsScene | None, sheet: QRectF | None = None) -> None:
        """Look at the same place of another scene; None brings the board's own back.

        A `sheet` in mm that is not at the board's place is fitted instead; afterwards the board is seen as before.
        """
        shown = scene or self._scene
        if shown is self.scene() and sheet == self._sheet:
            return
        if self._before is None and sheet is not None:
            self._before = self.zoom, self._visible().center(), self._fits
        self._sheet = sheet
        shown.setSceneRect(_padded(self._seen_board))
        self.setSceneRect(shown.sceneRect())
        self.setScene(shown)
        if sheet is not None:
            self.fit()
        elif self._before is not None:
            zoom, centre, fits = self._before
            self._before = None
            if fits:
                self.fit()
            else:
                self._set_zoom(zoom)
                self.centerOn(centre)

    @property
    def _seen_board(self) -> QRectF:
        """The board, or the sheet in sight instead."""
        return self._board if self._sheet is None else self._sheet

    def fit(self) -> None:
        """Show the whole board."""
        room, board = self.viewport().size(), self._seen_board
        across = max(room.width() - 2 * FIT_MARGIN, 20) / max(board.width(), 1e-6)
        down = max(room.height() - 2 * FIT_MARGIN, 20) / max(board.height(), 1e-6)
        self._set_zoom(min(across, down))
        self.centerOn(board.center())
        self.looked_at.emit()
        self._fits = True

    def show_place(self, place: QPointF, least_zoom: float) -> None:
        """Bring a place into view, near enough to be judged."""
        zoom = max(self.zoom, least_zoom)
        if zoom != self.zoom or not self._visible().contains(place):
            self._set_zoom(zoom)
            self.centerOn(place)
        self.looked_at.emit()

    def zoom_by(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom about a place of the viewport; its middle by default."""
        anchor = at if at is not None else QPointF(self.viewport().rect().center())
        before = self._mapped(anchor)
        self._set_zoom(self.zoom * factor)
        after = self._mapped(anchor)
        self._scroll((before - after) * self.zoom)

    def zoom_to(self, zoom: float) -> None:
        """Zoom about the middle to a scale in pixels per mm."""
        self.zoom_by(zoom / self.zoom)

    def pointer_at(self, screen: QPoint) -> Pointer:
        """Return the mouse as it would be at a place on the screen, without keys."""
        place = self._mapped(QPointF(self.viewport().mapFromGlobal(screen)))
        return Pointer(place.x(), place.y(), screen, 1.0 / self.zoom, shift=False, control=False)

    def _mapped(self, place: QPointF) -> QPointF:
        inverse, _ = self.viewportTransform().inverted()
        return inverse.map(place)

    def _visible(self) -> QRectF:
        inverse, _ = self.viewportTransform().inverted()
        return inverse.mapRect(QRectF(self.viewport().rect()))

    def _set_zoom(self, zoom: float) -> None:
        zoom = min(max(zoom, FARTHEST), CLOSEST)
        self.resetTransform()
        self.scale(zoom, zoom)
        self._fits = False
        self.looked_at.emit()
        self.zoomed.emit(zoom)

    def _scroll(self, by: QPointF) -> None:
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        across.setValue(across.value() + round(by.x()))
        down.setValue(down.value() + round(by.y()))
        self._fits = False
        self.looked_at.emit()

    def _pointer(self, event: QMouseEvent | QContextMenuEvent | QWheelEvent) -> Pointer:
        if isinstance(event, QMouseEvent | QWheelEvent):
            position, screen = event.position(), event.globalPosition().toPoint()
        else:
            position, screen = QPointF(event.pos()), event.globalPos()
        place, held, key = self._mapped(position), event.modifiers(), Qt.KeyboardModifier
        shift, control, alt = (bool(held & one) for one in (key.ShiftModifier, key.ControlModifier, key.AltModifier))
        button = BUTTONS.get(event.button(), "") if isinstance(event, QMouseEvent) else ""
        return Pointer(place.x(), place.y(), screen, 1.0 / self.zoom, shift, control, alt, button)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.accept()
        turned = notches(event)
        if turned and self.tool is not None and self.tool.wheeled(turned, self._pointer(event)):
            return
        turn = turn_of(event)
        if turn.zoom != 1.0:
            self.zoom_by(turn.zoom, event.position())
        elif not turn.pan.isNull():
            self._scroll(-turn.pan)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QNativeGestureEvent):
            factor = pinch_of(event)
            if factor is not None:
                self.zoom_by(factor, event.position())
                return True
        return super().viewportEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        button = event.button()
        if button == MIDDLE or (button == LEFT and self._space):
            self._panned_from = self._pan_start = event.position().toPoint()
            self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
        elif self._dragging not in (Qt.MouseButton.NoButton, button):
            pass  # one button at a time
        elif self.tool is not None and button in self.tool.buttons and self._begins():
            self._dragging = button
            self.tool.pressed(self._pointer(event))
        event.accept()

    def _begins(self) -> bool:
        """Announce that the tool is wanted; a click on a sheet that is elsewhere only brings the board back."""
        was_here = self._sheet is None
        self.began.emit()
        return was_here

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        pointer = self._pointer(event)
        self.pointed.emit(pointer.place)
        if self._dragging == RIGHT and RIGHT not in event.buttons():
            self._give_up_drag()  # the button went up elsewhere
        if self._panned_from is not None:
            here = event.position().toPoint()
            self._scroll(QPointF(self._panned_from - here))
            self._panned_from = here
        elif self.tool is not None and self.is_dragging:
            self.tool.dragged(pointer)
        elif self.tool is not None and not self._space and event.buttons() == Qt.MouseButton.NoButton:
            is_here = self._sheet is None
            self.viewport().setCursor(self.tool.hovered(pointer) if is_here else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._panned_from is not None:
            self._panned_from = None
            self.viewport().setCursor(Qt.CursorShape.OpenHandCursor if self._space else Qt.CursorShape.ArrowCursor)
            is_click = not stirred(self._pan_start, event.position().toPoint())
            if event.button() == MIDDLE and self.tool is not None and MIDDLE in self.tool.buttons and is_click:
                self.tool.pressed(self._pointer(event))
        elif event.button() == self._dragging:
            self._dragging = Qt.MouseButton.NoButton
            if self.tool is not None:
                self.tool.released(self._pointer(event))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        takes = self.tool is not None and self.tool.takes_double_clicks
        if event.button() == LEFT and self.tool is not None and takes and not self._space:
            if self._begins():
                self.tool.double_clicked(self._pointer(event))
        else:
            self.mousePressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_mouse = event.reason() is QContextMenuEvent.Reason.Mouse
        is_press = by_mouse and self.tool is not None and RIGHT in self.tool.buttons
        if self.tool is not None and not is_press and not self.is_dragging and self._begins():
            self.tool.menu_asked(self._pointer(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not (self.tool is not None and self.tool.takes_space):
            if not event.isAutoRepeat() and not self.is_dragging:
                self._space = True
                self.viewport().setCursor(Qt.CursorShape.OpenHandCursor)
            return
        if event.key() == Qt.Key.Key_Escape and self.tool is not None:
            self._dragging = Qt.MouseButton.NoButton
            if self.tool.cancelled():
                return
        if self.tool is not None and self.tool.key_pressed(event):
            return
        event.ignore()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._space = False
            self.viewport().setCursor(Qt.CursorShape.ArrowCursor)
        else:
            event.ignore()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._space = False
        self._give_up_drag()
        super().focusOutEvent(event)

    def _give_up_drag(self) -> None:
        if self.is_dragging and self.tool is not None:
            self._dragging = Qt.MouseButton.NoButton
            self.tool.cancelled()

    def leaveEvent(self, event: QEvent) -> None:
        self.pointed.emit(None)
        if self.tool is not None and not self.is_dragging:
            self.tool.left()
        super().leaveEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._fits:
            self.fit()
        self.looked_at.emit()


def _padded(board: QRectF) -> QRectF:
    """A board and the empty room around it."""
    room = PADDING * max(board.width(), board.height())
    return board.adjusted(-room, -room, room, room)
