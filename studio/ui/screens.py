"""Sizes of windows and dialogs, bounded by the screen that they are on."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize
from PySide6.QtWidgets import QWidget

FRAME = QSize(8, 36)
"""Pixels that a desktop's frame and title bar add to a window that is not shown yet."""


def room_on_screen(window: QWidget) -> QRect:
    """Where a window may be, its frame left out: the screen without task bars and panels."""
    free = window.screen().availableGeometry()
    return free.adjusted(FRAME.width() // 2, FRAME.height() - FRAME.width() // 2, -FRAME.width() // 2,
                         -FRAME.width() // 2)  # fmt: skip


def resize_on_screen(window: QWidget, size: QSize) -> None:
    """Give a window a size, or as much of it as its screen has room for."""
    window.resize(size.boundedTo(room_on_screen(window).size()))


def bring_on_screen(window: QWidget) -> None:
    """Make a window that was restored from another screen fit this one, and move all of it into sight."""
    if window.isMaximized() or window.isFullScreen():
        return
    room, now = room_on_screen(window), window.geometry()
    if room.contains(now):
        return
    size = now.size().boundedTo(room.size())
    left = min(max(now.left(), room.left()), room.right() + 1 - size.width())
    top = min(max(now.top(), room.top()), room.bottom() + 1 - size.height())
    window.setGeometry(QRect(left, top, size.width(), size.height()))
