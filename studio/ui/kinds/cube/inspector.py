"""The inspector: what is known of the selected piece, of selected edges or of the whole box, and what can be done."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QLabel

from studio.base.amounts import extent, many
from studio.base.colours import COLOURS
from studio.base.texts import tr
from studio.puzzles.cube.geometry import CubeShapes
from studio.puzzles.cube.grid import Grid
from studio.puzzles.cube.model import CubeDesign
from studio.puzzles.cube.shell import FACES, captured, symmetries
from studio.ui.kinds.cube.edges import CubeEdges
from studio.ui.kinds.cube.pages import EdgePage
from studio.ui.kinds.cube.selection import CubeSelection, title_of, title_of_edges
from studio.ui.panels.grade import GradePage
from studio.ui.session.extension import Extension
from studio.ui.session.grading import Grading
from studio.ui.widgets.controls import heading, hint_label, wrapping
from studio.ui.widgets.layout import REST, SidePanel, column, holding, named, row, scrolled, show_row
from studio.ui.widgets.theme import MARGIN

CHIP = 14
HINT_EDGE = tr("Ctrl+click a voxel on an edge to select the edge, then randomise or lock it.")
HINT_TURN = tr(
    "Click a piece to select it. Drag to orbit, middle-drag or Space+drag to pan, wheel to zoom. "
    "1 to 6 show the faces, 7 the isometric view."
)
HINT_FLAT = tr("Click a piece to select it. Wheel zooms, middle-drag or Space+drag pans.")
HINT_ONE = tr(
    "Shift+click an edge or corner voxel of a neighbour to move it to this piece, or press M and click. "
    "H hides the piece, I isolates it, D fades the others, A shows all."
)


class CubeInspector(SidePanel):
    """One page for all: edges go first, then a piece; without a selection it speaks of the whole."""

    def __init__(
        self, extension: Extension[CubeShapes], selection: CubeSelection, edges: CubeEdges, grading: Grading[CubeDesign]
    ) -> None:
        super().__init__()
        self._extension, self._selection = extension, selection
        self.edge_page, self.grade_page = EdgePage(edges), GradePage(grading)
        self._in_space = True
        self._chip, self._title, self._hint = QLabel(), heading(), hint_label(" ")
        self._chip.setFixedSize(CHIP, CHIP)
        names = (tr("Voxels"), tr("Volume"), tr("Size"), tr("Edited"), tr("Locking"), tr("Symmetry"))
        self._values = {name: wrapping() for name in names}
        self._form = named(self._values)
        self._lay_out()
        selection.changed.connect(self.follow)
        self.follow()

    def _lay_out(self) -> None:
        head, self._facts = row(self._chip, (self._title, 1)), holding(self._form)
        items = (head, self._facts, self.grade_page, self.edge_page, self._hint, REST)
        scrolled(holding(column(*items, gap=MARGIN, margins=MARGIN)), self)
        self._hint.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)

    def show_view(self, *, in_space: bool) -> None:
        """Explain the mouse in the current view."""
        self._in_space = in_space
        self.follow()

    def follow(self) -> None:
        """Show the facts of the selection."""
        piece, edges = self._selection.piece, self._selection.edges
        one = piece is not None
        self._chip.setVisible(one and not edges)
        self._facts.setVisible(not edges)
        self._hint.setVisible(not edges)
        self.edge_page.setVisible(bool(edges))
        self.grade_page.setVisible(not edges and not one)
        for name in (tr("Locking"), tr("Symmetry")):
            show_row(self._form, self._values[name], shown=one)
        whole = f"{HINT_TURN} {HINT_EDGE}" if self._in_space else f"{HINT_FLAT} {HINT_EDGE}"
        self._hint.setText(HINT_ONE if one else whole)
        words = (
            title_of_edges(edges)
            if edges
            else tr("piece {name}", name=title_of(piece))
            if piece is not None
            else tr("the whole box")
        )
        self._title.setText(words[0].upper() + words[1:])
        if piece is not None:
            chip = QPixmap(CHIP, CHIP)
            chip.fill(COLOURS[piece])
            self._chip.setPixmap(chip)
        if edges:
            self.edge_page.follow()
        else:
            for name, words in facts(self._extension.shapes, piece).items():
                self._values[name].setText(words)


def facts(shapes: CubeShapes, piece: int | None) -> dict[str, str]:
    """What is known of a piece, or of all six together, in words."""
    faces = range(6) if piece is None else [piece]
    parameters = shapes.design.parameters
    volume = "…"
    if shapes.seen.is_ready:
        volume = f"{sum(shapes.seen.meshes[face].volume for face in faces) / 1000:.2f} cm³"
    if piece is None:
        lengths = (Grid(parameters.unit, parameters.plate).size(parameters.size) - shapes.gap).tolist()
        found, edges = len(shapes.design.voxels), len(shapes.design.edges)
    else:
        low, high = shapes.rough.meshes[piece].bounds
        lengths = (high - low).tolist()
        found, edges = sum(edit.face == FACES[piece] for edit in shapes.design.voxels), 0
    known = {
        tr("Voxels"): str(sum(int(shapes.masks[face].sum()) for face in faces)),
        tr("Volume"): volume,
        tr("Size"): extent(*lengths),
        tr("Edited"): many(found, "voxel") + (f", {many(edges, 'edge')}" if edges else ""),
    }
    if piece is not None:
        ways = symmetries(shapes.masks[piece])
        known[tr("Locking")] = (
            tr("interlocked: only pulls straight out") if captured(shapes.masks[piece]) else tr("slides sideways")
        )
        known[tr("Symmetry")] = tr("none") if ways == 1 else tr("{ways} of 8 orientations identical", ways=ways)
    return known
