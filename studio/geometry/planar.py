"""A planar graph: corners, the edges between them, and the faces that the edges enclose.

half-edge: an edge with a direction; 2e runs along edge e, 2e + 1 against it. Every inner half-edge has one face on
its left hand as seen with y growing downwards, that is, faces are followed clockwise on the screen.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from studio.errors import StudioError
from studio.geometry.curves import Floats, Ints, distinct, frozen, offsets, ranges


@dataclass(frozen=True, eq=False)
class PlanarGraph:
    """Topology only; where the corners lie may change without changing it.

    `edges` (m, 2) names the corners at both ends; `sides` (m, 2) the faces of half-edges 2e and 2e + 1, -1 outside;
    face f follows `codes[starts[f]:starts[f + 1]]`; `rim` is the outside's half-edges, in order, faces at the right.
    """

    corner_count: int
    edges: Ints
    sides: Ints
    codes: Ints
    starts: Ints
    rim: Ints
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


def trace(corners: Floats, edges: Ints) -> PlanarGraph:
    """The planar graph of corners (n, 2) and straight edges (m, 2) that cross nowhere and hang together.

    Faces are numbered in reading order of their centres: from top to bottom, then from left to right. Raises
    StudioError where the edges do not enclose one connected board.
    """
    half_edges = 2 * len(edges)
    origin = edges.ravel()
    target = edges[:, ::-1].ravel()
    way = corners[target] - corners[origin]
    around = np.lexsort((np.arctan2(way[:, 1], way[:, 0]), origin))
    star_starts = offsets(np.bincount(origin, minlength=len(corners)).astype(np.int64))
    rank = np.empty(half_edges, np.int64)
    rank[around] = np.arange(half_edges)
    twin = np.arange(half_edges) ^ 1
    place = rank[twin]
    first, end = star_starts[target], star_starts[target + 1]
    following = around[np.where(place == first, end, place) - 1]

    cycle = np.arange(half_edges)
    leap = following.copy()
    for _ in range(max(1, int(half_edges).bit_length())):
        cycle = np.minimum(cycle, cycle[leap])
        leap = leap[leap]
    heads = distinct(cycle)
    cross = corners[origin, 0] * corners[target, 1] - corners[target, 0] * corners[origin, 1]
    area = np.bincount(cycle, cross, minlength=half_edges)[heads]
    outside = heads[area < 0]
    if len(outside) != 1:
        raise StudioError("The cuts of a board must hang together.")
    inner = heads[area >= 0]
    sizes = np.bincount(cycle, minlength=half_edges)
    centre = np.stack([np.bincount(cycle, corners[origin, i], minlength=half_edges) for i in (0, 1)], 1)
    centre = np.round(centre[inner] / sizes[inner, None], 6)
    inner = inner[np.lexsort((centre[:, 0], centre[:, 1]))]

    starts = offsets(sizes[inner])
    codes = np.empty(int(starts[-1]), np.int64)
    at = inner.copy()
    for step in range(int(sizes[inner].max())):
        going = sizes[inner] > step
        codes[starts[:-1][going] + step] = at[going]
        at = following[at]
    rim = np.empty(int(sizes[outside[0]]), np.int64)
    step_at = int(outside[0])
    for step in range(len(rim)):
        rim[step] = step_at
        step_at = int(following[step_at])
    face_of = np.full(half_edges, -1, np.int64)
    face_of[codes] = np.repeat(np.arange(len(inner)), sizes[inner])
    sides = face_of.reshape(-1, 2)
    for array in (edges, sides, codes, starts, rim):
        frozen(array)
    return PlanarGraph(len(corners), edges, sides, codes, starts, rim, around >> 1, star_starts)
