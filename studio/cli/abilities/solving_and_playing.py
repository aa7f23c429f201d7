"""The commands that solve puzzles, grade them, find harder and easier ones, and play them."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from studio import api
from studio.base.amounts import many
from studio.base.errors import StudioError
from studio.base.texts import separated, tr
from studio.cli.arguments import (
    FILE,
    JSON,
    REPLACE,
    Command,
    argument,
    as_number,
    counted,
    either,
    refuse_existing,
    set_option,
)
from studio.cli.designs import Rewriting
from studio.cli.terminal import ExitCode, answered, print_error, printed_json, waiting
from studio.files import store
from studio.files.store import Saved, load
from studio.puzzles.abilities.gradable_solvable import Gradable, Grade, Solvable
from studio.puzzles.abilities.playable import Log, Playable
from studio.solving.assembly import Count


def _solve(arguments: argparse.Namespace) -> ExitCode:
    most = arguments.limit
    saved = load(Path(arguments.file))
    design, targets = saved.design, saved.kind.need(Solvable).targets
    if targets is None and arguments.year:
        raise StudioError(tr("A {kind} has no dates: omit --date, --open and --year.", kind=saved.kind.key))
    if targets is not None and arguments.year:
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
    with waiting() as progress:
        found = api.solve(saved, date=arguments.date, labels=arguments.open, limit=most, progress=progress)
    return answered(arguments, dataclasses.asdict(found) | {"seconds": round(found.seconds, 6)}, sentence(found))


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


def _play(arguments: argparse.Namespace) -> ExitCode:
    if arguments.out is not None:
        refuse_existing(arguments.out, force=arguments.force, own=arguments.game)
    saved = load(Path(arguments.file))
    design, played = saved.design, saved.kind.need(Playable)
    if arguments.game is None:
        log = played.begun(design, _target(played, saved, arguments))
    elif arguments.settings:
        raise StudioError(tr("A saved game already has its settings: omit --set."))
    elif arguments.date is None and arguments.open is None:
        log = store.load_game(Path(arguments.game), saved.kind, design)
    else:
        raise StudioError(tr("A saved game already has its date: omit --date and --open."))
    if arguments.moves is not None:
        log = played.with_moves(design, log, separated(arguments.moves))
    solved, tally = played.done(design, log.game), played.tally(design, log.game)
    if arguments.out is not None:
        store.save_game(Path(arguments.out), saved.kind, design, log)
    answered(
        arguments, _played(log, tally, solved=solved), *_lines(log, played.sketch(design, log.game), tally, solved)
    )
    return ExitCode.DONE if solved else ExitCode.NO


def _target(played: Playable[Any, Any], saved: Saved, arguments: argparse.Namespace) -> Sequence[str]:
    """Return the target to solve; raise StudioError if it is missing or impossible."""
    design, targets = saved.design, played.targets
    if arguments.settings and played.terms is None:
        raise StudioError(tr("A {kind} has no game settings: omit --set.", kind=saved.kind.key))
    if targets is None:
        if arguments.date is not None or arguments.open is not None:
            raise StudioError(tr("A {kind} has no dates: omit --date and --open.", kind=saved.kind.key))
        return () if played.terms is None else played.terms(arguments.settings)
    if arguments.date is not None:
        return targets.date(design, arguments.date)
    if arguments.open is not None:
        return targets.labels(design, arguments.open)
    try:
        return targets.labels(design, "")
    except StudioError:
        raise StudioError(tr("Choose a date: --date 10-06, or --open with one label per group.")) from None


def _played(log: Log[Any], tally: str, *, solved: bool) -> dict[str, Any]:
    figures = {"hints": log.hints, "seconds": round(log.seconds, 1)}
    return {"solved": solved, "tally": tally, "target": list(log.target), "moves": list(log.moves[: log.at])} | figures


def _lines(log: Log[Any], sketch: str, tally: str, solved: bool) -> tuple[str, ...]:
    moves = many(log.count, "move")
    if solved:
        return sketch, tr("Solved after {moves}: {tally}.", moves=moves, tally=tally)
    return sketch, tr("Not solved after {moves}: {tally}.", moves=moves, tally=tally)


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
    ),
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
    ),
    "play": Command(
        _play,
        tr("play moves and report whether they solve the puzzle; exit code 1 if not"),
        FILE,
        argument("--moves", metavar="MOVES", help=tr("the moves, separated by semicolons: 'O 90 A1; L f0 C3; O off'")),
        either(DATE, OPEN),
        set_option(tr("a setting of a jigsaw's game, such as rotation=quarters, seed=3 or clearance=0.2")),
        argument("--game", metavar="GAME", help=tr("a saved game to continue")),
        argument("-o", dest="out", metavar="GAME", help=tr("the file to save the game to")),
        REPLACE,
        JSON,
        description=tr(
            "Play moves and report whether they solve the puzzle. Without --game a new game starts. "
            "The manual describes the notation of each kind's moves; `restart` starts over in all of "
            "them."
        ),
    ),
}
