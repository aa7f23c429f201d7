"""From a jigsaw's design to its strokes: random values, edits, tongues and the border."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from studio.geometry.chance import symmetric, uniform
from studio.geometry.curves import Curves, Floats, Ints, distinct, frozen, offsets, ranges
from studio.geometry.drawing import Chain, Drawing, Operation, Pieces
from studio.geometry.pick import Picker
from studio.geometry.tiling import FIXED, Tiling
from studio.progress import Progress
from studio.puzzles.jigsaw.boards import tiling_of
from studio.puzzles.jigsaw.model import CornerEdit, JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.tongues import (
    COLUMNS,
    DEPTH,
    FIRST_BEND,
    FULLNESS,
    HEAD,
    NECK,
    NUMBERS,
    PLACE,
    PLAIN,
    SECOND_BEND,
    SHOULDER,
    SIDE,
    SIZE,
    SLANT,
    Frames,
    framed,
    rooms_of,
)
from studio.puzzles.named import found

BEND = 0.18
"""The largest turn of the ends of an edge from its straight line, in radians; more crowds the corners."""
MOST_SLANTED = np.radians(50.0)
"""The largest angle between a cut that ends on a figure and the figure's normal there."""
ROLL = 2**40
"""Set between the keys of successive rolls of one tongue; beyond every key of a tiling."""
RIM_MARGIN = 0.02
"""How near, in cells, a corner on the border may slide to a corner of the board."""
FEW = 64
"""Below how many elements their edits are looked up one by one."""
WANDER = 0.5
"""The depth of a wandering border as a share of what the perturbation moves an inner corner."""

E = TypeVar("E", CornerEdit, TongueEdit)


@dataclass(frozen=True, eq=False)
class JigsawShapes:
    """A jigsaw's shapes: the drawing, the positions of its corners (n, 2) mm and its tongues' values (m, 12).

    `rooms` (m,) in mm bound the room of every tongue, beside the length of its edge; edits do not change them.
    """

    design: JigsawDesign
    drawing: Drawing
    tiling: Tiling
    corners: Floats
    tongues: Floats
    rooms: Floats

    def frames(self, tongues: Ints) -> Frames:
        """Some tongues in their frames."""
        ends = self.corners[self.tiling.graph.edges[tongues]]
        return framed(ends, self.tongues[tongues], self.rooms[tongues], self.design.parameters.style.stretch)

    @cached_property
    def plain(self) -> NDArray[np.bool_]:
        """Which tongues are straight edges, (m,)."""
        return frozen(self.tongues[:, PLAIN] > 0.5)

    def decided(self, tongue: int) -> TongueEdit:
        """The edit of a tongue; a blank one where there is none."""
        return self.design.tongue(self.tiling.edge_name(tongue))

    @cached_property
    def picker(self) -> Picker:
        """Finds what is under a place."""
        return Picker(self.drawing)

    @cached_property
    def locked(self) -> Ints:
        """The tongues that are locked."""
        names = (edit.name for edit in self.design.tongues if edit.locked_seed is not None)
        return np.array([self.tiling.edge_indices[name] for name in names], np.int64)


def shape(design: JigsawDesign, before: JigsawShapes | None, progress: Progress) -> JigsawShapes:
    """The shapes of a design; of `before`, if it has the same parameters, all that did not change is kept."""
    progress.step(0.0)
    if before is not None and before.design.parameters == design.parameters:
        named = ("merged", "path", "whimsies")
        same = all(getattr(before.design, name) == getattr(design, name) for name in named)
        if same:
            return _reshaped(design, before)
    return shaped(design, tiling_of(design))


