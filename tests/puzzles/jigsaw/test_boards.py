"""Jigsaws of every tiling and outline: whole pieces that fill the board, names that are unique, edits that outlive."""

import math
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import shapely
from hypothesis import example, given, settings
from hypothesis import strategies as st

from studio.base.progress import Progress
from studio.exporting.laser_files import write
from studio.fabricate.plan import Strategy, plan
from studio.fabricate.workshop import Machine
from studio.files.store import dumps, load, loads
from studio.geometry.board.board_spec import FLOW_LINES, FLOWS, FROM_FILE, GRID, OUTLINES, RECTANGLE, RINGS, SEEDED
from studio.geometry.planar.regions import pieces_as_polygons
from studio.puzzles.jigsaw import check_problems
from studio.puzzles.jigsaw.checks import check
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import CornerEdit, JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.model.geometry import shape
from studio.puzzles.jigsaw.model.tiling import carry, tiling_of
from studio.puzzles.jigsaw.remedies import CROSSED
from studio.puzzles.jigsaw.tongues.styles import MIXED, OWN, STYLES, WEIGHTED
from studio.puzzles.jigsaw.tongues.tongues import PLAIN, STRAIGHT
from tests.depth import examples
from tests.tilings import TILINGS

OUTLINE_TOLERANCE = 0.01
FALSE_EDGES = 0.07

EXAMPLES = Path(__file__).resolve().parents[3] / "resources" / "examples"
FORMS = [outline for outline in OUTLINES if outline != FROM_FILE]
LEAST_SHARE = 0.15
"""Of a cell: no piece of a board without crossings is smaller."""
SPECK = 1e-3
"""An area in mm²."""
every_board = pytest.mark.parametrize(("tiling", "outline"), [*product(TILINGS, FORMS)])


def board(tiling: str, outline: str, **more: object) -> JigsawDesign:
    """Return a board of 9 by 7 cells of 25 mm."""
    usual = JigsawParameters(columns=9, rows=7, width=225.0, height=175.0, tiling=tiling, outline=outline)
    return JigsawDesign(replace(usual, **more))  # type: ignore[arg-type]


def faces(lines: list[shapely.LineString]) -> int:
    """Count what some lines enclose; two that touch, by chords within a micrometre, may enclose less than a speck."""
    noded = shapely.unary_union(shapely.set_precision(lines, 1e-5))
    return int((shapely.area(shapely.get_parts(shapely.polygonize(shapely.get_parts(noded)))) > SPECK).sum())


@st.composite
def designs(draw: st.DrawFn) -> JigsawDesign:
    """Draw boards of any tiling, outline and style."""
    tiling, cell = draw(st.sampled_from([*TILINGS])), draw(st.floats(15.0, 40.0))
    least = 3 if tiling == RINGS else 1
    columns, rows = draw(st.integers(least, 11)), draw(st.integers(least, 9))
    width, height = columns * cell, rows * cell * draw(st.floats(0.6, 1.6))
    return board(
        tiling,
        draw(st.sampled_from(FORMS)),
        columns=columns,
        rows=rows,
        width=width,
        height=min(max(height, 0.5 * width), 2 * width) if tiling == RINGS else height,
        sides=draw(st.integers(3, 24)),
        seed=draw(st.integers(0, 10**6)),
        border=draw(st.sampled_from(["straight", "wandering"])),
        tongue_style=draw(st.sampled_from([style.key for style in STYLES] + 3 * [MIXED])),
        **{f"mix_{key}": draw(st.integers(key == "ribbon", 10)) for key in WEIGHTED if key != OWN},
        tongue_size=draw(st.floats(0.12, 0.25)),
        perturbation=draw(st.floats(0.0, 0.2)),
        middle_piece=draw(st.booleans()),
        vary_flanks=draw(st.sampled_from([0.0, 0.1])),
        plain_share=draw(st.sampled_from([0.0, 0.3])),
        figural_share=draw(st.sampled_from([0.0, 0.3])),
        double_share=draw(st.sampled_from([0.0, 0.5])),
        earlet_share=draw(st.sampled_from([0.0, 0.3])),
        tricky_border=draw(st.booleans()),
        false_corners=draw(st.sampled_from([0.0, 0.3])),
        hidden_border=draw(st.sampled_from([0.0, 0.5, 1.0])),
        noodles=draw(st.sampled_from([0.0, 0.25])),
        flow=draw(st.sampled_from([flow for flow in FLOWS if flow != FLOW_LINES])),
    )


