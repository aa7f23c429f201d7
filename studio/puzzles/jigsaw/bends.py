"""The bends of cuts: where a curve is so tight that a laser slows down and chars the wood."""

from __future__ import annotations

from functools import cache
from math import comb

import numpy as np

from studio.geometry.curves import Curves, Floats, Ints, frozen

HALVINGS = 5
"""How often a cubic is halved where its bounds allow a tight bend."""
SAMPLES = 17
"""Points on what is left of a cubic then; the error is below 0.1 % of the radius."""
AT_ONCE = 8192
"""How many polynomials are halved at once; more would fill hundreds of megabytes on a large board."""
SPEEDS, TURNS = 5, 3
"""How many coefficients the squared speed of a cubic has, and the cross product of its first two derivatives."""
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
    shares = np.linspace(0.0, 1.0, SAMPLES)
    radii = _radii(_values(speeds, shares), _values(turns, shares))
    best = radii.argmin(axis=1)
    radii, places = radii[np.arange(len(at)), best], begins + shares[best] / 2**HALVINGS
    owners = np.repeat(np.arange(len(strokes)), (strokes.counts - 1) // 3)[at]
    order = np.lexsort((radii, owners))
    order = order[np.diff(owners[order], prepend=-1) > 0]
    order = order[radii[order] < least]
    middles = [_values(cubics[at[order], :, axis], places[order, None])[:, 0] for axis in (0, 1)]
    return owners[order], radii[order], np.stack(middles, 1)


def _doubtful(cubics: Floats, least: float) -> tuple[Ints, Floats, Floats, Floats]:
    """The parts of cubics (k, 4, 2) that may be tighter than a radius of `least` mm.

    Their cubics (n,), where they begin on these (n,), and the Bernstein coefficients of their squared speed (n, 5) and
    of the cross product of their first two derivatives (n, 3), over 9 each.
    """
    steps = cubics[:, 1:] - cubics[:, :-1]
    one, two, three = steps[:, 0], steps[:, 1], steps[:, 2]
    inner = (_dot(one, three) + 2 * _dot(two, two)) / 3
    both = np.empty((len(cubics), SPEEDS + TURNS))
    speeds = _dot(one, one), _dot(one, two), inner, _dot(two, three), _dot(three, three)
    turns = 2 * _cross(one, two), _cross(one, three), 2 * _cross(two, three)
    for column, values in enumerate((*speeds, *turns)):
        both[:, column] = values
    at, begins = np.arange(len(cubics)), np.zeros(len(cubics))
    for halving in range(HALVINGS + 1):
        # A polynomial is between the least and the greatest of its coefficients.
        slowest = np.maximum(both[:, :SPEEDS].min(axis=1), 0.0)
        sharpest = np.abs(both[:, SPEEDS:]).max(axis=1)
        may = np.flatnonzero(9 * slowest**3 < (least * sharpest) ** 2)
        at, begins, both = at[may], begins[may], both[may]
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
    terms = coefficients[:, places] * shares
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


def _dot(one: Floats, other: Floats) -> Floats:
    return np.asarray(one[:, 0] * other[:, 0] + one[:, 1] * other[:, 1])


def _cross(one: Floats, other: Floats) -> Floats:
    return np.asarray(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0])
