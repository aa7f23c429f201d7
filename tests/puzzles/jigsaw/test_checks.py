"""Every kind of finding is made on purpose and found where it is; what is sound is left in peace."""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest
import shapely

from studio.base.progress import Progress
from studio.checks.cut_crossings import crossings, cuts
from studio.checks.finding import Finding, Severity
from studio.checks.walls import thin_walls
from studio.puzzles.jigsaw import check_problems
from studio.puzzles.jigsaw.checks import JigsawChecked, check, recombined
from studio.puzzles.jigsaw.model import edits
from studio.puzzles.jigsaw.model.design import CornerEdit, JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.picture.masks import brushed
from studio.puzzles.jigsaw.picture.masks import changed as masked
from studio.puzzles.jigsaw.tongues.necks_and_bends import narrow_necks
from studio.puzzles.jigsaw.tongues.styles import STYLES
from tests.classic import classic

CHORD_TOLERANCE = 0.05
JOINT = 0.05

EACH_STYLE = pytest.mark.parametrize("style", [style.key for style in STYLES])
KNOWN_STYLES = pytest.mark.parametrize("style", ["classic", "article"])


def made(design: JigsawDesign) -> JigsawShapes:
    return shape(design, None, Progress())


def board(**parameters: Any) -> JigsawShapes:
    """A board by the first layout, which makes no tongue smaller beside others."""
    return made(JigsawDesign(JigsawParameters(**{"layout_version": 1} | parameters)))


def checked(shapes: JigsawShapes) -> JigsawChecked:
    return check(shapes.design, shapes, None, Progress())


def findings(shapes: JigsawShapes, *kinds: str) -> list[Finding]:
    return [found for found in checked(shapes).findings if not kinds or found.kind in kinds]


def line(shapes: JigsawShapes, stroke: int, tolerance: float = 0.001) -> Any:
    return shapely.LineString(shapes.drawing.strokes.chosen(np.array([stroke])).flattened(tolerance).points)


def moved(shapes: JigsawShapes, **places: tuple[float, float]) -> JigsawShapes:
    """Return the board with corners, named as `c2_1`, put elsewhere."""
    named = {shapes.tiling.corner_indices[name[1:].replace("_", ",")]: at for name, at in places.items()}
    return made(edits.with_corners_at(shapes, named))


def changed(shapes: JigsawShapes, *some: TongueEdit) -> JigsawShapes:
    return made(shapes.design.with_tongues(some))


def width_told(found: Finding) -> float:
    """Return the first number of millimetres in a finding's sentence."""
    return float(next(word for word in found.message.split() if "." in word and word[0].isdigit()))


def width_left(shapes: JigsawShapes, found: Finding) -> float:
    """Return the width in mm that a bridge or neck has, measured and not read from its sentence."""
    strokes = np.array(sorted(found.strokes))
    limits = shapes.design.parameters
    if found.kind == "neck":
        return float(narrow_necks(shapes.drawing.strokes.chosen(strokes), limits.least_neck)[1][0])
    return float(thin_walls(cuts(shapes.drawing.strokes, strokes), limits.least_bridge)[1][0])


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", range(50))
def test_the_default_design_has_no_finding_whatever_the_seed(seed: int) -> None:
    assert findings(board(seed=seed)) == []


@pytest.mark.sampled(3)
@KNOWN_STYLES
@pytest.mark.parametrize("seed", range(4))
def test_the_pairs_that_cross_are_those_of_a_search_over_all_pairs(seed: int, style: str) -> None:
    shapes = board(perturbation=0.4, tongue_size=0.35, seed=seed, tongue_style=style, least_bridge=0.0)
    lines = [line(shapes, stroke, CHORD_TOLERANCE) for stroke in range(len(shapes.drawing.strokes))]
    expected = set()
    for first, second in combinations(range(len(lines)), 2):
        if not lines[first].intersects(lines[second]):
            continue
        corners = shapely.MultiPoint([p for i in (first, second) for p in (lines[i].coords[0], lines[i].coords[-1])])
        if not lines[first].intersection(lines[second]).difference(corners.buffer(JOINT)).is_empty:
            expected.add((first, second))
    found = findings(shapes, "crossing", "border")
    assert {one.strokes for one in found} == expected
    assert len(found) == len(expected) > 0 or style == "article"
    for one in found:
        assert all(lines[stroke].distance(shapely.Point(one.place)) < 1e-6 for stroke in one.strokes)


