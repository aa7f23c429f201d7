"""Writes leaflets, paper that goes with a puzzle, as PDF or SVG, whole or not at all; and reads them back.

The same leaflet gives the same bytes. A PDF holds all pages, an SVG one: several become NAME-1, NAME-2 and so on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import assert_never
from xml.etree import ElementTree
from xml.sax.saxutils import escape, quoteattr

from studio.atomic import replacing
from studio.errors import StudioError
from studio.export.pages import PAPERS
from studio.export.pdf import POINTS, parts, printed
from studio.export.reading import Unreadable
from studio.export.ready import rounded
from studio.export.sheets import sheet_paths
from studio.export.steps import DECIMALS
from studio.geometry.curves import Floats
from studio.geometry.leaflet import PLAIN, Anchor, Area, Leaflet, Line, Mark, Page, Words, width_of
from studio.parameters import choice, validate
from studio.progress import Progress

LEAFLET_SUFFIXES = (".pdf", ".svg")
_SVG = "http://www.w3.org/2000/svg"
_FAMILY = "Helvetica, Arial, sans-serif"
_EXACT = 0.01
"""How far in mm a page may be from its size when it is read back."""


@dataclass(frozen=True)
class LeafletOptions:
    """Choices for paper that goes with a puzzle; raises ParameterError for a value that cannot be."""

    paper: str = choice(
        "A4",
        {name: name for name in PAPERS},
        title="Paper",
        help="What is in the printer; all is laid out for it.",
    )

    def __post_init__(self) -> None:
        validate(self)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the paper in mm, upright."""
        return PAPERS[self.paper]


@dataclass(frozen=True)
class LeafletReport:
    """What was found in a file when it was read back: pages, the size of the first in mm, bytes."""

    path: Path
    pages: int
    width: float
    height: float
    bytes: int


def write_leaflet(leaflet: Leaflet, path: Path | str, progress: Progress | None = None) -> tuple[LeafletReport, ...]:
    """Write a leaflet in the format of a file's suffix, and report what was read back.

    Raises StudioError where a file cannot be written or does not read back, or has letters that PDF's own font lacks;
    what stood there before is then untouched.
    """
    target, progress = Path(path), progress or Progress()
    suffix = target.suffix.lower()
    if suffix not in LEAFLET_SUFFIXES:
        raise StudioError(
            f"{target} says no format for paper by its ending; there are {' and '.join(LEAFLET_SUFFIXES)}."
        )
    whole = suffix == ".pdf"
    several = [leaflet.pages] if whole else [(page,) for page in leaflet.pages]
    reports = []
    with ExitStack() as asides:
        for number, (file, pages) in enumerate(zip(sheet_paths(target, len(several)), several, strict=True)):
            progress.step(number / len(several), f"Writing {file.name}")
            data = _pdf(leaflet.title, pages) if whole else _svg(leaflet.title, pages[0])
            aside = asides.enter_context(replacing(file))
            aside.write_bytes(data)
            try:
                found = (_read_pdf if whole else _read_svg)(aside.read_bytes())
                _prove(found, pages)
            except Unreadable as problem:
                raise StudioError(f"{file} was not written, because it did not read back well: {problem}.") from problem
            reports.append(LeafletReport(file, len(found), found[0].width, found[0].height, len(data)))
        progress.step(1.0)
    return tuple(reports)


# What is read back


@dataclass(frozen=True)
class _Found:
    """A page that was read: its size in mm, and the names of its groups."""

    width: float
    height: float
    groups: tuple[str, ...]


def _prove(found: Sequence[_Found], pages: Sequence[Page]) -> None:
    if len(found) != len(pages):
        raise Unreadable(f"it has {len(found)} pages, not {len(pages)}")
    for read, page in zip(found, pages, strict=True):
        if not max(abs(read.width - page.width), abs(read.height - page.height)) <= _EXACT:
            raise Unreadable(f"a page is {read.width:g} × {read.height:g} mm, not {page.width:g} × {page.height:g} mm")
        if read.groups != tuple(group.name for group in page.groups):
            raise Unreadable("something is missing on a page")


def _read_pdf(data: bytes) -> list[_Found]:
    found = []
    for part in parts(data):
        left, top, right, bottom = part.box
        groups = re.findall(rb"^/(\S+) BMC$", part.content, flags=re.MULTILINE)
        names = tuple(name.decode("ascii") for name in groups)
        found.append(_Found((right - left) / POINTS, (bottom - top) / POINTS, names))
    return found


