"""Grids of cells: on lattices of whole numbers, or a tessellation clipped to an outline.

dot: a corner of cells. On a lattice, squares, hexagons, triangles and bricks are all alike: cells are numbered row by
row and named by column and row, `C4`, dots by their lattice point, `3,2`, and edges by their dots, `3,2-4,2`; every
other row of hexagons and bricks is moved half a cell to the right, and the triangles of a row point up and down.
Elsewhere cells differ: they are named as in a tessellation, dots after the cells around them, `C4:D4:C5`, and edges
after the cells beside them, `C4-D4`; the outside is named `rim`. In their mesh, short edges are contracted and small
cells joined to their neighbours; lengths are in edges of a usual cell. rim: the edges with a cell on one side only.
bend: a dot of the rim at a corner of the outline.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np

from studio.base.amounts import cell_name
from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.base.texts import tr
from studio.geometry.board.board_outline import bounded, covered
from studio.geometry.board.board_spec import (
    BRICKS,
    GRID,
    HAND_CUT,
    HEXAGONS,
    RECTANGLE,
    RINGS,
    ROW_KEY,
    TRIANGLES,
    VORONOI,
    Division,
    Form,
    Ring,
)
from studio.geometry.board.clipping import clipped
from studio.geometry.board.tiling import Tiling, distinguished
from studio.geometry.board.tiling_construction import tiled
from studio.geometry.curves.rings import box
from studio.geometry.curves.strokes import Floats, Ints, frozen

SHORTEST = 0.4
"""Edges shorter than this are contracted if possible."""
LEAST_CIRCLE = 0.5
"""Cells join a neighbour if their inscribed circle is smaller than this fraction of the median."""
FLATTEST = np.radians(160.0)
"""Angle of the rim above which a dot without an inner edge is left out."""
MOST_SIDES = 12
"""Most edges of a joined cell."""
CIRCLE_TOLERANCE = 0.005
LEAST_AREA = 0.02
"""Least area of a cell in squares of an edge, so that no cell turns inside out."""
Edge = tuple[int, int]
SQUARE, HEXAGON, TRIANGLE = "square", "hexagon", "triangle"
GRIDS = {
    SQUARE: tr("Squares"), HEXAGON: tr("Hexagons"), TRIANGLE: tr("Triangles"), BRICKS: tr("Bricks"),
    VORONOI: tr("Voronoi"), RINGS: tr("Rings"), HAND_CUT: tr("Hand-cut"),
}  # fmt: skip
"""Forms of cells and their titles."""
USUAL = 0.8
"""The usual circle in irregular cells, as a fraction of the median: few are smaller."""
Point = tuple[int, int]


class Mesh:
    """Cells as rings of dots, clockwise on the screen; the number of a removed cell or dot is not used again."""

    def __init__(self, places: Floats, rings: Iterable[Sequence[int]], bends: Collection[int]) -> None:
        self.places = places.copy()
        self.rings: dict[int, list[int]] = {}
        self._bends = {*bends}
        self._cells: dict[Edge, int] = {}
        self._radii: dict[int, float] = {}
        """Cached radii of inscribed circles, by unchanged cell."""
        self._at: dict[int, set[int]] = {dot: set() for dot in range(len(places))}
        for cell, ring in enumerate(rings):
            self._put(cell, [*ring])

    # Neighbours

    def _put(self, cell: int, ring: list[int]) -> None:
        self._radii.pop(cell, None)
        for dot, after in _sides(self.rings.pop(cell, [])):
            del self._cells[dot, after]
            self._at[dot].discard(cell)
        if ring:
            self.rings[cell] = ring
        for dot, after in _sides(ring):
            self._cells[dot, after] = cell
            self._at[dot].add(cell)

    def _replace(self, rings: dict[int, list[int]]) -> None:
        # Old edges are removed before new ones are added, which may join the same dots.
        for cell in rings:
            self._put(cell, [])
        for cell, ring in rings.items():
            self._put(cell, ring)

    def _beside(self, dot: int) -> set[int]:
        found: set[int] = set()
        for cell in self._at[dot]:
            ring = self.rings[cell]
            at = ring.index(dot)
            found |= {ring[at - 1], ring[(at + 1) % len(ring)]}
        return found

    def _is_rim(self, dot: int) -> bool:
        return any((dot, other) not in self._cells or (other, dot) not in self._cells for other in self._beside(dot))

    @property
    def edges(self) -> list[Edge]:
        """Every edge once, its lower dot first."""
        return sorted({(min(pair), max(pair)) for pair in self._cells})

    @property
    def rim(self) -> list[int]:
        """The dots along the rim, clockwise on the screen; empty unless it is a single ring."""
        after: dict[int, int] = {}
        for dot, following in self._cells:
            if (following, dot) not in self._cells:
                if dot in after:
                    return []
                after[dot] = following
        ring = [min(after)] if after else []
        while ring and after[ring[-1]] != ring[0]:
            ring.append(after[ring[-1]])
        return ring if len(ring) == len(after) else []

    def circles(self, cells: Sequence[int]) -> Floats:
        """Middle and radius (k, 3) of the largest circle in each cell."""
        import shapely

        polygons = [shapely.Polygon(self.places[self.rings[cell]]) for cell in cells]
        found = shapely.maximum_inscribed_circle(polygons, CIRCLE_TOLERANCE)
        return frozen(np.column_stack([shapely.get_coordinates(shapely.get_point(found, 0)), shapely.length(found)]))

    def _is_sound(self, rings: Iterable[Sequence[int]]) -> bool:
        """True if rings enclose areas, clockwise and without touching themselves."""
        import shapely

        for ring in rings:
            if len(ring) < 3 or len({*ring}) < len(ring):
                return False
            polygon = shapely.Polygon(self.places[[*ring]])
            # Rings that are clockwise on the screen are counter-clockwise to shapely, where y grows upwards.
            if not polygon.is_valid or not polygon.exterior.is_ccw or polygon.area < LEAST_AREA:
                return False
        return True

    # Changes

    def tidy(self) -> None:
        """Remove needless dots, short edges and small cells until none can be removed."""
        todo = True
        while todo:
            todo = self._straighten() | self._shorten() | self._enlarge()

    def _straighten(self) -> bool:
        """Remove dots with only two edges, on the rim those between edges in line; return whether any was removed."""
        changed = False
        for dot in [dot for dot, cells in self._at.items() if 0 < len(cells) < 3 and dot not in self._bends]:
            beside = self._beside(dot)
            if len(beside) != 2:
                continue
            one, other = beside
            if (one, other) in self._cells or (other, one) in self._cells:
                continue
            ways = self.places[[one, other]] - self.places[dot]
            cosine = (ways[0] @ ways[1]) / (np.hypot(*ways[0]) * np.hypot(*ways[1]))
            if self._is_rim(dot) and cosine >= np.cos(FLATTEST):
                continue
            rings = {cell: [each for each in self.rings[cell] if each != dot] for cell in self._at[dot]}
            if self._is_sound(rings.values()):
                self._replace(rings)
                changed = True
        return changed

    def _shorten(self) -> bool:
        """Contract short edges, or else join the cells at them; return whether anything changed."""
        changed = False
        pairs = self.edges
        ends = self.places[np.array(pairs)]
        lengths = np.hypot(*(ends[:, 1] - ends[:, 0]).T)
        for at in np.argsort(lengths, kind="stable")[: int((lengths < SHORTEST).sum())].tolist():
            one, other = pairs[at]
            if (one, other) in self._cells or (other, one) in self._cells:
                changed |= self._contracted(one, other) or self._joined_at(one, other)
        return changed

    def _contracted(self, one: int, other: int) -> bool:
        length = np.hypot(*(self.places[one] - self.places[other]))
        if length >= SHORTEST or self._beside(one) & self._beside(other):
            return False
        is_inner = (one, other) in self._cells and (other, one) in self._cells
        first, second = ((dot in self._bends, self._is_rim(dot)) for dot in (one, other))
        if is_inner and first[1] and second[1]:
            return False
        kept, gone = (one, other) if first >= second else (other, one)
        before = self.places[kept].copy()
        if first == second:
            self.places[kept] = self.places[[one, other]].mean(axis=0)
        rings = {}
        for cell in self._at[one] | self._at[other]:
            ring = [kept if dot == gone else dot for dot in self.rings[cell]]
            rings[cell] = [dot for dot, after in _sides(ring) if dot != after]
        if not self._is_sound(rings.values()):
            self.places[kept] = before
            return False
        self._replace(rings)
        return True

    def _joined_at(self, one: int, other: int) -> bool:
        """Join the smaller cell at an edge, or else the larger, to a neighbour; return whether one joined."""
        cells = [cell for cell in (self._cells.get((one, other)), self._cells.get((other, one))) if cell is not None]
        return any(self._joined(cell) for cell in sorted(cells, key=lambda cell: float(self._area(cell))))

    def _enlarge(self) -> bool:
        """Join small cells to a neighbour; return whether any joined."""
        cells = sorted(self.rings)
        changed = [cell for cell in cells if cell not in self._radii]
        if changed:
            self._radii |= dict(zip(changed, self.circles(changed)[:, 2].tolist(), strict=True))
        radii = np.array([self._radii[cell] for cell in cells])
        small = np.flatnonzero(radii < LEAST_CIRCLE * np.median(radii))
        joined = False
        for at in small[np.argsort(radii[small], kind="stable")].tolist():
            joined |= cells[at] in self.rings and self._joined(cells[at])
        return joined

    def _area(self, cell: int) -> float:
        x, y = self.places[self.rings[cell]].T
        return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum() / 2)

    def _joined(self, cell: int) -> bool:
        """Join a cell to the neighbour with the longest shared border that allows it; return whether one does."""
        shares: dict[int, float] = {}
        for dot, after in _sides(self.rings[cell]):
            other = self._cells.get((after, dot))
            if other is not None:
                length = float(np.hypot(*(self.places[after] - self.places[dot])))
                shares[other] = shares.get(other, 0.0) + length
        for other in sorted(shares, key=lambda one: (-shares[one], one)):
            ring = _union(self.rings[cell], self.rings[other])
            if ring and len(ring) <= MOST_SIDES and self._is_sound([ring]):
                large, small = (cell, other) if self._area(cell) > self._area(other) else (other, cell)
                self._replace({small: [], large: ring})
                return True
        return False


def _sides(ring: Sequence[int]) -> Iterable[Edge]:
    return pairwise([*ring, *ring[:1]])


def _union(one: Sequence[int], other: Sequence[int]) -> list[int]:
    """The ring around two cells that share edges; empty unless these are consecutive."""
    beyond = {(after, dot) for dot, after in _sides(other)}
    shared = [pair in beyond for pair in _sides(one)]
    begin = next((at for at, is_shared in enumerate(shared) if is_shared and not shared[at - 1]), None)
    if begin is None:
        return []
    count = sum(shared)
    turned = [*one[begin:], *one[:begin]]
    if not all((shared * 2)[begin : begin + count]):
        return []
    first, last = turned[0], turned[count]
    at = other.index(first)
    around = [*other[at:], *other[:at]]
    return [last, *turned[count + 1 :], first, *around[1 : len(other) - count]]


@dataclass(frozen=True)
class Layout:
    """The inputs of a grid: the form of its cells, columns and rows, an outline and its sides, and a seed.

    `path` has the rings of an outline from a file, which gives the board its proportions.
    """

    form: str
    columns: int
    rows: int
    outline: str = RECTANGLE
    sides: int = 6
    seed: int = 0
    path: tuple[Ring, ...] = ()

    @cached_property
    def _hash(self) -> int:
        return hash((self.form, self.columns, self.rows, self.outline, self.sides, self.seed, self.path))

    def __hash__(self) -> int:
        # A path may have thousands of points, and grids are cached by layout.
        return self._hash

    @property
    def is_regular(self) -> bool:
        """True if all cells are alike, and named by column and row."""
        return self.form in _FORMS and self.outline == RECTANGLE

    def board(self, width: float, height: float) -> Form:
        """The form of the board at a size."""
        return Form(self.outline, width, height, self.sides, path=self.path)

    @property
    def needs_lines(self) -> bool:
        """True if edges are faint lines on paper and screen: dots alone show only squares at a glance."""
        return self.form != SQUARE or not self.is_regular

    @property
    def needs_scores(self) -> bool:
        """True if edges are scored on a board, since its dots do not tell which of them an edge joins."""
        return self.form == BRICKS or not self.is_regular


@dataclass(frozen=True, eq=False)
class Grid:
    """Cells in rows.

    `points` (n, 2) are the dots in reading order, on a lattice or in edges; `cells` has the dots of every cell,
    clockwise on the screen, and `names` the cells' names, row by row. A step of the points along x and y is `unit`
    edges of a usual cell long. `given_size` is the board's in edges, if dots need not reach its sides.
    """

    layout: Layout
    points: Ints | Floats
    cells: tuple[tuple[int, ...], ...]
    names: tuple[str, ...]
    counts: tuple[int, ...]
    """Cells in each row."""
    unit: tuple[float, float]
    given_size: tuple[float, float] | None = None
    given_circles: Floats | None = None
    """The middle and the radius (f, 3) of the circle in every cell, in edges, if cells differ."""

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The cells by their names."""
        return {name: cell for cell, name in enumerate(self.names)}

    @cached_property
    def edges(self) -> Ints:
        """The two dots (m, 2) of every edge, in reading order."""
        found = {tuple(sorted(pair)) for cell in self.cells for pair in zip(cell, cell[1:] + cell[:1], strict=True)}
        return frozen(np.array(sorted(found), np.int64))

    @cached_property
    def dot_names(self) -> tuple[str, ...]:
        """The names of the dots."""
        if self.layout.is_regular:
            return tuple(f"{x},{y}" for x, y in self.points.tolist())
        around: list[list[str]] = [[] for _ in self.points]
        for cell, ring in enumerate(self.cells):
            for dot in ring:
                around[dot].append(self.names[cell])
        for dot in self.rim:
            around[dot].append(OUTSIDE)
        return tuple(distinguished([":".join(names) for names in around]))

    @cached_property
    def line_names(self) -> tuple[str, ...]:
        """The names of the edges."""
        if self.layout.is_regular:
            return tuple(f"{self.dot_names[one]}-{self.dot_names[other]}" for one, other in self.edges.tolist())
        return tuple(distinguished(["-".join([self.names[one], *self._beyond(other)]) for one, other in self._sides]))

    def _beyond(self, cell: int) -> list[str]:
        return [self.names[cell] if cell < len(self.names) else OUTSIDE]

    @cached_property
    def _sides(self) -> list[tuple[int, int]]:
        """The two cells of every edge, the lower first; the count of cells is the outside."""
        beside: dict[tuple[int, int], list[int]] = {}
        for cell, ring in enumerate(self.cells):
            for one, other in zip(ring, ring[1:] + ring[:1], strict=True):
                beside.setdefault((min(one, other), max(one, other)), []).append(cell)
        pairs = (beside[one, other] for one, other in self.edges.tolist())
        return [(cells[0], cells[1] if len(cells) > 1 else len(self.cells)) for cells in pairs]

    @cached_property
    def line_numbers(self) -> dict[str, int]:
        """The edges by their names."""
        return {name: edge for edge, name in enumerate(self.line_names)}

    @cached_property
    def rim(self) -> tuple[int, ...]:
        """The dots along the rim, clockwise on the screen."""
        ways = {pair for ring in self.cells for pair in zip(ring, ring[1:] + ring[:1], strict=True)}
        after = {one: other for one, other in ways if (other, one) not in ways}
        ring = [min(after)]
        while after[ring[-1]] != ring[0]:
            ring.append(after[ring[-1]])
        return tuple(ring)

    @cached_property
    def circle(self) -> float:
        """The radius of the circle in a usual cell, in edges."""
        if self.given_circles is not None:
            return USUAL * float(np.median(self.given_circles[:, 2]))
        ring = self.corners(1.0)[list(self.cells[0])]
        along = np.roll(ring, -1, axis=0) - ring
        to = ring.mean(axis=0) - ring
        return float(np.min((along[:, 0] * to[:, 1] - along[:, 1] * to[:, 0]) / np.hypot(*along.T)))

    @cached_property
    def circles(self) -> Floats:
        """The radius (f,) of the circle in every cell, in edges."""
        if self.given_circles is not None:
            return frozen(self.given_circles[:, 2])
        return frozen(np.full(len(self.cells), self.circle))

    @cached_property
    def reaches(self) -> Floats:
        """Distance (f,) from the middle of every cell to its nearest dot, in edges."""
        corners, middles = self.corners(1.0), self.middles(1.0)
        near = [np.hypot(*(corners[list(ring)] - middles[cell]).T).min() for cell, ring in enumerate(self.cells)]
        return frozen(np.array(near))

    @cached_property
    def clearances(self) -> Floats:
        """Distance (n,) from every dot to the nearest edge of its cells that does not end there, in edges."""
        corners, near = self.corners(1.0), np.full(len(self.points), np.inf)
        if self.layout.is_regular:
            return frozen(near)
        for ring in self.cells:
            dots = np.array(ring)
            begins = corners[dots]
            ways = np.roll(begins, -1, axis=0) - begins
            away = begins[:, None] - begins
            share = np.clip((away * ways).sum(axis=2) / (ways**2).sum(axis=1), 0.0, 1.0)
            gaps = np.hypot(*np.moveaxis(away - share[..., None] * ways, 2, 0))
            places = np.arange(len(ring))
            gaps[places, places] = gaps[places, places - 1] = np.inf
            np.minimum.at(near, dots, gaps.min(axis=1))
        return frozen(near)

    @cached_property
    def size(self) -> tuple[float, float]:
        """The width and height of all cells together, in edges."""
        if self.given_size is not None:
            return self.given_size
        width, height = self.corners(1.0).max(axis=0).tolist()
        return width, height

    def corners(self, edge: float) -> Floats:
        """The dots (n, 2) in mm for cells of an edge in mm; the origin is the top left corner of all."""
        low = self.points.min(axis=0) if self.given_size is None else 0.0
        return frozen((self.points - low) * np.array(self.unit) * edge)

    def middles(self, edge: float) -> Floats:
        """The middle (f, 2) in mm of the circle in every cell."""
        if self.given_circles is not None:
            return frozen(self.given_circles[:, :2] * edge)
        corners = self.corners(edge)
        return frozen(np.array([corners[list(cell)].mean(axis=0) for cell in self.cells]))

    def tiling(self, edge: float) -> Tiling:
        """A grid on a lattice as a tiling, in mm; pieces are named like cells, corners by their number."""
        places = {self._spot(middle, edge): name for middle, name in zip(self.middles(edge), self.names, strict=True)}

        def names(circles: Floats) -> list[str]:
            return [places[self._spot(circle[:2], edge)] for circle in circles]

        return tiled(self.corners(edge), self.edges, scale=edge, names=names)

    def _spot(self, place: Floats, edge: float) -> Point:
        """The nearest point of a finer lattice, the same for all places near a cell's middle."""
        x, y = np.round(place / (np.array(self.unit) * edge) * 3).astype(int).tolist()
        return x, y


