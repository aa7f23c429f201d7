"""Reads a LightBurn project back: its layers with type, turn and number, its shapes and its picture.

Also reads material libraries, our own and those of others, whose spelling of names varies.

LightBurn's layers C00 to C29 are cut, their settings of the type `Cut`; T1 and T2, numbers 30 and 31 and of the type
`Tool`, are seen and never run. `priority` is the turn of a layer. Lengths are millimetres, y upwards.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from xml.etree import ElementTree

import numpy as np

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.base.units import MM_PER_INCH
from studio.exporting.colour_profiles import profile
from studio.exporting.options import LightburnOptions, Unreadable
from studio.exporting.proof import SheetReport, prove
from studio.exporting.readers.found_lines import FoundLayer, FoundLine, FoundPicture, Sheet, unbroken
from studio.geometry.planar.drawing import (
    CUT,
    ENGRAVE,
    LONGEST_NOTE,
    MARK,
    RASTER,
    SCORE,
    TITLES,
    Drawing,
    LibraryEntry,
    Operation,
    Setting,
)

# Layer by layer as their priorities say; nothing that turns, leaves out or moves a cut.
_IN_ORDER = {
    "Optimize_ByLayer": 0, "Optimize_ByGroup": -1, "Optimize_ByPriority": 1, "Optimize_WhichDirection": 0,
    "Optimize_InnerToOuter": 0, "Optimize_ByDirection": 0, "Optimize_ReduceTravel": 0, "Optimize_HideBacklash": 0,
    "Optimize_ReduceDirChanges": 0, "Optimize_ChooseCorners": 0, "Optimize_AllowReverse": 0,
    "Optimize_RemoveOverlaps": 0, "Optimize_OptimalEntryPoint": 0,
}  # fmt: skip
# The number of the layer T2.
_LAST = 31
# Values of a layer that are no settings of the machine.
_PLACED = ("index", "name", "priority", "interval", "dpi")
_IMAGE = "IMAGE"
_NUMBER = r"(-?[0-9.]+)"
_VERTEX = re.compile(rf"V{_NUMBER} {_NUMBER}(?:c0x{_NUMBER}c0y{_NUMBER}|c0x1)(?:c1x{_NUMBER}c1y{_NUMBER}|c1x1)")


@dataclass(frozen=True, eq=False)
class Project:
    """A project: its sheet, the line distance in mm of its image layer, 0 without one, and LightBurn's cut order."""

    sheet: Sheet
    interval: float
    planner: Mapping[str, int]
    settings: Mapping[str, Mapping[str, float]]
    """Values of each layer beside its name and place, in LightBurn's words, by the layer's name."""
    filled: frozenset[int] = frozenset()
    """Numbers of layers whose shapes are filled."""


def read_lightburn(data: bytes, options: LightburnOptions) -> Project:
    """Read a LightBurn project, y turned downwards; raises Unreadable for a foreign file."""
    try:
        return _project(data, ("Cut", "Scan", "Tool") if options.are_filled else ("Cut", "Tool"))
    except (TypeError, ValueError) as problem:
        raise Unreadable(tr("it is not a LightBurn project ({problem})", problem=problem)) from problem


