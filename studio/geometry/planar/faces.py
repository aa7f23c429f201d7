"""The faces that lines enclose, found by going round each of them, with the interpreter free for other threads.

half: a line followed one way; half 2i follows line i forwards, 2i + 1 backwards, as codes of strokes do.
shapely's polygonize finds the same faces, but holds the interpreter for seconds on a large board, and a window with it.
"""

from __future__ import annotations

import numpy as np
import shapely

from studio.base.progress import threads
from studio.geometry.curves.strokes import Ints, Polylines, offsets

FACES_AT_ONCE = 2000
"""Number of faces whose rims are looked at together; those of a large board would fill gigabytes."""


def face_count(lines: Polylines) -> int:
    """How many faces some polylines enclose, which only meet at their ends.

    As in the polygonizer of JTS (Davis, 2003) lines with a free end and lines with the same face on both sides bound
    none, no face counts whose rim crosses itself, and a loop within that touches a rim at a node is a hole.
    """
    lines = _without_stops(lines)
    _, nodes = np.unique(lines.ends.reshape(-1, 2).view(np.complex128)[:, 0], return_inverse=True)
    ends = nodes.reshape(-1, 2)
    kept = _without_dangles(ends)
    after = _following(lines, ends, kept)
    faces = _orbits(after)
    parting = faces[::2] != faces[1::2]
    if not parting[kept].all():
        kept = kept[parting[kept]]
        after = _following(lines, ends, kept)
        faces = _orbits(after)
    codes = np.sort(np.concatenate([2 * kept, 2 * kept + 1]))
    codes = codes[np.lexsort((-_steps_to_end(after, faces)[codes], faces[codes]))]
    sizes = np.bincount(faces[codes])
    codes, starts = _parted(codes, offsets(sizes[sizes > 0]), ends[codes >> 1, codes & 1])
    owners = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    areas = np.bincount(owners, lines.sweeps[codes >> 1] * np.where(codes & 1, -1.0, 1.0))
    codes = codes[areas[owners] > 0]
    starts = offsets(np.diff(starts)[areas > 0])

    def whole(begin: int) -> int:
        some = starts[begin : begin + FACES_AT_ONCE + 1]
        rims = lines.joined(codes[some[0] : some[-1]], some - some[0])
        rims = rims.chosen(np.flatnonzero(rims.counts > 3))
        return int(shapely.is_simple(shapely.linearrings(rims.points, indices=rims.owners)).sum())

    with threads(2) as pool:
        return sum(pool.map(whole, range(0, len(starts) - 1, FACES_AT_ONCE)))


def _parted(codes: Ints, starts: Ints, nodes: Ints) -> tuple[Ints, Ints]:
    """The halves of rims and where each rim starts, parted where a rim comes back to a node at which it has been.

    `nodes` are those at which the halves begin.
    """
    owners = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    count = int(nodes.max(initial=0)) + 1
    visits = np.sort(owners * count + nodes)
    again = np.unique(visits[1:][visits[1:] == visits[:-1]] // count)
    parts = list[list[int]]()
    for rim in again.tolist():
        here, path = slice(*starts[rim : rim + 2].tolist()), dict[int, int]()
        for code, node in zip(codes[here].tolist(), nodes[here].tolist(), strict=True):
            part = list[int]()
            while node in path:
                part.append(path.popitem()[1])
            parts += [part[::-1]] if part else []
            path[node] = code
        parts.append([*path.values()])
    sizes = np.concatenate([np.delete(np.diff(starts), again), np.array([*map(len, parts)], np.int64)])
    return np.concatenate([codes[~np.isin(owners, again)], *parts]).astype(np.int64), offsets(sizes)


def _without_stops(lines: Polylines) -> Polylines:
    """The lines without points at the place of the one before, so that each has a direction at either end."""
    moves = np.ones(len(lines.points), bool)
    moves[1:] = (lines.points[1:] != lines.points[:-1]).any(axis=1)
    moves[lines.starts[:-1]] = True
    if moves.all():
        return lines
    sizes = np.bincount(lines.owners[moves], minlength=len(lines))
    moves &= (sizes > 1)[lines.owners]
    return Polylines(lines.points[moves], offsets(sizes[sizes > 1]))


def _without_dangles(ends: Ints) -> Ints:
    """The lines, whose ends (n, 2) are nodes, that are left when again and again those with a free end are taken."""
    kept = np.arange(len(ends))
    while True:
        is_free = np.bincount(ends[kept].ravel(), minlength=1) == 1
        dangling = is_free[ends[kept]].any(axis=1)
        if not dangling.any():
            return kept
        kept = kept[~dangling]


def _following(lines: Polylines, ends: Ints, kept: Ints) -> Ints:
    """For each half of the lines kept the next one round the face on its left; for others itself."""
    points, first, last = lines.points, lines.starts[kept], lines.starts[kept + 1] - 1
    ways = np.stack([points[first + 1] - points[first], points[last - 1] - points[last]], 1).reshape(-1, 2)
    codes = np.stack([2 * kept, 2 * kept + 1], 1).ravel()
    nodes = ends[kept].ravel()
    order = np.lexsort((np.arctan2(ways[:, 1], ways[:, 0]), nodes))
    # Round each node the halves that leave it, anticlockwise: on arriving, the next one clockwise is followed.
    begins = np.flatnonzero(np.diff(nodes[order], prepend=-1))
    before = np.arange(-1, len(order) - 1)
    before[begins] = np.append(begins[1:], len(order)) - 1
    after = np.arange(2 * len(lines))
    after[codes[order] ^ 1] = codes[order[before]]
    return after


def _orbits(after: Ints) -> Ints:
    """For each half the least of those that are followed from it, round its face."""
    least, far = np.minimum(np.arange(len(after)), after), after[after]
    while True:
        lower = np.minimum(least, least[far])
        if (lower == least).all():
            return least
        least, far = lower, far[far]


def _steps_to_end(after: Ints, faces: Ints) -> Ints:
    """How many halves follow each until its face is closed; every face begins with its least half."""
    is_last = after == faces
    far = np.where(is_last, np.arange(len(after)), after)
    steps = np.where(is_last, 0, 1)
    while not (far == far[far]).all():
        steps, far = steps + steps[far], far[far]
    return steps
