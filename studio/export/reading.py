"""Reads SVG, DXF and LightBurn files back, knowing nothing of how they were written but the layers' names.

It reads no more than our own files use and refuses the rest: a file that holds anything else is not ours. For DXF
this is a reader of our own because ezdxf takes longer to load a large file than all the rest of an export.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import accumulate
from xml.etree import ElementTree

import numpy as np

from studio.errors import StudioError
from studio.export.profiles import Profile
from studio.geometry.curves import Floats, Ints
from studio.geometry.drawing import Operation

_SVG = "{http://www.w3.org/2000/svg}"
_SIZES = {"M": 2, "L": 2, "C": 6, "Z": 0}


@dataclass(frozen=True, eq=False)
class Line:
    """One chain as a file holds it, points in mm, y downwards; a closed one ends where it starts.

    Where `curved`, points are the 3k + 1 control points of k cubics, else the corners of a polyline.
    """

    operation: Operation
    points: Floats
    closed: bool
    curved: bool


@dataclass(frozen=True, eq=False)
class Sheet:
    """All that a file holds: a page in mm and the lines in the order of the file."""

    width: float
    height: float
    lines: tuple[Line, ...]


class Unreadable(StudioError):
    """A file that does not hold what we write."""


def read_svg(data: bytes, known: Profile) -> Sheet:
    """The sheet in an SVG file; raises Unreadable where it is not one of ours."""
    try:
        root = ElementTree.fromstring(data)
        width, height = _millimetres(root.get("width")), _millimetres(root.get("height"))
        box = [float(number) for number in root.get("viewBox", "").split()]
    except (ElementTree.ParseError, ValueError) as problem:
        raise Unreadable(f"it is no SVG text ({problem})") from problem
    if root.tag != f"{_SVG}svg" or box != [0, 0, width, height] or "transform" in root.attrib:
        raise Unreadable("one unit of it is not one millimetre")
    lines = []
    for group in root:
        layer = {layer.name: layer for layer in known.layers}.get(group.get("id", ""))
        if group.tag != f"{_SVG}g" or layer is None or "transform" in group.attrib:
            raise Unreadable("it has something outside the layers")
        for path in group:
            if path.tag != f"{_SVG}path" or "transform" in path.attrib or len(path):
                raise Unreadable("a layer of it has something other than plain paths")
            if path.get("fill") != "none" or path.get("stroke") != layer.colour:
                raise Unreadable(f"a line of it has not the colour of the layer {layer.name}")
            points, closed = _path(path.get("d", ""))
            lines.append(Line(layer.operation, points, closed, curved=True))
    return Sheet(width, height, tuple(lines))


def _millimetres(text: str | None) -> float:
    match = re.fullmatch(r"([0-9.]+)mm", text or "")
    if match is None:
        raise Unreadable("its page has no size in millimetres")
    return float(match[1])


def _path(data: str) -> tuple[Floats, bool]:
    """The control points of path data, lines as straight cubics, and whether it is closed."""
    try:
        numbers = np.array(list(map(float, re.sub("[A-Za-z]", " ", data).split())))
    except ValueError as problem:
        raise Unreadable("a path of it has an unknown command or number") from problem
    return unbroken(re.findall("[A-Za-z]", data), numbers)


def unbroken(commands: list[str], numbers: Floats) -> tuple[Floats, bool]:
    """The control points of a line told by M, L, C and Z and their numbers, and whether it is closed.

    Straight steps become straight cubics. Raises Unreadable where it is not one unbroken line.
    """
    try:
        ends = list(accumulate(_SIZES[command] for command in commands))
    except KeyError as problem:
        raise Unreadable("a path of it has an unknown command or number") from problem
    closed = commands[-1:] == ["Z"]
    drawn = commands[1 : len(commands) - closed]
    if commands[:1] != ["M"] or not drawn or {"M", "Z"} & set(drawn) or ends[-1] != len(numbers):
        raise Unreadable("a path of it is not one unbroken line")
    corners = np.array(ends[: len(drawn) + 1])[:, None] + (-2, -1)
    vertices = numbers[corners]
    curved = np.array([command == "C" for command in drawn])
    controls = np.empty((len(drawn), 3, 2))
    controls[:, 2] = vertices[1:]
    arms = corners[1:][curved][:, :1] + (-4, -3, -2, -1)
    controls[curved, :2] = numbers[arms].reshape(-1, 2, 2)
    step = vertices[1:] - vertices[:-1]
    controls[~curved, 0] = (vertices[:-1] + step / 3)[~curved]
    controls[~curved, 1] = (vertices[1:] - step / 3)[~curved]
    points = np.concatenate([vertices[:1], controls.reshape(-1, 2)])
    if closed and (points[0] != points[-1]).any():
        raise Unreadable("a closed path of it does not end where it starts")
    return points, closed


def read_dxf(data: bytes, known: Profile) -> Sheet:
    """The sheet in an R12 or R2000 file, y turned downwards; raises Unreadable where it is not one of ours."""
    try:
        texts = data.decode("ascii").split("\n")
        values = texts[1::2]
        codes = np.array(list(map(int, texts[: 2 * len(values) : 2])))
        if values[-1:] != ["EOF"]:
            raise Unreadable("it is broken off")
        begin = values.index("ENTITIES")
        width, height = _page(values[:begin])
        end = begin + values[begin:].index("ENDSEC")
        lines = _entities(codes[begin + 1 : end], values[begin + 1 : end], known, height)
    except (ValueError, IndexError) as problem:
        raise Unreadable("it is no DXF text") from problem
    return Sheet(width, height, lines)


def _page(values: list[str]) -> tuple[float, float]:
    def variable(name: str, size: int) -> list[str]:
        at = values.index(name) + 1
        return values[at : at + size]

    # R12 has no way to say it.
    if variable("$ACADVER", 1) != ["AC1009"] and (
        int(variable("$INSUNITS", 1)[0]) != 4 or int(variable("$MEASUREMENT", 1)[0]) != 1
    ):
        raise Unreadable("its unit is not the millimetre")
    if [float(n) for n in variable("$EXTMIN", 2)] != [0, 0]:
        raise Unreadable("its page does not begin at zero")
    width, height = map(float, variable("$EXTMAX", 2))
    return width, height


def _entities(codes: Ints, values: list[str], known: Profile, height: float) -> tuple[Line, ...]:
    operations = {layer.name: layer.operation for layer in known.layers}
    starts = np.flatnonzero(codes == 0)
    kinds = [values[start] for start in starts.tolist()]
    owners = np.cumsum(codes == 0) - 1
    across, up = np.flatnonzero(codes == 10), np.flatnonzero(codes == 20)
    if len(across) != len(up) or (across + 1 != up).any():
        raise Unreadable("a point of it has only one coordinate")
    points = np.array([list(map(float, map(values.__getitem__, at.tolist()))) for at in (across, up)]).T
    points[:, 1] = height - points[:, 1]
    bounds = np.searchsorted(owners[across], np.arange(len(kinds) + 1))
    flags = _numbers(codes, values, owners, 70, len(kinds))
    layers = _words(codes, values, owners, 8, len(kinds))
    lines = []
    number = 0
    while number < len(kinds):
        kind, first = kinds[number], number
        begin, end = bounds[number], bounds[number + 1]
        number += 1
        if kind == "POLYLINE":
            number = kinds.index("SEQEND", number)
            if set(kinds[first + 1 : number]) != {"VERTEX"} or set(layers[first:number]) != {layers[first]}:
                raise Unreadable("a polyline of it is broken off")
            begin, end = bounds[first + 1], bounds[number]
            number += 1
        elif kind not in ("LWPOLYLINE", "SPLINE"):
            raise Unreadable(f"it holds {kind}, which we do not write")
        if layers[first] not in operations:
            raise Unreadable(f"it has something on the layer {layers[first]}")
        lines.append(_line(operations[layers[first]], points[begin:end], kind == "SPLINE", flags[first] & 1 == 1))
    return tuple(lines)


def _line(operation: Operation, points: Floats, curved: bool, closed: bool) -> Line:
    if len(points) < 2 or (curved and len(points) % 3 != 1):
        raise Unreadable("a line of it has too few points")
    if closed and (points[0] != points[-1]).any():
        points = np.concatenate([points, points[:1]])
    return Line(operation, points, closed or bool((points[0] == points[-1]).all()), curved)


def _words(codes: Ints, values: list[str], owners: Ints, code: int, count: int) -> list[str]:
    words = [""] * count
    for at in np.flatnonzero(codes == code).tolist():
        words[owners[at]] = values[at]
    return words


def _numbers(codes: Ints, values: list[str], owners: Ints, code: int, count: int) -> list[int]:
    return [int(word or 0) for word in _words(codes, values, owners, code, count)]


def read_lightburn(data: bytes, known: Profile) -> Sheet:
    """The sheet in a LightBurn project, y turned downwards; raises Unreadable where it is not one of ours."""
    try:
        root = ElementTree.fromstring(data)
    except (ElementTree.ParseError, ValueError) as problem:
        raise Unreadable(f"it is no LightBurn project ({problem})") from problem
    if root.tag != "LightBurnProject" or root.get("FormatVersion") != "1":
        raise Unreadable("it is no LightBurn project of the second format")
    if (root.get("MirrorX"), root.get("MirrorY")) != ("False", "False"):
        raise Unreadable("it is a LightBurn project of a mirrored machine")
    size = [re.match(r"([0-9.]+) x ([0-9.]+) mm\b", note.get("Notes", "")) for note in root.iter("Notes")]
    if len(size) != 1 or size[0] is None:
        raise Unreadable("its note does not tell its size in millimetres")
    width, height = float(size[0][1]), float(size[0][2])
    operations = _cut_settings(root, known)
    shapes = root.findall("Shape")
    for name in ("VertID", "PrimID"):
        # LightBurn takes lists of one number to be the same list, and draws all such shapes alike.
        if len({shape.get(name) for shape in shapes}) != len(shapes):
            raise Unreadable("two of its shapes share a list of points")
    return Sheet(width, height, tuple(_shape(shape, operations, height) for shape in shapes))


def _cut_settings(root: ElementTree.Element, known: Profile) -> dict[str, Operation]:
    """The operation of every layer by its index."""
    operations = {}
    for setting in root.findall("CutSetting"):
        values = {child.tag: child.get("Value", "") for child in setting}
        layer = {layer.name: layer for layer in known.layers}.get(values.get("name", ""))
        if setting.get("type") != "Cut" or layer is None or values.get("index") != str(layer.cut):
            raise Unreadable("it has a layer that is none of ours")
        # Each layer has the turn that it has in the profile.
        if values.get("priority") != str(known.layers.index(layer)):
            raise Unreadable("its layers are not in machining order")
        operations[values["index"]] = layer.operation
    return operations


_NUMBER = r"(-?[0-9.]+)"
_VERTEX = re.compile(rf"V{_NUMBER} {_NUMBER}(?:c0x{_NUMBER}c0y{_NUMBER}|c0x1)(?:c1x{_NUMBER}c1y{_NUMBER}|c1x1)")


def _shape(shape: ElementTree.Element, operations: dict[str, Operation], height: float) -> Line:
    kind, index = shape.get("Type"), shape.get("CutIndex", "")
    if kind != "Path" or index not in operations:
        raise Unreadable(f"it holds a {kind} on the layer {index}, which we do not write")
    if shape.findtext("XForm") != "1 0 0 1 0 0":
        raise Unreadable("a shape of it is moved or scaled")
    points, steps = shape.findtext("VertList", ""), shape.findtext("PrimList", "")
    vertices = _VERTEX.findall(points)
    ways = [(kind, int(here), int(there)) for kind, here, there in re.findall(r"([LB])([0-9]+) ([0-9]+)", steps)]
    goals = [there for _, _, there in ways]
    closed = goals[-1:] == [0]
    if (
        _VERTEX.sub("", points)
        or "".join(f"{kind}{here} {there}" for kind, here, there in ways) != steps
        or [here for _, here, _ in ways] != list(range(len(ways)))
        or goals != [*range(1, len(vertices)), *([0] if closed else [])]
    ):
        raise Unreadable("a shape of it is not one unbroken line")
    commands, numbers = ["M"], [*vertices[0][:2]]
    for kind, here, there in ways:
        commands.append("L" if kind == "L" else "C")
        numbers += [*(vertices[here][2:4] + vertices[there][4:6] if kind == "B" else ()), *vertices[there][:2]]
    try:
        path, _ = unbroken([*commands, "Z"] if closed else commands, np.array([float(number) for number in numbers]))
    except ValueError as problem:
        raise Unreadable("a curve of it lacks a handle") from problem
    return Line(operations[index], path * (1, -1) + (0, height), closed, curved=True)
