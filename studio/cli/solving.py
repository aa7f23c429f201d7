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
from studio.solving.solved import Solved


def _solve_words(commands: Any, name: str) -> None:
    command = commands.add_parser(
        name,
        help="count the solutions of a puzzle; symmetric ones count once",
        description="Count the solutions of a puzzle; turned and mirrored ones, and swapped twins, count once.",
    )
    command.add_argument("file", metavar="FILE")
    command.add_argument("--limit", metavar="N", help="stop after N solutions and say that there are at least so many")
    json_word(command)
    command.set_defaults(answer=_solve)


def _solve(words: argparse.Namespace) -> Answer:
    most = _limit(words.limit)
    saved = load(Path(words.file))
    if saved.kind.solve is None:
        raise StudioError(f"Solutions are not counted for the kind {saved.kind.key}: each design is its own solution.")
    solved = saved.kind.solve(saved.design, Progress(), most=most)
    if words.json:
        known = dataclasses.asdict(solved)
        return printed_json(known | {"seconds": round(solved.seconds, 6)})
    print(_sentence(solved))
    return Answer.DONE


def _limit(text: str | None) -> int | None:
    return count_of(text, "--limit")


def _sentence(solved: Solved) -> str:
    count = f"{solved.solutions} solution{'' if solved.solutions == 1 else 's'}"
    if not solved.complete:
        count = f"at least {count}"
    steps = f"{solved.nodes} step{'' if solved.nodes == 1 else 's'}"
    return f"{count[0].upper()}{count[1:]}, after {steps} and {1000 * solved.seconds:.1f} ms."


COMMANDS: dict[str, AddCommand] = {"solve": _solve_words}
