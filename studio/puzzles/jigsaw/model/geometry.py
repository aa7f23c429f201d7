"""Shapes of a jigsaw, from its design: random values, edits, tongues and the border."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from studio.base.chance import symmetric, uniform
from studio.base.progress import SILENT, Progress
from studio.geometry.board.tiling import FIXED, FREE, NONE, Tiling
from studio.geometry.curves.strokes import Curves, Floats, Ints, distinct, frozen, paired
from studio.geometry.planar.drawing import Drawing, Picker
from studio.puzzles.jigsaw.model.design import CornerEdit, JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.model.strokes import (
    BEND,
    BESIDE_CORNER,
    RIM_MARGIN,
    WANDER,
    drawing_of,
    strokes_of,
    with_picture,
)
from studio.puzzles.jigsaw.model.tiling import kept_cuts, tiling_of
from studio.puzzles.jigsaw.tongues.styles import STYLE_NUMBERS, Style, of_one_style, style_numbers
from studio.puzzles.jigsaw.tongues.tongues import (
    BALANCES,
    COLUMNS,
    DEPTH,
    DRAWN,
    FIRST_BEND,
    FOLLOWING,
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
    STRAIGHT,
    STYLE,
    Disguise,
    Frames,
    disguised,
    framed,
    rooms_of,
)
from studio.puzzles.named_edits import found

if TYPE_CHECKING:
    from studio.geometry.board.splicing import Shared
    from studio.geometry.planar.trays import Tray

ROLL = 2**40
"""Distance between the keys of successive rolls of a tongue; larger than every key of a tiling."""
FEW = 64
"""Number of elements below which their edits are looked up one by one."""

E = TypeVar("E", CornerEdit, TongueEdit)


@dataclass(frozen=True, eq=False)
class JigsawShapes:
    """A jigsaw's shapes: drawing, positions of corners in mm, shape (n, 2), and values of tongues, shape (m + k, 17).

    The k tongues of figures follow the m edges. `rooms` bounds the room of every tongue in mm, in addition to the
    length of its edge, shape (m,); the only edits that change it are new styles.
    """

    design: JigsawDesign
    drawing: Drawing
    tiling: Tiling
    corners: Floats
    tongues: Floats
    rooms: Floats

    @cached_property
    def made(self) -> JigsawShapes:
        """The shapes without the pieces that are left open; cuts keep their numbers."""
        if not self.design.dropped:
            return self
        return replace(self, drawing=self.drawing.with_pieces(np.flatnonzero(~self.is_open)))

    @cached_property
    def is_open(self) -> NDArray[np.bool_]:
        """Mask of the pieces that are left open."""
        return frozen(np.isin(self.drawing.pieces.names, self.design.dropped))

    @cached_property
    def joined_edges(self) -> Ints:
        """Inner edges between two pieces that are both made."""
        inner = self.tiling.inner_edges
        if not self.design.dropped:
            return inner
        names, tiling = {*self.design.dropped}, self.tiling
        open_edges = [
            edge for edge in inner.tolist() if {tiling.piece_at(2 * edge), tiling.piece_at(2 * edge + 1)} & names
        ]
        return frozen(np.setdiff1d(inner, open_edges))

    @cached_property
    def whole(self) -> Drawing:
        """Drawing of the pieces that are made, with the engravings; cuts keep their numbers."""
        drawing = self.made.drawing
        if not self.design.engravings:
            return drawing
        from studio.puzzles.jigsaw.picture.engravings import with_engravings

        return with_engravings(drawing, self.design.engravings)

    @cached_property
    def limits(self) -> JigsawParameters:
        """Parameters with the limits that hold on this board."""
        parameters = self.design.parameters
        if not parameters.scale_limits:
            return parameters
        from studio.puzzles.jigsaw.tongues.necks_and_bends import limits

        return limits(parameters, *self.tiling.scale.tolist())

    @cached_property
    def tray(self) -> Tray | None:
        """Tray around the board, or None."""
        if not self.design.parameters.tray:
            return None
        from studio.puzzles.jigsaw.model.tray import tray

        return tray(self.design.parameters, self.drawing)

    def frames(self, tongues: Ints) -> Frames:
        """Frames of tongues."""
        stretches = np.empty(len(tongues))
        for style, which in self.of_one_style(tongues):
            stretches[which] = style.stretch
        edges = len(self.rooms)
        if not (len(tongues) and tongues.max() >= edges):
            ends = self.corners[self.tiling.graph.edges[tongues]]
            return framed(ends, self.tongues[tongues], self.rooms[tongues], stretches)
        from studio.puzzles.jigsaw.figures.tongues import feet

        of_figure = tongues >= edges
        ends = np.empty((len(tongues), 2, 2))
        ends[~of_figure] = self.corners[self.tiling.graph.edges[tongues[~of_figure]]]
        ends[of_figure] = feet(self.tiling)[tongues[of_figure] - edges]
        stretches[of_figure] = 1.0
        rooms = np.where(of_figure, np.hypot(*(ends[:, 1] - ends[:, 0]).T), np.inf)
        rooms[~of_figure] = self.rooms[tongues[~of_figure]]
        return framed(ends, self.tongues[tongues], rooms, stretches)

    def is_of_figure(self, tongue: int) -> bool:
        """True if a tongue belongs to a figure."""
        return tongue >= len(self.rooms)

    def curve(self, tongue: int) -> Floats:
        """Control points of a tongue, shape (3n + 1, 2); the foot alone of a figure's omitted tongue."""
        if not self.is_of_figure(tongue):
            return self.drawing.strokes[tongue]
        from studio.puzzles.jigsaw.figures.tongues import found_on, knob_of

        found = found_on(self.tiling, self.drawing, tongue)
        first, last = knob_of(self.tiling, tongue).foot
        return first + np.linspace(0.0, 1.0, 4)[:, None] * (last - first) if found is None else found[1]

    def curves(self, tongues: Ints) -> Curves:
        """Curves of tongues."""
        if not (len(tongues) and tongues.max() >= len(self.rooms)):
            return self.drawing.strokes.chosen(tongues)
        return Curves.from_strokes([self.curve(tongue) for tongue in tongues.tolist()])

    def piece_beside(self, tongue: int, side: float) -> str:
        """Name of the piece on a side of a tongue: 1 on the right, -1 on the left of its direction."""
        if not self.is_of_figure(tongue):
            return self.tiling.piece_at(2 * tongue + (0 if side > 0 else 1))
        from studio.puzzles.jigsaw.figures.tongues import beside

        return beside(self.tiling, self.drawing, tongue, side)

    def style_of(self, tongue: int) -> Style:
        """Style of a tongue."""
        return self.design.styles[int(self.tongues[tongue, STYLE])]

    def of_one_style(self, tongues: Ints) -> Iterator[tuple[Style, Ints]]:
        """Yield each style of some tongues with the indices of the tongues that have it."""
        return of_one_style(self.design.styles, self.tongues[tongues, STYLE])

    @cached_property
    def plain(self) -> NDArray[np.bool_]:
        """Mask of the edges without a tongue, shape (m + k,)."""
        plain = self.tongues[:, PLAIN] > 0.5
        plain[: len(self.rooms)] &= ~self.drawn[: len(self.rooms)] | (self.tiling.bows == 0)
        return frozen(plain)

    @cached_property
    def drawn(self) -> NDArray[np.bool_]:
        """Mask of the edges that keep their drawn curve, shape (m + k,)."""
        return frozen(self.tongues[:, PLAIN] == DRAWN)

    def decided(self, tongue: int) -> TongueEdit:
        """Edit of a tongue; blank if the tongue is not edited."""
        return self.design.tongue(self.tiling.tongue_name(tongue))

    @cached_property
    def picker(self) -> Picker:
        """Finder of the elements under a place."""
        return Picker(self.drawing)

    @cached_property
    def locked(self) -> Ints:
        """Locked tongues."""
        names = (edit.name for edit in self.design.tongues if edit.locked_seed is not None)
        return np.array([self.tiling.tongue_indices[name] for name in names], np.int64)


