"""Meshes of cells with short edges contracted and small cells joined to their neighbours.

Lengths are in edges of a usual cell. dot: a corner of cells. rim: the edges with a cell on one side only. bend: a dot
of the rim at a corner of the outline.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

import numpy as np

from studio.geometry.curves.strokes import Floats, frozen

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
        """Remove dots with only two edges; return whether any was removed."""
        changed = False
        for dot in [dot for dot, cells in self._at.items() if 0 < len(cells) < 3 and dot not in self._bends]:
            beside = self._beside(dot)
            if len(beside) == 2 and (not self._is_rim(dot) or self._is_flat(dot, *beside)):
                changed |= self._dissolved(dot, *beside)
        return changed

    def _is_flat(self, dot: int, one: int, other: int) -> bool:
        ways = self.places[[one, other]] - self.places[dot]
        cosine = (ways[0] @ ways[1]) / (np.hypot(*ways[0]) * np.hypot(*ways[1]))
        return bool(cosine < np.cos(FLATTEST))

    def _dissolved(self, dot: int, one: int, other: int) -> bool:
        if (one, other) in self._cells or (other, one) in self._cells:
            return False
        rings = {cell: [each for each in self.rings[cell] if each != dot] for cell in self._at[dot]}
        if not self._is_sound(rings.values()):
            return False
        self._replace(rings)
        return True

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
