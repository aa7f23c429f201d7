"""Positions of a jigsaw's corners, and the course of corners and edges along lines of the picture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from studio.base.chance import symmetric, uniform
from studio.base.progress import SILENT, Progress
from studio.geometry.board.tiling import FIXED, FREE, NONE, Tiling
from studio.geometry.curves.strokes import Floats, Ints
from studio.puzzles.jigsaw.model.design import CornerEdit, JigsawDesign, TongueEdit
from studio.puzzles.jigsaw.model.strokes import BESIDE_CORNER, RIM_MARGIN, WANDER
from studio.puzzles.jigsaw.tongues.tongues import DEPTH, FOLLOWING, HOOKED, PLAIN, SIZE, STRAIGHT
from studio.puzzles.named_edits import found

if TYPE_CHECKING:
    from studio.puzzles.jigsaw.picture.contours import Course

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
