"""The printer's bed under what is printed: that of the printer used last, and whether the pieces fit on it."""

from __future__ import annotations

from collections.abc import Sequence

from studio.base.amounts import many
from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.fabricate.plates import plates
from studio.fabricate.workshop import USUAL, Named, Printer, one_of
from studio.geometry.solids.solid import Solid
from studio.ui.solid.scene import Bed


def chosen_printer(key: str) -> Named[Printer]:
    """The printer with a key; the usual one for none, or for one that is gone."""
    try:
        return one_of(Printer, key or USUAL[Printer])
    except StudioError:
        return one_of(Printer, USUAL[Printer])


def bed_for(solids: Sequence[Solid], printer: Named[Printer]) -> Bed:
    """The bed of a printer under solids as they lie; its problem says what becomes of those that do not fit at once."""
    try:
        count = len(plates(solids, printer))
    except StudioError as refused:
        return bed_of(printer, str(refused))
    if count < 2:
        return bed_of(printer)
    words = tr("Too large for one plate of {printer}: the export splits it into {plates}.",
               printer=printer.title, plates=many(count, "plate"))  # fmt: skip
    return bed_of(printer, words)


def bed_of(printer: Named[Printer], problem: str = "") -> Bed:
    """The bed of a printer."""
    bed = printer.value
    return Bed(bed.bed_width, bed.bed_depth, bed.bed_height, printer.title, problem)
