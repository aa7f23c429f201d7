"""Check of a mesh before printing: closed, in one part, facing outwards, without a flat triangle."""

from __future__ import annotations

import numpy as np

from studio.base.texts import tr
from studio.geometry.solids.solid import Mesh

LEAST_DOUBLE_AREA = 1e-9
"""Twice the area in mm² below which a triangle has no direction; the grid of meshes is 0.01 µm."""


def flaw(mesh: Mesh) -> str:
    """Name the first flaw of a mesh, to follow "it"; empty for a sound mesh."""
    if not len(mesh.triangles):
        return tr("is empty")
    if not np.isfinite(mesh.vertices).all():
        return tr("has a vertex with invalid coordinates")
    if (np.linalg.norm(mesh.facets, axis=1) < LEAST_DOUBLE_AREA).any():
        return tr("has a zero-area triangle")
    if not _is_closed(mesh):
        return tr("is not watertight")
    if mesh.volume <= 0:
        return tr("is inside out")
    components = _components(mesh)
    return "" if components == 1 else tr("is split into {count} parts", count=components)


def _is_closed(mesh: Mesh) -> bool:
    """True if each side of a triangle is shared with exactly one other triangle, in the opposite direction."""
    ways = np.concatenate([mesh.triangles[:, [0, 1]], mesh.triangles[:, [1, 2]], mesh.triangles[:, [2, 0]]])
    count = len(mesh.vertices)
    there, back = np.sort(ways @ (count, 1)), np.sort(ways @ (1, count))
    return bool((there == back).all() and (there[1:] != there[:-1]).all())


def _components(mesh: Mesh) -> int:
    """Count the connected surfaces: each vertex takes the least label among its neighbours until none changes."""
    one, other = np.concatenate([mesh.triangles[:, [0, 1]], mesh.triangles[:, [1, 2]]]).T
    known = np.arange(len(mesh.vertices))
    while True:
        least = np.minimum(known[one], known[other])
        after = known.copy()
        for numbers in (known[one], known[other]):
            np.minimum.at(after, numbers, least)
        after = after[after]
        if (after == known).all():
            return len(np.unique(known[mesh.triangles]))
        known = after
