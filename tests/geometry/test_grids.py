"""Grids of squares, hexagons and triangles: as many cells, edges and dots as there must be, and tilings of the same."""

import numpy as np
import pytest

from studio.geometry.board.board_spec import BRICKS
from studio.geometry.board.grids import GRIDS, HEXAGON, SQUARE, TRIANGLE, Layout, grid

REGULAR = [form for form in GRIDS if Layout(form, 3, 3).is_regular]
every_form = pytest.mark.parametrize("form", REGULAR)


@every_form
@pytest.mark.parametrize("size", [(3, 3), (5, 4), (4, 7)])
def test_cells_edges_and_dots_satisfy_euler_and_cells_are_alike(form: str, size: tuple[int, int]) -> None:
    cells = grid(Layout(form, *size))
    assert len(cells.cells) == len(cells.names) == size[0] * size[1]
    assert len(cells.points) - len(cells.edges) + len(cells.cells) == 1
    corners = cells.corners(7.0)
    lengths = np.hypot(*(corners[cells.edges[:, 0]] - corners[cells.edges[:, 1]]).T)
    assert np.allclose(lengths, 7.0), "every edge is as long as asked"
    assert corners.min() == 0.0


@pytest.mark.parametrize(
    ("form", "edges", "dots"),
    [(SQUARE, 2 * 60 * 61, 61 * 61), (HEXAGON, 3 * 60 * 60 + 4 * 60 - 1, 2 * 61 * 61 - 2), (TRIANGLE, 5490, 1891)],
)
def test_the_largest_grids_have_as_many_edges_and_dots_as_counted_otherwise(form: str, edges: int, dots: int) -> None:
    cells = grid(Layout(form, 60, 60))
    assert (len(cells.edges), len(cells.points)) == (edges, dots)


@every_form
def test_cells_are_followed_clockwise_on_the_screen(form: str) -> None:
    cells = grid(Layout(form, 4, 5))
    corners = cells.corners(1.0)
    for ring in cells.cells:
        x, y = corners[list(ring)].T
        assert (x * np.roll(y, -1) - np.roll(x, -1) * y).sum() > 0


@every_form
def test_as_a_tiling_a_grid_keeps_its_names_and_its_incentres_are_the_middles(form: str) -> None:
    cells = grid(Layout(form, 5, 4))
    tiling = cells.tiling(10.0)
    assert sorted(tiling.piece_names) == sorted(cells.names)
    numbers = [cells.numbers[name] for name in tiling.piece_names]
    assert np.allclose(tiling.incentres[:, :2], cells.middles(10.0)[numbers], atol=0.1)


@pytest.mark.parametrize(
    ("form", "radius"), [(SQUARE, 0.5), (BRICKS, 0.5), (HEXAGON, 3**0.5 / 2), (TRIANGLE, 3**0.5 / 6)]
)
def test_the_circle_in_a_cell_touches_its_edges(form: str, radius: float) -> None:
    assert grid(Layout(form, 4, 4)).circle == pytest.approx(radius, rel=1e-12)
