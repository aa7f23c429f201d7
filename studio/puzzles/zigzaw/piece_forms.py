"""The lattice of a zigzaw, and the common form of its pieces, a body from resources/bodies/ that tiles like the cubes.

lattice: cubes side by side, every other row half a cube aside. sticker: one of the nine rhombi of a face. Lattice
points are whole numbers: x in divisions of √3/2 sticker edges, y in halves of an edge, downwards. A cube is named by
its row and column on the grid; a step to a neighbour is one of STEPS.
limb: the stickers of a piece that belong to one face of one cube, and so have one colour.
A file has a `title`, the `outline` as corners [x, y] (x in divisions of √3/2 sticker edges, y in edges, downwards), and
`limbs`: for each its name, and the face and the cube it belongs to (`L NW` is the upper left neighbour's left face).
It may have `eyes`: the middles [x, y] of the eyes of a figure on its back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from math import gcd, sqrt
from typing import NamedTuple

import numpy as np

from studio.base.encode import decode
from studio.base.errors import StudioError
from studio.base.folders import shipped
from studio.base.json_files import read
from studio.base.texts import tr
from studio.geometry.curves.strokes import Floats

Point = tuple[int, int]
FACES = "TLR"
"""Top, left and right."""
SIDE = 3
"""Stickers along an edge of a cube."""
ACROSS, DOWN = 6, 9
"""Distances of neighbouring cubes in a row, and of rows, in lattice units."""
DIVISION, HALF = sqrt(3) / 2, 0.5
"""A lattice unit along x and along y, in edges of a sticker."""
STEPS: dict[str, Point] = {
    "": (0, 0),
    "E": (6, 0),
    "SE": (3, 9),
    "SW": (-3, 9),
    "W": (-6, 0),
    "NW": (-3, -9),
    "NE": (3, -9),
}
"""Shifts from a cube to itself and to its six neighbours, in lattice units."""


FACE_TITLES = {"T": "top", "L": "left", "R": "right"}
_CORNERS: dict[str, tuple[Point, Point, Point, Point]] = {
    "T": ((0, 0), (1, 1), (0, 2), (-1, 1)),
    "L": ((0, 0), (1, 1), (1, 3), (0, 2)),
    "R": ((0, 0), (1, -1), (1, 1), (0, 2)),
}


_ORIGIN: dict[str, Point] = {"T": (6, 4), "L": (3, 7), "R": (6, 10)}
OUTLINES: dict[str, tuple[Point, Point, Point, Point]] = {
    face: tuple((x + SIDE * a, y + SIDE * b) for a, b in _CORNERS[face])  # type: ignore[misc]
    for face, (x, y) in _ORIGIN.items()
}
"""The corners of every face, from the origin of its cube."""
FOLDER = shipped("bodies")
LARGEST_FILE = 2**16
BODIES = {"frog": tr("Frog"), "lizard": tr("Lizard"), "crab": tr("Crab"), "beetle": tr("Beetle")}
"""The bodies in resources/bodies/ and their titles."""


class Sticker(NamedTuple):
    """A sticker of a cube: its face, and its place on it."""

    face: str
    along: int
    aside: int

    @property
    def corners(self) -> tuple[Point, ...]:
        """Its four corners, from the origin of its cube."""
        x, y = _ORIGIN[self.face]
        i, j = self.along, self.aside
        dx, dy = {"T": (i - j, i + j), "L": (i, i + 2 * j), "R": (i, -i + 2 * j)}[self.face]
        return tuple((x + dx + a, y + dy + b) for a, b in _CORNERS[self.face])


STICKERS = tuple(Sticker(face, along, aside) for face in FACES for along in range(SIDE) for aside in range(SIDE))
"""All stickers of a cube that are seen."""


class Cube(NamedTuple):
    """A cube of the grid."""

    row: int
    column: int

    @property
    def origin(self) -> Point:
        """The origin of its stickers' coordinates."""
        return ACROSS * self.column - ACROSS // 2 * (self.row % 2), DOWN * self.row

    def beside(self, step: str) -> Cube:
        """Its neighbour, which may lie off the grid."""
        x, (dx, dy) = self.origin[0], STEPS[step]
        row = self.row + dy // DOWN
        return Cube(row, (x + dx + ACROSS // 2 * (row % 2)) // ACROSS)


def grid(columns: int, rows: int) -> Iterator[Cube]:
    """The cubes of `columns` columns and `rows` rows, row by row."""
    return (Cube(row, column) for row in range(rows) for column in range(columns))


HEXAGON = ((6, 4), (9, 7), (9, 13), (6, 16), (3, 13), (3, 7))
"""Outline of a cube, from its origin."""


def extent(columns: int, rows: int) -> tuple[Floats, Floats]:
    """The least and greatest lattice point of all cubes of a board with its border."""
    return np.array([0.0, 4.0]), np.array([6.0 * columns + 15, 9.0 * rows + 25])


def in_mm(points: Floats, edge: float) -> Floats:
    """Lattice points (…, 2) in mm from the origin, with an edge of a sticker of `edge` mm."""
    return np.asarray(points * (edge * np.array([DIVISION, HALF])))


@dataclass(frozen=True)
class Limb:
    """A limb: its name, the face that it shows, of the cube at a step from the piece's own, and its stickers."""

    name: str
    face: str
    step: str
    stickers: tuple[Sticker, ...]


@dataclass(frozen=True)
class Body:
    """The form of a piece: its outline as lattice points, a unit edge from each to the next; and its limbs."""

    title: str
    outline: tuple[Point, ...]
    limbs: tuple[Limb, ...]
    eyes: tuple[tuple[float, float], ...] = ()

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of every limb by its name."""
        return {limb.name: number for number, limb in enumerate(self.limbs)}


@dataclass(frozen=True)
class Named:
    """A limb in a file: its name, and the face and the step that it belongs to, `L NW`."""

    name: str
    shows: str


@dataclass(frozen=True)
class Stored:
    """A body as a file has it."""

    title: str
    outline: tuple[tuple[float, float], ...]
    limbs: tuple[Named, ...]
    eyes: tuple[tuple[float, float], ...] = ()


@cache
def body(name: str) -> Body:
    """A body from resources/bodies/; raises StudioError if it does not tile."""
    return body_of(decode(Stored, read(FOLDER / f"{name}.json", LARGEST_FILE), f"{name}.json", object))


def body_of(stored: Stored) -> Body:
    """Build the body with an outline; raise StudioError if it is no union of stickers, does not tile or has no name."""
    outline = _edges(stored.outline)
    inside = {
        (sticker, step): None
        for step, shift in STEPS.items()
        for sticker in STICKERS
        if _is_inside(outline, [(x + shift[0], y + shift[1]) for x, y in sticker.corners])
    }
    # Twice the area in lattice units; a sticker has 2 of them.
    doubled = sum(x * to_y - to_x * y for (x, y), (to_x, to_y) in pairwise([*outline, outline[0]]))
    if 2 * len(inside) != abs(doubled) // 2:
        words = tr(
            "The body {title} is not made of whole stickers of its own cube and the six neighbours.", title=stored.title
        )
        raise StudioError(words)
    times = Counter(sticker for sticker, _step in inside)
    for sticker in STICKERS:
        if times[sticker] != 1:
            which = f"{sticker.face}{sticker.along}{sticker.aside}"
            words = tr(
                "The body {title} has sticker {sticker} {count} times; it must have each exactly once.",
                title=stored.title,
                sticker=which,
                count=times[sticker],
            )
            raise StudioError(words)
    found: dict[tuple[str, str], list[Sticker]] = {}
    for sticker, step in inside:
        found.setdefault((sticker.face, step), []).append(sticker)
    names = {(limb.shows[:1], limb.shows[2:]): limb.name for limb in stored.limbs}
    if set(names) != set(found) or len(set(names.values())) != len(stored.limbs):
        limbs = ", ".join(f"{face} {step}".strip() for face, step in found)
        words = tr(
            "The body {title} needs a different name for each of its limbs: {limbs}.", title=stored.title, limbs=limbs
        )
        raise StudioError(words)
    parts = tuple(Limb(name, face, step, tuple(found[face, step])) for (face, step), name in names.items())
    return Body(stored.title, outline, parts, stored.eyes)


def _edges(corners: Sequence[tuple[float, float]]) -> tuple[Point, ...]:
    """The lattice points along an outline."""
    points = [(round(x), round(2 * y)) for x, y in corners]
    result: list[Point] = []
    for (x, y), (to_x, to_y) in pairwise([*points, points[0]]):
        dx, dy = to_x - x, to_y - y
        count = abs(dy) // 2 if dx == 0 else gcd(dx, dy)
        if count == 0 or (abs(dx // count), abs(dy // count)) not in ((1, 1), (0, 2)):
            words = tr(
                "The line from {x:g}, {y:g} to {to_x:g}, {to_y:g} does not follow sticker edges.",
                x=x,
                y=y / 2,
                to_x=to_x,
                to_y=to_y / 2,
            )
            raise StudioError(words)
        result += [(x + dx // count * part, y + dy // count * part) for part in range(count)]
    if len(set(result)) != len(result):
        raise StudioError(tr("The outline touches itself."))
    return tuple(result)


def _is_inside(outline: Sequence[Point], corners: Sequence[Point]) -> bool:
    """True if the middle of a sticker, which lies on no edge, is within the outline."""
    x, y = sum(x for x, _ in corners) / 4 + 0.01, sum(y for _, y in corners) / 4
    crossed = False
    for (ax, ay), (bx, by) in pairwise([*outline, outline[0]]):
        if (ax > x) != (bx > x) and y < ay + (by - ay) * (x - ax) / (bx - ax):
            crossed = not crossed
    return crossed
