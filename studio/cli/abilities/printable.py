"""Files for a 3-D printer, a part of `export`, and the command for a leaflet, such as the assembly sheet of a cube."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from studio.base.amounts import many
from studio.base.texts import tr
from studio.cli.arguments import (
    EXPORT_ANYWAY,
    FILE,
    JSON,
    Command,
    argument,
    refuse_laser_options,
    refuse_work,
    set_option,
    settings,
    targets_of,
)
from studio.cli.designs import looked_at
from studio.cli.terminal import ExitCode, answered, waiting
from studio.puzzles.abilities.printable import PaperPrintable, Printable

if TYPE_CHECKING:
    from studio.exporting.proof import SolidReport
    from studio.exporting.writing import SolidOptions


def is_for_a_printer(arguments: argparse.Namespace) -> bool:
    """True if an export asks for solids, by the ending of its file or by the format for a folder."""
    from studio.exporting.formats import PRINTER

    if Path(arguments.out).suffix.lower() in PRINTER.suffixes:
        return True
    if any(text.partition("=")[0].strip() == "format" for text in arguments.settings):
        return True
    return arguments.format is not None and f".{arguments.format.lstrip('.').lower()}" in PRINTER.suffixes


def export_solids(arguments: argparse.Namespace) -> ExitCode:
    """Write the solids of designs, and report the files as read back."""
    from studio.exporting.writing import SolidOptions

    refuse_laser_options(arguments, tr("3-D printing"))
    texts = list(arguments.settings)
    if arguments.format is not None:
        texts.append(f"format={arguments.format.lstrip('.').lower()}")
    options = SolidOptions(**settings(SolidOptions, texts))
    asked = f"--set format={options.format}" if texts else ""
    targets = targets_of(arguments.files, arguments.out, f".{options.format}", asked, is_any=True)
    refuse_work(targets, force=arguments.force)
    reports: list[SolidReport] = []
    refused = False
    for file in arguments.files:
        found = _exported(file, Path(arguments.out), options, arguments)
        refused = refused or found is None
        reports += found or ()
    lines = (
        tr(
            "Wrote {path}: {parts}, {width:.1f} × {depth:.1f} × {height:.1f} mm, {triangles}, {volume:.2f} cm³.",
            path=one.path,
            parts=many(one.parts, "part"),
            width=one.width,
            depth=one.depth,
            height=one.height,
            triangles=many(one.triangles, "triangle"),
            volume=one.volume / 1000,
        )
        for one in reports
    )
    answered(arguments, [report.values() for report in reports], *lines)
    return ExitCode.NO if refused else ExitCode.DONE


def _exported(
    file: str, target: Path, options: SolidOptions, arguments: argparse.Namespace
) -> tuple[SolidReport, ...] | None:
    """Write the files and return their reports; report errors of the design and return None instead, unless forced."""
    from studio.exporting.writing import sheet_paths, write_plates, write_solids
    from studio.fabricate.gaps_and_plates import plates

    looked = looked_at(file)
    if looked.is_refused(file, force=arguments.force):
        return None
    with waiting() as progress:
        bodies = looked.saved.kind.need(Printable).bodies(looked.shapes, progress)
    if arguments.printer is None:
        return write_solids(bodies, target, options, stem=Path(file).stem)
    split = plates(bodies, arguments.printer)
    whole = target / f"{Path(file).stem}.{options.format}" if os.path.isdir(target) or not target.suffix else target
    refuse_work(sheet_paths(whole, len(split)), force=arguments.force)
    return write_plates(split, whole)


def _leaflet(arguments: argparse.Namespace) -> ExitCode:
    from studio.exporting.options import LeafletOptions
    from studio.exporting.writing import write_leaflet

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
