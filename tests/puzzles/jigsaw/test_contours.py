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

from studio.base.parameters import ParameterError
from studio.base.progress import SILENT
from studio.checks.finding import Severity
from studio.files.store import dumps, loads
from studio.geometry.art.artwork import PNG
from studio.puzzles.jigsaw.checks import check
from studio.puzzles.jigsaw.figures.whimsies import Pose, Whimsy
from studio.puzzles.jigsaw.fits.interlock import tongue_grip
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model import edits
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.model.geometry import JigsawShapes
from studio.puzzles.jigsaw.model.strokes import course_of
from studio.puzzles.jigsaw.picture.board_picture import BoardPicture
from studio.puzzles.jigsaw.picture.masks import FollowedLine, of_area
from studio.puzzles.jigsaw.tongues.tongues import SIDE
from studio.puzzles.registry import kind
from tests.puzzles.jigsaw.test_colours import CIRCLE, board, disc, followers, lines, same, shapes_of, smooth

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
    """Distances in mm of the edges that follow from a line, at every half mm; hooks aside."""
    places = [cut.interpolate(at) for cut in lines(shapes, smooth(shapes)) for at in np.arange(0.0, cut.length, 0.5)]
    return np.asarray(shapely.distance(np.array(places), line))


def covered(shapes: JigsawShapes) -> float:
    """Length in mm of the lines that edges follow, under their hooks, too."""
    ends = shapes.corners[shapes.tiling.graph.edges[hooks(shapes)]]
    chords = np.hypot(*(ends[:, 1] - ends[:, 0]).T)
    return float(chords.sum()) + float(shapely.length(lines(shapes, smooth(shapes))).sum())


def hooks(shapes: JigsawShapes) -> list[int]:
    """The edges on lines that have a small tongue."""
    return sorted({*followers(shapes)} - {*smooth(shapes)})


@pytest.mark.parametrize("parameters", [{}, {"tiling": "hexagons"}, {"tiling": "voronoi"}, {"columns": 20, "rows": 10}],
                         ids=str)  # fmt: skip
@pytest.mark.parametrize(("data", "line"), [(disc(), CIRCLE), (waves(), SINE)], ids=["circle", "sine"])
def test_edges_keep_to_the_true_line_and_cover_most_of_it(
    data: bytes, line: shapely.Geometry, parameters: dict[str, Any]
) -> None:
    shapes = shapes_of(board(1.0, data, **parameters))
    off = distances(shapes, line)
    assert np.median(off) <= 0.3 and np.percentile(off, 95) <= 0.5 and off.max() <= 0.8
    followed = covered(shapes)
    # Cells of chance have no rows that a line could borrow, and the rows of hexagons turn at every corner.
    least = {"voronoi": 0.7, "hexagons": 0.85}.get(parameters.get("tiling", ""), 0.9)
    assert least * line.length <= followed <= 1.02 * line.length
    # The contour's edges make no worse pieces than a usual board has.
    findings = check(shapes.design, shapes, None, SILENT).findings
    assert not [one for one in findings if one.kind not in ("bridge", "neck")] and len(findings) <= 1


@pytest.mark.parametrize("parameters", [{}, {"tiling": "hexagons"}, {"tiling": "voronoi"}, {"tiling": "bricks"},
                         {"columns": 20, "rows": 10}, {"tongue_style": "classic", "seed": 4}], ids=str)  # fmt: skip
@pytest.mark.parametrize(("data", "line"), [(disc(), CIRCLE), (waves(), SINE)], ids=["circle", "sine"])
def test_a_few_hooks_hold_the_pieces_on_both_sides_of_a_line(
    data: bytes, line: shapely.Geometry, parameters: dict[str, Any]
) -> None:
    shapes = shapes_of(board(1.0, data, **parameters))
    graph, chosen, hooked = shapes.tiling.graph, followers(shapes), hooks(shapes)
    assert len(chosen) / 4 <= len(hooked) <= len(chosen) / 2
    # No two meet, and nearly every other edge on the line meets one.
    corners = graph.edges[hooked].ravel()
    assert len(np.unique(corners)) == len(corners)
    held = np.isin(graph.edges[chosen], corners).any(axis=1)
    assert held.mean() > 0.95
    for edge in hooked:
        assert not tongue_grip(shapes, edge).is_free
    # Small, on the line: they leave it by clearly less than the height of a usual tongue.
    usual = np.median(shapes.frames(np.setdiff1d(shapes.joined_edges, chosen)).tip)
    far = [max(line.distance(shapely.Point(at)) for at in cut.coords) for cut in lines(shapes, hooked)]
    assert np.median(far) < 0.8 * usual and max(far) < usual


def test_false_edges_lie_along_the_lines_of_a_picture_and_have_no_hooks() -> None:
    usual, half, all_false = (shapes_of(board(1.0, false_edges=share)) for share in (0.0, 0.5, 1.0))
    assert {*hooks(all_false)} == set() < {*hooks(half)} < {*hooks(usual)}
    assert followers(usual) == followers(half) == followers(all_false)
    off_lines = np.setdiff1d(np.arange(len(usual.rooms)), followers(usual))
    assert np.array_equal(usual.plain[off_lines], all_false.plain[off_lines])


