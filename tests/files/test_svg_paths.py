"""What is read of an SVG file is what is painted of it: the same area at the same place as resvg's."""

import io
from collections import Counter

import numpy as np
import pytest
import resvg_py
import shapely
from PIL import Image

from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.files import rasters, svg_paths
from studio.files.imported_paths import Found
from studio.files.path_data import area
from studio.files.pictures import picture_of

PAGE = (
    'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="200mm" height="100mm"'
    ' viewBox="0 0 200 100"'
)
PIXELS = 1000
CSS = {
    "a class hides": '<style>.h{display:none}</style><rect class="h" width="190" height="95"/>'
    '<path d="M20 20h9v9h-9z"/>',
    "a class is more than a type": "<style>rect{fill:none} .a{fill:red}</style>"
    '<rect class="a" width="90" height="95"/><rect x="100" width="50" height="50"/>',
    "an id is more than a class": "<style>#b{fill:none} .a{fill:red}</style>"
    '<rect id="b" class="a" width="90" height="95"/><rect class="a" x="100" width="50" height="50"/>',
    "a child of an id, in CDATA": "<style><![CDATA[ #x > rect:first-child {visibility:hidden} /* c */ ]]></style>"
    '<g id="x"><rect width="50" height="50"/><rect x="60" width="50" height="50"/></g>',
    "important goes before style": "<style>.a{fill:none!important}</style>"
    '<rect class="a" style="fill:red" width="50" height="50"/><rect x="60" width="50" height="50"/>',
    "style goes before attributes": '<rect style="fill:none" fill="red" width="50" height="50"/>'
    '<circle r="20" cx="90" cy="50"/>',
    "visible in what is hidden": '<g visibility="hidden"><rect width="50" height="50"/>'
    '<rect x="60" width="50" height="50" visibility="visible"/></g>',
    "nothing in what is not displayed": '<g style="display:none">'
    '<rect width="50" height="50" style="display:inline"/></g>'
    '<rect x="60" width="50" height="50"/>',
    "a descendant": '<style>.off rect {display:none}</style><g class="a off"><g><rect width="50" height="50"/></g></g>'
    '<rect x="60" width="50" height="50"/>',
    "an attribute": '<style>[fill="red"]{display:none}</style><rect fill="red" width="50" height="50"/>'
    '<rect x="60" fill="blue" width="50" height="50"/>',
    "seen through": '<g opacity="0"><rect width="50" height="50"/></g><rect x="60" width="50" height="50"/>',
    "two style sheets, the last wins": "<style>.a{fill:red}</style><style>.a{fill:none}</style>"
    '<rect class="a" width="50" height="50"/><rect x="60" width="50" height="50"/>',
    "a transform": '<rect style="transform:scale(2)" width="50" height="30"/>',
    "a transform about the middle": '<rect x="75" y="35" width="50" height="30" '
    'style="transform:rotate(30deg);transform-origin:center;transform-box:fill-box"/>',
    "a comma between selectors": '<style>.a, #b {display:none}</style><rect class="a" width="9" height="9"/>'
    '<rect id="b" x="20" width="9" height="9"/><rect x="60" width="50" height="50"/>',
}  # fmt: skip
A, B, C = (
    f'<rect class="{name}" x="{x}" width="{width}" height="{height}"/>'
    for name, x, width, height in (("a", 0, 50, 30), ("b", 60, 40, 40), ("c", 120, 10, 10))
)
"""1,500, 1,600 and 100 mm²."""
HIDE = "{display:none}"
CASCADE = {
    "not": (f"<style>rect:not(.a, .b){HIDE}</style>{A}{B}{C}", 3100),
    "not a descendant": (f"<style>rect:not(g rect){HIDE}</style><g>{A}</g>{B}{C}", 1500),
    "is a child": (f"<style>:is(g > .a){HIDE}</style><g>{A}</g>{B}{C}", 1700),
    "where has no weight": (f"<style>:where(#x.b){{fill:none}} rect{{fill:red}}</style>{A}{B}{C}", 3200),
    "each second child": (f"<style>rect:nth-child(2n){HIDE}</style>{A}{B}{C}", 1600),
    "the last of a type": (f"<style>rect:nth-last-of-type(-n+2){HIDE}</style>{A}{B}{C}", 1500),
    "the next sibling": (f"<style>.a + rect{HIDE}</style>{A}{B}{C}", 1600),
    "all siblings after": (f"<style>.a~rect{HIDE}</style>{A}{B}{C}", 1500),
    "the start of an attribute": (f"<style>[class^='a'],[class$=c]{HIDE}</style>{A}{B}{C}", 1600),
    "an attribute in any case": (f"<style>[class=A i]{HIDE} [class=B]{HIDE}</style>{A}{B}{C}", 1700),
    "an attribute of a namespace": (
        f'<style>@namespace xlink "http://www.w3.org/1999/xlink"; [xlink|href]{HIDE}</style>{A}<use xlink:href="#r"/>'
        '<defs><rect id="r" x="90" width="9" height="9"/></defs>', 1500,
    ),
    "a part of text": (f"<style>.b, .a::after, .a:before{HIDE}</style>{A}{B}{C}", 1600),
    "an escaped class": (f'<style>.\\31 a{HIDE}</style><rect class="1a" width="9" height="9"/>{B}', 1600),
    "capitals": (f"<style>.a{{DISPLAY:None!IMPORTANT}} .b{{Fill:NONE}}</style>{A}{B}{C}", 100),
    "capitals of attributes": (f'<g display="NONE">{A}</g><g fill="None">{B}</g>{C}', 100),
    "a rule in capitals": (
        '<style>path{FILL-RULE:EVENODD}</style><path d="M0 0h60v60h-60zM10 10h40v40h-40z"/>', 2000,
    ),
    "a type in capitals": (f'<style type="TEXT/CSS">.a{HIDE}</style>{A}{B}{C}', 1700),
    "values that are none": (
        f"<style>.a{{fill:none;fill:blorb}} .b{{display:none;display:maybe}} .c{{width:99}}</style>{A}{B}{C}", 100,
    ),
    "the colour of text": (
        f'<style>svg{{color:transparent}} .a, .b{{fill:currentcolor}}</style>{A}<g color="red">{B}</g>{C}', 1700,
    ),
    "colours with an alpha": (
        f"<style>.a{{fill:rgb(0 0 0 / 0)}} .b{{fill:hsl(9deg 10% 10%/0%)}} .c{{fill:rgb(1 2 3)}}</style>{A}{B}{C}", 100,
    ),
    "unset and initial": (
        f'<style>.a{{fill:unset}} .b{{fill:initial}}</style><g fill="none">{A}{B}</g>{C}', 1700,
    ),
    "unset wins over an attribute": (
        '<style>rect{fill:unset}</style><rect width="50" height="30" fill="none"/>', 1500,
    ),
    "inherited opacity": (f'<style>.a{{opacity:inherit}}</style><g opacity="0">{A}</g>{B}', 1600),
    "variables": (
        f"<style>svg{{--k:none;--l:var(--k)}} g{{--k:red}} rect{{fill:var(--k)}} .c{{fill:var(--l)}}</style>"
        f"{A}<g>{B}</g>{C}", 1600,
    ),
    "variables with another value": (
        f'<style>.a{{fill:var(--x, var(--y, none))}} .b{{fill:none;fill:var(--z)}}</style>{A}{B}'
        '<rect x="120" width="10" height="10" fill="var(--fill-0, none)"/>', 1600,
    ),
    "a copy's own styles": (
        '<style>use{fill:none} .z{fill:red} g rect{display:none}</style>'
        '<defs><rect id="r" width="20" height="20"/></defs><use href="#r"/><g><use class="z" href="#r" x="50"/></g>',
        400,
    ),
    "turned about its own middle": (
        f"<style>.b{{transform-box:fill-box;transform-origin:center;transform:scale(.5)}}</style>{B}", 400,
    ),
    "turned about a corner of its box": (
        f"<style>.b{{transform-box:fill-box;transform-origin:right 100%;transform:rotate(90deg)}}</style>{B}", 1600,
    ),
    "moved by shares": (f"<style>.b{{transform:translate(25%,10%)}}</style>{B}", 1600),
    "moved by shares of its box": (
        f"<style>.b{{transform-box:fill-box;transform:translate(100%,50%)}}</style>{B}", 1600,
    ),
    "moved, turned and scaled": (
        f'<style>.b{{translate:50px 10px;scale:.5 25%}}</style><g style="rotate:10deg">{B}</g>', 200,
    ),
}  # fmt: skip
"""What is in a file, and the area in mm² that is seen of it."""
CLEAR = '<linearGradient id="g"><stop stop-opacity="0"/><stop offset="1" stop-color="#ff000000"/></linearGradient>'
SETTLED = {
    "a symbol that is moved": (
        '<symbol id="s" viewBox="0 0 10 10" transform="translate(50 0)"><rect width="5" height="10"/></symbol>'
        '<use href="#s" width="40" height="40"/>', 800,
    ),
    "a symbol that is turned": (
        '<symbol id="s" transform="rotate(90)"><rect width="50" height="30"/></symbol>'
        '<use href="#s" x="60" transform="translate(30 10)"/>', 1500,
    ),
    "a symbol as wide as a share": (
        '<symbol id="s"><rect width="150" height="150"/></symbol><use href="#s" width="25%" height="50"/>', 2500,
    ),
    "shares of the box of a symbol": (
        '<symbol id="s" viewBox="0 0 10 10"><rect width="50%" height="100%"/></symbol>'
        '<use href="#s" width="40" height="40"/>', 800,
    ),
    "a copy of automatic size": (
        '<symbol id="s"><rect width="50" height="30"/></symbol><use href="#s" width="auto" height="auto"/>', 1500,
    ),
    "an inner page of one side": ('<svg width="50"><rect x="-50" width="200" height="200"/></svg>', 5000),
    "a clip path of an inner page": (
        '<clipPath id="c"><rect width="30" height="30"/></clipPath><svg x="20" width="50" height="50" '
        'clip-path="url(#c)"><rect width="50" height="50"/></svg>', 300,
    ),
    "a clip path with a clear shape": (
        '<clipPath id="c"><rect width="30" height="30" opacity="0"/></clipPath>'
        '<rect width="50" height="50" clip-path="url(#c)"/>', 900,
    ),
    "a clip path in shares, then moved": (
        '<clipPath id="c" clipPathUnits="objectBoundingBox" transform="translate(20 0)"><rect width=".5" height="1"/>'
        '</clipPath><rect width="80" height="50" clip-path="url(#c)"/>', 2000,
    ),
    "a clip path in shares beside an empty group": (
        '<clipPath id="c" clipPathUnits="objectBoundingBox"><rect width=".5" height="1"/></clipPath>'
        '<g clip-path="url(#c)"><a/><rect x="40" width="80" height="50"/></g>', 2000,
    ),
    "a clip path among other letters": (
        '<clipPath id="c"><rect width="2em" height="2em"/></clipPath>'
        '<rect font-size="30" width="90" height="90" clip-path="url(#c)"/>', 1024,
    ),
    "newer units": ('<rect width="10vw" height="2rem"/><rect x="90" width="2ch" height="10"/>', 800),
    "sizes of letters in words": ('<g font-size="large"><rect width="2em" height="1em"/></g>', 648),
    "a gradient of clear colours": (f'{CLEAR}{A}<rect width="90" height="90" fill="url(#g) red"/>', 1500),
    "a gradient of another's clear colours": (
        f'{CLEAR}<radialGradient id="r" href="#g"/>{A}<rect width="90" height="90" fill="url(#r)"/>', 1500,
    ),
    "a gradient without colours": (
        f'<linearGradient id="n"/>{A}<rect width="90" height="90" fill="url(#n) red"/>', 1500,
    ),
    "a paint that is none": (
        f'<g id="n"/><rect width="50" height="30" style="fill:url(#n) currentColor"/><g fill="url(#n)">{B}</g>', 1500,
    ),
    "a paint of another file": (f'{A}<rect width="90" height="90" fill="url(other.svg#g)"/>', 1500),
    "a line without a stroke": (f'{A}<line x2="90" y2="90"/>', 1500),
    "colours of eight digits in a style": ('<rect style="fill:#ff0000ff" width="50" height="30"/>', 1500),
    "initial in an attribute": (
        f'<g visibility="hidden">{B}<rect visibility="initial" width="50" height="30"/></g>', 1500,
    ),
    "inherit in an attribute": (f'<g opacity="0">{B}</g><g clip-path="inherit">{A}</g>', 1500),
    "what SVG 1.1 asks of programs": (f'<g requiredFeatures="http://www.w3.org/x">{A}</g>', 1500),
    "for another language": (f'<g systemLanguage="de">{B}</g>{A}', 1500),
    "the first of a switch": (f'<switch><g systemLanguage="de">{B}</g><g>{A}</g><g>{C}</g></switch>', 1500),
}  # fmt: skip
"""Drawings resolved before any reader, and the visible area of each in mm²."""
CIRCLE = '<clipPath id="c"><circle cx="100" cy="50" r="40"/></clipPath>'
CLIPS = {
    "a group": f'{CIRCLE}<g clip-path="url(#c)"><rect x="-50" y="-50" width="300" height="200"/></g>',
    "a share of the box": '<clipPath id="c" clipPathUnits="objectBoundingBox"><circle cx=".5" cy=".5" r=".4"/>'
    '</clipPath>'
    '<rect clip-path="url(#c)" x="20" y="20" width="100" height="50"/>',
    "a copy, which its clip path goes along with": '<clipPath id="c"><rect width="20" height="20"/></clipPath>'
    '<defs><rect id="r" width="30" height="30"/></defs><use href="#r" x="60" clip-path="url(#c)"/>',
    "a share of a copy": '<clipPath id="c" clipPathUnits="objectBoundingBox"><circle r=".4"/></clipPath>'
    '<defs><rect id="r" width="30" height="30"/></defs><use href="#r" x="60" y="9" clip-path="url(#c)"/>',
    "a ring": '<clipPath id="c"><path clip-rule="evenodd" d="M10 10h80v80h-80zM30 30h40v40h-40z"/></clipPath>'
    '<rect clip-path="url(#c)" width="200" height="100"/>',
    "a ring that is filled": '<clipPath id="c"><path d="M10 10h80v80h-80zM30 30h40v40h-40z"/></clipPath>'
    '<rect clip-path="url(#c)" width="200" height="100"/>',
    "a clip path in a clip path": '<clipPath id="d"><rect x="50" width="100" height="100"/></clipPath>'
    '<clipPath id="c" clip-path="url(#d)"><circle cx="50" cy="50" r="40"/></clipPath>'
    '<rect clip-path="url(#c)" width="200" height="100"/>',
    "a copy in a clip path": '<clipPath id="c"><use href="#r" x="20"/></clipPath><defs>'
    '<circle id="r" cx="50" cy="50" r="30"/>'
    '</defs><g transform="scale(1.2)"><rect clip-path="url(#c)" width="200" height="50"/></g>',
    "transforms on both": '<clipPath id="c" transform="translate(20 0)"><circle cx="50" cy="50" r="30" '
    'transform="scale(1.2)"/></clipPath><g transform="rotate(10)">'
    '<rect clip-path="url(#c)" width="200" height="50"/></g>',
    "groups within groups": '<clipPath id="c"><rect width="60" height="60"/></clipPath><g clip-path="url(#c)">'
    '<g transform="translate(40 20)" clip-path="url(#c)"><circle cx="20" cy="20" r="50"/></g></g>',
    "nothing": '<clipPath id="c"/><rect clip-path="url(#c)" width="50" height="50"/><circle cx="90" cy="50" r="20"/>',
    "a shape with a hole": '<clipPath id="c"><rect width="60" height="60"/></clipPath>'
    '<path fill-rule="evenodd" clip-path="url(#c)" d="M10 10h80v80h-80zM30 30h40v40h-40z"/>',
    "two shapes": '<clipPath id="c"><rect width="60" height="60"/><rect x="50" width="60" height="20"/></clipPath>'
    '<rect clip-path="url(#c)" width="150" height="100"/>',
    "all of it": f'{CIRCLE}<circle cx="95" cy="50" r="20" clip-path="url(#c)"/>',
    "by a class": f'<style>.k{{clip-path:url("#c")}}</style>{CIRCLE}<rect class="k" width="100" height="100"/>',
    "a star that crosses itself": f'{CIRCLE}<path clip-path="url(#c)" d="M100 0 160 95 50 35 150 35 40 95z"/>',
}  # fmt: skip
SYMBOL = '<symbol id="s" viewBox="0 0 10 10"{}><circle cx="5" cy="5" r="6"/></symbol>'
VIEWPORTS = {
    "cut off": '<svg x="10" y="10" width="50" height="50"><circle cx="40" cy="25" r="30"/></svg>',
    "overflowing": '<svg overflow="visible" width="50" height="50"><rect x="20" y="10" width="50" height="50"/></svg>',
    "at the bottom": ''
    '<svg x="10" y="10" width="50" height="50" viewBox="0 0 20 10" preserveAspectRatio="xMidYMax meet">'
    '<circle cx="10" cy="5" r="5"/></svg>',
    "stretched": '<svg x="10" y="10" width="50" height="50" viewBox="0 0 20 10" preserveAspectRatio="none">'
    '<circle cx="10" cy="5" r="5"/></svg>',
    "sliced": '<svg x="10" y="10" width="50" height="50" viewBox="0 0 20 10" preserveAspectRatio="xMinYMin slice">'
    '<circle cx="10" cy="5" r="5"/></svg>',
    "in shares": '<svg x="50%" y="10%" width="25%" height="50%"><rect width="50%" height="50%"/>'
    '<circle cx="75%" cy="75%" r="10%"/></svg>',
    "as large as the page": '<svg viewBox="0 0 100 100"><rect x="-20" y="10" width="50" height="50"/></svg>',
    "one in another": '<svg x="10" width="80" height="80" viewBox="0 0 8 8"><svg x="2" y="2" width="4" height="4">'
    '<circle cx="1" cy="2" r="3"/></svg></svg>',
    "turned": '<g transform="translate(50 10) rotate(30)"><svg width="40" height="30">'
    '<circle cx="30" cy="15" r="20"/></svg></g>',
    "with a transform": '<svg x="10" y="10" width="50" height="50" transform="rotate(10)">'
    '<rect width="30" height="30"/></svg>',
}  # fmt: skip
COPIES = {
    "of a symbol with a size": SYMBOL.format("") + '<use href="#s" x="30" y="30" width="40" height="20"/>',
    "of a symbol that overflows": SYMBOL.format(' overflow="visible"') + ''
    '<use href="#s" x="30" y="30" width="40" height="20"/>',
    "of a symbol at its corner": SYMBOL.format(' preserveAspectRatio="xMaxYMin slice"')
    + '<use href="#s" x="30" y="30" width="40" height="20"/>',
    "of a symbol without a box": '<symbol id="s"><circle r="9"/></symbol><use href="#s" x="30" y="30"/>',
    "of a symbol on the whole page": '<symbol id="s" viewBox="0 0 10 5">'
    '<rect x="2" y="2" width="5" height="5"/></symbol>'
    '<use href="#s"/>',
    "moved, then turned": '<defs><rect id="r" width="20" height="20"/></defs>'
    '<use href="#r" transform="translate(30 10) rotate(20)" x="5" y="5"/>',
    "of a copy": '<defs><rect id="r" width="20" height="20"/><use id="u" href="#r" x="30"/></defs>'
    '<use href="#u" y="30"/>',
    "of a group with another colour": '<defs><g id="g" fill="none"><rect width="20" height="20" fill="red"/>'
    '<rect x="30" width="20" height="20"/></g></defs><use xlink:href="#g" fill="red" x="10"/>',
    "that inherit": '<defs><rect id="r" width="20" height="20"/></defs><g fill="none"><use href="#r"/>'
    '<use href="#r" x="50" fill="red"/></g>',
    "of an inner page": '<defs><svg id="s" viewBox="0 0 10 10" width="10" height="10">'
    '<circle cx="5" cy="5" r="5"/></svg></defs>'
    '<use href="#s" x="20" y="20" width="60" height="60"/>',
    "of itself": '<g id="a"><rect width="20" height="20"/><use href="#a" x="50"/></g>',
    "of nothing": '<use href="#none"/><rect width="20" height="20"/>',
}  # fmt: skip
LENGTHS = {
    "of both axes": '<rect width="50%" height="50%"/>',
    "of the diagonal": '<circle cx="50%" cy="50%" r="10%"/>',
    "of each axis": '<ellipse cx="50%" cy="50%" rx="10%" ry="10%"/>',
    "a place": '<rect x="25%" y="25%" width="20" height="20"/>',
    "corners": '<rect width="50" height="30" rx="50%"/>',
    "of letters": '<rect width="5em" height="5ex"/>',
    "of sized letters": '<g font-size="10"><rect width="5em" height="5ex"/></g>',
    "of letters twice as large": '<g font-size="10"><g font-size="2em"><rect width="2em" height="1em"/></g></g>',
    "inches and picas": '<rect x="10" y="2" width="1in" height="2pc"/>',
    "points and centimetres": '<rect x="10" y="2" width="20pt" height="2cm"/>',
    "within an inner page": '<svg width="100" height="50" viewBox="0 0 20 20">'
    '<rect x="10%" width="50%" height="50%"/></svg>',
}  # fmt: skip
FAULTS = {
    "empty paths": '<path d=""/><path d="none"/><path d="M20 20h100v60h-100z"/>',
    "up to the fault": '<path d="M20 20h100v60h-100z M 130"/>',
    "a command that is none": '<path d="M20 20h100v60h-100z K 3 4"/>',
    "an odd point": '<polygon points="10,10 50,10 50,50 10"/>',
    "no length": '<rect width="abc" height="20"/><rect x="20" y="20" width="30" height="30"/>',
    "no transform": '<g transform="spin(3)"><rect width="20" height="20"/></g>',
    "no clip path": '<rect clip-path="url(#none)" width="50" height="50"/>',
    "letters": '<text>M</text><rect width="20" height="20"/>',
    "no fill": '<rect width="50" height="50" fill="none"/><rect x="60" width="50" height="50"/>',
    "a fill that is clear": '<rect width="50" height="50" style="fill:#0000"/><rect x="60" width="50" height="50"/>',
}  # fmt: skip


