"""Edge matching: every order of search finds the same solutions, which a plain solver confirms."""

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.base.progress import Cancelled, Progress
from studio.solving import edges
from studio.solving.edges import UNKNOWN, Matching, Step, Strategy, proven, solutions, steps
from tests.depth import examples

every_strategy = pytest.mark.parametrize("strategy", Strategy, ids=lambda one: one.value)
# Places in a row: each shows the side at its left and the one at its right; the first and last are given.
ROW = ((0, 1), (1, 2), (2, 3))


def plain(matching: Matching) -> set[tuple[tuple[int, ...], ...]]:
    """The colours laid on every place, for every solution: all orders of all pieces are tried."""
    found = set()
    for order in permutations(matching.pieces):
        colours = dict(enumerate(matching.given))
        good = True
        for sides, shown in zip(matching.slots, order, strict=True):
            for side, colour in zip(sides, shown, strict=True):
                good &= colours[side] in (UNKNOWN, colour)
                colours[side] = colour
        if good:
            found.add(order)
    return found


@every_strategy
def test_a_row_of_dominoes_has_the_one_solution_that_can_be_seen(strategy: Strategy) -> None:
    matching = Matching(ROW, (1, UNKNOWN, UNKNOWN, 1), ((2, 3), (3, 1), (1, 2)))
    known = solutions(matching, Progress(), strategy=strategy)
    assert known.found == ((2, 0, 1),) and known.count.complete and known.deepest == 3


@st.composite
def matchings(draw: st.DrawFn) -> Matching:
    colour = st.integers(0, 2)
    slots = ((0, 1, 4), (1, 2, 5), (4, 3, 6), (5, 6, 7))
    given_ = draw(st.tuples(*[colour | st.just(UNKNOWN)] * 8))
    return Matching(slots, given_, draw(st.tuples(*[st.tuples(colour, colour, colour)] * 4)))


@given(matchings())
@settings(max_examples=examples(150))
def test_every_strategy_finds_what_trying_all_orders_finds(matching: Matching) -> None:
    wanted = plain(matching)
    for strategy in Strategy:
        known = solutions(matching, Progress(), strategy=strategy)
        assert known.count.complete and known.count.solutions == len(known.found) == len(wanted)
        assert {tuple(matching.sorts[sort] for sort in placed) for placed in known.found} == wanted


@every_strategy
def test_steps_lay_and_lift_and_end_with_an_empty_board(strategy: Strategy) -> None:
    matching = Matching(ROW, (1, UNKNOWN, UNKNOWN, UNKNOWN), ((1, 2), (1, 2), (2, 1)))
    board: dict[int, int] = {}
    tests = 0
    taken: list[Step] = list(steps(matching, strategy))
    for step in taken:
        if step.is_placed:
            assert step.place not in board
            board[step.place] = step.sort
        else:
            assert board.pop(step.place) == step.sort
        assert step.tests >= tests
        tests = step.tests
    assert board == {} and len(taken) == 2 * sum(step.is_placed for step in taken) > 0


def test_pieces_that_are_alike_make_no_other_solution() -> None:
    alike = Matching(ROW, (1, UNKNOWN, UNKNOWN, 1), ((1, 1), (1, 1), (1, 1)))
    assert solutions(alike, Progress()).count.solutions == 1 and alike.members == ((0, 1, 2),)


def test_a_search_that_gives_up_is_not_complete() -> None:
    matching = Matching(ROW, (UNKNOWN,) * 4, ((1, 1), (1, 2), (2, 1)))
    whole = solutions(matching, Progress()).count
    assert whole.complete and whole.solutions > 1
    assert not solutions(matching, Progress(), most=1).count.complete
    few = solutions(matching, Progress(), nodes=2).count
    assert (few.nodes, few.complete) == (2, False)


def test_decoys_are_the_wrong_sorts_that_fit() -> None:
    matching = Matching(ROW, (1, UNKNOWN, UNKNOWN, 1), ((1, 2), (2, 1), (1, 1)))
    # At the start (1, 1) fits as well; at the second place (2, 1) alone; at the third the last (1, 1) alone.
    assert matching.decoys == (1, 0, 0)


def test_a_search_that_nobody_waits_for_ends() -> None:
    stopped = Progress()
    stopped.cancel()
    with pytest.raises(Cancelled):
        solutions(Matching(ROW, (UNKNOWN,) * 4, ((1, 1), (1, 2), (2, 1))), stopped)


def test_places_are_filled_from_the_end_where_that_leaves_less_choice() -> None:
    # Every piece has a colour of its own at the right end of the row, which the border knows.
    pieces = ((1, 2, 1), (1, 3, 2), (1, 4, 3))
    slots = ((0, 1, 4), (0, 2, 5), (0, 3, 6))
    known = Matching(slots, (1, UNKNOWN, UNKNOWN, UNKNOWN, 1, 2, 3), pieces)
    assert known.order == (0, 1, 2), "nothing is won by turning round"
    chain = Matching(((0, 1), (1, 2), (2, 3)), (UNKNOWN, UNKNOWN, UNKNOWN, 9), ((1, 2), (2, 3), (3, 9)))
    assert chain.order == (2, 1, 0)
    assert solutions(chain, Progress()).count.nodes == 3
    assert solutions(chain, Progress(), strategy=Strategy.ONE_BY_ONE).count.nodes > 3


@given(matchings())
@settings(max_examples=examples(50))
def test_a_proof_that_changes_its_search_on_the_way_finds_the_same(matching: Matching) -> None:
    wandering = edges.WANDERING
    edges.WANDERING = 0
    try:
        known = proven(matching, Progress(), nodes=1000)
    finally:
        edges.WANDERING = wandering
    assert known.count.complete
    assert set(known.found) == set(solutions(matching, Progress()).found)


def test_a_proof_that_gives_up_says_so() -> None:
    matching = Matching(ROW, (UNKNOWN,) * 4, ((1, 1), (1, 2), (2, 1)))
    assert not proven(matching, Progress(), nodes=2).count.complete
    assert proven(matching, Progress(), nodes=1000).count.complete


def test_a_proof_that_gives_up_keeps_what_one_of_its_searches_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edges, "WANDERING", 1)
    matching = Matching(ROW, (UNKNOWN,) * 4, ((1, 1), (1, 2), (2, 1)))
    for limit in range(1, 30):
        known = proven(matching, Progress(), nodes=limit)
        first = solutions(matching, Progress(), nodes=min(limit, len(ROW)))
        assert len(known.found) >= len(first.found) and known.count.solutions == len(known.found)
        assert known.count.nodes <= limit


def test_pieces_that_are_used_up_are_no_decoys() -> None:
    # Every place shows a side of its own; (1, 1) comes first, so that at the second place only (1, 2) is left.
    matching = Matching(((0, 1), (0, 2)), (1, UNKNOWN, UNKNOWN), ((1, 1), (1, 2)))
    assert matching.decoys == (1, 0)
