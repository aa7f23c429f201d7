"""Profiles of tongues from resources/tongues/: half an outline in cubics, which is drawn along every edge.

A file has a `title` and `half`: the control points [x, y] of cubics from the first corner (0, 0) to the middle of the
edge, x and y as fractions of its length, y towards the knob. The other half is its mirror image. `neck` is the number
of the knot where the tongue is narrowest, if it has a neck. knot: an end of a cubic, numbered from 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from studio.encode import decode
from studio.errors import StudioError
from studio.geometry.curves import Curves, Floats, Ints, frozen
from studio.home import shipped
from studio.puzzles.jigsaw.tongues import DEPTH, FULLNESS, HEAD, NECK, SHOULDER, SIZE, SLANT, Frames
from studio.stored import read
from studio.texts import tr

FOLDER = shipped("tongues")
LARGEST_FILE = 2**16
SMOOTH = np.radians(1.0)
"""The largest angle between two cubics of a profile at a knot."""
FLATTENING = 1e-4
"""The largest deviation of the polyline that is checked for crossings, in edge lengths."""
HANDLE = 0.45
"""Length of the handle at a corner, as a fraction of the way to the next knot."""
SHORTEST_HANDLE = 0.05
"""Least length of the handle at a corner, as a fraction of the edge."""
BESIDE = 1.15
"""Distance of the slant handle from the middle of the head, in half heads."""
LEAST_HALF_HEAD = 0.12
"""Least half head beside which the slant handle sits, as a fraction of the profile's width."""
HIGH = 0.9
"""Height of the slant handle, as a fraction of the tongue's."""


@dataclass(frozen=True)
class Stored:
    """A profile as a file has it."""

    title: str
    half: tuple[tuple[float, float], ...]
    neck: int | None = None


