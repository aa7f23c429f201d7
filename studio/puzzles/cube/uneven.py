"""All places of pieces in a box whose plates have another thickness than the pitch of their teeth.

Lengths are in sides of a voxel; plates are `thick`. Pieces need not be in the rows of the box: where one ends, the next
begins, so every place is a sum of thicknesses and sides, counted from either end, and all such places are tried.
cell: what is between neighbouring ends of any of the placed pieces, along each axis.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from studio.geometry.curves.strokes import Floats, Ints
from studio.puzzles.cube.grid import Grid
from studio.puzzles.cube.shell import AXES, Mask, Shell
from studio.puzzles.cube.solve import turns_of
from studio.solving.assembly import Assembly

MOST_TRIED = 20_000
"""How many places are tried at most; boxes that have more are hundreds of times as thick as their teeth are wide."""
NEAR = 1e-6
"""Places that are nearer to each other are the same."""


@dataclass(frozen=True, eq=False)
class _Form:
    """A piece in one of its orientations: its voxels, without empty rows at its sides, and the widths of its rows."""

    mask: Mask
    widths: tuple[Floats, Floats]

    @property
    def extents(self) -> tuple[float, float]:
        return float(self.widths[0].sum()), float(self.widths[1].sum())

    @property
    def key(self) -> bytes:
        return bytes(self.mask.shape) + self.mask.tobytes() + b"".join(np.round(w, 6).tobytes() for w in self.widths)


def uneven(box: Shell, masks: Sequence[Mask], thick: float) -> Assembly | None:
    """All placements of the pieces in the shell of a box, whose plates are `thick`; None for too many to be tried."""
    grid = Grid(1.0, thick)
    kinds: dict[bytes, list[_Form]] = {}
    copies: dict[bytes, int] = {}
    for mask in masks:
        forms = _forms(mask, grid)
        kind = min(form.key for form in forms)
        kinds[kind] = forms
        copies[kind] = copies.get(kind, 0) + 1
    sides = grid.size(box.size)
    tried = sum(_tries(form, sides, thick) for forms in kinds.values() for form in forms)
    if tried > MOST_TRIED:
        return None
    placed = [
        (number, boxes) for number, forms in enumerate(kinds.values()) for form in forms
        for boxes in _places(form, sides, thick)
    ]  # fmt: skip
    cells, symmetries = _cells([boxes for _, boxes in placed], sides, box.size, thick)
    owners = np.array([number for number, _ in placed], np.int64)
    # A strip as wide as a plate is thick lies in two planes at once, and is one placement.
    _, once = np.unique(np.column_stack([owners, cells]), axis=0, return_index=True)
    return Assembly(cells[once], owners[once], tuple(copies.values()), symmetries)


def _forms(mask: Mask, grid: Grid) -> list[_Form]:
    """The different orientations of a piece."""
    widths = [np.diff(grid.lines(count)) for count in mask.shape]
    rows = [np.flatnonzero(mask.any(axis=1 - axis)) for axis in (0, 1)]
    ends = [slice(int(row[0]), int(row[-1]) + 1) for row in rows]
    small, across = mask[ends[0], ends[1]], [width[end] for width, end in zip(widths, ends, strict=True)]
    found: dict[bytes, _Form] = {}
    for way, rows_, columns in ((small, across[0], across[1]), (small.T, across[1], across[0])):
        for down in (1, -1):
            for right in (1, -1):
                form = _Form(way[::down, ::right], (rows_[::down], columns[::right]))
                found.setdefault(form.key, form)
    return [*found.values()]


def _sums(length: float, thick: float) -> Floats:
    """All sums of thicknesses and sides up to a length, with 0."""
    some = [i * thick + np.arange(int(length - i * thick + NEAR) + 1) for i in range(int(length / thick + NEAR) + 1)]
    return np.unique(np.round(np.concatenate(some), 9))


def _starts(extent: float, side: float, thick: float) -> list[float]:
    """Where something of an extent can begin along a side: a sum of lengths from either end."""
    free = side - extent
    if free < -NEAR:
        return []
    sums = _sums(side, thick)
    return [
        start for start in sums[sums <= free + NEAR].tolist() if np.abs(sums - (free - start)).min() < NEAR
    ]  # fmt: skip


def _tries(form: _Form, sides: Floats, thick: float) -> int:
    """How many places are tried for a piece in one orientation."""
    found = 0
    for axis in range(3):
        lengths = zip((thick, *form.extents), (axis, *AXES[2 * axis]), strict=True)
        found += int(np.prod([len(_starts(extent, sides[each], thick)) for extent, each in lengths]))
    return found


def _places(form: _Form, sides: Floats, thick: float) -> Iterator[Floats]:
    """The boxes (k, 2, 3) of the voxels of a piece in each of its places in the shell."""
    hollow = np.array([np.full(3, thick), sides - thick])
    edges = [np.concatenate([[0.0], np.cumsum(width)]) for width in form.widths]
    spots = np.argwhere(form.mask)
    for axis in range(3):
        one, other = AXES[2 * axis]
        starts = [_starts(extent, sides[each], thick) for extent, each in zip(form.extents, (one, other), strict=True)]
        for depth in _starts(thick, sides[axis], thick):
            for first in starts[0]:
                for second in starts[1]:
                    boxes = np.empty((len(spots), 2, 3))
                    boxes[:, :, axis] = depth, depth + thick
                    boxes[:, :, one] = first + np.stack([edges[0][spots[:, 0]], edges[0][spots[:, 0] + 1]], 1)
                    boxes[:, :, other] = second + np.stack([edges[1][spots[:, 1]], edges[1][spots[:, 1] + 1]], 1)
                    within = (boxes[:, 0] < hollow[1] - NEAR) & (boxes[:, 1] > hollow[0] + NEAR)
                    if not within.all(axis=1).any():
                        yield boxes


def _cells(
    placed: Sequence[Floats], sides: Floats, size: tuple[int, int, int], thick: float
) -> tuple[Mask, Ints]:  # fmt: skip
    """Which cells of the shell each of the placed pieces fills, and the symmetries of the box as their permutations."""
    ends = np.concatenate(placed).reshape(-1, 3)
    lines = []
    for axis in range(3):
        found = np.sort(np.concatenate([ends[:, axis], [0.0, thick, sides[axis] - thick, sides[axis]]]))
        lines.append(found[np.concatenate([[True], np.diff(found) > NEAR])])
    counts = tuple(len(line) - 1 for line in lines)
    middles = np.stack(np.meshgrid(*((line[1:] + line[:-1]) / 2 for line in lines), indexing="ij"), -1).reshape(-1, 3)
    shell = ~((middles > thick) & (middles < sides - thick)).all(axis=1)
    names = np.full(len(middles), -1)
    names[shell] = np.arange(int(shell.sum()))
    rows = np.zeros((len(placed), int(shell.sum())), bool)
    for row, boxes in zip(rows, placed, strict=True):
        full = np.zeros(counts, bool)
        at = [np.searchsorted(lines[axis], boxes[:, :, axis] - NEAR) for axis in range(3)]
        for low, high in zip(*(np.stack([each[:, end] for each in at], 1).tolist() for end in (0, 1)), strict=True):
            full[low[0] : high[0], low[1] : high[1], low[2] : high[2]] = True
        row[names[full.ravel()]] = True
    centred = middles[shell] - sides / 2
    known = {tuple(place): number for number, place in enumerate((np.round(centred, 5) + 0.0).tolist())}
    symmetries = [
        [known[tuple(place)] for place in (np.round(centred @ turn.T, 5) + 0.0).tolist()] for turn in turns_of(size)
    ]
    return rows, np.array(symmetries, np.int64)
