"""A maker's own tongue: points and handles that stay smooth, its neck found, kept in the design and drawn on boards."""

from dataclasses import replace

import numpy as np
import pytest
import shapely
from hypothesis import example, given, settings
from hypothesis import strategies as st

from studio.base.errors import StudioError
from studio.base.parameters import ParameterError
from studio.base.progress import Progress
from studio.files.store import dumps, loads
from studio.geometry.curves.strokes import Curves, Floats
from studio.puzzles.jigsaw.checks import check
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model import edits
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.model.tiling import carry
from studio.puzzles.jigsaw.tongues.profiles import SMOOTH, Stored, own_profile, profile, profile_of
from studio.puzzles.jigsaw.tongues.sketch import Sketch, completed, sketch_of, started
from studio.puzzles.jigsaw.tongues.styles import MIXED, OWN, STYLES, Handle, Style
from studio.puzzles.jigsaw.tongues.values import grip
from tests.depth import examples

NECKED = [style for style in STYLES if style.size_widens_neck and style.knobs == 1]
each = pytest.mark.parametrize("style", NECKED, ids=lambda style: style.key)
HUMP = Stored("Hump", half=((0.0, 0.0), (0.2, 0.0), (0.3, 0.2), (0.5, 0.2)))


def style_of(key: str) -> Style:
    return next(style for style in STYLES if style.key == key)


def crooked() -> Stored:
    """An earlet whose right side is fuller than its left one."""
    return started(style_of("earlet")).freed().moved(15, 0.68, 0.26).stored()


def made(design: JigsawDesign) -> JigsawShapes:
    return shape(design, None, Progress())


def line(points: Floats) -> shapely.LineString:
    return shapely.LineString(Curves.from_strokes([points]).flattened(1e-4).points)


def turns(points: Floats) -> Floats:
    """The cosines of the turns at the inner knots of a tongue."""
    into, out = points[3:-1:3] - points[2:-2:3], points[4:-1:3] - points[3:-1:3]
    return np.asarray((into * out).sum(axis=1) / np.hypot(*into.T) / np.hypot(*out.T))


@each
def test_a_sketch_begun_with_a_style_cuts_as_that_style(style: Style) -> None:
    stored = started(style).stored()
    assert stored.half and stored.neck is not None, "every style is symmetric"
    usual = {"perturbation": 0.0, "smooth_joints": False} | dict.fromkeys(
        ["vary_size", "vary_place", "vary_depth", "vary_slant", "vary_neck"], 0.0
    )
    parameters = JigsawParameters(tongue_style=style.key, **usual)  # type: ignore[arg-type]
    # Figural knobs are larger than a board's usual tongues, custom ones are not.
    larger = replace(parameters, tongue_size=parameters.tongue_size * style.size)
    before, after = made(JigsawDesign(parameters)), made(JigsawDesign(larger).with_profile(stored))
    assert after.design.parameters.tongue_style == OWN
    edge = int(before.tiling.graph.inner_edges[9])
    one, other = (line(each.drawing.strokes[edge]) for each in (before, after))
    # Classic and profiled tongues leave their corners with other handles.
    assert one.hausdorff_distance(other) < (0.7 if style.key == "classic" else 0.01)


@pytest.mark.parametrize("key", ["article", "wave"])
def test_a_sketch_without_a_neck_is_no_tongue_yet(key: str) -> None:
    with pytest.raises(StudioError, match="The custom tongue has no neck"):
        started(style_of(key)).stored()


places = st.tuples(st.integers(0, 99), st.floats(-0.5, 1.5), st.floats(-0.5, 1.5))


