"""Solids as 3MF: a zip of XML in which every part has its name and its colour, and lies on the bed where it is printed.

Only what the core specification of 3MF names is written, so every slicer reads it; dates and random names are left
out, so the same solids give the same bytes.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

import numpy as np

from studio.export.format import Format, Unreadable
from studio.export.meshes import SolidReport, report
from studio.export.options import NOTHING, NoOptions
from studio.geometry.solid import GRID, Mesh, Solid

CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
_MODEL = "3D/3dmodel.model"
_EPOCH = (1980, 1, 1, 0, 0, 0)
_DECIMALS = 5
"""Of a mm, as many as the grid of meshes has."""
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


def threemf(solids: Sequence[Solid], _options: NoOptions = NOTHING) -> bytes:
    """All solids as one file, each a part that is moved to where it lies."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as package:
        for name, text in (("[Content_Types].xml", _TYPES), ("_rels/.rels", _RELATIONS), (_MODEL, _model(solids))):
            about = zipfile.ZipInfo(name, _EPOCH)
            about.compress_type = zipfile.ZIP_DEFLATED
            about.create_system = 3
            package.writestr(about, text.encode())
    return written.getvalue()


def _model(solids: Sequence[Solid]) -> str:
    from xml.sax.saxutils import quoteattr

    bases = "".join(f'<base name={quoteattr(solid.name)} displaycolor="{solid.colour}FF"/>' for solid in solids)
    parts, items = [], []
    for number, solid in enumerate(solids):
        parts.append(_part(number, solid))
        x, y, z = (_number(value) for value in _corner(solid))
        items.append(f'<item objectid="{number + 2}" transform="1 0 0 0 1 0 0 0 1 {x} {y} {z}"/>')
    return (
        f'{_HEADING}<model unit="millimeter" xml:lang="en-US" xmlns="{CORE}">'
        '<metadata name="Application">Puzzle Studio</metadata>'
        f'<resources><basematerials id="{_MATERIALS}">{bases}</basematerials>{"".join(parts)}</resources>'
        f"<build>{''.join(items)}</build></model>\n"
    )


def _part(number: int, solid: Solid) -> str:
    from xml.sax.saxutils import quoteattr

    places = (solid.mesh.vertices - _corner(solid)).round(_DECIMALS) + 0.0
    vertices = "".join([
        f'<vertex x="{_number(x)}" y="{_number(y)}" z="{_number(z)}"/>' for x, y, z in places.tolist()
    ])  # fmt: skip
    triangles = "".join([
        f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in solid.mesh.triangles.tolist()
    ])  # fmt: skip
    return (
        f'<object id="{number + 2}" name={quoteattr(solid.name)} type="model" pid="{_MATERIALS}" pindex="{number}">'
        f"<mesh><vertices>{vertices}</vertices><triangles>{triangles}</triangles></mesh></object>"
    )


def _corner(solid: Solid) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Where a part begins on the bed; its own vertices count from there."""
    return np.asarray(solid.mesh.bounds[0].round(_DECIMALS) + 0.0)


def _number(value: float) -> str:
    return f"{value:.{_DECIMALS}f}".rstrip("0").rstrip(".")


@dataclass(frozen=True, eq=False)
class MeshPart:
    """A part as it was read: its name, its colour as #RRGGBBAA, and its mesh where it lies on the bed."""

    name: str
    colour: str
    mesh: Mesh


def read_3mf(data: bytes, _options: NoOptions = NOTHING) -> tuple[MeshPart, ...]:
    """The parts in the bytes of a file, in the order in which they are built; raises Unreadable where it has none."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            relations = ElementTree.fromstring(package.read("_rels/.rels"))
            model = ElementTree.fromstring(package.read(relations[0].attrib["Target"].lstrip("/")))
        if model.attrib.get("unit") != "millimeter":
            raise Unreadable("its unit is not the millimetre")
        materials = {
            each.attrib["id"]: [base.attrib["displaycolor"] for base in each] for each in _all(model, "basematerials")
        }
        objects = {each.attrib["id"]: each for each in _all(model, "object")}
        return tuple(_read_part(objects[item.attrib["objectid"]], item, materials) for item in _all(model, "item"))
    except (zipfile.BadZipFile, ElementTree.ParseError, KeyError, IndexError, ValueError) as problem:
        raise Unreadable(f"it is no 3MF file ({problem})") from problem


def _all(where: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return list(where.iter(f"{{{CORE}}}{name}"))


def _read_part(part: ElementTree.Element, item: ElementTree.Element, materials: dict[str, list[str]]) -> MeshPart:
    vertices = np.array([[float(each.attrib[axis]) for axis in "xyz"] for each in _all(part, "vertex")])
    triangles = np.array([[int(each.attrib[name]) for name in ("v1", "v2", "v3")] for each in _all(part, "triangle")])
    moved = np.array([float(number) for number in re.split(r"\s+", item.attrib["transform"].strip())]).reshape(4, 3)
    colour = materials[part.attrib["pid"]][int(part.attrib["pindex"])]
    return MeshPart(part.attrib["name"], colour, Mesh(vertices @ moved[:3] + moved[3], triangles))


def prove_3mf(parts: Sequence[MeshPart], solids: Sequence[Solid], _options: NoOptions, rounding: float) -> SolidReport:
    """What the parts of a file are; raises Unreadable where they are not the solids."""
    if [part.name for part in parts] != [solid.name for solid in solids]:
        raise Unreadable("its parts are not those of the puzzle")
    for part, solid in zip(parts, solids, strict=True):
        if part.colour != f"{solid.colour}FF":
            raise Unreadable(f"{part.name} has another colour in it")
        if not np.array_equal(part.mesh.triangles, solid.mesh.triangles):
            raise Unreadable(f"{part.name} has other triangles in it")
        if np.abs(part.mesh.vertices - solid.mesh.vertices).max() > rounding:
            raise Unreadable(f"{part.name} lies elsewhere in it")
    return report(solids, [part.mesh for part in parts])


THREEMF = Format(
    ".3mf",
    "3MF, one file with names and colours",
    "all pieces in one file, with names and colours",
    NoOptions,
    GRID,
    threemf,
    read_3mf,
    prove_3mf,
)
