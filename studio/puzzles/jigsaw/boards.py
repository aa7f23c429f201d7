"""The tiling of a jigsaw: which cells its board is made of, and what outline they are clipped to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from studio.geometry.lattice import rectangular
from studio.geometry.rounded import FINEST
from studio.geometry.tiling import Tiling
from studio.puzzles.jigsaw.model import (
    FROM_FILE,
    GRID,
    HAND_CUT,
    POLYGON,
    RECTANGLE,
    RINGS,
    VORONOI,
    JigsawDesign,
    JigsawParameters,
    Ring,
)

if TYPE_CHECKING:
    from studio.geometry.outline import Outline
    from studio.puzzles.jigsaw.whimsies import Whimsy

SEEDED = (VORONOI, RINGS, HAND_CUT)
"""Tilings that depend on the seed."""


@dataclass(frozen=True)
class Board:
    """All of a design that its tiling depends on."""

    parameters: JigsawParameters
    path: tuple[Ring, ...]
    merged: tuple[str, ...]
    whimsies: tuple[Whimsy, ...]

    @property
    def radius(self) -> float:
        """The radius of its corners in mm, 0 where none is made."""
        radius = self.parameters.corner_radius
        return radius if radius >= FINEST else 0.0

    @property
    def is_plain(self) -> bool:
        """Whether it is a rectangle in columns and rows, figures left aside."""
        return self.parameters.tiling == GRID and self.parameters.outline == RECTANGLE and not self.merged

    @staticmethod
    def of(design: JigsawDesign) -> Board:
        """Without what makes no difference, so that boards of one tiling are equal."""
        p, usual = design.parameters, JigsawParameters()
        kept = {
            "corner_radius": p.outline == RECTANGLE,
            "sides": p.outline == POLYGON,
            "middle_piece": p.tiling == RINGS,
            "seed": p.tiling in SEEDED,
            "least_bridge": bool(design.whimsies),
        }
        named = ("columns", "rows", "pieces", "width", "height", "tiling", "outline")
        names = [*named, *(name for name, matters in kept.items() if matters)]
        parameters = replace(usual, **{name: getattr(p, name) for name in names})
        path = design.path if p.outline == FROM_FILE else ()
        return Board(parameters, path, design.merged, design.whimsies)


def tiling_of(design: JigsawDesign) -> Tiling:
    """The tiling of a design; raises StudioError where the outline leaves no piece, or is none."""
    return _tiling(Board.of(design))


def outline_without_figures(design: JigsawDesign) -> Outline:
    """The outline of the board alone; raises StudioError where it is none."""
    from studio.puzzles.jigsaw.divided import outline

    return outline(Board.of(design))


@lru_cache(maxsize=8)
def _tiling(board: Board) -> Tiling:
    if board.is_plain and not board.whimsies:
        p = board.parameters
        return rectangular(*p.layout(), p.width, p.height, board.radius)
    from studio.puzzles.jigsaw.divided import divided

    return divided(board)
