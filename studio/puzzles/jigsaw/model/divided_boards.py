"""Tilings of boards beyond a plain grid: outlines, their cells, and figures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING

import numpy as np

from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress, kept
from studio.geometry.board.board_outline import bounded, covered
from studio.geometry.board.board_spec import DRAWN, Division
from studio.geometry.board.clipping import Noodles, clipped
from studio.geometry.board.outline import Outline, with_rings
from studio.geometry.board.splicing import spliced
from studio.geometry.board.tessellations import Tessellation, window
from studio.geometry.board.tiling import Tiling
from studio.geometry.board.tiling_construction import rectangular
from studio.geometry.curves.rings import box
from studio.geometry.curves.strokes import Curves, Floats, Ints
from studio.puzzles.jigsaw.figures.whimsies import STICKS_OUT, Whimsy
from studio.puzzles.jigsaw.model.design import JigsawParameters
from studio.puzzles.jigsaw.model.tiling import Board

if TYPE_CHECKING:
    from studio.geometry.board.inlays import Inlay, Placed

Patch = tuple[Tiling, Ints]
"""A window divided with figures, and the corners that the figures moved."""
SHORTEST = 0.35
"""Length in usual faces of the shortest edges with tongues in the second layout."""
REACH, FURTHER = 2.5, 1.6
"""First reach of windows around figures, in cells, and the factor by which it grows if it is not enough."""


def outline(board: Board) -> Outline:
    """Build the outline of a board. Raise StudioError if it is invalid."""
    return bounded(board.form)


def divided(board: Board, progress: Progress) -> Tiling:
    """Divide a board into a tiling. Raise StudioError if its outline is invalid."""
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
    if board.is_plain:
        return rectangular(*p.layout(), p.width, p.height, board.radius)
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
    return filled(tiling, placed, p.least_bridge, moves_corners=False)


@kept(4)
def _clipped(board: Board, progress: Progress) -> Tiling:
    around = outline(board)
    cells = _cells(board, around, progress.part(0.0, 0.4))
    return _cut(board, cells, around, progress.part(0.4, 1.0))


def _cut(board: Board, cells: Tessellation, around: Outline, progress: Progress) -> Tiling:
    p = board.parameters
    noodles = Noodles(p.noodles, p.seed, frozenset(board.kept))
    merged, size = frozenset(board.merged), (p.width, p.height)
    tiling = clipped(
        cells, around, size, merged, progress,
        splits_corners=p.tricky_border, seats_ends=p.layout_version > 1, noodles=noodles,
    )  # fmt: skip
    return replace(tiling, shortest=SHORTEST) if p.layout_version > 1 else tiling


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
    whole = filled(tiling, placed, p.least_bridge, seats_ends=p.layout_version > 1)
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
    layout = p.layout(float(outline.region.area) / (p.width * p.height))
    return covered(Division(board.form, p.tiling, *layout, p.seed, p.middle_piece, board.flow), progress)
