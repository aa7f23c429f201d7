"""The protected area: what of tongues and corners is in it, and that it is left by repair; it goes with a picture."""

import io
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from studio.base.errors import StudioError
from studio.base.parameters import ParameterError
from studio.base.progress import SILENT
from studio.files.store import dumps, loads
from studio.geometry.art.artwork import PNG
from studio.geometry.board.tiling import FIXED
from studio.puzzles.jigsaw.checks import PROTECTED, check
from studio.puzzles.jigsaw.model.design import CornerEdit, JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.picture.board_picture import FIT, BoardPicture
from studio.puzzles.jigsaw.picture.masks import Mask, area_on_board, brushed, changed, filled, of_area
from studio.puzzles.jigsaw.repair import repaired
from studio.puzzles.registry import kind
from tests.depth import examples

MANY_POINTS = 5000
MOST_POINTS = 20_000

SMALL = JigsawParameters(columns=5, rows=4, width=125.0, height=100.0)
SQUARE = (((10.0, 10.0), (40.0, 10.0), (40.0, 40.0), (10.0, 40.0)),)


def shapes_of(design: JigsawDesign, before: JigsawShapes | None = None) -> JigsawShapes:
    return shape(design, before, SILENT)


def painted(*way: tuple[float, float], radius: float = 10.0, parameters: JigsawParameters = SMALL) -> JigsawDesign:
    """A board on which a brush went some way."""
    design = JigsawDesign(parameters)
    area = brushed(np.array(way, float), radius, design.size)
    return replace(design, mask=changed(None, area, None, design.size))


def area(design: JigsawDesign) -> Any:
    return area_on_board(design.mask, design.picture, design.size)


def picture(**place: Any) -> BoardPicture:
    file = io.BytesIO()
    Image.new("RGB", (40, 20), "orange").save(file, "PNG")
    return BoardPicture(file.getvalue(), PNG, **place)


def tips_and_corners(design: JigsawDesign) -> tuple[list[str], list[str]]:
    """The tongues whose head, and the movable corners, that are in the area: measured apart from the check.

    The head is what of a cut is further from the straight line between its corners than half of its furthest point.
    """
    shapes = shapes_of(design)
    inner = shapely.buffer(area(design), -0.1)
    tongues = []
    for edge in shapes.tiling.graph.inner_edges.tolist():
        if shapes.plain[edge]:
            continue
        line = shapely.LineString(shapes.drawing.strokes.chosen(np.array([edge])).flattened(0.005)[0])
        chord = shapely.LineString(shapes.corners[shapes.tiling.graph.edges[edge]])
        furthest = max(shapely.distance(chord, shapely.Point(place)) for place in line.coords)
        head = shapely.difference(line, shapely.buffer(chord, 0.5 * furthest, cap_style="flat"))
        if shapely.intersects(head, inner):
            tongues.append(shapes.tiling.edge_name(edge))
    movable = np.flatnonzero(np.asarray(shapes.tiling.tracks) != FIXED)
    held = shapely.contains_xy(inner, shapes.corners[movable])
    return tongues, [shapes.tiling.corner_name(corner) for corner in movable[held].tolist()]


def found(design: JigsawDesign) -> set[tuple[str, str]]:
    """What a check finds in the area: problem and sentence."""
    findings = check(design, shapes_of(design), None, SILENT).findings
    return {(one.kind, one.message) for one in findings if one.problem in PROTECTED}


def test_a_brush_covers_a_disc_at_a_point_and_a_stadium_on_a_way_as_far_as_the_board_goes() -> None:
    disc = brushed(np.array([(50.0, 50.0)]), 10.0, (125.0, 100.0))
    assert shapely.area(disc) == pytest.approx(np.pi * 100, rel=0.01)
    stadium = brushed(np.array([(30.0, 50.0), (50.0, 50.2), (80.0, 50.0)]), 10.0, (125.0, 100.0))
    assert shapely.area(stadium) == pytest.approx(np.pi * 100 + 20 * 50, rel=0.01)
    half = brushed(np.array([(0.0, 50.0)]), 10.0, (125.0, 100.0))
    assert shapely.area(half) == pytest.approx(np.pi * 50, rel=0.01)


