"""From design to strokes: areas add up to the board, chance stays put, and dragging neither flips nor shears."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.base.progress import Progress
from studio.geometry.curves.strokes import Floats
from studio.puzzles.jigsaw.model.design import CornerEdit, JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.model.edits import with_corners_at, with_tongues_rolled
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.tongues.styles import STYLES
from studio.puzzles.jigsaw.tongues.tongues import SIDE
from tests.depth import examples

EACH_STYLE = pytest.mark.parametrize("style", [style.key for style in STYLES])
KNOWN_STYLES = pytest.mark.parametrize("style", ["classic", "article"])
JOINTS = pytest.mark.parametrize("smooth", [True, False], ids=["smooth", "kinked"])
BORDERS = pytest.mark.parametrize("border", ["straight", "wandering"])
STILL: dict[str, Any] = dict.fromkeys(["vary_size", "vary_place", "vary_depth", "vary_slant", "vary_neck"], 0.0)
TRIED = settings(max_examples=examples(40))


def made(design: JigsawDesign) -> JigsawShapes:
    return shape(design, None, Progress())


def board(**parameters: Any) -> JigsawShapes:
    return made(JigsawDesign(JigsawParameters(**parameters)))


def ends(shapes: JigsawShapes, edge: int) -> Floats:
    return np.asarray(shapes.corners[shapes.tiling.graph.edges[edge]])


def in_frame(shapes: JigsawShapes, edge: int) -> Floats:
    """Return a stroke's control points along its edge and at right angles to it, in mm."""
    first, second = ends(shapes, edge)
    along = (second - first) / np.hypot(*(second - first))
    return np.asarray((shapes.drawing.strokes[edge] - first) @ np.stack([along, [-along[1], along[0]]], 1))


def inner(shapes: JigsawShapes) -> list[int]:
    return [int(edge) for edge in shapes.tiling.graph.inner_edges]


def border_of(shapes: JigsawShapes, tolerance: float) -> Floats:
    *_, rim = shapes.drawing.paths()
    strokes = shapes.drawing.strokes
    return type(strokes).from_strokes([rim.points]).flattened(tolerance).points


@pytest.mark.sampled(4)
@EACH_STYLE
@BORDERS
@pytest.mark.parametrize("size", [(1, 1), (1, 4), (5, 1), (4, 3)])
def test_areas_add_up_to_the_board_within_its_border(size: tuple[int, int], style: str, border: str) -> None:
    columns, rows = size
    shapes = board(columns=columns, rows=rows, width=90.0, height=60.0, tongue_style=style, border=border)
    areas = shapes.drawing.areas(shapes.drawing.strokes.flattened(0.01).sweeps)
    outside = shapely.Polygon(border_of(shapes, 0.01))
    assert areas.sum() == pytest.approx(outside.area, rel=1e-9)
    assert shapely.box(0, 0, 90, 60).buffer(1e-9).covers(outside)
    if border == "straight":
        assert areas.sum() == pytest.approx(90 * 60, rel=1e-9)
    elif columns * rows > 1:
        assert areas.sum() < 90 * 60 - 1


@pytest.mark.sampled(4)
@BORDERS
@pytest.mark.parametrize(
    ("size", "radius"),
    [((columns, rows), radius) for columns, rows in ((1, 1), (2, 2), (6, 1), (4, 3)) for radius in (0.5, 8.0, 22.5)]
    + [((1, 1), 30.0), ((2, 2), 30.0), ((4, 3), 30.0)],
)
def test_rounded_corners_take_what_circles_take(size: tuple[int, int], radius: float, border: str) -> None:
    columns, rows = size
    shapes = board(columns=columns, rows=rows, width=90.0, height=60.0, corner_radius=radius, border=border)
    outside = shapely.Polygon(border_of(shapes, 1e-4))
    rounded = shapely.box(radius, radius, 90 - radius, 60 - radius).buffer(radius, quad_segs=2000)
    areas = shapes.drawing.areas(shapes.drawing.strokes.flattened(1e-4).sweeps)
    assert areas.sum() == pytest.approx(outside.area, rel=1e-9)
    assert rounded.buffer(0.01).covers(outside)
    if border == "straight" or (columns, rows) == (1, 1):
        assert outside.area == pytest.approx(90 * 60 - (4 - np.pi) * radius**2, rel=1e-5)


@BORDERS
@pytest.mark.parametrize("size", [(1, 1), (2, 2), (3, 2)])
def test_where_two_round_corners_meet_the_border_has_no_stretch_without_length(
    size: tuple[int, int], border: str
) -> None:
    shapes = board(columns=size[0], rows=size[1], width=90.0, height=60.0, corner_radius=30.0, border=border)
    *_, rim = shapes.drawing.paths()
    steps = np.hypot(*np.diff(rim.points[::3], axis=0).T)
    assert steps.min() > 1e-3
    assert np.array_equal(rim.points[0], rim.points[-1])