def test_a_hook_turns_over_and_becomes_a_smooth_edge_or_a_usual_tongue() -> None:
    shapes = shapes_of(board(1.0))
    edge = hooks(shapes)[0]
    name, side = shapes.tiling.edge_name(edge), int(shapes.tongues[edge, SIDE])
    turned = shapes_of(shapes.design.with_tongues([TongueEdit(name, side=-side)]), shapes)
    assert same(turned, shapes_of(turned.design)) and edge in hooks(turned)
    inside = [shapely.Polygon(CIRCLE).intersection(lines(each, [edge])[0]).length for each in (shapes, turned)]
    assert abs(inside[0] - inside[1]) > 3.0
    plain = shapes_of(shapes.design.with_tongues([TongueEdit(name, plain=True)]), turned)
    assert plain.plain[edge] and same(plain, shapes_of(plain.design))
    usual = shapes_of(shapes.design.with_tongues([TongueEdit(name, plain=False)]), plain)
    assert edge not in followers(usual) and usual.frames(np.array([edge])).tip > shapes.frames(np.array([edge])).tip
    off = edits.with_corners_at(shapes, {int(shapes.tiling.graph.edges[edge, 0]): (60.0, 60.0)})
    assert same(shapes_of(off, shapes), shapes_of(off)) and edge not in hooks(shapes_of(off))


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
    beside = np.setdiff1d(shapes.tiling.inner_edges, smooth(shapes))
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


def portrait() -> bytes:
    """A head with two eyes and a mouth on blue."""
    image = Image.new("RGB", (1200, 600), (120, 170, 220))
    brush = ImageDraw.Draw(image)
    brush.ellipse((450, 90, 750, 510), fill=(240, 200, 170))
    for x in (540, 660):
        brush.ellipse((x - 32, 255, x + 32, 295), fill=(40, 70, 120))
    brush.pieslice((540, 380, 660, 460), 10, 170, fill=(190, 60, 70))
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def oval(x: float, y: float, half_width: float, half_height: float) -> shapely.Polygon:
    angles = np.linspace(0.0, 2 * np.pi, 60, endpoint=False)
    return shapely.Polygon(np.column_stack([x + half_width * np.cos(angles), y + half_height * np.sin(angles)]))


EYES_AND_MOUTH = [oval(135, 68.8, 9, 6), oval(165, 68.8, 9, 6), oval(150, 106, 15, 7)]


def spared(follow: float = 1.0, **parameters: Any) -> JigsawDesign:
    """A board on which nothing should cut the eyes and the mouth of a face."""
    design = board(follow, portrait(), **parameters)
    return replace(design, uncut=of_area(shapely.union_all(EYES_AND_MOUTH), design.picture, design.size))


def cut_through(shapes: JigsawShapes, area: shapely.Geometry) -> float:
    """Length in mm of the cuts in an area."""
    cuts = lines(shapes, np.arange(len(shapes.drawing.strokes)))
    return float(shapely.length(shapely.intersection(cuts, area)).sum())