def shaped(design: JigsawDesign, tiling: Tiling) -> JigsawShapes:
    """The shapes of a design on a tiling: every inner edge gets a tongue, and the border follows the outline."""
    parameters = design.parameters
    everything = np.arange(len(tiling.graph.edges))
    corners = _placed(design, tiling, np.arange(tiling.graph.corner_count))
    tongues = _numbered(design, tiling, everything)
    rooms = _rooms(design, tiling, corners, tongues)
    strokes = _strokes(parameters, tiling, corners, tongues, rooms, everything)
    chains = [Chain(Operation.INNER, codes, closed=tiling.is_closed(codes)) for codes in tiling.chains]
    # Holes of the board are cut while the border still holds it.
    chains = [Chain(Operation.INNER, codes, closed=True, bounds_void=True) for codes in tiling.voids] + chains
    chains += [Chain(Operation.BORDER, codes, closed=True) for codes in tiling.rims]
    pieces = _pieces(tiling)
    drawing = Drawing(*tiling.size, strokes, tuple(chains), pieces)
    return JigsawShapes(design, drawing, tiling, frozen(corners), frozen(tongues), rooms)


def _pieces(tiling: Tiling) -> Pieces:
    """The faces of the tiling, and behind them its figures."""
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
        (*tiling.piece_names, *(one.name for one in figures)),
        np.concatenate([graph.holes, *holes]),
    )


def _reshaped(design: JigsawDesign, before: JigsawShapes) -> JigsawShapes:
    if design is before.design:
        return before
    tiling = before.tiling
    moved = _changed(before.design.corners, design.corners, tiling.corner_indices)
    turned = _changed(before.design.tongues, design.tongues, tiling.edge_indices)
    edges = distinct(np.concatenate([tiling.graph.edges_at(moved), turned]))
    if not len(edges):
        return replace(before, design=design)
    corners, tongues = before.corners, before.tongues
    if len(moved):
        corners = corners.copy()
        corners[moved] = _placed(design, tiling, moved)
    if len(turned):
        tongues = tongues.copy()
        tongues[turned] = _numbered(design, tiling, turned)
    old, rooms = before.drawing, before.rooms
    strokes = old.strokes.replaced(edges, _strokes(design.parameters, tiling, corners, tongues, rooms, edges))
    drawing = Drawing(old.width, old.height, strokes, old.chains, old.pieces)
    return JigsawShapes(design, drawing, tiling, frozen(corners), frozen(tongues), rooms)


def _changed(before: tuple[E, ...], after: tuple[E, ...], indices: dict[str, int]) -> Ints:
    """The elements whose edits differ; unchanged edits are the same objects."""
    if before is after:
        return np.empty(0, np.int64)
    old = {id(edit): edit for edit in before}
    new = {id(edit): edit for edit in after}
    names = {new[key].name for key in new.keys() - old.keys()}
    names |= {old[key].name for key in old.keys() - new.keys()}
    return np.array(sorted(indices[name] for name in names), np.int64)


def _placed(design: JigsawDesign, tiling: Tiling, chosen: Ints) -> Floats:
    """The positions of some corners: regular, then irregular or edited, then on the border."""
    parameters = design.parameters
    keys = tiling.corner_keys[chosen]
    shift = parameters.perturbation * np.stack(
        [symmetric(parameters.seed, keys, "right"), symmetric(parameters.seed, keys, "down")], 1
    )
    shift *= tiling.slack[chosen, None]
    if design.corners:
        able = np.flatnonzero(tiling.tracks[chosen] != FIXED)
        for at, edit in _decided(design.corners, chosen, able, tiling.corner_name, tiling.corner_indices).items():
            shift[at] = edit.right, edit.down
    places = tiling.homes[chosen] + shift * tiling.freedom[chosen] * tiling.scale
    for track, sliding in tiling.sliding(chosen):
        stretch = tiling.outline.stretches[track]
        stations = stretch.stations(places[sliding], RIM_MARGIN * tiling.scale)
        depths = np.zeros(len(sliding))
        if parameters.border == "wandering" and not tiling.is_on_figure[chosen[sliding[0]]]:
            reach = WANDER * parameters.perturbation * float(tiling.scale.min())
            depths = reach * uniform(parameters.seed, keys[sliding], "inward")
        places[sliding] = stretch.at(stations, depths)
    return places


