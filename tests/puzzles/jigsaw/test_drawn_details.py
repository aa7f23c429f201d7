"""Details of boards of drawn cuts, which end inside a piece, and the fixes that a maker chooses among."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.checks.finding import Finding, Repair
from studio.fabricate.making import Making, made
from studio.fabricate.workshop import Machine, Material
from studio.files import store
from studio.files.drawing_import import read_cuts
from studio.geometry.curves.strokes import through
from studio.geometry.planar.regions import pieces_as_polygons
from studio.puzzles.jigsaw import check_problems
from studio.puzzles.jigsaw.checks import check, recombined
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model import edits
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.drawn_boards import converted, with_drawn_cuts
from studio.puzzles.jigsaw.model.drawn_cuts import (
    redrawn,
    with_crossings_split,
    with_curves,
    with_details,
    with_details_shortened,
    with_lines_extended,
    with_straight_cut,
    without_lines,
)
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.repair import repaired
from tests.puzzles.jigsaw.patterns import line
from tests.puzzles.jigsaw.test_drawn_boards import areas, shaped
from tests.puzzles.jigsaw.test_figures_together import TRAIN, board, export, lines_in

BORDER = line((0, 0), (100, 0), (100, 60), (0, 60), (0, 0))
LINES = [BORDER, line((50, 0), (50, 60)), line((10, 30), (47, 30)), line((70, 20), (80, 40)), line((50, 45), (62, 45))]
"""Two pieces, and three lines that end inside them: 3 mm from a cut, far from everything, and attached to a cut."""


@pytest.fixture(scope="module")
def loose() -> JigsawDesign:
    return with_drawn_cuts(JigsawDesign(), LINES, 0.05)[0]


def found(design: JigsawDesign, shapes: JigsawShapes | None = None) -> tuple[Finding, ...]:
    return JIGSAW.check(design, shapes or shaped(design), None, SILENT).findings


def titles(finding: Finding) -> list[str]:
    return [repair.title for repair in finding.repairs]


def fix(finding: Finding, title: str) -> Repair:
    return next(repair for repair in finding.repairs if repair.title == title)


@pytest.mark.parametrize(("key", "count"), [("train", 5), ("ship", 5), ("pair", 4)])
def test_details_of_figures_are_cut_as_before_on_a_board_that_is_converted(key: str, count: int) -> None:
    before = board(replace(TRAIN, figure=key, name=f"{key}1"))
    drawn = converted(before)
    was, now = shaped(before), shaped(drawn)
    assert [one.is_detail for one in drawn.loose] == [True] * count == [True] * len(now.tiling.details)
    lengths = [shapes.drawing.strokes.lengths[sorted(shapes.tiling.details)] for shapes in (was, now)]
    assert np.sort(lengths[1]) == pytest.approx(np.sort(lengths[0]), abs=1e-4)
    assert now.drawing.strokes.lengths.sum() == pytest.approx(was.drawing.strokes.lengths.sum(), abs=1e-3)
    assert areas(now.drawing) == pytest.approx(areas(was.drawing), abs=0.01)
    assert {one.kind for one in found(drawn, now)} <= {"bridge"}
    data = store.dumps(JIGSAW, drawn)
    assert store.loads(data).design == drawn and store.dumps(JIGSAW, store.loads(data).design) == data
    again = converted(drawn)
    assert [one.curve for one in again.loose if one.is_detail] == [one.curve for one in drawn.loose]


def test_a_line_that_is_cut_as_a_detail_is_no_problem_and_is_in_every_file(loose: JigsawDesign, tmp_path: Path) -> None:
    uncut, design = shaped(loose), with_details(loose, SILENT)
    shapes = shaped(design)
    assert [one.kind for one in found(loose)] == ["loose-line"] * 3 and not found(design, shapes)
    assert areas(shapes.drawing) == pytest.approx([3000.0, 3000.0])
    assert areas(uncut.drawing) == pytest.approx([3000.0, 3000.0])
    own = 37.0 + np.hypot(10.0, 20.0) + 12.0
    lengths = shapes.drawing.strokes.lengths
    assert lengths.sum() == pytest.approx(uncut.drawing.strokes.lengths.sum() + own)
    assert lengths[sorted(shapes.tiling.details)].sum() == pytest.approx(own)
    (plan,) = made(shapes.whole, Making(strategy="release-aware"), Machine(), Material()).plans
    order = [code >> 1 for chain in plan.drawing.chains for code in chain.strokes.tolist()]
    assert plan.loose_cuts == 0 and sorted(order) == list(range(len(lengths)))
    apart = [one.length for one in lines_in(export(design, tmp_path, "separate")) if not one.is_closed]
    assert sorted(apart) == pytest.approx([12.0, np.hypot(10.0, 20.0), 37.0], rel=0.02)
    path = tmp_path / "shared.svg"
    path.write_text(export(design, tmp_path, "shared"))
    back, _ = read_cuts(path, JigsawDesign(), SILENT)
    assert [one.is_detail for one in back.loose] == [False] * 3, "the maker decides again"
    assert sorted(one.kind for one in found(back)) == ["loose-line"] * 3


def test_files_without_details_are_as_before(loose: JigsawDesign) -> None:
    assert b"is_detail" not in store.dumps(JIGSAW, loose)
    design = with_details(loose, SILENT, ["line2"])
    data = store.dumps(JIGSAW, design)
    assert data.count(b"is_detail") == 1 and store.loads(data).design == design
    with pytest.raises(StudioError):
        store.loads(data.replace(b'"is_detail": true', b'"is_detail": 2'))
    with pytest.raises(StudioError, match="line9"):
        with_details(loose, SILENT, ["line9"])


def test_details_stretch_with_the_board_and_last_when_cuts_are_drawn_across_them(loose: JigsawDesign) -> None:
    design = with_details(loose, SILENT)
    wide = replace(design, parameters=replace(design.parameters, width=200.0))
    shapes = shaped(wide)
    ends = shapes.drawing.strokes[shapes.tiling.drawn_details[0]][[0, -1]]
    assert ends == pytest.approx(np.array([(20.0, 30.0), (94.0, 30.0)]))
    crossed = with_straight_cut(design, SILENT, [(30.0, 0.0), (30.0, 60.0)]).design
    assert len(crossed.loose) == 4 and all(one.is_detail for one in crossed.loose)
    assert len(shaped(crossed).drawing.pieces) == 3 and not found(crossed)
    assert len(without_lines(crossed, SILENT, [crossed.loose[0].name]).loose) == 3
    assert without_lines(crossed, SILENT) == crossed, "without names only lines that are not cut are removed"


def test_every_loose_line_offers_its_fixes(loose: JigsawDesign) -> None:
    near, *far = sorted(found(loose), key=lambda one: one.cells)
    assert near.problem is check_problems.LOOSE_END
    assert titles(near) == ["Extend to the next cut", "Cut as a detail", "Remove the line"]
    for one in far:
        assert one.problem is check_problems.LOOSE_FAR
        assert titles(one) == ["Cut as a detail", "Remove the line", "Extend to the next cut"]
    for one in (near, *far):
        (name,) = one.cells
        cut = fix(one, "Cut as a detail").apply(loose)
        assert [each.name for each in cut.loose if each.is_detail] == [name]
        assert name not in {each.name for each in fix(one, "Remove the line").apply(loose).loose}
    assert len(shaped(fix(far[0], "Extend to the next cut").apply(loose)).drawing.pieces) == 3
    assert with_lines_extended(loose, SILENT).design.loose == loose.loose[1:], "without names within 10 mm"
    # The first is led on at both ends: its other end is 10 mm from the border.
    everything = repaired(loose, SILENT)
    assert not found(everything.design) and sum(one.is_detail for one in everything.design.loose) == 2


@pytest.mark.parametrize(("aside", "met"), [(0.0, 30.0), (3.0, 33.0), (-3.0, 27.0), (6.8, 36.8)])
def test_a_line_is_extended_straight_on_unless_that_is_far(aside: float, met: float) -> None:
    lines = [BORDER, line((50, 0), (50, 60)), line((42, 30 - aside), (46, 30))]
    (cut,) = with_lines_extended(with_drawn_cuts(JigsawDesign(), lines, 0.05)[0], SILENT, ["line1"]).design.loose
    assert cut.curve[-1] == pytest.approx((50.0, met)) and cut.curve[0] == pytest.approx((42.0, 30 - aside))


def test_the_end_of_a_line_that_was_drawn_too_long_is_removed() -> None:
    lines = [BORDER, line((50, 0), (50, 60)), line((0, 30), (50.4, 30))]
    design = with_drawn_cuts(JigsawDesign(), lines, 0.05)[0]
    (finding,) = found(design)
    assert finding.message == "A drawn line ends 0.40 mm beyond a cut; that end is not cut (line1)."
    assert titles(finding) == ["Remove the line", "Cut as a detail", "Extend to the next cut"]
    removed = finding.repairs[0].apply(design)
    assert not removed.loose and not found(removed) and len(shaped(removed).drawing.pieces) == 3


@pytest.mark.parametrize("turn", [0.0, 2.5, 21.0, 37.0, 52.5])
def test_a_cut_ten_millimetres_off_is_within_reach_in_every_direction(turn: float) -> None:
    x, y = (12 * np.sin(np.radians(turn)), 12 * np.cos(np.radians(turn)))
    lines = [BORDER, line((50, 0), (50, 60)), line((25 - x, 50 - y - 10), (25, 50 - 10))]
    (finding,) = found(with_drawn_cuts(JigsawDesign(), [*lines, line((0, 50), (50, 50))], 0.05)[0])
    # Straight on it is further.
    assert f"ends {10 / np.cos(np.radians(turn)):.2f} mm short of the next cut" in finding.message


def test_a_line_with_no_cut_ahead_is_not_extended_in_silence() -> None:
    design = with_drawn_cuts(JigsawDesign(), [*LINES, line((120, 2), (120, 58))], 0.05)[0]
    outside = next(one.name for one in design.loose if one.curve[0][0] > 100)
    with pytest.raises(StudioError, match=rf"No cut lies ahead of {outside}\."):
        with_lines_extended(design, SILENT, [outside])


def test_a_line_is_extended_straight_on_to_a_cut_that_is_further_off_than_another_beside_it() -> None:
    design = with_drawn_cuts(JigsawDesign(), [BORDER, line((50, 0), (50, 60)), line((30, 20), (41, 31))], 0.05)[0]
    (finding,) = found(design)
    assert "ends 12.73 mm short of the next cut" in finding.message
    (led,) = with_lines_extended(design, SILENT, ["line1"]).design.loose
    assert led.curve[-1] == pytest.approx((50.0, 40.0))


def test_a_line_that_runs_nearly_along_a_cut_is_led_aside_to_it() -> None:
    lines = [BORDER, line((50, 0), (50, 60)), line((42, 15), (46, 30))]
    (cut,) = with_lines_extended(with_drawn_cuts(JigsawDesign(), lines, 0.05)[0], SILENT, ["line1"]).design.loose
    assert cut.curve[-1][0] == pytest.approx(50.0) and 30 < cut.curve[-1][1] < 31.5


def test_an_end_near_another_end_is_joined_to_it() -> None:
    lines = [BORDER, line((50, 0), (50, 60)), line((50, 30), (70, 30)), line((100, 34), (74, 34))]
    design = with_drawn_cuts(JigsawDesign(), lines, 0.05)[0]
    joined = found(design)[0].repairs[0].apply(design)
    assert not joined.loose and areas(shaped(joined).drawing) == pytest.approx([1388.0, 1612.0, 3000.0])


def test_a_detail_near_another_cut_is_found_while_the_cut_is_dragged_and_is_shortened(loose: JigsawDesign) -> None:
    design = with_details(loose, SILENT)
    before = shaped(design)
    checked = JIGSAW.check(design, before, None, SILENT)
    ends = {name: before.corners[at] for name, at in before.tiling.corner_indices.items()}
    bottom = next(name for name, place in ends.items() if place[1] > 50)
    for x, problem in ((46.0, check_problems.DETAIL_CLOSE), (36.0, check_problems.DETAIL_CROSSES), (50.0, None)):
        moved = edits.with_corners_at(before, {before.tiling.corner_indices[bottom]: (x, 60.0)})
        after = shape(moved, before, SILENT)
        checked = JIGSAW.check(moved, after, checked, SILENT)
        assert checked.findings == found(moved), "as from nothing"
        of_first = [one for one in checked.findings if one.cells == ("line1",)]
        assert [one.problem for one in of_first] == ([] if problem is None else [problem])
        if problem is None:
            continue
        (finding,) = of_first
        gap = after_gap(after, 0)
        assert finding.shortfall == pytest.approx(1 - gap / after.limits.least_bridge, abs=0.01)
        second = "Split at the crossing" if gap == 0 else "Extend to the next cut"
        assert titles(finding) == ["Shorten the detail", second, "Remove the line"]
        shorter = finding.repairs[0].apply(moved)
        assert after_gap(shaped(shorter), 0) >= after.limits.least_bridge
        assert shorter.loose[0].is_detail and shorter.loose[0].curve[0] == moved.loose[0].curve[0]
        divided = finding.repairs[1].apply(moved)
        assert "detail" not in {one.kind for one in found(divided) if one.cells == ("line1",)}


def after_gap(shapes: JigsawShapes, which: int) -> float:
    """Distance in mm of a detail from all cuts but the details."""
    lines = shapes.drawing.polylines
    details = shapes.tiling.drawn_details.tolist()
    others = [shapely.LineString(lines[at]) for at in range(len(shapes.drawing.strokes)) if at not in details]
    return float(shapely.distance(shapely.union_all(others), shapely.LineString(lines[details[which]])))


@given(st.floats(0.0, 6.0), st.floats(0.3, 5.0))
def test_a_shortened_detail_keeps_the_least_wall_or_is_gone(gap: float, least: float) -> None:
    lines = [BORDER, line((50, 0), (50, 60)), line((50.0 + gap, 20), (70, 12), (58, 30), (97, 41))]
    parameters = JigsawParameters(least_bridge=least, scale_limits=False)
    design = with_details(with_drawn_cuts(JigsawDesign(parameters), lines, 0.05)[0], SILENT)
    shorter = with_details_shortened(design, SILENT)
    assert not [one for one in found(shorter) if one.problem is check_problems.DETAIL_CLOSE]
    for one in shorter.loose:
        string, whole = (shapely.LineString(np.array(curve)[::3]) for curve in (one.curve, design.loose[0].curve))
        assert shapely.buffer(whole, 1e-3).contains(string)


def test_cuts_that_cross_become_corners_and_pieces_of_a_drawn_board() -> None:
    design = converted(JigsawDesign(JigsawParameters(width=160.0, height=120.0, columns=5, rows=4, seed=3)))
    before, count = shaped(design), 0
    for at, shift in ((10, (-26.0, 10.0)), (11, (26.0, 0.0)), (13, (26.0, 0.0)), (15, (26.0, 0.0))):
        corner = int(before.tiling.movable[at])
        moved = edits.with_corners_at(before, {corner: (before.corners[corner] + shift).tolist()})
        shapes = shape(moved, before, SILENT)
        crossings = [one for one in found(moved, shapes) if one.problem is check_problems.CROSSING]
        assert crossings and all(titles(one)[0] == "Split at the crossing" for one in crossings)
        assert all(one.message.startswith("Cuts ") and " cross. Split them" in one.message for one in crossings)
        split = crossings[0].repairs[0].apply(moved)
        after = shaped(split)
        regions = pieces_as_polygons(after.drawing, after.drawing.strokes.flattened(0.001))
        assert shapely.area(regions).sum() == pytest.approx(160.0 * 120.0, abs=0.01)
        assert len(regions) > 20 and not [one for one in found(split, after) if one.kind == "crossing"]
        assert after.drawing.strokes.lengths.sum() == pytest.approx(shapes.drawing.strokes.lengths.sum(), abs=0.01)
        assert store.loads(store.dumps(JIGSAW, split)).design == split
        count += 1
    assert count == 4
    corner = int(before.tiling.movable[18])
    beyond = edits.with_corners_at(before, {corner: (before.corners[corner] + 18.0).tolist()})
    with pytest.raises(StudioError, match=r"^A cut crosses the border\. Move it inside first\.$"):
        with_crossings_split(beyond, SILENT)
    with pytest.raises(StudioError, match=r"^The board has no drawn cuts\. Convert it to drawn cuts first\.$"):
        with_crossings_split(JigsawDesign(), SILENT)


def test_crossing_cuts_without_tongues_are_called_cuts_and_are_straightened_only_where_that_helps() -> None:
    plain = JigsawParameters(width=160.0, height=120.0, columns=5, rows=4, seed=3, plain_share=1.0, perturbation=0.0)
    design = converted(JigsawDesign(plain))
    shapes, middle = shaped(design), "B2-C2"
    edge = shapes.tiling.edge_indices[middle]
    (x, y), (_, low) = shapes.corners[shapes.tiling.graph.edges[edge]].tolist()
    # Straight between its corners, this cut crosses nothing.
    round_a_corner = with_curves(shapes, {edge: through(np.array([(x, y), (x + 40.0, (y + low) / 2), (x, low)]))})
    (one, *_) = [each for each in found(round_a_corner) if each.problem is check_problems.CROSSING]
    assert one.message.startswith(f"Cuts {middle} and ") and one.message.endswith(
        "cross. Split them at the crossing, or move one."
    )
    assert titles(one) == ["Split at the crossing", "Make straight"]
    assert not [each for each in found(one.repairs[1].apply(round_a_corner)) if each.kind == "crossing"]
    corner = shapes.tiling.corner_indices[design.cuts[0].ends[1]]
    across = edits.with_corners_at(shapes, {corner: (shapes.corners[corner] + (70.0, 40.0)).tolist()})
    crossings = [each for each in found(across) if each.problem is check_problems.CROSSING]
    both = shaped(across).drawing.strokes
    for each in crossings:
        one, other = (shapely.LineString(both[stroke][[0, -1]]) for stroke in each.strokes)
        straightens = [] if one.crosses(other) else ["Make straight"]
        assert titles(each) == ["Split at the crossing", *straightens]
    assert any(len(each.repairs) == 1 for each in crossings)
    looped = with_curves(shapes, {edge: through(np.array(
        [(x, y), (x + 8, low - 8), (x + 8, low - 12), (x - 8, low - 10), (x, low)]))})  # fmt: skip
    (loop,) = [each for each in found(looped) if each.kind == "self-crossing"]
    assert loop.message == f"Cut {middle} crosses itself. Split it at the crossing, or redraw it."
    assert titles(loop)[0] == "Split at the crossing"
    # Between straight cuts of a grid there is nothing to split; two tongues still overlap.
    grid = JigsawDesign(replace(plain, perturbation=0.0))
    bare = shaped(grid)
    corner = bare.tiling.corner_indices["2,2"]
    crossed = edits.with_corners_at(bare, {corner: (bare.corners[corner] + (70.0, 40.0)).tolist()})
    messages = [each.message for each in found(crossed) if each.kind == "crossing"]
    assert messages and all(" cross. Move the corners at their ends apart." in each for each in messages)
    wild = JigsawDesign(JigsawParameters(perturbation=0.45, tongue_size=0.5, layout_version=1))
    assert any(re.match("Tongues .* overlap. Make one smaller", each.message) for each in found(wild))


def test_a_sliver_within_one_drawn_cut_is_found_as_between_two() -> None:
    straight = JigsawParameters(width=160.0, height=120.0, columns=4, rows=3, perturbation=0.0, plain_share=1.0)
    bare = converted(JigsawDesign(straight))
    shapes, name = shaped(bare), "B1-C1"
    edge = shapes.tiling.edge_indices[name]
    (x, top), (_, low) = shapes.corners[shapes.tiling.graph.edges[edge]].tolist()
    spike = through(np.array([(x, top), (x, 20.0), (x + 30.0, 20.0), (x + 30.0, 20.4), (x, 20.4), (x, low)]))
    design = with_curves(shapes, {edge: spike})
    after = shape(design, shapes, SILENT)
    whole = JIGSAW.check(design, shaped(design), None, SILENT)
    (one,) = whole.findings
    assert one.kind == "bridge" and one.strokes == (edge,)
    assert re.fullmatch(rf"Wall within {name} is only 0\.(39|40) mm \(minimum 1 mm\)\.", one.message)
    assert abs(one.place[1] - 20.2) < 0.1 and titles(one) == ["Make straight"]
    assert not found(one.repairs[0].apply(design))
    # Found while it is dragged, and by halves of two answers, as from nothing.
    clean = JIGSAW.check(bare, shapes, None, SILENT)
    assert JIGSAW.check(design, after, clean, SILENT).findings == whole.findings
    back = shape(bare, after, SILENT)
    assert not JIGSAW.check(bare, back, whole, SILENT).findings
    corner = shapes.tiling.corner_indices[bare.cuts[-1].ends[0]]
    both = edits.with_corners_at(after, {corner: (after.corners[corner] + (3.0, 2.0)).tolist()})
    moved = shape(both, after, SILENT)
    checked = check(both, moved, None, SILENT)
    partly = shape(edits.with_corners_at(shapes, {corner: moved.corners[corner].tolist()}), moved, SILENT)
    assert recombined(partly, check(bare, shapes, None, SILENT), checked).findings == found(partly.design, partly)
    limit = replace(design, parameters=replace(design.parameters, least_bridge=0.35, scale_limits=False))
    assert not found(limit)


def test_an_edge_that_is_led_round_another_cut_is_refused_with_the_reason() -> None:
    before = board(TRAIN)
    shapes = shaped(before)
    seam = shapes.drawing.strokes[shapes.tiling.tongue_indices["train1a-train1b"]]
    x, y = seam[len(seam) // 2].tolist()
    bent = shaped(redrawn(before, SILENT, "train1a-train1b", [(x, y + 1.0)]))
    assert len(bent.drawing.pieces) == len(shapes.drawing.pieces)
    with pytest.raises(StudioError) as refused:
        redrawn(before, SILENT, "train1a-train1b", [(150.0, 100.0)])
    assert str(refused.value) == (
        "train1a-train1b would leave a corner on the far side of another cut. Lead it between its neighbours."
    )


def test_a_line_says_how_far_from_the_next_cut_it_ends() -> None:
    def said(*lines: tuple[tuple[float, float], ...]) -> list[str]:
        drawn, _ = with_drawn_cuts(
            JigsawDesign(), [BORDER, line((50, 0), (50, 60)), *(line(*each) for each in lines)], 0.05
        )
        return [one.message for one in found(drawn)]

    ending = "so it is not cut (line1)."
    for x in (90.1, 90.0, 90.0 - 1e-4):
        assert said(((50, 31.7), (x, 31.7))) == [f"A drawn line ends {100 - x:.2f} mm short of the next cut, {ending}"]
    assert said(((50, 30), (80, 30))) == [f"A drawn line ends more than 10 mm from the next cut, {ending}"]