OUTSIDE = "rim"


def _square(column: int, row: int) -> list[Point]:
    return [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]


def _hexagon(column: int, row: int) -> list[Point]:
    x, y = 2 * column + 1 + row % 2, 3 * row + 2
    return [(x, y - 2), (x + 1, y - 1), (x + 1, y + 1), (x, y + 2), (x - 1, y + 1), (x - 1, y - 1)]


def _triangle(column: int, row: int) -> list[Point]:
    if (column + row) % 2:
        return [(column, row), (column + 2, row), (column + 1, row + 1)]
    return [(column + 1, row), (column + 2, row + 1), (column, row + 1)]


def _brick(column: int, row: int) -> list[Point]:
    x = 2 * column + row % 2
    return [(x, row), (x + 1, row), (x + 2, row), (x + 2, row + 1), (x + 1, row + 1), (x, row + 1)]


_FORMS: dict[str, tuple[Callable[[int, int], list[Point]], tuple[float, float]]] = {
    SQUARE: (_square, (1.0, 1.0)),
    HEXAGON: (_hexagon, (3**0.5 / 2, 0.5)),
    TRIANGLE: (_triangle, (0.5, 3**0.5 / 2)),
    BRICKS: (_brick, (1.0, 1.0)),
}


@lru_cache(maxsize=16)
def grid(layout: Layout) -> Grid:
    """The grid of a layout; raises StudioError if the outline leaves no room for cells."""
    if not layout.is_regular:
        return clipped_grid(layout)
    outline, unit = _FORMS[layout.form]
    rings = [outline(column, row) for row in range(layout.rows) for column in range(layout.columns)]
    points = sorted({point for ring in rings for point in ring}, key=lambda point: (point[1], point[0]))
    numbers = {point: number for number, point in enumerate(points)}
    cells = tuple(tuple(numbers[point] for point in ring) for ring in rings)
    names = tuple(cell_name(column, row) for row in range(layout.rows) for column in range(layout.columns))
    return Grid(layout, frozen(np.array(points, np.int64)), cells, names, (layout.columns,) * layout.rows, unit)


