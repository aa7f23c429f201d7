"""A planar graph: corners, the edges between them, and the faces that the edges enclose.

half-edge: an edge with a direction; 2e runs along edge e, 2e + 1 against it. Every inner half-edge has one face on its
left as seen with y growing downwards, that is, faces are followed clockwise on the screen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from studio.base.errors import StudioError
from studio.base.progress import threads
from studio.base.texts import tr
from studio.geometry.curves.strokes import Floats, Ints, Polylines, distinct, frozen, offsets, ranges

SAME_DIRECTION = 1e-12
"""The sine of an angle between two edges that is only a rounding error."""
FEW = 8
"""So few ways are sooner followed one by one than together."""


@dataclass(frozen=True, eq=False)
class PlanarGraph:
    """Topology only; where the corners lie may change without changing it.

    `edges` (m, 2) names the corners at both ends; `sides` (m, 2) the faces of half-edges 2e and 2e + 1, -1 outside;
    face f follows `codes[starts[f]:starts[f + 1]]`: its outline, and then a ring round each of its holes, which begin
    at `holes`, places in `codes`. `rim` holds the outside's half-edges, faces at the right, a ring after another:
    they begin at `rim_starts`, whose last is their end. So do the edges at each corner, `star_edges` in any order, at
    `star_starts`.
    """

    corner_count: int
    edges: Ints
    sides: Ints
    codes: Ints
    starts: Ints
    holes: Ints
    rim: Ints
    rim_starts: Ints
    star_edges: Ints
    star_starts: Ints

    @property
    def face_count(self) -> int:
        """The number of faces, the outside not counted."""
        return len(self.starts) - 1

    @property
    def inner_edges(self) -> Ints:
        """The edges with a face on either side."""
        return np.flatnonzero((self.sides >= 0).all(axis=1))

    @property
    def rims(self) -> tuple[Ints, ...]:
        """The outside's rings, one for each component and each hole of the board."""
        return tuple(np.split(self.rim, self.rim_starts[1:-1]))

    def is_rim(self, edge: int) -> bool:
        """Whether the outside is on one side of an edge."""
        return bool((self.sides[edge] < 0).any())

    def edges_at(self, corners: Ints) -> Ints:
        """The edges that meet at any of some corners, each once, ascending."""
        counts = self.star_starts[corners + 1] - self.star_starts[corners]
        return distinct(self.star_edges[ranges(self.star_starts[corners], counts)])

    def faces_at(self, edges: Ints) -> Ints:
        """The faces on either side of any of some edges, each once, ascending."""
        faces = distinct(self.sides[edges])
        return faces[faces >= 0]

    def without(self, faces: Ints) -> PlanarGraph:
        """The graph with some faces given to the outside, as holes of the board.

        The other faces keep their order. Raises StudioError where an edge would part nothing any more.
        """
        kept = np.ones(self.face_count, bool)
        kept[faces] = False
        sides = np.append(np.where(kept, np.cumsum(kept) - 1, -1), -1)[self.sides]
        if (sides < 0).all(axis=1).any():
            raise StudioError(tr("Two holes of a board cannot touch."))
        rings = np.sort(np.concatenate([self.starts, self.holes]))
        stays = kept[np.searchsorted(self.starts, rings[:-1], side="right") - 1]
        counts = np.diff(rings)
        outside = self.codes[ranges(rings[:-1][~stays], counts[~stays])]
        codes = self.codes[ranges(rings[:-1][stays], counts[stays])]
        begins = offsets(counts[stays])[:-1]
        is_hole = np.isin(rings[:-1][stays], self.holes)
        return replace(
            self,
            sides=frozen(sides),
            codes=frozen(codes),
            starts=frozen(np.append(begins[~is_hole], len(codes))),
            holes=frozen(begins[is_hole]),
            rim=frozen(np.concatenate([self.rim, outside])),
            rim_starts=frozen(offsets(np.concatenate([np.diff(self.rim_starts), counts[~stays]]))),
        )


@dataclass(frozen=True, eq=False)
class _Cycles:
    """The closed ways that half-edges make; `of` (2m,) names the least half-edge of each one's way."""

    of: Ints
    following: Ints
    heads: Ints
    sizes: Ints

    def codes(self, heads: Ints) -> tuple[Ints, Ints]:
        """The half-edges of some ways from their heads on, one way after another, and where each begins."""
        sizes = self.sizes[heads]
        starts = offsets(sizes)
        codes = np.empty(int(starts[-1]), np.int64)
        going, at, step = np.arange(len(heads)), heads, 0
        while len(going) > FEW:
            codes[starts[going] + step] = at
            step += 1
            more = sizes[going] > step
            going, at = going[more], self.following[at[more]]
        # The last ones, the long ways, are followed one by one.
        for way, code in zip(going.tolist(), at.tolist(), strict=True):
            for place in range(int(starts[way]) + step, int(starts[way + 1])):
                codes[place] = code
                code = self.following[code]
        return codes, starts


