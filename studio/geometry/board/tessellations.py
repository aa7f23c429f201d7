"""Tessellations: cells that cover more than a board, before they are clipped to its outline.

course: a row of cells between two lines; its cuts run from one line to the other. fall: the setback of the ends of cuts
into their own course, as a fraction of a course, which turns bricks into hexagons.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from studio.base.amounts import cell_name
from studio.base.chance import symmetric, uniform
from studio.geometry.board.tiling import REST_KEY
from studio.geometry.curves.strokes import Floats, Ints, distinct, frozen, offsets, totals
from studio.geometry.planar.graph import crossing

CELL_BITS = 20
"""Bits of a cell's key."""
KEY_BITS = 40
"""Bits of a corner's or an edge's key."""
ROW_KEY = 4096
"""Factor of the row in a cell's key, to which the column is added."""
NO_CELL = -1
HEXAGON_FALL = 1.0 / 6.0
"""The fall that makes the angles of cells as high as wide nearly equal."""
STAGGER = 0.32
"""Least distance of cuts that meet a line from either side, as a fraction of a cell; nearer cuts move apart."""
WANDER = 0.3
"""Largest offset of the lines of a hand-cut board, as a fraction of a course."""
WAVES = 3
"""Waves of different length in a wandering line."""
SPREAD = 0.28
"""Largest offset of the cuts of a hand-cut board along their course, as a fraction of a cell."""
NARROWEST = 0.7
"""The least width of a cell of a hand-cut board, as a fraction of the usual."""
SETTLINGS = 6
"""Rounds in which cuts move apart, from each other and from the cuts of the course before."""


@dataclass(frozen=True, eq=False)
class Tessellation:
    """Cells with straight edges.

    `corners` (n, 2) mm; `edges` (m, 2) their ends; `sides` (m, 2) the cells of half-edges 2e and 2e + 1, which
    follow them clockwise on the screen, or -1. Corners, edges and cells have keys for chance; corners and cells have
    names that survive a change of size or seed. `scale` (2,) is the extent of a usual cell in mm.
    """

    corners: Floats
    edges: Ints
    sides: Ints
    corner_keys: Ints
    edge_keys: Ints
    corner_names: Sequence[str]
    cell_keys: Ints
    cell_names: Sequence[str]
    scale: Floats

    @cached_property
    def middles(self) -> Floats:
        """The middle (f, 2) in mm of the corners of every cell."""
        inside = self.sides >= 0
        owners = np.concatenate([self.sides[inside[:, 0], 0], self.sides[inside[:, 1], 1]])
        begins = np.concatenate([self.edges[inside[:, 0], 0], self.edges[inside[:, 1], 1]])
        count = len(self.cell_names)
        sums = np.stack([totals(owners, self.corners[begins, i], count) for i in (0, 1)], 1)
        return np.asarray(sums / np.bincount(owners, minlength=count)[:, None])

    @cached_property
    def areas(self) -> Floats:
        """The area (f,) of every cell, in squares of `scale`."""
        begins, ends = (self.corners[self.edges] / self.scale).transpose(1, 0, 2)
        swept = (begins[:, 0] * ends[:, 1] - begins[:, 1] * ends[:, 0]) / 2
        count, inside = len(self.cell_names), self.sides >= 0
        sums = [totals(self.sides[inside[:, side], side], swept[inside[:, side]], count) for side in (0, 1)]
        return np.asarray(sums[0] - sums[1])

    @cached_property
    def boxes(self) -> tuple[Floats, Floats]:
        """The least and the greatest x and y (f, 2) in mm of every cell."""
        low, high = (np.full((len(self.cell_names), 2), bound) for bound in (np.inf, -np.inf))
        for cells in self.sides.T:
            inside = cells >= 0
            for corners in self.edges[inside].T:
                np.minimum.at(low, cells[inside], self.corners[corners])
                np.maximum.at(high, cells[inside], self.corners[corners])
        return frozen(low), frozen(high)


def pair_keys(one: Ints, other: Ints) -> Ints:
    """Keys of unordered pairs of cells by the cells' keys."""
    return (np.minimum(one, other) << CELL_BITS) | np.maximum(one, other)


