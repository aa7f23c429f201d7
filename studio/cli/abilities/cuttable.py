"""The command that writes files for the machine: lines shared or pieces apart, on sheets, in cutting order."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studio.base.amounts import duration, many
from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.checks.finding import Finding
from studio.cli.abilities import convertible, printable
from studio.cli.arguments import (
    EXPORT_ANYWAY,
    JSON,
    Command,
    argument,
    given,
    refuse_work,
    set_option,
    targets_of,
    workshop_option,
)
from studio.cli.designs import Looked, looked_at
from studio.cli.terminal import ExitCode, printed_json, waiting
from studio.cli.workshop import FOR_THE_LASER, file_options, machine_of, sheet_of, title_of
from studio.export.writing import TRAY
from studio.geometry.planar.drawing import CUTS, Operation, Run
from studio.puzzles.abilities.cuttable import Cuttable, Thickness

if TYPE_CHECKING:
    from studio.export.options import LaserOptions
    from studio.export.proof import SheetReport
    from studio.fabricate.making import Made, Making
    from studio.fabricate.plan import Plan
    from studio.fabricate.workshop import Machine, Material, Named

ALL = 0.995
"""The share of a sheet from which on it is used up, and nothing more need be said of it."""


def _export(arguments: argparse.Namespace) -> ExitCode:
    if convertible.is_for_a_program(arguments):
        return convertible.export_texts(arguments)
    if printable.is_for_a_printer(arguments):
        return printable.export_solids(arguments)
    if arguments.printer is not None:
        raise StudioError(tr("--printer is for 3-D printing only, not for laser files."))
    from studio.export.formats import refuse_pictures

    options, of_making = file_options(arguments, "export")
    making, is_for_a_machine = making_of(arguments, of_making), arguments.machine is not None
    machine = machine_of(arguments)
    options = replace(options, run=Run(title_of(arguments.machine), title_of(arguments.material)))
    work = _Work(options, making, machine, arguments.material, is_for_a_machine, arguments.force)
    targets = _targets(arguments.files, arguments.out, arguments.format)
    refuse_work(targets, force=arguments.force)
    for target in targets:
        if is_for_a_machine:
            refuse_pictures(target.suffix, arguments.machine.key, takes_pictures=work.machine.pictures)
    done: list[_Sheets] = []
    for file, target in zip(arguments.files, targets, strict=True):
        sheets = _exported(file, target, work, {report.path for sheets in done for report in sheets.reports})
        if sheets is not None:
            done.append(sheets)
            if not arguments.json:
                print("\n".join(_lines_of(sheets)))
    if arguments.json:
        printed_json([values for sheets in done for values in _values_of(sheets)])
    return ExitCode.DONE if len(done) == len(targets) else ExitCode.NO


@dataclass(frozen=True)
class _Work:
    """Settings for making and writing designs."""

    options: LaserOptions
    making: Making
    machine: Machine
    material: Named[Material] | None
    is_for_a_machine: bool
    force: bool


@dataclass(frozen=True)
class _Sheets:
    """A made design, and the report of each sheet's file."""

    made: Made
    reports: tuple[SheetReport, ...]
    notes: tuple[str, ...]


def making_of(arguments: argparse.Namespace, texts: Sequence[str]) -> Making:
    """The making that the arguments ask for; --set overrides all else."""
    from studio.fabricate.making import Making

    values: dict[str, Any] = {}
    if (material := arguments.material) is not None:
        values = {"kerf": material.value.kerf, "play": material.value.play}
    if arguments.machine is not None:
        values["page"] = "bed"
    return Making(**values | given(arguments, Making, texts))


def _targets(files: Sequence[str], out: str, format: str | None) -> list[Path]:
    """Return the target file for each design; raise StudioError for an impossible target."""
    from studio.export.formats import LASER

    suffix = f".{(format or 'dxf').lstrip('.').lower()}"
    if suffix not in LASER.suffixes:
        raise StudioError(
            tr(
                "Unknown format {format!r}; choose from {formats}.",
                formats=", ".join(suffix[1:] for suffix in LASER.suffixes),
                format=format,
            )
        )
    if not out:
        raise StudioError(tr("-o must name a file or a folder."))
    return targets_of(files, out, suffix, "" if format is None else f"--format {format}")


