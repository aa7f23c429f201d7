"""Table of tongues' values, their frames along edges, and their room beside neighbours.

frame: the coordinates of a tongue, along its edge from first to second corner and at right angles to it towards the
knob; it follows the edge exactly, so that dragging a corner turns and stretches a tongue but never flips or shears it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from studio.base.chance import uniform
from studio.geometry.board.tiling import Tiling
from studio.geometry.curves.strokes import Curves, Floats, Ints, distinct, frozen, offsets, paired, ranges, samples
from studio.geometry.planar.graph import PlanarGraph

SIDE, PLAIN, SIZE, PLACE, DEPTH, SLANT, NECK, FIRST_BEND, SECOND_BEND, HEAD, SHOULDER, FULLNESS, STYLE = range(13)
HEAD_BALANCE, NECK_BALANCE, SHOULDER_BALANCE, FULLNESS_BALANCE = range(13, 17)
"""Columns of the table of tongues; styles by number.

A balance is the fraction by which a part is larger on the side of the second corner, and smaller on the other.
"""
STRAIGHT = 2.0
"""Value of PLAIN for an edge without a tongue that is as straight as the border; 1 if it bends with its joints."""
FOLLOWING = 3.0
"""Value of PLAIN for an edge without a tongue that follows a line of the picture."""
HOOKED = -1.0
"""Value of PLAIN for an edge that follows a line of the picture but for a small tongue."""
DRAWN = 4.0
"""Value of PLAIN for an edge that keeps its drawn curve; another SIDE mirrors it."""
NUMBERS = 17
"""Number of columns."""
SHAPE = {"head": HEAD, "neck": NECK, "shoulder": SHOULDER, "fullness": FULLNESS}
"""Columns that scale a part of a tongue's outline, 1 for the style's own size, by name in an edit."""
BALANCES = {
    "head_balance": HEAD_BALANCE, "neck_balance": NECK_BALANCE, "shoulder_balance": SHOULDER_BALANCE,
    "fullness_balance": FULLNESS_BALANCE,
}  # fmt: skip
"""Columns of balances between left and right, by name in an edit."""
COLUMNS = {"size": SIZE, "place": PLACE, "slant": SLANT} | SHAPE | BALANCES
"""Editable columns, by name in an edit."""
SHORTEST = 1e-9
"""Least length of an edge in mm, against division by zero."""
BESIDE_TONGUE = 2**0.5
"""Room as a multiple of the distance between the feet of two tongues; in a square it is the length of an edge."""
BESIDE_EDGE = 2.5
"""Room as a multiple of the distance from a tongue's foot to another edge."""
LENGTH_DECIMALS = 6
"""Decimals of lengths in mm that are compared."""
FALSE_EDGES = 0.07
"""Share of the cuts inside a tricky board that look like its border."""
FEWEST_SIDES, SQUARISH = 4, np.radians(30.0)
"""Fewest edges of a piece with a false corner, and the largest difference of the corner from a right angle."""
INWARDS = 0.12
"""Offset of double knobs towards the middle of their edge, in halves of it."""
LEANING = 0.7
"""Height at which heads lean farthest aside, as a fraction of a tongue's; this share of the slant moves the feet."""
SHORTEST_SQUARED = 1e-18
"""Least squared length of an edge in mm², against division by zero."""
PARTS, STEPS = 4, 4
"""Number of boxes around the parts of a stroke in the search for crowded edges, and of steps along each."""
SHARPEST, BLUNTEST = math.radians(30.0), math.radians(60.0)
"""Bounds of the angle at a corner that explains how near two cuts are; see `checks.walls`."""
SPARE_ANGLE = math.radians(8.0)
"""Angle between two cuts at their corner beyond the one that explains how near they are, in a search by samples."""


@dataclass(frozen=True, eq=False)
class Frames:
    """Tongues in their frames: ends in mm, shape (k, 2, 2), values, shape (k, 17), and quantities derived from them.

    `along` and `across` are unit vectors, shape (k, 2), `length` and `room` are in mm, shape (k,); a tongue's size
    follows its room.
    """

    ends: Floats
    numbers: Floats
    along: Floats
    across: Floats
    length: Floats
    room: Floats

    @property
    def middle(self) -> Floats:
        """Positions of the tongues along their edges in mm, shape (k,)."""
        return np.asarray((0.5 + self.numbers[:, PLACE]) * self.length)

    @property
    def tip(self) -> Floats:
        """Heights of the tongues above their edges in mm, shape (k,)."""
        return np.asarray((self.numbers[:, SIZE] + self.numbers[:, DEPTH]) * self.room)

    def point(self, u: Floats, v: Floats) -> Floats:
        """Points on the board from distances in mm along the edges and across them, shape (k, 2)."""
        return self.ends[:, 0] + u[:, None] * self.along + v[:, None] * self.across

    def coordinates(self, points: Floats) -> tuple[Floats, Floats]:
        """Distances in mm along the edges and across them of points on the board, shape (k, 2)."""
        way = points - self.ends[:, 0]
        u, v = (way[:, 0] * axis[:, 0] + way[:, 1] * axis[:, 1] for axis in (self.along, self.across))
        return u, v


