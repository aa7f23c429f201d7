"""A zigzaw's colours as hatches to engrave: for each paint parallel or crossed lines that no other paint has.

Distinguished by direction and density, they need no colour. A line runs across a whole face of a cube, over the cuts
between the pieces that share it.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from studio.geometry.curves.strokes import Curves, Floats, frozen, through
from studio.puzzles.zigzaw.bodies import FACES, OUTLINES, in_mm
from studio.puzzles.zigzaw.model import LETTERS, UNPAINTED, ZigzawDesign

WIDE, CLOSE = 0.42, 0.19
"""From one line to the next, in edges of a sticker."""
PATTERNS: tuple[tuple[tuple[float, ...], float], ...] = tuple(
    (angles, apart) for apart in (WIDE, CLOSE) for angles in ((0,), (90,), (45,), (135,), (0, 90), (45, 135))
)
"""For each paint the directions of its lines in degrees, of which 90 alone is an edge's, and how close they are."""
GAP = 0.12
"""How far in edges lines end from the edge of a face."""
SHORTEST = 0.3
"""Shorter lines, in edges, are left out."""
FLAT = 1e-6
"""A cross product of two lines that run the same way."""


def hatched(design: ZigzawDesign, origin: Floats) -> Curves:
    """The hatches of all faces, cube by cube; `origin` (2,) mm is where 0, 0 of the grid lies."""
    edge = design.parameters.edge
    return Curves.of([
        edge * run + place
        for cube, triple in design.triples.items()
        for place in (in_mm(np.array(cube.origin, float), edge) + origin,)
        for face, letter in zip(FACES, triple, strict=True)
        if letter != UNPAINTED
        for run in face_runs(face, LETTERS.index(letter))
    ])  # fmt: skip


@lru_cache(3 * len(LETTERS))
def face_runs(face: str, paint: int) -> tuple[Floats, ...]:
    """The lines of a face in a paint as strokes, in edges from the origin of its cube: those of a direction in one.

    They are drawn to and fro, which spares a laser most of its way between them.
    """
    lines = face_lines(face, paint)
    ways = lines[:, 1] - lines[:, 0]
    turned = np.abs(ways[1:, 0] * ways[:-1, 1] - ways[1:, 1] * ways[:-1, 0]) > FLAT
    return tuple(frozen(through(run.reshape(-1, 2))) for run in np.split(lines, np.flatnonzero(turned) + 1))


@lru_cache(3 * len(LETTERS))
def face_lines(face: str, paint: int) -> Floats:
    """The lines (k, 2, 2) of a face in a paint, in edges from the origin of its cube, to and fro."""
    corners = in_mm(np.array(OUTLINES[face], float), 1.0)
    middle = corners.mean(axis=0)
    angles, apart = PATTERNS[paint]
    lines = []
    for angle in np.radians(angles):
        way = np.array([np.cos(angle), np.sin(angle)])
        across = np.array([-way[1], way[0]])
        reach = float(np.abs((corners - middle) @ across).max())
        # Lines lie evenly to both sides of the middle, none of them in it where two directions cross.
        steps = np.arange(-np.ceil(reach / apart), np.ceil(reach / apart) + 1) + 0.5
        for number, step in enumerate(steps.tolist()):
            line = _clipped(middle + apart * step * across, way, corners)
            if line is not None:
                lines.append(line[::-1] if number % 2 else line)
    return frozen(np.array(lines))


def _clipped(point: Floats, way: Floats, corners: Floats) -> Floats | None:
    """What of a line through a point lies within a convex face, GAP from its edges; None where that is too short."""
    sides = np.roll(corners, -1, axis=0) - corners
    inwards = np.stack([-sides[:, 1], sides[:, 0]], 1) / np.hypot(*sides.T)[:, None]
    inwards *= np.sign(((corners.mean(axis=0) - corners) * inwards).sum(axis=1))[:, None]
    depth = ((point - corners) * inwards).sum(axis=1) - GAP
    speed = inwards @ way
    if (depth[np.abs(speed) < 1e-9] < 0).any():
        return None
    moving = np.abs(speed) >= 1e-9
    meets = -depth[moving] / speed[moving]
    begin = float(meets[speed[moving] > 0].max())
    end = float(meets[speed[moving] < 0].min())
    return np.array([point + begin * way, point + end * way]) if end - begin >= SHORTEST else None
