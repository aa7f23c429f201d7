"""The inspector of a cube: facts and commands for edges, for a piece, or for the whole."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QCheckBox

from studio.base.amounts import extent, many
from studio.base.colours import COLOURS
from studio.base.texts import tr
from studio.puzzles.cube.geometry import CubeShapes
from studio.puzzles.cube.model import Grid
from studio.puzzles.cube.shell import FACES, captured, symmetries
from studio.ui.kinds.cube.selection import CubeEdges, CubeSelection, title_of, title_of_edges
from studio.ui.panels.inspector_pages import FactsPage, FactsPanel
from studio.ui.session.extension import Extension
from studio.ui.widgets.controls import push_button
from studio.ui.widgets.layout import row

HINT_EDGES = tr(
    "R randomises these edges and keeps your options if possible. L locks them against seed changes. "
    "Ctrl+click adds or removes an edge; Esc deselects."
)
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


class CubeInspector(FactsPanel):
    """A page for edges, which go first, one for a piece, and one for the whole cube."""

    def __init__(self, extension: Extension[CubeShapes], selection: CubeSelection, edges: CubeEdges) -> None:
        super().__init__()
        self._extension, self._selection, self._edges = extension, selection, edges
        self.locked = QCheckBox(tr("Locked"))
        self.locked.setToolTip(tr("Locked edges keep their voxels when the seed changes and are never randomised."))
        self.roll = push_button(tr("Randomise"), tr("Randomise the voxels of the selected edges (R)"))
        self.reset = push_button(tr("Reset"), tr("Reset the selected edges to the seed, without locks and edits"))
        self._whole, self._piece = self.add(FactsPage()), self.add(FactsPage(hint=HINT_ONE))
        buttons = row((self.roll, 1), (self.reset, 1))
        self._edge = self.add(FactsPage(self.locked, buttons, hint=HINT_EDGES))
        self.connect_to(roll=edges.roll, locked=edges.lock, reset=edges.reset)
        selection.changed.connect(self.follow)
        self.show_view(in_space=True)

    def show_view(self, *, in_space: bool) -> None:
        """Explain the mouse in the current view."""
        self._whole.hint.setText(f"{HINT_TURN if in_space else HINT_FLAT} {HINT_EDGE}")
        self.follow()

    def describe(self) -> FactsPage:
        """Show the selected edges or piece, or the whole cube."""
        piece, edges, shapes = self._selection.piece, self._selection.edges, self._extension.shapes
        if edges:
            known = self._edges.facts
            pieces = {tr("Pieces"): " ".join(known[0].letters)} if len(known) == 1 else {}
            told = {
                tr("Voxels"): str(sum(len(each.letters) for each in known)),
                **pieces,
                tr("Randomised"): f"{sum(each.rolls for each in known)} ×",
                tr("Edited"): many(sum(each.edited for each in known), "voxel"),
            }
            self._edge.show_facts(title_of_edges(edges), told)
            locked, state = sum(each.locked for each in known), Qt.CheckState
            self.locked.setTristate(0 < locked < len(known))
            some = state.Checked if locked == len(known) else state.PartiallyChecked
            self.locked.setCheckState(some if locked else state.Unchecked)
            self.reset.setEnabled(self._edges.is_edited)
            return self._edge
        if piece is not None:
            title = tr("piece {name}", name=title_of(piece))
            self._piece.show_facts(title, facts(shapes, piece), lambda _theme: QColor(COLOURS[piece]))
            return self._piece
        self._whole.show_facts(tr("the whole box"), facts(shapes, None))
        return self._whole


def facts(shapes: CubeShapes, piece: int | None) -> dict[str, str]:
    """Facts about a piece, or about all six together, in words."""
    faces = range(6) if piece is None else [piece]
    parameters = shapes.design.parameters
    volume = "…"
    if shapes.seen.is_ready:
        volume = f"{sum(shapes.seen.meshes[face].volume for face in faces) / 1000:.2f} cm³"
    if piece is None:
        lengths = (Grid(parameters.unit, parameters.plate).size(parameters.size) - parameters.gap).tolist()
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
