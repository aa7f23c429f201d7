"""A jigsaw on any tiling: traced, drawn, checked, planned, exported and read back with the right number of pieces."""

from dataclasses import replace
from pathlib import Path

import ezdxf
import numpy as np
import pytest
import shapely
from ezdxf.path import make_path

from studio.base.progress import Progress
from studio.checks.finding import Severity
from studio.exporting.laser_files import write
from studio.fabricate.plan import Strategy, plan
from studio.fabricate.workshop import Machine
from studio.geometry.board.tiling import Tiling
from studio.geometry.board.tiling_construction import tiled
from studio.geometry.curves.strokes import Curves
from studio.geometry.planar.regions import pieces_as_polygons
from studio.puzzles.jigsaw import check_problems
from studio.puzzles.jigsaw.checks import check
from studio.puzzles.jigsaw.model import edits
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import shape, shaped
from tests.depth import examples
from tests.geometry.nets import circle, disc, grid, hexagons, joined, polygon, ring_of, scaled

DESIGN = JigsawDesign(
    JigsawParameters(perturbation=0.08, tongue_size=0.2, least_neck=0.5, least_bridge=0.5, least_area=5.0)
)
WAVY = JigsawDesign(
    JigsawParameters(perturbation=0.1, tongue_size=0.2, border="wandering", least_neck=0.5, least_bridge=0.5,
        least_area=5.0)
)  # fmt: skip
RIBBON = JigsawDesign(replace(DESIGN.parameters, tongue_style="ribbon", tongue_size=0.27))


def island() -> Tiling:
    """Squares, and a figure inside one of them."""
    return tiled(*joined(scaled(grid(4, 3), 30, 0, 0), polygon(9, 6, (45, 45))))


def figure() -> Tiling:
    """Squares, and a figure across the line between two of them, which meet above it and below it."""
    corners, edges = joined(scaled(grid(2, 2), 50, 0, 0), polygon(14, 8, (50, 25)))
    middle = [at for at, ends in enumerate(edges.tolist()) if set(ends) == {1, 4}]
    return tiled(corners, np.concatenate([np.delete(edges, middle, axis=0), [(1, 9 + 6), (9 + 2, 4)]]))


def three() -> Tiling:
    """Squares, a disc and hexagons side by side."""
    sectors, (rim,) = disc(40, 2, 6)
    combs = scaled(hexagons(3, 2), 14, 15, 150)
    boards = joined(scaled(grid(3, 3), 30, 0, 0), (sectors[0] + [110, 5], sectors[1]), combs)
    bare = tiled(*combs)
    rings = [ring_of([(0, 0), (90, 0), (90, 90), (0, 90)]), rim + np.array([110.0, 5.0]), bare.outline.rings[0]]
    return tiled(*boards, rings=rings)


def ring() -> Tiling:
    """A round board with a round hole in its middle, where a piece of its own lies."""
    (corners, edges), (rim,) = disc(70, 3, 10)
    spokes = [at for at, ends in enumerate(edges.tolist()) if 0 in ends]
    net = joined((corners, np.delete(edges, spokes, axis=0)), polygon(12, 12, (70, 70)))
    used, inverse = np.unique(net[1], return_inverse=True)
    rings = [rim, circle(70 / 3, (70, 70))[::-1], circle(12, (70, 70))]
    return tiled(net[0][used], inverse.reshape(-1, 2), rings=rings, voids=[(70.0, 90.0)])


BOARDS = {
    "an island": (island, 13),
    "a figure": (figure, 5),
    "three boards": (three, 9 + 12 + 6),
    "a ring": (ring, 21),
    "squares round a hole": (lambda: tiled(*scaled(grid(4, 3), 30, 0, 0), voids=[(45.0, 45.0)]), 11),
    "a disc": (lambda: tiled(*disc(60, 3, 8)[0], rings=disc(60, 3, 8)[1]), 24),
}
boards = pytest.mark.parametrize("name", BOARDS)
designs = pytest.mark.parametrize("design", [DESIGN, WAVY, RIBBON], ids=["straight", "wavy", "ribbon"])
unwavy = pytest.mark.parametrize("design", [DESIGN, RIBBON], ids=["straight", "ribbon"])


def faces(lines: list[shapely.LineString]) -> int:
    """Count what some lines enclose, holes of the board included."""
    noded = shapely.unary_union(shapely.set_precision(lines, 1e-4))
    return len(shapely.get_parts(shapely.polygonize(shapely.get_parts(noded))))


