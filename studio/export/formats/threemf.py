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
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from studio import PROGRAM
from studio.export.format import Format, Unreadable
from studio.export.meshes import SolidReport, report
from studio.export.options import NOTHING, NoOptions
from studio.geometry.solid import GRID, Mesh, Solid
from studio.texts import tr

CHUNK = 2**16
"""How many bytes of a document are read at once."""
ROWS = 2**13
"""How many lines of an array are spelled at once: few, so that no other thread waits for garbage to be collected."""
CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
_MODEL = "3D/3dmodel.model"
_CONFIG = "Metadata/Slic3r_PE_model.config"
_EPOCH = (1980, 1, 1, 0, 0, 0)
_DECIMALS = 5
"""Of a mm, as many as the grid of meshes has."""
_MATERIALS = 1
_OBJECT, _VERTEX, _TRIANGLE = (f"{{{CORE}}}{name}" for name in ("object", "vertex", "triangle"))
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
        f'<metadata name="Application">{PROGRAM}</metadata>'
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
    """The lines (n, 3) of an array as lists, ROWS at a time."""
    return (numbers[begin : begin + ROWS].tolist() for begin in range(0, len(numbers), ROWS))


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
            model, bodies = _parsed(package.read(relations[0].attrib["Target"].lstrip("/")))
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
            found += _read_object(objects[name], bodies[name], item, materials, volumes.get(name, ()))
        return tuple(found)
    except (zipfile.BadZipFile, ElementTree.ParseError, KeyError, IndexError, ValueError) as problem:
        raise Unreadable(tr("it is not a 3MF file ({problem})", problem=problem)) from problem


@dataclass(frozen=True)
class _Body:
    """The corners and triangles of an object as they are read, and from which triangle on which colour is used."""

    vertices: array[float] = field(default_factory=lambda: array("d"))
    triangles: array[int] = field(default_factory=lambda: array("q"))
    colours: list[tuple[int, str, str]] = field(default_factory=list)


class _Builder:
    """Builds the tree of a document, without the corners and triangles of its objects: those become numbers.

    A node of a tree for each would take a gigabyte, and the collection of garbage would stop all threads.
    """

    def __init__(self) -> None:
        self._tree = ElementTree.TreeBuilder()
        self._body = _Body()
        self.bodies: dict[str, _Body] = {}

    def start(self, tag: str, known: dict[str, str]) -> None:
        """Begin an element."""
        if tag == _VERTEX:
            self._body.vertices.extend((float(known["x"]), float(known["y"]), float(known["z"])))
        elif tag == _TRIANGLE:
            self._add_triangle(known)
        else:
            if tag == _OBJECT:
                self._body = self.bodies[known["id"]] = _Body()
            self._tree.start(tag, known)

    def _add_triangle(self, known: dict[str, str]) -> None:
        triangles, colours = self._body.triangles, self._body.colours
        colour = known.get("pid", ""), known.get("p1", "")
        if not colours or colours[-1][1:] != colour:
            colours.append((len(triangles) // 3, *colour))
        triangles.extend((int(known["v1"]), int(known["v2"]), int(known["v3"])))

    def end(self, tag: str) -> None:
        """End an element."""
        if tag not in (_VERTEX, _TRIANGLE):
            self._tree.end(tag)

    def data(self, text: str) -> None:
        """Add text."""
        self._tree.data(text)

    def close(self) -> ElementTree.Element:
        """The root of the tree."""
        return self._tree.close()


def _parsed(data: bytes) -> tuple[ElementTree.Element, dict[str, _Body]]:
    """The root of a document and its objects' bodies by id, read bit by bit so that other threads are not held up.

    Raises ParseError, and KeyError or ValueError for a corner or a triangle without its numbers.
    """
    builder = _Builder()
    parser = ElementTree.XMLParser(target=builder)
    for begin in range(0, len(data), CHUNK):
        parser.feed(data[begin : begin + CHUNK])
    root: ElementTree.Element = parser.close()
    return root, builder.bodies


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
    thing: ElementTree.Element, body: _Body, item: ElementTree.Element, materials: dict[str, list[str]],
    volumes: Sequence[_Volume],
) -> list[FoundSolid]:  # fmt: skip
    """The solids of an object, at its place on the bed; each has the colour of its first triangle."""
    vertices, triangles = (np.array(numbers).reshape(-1, 3) for numbers in (body.vertices, body.triangles))
    moved = np.array([float(number) for number in re.split(r"\s+", item.attrib["transform"].strip())]).reshape(4, 3)
    places = vertices @ moved[:3] + moved[3]
    found = []
    for name, first, last in volumes or [(thing.attrib["name"], 0, len(triangles) - 1)]:
        _begin, material, number = [colour for colour in body.colours if colour[0] <= first][-1]
        if not number:
            material, number = thing.attrib["pid"], thing.attrib["pindex"]
        some = triangles[first : last + 1]
        begin, end = int(some.min()), int(some.max()) + 1
        found.append(FoundSolid(name, materials[material][int(number)], Mesh(places[begin:end], some - begin)))
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