def test_strong_perturbation_and_large_tongues_give_errors() -> None:
    answer = checked(board(perturbation=0.4, tongue_size=0.35))
    assert answer.errors
    assert all(0 <= found.place[0] <= 300 and 0 <= found.place[1] <= 150 for found in answer.findings)


def test_findings_come_worst_first_and_the_count_after_all_that_explains_it() -> None:
    found = findings(board(perturbation=0.45, tongue_size=0.4, seed=4))
    assert {one.severity for one in found} == {Severity.ERROR, Severity.WARNING}
    assert [one.severity for one in found] == sorted(one.severity for one in found)
    errors = [one for one in found if one.severity is Severity.ERROR and one.kind != "count"]
    assert [one.place[1] for one in errors] == sorted(one.place[1] for one in errors)


def test_a_tongue_that_crosses_itself_is_found_where_it_does() -> None:
    shapes = changed(board(tongue_style="article"), TongueEdit("C3-D3", size=0.02, slant=0.3))
    (found,) = findings(shapes, "self-crossing")
    tongue = shapes.tiling.edge_indices["C3-D3"]
    assert found.strokes == (tongue,) and "C3-D3" in found.message
    assert not line(shapes, tongue).is_simple
    crossing = shapely.get_parts(shapely.node(line(shapes, tongue)))
    ends = shapely.MultiPoint([shapely.get_point(part, 0) for part in crossing[1:]])
    assert ends.distance(shapely.Point(found.place)) < 2 * CHORD_TOLERANCE


def test_a_huge_tongue_beside_the_border_runs_into_it() -> None:
    shapes = changed(board(columns=3, rows=3, width=90, height=90), TongueEdit("B1-B2", size=0.6, side=-1))
    shapes = moved(shapes, c1_1=(30.0, 12.0), c2_1=(60.0, 12.0))
    found = findings(shapes, "border")
    tongue = shapes.tiling.edge_indices["B1-B2"]
    assert found and all(tongue in one.strokes and "B1-B2" in one.message for one in found)
    for one in found:
        assert one.place[1] == pytest.approx(0, abs=CHORD_TOLERANCE)
        assert line(shapes, tongue).distance(shapely.Point(one.place)) < 2 * CHORD_TOLERANCE


def test_a_corner_dragged_onto_the_border_is_found_at_once_and_by_the_whole_check() -> None:
    before = board()
    after = made(edits.with_corners_at(before, {before.tiling.corner_indices["4,1"]: (100.0, 0.0)}))
    assert any(found.place == pytest.approx((100, 0), abs=0.2) for found in findings(after, "border"))
    at_once = check(after.design, after, checked(before), Progress())
    assert {one.strokes for one in at_once.findings} == {one.strokes for one in findings(after) if one.kind != "count"}


def test_border_corners_dragged_past_each_other_are_an_error_and_not_a_crash() -> None:
    shapes = moved(board(), c1_0=(60.0, 0.0))
    found = findings(shapes, "border")
    assert found and all(one.severity is Severity.ERROR for one in found)
    assert any(one.message == "The border crosses itself. Move its corners apart." for one in found)


@pytest.mark.parametrize("right", [3.9450646804123366, 4.2])
def test_a_border_corner_dragged_onto_the_rounding_past_its_neighbour_is_no_crash(right: float) -> None:
    parameters = JigsawParameters(
        columns=5, rows=6, corner_radius=23.976743815478166, border="wandering", perturbation=0.12, seed=7
    )
    found = findings(made(JigsawDesign(parameters, corners=(CornerEdit("3,0", right, 1.4843153447034716),))))
    assert {finding.severity for finding in found} >= {Severity.ERROR}


@EACH_STYLE
def test_two_corners_dragged_to_one_place_are_an_error_and_not_a_crash(style: str) -> None:
    shapes = moved(board(tongue_style=style), c3_2=(100.0, 50.0), c4_2=(100.0, 50.0))
    assert checked(shapes).errors


