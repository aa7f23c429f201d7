"""Solids as binary STL, and as 3MF.

STL, by numpy-stl, holds only triangles, without names or colours, each corner as three numbers of 32 bits; normals have
length 1, and the header is always the same.

3MF is a zip of XML in which every solid has its name, its colour and its place on the bed. A solid and those printed
onto it are one object, so that they stay together on the bed: its triangles have their colours, and a table of
PrusaSlicer's assigns them to solids. The file uses only the core specification of 3MF, so every slicer reads it, and no
dates or random names, so the same solids give the same bytes.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio import PROGRAM
from studio.exporting.options import NOTHING, NoOptions
from studio.geometry.solids.solid import Solid

HEADER = f"{PROGRAM}. Binary STL in millimetres."
"""Header of STL files, padded to 80 bytes; without the date that numpy-stl would put there."""
ROWS = 2**13
"""Lines of an array spelled at once: few, so that no other thread waits for garbage to be collected."""
CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
_MODEL = "3D/3dmodel.model"
_CONFIG = "Metadata/Slic3r_PE_model.config"
_EPOCH = (1980, 1, 1, 0, 0, 0)
_DECIMALS = 5
"""Decimals of coordinates in mm, as fine as the grid of meshes."""
_MATERIALS = 1
_HEADING = '<?xml version="1.0" encoding="UTF-8"?>\n'
_TYPES = (
    f'{_HEADING}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>'
)
_RELATIONS = (
    f'{_HEADING}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    f'<Relationship Target="/{_MODEL}" Id="rel0" '
    'Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>'
)


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


def threemf(solids: Sequence[Solid], _options: NoOptions = NOTHING) -> bytes:
    """Write all solids as one file, each moved to its place."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as package:
        files = [("[Content_Types].xml", _TYPES), ("_rels/.rels", _RELATIONS), (_MODEL, _model(solids))]
        if any(solid.on for solid in solids):
            files.append((_CONFIG, _volumes(solids)))
        for name, text in files:
            about = zipfile.ZipInfo(name, _EPOCH)
            about.compress_type = zipfile.ZIP_DEFLATED
            about.create_system = 3
            package.writestr(about, text.encode())
    return written.getvalue()


def _model(solids: Sequence[Solid]) -> str:
    from xml.sax.saxutils import quoteattr

    bases = "".join(f'<base name={quoteattr(solid.name)} displaycolor="{solid.colour}FF"/>' for solid in solids)
    objects, items = [], []
    for number, group in enumerate(_groups(solids), 2):
        objects.append(_object(number, solids, group))
        x, y, z = (_number(value) for value in _corner(solids[group[0]]))
        items.append(f'<item objectid="{number}" transform="1 0 0 0 1 0 0 0 1 {x} {y} {z}"/>')
    return (
        f'{_HEADING}<model unit="millimeter" xml:lang="en-US" xmlns="{CORE}">'
        f'<metadata name="Application">{PROGRAM}</metadata>'
        f'<resources><basematerials id="{_MATERIALS}">{bases}</basematerials>{"".join(objects)}</resources>'
        f"<build>{''.join(items)}</build></model>\n"
    )


def _groups(solids: Sequence[Solid]) -> list[range]:
    """Return the indices of solids printed as one object: a solid, followed by those on it."""
    begins = [number for number, solid in enumerate(solids) if not solid.on]
    return [range(begin, end) for begin, end in zip(begins, [*begins[1:], len(solids)], strict=True)]


def _object(number: int, solids: Sequence[Solid], group: range) -> str:
    from xml.sax.saxutils import quoteattr

    first = solids[group[0]]
    vertices, triangles, count = [], [], 0
    for at in group:
        mesh = solids[at].mesh
        places = (mesh.vertices - _corner(first)).round(_DECIMALS) + 0.0
        vertices += [
            "".join(f'<vertex x="{_number(x)}" y="{_number(y)}" z="{_number(z)}"/>' for x, y, z in some)
            for some in _rows(places)
        ]
        material = f' pid="{_MATERIALS}" p1="{at}"' if at != group[0] else ""
        triangles += [
            "".join(f'<triangle v1="{a}" v2="{b}" v3="{c}"{material}/>' for a, b, c in some)
            for some in _rows(mesh.triangles + count)
        ]
        count += len(places)
    return (
        f'<object id="{number}" name={quoteattr(first.name)} type="model" pid="{_MATERIALS}" pindex="{group[0]}">'
        f"<mesh><vertices>{''.join(vertices)}</vertices><triangles>{''.join(triangles)}</triangles></mesh></object>"
    )


def _rows(numbers: NDArray[Any]) -> Iterator[list[list[Any]]]:
    """Yield the lines (n, 3) of an array as lists, ROWS at a time."""
    return (numbers[begin : begin + ROWS].tolist() for begin in range(0, len(numbers), ROWS))


def _volumes(solids: Sequence[Solid]) -> str:
    """Write PrusaSlicer's table: the triangles of each solid in an object, and the extruder that prints it.

    Extruders are numbered by the colours in the order in which they come.
    """
    from xml.sax.saxutils import quoteattr

    colours = list(dict.fromkeys(solid.colour for solid in solids))
    objects = []
    for number, group in enumerate(_groups(solids), 2):
        count, volumes = 0, []
        for at in group:
            last = count + len(solids[at].mesh.triangles)
            known = (("name", solids[at].name), ("volume_type", "ModelPart"),
                     ("extruder", str(1 + colours.index(solids[at].colour))))  # fmt: skip
            words = "".join(f'<metadata type="volume" key="{key}" value={quoteattr(value)}/>' for key, value in known)
            volumes.append(f'<volume firstid="{count}" lastid="{last - 1}">{words}</volume>')
            count = last
        name = f'<metadata type="object" key="name" value={quoteattr(solids[group[0]].name)}/>'
        objects.append(f'<object id="{number}" instances_count="1">{name}{"".join(volumes)}</object>')
    return f"{_HEADING}<config>{''.join(objects)}</config>\n"


def _corner(solid: Solid) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Return the corner at which a solid begins on the bed, the origin of its own vertices."""
    return np.asarray(solid.mesh.bounds[0].round(_DECIMALS) + 0.0)


def _number(value: float) -> str:
    return f"{value:.{_DECIMALS}f}".rstrip("0").rstrip(".")
