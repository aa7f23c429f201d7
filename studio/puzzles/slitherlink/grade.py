"""Grade of a slitherlink among similar ones, and harder or easier ones.

effort: first the level of the hardest rule that solving needs, then its steps, each weighed by the difficulty of its
rule. It says nothing about puzzles with several solutions.
scale: the efforts of a fixed sample of puzzles with the same parameters, other seeds and no edits.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial

from studio.base.amounts import listed, many
from studio.base.errors import StudioError
from studio.base.progress import Progress, kept
from studio.base.texts import tr, within
from studio.puzzles.abilities.gradable_solvable import Grade, Techniques, Wanted, above, below, climbed, others, sampled
from studio.puzzles.kind import Generated
from studio.puzzles.slitherlink.generate import GENERATED_BY, Request, carry, generated, proof
from studio.puzzles.slitherlink.model import DIFFICULTIES, GRADES, SlitherlinkDesign, SlitherlinkParameters
from studio.puzzles.slitherlink.rules import AROUND, CLUE, DOT, LEVELS, PAIRS, SIDES, TRIAL
from studio.puzzles.slitherlink.steps import TITLES, Work, work

MOST_SAMPLES, LEAST_SAMPLES = 30, 6
CELLS_SAMPLED = 2500
"""Approximate number of cells of all puzzles on a scale together: a scale takes a second or two."""
TRIES = 12
"""Puzzles that are looked at for each difficulty."""
EASY_STEPS = tr("by clues and dots")
PATTERN = 2
WEIGHTS = {CLUE: 1, DOT: 1, AROUND: 3, PAIRS: 5, SIDES: 10, TRIAL: 20}
"""Weight of a step of each rule; other rules, whose pattern must be seen, have `PATTERN`."""
LEVEL_EFFORT = 1_000_000
"""Effort of a level: more than all steps of a puzzle."""
BY = {
    AROUND: tr("by a clue and its dots"), PAIRS: tr("by corner pairs"), SIDES: tr("by inside and outside"),
    TRIAL: tr("by look-ahead"),
}  # fmt: skip
"""Grounds of the rules that are not easy."""


class SlitherlinkGrade(Grade[SlitherlinkDesign]):
    """A slitherlink and its rank on its scale."""

    @property
    def level(self) -> str:
        """Its grade."""
        return taken(self.design).title

    @property
    def explanation(self) -> str:
        """Its steps by rule, and a sentence that compares it with similar puzzles."""
        compared = tr(
            "Compared with {count} similar puzzles: {level}, {easier} are easier.",
            count=len(self.efforts),
            level=within(super().level),
            easier=self.easier,
        )
        return f"{_steps(taken(self.design))}. {compared}"


def described(done: Work) -> str:
    """The grade and the steps by rule in words, without a full stop."""
    return tr("{level}: {steps}", level=done.title, steps=_steps(done))


def _steps(done: Work) -> str:
    counts = dict.fromkeys((EASY_STEPS, *BY.values()), 0)
    for rule, count in done.steps:
        counts[BY.get(rule, EASY_STEPS)] += count
    some = [(count, by) for by, count in counts.items() if count]
    words = [f"{many(count, 'step') if not at else count} {by}" for at, (count, by) in enumerate(some)]
    steps = listed(words or [tr("no steps")])
    return steps if done.is_solved else tr("{steps}, then the rules get stuck", steps=steps)


@lru_cache(maxsize=8)
def _taken(key: tuple[SlitherlinkParameters, tuple[tuple[int, int], ...]]) -> Work:
    parameters, clues = key
    return work(parameters.net, dict(clues))


def taken(design: SlitherlinkDesign) -> Work:
    """The work of solving a design."""
    return _taken((design.parameters, tuple(design.clues.items())))


def effort(design: SlitherlinkDesign, progress: Progress) -> int:
    """Level and work of a design as one number; raises StudioError unless it provably has one solution."""
    progress.step(0.0)
    count = proof(design, progress)
    if count.solutions > 1:
        raise StudioError(
            tr("This slitherlink has several solutions, so it cannot be rated; add clues until it is unique.")
        )
    if not count.complete:
        raise StudioError(
            tr("This slitherlink is not proven to have a unique solution, so it cannot be rated; add clues.")
        )
    done = work(design.parameters.net, design.clues, progress=progress)
    return done.level * LEVEL_EFFORT + sum(WEIGHTS.get(rule, PATTERN) * count for rule, count in done.steps)


def graded(design: SlitherlinkDesign, progress: Progress) -> SlitherlinkGrade:
    """Grade a design; raise StudioError if its effort is unknown."""
    return SlitherlinkGrade(design, effort(design, progress), scale(design, progress))


def key(design: SlitherlinkDesign) -> Hashable:
    """Inputs of a design's grade."""
    values = (getattr(design.parameters, name) for name in GENERATED_BY)
    return design.inside, design.given, design.own_cells, design.own_clues, design.shape, *values


