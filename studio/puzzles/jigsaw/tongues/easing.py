"""Easing: tongues too weak, or too near their neighbours, are strengthened, made smaller, or left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from studio.geometry.board.board_spec import DRAWN
from studio.geometry.board.tiling import FREE, Tiling
from studio.geometry.curves.strokes import Curves, Floats, Ints, among, distinct
from studio.puzzles.jigsaw.check_problems import LOST, limits
from studio.puzzles.jigsaw.model.design import BOUNDS, JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.tongues.necks_and_bends import are_tight, narrow_necks, tight_bends
from studio.puzzles.jigsaw.tongues.styles import DOUBLE, EARED, FIGURAL, SIZES, STYLE_NUMBERS, of_one_style
from studio.puzzles.jigsaw.tongues.tongues import (
    BALANCES,
    COLUMNS,
    DEPTH,
    FIRST_BEND,
    FOLLOWING,
    FULLNESS,
    HEAD,
    HOOKED,
    NECK,
    NUMBERS,
    PLACE,
    PLAIN,
    SECOND_BEND,
    SHAPE,
    SHOULDER,
    SIDE,
    SIZE,
    SLANT,
    STRAIGHT,
    STYLE,
    crowded,
    framed,
)
from studio.puzzles.named_edits import found

WIDEST = 0.3
"""Widest neck as a fraction of a usual piece's side: no tongue can meet a limit above it."""
SPARE = 1.04
"""Width of a strengthened neck divided by its limit, so that a slightly turned joint does not make it too narrow."""
ROOMY = 0.95
"""Tongues with more room than this fraction of a usual piece are not strengthened."""
CRAMPED = 0.65
"""Room as a fraction of an edge's length below which chance's figural knobs, double knobs and earlets are left out."""
SPECIAL, TWO_KNOBBED = ([STYLE_NUMBERS[key] for key in keys] for keys in ((*FIGURAL, *DOUBLE, *EARED), DOUBLE))
"""Numbers of the styles of these, and of double knobs."""
SHORT = 0.85
"""Edges shorter than this fraction of a usual piece stay straight if no tongue on them is strong enough."""
SAMPLE = 100.0
"""Length in mm of the edge of a tongue that stands for all of its style."""
LEAST_NECK, LEAST_BEND = (0.55, 0.95), 0.2
"""Least necks and bends of tongues as fractions of such a tongue's: necks of styles that heed no neighbours, or do."""
EASINGS = ((0.5, 0.88), (0.0, 0.72), (0.0, 0.55))
"""Shares of a crowded tongue's offsets, slant and own shape, and of its size, that it keeps step by step until it
becomes straight."""
TOUCHING = 0.05
"""Wall in mm below which cuts as good as cross."""
WIDER, SAG = 1.02, 0.3
"""Wall that is made as a multiple of the usual limit, and largest sag in mm of a tongue between samples."""
ROUNDS = 12
"""Most rounds in which crowded tongues are eased."""


def strengthen(
    design: JigsawDesign, tiling: Tiling, tongues: Floats, rooms: Floats, edges: Ints, draw: Callable[[Ints], Curves]
) -> None:
    """Strengthen the `tongues`, a table, whose necks or bends do not meet the usual limits.

    Thin necks are widened; short edges become straight if that does not help. Limits that a maker sets change no cut,
    and edited tongues keep their edits. `draw` makes the curves of edges from the table.
    """
    usual = _usual(design, tiling)
    if usual.least_neck > WIDEST * tiling.scale.min():
        return
    has_neck = _are_edited(design, tiling, edges, lambda edit: {edit.neck, edit.style, edit.plain} != {None})
    inner = (tiling.graph.sides[edges] >= 0).all(axis=1) & (tongues[edges, PLAIN] <= 0.5)
    piece = float(np.sqrt(tiling.scale.prod()))
    if any(design.parameters.special_shares):
        _simplify(design, tiling, tongues, rooms, edges[inner & ~has_neck], usual, draw)
    if design.parameters.layout_version > 1:
        edges = _doubtful_tongues(design, tiling, tongues, rooms, edges[inner & ~has_neck], usual)
    else:
        is_small = np.minimum(tiling.lengths[edges], rooms[edges]) < ROOMY * piece
        edges = edges[inner & ~has_neck & is_small]
    strokes = draw(edges)
    widths = _necks(strokes, usual, tongues[edges, STYLE])
    narrow = widths < usual.least_neck
    weak = edges[narrow | are_tight(strokes, usual.least_radius)]
    if not len(weak):
        return
    _widen(tongues, edges[narrow], widths[narrow], usual.least_neck)
    left = draw(weak)
    fails = (_necks(left, usual, tongues[weak, STYLE]) < usual.least_neck) | are_tight(left, usual.least_radius)
    fails &= tiling.lengths[weak] < SHORT * piece
    fails &= ~_are_edited(design, tiling, weak, lambda edit: not edit.is_only_kept)
    _flatten(tongues, weak[fails])


