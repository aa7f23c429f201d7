"""All ways to assemble six pieces into their box.

off the faces: a piece can also be in the ring between two faces if it is only one voxel wide everywhere, and two pieces
can then share a face. That takes a piece whose core is one voxel wide, so it only happens to boxes with a side of 3.
If no piece fits off the faces, each face must be filled by one piece that covers the whole core of that face.
even: True if all voxels are alike. If plates have another thickness, a piece fits the rows of a face in no more than
eight ways; `uneven` tries all its places between such rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations, product

import numpy as np

from studio.base.progress import Progress
from studio.geometry.curves.strokes import Floats, Ints, frozen
from studio.puzzles.cube.model import Grid
from studio.puzzles.cube.shell import AXES, NOBODY, CubeShell, Mask, Owners, shell, signature, trimmed, turned
from studio.solving.assembly import MOST_NODES, Assembly, Count, count, listed

MOST_SOLUTIONS = 10_000
"""The search stops here; more solutions are shown as "at least"."""


def solved(
    box: CubeShell,
    masks: Sequence[Mask],
    progress: Progress,
    *,
    most: int = MOST_SOLUTIONS,
    most_nodes: int = MOST_NODES,
    thick: float = 1.0,
) -> Count:
    """Count the ways to put six pieces together; turned and mirrored boxes, and swapped twins, count once.

    Plates are `thick`, in sides of a voxel.
    Mirrored ones count once because a mirrored assembly is one of the same pieces: flat pieces flip.
    """
    if thick == 1.0:
        made = assembly(box, masks)
    else:
        found = uneven(box, masks, thick)
        if found is None:
            return Count(1, False, 0, 0.0)
        made = found
    return count(made, progress, most=most, most_nodes=most_nodes).of_solved


def is_unique(box: CubeShell, masks: Sequence[Mask], progress: Progress) -> bool:
    """True if the pieces provably go together in one way only."""
    found = solved(box, masks, progress, most=2)
    return found.complete and found.solutions == 1


def kind_of(mask: Mask, *, even: bool = True) -> bytes:
    """The same bytes for two pieces that are the same one turned, flipped or, between even voxels, moved."""
    return signature(mask) if even else min(bytes(one.shape) + one.tobytes() for one in turned(mask))


def assembly(box: CubeShell, masks: Sequence[Mask], *, even: bool = True) -> Assembly:
    """All placements of the pieces in the shell."""
    ways, copies = _types(masks, even=even)
    everywhere = even and min(box.size) == 3
    if everywhere:
        cells, owners, off = _everywhere(box, ways)
        if off:
            return Assembly(cells, owners, copies, _symmetries(box.size, True))
    cells, owners = _on_faces(box, ways)
    return Assembly(cells, owners, copies, _symmetries(box.size, False))


@dataclass(frozen=True, eq=False)
class Spots:
    """The place of a piece in a solution: its kind, which is its signature, and its voxels (k, 3) in the box."""

    kind: bytes
    places: Ints


def found_ways(
    box: CubeShell, masks: Sequence[Mask], progress: Progress, *, most: int, even: bool = True
) -> tuple[list[list[Spots]], Count]:
    """The solutions up to symmetry, each as the places of the six pieces, and their number; up to `most`."""
    made = assembly(box, masks, even=even)
    kinds = list(dict.fromkeys(kind_of(mask, even=even) for mask in masks))
    found = listed(made, progress, most=most)
    everywhere = np.argwhere(_numbers(box.size) != NOBODY)
    cores = [box.spots(face, np.argwhere(layout == NOBODY)) for face, layout in enumerate(box.layouts)]

    # Not told by lengths: the shell of a 3 × 3 × 3 box has as many voxels as open ones and cores together.
    is_everywhere = made.symmetries is _symmetries(box.size, True)

    def places(row: Mask) -> Ints:
        if is_everywhere:
            return everywhere[row]
        core = cores[int(row[len(box.names) :].argmax())]
        return np.concatenate([box.places[row[: len(box.names)]], core])

    ways = [
        [Spots(kinds[int(made.types[each])], places(made.cells[each])) for each in placements]
        for placements in found.ways
    ]
    return ways, found.count


def first_on_faces(box: CubeShell, masks: Sequence[Mask], progress: Progress, *, most_nodes: int) -> Owners | None:
    """The owners of a box's open voxels in the first way found with a piece on each face; None without such a way."""
    ways, copies = _types(masks)
    cells, owners = _on_faces(box, ways)
    if not len(cells):
        return None
    found = listed(Assembly(cells, owners, copies, _symmetries(box.size, False)), progress, most=1,
                   most_nodes=most_nodes)  # fmt: skip
    if not found.ways:
        return None
    open_ = len(box.names)
    having = np.full(open_, NOBODY, np.int8)
    for placement in found.ways[0]:
        having[cells[placement, :open_]] = int(cells[placement, open_:].argmax())
    return having


