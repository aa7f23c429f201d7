"""Grids of equal cells, square, hexagonal and triangular, on lattices of whole numbers.

dot: a corner of cells, known by its lattice point, `3,2`. Cells are numbered row by row and called by column and
row, `C4`; of a hexagonal grid every other row is moved half a cell to the right, and the triangles of a
row point up and down in turn.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from studio.geometry.curves import Floats, Ints, frozen
from studio.geometry.tiling import Tiling, tiled
from studio.names import cell_name
from studio.texts import tr

SQUARE, HEXAGON, TRIANGLE = "square", "hexagon", "triangle"
GRIDS = {SQUARE: tr("Squares"), HEXAGON: tr("Hexagons"), TRIANGLE: tr("Triangles")}
"""The forms that cells can have, and their titles."""
Point = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Grid:
    """Cells of one form in columns and rows.

    `points` (n, 2) are the dots as lattice points, in reading order; `cells` has the dots of every cell, clockwise
    on the screen. A step of the lattice along x and y is `unit` edges of a cell long.
    """

    form: str
    columns: int
    rows: int
    points: Ints
    cells: tuple[tuple[int, ...], ...]
    unit: tuple[float, float]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What the cells are called."""
        return tuple(cell_name(column, row) for row in range(self.rows) for column in range(self.columns))

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The cells by their names."""
        return {name: cell for cell, name in enumerate(self.names)}

    @cached_property
    def dot_names(self) -> tuple[str, ...]:
        """What the dots are called."""
        return tuple(f"{x},{y}" for x, y in self.points.tolist())

    @cached_property
    def edges(self) -> Ints:
        """The two dots (m, 2) of every edge, the first one first in reading order."""
        found = {tuple(sorted(pair)) for cell in self.cells for pair in zip(cell, cell[1:] + cell[:1], strict=True)}
        return frozen(np.array(sorted(found), np.int64))

    @cached_property
    def line_names(self) -> tuple[str, ...]:
        """What the edges are called: their two dots, `3,2-4,2`."""
        return tuple(f"{self.dot_names[one]}-{self.dot_names[other]}" for one, other in self.edges.tolist())

    @cached_property
    def line_numbers(self) -> dict[str, int]:
        """The edges by their names."""
        return {name: edge for edge, name in enumerate(self.line_names)}

    @cached_property
    def circle(self) -> float:
        """The radius of the circle in a cell, in edges."""
        ring = self.corners(1.0)[list(self.cells[0])]
        return float(np.hypot(*(ring[:2].mean(axis=0) - ring.mean(axis=0))))

    def corners(self, edge: float) -> Floats:
        """The dots (n, 2) in mm for cells of an edge in mm; the top left corner of all is the origin."""
        return frozen((self.points - self.points.min(axis=0)) * np.array(self.unit) * edge)

    def middles(self, edge: float) -> Floats:
        """The middle (f, 2) in mm of every cell, where its incentre is, too."""
        corners = self.corners(edge)
        return frozen(np.array([corners[list(cell)].mean(axis=0) for cell in self.cells]))

    def tiling(self, edge: float) -> Tiling:
        """The grid as a tiling, in mm; its pieces are called like cells, its corners by their number."""
        places = {self._spot(middle, edge): name for middle, name in zip(self.middles(edge), self.names, strict=True)}

        def names(circles: Floats) -> list[str]:
            return [places[self._spot(circle[:2], edge)] for circle in circles]

        return tiled(self.corners(edge), self.edges, scale=edge, names=names)

    def _spot(self, place: Floats, edge: float) -> Point:
        """A lattice point of a finer lattice near a place, the same for all places near a cell's middle."""
        x, y = np.round(place / (np.array(self.unit) * edge) * 3).astype(int).tolist()
        return x, y


def _square(column: int, row: int) -> list[Point]:
    return [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]


def _hexagon(column: int, row: int) -> list[Point]:
    x, y = 2 * column + 1 + row % 2, 3 * row + 2
    return [(x, y - 2), (x + 1, y - 1), (x + 1, y + 1), (x, y + 2), (x - 1, y + 1), (x - 1, y - 1)]


def _triangle(column: int, row: int) -> list[Point]:
    if (column + row) % 2:
        return [(column, row), (column + 2, row), (column + 1, row + 1)]
    return [(column + 1, row), (column + 2, row + 1), (column, row + 1)]


_FORMS: dict[str, tuple[Callable[[int, int], list[Point]], tuple[float, float]]] = {
    SQUARE: (_square, (1.0, 1.0)),
    HEXAGON: (_hexagon, (3**0.5 / 2, 0.5)),
    TRIANGLE: (_triangle, (0.5, 3**0.5 / 2)),
}


@lru_cache(maxsize=16)
def grid(form: str, columns: int, rows: int) -> Grid:
    """The grid of a form (SQUARE, HEXAGON or TRIANGLE) with columns and rows of cells."""
    outline, unit = _FORMS[form]
    rings = [outline(column, row) for row in range(rows) for column in range(columns)]
    points = sorted({point for ring in rings for point in ring}, key=lambda point: (point[1], point[0]))
    numbers = {point: number for number, point in enumerate(points)}
    cells = tuple(tuple(numbers[point] for point in ring) for ring in rings)
    return Grid(form, columns, rows, frozen(np.array(points, np.int64)), cells, unit)
