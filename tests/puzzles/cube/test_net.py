"""The unfolded box: where each voxel appears, and what lies side by side along a fold."""

import numpy as np
import pytest

from studio.puzzles.cube.assembly_sheet import net
from studio.puzzles.cube.model import CubeDesign, CubeParameters
from studio.puzzles.cube.partition import partitioned
from studio.puzzles.cube.shell import FACES, NOBODY, shell

SIZES = [(4, 4, 4), (3, 3, 3), (12, 5, 3), (3, 7, 5)]
OUTWARDS = np.array([[-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]])

every_size = pytest.mark.parametrize("size", SIZES, ids=str)


@every_size
def test_the_cells_are_the_surface_of_the_box_and_no_two_lie_on_each_other(size: tuple[int, int, int]) -> None:
    x, y, z = size
    flat = net(*size)
    assert len(flat.faces) == 2 * (x * y + y * z + z * x)
    assert len({tuple(place) for place in flat.places.tolist()}) == len(flat.faces)
    assert flat.size == (2 * x + 2 * y, 2 * y + z)
    assert all(flat.at(*place) == cell for cell, place in enumerate(flat.places.tolist()))
    assert flat.at(0, 0) is None and flat.at(-1, y) is None and flat.at(*flat.size) is None


@every_size
def test_every_voxel_of_an_edge_is_on_two_faces_and_of_a_corner_on_three(size: tuple[int, int, int]) -> None:
    flat, box = net(*size), shell(*size)
    for voxel, name in enumerate(box.names):
        cells = flat.appearances(voxel)
        assert {FACES[face] for face in flat.faces[cells].tolist()} == set(name.partition("/")[0].split("-"))
        assert len(cells) == (2 if voxel < box.corners.start else 3)
        assert (flat.spots[cells] == box.places[voxel]).all()


@every_size
def test_neighbours_in_a_face_are_neighbours_in_the_box_and_across_a_fold_the_same_voxel(
    size: tuple[int, int, int],
) -> None:
    flat = net(*size)
    across = 0
    for cell, (column, row) in enumerate(flat.places.tolist()):
        for next_ in (flat.at(column + 1, row), flat.at(column, row + 1)):
            if next_ is None:
                continue
            apart = np.abs(flat.spots[next_] - flat.spots[cell]).sum()
            assert apart == (1 if flat.faces[next_] == flat.faces[cell] else 0)
            across += int(apart == 0)
    assert across == sum(int(np.abs(np.diff(fold, axis=0)).sum()) for fold in flat.folds)


@every_size
def test_every_face_is_seen_from_outside(size: tuple[int, int, int]) -> None:
    flat = net(*size)
    for face, (left, top, _, _) in enumerate(flat.sides.tolist()):
        here, right, down = (flat.at(left + i, top + j) for i, j in ((0, 0), (1, 0), (0, 1)))
        assert here is not None
        to_right, to_bottom = flat.spots[right] - flat.spots[here], flat.spots[down] - flat.spots[here]
        assert np.cross(to_right, -to_bottom).tolist() == OUTWARDS[face].tolist()
        assert flat.faces[here] == face


@every_size
def test_the_same_owner_is_shown_wherever_a_voxel_appears(size: tuple[int, int, int]) -> None:
    x, y, z = size
    partition = partitioned(CubeDesign(CubeParameters(x=x, y=y, z=z)))
    flat = net(*size)
    has = flat.owners(partition.owners)
    for voxel in range(len(partition.shell.names)):
        assert set(has[flat.appearances(voxel)].tolist()) == {int(partition.owners[voxel])}
    assert (has[flat.voxels == NOBODY] == flat.faces[flat.voxels == NOBODY]).all()


@every_size
def test_the_pieces_regions_cover_every_cell_once(size: tuple[int, int, int]) -> None:
    x, y, z = size
    partition = partitioned(CubeDesign(CubeParameters(x=x, y=y, z=z)))
    flat = net(*size)
    areas = [
        sum(
            float((loop[:, 0] * np.roll(loop[:, 1], -1) - loop[:, 1] * np.roll(loop[:, 0], -1)).sum()) / 2
            for loop in loops
        )
        for loops in flat.regions(partition.owners)
    ]
    assert areas == np.bincount(flat.owners(partition.owners), minlength=6).tolist()


def test_the_letters_stand_in_the_middle_of_the_cores() -> None:
    assert net(4, 4, 4).middles.tolist() == [[2, 6], [10, 6], [6, 6], [14, 6], [6, 10], [6, 2]]