def shape(design: JigsawDesign, before: JigsawShapes | None, progress: Progress) -> JigsawShapes:
    """Compute the shapes of a design; if `before` has the same parameters, keep its unchanged parts."""
    progress.step(0.0)
    is_alike = before is not None and before.design.parameters == design.parameters
    if before is not None and is_alike and kept_cuts(before.design) == kept_cuts(design):
        named = ["merged", "path", "cuts", "loose", "whimsies", "profile", "flow_lines"]
        named += ["picture"] if design.parameters.follow_colours else []
        differing = [name for name in named if getattr(before.design, name) != getattr(design, name)]
        if not differing:
            return _reshaped(design, before)
        if differing == ["whimsies"]:
            return _redivided(design, tiling_of(design), before)
    if design.parameters.follow_colours and design.picture is not None:
        from studio.puzzles.jigsaw.picture.colour_lines import lines_of

        # Decode a large picture here, once: this may run on a thread.
        lines_of(design.picture.data, progress)
    return shaped(design, tiling_of(design, progress.part(0.0, 0.4)), progress.part(0.4, 1.0))


def shaped(design: JigsawDesign, tiling: Tiling, progress: Progress = SILENT) -> JigsawShapes:
    """Compute the shapes on a tiling: every inner edge gets a tongue, and the border follows the outline."""
    progress.step(0.0)
    everything = np.arange(len(tiling.graph.edges))
    corners = _placed(design, tiling, np.arange(tiling.graph.corner_count))
    tongues = _with_figures(design, tiling, _numbered(design, tiling, everything))
    _follow(design, tiling, corners, tongues, everything)
    progress.step(0.2)
    rooms = _rooms(design, tiling, corners, tongues)
    progress.step(0.4)
    _strengthen(design, tiling, corners, tongues, rooms, everything)
    strokes = strokes_of(design, tiling, corners, tongues, rooms, everything)
    progress.step(0.7)
    return JigsawShapes(design, drawing_of(design, tiling, strokes), tiling, frozen(corners), frozen(tongues), rooms)


