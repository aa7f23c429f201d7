"""Limits of a machine and a material: pieces must fit on the bed, and survive the kerf."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from studio.checks.finding import Finding, Problem, Severity
from studio.geometry.curves.strokes import Floats, Ints
from studio.geometry.planar.drawing import Drawing
from studio.puzzles.abilities.cuttable import Cuttable

MARGIN = 5.0
"""Usual free margin in mm around a bed."""
BORNE = 0.3
"""Kerf in mm that the kinds' own checks already test."""
ROUNDING = 1e-6
"""Tolerance in mm by which a piece may be larger than the bed."""
BED = Problem("bed", Severity.WARNING, "A piece is larger than the bed",
    "Piece {piece} is {width:.0f} × {height:.0f} mm, "
    "larger than the usable bed of {machine} ({bed_width:g} × {bed_height:g} mm).",
    "Choose a larger machine or a smaller design; make a frame in parts")  # fmt: skip
USUAL_BED = replace(BED, severity=Severity.HINT)
"""Same problem while no machine is chosen."""
BURNT = Problem("kerf", Severity.WARNING, "The kerf burns through a piece",
    "Piece {piece} is only {width:.2f} mm wide here; the kerf of {material} ({kerf:g} mm) burns through it.",
    "Use a material with a narrower kerf, or make the tongue or the piece larger")  # fmt: skip
CLOSED = Problem("kerf", Severity.WARNING, "The kerf closes a gap in a piece",
    "A gap in piece {piece} is only {width:.2f} mm wide here; the kerf of {material} ({kerf:g} mm) closes it.",
    "Use a material with a narrower kerf, or make the tongue or the piece larger")  # fmt: skip


@dataclass(frozen=True)
class Limits:
    """Usable bed of a machine in mm, and kerf of a material in mm."""

    machine: str
    width: float
    height: float
    material: str = ""
    kerf: float = 0.0
    is_chosen: bool = True
    """False for the machine that is assumed until the maker chooses."""

    @classmethod
    def with_margin(cls, machine: str, width: float, height: float, margin: float = MARGIN, **others: Any) -> Limits:
        """Subtract a free margin all round from a bed of a width and height in mm."""
        return cls(machine, width - 2 * margin, height - 2 * margin, **others)

    def too_large(self, sizes: Floats) -> Ints:
        """Indices of the sizes in mm, shape (n, 2), that do not fit on the bed, turned or not."""
        bed = np.array(sorted((self.width, self.height)))
        return np.flatnonzero((np.sort(sizes, axis=1) > bed + ROUNDING).any(axis=1))


def sizes_of(drawing: Drawing) -> tuple[Floats, Floats]:
    """Width and height of every piece in mm, and its middle, each of shape (n, 2)."""
    pieces, lines = drawing.pieces, drawing.polylines
    first = lines.starts[:-1]
    low, high = np.minimum.reduceat(lines.points, first), np.maximum.reduceat(lines.points, first)
    strokes = pieces.codes >> 1
    least = np.minimum.reduceat(low[strokes], pieces.starts[:-1])
    most = np.maximum.reduceat(high[strokes], pieces.starts[:-1])
    return most - least, (most + least) / 2


def beyond(
    cut: Cuttable[Any], design: Any, shapes: Any, limits: Limits, shape: Callable[[Any], Any]
) -> tuple[Finding, ...]:
    """Find pieces that a machine cannot hold or that a material's kerf destroys.

    `shape` computes the shapes of a design, to test the fix that a kind offers.
    """
    drawing = cut.drawing(shapes)
    return (*_too_large(cut, design, drawing, limits, shape), *_burnt(drawing, limits))


def _too_large(
    cut: Cuttable[Any], design: Any, drawing: Drawing, limits: Limits, shape: Callable[[Any], Any]
) -> Iterator[Finding]:
    if not len(limits.too_large(np.array([[drawing.width, drawing.height]]))) or not len(drawing.pieces):
        return
    sizes, middles = sizes_of(drawing)
    large = limits.too_large(sizes).tolist()
    divided = cut.divided(design) if large else None
    if divided is not None:
        after, _ = sizes_of(cut.drawing(shape(divided.apply(design))))
        divided = divided if len(limits.too_large(after)) < len(large) else None
    for number in large:
        yield (BED if limits.is_chosen else USUAL_BED).finding(
            middles[number].tolist(),
            pieces=[number],
            repair=divided,
            piece=drawing.pieces.names[number],
            width=sizes[number, 0],
            height=sizes[number, 1],
            machine=limits.machine,
            bed_width=limits.width,
            bed_height=limits.height,
        )


def _burnt(drawing: Drawing, limits: Limits) -> Iterator[Finding]:
    if limits.kerf <= BORNE:
        return
    from studio.checks.pieces import flaws

    for flaw in flaws(drawing, np.arange(len(drawing.pieces)), limits.kerf, limits.kerf):
        if flaw.harm:
            yield (BURNT if flaw.harm < 0 else CLOSED).finding(
                flaw.place.tolist(),
                pieces=[flaw.piece],
                piece=drawing.pieces.names[flaw.piece],
                width=flaw.width,
                material=limits.material,
                kerf=limits.kerf,
                shortfall=1 - flaw.width / limits.kerf,
            )
