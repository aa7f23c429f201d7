"""The cube's pieces as bodies in space: put together or as they are printed, with colours, letters and ways out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtGui import QColor

from studio.geometry.curves.strokes import Floats
from studio.geometry.solids.solid import Solid
from studio.puzzles.cube.geometry import ORDER, CubeShapes, Form, pose
from studio.puzzles.cube.model import Grid
from studio.puzzles.cube.shell import LETTERS, NOBODY
from studio.puzzles.cube.ways import Pose, Way
from studio.ui.solid.scene import Label, SceneBody

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
    """Bodies that are assembled as the box is, in one of its ways; each explodes the way it came in.

    Those that stay where they are are the same values, so that nothing of them is brought to a graphics card again.
    """
    outwards = {step.piece: np.array(step.way, float) for step in way.steps}
    placed = []
    for piece, (body, moved) in enumerate(zip(bodies, way.poses, strict=True)):
        there = body if moved.is_still else _turned(body, moved, shapes, piece)
        out = outwards.get(piece)
        placed.append(there if out is None or (out == there.way).all() else replace(there, way=out))
    return tuple(placed)


def _turned(body: SceneBody, moved: Pose, shapes: CubeShapes, face: int) -> SceneBody:
    """A body in another place of the box; the layer of voxels that it is in goes onto another one."""
    size, grid = shapes.design.parameters.size, Form.drawn(shapes.design.parameters)
    turn = np.array(moved.turn, float)
    layer = np.array([[0, 0, 0], size], float)
    axis = face // 2
    layer[:, axis] = (size[axis] - 1, size[axis]) if face % 2 else (0, 1)
    # Voxels go from middle to middle.
    there = layer @ turn.T + (moved.shift + 0.5 - turn @ np.full(3, 0.5))
    shift = grid.in_mm(there.min(axis=0)[None], size)[0] - (grid.in_mm(layer, size) @ turn.T).min(axis=0)
    ends = body.cells @ turn.T + shift
    labels = []
    for label in body.labels:
        facing = turn @ label.facing
        upright = np.array([0.0, 1.0, 0.0]) if abs(facing[2]) > 0.5 else np.array([0.0, 0.0, 1.0])
        half = float(np.linalg.norm(label.up))
        labels.append(Label(turn @ label.middle + shift, np.cross(upright, facing) * half, upright * half))
    return replace(
        body, mesh=body.mesh.moved(turn, shift), cells=np.sort(ends, axis=1), way=turn @ body.way, labels=tuple(labels)
    )  # fmt: skip


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
    way = -turn[:, 2]
    return SceneBody(
        solid.name, LETTERS[face], QColor(solid.colour), solid.mesh, cells, way,
        _labels(shapes, face, turn, shift, grid, parameters.gap),
    )  # fmt: skip


def _labels(shapes: CubeShapes, face: int, turn: Floats, shift: Floats, grid: Grid, gap: float) -> tuple[Label, ...]:
    """The letter outside, and inside where nothing is engraved, in the middle of the core, upright from the front."""
    core = np.argwhere(shapes.partition.shell.layouts[face] == NOBODY)
    unit, shape = grid.unit, shapes.masks[face].shape
    middle = grid.in_mm((core.min(axis=0) + core.max(axis=0) + 1)[None] / 2, shape)[0]
    if shapes.design.parameters.style == "voxel" and grid.is_even:
        # Between rounded voxels there is a groove, so the letter is on one of them.
        middle = (np.floor(middle / unit) + 0.5) * unit
    labels = []
    engraved = shapes.engravings[face] is not None
    for height, outwards in ((gap / 2 - LIFT * unit, -1.0), (grid.thick - gap / 2 + LIFT * unit, 1.0)):
        if engraved and outwards > 0:
            continue
        place = turn @ np.array([*middle, height]) + shift
        facing = outwards * turn[:, 2]
        upright = np.array([0.0, 1.0, 0.0]) if abs(facing[2]) > 0.5 else np.array([0.0, 0.0, 1.0])
        half = LETTER_SHARE * unit / 2
        labels.append(Label(place, np.cross(upright, facing) * half, upright * half))
    return tuple(labels)
