"""Cuts along contours of the picture: near the true line, in order, smooth, local to edits, and only by layout 2."""

import hashlib
import io
import itertools
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import shapely
from PIL import Image, ImageDraw

from studio.base.progress import SILENT
from studio.geometry.art.artwork import PNG
from studio.puzzles.jigsaw.checks import check
from studio.puzzles.jigsaw.figures.whimsies import Pose, Whimsy
from studio.puzzles.jigsaw.model import edits
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, course_of
from studio.puzzles.jigsaw.picture.board_picture import BoardPicture
from tests.puzzles.jigsaw.test_colours import CIRCLE, board, disc, followers, lines, same, shapes_of

SINE = shapely.LineString([(x, 75 + 22.5 * math.sin(x / 300 * 4 * math.pi)) for x in np.arange(0.0, 300.1, 0.5)])
"""On a board of 300 × 150 mm, the edge of `waves`."""


def waves() -> bytes:
    """Green below a sine line on blue."""
    image = Image.new("RGB", (1200, 600), (90, 150, 210))
    line = [(4 * x - 0.5, 4 * y - 0.5) for x, y in SINE.coords]
    ImageDraw.Draw(image).polygon([*line, (1200, 600), (0, 600)], fill=(60, 120, 60))
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def distances(shapes: JigsawShapes, line: shapely.Geometry) -> np.ndarray[Any, Any]:
    """Distances in mm of the edges that follow from a line, at every half mm."""
    places = [cut.interpolate(at) for cut in lines(shapes, followers(shapes)) for at in np.arange(0.0, cut.length, 0.5)]
    return np.asarray(shapely.distance(np.array(places), line))


@pytest.mark.parametrize("parameters", [{}, {"tiling": "hexagons"}, {"tiling": "voronoi"}, {"columns": 20, "rows": 10}],
                         ids=str)  # fmt: skip
@pytest.mark.parametrize(("data", "line"), [(disc(), CIRCLE), (waves(), SINE)], ids=["circle", "sine"])
def test_edges_keep_to_the_true_line_and_cover_most_of_it(
    data: bytes, line: shapely.Geometry, parameters: dict[str, Any]
) -> None:
    shapes = shapes_of(board(1.0, data, **parameters))
    off = distances(shapes, line)
    assert np.median(off) <= 0.3 and np.percentile(off, 95) <= 0.5 and off.max() <= 0.8
    followed = sum(cut.length for cut in lines(shapes, followers(shapes)))
    # Cells of chance have no rows that a line could borrow.
    least = 0.7 if parameters.get("tiling") == "voronoi" else 0.9
    assert least * line.length <= followed <= 1.02 * line.length
    # The contour's edges make no worse pieces than a usual board has.
    findings = check(shapes.design, shapes, None, SILENT).findings
    assert not [one for one in findings if one.kind not in ("bridge", "neck")] and len(findings) <= 1


def test_cuts_along_a_contour_go_through_its_corners_smoothly_and_in_order() -> None:
    shapes = shapes_of(board(1.0))
    course = course_of(shapes.design, shapes.tiling)
    assert course is not None
    ways: dict[int, list[Any]] = {}
    for edge in followers(shapes):
        stroke, (first, second) = shapes.drawing.strokes[edge], shapes.tiling.graph.edges[edge].tolist()
        ways.setdefault(first, []).append(stroke[1] - stroke[0])
        ways.setdefault(second, []).append(stroke[-2] - stroke[-1])
    through = [pair for pair in ways.values() if len(pair) == 2]
    assert len(through) > 8
    for one, other in through:
        turn = (one * other).sum() / np.hypot(*one) / np.hypot(*other)
        assert math.degrees(math.acos(np.clip(-turn, -1.0, 1.0))) < 3.0
    spans = sorted(sorted((one.begin, one.end)) for one in course.sections.values())
    assert all(one[1] <= other[0] + 1e-6 for one, other in itertools.pairwise(spans))
    assert min(end - begin for begin, end in spans) > 0.3 * shapes.tiling.scale.min()