def _with_figures(design: JigsawDesign, tiling: Tiling, table: Floats) -> Floats:
    """Append the values of figures' tongues to the values of the edges' tongues, shape (m, 17)."""
    if not tiling.figure_tongues:
        return table
    from studio.puzzles.jigsaw.figures.tongues import numbers

    return np.concatenate([table, numbers(design, tiling)])


def _reshaped(design: JigsawDesign, before: JigsawShapes) -> JigsawShapes:
    if design is before.design:
        return before
    tiling = before.tiling
    moved = _changed(before.design.corners, design.corners, tiling.corner_indices)
    turned = _changed(before.design.tongues, design.tongues, tiling.tongue_indices)
    of_figures = turned[turned >= len(tiling.edge_keys)]
    turned = turned[turned < len(tiling.edge_keys)]
    edges = distinct(np.concatenate([tiling.graph.edges_at(moved), turned, _along(tiling, of_figures)]))
    is_same = design.picture is before.design.picture
    if not len(edges):
        drawing = before.drawing if is_same else with_picture(before.drawing, design.picture)
        return replace(before, design=design, drawing=drawing)
    corners, tongues, rooms = before.corners, before.tongues, before.rooms
    if len(moved):
        corners = corners.copy()
        corners[moved] = _placed(design, tiling, moved)
    if design.parameters.follow_colours and design.picture is not None:
        # The corners' places decide if an edge follows a line.
        turned = edges
    if len(of_figures):
        tongues = _with_figures(design, tiling, tongues[: len(tiling.edge_keys)])
    if len(turned):
        tongues = tongues.copy()
        tongues[turned] = _numbered(design, tiling, turned)
        _follow(design, tiling, corners, tongues, turned)
        if (tongues[turned, STYLE] != before.tongues[turned, STYLE]).any():
            rooms = _rooms(design, tiling, corners, tongues)
        _strengthen(design, tiling, corners, tongues, rooms, turned)
    old = before.drawing
    strokes = old.strokes.replaced(edges, strokes_of(design, tiling, corners, tongues, rooms, edges))
    drawing = Drawing(old.width, old.height, strokes, old.chains, old.pieces, old.artwork)
    if not is_same or (old.artwork and (tiling.graph.sides[edges] < 0).any()):
        drawing = with_picture(drawing, design.picture)
    return JigsawShapes(design, drawing, tiling, frozen(corners), frozen(tongues), rooms)


def _along(tiling: Tiling, tongues: Ints) -> Ints:
    """Edges along figures that change with some of the figures' tongues."""
    if not len(tongues):
        return tongues
    from studio.puzzles.jigsaw.figures.tongues import cuts_of, figure_of

    return cuts_of(tiling, [figure_of(tiling, tongue) for tongue in tongues.tolist()])


