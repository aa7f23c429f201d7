"""The command that sends a puzzle to LightBurn, or reads LightBurn's bed. It starts no job."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studio.base.amounts import extent, many
from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.cli.abilities.cuttable import making_of, misfits, with_recipe
from studio.cli.arguments import JSON, Command, argument, as_choice, as_number, counted, set_option
from studio.cli.designs import looked_at
from studio.cli.terminal import ExitCode, answered, print_error, waiting
from studio.cli.workshop import FOR_THE_LASER, file_options, machine_of, material_of, sheet_of
from studio.connect.lightburn import ANCHORS, HERE, LARGEST_PLACE, LightBurn, Place, Refused, Unpaired, safe_name
from studio.puzzles.abilities.cuttable import Cuttable

if TYPE_CHECKING:
    from studio.export.proof import SheetReport

BESIDE = 10.0
"""Gap in mm between sheets that are merged side by side."""
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
    from studio.export.laser_files import sheets_as_bytes
    from studio.fabricate.making import made

    options, of_making = file_options(arguments, "export")
    for name in OF_FILES:
        if getattr(options, name):
            raise StudioError(tr("`send` writes no files: {name} is for `export`.", name=name))
    making, machine, material = making_of(arguments, of_making), machine_of(arguments), material_of(arguments)
    options = with_recipe(options, machine, arguments.settings)
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
        for note in found.notes:
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


COMMANDS: dict[str, Command] = {
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
    )
}