@given(st.sampled_from(STYLES), st.booleans(), st.lists(places, max_size=6))
@example(style_of("article"), True, [(0, 1.0, 1.0), (1, -0.5, 0.125)])
@example(style_of("classic"), False, [(87, 0.0, 0.0), (1, 0.0, -0.0625)])
@settings(max_examples=examples(25, 800))
def test_whatever_is_dragged_a_sketch_stays_smooth_and_symmetric(
    style: Style, frees: bool, drags: list[tuple[int, float, float]]
) -> None:
    sketch = started(style).freed() if frees else started(style)
    for point, x, y in drags:
        sketch = sketch.moved(sketch.movable[point % len(sketch.movable)], x, y)
        assert turns(sketch.points) == pytest.approx(1, abs=1e-9)
        assert sketch.points[[0, -1]].tolist() == [[0, 0], [1, 0]]
        if not frees:
            assert sketch.points[::-1] * [-1, 1] + [1, 0] == pytest.approx(sketch.points, abs=1e-9)
        try:
            stored = sketch.stored()
        except StudioError:
            continue
        # Every knot is kept, and a neck without one gets one. Where rounding left a turn, handles are turned at most
        # by half of it, and the curve with them.
        kept = own_profile(stored).points
        gaps = np.hypot(*(kept[::3, None] - sketch.points[None, ::3]).transpose(2, 0, 1))
        assert gaps.min(axis=0).max() < 2e-5
        longest = float(np.hypot(*np.diff(sketch.points, axis=0).T).max())
        one, other = (
            shapely.LineString(Curves.from_strokes([points]).flattened(1e-5)[0]) for points in (sketch.points, kept)
        )
        assert one.hausdorff_distance(other) < 0.5 * SMOOTH * longest + 1e-4


def test_a_handle_turns_the_one_opposite_and_a_point_takes_both_along() -> None:
    sketch = started(style_of("ball")).freed()
    turned = sketch.moved(7, 0.3, 0.05)
    assert turned.points[7] == pytest.approx((0.3, 0.05))
    was, now = (one.points[5] - one.points[6] for one in (sketch, turned))
    assert np.hypot(*now) == pytest.approx(np.hypot(*was))
    moved = sketch.moved(6, *(sketch.points[6] + (0.02, -0.01)))
    assert moved.points[5:8] - sketch.points[5:8] == pytest.approx(np.tile((0.02, -0.01), (3, 1)))
    untouched = np.abs(moved.points - sketch.points).max(axis=1) == 0
    assert untouched.sum() == len(sketch.points) - 3


@each
@pytest.mark.parametrize("frees", [False, True])
def test_an_added_point_leaves_the_curve_and_removing_it_undoes_it(style: Style, frees: bool) -> None:
    sketch = started(style).freed() if frees else started(style)
    more = sketch.with_knot(1, 0.3)
    assert more.last == sketch.last + (1 if frees else 2)
    assert line(sketch.points).hausdorff_distance(line(more.points)) < 1e-3
    fewer = more.without_knot(2)
    assert fewer.points == pytest.approx(sketch.points, abs=1e-9)


