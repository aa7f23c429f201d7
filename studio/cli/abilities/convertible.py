"""The command that reads puzzles from files of other forms, and the part of `export` that writes such files."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from studio.base.atomic import write_bytes
from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.cli.arguments import (
    REPLACE,
    Command,
    argument,
    refuse_existing,
    refuse_laser_options,
    refuse_work,
    settings,
    targets_of,
)
from studio.cli.designs import put
from studio.cli.drawings import ENGRAVED, NO_DRAWING, READING, reading_of
from studio.cli.terminal import ExitCode, answered, print_error, waiting
from studio.files.imported_paths import Reading
from studio.files.store import DRAWINGS, Saved, import_files, import_text, is_text, load
from studio.puzzles import registry
from studio.puzzles.abilities.convertible import Convertible, Writer
from studio.puzzles.kind import AnyKind


def is_for_a_program(arguments: argparse.Namespace) -> bool:
    """True if an export asks for a file of another program, by the ending of its file or by --format."""
    return _suffix(arguments) in {writer.suffix for formats in _known() for writer in formats.writers}


def _known() -> list[Convertible[Any]]:
    return [able for kind in registry.kinds() if (able := kind.able(Convertible)) is not None]


def _suffix(arguments: argparse.Namespace) -> str:
    suffix = Path(arguments.out).suffix if arguments.format is None else f".{arguments.format.lstrip('.')}"
    return str(suffix.lower())


def export_texts(arguments: argparse.Namespace) -> ExitCode:
    """Write some designs for other programs."""
    suffix = _suffix(arguments)
    refuse_laser_options(arguments, tr("{suffix} files", suffix=suffix))
    if arguments.printer is not None:
        raise StudioError(tr("--printer is for 3-D printing only, not for {suffix} files.", suffix=suffix))
    designs = [load(Path(file)) for file in arguments.files]
    writers: list[Writer[Any]] = [saved.kind.need(Convertible).writer(suffix) for saved in designs]
    chosen = [writer.options(**settings(writer.options, arguments.settings)) for writer in writers]
    asked = "" if arguments.format is None else f"--format {arguments.format}"
    targets = targets_of(arguments.files, arguments.out, suffix, asked)
    refuse_work(targets, force=arguments.force)
    done: list[dict[str, Any]] = []
    for saved, writer, options, target in zip(designs, writers, chosen, targets, strict=True):
        with waiting() as progress:
            data = writer.write(saved.design, options, progress)
        write_bytes(target, data)
        done.append({"path": str(target), "bytes": len(data)})
    return answered(arguments, done, *(tr("Wrote {path}.", path=one["path"]) for one in done))


def _import(arguments: argparse.Namespace) -> ExitCode:
    kind = None if arguments.kind is None else registry.kind(arguments.kind)
    refuse_existing(arguments.out, force=arguments.force)
    with waiting() as progress:
        saved = _imported(arguments.files, kind, reading_of(arguments), progress.part(0.0, 0.5))
        able = saved.kind.able(Convertible)
        remark = able.remark(saved.design, progress.part(0.5, 1.0)) if able is not None else ""
    code = put(saved, arguments.out)
    for said in filter(None, (*saved.notes, remark)):
        print_error(said)
    return code


def _imported(arguments: Sequence[str], kind: AnyKind | None, reading: Reading, progress: Progress) -> Saved:
    """The puzzle in files, or in one argument that is no file but a text that some kind reads."""
    if reading != Reading() and Path(arguments[0]).suffix.lower() not in DRAWINGS:
        raise StudioError(NO_DRAWING)
    if "" in arguments:
        raise StudioError(tr("The file or text to import is empty."))
    if len(arguments) == 1 and not os.path.exists(arguments[0]) and is_text(arguments[0]):
        return import_text(arguments[0], kind, progress)
    return import_files([Path(argument) for argument in arguments], kind, progress, reading)


COMMANDS: dict[str, Command] = {
    "import": Command(
        _import,
        tr("import a puzzle from another file format or from text"),
        argument("files", metavar="FILE", nargs="+", help=tr("a file, a folder, or a text such as a Loopy game ID")),
        argument("-o", dest="out", metavar="OUT", required=True, help=tr("the .puzzle file; - for standard output")),
        argument("--kind", metavar="KIND", help=tr("the kind of puzzle, if the files do not say")),
        *READING[:3],
        ENGRAVED,
        REPLACE,
        description=tr(
            "Import a puzzle from another file format, such as a zigzaw's pieces and border in JSON, a cube from "
            "BurrTools or the cuts of a jigsaw in SVG or DXF, or from text: a slitherlink's Loopy game ID or puzz.link "
            "address (nothing is fetched from the network)."
        ),
    )
}
