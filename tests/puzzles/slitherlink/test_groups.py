"""What follows from the ways of a group, held against listing them; and sides of cells."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.geometry.board.grids import GRIDS
from studio.puzzles.slitherlink.edge_groups import EQUAL, OPPOSITE, Contradiction, Sides, ground_of, ways_of
from studio.puzzles.slitherlink.model import SlitherlinkParameters


@given(size=st.integers(2, 4), data=st.data())
def test_what_follows_from_ways_is_what_all_of_their_states_have_in_common(size: int, data: st.DataObject) -> None:
    ways = ways_of(size)
    left = data.draw(st.integers(1, ways.every))
    states = [
        [state >> edge & 1 for edge in range(size)] for state in range(1 << size) if left >> state & 1
    ]  # fmt: skip
    on = tuple(edge for edge in range(size) if all(state[edge] for state in states))
    off = tuple(edge for edge in range(size) if not any(state[edge] for state in states))
    assert ways.fixed[left] == (on, off)
    for edge in range(size):
        pairs = {state[edge] + 2 * state[(edge + 1) % size] for state in states}
        assert ways.masks[left][edge] == sum(1 << pair for pair in pairs)
    for one, other, parity in ways.links[left]:
        assert {state[one] ^ state[other] for state in states} == {parity}


def test_ways_with_some_combinations_of_two_edges() -> None:
    ways = ways_of(3)
    assert ways.allowed[0][0b1111] == ways.every and ways.allowed[0][0] == 0
    assert ways.pair(0, 2, EQUAL) | ways.pair(0, 2, OPPOSITE) == ways.every
    assert ways.sums[0] == 1 and ways.sums[3] == 1 << 0b111
    assert [bits.bit_count() for bits in ways.sums] == [1, 3, 3, 1]


@pytest.mark.parametrize("form", GRIDS)
def test_a_dot_and_a_cell_share_the_two_edges_of_their_corner(form: str) -> None:
    ground = ground_of(SlitherlinkParameters(grid=form, columns=5, rows=4).net)
    for group, corners in enumerate(ground.corners):
        edges = ground.edges[group]
        for here, other, there in corners:
            theirs = ground.edges[other]
            assert (other < ground.dots) != (group < ground.dots)
            pair = edges[here], edges[(here + 1) % len(edges)]
            assert pair == (theirs[there], theirs[(there + 1) % len(theirs)])
        if group >= ground.dots:
            assert len(corners) == len(edges)


def test_sides_that_are_linked_are_known_of_all_between_them() -> None:
    sides = Sides(6)
    assert sides.apart(0, 1) is None
    assert sides.link(0, 1, True) and sides.link(2, 3, False) and sides.link(1, 2, True)
    assert not sides.link(0, 3, False), "that was known"
    for one, other in product(range(4), repeat=2):
        assert sides.apart(one, other) == ((one == 1) != (other == 1))
    assert sides.apart(0, 5) is None
    with pytest.raises(Contradiction):
        sides.link(0, 1, False)
