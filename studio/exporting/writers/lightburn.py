"""Writes a drawing as a LightBurn project, `.lbrn2`, and recipes as a material library, `.clb`.

A project has shapes as cubics, a layer for each operation, and keeps the order.

Neither format has a published description. These facts come from LightBurn's makers and users, and from the projects
saved by LightBurn 0.9.24 to 2.1:

* XML, `FormatVersion` 1. Lengths are millimetres, x grows to the right and y upwards.
* A `CutSetting` is a layer: `index` is its place in the palette, by which shapes name it, `priority` its turn. Every
  value left out is LightBurn's default; so are speed and power, which depend on the machine and are not ours to guess.
* A `CutSetting` of the type `Tool` with the index 30 is the tool layer T1: its shapes are seen and never run.
* A `Path` has vertices `V x y`, each with the handle `c0` of the step that leaves it and `c1` of the step that reaches
  it; a missing handle reads `c0x1` or `c1x1`. Its steps are `L` for a line and `B` for a cubic, each with the
  numbers of two vertices; a closed path comes back to vertex 0.
* A `CutSetting_Img` of the type `Image` is a layer of pictures, of `interval` mm from line to line. A `Bitmap` has its
  picture packed in `Data`, is `W` and `H` mm large, and lies round the origin until its `XForm` moves it.
* `minPower` and `maxPower` are in percent, `speed` is in mm/s, `zOffset` in mm; `runBlower` is the air assist. `kerf`
  moves the lines of a layer sideways. Since our lines are moved already, it is 0, and the note names the kerf.
* `VertID` and `PrimID` number these lists. LightBurn takes equal numbers to mean the same list.
* A library lists materials by name, and in each entries with a thickness in mm, -1 for any, a description and a
  `CutSetting` of the type `Cut` for lines or `Scan` for fills. It needs a `DisplayName`, an entry a `NoThickTitle`, and
  a setting a `LinkPath` of the three names. The `kerf` of a library is half the width of the cut.
* `UIPrefs` are the optimisation settings of the project; a value of 1 switches one on.

Not tried in LightBurn itself: tool layer and image layer; both are written as in published projects of other people.
Not known: what LightBurn does with the `Mirror` flags of a machine whose origin is not at the lower left (look
whether letters read rightly); and whether "Optimize Cut Path", which LightBurn keeps beside the project, is on. The
project states the order it wants, and in its note its size and the recipe, a line for each layer.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from studio import PROGRAM
from studio.exporting.colour_profiles import LAST_CUT, Layer, profile
from studio.exporting.options import CELLS, LightburnOptions
from studio.exporting.writers.path_segments import DECIMALS, Steps, ready
from studio.exporting.writers.png import INCH
from studio.geometry.art.artwork import Picture
from studio.geometry.planar.drawing import RASTER, TITLES, Drawing, LibraryEntry, Operation, Path, Setting, summary

# The oldest release known to write this format: newer ones read the files of older ones.
_RELEASE = "0.9.24"
# In LightBurn's own order. By layer first, then by priority, and nothing that would turn or reorder the cuts.
_IN_ORDER = {
    "ByLayer": 0, "ByGroup": -1, "ByPriority": 1, "WhichDirection": 0, "InnerToOuter": 0, "ByDirection": 0,
    "ReduceTravel": 0, "HideBacklash": 0, "ReduceDirChanges": 0, "ChooseCorners": 0, "AllowReverse": 0,
    "RemoveOverlaps": 0, "OptimalEntryPoint": 0,
}  # fmt: skip


# The layer of pictures, which no profile uses for lines.
_IMAGE, _IMAGE_NAME = 10, "IMAGE"
_QUOTE = '"'
# Decimals in mm of the place of a picture.
_FINE = 6


def lightburn(drawing: Drawing, options: LightburnOptions) -> bytes:
    """Write the drawing as a LightBurn project; raises StudioError if it has nothing to cut."""
    drawing = ready(drawing)
    known = profile(options.profile)
    used = {chain.operation for chain in drawing.chains}
    # Turned over by the height that is written: by the exact one, lines and page would be rounded apart.
    width, height = (round(side, DECIMALS) for side in (drawing.width, drawing.height))
    note = f"{width:.10g} x {height:.10g} mm."
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<LightBurnProject AppVersion="{_RELEASE}" FormatVersion="1" MaterialHeight="0" MirrorX="False"'
        ' MirrorY="False">',
    ]
    image = drawing.artwork[0] if options.raster and drawing.artwork else None
    told = known.notes(options.recipe, used - {*CELLS} if options.cells else used)
    if image is not None and options.recipe.raster is not None:
        lines_apart = INCH / options.raster_dpi
        told[_IMAGE_NAME] = summary(replace(options.recipe.raster, interval=lines_apart), RASTER)
    if told:
        note += " Speed and power of the layers below are those of your recipe: test them first."
    else:
        note += " Speed and power are LightBurn's defaults: set them for every layer before you cut."
    note += f" Written by {PROGRAM}."
    note = "&#10;".join(
        [note, *(f"{name}: {escape(line, {_QUOTE: '&quot;'})}" for name, line in {**options.remarks, **told}.items())]
    )
    if options.keep_order:
        lines += ["<UIPrefs>", *(f'<Optimize_{name} Value="{value}"/>' for name, value in _IN_ORDER.items())]
        lines.append("</UIPrefs>")
    first = 0 if image is None else 1
    lines += [
        _cut_setting(place, layer, options.recipe.of(layer.operation))
        for place, layer in enumerate(known.every, first)
        if layer.operation in used and not (options.cells and layer.operation in CELLS)
    ]
    if isinstance(image, Picture):
        values = {
            "index": _IMAGE,
            "name": _IMAGE_NAME,
            "priority": 0,
            "interval": f"{INCH / options.raster_dpi:.6g}",
            "dpi": options.raster_dpi,
        }
        inside = _inside(values | worked(options.recipe.raster))
        image_setting = f'<CutSetting_Img type="Image">{inside}</CutSetting_Img>'
        lines += [image_setting, _bitmap(image, height)]
    paths = list(drawing.paths())
    indices = [known.layer(path.operation).cut for path in paths]
    if options.cells:
        worked_paths = [number for number, path in enumerate(paths) if path.operation in CELLS]
        own = _own_layers({known.layer(Operation.ENGRAVE).cut})
        for place, (number, setting) in enumerate(zip(worked_paths, options.cells, strict=True)):
            indices[number] = own[place]
            lines.append(_cell(own[place], place, setting, is_filled=options.are_filled))
    lines += [
        _shape(number, path, index, height) for number, (path, index) in enumerate(zip(paths, indices, strict=True))
    ]
    lines += [f'<Notes ShowOnLoad="1" Notes="{note}"/>', "</LightBurnProject>\n"]
    return "\n".join(lines).encode("ascii", "xmlcharrefreplace")


def _cut_setting(place: int, layer: Layer, setting: Setting | None) -> str:
    is_tool = layer.operation is Operation.MARK
    inside = _inside({"index": layer.cut, "name": layer.name, "priority": place} | worked(None if is_tool else setting))
    return f'<CutSetting type="{"Tool" if is_tool else "Cut"}">{inside}</CutSetting>'


def _own_layers(taken: Collection[int]) -> list[int]:
    """Numbers of layers for the squares of a test card."""
    return [index for index in range(LAST_CUT + 1) if index not in taken]


def _cell(index: int, place: int, setting: Setting, *, is_filled: bool) -> str:
    """Write the layer of a square of a test card, numbered by its place; labels go first."""
    name = f"{place + 1}: {setting.power_max:g} %, {setting.speed:g} mm/s"
    values = {"index": index, "name": name, "priority": len(Operation) + place}
    values |= worked(setting) | ({"interval": f"{setting.interval:.10g}"} if is_filled else {})
    return f'<CutSetting type="{"Scan" if is_filled else "Cut"}">{_inside(values)}</CutSetting>'


def _inside(values: Mapping[str, Any]) -> str:
    return "".join(f'<{name} Value="{value}"/>' for name, value in values.items())


def worked(setting: Setting | None, kerf: float = 0.0) -> dict[str, str]:
    """Return the values of a layer in LightBurn's words; none without a setting. `kerf` is a sideways move in mm."""
    if setting is None:
        return {}
    return {
        "minPower": f"{setting.power_min:.10g}", "maxPower": f"{setting.power_max:.10g}",
        "speed": f"{setting.speed:.10g}", "numPasses": str(setting.passes), "runBlower": str(int(setting.air)),
        "zOffset": f"{setting.focus:.10g}", "kerf": f"{kerf:.10g}",
    }  # fmt: skip


