"""Outlines of frames that are no rectangle: the smallest circle or heart that leaves a frame of some width everywhere.

All is in mm, x to the right and y downwards.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import shapely

from studio.geometry.board.forms import ellipse, heart
from studio.geometry.curves.strokes import Curves, Floats
from studio.puzzles.calendar.model import ROUND

STEP = 0.5
"""The width of a heart is a multiple of these mm."""
TALL = 0.92
"""The height of a heart, as a share of its width."""
CHORDS = 0.01
"""How far in mm chords are from the outline where it is measured."""
STRAYED = 0.05
"""By how many mm a heart's cleft may come nearer between two of the places at which it is measured."""
MOST_PLACES = 200
"""About the most of these places across a board."""
FLAT = 1e-6
"""What in mm is only a rounding error."""


def around(form: str, region: shapely.Geometry, frame: float) -> Floats:
    """The outline (3k + 1, 2) around the cells of a board, each at least as far inside as the frame is wide."""
    return _circle(region, frame) if form == ROUND else _heart(shapely.to_wkb(region), frame)


def polygon_of(outline: Floats) -> shapely.Polygon:
    """What an outline encloses."""
    return shapely.Polygon(Curves.of([outline]).flattened(CHORDS).points)


def _circle(region: shapely.Geometry, frame: float) -> Floats:
    circle = shapely.minimum_bounding_circle(region)
    middle = shapely.get_coordinates(circle.envelope.centroid)[0]
    far = float(np.hypot(*(shapely.get_coordinates(region) - middle).T).max())
    side = 2 * (far + frame)
    return np.asarray(ellipse(side, side) + middle - side / 2)


@lru_cache(maxsize=32)
def _heart(region: bytes, frame: float) -> Floats:
    """The smallest heart, symmetric or not about the board, whichever lets it be smaller."""
    cells = shapely.from_wkb(region)
    left, _top, right, _bottom = cells.bounds
    corners = shapely.get_coordinates(shapely.convex_hull(cells))[:-1]
    places = np.concatenate(
        [corners, _uppermost(cells, max((8 * STRAYED * frame) ** 0.5, (right - left) / MOST_PLACES))]
    )
    low, high = 0, 2
    while _room(high * STEP, places, frame) is None:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _room(middle * STEP, places, frame) is not None else (middle, high)
    width = high * STEP
    room = _room(width, places, frame)
    assert room is not None
    # The board is in the middle across where it can be.
    upright = shapely.LineString([(-(left + right) / 2 + width / 2, -1e6), (-(left + right) / 2 + width / 2, 1e6)])
    line = shapely.intersection(room, upright)
    shift = shapely.get_coordinates((room if line.is_empty else line).centroid)[0]
    return np.asarray(heart(width, TALL * width) - shift)


def _uppermost(cells: shapely.Geometry, apart: float) -> Floats:
    """Places on the rim above which there is no cell; of a heart only its cleft can reach in between corners."""
    top = cells.bounds[1]
    places = np.unique(shapely.get_coordinates(shapely.segmentize(shapely.boundary(cells), apart)), axis=0)
    above = shapely.linestrings(np.stack([places, np.column_stack([places[:, 0], np.full(len(places), top - 1.0)])], 1))
    return np.asarray(places[shapely.length(shapely.intersection(above, cells)) < FLAT])


def _room(width: float, places: Floats, frame: float) -> shapely.Geometry | None:
    """Where a board with some places on its rim can be moved to be within a heart of a width; None for nowhere."""
    inside = shapely.simplify(shapely.buffer(polygon_of(heart(width, TALL * width)), -frame), CHORDS)
    if inside.is_empty:
        return None
    rim = shapely.get_coordinates(shapely.get_exterior_ring(inside))
    room: shapely.Geometry | None = None
    for place in places:
        there = shapely.Polygon(rim - place)
        room = there if room is None else shapely.intersection(room, there)
        if room.is_empty:
            return None
    return room
