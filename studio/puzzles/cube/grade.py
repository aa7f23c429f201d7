"""How hard a cube is beside others of its size: sampled, and picked by the share of the sample that is easier.

effort: the steps that the search for all solutions tries (`Solved.nodes`). It is how many partial assemblies a solver
meets who always goes on where the fewest pieces fit and never repeats himself; a cube with twice the effort has twice
as many wrong ways that look right at first. It says nothing of how well people see shapes, so it compares cubes of
one size and style, and promises no minutes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from studio.geometry.chance import uniform
from studio.parameters import LARGEST_SEED
from studio.progress import Progress
from studio.puzzles.cube.deal import dealt
from studio.puzzles.cube.model import CubeDesign
from studio.puzzles.cube.solve import solved

SAMPLES = 200
STEP = 0.2
"""By how much of the sample a harder or an easier cube lies further on."""


@dataclass(frozen=True)
class Graded:
    """A cube and how hard it is: its effort, and the share (0 to 1) of `samples` cubes like it that are easier."""

    design: CubeDesign
    effort: int
    share: float
    samples: int

    @property
    def words(self) -> str:
        """What the numbers mean, in a sentence."""
        size = " × ".join(map(str, self.design.parameters.size))
        return (
            f"{self.effort} partial assemblies are tried until all solutions are known: harder than "
            f"{self.share:.0%} of {self.samples} cubes of {size}."
        )


def effort(design: CubeDesign, progress: Progress) -> int:
    """The steps that the search for all solutions of a design tries."""
    deal = dealt(design, progress)
    return solved(deal.shell, deal.shell.masks(deal.owners), progress).nodes


def graded(design: CubeDesign, progress: Progress, samples: int = SAMPLES) -> Graded:
    """How hard a design is beside cubes of its parameters with other seeds."""
    mine = effort(design, progress)
    others = [each.effort for each in _sample(design, progress, samples)]
    return Graded(design, mine, float(np.mean(np.array(others) < mine)), samples)


def at_share(design: CubeDesign, share: float, progress: Progress, samples: int = SAMPLES) -> Graded:
    """The cube of a sample than which a share (0 to 1) of the sample is easier; locked edges stay as they are."""
    ordered = sorted(_sample(design, progress, samples), key=lambda each: (each.effort, each.design.parameters.seed))
    efforts = np.array([each.effort for each in ordered])
    chosen = ordered[min(int(share * samples), samples - 1)]
    return replace(chosen, share=float(np.mean(efforts < chosen.effort)))


def harder(design: CubeDesign, progress: Progress, samples: int = SAMPLES) -> Graded:
    """A cube a step harder than this one; the hardest of the sample where there is none so hard."""
    return at_share(design, min(graded(design, progress, samples).share + STEP, 1.0), progress, samples)


def easier(design: CubeDesign, progress: Progress, samples: int = SAMPLES) -> Graded:
    """A cube a step easier than this one; the easiest of the sample where there is none so easy."""
    return at_share(design, max(graded(design, progress, samples).share - STEP, 0.0), progress, samples)


def _sample(design: CubeDesign, progress: Progress, samples: int) -> list[Graded]:
    """Cubes of other seeds; voxels given by hand are left out, locked edges are kept."""
    numbers = uniform(design.parameters.seed, np.arange(samples), "sample")
    locked = tuple(edit for edit in design.edges if edit.locked_seed is not None)
    found = []
    for number, seed in enumerate((numbers * LARGEST_SEED).astype(np.int64).tolist()):
        progress.step(number / samples, f"Looking at {samples} cubes")
        other = CubeDesign(replace(design.parameters, seed=seed), locked)
        found.append(Graded(other, effort(other, progress.part(0.0, 0.0)), 0.0, samples))
    return found
