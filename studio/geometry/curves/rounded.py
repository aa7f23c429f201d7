"""Rings of straight sides at right angles whose corners are rounded, as curves to cut and as points of solids.

Lines with bends of any angle are rounded, too.

ring: the corners (n, 2) in mm of a closed way, each side at right angles to the next. inset: how far all sides move to
the inside of the region that the ring bounds; an outline shrinks by it, a hole grows.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from studio.geometry.curves.strokes import Floats, frozen

SHARE = 0.45
"""The most of a side that the rounding of a corner takes, so that something straight is left of it."""
HANDLE = 4 / 3 * (2**0.5 - 1)
"""How long the handles of a quarter circle's cubic are, in radii; it strays by 0.03 % of the radius."""
FINEST = 0.01
"""A smaller radius in mm is none: no tool makes it, and its arc would vanish between the digits of a file."""
FLAT = 1e-9
"""The cross product in mm² below which two sides are in one line."""


def corners_of(points: Floats) -> Floats:
    """The corners among the points (n, 2) of a closed way; a last point that repeats the first is left out."""
    points = points[:-1] if len(points) > 1 and (points[0] == points[-1]).all() else points
    before, after = points - np.roll(points, 1, axis=0), np.roll(points, -1, axis=0) - points
    return points[np.abs(before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]) > FLAT]


def turns(corners: Floats) -> Floats:
    """1 (n,) where the region bulges at a corner, -1 where it is hollow; it lies on the left where y grows upwards."""
    sides = np.roll(corners, -1, axis=0) - corners
    coming = np.roll(sides, 1, axis=0)
    return np.asarray(np.sign(coming[:, 0] * sides[:, 1] - coming[:, 1] * sides[:, 0]))


def _made(radii: float | Floats) -> Floats:
    """Radii of which those too small to be made are 0."""
    asked = np.asarray(radii, np.float64)
    return np.where(asked < FINEST, 0.0, asked)


def limited(corners: Floats, radii: float | Floats) -> Floats:
    """The radius of every corner, less where its sides are too short for it."""
    lengths = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
    return np.asarray(np.minimum(_made(radii), SHARE * np.minimum(lengths, np.roll(lengths, 1))))


def rounded(corners: Floats, radii: float | Floats) -> Floats:
    """A ring as one closed stroke (3k + 1, 2) of cubics, a quarter circle at every corner with a radius."""
    radius = limited(corners, radii)[:, None]
    sides = np.roll(corners, -1, axis=0) - corners
    ways = sides / np.hypot(*sides.T)[:, None]
    ends, begins = corners - radius * np.roll(ways, 1, axis=0), corners + radius * ways
    points = []
    for at in range(len(corners)):
        if radius[at, 0] > 0:
            reach = 1 - HANDLE
            points.append(ends[at])
            points.append(corners[at] + reach * (ends[at] - corners[at]))
            points.append(corners[at] + reach * (begins[at] - corners[at]))
        following = ends[(at + 1) % len(corners)]
        points += [begins[at] + share * (following - begins[at]) for share in (0.0, 1 / 3, 2 / 3)]
    return frozen(np.array([*points, points[0]]))


def rounded_line(points: Floats, radii: float | Floats) -> Floats:
    """A line through points (n, 2) as one stroke (3k + 1, 2), its bends arcs of a radius, less where sides are short.

    Points between which it runs straight on are left out; bends with a radius of 0 stay sharp.
    """
    ways = np.diff(points, axis=0)
    bends = np.abs(ways[:-1, 0] * ways[1:, 1] - ways[:-1, 1] * ways[1:, 0]) > FLAT
    kept = np.concatenate([[True], bends, [True]])
    corners, radius = points[kept], np.broadcast_to(_made(radii), len(points))[kept][1:-1]
    sides = np.diff(corners, axis=0)
    lengths = np.hypot(*sides.T)
    ways = sides / lengths[:, None]
    half = np.arccos(np.clip((ways[:-1] * ways[1:]).sum(axis=1), -1.0, 1.0)) / 2
    reach = np.minimum(radius * np.tan(half), SHARE * np.minimum(lengths[:-1], lengths[1:]))
    # The handles of an arc are 4/3 tan(turn / 4) radii long.
    handles = 4 / 3 * np.tan(half / 2) / np.tan(half)
    at = corners[0]
    result = [at]
    for bend, (corner, away, handle) in enumerate(zip(corners[1:-1], reach.tolist(), handles.tolist(), strict=True)):
        begin, end = corner - away * ways[bend], corner + away * ways[bend + 1]
        result += [(2 * at + begin) / 3, (at + 2 * begin) / 3, begin]
        if away > 0:
            result += [begin + handle * (corner - begin), end + handle * (corner - end), end]
        at = end
    return np.array([*result, (2 * at + corners[-1]) / 3, (at + 2 * corners[-1]) / 3, corners[-1]])


def levels(corners: Floats, radii: float | Floats, insets: Sequence[float], steps: int) -> Floats:
    """A ring at several insets, as points (len(insets), n, 2) of which the same are above each other.

    `steps` chords make each quarter circle. Where the region bulges an arc shrinks with the inset, so its radius
    must be larger; a corner with a radius of 0 stays sharp.
    """
    radius = limited(corners, radii)
    sides = np.roll(corners, -1, axis=0) - corners
    ways = sides / np.hypot(*sides.T)[:, None]
    coming = np.roll(ways, 1, axis=0)
    # Directions away from the region, which lies on the left of a ring where y grows upwards.
    before, after = (np.stack([way[:, 1], -way[:, 0]], 1) for way in (coming, ways))
    result = []
    signs = turns(corners).tolist()
    for inset in insets:
        points: list[Floats] = []
        for at, sign in enumerate(signs):
            both = before[at] + after[at]
            if radius[at] <= 0 or steps < 1:
                points.append(corners[at] - inset * both)
                continue
            middle = corners[at] - sign * radius[at] * both
            reach = radius[at] - sign * inset
            angles = np.linspace(0.0, np.pi / 2, steps + 1)
            points += list(
                middle + sign * reach * (np.cos(angles)[:, None] * before[at] + np.sin(angles)[:, None] * after[at])
            )
        result.append(np.array(points))
    return np.array(result)


def disc(radius: float) -> Floats:
    """A circle round the origin as one closed stroke (13, 2) of four cubics."""
    corner = np.array([(1.0, 0.0), (1.0, HANDLE), (HANDLE, 1.0)])
    turn = np.array([(0.0, 1.0), (-1.0, 0.0)])
    arcs = [radius * corner @ np.linalg.matrix_power(turn, times) for times in range(4)]
    return np.concatenate([*arcs, arcs[0][:1]])
