"""The lattice of a zigzaw: cubes side by side, every other row half a cube aside, their faces and stickers.

sticker: one of the nine rhombi of a face. Lattice points are whole numbers: x in divisions of √3/2 sticker edges, y in
halves of an edge, downwards. A cube is named by its row and column on the grid; a step to a neighbour is one of STEPS.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from typing import NamedTuple

import numpy as np

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
