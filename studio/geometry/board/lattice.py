"""Tilings of equal cells; only they know of columns and rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from studio.base.texts import cell_name
from studio.geometry.board.outline import ARC_HALF, rounded_rectangle
from studio.geometry.board.tiling import FIXED, FREE, NONE, Joints, Tiling
from studio.geometry.curves.strokes import Floats, Ints, frozen
from studio.geometry.planar.graph import PlanarGraph, trace

TOP, BOTTOM, LEFT, RIGHT = range(4)
"""The sides of a rectangle, as its outline numbers them."""


@dataclass(frozen=True, eq=False)
class _Lattice:
    """The part of a rectangular tiling that does not depend on its size in mm."""

    graph: PlanarGraph
    places: Ints
    horizontal: NDArray[np.bool_]
    stretches: Ints
    chains: tuple[Ints, ...]
    rim: Ints


def _edge_table(columns: int, rows: int) -> tuple[Ints, Ints]:
    """Edge numbers of a lattice: `across[row, column]` (rows + 1, columns), `down[row, column]` (rows, columns + 1)."""
    count = (rows + 1) * columns
    across = np.arange(count, dtype=np.int64).reshape(rows + 1, columns)
    down = count + np.arange(rows * (columns + 1), dtype=np.int64).reshape(rows, columns + 1)
    return across, down


@lru_cache(maxsize=4)
def _lattice(columns: int, rows: int) -> _Lattice:
    places = np.stack(np.meshgrid(np.arange(columns + 1), np.arange(rows + 1)), -1).reshape(-1, 2)
    corner = np.arange(len(places), dtype=np.int64).reshape(rows + 1, columns + 1)
    across, down = _edge_table(columns, rows)
    edges = np.concatenate(
        [
            np.stack([corner[:, :-1], corner[:, 1:]], -1).reshape(-1, 2),
            np.stack([corner[:-1], corner[1:]], -1).reshape(-1, 2),
        ]
    )
    graph = trace(places.astype(np.float64), edges)

    chains = []
    back = False
    for row in range(1, rows):
        codes = 2 * across[row]
        chains.append(codes[::-1] + 1 if back else codes)
        back = not back
    # The columns begin at the end of the last row, and from below, where that row lies.
    up = rows > 1
    order = range(columns - 1, 0, -1) if back else range(1, columns)
    for column in order:
        codes = 2 * down[:, column]
        chains.append(codes[::-1] + 1 if up else codes)
        up = not up
    end = int(corner[0, 0])
    if chains:
        last = int(chains[-1][-1])
        end = int(edges[last >> 1, 1 - (last & 1)])
    begins = edges[graph.rim >> 1, graph.rim & 1]
    rim = np.roll(graph.rim, -int(np.flatnonzero(begins == end)[0]))
    stretches = np.full(len(edges), NONE)
    for side, outer in ((TOP, across[0]), (BOTTOM, across[-1]), (LEFT, down[:, 0]), (RIGHT, down[:, -1])):
        stretches[outer] = side
    horizontal = np.arange(len(edges)) < across.size
    return _Lattice(graph, places, horizontal, frozen(stretches), tuple(chains), rim)


@lru_cache(maxsize=8)
def rectangular(columns: int, rows: int, width: float, height: float, radius: float = 0.0) -> Tiling:
    """A board of columns × rows equal cells; width, height and the radius of its corners in mm.

    >>> rectangular(2, 2, 20.0, 20.0).piece_names
    ('A1', 'B1', 'A2', 'B2')
    """
    lattice = _lattice(columns, rows)
    graph, places = lattice.graph, lattice.places
    cell = np.array([width / columns, height / rows])
    homes = places * cell
    homes[places[:, 0] == columns, 0] = width
    homes[places[:, 1] == rows, 1] = height
    tracks = _tracks(places, columns, rows)
    fixed = tracks == FIXED
    homes[fixed] -= np.sign(homes[fixed] - np.array([width, height]) / 2) * radius * ARC_HALF
    keys = places[:, 1] * 4096 + places[:, 0]
    across = np.where(lattice.horizontal, cell[1], cell[0])
    edge_keys = keys[graph.edges[:, 0]] * 2 + ~lattice.horizontal
    for array in (cell, homes, tracks, keys, edge_keys, across):
        frozen(array)

    def corner_name(corner: int) -> str:
        column, row = places[corner].tolist()
        return f"{column},{row}"

    def piece_name(face: int) -> str:
        row, column = divmod(face, columns)
        return cell_name(column, row)

    return Tiling(
        graph=graph,
        outline=rounded_rectangle(width, height, radius),
        size=(width, height),
        scale=cell,
        homes=homes,
        tracks=tracks,
        corner_keys=keys,
        edge_keys=edge_keys,
        face_keys=np.arange(graph.face_count),
        across=across,
        stretches=lattice.stretches,
        joints=_joints(graph, lattice.horizontal, keys, tracks),
        known_chains=lattice.chains,
        voids=(),
        rims=(lattice.rim,),
        corner_name=corner_name,
        piece_name=piece_name,
    )


def _tracks(places: Ints, columns: int, rows: int) -> Ints:
    """Corners of the rim slide on their sides, those of the board stay."""
    sides = [places[:, 1] == 0, places[:, 1] == rows, places[:, 0] == 0, places[:, 0] == columns]
    tracks = np.select(sides, [TOP, BOTTOM, LEFT, RIGHT], FREE)
    tracks[sum(side.astype(np.int64) for side in sides) > 1] = FIXED
    return tracks


def _joints(graph: PlanarGraph, horizontal: NDArray[np.bool_], keys: Ints, tracks: Ints) -> Joints:
    """Rows and columns run on at every corner inside the board: two joints a corner, the row's first."""
    at = np.where(tracks[graph.edges] == FREE, 2 * graph.edges + ~horizontal[:, None], NONE)
    ways: Floats = np.tile(np.eye(2), (len(keys), 1))
    both = (2 * keys[:, None] + np.arange(2)).ravel()
    return Joints(frozen(at), frozen(np.ones(at.shape)), frozen(both), frozen(ways))