def _types(masks: Sequence[Mask], *, even: bool = True) -> tuple[list[list[Mask]], tuple[int, ...]]:
    """The different pieces, each in all its orientations, and their counts."""
    types: dict[bytes, int] = {}
    numbers = [types.setdefault(kind_of(mask, even=even), len(types)) for mask in masks]
    ways = []
    for number in range(len(types)):
        # Between voxels that are not even, a piece has the empty rows at its sides.
        mask = masks[numbers.index(number)]
        found = {bytes(way.shape) + way.tobytes(): way for way in turned(trimmed(mask) if even else mask)}
        ways.append(list(found.values()))
    return ways, tuple(numbers.count(number) for number in range(len(types)))


def _placed(ways: Sequence[Sequence[Mask]], a: int, b: int) -> tuple[Mask, Ints]:
    """All pieces (k, a, b) in all ways and places within a × b voxels, and the type of each (k,)."""
    placed, types = [], []
    for type_, some in enumerate(ways):
        for way in some:
            h, w = way.shape
            for i, j in product(range(a - h + 1), range(b - w + 1)):
                sheet = np.zeros((a, b), bool)
                sheet[i : i + h, j : j + w] = way
                placed.append(sheet)
                types.append(type_)
    return np.array(placed, bool).reshape(-1, a, b), np.array(types, np.int64)


def _on_faces(box: CubeShell, ways: Sequence[Sequence[Mask]]) -> tuple[Mask, Ints]:
    """The placements that cover the core of a face, over the open voxels and, as one cell each, the six cores."""
    placed = {shape: _placed(ways, *shape) for shape in {layout.shape for layout in box.layouts}}
    for shape, (sheets, types) in placed.items():
        covering = sheets[:, 1:-1, 1:-1].all(axis=(1, 2))
        placed[shape] = sheets[covering], types[covering]
    cells, owners = [], []
    for face, layout in enumerate(box.layouts):
        sheets, types = placed[layout.shape]
        rows = np.zeros((len(sheets), len(box.names) + 6), bool)
        rows[:, np.where(layout == NOBODY, len(box.names) + face, layout).ravel()] = sheets.reshape(
            len(sheets), layout.size
        )
        cells.append(rows)
        owners.append(types)
    return np.concatenate(cells), np.concatenate(owners)


