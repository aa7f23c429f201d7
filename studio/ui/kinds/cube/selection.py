"""The selection of a cube's piece and edges: their inspector, the table of edges, and commands for the selected."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QCheckBox

from studio.base.amounts import extent, listed, many
from studio.base.texts import tr
from studio.geometry.art.artwork import COLOURS
from studio.puzzles.cube.edits import with_edges_locked, with_edges_reset, with_edges_rolled
from studio.puzzles.cube.geometry import TITLES, CubeShapes
from studio.puzzles.cube.model import SMALLEST, CubeDesign, Grid
from studio.puzzles.cube.shell import FACES, LETTERS, NOBODY, captured, shell, symmetries
from studio.ui.panels.inspector_pages import FactsPage, FactsPanel
from studio.ui.session.actions import Command
from studio.ui.session.extension import Extension
from studio.ui.solid.overlay import Badge, Chosen
from studio.ui.solid.scene import BodyLook
from studio.ui.widgets.controls import push_button, tick
from studio.ui.widgets.layout import row
from studio.ui.widgets.tables import CellLook, Column, TiedTable

EDGES = range(12)
STAYS = tr("Locked edges keep their voxels. Press L to unlock them first.")
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


def title_of(face: int) -> str:
    """A piece's letter and name: `C, front`."""
    return f"{LETTERS[face]}, {TITLES[face].lower()}"


def name_of_edge(edge: int) -> str:
    """An edge's name: `front-bottom`."""
    return shell(SMALLEST, SMALLEST, SMALLEST).edge_names[edge]


def title_of_edges(edges: Collection[int]) -> str:
    """Edges in words: `edge front-bottom` or `3 edges`."""
    return tr("edge {name}", name=name_of_edge(min(edges))) if len(edges) == 1 else many(len(edges), "edge")


