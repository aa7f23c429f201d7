"""How wide a zigzaw's parts are at their narrowest: the limbs of a piece, and the rim beside cuts through the frame.

Two points of an outline lie across a limb if the way between them along the outline is much longer than straight
through the piece; round the tip of a corner of 60° it is twice as long.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import shapely

from studio.geometry.curves.strokes import Curves, Floats, frozen
from studio.puzzles.zigzaw.geometry import outline_of
from studio.puzzles.zigzaw.lattice import in_mm
from studio.puzzles.zigzaw.model import IN_PARTS, ZigzawParameters
from studio.puzzles.zigzaw.outlines import lines_of

AROUND = 2.2
"""How many times as long the way round must be."""
UNIT = 10.0
"""The edge in mm of pieces that are measured, since the widths of others are in proportion."""
ROUNDEST = 2.0
"""The largest radius in edges that makes a difference, as sides have no room for larger ones."""
STEP = 0.1
"""From one point of the outline to the next, in edges."""
FOLLOWED = 0.01
"""How far in mm they may lie from the curves."""
AT_ONCE = 256
"""Pairs of points between which the straight way is held against the piece at a time."""


@dataclass(frozen=True, eq=False)
class Narrowest:
    """The least width of something in mm, and the middle (2,) of where it is."""

    width: float
    place: Floats


def limb(parameters: ZigzawParameters) -> Narrowest:
    """Where a limb of a piece is narrowest, from the origin of its cube."""
    p = parameters
    found = _limb(p.body, min(p.radius / p.edge, ROUNDEST))
    return Narrowest(p.edge / UNIT * found.width, p.edge / UNIT * found.place)


@lru_cache(32)
def _limb(body: str, radius: float) -> Narrowest:
    """The same for edges of UNIT mm; the radius is in edges."""
    parameters = ZigzawParameters(columns=3, rows=3, body=body, edge=UNIT, radius=radius * UNIT)
    points, along = _along(Curves.of([outline_of(parameters)]), STEP * UNIT)
    piece = shapely.buffer(shapely.Polygon(points), 2 * FOLLOWED)
    whole = float(along[-1])
    points, along = points[:-1], along[:-1]
    here, there = np.triu_indices(len(points), 1)
    away = np.hypot(*(points[here] - points[there]).T)
    between = along[there] - along[here]
    is_across = np.minimum(between, whole - between) > AROUND * away
    here, there, away = here[is_across], there[is_across], away[is_across]
    order = np.argsort(away, kind="stable")
    for begin in range(0, len(order), AT_ONCE):
        some = order[begin : begin + AT_ONCE]
        ways = shapely.linestrings(np.stack([points[here[some]], points[there[some]]], 1))
        through = some[shapely.covers(piece, ways)]
        if len(through):
            first = through[0]
            return Narrowest(float(away[first]), frozen((points[here[first]] + points[there[first]]) / 2))
    low, high = points.min(axis=0), points.max(axis=0)
    return Narrowest(float((high - low).min()), frozen((low + high) / 2))


def _along(outline: Curves, step: float) -> tuple[Floats, Floats]:
    """Points (n, 2) along a closed outline, its corners among them, and how far from its beginning each is."""
    corners = outline.flattened(FOLLOWED).points
    lengths = np.hypot(*np.diff(corners, axis=0).T)
    counts = np.maximum(1, np.ceil(lengths / step)).astype(int)
    parts = [
        begin + np.arange(count)[:, None] / count * (end - begin)
        for begin, end, count in zip(corners[:-1], corners[1:], counts.tolist(), strict=True)
    ]
    points = np.concatenate([*parts, corners[-1:]])
    return points, np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])


def parting(parameters: ZigzawParameters, size: Floats, origin: Floats) -> Narrowest | None:
    """Where the rim is narrowest beside a cut that parts the frame, of `size` (2,) mm; None where nothing parts it."""
    if parameters.frame != IN_PARTS:
        return None
    found = []
    for one in lines_of(parameters).partings:
        way = np.array(one.outwards)
        points = in_mm(np.array(one.points[:-1], float), parameters.edge) + origin
        side = np.where(way > 0, size, 0.0)
        away = np.abs((side - points) @ np.abs(way))
        nearest = int(away.argmin())
        found.append(Narrowest(float(away[nearest]), points[nearest] + away[nearest] / 2 * way))
    return min(found, key=lambda one: one.width)
