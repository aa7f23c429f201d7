"""Which clues of a loop are given: few enough that one solution is left, and enough that it is as hard as asked.

own: clues that are given or hidden whatever else changes. Easy puzzles, and those of squares up to Tricky, lose clues
as long as the rules of the grade solve the rest. Otherwise the search for a second solution takes clues away; then the
rules of the grade that is asked solve the puzzle, and where they are stuck clues are given back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from studio.base.chance import uniform
from studio.base.progress import Progress
from studio.geometry.board.grids import SQUARE
from studio.puzzles.slitherlink.model import EASY, FEWEST, GRADES, NO_SYMMETRY, NORMAL, TRICKY, SlitherlinkParameters
from studio.puzzles.slitherlink.rules import Reasoner
from studio.puzzles.slitherlink.solving_effort import follow, work
from studio.puzzles.slitherlink.symmetry import orbits
from studio.puzzles.slitherlink.thinning import Thinning, worth
from studio.solving.loops import LoopEdges, LoopSearch

BUDGET, ORBIT_BUDGET = 5, 20
"""Conflicts within which a clue, or an orbit of several, must prove needless: what takes longer is hard to see."""
FEWEST_BUDGET = 20_000
"""The same where as few clues as possible are asked for."""
OTHER_SEED = 7919
"""How far the seeds of two attempts are apart."""
MOST_ATTEMPTS, CELLS_TRIED = 12, 4000
"""How many puzzles are tried until one is as hard as asked, and how many cells they have together at most."""
EASY_CLUES = 0.5
"""The share of the squares that have a clue in an easy puzzle at most, if an attempt finds one."""
MIXING = 3.0
"""How much chance counts beside what clues tell in the order in which they are removed."""
REMOVAL = 0.8
"""The share of the work that taking clues away is, of a large puzzle."""
CELLS_PRUNED = 200
"""How many cells the puzzles have together at most that are solved to see which clues were given back in vain."""


def attempts(p: SlitherlinkParameters) -> int:
    """How many puzzles are tried until one is as hard as asked."""
    return max(1, min(MOST_ATTEMPTS, CELLS_TRIED // p.net.outside))


@dataclass(frozen=True)
class Reduced:
    """Which clues are given, and by how many grades the puzzle misses what was asked; a part for too many clues."""

    given: list[bool]
    misses: float


def reduced(p: SlitherlinkParameters, line: LoopEdges, own: Mapping[int, bool], progress: Progress) -> list[bool]:
    """Which clues of a loop are given so that it is the only one, as hard as asked; all where even they allow another.

    Own clues stay given or hidden.
    """
    best: Reduced | None = None
    for attempt in range(attempts(p)):
        found = attempted(p, line, own, attempt, progress)
        if found is None:
            return [own.get(cell, True) for cell in range(p.net.outside)]
        best = found if best is None or found.misses < best.misses else best
        if best.misses == 0:
            break
    return best.given if best is not None else []


def attempted(
    p: SlitherlinkParameters, line: LoopEdges, own: Mapping[int, bool], attempt: int, progress: Progress
) -> Reduced | None:
    """One attempt at it; None where even all clues allow another loop."""
    counts = p.net.counts(line)
    chances = uniform(p.seed + attempt * OTHER_SEED, np.arange(p.net.outside), "clue")
    order = np.argsort(chances).tolist()
    # Where the rules of the grade below solve what an attempt leaves, the search for a second solution leaves less in
    # the next one; but what the rules need beside that are too many clues for an easy puzzle.
    if p.difficulty == EASY or (p.difficulty in (NORMAL, TRICKY) and p.grid == SQUARE and attempt % 2 == 0):
        thinned = _thinned(p, counts, own, chances.tolist(), progress)
        if thinned is not None:
            return _rated(p, thinned, progress)
    search = LoopSearch(p.net)
    search.prefer(line)
    try:
        clues = {cell: count for cell, count in enumerate(counts) if own.get(cell, True)}
        if search.find(clues, barred=[line], progress=progress).line is not None:
            return None
        clues = _fewer(p, search, clues, line, own, order, progress.part(0.0, REMOVAL))
    finally:
        search.close()
    rest = progress.part(REMOVAL, 1.0)
    if p.difficulty != FEWEST:
        clues = _solvable(p, clues, counts, own, order, [*GRADES].index(p.difficulty), rest)
    return _rated(p, clues, rest)


def _rated(p: SlitherlinkParameters, clues: Mapping[int, int], progress: Progress) -> Reduced:
    """Clues, and how near they come to what was asked."""
    misses = 0.0
    if p.difficulty != FEWEST:
        level = [*GRADES].index(p.difficulty)
        misses += abs(work(p.net, clues, level, progress).level - level)
    if p.difficulty == EASY and p.grid == SQUARE:
        misses += max(0.0, len(clues) / p.net.outside - EASY_CLUES)
    return Reduced([cell in clues for cell in range(p.net.outside)], misses)


def _thinned(
    p: SlitherlinkParameters,
    counts: Sequence[int],
    own: Mapping[int, bool],
    chances: Sequence[float],
    progress: Progress,
) -> dict[int, int] | None:
    """Clues of which the rules of a grade need every orbit; those that tell the most are kept longest.

    None where even all clues are not enough for the rules.
    """
    value = [MIXING * chance + worth(count, len(edges))
             for chance, count, edges in zip(chances, counts, p.net.edges, strict=True)]  # fmt: skip
    free = [orbit for orbit in _orbits(p) if not any(cell in own for cell in orbit)]
    free.sort(key=lambda orbit: sum(value[cell] for cell in orbit) / len(orbit))
    cells = {cell for cell in range(p.net.outside) if own.get(cell, True)}
    thinning = Thinning(p.net, counts, [*GRADES].index(p.difficulty))
    try:
        given = thinning.thinned(free, cells, progress)
    finally:
        thinning.close()
    return None if given is None else {cell: counts[cell] for cell in sorted(given)}


def _solvable(
    p: SlitherlinkParameters,
    clues: dict[int, int],
    counts: Sequence[int],
    own: Mapping[int, bool],
    order: Sequence[int],
    level: int,
    progress: Progress,
) -> dict[int, int]:
    """Clues with as many more as rules up to a level need to finish: where they are stuck, those that help the most."""
    reasoner = Reasoner(p.net, clues, level, progress=progress)
    hidden = [orbit for orbit in _in_order(p, order) if not any(cell in clues or cell in own for cell in orbit)]
    clues = dict(clues)
    follow(reasoner, progress)
    given: list[tuple[int, ...]] = []
    while not reasoner.is_solved and hidden:
        best = max(hidden, key=lambda orbit: sum(reasoner.gain(cell, counts[cell]) for cell in orbit))
        hidden.remove(best)
        given.append(best)
        for cell in best:
            clues[cell] = counts[cell]
            reasoner.give(cell, counts[cell])
        follow(reasoner, progress)
    if reasoner.is_solved:
        for orbit in given[: CELLS_PRUNED // p.net.outside]:
            fewer = {cell: count for cell, count in clues.items() if cell not in orbit}
            if work(p.net, fewer, level, progress).is_solved:
                clues = fewer
    return clues


def _in_order(p: SlitherlinkParameters, order: Sequence[int]) -> list[tuple[int, ...]]:
    orbit_of = {cell: orbit for orbit in _orbits(p) for cell in orbit}
    return list(dict.fromkeys(orbit_of[cell] for cell in order))


def _fewer(
    p: SlitherlinkParameters,
    search: LoopSearch,
    clues: dict[int, int],
    line: LoopEdges,
    own: Mapping[int, bool],
    order: Sequence[int],
    progress: Progress,
) -> dict[int, int]:
    """Clues of which no orbit can be removed without allowing another solution, as far as the budget shows."""
    humane = BUDGET if p.symmetry == NO_SYMMETRY else ORBIT_BUDGET
    budget = FEWEST_BUDGET if p.difficulty == FEWEST else humane
    orbit_of = {cell: orbit for orbit in _orbits(p) for cell in orbit}
    settled = {cell: clues[cell] for cell in own if cell in clues}
    for number, cell in enumerate(order):
        here = progress.part(number / len(order), number / len(order))
        here.step(0.0)
        if cell not in clues or cell in settled:
            continue
        orbit = [other for other in orbit_of[cell] if other in clues and other not in settled]
        fewer = {other: clues[other] for other in clues if other not in orbit}
        answer = search.find(fewer, barred=[line], budget=budget, progress=here)
        if answer.line is None and answer.is_known:
            needed = {other for one in answer.needed for other in orbit_of[one]} | settled.keys()
            clues = {other: count for other, count in clues.items() if other in needed}
        else:
            search.settle({other: clues[other] for other in orbit})
            settled |= {other: clues[other] for other in orbit}
    return clues


def _orbits(p: SlitherlinkParameters) -> tuple[tuple[int, ...], ...]:
    """The cells whose clues go together; each alone where the grid has no such symmetry."""
    found = orbits(p.layout, p.symmetry)
    return found if found is not None else tuple((cell,) for cell in range(p.net.outside))
