"""How hard a zigzaw is beside others like it, and others that are harder or easier.

effort: the pieces that the proof of one solution tries (`Count.nodes`), each of which fits all that it touches. A
puzzle in which every place admits one piece alone needs as many as it has places; each more was a wrong way that looked
right at first. It says nothing where there are several solutions.
decoy: a wrong piece that fits a place, for a solver who has made no mistake so far.
scale: the efforts of a fixed sample of puzzles with the same parameters, other seeds and nothing coloured by hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

from studio.amounts import many
from studio.amounts import share as in_percent
from studio.errors import StudioError
from studio.geometry.chance import uniform
from studio.parameters import LARGEST_SEED
from studio.progress import Progress
from studio.puzzles.abilities.graded import Grade
from studio.puzzles.zigzaw.board import matching
from studio.puzzles.zigzaw.deal import carry, proof, scheme_triples
from studio.puzzles.zigzaw.model import ZigzawDesign, ZigzawParameters

MOST_SAMPLES, LEAST_SAMPLES = 30, 8
PIECES_SAMPLED = 4000
"""About as many pieces as all puzzles on a scale have together, so that a scale takes a second or two."""
STEP = 0.2
"""By how much of the scale a harder or an easier puzzle lies further on."""
NEAR = 0.05
"""How near to a place on the scale is near enough."""
TRIES_PER_LADDER = 12
"""Puzzles that are looked at for each number of different cubes."""
FEWEST_TRIPLES = 5
"""With fewer different cubes hardly any puzzle has one solution."""
RUNG = 3 / 4
"""The share of the different cubes that a harder puzzle has."""
LARGEST_EFFORT = 2**62
"""More than any search takes."""


class ZigzawGrade(Grade[ZigzawDesign]):
    """A zigzaw and how hard it is beside those on its scale."""

    @property
    def words(self) -> str:
        """What the numbers mean, in two sentences."""
        decoys = matching(self.design).decoys
        open_ = sum(count > 0 for count in decoys)
        tried = f"A solver tries {many(self.effort, 'piece')} for {many(len(decoys), 'place')}"
        fits = f"at {many(open_, 'place')} more than one piece fits" if open_ else "one piece fits each place"
        others = f"{len(self.efforts)} puzzles like it"
        if self.share == 0:
            return f"{tried}; {fits}. None of {others} needs fewer."
        if self.share == 1:
            return f"{tried}; {fits}. All of {others} need fewer."
        return f"{tried}; {fits}. {in_percent(self.share)} of {others} need fewer."


def effort(design: ZigzawDesign, progress: Progress) -> int:
    """The pieces that the proof of one solution tries; raises StudioError where there is not just one, or no proof."""
    count = proof(design, progress).count
    if count.solutions > 1:
        raise StudioError("This zigzaw has more than one solution, so it cannot be graded; make it unique first.")
    if not count.complete:
        raise StudioError(f"The search was stopped after {many(count.nodes, 'piece')} tried, so the effort is unknown.")
    return count.nodes


def graded(design: ZigzawDesign, progress: Progress) -> ZigzawGrade:
    """How hard a design is; raises StudioError where that cannot be told."""
    return ZigzawGrade(design, effort(design, progress), scale(design, progress))


def at_share(design: ZigzawDesign, share: float, progress: Progress) -> ZigzawGrade:
    """A puzzle than which about a share (0 to 1) of the scale is easier; raises StudioError where none is found."""
    return _nearest(design, share, (0, LARGEST_EFFORT), [design.parameters.triples], progress)


def harder(design: ZigzawDesign, progress: Progress) -> ZigzawGrade:
    """A puzzle that is harder, by another seed or else fewer different cubes; raises StudioError if none is found."""
    mine = graded(design, progress.part(0.0, 0.4))
    wanted = mine.effort + 1, LARGEST_EFFORT
    ladder = [design.parameters.triples, *_fewer(design.parameters)]
    return _nearest(design, min(mine.share + STEP, 1.0), wanted, ladder, progress.part(0.4, 1.0))


def easier(design: ZigzawDesign, progress: Progress) -> ZigzawGrade:
    """A puzzle that is easier, by another seed or else more different cubes; raises StudioError if none is found."""
    mine = graded(design, progress.part(0.0, 0.4))
    ladder = [design.parameters.triples, *_more(design.parameters)]
    return _nearest(design, max(mine.share - STEP, 0.0), (0, mine.effort - 1), ladder, progress.part(0.4, 1.0))


def _fewer(parameters: ZigzawParameters) -> Iterator[int]:
    """Numbers of different cubes that make harder puzzles, one after another."""
    count = parameters.triples or len(scheme_triples(parameters))
    while (count := int(count * RUNG)) >= FEWEST_TRIPLES:
        yield count


def _more(parameters: ZigzawParameters) -> Iterator[int]:
    """Numbers of different cubes that make easier puzzles, one after another; at last without a limit."""
    every = len(scheme_triples(parameters))
    count = parameters.triples or every
    while (count := int(count / RUNG) + 1) < every:
        yield count
    if parameters.triples:
        yield 0


def _nearest(
    design: ZigzawDesign, share: float, wanted: tuple[int, int], ladder: list[int], progress: Progress
) -> ZigzawGrade:
    """The puzzle nearest to a share of those with a wanted effort, from least to most.

    The numbers of different cubes on the ladder are tried in order, until one gives any.
    """
    efforts = scale(design, progress.part(0.0, 0.3))
    for rung, triples in enumerate(ladder):
        part = progress.part(0.3 + 0.7 * rung / len(ladder), 0.3 + 0.7 * (rung + 1) / len(ladder))
        best: ZigzawGrade | None = None
        for other, tried, lost in _others(design, triples, design.parameters.seed + 1, TRIES_PER_LADDER, part):
            if not wanted[0] <= tried <= wanted[1]:
                continue
            found = ZigzawGrade(other, tried, efforts, lost)
            if best is None or abs(found.share - share) < abs(best.share - share):
                best = found
            if abs(best.share - share) <= NEAR:
                return best
        if best is not None:
            return best
    which = "harder" if wanted[1] == LARGEST_EFFORT else "easier"
    raise StudioError(f"None of {len(ladder) * TRIES_PER_LADDER} other puzzles like this one is {which}.")


def _others(
    design: ZigzawDesign, triples: int, key: int, count: int, progress: Progress
) -> Iterator[tuple[ZigzawDesign, int, str]]:
    """Puzzles of other seeds with one solution, so many different cubes, the effort of each, and what it lost."""
    numbers = uniform(key, np.arange(count), "sample")
    for number, seed in enumerate((numbers * LARGEST_SEED).astype(np.int64).tolist()):
        progress.step(number / count)
        part = progress.part(number / count, (number + 1) / count)
        made = carry(replace(design.parameters, triples=triples, seed=seed), design, part)
        try:
            yield made.design, effort(made.design, part), ", ".join(made.dropped)
        except StudioError:
            continue


def scale(design: ZigzawDesign, progress: Progress) -> tuple[int, ...]:
    """The sorted efforts of a sample of puzzles like a design; raises StudioError where too few have one solution."""
    # Dealt by the same seed, designs that differ in nothing else are equal, and share a scale.
    plain = replace(design, own=(), numbers=())
    return _scale(_Kin(carry(replace(design.parameters, seed=0), plain, progress).design, progress))


@dataclass(frozen=True)
class _Kin:
    """A design that stands for all like it; whoever waits for the answer makes no difference."""

    design: ZigzawDesign
    progress: Progress = field(compare=False)


@lru_cache(maxsize=32)
def _scale(kin: _Kin) -> tuple[int, ...]:
    p = kin.design.parameters
    count = max(LEAST_SAMPLES, min(MOST_SAMPLES, PIECES_SAMPLED // (p.columns * p.rows)))
    found = sorted(tried for _, tried, _ in _others(kin.design, p.triples, 0, count, kin.progress))
    if len(found) < LEAST_SAMPLES // 2:
        raise StudioError(f"Only {len(found)} of {count} puzzles like this one have one solution, too few to compare.")
    return tuple(found)
