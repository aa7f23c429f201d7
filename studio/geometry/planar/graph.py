"""A planar graph: corners, edges, and the enclosed faces.

half-edge: an edge with a direction; 2e runs along edge e, 2e + 1 against it. Every inner half-edge has one face on its
left as seen with y growing downwards, that is, faces are followed clockwise on the screen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from studio.base.errors import StudioError
from studio.base.progress import threads
from studio.base.texts import tr
from studio.geometry.curves.strokes import Floats, Ints, Polylines, distinct, frozen, offsets, ranges

SAME_DIRECTION = 1e-12
"""Sine of an angle between two edges below which it is a rounding error."""
BEYOND = 0.1
"""Distance in mm from a corner at which curves that touch there have parted."""
FEW = 8
"""Ways up to which following them one by one is faster than all together."""
NO_WAY = -1
"""Node or number of a way that there is not."""


@dataclass(frozen=True, eq=False)
class PlanarGraph:
    """The topology of a planar graph, independent of the corners' places.

    `edges` (m, 2) names the corners at both ends; `sides` (m, 2) the faces of half-edges 2e and 2e + 1, -1 outside;
    face f follows `codes[starts[f]:starts[f + 1]]`: its outline, and then a ring round each of its holes, which begin
    at indices `holes` in `codes`. `rim` holds the outside's half-edges, faces at the right, ring after ring; the rings
    begin at `rim_starts`, which ends with the end of the last. `star_edges` and `star_starts` hold the edges at each
    corner likewise, in any order.
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
        """The number of faces without the outside."""
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
        """True if the outside is on one side of an edge."""
        return bool((self.sides[edge] < 0).any())

    def edges_at(self, corners: Ints) -> Ints:
        """Distinct edges at corners, ascending."""
        counts = self.star_starts[corners + 1] - self.star_starts[corners]
        return distinct(self.star_edges[ranges(self.star_starts[corners], counts)])

    def faces_at(self, edges: Ints) -> Ints:
        """Distinct faces on either side of edges, ascending."""
        faces = distinct(self.sides[edges])
        return faces[faces >= 0]

    def without(self, faces: Ints) -> PlanarGraph:
        """Give faces to the outside, as holes of the board.

        The other faces keep their order. Raises StudioError if an edge would no longer separate two faces.
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

    def joined(self, edges: Ints) -> PlanarGraph:
        """Remove edges (k,), each between the outlines of two faces, which become one in the place of the first.

        A face loses at most one run of edges, with the corners inside it. All other elements keep their order.
        """
        cut = np.zeros(len(self.edges), bool)
        cut[edges] = True
        numbers = np.where(cut, -1, np.cumsum(~cut) - 1)
        low, high = np.sort(self.sides[edges], axis=1).T
        into = np.arange(self.face_count)
        into[high] = low
        is_first = np.ones(self.face_count, bool)
        is_first[high] = False
        into = (np.cumsum(is_first) - 1)[into]
        bounds = np.sort(np.concatenate([self.starts, self.holes]))
        counts, is_hole = np.diff(bounds), np.isin(bounds[:-1], self.holes)
        # Each outline begins behind its removed run, so that the outlines of two faces follow each other.
        places, ring = np.arange(len(self.codes)), np.repeat(np.arange(len(counts)), counts)
        after = np.where(places + 1 < bounds[ring + 1], places + 1, bounds[ring])
        gone = cut[self.codes >> 1]
        last = np.flatnonzero(gone & ~gone[after])
        turned = np.zeros(len(counts), np.int64)
        turned[ring[last]] = after[last] - bounds[ring[last]]
        rank = bounds[ring] + (places - bounds[ring] - turned[ring]) % counts[ring]
        owners = into[np.repeat(np.arange(self.face_count), np.diff(self.starts))]
        order = np.lexsort((rank, is_hole[ring], owners))
        order = order[~gone[order]]
        owners, codes = owners[order], 2 * numbers[self.codes[order] >> 1] + (self.codes[order] & 1)
        used, kept = np.unique(self.edges[~cut], return_inverse=True)
        return PlanarGraph(
            corner_count=len(used),
            edges=frozen(kept.reshape(-1, 2)),
            sides=frozen(np.append(into, -1)[self.sides[~cut]]),
            codes=frozen(codes),
            starts=frozen(offsets(np.bincount(owners, minlength=int(is_first.sum())).astype(np.int64))),
            holes=frozen(np.flatnonzero(np.isin(order, self.holes))),
            rim=frozen(2 * numbers[self.rim >> 1] + (self.rim & 1)),
            rim_starts=self.rim_starts,
            star_edges=frozen(np.argsort(kept.ravel(), kind="stable") >> 1),
            star_starts=frozen(offsets(np.bincount(kept.ravel()).astype(np.int64))),
        )


@dataclass(frozen=True, eq=False)
class _Cycles:
    """Closed ways of half-edges; `of` (2m,) is the least half-edge on the way of each."""

    of: Ints
    following: Ints
    heads: Ints
    sizes: Ints

    def codes(self, heads: Ints) -> tuple[Ints, Ints]:
        """The half-edges of ways from their heads on, way after way, and the start of each."""
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


def trace(corners: Floats, edges: Ints, lines: Polylines | None = None) -> PlanarGraph:
    """Build the planar graph of corners (n, 2) and edges (m, 2), straight or along `lines`, that cross nowhere.

    Components are several boards, or islands: a component within a face makes a hole in it. Faces are numbered in
    reading order of their centres: from top to bottom, then from left to right. Raises StudioError, with the place, if
    edges coincide or hang loose.
    """
    origin = edges.ravel()
    target = edges[:, ::-1].ravel()
    way = corners[target] - corners[origin] if lines is None else _leaving(lines)
    around = np.lexsort((np.arctan2(way[:, 1], way[:, 0]), origin))
    _refuse_overlaps(corners, origin, way, around)
    star_starts = offsets(np.bincount(origin, minlength=len(corners)).astype(np.int64))
    cycles = _cycles(target, around, star_starts)
    loose = np.flatnonzero(cycles.of[::2] == cycles.of[1::2])
    alone = np.flatnonzero(np.diff(star_starts) == 0)
    if len(loose) or len(alone):
        x, y = (corners[edges[loose[0]]].mean(axis=0) if len(loose) else corners[alone[0]]).tolist()
        raise StudioError(tr("The cut at {x:.2f}, {y:.2f} mm is loose: it does not separate two pieces.", x=x, y=y))

    heads = cycles.heads
    if lines is None:
        cross = corners[origin, 0] * corners[target, 1] - corners[target, 0] * corners[origin, 1]
    else:
        cross = np.repeat(lines.sweeps, 2) * np.tile([1.0, -1.0], len(edges))
    area = np.bincount(cycles.of, cross, minlength=len(origin))[heads]
    inner, outer = heads[area >= 0], heads[area < 0]
    centre = np.stack([np.bincount(cycles.of, corners[origin, i], minlength=len(origin)) for i in (0, 1)], 1)
    centre = np.round(centre[inner] / cycles.sizes[inner, None], 6)
    inner = inner[np.lexsort((centre[:, 0], centre[:, 1]))]
    around_them = _surrounding(corners, edges, cycles, inner, outer, lines)

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
    """Ways with the sharpest turn at every corner; `around` lists half-edges by corner and direction."""
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
    """Raise StudioError for edges of length 0, and for edges that leave a corner in the same direction."""
    short = np.flatnonzero((way == 0).all(axis=1))
    one, other = around[:-1], around[1:]
    cross = way[one, 0] * way[other, 1] - way[one, 1] * way[other, 0]
    dot = (way[one] * way[other]).sum(axis=1)
    same = one[(origin[one] == origin[other]) & (np.abs(cross) <= SAME_DIRECTION * dot)]
    if len(short) or len(same):
        x, y = corners[origin[(short if len(short) else same)[0]]].tolist()
        raise StudioError(tr("Two cuts coincide at {x:.2f}, {y:.2f} mm.", x=x, y=y))


def _leaving(lines: Polylines) -> Floats:
    """Directions (2m, 2) in which half-edges leave their corners, a little way along their polylines.

    Edges that touch at a corner are told apart there, as none crosses another.
    """
    import shapely

    strings = shapely.linestrings(lines.points, indices=lines.owners)
    reach = min(BEYOND, float(lines.lengths.min(initial=BEYOND)) / 3)
    begins, ends = shapely.line_interpolate_point(strings, reach), shapely.line_interpolate_point(strings, -reach)
    away = np.stack([shapely.get_coordinates(begins), shapely.get_coordinates(ends)], 1) - lines.ends
    return np.asarray(away.reshape(-1, 2))


def _surrounding(
    corners: Floats, edges: Ints, cycles: _Cycles, inner: Ints, outer: Ints, lines: Polylines | None
) -> Ints:
    """The face around each component of the graph, by its outer way, or -1.

    A ray from the leftmost point of a component to the left first meets the face around it, or a neighbouring
    component in the same face. Points at the height of the ray count as above it.
    """
    found = np.full(len(outer), -1, np.int64)
    if len(outer) < 2:
        return found
    face = np.full(len(cycles.of), -1, np.int64)
    face[inner] = np.arange(len(inner))
    component = np.full(len(cycles.of), -1, np.int64)
    component[outer] = np.arange(len(outer))
    lines = Polylines(corners[edges].reshape(-1, 2), 2 * np.arange(len(edges) + 1)) if lines is None else lines
    is_last = np.zeros(len(lines.points), bool)
    is_last[lines.starts[1:] - 1] = True
    chords = np.stack([lines.points[:-1], lines.points[1:]], 1)[~is_last[:-1]]
    owners = lines.owners[:-1][~is_last[:-1]]
    falls = chords[:, 0, 1] > chords[:, 1, 1]
    chords[falls] = chords[falls, ::-1]
    x, y = chords[..., 0], chords[..., 1]
    lefts = [_leftmost(lines, cycles.codes(outer[at : at + 1])[0]) for at in range(len(outer))]
    for at in sorted(range(len(outer)), key=lambda at: lefts[at][0]):
        left, height = lefts[at]
        crossed = np.flatnonzero((y[:, 0] <= height) & (y[:, 1] > height) & (x.min(axis=1) < left))
        slopes = (x[crossed, 1] - x[crossed, 0]) / (y[crossed, 1] - y[crossed, 0])
        meets = x[crossed, 0] + (height - y[crossed, 0]) * slopes
        before = np.flatnonzero(meets < left)
        if len(before):
            # Among edges from a point at the height of the ray, take the one that leans most towards its beginning.
            chord = int(crossed[before[np.lexsort((slopes[before], meets[before]))[-1]]])
            way = int(cycles.of[2 * owners[chord] + int(not falls[chord])])  # the half-edge that goes up
            found[at] = face[way] if face[way] >= 0 else found[component[way]]
    return found


def _leftmost(lines: Polylines, codes: Ints) -> tuple[float, float]:
    points = lines.chosen(codes >> 1).points
    x, y = points[points[:, 0].argmin()].tolist()
    return x, y


def share_none(some: Ints, others: Ints) -> NDArray[np.bool_]:
    """Mask of edges (k, 2) that share no corner with others (k, 2)."""
    (one, two), (first, second) = some.T, others.T
    return np.asarray((one != first) & (one != second) & (two != first) & (two != second))


def crossing(corners: Floats, edges: Ints, moved: NDArray[np.bool_] | None = None) -> Floats | None:
    """A place (2,) in mm at which two straight edges meet other than at a shared corner, or None; with a mask `moved`
    (m,), only pairs with a moved edge are tested."""
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


# Faces of lines. shapely's polygonize finds the same, but holds the interpreter lock for seconds on a large board.
# half: a line followed one way; half 2i follows line i forwards, 2i + 1 backwards, like codes of strokes.

FACES_AT_ONCE = 2000
"""Faces whose rims are tested in one batch; all rims of a large board would fill gigabytes."""


def face_count(lines: Polylines) -> int:
    """Count the faces enclosed by polylines that meet only at their ends.

    As in the polygonizer of JTS (Davis, 2003), lines with a free end and lines with the same face on both sides bound
    no face, a face with a rim that crosses itself does not count, and an inner loop that touches a rim at a node is a
    hole.
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
    # Number of halves after each until its face is closed; every face begins with its least half.
    is_last = after == faces
    far = np.where(is_last, np.arange(len(after)), after)
    steps = np.where(is_last, 0, 1)
    while not (far == far[far]).all():
        steps, far = steps + steps[far], far[far]
    codes = codes[np.lexsort((-steps[codes], faces[codes]))]
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
    """Split rims at nodes that they pass again; return the halves of all rims and the start of each.

    The halves begin at `nodes`.
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
    """Remove points that repeat the point before, so that each line has a direction at either end."""
    moves = np.ones(len(lines.points), bool)
    moves[1:] = (lines.points[1:] != lines.points[:-1]).any(axis=1)
    moves[lines.starts[:-1]] = True
    if moves.all():
        return lines
    sizes = np.bincount(lines.owners[moves], minlength=len(lines))
    moves &= (sizes > 1)[lines.owners]
    return Polylines(lines.points[moves], offsets(sizes[sizes > 1]))


def _without_dangles(ends: Ints) -> Ints:
    """Lines, with nodes as ends (n, 2), that remain after lines with a free end are removed repeatedly."""
    kept = np.arange(len(ends))
    while True:
        is_free = np.bincount(ends[kept].ravel(), minlength=1) == 1
        dangling = is_free[ends[kept]].any(axis=1)
        if not dangling.any():
            return kept
        kept = kept[~dangling]


def _following(lines: Polylines, ends: Ints, kept: Ints) -> Ints:
    """The next half round the face on the left of each half; removed halves lead to themselves."""
    points, first, last = lines.points, lines.starts[kept], lines.starts[kept + 1] - 1
    ways = np.stack([points[first + 1] - points[first], points[last - 1] - points[last]], 1).reshape(-1, 2)
    codes = np.stack([2 * kept, 2 * kept + 1], 1).ravel()
    nodes = ends[kept].ravel()
    order = np.lexsort((np.arctan2(ways[:, 1], ways[:, 0]), nodes))
    # The halves that leave each node, anticlockwise: an arriving half goes on along the next one clockwise.
    begins = np.flatnonzero(np.diff(nodes[order], prepend=-1))
    before = np.arange(-1, len(order) - 1)
    before[begins] = np.append(begins[1:], len(order)) - 1
    after = np.arange(2 * len(lines))
    after[codes[order] ^ 1] = codes[order[before]]
    return after


def _orbits(after: Ints) -> Ints:
    """The least half round the face of each half."""
    least, far = np.minimum(np.arange(len(after)), after), after[after]
    while True:
        lower = np.minimum(least, least[far])
        if (lower == least).all():
            return least
        least, far = lower, far[far]


def joined_ways(begins: Ints, ends: Ints, chosen: Sequence[int]) -> Iterator[list[int]]:
    """Split the numbers of ways in order into runs of ways that join."""
    run = list[int]()
    for at in chosen:
        if run and begins[at] != ends[run[-1]]:
            yield run
            run = []
        run.append(at)
    if run:
        yield run


def best_way(
    stations: dict[int, float], ways: list[tuple[int, int, float, int]], apart: float, gap: float
) -> tuple[float, list[int]]:
    """Greatest total worth of ways (begin, end, worth, number) in the order of stations, and their numbers in order.

    Ways need not join, at the cost of `gap`, if those that do not are `apart` mm from each other.
    """
    order = sorted(stations, key=lambda node: (stations[node], node))
    into: dict[int, list[tuple[int, float, int]]] = {node: [] for node in order}
    for begin, end, worth, number in ways:
        into[end].append((begin, worth, number))
    best, came = dict[int, float](), dict[int, tuple[int, int]]()
    reached, ahead, top = list[int](), 0, (0.0, NO_WAY)
    for node in order:
        while ahead < len(reached) and stations[reached[ahead]] <= stations[node] - apart:
            if best[reached[ahead]] > top[0]:
                top = best[reached[ahead]], reached[ahead]
            ahead += 1
        best[node] = 0.0
        if top[0] > gap:
            best[node], came[node] = top[0] - gap, (top[1], NO_WAY)
        for begin, worth, number in into[node]:
            if begin in best and best[begin] + worth > best[node]:
                best[node], came[node] = best[begin] + worth, (begin, number)
        reached.append(node)
    node, numbers = max(order, key=lambda each: (best[each], -stations[each])), []
    total = best[node]
    while node in came:
        node, number = came[node]
        if number != NO_WAY:
            numbers.append(number)
    return total, numbers[::-1]
