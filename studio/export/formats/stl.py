"""Solids as binary STL, written by numpy-stl with unit normals and always the same header, and read without it.

STL holds triangles alone, no names and no colours, each corner as three numbers of 32 bits.
"""

from __future__ import annotations

import io
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from studio import PROGRAM
from studio.export.format import Format, Unreadable
from studio.export.meshes import SolidReport, report
from studio.export.options import NOTHING, NoOptions
from studio.geometry.curves import Floats
from studio.geometry.solid import Mesh, Solid
from studio.texts import tr

HEADER = f"{PROGRAM}. Binary STL in millimetres."
"""What files begin with, filled up to 80 letters; without the date that numpy-stl would put there."""
_HEAD = 84
_RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


def stl(solids: Sequence[Solid], _options: NoOptions = NOTHING) -> bytes:
    """All solids as one file, at their places."""
    from stl.mesh import Mesh as Triangles
    from stl.stl import Mode

    class Dateless(Triangles):
        def get_header(self, name: object) -> str:
            return HEADER.ljust(80)

    corners = corners_of(solids)
    records = np.zeros(len(corners), Triangles.dtype)
    records["vectors"] = corners
    records["normals"] = _normals(corners)
    written = io.BytesIO()
    Dateless(records, remove_empty_areas=False, calculate_normals=False).save(
        "solids", fh=written, mode=Mode.BINARY, update_normals=False
    )
    return written.getvalue()


def corners_of(solids: Sequence[Solid]) -> NDArray[np.float32]:
    """The corners (m, 3, 3) of all triangles, as exactly as STL can hold them."""
    return np.concatenate([solid.mesh.vertices[solid.mesh.triangles] for solid in solids]).astype(np.float32)


def _normals(corners: NDArray[np.float32]) -> Floats:
    exact = corners.astype(np.float64)
    across = np.cross(exact[:, 1] - exact[:, 0], exact[:, 2] - exact[:, 0])
    return np.asarray(across / np.maximum(np.linalg.norm(across, axis=1), 1e-30)[:, None])


def read_stl(data: bytes, _options: NoOptions = NOTHING) -> tuple[Floats, Floats]:
    """Normals (m, 3) and corners (m, 3, 3) in the bytes of a file; raises Unreadable where they hold none."""
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
    """What the triangles of a file are; raises Unreadable where they are not those of the solids."""
    normals, corners = read
    wanted = corners_of(solids)
    if corners.shape != wanted.shape or not (corners == wanted).all():
        raise Unreadable(tr("its triangles differ from the solids"))
    if np.abs(normals - _normals(wanted)).max(initial=0.0) > 1e-5:
        raise Unreadable(tr("its normals are not perpendicular to its triangles"))
    found, first = [], 0
    for solid in solids:
        last = first + len(solid.mesh.triangles)
        found.append(_merged(corners[first:last]))
        first = last
    return report(solids, found)


def _merged(corners: Floats) -> Mesh:
    """Triangles (m, 3, 3) as a mesh in which corners at the same place are one."""
    places = corners.reshape(-1, 3)
    keys = np.zeros(len(places), np.int64)
    # Axis by axis: to sort places as a whole would hold up every other thread.
    for axis in range(3):
        known, ranks = np.unique(places[:, axis], return_inverse=True)
        keys = keys * len(known) + ranks
    _, first, names = np.unique(keys, return_index=True, return_inverse=True)
    return Mesh(places[first], names.reshape(-1, 3).astype(np.int64))


STL = Format(
    ".stl",
    tr("STL (all pieces side by side)"),
    tr("triangles only, without names and colours"),
    NoOptions,
    0.0,
    stl,
    read_stl,
    prove_stl,
    apart=tr("STL (one file per piece)"),
)
