"""Sketch of a maker's profile while it is drawn: knots and handles that stay smooth, and the resulting profile."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from studio.base.errors import StudioError
from studio.base.texts import tr, within
from studio.geometry.curves.strokes import Floats, frozen
from studio.puzzles.jigsaw.tongues.profiles import HANDLE, SHORTEST_HANDLE, Stored, own_profile, profile_of
from studio.puzzles.jigsaw.tongues.styles import Style
from studio.puzzles.jigsaw.tongues.tongues import FULLNESS, HEAD, NECK, NUMBERS, SHOULDER, SIDE, SIZE, framed

TITLE = tr("Custom")
"""Title of a drawn profile."""
DECIMALS = 5
"""Decimals of a control point, in edge lengths."""
LOW, HIGH = (-0.1, -0.4), (1.1, 1.2)
"""Corners of the box within which control points can be dragged, in edge lengths."""
SHORTEST = 0.01
"""Least length of a handle, in edge lengths."""
LEAST_LOCK = 0.012
"""Least overhang of the head beyond the neck on either side, in edge lengths."""
SAME_KNOT = 0.03
"""Distance from the narrowest place within which a knot is the neck's, in edge lengths."""
MOST_KNOTS = 40
USUAL_SIZE = 0.27
"""Height of a new sketch, in edge lengths."""
FINE = 48
"""Number of places on every cubic at which the neck is searched."""


