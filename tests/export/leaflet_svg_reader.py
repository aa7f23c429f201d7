"""Reads a page of a leaflet back from SVG: every path, every word with the places of its outlines, every picture."""

from __future__ import annotations

import re
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import numpy as np

from studio.exporting.options import LeafletOptions, Unreadable
from studio.exporting.readers.svg import read_path, read_picture, without_pictures
from studio.geometry.art.artwork import channels
from tests.export.leaflet_proof import FoundMark, FoundPage, FoundPath, FoundWords, Outline, Shade

_SVG = "{http://www.w3.org/2000/svg}"
_LINK = "{http://www.w3.org/1999/xlink}href"
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")


def read_leaflet_svg(data: bytes, _options: LeafletOptions) -> list[FoundPage]:
    """Read the page in an SVG file; raises Unreadable for a foreign file."""
    text, pictures = without_pictures(data)
    try:
        root = ElementTree.fromstring(text)
        width, height = (float(root.attrib[name].removesuffix("mm")) for name in ("width", "height"))
        if [float(number) for number in root.attrib["viewBox"].split()] != [0, 0, width, height]:
            raise Unreadable("its units are not millimetres")
        drawn = {path.attrib["id"]: _outline(path.attrib["d"]) for path in root.iterfind(f"{_SVG}defs/{_SVG}path")}
        groups = tuple(
            (group.attrib["id"], tuple(_mark(each, drawn, pictures) for each in group))
            for group in root.iterfind(f"{_SVG}g")
        )
    except (ElementTree.ParseError, LookupError, ValueError) as problem:
        raise Unreadable(f"it is not a valid SVG file ({problem})") from problem
    return [FoundPage(width, height, groups)]


def _mark(element: Element, drawn: dict[str, Outline], pictures: list[bytes]) -> FoundMark:
    known = element.attrib
    match element.tag.removeprefix(_SVG):
        case "path":
            steps, points = read_path(known["d"])
            dashes = tuple(map(float, known.get("stroke-dasharray", "").split()))
            fill, line = _shade(known["fill"]), _shade(known.get("stroke", "none"))
            return FoundPath(steps, points, fill, line, float(known.get("stroke-width", "0")), dashes)
        case "g" if "clip-path" not in known:
            return _words(element, drawn)
        case _:
            return read_picture(element, pictures)


def _words(group: Element, drawn: dict[str, Outline]) -> FoundWords:
    """Read words: their label, and their glyphs."""
    if any(use.tag != f"{_SVG}use" or use.attrib[_LINK].removeprefix("#") not in drawn for use in group):
        raise ValueError("a text has no outline")
    outlines = tuple(drawn[use.attrib[_LINK].removeprefix("#")] for use in group)
    matrix = np.array([float(number) for number in _NUMBER.findall(group.attrib["transform"])]).reshape(3, 2)
    places = np.array([float(use.attrib["x"]) for use in group])
    feet = matrix[2] + places[:, None] * matrix[0]
    return FoundWords(group.attrib["aria-label"], feet, 1000 * matrix[:2], _shade(group.attrib["fill"]), outlines)


def _outline(data: str) -> Outline:
    """Return the steps of the outline of a letter, and their numbers."""
    return "".join(re.findall("[A-Za-z]", data)), tuple(float(number) for number in _NUMBER.findall(data))


def _shade(colour: str) -> Shade:
    return () if colour == "none" else tuple(channel / 255 for channel in channels(colour))