def _usual(design: JigsawDesign, tiling: Tiling) -> JigsawParameters:
    """The usual limits of a board, with its layout's version."""
    return limits(JigsawParameters(layout_version=design.parameters.layout_version), *tiling.scale.tolist())


def _flatten(tongues: Floats, edges: Ints) -> None:
    """Remove tongues in the table; those on lines of the picture leave these smooth."""
    tongues[edges, PLAIN] = np.where(tongues[edges, PLAIN] == HOOKED, FOLLOWING, 1.0)


def _widen(tongues: Floats, edges: Ints, widths: Floats, least: float) -> None:
    """Widen necks of these widths in mm to slightly more than the least."""
    wanted = tongues[edges, NECK] * SPARE * least / np.maximum(widths, 1e-6)
    tongues[edges, NECK] = np.minimum(wanted, BOUNDS["neck"][1])


def _doubtful_tongues(
    design: JigsawDesign, tiling: Tiling, tongues: Floats, rooms: Floats, edges: Ints, usual: JigsawParameters
) -> Ints:
    """Choose the edges with tongues that may not meet the usual limits, by an upright tongue of their style."""
    chosen, p = [edges[:0]], design.parameters
    way, feet = np.array([[1.0, 0.0]]), np.array([[[0.0, 0.0], [SAMPLE, 0.0]]])
    for style, which in of_one_style(design.styles, tongues[edges, STYLE]):
        some = edges[which]
        numbers = np.zeros((1, NUMBERS))
        numbers[0, [SIDE, NECK, SIZE, HEAD, SHOULDER, FULLNESS]] = (
            1.0, 1.0, p.tongue_size, p.head_width, p.shoulder, p.fullness,
        )  # fmt: skip
        points = style.curve(framed(feet, numbers, np.array([SAMPLE]), 1.0), way, way)
        tongue = Curves(points.reshape(-1, 2), np.array([0, points.shape[1]]))
        radius = min((*tight_bends(tongue, SAMPLE)[1].tolist(), SAMPLE))
        scale = np.minimum(style.stretch * tiling.lengths[some], rooms[some]) / SAMPLE
        scale *= tongues[some, SIZE] / p.tongue_size
        neck = float(_necks(tongue, usual, tongues[some[:1], STYLE], SAMPLE)[0]) * scale * tongues[some, NECK]
        neck *= LEAST_NECK[style.heeds_neighbours]
        # A tongue that heeds no neighbour may cross itself, however wide; ends may bend more than an upright tongue's.
        is_free = usual.layout_version > (5 if style.heeds_neighbours else 3)
        chosen.append(some[is_free | (neck < usual.least_neck) | (LEAST_BEND * radius * scale < usual.least_radius)])
    return np.sort(np.concatenate(chosen))


def is_eased(design: JigsawDesign) -> bool:
    """True if crowded tongues of a design are eased: not on boards of the first layout, nor those of drawn cuts."""
    parameters = design.parameters
    return parameters.layout_version > 1 and parameters.strong_necks and parameters.tiling != DRAWN


