"""Profiles of tongues are read from files, whole and smooth, or refused with what is wrong with them."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import shapely

from studio.base.errors import StudioError
from studio.base.parameters import ParameterError
from studio.base.progress import Progress
from studio.files.store import dumps, loads
from studio.geometry.curves.strokes import Curves, Floats
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model import edits
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.tongues.profiles import FOLDER, Stored, profile, profile_of
from studio.puzzles.jigsaw.tongues.styles import STYLES, Style
from studio.puzzles.jigsaw.tongues.values import entered, readings

SHIPPED = sorted(path.stem for path in FOLDER.glob("*.json"))
HUMP = Stored("Hump", ((0.0, 0.0), (0.2, 0.0), (0.3, 0.2), (0.5, 0.2)))


def style_of(key: str) -> Style:
    return next(style for style in STYLES if style.key == key)


def with_points(*points: tuple[float, float]) -> Stored:
    return replace(HUMP, half=points)


def test_every_shipped_profile_is_a_style() -> None:
    keys = {style.key for style in STYLES}
    assert len(SHIPPED) >= 7 and set(SHIPPED) <= keys
    assert {profile(name).title for name in SHIPPED} == {style.title for style in STYLES if style.key in SHIPPED}


@pytest.mark.parametrize("name", SHIPPED)
def test_a_profile_is_its_half_and_the_mirror_image_of_it(name: str) -> None:
    points = profile(name).points
    assert points[0].tolist() == [0, 0] and points[-1].tolist() == [1, 0]
    assert points[::-1] == pytest.approx(points * [-1, 1] + [1, 0])
    assert profile(name).height == points[::3, 1].max()


@pytest.mark.parametrize("name", SHIPPED)
def test_a_neck_is_where_a_profile_is_narrowest_between_edge_and_head(name: str) -> None:
    shown = profile(name)
    line = Curves.from_strokes([shown.points]).flattened(1e-4).points
    left = line[: len(line) // 2]
    # The flank ends at the widest place of the head: a ring encloses a ball of the other piece.
    high = np.flatnonzero(left[:, 1] > shown.height / 3)
    left = left[: high[left[high, 0].argmin()]]
    above = left[(left[:, 1] > 0) & (left[:, 1] < shown.height / 2)]
    if not shown.necks:
        assert (np.diff(line[:, 0]) > 0).all(), "without a neck nothing locks"
        assert not style_of(name).size_widens_neck
        return
    assert style_of(name).size_widens_neck
    neck = shown.points[3 * shown.necks[0]]
    assert above[:, 0].max() <= neck[0] + 0.012
    assert 1 / 3 < (0.5 - neck[0]) / shown.half_head < 0.75, "the head is wider than the neck, and the neck not thin"


@pytest.mark.parametrize(
    ("stored", "sentence"),
    [
        (with_points((0, 0), (0.2, 0), (0.5, 0.2)), "The hump tongue needs 3 n + 1 points for n curves."),
        (with_points(), "The hump tongue needs 3 n + 1 points for n curves."),
        (with_points((0.1, 0), (0.2, 0), (0.3, 0.2), (0.5, 0.2)), "must run from 0, 0 to the middle of its edge"),
        (with_points((0, 0), (0.2, 0), (0.3, 0.2), (0.4, 0.2)), "must run from 0, 0 to the middle of its edge"),
        (with_points((0, 0), (0.2, 0), (0.3, -0.2), (0.5, -0.2)), "must run from 0, 0 to the middle of its edge"),
        (with_points((0, 0), (0.2, 0), (0.3, 0.1), (0.5, 0.2)), "The hump tongue has a kink at point 3."),
        (with_points((0, 0), (0.2, 0), (0.5, 0.2), (0.5, 0.2)), "The hump tongue has a kink at point 3."),
        (with_points((0, 0), (2.0, 0), (0.1, 0.2), (0.5, 0.2)), "The hump tongue crosses itself."),
        (replace(HUMP, neck=1), "The hump tongue has no point 1 for its neck."),
        (replace(HUMP, neck=-1), "The hump tongue has no point -1 for its neck."),
    ],
)
def test_what_is_no_tongue_is_refused(stored: Stored, sentence: str) -> None:
    with pytest.raises(StudioError, match=re.escape(sentence)):
        profile_of(stored)


LOCKING = [name for name in SHIPPED if profile(name).necks]
SHAPES = {"head": "head_width", "neck": "neck_width", "shoulder": "shoulder", "fullness": "fullness"}
STRAIGHT: dict[str, Any] = {"perturbation": 0.0, "smooth_joints": False, "layout_version": 1} | dict.fromkeys(
    ["vary_size", "vary_place", "vary_depth", "vary_slant", "vary_neck"], 0.0
)


def board(**parameters: Any) -> JigsawShapes:
    return shape(JigsawDesign(JigsawParameters(**STRAIGHT | parameters)), None, Progress())


def is_smooth(stroke: Floats) -> bool:
    """Whether a tongue has no kink at its knots."""
    into, out = stroke[3:-1:3] - stroke[2:-2:3], stroke[4:-1:3] - stroke[3:-1:3]
    turns = (into * out).sum(axis=1) / np.hypot(*into.T) / np.hypot(*out.T)
    return bool((turns > 1 - 1e-9).all())


def tongue(shapes: JigsawShapes, edge: int) -> Floats:
    """The control points of a tongue in its frame, (n, 2) in mm."""
    frames = shapes.frames(np.array([edge]))
    return np.asarray(np.stack(frames.coordinates(shapes.drawing.strokes[edge]), 1) - [frames.length[0] / 2, 0])


@pytest.mark.parametrize("name", LOCKING)
def test_each_number_of_the_shape_scales_its_part_of_the_outline_and_no_other(name: str) -> None:
    shown, usual = profile(name), board(tongue_style=name)
    edge = int(usual.tiling.graph.inner_edges[7])
    knots = np.arange(len(shown.points)) % 3 == 0
    head = np.isin(np.arange(len(shown.points)), shown.heads)
    neck = np.isin(shown.owners, shown.necks)
    low = shown.points[3 * shown.owners, 1] < 0
    was = tongue(usual, edge)
    for parameter, factor, part, axis in (
        ("head_width", 1.3, head, 0), ("neck_width", 0.8, neck, 0), ("shoulder", 1.5, low, 1),
    ):  # fmt: skip
        now = tongue(board(tongue_style=name, **{parameter: factor}), edge)
        inner = slice(2, -2)
        other = 1 - axis
        assert now[inner, other] == pytest.approx(was[inner, other])
        assert now[inner][~part[inner], axis] == pytest.approx(was[inner][~part[inner], axis])
        assert now[knots & part, axis] == pytest.approx(factor * was[knots & part, axis])
    now = tongue(board(tongue_style=name, fullness=1.2), edge)
    assert now[knots] == pytest.approx(was[knots]) and now[~head][2:-2] == pytest.approx(was[~head][2:-2])
    arms, before = ((each - each[3 * shown.owners])[head & ~knots] for each in (now, was))
    assert arms == pytest.approx(1.2 * before)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.key)
@pytest.mark.parametrize("part", SHAPES)
def test_one_tongue_is_shaped_as_the_whole_board_would_be(part: str, style: Style) -> None:
    usual = board(tongue_style=style.key, vary_neck=0.0)
    edge = int(usual.tiling.graph.inner_edges[20])
    edited = shape(edits.with_tongues_shaped(usual, {edge: {part: 1.2}}), usual, Progress())
    whole = board(tongue_style=style.key, **{SHAPES[part]: 1.2})
    assert edited.drawing.strokes.changed_since(usual.drawing.strokes).tolist() == (
        [edge] if part in style.shape else []
    )
    assert np.array_equal(edited.drawing.strokes[edge], whole.drawing.strokes[edge])
    assert loads(dumps(JIGSAW, edited.design)).design == edited.design
    assert b"head" not in dumps(JIGSAW, usual.design)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", LOCKING)
@pytest.mark.parametrize("part", [*SHAPES, "all"])
def test_a_balance_makes_one_side_larger_and_the_other_smaller(part: str, name: str) -> None:
    shown, usual = profile(name), board(tongue_style=name)
    edge = int(usual.tiling.graph.inner_edges[20])
    values = dict.fromkeys([f"{each}_balance" for each in (SHAPES if part == "all" else [part])], 0.2)
    edited = shape(edits.with_tongues_shaped(usual, {edge: values}), usual, Progress())
    assert edited.drawing.strokes.changed_since(usual.drawing.strokes).tolist() == [edge]
    was, now = tongue(usual, edge), tongue(edited, edge)
    assert is_smooth(edited.drawing.strokes[edge])
    reverse = {name: -value for name, value in values.items()}
    other = tongue(shape(edits.with_tongues_shaped(usual, {edge: reverse}), usual, Progress()), edge)
    assert other[2:-2] == pytest.approx((now * [-1, 1])[::-1][2:-2]), "the other way round it is the mirror image"
    last = (len(was) - 1) // 3
    knot = {
        "head": 3 * (last // 2 + 1),
        "neck": 3 * shown.necks[1],
        "shoulder": int(shown.shoulders[shown.shoulders % 3 == 0][-1]),
    }.get(part)
    if knot is not None:
        axis = int(part == "shoulder")
        assert now[knot, axis] == pytest.approx(1.2 * was[knot, axis])
        mirrored = len(was) - 1 - knot
        assert now[mirrored, axis] == pytest.approx(0.8 * was[mirrored, axis])


@pytest.mark.sampled(5)
@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.key)
@pytest.mark.parametrize("seed", range(3))
def test_tongues_of_an_asymmetric_board_are_smooth_and_keep_their_rooms(seed: int, style: Style) -> None:
    usual = JigsawParameters(tongue_style=style.key, seed=seed, layout_version=1)
    parameters = {"vary_flanks": 0.15}
    even, shapes = (shape(JigsawDesign(each), None, Progress()) for each in (usual, replace(usual, **parameters)))  # type: ignore[arg-type]
    inner = shapes.tiling.graph.inner_edges
    changed = shapes.drawing.strokes.changed_since(even.drawing.strokes)
    assert np.array_equal(changed, inner) if style.shape else not len(changed)
    assert np.array_equal(shapes.rooms, even.rooms)
    for edge in inner.tolist():
        assert is_smooth(shapes.drawing.strokes[edge])
        assert shapely.LineString(Curves.from_strokes([shapes.drawing.strokes[edge]]).flattened(1e-3).points).is_simple


def test_a_balance_is_read_as_the_tongue_points_up() -> None:
    usual = board(tongue_style="ball")
    inner = usual.tiling.graph.inner_edges
    values = entered(usual, inner, "head_balance", 20.0)
    shapes = shape(edits.with_tongues_shaped(usual, values), usual, Progress())
    assert readings(shapes, inner, "head_balance") == pytest.approx(20.0)
    for edge in inner.tolist():
        stroke = shapes.drawing.strokes[edge]
        frames = shapes.frames(np.array([edge]))
        up = frames.across[0]
        # On the screen, where y is downwards, right of up is clockwise of it.
        right = np.array([-up[1], up[0]])
        aside = (stroke - frames.point(*(np.array([each]) for each in (frames.length[0] / 2, 0.0)))[0]) @ right
        assert aside.max() > 0 > aside.min()
        heads = profile("ball").heads
        assert aside[heads].max() > 1.2 * -aside[heads].min()


@pytest.mark.parametrize(("name", "value"), [("head", 1.6), ("neck", 0.4), ("shoulder", -0.1), ("fullness", 1.4)])
def test_a_shape_beyond_its_bounds_is_refused(name: str, value: float) -> None:
    with pytest.raises(ParameterError, match=f"{name} must be"):
        TongueEdit("A1-B1", **{name: value})  # type: ignore[arg-type]


@pytest.mark.sampled(9)
@pytest.mark.parametrize("name", LOCKING)
@pytest.mark.parametrize("parameter", SHAPES.values())
@pytest.mark.parametrize("factor", [0.8, 1.2])
def test_a_moderately_shaped_tongue_has_no_kink_and_does_not_cross_itself(
    factor: float, parameter: str, name: str
) -> None:
    parameters = replace(JigsawParameters(tongue_style=name), **{parameter: factor})  # type: ignore[arg-type]
    shapes = shape(JigsawDesign(parameters), None, Progress())
    for edge in shapes.tiling.graph.inner_edges.tolist():
        stroke = shapes.drawing.strokes[edge]
        for at in range(3, len(stroke) - 1, 3):
            one, two = stroke[at] - stroke[at - 1], stroke[at + 1] - stroke[at]
            assert one[0] * two[1] - one[1] * two[0] == pytest.approx(0, abs=1e-9) and one @ two > 0
        assert shapely.LineString(Curves.from_strokes([stroke]).flattened(1e-3).points).is_simple
