"""The cube's views, table, inspector and actions, put together for one window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor

from studio.base.progress import Progress
from studio.base.texts import tr
from studio.checks.finding import Finding
from studio.fabricate.gaps_and_plates import gaps_to_choose
from studio.geometry.art.artwork import COLOURS
from studio.geometry.curves.strokes import Floats
from studio.geometry.solids.projections import SIDES, Camera
from studio.geometry.solids.solid import Solid
from studio.puzzles.cube.assembly_steps import Pose, Way, Ways, own_way, ways_of
from studio.puzzles.cube.edits import with_voxel, with_voxel_turned, with_voxels_reset
from studio.puzzles.cube.geometry import ORDER, TITLES, CubeShapes, Form, pose
from studio.puzzles.cube.model import CubeDesign
from studio.puzzles.cube.partition import partitioned
from studio.puzzles.cube.shell import FACES, LETTERS, NOBODY
from studio.ui.kinds.cube.net import NetPanel
from studio.ui.kinds.cube.selection import EDGES, CubeEdges, CubeInspector, CubeSelection, facts, name_of_edge
from studio.ui.session.actions import Command, within
from studio.ui.session.derived import Derived
from studio.ui.session.extension import Extension, View
from studio.ui.session.jobs import Throttle
from studio.ui.session.session import Session
from studio.ui.solid.overlay import Mark
from studio.ui.solid.page import bed_for, chosen_printer
from studio.ui.solid.panel import SolidPanel
from studio.ui.solid.scene import Label, SceneBody
from studio.ui.widgets.tables import CellLook, Column, TiedTable

LETTER_SHARE = 0.62
"""The size of a letter in units."""
LIFT = 0.003
"""Height of a letter above its surface in units: too small to see, enough for the depth buffer."""


def assembled(shapes: CubeShapes) -> tuple[SceneBody, ...]:
    """The pieces in their places."""
    size, grid = shapes.design.parameters.size, Form.drawn(shapes.design.parameters)
    poses = [pose(face, size, grid) for face in range(6)]
    return tuple(_part(shapes, face, shapes.assembled[face], *poses[face]) for face in range(6))


def in_way(bodies: Sequence[SceneBody], way: Way, shapes: CubeShapes) -> tuple[SceneBody, ...]:
    """Bodies assembled in one of the ways of the box; each explodes the way it came in.

    Bodies that keep their places are the same values, so that they are not uploaded to a graphics card again.
    """
    outwards = {step.piece: np.array(step.way, float) for step in way.steps}
    placed = []
    for piece, (body, moved) in enumerate(zip(bodies, way.poses, strict=True)):
        there = body if moved.is_still else _turned(body, moved, shapes, piece)
        out = outwards.get(piece)
        placed.append(there if out is None or (out == there.way).all() else replace(there, way=out))
    return tuple(placed)


def _turned(body: SceneBody, moved: Pose, shapes: CubeShapes, face: int) -> SceneBody:
    """A body in another place of the box; its layer of voxels goes onto another layer."""
    size, grid = shapes.design.parameters.size, Form.drawn(shapes.design.parameters)
    turn = np.array(moved.turn, float)
    layer = np.array([[0, 0, 0], size], float)
    axis = face // 2
    layer[:, axis] = (size[axis] - 1, size[axis]) if face % 2 else (0, 1)
    # Voxels go from middle to middle.
    there = layer @ turn.T + (moved.shift + 0.5 - turn @ np.full(3, 0.5))
    shift = grid.in_mm(there.min(axis=0)[None], size)[0] - (grid.in_mm(layer, size) @ turn.T).min(axis=0)
    labels = tuple(
        _label(turn @ one.middle + shift, turn @ one.facing, float(np.linalg.norm(one.up))) for one in body.labels
    )
    cells = np.sort(body.cells @ turn.T + shift, axis=1)
    return replace(body, mesh=body.mesh.moved(turn, shift), cells=cells, way=turn @ body.way, labels=labels)


def _label(middle: Floats, facing: Floats, half: float) -> Label:
    """A letter of half a size in mm, upright from the front, or from the back edge on a level surface."""
    upright = np.array([0.0, 1.0, 0.0]) if abs(facing[2]) > 0.5 else np.array([0.0, 0.0, 1.0])
    return Label(middle, np.cross(upright, facing) * half, upright * half)


def on_bed(shapes: CubeShapes) -> tuple[SceneBody, ...]:
    """The pieces as they are printed, in the order of their faces."""
    solids = {face: solid for face, solid in zip(ORDER, shapes.bed, strict=True)}
    return tuple(
        _part(shapes, face, solids[face], np.eye(3), solids[face].mesh.bounds[0] - shapes.meshes[face].bounds[0])
        for face in range(6)
    )


def _part(shapes: CubeShapes, face: int, solid: Solid, turn: Floats, shift: Floats) -> SceneBody:
    parameters, grid = shapes.design.parameters, Form.drawn(shapes.design.parameters)
    places, shape = np.argwhere(shapes.masks[face]).astype(float), shapes.masks[face].shape
    flat = [grid.in_mm(places + end, shape) for end in (0.0, 1.0)]
    boxes = [np.column_stack([each, np.full(len(places), z)]) for each, z in zip(flat, (0.0, grid.thick), strict=True)]
    ends = np.stack(boxes, 1) @ turn.T + shift
    cells = np.stack([ends.min(axis=1), ends.max(axis=1)], 1)
    # The letter is outside, and inside if nothing is engraved, in the middle of the core.
    core = np.argwhere(shapes.partition.shell.layouts[face] == NOBODY)
    unit, gap = grid.unit, parameters.gap
    middle = grid.in_mm((core.min(axis=0) + core.max(axis=0) + 1)[None] / 2, shape)[0]
    if parameters.style == "voxel" and grid.is_even:
        # Between rounded voxels there is a groove, so the letter is on one of them.
        middle = (np.floor(middle / unit) + 0.5) * unit
    sides = [(gap / 2 - LIFT * unit, -1.0), (grid.thick - gap / 2 + LIFT * unit, 1.0)]
    labels = tuple(
        _label(turn @ np.array([*middle, height]) + shift, outwards * turn[:, 2], LETTER_SHARE * unit / 2)
        for height, outwards in (sides if shapes.engravings[face] is None else sides[:1])
    )
    return SceneBody(
        solid.name, LETTERS[face], QColor(solid.colour), solid.mesh, cells, -turn[:, 2], labels
    )  # fmt: skip


SOLIDS, WAYS = "solids of the cube", "ways of the cube"
ON_PLATE = Camera(yaw=-90.0, pitch=52.0)


class CubeExtension(Extension[CubeShapes]):
    """All that the window has of the cube."""

    context_menus = ("E&dge", "&Piece")
    mouse = tr(
        "Drag: orbit. Wheel: zoom. Middle-drag or Space+drag: pan. Click selects a piece, Shift+click moves a voxel to "
        "it, Ctrl+click selects edges. On the net, double-click passes a voxel to the next piece; arrow keys go from "
        "voxel to voxel, Enter moves one. Esc deselects."
    )

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._over: int | None = None
        self._on_plate = False
        self._in_space = True
        self._model_camera = Camera()
        self.offers = {"gap": gaps_to_choose}
        self.selection = CubeSelection(self)
        self.edges = CubeEdges(self, self.selection)
        self.panel = SolidPanel((), has_keys=True)
        self.solids = Derived(session.jobs, SOLIDS, _made, parent=self)
        """The shapes of the 3-D view, once their meshes are made."""
        self.ways: Derived[CubeShapes, Ways] = Derived(session.jobs, WAYS, _ways, key=_of_pieces, parent=self)
        """All ways to assemble the pieces."""
        self._number = 0
        self._way: Way | None = None
        self._bodies: tuple[CubeShapes | None, tuple[SceneBody, ...]] = (None, ())
        self.net = NetPanel(self.shapes, self.selection, self._give, self._turn)
        solid, net, flat = self.panel.view, self.net.view, session.canvas.view
        choose_flat = partial(self._see, in_space=False)
        self.views = [
            *(View(name, title, self.panel, partial(self._choose, on_plate=name == "plate"), solid.fit, solid.zoom_by,
                   solid.picture.finish)
              for name, title in (("model", tr("Model")), ("plate", tr("Plate")))),
            View("net", tr("Net"), self.net, choose_flat, net.fit, net.zoom_by),
            View("drawing", tr("Drawing"), session.canvas, choose_flat, flat.fit, flat.zoom_by),
        ]  # fmt: skip
        chosen = self.selection
        self.table = TiedTable(tr("Pieces"), self._columns(), lambda: chosen.pieces, chosen.select, chosen.changed)
        self.tables = [(tr("Pieces"), self.table), (tr("Edges"), self.edges.table)]
        self.page = CubeInspector(self, self.selection, self.edges)
        self.inspector = self.page
        self._read = Throttle(self.selection.changed.emit, self)
        self.solids.changed.connect(self._show_made)
        self.ways.changed.connect(self._follow_ways)
        self.panel.turned.connect(self.turn_way)
        self.commands = self._commands()
        self.selection.changed.connect(self.changed)
        session.pipeline.shapes_changed.connect(self.show_shapes)
        solid.pointed.connect(self._point)
        solid.clicked.connect(self._click)
        solid.menu_wanted.connect(self._show_menu)
        self.net.tool.menu_wanted.connect(self.menu_wanted)
        for refused in (solid.announced, self.table.elements.refused, self.edges.table.elements.refused):
            refused.connect(self.refused)
        self.selection.changed.connect(self._follow)

    def _commands(self) -> list[Command]:
        chosen = self.selection
        sides = [
            Command(f"from_{side}",
                    tr("Isometric") if side == "isometric" else tr("{side} view", side=side.capitalize()), "&View",
                    partial(self.panel.view.look_from, side), (str(number),), on_canvas=True)
            for number, side in enumerate(SIDES, 1)
        ]  # fmt: skip
        in_space = [
            Command("assemble", tr("Play assembly"), "&View", self.panel.player.toggle, ("P",), "play",
                    tr("Play or pause the assembly"), on_canvas=True),
            Command("assemble_on", tr("Next step"), "&View", partial(self.panel.step, 1), ("S",), "step",
                    tr("Play the next step of the assembly"), on_canvas=True),
            Command("assemble_back", tr("Previous step"), "&View", partial(self.panel.step, -1), ("B",), "previous",
                    tr("Go back one step of the assembly"), on_canvas=True),
            Command("next_solution", tr("Next solution"), "&View", partial(self.turn_way, 1), ("N",), "next",
                    tr("Show the next way to assemble the pieces"), on_canvas=True, begins=True,
                    needs=tr("No other solution known")),
            Command("previous_solution", tr("Previous solution"), "&View", partial(self.turn_way, -1), ("Shift+N",),
                    "", tr("Show the previous way to assemble the pieces"), on_canvas=True,
                    needs=tr("No other solution known")),
            Command("section", tr("Section"), "&View", self.panel.cut.toggle, ("X",), "section",
                    tr("Cut the pieces open with a plane, or show them whole"), on_canvas=True, begins=True),
            Command("dimensions", tr("Dimensions"), "&View", self.panel.measure.toggle, ("Shift+D",), "measure",
                    tr("Show or hide the size of the box and of the selected piece"), on_canvas=True),
            *sides,
        ]  # fmt: skip
        return [
            Command("move_voxels", tr("Move voxels"), "&Piece", chosen.set_moving, ("M",), "cells",
                    tr("Click voxels to move them to the selected piece"), is_switch=True, on_canvas=True,
                    strip="edges"),
            Command("hide", tr("Hide piece"), "&Piece", chosen.hide, ("H",), "",
                    tr("Hide the selected piece"), on_canvas=True, begins=True, needs=tr("Select a piece")),
            Command("isolate", tr("Isolate piece"), "&Piece", chosen.isolate, ("I",), "",
                    tr("Show only the selected piece"), on_canvas=True, needs=tr("Select a piece")),
            Command("dim", tr("Fade others"), "&Piece", chosen.dim_others, ("D",), "",
                    tr("Make the other pieces transparent, or opaque again"), on_canvas=True,
                    needs=tr("Select a piece")),
            Command("show_all", tr("Show all"), "&Piece", chosen.show_all, ("A",), "",
                    tr("Show all pieces"), on_canvas=True, needs=tr("All pieces are shown")),
            *within("model", in_space),
            *self.edges.commands(),
            Command("reset", tr("Reset edits"), "&Piece", self._reset, ("Backspace", "Del"), "reset",
                    tr("Reset the edits of the selected piece or edges, or of all pieces"),
                    on_canvas=True, strip="edges", begins=True, needs=tr("No edits to reset")),
        ]  # fmt: skip

    # For the window

    @property
    def status_text(self) -> str:
        """The selection, in words."""
        return self.selection.status_text

    def possible(self) -> dict[str, bool]:
        """A piece must be selected to be hidden; all can be shown if any is hidden."""
        chosen = self.selection
        one = chosen.piece is not None
        edited = self.edges.is_edited if chosen.edges else bool(self._edited())
        shown = {"show_all": bool(chosen.hidden or chosen.dimmed), "reset": edited}
        turnable = dict.fromkeys(("next_solution", "previous_solution"), self._count > 1)
        pieces = dict.fromkeys(("hide", "isolate", "dim"), one)
        return pieces | shown | turnable | self.edges.possible()

    def put_away(self) -> None:
        """Note that the 3-D view is out of sight."""
        self._see(in_space=False)

    def show_shapes(self, shapes: CubeShapes, settled: bool) -> None:
        """Follow the shapes; tables and numbers at a pace that can be read."""
        self.panel.view.mark = None
        before = self.ways.question
        if before is None or _of_pieces(before) != _of_pieces(shapes):
            self._number, self._way = 0, None
        self.ways.ask(shapes, settled=settled)
        self.net.show_shapes(shapes)
        self.edges.table.elements.show_elements(list(EDGES))
        self.solids.ask(None if shapes.seen.is_ready else shapes.seen, settled=settled)
        self._show_bodies(settled=settled)
        self._read.follow(settled=settled)

    def place_of(self, finding: Finding) -> str:
        """Pieces of a finding; its places on the flat drawing do not apply to the model."""
        return ", ".join(TITLES[piece] for piece in finding.pieces) or tr("Whole box")

    def subject_of(self, finding: Finding) -> str:
        """The pieces it is about."""
        return ", ".join(TITLES[piece] for piece in finding.pieces)

    def show_finding(self, finding: Finding) -> None:
        """Select the piece that a finding is about."""
        if finding.pieces:
            self.selection.select(finding.pieces)

    def pause(self) -> None:
        """Pause the assembly."""
        self.panel.player.pause()

    def finish(self) -> None:
        """Wait for all that is shown."""
        self.solids.finish()
        self.ways.finish()

    # The ways of the cube

    @property
    def _count(self) -> int:
        return 1 if self.ways.answer is None else len(self.ways.answer)

    def turn_way(self, by: int) -> None:
        """Show another solution, the first after the last."""
        if self.ways.answer is None or self._count < 2 or self._on_plate:
            return
        self._number = (self._number + by) % self._count
        self._way = self.ways.answer.way(self._number)
        self.panel.view.mark = None
        self._show_bodies(settled=True)
        self._follow_ways()

    def _follow_ways(self) -> None:
        complete = self.ways.answer is None or self.ways.answer.count.complete
        self.panel.show_place(self._number, self._count, complete=complete)
        self.selection.changed.emit()

    # Display

    def _see(self, *, in_space: bool) -> None:
        """Note whether the 3-D view is in sight: only there can pieces be turned or assembled."""
        if in_space != self._in_space:
            self._in_space = in_space
            self.page.show_view(in_space=in_space)
            self.selection.changed.emit()

    def _choose(self, *, on_plate: bool) -> None:
        self._see(in_space=True)
        if on_plate == self._on_plate:
            return
        view = self.panel.view
        if on_plate:
            self._model_camera = view.camera
        self._on_plate = on_plate
        self._show_bodies(settled=True)
        view.look_along(ON_PLATE if on_plate else self._model_camera)
        view.picture.settle()

    def _show_made(self) -> None:
        """Replace the pieces with sharp edges by the finished ones."""
        if self.solids.answer is not None:
            self._show_bodies(settled=True)
            self.selection.changed.emit()

    def _show_bodies(self, *, settled: bool) -> None:
        shapes = self.shapes.seen if self.shapes.seen.is_ready else self.shapes.rough
        if self._on_plate:
            printer = chosen_printer(self.session.preferences.workshop_key("printer"))
            self.panel.show_bodies(on_bed(shapes), bed=bed_for(shapes.bed, printer), settled=settled)
        else:
            # The pieces in the solution in sight, to be assembled in its steps.
            if self._bodies[0] is not shapes:
                self._bodies = shapes, assembled(shapes)
            if self._way is None:
                self._way = own_way(shapes.partition.shell, shapes.masks)
            steps = self._way.steps
            if len(steps) == len(FACES):
                self.panel.set_order(
                    [step.piece for step in steps], [step.instruction(at) for at, step in enumerate(steps)]
                )
            else:
                # Pieces that block each other are only shown apart.
                self.panel.set_order(range(len(FACES)))
            self.panel.show_bodies(in_way(self._bodies[1], self._way, shapes), settled=settled)
        self.panel.view.chosen = self.edges.cells
        self.panel.view.badges = self.edges.badges

    def _follow(self) -> None:
        self.panel.view.show_looks(self.selection.looks(self._over))
        self.panel.view.chosen = self.edges.cells
        self.table.elements.show_elements(list(range(6)))

    def _columns(self) -> list[Column[int]]:
        known = lambda name, piece: facts(self.shapes, piece)[name]  # noqa: E731
        return [
            Column(tr("Letter"), lambda piece: LETTERS[piece]),
            Column(tr("Piece"), lambda piece: FACES[piece]),
            Column(tr("Voxels"), partial(known, tr("Voxels")), CellLook.NUMBER),
            Column(tr("Volume"), partial(known, tr("Volume")), CellLook.NUMBER),
            Column(tr("Shown"), lambda piece: piece not in self.selection.hidden, CellLook.TICK,
                   lambda piece, shown: self.selection.set_shown(piece, shown=shown)),
            Column(tr("Edited"), partial(known, tr("Edited"))),
            Column(tr("Locking"), partial(known, tr("Locking"))),
            Column(tr("Symmetry"), partial(known, tr("Symmetry"))),
        ]  # fmt: skip

    # Mouse

    def _point(self, number: int | None, place: Floats | None) -> None:
        if number != self._over:
            self._over = number
            self.panel.view.show_looks(self.selection.looks(number))
        voxel = self._offered(number, place)
        view, chosen = self.panel.view, self.selection.piece
        moves = self.selection.moves_voxels or view.keys & Qt.KeyboardModifier.ShiftModifier
        if voxel is None or number is None or place is None or chosen is None or not moves:
            edge = self.edges.edge_at(self._voxel(number, place))
            hints = [] if edge is None else [tr("Edge {name}: Ctrl+click to select", name=name_of_edge(edge))]
            if voxel is not None and chosen is not None:
                name = self.shapes.partition.shell.names[voxel]
                hints.append(tr("Shift+click to move {voxel} to {piece}", voxel=name, piece=LETTERS[chosen]))
            view.mark = None
            view.setToolTip("\n".join(hints))
            view.setCursor(Qt.CursorShape.ArrowCursor if number is None else Qt.CursorShape.PointingHandCursor)
            return
        body = view.body(number)
        view.mark = Mark(number, body.cells[body.nearest_cell(place)], QColor(COLOURS[chosen]))
        view.setToolTip(
            tr("Move {voxel} to {piece}", voxel=self.shapes.partition.shell.names[voxel], piece=LETTERS[chosen])
        )
        view.setCursor(Qt.CursorShape.CrossCursor)

    def _click(
        self, number: int | None, place: Floats | None, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
    ) -> None:
        if keys & Qt.KeyboardModifier.ControlModifier:
            edge = self.edges.edge_at(self._voxel(number, place))
            if edge is not None:
                self.selection.turn_edge(edge)
            return
        voxel = self._offered(number, place)
        if voxel is not None and (self.selection.moves_voxels or keys & Qt.KeyboardModifier.ShiftModifier):
            self._give(voxel)
        else:
            self.selection.select(() if number is None else (number,))

    def _show_menu(self, screen: QPoint) -> None:
        """Select the edge under the mouse, or else the piece, and ask for its menu."""
        view = self.panel.view
        number, place = view.at(QPointF(view.mapFromGlobal(screen)))
        edge = self.edges.edge_at(self._voxel(number, place))
        if edge is not None and edge not in self.selection.edges:
            self.selection.select_edges([edge])
        elif edge is None and number is not None:
            self.selection.select((number,))
        self.menu_wanted.emit(screen)

    def _offered(self, number: int | None, place: Floats | None) -> int | None:
        """The open voxel at a place of a piece, if the selected piece is a different one and could have it."""
        chosen = self.selection.piece
        if chosen in (None, number) or self._on_plate or self._number:
            return None
        voxel = self._voxel(number, place)
        return voxel if voxel is not None and chosen in self.shapes.partition.shell.choices(voxel) else None

    def _voxel(self, number: int | None, place: Floats | None) -> int | None:
        """The open voxel at a place of a piece; None for its core and for nothing."""
        if number is None or place is None:
            return None
        i, j = np.argwhere(self.shapes.masks[number])[self.panel.view.body(number).nearest_cell(place)]
        voxel = int(self.shapes.partition.shell.layouts[number][i, j])
        return voxel if voxel != NOBODY else None

    def _give(self, voxel: int) -> None:
        """Move a voxel to the selected piece as one undo step, or show the reason why it cannot be moved."""
        name, face = self.shapes.partition.shell.names[voxel], self.selection.piece
        if face is not None:
            self.edit(tr("Move {voxel} to {piece}", voxel=name, piece=LETTERS[face]), with_voxel, name, FACES[face])

    def _turn(self, voxel: int) -> None:
        """Move a voxel to the next piece that can have it, or show the reason why none can."""
        name = self.shapes.partition.shell.names[voxel]

        def words(design: CubeDesign) -> str:
            return tr("Move {voxel} to {piece}", voxel=name, piece=LETTERS[int(partitioned(design).owners[voxel])])

        self.edit(words, with_voxel_turned, name)

    def _edited(self) -> list[str]:
        chosen, design = self.selection.piece, self.session.document.design
        return [edit.name for edit in design.voxels if chosen is None or edit.face == FACES[chosen]]

    def _reset(self) -> None:
        if self.selection.edges:
            self.edges.reset()
        else:
            self.edit(tr("Reset edits"), with_voxels_reset, self._edited())


def _made(shapes: CubeShapes, progress: Progress) -> CubeShapes:
    """Make the meshes of the shapes in a thread, with all that model and panel ask of them."""
    made = shapes.made(progress)
    for mesh in (*made.meshes, *(solid.mesh for solid in made.assembled)):
        mesh.work_out()
    return made


def _ways(shapes: CubeShapes, progress: Progress) -> Ways:
    partition = shapes.partition
    return ways_of(partition.shell, partition.owners, progress, even=shapes.design.parameters.is_even)


def _of_pieces(shapes: CubeShapes) -> tuple[tuple[int, int, int], bytes, bool]:
    return shapes.partition.shell.size, shapes.partition.owners.tobytes(), shapes.design.parameters.is_even


EXTENSION = CubeExtension
