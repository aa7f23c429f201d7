"""The puzzle cube as a kind of puzzle."""

from studio.progress import Progress
from studio.puzzles.cube.checks import check
from studio.puzzles.cube.deal import dealt
from studio.puzzles.cube.generate import generate, verify
from studio.puzzles.cube.geometry import shape
from studio.puzzles.cube.model import CubeDesign, CubeParameters
from studio.puzzles.cube.solve import MOST_SOLUTIONS, solved
from studio.puzzles.kind import PuzzleKind
from studio.solving.solved import Solved


def solve(design: CubeDesign, progress: Progress, *, most: int | None = None) -> Solved:
    """In how many ways the pieces of a design go together."""
    deal = dealt(design, progress)
    masks = deal.shell.masks(deal.owners)
    return solved(deal.shell, masks, progress, most=MOST_SOLUTIONS if most is None else most)


CUBE = PuzzleKind(
    key="cube",
    title="Cube",
    summary="Six flat pieces that go together to a box in one way, proven before they are printed or cut.",
    parameters=CubeParameters,
    design=CubeDesign,
    generate=generate,
    shape=shape,
    check=check,
    verify=verify,
    example=CubeDesign,
    solve=solve,
)
