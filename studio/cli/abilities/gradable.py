"""The command for gradable puzzles: their grade, and harder and easier ones."""

from __future__ import annotations

import argparse
from typing import Any

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.cli.arguments import (
    FILE,
    JSON,
    REPLACE,
    Command,
    ExitCode,
    argument,
    as_number,
    either,
    print_error,
    printed_json,
    waiting,
)
from studio.cli.designs import Rewriting
from studio.puzzles.abilities.gradable import Gradable, Grade


def _grade(arguments: argparse.Namespace) -> ExitCode:
    percent = arguments.at
    searching = arguments.harder or arguments.easier or percent is not None
    if searching and arguments.out is None:
        raise StudioError(tr("-o FILE is required; it may be the same file."))
    if arguments.out is not None and not searching:
        raise StudioError(tr("-o needs --harder, --easier or --at."))
    rewriting = Rewriting.from_arguments(arguments)
    saved = rewriting.saved
    graded = saved.kind.need(Gradable)
    with waiting() as progress:
        if percent is not None:
            found = graded.at_share(saved.design, percent / 100, progress)
        else:
            look = graded.harder if arguments.harder else graded.easier if arguments.easier else graded.grade
            found = look(saved.design, progress)
    if searching:
        if found.lost:
            print_error(tr("Dropped from the new puzzle: {lost}.", lost=found.lost))
        rewriting.put(found.design, says=not arguments.json)
    if arguments.json:
        return printed_json(_values(found))
    if arguments.out != "-":
        print(f"{found.level}. {found.explanation}")
    return ExitCode.DONE


def _values(found: Grade[Any]) -> dict[str, Any]:
    return {
        "effort": found.effort,
        "share": found.share,
        "samples": len(found.efforts),
        "easiest": found.efforts[0],
        "hardest": found.efforts[-1],
        "seed": found.design.parameters.seed,
        "lost": found.lost,
    }


COMMANDS: dict[str, Command] = {
    "grade": Command(
        _grade,
        tr("rate a puzzle's difficulty, or find a harder or easier one"),
        FILE,
        either(
            argument("--harder", action="store_true", help=tr("find a puzzle one step harder")),
            argument("--easier", action="store_true", help=tr("find a puzzle one step easier")),
            argument(
                "--at",
                metavar="PERCENT",
                type=lambda text: as_number("--at", 100, "%")(text.rstrip("% ")),
                help=tr("find a puzzle harder than about this percentage of comparable ones"),
            ),
        ),
        argument("-o", dest="out", metavar="OUT", help=tr("the file to write; - for standard output")),
        REPLACE,
        JSON,
        description=tr(
            "Compare a puzzle's difficulty with others of its size and options. With --harder, "
            "--easier or --at a new puzzle is written; locked edges are kept, other edits are "
            "dropped and listed."
        ),
    )
}
