"""Tilings of boards beyond a plain grid: outlines, their cells, and figures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from studio.base.chance import uniform
from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress, kept
from studio.geometry.board.blunt_corners import awkward, blunted
from studio.geometry.board.board_outline import bounded, covered
from studio.geometry.board.board_spec import DRAWN, TRIANGLES, Division
from studio.geometry.board.clipping import RULES, Noodles, Rules, clipped
from studio.geometry.board.cut_ends import SplitCorners
from studio.geometry.board.outline import Outline, with_rings
from studio.geometry.board.splicing import spliced
from studio.geometry.board.tessellations import NO_CELL, Tessellation, window
from studio.geometry.board.tiling import NONE, Filling, Joints, Origin, Tiling
from studio.geometry.board.tiling_construction import ROUND_A_BEND, _away, rectangular
from studio.geometry.curves.rings import box
from studio.geometry.curves.strokes import Curves, Floats, Ints, distinct, frozen, totals
from studio.puzzles.jigsaw.check_problems import limits
from studio.puzzles.jigsaw.figures.whimsies import STICKS_OUT, Whimsy
from studio.puzzles.jigsaw.model.design import EVEN, HALVED, LONGEST, MOST_ACROSS, JigsawParameters
from studio.puzzles.jigsaw.model.tiling import Board

if TYPE_CHECKING:
    from studio.geometry.board.inlays import Inlay, Placed
    from studio.geometry.planar.graph import PlanarGraph

Patch = tuple[Tiling, Ints]
"""A window divided with figures, and the corners that the figures moved."""
SHORTEST = 0.35
"""Length in usual faces of the shortest edges with tongues in the second layout."""
LONGEST_FACES = 3.0
"""Ratio of the sides of usual faces above which small angles are as meant."""
REACH, FURTHER = 2.5, 1.6
"""First reach of windows around figures, in cells, and the factor by which it grows if it is not enough."""


def outline(board: Board) -> Outline:
    """Build the outline of a board. Raise StudioError if it is invalid."""
    return bounded(board.form)


def divided(board: Board, progress: Progress) -> Tiling:
    """Divide a board into a tiling. Raise StudioError if its outline is invalid."""
    return _counted(board, progress) if board.parameters.is_counted else _blunted(board, _divided(board, progress))


def _blunted(board: Board, tiling: Tiling, *, leaves_out: bool = True) -> Tiling:
    """Move corners of awkward cuts, and leave out cuts that stay awkward, from the sixth layout on."""
    p = board.parameters
    if p.layout_version < 6 or p.tiling == DRAWN:
        return tiling
    wall = limits(JigsawParameters(layout_version=p.layout_version), *tiling.scale.tolist()).least_bridge
    if tiling.scale.max() > LONGEST_FACES * tiling.scale.min():
        return tiling
    tiling = blunted(tiling, wall)
    if not leaves_out or not (weights := awkward(tiling, wall)).any():
        return tiling
    cuts = _mergeable(tiling, math.ceil(weights.sum()), p.seed, weights > 0)
    # Some are one of several cuts end to end between two pieces.
    rest = np.setdiff1d(np.flatnonzero(weights == 1.0), np.append(cuts, _able(tiling)[0]))
    names = [tiling.edge_name(edge) for edge in rest.tolist()]
    return _left_out(without_cuts(tiling, cuts) if len(cuts) else tiling, names)


def _divided(board: Board, progress: Progress) -> Tiling:
    p, around = board.parameters, outline(board)
    progress.step(0.0)
    figures: tuple[Whimsy, ...] = ()
    if board.whimsies:
        from studio.puzzles.jigsaw.figures.placing import placeable

        figures = placeable(board.whimsies, around, p.least_bridge)
    while figures:
        try:
            return _with_figures(board, around, figures, progress)
        except StudioError:
            # Drop the last figure: no cuts fit around it, and the check reports it.
            figures = figures[:-1]
    if board.is_plain and not (board.layout and board.radius):
        return rectangular(*(board.layout or p.layout()), p.width, p.height, board.radius)
    return _bare(board, progress)


def _bare(board: Board, progress: Progress) -> Tiling:
    """Tiling of the cells, or of the drawn cuts, without figures."""
    if board.parameters.tiling == DRAWN:
        return _drawn(replace(board, whimsies=()), progress)
    return _clipped(replace(board, parameters=_with_usual_bridge(board.parameters), whimsies=()), progress)


@lru_cache(maxsize=8)
def _with_usual_bridge(parameters: JigsawParameters) -> JigsawParameters:
    return replace(parameters, least_bridge=JigsawParameters().least_bridge)


@kept(4)
def _drawn(board: Board, progress: Progress) -> Tiling:
    """Tiling of drawn cuts, stretched with the outline that they came with."""
    from studio.geometry.board.drawn import drawn

    low, high = box(np.array(board.path[0]))
    size = board.parameters.width, board.parameters.height
    progress.step(0.5)
    return drawn(board.cuts, outline(board), size, low, np.array(size) / (high - low), board.merged, board.details)


def _drawn_around(board: Board, around: Outline, figures: Sequence[Whimsy], progress: Progress) -> Tiling:
    """Divide drawn cuts around figures: the cuts end on them, and stay elsewhere as they are drawn.

    Details that a figure touches are left out.
    """
    from studio.geometry.board.drawn import cut_off, details_outside, drawn
    from studio.geometry.board.figure_insertion import filled

    p, bare = board.parameters, _drawn(replace(board, whimsies=(), merged=()), progress)
    with_figures, placed = _laid_out(figures, around, p.least_bridge)
    areas = [one.area for one in placed]
    rings = [with_figures.rings[at] for at in range(len(with_figures.rings))]
    cuts = cut_off(bare, areas, rings)
    size = p.width, p.height
    details = details_outside(bare, areas)
    usual = float(bare.scale[0])
    tiling = drawn(cuts, with_figures, size, np.zeros(2), np.ones(2), board.merged, details, usual)
    return filled(tiling, placed, p.least_bridge, moves_corners=False, follows_rim=p.layout_version > 4)


@kept(4)
def _clipped(board: Board, progress: Progress) -> Tiling:
    around = outline(board)
    cells = _cells(board, around, progress.part(0.0, 0.4))
    return _cut(board, cells, around, progress.part(0.4, 1.0))


def _cut(board: Board, cells: Tessellation, around: Outline, progress: Progress) -> Tiling:
    p = board.parameters
    noodles = Noodles(p.noodles, p.seed, frozenset(board.kept))
    split = SplitCorners(1.0 if p.tricky_border else p.split_corners, p.seed)
    merged, size = frozenset(board.merged), (p.width, p.height)
    tiling = clipped(
        cells, around, size, merged, progress,
        split=split, rules=_rules(p), noodles=noodles,
    )  # fmt: skip
    return replace(tiling, shortest=SHORTEST) if p.layout_version > 1 else tiling


def _rules(p: JigsawParameters) -> Rules:
    """The rules of a board's layout; the tips of triangles meet at the rim, as they always have."""
    rules = RULES[p.layout_version - 1]
    if p.tiling == TRIANGLES:
        return RULES[min(p.layout_version, 3) - 1]._replace(heeds_bends=rules.heeds_bends)
    return rules


