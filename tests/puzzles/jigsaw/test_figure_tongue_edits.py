"""Tongues of figures are edited one by one: they keep their edits where the figure keeps the tongue, and nothing else
changes."""

from dataclasses import replace

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.base.progress import SILENT
from studio.checks.finding import Finding, errors_of
from studio.files.store import dumps, loads
from studio.geometry.curves.strokes import Curves
from studio.puzzles.jigsaw import check_problems
from studio.puzzles.jigsaw.checks import check
from studio.puzzles.jigsaw.figures.figure_edits import with_figures_posed, with_tongues_of_figures, without_figures
from studio.puzzles.jigsaw.figures.whimsies import Pose, Whimsy
from studio.puzzles.jigsaw.fits.interlock import tongue_grip
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model import edits
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.picture.masks import Mask
from studio.puzzles.jigsaw.repair import repaired
from studio.puzzles.jigsaw.tongues.styles import Handle
from studio.puzzles.jigsaw.tongues.tongues import SIDE
from studio.puzzles.jigsaw.tongues.values import grip, shape_of
from tests.depth import examples

CAT = Whimsy("cat1", "cat", Pose(x=70.0, y=60.0, height=60.0), tongues=4)
STAR = Whimsy("star1", "star", Pose(x=150.0, y=60.0, height=55.0, turn=20.0), tongues=4)
BOARD = JigsawDesign(JigsawParameters(columns=8, rows=5, width=220.0, height=120.0, seed=5), whimsies=(CAT, STAR))


def shaped(design: JigsawDesign, before: JigsawShapes | None = None) -> JigsawShapes:
    return shape(design, before, SILENT)


def findings(design: JigsawDesign) -> tuple[Finding, ...]:
    return check(design, shaped(design), None, SILENT).findings


BARE = shaped(BOARD)
NAMES = [BARE.tiling.tongue_name(at) for at in range(len(BARE.rooms), len(BARE.tongues))]


def changed_strokes(one: JigsawShapes, other: JigsawShapes) -> set[str]:
    changed = other.drawing.strokes.changed_since(one.drawing.strokes).tolist()
    return {other.tiling.figure_of.get(stroke, "") for stroke in changed}


def test_every_tongue_of_a_figure_has_a_name_and_a_number_of_its_own() -> None:
    assert [name for name in NAMES if name.startswith("star1")] == ["star1.1", "star1.2", "star1.3", "star1.4"]
    assert len({*NAMES}) == len(NAMES) and not {*NAMES} & {*BARE.tiling.edge_indices}
    assert BARE.tiling.tongue_indices["star1.2"] == len(BARE.rooms) + NAMES.index("star1.2")


@settings(max_examples=examples(6, 200))
@given(
    name=st.sampled_from(NAMES),
    side=st.sampled_from([None, 1, -1]),
    plain=st.booleans(),
    size=st.none() | st.floats(0.25, 0.5),
    place=st.none() | st.floats(-0.2, 0.2),
    style=st.sampled_from([None, "ball", "heart", "classic", "dovetail", "article", "wave"]),
)
def test_an_edit_changes_its_figure_alone_and_is_the_same_made_step_by_step_or_from_nothing(
    name: str, side: int | None, plain: bool, size: float | None, place: float | None, style: str | None
) -> None:
    edit = TongueEdit(name, side=side, plain=plain or None, size=size, place=place, style=style)
    design = BOARD.with_tongues([edit])
    near, anew = shaped(design, BARE), shaped(design)
    assert np.array_equal(near.drawing.strokes.points, anew.drawing.strokes.points)
    assert changed_strokes(BARE, near) <= {name.split(".")[0]}
    assert loads(dumps(JIGSAW, design)).design == design
    # What a figure gains its neighbours lose.
    assert near.drawing.piece_areas.sum() == pytest.approx(220 * 120, rel=1e-6)
    assert shaped(BOARD, near).drawing.strokes.points == pytest.approx(BARE.drawing.strokes.points, abs=1e-12)