class CubeSelection(QObject):
    """At most one selected piece, by the number of its face, and selected edges, by their number in the shell.

    The twelve edges have the same numbers in a box of any size.
    """

    changed = Signal()
    """The selected piece, the selected edges or the shown pieces have changed."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.piece: int | None = None
        self.edges: frozenset[int] = frozenset()
        self.hidden: frozenset[int] = frozenset()
        self.dimmed: frozenset[int] = frozenset()
        self.moves_voxels = False
        """True if a plain click moves voxels; otherwise Shift must be held."""

    @property
    def pieces(self) -> frozenset[int]:
        """The selected piece as a set, for the table."""
        return frozenset() if self.piece is None else frozenset([self.piece])

    def select(self, pieces: Iterable[int] = ()) -> None:
        """Select a piece, the lowest of several, or none; and no edge."""
        piece = min(pieces, default=None)
        if (piece, frozenset()) != (self.piece, self.edges):
            self.piece, self.edges = piece, frozenset()
            self.changed.emit()

    def set_moving(self, moves_voxels: bool) -> None:
        """Have plain clicks move voxels, or select pieces."""
        if moves_voxels != self.moves_voxels:
            self.moves_voxels = moves_voxels
            self.changed.emit()

    def select_edges(self, edges: Iterable[int]) -> None:
        """Select just these edges; the piece stays selected."""
        chosen = frozenset(edges)
        if chosen != self.edges:
            self.edges = chosen
            self.changed.emit()

    def turn_edge(self, edge: int) -> None:
        """Toggle the selection of an edge."""
        self.select_edges(self.edges ^ {edge})

    def hide(self) -> None:
        """Hide and deselect the selected piece."""
        if self.piece is not None:
            self.hidden, self.piece = self.hidden | {self.piece}, None
            self.changed.emit()

    def isolate(self) -> None:
        """Show the selected piece alone."""
        if self.piece is not None:
            self._show(frozenset(range(6)) - {self.piece}, frozenset())

    def dim_others(self) -> None:
        """Toggle all but the selected piece between glass and plain."""
        if self.piece is not None:
            others = frozenset(range(6)) - {self.piece}
            self._show(self.hidden, frozenset() if self.dimmed == others else others)

    def show_all(self) -> None:
        """Show every piece, and none like glass."""
        self._show(frozenset(), frozenset())

    def set_shown(self, piece: int, *, shown: bool) -> None:
        """Show or hide one piece."""
        self._show(self.hidden - {piece} if shown else self.hidden | {piece}, self.dimmed)

    def _show(self, hidden: frozenset[int], dimmed: frozenset[int]) -> None:
        if (hidden, dimmed) != (self.hidden, self.dimmed):
            self.hidden, self.dimmed = hidden, dimmed
            self.changed.emit()

    def looks(self, over: int | None) -> dict[int, BodyLook | None]:
        """Look of each piece while the mouse is `over` a piece or none; None if hidden, plain if not named."""
        looks: dict[int, BodyLook | None] = {}
        for piece in range(6):
            if piece in self.hidden:
                looks[piece] = None
            elif piece == self.piece:
                looks[piece] = BodyLook.SELECTED
            elif piece in self.dimmed:
                looks[piece] = BodyLook.DIMMED
            elif piece == over:
                looks[piece] = BodyLook.HOVERED
        return looks

    @property
    def status_text(self) -> str:
        """The selection and the number of hidden pieces, in words."""
        chosen = [tr("piece {name}", name=title_of(self.piece))] if self.piece is not None else []
        if self.edges:
            chosen.append(title_of_edges(self.edges))
        words = tr("{selection} selected", selection=listed(chosen)) if chosen else tr("Nothing selected")
        parts = [words[0].upper() + words[1:]]
        if self.hidden:
            parts.append(tr("{count} hidden", count=len(self.hidden)))
        if self.moves_voxels:
            parts.append(tr("Click moves voxels") if self.piece is not None else tr("Click a piece to move voxels to"))
        return " · ".join(parts)


@dataclass(frozen=True)
class EdgeFacts:
    """Facts about an edge: a letter for each voxel between its ends, of the piece that owns it, and its edits."""

    letters: str
    rolls: int
    locked: bool
    edited: int


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
        columns: list[Column[int]] = [
            Column(tr("Edge"), name_of_edge, help=tr("The two faces that meet at the edge.")),
            Column(tr("Voxels"), lambda edge: str(len(self._known(edge).letters)), CellLook.NUMBER),
            Column(tr("Pieces"), lambda edge: " ".join(self._known(edge).letters),
                   help=tr("Pieces its voxels belong to, from one end to the other.")),
            Column(tr("Randomised"), lambda edge: str(self._known(edge).rolls), CellLook.NUMBER,
                   help=tr("Number of times the edge was randomised.")),
            Column(tr("Locked"), lambda edge: self._known(edge).locked, CellLook.TICK, self._lock_one,
                   tr("Locked edges keep their voxels when the seed changes.")),
            Column(tr("Edited"), lambda edge: many(self._known(edge).edited, "voxel"),
                   help=tr("Number of voxels you moved to another piece.")),
        ]  # fmt: skip
        self.table = TiedTable(tr("Edges"), columns, lambda: selection.edges, selection.select_edges, selection.changed)

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

    def _known(self, edge: int) -> EdgeFacts:
        shapes, name = self._extension.shapes, name_of_edge(edge)
        owners = shapes.partition.owners[shapes.partition.shell.edge_of == edge].tolist()
        edit = shapes.design.edge(name)
        given = sum(voxel.name.partition("/")[0] == name for voxel in shapes.design.voxels)
        return EdgeFacts("".join(LETTERS[face] for face in owners), edit.rolls, edit.locked_seed is not None, given)

    def _lock_one(self, edge: int, locked: bool) -> None:
        name = name_of_edge(edge)
        title = tr("Lock edge {name}", name=name) if locked else tr("Unlock edge {name}", name=name)
        self._extension.edit(title, with_edges_locked, [name], locked)


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
            tick(self.locked, sum(each.locked for each in known), len(known))
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
