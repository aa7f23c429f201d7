"""Rows that run in swirls, fans, waves and along strokes: maps without folds, whole pieces, edits that outlive."""

import hashlib
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.base.parameters import ParameterError
from studio.base.progress import Progress
from studio.checks.finding import errors_of
from studio.files.store import dumps, loads
from studio.geometry.board.board_outline import LARGEST_AREA, flowed
from studio.geometry.board.board_spec import FLOW_LINES, FLOWS, GRID, NO_FLOW, RECTANGLE, Flow, Way
from studio.geometry.curves.strokes import Floats
from studio.geometry.planar.graph import crossing
from studio.geometry.planar.regions import pieces_as_polygons
from studio.puzzles.jigsaw.checks import check
from studio.puzzles.jigsaw.figures.figure_edits import with_figure
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import CornerEdit, JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.model.edits import with_flow_lines
from studio.puzzles.jigsaw.model.geometry import shape
from studio.puzzles.jigsaw.model.tiling import carry, tiling_of, with_whimsies
from tests.depth import examples
from tests.puzzles.jigsaw.test_boards import FORMS, board
from tests.tilings import TILINGS

BENT = [flow for flow in FLOWS if flow not in (NO_FLOW, FLOW_LINES)]
STROKE: Way = ((0.1, 0.8), (0.3, 0.35), (0.5, 0.2), (0.7, 0.35), (0.9, 0.8))
STEP = 1e-4
"""Distance in mm over which slopes are measured."""
STEEP = np.radians(15.0)
"""Largest angle of rows from a stroke that they can follow, for nine of ten places."""
OF_VERSION_1 = {
    ("grid", "rectangle", False): "d7a3753f765697e6", ("grid", "heart", True): "38a8d6a5aae5b4ca",
    ("hexagons", "ellipse", True): "ba478a40afa0d7b8", ("voronoi", "rectangle", False): "80c4704e94b957c6",
    ("hand-cut", "arch", False): "340e0a87b42cd4bc", ("rings", "ellipse", True): "920d3a78512a6e88",
    ("triangles", "polygon", False): "2b2d5b5f6279a5e9", ("bricks", "rectangle", True): "22649104449c30c0",
}  # fmt: skip
"""Hashes of cuts made before rows could flow, by tiling, outline, and whether the border is wavy and tricky."""


def slopes(places: Floats, flow: Flow, width: float, height: float) -> Floats:
    """Measure the Jacobian matrices (n, 2, 2) of a flow at places in mm."""
    ways = [
        (flowed(places + step, flow, width, height) - flowed(places - step, flow, width, height)) / (2 * STEP)
        for step in STEP * np.eye(2)
    ]
    return np.stack(ways, 2)


@st.composite
def flows(draw: st.DrawFn) -> Flow:
    """Draw flows of any kind, along one or two lines of any form."""
    kind = draw(st.sampled_from([*BENT, FLOW_LINES]))
    share = st.floats(0.0, 1.0)
    lines = st.lists(st.tuples(share, share), min_size=2, max_size=6, unique=True).map(tuple)
    ways = tuple(draw(st.lists(lines, min_size=1, max_size=2))) if kind == FLOW_LINES else ()
    return Flow(kind, draw(st.floats(0.05, 1.0)), draw(st.integers(0, 10**6)), ways)


@given(flows(), st.floats(0.2, 5.0))
@settings(max_examples=examples(20, 400), deadline=None)
def test_a_flow_has_no_folds_and_keeps_areas_and_the_border(flow: Flow, ratio: float) -> None:
    width, height = 200.0 * ratio**0.5, 200.0 / ratio**0.5
    shares = np.stack(np.meshgrid(*2 * [np.linspace(0.0, 1.0, 60)]), -1).reshape(-1, 2)
    places = shares * [width, height]
    areas = np.linalg.det(slopes(places, flow, width, height))
    assert 1 / 2 < areas.min() <= areas.max() < 2
    moved = flowed(places, flow, width, height)
    for axis, size in enumerate((width, height)):
        for at, side in ((0.0, 0.0), (1.0, size)):
            assert np.allclose(moved[shares[:, axis] == at, axis], side, atol=1e-9)


