"""The room of tongues on an irregular board: how large each may be beside its neighbours."""

from __future__ import annotations

import numpy as np

from studio.geometry.curves import Floats, Ints
from studio.geometry.planar import PlanarGraph
from studio.puzzles.jigsaw.tongues import PLACE, SLANT

BESIDE_TONGUE = 2**0.5
"""Room as a multiple of the distance between the feet of two tongues; in a square it is the length of an edge."""
BESIDE_EDGE = 2.0
"""Room as a multiple of the distance from a tongue's foot to another edge; in a square it is the length of an edge."""
LEANING = 0.7
"""The height at which heads lean furthest to a side, as a fraction of a tongue's; their slant moves the feet so far."""
SHORTEST_SQUARED = 1e-18
"""In mm²: an edge of no length counts as one of this, so that nothing divides by zero."""


def rooms_of(graph: PlanarGraph, corners: Floats, tongues: Floats) -> Floats:
    """The room (m,) in mm that the other edges of its pieces leave every tongue.

    `corners` are (n, 2) in mm and `tongues` the table of tongues (m, 12). A tongue has as much room as the nearest one,
    so that none collides with a neighbour and a long edge between short ones gets no giant.
    """
    ends = corners[graph.edges]
    at = 0.5 + tongues[:, PLACE] + LEANING * tongues[:, SLANT]
    feet = ends[:, 0] + at[:, None] * (ends[:, 1] - ends[:, 0])
    is_rim = graph.sides.min(axis=1) < 0
    result = np.full(len(ends), np.inf)
    for one, other in _pairs(graph):
        between = BESIDE_TONGUE * np.hypot(*(feet[one] - feet[other]).T)
        for mine, its in ((one, other), (other, one)):
            beside = BESIDE_EDGE * _distances(feet[mine], ends[its])
            np.minimum.at(result, mine, np.where(is_rim[its], beside, np.minimum(between, beside)))
    return result


def _pairs(graph: PlanarGraph) -> list[tuple[Ints, Ints]]:
    """Every two edges of a face, as pairs of arrays (k,)."""
    sizes = np.diff(graph.starts)
    begins, size = np.repeat(graph.starts[:-1], sizes), np.repeat(sizes, sizes)
    place = np.arange(len(graph.codes)) - begins
    edges = graph.codes >> 1
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