def test_strokes_add_up_and_what_is_erased_is_gone() -> None:
    design = painted((30, 50), (60, 50))
    more = changed(design.mask, brushed(np.array([(100.0, 50.0)]), 8.0, design.size), None, design.size)
    assert more is not None and len(more.rings) == 2
    ring = changed(more, brushed(np.array([(45.0, 50.0)]), 3.0, design.size), None, design.size, erases=True)
    assert ring is not None and len(ring.rings) == 3
    assert shapely.area(ring.region) == pytest.approx(shapely.area(more.region) - np.pi * 9, rel=0.01)
    assert changed(ring, shapely.box(0, 0, 125, 100), None, design.size, erases=True) is None


def test_a_polygon_within_another_is_a_hole_and_one_within_the_hole_is_protected_again() -> None:
    rings = [np.array(shapely.box(50 - half, 50 - half, 50 + half, 50 + half).exterior.coords) for half in (40, 20, 10)]
    rings.append(np.array(shapely.box(80, 80, 120, 90).exterior.coords))
    nested = 80**2 - 40**2 + 20**2
    assert shapely.area(filled(rings)) == pytest.approx(nested + 40 * 10 - 10 * 10)


def test_a_mask_comes_back_from_a_file_as_it_was_and_a_board_without_one_says_nothing_of_it() -> None:
    for design in (painted((30, 50), (60, 70)), JigsawDesign(SMALL, picture=picture(), mask=Mask(SQUARE, True))):
        text = dumps(kind("jigsaw"), design)
        assert loads(text).design == design and b'"mask"' in text
    assert b"mask" not in dumps(kind("jigsaw"), JigsawDesign(SMALL))


@pytest.mark.parametrize(
    ("rings", "sentence"),
    [
        ((), "rings must be polygons of at least three points."),
        ((((0.0, 0.0), (1.0, 1.0)),), "rings must be polygons of at least three points."),
        ((((0.0, 0.0), (1.0, 1.0), (2.0, 2.0)),), "rings must enclose an area."),
        ((((0.0, 0.0), (1e9, 1.0), (2.0, 2.0)),), "rings must be within 1e+06 of the corner."),
        ((((0.0, 0.0), (1.0, 0.0)) * MOST_POINTS,), f"rings must have at most {MOST_POINTS} points."),
    ],
)
def test_what_is_no_area_is_refused_in_a_sentence(rings: Any, sentence: str) -> None:
    with pytest.raises(ParameterError, match="rings") as refused:
        Mask(rings)
    assert str(refused.value) == sentence


def test_rings_that_cross_themselves_are_an_area_all_the_same() -> None:
    bow = Mask((((0.0, 0.0), (20.0, 20.0), (20.0, 0.0), (0.0, 20.0)),))
    assert shapely.is_valid(bow.region) and shapely.area(bow.region) == pytest.approx(200.0)
    design = JigsawDesign(SMALL, mask=bow)
    assert {key for key, _sentence in found(design)} <= {problem.key for problem in PROTECTED}


def test_a_mask_of_a_picture_needs_one() -> None:
    with pytest.raises(StudioError, match="there is none"):
        JigsawDesign(mask=Mask(SQUARE, True))


