"""From a calendar puzzle's design to its shapes: base, frame and pieces to cut, tray and pieces to print."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.curves.strokes import Floats, straight
from studio.geometry.planar.closed_parts import closed_parts
from studio.geometry.planar.drawing import Drawing, Operation, Path
from studio.geometry.planar.trays import in_rows
from studio.puzzles.calendar.model import CalendarDesign
from studio.puzzles.calendar.tray import Tray, grid, text_of, tray

if TYPE_CHECKING:
    from studio.geometry.solids.solid import Solid


@dataclass(frozen=True, eq=False)
class CalendarShapes:
    """A calendar puzzle's shapes: the drawing, and the parts in their places on the board.

    `origins` (p, 2) mm is where the corner of the board's first place, or of a piece's first square, lies in the
    drawing for each of `tray.parts`, which are the drawing's pieces in their order.
    """

    design: CalendarDesign
    drawing: Drawing
    tray: Tray
    origins: Floats

    def place_of(self, cell: str) -> tuple[float, float]:
        """The middle of a cell of the base in the drawing, in mm."""
        board = self.design.layout
        row, column = board.places[cell]
        x, y = self.origins[0] + (np.array([column, row]) + 0.5) * self.design.parameters.cell
        return float(x), float(y)

    def middle_of(self, part: int) -> tuple[float, float]:
        """The middle of a part's bounds in the drawing, in mm."""
        corners = self.tray.parts[part].rings[0].corners
        x, y = self.origins[part] + (corners.min(axis=0) + corners.max(axis=0)) / 2
        return float(x), float(y)

    @property
    def fit(self) -> tuple[tuple[str, str], ...]:
        """Tray, clearance, labels and edges in words."""
        from studio.puzzles.calendar.bed import depth_of, pen_of, top_of

        p, (low, high) = self.design.parameters, (self.tray.low, self.tray.high)
        width, depth = high[0] - low[0], high[1] - low[1]
        deep, wide = depth_of(p), pen_of(text_of(self.design).height)
        words = {
            "sunk": tr("Engraved {depth:.1f} mm deep, lines {width:.1f} mm wide", depth=deep, width=wide),
            "raised": tr("Embossed {height:.1f} mm high, lines {width:.1f} mm wide", height=deep, width=wide),
            "plain": tr("None"),
        }
        return (
            (
                tr("Tray"),
                tr(
                    "{width:g} × {depth:g} × {height:.1f} mm, floor {floor:g} mm",
                    width=width,
                    depth=depth,
                    height=top_of(p),
                    floor=p.base,
                ),
            ),
            (
                tr("Clearance"),
                tr("{play:.2f} mm between pieces, {rim:.2f} mm at the frame", play=p.play, rim=1.5 * p.play),
            ),
            (tr("Labels"), words[p.relief]),
            (
                tr("Pieces"),
                tr("{thickness:g} mm thick, {chamfer:g} mm chamfer", thickness=p.thickness, chamfer=p.chamfer),
            ),
        )

    @cached_property
    def bed(self) -> tuple[Solid, ...]:
        """The tray and the pieces as they are printed, side by side."""
        from studio.puzzles.calendar.bed import laid

        return laid(self.design, self.tray)


def shape(design: CalendarDesign, before: CalendarShapes | None, progress: Progress) -> CalendarShapes:
    """The shapes of a design; of `before`, the drawing where nothing of it changed."""
    progress.step(0.0)
    if before is not None:
        if before.design == design:
            return before
        if _drawn(before.design) == _drawn(design):
            return CalendarShapes(design, before.drawing, before.tray, before.origins)
    whole = tray(design)
    drawing, origins = _drawing(design, whole)
    return CalendarShapes(design, drawing, whole, origins)


def _drawn(design: CalendarDesign) -> object:
    """All that the drawing depends on."""
    p, board = design.parameters, design.layout
    pieces = tuple((piece.name, piece.rows) for piece in design.set)
    texts = tuple((label.name, label.text) for label in board.labels)
    return board.rows, texts, pieces, p.cell, p.frame, p.play, p.radius, p.corner, p.outline, p.text, p.grid, p.notch


def _drawing(design: CalendarDesign, whole: Tray) -> tuple[Drawing, Floats]:
    """All parts side by side: base and frame, below them the others in rows of the same width."""
    sizes = [part.rings[0].corners for part in whole.parts]
    lows = np.array([corners.min(axis=0) for corners in sizes])
    places, width, height = in_rows(np.array([corners.max(axis=0) for corners in sizes]) - lows)
    origins = places - lows
    rings = [[ring.stroke + origin for ring in part.rings] for part, origin in zip(whole.parts, origins, strict=True)]
    lines = [(Operation.ENGRAVE, letters) for letters in text_of(design).strokes.values()]
    if design.parameters.grid:
        lines.append((Operation.SCORE, straight(grid(design.layout, design.parameters.cell))))
    marks = [
        Path(operation, strokes[at] + origins[0], closed=False)
        for operation, strokes in lines
        for at in range(len(strokes))
    ]
    return closed_parts((width, height), [part.name for part in whole.parts], rings, marks), origins
