"""Films of searches: every moment is the one that the steps lead to, and the verdict says no more than was proven."""

import numpy as np
import pytest

from studio.base.progress import Cancelled, Progress
from studio.solving import edges
from studio.solving.edges import UNKNOWN, Matching, Strategy, record, solutions, steps

every_strategy = pytest.mark.parametrize("strategy", Strategy, ids=lambda one: one.value)
ROW = ((0, 1), (1, 2), (2, 3))
LONG = Matching(
    tuple((at, at + 1) for at in range(8)), (0, *[UNKNOWN] * 7, 0),
    ((0, 1), (1, 0), (0, 2), (2, 0), (0, 1), (1, 2), (2, 0), (0, 0)),
)  # fmt: skip
"""Eight dominoes in a row, laid in many ways."""


@every_strategy
def test_every_moment_is_where_the_steps_lead(strategy: Strategy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edges, "STRIDE", 8)
    shot = record(LONG, strategy, Progress())
    board, tried, full = [UNKNOWN] * 8, 0, 0
    taken = list(steps(LONG, strategy))
    assert len(shot) == len(taken) > 8 * 8 and shot.complete
    for number, step in enumerate(taken, 1):
        board[step.place] = step.sort if step.is_placed else UNKNOWN
        tried += step.is_placed
        full += step.is_placed and UNKNOWN not in board
        frame = shot.at(number)
        assert shot.board(number).tolist() == board and frame.last == step
        assert (frame.depth, frame.tried, frame.tests, frame.solutions) == (
            8 - board.count(UNKNOWN), tried, step.tests, full,
        )  # fmt: skip
    assert shot.board(0).tolist() == shot.board(len(shot)).tolist() == [UNKNOWN] * 8
    assert shot.at(0).last is None and shot.at(0).tests == 0


@every_strategy
def test_where_a_film_stops_lie_the_solutions_of_the_proof(strategy: Strategy) -> None:
    shot, known = record(LONG, strategy, Progress()), solutions(LONG, Progress(), strategy=strategy)
    stops, at = [], 0
    while at < len(shot):
        at = shot.stop_after(at)
        stops.append(at)
    assert stops[-1] == len(shot) and known.count.solutions > 1
    assert tuple(tuple(shot.board(stop).tolist()) for stop in stops[:-1]) == known.found
    assert shot.at(len(shot)).tried == known.count.nodes


def test_the_verdict_says_what_was_proven_and_no_more() -> None:
    one = Matching(ROW, (1, UNKNOWN, UNKNOWN, 1), ((2, 3), (3, 1), (1, 2)))
    assert (
        record(one, Strategy.INDEXED, Progress()).verdict
        == "Unique solution (exhaustive search: 3 pieces tried, 3 tests)."
    )
    none = Matching(ROW, (1, UNKNOWN, UNKNOWN, 2), one.pieces)
    assert record(none, Strategy.INDEXED, Progress()).verdict.startswith("No solution (exhaustive search: ")
    several = record(LONG, Strategy.INDEXED, Progress())
    assert several.verdict.startswith(f"{len(several.ends)} solutions (exhaustive search: ")
    cut = record(LONG, Strategy.INDEXED, Progress(), nodes=several.ends[0])
    assert not cut.complete and cut.at(len(cut)).tried == several.ends[0]
    assert cut.verdict.startswith(f"At least {len(cut.ends)} solution")
    short = record(one, Strategy.INDEXED, Progress(), nodes=2)
    assert short.verdict == "No solution found; search stopped after 2 pieces tried, 2 tests."
    tested = record(one, Strategy.ONE_BY_ONE, Progress(), tests=4)
    assert (
        not tested.complete and tested.at(len(tested)).tests <= 4 < record(one, tested.strategy, Progress()).tests[-1]
    )


def test_a_long_film_keeps_few_boards() -> None:
    shot = record(LONG, Strategy.ONE_BY_ONE, Progress())
    assert len(shot._kept) == len(shot) // edges.STRIDE + 1
    assert np.array_equal(shot.board(len(shot) // 2), shot.board(len(shot) // 2)), "looking changes nothing"


def test_a_film_that_nobody_waits_for_is_not_recorded() -> None:
    stopped = Progress()
    stopped.cancel()
    with pytest.raises(Cancelled):
        record(LONG, Strategy.INDEXED, stopped)
