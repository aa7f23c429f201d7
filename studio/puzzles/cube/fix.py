"""Changes the fewest voxels so that a box has one solution, no twins or no piece that slides.

fault: a sliding piece, a twin or a piece of too few voxels; a change never brings a new one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.geometry.curves.strokes import frozen
from studio.puzzles.cube.model import CubeDesign, VoxelEdit
from studio.puzzles.cube.partition import Partition, partitioned, sizes
from studio.puzzles.cube.shell import FACES, Mask, Owners, Shell, captured, signature
from studio.puzzles.cube.solve import is_unique

FEWEST = 2
"""Voxels of the smallest piece that passes for one."""
MOST_CHANGES = 3
MOST_TRIES = 20_000
"""How many changes are tried."""
MOST_PROOFS = 2_000
"""For how many changes the solutions are counted: some seconds."""

Change = tuple[int, int]
"""An open voxel, and the face that it goes to."""


@dataclass(frozen=True)
class Faults:
    """Which pieces slide, have a twin, or have too few voxels."""

    sliding: frozenset[int]
    twins: frozenset[int]
    small: frozenset[int]

    def new_since(self, before: Faults) -> bool:
        """Return whether a piece has a fault that it had not."""
        return not (self.sliding <= before.sliding and self.twins <= before.twins and self.small <= before.small)


def faults(masks: tuple[Mask, ...], least_voxels: int) -> Faults:
    """The faults that six pieces have without a search; each should have FEWEST voxels, or more if asked for."""
    kinds = [signature(mask) for mask in masks]
    least = max(FEWEST, least_voxels)
    return Faults(
        frozenset(face for face, mask in enumerate(masks) if not captured(mask)),
        frozenset(face for face, kind in enumerate(kinds) if kinds.count(kind) > 1),
        frozenset(face for face, count in enumerate(sizes(masks)) if count < least),
    )


def made_unique(design: CubeDesign, progress: Progress = SILENT) -> CubeDesign:
    """With the fewest voxels changed so that there is one solution; raises StudioError where three are not enough."""
    return _fixed(design, tr("a unique solution"), lambda _after: True, progress, unique=True)


def made_distinct(design: CubeDesign, progress: Progress = SILENT) -> CubeDesign:
    """With the fewest voxels changed so that no two pieces are alike; raises StudioError where three are not enough."""
    return _fixed(design, tr("six different pieces"), lambda after: not after.twins, progress)


def made_captured(design: CubeDesign, progress: Progress = SILENT, *, face: int) -> CubeDesign:
    """With the fewest voxels changed so that a piece no longer slides; raises StudioError where three do not do."""
    return _fixed(
        design, tr("an interlocked {face}", face=FACES[face]), lambda after: face not in after.sliding, progress
    )


def made_larger(design: CubeDesign, progress: Progress = SILENT, *, face: int) -> CubeDesign:
    """With the fewest voxels changed so that a piece has enough of them, else another box with enough in all pieces.

    Raises StudioError if neither is found.
    """
    try:
        return _fixed(design, tr("a larger {face}", face=FACES[face]), lambda after: face not in after.small, progress)
    except StudioError:
        least = max(FEWEST, design.parameters.least_voxels)
        other = replace(design, parameters=replace(design.parameters, least_voxels=least))
        if other == design or faults(partitioned(other, progress).masks, least).small:
            raise
        return other


def _fixed(
    design: CubeDesign, wanted: str, good: Callable[[Faults], bool], progress: Progress, *, unique: bool = False
) -> CubeDesign:
    """The nearest box that is `good` and has no new fault; with one solution if that is `unique`, or was so before."""
    partition = partitioned(design, progress)
    least = design.parameters.least_voxels
    before = faults(partition.masks, least)
    is_one = is_unique(partition.shell, partition.masks, progress)
    if good(before) and (is_one or not unique):
        return design
    alone = unique or is_one
    tries = proofs = 0
    for changes, owners in _changed(partition):
        tries += 1
        if tries > MOST_TRIES or proofs > MOST_PROOFS:
            break
        if tries % 16 == 0:
            progress.step(tries / MOST_TRIES, tr("Trying {count}-voxel changes", count=len(changes)))
        masks = partition.shell.masks(owners)
        after = faults(masks, least)
        if after.new_since(before) or not good(after):
            continue
        proofs += 1
        if not alone or is_unique(partition.shell, masks, progress):
            return given(design, owners)
    raise StudioError(
        tr(
            "No change of up to {most} voxels gives {wanted} without side effects; randomise an edge or try another "
            "seed.",
            most=MOST_CHANGES,
            wanted=wanted,
        )
    )


def _changed(partition: Partition) -> Iterator[tuple[tuple[Change, ...], Owners]]:
    """All boxes that differ in one voxel, then in two and so on, and in which no piece falls apart."""
    box = partition.shell
    single = [
        (voxel, face)
        for voxel in range(len(box.names))
        for face in box.choices(voxel)
        if face != int(partition.owners[voxel])
    ]
    for number in range(1, MOST_CHANGES + 1):
        for changes in combinations(single, number):
            if len({voxel for voxel, _ in changes}) < number:
                continue
            owners = partition.owners.copy()
            for voxel, face in changes:
                owners[voxel] = face
            if not box.loose(owners).any():
                yield changes, owners


def given(design: CubeDesign, owners: Owners) -> CubeDesign:
    """A design in which the voxels belong to the faces named, with as few edits as possible."""
    partition = partitioned(design)
    box = partition.shell
    after = design
    for _ in range(2):
        # A random corner may change its face once its neighbours change; then it is edited too.
        now = partitioned(after)
        apart = np.flatnonzero(now.owners != owners).tolist()
        plain = [box.names[voxel] for voxel in apart if partition.chance[voxel] == owners[voxel]]
        held = [edit.name for edit in after.voxels if edit.name in plain]
        edits = [
            VoxelEdit(box.names[voxel], FACES[int(owners[voxel])]) for voxel in apart if box.names[voxel] not in held
        ]
        after = after.without_voxels(held).with_voxels(edits)
    return after


def repaired_neck(box: Shell, owners: Owners, corner: int) -> Owners | None:
    """The box with a corner given to the face that has two voxels beside it; None where there is none."""
    voxel = box.corners.start + corner
    beside = owners[box.neighbours[corner]].tolist()
    for face in beside:
        if beside.count(face) == 2 and face != owners[voxel]:
            after = owners.copy()
            after[voxel] = face
            return frozen(after)
    return None
