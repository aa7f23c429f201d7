"""The tool on the board of a zigzaw: selects faces of cubes and recolours them."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainterPath, QPen

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.puzzles.zigzaw.edits import Face, next_paint, recoloured
from studio.puzzles.zigzaw.lattice import FACES
from studio.puzzles.zigzaw.model import BACK, ZigzawDesign
from studio.ui.canvas.canvas import Canvas
from studio.ui.canvas.layers import PathItem, cosmetic
from studio.ui.canvas.marks import HIGHLIGHT_Z
from studio.ui.canvas.paths import polygon
from studio.ui.canvas.tool import Pointer, Tool
from studio.ui.kinds.zigzaw.selection import FaceSelection
from studio.ui.session.document import Document
from studio.ui.widgets.theme import Theme

STEPPED = {
    Qt.Key.Key_Left: ("W", "W"), Qt.Key.Key_Right: ("E", "E"), Qt.Key.Key_Up: ("NW", "NE"),
    Qt.Key.Key_Down: ("SW", "SE"),
}  # fmt: skip
"""Where an arrow key leads from a cube of an even row, and of an odd one, so that it stays in its column."""
MIRRORED = {Qt.Key.Key_Left: Qt.Key.Key_Right, Qt.Key.Key_Right: Qt.Key.Key_Left}


class ZigzawTool(Tool):
    """Selects faces by clicks and arrows; digits with Alt and a double click recolour them."""

    refused = Signal(str)

    def __init__(self, document: Document, canvas: Canvas, selection: FaceSelection) -> None:
        super().__init__(canvas)
        self._document, self._selection = document, selection
        self._hovered, self._chosen = PathItem(HIGHLIGHT_Z - 0.5), PathItem(HIGHLIGHT_Z)
        for item in (self._hovered, self._chosen):
            canvas.scene.addItem(item)
        selection.changed.connect(self.show_selection)
        document.replaced.connect(lambda: selection.select())

    def show_selection(self) -> None:
        """Draw what is selected."""
        self._chosen.show_path(self._path(self._selection.faces), _thick)

    def _path(self, faces: Iterable[Face]) -> QPainterPath:
        path = QPainterPath()
        for cube, face in faces:
            path.addPolygon(polygon(self._selection.shapes.face_outline(cube, face)))
            path.closeSubpath()
        return path

    def hovered(self, pointer: Pointer) -> Qt.CursorShape:
        """Show the face that a click would take."""
        face = self._selection.shapes.face_at(pointer.x, pointer.y)
        self._hovered.show_path(self._path([] if face is None else [face]), _thin)
        return Qt.CursorShape.ArrowCursor if face is None else Qt.CursorShape.PointingHandCursor

    def left(self) -> None:
        """Nothing is under the mouse any more."""
        self._hovered.show_path(QPainterPath(), _thin)

    def pressed(self, pointer: Pointer) -> None:
        """Select the face under the mouse; with Shift or Ctrl beside the others."""
        face = self._selection.shapes.face_at(pointer.x, pointer.y)
        if face is not None and (pointer.shift or pointer.control):
            self._selection.toggle(face)
        else:
            self._selection.select([] if face is None else [face])

    def menu_asked(self, pointer: Pointer) -> None:
        """Select what the menu will be about."""
        face = self._selection.shapes.face_at(pointer.x, pointer.y)
        if face is not None and face not in self._selection.faces:
            self._selection.select([face])
        super().menu_asked(pointer)

    def double_clicked(self, pointer: Pointer) -> None:
        """Give the face under the mouse the next colour."""
        face = self._selection.shapes.face_at(pointer.x, pointer.y)
        if face is not None:
            self._selection.select([face])
            self.next_colour()

    def next_colour(self) -> None:
        """Give what is selected the next colour of the first of them."""
        faces = self._sorted()
        if faces:
            self.recolour(next_paint(self._selection.shapes.design, faces[0]))

    def recolour(self, paint: int) -> None:
        """Give what is selected one colour."""
        design: ZigzawDesign = self._document.design
        faces = self._sorted()
        if not faces or paint >= len(design.palette):
            return
        try:
            other = recoloured(design, faces, paint)
        except StudioError as problem:
            self.refused.emit(str(problem))
        else:
            self._document.edit(
                tr("Colour {faces} {colour}", faces=self._selection.title, colour=design.palette[paint].name.lower()),
                other,
            )

    def _sorted(self) -> list[Face]:
        return sorted(self._selection.faces, key=lambda face: (face[0], FACES.index(face[1])))

    def key_pressed(self, event: QKeyEvent) -> bool:
        """Alt with a digit recolours; arrows go to the next cube, with Alt to the next face."""
        key, alt = Qt.Key(event.key()), bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        if alt and Qt.Key.Key_1 <= key <= Qt.Key.Key_9 and self._selection.faces:
            self.recolour(key - Qt.Key.Key_1)
            return True
        if key not in STEPPED:
            return False
        faces = self._sorted()
        cube, face = faces[0] if faces else (next(iter(self._selection.shapes.design.triples)), "T")
        if alt:
            by = -1 if key in (Qt.Key.Key_Left, Qt.Key.Key_Up) else 1
            face = FACES[(FACES.index(face) + by) % len(FACES)]
        elif faces:
            if self._selection.shapes.design.parameters.side == BACK:
                key = MIRRORED.get(key, key)
            cube = cube.beside(STEPPED[key][cube.row % 2])
        if cube in self._selection.shapes.design.triples:
            self._selection.select([(cube, face)])
        return True

    def cancelled(self) -> bool:
        """Escape: select nothing."""
        had = bool(self._selection.faces)
        self._selection.select()
        return had


def _thick(theme: Theme) -> QPen:
    return cosmetic(theme.accent, 3.0)


def _thin(theme: Theme) -> QPen:
    return cosmetic(theme.accent, 1.5)
