"""Reads binary STL back, and compares its triangles with the solids.

A file is 80 letters, the number of triangles in 4 bytes, and 50 bytes a triangle: normal, three corners, attribute.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from studio.base.texts import tr
from studio.export.options import NOTHING, NoOptions, Unreadable
from studio.export.proof import SolidReport, refuse_moved, report
from studio.geometry.curves.strokes import Floats
from studio.geometry.solids.solid import Mesh, Solid

_HEAD = 84
_RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


def read_stl(data: bytes, _options: NoOptions = NOTHING) -> tuple[Floats, Floats]:
    """Read normals (m, 3) and corners (m, 3, 3) from a file; raises Unreadable if it holds none."""
    if len(data) < _HEAD or data[:5].lower() == b"solid":
        raise Unreadable(tr("it is not a binary STL file"))
    count = int.from_bytes(data[80:_HEAD], "little")
    if len(data) != _HEAD + count * _RECORD.itemsize:
        raise Unreadable(tr("its length does not match {count} triangles", count=count))
    records = np.frombuffer(data, _RECORD, offset=_HEAD)
    return records["normal"].astype(np.float64), records["corners"].astype(np.float64)


def prove_stl(
    read: tuple[Floats, Floats], solids: Sequence[Solid], _options: NoOptions, _rounding: float
) -> SolidReport:
    """Report on the triangles of a file; raises Unreadable if they are not those of the solids."""
    normals, corners = read
    first = 0
    for solid in solids:
        wanted = solid.mesh.vertices[solid.mesh.triangles].astype(np.float32).astype(np.float64)
        own = corners[first : first + len(wanted)]
        if own.shape != wanted.shape:
            raise Unreadable(tr("{name} is missing or lacks triangles", name=solid.name))
        refuse_moved(solid.name, own.reshape(-1, 3), wanted.reshape(-1, 3), 0.0)
        first += len(wanted)
    if first != len(corners):
        raise Unreadable(tr("it has {count} triangles too many", count=len(corners) - first))
    one, two = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    twice = np.cross(one, two)
    area = np.sqrt((twice**2).sum(axis=1))
    full = area > 1e-12
    along = (normals * twice).sum(axis=1)
    wrong = np.flatnonzero(full & (np.abs(along - area) > 1e-5 * area))
    if len(wrong):
        x, y, z = corners[wrong[0]].mean(axis=0).tolist()
        raise Unreadable(
            tr("the normal of a triangle near {x:.1f}, {y:.1f}, {z:.1f} mm is not square to it", x=x, y=y, z=z)
        )
    found, first = [], 0
    for solid in solids:
        last = first + len(solid.mesh.triangles)
        found.append(_merged(corners[first:last]))
        first = last
    return report(solids, found)


def _merged(corners: Floats) -> Mesh:
    """Return triangles (m, 3, 3) as a mesh that merges corners at the same place."""
    places = corners.reshape(-1, 3)
    keys = np.zeros(len(places), np.int64)
    # Axis by axis: sorting whole places would block every other thread.
    for axis in range(3):
        known, ranks = np.unique(places[:, axis], return_inverse=True)
        keys = keys * len(known) + ranks
    _, first, names = np.unique(keys, return_index=True, return_inverse=True)
    return Mesh(places[first], names.reshape(-1, 3).astype(np.int64))
