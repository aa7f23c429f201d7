"""The command for puzzles that are graded: how hard they are, and harder and easier ones."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from studio.cli.designs import put
from studio.cli.keeping import REPLACE, refuse_changed, refuse_existing
from studio.cli.waiting import waiting
from studio.cli.words import FILE, JSON, Command, ExitCode, either, number_of, printed_json, tell, word
from studio.errors import StudioError
from studio.files.store import Saved, load, save
from studio.puzzles.abilities.graded import Grade, Graded
from studio.texts import tr


def _grade(words: argparse.Namespace) -> ExitCode:
    searching = words.harder or words.easier or words.at is not None
    percent = number_of(words.at and words.at.rstrip("% "), "--at", 100, "percentage")
    if searching and words.out is None:
        raise StudioError(tr("-o FILE is required; it may be the same file."))
    if words.out is not None and not searching:
        raise StudioError(tr("-o needs --harder, --easier or --at."))
    if words.out == "-" and words.json:
        raise StudioError(tr("--json and -o - cannot both write to standard output."))
    if words.out is not None:
        refuse_existing(words.out, force=words.force, own=words.file)
    saved = load(Path(words.file))
    graded = saved.kind.need(Graded)
    with waiting() as progress:
        if percent is not None:
            found = graded.at_share(saved.design, percent / 100, progress)
        else:
            look = graded.harder if words.harder else graded.easier if words.easier else graded.grade
            found = look(saved.design, progress)
    if searching:
        if found.lost:
            tell(tr("Dropped from the new puzzle: {lost}.", lost=found.lost))
        refuse_changed(words.file, words.out, saved, force=words.force)
        if words.json:
            save(Path(words.out), saved.kind, found.design)
        else:
            put(Saved(saved.kind, found.design), words.out)
    if words.json:
        return printed_json(_values(found))
    if words.out != "-":
        print(f"{found.level}. {found.words}")
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
            word("--harder", action="store_true", help=tr("find a puzzle one step harder")),
            word("--easier", action="store_true", help=tr("find a puzzle one step easier")),
            word(
                "--at", metavar="PERCENT", help=tr("find one harder than about this percentage of comparable puzzles")
            ),
        ),
        word("-o", dest="out", metavar="OUT", help=tr("the file to write; - for standard output")),
        REPLACE,
        JSON,
        description=tr(
            "Compare a puzzle's difficulty with others of its size and options. With --harder, "
            "--easier or --at a new puzzle is written; locked edges are kept, other edits are "
            "dropped and listed."
        ),
    )
}
