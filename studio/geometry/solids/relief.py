"""A height field over a flat area: a grid of squares within it, and a band of triangles from there to its outlines.

block: the squares; each is at least about a step away from every outline. band: what lies between.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from studio.geometry.curves.strokes import Floats, Ints
from studio.geometry.solids.solid import even_cap

if TYPE_CHECKING:
    import shapely

    from studio.geometry.planar.polyomino import Mask

SPACING = 0.5
"""The largest distance between the places at which an outline is followed to find the squares near it, in steps."""


@dataclass(frozen=True, eq=False)
class Relief:
    """What rises from the flat tops of slabs: heights (n,) in mm at places (n, 2) of their areas, every `step` mm."""

    step: float
    heights: Callable[[Floats], Floats]


def field(flat: shapely.Geometry, rings: Sequence[Floats], step: float) -> tuple[Floats, Ints]:
    """The nodes (n, 2) of the block within an area, and the triangles (m, 3) that cover all of the area.

    Rings (k, 2) are the outlines of the area, with points some steps apart, counter-clockwise and clockwise round
    holes. Triangles count the points of the rings first, then the nodes.
    """
    low = np.floor(np.concatenate(rings).min(axis=0) / step) - 1
    squares = _block(flat, rings, low, step)
    wide = squares.shape[1] + 1
    rows, columns = np.nonzero(squares)
    corners = (rows * wide + columns)[:, None] + (0, 1, wide + 1, wide)
    known, names = np.unique(corners, return_inverse=True)
    nodes = (np.stack([known % wide, known // wide], 1) + low) * step
    corners = names.reshape(-1, 4)
    # Squares are halved in turns, so that slopes lean neither way.
    crossed = ((rows + columns) % 2 == 1)[:, None]
    halves = [np.where(crossed, corners[:, one], corners[:, other]) for one, other in
              (((0, 1, 3), (0, 1, 2)), ((1, 2, 3), (0, 2, 3)))]  # fmt: skip
    rims = _rims(corners)
    band = even_cap(*rings, *(nodes[rim] for rim in rims))
    first = sum(map(len, rings))
    numbers = np.concatenate([np.arange(first), *(first + rim for rim in rims)])
    return nodes, np.concatenate([numbers[band], *(first + half for half in halves)])


def _block(flat: shapely.Geometry, rings: Sequence[Floats], low: Floats, step: float) -> Mask:
    """The squares (rows, columns) from `low`, counted in steps, that are within an area and away from its outlines."""
    import shapely

    size = np.ceil(np.concatenate(rings).max(axis=0) / step) + 2 - low
    near = np.zeros((int(size[1]), int(size[0])), bool)
    outline = shapely.get_coordinates(shapely.segmentize(shapely.boundary(flat), SPACING * step))
    columns, rows = (np.floor(outline / step) - low).astype(np.int64).T
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            near[np.clip(rows + down, 0, None), np.clip(columns + right, 0, None)] = True
    free = np.argwhere(~near)
    middles = (free[:, ::-1] + low + 0.5) * step
    shapely.prepare(flat)
    found = np.zeros_like(near)
    found[tuple(free[shapely.contains_xy(flat, middles)].T)] = True
    return _without_touching(found)


def _without_touching(squares: Mask) -> Mask:
    """Squares, so many left out that no two touch at a corner alone."""
    while True:
        here, right, below, across = squares[:-1, :-1], squares[:-1, 1:], squares[1:, :-1], squares[1:, 1:]
        falling, rising = here & across & ~right & ~below, right & below & ~here & ~across
        if not (falling.any() or rising.any()):
            return squares
        squares = squares.copy()
        squares[1:, 1:] &= ~falling
        squares[1:, :-1] &= ~rising


def _rims(corners: Ints) -> list[Ints]:
    """The rims of a block by its nodes: its squares are to the right of them. (n, 4) are the corners of its squares."""
    ways = np.concatenate([corners[:, [one, other]] for one, other in pairwise((0, 1, 2, 3, 0))])
    count = int(ways.max(initial=0)) + 1
    outer = ways[~np.isin(ways @ (count, 1), ways @ (1, count))]
    following = dict(outer[:, ::-1].tolist())
    found = []
    while following:
        one, at = following.popitem()
        rim = [one]
        while at != one:
            rim.append(at)
            at = following.pop(at)
        found.append(np.array(rim, np.int64))
    return found
