"""Cuts led along the lines of a picture: more of them the further the slider is, sound, local and open to edits."""

import io
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
import shapely
from PIL import Image, ImageDraw

from studio.base.progress import SILENT
from studio.files.store import dumps
from studio.geometry.art.artwork import PNG
from studio.puzzles.jigsaw.checks import check
from studio.puzzles.jigsaw.figures.whimsies import Pose, Whimsy
from studio.puzzles.jigsaw.model import edits
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.picture.board_picture import BoardPicture
from studio.puzzles.jigsaw.picture.colour_lines import _best, followed, led, lines_of
from studio.puzzles.jigsaw.repair import repaired
from studio.puzzles.jigsaw.tongues.tongues import FOLLOWING, HOOKED, PLAIN
from studio.puzzles.registry import kind
from tests.depth import examples

BENDING = 3
MOST_STEPS = 2

NEAR = 1.5
"""Within so many mm of the line a cut follows it."""
CIRCLE = shapely.Point(150.0, 77.5).buffer(62.5, quad_segs=64).exterior


@cache
def disc(form: str = "PNG") -> bytes:
    """A yellow disc on blue; on a board of 300 × 150 mm its rim is `CIRCLE`."""
    image = Image.new("RGB", (1200, 600), (90, 150, 210))
    ImageDraw.Draw(image).ellipse((350, 60, 850, 560), fill=(230, 190, 70))
    file = io.BytesIO()
    image.save(file, form)
    return file.getvalue()


def board(follow: float, data: bytes | None = None, **parameters: Any) -> JigsawDesign:
    return JigsawDesign(
        JigsawParameters(follow_colours=follow, **parameters), picture=BoardPicture(data or disc(), PNG)
    )


def shapes_of(design: JigsawDesign, before: JigsawShapes | None = None) -> JigsawShapes:
    return shape(design, before, SILENT)


def lines(shapes: JigsawShapes, edges: Any) -> list[shapely.LineString]:
    flat = shapes.drawing.strokes.chosen(np.asarray(edges)).flattened(0.01)
    return [shapely.LineString(flat[at]) for at in range(len(flat))]


def share_near(design: JigsawDesign) -> float:
    """The share of the length of inner cuts that is near the rim of the disc."""
    shapes = shapes_of(design)
    cuts = lines(shapes, shapes.tiling.graph.inner_edges)
    near = shapely.intersection(cuts, shapely.buffer(CIRCLE, NEAR))
    return float(shapely.length(near).sum() / shapely.length(cuts).sum())


def smooth(shapes: JigsawShapes) -> list[int]:
    """The edges that follow lines all along."""
    return [int(each) for each in np.flatnonzero(shapes.tongues[:, PLAIN] == FOLLOWING)]


def followers(shapes: JigsawShapes) -> list[int]:
    """The edges that follow lines, smooth ones and hooks."""
    return [int(each) for each in np.flatnonzero(np.isin(shapes.tongues[:, PLAIN], (FOLLOWING, HOOKED)))]


def same(one: JigsawShapes, other: JigsawShapes) -> bool:
    """Whether two boards have the same cuts, to the bit."""
    strokes, others = one.drawing.strokes, other.drawing.strokes
    return np.array_equal(strokes.points, others.points) and np.array_equal(strokes.starts, others.starts)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"columns": 20, "rows": 10},
        {"tiling": "hexagons"},
        {"tiling": "bricks"},
        {"tongue_style": "classic", "seed": 3},
    ],
    ids=str,
)
def test_the_further_the_slider_the_more_of_the_cuts_is_near_a_line_of_the_picture(parameters: dict[str, Any]) -> None:
    shares = [share_near(board(follow, **parameters)) for follow in (0.0, 0.5, 1.0)]
    assert shares[0] < shares[1] < shares[2] and shares[2] > 1.35 * shares[0]


