"""The joint of a slitherlink's board: a stick and a slot."""

from __future__ import annotations

from dataclasses import replace

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.geometry.curves.strokes import closed_through
from studio.geometry.planar.joint import Inlay
from studio.puzzles.abilities.cuttable import Thickness
from studio.puzzles.slitherlink.board import slots, stick, stick_widths
from studio.puzzles.slitherlink.geometry import SlitherlinkShapes
from studio.puzzles.slitherlink.model import PEGS, STICKS, SlitherlinkDesign

MARGIN = 1.0
"""What stays free around the label of a stick, in mm."""


def joint(shapes: SlitherlinkShapes) -> Inlay:
    """A stick and the slot that its tenon goes into; raises StudioError for a board without slots."""
    p = shapes.design.parameters
    if p.board != STICKS:
        why = tr("Pegs are not cut with the board") if p.board == PEGS else tr("An engraved board is one piece")
        raise StudioError(tr("{reason}, so there is no fit to test.", reason=why))
    width, _tenon = stick_widths(p)
    slot = slots(p, shapes.dots)[0]
    return Inlay(stick(p), closed_through(slot), (MARGIN, MARGIN, width - MARGIN, p.stick - MARGIN))


def thickness(shapes: SlitherlinkShapes) -> Thickness | None:
    """That of the sticks, which go into their slots on edge; a board without slots is cut from any sheet."""
    p = shapes.design.parameters
    return Thickness(p.thickness, "thickness", tr("thickness"), with_thickness) if p.board == STICKS else None


def with_thickness(design: SlitherlinkDesign, thickness: float) -> SlitherlinkDesign:
    """The design for sheets of another thickness in mm; raises ParameterError for one that no slot can have."""
    return replace(design, parameters=replace(design.parameters, thickness=thickness))
