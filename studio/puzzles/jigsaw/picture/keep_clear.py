"""Tongues and corners in the protected area of a board, and the places where a corner could leave it.

knob: the part of a cut far from the straight line between its corners; the rest of the cut may cross the area.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import shapely

from studio.base.progress import Progress, lazy
from studio.base.texts import tr
from studio.checks.finding import Finding, Problem, Repair
from studio.geometry.board.tiling import FIXED
from studio.geometry.curves.strokes import Curves, Floats, Ints, Polylines, offsets, ranges
from studio.puzzles.jigsaw import check_problems
from studio.puzzles.jigsaw.model.design import CornerEdit, JigsawDesign
from studio.puzzles.jigsaw.model.tiling import lost_edits
from studio.puzzles.jigsaw.picture.masks import Mask, Placement, placement

if TYPE_CHECKING:
    from studio.puzzles.jigsaw.model.geometry import JigsawShapes

_cleared = lazy("studio.puzzles.jigsaw.repair_search:cleared")
FAR = 0.35
"""Share of a cut's greatest distance from the straight line above which the cut is part of the knob."""
FLATTENING = 0.05
"""Largest deviation in mm of measured lines from the cuts."""
WAYS = 16
"""Directions in which a corner may leave the area."""
REACH = 0.8
"""Largest move of a corner out of the area, in widths of a usual piece."""
MARGIN = 0.3
"""Distance in mm by which it moves beyond the area."""
MOST_WAYS = 5
AROUND = np.array([(along, across) for along in (0.3, 0.5, 0.7) for across in (-0.3, -0.15, 0.15, 0.3)])
"""Places that a knob may reach, along its edge and at right angles to it, in its lengths."""


def is_same_area(one: JigsawDesign, other: JigsawDesign) -> bool:
    """True if two boards of the same size have the same protected and uncut areas."""
    return all(
        mine is its is None
        or (mine is not None and its is not None and mine == its and _placed(one, mine) == _placed(other, its))
        for mine, its in ((one.mask, other.mask), (one.uncut, other.uncut))
    )


def _placed(design: JigsawDesign, mask: Mask) -> Placement:
    return placement(mask, design.picture, design.size)


def in_area(shapes: JigsawShapes, strokes: Ints) -> list[Finding]:
    """Find knobs of strokes, and corners at their ends, in the protected area, and cuts through the uncut area."""
    mask, uncut = shapes.design.mask, shapes.design.uncut
    cuts = [] if uncut is None or not len(strokes) else _cuts(shapes, strokes, uncut)
    if mask is None or not len(strokes):
        return cuts
    placed = _placed(shapes.design, mask)
    found = cuts + _knobs(shapes, strokes, mask, placed) + _corners(shapes, strokes, mask, placed)
    return found + _figure_tongues(shapes, strokes, mask, placed) if shapes.tiling.figure_tongues else found


def _cuts(shapes: JigsawShapes, strokes: Ints, uncut: Mask) -> list[Finding]:
    """Find cuts between two pieces that enter the uncut area."""
    placed, findings = _placed(shapes.design, uncut), list[Finding]()
    some = strokes[shapes.tiling.is_inner[strokes] & _near(shapes, strokes, uncut, placed)]
    if not len(some):
        return []
    lines = shapes.drawing.strokes.chosen(some).flattened(FLATTENING)
    own = shapely.linestrings(placed.from_board(lines.points), indices=lines.owners)
    for at in np.flatnonzero(shapely.intersects(uncut.region, own)).tolist():
        within, name = shapely.intersection(uncut.region, own[at]), shapes.tiling.edge_name(int(some[at]))
        (place,) = placed.on_board(shapely.get_coordinates(shapely.point_on_surface(within)))
        merging = Repair(tr("Merge pieces"), partial(_merged, name), lost_edits)
        share = round(float(shapely.length(within) / max(float(shapely.length(own[at])), 1e-12)), 6)
        findings.append(
            check_problems.UNCUT.finding(place, strokes=[int(some[at])], shortfall=share, repair=merging, cut=name)
        )
    return findings


def _merged(cut: str, design: JigsawDesign, progress: Progress) -> JigsawDesign:
    from studio.puzzles.jigsaw.model.edits import with_pieces_merged

    return with_pieces_merged(design, [cut], progress).design


