"""The command that proves: how many solutions a puzzle has."""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path
from typing import Any

from studio.cli.words import AddCommand, Answer, count_of, json_word, printed_json
from studio.errors import StudioError
from studio.files.store import load
from studio.progress import Progress
from studio.solving.solved import Solved, Tally


def _solve_words(commands: Any, name: str) -> None:
    command = commands.add_parser(
        name,
        help="count the solutions of a puzzle, of one date or of a whole year",
        description="Count the solutions of a puzzle; swapped twins count once, and so do turned and mirrored ones "
        "of a puzzle without labels. A puzzle with dates is asked for one of them or for the year.",
    )
    command.add_argument("file", metavar="FILE")
    asked = command.add_mutually_exclusive_group()
    asked.add_argument("--date", metavar="DATE", help="the date that stays open: 10-06, or 10-06-tue with weekdays")
    asked.add_argument("--open", metavar="LABELS", help="the labels that stay open, one of every group: Oct,6")
    asked.add_argument("--year", action="store_true", help="count every date; with --json an object of all counts")
    command.add_argument("--limit", metavar="N", help="stop after N solutions and say that there are at least so many")
    json_word(command)
    command.set_defaults(answer=_solve)


def _solve(words: argparse.Namespace) -> Answer:
    most = _limit(words.limit)
    saved = load(Path(words.file))
    kind, design = saved.kind, saved.design
    if kind.dates is None:
        if words.date is not None or words.open is not None or words.year:
            raise StudioError(
                f"The kind {kind.key} has no dates: count its solutions without --date, --open and --year."
            )
        if kind.solve is None:
            raise StudioError(f"Solutions are not counted for the kind {kind.key}: each design is its own solution.")
        solved = kind.solve(design, Progress(), most=most)
    elif words.year:
        if most is not None:
            raise StudioError("--limit is for one date and cannot be used together with --year.")
        return _told_year(kind.dates.year(design, Progress()), as_json=words.json)
    else:
        if words.date is not None:
            cells = kind.dates.date(design, words.date)
        else:
            cells = kind.dates.labels(design, words.open or "")
        solved = kind.dates.solve(design, cells, Progress(), most=most)
    if words.json:
        known = dataclasses.asdict(solved)
        return printed_json(known | {"seconds": round(solved.seconds, 6)})
    print(_sentence(solved))
    return Answer.DONE


def _told_year(tally: Tally, *, as_json: bool) -> Answer:
    """The year as a table; as JSON the counts alone, which must be exact."""
    if not as_json:
        print("\n".join(tally.lines))
        return Answer.DONE
    if not tally.complete:
        raise StudioError("The year was not counted to its end: the board is too large; without --json see how far.")
    return printed_json(tally.counts)


def _limit(text: str | None) -> int | None:
    return count_of(text, "--limit")


def _sentence(solved: Solved) -> str:
    count = f"{solved.solutions} solution{'' if solved.solutions == 1 else 's'}"
    if not solved.complete:
        count = f"at least {count}"
    steps = f"{solved.nodes} step{'' if solved.nodes == 1 else 's'}"
    return f"{count[0].upper()}{count[1:]}, after {steps} and {1000 * solved.seconds:.1f} ms."


COMMANDS: dict[str, AddCommand] = {"solve": _solve_words}