def _project(data: bytes, kinds: Sequence[str]) -> Project:
    try:
        root = ElementTree.fromstring(data)
    except (ElementTree.ParseError, LookupError, ValueError) as problem:
        raise Unreadable(tr("it is not a LightBurn project ({problem})", problem=problem)) from problem
    if root.tag != "LightBurnProject" or root.get("FormatVersion") != "1":
        raise Unreadable(tr("it is not an LBRN2 project"))
    if (root.get("MirrorX"), root.get("MirrorY")) != ("False", "False"):
        raise Unreadable(tr("its axes are mirrored"))
    told = [note.get("Notes", "") for note in root.iter("Notes")]
    size = [re.match(r"([0-9.]+) x ([0-9.]+) mm\b", note) for note in told]
    if len(size) != 1 or size[0] is None:
        raise Unreadable(tr("its notes do not state the size in millimetres"))
    width, height = float(size[0][1]), float(size[0][2])
    bitmaps = [shape for shape in root.findall("Shape") if shape.get("Type") == "Bitmap"]
    # Layers of a project by index.
    layers = {}
    settings = {}
    filled = set()
    for setting in root.findall("CutSetting"):
        values = {child.tag: child.get("Value", "") for child in setting}
        settings[values.get("name", "")] = _worked(values)
        kind, index = setting.get("type"), int(values.get("index", "-1"))
        if kind not in kinds or not 0 <= index <= _LAST or str(index) in layers:
            raise Unreadable(tr("its layer {index} is of the type {kind}", index=index, kind=kind))
        turn = int(values.get("priority", "-1"))
        layers[str(index)] = FoundLayer(values.get("name", ""), number=index, turn=turn, runs=kind != "Tool")
        if kind == "Scan":
            filled.add(str(index))
            settings[values.get("name", "")]["interval"] = float(values.get("interval", "nan"))
    artwork, interval = _pictures(root, bitmaps, layers, height)
    for setting in root.findall("CutSetting_Img"):
        values = {child.tag: child.get("Value", "") for child in setting}
        settings[values.get("name", "")] = _worked(values)
    notes = dict(line.split(": ", 1) for line in told[0].split("\n")[1:])
    shapes = [shape for shape in root.findall("Shape") if shape not in bitmaps]
    for name in ("VertID", "PrimID"):
        # LightBurn treats lists with the same number as one list, and draws all such shapes alike.
        if len({shape.get(name, "") for shape in shapes} - {""}) != len(shapes):
            raise Unreadable(tr("two shapes share one vertex list"))
    lines = tuple(_read_shape(shape, layers, height) for shape in shapes)
    planner = {each.tag: int(each.get("Value", "")) for prefs in root.findall("UIPrefs") for each in prefs}
    return Project(
        Sheet(width, height, lines, artwork, notes), interval, planner, settings, frozenset(map(int, filled))
    )


def _worked(values: Mapping[str, str]) -> dict[str, float]:
    return {name: float(value) for name, value in values.items() if name not in _PLACED}


def prove_lightburn(project: Project, drawing: Drawing, options: LightburnOptions, rounding: float) -> SheetReport:
    """Report on the project; raises Unreadable if it is not the drawing, with its artwork if requested."""
    if project.planner != (_IN_ORDER if options.keep_order else {}):
        raise Unreadable(tr("its cuts would be made in another order"))
    if options.cells:
        project = _without_cells(project, drawing, options)
    _refuse_other_settings(project, options)
    if options.raster and drawing.artwork:
        if abs(project.interval - 25.4 / options.raster_dpi) > 1e-6:
            raise Unreadable(tr("its picture has lines {interval:g} mm apart", interval=project.interval))
        return prove(project.sheet, drawing, options, rounding)
    if project.sheet.artwork:
        raise Unreadable(tr("it has a picture that was not asked for"))
    return prove(replace(project.sheet, artwork=None), drawing, options, rounding)


def _without_cells(project: Project, drawing: Drawing, options: LightburnOptions) -> Project:
    """Check the layers of a test card's squares, and return the project with its squares on the usual layers.

    Raises Unreadable unless each has a layer of its own, later than the labels', with its own settings.
    """
    known, lines = profile(options.profile), list(project.sheet.lines)
    chains = [
        at for at, chain in enumerate(drawing.chains) if chain.operation not in (Operation.ENGRAVE, Operation.MARK)
    ]
    settings, turns = dict(project.settings), {line.layer.turn or 0 for line in lines}
    if len(lines) != len(drawing.chains) or len(chains) != len(options.cells):
        raise Unreadable(tr("it has another number of squares"))
    numbers = {lines[at].layer.number for at in chains}
    if len(numbers) != len(chains) or any(lines[at].layer.number not in numbers for at in chains):
        raise Unreadable(tr("two squares share a layer"))
    for at, wanted in zip(chains, options.cells, strict=True):
        layer = lines[at].layer
        found = settings.pop(layer.name, None)
        asked = _wanted(wanted) | ({"interval": wanted.interval} if options.are_filled else {})
        if found != asked or not layer.runs or (layer.number in project.filled) != options.are_filled:
            raise Unreadable(tr("the square on layer {layer} has other settings", layer=layer.name))
        usual = known.layer(drawing.chains[at].operation)
        lines[at] = replace(lines[at], layer=FoundLayer(usual.name, number=usual.cut, turn=max(turns), runs=True))
    return replace(project, sheet=replace(project.sheet, lines=tuple(lines)), settings=settings)


