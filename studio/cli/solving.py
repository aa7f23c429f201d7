"""The commands that search: how many solutions a puzzle has, and how hard it is beside others like it."""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path
from typing import Any

from studio.atomic import write_bytes
from studio.cli.designs import put
from studio.cli.waiting import waiting
from studio.cli.words import AddCommand, Answer, count_of, json_word, printed_json, tell
from studio.errors import StudioError
from studio.files.store import Saved, dumps, load
from studio.parameters import parse_number
from studio.puzzles.kind import Graded
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
        with waiting() as progress:
            solved = kind.solve(design, progress, most=most)
    elif words.year:
        if most is not None:
            raise StudioError("--limit is for one date and cannot be used together with --year.")
        with waiting() as progress:
            tally = kind.dates.year(design, progress)
        return _told_year(tally, as_json=words.json)
    else:
        if words.date is not None:
            cells = kind.dates.date(design, words.date)
        else:
            cells = kind.dates.labels(design, words.open or "")
        with waiting() as progress:
            solved = kind.dates.solve(design, cells, progress, most=most)
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


def _grade_words(commands: Any, name: str) -> None:
    command = commands.add_parser(
        name,
        help="say how hard a puzzle is beside others like it, or find a harder or an easier one",
        description="Say how hard a puzzle is beside others of its size and wishes. With --harder, --easier or --at "
        "another one is written; locked edges stay, and what else was done by hand is told and left out.",
    )
    command.add_argument("file", metavar="FILE")
    way = command.add_mutually_exclusive_group()
    way.add_argument("--harder", action="store_true", help="find a puzzle that is a step harder")
    way.add_argument("--easier", action="store_true", help="find a puzzle that is a step easier")
    way.add_argument(
        "--at", metavar="PERCENT", help="find one than which about so many percent of puzzles like it are easier"
    )
    command.add_argument("-o", dest="out", metavar="OUT", help="the file for the puzzle found; - for standard output")
    json_word(command)
    command.set_defaults(answer=_grade)


def _grade(words: argparse.Namespace) -> Answer:
    searching = words.harder or words.easier or words.at is not None
    share = _share(words.at)
    if searching and words.out is None:
        raise StudioError("Where is the puzzle found to go? Name a file with -o; it may be the same.")
    if words.out is not None and not searching:
        raise StudioError("-o is for the puzzle that --harder, --easier or --at finds.")
    if words.out == "-" and words.json:
        raise StudioError("--json and -o - cannot both have standard output.")
    saved = load(Path(words.file))
    grades = saved.kind.grades
    if grades is None:
        raise StudioError(f"Designs of the kind {saved.kind.key} are not compared by how hard they are.")
    with waiting() as progress:
        if share is not None:
            found = grades.at_share(saved.design, share, progress)
        else:
            look = grades.harder if words.harder else grades.easier if words.easier else grades.graded
            found = look(saved.design, progress)
    if searching:
        if found.lost:
            tell(f"Not in the puzzle found: {found.lost}.")
        if words.json:
            write_bytes(Path(words.out), dumps(saved.kind, found.design))
        else:
            put(Saved(saved.kind, found.design), words.out)
    if words.json:
        return printed_json(_graded(found))
    if words.out != "-":
        print(f"{found.level}. {found.words}")
    return Answer.DONE


def _share(text: str | None) -> float | None:
    """The share that a percentage means; raises StudioError for a text that is none from 0 to 100."""
    if text is None:
        return None
    try:
        percent = parse_number(text.rstrip("% "))
    except ValueError:
        percent = -1.0
    if not 0 <= percent <= 100:
        raise StudioError(f"--at must be a percentage from 0 to 100, not {text[:40]!r}.")
    return percent / 100


def _graded(found: Graded) -> dict[str, Any]:
    return {
        "effort": found.effort,
        "share": found.share,
        "samples": len(found.efforts),
        "easiest": found.efforts[0],
        "hardest": found.efforts[-1],
        "seed": found.design.parameters.seed,
        "lost": found.lost,
    }


def _limit(text: str | None) -> int | None:
    return count_of(text, "--limit")


def _sentence(solved: Solved) -> str:
    count = f"{solved.solutions} solution{'' if solved.solutions == 1 else 's'}"
    if not solved.complete:
        count = f"at least {count}"
    steps = f"{solved.nodes} step{'' if solved.nodes == 1 else 's'}"
    return f"{count[0].upper()}{count[1:]}, after {steps} and {1000 * solved.seconds:.1f} ms."


COMMANDS: dict[str, AddCommand] = {"solve": _solve_words, "grade": _grade_words}
