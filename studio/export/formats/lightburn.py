"""Writes a drawing as a LightBurn project, `.lbrn2`: shapes as cubics, a layer for each operation, order kept.

The format has no published description. What is written here follows what LightBurn's makers and users have said of
it and what projects saved by LightBurn 0.9.24 to 2.1 have in common:

* XML, `FormatVersion` 1. Lengths are millimetres, x grows to the right and y upwards.
* A `CutSetting` is a layer: `index` is its place in the palette, by which shapes name it, `priority` its turn. Every
  value left out is LightBurn's default; so are speed and power, which depend on the machine and are not ours to guess.
* A `CutSetting` of the type `Tool` with the index 30 is the tool layer T1: its shapes are seen and never run.
* A `Path` has vertices `V x y`, each with the handle `c0` of the step that leaves it and `c1` of the step that reaches
  it; a handle that is not there reads `c0x1` or `c1x1`. Its steps are `L` for a line and `B` for a cubic, each with the
  numbers of two vertices; a closed path comes back to vertex 0.
* A `CutSetting_Img` of the type `Image` is a layer of pictures, of `interval` mm from line to line. A `Bitmap` has its
  picture packed in `Data`, is `W` and `H` mm large, and lies round the origin until its `XForm` moves it.
* `VertID` and `PrimID` number these lists. LightBurn takes equal numbers to mean the same list.
* `UIPrefs` are the optimisation settings of the project; a value of 1 switches one on.

Not tried in LightBurn itself: tool layer and image layer; both are written as projects are that others have published.
Not known: what LightBurn does with the `Mirror` flags of a machine whose origin is not at the lower left (look
whether letters read rightly); and whether "Optimize Cut Path", which LightBurn keeps beside the project, is on. The
project says what order it wants, and in its note what its size is.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from dataclasses import dataclass
from xml.etree import ElementTree

import numpy as np

from studio import PROGRAM
from studio.export.format import Format, Unreadable
from studio.export.options import LaserOptions
from studio.export.paper import FoundPicture
from studio.export.pixels import INCH
from studio.export.profiles import Layer, Profile, profile
from studio.export.proof import prove_curves
from studio.export.reading import FoundLine, Sheet, unbroken
from studio.export.ready import ready
from studio.export.steps import DECIMALS, ROUNDING, Steps
from studio.geometry.artwork import Picture
from studio.geometry.drawing import Drawing, Operation, Path
from studio.parameters import flag
from studio.texts import tr

# The oldest release seen to write this format: every newer one reads what an older one wrote.
_RELEASE = "0.9.24"
# In LightBurn's own order. By layer first, then by priority, and nothing that would turn or reorder the cuts.
_IN_ORDER = {
    "ByLayer": 0, "ByGroup": -1, "ByPriority": 1, "WhichDirection": 0, "InnerToOuter": 0, "ByDirection": 0,
    "ReduceTravel": 0, "HideBacklash": 0, "ReduceDirChanges": 0, "ChooseCorners": 0, "AllowReverse": 0,
    "RemoveOverlaps": 0, "OptimalEntryPoint": 0,
}  # fmt: skip


# The layer of pictures, one that no profile uses for lines.
_IMAGE, _IMAGE_NAME = 10, "IMAGE"
# How many decimals of a millimetre the place of a picture has.
_FINE = 6
_NUMBER = r"(-?[0-9.]+)"
_VERTEX = re.compile(rf"V{_NUMBER} {_NUMBER}(?:c0x{_NUMBER}c0y{_NUMBER}|c0x1)(?:c1x{_NUMBER}c1y{_NUMBER}|c1x1)")


@dataclass(frozen=True)
class LightburnOptions(LaserOptions):
    """What a maker chooses about a LightBurn project."""

    keep_order: bool = flag(True, title="Keep cut order",
        help="Turns off LightBurn's cut optimisation for this project.")  # fmt: skip


def lightburn(drawing: Drawing, options: LightburnOptions) -> bytes:
    """The drawing as a LightBurn project; raises StudioError where it has nothing to cut."""
    drawing = ready(drawing)
    known = profile(options.profile)
    used = {chain.operation for chain in drawing.chains}
    width, height = (f"{round(side, DECIMALS):.10g}" for side in (drawing.width, drawing.height))
    note = f"{width} x {height} mm. Speed and power are LightBurn's defaults: set them for every layer before you cut."
    note += f" Written by {PROGRAM}."
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<LightBurnProject AppVersion="{_RELEASE}" FormatVersion="1" MaterialHeight="0" MirrorX="False"'
        ' MirrorY="False">',
    ]
    image = drawing.artwork[0] if options.raster and drawing.artwork else None
    if options.keep_order:
        lines += ["<UIPrefs>", *(f'<Optimize_{name} Value="{value}"/>' for name, value in _IN_ORDER.items())]
        lines.append("</UIPrefs>")
    first = 0 if image is None else 1
    lines += [_cut_setting(place, layer) for place, layer in enumerate(known.every, first) if layer.operation in used]
    if isinstance(image, Picture):
        lines += [_image_setting(options.raster_dpi), _bitmap(image, drawing.height)]
    lines += [
        _shape(number, path, known.layer(path.operation), drawing.height) for number, path in enumerate(drawing.paths())
    ]
    lines += [f'<Notes ShowOnLoad="1" Notes="{note}"/>', "</LightBurnProject>\n"]
    return "\n".join(lines).encode("ascii")


def _cut_setting(place: int, layer: Layer) -> str:
    values = {"index": layer.cut, "name": layer.name, "priority": place}
    inside = "".join(f'<{name} Value="{value}"/>' for name, value in values.items())
    return f'<CutSetting type="{_kind(layer)}">{inside}</CutSetting>'


def _image_setting(dpi: int) -> str:
    values = {"index": _IMAGE, "name": _IMAGE_NAME, "priority": 0, "interval": f"{INCH / dpi:.6g}", "dpi": dpi}
    inside = "".join(f'<{name} Value="{value}"/>' for name, value in values.items())
    return f'<CutSetting_Img type="Image">{inside}</CutSetting_Img>'


def _bitmap(picture: Picture, height: float) -> str:
    """A picture round its middle, packed as it is."""
    x, y = picture.middle
    box = f'W="{_number(picture.box[2])}" H="{_number(picture.box[3])}"'
    place = f"1 0 0 1 {_number(x)} {_number(height - y)}"
    data = b64encode(picture.data).decode("ascii")
    return (
        f'<Shape Type="Bitmap" CutIndex="{_IMAGE}" {box} Gamma="1" Contrast="0" Brightness="0" EnhanceAmount="0"'
        f' EnhanceRadius="0" EnhanceDenoise="0" File="" SourceHash="0" Data="{data}"><XForm>{place}</XForm></Shape>'
    )


def _number(value: float) -> str:
    return f"{round(value, _FINE) + 0.0:.10g}"


def _kind(layer: Layer) -> str:
    """What LightBurn calls the kind of a layer: lines that are cut, or a tool layer, which never runs."""
    return "Tool" if layer.operation is Operation.MARK else "Cut"


def _shape(number: int, path: Path, layer: Layer, height: float) -> str:
    steps = Steps.of(path.points * (1, -1) + (0, height))
    ends = [steps.start, *steps.steps[:, 2]]
    leaving = [_handle("c0", line, step[0]) for line, step in zip(steps.lines, steps.steps.tolist(), strict=True)]
    arriving = [_handle("c1", line, step[1]) for line, step in zip(steps.lines, steps.steps.tolist(), strict=True)]
    count = len(leaving)
    goals = list(range(1, count + 1))
    if path.closed:
        # The last vertex is the first.
        goals[-1:] = [0]
        arriving = arriving[-1:] + arriving[:-1]
    else:
        leaving, arriving = [*leaving, "c0x1"], ["c1x1", *arriving]
    vertices = [f"V{x:.10g} {y:.10g}{away}{here}" for (x, y), away, here in zip(ends, leaving, arriving, strict=False)]
    ways = [
        f"{'L' if line else 'B'}{start} {goal}"
        for line, start, goal in zip(steps.lines, range(count), goals, strict=True)
    ]
    return (
        f'<Shape Type="Path" CutIndex="{layer.cut}" VertID="{number}" PrimID="{number}"><XForm>1 0 0 1 0 0</XForm>'
        f"<VertList>{''.join(vertices)}</VertList><PrimList>{''.join(ways)}</PrimList></Shape>"
    )


def _handle(name: str, line: bool, point: list[float]) -> str:
    x, y = point
    return f"{name}x1" if line else f"{name}x{x:.10g}{name}y{y:.10g}"


def read_lightburn(data: bytes, options: LightburnOptions) -> Sheet:
    """The sheet in a LightBurn project, y turned downwards; raises Unreadable where it is not one of ours."""
    try:
        root = ElementTree.fromstring(data)
    except (ElementTree.ParseError, ValueError) as problem:
        raise Unreadable(tr("it is not a LightBurn project ({problem})", problem=problem)) from problem
    if root.tag != "LightBurnProject" or root.get("FormatVersion") != "1":
        raise Unreadable(tr("it is not an LBRN2 project"))
    if (root.get("MirrorX"), root.get("MirrorY")) != ("False", "False"):
        raise Unreadable(tr("its axes are mirrored"))
    size = [re.match(r"([0-9.]+) x ([0-9.]+) mm\b", note.get("Notes", "")) for note in root.iter("Notes")]
    if len(size) != 1 or size[0] is None:
        raise Unreadable(tr("its notes do not state the size in millimetres"))
    width, height = float(size[0][1]), float(size[0][2])
    bitmaps = [shape for shape in root.findall("Shape") if shape.get("Type") == "Bitmap"]
    operations = _cut_settings(root, profile(options.profile), 1 if bitmaps else 0)
    artwork = _pictures(root, bitmaps, height) if options.raster else None
    shapes = [shape for shape in root.findall("Shape") if shape not in bitmaps or artwork is None]
    for name in ("VertID", "PrimID"):
        # LightBurn takes lists of one number to be the same list, and draws all such shapes alike.
        if len({shape.get(name) for shape in shapes}) != len(shapes):
            raise Unreadable(tr("two shapes share one vertex list"))
    return Sheet(width, height, tuple(_read_shape(shape, operations, height) for shape in shapes), artwork)


def _pictures(root: ElementTree.Element, shapes: list[ElementTree.Element], height: float) -> tuple[FoundPicture, ...]:
    """The pictures of the image layer, which runs first; raises Unreadable where something else is there."""
    settings = [{child.tag: child.get("Value") for child in each} for each in root.findall("CutSetting_Img")]
    if [(each.get("index"), each.get("priority")) for each in settings] != [(str(_IMAGE), "0")] * len(shapes):
        raise Unreadable(tr("its image layer is not the first"))
    found = []
    for shape in shapes:
        a, b, c, d, x, y = map(float, shape.findtext("XForm", "").split())
        wide, high = float(shape.get("W", "nan")), float(shape.get("H", "nan"))
        if (a, b, c, d) != (1, 0, 0, 1) or shape.get("CutIndex") != str(_IMAGE):
            raise Unreadable(tr("a shape is transformed"))
        box = (x - wide / 2, height - y - high / 2, wide, high)
        found.append(FoundPicture(box, b64decode(shape.get("Data", ""))))
    return tuple(found)


def _cut_settings(root: ElementTree.Element, known: Profile, first: int) -> dict[str, Operation]:
    """The operation of every layer by its index."""
    operations = {}
    for setting in root.findall("CutSetting"):
        values = {child.tag: child.get("Value", "") for child in setting}
        layer = {layer.name: layer for layer in known.every}.get(values.get("name", ""))
        if layer is None or setting.get("type") != _kind(layer) or values.get("index") != str(layer.cut):
            raise Unreadable(tr("it has an unexpected layer"))
        # Each layer has the turn that it has in the profile.
        if values.get("priority") != str(known.every.index(layer) + first):
            raise Unreadable(tr("its layers are not in machining order"))
        operations[values["index"]] = layer.operation
    return operations


def _read_shape(shape: ElementTree.Element, operations: dict[str, Operation], height: float) -> FoundLine:
    kind, index = shape.get("Type"), shape.get("CutIndex", "")
    if kind != "Path" or index not in operations:
        raise Unreadable(tr("it contains an unexpected {kind} on layer {index}", kind=kind, index=index))
    if shape.findtext("XForm") != "1 0 0 1 0 0":
        raise Unreadable(tr("a shape is transformed"))
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
        raise Unreadable(tr("a shape is not one continuous line"))
    commands, numbers = ["M"], [*vertices[0][:2]]
    for kind, here, there in ways:
        commands.append("L" if kind == "L" else "C")
        numbers += [*(vertices[here][2:4] + vertices[there][4:6] if kind == "B" else ()), *vertices[there][:2]]
    try:
        path, _ = unbroken([*commands, "Z"] if closed else commands, np.array([float(number) for number in numbers]))
    except ValueError as problem:
        raise Unreadable(tr("a curve lacks a control point")) from problem
    return FoundLine(operations[index], path * (1, -1) + (0, height), closed, curved=True)


LIGHTBURN = Format(
    ".lbrn2",
    tr("LightBurn project"),
    tr("LightBurn project with layers in cutting order; set power and speed there"),
    LightburnOptions,
    ROUNDING,
    lightburn,
    read_lightburn,
    prove_curves,
)