def techniques() -> Techniques[SlitherlinkDesign]:
    """The rules, and the number of steps by each."""
    help = tr("Number of steps that use this rule.")
    columns = (tr("Rule"), 170, ""), (tr("Difficulty"), 110, ""), (tr("Steps"), 80, help)
    grades = [*GRADES.values()]
    rows = [(TITLES[rule], grades[level]) for rule, level in LEVELS.items()]
    return Techniques(tr("Rules"), tr("Rules"), columns, rows, _step_counts)


def _step_counts(design: SlitherlinkDesign, progress: Progress) -> list[tuple[str]]:
    done = taken(design)
    if not done.is_solved:
        effort(design, progress)
    steps = dict(done.steps)
    return [(str(steps.get(rule, 0)),) for rule in LEVELS]


def at_share(design: SlitherlinkDesign, share: float, progress: Progress) -> Grade[SlitherlinkDesign]:
    """Find a puzzle harder than about a share (0 to 1) of the scale; raise StudioError if the search fails."""
    return _climbed(design, [design.parameters.difficulty], Wanted(share), progress)


def harder(design: SlitherlinkDesign, progress: Progress) -> Grade[SlitherlinkDesign]:
    """Find a harder puzzle, by another seed or else a higher difficulty; raise StudioError if the search fails."""
    every = [*DIFFICULTIES]
    ladder = every[every.index(design.parameters.difficulty) :]
    return _climbed(design, ladder, above(graded(design, progress.part(0.0, 0.4))), progress.part(0.4, 1.0))


def easier(design: SlitherlinkDesign, progress: Progress) -> Grade[SlitherlinkDesign]:
    """Find an easier puzzle, by another seed or else a lower difficulty; raise StudioError if the search fails."""
    every = [*DIFFICULTIES]
    ladder = every[every.index(design.parameters.difficulty) :: -1]
    return _climbed(design, ladder, below(graded(design, progress.part(0.0, 0.4))), progress.part(0.4, 1.0))


def _climbed(
    design: SlitherlinkDesign, ladder: Sequence[str], wanted: Wanted, progress: Progress
) -> Grade[SlitherlinkDesign]:
    """Find the puzzle nearest to the wanted grade, of the first difficulty that has any."""
    efforts = scale(design, progress.part(0.0, 0.3))

    def grades(difficulty: str, part: Progress) -> Iterator[SlitherlinkGrade]:
        key = design.parameters.seed + 1
        for made, tried in others(partial(_reseeded, design, difficulty), effort, key, TRIES, part):
            yield SlitherlinkGrade(made.design, tried, efforts, ", ".join(made.dropped))

    return climbed(ladder, grades, TRIES, wanted, progress.part(0.3, 1.0))


def _reseeded(
    design: SlitherlinkDesign, difficulty: str, seed: int, progress: Progress
) -> Generated[SlitherlinkDesign]:
    return carry(replace(design.parameters, difficulty=difficulty, seed=seed), design, progress)


def scale(design: SlitherlinkDesign, progress: Progress) -> tuple[int, ...]:
    """The sorted efforts of a sample of puzzles like a design; raises StudioError if too few have one solution."""
    return _scale((replace(design.parameters, seed=0), design.shape), progress)


@kept(32)
def _scale(kin: tuple[SlitherlinkParameters, tuple[str, ...]], progress: Progress) -> tuple[int, ...]:
    p, shape = kin
    count = max(LEAST_SAMPLES, min(MOST_SAMPLES, CELLS_SAMPLED // p.net.outside))

    def make(seed: int, part: Progress) -> Generated[SlitherlinkDesign]:
        return Generated(generated(Request(replace(p, seed=seed), shape), part)[0])

    efforts = (tried for _, tried in others(make, effort, 0, count, progress))
    return sampled(efforts, count, LEAST_SAMPLES // 2)
