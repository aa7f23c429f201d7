"""Outlines of the set cells of a raster: their areas, their holes and how near they stay."""

import numpy as np
import pytest
import shapely

from studio.base.errors import StudioError
from studio.geometry.planar.polyomino import traced

SMOOTHING = 0.75


def disc(across: int, radius: float) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    down, right = np.mgrid[0:across, 0:across] + 0.5 - across / 2
    return np.asarray(down**2 + right**2 < radius**2)


def test_a_rectangle_of_cells_is_that_rectangle() -> None:
    cells = np.zeros((20, 30), bool)
    cells[4:10, 5:25] = True
    assert shapely.hausdorff_distance(traced(cells), shapely.box(5, 4, 25, 10)) < SMOOTHING


def test_a_disc_is_round_with_few_points_and_a_ring_has_its_hole() -> None:
    found = traced(disc(200, 80.0))
    round_one = shapely.Point(100, 100).buffer(80.0, quad_segs=64)
    assert shapely.hausdorff_distance(found, round_one) < SMOOTHING + 1
    assert shapely.area(found) == pytest.approx(np.pi * 80**2, rel=0.01)
    assert shapely.get_num_coordinates(found) < 80
    ring = traced(disc(200, 80.0) & ~disc(200, 40.0))
    assert len(ring.interiors) == 1 and shapely.area(ring) == pytest.approx(np.pi * (80**2 - 40**2), rel=0.01)


def test_specks_are_left_out_and_noise_is_still_an_area() -> None:
    cells = np.zeros((50, 50), bool)
    cells[10, 10] = cells[20:22, 20] = True
    assert traced(cells).is_empty and traced(np.zeros((5, 5), bool)).is_empty
    cells[30:40, 30:40] = True
    cells[35, 35] = False
    assert shapely.hausdorff_distance(traced(cells), shapely.box(30, 30, 40, 40)) < SMOOTHING
    noise = traced(np.random.default_rng(1).random((100, 100)) < 0.5)
    assert shapely.is_valid(noise) and 0 < shapely.area(noise) < 100 * 100


def test_noise_is_refused_before_its_outlines_are_put_together() -> None:
    cells = np.random.default_rng(1).random((512, 512)) < 0.5
    with pytest.raises(StudioError, match="more than 100,000 edges"):
        traced(cells)
