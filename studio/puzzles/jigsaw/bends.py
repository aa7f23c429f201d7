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
    steps = np.diff(cubics, axis=1)
    one, two, three = steps[:, 0], steps[:, 1], steps[:, 2]
    inner = (_dot(one, three) + 2 * _dot(two, two)) / 3
    speeds = np.stack([_dot(one, one), _dot(one, two), inner, _dot(two, three), _dot(three, three)], 1)
    turns = np.stack([2 * _cross(one, two), _cross(one, three), 2 * _cross(two, three)], 1)
    at, begins = np.arange(len(cubics)), np.zeros(len(cubics))
    for halving in range(HALVINGS + 1):
        # A polynomial is between the least and the greatest of its coefficients.
        slowest, sharpest = np.maximum(speeds.min(axis=1), 0.0), np.abs(turns).max(axis=1)
        may = np.flatnonzero(9 * slowest**3 < (least * sharpest) ** 2)
        at, begins, speeds, turns = at[may], begins[may], speeds[may], turns[may]
        if not len(at):
            break
        if halving < HALVINGS:
            at, begins = np.repeat(at, 2), (begins[:, None] + [0.0, 0.5 ** (halving + 1)]).ravel()
            speeds, turns = _halved(speeds), _halved(turns)
    return at, begins, speeds, turns


def _halved(coefficients: Floats) -> Floats:
    """The Bernstein coefficients (2k, n) of both halves of each of some polynomials (k, n)."""
    shares = _shares(coefficients.shape[1])
    # Added one by one: a sum of numpy rounds as it suits the number of polynomials, and a check after a drag has fewer.
    halves = coefficients[:, :1] * shares[0]
    for number in range(1, len(shares)):
        halves += coefficients[:, number, None] * shares[number]
    return np.asarray(halves.reshape(-1, len(shares)))


@cache
def _shares(count: int) -> Floats:
    """What share (n, 2n) each of `count` Bernstein coefficients has in those of the first half and of the second."""
    first = np.array([[comb(to, one) / 2**to for to in range(count)] for one in range(count)])
    return frozen(np.concatenate([first, first[::-1, ::-1]], 1))


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
