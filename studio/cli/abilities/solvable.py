"""The command for puzzles that are solved by search, which counts their solutions."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Sequence
from pathlib import Path

from studio.base.amounts import many
from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.cli.arguments import (
    FILE,
    JSON,
    Command,
    ExitCode,
    answered,
    argument,
    counted,
    either,
    printed_json,
    waiting,
)
from studio.files.store import load
from studio.puzzles.abilities.gradable import Solvable
from studio.solving.counts import Count


def _solve(arguments: argparse.Namespace) -> ExitCode:
    most = arguments.limit
    saved = load(Path(arguments.file))
    design, solved = saved.design, saved.kind.need(Solvable)
    targets = solved.targets
    cells: Sequence[str] = ()
    if targets is None:
        if arguments.date is not None or arguments.open is not None or arguments.year:
            raise StudioError(tr("A {kind} has no dates: omit --date, --open and --year.", kind=saved.kind.key))
    elif arguments.year:
        if most is not None:
            raise StudioError(tr("--limit is for single dates and cannot be combined with --year."))
        with waiting() as progress:
            tally = targets.year(design, progress)
        if not arguments.json:
            return answered(arguments, None, *tally.lines)
        if tally.complete:
            # As JSON the counts alone, which must be exact.
            return printed_json(tally.counts)
        raise StudioError(
            tr("The board is too large to count the whole year; run without --json to see how far it got.")
        )
    elif arguments.date is not None:
        cells = targets.date(design, arguments.date)
    else:
        cells = targets.labels(design, arguments.open or "")
    with waiting() as progress:
        count = solved.count(design, cells, progress, most=most)
    return answered(arguments, dataclasses.asdict(count) | {"seconds": round(count.seconds, 6)}, sentence(count))


def sentence(known: Count) -> str:
    """Number of known solutions and cost of the search, in a sentence."""
    solutions, nodes = many(known.solutions, "solution"), many(known.nodes, "search node")
    milliseconds = 1000 * known.seconds
    if known.complete:
        return tr("{solutions} ({nodes}, {time:.1f} ms).", solutions=solutions, nodes=nodes, time=milliseconds)
    if not known.solutions:
        return tr(
            "No solution found before the search stopped; there may be some ({nodes}, {time:.1f} ms).",
            nodes=nodes,
            time=milliseconds,
        )
    return tr("At least {solutions} ({nodes}, {time:.1f} ms).", solutions=solutions, nodes=nodes, time=milliseconds)


DATE = argument("--date", metavar="DATE", help=tr("the date to solve: 10-06, or 10-06-tue with weekdays"))
OPEN = argument("--open", metavar="LABELS", help=tr("the labels to leave uncovered, one per group: Oct,6"))

COMMANDS: dict[str, Command] = {
    "solve": Command(
        _solve,
        tr("count the solutions of a puzzle, of one date or of a whole year"),
        FILE,
        either(
            DATE,
            OPEN,
            argument("--year", action="store_true", help=tr("count every date; with --json an object of all counts")),
        ),
        counted("--limit", tr("stop after N solutions")),
        JSON,
        description=tr(
            "Count the solutions of a puzzle. Swapping identical pieces does not count as another "
            "solution, nor, on boards without labels, does rotating or reflecting. For a puzzle with "
            "dates, choose one date or the whole year."
        ),
    )
}
