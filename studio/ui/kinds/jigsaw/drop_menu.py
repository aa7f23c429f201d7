"""A drawing that was dropped on a jigsaw can be a piece, the board's outline or a picture: a menu asks which."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu

from studio.base.texts import tr

if TYPE_CHECKING:
    from studio.ui.kinds.jigsaw.extension import JigsawExtension


def ask_for_use(extension: JigsawExtension, path: Path, place: QPoint) -> QMenu:
    """Show a menu at a place on the screen; a figure goes as near to it as it fits. No choice changes nothing."""
    view = extension.session.canvas.view
    menu = QMenu(view)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.addAction(tr("Add as &figure"), lambda: extension.figuring.read(path, _on_board(extension, place)))
    menu.addAction(tr("Use as &outline"), lambda: extension.outlining.read(path))
    if path.suffix.lower() == ".svg":
        menu.addAction(tr("Use as &picture"), lambda: extension.picturing.read(path))
    menu.popup(place)
    return menu


def _on_board(extension: JigsawExtension, place: QPoint) -> tuple[float, float] | None:
    """A place on the screen in mm of the board; None where it is beside it."""
    view, drawing = extension.session.canvas.view, extension.selection.shapes.drawing
    at = view.mapToScene(view.viewport().mapFromGlobal(place))
    return (at.x(), at.y()) if 0 <= at.x() <= drawing.width and 0 <= at.y() <= drawing.height else None
