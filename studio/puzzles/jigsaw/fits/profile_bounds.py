"""Bounds of how far profiles leave each other, cheap enough for every pair where all edges of a board resemble.

One profile, the rule, stands for all. From posts on either side of it every profile has some distance, and those of two
profiles differ by no more than one leaves the other: that bounds it from below. Each profile becomes a line through
the places next to those of the rule; the farthest two of the same number, and how far the curves leave their lines,
bound it from above.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from studio.geometry.curves.strokes import Curves, Floats, Ints, distinct

FINE = 400
"""About how many points of a profile are looked at."""
PLACES = 200
"""How many places of the rule have one next to them on every profile."""
POSTS = 50
"""How many posts stand on either side of the rule."""
AWAY = 1.0
"""How far in mm posts are away from the rule."""
LEEWAY = 0.002
"""In mm: measured distances may be less exact than bounds."""
AT_ONCE = 64
"""Profiles that are looked at together; their arrays then fit into the processor's memory."""
Complexes = NDArray[np.complex128]


@dataclass(frozen=True, eq=False)
class Bounds:
    """What bounds the distances between k profiles.

    `nearest` and `farthest` (p, k) is how far they are from posts at least and at most, `places` (s, k) are the x and y
    of their places, `leaves` (k,) how far they leave the lines through these.
    """

    nearest: Floats
    farthest: Floats
    places: Floats
    leaves: Floats

    @classmethod
    def of(cls, strokes: Curves) -> Bounds:
        """The bounds of some profiles."""
        count = len(strokes)
        near, far, places = (np.empty((rows, count)) for rows in (2 * POSTS, 2 * POSTS, 2 * PLACES))
        found = cls(near, far, places, np.empty(count))
        rule = _fine(strokes, np.array([count // 2]))[0][0]
        for number in distinct(strokes.counts).tolist():
            alike = np.flatnonzero(strokes.counts == number)
            for begin in range(0, len(alike), AT_ONCE):
                some = alike[begin : begin + AT_ONCE]
                found._take(some, *_fine(strokes, some), rule)
        return found

    def _take(self, some: Ints, fine: Complexes, sags: Floats, rule: Complexes) -> None:
        """Work out the bounds of some profiles from points (n, f) and how far curves leave the lines through them."""
        marks = rule[np.linspace(0, len(rule) - 1, PLACES).round().astype(np.int64)]
        way = np.gradient(marks)
        way /= np.maximum(np.abs(way), 1e-12)
        step = PLACES // POSTS
        posts = np.concatenate([(marks + side * way)[step // 2 :: step][:POSTS] for side in (AWAY * 1j, -AWAY * 1j)])
        away = np.abs(fine[:, None] - posts[:, None]).min(axis=2)
        chords = np.abs(np.diff(fine, axis=1)).max(axis=1)[:, None]
        self.farthest[:, some] = away.T
        # The foot is between two points, and the curve beside the line through them.
        nearer = np.minimum(chords / 2, chords**2 / np.maximum(8 * away, 1e-9))
        self.nearest[:, some] = (away - nearer - sags[:, None]).T

        next_to = np.abs(fine[:, None] - marks[:, None]).argmin(axis=2)
        next_to[:, 0], next_to[:, -1] = 0, fine.shape[1] - 1
        at = np.maximum.accumulate(next_to, axis=1)
        places = np.take_along_axis(fine, at, 1)
        self.places[:, some] = np.stack([places.real, places.imag], 2).reshape(len(some), -1).T
        self.leaves[some] = _leaving(fine, places, at) + sags

    def below(self, one: Ints, other: Ints) -> Floats:
        """How far in mm profiles leave each other at least."""
        result = np.zeros(len(one))
        for near, far in zip(self.nearest, self.farthest, strict=True):
            np.maximum(result, near[one] - far[other], out=result)
            np.maximum(result, near[other] - far[one], out=result)
        return np.maximum(result - LEEWAY, 0.0)

    def above(self, one: Ints, other: Ints) -> Floats:
        """How far in mm profiles leave each other at most."""
        result = np.zeros(len(one))
        for x, y in zip(self.places[::2], self.places[1::2], strict=True):
            np.maximum(result, (x[one] - x[other]) ** 2 + (y[one] - y[other]) ** 2, out=result)
        return np.sqrt(result) + self.leaves[one] + self.leaves[other] + LEEWAY


def _fine(strokes: Curves, which: Ints) -> tuple[Complexes, Floats]:
    """Points (n, f) of strokes with as many control points each, and how far curves leave the lines through them."""
    number = int(strokes.counts[which[0]])
    cubics = (number - 1) // 3
    starts = strokes.starts[which][:, None, None] + 3 * np.arange(cubics)[:, None]
    points = strokes.points[starts + np.arange(4)]
    control = points[..., 0] + 1j * points[..., 1]
    per = max(FINE // cubics, 8)
    t = np.arange(per) / per
    terms = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
    along = sum(control[:, :, at, None] * term for at, term in enumerate(terms))
    fine = np.concatenate([np.reshape(along, (len(which), -1)), control[:, -1:, 3]], axis=1)
    bends = np.abs(np.diff(control, n=2, axis=2)).reshape(len(which), -1).max(axis=1)
    return fine, np.asarray(6 / 8 * bends / per**2)


def _leaving(fine: Complexes, places: Complexes, at: Ints) -> Floats:
    """How far points (n, f) leave the lines through some of them (n, s), of numbers (n, s)."""
    numbers = np.arange(fine.shape[1])
    line = np.clip((at[:, :, None] <= numbers).sum(axis=1) - 1, 0, at.shape[1] - 2)
    begin, end = (np.take_along_axis(places, line + more, 1) for more in (0, 1))
    way, offset = end - begin, fine - begin
    t = (offset * way.conj()).real / np.maximum(np.abs(way) ** 2, 1e-18)
    return np.asarray(np.abs(offset - np.clip(t, 0.0, 1.0) * way).max(axis=1))
