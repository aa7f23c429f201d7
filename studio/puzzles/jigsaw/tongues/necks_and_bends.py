"""Necks and bends of tongues: their narrowest places, and curves too tight for a laser."""

from __future__ import annotations

from functools import cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from studio.geometry.curves.strokes import Curves, Floats, Ints, frozen

NECK_SAMPLES = 12
"""Points to either side of a tongue's middle in the first search for its neck."""
TIP_WITHIN = 9
"""Number of samples from the middle of a stroke between which a tongue's tip lies."""
NECK_DETAIL = 13
"""Points of the second search, one step around the best of the first; the error is below 0.5 % of the neck."""
AROUND = frozen(np.linspace(-1.0, 1.0, NECK_DETAIL))
"""Positions of these points, in steps of the first search."""
COARSE_NECK = 1.2
"""Largest error of the first search for a neck, as a factor of its width."""
AT_ONCE = 8192
"""Number of tongues whose sides are compared at once; more would fill hundreds of megabytes on a large board."""
NOTHING = np.empty(0, np.int64), np.empty(0), np.empty((0, 2))
"""No strokes, no widths, no places."""


def narrow_necks(
    strokes: Curves, least: float, knobs: int = 1, *, as_before: bool = False
) -> tuple[Ints, Floats, Floats]:
    """Strokes with a neck narrower than `least` mm, its width in mm and its middle, shape (k, 2).

    A tongue's sides run from its ends to the widest place of its head; its neck is the least distance between them.
    All strokes must have the same number of cubics, and `knobs` knobs each. With `as_before` small tongues on strokes
    that bulge towards their ends are overlooked, as by the layouts before the third.
    """
    if not len(strokes) or least <= 0:
        return NOTHING
    control = strokes.points.reshape(len(strokes), -1, 2)
    if knobs > 1:
        each = (control.shape[1] - 1) // knobs
        apart = [narrow_necks(_parts(control, each, knob), least, as_before=as_before) for knob in range(knobs)]
        which, widths, middles = (np.concatenate(found) for found in zip(*apart, strict=True))
        order = np.lexsort((widths, which))
        order = order[np.append(True, np.diff(which[order]) > 0)[: len(order)]]
        return which[order], widths[order], middles[order]
    found = []
    for begin in range(0, len(control), AT_ONCE):
        at, widths, middles = _narrow(control[begin : begin + AT_ONCE], least, as_before)
        found.append((begin + at, widths, middles))
    which, widths, middles = (np.concatenate(each) for each in zip(*found, strict=True))
    return which, widths, middles


def _parts(control: Floats, length: int, number: int) -> Curves:
    """Stretches of strokes with control points (k, n, 2), `length` points after the first each, by number from 0."""
    points = control[:, number * length : (number + 1) * length + 1]
    return Curves(points.reshape(-1, 2), np.arange(len(control) + 1) * (length + 1))


