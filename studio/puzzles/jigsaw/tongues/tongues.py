"""Tongues by their numbers, in the frames of their edges, and the room that each has beside its neighbours.

frame: the coordinates of a tongue, along its edge from first to second corner and at right angles to it towards
the knob; the true frame of the edge, so that dragging a corner turns and stretches a tongue but never flips or
shears it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from studio.geometry.curves.strokes import Floats, Ints, offsets, ranges
from studio.geometry.planar.graph import PlanarGraph

SIDE, PLAIN, SIZE, PLACE, DEPTH, SLANT, NECK, FIRST_BEND, SECOND_BEND, HEAD, SHOULDER, FULLNESS, STYLE = range(13)
HEAD_BALANCE, NECK_BALANCE, SHOULDER_BALANCE, FULLNESS_BALANCE = range(13, 17)
"""The columns of the table of tongues; styles by their numbers.

A balance is by which share of it a part is larger on the side of the second corner, and smaller on the other.
"""
STRAIGHT = 2.0
"""What PLAIN is where an edge without a tongue is straight as the border is; 1 where it bends as its joints ask."""
FOLLOWING = 3.0
"""What PLAIN is where an edge without a tongue follows a line of the picture."""
NUMBERS = 17
"""How many columns there are."""
SHAPE = {"head": HEAD, "neck": NECK, "shoulder": SHOULDER, "fullness": FULLNESS}
"""The columns that scale a part of a tongue's outline, 1 as the style has it, by their names in an edit."""
BALANCES = {
    "head_balance": HEAD_BALANCE, "neck_balance": NECK_BALANCE, "shoulder_balance": SHOULDER_BALANCE,
    "fullness_balance": FULLNESS_BALANCE,
}  # fmt: skip
"""The columns that tell left from right, by their names in an edit."""
COLUMNS = {"size": SIZE, "place": PLACE, "slant": SLANT} | SHAPE | BALANCES
"""The columns that can be edited, by their names in an edit."""
SHORTEST = 1e-9
"""In mm: an edge of no length counts as one of this, so that nothing divides by zero."""
BESIDE_TONGUE = 2**0.5
"""Room as a multiple of the distance between the feet of two tongues; in a square it is the length of an edge."""
BESIDE_EDGE = 2.5
"""Room as a multiple of the distance from a tongue's foot to another edge."""
LEANING = 0.7
"""The height at which heads lean furthest to a side, as a fraction of a tongue's; their slant moves the feet so far."""
SHORTEST_SQUARED = 1e-18
"""In mm²: an edge of no length counts as one of this, so that nothing divides by zero."""


@dataclass(frozen=True, eq=False)
class Frames:
    """Several tongues in their frames: ends (k, 2, 2) in mm and numbers (k, 17), and what follows from them.

    `along` and `across` (k, 2) are unit vectors, `length` and `room` (k,) in mm; a tongue's size follows its room.
    """

    ends: Floats
    numbers: Floats
    along: Floats
    across: Floats
    length: Floats
    room: Floats

    @property
    def middle(self) -> Floats:
        """The positions of the tongues along their edges, (k,) in mm."""
        return np.asarray((0.5 + self.numbers[:, PLACE]) * self.length)

    @property
    def tip(self) -> Floats:
        """The heights of the tongues above their edges, (k,) in mm."""
        return np.asarray((self.numbers[:, SIZE] + self.numbers[:, DEPTH]) * self.room)

    def point(self, u: Floats, v: Floats) -> Floats:
        """Points (k, 2) on the board from distances in mm along the edges and across them."""
        return self.ends[:, 0] + u[:, None] * self.along + v[:, None] * self.across

    def coordinates(self, points: Floats) -> tuple[Floats, Floats]:
        """The distances in mm along the edges and across them of points (k, 2) on the board."""
        way = points - self.ends[:, 0]
        u, v = (way[:, 0] * axis[:, 0] + way[:, 1] * axis[:, 1] for axis in (self.along, self.across))
        return u, v


def framed(ends: Floats, numbers: Floats, rooms: Floats, stretch: float | Floats) -> Frames:
    """Tongues with ends (k, 2, 2) and numbers (k, 17) in their frames.

    Their room is the lesser of `stretch` lengths of their edges, one number or (k,), and `rooms` (k,) in mm.
    """
    way = ends[:, 1] - ends[:, 0]
    length = np.maximum(np.hypot(way[:, 0], way[:, 1]), SHORTEST)
    along = way / length[:, None]
    normal = np.stack([-along[:, 1], along[:, 0]], 1) * numbers[:, SIDE, None]
    return Frames(ends, numbers, along, normal, length, np.minimum(stretch * length, rooms))


def rooms_of(graph: PlanarGraph, corners: Floats, tongues: Floats, faces: Ints | None = None) -> Floats:
    """The room (m,) in mm that the other edges of its pieces leave every tongue, or those of some faces; infinite away
    from these.

    `corners` are (n, 2) in mm and `tongues` the table of tongues (m, 17). A tongue has as much room as the nearest one,
    so that none collides with a neighbour and a long edge between short ones gets no giant.
    """
    ends = corners[graph.edges]
    at = 0.5 + tongues[:, PLACE] + LEANING * tongues[:, SLANT]
    feet = ends[:, 0] + at[:, None] * (ends[:, 1] - ends[:, 0])
    is_rim = graph.sides.min(axis=1) < 0
    result = np.full(len(ends), np.inf)
    for one, other in _pairs(graph, np.arange(graph.face_count) if faces is None else faces):
        between = BESIDE_TONGUE * np.hypot(*(feet[one] - feet[other]).T)
        for mine, its in ((one, other), (other, one)):
            beside = BESIDE_EDGE * _distances(feet[mine], ends[its])
            np.minimum.at(result, mine, np.where(is_rim[its], beside, np.minimum(between, beside)))
    return result


def _pairs(graph: PlanarGraph, faces: Ints) -> list[tuple[Ints, Ints]]:
    """Every two edges of one of some faces, as pairs of arrays (k,)."""
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
    """The distances (k,) of points (k, 2) from straight edges with ends (k, 2, 2)."""
    way, off = ends[:, 1] - ends[:, 0], points - ends[:, 0]
    share = (way * off).sum(axis=1) / np.maximum((way * way).sum(axis=1), SHORTEST_SQUARED)
    rest = off - np.clip(share, 0.0, 1.0)[:, None] * way
    return np.asarray(np.hypot(rest[:, 0], rest[:, 1]))
