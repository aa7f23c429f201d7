"""Reads an SVG file back: a page whose unit is the millimetre, a group for each layer, a path for each line."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np

from studio.base.colours import channels
from studio.base.texts import tr
from studio.export.format import Unreadable
from studio.export.options import LaserOptions
from studio.export.paper import FoundMark
from studio.export.readers.leaflet_svg import read_artwork, without_pictures
from studio.export.readers.reading import FoundLayer, FoundLine, Sheet, unbroken
from studio.geometry.curves.strokes import Floats

_SVG = "{http://www.w3.org/2000/svg}"
_INKSCAPE = "{http://www.inkscape.org/namespaces/inkscape}"


def read_svg(data: bytes, _options: LaserOptions) -> Sheet:
    """Read the sheet in an SVG file; raises Unreadable for a foreign file."""
    text, pictures = without_pictures(data)
    try:
        root = ElementTree.fromstring(text)
        width, height = _millimetres(root.get("width")), _millimetres(root.get("height"))
        box = [float(number) for number in root.get("viewBox", "").split()]
    except (ElementTree.ParseError, LookupError, ValueError) as problem:
        raise Unreadable(tr("it is not a valid SVG file ({problem})", problem=problem)) from problem
    if root.tag != f"{_SVG}svg" or box != [0, 0, width, height] or "transform" in root.attrib:
        raise Unreadable(tr("its units are not millimetres"))
    lines: list[FoundLine] = []
    artwork: tuple[FoundMark, ...] = ()
    for group in root:
        if group.get("id") == "artwork" and not lines and not artwork:
            artwork = read_artwork(group, pictures)
            continue
        if group.tag != f"{_SVG}g" or "id" not in group.attrib or "transform" in group.attrib:
            raise Unreadable(tr("it has content outside the layers"))
        if group.get(f"{_INKSCAPE}groupmode") != "layer" or not group.get(f"{_INKSCAPE}label"):
            raise Unreadable(tr("{name} is not a layer", name=group.attrib["id"]))
        for path in group:
            if path.tag != f"{_SVG}path" or "transform" in path.attrib or len(path):
                raise Unreadable(tr("a layer contains something other than paths"))
            points, closed = _path(path.get("d", ""))
            lines.append(FoundLine(FoundLayer(group.attrib["id"], _colour(path)), points, closed, curved=True))
    return Sheet(width, height, tuple(lines), artwork)


def _colour(path: ElementTree.Element) -> tuple[float, ...]:
    """Return the colour of an unfilled path; a style sheet overrides attributes, so the two must agree."""
    style = dict(part.split(":", 1) for part in path.get("style", "").split(";") if ":" in part)
    if any(style.get(name, path.get(name)) != path.get(name) for name in ("fill", "stroke", "stroke-width")):
        raise Unreadable(tr("a line has two looks"))
    if path.get("fill") != "none" or not re.fullmatch("#[0-9A-F]{6}", path.get("stroke", "")):
        raise Unreadable(tr("a line is filled or has no colour"))
    return tuple(channel / 255 for channel in channels(path.get("stroke", "")))


def _millimetres(text: str | None) -> float:
    match = re.fullmatch(r"([0-9.]+)mm", text or "")
    if match is None:
        raise Unreadable(tr("its page has no size in millimetres"))
    return float(match[1])


def _path(data: str) -> tuple[Floats, bool]:
    """Return the control points of path data, lines as straight cubics, and whether it is closed."""
    try:
        numbers = np.array(list(map(float, re.sub("[A-Za-z]", " ", data).split())))
    except ValueError as problem:
        raise Unreadable(tr("a path has an unknown command or number")) from problem
    return unbroken(re.findall("[A-Za-z]", data), numbers)
