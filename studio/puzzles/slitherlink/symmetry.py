"""Which cells a symmetry maps onto each other.

orbit: cells that are mapped onto each other, in a puzzle with symmetry all with a clue or all without.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from studio.geometry.board.grids import Grid, Layout, grid
from studio.geometry.curves.strokes import Floats
from studio.puzzles.slitherlink.model import HALF_TURN, MIRROR, NO_SYMMETRY, QUARTER_TURN

_MAPS = {
    HALF_TURN: (np.array([(-1.0, 0.0), (0.0, -1.0)]),),
    MIRROR: (np.array([(-1.0, 0.0), (0.0, 1.0)]), np.array([(1.0, 0.0), (0.0, -1.0)])),
    QUARTER_TURN: (np.array([(0.0, 1.0), (-1.0, 0.0)]),),
}
"""What each symmetry does to a place, seen from the middle of the cells; the second is tried where the first fails."""
NEAR = 0.1
"""How far from a cell's middle, in edges, another one may be mapped: clipped grids are even only about so much."""


@lru_cache(maxsize=32)
def orbits(layout: Layout, symmetry: str) -> tuple[tuple[int, ...], ...] | None:
    """The orbits of the cells, in the order of their first cells; None where a cell would be mapped on none."""
    cells = grid(layout)
    if symmetry == NO_SYMMETRY:
        return tuple((cell,) for cell in range(len(cells.cells)))
    for turn in _MAPS[symmetry]:
        image = _image(cells, turn)
        if image is not None:
            return _followed(image)
    return None


def _image(cells: Grid, turn: Floats) -> list[int] | None:
    """The cell on which each is mapped."""
    places = cells.middles(1.0)
    middle = np.array(cells.size) / 2
    wanted = (places - middle) @ turn.T + middle
    found = []
    for place in wanted:
        gaps = np.hypot(*(places - place).T)
        found.append(int(gaps.argmin()))
        if gaps[found[-1]] > NEAR:
            return None
    return found if len({*found}) == len(found) else None


def _followed(image: list[int]) -> tuple[tuple[int, ...], ...]:
    seen: set[int] = set()
    found = []
    for first in range(len(image)):
        orbit = []
        cell = first
        while cell not in seen:
            seen.add(cell)
            orbit.append(cell)
            cell = image[cell]
        if orbit:
            found.append(tuple(sorted(orbit)))
    return tuple(found)
