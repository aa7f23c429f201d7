"""Figures in boards: each is one piece, its neighbours stay whole, and cuts keep clear of it or meet it squarely."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
import shapely

from studio.base.progress import SILENT
from studio.checks.finding import Finding, errors_of
from studio.files.store import dumps, loads
from studio.geometry.curves.strokes import Curves
from studio.geometry.planar.regions import pieces_as_polygons, waste
from studio.puzzles.jigsaw.check_problems import COUNT
from studio.puzzles.jigsaw.checks import check
from studio.puzzles.jigsaw.figures.letters import lettered
from studio.puzzles.jigsaw.figures.placing import misplaced
from studio.puzzles.jigsaw.figures.silhouettes import figure, keys
from studio.puzzles.jigsaw.figures.whimsies import Pose, Whimsy
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import CornerEdit, JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.model.tiling import outline_without_figures, with_whimsies
from tests.depth import examples
from tests.tilings import TILINGS

CELL = 22.0
PLACEMENTS = examples(6, 12)
"""Of every figure; of a thousand some few leave a cut no way but across a tip, which is found with its place."""
TONGUES = 4
"""Of the figures of every second round of tilings."""
CAT = Whimsy("cat1", "cat", Pose(x=60.0, y=60.0, height=55.0))
FOUR = (
    CAT,
    Whimsy("fish1", "fish", Pose(x=150.0, y=110.0, height=38.0, turn=-15.0)),
    Whimsy("star1", "star", Pose(x=235.0, y=55.0, height=50.0)),
    Whimsy("whale1", "whale", Pose(x=230.0, y=140.0, height=34.0, is_mirrored=True)),
)
USUAL = JigsawParameters(
    columns=12, rows=8, width=300.0, height=180.0, tongue_style="ribbon", tongue_size=0.26, perturbation=0.14, seed=5
)


def shaped(design: JigsawDesign) -> JigsawShapes:
    return shape(design, None, SILENT)


def findings(design: JigsawDesign) -> tuple[Finding, ...]:
    return check(design, shaped(design), None, SILENT).findings


@pytest.mark.sampled(2)
@pytest.mark.parametrize("tiling", TILINGS)
def test_figures_are_pieces_and_all_pieces_fill_the_board(tiling: str) -> None:
    design = JigsawDesign(replace(USUAL, tiling=tiling), whimsies=FOUR)
    drawing = shaped(design).drawing
    assert drawing.pieces.names[-4:] == ("cat1", "fish1", "star1", "whale1")
    assert len(set(drawing.pieces.names)) == len(drawing.pieces)
    areas = drawing.piece_areas
    wanted = [figure(one.figure).area * one.pose.height**2 for one in FOUR]
    assert areas[-4:] == pytest.approx(wanted, rel=2e-3)
    assert areas.sum() == pytest.approx(300 * 180, rel=1e-6)
    assert areas.min() > USUAL.least_area
    assert errors_of(findings(design)) == []


def test_a_figure_larger_than_the_board_is_made_smaller_until_it_fits() -> None:
    design = JigsawDesign(USUAL, whimsies=(Whimsy("heart1", "heart", Pose(x=150.0, y=90.0, height=260.0)),))
    (error,) = errors_of(findings(design))
    assert error.repair is not None and error.repair.title == "Make smaller"
    mended = error.repair.apply(design, SILENT)
    assert errors_of(findings(mended)) == [] and 60.0 < mended.whimsies[0].pose.height < 180.0


@pytest.mark.sampled(30)
@pytest.mark.parametrize("key", [key for key in keys() if not figure(key).lines])
def test_wherever_a_figure_is_it_is_one_piece_and_its_neighbours_are_whole(key: str) -> None:
    random, unclear = Random(key), 0
    parameters = replace(USUAL, columns=7, rows=6, width=7 * CELL, height=6 * CELL)
    for number in range(PLACEMENTS):
        tiling = ("grid", "voronoi", "hexagons")[number % 3]
        pose = Pose(
            x=random.uniform(40, 114), y=random.uniform(40, 92), turn=random.uniform(-180, 180),
            height=random.uniform(1.1, 2.2) * CELL / max(1.0, figure(key).width**0.5),
            is_mirrored=random.random() < 0.5,
        )  # fmt: skip
        design = JigsawDesign(
            replace(parameters, tiling=tiling, seed=random.randrange(10**6)),
            whimsies=(Whimsy("figure1", key, pose, tongues=TONGUES * (number // 3 % 2)),),
        )
        drawing = shaped(design).drawing
        assert drawing.pieces.names[-1] == "figure1"
        errors = errors_of(findings(design))
        unclear += bool(errors)
        assert all("figure figure1" in finding.message or finding.problem == COUNT for finding in errors), errors
        if errors:
            continue
        assert drawing.piece_areas[:-1].min() > USUAL.least_area
        lost = sum(shapely.area(one) for one in waste(drawing))
        assert drawing.piece_areas.sum() + lost == pytest.approx(42 * CELL**2, abs=0.2)
    assert unclear <= 1


def test_a_hole_of_a_figure_falls_out_of_it() -> None:
    key = Whimsy("key1", "key", Pose(x=100.0, y=80.0, height=70.0))
    drawing = shaped(JigsawDesign(USUAL, whimsies=(key,))).drawing
    assert drawing.piece_areas[-1] == pytest.approx(figure("key").area * 70**2, rel=2e-3)
    (hole,) = waste(drawing)
    polygon = pieces_as_polygons(drawing, drawing.polylines)[-1]
    assert len(polygon.interiors) == 1 and hole.area == pytest.approx(shapely.Polygon(polygon.interiors[0]).area)
    assert errors_of(findings(JigsawDesign(USUAL, whimsies=(key,)))) == []


def test_a_name_in_a_heart_is_a_piece_a_letter() -> None:
    letters = lettered(["letter1", "letter2", "letter3", "letter4"], "Anna", Pose(x=140.0, y=110.0, height=36.0))
    parameters = replace(USUAL, rows=11, width=280.0, height=260.0, tiling="voronoi", outline="heart")
    design = JigsawDesign(parameters, whimsies=letters)
    assert shaped(design).drawing.pieces.names[-4:] == ("letter1", "letter2", "letter3", "letter4")
    assert errors_of(findings(design)) == []


def test_a_figure_that_cannot_be_a_piece_changes_no_cut() -> None:
    bare = shaped(JigsawDesign(USUAL)).drawing
    beyond = JigsawDesign(USUAL, whimsies=(CAT.posed(x=5.0),))
    assert (shaped(beyond).drawing.strokes.points == bare.strokes.points).all()
    messages = [finding.message for finding in findings(beyond)]
    assert "Figure cat1 reaches over the border. Move it inwards or make it smaller." in messages
    both = JigsawDesign(USUAL, whimsies=(CAT, replace(CAT, name="cat2").posed(x=70.0)))
    assert shaped(both).drawing.pieces.names[-1] == "cat1"
    assert "Figures cat1 and cat2 overlap. Move one of them." in [finding.message for finding in findings(both)]


def test_far_from_a_figure_nothing_moves() -> None:
    before, after = (shaped(JigsawDesign(USUAL, whimsies=some)) for some in ((FOUR[2],), (CAT, FOUR[2])))
    pairs = [
        (before.drawing.strokes[before.tiling.edge_indices[name]], after.drawing.strokes[edge])
        for name, edge in after.tiling.edge_indices.items()
        if name in before.tiling.edge_indices
    ]
    is_same = np.array([len(one) == len(other) and np.abs(one - other).max() < 1e-9 for one, other in pairs])
    away = np.hypot(*(np.array([one.mean(axis=0) for one, _ in pairs]) - (60, 60)).T)
    assert len(pairs) > 130 and not is_same.all()
    assert is_same[away > 110].all()


def test_edits_outlive_a_figure_but_for_those_beneath_it() -> None:
    design = JigsawDesign(
        USUAL,
        corners=(CornerEdit("2,2", 0.1, 0.1), CornerEdit("9,6", 0.1, -0.1)),
        tongues=(TongueEdit("C3-D3", plain=True), TongueEdit("K7-L7", size=0.3)),
    )
    made = with_whimsies(design, [CAT])
    assert made.design.whimsies == (CAT,)
    assert "9,6" in {edit.name for edit in made.design.corners}
    assert "K7-L7" in {edit.name for edit in made.design.tongues}
    JIGSAW.verify(made.design)
    shaped(made.design)


def test_a_wavy_border_leaves_the_outlines_of_figures() -> None:
    straight = shaped(JigsawDesign(USUAL, whimsies=FOUR)).drawing
    wavy = shaped(JigsawDesign(replace(USUAL, border="wandering"), whimsies=FOUR)).drawing
    assert wavy.piece_areas[-4:] == pytest.approx(straight.piece_areas[-4:])
    assert wavy.piece_areas.sum() < straight.piece_areas.sum() - 10


def test_an_edit_beside_a_figure_gives_the_same_shapes_as_from_nothing() -> None:
    before = shaped(JigsawDesign(USUAL, whimsies=FOUR))
    on_figure = next(
        before.tiling.corner_name(corner)
        for corner in before.tiling.movable.tolist()
        if before.tiling.is_on_figure[corner]
    )
    after = before.design.with_corners({on_figure: (0.05, 0.05), "5,2": (0.1, 0.0)})
    near, anew = shape(after, before, SILENT), shaped(after)
    assert near.drawing.strokes.points == pytest.approx(anew.drawing.strokes.points)
    assert anew.drawing.piece_areas[-4:] == pytest.approx(before.drawing.piece_areas[-4:], rel=1e-4)
    one, other = (
        check(after, near, check(before.design, before, None, SILENT), SILENT),
        check(after, anew, None, SILENT),
    )
    assert [finding.message for finding in one.findings] == [finding.message for finding in other.findings]


def test_a_board_with_figures_is_saved_and_loaded() -> None:
    key = Whimsy("key1", "key", Pose(x=100.0, y=150.0, height=50.0, turn=90.0))
    design = JigsawDesign(replace(USUAL, tiling="hexagons"), whimsies=(CAT, key))
    data = dumps(JIGSAW, design)
    assert loads(data).design == design and dumps(JIGSAW, loads(data).design) == data
    assert b"whimsies" not in dumps(JIGSAW, JigsawDesign(USUAL))


def test_the_board_alone_has_no_figures() -> None:
    design = JigsawDesign(USUAL, whimsies=FOUR)
    outline = outline_without_figures(design)
    assert outline.region.area == pytest.approx(300 * 180)
    assert misplaced(FOUR, outline, 1.0, 1.5) == []
    assert len(shaped(design).tiling.outline.rings) == 5


@pytest.mark.parametrize("outline", ["rectangle", "polygon"])
def test_figures_side_by_side_fill_their_own_holes(outline: str) -> None:
    moon = Whimsy("moon1", "moon", Pose(x=130.0, y=75.0, height=27.388))
    whale = Whimsy("whale1", "whale", Pose(x=130.0, y=100.0, height=42.112))
    parameters = JigsawParameters(
        tiling="hexagons", outline=outline, columns=10, rows=8, width=260.0, height=200.0, seed=618
    )
    design = JigsawDesign(parameters, whimsies=(moon, whale))
    shapes = shaped(design)
    assert errors_of(findings(design)) == []
    for filling, one in zip(shapes.tiling.fillings, (moon, whale), strict=True):
        ring = shapely.LineString(Curves.from_strokes([one.on_board()[0]]).flattened(0.001).points)
        corners = shapes.tiling.homes[shapes.tiling.graph.edges[filling.codes >> 1]].reshape(-1, 2)
        assert shapely.distance(ring, shapely.points(corners)).max() < 0.05
