"""How hard a cube is beside others like it, and others that are harder or easier.

effort: the steps that the search for all solutions tries (`Count.nodes`). It is how many half-built cubes a solver
meets who always goes on where the fewest pieces fit and never repeats himself; a cube with twice the effort has twice
as many wrong ways that look right at first. It says nothing of how well people see shapes, so it compares cubes of
one size, and promises no minutes. Nor does it say anything where there are several solutions: each more adds steps to
the search, but makes the box easier to build.
scale: the efforts of a fixed sample of cubes with the same size, wishes and locked edges, each with one solution.
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
from studio.puzzles.cube.deal import dealt
from studio.puzzles.cube.model import CubeDesign, CubeParameters, EdgeEdit, VoxelEdit
from studio.puzzles.cube.solve import solved

SAMPLES = 200
"""Cubes on the scale."""
LEAST_SAMPLES = 10
"""With fewer that can be compared, a scale says nothing."""
STEP = 0.2
"""By how much of the scale a harder or an easier cube lies further on."""
NEAR = 0.05
"""How near to a place on the scale is near enough."""
MOST_TRIES = 400
"""How many cubes are looked at for one that lies where it is wanted: a second or two."""
LARGEST_EFFORT = 2**62
"""More than any search takes."""


class CubeGrade(Grade[CubeDesign]):
    """A cube and how hard it is beside the cubes on its scale."""

    @property
    def words(self) -> str:
        """What the numbers mean, in a sentence."""
        size = " × ".join(map(str, self.design.parameters.size))
        steps = many(self.effort, "half-built cube")
        cubes = f"{len(self.efforts)} cubes of {size}"
        if self.share == 0:
            easier = f"none of {cubes} needs fewer"
        elif self.share == 1:
            easier = f"all of {cubes} need fewer"
        else:
            easier = f"{in_percent(self.share)} of {cubes} need fewer"
        return f"A solver who tries every way in order meets {steps} until only one way is left; {easier}."


def effort(design: CubeDesign, progress: Progress) -> int:
    """The steps that the search for all solutions tries; raises StudioError for a design without just one."""
    if not design.parameters.unique:
        raise StudioError(
            "Cubes are compared where “One solution” is switched on: one that goes together in several ways is "
            "easier for each of them, whatever the steps of a search."
        )
    deal = dealt(design, progress)
    found = solved(deal.shell, deal.masks, progress)
    if found.solutions != 1 or not found.complete:
        least = "" if found.complete else "at least "
        raise StudioError(
            f"This cube goes together in {least}{many(found.solutions, 'way')}, which makes it easier than the steps "
            "of a search can tell; make it unique first."
        )
    return found.nodes


def graded(design: CubeDesign, progress: Progress, samples: int = SAMPLES) -> CubeGrade:
    """How hard a design is; raises StudioError where that cannot be told."""
    mine = effort(design, progress)
    return CubeGrade(design, mine, _scale(_Kin.of(design, progress), samples))


def at_share(design: CubeDesign, share: float, progress: Progress, samples: int = SAMPLES) -> CubeGrade:
    """A cube than which about a share (0 to 1) of the scale is easier; what is locked stays as it is.

    Raises StudioError where no cube can be compared.
    """
    return _nearest(design, share, progress, samples, 0, LARGEST_EFFORT)


def harder(design: CubeDesign, progress: Progress, samples: int = SAMPLES) -> CubeGrade:
    """A cube that is harder, by a step where there is one so hard; raises StudioError where none is found."""
    mine = graded(design, progress.part(0.0, 0.5), samples)
    return _nearest(
        design, min(mine.share + STEP, 1.0), progress.part(0.5, 1.0), samples, mine.effort + 1, LARGEST_EFFORT
    )


def easier(design: CubeDesign, progress: Progress, samples: int = SAMPLES) -> CubeGrade:
    """A cube that is easier, by a step where there is one so easy; raises StudioError where none is found."""
    mine = graded(design, progress.part(0.0, 0.5), samples)
    return _nearest(design, max(mine.share - STEP, 0.0), progress.part(0.5, 1.0), samples, 0, mine.effort - 1)


def _nearest(design: CubeDesign, share: float, progress: Progress, samples: int, least: int, most: int) -> CubeGrade:
    """Of other cubes with an effort from `least` to `most`, the first near a share, or else the nearest to it.

    Where the deal of the design is all that is wished for, so is that of the cube found.
    """
    kin = _Kin.of(design, progress)
    efforts = _scale(kin, samples)
    wished = dealt(design, progress).met
    best: CubeGrade | None = None
    for other, steps in kin.others(design.parameters.seed, MOST_TRIES):
        if steps is None or not least <= steps <= most or other.parameters.seed == design.parameters.seed:
            continue
        if wished and not dealt(other, progress).met:
            continue
        found = CubeGrade(
            replace(other, parameters=replace(design.parameters, seed=other.parameters.seed)), steps, efforts
        )
        if best is None or abs(found.share - share) < abs(best.share - share):
            best = found
        if abs(best.share - share) <= NEAR:
            break
    if best is None:
        which = "harder" if most == LARGEST_EFFORT else "easier"
        raise StudioError(f"None of {MOST_TRIES} other cubes like this one is {which}.")
    return replace(best, lost=_lost(design, best.design))


@dataclass(frozen=True)
class _Kin:
    """What cubes have in common that can be compared; whoever waits for the answer makes no difference."""

    parameters: CubeParameters
    edges: tuple[EdgeEdit, ...]
    voxels: tuple[VoxelEdit, ...]
    progress: Progress = field(compare=False)

    @classmethod
    def of(cls, design: CubeDesign, progress: Progress) -> _Kin:
        """All that is like a design: of its parameters those that chance knows, and the edges that are locked."""
        mine = design.parameters
        x, y, z = mine.size
        plain = CubeParameters(x=x, y=y, z=z, unique=mine.unique, distinct=mine.distinct, captured=mine.captured)
        locked = tuple(edit for edit in design.edges if edit.locked_seed is not None)
        names = {edit.name for edit in locked}
        held = tuple(voxel for voxel in design.voxels if voxel.name.partition("/")[0] in names)
        return cls(plain, locked, held, progress)

    def others(self, key: int, count: int) -> Iterator[tuple[CubeDesign, int | None]]:
        """Some of them, and the effort of each; None for one with more than one solution."""
        numbers = uniform(key, np.arange(count), "sample")
        for number, seed in enumerate((numbers * LARGEST_SEED).astype(np.int64).tolist()):
            other = CubeDesign(replace(self.parameters, seed=seed), self.edges, self.voxels)
            done = number / count
            self.progress.step(done)
            try:
                yield other, effort(other, self.progress.part(done, done))
            except StudioError:
                yield other, None


@lru_cache(maxsize=32)
def _scale(kin: _Kin, samples: int) -> tuple[int, ...]:
    """The sorted efforts of a sample."""
    found = [steps for _, steps in kin.others(0, samples) if steps is not None]
    if len(found) < min(LEAST_SAMPLES, samples):
        raise StudioError(
            f"Only {len(found)} of {samples} cubes with these locked edges go together in one way, too few to compare."
        )
    return tuple(sorted(found))


def _lost(before: CubeDesign, after: CubeDesign) -> str:
    """What was done by hand to a design and is not in another, in words."""
    voxels = len(set(before.voxels) - set(after.voxels))
    edges = len({edit.name for edit in before.edges} - {edit.name for edit in after.edges})
    parts = [f"{many(voxels, 'voxel')} given by hand"] * bool(voxels) + [many(edges, "re-rolled edge")] * bool(edges)
    return " and ".join(parts)