def svg(inside: str, page: str = PAGE, head: str = "") -> bytes:
    return f"{head}<svg {page}>{inside}</svg>".encode()


def read(inside: str, page: str = PAGE, head: str = "") -> Found:
    return svg_paths.read(svg(inside, page, head), None, SILENT)


def measured(found: Found) -> list[float]:
    """Area in mm² and middle in mm of what is read; a stroke in another is a hole."""
    drawn = area(found.strokes, "evenodd") if found.strokes else shapely.Point(0, 0)
    middle = shapely.centroid(drawn)
    return [shapely.area(drawn), middle.x, middle.y]


def painted(data: bytes) -> list[float]:
    """Area in mm² and middle in mm of what resvg paints on a page 200 mm wide."""
    png = bytes(resvg_py.svg_to_bytes(svg_string=data.decode(), width=PIXELS, dpi=96.0, font_size=16.0))
    cover = np.asarray(Image.open(io.BytesIO(png)).convert("RGBA"))[..., 3] / 255
    rows, columns = np.mgrid[0.5 : len(cover), 0.5:PIXELS]
    total, side = cover.sum(), 200 / PIXELS
    return [total * side**2, *((at * cover).sum() / max(total, 1) * side for at in (columns, rows))]


@pytest.mark.sampled(7)
@pytest.mark.parametrize(
    "inside",
    [pytest.param(one, id=key) for kind in (CSS, CLIPS, VIEWPORTS, COPIES, LENGTHS) for key, one in kind.items()],
)  # fmt: skip
def test_what_is_read_is_what_is_painted(inside: str) -> None:
    found = measured(read(inside))
    square, *middle = painted(svg(inside))
    assert found[0] == pytest.approx(square, rel=0.01)
    assert found[1:] == pytest.approx(middle, abs=0.2)


