"""Boards that are no plain grid: outlines, the cells that cover them, and the figures in them."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress, kept
from studio.geometry.board.board_outline import bounded, covered
from studio.geometry.board.board_spec import Division
from studio.geometry.board.clipping import clipped
from studio.geometry.board.outline import Outline, with_rings
from studio.geometry.board.splicing import fits, spliced
from studio.geometry.board.tessellations import Tessellation, window
from studio.geometry.board.tiling import Tiling
from studio.geometry.board.tiling_construction import rectangular
from studio.geometry.curves.rings import box
from studio.geometry.curves.strokes import Floats, Ints
from studio.puzzles.jigsaw.figures.whimsies import Whimsy
from studio.puzzles.jigsaw.model.design import JigsawParameters
from studio.puzzles.jigsaw.model.tiling import Board

Patch = tuple[Tiling, Ints]
"""A window divided with figures, and its corners that they moved."""
REACH, FURTHER = 2.5, 1.6
"""How far around figures, in cells, windows reach at first, and how many times as far where that is not enough."""


def outline(board: Board) -> Outline:
    """The outline of a board alone; raises StudioError where it is none."""
    return bounded(board.form)


def divided(board: Board, progress: Progress) -> Tiling:
    """The tiling of a board; raises StudioError where its outline is none."""
    p, around = board.parameters, outline(board)
    progress.step(0.0)
    figures = _placeable(board, around)
    while figures:
        try:
            return _with_figures(board, around, figures, progress)
        except StudioError:
            # No cuts fit around the last one; the check says so.
            figures = figures[:-1]
    if board.is_plain:
        return rectangular(*p.layout(), p.width, p.height, board.radius)
    return _bare(board, progress)


def _bare(board: Board, progress: Progress) -> Tiling:
    """The tiling of the cells alone, without figures."""
    return _clipped(replace(board, parameters=_with_usual_bridge(board.parameters), whimsies=()), progress)


@lru_cache(maxsize=8)
def _with_usual_bridge(parameters: JigsawParameters) -> JigsawParameters:
    return replace(parameters, least_bridge=JigsawParameters().least_bridge)


@kept(4)
def _clipped(board: Board, progress: Progress) -> Tiling:
    around = outline(board)
    cells = _cells(board, around, progress.part(0.0, 0.4))
    return _cut(board, cells, around, progress.part(0.4, 1.0))


def _cut(board: Board, cells: Tessellation, around: Outline, progress: Progress) -> Tiling:
    p = board.parameters
    return clipped(
        cells, around, (p.width, p.height), frozenset(board.merged), progress, splits_corners=p.tricky_border
    )


def _placeable(board: Board, outline: Outline) -> tuple[Whimsy, ...]:
    if not board.whimsies:
        return ()
    from studio.puzzles.jigsaw.figures.placing import placeable

    return placeable(board.whimsies, outline, board.parameters.least_bridge)


def _with_figures(board: Board, around: Outline, figures: Sequence[Whimsy], progress: Progress) -> Tiling:
    """The tiling around figures.

    Each figure, with those near it, is divided in a window of its own, which is put into the bare board. So what is
    far from a figure does not depend on it, and where it moves only its window is divided again. Where a window
    would be most of the board, all is divided at once.
    """
    bare = _bare(board, progress.part(0.0, 0.6))
    cells = _cells(board, around, progress.part(0.6, 0.7))
    reach, parted = REACH, True
    while parted:
        tiling: Tiling | None = bare
        groups = _grouped(figures, 2 * reach * cells.scale)
        for at, group in enumerate(groups):
            progress.step(0.7 + 0.3 * at / len(groups))
            patch = around_figures(Near.of(board, group, reach), SILENT)
            parted = patch is not None
            tiling = None if patch is None or tiling is None else spliced(tiling, *patch, len(around.stretches))
            if tiling is None:
                break
        if tiling is not None:
            return tiling
        reach *= FURTHER
    return all_around(Near.of(board, figures), progress)[0]


def windows_around(board: Board, names: Collection[str]) -> list[tuple[Near, Patch | None]]:
    """The windows around some figures of which their board is put together, as far as each alone tells: all that are
    divided for it, the last ones large enough. Raises StudioError as `divided` does."""
    around, found = outline(board), list[tuple[Near, Patch | None]]()
    figures, cells, reach = _placeable(board, around), _cells(board, around, SILENT), REACH
    while True:
        groups = _grouped(figures, 2 * reach * cells.scale)
        nears = [Near.of(board, group, reach) for group in groups if any(one.name in names for one in group)]
        patches = [around_figures(near, SILENT) for near in nears]
        found += zip(nears, patches, strict=True)
        if None in patches:
            whole = Near.of(board, figures)
            return [*found, (whole, all_around(whole, SILENT))]
        if all(patch is None or fits(_bare(board, SILENT), *patch) for patch in patches):
            return found
        reach *= FURTHER


@dataclass(frozen=True)
class Near:
    """Some figures of a board, and how far around them, in cells, a window reaches; infinitely far where it is all."""

    board: Board
    figures: tuple[Whimsy, ...]
    reach: float = math.inf

    @staticmethod
    def of(board: Board, figures: Sequence[Whimsy], reach: float = math.inf) -> Near:
        """Without the board's other figures, so that they make no difference."""
        return Near(replace(board, whimsies=()), tuple(figures), reach)


