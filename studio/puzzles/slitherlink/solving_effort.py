"""How hard a slitherlink is for people: the rules that it needs, and how many steps by each rule.

level: the place of a grade among GRADES, easy to hard. A puzzle that no rule solves is beyond them.
open: edges that the rules of some level and those below it leave unknown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.puzzles.slitherlink.groups import Contradiction
from studio.puzzles.slitherlink.model import GRADES
from studio.puzzles.slitherlink.rules import LEVELS, TRIAL, Reasoner
from studio.solving.net import Net

HARDEST = max(LEVELS.values())
BEYOND = HARDEST + 1
"""The level of a puzzle that no rule solves."""
OPEN = 0.08
"""The share of its edges that a puzzle leaves open to easier rules, at least, to have the grade of a harder one.

Of 1,300 puzzles of Loopy on 7 × 7 squares, one in fifty leaves a smaller share than this to the rules of its grade.
"""
MOST_CELLS = 400
"""Cells up to which look-ahead, of which large puzzles with few clues need much, takes a second or two at most."""
STEPS_TOLD = 64


@dataclass(frozen=True)
class Work:
    """What solving a puzzle by rules takes: `steps` by rule, easiest first, and whether they finish.

    `open` is the share of the edges that rules up to each level leave open.
    """

    steps: tuple[tuple[str, int], ...]
    is_solved: bool
    open: tuple[float, ...]

    @property
    def level(self) -> int:
        """The first level whose rules leave next to nothing open; BEYOND if no rules solve it."""
        return next(level for level, share in enumerate(self.open) if share < OPEN) if self.is_solved else BEYOND

    @property
    def title(self) -> str:
        """The grade in a word or two."""
        return tr("Beyond the rules") if self.level == BEYOND else [*GRADES.values()][self.level]

    @property
    def count(self) -> int:
        """How many steps it takes."""
        return sum(count for _, count in self.steps)

    @property
    def trials(self) -> int:
        """How many look-aheads it takes."""
        return dict(self.steps).get(TRIAL, 0)


def work(net: Net, clues: Mapping[int, int], level: int = HARDEST, progress: Progress = SILENT) -> Work:
    """What solving takes with rules up to a level."""
    reasoner = Reasoner(net, clues, level, progress=progress)
    follow(reasoner, progress)
    return done(reasoner)


def work_in_time(net: Net, clues: Mapping[int, int], progress: Progress) -> Work:
    """What solving takes with all rules, or with those below the hardest level where that may take long."""
    return work(net, clues, HARDEST if net.outside <= MOST_CELLS else HARDEST - 1, progress)


def follow(reasoner: Reasoner, progress: Progress) -> None:
    """Take all steps there are; it ends early where something contradicts."""
    edges = len(reasoner.value)
    try:
        while reasoner.step() is not None:
            if reasoner.unknown % STEPS_TOLD == 0:
                progress.step(1 - reasoner.unknown / edges)
    except Contradiction:
        return


def done(reasoner: Reasoner) -> Work:
    """What a reasoner did so far."""
    steps = tuple((rule, reasoner.counts[rule]) for rule in LEVELS if reasoner.counts[rule])
    left = [reasoner.left.get(level + 1, 0) / len(reasoner.value) for level in range(HARDEST)]
    return Work(steps, reasoner.is_solved, (*left, reasoner.unknown / len(reasoner.value)))
