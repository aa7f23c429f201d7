"""The command for the same design with one or two parameters apart, side by side."""

from __future__ import annotations

import argparse
from pathlib import Path

from studio.base.texts import tr, visible
from studio.cli.arguments import FILE, JSON, REPLACE_WORK, Command, ExitCode, answered, argument, refuse_work, waiting
from studio.files.page_pictures import ensure_picture, write_picture
from studio.files.store import load
from studio.puzzles.variants import axis_from, picture, titles, varied


def _variants(arguments: argparse.Namespace) -> ExitCode:
    out = None if arguments.out is None else Path(arguments.out)
    if out is not None:
        ensure_picture(out)
        refuse_work([out], force=arguments.force)
    saved = load(Path(arguments.file))
    parts = [text.partition("=") for text in arguments.vary]
    axes = [axis_from(saved.kind, name.strip(), values) for name, _equals, values in parts]
    with waiting() as progress:
        rows = varied(saved.kind, saved.design, axes, progress)
    if out is not None:
        write_picture(picture(saved.kind, rows, axes, Path(arguments.file).stem), out)
    named = [titles(saved.kind, axis) for axis in axes]
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
