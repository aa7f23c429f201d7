"""From a jigsaw's design to its strokes: chance, hand edits, tongues and the border.

joint: a corner at which one edge runs on into another.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from studio.geometry.chance import symmetric, uniform
from studio.geometry.curves import Curves, Floats, Ints, distinct, frozen, offsets, ranges
from studio.geometry.drawing import Chain, Drawing, Operation, Pieces
from studio.geometry.pick import Picker
from studio.progress import Progress
from studio.puzzles.jigsaw.model import CornerEdit, JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.tiling import Tiling, rectangular
from studio.puzzles.jigsaw.tongues import (
    COLUMNS,
    DEPTH,
    FIRST_BEND,
    NECK,
    PLACE,
    PLAIN,
    SECOND_BEND,
    SIDE,
    SIZE,
    SLANT,
    Frames,
    framed,
)
from studio.puzzles.named import found

BEND = 0.18
"""How far the ends of an edge turn from its straight line at most, in radians; more crowds the corners."""
ROLL = 2**40
"""Set between the keys of successive rolls of one tongue; beyond every key of a tiling."""
ARC_HALF = 1.0 - 0.5**0.5
"""How far the middle of a quarter arc of radius 1 lies from the sides of its square."""
RIM_MARGIN = 0.02
"""How near, in cells, a corner on the border may slide to a corner of the board."""
FEW = 64
"""Below how many elements their edits are looked up one by one."""
NO_LENGTH = 1e-9
"""Stretches in mm that are only rounding errors."""
WAVE_HANDLE = 0.4
WANDER = 0.5
"""The depth of a wandering border as a share of what the perturbation moves an inner corner."""

E = TypeVar("E", CornerEdit, TongueEdit)


@dataclass(frozen=True, eq=False)
class JigsawShapes:
    """A jigsaw's shapes: beside the drawing, where its corners lie (n, 2) mm and its tongues' numbers (m, 9)."""

    design: JigsawDesign
    drawing: Drawing
    tiling: Tiling
    corners: Floats
    tongues: Floats

    def frames(self, tongues: Ints) -> Frames:
        """Some tongues in their frames."""
        ends = self.corners[self.tiling.graph.edges[tongues]]
        return framed(ends, self.tongues[tongues], self.tiling.across[tongues])

    @property
    def plain(self) -> NDArray[np.bool_]:
        """Which tongues have no knob, (m,)."""
        return np.asarray(self.tongues[:, PLAIN] > 0.5)

    def decided(self, tongue: int) -> TongueEdit:
        """What was decided by hand of a tongue; a blank edit where nothing was."""
        return self.design.tongue(self.tiling.edge_name(tongue))

    @cached_property
    def picker(self) -> Picker:
        """Finds what is under a place."""
        return Picker(self.drawing)

    @cached_property
    def locked(self) -> Ints:
        """The tongues that are locked against re-rolling."""
        names = (edit.name for edit in self.design.tongues if edit.locked_seed is not None)
        return np.array([self.tiling.edge_indices[name] for name in names], np.int64)


def tiling_of(parameters: JigsawParameters) -> Tiling:
    """The tiling that the parameters ask for."""
    return rectangular(parameters.columns, parameters.rows, parameters.width, parameters.height)


def shape(design: JigsawDesign, before: JigsawShapes | None, progress: Progress) -> JigsawShapes:
    """The shapes of a design; of `before`, if it has the same parameters, all that did not change is kept."""
    progress.step(0.0)
    if before is not None and before.design.parameters == design.parameters:
        return _reshaped(design, before)
    parameters = design.parameters
    tiling = tiling_of(parameters)
    corners = _placed(design, tiling, np.arange(tiling.graph.corner_count))
    tongues = _numbered(design, tiling, np.arange(len(tiling.graph.edges)))
    strokes = _strokes(parameters, tiling, corners, tongues, np.arange(len(tiling.graph.edges)))
    chains = [Chain(Operation.INNER, codes) for codes in tiling.chains]
    chains.append(Chain(Operation.BORDER, tiling.rim, closed=True))
    pieces = Pieces(tiling.graph.codes, tiling.graph.starts, tiling.piece_names)
    drawing = Drawing(parameters.width, parameters.height, strokes, tuple(chains), pieces)
    return JigsawShapes(design, drawing, tiling, frozen(corners), frozen(tongues))


def _reshaped(design: JigsawDesign, before: JigsawShapes) -> JigsawShapes:
    if design is before.design:
        return before
    tiling = before.tiling
    moved = _changed(before.design.corners, design.corners, tiling.corner_indices)
    turned = _changed(before.design.tongues, design.tongues, tiling.edge_indices)
    edges = distinct(np.concatenate([tiling.graph.edges_at(moved), turned]))
    if not len(edges):
        return JigsawShapes(design, before.drawing, tiling, before.corners, before.tongues)
    corners, tongues = before.corners, before.tongues
    if len(moved):
        corners = corners.copy()
        corners[moved] = _placed(design, tiling, moved)
    if len(turned):
        tongues = tongues.copy()
        tongues[turned] = _numbered(design, tiling, turned)
    strokes = before.drawing.strokes.replaced(edges, _strokes(design.parameters, tiling, corners, tongues, edges))
    old = before.drawing
    drawing = Drawing(old.width, old.height, strokes, old.chains, old.pieces)
    return JigsawShapes(design, drawing, tiling, frozen(corners), frozen(tongues))


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
    """Where some corners lie: home, chance or hand, border."""
    parameters = design.parameters
    keys = tiling.corner_keys[chosen]
    shift = parameters.perturbation * np.stack(
        [symmetric(parameters.seed, keys, "right"), symmetric(parameters.seed, keys, "down")], 1
    )
    if design.corners:
        able = np.flatnonzero(tiling.freedom[chosen].any(axis=1))
        for at, edit in _decided(design.corners, chosen, able, tiling.corner_name, tiling.corner_indices).items():
            shift[at] = edit.right, edit.down
    places = tiling.homes[chosen] + shift * tiling.freedom[chosen] * tiling.cell
    on_rim = tiling.inward[chosen].any(axis=1)
    if on_rim.any():
        places[on_rim] = _on_border(parameters, tiling, chosen[on_rim], places[on_rim])
    fixed = ~tiling.freedom[chosen].any(axis=1)
    if parameters.corner_radius > 0 and fixed.any():
        middle = np.array(tiling.size) / 2
        outwards = np.sign(places[fixed] - middle)
        places[fixed] -= outwards * parameters.corner_radius * ARC_HALF
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


def _on_border(parameters: JigsawParameters, tiling: Tiling, chosen: Ints, places: Floats) -> Floats:
    """Corners of the rim put on the border: between the board's corners, on its arcs, in its waves."""
    inward = tiling.inward[chosen]
    axis = np.argmin(np.abs(inward), axis=1)
    rows = np.arange(len(chosen))
    side = np.array(tiling.size)[axis]
    radius = parameters.corner_radius
    margin = radius * ARC_HALF + RIM_MARGIN * tiling.cell[axis]
    along = np.clip(places[rows, axis], margin, side - margin)
    near = np.minimum(along, side - along)
    depth = np.zeros(len(chosen))
    if parameters.border == "wandering":
        reach = WANDER * parameters.perturbation * float(tiling.cell.min())
        depth = reach * uniform(parameters.seed, tiling.corner_keys[chosen], "inward")
    arc = radius - np.sqrt(np.maximum(0.0, radius**2 - np.maximum(0.0, radius - near) ** 2))
    depth = np.where(near < radius, arc, depth)
    result = tiling.homes[chosen] + inward * depth[:, None]
    result[rows, axis] = along
    return result


