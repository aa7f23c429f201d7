"""Places of the keys on a board: edges and cells, and the next one in each direction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from studio.geometry.board.grids import Layout, grid
from studio.geometry.curves.strokes import Floats

WAYS = ((0, 1), (0, -1), (1, 0), (-1, 0))
"""Steps down and across."""
NEAR = 2.5
"""Search radius for spots that the arrows would pass by, in edges."""
Step = tuple[int, int, int]
"""A spot, and a step from it down and across."""


@dataclass(frozen=True, eq=False)
class Spots:
    """Places of edges and cells for the keys to go through, edges first.

    With `edge`, the length of an edge, no spot is passed by: a spot that no step leads to is put on the way to another.
    """

    places: Floats
    edges: int
    edge: float | None = None

    @property
    def is_ready(self) -> bool:
        """True if all steps are known; otherwise the first step takes half a second on a large board."""
        return self.edge is None or "_detours" in self.__dict__

    def prepare(self) -> None:
        """Find all steps that do not lead to the nearest spot."""
        _ = self._detours

    def beside(self, spot: int, down: int, across: int) -> int:
        """The nearest spot in a direction; the same one at the rim."""
        known = self._detours.get((spot, down, across))
        if known is not None:
            return known
        cost = _costs(self.places - self.places[spot], down, across)
        found = int(np.argmin(cost))
        return found if np.isfinite(cost[found]) else spot

    @cached_property
    def _detours(self) -> dict[Step, int]:
        """Steps that do not lead to the nearest spot."""
        if self.edge is None:
            return {}
        table, detours = _steps(self.places, NEAR * self.edge), dict[Step, int]()
        while True:
            reached = _reached(table)
            missed = sorted({*range(len(self.places))} - {*reached})
            steps = [(spot, _step_to(self.places, reached, spot)) for spot in missed]
            found = [(spot, step) for spot, step in steps if step is not None]
            if not found:
                return detours
            for spot, (before, down, across) in found:
                after = table.get((before, down, across))
                detours[before, down, across] = table[before, down, across] = spot
                if after is not None:
                    detours[spot, down, across] = table[spot, down, across] = after


@lru_cache(maxsize=4)
def cell_spots(layout: Layout) -> Spots:
    """Spots of a layout's cells, without its edges."""
    return Spots(grid(layout).middles(1.0), 0, None if layout.is_regular else 1.0)


def _costs(away: Floats, down: int, across: int) -> Floats:
    """Cost (n,) of steps `away` (n, 2) in a direction: length plus twice the offset; infinite too far to a side."""
    along = away[:, 0] * across + away[:, 1] * down
    aside = np.abs(away[:, 0] * down - away[:, 1] * across)
    return np.asarray(np.round(np.where((along > 0.1) & (aside <= 1.8 * along), along + 2 * aside, np.inf), 6))


def _steps(places: Floats, near: float) -> dict[Step, int]:
    """The nearest place in every direction, within `near`."""
    import shapely

    points = shapely.points(places)
    here, there = shapely.STRtree(points).query(points, predicate="dwithin", distance=near)
    order = np.lexsort((there, here))
    here, there = here[order], there[order]
    begins = np.flatnonzero(np.diff(here, prepend=-1) > 0)
    away = places[there] - places[here]
    table: dict[Step, int] = {}
    for down, across in WAYS:
        cost = _costs(away, down, across)
        least = np.minimum.reduceat(cost, begins)
        best = np.flatnonzero(np.isfinite(cost) & (cost == np.repeat(least, np.diff(begins, append=len(cost)))))
        first = best[np.diff(here[best], prepend=-1) > 0]
        for spot, nearest in zip(here[first].tolist(), there[first].tolist(), strict=True):
            table[spot, down, across] = nearest
    return table


def _reached(table: Mapping[Step, int]) -> list[int]:
    """Spots that can be reached from the first by steps."""
    reached, todo = {0}, [0]
    while todo:
        here = todo.pop()
        for down, across in WAYS:
            other = table.get((here, down, across))
            if other is not None and other not in reached:
                reached.add(other)
                todo.append(other)
    return sorted(reached)


def _step_to(places: Floats, reached: list[int], spot: int) -> Step | None:
    """The cheapest step to a spot from a reached spot."""
    best: tuple[float, Step] | None = None
    for down, across in WAYS:
        cost = _costs(places[spot] - places[reached], down, across)
        at = int(np.argmin(cost))
        if np.isfinite(cost[at]) and (best is None or cost[at] < best[0]):
            best = float(cost[at]), (reached[at], down, across)
    return None if best is None else best[1]
