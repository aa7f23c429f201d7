"""All the ways in which six pieces go together to their box.

off the faces: a piece can also be in the ring between two faces if it is only one voxel wide everywhere, and two pieces
can then share a face. That takes a piece whose core is one voxel wide, so it only happens to boxes with a side of 3.
Where no piece fits off the faces, each face must be filled by one piece that covers the whole core of that face.
even: whether all voxels are alike. Where plates have another thickness, a piece fits the rows of a face in no more than
eight ways; all places in which it may be between such rows are tried in `studio/puzzles/cube/uneven.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations, product

import numpy as np

from studio.base.progress import Progress
from studio.geometry.curves.strokes import Floats, Ints, frozen
from studio.puzzles.cube.shell import NOBODY, Mask, Owners, Shell, shell, signature, trimmed, turned
from studio.solving.assembly import MOST_NODES, Assembly, count, listed
from studio.solving.solved import Count

MOST_SOLUTIONS = 10_000
"""The search stops here; more solutions are shown as "at least"."""


def solved(
    box: Shell,
    masks: Sequence[Mask],
    progress: Progress,
    *,
    most: int = MOST_SOLUTIONS,
    most_nodes: int = MOST_NODES,
    thick: float = 1.0,
) -> Count:
    """How many ways the six pieces of a box go together; turned and mirrored boxes, and swapped twins, count once.

    Plates are `thick`, in sides of a voxel.
    Mirrored ones count once because a mirrored assembly is one of the same pieces: flat pieces flip.
    """
    if thick == 1.0:
        made = assembly(box, masks)
    else:
        from studio.puzzles.cube.uneven import uneven

        found = uneven(box, masks, thick)
        if found is None:
            return Count(1, False, 0, 0.0)
        made = found
    return count(made, progress, most=most, most_nodes=most_nodes).of_solved


def is_unique(box: Shell, masks: Sequence[Mask], progress: Progress) -> bool:
    """Whether the pieces are known to go together in one way only."""
    found = solved(box, masks, progress, most=2)
    return found.complete and found.solutions == 1


def kind_of(mask: Mask, *, even: bool = True) -> bytes:
    """The same bytes for two pieces that are the same one turned, flipped or, between even voxels, moved."""
    return signature(mask) if even else min(bytes(one.shape) + one.tobytes() for one in turned(mask))


def assembly(box: Shell, masks: Sequence[Mask], *, even: bool = True) -> Assembly:
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
    """Where a piece of a kind, its signature, is in a solution: its voxels (k, 3) in the box."""

    kind: bytes
    places: Ints


def found_ways(
    box: Shell, masks: Sequence[Mask], progress: Progress, *, most: int, even: bool = True
) -> tuple[list[list[Spots]], Count]:
    """The solutions up to symmetry, each as the places of the six pieces, and their number; up to `most`."""
    made = assembly(box, masks, even=even)
    kinds = list(dict.fromkeys(kind_of(mask, even=even) for mask in masks))
    found = listed(made, progress, most=most)
    everywhere = np.argwhere(_numbers(box.size) != NOBODY)
    cores = [box.spots(face, np.argwhere(layout == NOBODY)) for face, layout in enumerate(box.layouts)]

    # A box of 3 × 3 × 3 has as many voxels as open ones and cores.
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


def first_on_faces(box: Shell, masks: Sequence[Mask], progress: Progress, *, most_nodes: int) -> Owners | None:
    """Who owns which open voxel of a box in the first way found of putting a piece on each face; None without one."""
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
    """The different pieces, each in all its orientations, and how many there are of each."""
    types: dict[bytes, int] = {}
    numbers = [types.setdefault(kind_of(mask, even=even), len(types)) for mask in masks]
    ways = [_ways(masks[numbers.index(number)], even=even) for number in range(len(types))]
    return ways, tuple(numbers.count(number) for number in range(len(types)))


def _ways(mask: Mask, *, even: bool) -> list[Mask]:
    """The different orientations of a piece; between voxels that are not even, with the empty rows at its sides."""
    found = {bytes(way.shape) + way.tobytes(): way for way in turned(trimmed(mask) if even else mask)}
    return list(found.values())


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


def _on_faces(box: Shell, ways: Sequence[Sequence[Mask]]) -> tuple[Mask, Ints]:
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


def _everywhere(box: Shell, ways: Sequence[Sequence[Mask]]) -> tuple[Mask, Ints, bool]:
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
    return frozen(np.array([_moved(middles, turn) for turn in turns_of(size)], np.int64))


def turns_of(size: tuple[int, int, int]) -> list[Floats]:
    """The 8, 16 or 48 signed permutations of axes that bring a box onto itself, the identity first."""
    turns = []
    for order in permutations(range(3)):
        if all(size[axis] == size[order[axis]] for axis in range(3)):
            turns += [np.eye(3)[list(order)] * np.array(signs)[:, None] for signs in product((1, -1), repeat=3)]
    return turns


def _moved(middles: Floats, turn: Floats) -> list[int]:
    numbers = {tuple(middle): number for number, middle in enumerate(middles.tolist())}
    return [numbers[tuple(each)] for each in (middles @ turn.T + 0.0).tolist()]
