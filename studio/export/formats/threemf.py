"""Solids as 3MF: a zip of XML in which every solid has its name, its colour and its place on the bed.

A solid and those that are printed onto it are one object, so that they stay together on the bed: its triangles have
their colours, and a table of PrusaSlicer's says which of them are which solid.

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
from studio.texts import tr

CHUNK = 2**16
"""How many bytes of a document are read at once."""
CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
_MODEL = "3D/3dmodel.model"
_CONFIG = "Metadata/Slic3r_PE_model.config"
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
    """All solids as one file, each moved to its place."""
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
        '<metadata name="Application">Puzzle Studio</metadata>'
        f'<resources><basematerials id="{_MATERIALS}">{bases}</basematerials>{"".join(objects)}</resources>'
        f"<build>{''.join(items)}</build></model>\n"
    )


def _groups(solids: Sequence[Solid]) -> list[range]:
    """The numbers of the solids that are printed as one: one by itself, or one with those on it, which follow it."""
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
            f'<vertex x="{_number(x)}" y="{_number(y)}" z="{_number(z)}"/>' for x, y, z in places.tolist()
        ]  # fmt: skip
        material = f' pid="{_MATERIALS}" p1="{at}"' if at != group[0] else ""
        triangles += [
            f'<triangle v1="{a}" v2="{b}" v3="{c}"{material}/>' for a, b, c in (mesh.triangles + count).tolist()
        ]  # fmt: skip
        count += len(places)
    return (
        f'<object id="{number}" name={quoteattr(first.name)} type="model" pid="{_MATERIALS}" pindex="{group[0]}">'
        f"<mesh><vertices>{''.join(vertices)}</vertices><triangles>{''.join(triangles)}</triangles></mesh></object>"
    )


def _volumes(solids: Sequence[Solid]) -> str:
    """Which triangles of an object are which solid, and what it is printed with, as PrusaSlicer reads it.

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
    """Where a solid begins on the bed; its own vertices count from there."""
    return np.asarray(solid.mesh.bounds[0].round(_DECIMALS) + 0.0)


def _number(value: float) -> str:
    return f"{value:.{_DECIMALS}f}".rstrip("0").rstrip(".")


@dataclass(frozen=True, eq=False)
class FoundSolid:
    """A solid as it was read: its name, its colour as #RRGGBBAA, and its mesh at its place on the bed."""

    name: str
    colour: str
    mesh: Mesh


def read_3mf(data: bytes, _options: NoOptions = NOTHING) -> tuple[FoundSolid, ...]:
    """The solids in the bytes of a file, in the order in which they are built; raises Unreadable where it has none."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            relations = ElementTree.fromstring(package.read("_rels/.rels"))
            model = _parsed(package.read(relations[0].attrib["Target"].lstrip("/")))
            volumes = _read_volumes(package.read(_CONFIG)) if _CONFIG in package.namelist() else {}
        if model.attrib.get("unit") != "millimeter":
            raise Unreadable(tr("its unit is not millimetres"))
        materials = {
            each.attrib["id"]: [base.attrib["displaycolor"] for base in each] for each in _all(model, "basematerials")
        }
        objects = {each.attrib["id"]: each for each in _all(model, "object")}
        found: list[FoundSolid] = []
        for item in _all(model, "item"):
            name = item.attrib["objectid"]
            found += _read_object(objects[name], item, materials, volumes.get(name, ()))
        return tuple(found)
    except (zipfile.BadZipFile, ElementTree.ParseError, KeyError, IndexError, ValueError) as problem:
        raise Unreadable(tr("it is not a 3MF file ({problem})", problem=problem)) from problem


def _parsed(data: bytes) -> ElementTree.Element:
    """The root of a document, read bit by bit so that other threads are not held up; raises ParseError."""
    parser = ElementTree.XMLParser()
    for begin in range(0, len(data), CHUNK):
        parser.feed(data[begin : begin + CHUNK])
    root: ElementTree.Element = parser.close()
    return root


def _all(where: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return list(where.iter(f"{{{CORE}}}{name}"))


_Volume = tuple[str, int, int]
"""The name of a solid in an object, its first and its last triangle."""


def _read_volumes(data: bytes) -> dict[str, list[_Volume]]:
    """The solids of every object that has several."""
    found: dict[str, list[_Volume]] = {}
    for thing in ElementTree.fromstring(data).iter("object"):
        for volume in thing.iter("volume"):
            known = {each.attrib["key"]: each.attrib["value"] for each in volume.iter("metadata")}
            named = known["name"], int(volume.attrib["firstid"]), int(volume.attrib["lastid"])
            found.setdefault(thing.attrib["id"], []).append(named)
    return found


def _read_object(
    thing: ElementTree.Element, item: ElementTree.Element, materials: dict[str, list[str]], volumes: Sequence[_Volume]
) -> list[FoundSolid]:
    """The solids of an object, at its place on the bed; each has the colour of its first triangle."""
    vertices = np.array([[float(each.attrib[axis]) for axis in "xyz"] for each in _all(thing, "vertex")])
    own = _all(thing, "triangle")
    triangles = np.array([[int(each.attrib[name]) for name in ("v1", "v2", "v3")] for each in own])
    moved = np.array([float(number) for number in re.split(r"\s+", item.attrib["transform"].strip())]).reshape(4, 3)
    places = vertices @ moved[:3] + moved[3]
    found = []
    for name, first, last in volumes or [(thing.attrib["name"], 0, len(own) - 1)]:
        about = own[first].attrib if "p1" in own[first].attrib else thing.attrib
        colour = materials[about["pid"]][int(about["p1" if about is not thing.attrib else "pindex"])]
        some = triangles[first : last + 1]
        begin, end = int(some.min()), int(some.max()) + 1
        found.append(FoundSolid(name, colour, Mesh(places[begin:end], some - begin)))
    return found


def prove_3mf(
    found: Sequence[FoundSolid], solids: Sequence[Solid], _options: NoOptions, rounding: float
) -> SolidReport:
    """A report of the solids found in a file; raises Unreadable where they are not the expected ones."""
    if [one.name for one in found] != [solid.name for solid in solids]:
        raise Unreadable(tr("its parts differ from the puzzle"))
    for one, solid in zip(found, solids, strict=True):
        if one.colour != f"{solid.colour}FF":
            raise Unreadable(tr("{name} has the wrong colour", name=one.name))
        if not np.array_equal(one.mesh.triangles, solid.mesh.triangles):
            raise Unreadable(tr("{name} has the wrong triangles", name=one.name))
        if np.abs(one.mesh.vertices - solid.mesh.vertices).max() > rounding:
            raise Unreadable(tr("{name} is in the wrong place", name=one.name))
    return report(solids, [one.mesh for one in found])


THREEMF = Format(
    ".3mf",
    tr("3MF (one file with names and colours)"),
    tr("all pieces in one file, with names and colours"),
    NoOptions,
    GRID,
    threemf,
    read_3mf,
    prove_3mf,
)
