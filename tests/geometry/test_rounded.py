"""Lines with rounded bends: arcs of the radius, tangent to their sides, as long as there is room for them."""

import numpy as np
import pytest

from studio.geometry.curves.strokes import Curves
from studio.geometry.planar.polyomino import disc, rounded, rounded_line

FINEST = 0.01

BEND = np.array([(0.0, 0.0), (5.0, 0.0), (10.0, 0.0), (10.0, 10.0)])


def test_without_a_radius_a_line_has_its_corners_alone() -> None:
    sharp = rounded_line(BEND, 0.0)
    assert sharp[::3].tolist() == [[0, 0], [10, 0], [10, 10]]


def test_a_bend_is_an_arc_that_leaves_its_sides_without_a_kink() -> None:
    made = rounded_line(BEND, 2.0)
    assert made[::3] == pytest.approx(np.array([(0, 0), (8, 0), (10, 2), (10, 10)]))
    assert Curves.from_strokes([made]).lengths[0] == pytest.approx(16 + np.pi, rel=1e-3)
    points = Curves.from_strokes([made[3:7]]).flattened(1e-4).points
    assert np.hypot(*(points - (8, 2)).T) == pytest.approx(2.0, rel=1e-3)


def test_a_bend_of_120_degrees_stays_within_its_sides_however_large_the_radius() -> None:
    line = np.array([(0.0, 0.0), (4.0, 0.0), (2.0, 2 * 3**0.5), (2.0, 10.0)])
    made = rounded_line(line, 100.0)
    assert made[3].tolist() == pytest.approx([4 - 0.45 * 4, 0.0])
    assert np.hypot(*np.diff(made[::3], axis=0).T).min() > 0.1


def test_bends_are_rounded_each_by_its_own_radius() -> None:
    line = np.array([(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (8.0, 4.0)])
    assert rounded_line(line, np.array([0.0, 0.0, 1.0, 0.0]))[::3].tolist() == [[0, 0], [4, 0], [4, 3], [5, 4], [8, 4]]


def test_a_disc_is_closed_and_round() -> None:
    made = disc(3.0)
    points = Curves.from_strokes([made]).flattened(1e-3).points
    assert made[0].tolist() == made[-1].tolist()
    assert np.hypot(*points.T) == pytest.approx(3.0, rel=1e-3)


def test_a_radius_that_no_tool_makes_is_none() -> None:
    square = np.array([(0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0)])
    for tiny in (5e-324, 1e-12, 0.9 * FINEST):
        assert len(rounded(square, tiny)) == len(rounded(square, 0.0)) == 13
        assert rounded_line(BEND, tiny).tolist() == rounded_line(BEND, 0.0).tolist()
    assert len(rounded(square, FINEST)) == 25
