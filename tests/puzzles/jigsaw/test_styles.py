"""Every style of tongues keeps what any tongue must: ends, smoothness, sides, handles, and a board that cuts."""

import math
from itertools import combinations
from typing import Any

import numpy as np
import pytest
import shapely

from studio.base.parameters import declaration
from studio.base.progress import Progress
from studio.geometry.curves.strokes import Floats
from studio.puzzles.jigsaw.checks import check
from studio.puzzles.jigsaw.model import edits
from studio.puzzles.jigsaw.model.design import BOUNDS, NEWEST_LAYOUT, JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.model.printed_solids import joint
from studio.puzzles.jigsaw.tongues.styles import STYLES, Handle, Style
from studio.puzzles.jigsaw.tongues.tongues import COLUMNS, NUMBERS, SIDE, Frames, framed
from studio.puzzles.jigsaw.tongues.values import grip
from tests import classic
from tests.depth import THOROUGH

EACH = pytest.mark.parametrize("style", STYLES, ids=lambda style: style.key)
JOINTS = pytest.mark.parametrize("smooth", [True, False], ids=["smooth", "kinked"])
STILL: dict[str, Any] = dict.fromkeys(["vary_size", "vary_place", "vary_depth", "vary_slant", "vary_neck"], 0.0)


def made(design: JigsawDesign) -> JigsawShapes:
    return shape(design, None, Progress())


def board(style: Style, **parameters: Any) -> JigsawShapes:
    """A board by the first layout, which makes no tongue smaller beside others."""
    return made(JigsawDesign(JigsawParameters(tongue_style=style.key, **{"layout_version": 1} | parameters)))


def tongues(shapes: JigsawShapes) -> list[tuple[Frames, Floats]]:
    """Every tongue of a board: alone in its frames, and its control points."""
    inner = shapes.tiling.graph.inner_edges.tolist()
    return [(shapes.frames(np.array([edge])), shapes.drawing.strokes[edge]) for edge in inner]


def test_no_two_styles_have_one_key_or_title() -> None:
    assert len({style.key for style in STYLES}) == len({style.title for style in STYLES}) == len(STYLES)
    assert JigsawParameters().tongue_style == STYLES[0].key


@EACH
def test_a_style_is_chosen_by_its_key_and_the_form_tells_of_it(style: Style) -> None:
    known = declaration(JigsawParameters, "tongue_style")
    assert (style.key, style.title) in [(one.value, one.title) for one in known.choices]
    shapes = board(style)
    assert all(shapes.style_of(edge) is style for edge in shapes.tiling.graph.inner_edges.tolist())
    assert style.look in known.help
    assert style.is_smooth != (style.title.lower() in declaration(JigsawParameters, "smooth_joints").help)


@EACH
def test_a_tongue_leaves_its_first_and_reaches_its_second_corner_in_the_directions_asked_for(style: Style) -> None:
    frames = board(style).frames(board(style).tiling.graph.inner_edges)
    angles = np.linspace(0, 6, len(frames.ends))
    leaving = np.stack([np.cos(angles), np.sin(angles)], 1)
    reaching = leaving[::-1]
    curves = style.curve(frames, leaving, reaching)
    assert curves.shape[1] % 3 == 1 and curves.shape[1] > 4
    assert np.array_equal(curves[:, [0, -1]], frames.ends)
    for step, way in ((curves[:, 1] - curves[:, 0], leaving), (curves[:, -1] - curves[:, -2], reaching)):
        assert step / np.hypot(*step.T)[:, None] == pytest.approx(way)


@EACH
def test_of_no_tongues_there_are_no_curves(style: Style) -> None:
    none = np.empty((0, 2))
    assert len(style.curve(framed(np.empty((0, 2, 2)), np.empty((0, NUMBERS)), np.empty(0), 1.0), none, none)) == 0


@pytest.mark.sampled(5)
@EACH
@JOINTS
def test_within_a_tongue_there_is_no_kink(style: Style, smooth: bool) -> None:
    for _frames, stroke in tongues(board(style, vary_neck=0.4, vary_slant=0.15, smooth_joints=smooth)):
        for at in range(3, len(stroke) - 1, 3):
            one, two = stroke[at] - stroke[at - 1], stroke[at + 1] - stroke[at]
            assert one[0] * two[1] - one[1] * two[0] == pytest.approx(0, abs=1e-9) and one @ two > 0