def _figure_tongues(shapes: JigsawShapes, strokes: Ints, mask: Mask, placed: Placement) -> list[Finding]:
    """Find figures' tongues on some strokes in the protected area."""
    from studio.puzzles.jigsaw.figure_checks import reshaping
    from studio.puzzles.jigsaw.figures.tongues import on_cuts

    findings = []
    near = strokes[_near(shapes, strokes, mask, placed)]
    for tongue, cut, points in on_cuts(shapes.tiling, shapes.drawing, near):
        if shapes.plain[tongue]:
            continue
        lines = Curves.from_strokes([points]).flattened(FLATTENING)
        knob = shapely.linestrings(placed.from_board(_far(lines, points[[0, -1]][None]).points))
        within = shapely.intersection(mask.region, knob)
        share = float(shapely.length(within) / max(float(shapely.length(knob)), 1e-12))
        if share > 0:
            name = shapes.tiling.tongue_name(tongue)
            (place,) = placed.on_board(shapely.get_coordinates(shapely.point_on_surface(within)))
            findings.append(
                check_problems.PROTECTED_TONGUE.finding(
                    place, strokes=[cut], cells=[name], shortfall=round(share, 6), repair=reshaping(name), tongue=name
                )
            )
    return findings


def _knobs(shapes: JigsawShapes, strokes: Ints, mask: Mask, placed: Placement) -> list[Finding]:
    sides = shapes.tiling.graph.sides[strokes]
    near = _near(shapes, strokes, mask, placed)
    some = strokes[(sides >= 0).all(axis=1) & ~shapes.plain[strokes] & near]
    if not len(some):
        return []
    lines = knobs(shapes, some)
    own = shapely.linestrings(placed.from_board(lines.points), indices=lines.owners)
    hit = np.flatnonzero(shapely.intersects(mask.region, own))
    within = shapely.intersection(mask.region, own[hit])
    shares = shapely.length(within) / np.maximum(shapely.length(own[hit]), 1e-12)
    middles = placed.on_board(shapely.get_coordinates(shapely.point_on_surface(within)).reshape(-1, 2))
    return [
        check_problems.PROTECTED_TONGUE.finding(
            place,
            strokes=[stroke],
            shortfall=round(share, 6),
            repair=_repair(tr("Reshape tongue"), check_problems.PROTECTED_TONGUE, shapes, [stroke]),
            tongue=shapes.tiling.edge_name(stroke),
        )
        for stroke, share, place in zip(some[hit].tolist(), shares.tolist(), middles.tolist(), strict=True)
    ]


def _near(
    shapes: JigsawShapes, strokes: Ints, mask: Mask, placed: Placement
) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Mask of the strokes whose box of control points meets the area's box, shape (k,)."""
    left, top, right, bottom = shapely.bounds(mask.region)
    corners = placed.on_board(np.array([(left, top), (right, top), (right, bottom), (left, bottom)]))
    low, high = corners.min(axis=0), corners.max(axis=0)
    curves = shapes.drawing.strokes.chosen(strokes)
    least = np.minimum.reduceat(curves.points, curves.starts[:-1])
    most = np.maximum.reduceat(curves.points, curves.starts[:-1])
    return np.asarray(((least <= high) & (most >= low)).all(axis=1))


def knobs(shapes: JigsawShapes, strokes: Ints) -> Polylines:
    """Knobs of strokes as lines in mm."""
    lines = shapes.drawing.strokes.chosen(strokes).flattened(FLATTENING)
    return _far(lines, shapes.corners[shapes.tiling.graph.edges[strokes]])


def _far(lines: Polylines, ends: Floats) -> Polylines:
    """Part of every line that is far from the straight line between its `ends`, shape (k, 2, 2)."""
    way = (ends[:, 1] - ends[:, 0])[lines.owners]
    off = lines.points - ends[lines.owners, 0]
    away = np.abs(way[:, 0] * off[:, 1] - way[:, 1] * off[:, 0])
    furthest = np.maximum.reduceat(away, lines.starts[:-1])
    spots = np.flatnonzero(away >= FAR * furthest[lines.owners])
    owners = lines.owners[spots]
    edges = np.flatnonzero(np.diff(owners, prepend=-1))
    first = spots[edges]
    last = spots[np.append(edges[1:], len(spots)) - 1]
    # A line needs at least two points.
    first = np.where(first == last, np.maximum(first - 1, lines.starts[:-1]), first)
    last = np.where(first == last, first + 1, last)
    counts = last - first + 1
    return Polylines(lines.points[ranges(first, counts)], offsets(counts))


