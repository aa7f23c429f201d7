"""The frame of a tray around the board on the canvas."""

from __future__ import annotations

from PySide6.QtWidgets import QGraphicsScene

from studio.geometry.planar.trays import Tray
from studio.ui.canvas.layers import BOARD_Z
from studio.ui.canvas.paths import PathItem, cut_pen, lined


class TrayLayer:
    """Shows the frame and the fillers under the board, and keeps them in step."""

    def __init__(self, scene: QGraphicsScene) -> None:
        self._wood, self._lines = PathItem(BOARD_Z - 2), PathItem(BOARD_Z - 1)
        self.shown: Tray | None = None
        """The tray in sight."""
        for item in (self._wood, self._lines):
            scene.addItem(item)

    def show(self, tray: Tray | None) -> None:
        """Show another tray, or none."""
        if tray is self.shown:
            return
        self.shown = tray
        for item in (self._wood, self._lines):
            item.setVisible(tray is not None)
        if tray is not None:
            path = lined(tray.seen)
            self._wood.fill_paths([(path, lambda theme: theme.panel)])
            self._lines.show_path(path, cut_pen)