@given(flows())
@settings(max_examples=examples(10, 200), deadline=None)
def test_rows_and_columns_meet_the_sides_of_the_box_squarely(flow: Flow) -> None:
    along = np.linspace(0.0, 1.0, 40)
    for side in (0.0, 1.0):
        ends = slopes(np.stack([np.full(40, 300.0 * side), 200.0 * along], 1), flow, 300.0, 200.0)
        assert np.abs(ends[:, 1, 0]).max() < 1e-3
        ends = slopes(np.stack([300.0 * along, np.full(40, 200.0 * side)], 1), flow, 300.0, 200.0)
        assert np.abs(ends[:, 0, 1]).max() < 1e-3


def test_rows_run_along_a_stroke() -> None:
    flow = Flow(FLOW_LINES, 1.0, lines=(tuple((0.1 + 0.016 * at, 0.5 + 0.2 * np.sin(0.11 * at)) for at in range(51)),))
    way = np.array(flow.lines[0]) * [300.0, 200.0]
    net = np.stack(np.meshgrid(np.linspace(0, 300, 151), np.linspace(0, 200, 101)), -1).reshape(-1, 2)
    moved = flowed(net, flow, 300.0, 200.0)
    nearest = net[np.hypot(*(moved[:, None] - way).transpose(2, 0, 1)).argmin(axis=0)]
    rows = slopes(nearest, flow, 300.0, 200.0)[:, :, 0]
    ways = np.gradient(way, axis=0)
    angles = np.arctan2(rows[:, 1], rows[:, 0]) - np.arctan2(ways[:, 1], ways[:, 0])
    assert np.quantile(np.abs(angles), 0.9) < STEEP < np.abs(np.arctan2(ways[:, 1], ways[:, 0])).max()


@pytest.mark.parametrize(("tiling", "flow"), [*product(TILINGS, BENT)])
def test_a_flow_is_weaker_where_cells_are_longer_than_its_bends(tiling: str, flow: str) -> None:
    bent = JigsawParameters(width=70.0, height=5.0, columns=2, rows=5, tiling=tiling, flow=flow, flow_strength=1.0)
    made = tiling_of(JigsawDesign(bent))
    assert crossing(made.homes, made.graph.edges) is None


@pytest.mark.sampled(9)
@pytest.mark.parametrize(("tiling", "outline", "flow"), [*product(TILINGS, FORMS, BENT)])
def test_a_flow_keeps_the_pieces_and_their_names_and_is_cut_without_errors(
    tiling: str, outline: str, flow: str
) -> None:
    design = board(tiling, outline, flow=flow, seed=3)
    shapes = shape(design, None, Progress())
    assert not errors_of(check(design, shapes, None, Progress()).findings)
    pieces = pieces_as_polygons(shapes.drawing, shapes.drawing.strokes.flattened(0.001))
    area = shapes.tiling.outline.region.area
    assert shapely.area(pieces).sum() == pytest.approx(area, rel=1e-3)
    assert shapely.area(shapely.union_all(pieces)) == pytest.approx(area, rel=1e-3)
    straight = tiling_of(board(tiling, outline, seed=3))
    if tiling == GRID and outline == RECTANGLE:
        assert {*shapes.tiling.piece_names} == {*straight.piece_names}
        assert shapes.tiling.edge_indices.keys() == straight.edge_indices.keys()
        assert shapes.tiling.corner_indices.keys() == straight.corner_indices.keys()
    else:
        lost = {*straight.piece_names} ^ {*shapes.tiling.piece_names}
        assert len(lost) < 0.25 * len(straight.piece_names)


@pytest.mark.parametrize("flow", BENT)
def test_edits_outlive_a_change_of_the_flow(flow: str) -> None:
    edited = replace(
        board(GRID, RECTANGLE), corners=(CornerEdit("4,3", 0.2, -0.1),), tongues=(TongueEdit("C3-C4", side=1),),
        merged=("E5-F5",),
    )  # fmt: skip
    bent = carry(replace(edited.parameters, flow=flow, flow_strength=1.0), edited, Progress())
    assert not bent.dropped
    weaker = carry(replace(edited.parameters, flow=flow, flow_strength=0.3), bent.design, Progress())
    assert not weaker.dropped
    assert carry(edited.parameters, weaker.design, Progress()).design == edited
    moved = shape(weaker.design, None, Progress())
    before = shape(replace(weaker.design, corners=()), None, Progress())
    again = shape(weaker.design, before, Progress())
    assert np.array_equal(again.drawing.strokes.points, moved.drawing.strokes.points)


