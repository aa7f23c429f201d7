"""The slow way to find out whether a part slides off another: every small step is tried with the parts themselves."""

from heapq import heappop, heappush

import numpy as np
import shapely

from studio.geometry.curves.strokes import Floats

STEP = 0.03
"""The distance in mm between the places that the slow search tries."""


def slides(part: shapely.Polygon, other: shapely.Polygon, contact: Floats, clearance: float) -> bool:
    """Whether a part can be slid off another in small steps, each having lost half the clearance all round."""
    part, other = (shapely.buffer(one, -clearance / 2, quad_segs=16) for one in (part, other))
    shapely.prepare(other)
    angles = 2 * np.pi * np.arange(24) / 24
    ways = np.stack([np.cos(angles), np.sin(angles)])
    extents = np.ptp(contact @ ways, axis=0) + 0.1
    known, waiting = {(0, 0)}, [(1.0, (0, 0))]
    while waiting:
        rest, (i, j) = heappop(waiting)
        if rest <= 0:
            return True
        around = [(i + right, j + down) for right in (-1, 0, 1) for down in (-1, 0, 1)]
        around = [at for at in around if at not in known]
        known.update(around)
        moved = [shapely.transform(part, lambda points, at=at: points + STEP * np.array(at)) for at in around]
        for at, one in zip(around, moved, strict=True):
            if not shapely.intersects(other, one):
                heappush(waiting, (float(1 - (STEP * np.array(at) @ ways / extents).max()), at))
    return False
