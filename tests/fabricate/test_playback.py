"""Any moment of a cut plan: where the head is, what is cut, what has fallen; held against counting step by step."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.fabricate.cutting_time import Timeline
from studio.fabricate.plan import Plan, Playback, Snapshot, Strategy
from studio.geometry.curves.strokes import straight
from studio.geometry.planar.drawing import Chain, Drawing, Operation, Pieces

INNER, BORDER = Operation.INNER, Operation.BORDER
NEVER = float("inf")
SQUARE = [(0, 0), (10, 0), (10, 10), (0, 10), (0, 0)]


def plan(chains: list[tuple[Operation, list[int]]], line: Timeline, pieces: int = 1) -> Plan:
    """A plan of the four sides of a square and what a test says of its time."""
    strokes = straight(np.array(list(pairwise(SQUARE)), float))
    codes = np.tile(np.arange(4) * 2, pieces)
    drawing = Drawing(
        10.0, 10.0, strokes,
        tuple(Chain(operation, np.array(strokes_, np.int64)) for operation, strokes_ in chains),
        Pieces(codes, np.arange(pieces + 1) * 4, tuple(f"A{number}" for number in range(pieces))),
    )  # fmt: skip
    return Plan(Strategy.SNAKE, drawing, 0, 40, 2, 0, 1, 0, 1, 1, np.zeros(pieces, np.int64), line)


def around() -> Playback:
    """Travel 1 s to (0, 0); two sides, each 2 s; 1 s of waiting; 1 s of travel to and fro; two sides, each 2 s."""
    points = [(3, 4), (0, 0), (10, 0), (10, 10), (10, 10), (0, 10), (10, 10), (5, 10), (0, 10), (0, 0)]
    times = [0, 1, 3, 5, 6, 6.5, 7, 8, 9, 11]
    cuts = [-1, 0, 1, -1, -1, -1, 2, 2, 3]
    line = Timeline(np.array(points, float), np.array(times, float), np.array(cuts), np.array([NEVER, 11.0, 5.0]))
    return Playback(plan([(INNER, [0, 2]), (BORDER, [4, 6])], line, pieces=3))


def test_at_the_beginning_nothing_is_cut() -> None:
    snapshot = around().at(0.0)
    assert (snapshot.cut, snapshot.travels, snapshot.fallen, snapshot.head) == (0, 0, 0, (3.0, 4.0))
    assert not snapshot.is_cutting


@pytest.mark.parametrize(
    ("seconds", "cut", "head", "cutting", "travelling"),
    [
        (0.5, 0, (1.5, 2.0), False, True),
        (2.0, 0, (5.0, 0.0), True, False),
        (3.0, 1, (10.0, 0.0), True, False),
        (4.0, 1, (10.0, 5.0), True, False),
        (5.5, 2, (10.0, 10.0), False, False),
        (7.5, 2, (7.5, 10.0), True, False),
        (8.5, 2, (2.5, 10.0), True, False),
        (11.0, 4, (0.0, 0.0), False, False),
    ],
)
def test_the_head_is_where_the_time_says(
    seconds: float, cut: int, head: tuple[float, float], cutting: bool, travelling: bool
) -> None:
    snapshot = around().at(seconds)
    assert snapshot.head == pytest.approx(head)
    assert (snapshot.cut, snapshot.is_cutting, snapshot.is_travelling) == (cut, cutting, travelling)


def test_what_is_cut_of_the_cut_under_way_ends_at_the_head() -> None:
    snapshot = around().at(8.5)
    assert snapshot.under_way.tolist() == [[10, 10], [5, 10], [2.5, 10]]


def test_pieces_fall_in_the_order_of_their_times_and_some_never() -> None:
    playback = around()
    assert playback.falls.tolist() == [2, 1, 0]
    assert [playback.at(seconds).fallen for seconds in (4.9, 5.0, 10.9, 11.0)] == [0, 1, 1, 2]


def test_a_travel_is_one_line_and_waiting_is_none() -> None:
    playback = around()
    assert playback.travels.tolist() == [[[3, 4], [0, 0]]]
    assert playback.at(6.2).travels == 1


def test_time_is_held_to_the_plan() -> None:
    playback = around()
    assert playback.at(-5.0).seconds == 0.0
    assert playback.at(99.0).seconds == 11.0
    assert playback.at(99.0).cut == 4


def test_every_cut_has_its_operation_and_direction() -> None:
    playback = around()
    assert playback.operations == (INNER, INNER, BORDER, BORDER)
    assert playback.codes.tolist() == [0, 2, 4, 6]


def test_a_cut_without_length_is_made_with_the_one_before_it() -> None:
    line = Timeline(np.array([(0, 0), (10, 0), (10, 10)], float), np.array([0.0, 1, 2]), np.array([0, 2]), np.empty(0))
    playback = Playback(plan([(INNER, [0, 2, 4])], line, pieces=0))
    assert [playback.at(seconds).cut for seconds in (0.9, 1.0, 1.9, 2.0)] == [0, 2, 2, 3]


def test_a_plan_that_cuts_nothing_stands_still() -> None:
    playback = Playback(plan([], Timeline(np.zeros((1, 2)), np.zeros(1), np.empty(0, np.int64), np.empty(0)), 0))
    snapshot = playback.at(1.0)
    assert (snapshot.seconds, snapshot.cut, snapshot.head) == (0.0, 0, (0.0, 0.0))


def told(playback: Playback, seconds: float) -> Snapshot:
    """The same moment, step by step."""
    line = playback.plan.timeline
    cut = sum(
        seconds >= max(line.times[step + 1] for step in range(len(line.cuts)) if line.cuts[step] == place)
        for place in range(len(playback.codes))
    )
    travels, is_travelling, step = 0, False, 0
    while step < len(line.cuts):
        first = step
        while step < len(line.cuts) and line.cuts[step] < 0:
            step += 1
        if step > first and not np.array_equal(line.points[step], line.points[first]) and line.times[first] < seconds:
            travels += 1
            is_travelling = seconds < line.times[step]
        step += 1
    fallen = int((line.freed <= seconds).sum())
    head = (float(np.interp(seconds, line.times, line.points[:, 0])),
            float(np.interp(seconds, line.times, line.points[:, 1])))  # fmt: skip
    return Snapshot(seconds, cut, travels, fallen, head, np.empty((0, 2)), is_travelling)


@given(
    steps=st.lists(
        st.tuples(st.booleans(), st.integers(0, 9), st.integers(0, 9), st.integers(1, 8)), min_size=4, max_size=12
    ),
    shares=st.lists(st.floats(0, 1), min_size=1, max_size=5),
    freed=st.lists(st.floats(0, 60) | st.just(NEVER), min_size=2, max_size=2),
)
def test_any_moment_is_what_counting_step_by_step_gives(
    steps: list[tuple[bool, int, int, int]], shares: list[float], freed: list[float]
) -> None:
    place, cuts = -1, []
    for is_on, *_ in steps:
        place += is_on and place < 3
        cuts.append(place if is_on else -1)
    points = np.array([(0, 0), *((x, y) for _, x, y, _ in steps)], float)
    times = np.concatenate([[0.0], np.cumsum([quarters / 4 for *_, quarters in steps])])
    line = Timeline(points, times, np.array(cuts), np.array(freed))
    chains = [(INNER, [2 * number for number in range(place + 1)])] if place >= 0 else []
    playback = Playback(plan(chains, line, pieces=2))
    if place < 0:
        return
    for share in shares:
        snapshot = playback.at(share * playback.seconds)
        expected = told(playback, snapshot.seconds)
        assert (snapshot.cut, snapshot.travels, snapshot.fallen) == (expected.cut, expected.travels, expected.fallen)
        assert snapshot.is_travelling == expected.is_travelling
        assert snapshot.head == pytest.approx(expected.head)