@dataclass(frozen=True, eq=False)
class Eased:
    """Tongues that are eased before edits: their edges, shape (k,), ascending, and their values, shape (k, 17).

    Before any was eased, `near` were the pairs of edges with a thin wall between them, shape (p, 2), and `weak` the
    edges with a weak tongue.
    """

    edges: Ints
    tongues: Floats
    near: Ints
    weak: Ints

    def on(self, same: Ints) -> tuple[Ints, Ints, Ints]:
        """Edges that changed on another board, and `near` and `weak` of those that did not, given the former edge of
        every edge, or -1."""
        kept = np.flatnonzero(same >= 0)
        renamed = np.full(int(same.max(initial=-1)) + 2, -1)
        renamed[same[kept]] = kept
        near, weak = (renamed[np.minimum(each, len(renamed) - 1)] for each in (self.near, self.weak))
        return np.flatnonzero(same < 0), near[(near >= 0).all(axis=1)], weak[weak >= 0]

    def laid(self, design: JigsawDesign, tiling: Tiling, tongues: Floats, edges: Ints | None = None) -> Floats:
        """Set the eased values in the table of a design's tongues, or of some `edges` alone; edited values stay."""
        which = np.arange(len(self.edges)) if edges is None else np.flatnonzero(among(self.edges, edges))
        # Where a moved corner or an edit takes an edge off its line, its tongue is none that was eased.
        was_led = np.isin(self.tongues[which, PLAIN], (HOOKED, FOLLOWING))
        which = which[was_led == (tongues[self.edges[which], PLAIN] == HOOKED)]
        if not len(which):
            return tongues
        tongues, chosen, fresh = tongues.copy(), self.edges[which], self.tongues[which]
        for at, edge in enumerate(chosen.tolist() if design.tongues else ()):
            edit = found(design.tongues, tiling.edge_name(edge))
            if edit is None:
                continue
            kept = [column for name, column in COLUMNS.items() if getattr(edit, name) is not None]
            kept += [] if edit.is_only_kept else [SIDE, PLAIN]
            if edit.rolls or edit.style is not None or edit.locked_seed not in (None, design.parameters.seed):
                kept = list(range(NUMBERS))
            fresh[at, kept] = tongues[edge, kept]
        tongues[chosen] = fresh
        return tongues


