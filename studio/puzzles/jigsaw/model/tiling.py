"""Tiling of a jigsaw: the cells of its board, clipped to its outline; sizes of new boards, and the edits they keep."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress, kept
from studio.base.texts import tr
from studio.geometry.board.board_spec import (
    DRAWN,
    FLOW_LINES,
    FROM_FILE,
    GRID,
    NO_FLOW,
    POLYGON,
    RECTANGLE,
    RINGS,
    SEEDED,
    DrawnCut,
    Flow,
    Form,
    LooseLine,
    Ring,
    Way,
)
from studio.geometry.board.tiling import Tiling
from studio.geometry.board.tiling_construction import rectangular
from studio.puzzles.jigsaw.figures.whimsies import Whimsy
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.tongues.styles import OWN
from studio.puzzles.kind import Generated
from studio.puzzles.named_edits import parted

if TYPE_CHECKING:
    from studio.geometry.board.outline import Outline


LEAST_MADE = 2
"""The fewest pieces that are no drop-outs."""


@dataclass(frozen=True)
class Board:
    """Parts of a design that its tiling depends on; `layout` are columns and rows if the parameters do not say them."""

    parameters: JigsawParameters
    path: tuple[Ring, ...]
    merged: tuple[str, ...]
    whimsies: tuple[Whimsy, ...]
    cuts: tuple[DrawnCut, ...] = ()
    details: tuple[LooseLine, ...] = ()
    flow_lines: tuple[Way, ...] = ()
    kept: tuple[str, ...] = ()
    layout: tuple[int, int] | None = None

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
        is_open = p.layout_version > 2
        return Form(p.outline, p.width, p.height, p.sides, self.radius, self.path, has_open_cleft=is_open)

    @property
    def flow(self) -> Flow | None:
        """Flow of the rows; None if they are straight."""
        p = self.parameters
        return None if p.flow == NO_FLOW else Flow(p.flow, p.flow_strength, p.seed, self.flow_lines)

    @property
    def is_plain(self) -> bool:
        """True for a rectangle in straight columns and rows, ignoring figures."""
        p = self.parameters
        is_regular = p.tiling == GRID and p.outline == RECTANGLE and p.flow == NO_FLOW
        return is_regular and not (self.merged or p.tricky_border or p.split_corners or p.noodles)

    @staticmethod
    def from_design(design: JigsawDesign) -> Board:
        """Keep what matters to the tiling, so that boards of the same tiling are equal."""
        p = design.parameters
        parameters = _without_idle(p, bool(design.whimsies))
        path = design.path if p.outline == FROM_FILE else ()
        cuts = design.cuts if p.tiling == DRAWN else ()
        details = tuple(one for one in design.loose if one.is_detail) if cuts else ()
        lines = design.flow_lines if parameters.flow == FLOW_LINES else ()
        return Board(parameters, path, design.merged, design.whimsies, cuts, details, lines, kept_cuts(design))


def kept_cuts(design: JigsawDesign) -> tuple[str, ...]:
    """Names of tongues locked under another seed, which no noodle takes in."""
    if not design.parameters.noodles:
        return ()
    return tuple(one.name for one in design.tongues if one.locked_seed not in (None, design.parameters.seed))


@lru_cache(maxsize=8)
def _without_idle(p: JigsawParameters, has_figures: bool) -> JigsawParameters:
    """Reset the parameters that make no difference to the tiling."""
    bends = p.flow != NO_FLOW and p.tiling != DRAWN
    kept = {
        "corner_radius": p.outline == RECTANGLE,
        "sides": p.outline == POLYGON,
        "middle_piece": p.tiling == RINGS,
        "seed": p.tiling in SEEDED or (bends and p.flow != FLOW_LINES) or p.noodles > 0 or 0 < p.split_corners < 1,
        **dict.fromkeys(("flow", "flow_strength"), bends),
        "least_bridge": has_figures,
        "exact": p.pieces > 0,
        **dict.fromkeys(("columns", "rows", "pieces", "noodles"), p.tiling != DRAWN),
    }
    named = ("width", "height", "tiling", "outline", "tricky_border", "split_corners", "layout_version")
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
    p = board.parameters
    if board.is_plain and not board.whimsies and not p.is_counted:
        return rectangular(*p.layout(), p.width, p.height, board.radius)
    from studio.puzzles.jigsaw.model.divided_boards import divided

    return divided(board, progress)


def carry(parameters: JigsawParameters, previous: JigsawDesign, progress: Progress) -> Generated[JigsawDesign]:
    """Make a design for new parameters, with the previous edits of all elements that still exist."""
    return without_lost_edits(replace(previous, parameters=parameters), progress)


def with_whimsies(
    design: JigsawDesign, whimsies: Iterable[Whimsy], progress: Progress = SILENT
) -> Generated[JigsawDesign]:
    """Replace the figures of a design; edits of elements that no longer exist are dropped."""
    return without_lost_edits(replace(design, whimsies=tuple(sorted(whimsies, key=attrgetter("name")))), progress)


def without_lost_edits(design: JigsawDesign, progress: Progress) -> Generated[JigsawDesign]:
    """Drop the edits of elements that the board lacks, and name them.

    The tiling is cached for the shapes. Raise StudioError if the board is impossible.
    """
    if not (design.corners or design.tongues or design.merged or design.dropped):
        tiling_of(design, progress)
        return Generated(design)
    tiling = tiling_of(replace(design, merged=()), progress)
    merged = tuple(name for name in design.merged if name in tiling.edge_indices)
    if merged:
        tiling = tiling_of(replace(design, merged=merged), progress)
    corners, lost_corners = parted(design.corners, tiling.corner_indices)
    tongues, lost_tongues = parted(design.tongues, tiling.tongue_indices)
    pieces = _pieces(tiling)
    dropped = tuple(name for name in design.dropped if name in pieces)
    if len(pieces) < len(dropped) + LEAST_MADE:
        dropped = ()
    lost = _in_words(lost_corners, lost_tongues, (name for name in design.merged if name not in merged),
                     (name for name in design.dropped if name not in dropped))  # fmt: skip
    return Generated(replace(design, corners=corners, tongues=tongues, merged=merged, dropped=dropped), lost)


def _pieces(tiling: Tiling) -> set[str]:
    """Names of all pieces, figures included."""
    return {*tiling.piece_names, *(one.piece for one in tiling.fillings)}


def lost_edits(before: JigsawDesign, after: JigsawDesign) -> tuple[str, ...]:
    """Name the edits of a design that another lacks; cuts drawn anew leave out what was merged."""
    corners, tongues = ({edit.name for edit in edits} for edits in (after.corners, after.tongues))
    return _in_words(
        [edit.name for edit in before.corners if edit.name not in corners],
        [edit.name for edit in before.tongues if edit.name not in tongues],
        [name for name in before.merged if name not in after.merged and before.cuts == after.cuts],
        [name for name in before.dropped if name not in after.dropped],
    )


def _in_words(
    corners: Iterable[str], tongues: Iterable[str], merged: Iterable[str], dropped: Iterable[str]
) -> tuple[str, ...]:
    return (
        *(tr("corner {name}", name=name) for name in corners),
        *(tr("tongue {name}", name=name) for name in tongues),
        *(tr("merge {name}", name=name) for name in merged),
        *(tr("drop-out {name}", name=name) for name in dropped),
    )


def verify(design: JigsawDesign) -> None:
    """Raise StudioError if an edit names an element that the board lacks, or the board is impossible."""
    if not (design.corners or design.tongues or design.merged or design.dropped or design.path or design.cuts):
        return
    tiling = tiling_of(replace(design, merged=()))
    for name in design.merged:
        if name not in tiling.edge_indices:
            raise StudioError(tr("Merged cut {name!r} is not on this board.", name=name[:40]))
    tiling = tiling_of(design)
    pieces = _pieces(tiling)
    for name in design.dropped:
        if name not in pieces:
            raise StudioError(tr("Drop-out {name!r} is not on this board.", name=name[:40]))
    if design.dropped and len(pieces) < len(design.dropped) + LEAST_MADE:
        raise StudioError(tr("At least {least} pieces must not be drop-outs.", least=LEAST_MADE))
    for edit in design.corners:
        if edit.name not in tiling.corner_indices:
            raise StudioError(tr("Edited corner {name!r} is not on this board.", name=edit.name[:40]))
    for tongue in design.tongues:
        if tongue.name not in tiling.tongue_indices:
            raise StudioError(tr("Edited tongue {name!r} is not on this board.", name=tongue.name[:40]))
        if tongue.style == OWN and design.profile is None:
            raise StudioError(tr("Tongue {name!r} has a custom style, but there is no profile.", name=tongue.name[:40]))


def resized(parameters: JigsawParameters, name: str, value: Any) -> JigsawParameters:
    """Change a parameter; the board grows with its columns and rows, so that pieces keep their size.

    Raise ParameterError if that board is impossible.
    """
    sizes: dict[str, Any] = {}
    if name == "columns":
        sizes["width"] = round(parameters.cell[0] * value, 6)
    elif name == "rows":
        sizes["height"] = round(parameters.cell[1] * value, 6)
    return replace(parameters, **{name: value}, **sizes)


def sized(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Complete the values of a new board: unless chosen, its size follows from the usual size of pieces."""
    usual, values = JigsawParameters(), dict(chosen)
    across, down = usual.cell
    sides = {"width": across * values.get("columns", usual.columns), "height": down * values.get("rows", usual.rows)}
    if values.get("pieces"):
        larger = math.sqrt(values["pieces"] / (usual.columns * usual.rows))
        sides = {"width": round(usual.width * larger), "height": round(usual.height * larger)}
    return {**{name: float(round(side, 6)) for name, side in sides.items()}, **values}
