"""Shapes of a zigzaw's design: pieces that share their lines, the frame around them, engravings and stickers.

Each limb has a sticker a little smaller than it, and the frame has stickers; all are in mm from the origin of a cube or
of the grid, y downwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

import numpy as np
import shapely

from studio.base.progress import SILENT, Progress, kept
from studio.geometry.art.artwork import Region
from studio.geometry.art.lettering import Room, fitted, laid
from studio.geometry.curves.strokes import Curves, Floats, closed_through, frozen, offsets, straight, through
from studio.geometry.planar.drawing import Chain, Drawing, Operation, Pieces, in_order
from studio.geometry.planar.polyomino import disc, rounded_line
from studio.puzzles.zigzaw.colours import GAP, artwork
from studio.puzzles.zigzaw.model import (
    BACK,
    COLOUR,
    CROSSES,
    FIGURE,
    HATCH,
    IN_PARTS,
    LETTERS,
    NOTHING,
    NUMBER,
    UNPAINTED,
    ZigzawDesign,
    ZigzawParameters,
    cube_name,
    layout,
    numbers,
)
from studio.puzzles.zigzaw.outlines import Lines, lines_of
from studio.puzzles.zigzaw.piece_forms import (
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
WIDE = 2.0
"""Ratio of width to height of the room for words on a piece."""
FINENESS = 24
"""Heights of the room that are tried, up to that of the piece."""
TALLEST = 8.0
"""The tallest number in mm."""
INSET = 0.24
"""Distance in edges of a figure's contour from the edge of its piece."""
EYE = 0.15
"""The radius of an eye, in edges."""
MIRRORED = np.array([-1.0, 1.0])


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
    p = parameters
    # The parameters on which the lines depend.
    return _plain(ZigzawParameters(
        columns=p.columns, rows=p.rows, body=p.body, edge=p.edge, border=p.border, radius=p.radius, frame=p.frame,
        side=p.side,
    ), progress)  # fmt: skip


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
    cubes = np.array([cube.origin for cube in grid(p.columns + 2, p.rows + 2)])
    extremes = np.array([cubes.min(axis=0), cubes.max(axis=0)]) + np.array([(3, 4), (9, 16)])
    low, high = in_mm(extremes.astype(float), p.edge)
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
    if p.side == BACK:
        # Pieces are followed clockwise again.
        turned = [codes[start:stop][::-1] ^ 1 for start, stop in pairwise(pieces.rings)]
        pieces = replace(pieces, codes=np.concatenate(turned))
        strokes_behind = Curves(mirrored(drawing.strokes.points, width), drawing.strokes.starts)
        drawing = replace(drawing, strokes=strokes_behind, pieces=pieces)
    return drawing, origin


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
        start, stop = known.begins[after], known.begins[at]
        between = known.rim[start:stop] if start < stop else (*known.rim[start:], *known.rim[:stop])
        rings.append((2 * (first + count + at), 2 * (first + after) + 1, *between, 2 * (first + at)))
    return [*partings, *border], rings


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


def engraved(design: ZigzawDesign, origin: Floats, width: float) -> Curves:
    """The strokes on the backs of the pieces, seen from behind; `origin` is the place of 0, 0 seen from the front."""
    p = design.parameters
    places = np.array([cube.origin for cube in layout(p).places], float)
    backs = (in_mm(places, p.edge) + origin) * MIRRORED + np.array([width, 0.0])
    if p.back == FIGURE:
        lines = figure(p.body)
        return Curves.from_strokes([p.edge * line + back for back in backs for line in lines])
    strokes = []
    if p.back == NUMBER and (height := number_height(design)):
        left, top, right, bottom = room(p.body)
        middle = p.edge * np.array([(left + right) / 2, (top + bottom) / 2]) * MIRRORED
        for number, back in zip(numbers(design).tolist(), backs, strict=True):
            letters = laid(str(number), height, _space(design), 0.0)
            if letters is not None:
                strokes += [letters[at] + middle + back for at in range(len(letters))]
    return Curves.from_strokes(strokes)


@lru_cache(8)
def figure(name: str) -> tuple[Floats, ...]:
    """A contour within the edge of a piece, and its eyes if its body has some; in edges, seen from behind."""
    some = body(name)
    whole = shapely.Polygon(in_mm(np.array(some.outline, float), 1.0) * MIRRORED)
    within = shapely.get_parts(shapely.buffer(whole, -INSET, join_style="mitre"))
    rings = [shapely.get_coordinates(part.exterior)[:-1] for part in within]
    eyes = [disc(EYE) + in_mm(np.array(eye) * (1.0, 2.0), 1.0) * MIRRORED for eye in some.eyes]
    return tuple(frozen(line) for line in (*map(closed_through, rings), *eyes))


