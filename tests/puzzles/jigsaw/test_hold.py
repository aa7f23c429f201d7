"""How the pieces of a jigsaw hold each other, as a slow search has it: every style of tongue, and every figure."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
import shapely

from studio.base.errors import StudioError
from studio.base.progress import SILENT, Cancelled, Progress
from studio.geometry.curves.strokes import Floats
from studio.geometry.planar.regions import pieces_as_polygons
from studio.puzzles.jigsaw.figures.letters import lettered
from studio.puzzles.jigsaw.figures.silhouettes import figure, keys
from studio.puzzles.jigsaw.figures.whimsies import Pose, Whimsy
from studio.puzzles.jigsaw.fits.interlock import (
    FigureGrip,
    Grip,
    Holds,
    figure_grip,
    figure_words,
    holds,
    tongue_grip,
    tongue_words,
    weakest_words,
)
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.tongues.styles import STYLES
from tests.geometry.slowly import slides

ERROR = 0.03
MOST = 0.5
FREE = 0.03

SMALL = JigsawParameters(columns=3, rows=2, width=75.0, height=50.0)
CELL = 22.0


def shaped(design: JigsawDesign) -> JigsawShapes:
    return shape(design, None, SILENT)


def is_true(grip: Grip, one: shapely.Polygon, other: shapely.Polygon, contact: Floats) -> bool:
    """Whether the slow search comes to the same."""
    if grip.clearance is None:
        return not slides(one, other, contact, MOST - ERROR)
    below = grip.clearance - ERROR
    return slides(one, other, contact, grip.clearance + ERROR) and (
        below < FREE or not slides(one, other, contact, below)
    )


@pytest.mark.sampled(3)
@pytest.mark.parametrize("style", [style.key for style in STYLES])
def test_a_new_board_interlocks_in_every_style_but_the_wave(style: str) -> None:
    found = holds(shaped(JigsawDesign(replace(SMALL, tongue_style=style))))
    assert [grip.name for grip in found.tongues] == ["A1-A2", "B1-B2", "C1-C2", "A1-B1", "B1-C1", "A2-B2", "B2-C2"]
    assert all(grip.is_free for grip in found.tongues) == (style == "wave")
    assert all(grip.clearance is None for grip in found.tongues) == (style != "wave")


@pytest.mark.sampled(5)
@pytest.mark.parametrize("style", [style.key for style in STYLES])
def test_the_reading_of_a_tongue_is_that_of_the_slow_search(style: str) -> None:
    random = Random(style)
    for _ in range(2):
        parameters = replace(
            SMALL, tongue_style=style, tongue_size=random.uniform(0.05, 0.2), neck_width=random.uniform(1.0, 1.6),
            head_width=random.uniform(0.7, 1.0), vary_slant=0.2, perturbation=0.25, seed=random.randrange(1000),
        )  # fmt: skip
        shapes = shaped(JigsawDesign(parameters))
        tongue = random.choice(shapes.tiling.graph.inner_edges.tolist())
        line = shapes.drawing.strokes.flattened(0.002)[tongue]
        way = line[-1] - line[0]
        normal = 20 * np.array([-way[1], way[0]]) / np.hypot(*way)
        ends = line[[-1, 0]]
        one, other = (shapely.Polygon([*line, *(ends + side * normal)]) for side in (-1, 1))
        assert is_true(tongue_grip(shapes, tongue), one, other, line)


@pytest.mark.sampled(48)
@pytest.mark.parametrize("key", [*keys(), "R"])
def test_the_reading_of_a_figure_is_that_of_the_slow_search(key: str) -> None:
    random = Random(key)
    pose = Pose(x=77.0, y=66.0, height=40.0, turn=random.uniform(-180.0, 180.0))
    one = lettered(["letter1"], key, pose)[0] if key == "R" else Whimsy("figure1", key, pose)
    if key != "R":
        one = one.posed(height=random.uniform(1.3, 2.2) * CELL / max(1.0, figure(key).width ** 0.5))
    parameters = JigsawParameters(
        columns=7, rows=6, width=7 * CELL, height=6 * CELL, tiling=random.choice(["grid", "voronoi", "hexagons"]),
        seed=random.randrange(1000),
    )  # fmt: skip
    shapes = shaped(JigsawDesign(parameters, whimsies=(one,)))
    found = figure_grip(shapes, one.name)
    polygons = dict(
        zip(shapes.drawing.pieces.names, pieces_as_polygons(shapes.drawing, shapes.drawing.polylines), strict=True)
    )
    own = {filling.piece for filling in shapes.tiling.fillings}
    silhouette = shapely.union_all([polygons[name] for name in own])
    around = {name for name, polygon in polygons.items() if shapely.distance(polygon, silhouette) < 1e-3} - own
    shared = {name: _shared(polygons[name], silhouette) for name in around}
    assert {grip.name for grip in found.grips} == {name for name, contact in shared.items() if len(contact) > 1}
    for grip in (min(found.grips, key=lambda grip: grip.least), max(found.grips, key=lambda grip: grip.least)):
        assert is_true(grip, polygons[grip.name], silhouette, shared[grip.name])


def _shared(one: shapely.Polygon, other: shapely.Polygon) -> Floats:
    """Points of the outline that two pieces share."""
    points = shapely.get_coordinates(shapely.segmentize(shapely.boundary(one), 0.2))
    return np.asarray(points[shapely.distance(shapely.boundary(other), shapely.points(points)) < 1e-3])


def test_straight_edges_hold_nothing_and_are_no_tongues() -> None:
    shapes = shaped(JigsawDesign(SMALL, tongues=(TongueEdit("A1-A2", plain=True),)))
    assert tongue_grip(shapes, shapes.tiling.edge_indices["A1-A2"]) == Grip("A1-A2", 0.0)
    assert "A1-A2" not in [grip.name for grip in holds(shapes).tongues]
    bare = holds(shaped(JigsawDesign(replace(SMALL, plain_share=1.0))))
    assert bare.weakest is None and weakest_words(bare) == "No tongues"


def test_the_weakest_tongue_is_the_one_that_comes_out_first() -> None:
    small = TongueEdit("B1-B2", size=0.05, neck=1.6, head=0.6)
    found = holds(shaped(JigsawDesign(SMALL, tongues=(small,))))
    assert found.weakest is not None and found.weakest.name == "B1-B2" and found.weakest.clearance is not None
    assert weakest_words(found).startswith("Weakest tongue B1-B2: ")


def test_a_tongue_that_crosses_itself_is_read_all_the_same() -> None:
    shapes = shaped(JigsawDesign(SMALL, tongues=(TongueEdit("B1-B2", size=0.6, place=-0.35),)))
    tongue = shapes.tiling.edge_indices["B1-B2"]
    assert not shapely.is_simple(shapely.linestrings(shapes.drawing.strokes.flattened(0.01)[tongue]))
    assert not tongue_grip(shapes, tongue).is_free


def test_a_figure_left_open_is_a_hole_and_pieces_left_open_are_no_neighbours() -> None:
    fish = Whimsy("fish1", "fish", Pose(x=37.0, y=25.0, height=20.0))
    whole = figure_grip(shaped(JigsawDesign(SMALL, whimsies=(fish,))), "fish1")
    assert not whole.is_hole and len(whole.grips) >= 2
    gone = holds(shaped(JigsawDesign(SMALL, whimsies=(fish,), dropped=("fish1",)))).figures[0]
    assert (gone.is_hole, gone.grips, figure_words(gone)) == (True, (), "Left open: a hole, not a piece")
    beside = whole.grips[0].name
    left = figure_grip(shaped(JigsawDesign(SMALL, whimsies=(fish,), dropped=(beside,))), "fish1")
    assert left.grips == whole.grips[1:]


def test_a_figure_that_is_not_cut_cannot_be_read() -> None:
    with pytest.raises(StudioError, match="cat1 is not cut"):
        figure_grip(shaped(JigsawDesign(SMALL)), "cat1")


def test_measuring_a_figure_is_cancelled_between_two_neighbours() -> None:
    shapes = shaped(JigsawDesign(SMALL, whimsies=(Whimsy("fish1", "fish", Pose(x=37.0, y=25.0, height=20.0)),)))
    progress = Progress(lambda _share, _note: progress.cancel())
    with pytest.raises(Cancelled):
        figure_grip(shapes, "fish1", progress)


def test_words_name_the_clearance_and_compare_it_with_the_kerf() -> None:
    assert tongue_words(Grip("A1-A2", None)) == "Interlocks, even with 0.5 mm clearance"
    assert tongue_words(Grip("A1-A2", 0.004)) == "Does not interlock"
    assert tongue_words(Grip("A1-A2", 0.32), 0.15) == "Pulls out at 0.32 mm clearance"
    assert (
        tongue_words(Grip("A1-A2", 0.1), 0.15) == "Loose: pulls out at 0.10 mm clearance, less than the kerf of 0.15 mm"
    )
    grips = (Grip("A1", None), Grip("A2", 0.1), Grip("B1", 0.0))
    assert figure_words(FigureGrip("cat1", grips)) == "Lifts out; interlocks with 2 of 3 neighbours"
    assert figure_words(FigureGrip("cat1", grips), 0.15) == "Lifts out; interlocks with 1 of 3 neighbours"
    assert figure_words(FigureGrip("cat1", grips[:1])) == "Lifts out; interlocks with all neighbours"
    assert figure_words(FigureGrip("cat1", grips[2:])) == "Lifts out; interlocks with no neighbour"
    assert weakest_words(Holds(dict(enumerate(grips)), ())) == "Weakest tongue B1: does not interlock"