@kept(64)
def around_figures(near: Near, progress: Progress) -> Patch | None:
    """The window around some figures, divided with them; None where it is most of the board.

    Raises StudioError where no cuts fit around one of them.
    """
    around = outline(near.board)
    cells = _cells(near.board, around, progress)
    low, high = _box(near.figures)
    part = window(cells, low, high, near.reach)
    return None if part is None else _filled(near.board, part, around, near.figures, progress)


@kept(2)
def all_around(near: Near, progress: Progress) -> Patch:
    """A whole board, divided with its figures at once. Raises StudioError where no cuts fit around one of them."""
    around = outline(near.board)
    return _filled(near.board, _cells(near.board, around, SILENT), around, near.figures, progress)


def remember(near: Near, patch: Patch | None) -> None:
    """Keep a window, or a whole board, that was divided in another process."""
    if patch is not None and math.isinf(near.reach):
        all_around.remember(near, patch)
    else:
        around_figures.remember(near, patch)


def _filled(board: Board, cells: Tessellation, around: Outline, figures: Sequence[Whimsy], progress: Progress) -> Patch:
    """Cells around figures: what is within them is cut off as what is beyond the outline, and they fill it; and the
    corners that they moved."""
    from studio.geometry.figures.fillings import Placed, filled
    from studio.puzzles.jigsaw.figures.placing import enclosed

    placed = [Placed(one.name, one.on_board(), enclosed(one), one.tongues, one.pose.is_mirrored) for one in figures]
    inner = [one.rings[0][::-1].copy() for one in placed]
    with_figures = with_rings(around, inner)
    tiling = _cut(board, cells, with_figures, progress)
    whole = filled(tiling, placed, board.parameters.least_bridge)
    # Whoever splices the window in needs it, and would have to build a search tree of the outline again.
    whole = replace(whole, known_rim_rooms=whole.rim_rooms)
    return whole, np.flatnonzero((whole.homes[: len(tiling.homes)] != tiling.homes).any(axis=1))


def _grouped(figures: Sequence[Whimsy], apart: Floats) -> list[tuple[Whimsy, ...]]:
    """Figures in groups: those whose boxes are not apart, in mm along x and y, are together."""
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
    """The least and the greatest x and y in mm of some figures."""
    ends = np.array([_extent(one) for one in figures])
    return np.asarray(ends[:, 0].min(axis=0)), np.asarray(ends[:, 1].max(axis=0))


@lru_cache(256)
def _extent(one: Whimsy) -> tuple[Floats, Floats]:
    return box(one.on_board()[0])


def _cells(board: Board, outline: Outline, progress: Progress) -> Tessellation:
    """The cells that cover the box of a board's outline."""
    p = board.parameters
    layout = p.layout(float(outline.region.area) / (p.width * p.height))
    return covered(Division(board.form, p.tiling, *layout, p.seed, p.middle_piece), progress)
