"""Splits a drawing over tiled pages: the orientation of the paper, the number of pages and the window of each.

window: the part of a page that shows the drawing, with crop marks around it and the ruler below it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

from studio.base.errors import StudioError
from studio.base.texts import cell_name, tr
from studio.export.options import PAPERS, PdfOptions

MARKS = 5.0
"""Length in mm of the crop marks outside the window."""
STRIP = 14.0
"""Height in mm of the page's name and the ruler below the marks."""
RULER = 100.0
MOST_PAGES = 500
# Overhang in mm of the drawing that a window ignores.
_NOISE = 1e-6


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
