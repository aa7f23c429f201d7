"""Writes a leaflet as PDF, all its pages in one file, and reads it back; the same leaflet gives the same bytes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import assert_never

from studio.errors import StudioError
from studio.export.format import Format
from studio.export.paper import EXACT, FoundPage, LeafletOptions, number, pairs, printable, prove_pages
from studio.export.pdf import POINTS, parts, printed, shares
from studio.geometry.curves import Floats
from studio.paper.leaflet import Anchor, Area, Leaflet, Line, Mark, Page, Words, width_of


def leaflet_pdf(leaflet: Leaflet, _options: LeafletOptions) -> bytes:
    """The leaflet as PDF; raises StudioError for letters that PDF's own font lacks."""
    pages = [(page.width, page.height, _contents(page)) for page in leaflet.pages]
    return printed(pages, printable(leaflet.title))


def _contents(page: Page) -> Iterator[str]:
    yield "1 J 1 j"
    for group in page.groups:
        yield f"/{group.name} BMC"
        for mark in group.marks:
            yield from _drawn_pdf(mark)
        yield "EMC"


def _drawn_pdf(mark: Mark) -> Iterator[str]:
    match mark:
        case Area():
            yield f"{shares(mark.fill)} rg"
            if mark.line:
                yield f"{shares(mark.line)} RG {number(mark.width)} w"
            yield " ".join(f"{_path(loop)} h" for loop in mark.loops) + (" B*" if mark.line else " f*")
        case Line():
            yield f"{shares(mark.colour)} RG {number(mark.width)} w [{' '.join(map(number, mark.dashes))}] 0 d"
            yield _path(mark.points) + (" h S" if mark.closed else " S")
            if mark.dashes:
                yield "[] 0 d"
        case Words():
            yield _set(mark)
        case _:
            assert_never(mark)


def _set(words: Words) -> str:
    back = {Anchor.START: 0.0, Anchor.MIDDLE: 0.5, Anchor.END: 1.0}[words.anchor]
    shift = back * width_of(words.text, words.size, bold=words.bold)
    a, b, c, d = words.turn
    x, y = words.place[0] - shift * a, words.place[1] - shift * b
    # Letters stand upwards, and here y grows downwards.
    matrix = " ".join(map(number, (a, b, -c, -d, x, y)))
    font = "F2" if words.bold else "F1"
    return f"BT {shares(words.colour)} rg /{font} {number(words.size)} Tf {matrix} Tm <{_coded(words.text)}> Tj ET"


def _coded(text: str) -> str:
    """The text in the code of Windows' western letters, which is all that PDF's own fonts have."""
    try:
        return printable(text).encode("cp1252").hex().upper()
    except UnicodeEncodeError as problem:
        letter = printable(text)[problem.start]
        raise StudioError(
            f"A PDF's own letters have no {letter}; write an SVG, or give the file another name."
        ) from problem


def _path(points: Floats) -> str:
    first, *rest = (pair.replace(",", " ") for pair in pairs(points))
    return " ".join([f"{first} m", *(f"{pair} l" for pair in rest)])


def _read_pdf(data: bytes, _options: LeafletOptions) -> list[FoundPage]:
    found = []
    for part in parts(data):
        left, top, right, bottom = part.box
        groups = re.findall(rb"^/(\S+) BMC$", part.content, flags=re.MULTILINE)
        names = tuple(name.decode("ascii") for name in groups)
        found.append(FoundPage((right - left) / POINTS, (bottom - top) / POINTS, names))
    return found


LEAFLET_PDF = Format(
    ".pdf", "PDF", "all pages in one file", LeafletOptions, EXACT, leaflet_pdf, _read_pdf, prove_pages, is_book=True
)
