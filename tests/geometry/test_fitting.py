"""Points become few cubics again, which pass through them, keep corners sharp and lines straight."""

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.geometry.curves.fitting import fitted
from studio.geometry.curves.strokes import Curves, Floats, Polylines, straight
from tests.depth import examples

TONGUE = 20 * np.array(
    [(0, 0), (0.2, 0.03), (0.55, -0.08), (0.42, 0.08), (0.25, 0.27), (0.72, 0.29), (0.59, 0.09), (0.5, -0.1),
     (0.8, -0.02), (1, 0)]
)  # fmt: skip


def circle(radius: float, count: int) -> Polylines:
    angles = np.linspace(0, 2 * np.pi, count + 1)
    points = radius * np.stack([np.cos(angles), np.sin(angles)], 1)
    points[-1] = points[0]
    return Polylines(points, np.array([0, len(points)]))


def strays(lines: Polylines, curves: Curves) -> float:
    """How far a point of the lines lies from its curve at most."""
    fine = curves.flattened(1e-5)
    return max(
        float(shapely.distance(shapely.points(lines[i]), shapely.linestrings(fine[i])).max()) for i in range(len(lines))
    )


def between(lines: Polylines, curves: Curves) -> float:
    """How far a point of the curves lies from the lines at most."""
    fine = curves.flattened(1e-3)
    return max(
        float(shapely.distance(shapely.points(fine[i]), shapely.linestrings(lines[i])).max()) for i in range(len(lines))
    )


def cubics(curves: Curves) -> int:
    return int(((curves.counts - 1) // 3).sum())


@pytest.mark.parametrize("tolerance", [0.002, 0.01, 0.05])
def test_curves_pass_within_the_tolerance_of_every_point(tolerance: float) -> None:
    lines = Curves.from_strokes([TONGUE, TONGUE @ np.array([[0, 1], [-1, 0]]), TONGUE[::-1] + 5]).flattened(0.01)
    curves = fitted(lines, tolerance, 0.01)
    assert strays(lines, curves) <= tolerance + 1e-5
    assert between(lines, curves) <= 0.01 + tolerance


def test_curves_keep_the_ends_of_their_lines_exactly() -> None:
    lines = Curves.from_strokes([TONGUE, TONGUE[::-1] + 5]).flattened(0.01)
    curves = fitted(lines, 0.01, 0.01)
    for i in range(2):
        assert (curves[i][[0, -1]] == lines[i][[0, -1]]).all()


def test_a_tongue_takes_far_fewer_cubics_than_points_and_with_its_knots_known_those_it_was_made_of() -> None:
    lines = Curves.from_strokes([TONGUE]).flattened(0.005)
    assert cubics(fitted(lines, 0.01, 0.005)) <= len(lines.points) / 6
    knots = (lines.points[:, None] == TONGUE[None, ::3]).all(axis=2).any(axis=1)
    assert cubics(fitted(lines, 0.01, 0.005, knots)) == 3


def test_a_square_becomes_four_straight_cubics_from_corner_to_corner() -> None:
    corners = np.array([(0, 0), (30, 0), (30, 20), (0, 20), (0, 0)], float)
    curves = fitted(Polylines(corners, np.array([0, 5])), 0.01, 0.01)
    assert cubics(curves) == 4
    assert curves.points[::3].tolist() == corners.tolist()
    assert curves.points == pytest.approx(straight(np.stack([corners[:-1], corners[1:]], 1)).points[
        [0, 1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15]])  # fmt: skip


def test_a_circle_becomes_a_few_cubics_of_its_radius() -> None:
    curves = fitted(circle(10.0, 120), 0.002, 0.01)
    radii = np.hypot(*curves.flattened(1e-4).points.T)
    assert radii == pytest.approx(np.full(len(radii), 10.0), abs=0.003)
    # Four cubics are a circle of 10 mm to 0.003 mm, six to 0.0003 mm.
    assert 5 <= cubics(curves) <= 12
    assert (curves.points[0] == curves.points[-1]).all()


def test_a_coarse_polygon_is_taken_for_a_polygon_and_a_fine_one_for_a_circle() -> None:
    # Twelve sides of a circle of 10 mm lie 0.34 mm from it, 120 sides 0.003 mm.
    assert cubics(fitted(circle(10.0, 12), 0.01, 0.01)) == 12
    assert cubics(fitted(circle(10.0, 120), 0.01, 0.01)) < 12


def test_a_straight_line_that_runs_on_into_an_arc_stays_straight() -> None:
    angles = np.linspace(0, np.pi / 2, 40)
    arc = np.stack([30 + 5 * np.sin(angles), 5 - 5 * np.cos(angles)], 1)
    lines = Polylines(np.concatenate([[(0.0, 0.0)], arc]), np.array([0, 41]))
    curves = fitted(lines, 0.005, 0.01)
    assert curves.points[:4] == pytest.approx(np.array([(0, 0), (10, 0), (20, 0), (30, 0)]), abs=1e-9)
    assert cubics(curves) <= 3


def test_a_ring_is_followed_from_its_first_corner_on() -> None:
    points = np.array([(10, 0), (30, 0), (30, 20), (0, 20), (0, 0), (10, 0)], float)
    curves = fitted(Polylines(points, np.array([0, 6])), 0.01, 0.01)
    assert curves.points[0].tolist() == curves.points[-1].tolist() == [30, 0]


def test_points_that_repeat_the_one_before_change_nothing() -> None:
    lines = Curves.from_strokes([TONGUE]).flattened(0.01)
    doubled = Polylines(np.repeat(lines.points, 2, axis=0), 2 * lines.starts)
    assert (fitted(doubled, 0.01, 0.01).points == fitted(lines, 0.01, 0.01).points).all()


def test_no_lines_give_no_curves() -> None:
    assert len(fitted(Polylines(np.empty((0, 2)), np.zeros(1, np.int64)), 0.01, 0.01)) == 0


def test_many_lines_are_fitted_as_each_alone() -> None:
    strokes = [TONGUE * (1 + i / 50) for i in range(40)]
    lines = Curves.from_strokes(strokes).flattened(0.002)
    together = fitted(lines, 0.005, 0.002)
    for i in (0, 13, 39):
        alone = fitted(Polylines(lines[i].copy(), np.array([0, lines.counts[i]])), 0.005, 0.002)
        assert together[i] == pytest.approx(alone.points, abs=1e-9)


coordinate = st.floats(-50, 50, allow_nan=False, width=32)


@settings(max_examples=examples(60))
@given(st.lists(st.tuples(coordinate, coordinate), min_size=2, max_size=30))
def test_any_points_are_passed_within_the_tolerance(points: list[tuple[float, float]]) -> None:
    array: Floats = np.array(points, float)
    lines = Polylines(array, np.array([0, len(array)]))
    curves = fitted(lines, 0.01, 0.01)
    assert strays(lines, curves) <= 0.01 + 1e-4
    assert np.isfinite(curves.points).all()