def _redivided(design: JigsawDesign, tiling: Tiling, before: JigsawShapes) -> JigsawShapes:
    """Compute the shapes on a tiling that shares most of its corners and edges with the tiling of `before`."""
    from studio.geometry.board.splicing import Shared

    alike = Shared.from_tiling(tiling, before.tiling)
    if alike is None:
        return shaped(design, tiling)
    corners = np.empty_like(tiling.homes)
    same = alike.corners if design.corners is before.design.corners else np.full(len(corners), NONE)
    corners[same >= 0] = before.corners[same[same >= 0]]
    anew = np.flatnonzero(same < 0)
    corners[anew] = _placed(design, tiling, anew)
    tongues = np.empty((len(tiling.edge_keys), NUMBERS))
    known = before.tongues[: len(before.rooms)]
    same = alike.tongues.copy()
    if design.tongues is not before.design.tongues or _disguise(design.parameters) is not None:
        same[:] = NONE
    # The corners' places decide if an edge follows a line.
    same[known[same, PLAIN] == FOLLOWING] = NONE
    tongues[same >= 0] = known[same[same >= 0]]
    anew = np.flatnonzero(same < 0)
    tongues[anew] = _numbered(design, tiling, anew)
    _follow(design, tiling, corners, tongues, np.arange(len(tongues)))
    rooms = _rooms_again(design, tiling, corners, tongues, before, alike)
    same, old = alike.edges.copy(), before.tiling.graph.edges
    is_same = (paired(corners)[tiling.graph.edges] == paired(before.corners)[old[same]]).all(axis=1)
    if design.parameters.strong_necks:
        is_known = is_same & (rooms == before.rooms[same]) & (same >= 0)
        is_known[anew] = False
        anew = np.flatnonzero(~is_known)
        tongues[anew] = _numbered(design, tiling, anew)
        _follow(design, tiling, corners, tongues, anew)
        _strengthen(design, tiling, corners, tongues, rooms, anew)
    tongues = _with_figures(design, tiling, tongues)
    is_same &= (tongues[: len(same)] == known[same]).all(axis=1) & (rooms == before.rooms[same])
    same[~is_same] = NONE
    anew = np.flatnonzero(same < 0)
    strokes = before.drawing.strokes.taken(same, strokes_of(design, tiling, corners, tongues, rooms, anew))
    return JigsawShapes(design, drawing_of(design, tiling, strokes), tiling, frozen(corners), frozen(tongues), rooms)


def _changed(before: tuple[E, ...], after: tuple[E, ...], indices: dict[str, int]) -> Ints:
    """Elements whose edits differ; unchanged edits are the same objects."""
    if before is after:
        return np.empty(0, np.int64)
    old = {id(edit): edit for edit in before}
    new = {id(edit): edit for edit in after}
    names = {new[key].name for key in new.keys() - old.keys()}
    names |= {old[key].name for key in old.keys() - new.keys()}
    return np.array(sorted(indices[name] for name in names), np.int64)


def _placed(design: JigsawDesign, tiling: Tiling, chosen: Ints) -> Floats:
    """Positions of corners: regular, then irregular or edited, then on the border."""
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
    if parameters.follow_colours and design.picture is not None:
        _draw_towards(design, tiling, chosen, places)
    for track, sliding in tiling.sliding(chosen):
        stretch = tiling.outline.stretches[track]
        if parameters.follow_colours and design.picture is not None:
            _slide_towards(design, tiling, chosen, track, sliding, places)
        stations = stretch.stations(places[sliding], RIM_MARGIN * tiling.scale)
        depths = np.zeros(len(sliding))
        if parameters.border == "wandering" and not tiling.is_on_figure[chosen[sliding[0]]]:
            reach = WANDER * parameters.perturbation * float(tiling.scale.min())
            depths = reach * uniform(parameters.seed, keys[sliding], "inward")
        places[sliding] = stretch.at(stations, depths)
    return _beside_knobs(tiling, chosen, places)