def _everywhere(box: CubeShell, ways: Sequence[Sequence[Mask]]) -> tuple[Mask, Ints, bool]:
    """The placements anywhere in the shell, over all its voxels, and whether any lies off the faces."""
    numbers = _numbers(box.size)
    cells, owners, off = [], [], False
    known: set[bytes] = set()
    for axis, size in enumerate(box.size):
        for at in range(size):
            plane = np.take(numbers, at, axis=axis)
            sheets, types = _placed(ways, *plane.shape)
            if 0 < at < size - 1:
                free = ~sheets[:, 1:-1, 1:-1].any(axis=(1, 2))
                sheets, types = sheets[free], types[free]
                off = off or bool(len(sheets))
            rows = np.zeros((len(sheets), int(numbers.max()) + 1), bool)
            shown = plane != NOBODY
            rows[:, plane[shown]] = sheets[:, shown]
            # A strip one voxel wide lies in two planes at once, and is one placement.
            keys = [bytes([type_]) + row.tobytes() for type_, row in zip(types.tolist(), rows, strict=True)]
            fresh = [number for number, key in enumerate(keys) if key not in known]
            known.update(keys)
            cells.append(rows[fresh])
            owners.append(types[fresh])
    return np.concatenate(cells), np.concatenate(owners), off


@cache
def _numbers(size: tuple[int, int, int]) -> Ints:
    """Every voxel of the shell numbered; NOBODY within."""
    inside = np.zeros(size, bool)
    inside[1:-1, 1:-1, 1:-1] = True
    numbers = np.full(size, NOBODY, np.int64)
    numbers[~inside] = np.arange(int((~inside).sum()))
    return frozen(numbers)


@cache
def _symmetries(size: tuple[int, int, int], everywhere: bool) -> Ints:
    """The turns and mirrorings of a box as permutations (g, c) of the cells of its placements."""
    half = (np.array(size) - 1) / 2
    if everywhere:
        middles = np.argwhere(_numbers(size) != NOBODY) - half
    else:
        cores = [np.eye(3)[face // 2] * half * (1 if face % 2 else -1) for face in range(6)]
        middles = np.concatenate([shell(*size).places - half, np.array(cores)])
    numbers = {tuple(middle): number for number, middle in enumerate(middles.tolist())}
    moved = ((middles @ turn.T + 0.0).tolist() for turn in turns_of(size))
    return frozen(np.array([[numbers[tuple(each)] for each in one] for one in moved], np.int64))


def turns_of(size: tuple[int, int, int]) -> list[Floats]:
    """The 8, 16 or 48 signed permutations of axes that bring a box onto itself, the identity first."""
    turns = []
    for order in permutations(range(3)):
        if all(size[axis] == size[order[axis]] for axis in range(3)):
            turns += [np.eye(3)[list(order)] * np.array(signs)[:, None] for signs in product((1, -1), repeat=3)]
    return turns


# All places of pieces in a box whose plates have another thickness than the pitch of their teeth.
# Lengths are in sides of a voxel; plates are `thick`. Pieces need not be in the rows of the box: each begins at the
# end of another, so every place is a sum of thicknesses and sides, counted from either end, and all such places are
# tried. cell: the space between neighbouring ends of any of the placed pieces, along each axis.


MOST_TRIED = 20_000
"""Most places tried; boxes that have more are hundreds of times as thick as their teeth are wide."""
NEAR = 1e-6
"""Distance below which two places are the same."""


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


def uneven(box: CubeShell, masks: Sequence[Mask], thick: float) -> Assembly | None:
    """All placements of the pieces in the shell of a box with plates `thick`; None if there are too many to try."""
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


def _starts(extent: float, side: float, thick: float) -> list[float]:
    """Starts of an extent along a side, each a sum of lengths from either end."""
    free = side - extent
    if free < -NEAR:
        return []
    # All sums of thicknesses and sides up to a length, with 0.
    some = [i * thick + np.arange(int(side - i * thick + NEAR) + 1) for i in range(int(side / thick + NEAR) + 1)]
    sums = np.unique(np.round(np.concatenate(some), 9))
    return [
        start for start in sums[sums <= free + NEAR].tolist() if np.abs(sums - (free - start)).min() < NEAR
    ]  # fmt: skip


def _tries(form: _Form, sides: Floats, thick: float) -> int:
    """Number of places tried for a piece in one orientation."""
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
    """Cells of the shell that each placed piece fills, and the symmetries of the box as permutations of cells."""
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
