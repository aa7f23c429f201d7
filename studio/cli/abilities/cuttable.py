"""The cut plan, and files for the machine: lines shared or pieces apart, on sheets, in cutting order."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studio.api import with_recipe
from studio.base.amounts import duration, estimate, many
from studio.base.errors import StudioError
from studio.base.texts import tr, within
from studio.checks.finding import Finding
from studio.cli import drawings
from studio.cli.abilities import printable
from studio.cli.arguments import (
    EXPORT_ANYWAY,
    FILE,
    JSON,
    Command,
    argument,
    given,
    names_in,
    option,
    refuse_work,
    set_option,
    settings,
    targets_of,
    workshop_option,
)
from studio.cli.designs import Looked, looked_at
from studio.cli.terminal import ExitCode, answered, print_error, printed_json, waiting
from studio.cli.workshop import (
    CORRECT,
    FOR_THE_LASER,
    MACHINE,
    MAKING,
    MATERIAL,
    SHEET,
    file_options,
    machine_of,
    material_of,
    sheet_of,
    title_of,
)
from studio.exporting.writing import TRAY
from studio.geometry.planar.drawing import CUTS, Operation, Run
from studio.puzzles.abilities.cuttable import Cuttable, Thickness

if TYPE_CHECKING:
    from studio.exporting.options import LaserOptions
    from studio.exporting.proof import SheetReport
    from studio.fabricate.alignment import Alignment
    from studio.fabricate.costs import Cost
    from studio.fabricate.making import Made, Making
    from studio.fabricate.plan import Plan
    from studio.fabricate.tabs import TabRule
    from studio.fabricate.workshop import Machine, Material, Named
    from studio.geometry.planar.drawing import Drawing
    from studio.geometry.planar.trays import Tray

MARKS_FILE = "marks"
"""Suffix of the name of a file with marks to burn."""
ALL = 0.995
"""The share of a sheet from which on it is used up, and nothing more need be said of it."""


def _export(arguments: argparse.Namespace) -> ExitCode:
    if drawings.is_for_a_program(arguments):
        return drawings.export_texts(arguments)
    if printable.is_for_a_printer(arguments):
        return printable.export_solids(arguments)
    if arguments.printer is not None:
        raise StudioError(tr("--printer is for 3-D printing only, not for laser files."))
    from studio.exporting.formats import refuse_pictures

    options, of_making = file_options(arguments, "export")
    making, is_for_a_machine = making_of(arguments, of_making), arguments.machine is not None
    machine, material = machine_of(arguments), material_of(arguments)
    options = with_recipe(options, machine, names_in(arguments.settings))
    options = replace(options, run=Run(title_of(arguments.machine), title_of(arguments.material)))
    error, alignments = known_error(arguments.machine), alignments_of(arguments, options)
    if alignments and len(arguments.files) > 1:
        raise StudioError(tr("--correct is for one design, not for {count}.", count=len(arguments.files)))
    table = None if arguments.table is None else Path(arguments.table)
    if table is not None and len(arguments.files) > 1:
        raise StudioError(tr("--table is for a single design."))
    work = _Work(options, making, machine, material, is_for_a_machine, arguments.force, error, alignments, table)
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
    error: float
    """Relative error of estimated times, 0 without a log."""
    alignments: tuple[Alignment, ...]
    table: Path | None = None


@dataclass(frozen=True)
class _Sheets:
    """A made design, the report of each sheet's file, the relative error of its times, and the cost of a puzzle."""

    made: Made
    reports: tuple[SheetReport, ...]
    notes: tuple[str, ...]
    error: float
    cost: Cost | None


def making_of(arguments: argparse.Namespace, texts: Sequence[str]) -> Making:
    """The making that the arguments ask for; --set overrides all else."""
    from studio.fabricate.making import Making

    values: dict[str, Any] = {}
    if (material := material_of(arguments)) is not None:
        values = {"kerf": material.value.kerf, "play": material.value.play}
    if arguments.machine is not None or getattr(arguments, "table", None) is not None:
        values["page"] = "bed"
    if getattr(arguments, "offcut", None) is not None:
        from studio.files.drawing_import import read_free_area

        with waiting() as progress:
            values["area"] = read_free_area(Path(arguments.offcut), progress)
    return Making(**values | given(arguments, Making, texts))