def _draw_towards(design: JigsawDesign, tiling: Tiling, chosen: Ints, places: Floats) -> None:
    """Move the places of inner corners onto lines of the picture; edited corners stay."""
    from studio.puzzles.jigsaw.picture.colour_lines import drawn_towards

    able = np.flatnonzero(np.asarray(tiling.tracks)[chosen] == FREE)
    if design.corners:
        edited = [tiling.corner_indices[edit.name] for edit in design.corners]
        able = able[~np.isin(chosen[able], edited)]
    places[able] = drawn_towards(design, places[able], tiling.scale)


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


def _follow(design: JigsawDesign, tiling: Tiling, corners: Floats, tongues: Floats, edges: Ints) -> None:
    """Remove the tongues of edges that follow lines of the picture; edited edges keep theirs."""
    if not design.parameters.follow_colours or design.picture is None:
        return
    from studio.puzzles.jigsaw.picture.colour_lines import followed

    able = (tiling.graph.sides[edges] >= 0).all(axis=1) & (tongues[edges, PLAIN] < STRAIGHT)
    if design.tongues:
        edited = [tiling.tongue_indices[edit.name] for edit in design.tongues if not edit.is_only_kept]
        able &= ~np.isin(edges, edited)
    some = edges[able]
    if len(some):
        follows, _where = followed(design, corners[tiling.graph.edges[some]])
        tongues[some[follows], PLAIN] = FOLLOWING


def _beside_knobs(tiling: Tiling, chosen: Ints, places: Floats) -> Floats:
    """Move corners that slid onto a figure's tongue beside it, and return the positions of all."""
    on = np.flatnonzero(tiling.is_on_figure[chosen]) if tiling.fillings else ()
    for knob in (knob for one in tiling.fillings for knob in one.knobs):
        for at in on:
            beside = knob.beside(places[at])
            if beside is not None and tiling.tracks[chosen[at]] >= 0:
                places[at] = tiling.outline.stretches[tiling.tracks[chosen[at]]].nearest(beside[None])[0]
    return places


def _decided(
    edits: tuple[E, ...], chosen: Ints, able: Ints, name: Callable[[int], str], indices: dict[str, int]
) -> dict[int, E]:
    """Edits of the chosen elements, by index among them; `able` holds the indices of editable elements."""
    if len(chosen) < FEW:
        sought = ((at, found(edits, name(int(chosen[at])))) for at in able.tolist())
        return {at: edit for at, edit in sought if edit is not None}
    spots = {element: at for at, element in enumerate(chosen.tolist())}
    named = ((spots.get(indices[edit.name]), edit) for edit in edits)
    return {at: edit for at, edit in named if at is not None}


def _numbered(design: JigsawDesign, tiling: Tiling, chosen: Ints) -> Floats:
    """Values of tongues: random, then edited. Shape (k, 17)."""
    parameters = design.parameters
    seeds = np.full(len(chosen), parameters.seed, np.int64)
    keys = tiling.edge_keys[chosen].copy()
    edits = {}
    if design.tongues:
        able = np.flatnonzero(tiling.is_inner[chosen])
        edits = _decided(design.tongues, chosen, able, tiling.edge_name, tiling.tongue_indices)
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
    for name, column in BALANCES.items():
        table[:, column] = parameters.vary_flanks * symmetric(seeds, keys, name) if parameters.vary_flanks else 0.0
    table[:, FIRST_BEND] = BEND * symmetric(seeds, keys, "first bend")
    table[:, SECOND_BEND] = BEND * symmetric(seeds, keys, "second bend")
    table[:, STYLE] = style_numbers(parameters.tongue_style, parameters.weights, seeds, keys)
    if tiling.drawn is not None or len(tiling.seams.edges):
        # A straight line within a figure gets a tongue if there is room; all other cuts of figures stay as drawn.
        as_drawn = np.isin(chosen, tiling.seams.edges) | (tiling.drawn is not None)
        has_room = np.isin(chosen, tiling.seams.edges[tiling.seams.are_within]) & (tiling.bows[chosen] == 0)
        as_drawn &= ~has_room | (table[:, PLAIN] > 0.5)
        table[as_drawn, PLAIN], table[as_drawn, SIDE] = DRAWN, np.where(tiling.bows[chosen[as_drawn]] < 0, -1.0, 1.0)
    disguise = _disguise(parameters)
    if disguise is not None:
        values = np.where(keys == tiling.edge_keys[chosen], disguised(tiling, seeds, chosen, disguise), 0.0)
        table[:, PLAIN] = np.where(values > 0, values, table[:, PLAIN])
    for at, edit in edits.items():
        if edit.style is not None:
            table[at, STYLE] = STYLE_NUMBERS[edit.style]
            table[at, PLAIN] = 0.0 if table[at, PLAIN] == DRAWN else table[at, PLAIN]
        for name, column in {"side": SIDE, "plain": PLAIN, **COLUMNS}.items():
            value = getattr(edit, name)
            if value is not None:
                table[at, column] = value
        if edit.ruled:
            table[at, PLAIN] = STRAIGHT
    return table


