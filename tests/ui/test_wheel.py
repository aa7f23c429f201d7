"""A wheel zooms at the mouse and two fingers scroll, whatever numbers of pixels a system reports with them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QInputDevice, QNativeGestureEvent, QPointingDevice, QWheelEvent
from PySide6.QtWidgets import QApplication, QGraphicsScene, QWidget

from studio.ui.canvas.view import CanvasView
from studio.ui.solid.renderer import PainterRenderer
from studio.ui.solid.view import SolidView

PLACE = QPointF(400, 250)
NO_KEY, CONTROL, SHIFT = (
    Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier,
)  # fmt: skip
NO_PHASE, BEGIN, UPDATE, END, MOMENTUM = (
    Qt.ScrollPhase.NoScrollPhase, Qt.ScrollPhase.ScrollBegin, Qt.ScrollPhase.ScrollUpdate, Qt.ScrollPhase.ScrollEnd,
    Qt.ScrollPhase.ScrollMomentum,
)  # fmt: skip


def device(kind: QInputDevice.DeviceType) -> QPointingDevice:
    is_pad = kind is QInputDevice.DeviceType.TouchPad
    pointer = QPointingDevice.PointerType.Finger if is_pad else QPointingDevice.PointerType.Generic
    return QPointingDevice(str(kind.name), 7, kind, pointer, QInputDevice.Capability.Scroll, 1, 3)


MOUSE, PAD = device(QInputDevice.DeviceType.Mouse), device(QInputDevice.DeviceType.TouchPad)


class Canvas:
    """The view of a board of 300 × 150 mm, not all of it in sight."""

    def __init__(self) -> None:
        self.scene = QGraphicsScene()
        self.scene.addRect(0, 0, 300, 150)
        self.view = CanvasView(self.scene)
        self.view.resize(800, 500)
        self.view.show()
        QApplication.processEvents()
        self.view.show_board(300, 150)
        self.view.zoom_by(3.0)
        self.target: QWidget = self.view.viewport()

    @property
    def scale(self) -> float:
        return self.view.zoom

    def seen(self) -> QPointF:
        """Where on the screen the board's corner is."""
        return QPointF(self.view.mapFromScene(QPointF(0, 0)))

    def close(self) -> None:
        self.view.close()


class Solid:
    """The view of an empty space, 100 mm high at first."""

    def __init__(self) -> None:
        self.view = SolidView((PainterRenderer,))
        self.view.resize(800, 500)
        self.view.show()
        QApplication.processEvents()
        self.target: QWidget = self.view

    @property
    def scale(self) -> float:
        return 500 / self.view.camera.span

    def seen(self) -> QPointF:
        """Where on the screen the origin is, from the middle."""
        right, up, _near = -self.view.camera.axes @ self.view.camera.target * self.scale
        return QPointF(right, -up)

    def close(self) -> None:
        self.view.close()


@pytest.fixture(params=[Canvas, Solid])
def view(qapp: QApplication, request: pytest.FixtureRequest) -> Iterator[Canvas | Solid]:
    made: Canvas | Solid = request.param()
    yield made
    made.close()


def turn(
    view: Canvas | Solid, pixels: QPoint, angle: QPoint, pad: QPointingDevice = MOUSE,
    phase: Qt.ScrollPhase = NO_PHASE, keys: Qt.KeyboardModifier = NO_KEY,
) -> tuple[float, QPointF]:  # fmt: skip
    """Send an event; returns by which factor the view zoomed, and how far the picture moved."""
    scale, seen = view.scale, view.seen()
    event = QWheelEvent(
        PLACE, QPointF(view.target.mapToGlobal(PLACE.toPoint())), pixels, angle, Qt.MouseButton.NoButton, keys, phase,
        False, Qt.MouseEventSource.MouseEventNotSynthesized, pad,
    )  # fmt: skip
    QApplication.sendEvent(view.target, event)
    return view.scale / scale, view.seen() - seen


def close_to(one: QPointF, other: QPointF) -> bool:
    return (one - other).manhattanLength() < 1.5


@pytest.mark.sampled(5)
@pytest.mark.parametrize("pixels", [0, 15, 53, 120, 240])
@pytest.mark.parametrize("keys", [NO_KEY, CONTROL, SHIFT])
def test_a_notch_of_a_mouse_zooms_by_the_same_step_with_any_number_of_pixels(
    view: Canvas | Solid, pixels: int, keys: Qt.KeyboardModifier
) -> None:
    for notches, factor in ((1, 1.15), (-1, 1 / 1.15), (2, 1.15**2)):
        zoom, _moved = turn(view, QPoint(0, pixels * notches), QPoint(0, 120 * notches), keys=keys)
        assert zoom == pytest.approx(factor, rel=1e-6)


def test_the_fine_steps_of_a_smooth_wheel_add_up_to_its_notches(view: Canvas | Solid) -> None:
    before = view.scale
    for _step in range(8):
        turn(view, QPoint(0, 15), QPoint(0, 15))
    assert view.scale / before == pytest.approx(1.15, rel=1e-6)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("pad", "phase"), [(PAD, NO_PHASE), (PAD, UPDATE), (MOUSE, BEGIN), (MOUSE, UPDATE), (MOUSE, MOMENTUM)]
)
@pytest.mark.parametrize("pixels", [QPoint(12, -30), QPoint()])
def test_two_fingers_scroll_as_far_as_they_move(
    view: Canvas | Solid, pad: QPointingDevice, phase: Qt.ScrollPhase, pixels: QPoint
) -> None:
    zoom, moved = turn(view, pixels, QPoint(96, -240), pad, phase)
    assert zoom == 1.0 and close_to(moved, QPointF(12, -30))


def test_two_fingers_with_ctrl_zoom(view: Canvas | Solid) -> None:
    zoom, _moved = turn(view, QPoint(0, 30), QPoint(0, 60), PAD, UPDATE, CONTROL)
    assert zoom == pytest.approx(1.15**0.5)


def test_the_end_of_a_gesture_changes_nothing(view: Canvas | Solid) -> None:
    zoom, moved = turn(view, QPoint(), QPoint(), PAD, END)
    assert zoom == 1.0 and moved.isNull()


def test_a_pinch_zooms(view: Canvas | Solid) -> None:
    before = view.scale
    pinch = QNativeGestureEvent(
        Qt.NativeGestureType.ZoomNativeGesture, PAD, 2, PLACE, PLACE, PLACE, 0.25, QPointF()
    )  # fmt: skip
    QApplication.sendEvent(view.target, pinch)
    assert view.scale / before == pytest.approx(1.25)