def ease(
    design: JigsawDesign, tiling: Tiling, tongues: Floats, rooms: Floats, strokes: Curves,
    draw: Callable[[Ints], Curves], known: tuple[Ints, Ints, Ints] | None = None,
) -> tuple[Curves, Eased]:  # fmt: skip
    """Ease the `tongues`, a table, that do not meet the usual limits: smaller and more upright, else straight.

    `strokes` are the curves of all edges and `draw` makes those of some from the table. Returns the curves with those
    of eased tongues in their places. Limits that a maker sets change no cut. `known` is the answer of `Eased.on` for a
    similar board.
    """
    usual, graph = _usual(design, tiling), tiling.graph
    count, whole = len(graph.edges), tongues.copy()
    lands = (tiling.tracks[graph.edges] != FREE).any(axis=1)
    able = tiling.is_inner & (tongues[:count, PLAIN] < STRAIGHT)
    able[tiling.seams.edges] = False
    levels = np.zeros(count, np.int64)
    some, near, weak = known or (None, np.empty((0, 2), np.int64), np.empty(0, np.int64))
    knobbed = np.flatnonzero(able & (tongues[:count, PLAIN] < 1.0))
    knobbed = knobbed if some is None else knobbed[among(knobbed, some)]
    doubtful = _doubtful_tongues(design, tiling, tongues, rooms, knobbed, usual)
    factor, sag = (1.0, 0.0) if usual.layout_version < 6 else (WIDER, SAG)
    wall, crowd = factor * usual.least_bridge, partial(_crowded, tiling, sag)
    near = first = np.concatenate([near, crowd(strokes, wall, some)])
    weak = flawed = np.concatenate([weak, _weak(tongues, strokes, doubtful, usual)])
    for _ in range(ROUNDS):
        some = _worse(near, weak, able, levels, tiling.lengths)
        # Cuts that end on the border or a figure bend, and land squarely, unless they cross another or are near more
        # of them than straight ones would be.
        bent = some[lands[some] & (tongues[some, PLAIN] == 1.0)]
        if len(bent):
            tongues[bent, PLAIN] = STRAIGHT
            straight = crowd(strokes.replaced(bent, draw(bent)), wall, bent)
            tongues[bent, PLAIN] = 1.0
            before, after = (np.bincount(pairs.ravel(), minlength=count)[bent] for pairs in (near, straight))
            square = np.setdiff1d(bent[before <= after], crowd(strokes, TOUCHING, bent))
            some = np.setdiff1d(some, square)
        if not len(some):
            break
        levels[some] += 1
        _set(tongues, whole, levels, some)
        knobbed = some[tongues[some, PLAIN] < 1.0]
        widths = _necks(draw(knobbed), usual, tongues[knobbed, STYLE])
        narrow = widths < usual.least_neck
        _widen(tongues, knobbed[narrow], widths[narrow], usual.least_neck)
        strokes = strokes.replaced(some, draw(some))
        able &= tongues[:count, PLAIN] < STRAIGHT
        near = crowd(strokes, wall, some)
        weak = _weak(tongues, strokes, some, usual)
    if usual.layout_version > 5:
        for edge in _lacking(tiling, tongues, whole, levels):
            beside, size = len(crowd(strokes, wall, edge)), tongues[edge].copy()
            _set(tongues, whole, np.minimum(levels, len(EASINGS)), edge)
            tongues[edge[:, None], [FIRST_BEND, SECOND_BEND]] = 0.0
            alone = strokes.replaced(edge, draw(edge))
            if len(crowd(alone, wall, edge)) > beside or len(_weak(tongues, alone, edge, usual)):
                tongues[edge] = size
            else:
                strokes = alone
    edges = np.flatnonzero(levels)
    return strokes, Eased(edges, tongues[edges], first, flawed)


def _lacking(tiling: Tiling, tongues: Floats, whole: Floats, levels: Ints) -> Iterator[Ints]:
    """The longest edge (1,) of each face without a tongue that had one before it became straight."""
    graph, count = tiling.graph, len(tiling.graph.edges)
    has_tongue = tongues[:count, PLAIN] < 1.0
    is_lost = ~has_tongue & (whole[:count, PLAIN] < 1.0) & (levels > len(EASINGS))
    for face in range(graph.face_count):
        edges = graph.codes[graph.starts[face] : graph.starts[face + 1]] >> 1
        lost = edges[is_lost[edges]]
        if len(lost) and not has_tongue[edges].any():
            yield lost[[tiling.lengths[lost].argmax()]]


def _worse(near: Ints, weak: Ints, able: NDArray[np.bool_], levels: Ints, lengths: Floats) -> Ints:
    """The edges to ease further, of pairs `near` each other and `weak` ones: of two that would become straight, the
    shorter alone."""
    last = able[near] & (levels[near] == len(EASINGS))
    order = np.argsort(lengths[near], axis=1, kind="stable")
    both = last.all(axis=1)
    worse = distinct(np.concatenate([near[~both].ravel(), near[both, order[both, 0]], weak]))
    return worse[able[worse]]


def _set(tongues: Floats, whole: Floats, levels: Ints, edges: Ints) -> None:
    """Set some tongues in the table to their levels of ease, given the table of `whole` tongues."""
    is_plain = tongues[edges, PLAIN] == 1.0
    tongues[edges] = whole[edges]
    left, size = np.array(EASINGS)[np.minimum(levels[edges], len(EASINGS)) - 1].T
    tongues[edges[:, None], [PLACE, DEPTH, SLANT, *BALANCES.values()]] *= left[:, None]
    tongues[edges[:, None], [*SHAPE.values()]] = 1 + (tongues[edges[:, None], [*SHAPE.values()]] - 1) * left[:, None]
    tongues[edges, SIZE] *= size
    _flatten(tongues, edges[levels[edges] > len(EASINGS)])
    tongues[edges[is_plain], PLAIN] = STRAIGHT


