"""The cube cut from a sheet: how thick the sheet must be, and what only printed pieces have."""

from __future__ import annotations

from dataclasses import replace

from studio.amounts import listed
from studio.puzzles.abilities.cut import Thickness
from studio.puzzles.cube.geometry import CubeShapes
from studio.puzzles.cube.model import CubeDesign
from studio.texts import tr


def thickness(shapes: CubeShapes) -> Thickness:
    """As thick as a voxel is wide: a finger of one piece fills the depth of its neighbour."""
    return Thickness(shapes.design.parameters.unit, "unit", tr("voxel size"), with_voxels_of)


def with_voxels_of(design: CubeDesign, size: float) -> CubeDesign:
    """The design with voxels of another size in mm; radius and snaps shrink with them as far as they must.

    Raises ParameterError for a size that no voxel can have.
    """
    resized = replace(design.parameters, unit=size)
    resized = replace(resized, radius=min(resized.radius, resized.largest_radius))
    return replace(design, parameters=replace(resized, snap=min(resized.snap, resized.largest_snap)))


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
