"""Reads an SVG file back: a page whose unit is the millimetre, a group for each layer, a path for each line."""

from __future__ import annotations

import re
from base64 import b64decode
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np

from studio.base.texts import tr
from studio.exporting.options import ALIGNMENT, SvgOptions, Unreadable
from studio.exporting.readers.found_lines import FoundArea, FoundLayer, FoundLine, FoundPicture, Sheet, unbroken
from studio.geometry.art.artwork import channels
from studio.geometry.curves.strokes import Floats

_SVG = "{http://www.w3.org/2000/svg}"
_LINK = "{http://www.w3.org/1999/xlink}href"
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
# Words have no line ends, so none can pass for a picture.
_PICTURE = re.compile(rb"(\n<image [^\n>]*?;base64,)")
_DATA = re.compile(r"data:(image/(?:png|jpeg));base64,")
# Tolerance in mm between the middle of a picture and the middle of its box, all of them rounded.
_MIDDLE = 2e-4
# Number of points behind a letter of a path.
_POINTS = {"M": 1, "L": 1, "C": 3}
_INKSCAPE = "{http://www.inkscape.org/namespaces/inkscape}"


def read_svg(data: bytes, options: SvgOptions) -> Sheet:
    """Read the sheet in an SVG file, in mm; raises Unreadable for a foreign file."""
    found = _sheet(data, options.svg_unit)
    return found if options.svg_unit == "mm" else _from_pixels(found)


def _from_pixels(sheet: Sheet) -> Sheet:
    """Return a sheet in mm whose numbers are pixels, 72 to an inch."""
    step = 25.4 / 72
    lines = tuple(replace(line, points=step * line.points) for line in sheet.lines)
    artwork = tuple(_scaled(each, step) for each in sheet.artwork or ())
    return Sheet(step * sheet.width, step * sheet.height, lines, artwork)


def _scaled(each: FoundArea | FoundPicture, step: float) -> FoundArea | FoundPicture:
    if isinstance(each, FoundArea):
        return replace(each, points=step * each.points)
    left, top, width, height = (step * side for side in each.box)
    clip = None if each.clip is None else (each.clip[0], step * each.clip[1])
    return replace(each, box=(left, top, width, height), clip=clip)


def _sheet(data: bytes, unit: str) -> Sheet:
    """Read a sheet in the file's unit."""
    text, pictures = without_pictures(data)
    try:
        root = ElementTree.fromstring(text)
        width, height = _stated(root.get("width"), unit), _stated(root.get("height"), unit)
        box = [float(number) for number in root.get("viewBox", "").split()]
    except (ElementTree.ParseError, LookupError, ValueError) as problem:
        raise Unreadable(tr("it is not a valid SVG file ({problem})", problem=problem)) from problem
    if root.tag != f"{_SVG}svg" or box != [0, 0, width, height] or "transform" in root.attrib:
        words = tr("its units are not millimetres") if unit == "mm" else tr("its units are not pixels")
        raise Unreadable(words)
    if unit != "mm" and b"inkscape" in text:
        raise Unreadable(tr("it names Inkscape, so that Cricut takes 96 pixels to an inch"))
    lines: list[FoundLine] = []
    notes: dict[str, str] = {}
    artwork: tuple[FoundArea | FoundPicture, ...] = ()
    for group in root:
        if group.tag == f"{_SVG}desc" and not lines and not artwork:
            notes[ALIGNMENT] = group.text or ""
            continue
        if group.get("id") == "artwork" and not lines and not artwork:
            try:
                artwork = tuple(_artwork(each, pictures) for each in group)
            except (LookupError, ValueError) as problem:
                raise Unreadable(tr("its artwork is not valid ({problem})", problem=problem)) from problem
            continue
        if group.tag != f"{_SVG}g" or "id" not in group.attrib or "transform" in group.attrib:
            raise Unreadable(tr("it has content outside the layers"))
        is_layer = group.get(f"{_INKSCAPE}groupmode") == "layer" and group.get(f"{_INKSCAPE}label")
        if unit == "mm" and not is_layer:
            raise Unreadable(tr("{name} is not a layer", name=group.attrib["id"]))
        described, *paths = group if len(group) and group[0].tag == f"{_SVG}desc" else (None, *group)
        if described is not None:
            notes[group.attrib["id"]] = described.text or ""
        for path in paths:
            if path.tag != f"{_SVG}path" or "transform" in path.attrib or len(path):
                raise Unreadable(tr("a layer contains something other than paths"))
            points, closed = _path(path.get("d", ""))
            # Colour of an unfilled path; a style sheet overrides attributes, so the two must agree.
            style = dict(part.split(":", 1) for part in path.get("style", "").split(";") if ":" in part)
            if any(style.get(name, path.get(name)) != path.get(name) for name in ("fill", "stroke", "stroke-width")):
                raise Unreadable(tr("a line has two looks"))
            if path.get("fill") != "none" or not re.fullmatch("#[0-9A-F]{6}", path.get("stroke", "")):
                raise Unreadable(tr("a line is filled or has no colour"))
            colour = tuple(channel / 255 for channel in channels(path.get("stroke", "")))
            lines.append(FoundLine(FoundLayer(group.attrib["id"], colour), points, closed, curved=True))
    return Sheet(width, height, tuple(lines), artwork, notes)