def alignments_of(arguments: argparse.Namespace, options: LaserOptions) -> tuple[Alignment, ...]:
    """Read the alignments with a print; raises StudioError, also if the artwork is engraved, which stays in place."""
    if not arguments.correct:
        return ()
    if options.raster or options.raster_png:
        raise StudioError(tr("Cuts can be aligned with a print, but not the engraved artwork. Leave out the raster."))
    from studio.fabricate.alignment import read_alignment

    return tuple(read_alignment(Path(file)) for file in arguments.correct)


def _targets(files: Sequence[str], out: str, format: str | None) -> list[Path]:
    """Return the target file for each design; raise StudioError for an impossible target."""
    from studio.exporting.formats import LASER

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
    from studio.exporting.laser_files import companions, engraved_size, write_all
    from studio.exporting.writing import beside_path, left_over, sheet_paths, tray_paths, warned_of
    from studio.fabricate.costs import Prices, pricing
    from studio.fabricate.cutting_time import raster_seconds
    from studio.fabricate.making import made, oversize, oversize_tray, stated
    from studio.fabricate.workshop import run_of

    looked = looked_at(file)
    cut, drawing = looked.saved.kind.need(Cuttable), looked.drawing
    thickness = cut.thickness(looked.shapes)
    wrong = misfits(file, looked, thickness, work.material)
    if looked.is_refused(file, force=work.force, more=wrong):
        return None
    left_out, tray = cut.left_out(looked.shapes), cut.tray(looked.shapes)
    boards: tuple[Drawing, ...] = (drawing,)
    if work.table is not None:
        from studio.batch.boards import boards_of_table

        with waiting() as progress:
            boards = boards_of_table(looked.saved, work.table, progress, force=work.force)
    # The check of a large board holds hundreds of megabytes, which are no longer needed.
    del looked
    with waiting() as progress:
        found = made(
            boards[0], work.making, work.machine, sheet_of(work.material, thickness), progress, tray=tray,
            more=boards[1:],
        )  # fmt: skip
    if work.alignments:
        from studio.fabricate.alignment import aligned

        found = aligned(found, work.making, work.alignments)
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
    run = run_of(work.machine, sheet_of(work.material, thickness), *titles)
    options = replace(work.options, run=replace(run, note=found.alignment))
    with waiting() as progress:
        reports = write_all(
            drawings, target, options, beside=found.beside, tray=found.tray_sheets, fronts=found.fronts,
            rests=found.rests, force=work.force, progress=progress,
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
        *(misfit.message for misfit in wrong),
        tr("Single lines have no lead-ins and overcuts; `--separate` gives each piece its own outline.")
        if (work.making.lead_in or work.making.overcut) and work.making.lines == "shared" and drawing.shares_lines
        else "",
        *left_out,
        warned_of(old),
    )
    seconds = 0.0
    if work.options.raster or work.options.raster_png:
        seconds = sum(raster_seconds(*engraved_size(one), work.options.raster_dpi, work.machine) for one in drawings)
        more = (*more, tr("Engraving the artwork takes about {duration} more.", duration=duration(seconds)))
    also = tuple(tr("Wrote {path}.", path=one) for one in companions(target, len(drawings), work.options))
    prices = Prices.of(work.machine, sheet_of(work.material, thickness), pricing())
    cost = prices.cost_of(found, work.making.copies, seconds)
    more = (*more, *costs_in_words(cost))
    facts = filter(None, (*also, found.alignment, *found.notes, *more))
    return _Sheets(found, reports, tuple(facts), work.error, cost)


def costs_in_words(cost: Cost | None) -> tuple[str, ...]:
    """A sentence on the cost of a puzzle, if there is one."""
    return () if cost is None else (tr("Cost {cost}: {parts}", cost=cost.in_words, parts=within(cost.parts)),)


def known_error(machine: Named[Machine] | None) -> float:
    """Relative error of estimated times, as the log of a machine shows it; 0 without a log."""
    from studio.fabricate.job_log import known_spread

    return known_spread(machine)


def misfits(
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
        _line(report, plan, use, many(report.faces, "piece"), sheets.error)
        for report, plan, use in zip(sheets.reports, sheets.made.plans, sheets.made.use, strict=False)
    ]
    for report, (_, word, _) in zip(sheets.reports[count : count + beside], sheets.made.beside, strict=True):
        if word == MARKS_FILE:
            lines.append(tr("Wrote {path}: marks to burn, before the cuts are aligned.", path=report.path))
            continue
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
    lines += [_line(report, plan, ALL, many(report.faces, "part"), sheets.error) for report, plan in trays]
    if count + len(sheets.made.tray) > 1:
        lines.append(
            tr(
                "Total: {sheets}, cut length {length:.1f} mm, about {duration}.",
                sheets=many(count + len(sheets.made.tray), "sheet"),
                length=sheets.made.cut,
                duration=estimate(sheets.made.seconds, sheets.error),
            )
        )
    return lines + list(sheets.notes)


