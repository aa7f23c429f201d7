"""Sheets of a tray: its parts laid out, with kerf compensation, so that the clearance is right once all is cut.

A board shrinks all round when it is cut: by half a kerf with shared lines, by half the clearance between its pieces
with separate outlines. The opening of the frame is made smaller by the same amount, in addition to its own kerf."""

from __future__ import annotations

from studio.base.amounts import extent
from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.fabricate.contours import Contours
from studio.fabricate.kerf import cutouts
from studio.fabricate.plan import Plan, plan
from studio.fabricate.sheets import in_place, nested_pieces
from studio.fabricate.tabs import TabRule
from studio.fabricate.workshop import Bed, Machine, fits
from studio.geometry.planar.drawing import Drawing
from studio.geometry.planar.trays import Tray


def tray_plans(
    tray: Tray, offset: float, bed: Bed | None, copies: int, machine: Machine, tabs: TabRule | None, progress: Progress
) -> tuple[Plan, ...]:
    """Plan every sheet of a tray whose outlines are offset outwards by `offset` mm.

    Without a bed all parts go on a single sheet that just holds them. Raise StudioError for a part too large for a bed.
    """
    drawing = tray.drawing
    if bed is not None:
        _refuse_larger(tray, offset, bed)
    apart = cutouts(Contours(drawing), offset, progress.part(0.0, 0.4))
    if bed is None:
        sheets: tuple[Drawing, ...] = (in_place(apart, drawing),)
    else:
        sheets = nested_pieces(apart, bed, copies, progress.part(0.4, 0.6)).sheets
    return tuple(plan(sheet, machine, None, progress.part(0.6, 1.0), tabs) for sheet in sheets)


def stated(tray: Tray) -> str:
    """Sentence about the clearance of a tray."""
    return tr(
        "Tray: {clearance:g} mm clearance between puzzle and frame all round, as cut.", clearance=tray.form.clearance
    )


def oversize_tray(plans: tuple[Plan, ...], machine: Machine) -> str:
    """Sentence about a tray's sheet that does not fit the bed in any orientation; "" if all fit."""
    bed = Bed(machine.bed_width, machine.bed_height, 0.0)
    for sheet in (one.drawing for one in plans):
        if not fits((sheet.width, sheet.height), bed):
            return tr(
                "The sheet for the tray ({size}) is larger than the bed ({bed}). Choose the machine bed as the sheet "
                "to put its parts on several.",
                size=extent(sheet.width, sheet.height),
                bed=extent(bed.width, bed.height),
            )
    return ""


def _refuse_larger(tray: Tray, offset: float, bed: Bed) -> None:
    """Raise StudioError for a part that is too large in any orientation."""
    for name, part in tray.parts:
        left, top, right, bottom = part.bounds
        size = right - left + 2 * offset, bottom - top + 2 * offset
        if not fits(size, bed):
            raise StudioError(
                tr(
                    "{part} of the tray ({size}) is larger than the usable bed ({bed}). Make the rim narrower, or turn "
                    "off the tray in Design.",
                    part=name,
                    size=extent(*size),
                    bed=extent(*bed.inside),
                )
            )