def _exported(file: str, target: Path, work: _Work, taken: Set[Path]) -> _Sheets | None:
    """Write the sheets of a design; if it has errors, report them and return None, unless forced.

    Raises StudioError if a sheet would take the name of a sheet written just before.
    """
    from studio.export.laser_files import companions, engraved_size, write_all
    from studio.export.writing import beside_path, left_over, sheet_paths, tray_paths, warned_of
    from studio.fabricate.cutting_time import raster_seconds
    from studio.fabricate.making import made, oversize, oversize_tray, stated
    from studio.fabricate.workshop import run_of

    looked = looked_at(file)
    cut, drawing = looked.saved.kind.need(Cuttable), looked.drawing
    thickness = cut.thickness(looked.shapes)
    misfits = _misfits(file, looked, thickness, work.material)
    if looked.is_refused(file, force=work.force, more=misfits):
        return None
    left_out, tray = cut.left_out(looked.shapes), cut.tray(looked.shapes)
    # The check of a large board holds hundreds of megabytes, which are no longer needed.
    del looked
    with waiting() as progress:
        found = made(drawing, work.making, work.machine, sheet_of(work.material, thickness), progress, tray=tray)
    drawings = [plan.drawing for plan in found.plans]
    paths = sheet_paths(target, len(drawings))
    beside = [beside_path(paths[number], word) for number, word, _ in found.beside]
    beside += tray_paths(target, len(found.tray))
    refuse_work(beside, force=work.force)
    for path in (*paths, *beside):
        if path in taken:
            raise StudioError(
                tr("A sheet of {file} would overwrite {path}, a sheet of another design.", file=file, path=path)
            )
    titles = work.options.run.machine, work.options.run.material
    options = replace(work.options, run=run_of(work.machine, sheet_of(work.material, thickness), *titles))
    with waiting() as progress:
        reports = write_all(
            drawings, target, options, beside=found.beside, tray=found.tray_sheets, fronts=found.fronts,
            force=work.force, progress=progress,
        )  # fmt: skip
    on_board = work.making.page == "board" and work.making.lines == "shared"
    old = tuple(path for path in left_over(target, len(drawings)) if path not in taken)
    more = (
        oversize(drawing, work.machine) if work.is_for_a_machine and on_board else "",
        "" if tray is None else stated(tray),
        oversize_tray(found.tray, work.machine) if work.is_for_a_machine else "",
        tr(
            "Cut it from a sheet {needed:g} mm thick (the {parameter}).",
            needed=thickness.needed,
            parameter=thickness.name,
        )
        if thickness is not None and work.material is None
        else "",
        *(misfit.message for misfit in misfits),
        *left_out,
        warned_of(old),
    )
    if work.options.raster or work.options.raster_png:
        seconds = sum(raster_seconds(*engraved_size(one), work.options.raster_dpi, work.machine) for one in drawings)
        more = (*more, tr("Engraving the artwork takes about {duration} more.", duration=duration(seconds)))
    also = tuple(tr("Wrote {path}.", path=one) for one in companions(target, len(drawings), work.options))
    return _Sheets(found, reports, (*also, *found.notes, *filter(None, more)))


def _misfits(
    file: str, looked: Looked, thickness: Thickness | None, material: Named[Material] | None
) -> tuple[Finding, ...]:
    """That the sheet has another thickness than the design needs, with the command that changes the design."""
    if thickness is None or material is None:
        return ()
    saved, sheet = looked.saved, material.value.thickness
    found = thickness.problem(saved.design, saved.kind.noun, material.title, sheet)
    if found is None:
        return ()
    if found.repair is None:
        return (found,)
    change = f"`edit {shlex.quote(file)} --set {thickness.parameter}={sheet:g}`"
    return (replace(found, message=f"{found.message} {found.repair.title}: {change}."),)


