"""What of a canvas is painted while something is done with it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint
from PySide6.QtGui import QImage, QPaintEvent
from PySide6.QtWidgets import QApplication, QGraphicsView, QWidget


class Painted(QObject):
    """Notes which part of the canvas is painted."""

    def __init__(self, canvas: QWidget) -> None:
        super().__init__()
        self._target = canvas
        self.parts: list[int] = []
        """Pixels of each part that was painted at once; marks far apart are two rectangles of one part."""
        self._target.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent):
            rectangles = list(event.region())  # type: ignore[call-overload]  # the stubs know no iterator
            self.parts.append(sum(one.width() * one.height() for one in rectangles))
        return False

    @property
    def is_stale(self) -> bool:
        """Whether the canvas looks other than it does once all of it is painted again."""
        shown = self.shown()
        view = self._target.parent()
        assert isinstance(view, QGraphicsView)
        for item in view.scene().items():
            item.update()
        self._target.update()
        return shown != self.shown()

    def shown(self) -> QImage:
        """The canvas as it is on the screen."""
        # A scene passes on what is to be painted in one turn of the event loop, and a view in another.
        for _ in range(4):
            QApplication.processEvents()
        window = self._target.window()
        corner = self._target.mapTo(window, QPoint(0, 0))
        return (
            window.screen().grabWindow(window.winId(), corner.x(), corner.y(), *self._target.size().toTuple()).toImage()
        )

    def largest(self) -> float:
        """The largest part that was painted at once, as a fraction of the canvas; all is forgotten then."""
        whole = self._target.width() * self._target.height()
        largest = max((part / whole for part in self.parts), default=0.0)
        self.parts.clear()
        return largest
