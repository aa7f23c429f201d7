"""Edits of a cube: each takes a design and returns another, or raises with the reason.

Net, view and command line all edit through these.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

import numpy as np

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import alternatives, tr
from studio.puzzles.cube.model import CubeDesign, CubeParameters, EdgeEdit, VoxelEdit
from studio.puzzles.cube.partition import Granted, Partition, granted, met, partitioned
from studio.puzzles.cube.shell import FACES, CubeShell, Owners, shell
from studio.puzzles.kind import Generated
from studio.puzzles.named_edits import parted

MOST_ROLLS_TRIED = 32
"""Rolls of an edge tried until one meets all options: in most boxes half of them do."""
ALL_GRANTED = Granted(unique=True, distinct=True, captured=True, large=True)


def design_of(box: CubeShell, owners: Owners, progress: Progress) -> CubeDesign:
    """Return the design of a box with these owners of its voxels, none of them loose, as edits of its random owners.

    Its options (one solution, different pieces, pieces that cannot slide) are on if the box meets them.
    """
    x, y, z = box.size
    has = met(box, owners, progress)
    plain = CubeDesign(CubeParameters(x, y, z, unique=has.unique, distinct=has.distinct, captured=has.captured))
    chance = partitioned(plain, progress).chance
    changed = np.flatnonzero(chance != owners).tolist()
    return plain.with_voxels(VoxelEdit(box.names[voxel], FACES[int(owners[voxel])]) for voxel in changed)


def with_voxel(design: CubeDesign, name: str, face: str) -> CubeDesign:
    """With a voxel given to another face that meets there.

    Raises StudioError for an unknown voxel, for a face that does not meet there, and, with the reason, if the change
    would cut a piece in two.
    """
    before = partitioned(design)
    voxel = _voxel(before, name)
    choices = before.shell.choices(voxel)
    if face not in FACES or FACES.index(face) not in choices:
        meeting = alternatives(FACES[each] for each in choices)
        raise StudioError(
            tr("Voxel {name} can belong to {faces}, not to {face!r}.", name=name, faces=meeting, face=face[:40])
        )
    wanted = FACES.index(face)
    owners = before.owners.copy()
    owners[voxel] = wanted
    _refuse_loose(before, owners, voxel)
    edit = VoxelEdit(name, face)
    if before.chance[voxel] != wanted:
        return design.with_voxels([edit])
    # Back to its random owner, unless a corner nearby would then change it again.
    plain = design.without_voxels([name])
    return plain if partitioned(plain).owners[voxel] == wanted else design.with_voxels([edit])


def with_voxel_turned(design: CubeDesign, name: str) -> CubeDesign:
    """With a voxel given to the next of its faces that can have it; raises StudioError if no other face can."""
    partition = partitioned(design)
    voxel = _voxel(partition, name)
    choices = partition.shell.choices(voxel)
    at = choices.index(int(partition.owners[voxel]))
    refused = StudioError(tr("Voxel {name} cannot belong to any other face.", name=name))
    for face in choices[at + 1 :] + choices[:at]:
        try:
            return with_voxel(design, name, FACES[face])
        except StudioError as problem:
            refused = problem
    raise refused


def with_voxels_reset(design: CubeDesign, names: Iterable[str]) -> CubeDesign:
    """With voxels back at their random owners; raises StudioError if that would cut a piece in two."""
    after = design.without_voxels(names)
    partition = partitioned(after)
    if partition.ignored:
        words = tr(
            "{voxels} would lose its connection to the piece you moved it to; reset it too.",
            voxels=", ".join(partition.ignored),
        )
        raise StudioError(words)
    return after


def with_edges_rolled(design: CubeDesign, names: Iterable[str]) -> CubeDesign:
    """With edges randomised and their edits dropped; locked ones stay as they are.

    Uses the first of the next rolls that changes the edges and meets all options, or else the closest.
    """
    free = [edit for edit in (_edge(design, name) for name in names) if edit.locked_seed is None]
    chosen = {edit.name for edit in free}
    if not chosen:
        return design
    before = partitioned(design)
    plain = design.without_voxels(_on_edges(design, chosen))
    concerned = np.isin(before.shell.edge_of, [before.shell.edge_names.index(name) for name in chosen])
    best, best_met = plain.with_edges(replace(edit, rolls=edit.rolls + 1) for edit in free), None
    for rolls in range(1, MOST_ROLLS_TRIED + 1):
        after = plain.with_edges(replace(edit, rolls=edit.rolls + rolls) for edit in free)
        partition = partitioned(after)
        if (partition.owners[concerned] == before.owners[concerned]).all() or len(partition.ignored) > len(
            before.ignored
        ):
            continue
        met = granted(after, partition, Progress())
        if best_met is None or met > best_met:
            best, best_met = after, met
        if met == ALL_GRANTED:
            break
    return best


def with_edges_locked(design: CubeDesign, names: Iterable[str], locked: bool) -> CubeDesign:
    """With edges that keep their voxels when the seed changes, or no longer do."""
    attempt = partitioned(design).attempt
    edits = []
    for name in names:
        edit = _edge(design, name)
        if not locked:
            edits.append(replace(edit, locked_seed=None, locked_attempt=0))
        elif edit.locked_seed is None:
            edits.append(replace(edit, locked_seed=design.parameters.seed, locked_attempt=attempt))
    return design.with_edges(edits)


def with_edges_reset(design: CubeDesign, names: Iterable[str]) -> CubeDesign:
    """With edges reset to the seed, their voxels too."""
    chosen = {_edge(design, name).name for name in names}
    return design.without_voxels(_on_edges(design, chosen)).with_edges(EdgeEdit(name) for name in chosen)


def _on_edges(design: CubeDesign, names: Collection[str]) -> list[str]:
    """The edited voxels of some edges; corners belong to no edge."""
    return [voxel.name for voxel in design.voxels if voxel.name.partition("/")[0] in names]


def _voxel(partition: Partition, name: str) -> int:
    if name not in partition.shell.indices:
        raise StudioError(tr("There is no voxel {name!r} on an edge or corner of this box.", name=name[:60]))
    return partition.shell.indices[name]


def _edge(design: CubeDesign, name: str) -> EdgeEdit:
    if name not in shell(*design.parameters.size).edge_names:
        raise StudioError(tr("There is no edge {name!r}; edges are named like front-bottom.", name=name[:60]))
    return design.edge(name)


def _refuse_loose(partition: Partition, owners: Owners, voxel: int) -> None:
    """Raise StudioError if a corner would not touch its own piece."""
    box = partition.shell
    for corner in np.flatnonzero(box.loose(owners)).tolist():
        other = box.corners.start + corner
        piece = FACES[int(owners[other])]
        if other == voxel:
            words = tr(
                "{voxel} cannot go to {piece}: no neighbouring voxel belongs to that piece.",
                voxel=box.names[voxel],
                piece=piece,
            )
            raise StudioError(words)
        words = tr(
            "{voxel} must stay with {piece}: moving it would cut off {other}.",
            voxel=box.names[voxel],
            piece=piece,
            other=box.names[other],
        )
        raise StudioError(words)


# Carrying a cube's edits over to another box


def carry(parameters: CubeParameters, previous: CubeDesign, _progress: Progress) -> Generated[CubeDesign]:
    """A design for some parameters with every edit of the previous one whose element is still there."""
    voxels, lost = parted(previous.voxels, shell(*parameters.size).indices)
    design = replace(previous, parameters=parameters, voxels=voxels)
    return Generated(design, tuple(tr("voxel {name}", name=name) for name in lost))


def verify(design: CubeDesign) -> None:
    """Raise StudioError if an edit names an element that the box does not have."""
    box = shell(*design.parameters.size)
    for edit in design.edges:
        if edit.name not in box.edge_names:
            raise StudioError(tr("The edits name edge {name!r}, which this box does not have.", name=edit.name[:40]))
    for voxel in design.voxels:
        if voxel.name not in box.indices:
            raise StudioError(tr("The edits name voxel {name!r}, which this box does not have.", name=voxel.name[:40]))


EDITS: dict[str, Callable[..., CubeDesign]] = {
    "voxel NAME to FACE": lambda design, _progress, name, face: with_voxel(design, name, face),
    "randomise NAMES": lambda design, _progress, names: with_edges_rolled(design, names),
    "lock NAMES": lambda design, _progress, names: with_edges_locked(design, names, True),
    "unlock NAMES": lambda design, _progress, names: with_edges_locked(design, names, False),
    "reset NAMES": lambda design, _progress, names: with_edges_reset(design, names),
}
"""A function for each form of an edit as text."""