@pytest.mark.sampled(3)
@EACH
def test_a_flip_without_variation_is_a_mirror_and_the_knob_is_one_too(style: Style) -> None:
    before = board(style, smooth_joints=False, **STILL)
    edges = before.tiling.graph.inner_edges.tolist()
    after = shape(edits.with_tongues_flipped(before, edges), before, Progress())
    for (frames, one), (flipped, two) in zip(tongues(before), tongues(after), strict=True):
        assert frames.numbers[0, SIDE] == -flipped.numbers[0, SIDE]
        knob = np.stack(frames.coordinates(one[2:-2]), 1)
        assert knob == pytest.approx(np.stack(flipped.coordinates(two[2:-2]), 1))
        mirrored = [-1.0, -1.0 if style.key == "opposed" else 1.0]
        assert knob[::-1] == pytest.approx([frames.length[0], 0.0] + knob * mirrored)
    again = shape(edits.with_tongues_flipped(after, edges), after, Progress())
    assert np.array_equal(again.drawing.strokes.points, before.drawing.strokes.points)


@pytest.mark.sampled(7)
@EACH
@JOINTS
@pytest.mark.parametrize("seed", range(5))
def test_a_board_of_usual_numbers_has_no_finding_and_no_tongue_that_crosses_itself(
    seed: int, smooth: bool, style: Style
) -> None:
    numbers = {"layout_version": NEWEST_LAYOUT} if style.heeds_neighbours else classic.NUMBERS
    shapes = board(style, seed=seed, smooth_joints=smooth, **numbers)
    lines = shapes.drawing.strokes.flattened(0.001)
    assert shapely.is_simple(shapely.linestrings(lines.points, indices=lines.owners)).all()
    assert check(shapes.design, shapes, None, Progress()).findings == ()


@EACH
def test_a_knob_lies_on_its_own_side_and_grows_with_its_size(style: Style) -> None:
    small, large = (board(style, tongue_size=size, **STILL) for size in (0.15, 0.3))
    for (frames, one), (_, two) in zip(tongues(small), tongues(large), strict=True):
        assert frames.coordinates(one)[1].max() < frames.coordinates(two)[1].max()
        heights = frames.coordinates(one)[1][3 : len(one) // style.knobs - 3]
        assert heights.max() > 4 * -heights.min(), "shoulders may dip to the other side"
        assert heights[len(heights) // 2] > 0


@pytest.mark.sampled(3)
@EACH
def test_the_size_is_pulled_at_the_tip_of_the_knob(style: Style) -> None:
    shapes = board(style, vary_slant=0.1)
    for edge in shapes.tiling.graph.inner_edges.tolist():
        line = shapely.LineString(shapes.drawing.strokes.chosen(np.array([edge])).flattened(1e-4).points)
        assert line.distance(shapely.Point(grip(shapes, edge).handle(Handle.SIZE))) < 1e-3


@pytest.mark.sampled(3)
@EACH
def test_no_handle_covers_another(style: Style) -> None:
    shapes = board(style)
    for edge in shapes.tiling.graph.inner_edges.tolist():
        held = grip(shapes, edge)
        places = [held.handle(handle) for handle in style.handles]
        apart = min(math.dist(one, other) for one, other in combinations(places, 2))
        assert apart > 0.06 * held.frames.length[0] / style.knobs


@pytest.mark.sampled(14)
@EACH
@pytest.mark.parametrize("handle", Handle)
@pytest.mark.parametrize("change", [-0.02, 0.0, 0.001, 0.02])
def test_a_handle_pulled_to_where_another_number_has_it_gives_that_number(
    change: float, handle: Handle, style: Style
) -> None:
    shapes = board(style, columns=6, rows=4, width=160.0, height=100.0)
    if handle not in style.handles:
        return
    for edge in shapes.tiling.graph.inner_edges.tolist()[:: 1 if THOROUGH else 4]:
        number = float(shapes.tongues[edge, COLUMNS[handle.value]]) + change
        other = made(edits.with_tongues_shaped(shapes, {edge: {handle.value: number}}))
        held, there = grip(shapes, edge), grip(other, edge).handle(handle)
        assert held.pulled(handle, held.handle(handle), there) == pytest.approx(
            number, abs=max(0.1 * abs(change), 1e-12)
        )


@EACH
def test_only_numbers_that_an_edit_has_can_be_pulled(style: Style) -> None:
    assert {handle.value for handle in style.handles} <= set(BOUNDS)
    assert Handle.SIZE in style.handles, "padlocks sit at the tip"


@EACH
def test_a_tongue_of_the_style_is_the_joint_of_a_fit_coupon(style: Style) -> None:
    line = joint(board(style)).line
    assert line[0].tolist() == [0, 0] and line[-1, 1] == 0 and line[-1, 0] > 0 and line[:, 1].max() > 0
