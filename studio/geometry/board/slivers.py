"""Slivers of a clipped tessellation: parts too small or too thin for a piece; each goes to a neighbour.

part: what is left of a cell within an outline.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from studio.geometry.board.border import Border, Cuts, Nodes, Rim
from studio.geometry.board.tessellations import NO_CELL, Tessellation
from studio.geometry.board.tiling import polygons_of
from studio.geometry.curves.strokes import Floats, Ints, distinct, totals
from studio.geometry.planar.graph import PlanarGraph, trace

LEAST_AREA, LEAST_RADIUS = 0.36, 0.17
"""Parts smaller than this fraction of a cell, or whose inscribed circle is smaller (in cells), are slivers."""
DOUBTFUL, STRAIGHT_SHARE = 0.9, 0.8
"""Only parts smaller than the first, in cells, that fill the second share of their polygon may be too thin."""


@dataclass(frozen=True, eq=False)
class Parts:
    """What the cuts and the border enclose: a graph whose first edges are the cuts, and of its faces the areas (f,),
    the cells (f,) that they are parts of, and which are holes of the board (f,)."""

    graph: PlanarGraph
    places: Floats
    areas: Floats
    cells: Ints
    is_hole: NDArray[np.bool_]


def parts_of(tessellation: Tessellation, border: Border, nodes: Nodes, cuts: Cuts, rim: Rim) -> Parts:
    """What cuts and the rim enclose."""
    edges = np.concatenate([cuts.ends, rim.ends])
    graph = trace(nodes.places, edges)
    owners = np.repeat(np.arange(graph.face_count), np.diff(graph.starts))
    begins = nodes.places[edges[graph.codes >> 1, graph.codes & 1]]
    finishes = nodes.places[edges[graph.codes >> 1, 1 - (graph.codes & 1)]]
    swept = begins[:, 0] * finishes[:, 1] - begins[:, 1] * finishes[:, 0]
    number = (graph.codes >> 1) - len(cuts.ends)
    on_rim = number >= 0
    bulges = _bulges(nodes, rim, border)[number[on_rim]]
    swept[on_rim] += np.where(graph.codes[on_rim] & 1, -bulges, bulges)
    own = np.full(len(number), NO_CELL)
    own[~on_rim] = tessellation.sides[cuts.edges[graph.codes[~on_rim] >> 1], graph.codes[~on_rim] & 1]
    lengths = np.hypot(*(finishes - begins).T)
    is_hole = np.zeros(graph.face_count, bool)
    beyond = graph.sides[len(cuts.ends) :, 1]
    is_hole[beyond[beyond >= 0]] = True
    areas = totals(owners, swept, graph.face_count) / 2
    return Parts(graph, nodes.places, areas, _cells(tessellation, graph, nodes.places, owners, own, lengths), is_hole)


def _bulges(nodes: Nodes, rim: Rim, border: Border) -> Floats:
    """Twice the area (b,) between the outline and every edge of the border, positive where the outline bulges."""
    firsts = np.append(0, np.cumsum(border.lines.counts - 1))
    ring = np.searchsorted(border.rings, rim.begins, side="right") - 1
    finishes = rim.finishes
    swept = border.swept(finishes) - border.swept(rim.begins)
    around = border.sweeps[firsts[ring + 1]] - border.sweeps[firsts[ring]]
    swept += np.where(finishes <= rim.begins, around, 0.0)
    ends = nodes.places[rim.ends]
    return np.asarray(swept - (ends[:, 0, 0] * ends[:, 1, 1] - ends[:, 0, 1] * ends[:, 1, 0]))


def _cells(
    tessellation: Tessellation, graph: PlanarGraph, places: Floats, owners: Ints, own: Ints, lengths: Floats
) -> Ints:
    """The cell (f,) that shares most with every face; without any cut it is the one whose middle is nearest."""
    known = own >= 0
    count = len(tessellation.cell_keys)
    pairs, which = np.unique(owners[known] * count + own[known], return_inverse=True)
    shared = totals(which, lengths[known], len(pairs))
    pairs = pairs[np.argsort(shared, kind="stable")]
    cells = np.full(graph.face_count, NO_CELL)
    cells[pairs // count] = pairs % count
    for face in np.flatnonzero(cells < 0).tolist():
        around = graph.codes[owners == face]
        middle = places[graph.edges[around >> 1, around & 1]].mean(axis=0)
        cells[face] = int(np.hypot(*(tessellation.middles / tessellation.scale - middle).T).argmin())
    return cells


def grouped(parts: Parts, merged: list[int]) -> Ints:
    """For every face the one it belongs to (f,): itself, or one that it is merged with or a sliver of; -1 for holes."""
    graph, areas = parts.graph, parts.areas.copy()
    owners = np.arange(graph.face_count)

    def join(one: int, other: int) -> None:
        if one != other:
            least, most = sorted((one, other), key=lambda face: (parts.areas[face], -face))
            owners[owners == least] = most
            areas[most] += areas[least]

    for cut in merged:
        one, other = owners[graph.sides[cut]].tolist()
        join(one, other)
    shared = _shared(parts)
    waiting = [face for face in np.argsort(areas, kind="stable").tolist() if not parts.is_hole[face]]
    thin = _thin(parts)
    for face in waiting:
        if owners[face] != face or not (areas[face] < LEAST_AREA or thin[face]):
            continue
        lengths: dict[int, float] = defaultdict(float)
        for inside in np.flatnonzero(owners == face).tolist():
            for other, length in shared[inside]:
                if owners[other] != face:
                    lengths[int(owners[other])] += length
        if lengths:
            join(face, max(lengths, key=lambda other: (lengths[other], -other)))
    owners[parts.is_hole] = NO_CELL
    return owners


def _shared(parts: Parts) -> list[list[tuple[int, float]]]:
    """For every face its neighbours across cuts, with the lengths of these."""
    graph = parts.graph
    ends = parts.places[graph.edges]
    lengths = np.hypot(*(ends[:, 1] - ends[:, 0]).T)
    beside: list[list[tuple[int, float]]] = [[] for _ in range(graph.face_count)]
    for (one, other), length in zip(graph.sides.tolist(), lengths.tolist(), strict=True):
        if one >= 0 and other >= 0 and not parts.is_hole[one] and not parts.is_hole[other]:
            beside[one].append((other, length))
            beside[other].append((one, length))
    return beside


def _thin(parts: Parts) -> NDArray[np.bool_]:
    """The faces at the border that no circle of LEAST_RADIUS fits into."""
    import shapely

    graph = parts.graph
    thin = np.zeros(graph.face_count, bool)
    at_rim = distinct(graph.sides[graph.sides.min(axis=1) < 0])
    small = at_rim[(at_rim >= 0) & (parts.areas[at_rim] < DOUBTFUL)]
    polygons = polygons_of(graph, parts.places, small)
    # Where the outline bulges, a polygon of straight edges is thinner than the part.
    doubtful = shapely.area(polygons) > STRAIGHT_SHARE * parts.areas[small]
    thin[small[doubtful]] = shapely.is_empty(shapely.buffer(polygons[doubtful], -LEAST_RADIUS, quad_segs=2))
    return thin
