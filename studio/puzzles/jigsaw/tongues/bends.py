"""The bends of cuts: where a curve is so tight that a laser slows down and chars the wood."""

from __future__ import annotations

from functools import cache
from math import comb

import numpy as np

from studio.geometry.curves.strokes import Curves, Floats, Ints, frozen

HALVINGS = 5
"""How often a cubic is halved where its bounds allow a tight bend."""
ALONG = frozen(np.linspace(0.0, 1.0, 17))
"""Where what is left of a cubic then is looked at; the error is below 0.1 % of the radius."""
AT_ONCE = 8192
"""How many polynomials are halved at once; more would fill hundreds of megabytes on a large board."""
SPEEDS, TURNS = 5, 3
"""How many coefficients the squared speed of a cubic has, and the cross product of its first two derivatives."""
ONE, OTHER = np.triu_indices(3)
"""The six pairs of the three steps between a cubic's control points, each with itself, too."""
CROSSED = np.flatnonzero(ONE != OTHER)
"""Those of two steps."""
SHARES = np.array([2.0, 1.0, 2.0])
"""How much of the cross products of these is in the coefficients of the turn."""
STILL = 1e-18
"""Squared speed in mm² below which a curve stands still and has no radius."""
NOTHING = np.empty(0, np.int64), np.empty(0), np.empty((0, 2))
"""No strokes, no radii, no places."""


def tight_bends(strokes: Curves, least: float) -> tuple[Ints, Floats, Floats]:
    """The strokes with a bend tighter than a radius of `least` mm, their least radii in mm and its places (k, 2)."""
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
    """The parts of cubics (k, 4, 2) that may be tighter than a radius of `least` mm.

    Their cubics (n,), where they begin on these (n,), and the Bernstein coefficients of their squared speed (n, 5) and
    of the cross product of their first two derivatives (n, 3), over 9 each.
    """
    steps = cubics[:, 1:] - cubics[:, :-1]
    one, other = steps.take(ONE, axis=1), steps.take(OTHER, axis=1)
    products = one * other
    dots = products[..., 0] + products[..., 1]
    products = one.take(CROSSED, axis=1) * other.take(CROSSED, axis=1)[..., ::-1]
    both = np.empty((len(cubics), SPEEDS + TURNS))
    both[:, :2], both[:, 2], both[:, 3:SPEEDS] = dots[:, :2], (dots[:, 2] + 2 * dots[:, 3]) / 3, dots[:, 4:]
    both[:, SPEEDS:] = SHARES * (products[..., 0] - products[..., 1])
    at, begins = np.arange(len(cubics)), np.zeros(len(cubics))
    for halving in range(HALVINGS + 1):
        # A polynomial is between the least and the greatest of its coefficients.
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


def _halved(coefficients: Floats) -> Floats:
    """The Bernstein coefficients (2k, 8) of both halves of each of some pairs of polynomials (k, 8)."""
    if len(coefficients) > AT_ONCE:
        parts = range(0, len(coefficients), AT_ONCE)
        return np.concatenate([_halved(coefficients[begin : begin + AT_ONCE]) for begin in parts])
    places, shares = _shares()
    terms = coefficients.take(places, axis=1) * shares
    # Added one by one: a sum of numpy rounds as it suits the number of polynomials, and a check after a drag has fewer.
    halves = terms[:, 0] + terms[:, 1]
    for number in range(2, SPEEDS):
        halves += terms[:, number]
    return np.asarray(halves.reshape(-1, SPEEDS + TURNS))


@cache
def _shares() -> tuple[Ints, Floats]:
    """Of which coefficients (5, 16) those of the first half and of the second are made, and what share each has."""
    places, shares = np.zeros((2, SPEEDS, 2, SPEEDS + TURNS))
    for first, count in ((0, SPEEDS), (SPEEDS, TURNS)):
        half = np.array([[comb(to, one) / 2**to for to in range(count)] for one in range(count)])
        own = slice(first, first + count)
        shares[:count, 0, own], shares[:count, 1, own] = half, half[::-1, ::-1]
        places[:count, :, own] = first + np.arange(count)[:, None, None]
    return frozen(places.reshape(SPEEDS, -1).astype(np.int64)), frozen(shares.reshape(SPEEDS, -1))


def _values(coefficients: Floats, places: Floats) -> Floats:
    """The values (k, s) of polynomials with Bernstein coefficients (k, n) at places (s,) or (k, s).

    Sums and products alone (de Casteljau), so that a few polynomials are rounded as they are among many.
    """
    values = coefficients.T[:, :, None]
    while len(values) > 1:
        values = values[:-1] + (values[1:] - values[:-1]) * places
    return np.asarray(values[0])


def _radii(speeds: Floats, turns: Floats) -> Floats:
    """Radii of curvature in mm from squared speeds and cross products, over 9 each; infinite where nothing moves."""
    bending = np.maximum(np.abs(turns), np.finfo(float).tiny)
    return np.where(speeds > STILL, 3.0 * speeds * np.sqrt(np.maximum(speeds, STILL)) / bending, np.inf)
