"""Commands for a job on the machine: align its cuts with a print, send it to LightBurn, which starts nothing, and log
how long it took."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from datetime import date
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studio.api import with_recipe
from studio.base.amounts import extent, many, parsed_time, share, stopwatch
from studio.base.errors import StudioError
from studio.base.texts import tr, within
from studio.cli.abilities.cuttable import alignments_of, making_of, misfits
from studio.cli.arguments import (
    FILE,
    JSON,
    REPLACE_WORK,
    Command,
    argument,
    as_choice,
    as_number,
    counted,
    names_in,
    refuse_work,
    set_option,
)
from studio.cli.designs import looked_at
from studio.cli.terminal import ExitCode, answered, print_error, waiting
from studio.cli.workshop import CORRECT, FOR_THE_LASER, file_options, machine_of, material_of, sheet_of
from studio.connect.lightburn import ANCHORS, HERE, LARGEST_PLACE, LightBurn, Place, Refused, Unpaired, safe_name
from studio.puzzles.abilities.cuttable import Cuttable

if TYPE_CHECKING:
    from studio.exporting.proof import SheetReport
    from studio.fabricate.job_log import Fit, Job, JobLog
    from studio.fabricate.workshop import Machine, Named

BESIDE = 10.0
"""Gap in mm between sheets that are merged side by side."""
FARTHEST = 100.0
"""Limit for the offset of a mark in mm."""
OF_FILES = ("print_pdf", "raster_png", "piece_pngs")
"""Options of an export for further files, which LightBurn does not open."""


def _send(arguments: argparse.Namespace) -> ExitCode:
    lightburn = LightBurn.at(arguments.host)
    if arguments.forget:
        return _forget(lightburn)
    if arguments.file is None and not arguments.read_machine:
        raise StudioError(tr("Name a FILE to send, or use --read-machine or --forget."))
    place = _place(arguments)
    if not lightburn.is_here:
        print_error(
            tr(
                "Warning: the connection to {host} is not encrypted; others on the network can read and change what is "
                "sent.",
                host=lightburn.host,
            )
        )
    try:
        return _read_machine(arguments, lightburn) if arguments.read_machine else _sent(arguments, lightburn, place)
    except Unpaired as problem:
        print_error(tr("{problem} `send --forget` forgets it.", problem=problem))
    except Refused as problem:
        print_error(problem)
    return ExitCode.NO


def _place(arguments: argparse.Namespace) -> Place | None:
    """The place that is asked for; raises StudioError for half a place, or one without --merge."""
    given = [name for name in ("x", "y", "anchor") if getattr(arguments, name) is not None]
    if given and not arguments.merge:
        raise StudioError(tr("--{name} needs --merge: an opened project keeps its own place.", name=given[0]))
    if given and (arguments.x is None or arguments.y is None):
        raise StudioError(tr("A place needs both --x and --y."))
    return Place(arguments.x, arguments.y, arguments.anchor or Place.anchor) if given else None


def _forget(lightburn: LightBurn) -> ExitCode:
    from studio.connect import keyring

    if not keyring.forget(lightburn.name):
        print_error(tr("There is no pairing with LightBurn on {host}.", host=lightburn.host))
        return ExitCode.NO
    print(tr("Forgot the pairing with LightBurn on {host}; revoke it there, too.", host=lightburn.host))
    return ExitCode.DONE


def _read_machine(arguments: argparse.Namespace, lightburn: LightBurn) -> ExitCode:
    from studio.fabricate.workshop import keep, with_bed

    with waiting() as progress:
        found = lightburn.workspace(lightburn.paired(progress), progress)
    machine = with_bed(found.device or tr("LightBurn"), found.width, found.height)
    keep(machine)
    value = {"key": machine.key, "title": machine.title, "bed_width": found.width, "bed_height": found.height}
    size = extent(found.width, found.height)
    line = tr(
        "Saved the machine {key} with a bed of {size}. Set its speeds in the workshop.", key=machine.key, size=size
    )
    return answered(arguments, value, line)


def _sent(arguments: argparse.Namespace, lightburn: LightBurn, place: Place | None) -> ExitCode:
    files = _files(arguments)
    if files is None:
        return ExitCode.NO
    numbers = range(1, len(files) + 1) if arguments.sheet is None else [arguments.sheet]
    if numbers[-1] > len(files):
        raise StudioError(
            tr("There is no sheet {number}, only {sheets}.", number=numbers[-1], sheets=many(len(files), "sheet"))
        )
    is_asked = len(numbers) > 1 and not arguments.merge
    if is_asked and (arguments.json or not sys.stdin.isatty()):
        raise StudioError(
            tr(
                "There are {sheets}, and each replaces the one before in LightBurn. Choose one with --sheet N, or put "
                "all side by side with --merge.",
                sheets=many(len(files), "sheet"),
            )
        )
    if len(numbers) > 1 and arguments.merge and place is None:
        # Without a place LightBurn puts all of them on top of each other.
        place = Place(0.0, 0.0)
    done: list[dict[str, Any]] = []
    for number in numbers:
        report, data = files[number - 1]
        if done and is_asked and not _is_wanted(number, len(files)):
            return ExitCode.NO
        with waiting() as progress:
            pairing = lightburn.paired(progress)
            lightburn.send(pairing, report.path.name, data, is_merged=arguments.merge, place=place, progress=progress)
        if place is not None:
            place = replace(place, x=place.x + report.width + BESIDE)
        done.append({"file": report.path.name, "sheet": number, "sheets": len(files), "bytes": len(data)})
        if not arguments.json:
            print(_line(report, is_merged=arguments.merge), flush=True)
    if not arguments.json:
        print(tr("Check power and speed there. Nothing was started."))
        return ExitCode.DONE
    return answered(arguments, done)


def _files(arguments: argparse.Namespace) -> tuple[tuple[SheetReport, bytes], ...] | None:
    """Make the proven project of each sheet; None, with a refusal, if the design has errors."""
    from studio.exporting.laser_files import sheets_as_bytes
    from studio.fabricate.making import made

    options, of_making = file_options(arguments, "export")
    for name in OF_FILES:
        if getattr(options, name):
            raise StudioError(tr("`send` writes no files: {name} is for `export`.", name=name))
    making, machine, material = making_of(arguments, of_making), machine_of(arguments), material_of(arguments)
    options = with_recipe(options, machine, names_in(arguments.settings))
    looked = looked_at(arguments.file)
    cut = looked.saved.kind.need(Cuttable)
    thickness = cut.thickness(looked.shapes)
    wrong = misfits(arguments.file, looked, thickness, material)
    if looked.is_refused(arguments.file, force=arguments.force, more=wrong):
        return None
    with waiting() as progress:
        found = made(
            looked.drawing, making, machine, sheet_of(material, thickness),
            progress.part(0.0, 0.5), tray=cut.tray(looked.shapes),
        )  # fmt: skip
        if arguments.correct:
            from studio.fabricate.alignment import aligned

            found = aligned(found, making, alignments_of(arguments, options))
            options = replace(options, run=replace(options.run, note=found.alignment))
        for note in filter(None, (found.alignment, *found.notes)):
            print_error(note)
        return sheets_as_bytes(
            [plan.drawing for plan in found.plans], Path(safe_name(Path(arguments.file).stem)), options,
            beside=found.beside, tray=found.tray_sheets, force=arguments.force, progress=progress.part(0.5, 1.0),
        )  # fmt: skip


def _is_wanted(number: int, count: int) -> bool:
    """Ask for the next sheet; False at the end of the input."""
    print(tr("Press Enter to send sheet {number} of {count} in its place.", number=number, count=count), flush=True)
    if sys.stdin.readline():
        return True
    print_error(tr("Stopped before sheet {number} of {count}.", number=number, count=count))
    return False


def _line(report: SheetReport, *, is_merged: bool) -> str:
    size, name = extent(report.width, report.height), report.path.name
    if is_merged:
        return tr("LightBurn has merged {file}, {size}, into its project.", file=name, size=size)
    return tr("LightBurn has opened {file}, {size}.", file=name, size=size)


def _signed(flag: str) -> Any:
    """Read a coordinate after an option; it raises StudioError for anything else."""
    positive = as_number(flag, LARGEST_PLACE, "mm")
    return lambda text: -positive(text[1:]) if text.startswith("-") else positive(text)


# How long jobs took


def _times(arguments: argparse.Namespace) -> ExitCode:
    """Log a job, change the log, or take over the figures that it implies; then show the log and its fit."""
    from studio.fabricate import job_log

    machine = arguments.machine
    if machine is None:
        raise StudioError(tr("Times need --machine; `workshop` lists them."))
    if (arguments.file is None) != (arguments.took is None):
        raise StudioError(tr("Name a FILE and say how long it took: `times FILE --machine M --took 12:30`."))
    log = job_log.log_of(machine.key)
    changed = log
    if arguments.file is not None:
        changed = changed.with_job(_timed(arguments))
    for number, leaves_out in ((arguments.leave_out, True), (arguments.count_again, False)):
        if number is not None:
            changed = changed.leaving_out(number - 1, leaves_out)
    if arguments.remove is not None:
        changed = changed.without(arguments.remove - 1)
    if changed != log:
        job_log.keep(machine.key, changed)
    found = job_log.fit(changed, machine.value)
    if arguments.adopt:
        if found is None:
            raise StudioError(tr("{machine} has no job to go by.", machine=machine.title))
        machine = job_log.adopt(machine, found)
    return answered(
        arguments, _log_values(machine, changed, found), *_log_lines(machine, changed, found, adopted=arguments.adopt)
    )


def _timed(arguments: argparse.Namespace) -> Job:
    """The job of a design, made as `export` makes it, with its time."""
    from studio.exporting.laser_files import engraved_size
    from studio.fabricate.cutting_time import raster_workload
    from studio.fabricate.job_log import jobs_of
    from studio.fabricate.making import made

    seconds = parsed_time(arguments.took)
    if not seconds:
        raise StudioError(tr("--took must be a time such as 12:30 or 1:02:09, not {text!r}.", text=arguments.took[:40]))
    options, of_making = file_options(arguments, "export")
    making, machine, material = making_of(arguments, of_making), machine_of(arguments), material_of(arguments)
    options = with_recipe(options, machine, names_in(arguments.settings))
    looked = looked_at(arguments.file)
    cut = looked.saved.kind.need(Cuttable)
    sheet = sheet_of(material, cut.thickness(looked.shapes))
    with waiting() as progress:
        found = made(looked.drawing, making, machine, sheet, progress, tray=cut.tray(looked.shapes))
    is_engraved = options.raster or options.raster_png
    pictures = [raster_workload(*engraved_size(one), options.raster_dpi) for one in found.sheets if is_engraved]
    jobs = jobs_of(
        Path(arguments.file).stem, date.today().isoformat(), [*found.sheets, *found.tray_sheets], machine,
        sheet.thickness, pictures,
    )  # fmt: skip
    number = arguments.sheet or 0
    if number > max(len(jobs) - 1, 1):
        raise StudioError(
            tr("There is no sheet {number}, only {sheets}.", number=number, sheets=many(max(len(jobs) - 1, 1), "sheet"))
        )
    return replace(jobs[number if len(jobs) > 1 else 0], seconds=seconds)


def _log_values(machine: Named[Machine], log: JobLog, found: Fit | None) -> dict[str, Any]:
    from studio.fabricate.job_log import FITTED, figures_of, spread

    doubts = {} if found is None else found.doubts
    jobs = [
        {
            "number": at + 1, "title": job.title, "day": job.day, "seconds": job.seconds, "left_out": job.is_left_out,
            "expected": round(job.expected(machine.value), 1), "doubt": doubts.get(at, ""),
        }
        for at, job in enumerate(log.jobs)
    ]  # fmt: skip
    fitted = None
    if found is not None:
        fitted = dict(zip(FITTED, figures_of(found.machine), strict=True)) | {"error": round(found.spread, 4)}
    error = round(spread(log, machine.value), 4)
    return {"machine": machine.key, "error": error, "jobs": jobs, "fit": fitted}


def _log_lines(machine: Named[Machine], log: JobLog, found: Fit | None, *, adopted: bool) -> list[str]:
    from studio.base.parameters import declaration
    from studio.fabricate.job_log import FITTED, spread

    if found is None:
        return [tr("{machine} has no job to go by.", machine=machine.title)]
    error = share(spread(log, machine.value))
    lines = [tr("{machine}: {jobs}, estimates ± {error}.", machine=machine.title, jobs=many(len(log.jobs), "job"),
                error=error)]  # fmt: skip
    for at, job in enumerate(log.jobs):
        note = tr("left out") if job.is_left_out else found.doubts.get(at, "")
        times = tr(
            "{noted}, estimated {expected}",
            noted=stopwatch(job.seconds), expected=stopwatch(job.expected(machine.value)),
        )  # fmt: skip
        lines.append(f"  {at + 1:3}  {job.day}  {job.title}: {times}{f'; {note}' if note else ''}")
    if adopted:
        return [*lines, tr("Saved the fitted figures for {machine}.", machine=machine.title)]
    fitted = []
    for name in FITTED:
        known = declaration(type(machine.value), name)
        now, then = getattr(machine.value, name), getattr(found.machine, name)
        if now != then:
            fitted.append(f"  {within(known.title)} {then:g} {known.unit} ({tr('now {value:g}', value=now)})")
    if not fitted:
        return [*lines, tr("No other figures agree better with these jobs.")]
    return [*lines, tr("Fitted to these jobs, ± {error}; --adopt saves it:", error=share(found.spread)), *fitted]


TIMES: dict[str, Command] = {
    "times": Command(
        _times,
        tr("log how long jobs took, and fit the figures of a machine to them"),
        argument("file", metavar="FILE", nargs="?"),
        argument("--took", metavar="TIME", help=tr("log the job of FILE, which took this long, such as 12:30")),
        counted("--sheet", tr("the time is that of this one of several sheets")),
        *FOR_THE_LASER,
        set_option(tr("an export option of the job, such as tabs=piece or copies=4")),
        counted("--remove", tr("remove the job of this number from the log")),
        counted("--leave-out", tr("leave the job of this number out of the fit")),
        counted("--count-again", tr("count the job of this number again")),
        argument("--adopt", action="store_true", help=tr("save the fitted figures for the machine")),
        JSON,
        description=tr(
            "Show the log of a machine: how long jobs took and how long they were estimated, the figures that agree "
            "best with it, and times that do not agree. With FILE and --took a job is logged, made with the options of "
            "`export`."
        ),
    )
}


# Alignment with a print


def _align(arguments: argparse.Namespace) -> ExitCode:
    from studio.base.atomic import write_bytes
    from studio.fabricate.alignment import TITLES, corners_of, correction, marks_of, typed
    from studio.fabricate.making import made

    if (arguments.photo is None) == (not arguments.offsets):
        raise StudioError(tr("Use either --photo PICTURE or --offset MARK=RIGHT,DOWN, once for each mark."))
    refuse_work([Path(arguments.out)], force=arguments.force)
    _, of_making = file_options(arguments, "export")
    making, machine, material = making_of(arguments, of_making), machine_of(arguments), material_of(arguments)
    looked = looked_at(arguments.file)
    cut = looked.saved.kind.need(Cuttable)
    number = arguments.sheet or 1
    with waiting() as progress:
        sheets = made(
            looked.drawing, making, machine, sheet_of(material, cut.thickness(looked.shapes)), progress
        ).sheets
    if number > len(sheets):
        raise StudioError(tr("There is no sheet {number}, only {sheets}.", number=number,
                             sheets=many(len(sheets), "sheet")))  # fmt: skip
    sheet = sheets[number - 1]
    marks = marks_of(sheet, making)
    if arguments.photo is None:
        alignment = typed(marks, dict(arguments.offsets), number)
    else:
        from studio.fabricate.target_photo import in_picture
        from studio.files.pictures import grey_of

        with waiting() as progress:
            grey, share = grey_of(Path(arguments.photo), progress.part(0.0, 0.3))
            dpi = None if arguments.dpi is None else share * arguments.dpi
            alignment = in_picture(grey, marks, making, dpi, number, progress.part(0.3, 1.0))
    found = correction(alignment, corners_of(sheet))
    write_bytes(Path(arguments.out), alignment.text().encode())
    lines = [
        tr("{mark}: residue {residue:.2f} mm", mark=TITLES[name], residue=residue)
        for name, residue in found.residues.items()
    ]
    values = {"path": arguments.out, "sheet": number, "source": alignment.source, "residue_mm": round(found.residue, 4),
              "error_mm": round(found.error, 4), "turn_deg": round(found.turn, 4), "scale": list(found.scale),
              "residues_mm": {name: round(each, 4) for name, each in found.residues.items()}}  # fmt: skip
    return answered(arguments, values, *lines, found.facts(), tr("Wrote {path}.", path=arguments.out))


def _offset(text: str) -> tuple[str, tuple[float, float]]:
    """Read MARK=RIGHT,DOWN; raises StudioError for anything else."""
    name, _, value = text.partition("=")
    parts = value.split(",")
    try:
        right, down = map(float, parts)
    except ValueError:
        right = down = inf
    if not (abs(right) < FARTHEST and abs(down) < FARTHEST):
        raise StudioError(tr("Use --offset MARK=RIGHT,DOWN in mm, such as top-left=0.3,-0.2, not {text!r}.", text=text))
    return name, (right, down)


COMMANDS: dict[str, Command] = {
    **TIMES,
    "align": Command(
        _align,
        tr("measure a printed sheet, so that an export cuts along its print"),
        FILE,
        argument("--photo", metavar="PICTURE", help=tr("a photograph of the sheet with printed and burned targets")),
        argument(
            "--dpi",
            metavar="N",
            type=as_number("--dpi", 4800, "dpi"),
            help=tr("resolution of a scan, for a print without burned dots"),
        ),
        argument(
            "--offset",
            dest="offsets",
            metavar="MARK=RIGHT,DOWN",
            type=_offset,
            action="append",
            default=[],
            help=tr("mm from the machine's mark to the printed one, such as top-left=0.3,-0.2"),
        ),
        counted("--sheet", tr("the number of the sheet, if there are several")),
        argument("-o", dest="out", metavar="OUT", required=True, help=tr("the file for `export --correct`")),
        *FOR_THE_LASER,
        set_option(tr("the export options of the print, such as marks=targets; `params export` lists them")),
        REPLACE_WORK,
        JSON,
        description=tr(
            "Measure where the printed marks are, and say how far cuts can be trusted to follow the print. Give the "
            "options with which the sheet was printed."
        ),
    ),
    "send": Command(
        _send,
        tr("open a puzzle in LightBurn on this computer; starts no job"),
        argument("file", metavar="FILE", nargs="?"),
        argument(
            "--merge", action="store_true", help=tr("merge it into LightBurn's project instead of replacing that")
        ),
        argument("--x", metavar="MM", type=_signed("--x"), help=tr("with --merge: where on LightBurn's workspace")),
        argument("--y", metavar="MM", type=_signed("--y"), help=tr("with --merge: where on LightBurn's workspace")),
        argument(
            "--anchor",
            metavar="POINT",
            type=as_choice("--anchor", *ANCHORS),
            help=tr(
                "the point of the sheet that goes there: {points} (default: {point})",
                points=", ".join(ANCHORS),
                point=Place.anchor,
            ),
        ),
        counted("--sheet", tr("send this one of several sheets")),
        *FOR_THE_LASER,
        set_option(tr("an export option, such as tabs=piece or copies=4; `params export` lists them")),
        CORRECT,
        argument("--force", action="store_true", help=tr("send it despite errors")),
        argument(
            "--host",
            metavar="HOST",
            default=HERE,
            help=tr("another computer that runs LightBurn, over a connection that is not encrypted"),
        ),
        argument("--read-machine", action="store_true", help=tr("save LightBurn's device and bed as a machine")),
        argument("--forget", action="store_true", help=tr("forget the pairing with LightBurn")),
        JSON,
        description=tr(
            "Open a puzzle in LightBurn 2.2 or newer, sheet after sheet, and wait until LightBurn has taken it. "
            "LightBurn first asks whether Puzzle Studio may connect; the pairing is kept in a file that only you can "
            "read. No job is started."
        ),
    ),
}
