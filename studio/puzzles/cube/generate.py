"""Which edits of a cube have a place in another box."""

from __future__ import annotations

from dataclasses import replace

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.puzzles.cube.model import CubeDesign, CubeParameters
from studio.puzzles.cube.shell import shell
from studio.puzzles.kind import Generated
from studio.puzzles.named_edits import parted


def carry(parameters: CubeParameters, previous: CubeDesign, _progress: Progress) -> Generated[CubeDesign]:
    """A design for some parameters with every edit of the previous one whose element is still there."""
    voxels, lost = parted(previous.voxels, shell(*parameters.size).indices)
    design = replace(previous, parameters=parameters, voxels=voxels)
    return Generated(design, tuple(tr("voxel {name}", name=name) for name in lost))


def verify(design: CubeDesign) -> None:
    """Raises StudioError where an edit names an element that the box does not have."""
    box = shell(*design.parameters.size)
    for edit in design.edges:
        if edit.name not in box.edge_names:
            raise StudioError(tr("The edits name edge {name!r}, which this box does not have.", name=edit.name[:40]))
    for voxel in design.voxels:
        if voxel.name not in box.indices:
            raise StudioError(tr("The edits name voxel {name!r}, which this box does not have.", name=voxel.name[:40]))
