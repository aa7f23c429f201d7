"""What a hand does to a jigsaw: held at bounds, kept through changes of parameters, and taken back exactly."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.base.errors import StudioError
from studio.base.parameters import ParameterError
from studio.base.progress import Progress
from studio.geometry.curves.strokes import Curves
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model import edits
from studio.puzzles.jigsaw.model.design import BOUNDS, CornerEdit, JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.model.tiling import resized, verify
from studio.puzzles.jigsaw.tongues.styles import STYLES, Handle
from studio.puzzles.jigsaw.tongues.tongues import COLUMNS, PLACE, PLAIN, SIDE, SIZE, SLANT
from studio.puzzles.jigsaw.tongues.values import grip, tips
from tests.depth import examples

PLAIN_BOARD = JigsawDesign(JigsawParameters(columns=6, rows=5, width=150.0, height=125.0))
TRIED = settings(max_examples=examples(20, 600))
KNOWN_STYLES = pytest.mark.parametrize("style", ["classic", "article"])


def made(design: JigsawDesign = PLAIN_BOARD) -> JigsawShapes:
    return shape(design, None, Progress())


def edge(shapes: JigsawShapes, name: str) -> int:
    return shapes.tiling.edge_indices[name]


def numbers(shapes: JigsawShapes, name: str) -> Any:
    return shapes.tongues[edge(shapes, name)]


def others(shapes: JigsawShapes, name: str) -> Any:
    return np.delete(shapes.tongues, edge(shapes, name), axis=0)


@TRIED
@given(st.sampled_from(sorted(made().tiling.corner_indices)), st.floats(-400, 400), st.floats(-400, 400))
def test_a_corner_goes_where_it_is_put_on_the_board_and_one_of_the_border_slides(name: str, x: float, y: float) -> None:
    shapes = made()
    corner = shapes.tiling.corner_indices[name]
    moved = made(edits.with_corners_at(shapes, {corner: (x, y)})).corners[corner]
    home, free = shapes.tiling.homes[corner], shapes.tiling.freedom[corner]
    wanted = np.clip([x, y], 0, shapes.tiling.size)
    if free.all():
        assert moved == pytest.approx(wanted, abs=1e-9)
    else:
        # One of the border keeps a 50th of a cell from the board's own corners.
        assert moved == pytest.approx(np.where(free, np.clip(wanted, 0.5, np.array([149.5, 124.5])), home), abs=1e-9)


def test_the_boards_own_corners_stay_whoever_pulls_them() -> None:
    shapes = made()
    own = np.flatnonzero(~shapes.tiling.freedom.any(axis=1)).tolist()
    assert len(own) == 4
    assert edits.with_corners_at(shapes, {corner: (50.0, 50.0) for corner in own}) == PLAIN_BOARD


def test_a_corner_put_back_lies_where_chance_had_it() -> None:
    shapes = made()
    corner = shapes.tiling.corner_indices["2,2"]
    moved = made(edits.with_corners_at(shapes, {corner: (60.0, 60.0)}))
    assert [edit.name for edit in moved.design.corners] == ["2,2"]
    assert edits.with_reset(moved, [corner, corner + 1]) == PLAIN_BOARD


def test_moving_one_corner_moves_no_other() -> None:
    shapes = made()
    corner = shapes.tiling.corner_indices["2,2"]
    moved = made(edits.with_corners_at(shapes, {corner: (60.0, 60.0)}))
    assert np.flatnonzero((moved.corners != shapes.corners).any(axis=1)).tolist() == [corner]


def test_what_is_put_where_it_is_already_stays_undecided_and_what_is_held_does_not() -> None:
    shapes = made()
    corners = [0] + [shapes.tiling.corner_indices[name] for name in ("2,2", "3,0")]
    places = {corner: (float(x), float(y)) for corner, (x, y) in zip(corners, shapes.corners[corners], strict=True)}
    assert edits.with_corners_at(shapes, places) is shapes.design
    assert edits.with_corners_at(shapes, {corners[2]: (places[corners[2]][0], 60.0)}) is shapes.design
    tongue = edge(shapes, "C2-D2")
    numbers_now = dict(zip(COLUMNS, shapes.tongues[tongue, [*COLUMNS.values()]].tolist(), strict=True))
    assert edits.with_tongues_shaped(shapes, {tongue: numbers_now}) is shapes.design
    held = edits.with_tongues_held(shape(edits.with_corners_held(shapes, corners), shapes, Progress()), [tongue])
    assert [edit.name for edit in held.corners] == ["2,2", "3,0"]
    assert held.tongues == (TongueEdit("C2-D2", size=numbers_now["size"]),)
    assert made(held).drawing.strokes.points == pytest.approx(shapes.drawing.strokes.points, abs=1e-9)


def test_a_flipped_tongue_lies_on_the_other_side_and_nothing_else_changes() -> None:
    shapes = made()
    flipped = made(edits.with_tongues_flipped(shapes, [edge(shapes, "C2-D2")]))
    assert numbers(flipped, "C2-D2")[SIDE] == -numbers(shapes, "C2-D2")[SIDE]
    assert np.delete(numbers(flipped, "C2-D2"), SIDE).tolist() == np.delete(numbers(shapes, "C2-D2"), SIDE).tolist()
    assert np.array_equal(others(flipped, "C2-D2"), others(shapes, "C2-D2"))


def test_a_plain_edge_has_no_knob_and_becomes_a_tongue_again_when_it_is_flipped_or_turned() -> None:
    shapes = made()
    plain = made(edits.with_tongues_plain(shapes, [edge(shapes, "C2-D2")], True))
    assert plain.drawing.strokes.counts[edge(plain, "C2-D2")] == 4
    for design in (
        edits.with_tongues_flipped(plain, [edge(plain, "C2-D2")]),
        edits.with_tongues_turned(plain, {edge(plain, "C2-D2"): 1}),
        edits.with_tongues_plain(plain, [edge(plain, "C2-D2")], False),
    ):
        assert numbers(made(design), "C2-D2")[PLAIN] == 0
        assert (
            made(design).drawing.strokes.counts[edge(plain, "C2-D2")]
            == shapes.drawing.strokes.counts[edge(plain, "C2-D2")]
        )


@pytest.mark.parametrize("side", [1, -1])
def test_tongues_turned_to_one_side_all_lie_there(side: int) -> None:
    shapes = made()
    inner = shapes.tiling.graph.inner_edges
    turned = made(edits.with_tongues_turned(shapes, dict.fromkeys(inner.tolist(), side)))
    assert (turned.tongues[inner, SIDE] == side).all()


@TRIED
@given(st.floats(-2, 2), st.floats(-2, 2), st.floats(-2, 2))
def test_numbers_beyond_their_bounds_mean_the_bounds(size: float, place: float, slant: float) -> None:
    shapes = made()
    values = {"size": size, "place": place, "slant": slant}
    shaped = made(edits.with_tongues_shaped(shapes, {edge(shapes, "C2-D2"): values}))
    expected = [min(max(value, BOUNDS[name][0]), BOUNDS[name][1]) for name, value in values.items()]
    assert numbers(shaped, "C2-D2")[[SIZE, PLACE, SLANT]].tolist() == expected


def test_a_roll_of_one_tongue_changes_that_tongue_only_and_takes_its_hand_edits() -> None:
    shapes = made(PLAIN_BOARD.with_tongues([TongueEdit("C2-D2", size=0.4, side=1)]))
    rolled = made(edits.with_tongues_rolled(shapes, [edge(shapes, "C2-D2")]))
    assert rolled.design.tongues == (TongueEdit("C2-D2", rolls=1),)
    assert (numbers(rolled, "C2-D2")[[SIZE, PLACE, SLANT]] != numbers(shapes, "C2-D2")[[SIZE, PLACE, SLANT]]).all()
    assert np.array_equal(others(rolled, "C2-D2"), others(shapes, "C2-D2"))
    assert np.array_equal(rolled.corners, shapes.corners)


def test_rolls_go_on_giving_new_tongues() -> None:
    shapes = made()
    sizes = []
    for _ in range(6):
        sizes.append(float(numbers(shapes, "C2-D2")[SIZE]))
        shapes = made(edits.with_tongues_rolled(shapes, [edge(shapes, "C2-D2")]))
    assert len(set(sizes)) == 6


@pytest.mark.parametrize("edit", [TongueEdit("C2-D2"), TongueEdit("C2-D2", size=0.3, rolls=2)])
def test_a_locked_tongue_keeps_its_numbers_through_other_seeds_and_rolls(edit: TongueEdit) -> None:
    shapes = made(PLAIN_BOARD.with_tongues([edit]))
    locked = made(edits.with_tongues_locked(shapes, [edge(shapes, "C2-D2")], True))
    assert np.array_equal(locked.tongues, shapes.tongues)
    reseeded = made(JIGSAW.generate(replace(PLAIN_BOARD.parameters, seed=1234), locked.design, Progress()).design)
    assert np.array_equal(numbers(reseeded, "C2-D2"), numbers(shapes, "C2-D2"))
    assert not np.array_equal(numbers(reseeded, "C3-D3"), numbers(shapes, "C3-D3"))
    rolled = made(edits.with_tongues_rolled(reseeded, [edge(reseeded, "C2-D2")]))
    assert np.array_equal(numbers(rolled, "C2-D2"), numbers(shapes, "C2-D2"))
    again = made(edits.with_tongues_locked(rolled, [edge(rolled, "C2-D2")], True))
    assert again.design == rolled.design
    free = edits.with_tongues_locked(rolled, [edge(rolled, "C2-D2")], False)
    assert free.tongues == (() if edit.is_blank else (edit,))


def test_a_reset_gives_back_chance_exactly() -> None:
    shapes = made()
    tongue = edge(shapes, "C2-D2")
    changed = shapes
    for design in (
        edits.with_tongues_flipped(changed, [tongue]),
        edits.with_tongues_shaped(changed, {tongue: {"size": 0.4, "slant": 0.1}}),
        edits.with_tongues_locked(changed, [tongue], True),
        edits.with_tongues_rolled(changed, [tongue]),
    ):
        back = edits.with_reset(shape(design, changed, Progress()), tongues=[tongue])
        assert back == PLAIN_BOARD
        assert np.array_equal(made(back).drawing.strokes.points, shapes.drawing.strokes.points)


def test_edits_of_elements_that_a_smaller_board_lacks_go_and_all_others_stay() -> None:
    design = JigsawDesign(
        PLAIN_BOARD.parameters,
        (CornerEdit("2,2", 0.1, 0.1), CornerEdit("5,1", 0.2, 0.0)),
        (TongueEdit("A1-B1", side=1), TongueEdit("E1-F1", side=1)),
    )
    smaller = replace(PLAIN_BOARD.parameters, columns=4)
    made = JIGSAW.generate(smaller, design, Progress())
    after = made.design
    assert after == JigsawDesign(smaller, design.corners[:1], design.tongues[:1])
    assert after.corners[0] is design.corners[0]
    assert JIGSAW.generate(smaller, None, Progress()).design == JigsawDesign(smaller)


@pytest.mark.parametrize("name", ["9,9", "0,0", "6,5", "2.2", "", "x" * 300])
def test_an_edit_of_a_corner_that_is_not_there_or_cannot_move_is_refused(name: str) -> None:
    with pytest.raises(StudioError, match=r"^Edited corner '.{0,40}' is not on this board\.$"):
        verify(JigsawDesign(PLAIN_BOARD.parameters, (CornerEdit(name, 0.1, 0.1),)))


@pytest.mark.parametrize("name", ["G1-H1", "B1-A1", "A1-C1", "a1-b1", "", "x" * 300])
def test_an_edit_of_a_tongue_that_is_not_there_is_refused(name: str) -> None:
    with pytest.raises(StudioError, match=r"^Edited tongue '.{0,40}' is not on this board\.$"):
        verify(JigsawDesign(PLAIN_BOARD.parameters, (), (TongueEdit(name, side=1),)))


@pytest.mark.parametrize(("name", "count"), [("columns", 7), ("columns", 1), ("rows", 9), ("rows", 4)])
def test_another_column_or_row_can_leave_the_size_of_pieces(name: str, count: int) -> None:
    old = PLAIN_BOARD.parameters
    new = resized(old, name, count)
    assert getattr(new, name) == count and new.cell == old.cell


def test_any_other_parameter_leaves_the_board_as_it_is() -> None:
    old = PLAIN_BOARD.parameters
    assert resized(old, "seed", 3) == replace(old, seed=3)


def test_a_board_grown_beyond_its_bounds_is_refused_by_name() -> None:
    old = JigsawParameters(columns=2, width=10000.0)
    with pytest.raises(ParameterError, match=r"^width must be 5 to 10000 mm, not 15000\.$"):
        resized(old, "columns", 3)


def test_a_board_is_held_against_its_bounds_only_at_its_new_size() -> None:
    old = JigsawParameters(columns=6, rows=3, width=150.0, height=75.0, corner_radius=37.5)
    with pytest.raises(ParameterError, match=r"^corner_radius must be at most"):
        replace(old, columns=7)
    assert resized(old, "columns", 7) == replace(old, columns=7, width=175.0)


pulls = st.tuples(st.floats(-6, 6), st.floats(-6, 6))


@pytest.mark.sampled(2)
@KNOWN_STYLES
@pytest.mark.parametrize(("handle", "name"), [(Handle.PLACE, "place"), (Handle.SIZE, "size"), (Handle.SLANT, "slant")])
@TRIED
@given(st.sampled_from(["C2-D2", "B3-B4", "D4-E4"]), pulls, st.tuples(st.floats(-2, 2), st.floats(-2, 2)))
def test_a_pulled_handle_follows_the_mouse_in_its_own_direction(
    style: str, handle: Handle, name: str, tongue: str, pull: tuple[float, float], grabbed: tuple[float, float]
) -> None:
    shapes = made(replace(PLAIN_BOARD, parameters=replace(PLAIN_BOARD.parameters, tongue_style=style)))
    held = grip(shapes, edge(shapes, tongue))
    at = held.handle(handle)
    start = at[0] + grabbed[0], at[1] + grabbed[1]
    end = start[0] + pull[0], start[1] + pull[1]
    value = held.pulled(handle, start, end)
    low, high = BOUNDS[name]
    if not low <= value <= high:
        return
    after = made(edits.with_tongues_shaped(shapes, {edge(shapes, tongue): {name: value}}))
    there = grip(after, edge(after, tongue)).handle(handle)
    one, two = held.in_frame(*at), held.in_frame(*there)
    way = np.array(held.in_frame(*end)) - held.in_frame(*start)
    if handle is Handle.PLACE:
        assert two == pytest.approx((one[0] + way[0], one[1]), abs=1e-9)
    elif handle is Handle.SIZE:
        assert two == pytest.approx((one[0], one[1] + way[1]), abs=1e-9)
    elif style == "classic":
        assert two == pytest.approx((one[0] + way[0], one[1]), abs=1e-9)
    elif abs(way[1]) <= 2:
        assert two[1] == pytest.approx(one[1] + way[1], abs=0.3)


@pytest.mark.parametrize("style", [style.key for style in STYLES])
def test_handles_of_head_and_neck_are_beside_the_curve_and_follow_a_pull_along_the_edge(style: str) -> None:
    numbers: dict[str, Any] = {"head_width": 1.2, "neck_width": 0.9, "vary_flanks": 0.2, "vary_slant": 0.1}
    numbers["layout_version"] = 1
    shapes = made(replace(PLAIN_BOARD, parameters=replace(PLAIN_BOARD.parameters, tongue_style=style, **numbers)))
    tongue = edge(shapes, "C2-D2")
    held = grip(shapes, tongue)
    line = shapely.LineString(Curves.from_strokes([shapes.curve(tongue)]).flattened(1e-4)[0])
    parts = {handle for handle in (Handle.HEAD, Handle.NECK) if handle in held.style.handles}
    assert {handle.value for handle in parts} == {*held.style.shape} & {"head", "neck"} - (
        {"neck"} if style == "article" else set()
    )
    for handle in parts:
        at = held.handle(handle)
        # On the curve itself the neck's would cover the one at the foot.
        assert line.distance(shapely.Point(at)) < 0.06 * held.frames.length[0]
        u, v = held.in_frame(*at)
        for pull in (-0.4, 0.3):
            value = held.pulled(handle, at, held.on_board(u + pull, v))
            after = made(edits.with_tongues_shaped(shapes, {tongue: {handle.value: value}}))
            assert grip(after, tongue).in_frame(*grip(after, tongue).handle(handle))[0] == pytest.approx(u + pull)


@KNOWN_STYLES
def test_the_size_handle_sits_on_the_tip_of_the_knob(style: str) -> None:
    shapes = made(replace(PLAIN_BOARD, parameters=replace(PLAIN_BOARD.parameters, tongue_style=style)))
    for tongue in shapes.tiling.graph.inner_edges.tolist():
        stroke = shapes.drawing.strokes[tongue]
        tip = stroke[3] if style == "article" else stroke[3:7].T @ [0.125, 0.375, 0.375, 0.125]
        assert grip(shapes, tongue).handle(Handle.SIZE) == pytest.approx(tip.tolist())


def test_places_go_into_a_tongues_frame_and_back() -> None:
    shapes = made()
    held = grip(shapes, edge(shapes, "C2-D2"))
    assert held.on_board(*held.in_frame(12.5, 80.25)) == pytest.approx((12.5, 80.25))
    first, second = shapes.corners[shapes.tiling.graph.edges[edge(shapes, "C2-D2")]]
    assert held.on_board(0, 0) == pytest.approx(first.tolist())
    assert held.on_board(float(held.frames.length[0]), 0) == pytest.approx(second.tolist())


@pytest.mark.parametrize("style", [style.key for style in STYLES])
def test_the_tips_of_many_tongues_are_their_handles_for_size(style: str) -> None:
    shapes = shape(JigsawDesign(JigsawParameters(tongue_style=style, vary_slant=0.2)), None, Progress())
    tongues = shapes.tiling.graph.inner_edges
    handles = [grip(shapes, tongue).handle(Handle.SIZE) for tongue in tongues.tolist()]
    assert tips(shapes, tongues) == pytest.approx(np.array(handles))
    assert tips(shapes, tongues[:0]).shape == (0, 2)
