"""The box unfolded: a cross of its six faces, seen from outside, and where each voxel appears in it.

Left, front, right and back are in a row, the top above the front and the bottom below it. cell: the side of a voxel
that lies in a face. A voxel of an edge appears in two cells, one of a corner in three; along a fold the two lie side by
side. Places are in voxels from the upper left corner, to the right and down.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from studio.geometry.curves.strokes import Floats, Ints, frozen
from studio.geometry.planar.patches import outlines
from studio.puzzles.cube.shell import NOBODY, Owners, shell

# Of each face the axis that goes to the right and the one that goes down, and whether its numbers grow that way.
_WAYS = (
    ((1, -1), (2, -1)),
    ((1, 1), (2, -1)),
    ((0, 1), (2, -1)),
    ((0, -1), (2, -1)),
    ((0, 1), (1, 1)),
    ((0, 1), (1, -1)),
)
_SQUARE = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.int64)


@dataclass(frozen=True, eq=False)
class Net:
    """The cells of a box of x × y × z voxels.

    `faces` (c,) is the face of each cell, `places` (c, 2) its column and row, `voxels` (c,) which open voxel it is,
    NOBODY for the core, and `spots` (c, 3) where its voxel is in the box. `sides` (6, 4) are left, top, width and
    height of each face; `folds` (5, 2, 2) the ends of the lines along which it is folded.
    """

    size: tuple[int, int]
    faces: Ints
    places: Ints
    voxels: Ints
    spots: Ints
    sides: Ints
    folds: Ints
    _numbers: Ints

    def at(self, column: int, row: int) -> int | None:
        """The cell at a place of the cross, None beside it."""
        columns, rows = self.size
        if not (0 <= column < columns and 0 <= row < rows):
            return None
        cell = int(self._numbers[column, row])
        return None if cell == NOBODY else cell

    def appearances(self, voxel: int) -> Ints:
        """The cells in which an open voxel appears."""
        return np.flatnonzero(self.voxels == voxel)

    def owners(self, owners: Owners) -> Ints:
        """The piece that has each cell (c,), for the owners (v,) of the open voxels."""
        return np.where(self.voxels == NOBODY, self.faces, owners[self.voxels])

    def regions(self, owners: Owners) -> tuple[tuple[Ints, ...], ...]:
        """The outlines (m, 2) of all that each of the six pieces has; holes go round the other way."""
        has = self.owners(owners)
        return tuple(outlines(self.tiles(np.flatnonzero(has == piece))) for piece in range(6))

    def tiles(self, cells: Ints) -> Ints:
        """The corners (n, 4, 2) of some cells (n,)."""
        return np.asarray(self.places[cells][:, None] + _SQUARE)

    @property
    def middles(self) -> Floats:
        """The middles (6, 2) of the faces, and so of their cores."""
        return self.sides[:, :2] + self.sides[:, 2:] / 2


@cache
def net(x: int, y: int, z: int) -> Net:
    """The net of a box, each side at least 3 voxels."""
    box = shell(x, y, z)
    corners = np.array([[0, y], [y + x, y], [y, y], [2 * y + x, y], [y, y + z], [y, 0]])
    faces, places, voxels, spots, sides = [], [], [], [], []
    for face, layout in enumerate(box.layouts):
        spot = box.spots(face, np.moveaxis(np.indices(layout.shape), 0, -1))
        ways = _WAYS[face]
        spans = [box.size[axis] for axis, _ in ways]
        place = np.stack([
            spot[..., axis] if way > 0 else span - 1 - spot[..., axis]
            for (axis, way), span in zip(ways, spans, strict=True)
        ], 2)  # fmt: skip
        faces.append(np.full(layout.size, face))
        places.append((corners[face] + place).reshape(-1, 2))
        voxels.append(layout.ravel())
        spots.append(spot.reshape(-1, 3))
        sides.append([*corners[face].tolist(), *spans])
    size = (2 * (x + y), 2 * y + z)
    numbers = np.full(size, NOBODY, np.int64)
    everywhere = np.concatenate(places)
    numbers[everywhere[:, 0], everywhere[:, 1]] = np.arange(len(everywhere))
    upright = [[[at, y], [at, y + z]] for at in (y, y + x, 2 * y + x)]
    level = [[[y, at], [y + x, at]] for at in (y, y + z)]
    arrays = (np.concatenate(faces), everywhere, np.concatenate(voxels), np.concatenate(spots), sides, upright + level)
    faces_, places_, voxels_, spots_, sides_, folds_ = (frozen(np.array(each, np.int64)) for each in arrays)
    return Net(size, faces_, places_, voxels_, spots_, sides_, folds_, frozen(numbers))