@pytest.fixture(autouse=True)
def small_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Paint fewer pixels, which takes a tenth of the time."""
    monkeypatch.setattr(rasters, "ACROSS", PIXELS)


def pictured(inside: str, page: str = PAGE, width: float = 200) -> list[float]:
    """Area in mm² and middle in mm of what is opaque in the picture that the studio makes of a page."""
    picture = Image.open(io.BytesIO(picture_of(svg(inside, page), ".svg", 1, SILENT).data))
    cover = np.asarray(picture.convert("RGBA"))[..., 3] / 255
    rows, columns = np.mgrid[0.5 : len(cover), 0.5 : cover.shape[1]]
    total, side = cover.sum(), width / cover.shape[1]
    return [total * side**2, *((at * cover).sum() / total * side for at in (columns, rows))]


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("inside", "square"), (CASCADE | SETTLED).values(), ids=CASCADE | SETTLED)
def test_a_drawing_is_seen_alike_for_paths_and_pictures(inside: str, square: float) -> None:
    found, picture = measured(read(inside)), pictured(inside)
    assert found[0] == pytest.approx(square)
    assert picture[0] == pytest.approx(square, rel=0.01)
    assert picture[1:] == pytest.approx(found[1:], abs=0.2)


@pytest.mark.parametrize(
    ("inside", "square"),
    [
        ('<pattern id="p" width="20" height="20" patternUnits="userSpaceOnUse">{}</pattern>'
         '<rect width="100" height="40" fill="url(#p)"/>', 250),
        ('<mask id="p" maskUnits="userSpaceOnUse" width="200" height="100">{}</mask>'
         '<rect width="100" height="40" mask="url(#p)"/>', 25),
    ],
)  # fmt: skip
def test_a_picture_turns_shapes_about_their_boxes_in_patterns_and_masks(inside: str, square: float) -> None:
    style = "transform-box:fill-box;transform-origin:center;transform:rotate(90deg) scale(.5)"
    assert pictured(inside.format(f'<rect width="10" height="10" fill="white" style="{style}"/>'))[0] == pytest.approx(
        square, rel=0.01
    )


def test_letters_of_the_page_are_sized_once() -> None:
    page = f'{PAGE} font-size="200%"'
    assert measured(read('<rect width="1em" height="1rem"/>', page))[0] == pytest.approx(1024)
    assert pictured('<rect width="1em" height="1rem"/>', page)[0] == pytest.approx(1024, rel=0.01)


def test_a_page_is_moved_within_the_box_that_it_shows() -> None:
    page = f'{PAGE} transform="translate(50 0) scale(2 1)"'
    assert measured(read(A, page)) == pytest.approx([3000, 100, 15])
    assert pictured(A, page) == pytest.approx([3000, 100, 15], rel=0.01)


@pytest.mark.parametrize(
    ("inside", "named"),
    [
        ('<rect width="calc(10px + 5%)" height="30"/>', "calc()"),
        ("<style>.a{stroke-width:max(1px, 2px)}</style>", "max()"),
        ('<g clip-path="inset(5px)"/>', "clip-path: inset()"),
        ("<style>.b{clip-path:circle(5px at 9px 9px)}</style>", "clip-path: circle()"),
        ('<g style="mask:linear-gradient(#000, #0000)"/>', "mask: linear-gradient()"),
        ('<g style="transform:translate3d(1px, 2px, 0)"/>', "translate3d()"),
        ('<g transform="rotate(10) spin(3)"/>', "spin()"),
        ('<g fill="url(colours.svg#a)"/>', "fill of another file"),
    ],
)
def test_values_that_no_reader_follows_are_said(inside: str, named: str) -> None:
    sentence = f"Not supported, left out: {named}."
    assert sentence in read(f"{inside}{A}{B}").notes
    assert picture_of(svg(f"{inside}{A}{B}"), ".svg", 1, SILENT).notes == (sentence,)


def test_selectors_that_are_not_followed_are_said() -> None:
    rules = f"g:has(.a){HIDE} rect:nth-child(1 of .b){HIDE} .a:hover{HIDE} g{{.a{HIDE} fill:red}}"
    inside = f"<style>{rules}</style><g>{A}</g>{B}"
    found = read(inside)
    assert found.notes == ["Left out, not followed in style sheets: :has(), :nth-child(), rules within rules."]
    assert measured(found)[0] == pytest.approx(3100)
    assert picture_of(svg(inside), ".svg", 1, SILENT).notes == tuple(found.notes)


@pytest.mark.parametrize("inside", [pytest.param(one, id=key) for key, one in FAULTS.items()])
def test_a_fault_leaves_out_one_element_which_is_said(inside: str) -> None:
    found = read(inside)
    painting = inside.replace("<text>M</text>", "")
    assert measured(found)[0] == pytest.approx(painted(svg(painting))[0], rel=0.01)
    assert found.notes or found.left_out or 'd=""' in inside


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("inside", "sides"),
    [
        ('<rect style="transform:translate(10px, 20px) rotate(90deg)" width="50" height="30"/>', (30, 50)),
        ('<rect style="transform:rotate(.25turn) scaleX(2)" width="50" height="30"/>', (30, 100)),
        ('<g style="transform:translate(50%, 1in)"><rect width="50" height="30"/></g>', (50, 30)),
        ("<style>rect{width:50px;height:30px;x:10px;rx:5px}</style><rect/>", (50, 30)),
        ("<style>circle{r:20px;cx:60px;cy:50px}</style><circle/>", (40, 40)),
        ("""<style>path{d:path("M10 10h50v40h-50z")}</style><path/>""", (50, 40)),
        ("<style>@media print{rect{display:none}}</style><rect width='50' height='30'/>", (50, 30)),
        ("<style>@media screen{.b{display:none}}</style><rect class='b' width='99' height='99'/>"
        "<rect width='50' height='30'/>",
         (50, 30)),
        ('<style media="print">rect{display:none}</style><rect width="50" height="30"/>', (50, 30)),
        ("<style>rect:nth-child(2n+3){display:none}</style><rect width='50' height='30'/>"
        "<rect width='90' height='90'/>", (50, 30)),
        ("<style>rect:not(.a){display:none}</style><rect class='a' width='50' height='30'/>"
        "<rect width='90' height='90'/>", (50, 30)),
        ("<style>circle ~ rect + rect{display:none}</style><circle r='0'/><rect width='50' height='30'/>"
        "<rect width='90' height='90'/>",
         (50, 30)),
        ("<style>a::b{} } .a{display:none}</style><rect width='50' height='30'/>", (50, 30)),
        ('<switch><rect systemLanguage="de" width="90" height="9"/>'
        '<rect systemLanguage="en-GB, fr" width="50" height="30"/>'
         '<rect width="99" height="99"/></switch>', (50, 30)),
        ('<g requiredExtensions="http://ns.adobe.com/AI/"><rect width="99" height="99"/></g>'
        '<rect width="50" height="30"/>', (50, 30)),
        ('<symbol id="s" transform="rotate(90)"><rect width="50" height="30"/></symbol>'
        '<use href="#s" x="40"/>', (30, 50)),
    ],
)  # fmt: skip
def test_css_that_resvg_does_not_know_is_followed_for_paths_and_pictures(
    inside: str, sides: tuple[float, float]
) -> None:
    found = read(inside)
    assert np.ptp(np.concatenate(found.strokes), axis=0) == pytest.approx(sides)
    wide = 'xmlns="http://www.w3.org/2000/svg" width="400mm" height="400mm" viewBox="-100 -100 400 400"'
    seen, picture = measured(read(inside, wide)), pictured(inside, wide, 400)
    assert picture[0] == pytest.approx(seen[0], rel=0.01) and picture[1:] == pytest.approx(seen[1:], abs=0.2)


@pytest.mark.parametrize(
    ("data", "boxes"),
    [
        (svg('<rect width="200" height="100" fill="#fff"/>'
        '<path d="M100 10C150 10 190 30 190 50S150 90 100 90S10 70 10 50'
             'S50 10 100 10Z"/>'), [(200, 100), (180, 80)]),
        (svg('<style>.h{display:none}</style><rect class="h" x="0" y="0" width="190" height="95"/>'
             '<path d="M20 20h100v60h-100z"/>'), [(100, 60)]),
        # 850.39 px of 25.4 / 96 mm.
        (svg('<rect width="850.39" height="566.93"/>',
             'xmlns="http://www.w3.org/2000/svg" width="850.39px" height="566.93px" viewBox="0 0 850.39 566.93"'),
         [(224.9990, 150.0002)]),
        (svg('<rect width="100%" height="100%" fill="white"/>'
        '<path d="M20 20h100v60h-100z"/>'), [(200, 100), (100, 60)]),
        (svg('<path d=""/><path d="none"/><path d="M20 20h100v60h-100z"/>'), [(100, 60)]),
        (svg('<g fill="none" stroke="red"><path d="M10 10H190V90"/><path d="M190.08 90H10V10.08"/></g>'),
         [(180, 80), (180.08, 79.92)]),
        (svg('<path d="M20 20h100v60h-100z"/>',
             'xmlns="&ns_svg;" xmlns:xlink="&ns_xlink;" width="200mm" height="100mm" viewBox="0 0 200 100"',
             '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" '
             '"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [\n<!ENTITY ns_svg "http://www.w3.org/2000/svg">'
             '<!ENTITY ns_xlink "http://www.w3.org/1999/xlink">]>'), [(100, 60)]),
        (svg('<defs><clipPath id="c"><circle cx="100" cy="50" r="40"/></clipPath></defs><g clip-path="url(#c)">'
             '<rect x="-50" y="-50" width="300" height="200"/></g>'), [(80, 80)]),
        (svg('<rect style="transform:scale(2)" width="50" height="30"/>'), [(100, 60)]),
        (svg(''
        '<path fill-rule="evenodd" d="M60 5A55 55 0 0 1 60 115A55 55 0 0 1 60 5ZM60 20A40 40 0 0 1 60 100A40 40 0 0 1 '
             '60 20ZM60 40A20 20 0 0 1 60 80A20 20 0 0 1 60 40Z"/>',
             'xmlns="http://www.w3.org/2000/svg" width="120mm" height="120mm" viewBox="0 0 120 120"'),
         [(110, 110), (80, 80), (40, 40)]),
    ],
    ids=["page", "class", "pixels", "percent", "bad path", "gap", "entities", "clip path", "transform", "nested"],
)  # fmt: skip
def test_drawings_of_makers_have_the_size_that_is_seen(data: bytes, boxes: list[tuple[float, float]]) -> None:
    found = svg_paths.read(data, None, SILENT)
    sizes = [np.ptp(stroke[::3], axis=0).tolist() for stroke in found.strokes]
    assert sizes == [pytest.approx(box, abs=0.01) for box in boxes]


ENTITIES = {
    "a length": ('<!ENTITY w "50">', '<rect width="&w;" height="30"/>'),
    "a style": ('<!ENTITY st0 "fill:red;">', '<rect style="&st0;" width="50" height="30"/>'),
    "an element": ("<!ENTITY r '<rect width=\"50\" height=\"30\"/>'>", "&r;"),
    "an entity in another": ('<!ENTITY a "5"><!ENTITY b "&a;0">', '<rect width="&b;" height="30"/>'),
    "path data": ('<!ENTITY d "M0 0h50v30h-50z">', '<path d="&d;"/>'),
    "one that is not used": ('<!ENTITY d "none">', '<path d="M0 0h50v30h-50z"/>'),
    "a style sheet": ('<!ENTITY css ".h{display:none}">',
                      '<style>&css;</style><rect class="h" width="90" height="90"/><rect width="50" height="30"/>'),
    "a character": ('<!ENTITY c "&#49;">', '<rect width="50" height="30" opacity="&c;"/>'),
    "declared twice": ('<!ENTITY w "50"><!ENTITY w "60">', '<rect width="&w;" height="30"/>'),
    "apostrophes": ("<!ENTITY w '50'>", '<rect width="&w;" height="30"/>'),
}  # fmt: skip


@pytest.mark.parametrize(("declared", "inside"), ENTITIES.values(), ids=ENTITIES)
def test_entities_within_a_file_are_text(declared: str, inside: str) -> None:
    found = read(inside, head=f"<!DOCTYPE svg [{declared}]>")
    assert np.ptp(np.concatenate(found.strokes), axis=0) == pytest.approx((50, 30))


@pytest.mark.parametrize(
    ("declared", "sentence"),
    [
        ('<!ENTITY a SYSTEM "file:///etc/hostname">', "declares entities of other files"),
        ('<!ENTITY a PUBLIC "a" "http://127.0.0.1:9/x">', "declares entities of other files"),
        ('<!ENTITY % a "b">', "declares entities of other files"),
        (
            '<!ENTITY a "0123456789"><!ENTITY b "' + "&a;" * 1000 + '"><!ENTITY c "' + "&b;" * 1000 + '">',
            "expand too far",
        ),
        ('<!ENTITY a "&b;"><!ENTITY b "&a;">', "expand too far"),
        ("".join(f'<!ENTITY a{at} "x">' for at in range(300)), "expand too far"),
    ],
)
def test_entities_that_reach_out_or_grow_are_refused(declared: str, sentence: str) -> None:
    for kind in (svg_paths.read, lambda data, _unit, progress: picture_of(data, ".svg", 1, progress)):
        with pytest.raises(StudioError, match=sentence):
            kind(svg("<rect/>", head=f"<!DOCTYPE svg [{declared}]>"), None, SILENT)


def test_what_cannot_be_cut_is_counted() -> None:
    inside = (
        '<mask id="m"><rect width="9" height="9"/></mask><filter id="f"/><pattern id="p" width="1" height="1"/>'
        '<marker id="k"/>'
        '<rect mask="url(#m)" width="20" height="20"/><rect filter="url(#f)" width="20" height="20"/><text>a'
        "</text><image/>"
        '<rect fill="url(#p)" width="20" height="20"/><path d="M0 0H9" stroke="red" marker-end="url(#k)"/>'
    )
    kinds = ("mask", "filter", "text", "image", "pattern", "marker")
    assert read(inside).left_out == Counter(dict.fromkeys(kinds, 1))


def test_open_lines_are_cut_where_a_clip_path_ends() -> None:
    found = read(f'{CIRCLE}<path d="M0 50H200" fill="none" stroke="red" clip-path="url(#c)"/>')
    assert [stroke[[0, -1]].tolist() for stroke in found.strokes] == [
        [pytest.approx([60, 50], abs=0.01), pytest.approx([140, 50], abs=0.01)]
    ]
    # A line that a fill adds nothing to, and one that lies outside.
    for line in ('d="M0 50H200" stroke="red"', 'd="M0 50H200M0 99H9" fill="none" stroke="red"'):
        assert read(f'{CIRCLE}<path {line} clip-path="url(#c)"/>').strokes[0].tolist() == found.strokes[0].tolist()
        assert len(read(f'{CIRCLE}<path {line} clip-path="url(#c)"/>').strokes) == 1


def test_what_a_clip_path_shows_whole_keeps_its_curves() -> None:
    (stroke,) = read(f'{CIRCLE}<circle cx="100" cy="50" r="20" clip-path="url(#c)"/>').strokes
    assert len(stroke) // 3 == 16


@pytest.mark.parametrize(
    ("inside", "layers"),
    [
        ('<g inkscape:groupmode="layer" inkscape:label="Cut"><g id="g1"><rect width="9" height="9"/></g></g>'
         '<g inkscape:groupmode="layer" inkscape:label="Engrave"><rect width="9" height="9"/></g>', ["Cut", "Engrave"]),
        ('<g id="Cut_x0020_1"><rect width="9" height="9"/></g><g id="Engrave"><rect width="9" height="9"/></g>',
         ["Cut 1", "Engrave"]),
        ('<g id="Frame"><g id="a"><rect width="9" height="9"/></g><g id="b"><rect width="9" height="9"/></g>'
        '</g>', ["a", "b"]),
        ('<g fill="none"><rect stroke="#F00" width="9" height="9"/><rect stroke="blue" width="9" height="9"/></g>',
         ["#ff0000", "#0000ff"]),
        ('<rect width="9" height="9"/><rect fill="white" width="9" height="9"/>', ["", ""]),
    ],
)  # fmt: skip
def test_layers_are_those_of_the_program_or_colours(inside: str, layers: list[str]) -> None:
    page = f'{PAGE} xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"'
    assert read(inside, page).layers == layers


def test_what_is_not_seen_is_said() -> None:
    found = read(
        '<style>@import "a.css"; .h{display:none}</style><rect class="h" width="9" height="9"/>'
        '<path id="odd" d="M0 0h9v9h-9z X"/><rect fill="none" width="9" height="9"/>'
    )
    assert found.notes == [
        "Left out, not followed in style sheets: @import.",
        "Not read, or only up to a fault: path odd (unknown command near 'X').",
        "Left out, hidden: 1 element.",
        "Left out, without fill and stroke: 1 path.",
    ]


def test_paths_without_fill_and_stroke_are_read_if_there_is_nothing_else() -> None:
    found = read('<rect fill="none" width="9" height="9"/>')
    assert len(found.strokes) == 1
    assert found.notes == ["Nothing drawn has a fill or a stroke; read all the same: 1 path."]


def test_a_picture_follows_the_same_styles() -> None:
    moved = '<rect style="transform:translate(100px,0)" width="50" height="50"/>'
    inside = f'<rect width="200" height="100" fill="#fff"/>{moved}'
    picture = Image.open(io.BytesIO(picture_of(svg(inside), ".svg", 1, SILENT).data)).convert("L")
    dark = np.asarray(picture) < 128
    rows, columns = dark.nonzero()
    side = 200 / picture.width
    assert (columns.mean() * side, rows.mean() * side) == pytest.approx((125, 25), abs=0.2)


@pytest.mark.parametrize(
    "fault",
    [
        '<path d="M0 0A1e308 1e308 0 0 1 1e308 9z"/>',
        '<rect width="9" height="9" transform="rotate(1e999)"/>',
        '<g clip-path="url(#c)"><rect width="1e300" height="1e300"/></g>',
        '<rect width="1e14" height="1e14" transform="scale(1e14)" clip-path="url(#c)"/>',
        '<svg width="1e14" height="9" viewBox="0 0 1e-9 1e-9"><circle r="9"/></svg>',
        '<polygon points="5 5" style="transform:scale(2);transform-box:fill-box;transform-origin:center"/>',
    ],
)
def test_numbers_of_any_size_are_read_or_told(fault: str) -> None:
    found = read(f'<clipPath id="c"><circle r="9"/></clipPath>{fault}<rect width="50" height="30"/>')
    assert np.ptp(found.strokes[-1], axis=0) == pytest.approx((50, 30))
