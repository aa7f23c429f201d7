from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.exporting.writers.path_segments import polylines
from studio.geometry.curves.strokes import Curves, Floats, straight
from studio.geometry.planar.drawing import Drawing
from tests.depth import examples

SHORTEST = 0.1


def dense(points: Floats, count: int = 400) -> Floats:
    """Points of a stroke, `count` a cubic, by de Casteljau: none of our own flattening."""
    t = np.linspace(0, 1, count)[:, None]
    parts = []
    for at in range(0, len(points) - 1, 3):
        level = [points[at + i][None] for i in range(4)]
        while len(level) > 1:
            level = [a * (1 - t) + b * t for a, b in pairwise(level)]
        parts.append(level[0])
    return np.concatenate(parts)


def strays(strokes: Curves, tolerance: float) -> float:
    lines = polylines(strokes, tolerance)
    return max(
        float(shapely.distance(shapely.points(dense(strokes[i])), shapely.linestrings(lines[i])).max())
        for i in range(len(strokes))
    )


@pytest.mark.parametrize("tolerance", [0.001, 0.02, 0.3, 1.0])
def test_polylines_stay_within_the_tolerance(grid: Callable[..., Drawing], tolerance: float) -> None:
    assert strays(grid(3, 2).strokes, tolerance) <= tolerance


coordinate = st.floats(-50, 50, allow_nan=False, width=32)
cubic = st.lists(st.tuples(coordinate, coordinate), min_size=4, max_size=4)


@settings(max_examples=examples(60))
@given(st.lists(cubic, min_size=1, max_size=3), st.sampled_from([0.005, 0.02, 0.5]))
def test_any_curves_stay_within_the_tolerance_and_keep_their_ends(
    cubics: list[list[tuple[float, float]]], tolerance: float
) -> None:
    strokes = Curves.from_strokes([np.array(points, float) for points in cubics])
    lines = polylines(strokes, tolerance)
    assert strays(strokes, tolerance) <= tolerance + 1e-9
    for i in range(len(strokes)):
        assert (lines[i][0] == strokes[i][0]).all() and (lines[i][-1] == strokes[i][-1]).all()


def test_straight_strokes_need_two_points() -> None:
    ends = np.array([[(0, 0), (300, 0)], [(1, 2), (7, 9)]], float)
    assert polylines(straight(ends), 0.02).counts.tolist() == [2, 2]


def test_a_quarter_circle_gets_the_points_that_geometry_demands(grid: Callable[..., Drawing]) -> None:
    # A chord of an arc of radius r strays by r (1 - cos(angle / 2)), so a quarter needs at least this many.
    radius, tolerance, k = 10.0, 0.02, 0.5522847498
    arc = radius * np.array([(1, 0), (1, k), (k, 1), (0, 1)])
    least = np.ceil(np.pi / 2 / (2 * np.arccos(1 - tolerance / radius)))
    assert least <= polylines(Curves.from_strokes([arc]), tolerance).counts[0] - 1 <= 2 * least


def test_there_are_no_short_segments_at_the_usual_tolerance(grid: Callable[..., Drawing]) -> None:
    lines = polylines(grid(6, 5).strokes, 0.02)
    shortest = min(float(np.hypot(*np.diff(lines[i], axis=0).T).min()) for i in range(len(lines)))
    assert shortest >= SHORTEST


def test_simplifying_takes_points_from_the_flattening(grid: Callable[..., Drawing]) -> None:
    strokes = grid(6, 5).strokes
    assert len(polylines(strokes, 0.02).points) < 0.85 * len(strokes.flattened(0.02).points)