@pytest.mark.parametrize("follow", [0.0, 1.0])
@pytest.mark.parametrize("tiling", ["grid", "hexagons", "voronoi"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_cut_goes_through_eyes_and_mouths_nearly_as_large_as_pieces(tiling: str, follow: float, seed: int) -> None:
    shapes = shapes_of(spared(follow, tiling=tiling, seed=seed))
    assert [cut_through(shapes, each) for each in EYES_AND_MOUTH] == [0.0, 0.0, 0.0]
    assert shapes.drawing.pieces.names == shapes_of(board(0.0, tiling=tiling, seed=seed)).drawing.pieces.names
    findings = check(shapes.design, shapes, None, SILENT).findings
    assert not [one for one in findings if one.severity is Severity.ERROR or one.kind == "uncut"]


@pytest.mark.parametrize(("pieces", "seed"), [(60, 1), (60, 2), (120, 1)])
def test_a_face_in_one_piece_and_eyes_in_two_are_tried_before_a_cut_goes_through(pieces: int, seed: int) -> None:
    small = [oval(119.3, 61.9, 8.1, 5.2), oval(141.3, 61.9, 8.1, 5.2), oval(130.3, 83.9, 12.2, 5.5)]
    cuts = []
    for version in (2, 3):
        parameters = JigsawParameters(
            width=300.0, height=300.0, tiling="hexagons", pieces=pieces, seed=seed, layout_version=version
        )
        design = JIGSAW.generate(parameters, None, SILENT).design
        area = shapely.union_all(small)
        cuts.append(cut_through(shapes_of(replace(design, uncut=of_area(area, None, design.size))), area))
    assert cuts[0] > 5.0 and cuts[1] == 0.0


def test_cuts_run_round_a_face_of_many_pieces_and_each_that_remains_is_a_problem_with_a_fix() -> None:
    design = board(0.0, portrait())
    head = oval(150, 75, 36, 50)
    design = replace(design, uncut=of_area(head, design.picture, design.size))
    shapes = shapes_of(design)
    around = distances(shapes, head.exterior)
    assert around.max() < 3.0 and not hooks(shapes) and covered(shapes) > 0.8 * head.exterior.length
    findings = [one for one in check(design, shapes, None, SILENT).findings if one.kind == "uncut"]
    assert findings and findings[0].message.endswith("Merge the pieces beside it, or make the area smaller.")
    usual = cut_through(shapes_of(board(0.0, portrait())), head)
    assert cut_through(shapes, head) < 0.9 * usual
    repair = findings[0].repair
    assert repair is not None
    merged = repair.apply(design)
    assert cut_through(shapes_of(merged), head) < cut_through(shapes, head)


def test_merging_pieces_in_an_uncut_area_drops_the_edits_of_the_cut_between_them() -> None:
    design = JigsawDesign(JigsawParameters(columns=8, rows=6, width=200.0, height=150.0))
    design = replace(design, uncut=of_area(shapely.box(60, 40, 140, 110), None, design.size))
    shapes = shapes_of(design)
    found = [one for one in check(design, shapes, None, SILENT).findings if one.kind == "uncut"]
    names = [shapes.tiling.edge_name(one.strokes[0]) for one in found]
    edited = design.with_tongues([TongueEdit(name, side=1) for name in names])
    for name, one in zip(names, found, strict=True):
        assert one.repair is not None
        merged, lost = one.repair.fixed(edited, SILENT)
        assert len(lost) == 1 and name in lost[0] and name in merged.merged
        assert same(shapes_of(merged, shapes), shapes_of(merged))
        assert loads(dumps(kind("jigsaw"), merged)).design == merged


def test_a_stroke_beside_a_contour_cuts_along_the_contour_and_elsewhere_along_the_stroke() -> None:
    angles = np.linspace(-2.6, 0.2, 40)
    off = 64.0 + np.random.default_rng(1).normal(0, 0.8, 40)
    beside = np.column_stack([150 + off * np.cos(angles), 77.5 + off * np.sin(angles)])
    design = board(0.0)
    line = FollowedLine.from_path(beside, 1.0, design.picture, design.size)
    assert line is not None
    shapes = shapes_of(replace(design, lines=(line,)))
    assert distances(shapes, CIRCLE).max() < 0.5
    assert covered(shapes) > 0.8 * 62.5 * 2.8
    plain = JigsawDesign()
    wave = np.array(SINE.coords)
    drawn = FollowedLine.from_path(wave, 1.0, None, plain.size)
    assert drawn is not None
    counts = []
    for strength in (1.0, 0.5, 0.1):
        shapes = shapes_of(replace(plain, lines=(replace(drawn, strength=strength),)))
        assert not smooth(shapes) or distances(shapes, SINE).max() < 0.8
        counts.append(len(followers(shapes)))
    assert counts[0] > counts[1] > counts[2]


def test_what_is_painted_is_read_back_from_the_file_and_moves_with_the_picture() -> None:
    design = spared()
    line = FollowedLine.from_path(np.array([(10.0, 20.0), (100.0, 30.0)]), 0.5, design.picture, design.size)
    picture = design.picture
    assert line is not None and picture is not None
    design = replace(design, lines=(line,))
    found = loads(dumps(kind("jigsaw"), design)).design
    assert found == design and same(shapes_of(found), shapes_of(design))
    assert not {b'"uncut"', b'"lines"'} & {*dumps(kind("jigsaw"), JigsawDesign()).split()}
    moved = design.with_picture(replace(picture, right=0.1))
    was, now = (each.lines[0].on_board(each.picture, each.size) for each in (design, moved))
    assert now - was == pytest.approx(np.tile([0.1 * 300, 0.0], (len(was), 1)), abs=0.1)
    bare = moved.with_picture(None)
    assert bare.lines[0].on_board(None, bare.size) == pytest.approx(now, abs=0.02)
    with pytest.raises(ParameterError, match="lines belongs to a picture"):
        replace(design, picture=None, mask=None, uncut=None)


def test_edits_on_a_painted_board_give_the_board_made_from_nothing() -> None:
    design = spared(0.6)
    shapes = shapes_of(board(0.6, portrait()))
    checked = check(shapes.design, shapes, None, SILENT)
    line = FollowedLine.from_path(np.array([(10.0, 20.0), (100.0, 30.0)]), 1.0, design.picture, design.size)
    assert line is not None
    steps = [design, design.with_corners({"5,3": (0.2, 0.1)})]
    steps.append(steps[-1].with_tongues([TongueEdit("G2-G3", side=1, size=0.3)]))
    steps.append(replace(steps[-1], lines=(line,)))
    steps += [steps[-1].with_picture(None), replace(steps[-1], uncut=None), steps[-1].without_corners(["5,3"])]
    for step in steps:
        shapes, whole = shapes_of(step, shapes), shapes_of(step)
        assert same(shapes, whole)
        checked, fresh = check(step, shapes, checked, SILENT), check(step, whole, None, SILENT)
        # Pieces are counted only by a check of the whole board.
        was, now = ([(one.kind, one.message) for one in each.findings if one.kind != "count"]
                    for each in (checked, fresh))  # fmt: skip
        assert was == now