def _corners(shapes: JigsawShapes, strokes: Ints, mask: Mask, placed: Placement) -> list[Finding]:
    tiling = shapes.tiling
    corners = np.unique(tiling.graph.edges[strokes])
    corners = corners[np.asarray(tiling.tracks)[corners] != FIXED]
    own = placed.from_board(shapes.corners[corners])
    corners = corners[shapely.contains_xy(mask.region, own[:, 0], own[:, 1])]
    findings = []
    for corner in corners.tolist():
        at = np.array([corner])
        (point,) = shapely.points(placed.from_board(shapes.corners[at]))
        depth = placed.scale * shapely.distance(shapely.boundary(mask.region), point)
        edges = tiling.graph.edges_at(at).tolist()
        findings.append(
            check_problems.PROTECTED_CORNER.finding(
                shapes.corners[corner],
                strokes=edges,
                shortfall=round(min(1.0, depth / float(tiling.scale.min())), 6),
                repair=_repair(tr("Move corner"), check_problems.PROTECTED_CORNER, shapes, edges),
                corner=tiling.corner_name(corner),
            )
        )
    return findings


def _repair(title: str, problem: Problem, shapes: JigsawShapes, strokes: list[int]) -> Repair:
    """Repair that tries changes of elements until the problem is gone and no other problem is worse."""
    names = tuple(shapes.tiling.edge_name(stroke) for stroke in strokes if not shapes.tiling.is_rim(stroke))
    return Repair(title, partial(_cleared, problem=problem, names=names))


def is_surrounded(shapes: JigsawShapes, stroke: int) -> bool:
    """True if the protected area covers all places that the knob of an edge could reach, on both sides."""
    mask = shapes.design.mask
    if mask is None:
        return False
    first, second = shapes.corners[shapes.tiling.graph.edges[stroke]]
    way = second - first
    places = first + AROUND[:, :1] * way + AROUND[:, 1:] * np.array([-way[1], way[0]])
    own = _placed(shapes.design, mask).from_board(places)
    return bool(shapely.contains_xy(mask.region, own[:, 0], own[:, 1]).all())


def ways_out(shapes: JigsawShapes, stroke: int) -> list[CornerEdit]:
    """Moves of a stroke's corners out of the protected area, nearest places first."""
    mask, tiling = shapes.design.mask, shapes.tiling
    if mask is None:
        return []
    placed = _placed(shapes.design, mask)
    found = []
    for corner in tiling.graph.edges[stroke].tolist():
        (own,) = placed.from_board(shapes.corners[[corner]])
        if tiling.tracks[corner] == FIXED or not shapely.contains_xy(mask.region, *own):
            continue
        for distance, place in _exits(shapes, corner, mask, placed):
            shift = tiling.freedom[corner] * (place - tiling.homes[corner]) / tiling.scale
            right, down = (shift.round(6) + 0.0).tolist()
            found.append((distance, CornerEdit(tiling.corner_name(corner), right, down)))
    return [edit for _distance, edit in sorted(found, key=lambda one: one[0])]


def _exits(shapes: JigsawShapes, corner: int, mask: Mask, placed: Placement) -> list[tuple[float, Floats]]:
    """Nearest places outside the area from a corner in it, with their distances in mm."""
    angles = 2 * np.pi * np.arange(WAYS) / WAYS
    ways = np.stack([np.cos(angles), np.sin(angles)], 1).round(12)
    start = shapes.corners[corner]
    reach = REACH * float(shapes.tiling.scale.min())
    ends = placed.from_board(start + reach * ways)
    rays = shapely.linestrings([(placed.from_board(start[None])[0], end) for end in ends])
    left = shapely.difference(rays, mask.region)
    out = np.flatnonzero(~shapely.is_empty(left))
    distances = placed.scale * shapely.distance(left[out], shapely.points(placed.from_board(start[None])))
    exits = [(round(float(each), 6), at) for each, at in zip(distances, out.tolist(), strict=True) if each < reach]
    return [(distance, start + (distance + MARGIN) * ways[at]) for distance, at in sorted(exits)[:MOST_WAYS]]