def _lines_of(sheets: _Sheets) -> list[str]:
    """Report for makers: a line for each sheet, one for all of them if there are several, and the notes."""

    count, beside = len(sheets.made.plans), len(sheets.made.beside)
    lines = [
        _line(report, plan, use, many(report.faces, "piece"))
        for report, plan, use in zip(sheets.reports, sheets.made.plans, sheets.made.use, strict=False)
    ]
    for report in sheets.reports[count : count + beside]:
        lines.append(
            tr(
                "Wrote {path}: {width:g} × {height:g} mm, {lines} with the outline for reference.",
                path=report.path,
                width=report.width,
                height=report.height,
                lines=many(report.chains, "line"),
            )
        )
    trays = zip(sheets.reports[count + beside :], sheets.made.tray, strict=True)
    lines += [_line(report, plan, ALL, many(report.faces, "part")) for report, plan in trays]
    if count + len(sheets.made.tray) > 1:
        lines.append(
            tr(
                "Total: {sheets}, cut length {length:.1f} mm, about {duration}.",
                sheets=many(count + len(sheets.made.tray), "sheet"),
                length=sheets.made.cut,
                duration=duration(sheets.made.seconds),
            )
        )
    return lines + list(sheets.notes)


def _line(report: SheetReport, plan: Plan, use: float, parts: str) -> str:
    """Report of a written sheet."""
    if report.faces != report.pieces:
        parts = tr("{pieces} instead of {wanted}", pieces=parts, wanted=report.pieces)
    engraved = sum(chain.operation not in (*CUTS, Operation.MARK) for chain in plan.drawing.chains)
    facts = [
        tr("{width:g} × {height:g} mm", width=report.width, height=report.height),
        tr("{share:.0%} used", share=use) if use < ALL else "",
        many(plan.drawing.cut_count, "cut"),
        tr("cut length {length:.1f} mm", length=report.cut_length),
        many(engraved, "engraved line") if engraved else "",
        parts,
        many(report.tabs, "holding tab") if report.tabs else "",
        tr("about {duration}", duration=duration(plan.seconds)),
    ]
    return tr("Wrote {path}: {facts}.", path=report.path, facts=", ".join(filter(None, facts)))


def _values_of(sheets: _Sheets) -> list[dict[str, Any]]:
    made, count = sheets.made, len(sheets.made.plans)
    after = count + len(made.beside)
    values = [
        _values(report, plan, number, count) | {"use": round(use, 4), "notes": list(sheets.notes)}
        for number, (report, plan, use) in enumerate(zip(sheets.reports, made.plans, made.use, strict=False), start=1)
    ]
    values += [
        report.values() | {"sheet": number + 1, "sheets": count, "beside": word}
        for report, (number, word, _) in zip(sheets.reports[count:after], made.beside, strict=True)
    ]
    return values + [
        _values(report, plan, number, len(made.tray)) | {"beside": TRAY}
        for number, (report, plan) in enumerate(zip(sheets.reports[after:], made.tray, strict=True), start=1)
    ]


def _values(report: SheetReport, plan: Plan, number: int, count: int) -> dict[str, Any]:
    found = {"sheet": number, "sheets": count, "strategy": plan.strategy.value}
    return report.values() | found | {"travel_mm": round(plan.travel, 3), "seconds": round(plan.seconds, 2)}


COMMANDS: dict[str, Command] = {
    "export": Command(
        _export,
        tr("write files for the laser cutter"),
        argument("files", metavar="FILE", nargs="+"),
        argument(
            "-o",
            dest="out",
            metavar="OUT",
            required=True,
            help=tr("the file to write, in the format of its extension, or a folder"),
        ),
        argument("--format", metavar="FORMAT", help=tr("file format in a folder (default: dxf)")),
        *FOR_THE_LASER,
        workshop_option("Printer", tr("split a 3MF or STL file into plates that fit its bed")),
        set_option(tr("an export option, such as tolerance=0.05 or copies=4; `params export` lists them")),
        EXPORT_ANYWAY,
        JSON,
        description=tr("Write files for the laser cutter, verify them and report their contents."),
    )
}