def _with_figures(board: Board, around: Outline, figures: Sequence[Whimsy], progress: Progress) -> Tiling:
    """Divide a board around figures.

    Each figure, with the figures near it, is divided in its own window, which is spliced into the bare board. So
    elements far from a figure do not depend on it, and when it moves only its window is divided again. If a window
    would be most of the board, the whole board is divided at once. Figures at the border, and those near them, belong
    to the bare board.
    """
    from studio.puzzles.jigsaw.figures.placing import reaches_border

    if board.parameters.tiling == DRAWN:
        return _drawn_around(board, around, figures, progress)
    bare = _bare(board, progress.part(0.0, 0.6))
    cells = _cells(board, around, progress.part(0.6, 0.7))
    reach, parted, reaching = REACH, True, partial(reaches_border, outline=around)
    while parted:
        groups = _grouped(figures, 2 * reach * cells.scale)
        at_border = tuple(one for group in groups if any(map(reaching, group)) for one in group)
        groups = [group for group in groups if group[0] not in at_border]
        outline_there = _outline_with(board, at_border)
        tiling: Tiling | None = bare
        if at_border:
            tiling = all_around(Near.from_board(board, at_border), SILENT)[0]
        for at, group in enumerate(groups):
            progress.step(0.7 + 0.3 * at / len(groups))
            patch = around_figures(Near.from_board(board, group, reach, at_border), SILENT)
            parted = patch is not None
            tiling = None if patch is None or tiling is None else spliced(tiling, *patch, outline_there)
            if tiling is None:
                break
        if tiling is not None:
            return tiling
        reach *= FURTHER
    return all_around(Near.from_board(board, figures), progress)[0]


