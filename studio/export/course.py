"""How far the lines of a file run from those of the drawing, along their whole course and at their worst point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from studio.export.reading import FoundLine
from studio.geometry.curves import Curves, Floats
from studio.geometry.drawing import Chain

# The part of the tolerance of polylines within which curves are followed to measure them; the rest is for the distance.
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
        spans: list[tuple[int, int, Floats]] = []
        found: list[Apart | None] = []
        for number, (line, chain) in enumerate(zip(lines, chains, strict=True)):
            curve = self.curve(chain)
            if line.curved:
                # The bound by control points is quick; only where it fails the curves themselves are followed.
                is_same = _steps_apart(line.points, curve, self.exact) <= self.exact
                found.append(None if is_same else _curves_apart(line.points, curve, self.exact))
            else:
                found.append(self._joints_apart(line.points, chain, number, spans))
        for number, apart in self._spans_apart(spans):
            before = found[number]
            if before is None or before.distance < apart.distance:
                found[number] = apart
        return found

    def stray(self, line: FoundLine, chain: Chain) -> Apart | None:
        """The worst point at which a line is not a chain, None where it is the chain."""
        return self.strays([line], [chain])[0]

    def curve(self, chain: Chain) -> Floats:
        """The control points (3k + 1, 2) of a chain."""
        return self.strokes.joined(chain.strokes, np.array([0, len(chain.strokes)])).points

    def _joints_apart(
        self, points: Floats, chain: Chain, number: int, spans: list[tuple[int, int, Floats]]
    ) -> Apart | None:
        """Note in `spans` which points follow each stroke; return the first end of a stroke that a polyline misses."""
        numbers, backwards = chain.strokes >> 1, (chain.strokes & 1).astype(bool)
        ends = self.strokes.ends[numbers]
        ends[backwards] = ends[backwards, ::-1]
        # Strokes shorter than what a file can tell apart have one point in it.
        is_short = self.strokes.lengths[numbers] <= self.exact
        vertices, at, exact = points.tolist(), 0, self.exact
        if not _is_near(vertices[0], ends[0, 0].tolist(), exact):
            return _gap(points[0], ends[0, 0])
        for stroke, end, short in zip(numbers.tolist(), ends[:, 1].tolist(), is_short.tolist(), strict=True):
            begin = at
            at += not short
            while at < len(vertices) and not _is_near(vertices[at], end, exact):
                at += 1
            if at == len(vertices):
                return _gap(points[np.hypot(*(points - end).T).argmin()], np.array(end))
            spans.append((number, stroke, points[begin : at + 1]))
        return None if at + 1 == len(vertices) else _gap(points[-1], ends[-1, 1])

    def _spans_apart(self, spans: list[tuple[int, int, Floats]]) -> list[tuple[int, Apart]]:
        """The spans, each by the number of its line, that stray from their strokes."""
        import shapely

        if not spans:
            return []
        numbers = np.array([stroke for _, stroke, _ in spans])
        fine = self.strokes.chosen(numbers).flattened(_FOLLOWED * self.tolerance)
        wanted = shapely.linestrings(fine.points, indices=fine.owners)
        some = [np.repeat(points, 2, axis=0) if len(points) == 1 else points for _, _, points in spans]
        owners = np.repeat(np.arange(len(some)), [len(points) for points in some])
        lines = shapely.linestrings(np.concatenate(some), indices=owners)
        most = (1 - _FOLLOWED) * self.tolerance + self.exact
        strays = []
        for at in np.flatnonzero(shapely.hausdorff_distance(lines, wanted) > most).tolist():
            own = (
                shapely.distance(shapely.points(some[at]), wanted[at]),
                shapely.distance(shapely.points(fine[at]), lines[at]),
            )
            strays.append((spans[at][0], Apart.of(np.concatenate(own), np.concatenate([some[at], fine[at]]))))
        return strays


def _gap(point: Floats, wanted: Floats) -> Apart:
    return Apart(float(np.hypot(*(point - wanted))), (float(wanted[0]), float(wanted[1])))


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


def _curves_apart(found: Floats, wanted: Floats, exact: float) -> Apart | None:
    """The worst point of a curve, None where it runs the same way though it is divided otherwise."""
    import shapely

    one, two = (Curves.of([points]).flattened(exact / 2).points for points in (found, wanted))
    own = shapely.distance(shapely.points(one), shapely.linestrings(two))
    other = shapely.distance(shapely.points(two), shapely.linestrings(one))
    apart = Apart.of(np.concatenate([own, other]), np.concatenate([one, two]))
    if apart.distance <= exact:
        return None
    if len(found) != len(wanted):
        return apart
    # A point that was moved along its line is farther from its own place than from the line.
    ends = Apart.of(np.hypot(*(found - wanted)[::3].T), wanted[::3])
    return ends if ends.distance > apart.distance else apart
