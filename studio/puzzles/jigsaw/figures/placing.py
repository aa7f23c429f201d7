"""Placement of figures: problems that keep a figure from becoming a piece, and the nearest place where it fits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from studio.checks.finding import Finding, Problem, errors_of
from studio.geometry.board.outline import Outline
from studio.geometry.curves.offsetting import narrow_notch, region, thin_part
from studio.geometry.curves.strokes import Floats
from studio.puzzles.jigsaw import check_problems
from studio.puzzles.jigsaw.figures.silhouettes import Figure
from studio.puzzles.jigsaw.figures.whimsies import Whimsy

if TYPE_CHECKING:
    import shapely

FLATTENING = 0.01
"""Largest deviation in mm of the polygons that stand for figures."""
LARGEST_SHARE = 0.6
"""Largest share of the board that a figure may cover."""
NUDGES, ROUND = 40, 24
"""Least number of distances tried for a figure, and number of directions at each."""
DIRECTIONS = np.stack([np.cos(np.arange(ROUND) * math.tau / ROUND), np.sin(np.arange(ROUND) * math.tau / ROUND)], 1)
"""Unit vectors, shape (24, 2)."""
STEP = 1.0
"""Least step in mm between distances."""
ROUNDED = 1.005
"""Factor that widens walls here: buffered corners are chords, which lie inside the arc by less than this."""


def misplaced(whimsies: Sequence[Whimsy], outline: Outline, wall: float, neck: float) -> list[Finding]:
    """Find all problems that keep figures from becoming pieces; `wall` and `neck` are least widths in mm.

    The only cell of a finding is the name of the figure to move or scale.
    """
    import shapely

    board, border = outline.region, shapely.boundary(outline.region)
    regions = [enclosed(one) for one in whimsies]
    findings = []
    for one, covered in zip(whimsies, regions, strict=True):
        findings += _alone(one, covered, board, border, wall)
        findings += _too_thin(one, wall, neck)
    tree = shapely.STRtree(regions)
    pairs = tree.query(regions, predicate="dwithin", distance=wall).T if regions else []
    for first, second in sorted((int(a), int(b)) for a, b in pairs if a < b):
        findings += _together(whimsies[first], whimsies[second], regions[first], regions[second], wall)
    return findings


def placeable(whimsies: Sequence[Whimsy], outline: Outline, wall: float) -> tuple[Whimsy, ...]:
    """Choose the figures that can become pieces, in order; if two are in each other's way, keep the first."""
    kept: tuple[Whimsy, ...] = ()
    for one in whimsies:
        if not errors_of(misplaced((*kept, one), outline, wall, 0.0)):
            kept = (*kept, one)
    return kept


def fitting(
    moved: Sequence[Whimsy], others: Sequence[Whimsy], outline: Outline, wall: float, reach: float = 0.0
) -> tuple[Whimsy, ...] | None:
    """Move figures together to the nearest place that leaves walls to the border and to other figures.

    Places are tried up to the height of the first figure or `reach` mm, if larger; None if no place fits.
    """
    import shapely

    room = room_for(others, outline, wall)
    shapely.prepare(room)
    covered = shapely.union_all([enclosed(one) for one in moved])
    step = max(STEP, moved[0].pose.height / NUDGES)
    away = step * np.arange(1, max(NUDGES, math.ceil(reach / step)) + 1)
    ways = np.concatenate([np.zeros((1, 2)), (away[:, None, None] * DIRECTIONS).reshape(-1, 2)])
    inner, outer = shapely.bounds(covered), shapely.bounds(room)
    low, high = outer[:2] - inner[:2], outer[2:] - inner[2:]
    for right, down in ways[((ways >= low) & (ways <= high)).all(1)].tolist():
        if shapely.contains(room, shapely.transform(covered, lambda at, by=(right, down): at + by)):
            return tuple(one.posed(x=one.pose.x + right, y=one.pose.y + down) for one in moved)
    return None


def room_for(others: Sequence[Whimsy], outline: Outline, wall: float) -> shapely.Geometry:
    """Region of the board for another figure, with walls of a width in mm to the border and to other figures."""
    import shapely

    around = [shapely.buffer(enclosed(one), ROUNDED * wall) for one in others]
    return shapely.difference(shapely.buffer(outline.region, -ROUNDED * wall), shapely.union_all(around))


def _alone(
    one: Whimsy, covered: shapely.Polygon, board: shapely.Geometry, border: shapely.Geometry, wall: float
) -> list[Finding]:
    """Find problems between a figure and the board."""
    import shapely

    size = float(shapely.area(board))
    if shapely.area(covered) > LARGEST_SHARE * size:
        place = shapely.intersection(covered, board)
        share = float(shapely.area(place)) / size
        if share > LARGEST_SHARE:
            return [_found(check_problems.FIGURE_COVERS, place, one, share=share, most=LARGEST_SHARE)]
    if not shapely.contains_properly(board, covered):
        met = shapely.intersection(border, covered)
        place = shapely.get_point(shapely.shortest_line(board, covered), 0) if shapely.is_empty(met) else met
        return [_found(check_problems.FIGURE_BEYOND, place, one)]
    gap = float(shapely.distance(covered, border))
    if gap < wall:
        return [
            _found(check_problems.FIGURE_AT_BORDER, shapely.shortest_line(covered, border), one, gap=gap, least=wall)
        ]
    return []


def _together(
    one: Whimsy, other: Whimsy, covered: shapely.Polygon, beside: shapely.Polygon, wall: float
) -> list[Finding]:
    """Find problems between two figures; `other` is the figure to move."""
    import shapely

    if shapely.intersects(covered, beside):
        place = shapely.intersection(covered, beside)
        return [_found(check_problems.FIGURES_OVERLAP, place, other, first=one.name)]
    gap = float(shapely.distance(covered, beside))
    if gap >= wall:
        return []
    place = shapely.shortest_line(covered, beside)
    return [_found(check_problems.FIGURES_CLOSE, place, other, first=one.name, gap=gap, least=wall)]


def _too_thin(one: Whimsy, wall: float, neck: float) -> list[Finding]:
    thin, notch = _thin_places(one.shape, neck / one.pose.height, wall / one.pose.height)
    return [
        problem.finding(one.pose.placed(place[None])[0], cells=[one.name], figure=one.name, least=least)
        for problem, place, least in (
            (check_problems.FIGURE_THIN, thin, neck),
            (check_problems.FIGURE_NOTCH, notch, wall),
        )
        if place is not None
    ]


@lru_cache(256)
def _thin_places(shape: Figure, neck: float, wall: float) -> tuple[Floats | None, Floats | None]:
    """Place where a figure 1 high is thinner than a neck, and place where a notch is narrower than a wall."""
    return thin_part(shape.rings, neck) if neck else None, narrow_notch(shape.rings, wall) if wall else None


def _found(problem: Problem, place: shapely.Geometry, one: Whimsy, **values: Any) -> Finding:
    """Report a problem of a figure in the middle of a place; its only cell is the figure's name."""
    import shapely

    x, y = shapely.get_coordinates(shapely.centroid(place))[0].tolist()
    return problem.finding((x, y), cells=[one.name], figure=one.name, **values)


@lru_cache(256)
def enclosed(one: Whimsy) -> shapely.Polygon:
    """Region of a figure on the board, holes filled: their contents are not pieces of the board."""
    return region(one.on_board()[:1], FLATTENING)
