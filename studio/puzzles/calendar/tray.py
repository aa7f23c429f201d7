"""The parts of a calendar puzzle in their places: base, frame, fillers, pieces, and engraving.

Lengths are in mm from the top left corner of the board's first place, x to the right and y downwards. opening: the
hole of the frame for the board. filler: a place without a cell inside the board, which no frame reaches: it is a loose
part, glued on the base. grid: the lines along the sides of the cells. joint: the smallest
piece and a frame just for it, for a fit coupon.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np
import shapely

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.art.artwork import COLOURS
from studio.geometry.art.lettering import lettered
from studio.geometry.board.board_outline import ellipse, heart
from studio.geometry.curves.strokes import Curves, Floats
from studio.geometry.planar.drawing import Inlay
from studio.geometry.planar.polyomino import SHARE, corners_of, outline, rounded
from studio.geometry.planar.trays import BASE, FRAME, filler_names, parted
from studio.geometry.solids.slab import label, pair
from studio.geometry.solids.solid import Solid
from studio.puzzles.calendar.model import (
    FILLED,
    RECTANGLE,
    ROUND,
    Board,
    CalendarDesign,
    CalendarParameters,
    Label,
    Mask,
    Piece,
)

if TYPE_CHECKING:
    from studio.puzzles.calendar.geometry import CalendarShapes

# Outlines of frames that are no rectangle: the smallest circle or heart that leaves a frame of some width everywhere.
# All is in mm, x to the right and y downwards.


STEP = 0.5
"""The width of a heart is a multiple of these mm."""
TALL_FRAME = 0.92
"""The height of a heart, as a share of its width."""
FRAME_CHORDS = 0.01
"""Distance in mm of chords from the outline in measurements."""
STRAYED = 0.05
"""Greatest error in mm of a heart's cleft between two measured places."""
MOST_PLACES = 200
"""About the most of these places across a board."""
FLAT = 1e-6
"""Rounding error in mm."""


@lru_cache(maxsize=32)
def _heart(region: bytes, frame: float) -> Floats:
    """The smallest heart, symmetric or not about the board, whichever lets it be smaller."""
    cells = shapely.from_wkb(region)
    left, top, right, _bottom = cells.bounds
    corners = shapely.get_coordinates(shapely.convex_hull(cells))[:-1]
    # Only the cleft of a heart can reach in between corners: at places above which there is no cell.
    apart = max((8 * STRAYED * frame) ** 0.5, (right - left) / MOST_PLACES)
    rim = np.unique(shapely.get_coordinates(shapely.segmentize(shapely.boundary(cells), apart)), axis=0)
    above = shapely.linestrings(np.stack([rim, np.column_stack([rim[:, 0], np.full(len(rim), top - 1.0)])], 1))
    places = np.concatenate([corners, rim[shapely.length(shapely.intersection(above, cells)) < FLAT]])
    low, high = 0, 2
    while _room(high * STEP, places, frame) is None:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _room(middle * STEP, places, frame) is not None else (middle, high)
    width = high * STEP
    room = _room(width, places, frame)
    assert room is not None
    # The board is in the middle across if it can be.
    upright = shapely.LineString([(-(left + right) / 2 + width / 2, -1e6), (-(left + right) / 2 + width / 2, 1e6)])
    line = shapely.intersection(room, upright)
    shift = shapely.get_coordinates((room if line.is_empty else line).centroid)[0]
    return np.asarray(heart(width, TALL_FRAME * width) - shift)


def _room(width: float, places: Floats, frame: float) -> shapely.Geometry | None:
    """Shifts that bring a board, by places on its rim, into a heart of a width; None if none does."""
    outline = Curves.from_strokes([heart(width, TALL_FRAME * width)]).flattened(FRAME_CHORDS).points
    inside = shapely.simplify(shapely.buffer(shapely.Polygon(outline), -frame), FRAME_CHORDS)
    if inside.is_empty:
        return None
    rim = shapely.get_coordinates(shapely.get_exterior_ring(inside))
    room: shapely.Geometry | None = None
    for place in places:
        there = shapely.Polygon(rim - place)
        room = there if room is None else shapely.intersection(room, there)
        if room.is_empty:
            return None
    return room


WIDE, TALL = 0.76, 0.5
"""The shares of a cell that its text may take across and up."""
NOTCH_WIDTH, NOTCH_DEPTH = 18.0, 8.0
"""Width and depth of the finger notch in mm, if the frame has room for it."""
CHORDS = 0.03
"""Greatest distance in mm of a printed outline's chords from its curve."""
NOTCH_SHARE = 0.6
"""The largest shares of the frame and of the opening's side for the notch."""