def _disguise(parameters: JigsawParameters) -> Disguise | None:
    """Edges that mislead; None if there are none."""
    p = parameters
    if not (p.tricky_border or p.false_corners or p.hidden_border):
        return None
    return Disguise(p.tricky_border, p.false_corners, p.hidden_border, p.plain_share)


def _rooms(design: JigsawDesign, tiling: Tiling, corners: Floats, tongues: Floats) -> Floats:
    """Room of every tongue in mm, in addition to the length of its edge, shape (m,).

    Neighbours count without their edits, so that an edit changes only its own cuts.
    """
    alone, tongues = np.minimum(tiling.across, tiling.rim_rooms), tongues[: len(tiling.edge_keys)]
    heeding = _heeding(design, tiling, tongues)
    if not heeding.any():
        return frozen(alone)
    heeded = np.minimum(tiling.rim_rooms, rooms_of(tiling.graph, *_bare(design, tiling, corners, tongues)))
    return frozen(np.where(heeding, heeded, alone))


def _heeding(design: JigsawDesign, tiling: Tiling, tongues: Floats) -> NDArray[np.bool_]:
    """Mask of the tongues whose style limits them to the room that neighbours leave; figures have their own."""
    heeding = np.zeros(len(tongues), bool)
    for style, which in of_one_style(design.styles, tongues[:, STYLE]):
        heeding[which] = style.heeds_neighbours
    heeding[tiling.seams.edges] = False
    return heeding


def _bare(design: JigsawDesign, tiling: Tiling, corners: Floats, tongues: Floats) -> tuple[Floats, Floats]:
    """Corners and tongues without edits."""
    bare = replace(design, corners=(), tongues=())
    if design.corners:
        corners = _placed(bare, tiling, np.arange(tiling.graph.corner_count))
    if design.tongues:
        tongues = _numbered(bare, tiling, np.arange(len(tiling.graph.edges)))
    return corners, tongues


def _rooms_again(
    design: JigsawDesign, tiling: Tiling, corners: Floats, tongues: Floats, before: JigsawShapes, alike: Shared
) -> Floats:
    """Same as `_rooms`; tongues between two unchanged pieces keep their room."""
    heeding, same = _heeding(design, tiling, tongues), alike.edges
    if _disguise(design.parameters) is not None or not heeding.any():
        return _rooms(design, tiling, corners, tongues)
    graph, old = tiling.graph, before.tiling.graph
    kept = np.append(~alike.other_faces(graph, old), True)[graph.sides].all(axis=1) & (same >= 0)
    kept &= heeding & _heeding(before.design, before.tiling, before.tongues[: len(before.rooms)])[same]
    kept &= tiling.rim_rooms == before.tiling.rim_rooms[same]
    anew = np.flatnonzero(~kept)
    alone = np.minimum(tiling.across, tiling.rim_rooms)
    around = rooms_of(graph, *_bare(design, tiling, corners, tongues), graph.faces_at(anew))
    rooms = np.where(heeding, np.minimum(tiling.rim_rooms, around), alone)
    rooms[kept] = before.rooms[same[kept]]
    return frozen(rooms)


def _strengthen(
    design: JigsawDesign, tiling: Tiling, corners: Floats, tongues: Floats, rooms: Floats, edges: Ints
) -> None:
    """Give tongues in the table strong necks, measured without edits of corners: a drag only stretches them."""
    if not design.parameters.strong_necks:
        return
    from studio.puzzles.jigsaw.tongues.necks_and_bends import strengthen

    if design.corners:
        corners = _placed(replace(design, corners=()), tiling, np.arange(tiling.graph.corner_count))
    strengthen(design, tiling, tongues, rooms, edges, partial(strokes_of, design, tiling, corners, tongues, rooms))
