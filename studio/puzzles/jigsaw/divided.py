"""Boards that are no plain grid: outlines, the cells that cover them, and the figures in them."""

from __future__ import annotations

from collections.abc import Sequence

from studio.errors import StudioError
from studio.geometry.clipping import clipped
from studio.geometry.divided import bounded, covered
from studio.geometry.division import Division
from studio.geometry.lattice import rectangular
from studio.geometry.outline import Outline, outline_of
from studio.geometry.tessellations import Tessellation
from studio.geometry.tiling import Tiling
from studio.progress import Progress
from studio.puzzles.jigsaw.boards import Board
from studio.puzzles.jigsaw.whimsies import Whimsy


def outline(board: Board) -> Outline:
    """The outline of a board alone; raises StudioError where it is none."""
    return bounded(board.form)


def divided(board: Board, progress: Progress) -> Tiling:
    """The tiling of a board; raises StudioError where its outline is none."""
    p, around = board.parameters, outline(board)
    progress.step(0.0)
    cells = _cells(board, around, progress.part(0.0, 0.4))
    progress = progress.part(0.4, 1.0)
    figures = _placeable(board, around)
    while figures:
        try:
            return _with_figures(board, around, cells, figures, progress)
        except StudioError:
            # No cuts could be led round the last one; the check says so.
            figures = figures[:-1]
    if board.is_plain:
        return rectangular(*p.layout(), p.width, p.height, board.radius)
    return clipped(
        cells, around, (p.width, p.height), frozenset(board.merged), progress, splits_corners=p.tricky_border
    )


def _placeable(board: Board, outline: Outline) -> tuple[Whimsy, ...]:
    if not board.whimsies:
        return ()
    from studio.puzzles.jigsaw.placing import placeable

    return placeable(board.whimsies, outline, board.parameters.least_bridge)


def _with_figures(
    board: Board, outline: Outline, cells: Tessellation, figures: Sequence[Whimsy], progress: Progress
) -> Tiling:
    """The tiling around figures: what is within them is cut off as what is beyond the outline, and they fill it."""
    from studio.geometry.fillings import Placed, filled

    p = board.parameters
    placed = [Placed(one.name, one.on_board(), one.tongues) for one in figures]
    inner = [one.rings[0][::-1].copy() for one in placed]
    around = outline_of([*(outline.rings[at] for at in range(len(outline.rings))), *inner])
    tiling = clipped(
        cells, around, (p.width, p.height), frozenset(board.merged), progress, splits_corners=p.tricky_border
    )
    return filled(tiling, placed, p.least_bridge)


def _cells(board: Board, outline: Outline, progress: Progress) -> Tessellation:
    """The cells that cover the box of a board's outline."""
    p = board.parameters
    layout = p.layout(float(outline.region.area) / (p.width * p.height))
    return covered(Division(board.form, p.tiling, *layout, p.seed, p.middle_piece), progress)
