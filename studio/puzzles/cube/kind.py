"""The puzzle cube as a kind of puzzle; what deals, draws and proves it is loaded with the first cube."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from studio.checks.finding import Checked
from studio.geometry.joint import Seam
from studio.geometry.leaflet import Leaflet
from studio.geometry.shapes import Shapes
from studio.progress import Progress
from studio.puzzles.cube.model import CubeDesign, CubeParameters
from studio.puzzles.cube.problems import PROBLEMS
from studio.puzzles.kind import Enclosed, Graded, Grades, PuzzleKind
from studio.solving.solved import Solved

if TYPE_CHECKING:
    from studio.geometry.solid import Solid
    from studio.puzzles.cube.checks import CubeChecked
    from studio.puzzles.cube.geometry import CubeShapes


def _generate(parameters: CubeParameters, previous: CubeDesign | None, progress: Progress) -> CubeDesign:
    from studio.puzzles.cube.generate import generate

    return generate(parameters, previous, progress)


def _shape(design: CubeDesign, before: Shapes | None, progress: Progress) -> CubeShapes:
    from studio.puzzles.cube.geometry import shape

    return shape(design, before, progress)


def _check(design: CubeDesign, shapes: Shapes, before: Checked | None, progress: Progress) -> CubeChecked:
    from studio.puzzles.cube.checks import check

    return check(design, shapes, before, progress)


def _verify(design: CubeDesign) -> None:
    from studio.puzzles.cube.generate import verify

    verify(design)


def _solve(design: CubeDesign, progress: Progress, *, most: int | None = None) -> Solved:
    from studio.puzzles.cube.deal import dealt
    from studio.puzzles.cube.solve import MOST_SOLUTIONS, solved

    deal = dealt(design, progress)
    masks = deal.shell.masks(deal.owners)
    return solved(deal.shell, masks, progress, most=MOST_SOLUTIONS if most is None else most)


def _assembly_sheet(
    design: CubeDesign, shapes: Shapes, name: str, size: tuple[float, float], progress: Progress
) -> Leaflet:
    from studio.puzzles.cube.assembly import assembly_sheet
    from studio.puzzles.cube.geometry import CubeShapes

    del design  # The shapes know the one that they were made of.
    assert isinstance(shapes, CubeShapes)
    return assembly_sheet(shapes, name, size, progress)


def _graded(design: CubeDesign, progress: Progress) -> Graded:
    from studio.puzzles.cube.grade import graded

    return graded(design, progress)


def _harder(design: CubeDesign, progress: Progress) -> Graded:
    from studio.puzzles.cube.grade import harder

    return harder(design, progress)


def _easier(design: CubeDesign, progress: Progress) -> Graded:
    from studio.puzzles.cube.grade import easier

    return easier(design, progress)


def _at_share(design: CubeDesign, share: float, progress: Progress) -> Graded:
    from studio.puzzles.cube.grade import at_share

    return at_share(design, share, progress)


def _joints(design: CubeDesign, gaps: Sequence[float], progress: Progress) -> tuple[Solid, ...]:
    from studio.puzzles.cube.joints import joints

    return joints(design, gaps, progress)


def _joint(shapes: Shapes) -> Seam:
    from studio.puzzles.cube.joint import joint

    return joint(shapes)


CUBE = PuzzleKind(
    key="cube",
    title="Cube",
    summary="Six flat pieces that go together to a box in one way, proven before they are printed or cut.",
    parameters=CubeParameters,
    design=CubeDesign,
    generate=_generate,
    shape=_shape,
    check=_check,
    problems=PROBLEMS,
    verify=_verify,
    joint=_joint,
    example=CubeDesign,
    solve=_solve,
    leaflet=Enclosed("Assembly sheet", _assembly_sheet),
    grades=Grades(_graded, _harder, _easier, _at_share),
    joints=_joints,
)
