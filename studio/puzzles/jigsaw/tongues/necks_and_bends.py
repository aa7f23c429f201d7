"""Necks and bends of tongues: narrowest places, curves too tight for a laser, and tongues that are eased."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from studio.geometry.board.board_spec import DRAWN
from studio.geometry.board.tiling import FREE, Tiling
from studio.geometry.curves.strokes import Curves, Floats, Ints, among, distinct, frozen
from studio.puzzles.jigsaw.check_problems import limits
from studio.puzzles.jigsaw.model.design import BOUNDS, JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.tongues.styles import DOUBLE, EARED, FIGURAL, SIZES, STYLE_NUMBERS, of_one_style
from studio.puzzles.jigsaw.tongues.tongues import (
    BALANCES,
    COLUMNS,
    DEPTH,
    FOLLOWING,
    FULLNESS,
    HEAD,
    HOOKED,
    NECK,
    NUMBERS,
    PLACE,
    PLAIN,
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

NECK_SAMPLES = 12
"""Points to either side of a tongue's middle in the first search for its neck."""
TIP_WITHIN = 9
"""Number of samples from the middle of a stroke between which a tongue's tip lies."""
NECK_DETAIL = 13
"""Points of the second search, one step around the best of the first; the error is below 0.5 % of the neck."""
AROUND = frozen(np.linspace(-1.0, 1.0, NECK_DETAIL))
"""Positions of these points, in steps of the first search."""
COARSE_NECK = 1.2
"""Largest error of the first search for a neck, as a factor of its width."""
AT_ONCE = 8192
"""Number of tongues whose sides are compared at once; more would fill hundreds of megabytes on a large board."""
NOTHING = np.empty(0, np.int64), np.empty(0), np.empty((0, 2))
"""No strokes, no widths, no places."""
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
ROUNDS = 12
"""Most rounds in which crowded tongues are eased."""


def narrow_necks(
    strokes: Curves, least: float, knobs: int = 1, *, as_before: bool = False
) -> tuple[Ints, Floats, Floats]:
    """Strokes with a neck narrower than `least` mm, its width in mm and its middle, shape (k, 2).

    A tongue's sides run from its ends to the widest place of its head; its neck is the least distance between them.
    All strokes must have the same number of cubics, and `knobs` knobs each. With `as_before` small tongues on strokes
    that bulge towards their ends are overlooked, as by the layouts before the third.
    """
    if not len(strokes) or least <= 0:
        return NOTHING
    control = strokes.points.reshape(len(strokes), -1, 2)
    if knobs > 1:
        each = (control.shape[1] - 1) // knobs
        apart = [narrow_necks(_parts(control, each, knob), least, as_before=as_before) for knob in range(knobs)]
        which, widths, middles = (np.concatenate(found) for found in zip(*apart, strict=True))
        order = np.lexsort((widths, which))
        order = order[np.append(True, np.diff(which[order]) > 0)[: len(order)]]
        return which[order], widths[order], middles[order]
    found = []
    for begin in range(0, len(control), AT_ONCE):
        at, widths, middles = _narrow(control[begin : begin + AT_ONCE], least, as_before)
        found.append((begin + at, widths, middles))
    which, widths, middles = (np.concatenate(each) for each in zip(*found, strict=True))
    return which, widths, middles


def _parts(control: Floats, length: int, number: int) -> Curves:
    """Stretches of strokes with control points (k, n, 2), `length` points after the first each, by number from 0."""
    points = control[:, number * length : (number + 1) * length + 1]
    return Curves(points.reshape(-1, 2), np.arange(len(control) + 1) * (length + 1))


