"""Windows of a tessellation: the cells round a place, and all others as one, so that a part is divided by itself.

rest: the one cell of all that is not within a window.
"""

from __future__ import annotations

import numpy as np

from studio.geometry.curves import Floats, frozen
from studio.geometry.tessellations import NO_CELL, Tessellation
from studio.geometry.tiling import REST_KEY

LARGEST = 0.6
"""The largest share of the cells that a window has; beyond it the whole is as soon divided."""


def window(tessellation: Tessellation, low: Floats, high: Floats) -> Tessellation | None:
    """The cells that reach into a box in mm, in their order, and the rest behind them; None where few are left."""
    chosen = _reached(tessellation, low, high)
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


def _reached(tessellation: Tessellation, low: Floats, high: Floats) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which cells have boxes that reach into a box."""
    begin, end = tessellation.boxes
    return np.asarray(((begin <= high) & (end >= low)).all(axis=1))
