"""Strokes of a jigsaw, the curves of tongues, plain edges and the border, and the drawing made of them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.base.chance import symmetric
from studio.geometry.board.tiling import FIXED, Tiling, cut_counts
from studio.geometry.curves.strokes import Curves, Floats, Ints, distinct, offsets, paired, ranges
from studio.geometry.planar.drawing import Chain, ChainsLater, Drawing, Operation, Pieces
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.picture.board_picture import BoardPicture
from studio.puzzles.jigsaw.tongues.styles import Style, of_one_style
from studio.puzzles.jigsaw.tongues.tongues import (
    DRAWN,
    FIRST_BEND,
    FOLLOWING,
    HOOKED,
    PLAIN,
    SECOND_BEND,
    SIDE,
    STRAIGHT,
    STYLE,
    Frames,
    framed,
)

if TYPE_CHECKING:
    from studio.puzzles.jigsaw.picture.contours import Course

BEND = 0.18
"""Largest turn of the ends of an edge from its straight line, in radians; more would crowd the corners."""
MOST_SLANTED = np.radians(50.0), np.radians(4.0)
"""Largest angle in radians, by version of the layout, between a cut that ends on an outline and its normal there."""
GATHERED = np.radians(55.0)
"""The same if several cuts end at one corner of the border, which share the half turn."""
BESIDE_CORNER = 0.45
"""Largest move of a corner on the border towards the next, as a fraction of their distance."""
RIM_MARGIN = 0.02
"""Least distance in cells between a corner that slides on the border and a corner of the board."""
WANDER = 0.5
"""Depth of a wavy border as a fraction of the irregularity of inner corners."""


def strokes_of(
    design: JigsawDesign,
    tiling: Tiling,
    corners: Floats,
    tongues: Floats,
    rooms: Floats,
    edges: Ints,
    course: Course | None = None,
) -> Curves:
    """Draw the curves of edges, in the given order; those that follow contours keep to their course."""
    parameters = design.parameters
    ends = corners[tiling.graph.edges[edges]]
    inner = tiling.is_inner[edges]
    follows = tongues[edges, PLAIN] == FOLLOWING
    as_drawn = tongues[edges, PLAIN] == DRAWN
    plain = tongues[edges, PLAIN] > 0.5
    counts = np.full(len(edges), 4)
    landings = _landings(parameters, tiling, edges, ends)
    if course is not None:
        for at, end, normal in course.normals(tiling, edges, ends):
            landings.normals[at, end], landings.slants[at, end] = normal, MOST_SLANTED[0]
    drawn = []
    for straight, alike in (
        (False, np.flatnonzero(inner & ~plain)),
        (True, np.flatnonzero(inner & plain & ~follows & ~as_drawn)),
    ):
        for style, places in of_one_style(design.styles, tongues[edges[alike], STYLE]):
            which = alike[places]
            frames = framed(ends[which], tongues[edges[which]], rooms[edges[which]], style.stretch)
            curve = _plain if straight else style.curve
            curves = curve(frames, *_tangents(parameters, style, tiling, frames, edges[which], landings.chosen(which)))
            for at in np.flatnonzero(tongues[edges[which], PLAIN] == HOOKED).tolist():
                edge = int(edges[which[at]])
                assert course is not None
                curves[at] = course.bent(edge, tiling.graph.edges[edge], ends[which[at]], curves[at])
            counts[which] = curves.shape[1]
            drawn.append((which, curves))
    following = np.flatnonzero(follows)
    if len(following) and course is not None:
        pairs = tiling.graph.edges[edges]
        led_ways = Curves.from_strokes([course.curve(int(edges[at]), pairs[at], ends[at]) for at in following.tolist()])
        counts[following] = led_ways.counts
        drawn.append((following, led_ways.points))
    elif len(following):
        from studio.puzzles.jigsaw.picture.colour_lines import followed, led

        curves = led(followed(design, ends[following])[1])
        counts[following] = curves.shape[1]
        drawn.append((following, curves))
    kept = np.flatnonzero(inner & as_drawn)
    if len(kept):
        moved = _drawn(tiling, edges[kept], ends[kept], tongues[edges[kept], SIDE])
        counts[kept] = moved.counts
        drawn.append((kept, moved.points))
    border = _border(parameters, tiling, ends, edges, np.flatnonzero(~inner))
    for at, stroke in border.items():
        border[at] = stroke = _knobbed(design, tiling, tongues, int(edges[at]), stroke)
        counts[at] = len(stroke)
    starts = offsets(counts)
    points = np.empty((int(starts[-1]), 2))
    for which, curves in drawn:
        points[ranges(starts[:-1][which], counts[which])] = curves.reshape(-1, 2)
    for at, stroke in border.items():
        points[starts[at] : starts[at + 1]] = stroke
    return Curves(points, starts)


def _tangents(
    parameters: JigsawParameters, style: Style, tiling: Tiling, frames: Frames, edges: Ints, landings: Landings
) -> tuple[Floats, Floats]:
    """Unit directions in which edges of a style leave their first and reach their second corner, each of shape (k, 2).

    At a smooth joint both edges share a direction that depends on the joint alone; elsewhere each edge has its own.
    Straight lines stay straight up to their ends.
    """
    result = []
    for end, column in ((0, FIRST_BEND), (1, SECOND_BEND)):
        direction = _turned(frames.along, style.bend * frames.numbers[:, column])
        if parameters.smooth_joints and style.is_smooth:
            at = tiling.joints.at[edges, end]
            joined = at >= 0
            ways, keys = tiling.joints.ways[at[joined]], tiling.joints.keys[at[joined]]
            shared = _turned(ways, BEND * symmetric(parameters.seed, keys, "joint"))
            direction[joined] = tiling.joints.signs[edges[joined], end, None] * shared
        _raise(frames.along, landings, end, direction)
        is_straight = np.isin(frames.numbers[:, PLAIN], (STRAIGHT, HOOKED))
        direction[is_straight] = frames.along[is_straight]
        result.append(direction)
    return result[0], result[1]


class Landings(NamedTuple):
    """Ends of edges on figures and the border: directions in which they leave squarely, shape (k, 2, 2), or NaN; and
    their largest angle in radians with these, shape (k, 2)."""

    normals: Floats
    slants: Floats

    def chosen(self, which: Ints) -> Landings:
        """Select edges."""
        return Landings(self.normals[which], self.slants[which])


def _landings(parameters: JigsawParameters, tiling: Tiling, edges: Ints, ends: Floats) -> Landings:
    """Landings of edges with ends, shape (k, 2, 2): on figures, with strong necks also on the border, so that no wedge
    is left; by the second layout also at corners of the board."""
    normals, slants = np.full(ends.shape, np.nan), np.full(ends.shape[:2], MOST_SLANTED[parameters.layout_version > 1])
    corners = tiling.graph.edges[edges]
    ends_here = np.asarray(tiling.tracks[corners] >= 0) if parameters.strong_necks else tiling.is_on_figure[corners]
    is_inner = np.asarray((tiling.graph.sides[edges] >= 0).all(axis=1))
    at, end = np.nonzero(ends_here & is_inner[:, None])
    for track, chosen in tiling.sliding(corners[at, end]):
        here = at[chosen], end[chosen]
        normals[here] = tiling.outline.stretches[track].inward(ends[here])
    if parameters.layout_version > 1 and parameters.strong_necks:
        for corner in distinct(corners[(tiling.tracks[corners] == FIXED) & is_inner[:, None]]).tolist():
            here = (corners == corner) & is_inner[:, None]
            normals[here], slants[here] = _bisector(tiling, corner)
        slants[cut_counts(tiling)[corners] > 1] = GATHERED
    return Landings(normals, slants)


def _bisector(tiling: Tiling, corner: int) -> tuple[Floats, float]:
    """Direction halfway between the border's edges at a corner of the board, NaN within it, and the largest angle in
    radians with it of other edges."""
    around, stretches = tiling.graph.edges_at(np.array([corner])), np.asarray(tiling.stretches)
    rims = around[(tiling.graph.sides[around] < 0).any(axis=1)]
    home = tiling.homes[corner]
    inward = sum(tiling.outline.stretches[at].inward(home[None])[0] for at in stretches[rims].tolist())
    long = float(np.hypot(*inward)) if len(rims) == 2 else 0.0
    if not long:
        return np.full(2, np.nan), 0.0
    half = math.asin(min(long / 2, 1.0))
    is_convex = ((tiling.homes[tiling.graph.edges[rims]] - home).sum(axis=(0, 1)) @ inward) > 0
    return inward / long, max((half if is_convex else math.pi - half) - math.pi / 2 + MOST_SLANTED[0], 0.0)


def _raise(along: Floats, landings: Landings, end: int, direction: Floats) -> None:
    """Turn cuts that end on figures, in `direction`, so that no cut leaves a figure along its outline."""
    at, away = np.flatnonzero(~np.isnan(landings.normals[:, end, 0])), 1.0 if end == 0 else -1.0
    if not len(at):
        return
    out, way, most = landings.normals[at, end], away * along[at], landings.slants[at, end]
    slant = np.arctan2(out[:, 0] * way[:, 1] - out[:, 1] * way[:, 0], (out * way).sum(axis=1))
    direction[at] = away * _turned(out, np.clip(slant, -most, most))


def _turned(directions: Floats, angles: Floats) -> Floats:
    cos, sin = np.cos(angles), np.sin(angles)
    x, y = directions[:, 0], directions[:, 1]
    return np.array([x * cos - y * sin, x * sin + y * cos]).T


def _plain(frames: Frames, leaving: Floats, reaching: Floats) -> Floats:
    """Draw each edge as a gentle cubic that keeps the joints smooth, shape (k, 4, 2)."""
    first, second, handle = frames.ends[:, 0], frames.ends[:, 1], frames.length[:, None] / 3
    return np.stack([first, first + leaving * handle, second - reaching * handle, second], 1)


def _drawn(tiling: Tiling, edges: Ints, ends: Floats, sides: Floats) -> Curves:
    """Move drawn edges to ends (k, 2, 2), turned and scaled with their chords; those of other `sides` are mirrored."""
    curves = tiling.drawn_curves(edges)
    homes, mirrored = tiling.homes[tiling.graph.edges[edges]], sides * tiling.bows[edges] < 0
    points = moved(curves.points, curves.owners, homes, ends, mirrored)
    points[curves.starts[:-1]], points[curves.starts[1:] - 1] = ends[:, 0], ends[:, 1]
    return Curves(points, curves.starts)


def moved(points: Floats, owners: Ints, chords: Floats, there: Floats, mirrored: NDArray[np.bool_]) -> Floats:
    """Turn and scale the points (k, 2) of curves from their chords (m, 2, 2) to others, and mirror some curves."""
    homes, ends = paired(chords), paired(there)
    along = (paired(points) - homes[owners, 0]) / (homes[:, 1] - homes[:, 0])[owners]
    along = np.where(mirrored[owners], along.conj(), along)
    places = ends[:, 0][owners] + along * (ends[:, 1] - ends[:, 0])[owners]
    return np.asarray(places.view(np.float64).reshape(-1, 2))


def _border(parameters: JigsawParameters, tiling: Tiling, ends: Floats, edges: Ints, which: Ints) -> dict[int, Floats]:
    """Draw the border's edges along their stretches of the outline, straight or wavy."""
    waves = parameters.border == "wandering" and parameters.perturbation > 0
    strokes: dict[int, Floats] = {}
    numbers = np.asarray(tiling.stretches)[edges[which]]
    for number in distinct(numbers).tolist():
        along = which[numbers == number]
        homes = tiling.homes[tiling.graph.edges[edges[along]]]
        is_figure = int(edges[along[0]]) in tiling.figure_of
        made = tiling.outline.stretches[number].strokes(ends[along], homes, waves=waves and not is_figure)
        for at, stroke in zip(along.tolist(), made, strict=True):
            strokes[at] = stroke
    return strokes