def trace(corners: Floats, edges: Ints) -> PlanarGraph:
    """The planar graph of corners (n, 2) and straight edges (m, 2) that cross nowhere.

    What does not hang together is several boards, or islands: one that lies within a face makes a hole in it. Faces
    are numbered in reading order of their centres: from top to bottom, then from left to right. Raises StudioError
    where edges fall together or hang loose, and says where.
    """
    origin = edges.ravel()
    target = edges[:, ::-1].ravel()
    way = corners[target] - corners[origin]
    around = np.lexsort((np.arctan2(way[:, 1], way[:, 0]), origin))
    _refuse_overlaps(corners, origin, way, around)
    star_starts = offsets(np.bincount(origin, minlength=len(corners)).astype(np.int64))
    cycles = _cycles(target, around, star_starts)
    _refuse_loose(corners, edges, cycles.of, star_starts)

    heads = cycles.heads
    cross = corners[origin, 0] * corners[target, 1] - corners[target, 0] * corners[origin, 1]
    area = np.bincount(cycles.of, cross, minlength=len(origin))[heads]
    inner, outer = heads[area >= 0], heads[area < 0]
    centre = np.stack([np.bincount(cycles.of, corners[origin, i], minlength=len(origin)) for i in (0, 1)], 1)
    centre = np.round(centre[inner] / cycles.sizes[inner, None], 6)
    inner = inner[np.lexsort((centre[:, 0], centre[:, 1]))]
    around_them = _surrounding(corners, edges, cycles, inner, outer)

    own = np.argsort(np.concatenate([np.arange(len(inner)), around_them[around_them >= 0]]), kind="stable")
    rings = np.concatenate([inner, outer[around_them >= 0]])[own]
    codes, begins = cycles.codes(rings)
    rim, rim_starts = cycles.codes(outer[around_them < 0])
    is_hole = own >= len(inner)
    starts = np.append(begins[:-1][~is_hole], len(codes))
    face_of = np.full(len(origin), -1, np.int64)
    face_of[codes] = np.repeat(np.arange(len(inner)), np.diff(starts))
    sides = face_of.reshape(-1, 2)
    holes = begins[:-1][is_hole]
    for array in (edges, sides, codes, starts, holes, rim, rim_starts):
        frozen(array)
    return PlanarGraph(len(corners), edges, sides, codes, starts, holes, rim, rim_starts, around >> 1, star_starts)


def _cycles(target: Ints, around: Ints, star_starts: Ints) -> _Cycles:
    """The ways that turn as sharply as they can at every corner; `around` lists half-edges by corner and direction."""
    half_edges = len(target)
    rank = np.empty(half_edges, np.int64)
    rank[around] = np.arange(half_edges)
    place = rank[np.arange(half_edges) ^ 1]
    first, end = star_starts[target], star_starts[target + 1]
    following = around[np.where(place == first, end, place) - 1]
    cycle = np.arange(half_edges)
    leap = following.copy()
    while True:
        least = np.minimum(cycle, cycle[leap])
        if np.array_equal(least, cycle):
            break
        cycle, leap = least, leap[leap]
    return _Cycles(cycle, following, distinct(cycle), np.bincount(cycle, minlength=half_edges))


def _refuse_overlaps(corners: Floats, origin: Ints, way: Floats, around: Ints) -> None:
    """Edges of no length, and edges that leave a corner in one direction, fall together."""
    short = np.flatnonzero((way == 0).all(axis=1))
    one, other = around[:-1], around[1:]
    cross = way[one, 0] * way[other, 1] - way[one, 1] * way[other, 0]
    dot = (way[one] * way[other]).sum(axis=1)
    same = one[(origin[one] == origin[other]) & (np.abs(cross) <= SAME_DIRECTION * dot)]
    if len(short) or len(same):
        x, y = corners[origin[(short if len(short) else same)[0]]].tolist()
        raise StudioError(tr("Two cuts coincide at {x:.2f}, {y:.2f} mm.", x=x, y=y))