def _read_svg(data: bytes) -> list[_Found]:
    try:
        root = ElementTree.fromstring(data)
    except ElementTree.ParseError as problem:
        raise Unreadable(f"it is no SVG ({problem})") from problem
    width, height = (float(root.attrib[name].removesuffix("mm")) for name in ("width", "height"))
    return [_Found(width, height, tuple(group.attrib["id"] for group in root.iter(f"{{{_SVG}}}g")))]


# SVG


def _svg(title: str, page: Page) -> bytes:
    width, height = _number(page.width), _number(page.height)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="{_SVG}" version="1.1" width="{width}mm" height="{height}mm" viewBox="0 0 {width} {height}"'
        ' stroke-linejoin="round" stroke-linecap="round">',
        f"<title>{escape(_spoken(title))}</title>",
        f'<rect width="{width}" height="{height}" fill="#FFFFFF"/>',
    ]
    for group in page.groups:
        lines.append(f"<g id={quoteattr(group.name)}>")
        lines += [_drawn_svg(mark) for mark in group.marks]
        lines.append("</g>")
    return "\n".join([*lines, "</svg>\n"]).encode("ascii", "xmlcharrefreplace")


def _drawn_svg(mark: Mark) -> str:
    match mark:
        case Area():
            line = f' stroke="{mark.line}" stroke-width="{_number(mark.width)}"' if mark.line else ""
            data = " ".join(f"M{' L'.join(_pairs(loop))}Z" for loop in mark.loops)
            return f'<path fill="{mark.fill}" fill-rule="evenodd"{line} d="{data}"/>'
        case Line():
            dashes = f' stroke-dasharray="{" ".join(map(_number, mark.dashes))}"' if mark.dashes else ""
            data = f"M{' L'.join(_pairs(mark.points))}{'Z' if mark.closed else ''}"
            return f'<path fill="none" stroke="{mark.colour}" stroke-width="{_number(mark.width)}"{dashes} d="{data}"/>'
        case Words():
            x, y = map(_number, mark.place)
            place = f'x="{x}" y="{y}"'
            if mark.turn != PLAIN:
                place = f'transform="matrix({" ".join(map(_number, mark.turn))} {x} {y})"'
            weight = ' font-weight="bold"' if mark.bold else ""
            anchor = "" if mark.anchor is Anchor.START else f' text-anchor="{mark.anchor.value}"'
            return (
                f'<text {place} font-family="{_FAMILY}" font-size="{_number(mark.size)}"{weight}{anchor}'
                f' fill="{mark.colour}">{escape(_spoken(mark.text))}</text>'
            )
        case _:
            assert_never(mark)


def _spoken(text: str) -> str:
    """The text without the control characters that no file can hold."""
    return "".join(sign for sign in text if sign.isprintable())


# PDF


def _pdf(title: str, pages: Sequence[Page]) -> bytes:
    return printed([(page.width, page.height, _contents(page)) for page in pages], _spoken(title))


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
            yield f"{_channels(mark.fill)} rg"
            if mark.line:
                yield f"{_channels(mark.line)} RG {_number(mark.width)} w"
            yield " ".join(f"{_path(loop)} h" for loop in mark.loops) + (" B*" if mark.line else " f*")
        case Line():
            yield f"{_channels(mark.colour)} RG {_number(mark.width)} w [{' '.join(map(_number, mark.dashes))}] 0 d"
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
    matrix = " ".join(map(_number, (a, b, -c, -d, x, y)))
    font = "F2" if words.bold else "F1"
    return f"BT {_channels(words.colour)} rg /{font} {_number(words.size)} Tf {matrix} Tm <{_coded(words.text)}> Tj ET"


def _coded(text: str) -> str:
    """The text in the code of Windows' western letters, which is all that PDF's own fonts have."""
    try:
        return _spoken(text).encode("cp1252").hex().upper()
    except UnicodeEncodeError as problem:
        letter = _spoken(text)[problem.start]
        raise StudioError(
            f"A PDF's own letters have no {letter}; write an SVG, or give the file another name."
        ) from problem


def _channels(colour: str) -> str:
    return " ".join(f"{int(colour[at : at + 2], 16) / 255:.4g}" for at in (1, 3, 5))


def _path(points: Floats) -> str:
    first, *rest = (pair.replace(",", " ") for pair in _pairs(points))
    return " ".join([f"{first} m", *(f"{pair} l" for pair in rest)])


def _pairs(points: Floats) -> list[str]:
    return [f"{x:.10g},{y:.10g}" for x, y in rounded(points, DECIMALS).tolist()]


def _number(value: float) -> str:
    return f"{round(value, 4) + 0.0:.10g}"
