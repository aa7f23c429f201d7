"""Profiles of tongues, shipped in resources/tongues/ or makers' own: an outline in cubics, drawn along every edge.

A file has a `title` and `half`: the control points [x, y] of cubics from the first corner (0, 0) to the middle of the
edge, x and y as fractions of its length, y towards the knob. The other half is its mirror image. `neck` is the number
of the knot where the tongue is narrowest, if it has a neck. Instead of the half a file may have the `whole`, on to the
second corner (1, 0), and its two `necks`. knot: an end of a cubic, numbered from 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any

import numpy as np

from studio.base.encode import Library, decode, encode
from studio.base.errors import StudioError
from studio.base.folders import shipped
from studio.base.json_files import read
from studio.base.texts import tr, within
from studio.geometry.curves.strokes import Curves, Floats, Ints, frozen
from studio.puzzles.jigsaw.tongues.tongues import (
    DEPTH,
    FULLNESS,
    FULLNESS_BALANCE,
    HEAD,
    HEAD_BALANCE,
    NECK,
    NECK_BALANCE,
    SHOULDER,
    SHOULDER_BALANCE,
    SIZE,
    SLANT,
    Frames,
)

FOLDER = shipped("tongues")
LARGEST_FILE = 2**16
LONGEST_TITLE = 60
"""Most characters of a maker's title."""
MOST_POINTS = 181
"""Most control points of a profile."""
FARTHEST = 2.0
"""Largest distance of a control point from the first corner, across or up, in edge lengths."""
LEAST_HEIGHT = 0.02
"""Least height of a whole tongue, in edge lengths."""
SMOOTH = np.radians(1.0)
"""Largest angle in radians between two cubics of a profile at a knot."""
FLATTENING = 1e-4
"""Largest deviation of the polyline that is checked for crossings, in edge lengths."""
HANDLE = 0.45
"""Length of the handle at a corner, as a fraction of the way to the next knot."""
SHORTEST_HANDLE = 0.05
"""Least length of the handle at a corner, as a fraction of the edge."""
BESIDE = 1.15
"""Distance of the handles of slant and head from the middle of the head, in half heads."""
BESIDE_NECK = 1.65
"""Distance of the neck's handle from the middle of the neck, in half necks: clear of the handle at its foot."""
NO_WIDTH = 0.02
"""Least distance of a cheek from the middle of the head, as a fraction of the profile's width."""
LEAST_HALF_HEAD = 0.12
"""Least half head beside which the slant handle sits, as a fraction of the profile's width."""
HIGH = 0.9
"""Height of the slant handle, as a fraction of the tongue's."""


@dataclass(frozen=True)
class Stored:
    """A profile in a file."""

    title: str
    half: tuple[tuple[float, float], ...] = ()
    neck: int | None = None
    whole: tuple[tuple[float, float], ...] = ()
    necks: tuple[int, int] | None = None


