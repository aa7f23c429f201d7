"""The inspector: what is known of the selected piece, and what can be done with it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette, QPixmap
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from studio.geometry.solid import COLOURS
from studio.puzzles.cube.geometry import CubeShapes
from studio.puzzles.cube.shell import FACES, captured, symmetries
from studio.ui.kinds.cube.selection import CubeSelection, title_of
from studio.ui.theme import GAP, MARGIN, heading_font, hint_font

CHIP = 14
HINT_NONE = (
    "Click a piece to select it. Drag to turn the box, with the middle button or Space to move it, and turn the wheel "
    "to come nearer. The keys 1 to 6 show the six sides, 7 all three dimensions."
)
HINT_ONE = (
    "Click a neighbour's voxel on an edge or a corner to give it to this piece. "
    "H hides the piece, I shows it alone, D makes glass of the others, A shows all."
)


class CubeInspector(QWidget):
    """One page for all; without a selection it speaks of the whole."""

    def __init__(self, selection: CubeSelection) -> None:
        super().__init__()
        self._selection = selection
        self._shapes: CubeShapes | None = None
        self._chip, self._title, self._hint = QLabel(), QLabel(), QLabel()
        self._title.setFont(heading_font(self._title.font()))
        self._chip.setFixedSize(CHIP, CHIP)
        self._hint.setFont(hint_font(self._hint.font()))
        self._hint.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self._hint.setWordWrap(True)
        self._form = QFormLayout()
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setHorizontalSpacing(2 * GAP)
        self._form.setVerticalSpacing(GAP // 2)
        self._values = {name: QLabel() for name in ("Voxels", "Volume", "Size", "By hand", "In its place", "Symmetry")}
        for name, label in self._values.items():
            label.setWordWrap(True)
            self._form.addRow(name, label)
        self._lay_out()
        selection.changed.connect(self.follow)
        self.follow()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(GAP)
        head.addWidget(self._chip)
        head.addWidget(self._title, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        column.setSpacing(MARGIN)
        column.addLayout(head)
        column.addLayout(self._form)
        column.addWidget(self._hint)
        column.addStretch(1)
        self._hint.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)

    def show_shapes(self, shapes: CubeShapes) -> None:
        """Speak of other shapes."""
        self._shapes = shapes
        self.follow()

    def follow(self) -> None:
        """Speak of what is selected now."""
        piece, shapes = self._selection.piece, self._shapes
        one = piece is not None
        self._chip.setVisible(one)
        for name in ("In its place", "Symmetry"):
            self._form.setRowVisible(self._values[name], one)
        self._hint.setText(HINT_ONE if one else HINT_NONE)
        self._title.setText(f"Piece {title_of(piece)}" if piece is not None else "The whole box")
        if piece is not None:
            chip = QPixmap(CHIP, CHIP)
            chip.fill(COLOURS[piece])
            self._chip.setPixmap(chip)
        if shapes is not None:
            for name, words in facts(shapes, piece).items():
                self._values[name].setText(words)


def facts(shapes: CubeShapes, piece: int | None) -> dict[str, str]:
    """What is known of a piece, or of all six together, in words."""
    faces = range(6) if piece is None else [piece]
    size, unit = shapes.design.parameters.size, shapes.design.parameters.unit
    volume = sum(shapes.meshes[face].volume for face in faces) / 1000
    if piece is None:
        lengths = [side * unit for side in size]
        found = len(shapes.design.voxels)
    else:
        low, high = shapes.meshes[piece].bounds
        lengths = (high - low).tolist()
        found = sum(edit.face == FACES[piece] for edit in shapes.design.voxels)
    known = {
        "Voxels": str(sum(int(shapes.masks[face].sum()) for face in faces)),
        "Volume": f"{volume:.2f} cm³",
        "Size": " × ".join(f"{length:.1f}" for length in lengths) + " mm",
        "By hand": f"{found} voxel{'' if found == 1 else 's'}",
    }
    if piece is not None:
        ways = symmetries(shapes.masks[piece])
        known["In its place"] = "held on all sides" if captured(shapes.masks[piece]) else "slides out sideways"
        known["Symmetry"] = "none" if ways == 1 else f"{ways} of 8 ways alike"
    return known