def test_strokes_end_at_their_corners_and_corners_lie_where_the_parameters_allow() -> None:
    shapes = board(perturbation=0.3)
    strokes = shapes.drawing.strokes
    for edge in range(len(strokes)):
        assert np.array_equal(strokes[edge][[0, -1]], ends(shapes, edge))
    moved = np.abs(shapes.corners - shapes.tiling.homes) / shapes.tiling.scale
    assert moved.max() <= 0.3 and 0.1 < moved[shapes.tiling.freedom.all(axis=1)].mean() < 0.2
    assert (moved[shapes.tiling.freedom == 0] == 0).all()


def test_without_perturbation_corners_stay_at_home() -> None:
    shapes = board(perturbation=0.0)
    assert np.array_equal(shapes.corners, shapes.tiling.homes)


def test_knobs_fall_to_either_side_alike_and_the_share_of_plain_edges_is_kept() -> None:
    shapes = board(columns=60, rows=40, width=1500, height=1000, plain_share=0.3)
    edges = inner(shapes)
    sides = shapes.tongues[edges, SIDE]
    assert abs(sides.mean()) < 4 / np.sqrt(len(edges))
    plain = (shapes.drawing.strokes.counts[edges] == 4).mean()
    assert plain == pytest.approx(0.3, abs=4 * np.sqrt(0.21 / len(edges)))
    assert (board(plain_share=1.0).drawing.strokes.counts == 4).all()


def test_another_seed_is_another_puzzle() -> None:
    first, second = board(seed=1), board(seed=2)
    moved = first.tiling.freedom.all(axis=1)
    assert (first.corners[moved] != second.corners[moved]).all()
    edges = inner(first)
    assert 0.3 < (first.tongues[edges, SIDE] != second.tongues[edges, SIDE]).mean() < 0.7


@pytest.mark.sampled(20)
@EACH_STYLE
@JOINTS
@BORDERS
@pytest.mark.parametrize(("columns", "rows"), [(13, 6), (12, 7), (15, 9), (11, 5)])
def test_a_grown_or_shrunk_board_keeps_every_corner_and_tongue_that_does_not_touch_the_changed_rim(
    columns: int, rows: int, border: str, smooth: bool, style: str
) -> None:
    parameters = JigsawParameters(tongue_style=style, smooth_joints=smooth, border=border, plain_share=0.1)
    design = JigsawDesign(
        parameters,
        (CornerEdit("3,2", 0.3, -0.2), CornerEdit("4,0", 0.25, 0.0)),
        (
            TongueEdit("B2-B3", side=1, size=0.3, place=0.1),
            TongueEdit("C3-D3", rolls=3),
            TongueEdit("D1-D2", slant=0.1, locked_seed=99),
        ),
    )
    before = made(design)
    after = made(
        replace(
            design, parameters=replace(parameters, columns=columns, rows=rows, width=25.0 * columns, height=25.0 * rows)
        )
    )
    right, bottom = min(columns, 12), min(rows, 6)
    kept, heeds = 0, before.style_of(inner(before)[0]).heeds_neighbours
    for name, corner in before.tiling.corner_indices.items():
        x, y = (int(part) for part in name.split(","))
        if x < right and y < bottom:
            assert np.array_equal(before.corners[corner], after.corners[after.tiling.corner_indices[name]]), name
    for name, edge in before.tiling.edge_indices.items():
        pieces = before.tiling.graph.sides[edge]
        # Tongues that heed their neighbours are kept where both of their pieces are.
        around = before.drawing.pieces.chosen(pieces).codes >> 1 if heeds else edge
        places = before.tiling.homes[before.tiling.graph.edges[around]].reshape(-1, 2) / 25
        if (places[:, 0] < right).all() and (places[:, 1] < bottom).all():
            other = after.tiling.edge_indices[name]
            assert np.array_equal(before.drawing.strokes[edge], after.drawing.strokes[other]), name
            assert np.array_equal(before.tongues[edge], after.tongues[other]), name
            kept += 1
    assert kept >= (right - 1) * (bottom - 1 - heeds) + (right - 1 - heeds) * (bottom - 1)


@pytest.mark.sampled(4)
@EACH_STYLE
@JOINTS
def test_another_share_of_one_property_leaves_the_others_as_they_were(style: str, smooth: bool) -> None:
    # In the newest layout tongues heed each other.
    base: dict[str, Any] = {"tongue_style": style, "smooth_joints": smooth, "layout_version": 1}
    base["strong_necks"] = False
    before = board(**base)
    for name in ("vary_size", "vary_place", "vary_depth", "vary_slant", "vary_neck"):
        after = board(**base, **{name: 0.09})
        changed = (before.tongues[inner(before)] != after.tongues[inner(after)]).any(axis=0)
        assert changed.sum() == 1 and np.array_equal(before.corners, after.corners)


shifts = st.tuples(st.floats(-30, 30), st.floats(-30, 30))


