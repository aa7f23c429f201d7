"""Hidden surfaces of voxels, held against a search along every line of sight."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.geometry.curves.strokes import Floats
from studio.geometry.solids.projections import BlockSide, paper, seen
from tests.depth import examples

RHOMBUS = 3**0.5 / 2
"""The area on paper of one side of a voxel."""


def area(loop: Floats) -> float:
    x, y = loop.T
    return float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum() / 2)


def test_a_voxel_is_a_hexagon_of_three_sides() -> None:
    sight = seen(np.array([[0, 0, 0]]), np.array([7]))
    assert [flat.side for flat in sight.flats] == [BlockSide.RIGHT, BlockSide.FRONT, BlockSide.TOP]
    assert [abs(area(flat.loops[0])) for flat in sight.flats] == pytest.approx([RHOMBUS] * 3)
    ((body, (outline,)),) = sight.bodies
    assert body == 7 and len(outline) == 6
    assert np.linalg.norm(outline - np.roll(outline, 1, axis=0), axis=1) == pytest.approx(1.0)


def test_what_stands_to_the_right_in_front_or_above_is_where_it_should_be_on_paper() -> None:
    right, back, up = paper(np.eye(3))
    assert right[0] > 0 and right[1] > 0 and back[0] > 0 and back[1] < 0 and up.tolist() == [0.0, -1.0]
    assert BlockSide.TOP.across == pytest.approx(right) and BlockSide.TOP.down == pytest.approx(-back)
    assert BlockSide.FRONT.across == pytest.approx(right) and BlockSide.FRONT.down == pytest.approx([0, 1])
    assert BlockSide.RIGHT.across == pytest.approx(back)


def test_a_voxel_straight_behind_another_is_not_seen() -> None:
    sight = seen(np.array([[0, 0, 0], [1, -1, 1]]), np.array([0, 1]))
    assert {flat.body for flat in sight.flats} == {1}
    assert not sight.shows(0, np.array([0, 0, 0]), BlockSide.TOP) and sight.shows(
        1, np.array([1, -1, 1]), BlockSide.TOP
    )


def test_a_flat_of_several_voxels_is_one_shape_and_a_hole_in_it_stays_open() -> None:
    ring = np.array([[x, y, 0] for x in range(3) for y in range(3) if (x, y) != (1, 1)])
    sight = seen(ring, np.zeros(8, int))
    (top,) = [flat for flat in sight.flats if flat.side is BlockSide.TOP]
    assert sum(area(loop) for loop in top.loops) == pytest.approx(8 * RHOMBUS) and len(top.loops) == 2


def first_met(spot: Floats, voxels: dict[tuple[int, ...], int]) -> int | None:
    """The body that a line of sight through a place on paper meets first, coming from the eye."""
    total, difference = spot[0] / RHOMBUS, 2 * spot[1]
    start, way = np.array([(total + difference) / 2, (total - difference) / 2, 0.0]), np.array([1.0, -1.0, 1.0])
    low = np.array(list(voxels), float)
    ends = np.sort(np.stack([(low - start) / way, (low + 1 - start) / way]), axis=0)
    enters, leaves = ends[0].max(axis=1), ends[1].min(axis=1)
    met = np.flatnonzero(enters < leaves)
    return list(voxels.values())[met[leaves[met].argmax()]] if len(met) else None


def holds(loops: tuple[Floats, ...], spot: Floats) -> bool:
    """Whether a place lies within loops: a line from it to the right crosses them an odd number of times."""
    crossings = 0
    for loop in loops:
        here, there = loop, np.roll(loop, -1, axis=0)
        crosses = (here[:, 1] > spot[1]) != (there[:, 1] > spot[1])
        slope = (there[:, 0] - here[:, 0]) / np.where(crosses, there[:, 1] - here[:, 1], 1.0)
        crossings += int((crosses & (here[:, 0] + (spot[1] - here[:, 1]) * slope > spot[0])).sum())
    return crossings % 2 == 1


@settings(max_examples=examples(30, 500))
@given(
    st.dictionaries(st.tuples(*[st.integers(0, 3)] * 3), st.integers(0, 2), min_size=1, max_size=30),
    st.integers(0, 1000),
)
def test_every_place_shows_the_body_that_its_line_of_sight_meets_first(
    voxels: dict[tuple[int, ...], int], chance: int
) -> None:
    sight = seen(np.array(list(voxels)), np.array(list(voxels.values())))
    for spot in np.random.default_rng(chance).uniform([0, -5], [7, 3], (20, 2)):
        met = first_met(spot, voxels)
        expected = [] if met is None else [met]
        assert [body for body, loops in sight.bodies if holds(loops, spot)] == expected
        assert [flat.body for flat in sight.flats if holds(flat.loops, spot)] == expected
