"""A tool turns what the mouse and the keys do on the canvas into designs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QKeyEvent


@dataclass(frozen=True)
class Pointer:
    """Where the mouse is: on the board in mm, on the screen, with which keys held; `pixel` is one pixel in mm."""

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


class Tool(Protocol):
    """What a canvas asks of the tool in hand; every method may assume that shapes are shown."""

    def hovered(self, pointer: Pointer) -> Qt.CursorShape:
        """Show what a click would take; returns the cursor that says what a drag would do."""

    def pressed(self, pointer: Pointer) -> None:
        """The left button went down."""

    def dragged(self, pointer: Pointer) -> None:
        """The mouse moved with the left button down."""

    def released(self, pointer: Pointer) -> None:
        """The left button went up."""

    def double_clicked(self, pointer: Pointer) -> None:
        """The left button went down for the second time."""

    def menu_asked(self, pointer: Pointer) -> None:
        """The context menu is wanted."""

    def key_pressed(self, event: QKeyEvent) -> bool:
        """Returns whether the key was meant for the tool."""

    def left(self) -> None:
        """The mouse left the canvas."""

    def cancelled(self) -> bool:
        """Escape: give up the gesture; returns whether there was one."""
