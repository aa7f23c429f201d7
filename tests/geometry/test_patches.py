"""Outlines of tiles: areas known from counting, holes, and patches that touch at a corner only."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from studio.geometry.curves.strokes import Floats, Ints
from studio.geometry.planar.polyomino import outlines

SQUARE = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])


def squares(*places: tuple[int, int]) -> Ints:
    return np.asarray(np.array(places, np.int64).reshape(-1, 1, 2) + SQUARE)


def area(loop: Ints | Floats) -> float:
    x, y = loop.T
    return float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum() / 2)


def test_nothing_has_no_outline() -> None:
    assert outlines(squares()) == ()


def test_a_bar_has_four_corners() -> None:
    (loop,) = outlines(squares((0, 0), (1, 0), (2, 0)))
    assert sorted(map(tuple, loop.tolist())) == [(0, 0), (0, 1), (3, 0), (3, 1)]


def test_a_ring_has_a_hole_that_goes_the_other_way() -> None:
    ring = [(x, y) for x in range(3) for y in range(3) if (x, y) != (1, 1)]
    assert sorted(area(loop) for loop in outlines(squares(*ring))) == [-1, 9]


def test_squares_that_touch_at_a_corner_have_loops_of_their_own() -> None:
    assert [area(loop) for loop in outlines(squares((0, 0), (1, 1)))] == [1, 1]
    assert [area(loop) for loop in outlines(squares((0, 1), (1, 0)))] == [1, 1]


@given(st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1), st.booleans())
def test_loops_enclose_as_much_as_there_are_tiles_either_way_round(places: set[tuple[int, int]], back: bool) -> None:
    tiles = squares(*sorted(places))
    sign = -1 if back else 1
    loops = outlines(tiles[:, ::sign])
    assert sign * sum(area(loop) for loop in loops) == len(places)
    for loop in loops:
        sides = np.abs(np.roll(loop, -1, axis=0) - loop)
        assert (sides.min(axis=1) == 0).all()