def number_height(design: ZigzawDesign) -> float:
    """Common height in mm of the numbers: the greatest that fits the widest of them, 0 if it has no room."""
    most = int(numbers(design).max())
    widest = {most, 10 ** (len(str(most)) - 1)}
    space = _space(design)
    return min(fitted(str(number), space, 0.0, TALLEST) for number in widest)


def _space(design: ZigzawDesign) -> Room:
    left, top, right, bottom = (design.parameters.edge * side for side in room(design.parameters.body))
    return Room(right - left, bottom - top)


@lru_cache(8)
def room(name: str) -> tuple[float, float, float, float]:
    """Left, top, right and bottom, in edges, of the tallest rectangle in a piece round the middle of a sticker."""
    some = body(name)
    whole = shapely.Polygon(in_mm(np.array(some.outline, float), 1.0))
    middles = [np.mean(sticker.corners, axis=0) + STEPS[limb.step] for limb in some.limbs for sticker in limb.stickers]
    _, low, _, high = shapely.bounds(whole).tolist()
    halves = np.linspace(0.0, (high - low) / 2, FINENESS + 1)[1:, None]
    x, y = in_mm(np.array(middles), 1.0).T
    boxes = shapely.box(x - WIDE * halves, y - halves, x + WIDE * halves, y + halves)
    fits = shapely.contains(whole, boxes)
    height = int(np.flatnonzero(fits.any(axis=1))[-1])
    away = np.hypot(x - whole.centroid.x, y - whole.centroid.y)
    middle = int(np.where(fits[height], away, np.inf).argmin())
    left, top, right, bottom = shapely.bounds(boxes[height, middle]).tolist()
    return left, top, right, bottom


# Registration marks in the corners of a zigzaw's frame

INK = "#000000"
ARM, DOT = 3.0, 1.0
"""The arms of a cross and the radius of a dot, in mm."""
ARM_SHARE, DOT_SHARE = 0.35, 0.2
"""The arms of a cross and the radius of a dot on a narrow rim, as shares of its width."""
LINE = 0.2
"""Width in mm of the lines of a printed cross."""
MARK_STEPS = 24


def mark_places(parameters: ZigzawParameters, width: float, height: float) -> Floats:
    """The middles (4, 2) of the marks in mm."""
    away = parameters.border / 2
    return np.array([(x, y) for y in (away, height - away) for x in (away, width - away)])


def mark_size(parameters: ZigzawParameters) -> float:
    """Width and height in mm of a mark."""
    if parameters.marks == CROSSES:
        return 2 * min(ARM, ARM_SHARE * parameters.border)
    return 2 * min(DOT, DOT_SHARE * parameters.border)


def scored(parameters: ZigzawParameters, width: float, height: float) -> Curves:
    """The marks as they are scored, on a board `width` mm wide and `height` mm high."""
    if parameters.marks == NOTHING:
        return Curves.from_strokes([])
    middles = mark_places(parameters, width, height)
    if parameters.marks == CROSSES:
        arm = mark_size(parameters) / 2
        ways = np.array([[(-arm, 0), (arm, 0)], [(0, -arm), (0, arm)]])
        return straight((middles[:, None, None] + ways).reshape(-1, 2, 2))
    return Curves.from_strokes([disc(mark_size(parameters) / 2) + middle for middle in middles])


def printed(parameters: ZigzawParameters, width: float, height: float) -> tuple[Region, ...]:
    """The marks as they are printed: their scored lines run in the middle of a cross and round a dot."""
    if parameters.marks == NOTHING:
        return ()
    middles = mark_places(parameters, width, height)
    if parameters.marks == CROSSES:
        arm, half = mark_size(parameters) / 2, LINE / 2
        quarter = np.array([(half, arm), (half, half), (arm, half)])
        turn = np.array([(0.0, -1.0), (1.0, 0.0)])
        cross = np.concatenate([quarter @ np.linalg.matrix_power(turn, times) for times in range(4)])
        return (Region(tuple(cross + middle for middle in middles), INK),)
    angles = np.linspace(0.0, 2 * np.pi, MARK_STEPS, endpoint=False)
    ring = mark_size(parameters) / 2 * np.stack([np.cos(angles), np.sin(angles)], 1)
    return (Region(tuple(ring + middle for middle in middles), INK),)


