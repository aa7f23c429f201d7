"""Placement of figures: problems that keep a figure from becoming a piece, and the nearest place where it fits.

Figures that may touch share a cut where they meet, and one that may reach the border ends there or lies beyond it.
Detail cuts of a cut-out follow strong lines of the picture inside it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from studio.checks.finding import Finding, Problem, errors_of
from studio.geometry.board.inlays import TOLERANCE
from studio.geometry.board.outline import Outline
from studio.geometry.curves.fitting import fitted
from studio.geometry.curves.offsetting import narrow_notch, region, thin_part, thin_place
from studio.geometry.curves.strokes import Floats, Polylines
from studio.puzzles.jigsaw import check_problems
from studio.puzzles.jigsaw.figures.silhouettes import Figure
from studio.puzzles.jigsaw.figures.whimsies import INSIDE, STICKS_OUT, Whimsy

if TYPE_CHECKING:
    import shapely

    from studio.base.progress import Progress
    from studio.puzzles.jigsaw.model.design import JigsawDesign

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


def may_touch(one: Whimsy, other: Whimsy) -> bool:
    """True if two figures may share a cut; one that may touch others is enough."""
    return one.touches or other.touches


def from_front(whimsies: Sequence[Whimsy]) -> list[Whimsy]:
    """Sort figures: those in front of others come first."""
    return sorted(whimsies, key=lambda one: (-one.level, one.name))


def reaches_border(one: Whimsy, outline: Outline) -> bool:
    """True if a figure that may reach the border does."""
    import shapely

    return one.border != INSIDE and not shapely.contains_properly(outline.region, enclosed(one))


def clusters(figures: Sequence[Whimsy], outline: Outline) -> list[tuple[tuple[Whimsy, ...], bool]]:
    """Group figures that share cuts, and tell whether they reach the border; groups are in the order of their first."""
    groups: list[list[Whimsy]] = []
    for one in figures:
        near = [
            group for group in groups
            if any(may_touch(one, other) and enclosed(one).distance(enclosed(other)) <= TOLERANCE for other in group)
        ]  # fmt: skip
        for group in near[1:]:
            near[0] += group
            groups.remove(group)
        if near:
            near[0].append(one)
        else:
            groups.append([one])
    return [(tuple(group), any(reaches_border(one, outline) for one in group)) for group in groups]


def misplaced(whimsies: Sequence[Whimsy], outline: Outline, wall: float, neck: float) -> list[Finding]:
    """Find all problems that keep figures from becoming pieces; `wall` and `neck` are least widths in mm.

    The only cell of a finding is the name of the figure to move or scale.
    """
    import shapely

    board, border = outline.region, shapely.boundary(outline.region)
    regions = [enclosed(one) for one in whimsies]
    findings = []
    for one, covered in zip(whimsies, regions, strict=True):
        findings += (_alone if one.border == INSIDE else _at_border)(one, covered, board, border, wall)
        findings += _too_thin(one, wall, neck)
    tree = shapely.STRtree(regions)
    pairs = tree.query(regions, predicate="dwithin", distance=wall).T if regions else []
    for first, second in sorted((int(a), int(b)) for a, b in pairs if a < b):
        pair = whimsies[first], whimsies[second], regions[first], regions[second], wall
        findings += _touching(*pair) if may_touch(*pair[:2]) else _together(*pair)
    return findings


def placeable(whimsies: Sequence[Whimsy], outline: Outline, wall: float) -> tuple[Whimsy, ...]:
    """Choose the figures that can become pieces, in order; if two are in each other's way, keep the first."""
    kept: tuple[Whimsy, ...] = ()
    for one in whimsies:
        if not errors_of(misplaced((*kept, one), outline, wall, 0.0)):
            kept = (*kept, one)
    return kept


def fitting(
    moved: Sequence[Whimsy],
    others: Sequence[Whimsy],
    outline: Outline,
    wall: float,
    reach: float = 0.0,
    *,
    is_apart: bool = False,
) -> tuple[Whimsy, ...] | None:
    """Move figures together to the nearest place that leaves walls to the border and to other figures.

    Places are tried up to the height of the first figure or `reach` mm, if larger; None if no place fits. Figures that
    may touch others or reach the border need no wall there, unless `is_apart`.
    """
    import shapely

    touches = any(may_touch(one, other) for one in moved for other in (*others, *moved) if other is not one)
    if not is_apart and (touches or any(one.border != INSIDE for one in moved)):
        return _fitting_freely(moved, others, outline, wall, reach)
    room = room_for(others, outline, wall)
    shapely.prepare(room)
    covered = shapely.union_all([enclosed(one) for one in moved])
    ways = _ways(moved[0].pose.height, reach)
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