def _narrow(control: Floats, least: float, as_before: bool) -> tuple[Ints, Floats, Floats]:
    """Same as `narrow_necks`, given control points of strokes, shape (k, 3c + 1, 2)."""
    steps = np.arange(2 * NECK_SAMPLES + 1)
    span = (control.shape[1] - 1) // 3 / steps[-1]
    weights = _weights(control.shape[1])
    samples = np.stack([control[:, :, 0] @ weights, control[:, :, 1] @ weights], 2)
    left, right = _widest(samples, as_before)
    gaps = _squared_gaps(samples[:, : NECK_SAMPLES + 1], samples[:, NECK_SAMPLES:])
    gaps[steps[: NECK_SAMPLES + 1] > left[:, None]] = np.inf
    gaps = np.where((steps[NECK_SAMPLES:] < right[:, None])[:, None, :], np.inf, gaps)
    gaps = gaps.reshape(len(control), -1)
    best = gaps.argmin(axis=1)
    first, second = np.divmod(best, NECK_SAMPLES + 1)
    # If the sides draw together only up to the head itself, the tongue has no neck to break.
    headless = (first == left) & (second + NECK_SAMPLES == right)
    doubtful = np.flatnonzero((gaps.min(axis=1) < (COARSE_NECK * least) ** 2) & ~headless)
    if not len(doubtful):
        return NOTHING

    control, first, second = control[doubtful], first[doubtful], second[doubtful]
    middles = np.stack([np.minimum(first, NECK_SAMPLES - 1), np.maximum(second, 1) + NECK_SAMPLES], 1)
    both = _at(control, ((middles[:, :, None] + AROUND) * span).reshape(len(control), -1))
    one, two = both[:, :NECK_DETAIL], both[:, NECK_DETAIL:]
    gaps = _squared_gaps(one, two).reshape(len(doubtful), -1)
    width = np.sqrt(gaps.min(axis=1))
    first, second = np.divmod(gaps.argmin(axis=1), NECK_DETAIL)
    rows = np.arange(len(doubtful))
    middles = 0.5 * (one[rows, first] + two[rows, second])
    narrow = width < least
    return doubtful[narrow], width[narrow], middles[narrow]


