"""The commands that set designs side by side: two of them, or variants of one."""

from __future__ import annotations

import argparse
from pathlib import Path

from studio.base.texts import tr, visible
from studio.cli.arguments import FILE, JSON, REPLACE_WORK, Command, argument, refuse_work
from studio.cli.terminal import ExitCode, answered, waiting
from studio.files.store import load
from studio.puzzles import comparison, variants


def _compare(arguments: argparse.Namespace) -> ExitCode:
    from studio.files.rasters import ensure_picture, write_picture

    files = Path(arguments.file), Path(arguments.other)
    out = None if arguments.out is None else Path(arguments.out)
    if out is not None:
        ensure_picture(out)
        refuse_work([out], force=arguments.force)
    one, other = (load(file) for file in files)
    comparison.ensure_alike(one.kind, other.kind)
    with waiting() as progress:
        found = comparison.compared(one.kind, one.design, other.design, progress)
    if out is not None:
        write_picture(comparison.picture(found, comparison.names_of(*files)), out)
    lines = [*found.summary, *([] if out is None else [tr("Wrote {out}.", out=arguments.out)])]
    answered(arguments, found.values(), *map(visible, lines))
    return ExitCode.DONE if found.is_same else ExitCode.NO


def _variants(arguments: argparse.Namespace) -> ExitCode:
    from studio.files.rasters import ensure_picture, write_picture

    out = None if arguments.out is None else Path(arguments.out)
    if out is not None:
        ensure_picture(out)
        refuse_work([out], force=arguments.force)
    saved = load(Path(arguments.file))
    parts = [text.partition("=") for text in arguments.vary]
    axes = [variants.axis_from(saved.kind, name.strip(), values) for name, _equals, values in parts]
    with waiting() as progress:
        rows = variants.varied(saved.kind, saved.design, axes, progress)
    if out is not None:
        write_picture(variants.picture(saved.kind, rows, axes, Path(arguments.file).stem), out)
    named = [variants.titles(saved.kind, axis) for axis in axes]
    lines = [
        f"{', '.join([named[0][across], *(named[1][down : down + 1] if len(named) > 1 else ())])}: {one.verdict}"
        for down, row in enumerate(rows)
        for across, one in enumerate(row)
    ]
    values = [
        {
            "set": dict(zip([axis.name for axis in axes], one.values, strict=True)),
            "errors": one.errors,
            "warnings": one.warnings,
            "refused": one.refusal or None,
        }
        for row in rows
        for one in row
    ]
    written = [] if out is None else [tr("Wrote {out}.", out=arguments.out)]
    return answered(arguments, values, *map(visible, [*lines, *written]))


COMMANDS: dict[str, Command] = {
    "compare": Command(
        _compare,
        tr("show what changed between two designs; exit code 1 if they differ"),
        FILE,
        argument("other", metavar="OTHER"),
        argument("-o", dest="out", metavar="OUT", help=tr("a picture of both: a .png, .svg or .pdf file")),
        REPLACE_WORK,
        JSON,
        description=tr(
            "List the parameters that differ, and how much of the lines was removed and added from FILE to OTHER."
        ),
    ),
    "variants": Command(
        _variants,
        tr("check and draw a design with one or two parameters varied"),
        FILE,
        argument("--vary", metavar="name=1,2,3", action="append", required=True,
                 help=tr("a parameter and up to 5 values; a second --vary makes a grid")),
        argument("-o", dest="out", metavar="OUT", help=tr("a picture of all variants: a .png, .svg or .pdf file")),
        REPLACE_WORK,
        JSON,
        description=tr("Count the problems of each variant, and draw them side by side."),
    )
}  # fmt: skip
