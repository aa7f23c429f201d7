"""The shell of a box of unit voxels, and which faces may own which voxels: topology alone, without chance and mm.

face: one of the six sides; the piece in it has its name. edge: the voxels in which two faces meet, and no third.
corner: a voxel in which three faces meet. open voxel: one of an edge or a corner, which has to be given to one of its
faces; all others of a face are its core and belong to it. owners: the face of every open voxel.

Open voxels have names that outlive a change of size: `front-bottom/2` is the third voxel along the edge of front and
bottom, `left-front-bottom` a corner.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from studio.geometry.curves.strokes import Ints, frozen

Owners = NDArray[np.int8]
Mask = NDArray[np.bool_]
N = TypeVar("N", np.int64, np.float64)

FACES = ("left", "right", "front", "back", "bottom", "top")
"""Face 2a lies at the beginning of axis a, face 2a + 1 at its end; x grows to the right, y backwards, z upwards."""
LETTERS = "ABCDEF"
"""Short names of the pieces, in the order of their faces."""
AXES = ((1, 2), (2, 1), (2, 0), (0, 2), (0, 1), (1, 0))
"""The two axes along which each face is looked at, so that the third, right-handed, points into the box."""
NOBODY = -1
ASSEMBLY = (4, 0, 1, 3, 2, 5)
"""The default order of filling faces: bottom, sides, back, front, top.

