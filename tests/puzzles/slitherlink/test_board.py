"""Boards as they are made: holes for pegs, slots for sticks, and clues that keep clear of both."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import shapely

from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.exporting.formats import Options
from studio.exporting.laser_files import write
from studio.fabricate.making import Making, made
from studio.fabricate.workshop import Machine, Material
from studio.geometry.curves.strokes import Floats
from studio.geometry.planar.drawing import Drawing, Operation
from studio.puzzles.slitherlink.generate import generate
from studio.puzzles.slitherlink.geometry import (
    SlitherlinkShapes,
    clue_heights,
    fitted_clues,
    joint,
    shape,
    slot_of,
    slots,
    stick_count,
    stick_widths,
)
from studio.puzzles.slitherlink.model import BOARDS, PEGS, PLAIN, STICKS, SlitherlinkDesign, SlitherlinkParameters

ROUNDING = 1.5

every_grid = pytest.mark.parametrize("grid", ["square", "hexagon", "triangle"])
every_board = pytest.mark.parametrize("board", BOARDS)
FINE = 0.001


def generated(**parameters: object) -> SlitherlinkDesign:
    known = {"columns": 7, "rows": 5, "edge": 22.0, **parameters}
    return generate(SlitherlinkParameters(**known), SILENT)  # type: ignore[arg-type]


def shaped(**parameters: object) -> SlitherlinkShapes:
    return shape(generated(**parameters), None, SILENT)


def polygons(drawing: Drawing) -> list[shapely.Polygon]:
    """The pieces with their holes."""
    lines = drawing.rings(drawing.strokes.flattened(FINE))
    owners = drawing.pieces.ring_owners
    rings: list[list[Floats]] = [[] for _ in drawing.pieces.names]
    for number, owner in enumerate(owners.tolist()):
        rings[owner].append(lines[number])
    return [shapely.Polygon(outline, holes) for outline, *holes in rings]


def marks(drawing: Drawing) -> list[shapely.LineString]:
    return [shapely.LineString(path.points[::3]) for path in drawing.paths() if path.operation is Operation.ENGRAVE]


@every_grid
@every_board
def test_a_board_is_one_sound_piece_with_all_its_marks_on_wood(grid: str, board: str) -> None:
    shapes = shaped(grid=grid, board=board)
    pieces = polygons(shapes.drawing)
    assert all(piece.is_valid and piece.area > 0 for piece in pieces)
    assert shapes.drawing.pieces.names[0] == "Board"
    wood = pieces[0].buffer(-0.3)
    assert all(wood.covers(mark) for mark in marks(shapes.drawing))


@every_grid
def test_every_dot_has_a_hole_as_wide_as_a_peg_and_its_clearance(grid: str) -> None:
    shapes = shaped(grid=grid, board=PEGS, peg=5.0, play=0.2)
    holes = [shapely.Polygon(ring) for ring in polygons(shapes.drawing)[0].interiors]
    assert len(holes) == len(shapes.dots) and len(shapes.drawing.pieces) == 1
    assert [hole.area for hole in holes] == pytest.approx([np.pi * 2.6**2] * len(holes), rel=1e-3)
    middles = np.array([hole.centroid.coords[0] for hole in holes])
    assert np.allclose(middles, shapes.dots, atol=1e-6)


@every_grid
@pytest.mark.parametrize(("thickness", "wall"), [(3.0, 2.0), (1.0, 0.5), (4.0, 3.5), (6.0, 1.0)])
def test_slots_lie_along_every_edge_and_leave_the_wall_between_them(grid: str, thickness: float, wall: float) -> None:
    shapes = shaped(grid=grid, board=STICKS, thickness=thickness, wall=wall, edge=40.0)
    p = shapes.design.parameters
    holes = [shapely.Polygon(ring) for ring in polygons(shapes.drawing)[0].interiors]
    edges = shapely.linestrings(shapes.dots[p.form.edges])
    assert len(holes) == len(edges)
    assert all(edge.dwithin(hole.centroid, 1e-6) for hole, edge in zip(holes, edges, strict=True))
    tree = shapely.STRtree(holes)
    one, other = tree.query(holes, predicate="dwithin", distance=wall + 1e-6)
    nearest = min((holes[a].distance(holes[b]) for a, b in zip(one, other, strict=True) if a != b), default=wall)
    assert nearest >= wall - 1e-6


@every_grid
def test_sticks_in_all_slots_stand_free_of_each_other_and_cannot_fall_through(grid: str) -> None:
    shapes = shaped(grid=grid, board=STICKS)
    p = shapes.design.parameters
    width, tenon = stick_widths(p)
    length, across = slot_of(p)
    assert (length - tenon, across - p.thickness) == pytest.approx((p.play, p.play)) and width >= length + 2
    lines = shapely.linestrings(shapes.dots[p.form.edges])
    ends = (p.edge - width) / 2
    standing = [
        shapely.LineString([line.interpolate(ends), line.interpolate(p.edge - ends)]).buffer(
            p.thickness / 2, cap_style="flat"
        )
        for line in lines
    ]
    one, other = shapely.STRtree(standing).query(standing, predicate="dwithin", distance=0.2)
    assert (one == other).all()


def test_there_is_a_stick_for_every_edge_of_the_loop_and_spares() -> None:
    shapes = shaped(board=STICKS, spares=4)
    line = shapes.design.line
    assert stick_count(shapes.design) == len(line) + 4 == len(shapes.drawing.pieces) - 1
    p = shapes.design.parameters
    width, tenon = stick_widths(p)
    areas = shapes.drawing.piece_areas[1:]
    rounded = 2 * (1 - np.pi / 4) * ROUNDING**2
    assert areas == pytest.approx(width * p.stick + tenon * p.thickness - rounded, abs=0.05)
    tree = shapely.STRtree(polygons(shapes.drawing))
    one, other = tree.query(tree.geometries, predicate="dwithin", distance=1.5)
    assert (one == other).all(), "there is room for the beam between two parts"


@every_grid
@every_board
@pytest.mark.parametrize("edge", [12.0, 22.0, 60.0])
def test_fitted_clues_stay_in_their_cells_and_an_own_height_is_kept(grid: str, board: str, edge: float) -> None:
    p = SlitherlinkParameters(grid=grid, board=board, edge=edge)
    heights = clue_heights(p)
    assert (heights == fitted_clues(p)).all() and 0 < heights.min() <= heights.max() <= 2 * 0.42 * edge
    assert {*clue_heights(replace(p, clue=3.0)).tolist()} == {3.0}


@every_board
def test_a_drawing_is_kept_where_only_the_loop_changed_and_made_again_where_sticks_did(board: str) -> None:
    design = generated(board=board)
    before = shape(design, None, SILENT)
    seen = shape(replace(design, shape=("#" * 7,) * 5), before, SILENT)
    assert seen.drawing is before.drawing
    other = generated(board=board, seed=2)
    kept, fresh = shape(other, before, SILENT).drawing, shape(other, None, SILENT).drawing
    assert np.array_equal(kept.strokes.points, fresh.strokes.points)
    assert kept.pieces.names == fresh.pieces.names


@pytest.mark.sampled(6)
@every_grid
@pytest.mark.parametrize("board", [PEGS, STICKS])
@pytest.mark.parametrize("page", ["board", "bed"])
def test_sheets_are_cut_without_loose_cuts_and_proven_in_files(
    grid: str, board: str, page: str, tmp_path: Path
) -> None:
    drawing = shaped(grid=grid, board=board, columns=5, rows=4).drawing
    sheets = made(drawing, Making(page=page), Machine(), Material()).plans
    for plan in sheets:
        assert plan.loose_cuts == 0
    for suffix in ("svg", "dxf"):
        report = write(sheets[0].drawing, tmp_path / f"a.{suffix}", Options())
        assert report.pieces == report.faces == len(drawing.pieces)


def test_the_joint_is_a_stick_and_its_slot_and_other_boards_have_none() -> None:
    shapes = shaped(board=STICKS, play=0.15)
    found = joint(shapes)
    hole = np.ptp(found.hole, axis=0)
    assert sorted(hole.tolist()) == pytest.approx(sorted(slot_of(shapes.design.parameters)))
    assert shapely.Polygon(found.outline[::3]).covers(shapely.box(*found.room).buffer(0.2))
    for board, why in ((PLAIN, "one piece"), (PEGS, "Pegs")):
        with pytest.raises(StudioError, match=f"{why}.*no fit"):
            joint(shaped(board=board))


def test_slots_follow_their_edges_round_the_board() -> None:
    shapes = shaped(grid="triangle", board=STICKS)
    p = shapes.design.parameters
    corners = slots(p, shapes.dots)
    assert np.allclose(corners.mean(axis=1), shapes.dots[p.form.edges].mean(axis=1))
    x, y = np.moveaxis(corners, 2, 0)
    areas = (x * np.roll(y, -1, axis=1) - np.roll(x, -1, axis=1) * y).sum(axis=1) / 2
    assert areas == pytest.approx(-np.prod(slot_of(p))), "counter-clockwise where y grows downwards"
