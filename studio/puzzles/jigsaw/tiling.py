"""Tilings: how a board is divided before chance and hand move anything.

home: where a corner lies unmoved. freedom: the directions in which it may be moved. through: the direction in which
an edge runs on into its successor at a corner. Only the tiling itself knows of columns and rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from studio.geometry.curves import Floats, Ints, frozen
from studio.geometry.planar import PlanarGraph, trace
from studio.names import cell_name


@dataclass(frozen=True, eq=False)
class Tiling:
    """A division of a board of `size` mm into faces.

    Per corner: `homes` (n, 2) mm, `freedom` (n, 2) 1 or 0 along x and y, `inward` (n, 2) the unit normal into the
    board on its rim and 0 elsewhere, `corner_keys` (n,) for chance. Per edge: `edge_keys` (m,), `across` (m,) mm of
    room at right angles to it, `through` (m, 2, 2) the unit directions in which it leaves its first and reaches its
    second corner where another edge continues it, NaN where none does. `cell` is the scale of a hand's moves in mm.
    `chains` are the inner cuts, half-edges end to end, in an order in which the head hardly travels; `rim` closes
    the border, begun where the last chain ends.
    """

    graph: PlanarGraph
    size: tuple[float, float]
    cell: Floats
    homes: Floats
    freedom: Floats
    inward: Floats
    corner_keys: Ints
    edge_keys: Ints
    across: Floats
    through: Floats
    chains: tuple[Ints, ...]
    rim: Ints
    corner_name: Callable[[int], str]
    piece_name: Callable[[int], str]

    def edge_name(self, edge: int) -> str:
        """The name of an inner edge: the two pieces it parts, `C4-D4`."""
        known = self._edge_names.get(edge)
        if known is None:
            first, second = sorted(self.graph.sides[edge].tolist())
            known = self._edge_names[edge] = f"{self.piece_name(first)}-{self.piece_name(second)}"
        return known

    @cached_property
    def _edge_names(self) -> dict[int, str]:
        """The names asked for so far: findings name the same few edges again and again."""
        return {}

    @cached_property
    def piece_names(self) -> tuple[str, ...]:
        """The names of all pieces in order."""
        return tuple(self.piece_name(face) for face in range(self.graph.face_count))

    @cached_property
    def movable(self) -> Ints:
        """The corners that can be moved along an axis at least."""
        return np.flatnonzero(self.freedom.any(axis=1))

    @cached_property
    def corner_indices(self) -> dict[str, int]:
        """The corner of every name, movable ones only."""
        return {self.corner_name(corner): corner for corner in self.movable.tolist()}

    @cached_property
    def edge_indices(self) -> dict[str, int]:
        """The inner edge of every name."""
        names = self.piece_names
        inner = self.graph.inner_edges
        faces = np.sort(self.graph.sides[inner], axis=1).tolist()
        return {
            f"{names[first]}-{names[second]}": edge for edge, (first, second) in zip(inner.tolist(), faces, strict=True)
        }


@dataclass(frozen=True, eq=False)
class _Lattice:
    """The part of a rectangular tiling that does not depend on its size in mm."""

    graph: PlanarGraph
    places: Ints
    horizontal: NDArray[np.bool_]
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
    return _Lattice(graph, places, np.arange(len(edges)) < across.size, tuple(chains), rim)


@lru_cache(maxsize=8)
def rectangular(columns: int, rows: int, width: float, height: float) -> Tiling:
    """A board of columns × rows equal cells; width and height in mm."""
    lattice = _lattice(columns, rows)
    graph, places = lattice.graph, lattice.places
    cell = np.array([width / columns, height / rows])
    homes = places * cell
    homes[places[:, 0] == columns, 0] = width
    homes[places[:, 1] == rows, 1] = height
    left, right = places[:, 0] == 0, places[:, 0] == columns
    top, bottom = places[:, 1] == 0, places[:, 1] == rows
    freedom = np.stack([~(left | right), ~(top | bottom)], 1).astype(np.float64)
    inward = np.stack([left.astype(np.float64) - right, top.astype(np.float64) - bottom], 1)
    inward[freedom.sum(axis=1) == 0] = 0.0
    keys = places[:, 1] * 4096 + places[:, 0]
    way = np.where(lattice.horizontal[:, None], [1.0, 0.0], [0.0, 1.0])
    through = np.repeat(way[:, None], 2, axis=1)
    # At the rim nothing follows.
    ends = graph.edges
    stops = inward[ends].any(axis=2)
    through[stops] = np.nan
    across = np.where(lattice.horizontal, cell[1], cell[0])
    edge_keys = keys[graph.edges[:, 0]] * 2 + ~lattice.horizontal
    for array in (cell, homes, freedom, inward, keys, edge_keys, across, through):
        frozen(array)

    def corner_name(corner: int) -> str:
        column, row = places[corner].tolist()
        return f"{column},{row}"

    def piece_name(face: int) -> str:
        row, column = divmod(face, columns)
        return cell_name(column, row)

    return Tiling(
        graph=graph,
        size=(width, height),
        cell=cell,
        homes=homes,
        freedom=freedom,
        inward=inward,
        corner_keys=keys,
        edge_keys=edge_keys,
        across=across,
        through=through,
        chains=lattice.chains,
        rim=lattice.rim,
        corner_name=corner_name,
        piece_name=piece_name,
    )