def _crowded(tiling: Tiling, sag: float, strokes: Curves, least: float, some: Ints | None = None) -> Ints:
    """Pairs of edges of the same face with a wall of less than `least` mm between them, or that cross, shape (k, 2); of
    `some` edges alone, with all others. The quick search allows for `sag` mm of curves beyond its samples."""
    from studio.checks import cut_crossings, walls

    pairs = crowded(tiling.graph, strokes, least + sag, None if some is None else tiling.graph.faces_at(some))
    pairs = pairs if some is None else pairs[among(pairs.ravel(), some).reshape(-1, 2).any(axis=1)]
    used = distinct(pairs)
    if not len(used):
        return pairs
    return walls.thinner(cut_crossings.cuts(strokes, used), np.searchsorted(used, pairs), least)[0]


def _weak(tongues: Floats, strokes: Curves, edges: Ints, usual: JigsawParameters) -> Ints:
    """Edges with a tongue whose neck or bends do not meet the usual limits, or that crosses itself."""
    from studio.checks import cut_crossings, pieces

    edges = edges[tongues[edges, PLAIN] < 1.0]
    if not len(edges):
        return edges
    drawn = strokes.chosen(edges)
    weak = are_tight(drawn, usual.least_radius) | (_necks(drawn, usual, tongues[edges, STYLE]) < usual.least_neck)
    if usual.layout_version > 5:
        arms = ~weak & (tongues[edges, STYLE] == STYLE_NUMBERS["ring"])
        weak[arms] = pieces.breaks(drawn.chosen(np.flatnonzero(arms)), usual.play + 2 * usual.chamfer + 2 * LOST)
    looped, _places = cut_crossings.self_crossings(cut_crossings.cuts(strokes, edges))
    return np.concatenate([edges[weak], looped])


def _simplify(
    design: JigsawDesign, tiling: Tiling, tongues: Floats, rooms: Floats, edges: Ints, usual: JigsawParameters,
    draw: Callable[[Ints], Curves],
) -> None:  # fmt: skip
    """Give usual tongues to edges without room for the strong figural or double knobs, or earlets, of chance."""
    edges = edges[np.isin(tongues[edges, STYLE], SPECIAL)]
    numbers = tongues[edges, STYLE].astype(np.int64)
    strokes = draw(edges)
    weak = _necks(strokes, usual, numbers) < usual.least_neck
    weak |= are_tight(strokes, usual.least_radius) | (rooms[edges] < CRAMPED * tiling.lengths[edges])
    board = STYLE_NUMBERS.get(design.parameters.tongue_style, 0)
    tongues[edges[weak], SIZE] /= SIZES[numbers[weak]]
    # Rooms stay as they are, so the tongue must heed its neighbours, too.
    tongues[edges[weak], STYLE] = board if design.styles[board].heeds_neighbours else 0


def _are_edited(
    design: JigsawDesign, tiling: Tiling, edges: Ints, is_edit: Callable[[TongueEdit], bool]
) -> NDArray[np.bool_]:
    """Mask of the edges with an edit for which `is_edit` is True."""
    return np.isin(edges, [tiling.tongue_indices[edit.name] for edit in design.tongues if is_edit(edit)])


def _necks(strokes: Curves, usual: JigsawParameters, styles: Floats, least: float | None = None) -> Floats:
    """Widths in mm of necks narrower than `least` mm, else the usual limit; infinite for other strokes, shape (k,),
    given their styles by number."""
    least, as_before = least or usual.least_neck, usual.layout_version < 3
    widths, are_double = np.full(len(strokes), np.inf), np.isin(styles, TWO_KNOBBED)
    for knobs, some in ((1, ~are_double), (2, are_double)):
        for count in distinct(strokes.counts[some]).tolist():
            alike = np.flatnonzero(some & (strokes.counts == count))
            narrow, found, _ = narrow_necks(strokes.chosen(alike), least, knobs, as_before=as_before)
            widths[alike[narrow]] = found
    return widths
