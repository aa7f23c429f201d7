"""Makes a drawing ready to be written: usable numbers, meeting ends that agree to the bit, machining order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.geometry.art.artwork import Picture
from studio.geometry.curves.strokes import Curves, Floats
from studio.geometry.planar.drawing import Drawing, in_order

# Ends that differ by less are one point computed in two ways. Well above the error of floating point on a board
# of ten metres, well below the resolution of a file.
NOISE = 1e-6
# A larger sheet is a slip of units, and micrometres would no longer fit in the numbers written.
LARGEST = 100_000.0


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
    return replace(drawing, chains=in_order(drawing.chains), strokes=_settled(drawing.strokes))


def _settled(strokes: Curves) -> Curves:
    points = strokes.points.copy()
    ends = np.concatenate([strokes.starts[:-1], strokes.starts[1:] - 1])
    for axis in (0, 1):
        points[ends, axis] = _agreed(points[ends, axis])
    return Curves(points, strokes.starts)


def _agreed(values: Floats) -> Floats:
    """Replace each run of neighbours within NOISE of each other by its smallest value."""
    order = np.argsort(values, kind="stable")
    ascending = values[order]
    fresh = np.ones(len(values), bool)
    fresh[1:] = np.diff(ascending) > NOISE
    result = np.empty_like(values)
    result[order] = ascending[np.flatnonzero(fresh)[np.cumsum(fresh) - 1]]
    return result


def rounded(points: Floats, decimals: int) -> Floats:
    """Round points as in files; zero has no sign."""
    return np.round(points, decimals) + 0.0
