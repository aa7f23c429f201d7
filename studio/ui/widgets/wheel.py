"""A turn of the mouse wheel, which zooms, told from two fingers on a touchpad, which scroll."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QInputDevice, QNativeGestureEvent, QWheelEvent

ZOOM_STEP = 1.15
"""Factor of one notch of the wheel."""
NOTCH = 120


class Turn(NamedTuple):
    """What a wheel event asks a view for."""

    zoom: float
    """Factor, about the place of the mouse."""
    pan: QPointF
    """Pixels by which the picture moves right and down."""


def notches(event: QWheelEvent) -> float:
    """Notches of the wheel away from the maker, in fractions where the wheel has finer steps."""
    delta = event.angleDelta()
    # With Shift some systems turn the wheel into a sideways one.
    return (delta.y() or delta.x()) / NOTCH


def turn_of(event: QWheelEvent) -> Turn:
    """Zoom for a wheel, pan for a touchpad; with Ctrl a touchpad zooms, too."""
    if _is_touchpad(event) and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
        pixels = event.pixelDelta()
        # Some systems report two fingers in eighths of a degree only, as if they turned a wheel.
        return Turn(1.0, QPointF(event.angleDelta()) / 8 if pixels.isNull() else QPointF(pixels))
    return Turn(ZOOM_STEP ** (event.angleDelta().y() / NOTCH), QPointF())


def pinch_of(event: QNativeGestureEvent) -> float | None:
    """Factor by which two fingers zoom; None for any other gesture."""
    return 1.0 + event.value() if event.gestureType() is Qt.NativeGestureType.ZoomNativeGesture else None


def _is_touchpad(event: QWheelEvent) -> bool:
    """Ask device and phase: pixels come from mice as well, from libinput's X driver 1.2 on with every notch."""
    device = event.device()
    is_pad = device is not None and device.type() is QInputDevice.DeviceType.TouchPad
    return is_pad or event.phase() is not Qt.ScrollPhase.NoScrollPhase
