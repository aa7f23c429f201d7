"""Thin parts and narrow notches of a shape are found where they are, and pointed ends are none."""

import numpy as np
import pytest

from studio.geometry.curves.offsetting import narrow_notch, region, thin_part
from studio.geometry.curves.strokes import Floats, closed_through
from studio.geometry.planar.polyomino import disc


def ring(*corners: tuple[float, float]) -> Floats:
    return closed_through(np.array(corners, float))


def dumb_bell(neck: float) -> Floats:
    half = neck / 2
    return ring((-20, -10), (-5, -10), (-5, -half), (5, -half), (5, -10), (20, -10),
                (20, 10), (5, 10), (5, half), (-5, half), (-5, 10), (-20, 10))  # fmt: skip


def test_a_neck_is_thin_below_its_width() -> None:
    assert thin_part((dumb_bell(3.0),), 3.0) is None
    place = thin_part((dumb_bell(2.9),), 3.0)
    assert place is not None and abs(place[0]) <= 5 and abs(place[1]) <= 1.5


def test_a_short_neck_is_thin_too() -> None:
    bow = ring((-20, -10), (0, -1), (20, -10), (20, 10), (0, 1), (-20, 10))
    place = thin_part((bow,), 3.0)
    assert place == pytest.approx((0, 0), abs=3.0)


def test_a_whisker_is_thin() -> None:
    place = thin_part((ring((0, 0), (20, 0), (20, 9), (40, 9), (40, 10), (20, 10), (20, 20), (0, 20)),), 2.0)
    assert place is not None and place[0] > 20


def test_a_corner_is_not_thin() -> None:
    assert thin_part((ring((0, 0), (20, 0), (20, 20), (0, 20)),), 4.0) is None


def test_a_wall_beside_a_hole_is_thin() -> None:
    hole = disc(5.0)[::-1]
    assert thin_part((disc(8.1), hole), 3.0) is None
    assert thin_part((disc(7.9), hole), 3.0) is not None


def test_a_slit_is_a_narrow_notch_and_a_bay_is_none() -> None:
    for depth, width, is_narrow in ((10, 1.9, True), (10, 2.1, False), (1, 1.9, False)):
        half = width / 2
        comb = ring((0, 0), (20, 0), (20, 20), (10 + half, 20), (10 + half, 20 - depth), (10 - half, 20 - depth),
                    (10 - half, 20), (0, 20))  # fmt: skip
        place = narrow_notch((comb,), 2.0)
        assert (place is not None) is is_narrow
        if place is not None:
            assert abs(place[0] - 10) <= 1 and place[1] > 10
    assert narrow_notch((disc(9.0), disc(0.9)[::-1]), 2.0) is not None
    assert narrow_notch((disc(9.0), disc(1.1)[::-1]), 2.0) is None


def test_a_region_has_its_holes() -> None:
    assert region((disc(8.0), disc(5.0)[::-1]), 1e-4).area == pytest.approx(np.pi * 39, rel=1e-3)
