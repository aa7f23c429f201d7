"""Tongues between figures and the pieces around: as many as there is room for, off the ends of cuts, and they hold."""

from dataclasses import replace

import numpy as np
import pytest
import shapely

from studio.base.parameters import ParameterError
from studio.base.progress import SILENT
from studio.checks.finding import Finding, errors_of
from studio.files.store import dumps, loads
from studio.geometry.board.figure_knobs import Knob
from studio.puzzles.jigsaw.checks import check
from studio.puzzles.jigsaw.figures.figure_edits import with_figure, with_tongues_of_figures
from studio.puzzles.jigsaw.figures.whimsies import AS_FIT, Pose, Whimsy
from studio.puzzles.jigsaw.fits.interlock import figure_grip
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from tests.tilings import TILINGS

FOUR = (
    Whimsy("cat1", "cat", Pose(x=60.0, y=60.0, height=55.0), tongues=4),
    Whimsy("fish1", "fish", Pose(x=150.0, y=110.0, height=38.0, turn=-15.0), tongues=4),
    Whimsy("star1", "star", Pose(x=235.0, y=55.0, height=50.0), tongues=4),
    Whimsy("whale1", "whale", Pose(x=230.0, y=140.0, height=34.0, is_mirrored=True), tongues=4),
)

USUAL = JigsawParameters(columns=12, rows=8, width=300.0, height=180.0, seed=5)
STAR = JigsawDesign(USUAL, whimsies=(FOUR[2],))


def shaped(design: JigsawDesign) -> JigsawShapes:
    return shape(design, None, SILENT)


def findings(design: JigsawDesign) -> tuple[Finding, ...]:
    return check(design, shaped(design), None, SILENT).findings


def knobs(shapes: JigsawShapes) -> list[Knob]:
    return [knob for one in shapes.tiling.fillings for knob in one.knobs]


@pytest.mark.sampled(7)
@pytest.mark.parametrize("tiling", TILINGS)
def test_figures_with_tongues_are_one_piece_each_and_all_pieces_fill_the_board(tiling: str) -> None:
    design = JigsawDesign(replace(USUAL, tiling=tiling), whimsies=FOUR)
    shapes = shaped(design)
    assert errors_of(findings(design)) == []
    assert len(knobs(shapes)) >= 14
    drawing = shapes.drawing
    assert drawing.piece_areas.sum() == pytest.approx(300 * 180, rel=1e-6)
    lines = [shapely.LineString(drawing.polylines[at]) for at in range(len(drawing.polylines))]
    faces = [face for face in shapely.get_parts(shapely.polygonize([shapely.union_all(lines)])) if face.area > 1e-3]
    assert sorted(shapely.area(faces)) == pytest.approx(sorted(drawing.piece_areas), rel=1e-6)


def test_tongues_join_a_figure_to_pieces_that_it_would_not_hold() -> None:
    bare = replace(STAR, whimsies=(replace(FOUR[2], tongues=0),))
    assert all(grip.is_free for grip in figure_grip(shaped(bare), "star1").grips)
    assert sum(grip.clearance is None for grip in figure_grip(shaped(STAR), "star1").grips) == 4


def test_tongues_point_out_and_in_by_turns_and_keep_off_the_ends_of_cuts() -> None:
    shapes = shaped(JigsawDesign(USUAL, whimsies=FOUR))
    for filling in shapes.tiling.fillings:
        outward = sum(knob.points_out for knob in filling.knobs)
        assert outward == 2 if filling.name == "star1" else 1 <= outward <= 3
        ends = shapes.corners[shapes.tiling.graph.edges[filling.codes >> 1, filling.codes & 1]]
        for knob in filling.knobs:
            foot = shapely.LineString(knob.foot)
            assert shapely.distance(foot, shapely.points(ends)).min() > 0.3 * knob.height


def test_more_tongues_than_there_is_room_for_are_a_problem_with_a_repair() -> None:
    small = Whimsy("star1", "star", Pose(x=150.0, y=90.0, height=24.0), tongues=7)
    design = JigsawDesign(USUAL, whimsies=(small,))
    had = len(knobs(shaped(design)))
    assert 0 < had < 7
    (crowded,) = (one for one in findings(design) if "tongues" in one.message)
    assert crowded.message == f"Figure star1 has room for only {had} of its 7 tongues."
    assert crowded.repair is not None
    mended = crowded.repair.apply(design, SILENT)
    assert mended.whimsies[0].tongues == had
    assert not [one for one in findings(mended) if "has room for only" in one.message]


def test_a_new_figure_is_held_by_as_many_pieces_as_have_room() -> None:
    placed = with_figure(JigsawDesign(USUAL), SILENT, "star").design
    shapes = shaped(placed)
    grips = figure_grip(shapes, "star1").grips
    assert placed.whimsies[0].tongues == AS_FIT and len({knob.number for knob in knobs(shapes)}) == len(knobs(shapes))
    assert sum(not grip.is_free for grip in grips) >= 0.7 * len(grips)
    assert not [one for one in findings(placed) if "has room for only" in one.message]


def test_a_corner_dragged_onto_a_tongue_goes_beside_it() -> None:
    before = shaped(STAR)
    (first, *_) = knobs(before)
    place = first.foot.mean(axis=0)
    on = before.tiling.movable[before.tiling.is_on_figure[before.tiling.movable]]
    corner = int(on[np.hypot(*(before.corners[on] - place).T).argmin()])
    shift = before.tiling.freedom[corner] * (place - before.tiling.homes[corner]) / before.tiling.scale
    after = STAR.with_corners({before.tiling.corner_name(corner): (float(shift[0]), float(shift[1]))})
    near, anew = shape(after, before, SILENT), shaped(after)
    assert near.drawing.strokes.points == pytest.approx(anew.drawing.strokes.points)
    assert not (near.corners[corner] == before.corners[corner]).all()
    assert np.hypot(*(near.corners[corner] - place)) > 1.2 * first.height
    assert near.drawing.piece_areas[-1] == pytest.approx(before.drawing.piece_areas[-1], rel=1e-4)


def test_the_number_of_tongues_is_saved_only_where_there_are_any() -> None:
    data = dumps(JIGSAW, STAR)
    assert loads(data).design == STAR and b'"tongues": 4' in data
    assert b'"tongues"' not in dumps(JIGSAW, replace(STAR, whimsies=(replace(FOUR[2], tongues=0),)))
    with pytest.raises(ParameterError, match="tongues"):
        replace(FOUR[2], tongues=9)


def test_the_tongues_of_one_figure_leave_the_others_as_they_are() -> None:
    design = with_tongues_of_figures(JigsawDesign(USUAL, whimsies=FOUR), ["cat1"], 0, SILENT).design
    assert [one.tongues for one in design.whimsies] == [0, 4, 4, 4]
    before, after = shaped(JigsawDesign(USUAL, whimsies=FOUR)), shaped(design)
    assert [len(one.knobs) for one in after.tiling.fillings] == [
        0,
        *(len(one.knobs) for one in before.tiling.fillings[1:]),
    ]