def test_a_corner_off_its_contour_frees_its_own_edges_and_comes_back() -> None:
    shapes = shapes_of(board(1.0))
    chosen = followers(shapes)
    corner = int(shapes.tiling.graph.edges[chosen[3], 0])
    beside = set(shapes.tiling.graph.edges_at(np.array([corner])).tolist())
    x, y = shapes.corners[corner].tolist()
    away = edits.with_corners_at(shapes, {corner: (x + 4.0, y + 4.0)})
    moved = shapes_of(away, shapes)
    assert same(moved, shapes_of(away))
    assert set(chosen) - set(followers(moved)) == set(chosen) & beside
    held = shapes_of(edits.with_corners_held(shapes, [corner]), shapes)
    assert followers(held) == chosen
    back = shapes_of(away.without_corners([shapes.tiling.corner_name(corner)]), moved)
    assert same(back, shapes)
    # Along the contour a corner takes its edges with it.
    angle = math.atan2(y - 77.5, x - 150.0) + 0.03
    along = shapes_of(
        edits.with_corners_at(shapes, {corner: (150 + 62.5 * math.cos(angle), 77.5 + 62.5 * math.sin(angle))})
    )
    assert followers(along) == chosen and distances(along, CIRCLE).max() < 0.8


def test_cuts_that_end_on_a_contour_meet_it_squarely() -> None:
    shapes = shapes_of(board(1.0))
    graph, followed = shapes.tiling.graph, set(followers(shapes))
    corners = {corner for edge in followed for corner in graph.edges[edge].tolist()}
    for edge in graph.inner_edges.tolist():
        for end, corner in enumerate(graph.edges[edge].tolist()):
            if edge not in followed and corner in corners:
                stroke = shapes.drawing.strokes[edge][:: 1 - 2 * end]
                way, out = stroke[1] - stroke[0], stroke[0] - (150.0, 77.5)
                assert abs((way * out).sum()) > math.cos(math.radians(55)) * np.hypot(*way) * np.hypot(*out)


def test_an_edge_beside_a_contour_keeps_its_knob() -> None:
    shapes = shapes_of(board(1.0))
    beside = np.setdiff1d(shapes.tiling.inner_edges, followers(shapes))
    assert not shapes.plain[beside].any()


def test_figures_and_contours_share_a_board() -> None:
    design = replace(board(1.0), whimsies=(Whimsy("figure1", "heart", Pose(x=90.0, y=60.0, height=40.0)),))
    shapes = shapes_of(design)
    assert len(followers(shapes)) > 8 and distances(shapes, CIRCLE).max() < 0.8
    turned = replace(design, whimsies=(Whimsy("figure1", "heart", Pose(x=95.0, y=62.0, height=40.0)),))
    assert same(shapes_of(turned, shapes), shapes_of(turned))


BEFORE = {
    (): "d7807183f2cb1b36",
    (("tiling", "hexagons"), ("follow_colours", 0.7)): "7d9beeb568dba923",
    (("tiling", "voronoi"), ("outline", "ellipse")): "bdbff72bb6f4d8a1",
    (("columns", 20), ("rows", 10), ("follow_colours", 0.4), ("seed", 3)): "38b102858ccaf490",
    (("tiling", "rings"), ("outline", "heart")): "cf4928828c1fe2dd",
}
"""Hashes of boards before there were contours."""


@pytest.mark.parametrize("changes", BEFORE, ids=str)
def test_boards_of_the_first_layout_are_cut_as_before(changes: tuple[tuple[str, Any], ...]) -> None:
    parameters = {"follow_colours": 1.0, "layout_version": 1} | dict(changes)
    shapes = shapes_of(JigsawDesign(JigsawParameters(**parameters), picture=BoardPicture(disc(), PNG)))
    assert course_of(shapes.design, shapes.tiling) is None
    points = np.round(shapes.drawing.strokes.points, 6) + 0.0
    assert hashlib.sha256(points.tobytes()).hexdigest()[:16] == BEFORE[changes]
