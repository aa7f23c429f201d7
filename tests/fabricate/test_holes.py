"""A piece with a hole, such as a frame, is one on its whole way: areas, kerf, sheets, plans, files."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import shapely

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.checks import cut_crossings
from studio.exporting.laser_files import write
from studio.fabricate.contours import Contours
from studio.fabricate.cut_network import Network
from studio.fabricate.kerf import cutouts
from studio.fabricate.making import Making, made
from studio.fabricate.plan import plan
from studio.fabricate.sheets import mirrored, nested_boards, nested_pieces
from studio.fabricate.tabs import labelled
from studio.fabricate.workshop import Bed, Machine, Material
from studio.geometry.curves.strokes import Curves, Floats
from studio.geometry.planar.drawing import Chain, Drawing, Operation, Pieces
from studio.geometry.planar.regions import Picker, pieces_as_polygons, tints

Contour = Callable[..., Floats]


def square(contour: Contour, left: float, top: float, side: float) -> Floats:
    return contour([(left, top), (left + side, top), (left + side, top + side), (left, top + side)])


@pytest.fixture
def framed(contour: Contour) -> Drawing:
    """A frame of 60 mm with a hole of 40 mm, 5 mm from its upper left; in the hole lies a piece of 20 mm."""
    strokes = [square(contour, 10, 10, 60), square(contour, 15, 15, 40)[::-1], square(contour, 20, 25, 20)]
    operations = Operation.BORDER, Operation.INNER, Operation.BORDER
    chains = tuple(Chain(what, np.array([2 * at]), closed=True) for at, what in enumerate(operations))
    line = np.linspace((11.0, 11.0), (14.0, 12.0), 4), np.linspace((22.0, 30.0), (26.0, 31.0), 4)
    marks = tuple(Chain(Operation.ENGRAVE, np.array([2 * at])) for at in (3, 4))
    pieces = Pieces(np.array([0, 2, 4]), np.array([0, 2, 3]), ("frame", "piece"), np.array([1]))
    return Drawing(100.0, 80.0, Curves.from_strokes([*strokes, *line]), (*marks, *chains), pieces)


def test_the_area_of_a_frame_is_without_its_hole(framed: Drawing) -> None:
    assert framed.piece_areas == pytest.approx([60**2 - 40**2, 20**2])
    assert Contours(framed).covered == pytest.approx(60**2 - 40**2 + 20**2)
    lines = framed.strokes.flattened(0.01)
    assert framed.outlines(lines).sweeps == pytest.approx([60**2, 20**2])
    assert framed.rings(lines).sweeps == pytest.approx([60**2, -(40**2), 20**2])
    assert shapely.area(pieces_as_polygons(framed, lines)) == pytest.approx(framed.piece_areas)
    assert tints(framed.pieces, 4).tolist() == tints(framed.pieces.outer, 4).tolist()


def test_a_place_in_the_hole_is_not_on_the_frame(framed: Drawing) -> None:
    picker = Picker(framed)
    places = ((12, 12), (17, 17), (25, 30), (60, 60), (5, 5))
    assert [picker.piece_at(x, y) for x, y in places] == [0, None, 1, 0, None]


def test_some_of_the_pieces_keep_their_holes(framed: Drawing) -> None:
    turned = framed.pieces.chosen(np.array([1, 0]))
    assert (turned.names, turned.codes.tolist()) == (("piece", "frame"), [4, 0, 2])
    assert (turned.starts.tolist(), turned.holes.tolist()) == ([0, 1, 3], [2])
    assert turned.outer.codes.tolist() == [4, 0]


@pytest.mark.parametrize("offset", [0.0, 0.1, -0.3])
def test_the_kerf_moves_a_hole_the_other_way(framed: Drawing, offset: float) -> None:
    cut = cutouts(Contours(framed), offset)
    assert cut.owners.tolist() == [0, 0, 1]
    sides = np.array([60 + 2 * offset, 40 - 2 * offset, 20 + 2 * offset])
    assert cut.rings.flattened(1e-3).sweeps == pytest.approx(sides**2 * (1, -1, 1), rel=1e-9)


def test_a_hole_followed_like_an_outline_is_refused(framed: Drawing) -> None:
    pieces = replace(framed.pieces, codes=framed.pieces.codes ^ np.array([0, 1, 0]))
    with pytest.raises(StudioError, match="Piece frame is inside out"):
        cutouts(Contours(replace(framed, pieces=pieces)), 0.1)


def test_sheets_hold_frame_hole_and_what_is_engraved_on_either_once(framed: Drawing) -> None:
    layout = nested_pieces(cutouts(Contours(framed), 0.1), Bed(90, 70, 2, 1), copies=2)
    assert sum(len(sheet.pieces) for sheet in layout.sheets) == 4
    for sheet in layout.sheets:
        for name, area in zip(sheet.pieces.names, sheet.piece_areas.tolist(), strict=True):
            assert area == pytest.approx(60.2**2 - 39.8**2 if name.startswith("frame") else 20.2**2)
        shapes = pieces_as_polygons(sheet, sheet.strokes.flattened(0.01))
        marks = [path.points[::3] for path in sheet.paths() if path.operation is Operation.ENGRAVE]
        assert len(marks) == len(shapes)
        for shape in shapes:
            assert sum(shape.contains(shapely.LineString(mark)) for mark in marks) == 1
        kinds = [chain.operation for chain in sheet.chains]
        assert kinds == sorted(kinds, key=list(Operation).index), "engraved first, holes before outlines"


def test_an_engraved_line_keeps_its_place_on_the_piece_however_that_is_turned(framed: Drawing) -> None:
    (sheet,) = nested_pieces(cutouts(Contours(framed), 0.0), Bed(150, 100, 2, 1)).sheets
    at = sheet.pieces.names.index("piece")
    corners = sheet.outlines(sheet.strokes.flattened(0.01))[at][:-1]
    marks = [path.points for path in sheet.paths() if path.operation is Operation.ENGRAVE]
    (mark,) = [one for one in marks if shapely.Polygon(corners).contains(shapely.Point(one[0]))]
    # From the corner at which the outline begins, along its first side and along its last.
    along, down = corners[1] - corners[0], corners[3] - corners[0]
    assert (mark[0] - corners[0]) @ along / 20 == pytest.approx(2)
    assert (mark[0] - corners[0]) @ down / 20 == pytest.approx(5)


def test_mirrored_frames_and_whole_ones_on_sheets_are_frames(framed: Drawing) -> None:
    flipped = mirrored(framed)
    assert flipped.piece_areas == pytest.approx(framed.piece_areas)
    (sheet,) = nested_boards(framed, Bed(230, 100, 2, 1), copies=2).sheets
    assert sheet.piece_areas == pytest.approx([*framed.piece_areas] * 2)
    assert sheet.pieces.names == ("frame", "piece", "frame (2)", "piece (2)")


def test_boards_too_large_are_split_with_what_is_engraved_on_each_part(framed: Drawing) -> None:
    layout = nested_boards(framed, Bed(78, 68, 2, 1))
    sheets = {sheet.pieces.names: sheet for sheet in layout.sheets}
    assert set(sheets) == {("frame",), ("piece",)}
    assert sheets["frame",].piece_areas == pytest.approx([60**2 - 40**2])
    for sheet in sheets.values():
        assert [chain.operation for chain in sheet.chains].count(Operation.ENGRAVE) == 1


def test_the_plan_knows_what_lies_in_the_hole(framed: Drawing) -> None:
    network = Network.from_drawing(framed)
    frame, island = network.frame, network.frame + 1
    assert network.region_count == 4
    assert sorted(network.sides[0].tolist()) == [0, frame]
    assert sorted(network.sides[1].tolist()) == [0, island]
    assert sorted(network.sides[2].tolist()) == [1, island], "the piece lies in the hole, not on the frame"
    made_plan = plan(framed, Machine())
    operations = [chain.operation for chain in made_plan.drawing.chains]
    assert operations == sorted(operations, key=list(Operation).index)
    assert (made_plan.freed_by >= 0).all()


def test_files_of_a_frame_are_proven_and_count_its_pieces_but_not_its_waste(framed: Drawing, tmp_path: Path) -> None:
    for name in ("frame.svg", "frame.dxf", "frame.pdf", "frame.png"):
        report = write(framed, tmp_path / name)
        assert (report.faces, report.pieces) == (2, 2)


@pytest.mark.parametrize("missing", [2, 4], ids=["hole", "piece"])
def test_a_frame_whose_hole_or_piece_is_not_cut_is_not_written(framed: Drawing, tmp_path: Path, missing: int) -> None:
    chains = tuple(chain for chain in framed.chains if chain.strokes[0] not in (missing, 6, 8))
    with pytest.raises(StudioError, match="its cuts enclose 1 parts, not the 2 pieces"):
        write(replace(framed, chains=chains), tmp_path / "frame.svg")


def test_the_cuts_of_a_frame_enclose_its_pieces_and_no_waste(framed: Drawing) -> None:
    cut = cut_crossings.cuts(framed.strokes)
    assert cut_crossings.piece_count(framed, cut, Progress()) == 2


def test_a_name_is_engraved_on_the_wood_of_a_frame(framed: Drawing) -> None:
    bare = replace(framed, chains=framed.chains[2:])
    named, left_out = labelled(bare)
    assert left_out == []
    shape = pieces_as_polygons(named, named.strokes.flattened(0.01))[0]
    letters = [path.points[::3] for path in named.paths() if path.operation is Operation.ENGRAVE]
    assert sum(shape.contains(shapely.LineString(letter)) for letter in letters) >= 4


def test_no_name_is_engraved_over_what_a_piece_bears_already(framed: Drawing) -> None:
    half = replace(framed, chains=framed.chains[1:])
    named, left_out = labelled(half)
    frame, piece = pieces_as_polygons(named, named.strokes.flattened(0.01))
    begins = [shapely.Point(path.points[0]) for path in named.paths() if path.operation is Operation.ENGRAVE]
    assert left_out == []
    assert sum(piece.contains(begin) for begin in begins) == 1
    assert sum(frame.contains(begin) for begin in begins) >= 4


def test_engraved_lines_cut_face_down_are_told(framed: Drawing) -> None:
    told = [
        made(framed, Making(mirror=mirror), Machine(), Material(bridge=0.0)).notes for mirror in (False, True)
    ]  # fmt: skip
    assert told[0] == ()
    assert told[1] == ("Engraving is mirrored too and ends up on the back.",)


def test_a_frame_is_made_apart_with_its_kerf(framed: Drawing) -> None:
    making = Making(lines="separate", kerf=0.2, play=0.0)
    found = made(framed, making, Machine(bed_width=120, bed_height=90), Material())
    assert sorted(np.concatenate([one.drawing.piece_areas for one in found.plans]).tolist()) == pytest.approx(
        sorted([60.2**2 - 39.8**2, 20.2**2])
    )


def test_pieces_that_share_no_line_lie_as_drawn_and_the_kerf_is_made_up_for(framed: Drawing) -> None:
    found = made(framed, Making(kerf=0.2), Machine(), Material(bridge=0.5))
    (sheet,) = (each.drawing for each in found.plans)
    assert not framed.shares_lines
    assert (sheet.width, sheet.height) == (100.0, 80.0)
    assert sheet.piece_areas == pytest.approx([60.2**2 - 39.8**2, 20.2**2])
    lines = sheet.strokes.flattened(0.01)
    centres = shapely.get_coordinates(shapely.centroid(pieces_as_polygons(sheet, lines).tolist()[1]))
    assert centres[0] == pytest.approx([30.0, 35.0])
    assert sorted(chain.operation.value for chain in sheet.chains) == sorted(
        chain.operation.value for chain in framed.chains
    )
    (plain,) = (each.drawing for each in made(framed, Making(kerf=0.0), Machine(), Material(bridge=0.5)).plans)
    assert plain.piece_areas == pytest.approx(framed.piece_areas)
