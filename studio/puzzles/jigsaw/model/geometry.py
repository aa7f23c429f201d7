"""Shapes of a jigsaw, from its design: random values, edits, tongues and the border."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from studio.base.chance import symmetric, uniform
from studio.base.progress import SILENT, Progress
from studio.geometry.board.tiling import NONE, Tiling
from studio.geometry.curves.strokes import Curves, Floats, Ints, among, distinct, frozen, paired
from studio.geometry.planar.drawing import Drawing, Operation
from studio.puzzles.jigsaw.check_problems import limits
from studio.puzzles.jigsaw.model.design import (
    BOX,
    NO_LID,
    RECESSED,
    CornerEdit,
    JigsawDesign,
    JigsawParameters,
    TongueEdit,
)
from studio.puzzles.jigsaw.model.strokes import (
    BEND,
    course_of,
    decided,
    drawing_of,
    follow,
    is_led,
    placed,
    size_hooks,
    strokes_of,
    with_picture,
)
from studio.puzzles.jigsaw.model.tiling import kept_cuts, tiling_of
from studio.puzzles.jigsaw.tongues.easing import Eased, ease, is_eased, strengthen
from studio.puzzles.jigsaw.tongues.styles import (
    REACHES,
    SIZES,
    STYLE_NUMBERS,
    Style,
    add_special,
    of_one_style,
    style_numbers,
)
from studio.puzzles.jigsaw.tongues.tongues import (
    BALANCES,
    COLUMNS,
    DEPTH,
    DRAWN,
    FALSE_EDGES,
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

if TYPE_CHECKING:
    from studio.geometry.board.splicing import Shared
    from studio.geometry.planar.regions import Picker
    from studio.geometry.planar.trays import Tray, TrayForm

ROLL = 2**40
"""Distance between the keys of successive rolls of a tongue; larger than every key of a tiling."""


E = TypeVar("E", CornerEdit, TongueEdit)


@dataclass(frozen=True, eq=False)
class JigsawShapes:
    """A jigsaw's shapes: drawing, positions of corners in mm, shape (n, 2), and values of tongues, shape (m + k, 17).

    The k tongues of figures follow the m edges. `rooms` bounds the room of every tongue in mm, in addition to the
    length of its edge, shape (m,); the only edits that change it are new styles. `eased` are the tongues made smaller
    before edits, None on boards of the first layout; `bare` are the shapes before edits, None without any.
    """

    design: JigsawDesign
    drawing: Drawing
    tiling: Tiling
    corners: Floats
    tongues: Floats
    rooms: Floats
    eased: Eased | None = None
    bare: JigsawShapes | None = None

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
        return limits(parameters, *self.tiling.scale.tolist())

    @cached_property
    def tray(self) -> Tray | None:
        """Tray around the board, or None."""
        return tray_around(self.drawing, self.design.parameters) if self.design.parameters.tray else None

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
        # Imported for the first hit test: a start need not wait for shapely.
        from studio.geometry.planar.regions import Picker

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
        named = ["merged", "path", "cuts", "loose", "whimsies", "profile", "flow_lines", "uncut", "lines"]
        named += ["picture"] if design.parameters.follow_colours or design.uncut or design.lines else []
        differing = [name for name in named if getattr(before.design, name) != getattr(design, name)]
        if not differing:
            return _reshaped(design, before)
        if differing == ["whimsies"] and course_of(design, tiling_of(design), progress) is None:
            return _redivided(design, tiling_of(design), before)
    if design.picture is not None and is_led(design):
        from studio.puzzles.jigsaw.picture.colour_lines import lines_of

        # Decode a large picture here, once: this may run on a thread.
        lines_of(design.picture.data, progress)
    return shaped(design, tiling_of(design, progress.part(0.0, 0.4)), progress.part(0.4, 1.0))


def shaped(design: JigsawDesign, tiling: Tiling, progress: Progress = SILENT) -> JigsawShapes:
    """Compute the shapes on a tiling: every inner edge gets a tongue, and the border follows the outline."""
    progress.step(0.0)
    everything = np.arange(len(tiling.graph.edges))
    corners = placed(design, tiling, np.arange(tiling.graph.corner_count))
    tongues = _with_figures(design, tiling, _numbered(design, tiling, everything))
    follow(design, tiling, corners, tongues, everything)
    progress.step(0.2)
    rooms = _rooms(design, tiling, corners, tongues)
    progress.step(0.4)
    _strengthen(design, tiling, corners, tongues, rooms, everything)
    tongues, eased, bare = _laid(design, tiling, tongues)
    draw = partial(strokes_of, design, tiling, corners, tongues, rooms, course=course_of(design, tiling))
    strokes = draw(everything)
    if is_eased(design) and eased is None:
        strokes, eased = ease(design, tiling, tongues, rooms, strokes, draw)
    progress.step(0.7)
    drawing = drawing_of(design, tiling, strokes)
    return JigsawShapes(design, drawing, tiling, frozen(corners), frozen(tongues), rooms, eased, bare)


def _laid(
    design: JigsawDesign, tiling: Tiling, tongues: Floats, before: JigsawShapes | None = None
) -> tuple[Floats, Eased | None, JigsawShapes | None]:
    """Lay the tongues that are eased without a design's edits into the table; None for these if there is nothing to."""
    if not is_eased(design) or not (design.corners or design.tongues):
        return tongues, None, None
    bare = replace(design, corners=(), tongues=())
    shapes = _redivided(bare, tiling, before.bare or before) if before else shaped(bare, tiling)
    assert shapes.eased is not None
    return shapes.eased.laid(design, tiling, tongues), shapes.eased, shapes


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
        corners[moved] = placed(design, tiling, moved)
    course = course_of(design, tiling)
    if is_led(design) or course is not None:
        # The corners' places decide if an edge follows a line.
        turned = edges
    if len(of_figures):
        tongues = _with_figures(design, tiling, tongues[: len(tiling.edge_keys)])
    if len(turned):
        tongues = tongues.copy()
        tongues[turned] = _numbered(design, tiling, turned)
        follow(design, tiling, corners, tongues, turned)
        if (tongues[turned, STYLE] != before.tongues[turned, STYLE]).any():
            rooms = _rooms(design, tiling, corners, tongues)
        _strengthen(design, tiling, corners, tongues, rooms, turned)
        tongues = before.eased.laid(design, tiling, tongues, turned) if before.eased else tongues
    old = before.drawing
    strokes = old.strokes.replaced(edges, strokes_of(design, tiling, corners, tongues, rooms, edges, course))
    drawing = Drawing(old.width, old.height, strokes, old.chains, old.pieces, old.artwork)
    if not is_same or (old.artwork and (tiling.graph.sides[edges] < 0).any()):
        drawing = with_picture(drawing, design.picture)
    bare = (before.bare or before) if design.corners or design.tongues else None
    return JigsawShapes(design, drawing, tiling, frozen(corners), frozen(tongues), rooms, before.eased, bare)


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
    # By the second layout the corners around count, too.
    is_kept = design.corners is before.design.corners and design.parameters.layout_version == 1
    same = alike.corners if is_kept else np.full(len(corners), NONE)
    corners[same >= 0] = before.corners[same[same >= 0]]
    anew = np.flatnonzero(same < 0)
    corners[anew] = placed(design, tiling, anew)
    tongues = np.empty((len(tiling.edge_keys), NUMBERS))
    known = before.tongues[: len(before.rooms)]
    same = alike.tongues.copy()
    if design.tongues is not before.design.tongues or _disguise(design) is not None:
        same[:] = NONE
    # The corners' places decide if an edge follows a line, and neighbours if a tongue is eased.
    same[known[same, PLAIN] == FOLLOWING] = NONE
    if before.eased is not None:
        same[among(same, before.eased.edges)] = NONE
    tongues[same >= 0] = known[same[same >= 0]]
    anew = np.flatnonzero(same < 0)
    tongues[anew] = _numbered(design, tiling, anew)
    follow(design, tiling, corners, tongues, np.arange(len(tongues)))
    rooms = _rooms_again(design, tiling, corners, tongues, before, alike)
    same, old = alike.edges.copy(), before.tiling.graph.edges
    is_same = (paired(corners)[tiling.graph.edges] == paired(before.corners)[old[same]]).all(axis=1)
    if design.parameters.strong_necks:
        is_known = is_same & (rooms == before.rooms[same]) & (same >= 0)
        is_known[anew] = False
        anew = np.flatnonzero(~is_known)
        tongues[anew] = _numbered(design, tiling, anew)
        follow(design, tiling, corners, tongues, anew)
        _strengthen(design, tiling, corners, tongues, rooms, anew)
    tongues = _with_figures(design, tiling, tongues)
    tongues, eased, bare = _laid(design, tiling, tongues, before)
    is_same &= (tongues[: len(same)] == known[same]).all(axis=1) & (rooms == before.rooms[same])
    same[~is_same] = NONE
    anew = np.flatnonzero(same < 0)
    draw = partial(strokes_of, design, tiling, corners, tongues, rooms)
    strokes = before.drawing.strokes.taken(same, draw(anew))
    if is_eased(design) and bare is None and before.eased is not None:
        other = np.append(alike.other_faces(tiling.graph, before.tiling.graph), False)[tiling.graph.sides].any(axis=1)
        known_before = before.eased.on(np.where(other, NONE, same))
        strokes, eased = ease(design, tiling, tongues, rooms, strokes, draw, known_before)
    drawing = drawing_of(design, tiling, strokes)
    return JigsawShapes(design, drawing, tiling, frozen(corners), frozen(tongues), rooms, eased, bare)