def test_a_flow_of_version_1_and_2_bends_alike_and_none_changes_nothing() -> None:
    for (tiling, outline, tricky), known in OF_VERSION_1.items():
        border = "wandering" if tricky else "straight"
        design = board(tiling, outline, layout_version=1, border=border, tricky_border=tricky)
        points = shape(design, None, Progress()).drawing.strokes.points
        assert hashlib.sha256(np.ascontiguousarray(np.round(points, 9) + 0.0).tobytes()).hexdigest()[:16] == known
        assert b"flow" not in dumps(JIGSAW, design)


def test_strokes_are_kept_in_shares_of_the_board() -> None:
    made = with_flow_lines(JigsawDesign(), Progress(), [[(30, 120), (150, 30), (270, 120)]]).design
    assert made.flow_lines == (((0.1, 0.8), (0.5, 0.2), (0.9, 0.8)),)
    assert made.parameters.flow == FLOW_LINES
    assert loads(dumps(JIGSAW, made)).design == made
    larger = carry(replace(made.parameters, width=600.0, columns=24), made, Progress()).design
    assert larger.flow_lines == made.flow_lines
    assert with_flow_lines(made, Progress()).design == JigsawDesign()
    other = with_flow_lines(made, Progress(), [[(30, 30), (150, 120)]]).design
    assert not np.array_equal(tiling_of(made).homes, tiling_of(other).homes)
    again = shape(other, shape(made, None, Progress()), Progress())
    assert np.array_equal(again.drawing.strokes.points, shape(other, None, Progress()).drawing.strokes.points)


@pytest.mark.parametrize(
    ("flow", "lines", "sentence"),
    [
        (FLOW_LINES, (), "Draw flow lines first."),
        (NO_FLOW, (((0.1, 0.1),),), "A flow line needs two places or more."),
        (NO_FLOW, (((0.1, 0.1), (1.2, 0.1)),), "Flow lines must be on the board."),
        (NO_FLOW, (tuple((at / 3000, 0.5) for at in range(3000)),), "Flow lines must have at most 2000 places."),
    ],
)
def test_impossible_strokes_are_refused(flow: str, lines: tuple[Way, ...], sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        JigsawDesign(replace(JigsawParameters(), flow=flow), flow_lines=lines)


def test_no_part_of_a_board_is_crowded() -> None:
    straight = shape(board(GRID, RECTANGLE, perturbation=0.0), None, Progress())
    usual = shapely.area(pieces_as_polygons(straight.drawing, straight.drawing.strokes.flattened(0.01))).mean()
    for flow in BENT:
        shapes = shape(board(GRID, RECTANGLE, perturbation=0.0, flow=flow, flow_strength=1.0), None, Progress())
        ends = shapes.tiling.homes[shapes.tiling.graph.edges]
        graph = shapes.tiling.graph
        for face in range(graph.face_count):
            codes = graph.codes[graph.starts[face] : graph.starts[face + 1]]
            area = shapely.Polygon(ends[codes >> 1, codes & 1]).area
            assert 1 / 2 < area / usual < LARGEST_AREA * 1.1


@pytest.mark.parametrize("flow", BENT)
@pytest.mark.parametrize("tiling", [GRID, "voronoi"])
def test_figures_are_placed_and_moved_among_bent_rows(tiling: str, flow: str) -> None:
    more = {"columns": 16, "rows": 12, "width": 400.0, "height": 300.0, "false_corners": 0.2, "noodles": 0.1}
    bare = shape(board(tiling, RECTANGLE, flow=flow, hidden_border=0.5, **more), None, Progress())
    placed = with_figure(bare.design, Progress(), "heart", 200.0, 150.0, h=60.0).design
    shapes = shape(placed, bare, Progress())
    moved = with_whimsies(placed, [replace(one, pose=replace(one.pose, x=140.0)) for one in placed.whimsies]).design
    for after, before in ((placed, bare), (moved, shapes)):
        anew, again = shape(after, None, Progress()), shape(after, before, Progress())
        assert len(anew.tiling.fillings) == 1
        assert np.array_equal(again.drawing.strokes.points, anew.drawing.strokes.points)
        assert not errors_of(check(after, anew, None, Progress()).findings)