# Two pairs of cuts that ran on into each other at one corner left it side by side.
@example(board("triangles", "heart", columns=6, rows=2, width=90.0, height=18.75, seed=0, perturbation=0.0))
@given(designs())
@settings(max_examples=examples(6, 400))
def test_pieces_of_any_board_fill_it_and_have_names_of_their_own(design: JigsawDesign) -> None:
    shapes = shape(design, None, Progress())
    drawing, tiling = shapes.drawing, shapes.tiling
    names = drawing.pieces.names
    assert len({*names}) == len(names) == tiling.graph.face_count
    assert len(tiling.edge_indices) == len(tiling.graph.inner_edges)
    assert len(tiling.corner_indices) == len(tiling.movable)
    data = dumps(JIGSAW, design)
    assert dumps(JIGSAW, loads(data).design) == data
    findings = check(design, shapes, None, Progress()).findings
    # Cuts that touch within the tolerance of the check may cross by less.
    touches = any(found.problem == check_problems.BRIDGE and " 0.00 mm" in found.message for found in findings)
    if touches or {found.problem for found in findings} & {*CROSSED, check_problems.COUNT}:
        return
    fine = drawing.strokes.flattened(0.001)
    lines = [shapely.linestrings(fine[stroke]) for stroke in range(len(fine))]
    assert faces(lines) == len(names)
    pieces = pieces_as_polygons(drawing, fine)
    border = shapely.polygonize([lines[edge] for edge in np.flatnonzero((tiling.graph.sides < 0).any(axis=1))])
    assert shapely.area(pieces).sum() == pytest.approx(border.area, rel=1e-6)
    if design.parameters.border == "straight":
        off = tiling.outline.region.length * OUTLINE_TOLERANCE
        assert border.area == pytest.approx(tiling.outline.region.area, abs=off)
    assert shapely.area(pieces).min() > LEAST_SHARE * float(tiling.scale.prod()) or len(names) == 1


@pytest.mark.parametrize("corner_radius", [0.0, 4.0])
@pytest.mark.parametrize("tiling", [GRID, "bricks", "hexagons"])
def test_corners_of_a_tricky_border_are_shared_by_two_pieces(tiling: str, corner_radius: float) -> None:
    drawing = shape(board(tiling, RECTANGLE, tricky_border=True, corner_radius=corner_radius), None, Progress()).drawing
    pieces = pieces_as_polygons(drawing, drawing.strokes.flattened(0.01))
    assert len(pieces) == tiling_of(board(tiling, RECTANGLE)).graph.face_count
    away = corner_radius * (1 - 0.5**0.5)
    for x, y in product((away, 225 - away), (away, 175 - away)):
        assert (shapely.distance(pieces, shapely.Point(x, y)) < 0.05).sum() == 2


@pytest.mark.sampled(9)
@every_board
def test_false_edges_of_a_tricky_border_are_straight_and_inside(tiling: str, outline: str) -> None:
    design = board(tiling, outline, tricky_border=True)
    shapes = shape(design, None, Progress())
    sides = shapes.tiling.graph.sides
    at_border = {int(each) for each in sides[sides.min(axis=1) < 0].max(axis=1)}
    inside = [edge for edge, pair in enumerate(sides.tolist()) if at_border.isdisjoint(pair)]
    is_false = shapes.tongues[:, PLAIN] == STRAIGHT
    if shapes.eased is not None:
        # A crowded edge may be straight, too.
        is_false[shapes.eased.edges] = False
    false = np.flatnonzero(is_false).tolist()
    bare = int(shapes.tiling.is_bare[inside].sum())
    assert math.ceil(FALSE_EDGES * len(inside)) >= len(false) >= math.ceil(FALSE_EDGES * len(inside)) - bare
    assert false and {*false} <= {*inside}
    for edge in false:
        line = shapely.LineString(shapes.drawing.strokes.flattened(0.001)[edge])
        first, last = (np.array(line.coords[at]) for at in (0, -1))
        assert line.length == pytest.approx(float(np.hypot(*(last - first))), abs=1e-6)
    name = shapes.tiling.edge_name(false[0])
    edited = shape(replace(design, tongues=(TongueEdit(name, plain=False),)), None, Progress())
    assert edited.tongues[false[0], PLAIN] == 0


@pytest.mark.sampled(3)
@every_board
def test_every_board_is_divided_into_about_as_many_pieces_as_its_cells(tiling: str, outline: str) -> None:
    found = tiling_of(board(tiling, outline))
    share = found.outline.region.area / (225.0 * 175.0)
    assert 0.85 * 63 * share < found.graph.face_count < 1.15 * 63 * share


@pytest.mark.sampled(9)
@every_board
def test_a_number_of_pieces_is_nearly_met(tiling: str, outline: str) -> None:
    found = tiling_of(board(tiling, outline, pieces=200, width=300.0, height=250.0))
    assert found.graph.face_count == pytest.approx(200, rel=0.12)


