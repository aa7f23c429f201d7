"""Distances between closed lines, and a bound on the crossings of lines."""

from __future__ import annotations

import numpy as np

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.geometry.curves.strokes import Floats, Ints, Polylines, offsets


def apart(rings: Polylines, others: Polylines) -> tuple[Floats, Floats]:
    """Largest gap in mm between each closed line (n,) and its counterpart, and its place (n, 2).

    Both must run the same way round. The gap is an upper bound, close to the truth for similar lines.

    >>> square = np.array([(0, 0), (4, 0), (4, 4), (0, 4), (0, 0)], float)
    >>> dented = np.array([(4, 4), (0, 4), (0, 0), (2, 0.5), (4, 0), (4, 4)], float)
    >>> gaps, places = apart(Polylines(square, np.array([0, 5])), Polylines(dented, np.array([0, 6])))
    >>> gaps.tolist(), places.tolist()
    ([0.5], [[2.0, 0.5]])
    """
    if not len(rings):
        return np.empty(0), np.empty((0, 2))
    others = _from_nearest(others, rings.points[rings.starts[:-1]])
    first, last = others.starts[:-1][rings.owners], others.starts[1:][rings.owners] - 1
    at = np.clip(np.searchsorted(_shares(others), _shares(rings), side="right") - 1, first, last - 1)
    share, gaps = _nearest(others.points, at, rings.points)
    walked = at + share
    # If the nearest place is an end of its segment, the next segment may be nearer.
    ends = np.flatnonzero((share <= 0) | (share >= 1))
    beside = np.clip(at[ends] + np.where(share[ends] <= 0, -1, 1), first[ends], last[ends] - 1)
    share, gaps_beside = _nearest(others.points, beside, rings.points[ends])
    nearer = gaps_beside < gaps[ends]
    walked[ends[nearer]] = (beside + share)[nearer]
    walked[rings.starts[:-1]], walked[rings.starts[1:] - 1] = others.starts[:-1], others.starts[1:] - 1
    walked = np.maximum.accumulate(walked)
    corners = np.arange(len(others.points))
    behind = np.searchsorted(walked, corners, side="right") - 1
    behind = np.minimum(behind, (rings.starts[1:] - 2)[others.owners])
    back = np.maximum.accumulate(behind + _nearest(rings.points, behind, others.points)[0])
    worst, here = _worst(rings, _gaps(others, walked, rings.points))
    backwards, there = _worst(others, _gaps(rings, back, others.points))
    is_there = backwards > worst
    places = np.where(is_there[:, None], others.points[there], rings.points[here])
    return np.sqrt(np.where(is_there, backwards, worst)), places


def _worst(rings: Polylines, gaps: Floats) -> tuple[Floats, Ints]:
    """The largest of the gaps at the points of each line, and the first point with it."""
    worst = np.maximum.reduceat(gaps, rings.starts[:-1])
    hits = np.flatnonzero(gaps == worst[rings.owners])[::-1]
    at = np.empty(len(rings), np.int64)
    at[rings.owners[hits]] = hits
    return worst, at


def _from_nearest(rings: Polylines, places: Floats) -> Polylines:
    """Begin closed lines at their place nearest to a given place each."""
    counts = rings.counts - 1
    off = rings.points - places[rings.owners]
    _, corners = _worst(rings, -(off[:, 0] ** 2 + off[:, 1] ** 2))
    corners = np.minimum(corners, rings.starts[1:] - 2)
    before = np.where(corners > rings.starts[:-1], corners, rings.starts[1:] - 1) - 1
    (share, gaps), (share_before, gaps_before) = (_nearest(rings.points, at, places) for at in (corners, before))
    is_before = gaps_before < gaps
    segments, shares = np.where(is_before, before, corners), np.where(is_before, share_before, share)
    points = rings.points
    here = points[segments] + shares[:, None] * (points[segments + 1] - points[segments])
    starts = offsets(counts + 2)
    owners = np.repeat(np.arange(len(rings)), counts + 2)
    within = np.arange(len(owners)) - starts[owners]
    began = segments - rings.starts[:-1]
    around = points[rings.starts[owners] + (began[owners] + within) % counts[owners]]
    around[starts[:-1]] = around[starts[1:] - 1] = here
    return Polylines(around, starts)


def _shares(rings: Polylines) -> Floats:
    """Share of the way round at each point, plus twice the number of its ring."""
    steps = np.hypot(*np.diff(rings.points, axis=0, prepend=rings.points[:1]).T)
    steps[rings.starts[:-1]] = 0.0
    along = np.cumsum(steps)
    along -= along[rings.starts[:-1]][rings.owners]
    return np.asarray(2 * rings.owners + along / np.maximum(along[rings.starts[1:] - 1], 1e-300)[rings.owners])


def _nearest(points: Floats, segments: Ints, places: Floats) -> tuple[Floats, Floats]:
    """Share of each segment, from its point to the next, nearest to a place, and the squared gap."""
    x, y = points[:, 0], points[:, 1]
    begin_x, begin_y = x[segments], y[segments]
    way_x, way_y = x[segments + 1] - begin_x, y[segments + 1] - begin_y
    off_x, off_y = places[:, 0] - begin_x, places[:, 1] - begin_y
    share = (off_x * way_x + off_y * way_y) / np.maximum(way_x**2 + way_y**2, 1e-300)
    np.clip(share, 0.0, 1.0, out=share)
    return share, (off_x - share * way_x) ** 2 + (off_y - share * way_y) ** 2


def _gaps(rings: Polylines, walked: Floats, places: Floats) -> Floats:
    """Squared gaps between places and the points at fractional indices `walked` along all lines."""
    x, y = rings.points[:, 0], rings.points[:, 1]
    at = np.minimum(walked.astype(np.int64), len(x) - 2)
    share = walked - at
    off_x = x[at] + share * (x[at + 1] - x[at]) - places[:, 0]
    off_y = y[at] + share * (y[at + 1] - y[at]) - places[:, 1]
    return np.asarray(off_x**2 + off_y**2)


# A bound on the crossings of lines, since noding takes memory and time for each crossing

MOST_CROSSINGS = 50_000
"""Most pairs of segments in a drawing that cross, neighbours not counted."""
SEGMENTS_A_STEP = 32


def segments(lines: Polylines) -> tuple[Floats, Floats]:
    """Starts and ends of the segments of lines."""
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