@dataclass(frozen=True)
class Near:
    """Figures of a board, and the reach of a window around them, in cells; infinite for the whole board.

    `at_border` are figures far from them that shape the board's outline.
    """

    board: Board
    figures: tuple[Whimsy, ...]
    reach: float = math.inf
    at_border: tuple[Whimsy, ...] = ()

    @staticmethod
    def from_board(
        board: Board, figures: Sequence[Whimsy], reach: float = math.inf, at_border: tuple[Whimsy, ...] = ()
    ) -> Near:
        """Drop the board's other figures, so that they make no difference."""
        return Near(replace(board, whimsies=()), tuple(figures), reach, at_border)


@kept(64)
def around_figures(near: Near, progress: Progress) -> Patch | None:
    """Divide the window around figures; None if most of the board. Raise StudioError if no cuts fit around a figure."""
    around = _outline_with(near.board, near.at_border)
    cells = _cells(near.board, outline(near.board), progress)
    low, high = _box(near.figures)
    part = window(cells, low, high, near.reach)
    return None if part is None else _filled(near.board, part, around, near.figures, progress)


@kept(2)
def all_around(near: Near, progress: Progress) -> Patch:
    """Divide a whole board with its figures at once. Raise StudioError if no cuts fit around a figure."""
    around = outline(near.board)
    return _filled(near.board, _cells(near.board, around, SILENT), around, near.figures, progress)


@lru_cache(maxsize=16)
def _outline_with(board: Board, at_border: tuple[Whimsy, ...]) -> Outline:
    """Outline of the board without figures at its border."""
    return _laid_out(at_border, outline(board), 0.0)[0] if at_border else outline(board)


def _laid_out(figures: Sequence[Whimsy], around: Outline, wall: float) -> tuple[Outline, list[Placed | Inlay]]:
    """Put figures alone, and together those that share cuts, on an outline; also return the outline of what is left.

    `wall` is the least width in mm of the wood at the end of details.
    """
    from studio.geometry.board.inlays import Placed, inlays_of
    from studio.puzzles.jigsaw.figures.placing import clusters, enclosed, from_front, parts_on_board

    def placed(one: Whimsy) -> Placed:
        shape = (one.name, one.on_board(), enclosed(one), one.tongues, one.pose.is_mirrored)
        return Placed(*shape, one.lines_on_board(), parts_on_board(one), one.border == STICKS_OUT)

    found: list[Placed | Inlay] = []
    inner, stops = list[Floats](), list[Floats]()
    for group, is_at_border in clusters(figures, around):
        if len(group) == 1 and not is_at_border and not group[0].shape.is_divided:
            found.append(placed(group[0]))
            inner.append(group[0].on_board()[0][::-1].copy())
            continue
        inlays = inlays_of([*map(placed, from_front(group))], around if is_at_border else None, wall)
        found += inlays
        stops += [inlay.stops for inlay in inlays]
        if is_at_border:
            nothing = Outline((), Curves.from_strokes([]), np.empty((0, 2)))
            around = with_rings(nothing, inlays[0].rings, np.concatenate(stops))
        else:
            inner += inlays[0].rings
    return with_rings(around, inner, np.concatenate(stops) if stops else None), found


def _filled(board: Board, cells: Tessellation, around: Outline, figures: Sequence[Whimsy], progress: Progress) -> Patch:
    """Clip cells at figures as at the outline, and fill the holes with figures; also return the corners moved."""
    from studio.geometry.board.figure_insertion import filled

    with_figures, placed = _laid_out(figures, around, board.parameters.least_bridge)
    tiling = _cut(board, cells, with_figures, progress)
    p = board.parameters
    how = {"seats_ends": p.layout_version > 1, "follows_rim": p.layout_version > 4}
    whole = filled(tiling, placed, p.least_bridge, **how)
    return whole, np.flatnonzero((whole.homes[: len(tiling.homes)] != tiling.homes).any(axis=1))


def _grouped(figures: Sequence[Whimsy], apart: Floats) -> list[tuple[Whimsy, ...]]:
    """Group figures whose boxes are nearer than `apart`, in mm along x and y."""
    groups: list[tuple[Whimsy, ...]] = []
    for one in figures:
        low, high = _box([one])
        boxes = [_box(group) for group in groups]
        near = [
            group
            for group, (begin, end) in zip(groups, boxes, strict=True)
            if ((low - apart <= end) & (high + apart >= begin)).all()
        ]
        groups = [group for group in groups if group not in near]
        groups.append((*(each for group in near for each in group), one))
    return groups