@dataclass(frozen=True, eq=False)
class Ring:
    """A closed way at right angles: its corners (n, 2) in mm, and the radius (n,) of each; or any closed curve.

    Of a `curve` (3k + 1, 2) the corners are places on it, near enough to each other to be printed.
    """

    corners: Floats
    radii: Floats
    curve: Floats | None = None

    @property
    def stroke(self) -> Floats:
        """The ring as one closed stroke (3k + 1, 2)."""
        return rounded(self.corners, self.radii) if self.curve is None else self.curve


@dataclass(frozen=True, eq=False)
class TrayPart:
    """A flat part: its name, its outline and then its holes, and the number of the design's piece that it is of."""

    name: str
    rings: tuple[Ring, ...]
    piece: int = -1


@dataclass(frozen=True, eq=False)
class Tray:
    """All flat parts of a design; `low` and `high` are the corners of base and frame."""

    low: tuple[float, float]
    high: tuple[float, float]
    base: TrayPart
    frame: TrayPart
    fillers: tuple[TrayPart, ...]
    pieces: tuple[TrayPart, ...]

    @cached_property
    def parts(self) -> tuple[TrayPart, ...]:
        """All of them: base, frame, fillers, pieces."""
        return (self.base, self.frame, *self.fillers, *self.pieces)


def tray(design: CalendarDesign) -> Tray:
    """The parts of a design."""
    parameters = design.parameters
    frame, fillers, low, high = _framed(design.layout.rows, _Wood.from_parameters(parameters))
    base = TrayPart(BASE, frame.rings[:1])
    pieces = tuple(
        part
        for number, piece in enumerate(design.set)
        for part in _piece(piece, number, _Wood.from_parameters(parameters))
    )
    return Tray(low, high, base, frame, fillers, pieces)


def alone(piece: Piece, parameters: CalendarParameters) -> tuple[Ring, Ring]:
    """The outline of a piece in one part without a hole, and the opening of a frame just for it, as a hole."""
    wood = _Wood.from_parameters(parameters)
    opening = shapely.buffer(squares_of(piece.mask, wood.cell), wood.play, join_style="mitre")
    frame = shapely.difference(shapely.buffer(shapely.envelope(opening), wood.frame, join_style="mitre"), opening)
    return _piece(piece, 0, wood)[0].rings[0], _rings(frame, wood.radius)[1]


@dataclass(frozen=True)
class _Wood:
    """The parameters that outlines depend on."""

    cell: float
    frame: float
    play: float
    radius: float
    corner: float
    notch: bool
    outline: str

    @classmethod
    def from_parameters(cls, parameters: CalendarParameters) -> _Wood:
        return cls(**{field.name: getattr(parameters, field.name) for field in fields(cls)})


@lru_cache(maxsize=16)
def _framed(
    rows: tuple[str, ...], wood: _Wood
) -> tuple[TrayPart, tuple[TrayPart, ...], tuple[float, float], tuple[float, float]]:
    """Frame and fillers of a board, and the corners of the frame."""
    cells = squares_of(Board(rows).mask, wood.cell)
    if wood.outline == RECTANGLE:
        left, top, right, bottom = (shapely.bounds(cells) + wood.frame * np.array([-1, -1, 1, 1])).tolist()
        corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
        outside = Ring(corners, np.full(4, wood.corner))
    else:
        if wood.outline == ROUND:
            circle = shapely.minimum_bounding_circle(cells)
            middle = shapely.get_coordinates(circle.envelope.centroid)[0]
            side = 2 * (float(np.hypot(*(shapely.get_coordinates(cells) - middle).T).max()) + wood.frame)
            curve = ellipse(side, side) + middle - side / 2
        else:
            curve = _heart(shapely.to_wkb(cells), wood.frame)
        corners = Curves.from_strokes([curve]).flattened(CHORDS).points[:-1]
        outside = Ring(corners, np.zeros(len(corners)), curve)
    low, high = tuple(outside.corners.min(axis=0).tolist()), tuple(outside.corners.max(axis=0).tolist())
    opening = shapely.buffer(cells, wood.play, join_style="mitre") if wood.play else cells
    notch = _notch(opening, wood) if wood.notch else None
    if notch is not None:
        opening = shapely.union(opening, notch)
    left_over, loose = parted(shapely.Polygon(outside.corners), opening)
    frame = TrayPart(FRAME, (outside, *_rings(left_over, wood.radius, notch)[1:]))
    fillers = [_rings(part, wood.radius, notch) for part in loose]
    return frame, tuple(map(TrayPart, filler_names(len(fillers)), fillers)), low, high


