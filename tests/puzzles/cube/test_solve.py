"""Solution counts agree with a second, slow search that shares nothing with the studio's own."""

import numpy as np
import pytest

from studio.base.progress import Cancelled, Progress
from studio.puzzles.abilities.gradable_solvable import Solvable
from studio.puzzles.cube.kind import CUBE
from studio.puzzles.cube.model import CubeDesign, CubeParameters
from studio.puzzles.cube.partition import _chance, partitioned
from studio.puzzles.cube.shell import AXES, CubeShell, Owners, shell
from studio.puzzles.cube.solve import assembly, is_unique, solved
from tests.depth import examples
from tests.puzzles.cube.slow_cover import Piece, assemblies

CASES = [
    ((3, 3, 3), 12), ((3, 3, 4), 14), ((3, 3, 5), 12), ((3, 4, 4), 12), ((3, 4, 5), 10), ((3, 5, 5), 8),
    ((4, 4, 4), 16), ((4, 4, 5), 8), ((4, 5, 5), 4), ((5, 5, 5), 4),
]  # fmt: skip
"""Sizes, and how many boxes of each; a hundred in all."""


def in_space(box: CubeShell, owners: Owners) -> list[Piece]:
    """The six pieces as sets of voxels where they lie in the box."""
    pieces = []
    for face, (one, other) in enumerate(AXES):
        voxels = set()
        for i, j in np.argwhere(box.mask(owners, face)).tolist():
            place = [0, 0, 0]
            place[one], place[other] = i, j
            place[face // 2] = (box.size[face // 2] - 1) * (face % 2)
            voxels.add((place[0], place[1], place[2]))
        pieces.append(frozenset(voxels))
    return pieces


def test_there_are_a_hundred_boxes_to_compare() -> None:
    assert sum(number for _, number in CASES) == 100


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("size", "number"), CASES, ids=str)
def test_a_slow_exact_cover_in_space_finds_as_many_assemblies(size: tuple[int, int, int], number: int) -> None:
    box = shell(*size)
    for owners in _chance(box, 31, np.arange(examples(2, number)), ()):
        found = solved(box, box.masks(owners), Progress())
        assert found.complete
        assert found.solutions == assemblies(in_space(box, owners), size)


def test_six_plain_plates_with_straight_joints_are_counted_right() -> None:
    """Two lids and a ring of four: pieces of three shapes, of which several are alike."""
    box = shell(3, 3, 3)
    owners = np.empty(len(box.names), np.int8)
    for voxel, faces in enumerate(box.faces.tolist()):
        owners[voxel] = next(face for face in (4, 5, 0, 1) if face in faces)
    found = solved(box, box.masks(owners), Progress())
    assert found.solutions == assemblies(in_space(box, owners), (3, 3, 3)) > 0


def test_pieces_off_the_faces_are_looked_for_where_they_can_be() -> None:
    owners = _chance(shell(3, 3, 3), 1, np.arange(60), ())
    off = [assembly(shell(3, 3, 3), shell(3, 3, 3).masks(each)).cells.shape[1] == 26 for each in owners]
    assert any(off)
    box = shell(4, 4, 4)
    assert all(assembly(box, box.masks(each)).cells.shape[1] == 38 for each in _chance(box, 1, np.arange(20), ()))


def test_a_limit_ends_the_count_and_is_told() -> None:
    box = shell(3, 3, 3)
    counts = [solved(box, box.masks(each), Progress()) for each in _chance(box, 3, np.arange(20), ())]
    many = max(range(20), key=lambda at: counts[at].solutions)
    assert counts[many].solutions > 5
    cut = solved(box, box.masks(_chance(box, 3, np.arange(20), ())[many]), Progress(), most=5)
    assert (cut.solutions, cut.complete) == (5, False)


def test_the_kind_counts_the_solutions_of_a_design() -> None:
    count = CUBE.need(Solvable).count
    found = count(CubeDesign(), (), Progress())
    assert (found.solutions, found.complete) == (1, True) and found.nodes > 0
    many = CubeDesign(CubeParameters(x=3, y=3, z=3, unique=False, distinct=False, captured=False, seed=1))
    assert count(many, (), Progress(), most=2).solutions <= 2
    stopped = Progress()
    stopped.cancel()
    with pytest.raises(Cancelled):
        count(CubeDesign(), (), stopped)


def test_one_solution_is_one_solution() -> None:
    found = partitioned(CubeDesign())
    assert is_unique(found.shell, found.shell.masks(found.owners), Progress())
