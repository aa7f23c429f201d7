"""A bound on the crossings of lines, since noding them takes memory and time for each."""

from __future__ import annotations

from studio.errors import StudioError
from studio.geometry.curves import Floats
from studio.texts import tr

MOST_CROSSINGS = 50_000
"""Pairs of segments of a drawing that may cross beyond one for each segment."""
SEGMENTS_A_STEP = 32


def ensure_few_crossings(starts: Floats, ends: Floats) -> None:
    """Raise StudioError, to follow the file's name, if segments (n, 2) to (n, 2) cross each other too often."""
    import numpy as np
    import shapely

    segments = shapely.linestrings(np.stack([starts, ends], 1))
    tree, count = shapely.STRtree(segments), 0
    for at in range(0, len(segments), SEGMENTS_A_STEP):
        some = segments[at : at + SEGMENTS_A_STEP]
        # Each segment meets itself and its two neighbours; every other pair is found twice.
        count += len(tree.query(some, predicate="intersects")[0]) - 3 * len(some)
        if count > 2 * MOST_CROSSINGS:
            raise StudioError(
                tr("its lines cross in more than {most:,} places. Simplify the drawing.", most=MOST_CROSSINGS)
            )