def plain_cuts(gap: float, **parameters: Any) -> JigsawShapes:
    """Return three pieces parted by two plain cuts, the first moved near the second."""
    shapes = board(columns=3, rows=1, width=60, height=40, perturbation=0.0, plain_share=1.0, **parameters)
    return moved(shapes, c1_0=(40.0 - gap, 0.0), c1_1=(40.0 - gap, 40.0))


@pytest.mark.parametrize("seed", [1, 2, 3, 4, 6, 7])
def test_a_bridge_is_found_where_it_is_thinner_than_the_least_and_only_there(seed: int) -> None:
    sound = plain_cuts(4.0, seed=seed)
    first, second = sound.tiling.edge_indices["A1-B1"], sound.tiling.edge_indices["B1-C1"]
    link = shapely.shortest_line(line(sound, first), line(sound, second))
    assert findings(plain_cuts(4.0, seed=seed, least_bridge=link.length - 0.1), "bridge") == []
    (found,) = findings(plain_cuts(4.0, seed=seed, least_bridge=link.length + 0.1), "bridge")
    assert found.strokes == (first, second) and found.severity is Severity.WARNING
    assert width_told(found) == pytest.approx(link.length, abs=2 * CHORD_TOLERANCE)
    assert "A1-B1 and B1-C1" in found.message
    assert found.place == pytest.approx(link.interpolate(0.5, normalized=True).coords[0], abs=2)
    for stroke in found.strokes:
        assert line(sound, stroke).distance(shapely.Point(found.place)) == pytest.approx(link.length / 2, abs=0.1)


def test_a_least_bridge_wider_than_the_board_asks_nothing_of_the_border() -> None:
    assert findings(board(columns=1, rows=1, width=5, height=5, least_bridge=50.0), "bridge") == []


def dense_neck(shapes: JigsawShapes, tongue: int) -> tuple[float, bool]:
    """Return the least distance of a tongue's sides, and whether it lies below the head's widest places."""
    points = shapes.drawing.strokes.chosen(np.array([tongue])).flattened(1e-4).points
    way = points[-1] - points[0]
    along = way / np.hypot(*way)
    u, v = (points - points[0]) @ along, np.abs((points - points[0]) @ [-along[1], along[0]])
    index, middle = np.arange(len(points)), np.abs(u / u[-1] - 0.5) < 0.35
    tip = int(np.where(middle, v, -1.0).argmax())
    # The head ends where the cut comes back down: bulges towards its ends do not belong to it.
    low = index[v <= 0.3 * v[tip]]
    head = (index > low[low < tip].max(initial=-1)) & (index < low[low > tip].min(initial=len(points)))
    left = int(np.where(head & (index <= tip), u, np.inf).argmin())
    right = int(np.where(head & (index >= tip), u, -np.inf).argmax())
    one, two = shapely.LineString(points[: left + 1]), shapely.LineString(points[right:])
    width = float(one.distance(two))
    return width, width < 0.98 * float(np.hypot(*(points[left] - points[right])))


@pytest.mark.parametrize("least_bridge", [0.0, 0.1, 1.0])
def test_tongues_that_cross_by_a_hair_are_an_error_whatever_wall_is_asked_for(least_bridge: float) -> None:
    plain = board(columns=3, rows=1, width=60, height=40, perturbation=0.0, least_bridge=least_bridge)
    low, high, only_just = 0.3, 0.5, 0
    pair = plain.tiling.graph.inner_edges

    def facing(size: float) -> tuple[JigsawShapes, bool]:
        left, right = TongueEdit("A1-B1", size=size, side=-1, slant=0.2), TongueEdit("B1-C1", size=size, side=1)
        shapes = changed(plain, left, right)
        return shapes, bool(line(shapes, pair[0], 1e-5).intersects(line(shapes, pair[1], 1e-5)))

    while high - low > 1e-5:
        middle = (low + high) / 2
        low, high = (low, middle) if facing(middle)[1] else (middle, high)
    for more in (0.0001, 0.0002, 0.0004, 0.0008):
        shapes, crosses = facing(high + more)
        (found,) = findings(shapes, "crossing")
        assert crosses and found.severity is Severity.ERROR and set(found.strokes) == set(pair.tolist())
        only_just += not len(crossings(cuts(shapes.drawing.strokes, pair)).cuts)
    assert only_just and not findings(facing(low - 0.002)[0], "crossing")