def test_corners_the_middle_and_the_last_points_cannot_be_removed() -> None:
    sketch = started(style_of("ribbon"))
    for knot in (0, sketch.last, sketch.last // 2):
        assert sketch.without_knot(knot) is sketch
    fewest = Sketch(sketch.points[[0, 1, 11, 12, 13, -2, -1]], is_symmetric=False)
    assert fewest.without_knot(1) is fewest
    many = sketch.freed()
    for _ in range(60):
        many = many.with_knot(3, 0.5)
    assert many.last == 40


def test_a_sketch_made_symmetric_again_has_its_left_half_on_both_sides() -> None:
    again = sketch_of(profile_of(crooked()).points).mirrored()
    assert again.is_symmetric
    assert again.points[:10] == pytest.approx(started(style_of("earlet")).points[:10], abs=1e-5)
    assert again.stored().half


def test_the_neck_of_a_tongue_is_found_on_both_sides() -> None:
    stored = crooked()
    assert stored.half == () and stored.necks == (2, 6)
    shown = own_profile(stored)
    left, right = (shown.points[3 * neck, 0] for neck in shown.necks)
    assert left == pytest.approx(0.44, abs=0.01) and right == pytest.approx(0.56, abs=0.01)
    # Where no point is at the narrowest place one is added there.
    bare = profile("ball").points
    stretched = sketch_of(bare).freed().without_knot(2)
    found = stretched.stored()
    assert found.necks is not None and len(found.whole) == len(stretched.points) + 3
    assert completed(found) is found


@pytest.mark.parametrize(
    ("stored", "sentence"),
    [
        (HUMP, "The hump tongue has no neck"),
        (replace(HUMP, whole=HUMP.half), "The hump tongue needs either a half or the whole"),
        (Stored("Flat", whole=((0, 0), (0.3, 0), (0.6, 0), (1, 0))), "must run from 0, 0 up and back to 1, 0"),
        (Stored("Wide", half=((0, 0), (0.2, 0), (3.0, 0.2), (0.5, 0.2))), "is more than 2 edges high or wide"),
        (replace(HUMP, title="a\nb"), "title must be one line of up to 60 characters"),
        (replace(HUMP, half=HUMP.half * 46), "has more than 181 points"),
    ],
)  # fmt: skip
def test_what_is_no_tongue_that_holds_is_refused_by_the_design(stored: Stored, sentence: str) -> None:
    with pytest.raises(StudioError, match=sentence):
        JigsawDesign(profile=stored)


def test_the_custom_style_needs_a_profile() -> None:
    for parameters in (JigsawParameters(tongue_style=OWN), JigsawParameters(tongue_style=MIXED, mix_own=1)):
        with pytest.raises(ParameterError, match="Draw or import a custom tongue first"):
            JigsawDesign(parameters)
        assert JigsawDesign(parameters, profile=crooked()).styles[-1].key == OWN
    shapes = made(JigsawDesign())
    with pytest.raises(StudioError, match="Draw or import a custom tongue first"):
        edits.with_tongues_styled(shapes, [20], OWN)
    data = dumps(JIGSAW, JigsawDesign(tongues=(TongueEdit("C4-D4", style=OWN),)))
    with pytest.raises(StudioError, match="Tongue 'C4-D4' has a custom style, but there is no profile"):
        loads(data)


@pytest.mark.parametrize("stored", [crooked(), started(style_of("heart")).stored()], ids=["whole", "half"])
@pytest.mark.parametrize("vary_flanks", [0.0, 0.1])
def test_a_board_of_custom_tongues_is_sound_smooth_and_saved(stored: Stored, vary_flanks: float) -> None:
    design = JigsawDesign(JigsawParameters(vary_flanks=vary_flanks, least_bridge=0.5)).with_profile(stored)
    shapes = made(design)
    assert check(design, shapes, None, Progress()).findings == ()
    for edge in shapes.tiling.graph.inner_edges.tolist():
        assert turns(shapes.drawing.strokes[edge]) == pytest.approx(1, abs=1e-9)
        held = grip(shapes, edge)
        apart = np.hypot(*np.subtract(held.handle(Handle.SIZE), held.handle(Handle.SLANT)))
        assert apart > 0.06 * held.frames.length[0]
    data = dumps(JIGSAW, design)
    assert loads(data).design == design and dumps(JIGSAW, loads(data).design) == data
    assert b"profile" not in dumps(JIGSAW, JigsawDesign())


def test_one_custom_tongue_outlives_other_parameters_and_another_profile() -> None:
    design = JigsawDesign(profile=crooked())
    shapes = made(design)
    edge = int(shapes.tiling.graph.inner_edges[20])
    design = edits.with_tongues_styled(shapes, [edge], OWN)
    for change in ({"seed": 5}, {"tongue_size": 0.2}, {"tongue_style": "ball"}):
        carried = carry(replace(design.parameters, **change), design, Progress())
        assert carried.dropped == () and made(carried.design).style_of(edge).key == OWN
    other = design.with_profile(started(style_of("ball")).stored())
    assert other.parameters.tongue_style == "ribbon", "custom tongues were there already"
    before, after = made(design), shape(other, made(design), Progress())
    assert after.drawing.strokes.changed_since(before.drawing.strokes).tolist() == [edge]