@dataclass(frozen=True, eq=False)
class Profile:
    """A tongue on an edge of length 1: control points (3 n + 1, 2), both halves, and the knots of its neck, if any."""

    title: str
    points: Floats
    necks: tuple[int, ...]

    @cached_property
    def height(self) -> float:
        """The highest of its knots."""
        return float(self.points[self.tip, 1])

    @cached_property
    def tip(self) -> int:
        """The control point that is its highest knot; of two, the one away from the slant handle."""
        return 3 * int(self.points[::3, 1].argmax())

    @cached_property
    def owners(self) -> Ints:
        """The knot that each control point belongs to, (3 n + 1,)."""
        return frozen((np.arange(len(self.points)) + 1) // 3)

    @cached_property
    def heads(self) -> Ints:
        """The control points of the head, between the necks."""
        if not self.necks:
            return np.empty(0, np.int64)
        return np.flatnonzero((self.owners > self.necks[0]) & (self.owners < self.necks[1]))

    @cached_property
    def shoulders(self) -> Ints:
        """The control points of the knots below the edge."""
        return np.flatnonzero(self.points[3 * self.owners, 1] < 0)

    @cached_property
    def half_head(self) -> float:
        """The largest distance of a knot of the head from its middle, or what keeps the handles of a wave apart."""
        knots = self.points[::3]
        return max(LEAST_HALF_HEAD, float((knots[knots[:, 1] > self.height / 3, 0] - 0.5).max()))

    def curve(self, frames: Frames, leaving: Floats, reaching: Floats) -> Floats:
        """The control points (k, 3 n + 1, 2) of tongues, from the directions (k, 2) in which they leave and reach."""
        u, v = self._placed(frames)
        points = frames.ends[:, :1] + u[..., None] * frames.along[:, None] + v[..., None] * frames.across[:, None]
        points[:, 0], points[:, -1] = frames.ends[:, 0], frames.ends[:, 1]
        least = SHORTEST_HANDLE * frames.length
        first = np.maximum(HANDLE * u[:, 3], least)
        last = np.maximum(HANDLE * (frames.length - u[:, -4]), least)
        points[:, 1] = frames.ends[:, 0] + leaving * first[:, None]
        points[:, -2] = frames.ends[:, 1] - reaching * last[:, None]
        return np.asarray(points)

    def at_tip(self, frames: Frames) -> tuple[Floats, Floats]:
        """Where the tips of tongues are in their frames, u and v (k,) in mm."""
        u, v = self._placed(frames)
        return u[:, self.tip], v[:, self.tip]

    def beside_head(self, frames: Frames) -> tuple[Floats, Floats]:
        """Where the slant of tongues is pulled, u and v (k,) in mm."""
        width = frames.numbers[:, HEAD] if self.necks else 1.0
        beside = BESIDE * self.half_head * self._across(frames) * width
        lean = HIGH * frames.numbers[:, SLANT] * frames.room
        return frames.middle + beside + lean, HIGH * frames.tip

    def slanted(self, frames: Frames, u: Floats | float) -> Floats:
        """What a pull of the slant's handle by some mm along the edges adds to the slant, (k,)."""
        return np.asarray(u / (HIGH * frames.room))

    def _across(self, frames: Frames) -> Floats:
        """The mm (k,) that a profile of width 1 measures along the edge: a knob is as much wider as it is higher."""
        if not self.necks:
            return frames.length
        return np.asarray(frames.numbers[:, SIZE] * frames.room / self.height)

    def _placed(self, frames: Frames) -> tuple[Floats, Floats]:
        """All control points in the frames, u and v (k, 3 n + 1) in mm; those at the ends are not yet turned."""
        x, y = self.points.T
        numbers, room = frames.numbers, frames.room[:, None]
        across = self._across(frames)[:, None]
        high = y / self.height
        aside = (x - 0.5) * across
        aside[:, self.heads] *= numbers[:, HEAD, None]
        u = frames.middle[:, None] + aside
        for neck in self.necks:
            u[:, self.owners == neck] += (x[3 * neck] - 0.5) * across * (numbers[:, NECK, None] - 1.0)
        # Below the edge nothing leans, so that the shoulders stay level.
        leans = y[3 * self.owners] > 0
        u[:, leans] += numbers[:, SLANT, None] * room * high[leans]
        rise = numbers[:, SIZE, None] * high
        rise[:, self.shoulders] *= numbers[:, SHOULDER, None]
        v = (rise + numbers[:, DEPTH, None]) * room
        if (numbers[:, FULLNESS] != 1).any():
            for each in (u, v):
                each[:, self.heads] += (numbers[:, FULLNESS, None] - 1) * (each - each[:, 3 * self.owners])[
                    :, self.heads
                ]
        return u, v


@cache
def profile(name: str) -> Profile:
    """A profile from resources/tongues/; raises StudioError for one that is no tongue."""
    return profile_of(decode(Stored, read(FOLDER / f"{name}.json", LARGEST_FILE), f"{name}.json", object))


def profile_of(stored: Stored) -> Profile:
    """The whole tongue of a half; raises StudioError where it is not smooth, crosses itself or has no such neck."""
    title, half = stored.title, np.array(stored.half, float).reshape(-1, 2)
    if len(half) < 4 or len(half) % 3 != 1:
        raise StudioError(tr("The tongue {title} needs 3 n + 1 points for n curves.", title=title))
    if half[0].any() or half[-1, 0] != 0.5 or not half[-1, 1] > 0:
        raise StudioError(tr("The tongue {title} must run from 0, 0 to the middle of its edge.", title=title))
    points = np.concatenate([half, (half * [-1, 1] + [1, 0])[-2::-1]])
    for knot in range(3, len(points) - 1, 3):
        into, out = points[knot] - points[knot - 1], points[knot + 1] - points[knot]
        turn = abs(np.angle(complex(*out) * complex(*into).conjugate()))
        if not into.any() or not out.any() or turn > SMOOTH:
            raise StudioError(tr("The tongue {title} has a kink at point {point}.", title=title, point=knot))
        way = (into / np.hypot(*into) + out / np.hypot(*out)) / 2
        # What rounding in the file left of an angle would be a kink where the tongue is large.
        points[knot - 1], points[knot + 1] = points[knot] - way * (into @ way), points[knot] + way * (out @ way)
    last = (len(half) - 1) // 3
    if stored.neck is not None and not 0 < stored.neck < last:
        raise StudioError(tr("The tongue {title} has no point {point} for its neck.", title=title, point=stored.neck))
    if not _is_simple(points):
        raise StudioError(tr("The tongue {title} crosses itself.", title=title))
    return Profile(title, frozen(points), () if stored.neck is None else (stored.neck, 2 * last - stored.neck))


def _is_simple(points: Floats) -> bool:
    import shapely

    return bool(shapely.LineString(Curves.of([points]).flattened(FLATTENING).points).is_simple)