def _bitmap(picture: Picture, height: float) -> str:
    """Write a picture round its middle, packed as it is."""
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


def _shape(number: int, path: Path, index: int, height: float) -> str:
    steps = Steps.from_points(path.points * (1, -1) + (0, height))
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
        f'<Shape Type="Path" CutIndex="{index}" VertID="{number}" PrimID="{number}"><XForm>1 0 0 1 0 0</XForm>'
        f"<VertList>{''.join(vertices)}</VertList><PrimList>{''.join(ways)}</PrimList></Shape>"
    )


def _handle(name: str, line: bool, point: list[float]) -> str:
    x, y = point
    return f"{name}x1" if line else f"{name}x{x:.10g}{name}y{y:.10g}"


# Material libraries


def library(title: str, entries: Sequence[LibraryEntry]) -> bytes:
    """Write a material library with a title; entries of a material that follow each other are listed together."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<LightBurnLibrary DisplayName={quoteattr(title)}>"]
    for material, some in groupby(entries, key=lambda entry: entry.material):
        lines.append(f"    <Material name={quoteattr(material)}>")
        for entry in some:
            lines += _entry(entry)
        lines.append("    </Material>")
    return "\n".join([*lines, "</LightBurnLibrary>\n"]).encode()


def _entry(entry: LibraryEntry) -> list[str]:
    setting, thickness = entry.setting, -1.0 if entry.thickness is None else entry.thickness
    said = f"{TITLES[entry.work]}: {setting.note}" if setting.note else TITLES[entry.work]
    is_raster = entry.work == RASTER
    values = {"index": 0, "name": "", "LinkPath": escape(f"{entry.material}/{said}/{said}", {_QUOTE: "&quot;"})}
    values |= worked(setting, setting.kerf / 2)
    if is_raster:
        values["interval"] = f"{setting.interval:.10g}"
    return [
        f'        <Entry Thickness="{thickness:.4f}" Desc={quoteattr(said)} NoThickTitle={quoteattr(said)}>',
        f'            <CutSetting type="{"Scan" if is_raster else "Cut"}">',
        *(f'                <{name} Value="{value}"/>' for name, value in values.items()),
        '                <priority Value="0"/>',
        "            </CutSetting>",
        "        </Entry>",
    ]
