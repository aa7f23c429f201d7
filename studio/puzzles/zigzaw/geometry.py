"""Shapes of a zigzaw's design: pieces that share their lines, the frame around them, engravings and stickers.

Each limb has a sticker a little smaller than it, and the frame has stickers; all are in mm from the origin of a cube or
of the grid, y downwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import shapely

from studio.base.progress import SILENT, Progress, kept
from studio.geometry.curves.strokes import Curves, Floats, closed_through, frozen, offsets, through
from studio.geometry.planar.drawing import Chain, Drawing, Operation, Pieces, in_order
from studio.geometry.planar.polyomino import rounded_line
from studio.puzzles.zigzaw.board import layout
from studio.puzzles.zigzaw.bodies import (
    ACROSS,
    DOWN,
    FACE_TITLES,
    FACES,
    OUTLINES,
    STEPS,
    Cube,
    Point,
    Sticker,
    body,
    grid,
    in_mm,
)
from studio.puzzles.zigzaw.colours import GAP, artwork
from studio.puzzles.zigzaw.engraving import engraved, hatched, printed, scored
from studio.puzzles.zigzaw.model import (
    BACK,
    COLOUR,
    HATCH,
    IN_PARTS,
    UNPAINTED,
    ZigzawDesign,
    ZigzawParameters,
    cube_name,
)
from studio.puzzles.zigzaw.outlines import Lines, lines_of
from studio.solving.edges import UNKNOWN

FRAME = "Frame"
PIECE_SECONDS = 5e-4
"""Approximate time to compute the lines of a piece."""
GRID = 1e-3
"""The grid in mm on which corners of areas are."""
FOLLOWED = 0.02
"""Greatest distance in mm of a piece's sides from the curves that are cut."""
LEAST = 0.2
"""The least area in mm² of a sticker that is drawn."""