@pytest.mark.parametrize("name", ["cat1.1", "star1.2", "star1.3"])
def test_a_flipped_tongue_belongs_to_the_other_piece(name: str) -> None:
    tongue = BARE.tiling.tongue_indices[name]
    figure = BARE.drawing.pieces.names.index(name.split(".")[0])
    flipped = shaped(edits.with_tongues_flipped(BARE, [tongue]), BARE)
    out = BARE.tongues[tongue, SIDE] < 0
    assert (flipped.drawing.piece_areas[figure] < BARE.drawing.piece_areas[figure]) == out
    straight = shaped(edits.with_tongues_plain(BARE, [tongue], True), BARE)
    areas = [each.drawing.piece_areas[figure] for each in (BARE, straight, flipped)]
    assert areas == sorted(areas, reverse=bool(out))
    neighbour = BARE.piece_beside(tongue, -1.0)
    assert BARE.piece_beside(tongue, 1.0) == name.split(".")[0] and neighbour in BARE.tiling.piece_names


def test_handles_and_grips_of_a_tongue_of_a_figure_are_on_its_curve() -> None:
    for tongue in range(len(BARE.rooms), len(BARE.tongues)):
        held = grip(BARE, tongue)
        line = shapely.LineString(Curves.from_strokes([BARE.curve(tongue)]).flattened(0.001)[0])
        assert line.distance(shapely.Point(held.handle(Handle.SIZE))) < 0.05
        assert line.length > 1.5 * np.hypot(*(held.frames.ends[0, 1] - held.frames.ends[0, 0]))
        assert tongue_grip(BARE, tongue).clearance is None


def test_a_copied_shape_goes_from_one_tongue_to_that_of_a_figure() -> None:
    tongue = BARE.tiling.tongue_indices["star1.1"]
    edge = int(BARE.tiling.graph.inner_edges[~BARE.plain[BARE.tiling.graph.inner_edges]][0])
    pasted = shaped(edits.with_tongues_alike(BARE, [tongue], shape_of(BARE, edge)), BARE)
    assert shape_of(pasted, tongue) == replace(shape_of(pasted, edge), name="star1.1")


def test_edits_outlive_moves_turns_and_scaling_and_end_with_their_tongue() -> None:
    edited = BOARD.with_tongues([TongueEdit(f"star1.{number}", style="heart") for number in (1, 2, 3, 4)])
    for pose in (replace(STAR.pose, x=165.0, y=58.0), replace(STAR.pose, turn=65.0), replace(STAR.pose, height=62.0)):
        made = with_figures_posed(edited, {"star1": pose}, SILENT)
        assert made.dropped == () and made.design.tongues == edited.tongues
        assert shaped(made.design, shaped(edited)).drawing.strokes.points == pytest.approx(
            shaped(made.design).drawing.strokes.points
        )
    fewer = with_tongues_of_figures(edited, ["star1"], 2, SILENT)
    assert fewer.dropped == ("tongue star1.3", "tongue star1.4")
    gone = without_figures(edited, ["star1"], SILENT)
    assert len(gone.dropped) == 4 and gone.design.tongues == ()


@settings(max_examples=examples(3, 80))
@given(right=st.floats(-1.0, 1.0), down=st.floats(-1.0, 1.0))
def test_a_small_move_leaves_every_number_on_its_side_of_the_figure(right: float, down: float) -> None:
    made = with_figures_posed(BOARD, {"star1": replace(STAR.pose, x=150.0 + right, y=60.0 + down)}, SILENT)
    tilings = [BARE.tiling, shaped(made.design).tiling]
    before, after = (
        {k.number: k.foot.mean(axis=0) for name, k in each.figure_tongues if name == "star1"} for each in tilings
    )
    assert before.keys() == after.keys()
    for number in before:
        assert np.hypot(*(after[number] - before[number])) < STAR.pose.height / 2


