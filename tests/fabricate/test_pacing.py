"""The time of a plan is what mechanics say it is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from studio.fabricate.plan import plan
from studio.fabricate.workshop import Machine
from studio.geometry.curves.strokes import Curves, Floats, straight
from studio.geometry.planar.drawing import Chain, Drawing, Operation, Pieces

MACHINE = Machine(cut_speed=20, score_speed=50, engrave_speed=80, rapid_speed=100, acceleration=500, pen_up=0.1)
NOTHING = Pieces(np.empty(0, np.int64), np.zeros(1, np.int64), ())
QUARTER = 4 / 3 * (np.sqrt(2) - 1)


def drawn(strokes: Curves, *chains: Chain) -> Drawing:
    return Drawing(400.0, 400.0, strokes, chains, NOTHING)


def lines(*ends: tuple[tuple[float, float], tuple[float, float]]) -> Curves:
    return straight(np.array(ends, np.float64))


def circle(radius: float) -> Floats:
    quarter = np.array([(1, 0), (1, QUARTER), (QUARTER, 1), (0, 1)])
    turns = [np.linalg.matrix_power(np.array([(0, 1), (-1, 0)]), count) for count in range(4)]
    return radius * np.concatenate([turns[0][:0], quarter[:1], *[quarter[1:] @ turn for turn in turns]]) + 200


@pytest.mark.parametrize(
    ("operation", "speed"), [(Operation.INNER, 20), (Operation.SCORE, 50), (Operation.ENGRAVE, 80)]
)
def test_a_straight_line_takes_its_length_at_speed_and_once_the_time_to_gain_it(
    operation: Operation, speed: float
) -> None:
    made = plan(drawn(lines(((0, 0), (100, 0))), Chain(operation, np.array([0]))), MACHINE)
    assert made.seconds == pytest.approx(100 / speed + speed / 500 + 0.1)


def test_a_line_too_short_for_full_speed_is_gained_and_lost_half_and_half() -> None:
    made = plan(drawn(lines(((0, 0), (0.5, 0))), Chain(Operation.INNER, np.array([0]))), MACHINE)
    assert made.seconds == pytest.approx(2 * np.sqrt(0.5 / 500) + 0.1)


def test_travel_goes_at_its_own_speed_and_every_end_of_a_cut_costs_its_wait() -> None:
    strokes = lines(((0, 0), (100, 0)), ((160, 80), (260, 80)))
    chains = [Chain(Operation.INNER, np.array([0])), Chain(Operation.INNER, np.array([2]))]
    made = plan(drawn(strokes, *chains), MACHINE)
    assert made.travel == pytest.approx(100)
    assert made.pen_ups == 1
    assert made.seconds == pytest.approx(2 * (100 / 20 + 20 / 500 + 0.1) + 100 / 100 + 100 / 500)


def test_the_head_runs_on_where_lines_go_straight_and_stops_at_corners() -> None:
    straight_on = lines(((0, 0), (50, 0)), ((50, 0), (100, 0)))
    corner = lines(((0, 0), (50, 0)), ((50, 0), (50, 50)))
    chain = Chain(Operation.INNER, np.array([0, 2]))
    assert plan(drawn(straight_on, chain), MACHINE).seconds == pytest.approx(100 / 20 + 20 / 500 + 0.1)
    assert plan(drawn(corner, chain), MACHINE).seconds == pytest.approx(2 * (50 / 20 + 20 / 500) + 0.1)


@pytest.mark.parametrize(("radius", "speed"), [(0.5, np.sqrt(250.0)), (2.0, 20.0), (20.0, 20.0)])
def test_in_a_curve_the_pull_outwards_stays_within_the_acceleration(radius: float, speed: float) -> None:
    ring = Chain(Operation.INNER, np.array([0]), closed=True)
    made = plan(drawn(Curves.from_strokes([circle(radius)]), ring), MACHINE)
    assert made.seconds == pytest.approx(2 * np.pi * radius / speed + speed / 500 + 0.1, rel=0.03)


def test_a_faster_machine_is_not_slower() -> None:
    drawing = drawn(Curves.from_strokes([circle(5.0)]), Chain(Operation.INNER, np.array([0]), closed=True))
    times = [plan(drawing, replace(MACHINE, acceleration=a, cut_speed=100.0)).seconds for a in (100, 1000, 10000)]
    assert times[0] > times[1] > times[2]