def mixed_keys(keys: Ints) -> Ints:
    """Hash rows of keys (k, c) into keys of KEY_BITS; two rows collide with a chance of one in a million millions."""
    state = np.zeros(len(keys), np.uint64)
    for column in keys.T:
        state = (state ^ column.astype(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
        state ^= state >> np.uint64(29)
    return (state >> np.uint64(64 - KEY_BITS)).astype(np.int64)


def tessellated(
    corners: Floats, rings: Sequence[Sequence[int]], *, keys: Ints, names: Sequence[str], scale: Floats
) -> Tessellation:
    """Build a tessellation from cells' rings of corners, each clockwise on the screen, and their keys and names.

    A corner is named after the cells that meet at it: `A1:B1:A2`.
    """
    counts = np.array([len(ring) for ring in rings], np.int64)
    starts = offsets(counts)
    flat = np.fromiter((corner for ring in rings for corner in ring), np.int64, int(starts[-1]))
    following = np.arange(1, len(flat) + 1)
    following[starts[1:] - 1] = starts[:-1]
    owners = np.repeat(np.arange(len(rings)), counts)
    begin, end = flat, flat[following]
    low, high = np.minimum(begin, end), np.maximum(begin, end)
    edges, which = np.unique(np.stack([low, high], 1), axis=0, return_inverse=True)
    which = which.reshape(-1)
    sides = np.full((len(edges), 2), NO_CELL)
    sides[which, (begin > end).astype(np.int64)] = owners
    beside = np.append(keys, 2**CELL_BITS - 1)[sides]
    # The cells at every corner, in the order of their keys.
    order = np.lexsort((keys[owners], flat))
    bounds = offsets(np.bincount(flat, minlength=len(corners)).astype(np.int64))
    cells = owners[order].tolist()
    stars = [cells[low:high] for low, high in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)]
    return Tessellation(
        corners=frozen(corners),
        edges=frozen(edges),
        sides=frozen(sides),
        corner_keys=frozen(mixed_keys(_padded([keys[star].tolist() for star in stars]))),
        edge_keys=frozen(pair_keys(beside[:, 0], beside[:, 1])),
        corner_names=[":".join(names[cell] for cell in star) for star in stars],
        cell_keys=frozen(keys),
        cell_names=names,
        scale=frozen(scale),
    )


def _padded(rows: Sequence[Sequence[int]]) -> Ints:
    widest = max(map(len, rows), default=0)
    return np.array([[*row, *[0] * (widest - len(row))] for row in rows], np.int64).reshape(len(rows), -1)


def grid(columns: int, rows: int, width: float, height: float) -> Tessellation:
    """Equal cells in columns and rows, with the names and keys of `tiling_construction.rectangular`."""
    places = np.stack(np.meshgrid(np.arange(columns + 1), np.arange(rows + 1)), -1).reshape(-1, 2)
    corner = np.arange(len(places)).reshape(rows + 1, columns + 1)
    rings = np.stack([corner[:-1, :-1], corner[:-1, 1:], corner[1:, 1:], corner[1:, :-1]], -1).reshape(-1, 4)
    cell = np.array([width / columns, height / rows])
    plain = tessellated(
        places * cell, rings.tolist(), keys=_cell_keys(columns, rows), names=_cell_names(columns, rows), scale=cell
    )
    keys = places[:, 1] * ROW_KEY + places[:, 0]
    horizontal = places[plain.edges[:, 0], 1] == places[plain.edges[:, 1], 1]
    return Tessellation(
        corners=plain.corners,
        edges=plain.edges,
        sides=plain.sides,
        corner_keys=frozen(keys),
        edge_keys=frozen(keys[plain.edges[:, 0]] * 2 + ~horizontal),
        corner_names=[f"{column},{row}" for column, row in places.tolist()],
        cell_keys=plain.cell_keys,
        cell_names=plain.cell_names,
        scale=plain.scale,
    )


def _cell_keys(columns: int, rows: int) -> Ints:
    return (np.arange(rows)[:, None] * ROW_KEY + np.arange(columns)).ravel()


def _cell_names(columns: int, rows: int) -> list[str]:
    return [cell_name(column, row) for row in range(rows) for column in range(columns)]


def bricks(columns: int, rows: int, width: float, height: float, fall: float = 0.0) -> Tessellation:
    """Rows of cells, every other row moved by half a cell; a fall shortens the cuts, as between hexagons."""
    cuts: list[Floats] = [np.arange(1.0, columns + row % 2) - row % 2 * 0.5 for row in range(rows)]
    return _courses(cuts, columns, width, height, fall, lambda line, u: np.full_like(u, line))


def hexagons(columns: int, rows: int, width: float, height: float) -> Tessellation:
    """Hexagons with a corner at the top."""
    return bricks(columns, rows, width, height, HEXAGON_FALL)


def hand_cut(columns: int, rows: int, width: float, height: float, seed: int) -> Tessellation:
    """Long lines that wander across the board, and shorter cuts between them, three cuts at a corner."""
    keys = np.arange(columns + 2)
    cuts: list[Floats] = []
    for row in range(rows):
        shift = 0.5 * (row % 2) + 0.2 * float(symmetric(seed, np.array([row]), "course")[0])
        places = keys + shift + SPREAD * symmetric(seed, row * ROW_KEY + keys, "cut")
        places = np.sort(places[(places > NARROWEST) & (places < columns - NARROWEST)])
        others = cuts[-1] if cuts else np.empty(0)
        for _ in range(SETTLINGS):
            places = _apart(_spread(places, columns), others)
        cuts.append(_spread(places, columns))
    numbers = np.arange(WAVES)

    def line(number: int, u: Floats) -> Floats:
        if number in (0, rows):
            return np.full_like(u, number)
        chance = number * WAVES + numbers
        lengths = 3.0 + 5.0 * uniform(seed, chance, "wave length")
        phases = 2 * np.pi * uniform(seed, chance, "wave phase")
        heights = WANDER / WAVES * (1.0 + uniform(seed, chance, "wave height"))
        return number + np.asarray((heights * np.sin(2 * np.pi * u[:, None] / lengths + phases)).sum(axis=1))

    return _courses(cuts, columns, width, height, 0.0, line)


def _apart(places: Floats, others: Floats) -> Floats:
    """Move places along a line away from others nearer than STAGGER."""
    if not len(others) or not len(places):
        return places
    gaps = places[:, None] - others
    nearest = gaps[np.arange(len(places)), np.abs(gaps).argmin(axis=1)]
    away = np.where(nearest < 0, -STAGGER, STAGGER)
    return np.sort(places + np.where(np.abs(nearest) < STAGGER, away - nearest, 0.0))


def _spread(places: Floats, columns: int) -> Floats:
    """Move places along a line of `columns` cells apart if they are nearer than NARROWEST to each other or its ends."""
    line = np.concatenate([[0.0], places, [float(columns)]])
    lacks = np.maximum(0.0, NARROWEST - np.diff(line)) / 2
    line[1:-1] += lacks[:-1] - lacks[1:]
    return np.sort(np.clip(line[1:-1], NARROWEST / 2, columns - NARROWEST / 2))


def _courses(
    cuts: Sequence[Floats],
    columns: int,
    width: float,
    height: float,
    fall: float,
    line: Callable[[int, Floats], Floats],
) -> Tessellation:
    """Cells of courses, from the places of their cuts in columns; `line` returns a line's height in rows."""
    rows = len(cuts)
    cell = np.array([width / columns, height / rows])
    ends = np.array([0.0, float(columns)])
    corners: list[Floats] = []
    count = 0
    above: list[list[int]] = [[] for _ in range(rows)]
    below: list[list[int]] = [[] for _ in range(rows)]
    between: list[list[int]] = []
    for number in range(rows + 1):
        upper = cuts[number - 1] if number else np.empty(0)
        lower = cuts[number] if number < rows else np.empty(0)
        places = np.concatenate([ends, upper, lower])
        inner = 0 < number < rows
        sink = np.concatenate([np.zeros(2), np.full(len(upper), -fall * inner), np.full(len(lower), fall * inner)])
        order = np.argsort(places, kind="stable")
        rank = np.empty(len(places), np.int64)
        rank[order] = np.arange(len(places))
        corners.append(np.stack([places, line(number, places) + sink], 1)[order])
        between.append((count + np.arange(len(places))).tolist())
        at = (count + rank).tolist()
        if number:
            below[number - 1] = [at[0], *at[2 : 2 + len(upper)], at[1]]
        if number < rows:
            above[number] = [at[0], *at[2 + len(upper) :], at[1]]
        count += len(places)
    rings, names, keys = [], [], []
    for row in range(rows):
        top, bottom = between[row], between[row + 1]
        for column in range(len(cuts[row]) + 1):
            first, last = above[row][column] - top[0], above[row][column + 1] - top[0]
            low, high = below[row][column] - bottom[0], below[row][column + 1] - bottom[0]
            rings.append([*top[first : last + 1], *bottom[low : high + 1][::-1]])
            names.append(cell_name(column, row))
            keys.append(row * ROW_KEY + column)
    return tessellated(np.concatenate(corners) * cell, rings, keys=np.array(keys), names=names, scale=cell)


def triangles(columns: int, rows: int, width: float, height: float) -> Tessellation:
    """Triangles that point up and down in turn, `columns` in every row; half triangles close the rows."""
    cell = np.array([width / columns, height / rows])
    across = (columns + 1) // 2 + 1
    # Every other line of corners is moved by half a triangle's side, which is two columns long.
    places = [
        (2.0 * step - (line % 2), float(line)) for line in range(rows + 1) for step in range(across + 1)
    ]  # fmt: skip
    number = {place: at for at, place in enumerate(places)}
    rings, names, keys = [], [], []
    for row in range(rows):
        column = 0
        for u in range(-1, columns + 1):
            on_top = (u + row) % 2 == 0
            wide = [(float(u), float(row)), (u + 2.0, float(row))]
            if on_top:
                ring = [*wide, (u + 1.0, row + 1.0)]
            else:
                ring = [(u + 1.0, float(row)), (u + 2.0, row + 1.0), (float(u), row + 1.0)]
            if all(place in number for place in ring):
                rings.append([number[place] for place in ring])
                names.append(cell_name(column, row))
                keys.append(row * ROW_KEY + column)
                column += 1
    used, flat = np.unique(np.concatenate([np.array(ring) for ring in rings]), return_inverse=True)
    corners = np.array(places)[used] * cell
    return tessellated(corners, flat.reshape(-1, 3).tolist(), keys=np.array(keys), names=names, scale=cell)


def ring_counts(rings: int, sectors: int, *, middle: bool) -> list[int]:
    """Numbers of sectors in rings from the innermost on, all about as long, or with a single piece in the middle.

    >>> ring_counts(3, 15, middle=False), ring_counts(3, 15, middle=True)
    ([3, 9, 15], [1, 9, 15])
    """
    counts = [max(3, round(sectors * (ring + 0.5) / (rings - 0.5))) for ring in range(rings)]
    return [1, *counts[1:]] if middle else counts


def concentric(counts: Sequence[int], more: int, width: float, height: float, seed: int) -> Tessellation:
    """Rings of sectors round the middle of a board, the last on its ellipse, and `more` outside that.

    Several innermost sectors meet in the middle.
    """
    rings = len(counts)
    step = counts[-1] / (rings - 0.5)
    sectors = [*counts, *(round(step * (rings + extra + 0.5)) for extra in range(more))]
    cuts: list[Floats] = []
    for ring, count in enumerate(sectors):
        cuts.append(_ring_cuts(ring, count, seed, cuts[-1] if cuts else np.empty(0)))
    middle = np.array([width, height]) / 2
    corners: list[Floats] = [middle[None]]
    circles: list[tuple[Floats, int]] = [(np.zeros(1), 0)]
    for ring in range(1, len(sectors) + 1):
        angles = np.unique(np.concatenate([cuts[ring - 1], cuts[ring] if ring < len(sectors) else np.empty(0)]))
        circles.append((angles, sum(map(len, corners))))
        ways = np.stack([np.cos(2 * np.pi * angles), np.sin(2 * np.pi * angles)], 1)
        corners.append(middle * (1 + ring / rings * ways))
    cells = [
        (_sector(circles[ring], circles[ring + 1], begin, end), cell_name(sector, ring), ring * ROW_KEY + sector)
        for ring, places in enumerate(cuts)
        for sector, (begin, end) in enumerate(_spans(places))
    ]
    return tessellated(
        np.concatenate(corners),
        [ring for ring, _, _ in cells],
        keys=np.array([key for _, _, key in cells]),
        names=[name for _, name, _ in cells],
        scale=np.array([width, height]) / (2 * rings),
    )


def _ring_cuts(ring: int, count: int, seed: int, inner: Floats) -> Floats:
    """Angles of a ring's cuts as shares of a turn, apart from the cuts of the ring inside it."""
    if count == 1:
        return np.empty(0)
    places = (np.arange(count) + uniform(seed, np.array([ring]), "turn")) / count
    if len(inner):
        gaps = (places[:, None] - inner + 0.5) % 1.0 - 0.5
        nearest = gaps[np.arange(count), np.abs(gaps).argmin(axis=1)]
        apart = STAGGER / count
        places = places + np.where(np.abs(nearest) < apart, np.where(nearest < 0, -apart, apart) - nearest, 0.0)
    return np.sort(places % 1.0)


def _spans(places: Floats) -> list[tuple[float, float]]:
    """Spans from each angle to the next; a whole turn without angles."""
    if not len(places):
        return [(0.0, 0.0)]
    return list(zip(places.tolist(), np.roll(places, -1).tolist(), strict=True))


def _sector(inner: tuple[Floats, int], outer: tuple[Floats, int], begin: float, end: float) -> list[int]:
    """Corners of a sector: along its outer circle from one angle to the other, and back along its inner circle."""
    return [*_along(outer, begin, end), *_along(inner, begin, end)[::-1]]


def _along(circle: tuple[Floats, int], begin: float, end: float) -> list[int]:
    angles, first = circle
    if len(angles) == 1 and begin != end:
        return [first]
    if begin == end:
        return [first + at for at in range(len(angles))] if len(angles) > 1 else []
    low, high = int(np.searchsorted(angles, begin)), int(np.searchsorted(angles, end))
    span = range(low, high + 1) if low <= high else [*range(low, len(angles)), *range(high + 1)]
    return [first + at for at in span]


SETTLED, SHARE = 24, 0.5
"""Most rounds in which corners move apart, and the share of what they lack by which they do in each."""
SHARPEST, TINY = np.radians(50.0), 1e-9
"""Angle between two edges below which a corner is sharp, and one that makes no difference."""


def with_long_edges(tessellation: Tessellation, least: float, across: float) -> Tessellation:
    """Move corners apart where inner edges are shorter than `least`, in cells, or cells narrow; corners at sides stay.

    Two corners of a cell move `across` apart if it has four or no edge joins them.
    It is a wish: where there is no room for it, or a corner would become sharp, edges stay short. Returns the
    tessellation itself if edges would cross.
    """
    edges, start = tessellation.edges, tessellation.corners / tessellation.scale
    places = start.copy()
    is_free = np.ones(len(places))
    is_free[edges[(tessellation.sides < 0).any(axis=1)]] = 0.0
    pairs, has_few = _corner_pairs(tessellation)
    apart = np.concatenate([np.where(has_few, across, least), np.full(len(pairs), across)])
    pairs = np.concatenate([edges, pairs])
    able = is_free[pairs].any(axis=1)
    pairs, apart = pairs[able], apart[able]
    for _ in range(SETTLED):
        ways = places[pairs[:, 1]] - places[pairs[:, 0]]
        sizes = np.hypot(ways[:, 0], ways[:, 1])
        near = np.flatnonzero((sizes < apart) & (sizes > 0))
        if not len(near):
            break
        ends = pairs[near]
        moves = ways[near] * (SHARE * (apart[near] / sizes[near] - 1) / is_free[ends].sum(axis=1))[:, None]
        np.add.at(places, ends[:, 0], -moves * is_free[ends[:, :1]])
        np.add.at(places, ends[:, 1], moves * is_free[ends[:, 1:]])
    blunt = np.minimum(least_angles(start, edges), SHARPEST)
    while (sharp := least_angles(places, edges) < blunt - TINY).any():
        undone = distinct(edges[sharp[edges].any(axis=1)])
        if (places[undone] == start[undone]).all():
            break
        places[undone] = start[undone]
    corners = places * tessellation.scale
    return tessellation if crossing(corners, edges) is not None else replace(tessellation, corners=frozen(corners))


def least_angles(places: Floats, edges: Ints) -> Floats:
    """The least angle (n,) in radians between two edges at each corner; infinite with fewer."""
    found = np.full(len(places), np.inf)
    if not len(edges):
        return found
    at = edges.ravel()
    ways = (places[edges[:, ::-1]] - places[edges]).reshape(-1, 2)
    angles = np.arctan2(ways[:, 1], ways[:, 0])
    order = np.lexsort((angles, at))
    at, angles = at[order], angles[order]
    first = np.flatnonzero(np.diff(at, prepend=-1))
    following = np.arange(1, len(at) + 1)
    following[np.append(first[1:], len(at)) - 1] = first
    gaps = (angles[following] - angles) % (2 * np.pi)
    np.minimum.at(found, at[following != np.arange(len(at))], gaps[following != np.arange(len(at))])
    return found


def _corner_pairs(tessellation: Tessellation) -> tuple[Ints, NDArray[np.bool_]]:
    """Pairs (k, 2) of corners of one cell that no edge joins; and the edges (m,) beside a cell of four corners."""
    inside = tessellation.sides >= 0
    order = np.argsort(tessellation.sides[inside], kind="stable")
    owners, corners = tessellation.sides[inside][order], tessellation.edges[inside][order]
    counts = np.bincount(owners)
    most = int(counts.max(initial=0))
    found = [
        np.sort(np.stack([corners[:-away], corners[away:]], 1)[owners[:-away] == owners[away:]], axis=1)
        for away in range(1, most)
    ]
    count = len(tessellation.corners)
    keys = [pairs @ (count, 1) for pairs in (*found, np.sort(tessellation.edges, axis=1))]
    wanted = np.setdiff1d(np.concatenate(keys[:-1]), keys[-1])
    has_few = np.asarray(np.append(counts <= 4, False)[tessellation.sides].any(axis=1))
    return np.stack(np.divmod(wanted, count), 1), has_few


# Windows of a tessellation.
#
# rest: a single cell for everything outside a window.

LARGEST = 0.6
"""Largest share of all cells in a window; dividing the whole takes no longer than a larger one."""


def window(tessellation: Tessellation, low: Floats, high: Floats, reach: float) -> Tessellation | None:
    """The cells no further than `reach`, in cells, from a box in mm, in their order, followed by the rest; None if they
    are more than LARGEST of all."""
    # Mask of cells with boxes no further than `reach`, in cells, from a box in mm.
    begin, end = tessellation.boxes
    away = np.maximum(np.maximum(begin - high, low - end), 0.0) / tessellation.scale
    chosen = np.asarray((away**2).sum(axis=1) <= reach**2)
    if chosen.sum() > LARGEST * len(chosen):
        return None
    rest = int(chosen.sum())
    number = np.append(np.where(chosen, np.cumsum(chosen) - 1, rest), NO_CELL)
    kept = np.flatnonzero(np.append(chosen, False)[tessellation.sides].any(axis=1))
    corners, ends = np.unique(tessellation.edges[kept], return_inverse=True)
    cells = np.flatnonzero(chosen)
    return Tessellation(
        corners=tessellation.corners[corners],
        edges=ends.reshape(-1, 2),
        sides=number[tessellation.sides[kept]],
        corner_keys=tessellation.corner_keys[corners],
        edge_keys=tessellation.edge_keys[kept],
        corner_names=[tessellation.corner_names[corner] for corner in corners.tolist()],
        cell_keys=frozen(np.append(tessellation.cell_keys[cells], REST_KEY)),
        cell_names=[*(tessellation.cell_names[cell] for cell in cells.tolist()), ""],
        scale=tessellation.scale,
    )