def _box(figures: Sequence[Whimsy]) -> tuple[Floats, Floats]:
    """Least and greatest x and y of figures in mm."""
    ends = np.array([_extent(one) for one in figures])
    return np.asarray(ends[:, 0].min(axis=0)), np.asarray(ends[:, 1].max(axis=0))


@lru_cache(256)
def _extent(one: Whimsy) -> tuple[Floats, Floats]:
    return box(one.on_board()[0])


def _cells(board: Board, outline: Outline, progress: Progress) -> Tessellation:
    p = board.parameters
    layout = board.layout or p.layout(float(outline.region.area) / (p.width * p.height))
    rules, way = _rules(p), (p.tiling, *layout, p.seed, p.middle_piece, board.flow)
    division = Division(board.form, *way, rules.least_edge, rules.least_across)
    return covered(division, progress)


# Exact numbers of pieces: a board is laid out in a few pieces too many, and a few cuts are left out. The layout depends
# on the sizes of figures, not on their places, and whether two pieces suit each other on the two alone; so few pieces
# elsewhere change when a figure moves.


SQUARER, TOO_LONG = 0.5, 0.25
"""Weights, in surplus pieces, of the proportions of usual pieces, for the root of their number, and of what exceeds
LONGEST, for each of them."""
SHARPENED = 4.0
"""Factor of the latter for triangles, whose angles grow smaller, from the sixth layout on."""
TRIES = 5
"""Layouts whose pieces are counted, at most, to come near a number of pieces."""
FEW_MORE = 0.005
"""Surplus pieces, as a fraction of the number, with which a layout is near enough."""
BESIDE, MENDED = (0.5, 0.0), (0.085, -0.06)
"""Pieces that a figure costs beside its area, and that it makes for each usual side of its outline, on average: up to
the third layout and from the fourth on, in which narrow ones join their neighbours."""
STRAY, STRAY_ALONG, SURE = (0.4, 0.6), (0.045, 0.035), 3.0
"""Standard deviation of the cost by the place of a figure, likewise, and the deviations to be ready for."""
AWKWARD = 1.0
"""Cuts beside a figure that are left out by the sixth layout, at most, on average."""
MOST_MORE = 4.0
"""Largest number of pieces without figures, as a multiple of the wished number."""
LONG, SHORT_SEAM, AT_FIGURE, VARIED = 0.15, 0.8, (0.7, 0.7), 0.1
"""Weights, in usual pieces, of what speaks against one piece of two: its proportions, squared, a cut between the two
that is short for their size, a figure that moved its corners, one that touches it, and chance."""
TINY = 1e-6
"""Area in mm², and variance, above 0 of faces that their straight edges turn inside out."""
LONG_SEAM = 0.7
"""Length of a cut between two pieces, as a fraction of the root of their area, from which it is not short."""


def piece_count(tiling: Tiling) -> int:
    """Number of pieces with figures."""
    return tiling.graph.face_count + len(tiling.fillings)


def _counted(board: Board, progress: Progress) -> Tiling:
    """Divide a board into the wished number of pieces, or the nearest that can be; the maker's merges are extra."""
    p, alone = board.parameters, replace(board, merged=(), whimsies=())
    layout, without_figures = _layout(alone, _needed(board))
    step = math.ceil(FEW_MORE * p.pieces)
    tiling = _blunted(board, _divided(replace(board, merged=(), layout=layout), progress))
    for _ in range(TRIES):
        lacking, before = p.pieces - piece_count(tiling), layout
        if p.layout_version > 5:
            # In steps, so that the layout is the same wherever a figure is.
            lacking = step * math.ceil(lacking / step)
        layout, without_figures = _layout(alone, without_figures + lacking) if lacking > 0 else (layout, 0)
        if layout == before:
            break
        tiling = _blunted(board, _divided(replace(board, merged=(), layout=layout), progress))
    names = list[str]()
    while (surplus := piece_count(tiling) - p.pieces) > 0 and len(cuts := _mergeable(tiling, surplus, p.seed)):
        names += map(tiling.edge_name, cuts.tolist())
        tiling = without_cuts(tiling, cuts)
    if board.merged:
        tiling = _left_out(_blunted(board, _divided(replace(board, layout=layout), progress)), names)
    return _blunted(board, tiling, leaves_out=False)


