"""Grade of a cube among similar cubes, and cubes that are harder or easier.

effort: the nodes of the search for all solutions (`Count.nodes`), which are the partial assemblies that an exhaustive
search visits when it fills the place that the fewest pieces fit. A cube with twice the effort has twice the dead ends
that look right at first. It ranks cubes of one size; it does not predict solving time, and means nothing for several
solutions: each one adds nodes to the search, but makes the box easier to build.
scale: the efforts of a fixed sample of cubes with the same size, options and locked edges, each with one solution.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from studio.base.amounts import at_least, listed, many, thousands
from studio.base.errors import StudioError
from studio.base.progress import Progress, kept
from studio.base.texts import plural, tr
from studio.puzzles.abilities.gradable_solvable import Grade, Wanted, above, below, nearest, none_found, others
from studio.puzzles.cube.model import CubeDesign, CubeParameters, EdgeEdit, VoxelEdit
from studio.puzzles.cube.partition import partitioned
from studio.puzzles.cube.solve import solved
from studio.puzzles.kind import Generated

SAMPLES = 200
"""Cubes on the scale."""
LEAST_SAMPLES = 10
"""The fewest cubes on a meaningful scale."""
MOST_TRIES = 400
"""Most cubes rated in the search for one at the wanted place on the scale: a second or two."""


class CubeGrade(Grade[CubeDesign]):
    """A cube and how hard it is compared with the cubes on its scale."""

    @property
    def explanation(self) -> str:
        """The meaning of the numbers, in a sentence."""
        size = " × ".join(map(str, self.design.parameters.size))
        steps = f"{thousands(self.effort)} {plural(self.effort, 'partial assembly', 'partial assemblies')}"
        return tr(
            "An exhaustive search visits {steps}; {easier} of {count} cubes of {size} need fewer.",
            steps=steps,
            easier=self.easier,
            count=len(self.efforts),
            size=size,
        )


def effort(design: CubeDesign, progress: Progress) -> int:
    """The nodes of the search for all solutions; raises StudioError for a design without exactly one."""
    if not design.parameters.unique:
        raise StudioError(
            tr(
                "Only cubes with “Unique solution” switched on can be rated: further solutions lengthen the search but "
                "make the cube easier."
            )
        )
    partition = partitioned(design, progress)
    found = solved(partition.shell, partition.masks, progress)
    if found.solutions != 1 or not found.complete:
        solutions = at_least(many(found.solutions, "solution"), exact=found.complete)
        raise StudioError(
            tr("This cube has {solutions}, so it cannot be rated; make it unique first.", solutions=solutions)
        )
    return found.nodes


def graded(design: CubeDesign, progress: Progress, samples: int = SAMPLES) -> CubeGrade:
    """Grade a design; raise StudioError if it cannot be rated."""
    mine = effort(design, progress)
    return CubeGrade(design, mine, _scale((_Kin.from_design(design), samples), progress))


def key(design: CubeDesign) -> CubeDesign:
    """A design with only the parameters that matter to random boxes and the search."""
    seed = design.parameters.seed
    return replace(design, parameters=replace(_Kin.from_design(design).parameters, seed=seed))


def at_share(design: CubeDesign, share: float, progress: Progress, samples: int = SAMPLES) -> Grade[CubeDesign]:
    """A cube harder than about a share (0 to 1) of the scale; locked edges stay as they are.

    Raises StudioError if no cube can be compared.
    """
    return _nearest(design, Wanted(share), progress, samples)


def harder(design: CubeDesign, progress: Progress, samples: int = SAMPLES) -> Grade[CubeDesign]:
    """Find a harder cube, by one step if possible; raise StudioError if the search fails."""
    mine = graded(design, progress.part(0.0, 0.5), samples)
    return _nearest(design, above(mine), progress.part(0.5, 1.0), samples)


def easier(design: CubeDesign, progress: Progress, samples: int = SAMPLES) -> Grade[CubeDesign]:
    """Find an easier cube, by one step if possible; raise StudioError if the search fails."""
    mine = graded(design, progress.part(0.0, 0.5), samples)
    return _nearest(design, below(mine), progress.part(0.5, 1.0), samples)


def _nearest(design: CubeDesign, wanted: Wanted, progress: Progress, samples: int) -> Grade[CubeDesign]:
    """The cube nearest to the wanted difficulty.

    If the design meets all its options, so does the cube found.
    """
    best = nearest(_others(design, progress, samples), wanted)
    if best is None:
        raise none_found(MOST_TRIES, wanted)
    # The edits of the design that the other does not have.
    voxels = len(set(design.voxels) - set(best.design.voxels))
    edges = len({edit.name for edit in design.edges} - {edit.name for edit in best.design.edges})
    lost = [many(voxels, "edited voxel")] * bool(voxels) + [many(edges, "randomised edge")] * bool(edges)
    parameters = replace(design.parameters, seed=best.design.parameters.seed)
    found = replace(best.design, parameters=parameters)
    return replace(best, design=found, lost=listed(lost) if lost else "")


def _others(design: CubeDesign, progress: Progress, samples: int) -> Iterator[CubeGrade]:
    kin = _Kin.from_design(design)
    efforts = _scale((kin, samples), progress)
    met = partitioned(design, progress).met
    for made, steps in others(kin.cube, effort, design.parameters.seed, MOST_TRIES, progress):
        is_other = made.design.parameters.seed != design.parameters.seed
        if is_other and (not met or partitioned(made.design, progress).met):
            yield CubeGrade(made.design, steps, efforts)


@dataclass(frozen=True)
class _Kin:
    """The features shared by comparable cubes."""

    parameters: CubeParameters
    edges: tuple[EdgeEdit, ...]
    voxels: tuple[VoxelEdit, ...]

    @classmethod
    def from_design(cls, design: CubeDesign) -> _Kin:
        """The features a design shares with its kin: the parameters of the random boxes, and the locked edges."""
        mine = design.parameters
        x, y, z = mine.size
        plain = CubeParameters(
            x=x, y=y, z=z, unique=mine.unique, distinct=mine.distinct, captured=mine.captured,
            least_voxels=mine.least_voxels,
        )  # fmt: skip
        locked = tuple(edit for edit in design.edges if edit.locked_seed is not None)
        names = {edit.name for edit in locked}
        held = tuple(voxel for voxel in design.voxels if voxel.name.partition("/")[0] in names)
        return cls(plain, locked, held)

    def cube(self, seed: int, _progress: Progress) -> Generated[CubeDesign]:
        """One of them."""
        return Generated(CubeDesign(replace(self.parameters, seed=seed), self.edges, self.voxels))


@kept(32)
def _scale(sample: tuple[_Kin, int], progress: Progress) -> tuple[int, ...]:
    """The sorted efforts of a sample."""
    kin, samples = sample
    found = sorted(steps for _, steps in others(kin.cube, effort, 0, samples, progress))
    if len(found) < min(LEAST_SAMPLES, samples):
        words = tr(
            "Only {found} of {samples} cubes with these locked edges have a unique solution: too few to compare.",
            found=len(found),
            samples=samples,
        )
        raise StudioError(words)
    return tuple(found)
