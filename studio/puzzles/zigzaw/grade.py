"""Grade of a zigzaw among similar ones, and harder or easier ones.

effort: the pieces that the proof of one solution tries (`Count.nodes`), each of which fits all that it touches. A
puzzle in which every place admits one piece alone needs as many as it has places; each further one was a wrong way that
looked right at first. It says nothing about puzzles with several solutions.
decoy: a wrong piece that fits a place, for a solver who has made no mistake so far.
scale: the efforts of a fixed sample of puzzles with the same parameters, other seeds and no edits.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from studio.base.amounts import many, thousands
from studio.base.errors import StudioError
from studio.base.progress import Progress, kept
from studio.base.texts import tr
from studio.puzzles.abilities.gradable_solvable import Grade, Techniques, Wanted, above, below, climbed, others, sampled
from studio.puzzles.kind import Generated
from studio.puzzles.zigzaw.generate import GENERATED_BY, TRIES, carry, proof, scheme_triples
from studio.puzzles.zigzaw.model import DIFFICULTIES, EASY, NORMAL, ZigzawDesign, matching
from studio.solving.edges import Strategy, record

MOST_SAMPLES, LEAST_SAMPLES = 30, 8
PIECES_SAMPLED = 4000
"""Approximate number of pieces of all puzzles on a scale together: a scale takes a second or two."""
TRIES_PER_LADDER = 12
"""Puzzles that are looked at on each rung."""
FEW_TRIPLES = 10
"""Number of different cubes below which puzzles are harder than any difficulty asks for."""
FEWEST_TRIPLES = 5
"""Number of different cubes below which hardly any puzzle has one solution."""
RUNG = 3 / 4
"""The share of the different cubes that a harder puzzle has."""


STRATEGIES: dict[Strategy, tuple[str, str]] = {
    Strategy.INDEXED: (tr("Indexed"), tr("Fills row by row; looks up the fitting pieces by colour.")),
    Strategy.ONE_BY_ONE: (tr("One by one"), tr("Fills row by row; tests every remaining piece in each place.")),
    Strategy.FEWEST_FIRST: (tr("Fewest first"), tr("Always fills the place that the fewest pieces fit.")),
}
"""Every strategy with its title and how it works."""
MOST_NODES, MOST_TESTS = 100_000, 5_000_000
"""Most pieces tried and most tests before a strategy is given up."""
MOST_TRIES = {tr("Easy"): 2.8, tr("Normal"): 18.0, tr("Hard"): math.inf}
"""Pieces tried for each place below which a puzzle has a level: half way between the aims of the difficulties."""


class ZigzawGrade(Grade[ZigzawDesign]):
    """A zigzaw and its rank on its scale."""

    @property
    def level(self) -> str:
        """Difficulty by the pieces tried for each place, whatever the size and colours."""
        share = self.effort / (self.design.parameters.columns * self.design.parameters.rows)
        return next(name for name, most in MOST_TRIES.items() if share < most)

    @property
    def explanation(self) -> str:
        """The meaning of the numbers, in two sentences."""
        decoys = matching(self.design).decoys
        open_ = sum(count > 0 for count in decoys)
        tried = tr(
            "A solver tries {pieces} for {places}", pieces=many(self.effort, "piece"), places=many(len(decoys), "place")
        )
        fits = (
            tr("more than one piece fits in {places}", places=many(open_, "place"))
            if open_
            else tr("only one piece fits each place")
        )
        return tr(
            "{tried}, {share:.1f} for each ({usual:g} in the puzzle of 1982); {fits}. Of {count} similar puzzles, "
            "{easier} need fewer.",
            tried=tried,
            share=self.effort / len(decoys),
            usual=TRIES[NORMAL],
            fits=fits,
            easier=self.easier,
            count=len(self.efforts),
        )


def effort(design: ZigzawDesign, progress: Progress) -> int:
    """The pieces that the proof of one solution tries; raises StudioError without a unique solution or a proof."""
    count = proof(design, progress).count
    if count.solutions > 1:
        raise StudioError(
            tr("This zigzaw has several solutions, so it cannot be rated; make its solution unique first.")
        )
    if not count.complete:
        words = tr(
            "The search stopped after {pieces} tried, so the difficulty is unknown; try another seed.",
            pieces=many(count.nodes, "piece"),
        )
        raise StudioError(words)
    return count.nodes


def graded(design: ZigzawDesign, progress: Progress) -> ZigzawGrade:
    """Grade a design; raise StudioError if its effort is unknown."""
    return ZigzawGrade(design, effort(design, progress), scale(design, progress))


def key(design: ZigzawDesign) -> tuple[object, ...]:
    """Inputs of a design's grade."""
    return design.cubes, design.own, *(getattr(design.parameters, name) for name in GENERATED_BY)