def _left_out(tiling: Tiling, names: Sequence[str]) -> Tiling:
    """Leave out named cuts of a board with the maker's merges, which may have joined the pieces beside them."""
    graph, known = tiling.graph, tiling.edge_indices
    pairs, taken, cuts, later = np.sort(graph.sides, axis=1), set[int](), list[int](), list[str]()
    for name in names:
        pair = pairs[known[name]].tolist() if name in known else [NO_CELL]
        if not taken.isdisjoint(pair):
            later.append(name)
        elif min(pair) >= 0:
            shared = np.flatnonzero((pairs == pair).all(axis=1))
            corners, counts = np.unique(graph.edges[shared], return_counts=True)
            # Only cuts end to end, so that nothing is left inside.
            if (np.diff(graph.star_starts)[corners[counts > 1]] == 2).sum() == len(shared) - 1:
                taken.update(pair)
                cuts += shared.tolist()
    return _left_out(without_cuts(tiling, np.array(cuts)), later) if cuts else tiling


def _needed(board: Board) -> int:
    """Number of pieces of a board without figures that leaves enough with them, wherever they are."""
    if not board.whimsies:
        return board.parameters.pieces
    from studio.puzzles.jigsaw.figures.placing import enclosed

    wanted, whole = board.parameters.pieces, float(outline(board).region.area)
    areas = [enclosed(one) for one in board.whimsies]
    sizes = np.array([(area.area / whole, area.length / math.sqrt(whole)) for area in areas])
    own = sum(len(one.shape.parts) for one in board.whimsies)
    needed, at = float(wanted), int(board.parameters.layout_version > 3)
    for _ in range(TRIES):
        rims = sizes[:, 1] * math.sqrt(needed)
        lost = float((sizes[:, 0] * needed + BESIDE[at] - MENDED[at] * rims).sum()) - own
        lost += AWKWARD * len(sizes) * (board.parameters.layout_version > 5)
        strays = STRAY[at] + STRAY_ALONG[at] * rims
        needed = min(wanted + lost + SURE * math.hypot(*strays), MOST_MORE * wanted)
        needed = max(needed, 1.0)
    return math.ceil(round(needed, 6))


