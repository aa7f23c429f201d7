"""The command for the paper that goes with a puzzle, such as the assembly sheet of a cube."""

from __future__ import annotations

import argparse
from pathlib import Path

from studio.base.amounts import many
from studio.base.texts import tr
from studio.cli.arguments import EXPORT_ANYWAY, FILE, JSON, Command, argument, refuse_work, set_option, settings
from studio.cli.designs import looked_at
from studio.cli.terminal import ExitCode, answered, waiting
from studio.puzzles.abilities.printable import PaperPrintable


def _leaflet(arguments: argparse.Namespace) -> ExitCode:
    from studio.export.options import LeafletOptions
    from studio.export.writing import write_leaflet

    options = LeafletOptions(**settings(LeafletOptions, arguments.settings))
    refuse_work([Path(arguments.out)], force=arguments.force)
    looked = looked_at(arguments.file)
    pages = looked.saved.kind.need(PaperPrintable)
    if looked.is_refused(arguments.file, force=arguments.force):
        return ExitCode.NO
    with waiting() as progress:
        leaflet = pages.leaflet(looked.shapes, Path(arguments.file).stem, options.size, progress)
    reports = write_leaflet(leaflet, arguments.out)
    lines = (
        tr(
            "Wrote {path}: {pages} of {width:.4g} × {height:.4g} mm.",
            path=one.path,
            pages=many(one.pages, "page"),
            width=one.width,
            height=one.height,
        )
        for one in reports
    )
    return answered(arguments, [report.values() for report in reports], *lines)


COMMANDS: dict[str, Command] = {
    "leaflet": Command(
        _leaflet,
        tr("write a puzzle's leaflet, such as a cube's assembly sheet"),
        FILE,
        argument("-o", dest="out", metavar="OUT", required=True, help=tr("a .pdf or .svg file")),
        set_option(tr("a leaflet option, such as paper=Letter")),
        EXPORT_ANYWAY,
        JSON,
        description=tr("Write a puzzle's leaflet as PDF or SVG, depending on the file extension of OUT."),
    )
}