@dataclass(frozen=True, eq=False)
class Sketch:
    """Control points of a whole tongue on an edge of length 1, shape (3n + 1, 2); symmetry mirrors its halves.

    The handles at both corners follow from the nearest knots, as in cut tongues.
    """

    points: Floats
    is_symmetric: bool

    @property
    def last(self) -> int:
        """Number of the last knot."""
        return (len(self.points) - 1) // 3

    @property
    def movable(self) -> range:
        """Control points that can be dragged: all but the corners and their handles."""
        return range(2, len(self.points) - 2)

    def moved(self, point: int, x: float, y: float) -> Sketch:
        """Move a control point: a knot takes its handles along, a handle turns the opposite handle."""
        points, place = self.points.copy(), np.clip((x, y), LOW, HIGH)
        knot = (point + 1) // 3
        is_middle = self.is_symmetric and 2 * knot == self.last
        if point % 3 == 0:
            if is_middle:
                place[0] = 0.5
            points[point - 1 : point + 2] += place - points[point]
        else:
            if is_middle:
                place[1] = points[3 * knot, 1]
            other = 6 * knot - point
            arm, opposite = place - points[3 * knot], points[other] - points[3 * knot]
            length = max(float(np.hypot(*arm)), SHORTEST)
            # A handle on its knot keeps its previous direction.
            arm = arm / np.hypot(*arm) if arm.any() else -opposite / np.hypot(*opposite)
            points[point] = points[3 * knot] + length * arm
            reach = length if is_middle else float(np.hypot(*opposite))
            if 0 < other < len(points) - 1:
                points[other] = points[3 * knot] - reach * arm
        if self.is_symmetric:
            changed = [at for at in (3 * knot - 1, 3 * knot, 3 * knot + 1) if not is_middle and 0 <= at < len(points)]
            for at in changed:
                points[-1 - at] = (1, 0) + points[at] * (-1, 1)
        return replace(self, points=_settled(points))

    def with_knot(self, cubic: int, share: float) -> Sketch:
        """Add a knot to a cubic at a share of its parameter, and to the mirrored cubic; the outline stays."""
        if self.last >= MOST_KNOTS:
            return self
        points = _split(self.points, cubic, share)
        if self.is_symmetric:
            # If the split cubic is in the first half, the mirrored cubic is behind the new one.
            mirrored = self.last - 1 - cubic + (cubic < self.last / 2)
            points = _split(points, mirrored, 1 - share)
        return replace(self, points=_settled(points))

    def without_knot(self, knot: int) -> Sketch:
        """Remove a knot and its mirror image; the corners and the middle of a symmetric tongue stay."""
        gone = sorted({knot, self.last - knot} if self.is_symmetric else {knot}, reverse=True)
        if not all(self.can_remove(each) for each in gone) or self.last - len(gone) < 2:
            return self
        points = self.points
        for each in gone:
            points = _joined(points, each)
        return replace(self, points=_settled(points))

    def can_remove(self, knot: int) -> bool:
        """True if a knot can be removed."""
        is_middle = self.is_symmetric and 2 * knot == self.last
        return 0 < knot < self.last and not is_middle and self.last > 2

    def nearest(self, x: float, y: float) -> tuple[int, float, float]:
        """Cubic nearest to a place, the share of its parameter there, and the distance."""
        shares = np.linspace(0, 1, FINE + 1)
        places = _along(self.points, shares)
        gaps = np.hypot(places[..., 0] - x, places[..., 1] - y)
        cubic, at = np.unravel_index(int(gaps.argmin()), gaps.shape)
        return int(cubic), float(np.clip(shares[at], 0.1, 0.9)), float(gaps[cubic, at])

    def mirrored(self) -> Sketch:
        """Mirror the left half, joined at its highest knot in the middle of the edge."""
        top = 1 + int(self.points[3:-3:3, 1].argmax())
        half = self.points[: 3 * top + 1].copy()
        half[:, 0] *= 0.5 / max(half[-1, 0], 0.2)
        half[-1, 0] = 0.5
        half[-2] = half[-1] - (max(float(np.hypot(*(half[-1] - half[-2]))), SHORTEST), 0.0)
        points = np.concatenate([half, (half * [-1, 1] + [1, 0])[-2::-1]])
        return Sketch(_settled(points), is_symmetric=True)

    def freed(self) -> Sketch:
        """Drop the symmetry, so that both halves are edited separately."""
        return replace(self, is_symmetric=False)

    def stored(self) -> Stored:
        """Make the profile. Raise StudioError if it is not smooth, crosses itself or has no neck."""
        points = rounded(self.points)
        if self.is_symmetric:
            return completed(Stored(TITLE, half=points[: len(points) // 2 + 1]))
        return completed(Stored(TITLE, whole=points))


def sketch_of(points: Floats) -> Sketch:
    """Make a sketch of the control points of a tongue on an edge of length 1, shape (3n + 1, 2)."""
    last, is_symmetric = (len(points) - 1) // 3, bool(np.abs(_flipped(points) - points).max() < 10**-DECIMALS)
    if is_symmetric and last % 2 == 1:
        points = _split(points, last // 2, 0.5)
    return Sketch(_settled(points.copy()), is_symmetric)


def started(style: Style) -> Sketch:
    """Start a sketch from a style's tongue without variation."""
    numbers = np.zeros((1, NUMBERS))
    numbers[:, [SIDE, NECK, HEAD, SHOULDER, FULLNESS]] = 1.0
    numbers[:, SIZE] = USUAL_SIZE
    along = np.array([[1.0, 0.0]])
    frames = framed(np.array([[[0.0, 0.0], [1.0, 0.0]]]), numbers, np.ones(1), 1.0)
    return sketch_of(style.curve(frames, along, along)[0])


def completed(stored: Stored) -> Stored:
    """Add missing knots at a profile's neck. Raise StudioError if it is not smooth, crosses itself or has no neck."""
    shown = profile_of(stored)
    if not shown.necks:
        stored = _with_necks(stored, shown.points)
    # A neck beside a corner may be too small for a file to keep it smooth.
    own_profile(stored)
    return stored


def _with_necks(stored: Stored, whole: Floats) -> Stored:
    if stored.half:
        half, neck = _necked(whole[: len(stored.half)], stored.title)
        return replace(stored, half=rounded(half), neck=neck)
    points, first = _necked(whole, stored.title)
    points, second = _necked(_flipped(points), stored.title)
    return replace(stored, whole=rounded(_flipped(points)), necks=(first, (len(points) - 1) // 3 - second))


def _necked(points: Floats, title: str) -> tuple[Floats, int]:
    """Add a knot, if needed, at the narrowest place of the left flank; return its number. Raise StudioError if none."""
    shares = np.linspace(0, 1, FINE + 1)
    places = _along(points, shares).reshape(-1, 2)
    flank = places[: int(places[:, 1].argmax()) + 1, 0]
    undercut = np.maximum.accumulate(flank) - flank
    head = int(undercut.argmax())
    if undercut[head] < LEAST_LOCK:
        raise StudioError(
            tr("The {title} tongue has no neck: its head must be wider to hold the next piece.", title=within(title))
        )
    at = int(flank[: head + 1].argmax())
    knots = points[3:-1:3]
    apart = np.hypot(*(knots - places[at]).T)
    if len(knots) and apart.min() < SAME_KNOT:
        return points, 1 + int(apart.argmin())
    cubic, place = divmod(at, FINE + 1)
    return _split(points, cubic, float(np.clip(shares[place], 0.05, 0.95))), cubic + 1


def _settled(points: Floats) -> Floats:
    """Place the handles at the corners as in cut tongues."""
    points[0], points[-1] = (0, 0), (1, 0)
    points[1] = max(HANDLE * points[3, 0], SHORTEST_HANDLE), 0
    points[-2] = 1 - max(HANDLE * (1 - points[-4, 0]), SHORTEST_HANDLE), 0
    return frozen(points)


def _flipped(points: Floats) -> Floats:
    """Mirror image of control points, from the other corner."""
    return np.asarray(points[::-1] * [-1, 1] + [1, 0])


def rounded(points: Floats) -> tuple[tuple[float, float], ...]:
    """Round control points as in a file, shape (3n + 1, 2)."""
    return tuple((x + 0.0, y + 0.0) for x, y in np.round(points, DECIMALS).tolist())


def _along(points: Floats, shares: Floats) -> Floats:
    """Places on n cubics at shares of their parameters, shape (s,); result of shape (n, s, 2)."""
    t = shares[:, None]
    one, two, three, four = (points[at : len(points) - 3 + at : 3, None] for at in range(4))
    return np.asarray(one * (1 - t) ** 3 + 3 * two * t * (1 - t) ** 2 + 3 * three * t**2 * (1 - t) + four * t**3)


def _split(points: Floats, cubic: int, share: float) -> Floats:
    """Split a cubic in two at a share of its parameter."""
    level = points[3 * cubic : 3 * cubic + 4]
    first, second = [level[0]], [level[3]]
    while len(level) > 1:
        level = level[:-1] + share * (level[1:] - level[:-1])
        first.append(level[0])
        second.append(level[-1])
    return np.concatenate([points[: 3 * cubic], first, second[-2::-1], points[3 * cubic + 4 :]])


def _joined(points: Floats, knot: int) -> Floats:
    """Join the two cubics at a knot, the reverse of `_split`."""
    before, after = points[3 * knot] - points[3 * knot - 1], points[3 * knot + 1] - points[3 * knot]
    one, two = float(np.hypot(*before)), float(np.hypot(*after))
    share = min(max(one / max(one + two, SHORTEST), 0.2), 0.8)
    start, end = points[3 * knot - 3], points[3 * knot + 3]
    first = start + (points[3 * knot - 2] - start) / share
    second = end + (points[3 * knot + 2] - end) / (1 - share)
    return np.concatenate([points[: 3 * knot - 2], [first, second], points[3 * knot + 3 :]])
