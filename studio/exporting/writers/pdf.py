"""Writes a drawing as PDF at 1:1: a single page as large as the drawing, or tiled pages.

The one page goes to the laser: a path for each chain, in cutting order, as a cubic or a straight line; layers that a
program may show or hide; hairlines in the profile's colours. Printer pages are for paper: every page shows its part of
the drawing between crop marks, with its name and a ruler of 100 mm by which a maker sees whether the printer kept the
size. The file holds the drawing once, and every page shows it through its window.

window: the part of a page that shows the drawing, with crop marks around it and the ruler below it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from math import ceil
from typing import Any

import numpy as np

from studio.base.amounts import cell_name
from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.exporting.colour_profiles import Profile, profile
from studio.exporting.options import PAPERS, PdfOptions
from studio.exporting.writers.path_segments import DECIMALS, Steps, ready
from studio.exporting.writers.pdf_file import (
    add_page,
    decimal,
    drawn_artwork,
    embedded_pictures,
    file_bytes,
    in_millimetres,
    new_file,
    shares,
)
from studio.geometry.art.lettering import lettered
from studio.geometry.curves.strokes import Floats
from studio.geometry.planar.drawing import Drawing
from studio.paper.leaflet import as_marks

MARKS = 5.0
"""Length in mm of the crop marks outside the window."""
STRIP = 14.0
"""Height in mm of the page's name and the ruler below the marks."""
RULER = 100.0
MOST_PAGES = 500
# Overhang in mm of the drawing that a window ignores.
_NOISE = 1e-6
# Largest page that PDF readers must accept: 200 inches a side.
LARGEST_PAGE = 5080.0
# Marks, names and rulers, in mm: visible on paper, but unlike a cut.
_INK = 0.15
_LETTERS = 3.5
# Margin of windows and drawing beyond their edge: programs move hairlines to the next dot, and would clip hairlines on
# the edge.
_BLEED = 0.5
_GAP = 1.0
_ARTWORK = "artwork"


@dataclass(frozen=True)
class PrinterPage:
    """One page: its name, its window's origin on the drawing in mm, and which neighbours follow."""

    name: str
    left: float
    top: float
    goes_right: bool
    goes_down: bool


