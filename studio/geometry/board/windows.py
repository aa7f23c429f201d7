"""Windows of a tessellation: the cells round a place, and all others as one, so that a part is divided by itself.

rest: the one cell of all that is not within a window.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from studio.geometry.board.tessellations import NO_CELL, Tessellation
from studio.geometry.board.tiling import REST_KEY
from studio.geometry.curves.strokes import Floats, frozen

LARGEST = 0.6
"""The largest share of the cells that a window has; beyond it the whole is as soon divided."""


def window(tessellation: Tessellation, low: Floats, high: Floats, reach: float) -> Tessellation | None:
    """The cells no further than `reach`, in cells, from a box in mm, in their order, and the rest behind them; None
    where few are left."""
    chosen = _reached(tessellation, low, high, reach)
    if chosen.sum() > LARGEST * len(chosen):
        return None
    rest = int(chosen.sum())
    number = np.append(np.where(chosen, np.cumsum(chosen) - 1, rest), NO_CELL)
    kept = np.flatnonzero(np.append(chosen, False)[tessellation.sides].any(axis=1))
    corners, ends = np.unique(tessellation.edges[kept], return_inverse=True)
    cells = np.flatnonzero(chosen)
    return Tessellation(
        corners=tessellation.corners[corners],
        edges=ends.reshape(-1, 2),
        sides=number[tessellation.sides[kept]],
        corner_keys=tessellation.corner_keys[corners],
        edge_keys=tessellation.edge_keys[kept],
        corner_names=[tessellation.corner_names[corner] for corner in corners.tolist()],
        cell_keys=frozen(np.append(tessellation.cell_keys[cells], REST_KEY)),
        cell_names=[*(tessellation.cell_names[cell] for cell in cells.tolist()), ""],
        scale=tessellation.scale,
    )


def _reached(tessellation: Tessellation, low: Floats, high: Floats, reach: float) -> NDArray[np.bool_]:
    """Which cells have boxes no further than `reach`, in cells, from a box."""
    begin, end = tessellation.boxes
    away = np.maximum(np.maximum(begin - high, low - end), 0.0) / tessellation.scale
    return np.asarray((away**2).sum(axis=1) <= reach**2)