def _numbered(design: JigsawDesign, tiling: Tiling, chosen: Ints) -> Floats:
    """The numbers (k, 9) of some tongues: chance, then hand."""
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
    table = np.empty((len(chosen), 9))
    table[:, SIDE] = np.where(uniform(seeds, keys, "side") < 0.5, -1.0, 1.0)
    table[:, PLAIN] = uniform(seeds, keys, "plain") < parameters.plain_share
    table[:, SIZE] = parameters.tongue_size * (1 + parameters.vary_size * symmetric(seeds, keys, "size"))
    table[:, PLACE] = parameters.vary_place * symmetric(seeds, keys, "place")
    table[:, DEPTH] = parameters.vary_depth * symmetric(seeds, keys, "depth")
    table[:, SLANT] = parameters.vary_slant * symmetric(seeds, keys, "slant")
    table[:, NECK] = 1 + parameters.vary_neck * symmetric(seeds, keys, "neck")
    table[:, FIRST_BEND] = BEND * symmetric(seeds, keys, "first bend")
    table[:, SECOND_BEND] = BEND * symmetric(seeds, keys, "second bend")
    for at, edit in edits.items():
        for name, column in {"side": SIDE, "plain": PLAIN, **COLUMNS}.items():
            value = getattr(edit, name)
            if value is not None:
                table[at, column] = value
    return table