Any order works for a box with all pieces on their faces: no piece is in the way of another.
"""


@dataclass(frozen=True, eq=False)
class CubeShell:
    """The shell of a box of x × y × z voxels.

    `names` and `faces` (v, 3) describe the open voxels, edges first; a voxel of an edge has NOBODY as third face.
    `layouts[f]` (a, b) is the open voxel of every voxel of face f, NOBODY for the core. `neighbours` (8, 3) are the
    open voxels beside each corner, `edge_of` (v,) the edge of each open voxel and `along` its place there.
    """

    size: tuple[int, int, int]
    names: tuple[str, ...]
    faces: Ints
    edge_names: tuple[str, ...]
    edge_of: Ints
    along: Ints
    places: Ints
    layouts: tuple[Ints, ...]
    neighbours: Ints

    @property
    def corners(self) -> slice:
        """The corners among the open voxels."""
        return slice(len(self.names) - 8, len(self.names))

    @cached_property
    def indices(self) -> dict[str, int]:
        """The number of every open voxel by its name."""
        return {name: number for number, name in enumerate(self.names)}

    def mask(self, owners: Owners, face: int) -> Mask:
        """Voxels of a face that its piece has; `owners` (…, v) gives (…, a, b)."""
        layout = self.layouts[face]
        return np.asarray((layout == NOBODY) | (owners[..., layout] == face))

    def masks(self, owners: Owners) -> tuple[Mask, ...]:
        """Voxels of each of the six pieces, as a mask of its face."""
        return tuple(self.mask(owners, face) for face in range(6))

    def loose(self, owners: Owners) -> Mask:
        """Mask (…, 8) of the corners of the box that touch no voxel of their own piece.

        Nothing else can come apart: a voxel of an edge always lies beside the cores of both its faces.
        """
        here, there = owners[..., self.corners], owners[..., self.neighbours]
        return np.asarray((there != here[..., None]).all(axis=-1))

    def along_edge(self, edge: int) -> list[int]:
        """The open voxels along an edge from corner to corner."""
        inner = np.flatnonzero(self.edge_of == edge)
        first = {face for face in self.faces[inner[0]].tolist() if face != NOBODY}
        corners = [
            corner
            for corner in range(self.corners.start, self.corners.stop)
            if first <= set(self.faces[corner].tolist())
        ]
        return [corners[0], *inner.tolist(), corners[1]]

    def spots(self, face: int, places: NDArray[N]) -> NDArray[N]:
        """Map places (…, 2) of a face to places in the box (…, 3)."""
        spots = np.empty((*places.shape[:-1], 3), places.dtype)
        spots[..., face // 2] = (self.size[face // 2] - 1) * (face % 2)
        spots[..., list(AXES[face])] = places
        return spots

    def pulls_out(self, owners: Owners) -> tuple[bool, ...]:
        """Return for each of the six pieces whether it comes straight out of its face while all others are there.

        If all do, they come apart and go together in any order.
        """
        box = np.full(self.size, NOBODY, np.int64)
        for face, mask in enumerate(self.masks(owners)):
            box[tuple(self.spots(face, np.argwhere(mask)).T)] = face
        free = []
        for face in range(6):
            # From the side that the piece moves to: nothing of another may come before anything of it.
            lines = np.moveaxis(box if face % 2 == 0 else np.flip(box, face // 2), face // 2, 0)
            own, other = lines == face, (lines != face) & (lines != NOBODY)
            behind = np.logical_or.accumulate(other, axis=0)
            free.append(not bool((own & behind).any()))
        return tuple(free)

    def choices(self, voxel: int) -> tuple[int, ...]:
        """The faces that may own an open voxel."""
        return tuple(face for face in self.faces[voxel].tolist() if face != NOBODY)


@cache
def shell(x: int, y: int, z: int) -> CubeShell:
    """The shell of a box, each side at least 3 voxels."""
    size = (x, y, z)
    edge_names = []
    voxels: list[tuple[str, tuple[int, ...], int, int, tuple[int, ...]]] = []
    for axis in range(3):
        one, other = (each for each in range(3) if each != axis)
        for ends in product((0, 1), repeat=2):
            meeting = (2 * one + ends[0], 2 * other + ends[1])
            edge_names.append("-".join(FACES[face] for face in meeting))
            for at in range(1, size[axis] - 1):
                beside = {axis: at, one: ends[0] * (size[one] - 1), other: ends[1] * (size[other] - 1)}
                place = tuple(beside[each] for each in range(3))
                voxels.append((f"{edge_names[-1]}/{at}", (*meeting, NOBODY), len(edge_names) - 1, at, place))
    for end in product((0, 1), repeat=3):
        three = tuple(2 * axis + end[axis] for axis in range(3))
        place = tuple(end[axis] * (size[axis] - 1) for axis in range(3))
        voxels.append(("-".join(FACES[face] for face in three), three, NOBODY, 0, place))
    names, *columns = zip(*voxels, strict=True)
    faces, edge_of, along, places = (frozen(np.array(column, np.int64)) for column in columns)
    numbers = np.full(size, NOBODY, np.int64)
    numbers[tuple(places.T)] = np.arange(len(voxels))
    layouts = []
    for face, (one, other) in enumerate(AXES):
        flat = np.take(numbers, -(face % 2), axis=face // 2)
        layouts.append(frozen(np.ascontiguousarray(flat if one < other else flat.T)))
    neighbours = []
    for corner in places[-8:].tolist():
        inward = [[c + (1 if c == 0 else -1) * (axis == each) for each, c in enumerate(corner)] for axis in range(3)]
        neighbours.append([int(numbers[tuple(place)]) for place in inward])
    beside_corners = frozen(np.array(neighbours, np.int64))
    return CubeShell(size, names, faces, tuple(edge_names), edge_of, along, places, tuple(layouts), beside_corners)


def captured(mask: Mask) -> Mask:
    """Return whether a piece (…, a, b) is held in its face from all four sides, so that it only comes out outwards.

    It can slide in a direction in which no voxel of it is followed by another piece's voxel of the face.
    """
    down, right = mask[..., :-1, :], mask[..., :, :-1]
    below, beside = mask[..., 1:, :], mask[..., :, 1:]
    held = [(down & ~below), (below & ~down), (right & ~beside), (beside & ~right)]
    return np.asarray(np.logical_and.reduce([one.any(axis=(-1, -2)) for one in held]))


def trimmed(mask: Mask) -> Mask:
    """A piece without empty rows and columns around it."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def turned(mask: Mask) -> list[Mask]:
    """A flat piece in its eight orientations: four turns, and flipped."""
    across = mask.T
    return [one[::down, ::right] for one in (mask, across) for down in (1, -1) for right in (1, -1)]


def signature(mask: Mask) -> bytes:
    """The same bytes for two pieces that are the same one turned, flipped or moved."""
    return min(bytes(one.shape) + one.tobytes() for one in turned(trimmed(mask)))


def symmetries(mask: Mask) -> int:
    """Order of a piece's symmetry among its eight turns and flips: 1 for a piece without symmetry."""
    small = trimmed(mask)
    return sum(one.shape == small.shape and bool((one == small).all()) for one in turned(small))
