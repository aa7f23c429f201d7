"""What is printed of a calendar puzzle: closed bodies, labels sunk or raised, pieces that fit the tray with play."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import shapely

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.exporting.writing import SolidOptions, write_solids
from studio.geometry.solids.solid import Mesh, flaw
from studio.puzzles.abilities.printable import Printable
from studio.puzzles.calendar.geometry import CalendarShapes, depth_of, piece_mesh, shape, top_of, tray_mesh
from studio.puzzles.calendar.kind import CALENDAR
from studio.puzzles.calendar.model import Board, CalendarDesign, CalendarParameters, Label, Piece
from studio.puzzles.calendar.solve import solutions
from tests.solids import least_gap, overlap

RELIEF = 0.6

SMALL = CalendarDesign(
    board=Board(("....", ".#..", "...."), (Label("A1", "who", 1, "Zoë"), Label("D3", "who", 2, "8"))),
    pieces=(Piece("ring", ("###", "#.#", "###")), Piece("End/end", ("##",))),
)
DESIGNS = {"article": CalendarDesign(), "weekday": CalendarDesign(CalendarParameters(board="weekday")), "small": SMALL}
every_design = pytest.mark.parametrize("design", DESIGNS.values(), ids=list(DESIGNS))
every_relief = pytest.mark.parametrize("relief", ["sunk", "raised", "plain"])


def shapes(design: CalendarDesign, **parameters: object) -> CalendarShapes:
    return shape(replace(design, parameters=replace(design.parameters, **parameters)), None, Progress())  # type: ignore[arg-type]


@pytest.mark.sampled(3)
@every_design
@every_relief
def test_tray_and_pieces_are_closed_bodies_on_the_bed_side_by_side(design: CalendarDesign, relief: str) -> None:
    made = shapes(design, relief=relief)
    assert [solid.name for solid in made.bed] == ["Tray", *(piece.name for piece in design.set)]
    assert [flaw(solid.mesh) for solid in made.bed] == [""] * len(made.bed)
    boxes = []
    for solid in made.bed:
        low, high = solid.mesh.bounds
        assert low[2] == 0 and (low[:2] > 0).all()
        boxes.append(shapely.box(*low[:2], *high[:2]))
    for number, one in enumerate(boxes):
        assert all(one.distance(other) > 3.9 for other in boxes[:number])


def test_tray_and_pieces_of_a_usual_board_find_a_place_on_a_bed_of_256_mm() -> None:
    boxes = np.array([solid.mesh.bounds for solid in shapes(CalendarDesign()).bed])
    width, depth, _height = boxes[:, 1].max(axis=0) - boxes[:, 0].min(axis=0)
    assert max(width, depth) <= 256


def flat_area(mesh: Mesh, height: float) -> float:
    """The area of the triangles that lie flat at a height, seen from above."""
    at = (np.abs(mesh.vertices[mesh.triangles][:, :, 2] - height) < 1e-6).all(axis=1)
    return float(mesh.facets[at, 2].sum() / 2)


@pytest.mark.sampled(2)
@every_design
def test_labels_take_as_much_from_the_floor_as_their_area_says(design: CalendarDesign) -> None:
    plain, sunk, raised = (shapes(design, relief=relief) for relief in ("plain", "sunk", "raised"))
    meshes = [made.bed[0].mesh for made in (plain, sunk, raised)]
    grooves = flat_area(meshes[1], 2.0 - RELIEF)
    assert grooves > 100 if design is not SMALL else grooves > 20
    assert meshes[0].volume - meshes[1].volume == pytest.approx(RELIEF * grooves, rel=1e-3)
    assert flat_area(meshes[2], 2.0 + RELIEF) == pytest.approx(grooves, rel=1e-3), "the same lines, the other way"
    assert flat_area(meshes[0], 2.0) - flat_area(meshes[1], 2.0) == pytest.approx(grooves, rel=1e-3)
    assert [mesh.bounds[1][2] for mesh in meshes] == pytest.approx([6.0, 6.0, 6.0 + RELIEF])


def test_a_thin_floor_is_never_sunk_through() -> None:
    assert depth_of(CalendarParameters(base=0.8)) == pytest.approx(0.4)
    assert flaw(shapes(SMALL, base=0.8).bed[0].mesh) == ""


def test_the_tray_is_as_large_as_base_and_frame_together() -> None:
    made = shapes(CalendarDesign(), relief="plain", corner=0.0, radius=0.0, notch=False, base=3.0, thickness=5.0)
    areas = made.drawing.piece_areas
    assert made.bed[0].mesh.volume == pytest.approx(3.0 * areas[0] + 5.0 * areas[1])


@pytest.mark.parametrize("corner", [45.0, 80.0, 100.0])
def test_a_tray_that_its_outer_radius_cuts_open_is_refused_in_a_sentence(corner: float) -> None:
    with pytest.raises(StudioError, match="The frame's outer radius cuts into its opening"):
        assert shapes(CalendarDesign(), corner=corner).bed


def test_fillers_stand_on_the_floor_also_within_others() -> None:
    rows = (".......", ".#####.", ".#...#.", ".#.#.#.", ".#...#.", ".#####.", ".......")
    design = CalendarDesign(board=Board(rows), pieces=(Piece("I", ("#",)),))
    made = shapes(design, relief="plain", corner=0.0, radius=0.0, notch=False)
    areas = made.drawing.piece_areas
    assert made.drawing.pieces.names == ("Base", "Frame", "Filler 1", "Filler 2", "I")
    assert made.bed[0].mesh.volume == pytest.approx(2.0 * areas[0] + 4.0 * areas[1:4].sum())
    assert flaw(made.bed[0].mesh) == ""


@pytest.mark.parametrize("chamfer", [0.0, 0.6])
def test_pieces_are_their_drawing_drawn_up_with_the_chamfer_taken_off(chamfer: float) -> None:
    made = shapes(SMALL, chamfer=chamfer, radius=0.0, thickness=4.0)
    areas = made.drawing.piece_areas[-2:]
    for area, solid, around in zip(areas.tolist(), made.bed[1:], ((12 + 4) * 20, 6 * 20), strict=True):
        volume = solid.mesh.volume
        assert solid.mesh.bounds[1][2] == pytest.approx(4.0)
        if not chamfer:
            assert volume == pytest.approx(4.0 * area)
        else:
            # Along each edge, above and below, half a square of the chamfer is missing; corners are rounded.
            assert volume == pytest.approx(4.0 * area - around * chamfer**2, rel=0.001)
            assert flat_area(solid.mesh, 4.0) < area - 0.9 * chamfer * around


QUARTER = np.array([[0.0, -1.0], [1.0, 0.0]])
ROTATIONS = [np.linalg.matrix_power(QUARTER, quarter) for quarter in range(4)]


def lying(made: CalendarShapes, number: int, cells: np.ndarray, floor: float) -> Mesh:
    """A printed piece turned, flipped over if need be, and laid on the cells (n, 2) that it covers."""
    parameters, piece = made.design.parameters, made.design.set[number]
    mesh = piece_mesh(made.tray.pieces[number], parameters)
    wanted = {tuple(cell) for cell in (cells - cells.min(axis=0)).tolist()}
    for flipped in (False, True):
        over = np.diag([-1.0, 1.0, -1.0]) if flipped else np.eye(3)
        for quarter, flat in enumerate(ROTATIONS):
            mask = piece.mask[:, ::-1] if flipped else piece.mask
            mask = np.rot90(mask, quarter)
            if {tuple(cell) for cell in np.argwhere(mask).tolist()} == wanted:
                turn = np.eye(3)
                turn[:2, :2] = flat
                turned = mesh.moved(turn @ over, np.zeros(3))
                low, high = turned.bounds
                row, column = cells.min(axis=0)
                half = parameters.play / 2
                corner = np.array([column * parameters.cell + half, -row * parameters.cell - half, floor])
                return turned.moved(np.eye(3), corner - (low[0], high[1], low[2]))
    raise AssertionError("no way to lay the piece on its cells")


@pytest.mark.sampled(3)
@every_relief
def test_the_pieces_of_a_solution_lie_in_the_tray_with_the_play_between_them(relief: str) -> None:
    made = shapes(CalendarDesign(), relief=relief, play=0.2, chamfer=0.4)
    design, parameters = made.design, made.design.parameters
    open_cells = [label.name for label in design.layout.labels if label.text in ("Oct", "6")]
    (found,) = solutions(design, open_cells, Progress(), most=1).found
    places = np.argwhere(design.layout.mask)
    floor = parameters.base + (depth_of(parameters) if relief == "raised" else 0.0)
    laid = [lying(made, number, places[found == number], floor) for number in range(len(design.set))]
    tray = tray_mesh(design, made.tray)
    for mesh in laid:
        assert mesh.bounds[1][2] == pytest.approx(top_of(parameters)), "level with the frame"
        assert overlap(tray, mesh) == pytest.approx(0, abs=1e-6)
    gaps = []
    for number, one in enumerate(laid):
        for other in laid[:number]:
            assert overlap(one, other) == 0
            gaps.append(least_gap(one, other, 1.0))
    assert min(gaps) == pytest.approx(0.2, abs=1e-4)
    # Raised a little off the floor, all that is near is the wall: a play from the outline, and half of one within it.
    raised = [mesh.moved(np.eye(3), np.array([0.0, 0.0, 0.7])) for mesh in laid]
    assert min(least_gap(tray, mesh, 1.0) for mesh in raised) == pytest.approx(0.3, abs=1e-4)


@pytest.mark.parametrize("radius", [0.0, 0.3, 3.0, 9.0])
@pytest.mark.parametrize("play", [0.0, 0.2])
def test_corners_that_meet_never_press(radius: float, play: float) -> None:
    made = shapes(SMALL, radius=radius, play=play, chamfer=0.4, relief="plain", notch=False)
    tray = tray_mesh(made.design, made.tray)
    ring = np.array([(0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)])
    laid = [lying(made, 0, ring, 2.0), lying(made, 1, np.array([(0, 3), (1, 3)]), 2.0)]
    assert overlap(laid[0], laid[1]) == pytest.approx(0, abs=1e-6)
    assert [overlap(tray, mesh) for mesh in laid] == pytest.approx([0, 0], abs=1e-4)


def test_labels_are_read_from_above() -> None:
    board = Board(("..",), (Label("A1", "day", 1, "L"),))
    made = shapes(CalendarDesign(board=board, pieces=(Piece("I", ("#",)),)), grid=False)
    mesh = made.bed[0].mesh
    at = (np.abs(mesh.vertices[mesh.triangles][:, :, 2] - (2.0 - RELIEF)) < 1e-6).all(axis=1)
    corners, weights = mesh.vertices[mesh.triangles[at]], mesh.facets[at, 2]
    centre = np.average(corners.mean(axis=1), axis=0, weights=weights)
    middle = (corners.reshape(-1, 3).min(axis=0) + corners.reshape(-1, 3).max(axis=0)) / 2
    assert (centre[:2] < middle[:2]).all(), "the corner of an L is at its lower left"


@pytest.mark.parametrize("text", ["__", "Qg", "W_"])
@pytest.mark.parametrize("relief", ["sunk", "raised"])
def test_labels_end_at_the_wall_of_a_rounded_corner(relief: str, text: str) -> None:
    board = Board(("..", ".."), tuple(Label(name, "day", 1, text) for name in ("A1", "A2", "B1", "B2")))
    design = CalendarDesign(board=board, pieces=(Piece("I", ("#",)),))
    lettered, plain = (
        shapes(design, cell=5.0, radius=5.0, play=0.0, notch=False, grid=False, relief=way) for way in (relief, "plain")
    )
    mesh, unlettered = (tray_mesh(made.design, made.tray) for made in (lettered, plain))
    assert flaw(mesh) == ""
    parameters = lettered.design.parameters
    assert flat_area(mesh, top_of(parameters)) == pytest.approx(flat_area(unlettered, top_of(plain.design.parameters)))
    level = parameters.base + (RELIEF if relief == "raised" else -RELIEF)
    assert flat_area(mesh, level) > 2.0
    assert flat_area(mesh, parameters.base) + flat_area(mesh, level) == pytest.approx(flat_area(unlettered, 2.0))


def test_who_prints_is_told_how_it_goes_together() -> None:
    made = shapes(CalendarDesign(), play=0.25)
    assert CALENDAR.need(Printable).gap(made) == 0.25
    assert dict(made.fit) == {
        "Tray": "164 × 164 × 6.0 mm, floor 2 mm",
        "Clearance": "0.25 mm between pieces, 0.38 mm at the frame",
        "Labels": "Engraved 0.6 mm deep, lines 0.7 mm wide",
        "Pieces": "4 mm thick, 0.4 mm chamfer",
    }


@pytest.mark.parametrize("name", ["3mf", "stl"])
def test_files_for_the_printer_are_written_whole_and_read_back(name: str, tmp_path: Path) -> None:
    made = shapes(SMALL)
    (report,) = write_solids(made.bed, tmp_path / f"tray.{name}")
    assert report.parts == 3
    assert report.volume == pytest.approx(sum(solid.mesh.volume for solid in made.bed), rel=1e-5)


def test_a_folder_gets_a_file_for_each_piece_whatever_its_name(tmp_path: Path) -> None:
    pieces = tuple(Piece(name, ("##",)) for name in ("L", "l", "a/b", "..", "?"))
    design = replace(SMALL, pieces=pieces)
    reports = write_solids(shapes(design).bed, tmp_path, SolidOptions(format="stl"), stem="mine")
    names = [report.path.name for report in reports]
    assert names == ["mine-tray.stl", "mine-l.stl", "mine-l-2.stl", "mine-a-b.stl", "mine-part.stl", "mine-part-2.stl"]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names)