def framed(ends: Floats, numbers: Floats, rooms: Floats, stretch: float | Floats) -> Frames:
    """Compute the frames of tongues from ends, shape (k, 2, 2), and values, shape (k, 17).

    Room is the lesser of `stretch` edge lengths, a number or shape (k,), and `rooms` in mm, shape (k,).
    """
    way = ends[:, 1] - ends[:, 0]
    length = np.maximum(np.hypot(way[:, 0], way[:, 1]), SHORTEST)
    along = way / length[:, None]
    normal = np.stack([-along[:, 1], along[:, 0]], 1) * numbers[:, SIDE, None]
    return Frames(ends, numbers, along, normal, length, np.minimum(stretch * length, rooms))


@dataclass(frozen=True)
class Disguise:
    """Edges that mislead: the shares of inner edges that look like the border, of inner pieces that look like a corner
    of the board, the share of edges between two border pieces that do not lock, that of all straight edges, and
    whether every piece keeps a tongue.
    """

    false_edges: float
    false_corners: float
    hidden_border: float
    plain_share: float
    keeps_locks: bool


def disguised(tiling: Tiling, seeds: Ints, chosen: Ints, disguise: Disguise) -> Floats:
    """Values of PLAIN, shape (k,), of disguised edges, given seeds of shape (k,); NaN for edges that keep theirs."""
    result = np.full(len(chosen), np.nan)
    for seed in np.unique(seeds).tolist():
        which = seeds == seed
        result[which] = _disguises(tiling, seed, disguise)[chosen[which]]
    return result


@lru_cache(maxsize=8)
def _disguises(tiling: Tiling, seed: int, disguise: Disguise) -> Floats:
    sides, keys = tiling.graph.sides, tiling.edge_keys
    at_border = np.append(np.zeros(tiling.graph.face_count, bool), True)
    at_border[tiling.border_faces] = True
    are_at_border = at_border[sides]
    result = np.zeros(len(sides))
    inside = np.flatnonzero(~are_at_border.any(axis=1))
    if disguise.false_edges:
        order = np.argsort(uniform(seed, keys[inside], "false edge"), kind="stable")
        result[inside[order[: math.ceil(disguise.false_edges * len(inside))]]] = STRAIGHT
    if disguise.false_corners:
        result[_false_corners(tiling, seed, inside, disguise.false_corners)] = STRAIGHT
    if disguise.hidden_border:
        plain = (uniform(seed, keys, "plain") < disguise.plain_share) | tiling.is_bare | (result > 0)
        inward = np.flatnonzero((are_at_border.sum(axis=1) == 1) & (sides >= 0).all(axis=1) & ~plain)
        is_held = np.zeros(len(at_border), bool)
        is_held[sides[inward][are_at_border[inward]]] = True
        hidden = is_held[sides].all(axis=1) & (uniform(seed, keys, "hidden border") < disguise.hidden_border)
        result[hidden & are_at_border.all(axis=1)] = 1.0
    values = np.where(result > 0, result, np.nan)
    if disguise.keeps_locks:
        values[_freed(tiling, (uniform(seed, keys, "plain") < disguise.plain_share) | (result > 0))] = 0.0
    return frozen(values)


def _freed(tiling: Tiling, plain: NDArray[np.bool_]) -> Ints:
    """Of the `plain` edges (m,), the longest of every piece that they would leave without a tongue."""
    sides, count = tiling.graph.sides, tiling.graph.face_count
    able = np.flatnonzero((sides >= 0).all(axis=1) & ~tiling.is_bare)
    locks = able[~plain[able]]
    loose = np.append(np.bincount(sides[locks].ravel(), minlength=count) == 0, False)
    owners, edges = sides[able].T.ravel(), np.tile(able, 2)
    order = np.lexsort((tiling.edge_keys[edges], -np.round(tiling.lengths[edges], LENGTH_DECIMALS), owners))
    order = order[loose[owners[order]]]
    return np.asarray(edges[order[np.unique(owners[order], return_index=True)[1]]])


