"""Plans of jigsaws have the figures that were measured before, and no cut is loose."""

from __future__ import annotations

import numpy as np
import pytest

from studio.errors import StudioError
from studio.fabricate.plan import Strategy, plan, plans, possible
from studio.fabricate.workshop import Machine
from studio.geometry.drawing import Drawing, Operation
from studio.progress import Progress
from studio.puzzles.jigsaw.geometry import shape
from studio.puzzles.jigsaw.model import JigsawDesign, JigsawParameters


def jigsaw(columns: int, rows: int, **more: float) -> Drawing:
    parameters = JigsawParameters(columns=columns, rows=rows, width=25 * columns, height=25 * rows, **more)  # type: ignore[arg-type]
    return shape(JigsawDesign(parameters), None, Progress()).drawing


@pytest.mark.parametrize(("columns", "rows", "out", "half"), [(12, 6, 11, 6), (30, 20, 29, 15), (60, 40, 59, 30)])
def test_a_snake_cuts_no_loose_wood_and_hardly_travels(columns: int, rows: int, out: int, half: int) -> None:
    drawing = jigsaw(columns, rows)
    snake = plan(drawing, Machine())
    assert snake.strategy is Strategy.SNAKE
    assert (snake.loose_cuts, snake.largest_freed, snake.reach) == (0, 1, out)
    assert snake.lower_bound <= snake.travel <= 1.03 * snake.lower_bound
    assert snake.pen_ups == columns + rows - 3
    sagging = plan(drawing, Machine(), Strategy.LOW_SAG)
    assert (sagging.loose_cuts, sagging.largest_freed, sagging.reach) == (0, 1, half)
    assert sagging.ratio < 1.7


def test_every_stroke_is_cut_once_whatever_the_strategy() -> None:
    drawing = jigsaw(7, 5)
    for one in plans(drawing, Machine()):
        strokes = np.concatenate([chain.strokes for chain in one.drawing.chains]) >> 1
        assert sorted(strokes.tolist()) == list(range(len(drawing.strokes)))
        assert one.drawing.strokes is drawing.strokes
        assert one.drawing.pieces is drawing.pieces
        assert [chain.operation for chain in one.drawing.chains][-1] is Operation.BORDER
        assert one.cut == pytest.approx(drawing.cut_length)


def test_a_strategy_that_does_not_apply_says_why() -> None:
    drawing = jigsaw(4, 3)
    assert possible(drawing)[0] is Strategy.SNAKE
    with pytest.raises(StudioError, match=r"share no line; snake, low-sag, release-aware and as-drawn apply here\."):
        plan(drawing, Machine(), Strategy.SINGLY)