def _strokes(parameters: JigsawParameters, tiling: Tiling, corners: Floats, tongues: Floats, edges: Ints) -> Curves:
    """The curves of some edges, in the order named."""
    ends = corners[tiling.graph.edges[edges]]
    inner = (tiling.graph.sides[edges] >= 0).all(axis=1)
    plain = tongues[edges, PLAIN] > 0.5
    counts = np.full(len(edges), 4)
    drawn = []
    for which, curve in ((inner & ~plain, parameters.style.curve), (inner & plain, _plain)):
        if which.any():
            frames = framed(ends[which], tongues[edges[which]], tiling.across[edges[which]])
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
            through = tiling.through[edges, end]
            joined = ~np.isnan(through[:, 0])
            corner = tiling.graph.edges[edges, end][joined]
            upright = np.abs(through[joined, 1]) > np.abs(through[joined, 0])
            key = tiling.corner_keys[corner] * 2 + upright
            direction[joined] = _turned(through[joined], BEND * symmetric(parameters.seed, key, "joint"))
        result.append(direction)
    return result[0], result[1]


def _turned(directions: Floats, angles: Floats) -> Floats:
    cos, sin = np.cos(angles), np.sin(angles)
    x, y = directions[:, 0], directions[:, 1]
    return np.stack([x * cos - y * sin, x * sin + y * cos], 1)


def _plain(frames: Frames, leaving: Floats, reaching: Floats) -> Floats:
    """One gentle cubic (k, 4, 2) that keeps the joints smooth."""
    first, second, handle = frames.ends[:, 0], frames.ends[:, 1], frames.length[:, None] / 3
    return np.stack([first, first + leaving * handle, second - reaching * handle, second], 1)


def _border(parameters: JigsawParameters, tiling: Tiling, ends: Floats, edges: Ints, which: Ints) -> dict[int, Floats]:
    """The strokes of the border's edges: straight or waving, round at the board's corners."""
    radius = parameters.corner_radius
    waving = parameters.border == "wandering" and parameters.perturbation > 0
    strokes = {}
    for at in which.tolist():
        first, second = ends[at]
        homes = tiling.homes[tiling.graph.edges[edges[at]]]
        axis = int(abs(homes[1, 1] - homes[0, 1]) > abs(homes[1, 0] - homes[0, 0]))
        side = tiling.size[axis]
        low, high = first[axis], second[axis]
        if not waving and low >= radius and high <= side - radius:
            strokes[at] = np.stack([first, (2 * first + second) / 3, (first + 2 * second) / 3, second])
            continue
        base = homes[0, 1 - axis]
        inwards = 1.0 if base == 0 else -1.0
        profile = _profile(low, abs(first[1 - axis] - base), high, abs(second[1 - axis] - base), side, radius)
        stroke = np.empty((len(profile), 2))
        stroke[:, axis] = profile[:, 0]
        stroke[:, 1 - axis] = base + inwards * profile[:, 1]
        stroke[0], stroke[-1] = first, second
        strokes[at] = stroke
    return strokes


def _profile(low: float, low_depth: float, high: float, high_depth: float, side: float, radius: float) -> Floats:
    """The border from `low` to `high` along a side, as control points (along, depth): arc, wave, arc."""
    points: list[tuple[float, float]] = [(low, low_depth)]

    def arc(begin: float, end: float, mirrored: float) -> None:
        first, second = np.arccos(1 - np.array([begin, end]) / radius)
        handle = 4 / 3 * np.tan((second - first) / 4)
        for angle, sign in ((first, 1), (second, -1)):
            along = radius * (1 - np.cos(angle) + sign * handle * np.sin(angle))
            depth = radius * (1 - np.sin(angle) - sign * handle * np.cos(angle))
            points.append((float(mirrored + along if mirrored == 0 else mirrored - along), float(depth)))
        along, depth = radius * (1 - np.cos(second)), radius * (1 - np.sin(second))
        points.append((float(mirrored + along if mirrored == 0 else mirrored - along), float(depth)))

    if low < radius:
        arc(low, min(high, radius), 0.0)
    arcs_meet = side - 2 * radius < NO_LENGTH
    if high > radius and low < side - radius and not arcs_meet:
        begin, depth = points[-1]
        end = min(high, side - radius)
        until = high_depth if high <= side - radius else 0.0
        reach = WAVE_HANDLE * (end - begin) if depth != until else (end - begin) / 3
        points += [(begin + reach, depth), (end - reach, until), (end, until)]
    if high > side - radius:
        arc(side - max(low, side - radius), side - high, side)
    return np.array(points)
