"""A mesh that cannot be printed is told by what is wrong with it."""

import numpy as np
import pytest

from studio.geometry.curves.strokes import Floats, Ints
from studio.geometry.solids.solid import Mesh, flaw, plate
from tests.solids import least_gap, overlap

SOUND = plate(np.ones((2, 3), bool), 10.0, 0.2, 0.8, 8, rounded=True)


def changed(vertices: Floats | None = None, triangles: Ints | None = None) -> Mesh:
    return Mesh(
        SOUND.vertices.copy() if vertices is None else vertices,
        SOUND.triangles.copy() if triangles is None else triangles,
    )


def test_a_sound_mesh_has_no_flaw() -> None:
    assert flaw(SOUND) == ""


def test_each_flaw_is_told() -> None:
    assert flaw(Mesh(np.empty((0, 3)), np.empty((0, 3), np.int64))) == "is empty"
    assert flaw(changed(triangles=SOUND.triangles[1:])) == "is not watertight"
    assert flaw(changed(triangles=SOUND.triangles[:, ::-1].copy())) == "is inside out"
    flipped = SOUND.triangles.copy()
    flipped[5] = flipped[5][::-1]
    assert flaw(changed(triangles=flipped)) == "is not watertight"
    nowhere = SOUND.vertices.copy()
    nowhere[3, 1] = np.nan
    assert flaw(changed(nowhere)) == "has a vertex with invalid coordinates"
    flat = SOUND.vertices.copy()
    flat[SOUND.triangles[0, 0]] = flat[SOUND.triangles[0, 1]]
    assert flaw(changed(flat)) == "has a zero-area triangle"
    again = np.concatenate([SOUND.triangles, SOUND.triangles[:1]])
    assert flaw(changed(triangles=again)) == "is not watertight"


def test_two_bodies_in_one_mesh_are_two_parts() -> None:
    away = SOUND.vertices + np.array([100.0, 0, 0])
    both = Mesh(np.concatenate([SOUND.vertices, away]), np.concatenate([SOUND.triangles, SOUND.triangles + len(away)]))
    assert flaw(both) == "is split into 2 parts"


def test_what_two_bodies_share_and_how_near_they_are_is_measured() -> None:
    box = plate(np.ones((1, 1), bool), 10.0, 0.0, 0.0, 8, rounded=False)
    beside = box.moved(np.eye(3), np.array([10.25, 0, 0]))
    within = box.moved(np.eye(3), np.array([7.0, 0, 0]))
    assert overlap(box, beside) == 0
    assert overlap(box, within) == pytest.approx(300.0)
    assert least_gap(box, beside, 1.0) == pytest.approx(0.25)
    assert least_gap(box, box.moved(np.eye(3), np.array([50.0, 0, 0])), 1.0) == 1.0
