"""The commands that make a book of slitherlinks, and a loop from a picture."""

from __future__ import annotations

import argparse
from pathlib import Path

from studio.base.amounts import many
from studio.base.errors import StudioError
from studio.base.parameters import ParameterError
from studio.base.texts import tr
from studio.cli.arguments import (
    JSON,
    REPLACE_WORK,
    Command,
    ExitCode,
    answered,
    argument,
    is_folder,
    refuse_work,
    set_option,
    settings,
    targets_in,
    waiting,
)

_OWN = {"seed": "--seed", "difficulty": tr("--from and --to")}
"""Parameters of a puzzle that a book sets by options of its own."""

_OPTIONS = {"easiest": "--from", "hardest": "--to", "per_page": "--per-page"}
"""The options whose names differ from their parameters of a book."""


def _book(arguments: argparse.Namespace) -> ExitCode:
    from studio.export.options import LeafletOptions
    from studio.export.writing import ensure_target, write_leaflet
    from studio.puzzles.slitherlink.book import PAPERS, BookOptions, book_of
    from studio.puzzles.slitherlink.model import SlitherlinkParameters

    values = settings(SlitherlinkParameters, arguments.settings)
    for name in values.keys() & _OWN.keys():
        raise StudioError(tr("Use {own} instead of --set {name}.", own=_OWN[name], name=name))
    papers = {name.lower(): name for name in PAPERS}
    own = {
        "count": arguments.count, "easiest": arguments.easiest, "hardest": arguments.hardest,
        "per_page": arguments.per_page, "title": arguments.title, "imprint": arguments.imprint,
        "seed": arguments.seed, "cells": arguments.cells, "booklet": arguments.booklet or None,
        "paper": arguments.paper and papers.get(arguments.paper.lower(), arguments.paper),
    }  # fmt: skip
    texts = [f"{name}={value}" for name, value in own.items() if value is not None]
    try:
        options = BookOptions(**settings(BookOptions, texts))
    except ParameterError as problem:
        raise StudioError(
            str(problem).replace(problem.name, _OPTIONS.get(problem.name, f"--{problem.name}"), 1)
        ) from None
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
        argument("--count", metavar="N", help=tr("number of puzzles (default: 24)")),
        argument(
            "--from",
            dest="easiest",
            metavar="DIFFICULTY",
            help=tr("difficulty of the first puzzle: easy, normal, tricky or hard"),
        ),
        argument("--to", dest="hardest", metavar="DIFFICULTY", help=tr("difficulty of the last puzzle")),
        argument("--per-page", dest="per_page", metavar="N", help=tr("puzzles per page (default: 4)")),
        argument(
            "--cells",
            metavar="CELLS",
            help=tr(
                "own: as --set grid says (default); regular: squares, hexagons and triangles in turn; every: all kinds"
            ),
        ),
        argument("--title", metavar="TITLE", help=tr("title on the title page")),
        argument("--imprint", metavar="TEXT", help=tr("line at the foot of the title page: author, publisher, year")),
        set_option(tr("a parameter of the puzzles, such as columns=10; `params slitherlink` lists them")),
        argument("--seed", metavar="N", help=tr("random seed; a different one gives different puzzles")),
        argument("--paper", metavar="PAPER", help=tr("A4, A5 or Letter")),
        argument("--booklet", action="store_true", help=tr("add blank pages up to a multiple of 4")),
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