def _narrow(control: Floats, least: float, as_before: bool) -> tuple[Ints, Floats, Floats]:
    """Same as `narrow_necks`, given control points of strokes, shape (k, 3c + 1, 2)."""
    steps = np.arange(2 * NECK_SAMPLES + 1)
    span = (control.shape[1] - 1) // 3 / steps[-1]
    weights = _weights(control.shape[1])
    samples = np.stack([control[:, :, 0] @ weights, control[:, :, 1] @ weights], 2)
    left, right = _widest(samples, as_before)
    gaps = _squared_gaps(samples[:, : NECK_SAMPLES + 1], samples[:, NECK_SAMPLES:])
    gaps[steps[: NECK_SAMPLES + 1] > left[:, None]] = np.inf
    gaps = np.where((steps[NECK_SAMPLES:] < right[:, None])[:, None, :], np.inf, gaps)
    gaps = gaps.reshape(len(control), -1)
    best = gaps.argmin(axis=1)
    first, second = np.divmod(best, NECK_SAMPLES + 1)
    # If the sides draw together only up to the head itself, the tongue has no neck to break.
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
    """Weights of `count` control points at the places of the first search, shape (count, s)."""
    steps = np.arange(2 * NECK_SAMPLES + 1)
    part, basis = _basis(count, steps * ((count - 1) // 3 / steps[-1]))
    weights = np.zeros((len(steps), count))
    np.put_along_axis(weights, 3 * part[:, None] + np.arange(4), basis, axis=1)
    return frozen(weights).T


def _at(control: Floats, places: Floats) -> Floats:
    """Points on strokes, shape (k, 3c + 1, 2), each at its own places, shape (k, s)."""
    part, basis = _basis(control.shape[1], places)
    four = control[np.arange(len(control))[:, None, None], 3 * part[..., None] + np.arange(4)]
    # Summed term by term: numpy's sum rounds differently for other numbers of strokes, such as in a check after a drag.
    terms = basis[..., None] * four
    return np.asarray(terms[:, :, 0] + terms[:, :, 1] + terms[:, :, 2] + terms[:, :, 3])


def _basis(count: int, places: Floats) -> tuple[Ints, Floats]:
    """Cubics at places of strokes with `count` control points, shape (…), and weights of their points, shape (…, 4)."""
    cubics = (count - 1) // 3
    places = np.clip(places, 0.0, cubics)
    part = np.minimum(places.astype(np.int64), cubics - 1)
    t = (places - part)[..., None]
    rest = 1 - t
    return part, np.concatenate([rest**3, 3 * t * rest**2, 3 * t**2 * rest, t**3], -1)


def _squared_gaps(one: Floats, two: Floats) -> Floats:
    """Squared distances between points, shapes (k, s, 2) and (k, r, 2); result of shape (k, s, r)."""
    across = one[:, :, None, 0] - two[:, None, :, 0]
    down = one[:, :, None, 1] - two[:, None, :, 1]
    return np.asarray(across * across + down * down)


def _widest(samples: Floats, as_before: bool) -> tuple[Ints, Ints]:
    """Indices of the samples, shape (k, s, 2), at which the head reaches farthest back and forth along the edge.

    The head is what stands out around the tip, which is not near an end, without a gap; `as_before` anything that does.
    """
    way = samples[:, -1] - samples[:, 0]
    along = way / np.maximum(np.hypot(way[:, 0], way[:, 1]), 1e-9)[:, None]
    offset = samples - samples[:, :1]
    u = offset[..., 0] * along[:, None, 0] + offset[..., 1] * along[:, None, 1]
    v = np.abs(offset[..., 1] * along[:, None, 0] - offset[..., 0] * along[:, None, 1])
    index = np.arange(samples.shape[1])
    tip = np.where(as_before | (np.abs(index - NECK_SAMPLES) < TIP_WITHIN), v, -1.0).argmax(axis=1)[:, None]
    head = v > 0.3 * np.take_along_axis(v, tip, axis=1)
    if not as_before:
        gaps = np.cumsum(~head, axis=1)
        head &= gaps == np.take_along_axis(gaps, tip, axis=1)
    left = np.where(head & (index <= tip), u, np.inf).argmin(axis=1)
    right = np.where(head & (index >= tip), u, -np.inf).argmax(axis=1)
    return left, right


# Tight bends: curves at which a laser slows down and chars the wood

HALVINGS = 5
"""Number of times a cubic is halved while its bounds allow a tight bend."""
ALONG = frozen(np.linspace(0.0, 1.0, 17))
"""Places at which the remaining part of a cubic is measured; the error is below 0.1 % of the radius."""
FEW = ALONG[::4]
"""Places at which most tight bends are found at once."""
SPEEDS, TURNS = 5, 3
"""Numbers of coefficients of a cubic's squared speed, and of the cross product of its first two derivatives."""
ONE, OTHER = np.triu_indices(3)
"""Six pairs of the three steps between a cubic's control points, including each with itself."""
CROSSED = np.flatnonzero(ONE != OTHER)
"""Pairs of two different steps."""
SHARES = np.array([2.0, 1.0, 2.0])
"""Factors of these pairs' cross products in the coefficients of the turn."""
LEAST_TURN = 1e-200
"""Least cross product of a curve's derivatives, against division by zero."""
STILL = 1e-18
"""Squared speed in mm² below which a curve stands still and has no radius."""


def tight_bends(strokes: Curves, least: float) -> tuple[Ints, Floats, Floats]:
    """Strokes with a bend tighter than a radius of `least` mm, their least radii in mm and its places, shape (k, 2)."""
    if not len(strokes) or least <= 0:
        return NOTHING
    cubics = strokes.cubics
    at, begins, speeds, turns = _doubtful(cubics, least)
    if not len(at):
        return NOTHING
    radii = _radii(_values(speeds, ALONG), _values(turns, ALONG))
    best = radii.argmin(axis=1)
    radii, places = radii[np.arange(len(at)), best], begins + ALONG[best] / 2**HALVINGS
    owners = strokes.cubic_owners[at]
    order = np.lexsort((radii, owners))
    ordered = owners[order]
    order = order[np.append(True, ordered[1:] != ordered[:-1])]
    order = order[radii[order] < least]
    control = cubics.take(at[order], axis=0).transpose(0, 2, 1).reshape(-1, 4)
    middles = _values(control, places[order].repeat(2)[:, None])
    return owners[order], radii[order], middles.reshape(-1, 2)


def _doubtful(cubics: Floats, least: float) -> tuple[Ints, Floats, Floats, Floats]:
    """Find the parts of cubics, shape (k, 4, 2), that may be tighter than a radius of `least` mm.

    Return their cubics and beginnings on these, shape (n,), and the Bernstein coefficients of their squared speed,
    shape (n, 5), and of the cross product of their first two derivatives, shape (n, 3), each divided by 9.
    """
    both = _coefficients(cubics)
    at, begins = np.arange(len(cubics)), np.zeros(len(cubics))
    for halving in range(HALVINGS + 1):
        # A polynomial stays between its least and its greatest coefficient.
        slowest = np.maximum(both[:, :SPEEDS].min(axis=1), 0.0)
        sharpest = np.abs(both[:, SPEEDS:]).max(axis=1)
        may = (9 * slowest**3 < (least * sharpest) ** 2).nonzero()[0]
        if len(may) < len(at):
            at, begins, both = at[may], begins[may], both.take(may, axis=0)
        if not len(at):
            break
        if halving < HALVINGS:
            at, begins = at.repeat(2), (begins[:, None] + [0.0, 0.5 ** (halving + 1)]).ravel()
            both = _halved(both)
    return at, begins, both[:, :SPEEDS], both[:, SPEEDS:]


def _coefficients(cubics: Floats) -> Floats:
    """Bernstein coefficients (k, 8) of the squared speed of cubics and of the cross product of their derivatives."""
    steps = cubics[:, 1:] - cubics[:, :-1]
    one, other = steps.take(ONE, axis=1), steps.take(OTHER, axis=1)
    products = one * other
    dots = products[..., 0] + products[..., 1]
    products = one.take(CROSSED, axis=1) * other.take(CROSSED, axis=1)[..., ::-1]
    both = np.empty((len(cubics), SPEEDS + TURNS))
    both[:, :2], both[:, 2], both[:, 3:SPEEDS] = dots[:, :2], (dots[:, 2] + 2 * dots[:, 3]) / 3, dots[:, 4:]
    both[:, SPEEDS:] = SHARES * (products[..., 0] - products[..., 1])
    return both


def _halved(coefficients: Floats) -> Floats:
    """Bernstein coefficients of both halves, shape (2k, 8), of pairs of polynomials, shape (k, 8)."""
    if len(coefficients) > AT_ONCE:
        parts = range(0, len(coefficients), AT_ONCE)
        return np.concatenate([_halved(coefficients[begin : begin + AT_ONCE]) for begin in parts])
    places, shares = _shares()
    terms = coefficients.take(places, axis=1) * shares
    # Summed term by term: numpy's sum rounds differently for other numbers of polynomials, as in a check after a drag.
    halves = terms[:, 0] + terms[:, 1]
    for number in range(2, SPEEDS):
        halves += terms[:, number]
    return np.asarray(halves.reshape(-1, SPEEDS + TURNS))


@cache
def _shares() -> tuple[Ints, Floats]:
    """Indices and factors that combine coefficients to the first and the second half's, shape (5, 16)."""
    places, shares = np.zeros((2, SPEEDS, 2, SPEEDS + TURNS))
    for first, count in ((0, SPEEDS), (SPEEDS, TURNS)):
        half = np.array([[comb(to, one) / 2**to for to in range(count)] for one in range(count)])
        own = slice(first, first + count)
        shares[:count, 0, own], shares[:count, 1, own] = half, half[::-1, ::-1]
        places[:count, :, own] = first + np.arange(count)[:, None, None]
    return frozen(places.reshape(SPEEDS, -1).astype(np.int64)), frozen(shares.reshape(SPEEDS, -1))


def _values(coefficients: Floats, places: Floats) -> Floats:
    """Values of polynomials with Bernstein coefficients, shape (k, n), at places, shape (s,) or (k, s).

    Sums and products alone (de Casteljau), so that few polynomials are rounded exactly as many.
    """
    values = coefficients.T[:, :, None]
    while len(values) > 1:
        values = values[:-1] + (values[1:] - values[:-1]) * places
    return np.asarray(values[0])


def _radii(speeds: Floats, turns: Floats) -> Floats:
    """Radii of curvature in mm from squared speeds and cross products, each divided by 9; infinite at speed 0."""
    bending = np.maximum(np.abs(turns), LEAST_TURN)
    return np.where(speeds > STILL, 3.0 * speeds * np.sqrt(np.maximum(speeds, STILL)) / bending, np.inf)


def are_tight(strokes: Curves, least: float) -> NDArray[np.bool_]:
    """Mask of the strokes with a curve tighter than `least` mm, shape (k,)."""
    both, tight = _coefficients(strokes.cubics), np.zeros(len(strokes), bool)
    radii = _radii(_values(both[:, :SPEEDS], FEW), _values(both[:, SPEEDS:], FEW)).min(axis=1)
    tight[strokes.cubic_owners[radii < least]] = True
    rest = np.flatnonzero(~tight)
    tight[rest[tight_bends(strokes.chosen(rest), least)[0]]] = True
    return tight