def _knobbed(design: JigsawDesign, tiling: Tiling, tongues: Floats, edge: int, stroke: Floats) -> Floats:
    """Add a figure's tongues to a stroke of the border, shape (3k + 1, 2), if it runs along a figure."""
    figure = tiling.figure_of.get(edge) if tiling.figure_tongues else None
    if figure is None:
        return stroke
    from studio.puzzles.jigsaw.figures.tongues import knobbed

    return knobbed(stroke, tiling, figure, tongues[len(tiling.edge_keys) :], design.styles)


def drawing_of(design: JigsawDesign, tiling: Tiling, strokes: Curves) -> Drawing:
    """Make the drawing of a tiling; its chains are computed on first use."""
    chains = ChainsLater(partial(_chains, tiling))
    return with_picture(Drawing(*tiling.size, strokes, chains, _pieces(tiling)), design.picture)


def _chains(tiling: Tiling) -> Iterator[Chain]:
    # Holes come first: they are cut while the border still holds the board.
    for codes in tiling.figure_cuts:
        yield Chain(Operation.INNER, codes, bounds_void=len(codes) > 1 or int(codes[0] >> 1) not in tiling.seams.edges)
    for codes in tiling.voids:
        yield Chain(Operation.INNER, codes, closed=True, bounds_void=True)
    for codes, shut in zip(tiling.chains, tiling.are_closed(tiling.chains), strict=True):
        yield Chain(Operation.INNER, codes, closed=shut)
    for codes in tiling.borders:
        yield Chain(Operation.BORDER, codes, closed=True)


def with_picture(drawing: Drawing, picture: BoardPicture | None) -> Drawing:
    """Replace the artwork of a drawing by a picture under its cuts."""
    if picture is None:
        return replace(drawing, artwork=()) if drawing.artwork else drawing
    from studio.puzzles.jigsaw.picture.board_picture import shown

    return replace(drawing, artwork=(shown(picture, drawing),))


def _pieces(tiling: Tiling) -> Pieces:
    """Pieces: the faces of the tiling, then its figures."""
    graph, figures = tiling.graph, tiling.fillings
    if not figures:
        return Pieces(graph.codes, graph.starts, tiling.piece_names, graph.holes)
    rings = [[one.codes, *one.holes] for one in figures]
    starts = graph.starts[-1] + offsets(np.array([sum(map(len, each)) for each in rings], np.int64))
    holes = [
        start + offsets(np.array([len(ring) for ring in each], np.int64))[1:-1]
        for start, each in zip(starts.tolist(), rings, strict=False)
    ]
    return Pieces(
        np.concatenate([graph.codes, *(ring for each in rings for ring in each)]),
        np.concatenate([graph.starts, starts[1:]]),
        (*tiling.piece_names, *(one.piece for one in figures)),
        np.concatenate([graph.holes, *holes]),
    )
