"""What an offset does to a polygon: tips that it blunts are no harm, heads and necks that it takes are."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely

from studio.geometry.curves.offsetting import buffered, harms


def house(angle: float, points: int) -> shapely.Polygon:
    """A tip with an angle in degrees and points along its sides, on a block 20 mm high."""
    high, wide = 20.0, 20.0 * math.tan(math.radians(angle / 2))
    shares = [0.02 * 1.7**step for step in range(points)]
    left = [(-wide * share, -high * share) for share in reversed(shares)]
    right = [(wide * share, -high * share) for share in shares]
    return shapely.Polygon([(-wide, -high), *left, (0, 0), *right, (wide, -high), (wide, -40), (-wide, -40)])


@pytest.mark.sampled(4)
@pytest.mark.parametrize("angle", np.arange(13.1, 60.0, 1.7).tolist())
def test_a_tip_that_is_blunted_is_no_harm_however_many_points_it_has(angle: float) -> None:
    houses = np.array([house(angle, points) for points in range(8)], object)
    for offset in (0.1, 0.2, 0.3, 0.4, 0.5, 0.7):
        moved = buffered(houses, -offset)
        assert shapely.area(moved).min() > 0.5 * shapely.area(houses[0])
        assert harms(houses, moved, -offset).tolist() == [0.0] * len(houses)


def test_a_neck_and_a_head_that_an_offset_takes_are_harm() -> None:
    block = shapely.box(0, 0, 20, 20)
    neck = shapely.union_all([block, shapely.box(9.7, 20, 10.3, 22), shapely.box(5, 22, 15, 30)])
    head = shapely.union_all([block, shapely.box(9.7, 20, 10.3, 22), shapely.Point(10, 22.3).buffer(0.35)])
    both = np.array([neck, head], object)
    assert harms(both, buffered(both, -0.29), -0.29)[0] == 0.0
    assert (harms(both, buffered(both, -0.4), -0.4) < 0).all()
