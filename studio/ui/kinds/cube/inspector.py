"""The inspector: facts and commands for the selected piece, selected edges or the whole box."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QCheckBox

from studio.base.amounts import extent, many
from studio.base.colours import COLOURS
from studio.base.texts import tr
from studio.puzzles.cube.edits import with_edges_locked, with_edges_reset, with_edges_rolled
from studio.puzzles.cube.geometry import CubeShapes
from studio.puzzles.cube.model import CubeDesign, Grid
from studio.puzzles.cube.shell import FACES, LETTERS, NOBODY, captured, symmetries
from studio.ui.kinds.cube.selection import CubeSelection, name_of_edge, title_of, title_of_edges
from studio.ui.panels.facts import FactsPage, FactsPanel
from studio.ui.panels.tables import CellLook, Column, TiedTable
from studio.ui.session.commands import Command
from studio.ui.session.extension import Extension
from studio.ui.solid.overlay import Badge, Chosen
from studio.ui.widgets.controls import push_button
from studio.ui.widgets.layout import row

# The twelve edges of a cube: listed, marked on the model, randomised, locked and reset.


EDGES = range(12)
STAYS = tr("Locked edges keep their voxels. Press L to unlock them first.")


@dataclass(frozen=True)
class EdgeFacts:
    """Facts about an edge: the pieces that own its voxels, and its edits."""

    letters: str
    rolls: int
    locked: bool
    edited: int

    @property
    def voxels(self) -> int:
        """Number of voxels, without the corners at its ends."""
        return len(self.letters)


def edge_facts(shapes: CubeShapes, edge: int) -> EdgeFacts:
    """Collect the facts about an edge."""
    box, name = shapes.partition.shell, name_of_edge(edge)
    owners = shapes.partition.owners[box.edge_of == edge].tolist()
    edit = shapes.design.edge(name)
    given = sum(voxel.name.partition("/")[0] == name for voxel in shapes.design.voxels)
    return EdgeFacts("".join(LETTERS[face] for face in owners), edit.rolls, edit.locked_seed is not None, given)


def edge_cells(shapes: CubeShapes, edges: Iterable[int]) -> list[Chosen]:
    """The voxels of some edges, each in its piece."""
    box, owners = shapes.partition.shell, shapes.partition.owners
    cells = []
    for voxel in np.flatnonzero(np.isin(box.edge_of, list(edges))).tolist():
        face = int(owners[voxel])
        (place,) = np.flatnonzero(box.layouts[face][shapes.masks[face]] == voxel).tolist()
        cells.append(Chosen(face, place))
    return cells


class CubeEdges:
    """A table of the edges tied to the selection, and commands for the selected edges."""

    def __init__(self, extension: Extension[CubeShapes], selection: CubeSelection) -> None:
        self._extension, self._selection = extension, selection
        self.table = TiedTable(
            tr("Edges"), self._columns(), lambda: selection.edges, selection.select_edges, selection.changed
        )

    def commands(self) -> list[Command]:
        """Commands for the selected edges."""
        return [
            Command("roll", tr("Randomise edge"), "E&dge", self.roll, ("R",), "dice",
                    tr("Randomise the voxels of the selected edges"), on_canvas=True, strip="edges",
                    needs=tr("Select an edge")),
            Command("lock", tr("Lock edge"), "E&dge", self.lock, ("L",), "lock",
                    tr("Lock or unlock the selected edges"), on_canvas=True,
                    strip="edges", needs=tr("Select an edge")),
            Command("reset_edge", tr("Reset edge"), "E&dge", self.reset, (), "",
                    tr("Reset the selected edges to the seed, without locks and edits"),
                    needs=tr("Select an edited edge")),
            Command("select_all", tr("Select all edges"), "&Edit", self.select_all, ("Ctrl+A",), "select",
                    on_canvas=True, in_context=True),
            Command("select_none", tr("Deselect all"), "&Edit", self._selection.select, ("Ctrl+Shift+A",),
                    on_canvas=True),
        ]  # fmt: skip

    def possible(self) -> dict[str, bool]:
        """An edge must be selected; reset needs an edit."""
        chosen = bool(self._selection.edges)
        return {"roll": chosen, "lock": chosen, "reset_edge": self.is_edited}

    @property
    def is_edited(self) -> bool:
        """True if any selected edge is edited."""
        design = self._design
        return any(with_edges_reset(design, [name]) != design for name in self._names)

    @property
    def facts(self) -> list[EdgeFacts]:
        """Facts about each selected edge."""
        return [self._known(edge) for edge in sorted(self._selection.edges)]

    @property
    def cells(self) -> list[Chosen]:
        """The voxels of the selected edges."""
        return edge_cells(self._extension.shapes, self._selection.edges)

    @property
    def badges(self) -> list[Badge]:
        """A padlock on the middle voxel of each locked edge."""
        shapes = self._extension.shapes
        names = shapes.partition.shell.edge_names
        locked = [names.index(edit.name) for edit in shapes.design.edges if edit.locked_seed is not None]
        rows = [edge_cells(shapes, [edge]) for edge in locked]
        return [Badge(row[len(row) // 2].number, row[len(row) // 2].cell, "lock") for row in rows]

    def edge_at(self, voxel: int | None) -> int | None:
        """The edge of an open voxel; None for a corner or none."""
        if voxel is None:
            return None
        edge = int(self._extension.shapes.partition.shell.edge_of[voxel])
        return edge if edge != NOBODY else None

    # Actions

    @property
    def _design(self) -> CubeDesign:
        design: CubeDesign = self._extension.session.document.design
        return design

    @property
    def _names(self) -> list[str]:
        return [name_of_edge(edge) for edge in sorted(self._selection.edges)]

    @property
    def are_locked(self) -> bool:
        """True if all selected edges are locked."""
        return all(self._design.edge(name).locked_seed is not None for name in self._names)

    def roll(self) -> None:
        """Randomise the selected edges; locked ones stay, with a message if all are."""
        if self._names and self.are_locked:
            self._extension.refused.emit(STAYS)
        else:
            self._edit(tr("Randomise"), with_edges_rolled)

    def lock(self) -> None:
        """Lock the selected edges; if all are locked, unlock them."""
        locked = self.are_locked
        self._edit(tr("Unlock") if locked else tr("Lock"), with_edges_locked, not locked)

    def reset(self) -> None:
        """Reset the selected edges to the seed."""
        self._edit(tr("Reset"), with_edges_reset)

    def select_all(self) -> None:
        """Select all twelve."""
        self._selection.select_edges(EDGES)

    def _edit(self, verb: str, change: Callable[..., CubeDesign], *values: bool) -> None:
        if self._selection.edges:
            self._extension.edit(f"{verb} {title_of_edges(self._selection.edges)}", change, self._names, *values)

    # The table

    def _columns(self) -> list[Column[int]]:
        return [
            Column(tr("Edge"), name_of_edge, help=tr("The two faces that meet at the edge.")),
            Column(tr("Voxels"), lambda edge: str(self._known(edge).voxels), CellLook.NUMBER),
            Column(tr("Pieces"), lambda edge: " ".join(self._known(edge).letters),
                   help=tr("Pieces its voxels belong to, from one end to the other.")),
            Column(tr("Randomised"), lambda edge: str(self._known(edge).rolls), CellLook.NUMBER,
                   help=tr("Number of times the edge was randomised.")),
            Column(tr("Locked"), lambda edge: self._known(edge).locked, CellLook.TICK, self._lock_one,
                   tr("Locked edges keep their voxels when the seed changes.")),
            Column(tr("Edited"), lambda edge: many(self._known(edge).edited, "voxel"),
                   help=tr("Number of voxels you moved to another piece.")),
        ]  # fmt: skip

    def _known(self, edge: int) -> EdgeFacts:
        return edge_facts(self._extension.shapes, edge)

    def _lock_one(self, edge: int, locked: bool) -> None:
        name = name_of_edge(edge)
        title = tr("Lock edge {name}", name=name) if locked else tr("Unlock edge {name}", name=name)
        self._extension.edit(title, with_edges_locked, [name], locked)


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
            self._edge.show_facts(title_of_edges(edges), facts_of_edges(known))
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


def facts_of_edges(known: Sequence[EdgeFacts]) -> dict[str, str]:
    """Facts about some edges together, in words."""
    pieces = {tr("Pieces"): " ".join(known[0].letters)} if len(known) == 1 else {}
    return {
        tr("Voxels"): str(sum(each.voxels for each in known)),
        **pieces,
        tr("Randomised"): f"{sum(each.rolls for each in known)} ×",
        tr("Edited"): many(sum(each.edited for each in known), "voxel"),
    }


def facts(shapes: CubeShapes, piece: int | None) -> dict[str, str]:
    """Facts about a piece, or about all six together, in words."""
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