def techniques() -> Techniques[ZigzawDesign]:
    """The strategies, and the effort of each for the proof."""
    columns = (
        (tr("Strategy"), 130, ""),
        (tr("Pieces tried"), 110, tr("Pieces placed in the whole search.")),
        (tr("Tests"), 130, tr("Pieces compared with a place, or looked up.")),
        (tr("Time"), 90, tr("Time for the whole search on this computer.")),
    )
    titles, tips = zip(*STRATEGIES.values(), strict=True)
    return Techniques(
        tr("Strategies"), tr("Strategy comparison"), columns, [(title,) for title in titles], _compared, tips
    )


def _compared(design: ZigzawDesign, progress: Progress) -> list[tuple[str, ...]]:
    """Search for all solutions by every strategy, within bounds of nodes and tests."""
    puzzle, count, rows = matching(design), len(STRATEGIES), list[tuple[str, ...]]()
    for number, strategy in enumerate(STRATEGIES):
        part = progress.part(number / count, (number + 1) / count)
        film = record(puzzle, strategy, part, MOST_NODES, MOST_TESTS)
        end, least = film.at(len(film)), "" if film.complete else "≥ "
        time = f"{thousands(max(1, 1000 * film.seconds))} ms"
        rows.append(tuple(f"{least}{words}" for words in (thousands(end.tried), thousands(end.tests), time)))
    return rows


def at_share(design: ZigzawDesign, share: float, progress: Progress) -> Grade[ZigzawDesign]:
    """Find a puzzle harder than about a share (0 to 1) of the scale; raise StudioError if the search fails."""
    return _climbed(design, [Rung(design.parameters.difficulty, design.parameters.triples)], Wanted(share), progress)


def harder(design: ZigzawDesign, progress: Progress) -> Grade[ZigzawDesign]:
    """Find a harder puzzle, by another seed or else fewer different cubes; raise StudioError if the search fails."""
    p = design.parameters
    ladder = [Rung(p.difficulty, p.triples)]
    count = p.triples
    if not count:
        ladder += [Rung(level, 0) for level in DIFFICULTIES[DIFFICULTIES.index(p.difficulty) + 1 :]]
        count = min(FEW_TRIPLES, len(scheme_triples(p)))
    while (count := int(count * RUNG)) >= FEWEST_TRIPLES:
        ladder.append(Rung(p.difficulty, count))
    return _climbed(design, ladder, above(graded(design, progress.part(0.0, 0.4))), progress.part(0.4, 1.0))


def easier(design: ZigzawDesign, progress: Progress) -> Grade[ZigzawDesign]:
    """Find an easier puzzle, by another seed or else more different cubes; raise StudioError if the search fails."""
    p = design.parameters
    ladder = [Rung(p.difficulty, p.triples)]
    every = len(scheme_triples(p))
    count = p.triples or every
    while (count := int(count / RUNG) + 1) < every:
        ladder.append(Rung(p.difficulty, count))
    levels = DIFFICULTIES[: DIFFICULTIES.index(p.difficulty)]
    ladder += [Rung(level, 0) for level in reversed(levels)]
    if p.triples and not levels:
        ladder.append(Rung(EASY, 0))
    return _climbed(design, ladder, below(graded(design, progress.part(0.0, 0.4))), progress.part(0.4, 1.0))


class Rung(NamedTuple):
    """A difficulty, and the number of different cubes that overrides it, or 0."""

    difficulty: str
    triples: int


def _climbed(design: ZigzawDesign, ladder: Sequence[Rung], wanted: Wanted, progress: Progress) -> Grade[ZigzawDesign]:
    """Find the puzzle nearest to the wanted grade, on the first rung that has any."""
    efforts = scale(design, progress.part(0.0, 0.3))

    def grades(rung: Rung, part: Progress) -> Iterator[ZigzawGrade]:
        key = design.parameters.seed + 1
        for made, tried in others(partial(_reseeded, design, rung), effort, key, TRIES_PER_LADDER, part):
            yield ZigzawGrade(made.design, tried, efforts, ", ".join(made.dropped))

    return climbed(ladder, grades, TRIES_PER_LADDER, wanted, progress.part(0.3, 1.0))


def _reseeded(design: ZigzawDesign, rung: Rung, seed: int, progress: Progress) -> Generated[ZigzawDesign]:
    p = replace(design.parameters, difficulty=rung.difficulty, triples=rung.triples, seed=seed)
    return carry(p, design, progress)


def scale(design: ZigzawDesign, progress: Progress) -> tuple[int, ...]:
    """The sorted efforts of a sample of puzzles like a design; raises StudioError if too few have one solution."""
    # Generated from the same seed, designs that differ in nothing else are equal, and share a scale.
    plain = replace(design, own=(), numbers=())
    return _scale(carry(replace(design.parameters, seed=0), plain, progress).design, progress)


@kept(32)
def _scale(kin: ZigzawDesign, progress: Progress) -> tuple[int, ...]:
    p = kin.parameters
    count = max(LEAST_SAMPLES, min(MOST_SAMPLES, PIECES_SAMPLED // (p.columns * p.rows)))
    similar = partial(_reseeded, kin, Rung(p.difficulty, p.triples))
    efforts = (tried for _, tried in others(similar, effort, 0, count, progress))
    return sampled(efforts, count, LEAST_SAMPLES // 2)
