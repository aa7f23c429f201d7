"""Pieces and boards lie in the free area of an offcut, and what they leave is the sheet of the next job."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import shapely

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.fabricate.contours import Contours
from studio.fabricate.kerf import cutouts
from studio.fabricate.making import Made, Making, made
from studio.fabricate.nesting import REST, SMALL, WIDEST
from studio.fabricate.sheets import SheetLayout, nested_boards, nested_pieces
from studio.fabricate.workshop import Bed, Machine, Material
from studio.files.drawing_import import read_free_area
from studio.geometry.planar.drawing import Drawing
from studio.geometry.planar.regions import FreeArea, Move

Jigsaw = Callable[..., Drawing]
FINE = 0.001
ROUND = 0.03
"""Deviation in mm of the arcs of a margin's polygon."""
AREAS = {
    "an L": shapely.Polygon([(0, 0), (300, 0), (300, 90), (110, 90), (110, 250), (0, 250)]),
    "with a hole": shapely.Polygon(
        [(0, 0), (300, 0), (300, 200), (0, 200)], [shapely.Point(150, 90).buffer(45).exterior.coords]
    ),
    "slanted": shapely.Polygon([(20, 0), (280, 40), (250, 240), (0, 200)]),
    "in two parts": shapely.MultiPolygon([shapely.box(0, 0, 130, 220), shapely.box(135, 0, 300, 150)]),
    "with a narrow slot": shapely.box(0, 0, 260, 220) - shapely.box(100, 0, 100.4, 160),
}


def outlines(sheet: Drawing) -> list[shapely.Polygon]:
    lines = sheet.outlines(sheet.strokes.flattened(FINE))
    return list(shapely.polygons(shapely.linearrings(lines.points, indices=lines.owners)))


def area_of(shape: shapely.Geometry) -> FreeArea:
    return FreeArea.from_shape(shape, (shape.bounds[2], shape.bounds[3]), "offcut.svg")


def in_area(drawing: Drawing, shape: shapely.Geometry, margin: float = 5.0, spacing: float = 2.0) -> SheetLayout:
    area = area_of(shape)
    return nested_pieces(cutouts(Contours(drawing), 0.075), Bed(area.width, area.height, margin, spacing, area=area))


@pytest.mark.parametrize("margin", [0.0, 5.0])
@pytest.mark.parametrize("name", AREAS)
def test_every_piece_lies_in_the_free_area_and_apart(jigsaw: Jigsaw, name: str, margin: float) -> None:
    (sheet,) = in_area(jigsaw(7, 4), AREAS[name], margin).sheets
    pieces = outlines(sheet)
    assert len(pieces) == 28
    room = AREAS[name].buffer(-margin + ROUND)
    assert all(room.contains(piece) for piece in pieces)
    apart = min(one.distance(two) for at, one in enumerate(pieces) for two in pieces[:at])
    assert apart > 2.0 - ROUND


def test_pieces_pass_a_used_part_on_either_side(jigsaw: Jigsaw) -> None:
    (sheet,) = in_area(jigsaw(7, 4), AREAS["with a hole"]).sheets
    middles = np.array([piece.centroid.coords[0] for piece in outlines(sheet)])
    beside = middles[(middles[:, 1] > 60) & (middles[:, 1] < 120)]
    assert (beside[:, 0] < 105).any() and (beside[:, 0] > 195).any()


def test_an_area_that_is_too_small_is_refused_with_what_it_lacks(jigsaw: Jigsaw) -> None:
    with pytest.raises(StudioError, match=r"Only [0-9]+ of 28 pieces fit offcut\.svg; [0-9]+ cm² of pieces are left"):
        in_area(jigsaw(7, 4), shapely.box(0, 0, 120, 100))
    with pytest.raises(StudioError, match=r"A margin of 5 mm leaves no room in offcut\.svg\."):
        in_area(jigsaw(7, 4), shapely.box(0, 0, 100, 100) - shapely.box(7, 7, 93, 93))


