"""Chains of a drawing in machining order, as lines and cubics, or as polylines with few points.

Numbers are usable, and ends that meet agree to the bit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.geometry.art.artwork import Picture
from studio.geometry.curves.strokes import Curves, Floats, Ints, Polylines, offsets, ranges
from studio.geometry.planar.drawing import Drawing, in_order

# Ends that differ by less are one point computed in two ways. Well above the error of floating point on a board
# of ten metres, well below the resolution of a file.
NOISE = 1e-6
# A larger sheet is a slip of units, and micrometres would no longer fit in the numbers written.
LARGEST = 100_000.0
# Tenths of a micrometre: the area of a piece that is read again is right to 0.01 mm².
DECIMALS = 4
ROUNDING = 0.5 * 10**-DECIMALS
"""Rounding error in mm of a written number."""
# Distance in mm below which a control point is on the chord: far below the rounding of files.
_STRAIGHT = 1e-6


def ready(drawing: Drawing) -> Drawing:
    """Return the drawing with its chains in machining order and with meeting strokes that meet exactly.

    Rounding would otherwise part two ends that agree but for noise. Raises StudioError for an empty drawing, a number
    that no file can hold, or a broken picture.
    """
    if not drawing.chains or any(len(chain.strokes) == 0 for chain in drawing.chains):
        raise StudioError(tr("The drawing has no lines to cut."))
    if not (0 < drawing.width <= LARGEST and 0 < drawing.height <= LARGEST):
        raise StudioError(
            tr(
                "A page of {width:g} × {height:g} mm cannot be written; the maximum is {largest:g} mm per side.",
                width=drawing.width,
                height=drawing.height,
                largest=LARGEST,
            )
        )
    if not np.isfinite(drawing.strokes.points).all() or np.abs(drawing.strokes.points).max() > LARGEST:
        raise StudioError(tr("The drawing has an invalid point or one beyond {largest:g} mm.", largest=LARGEST))
    for each in drawing.artwork:
        if isinstance(each, Picture):
            each.ensure_whole()
    strokes = drawing.strokes
    points = strokes.points.copy()
    ends = np.concatenate([strokes.starts[:-1], strokes.starts[1:] - 1])
    for axis in (0, 1):
        # Replace each run of neighbours within NOISE of each other by its smallest value.
        values = points[ends, axis]
        order = np.argsort(values, kind="stable")
        ascending = values[order]
        fresh = np.ones(len(values), bool)
        fresh[1:] = np.diff(ascending) > NOISE
        result = np.empty_like(values)
        result[order] = ascending[np.flatnonzero(fresh)[np.cumsum(fresh) - 1]]
        points[ends, axis] = result
    return replace(drawing, chains=in_order(drawing.chains), strokes=Curves(points, strokes.starts))


def rounded(points: Floats, decimals: int) -> Floats:
    """Round points as in files; zero has no sign."""
    return np.round(points, decimals) + 0.0


@dataclass(frozen=True, eq=False)
class Steps:
    """The start of a chain, its n steps (n, 3, 2) of two control points and the end, and which of them are lines."""

    start: Floats
    steps: Floats
    lines: NDArray[np.bool_]

    @classmethod
    def from_points(cls, points: Floats) -> Steps:
        """Return the steps of a curve of 3k + 1 control points, rounded to DECIMALS."""
        written = rounded(points, DECIMALS)
        cubics = np.stack([written[0:-1:3], written[1::3], written[2::3], written[3::3]], 1)
        seen = (cubics != cubics[:, :1]).any(axis=(1, 2))
        lines = _straight(np.stack([points[i : len(points) - 3 + i : 3] for i in range(4)], 1))
        return cls(written[0], cubics[seen, 1:], lines[seen])

    def spelled(self, line: str, curve: str) -> list[str]:
        """Return one text a step: `line` filled with x and y, `curve` with the six coordinates of a cubic."""
        return [
            line.format(x, y) if straight else curve.format(a, b, c, d, x, y)
            for straight, (a, b, c, d, x, y) in zip(
                self.lines.tolist(), self.steps.reshape(-1, 6).tolist(), strict=True
            )
        ]


def _straight(cubics: Floats) -> NDArray[np.bool_]:
    """True for cubics (n, 4, 2) that run straight from end to end, control points in order along the chord."""
    chord = cubics[:, 3] - cubics[:, 0]
    length = np.hypot(chord[:, 0], chord[:, 1])
    along = chord / np.where(length > 0, length, 1)[:, None]
    arms = cubics[:, 1:3] - cubics[:, :1]
    aside = np.abs(arms[:, :, 0] * along[:, None, 1] - arms[:, :, 1] * along[:, None, 0]).max(axis=1)
    reach = (arms * along[:, None]).sum(axis=2)
    ordered = (reach[:, 0] >= -_STRAIGHT) & (reach[:, 1] >= reach[:, 0] - _STRAIGHT)
    ordered &= reach[:, 1] <= length + _STRAIGHT
    return np.asarray((length > 0) & (aside <= _STRAIGHT) & ordered)


def pairs(points: Floats) -> list[str]:
    """Format the coordinates of points, `x,y`."""
    return [f"{x:.10g},{y:.10g}" for x, y in rounded(points, DECIMALS).tolist()]


def number(value: float) -> str:
    """Format a number with up to four decimals."""
    return f"{round(value, 4) + 0.0:.10g}"


# Turns curves into polylines with as few points as a tolerance allows.
#
# The curve is first flattened finely; of its points, those needed to stay within the tolerance are kept (Douglas and
# Peucker 1973), and of these, harmless ones are dropped, first those of short segments: laser programs that merge lines
# nearer than 0.1 mm destroy these. The ends of strokes always stay, so that strokes which meet still meet. All strokes
# are treated at once.

# Length in mm below which segments are avoided if the tolerance allows.
SHORTEST = 0.1
# Part of the tolerance for the first, fine flattening: finer costs time, coarser costs points.
_FLATTENING = 0.25
# Share of the farthest distance from which points are equally far: the last digits differ between processors.
_AS_FAR = 1 - 1e-9


def polylines(strokes: Curves, tolerance: float) -> Polylines:
    """Return polylines within `tolerance` mm of the strokes; the ends of every stroke are kept exactly."""
    fine = strokes.flattened(_FLATTENING * tolerance)
    rest = (1 - _FLATTENING) * tolerance
    kept = _needed(fine, rest)
    kept = _thinned(fine, kept, rest, SHORTEST)
    kept = _thinned(fine, kept, rest, np.inf)
    return Polylines(fine.points[kept], offsets(np.bincount(fine.owners[kept], minlength=len(fine))))


def _needed(lines: Polylines, tolerance: float) -> Ints:
    """Return the points, ascending, that Douglas and Peucker keep."""
    kept = np.zeros(len(lines.points), bool)
    first, last = lines.starts[:-1], lines.starts[1:] - 1
    kept[first] = kept[last] = True
    while len(first):
        inside = last - first > 1
        first, last = first[inside], last[inside]
        if not len(first):
            break
        worst, at = _farthest(lines.points, first, last)
        split = worst > tolerance
        first, last, at = first[split], last[split], at[split]
        kept[at] = True
        first, last = np.concatenate([first, at]), np.concatenate([at, last])
    return np.flatnonzero(kept)


def _thinned(lines: Polylines, kept: Ints, tolerance: float, shorter: float) -> Ints:
    """Drop points beside a segment `shorter` than this, in mm, whose loss stays within the tolerance."""
    ends = np.zeros(len(lines.points), bool)
    ends[lines.starts[:-1]] = ends[lines.starts[1:] - 1] = True
    removed = True
    while removed:
        removed = False
        for parity in (0, 1):
            # Every other point only, so that no two neighbours go at once.
            loose = np.flatnonzero(~ends[kept])
            loose = loose[loose % 2 == parity]
            steps = np.hypot(*np.diff(lines.points[kept], axis=0).T)
            loose = loose[np.minimum(steps[loose - 1], steps[loose]) < shorter]
            if not len(loose):
                continue
            worst, _ = _farthest(lines.points, kept[loose - 1], kept[loose + 1])
            going = loose[worst <= tolerance]
            kept = np.delete(kept, going)
            removed = removed or len(going) > 0
    return kept


def _farthest(points: Floats, first: Ints, last: Ints) -> tuple[Floats, Ints]:
    """Return, for segments from point `first` to point `last`, the largest distance of a point between, and its index.

    Every pair has at least one point between.
    """
    counts = last - first - 1
    at = ranges(first + 1, counts)
    start = offsets(counts)[:-1]
    chord = points[last] - points[first]
    square = (chord**2).sum(axis=1)
    scaled = chord / np.where(square > 0, square, 1)[:, None]
    arms = points[at] - np.repeat(points[first], counts, axis=0)
    share = np.clip((arms * np.repeat(scaled, counts, axis=0)).sum(axis=1), 0, 1)
    aside = arms - share[:, None] * np.repeat(chord, counts, axis=0)
    square_aside = (aside**2).sum(axis=1)
    worst = np.maximum.reduceat(square_aside, start)
    hits = np.flatnonzero(square_aside >= _AS_FAR * np.repeat(worst, counts))
    owners = np.repeat(np.arange(len(first)), counts)[hits]
    _, foremost = np.unique(owners, return_index=True)
    return np.sqrt(worst), at[hits[foremost]]