def _false_corners(tiling: Tiling, seed: int, inside: Ints, share: float) -> Ints:
    """Pairs of edges (2 k,) inside the board that meet nearly squarely, each pair of another piece.

    No two of these pieces are neighbours, so that every piece keeps most of its tongues.
    """
    graph = tiling.graph
    chance = np.append(uniform(seed, tiling.face_keys, "false corner"), np.inf)
    nearest = np.full(graph.face_count + 1, np.inf)
    for one, other in (graph.sides.T, graph.sides.T[::-1]):
        np.minimum.at(nearest, one, chance[other])
    sizes = np.diff(graph.starts)
    is_chosen = (chance[:-1] < np.minimum(share, nearest[:-1])) & (sizes >= FEWEST_SIDES)
    owners = np.repeat(np.arange(len(sizes)), sizes)
    following = np.arange(1, len(owners) + 1)
    following[graph.starts[1:] - 1] = graph.starts[:-1]
    ends = tiling.homes[graph.edges]
    ways = np.where((graph.codes & 1)[:, None] == 1, -1.0, 1.0) * (ends[:, 1] - ends[:, 0])[graph.codes >> 1]
    ways = paired(ways)
    turns = np.abs(np.abs(np.angle(ways[following] / ways)) - np.pi / 2)
    edges = np.stack([graph.codes >> 1, graph.codes[following] >> 1], 1)
    able = np.flatnonzero(is_chosen[owners] & (turns < SQUARISH) & np.isin(edges, inside).all(axis=1))
    order = able[np.argsort(uniform(seed, tiling.edge_keys[edges[able, 0]], "corner of it"), kind="stable")]
    _, first = np.unique(owners[order], return_index=True)
    return edges[order[first]].ravel()


def rooms_of(
    graph: PlanarGraph, corners: Floats, tongues: Floats, reaches: Floats, faces: Ints | None = None
) -> Floats:
    """Room in mm that the other edges of its pieces leave each tongue, shape (m,); infinite away from given `faces`.

    `corners` are in mm, shape (n, 2), and `tongues` is the table, shape (m, 17). The nearest tongue or edge limits the
    room, so that tongues do not collide with neighbours and a long edge between short ones does not get a giant.
    `reaches` are the heights of tongues of the same room, shape (m,); an edge below 1 has two knobs.
    """
    ends = corners[graph.edges]
    at = 0.5 + tongues[:, PLACE] + LEANING * tongues[:, SLANT]
    shares = [at]
    if (two := reaches < 1).any():
        shares = [np.where(two, begin + (at + inwards) / 2, at) for begin, inwards in ((0, INWARDS), (0.5, -INWARDS))]
    feet = [ends[:, 0] + share[:, None] * (ends[:, 1] - ends[:, 0]) for share in shares]
    is_rim = graph.sides.min(axis=1) < 0
    result = np.full(len(ends), np.inf)
    for one, other in _pairs(graph, np.arange(graph.face_count) if faces is None else faces):
        both = (reaches[one] + reaches[other]) / 2
        for begin, end in product(feet, feet):
            between = BESIDE_TONGUE * np.hypot(*(begin[one] - end[other]).T) / both
            for mine, its, foot in ((one, other, begin), (other, one, end)):
                beside = BESIDE_EDGE * _distances(foot[mine], ends[its]) / reaches[mine]
                np.minimum.at(result, mine, np.where(is_rim[its], beside, np.minimum(between, beside)))
    return result


