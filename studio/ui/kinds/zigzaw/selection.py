"""The faces that are selected on the board of a zigzaw, by cube and face."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal

from studio.base.amounts import many
from studio.base.texts import tr
from studio.puzzles.zigzaw.bodies import FACE_TITLES
from studio.puzzles.zigzaw.geometry import ZigzawShapes
from studio.puzzles.zigzaw.model import Face, cube_name


class FaceSelection(QObject):
    """Faces of the shapes in sight; canvas and inspector share it."""

    changed = Signal()

    def __init__(self, shapes: ZigzawShapes, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.shapes = shapes
        self.faces: frozenset[Face] = frozenset()

    def show_shapes(self, shapes: ZigzawShapes) -> None:
        """Bring other shapes in sight; faces that they have stay selected."""
        self.shapes = shapes
        self.select(face for face in self.faces if face[0] in shapes.design.triples)

    def select(self, faces: Iterable[Face] = ()) -> None:
        """Select just these."""
        chosen = frozenset(faces)
        if chosen != self.faces:
            self.faces = chosen
            self.changed.emit()

    def toggle(self, face: Face) -> None:
        """Select a face too, or no longer."""
        self.select(self.faces ^ {face})

    @property
    def title(self) -> str:
        """What is selected, as a title."""
        if len(self.faces) == 1:
            ((cube, face),) = self.faces
            return f"{cube_name(self.shapes.design.parameters, cube)}, {FACE_TITLES[face]}"
        return many(len(self.faces), "face")

    @property
    def words(self) -> str:
        """What is selected, for the status bar."""
        return tr("{selection} selected", selection=self.title) if self.faces else tr("Nothing selected")
