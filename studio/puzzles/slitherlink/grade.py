"""How hard a slitherlink is beside others like it, and others that are harder or easier.

effort: first the level of the hardest rule that solving needs, then its steps, each weighed by how hard its rule is. It
says nothing where there are several solutions.
scale: the efforts of a fixed sample of puzzles with the same parameters, other seeds and nothing edited.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

from studio.amounts import listed, many
from studio.amounts import share as in_percent
from studio.errors import StudioError
from studio.geometry.chance import uniform
from studio.parameters import LARGEST_SEED
from studio.progress import Progress
from studio.puzzles.abilities.graded import Grade
from studio.puzzles.slitherlink.deal import Wish, carry, dealt
from studio.puzzles.slitherlink.model import DIFFICULTIES, SlitherlinkDesign, SlitherlinkParameters
from studio.puzzles.slitherlink.rules import LEVELS
from studio.puzzles.slitherlink.work import BEYOND, Work, work
from studio.solving.loops import solutions

MOST_SAMPLES, LEAST_SAMPLES = 30, 6
CELLS_SAMPLED = 2500
"""About as many cells as all puzzles on a scale have together, so that a scale takes a second or two."""
STEP = 0.2
"""By how much of the scale a harder or an easier puzzle is further on."""
NEAR = 0.05
"""How near to a place on the scale is near enough."""
TRIES = 12
"""Puzzles that are looked at for each difficulty."""
WEIGHTS = (1, 3, 8, 20)
"""What a step of each level counts."""
LEVEL_EFFORT = 1_000_000
"""More than all steps of a puzzle count."""
LARGEST_EFFORT = LEVEL_EFFORT * (BEYOND + 1)
MOST_STEPS = 100_000
"""Steps of the search that a proof of one solution may take."""
BY = ("by clues and dots", "by corner pairs", "by inside and outside", "by look-ahead")
"""What the rules of each level go by."""


class SlitherlinkGrade(Grade[SlitherlinkDesign]):
    """A slitherlink and how hard it is beside those on its scale."""

    @property
    def words(self) -> str:
        """Grade, steps by rule, and how many others are easier."""
        others = f"{len(self.efforts)} puzzles like it"
        easier = f"{in_percent(self.share)} of {others} are easier"
        if self.share in (0, 1):
            easier = f"{'all' if self.share else 'none'} of {others} {'are' if self.share else 'is'} easier"
        return f"{described(taken(self.design))}; {easier}."


def described(done: Work) -> str:
    """The grade and the steps by rule in words, without a full stop."""
    counts = [0] * len(BY)
    for rule, count in done.steps:
        counts[LEVELS[rule]] += count
    some = [(count, by) for count, by in zip(counts, BY, strict=True) if count]
    steps = listed([f"{many(count, 'step') if not at else count} {by}" for at, (count, by) in enumerate(some)])
    return f"{done.title}: {steps or 'no step'}" + ("" if done.is_solved else ", then the rules are stuck")


@lru_cache(maxsize=8)
def _taken(key: tuple[SlitherlinkParameters, tuple[tuple[int, int], ...]]) -> Work:
    parameters, clues = key
    return work(parameters.net, dict(clues))


def taken(design: SlitherlinkDesign) -> Work:
    """What solving a design takes."""
    return _taken((design.parameters, tuple(design.clues.items())))


def effort(design: SlitherlinkDesign, progress: Progress) -> int:
    """Level and work of a design as one number; raises StudioError where it is not known to have one solution."""
    progress.step(0.0)
    net, line = design.parameters.net, design.line
    count = solutions(net, design.clues, progress, most=2, steps=MOST_STEPS, known=line)[1]
    if count.solutions > 1:
        raise StudioError("This slitherlink has more than one solution, so it cannot be graded; make it unique first.")
    if not count.complete:
        raise StudioError("This slitherlink is not proven to have one solution, so it cannot be graded.")
    done = work(net, design.clues, progress=progress)
    return done.level * LEVEL_EFFORT + sum(WEIGHTS[LEVELS[rule]] * count for rule, count in done.steps)


def graded(design: SlitherlinkDesign, progress: Progress) -> SlitherlinkGrade:
    """How hard a design is; raises StudioError where that cannot be told."""
    return SlitherlinkGrade(design, effort(design, progress), scale(design, progress))


def at_share(design: SlitherlinkDesign, share: float, progress: Progress) -> SlitherlinkGrade:
    """A puzzle than which about a share (0 to 1) of the scale is easier; raises StudioError where none is found."""
    return _nearest(design, share, (0, LARGEST_EFFORT), [design.parameters.difficulty], progress)


def harder(design: SlitherlinkDesign, progress: Progress) -> SlitherlinkGrade:
    """A puzzle that is harder, by another seed or else a higher difficulty; raises StudioError if none is found."""
    mine = graded(design, progress.part(0.0, 0.4))
    every = [*DIFFICULTIES]
    ladder = every[every.index(design.parameters.difficulty) :]
    wanted = mine.effort + 1, LARGEST_EFFORT
    return _nearest(design, min(mine.share + STEP, 1.0), wanted, ladder, progress.part(0.4, 1.0))


def easier(design: SlitherlinkDesign, progress: Progress) -> SlitherlinkGrade:
    """A puzzle that is easier, by another seed or else a lower difficulty; raises StudioError if none is found."""
    mine = graded(design, progress.part(0.0, 0.4))
    every = [*DIFFICULTIES]
    ladder = every[every.index(design.parameters.difficulty) :: -1]
    return _nearest(design, max(mine.share - STEP, 0.0), (0, mine.effort - 1), ladder, progress.part(0.4, 1.0))


def _nearest(
    design: SlitherlinkDesign, share: float, wanted: tuple[int, int], ladder: list[str], progress: Progress
) -> SlitherlinkGrade:
    """The puzzle nearest to a share of those with a wanted effort, from least to most.

    The difficulties on the ladder are tried in order, until one gives any.
    """
    efforts = scale(design, progress.part(0.0, 0.3))
    for rung, difficulty in enumerate(ladder):
        part = progress.part(0.3 + 0.7 * rung / len(ladder), 0.3 + 0.7 * (rung + 1) / len(ladder))
        best: SlitherlinkGrade | None = None
        for number, seed in enumerate(_seeds(design.parameters.seed + 1, TRIES)):
            part.step(number / TRIES)
            made = carry(replace(design.parameters, difficulty=difficulty, seed=seed), design, part)
            try:
                tried = effort(made.design, part)
            except StudioError:
                continue
            if not wanted[0] <= tried <= wanted[1]:
                continue
            found = SlitherlinkGrade(made.design, tried, efforts, ", ".join(made.dropped))
            if best is None or abs(found.share - share) < abs(best.share - share):
                best = found
            if abs(best.share - share) <= NEAR:
                return best
        if best is not None:
            return best
    which = "harder" if wanted[1] == LARGEST_EFFORT else "easier"
    raise StudioError(f"None of {len(ladder) * TRIES} other puzzles like this one is {which}.")


def _seeds(key: int, count: int) -> list[int]:
    return [int(number * LARGEST_SEED) for number in uniform(key, np.arange(count), "sample").tolist()]


def scale(design: SlitherlinkDesign, progress: Progress) -> tuple[int, ...]:
    """The sorted efforts of a sample of puzzles like a design; raises StudioError where too few have one solution."""
    return _scale(_Kin(replace(design.parameters, seed=0), design.shape, progress))


@dataclass(frozen=True)
class _Kin:
    """What stands for all designs like one; whoever waits for the answer makes no difference."""

    parameters: SlitherlinkParameters
    shape: tuple[str, ...]
    progress: Progress = field(compare=False)


@lru_cache(maxsize=32)
def _scale(kin: _Kin) -> tuple[int, ...]:
    p = kin.parameters
    count = max(LEAST_SAMPLES, min(MOST_SAMPLES, CELLS_SAMPLED // p.net.outside))
    found = []
    for number, seed in enumerate(_seeds(0, count)):
        kin.progress.step(number / count)
        design = dealt(Wish(replace(p, seed=seed), kin.shape, progress=kin.progress))[0]
        try:
            found.append(effort(design, kin.progress))
        except StudioError:
            continue
    if len(found) < LEAST_SAMPLES // 2:
        raise StudioError(f"Only {len(found)} of {count} puzzles like this one have one solution, too few to compare.")
    return tuple(sorted(found))