def _changed(before: tuple[E, ...], after: tuple[E, ...], indices: dict[str, int]) -> Ints:
    """Elements whose edits differ; unchanged edits are the same objects."""
    if before is after:
        return np.empty(0, np.int64)
    old = {id(edit): edit for edit in before}
    new = {id(edit): edit for edit in after}
    names = {new[key].name for key in new.keys() - old.keys()}
    names |= {old[key].name for key in old.keys() - new.keys()}
    return np.array(sorted(indices[name] for name in names), np.int64)


def _numbered(design: JigsawDesign, tiling: Tiling, chosen: Ints) -> Floats:
    """Values of tongues: random, then edited. Shape (k, 17)."""
    parameters = design.parameters
    seeds = np.full(len(chosen), parameters.seed, np.int64)
    keys = tiling.edge_keys[chosen].copy()
    edits = {}
    if design.tongues:
        able = np.flatnonzero(tiling.is_inner[chosen])
        edits = decided(design.tongues, chosen, able, tiling.edge_name, tiling.tongue_indices)
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
    if any(parameters.special_shares):
        add_special(table, parameters.special_shares, seeds, keys, tiling.lengths[chosen], tiling.scale)
    for at, edit in edits.items():
        if edit.style is not None:
            table[at, STYLE] = STYLE_NUMBERS[edit.style]
    table[:, SIZE] *= SIZES[table[:, STYLE].astype(np.int64)]
    if tiling.drawn is not None or len(tiling.seams.edges):
        # A straight line within a figure gets a tongue if there is room; all other cuts of figures stay as drawn.
        as_drawn = np.isin(chosen, tiling.seams.edges) | (tiling.drawn is not None)
        has_room = np.isin(chosen, tiling.seams.edges[tiling.seams.are_within]) & (tiling.bows[chosen] == 0)
        as_drawn &= ~has_room | (table[:, PLAIN] > 0.5)
        table[as_drawn, PLAIN], table[as_drawn, SIDE] = DRAWN, np.where(tiling.bows[chosen[as_drawn]] < 0, -1.0, 1.0)
    disguise = _disguise(design)
    if disguise is not None:
        values = np.where(keys == tiling.edge_keys[chosen], disguised(tiling, seeds, chosen, disguise), np.nan)
        table[:, PLAIN] = np.where(np.isnan(values), table[:, PLAIN], values)
    for at, edit in edits.items():
        if edit.style is not None and table[at, PLAIN] == DRAWN:
            table[at, PLAIN] = 0.0
        for name, column in {"side": SIDE, "plain": PLAIN, **COLUMNS}.items():
            value = getattr(edit, name)
            if value is not None:
                table[at, column] = value
        if edit.ruled:
            table[at, PLAIN] = STRAIGHT
    return table


