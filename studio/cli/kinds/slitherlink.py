"""The command that makes a book of slitherlinks."""

from __future__ import annotations

import argparse
from pathlib import Path

from studio.base.amounts import many
from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.cli.arguments import (
    JSON,
    REPLACE_WORK,
    Command,
    argument,
    given,
    is_folder,
    option,
    refuse_work,
    set_option,
    settings,
    targets_in,
)
from studio.cli.terminal import ExitCode, answered, waiting

BOOK = "studio.puzzles.slitherlink.book:BookOptions"
_OWN = {"seed": "--seed", "difficulty": tr("--from and --to")}
"""Parameters of a puzzle that a book sets by options of its own."""


def _book(arguments: argparse.Namespace) -> ExitCode:
    from studio.exporting.options import LeafletOptions
    from studio.exporting.writing import ensure_target, write_leaflet
    from studio.puzzles.slitherlink.book import BookOptions, book_of
    from studio.puzzles.slitherlink.model import SlitherlinkParameters

    values = settings(SlitherlinkParameters, arguments.settings)
    for name in values.keys() & _OWN.keys():
        raise StudioError(tr("Use {own} instead of --set {name}.", own=_OWN[name], name=name))
    options = BookOptions(**given(arguments, BookOptions))
    target = targets_in(arguments.out, ["book"], ".svg")[0] if is_folder(arguments.out) else Path(arguments.out)
    refuse_work([target], force=arguments.force)
    ensure_target(target)
    with waiting() as progress:
        size = LeafletOptions(paper=options.paper).size
        leaflet = book_of(SlitherlinkParameters(**values), options, size, progress.part(0.0, 0.7))
        reports = write_leaflet(leaflet, target, progress.part(0.7, 1.0))
    count = sum(report.pages for report in reports)
    line = tr(
        "Wrote {path}: {puzzles} on {pages} of {paper}.",
        path=reports[0].path,
        puzzles=many(options.count, "puzzle"),
        pages=many(count, "page"),
        paper=options.paper,
    )
    if len(reports) > 1:
        line = tr(
            "Wrote {path} to {name}, one page each: {puzzles}.",
            path=reports[0].path,
            name=reports[-1].path.name,
            puzzles=many(options.count, "puzzle"),
        )
    return answered(arguments, [report.values() for report in reports], line)


COMMANDS: dict[str, Command] = {
    "book": Command(
        _book,
        tr("make a book of slitherlinks, solutions at the back"),
        option(BOOK, "count"),
        option(BOOK, "easiest", "--from", metavar="DIFFICULTY"),
        option(BOOK, "hardest", "--to", metavar="DIFFICULTY"),
        option(BOOK, "per_page"),
        option(BOOK, "cells"),
        option(BOOK, "title"),
        option(BOOK, "imprint", metavar="TEXT"),
        set_option(tr("a parameter of the puzzles, such as columns=10; `params slitherlink` lists them")),
        option(BOOK, "seed"),
        option(BOOK, "paper"),
        option(BOOK, "booklet"),
        argument(
            "-o", dest="out", metavar="OUT", required=True, help=tr("a .pdf or .svg file, or a folder for SVG pages")
        ),
        REPLACE_WORK,
        JSON,
        description=tr(
            "Make a book of slitherlinks: title page, rules, puzzles of rising difficulty, each with a proven "
            "unique solution, and all solutions at the back. PDF is one file, SVG one file per page."
        ),
    )
}
