"""A drawing of closed parts has their areas, and cuts what lies inside before what lies around it."""

import numpy as np
import pytest

from studio.geometry.curves.strokes import Floats, closed_through
from studio.geometry.planar.drawing import Operation, Path, closed_parts


def square(left: float, side: float, *, hole: bool = False) -> Floats:
    top = 2 if hole else 0
    corners = np.array([(left, top), (left + side, top), (left + side, top + side), (left, top + side)], float)
    return closed_through(corners[::-1] if hole else corners)


def test_parts_have_their_areas_without_their_holes_and_share_no_line() -> None:
    parts = closed_parts((40, 10), ("a", "b"), [[square(0, 10), square(2, 3, hole=True)], [square(20, 5)]])
    assert parts.piece_areas.tolist() == pytest.approx([91, 25])
    assert (parts.width, parts.height, parts.pieces.names) == (40, 10, ("a", "b"))
    assert not parts.shares_lines


def test_marks_come_before_holes_and_holes_before_outlines() -> None:
    mark = Path(Operation.SCORE, closed_through(np.array([(1.0, 1.0), (2.0, 1.0), (2.0, 2.0)])), closed=True)
    parts = closed_parts((40, 10), ("a", "b"), [[square(0, 10), square(2, 3, hole=True)], [square(20, 5)]], [mark])
    assert [chain.operation for chain in parts.chains] == [
        Operation.SCORE, Operation.INNER, Operation.BORDER, Operation.BORDER,
    ]  # fmt: skip
    assert all(path.closed and (path.points[0] == path.points[-1]).all() for path in parts.paths())
    assert np.array_equal(next(parts.paths()).points, mark.points)


def test_there_may_be_no_parts_at_all() -> None:
    assert len(closed_parts((1, 1), (), []).pieces) == 0