@dataclass(frozen=True, eq=False)
class Profile:
    """A tongue on an edge of length 1: control points of both halves, shape (3n + 1, 2), and knots of its neck."""

    title: str
    points: Floats
    necks: tuple[int, ...]

    @cached_property
    def height(self) -> float:
        """Height of the highest knot."""
        return float(self.points[self.tip, 1])

    @cached_property
    def tip(self) -> int:
        """Control point of the highest knot; of two, the one away from the slant handle."""
        return 3 * int(self.points[::3, 1].argmax())

    @cached_property
    def owners(self) -> Ints:
        """Knot of each control point, shape (3n + 1,)."""
        return frozen((np.arange(len(self.points)) + 1) // 3)

    @cached_property
    def heads(self) -> Ints:
        """Control points of the head, between the necks."""
        if not self.necks:
            return np.empty(0, np.int64)
        return np.flatnonzero((self.owners > self.necks[0]) & (self.owners < self.necks[1]))

    @cached_property
    def shoulders(self) -> Ints:
        """Control points of the knots below the edge."""
        return np.flatnonzero(self.points[3 * self.owners, 1] < 0)

    @cached_property
    def sides(self) -> Floats:
        """Side of each control point: -1 before the knot in the middle of the head, 1 behind it. Shape (3n + 1,)."""
        return frozen(np.sign(np.arange(len(self.points)) - 3.0 * self._middle))

    @cached_property
    def knot_sides(self) -> Floats:
        """Same as `sides`, but 0 for all control points of the middle knot, so that it stays smooth if sides differ."""
        return frozen(np.sign(self.owners - float(self._middle)))

    @cached_property
    def _middle(self) -> int:
        """Knot in the middle of the head."""
        if not self.necks:
            return self.tip // 3
        first, second = self.necks
        aside = np.abs(self.points[::3, 0] - self.points[[3 * first, 3 * second], 0].mean())
        return first + 1 + int(aside[first + 1 : second].argmin())

    @cached_property
    def half_head(self) -> float:
        """Largest distance of a knot of the head from its middle, at least LEAST_HALF_HEAD."""
        knots = self.points[::3]
        return max(LEAST_HALF_HEAD, float((knots[knots[:, 1] > self.height / 3, 0] - 0.5).max()))

    def curve(self, frames: Frames, leaving: Floats, reaching: Floats) -> Floats:
        """Draw tongues, shape (k, 3n + 1, 2), given their directions at the first and second corner, shape (k, 2)."""
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
        """Tips of tongues in their frames: u and v in mm, shape (k,)."""
        u, v = self._placed(frames)
        return u[:, self.tip], v[:, self.tip]

    def beside_head(self, frames: Frames) -> tuple[Floats, Floats]:
        """Places of the slant handles: u and v in mm, shape (k,)."""
        width = frames.numbers[:, HEAD] * (1 + frames.numbers[:, HEAD_BALANCE]) if self.necks else 1.0
        beside = BESIDE * self.half_head * self._across(frames) * width
        lean = HIGH * frames.numbers[:, SLANT] * frames.room
        return frames.middle + beside + lean, HIGH * frames.tip

    def slanted(self, frames: Frames, u: Floats | float) -> Floats:
        """Change of the slant after a pull of its handle by `u` mm along the edge, shape (k,)."""
        return np.asarray(u / (HIGH * frames.room))

    def beside_neck(self, frames: Frames) -> tuple[Floats, Floats]:
        """Places of the neck handles, beside the second side: u and v in mm, shape (k,)."""
        u, v = self._placed(frames)
        beyond = (BESIDE_NECK - 1) * self._half_neck(frames) * frames.numbers[:, NECK]
        return u[:, 3 * self.necks[1]] + beyond, v[:, 3 * self.necks[1]]

    def necked(self, frames: Frames, u: float) -> Floats:
        """Change of the neck's width after a pull of its handle by `u` mm along the edge, shape (k,)."""
        return np.asarray(u / (BESIDE_NECK * self._half_neck(frames)))

    def _half_neck(self, frames: Frames) -> Floats:
        """Distance in mm of the second side of a neck of width 1 from its middle, shape (k,)."""
        share = self.points[3 * self.necks[1], 0] - 0.5
        return np.asarray(share * self._across(frames) * (1 + frames.numbers[:, NECK_BALANCE]))

    def at_cheek(self, frames: Frames) -> tuple[Floats, Floats]:
        """Places of the head handles, beside the first side: u and v in mm, shape (k,)."""
        u, v = self._placed(frames)
        beyond = (BESIDE - 1) * self._half_heads(frames) * frames.numbers[:, HEAD]
        return u[:, 3 * self._cheek] + beyond, v[:, 3 * self._cheek]

    def headed(self, frames: Frames, u: float) -> Floats:
        """Change of the head's width after a pull of its handle by `u` mm along the edge, shape (k,)."""
        return np.asarray(u / (BESIDE * self._half_heads(frames)))

    def _half_heads(self, frames: Frames) -> Floats:
        """Signed distance in mm of the first side of a head of width 1 from its middle, mostly negative, shape (k,)."""
        x, middle = self.points[3 * self._cheek, 0], self.points[3 * self._middle, 0]
        balance = frames.numbers[:, HEAD_BALANCE] * self.knot_sides[3 * self._cheek]
        share = (x - 0.5) + balance * (x - middle)
        return np.asarray(np.where(np.abs(share) < NO_WIDTH, -NO_WIDTH, share) * self._across(frames))

    @cached_property
    def _cheek(self) -> int:
        """Outermost knot on the first side of the head."""
        knots = np.arange(self.necks[0] + 1, self.necks[1])
        return int(knots[self.points[3 * knots, 0].argmin()])

    def _across(self, frames: Frames) -> Floats:
        """Length in mm of a profile of width 1 along the edge: a knob's width grows with its height. Shape (k,)."""
        if not self.necks:
            return frames.length
        return np.asarray(frames.numbers[:, SIZE] * frames.room / self.height)

    def _placed(self, frames: Frames) -> tuple[Floats, Floats]:
        """Control points in the frames, u and v in mm, shape (k, 3n + 1), before the end handles are turned."""
        x, y = self.points.T
        numbers, room = frames.numbers, frames.room[:, None]
        across = self._across(frames)[:, None]
        high = y / self.height
        aside = (x - 0.5) * across
        aside[:, self.heads] *= numbers[:, HEAD, None]
        if (head := numbers[:, HEAD_BALANCE, None]).any():
            from_middle = (x - x[3 * self._middle])[self.heads] * across * numbers[:, HEAD, None]
            aside[:, self.heads] += head * self.knot_sides[self.heads] * from_middle
        u = frames.middle[:, None] + aside
        for neck, side in zip(self.necks, (-1, 1), strict=False):
            width = numbers[:, NECK, None] * (1 + side * numbers[:, NECK_BALANCE, None])
            u[:, self.owners == neck] += (x[3 * neck] - 0.5) * across * (width - 1.0)
        # Points below the edge do not lean, so that the shoulders stay level.
        leans = y[3 * self.owners] > 0
        u[:, leans] += numbers[:, SLANT, None] * room * high[leans]
        rise = numbers[:, SIZE, None] * high
        rise[:, self.shoulders] *= numbers[:, SHOULDER, None]
        if (shoulder := numbers[:, SHOULDER_BALANCE, None]).any():
            rise[:, self.shoulders] *= 1 + shoulder * self.knot_sides[self.shoulders]
        v = (rise + numbers[:, DEPTH, None]) * room
        if (numbers[:, FULLNESS] != 1).any() or numbers[:, FULLNESS_BALANCE].any():
            full = numbers[:, FULLNESS, None] * (1 + numbers[:, FULLNESS_BALANCE, None] * self.sides[self.heads])
            for each in (u, v):
                each[:, self.heads] += (full - 1) * (each - each[:, 3 * self.owners])[:, self.heads]
        return u, v


@cache
def profile(name: str) -> Profile:
    """Read a profile from resources/tongues/. Raise StudioError if it is not a tongue."""
    return profile_of(decode(Stored, read(FOLDER / f"{name}.json", LARGEST_FILE), f"{name}.json", object))


def profile_of(stored: Stored) -> Profile:
    """Check and complete a stored profile. Raise StudioError if it has a kink, crosses itself or lacks its neck."""
    title, points = stored.title, _whole(stored)
    for knot in range(3, len(points) - 1, 3):
        into, out = points[knot] - points[knot - 1], points[knot + 1] - points[knot]
        turn = abs(np.angle(complex(*out) * complex(*into).conjugate()))
        if not into.any() or not out.any() or turn > SMOOTH:
            raise StudioError(tr("The {title} tongue has a kink at point {point}.", title=within(title), point=knot))
        way = (into / np.hypot(*into) + out / np.hypot(*out)) / 2
        # Remove the angle left by rounding in the file: on a large tongue it would be a kink.
        points[knot - 1], points[knot + 1] = points[knot] - way * (into @ way), points[knot] + way * (out @ way)
    necks = _necks(stored, (len(points) - 1) // 3)
    if not _is_simple(points):
        raise StudioError(tr("The {title} tongue crosses itself.", title=within(title)))
    return Profile(title, frozen(points), necks)


@lru_cache(maxsize=8)
def own_profile(stored: Stored) -> Profile:
    """Check a maker's profile. Raise StudioError if it is not a tongue, or has no neck."""
    if len(stored.title) > LONGEST_TITLE or not stored.title.isprintable():
        raise StudioError(tr("A tongue's title must be one line of up to {most} characters.", most=LONGEST_TITLE))
    shown = profile_of(stored)
    if not shown.necks:
        raise StudioError(tr("The {title} tongue has no neck: pieces would not hold.", title=within(stored.title)))
    return shown


def _loaded(content: Any, name: str) -> Stored:
    stored = decode(Stored, content, name, object)
    own_profile(stored)
    return stored


OWN_TONGUES = Library("tongue", LARGEST_FILE, _loaded, lambda stored: dict(encode(stored, object)))
"""A maker's library of tongues."""


def _whole(stored: Stored) -> Floats:
    """Control points of both halves, shape (3n + 1, 2). Raise StudioError if they are invalid."""
    title, given = stored.title, np.array(stored.half or stored.whole, float).reshape(-1, 2)
    if stored.half and stored.whole:
        raise StudioError(tr("The {title} tongue needs either a half or the whole.", title=within(title)))
    if len(given) < 4 or len(given) % 3 != 1:
        raise StudioError(tr("The {title} tongue needs 3 n + 1 points for n curves.", title=within(title)))
    if len(given) > MOST_POINTS:
        raise StudioError(tr("The {title} tongue has more than {most} points.", title=within(title), most=MOST_POINTS))
    if np.abs(given).max() > FARTHEST:
        raise StudioError(
            tr("The {title} tongue is more than {most:g} edges high or wide.", title=within(title), most=FARTHEST)
        )
    if stored.whole:
        if given[0].any() or given[-1].tolist() != [1, 0] or not given[::3, 1].max() > LEAST_HEIGHT:
            raise StudioError(tr("The {title} tongue must run from 0, 0 up and back to 1, 0.", title=within(title)))
        return given
    if given[0].any() or given[-1, 0] != 0.5 or not given[-1, 1] > 0:
        raise StudioError(tr("The {title} tongue must run from 0, 0 to the middle of its edge.", title=within(title)))
    return np.concatenate([given, (given * [-1, 1] + [1, 0])[-2::-1]])


def _necks(stored: Stored, last: int) -> tuple[int, ...]:
    """Knots of the neck of a tongue whose last knot is `last`. Raise StudioError if they are out of range."""
    necks = stored.necks if stored.necks is not None else ()
    if stored.neck is not None:
        necks = (stored.neck, last - stored.neck)
    if necks and not 0 < necks[0] < necks[1] < last:
        wrong = necks[0] if necks[0] <= 0 or necks[0] >= last / 2 else necks[1]
        raise StudioError(
            tr("The {title} tongue has no point {point} for its neck.", title=within(stored.title), point=wrong)
        )
    return necks


def _is_simple(points: Floats) -> bool:
    import shapely

    return bool(shapely.LineString(Curves.from_strokes([points]).flattened(FLATTENING).points).is_simple)
