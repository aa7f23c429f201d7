"""The cube cut from a sheet: how thick the sheet must be, and what only printed pieces have."""

from __future__ import annotations

from dataclasses import replace

from studio.base.amounts import listed
from studio.base.texts import tr
from studio.puzzles.abilities.cuttable import Thickness
from studio.puzzles.cube.geometry import CubeShapes
from studio.puzzles.cube.model import CubeDesign, CubeParameters


def thickness(shapes: CubeShapes) -> Thickness:
    """As thick as the plates are: a finger of one piece fills the depth of its neighbour.

    Where voxels are cubes, others are of the thickness of the sheet; else only the plates are.
    """
    parameters = shapes.design.parameters
    if parameters.thickness:
        return Thickness(parameters.thickness, "thickness", tr("thickness"), with_plates_of)
    return Thickness(parameters.unit, "unit", tr("voxel size"), with_voxels_of)


def with_voxels_of(design: CubeDesign, size: float) -> CubeDesign:
    """The design with voxels of another size in mm; radius and snaps shrink with them as far as they must.

    Raises ParameterError for a size that no voxel can have.
    """
    return _resized(design, replace(design.parameters, unit=size))


def with_plates_of(design: CubeDesign, size: float) -> CubeDesign:
    """The design with plates of another thickness in mm, likewise; raises ParameterError."""
    return _resized(design, replace(design.parameters, thickness=size))


def _resized(design: CubeDesign, resized: CubeParameters) -> CubeDesign:
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
