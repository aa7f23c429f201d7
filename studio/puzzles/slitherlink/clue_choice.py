"""The choice of a loop's clues: few, with one solution left, and as hard as asked.

own: clues that are given or hidden whatever else changes. Easy puzzles, and those of squares up to Tricky, lose clues
as long as the rules of the grade solve the rest. Otherwise the search for a second solution takes clues away; then the
rules of the grade that is asked solve the puzzle, and where they are stuck clues are given back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from studio.base.chance import uniform
from studio.base.progress import Progress
from studio.geometry.board.grids import SQUARE, Grid, Layout, grid
from studio.geometry.curves.strokes import Floats
from studio.puzzles.slitherlink.model import (
    EASY,
    FEWEST,
    GRADES,
    HALF_TURN,
    MIRROR,
    NO_SYMMETRY,
    NORMAL,
    QUARTER_TURN,
    TRICKY,
    SlitherlinkParameters,
)
from studio.puzzles.slitherlink.rule_clauses import Thinning
from studio.puzzles.slitherlink.rules import Reasoner
from studio.puzzles.slitherlink.steps import follow, work
from studio.solving.loops import LoopEdges, LoopSearch

# Which cells a symmetry maps onto each other.
# orbit: cells that are mapped onto each other, in a puzzle with symmetry all with a clue or all without.


_MAPS = {
    HALF_TURN: (np.array([(-1.0, 0.0), (0.0, -1.0)]),),
    MIRROR: (np.array([(-1.0, 0.0), (0.0, 1.0)]), np.array([(1.0, 0.0), (0.0, -1.0)])),
    QUARTER_TURN: (np.array([(0.0, 1.0), (-1.0, 0.0)]),),
}
"""What each symmetry does to a place, seen from the middle of the cells; the second is tried where the first fails."""
NEAR = 0.1
"""How far from a cell's middle, in edges, another one may be mapped: clipped grids are even only about so much."""


@lru_cache(maxsize=32)
def orbits(layout: Layout, symmetry: str) -> tuple[tuple[int, ...], ...] | None:
    """The orbits of the cells, in the order of their first cells; None where a cell would be mapped on none."""
    cells = grid(layout)
    if symmetry == NO_SYMMETRY:
        return tuple((cell,) for cell in range(len(cells.cells)))
    for turn in _MAPS[symmetry]:
        image = _image(cells, turn)
        if image is not None:
            followed: dict[int, tuple[int, ...]] = {}
            for first in range(len(image)):
                orbit, cell = [first], image[first]
                while cell != first:
                    orbit.append(cell)
                    cell = image[cell]
                followed.setdefault(min(orbit), tuple(sorted(orbit)))
            return tuple(followed.values())
    return None


def _image(cells: Grid, turn: Floats) -> list[int] | None:
    """The cell on which each is mapped."""
    places = cells.middles(1.0)
    middle = np.array(cells.size) / 2
    wanted = (places - middle) @ turn.T + middle
    found = []
    for place in wanted:
        gaps = np.hypot(*(places - place).T)
        found.append(int(gaps.argmin()))
        if gaps[found[-1]] > NEAR:
            return None
    return found if len({*found}) == len(found) else None


def worth(count: int, edges: int) -> int:
    """Rough worth of a clue: greatest for full ones, least near half of the edges."""
    if count == edges:  # The clue is the whole loop.
        return 9
    if count in (0, 1):
        return 1 - 2 * count
    if count == edges - 1:
        return 3
    if edges <= 4:
        return -2
    return -1 if count == edges - 2 else -3


BUDGET, ORBIT_BUDGET = 5, 20
"""Conflicts within which a clue, or an orbit of several, must prove needless: what takes longer is hard to see."""
FEWEST_BUDGET = 20_000
"""The same where as few clues as possible are asked for."""
OTHER_SEED = 7919
"""How far the seeds of two attempts are apart."""
MOST_ATTEMPTS, CELLS_TRIED = 12, 4000
"""How many puzzles are tried until one is as hard as asked, and how many cells they have together at most."""
EASY_CLUES = 0.5
"""The largest share of the cells with a clue in an easy puzzle, if an attempt finds one."""
MIXING = 3.0
"""How much chance counts beside what clues tell in the order in which they are removed."""
REMOVAL = 0.8
"""The share of the work that taking clues away is, of a large puzzle."""
CELLS_PRUNED = 200
"""How many cells the puzzles have together at most that are solved to see which clues were given back in vain."""


