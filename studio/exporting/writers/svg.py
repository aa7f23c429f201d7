"""Writes drawings, and pages of leaflets, as SVG.

Of a drawing, one unit is one millimetre and one path is one stroke of the laser. The file uses only what every importer
reads: no transforms, absolute M, C, L and Z only, Z on closed paths only. Words of leaflets are outlines of their
fonts, so that every program draws them alike, with the words as labels for screen readers and for a search in the file.
The same page gives the same bytes.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from itertools import groupby
from typing import assert_never

from studio import PROGRAM
from studio.base.units import MM_PER_INCH
from studio.exporting.colour_profiles import THICKEST, Profile, profile
from studio.exporting.options import LeafletOptions, SvgOptions
from studio.exporting.writers.path_segments import DECIMALS, Steps, number, pairs, ready
from studio.geometry.art import artwork_transform
from studio.geometry.art.artwork import Clip, Picture
from studio.geometry.curves.strokes import Curves, Floats
from studio.geometry.planar.drawing import Drawing, Operation, Path
from studio.paper.fonts import EM, Font, spelled, typeset
from studio.paper.leaflet import SHIFTS, Area, Leaflet, Line, Mark, Words, as_marks

SVG = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
_LINKS = ' xmlns:xlink="http://www.w3.org/1999/xlink"'
_INKSCAPE = ' xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"'
"""Left out of files in pixels: Cricut takes 96 pixels to an inch where it finds Inkscape's name."""
_ARTWORK = "artwork"
PIXELS = 72 / MM_PER_INCH
"""Pixels to a mm for Silhouette and Cricut."""


def leaflet_svg(leaflet: Leaflet, _options: LeafletOptions) -> bytes:
    """Write the one page of a leaflet as SVG."""
    from xml.sax.saxutils import escape, quoteattr

    (page,) = leaflet.pages
    width, height = number(page.width), number(page.height)
    glyphs = _Glyphs()
    groups = []
    for group in page.groups:
        groups.append(f"<g id={quoteattr(group.name)}>")
        groups += [_drawn(mark, glyphs) for mark in group.marks]
        groups.append("</g>")
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<!-- {PROGRAM} -->",
        f'<svg {SVG} version="1.1" width="{width}mm" height="{height}mm" viewBox="0 0 {width} {height}"'
        ' stroke-linejoin="round" stroke-linecap="round">',
        f"<title>{escape(spelled(leaflet.title))}</title>",
        *glyphs.defined(),
        f'<rect width="{width}" height="{height}" fill="#FFFFFF"/>',
        *groups,
    ]
    # A picture's line can be long, and is ASCII already.
    return b"\n".join(
        line.encode() if line.isascii() else line.encode("ascii", "xmlcharrefreplace") for line in [*lines, "</svg>\n"]
    )


class _Glyphs:
    """The glyphs used on a page, each drawn once, and their names."""

    def __init__(self) -> None:
        self._names: dict[tuple[Font, str], str] = {}
        self._lines: list[str] = []

    def name(self, font: Font, glyph: str) -> str:
        """Return the name of a glyph; it is drawn on first use."""
        if (font, glyph) not in self._names:
            name = self._names[font, glyph] = f"glyph-{len(self._names) + 1}"
            steps = font.outline(glyph)
            data = "".join(f"{letter}{' '.join(map(_tenths, numbers))}" for letter, numbers in steps)
            self._lines.append(f'<path id="{name}" d="{data}"/>')
        return self._names[font, glyph]

    def defined(self) -> list[str]:
        """Return the drawings of the glyphs."""
        return ["<defs>", *self._lines, "</defs>"] if self._lines else []


def _drawn(mark: Mark, glyphs: _Glyphs) -> str:
    match mark:
        case Area() | Picture():
            return drawn_artwork(mark)
        case Line():
            dashes = f' stroke-dasharray="{" ".join(map(number, mark.dashes))}"' if mark.dashes else ""
            data = f"{path_data(mark.points, curved=mark.curved)}{'Z' if mark.closed else ''}"
            return f'<path fill="none" stroke="{mark.colour}" stroke-width="{number(mark.width)}"{dashes} d="{data}"/>'
        case Words():
            return _set(mark, glyphs)
        case _:
            assert_never(mark)


def drawn_artwork(mark: Area | Picture) -> str:
    """Write an area as a path, a picture as an image with its bytes embedded."""
    if isinstance(mark, Area):
        line = f' stroke="{mark.line}" stroke-width="{number(mark.width)}"' if mark.line else ""
        data = " ".join(f"{path_data(ring)}Z" for ring in mark.rings)
        return f'<path fill="{mark.fill}" fill-rule="evenodd"{line} d="{data}"/>'
    left, top, width, height = map(number, mark.box)
    turn = f' transform="rotate({" ".join(map(number, (mark.turn, *mark.middle)))})"' if mark.turn else ""
    image = (
        f'<image x="{left}" y="{top}" width="{width}" height="{height}" preserveAspectRatio="none"{turn}'
        f' xlink:href="data:{mark.media};base64,{b64encode(mark.data).decode("ascii")}"/>'
    )
    return image if mark.clip is None else clipped(image, mark.clip)


