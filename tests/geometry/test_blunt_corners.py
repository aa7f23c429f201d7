"""Boards of the sixth layout have no findings where those of the fifth had: small angles, crowded or pinched cuts."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import shapely

from studio.base.progress import SILENT, Progress
from studio.checks.finding import Severity
from studio.checks.pieces import breaks
from studio.geometry.board.blunt_corners import SPIKE, awkward, blunted, pinched
from studio.geometry.board.tessellations import least_angles
from studio.geometry.curves.strokes import Curves, straight
from studio.geometry.planar.graph import crossing
from studio.puzzles.jigsaw.checks import check
from studio.puzzles.jigsaw.figures.figure_edits import with_figure, with_text
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.model.tiling import sized, tiling_of
from tests.depth import examples

AWKWARD: list[dict[str, Any]] = [
    {"tiling": "triangles", "tongue_style": "opposed", "seed": 748634, "pieces": 6},
    {"tiling": "triangles", "tongue_style": "drop", "seed": 537596, "pieces": 21},
    {"tiling": "triangles", "outline": "heart", "tongue_style": "crown", "seed": 900664, "pieces": 7},
    {"tiling": "triangles", "outline": "polygon", "sides": 11, "tongue_style": "wave", "seed": 552034, "pieces": 11},
    {
        "tiling": "rings",
        "outline": "heart",
        "tongue_style": "wave",
        "seed": 888960,
        "pieces": 122,
        "middle_piece": False,
    },
    {"tiling": "rings", "tongue_style": "leaf", "seed": 874284, "pieces": 107},
    {"tiling": "bricks", "outline": "arch", "tongue_style": "ring", "seed": 923214, "pieces": 37},
    {"tiling": "bricks", "outline": "polygon", "sides": 7, "tongue_style": "eared", "seed": 764015, "pieces": 257},
]
"""Small angles of triangles and rings, tight bends, arms of rings, and ends beside blunt bends of the border."""


def made(design: JigsawDesign) -> JigsawShapes:
    return shape(design, None, SILENT)


def problems(shapes: JigsawShapes) -> list[str]:
    findings = check(shapes.design, shapes, None, SILENT).findings
    return [one.message for one in findings if one.severity is not Severity.HINT]


@pytest.mark.parametrize("values", AWKWARD)
def test_boards_that_had_findings_have_none_and_as_many_pieces_as_wished(values: dict[str, Any]) -> None:
    before = JigsawParameters(**sized(values | {"layout_version": 5}))
    shapes = made(JigsawDesign(before))
    assert problems(shapes)
    now = made(JigsawDesign(replace(before, layout_version=6)))
    assert problems(now) == [] and now.tiling.graph.face_count == values["pieces"]
    assert now.drawing.piece_areas.sum() == pytest.approx(float(now.tiling.outline.region.area), rel=1e-3)


@pytest.mark.parametrize(("tiling", "outline"), [("hexagons", "rectangle"), ("grid", "polygon"), ("hand-cut", "heart")])
def test_a_name_and_figures_leave_no_cut_pinched(tiling: str, outline: str) -> None:
    parameters = JigsawParameters(width=300.0, height=200.0, pieces=120, tiling=tiling, outline=outline, seed=1)
    design = with_text(JigsawDesign(parameters), "MARTHA", 18.0, Progress()).design
    for key, x, y in (("cat", 95.0, 135.0), ("star", 205.0, 140.0)):
        design = with_figure(design, Progress(), key, x, y, h=30.0).design
    shapes = made(design)
    assert len(design.whimsies) == 8 and problems(shapes) == []
    assert shapes.tiling.graph.face_count + len(shapes.tiling.fillings) == 120


@pytest.mark.parametrize("seed", range(examples(3, 40)))
@pytest.mark.parametrize("tiling", ["triangles", "rings", "hand-cut", "voronoi"])
def test_corners_move_only_for_the_better(tiling: str, seed: int) -> None:
    parameters = JigsawParameters(tiling=tiling, outline="heart", seed=seed, exact=False, layout_version=5)
    before = tiling_of(JigsawDesign(parameters))
    after = blunted(before, 1.0)
    edges = before.graph.edges
    assert after.graph is before.graph and np.array_equal(
        after.homes[before.tracks < -1], before.homes[before.tracks < -1]
    )
    assert crossing(after.homes, edges) is None
    old, new = (np.minimum(least_angles(each.homes, edges), SPIKE).min() for each in (before, after))
    assert new >= old - 1e-9
    assert pinched(after, after.homes, 1.0).sum() <= pinched(before, before.homes, 1.0).sum()
    assert awkward(after, 1.0).sum() <= awkward(before, 1.0).sum()
    whole = shapely.Polygon(after.outline.lines[0])
    assert shapely.covers(whole.buffer(0.01), shapely.points(after.homes)).all()


@pytest.mark.parametrize("width", [0.6, 1.0, 1.8])
def test_a_cut_is_weak_where_its_wood_is_narrower_than_stated(width: float) -> None:
    # A head of 12 mm by 8 mm on a neck 8 mm long and `width` wide.
    x, y = np.array([0, 20, 20, 14, 14, 26, 26, 20, 20, 40.0]), np.array([0, 0, 8, 8, 16, 16, 8, 8, 0, 0.0])
    line = np.stack([x + width / 2 * np.array([0, -1, -1, 0, 0, 0, 0, 1, 1, 0]), y], 1)
    cubics = straight(np.stack([line[:-1], line[1:]], 1)).points.reshape(-1, 4, 2)
    stroke = Curves.from_strokes([np.concatenate([cubics[:, :3].reshape(-1, 2), line[-1:]])])
    assert breaks(stroke, 0.9 * width).tolist() == [False]
    assert breaks(stroke, 1.1 * width).tolist() == [True]