def _disguise(design: JigsawDesign) -> Disguise | None:
    """Edges that mislead; None if there are none. On a board that follows a picture false edges are among those."""
    p = design.parameters
    false_edges = 0.0 if is_led(design) else p.false_edges
    false_edges = max(false_edges, FALSE_EDGES if p.tricky_border else 0.0)
    if not (false_edges or p.false_corners or p.hidden_border or (p.plain_share and p.layout_version > 2)):
        return None
    keeps_locks = p.layout_version > 2 and p.plain_share < 1.0
    return Disguise(false_edges, p.false_corners, p.hidden_border, p.plain_share, keeps_locks)


def _rooms(design: JigsawDesign, tiling: Tiling, corners: Floats, tongues: Floats) -> Floats:
    """Room of every tongue in mm, in addition to the length of its edge, shape (m,).

    Neighbours count without their edits, so that an edit changes only its own cuts.
    """
    course, most, tongues = course_of(design, tiling), tiling.rim_rooms, tongues[: len(tiling.edge_keys)]
    most = most if course is None else np.minimum(most, course.rooms)
    alone = np.minimum(tiling.across, most)
    heeding = _heeding(design, tiling, tongues)
    if not heeding.any():
        return frozen(alone)
    heeded = np.minimum(most, _around(design, tiling, corners, tongues))
    return frozen(np.where(heeding, heeded, alone))


def _heeding(design: JigsawDesign, tiling: Tiling, tongues: Floats) -> NDArray[np.bool_]:
    """Mask of the tongues whose style limits them to the room that neighbours leave; figures have their own."""
    heeding = np.zeros(len(tongues), bool)
    for style, which in of_one_style(design.styles, tongues[:, STYLE]):
        heeding[which] = style.heeds_neighbours
    heeding[tiling.seams.edges] = False
    return heeding


