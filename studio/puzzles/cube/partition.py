"""The owner of each voxel: random boxes until one meets all options, then the maker's edits.

Every random number is a function of seed, voxel and attempt, so a larger box keeps the beginning of its edges and a
randomised edge leaves all others alone. A corner goes to a face that already has a voxel beside it; therefore no piece
can fall apart, whatever seed and edits do to the edges.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations

import numpy as np

from studio.base.chance import uniform
from studio.base.progress import SILENT, Progress, kept
from studio.base.texts import tr
from studio.geometry.curves.strokes import Ints, frozen
from studio.puzzles.cube.model import MOST_ATTEMPTS, CubeDesign, EdgeEdit
from studio.puzzles.cube.shell import FACES, NOBODY, CubeShell, Mask, Owners, captured, shell, signature
from studio.puzzles.cube.solve import MOST_SOLUTIONS, is_unique, solved
from studio.solving.assembly import Count

PLACES = 2**4
"""Distance between the keys of edges: an edge has fewer voxels."""
ROLL = 2**10
"""Distance between the keys of successive rolls of one edge."""
ATTEMPT = 2**32
"""Distance between the keys of successive attempts; beyond every roll."""
MOST_PROOFS = 400
"""Most boxes searched for solutions before an option is given up."""
FIRST_ATTEMPTS, MOST_AT_ONCE = 8, 2048
"""Attempts generated at once, at first and at most: few at first, since most boxes need two or three."""
_ORDERS = np.array(list(permutations(range(3))), np.int64)


@dataclass(frozen=True, eq=False)
class Partition:
    """The owner of each voxel of a box, and its origin.

    `attempt` is the first that meets all options; `met` is False if every attempt failed; `chance` are the owners
    before the edits; `ignored` are edits without effect, since they would cut a piece in two.
    """

    shell: CubeShell
    owners: Owners
    chance: Owners
    attempt: int
    met: bool
    ignored: tuple[str, ...]

    @cached_property
    def masks(self) -> tuple[Mask, ...]:
        """Voxels of each of the six pieces, as a mask of its face."""
        return self.shell.masks(self.owners)


def count(design: CubeDesign, _target: object, progress: Progress, *, most: int | None = None) -> Count:
    """The number of solutions of a design; beyond `most` only that there are that many."""
    partition = partitioned(design, progress)
    bound = MOST_SOLUTIONS if most is None else most
    return solved(partition.shell, partition.masks, progress, most=bound, thick=design.parameters.thick)


@dataclass(frozen=True)
class Assembled:
    """An assembled cube: the names of the voxels along edges and at corners that each face owns, by its name."""

    voxels: Mapping[str, tuple[str, ...]]


def assembled(design: CubeDesign, _target: object, progress: Progress) -> Assembled:
    """The pieces of a design in their places. Raises Cancelled."""
    partition = partitioned(design, progress)
    owners = dict(zip(partition.shell.names, partition.owners.tolist(), strict=True))
    return Assembled({
        face: tuple(name for name, owner in owners.items() if owner == number) for number, face in enumerate(FACES)
    })  # fmt: skip


def partitioned(design: CubeDesign, progress: Progress = SILENT) -> Partition:
    """Compute the owner of each voxel of a design's box; raise Cancelled."""
    p = design.parameters
    box = shell(*p.size)
    progress.step(0.0, tr("Generating"))
    # A lock of another seed asks for a puzzle built round its edge. A lock of this seed does so only if its attempt has
    # changed since, because another lock came or went.
    locked = [edit for edit in design.edges if edit.locked_seed is not None]
    attempts = sorted({edit.locked_attempt for edit in locked if edit.locked_seed == p.seed})
    held: list[set[int]] = [set(), *({one} for one in attempts), *(set(attempts) - {one} for one in attempts)]
    for some in [*held, set(attempts)]:
        edges = tuple(edit for edit in locked if edit.locked_seed != p.seed or edit.locked_attempt in some)
        request = _Request(p.size, p.seed, edges, p.unique, p.distinct, p.captured, p.least_voxels)
        attempt, met = _attempt(request, progress)
        if some | {attempt} >= set(attempts):
            break
    chance = _chance(box, p.seed, np.array([attempt]), design.edges)[0]
    owners = chance.copy()
    for edit in design.voxels:
        if edit.name in box.indices:
            owners[box.indices[edit.name]] = FACES.index(edit.face)
    ignored = _settled(box, owners, chance, p.seed, attempt)
    return Partition(box, frozen(owners), frozen(chance), attempt, met, ignored)


@dataclass(frozen=True, order=True)
class Granted:
    """The options a box meets, or that are off. The greater of two meets the more important option."""

    unique: bool
    distinct: bool
    captured: bool
    large: bool


def granted(design: CubeDesign, partition: Partition, progress: Progress) -> Granted:
    """Return the options that a design's box meets; raise Cancelled."""
    request = design.parameters
    return Granted(
        not request.unique or is_unique(partition.shell, partition.masks, progress),
        not request.distinct or _are_distinct(partition.masks),
        not request.captured or _are_captured(partition.masks),
        min(sizes(partition.masks)) >= request.least_voxels,
    )


