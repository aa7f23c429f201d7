"""The necks of tongues: where a tongue is narrowest, between its base and its head."""

from __future__ import annotations

from functools import cache

import numpy as np

from studio.geometry.curves.strokes import Curves, Floats, Ints, frozen

NECK_SAMPLES = 12
"""Points to either side of a tongue's middle between which its neck is searched first."""
NECK_DETAIL = 13
"""Points of the second search, one step around the best of the first; the error is below 0.5 % of the neck."""
AROUND = frozen(np.linspace(-1.0, 1.0, NECK_DETAIL))
"""Where these are, in steps of the first search."""
COARSE_NECK = 1.2
"""The largest error in mm of the first search for a neck."""
AT_ONCE = 8192
"""Number of tongues whose sides are compared at once; more would fill hundreds of megabytes on a large board."""
NOTHING = np.empty(0, np.int64), np.empty(0), np.empty((0, 2))
"""No strokes, no widths, no places."""


def narrow_necks(strokes: Curves, least: float) -> tuple[Ints, Floats, Floats]:
    """The strokes whose neck is narrower than `least` mm, its width in mm and its middle (k, 2).

    A tongue's sides run from its ends to where its head is widest; its neck is the least distance between them.
    All strokes must have the same number of cubics.
    """
    if not len(strokes) or least <= 0:
        return NOTHING
    control = strokes.points.reshape(len(strokes), -1, 2)
    found = []
    for begin in range(0, len(control), AT_ONCE):
        at, widths, middles = _narrow(control[begin : begin + AT_ONCE], least)
        found.append((begin + at, widths, middles))
    which, widths, middles = (np.concatenate(each) for each in zip(*found, strict=True))
    return which, widths, middles


def _narrow(control: Floats, least: float) -> tuple[Ints, Floats, Floats]:
    """The same for the control points (k, 3c + 1, 2) of some strokes."""
    steps = np.arange(2 * NECK_SAMPLES + 1)
    span = (control.shape[1] - 1) // 3 / steps[-1]
    weights = _weights(control.shape[1])
    samples = np.stack([control[:, :, 0] @ weights, control[:, :, 1] @ weights], 2)
    left, right = _widest(samples)
    gaps = _squared_gaps(samples[:, : NECK_SAMPLES + 1], samples[:, NECK_SAMPLES:])
    gaps[steps[: NECK_SAMPLES + 1] > left[:, None]] = np.inf
    gaps = np.where((steps[NECK_SAMPLES:] < right[:, None])[:, None, :], np.inf, gaps)
    gaps = gaps.reshape(len(control), -1)
    best = gaps.argmin(axis=1)
    first, second = np.divmod(best, NECK_SAMPLES + 1)
    # Where the sides draw together only up to the head itself there is no neck to break.
    headless = (first == left) & (second + NECK_SAMPLES == right)
    doubtful = np.flatnonzero((gaps.min(axis=1) < (COARSE_NECK * least) ** 2) & ~headless)
    if not len(doubtful):
        return NOTHING

    control, first, second = control[doubtful], first[doubtful], second[doubtful]
    middles = np.stack([np.minimum(first, NECK_SAMPLES - 1), np.maximum(second, 1) + NECK_SAMPLES], 1)
    both = _at(control, ((middles[:, :, None] + AROUND) * span).reshape(len(control), -1))
    one, two = both[:, :NECK_DETAIL], both[:, NECK_DETAIL:]
    gaps = _squared_gaps(one, two).reshape(len(doubtful), -1)
    width = np.sqrt(gaps.min(axis=1))
    first, second = np.divmod(gaps.argmin(axis=1), NECK_DETAIL)
    rows = np.arange(len(doubtful))
    middles = 0.5 * (one[rows, first] + two[rows, second])
    narrow = width < least
    return doubtful[narrow], width[narrow], middles[narrow]


@cache
def _weights(count: int) -> Floats:
    """The weights (count, s) of `count` control points at the places of the first search."""
    steps = np.arange(2 * NECK_SAMPLES + 1)
    part, basis = _basis(count, steps * ((count - 1) // 3 / steps[-1]))
    weights = np.zeros((len(steps), count))
    np.put_along_axis(weights, 3 * part[:, None] + np.arange(4), basis, axis=1)
    return frozen(weights).T


def _at(control: Floats, places: Floats) -> Floats:
    """Points (k, s, 2) on strokes (k, 3c + 1, 2), each at its own places (k, s)."""
    part, basis = _basis(control.shape[1], places)
    four = control[np.arange(len(control))[:, None, None], 3 * part[..., None] + np.arange(4)]
    # Added one by one: numpy's sum rounds as it suits the number of strokes, and a check after a drag has fewer.
    terms = basis[..., None] * four
    return np.asarray(terms[:, :, 0] + terms[:, :, 1] + terms[:, :, 2] + terms[:, :, 3])


def _basis(count: int, places: Floats) -> tuple[Ints, Floats]:
    """The cubics (…) at some places (…) of strokes with `count` control points, and the weights (…, 4) of those."""
    cubics = (count - 1) // 3
    places = np.clip(places, 0.0, cubics)
    part = np.minimum(places.astype(np.int64), cubics - 1)
    t = (places - part)[..., None]
    rest = 1 - t
    return part, np.concatenate([rest**3, 3 * t * rest**2, 3 * t**2 * rest, t**3], -1)


def _squared_gaps(one: Floats, two: Floats) -> Floats:
    """Squared distances (k, s, r) between points (k, s, 2) and (k, r, 2)."""
    across = one[:, :, None, 0] - two[:, None, :, 0]
    down = one[:, :, None, 1] - two[:, None, :, 1]
    return np.asarray(across * across + down * down)


def _widest(samples: Floats) -> tuple[Ints, Ints]:
    """The samples (k, s, 2) at which the head reaches furthest back and furthest on along the edge."""
    way = samples[:, -1] - samples[:, 0]
    along = way / np.maximum(np.hypot(way[:, 0], way[:, 1]), 1e-9)[:, None]
    offset = samples - samples[:, :1]
    u = offset[..., 0] * along[:, None, 0] + offset[..., 1] * along[:, None, 1]
    v = np.abs(offset[..., 1] * along[:, None, 0] - offset[..., 0] * along[:, None, 1])
    tip = v.argmax(axis=1)[:, None]
    head = v > 0.3 * v.max(axis=1)[:, None]
    index = np.arange(samples.shape[1])
    left = np.where(head & (index <= tip), u, np.inf).argmin(axis=1)
    right = np.where(head & (index >= tip), u, -np.inf).argmax(axis=1)
    return left, right
