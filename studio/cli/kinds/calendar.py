"""The commands for calendars: `sets` finds piece sets that solve every date, `booklet` writes hints and solutions."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studio.base.amounts import many, thousands
from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.base.units import in_millimetres
from studio.cli.arguments import (
    EXPORT_ANYWAY,
    FILE,
    JSON,
    REPLACE,
    Command,
    argument,
    as_count,
    counted,
    refuse_work,
    set_option,
    settings,
)
from studio.cli.designs import Rewriting, design_of, looked_at
from studio.cli.terminal import ExitCode, answered, printed_json, waiting

if TYPE_CHECKING:
    from studio.puzzles.calendar.model import CalendarDesign
    from studio.puzzles.calendar.set_search import FoundSet, SetConditions

MOST_FOUND = 20
"""Sets after which the search ends by default."""


def _sets(arguments: argparse.Namespace) -> ExitCode:
    from studio.puzzles.calendar.set_search import RANKS, how_many, ranked, search

    rewriting = Rewriting.from_arguments(arguments)
    design: CalendarDesign = design_of(rewriting.saved, "calendar")
    ranked([], arguments.rank)
    limit, tries = arguments.limit or MOST_FOUND, arguments.tries
    request = _request(arguments, design)
    every = how_many(design.layout, request)
    found: list[FoundSet] = []
    stopped: KeyboardInterrupt | None = None
    try:
        with waiting() as progress:
            for one in search(design.layout, request, progress, tries=tries):
                found.append(one)
                if not arguments.json:
                    progress.say(
                        tr(
                            "{number} of {count}: {figures}",
                            number=thousands(one.number),
                            count=thousands(every),
                            figures=_figures(one),
                        )
                    )
                if len(found) >= limit:
                    break
    except KeyboardInterrupt as interrupt:
        # Keep the sets found so far.
        if not found:
            raise
        stopped = interrupt
    best = ranked(found, arguments.rank)
    if arguments.out is not None and best:
        from studio.puzzles.calendar.edits import with_pieces

        rewriting.put(with_pieces(design, best[0].pieces), says=False)
    if arguments.json:
        printed_json({"sets": every, "found": [_values(one) for one in best]})
    elif best:
        print(f"{RANKS[arguments.rank][0]}: {_figures(best[0])}")
        if arguments.out is not None:
            print(tr("Wrote {out}.", out=arguments.out))
    else:
        from studio.puzzles.calendar.model import noun_of

        tried = every if tries is None else min(tries, every)
        print(
            tr(
                "None of {sets} can solve every {date}.",
                sets=many(tried, "set"),
                date=noun_of(design.layout.groups).one,
            )
        )
    if stopped is not None:
        raise stopped
    return ExitCode.DONE if best else ExitCode.NO


def _booklet(arguments: argparse.Namespace) -> ExitCode:
    from studio.exporting.options import LeafletOptions
    from studio.exporting.writing import ensure_target, write_leaflet
    from studio.puzzles.calendar.booklet import CHOSEN, BookletOptions, booklet

    options = BookletOptions(**settings(BookletOptions, arguments.settings))
    if options.dates and options.solutions != CHOSEN:
        if any(text.partition("=")[0].strip() == "solutions" for text in arguments.settings):
            raise StudioError(
                tr("--set dates cannot be combined with --set solutions={solutions}.", solutions=options.solutions)
            )
        options = replace(options, solutions=CHOSEN)
    refuse_work([Path(arguments.out)], force=arguments.force)
    ensure_target(Path(arguments.out))
    looked = looked_at(arguments.file)
    design: CalendarDesign = design_of(looked.saved, "calendar")
    if looked.is_refused(arguments.file, force=arguments.force):
        return ExitCode.NO
    with waiting() as progress, in_millimetres():
        size = LeafletOptions(paper=options.paper).size
        leaflet = booklet(design, Path(arguments.file).stem, size, options, progress.part(0.0, 0.7))
        reports = write_leaflet(leaflet, arguments.out, progress.part(0.7, 1.0))
    lines = (
        tr("Wrote {path}: {pages} of {paper}.", path=one.path, pages=many(one.pages, "page"), paper=options.paper)
        for one in reports
    )
    return answered(arguments, [report.values() for report in reports], *lines)


def _request(arguments: argparse.Namespace, design: CalendarDesign) -> SetConditions:
    from studio.puzzles.calendar.set_search import SetConditions, candidates, named

    sizes, count = arguments.sizes, arguments.pieces
    if sizes is None:
        sizes, count = [piece.area for piece in design.set], count or len(design.set)
    own = {piece.name: piece for piece in design.set}
    must = tuple(own[name] if name in own else named(name) for name in arguments.must)
    return SetConditions(
        candidates(sizes), must, arguments.copies or 1, count, design.parameters.reflections, design.year
    )


def _figures(found: FoundSet) -> str:
    return tr(
        "{name}: {least} to {most} solutions, mean {mean:.1f}, spread {spread:.0%}",
        name=found.name,
        least=thousands(found.year.least),
        most=thousands(found.year.most),
        mean=found.mean,
        spread=found.unevenness,
    )


def _values(found: FoundSet) -> dict[str, Any]:
    return {
        "pieces": {piece.name: list(piece.rows) for piece in found.pieces},
        "least": found.year.least,
        "most": found.year.most,
        "total": found.year.total,
        "mean": round(found.mean, 3),
        "unevenness": round(found.unevenness, 4),
        "number": found.number,
    }


COMMANDS: dict[str, Command] = {
    "sets": Command(
        _sets,
        tr("find piece sets that solve every date of a calendar puzzle"),
        FILE,
        argument(
            "--sizes",
            metavar="N,N",
            type=lambda text: [*map(as_count("--sizes"), text.split(","))],
            help=tr("piece sizes in squares (default: number and sizes of FILE's pieces)"),
        ),
        argument(
            "--must",
            metavar="NAME,NAME",
            type=lambda text: [*map(str.strip, text.split(","))],
            default=[],
            help=tr("pieces in every set: names from FILE, or polyominoes such as L or 6-1"),
        ),
        counted("--pieces", tr("number of pieces in a set")),
        counted("--copies", tr("how often a set may use the same piece (default: 1)")),
        argument("--rank", metavar="RANK", default="scarcest", help=tr("ranking: scarcest (default), even or hard")),
        counted("--limit", tr("stop after finding N sets (default: {count})", count=MOST_FOUND)),
        counted("--tries", tr("stop after trying N sets")),
        argument("-o", dest="out", metavar="OUT", help=tr("save a copy of FILE with the best set")),
        REPLACE,
        JSON,
        description=tr(
            "Find piece sets that solve every date on the board of FILE, from all polyominoes of the given sizes. "
            "Each set is listed once it is verified, the best one last."
        ),
    ),
    "booklet": Command(
        _booklet,
        tr("write a calendar's booklet with hints and solutions"),
        FILE,
        argument("-o", dest="out", metavar="OUT", required=True, help=tr("a .pdf or .svg file")),
        set_option(tr("an option, such as hints=no, solutions=none, dates='10-06, 12-24' or paper=Letter")),
        EXPORT_ANYWAY,
        JSON,
        description=tr(
            "Write a booklet: the rules, a hint for each date, and at the back a solution of each date or, with "
            "--set dates=…, all solutions of some dates. PDF is one file, SVG one file per page."
        ),
    ),
}
