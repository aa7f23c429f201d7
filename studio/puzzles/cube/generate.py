"""From parameters to a design: chance is derived, so all that generating does is to keep the hand's edits."""

from __future__ import annotations

from dataclasses import replace

from studio.errors import StudioError
from studio.progress import Progress
from studio.puzzles.cube.deal import dealt
from studio.puzzles.cube.model import CubeDesign, CubeParameters
from studio.puzzles.cube.shell import shell


def generate(parameters: CubeParameters, previous: CubeDesign | None, progress: Progress) -> CubeDesign:
    """A design with the given parameters and, of the previous one, every edit whose element is still there."""
    design = CubeDesign(parameters)
    if previous is not None:
        box = shell(*parameters.size)
        kept = tuple(edit for edit in previous.voxels if edit.name in box.indices)
        design = replace(previous, parameters=parameters, voxels=kept)
    dealt(design, progress)
    return design


def verify(design: CubeDesign) -> None:
    """Raises StudioError where an edit names an element that the box does not have."""
    box = shell(*design.parameters.size)
    for edit in design.edges:
        if edit.name not in box.edge_names:
            raise StudioError(f"The edits name an edge {edit.name[:40]!r} that no box has.")
    for voxel in design.voxels:
        if voxel.name not in box.indices:
            raise StudioError(f"The edits name a voxel {voxel.name[:40]!r} that this box does not have.")