@KNOWN_STYLES
@TRIED
@given(move=st.lists(shifts, min_size=2, max_size=2), edge=st.sampled_from(["C3-D3", "C3-C4", "B2-C2", "D3-D4"]))
def test_dragging_never_takes_a_knob_to_the_other_side_and_never_shears_it(
    style: str, move: list[tuple[float, float]], edge: str
) -> None:
    before = board(tongue_style=style, smooth_joints=False)
    tongue = before.tiling.edge_indices[edge]
    corners = before.tiling.graph.edges[tongue].tolist()
    places = {
        corner: (float(before.corners[corner][0] + right), float(before.corners[corner][1] + down))
        for corner, (right, down) in zip(corners, move, strict=True)
    }
    after = shape(with_corners_at(before, places), before, Progress())
    length = np.hypot(*np.diff(ends(after, tongue), axis=0)[0])
    if length < 0.5:
        return
    one, two = in_frame(before, tongue), in_frame(after, tongue)
    tip = 3 if style == "article" else [4, 5]
    assert np.sign(one[tip, 1]).tolist() == np.sign(two[tip, 1]).tolist()
    assert np.sign(one[tip, 1].mean() if style == "classic" else one[tip, 1]) == before.tongues[tongue, SIDE]
    across = before.tiling.across[tongue]
    was = np.hypot(*np.diff(ends(before, tongue), axis=0)[0])
    room, former = min(length, across), min(was, across)
    if style == "article":
        assert two[:, 0] / length == pytest.approx(one[:, 0] / was, abs=1e-9)
        if length <= across and was <= across:
            assert two / length == pytest.approx(one / was, abs=1e-9)
        return
    middle = np.array([0.5 + before.tongues[tongue, 3], 0.0])
    assert (two[2:8] - middle * length) / room == pytest.approx((one[2:8] - middle * was) / former, abs=1e-9)
    assert (two[[1, 8]]) / length == pytest.approx(one[[1, 8]] / was, abs=1e-9)


def test_the_articles_tongue_has_its_known_control_points() -> None:
    shapes = board(tongue_style="article", perturbation=0.0, tongue_size=0.18, smooth_joints=False, **STILL)
    edge = shapes.tiling.edge_indices["C3-C4"]
    points = in_frame(shapes, edge) / 25.0 * [1, shapes.tongues[edge, SIDE]]
    known = [(0.1, 0.18), (0.5, 0.18), (0.9, 0.18)]
    assert points[2:5] == pytest.approx(np.array(known))
    # Its ends turn a little from the edge, so that no two tongues are alike.
    for at, (u, v) in ((1, (0.8, 0.0)), (5, (0.2, 0.0))):
        assert points[at] == pytest.approx([u, v], abs=0.8 * 0.05)


def test_classic_tongues_that_follow_each_other_do_so_without_a_kink() -> None:
    shapes = board(plain_share=0.2)
    checked = 0
    for chain in shapes.drawing.chains[:-1]:
        joined = [shapes.drawing.strokes[code >> 1][:: -1 if code & 1 else 1] for code in chain.strokes.tolist()]
        for before, after in pairwise(joined):
            one, two = before[-1] - before[-2], after[1] - after[0]
            assert one[0] * two[1] - one[1] * two[0] == pytest.approx(0, abs=1e-9) and one @ two > 0
            checked += 1
    assert checked == 5 * 11 + 11 * 5


@pytest.mark.parametrize("count", [1, 5, 63, 64, 65, 150])
def test_however_many_elements_change_at_once_the_strokes_are_those_made_from_nothing(count: int) -> None:
    before = board(columns=15, rows=12, width=375, height=300)
    movable = sorted(before.tiling.corner_indices.values())[:count]
    places = {corner: (before.corners[corner] + [1.5, -1.0]).tolist() for corner in movable}
    moved = shape(with_corners_at(before, {k: (x, y) for k, (x, y) in places.items()}), before, Progress())
    rolled = shape(with_tongues_rolled(moved, inner(before)[-count:]), moved, Progress())
    back = shape(before.design, rolled, Progress())
    for shapes in (moved, rolled, back):
        fresh = made(shapes.design)
        assert np.array_equal(shapes.corners, fresh.corners)
        assert np.array_equal(shapes.tongues, fresh.tongues)
        assert np.array_equal(shapes.drawing.strokes.points, fresh.drawing.strokes.points)
    assert np.array_equal(back.drawing.strokes.points, before.drawing.strokes.points)


def test_an_edit_that_changes_no_stroke_keeps_the_very_drawing() -> None:
    before = board()
    after = shape(replace(before.design), before, Progress())
    assert after.drawing is before.drawing and after.design is not before.design


@pytest.mark.sampled(5)
@pytest.mark.parametrize("size", [(1, 1), 2 * (examples(60, 200),)])
@EACH_STYLE
@BORDERS
def test_the_smallest_board_holds_any_number_of_pieces(size: tuple[int, int], style: str, border: str) -> None:
    shapes = board(columns=size[0], rows=size[1], width=5.0, height=5.0, tongue_style=style, border=border)
    assert len(shapes.drawing.pieces) == size[0] * size[1]
    assert np.isfinite(shapes.drawing.strokes.points).all()
    areas = shapes.drawing.areas(shapes.drawing.strokes.flattened(0.0005).sweeps)
    assert areas.min() > 0 and areas.sum() == pytest.approx(25, rel=0.1 if border == "wandering" else 1e-9)
