"""Turns curves into polylines with as few points as a tolerance allows.

The curve is first flattened finely; of its points those stay without which the polyline would stray too far
(Douglas and Peucker 1973), and then points go whose loss nobody would notice, first those that make short segments:
laser programs that merge lines nearer than 0.1 mm destroy short segments. The ends of strokes always stay, so
that strokes which meet still meet. All strokes are treated at once.
"""

from __future__ import annotations

import numpy as np

from studio.geometry.curves.strokes import Curves, Floats, Ints, Polylines, offsets, ranges

# Segments shorter than this, in mm, are avoided where the tolerance allows.
SHORTEST = 0.1
# The part of the tolerance that goes into the first, fine flattening: finer costs time, coarser costs points.
_FLATTENING = 0.25
# Points that are this nearly the farthest are equally far: the last digits differ from processor to processor.
_AS_FAR = 1 - 1e-9


def polylines(strokes: Curves, tolerance: float) -> Polylines:
    """Polylines within `tolerance` mm of the strokes; the ends of every stroke are kept exactly."""
    fine = strokes.flattened(_FLATTENING * tolerance)
    rest = (1 - _FLATTENING) * tolerance
    kept = _needed(fine, rest)
    kept = _thinned(fine, kept, rest, SHORTEST)
    kept = _thinned(fine, kept, rest, np.inf)
    return Polylines(fine.points[kept], offsets(np.bincount(fine.owners[kept], minlength=len(fine))))


def _needed(lines: Polylines, tolerance: float) -> Ints:
    """The points, ascending, that Douglas and Peucker keep."""
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
    """The points less those beside a segment `shorter` than this, in mm, whose loss stays within the tolerance."""
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
    """For segments from point `first` to point `last`: the largest distance of a point between, and which it is.

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
