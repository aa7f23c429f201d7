"""Cuts keep clear of figures beside each other, and where they cannot, a repair finds another way."""

from dataclasses import replace

import numpy as np
import pytest
import shapely

from studio.base.progress import SILENT
from studio.checks.finding import Finding, Severity, errors_of
from studio.puzzles.jigsaw.checks import check
from studio.puzzles.jigsaw.figures.figure_edits import middle, new_letters, with_added, with_text
from studio.puzzles.jigsaw.figures.placing import fitting, misplaced
from studio.puzzles.jigsaw.figures.whimsies import Pose, Whimsy
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.model.tiling import outline_without_figures, with_whimsies
from studio.puzzles.jigsaw.repair import repaired
from tests.depth import THOROUGH


def shaped(design: JigsawDesign) -> JigsawShapes:
    return shape(design, None, SILENT)


def errors(design: JigsawDesign) -> list[Finding]:
    return errors_of(check(design, shaped(design), None, SILENT).findings)


def board(outline: str, tiling: str, width: float, height: float, pieces: int, seed: int) -> JigsawDesign:
    """A board with the columns and rows with which letters were found to be in the way."""
    return JigsawDesign(JigsawParameters(
        outline=outline, tiling=tiling, width=width, height=height, pieces=pieces, seed=seed, layout_version=1
    ))  # fmt: skip


def with_text_in_the_way(design: JigsawDesign, text: str, height: float, tongues: int) -> JigsawDesign:
    """Letters in the middle of the board, kept there whatever problems they bring."""
    letters = new_letters(design, text, middle(design, height), tongues)
    return with_added(design, letters, SILENT, is_near=True).design


@pytest.mark.sampled(9)
@pytest.mark.parametrize(
    ("design", "text", "height", "tongues"),
    [
        (board("rectangle", "hand-cut", 400, 300, 20, 360693), "Wim", 25.74, 2),
        (board("rectangle", "voronoi", 300, 300, 12, 805999), "MAX", 39.77, 2),
        (board("heart", "bricks", 300, 150, 12, 552255), "ANNA", 44.84, 2),
        (board("rectangle", "hand-cut", 200, 300, 20, 410023), "Wim", 15.24, 0),
        (board("rectangle", "hexagons", 200, 200, 40, 112931), "ANNA", 28.27, 2),
        (board("heart", "bricks", 300, 150, 20, 941716), "ANNA", 25.75, 2),
        (board("ellipse", "hand-cut", 300, 200, 20, 465278), "ANNA", 45.99, 0),
        (board("heart", "bricks", 400, 200, 20, 542142), "Bo", 36.82, 0),
        (board("arch", "triangles", 200, 150, 12, 31135), "Wim", 27.13, 0),
    ],
)
def test_text_leaves_a_board_that_can_be_cut(design: JigsawDesign, text: str, height: float, tongues: int) -> None:
    for version in (1, 2):
        laid = replace(design, parameters=replace(design.parameters, layout_version=version))
        made = with_text(laid, text, height, SILENT, tongues).design
        assert errors(made) == []
        assert {one.name for one in shaped(made).tiling.fillings} == {one.name for one in made.whimsies}
        assert len(made.whimsies) == len(text)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("design", "text", "height", "tongues"),
    [
        (board("rectangle", "voronoi", 300, 200, 20, 232392), "Bo", 21.92, 2),
        (board("arch", "triangles", 300, 200, 40, 183173), "EMMA", 18.86, 0),
        (board("heart", "voronoi", 200, 200, 12, 696194), "Wim", 40.67, 2),
    ],
)
def test_what_text_leaves_in_the_way_is_repaired(design: JigsawDesign, text: str, height: float, tongues: int) -> None:
    made = with_text_in_the_way(design, text, height, tongues)
    assert errors(made)
    after = repaired(made, SILENT).design
    assert errors(after) == [] and len(after.whimsies) == len(text)


MOON = Whimsy("moon1", "moon", Pose(x=200.0, y=60.0, height=35.95), tongues=6)
CROWDED = JigsawParameters(
    outline="arch", width=400.0, height=120.0, corner_radius=30.0, columns=2, seed=614231, tongue_style="classic",
    tongue_size=0.2, perturbation=0.0,
)  # fmt: skip


@pytest.mark.thorough
def test_a_figure_between_cuts_that_find_no_way_is_moved_a_little() -> None:
    made = with_whimsies(JigsawDesign(CROWDED), [MOON]).design
    assert {each.severity for each in errors(made)} == {Severity.ERROR}
    done = repaired(made, SILENT)
    assert errors(done.design) == [] and done.figures == ("moon1",)
    (moon,) = done.design.whimsies
    way = np.hypot(moon.pose.x - MOON.pose.x, moon.pose.y - MOON.pose.y)
    assert 0 < way < 10 and replace(moon, pose=MOON.pose) == MOON


def test_figures_left_beside_a_board_that_became_smaller_go_onto_it() -> None:
    parameters = JigsawParameters(width=150.0, height=120.0)
    beside = [Whimsy("star1", "star", Pose(x=230.0, y=60.0, height=30.0)), MOON]
    made = with_whimsies(JigsawDesign(parameters), beside).design
    assert len(errors(made)) == 2 and not shaped(made).tiling.fillings
    after = repaired(made, SILENT).design
    assert errors(after) == [] and len(shaped(after).tiling.fillings) == 2


def test_a_straight_edge_that_ends_on_a_figure_is_straight() -> None:
    star = Whimsy("star1", "star", Pose(x=150.0, y=100.0, height=60.0))
    made = with_whimsies(JigsawDesign(JigsawParameters(columns=8, rows=6, tiling="bricks")), [star]).design
    tiling = shaped(made).tiling
    ends = np.asarray(tiling.is_on_figure[tiling.graph.edges].any(axis=1))
    cuts = [edge for edge in tiling.graph.inner_edges.tolist() if ends[edge]]
    ruled = shaped(made.with_tongues(TongueEdit(tiling.edge_name(edge), ruled=True) for edge in cuts))
    assert len(cuts) > 3
    lines = [ruled.drawing.strokes.chosen(np.array([edge])).flattened(1e-6).points for edge in cuts]
    for line in lines:
        assert shapely.LineString(line).length == pytest.approx(np.hypot(*(line[-1] - line[0])))


def test_figures_are_placed_so_that_no_wall_is_found_too_thin() -> None:
    outline = outline_without_figures(board("rectangle", "grid", 400, 400, 20, 1))
    star = Whimsy("star1", "star", Pose(x=200.0, y=200.0, height=60.0))
    for at in range(0, 60, 1 if THOROUGH else 5):
        one = Whimsy("moon1", "moon", Pose(x=200.0, y=200.0, height=40.0, turn=6.0 * at))
        placed = fitting([one], [star], outline, 20.0, 200.0)
        assert placed is not None and misplaced([star, *placed], outline, 20.0, 0.0) == []


def test_an_edge_without_a_tongue_that_bends_into_a_figure_can_be_made_straight() -> None:
    made = with_text_in_the_way(board("rectangle", "voronoi", 300, 200, 20, 232392), "Bo", 21.92, 2)
    (found,) = (each for each in errors(made) if each.strokes)
    assert found.repair is not None and found.repair.title == "Make straight"
    shapes = shaped(found.repair.apply(made, SILENT))
    line = shapes.drawing.strokes.chosen(np.array([found.strokes[0]])).flattened(1e-6).points
    assert shapely.LineString(line).length == pytest.approx(np.hypot(*(line[-1] - line[0])))