def _ways(height: float, reach: float) -> Floats:
    """Moves to try, shape (k, 2), none first and then ever further, up to a height or a reach in mm."""
    step = max(STEP, height / NUDGES)
    away = step * np.arange(1, max(NUDGES, math.ceil(reach / step)) + 1)
    return np.concatenate([np.zeros((1, 2)), (away[:, None, None] * DIRECTIONS).reshape(-1, 2)])


def _fitting_freely(
    moved: Sequence[Whimsy], others: Sequence[Whimsy], outline: Outline, wall: float, reach: float
) -> tuple[Whimsy, ...] | None:
    """Fit figures of which some may touch others or reach the border, like `fitting`."""
    import shapely

    tree = shapely.STRtree([enclosed(one) for one in others])
    for right, down in _ways(moved[0].pose.height, reach).tolist():
        placed = tuple(one.posed(x=one.pose.x + right, y=one.pose.y + down) for one in moved)
        names = {one.name for one in placed}
        met = tree.query([enclosed(one) for one in placed], predicate="dwithin", distance=wall)[1]
        near = [others[at] for at in np.unique(met).tolist()]
        found = errors_of(misplaced([*near, *placed], outline, wall, 0.0))
        if not any(names.intersection(finding.cells) for finding in found):
            return placed
    return None


def _at_border(
    one: Whimsy, covered: shapely.Polygon, board: shapely.Geometry, border: shapely.Geometry, wall: float
) -> list[Finding]:
    """Find problems between the board and a figure that may reach its border."""
    import shapely

    if shapely.contains_properly(board, covered):
        return _alone(one, covered, board, border, wall)
    part, rest = shapely.intersection(covered, board), shapely.difference(board, covered)
    if (share := float(shapely.area(part) / shapely.area(board))) > LARGEST_SHARE:
        return [_found(check_problems.FIGURE_COVERS, part, one, share=share, most=LARGEST_SHARE)]
    if shapely.length(shapely.intersection(shapely.boundary(covered), board)) < wall or shapely.area(part) < wall**2:
        place = shapely.get_point(shapely.shortest_line(board, covered), 0)
        return [_found(check_problems.FIGURE_BEYOND, place, one)]
    parts = [each for each in shapely.get_parts(rest) if shapely.area(each) > TOLERANCE]
    if len(parts) > len(shapely.get_parts(board)):
        return [_found(check_problems.FIGURE_SPLITS, min(parts, key=shapely.area), one)]
    if one.border == STICKS_OUT:
        whole = shapely.union(board, covered)
        gaps = shapely.difference(
            shapely.union_all(shapely.polygons(shapely.get_exterior_ring(shapely.get_parts(whole)))), whole
        )
        gaps = shapely.difference(
            gaps, shapely.union_all(shapely.polygons(shapely.get_exterior_ring(shapely.get_parts(board))))
        )
        if shapely.area(gaps) > TOLERANCE:
            return [_found(check_problems.FIGURE_SPLITS, gaps, one)]
    return []


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


def _touching(
    one: Whimsy, other: Whimsy, covered: shapely.Polygon, beside: shapely.Polygon, wall: float
) -> list[Finding]:
    """Find problems between two figures that may share a cut; `other` is the figure to move."""
    import shapely

    gap = float(shapely.distance(covered, beside))
    if gap > TOLERANCE:
        return _together(one, other, covered, beside, wall)
    front, back = (covered, beside) if from_front([one, other])[0] is one else (beside, covered)
    hidden = other if back is beside else one
    left = shapely.difference(back, front)
    if shapely.area(left) < wall**2:
        return [_found(check_problems.FIGURE_HIDDEN, shapely.intersection(back, front), hidden,
                       first=(one if hidden is other else other).name)]  # fmt: skip
    shared = shapely.intersection(shapely.boundary(front), shapely.buffer(back, TOLERANCE))
    if shapely.length(shared) < wall:
        return [_found(check_problems.FIGURES_CLOSE, shared, other, first=one.name, gap=gap, least=wall)]
    return []


def thin_between(whimsies: Sequence[Whimsy], outline: Outline, wall: float, neck: float) -> list[Finding]:
    """Find thin wood that figures leave of each other, of the board between them, and at its border."""
    import shapely

    findings = []
    for group, at_border in clusters(whimsies, outline):
        if len(group) < 2 and not at_border:
            continue
        regions, left = [enclosed(one) for one in from_front(group)], list[tuple[Whimsy, shapely.Geometry]]()
        for at, one in enumerate(from_front(group)):
            region = shapely.difference(regions[at], shapely.union_all(regions[:at]))
            region = region if one.border == STICKS_OUT else shapely.intersection(region, outline.region)
            left.append((one, region))
        for one, region in left:
            cut = shapely.area(region) < shapely.area(enclosed(one)) - TOLERANCE
            place = thin_place(region, neck) if cut and neck else None
            if place is not None:
                findings.append(
                    check_problems.FIGURE_THIN.finding(place, cells=[one.name], figure=one.name, least=neck)
                )
        whole = shapely.union_all(regions)
        near = shapely.envelope(shapely.buffer(whole, 4 * wall))
        between = shapely.difference(shapely.intersection(outline.region, near) if at_border else near, whole)
        place = thin_place(between, wall) if wall else None
        if place is not None and not any(
            _thin_places(one.shape, 0.0, wall / one.pose.height)[1] is not None for one in group
        ):
            x, y = place.tolist()
            nearest = min(left, key=lambda each: float(shapely.distance(enclosed(each[0]), shapely.Point(x, y))))[0]
            findings.append(
                check_problems.FIGURE_WEDGE.finding((x, y), cells=[nearest.name], figure=nearest.name, least=wall)
            )
    return findings


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


