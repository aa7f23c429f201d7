"""Where cuts end on rims and figures by the newest layout."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import shapely

from studio.base.progress import SILENT
from studio.geometry.board.board_spec import ELLIPSE, GRID, HAND_CUT, HEART, HEXAGONS, RECTANGLE, VORONOI
from studio.geometry.board.tessellations import hand_cut, with_long_edges
from studio.geometry.curves.strokes import Floats
from studio.geometry.planar.graph import crossing
from studio.geometry.planar.regions import pieces_as_polygons
from studio.puzzles.jigsaw.checks import check
from studio.puzzles.jigsaw.figures.figure_edits import new_letters
from studio.puzzles.jigsaw.figures.whimsies import AS_FIT, Pose, Whimsy
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.model.tiling import sized, tiling_of

STAR = Whimsy("star1", "star", Pose(x=140.0, y=75.0, height=50.0), tongues=AS_FIT)
CAT = Whimsy("cat1", "cat", Pose(x=240.0, y=75.0, height=46.0), tongues=AS_FIT)


def made(tiling: str, outline: str, *figures: Whimsy, **values: Any) -> JigsawShapes:
    chosen = {"tiling": tiling, "outline": outline, "pieces": 120, "seed": 3, **values}
    parameters = JigsawParameters(**sized(chosen))
    return shape(JigsawDesign(parameters, whimsies=figures), None, SILENT)


def rings_of(shapes: JigsawShapes) -> list[Any]:
    """The outlines of the board and its figures as lines."""
    lines = shapes.tiling.outline.lines
    return [shapely.linearrings(lines[at]) for at in range(len(lines))]


def ends(shapes: JigsawShapes) -> list[tuple[Floats, float]]:
    """Places at which inner cuts end on an outline, and how far from square in degrees over their first millimetre."""
    tiling, found = shapes.tiling, []
    rings = rings_of(shapes)
    for edge in tiling.graph.inner_edges.tolist():
        for end in (0, 1):
            if tiling.tracks[tiling.graph.edges[edge, end]] < 0:
                continue
            line = shapely.linestrings(shapes.drawing.polylines[edge][:: 1 - 2 * end])
            here, ahead = (np.array(line.interpolate(at).coords[0]) for at in (0.0, 1.0))
            ring = min(rings, key=lambda one: float(shapely.distance(one, shapely.points(here))))
            at = float(shapely.line_locate_point(ring, shapely.points(here)))
            first, last = (np.array(ring.interpolate((at + way) % ring.length).coords[0]) for way in (-0.5, 0.5))
            way, along = ahead - here, last - first
            lean = abs(way @ along) / np.hypot(*way) / np.hypot(*along)
            found.append((here, float(np.degrees(np.arcsin(min(lean, 1.0))))))
    return found


def corners(shapes: JigsawShapes) -> Floats:
    """Places at which an outline turns by more than 35° within 1.2 mm."""
    found = []
    for ring in rings_of(shapes):
        places = np.linspace(0.0, ring.length, int(ring.length / 0.3), endpoint=False)
        before, here, behind = (
            shapely.get_coordinates(shapely.line_interpolate_point(ring, (places + way) % ring.length))
            for way in (-0.6, 0.0, 0.6)
        )
        turns = np.angle(((behind - here) @ [1, 1j]) * ((here - before) @ [1, 1j]).conj())
        found.append(here[np.abs(turns) > np.radians(35.0)])
    return np.concatenate(found)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("tiling", [GRID, HAND_CUT, VORONOI, HEXAGONS])
@pytest.mark.parametrize("outline", [RECTANGLE, HEART])
def test_cuts_end_square_and_off_corners(tiling: str, outline: str) -> None:
    shapes = made(tiling, outline, CAT, STAR)
    places, leans = map(np.array, zip(*ends(shapes), strict=True))
    assert len(places) > 40 and (leans < 20.0).mean() >= 0.92
    gaps = np.hypot(*(places[:, None] - corners(shapes)).transpose(2, 0, 1)).min(axis=1)
    at_notch = np.hypot(*(places - notch(shapes)).T) < 1e-6 if outline == HEART else np.zeros(len(places), bool)
    assert gaps[~at_notch].min() > 1.5 and at_notch.sum() <= 1


def notch(shapes: JigsawShapes) -> Floats:
    """The place of a heart's cleft."""
    ring = shapes.tiling.outline.lines[0]
    within = ring[np.abs(ring[:, 0] - ring[:, 0].mean()) < 0.25 * np.ptp(ring[:, 0])]
    upper = within[within[:, 1] < 0.5 * ring[:, 1].max()]
    return np.asarray(upper[upper[:, 1].argmax()])