def _refuse_loose(corners: Floats, edges: Ints, cycle: Ints, star_starts: Ints) -> None:
    """An edge with the same face on either side parts nothing, nor does a corner without edges."""
    loose = np.flatnonzero(cycle[::2] == cycle[1::2])
    alone = np.flatnonzero(np.diff(star_starts) == 0)
    if len(loose) or len(alone):
        x, y = (corners[edges[loose[0]]].mean(axis=0) if len(loose) else corners[alone[0]]).tolist()
        raise StudioError(tr("The cut at {x:.2f}, {y:.2f} mm is loose: it does not separate two pieces.", x=x, y=y))


def _surrounding(corners: Floats, edges: Ints, cycles: _Cycles, inner: Ints, outer: Ints) -> Ints:
    """The face around each component of the graph, by its outer way; -1 where nothing lies around it.

    A ray from the leftmost corner of a component to the left meets what lies around it first, or a component beside
    it, which has the same face around it. Corners as high as the ray lie above it.
    """
    found = np.full(len(outer), -1, np.int64)
    if len(outer) < 2:
        return found
    face = np.full(len(cycles.of), -1, np.int64)
    face[inner] = np.arange(len(inner))
    component = np.full(len(cycles.of), -1, np.int64)
    component[outer] = np.arange(len(outer))
    upwards = edges.copy()
    falls = corners[edges[:, 0], 1] > corners[edges[:, 1], 1]
    upwards[falls] = upwards[falls, ::-1]
    x, y = corners[upwards, 0], corners[upwards, 1]
    lefts = [_leftmost(corners, edges, cycles.codes(outer[at : at + 1])[0]) for at in range(len(outer))]
    for at in sorted(range(len(outer)), key=lambda at: float(corners[lefts[at], 0])):
        left, height = corners[lefts[at]].tolist()
        crossed = np.flatnonzero((y[:, 0] <= height) & (y[:, 1] > height) & (x.min(axis=1) < left))
        slopes = (x[crossed, 1] - x[crossed, 0]) / (y[crossed, 1] - y[crossed, 0])
        meets = x[crossed, 0] + (height - y[crossed, 0]) * slopes
        before = np.flatnonzero(meets < left)
        if len(before):
            # Of edges from one corner at the height of the ray, the one that leans furthest towards its beginning.
            edge = int(crossed[before[np.lexsort((slopes[before], meets[before]))[-1]]])
            way = int(cycles.of[2 * edge + int(not falls[edge])])  # the half-edge that goes up
            found[at] = face[way] if face[way] >= 0 else found[component[way]]
    return found


def _leftmost(corners: Floats, edges: Ints, codes: Ints) -> int:
    begins = edges[codes >> 1, codes & 1]
    return int(begins[corners[begins, 0].argmin()])


def share_none(some: Ints, others: Ints) -> NDArray[np.bool_]:
    """Which edges (k, 2) have no corner in common with others (k, 2)."""
    (one, two), (first, second) = some.T, others.T
    return np.asarray((one != first) & (one != second) & (two != first) & (two != second))


def crossing(corners: Floats, edges: Ints, moved: NDArray[np.bool_] | None = None) -> Floats | None:
    """A place (2,) in mm at which two of some straight edges meet other than at a shared corner, or None; where it is
    known which of them moved (m,), the others meet as they did."""
    import shapely

    lines = shapely.linestrings(corners[edges])
    tree = shapely.STRtree(lines)
    some = np.arange(len(lines)) if moved is None else np.flatnonzero(moved)
    one, other = tree.query(lines[some], predicate="intersects")
    one = some[one]
    apart = (one != other) & share_none(edges[one], edges[other])
    if not apart.any():
        return None
    at = int(np.flatnonzero(apart)[0])
    met = shapely.intersection(lines[one[at]], lines[other[at]])
    return np.asarray(shapely.get_coordinates(shapely.centroid(met))[0])


# Faces of lines. shapely's polygonize finds the same, but holds the interpreter for seconds on a large board. half: a
# line followed one way; half 2i follows line i forwards, 2i + 1 backwards, as codes of strokes do.

FACES_AT_ONCE = 2000
"""Number of faces whose rims are looked at together; those of a large board would fill gigabytes."""


def face_count(lines: Polylines) -> int:
    """How many faces some polylines enclose, which only meet at their ends.

    As in the polygonizer of JTS (Davis, 2003) lines with a free end and lines with the same face on both sides bound
    none, no face counts whose rim crosses itself, and a loop within that touches a rim at a node is a hole.
    """
    import shapely

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
