"""The options of every command that reads a drawing: its unit and layers, and how its paths are closed."""

from __future__ import annotations

import argparse

from studio.base.errors import StudioError
from studio.base.texts import alternatives, tr
from studio.cli.arguments import argument, number_of
from studio.files.foreign import OFFERED, Reading, millimetres
from studio.geometry.curves.joining import GAP, WIDEST_GAP
from studio.geometry.curves.rings import Closing

UNIT = argument(
    "--unit",
    metavar="UNIT",
    help=tr("unit of the drawing's lengths, in place of its own: {units}", units=alternatives(OFFERED)),
)
LAYERS = argument(
    "--layer", dest="layers", metavar="NAME", action="append", default=[], help=tr("read this layer only; repeatable")
)
GAPS = argument(
    "--gap",
    metavar="MM",
    help=tr("close gaps up to this width (default: {gap:g}, at most {widest:g})", gap=GAP, widest=WIDEST_GAP),
)
WELD = argument("--weld", action="store_true", help=tr("unite paths that overlap"))
FRAME = argument(
    "--no-frame", dest="keeps_frame", action="store_false", help=tr("leave out the rectangle around everything else")
)
READING = (UNIT, LAYERS, GAPS, WELD, FRAME)


def reading_of(arguments: argparse.Namespace) -> Reading:
    """How a command is to read its drawing; raises StudioError for an unknown unit or a gap out of bounds."""
    if arguments.unit is not None:
        millimetres(arguments.unit)
    gap = number_of(arguments.gap, "--gap", WIDEST_GAP)
    closing = Closing(GAP if gap is None else gap, arguments.weld, arguments.keeps_frame)
    return Reading(arguments.unit, tuple(arguments.layers), closing)


def refuse_reading(arguments: argparse.Namespace) -> None:
    """Raise StudioError if options of a drawing are given without one."""
    if reading_of(arguments) != Reading():
        raise StudioError(tr("--unit, --layer, --gap, --weld and --no-frame need a drawing in SVG or DXF."))