# Grids of irregular cells: a tessellation clipped to an outline, without edges and cells that are too small.


TILINGS = {
    SQUARE: (GRID, (1.0, 1.0)), HEXAGON: (HEXAGONS, (3**0.5, 1.5)), TRIANGLE: (TRIANGLES, (0.5, 3**0.5 / 2)),
    BRICKS: (BRICKS, (2.0, 1.0)), VORONOI: (VORONOI, (1.3, 1.3)), RINGS: (RINGS, (1.3, 1.3)),
    HAND_CUT: (HAND_CUT, (1.3, 1.3)),
}  # fmt: skip
"""The tiling of every form, and the width of a column and the height of a row in edges, whose mean is about 1."""
LONGEST = 2.0
"""Largest ratio of the sides of the box around rings: in a longer box they would be too narrow."""


def clipped_grid(layout: Layout) -> Grid:
    """The grid of a layout with irregular cells; raises StudioError if its outline is too fine for them."""
    width, height = size = size_of(layout)
    form = layout.board(width, height)
    division = Division(form, TILINGS[layout.form][0], layout.columns, layout.rows, layout.seed)
    outline = bounded(form)
    tiling = clipped(covered(division, SILENT), outline, size)
    graph = tiling.graph
    if len(graph.holes) > 0 or len(tiling.rims) != 1:
        raise StudioError(tr("The board is too small for this outline; use more columns and rows."))
    dots = graph.edges[graph.codes >> 1, graph.codes & 1]
    rings = [ring.tolist() for ring in np.split(dots, graph.starts[1:-1])]
    bends = [int(((tiling.homes - bend) ** 2).sum(axis=1).argmin()) for bend in outline.bends]
    mesh = Mesh(tiling.homes, rings, bends)
    mesh.tidy()
    if not mesh.rim:
        raise StudioError(tr("The board is too small for this outline; use more columns and rows."))
    return _grid(layout, tiling, mesh, size)


