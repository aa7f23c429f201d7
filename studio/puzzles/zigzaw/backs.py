"""What is engraved on the back of a zigzaw's pieces: their numbers, or a figure of what they are."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import shapely

from studio.geometry.art.lettering import Room, fitted, laid
from studio.geometry.curves.rounded import disc
from studio.geometry.curves.strokes import Curves, Floats, closed_through, frozen
from studio.puzzles.zigzaw.board import layout, numbers
from studio.puzzles.zigzaw.bodies import STEPS, body, in_mm
from studio.puzzles.zigzaw.model import FIGURE, NUMBER, ZigzawDesign

WIDE = 2.0
"""How many times as wide as tall the room for words on a piece is."""
FINENESS = 24
"""Heights of the room that are tried, up to that of the piece."""
TALLEST = 8.0
"""The tallest number in mm."""
INSET = 0.24
"""How far in edges the contour of a figure runs from the edge of its piece."""
EYE = 0.15
"""The radius of an eye, in edges."""
MIRRORED = np.array([-1.0, 1.0])


def engraved(design: ZigzawDesign, origin: Floats, width: float) -> Curves:
    """The strokes on the backs of the pieces, seen from behind; `origin` is where 0, 0 lies seen from the front."""
    p = design.parameters
    places = np.array([cube.origin for cube in layout(p).places], float)
    backs = (in_mm(places, p.edge) + origin) * MIRRORED + np.array([width, 0.0])
    if p.back == FIGURE:
        lines = figure(p.body)
        return Curves.of([p.edge * line + back for back in backs for line in lines])
    if p.back == NUMBER:
        return _numbered(design, backs)
    return Curves.of([])


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
    """How tall in mm the numbers are: all as tall as the widest of them can be, 0 where it has no room."""
    most = int(numbers(design).max())
    widest = {most, 10 ** (len(str(most)) - 1)}
    space = _space(design)
    return min(fitted(str(number), space, 0.0, TALLEST) for number in widest)


def _space(design: ZigzawDesign) -> Room:
    left, top, right, bottom = (design.parameters.edge * side for side in room(design.parameters.body))
    return Room(right - left, bottom - top)


def _numbered(design: ZigzawDesign, backs: Floats) -> Curves:
    """The number of every piece; `backs` (p, 2) is where the origins of their cubes are, seen from behind."""
    left, top, right, bottom = room(design.parameters.body)
    middle = design.parameters.edge * np.array([(left + right) / 2, (top + bottom) / 2]) * MIRRORED
    height, space = number_height(design), _space(design)
    strokes = []
    for number, back in zip(numbers(design).tolist() if height else (), backs, strict=False):
        letters = laid(str(number), height, space, 0.0)
        if letters is not None:
            strokes += [letters[at] + middle + back for at in range(len(letters))]
    return Curves.of(strokes)


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
