"""Figural knobs, double knobs and earlets: a share of the tongues, strong, interlocked and without a collision."""

from dataclasses import replace
from hashlib import sha256
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.base.progress import SILENT
from studio.files.store import dumps, loads
from studio.puzzles.jigsaw import check_problems
from studio.puzzles.jigsaw.checks import check
from studio.puzzles.jigsaw.fits.interlock import tongue_grip
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model import edits
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.model.tiling import carry
from studio.puzzles.jigsaw.tongues.necks_and_bends import narrow_necks, tight_bends
from studio.puzzles.jigsaw.tongues.styles import DOUBLE, EARED, FIGURAL, STYLE_NUMBERS, Handle
from studio.puzzles.jigsaw.tongues.tongues import SIZE, STYLE
from studio.puzzles.jigsaw.tongues.values import grip
from tests.depth import examples

SPECIAL = (*FIGURAL, *DOUBLE, *EARED)
EVEN: dict[str, Any] = {"perturbation": 0.0, "smooth_joints": False} | dict.fromkeys(
    ["vary_size", "vary_place", "vary_depth", "vary_slant", "vary_neck"], 0.0
)
each_special = pytest.mark.parametrize("key", SPECIAL)


def board(side: float = 25.0, **parameters: Any) -> JigsawShapes:
    """Make a board of 10 × 8 pieces with sides of some mm."""
    usual = JigsawParameters(columns=10, rows=8, width=10 * side, height=8 * side)
    return shape(JigsawDesign(replace(usual, **parameters)), None, SILENT)


def styles(shapes: JigsawShapes) -> list[str]:
    """Keys of the styles of all inner edges with a tongue."""
    inner = shapes.tiling.graph.inner_edges
    return [shapes.style_of(edge).key for edge in inner[~shapes.plain[inner]].tolist()]


@each_special
@pytest.mark.parametrize("side", [8.0, 15.0])
def test_a_special_knob_is_strong_simple_and_holds_on_small_pieces(side: float, key: str) -> None:
    shapes = board(side, tongue_style=key, strong_necks=False, **EVEN)
    knobs, limits = shapes.design.styles[STYLE_NUMBERS[key]].knobs, shapes.limits
    inner = shapes.tiling.graph.inner_edges
    strokes = shapes.drawing.strokes.chosen(inner)
    if key not in DOUBLE:
        assert not len(narrow_necks(strokes, limits.least_neck, knobs)[0])
        assert not len(tight_bends(strokes, limits.least_radius)[0])
    line = shapely.LineString(strokes.flattened(1e-3)[0])
    assert line.is_simple
    # The head holds by more than a fifth of a millimetre, more than a kerf.
    assert tongue_grip(shapes, int(inner[0])).least > 0.2


def test_the_ball_within_a_ring_has_a_neck_as_strong_as_a_tongue() -> None:
    shapes = board(10.0, tongue_style="ring", **EVEN)
    edge = int(shapes.tiling.graph.inner_edges[0])
    knots = shapes.drawing.strokes[edge][::3]
    middle = len(knots) // 2
    lips, ball = (np.hypot(*(knots[middle - at] - knots[middle + at])) for at in (3, 1))
    assert shapes.limits.least_neck < lips < ball


@pytest.mark.parametrize(
    ("name", "keys"), [("figural_share", FIGURAL), ("double_share", DOUBLE), ("earlet_share", EARED)]
)
def test_a_share_of_tongues_is_special_and_a_larger_share_keeps_them(name: str, keys: tuple[str, ...]) -> None:
    few, many = (board(**{name: share}, columns=40, rows=30, width=1000.0, height=750.0) for share in (0.2, 0.5))
    for shapes, share in ((few, 0.2), (many, 0.5)):
        found = [key for key in styles(shapes) if key in keys]
        # Some edges are too short for two strong knobs.
        low = 0.75 if keys == DOUBLE else 0.9
        assert low * share < len(found) / len(styles(shapes)) < share + 0.03
        assert {*found} == {*keys}
    numbers = [STYLE_NUMBERS[key] for key in keys]
    was_special = np.isin(few.tongues[:, STYLE], numbers)
    assert (few.tongues[was_special, STYLE] == many.tongues[was_special, STYLE]).mean() > 0.97
    plain = ~np.isin(many.tongues[:, STYLE], numbers)
    usual = board(columns=40, rows=30, width=1000.0, height=750.0)
    assert many.tongues[plain, SIZE] == pytest.approx(usual.tongues[plain, SIZE])


def test_short_edges_get_no_two_knobs() -> None:
    assert not {*styles(board(15.0, double_share=1.0))} & {*DOUBLE}
    wide = board(columns=5, double_share=1.0, perturbation=0.0)
    long = wide.tiling.lengths[wide.tiling.graph.inner_edges] > 26.0
    assert {key in DOUBLE for key, is_long in zip(styles(wide), long, strict=True) if not is_long} == {False}


@pytest.mark.sampled(5)
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("side", [8.0, 12.0, 25.0])
def test_boards_full_of_special_knobs_have_no_finding(side: float, seed: int) -> None:
    for shares in ({"figural_share": 1.0}, {"double_share": 1.0}, {"earlet_share": 1.0}):
        shapes = board(side, seed=seed, **shares)
        findings = check(shapes.design, shapes, None, SILENT).findings
        assert [found.message for found in findings] == []