def _pairs(graph: PlanarGraph, faces: Ints) -> list[tuple[Ints, Ints]]:
    """All pairs of edges of the same face, for some faces, as pairs of arrays of shape (k,)."""
    sizes = graph.starts[faces + 1] - graph.starts[faces]
    edges = graph.codes[ranges(graph.starts[faces], sizes)] >> 1
    begins, size = np.repeat(offsets(sizes)[:-1], sizes), np.repeat(sizes, sizes)
    place = np.arange(len(edges)) - begins
    pairs = []
    for step in range(1, int(sizes.max(initial=0)) // 2 + 1):
        far = size >= 2 * step
        pairs.append((edges[far], edges[begins[far] + (place[far] + step) % size[far]]))
    return pairs


def _distances(points: Floats, ends: Floats) -> Floats:
    """Distances of points, shape (k, 2), from straight edges with ends, shape (k, 2, 2)."""
    way, off = ends[:, 1] - ends[:, 0], points - ends[:, 0]
    share = (way * off).sum(axis=1) / np.maximum((way * way).sum(axis=1), SHORTEST_SQUARED)
    rest = off - np.clip(share, 0.0, 1.0)[:, None] * way
    return np.asarray(np.hypot(rest[:, 0], rest[:, 1]))


def crowded(graph: PlanarGraph, strokes: Curves, least: float, faces: Ints | None = None) -> Ints:
    """Pairs of edges of the same face, for some faces, that may be less than `least` mm apart, shape (k, 2).

    A quick test by the boxes of their parts; around a corner that they share, by the angle between them.
    """
    faces = np.arange(graph.face_count) if faces is None else faces
    sizes = graph.starts[faces + 1] - graph.starts[faces]
    codes = graph.codes[ranges(graph.starts[faces], sizes)]
    edges, backwards = codes >> 1, codes & 1
    used = distinct(edges)
    points = samples(strokes, used, PARTS * STEPS)
    points = np.stack([points, points[:, ::-1]], 1)[np.searchsorted(used, edges), backwards]
    parts = points[:, np.arange(PARTS)[:, None] * STEPS + np.arange(STEPS + 1)].transpose(1, 3, 2, 0)
    # Boxes, shape (parts, 2, n), and directions from both ends, of the curve itself and of its samples, (n, s, 2).
    low, high = np.ascontiguousarray(parts.min(2)) - least / 2, np.ascontiguousarray(parts.max(2)) + least / 2
    leaving, reaching = (
        np.concatenate([_first_ways(strokes, edges, side)[:, None], points[:, some] - points[:, here]], axis=1)
        for side, here, some in (
            (backwards, slice(1), slice(1, STEPS + 1)), (1 - backwards, slice(-1, None), slice(-2, -2 - STEPS, -1))
        )
    )  # fmt: skip
    for ways in (leaving, reaching):
        ways /= np.maximum(np.hypot(ways[..., :1], ways[..., 1:]), SHORTEST)
    is_rim = (graph.sides.min(axis=1) < 0)[edges]
    begins, size = np.repeat(offsets(sizes)[:-1], sizes), np.repeat(sizes, sizes)
    place = np.arange(len(codes)) - begins
    whole_low, whole_high = low.min(axis=0), high.max(axis=0)
    found = []
    for step in range(1, int(sizes.max(initial=0)) // 2 + 1):
        one = np.flatnonzero(size >= 2 * step)
        other = begins[one] + (place[one] + step) % size[one]
        kept = ~(is_rim[one] & is_rim[other])
        kept &= ((whole_low[:, other] < whole_high[:, one]) & (whole_low[:, one] < whole_high[:, other])).all(axis=0)
        one, other = one[kept], other[kept]
        met = graph.edges[edges[one], 1 - backwards[one]] == graph.edges[edges[other], backwards[other]]
        beside = (low[:, None, :, one] < high[:, :, other]) & (low[:, :, other] < high[:, None, :, one])
        beside = beside[:, :, 0] & beside[:, :, 1]
        near = beside[-1, 0] & ~met
        beside[-1, 0] = False
        near |= beside.any(axis=(0, 1))
        at = np.flatnonzero(met & ~near)
        ways, others = reaching[one[at]], leaving[other[at]]
        half = np.arccos((ways[:, 0] * others[:, 0]).sum(axis=1).clip(-1.0, 1.0)) / 2
        explained = half.clip(SHARPEST, BLUNTEST) + SPARE_ANGLE
        near[at] = np.matmul(ways, others.transpose(0, 2, 1)).max(axis=(1, 2)) > np.cos(explained)
        found.append(np.stack([edges[one[near]], edges[other[near]]], 1))
    pairs = np.sort(np.concatenate([np.empty((0, 2), np.int64), *found]), axis=1)
    keys = distinct(pairs[:, 0] * len(graph.edges) + pairs[:, 1])
    pairs = np.stack(np.divmod(keys, len(graph.edges)), 1)
    return np.asarray(pairs[pairs[:, 0] != pairs[:, 1]])


def _first_ways(strokes: Curves, edges: Ints, ends: Ints) -> Floats:
    """Directions in which strokes leave their first (0) or last (1) points, of any length, shape (k, 2)."""
    at = strokes.starts[edges + ends] - ends
    return np.asarray(strokes.points[at + 1 - 2 * ends] - strokes.points[at])
