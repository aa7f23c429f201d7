"""The command that designs: sets of pieces with which every date of a calendar puzzle can be solved."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studio.amounts import many, thousands
from studio.cli.keeping import REPLACE, refuse_changed, refuse_existing
from studio.cli.waiting import waiting
from studio.cli.words import FILE, JSON, Command, ExitCode, count_of, printed_json, word
from studio.errors import StudioError
from studio.files.store import load, save
from studio.texts import tr

if TYPE_CHECKING:
    from studio.puzzles.calendar.model import CalendarDesign, Piece
    from studio.puzzles.calendar.sets import Found, Wish

MOST_FOUND = 20
"""Sets after which the search ends where nobody says otherwise."""


def _sets(words: argparse.Namespace) -> ExitCode:
    from studio.puzzles.calendar.model import CalendarDesign
    from studio.puzzles.calendar.sets import RANKS, how_many, ranked, search

    if words.out is not None:
        refuse_existing(words.out, force=words.force, own=words.file)
    saved = load(Path(words.file))
    design = saved.design
    if not isinstance(design, CalendarDesign):
        raise StudioError(
            tr("Sets of pieces are found for the kind calendar alone, not for {key}.", key=saved.kind.key)
        )
    ranked([], words.rank)
    limit = count_of(words.limit, "--limit") or MOST_FOUND
    tries = count_of(words.tries, "--tries")
    wish = _wish(words, design)
    every = how_many(design.layout, wish)
    found: list[Found] = []
    stopped: KeyboardInterrupt | None = None
    try:
        with waiting() as progress:
            for one in search(design.layout, wish, progress, tries=tries):
                found.append(one)
                if not words.json:
                    progress.say(
                        tr(
                            "{number} of {every}: {figures}",
                            number=thousands(one.number),
                            every=thousands(every),
                            figures=_figures(one),
                        )
                    )
                if len(found) >= limit:
                    break
    except KeyboardInterrupt as interrupt:
        # What was found until now is not lost.
        if not found:
            raise
        stopped = interrupt
    best = ranked(found, words.rank)
    if words.out is not None and best:
        from studio.puzzles.calendar.edits import with_pieces

        refuse_changed(words.file, words.out, saved, force=words.force)
        save(Path(words.out), saved.kind, with_pieces(design, best[0].pieces))
    if words.json:
        printed_json({"sets": every, "found": [_values(one) for one in best]})
    elif best:
        print(f"{RANKS[words.rank][0]}: {_figures(best[0])}")
        if words.out is not None:
            print(tr("Wrote {out}.", out=words.out))
    else:
        from studio.puzzles.calendar.moments import noun_of

        tried = every if tries is None else min(tries, every)
        print(
            tr(
                "With none of {sets} can every {noun} be solved.",
                sets=many(tried, "set"),
                noun=noun_of(design.layout.groups),
            )
        )
    if stopped is not None:
        raise stopped
    return ExitCode.DONE if best else ExitCode.NO


def _wish(words: argparse.Namespace, design: CalendarDesign) -> Wish:
    from studio.puzzles.calendar.sets import Wish, candidates

    count = count_of(words.pieces, "--pieces")
    if words.sizes is not None:
        sizes = [count_of(word, "--sizes") or 0 for word in words.sizes.split(",")]
    else:
        sizes, count = [piece.area for piece in design.set], count or len(design.set)
    must = tuple(_must(words.must, design.set))
    return Wish(candidates(sizes), must, count_of(words.copies, "--copies") or 1, count, design.parameters.reflections)


def _must(text: str | None, pieces: Sequence[Piece]) -> Iterable[Piece]:
    from studio.puzzles.calendar.catalogue import named

    own = {piece.name: piece for piece in pieces}
    for name in map(str.strip, text.split(",") if text is not None else ()):
        yield own[name] if name in own else named(name)


def _figures(found: Found) -> str:
    return tr(
        "{name}: {least} to {most} solutions, {mean:.1f} in the mean, which they miss by {unevenness:.0%}",
        name=found.name,
        least=thousands(found.year.least),
        most=thousands(found.year.most),
        mean=found.mean,
        unevenness=found.unevenness,
    ).replace("%", " %")


def _values(found: Found) -> dict[str, Any]:
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
        tr("find sets of pieces with which every date of a calendar puzzle can be solved"),
        FILE,
        word(
            "--sizes",
            metavar="N,N",
            help=tr("squares of the pieces; without it as many pieces as FILE has, of their sizes"),
        ),
        word(
            "--must",
            metavar="NAME,NAME",
            help=tr("pieces that every set has: FILE's own by name, or polyominoes such as L or 6-1"),
        ),
        word("--pieces", metavar="N", help=tr("how many pieces a set has in all")),
        word("--copies", metavar="N", help=tr("how often a set may have the same piece (default 1)")),
        word("--rank", metavar="RANK", default="scarcest", help=tr("scarcest (default), even or hard")),
        word(
            "--limit",
            metavar="N",
            help=tr("stop after N sets were found (default {most_found})", most_found=MOST_FOUND),
        ),
        word("--tries", metavar="N", help=tr("stop after N sets were tried")),
        word("-o", dest="out", metavar="OUT", help=tr("write FILE with the best set as a design of its own")),
        REPLACE,
        JSON,
        description=tr(
            "Find sets of pieces for the board of FILE with which every date can be solved. They come from all "
            "polyominoes of some sizes; each is told as soon as it is proven, and the best at the end."
        ),
    )
}