def size_of(layout: Layout) -> tuple[float, float]:
    """The width and height of the board of a layout with irregular cells, in edges."""
    across, down = TILINGS[layout.form][1]
    width, height = layout.columns * across, layout.rows * down
    if layout.path:
        low, high = box(np.array(layout.path[0]))
        if (high <= low).any():
            raise StudioError(tr("The outline encloses no area."))
        ratio = float((high[0] - low[0]) / (high[1] - low[1]))
    elif layout.form == RINGS:
        ratio = min(max(width / height, 1 / LONGEST), LONGEST)
    else:
        return width, height
    side, stretch = (width * height) ** 0.5, ratio**0.5
    return side * stretch, side / stretch


def _grid(layout: Layout, tiling: Tiling, mesh: Mesh, size: tuple[float, float]) -> Grid:
    """The cells of a mesh in rows, its dots in reading order."""
    names, keys = tiling.piece_names, tiling.face_keys
    order = sorted(mesh.rings, key=lambda cell: (int(keys[cell]), len(names[cell]), names[cell]))
    used = np.unique(np.concatenate([mesh.rings[cell] for cell in order]))
    places = mesh.places[used]
    reading = np.lexsort((places[:, 0], np.round(places[:, 1], 6)))
    numbers = dict(zip(used[reading].tolist(), range(len(used)), strict=True))
    counts = Counter(int(keys[cell]) // ROW_KEY for cell in order)
    return Grid(
        layout,
        frozen(places[reading]),
        tuple(tuple(numbers[dot] for dot in mesh.rings[cell]) for cell in order),
        tuple(names[cell] for cell in order),
        tuple(counts[row] for row in sorted(counts)),
        (1.0, 1.0),
        size,
        mesh.circles(order),
    )