# A zigzaw's colours as hatches to engrave: for each paint parallel or crossed lines that no other paint has.
#
# Distinguished by direction and density, they need no colour. A line runs across a whole face of a cube, over the cuts
# between the pieces that share it.

WIDE_HATCH, CLOSE = 0.42, 0.19
"""Distances of neighbouring lines, in edges of a sticker."""
PATTERNS: tuple[tuple[tuple[float, ...], float], ...] = tuple(
    (angles, apart) for apart in (WIDE_HATCH, CLOSE) for angles in ((0,), (90,), (45,), (135,), (0, 90), (45, 135))
)
"""For each paint the directions of its lines in degrees (only 90 is an edge's) and their spacing."""
HATCH_GAP = 0.12
"""Distance in edges of the ends of lines from the edge of a face."""
SHORTEST = 0.3
"""Shorter lines, in edges, are left out."""
FLAT = 1e-6
"""A cross product of two lines that run the same way."""


def hatched(design: ZigzawDesign, origin: Floats) -> Curves:
    """The hatches of all faces, cube by cube; `origin` (2,) mm is the place of 0, 0 of the grid."""
    edge = design.parameters.edge
    return Curves.from_strokes([
        edge * run + place
        for cube, triple in design.triples.items()
        for place in (in_mm(np.array(cube.origin, float), edge) + origin,)
        for face, letter in zip(FACES, triple, strict=True)
        if letter != UNPAINTED
        for run in face_runs(face, LETTERS.index(letter))
    ])  # fmt: skip


@lru_cache(3 * len(LETTERS))
def face_runs(face: str, paint: int) -> tuple[Floats, ...]:
    """The lines of a face in a paint, in edges from the origin of its cube: one stroke for each direction.

    They are drawn to and fro, which spares a laser most of its way between them.
    """
    lines = face_lines(face, paint)
    ways = lines[:, 1] - lines[:, 0]
    turned = np.abs(ways[1:, 0] * ways[:-1, 1] - ways[1:, 1] * ways[:-1, 0]) > FLAT
    return tuple(frozen(through(run.reshape(-1, 2))) for run in np.split(lines, np.flatnonzero(turned) + 1))


@lru_cache(3 * len(LETTERS))
def face_lines(face: str, paint: int) -> Floats:
    """The lines (k, 2, 2) of a face in a paint, in edges from the origin of its cube, to and fro."""
    corners = in_mm(np.array(OUTLINES[face], float), 1.0)
    middle = corners.mean(axis=0)
    angles, apart = PATTERNS[paint]
    lines = []
    for angle in np.radians(angles):
        way = np.array([np.cos(angle), np.sin(angle)])
        across = np.array([-way[1], way[0]])
        reach = float(np.abs((corners - middle) @ across).max())
        # Lines lie evenly to both sides of the middle, where two directions cross, and none goes through it.
        steps = np.arange(-np.ceil(reach / apart), np.ceil(reach / apart) + 1) + 0.5
        for number, step in enumerate(steps.tolist()):
            line = _clipped(middle + apart * step * across, way, corners)
            if line is not None:
                lines.append(line[::-1] if number % 2 else line)
    return frozen(np.array(lines))


def _clipped(point: Floats, way: Floats, corners: Floats) -> Floats | None:
    """Clip a line through a point to a convex face, HATCH_GAP from its edges; None if less than SHORTEST remains."""
    sides = np.roll(corners, -1, axis=0) - corners
    inwards = np.stack([-sides[:, 1], sides[:, 0]], 1) / np.hypot(*sides.T)[:, None]
    inwards *= np.sign(((corners.mean(axis=0) - corners) * inwards).sum(axis=1))[:, None]
    depth = ((point - corners) * inwards).sum(axis=1) - HATCH_GAP
    speed = inwards @ way
    if (depth[np.abs(speed) < 1e-9] < 0).any():
        return None
    moving = np.abs(speed) >= 1e-9
    meets = -depth[moving] / speed[moving]
    begin = float(meets[speed[moving] > 0].max())
    end = float(meets[speed[moving] < 0].min())
    return np.array([point + begin * way, point + end * way]) if end - begin >= SHORTEST else None
