"""The abilities to be graded and to be solved by search.

A grade is the difficulty of a design and its rank on a scale of efforts. Solutions are those of the puzzle or of each
of its targets.

scale: the efforts of similar designs of other seeds.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

import numpy as np

from studio.base.amounts import share as in_percent
from studio.base.chance import uniform
from studio.base.errors import StudioError
from studio.base.parameters import LARGEST_SEED
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.puzzles.abilities.ability import Ability
from studio.puzzles.kind import Generated

if TYPE_CHECKING:
    from studio.solving.assembly import Count, Tally

D_contra = TypeVar("D_contra", contravariant=True)
D = TypeVar("D")
LEVELS = (
    tr("Among the easiest"),
    tr("Easier than average"),
    tr("Average"),
    tr("Harder than average"),
    tr("Among the hardest"),
)
R = TypeVar("R")

STEP = 0.2
"""The step along the scale to a harder or an easier design."""
NEAR = 0.05
"""The tolerance on the scale."""
LARGEST_EFFORT = 2**62
"""An effort beyond every design's."""


@dataclass(frozen=True)
class Grade(Generic[D]):
    """A design and its difficulty: the steps of a search for it, and the sorted `efforts` of similar designs.

    `lost` names edits of the original design that this design lacks, or is "".
    """

    design: D
    effort: int
    efforts: tuple[int, ...]
    lost: str = ""

    @property
    def share(self) -> float:
        """Share of similar designs that are easier, 0 to 1."""
        return bisect_left(self.efforts, self.effort) / len(self.efforts)

    @property
    def alike(self) -> float:
        """Share of similar designs that are equally hard, 0 to 1."""
        return bisect_right(self.efforts, self.effort) / len(self.efforts) - self.share

    @property
    def easier(self) -> str:
        """Share of similar designs that are easier, as text: none, 43 %, all."""
        if self.share in (0, 1):
            return tr("all") if self.share else tr("none")
        return in_percent(self.share)

    @property
    def level(self) -> str:
        """Approximate difficulty as text."""
        if self.efforts[0] == self.efforts[-1] == self.effort:
            return tr("As hard as all others of its size")
        if self.effort <= self.efforts[0]:
            return LEVELS[0]
        return LEVELS[min(int((self.share + self.alike / 2) * len(LEVELS)), len(LEVELS) - 1)]

    @property
    def explanation(self) -> str:
        """Sentence that explains the numbers; kinds override it."""
        return f"{self.level}."


@dataclass(frozen=True)
class Techniques(Generic[D]):
    """A table of the techniques of solving: fixed words of each, then its figures for a design."""

    title: str
    name: str
    """Title for screen readers."""
    columns: Sequence[tuple[str, int, str]]
    """Heading, width in pixels and help of each column."""
    rows: Sequence[Sequence[str]]
    """Words of each technique, in the first columns."""
    figures: Callable[[D, Progress], Sequence[Sequence[str]]]
    """Figures of each technique, in the further columns; raises StudioError for a design without any."""
    tips: Sequence[str] = ()
    """Tool tip of each technique."""


@dataclass(frozen=True)
class Gradable(Ability, Generic[D]):
    """Grades a design, and finds a harder or easier design; all raise StudioError if that is impossible."""

    lacking: ClassVar[str] = tr("There is no difficulty rating for {key} puzzles.")

    grade: Callable[[D, Progress], Grade[D]]
    harder: Callable[[D, Progress], Grade[D]]
    easier: Callable[[D, Progress], Grade[D]]
    at_share: Callable[[D, float, Progress], Grade[D]]
    """Finds a design for which about a share of similar designs, 0 to 1, is easier."""
    key: Callable[[D], Hashable] = lambda design: design
    """Parts of a design that its grade and figures depend on."""
    techniques: Callable[[], Techniques[D]] | None = None
    menu: str = "&Difficulty"
    """Menu of the commands for a harder and an easier design."""


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


class CountSolutions(Protocol[D_contra]):
    """Counts the solutions of a design; symmetric solutions count once."""

    def __call__(
        self, design: D_contra, target: Sequence[str], progress: Progress, /, *, most: int | None = None
    ) -> Count:
        """Count the solutions for a target, a choice of cells; stop counting at `most`."""


@dataclass(frozen=True)
class Targets(Generic[D]):
    """Targets of a kind whose designs are a different puzzle for every date or choice of labels.

    `date` and `labels` return the cells that stay open for a date (`10-06`) or for labels (`Jan,6`). They raise
    StudioError for unknown names, and for an empty text if a choice is required.
    """

    date: Callable[[D, str], Sequence[str]]
    labels: Callable[[D, str], Sequence[str]]
    year: Callable[[D, Progress], Tally]


@dataclass(frozen=True)
class Solvable(Ability, Generic[D]):
    """Counts the solutions of a design, and finds one."""

    lacking: ClassVar[str] = tr("There is nothing to solve for {key} puzzles: each design is its own solution.")

    count: CountSolutions[D]
    targets: Targets[D] | None = None
    """None for a kind whose designs are a single puzzle, counted without a target."""
    solution: Callable[[D, Sequence[str], Progress], Any] = lambda _design, _target, _progress: None
    """A solution for a target, as a frozen dataclass of the kind; None without any."""
