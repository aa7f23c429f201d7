"""The command for playable puzzles, which tests if moves solve one."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from studio.base.amounts import many
from studio.base.errors import StudioError
from studio.base.texts import separated, tr
from studio.cli.abilities.gradable_solvable import DATE, OPEN
from studio.cli.arguments import FILE, JSON, REPLACE, Command, argument, either, refuse_existing, set_option
from studio.cli.terminal import ExitCode, answered
from studio.files import store
from studio.files.store import Saved, load
from studio.puzzles.abilities.playable import Log, Playable


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
        arguments, _values(log, tally, solved=solved), *_lines(log, played.sketch(design, log.game), tally, solved)
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


def _values(log: Log[Any], tally: str, *, solved: bool) -> dict[str, Any]:
    figures = {"hints": log.hints, "seconds": round(log.seconds, 1)}
    return {"solved": solved, "tally": tally, "target": list(log.target), "moves": list(log.moves[: log.at])} | figures


def _lines(log: Log[Any], sketch: str, tally: str, solved: bool) -> tuple[str, ...]:
    moves = many(log.count, "move")
    if solved:
        return sketch, tr("Solved after {moves}: {tally}.", moves=moves, tally=tally)
    return sketch, tr("Not solved after {moves}: {tally}.", moves=moves, tally=tally)


COMMANDS: dict[str, Command] = {
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
    )
}
