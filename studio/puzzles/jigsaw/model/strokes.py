"""Corners and strokes of a jigsaw: places, the course along lines of the picture, curves, and the drawing of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from studio.base.chance import symmetric, uniform
from studio.base.progress import SILENT, Progress
from studio.geometry.board.tiling import FIXED, FREE, NONE, Tiling, cut_counts
from studio.geometry.curves.strokes import Curves, Floats, Ints, distinct, offsets, paired, ranges
from studio.geometry.planar.drawing import Chain, ChainsLater, Drawing, Operation, Pieces
from studio.puzzles.jigsaw.model.design import CornerEdit, JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.picture.board_picture import BoardPicture
from studio.puzzles.jigsaw.tongues.styles import Style, of_one_style
from studio.puzzles.jigsaw.tongues.tongues import (
    DEPTH,
    DRAWN,
    FIRST_BEND,
    FOLLOWING,
    HOOKED,
    PLAIN,
    SECOND_BEND,
    SIDE,
    SIZE,
    STRAIGHT,
    STYLE,
    Frames,
    framed,
)
from studio.puzzles.named_edits import found

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
FEW = 64
"""Number of elements below which their edits are looked up one by one."""
HOOK = 0.5
"""Most room of the tongue of an edge that follows a line, in usual pieces."""
SLID = 1e-3
"""Distance in mm from its home at which a corner on a figure has slid."""

E = TypeVar("E", CornerEdit, TongueEdit)


def placed(design: JigsawDesign, tiling: Tiling, chosen: Ints) -> Floats:
    """Positions of corners: regular, then irregular or edited, then on the border."""
    parameters = design.parameters
    keys = tiling.corner_keys[chosen]
    shift = parameters.perturbation * np.stack(
        [symmetric(parameters.seed, keys, "right"), symmetric(parameters.seed, keys, "down")], 1
    )
    shift *= tiling.slack[chosen, None]
    if parameters.layout_version > 1:
        shift *= tiling.steadiness[chosen, None]
    if design.corners:
        able = np.flatnonzero(tiling.tracks[chosen] != FIXED)
        for at, edit in decided(design.corners, chosen, able, tiling.corner_name, tiling.corner_indices).items():
            shift[at] = edit.right, edit.down
    places = tiling.homes[chosen] + shift * tiling.freedom[chosen] * tiling.scale
    course = course_of(design, tiling)
    if course is not None or is_led(design):
        from studio.puzzles.jigsaw.picture.colour_lines import drawn_towards

        # Edited corners stay.
        moves = ~np.isin(chosen, [tiling.corner_indices[edit.name] for edit in design.corners])
        moves &= (tiling.tracks[chosen] == FREE) | (course is not None and course.owners[chosen] != NONE)
        places[moves] = course.places[chosen[moves]] if course else drawn_towards(design, places[moves], tiling.scale)
    for track, sliding in tiling.sliding(chosen):
        stretch = tiling.outline.stretches[track]
        if course is None and is_led(design):
            _slide_towards(design, tiling, chosen, track, sliding, places)
        stations = stretch.stations(places[sliding], RIM_MARGIN * tiling.scale)
        depths = np.zeros(len(sliding))
        if parameters.border == "wandering" and not tiling.is_on_figure[chosen[sliding[0]]]:
            reach = WANDER * parameters.perturbation * float(tiling.scale.min())
            depths = reach * uniform(parameters.seed, keys[sliding], "inward")
        places[sliding] = stretch.at(stations, depths)
    return _beside_knobs(tiling, chosen, places, at_home=parameters.layout_version == 1)


def _slide_towards(
    design: JigsawDesign, tiling: Tiling, chosen: Ints, track: int, sliding: Ints, places: Floats
) -> None:
    """Slide corners on the border to lines of the picture; edited corners stay, and neighbours stay apart."""
    from studio.puzzles.jigsaw.picture.colour_lines import REACH, slid_towards

    parameters, usual = design.parameters, float(tiling.scale.min())
    edited = [tiling.corner_indices[edit.name] for edit in design.corners]
    able = sliding[~(np.isin(chosen[sliding], edited) | tiling.is_on_figure[chosen[sliding]])]
    strays = parameters.perturbation * usual * tiling.slack[chosen[able]]
    room = np.clip(
        BESIDE_CORNER * tiling.rim_gaps[chosen[able]] - strays, 0.0, REACH * parameters.follow_colours * usual
    )
    able, room = able[room > 0], room[room > 0]
    stretch = tiling.outline.stretches[track]
    places[able] = slid_towards(design, stretch, stretch.nearest(places[able]), room)


def course_of(design: JigsawDesign, tiling: Tiling, progress: Progress = SILENT) -> Course | None:
    """Course of corners and edges along contours of the picture; None on a board that follows none."""
    parameters, is_painted = design.parameters, design.uncut is not None or design.lines
    if parameters.layout_version < 2 or tiling.drawn is not None or not (is_painted or is_led(design)):
        return None
    from studio.puzzles.jigsaw.picture.contours import Question, course

    unled = partial(_unled, design, tiling)
    return course(Question(tiling, parameters, design.picture, design.uncut, design.lines, design, unled), progress)


def is_led(design: JigsawDesign) -> bool:
    """True if cuts follow colours of a picture."""
    return design.parameters.follow_colours > 0 and design.picture is not None


def _unled(design: JigsawDesign, tiling: Tiling) -> tuple[Floats, Floats]:
    """Places (n, 2) of corners without edits that follow nothing, and how far (n,) in mm they can slide."""
    parameters = replace(design.parameters, follow_colours=0.0)
    bare = replace(design, corners=(), tongues=(), parameters=parameters, uncut=None, lines=())
    strays = parameters.perturbation * float(tiling.scale.min()) * tiling.slack
    room = np.where(tiling.is_on_figure | (tiling.tracks < 0), 0.0, BESIDE_CORNER * tiling.rim_gaps)
    return placed(bare, tiling, np.arange(tiling.graph.corner_count)), np.maximum(room - strays, 0.0)


def follow(design: JigsawDesign, tiling: Tiling, corners: Floats, tongues: Floats, edges: Ints) -> None:
    """Remove the tongues of edges that follow lines of the picture, but for a few hooks; edited edges keep theirs."""
    course = course_of(design, tiling)
    if course is None and not is_led(design):
        return
    from studio.puzzles.jigsaw.picture.colour_lines import followed

    able = (tiling.graph.sides[edges] >= 0).all(axis=1) & (tongues[edges, PLAIN] < STRAIGHT)
    hooks = course.hooks if course else frozenset[int]()
    if hooks and design.parameters.false_edges:
        some = np.array(sorted(hooks))
        chance = uniform(design.parameters.seed, tiling.edge_keys[some], "false edge")
        hooks = frozenset(some[chance >= design.parameters.false_edges].tolist())
    edits = {tiling.tongue_indices[edit.name]: edit for edit in design.tongues if not edit.is_only_kept}
    if edits:
        # A hook stays one when it is turned or shaped.
        freed = [at for at, edit in edits.items() if at not in hooks or edit.plain is not None]
        able &= ~np.isin(edges, freed)
    some = edges[able]
    if course is not None:
        some = some[course.follows(tiling, corners, some)]
        hooked = some[np.isin(some, [*hooks]) & (tongues[some, PLAIN] < 1.0)]
        tongues[some, PLAIN] = FOLLOWING
        tongues[hooked, PLAIN] = HOOKED
        tongues[hooked, DEPTH] = 0.0
    elif len(some):
        follows, _where = followed(design, corners[tiling.graph.edges[some]])
        tongues[some[follows], PLAIN] = FOLLOWING


def size_hooks(design: JigsawDesign, tiling: Tiling, tongues: Floats, rooms: Floats, edges: Ints) -> None:
    """Make tongues on edges that follow lines small, given the room (m,) in mm of every edge; edited sizes stay."""
    sized = [tiling.tongue_indices[edit.name] for edit in design.tongues if edit.size is not None]
    hooked = edges[(tongues[edges, PLAIN] == HOOKED) & ~np.isin(edges, sized)]
    tongues[hooked, SIZE] *= np.minimum(HOOK * float(tiling.scale.min()) / rooms[hooked], 1.0)


def _beside_knobs(tiling: Tiling, chosen: Ints, places: Floats, *, at_home: bool) -> Floats:
    """Move corners that slid onto a figure's tongue beside it, with `at_home` others, too; return all positions."""
    if not tiling.fillings:
        return places
    has_slid = np.abs(places - tiling.homes[chosen]).max(axis=1, initial=0.0) > SLID
    on = np.flatnonzero(tiling.is_on_figure[chosen] & (has_slid | at_home))
    for knob in (knob for one in tiling.fillings for knob in one.knobs):
        for at in on:
            beside = knob.beside(places[at])
            if beside is not None and tiling.tracks[chosen[at]] >= 0:
                places[at] = tiling.outline.stretches[tiling.tracks[chosen[at]]].nearest(beside[None])[0]
    return places


def decided(
    edits: tuple[E, ...], chosen: Ints, able: Ints, name: Callable[[int], str], indices: dict[str, int]
) -> dict[int, E]:
    """Edits of the chosen elements, by index among them; `able` holds the indices of editable elements."""
    if len(chosen) < FEW:
        sought = ((at, found(edits, name(int(chosen[at])))) for at in able.tolist())
        return {at: edit for at, edit in sought if edit is not None}
    spots = {element: at for at, element in enumerate(chosen.tolist())}
    named = ((spots.get(indices[edit.name]), edit) for edit in edits)
    return {at: edit for at, edit in named if at is not None}


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