@KNOWN_STYLES
def test_necks_are_as_wide_as_a_dense_search_says_and_all_narrow_ones_are_found(style: str) -> None:
    shapes = board(tongue_style=style, least_neck=3.5, perturbation=0.3, tongue_size=0.18, vary_neck=0.3)
    found = {one.strokes[0]: one for one in findings(shapes, "neck")}
    narrow = 0
    for tongue in shapes.tiling.graph.inner_edges.tolist():
        width, is_neck = dense_neck(shapes, tongue)
        if tongue in found:
            assert width < 3.5 * 1.01
            told = float(found[tongue].message.split(" is only ")[1].split(" mm")[0])
            assert told == pytest.approx(width, rel=0.01, abs=0.01)
            assert line(shapes, tongue).distance(shapely.Point(found[tongue].place)) < 0.6 * width
        elif is_neck:
            assert width > 3.5 * 0.99
        narrow += is_neck and width < 3.5
    assert 5 < narrow <= len(found)


@pytest.mark.parametrize(("least", "small"), [(25.0, False), (25.1, True)])
def test_a_piece_smaller_than_the_least_is_found_with_its_area(least: float, small: bool) -> None:
    found = findings(board(columns=1, rows=1, width=5, height=5, least_area=least))
    assert bool(found) == small
    for one in found:
        assert (one.kind, one.pieces, one.place) == ("piece", (0,), (2.5, 2.5))
        assert one.message == "Piece A1 has only 25.0 mm² (minimum 25.1 mm²)."


def test_a_piece_turned_inside_out_is_an_error() -> None:
    shapes = board(columns=3, rows=1, width=60, height=40, perturbation=0.0, plain_share=1.0)
    turned = moved(shapes, c1_0=(50.0, 0.0), c1_1=(50.0, 40.0))
    (found,) = findings(turned, "piece")
    assert found.severity is Severity.ERROR and found.pieces == (1,)


def test_cuts_that_make_another_number_of_pieces_say_how_many() -> None:
    shapes = changed(board(tongue_style="article"), TongueEdit("C3-D3", size=0.02, slant=0.3))
    (found,) = findings(shapes, "count")
    assert found.message == "Only 70 of 72 pieces are cut out. Fix the overlaps first."


def without_count(answer: JigsawChecked) -> list[tuple[Any, ...]]:
    return sorted(
        (one.kind, one.severity, one.strokes, one.pieces, one.message, round(one.place[0], 4), round(one.place[1], 4))
        for one in answer.findings
        if one.kind != "count"
    )


def stirred(shapes: JigsawShapes, rng: np.random.Generator) -> JigsawDesign:
    """Return the design after one random edit by hand."""
    tongues = sorted({int(one) for one in rng.choice(shapes.tiling.graph.inner_edges, 3)})
    corners = rng.choice(len(shapes.corners), 2, replace=False).tolist()
    places = {one: (shapes.corners[one] + rng.normal(0, 9, 2)).tolist() for one in corners}
    values = {"size": rng.uniform(0, 0.6), "place": rng.uniform(-0.4, 0.4), "slant": rng.uniform(-0.3, 0.3)}
    return [
        lambda: edits.with_corners_at(shapes, {one: (x, y) for one, (x, y) in places.items()}),
        lambda: edits.with_corners_at(shapes, {one: (x, y) for one, (x, y) in places.items()}),
        lambda: edits.with_tongues_flipped(shapes, tongues),
        lambda: edits.with_tongues_shaped(shapes, {one: values for one in tongues}),
        lambda: edits.with_tongues_plain(shapes, tongues, bool(rng.integers(2))),
        lambda: edits.with_tongues_rolled(shapes, tongues),
        lambda: edits.with_tongues_locked(shapes, tongues, bool(rng.integers(2))),
        lambda: edits.with_reset(shapes, tongues=tongues),
        lambda: edits.with_reset(shapes, corners),
    ][rng.integers(9)]()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("chained", [True, False], ids=["step by step", "always from the start"])
