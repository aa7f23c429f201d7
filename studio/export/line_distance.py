"""How far the lines of a file run from those of the drawing, along their whole course and at their worst point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from studio.export.reading import FoundLine
from studio.geometry.curves.strokes import Curves, Floats
from studio.geometry.planar.drawing import Chain

# Curves are measured against polylines at points so near each other that between them they stray by no more than this
# part of the tolerance.
_FOLLOWED = 0.25


@dataclass(frozen=True)
class Apart:
    """The worst point of a line in mm: how far it is from where it should be, and where it should be."""

    distance: float
    place: tuple[float, float]

    @classmethod
    def of(cls, distances: Floats, places: Floats) -> Apart:
        """The worst of some points (n, 2)."""
        at = int(distances.argmax())
        return cls(float(distances[at]), (float(places[at, 0]), float(places[at, 1])))


@dataclass(frozen=True, eq=False)
class Courses:
    """Where the chains of a drawing run, and how far in mm a line of a file may be from them.

    Each coordinate in a file is up to `rounding` off, and a polyline may stray by `tolerance`.
    """

    strokes: Curves
    rounding: float
    tolerance: float

    @property
    def exact(self) -> float:
        """How far a point may be from its place: the corner of the square of rounded numbers, and some noise."""
        return 2 * self.rounding

    def strays(self, lines: Sequence[FoundLine], chains: Sequence[Chain]) -> list[Apart | None]:
        """For each line the worst point at which it is not its chain, None where there is none."""
        suspects: set[int] = set()
        spans: list[tuple[int, int, Floats]] = []
        for number, (line, chain) in enumerate(zip(lines, chains, strict=True)):
            if line.curved:
                is_sure = _steps_apart(line.points, self.curve(chain), self.exact) <= self.exact
            else:
                is_sure = self._is_divided(line.points, chain, number, spans)
            if not is_sure:
                suspects.add(number)
        suspects |= self._straying(spans)
        return [
            self._measured(line, chain) if number in suspects else None
            for number, (line, chain) in enumerate(zip(lines, chains, strict=True))
        ]

    def stray(self, line: FoundLine, chain: Chain) -> Apart | None:
        """The worst point at which a line is not a chain, None where it is the chain."""
        return self.strays([line], [chain])[0]

    def is_chain(self, line: FoundLine, chain: Chain) -> bool:
        """True if a line is a chain; most others are told by their ends."""
        ends = self.curve(chain)[[0, -1]]
        return bool(np.abs(line.points[[0, -1]] - ends).max() <= self.exact) and self.stray(line, chain) is None

    def curve(self, chain: Chain) -> Floats:
        """The control points (3k + 1, 2) of a chain."""
        return self.strokes.joined(chain.strokes, np.array([0, len(chain.strokes)])).points

    def _is_divided(self, points: Floats, chain: Chain, number: int, spans: list[tuple[int, int, Floats]]) -> bool:
        """True if a polyline has the ends of all strokes in turn; `spans` gets the points of each stroke."""
        numbers, backwards = chain.strokes >> 1, (chain.strokes & 1).astype(bool)
        ends = self.strokes.ends[numbers]
        ends[backwards] = ends[backwards, ::-1]
        # Strokes shorter than what a file can tell apart have one point in it.
        is_short = self.strokes.lengths[numbers] <= self.exact
        vertices, at, exact = points.tolist(), 0, self.exact
        if not _is_near(vertices[0], ends[0, 0].tolist(), exact):
            return False
        for stroke, end, short in zip(numbers.tolist(), ends[:, 1].tolist(), is_short.tolist(), strict=True):
            begin = at
            at += not short
            while at < len(vertices) and not _is_near(vertices[at], end, exact):
                at += 1
            if at == len(vertices):
                return False
            spans.append((number, stroke, points[begin : at + 1]))
        return at + 1 == len(vertices)

    def _straying(self, spans: list[tuple[int, int, Floats]]) -> set[int]:
        """The lines with a span that strays from its stroke."""
        import shapely

        if not spans:
            return set()
        numbers = np.array([stroke for _, stroke, _ in spans])
        fine = self.strokes.chosen(numbers).flattened(_FOLLOWED * self.tolerance)
        wanted = shapely.linestrings(fine.points, indices=fine.owners)
        some = [np.repeat(points, 2, axis=0) if len(points) == 1 else points for _, _, points in spans]
        owners = np.repeat(np.arange(len(some)), [len(points) for points in some])
        lines = shapely.linestrings(np.concatenate(some), indices=owners)
        strays = shapely.hausdorff_distance(lines, wanted) > self.tolerance + self.exact
        return {spans[at][0] for at in np.flatnonzero(strays).tolist()}

    def _measured(self, line: FoundLine, chain: Chain) -> Apart | None:
        """The worst point of a line, both ways along the whole of it; None where it runs as its chain does."""
        import shapely

        curve, most = self.curve(chain), self.tolerance + self.exact
        followed = _FOLLOWED * most
        one = Curves.of([line.points]).flattened(followed).points if line.curved else line.points
        two = Curves.of([curve]).flattened(followed).points
        own = shapely.distance(shapely.points(one), shapely.linestrings(two))
        other = shapely.distance(shapely.points(two), shapely.linestrings(one))
        apart = Apart.of(np.concatenate([own, other]), np.concatenate([one, two]))
        # A point that was moved along its line is farther from its own place than from the line.
        corners, wanted = shapely.multipoints(line.points), self.strokes.ends[chain.strokes >> 1].reshape(-1, 2)
        ends = Apart.of(shapely.distance(shapely.points(wanted), corners), wanted)
        if apart.distance <= most and np.hypot(*(line.points[[0, -1]] - curve[[0, -1]]).T).max() <= self.exact:
            return None
        return ends if ends.distance > apart.distance else apart


def _is_near(one: list[float], other: list[float], most: float) -> bool:
    return abs(one[0] - other[0]) <= most and abs(one[1] - other[1]) <= most


def _steps_apart(found: Floats, wanted: Floats, exact: float) -> float:
    """The distance in mm that a curve is nowhere farther off, by the control points of its cubics; infinite if unknown.

    A cubic is nowhere farther from another than the farthest of its control points.
    """
    here, there = _cubics(found), _cubics(wanted)
    if len(here) != len(there):
        here, there = (some[np.ptp(some, axis=1).max(axis=1) > 2 * exact] for some in (here, there))
    if len(here) != len(there):
        return np.inf
    if not len(here):
        return 0.0
    aside = np.hypot(*np.moveaxis(here - there, 2, 0))
    # Straight cubics are spelled as lines, whose control points are elsewhere on the same line.
    moved = np.flatnonzero((aside[:, 1:3] > exact).any(axis=1))
    aside[moved, 1:3] = _straight_apart(here[moved], there[moved], aside[moved, 1:3], exact)
    return float(aside.max())


def _cubics(points: Floats) -> Floats:
    return np.stack([points[0:-1:3], points[1::3], points[2::3], points[3::3]], 1)


def _straight_apart(here: Floats, there: Floats, aside: Floats, exact: float) -> Floats:
    """How far inner control points (n, 2) of cubics that are lines in a file are from these lines; else as given."""
    chord = here[:, 3] - here[:, 0]
    length = np.maximum(np.hypot(chord[:, 0], chord[:, 1]), exact)
    along = chord / length[:, None]

    def off(cubics: Floats) -> Floats:
        arms = cubics[:, 1:3] - here[:, :1]
        reach = (arms * along[:, None]).sum(axis=2)
        beside = np.abs(arms[..., 0] * along[:, None, 1] - arms[..., 1] * along[:, None, 0])
        return np.asarray(np.hypot(beside, np.maximum(0, np.maximum(-reach, reach - length[:, None]))))

    is_line = off(here).max(axis=1, initial=0) <= exact
    return np.asarray(np.where(is_line[:, None], off(there), aside))