def test_an_area_goes_with_the_picture_that_is_moved_scaled_and_turned() -> None:
    design = painted((40, 40), (60, 60)).with_picture(picture())
    assert design.mask is not None and design.mask.on_picture
    before = area(design)
    assert shapely.area(before) == pytest.approx(shapely.area(area(painted((40, 40), (60, 60)))), rel=1e-3)
    right = area(replace(design, picture=picture(right=0.2, down=-0.1)))
    assert shapely.hausdorff_distance(right, shapely.transform(before, lambda at: at + np.array([25.0, -10.0]))) < 1e-6
    halved = area(replace(design, picture=picture(scale=0.5)))
    assert shapely.area(halved) == pytest.approx(shapely.area(before) / 4)
    around = area(replace(design, picture=replace(picture(), place=FIT, turn=180.0)))
    fitted = area(replace(design, picture=replace(picture(), place=FIT)))
    opposite = shapely.transform(fitted, lambda at: np.array([125.0, 100.0]) - at)
    assert shapely.hausdorff_distance(around, opposite) < 1e-6


def test_an_area_stays_where_it_is_when_a_picture_comes_or_goes_and_with_one_that_takes_its_place() -> None:
    bare = painted((40, 40), (60, 60))
    posed = bare.with_picture(picture(turn=30.0, scale=1.5, right=0.1))
    assert posed.mask is not None and posed.mask.on_picture
    assert shapely.hausdorff_distance(area(posed), area(bare)) < 0.01
    back = posed.with_picture(None)
    assert back.mask is not None and not back.mask.on_picture
    assert shapely.hausdorff_distance(area(back), area(bare)) < 0.02
    other = posed.with_picture(replace(picture(), turn=30.0, scale=1.5, right=0.1))
    assert other.mask == posed.mask


def test_tongues_and_corners_in_the_area_are_warned_of_each_at_its_place_and_straight_edges_are_not() -> None:
    design = painted((50, 50), radius=12.0)
    findings = [one for one in check(design, shapes_of(design), None, SILENT).findings if one.problem in PROTECTED]
    tongues, corners = tips_and_corners(design)
    assert corners == ["2,2"]
    said = " ".join(one.message for one in findings)
    assert all(f"Tongue {name} is in the protected area" in said for name in tongues) and "Corner 2,2 is in" in said
    for one in findings:
        assert shapely.distance(area(design), shapely.Point(one.place)) < 1e-6 and 0 < one.shortfall <= 1
    straight = replace(design, parameters=replace(SMALL, plain_share=1.0))
    assert {key for key, _sentence in found(straight)} == {"protected-corner"}
    assert not found(painted((12, 12), radius=3.0))


@settings(max_examples=examples(4, 100))
@given(
    way=st.lists(st.tuples(st.floats(0, 125), st.floats(0, 100)), min_size=1, max_size=2),
    radius=st.floats(2, 7),
    seed=st.integers(0, 9),
)
def test_after_repair_no_tongue_and_no_corner_is_in_an_area_smaller_than_pieces(
    way: list[tuple[float, float]], radius: float, seed: int
) -> None:
    design = painted(*way, radius=radius, parameters=replace(SMALL, seed=seed))
    mended = repaired(design, SILENT)
    assert mended.after.errors == 0
    tongues, corners = tips_and_corners(mended.design)
    assert not tongues
    # Where a way goes to and fro, the area may be larger than pieces after all; then it is said.
    assert not corners or any("cannot leave the protected area" in sentence for sentence in mended.left)
    if shapely.area(area(design)) < 25 * 25 / 2:
        assert not corners


def test_a_fix_brings_one_thing_out_of_the_area_and_makes_no_other_problem_worse() -> None:
    design = painted((50, 50), radius=8.0)
    for _ in range(12):
        checked = check(design, shapes_of(design), None, SILENT)
        first = next((one for one in checked.findings if one.problem in PROTECTED), None)
        if first is None:
            break
        assert first.repair is not None
        after = first.repair.apply(design, SILENT)
        assert len(found(after)) < len(found(design))
        design = after
    assert not found(design) and tips_and_corners(design) == ([], [])
    assert not check(design, shapes_of(design), None, SILENT).errors


