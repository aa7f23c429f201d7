"""False corners inside a board, and border pieces that only inner pieces hold."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from studio.base.progress import Progress
from studio.checks.finding import errors_of
from studio.files.store import dumps
from studio.geometry.board.board_spec import GRID, RECTANGLE
from studio.puzzles.jigsaw.checks import check
from studio.puzzles.jigsaw.figures.figure_edits import with_figure
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.edits import with_tongues_locked, with_tongues_rolled
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.tongues.tongues import PLAIN, STRAIGHT
from tests.puzzles.jigsaw.test_boards import board, every_board


def shown(tiling: str, outline: str, **more: object) -> JigsawShapes:
    """Return the shapes of a board of 9 by 7 cells."""
    return shape(board(tiling, outline, **more), None, Progress())


def between_border_pieces(shapes: JigsawShapes) -> np.ndarray:
    """Return a mask of the edges between two pieces at the border."""
    sides = shapes.tiling.graph.sides
    at_border = np.append(np.zeros(shapes.tiling.graph.face_count, bool), False)
    at_border[shapes.tiling.border_faces] = True
    return np.asarray(at_border[sides].all(axis=1))


def locked_pieces(shapes: JigsawShapes) -> set[int]:
    """Return the pieces with a tongue at least."""
    locks = np.flatnonzero((shapes.tongues[: len(shapes.rooms), PLAIN] == 0) & shapes.tiling.is_inner)
    return {*shapes.tiling.graph.sides[locks].ravel().tolist()}


@pytest.mark.sampled(9)
@every_board
def test_a_hidden_border_is_held_by_inner_pieces_alone(tiling: str, outline: str) -> None:
    usual, hidden = shown(tiling, outline, seed=2), shown(tiling, outline, seed=2, hidden_border=1.0)
    between = between_border_pieces(hidden)
    lacks = hidden.plain[: len(between)] & ~usual.plain[: len(between)]
    assert lacks.any() and not (lacks & ~between).any()
    if (tiling, outline) == (GRID, RECTANGLE):
        # The corners of the board have no inner neighbour, and keep their tongues.
        assert between.sum() - lacks.sum() == 8
    assert {*range(hidden.tiling.graph.face_count)} == locked_pieces(hidden)
    assert np.array_equal(hidden.tongues[~lacks], usual.tongues[~lacks])
    assert not errors_of(check(hidden.design, hidden, None, Progress()).findings)


def test_shares_of_a_hidden_border_are_nested_and_none_changes_nothing() -> None:
    plain = [shown(GRID, RECTANGLE, hidden_border=share).plain for share in (0.0, 0.3, 0.7, 1.0)]
    assert all((less <= more).all() for less, more in pairwise(plain))
    assert plain[0].sum() < plain[1].sum() < plain[2].sum() < plain[3].sum()
    assert b"hidden_border" not in dumps(JIGSAW, board(GRID, RECTANGLE))


@pytest.mark.sampled(9)
@every_board
def test_false_corners_are_straight_square_inside_and_apart(tiling: str, outline: str) -> None:
    shapes = shown(tiling, outline, false_corners=0.4)
    graph, straight = shapes.tiling.graph, np.flatnonzero(shapes.tongues[:, PLAIN] == STRAIGHT)
    assert len(straight) or tiling == "triangles" or graph.face_count < 40
    at_border = {*shapes.tiling.border_faces.tolist()}
    assert at_border.isdisjoint(graph.sides[straight].ravel().tolist())
    corners = np.bincount(graph.edges[straight].ravel(), minlength=graph.corner_count)
    assert (corners // 2).sum() >= len(straight) / 2
    owners = np.bincount(graph.sides[straight].ravel(), minlength=graph.face_count)
    assert (owners >= 2).sum() >= len(straight) / 2 and len(locked_pieces(shapes)) == graph.face_count
    assert not errors_of(check(shapes.design, shapes, None, Progress()).findings)


def test_a_locked_tongue_keeps_its_disguise_and_a_rolled_one_loses_it() -> None:
    shapes = shown(GRID, RECTANGLE, hidden_border=0.5, false_corners=0.3)
    some = np.flatnonzero(shapes.plain & shapes.tiling.is_inner).tolist()
    assert len(some) > 8
    other = replace(with_tongues_locked(shapes, some, True), parameters=replace(shapes.design.parameters, seed=99))
    assert shape(other, None, Progress()).plain[some].all()
    assert not shape(with_tongues_rolled(shapes, some), shapes, Progress()).plain[some].any()


def test_disguises_follow_a_figure() -> None:
    before = shown(GRID, RECTANGLE, hidden_border=0.6, false_corners=0.4)
    made = with_figure(before.design, Progress(), "heart", 110.0, 90.0, h=40.0).design
    after, anew = shape(made, before, Progress()), shape(made, None, Progress())
    assert np.array_equal(after.tongues, anew.tongues)
    assert np.array_equal(after.drawing.strokes.points, anew.drawing.strokes.points)
