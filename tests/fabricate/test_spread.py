"""Pieces spread apart in their places: how near they come to each other, and that pictures stay with them."""

import io
from collections.abc import Callable
from dataclasses import replace
from functools import reduce

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from studio.base.errors import StudioError
from studio.fabricate.making import IN_PLACE, Making, made
from studio.fabricate.sheets import mirrored
from studio.fabricate.workshop import Machine, Material
from studio.geometry.art import artwork_transform
from studio.geometry.art.artwork import PNG, Picture, Region, turned
from studio.geometry.curves.strokes import Floats
from studio.geometry.planar.drawing import Drawing
from studio.geometry.planar.regions import pieces_as_polygons, spread
from tests.depth import examples
from tests.fabricate.boards import jigsaw as board
from tests.fabricate.boards import squares

Jigsaw = Callable[..., Drawing]
SPREAD = Making(lines="separate", layout=IN_PLACE, kerf=0.15)


def whereabouts(drawing: Drawing, step: int = 4) -> Picture:
    """A picture as large as the board, `step` pixels a mm: red says how far to the right it is, green how far down."""
    columns, rows = round(step * drawing.width), round(step * drawing.height)
    down, across = np.mgrid[0:rows, 0:columns] + 0.5
    pixels = np.stack([250 * across / columns, 250 * down / rows, 128 + 0 * across], 2)
    file = io.BytesIO()
    Image.fromarray(np.rint(pixels).astype(np.uint8)).save(file, "PNG")
    return Picture(file.getvalue(), PNG, (0, 0, drawing.width, drawing.height))


def seen(drawing: Drawing, place: Floats) -> tuple[int, ...]:
    """The colour of the uppermost picture at a place; opacity 0 where there is none."""
    for picture in reversed(drawing.artwork):
        assert isinstance(picture, Picture)
        if picture.clip is not None:
            rings = [shapely.Polygon(ring) for ring in picture.clip.rings]
            if not reduce(shapely.symmetric_difference, rings).contains(shapely.Point(place)):
                continue
        image = picture.decoded().convert("RGBA")
        flat = turned((place - picture.middle)[None], -picture.turn)[0] / picture.box[2:] + 0.5
        column, row = np.floor(flat * image.size).astype(int).tolist()
        if 0 <= column < image.width and 0 <= row < image.height:
            pixel = image.getpixel((column, row))
            assert isinstance(pixel, tuple)
            return pixel
    return 0, 0, 0, 0


def polygons(sheet: Drawing) -> list[shapely.Polygon]:
    """The pieces of a sheet, finely followed."""
    return list(pieces_as_polygons(sheet, sheet.strokes.flattened(0.001)))


@settings(max_examples=examples(6, 120))
@given(
    columns=st.integers(1, 6), rows=st.integers(1, 5), irregular=st.floats(0, 0.4), distance=st.floats(0, 30),
    kerf=st.sampled_from([0.0, 0.15, 0.5]),
)  # fmt: skip
def test_no_two_pieces_are_nearer_than_the_distance(
    columns: int, rows: int, irregular: float, distance: float, kerf: float
) -> None:
    drawing = board(columns, rows, irregular)
    making = replace(SPREAD, spacing=distance, kerf=kerf)
    try:
        (plan,) = made(drawing, making, Machine(), Material()).plans
    except StudioError:
        return  # tongues of an irregular board may cross, which is said
    sheet = plan.drawing
    shapes = polygons(sheet)
    for at, one in enumerate(shapes):
        for other in shapes[at + 1 :]:
            assert one.distance(other) >= distance - 0.003 and one.intersection(other).area < 0.02
    assert sheet.pieces.names == drawing.pieces.names
    grown = [shape.buffer(kerf / 2) for shape in polygons(drawing)]
    assert [shape.area for shape in shapes] == pytest.approx([shape.area for shape in grown], rel=2e-3)
    low, high = np.split(shapely.total_bounds(shapes), 2)
    assert np.abs(low).max() < 0.01 and np.abs(high - (sheet.width, sheet.height)).max() < 0.01