@pytest.mark.parametrize("outline", FORMS)
def test_edits_away_from_the_border_outlive_another_outline(outline: str) -> None:
    design = replace(
        replace(board(GRID, RECTANGLE), parameters=replace(board(GRID, RECTANGLE).parameters, layout_version=1)),
        corners=(CornerEdit("4,4", 0.2, -0.1), CornerEdit("5,3", -0.1, 0.1)),
        tongues=(TongueEdit("D4-E4", size=0.3), TongueEdit("E4-E5", side=-1, slant=0.1)),
    )
    before = shape(design, None, Progress())
    there = carry(replace(design.parameters, outline=outline), design, Progress())
    assert there.dropped == () and there.design.corners == design.corners and there.design.tongues == design.tongues
    after = shape(there.design, None, Progress())
    for name in ("D4-E4", "E4-E5", "D5-E5"):
        one, other = (each.drawing.strokes[each.tiling.edge_indices[name]] for each in (before, after))
        assert one == pytest.approx(other, abs=1e-9)
    back = carry(design.parameters, there.design, Progress())
    assert back.design == design


@pytest.mark.sampled(9)
@every_board
def test_edits_outlive_another_seed_and_size_or_are_named(tiling: str, outline: str) -> None:
    first = board(tiling, outline)
    found = tiling_of(first)
    tongues = tuple(TongueEdit(name, side=1) for name in sorted(found.edge_indices)[::5])
    corners = tuple(CornerEdit(name, 0.05, 0.05) for name in sorted(found.corner_indices)[::5])
    design = replace(first, tongues=tongues, corners=corners)
    for change in ({"seed": 99}, {"width": 300.0, "height": 200.0}, {"tongue_style": "ball"}):
        carried = carry(replace(first.parameters, **change), design, Progress())
        kept = len(carried.design.tongues) + len(carried.design.corners)
        assert kept + len(carried.dropped) == len(tongues) + len(corners)
        known = tiling_of(carried.design)
        assert all(edit.name in known.edge_indices for edit in carried.design.tongues)
        assert all(edit.name in known.corner_indices for edit in carried.design.corners)
        # An arch that is wider for its height is another outline; chance divides other tilings otherwise.
        if not ("seed" in change and tiling in SEEDED) and not ("width" in change and outline == "arch"):
            assert carried.dropped == ()


@pytest.mark.sampled(9)
@every_board
def test_merged_pieces_are_one_and_the_rest_keeps_its_names(tiling: str, outline: str) -> None:
    design = board(tiling, outline)
    found = tiling_of(design)
    inner = [
        edge
        for edge in found.graph.inner_edges.tolist()
        if not found.is_bare[edge] and (found.tracks[found.graph.edges[edge]] == -1).all()
    ]
    cut = found.edge_name(inner[len(inner) // 2])
    merged = tiling_of(design.with_cuts([cut]))
    assert merged.graph.face_count == found.graph.face_count - 1
    assert cut not in merged.edge_indices
    assert len({*found.edge_indices} - {*merged.edge_indices}) <= 4
    assert {*merged.edge_indices} <= {*found.edge_indices}
    assert tiling_of(design.with_cuts([cut]).with_cuts(parted=[cut])) is found


@pytest.mark.sampled(9)
@every_board
def test_every_board_is_planned_without_a_loose_cut_and_read_back(tiling: str, outline: str, tmp_path: Path) -> None:
    shapes = shape(board(tiling, outline), None, Progress())
    planned = plan(shapes.drawing, Machine(), Strategy.RELEASE_AWARE)
    assert planned.loose_cuts == 0
    for suffix in ("svg", "dxf"):
        report = write(planned.drawing, tmp_path / f"board.{suffix}")
        assert report.pieces == shapes.tiling.graph.face_count


def test_a_board_of_any_proportion_can_be_made() -> None:
    for tiling, outline in [*product(TILINGS, FORMS)][:: examples(4, 1)]:
        design = board(tiling, outline, width=5.0, height=10000.0, columns=3, rows=2)
        assert tiling_of(design).graph.face_count >= 1


@pytest.mark.sampled(3)
@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*-[0-9]*.puzzle")), ids=lambda path: path.stem)
def test_samples_have_as_many_pieces_as_their_names_say(path: Path) -> None:
    saved = load(path)
    if isinstance(saved.design, JigsawDesign) and path.stem.rpartition("-")[2].isdigit():
        shapes = shape(saved.design, None, Progress())
        assert len(shapes.drawing.pieces.names) == int(path.stem.rpartition("-")[2])
