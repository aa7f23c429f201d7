"""The shell of a box: its voxels and their names, and what makes a piece slide, twin or look the same."""

from itertools import product

import numpy as np
import pytest

from studio.puzzles.cube.shell import AXES, FACES, NOBODY, captured, shell, signature, symmetries, trimmed, turned

SIZES = [(3, 3, 3), (4, 4, 4), (3, 4, 5), (12, 12, 12), (3, 12, 7)]


@pytest.mark.parametrize("size", SIZES)
def test_every_open_voxel_lies_where_its_faces_meet_and_is_named_after_them(size: tuple[int, int, int]) -> None:
    box = shell(*size)
    assert len(set(box.names)) == len(box.names) == 4 * sum(each - 2 for each in size) + 8
    for name, faces, place in zip(box.names, box.faces.tolist(), box.places.tolist(), strict=True):
        met = [2 * a + (at > 0) for a, at in enumerate(place) if at in (0, size[a] - 1)]
        assert [face for face in faces if face != NOBODY] == met
        assert name.partition("/")[0] == "-".join(FACES[face] for face in met)
        assert name.partition("/")[2] == ("" if len(met) == 3 else str(place[box_axis(met)]))


def box_axis(met: list[int]) -> int:
    """The axis along which an edge runs."""
    (axis,) = {0, 1, 2} - {face // 2 for face in met}
    return axis


@pytest.mark.parametrize("size", SIZES)
def test_each_voxel_of_the_shell_lies_in_the_faces_that_say_so(size: tuple[int, int, int]) -> None:
    box = shell(*size)
    seen: dict[tuple[int, ...], int] = {}
    for face, layout in enumerate(box.layouts):
        one, other = AXES[face]
        assert layout.shape == (size[one], size[other])
        for i, j in product(*map(range, layout.shape)):
            place = [0, 0, 0]
            place[one], place[other] = i, j
            place[face // 2] = (size[face // 2] - 1) * (face % 2)
            number = int(layout[i, j])
            assert seen.setdefault(tuple(place), number) == number
            assert number == NOBODY or box.places[number].tolist() == place
    x, y, z = size
    assert len(seen) == x * y * z - (x - 2) * (y - 2) * (z - 2)


@pytest.mark.parametrize("face", range(6))
def test_a_face_is_looked_at_along_right_handed_axes_that_point_into_the_box(face: int) -> None:
    across, up = (np.eye(3)[axis] for axis in AXES[face])
    inward = np.eye(3)[face // 2] * (-1 if face % 2 else 1)
    assert np.cross(across, up).tolist() == inward.tolist()


def test_corners_know_the_three_voxels_beside_them() -> None:
    box = shell(4, 5, 6)
    for corner, beside in enumerate(box.neighbours.tolist()):
        place = box.places[box.corners.start + corner]
        assert all(np.abs(box.places[each] - place).sum() == 1 for each in beside)


def test_a_piece_is_captured_if_a_step_to_each_side_runs_into_a_neighbour() -> None:
    """Held against moving the piece by a voxel and looking what it would share with the others of its face."""
    chance = np.random.default_rng(3)
    outcomes = set()
    for _ in range(300):
        mask = chance.random((4, 5)) < 0.7
        mask[1:-1, 1:-1] = True
        others = {(i, j) for i, j in np.argwhere(~mask).tolist()}
        held = all(
            others & {(i + di, j + dj) for i, j in np.argwhere(mask).tolist()}
            for di, dj in ((1, 0), (-1, 0), (0, 1), (0, -1))
        )
        assert bool(captured(mask)) == held
        outcomes.add(held)
    assert outcomes == {False, True}


def test_pieces_are_the_same_however_they_are_turned_flipped_or_moved() -> None:
    mask = np.array([[1, 1, 0, 0], [0, 1, 1, 0], [0, 1, 1, 0], [0, 0, 0, 0]], bool)
    assert {signature(way) for way in turned(mask)} == {signature(np.roll(mask, 1, axis=0))}
    assert signature(mask) != signature(np.array([[1, 1, 1, 0], [0, 1, 1, 0], [0, 1, 0, 0], [0, 0, 0, 0]], bool))
    assert trimmed(mask).shape == (3, 3)


@pytest.mark.parametrize(
    ("picture", "ways"), [("##/##", 8), ("##", 4), ("#./##", 2), ("##./.##", 2), ("#../#../##.", 1), ("###/.#.", 2)]
)
def test_a_piece_with_so_many_symmetries_looks_as_it_did_in_so_many_ways(picture: str, ways: int) -> None:
    assert symmetries(np.array([[letter == "#" for letter in row] for row in picture.split("/")])) == ways
