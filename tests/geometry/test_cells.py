"""Grids of cells that differ: nothing too small to click or to read, everything with a name of its own."""

from itertools import product

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.base.errors import StudioError
from studio.geometry.board.board_outline import bounded
from studio.geometry.board.board_spec import FROM_FILE, OUTLINES, RINGS, Form
from studio.geometry.board.grids import GRIDS, Grid, Layout, Mesh, grid
from tests.depth import examples

LEAST_CIRCLE = 0.5
MOST_SIDES = 12
SHORTEST = 0.4

FORMS = [outline for outline in OUTLINES if outline != FROM_FILE]
every_grid = pytest.mark.parametrize(
    ("form", "outline"), [pair for pair in product(GRIDS, FORMS) if not Layout(pair[0], 3, 3, pair[1]).is_regular]
)

every_form = pytest.mark.parametrize("form", GRIDS)


def hold(cells: Grid, form: str) -> None:
    """Assert all that a puzzle needs of its grid."""
    # The middle of rings has an edge for every piece of the ring around it.
    middle = "A1" if form == RINGS else ""
    corners, rings = cells.corners(1.0), [list(ring) for ring in cells.cells]
    assert len(cells.points) - len(cells.edges) + len(cells.cells) == 1
    ends = corners[cells.edges]
    assert np.hypot(*(ends[:, 1] - ends[:, 0]).T).min() >= SHORTEST - 1e-9
    assert cells.circles.min() >= LEAST_CIRCLE * np.median(cells.circles) - 0.02
    assert max(len(ring) for ring, name in zip(rings, cells.names, strict=True) if name != middle) <= MOST_SIDES
    polygons = [shapely.Polygon(corners[ring]) for ring in rings]
    assert all(one.is_valid and one.exterior.is_ccw for one in polygons)
    assert sum(one.area for one in polygons) == pytest.approx(shapely.union_all(polygons).area)
    places = shapely.points(cells.middles(1.0))
    assert (shapely.distance([one.exterior for one in polygons], places) >= cells.circles - 0.02).all()
    for names in (cells.names, cells.dot_names, cells.line_names):
        assert len({*names}) == len(names)
    assert not {*cells.names} & {*cells.line_names}
    assert sum(cells.counts) == len(cells.names) and cells.rim[0] == 0
    assert corners.min() >= -1e-6 and (corners.max(axis=0) <= np.array(cells.size) + 1e-6).all()


@pytest.mark.sampled(14)
@every_grid
@pytest.mark.parametrize("size", [(3, 3), (5, 9), (12, 10)])
def test_edges_can_be_clicked_clues_can_be_read_and_all_has_a_name(
    form: str, outline: str, size: tuple[int, int]
) -> None:
    for seed in (1, 2):
        hold(grid(Layout(form, *size, outline, 6, seed)), form)


@pytest.mark.sampled(9)
@every_grid
def test_cells_fill_the_outline_and_are_about_as_many_as_asked(form: str, outline: str) -> None:
    cells = grid(Layout(form, 14, 12, outline))
    corners = cells.corners(1.0)
    area = shapely.union_all([shapely.Polygon(corners[list(ring)]) for ring in cells.cells]).area
    region = bounded(Form(outline, *cells.size)).region
    assert area == pytest.approx(region.area, rel=0.05)
    share = region.area / (cells.size[0] * cells.size[1])
    assert len(cells.cells) == pytest.approx(14 * 12 * share, rel=0.17)


@settings(max_examples=examples(40, 1200))
@given(
    form=st.sampled_from([*GRIDS]), outline=st.sampled_from(FORMS), columns=st.integers(3, 16), rows=st.integers(3, 16),
    sides=st.integers(3, 24), seed=st.integers(0, 2**31),
)  # fmt: skip
def test_any_board_that_is_not_refused_holds(
    form: str, outline: str, columns: int, rows: int, sides: int, seed: int
) -> None:
    layout = Layout(form, columns, rows, outline, sides, seed)
    if layout.is_regular:
        return
    try:
        cells = grid(layout)
    except StudioError as problem:
        assert "outline" in str(problem)
        return
    hold(cells, form)


SLOT = np.array([(0, 0), (200, 0), (200, 200), (104, 200), (104, 60), (96, 60), (96, 200), (0, 200), (0, 0)], float)


@pytest.mark.sampled(3)
@every_form
def test_corners_of_the_outline_that_are_too_close_to_each_other_become_one(form: str) -> None:
    hold(grid(Layout(form, 3, 3, "polygon", 24)), form)
    sides = np.linspace(SLOT[:-1], SLOT[1:], 3, endpoint=False, axis=1).reshape(-1, 2)
    cells = grid(Layout(form, 8, 8, FROM_FILE, path=(tuple((x, y) for x, y in [*sides.tolist(), (0.0, 0.0)]),)))
    hold(cells, form)
    assert len(cells.cells) == pytest.approx(64, rel=0.2), "cells beside the bottom of the slot do not join"


def test_a_name_outlives_more_rows_and_another_outline() -> None:
    small, large = grid(Layout("voronoi", 9, 8, seed=3)), grid(Layout("voronoi", 9, 12, seed=3))
    assert len({*small.names} & {*large.names}) == len(small.names)
    heart = grid(Layout("voronoi", 9, 8, "heart", seed=3))
    assert {*heart.names} < {*small.names}
    assert len({*heart.line_names} & {*small.line_names}) > 0.6 * len(heart.line_names)


def test_rings_in_a_long_box_are_not_narrower_than_one_to_two() -> None:
    width, height = grid(Layout(RINGS, 24, 4, "ellipse")).size
    assert width / height == pytest.approx(2.0)


def test_short_edges_are_drawn_together_and_specks_join_the_neighbour_they_share_most_with() -> None:
    places = np.array([(0, 0), (2, 0), (2.1, 0), (4, 0), (4, 2), (2.1, 2), (2, 2), (0, 2), (3.9, 0), (4, 0.2)], float)
    left, right, speck = [0, 1, 6, 7], [2, 8, 9, 4, 5], [8, 3, 9]
    mesh = Mesh(places, [left, [1, 2, 5, 6], right, speck], [0, 3, 4, 7])
    mesh.tidy()
    assert sorted(len(ring) for ring in mesh.rings.values()) == [4, 4]
    areas = sorted(shapely.Polygon(mesh.places[ring]).area for ring in mesh.rings.values())
    assert areas == pytest.approx([3.85, 4.15]), "the narrow cell is a triangle first, which one of them takes in"
    assert len(mesh.rim) == 6
