"""False corners inside a board, border pieces that only inner pieces hold, and long pieces of several cells."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import shapely

from studio.base.progress import Progress
from studio.checks.finding import errors_of
from studio.files.store import dumps
from studio.geometry.board.board_spec import GRID, RECTANGLE
from studio.geometry.planar.regions import pieces_as_polygons
from studio.puzzles.jigsaw.checks import check
from studio.puzzles.jigsaw.figures.figure_edits import with_figure
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.edits import with_tongues_locked, with_tongues_rolled
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.model.tiling import carry
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
    assert shapes.eased is not None
    straight = np.setdiff1d(straight, shapes.eased.edges)
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


def test_split_corners_and_false_edges_are_nested_shares_and_none_changes_nothing() -> None:
    shares, corners = (0.0, 0.4, 0.8, 1.0), [(0.0, 0.0), (225.0, 0.0), (0.0, 175.0), (225.0, 175.0)]
    split = []
    for share in shares:
        drawing = shown(GRID, RECTANGLE, split_corners=share, seed=5).drawing
        pieces = pieces_as_polygons(drawing, drawing.strokes.flattened(0.01))
        split.append({place for place in corners if (shapely.distance(pieces, shapely.Point(place)) < 0.05).sum() == 2})
    assert all(less <= more for less, more in pairwise(split)) and 0 < len(split[1]) < len(split[3]) == 4
    assert split[0] == set()
    inner = shown(GRID, RECTANGLE).tiling
    at_border = np.append(np.isin(np.arange(inner.graph.face_count), inner.border_faces), True)
    inside = (~at_border[inner.graph.sides]).all(axis=1)
    straight = [shown(GRID, RECTANGLE, false_edges=share).plain & inner.is_inner for share in (0.0, 0.1, 0.3)]
    assert all((less <= more).all() and not more[~inside].any() for less, more in pairwise(straight))
    assert [each.sum() for each in straight] == [0, math.ceil(0.1 * inside.sum()), math.ceil(0.3 * inside.sum())]
    stored = dumps(JIGSAW, board(GRID, RECTANGLE))
    assert b"split_corners" not in stored and b"false_edges" not in stored


@pytest.mark.sampled(5)
@every_board
def test_every_piece_keeps_a_tongue_unless_all_edges_are_straight(tiling: str, outline: str) -> None:
    idle = {"strong_necks": False, "seed": 4}
    before, shapes = (shown(tiling, outline, plain_share=0.6, layout_version=each, **idle) for each in (2, 3))
    count = shapes.tiling.graph.face_count
    assert len(locked_pieces(shapes)) == count
    able = np.flatnonzero(before.tiling.is_inner & ~before.tiling.is_bare)
    if outline == RECTANGLE and tiling == GRID:
        assert len(locked_pieces(before)) < count and len(able) > 50
        freed = before.plain & ~shapes.plain
        assert freed.sum() >= (count - len(locked_pieces(before))) / 2 and not (shapes.plain & ~before.plain).any()
    assert not locked_pieces(shown(tiling, outline, plain_share=1.0))


def test_disguises_follow_a_figure() -> None:
    before = shown(GRID, RECTANGLE, hidden_border=0.6, false_corners=0.4)
    made = with_figure(before.design, Progress(), "heart", 110.0, 90.0, h=40.0).design
    after, anew = shape(made, before, Progress()), shape(made, None, Progress())
    assert np.array_equal(after.tongues, anew.tongues)
    assert np.array_equal(after.drawing.strokes.points, anew.drawing.strokes.points)


@pytest.mark.sampled(9)
@every_board
def test_noodles_are_a_share_of_the_inner_pieces_and_fill_the_board(tiling: str, outline: str) -> None:
    usual = shape(wide(tiling, outline), None, Progress())
    shapes = shape(wide(tiling, outline, noodles=0.2), None, Progress())
    graph = shapes.tiling.graph
    pieces = pieces_as_polygons(shapes.drawing, shapes.drawing.strokes.flattened(0.001))
    assert shapely.area(pieces).sum() == pytest.approx(shapes.tiling.outline.region.area, rel=1e-3)
    inner = graph.face_count - len(shapes.tiling.border_faces)
    lost = usual.tiling.graph.face_count - graph.face_count
    # Every other noodle is of two cells, and every other of three.
    assert 0.1 < lost / 1.5 / inner < 0.3
    assert {*shapes.tiling.piece_names} < {*usual.tiling.piece_names}
    if outline == RECTANGLE:
        assert {*shapes.tiling.edge_indices} < {*usual.tiling.edge_indices}
    at_border = {usual.tiling.piece_name(face) for face in usual.tiling.border_faces.tolist()}
    assert at_border <= {*shapes.tiling.piece_names}
    assert not errors_of(check(shapes.design, shapes, None, Progress()).findings)


def wide(tiling: str, outline: str, **more: object) -> JigsawDesign:
    """Return a board of 18 by 12 cells."""
    return board(tiling, outline, columns=18, rows=12, width=450.0, height=300.0, seed=4, **more)


def test_no_noodle_touches_a_figure_and_all_follow_it() -> None:
    before = shape(wide(GRID, RECTANGLE, noodles=0.25), None, Progress())
    made = with_figure(before.design, Progress(), "heart", 225.0, 150.0, h=70.0).design
    after, anew = shape(made, before, Progress()), shape(made, None, Progress())
    assert np.array_equal(after.drawing.strokes.points, anew.drawing.strokes.points)
    graph, (heart,) = anew.tiling.graph, anew.tiling.fillings
    beside = {*graph.sides[heart.codes >> 1].ravel().tolist()} - {-1}
    pieces = shapely.area(pieces_as_polygons(anew.drawing, anew.drawing.strokes.flattened(0.01)))
    assert pieces[[*beside]].max() < 1.6 * 625


def test_a_locked_tongue_is_in_no_noodle_of_another_seed() -> None:
    shapes = shape(wide(GRID, RECTANGLE, noodles=0.25), None, Progress())
    tongues = shapes.tiling.inner_edges.tolist()
    names = {shapes.tiling.edge_name(tongue) for tongue in tongues}
    locked = with_tongues_locked(shapes, tongues, True)
    assert np.array_equal(shape(locked, shapes, Progress()).drawing.strokes.points, shapes.drawing.strokes.points)
    other = carry(replace(locked.parameters, seed=5), locked, Progress())
    assert not other.dropped
    kept = shape(other.design, None, Progress())
    assert names <= {*kept.tiling.edge_indices}
    free = with_tongues_locked(kept, kept.locked.tolist(), False)
    loose, anew = shape(free, kept, Progress()), shape(replace(free, tongues=()), None, Progress())
    assert loose.tiling.piece_names == anew.tiling.piece_names != kept.tiling.piece_names