@lru_cache(maxsize=256)
def _piece(piece: Piece, number: int, wood: _Wood) -> tuple[TrayPart, ...]:
    """The parts of a piece; a sound piece has one."""
    region = shapely.buffer(squares_of(piece.mask, wood.cell), -wood.play / 2, join_style="mitre")
    parts = [_rings(part, wood.radius) for part in shapely.get_parts(region)]
    names = [piece.name] if len(parts) == 1 else [f"{piece.name} {at}" for at in range(1, len(parts) + 1)]
    return tuple(TrayPart(name, rings, number) for name, rings in zip(names, parts, strict=True))


def squares_of(mask: Mask, cell: float) -> shapely.Geometry:
    """The union of the squares where a mask is true."""
    rows, columns = np.nonzero(mask)
    return shapely.coverage_union_all(shapely.box(columns * cell, rows * cell, (columns + 1) * cell, (rows + 1) * cell))


def _rings(polygon: shapely.Polygon, radius: float, notch: shapely.Polygon | None = None) -> tuple[Ring, ...]:
    """The outline of a polygon, followed clockwise on the screen, and its holes, the other way."""
    rings = []
    for ring in shapely.get_rings(shapely.orient_polygons(polygon)):
        corners = corners_of(shapely.get_coordinates(ring))
        radii = np.full(len(corners), radius)
        if notch is not None:
            radii[shapely.dwithin(shapely.points(corners), shapely.boundary(notch), 1e-6)] = NOTCH_DEPTH
        rings.append(Ring(corners, radii))
    return tuple(rings)


def _notch(opening: shapely.Geometry, wood: _Wood) -> shapely.Polygon:
    """A rectangle from the middle of the opening's longest side, the lower of two, into the frame."""
    left, top, right, bottom = shapely.bounds(opening).tolist()
    corners = [corners_of(shapely.get_coordinates(ring)) for ring in shapely.get_rings(shapely.get_parts(opening))]
    sides = np.concatenate([np.stack([each, np.roll(each, -1, axis=0)], 1) for each in corners])
    lengths = np.abs(sides[:, 1] - sides[:, 0]).sum(axis=1)
    outer = [
        (at, axis, way)
        for axis, way, rim in ((1, 1.0, bottom), (0, 1.0, right), (1, -1.0, top), (0, -1.0, left))
        for at in np.flatnonzero((np.abs(sides[:, :, axis] - rim) < 1e-6).all(axis=1)).tolist()
    ]
    at, axis, way = max(outer, key=lambda side: round(float(lengths[side[0]]), 6))
    width = min(NOTCH_WIDTH, NOTCH_SHARE * float(lengths[at]))
    depth = min(NOTCH_DEPTH, NOTCH_SHARE * (wood.frame - wood.play))
    # It begins within the opening, so that rounding errors leave no sliver between the two.
    middle = sides[at].mean(axis=0)
    ends = np.array([middle, middle])
    ends[:, 1 - axis] += -width / 2, width / 2
    ends[:, axis] += -way * wood.cell / 4, way * depth
    return shapely.box(*ends.min(axis=0), *ends.max(axis=0))


@dataclass(frozen=True, eq=False)
class Lettering:
    """The strokes of the labels by their cells' names, their height, and the texts refused with the reasons."""

    strokes: dict[str, Curves]
    height: float
    fitting: float
    refused: dict[str, str]


@lru_cache(maxsize=16)
def lettering(labels: tuple[Label, ...], board: Board, cell: float, height: float) -> Lettering:
    """Every label in the middle of its cell, all equally tall: as asked, or as fits the longest text.

    A text with a character that the font lacks is left out, and reported.
    """
    drawn, refused = {}, {}
    for each in labels:
        try:
            drawn[each.name] = lettered(each.text, 1.0)
        except StudioError as problem:
            refused[each.name] = str(problem)
    drawn = {name: strokes for name, strokes in drawn.items() if len(strokes)}
    # The greatest height of capitals that keeps every text, with strokes of height 1 centred in its cell, in its share.
    fitting = TALL * cell
    for strokes in drawn.values():
        (left, top), (right, bottom) = strokes.points.min(axis=0).tolist(), strokes.points.max(axis=0).tolist()
        reach = max(-0.5 - top, bottom + 0.5, 0.5)
        fitting = min(fitting, WIDE * cell / max(right - left, 1e-6), WIDE * cell / (2 * reach))
    used = min(height, fitting) if height > 0 else fitting
    placed = {}
    for name, strokes in drawn.items():
        row, column = board.places[name]
        middle = np.array([(column + 0.5) * cell, (row + 0.5) * cell])
        left, right = strokes.points[:, 0].min(), strokes.points[:, 0].max()
        placed[name] = Curves(strokes.points * used + middle - ((left + right) / 2 * used, -used / 2), strokes.starts)
    return Lettering(placed, used, fitting, refused)


