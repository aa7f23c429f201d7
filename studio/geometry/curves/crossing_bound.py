"""A bound on the crossings of lines, since noding them takes memory and time for each."""

from __future__ import annotations

import numpy as np

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.geometry.curves.strokes import Floats, Polylines

MOST_CROSSINGS = 50_000
"""Pairs of segments of a drawing that may cross beyond one for each segment."""
SEGMENTS_A_STEP = 32


def segments(lines: Polylines) -> tuple[Floats, Floats]:
    """Where the segments of lines start and end."""
    is_last = np.zeros(len(lines.points), bool)
    is_last[lines.starts[1:] - 1] = True
    is_first = np.zeros(len(lines.points), bool)
    is_first[lines.starts[:-1]] = True
    return lines.points[~is_last], lines.points[~is_first]


def ensure_few_crossings(starts: Floats, ends: Floats) -> None:
    """Raise StudioError, to follow the file's name, if segments (n, 2) to (n, 2) cross each other too often."""
    import shapely

    lines = shapely.linestrings(np.stack([starts, ends], 1))
    tree, count = shapely.STRtree(lines), 0
    for at in range(0, len(lines), SEGMENTS_A_STEP):
        some = lines[at : at + SEGMENTS_A_STEP]
        # Each segment meets itself and its two neighbours; every other pair is found twice.
        count += len(tree.query(some, predicate="intersects")[0]) - 3 * len(some)
        if count > 2 * MOST_CROSSINGS:
            raise StudioError(
                tr("its lines cross in more than {most:,} places. Simplify the drawing.", most=MOST_CROSSINGS)
            )
