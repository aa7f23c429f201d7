"""A row of widgets that goes on in the next line where its room is too narrow."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QMargins, QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class Flow(QLayout):
    """Widgets from left to right, `across` pixels apart, in lines `down` pixels apart."""

    def __init__(self, widgets: Iterable[QWidget], across: int, down: int, margins: QMargins) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._across, self._down = across, down
        self.setContentsMargins(margins)
        for widget in widgets:
            self.addWidget(widget)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        """How many widgets there are."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._placed(QRect(0, 0, width, 0), moves=False)

    def setGeometry(self, room: QRect) -> None:
        super().setGeometry(room)
        self._placed(room, moves=True)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        """The room of the widest widget."""
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size.grownBy(self.contentsMargins())

    def _placed(self, room: QRect, *, moves: bool) -> int:
        """The height that is needed; the widgets are moved there if asked."""
        inner = room.marginsRemoved(self.contentsMargins())
        place, tallest = inner.topLeft(), 0
        for item in self._items:
            size = item.sizeHint()
            if tallest and place.x() + size.width() > inner.right() + 1:
                place, tallest = QPoint(inner.left(), place.y() + tallest + self._down), 0
            if moves:
                item.setGeometry(QRect(place, size))
            place += QPoint(size.width() + self._across, 0)
            tallest = max(tallest, size.height())
        return place.y() + tallest - room.top() + self.contentsMargins().bottom()