@lru_cache(256)
def parts_on_board(one: Whimsy) -> tuple[shapely.Polygon, ...]:
    """Regions of a figure's own pieces on the board."""
    import shapely

    return tuple(shapely.transform(np.array(one.shape.parts, object), one.pose.placed))


# Detail cuts of a cut-out, along lines of the picture

MOST_INNER = 12
SHORTEST, WEAKLY = 0.08, 1.6
"""Shortest inner line, as a fraction of the side of a square as large as the cut-out, if it is 0.6 times as strong as
the strongest; and how many times as long the weakest must be."""
APART = 0.028
"""Distance of inner lines from each other and from the outline, likewise, if it is more than wood needs."""
TRIMS = 12
"""Limit for the times that an inner line which all but divides its piece is shortened, by a neck each time."""
INNER_FIT = 0.1
"""How far in mm the curves of an inner line may be from it."""


def inner_lines(design: JigsawDesign, ring: Floats, progress: Progress) -> tuple[Floats, ...]:
    """Strong lines of the picture inside an outline in mm, the strongest first: cubics in mm, shape (3k + 1, 2).

    They keep apart from the outline and from each other. Whatever they part, wide bridges join.
    """
    import shapely
    import shapely.ops

    from studio.puzzles.jigsaw.picture.colour_lines import ways

    area, p = region((ring,), INNER_FIT), design.parameters
    if design.picture is None or not area.is_valid:
        return ()
    side = math.sqrt(area.area)
    apart = max(2 * p.least_bridge, p.least_neck + p.least_bridge, APART * side)
    free = shapely.buffer(area, -apart - 2 * INNER_FIT)
    if free.is_empty:
        return ()
    found, solid = list[Floats](), shapely.buffer(area, -apart)
    bits = _bits(solid, apart)
    for path, strength in ways(design, free, progress):
        least = max(SHORTEST * side * (WEAKLY - strength), 2.5 * apart)
        line = shapely.LineString(path)
        if line.length < least:
            continue
        line = _open(_longest_part(shapely.intersection(line, free)), apart)
        for _ in range(TRIMS):
            rest = shapely.difference(solid, shapely.buffer(line, apart))
            if line.length < least or _bits(rest, apart) <= bits:
                break
            line = shapely.ops.substring(line, apart / 2, line.length - apart / 2)
        else:
            continue
        if line.length < least:
            continue
        found.append(shapely.get_coordinates(line))
        solid, bits = rest, _bits(rest, apart)
        free = shapely.difference(free, shapely.buffer(line, apart + 2 * INNER_FIT))
        if len(found) == MOST_INNER:
            break
    if not found:
        return ()
    starts = np.cumsum([0, *map(len, found)])
    curves = fitted(Polylines(np.concatenate(found), starts), INNER_FIT, INNER_FIT)
    return tuple(curves[at] for at in range(len(found)))


def _bits(area: shapely.Geometry, apart: float) -> int:
    """Count the parts of an area that are large enough to want a wide bridge."""
    import shapely

    return int((shapely.area(shapely.get_parts(area)) > 4 * apart**2).sum())


def _longest_part(lines: shapely.Geometry) -> shapely.LineString:
    import shapely

    parts = [each for each in shapely.get_parts(lines) if isinstance(each, shapely.LineString)]
    return max(parts, key=lambda each: each.length, default=shapely.LineString())


def _open(line: shapely.LineString, apart: float) -> shapely.LineString:
    """Keep the longest stretch of a line that does not come back to itself."""
    import shapely

    points = shapely.get_coordinates(line)
    if len(points) < 2:
        return line
    walked = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    steps = points[:, None] - points
    back = (np.hypot(steps[..., 0], steps[..., 1]) < apart) & (walked[:, None] - walked > 2 * apart)
    # The first place from which each place may be reached.
    first = np.maximum.accumulate(np.where(back, np.arange(1, len(points) + 1), 0).max(axis=1))
    last = int((walked - walked[np.minimum(first, len(points) - 1)]).argmax())
    kept_points = points[first[last] : last + 1]
    return shapely.LineString(kept_points if len(kept_points) > 1 else None)