def met(box: CubeShell, owners: Owners, progress: Progress) -> Granted:
    """Test a box for all options (one solution, different pieces, no piece that slides) but the least size."""
    masks = box.masks(owners)
    return Granted(is_unique(box, masks, progress), _are_distinct(masks), _are_captured(masks), large=True)


def sizes(masks: tuple[Mask, ...]) -> list[int]:
    """Voxels of each of the six pieces."""
    return [int(mask.sum()) for mask in masks]


def _are_captured(masks: tuple[Mask, ...]) -> bool:
    return all(bool(captured(mask)) for mask in masks)


def _are_distinct(masks: tuple[Mask, ...]) -> bool:
    return len({signature(mask) for mask in masks}) == len(masks)


def _settled(box: CubeShell, owners: Owners, chance: Owners, seed: int, attempt: int) -> tuple[str, ...]:
    """Move corners that edits left unattached to another face; return the names of edited ones among them."""
    ignored = []
    for corner in np.flatnonzero(box.loose(owners)).tolist():
        voxel = box.corners.start + corner
        beside = owners[box.neighbours[corner]].tolist()
        if owners[voxel] != chance[voxel]:
            ignored.append(box.names[voxel])
        owners[voxel] = chance[voxel]
        if chance[voxel] not in beside:
            order = box.faces[voxel][_order(box, seed, np.array([attempt]))[0, corner]]
            owners[voxel] = next(face for face in order.tolist() if face in beside)
    return tuple(ignored)


@dataclass(frozen=True)
class _Request:
    """The options that a box must meet."""

    size: tuple[int, int, int]
    seed: int
    edges: tuple[EdgeEdit, ...]
    unique: bool
    distinct: bool
    captured: bool
    least_voxels: int


@kept(256)
def _attempt(request: _Request, progress: Progress) -> tuple[int, bool]:
    """The first attempt that meets all options, or else as many as possible, and whether it meets all."""
    sliding = replace(request, captured=False)
    lessers = [request, sliding, replace(sliding, distinct=False)]
    for lesser in dict.fromkeys([*lessers, *(replace(one, least_voxels=0) for one in lessers)]):
        attempt = _first(lesser, progress)
        if attempt is not None:
            return attempt, lesser == request
    return 0, False


def _first(request: _Request, progress: Progress) -> int | None:
    """The first attempt that meets all options; None if every attempt fails."""
    box = shell(*request.size)
    first, size = 0, FIRST_ATTEMPTS
    known: set[bytes] = set()
    while first < MOST_ATTEMPTS and len(known) < MOST_PROOFS:
        progress.step(first / MOST_ATTEMPTS, tr("Generating until all options are met"))
        owners = _chance(box, request.seed, np.arange(first, min(first + size, MOST_ATTEMPTS)), request.edges)
        masks = box.masks(owners)
        likely = np.logical_and.reduce([mask.sum(axis=(-2, -1)) >= request.least_voxels for mask in masks])
        if request.captured:
            likely &= np.logical_and.reduce([captured(mask) for mask in masks])
        for at in np.flatnonzero(likely).tolist():
            # Locked edges leave so few random voxels that the same boxes come again.
            key = owners[at].tobytes()
            if key in known:
                continue
            known.add(key)
            masks = box.masks(owners[at])
            is_distinct = not request.distinct or _are_distinct(masks)
            if is_distinct and (not request.unique or is_unique(box, masks, progress)):
                return first + at
        first, size = first + size, min(4 * size, MOST_AT_ONCE)
    return None


def _chance(box: CubeShell, seed: int, attempts: Ints, edits: tuple[EdgeEdit, ...]) -> Owners:
    """The random owners of the voxels (attempts, v)."""
    keys = PLACES * box.edge_of + box.along
    seeds = np.full((len(attempts), len(keys)), seed, np.int64)
    keys = keys + ATTEMPT * attempts[:, None]
    for edit in edits:
        if edit.name not in box.edge_names:
            continue
        on_edge = box.edge_of == box.edge_names.index(edit.name)
        if edit.locked_seed is not None:
            seeds[:, on_edge] = edit.locked_seed
            keys[:, on_edge] += ATTEMPT * (edit.locked_attempt - attempts[:, None])
        keys[:, on_edge] += ROLL * edit.rolls
    inner = box.edge_of != NOBODY
    second = uniform(seeds[:, inner], keys[:, inner], "owner") >= 0.5
    owners = np.empty(seeds.shape, np.int8)
    owners[:, inner] = np.where(second, box.faces[inner, 1], box.faces[inner, 0])
    beside = owners[:, box.neighbours]
    wanted = np.take_along_axis(
        np.broadcast_to(box.faces[box.corners], (len(attempts), 8, 3)), _order(box, seed, attempts), axis=2
    )
    there = (wanted[..., None] == beside[:, :, None, :]).any(axis=-1)
    first = there.argmax(axis=2)[..., None]
    owners[:, box.corners] = np.take_along_axis(wanted, first, axis=2)[..., 0]
    return owners


def _order(box: CubeShell, seed: int, attempts: Ints) -> Ints:
    """In which order (attempts, 8, 3) the three faces of each corner may have it; each order is as likely."""
    keys = np.arange(8) + ATTEMPT * attempts[:, None]
    numbers = uniform(seed, keys, "corner")
    return np.asarray(_ORDERS[np.minimum((6 * numbers).astype(np.int64), 5)])