def test_without_kerf_and_distance_pieces_stay_exactly_where_they_are(jigsaw: Jigsaw) -> None:
    drawing = jigsaw(6, 4)
    (plan,) = made(drawing, replace(SPREAD, kerf=0.0, spacing=0.0), Machine(), Material()).plans
    assert (plan.drawing.width, plan.drawing.height) == pytest.approx((drawing.width, drawing.height))
    for here, there in zip(polygons(drawing), polygons(plan.drawing), strict=True):
        assert here.symmetric_difference(there).area < 0.02


def test_neighbours_stay_neighbours(jigsaw: Jigsaw) -> None:
    shapes = np.array(polygons(jigsaw(6, 4)), object)
    middles = shapely.get_coordinates(shapely.centroid(shapes)).reshape(4, 6, 2)
    laid = middles + spread(shapes, 5.0).reshape(4, 6, 2)
    assert (np.diff(laid[:, :, 0], axis=1) > 25).all() and (np.diff(laid[:, :, 1], axis=0) > 25).all()


def test_pieces_in_the_hole_of_another_come_out_of_it() -> None:
    frame = shapely.box(0, 0, 60, 40).difference(shapely.box(5, 5, 55, 35))
    nested = [frame, shapely.box(5, 5, 30, 35), shapely.box(30, 5, 55, 35).difference(shapely.box(40, 10, 50, 20))]
    pieces = np.array([*nested, shapely.box(40, 10, 50, 20)], object)
    laid = [
        shapely.transform(piece, lambda points, shift=shift: points + shift)
        for piece, shift in zip(pieces, spread(pieces, 3.0), strict=True)
    ]
    for at, one in enumerate(laid):
        assert all(one.distance(other) >= 3 - 1e-6 for other in laid[at + 1 :])
        assert all(not shapely.Polygon(one.exterior).intersects(other) for other in laid[at + 1 :])
    assert laid[0].bounds == pytest.approx((0, 0, 60, 40))


@pytest.mark.parametrize("turn", [0.0, 30.0])
def test_the_picture_stays_with_its_pieces(jigsaw: Jigsaw, turn: float) -> None:
    drawing = jigsaw(4, 3)
    picture = replace(whereabouts(drawing), turn=turn)
    drawing = replace(drawing, artwork=(picture,))
    (plan,) = made(drawing, replace(SPREAD, spacing=4.0), Machine(), Material()).plans
    sheet = plan.drawing
    assert turn or len(sheet.artwork) == len(sheet.pieces)
    random = np.random.default_rng(7)
    laid = polygons(sheet)
    for before, after in zip(polygons(drawing), laid, strict=True):
        shift = np.subtract(after.centroid.coords[0], before.centroid.coords[0])
        for _ in range(6):
            place = random.uniform(before.bounds[:2], before.bounds[2:])
            colour, wanted = seen(sheet, place + shift), seen(drawing, place)
            if before.buffer(-0.3).contains(shapely.Point(place)):
                assert np.abs(np.subtract(colour, wanted)).max() <= 2, "each colour is at its place on the piece"
            elif not after.buffer(0.3).contains(shapely.Point(place + shift)):
                inside = any(other.contains(shapely.Point(place + shift)) for other in laid)
                assert inside or colour[3] == 0, "between the pieces there is nothing"


def test_regions_are_shared_out_by_area(jigsaw: Jigsaw) -> None:
    drawing = jigsaw(6, 4)
    ring = np.array([(10.0, 10.0), (140, 10), (140, 90), (10, 90)])
    hole = np.array([(40.0, 40.0), (60, 40), (60, 60), (40, 60)])
    drawing = replace(drawing, artwork=(Region((ring, hole), "#336699"),))
    (plan,) = made(drawing, replace(SPREAD, kerf=0.0, spacing=4.0), Machine(), Material()).plans
    found = 0.0
    for region in plan.drawing.artwork:
        assert isinstance(region, Region) and region.fill == "#336699"
        shape = reduce(shapely.symmetric_difference, [shapely.Polygon(each) for each in region.rings])
        found += shape.area
    assert found == pytest.approx(130 * 80 - 20 * 20, rel=1e-3)


