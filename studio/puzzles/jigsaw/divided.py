"""Boards that are no plain grid: outlines, the cells that cover them, and the figures in them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from studio.errors import StudioError
from studio.geometry import forms, tessellations
from studio.geometry.clipping import clipped
from studio.geometry.curves import Floats
from studio.geometry.lattice import rectangular
from studio.geometry.outline import Outline, outline_of
from studio.geometry.rings import box
from studio.geometry.tessellations import Tessellation
from studio.geometry.tiling import Tiling
from studio.geometry.voronoi import voronoi
from studio.puzzles.jigsaw.boards import Board
from studio.puzzles.jigsaw.model import ELLIPSE, JigsawParameters
from studio.puzzles.jigsaw.whimsies import Whimsy

BEYOND_ELLIPSE = 2**0.5 - 1
"""How far the corners of a box are outside its ellipse, as a fraction of the ellipse."""


def outline(board: Board) -> Outline:
    """The outline of a board alone; raises StudioError where it is none."""
    return _outline(replace(board, merged=(), whimsies=()))


@lru_cache(maxsize=8)
def _outline(board: Board) -> Outline:
    return outline_of(_rings(board))


def divided(board: Board) -> Tiling:
    """The tiling of a board; raises StudioError where its outline is none."""
    p, around = board.parameters, outline(board)
    figures = _placeable(board, around)
    while figures:
        try:
            return _with_figures(board, around, figures)
        except StudioError:
            # No cuts could be led round the last one; the check says so.
            figures = figures[:-1]
    if board.is_plain:
        return rectangular(*p.layout(), p.width, p.height, board.radius)
    return clipped(_tessellation(p, around), around, (p.width, p.height), frozenset(board.merged))


def _placeable(board: Board, outline: Outline) -> tuple[Whimsy, ...]:
    if not board.whimsies:
        return ()
    from studio.puzzles.jigsaw.placing import placeable

    return placeable(board.whimsies, outline, board.parameters.least_bridge)


def _with_figures(board: Board, outline: Outline, figures: Sequence[Whimsy]) -> Tiling:
    """The tiling around figures: what is within them is cut off as what is beyond the outline, and they fill it."""
    from studio.geometry.fillings import filled

    p = board.parameters
    rings = [(one.name, one.on_board()) for one in figures]
    inner = [own[0][::-1].copy() for _, own in rings]
    around = outline_of([*(outline.rings[at] for at in range(len(outline.rings))), *inner])
    tiling = clipped(_tessellation(p, outline), around, (p.width, p.height), frozenset(board.merged))
    return filled(tiling, rings)


def _rings(board: Board) -> list[Floats]:
    """The outline's closed curves."""
    p = board.parameters
    size = p.width, p.height
    match p.outline:
        case "ellipse":
            return [forms.ellipse(*size)]
        case "polygon":
            return [forms.polygon(*size, p.sides)]
        case "heart":
            return [forms.heart(*size)]
        case "arch":
            return [forms.arch(*size)]
        case "file":
            rings = [np.array(ring) for ring in board.path]
            low, high = box(rings[0])
            return [(ring - low) * (np.array(size) / (high - low)) for ring in rings]
        case _:
            return [forms.rectangle(*size, board.radius)]


def _tessellation(p: JigsawParameters, outline: Outline) -> Tessellation:
    """The cells that cover the box of the outline."""
    share = float(outline.region.area) / (p.width * p.height)
    layout, size = p.layout(share), (p.width, p.height)
    match p.tiling:
        case "bricks":
            return tessellations.bricks(*layout, *size)
        case "hexagons":
            return tessellations.hexagons(*layout, *size)
        case "triangles":
            return tessellations.triangles(*layout, *size)
        case "voronoi":
            return voronoi(*layout, *size, p.seed, outline)
        case "rings":
            return _concentric(layout, size, p, is_round=p.outline == ELLIPSE)
        case "hand-cut":
            return tessellations.hand_cut(*layout, *size, p.seed)
        case _:
            return tessellations.grid(*layout, *size)


def _concentric(
    layout: tuple[int, int], size: tuple[float, float], p: JigsawParameters, *, is_round: bool
) -> Tessellation:
    """Rings whose pieces are about as large as those of columns and rows."""
    cells = layout[0] * layout[1]
    rings = max(1 + p.middle_piece, round(math.sqrt(cells) / 2))
    sectors = max(3, round(math.pi / 2 * cells * (rings - 0.5) / rings**2))
    counts = tessellations.ring_counts(rings, sectors, middle=p.middle_piece)
    more = 0 if is_round else math.ceil(BEYOND_ELLIPSE * rings) + 1
    return tessellations.concentric(counts, more, *size, p.seed)