def _refuse_other_settings(project: Project, options: LightburnOptions) -> None:
    """Raise Unreadable, naming the layer, if a layer's settings are not those of the recipe."""
    known = profile(options.profile)
    asked = {layer.name: options.recipe.of(layer.operation) for layer in known.every}
    # The tool layer never runs.
    asked |= {_IMAGE: options.recipe.raster, known.every[-1].name: None}
    for name, found in project.settings.items():
        setting = asked.get(name)
        wanted = {} if setting is None else _wanted(setting)
        for value in {*wanted, *found}:
            if wanted.get(value) != found.get(value):
                words = tr("its layer {name} has {value} {found}, not {wanted}", name=name, value=value,
                           found=found.get(value, "–"), wanted=wanted.get(value, "–"))  # fmt: skip
                raise Unreadable(words)


def _wanted(setting: Setting) -> dict[str, float]:
    return {
        "minPower": setting.power_min, "maxPower": setting.power_max, "speed": setting.speed,
        "numPasses": setting.passes, "runBlower": setting.air, "zOffset": setting.focus, "kerf": 0.0,
    }  # fmt: skip


def _pictures(
    root: ElementTree.Element, shapes: list[ElementTree.Element], layers: dict[str, FoundLayer], height: float
) -> tuple[tuple[FoundPicture, ...], float]:
    """Return the pictures of the image layer, and its line distance in mm; raises Unreadable unless it is first."""
    settings = [{child.tag: child.get("Value", "") for child in each} for each in root.findall("CutSetting_Img")]
    if not settings and not shapes:
        return (), 0.0
    turns = [layer.turn or 0 for layer in layers.values()]
    index = settings[0].get("index", "") if len(settings) == 1 else ""
    if not index or index in layers or int(settings[0].get("priority", "0")) >= min(turns, default=1):
        raise Unreadable(tr("its image layer is not the first"))
    if any(each.get("type") != "Image" for each in root.findall("CutSetting_Img")):
        raise Unreadable(tr("its image layer is of another type"))
    found = []
    for shape in shapes:
        a, b, c, d, x, y = map(float, shape.findtext("XForm", "").split())
        wide, high = float(shape.get("W", "nan")), float(shape.get("H", "nan"))
        if (a, b, c, d) != (1, 0, 0, 1) or shape.get("CutIndex") != index:
            raise Unreadable(tr("a picture is transformed or not on the image layer"))
        box = (x - wide / 2, height - y - high / 2, wide, high)
        found.append(FoundPicture(box, b64decode(shape.get("Data", ""))))
    return tuple(found), float(settings[0].get("interval", "nan"))


def _read_shape(shape: ElementTree.Element, layers: dict[str, FoundLayer], height: float) -> FoundLine:
    kind, index = shape.get("Type"), shape.get("CutIndex", "")
    if kind != "Path" or index not in layers:
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
    return FoundLine(layers[index], path * (1, -1) + (0, height), closed, curved=True)


# Material libraries

MOST_BYTES = 16 * 2**20
"""Largest library read, in bytes."""
_FILLS = ("scan", "image", "scan+cut", "offset")
# Words in the description of a line by which it is no cut, the first found counts.
_WORDS = ((SCORE, ("score", "fold", "crease")), (MARK, ("mark",)), (ENGRAVE, ("engrav", "etch", "line", "draw")))


