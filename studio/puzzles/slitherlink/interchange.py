"""Slitherlinks from texts of other programs, whose loop is sought, and as such texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from studio.base.amounts import abridged, thousands
from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.puzzles.abilities.exchangeable import Source
from studio.puzzles.slitherlink.kind import LINK_FORM, LOOPY_FORM, TextOptions
from studio.puzzles.slitherlink.model import (
    FEWEST,
    GRADES,
    NO_SYMMETRY,
    SlitherlinkDesign,
    SlitherlinkParameters,
    rows_of,
)
from studio.puzzles.slitherlink.notation import MOST_CLUES, Given, given_in, link, loopy_id, rows_of_digits
from studio.puzzles.slitherlink.steps import work_in_time
from studio.solving.loops import LoopSearch, solutions

MOST_STEPS = 100_000
"""Steps of the search for the loop of a text."""
MOST_NAMED = 6
"""Most clues without a loop that are named one by one."""
MOST_SHRUNK = 200
"""Clues without a loop among which the needless ones are sought."""


def read(sources: Sequence[Source], progress: Progress) -> SlitherlinkDesign:
    """Read the slitherlink in one text; raise StudioError, worded to follow the text's name, for an invalid one."""
    progress.step(0.0)
    if len(sources) != 1:
        raise StudioError(tr("import one text at a time."))
    try:
        text = sources[0].data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise StudioError(tr("it is not UTF-8 text.")) from problem
    return with_loop(given_in(text), progress)


def with_loop(given: Given, progress: Progress, steps: int = MOST_STEPS) -> SlitherlinkDesign:
    """The slitherlink with some clues, all of them and its loop its own; its difficulty is its grade, if that is known.

    Raises StudioError if no loop satisfies the clues, or if `steps` search steps find none.
    """
    if not any(given.clues.values()):
        raise StudioError(tr("it has no clue above 0, so there is no loop to find."))
    p = SlitherlinkParameters(
        grid=given.form, columns=given.columns, rows=given.rows, difficulty=FEWEST, symmetry=NO_SYMMETRY
    )
    search = LoopSearch(p.net)
    try:
        answer = search.find(given.clues, steps=steps, progress=progress)
        if answer.line is None and answer.is_known:
            raise StudioError(_contradiction(given, _shrunk(search, given, answer.needed, progress)))
        if answer.line is None:
            raise StudioError(tr("undecided after {steps} search steps: there may be no loop.", steps=thousands(steps)))
        other = search.find(given.clues, barred=[answer.line], steps=steps, progress=progress)
    finally:
        search.close()
    if other.line is None and other.is_known:
        done = work_in_time(p.net, given.clues, progress)
        p = replace(p, difficulty=[*GRADES][done.level] if done.is_solved else FEWEST)
    names = tuple(sorted(p.form.names))
    clues = [cell in given.clues for cell in range(p.net.outside)]
    return SlitherlinkDesign(p, rows_of(p, p.net.enclosed(answer.line)), rows_of(p, clues), names, names)


def _shrunk(search: LoopSearch, given: Given, needed: Sequence[int], progress: Progress) -> list[int]:
    """Cells whose clues rule every loop out, as few as is soon known."""
    left = list(needed)
    for cell in needed if len(needed) <= MOST_SHRUNK else ():
        if cell not in left:
            continue
        fewer = {other: given.clues[other] for other in left if other != cell}
        answer = search.find(fewer, steps=MOST_STEPS // MOST_SHRUNK, progress=progress)
        if answer.line is None and answer.is_known:
            left = list(answer.needed)
    return left


def _contradiction(given: Given, cells: Sequence[int]) -> str:
    names = [tr("{clue} in {cell}", clue=given.clues[cell], cell=given.name(cell)) for cell in cells]
    return (
        tr("no loop satisfies its clues {clues}.", clues=abridged(names, MOST_NAMED))
        if len(names) > 1
        else tr("no loop satisfies its clue {clue}.", clue=names[0])
    )


def remark(design: SlitherlinkDesign, progress: Progress) -> str:
    """Remark on a puzzle that has another solution, or whose proof takes too long; empty for any other."""
    p = design.parameters
    lines, count = solutions(p.net, design.clues, progress, most=2, steps=MOST_STEPS, known=design.line)
    if len(lines) > 1:
        return tr(
            "The puzzle has a second solution, different in {place}.", place=design.place_of(design.apart(lines[1]))
        )
    return (
        ""
        if count.complete
        else tr("Not proven unique in {steps} search steps: there may be other solutions.", steps=thousands(MOST_STEPS))
    )


def write(design: SlitherlinkDesign, options: TextOptions, progress: Progress) -> bytes:
    """The clues as a text."""
    progress.step(0.0)
    p = design.parameters
    if not p.layout.is_regular or p.grid not in MOST_CLUES:
        raise StudioError(tr("Only a rectangle of squares, hexagons or triangles can be written as text."))
    given = Given(p.grid, p.columns, p.rows, design.clues)
    if options.form == LOOPY_FORM:
        text = loopy_id(given) + "\n"
    elif options.form == LINK_FORM:
        text = link(given) + "\n"
    else:
        text = rows_of_digits(given)
    return text.encode()