@pytest.mark.sampled(3)
@pytest.mark.parametrize("key", ["cat", "star", "hare"])
def test_a_mirrored_figure_keeps_its_numbers_and_the_edits_are_mirrored_with_it(key: str) -> None:
    one = Whimsy(f"{key}1", key, Pose(x=110.0, y=60.0, height=55.0, turn=10.0), tongues=4)
    edit = TongueEdit(f"{key}1.2", side=1, size=0.45, place=0.2, slant=0.1, head_balance=-0.2)
    design = replace(BOARD, whimsies=(one,), tongues=(edit,))
    other = with_figures_posed(design, {one.name: replace(one.pose, is_mirrored=True, turn=-10.0)}, SILENT).design
    assert other.tongues == (replace(edit, place=-0.2, slant=-0.1, head_balance=0.2),)
    before, after = (
        {knob.number: knob.foot.mean(axis=0) - [110.0, 60.0] for _name, knob in shaped(each).tiling.figure_tongues}
        for each in (design, other)
    )
    assert before.keys() == after.keys() == {1, 2, 3, 4}
    for number, place in before.items():
        nearest = min(after, key=lambda each: float(np.hypot(*(after[each] * [-1.0, 1.0] - place))))
        assert nearest == number
    assert with_figures_posed(other, {one.name: one.pose}, SILENT).design == design


def test_locked_tongues_keep_their_shape_when_the_seed_changes_and_randomised_ones_do_not() -> None:
    tongue = BARE.tiling.tongue_indices["star1.2"]
    rolled = shaped(edits.with_tongues_rolled(BARE, [tongue]), BARE)
    locked = edits.with_tongues_locked(rolled, [tongue], True)
    assert (rolled.tongues[tongue] != BARE.tongues[tongue]).any()
    other = replace(BOARD.parameters, seed=6)
    assert (shaped(replace(locked, parameters=other)).tongues[tongue] == rolled.tongues[tongue]).all()
    assert (shaped(replace(rolled.design, parameters=other)).tongues[tongue] != rolled.tongues[tongue]).any()
    assert edits.with_tongues_rolled(shaped(locked), [tongue]) == locked


def test_an_edited_tongue_that_overlaps_is_a_problem_with_a_repair() -> None:
    wild = BOARD.with_tongues([TongueEdit("star1.1", size=0.6, head=1.5, slant=0.3, neck=1.6)])
    found = findings(wild)
    wrong = [one for one in found if one.repair is not None]
    assert wrong
    mended = wrong[0].repair
    assert mended is not None
    assert len(errors_of(findings(mended.apply(wild, SILENT)))) <= len(errors_of(found))
    assert not errors_of(findings(repaired(wild, SILENT).design))


def test_a_tongue_of_a_figure_in_a_protected_area_is_a_problem_until_it_is_repaired() -> None:
    tongue = next(at for at in range(len(BARE.rooms), len(BARE.tongues)) if BARE.tongues[at, SIDE] < 0)
    name = BARE.tiling.tongue_name(tongue)
    x, y = grip(BARE, tongue).handle(Handle.SIZE)
    half = 1.2
    square = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
    mask = Mask((square,))
    design = replace(BOARD, mask=mask)
    (found,) = [one for one in findings(design) if one.problem is check_problems.PROTECTED_TONGUE and name in one.cells]
    assert name in found.message and found.repair is not None
    mended = found.repair.apply(design, SILENT)
    assert [edit.name for edit in mended.tongues] == [name]
    assert not [one for one in findings(mended) if one.problem is check_problems.PROTECTED_TONGUE and one.cells]
    all_at_once = repaired(design, SILENT)
    assert name in all_at_once.tongues
    assert not [one for one in findings(all_at_once.design) if name in one.cells]
    near = check(mended, shaped(mended, shaped(design)), check(design, shaped(design), None, SILENT), SILENT)
    assert {one.message for one in near.findings} == {one.message for one in findings(mended)}