@pytest.mark.parametrize("tiling", [GRID, HAND_CUT, HEXAGONS])
def test_the_notch_of_a_heart_is_open_and_split_along_its_bisector(tiling: str) -> None:
    shapes = made(tiling, HEART)
    cleft, (low, high) = notch(shapes), shapes.tiling.outline.box
    assert cleft[0] == pytest.approx((low[0] + high[0]) / 2)
    ring = shapely.Polygon(shapes.tiling.outline.lines[0])
    around = shapely.Point(cleft).buffer(1.0)
    assert 0.1 < 1 - shapely.intersection(ring, around).area / around.area < 0.25, "the cleft is 36° to 90° wide"
    there = [edge for edge in shapes.tiling.graph.inner_edges.tolist()
             if np.abs(shapes.drawing.polylines[edge][[0, -1]] - cleft).max(axis=1).min() < 1e-6]  # fmt: skip
    assert len(there) == 1
    line = shapes.drawing.polylines[there[0]]
    line = line if np.abs(line[0] - cleft).max() < 1e-6 else line[::-1]
    way = np.array(shapely.LineString(line).interpolate(1.0).coords[0]) - cleft
    assert abs(np.degrees(np.arctan2(way[0], way[1]))) < 60.0


def test_the_tip_of_a_heart_is_a_piece() -> None:
    for tiling in (GRID, HAND_CUT, VORONOI):
        shapes = made(tiling, HEART)
        ring = shapes.tiling.outline.lines[0]
        tip = ring[ring[:, 1].argmax()]
        gaps = [float(np.hypot(*(place - tip))) for place, _lean in ends(shapes)]
        assert min(gaps) > 0.35 * float(shapes.tiling.scale.min())


@pytest.mark.parametrize("tiling", [GRID, HAND_CUT, VORONOI])
def test_cuts_that_meet_on_the_rim_are_parted(tiling: str) -> None:
    for seed in range(4):
        shapes = made(tiling, HEART, seed=seed)
        places = np.array([place for place, _lean in ends(shapes)])
        gaps = np.hypot(*(places[:, None] - places).T)
        assert len(places) > 20 and gaps[np.triu_indices(len(places), 1)].min() > 0.5


@pytest.mark.parametrize("tiling", [GRID, VORONOI])
def test_the_halves_of_split_corners_are_pieces_however_narrow(tiling: str) -> None:
    fixed = JigsawParameters(pieces=120, width=387.0, height=194.0, tiling=tiling, split_corners=1.0)
    for seed in range(6):
        design = JigsawDesign(replace(fixed, seed=seed))
        cells = tiling_of(design)
        places = cells.homes[np.unique(cells.graph.edges[cells.graph.inner_edges])]
        for corner in ((0.0, 0.0), (387.0, 0.0), (387.0, 194.0), (0.0, 194.0)):
            assert np.hypot(*(places - corner).T).min() < 0.5


