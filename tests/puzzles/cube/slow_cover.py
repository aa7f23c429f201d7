"""A second, slow opinion on assemblies: exact cover over sets of voxels in space, knowing nothing of faces or bits.

Pieces are sets of voxels, turned by the 24 rotations of space and moved to every place in the box; solutions are sets
of sets, brought to one form by all symmetries of the box. Nothing of it is shared with the studio's own search.
"""

from collections.abc import Iterator
from itertools import permutations, product

Voxel = tuple[int, int, int]
Piece = frozenset[Voxel]


def _rotations() -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Axis orders and signs of determinant 1."""
    found = []
    for order in permutations(range(3)):
        odd = sum(order[i] > order[j] for i in range(3) for j in range(i + 1, 3)) % 2
        for signs in product((1, -1), repeat=3):
            if (signs.count(-1) + odd) % 2 == 0:
                found.append((order, signs))
    return found


def _moved_to_origin(piece: Piece) -> Piece:
    low = [min(voxel[axis] for voxel in piece) for axis in range(3)]
    return frozenset((x - low[0], y - low[1], z - low[2]) for x, y, z in piece)


def _turned(piece: Piece) -> set[Piece]:
    return {
        _moved_to_origin(frozenset((s[0] * v[o[0]], s[1] * v[o[1]], s[2] * v[o[2]]) for v in piece))
        for o, s in _rotations()
    }


def _placed(piece: Piece, size: Voxel, shell: Piece) -> set[Piece]:
    found = set()
    for way in _turned(piece):
        reach = [size[axis] - max(voxel[axis] for voxel in way) for axis in range(3)]
        for dx, dy, dz in product(*(range(max(0, each)) for each in reach)):
            there = frozenset((x + dx, y + dy, z + dz) for x, y, z in way)
            if there <= shell:
                found.add(there)
    return found


Row = tuple[int, Piece]


def _covers(cells: dict[object, set[Row]], rows: dict[Row, list[object]]) -> Iterator[list[Row]]:
    """Algorithm X with dictionaries."""
    if not cells:
        yield []
        return
    cell = min(cells, key=lambda each: len(cells[each]))
    for row in list(cells[cell]):
        taken = []
        for each in rows[row]:
            for other in cells[each]:
                for elsewhere in rows[other]:
                    if elsewhere != each:
                        cells[elsewhere].remove(other)
            taken.append(cells.pop(each))
        for rest in _covers(cells, rows):
            yield [row, *rest]
        for each in reversed(rows[row]):
            cells[each] = taken.pop()
            for other in cells[each]:
                for elsewhere in rows[other]:
                    if elsewhere != each:
                        cells[elsewhere].add(other)


def assemblies(pieces: list[Piece], size: Voxel, thick: int = 1) -> int:
    """In how many ways the pieces fill the shell of a box; symmetric ways, and swapped twins, count once."""
    shell = frozenset(
        (x, y, z)
        for x, y, z in product(range(size[0]), range(size[1]), range(size[2]))
        if any(min(at, side - 1 - at) < thick for at, side in zip((x, y, z), size, strict=True))
    )
    rows: dict[Row, list[object]] = {}
    for number, piece in enumerate(pieces):
        for there in _placed(piece, size, shell):
            rows[number, there] = [("piece", number), *there]
    cells: dict[object, set[Row]] = {}
    for row, covered in rows.items():
        for each in covered:
            cells.setdefault(each, set()).add(row)
    if len(cells) < len(shell) + len(pieces):
        return 0
    # Which of two twins lies where makes no difference, so the pieces' numbers are left out of what is compared.
    seen: set[frozenset[Piece]] = set()
    count = 0
    for cover in _covers(cells, rows):
        solution = frozenset(there for _, there in cover)
        if solution not in seen:
            seen.update(_images(solution, size))
            count += 1
    return count


def _images(solution: frozenset[Piece], size: Voxel) -> Iterator[frozenset[Piece]]:
    for order in permutations(range(3)):
        if any(size[axis] != size[order[axis]] for axis in range(3)):
            continue
        for flips in product((False, True), repeat=3):
            yield frozenset(
                frozenset(
                    (
                        size[0] - 1 - v[order[0]] if flips[0] else v[order[0]],
                        size[1] - 1 - v[order[1]] if flips[1] else v[order[1]],
                        size[2] - 1 - v[order[2]] if flips[2] else v[order[2]],
                    )
                    for v in piece
                )
                for piece in solution
            )
