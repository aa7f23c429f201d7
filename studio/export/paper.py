"""What the formats for paper share: the choice of paper, and what was read back held against the leaflet's pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from studio.export.format import Report, Unreadable
from studio.export.options import NoOptions
from studio.export.pages import PAPERS
from studio.export.ready import rounded
from studio.export.steps import DECIMALS
from studio.geometry.curves import Floats
from studio.paper.leaflet import Leaflet
from studio.parameters import choice

EXACT = 0.01
"""How far in mm a page may be from its size when it is read back."""


@dataclass(frozen=True)
class LeafletOptions(NoOptions):
    """Choices for paper that goes with a puzzle; raises ParameterError for a value that cannot be."""

    paper: str = choice("A4", {name: name for name in PAPERS}, title="Paper",
        help="What is in the printer; all is laid out for it.")  # fmt: skip

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the paper in mm, upright."""
        return PAPERS[self.paper]


@dataclass(frozen=True, kw_only=True)
class LeafletReport(Report):
    """What was found in a file of pages: how many there are, and the size of the first in mm."""

    pages: int
    width: float
    height: float


@dataclass(frozen=True)
class FoundPage:
    """A page that was read: its size in mm, and the names of its groups."""

    width: float
    height: float
    groups: tuple[str, ...]


def prove_pages(found: Sequence[FoundPage], leaflet: Leaflet, _options: LeafletOptions, exact: float) -> LeafletReport:
    """What a file holds; raises Unreadable where that is not the leaflet."""
    pages = leaflet.pages
    if len(found) != len(pages):
        raise Unreadable(f"it has {len(found)} pages, not {len(pages)}")
    for read, page in zip(found, pages, strict=True):
        if not max(abs(read.width - page.width), abs(read.height - page.height)) <= exact:
            raise Unreadable(f"a page is {read.width:g} × {read.height:g} mm, not {page.width:g} × {page.height:g} mm")
        if read.groups != tuple(group.name for group in page.groups):
            raise Unreadable("something is missing on a page")
    return LeafletReport(pages=len(found), width=found[0].width, height=found[0].height)


def printable(text: str) -> str:
    """The text without the control characters that no file can hold."""
    return "".join(sign for sign in text if sign.isprintable())


def pairs(points: Floats) -> list[str]:
    """The coordinates of points as they are written, `x,y`."""
    return [f"{x:.10g},{y:.10g}" for x, y in rounded(points, DECIMALS).tolist()]


def number(value: float) -> str:
    """A number as it is written, with four decimals at most."""
    return f"{round(value, 4) + 0.0:.10g}"