@pytest.mark.parametrize("seed", range(6))
def test_a_check_of_what_changed_finds_what_a_check_of_the_whole_finds(seed: int, chained: bool) -> None:
    rng = np.random.default_rng(seed)
    shapes = board(
        columns=5, rows=4, width=100, height=80, seed=seed, tongue_size=0.3, perturbation=0.25, least_bridge=1.5,
        tongue_style=["classic", "article"][seed % 2], border=["straight", "wandering"][seed % 3 == 0],
        corner_radius=[0.0, 15.0][seed % 3 == 1],
    )  # fmt: skip
    answer = checked(shapes)
    seen = Counter[str]()
    for _ in range(20):
        design = stirred(shapes, rng)
        after = shape(design, shapes, Progress())
        kept = check(design, after, answer, Progress())
        whole = checked(after)
        assert without_count(kept) == without_count(whole)
        assert np.array_equal(after.drawing.strokes.points, made(design).drawing.strokes.points)
        seen += Counter(one.kind for one in whole.findings)
        shapes, answer = after, kept if chained else answer
    assert seen["crossing"] and seen["bridge"] and (seen["neck"] or seed % 2)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(6))
def test_a_check_put_together_from_two_finds_what_a_check_of_the_whole_finds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    bare = JigsawDesign(
        JigsawParameters(
            columns=5, rows=4, width=100, height=80, seed=seed, tongue_size=0.3, perturbation=0.25,
            least_bridge=[1.5, 4.0][seed % 2],
        )
    )  # fmt: skip
    area = brushed(np.array([(20.0, 30.0), (70.0, 40.0)]), 6.0, bare.size)
    before = made(replace(bare, mask=None if seed % 3 else masked(None, area, None, bare.size)))
    seen = Counter[str]()
    for _ in range(6):
        names = rng.permutation([before.tiling.edge_name(edge) for edge in before.tiling.graph.inner_edges]).tolist()
        some, others = (
            [TongueEdit(name, size=rng.uniform(0.1, 0.6), place=rng.uniform(-0.3, 0.3)) for name in part]
            for part in (names[:6], names[6:16])
        )
        corners = {f"{rng.integers(1, 5)},{rng.integers(1, 4)}": tuple(rng.uniform(-0.5, 0.5, 2).tolist())}
        partly = shape(before.design.with_tongues(some).with_corners(corners), before, Progress())
        both = shape(partly.design.with_tongues(others), partly, Progress())
        answers = checked(before), checked(both)
        expected = without_count(checked(partly))
        assert without_count(recombined(partly, *answers)) == expected
        assert without_count(recombined(partly, *answers[::-1])) == expected
        for shapes, answer in zip((before, both), answers, strict=True):
            assert without_count(recombined(shapes, *answers)) == without_count(answer)
        seen += Counter(kind for kind, *_ in expected)
    assert seen["crossing"] and seen["bridge"] and (seed % 3 or seen["protected-tongue"])


def test_a_count_that_nothing_explains_any_more_goes_at_once() -> None:
    sound = made(JigsawDesign(classic(tongue_style="article")))
    broken = changed(sound, TongueEdit("C3-D3", size=0.02, slant=0.3))
    answer = checked(broken)
    assert {one.kind for one in answer.findings} == {"self-crossing", "count"}
    back = shape(sound.design, broken, Progress())
    assert check(sound.design, back, answer, Progress()).findings == ()


@pytest.mark.sampled(2)
@KNOWN_STYLES
@pytest.mark.parametrize("seed", range(3))
def test_repairs_mend_crossings_and_never_make_a_bridge_or_neck_thinner(seed: int, style: str) -> None:
    size = 0.35 if seed else 0.15
    shapes = board(perturbation=0.4, tongue_size=size, seed=seed, tongue_style=style, least_neck=2.5, least_radius=0.0)
    inner = set(shapes.tiling.graph.inner_edges.tolist())
    mended = 0
    for first in findings(shapes)[:12]:
        design, left = shapes.design, [first]
        for _ in range(6):
            if not left or left[0].repair is None:
                break
            after: JigsawDesign = left[0].repair.apply(design)
            assert after != design
            assert {edit.name for edit in after.tongues} <= {
                shapes.tiling.edge_name(stroke) for stroke in inner & set(first.strokes)
            }
            design = after
            left = [one for one in findings(made(design)) if (one.kind, one.strokes) == (first.kind, first.strokes)]
        mended += not left
        if left:
            assert first.severity is Severity.WARNING or first.repair is None
            assert first.kind == "count" or width_left(made(design), left[0]) > width_left(shapes, first) - 0.005
    assert mended > 0 or style == "article"


