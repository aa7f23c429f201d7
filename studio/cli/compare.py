"""The command that shows the changes between two designs."""

from __future__ import annotations

import argparse
from pathlib import Path

from studio.base.texts import tr, visible
from studio.cli.arguments import FILE, JSON, REPLACE_WORK, Command, ExitCode, answered, argument, refuse_work, waiting
from studio.files.page_pictures import ensure_picture, write_picture
from studio.files.store import load
from studio.puzzles.comparison import compared, ensure_alike, names_of, picture


def _compare(arguments: argparse.Namespace) -> ExitCode:
    files = Path(arguments.file), Path(arguments.other)
    out = None if arguments.out is None else Path(arguments.out)
    if out is not None:
        ensure_picture(out)
        refuse_work([out], force=arguments.force)
    one, other = (load(file) for file in files)
    ensure_alike(one.kind, other.kind)
    with waiting() as progress:
        found = compared(one.kind, one.design, other.design, progress)
    if out is not None:
        write_picture(picture(found, names_of(*files)), out)
    lines = [*found.summary, *([] if out is None else [tr("Wrote {out}.", out=arguments.out)])]
    answered(arguments, found.values(), *map(visible, lines))
    return ExitCode.DONE if found.is_same else ExitCode.NO


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
    )
}
