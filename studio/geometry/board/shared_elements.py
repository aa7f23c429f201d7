"""What two tilings have in common that were put together of the same one, as when a figure moves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from studio.geometry.board.tiling import NONE, Joints, Origin, Tiling
from studio.geometry.curves.strokes import Ints, paired
from studio.geometry.planar.graph import PlanarGraph


@dataclass(frozen=True, eq=False)
class Shared:
    """For every element of a tiling the one of another that is the same in all that matters, or -1.

    `corners` (n,) are at the same home and as free to stray, `tongues` (m,) are edges of one name that can have one or
    not, and `edges` (m,) have, besides, the same joints and no end on a figure.
    """

    corners: Ints
    tongues: Ints
    edges: Ints

    @staticmethod
    def of(tiling: Tiling, other: Tiling) -> Shared | None:
        """None where they were not put together of the same tiling."""
        here, there = Origin.of(tiling), Origin.of(other)
        if here.tiling is not there.tiling:
            return None
        known = len(here.tiling.outline.stretches)
        corners = _shared(here.corners, there.corners, len(here.tiling.homes))
        same = (paired(tiling.homes) == paired(other.homes)[corners]) & (tiling.slack == other.slack[corners])
        same &= (tiling.tracks == other.tracks[corners]) & (tiling.tracks < known)
        same &= tiling.rim_gaps == other.rim_gaps[corners]
        same &= ~tiling.is_on_figure & ~other.is_on_figure[corners]
        corners = _where(same, corners)
        edges = _shared(here.edges, there.edges, len(here.tiling.edge_keys))
        tongues = _where(tiling.is_bare == other.is_bare[edges], edges)
        same = _same_joints(tiling.joints, other.joints, edges)
        same &= (tiling.stretches == other.stretches[edges]) & (tiling.stretches < known)
        same &= (corners[tiling.graph.edges] == other.graph.edges[edges]).all(axis=1)
        return Shared(corners, tongues, _where(same, edges))

    def other_faces(self, graph: PlanarGraph, before: PlanarGraph) -> NDArray[np.bool_]:
        """Which faces (f,) of the tiling's graph are not faces of the other's with the same edges."""
        edges = self.edges[graph.codes >> 1]
        beside = np.where(edges >= 0, before.sides[edges, graph.codes & 1], NONE)
        firsts = graph.starts[:-1]
        faces = np.minimum.reduceat(beside, firsts)
        other = (faces < 0) | (faces != np.maximum.reduceat(beside, firsts))
        return np.asarray(other | (np.diff(graph.starts) != np.diff(before.starts)[faces]))


def _shared(here: Ints, there: Ints, count: int) -> Ints:
    """Where else every element comes from the same one, or -1."""
    at = np.full(count + 1, NONE)
    at[there] = np.arange(len(there))
    at[-1] = NONE
    return np.asarray(at[here])


def _where(same: NDArray[np.bool_], numbers: Ints) -> Ints:
    return np.where(same, numbers, NONE)


def _same_joints(here: Joints, there: Joints, edges: Ints) -> NDArray[np.bool_]:
    """Which edges (m,) run on at both ends as others (m,) do, or end there as these do."""
    at, other = here.at, there.at[edges]
    same = (at < 0) == (other < 0)
    keys, ways = np.append(here.keys, 0), np.append(paired(here.ways), 0.0)
    keys_there, ways_there = np.append(there.keys, 0), np.append(paired(there.ways), 0.0)
    same &= (keys[at] == keys_there[other]) & (ways[at] == ways_there[other])
    same &= here.signs == there.signs[edges]
    return np.asarray(same.all(axis=1))