def test_pieces_around_figures_cover_the_board_and_none_crosses_another() -> None:
    shapes = made(HAND_CUT, HEART, CAT, STAR)
    polygons = pieces_as_polygons(shapes.drawing, shapes.drawing.polylines)
    whole = shapely.union_all(polygons)
    assert shapely.area(polygons).sum() == pytest.approx(float(whole.area), rel=1e-6)
    assert whole.area == pytest.approx(shapely.Polygon(shapes.tiling.outline.lines[0]).area, rel=1e-4)
    assert not [one for one in check(shapes.design, shapes, None, SILENT).findings if one.severity.name == "ERROR"]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("tiling", [GRID, HAND_CUT, VORONOI, HEXAGONS])
@pytest.mark.parametrize("outline", [RECTANGLE, HEART])
def test_hardly_an_edge_has_no_knob(tiling: str, outline: str) -> None:
    for figures, most in (((), 0.01), ((CAT, STAR), 0.03)):
        shapes = made(tiling, outline, *figures)
        assert shapes.plain[shapes.tiling.graph.inner_edges].mean() <= most


@pytest.mark.parametrize("tiling", [GRID, HAND_CUT, VORONOI, HEXAGONS])
def test_pieces_between_letters_are_no_splinters(tiling: str) -> None:
    name = new_letters(JigsawDesign(), "AMELIE", Pose(x=150.0, y=100.0, height=40.0), AS_FIT)
    shapes = made(tiling, RECTANGLE, *sorted(name, key=lambda letter: letter.name))
    boxes = shapely.oriented_envelope(pieces_as_polygons(shapes.drawing, shapes.drawing.polylines))
    sides = np.diff(shapely.get_coordinates(boxes).reshape(-1, 5, 2)[:, :3], axis=1)
    widths = np.hypot(sides[..., 0], sides[..., 1]).min(axis=1)
    own = {filling.piece for filling in shapes.tiling.fillings}
    others = np.array([name not in own for name in shapes.drawing.pieces.names])
    assert len(own) == 6 and (widths[others] > 0.5 * np.median(widths)).all()


def test_tongues_of_a_letter_stay_within_the_curve_of_the_rim() -> None:
    usual = JigsawParameters(pieces=120, width=300.0, height=200.0, tiling=HEXAGONS, outline=ELLIPSE, seed=4)
    beyond = []
    for parameters in (replace(usual, layout_version=4), usual):
        letter = new_letters(JigsawDesign(parameters), "S", Pose(x=280.0, y=100.0, height=42.0), AS_FIT)
        shapes = shape(JigsawDesign(parameters, whimsies=tuple(letter)), None, SILENT)
        board = shapely.Polygon(shapes.tiling.outline.lines[0])
        beyond.append(float(shapely.distance(board, shapely.points(shapes.drawing.polylines.points)).max()))
    assert beyond[0] > 0.2 and beyond[1] < 0.02


def test_corners_move_apart_where_edges_are_short_and_those_at_the_sides_stay() -> None:
    for seed in range(5):
        cells = hand_cut(14, 10, 300.0, 200.0, seed)
        longer = with_long_edges(cells, 0.5, 0.7)
        is_inner = (cells.sides >= 0).all(axis=1)
        before, after = (
            np.hypot(*np.diff(each.corners[each.edges] / each.scale, axis=1)[is_inner, 0].T) for each in (cells, longer)
        )
        assert (before < 0.4).sum() > 40 and (after < 0.4).sum() < 8
        at_sides = np.unique(cells.edges[~is_inner])
        assert np.array_equal(cells.corners[at_sides], longer.corners[at_sides])
        assert crossing(longer.corners, longer.edges) is None


def test_no_tongue_that_heeds_no_neighbour_crosses_itself() -> None:
    parameters = JigsawParameters(
        width=456.0, height=414.0, pieces=14, tiling=HAND_CUT, outline=HEART, tongue_style="article", seed=942577
    )
    shapes = shape(JigsawDesign(parameters), None, SILENT)
    assert not check(shapes.design, shapes, None, SILENT).findings
