"""Solids as binary STL, written by numpy-stl with unit normals and always the same header.

STL holds only triangles, without names or colours, each corner as three numbers of 32 bits.
"""

from __future__ import annotations

import io
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from studio import PROGRAM
from studio.export.options import NOTHING, NoOptions
from studio.geometry.solids.solid import Solid

HEADER = f"{PROGRAM}. Binary STL in millimetres."
"""Header of files, padded to 80 bytes; without the date that numpy-stl would put there."""


def stl(solids: Sequence[Solid], _options: NoOptions = NOTHING) -> bytes:
    """Write all solids as one file, at their places."""
    from stl.mesh import Mesh as Triangles
    from stl.stl import Mode

    class Dateless(Triangles):
        def get_header(self, name: object) -> str:
            return HEADER.ljust(80)

    corners = corners_of(solids)
    records = np.zeros(len(corners), Triangles.dtype)
    records["vectors"] = corners
    exact = corners.astype(np.float64)
    across = np.cross(exact[:, 1] - exact[:, 0], exact[:, 2] - exact[:, 0])
    records["normals"] = np.asarray(across / np.maximum(np.linalg.norm(across, axis=1), 1e-30)[:, None])
    written = io.BytesIO()
    Dateless(records, remove_empty_areas=False, calculate_normals=False).save(
        "solids", fh=written, mode=Mode.BINARY, update_normals=False
    )
    return written.getvalue()


def corners_of(solids: Sequence[Solid]) -> NDArray[np.float32]:
    """Return the corners (m, 3, 3) of all triangles, as exactly as STL can hold them."""
    return np.concatenate([solid.mesh.vertices[solid.mesh.triangles] for solid in solids]).astype(np.float32)
