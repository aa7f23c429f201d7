"""Zooming by a mouse wheel, distinguished from scrolling by two fingers on a touchpad."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QInputDevice, QNativeGestureEvent, QWheelEvent

ZOOM_STEP = 1.15
"""Factor of one notch of the wheel."""
NOTCH = 120


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