def read_library(data: bytes) -> tuple[tuple[LibraryEntry, ...], tuple[str, ...]]:
    """Read the entries of a material library, and sentences about settings that no recipe can have.

    Raises StudioError for a file that is no library.
    """
    if len(data) > MOST_BYTES or b"<!ENTITY" in data or b"<!DOCTYPE" in data:
        raise StudioError(tr("This is not a LightBurn library."))
    try:
        root = ElementTree.fromstring(data)
    except (ElementTree.ParseError, LookupError, ValueError) as problem:
        raise StudioError(tr("This is not a LightBurn library: {problem}.", problem=problem)) from problem
    if root.tag.lower() != "lightburnlibrary":
        raise StudioError(tr("This is not a LightBurn library."))
    found: list[LibraryEntry] = []
    problems: list[str] = []
    for material, entry, setting in _library_settings(root):
        said = entry.get("desc", "")
        name = _name(material, entry)
        try:
            thickness = float(entry.get("thickness", "-1"))
            found.append(LibraryEntry(name, thickness if thickness > 0 else None, *_setting(setting, said)))
        except (StudioError, ValueError, OverflowError) as problem:
            words = tr("{material}, {entry} is left out: {problem}", material=name, entry=said, problem=problem)
            problems.append(words)
    return tuple(found), tuple(problems)


def _library_settings(root: ElementTree.Element) -> Iterator[tuple[str, dict[str, str], ElementTree.Element]]:
    """Each setting of a library, with the name of its material and the attributes of its entry in small letters."""
    for material in root:
        for entry in material if material.tag.lower() == "material" else ():
            for setting in entry if entry.tag.lower() == "entry" else ():
                if setting.tag.lower().startswith("cutsetting"):
                    yield _small(material).get("name", ""), _small(entry), setting


def _small(element: ElementTree.Element) -> dict[str, str]:
    return {name.lower(): value for name, value in element.attrib.items()}


def _name(material: str, entry: Mapping[str, str]) -> str:
    """The name of an entry's material; libraries for one laser list the materials as titles of entries."""
    title = entry.get("nothicktitle", "").strip()
    is_any = not entry.get("thickness", "").strip() or entry["thickness"].strip().startswith("-")
    if is_any and title and title != entry.get("desc", "").strip():
        return f"{material.strip()} {title}".strip()
    return material.strip()


def _setting(element: ElementTree.Element, said: str) -> tuple[str, Setting]:
    """The work and the setting of an element with a description; raises StudioError or ValueError."""
    # Values are elements, in some libraries attributes.
    values = {name: value for name, value in _small(element).items() if name != "type"}
    values |= {child.tag.lower(): value for child in element if (value := _small(child).get("value")) is not None}
    work, note = _work(_small(element).get("type", "cut").lower(), said)
    known = {"power_max": "maxpower", "power_min": "minpower", "speed": "speed", "focus": "zoffset"}
    found: dict[str, Any] = {name: float(values[word]) for name, word in known.items() if word in values}
    if "power_max" not in found or "speed" not in found:
        raise StudioError(tr("it states no power and speed."))
    found["power_min"] = min(found.get("power_min", 0.0), found["power_max"])
    found["passes"] = int(float(values.get("numpasses", "1")))
    found["air"] = values.get("runblower", values.get("airassist", "0")).strip().lower() in ("1", "true")
    if work == CUT and "kerf" in values:
        found["kerf"] = round(2 * abs(float(values["kerf"])), 6)
    if work == RASTER:
        if "interval" in values:
            found["interval"] = float(values["interval"])
        elif float(values.get("dpi", "0")) > 0:
            found["interval"] = round(MM_PER_INCH / float(values["dpi"]), 6)
    return work, Setting(**found, note=_one_line(note))


def _one_line(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text).strip()[:LONGEST_NOTE]


def _work(kind: str, said: str) -> tuple[str, str]:
    """The work that a setting is for by its type and description, and the note in the description."""
    head, _, note = said.partition(": ")
    own = {title: work for work, title in TITLES.items()}
    if said in own or head in own:
        work = own.get(head, own.get(said, CUT))
        return (work, note) if (work == RASTER) == (kind in _FILLS) else (RASTER if kind in _FILLS else CUT, said)
    if kind in _FILLS:
        return RASTER, said
    words = said.lower()
    return next((work for work, parts in _WORDS if any(part in words for part in parts)), CUT), said