def _decided(
    edits: tuple[E, ...], chosen: Ints, able: Ints, name: Callable[[int], str], indices: dict[str, int]
) -> dict[int, E]:
    """The edits of some elements, by their place among them; `able` are the places of those that can have any."""
    if len(chosen) < FEW:
        sought = ((at, found(edits, name(int(chosen[at])))) for at in able.tolist())
        return {at: edit for at, edit in sought if edit is not None}
    spots = {element: at for at, element in enumerate(chosen.tolist())}
    named = ((spots.get(indices[edit.name]), edit) for edit in edits)
    return {at: edit for at, edit in named if at is not None}


def _numbered(design: JigsawDesign, tiling: Tiling, chosen: Ints) -> Floats:
    """The values (k, 12) of some tongues: random, then edited."""
    parameters = design.parameters
    seeds = np.full(len(chosen), parameters.seed, np.int64)
    keys = tiling.edge_keys[chosen].copy()
    edits = {}
    if design.tongues:
        able = np.flatnonzero((tiling.graph.sides[chosen] >= 0).all(axis=1))
        edits = _decided(design.tongues, chosen, able, tiling.edge_name, tiling.edge_indices)
    for at, edit in edits.items():
        seeds[at] = parameters.seed if edit.locked_seed is None else edit.locked_seed
        keys[at] += edit.rolls * ROLL
    table = np.empty((len(chosen), NUMBERS))
    table[:, SIDE] = np.where(uniform(seeds, keys, "side") < 0.5, -1.0, 1.0)
    table[:, PLAIN] = (uniform(seeds, keys, "plain") < parameters.plain_share) | tiling.is_bare[chosen]
    table[:, SIZE] = parameters.tongue_size * (1 + parameters.vary_size * symmetric(seeds, keys, "size"))
    table[:, PLACE] = parameters.vary_place * symmetric(seeds, keys, "place")
    table[:, DEPTH] = parameters.vary_depth * symmetric(seeds, keys, "depth")
    table[:, SLANT] = parameters.vary_slant * symmetric(seeds, keys, "slant")
    table[:, NECK] = parameters.neck_width * (1 + parameters.vary_neck * symmetric(seeds, keys, "neck"))
    table[:, HEAD], table[:, SHOULDER] = parameters.head_width, parameters.shoulder
    table[:, FULLNESS] = parameters.fullness
    table[:, FIRST_BEND] = BEND * symmetric(seeds, keys, "first bend")
    table[:, SECOND_BEND] = BEND * symmetric(seeds, keys, "second bend")
    for at, edit in edits.items():
        for name, column in {"side": SIDE, "plain": PLAIN, **COLUMNS}.items():
            value = getattr(edit, name)
            if value is not None:
                table[at, column] = value
    return table


def _rooms(design: JigsawDesign, tiling: Tiling, corners: Floats, tongues: Floats) -> Floats:
    """The room (m,) in mm of every tongue, beside the length of its edge.

    Neighbours count as they are without edits, so that an edit changes no cuts but its own.
    """
    if not design.parameters.style.heeds_neighbours:
        return frozen(np.minimum(tiling.across, tiling.rim_rooms))
    bare = replace(design, corners=(), tongues=())
    if design.corners:
        corners = _placed(bare, tiling, np.arange(tiling.graph.corner_count))
    if design.tongues:
        tongues = _numbered(bare, tiling, np.arange(len(tiling.graph.edges)))
    return frozen(np.minimum(tiling.rim_rooms, rooms_of(tiling.graph, corners, tongues)))


