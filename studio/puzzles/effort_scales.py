"""Scales of efforts: a design's rank among similar designs of other seeds, and harder or easier designs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from studio.base.chance import uniform
from studio.base.errors import StudioError
from studio.base.parameters import LARGEST_SEED
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.puzzles.abilities.gradable import Grade
from studio.puzzles.kind import Generated

D = TypeVar("D")
R = TypeVar("R")

STEP = 0.2
"""The step along the scale to a harder or an easier design."""
NEAR = 0.05
"""The tolerance on the scale."""
LARGEST_EFFORT = 2**62
"""An effort beyond every design's."""


class Wanted(NamedTuple):
    """A share (0 to 1) of the scale to come near to, and the efforts that will do, from least to most."""

    share: float
    least: int = 0
    most: int = LARGEST_EFFORT


def above(grade: Grade[D]) -> Wanted:
    """All that is harder, best by a step."""
    return Wanted(min(grade.share + STEP, 1.0), least=grade.effort + 1)


def below(grade: Grade[D]) -> Wanted:
    """All that is easier, best by a step."""
    return Wanted(max(grade.share - STEP, 0.0), most=grade.effort - 1)


def others(
    make: Callable[[int, Progress], Generated[D]],
    effort: Callable[[D, Progress], int],
    key: int,
    count: int,
    progress: Progress,
) -> Iterator[tuple[Generated[D], int]]:
    """Designs of seeds that depend on a key, and their efforts; designs without an effort are left out."""
    seeds = (uniform(key, np.arange(count), "sample") * LARGEST_SEED).astype(np.int64).tolist()
    for number, seed in enumerate(seeds):
        part = progress.part(number / count, (number + 1) / count)
        part.step(0.0)
        made = make(seed, part)
        try:
            yield made, effort(made.design, part)
        except StudioError:
            continue


def sampled(efforts: Iterable[int], count: int, least: int) -> tuple[int, ...]:
    """The sorted efforts of a sample of `count` puzzles; raises StudioError if fewer than `least` have an effort."""
    found = sorted(efforts)
    if len(found) < least:
        raise StudioError(
            tr(
                "Only {found} of {count} similar puzzles have a unique solution: too few to compare.",
                found=len(found),
                count=count,
            )
        )
    return tuple(found)


def nearest(grades: Iterable[Grade[D]], wanted: Wanted) -> Grade[D] | None:
    """The first grade of a wanted effort near the wanted share, else the nearest; None if none has a wanted effort."""
    best: Grade[D] | None = None
    for found in grades:
        if not wanted.least <= found.effort <= wanted.most:
            continue
        if best is None or abs(found.share - wanted.share) < abs(best.share - wanted.share):
            best = found
        if abs(best.share - wanted.share) <= NEAR:
            break
    return best


def climbed(
    ladder: Sequence[R],
    grades: Callable[[R, Progress], Iterable[Grade[D]]],
    tries: int,
    wanted: Wanted,
    progress: Progress,
) -> Grade[D]:
    """Find the puzzle nearest to the wanted grade, on the first rung of a ladder that has any.

    Each rung brings up to `tries` grades. Raises StudioError if no rung has a puzzle of a wanted effort.
    """
    for number, rung in enumerate(ladder):
        part = progress.part(number / len(ladder), (number + 1) / len(ladder))
        best = nearest(grades(rung, part), wanted)
        if best is not None:
            return best
    raise none_found(len(ladder) * tries, wanted)


def none_found(tries: int, wanted: Wanted) -> StudioError:
    """The error for `tries` designs without a wanted effort."""
    if wanted.most == LARGEST_EFFORT:
        return StudioError(tr("Tried {tries} similar puzzles; none is harder.", tries=tries))
    return StudioError(tr("Tried {tries} similar puzzles; none is easier.", tries=tries))