def attempts(p: SlitherlinkParameters) -> int:
    """Number of puzzles tried until one is as hard as asked."""
    return max(1, min(MOST_ATTEMPTS, CELLS_TRIED // p.net.outside))


@dataclass(frozen=True)
class Reduced:
    """The given clues, and the grades by which the puzzle misses the wish; too many clues count as a part of one."""

    given: list[bool]
    misses: float


def reduced(p: SlitherlinkParameters, line: LoopEdges, own: Mapping[int, bool], progress: Progress) -> list[bool]:
    """Choose clues that make a loop the only one, as hard as asked; all of them if even they allow another.

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
    clues = {cell: count for cell, count in enumerate(counts) if own.get(cell, True)}
    with closing(LoopSearch(p.net)) as search:
        search.prefer(line)
        if search.find(clues, barred=[line], progress=progress).line is not None:
            return None
        clues = _fewer(p, search, clues, line, own, order, progress.part(0.0, REMOVAL))
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
    if p.difficulty == EASY:
        misses += max(0.0, len(clues) / p.net.outside - EASY_CLUES)
    return Reduced([cell in clues for cell in range(p.net.outside)], misses)


def _thinned(
    p: SlitherlinkParameters,
    counts: Sequence[int],
    own: Mapping[int, bool],
    chances: Sequence[float],
    progress: Progress,
) -> dict[int, int] | None:
    """Remove orbits of clues while the rules of a grade solve the rest, the least telling first.

    Return None if all clues are too few for the rules.
    """
    value = [MIXING * chance + worth(count, len(edges))
             for chance, count, edges in zip(chances, counts, p.net.edges, strict=True)]  # fmt: skip
    free = [orbit for orbit in orbits_of(p) if not any(cell in own for cell in orbit)]
    free.sort(key=lambda orbit: sum(value[cell] for cell in orbit) / len(orbit))
    cells = {cell for cell in range(p.net.outside) if own.get(cell, True)}
    with closing(Thinning(p.net, counts, [*GRADES].index(p.difficulty))) as thinning:
        given = thinning.thinned(free, cells, progress)
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
    """Add the clues that help most where rules up to a level are stuck, until they finish."""
    reasoner = Reasoner(p.net, clues, level, progress=progress)
    orbit_of = {cell: orbit for orbit in orbits_of(p) for cell in orbit}
    ordered = dict.fromkeys(orbit_of[cell] for cell in order)
    hidden = [orbit for orbit in ordered if not any(cell in clues or cell in own for cell in orbit)]
    clues = dict(clues)
    follow(reasoner, progress)
    given: list[tuple[int, ...]] = []
    while reasoner.unknown and hidden:
        best = max(hidden, key=lambda orbit: sum(_gain(reasoner, cell, counts[cell]) for cell in orbit))
        hidden.remove(best)
        given.append(best)
        for cell in best:
            clues[cell] = counts[cell]
            reasoner.give(cell, counts[cell])
        follow(reasoner, progress)
    if not reasoner.unknown:
        for orbit in given[: CELLS_PRUNED // p.net.outside]:
            fewer = {cell: count for cell, count in clues.items() if cell not in orbit}
            if work(p.net, fewer, level, progress).is_solved:
                clues = fewer
    return clues


def _gain(reasoner: Reasoner, cell: int, count: int) -> int:
    """Value of one more clue now: by the edges that it decides, then by the ways that it rules out."""
    group = reasoner.ground.dots + cell
    ways, edges, value = reasoner.ground.ways[group], reasoner.ground.edges[group], reasoner.value
    before = reasoner.plain[group] & reasoner.deep[group] if reasoner.level else reasoner.plain[group]
    left = before & ways.sums[count]
    if left == before:
        return 0
    on, off = ways.fixed[left]
    found = sum(not value[edges[at]] for at in on) + sum(not value[edges[at]] for at in off)
    return 100 * found + before.bit_count() - left.bit_count()


def _fewer(
    p: SlitherlinkParameters,
    search: LoopSearch,
    clues: dict[int, int],
    line: LoopEdges,
    own: Mapping[int, bool],
    order: Sequence[int],
    progress: Progress,
) -> dict[int, int]:
    """Remove orbits of clues until each is needed for a single solution, as far as the budget shows."""
    humane = BUDGET if p.symmetry == NO_SYMMETRY else ORBIT_BUDGET
    budget = FEWEST_BUDGET if p.difficulty == FEWEST else humane
    orbit_of = {cell: orbit for orbit in orbits_of(p) for cell in orbit}
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


def orbits_of(p: SlitherlinkParameters) -> tuple[tuple[int, ...], ...]:
    """The cells whose clues go together; each alone where the grid has no such symmetry."""
    found = orbits(p.layout, p.symmetry)
    return found if found is not None else tuple((cell,) for cell in range(p.net.outside))