@given(
    st.integers(0, 10**6), st.sampled_from(["ribbon", "heirloom", "classic", "mixed"]),
    st.sampled_from(["grid", "voronoi", "bricks"]), st.floats(8.0, 30.0), st.floats(0.0, 1.0), st.floats(0.0, 1.0),
    st.floats(0.0, 1.0),
)  # fmt: skip
@settings(max_examples=examples(5, 200))
def test_pieces_of_special_knobs_fill_the_board_and_edits_change_it_as_from_nothing(
    seed: int, style: str, tiling: str, side: float, figural: float, double: float, eared: float
) -> None:
    shapes = board(
        side, seed=seed, tongue_style=style, tiling=tiling, figural_share=figural, double_share=double,
        earlet_share=eared,
    )  # fmt: skip
    problems = {found.problem for found in check(shapes.design, shapes, None, SILENT).findings}
    assert not problems & {check_problems.CROSSING, check_problems.LOOP, check_problems.BORDER, check_problems.COUNT}
    assert shapes.drawing.piece_areas.sum() == pytest.approx(80 * side**2, rel=1e-6)
    inner = shapes.tiling.graph.inner_edges.tolist()
    now = shapes
    for edge, key in zip(inner[::23], (*SPECIAL, None), strict=False):
        now = shape(edits.with_tongues_styled(now, [edge], key), now, SILENT)
    now = shape(edits.with_tongues_rolled(now, inner[3:5]), now, SILENT)
    fresh = shape(now.design, None, SILENT)
    assert np.array_equal(now.drawing.strokes.points, fresh.drawing.strokes.points)
    assert np.array_equal(now.rooms, fresh.rooms)


def test_a_locked_special_knob_outlives_another_seed_and_a_chosen_style_another_share() -> None:
    usual = board(figural_share=0.5, **EVEN)
    some = usual.tiling.graph.inner_edges[:20].tolist()
    locked = edits.with_tongues_locked(usual, some, locked=True)
    other = shape(carry(replace(locked.parameters, seed=99), locked, SILENT).design, None, SILENT)
    assert [other.style_of(edge) for edge in some] == [usual.style_of(edge) for edge in some]
    name = usual.tiling.edge_name(some[0])
    chosen = JigsawDesign(
        replace(usual.design.parameters, figural_share=1.0), tongues=(TongueEdit(name, style="crown"),)
    )
    assert shape(chosen, None, SILENT).style_of(some[0]).key == "crown"
    assert loads(dumps(JIGSAW, chosen)).design == chosen


@pytest.mark.parametrize("key", DOUBLE)
def test_a_double_knob_is_shaped_by_the_handles_of_its_first_knob(key: str) -> None:
    shapes = board(tongue_style=key)
    edge = int(shapes.tiling.graph.inner_edges[9])
    held = grip(shapes, edge)
    for handle in held.style.handles:
        x, y = held.handle(handle)
        value = held.pulled(handle, (x, y), (x + 0.5, y + 0.5))
        after = shape(edits.with_tongues_shaped(shapes, {edge: {handle.value: value}}), shapes, SILENT)
        assert np.array_equal(after.drawing.strokes.changed_since(shapes.drawing.strokes), [edge])
    tip = held.handle(Handle.SIZE)
    line = shapely.LineString(shapes.drawing.strokes.chosen(np.array([edge])).flattened(1e-3)[0])
    assert line.distance(shapely.Point(tip)) < 0.02


def test_both_necks_of_a_double_knob_are_measured() -> None:
    shapes = board(tongue_style="opposed", **EVEN)
    edge = int(shapes.tiling.graph.inner_edges[9])
    edited = shape(edits.with_tongues_shaped(shapes, {edge: {"neck": 0.5}}), shapes, SILENT)
    stroke = edited.drawing.strokes.chosen(np.array([edge]))
    control = stroke.points
    halves = [
        narrow_necks(type(stroke).from_strokes([half]), 9.0)[1][0]
        for half in (control[: len(control) // 2 + 1], control[len(control) // 2 :])
    ]
    assert halves[0] == pytest.approx(halves[1])
    assert narrow_necks(stroke, 9.0, 2)[1] == pytest.approx([min(halves)])
    (found,) = (
        one for one in check(edited.design, edited, None, SILENT).findings if one.problem is check_problems.NECK
    )
    assert found.strokes == (edge,)


BEFORE = {
    "ribbon": "95e9ae2ee3527849",
    "mixed": "cfce0a19313ab9fa",
    "heart": "6a7cae91b7e08cfb",
    "classic": "904b40cb07d5a92c",
}
"""Hashes of boards of version 1, made before there were special knobs."""


@pytest.mark.parametrize("style", BEFORE)
def test_boards_of_version_1_are_cut_to_the_byte_as_before(style: str) -> None:
    parameters = JigsawParameters(layout_version=1, tongue_style=style, mix_heart=3)
    points = shape(JigsawDesign(parameters), None, SILENT).drawing.strokes.points
    assert sha256((np.round(points, 6) + 0.0).tobytes()).hexdigest()[:16] == BEFORE[style]
