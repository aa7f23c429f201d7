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
from dataclasses import dataclass, replace

from studio.amounts import many
from studio.errors import StudioError
from studio.progress import Progress, kept
from studio.puzzles.abilities.graded import Grade
from studio.puzzles.cube.deal import dealt
from studio.puzzles.cube.model import CubeDesign, CubeParameters, EdgeEdit, VoxelEdit
from studio.puzzles.cube.solve import solved
from studio.puzzles.kind import Generated
from studio.puzzles.scales import Wanted, above, below, nearest, none_found, others
from studio.texts import tr

SAMPLES = 200
"""Cubes on the scale."""
LEAST_SAMPLES = 10
"""With fewer that can be compared, a scale says nothing."""
MOST_TRIES = 400
"""How many cubes are looked at for one that lies where it is wanted: a second or two."""


class CubeGrade(Grade[CubeDesign]):
    """A cube and how hard it is beside the cubes on its scale."""

    @property
    def words(self) -> str:
        """What the numbers mean, in a sentence."""
        size = " × ".join(map(str, self.design.parameters.size))
        steps = many(self.effort, tr("half-built cube"))
        cubes = tr("{efforts} cubes of {size}", efforts=len(self.efforts), size=size)
        beside = self.among(cubes, tr("needs fewer"), tr("need fewer"))
        return tr(
            "A solver who tries every way in order meets {steps} until only one way is left; {beside}.",
            steps=steps,
            beside=beside,
        )


def effort(design: CubeDesign, progress: Progress) -> int:
    """The steps that the search for all solutions tries; raises StudioError for a design without just one."""
    if not design.parameters.unique:
        raise StudioError(
            tr(
                "Cubes are compared where “One solution” is switched on: one that goes together in several ways is "
                "easier for each of them, whatever the steps of a search."
            )
        )
    deal = dealt(design, progress)
    found = solved(deal.shell, deal.masks, progress)
    if found.solutions != 1 or not found.complete:
        least = "" if found.complete else tr("at least ")
        raise StudioError(
            tr(
                "This cube goes together in {least}{ways}, which makes it easier than the steps of a search can "
                "tell; make it unique first.",
                least=least,
                ways=many(found.solutions, "way"),
            )
        )
    return found.nodes


def graded(design: CubeDesign, progress: Progress, samples: int = SAMPLES) -> CubeGrade:
    """How hard a design is; raises StudioError where that cannot be told."""
    mine = effort(design, progress)
    return CubeGrade(design, mine, _scale((_Kin.of(design), samples), progress))


def at_share(design: CubeDesign, share: float, progress: Progress, samples: int = SAMPLES) -> Grade[CubeDesign]:
    """A cube than which about a share (0 to 1) of the scale is easier; what is locked stays as it is.

    Raises StudioError where no cube can be compared.
    """
    return _nearest(design, Wanted(share), progress, samples)


def harder(design: CubeDesign, progress: Progress, samples: int = SAMPLES) -> Grade[CubeDesign]:
    """A cube that is harder, by a step where there is one so hard; raises StudioError where none is found."""
    mine = graded(design, progress.part(0.0, 0.5), samples)
    return _nearest(design, above(mine), progress.part(0.5, 1.0), samples)


def easier(design: CubeDesign, progress: Progress, samples: int = SAMPLES) -> Grade[CubeDesign]:
    """A cube that is easier, by a step where there is one so easy; raises StudioError where none is found."""
    mine = graded(design, progress.part(0.0, 0.5), samples)
    return _nearest(design, below(mine), progress.part(0.5, 1.0), samples)


def _nearest(design: CubeDesign, wanted: Wanted, progress: Progress, samples: int) -> Grade[CubeDesign]:
    """Of other cubes the one nearest to what is wanted.

    Where the deal of the design is all that is wished for, so is that of the cube found.
    """
    best = nearest(_others(design, progress, samples), wanted)
    if best is None:
        raise none_found(MOST_TRIES, "cubes", wanted)
    parameters = replace(design.parameters, seed=best.design.parameters.seed)
    return replace(best, design=replace(best.design, parameters=parameters), lost=_lost(design, best.design))


def _others(design: CubeDesign, progress: Progress, samples: int) -> Iterator[CubeGrade]:
    kin = _Kin.of(design)
    efforts = _scale((kin, samples), progress)
    wished = dealt(design, progress).met
    for made, steps in others(kin.cube, effort, design.parameters.seed, MOST_TRIES, progress):
        is_other = made.design.parameters.seed != design.parameters.seed
        if is_other and (not wished or dealt(made.design, progress).met):
            yield CubeGrade(made.design, steps, efforts)


@dataclass(frozen=True)
class _Kin:
    """What cubes have in common that can be compared."""

    parameters: CubeParameters
    edges: tuple[EdgeEdit, ...]
    voxels: tuple[VoxelEdit, ...]

    @classmethod
    def of(cls, design: CubeDesign) -> _Kin:
        """All that is like a design: of its parameters those that chance knows, and the edges that are locked."""
        mine = design.parameters
        x, y, z = mine.size
        plain = CubeParameters(x=x, y=y, z=z, unique=mine.unique, distinct=mine.distinct, captured=mine.captured)
        locked = tuple(edit for edit in design.edges if edit.locked_seed is not None)
        names = {edit.name for edit in locked}
        held = tuple(voxel for voxel in design.voxels if voxel.name.partition("/")[0] in names)
        return cls(plain, locked, held)

    def cube(self, seed: int, _progress: Progress) -> Generated[CubeDesign]:
        """One of them."""
        return Generated(CubeDesign(replace(self.parameters, seed=seed), self.edges, self.voxels))


@kept(32)
def _scale(sample: tuple[_Kin, int], progress: Progress) -> tuple[int, ...]:
    """The sorted efforts of a sample of so many."""
    kin, samples = sample
    found = sorted(steps for _, steps in others(kin.cube, effort, 0, samples, progress))
    if len(found) < min(LEAST_SAMPLES, samples):
        raise StudioError(
            tr(
                "Only {found} of {samples} cubes with these locked edges go together in one way, too few to compare.",
                found=len(found),
                samples=samples,
            )
        )
    return tuple(found)


def _lost(before: CubeDesign, after: CubeDesign) -> str:
    """What was done by hand to a design and is not in another, in words."""
    voxels = len(set(before.voxels) - set(after.voxels))
    edges = len({edit.name for edit in before.edges} - {edit.name for edit in after.edges})
    parts = [tr("{voxels} given by hand", voxels=many(voxels, "voxel"))] * bool(voxels) + [
        many(edges, tr("re-rolled edge"))
    ] * bool(edges)
    return " and ".join(parts)
