"""The twelve edges of a cube: listed, marked on the model, randomised, locked and reset."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from studio.base.amounts import many
from studio.base.texts import tr
from studio.puzzles.cube.edits import with_edges_locked, with_edges_reset, with_edges_rolled
from studio.puzzles.cube.geometry import CubeShapes
from studio.puzzles.cube.model import CubeDesign
from studio.puzzles.cube.shell import LETTERS, NOBODY
from studio.ui.kinds.cube.selection import CubeSelection, name_of_edge, title_of_edges
from studio.ui.panels.tables import CellLook, Column, TiedTable
from studio.ui.session.commands import Command
from studio.ui.session.extension import Extension
from studio.ui.solid.overlay import Badge, Chosen

EDGES = range(12)
STAYS = tr("Locked edges keep their voxels. Press L to unlock them first.")


@dataclass(frozen=True)
class EdgeFacts:
    """What is known of an edge: the pieces its voxels belong to, and its edits."""

    letters: str
    rolls: int
    locked: bool
    edited: int

    @property
    def voxels(self) -> int:
        """How many it has, without the corners at its ends."""
        return len(self.letters)


def edge_facts(shapes: CubeShapes, edge: int) -> EdgeFacts:
    """What is known of an edge."""
    box, name = shapes.partition.shell, name_of_edge(edge)
    owners = shapes.partition.owners[box.edge_of == edge].tolist()
    edit = shapes.design.edge(name)
    given = sum(voxel.name.partition("/")[0] == name for voxel in shapes.design.voxels)
    return EdgeFacts("".join(LETTERS[face] for face in owners), edit.rolls, edit.locked_seed is not None, given)


def edge_cells(shapes: CubeShapes, edges: Iterable[int]) -> list[Chosen]:
    """The voxels of some edges, each in the piece that has it."""
    box, owners = shapes.partition.shell, shapes.partition.owners
    cells = []
    for voxel in np.flatnonzero(np.isin(box.edge_of, list(edges))).tolist():
        face = int(owners[voxel])
        (place,) = np.flatnonzero(box.layouts[face][shapes.masks[face]] == voxel).tolist()
        cells.append(Chosen(face, place))
    return cells


class CubeEdges:
    """A table of the edges tied to the selection, and what can be done with those that are selected."""

    def __init__(self, extension: Extension[CubeShapes], selection: CubeSelection) -> None:
        self._extension, self._selection = extension, selection
        self.table = TiedTable(
            tr("Edges"), self._columns(), lambda: selection.edges, selection.select_edges, selection.changed
        )

    def commands(self) -> list[Command]:
        """What can be done with the selected edges."""
        return [
            Command("roll", tr("Randomise edge"), "E&dge", self.roll, ("R",), "dice",
                    tr("Randomise the voxels of the selected edges"), on_canvas=True, strip="edges"),
            Command("lock", tr("Lock edge"), "E&dge", self.lock, ("L",), "lock",
                    tr("Lock or unlock the selected edges"), on_canvas=True,
                    strip="edges"),
            Command("reset_edge", tr("Reset edge"), "E&dge", self.reset, (), "",
                    tr("Reset the selected edges to the seed, without locks and edits")),
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
        """Whether any selected edge is edited."""
        design = self._design
        return any(with_edges_reset(design, [name]) != design for name in self._names)

    @property
    def facts(self) -> list[EdgeFacts]:
        """What is known of each selected edge."""
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

    # What is done

    @property
    def _design(self) -> CubeDesign:
        design: CubeDesign = self._extension.session.document.design
        return design

    @property
    def _names(self) -> list[str]:
        return [name_of_edge(edge) for edge in sorted(self._selection.edges)]

    @property
    def are_locked(self) -> bool:
        """Whether all selected edges are locked."""
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
