"""PDF files taken apart by pypdf: their pages with contents, layers, fonts and pictures."""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.export.format import Unreadable
from studio.export.paper import Outline
from studio.paper.fonts import Command, outlines_in

POINTS = 72 / 25.4
"""Points in a millimetre: user space has 72 units to the inch (ISO 32000-1, 8.3.2.3)."""
# The predictor of lines packed as in a PNG (ISO 32000-1, table 8).
_PNG_LINES = 15
# Bytes of a row of a cross-reference table (ISO 32000-1, 7.5.4).
_ROW = 20


@dataclass(frozen=True)
class PdfFont:
    """A font embedded in a file: by code the letter, its advance in thousandths of the size, and its outline."""

    letters: dict[int, str]
    widths: dict[int, float]
    outlines: dict[int, Outline]


@dataclass(frozen=True)
class PdfPicture:
    """A picture embedded in a file: its bytes, and its mask's.

    `lines` are columns, rows, bits of a number and numbers of a pixel if the bytes are packed lines of a PNG.
    """

    data: bytes
    mask: bytes = b""
    lines: tuple[int, ...] = ()


@dataclass(frozen=True)
class PdfContent:
    """A page or a form from pypdf: its box in the unit of the file, its content, and its resources."""

    box: tuple[float, ...]
    content: bytes
    layers: dict[str, str]
    forms: dict[str, PdfContent]
    fonts: dict[str, PdfFont]
    pictures: dict[str, PdfPicture]


def read_pages(data: bytes) -> list[PdfContent]:
    """Read the pages of a PDF file with pypdf; raises Unreadable if they are broken."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    # pypdf accepts a file without its end.
    if not data.rstrip().endswith(b"%%EOF"):
        raise Unreadable(tr("it is truncated"))
    try:
        _refuse_wrong_table(data)
        reader = PdfReader(io.BytesIO(data), strict=True)
        _refuse_unseen_layers(reader)
        return [_content(page, "/MediaBox") for page in reader.pages]
    except (
        StudioError,
        PyPdfError,
        ArithmeticError,
        AttributeError,
        LookupError,
        TypeError,
        ValueError,
        zlib.error,
    ) as problem:
        raise Unreadable(tr("it is not a valid PDF ({problem})", problem=problem)) from problem


def _refuse_wrong_table(data: bytes) -> None:
    """Raise ValueError if the cross-reference table misplaces an object, which pypdf then searches for."""
    start = re.compile(rb"startxref\s+(\d+)").match(data, data.rindex(b"startxref"))
    table = start and re.compile(rb"xref\s+0 (\d+)\s+").match(data, int(start[1]))
    if not table:
        raise ValueError(tr("its cross-reference table is missing"))
    for number in range(int(table[1])):
        at = table.end() + number * _ROW
        offset, generation, kind = data[at : at + _ROW].split()
        if kind == b"n" and not data.startswith(b"%d %d obj" % (number, int(generation)), int(offset)):
            raise ValueError(tr("its cross-reference table misplaces object {number}", number=number))


def _refuse_unseen_layers(reader: Any) -> None:
    """Raise ValueError for a layer of a page that programs do not list, or hide at first."""
    known = reader.root_object.get("/OCProperties")
    listed: set[int] = set()
    if known is not None:
        shown = known.get_object()["/D"].get_object()
        if shown.get("/BaseState", "/ON") == "/ON":
            listed = {each.idnum for each in known.get_object()["/OCGs"]} - {
                each.idnum for each in shown.get("/OFF", [])
            }
    for page in reader.pages:
        if {group.idnum for group in page["/Resources"].get_object().get("/Properties", {}).values()} - listed:
            raise ValueError(tr("a layer is off or not listed"))


def _content(thing: Any, box: str) -> PdfContent:
    content = thing.get("/Contents", thing).get_object().get_data()
    named = thing["/Resources"].get_object()
    layers = {name[1:]: str(group.get_object()["/Name"]) for name, group in named.get("/Properties", {}).items()}
    shown = {name[1:]: each.get_object() for name, each in named.get("/XObject", {}).items()}
    forms = {name: _content(each, "/BBox") for name, each in shown.items() if each["/Subtype"] == "/Form"}
    pictures = {name: _picture(each) for name, each in shown.items() if each["/Subtype"] == "/Image"}
    fonts = {name[1:]: _font(font.get_object()) for name, font in named.get("/Font", {}).items()}
    return PdfContent(tuple(float(side) for side in thing[box]), content, layers, forms, fonts, pictures)


def _font(font: Any) -> PdfFont:
    """Read a font whose letters are embedded in the file."""
    table = font["/ToUnicode"].get_object().get_data().partition(b"endcodespacerange")[2]
    letters = {
        int(code, 16): bytes.fromhex(letter.decode("ascii")).decode("utf-16-be")
        for code, letter in re.findall(rb"<([0-9A-F]{4})> <([0-9A-F]+)>", table)
    }
    (descendant,) = (each.get_object() for each in font["/DescendantFonts"])
    drawn = outlines_in(descendant["/FontDescriptor"].get_object()["/FontFile2"].get_object().get_data())
    table = descendant["/CIDToGIDMap"].get_object().get_data()
    numbers = [int.from_bytes(table[at : at + 2]) for at in range(0, len(table), 2)]
    outlines = {code: _outline(drawn[numbers[code]]) for code in letters}
    first, widths = descendant["/W"]
    return PdfFont(letters, {code: float(width) for code, width in enumerate(widths, int(first))}, outlines)


def _outline(steps: Sequence[Command]) -> Outline:
    return "".join(step for step, _numbers in steps), tuple(chain(*(numbers for _step, numbers in steps)))


def _picture(image: Any) -> PdfPicture:
    """Read a picture as it is packed; a packing that only PDF knows is unpacked."""
    columns, rows, depth = (int(image[name]) for name in ("/Width", "/Height", "/BitsPerComponent"))
    mask = image["/SMask"].get_object().get_data() if "/SMask" in image else b""
    if image["/Filter"] != "/FlateDecode":
        return PdfPicture(image._data, mask)
    numbers = 3 if image["/ColorSpace"] == "/DeviceRGB" else 1
    if "/DecodeParms" in image:
        stated = [
            int(image["/DecodeParms"][name]) for name in ("/Columns", "/BitsPerComponent", "/Colors", "/Predictor")
        ]
        if stated != [columns, depth, numbers, _PNG_LINES]:
            raise ValueError(tr("a picture is encoded differently than declared"))
        return PdfPicture(image._data, mask, (columns, rows, depth, numbers))
    data = zlib.decompress(image._data)
    if len(data) != rows * columns * numbers or len(mask) not in (0, columns * rows):
        raise ValueError(tr("a picture is truncated"))
    return PdfPicture(data, mask)