def test_a_sheet_cut_from_the_back_has_its_picture_mirrored() -> None:
    drawing = squares([(0, 0), (390, 0), (0, 390), (390, 390)])
    drawing = replace(drawing, artwork=(whereabouts(drawing, 1),))
    assert seen(drawing, np.array([10.5, 5.5]))[0] < 10
    assert seen(mirrored(drawing), np.array([389.5, 5.5]))[0] < 10
    assert seen(mirrored(mirrored(drawing)), np.array([10.5, 5.5])) == seen(drawing, np.array([10.5, 5.5]))


def test_a_quarter_turn_takes_the_picture_along() -> None:
    drawing = squares([(0, 0), (390, 0)])
    picture = replace(whereabouts(drawing, 1), box=(20.0, 40.0, 200.0, 100.0))
    (quarter,) = artwork_transform.turned((picture,), drawing.height)
    assert isinstance(quarter, Picture) and quarter.turn == 90
    assert (quarter.corners.min(axis=0) == (400 - 40 - 100, 20)).all()
    assert (quarter.corners.max(axis=0) == (400 - 40, 220)).all()
    upper_left = seen(replace(drawing, artwork=(quarter,)), np.array([359.0, 21.0]))
    assert upper_left[0] < 5 and upper_left[1] < 5


def test_boards_on_the_bed_keep_their_pictures(jigsaw: Jigsaw) -> None:
    drawing = jigsaw(6, 4)
    drawing = replace(drawing, artwork=(whereabouts(drawing),))
    (plan,) = made(drawing, Making(page="bed", copies=2), Machine(bed_width=400, bed_height=300), Material()).plans
    assert len(plan.drawing.artwork) == 2
    first = polygons(plan.drawing)[0].centroid.coords[0]
    said = np.array(seen(plan.drawing, np.array(first))[:2]) / 250 * (drawing.width, drawing.height)
    assert np.abs(said - polygons(drawing)[0].centroid.coords[0]).max() < 1


def test_the_parts_of_a_board_too_large_take_their_parts_of_the_picture(jigsaw: Jigsaw) -> None:
    drawing = jigsaw(6, 4)
    drawing = replace(drawing, artwork=(whereabouts(drawing),))
    result = made(drawing, Making(page="bed"), Machine(bed_width=100, bed_height=130), Material())
    before = dict(zip(drawing.pieces.names, polygons(drawing), strict=True))
    assert len(result.plans) > 1
    for plan in result.plans:
        for name, piece in zip(plan.drawing.pieces.names, polygons(plan.drawing), strict=True):
            if piece.area == pytest.approx(before[name].area) and piece.bounds[2] - piece.bounds[0] == pytest.approx(
                before[name].bounds[2] - before[name].bounds[0]
            ):
                colour = seen(plan.drawing, np.array(piece.centroid.coords[0]))
                said = np.array(colour[:2]) / 250 * (drawing.width, drawing.height)
                assert np.abs(said - before[name].centroid.coords[0]).max() < 1


def test_what_does_not_fit_is_said_with_what_would_help(jigsaw: Jigsaw) -> None:
    small = Machine(bed_width=160, bed_height=110)
    with pytest.raises(StudioError, match=r"Spread apart, the pieces need .* Lower the spacing"):
        made(jigsaw(6, 4), replace(SPREAD, page="bed", spacing=20), small, Material())
    drawing = jigsaw(3, 2)
    nested = made(replace(drawing, artwork=(whereabouts(drawing),)), Making(lines="separate"), Machine(), Material())
    assert any("lose their artwork" in note for note in nested.notes)
