"""Engravings of a zigzaw: numbers or figures on backs, hatched colours, and registration marks."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import shapely

from studio.geometry.art.artwork import Region
from studio.geometry.art.lettering import Room, fitted, laid
from studio.geometry.curves.strokes import Curves, Floats, closed_through, frozen, straight, through
from studio.geometry.planar.polyomino import disc
from studio.puzzles.zigzaw.board import layout, numbers
from studio.puzzles.zigzaw.bodies import FACES, OUTLINES, STEPS, body, in_mm
from studio.puzzles.zigzaw.model import (
    CROSSES,
    FIGURE,
    LETTERS,
    NOTHING,
    NUMBER,
    UNPAINTED,
    ZigzawDesign,
    ZigzawParameters,
)

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


def engraved(design: ZigzawDesign, origin: Floats, width: float) -> Curves:
    """The strokes on the backs of the pieces, seen from behind; `origin` is the place of 0, 0 seen from the front."""
    p = design.parameters
    places = np.array([cube.origin for cube in layout(p).places], float)
    backs = (in_mm(places, p.edge) + origin) * MIRRORED + np.array([width, 0.0])
    if p.back == FIGURE:
        lines = figure(p.body)
        return Curves.from_strokes([p.edge * line + back for back in backs for line in lines])
    if p.back == NUMBER:
        return _numbered(design, backs)
    return Curves.from_strokes([])


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


def _numbered(design: ZigzawDesign, backs: Floats) -> Curves:
    """The number of every piece; `backs` (p, 2) are the origins of their cubes, seen from behind."""
    left, top, right, bottom = room(design.parameters.body)
    middle = design.parameters.edge * np.array([(left + right) / 2, (top + bottom) / 2]) * MIRRORED
    height, space = number_height(design), _space(design)
    strokes = []
    for number, back in zip(numbers(design).tolist() if height else (), backs, strict=False):
        letters = laid(str(number), height, space, 0.0)
        if letters is not None:
            strokes += [letters[at] + middle + back for at in range(len(letters))]
    return Curves.from_strokes(strokes)


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


def places(parameters: ZigzawParameters, width: float, height: float) -> Floats:
    """The middles (4, 2) of the marks in mm."""
    away = parameters.border / 2
    return np.array([(x, y) for y in (away, height - away) for x in (away, width - away)])


def size_of(parameters: ZigzawParameters) -> float:
    """Width and height in mm of a mark."""
    if parameters.marks == CROSSES:
        return 2 * min(ARM, ARM_SHARE * parameters.border)
    return 2 * min(DOT, DOT_SHARE * parameters.border)


def scored(parameters: ZigzawParameters, width: float, height: float) -> Curves:
    """The marks as they are scored, on a board `width` mm wide and `height` mm high."""
    if parameters.marks == NOTHING:
        return Curves.from_strokes([])
    middles = places(parameters, width, height)
    if parameters.marks == CROSSES:
        arm = size_of(parameters) / 2
        ways = np.array([[(-arm, 0), (arm, 0)], [(0, -arm), (0, arm)]])
        return straight((middles[:, None, None] + ways).reshape(-1, 2, 2))
    return Curves.from_strokes([disc(size_of(parameters) / 2) + middle for middle in middles])


def printed(parameters: ZigzawParameters, width: float, height: float) -> tuple[Region, ...]:
    """The marks as they are printed: their scored lines run in the middle of a cross and round a dot."""
    if parameters.marks == NOTHING:
        return ()
    middles = places(parameters, width, height)
    if parameters.marks == CROSSES:
        arm, half = size_of(parameters) / 2, LINE / 2
        quarter = np.array([(half, arm), (half, half), (arm, half)])
        turn = np.array([(0.0, -1.0), (1.0, 0.0)])
        cross = np.concatenate([quarter @ np.linalg.matrix_power(turn, times) for times in range(4)])
        return (Region(tuple(cross + middle for middle in middles), INK),)
    angles = np.linspace(0.0, 2 * np.pi, MARK_STEPS, endpoint=False)
    ring = size_of(parameters) / 2 * np.stack([np.cos(angles), np.sin(angles)], 1)
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
GAP = 0.12
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
    """Clip a line through a point to a convex face, GAP from its edges; None if less than SHORTEST remains."""
    sides = np.roll(corners, -1, axis=0) - corners
    inwards = np.stack([-sides[:, 1], sides[:, 0]], 1) / np.hypot(*sides.T)[:, None]
    inwards *= np.sign(((corners.mean(axis=0) - corners) * inwards).sum(axis=1))[:, None]
    depth = ((point - corners) * inwards).sum(axis=1) - GAP
    speed = inwards @ way
    if (depth[np.abs(speed) < 1e-9] < 0).any():
        return None
    moving = np.abs(speed) >= 1e-9
    meets = -depth[moving] / speed[moving]
    begin = float(meets[speed[moving] > 0].max())
    end = float(meets[speed[moving] < 0].min())
    return np.array([point + begin * way, point + end * way]) if end - begin >= SHORTEST else None