@lru_cache(maxsize=16)
def _layout(board: Board, needed: int) -> tuple[tuple[int, int], int]:
    """Columns and rows that give the board a number of pieces, or as few more as can be; and the number they give."""
    p, counts = board.parameters, dict[tuple[int, int], int]()
    columns, rows = np.mgrid[1 : MOST_ACROSS + 1, 1 : MOST_ACROSS + 1]
    cells = columns * rows + (p.tiling in HALVED) * (rows // 2)
    longer = np.exp(np.abs(np.log(columns / rows * EVEN.get(p.tiling, 1.0) * p.height / p.width)).round(9))
    too_long = TOO_LONG * (SHARPENED if p.tiling == TRIANGLES and p.layout_version > 5 else 1.0)
    misfit = SQUARER * math.sqrt(needed) * np.log(longer) + too_long * needed * np.maximum(longer - LONGEST, 0.0)
    share = 1.0 if p.is_countable else float(outline(board).region.area) / (p.width * p.height)
    while True:
        # In the end, only a layout that is counted is taken.
        surplus = cells * share - needed if len(counts) < TRIES else np.full(cells.shape, -np.inf)
        for known, count in counts.items():
            surplus[known[0] - 1, known[1] - 1] = count - needed
        # An exact layout comes before a squarer one.
        ugliness = np.where((surplus == 0) & (longer <= LONGEST), np.log(longer) - 1.0, misfit + surplus)
        at = np.unravel_index(int(np.where(surplus < 0, MOST_ACROSS**4 - surplus, ugliness).argmin()), cells.shape)
        layout = int(columns[at]), int(rows[at])
        if p.is_countable or layout in counts:
            return layout, needed + int(surplus[at])
        counts[layout] = 0
        with suppress(StudioError):  # as of an outline with details too fine for such cells
            counts[layout] = _bare(replace(board, layout=layout), SILENT).graph.face_count
        if 0 <= counts[layout] - needed <= FEW_MORE * needed:
            return layout, counts[layout]
        share = counts[layout] / int(cells[at]) or share


def without_cuts(tiling: Tiling, cuts: Ints) -> Tiling:
    """Merge the faces on both sides of cuts (k,), two to a piece, which takes the place and name of the first.

    All other elements keep their names and places, and share the tiling's origin.
    """
    stays = np.ones(len(tiling.edge_keys), bool)
    stays[cuts] = False
    edges, corners = np.flatnonzero(stays), distinct(tiling.graph.edges[stays])
    edge_at, corner_at = np.full(len(stays), NONE), np.full(len(tiling.homes), NONE)
    edge_at[edges], corner_at[corners] = np.arange(len(edges)), np.arange(len(corners))
    first = np.ones(tiling.graph.face_count, bool)
    first[tiling.graph.sides[cuts].max(axis=1)] = False
    faces = np.flatnonzero(first)

    def of(codes: Ints) -> Ints:
        return np.asarray(2 * edge_at[codes >> 1] + (codes & 1))

    def filling(one: Filling) -> Filling:
        straight, near = edge_at[one.straight], corner_at[one.near]
        return replace(
            one, codes=of(one.codes), holes=tuple(map(of, one.holes)), straight=straight[straight >= 0],
            near=near[near >= 0], details=edge_at[one.details],
        )  # fmt: skip

    graph = tiling.graph.joined(cuts)
    origin = Origin.from_tiling(tiling)
    names = tiling.given_edge_names or [
        tiling.edge_name(edge) if is_inner else "" for edge, is_inner in enumerate(tiling.is_inner.tolist())
    ]
    return replace(
        tiling,
        graph=graph,
        homes=frozen(tiling.homes[corners]),
        tracks=frozen(tiling.tracks[corners]),
        corner_keys=frozen(tiling.corner_keys[corners]),
        edge_keys=frozen(tiling.edge_keys[edges]),
        face_keys=frozen(tiling.face_keys[faces]),
        across=frozen(tiling.across[edges]),
        stretches=frozen(tiling.stretches[edges]),
        joints=_joints_left(graph, tiling.joints, edges, tiling.homes[corners], tiling.corner_keys[corners]),
        voids=tuple(map(of, tiling.voids)),
        rims=tuple(map(of, tiling.rims)),
        corner_name=lambda corner: tiling.corner_name(int(corners[corner])),
        piece_name=lambda face: tiling.piece_name(int(faces[face])),
        fillings=tuple(map(filling, tiling.fillings)),
        given_edge_names=[names[edge] for edge in edges.tolist()],
        leeway=None if tiling.leeway is None else frozen(tiling.leeway[corners]),
        known_chains=lambda: tuple(part for chain in tiling.chains for part in _split(of(chain)) if len(part)),
        known_rim_rooms=frozen(tiling.rim_rooms[edges]),
        origin=replace(origin, corners=origin.corners[corners], edges=origin.edges[edges]),
        seams=tiling.seams.numbered(edge_at),
    )


def _split(codes: Ints) -> list[Ints]:
    """The parts of a chain between removed edges."""
    return [part[part >= 0] for part in np.split(codes, np.flatnonzero(codes < 0))]


def _joints_left(graph: PlanarGraph, joints: Joints, edges: Ints, homes: Floats, keys: Ints) -> Joints:
    """The joints of the edges that are left; where only two are left at a corner, one runs on into the other."""
    at, signs = joints.at[edges], joints.signs[edges]
    at[np.append(np.bincount(at[at >= 0], minlength=len(joints.keys)) < 2, True)[at]] = NONE
    inner = np.diff(graph.star_starts) == 2
    inner[graph.edges[graph.sides.min(axis=1) < 0]] = False
    bends = np.flatnonzero(inner)
    stars = graph.star_edges[graph.star_starts[bends, None] + np.arange(2)]
    codes = 2 * stars + (graph.edges[stars, 0] != bends[:, None])
    away = _away(graph, homes, None)
    bent = (at[stars, codes & 1] == NONE).all(axis=1)
    bent &= (away[codes[:, 0]] * away[codes[:, 1]]).sum(axis=1) <= -np.cos(ROUND_A_BEND)
    one, other = codes[bent].T
    ways = away[other] - away[one]
    count = len(joints.keys) + np.arange(len(one))
    for code, sign in ((one, -1.0), (other, 1.0)):
        at[code >> 1, code & 1] = count
        signs[code >> 1, code & 1] = np.where(code & 1, -sign, sign)
    return Joints(
        frozen(at), frozen(signs), frozen(np.concatenate([joints.keys, 2 * keys[bends[bent]]])),
        frozen(np.concatenate([joints.ways, ways / np.hypot(*ways.T)[:, None]])),
    )  # fmt: skip


def _able(tiling: Tiling) -> tuple[Ints, Ints]:
    """The cuts (k,) between faces that share no other, on the outlines of both, and these faces (k, 2), ascending."""
    graph = tiling.graph
    places, owners = np.arange(len(graph.codes)), np.repeat(np.arange(graph.face_count), np.diff(graph.starts))
    is_outline = np.zeros(2 * len(graph.edges), bool)
    holes = np.searchsorted(graph.holes, places, side="right") - np.searchsorted(graph.holes, graph.starts[owners])
    is_outline[graph.codes] = holes == 0
    cuts = graph.inner_edges
    sides = np.sort(graph.sides[cuts], axis=1)
    _, which, counts = np.unique(sides @ [graph.face_count, 1], return_inverse=True, return_counts=True)
    able = (counts[which] == 1) & (sides[:, 0] < sides[:, 1]) & is_outline.reshape(-1, 2)[cuts].all(axis=1)
    return cuts[able], sides[able]


def _mergeable(tiling: Tiling, most: int, seed: int, among: NDArray[np.bool_] | None = None) -> Ints:
    """Cuts, of all or `among` a mask of them, between pieces that look best as one: small, compact, and away from
    figures and from each other."""
    graph, (cuts, sides) = tiling.graph, _able(tiling)
    if among is not None:
        cuts, sides = cuts[among[cuts]], sides[among[cuts]]
    area, x, y, xx, xy, yy = _moments(graph, tiling.homes)[sides].sum(axis=1).T
    area = np.maximum(area, TINY)
    xx, xy, yy = xx / area - (x / area) ** 2, xy / area - x * y / area**2, yy / area - (y / area) ** 2
    mean, spread = (xx + yy) / 2, np.hypot((xx - yy) / 2, xy)
    # Pieces that a figure touches or has moved: merges far from it stay when it moves on.
    origin, at_figure = Origin.from_tiling(tiling), np.zeros((graph.face_count, 2), bool)
    moved = (origin.corners < 0) | (tiling.homes != origin.tiling.homes[origin.corners]).any(axis=1)
    at_figure[graph.faces_at(graph.edges_at(np.flatnonzero(moved))), 0] = True
    for one in tiling.fillings:
        at_figure[graph.faces_at(one.outlines >> 1), 1] = True
    cost = area / tiling.scale.prod() + LONG * (mean + spread) / np.maximum(mean - spread, TINY)
    cost += SHORT_SEAM * np.maximum(LONG_SEAM - tiling.lengths[cuts] / np.sqrt(area), 0.0)
    cost += np.dot(at_figure[sides].any(axis=1), AT_FIGURE) + VARIED * uniform(seed, tiling.edge_keys[cuts], "merge")
    order = np.argsort(cost, kind="stable")
    taken, chosen = np.zeros(graph.face_count, bool), list[int]()
    near = taken.copy()
    for others in (near, taken):
        for at in order.tolist():
            one, other = sides[at].tolist()
            if len(chosen) == most:
                break
            if not (others[one] or others[other] or taken[one] or taken[other]):
                taken[[one, other]] = True
                chosen.append(at)
                for face in (one, other):
                    near[graph.faces_at(graph.codes[graph.starts[face] : graph.starts[face + 1]] >> 1)] = True
    return np.sort(cuts[chosen])


def _moments(graph: PlanarGraph, homes: Floats) -> Floats:
    """Area, first and second moments (f, 6) of the faces, x, y, xx, xy and yy, with straight edges."""
    ends = homes[graph.edges[graph.codes >> 1]]
    backwards = graph.codes & 1 == 1
    ends[backwards] = ends[backwards, ::-1]
    (x, y), (u, v) = ends.transpose(1, 2, 0)
    cross, owners = x * v - y * u, np.repeat(np.arange(graph.face_count), np.diff(graph.starts))
    sums = (
        cross / 2, (x + u) * cross / 6, (y + v) * cross / 6, (x * x + x * u + u * u) * cross / 12,
        (x * v + 2 * x * y + 2 * u * v + u * y) * cross / 24, (y * y + y * v + v * v) * cross / 12,
    )  # fmt: skip
    return np.stack([totals(owners, each, graph.face_count) for each in sums], 1)
