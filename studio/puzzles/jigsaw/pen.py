"""A pen that draws cuts: the places to which it snaps, the curve of a stroke, and the handles that shape it.

node: an inner knot of a drawn edge, numbered from 1, where two of its cubics meet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.curves.strokes import Floats, split_at_knots, through
from studio.geometry.planar.arrangement import knots_near, places_at
from studio.geometry.planar.drawing import nearest_point
from studio.puzzles.jigsaw.model.design import JigsawDesign, TongueEdit
from studio.puzzles.jigsaw.model.drawn_cuts import cut_along, is_whole, smooth, with_edge_redrawn
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.kind import Generated
from studio.puzzles.named_edits import indices_of

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


def with_tongued_cut(design: JigsawDesign, progress: Progress, line: Floats) -> Generated[JigsawDesign]:
    """Draw a cut (3k + 1, 2) in mm like `with_cut`; its straight edges get tongues, the longest first, where these
    bring no new problem."""
    from studio.puzzles.jigsaw.remedies import Move
    from studio.puzzles.jigsaw.repair_search import CheckedBoard, is_worse

    made, straight = cut_along(design, progress.part(0.0, 0.6), line)
    board = CheckedBoard.from_design(made.design, progress.part(0.6, 0.9))
    lengths = board.shapes.drawing.strokes.lengths[indices_of(board.shapes.tiling.edge_indices, straight)]
    for at, name in enumerate(np.array(straight)[np.argsort(-lengths, kind="stable")].tolist()):
        progress.step(0.9 + 0.1 * at / len(straight))
        trial = board.after([Move((), tongues=(TongueEdit(name, plain=False),))])
        board = board if is_worse(board, trial) else trial
    progress.step(1.0)
    return replace(made, design=board.design)


# Handles of a drawn edge: the control points between its ends

MOST_HANDLES = 60
"""Limit for the handles of an edge; one with more is redrawn."""
SMOOTH = np.radians(2.0)
"""Largest turn in radians of a curve at a smooth knot."""
NEAR, APART = 1.0, 0.1
"""Largest distance in mm from an edge, or a node of it, to a place that is written, and least distance of two nodes."""
SAMPLES, ROUNDS = 24, 8
"""Places on each of two cubics to which one is fitted, and rounds in which these are projected onto it."""
SHORTEST = 0.02
"""Least length of a fitted handle, as a fraction of the chord."""


def handles_of(shapes: JigsawShapes, edge: int) -> Floats:
    """Places (k, 2) in mm of the handles of a drawn cut; none for a tongue, beside a figure, or if too many."""
    if not shapes.drawn[edge] or not is_whole(shapes, edge):
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


def with_node(curve: Floats, place: Floats) -> Floats:
    """Add a node to a curve (3k + 1, 2), where it is nearest to a place in mm; the curve stays as it is.

    Raise StudioError if a node or an end is there already, or there are too many.
    """
    knots, _ = knots_near(curve, place[None])
    if np.hypot(*(curve[::3] - places_at(curve, knots)).T).min() < APART:
        raise StudioError(tr("There is a node or a corner already."))
    if len(curve) + 1 > MOST_HANDLES:
        raise StudioError(tr("The edge has too many nodes for another one; redraw it instead."))
    before, after = split_at_knots(curve, knots.tolist())
    return np.concatenate([before, after[1:]])


def without_node(curve: Floats, node: int) -> Floats:
    """Remove a node of a curve (3k + 1, 2): one cubic replaces the two that meet there.

    It leaves the nodes or corners on either side in the directions of before, and is as near to the two as can be.
    """
    part = curve[3 * node - 3 : 3 * node + 4]
    shares = np.linspace(0, 1, SAMPLES + 1)
    places = places_at(part, np.concatenate([shares, 1 + shares[1:]]))
    # At the share at which one cubic was split into two, the fit gives back that cubic.
    arms = np.hypot(*(part[[2, 4]] - part[3]).T)
    share = float(np.clip(arms[0] / max(arms.sum(), 1e-12), SHORTEST, 1 - SHORTEST))
    knots = np.concatenate([share * shares, share + (1 - share) * shares[1:]])
    least, cubic = np.inf, part[[0, 1, 5, 6]]
    for _ in range(ROUNDS):
        gap, fitted = _fitted(part, places, knots)
        if gap < least:
            least, cubic = gap, fitted
        knots = knots_near(fitted, places)[0]
    return np.concatenate([curve[: 3 * node - 2], cubic[1:-1], curve[3 * node + 3 :]])


def _fitted(part: Floats, places: Floats, knots: Floats) -> tuple[float, Floats]:
    """The cubic (4, 2) with the ends and end directions of a curve that is nearest to places (k, 2) at knots (k,), and
    the sum of the squares of their distances there."""
    first, last = part[0], part[-1]
    out, back = (
        next((_unit(way) for way in ways if np.hypot(*way) > 1e-9), np.zeros(2))
        for ways in (part[1:] - first, part[-2::-1] - last)
    )
    t = knots[:, None]
    weights = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3
    rest = places - (weights[0] + weights[1]) * first - (weights[2] + weights[3]) * last
    columns = np.stack([(weights[1] * out).ravel(), (weights[2] * back).ravel()], 1)
    lengths = np.linalg.lstsq(columns, rest.ravel(), rcond=None)[0]
    least = SHORTEST * float(np.hypot(*(last - first)))
    one, two = np.maximum(lengths, least).tolist()
    made = np.stack([first, first + one * out, last + two * back, last])
    return float(((np.hstack(weights) @ made - places) ** 2).sum()), made


def with_node_at(design: JigsawDesign, progress: Progress, name: str, x: float, y: float) -> JigsawDesign:
    """Add a node to an edge near a place in mm; a board of another tiling is converted first."""
    curve, place = _curve_of(design, progress, name), np.array([x, y])
    (near,) = places_at(curve, knots_near(curve, place[None])[0]).tolist()
    _refuse_far(near, place)
    return with_edge_redrawn(design, progress, name=name, curve=with_node(curve, place))


def without_node_at(design: JigsawDesign, progress: Progress, name: str, x: float, y: float) -> JigsawDesign:
    """Remove the node of an edge near a place in mm; a board of another tiling is converted first."""
    curve, place = _curve_of(design, progress, name), np.array([x, y])
    nodes = curve[3:-1:3]
    if not len(nodes):
        raise StudioError(tr("The edge {name} has no node.", name=name))
    node = int(np.hypot(*(nodes - place).T).argmin())
    _refuse_far(nodes[node].tolist(), place)
    return with_edge_redrawn(design, progress, name=name, curve=without_node(curve, node + 1))


def _curve_of(design: JigsawDesign, progress: Progress, name: str) -> Floats:
    shapes = shape(design, None, progress)
    (edge,) = indices_of(shapes.tiling.edge_indices, [name])
    return shapes.drawing.strokes[edge]


def _refuse_far(near: Sequence[float], place: Floats) -> None:
    if np.hypot(*(place - near)) > NEAR:
        raise StudioError(tr("The nearest place is {x:.1f},{y:.1f}.", x=near[0], y=near[1]))