@cache
def _weights(count: int) -> Floats:
    """Weights of `count` control points at the places of the first search, shape (count, s)."""
    steps = np.arange(2 * NECK_SAMPLES + 1)
    part, basis = _basis(count, steps * ((count - 1) // 3 / steps[-1]))
    weights = np.zeros((len(steps), count))
    np.put_along_axis(weights, 3 * part[:, None] + np.arange(4), basis, axis=1)
    return frozen(weights).T


def _at(control: Floats, places: Floats) -> Floats:
    """Points on strokes, shape (k, 3c + 1, 2), each at its own places, shape (k, s)."""
    part, basis = _basis(control.shape[1], places)
    four = control[np.arange(len(control))[:, None, None], 3 * part[..., None] + np.arange(4)]
    # Summed term by term: numpy's sum rounds differently for other numbers of strokes, such as in a check after a drag.
    terms = basis[..., None] * four
    return np.asarray(terms[:, :, 0] + terms[:, :, 1] + terms[:, :, 2] + terms[:, :, 3])


def _basis(count: int, places: Floats) -> tuple[Ints, Floats]:
    """Cubics at places of strokes with `count` control points, shape (…), and weights of their points, shape (…, 4)."""
    cubics = (count - 1) // 3
    places = np.clip(places, 0.0, cubics)
    part = np.minimum(places.astype(np.int64), cubics - 1)
    t = (places - part)[..., None]
    rest = 1 - t
    return part, np.concatenate([rest**3, 3 * t * rest**2, 3 * t**2 * rest, t**3], -1)


def _squared_gaps(one: Floats, two: Floats) -> Floats:
    """Squared distances between points, shapes (k, s, 2) and (k, r, 2); result of shape (k, s, r)."""
    across = one[:, :, None, 0] - two[:, None, :, 0]
    down = one[:, :, None, 1] - two[:, None, :, 1]
    return np.asarray(across * across + down * down)


def _widest(samples: Floats, as_before: bool) -> tuple[Ints, Ints]:
    """Indices of the samples, shape (k, s, 2), at which the head reaches farthest back and forth along the edge.

    The head is what stands out around the tip, which is not near an end, without a gap; `as_before` anything that does.
    """
    way = samples[:, -1] - samples[:, 0]
    along = way / np.maximum(np.hypot(way[:, 0], way[:, 1]), 1e-9)[:, None]
    offset = samples - samples[:, :1]
    u = offset[..., 0] * along[:, None, 0] + offset[..., 1] * along[:, None, 1]
    v = np.abs(offset[..., 1] * along[:, None, 0] - offset[..., 0] * along[:, None, 1])
    index = np.arange(samples.shape[1])
    tip = np.where(as_before | (np.abs(index - NECK_SAMPLES) < TIP_WITHIN), v, -1.0).argmax(axis=1)[:, None]
    head = v > 0.3 * np.take_along_axis(v, tip, axis=1)
    if not as_before:
        gaps = np.cumsum(~head, axis=1)
        head &= gaps == np.take_along_axis(gaps, tip, axis=1)
    left = np.where(head & (index <= tip), u, np.inf).argmin(axis=1)
    right = np.where(head & (index >= tip), u, -np.inf).argmax(axis=1)
    return left, right


# Tight bends: curves at which a laser slows down and chars the wood

HALVINGS = 5
"""Number of times a cubic is halved while its bounds allow a tight bend."""
ALONG = frozen(np.linspace(0.0, 1.0, 17))
"""Places at which the remaining part of a cubic is measured; the error is below 0.1 % of the radius."""
FEW = ALONG[::4]
"""Places at which most tight bends are found at once."""
SPEEDS, TURNS = 5, 3
"""Numbers of coefficients of a cubic's squared speed, and of the cross product of its first two derivatives."""
ONE, OTHER = np.triu_indices(3)
"""Six pairs of the three steps between a cubic's control points, including each with itself."""
CROSSED = np.flatnonzero(ONE != OTHER)
"""Pairs of two different steps."""
SHARES = np.array([2.0, 1.0, 2.0])
"""Factors of these pairs' cross products in the coefficients of the turn."""
LEAST_TURN = 1e-200
"""Least cross product of a curve's derivatives, against division by zero."""
STILL = 1e-18
"""Squared speed in mm² below which a curve stands still and has no radius."""


def tight_bends(strokes: Curves, least: float) -> tuple[Ints, Floats, Floats]:
    """Strokes with a bend tighter than a radius of `least` mm, their least radii in mm and its places, shape (k, 2)."""
    if not len(strokes) or least <= 0:
        return NOTHING
    cubics = strokes.cubics
    at, begins, speeds, turns = _doubtful(cubics, least)
    if not len(at):
        return NOTHING
    radii = _radii(_values(speeds, ALONG), _values(turns, ALONG))
    best = radii.argmin(axis=1)
    radii, places = radii[np.arange(len(at)), best], begins + ALONG[best] / 2**HALVINGS
    owners = strokes.cubic_owners[at]
    order = np.lexsort((radii, owners))
    ordered = owners[order]
    order = order[np.append(True, ordered[1:] != ordered[:-1])]
    order = order[radii[order] < least]
    control = cubics.take(at[order], axis=0).transpose(0, 2, 1).reshape(-1, 4)
    middles = _values(control, places[order].repeat(2)[:, None])
    return owners[order], radii[order], middles.reshape(-1, 2)


def _doubtful(cubics: Floats, least: float) -> tuple[Ints, Floats, Floats, Floats]:
    """Find the parts of cubics, shape (k, 4, 2), that may be tighter than a radius of `least` mm.

    Return their cubics and beginnings on these, shape (n,), and the Bernstein coefficients of their squared speed,
    shape (n, 5), and of the cross product of their first two derivatives, shape (n, 3), each divided by 9.
    """
    both = _coefficients(cubics)
    at, begins = np.arange(len(cubics)), np.zeros(len(cubics))
    for halving in range(HALVINGS + 1):
        # A polynomial stays between its least and its greatest coefficient.
        slowest = np.maximum(both[:, :SPEEDS].min(axis=1), 0.0)
        sharpest = np.abs(both[:, SPEEDS:]).max(axis=1)
        may = (9 * slowest**3 < (least * sharpest) ** 2).nonzero()[0]
        if len(may) < len(at):
            at, begins, both = at[may], begins[may], both.take(may, axis=0)
        if not len(at):
            break
        if halving < HALVINGS:
            at, begins = at.repeat(2), (begins[:, None] + [0.0, 0.5 ** (halving + 1)]).ravel()
            both = _halved(both)
    return at, begins, both[:, :SPEEDS], both[:, SPEEDS:]


def _coefficients(cubics: Floats) -> Floats:
    """Bernstein coefficients (k, 8) of the squared speed of cubics and of the cross product of their derivatives."""
    steps = cubics[:, 1:] - cubics[:, :-1]
    one, other = steps.take(ONE, axis=1), steps.take(OTHER, axis=1)
    products = one * other
    dots = products[..., 0] + products[..., 1]
    products = one.take(CROSSED, axis=1) * other.take(CROSSED, axis=1)[..., ::-1]
    both = np.empty((len(cubics), SPEEDS + TURNS))
    both[:, :2], both[:, 2], both[:, 3:SPEEDS] = dots[:, :2], (dots[:, 2] + 2 * dots[:, 3]) / 3, dots[:, 4:]
    both[:, SPEEDS:] = SHARES * (products[..., 0] - products[..., 1])
    return both


def _halved(coefficients: Floats) -> Floats:
    """Bernstein coefficients of both halves, shape (2k, 8), of pairs of polynomials, shape (k, 8)."""
    if len(coefficients) > AT_ONCE:
        parts = range(0, len(coefficients), AT_ONCE)
        return np.concatenate([_halved(coefficients[begin : begin + AT_ONCE]) for begin in parts])
    places, shares = _shares()
    terms = coefficients.take(places, axis=1) * shares
    # Summed term by term: numpy's sum rounds differently for other numbers of polynomials, as in a check after a drag.
    halves = terms[:, 0] + terms[:, 1]
    for number in range(2, SPEEDS):
        halves += terms[:, number]
    return np.asarray(halves.reshape(-1, SPEEDS + TURNS))


@cache
def _shares() -> tuple[Ints, Floats]:
    """Indices and factors that combine coefficients to the first and the second half's, shape (5, 16)."""
    places, shares = np.zeros((2, SPEEDS, 2, SPEEDS + TURNS))
    for first, count in ((0, SPEEDS), (SPEEDS, TURNS)):
        half = np.array([[comb(to, one) / 2**to for to in range(count)] for one in range(count)])
        own = slice(first, first + count)
        shares[:count, 0, own], shares[:count, 1, own] = half, half[::-1, ::-1]
        places[:count, :, own] = first + np.arange(count)[:, None, None]
    return frozen(places.reshape(SPEEDS, -1).astype(np.int64)), frozen(shares.reshape(SPEEDS, -1))


def _values(coefficients: Floats, places: Floats) -> Floats:
    """Values of polynomials with Bernstein coefficients, shape (k, n), at places, shape (s,) or (k, s).

    Sums and products alone (de Casteljau), so that few polynomials are rounded exactly as many.
    """
    values = coefficients.T[:, :, None]
    while len(values) > 1:
        values = values[:-1] + (values[1:] - values[:-1]) * places
    return np.asarray(values[0])


def _radii(speeds: Floats, turns: Floats) -> Floats:
    """Radii of curvature in mm from squared speeds and cross products, each divided by 9; infinite at speed 0."""
    bending = np.maximum(np.abs(turns), LEAST_TURN)
    return np.where(speeds > STILL, 3.0 * speeds * np.sqrt(np.maximum(speeds, STILL)) / bending, np.inf)


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
    weak = edges[narrow | _are_tight(strokes, usual.least_radius)]
    if not len(weak):
        return
    _widen(tongues, edges[narrow], widths[narrow], usual.least_neck)
    left = draw(weak)
    fails = _necks(left, usual, tongues[weak, STYLE]) < usual.least_neck
    fails |= _are_tight(left, usual.least_radius)
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
        # A tongue that heeds no neighbour may cross itself, however wide.
        is_free = usual.layout_version > 3 and not style.heeds_neighbours
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
    near = first = np.concatenate([near, _crowded(tiling, strokes, usual.least_bridge, some)])
    weak = flawed = np.concatenate([weak, _weak(tongues, strokes, doubtful, usual)])
    for _ in range(ROUNDS):
        some = _worse(near, weak, able, levels, tiling.lengths)
        # Cuts that end on the border or a figure bend, and land squarely, unless they cross another or are near more
        # of them than straight ones would be.
        bent = some[lands[some] & (tongues[some, PLAIN] == 1.0)]
        if len(bent):
            tongues[bent, PLAIN] = STRAIGHT
            straight = _crowded(tiling, strokes.replaced(bent, draw(bent)), usual.least_bridge, bent)
            tongues[bent, PLAIN] = 1.0
            before, after = (np.bincount(pairs.ravel(), minlength=count)[bent] for pairs in (near, straight))
            square = np.setdiff1d(bent[before <= after], _crowded(tiling, strokes, TOUCHING, bent))
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
        near = _crowded(tiling, strokes, usual.least_bridge, some)
        weak = _weak(tongues, strokes, some, usual)
    edges = np.flatnonzero(levels)
    return strokes, Eased(edges, tongues[edges], first, flawed)


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


def _crowded(tiling: Tiling, strokes: Curves, least: float, some: Ints | None = None) -> Ints:
    """Pairs of edges of the same face with a wall of less than `least` mm between them, or that cross, shape (k, 2); of
    `some` edges alone, with all others."""
    from studio.checks import cut_crossings, walls

    pairs = crowded(tiling.graph, strokes, least, None if some is None else tiling.graph.faces_at(some))
    pairs = pairs if some is None else pairs[among(pairs.ravel(), some).reshape(-1, 2).any(axis=1)]
    used = distinct(pairs)
    if not len(used):
        return pairs
    return walls.thinner(cut_crossings.cuts(strokes, used), np.searchsorted(used, pairs), least)[0]


def _weak(tongues: Floats, strokes: Curves, edges: Ints, usual: JigsawParameters) -> Ints:
    """Edges with a tongue whose neck or bends do not meet the usual limits, or that crosses itself."""
    from studio.checks import cut_crossings

    edges = edges[tongues[edges, PLAIN] < 1.0]
    if not len(edges):
        return edges
    drawn = strokes.chosen(edges)
    weak = _are_tight(drawn, usual.least_radius)
    weak |= _necks(drawn, usual, tongues[edges, STYLE]) < usual.least_neck
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
    weak |= _are_tight(strokes, usual.least_radius) | (rooms[edges] < CRAMPED * tiling.lengths[edges])
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


def _are_tight(strokes: Curves, least: float) -> NDArray[np.bool_]:
    """Mask of the strokes with a curve tighter than `least` mm, shape (k,)."""
    both, tight = _coefficients(strokes.cubics), np.zeros(len(strokes), bool)
    radii = _radii(_values(both[:, :SPEEDS], FEW), _values(both[:, SPEEDS:], FEW)).min(axis=1)
    tight[strokes.cubic_owners[radii < least]] = True
    rest = np.flatnonzero(~tight)
    tight[rest[tight_bends(strokes.chosen(rest), least)[0]]] = True
    return tight
