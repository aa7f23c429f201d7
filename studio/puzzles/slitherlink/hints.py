"""What helps in a game of a slitherlink: lines and crosses that no solution has, or the next line and why."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from studio.base.amounts import listed, many
from studio.base.progress import Progress, kept
from studio.base.texts import plural, tr
from studio.puzzles.abilities.playable import Hint
from studio.puzzles.slitherlink.game import CROSS, LINE, UNKNOWN, Game, at_dots, is_solved, text_of, wiring
from studio.puzzles.slitherlink.generate import proof
from studio.puzzles.slitherlink.model import SlitherlinkDesign
from studio.puzzles.slitherlink.steps import Step, next_step
from studio.solving.loops import Answer, LoopEdges, LoopSearch

MOST_STEPS = 20_000
"""Steps that one search takes here; what is not known after them counts as right."""


class Faults(NamedTuple):
    """Edges whose line or cross is provably wrong; with `jointly`, no solution has all of them, but each of them one.

    Where it is not known whether there is any, `is_known` is false.
    """

    edges: tuple[int, ...] = ()
    jointly: bool = False
    is_known: bool = True


@kept(8)
def _is_proven(design: SlitherlinkDesign, progress: Progress) -> bool:
    """Whether the design's own loop is proven to be the only solution."""
    count = proof(design, progress, MOST_STEPS)
    return count.complete and count.solutions == 1


def faults(design: SlitherlinkDesign, game: Game, progress: Progress) -> Faults:
    """The lines and crosses that no solution has, or that no solution has together."""
    if _is_proven(design, progress):
        return Faults(_apart(game, design.line))
    search = LoopSearch(design.parameters.net)
    try:
        return _Finder(design, game, search, progress).faults()
    finally:
        search.close()


def _apart(game: Game, line: Iterable[int]) -> tuple[int, ...]:
    """The lines and crosses of a position that are otherwise in a loop."""
    on = {*line}
    return tuple(sorted([*(edge for edge in game.lines if edge not in on), *on.intersection(game.crosses)]))


@dataclass
class _Finder:
    """Looks for faults where there are several solutions."""

    design: SlitherlinkDesign
    game: Game
    search: LoopSearch
    progress: Progress

    def faults(self) -> Faults:
        """Those that no solution has; else those that cannot be added to the others, the first ones kept."""
        answer = self._find([*self.game.lines, *self.game.crosses])
        if answer.line is not None or not answer.is_known:
            return Faults(is_known=answer.is_known)
        open_ = _apart(self.game, self.design.line)
        wrong, left = [], [*open_]
        while left:
            answer = self._find(left[:1])
            if answer.line is None and answer.is_known:
                wrong.append(left[0])
            apart = {*left[1:]} if answer.line is None else {*_apart(self.game, answer.line)}
            left = [edge for edge in left[1:] if edge in apart]
        if wrong:
            return Faults(tuple(wrong))
        held = {*self.game.lines, *self.game.crosses}.difference(open_)
        for edge in open_:
            answer = self._find([*held, edge])
            if answer.line is not None:
                held.add(edge)
            elif answer.is_known:
                wrong.append(edge)
        return Faults(tuple(wrong), jointly=True)

    def _find(self, edges: Collection[int]) -> Answer:
        states = self.game.edges
        on = [edge for edge in edges if states[edge] == LINE]
        off = [edge for edge in edges if states[edge] == CROSS]
        return self.search.find(self.design.clues, on=on, off=off, steps=MOST_STEPS, progress=self.progress)


def hint(design: SlitherlinkDesign, game: Game, progress: Progress) -> Hint:
    """Say which lines and crosses are wrong; where none is, the easiest next step, or a line that a search finds."""
    names = design.parameters.form.line_names
    found = faults(design, game, progress)
    if found.edges:
        return Hint("", tuple(names[edge] for edge in found.edges), fault_words(game, found))
    if is_solved(design, game):
        return Hint()
    step = next_step(design.parameters.net, design.parameters.form.names, design.clues, game.edges)
    if step is not None:
        return explained(design, step)
    edge, words = _searched(design, game, progress)
    return Hint(text_of(design, {edge: LINE}), (names[edge],), words, waits=True)


def changes(step: Step) -> dict[int, int]:
    """The edges that a step makes lines and crosses."""
    return dict.fromkeys(step.on, LINE) | dict.fromkeys(step.off, CROSS)


def explained(design: SlitherlinkDesign, step: Step) -> Hint:
    """A step as a hint."""
    form, drawn = design.parameters.form, changes(step)
    named = *(form.names[cell] for cell in step.cells), *(form.dot_names[dot] for dot in step.dots)
    return Hint(text_of(design, drawn), (*named, *(form.line_names[edge] for edge in drawn)), step.words, waits=True)


def fault_words(game: Game, found: Faults) -> str:
    """What is wrong, in a sentence."""
    if not found.edges:
        return tr("No mistakes found.") if found.is_known else tr("No mistakes found, but the search stopped early.")
    if all(game.tried[edge] for edge in found.edges):
        return tr("This trial leads to a contradiction: discard it.")
    crosses = sum(game.edges[edge] == CROSS for edge in found.edges)
    lines = len(found.edges) - crosses
    parts = [many(lines, "line")] * bool(lines) + [f"{crosses} {plural(crosses, 'cross', 'crosses')}"] * bool(crosses)
    if found.jointly:
        return tr("No solution has {marked} (marked) together with the rest.", marked=listed(parts))
    return (
        tr("{marked} is wrong (marked).", marked=listed(parts))
        if len(found.edges) == 1
        else tr("{marked} are wrong (marked).", marked=listed(parts))
    )


def _searched(design: SlitherlinkDesign, game: Game, progress: Progress) -> tuple[int, str]:
    """A line of a solution, where one can be drawn on from the end of another, and how it is known."""
    line, words = design.line, tr("No simple rule applies here, but the search proves this line.")
    if not _is_proven(design, progress):
        line, words = (
            _completed(design, game, progress),
            tr("This puzzle has several solutions; one of them has this line."),
        )
    ends = np.flatnonzero(at_dots(wiring(design.parameters), game.states == LINE) == 1).tolist()
    left = [edge for edge in line if game.edges[edge] == UNKNOWN]
    ended = {*ends}
    return next((edge for edge in left if ended.intersection(design.parameters.net.ends[edge])), left[0]), words


def _completed(design: SlitherlinkDesign, game: Game, progress: Progress) -> LoopEdges:
    """A solution with all lines and crosses of a position; the design's own where none is found."""
    search = LoopSearch(design.parameters.net)
    try:
        search.prefer(design.line)
        answer = search.find(design.clues, on=game.lines, off=game.crosses, steps=MOST_STEPS, progress=progress)
        return design.line if answer.line is None else answer.line
    finally:
        search.close()
