"""Boards and their division into cells: an outline, a tiling, columns and rows, and a seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from studio.base.parameters import ParameterError
from studio.base.texts import tr
from studio.geometry.curves.strokes import Floats

GRID, BRICKS, HEXAGONS, TRIANGLES, VORONOI, RINGS, HAND_CUT, DRAWN = (
    "grid", "bricks", "hexagons", "triangles", "voronoi", "rings", "hand-cut", "drawn",
)  # fmt: skip
"""Ways to divide a board."""
RECTANGLE, ELLIPSE, POLYGON, HEART, ARCH, FROM_FILE = "rectangle", "ellipse", "polygon", "heart", "arch", "file"
"""Forms of boards."""
TILINGS = {
    GRID: tr("Grid"), BRICKS: tr("Offset rows"), HEXAGONS: tr("Hexagons"), TRIANGLES: tr("Triangles"),
    VORONOI: tr("Voronoi"), RINGS: tr("Rings"), HAND_CUT: tr("Hand-cut"),
    DRAWN: tr("Drawn cuts"),
}  # fmt: skip
OUTLINES = {
    RECTANGLE: tr("Rectangle"), ELLIPSE: tr("Ellipse"), POLYGON: tr("Polygon"), HEART: tr("Heart"), ARCH: tr("Arch"),
    FROM_FILE: tr("From a file"),
}  # fmt: skip
NO_FLOW, SWIRL, FAN, WAVE, FLOW_LINES = "none", "swirl", "fan", "wave", "lines"
"""Ways in which rows of pieces run."""
FLOWS = {
    NO_FLOW: tr("Straight"), SWIRL: tr("Swirl"), FAN: tr("Fan"), WAVE: tr("Waves"), FLOW_LINES: tr("Flow lines"),
}  # fmt: skip
SEEDED = (VORONOI, RINGS, HAND_CUT)
"""Tilings that depend on the seed."""
Ring = tuple[tuple[float, float], ...]
"""A closed curve of cubics: its 3k + 1 control points in mm."""
Way = tuple[tuple[float, float], ...]
"""A flow line, along which rows run: places as shares of the board's width and height."""
MOST_FLOW_PLACES = 2_000
"""Most places of all flow lines."""
MOST_POINTS = 60_000
"""Control points of an outline from a file."""
MOST_DRAWN = 400_000
"""Control points of drawn cuts."""
LONGEST_NAME = 40
"""Letters in a name of a drawn board."""
PATH_DECIMALS = 6
"""Decimals of an outline's curves and of its size in mm."""


@dataclass(frozen=True)
class DrawnCut:
    """A cut between two pieces: its name, the names of the corners at its ends and of the pieces on its right and left,
    and its curve, 3k + 1 control points in mm."""

    name: str
    ends: tuple[str, str]
    pieces: tuple[str, str]
    curve: Ring

    def __post_init__(self) -> None:
        """Raise ParameterError for names and curves that no cut has."""
        if not all(0 < len(name) <= LONGEST_NAME for name in (self.name, *self.ends, *self.pieces)):
            raise ParameterError("name", tr("names of a drawn cut must have 1 to {most} letters.", most=LONGEST_NAME))
        if self.ends[0] == self.ends[1] or self.pieces[0] == self.pieces[1]:
            raise ParameterError("ends", tr("a drawn cut must lead from one corner to another, between two pieces."))
        refuse_no_curve(self.curve)


@dataclass(frozen=True)
class LooseLine:
    """A line of a drawing that parts no pieces: its name and its curve, 3k + 1 control points in mm.

    It is not cut unless it is a detail, such as an eye or a whisker.
    """

    name: str
    curve: Ring
    is_detail: bool = False

    def __post_init__(self) -> None:
        """Raise ParameterError for names and curves that no line has."""
        if not 0 < len(self.name) <= LONGEST_NAME:
            raise ParameterError("name", tr("names of a loose line must have 1 to {most} letters.", most=LONGEST_NAME))
        refuse_no_curve(self.curve)


@dataclass(frozen=True)
class Form:
    """The form of a board, `width` × `height` mm.

    A polygon has `sides`, a rectangle corners of a `radius` in mm; `path` has the rings of an outline from a file,
    which are stretched to the size. The cleft of a heart is a cusp, or open.
    """

    outline: str
    width: float
    height: float
    sides: int = 6
    radius: float = 0.0
    path: tuple[Ring, ...] = ()
    has_open_cleft: bool = False


@dataclass(frozen=True)
class Flow:
    """The way in which rows run, one of FLOWS, and its strength from 0 to 1."""

    kind: str
    strength: float
    seed: int = 0
    lines: tuple[Way, ...] = ()


@dataclass(frozen=True)
class Division:
    """Cells of a form: a tiling in columns and rows, and the flow of rows; rings can have one cell in the middle.

    Edges shorter than `least_edge` are lengthened where there is room, and corners move `least_across` apart; in cells.
    """

    form: Form
    tiling: str
    columns: int
    rows: int
    seed: int = 0
    has_middle: bool = True
    flow: Flow | None = None
    least_edge: float = 0.0
    least_across: float = 0.0


def path_of(rings: Sequence[Floats]) -> tuple[Ring, ...]:
    """Convert closed curves (3k + 1, 2) in mm to the rounded path that a design keeps."""
    return tuple(tuple((x, y) for x, y in np.round(ring, PATH_DECIMALS).tolist()) for ring in rings)


def refuse_no_curve(curve: Ring) -> None:
    """Raise ParameterError for points that are not those of cubics joined end to end."""
    if len(curve) < 4 or len(curve) % 3 != 1:
        raise ParameterError("curve", tr("curve must have 3 n + 1 points for n curves."))


def refuse_no_path(outline: str, path: tuple[Ring, ...]) -> None:
    """Raise ParameterError for an invalid path, or for an outline from a file without a path."""
    if sum(map(len, path)) > MOST_POINTS:
        raise ParameterError("path", tr("path must have at most {most} points.", most=MOST_POINTS))
    for ring in path:
        if len(ring) < 4 or len(ring) % 3 != 1 or ring[0] != ring[-1]:
            raise ParameterError("path", tr("path must be closed rings of 3 n + 1 points for n curves."))
    if outline == FROM_FILE and not path:
        raise ParameterError("outline", tr("Import an outline from an SVG or DXF file first."))


def refuse_no_flow_lines(flow: str, lines: tuple[Way, ...]) -> None:
    """Raise ParameterError for flow lines without a length or off the board, or if rows run along lines without any."""
    places = [place for way in lines for place in way]
    if len(places) > MOST_FLOW_PLACES:
        raise ParameterError("flow_lines", tr("Flow lines must have at most {most} places.", most=MOST_FLOW_PLACES))
    if any(len({*way}) < 2 for way in lines):
        raise ParameterError("flow_lines", tr("A flow line needs two places or more."))
    if not all(0 <= each <= 1 for place in places for each in place):
        raise ParameterError("flow_lines", tr("Flow lines must be on the board."))
    if flow == FLOW_LINES and not lines:
        raise ParameterError("flow", tr("Draw flow lines first."))
