"""Rounded voxels: a closed mesh of boxes that hang together.

Every corner of the mesh belongs to the rounding of one corner of one box, an octant; everything else is spanned between
octants. So the closed surface is built directly, without cutting or joining bodies.
flat: a side of a box within its roundings. bridge: the part of the slab between two boxes. crossing: its part between
four. level: a rectangle of voxels whose top is one flat, its grooves filled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product

import numpy as np

from studio.geometry.curves.strokes import Floats, Ints
from studio.geometry.planar.polyomino import Mask
from studio.geometry.solids.solid import Mesh, even_cap, on_grid, plate, steps_of

Level = tuple[int, int, int, int]
"""A rectangle of voxels: first and second index of its least corner, then of its greatest corner, exclusive."""
Octant = tuple[int, int, int]
X, Y, Z = range(3)


def voxel_facets(voxels: int, steps: int) -> int:
    """Estimated number of triangles of rounded voxels, rather too many than too few; `steps` as in `steps_of`."""
    return voxels * (8 * steps**2 + 24 * steps + 20)


def voxels(mask: Mask, unit: float, gap: float, radius: float, segments: int, level: Level | None = None) -> Mesh:
    """A flat piece of voxels as rounded boxes, half the gap taken off each, joined by a slab as wide as their flats.

    The slab lies between facing flats of the boxes and fills the opening between four boxes.
    """
    steps = steps_of(radius, segments)
    # Without roundings the slab is the whole piece.
    return (
        _Maker(mask, unit, gap, radius, steps, level).mesh()
        if steps
        else plate(mask, unit, gap, 0.0, segments, rounded=False)
    )


@dataclass(frozen=True, eq=False)
class _Patch:
    """The rounding of a corner: barycentric numbers (m, 3) of its points, their directions, and its triangles."""

    numbers: Ints
    ways: Floats
    triangles: Ints

    def at(self, *numbers: int) -> int:
        """The point with the barycentric numbers."""
        return int(np.flatnonzero((self.numbers == numbers).all(axis=1))[0])

    def arc(self, start: int, end: int) -> Ints:
        """The points of the rim from the pole of one axis to the pole of another."""
        rim = np.flatnonzero(self.numbers[:, 3 - start - end] == 0)
        return rim[np.argsort(self.numbers[rim, end], kind="stable")]

    def pole(self, axis: int) -> int:
        """The point on an axis."""
        return int(self.numbers[:, axis].argmax())


@cache
def _patch(steps: int) -> _Patch:
    numbers = np.array([(i, j, steps - i - j) for i in range(steps + 1) for j in range(steps + 1 - i)], np.int64)
    ways = np.sin(np.pi / 2 * numbers / steps)
    row = np.cumsum([0, *(steps + 1 - i for i in range(steps))])
    triangles = []
    for i in range(steps):
        for j in range(steps - i):
            here, there = row[i] + j, row[i + 1] + j
            triangles.append((here, there, here + 1))
            if j < steps - i - 1:
                triangles.append((here + 1, there, there + 1))
    return _Patch(numbers, ways / np.linalg.norm(ways, axis=1)[:, None], np.array(triangles, np.int64))


class _Maker:
    """Gathers the triangles of one piece with their true normals."""

    def __init__(self, mask: Mask, unit: float, gap: float, radius: float, steps: int, level: Level | None) -> None:
        self._unit, self._gap, self._radius = unit, gap, radius
        self._patch = _patch(steps)
        self._mask = np.pad(mask, 1)
        self._core = np.zeros_like(self._mask)
        if level is not None:
            self._core[level[0] + 1 : level[2] + 1, level[1] + 1 : level[3] + 1] = True
        self._places = np.argwhere(self._mask) - 1
        self._numbers = np.full(self._mask.shape, -1, np.int64)
        self._numbers[self._mask] = np.arange(len(self._places))
        self._level = level
        self._triangles: list[Ints] = []
        self._normals: list[Floats] = []

    def mesh(self) -> Mesh:
        """The piece."""
        self._boxes()
        self._bridges()
        # The bottom and the top of the slab between four boxes.
        full = self._all_four(self._mask)
        for up in (0, 1):
            open_ = full & ~self._all_four(self._core) if up else full
            lower, right = self._numbers[:-1, :-1][open_], self._numbers[1:, :-1][open_]
            left, upper = self._numbers[:-1, 1:][open_], self._numbers[1:, 1:][open_]
            rims = np.concatenate([
                self._arc(lower, (1, 1, up), Y, X), self._arc(right, (0, 1, up), X, Y),
                self._arc(upper, (0, 0, up), Y, X), self._arc(left, (1, 0, up), X, Y),
            ], 1)  # fmt: skip
            self._fill(rims, (X, Y), np.eye(3)[Z] * (2 * up - 1))
        if self._level is not None:
            self._cover(self._level)
        triangles = self._welded[np.concatenate(self._triangles)]
        used, numbers = np.unique(triangles, return_inverse=True)
        return Mesh(self._points[used], numbers.reshape(triangles.shape), np.concatenate(self._normals))

    # Corners of the mesh

    @cached_property
    def _points(self) -> Floats:
        """All points of all octants (v · 8 · m, 3) in mm."""
        low, high = self._gap / 2 + self._radius, self._unit - self._gap / 2 - self._radius
        octants = np.array(list(product((0, 1), repeat=3)))
        local = (
            np.where(octants, high, low)[:, None]
            + self._radius * np.where(octants, 1, -1)[:, None] * (self._patch.ways[None])
        )
        places = np.column_stack([self._places, np.zeros(len(self._places), np.int64)]) * self._unit
        return on_grid((places[:, None, None] + on_grid(local)[None]).reshape(-1, 3))

    @cached_property
    def _welded(self) -> Ints:
        """The representative of each point: without a gap, facing flats share their corners."""
        welded = np.arange(len(self._points))
        if self._gap == 0:
            for axis, (b, c) in product((X, Y), product((0, 1), repeat=2)):
                here, there = self._beside(axis)
                welded[self._at(here, _octant(axis, 1, b, c), axis)] = self._at(there, _octant(axis, 0, b, c), axis)
        return welded

    def _local(self, octant: Octant, point: int | Ints) -> Ints:
        a, b, c = octant
        return np.asarray((4 * a + 2 * b + c) * len(self._patch.ways) + point)

    def _at(self, voxels: Ints, octant: Octant, axis: int) -> Ints:
        """The points (n,) at which an octant of voxels touches the flat across an axis."""
        return np.asarray(8 * len(self._patch.ways) * voxels + self._local(octant, self._patch.pole(axis)))

    def _arc(self, voxels: Ints, octant: Octant, start: int, end: int) -> Ints:
        """The rim (n, steps + 1) of an octant of voxels from the flat across one axis to the flat across another."""
        return np.asarray(
            8 * len(self._patch.ways) * voxels[:, None] + self._local(octant, self._patch.arc(start, end))
        )

    def _beside(self, axis: int, without: Mask | None = None) -> tuple[Ints, Ints]:
        """Pairs of voxels side by side along an axis, except pairs within `without`."""
        both = self._both(self._mask, axis)
        if without is not None:
            both &= ~self._both(without, axis)
        one, other = self._shifted(self._numbers, axis)
        return one[both], other[both]

    @staticmethod
    def _shifted(grid: Ints, axis: int) -> tuple[Ints, Ints]:
        return (grid[:-1], grid[1:]) if axis == X else (grid[:, :-1], grid[:, 1:])

    @staticmethod
    def _both(grid: Mask, axis: int) -> Mask:
        return (grid[:-1] & grid[1:]) if axis == X else (grid[:, :-1] & grid[:, 1:])

    @staticmethod
    def _all_four(grid: Mask) -> Mask:
        """Mask of crossings (a - 1, b - 1) between four voxels of the grid."""
        return grid[:-1, :-1] & grid[1:, :-1] & grid[:-1, 1:] & grid[1:, 1:]

    def _of_voxels(self, grid: Mask, shift: tuple[int, int] = (0, 0)) -> Mask:
        """Look up a grid at each voxel, or at its neighbour."""
        i, j = (self._places + 1 + np.array(shift)).T
        return np.asarray(grid[i, j])

    # Triangles

    def _add(self, triangles: Ints, normals: Floats) -> None:
        """Add triangles (n, 3) with the normals (n, 3, 3) of their corners."""
        self._triangles.append(triangles)
        self._normals.append(np.broadcast_to(normals, (*triangles.shape, 3)))

    def _quads(self, a: Ints, b: Ints, c: Ints, d: Ints, normal: Floats) -> None:
        """Flat quadrilaterals, their corners counter-clockwise as seen from outside."""
        if not len(a):
            return
        corners = self._points[[a[0], b[0], c[0]]]
        turned = float(np.cross(corners[1] - corners[0], corners[2] - corners[0]) @ normal) < 0
        one, other = ([a, c, b], [a, d, c]) if turned else ([a, b, c], [a, c, d])
        self._add(np.concatenate([np.stack(one, 1), np.stack(other, 1)]), normal)

    def _boxes(self) -> None:
        """The octants, the quarter cylinders between two of them and the flats between four."""
        core, inside = self._of_voxels(self._core), self._all_four(self._core)
        all_voxels = np.arange(len(self._places))
        for a, b, c in product((0, 1), repeat=3):
            i, j = (self._places + np.array([a, b])).T
            self._octants(all_voxels[~inside[i, j]] if c else all_voxels, (a, b, c))
        crossed = self._all_four(self._mask)
        for b, c in product((0, 1), repeat=2):
            i, j = (self._places + np.array([b, c])).T
            self._cylinders(all_voxels[~crossed[i, j]], Z, b, c)
            for axis in (X, Y):
                next_ = _along(1 - axis, 2 * b - 1)
                covered = core & self._of_voxels(self._core, next_) if c else np.zeros_like(core)
                self._cylinders(all_voxels[~covered], axis, b, c)
        for axis, side in product(range(3), (0, 1)):
            if axis == Z:
                hidden = core if side else np.zeros_like(core)
            else:
                hidden = self._of_voxels(self._mask, _along(axis, 2 * side - 1))
            self._flats(all_voxels[~hidden], axis, side)

    def _octants(self, voxels: Ints, octant: Octant) -> None:
        signs = np.where(octant, 1, -1)
        triangles = self._patch.triangles[:, :: int(signs.prod())]
        count = 8 * len(self._patch.ways)
        self._add(
            (count * voxels[:, None, None] + self._local(octant, triangles)[None]).reshape(-1, 3),
            np.tile((self._patch.ways * signs)[triangles], (len(voxels), 1, 1)),
        )

    def _cylinders(self, voxels: Ints, axis: int, b: int, c: int) -> None:
        """The rounding of the edge along an axis at the ends b and c of the other two."""
        one, other = (each for each in range(3) if each != axis)
        arcs = [self._arc(voxels, _octant(axis, end, b, c), one, other) for end in (0, 1)]
        ways = self._patch.ways[self._patch.arc(one, other)] * np.where(_octant(axis, 0, b, c), 1, -1)
        ways[:, axis] = 0.0
        # Along the axis, then from one flat to the other: seen from outside that turns left or right by the ends.
        is_left = (b == c) == (axis == Y)
        first, second = arcs if is_left else arcs[::-1]
        for corners, places in (
            ((first[:, :-1], second[:, :-1], second[:, 1:]), (ways[:-1], ways[:-1], ways[1:])),
            ((first[:, :-1], second[:, 1:], first[:, 1:]), (ways[:-1], ways[1:], ways[1:])),
        ):
            self._add(np.stack(corners, 2).reshape(-1, 3), np.tile(np.stack(places, 1), (len(voxels), 1, 1)))

    def _flats(self, voxels: Ints, axis: int, side: int) -> None:
        corners = (self._at(voxels, _octant(axis, side, b, c), axis) for b, c in ((0, 0), (1, 0), (1, 1), (0, 1)))
        a, b, c, d = corners
        self._quads(a, b, c, d, np.eye(3)[axis] * (2 * side - 1))

    def _bridges(self) -> None:
        """The bottom, the top and the sides of the slab between two boxes."""
        if self._gap == 0:
            return
        crossed = self._all_four(self._mask)
        for axis in (X, Y):
            aside = 1 - axis
            for up in (0, 1):
                here, there = self._beside(axis, self._core if up else None)
                a, b = (self._at(here, _octant(axis, 1, side, up), axis) for side in (0, 1))
                d, c = (self._at(there, _octant(axis, 0, side, up), axis) for side in (0, 1))
                self._quads(a, b, c, d, np.eye(3)[Z] * (2 * up - 1))
            both = self._both(self._mask, axis)
            one, other = self._shifted(self._numbers, axis)
            for side in (0, 1):
                # The crossing on the lower or the upper side of a pair.
                beside = np.zeros_like(both)
                if axis == X:
                    beside[:, 1:-1] = crossed[:, side : crossed.shape[1] - 1 + side]
                else:
                    beside[1:-1] = crossed[side : crossed.shape[0] - 1 + side]
                here, there = one[both & ~beside], other[both & ~beside]
                a, b = (self._at(here, _octant(axis, 1, side, up), axis) for up in (0, 1))
                d, c = (self._at(there, _octant(axis, 0, side, up), axis) for up in (0, 1))
                self._quads(a, b, c, d, np.eye(3)[aside] * (2 * side - 1))

    def _fill(self, rims: Ints, axes: tuple[int, int], normal: Floats) -> None:
        """Fill flat rims (n, k) of the same form, counter-clockwise if the two axes run right and up."""
        if not len(rims):
            return
        rim = rims[0]
        # Without a gap, some of their corners coincide.
        kept = self._welded[rim] != self._welded[np.roll(rim, 1)]
        cap = even_cap(self._points[self._welded[rim[kept]]][:, axes])
        # A pair of axes against the right-hand rule turns the cap over.
        if normal[3 - sum(axes)] * (1 if axes in ((X, Y), (Y, Z), (Z, X)) else -1) < 0:
            cap = cap[:, ::-1]
        self._add(rims[:, kept][:, cap].reshape(-1, 3), normal)

    def _cover(self, level: Level) -> None:
        """The flat over the level, and its sides in the grooves at its rim."""
        i, j, right, back = level
        bottom, top = self._numbers[i + 1 : right + 1, j + 1], self._numbers[i + 1 : right + 1, back]
        first, last = self._numbers[i + 1, j + 1 : back + 1], self._numbers[right, j + 1 : back + 1]
        rim = [
            *_pairs(bottom, lambda side: (side, 0, 1)), *_pairs(last, lambda side: (1, side, 1)),
            *_pairs(top[::-1], lambda side: (1 - side, 1, 1)), *_pairs(first[::-1], lambda side: (0, 1 - side, 1)),
        ]  # fmt: skip
        names = np.array([int(self._at(np.array([voxel]), octant, Z)[0]) for voxel, octant in rim])
        self._fill(names[names != np.roll(names, 1)][None], (X, Y), np.eye(3)[Z])
        for axis, side, row in ((X, 0, first), (X, 1, last), (Y, 0, bottom), (Y, 1, top)):
            here, there = row[:-1], row[1:]
            across = 1 - axis
            begin, end = ((side, 1, 1), (side, 0, 1)) if axis == X else ((1, side, 1), (0, side, 1))
            rims = np.concatenate([self._arc(here, begin, Z, across), self._arc(there, end, across, Z)], 1)
            self._fill(rims, (across, Z), np.eye(3)[axis] * (2 * side - 1))


def _octant(axis: int, side: int, b: int, c: int) -> Octant:
    """The corner at an end of an axis and at the ends b and c of the other two, in their order."""
    ends = [b, c]
    ends.insert(axis, side)
    return ends[0], ends[1], ends[2]


def _along(axis: int, step: int) -> tuple[int, int]:
    return (step, 0) if axis == X else (0, step)


def _pairs(voxels: Ints, octant: Callable[[int], Octant]) -> Iterator[tuple[int, Octant]]:
    """Both ends of a side of each voxel, in their order."""
    for voxel in voxels.tolist():
        for side in (0, 1):
            yield voxel, octant(side)
