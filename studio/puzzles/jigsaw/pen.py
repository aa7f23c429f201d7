"""A pen that draws cuts: the places to which it snaps, and the curve of a stroke."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from studio.geometry.curves.strokes import Floats, through
from studio.geometry.planar.arrangement import knots_near, places_at
from studio.geometry.planar.drawing import nearest_point
from studio.puzzles.jigsaw.model.drawn_cuts import smooth
from studio.puzzles.jigsaw.model.geometry import JigsawShapes

CORNER, CUT, SQUARE, TANGENT, FREE = "corner", "cut", "square", "tangent", "free"
"""What holds a spot: a corner, any place of a cut or the border, the foot of a perpendicular on it, the direction of a
cut that ends where the pen began, or nothing."""


@dataclass(frozen=True)
class Spot:
    """A place of the pen in mm, and what holds it."""

    x: float
    y: float
    held: str = FREE

    @staticmethod
    def at(place: Floats, held: str = FREE) -> Spot:
        """Make the spot of a place, shape (2,)."""
        x, y = place.tolist()
        return Spot(x, y, held)

    @property
    def is_on_cut(self) -> bool:
        """True if a cut can begin and end here."""
        return self.held in (CORNER, CUT, SQUARE)

    @property
    def place(self) -> Floats:
        """The place, shape (2,)."""
        return np.array([self.x, self.y])


def snapped(shapes: JigsawShapes, x: float, y: float, reach: float, before: Spot | None = None) -> Spot:
    """Snap a place in mm to the nearest corner within `reach` mm, or else to a cut or the border.

    From the spot `before`, a cut is met at a right angle if that is within reach, too; away from all cuts, a cut that
    ends there is continued.
    """
    graph = shapes.tiling.graph
    used = np.unique(graph.edges[graph.inner_edges])
    corners = shapes.corners[used]
    at = nearest_point(corners, x, y, reach)
    if at is not None:
        return Spot.at(corners[at], CORNER)
    stroke, here = shapes.picker.nearest_stroke(x, y, reach), np.array([x, y])
    if stroke is None:
        return _continued(shapes, here, reach, before)
    curve = shapes.drawing.strokes[stroke]
    (near,) = places_at(curve, knots_near(curve, here[None])[0])
    if before is not None:
        (foot,) = places_at(curve, knots_near(curve, before.place[None])[0])
        is_inner = min(np.hypot(*(curve[[0, -1]] - foot).T)) > reach
        if is_inner and np.hypot(*(foot - here)) <= 2 * reach:
            return Spot.at(foot, SQUARE)
    return Spot.at(near, CUT)


def _continued(shapes: JigsawShapes, here: Floats, reach: float, before: Spot | None) -> Spot:
    """Snap a place to the line on which a cut, or its normal, leads on from the spot before."""
    if before is not None and before.is_on_cut:
        way = here - before.place
        for out in _ways_on(shapes, before):
            along = float(way @ out)
            if along > reach and np.hypot(*(way - along * out)) <= reach:
                return Spot.at(before.place + along * out, TANGENT)
    return Spot.at(here)


def _ways_on(shapes: JigsawShapes, spot: Spot) -> list[Floats]:
    """Unit directions in which cuts lead on from their ends at a spot; at other places of a cut, square to it."""
    strokes, graph = shapes.drawing.strokes, shapes.tiling.graph
    if spot.held == CORNER:
        corner = int(np.hypot(*(shapes.corners - spot.place).T).argmin())
        curves = [strokes[edge] for edge in graph.edges_at(np.array([corner])).tolist()]
        turned = [curve if np.hypot(*(curve[-1] - spot.place)) < 1e-6 else curve[::-1] for curve in curves]
        return [_unit(curve[-1] - curve[-2]) for curve in turned]
    stroke = shapes.picker.nearest_stroke(spot.x, spot.y, 0.1)
    if stroke is None:
        return []
    (knot,) = knots_near(strokes[stroke], spot.place[None])[0]
    before, after = places_at(strokes[stroke], np.array([knot - 1e-3, knot + 1e-3]))
    across = _unit(after - before)[::-1] * (1, -1)
    return [across, -across]


def _unit(way: Floats) -> Floats:
    return np.asarray(way / max(float(np.hypot(*way)), 1e-12))


def stroke_through(spots: Sequence[Spot], *, is_smooth: bool) -> Floats:
    """The curve (3k + 1, 2) of a cut through spots."""
    points = np.array([(spot.x, spot.y) for spot in spots])
    return smooth(points) if is_smooth else through(points)


def drawn_by_hand(trail: Floats, first: Spot, last: Spot, pixel: float) -> Floats:
    """The curve (3k + 1, 2) of a stroke drawn along a trail (k, 2) of the mouse, without its steps of a pixel in mm."""
    import shapely

    points = np.concatenate([[first.place], trail[1:-1], [last.place]])
    calm = points.copy()
    for _ in range(2):
        calm[1:-1] = (calm[:-2] + 2 * calm[1:-1] + calm[2:]) / 4
    return smooth(shapely.get_coordinates(shapely.simplify(shapely.linestrings(calm), pixel)))


# Handles of a drawn edge: the control points between its ends

MOST_HANDLES = 60
"""Limit for the handles of an edge; one with more is redrawn."""
SMOOTH = np.radians(2.0)
"""Largest turn in radians of a curve at a smooth knot."""


def handles_of(shapes: JigsawShapes, edge: int) -> Floats:
    """Places (k, 2) in mm of the handles of an edge on a board of drawn cuts; none for a tongue, or if too many."""
    if shapes.tiling.drawn is None or not shapes.drawn[edge]:
        return np.empty((0, 2))
    points = shapes.drawing.strokes[edge][1:-1]
    return points if len(points) <= MOST_HANDLES else np.empty((0, 2))


def pulled(curve: Floats, handle: int, right: float, down: float) -> Floats:
    """Move a handle of a curve (3k + 1, 2) by some mm; at smooth knots the curve stays smooth."""
    points, at, by = curve.copy(), handle + 1, np.array([right, down])
    if at % 3 == 0:
        points[at - 1 : at + 2] += by
        return points
    points[at] += by
    knot, other = (at + 1, at + 2) if at % 3 == 2 else (at - 1, at - 2)
    if 0 < knot < len(points) - 1:
        (x, y), (u, v) = curve[knot] - curve[at], curve[other] - curve[knot]
        if abs(np.arctan2(x * v - y * u, x * u + y * v)) <= SMOOTH:
            points[other] = points[knot] + np.hypot(u, v) * _unit(points[knot] - points[at])
    return points