@dataclass(frozen=True, eq=False)
class ZigzawShapes:
    """A zigzaw's drawing, and the place of the grid's origin in it, in mm, with the front up."""

    design: ZigzawDesign
    drawing: Drawing
    origin: Floats

    def at(self, points: Floats) -> Floats:
        """Lattice points (…, 2) in mm."""
        found = in_mm(points, self.design.parameters.edge) + self.origin
        return mirrored(found, self.drawing.width) if self.design.parameters.side == BACK else found

    def face_outline(self, cube: Cube, face: str) -> Floats:
        """The corners (4, 2) of a face in the drawing, in mm."""
        return self.at(np.array(OUTLINES[face], float) + cube.origin)

    def face_at(self, x: float, y: float) -> tuple[Cube, str] | None:
        """The cube and its face at a place in mm; None off the cubes."""
        p = self.design.parameters
        place = np.array([x, y])
        if p.side == BACK:
            place = mirrored(place, self.drawing.width)
        u, v = (place - self.origin) / in_mm(np.ones(2), p.edge)
        for row in range(max(int((v - 16) // DOWN), 0), min(int(v // DOWN), p.rows + 1) + 1):
            column = int((u - Cube(row, 0).origin[0] - ACROSS // 2) // ACROSS)
            if 0 <= column < p.columns + 2:
                cube = Cube(row, column)
                a, b = u - cube.origin[0], v - cube.origin[1]
                face = "T" if abs(a - 6) + abs(b - 7) <= 3 else "L" if a < 6 else "R"
                slant = a - 3 if a < 6 else 9 - a
                if face == "T" or 7 + slant <= b <= 13 + slant:
                    return cube, face
        return None

    def middle_of(self, cube: Cube) -> tuple[float, float]:
        """The middle of a cube's picture in the drawing, in mm."""
        x, y = cube.origin
        middle = self.at(np.array([x + 6.0, y + 10.0]))
        return float(middle[0]), float(middle[1])


def mirrored(points: Floats, width: float) -> Floats:
    """Points (…, 2) of a page `width` mm wide, seen from behind."""
    return np.asarray(np.array([width, 0.0]) + points * np.array([-1.0, 1.0]))


def shape(design: ZigzawDesign, before: ZigzawShapes | None, progress: Progress) -> ZigzawShapes:
    """The shapes of a design; unchanged colours are taken from `before`."""
    progress.step(0.0)
    p = design.parameters
    lines, origin = plain(p, progress)
    progress.step(0.7)
    drawing = _with(lines, Operation.SCORE, scored(p, lines.width, lines.height))
    if p.side == BACK:
        drawing = _with(drawing, Operation.ENGRAVE, engraved(design, origin, lines.width))
    elif p.finish == HATCH:
        drawing = _with(drawing, Operation.ENGRAVE, hatched(design, origin))
    elif p.finish == COLOUR:
        known = None
        if before is not None and before.design.parameters == p:
            known = before.design, before.drawing.artwork
        marks = printed(p, lines.width, lines.height)
        drawing = replace(drawing, artwork=(*artwork(design, origin, known), *marks))
    return ZigzawShapes(design, drawing, origin)


def plain(parameters: ZigzawParameters, progress: Progress = SILENT) -> tuple[Drawing, Floats]:
    """The drawing with its lines alone, and the place of the grid's origin."""
    return _plain(size_of(parameters), progress)


def size_of(parameters: ZigzawParameters) -> ZigzawParameters:
    """The parameters on which the lines depend."""
    p = parameters
    return ZigzawParameters(
        columns=p.columns, rows=p.rows, body=p.body, edge=p.edge, border=p.border, radius=p.radius, frame=p.frame,
        side=p.side,
    )  # fmt: skip


def _stroke(parameters: ZigzawParameters, known: Lines, line: tuple[Point, ...]) -> Floats:
    """A line of the board, its bends rounded, from the origin of the grid."""
    x, y = line[0]
    form = tuple([(to_x - x, to_y - y) for to_x, to_y in line])
    sharp = tuple([point in known.sharp for point in line])
    first, last = in_mm(np.array([line[0], line[-1]], float), parameters.edge)
    stroke = _form(parameters.edge, parameters.radius, form, sharp) + first
    # Lines that meet end in the very same place.
    stroke[0], stroke[-1] = first, last
    return np.asarray(stroke)


@lru_cache(512)
def _form(edge: float, radius: float, form: tuple[Point, ...], sharp: tuple[bool, ...]) -> Floats:
    """A line from its first point on, its bends rounded; a board has few lines of different form."""
    radii = np.array([0.0 if stays else radius for stays in sharp])
    return frozen(rounded_line(in_mm(np.array(form, float), edge), radii))


@lru_cache(8)
def _piece(parameters: ZigzawParameters) -> Floats:
    known = lines_of(parameters)
    middle = known.rings[len(known.rings) // 2]
    cube = layout(parameters).places[len(known.rings) // 2]
    origin = in_mm(np.array(cube.origin, float), parameters.edge)
    lines = [code >> 1 for code in middle]
    strokes = Curves.from_strokes([_stroke(parameters, known, known.lines[line]) - origin for line in lines])
    names = {line: at for at, line in enumerate(lines)}
    codes = np.array([2 * names[code >> 1] + (code & 1) for code in middle])
    return frozen(strokes.joined(codes, np.array([0, len(codes)])).points)


def outline_of(parameters: ZigzawParameters) -> Floats:
    """The outline of a piece with neighbours all around, closed and clockwise, in mm from the origin of its cube."""
    p = parameters
    return _piece(ZigzawParameters(columns=3, rows=3, body=p.body, edge=p.edge, radius=p.radius))


def _with(drawing: Drawing, operation: Operation, strokes: Curves) -> Drawing:
    """The drawing with more strokes, a chain each."""
    if not len(strokes):
        return drawing
    first = len(drawing.strokes)
    ends = strokes.ends
    closed = (ends[:, 0] == ends[:, 1]).all(axis=1).tolist()
    chains = [Chain(operation, np.array([2 * (first + at)]), is_closed) for at, is_closed in enumerate(closed)]
    every = Curves.gathered([drawing.strokes, strokes])
    return replace(drawing, strokes=every, chains=in_order([*chains, *drawing.chains]))


@kept(8)
def _plain(parameters: ZigzawParameters, progress: Progress) -> tuple[Drawing, Floats]:
    p = parameters
    progress.ahead(PIECE_SECONDS * p.columns * p.rows)
    low, high = in_mm(_extent(p), p.edge)
    size = high - low + 2 * p.border
    width, height = size.tolist()
    origin = frozen(p.border - low)
    known = lines_of(p)
    strokes = [_stroke(p, known, line) + origin for line in known.lines]
    chains = [Chain(Operation.INNER, np.array(run)) for run in known.runs]
    names = [cube_name(p, cube) for cube in layout(p).places]
    if p.frame == IN_PARTS:
        added, rings = _parted(p, known, origin, size)
        chains += [Chain(Operation.INNER, np.array([2 * (len(strokes) + at)])) for at in range(len(rings))]
        border = 2 * (len(strokes) + len(rings) + np.arange(len(rings)))
        names += [f"{FRAME} {number}" for number in range(1, len(rings) + 1)]
        holes: list[int] = []
    else:
        added = [closed_through(np.array([(0, 0), (width, 0), (width, height), (0, height)], float))]
        border = np.array([2 * len(strokes)])
        rings = [(2 * len(strokes), *known.rim)]
        names.append(FRAME)
        holes = [sum(map(len, known.rings)) + 1]
    chains.append(Chain(Operation.BORDER, border, closed=True))
    every = [*known.rings, *rings]
    codes = np.concatenate([np.array(ring, np.int64) for ring in every])
    starts = offsets(np.array([len(ring) for ring in every]))
    pieces = Pieces(codes, starts, tuple(names), np.array(holes, np.int64))
    drawing = Drawing(width, height, Curves.from_strokes([*strokes, *added]), tuple(chains), pieces)
    return (_from_behind(drawing) if p.side == BACK else drawing), origin


def _parted(
    p: ZigzawParameters, known: Lines, origin: Floats, size: Floats
) -> tuple[list[Floats], list[tuple[int, ...]]]:
    """The strokes of the partings and then of the border between them, and the ring of every part of the frame."""
    count = len(known.partings)
    corners = np.array([(1, 0), (1, 1), (0, 1), (0, 0)]) * size
    partings = []
    for parting in known.partings:
        points = in_mm(np.array(parting.points, float), p.edge) + origin
        way = np.array(parting.outwards)
        end = np.where(way > 0, size, np.where(way < 0, 0.0, points[-1]))
        partings.append(rounded_line(np.concatenate([points, [end]]), p.radius))
    ends = [parting[-1] for parting in partings]
    border = [through(np.array([ends[at], corners[at], ends[(at + 1) % count]])) for at in range(count)]
    rings = []
    first = len(known.lines)
    for at in range(count):
        after = (at + 1) % count
        rings.append((
            2 * (first + count + at),
            2 * (first + after) + 1,
            *_between(known.rim, known.begins[after], known.begins[at]),
            2 * (first + at),
        ))  # fmt: skip
    return [*partings, *border], rings


def _between(ring: Sequence[int], begin: int, end: int) -> Sequence[int]:
    """The codes of a ring from one place up to another."""
    return ring[begin:end] if begin < end else (*ring[begin:], *ring[:end])


def _from_behind(drawing: Drawing) -> Drawing:
    """A drawing mirrored, its pieces followed clockwise again."""
    pieces = drawing.pieces
    rings = [pieces.codes[begin:end][::-1] ^ 1 for begin, end in zip(pieces.rings[:-1], pieces.rings[1:], strict=True)]
    turned = Pieces(np.concatenate(rings), pieces.starts, pieces.names, pieces.holes)
    strokes = Curves(mirrored(drawing.strokes.points, drawing.width), drawing.strokes.starts)
    return replace(drawing, strokes=strokes, pieces=turned)


def _extent(parameters: ZigzawParameters) -> Floats:
    """The least and greatest lattice point (2, 2) of all stickers of the grid."""
    points: list[Point] = []
    for cube in grid(parameters.columns + 2, parameters.rows + 2):
        x, y = cube.origin
        points += [(x + 3, y + 4), (x + 9, y + 16)]
    every = np.array(points, float)
    return np.array([every.min(axis=0), every.max(axis=0)])


@dataclass(frozen=True, eq=False)
class OnLimb:
    """A sticker of a limb: the limb's number and name, and its area from the origin of a piece's cube."""

    limb: int
    name: str
    area: shapely.Polygon


def outline(parameters: ZigzawParameters) -> shapely.Polygon:
    """A piece, from the origin of its cube."""
    return shapely.Polygon(Curves.from_strokes([outline_of(parameters)]).flattened(FOLLOWED).points)


def rhombus(sticker: Sticker, origin: Point, parameters: ZigzawParameters) -> shapely.Polygon:
    """A single sticker of a cube at a lattice point, as large as it can be."""
    return shapely.Polygon(in_mm(np.array(sticker.corners, float) + origin, parameters.edge))


def on_limbs(parameters: ZigzawParameters, play: float = 0.0) -> tuple[OnLimb, ...]:
    """The stickers of a piece from whose sides half of `play` mm is taken away."""
    p = parameters
    return _on_limbs(ZigzawParameters(columns=3, rows=3, body=p.body, edge=p.edge, radius=p.radius), play)


@lru_cache(8)
def _on_limbs(parameters: ZigzawParameters, play: float) -> tuple[OnLimb, ...]:
    piece = outline(parameters)
    found = []
    for number, limb in enumerate(body(parameters.body).limbs):
        whole = joined([rhombus(sticker, STEPS[limb.step], parameters) for sticker in limb.stickers])
        found += [
            OnLimb(number, name, area)
            for name, area in within(limb.name.replace("_", " "), whole, piece, parameters.edge, play)
        ]
    return tuple(found)


def on_frame(design: ZigzawDesign) -> Iterator[tuple[str, str, shapely.Polygon]]:
    """Faces on the frame, from the origin of the grid: a name, the letter of its paint and its area."""
    p = design.parameters
    for cube, owners in layout(p).stickers.items():
        for letter, face in zip(design.triples[cube], FACES, strict=True):
            own = [
                rhombus(sticker, cube.origin, p)
                for sticker, owner in owners.items()
                if owner == UNKNOWN and sticker.face == face
            ]
            if own and letter != UNPAINTED:
                yield f"{cube_name(p, cube)} {FACE_TITLES[face]}", letter, joined(own)


def joined(areas: Sequence[shapely.Polygon]) -> shapely.Geometry:
    """Join stickers side by side, without the slivers that rounding leaves between them."""
    return shapely.union_all(areas, grid_size=GRID)


def within(
    name: str, whole: shapely.Geometry, piece: shapely.Geometry, edge: float, play: float
) -> list[tuple[str, shapely.Polygon]]:
    """Clip stickers to a piece, a little smaller than it; number the parts if there are several."""
    shrunk = shapely.buffer(whole, -GAP * edge - play / 2, join_style="mitre")
    parts = shapely.get_parts(shrunk & shapely.buffer(piece, -GAP * edge - play / 2, join_style="mitre")).tolist()
    parts = [part for part in parts if part.area >= LEAST]
    return [(name if len(parts) == 1 else f"{name} {number}", part) for number, part in enumerate(parts, 1)]