def grid(board: Board, cell: float, *, inner: bool = False) -> Floats:
    """The lines (n, 2, 2) along the sides of the cells, each as long as it runs; with `inner` only between cells."""
    lines: list[tuple[tuple[int, int], tuple[int, int]]] = []
    for mask, is_upright in ((board.mask, False), (board.mask.T, True)):
        around = np.pad(mask, ((1, 1), (0, 0)))
        beside = around[1:] & around[:-1] if inner else around[1:] | around[:-1]
        for across, row in enumerate(beside):
            edges = np.flatnonzero(np.diff(row.astype(np.int8), prepend=0, append=0)).tolist()
            for begin, end in zip(edges[::2], edges[1::2], strict=True):
                ends = ((begin, across), (end, across))
                lines.append(((across, begin), (across, end)) if is_upright else ends)
    return np.array(lines, np.float64).reshape(-1, 2, 2) * cell


def text_of(design: CalendarDesign) -> Lettering:
    """The lettering of a design's labels."""
    board, parameters = design.layout, design.parameters
    return lettering(board.labels, board, parameters.cell, parameters.text)


def largest_radius(parameters: CalendarParameters) -> float:
    """The largest radius in mm that a piece's corners can have."""
    return SHARE * (parameters.cell - parameters.play)


def largest_chamfer(parameters: CalendarParameters) -> float:
    """The largest chamfer in mm that leaves a wall on a printed piece, and a flat on its prongs."""
    return min(0.4 * parameters.thickness, 0.25 * (parameters.cell - parameters.play))


# The joint of a fit coupon: the smallest piece, and a frame just for that.


ROUNDED_OFF = 0.3
"""Least distance, in radii, of a rectangle's corner from both sides of a rounded corner that it lies within."""


def joint(shapes: CalendarShapes) -> Inlay:
    """The smallest piece and the opening of a frame around it; raises StudioError if no piece is whole."""
    design = shapes.design
    piece = smallest_piece(design)
    part, opening = (ring.stroke for ring in alone(piece, design.parameters))
    return Inlay(part, opening, room(piece, design.parameters))


def smallest_piece(design: CalendarDesign) -> Piece:
    """The smallest piece in one part without a hole; raises StudioError if every piece has parts or holes."""
    whole = []
    for piece in design.set:
        with suppress(StudioError):
            outline(piece.mask)
            whole.append(piece)
    if not whole:
        raise StudioError(tr("A fit coupon needs a piece in one part without a hole."))
    return min(whole, key=lambda one: len(one.squares))


def room(piece: Piece, parameters: CalendarParameters) -> tuple[float, float, float, float]:
    """Left, top, right and bottom in mm of a rectangle within the longest row of squares."""
    runs = [
        (run.end() - run.start(), row, run.start())
        for row, squares in enumerate(piece.rows)
        for run in re.finditer(f"{re.escape(FILLED)}+", squares)
    ]
    length, row, column = max(runs)
    margin = parameters.play / 2 + ROUNDED_OFF * min(parameters.radius, largest_radius(parameters))
    left, top, cell = column * parameters.cell, row * parameters.cell, parameters.cell
    return left + margin, top + margin, left + length * cell - margin, top + cell - margin


# The printed fit coupon of a calendar puzzle: its smallest piece in a frame just for that, at several clearances.
# The piece is made smaller, since the fit depends on the clearance alone.


CELL = 6.5
"""Greatest side of a piece's square, in mm."""


def joints(design: CalendarDesign, gaps: Sequence[float], progress: Progress) -> tuple[Solid, ...]:
    """A frame and a piece for each clearance in mm; raises StudioError if no piece is whole, and Cancelled."""
    p, piece = design.parameters, smallest_piece(design)
    cell = min(p.cell, CELL)
    found = []
    for number, gap in enumerate(gaps):
        progress.step(number / len(gaps), tr("Making the {clearance} mm pair", clearance=label(gap)))
        one = replace(p, cell=cell, play=gap, radius=min(p.radius, 0.1 * cell), corner=0.0)
        rings = [Curves.from_strokes([ring.stroke]).flattened(0.02).points for ring in alone(piece, one)]
        part, opening = map(shapely.Polygon, rings)
        meshes = pair(part, opening, room(piece, one), p.thickness, label(gap))
        for name, mesh in zip("ab", meshes, strict=True):
            found.append(Solid(f"{label(gap)} {name}", COLOURS[number % len(COLOURS)], mesh))
    progress.step(1.0)
    return tuple(found)