def test_edges_that_follow_run_along_the_line_smoothly_and_end_at_their_corners() -> None:
    shapes = shapes_of(board(1.0))
    chosen = smooth(shapes)
    assert len(followers(shapes)) > 10 and len(chosen) > 7
    for edge, line in zip(chosen, lines(shapes, chosen), strict=True):
        ends = shapes.corners[shapes.tiling.graph.edges[edge]]
        assert np.abs(np.array([line.coords[0], line.coords[-1]]) - ends).max() < 1e-9
        near = shapely.intersection(line, shapely.buffer(CIRCLE, NEAR)).length
        assert near > 0.4 * line.length and line.length < 1.3 * np.hypot(*(ends[1] - ends[0]))
        places = np.array(line.coords)
        ways = np.diff(places, axis=0)[np.hypot(*np.diff(places, axis=0).T) > 1e-6]
        turns = np.degrees(np.abs(np.diff(np.unwrap(np.arctan2(ways[:, 1], ways[:, 0])))))
        assert turns.max() < 25


def test_edges_that_follow_end_exactly_at_their_corners() -> None:
    # To the bit: cuts that miss each other by a rounding part nothing.
    ends = np.random.default_rng(5).uniform(0.0, 150.0, (500, 2, 2))
    follows, ways = followed(board(1.0), ends)
    assert follows.any()
    assert np.array_equal(ways[:, [0, -1]], ends)
    assert np.array_equal(led(ways)[:, [0, -1]], ends)


def test_without_a_picture_or_without_lines_in_it_nothing_changes() -> None:
    usual = shapes_of(JigsawDesign())
    blank = io.BytesIO()
    Image.new("RGB", (60, 30), (120, 130, 140)).save(blank, "PNG")
    broken = disc()[:2000] + disc()[-12:]
    for design in (
        JigsawDesign(JigsawParameters(follow_colours=1.0)),
        board(0.0),
        board(1.0, blank.getvalue()),
        board(1.0, broken),
    ):
        assert same(shapes_of(design), usual)
    assert b"follow_colours" not in dumps(kind("jigsaw"), JigsawDesign())


def test_the_lines_of_a_disc_are_its_rim_and_fall_off_beside_it() -> None:
    strengths = lines_of(disc(), SILENT).strengths
    rows, columns = strengths.shape
    y, x = np.mgrid[0:rows, 0:columns] + 0.5
    away = np.abs(np.hypot((x / columns * 300 - 150), (y / columns * 300 - 77.5)) - 62.5)
    assert strengths[away < 0.4].min() > 128 and strengths[away > 8].max() == 0
    assert np.issubdtype(strengths.dtype, np.integer) and strengths.min() >= 0 and strengths.max() <= 255


def test_a_way_is_the_strongest_of_all_that_bend_little() -> None:
    random = np.random.default_rng(2)
    strengths = random.integers(0, 40, (6, 4, 5))

    def worth(one: np.ndarray[Any, Any], way: tuple[int, ...]) -> float:
        steps = np.diff(way)
        if np.abs(steps).max() > MOST_STEPS:
            return -np.inf
        return float(sum(one[at, level] for at, level in enumerate(way)) - BENDING * (steps**2).sum())

    for one, found in zip(strengths, _best(strengths).tolist(), strict=True):
        assert worth(one, tuple(found)) == max(worth(one, way) for way in product(range(5), repeat=4))


def test_boards_that_follow_cut_as_many_pieces_and_are_repaired_where_they_crowd() -> None:
    boards: list[dict[str, Any]] = [{}, {"tiling": "hexagons"}, {"tiling": "voronoi"}]
    for parameters in boards[-examples(1, 3) :]:
        design = board(1.0, **parameters)
        shapes = shapes_of(design)
        assert shapes.drawing.pieces.names == shapes_of(board(0.0, **parameters)).drawing.pieces.names
        mended = repaired(design, SILENT)
        assert mended.after.errors == 0 and mended.after.warnings <= mended.before.warnings
        assert followers(shapes_of(mended.design))
    clean = board(1.0)
    assert not check(clean, shapes_of(clean), None, SILENT).findings


