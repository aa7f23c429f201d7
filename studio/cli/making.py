"""The commands that take a design to the machine."""

from __future__ import annotations

import argparse
import dataclasses
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studio.cli import printing
from studio.cli.designs import looked_at
from studio.cli.words import AddCommand, Answer, json_word, printed_json, set_word, settings, tell, told
from studio.errors import StudioError

if TYPE_CHECKING:
    from studio.export.target import Options, Report


def _export_words(commands: Any, name: str) -> None:
    command = commands.add_parser(
        name,
        help="write files for the laser cutter",
        description="Write designs as files for the laser cutter and report what was read back from them.",
    )
    command.add_argument("files", metavar="FILE", nargs="+")
    command.add_argument(
        "-o", dest="out", metavar="OUT", required=True, help="a file whose ending says the format, or a folder"
    )
    command.add_argument("--format", metavar="FORMAT", help="the format of the files in a folder (default dxf)")
    command.add_argument("--profile", metavar="PROFILE", help="the same as --set profile=PROFILE")
    set_word(command, "an option of the file, such as tolerance=0.05 or curves=spline; a wrong name lists them")
    command.add_argument(
        "--force", action="store_true", help="write a design with errors too, and report the faces found"
    )
    json_word(command)
    command.set_defaults(answer=_export)


def _export(words: argparse.Namespace) -> Answer:
    if printing.is_for_a_printer(words):
        return printing.export_solids(words)
    from studio.export.target import Options

    texts = list(words.settings)
    if words.profile is not None:
        texts.append(f"profile={words.profile}")
    options = Options(**settings(Options, texts))
    targets = _targets(words.files, words.out, words.format)
    reports, refused = [], False
    for file, target in zip(words.files, targets, strict=True):
        report = _exported(file, target, options, words.force)
        refused = refused or report is None
        if report is not None:
            reports.append(report)
            if not words.json:
                _print_report(report)
    if words.json:
        printed_json([dataclasses.asdict(report) | {"path": str(report.path)} for report in reports])
    return Answer.NO if refused else Answer.DONE


def _targets(files: Sequence[str], out: str, format: str | None) -> list[Path]:
    """The file that each of some designs goes to; raises StudioError where that cannot be made out."""
    from studio.export.target import SUFFIXES

    suffix = f".{(format or 'dxf').lstrip('.').lower()}"
    if suffix not in SUFFIXES:
        raise StudioError(f"--format must be {' or '.join(known[1:] for known in SUFFIXES)}, not {format!r}.")
    path = Path(out)
    is_folder = path.is_dir() or out.endswith(("/", os.sep))
    if not is_folder and len(files) == 1:
        if format is not None and path.suffix.lower() != suffix:
            raise StudioError(f"--format {format} does not go with {path.name}, whose ending says otherwise.")
        return [path]
    if not is_folder and (path.suffix or path.exists()):
        raise StudioError(f"{len(files)} designs need a folder to go to, and {out} is none.")
    with told(f"The folder {out} could not be made"):
        path.mkdir(exist_ok=True)
    targets = [path / f"{Path(file).stem}{suffix}" for file in files]
    for target in targets:
        if targets.count(target) > 1:
            raise StudioError(f"Two of the designs would both become {target}.")
    return targets


def _exported(file: str, target: Path, options: Options, force: bool) -> Report | None:
    """What the written file holds, or None for a design that has errors and is not forced; that is then told."""
    from studio.export.target import write

    looked = looked_at(file)
    count = len(looked.errors)
    if count and not force:
        errors = "an error" if count == 1 else f"{count} errors"
        tell(f"{file} has {errors} and is not exported without --force; the first: {looked.errors[0].message}")
        return None
    return write(looked.shapes.drawing, target, options, force=force)


def _print_report(report: Report) -> None:
    faces = f"{report.faces} faces"
    if report.faces != report.pieces:
        faces += f" instead of {report.pieces}"
    print(
        f"{report.path} is written: {report.width:g} × {report.height:g} mm, {report.chains} cuts, "
        f"cut length {report.cut_length:.1f} mm, {faces}."
    )


COMMANDS: dict[str, AddCommand] = {"export": _export_words}