def without_pictures(data: bytes) -> tuple[bytes, list[bytes]]:
    """Return the text of a file with a number for each picture, and the pictures: XML parsers are slow on long data."""
    text, *rest = _PICTURE.split(data)
    pictures: list[bytes] = []
    for head, part in zip(rest[::2], rest[1::2], strict=True):
        packed, quote, more = part.partition(b'"')
        text += b"%b%d%b%b" % (head, len(pictures), quote, more)
        pictures.append(packed)
    return text, pictures


def _artwork(element: ElementTree.Element, pictures: list[bytes]) -> FoundArea | FoundPicture:
    """Read an area or a picture; raises LookupError or ValueError for anything else."""
    if element.tag != f"{_SVG}path":
        return read_picture(element, pictures)
    if element.attrib.keys() != {"fill", "fill-rule", "d"} or element.attrib["fill-rule"] != "evenodd":
        raise ValueError(tr("an area is not filled alone"))
    fill = tuple(channel / 255 for channel in channels(element.attrib["fill"]))
    return FoundArea(*read_path(element.attrib["d"]), fill)


def read_picture(element: ElementTree.Element, pictures: list[bytes]) -> FoundPicture:
    """Read a picture and its clip."""
    if "clip-path" in element.attrib:
        clip, image = element
        if element.attrib["clip-path"] != f"url(#{clip.attrib['id']})" or clip[0].get("clip-rule") != "evenodd":
            raise ValueError(tr("a picture is not clipped"))
        return replace(read_picture(image, pictures), clip=read_path(clip[0].attrib["d"]))
    known = element.attrib
    left, top, width, height = (float(known[name]) for name in ("x", "y", "width", "height"))
    head = _DATA.match(known[_LINK])
    if element.tag != f"{_SVG}image" or head is None:
        raise ValueError(tr("a picture is missing from the file"))
    box, turn = (left, top, width, height), 0.0
    if "transform" in known:
        turn, *middle = (float(number) for number in _NUMBER.findall(known["transform"]))
        if not np.allclose(middle, (left + width / 2, top + height / 2), atol=_MIDDLE):
            raise ValueError(tr("a picture is turned about another point"))
    return FoundPicture(box, b64decode(pictures[int(known[_LINK][head.end() :])]), turn=turn)


def read_path(data: str) -> tuple[str, Floats]:
    """Return the steps of a path, a letter each, and their points."""
    steps = ""
    for letter, numbers in re.findall(r"([MLCZ])([^MLCZ]*)", data):
        count = len(_NUMBER.findall(numbers)) // 2
        steps += letter if letter == "Z" else letter * (count // _POINTS[letter])
    return steps, np.array([float(number) for number in _NUMBER.findall(data)]).reshape(-1, 2)


def _stated(text: str | None, unit: str) -> float:
    match = re.fullmatch(rf"([0-9.]+){unit[:2]}", text or "")
    if match is None:
        words = tr("its page has no size in millimetres") if unit == "mm" else tr("its page has no size in pixels")
        raise Unreadable(words)
    return float(match[1])


def _path(data: str) -> tuple[Floats, bool]:
    """Return the control points of path data, lines as straight cubics, and whether it is closed."""
    try:
        numbers = np.array(list(map(float, re.sub("[A-Za-z]", " ", data).split())))
    except ValueError as problem:
        raise Unreadable(tr("a path has an unknown command or number")) from problem
    return unbroken(re.findall("[A-Za-z]", data), numbers)
