"""The camera: rays and pixels agree, and zooming, fitting and turning do what the hand expects."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.geometry.solids.projections import SIDES, Camera
from tests.depth import examples

PIXELS = (360.0, 280.0)


@given(
    st.floats(-180, 180), st.floats(-90, 90), st.floats(5, 355), st.floats(5, 275),
    st.tuples(*[st.floats(-50, 50)] * 3), st.floats(20, 500), st.booleans(),
)  # fmt: skip
def test_a_ray_through_a_pixel_is_seen_at_that_pixel(
    yaw: float, pitch: float, x: float, y: float, target: tuple[float, float, float], span: float, is_parallel: bool
) -> None:
    camera = Camera(yaw, pitch, target, span, is_parallel)
    start, way = camera.ray((x, y), PIXELS)
    place = start + 1.3 * camera.distance * way
    assert camera.project(place[None], PIXELS)[0, :2] == pytest.approx([x, y], abs=1e-6)
    clip = camera.matrix(PIXELS) @ np.array([*place, 1.0])
    right, up = clip[:2] / clip[3]
    assert ((right + 1) * 180, (1 - up) * 140) == pytest.approx((x, y), abs=1e-6)
    assert -1 < clip[2] / clip[3] < 1


@given(st.floats(0.3, 3), st.floats(0, 360), st.floats(0, 280))
def test_what_lies_under_the_cursor_stays_there_when_zoomed(factor: float, x: float, y: float) -> None:
    camera = Camera(30, 20, (3, 4, 5), 80)
    place = camera.spot((x, y), PIXELS)
    nearer = camera.zoomed(factor, (x, y), PIXELS)
    assert nearer.span == pytest.approx(80 / factor)
    assert nearer.project(place[None], PIXELS)[0, :2] == pytest.approx([x, y], abs=1e-6)


@settings(max_examples=examples(40))
@given(st.floats(-180, 180), st.floats(-90, 90), st.tuples(*[st.floats(1, 300)] * 3))
def test_a_fitted_box_touches_the_margin_on_both_sides(
    yaw: float, pitch: float, sides: tuple[float, float, float]
) -> None:
    box = np.array(list(np.ndindex(2, 2, 2))) * np.array(sides) + 7.0
    spots = Camera(yaw, pitch).fitted(box, PIXELS, 30.0).project(box, PIXELS)[:, :2]
    room = np.array([spots[:, 0].min(), 360 - spots[:, 0].max(), spots[:, 1].min(), 280 - spots[:, 1].max()])
    assert room.min() == pytest.approx(30.0, abs=0.01)
    assert min(abs(room[0] - room[1]), abs(room[2] - room[3])) < 2


@given(st.floats(0.3, 3), st.floats(0, 360), st.floats(0, 280))
def test_a_parallel_view_zooms_about_the_cursor_and_shows_equal_lengths_alike(
    factor: float, x: float, y: float
) -> None:
    camera = Camera(30, 20, (3, 4, 5), 80).looking(*SIDES["isometric"])
    place = camera.spot((x, y), PIXELS)
    nearer = camera.zoomed(factor, (x, y), PIXELS)
    assert nearer.project(place[None], PIXELS)[0, :2] == pytest.approx([x, y], abs=1e-6)
    corner = np.array([[0.0, 0, 0], [10, 0, 0], [0, 10, 0], [0, 0, 10], [90, 70, -50], [100, 70, -50]])
    spots = nearer.project(corner, PIXELS)[:, :2]
    lengths = [*np.linalg.norm(spots[1:4] - spots[0], axis=1), float(np.linalg.norm(spots[5] - spots[4]))]
    assert lengths == pytest.approx([lengths[0]] * 4, rel=1e-4)


def test_a_side_seen_in_a_parallel_view_hides_what_lies_behind_it_and_fits() -> None:
    box = np.array(list(np.ndindex(2, 2, 2))) * np.array([30.0, 40.0, 50.0])
    spots = Camera().looking(*SIDES["front"]).fitted(box, PIXELS, 30.0).project(box, PIXELS)[:, :2]
    assert len(np.unique(spots.round(6), axis=0)) == 4
    assert spots[:, 1].min() == pytest.approx(30) and spots[:, 1].max() == pytest.approx(250)
    assert not Camera().looking(0, 0).turned((5, 0)).is_parallel


def test_a_drag_turns_what_is_seen_the_way_the_mouse_goes() -> None:
    camera, near = Camera(-90, 0, (0, 0, 0), 100), np.array([[0.0, -10.0, 0.0]])
    assert camera.turned((20, 0)).project(near, PIXELS)[0, 0] > 180
    assert camera.turned((0, 20)).project(near, PIXELS)[0, 1] > 140
    assert camera.turned((0, 10_000)).pitch == 90 and camera.turned((0, -10_000)).pitch == -90