def _line(report: SheetReport, plan: Plan, use: float, parts: str, error: float) -> str:
    """Report of a written sheet; `error` is the relative error of times."""
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
        tr("about {duration}", duration=estimate(plan.seconds, error)),
    ]
    return tr("Wrote {path}: {facts}.", path=report.path, facts=", ".join(filter(None, facts)))


def _values_of(sheets: _Sheets) -> list[dict[str, Any]]:
    made, count = sheets.made, len(sheets.made.plans)
    after = count + len(made.beside)
    cost = {} if sheets.cost is None else {"cost": sheets.cost.values()}
    values = [
        _values(report, plan, number, count, sheets.error) | {"use": round(use, 4), "notes": list(sheets.notes)} | cost
        for number, (report, plan, use) in enumerate(zip(sheets.reports, made.plans, made.use, strict=False), start=1)
    ]
    values += [
        report.values() | {"sheet": number + 1, "sheets": count, "beside": word}
        for report, (number, word, _) in zip(sheets.reports[count:after], made.beside, strict=True)
    ]
    return values + [
        _values(report, plan, number, len(made.tray), sheets.error) | {"beside": TRAY}
        for number, (report, plan) in enumerate(zip(sheets.reports[after:], made.tray, strict=True), start=1)
    ]


def _values(report: SheetReport, plan: Plan, number: int, count: int, error: float) -> dict[str, Any]:
    found = {"sheet": number, "sheets": count, "strategy": plan.strategy.value}
    times = {"seconds": round(plan.seconds, 2), **_seconds_error(plan.seconds, error)}
    return report.values() | found | {"travel_mm": round(plan.travel, 3)} | times


def _seconds_error(seconds: float, error: float) -> dict[str, float]:
    """The error of an estimate as a JSON value, if it is known."""
    return {"seconds_error": round(seconds * error, 2)} if error else {}


# The cut plan


def _plan(arguments: argparse.Namespace) -> ExitCode:
    from studio.fabricate.costs import Prices, area_of, pricing
    from studio.fabricate.making import USUAL, oversize
    from studio.fabricate.plan import Strategy, plan, plans
    from studio.fabricate.workshop import for_thickness

    looked = looked_at(arguments.file)
    drawing = looked.drawing
    sheet = sheet_of(material_of(arguments), looked.saved.kind.need(Cuttable).thickness(looked.shapes))
    machine = for_thickness(machine_of(arguments), sheet.thickness)
    tabs, error = _tab_rule(arguments, sheet), known_error(arguments.machine)
    if looked.checked.errors:
        print_error(
            tr(
                "{file} has errors, and overlapping cuts make these figures unreliable; run `check` for details.",
                file=arguments.file,
            )
        )
    around, tray = looked.saved.kind.need(Cuttable).tray(looked.shapes), None
    with waiting() as progress:
        if around is not None:
            tray = plan(around.drawing, machine, None, progress, tabs)
        if arguments.json or arguments.strategy is not None:
            strategy = None if arguments.strategy in (None, USUAL) else Strategy(arguments.strategy)
            found = [plan(drawing, machine, strategy, progress, tabs)]
        else:
            found = list(plans(drawing, machine, progress, tabs))
    lines, warning = _table(found, error), oversize(drawing, machine)
    if arguments.machine is not None and warning:
        lines.append(tr("{warning} `export` splits it along cut lines; each part gets its own plan.", warning=warning))
    values = _planned(found[0], error)
    cut, seconds = [found[0].drawing], found[0].seconds
    if around is not None and tray is not None:
        values["tray"] = _planned(tray, error)
        lines += _tray_lines(around, tray, error)
        cut, seconds = [*cut, tray.drawing], seconds + tray.seconds
    cost = Prices.of(machine, sheet, pricing()).cost(area_of(cut), seconds)
    if cost is not None:
        values["cost"] = cost.values()
    return answered(arguments, values, *lines, *costs_in_words(cost))


