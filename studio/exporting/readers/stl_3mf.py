"""Reads solids in binary STL and 3MF files back, and compares them with the solids written.

STL is 80 letters, the number of triangles in 4 bytes, and 50 bytes a triangle: normal, three corners, attribute.

A package of 3MF is a zip whose relations name its model; unit, materials, objects and items are those of the core
specification of 3MF, and a table of PrusaSlicer's assigns the triangles of an object to solids.
"""

from __future__ import annotations

import io
import re
import zipfile
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from xml.etree import ElementTree

import numpy as np

from studio.base.texts import tr
from studio.exporting.options import NOTHING, NoOptions, Unreadable
from studio.exporting.proof import SolidReport, refuse_moved, report
from studio.geometry.curves.strokes import Floats
from studio.geometry.solids.solid import Mesh, Solid

_HEAD = 84
_RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
CHUNK = 2**16
"""Bytes of a document read at once."""
_CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_MODEL_RELATION = "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"
_CONTENT = {
    "application/vnd.openxmlformats-package.relationships+xml",
    "application/vnd.ms-package.3dmanufacturing-3dmodel+xml",
}
_CONFIG = "Metadata/Slic3r_PE_model.config"
_OBJECT, _VERTEX, _TRIANGLE = (f"{{{_CORE}}}{name}" for name in ("object", "vertex", "triangle"))


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


@dataclass(frozen=True, eq=False)
class FoundSolid:
    """A solid read back: its name, its colour as #RRGGBBAA, and its mesh at its place on the bed."""

    name: str
    colour: str
    mesh: Mesh


def read_3mf(data: bytes, _options: NoOptions = NOTHING) -> tuple[FoundSolid, ...]:
    """Read the solids of a file, in the order in which they are built; raises Unreadable if it has none."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            model, bodies = _parsed(package.read(_model_in(package)))
            volumes = _read_volumes(package.read(_CONFIG)) if _CONFIG in package.namelist() else {}
        if model.attrib.get("unit") != "millimeter":
            raise Unreadable(tr("its unit is not millimetres"))
        materials = {
            each.attrib["id"]: [base.attrib["displaycolor"] for base in each] for each in _all(model, "basematerials")
        }
        objects = {each.attrib["id"]: each for each in _all(model, "object")}
        if any(each.attrib["type"] != "model" for each in objects.values()):
            raise Unreadable(tr("an object is not printed"))
        found: list[FoundSolid] = []
        for item in _all(model, "item"):
            name = item.attrib["objectid"]
            found += _read_object(objects[name], bodies[name], item, materials, volumes.get(name, ()))
        return tuple(found)
    except (zipfile.BadZipFile, ElementTree.ParseError, LookupError, ValueError) as problem:
        raise Unreadable(tr("it is not a 3MF file ({problem})", problem=problem)) from problem


def _model_in(package: zipfile.ZipFile) -> str:
    """Return the name of the model's part; raises Unreadable if slicers would not find it there."""
    (relation,) = ElementTree.fromstring(package.read("_rels/.rels")).iter(f"{{{_PACKAGE}/relationships}}Relationship")
    name = relation.attrib["Target"].lstrip("/")
    types = ElementTree.fromstring(package.read("[Content_Types].xml"))
    known = {
        each.attrib["Extension"]: each.attrib["ContentType"]
        for each in types.iter(f"{{{_PACKAGE}/content-types}}Default")
    }
    if (
        relation.attrib["Type"] != _MODEL_RELATION
        or {known.get("rels"), known.get(name.rpartition(".")[2])} != _CONTENT
    ):
        raise Unreadable(tr("its package does not name its model"))
    return name


@dataclass(frozen=True)
class _Body:
    """The corners and triangles of an object read so far, and the colours with the first triangle of each."""

    vertices: array[float] = field(default_factory=lambda: array("d"))
    triangles: array[int] = field(default_factory=lambda: array("q"))
    colours: list[tuple[int, str, str]] = field(default_factory=list)


class _Builder:
    """Builds the tree of a document without the corners and triangles of its objects: those become numbers.

    A tree with a node for each would take a gigabyte, and the collection of garbage would stop all threads.
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
            triangles, colours = self._body.triangles, self._body.colours
            colour = known.get("pid", ""), known.get("p1", "")
            if not colours or colours[-1][1:] != colour:
                colours.append((len(triangles) // 3, *colour))
            triangles.extend((int(known["v1"]), int(known["v2"]), int(known["v3"])))
        else:
            if tag == _OBJECT:
                self._body = self.bodies[known["id"]] = _Body()
            self._tree.start(tag, known)

    def end(self, tag: str) -> None:
        """End an element."""
        if tag not in (_VERTEX, _TRIANGLE):
            self._tree.end(tag)

    def data(self, text: str) -> None:
        """Add text."""
        self._tree.data(text)

    def close(self) -> ElementTree.Element:
        """Return the root of the tree."""
        return self._tree.close()


def _parsed(data: bytes) -> tuple[ElementTree.Element, dict[str, _Body]]:
    """Return the root of a document and its objects' bodies by id, read in chunks so that other threads keep running.

    Raises ParseError, and KeyError or ValueError for a corner or a triangle without its numbers.
    """
    builder = _Builder()
    parser = ElementTree.XMLParser(target=builder)
    for begin in range(0, len(data), CHUNK):
        parser.feed(data[begin : begin + CHUNK])
    root: ElementTree.Element = parser.close()
    return root, builder.bodies


def _all(where: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return list(where.iter(f"{{{_CORE}}}{name}"))


_Volume = tuple[str, int, int]
"""The name of a solid in an object, its first and its last triangle."""


def _read_volumes(data: bytes) -> dict[str, list[_Volume]]:
    """Return the solids of every object with several."""
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
    """Return the solids of an object, at its place on the bed; each has the colour of its first triangle."""
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
    """Report on the solids in a file; raises Unreadable if they are not the expected ones."""
    for number, solid in enumerate(solids):
        if number >= len(found) or found[number].name != solid.name:
            raise Unreadable(tr("{name} is missing or not in its place", name=solid.name))
    if len(found) > len(solids):
        raise Unreadable(tr("{name} is there too much", name=found[len(solids)].name))
    for one, solid in zip(found, solids, strict=True):
        if one.colour != f"{solid.colour}FF":
            raise Unreadable(tr("{name} has the wrong colour", name=one.name))
        if one.mesh.vertices.shape != solid.mesh.vertices.shape:
            raise Unreadable(tr("{name} has another number of corners", name=one.name))
        refuse_moved(solid.name, one.mesh.vertices, solid.mesh.vertices, rounding)
        if not np.array_equal(one.mesh.triangles, solid.mesh.triangles):
            raise Unreadable(tr("{name} has the wrong triangles", name=one.name))
    return report(solids, [one.mesh for one in found])