def test_a_whole_board_is_turned_into_the_free_area(jigsaw: Jigsaw) -> None:
    board, shape = (
        jigsaw(6, 3),
        shapely.Polygon([(0, 0), (90, 0), (90, 60), (200, 60), (200, 95), (90, 95), (90, 170), (0, 170)]),
    )
    area = area_of(shape)
    (sheet,) = nested_boards(board, Bed(area.width, area.height, 5.0, 2.0, area=area)).sheets
    whole = shapely.union_all(outlines(sheet))
    assert shape.buffer(-5 + ROUND).contains(whole)
    assert whole.area == pytest.approx(6 * 3 * 625, rel=1e-3)
    assert whole.bounds[3] - whole.bounds[1] == pytest.approx(150, abs=0.1)
    with pytest.raises(
        StudioError, match=r"The board \(200\.0 × 200\.0 mm\) does not fit offcut\.svg in any orientation"
    ):
        nested_boards(jigsaw(8, 8), Bed(area.width, area.height, 5.0, 2.0, area=area))


def made_of(drawing: Drawing, **values: object) -> Made:
    return made(drawing, Making(**values), Machine(bed_width=300, bed_height=300), Material())  # type: ignore[arg-type]


def test_what_a_sheet_leaves_is_the_sheet_of_the_next_job(jigsaw: Jigsaw, tmp_path: Path) -> None:
    first = made_of(jigsaw(6, 4), lines="separate")
    (left,) = first.rests()
    path = tmp_path / "rest.svg"
    path.write_bytes(left.svg)
    again = read_free_area(path, Progress())
    assert again.shape.symmetric_difference(left.shape).area < 1.0
    second = made_of(jigsaw(5, 5), lines="separate", area=again)
    used, new = (shapely.union_all(outlines(each.sheets[0])) for each in (first, second))
    assert used.distance(new) > 4.9
    (rest,) = second.rests()
    assert rest.shape.area < left.shape.area - new.area
    assert rest.shape.distance(new) > 0 and left.shape.buffer(ROUND).contains(rest.shape)
    third = made_of(jigsaw(2, 2), page="bed", area=rest)
    assert shapely.union_all(outlines(third.sheets[0])).distance(shapely.union_all([used, new])) > 4.9


def test_sheets_cut_from_the_back_lie_in_the_area_as_its_file_draws_it(jigsaw: Jigsaw) -> None:
    shape = AREAS["an L"]
    (sheet,) = made_of(jigsaw(7, 4), lines="separate", mirror=True, area=area_of(shape)).sheets
    assert all(shape.buffer(-5 + ROUND).contains(piece) for piece in outlines(sheet))


def test_a_trimmed_sheet_leaves_nothing(jigsaw: Jigsaw) -> None:
    with pytest.raises(StudioError, match="choose the machine bed"):
        made_of(jigsaw(3, 2)).rests()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('<path d="M0,0 L100,0"/>', "no closed path"),
        ("", "Cannot import"),
        ('<path d="M0,0 L100,0 L200,0 Z"/>', "Cannot use area.svg"),
    ],
)
def test_a_file_without_an_area_is_refused_by_name(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "area.svg"
    path.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="300mm" height="300mm" viewBox="0 0 300 300">{text}</svg>'
    )
    with pytest.raises(StudioError, match=said):
        read_free_area(path, Progress())


# The block of the last sheet


def largest_rest(sheet: Drawing, step: float = 2.0) -> float:
    """Area in cm² of the largest free rectangle, looked for plainly on squares."""
    used = shapely.union_all(outlines(sheet)).buffer(2.0)
    columns, rows = int((sheet.width - 10) / step), int((sheet.height - 10) / step)
    x, y = np.meshgrid(5 + (np.arange(columns) + 0.5) * step, 5 + (np.arange(rows) + 0.5) * step)
    total = np.pad(np.cumsum(np.cumsum(shapely.contains_xy(used, x, y), axis=0), axis=1), ((1, 0), (1, 0)))
    best = 0
    for top in range(rows):
        for bottom in range(rows, top, -1):
            if (bottom - top) * columns <= best:
                break
            full = np.diff(total[bottom] - total[top]) > 0
            ends = np.flatnonzero(np.concatenate([[True], full, [True]]))
            best = max(best, int((np.diff(ends) - 1).max()) * (bottom - top))
    return best * step**2 / 100