def clipped(image: str, clip: Clip) -> str:
    """Clip an image to a part of it, in a group; the clip is named after its outline."""
    data = " ".join(f"{path_data(ring)}Z" for ring in clip.rings)
    name = f"clip-{sha256(data.encode()).hexdigest()[:12]}"
    return (
        f'<g clip-path="url(#{name})"><clipPath id="{name}"><path clip-rule="evenodd" d="{data}"/></clipPath>\n'
        f"{image}\n</g>"
    )


def _set(words: Words, glyphs: _Glyphs) -> str:
    """Write words as a group of glyphs; within it lengths are in thousandths of the size of the letters."""
    from xml.sax.saxutils import quoteattr

    setting = typeset(words.text, bold=words.bold)
    start = -SHIFTS[words.anchor] * setting.width
    scaled = " ".join(f"{part * words.size / EM:.9g}" for part in words.turn)
    x, y = map(number, words.place)
    shown = (
        (glyphs.name(run.font, glyph), start + place)
        for run in setting.runs
        for letter, glyph, place in zip(run.letters, run.glyphs, run.places, strict=True)
        if letter != " "
    )
    uses = "".join(f'<use xlink:href="#{name}" x="{_tenths(place)}"/>' for name, place in shown)
    label = quoteattr(spelled(words.text))
    return f'<g role="img" aria-label={label} fill="{words.colour}" transform="matrix({scaled} {x} {y})">{uses}</g>'


def _tenths(value: float) -> str:
    """Format a number in thousandths of the letter size: one decimal is exact to a micrometre even in large letters."""
    return f"{round(value, 1) + 0.0:.6g}"


def path_data(points: Floats, *, curved: bool = False) -> str:
    """Write a line through points in mm, or cubics by their control points."""
    first, *rest = pairs(points)
    if curved:
        return f"M{first} C{' '.join(rest)}"
    return " L".join([f"M{first}", *rest])


def svg(drawing: Drawing, options: SvgOptions) -> bytes:
    """Write the drawing as SVG 1.1, in mm or in pixels; raises StudioError if it has nothing to cut."""
    from xml.sax.saxutils import escape

    drawing = ready(drawing)
    known, is_mm = profile(options.profile), options.svg_unit == "mm"
    unit = "mm" if is_mm else "px"
    if not is_mm:
        drawing = _in_pixels(drawing)
        known = replace(known, stroke_width=min(THICKEST, PIXELS * known.stroke_width))
    width, height = (f"{round(side, DECIMALS):.10g}" for side in (drawing.width, drawing.height))
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<!-- {PROGRAM} -->",
        f'<svg xmlns="http://www.w3.org/2000/svg"{_INKSCAPE if is_mm else ""}'
        f'{_LINKS if drawing.artwork else ""} version="1.1" width="{width}{unit}" height="{height}{unit}"'
        f' viewBox="0 0 {width} {height}">',
    ]
    lines += [f"<desc>{escape(remark)}</desc>" for remark in options.remarks.values()]
    if drawing.artwork:
        label = f' inkscape:groupmode="layer" inkscape:label="0 {_ARTWORK}"' if is_mm else ""
        lines.append(f'<g{label} id="{_ARTWORK}">')
        lines += [*map(drawn_artwork, as_marks(drawing.artwork)), "</g>"]
    told = known.notes(options.recipe, Operation)
    for operation, paths in groupby(drawing.paths(), key=lambda path: path.operation):
        lines += _layer(known, operation, list(paths), told, is_inkscape=is_mm)
    lines.append("</svg>\n")
    return "\n".join(lines).encode("ascii", "xmlcharrefreplace")


def _in_pixels(drawing: Drawing) -> Drawing:
    """Return a drawing whose lengths are pixels, 72 to an inch."""
    strokes = Curves(PIXELS * drawing.strokes.points, drawing.strokes.starts)
    artwork = artwork_transform.scaled(drawing.artwork, PIXELS)
    width, height = PIXELS * drawing.width, PIXELS * drawing.height
    return replace(drawing, width=width, height=height, strokes=strokes, artwork=artwork)


def _layer(
    known: Profile, operation: Operation, paths: list[Path], told: Mapping[str, str], *, is_inkscape: bool
) -> list[str]:
    from xml.sax.saxutils import escape

    layer = known.layer(operation)
    label = f' inkscape:groupmode="layer" inkscape:label="{known.every.index(layer) + 1} {operation.value}"'
    width = f"{known.stroke_width:.10g}"
    head = (
        f'<path fill="none" stroke="{layer.colour}" stroke-width="{width}"'
        f' style="fill:none;stroke:{layer.colour};stroke-width:{width}" d="'
    )
    lines = [f'<g{label if is_inkscape else ""} id="{layer.name}">']
    if layer.name in told:
        lines.append(f"<desc>{escape(told[layer.name])}</desc>")
    lines += [f'{head}{_data(path)}"/>' for path in paths]
    return [*lines, "</g>"]


def _data(path: Path) -> str:
    steps = Steps.from_points(path.points)
    start = "M{:.10g} {:.10g}".format(*steps.start.tolist())
    drawn = steps.spelled("L{:.10g} {:.10g}", "C{:.10g} {:.10g} {:.10g} {:.10g} {:.10g} {:.10g}")
    return start + "".join(drawn) + ("Z" if path.closed else "")
