"""Split corners: a cut that ends near a sharp corner of a board is led into it, so that two pieces share the corner."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from studio.base.chance import uniform
from studio.geometry.board.border import BEND, KNOT, SAME, Border, Cuts, Nodes
from studio.geometry.curves.strokes import Floats, Ints

AROUND, STEP = 0.4, 0.05
"""How far before and behind a place, in cells, the border is compared, and in what steps corners are sought."""
FINER = 80
"""Into how many parts two steps around a corner are parted to find it; the one in the middle is the step itself."""
SHARP = np.radians(50.0)
"""A border that turns by more than this within that distance has a corner."""
NEAR = 1.8
"""How far away, in cells along the border, a cut may end that is led into a corner."""
LEAST_ANGLE = np.radians(30.0)
"""The least angle between such a cut and the border; what is cut off below it would be a sliver."""


def with_split_corners(
    nodes: Nodes, cuts: Cuts, keys: Ints, lasting: NDArray[np.bool_], border: Border
) -> tuple[Nodes, Cuts]:
    """One cut is led into every sharp corner in which none ends, where one fits.

    `keys` (c,) of the cuts are for chance, and `lasting` (c,) are those that will not be left out.
    """
    corners = _corners(border)
    blunt = [station for station in corners.tolist() if not (np.abs(nodes.stations - station) < SAME).any()]
    nodes = nodes.joined(Nodes.on(border, np.array(blunt), KNOT))
    ends = cuts.ends.copy()
    for station in corners.tolist():
        gaps = np.abs(nodes.stations - station)
        if not (gaps[np.unique(ends[lasting])] < STEP).any():
            found = _led(nodes, ends, keys, lasting, border, station)
            if found is not None:
                ends[found] = int(np.nanargmin(gaps))
    needed = np.unique(np.concatenate([ends.ravel(), np.flatnonzero(nodes.kinds == BEND)]))
    return nodes.chosen(needed), Cuts(np.searchsorted(needed, ends), cuts.edges)


def _corners(border: Border) -> Floats:
    """The stations (k,) where the border turns sharply towards the board."""
    found: list[float] = []
    for low, high in pairwise(border.rings.tolist()):
        bends = border.nearest(border.bends)[0] if len(border.bends) else np.empty(0)
        steps = np.linspace(low, high, max(3, int((high - low) / STEP)), endpoint=False)
        stations = np.sort(np.concatenate([steps, bends[(bends >= low) & (bends < high)]]))
        turns = _turns(border, stations, low, high)
        for at in np.argsort(-turns, kind="stable").tolist():
            apart = np.abs(stations[at] - np.array(found)) if found else np.full(1, np.inf)
            apart = np.minimum(apart, high - low - apart) if found else apart
            if turns[at] > SHARP and apart.min() > 2 * AROUND:
                found.append(_sharpest(border, stations[at], low, high))
    return np.sort(np.array(found))


def _sharpest(border: Border, station: float, low: float, high: float) -> float:
    """The station where the border turns most near another."""
    near = low + (station + np.linspace(-STEP, STEP, FINER + 1) - low) % (high - low)
    return float(near[int(np.argmax(_turns(border, near, low, high)))])


def _turns(border: Border, stations: Floats, low: float, high: float) -> Floats:
    """By what angle (k,) the border of a ring turns towards the board around some stations."""
    before, behind = (border.at(low + (stations + way - low) % (high - low)) for way in (-AROUND, AROUND))
    here = border.at(stations)
    (right, down), (across, along) = (here - before).T, (behind - here).T
    return np.asarray(np.arctan2(right * along - down * across, right * across + down * along))


def _led(
    nodes: Nodes, ends: Ints, keys: Ints, lasting: NDArray[np.bool_], border: Border, station: float
) -> tuple[int, int] | None:
    """The cut, and which of its ends, that can be led to a corner; None where none can."""
    import shapely

    ring = int(np.searchsorted(border.rings, station, side="right")) - 1
    low, high = border.rings[ring], border.rings[ring + 1]
    degrees = np.bincount(ends[lasting].ravel(), minlength=len(nodes.keys))
    ending = np.flatnonzero((degrees == 1) & (nodes.stations >= low) & (nodes.stations < high) & (nodes.kinds != BEND))
    if not len(ending):
        return None
    way = (nodes.stations[ending] - station) % (high - low)
    here = border.at(np.array([station]))[0]
    sides = border.at(low + (station + np.array([-AROUND, AROUND]) - low) % (high - low)) - here
    fitting = []
    for at, away in ((int(way.argmax()), high - low - way.max()), (int(way.argmin()), way.min())):
        cut, end = (int(each[0]) for each in np.nonzero((ends == ending[at]) & lasting[:, None]))
        far = int(ends[cut, 1 - end])
        if away > NEAR or not np.isnan(nodes.stations[far]):
            continue
        others = np.flatnonzero(lasting & (ends != far).all(axis=1))
        line = shapely.linestrings([here, nodes.places[far]])
        crosses = shapely.intersects(line, shapely.linestrings(nodes.places[ends[others]])).any()
        if not crosses and _is_open(border, here, nodes.places[far], sides):
            fitting.append((cut, end))
    return min(fitting, key=lambda each: float(uniform(0, keys[[each[0]]], "split corner")[0]), default=None)


def _is_open(border: Border, here: Floats, there: Floats, sides: Floats) -> bool:
    """Whether a cut from a corner keeps away from both sides (2, 2) of the border and is within it."""
    way = there - here
    cosines: NDArray[np.float64] = (sides @ way) / np.hypot(*sides.T) / np.hypot(*way)
    places = here + np.linspace(0.1, 0.9, 9)[:, None] * way
    return bool((cosines < np.cos(LEAST_ANGLE)).all() and border.holds(places).all())