def test_a_knob_that_crosses_itself_is_mended_by_straightening_it() -> None:
    sound = made(JigsawDesign(classic(tongue_style="article")))
    shapes = changed(sound, TongueEdit("C3-D3", size=0.1, slant=0.3, place=0.2))
    (found,) = findings(shapes, "self-crossing")
    assert found.repair is not None and found.repair.title == "Reset offset and slant"
    assert findings(made(found.repair.apply(shapes.design))) == []


def test_what_no_other_knob_can_mend_has_no_repair() -> None:
    plain = findings(plain_cuts(4.0, seed=3, least_bridge=5.0), "bridge")
    necks = findings(board(tongue_style="article", least_neck=8.0), "neck")
    assert plain and necks
    assert all(found.repair is None for found in (*plain, *necks))
    assert all(found.message.endswith("Make the edge longer.") for found in necks)


def test_findings_name_strokes_and_pieces_that_the_drawing_has() -> None:
    shapes = board(perturbation=0.45, tongue_size=0.4, seed=4, least_area=500.0)
    for found in findings(shapes):
        assert all(0 <= stroke < len(shapes.drawing.strokes) for stroke in found.strokes)
        assert all(0 <= piece < len(shapes.drawing.pieces) for piece in found.pieces)
        assert found.strokes == tuple(sorted(set(found.strokes)))
        assert bool(found.strokes) + bool(found.pieces) == (found.kind not in {"count", "limit"})


def test_findings_of_an_edited_design_are_held_against_its_own_parameters() -> None:
    shapes = board()
    strict = replace(shapes.design, parameters=replace(shapes.design.parameters, least_neck=9.0))
    answer = check(strict, made(strict), checked(shapes), Progress())
    assert answer.findings == checked(made(strict)).findings != ()


def test_printed_necks_are_those_that_the_clearance_leaves_narrower_than_a_line() -> None:
    narrow = findings(board(least_neck=3.5, line_width=0.0), "neck")
    printed = findings(board(least_neck=0.0, play=2.0, line_width=1.5), "printed-neck")
    assert narrow and [found.strokes for found in printed] == [found.strokes for found in narrow]
    for found, other in zip(printed, narrow, strict=True):
        assert width_told(found) == pytest.approx(width_told(other) - 2.0, abs=0.011)
    assert findings(board(least_neck=0.0, play=2.0, line_width=0.0), "printed-neck") == []
    both = findings(board(least_neck=3.5, play=2.0, line_width=1.5))
    assert [found.kind for found in both] == ["neck"] * len(narrow), "a neck that snaps anyway is one problem"
    assert printed[0].message.startswith("Printed, the neck of ") and "(line width 1.5 mm)" in printed[0].message


def test_the_repair_of_a_printed_neck_makes_it_as_wide_as_a_line() -> None:
    shapes = board(least_neck=0.0, play=2.0, line_width=1.5)
    found = findings(shapes, "printed-neck")[0]
    assert found.repair is not None
    after = findings(made(found.repair.apply(shapes.design)), "printed-neck")
    assert found.strokes not in [each.strokes for each in after]


def test_a_limit_that_pieces_cannot_meet_is_told_once_with_one_that_they_can() -> None:
    design = JigsawDesign(JigsawParameters(width=300.0, height=200.0, pieces=1000, least_neck=4.0, least_area=90.0))
    found = check(design, made(design), None, Progress()).findings
    told = [one for one in found if one.problem is check_problems.LIMIT]
    assert [one.message for one in told] == [
        "Minimum neck of 4 mm is too large for pieces of 7.5 × 8.0 mm; about 1.5 mm can be met.",
        "Minimum piece of 90 mm² is too large for pieces of 7.5 × 8.0 mm; about 36 mm² can be met.",
    ]
    for one in told:
        assert one.repair is not None
        design = one.repair.apply(design, Progress())
    assert (design.parameters.least_neck, design.parameters.least_area) == (1.5, 36.0)
    after = check(design, made(design), None, Progress()).findings
    assert len(after) < 0.1 * len(found) and not any(one.problem is check_problems.LIMIT for one in after)
