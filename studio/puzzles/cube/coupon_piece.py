"""Joints of a cube: the coupon that tries them, and the thickness of the sheet that fits them.

Every pair is a thin slice with a slot as wide as a voxel, and one with the tooth that goes into it, with the edges of
the cube's pieces. If the cube has snaps, a tooth has a bump and a slot the socket for it. So a coupon takes little of
the plastic and the time of a cube.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from studio.base.amounts import listed
from studio.base.colours import COLOURS
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.art.lettering import Room, fitted, grooves, laid
from studio.geometry.curves.strokes import through
from studio.geometry.planar.drawing import Seam
from studio.geometry.solids.slab import label
from studio.geometry.solids.solid import UPRIGHT, Mesh, Snap, Solid, engraved, plate, with_snaps
from studio.puzzles.abilities.cuttable import Thickness
from studio.puzzles.cube.engravings import depth, pen
from studio.puzzles.cube.geometry import CubeShapes, Form
from studio.puzzles.cube.model import CubeDesign, CubeParameters
from studio.puzzles.cube.shell import Mask

SLOT = np.array([[True, True], [True, False], [True, True]])
TOOTH = np.array([[True, False], [True, True], [True, False]])
"""Both blocks of a pair from left to right: the body along the front, and the mating parts behind it."""
TALLEST = 3.2
"""Largest height of a label in mm."""
MOST_RADIUS = 1.0
"""Largest radius of edges in mm: more would need thicker slices and leaves the fit unchanged."""
PRONG, REACH, FLAT = 4.0, 6.0, 1.4
"""In mm: width of a slot's sides, its depth, and the least flat part of a wall."""


def joints(design: CubeDesign, gaps: Sequence[float], progress: Progress) -> tuple[Solid, ...]:
    """Two blocks for each gap in mm, each lying flat at the origin.

    Raises StudioError for an impossible gap, and Cancelled.
    """
    blocks = []
    for number, gap in enumerate(gaps):
        progress.step(number / len(gaps), tr("Making the {clearance} mm pair", clearance=label(gap)))
        radius = min(design.parameters.radius, MOST_RADIUS)
        parameters = replace(design.parameters, gap=gap, radius=radius, inside="nothing", text="")
        for side, mask in (("a", SLOT), ("b", TOOTH)):
            mesh = _block(parameters, mask, label(gap))
            blocks.append(Solid(f"{label(gap)} {side}", COLOURS[number % len(COLOURS)], mesh))
    progress.step(1.0)
    return tuple(blocks)


def _block(parameters: CubeParameters, mask: Mask, text: str) -> Mesh:
    form, stroke = Form.from_parameters(parameters), pen(parameters)
    margin = form.gap / 2 + form.radius + max(parameters.least_wall, stroke)
    prong = max(PRONG, form.gap + 2 * UPRIGHT * form.radius + FLAT)
    body, reach = TALLEST + 2 * margin, max(REACH, 2 * UPRIGHT * form.radius + 2 * (form.snap + 2 * form.gap) + FLAT)
    lines = np.cumsum([0.0, prong, form.unit, prong]), np.cumsum([0.0, body, reach])
    # A snap needs a wall that is flat all around it.
    flat = max(FLAT, 3 * (form.snap + 2 * form.gap) if form.snap else 0.0)
    top = min(form.thick - form.gap / 2, form.gap / 2 + 2 * form.radius + flat)
    rounded = form.edge == "round" or form.style == "voxel"
    mesh = plate(mask, form.unit, form.gap, form.radius, form.segments, rounded=rounded, lines=lines, top=top)
    if form.snap:
        is_bump = bool(mask[1, 1])
        # A tooth goes into its slot turned by half a turn, so its right side meets the slot's left one.
        place = (float(lines[0][2 if is_bump else 1]), body + reach / 2, (top + form.gap / 2) / 2)
        mesh = with_snaps(mesh, [Snap(place, (1.0, 0.0, 0.0), is_bump)], form.snap, form.gap, form.segments)
    room = Room(float(lines[0][-1]) - 2 * margin, body - 2 * margin)
    strokes = laid(text, fitted(text, room, stroke, TALLEST), room, stroke)
    if strokes is None:
        return mesh
    # In a drawing y grows downwards, on the bed it grows away from us.
    middle = np.array([lines[0][-1] / 2, body / 2])
    rims = [(rim * (1.0, -1.0))[::-1] + middle for rim in grooves(strokes, stroke)]
    return engraved(mesh, rims, min(depth(parameters), top / 3))


# The joint of a cube's plates: two teeth and their slots, as wide as the design's voxels and as deep as a plate.


TEETH = np.array([(0, 0), (0, 1), (1, 1), (1, 0), (2, 0), (2, 1), (3, 1), (3, 0)], np.float64)
"""The corners of a seam with two teeth, in voxels."""


def joint(shapes: CubeShapes) -> Seam:
    """Two teeth; their clearance is that of the material, as it is of the pieces that are cut."""
    return Seam(through(TEETH * (shapes.design.parameters.unit, shapes.design.parameters.plate)))


# The cube cut from a sheet: the thickness of the sheet, and features of printed pieces alone


def thickness(shapes: CubeShapes) -> Thickness:
    """The thickness of the plates: a finger of one piece fills the depth of its neighbour.

    A sheet of another thickness sets the voxel size if voxels are cubes, else the thickness of the plates alone.
    """
    p = shapes.design.parameters
    name, title = ("thickness", tr("thickness")) if p.thickness else ("unit", tr("voxel size"))

    def resized(design: CubeDesign, size: float) -> CubeDesign:
        """Radius and snaps shrink with the plates or voxels as far as they must; raises ParameterError."""
        old = design.parameters
        changed = replace(old, thickness=size) if p.thickness else replace(old, unit=size)
        changed = replace(changed, radius=min(changed.radius, changed.largest_radius))
        return replace(design, parameters=replace(changed, snap=min(changed.snap, changed.largest_snap)))

    return Thickness(p.thickness or p.unit, name, title, resized)


def left_out(shapes: CubeShapes) -> tuple[str, ...]:
    """Snaps, rounded voxels and the edges of plates, as far as the design has them."""
    p = shapes.design.parameters
    lacking = [tr("snaps")] if p.snap > 0 else []
    if p.style == "voxel":
        lacking.append(tr("rounded voxels"))
    elif p.radius > 0:
        lacking.append(tr("chamfered edges") if p.edge == "chamfer" else tr("rounded edges"))
    if not lacking:
        return ()
    return (tr("Laser-cut pieces have square edges: {lacking} are for printing only.", lacking=listed(lacking)),)