def test_no_tongue_is_given_up_where_many_changes_of_others_help_nothing() -> None:
    way = (135, 50), (140, 80), (155, 90), (168, 70), (165, 45), (150, 40), (140, 55), (155, 60), (150, 75)
    design = painted(*way, radius=5.0, parameters=JigsawParameters())
    assert tips_and_corners(repaired(design, SILENT).design) == ([], [])


def test_corners_that_cannot_leave_a_large_area_are_counted_with_what_does() -> None:
    mended = repaired(painted((60, 50), radius=40.0), SILENT)
    assert mended.after.errors == 0 and not tips_and_corners(mended.design)[0]
    _tongues, corners = tips_and_corners(mended.design)
    said = f"{len(corners)} corners cannot leave the protected area. Merge the pieces there"
    assert corners and any(said in sentence for sentence in mended.left)


def test_locked_tongues_change_last_and_are_named() -> None:
    design = painted((37, 50), radius=6.0)
    names = [message.split()[1] for key, message in found(design) if key == "protected-tongue"]
    locked = design.with_tongues(replace(design.tongue(name), locked_seed=SMALL.seed) for name in names)
    mended = repaired(locked, SILENT)
    assert names and not found(mended.design) and {*mended.locked} <= {*names}


def test_after_a_drag_of_a_corner_the_check_is_the_one_made_from_nothing() -> None:
    design = painted((50, 50), (80, 60), radius=9.0)
    shapes = shapes_of(design)
    checked = check(design, shapes, None, SILENT)
    for right, down in ((0.1, 0.1), (0.4, 0.0), (0.2, -0.2), (0.0, 0.0)):
        design = design.with_corners({"2,2": (right, down), "3,2": (down, right)})
        shapes = shapes_of(design, shapes)
        checked = check(design, shapes, checked, SILENT)
        assert checked.findings == check(design, shapes_of(design), None, SILENT).findings


def test_after_a_stroke_of_the_brush_and_a_move_of_the_picture_the_check_is_the_one_made_from_nothing() -> None:
    design = JigsawDesign(SMALL, (CornerEdit("2,2", 0.1, 0.1),), picture=picture())
    shapes = shapes_of(design)
    checked = check(design, shapes, None, SILENT)
    area = brushed(np.array([(50.0, 50.0)]), 12.0, design.size)
    steps = [replace(design, mask=of_area(area, design.picture, design.size))]
    steps.append(replace(steps[0], picture=picture(right=0.1)))
    steps.append(steps[1].with_corners({"3,2": (0.3, 0.3)}))
    steps += [replace(steps[2], mask=None), steps[2]]
    counts = []
    for step in steps:
        shapes = shapes_of(step, shapes)
        checked = check(step, shapes, checked, SILENT)
        assert checked.findings == check(step, shapes_of(step), None, SILENT).findings
        counts.append(sum(one.problem in PROTECTED for one in checked.findings))
    assert counts[0] and counts[1] and counts[3] == 0 and counts[4] == counts[2]


def test_any_number_of_strokes_of_the_brush_is_one_area_of_few_points() -> None:
    chance = np.random.default_rng(4)
    mask, painted = None, []
    for _ in range(14):
        start = chance.uniform((20.0, 20.0), (280.0, 130.0))
        way = start + np.cumsum(chance.normal(0.0, 3.0, (120, 2)), axis=0)
        stroke = brushed(way, 1.0, (300.0, 150.0))
        painted.append(stroke)
        mask = changed(mask, stroke, None, (300.0, 150.0))
    assert mask is not None
    assert sum(map(len, mask.rings)) <= MANY_POINTS
    whole = shapely.union_all(painted)
    assert shapely.get_num_coordinates(whole) > MANY_POINTS
    assert mask.region.symmetric_difference(whole).area < 0.01 * whole.area
    # Nothing is lost or added but slivers along the outline and pinholes.
    assert all(
        other.difference(one).buffer(-0.5).is_empty for one, other in ((mask.region, whole), (whole, mask.region))
    )
