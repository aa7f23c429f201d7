"""Writes a page of a leaflet as SVG, and reads it back; the same page gives the same bytes."""

from __future__ import annotations

from typing import assert_never
from xml.etree import ElementTree

from studio.export.format import Format, Unreadable
from studio.export.paper import EXACT, FoundPage, LeafletOptions, number, pairs, printable, prove_pages
from studio.paper.leaflet import PLAIN, Anchor, Area, Leaflet, Line, Mark, Words

_SVG = "http://www.w3.org/2000/svg"
_FAMILY = "Helvetica, Arial, sans-serif"


def leaflet_svg(leaflet: Leaflet, _options: LeafletOptions) -> bytes:
    """The one page of a leaflet as SVG."""
    from xml.sax.saxutils import escape, quoteattr

    (page,) = leaflet.pages
    width, height = number(page.width), number(page.height)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="{_SVG}" version="1.1" width="{width}mm" height="{height}mm" viewBox="0 0 {width} {height}"'
        ' stroke-linejoin="round" stroke-linecap="round">',
        f"<title>{escape(printable(leaflet.title))}</title>",
        f'<rect width="{width}" height="{height}" fill="#FFFFFF"/>',
    ]
    for group in page.groups:
        lines.append(f"<g id={quoteattr(group.name)}>")
        lines += [_drawn_svg(mark) for mark in group.marks]
        lines.append("</g>")
    return "\n".join([*lines, "</svg>\n"]).encode("ascii", "xmlcharrefreplace")


def _drawn_svg(mark: Mark) -> str:
    from xml.sax.saxutils import escape

    match mark:
        case Area():
            line = f' stroke="{mark.line}" stroke-width="{number(mark.width)}"' if mark.line else ""
            data = " ".join(f"M{' L'.join(pairs(loop))}Z" for loop in mark.loops)
            return f'<path fill="{mark.fill}" fill-rule="evenodd"{line} d="{data}"/>'
        case Line():
            dashes = f' stroke-dasharray="{" ".join(map(number, mark.dashes))}"' if mark.dashes else ""
            data = f"M{' L'.join(pairs(mark.points))}{'Z' if mark.closed else ''}"
            return f'<path fill="none" stroke="{mark.colour}" stroke-width="{number(mark.width)}"{dashes} d="{data}"/>'
        case Words():
            x, y = map(number, mark.place)
            place = f'x="{x}" y="{y}"'
            if mark.turn != PLAIN:
                place = f'transform="matrix({" ".join(map(number, mark.turn))} {x} {y})"'
            weight = ' font-weight="bold"' if mark.bold else ""
            anchor = "" if mark.anchor is Anchor.START else f' text-anchor="{mark.anchor.value}"'
            return (
                f'<text {place} font-family="{_FAMILY}" font-size="{number(mark.size)}"{weight}{anchor}'
                f' fill="{mark.colour}">{escape(printable(mark.text))}</text>'
            )
        case _:
            assert_never(mark)


def _read_svg(data: bytes, _options: LeafletOptions) -> list[FoundPage]:
    try:
        root = ElementTree.fromstring(data)
    except ElementTree.ParseError as problem:
        raise Unreadable(f"it is no SVG ({problem})") from problem
    width, height = (float(root.attrib[name].removesuffix("mm")) for name in ("width", "height"))
    return [FoundPage(width, height, tuple(group.attrib["id"] for group in root.iter(f"{{{_SVG}}}g")))]


LEAFLET_SVG = Format(
    ".svg", "SVG", "a drawing for each page", LeafletOptions, EXACT, leaflet_svg, _read_svg, prove_pages
)
