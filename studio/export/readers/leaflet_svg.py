"""Reads a page of a leaflet back from SVG: every path, every word with the places of its outlines, every picture."""

from __future__ import annotations

import re
from base64 import b64decode
from dataclasses import replace
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import numpy as np

from studio.base.colours import channels
from studio.base.texts import tr
from studio.export.format import Unreadable
from studio.export.paper import (
    FoundMark,
    FoundPage,
    FoundPath,
    FoundPicture,
    FoundWords,
    LeafletOptions,
    Outline,
    Shade,
)
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


def read_leaflet_svg(data: bytes, _options: LeafletOptions) -> list[FoundPage]:
    """Read the page in an SVG file; raises Unreadable for a foreign file."""
    text, pictures = without_pictures(data)
    try:
        root = ElementTree.fromstring(text)
        width, height = (float(root.attrib[name].removesuffix("mm")) for name in ("width", "height"))
        if [float(number) for number in root.attrib["viewBox"].split()] != [0, 0, width, height]:
            raise Unreadable(tr("its units are not millimetres"))
        drawn = {path.attrib["id"]: _outline(path.attrib["d"]) for path in root.iterfind(f"{_SVG}defs/{_SVG}path")}
        groups = tuple(
            (group.attrib["id"], tuple(_mark(each, drawn, pictures) for each in group))
            for group in root.iterfind(f"{_SVG}g")
        )
    except (ElementTree.ParseError, LookupError, ValueError) as problem:
        raise Unreadable(tr("it is not a valid SVG file ({problem})", problem=problem)) from problem
    return [FoundPage(width, height, groups)]


def without_pictures(data: bytes) -> tuple[bytes, list[bytes]]:
    """Return the text of a file with a number for each picture, and the pictures: XML parsers are slow on long data."""
    text, *rest = _PICTURE.split(data)
    pictures: list[bytes] = []
    for head, part in zip(rest[::2], rest[1::2], strict=True):
        packed, quote, more = part.partition(b'"')
        text += b"%b%d%b%b" % (head, len(pictures), quote, more)
        pictures.append(packed)
    return text, pictures


def read_artwork(group: Element, pictures: list[bytes]) -> tuple[FoundMark, ...]:
    """Read the areas and pictures in a group; raises Unreadable if it holds anything else."""
    try:
        return tuple(_mark(each, {}, pictures) for each in group)
    except (LookupError, ValueError) as problem:
        raise Unreadable(tr("its artwork is not valid ({problem})", problem=problem)) from problem


def _mark(element: Element, drawn: dict[str, Outline], pictures: list[bytes]) -> FoundMark:
    known = element.attrib
    match element.tag.removeprefix(_SVG):
        case "path":
            steps, points = _path(known["d"])
            dashes = tuple(map(float, known.get("stroke-dasharray", "").split()))
            fill, line = _shade(known["fill"]), _shade(known.get("stroke", "none"))
            return FoundPath(steps, points, fill, line, float(known.get("stroke-width", "0")), dashes)
        case "g" if "clip-path" in known:
            clip, image = element
            found = _picture(image, pictures)
            if known["clip-path"] != f"url(#{clip.attrib['id']})" or clip[0].get("clip-rule") != "evenodd":
                raise ValueError(tr("a picture is not clipped"))
            return replace(found, clip=_path(clip[0].attrib["d"]))
        case "g":
            return _words(element, drawn)
        case "image":
            return _picture(element, pictures)
        case tag:
            raise ValueError(tr("it contains an unexpected {tag}", tag=tag))


def _picture(element: Element, pictures: list[bytes]) -> FoundPicture:
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


def _words(group: Element, drawn: dict[str, Outline]) -> FoundWords:
    """Read words: their label, and their glyphs."""
    if any(use.tag != f"{_SVG}use" or use.attrib[_LINK].removeprefix("#") not in drawn for use in group):
        raise ValueError(tr("a text has no outline"))
    outlines = tuple(drawn[use.attrib[_LINK].removeprefix("#")] for use in group)
    matrix = np.array([float(number) for number in _NUMBER.findall(group.attrib["transform"])]).reshape(3, 2)
    places = np.array([float(use.attrib["x"]) for use in group])
    feet = matrix[2] + places[:, None] * matrix[0]
    return FoundWords(group.attrib["aria-label"], feet, 1000 * matrix[:2], _shade(group.attrib["fill"]), outlines)


def _outline(data: str) -> Outline:
    """Return the steps of the outline of a letter, and their numbers."""
    return "".join(re.findall("[A-Za-z]", data)), tuple(float(number) for number in _NUMBER.findall(data))


def _path(data: str) -> tuple[str, Floats]:
    """Return the steps of a path, a letter each, and their points."""
    steps = ""
    for letter, numbers in re.findall(r"([MLCZ])([^MLCZ]*)", data):
        count = len(_NUMBER.findall(numbers)) // 2
        steps += letter if letter == "Z" else letter * (count // _POINTS[letter])
    return steps, np.array([float(number) for number in _NUMBER.findall(data)]).reshape(-1, 2)


def _shade(colour: str) -> Shade:
    return () if colour == "none" else tuple(channel / 255 for channel in channels(colour))