@dataclass(frozen=True)
class PageLayout:
    """Tiled pages in mm: the paper in its orientation, the window on it, and the number of pages across and down."""

    width: float
    height: float
    margin: float
    overlap: float
    columns: int
    rows: int

    @property
    def window(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of the window on the paper."""
        inset = self.margin + MARKS
        return inset, inset, self.width - inset, self.height - inset - STRIP

    def pages(self) -> Iterator[PrinterPage]:
        """Return the pages, row by row."""
        left, top, right, bottom = self.window
        across, down = right - left - self.overlap, bottom - top - self.overlap
        for row in range(self.rows):
            for column in range(self.columns):
                name = tr(
                    "{page} of {columns} × {rows}", page=cell_name(column, row), columns=self.columns, rows=self.rows
                )
                yield PrinterPage(name, column * across, row * down, column + 1 < self.columns, row + 1 < self.rows)


def layout(width: float, height: float, options: PdfOptions) -> PageLayout:
    """Return pages for a drawing of a width and a height in mm, in portrait or landscape, whichever needs fewer.

    Raises StudioError if it needs too many.
    """
    upright = PAPERS[options.paper]
    across = upright[::-1]
    found = min((_laid(paper, width, height, options) for paper in (upright, across)), key=_count)
    if _count(found) > MOST_PAGES:
        raise StudioError(
            tr(
                "The drawing needs {count} {paper} pages (maximum {most}). Choose larger paper or a single page.",
                count=_count(found),
                paper=options.paper,
                most=MOST_PAGES,
            )
        )
    return found


def _laid(paper: tuple[float, float], width: float, height: float, options: PdfOptions) -> PageLayout:
    left, top, right, bottom = PageLayout(*paper, options.paper_margin, options.overlap, 1, 1).window
    columns = _needed(width, right - left, options.overlap)
    rows = _needed(height, bottom - top, options.overlap)
    return PageLayout(*paper, options.paper_margin, options.overlap, columns, rows)


def _needed(length: float, window: float, overlap: float) -> int:
    return max(1, ceil((length - overlap - _NOISE) / (window - overlap)))


def _count(found: PageLayout) -> int:
    return found.columns * found.rows


def pdf(drawing: Drawing, options: PdfOptions) -> bytes:
    """Write the drawing as PDF 1.7; raises StudioError if it has nothing to cut or no page can hold it."""
    import pydyf

    drawing = ready(drawing)
    known = profile(options.profile)
    file = new_file()
    pictures = embedded_pictures(file, as_marks(drawing.artwork))
    named = {"Properties": _layers(file, known, drawing)}
    if pictures:
        named["XObject"] = pydyf.Dictionary(dict(pictures.values()))
    shown = list(_drawn(drawing, known))
    if drawing.artwork:
        artwork = (line for mark in as_marks(drawing.artwork) for line in drawn_artwork(mark, pictures))
        shown = [f"/OC /{_ARTWORK} BDC", *artwork, "EMC", *shown]
    if options.pages == "one":
        _add_one(file, drawing, shown, pydyf.Dictionary(named))
    else:
        _add_tiles(file, drawing, shown, pydyf.Dictionary(named), layout(drawing.width, drawing.height, options))
    return file_bytes(file)


def _add_one(file: Any, drawing: Drawing, shown: list[str], named: Any) -> None:
    import pydyf

    if max(drawing.width, drawing.height) > LARGEST_PAGE:
        raise StudioError(
            tr(
                "A page of {width:g} × {height:g} mm exceeds the PDF limit of {largest:g} mm per side. Use "
                "tiled pages or another format.",
                width=drawing.width,
                height=drawing.height,
                largest=LARGEST_PAGE,
            )
        )
    content = pydyf.Stream(["q", in_millimetres(drawing.height), *shown, "Q"])
    file.add_object(content)
    add_page(file, drawing.width, drawing.height, content, named)


def _add_tiles(file: Any, drawing: Drawing, shown: list[str], named: Any, found: PageLayout) -> None:
    import pydyf

    box = [-_BLEED, -_BLEED, round(drawing.width + _BLEED, DECIMALS), round(drawing.height + _BLEED, DECIMALS)]
    whole = pydyf.Stream(shown, {"Type": "/XObject", "Subtype": "/Form", "BBox": pydyf.Array(box), "Resources": named})
    file.add_object(whole)
    resources = pydyf.Dictionary({"XObject": pydyf.Dictionary({"Drawing": whole.reference})})
    left, _, _, bottom = found.window
    ruler = list(_ruler(left, bottom + MARKS + _LETTERS + 4 * _GAP))
    for page in found.pages():
        content = pydyf.Stream(["q", in_millimetres(found.height), *_tile(page, found), *ruler, "Q"])
        file.add_object(content)
        add_page(file, found.width, found.height, content, resources)


def _layers(file: Any, known: Profile, drawing: Drawing) -> Any:
    """Put the layers, in order, into the file; return the properties by which contents name them."""
    import pydyf

    used = {chain.operation for chain in drawing.chains}
    names = [_ARTWORK] if drawing.artwork else []
    names += [layer.name for layer in known.every if layer.operation in used]
    groups = []
    properties = pydyf.Dictionary()
    for name in names:
        group = pydyf.Dictionary({"Type": "/OCG", "Name": pydyf.String(name)})
        file.add_object(group)
        groups.append(group.reference)
        properties[name] = group.reference
    shown = pydyf.Dictionary({"Order": pydyf.Array(groups), "ON": pydyf.Array(groups)})
    file.catalog["OCProperties"] = pydyf.Dictionary({"OCGs": pydyf.Array(groups), "D": shown})
    return properties


def _drawn(drawing: Drawing, known: Profile) -> Iterator[str]:
    """Return the drawing in mm, y downwards, layer after layer; round ends close the corners of closed lines."""
    yield f"{known.stroke_width:.10g} w 1 J 1 j"
    for operation, paths in groupby(drawing.paths(), key=lambda path: path.operation):
        layer = known.layer(operation)
        yield f"/OC /{layer.name} BDC"
        yield f"{shares(layer.colour)} RG"
        for path in paths:
            yield _path(path.points) + (" h S" if path.closed else " S")
        yield "EMC"


def _tile(page: PrinterPage, found: PageLayout) -> Iterator[str]:
    left, top, right, bottom = found.window
    clip = (left - _BLEED, top - _BLEED, right - left + 2 * _BLEED, bottom - top + 2 * _BLEED)
    yield "q {} {} {} {} re W n".format(*map(decimal, clip))
    yield f"1 0 0 1 {decimal(left - page.left)} {decimal(top - page.top)} cm /Drawing Do Q"
    yield f"{_INK} w 1 J 1 j 0 0 0 RG"
    yield "/Marks BMC"
    yield from _segments(list(_marks(page, found)))
    yield "EMC"
    yield "/Name BMC"
    yield from _letters(tr("{name}, print at 100 %", name=page.name), left, bottom + MARKS + _GAP + _LETTERS)
    yield "EMC"


def _marks(page: PrinterPage, found: PageLayout) -> Iterator[tuple[float, float, float, float]]:
    """Return crop marks at the corners of the window, and shorter ones at the start of the next page's window."""
    left, top, right, bottom = found.window
    across = [(left, MARKS), (right, MARKS)]
    down = [(top, MARKS), (bottom, MARKS)]
    if found.overlap > 0:
        across += [(right - found.overlap, MARKS / 2)] * page.goes_right
        down += [(bottom - found.overlap, MARKS / 2)] * page.goes_down
    for x, reach in across:
        yield x, top - reach, x, top - _GAP
        yield x, bottom + _GAP, x, bottom + reach
    for y, reach in down:
        yield left - reach, y, left - _GAP, y
        yield right + _GAP, y, right + reach, y


def _ruler(left: float, top: float) -> Iterator[str]:
    """Return a line of 100 mm with a tick every millimetre, longer every five and ten."""
    yield "/Ruler BMC"
    yield from _segments([(left, top, left + RULER, top)])
    yield "EMC"
    yield "/Ticks BMC"
    ticks = []
    for millimetre in range(int(RULER) + 1):
        reach = 3.5 if millimetre % 10 == 0 else 2.5 if millimetre % 5 == 0 else 1.5
        ticks.append((left + millimetre, top, left + millimetre, top + reach))
    yield from _segments(ticks)
    yield from _letters(f"{RULER:g} mm", left + RULER + 2 * _GAP, top + _LETTERS)
    yield "EMC"


def _segments(segments: list[tuple[float, float, float, float]]) -> Iterator[str]:
    for ends in segments:
        yield "{} {} m {} {} l S".format(*map(decimal, ends))


def _letters(text: str, left: float, base: float) -> Iterator[str]:
    letters = lettered(text, _LETTERS)
    for number in range(len(letters)):
        yield _path(letters[number] + np.array([left, base])) + " S"


def _path(points: Floats) -> str:
    """Return the operators for a curve of 3k + 1 control points."""
    steps = Steps.from_points(points)
    drawn = steps.spelled("{:.10g} {:.10g} l", "{:.10g} {:.10g} {:.10g} {:.10g} {:.10g} {:.10g} c")
    return " ".join(["{:.10g} {:.10g} m".format(*steps.start.tolist()), *drawn])
