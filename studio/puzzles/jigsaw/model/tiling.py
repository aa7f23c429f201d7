"""Tiling of a jigsaw: the cells of its board, clipped to its outline."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from studio.base.progress import SILENT, Progress, kept
from studio.geometry.board.board_spec import FROM_FILE, GRID, POLYGON, RECTANGLE, RINGS, SEEDED, Form, Ring
from studio.geometry.board.tiling import Tiling
from studio.geometry.board.tiling_construction import rectangular
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters

if TYPE_CHECKING:
    from studio.geometry.board.outline import Outline
    from studio.puzzles.jigsaw.figures.whimsies import Whimsy


@dataclass(frozen=True)
class Board:
    """Parts of a design that its tiling depends on."""

    parameters: JigsawParameters
    path: tuple[Ring, ...]
    merged: tuple[str, ...]
    whimsies: tuple[Whimsy, ...]

    @property
    def radius(self) -> float:
        """Radius of the board's corners in mm, 0 if too small to be made."""
        radius = self.parameters.corner_radius
        if not radius:
            return 0.0
        from studio.geometry.planar.polyomino import FINEST

        return radius if radius >= FINEST else 0.0

    @property
    def form(self) -> Form:
        """Outline and size."""
        p = self.parameters
        return Form(p.outline, p.width, p.height, p.sides, self.radius, self.path)

    @property
    def is_plain(self) -> bool:
        """True for a rectangle in columns and rows, ignoring figures."""
        p = self.parameters
        return p.tiling == GRID and p.outline == RECTANGLE and not self.merged and not p.tricky_border

    @staticmethod
    def from_design(design: JigsawDesign) -> Board:
        """Keep what matters to the tiling, so that boards of the same tiling are equal."""
        p = design.parameters
        parameters = _without_idle(p, bool(design.whimsies))
        path = design.path if p.outline == FROM_FILE else ()
        return Board(parameters, path, design.merged, design.whimsies)


@lru_cache(maxsize=8)
def _without_idle(p: JigsawParameters, has_figures: bool) -> JigsawParameters:
    """Reset the parameters that make no difference to the tiling."""
    kept = {
        "corner_radius": p.outline == RECTANGLE,
        "sides": p.outline == POLYGON,
        "middle_piece": p.tiling == RINGS,
        "seed": p.tiling in SEEDED,
        "least_bridge": has_figures,
        "exact": p.pieces > 0,
    }
    named = ("columns", "rows", "pieces", "width", "height", "tiling", "outline", "tricky_border")
    names = [*named, *(name for name, matters in kept.items() if matters)]
    return replace(JigsawParameters(), **{name: getattr(p, name) for name in names})


def tiling_of(design: JigsawDesign, progress: Progress = SILENT) -> Tiling:
    """Compute the tiling. Raise StudioError if its outline is invalid or has details that no cuts can follow."""
    return _tiling(Board.from_design(design), progress)


def outline_without_figures(design: JigsawDesign) -> Outline:
    """Outline of the board alone. Raise StudioError if it is invalid."""
    from studio.puzzles.jigsaw.model.divided_boards import outline

    return outline(Board.from_design(design))


@kept(8)
def _tiling(board: Board, progress: Progress) -> Tiling:
    if board.is_plain and not board.whimsies:
        p = board.parameters
        return rectangular(*p.layout(), p.width, p.height, board.radius)
    from studio.puzzles.jigsaw.model.divided_boards import divided

    return divided(board, progress)
