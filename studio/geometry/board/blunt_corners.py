"""Blunt corners: corners of a tiling moved so that no cuts meet at a small angle, crowd, or pass an outline too near.

What lies between such cuts burns away or breaks. A place is as good as its worst flaw, as an angle in radians: the
least angle at the corner and at its neighbours, the shortest cut, and the least way from an outline, each of the last
two as a share of what is enough. Lengths are in usual faces, the lesser of their sides, unless they are in mm.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import shapely
from numpy.typing import NDArray

from studio.geometry.board.tessellations import least_angles
from studio.geometry.board.tiling import FREE, NONE, SLACK, Tiling
from studio.geometry.curves.strokes import Floats, Ints, distinct, frozen

SHARP, BLUNT, SPIKE = (math.radians(angle) for angle in (40.0, 46.0, 34.0))
"""Angle between two cuts below which a corner is sharp, the angle that is blunt enough, and the angle of a spike."""
JOINED = math.radians(50.0)
"""Angle between two cuts from which smooth joints may bend them."""
CALM, LONG = math.radians(62.0), 0.7
"""Angle, and length of edges in usual faces, their mean side, from which corners stray freely."""
WAYS, TURNS, ROUNDS = (0.04, 0.09, 0.16, 0.25), 12, 4
"""Distances by which a corner may move at once, the number of directions, and the most times."""
DEARER = 0.15
"""Angle in radians that a move of a usual face must gain."""
SHORT, ENOUGH, CLOSE = 0.15, 0.25, 0.3
"""Length of a cut below which its ends move apart, the length that is enough, and one below which none gets shorter."""
CROWDED, APART, CLEAR = 1.3, 2.5, 1.3
"""Distance in walls of ends on an outline that are crowded, of such apart, and of cuts from an outline."""
LEAST_SHARE = 0.6
"""Least share of its area that a face keeps when a corner of it moves."""
TRIMMED, MOST_TRIMMED, TINY = 2.0, 0.4, 1e-9
"""Length in walls of the end of a cut on an outline that is near it, at most as a share of the cut, and no length."""


def blunted(tiling: Tiling, wall: float) -> Tiling:
    """Move free corners at which cuts meet at a small angle, or from which they pass the outline or a figure at less
    than `wall` mm; and ends of cuts that are crowded on it, along it.

    It is a wish: a corner stays where that makes nothing better.
    """
    usual, edges = float(tiling.scale.min()), tiling.graph.edges
    homes, around = tiling.homes / usual, _Around(tiling, wall / usual)
    is_free, is_end = tiling.tracks == FREE, tiling.tracks >= 0
    for _ in range(ROUNDS):
        lengths = np.hypot(*(homes[edges[:, 1]] - homes[edges[:, 0]]).T)
        is_flawed = least_angles(homes, edges) < SHARP
        is_flawed[edges[tiling.is_inner & (lengths < SHORT)]] = True
        near = pinched(tiling, homes * usual, wall)
        is_flawed[edges[near]] = True
        beside = np.flatnonzero(is_flawed)
        beside = distinct(np.append(beside, edges[tiling.graph.edges_at(beside)].ravel()))
        crowded = edges[near | (~tiling.is_inner & (lengths < CROWDED * wall / usual))].ravel()
        able = distinct(np.concatenate([beside[is_free[beside]], crowded[is_end[crowded]]]))
        if not any([around.moved(corner, homes) for corner in able.tolist()]):
            break
    has_moved = (homes != tiling.homes / usual).any(axis=1)
    moved = replace(tiling, homes=frozen(np.where(has_moved[:, None], homes * usual, tiling.homes)))
    is_tight = least_angles(moved.homes, edges) < JOINED
    at = np.where(is_tight[edges], NONE, tiling.joints.at)
    moved = replace(moved, joints=replace(tiling.joints, at=frozen(at)))
    if tiling.leeway is None:
        return moved
    leeway = np.maximum(tiling.leeway - np.hypot(*(moved.homes - tiling.homes).T), 0.0)
    return replace(moved, leeway=frozen(np.minimum(leeway, SLACK * usual * _steadiness(moved))))


def _steadiness(tiling: Tiling) -> Floats:
    """Share (n,) of their usual stray that corners keep: less at and beside small angles, and at short edges."""
    edges = tiling.graph.edges
    shares = ((least_angles(tiling.homes, edges) - SHARP) / (CALM - SHARP)).clip(0.0, 1.0)
    least = shares.copy()
    np.minimum.at(least, edges, shares[edges[:, ::-1]])
    np.minimum.at(least, edges, (tiling.lengths / (LONG * tiling.scale.mean()))[:, None])
    return least


def awkward(tiling: Tiling, wall: float) -> Floats:
    """Number (m,) of cuts to be left out at every edge: 1 for a cut that passes the outline or a figure at less than
    `wall` mm, 1/2 for each of two that meet at an angle below SPIKE or are crowded on an outline, and 0 for others."""
    graph, found = tiling.graph, np.where(pinched(tiling, tiling.homes, wall), 1.0, 0.0)
    pairs = [
        np.intersect1d(tiling.inner_edges, graph.edges_at(graph.edges[edge]))
        for edge in np.flatnonzero(~tiling.is_inner & (tiling.lengths < wall)).tolist()
    ]
    for corner in np.flatnonzero(least_angles(tiling.homes, graph.edges) < SPIKE).tolist():
        own = graph.star_edges[graph.star_starts[corner] : graph.star_starts[corner + 1]]
        ways = tiling.homes[graph.edges[own].sum(axis=1) - corner] - tiling.homes[corner]
        directions = np.arctan2(ways[:, 1], ways[:, 0])
        order = np.argsort(directions, kind="stable")
        gaps = np.diff(directions[order], append=directions[order[0]] + 2 * np.pi)
        pairs += [own[order[[at, (at + 1) % len(own)]]] for at in np.flatnonzero(gaps < SPIKE).tolist()]
    for pair in pairs:
        found[pair] = np.maximum(found[pair], 0.5)
    return np.where(tiling.is_inner, found, 0.0)


def pinched(tiling: Tiling, homes: Floats, wall: float) -> NDArray[np.bool_]:
    """Mask (m,) of the cuts, straight between homes (n, 2) in mm, that pass the outline or a figure at less than `wall`
    mm; ends that meet it do not count."""
    edges, found = tiling.graph.edges, tiling.is_inner.copy()
    if tiling.leeway is not None:
        # Leeways reach to SLACK: cuts shorter than twice that come near an outline only if an end is near it.
        reach = tiling.lengths / 2 + wall + max(WAYS) * ROUNDS * float(tiling.scale.min())
        found &= (tiling.leeway[edges].min(axis=1) < reach) | (tiling.lengths > SLACK * 2 * tiling.scale.min())
    some = np.flatnonzero(found)
    border = tiling.outline.region.boundary
    shapely.prepare(border)
    ends = homes[edges[some]]
    lines = _trimmed(ends[:, 0], ends[:, 1], tiling.tracks[edges[some]] != FREE, TRIMMED * wall)
    found[some] = shapely.dwithin(lines, border, wall)
    return found


def _trimmed(begins: Floats, finishes: Floats, is_trimmed: NDArray[np.bool_], by: float) -> NDArray[np.object_]:
    """Lines between places (k, 2) without the ends (k, 2) to be trimmed."""
    ways = finishes - begins
    shares = np.minimum(by / np.maximum(np.hypot(ways[:, 0], ways[:, 1]), TINY), MOST_TRIMMED)[:, None] * is_trimmed
    return np.asarray(
        shapely.linestrings(np.stack([begins + shares[:, :1] * ways, finishes - shares[:, 1:] * ways], 1))
    )


class _Around:
    """What lies round the corners of a tiling; `wall` is in usual faces."""

    def __init__(self, tiling: Tiling, wall: float) -> None:
        self._tiling, self._graph, self._wall, self._usual = tiling, tiling.graph, wall, float(tiling.scale.min())
        turns = 2 * np.pi * np.arange(TURNS) / TURNS
        ways = np.stack([np.cos(turns), np.sin(turns)], 1)
        self._offsets = np.concatenate([np.zeros((1, 2)), (np.array(WAYS)[:, None, None] * ways).reshape(-1, 2)])

    def _star(self, corner: int) -> tuple[Ints, Ints]:
        """The edges (d,) of a corner and their other ends (d,)."""
        starts = self._graph.star_starts
        own = self._graph.star_edges[starts[corner] : starts[corner + 1]]
        return own, np.asarray(self._graph.edges[own].sum(axis=1) - corner)

    def moved(self, corner: int, homes: Floats) -> bool:
        """Move a corner, in `homes`, to the place of those around with the best worst flaw; False if it stays."""
        own, others = self._star(corner)
        places, track = homes[corner] + self._offsets, int(self._tiling.tracks[corner])
        if track >= 0:
            places[1:] = self._tiling.outline.stretches[track].nearest(places[1:] * self._usual) / self._usual
        ways = homes[others] - places[:, None]
        lengths = np.hypot(ways[..., 0], ways[..., 1])
        is_inner = self._tiling.is_inner[own]
        enough, close = (np.where(is_inner, least, APART * self._wall) for least in (ENOUGH, CLOSE))
        least = BLUNT * np.minimum(lengths / enough, 1.0).min(axis=1)
        if len(others) > 1:
            directions = np.sort(np.arctan2(ways[..., 1], ways[..., 0]), axis=1)
            gaps = np.diff(directions, axis=1, append=directions[:, :1] + 2 * np.pi)
            least = np.minimum(least, gaps.min(axis=1))
        for at, other in zip(np.flatnonzero(is_inner).tolist(), others[is_inner].tolist(), strict=True):
            beyond = self._star(other)[1]
            rest = homes[beyond[beyond != corner]] - homes[other]
            if len(rest):
                back = np.arctan2(-ways[:, at, 1], -ways[:, at, 0])
                gaps = np.abs((back[:, None] - np.arctan2(rest[:, 1], rest[:, 0]) + np.pi) % (2 * np.pi) - np.pi)
                least = np.minimum(least, gaps.min(axis=1))
        least = np.minimum(least, BLUNT * self._clearance(places, homes[others[is_inner]], others[is_inner], track))
        is_bad = (lengths < np.minimum(lengths[0], close) - TINY).any(axis=1)
        worth = np.where(is_bad, -np.inf, least - DEARER * np.hypot(*(places - places[0]).T))
        best = int(worth.argmax())
        if worth[best] <= worth[0] + TINY or not self._keeps_faces(own, corner, homes, places[best]):
            return False
        homes[corner] = places[best]
        return True

    def _clearance(self, places: Floats, ends: Floats, others: Ints, track: int) -> Floats:
        """Distance from the outline, as a share of that which is enough, of the cuts from places (k, 2) to the corners
        `others` (d,) at `ends` (d, 2)."""
        both = np.concatenate([places, ends])
        reach = CLEAR * self._wall
        low, high = (both.min(axis=0) - reach) * self._usual, (both.max(axis=0) + reach) * self._usual
        border = shapely.clip_by_rect(self._tiling.outline.region.boundary, *low, *high)
        if border.is_empty or not len(others):
            return np.ones(len(places))
        begins, finishes = np.repeat(places, len(ends), axis=0), np.tile(ends, (len(places), 1))
        trimmed = np.stack(
            [np.full(len(begins), track != FREE), np.tile(self._tiling.tracks[others] != FREE, len(places))], 1
        )
        lines = _trimmed(begins * self._usual, finishes * self._usual, trimmed, TRIMMED * self._wall * self._usual)
        gaps = shapely.distance(lines, border).reshape(len(places), -1).min(axis=1)
        return np.asarray(np.minimum(gaps / (reach * self._usual), 1.0))

    def _keeps_faces(self, own: Ints, corner: int, homes: Floats, place: Floats) -> bool:
        """True if the faces at a corner with `own` edges keep most of their areas when it moves to a place."""
        graph, after = self._graph, homes.copy()
        after[corner] = place
        faces = distinct(graph.sides[own])
        for face in faces[faces >= 0].tolist():
            codes = graph.codes[graph.starts[face] : graph.starts[face + 1]]
            ends = graph.edges[codes >> 1]
            ends[codes & 1 == 1] = ends[codes & 1 == 1, ::-1]
            before, now = (float((at[ends[:, 0], 0] * at[ends[:, 1], 1] - at[ends[:, 0], 1] * at[ends[:, 1], 0]).sum())
                           for at in (homes, after))  # fmt: skip
            if abs(now) < LEAST_SHARE * abs(before) or now * before < 0:
                return False
        return True