def _around(
    design: JigsawDesign, tiling: Tiling, corners: Floats, tongues: Floats, faces: Ints | None = None
) -> Floats:
    """Room that the corners and tongues of the same pieces leave each tongue, all without edits, shape (m,)."""
    bare = replace(design, corners=(), tongues=())
    if design.corners:
        corners = placed(bare, tiling, np.arange(tiling.graph.corner_count))
    reaches, is_special = np.ones(len(tiling.graph.edges)), any(design.parameters.special_shares)
    # Tongues that were simplified count as they were.
    if design.tongues or is_special:
        tongues = _numbered(bare, tiling, np.arange(len(tiling.graph.edges)))
    if is_special:
        reaches = REACHES[tongues[:, STYLE].astype(np.int64)]
    return rooms_of(tiling.graph, corners, tongues, reaches, faces)


def _rooms_again(
    design: JigsawDesign, tiling: Tiling, corners: Floats, tongues: Floats, before: JigsawShapes, alike: Shared
) -> Floats:
    """Same as `_rooms`; tongues between two unchanged pieces with unmoved corners keep their room."""
    heeding, same = _heeding(design, tiling, tongues), alike.edges
    if _disguise(design) is not None or not heeding.any():
        return _rooms(design, tiling, corners, tongues)
    graph, old = tiling.graph, before.tiling.graph
    is_other = alike.other_faces(graph, old)
    is_still = (alike.corners >= 0) & (corners == before.corners[alike.corners]).all(axis=1)
    is_other[graph.faces_at(graph.edges_at(np.flatnonzero(~is_still)))] = True
    kept = np.append(~is_other, True)[graph.sides].all(axis=1) & (same >= 0)
    kept &= heeding & _heeding(before.design, before.tiling, before.tongues[: len(before.rooms)])[same]
    kept &= tiling.rim_rooms == before.tiling.rim_rooms[same]
    anew = np.flatnonzero(~kept)
    alone = np.minimum(tiling.across, tiling.rim_rooms)
    around = _around(design, tiling, corners, tongues, graph.faces_at(anew))
    rooms = np.where(heeding, np.minimum(tiling.rim_rooms, around), alone)
    rooms[kept] = before.rooms[same[kept]]
    return frozen(rooms)


def _strengthen(
    design: JigsawDesign, tiling: Tiling, corners: Floats, tongues: Floats, rooms: Floats, edges: Ints
) -> None:
    """Give tongues in the table strong necks, measured without edits of corners: a drag only stretches them."""
    course = course_of(design, tiling)
    size_hooks(design, tiling, tongues, rooms, edges)
    if design.corners:
        corners = placed(replace(design, corners=()), tiling, np.arange(tiling.graph.corner_count))
    draw = partial(strokes_of, design, tiling, corners, tongues, rooms, course=course)
    if design.parameters.strong_necks:
        strengthen(design, tiling, tongues, rooms, edges, draw)
    if course is not None and course.guards:
        from studio.puzzles.jigsaw.picture.masks import guard

        guard(design, tiling, course.guards, tongues, edges, draw)


def tray_around(drawing: Drawing, parameters: JigsawParameters) -> Tray | None:
    """Build the tray around a board; None if the border crosses itself and encloses nothing."""
    rims = [
        chain
        for chain in drawing.chains
        if chain.operation is Operation.BORDER
        or (chain.bounds_void and drawing.followed_once[chain.strokes >> 1].all())
    ]
    outlines = Curves.from_strokes([path.points for path in replace(drawing, chains=tuple(rims)).paths()])
    return _tray(outlines.points.tobytes(), outlines.starts.tobytes(), form(parameters))


def form(parameters: JigsawParameters) -> TrayForm:
    """Form of the tray."""
    from studio.geometry.planar.trays import TrayForm

    p = parameters
    return TrayForm(
        p.tray_clearance, p.tray_rim, p.tray_corner, p.tray_notches, p.tray_notch,
        is_box=p.tray_form == BOX, has_lid=p.tray_lid != NO_LID, has_recess=p.tray_lid == RECESSED,
    )  # fmt: skip


@lru_cache(maxsize=8)
def _tray(points: bytes, starts: bytes, form: TrayForm) -> Tray | None:
    """Build a tray around closed outlines; cached, because a board's outlines stay while inner cuts are dragged."""
    from studio.geometry.planar.trays import FOLLOWED, Tray, region_of

    outlines = Curves(np.frombuffer(points, np.float64).reshape(-1, 2), np.frombuffer(starts, np.int64))
    board = region_of(outlines.flattened(FOLLOWED))
    return None if board.is_empty else Tray(board, form)
