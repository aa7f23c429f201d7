"""Tools turn mouse and key events on the canvas into designs."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent

ARROWS = {
    Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0),
}  # fmt: skip
"""The arrow keys as steps down and to the right."""


@dataclass(frozen=True)
class Pointer:
    """The mouse: its place on the board in mm and on the screen, and the keys held; `pixel` is one pixel in mm."""

    x: float
    y: float
    screen: QPoint
    pixel: float
    shift: bool
    control: bool

    @property
    def place(self) -> QPointF:
        """The place on the board."""
        return QPointF(self.x, self.y)


class Tool(QObject):
    """A tool that does nothing; the canvas still pans and zooms."""

    takes_double_clicks = True
    """True if a double click is more than two clicks."""
    menu_wanted = Signal(object)
    """Brings the place of the screen, a QPoint."""

    def hovered(self, pointer: Pointer) -> Qt.CursorShape:
        """Highlight the target of a click; returns the cursor for a drag."""
        return Qt.CursorShape.ArrowCursor

    def pressed(self, pointer: Pointer) -> None:
        """The left button went down."""

    def dragged(self, pointer: Pointer) -> None:
        """The mouse moved with the left button down."""

    def released(self, pointer: Pointer) -> None:
        """The left button went up."""

    def double_clicked(self, pointer: Pointer) -> None:
        """The left button went down for the second time."""

    def menu_asked(self, pointer: Pointer) -> None:
        """Ask for the context menu; by default, the window's."""
        self.menu_wanted.emit(pointer.screen)

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