def test_edits_of_a_maker_come_first_and_a_reset_follows_again() -> None:
    design = board(1.0)
    shapes = shapes_of(design)
    edge = smooth(shapes)[0]
    name = shapes.tiling.edge_name(edge)
    flipped = edits.with_tongues_flipped(shapes, [edge])
    assert not shapes_of(flipped).plain[edge] and edge not in followers(shapes_of(flipped))
    straight = design.with_tongues([TongueEdit(name, plain=True)])
    assert edge not in followers(shapes_of(straight)) and shapes_of(straight).plain[edge]
    for kept in (TongueEdit(name, locked_seed=4), TongueEdit(name, rolls=3)):
        assert edge in followers(shapes_of(design.with_tongues([kept])))
    assert same(shapes_of(flipped.with_tongues([TongueEdit(name)]), shapes_of(flipped)), shapes)
    corner = shapes.tiling.corner_indices["5,2"]
    moved = shapes_of(edits.with_corners_at(shapes, {corner: (130.0, 61.0)}))
    assert moved.corners[corner].tolist() == pytest.approx([130.0, 61.0], abs=1e-4)


def test_what_follows_an_edit_is_the_board_made_from_nothing() -> None:
    design = board(0.8)
    shapes = shapes_of(design)
    names = [shapes.tiling.edge_name(edge) for edge in smooth(shapes)[:2]]
    picture = design.picture
    assert picture is not None
    steps = [design.with_corners({"4,3": (0.2, -0.1)})]
    steps.append(steps[-1].with_tongues([TongueEdit(names[0], side=1), TongueEdit("B2-B3", size=0.2)]))
    steps.append(replace(steps[-1], picture=replace(picture, right=0.03, turn=10.0)))
    steps.append(replace(steps[-1], whimsies=(Whimsy("figure1", "heart", Pose(x=150.0, y=75.0, height=40.0)),)))
    steps.append(replace(steps[-1], whimsies=(Whimsy("figure1", "heart", Pose(x=160.0, y=75.0, height=40.0)),)))
    steps.append(steps[-1].with_corners({"1,1": (0.1, 0.1)}))
    steps += [replace(steps[-1], picture=None), steps[-1], design]
    for step in steps:
        shapes = shapes_of(step, shapes)
        assert same(shapes, shapes_of(step))


def test_only_cuts_near_the_picture_s_lines_change() -> None:
    before, after = shapes_of(board(0.0)), shapes_of(board(1.0))
    for one, other in zip(
        lines(before, before.tiling.graph.inner_edges), lines(after, after.tiling.graph.inner_edges), strict=True
    ):
        # Tongues have as much room as the next corners leave them.
        if shapely.distance(one, CIRCLE) > 50:
            assert shapely.hausdorff_distance(one, other) < 1e-9


@pytest.mark.sampled(3)
@pytest.mark.parametrize("outline", ["rectangle", "ellipse"])
@pytest.mark.parametrize("perturbation", [0.0, 0.16, 0.45])
def test_corners_of_the_border_slide_to_lines_that_meet_it_and_stay_in_order(outline: str, perturbation: float) -> None:
    image = Image.new("RGB", (1200, 600), (90, 150, 210))
    ImageDraw.Draw(image).rectangle((330, 0, 850, 600), fill=(230, 190, 70))
    file = io.BytesIO()
    image.save(file, "PNG")
    sides = (82.5, 212.5)
    values = {"outline": outline, "perturbation": perturbation, "columns": 10, "rows": 5}
    bare, led = (shapes_of(board(follow, file.getvalue(), **values)) for follow in (0.0, 1.0))
    tiling = led.tiling
    on_rim = np.flatnonzero((tiling.tracks >= 0) & (tiling.inward[:, 0] ** 2 < 0.6))
    upper = on_rim[led.corners[on_rim, 1] < 75]

    def gaps(shapes: JigsawShapes) -> list[float]:
        return [float(np.abs(shapes.corners[upper, 0] - side).min()) for side in sides]

    near = [(was, now) for was, now in zip(gaps(bare), gaps(led), strict=True) if was < 6.0 and perturbation < 0.2]
    assert all(now < 1.6 for _, now in near) and (near or perturbation > 0.2)
    for corner in on_rim.tolist():
        stretch = tiling.outline.stretches[int(tiling.tracks[corner])]
        assert stretch.nearest(led.corners[[corner]]) == pytest.approx(led.corners[[corner]], abs=1e-6)
    assert not [one for one in check(led.design, led, None, SILENT).findings if one.kind == "border"]
    # A corner that a maker moved stays where it was put.
    corner = int(upper[0])
    held = edits.with_corners_held(bare, [corner])
    kept = shapes_of(replace(held, parameters=led.design.parameters))
    assert kept.corners[corner] == pytest.approx(bare.corners[corner])
