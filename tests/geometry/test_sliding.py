"""Sliding parts off each other: the clearance is that of a slow search which moves the parts themselves."""

import numpy as np
import pytest
import shapely

from studio.geometry.curves.strokes import Floats
from studio.geometry.planar.polyomino import release
from tests.geometry.slowly import slides

ERROR = 0.03
MOST = 0.5


def parts(line: list[tuple[float, float]]) -> tuple[shapely.Polygon, shapely.Polygon, Floats]:
    """The parts above and below a line from left to right."""
    left, right = line[0][0], line[-1][0]
    below = shapely.Polygon([*line, (right, -5.0), (left, -5.0)])
    above = shapely.Polygon([*line, (right, 15.0), (left, 15.0)])
    return below, above, np.array(line)


def lollipop(radius: float, neck: float) -> tuple[shapely.Polygon, shapely.Polygon, Floats]:
    """A round head on a neck."""
    slope = np.arcsin(neck / 2 / radius)
    centre = 1.0 + radius * np.cos(slope)
    angles = np.linspace(-np.pi / 2 - slope, -np.pi / 2 - 2 * np.pi + slope, 200)
    head = [(float(radius * np.cos(at)), float(centre + radius * np.sin(at))) for at in angles]
    return parts([(-6.0, 0.0), (-neck / 2, 0.0), *head, (neck / 2, 0.0), (6.0, 0.0)])


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("radius", "neck"), [(2.0, 3.6), (2.0, 3.2), (1.0, 1.4), (1.5, 2.1)])
def test_a_head_comes_through_where_both_cuts_leave_it_room(radius: float, neck: float) -> None:
    one, other, contact = lollipop(radius, neck)
    assert release(one, other, contact) == pytest.approx(radius - neck / 2, abs=ERROR)
    assert release(other, one, contact) == pytest.approx(radius - neck / 2, abs=ERROR)


def test_a_head_much_wider_than_its_neck_holds() -> None:
    one, other, contact = lollipop(2.0, 2.6)
    assert release(one, other, contact) is None
    assert not slides(one, other, contact, MOST)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("aside", [0.0, 1.0, 4.0, -6.0])
def test_a_tongue_with_parallel_flanks_slides_out_along_them(aside: float) -> None:
    contact = parts([(-9.0, 0.0), (-1.0, 0.0), (-1.0 + aside, 4.0), (1.0 + aside, 4.0), (1.0, 0.0), (9.0, 0.0)])
    assert release(*contact) == pytest.approx(0.0, abs=ERROR)


def test_a_bent_tongue_holds_where_no_straight_way_leads_out() -> None:
    hook = [(-9.0, 0.0), (-1.0, 0.0), (-1.0, 5.0), (4.0, 5.0), (4.0, 3.0), (1.0, 3.0), (1.0, 0.0), (9.0, 0.0)]
    assert release(*parts(hook)) is None


@pytest.mark.sampled(2)
@pytest.mark.parametrize("widening", [0.2, 0.4, 0.7])
@pytest.mark.parametrize("leaning", [0.0, 0.8])
def test_the_clearance_is_that_of_the_slow_search_where_outlines_have_corners(widening: float, leaning: float) -> None:
    wide = 1.0 + widening
    one, other, contact = parts(
        [(-9.0, 0.0), (-1.0, 0.0), (-wide + leaning, 3.0), (wide + leaning, 3.0), (1.0, 0.0), (9.0, 0.0)]
    )
    needed = release(one, other, contact)
    if needed is None:
        assert not slides(one, other, contact, MOST - ERROR)
    else:
        assert slides(one, other, contact, needed + ERROR) and not slides(one, other, contact, needed - ERROR)


def test_a_part_all_round_another_never_slides() -> None:
    disc, sheet = shapely.Point(0, 0).buffer(3.0), shapely.box(-9, -9, 9, 9)
    contact = shapely.get_coordinates(shapely.boundary(disc))
    assert release(disc, shapely.difference(sheet, disc), contact) is None


def test_large_parts_are_compared_on_a_smaller_scale() -> None:
    one, other, contact = lollipop(2.0, 3.6)
    large, around = (shapely.transform(each, lambda points: 100 * points) for each in (one, other))
    assert release(large, around, 100 * contact) is None
    hump = [(-900.0, 0.0), (-300.0, 0.0), (0.0, 10.0), (300.0, 0.0), (900.0, 0.0)]
    assert release(*parts(hump)) == pytest.approx(0.0, abs=0.1)