def _tray_lines(tray: Tray, found: Plan, error: float) -> tuple[str, ...]:
    """The plan of a tray, all its parts on one sheet, as lines."""
    from studio.fabricate.making import stated

    cost = tr(
        "Its {parts}: cut length {cut:.0f} mm, {loose}, about {duration}.",
        parts=many(len(tray.parts), "part"),
        cut=found.cut,
        loose=many(found.loose_cuts, "loose cut"),
        duration=estimate(found.seconds, error),
    )
    return stated(tray), cost


def _tab_rule(arguments: argparse.Namespace, material: Material) -> TabRule | None:
    """The holding tabs that --set asks for; raises StudioError for other options of an export."""
    from studio.fabricate.making import Making

    asked = settings(Making, arguments.settings)
    for name in asked:
        if not name.startswith("tab"):
            raise StudioError(tr("`plan` only has options for tabs, not {name}.", name=name))
    return Making(**{"kerf": material.kerf, **asked}).tab_rule


def _planned(plan: Plan, error: float) -> dict[str, Any]:
    return {
        "strategy": plan.strategy.value,
        "travel_mm": round(plan.travel, 3),
        "cut_mm": round(plan.cut, 3),
        "pen_ups": plan.pen_ups,
        "lower_bound_mm": round(plan.lower_bound, 3),
        "ratio": round(plan.ratio, 4) if plan.ratio != float("inf") else None,
        "chains": len(plan.drawing.chains),
        "least_chains": plan.least_chains,
        "loose_cuts": plan.loose_cuts,
        "largest_freed": plan.largest_freed,
        "reach_pieces": plan.reach,
        "seconds": round(plan.seconds, 2),
        **_seconds_error(plan.seconds, error),
        "tabs": plan.tab_count,
        "held": plan.held,
    }


def _table(found: list[Plan], error: float) -> list[str]:
    """Plans as lines of a table; travel and cut length in mm, times with their relative error."""
    head = (
        tr("strategy"),
        tr("travel"),
        tr("vs. best"),
        tr("laser-off"),
        tr("cuts"),
        tr("loose cuts"),
        tr("drop-out"),
        tr("overhang"),
        tr("time"),
    )
    rows = [head]
    for plan in found:
        ratio = f"{plan.ratio:.3f}" if plan.ratio != float("inf") else "–"
        rows.append((
            plan.strategy.value, f"{plan.travel:.0f} mm", ratio, str(plan.pen_ups), str(len(plan.drawing.chains)),
            str(plan.loose_cuts), str(plan.largest_freed), str(plan.reach), estimate(plan.seconds, error),
        ))  # fmt: skip
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    lines = ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip() for row in rows]
    first = found[0]
    return [
        *lines,
        tr(
            "Cut length {cut:.0f} mm. Lower bounds for any order: travel {lower_bound:.0f} mm, {cuts}.",
            cut=first.cut,
            lower_bound=first.lower_bound,
            cuts=many(first.least_chains, "continuous cut"),
        ),
        *([tabs_in_words(first)] if first.tab_count else []),
    ]


def tabs_in_words(plan: Plan) -> str:
    """Number of tabs and of held pieces, in a sentence."""
    pieces = many(len(plan.drawing.pieces), "piece")
    return tr(
        "{tabs}; {held} of {pieces} held.", tabs=many(plan.tab_count, "holding tab"), held=plan.held, pieces=pieces
    )


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
        SHEET,
        option(
            "studio.exporting.options:LaserOptions", "rest", help=tr("write what is left of each sheet, NAME-rest.svg")
        ),
        argument(
            "--table",
            metavar="CSV",
            help=tr("a table of boards that share the sheets: columns picture, copies, and those of a batch"),
        ),
        workshop_option("Printer", tr("split a 3MF or STL file into plates that fit its bed")),
        set_option(tr("an export option, such as tolerance=0.05 or copies=4; `params export` lists them")),
        CORRECT,
        EXPORT_ANYWAY,
        JSON,
        description=tr("Write files for the laser cutter, verify them and report their contents."),
    ),
    "plan": Command(
        _plan,
        tr("compare cutting orders: travel, cuts in loose parts, time"),
        FILE,
        option(MAKING, "strategy"),
        MACHINE,
        MATERIAL,
        set_option(tr("holding tabs, such as tabs=piece and tab_width=0.5, as in `export`")),
        JSON,
        description=tr(
            "Find the best cutting order and its cost. Without --strategy all suitable orders are "
            "compared in a table; with --json the best one is reported."
        ),
    ),
}