@pytest.mark.sampled(3)
@boards
@designs
def test_pieces_fill_the_outline_and_nothing_is_wrong_with_them(name: str, design: JigsawDesign) -> None:
    make, count = BOARDS[name]
    tiling = make()
    shapes = shaped(design, tiling)
    assert len(shapes.drawing.pieces) == count == len({*shapes.drawing.pieces.names})
    found = check(design, shapes, None, Progress()).findings
    assert [one.message for one in found if one.severity is Severity.ERROR] == []
    assert check_problems.COUNT not in {one.problem for one in found}
    whole = shapely.union_all(pieces_as_polygons(shapes.drawing, shapes.drawing.polylines))
    total = shapes.drawing.piece_areas.sum()
    assert whole.area == pytest.approx(total, rel=1e-6)
    if design is not WAVY:
        # The border runs along the outline, within the polygons by which both are measured.
        assert total == pytest.approx(tiling.outline.region.area, rel=1e-3)
    else:
        assert 0.9 * tiling.outline.region.area < total < tiling.outline.region.area


@boards
def test_a_board_is_planned_without_a_loose_cut_and_every_line_is_cut_once(name: str) -> None:
    drawing = shaped(DESIGN, BOARDS[name][0]()).drawing
    strokes = sorted(code >> 1 for chain in drawing.chains for code in chain.strokes.tolist())
    assert strokes == [*range(len(drawing.strokes))]
    planned = plan(drawing, Machine(), Strategy.RELEASE_AWARE)
    assert planned.loose_cuts == 0


@pytest.mark.sampled(3)
@boards
@pytest.mark.parametrize("suffix", ["svg", "dxf", "pdf"])
def test_a_file_holds_as_many_pieces_as_the_board(name: str, suffix: str, tmp_path: Path) -> None:
    make, count = BOARDS[name]
    drawing = plan(shaped(WAVY, make()).drawing, Machine()).drawing
    report = write(drawing, tmp_path / f"board.{suffix}")
    assert report.pieces == count
    if suffix == "dxf":
        entities = ezdxf.readfile(tmp_path / "board.dxf").modelspace()  # type: ignore[attr-defined]
        lines = [shapely.linestrings([(p.x, p.y) for p in make_path(one).flattening(0.001)]) for one in entities]
        assert faces(lines) == count + (name in ("a ring", "squares round a hole"))


@pytest.mark.sampled(4)
@boards
@unwavy
def test_a_corner_that_is_dragged_changes_only_its_own_cuts_and_stays_on_its_track(
    name: str, design: JigsawDesign
) -> None:
    shapes = shaped(design, BOARDS[name][0]())
    rng = np.random.default_rng(5)
    for corner in rng.choice(shapes.tiling.movable, examples(3, 6)).tolist():
        wanted = shapes.corners[corner] + rng.uniform(-3, 3, 2)
        other = edits.with_corners_at(shapes, {corner: wanted})
        moved = shape(other, shapes, Progress())
        again = shaped(other, shapes.tiling)
        assert np.array_equal(moved.drawing.strokes.points, again.drawing.strokes.points)
        changed = moved.drawing.strokes.changed_since(shapes.drawing.strokes)
        assert {*changed.tolist()} <= {*shapes.tiling.graph.edges_at(np.array([corner])).tolist()}
        track = int(shapes.tiling.tracks[corner])
        if track >= 0:
            reached = moved.corners[corner]
            nearest = shapes.tiling.outline.stretches[track].nearest(wanted[None])[0]
            assert np.hypot(*(reached - nearest)) < 0.02 * shapes.tiling.scale.max() + 0.01
        assert edits.with_reset(moved, [corner]) == design
        findings = check(other, moved, check(design, shapes, None, Progress()), Progress()).findings
        # How many pieces crossed cuts leave is counted by a check of the whole alone.
        whole = [
            one for one in check(other, again, None, Progress()).findings if one.problem is not check_problems.COUNT
        ]
        assert [one for one in findings if one.problem is not check_problems.COUNT] == whole


@boards
def test_a_place_is_found_in_its_piece(name: str) -> None:
    shapes = shaped(DESIGN, BOARDS[name][0]())
    found = [shapes.picker.piece_at(x, y) for x, y, _radius in shapes.tiling.incentres.tolist()]
    assert found == [*range(len(found))]


def test_smooth_joints_run_on_without_a_bend_at_every_joint_of_a_disc() -> None:
    shapes = shaped(DESIGN, BOARDS["a disc"][0]())
    tiling, strokes = shapes.tiling, shapes.drawing.strokes
    for joint in range(len(tiling.joints.keys)):
        ways = []
        for edge, end in np.argwhere(tiling.joints.at == joint).tolist():
            points = strokes[edge] if end == 0 else strokes[edge][::-1]
            ways.append((points[1] - points[0]) / np.hypot(*(points[1] - points[0])))
        assert len(ways) == 2 and ways[0] @ ways[1] == pytest.approx(-1, abs=1e-6)


def test_no_two_pieces_of_a_board_overlap() -> None:
    drawing = shaped(WAVY, figure()).drawing
    pieces = pieces_as_polygons(drawing, drawing.strokes.flattened(0.001))
    one, other = np.triu_indices(len(pieces), 1)
    assert shapely.area(shapely.intersection(pieces[one], pieces[other])).max() < 1e-6
    assert isinstance(drawing.strokes, Curves)