def test_the_block_leaves_more_than_the_whole_width_would(jigsaw: Jigsaw) -> None:
    cut, bed = cutouts(Contours(jigsaw(8, 6)), 0.075), Bed(600, 400, 5.0, 2.0)
    sheets = {block: nested_pieces(cut, bed, block=block).sheets[0] for block in (WIDEST, REST, SMALL)}
    boxes = {block: shapely.union_all(outlines(sheet)).envelope.area for block, sheet in sheets.items()}
    assert largest_rest(sheets[REST]) > 1.02 * largest_rest(sheets[WIDEST])
    assert boxes[SMALL] < 0.93 * boxes[WIDEST]
    assert all(sorted(sheet.pieces.names) == sorted(cut.names) for sheet in sheets.values())


# Parts moved by hand


def test_a_part_moved_by_hand_takes_its_place_and_no_other_does(jigsaw: Jigsaw) -> None:
    board = jigsaw(4, 3)
    before = made_of(board, lines="separate")
    name = before.sheets[0].pieces.names[0]
    after = made_of(board, lines="separate", moves=(Move(name, 1, 150.0, 170.0),))
    one, two = (
        dict(zip(each.sheets[0].pieces.names, outlines(each.sheets[0]), strict=True)) for each in (before, after)
    )
    left, top, right, bottom = one[name].bounds
    middle = (left + right) / 2, (top + bottom) / 2
    turned = shapely.affinity.translate(shapely.affinity.rotate(one[name], 90, middle), 150.0, 170.0)
    assert two[name].symmetric_difference(turned).area < 0.3
    assert all(one[key].symmetric_difference(two[key]).area < 1e-6 for key in one if key != name)
    assert after.misplaced == ()
    assert sum(plan.cut for plan in after.plans) == pytest.approx(before.cut)


def test_parts_on_each_other_or_off_the_sheet_are_named(jigsaw: Jigsaw) -> None:
    board = jigsaw(4, 3)
    sheet = made_of(board, lines="separate").sheets[0]
    pieces = dict(zip(sheet.pieces.names, outlines(sheet), strict=True))
    (one, here), (two, there) = list(pieces.items())[:2]
    over = Move(one, 0, there.centroid.x - here.centroid.x, there.centroid.y - here.centroid.y)
    assert {one, two} <= {*made_of(board, lines="separate", moves=(over,)).misplaced}
    assert made_of(board, lines="separate", moves=(Move(one, 0, -100.0, 0.0),)).misplaced == (one,)


def test_boards_are_moved_whole(jigsaw: Jigsaw) -> None:
    board = jigsaw(4, 3)
    before = made_of(board, page="bed", copies=2)
    names = before.sheets[0].pieces.names
    copy = next(name for name in names if name.endswith("(2)"))
    after = made_of(board, page="bed", copies=2, moves=(Move(copy, 0, 3.0, 150.0),))
    for name, one, two in zip(names, outlines(before.sheets[0]), outlines(after.sheets[0]), strict=True):
        shift = (3.0, 150.0) if name.endswith("(2)") else (0.0, 0.0)
        assert np.subtract(two.bounds, one.bounds) == pytest.approx([*shift, *shift], abs=1e-6)
    assert after.misplaced == ()


def test_boards_share_the_sheets_of_one_job(jigsaw: Jigsaw) -> None:
    one, two = jigsaw(4, 3), jigsaw(3, 3)
    machine, material = Machine(bed_width=300, bed_height=300), Material()
    for lines in ("shared", "separate"):
        found = made(one, Making(lines=lines, page="bed", copies=2), machine, material, more=(two, two))
        assert len(found.sheets) == 1
        assert len({*found.sheets[0].pieces.names}) == 2 * (12 + 9 + 9)
    with pytest.raises(StudioError, match="choose the machine bed"):
        made(one, Making(), machine, material, more=(replace(two),))
