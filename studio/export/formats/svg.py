"""Writes a drawing as SVG: one unit is one millimetre, one path is one stroke of the laser.

The file keeps to what every importer reads: no transforms, absolute M, C, L and Z only, Z on closed paths only.
"""

from __future__ import annotations

import re
from itertools import groupby
from xml.etree import ElementTree

import numpy as np

from studio import PROGRAM
from studio.export.format import Format, Unreadable
from studio.export.formats.leaflet_svg import drawn_artwork
from studio.export.formats.leaflet_svg_reading import read_artwork, without_pictures
from studio.export.options import LaserOptions
from studio.export.paper import FoundMark
from studio.export.profiles import Profile, profile
from studio.export.proof import prove_curves
from studio.export.reading import ARTWORK, FoundLine, Sheet, unbroken
from studio.export.ready import ready
from studio.export.steps import DECIMALS, ROUNDING, Steps
from studio.geometry.curves import Floats
from studio.geometry.drawing import Drawing, Operation, Path
from studio.paper.leaflet import as_marks
from studio.texts import tr

_LINKS = ' xmlns:xlink="http://www.w3.org/1999/xlink"'
_SVG = "{http://www.w3.org/2000/svg}"


def svg(drawing: Drawing, options: LaserOptions) -> bytes:
    """The drawing as SVG 1.1; raises StudioError where it has nothing to cut."""
    drawing = ready(drawing)
    known = profile(options.profile)
    width, height = (f"{round(side, DECIMALS):.10g}" for side in (drawing.width, drawing.height))
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<!-- {PROGRAM} -->",
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"'
        f'{_LINKS if drawing.artwork else ""} version="1.1" width="{width}mm" height="{height}mm"'
        f' viewBox="0 0 {width} {height}">',
    ]
    if drawing.artwork:
        lines.append(f'<g inkscape:groupmode="layer" inkscape:label="0 {ARTWORK}" id="{ARTWORK}">')
        lines += [*map(drawn_artwork, as_marks(drawing.artwork)), "</g>"]
    for operation, paths in groupby(drawing.paths(), key=lambda path: path.operation):
        lines += _layer(known, operation, list(paths))
    lines.append("</svg>\n")
    return "\n".join(lines).encode("ascii")


def _layer(known: Profile, operation: Operation, paths: list[Path]) -> list[str]:
    layer = known.layer(operation)
    label = f"{known.every.index(layer) + 1} {operation.value}"
    width = f"{known.stroke_width:.10g}"
    head = (
        f'<path fill="none" stroke="{layer.colour}" stroke-width="{width}"'
        f' style="fill:none;stroke:{layer.colour};stroke-width:{width}" d="'
    )
    lines = [f'<g inkscape:groupmode="layer" inkscape:label="{label}" id="{layer.name}">']
    lines += [f'{head}{_data(path)}"/>' for path in paths]
    return [*lines, "</g>"]


def _data(path: Path) -> str:
    steps = Steps.of(path.points)
    start = "M{:.10g} {:.10g}".format(*steps.start.tolist())
    drawn = steps.spelled("L{:.10g} {:.10g}", "C{:.10g} {:.10g} {:.10g} {:.10g} {:.10g} {:.10g}")
    return start + "".join(drawn) + ("Z" if path.closed else "")


def read_svg(data: bytes, options: LaserOptions) -> Sheet:
    """The sheet in an SVG file; raises Unreadable where it is not one of ours."""
    text, pictures = without_pictures(data)
    try:
        root = ElementTree.fromstring(text)
        width, height = _millimetres(root.get("width")), _millimetres(root.get("height"))
        box = [float(number) for number in root.get("viewBox", "").split()]
    except (ElementTree.ParseError, ValueError) as problem:
        raise Unreadable(tr("it is not a valid SVG file ({problem})", problem=problem)) from problem
    if root.tag != f"{_SVG}svg" or box != [0, 0, width, height] or "transform" in root.attrib:
        raise Unreadable(tr("its units are not millimetres"))
    layers = {layer.name: layer for layer in profile(options.profile).every}
    lines: list[FoundLine] = []
    artwork: tuple[FoundMark, ...] = ()
    for group in root:
        if group.get("id") == ARTWORK and not lines and not artwork:
            artwork = read_artwork(group, pictures)
            continue
        layer = layers.get(group.get("id", ""))
        if group.tag != f"{_SVG}g" or layer is None or "transform" in group.attrib:
            raise Unreadable(tr("it has content outside the layers"))
        for path in group:
            if path.tag != f"{_SVG}path" or "transform" in path.attrib or len(path):
                raise Unreadable(tr("a layer contains something other than paths"))
            if path.get("fill") != "none" or path.get("stroke") != layer.colour:
                raise Unreadable(tr("a line does not have the colour of layer {name}", name=layer.name))
            points, closed = _path(path.get("d", ""))
            lines.append(FoundLine(layer.operation, points, closed, curved=True))
    return Sheet(width, height, tuple(lines), artwork)


def _millimetres(text: str | None) -> float:
    match = re.fullmatch(r"([0-9.]+)mm", text or "")
    if match is None:
        raise Unreadable(tr("its page has no size in millimetres"))
    return float(match[1])


def _path(data: str) -> tuple[Floats, bool]:
    """The control points of path data, lines as straight cubics, and whether it is closed."""
    try:
        numbers = np.array(list(map(float, re.sub("[A-Za-z]", " ", data).split())))
    except ValueError as problem:
        raise Unreadable(tr("a path has an unknown command or number")) from problem
    return unbroken(re.findall("[A-Za-z]", data), numbers)


SVG = Format(
    ".svg",
    tr("SVG (laser and drawing software)"),
    tr("laser and drawing software; exact curves"),
    LaserOptions,
    ROUNDING,
    svg,
    read_svg,
    prove_curves,
)