def _strokes(
    parameters: JigsawParameters, tiling: Tiling, corners: Floats, tongues: Floats, rooms: Floats, edges: Ints
) -> Curves:
    """The curves of some edges, in the order named."""
    ends = corners[tiling.graph.edges[edges]]
    inner = (tiling.graph.sides[edges] >= 0).all(axis=1)
    plain = tongues[edges, PLAIN] > 0.5
    counts = np.full(len(edges), 4)
    drawn = []
    for which, curve in ((inner & ~plain, parameters.style.curve), (inner & plain, _plain)):
        if which.any():
            frames = framed(ends[which], tongues[edges[which]], rooms[edges[which]], parameters.style.stretch)
            curves = curve(frames, *_tangents(parameters, tiling, frames, edges[which]))
            counts[which] = curves.shape[1]
            drawn.append((which, curves))
    border = _border(parameters, tiling, ends, edges, np.flatnonzero(~inner))
    for at, stroke in border.items():
        counts[at] = len(stroke)
    starts = offsets(counts)
    points = np.empty((int(starts[-1]), 2))
    for which, curves in drawn:
        points[ranges(starts[:-1][which], counts[which])] = curves.reshape(-1, 2)
    for at, stroke in border.items():
        points[starts[at] : starts[at + 1]] = stroke
    return Curves(points, starts)


def _tangents(parameters: JigsawParameters, tiling: Tiling, frames: Frames, edges: Ints) -> tuple[Floats, Floats]:
    """The unit directions in which edges leave their first and reach their second corner, (k, 2) each.

    At a smooth joint both edges share a direction that depends on the joint alone; elsewhere each edge has its own.
    """
    style = parameters.style
    result = []
    for end, column in ((0, FIRST_BEND), (1, SECOND_BEND)):
        direction = _turned(frames.along, style.bend * frames.numbers[:, column])
        if parameters.smooth_joints and style.is_smooth:
            at = tiling.joints.at[edges, end]
            joined = at >= 0
            ways, keys = tiling.joints.ways[at[joined]], tiling.joints.keys[at[joined]]
            shared = _turned(ways, BEND * symmetric(parameters.seed, keys, "joint"))
            direction[joined] = tiling.joints.signs[edges[joined], end, None] * shared
        _raise(tiling, frames, edges, end, direction)
        result.append(direction)
    return result[0], result[1]


def _raise(tiling: Tiling, frames: Frames, edges: Ints, end: int, direction: Floats) -> None:
    """Turn cuts that end on figures, in `direction`, so that none leaves one along its outline."""
    corners = tiling.graph.edges[edges, end]
    on = np.flatnonzero(tiling.is_on_figure[corners])
    away = 1.0 if end == 0 else -1.0
    for track, chosen in tiling.sliding(corners[on]):
        at = on[chosen]
        out = tiling.outline.stretches[track].inward(frames.ends[at, end])
        way = away * frames.along[at]
        slant = np.arctan2(out[:, 0] * way[:, 1] - out[:, 1] * way[:, 0], (out * way).sum(axis=1))
        direction[at] = away * _turned(out, np.clip(slant, -MOST_SLANTED, MOST_SLANTED))


def _turned(directions: Floats, angles: Floats) -> Floats:
    cos, sin = np.cos(angles), np.sin(angles)
    x, y = directions[:, 0], directions[:, 1]
    return np.stack([x * cos - y * sin, x * sin + y * cos], 1)


def _plain(frames: Frames, leaving: Floats, reaching: Floats) -> Floats:
    """One gentle cubic (k, 4, 2) that keeps the joints smooth."""
    first, second, handle = frames.ends[:, 0], frames.ends[:, 1], frames.length[:, None] / 3
    return np.stack([first, first + leaving * handle, second - reaching * handle, second], 1)


def _border(parameters: JigsawParameters, tiling: Tiling, ends: Floats, edges: Ints, which: Ints) -> dict[int, Floats]:
    """The strokes of the border's edges along their stretches of the outline, straight or waving."""
    waves = parameters.border == "wandering" and parameters.perturbation > 0
    strokes = {}
    for at in which.tolist():
        stretch = tiling.outline.stretches[tiling.stretches[edges[at]]]
        homes = tiling.homes[tiling.graph.edges[edges[at]]]
        is_figure = int(edges[at]) in tiling.figure_of
        strokes[at] = stretch.stroke(*ends[at], homes, waves=waves and not is_figure)
    return strokes
