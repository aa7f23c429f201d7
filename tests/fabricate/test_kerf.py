"""Outlines move by what is asked, corners stay sharp, and a piece that does not bear it is named."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import shapely

from studio.base.errors import StudioError
from studio.base.progress import Cancelled, Progress
from studio.fabricate.contours import Contours
from studio.fabricate.kerf import Cutouts, cutouts, too_narrow
from studio.geometry.curves.strokes import Curves, Floats, through
from studio.geometry.planar.drawing import Chain, Drawing, Operation
from studio.geometry.planar.regions import Polygons
from tests.depth import THOROUGH

TOLERANCE = 0.01

Contour = Callable[..., Floats]
Lying = Callable[..., Drawing]
SQUARE = [(10, 10), (30, 10), (30, 30), (10, 30)]
DUMBBELL = [(0, 0), (20, 0), (20, 9.7), (40, 9.7), (40, 0), (60, 0), (60, 20), (40, 20), (40, 10.3), (20, 10.3),
            (20, 20), (0, 20)]  # fmt: skip


def areas(cut: Cutouts) -> Floats:
    """The area of every ring, negative for holes."""
    return cut.rings.flattened(1e-4).sweeps


def region(cut: Cutouts, piece: int) -> shapely.Polygon:
    lines = cut.rings.flattened(1e-3)
    outline, *holes = (lines[ring] for ring in np.flatnonzero(cut.owners == piece).tolist())
    return shapely.Polygon(outline, holes)


def dense(drawing: Drawing, piece: int, offset: float) -> shapely.Geometry:
    """The outline that shapely finds for the finest of polylines."""
    outline = drawing.outlines(drawing.strokes.flattened(2e-4))[piece]
    return shapely.boundary(shapely.buffer(shapely.Polygon(outline), offset, join_style="mitre", mitre_limit=3.0))


@pytest.mark.parametrize("offset", [0.075, 0.3, -0.2])
def test_every_area_grows_by_the_perimeter_times_the_offset(jigsaw: Callable[..., Drawing], offset: float) -> None:
    drawing = jigsaw(12, 6)
    lines = drawing.outlines(drawing.strokes.flattened(1e-3))
    cut = cutouts(Contours(drawing), offset)
    assert len(cut.rings) == len(cut) == 72
    assert areas(cut) == pytest.approx(lines.sweeps + lines.lengths * offset, rel=0.001)
    assert areas(cut) - lines.sweeps == pytest.approx(lines.lengths * offset, rel=0.02)


@pytest.mark.parametrize("offset", [0.075, -0.2])
def test_every_area_is_that_of_the_true_outline_to_a_thousandth_of_a_millimetre_along_it(
    jigsaw: Callable[..., Drawing], offset: float
) -> None:
    drawing = jigsaw(6, 5)
    true = [shapely.area(shapely.polygonize([dense(drawing, piece, offset)])) for piece in range(30)]
    perimeters = drawing.outlines(drawing.strokes.flattened(1e-3)).lengths
    assert (np.abs(areas(cutouts(Contours(drawing), offset)) - true) < 0.001 * perimeters).all()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("offset", [0.075, 0.3, -0.2])
def test_every_outline_lies_within_the_tolerance_of_the_true_one_and_leaves_none_of_it_out(
    jigsaw: Callable[..., Drawing], offset: float
) -> None:
    drawing = jigsaw(5, 4) if THOROUGH else jigsaw(3, 3)
    lines = cutouts(Contours(drawing), offset).rings.flattened(1e-4)
    for piece in range(len(drawing.pieces)):
        assert shapely.hausdorff_distance(shapely.LinearRing(lines[piece]), dense(drawing, piece, offset)) <= TOLERANCE


def test_the_exact_area_of_a_polygon_is_met_to_the_last_digits(contour: Contour, lying: Lying) -> None:
    corners = [(10, 10), (40, 10), (55, 30), (30, 26), (5, 40)]
    plain, moved = (cutouts(Contours(lying([contour(corners)])), offset) for offset in (0.0, 0.5))
    # With mitred corners a side of the moved polygon is longer by the offset times what its two angles say.
    area = areas(plain)[0]
    points = np.array(corners, float)
    sides = np.roll(points, -1, axis=0) - points
    headings = np.arctan2(sides[:, 1], sides[:, 0])
    turns = (np.roll(headings, -1) - headings + np.pi) % (2 * np.pi) - np.pi
    expected = area + 0.5 * np.hypot(*sides.T).sum() + 0.25 * np.tan(turns / 2).sum()
    assert areas(moved)[0] == pytest.approx(expected, abs=1e-6)


def test_without_an_offset_the_outlines_are_the_strokes_themselves(jigsaw: Callable[..., Drawing]) -> None:
    drawing = jigsaw(4, 3)
    cut = cutouts(Contours(drawing), 0.0)
    assert (cut.rings.points == drawing.strokes.joined(drawing.pieces.codes, drawing.pieces.starts).points).all()
    assert cut.owners.tolist() == list(range(12)) and cut.names == drawing.pieces.names


def test_a_square_grows_by_the_offset_on_every_side_and_keeps_its_corners(contour: Contour, lying: Lying) -> None:
    cut = cutouts(Contours(lying([contour(SQUARE)])), 0.25)
    assert len(cut.rings.points) == 13
    corners = {tuple(point) for point in cut.rings.points[::3].round(9).tolist()}
    assert corners == {(9.75, 9.75), (30.25, 9.75), (30.25, 30.25), (9.75, 30.25)}


@pytest.mark.parametrize("offset", [0.25, -1.5, 4.0])
def test_a_circle_stays_a_circle_of_a_few_cubics(round_contour: Contour, lying: Lying, offset: float) -> None:
    cut = cutouts(Contours(lying([round_contour(50, 50, 10)])), offset)
    radii = np.hypot(*(cut.rings.flattened(1e-4).points - 50).T)
    assert radii == pytest.approx(np.full(len(radii), 10 + offset), abs=TOLERANCE)
    assert (cut.rings.counts[0] - 1) // 3 <= 12


def test_outlines_are_closed_clockwise_and_of_few_cubics(jigsaw: Callable[..., Drawing]) -> None:
    drawing = jigsaw(12, 6)
    cut = cutouts(Contours(drawing), 0.075)
    assert (cut.rings.points[cut.rings.starts[:-1]] == cut.rings.points[cut.rings.starts[1:] - 1]).all()
    assert (areas(cut) > 0).all()
    drawn = ((drawing.strokes.counts - 1) // 3)[drawing.pieces.codes >> 1].sum()
    assert ((cut.rings.counts - 1) // 3).sum() < 3 * drawn
    assert len(cut.rings.points) < len(drawing.outlines(drawing.strokes.flattened(TOLERANCE)).points) / 3


def test_the_answer_is_the_same_every_time(jigsaw: Callable[..., Drawing]) -> None:
    one, two = (cutouts(Contours(jigsaw(10, 8)), 0.075).rings for _ in range(2))
    assert (one.points == two.points).all() and (one.starts == two.starts).all()


def test_a_piece_within_another_is_a_hole_that_moves_the_other_way(
    contour: Contour, round_contour: Contour, lying: Lying
) -> None:
    drawing = lying([contour(SQUARE), round_contour(20, 20, 5)])
    for offset in (0.0, 0.4):
        cut = cutouts(Contours(drawing), offset)
        assert cut.owners.tolist() == [0, 0, 1]
        expected = [(20 + 2 * offset) ** 2, -np.pi * (5 - offset) ** 2, np.pi * (5 + offset) ** 2]
        assert areas(cut) == pytest.approx(expected, rel=1e-3)


def test_pieces_that_lie_side_by_side_in_another_make_one_hole(contour: Contour, lying: Lying) -> None:
    drawing = lying([contour(SQUARE)])
    inner = Curves.from_strokes([contour(SQUARE), *(np.array(ends, float) for ends in (
        np.linspace((15, 15), (20, 15), 4), np.linspace((20, 15), (20, 25), 4), np.linspace((20, 25), (15, 25), 4),
        np.linspace((15, 25), (15, 15), 4), np.linspace((20, 15), (25, 15), 4), np.linspace((25, 15), (25, 25), 4),
        np.linspace((25, 25), (20, 25), 4)))])  # fmt: skip
    pieces = replace(
        drawing.pieces,
        codes=np.array([0, 2, 4, 6, 8, 10, 12, 14, 5]),
        starts=np.array([0, 1, 5, 9]),
        names=("P1", "P2", "P3"),
    )
    cut = cutouts(Contours(replace(drawing, strokes=inner, pieces=pieces)), 0.5)
    assert cut.owners.tolist() == [0, 0, 1, 2]
    assert areas(cut) == pytest.approx([21 * 21, -9 * 9, 6 * 11, 6 * 11])


def test_pieces_that_touch_at_a_corner_in_another_make_two_holes(contour: Contour, lying: Lying) -> None:
    squares = [contour([(x, x), (x + 5, x), (x + 5, x + 5), (x, x + 5)]) for x in (15.0, 20.0)]
    cut = cutouts(Contours(lying([contour(SQUARE), *squares])), 0.5)
    assert cut.owners.tolist() == [0, 0, 0, 1, 2]
    assert areas(cut) == pytest.approx([21 * 21, -16, -16, 36, 36])


def test_the_wood_of_a_piece_within_another_counts_once(
    contour: Contour, round_contour: Contour, lying: Lying, jigsaw: Callable[..., Drawing]
) -> None:
    assert Contours(lying([contour(SQUARE), round_contour(20, 20, 5)])).covered == pytest.approx(400)
    assert Contours(jigsaw(6, 5)).covered == pytest.approx(150 * 125)


def test_a_drawing_without_pieces_is_refused(lying: Lying, contour: Contour) -> None:
    drawing = lying([contour(SQUARE)])
    nothing = replace(drawing.pieces, codes=np.empty(0, np.int64), starts=np.zeros(1, np.int64), names=())
    with pytest.raises(StudioError, match="no separate pieces"):
        cutouts(Contours(replace(drawing, pieces=nothing)), 0.1)


def test_a_closed_cut_that_bounds_no_piece_is_a_hole_too(
    contour: Contour, round_contour: Contour, lying: Lying
) -> None:
    drawing = lying([contour(SQUARE), round_contour(20, 20, 5)])
    pieces = replace(drawing.pieces, codes=np.array([0]), starts=np.array([0, 1]), names=("P1",))
    cut = cutouts(Contours(replace(drawing, pieces=pieces)), 0.4)
    assert cut.owners.tolist() == [0, 0]
    assert areas(cut)[1] == pytest.approx(-np.pi * 4.6**2, rel=1e-3)


def test_a_piece_that_falls_apart_is_named_with_the_width_of_its_neck(contour: Contour, lying: Lying) -> None:
    drawing = lying([contour(SQUARE), contour([(x + 50, y + 40) for x, y in DUMBBELL])])
    cutouts(Contours(drawing), -0.29)
    with pytest.raises(StudioError, match=r"Piece P2 falls apart when offset inwards by 0.40 mm.* 0.60 mm wide"):
        cutouts(Contours(drawing), -0.4)


def test_a_piece_that_vanishes_is_named(contour: Contour, lying: Lying) -> None:
    drawing = lying([contour([(0, 0), (30, 0), (30, 0.5), (0, 0.5)])])
    with pytest.raises(StudioError, match=r"Piece P1 vanishes when offset inwards by 0.40 mm: .* 0.50 mm wide"):
        cutouts(Contours(drawing), -0.4)


def test_a_hole_that_closes_and_a_bay_that_does_are_named(
    contour: Contour, round_contour: Contour, lying: Lying
) -> None:
    with pytest.raises(StudioError, match=r"A hole in piece P1 closes up .* outwards by 0.40 mm: it is only 0.6\d mm"):
        cutouts(Contours(lying([contour(SQUARE), round_contour(20, 20, 0.3)])), 0.4)
    bay = [(0, 0), (20, 0), (20, 9.7), (10, 9.7), (10, 5), (5, 5), (5, 15), (10, 15), (10, 10.3), (20, 10.3), (20, 20),
           (0, 20)]  # fmt: skip
    with pytest.raises(StudioError, match=r"A socket of piece P1 closes up when .* by 0.40 mm: it is only 0.60"):
        cutouts(Contours(lying([contour(bay)])), 0.4)


def test_open_turned_and_crossed_outlines_are_named(contour: Contour, lying: Lying) -> None:
    good = contour(SQUARE)
    opened = good.copy()
    opened[-1] += (0, 0.3)
    with pytest.raises(StudioError, match=r"The outline of piece P2 is open: it has a gap of 0.30 mm."):
        cutouts(Contours(lying([good, opened + 40])), 0.1)
    with pytest.raises(StudioError, match=r"Piece P2 is inside out."):
        cutouts(Contours(lying([good, good[::-1] + 40])), 0.1)
    bow = contour([(0, 0), (30, 20), (30, 0), (0, 30)])
    with pytest.raises(StudioError, match=r"The outline of piece P1 crosses or touches itself."):
        cutouts(Contours(lying([bow if shapely.LinearRing(bow).is_ccw else bow[::-1]])), 0.1)


def test_a_kerf_wider_than_a_neck_is_told_before_anything_is_cut(
    contour: Contour, lying: Lying, jigsaw: Callable[..., Drawing]
) -> None:
    drawing = lying([contour(SQUARE), contour([(x + 50, y + 40) for x, y in DUMBBELL])])
    assert too_narrow(Contours(drawing), 0.5) == () and too_narrow(Contours(drawing), 0.0) == ()
    (neck,) = too_narrow(Contours(drawing), 0.7)
    assert neck.piece == "P2" and neck.width == pytest.approx(0.6, rel=0.01)
    assert too_narrow(Contours(jigsaw(6, 5)), 0.15) == ()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kerf", [0.3, 0.5, 1.0, 1.5])
def test_a_kerf_so_wide_that_it_swallows_whole_tongues_is_refused_like_one_that_cuts_them_off(
    jigsaw: Callable[..., Drawing], kerf: float
) -> None:
    drawing = jigsaw(4, 3, cell=2.0)
    assert cutouts(Contours(drawing), 0.01).names == drawing.pieces.names
    assert {neck.piece for neck in too_narrow(Contours(drawing), kerf)} >= {
        neck.piece for neck in too_narrow(Contours(drawing), 0.3)
    }
    assert all(0.1 < neck.width < kerf for neck in too_narrow(Contours(drawing), kerf))
    with pytest.raises(StudioError, match="falls apart when offset inwards"):
        cutouts(Contours(drawing), -kerf / 2)
    with pytest.raises(StudioError, match="closes up when offset outwards"):
        cutouts(Contours(drawing), kerf / 2)


def test_progress_only_grows_and_a_cancelled_offset_stops(jigsaw: Callable[..., Drawing]) -> None:
    told: list[float] = []
    cutouts(Contours(jigsaw(12, 10)), 0.075, Progress(lambda share, _: told.append(share)))
    assert told[-1] == 1.0 and all(a <= b for a, b in pairwise(told))
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        cutouts(Contours(jigsaw(3, 2)), 0.075, progress)


def test_a_line_engraved_across_several_pieces_is_parted_where_it_leaves_one(jigsaw: Callable[..., Drawing]) -> None:
    board = jigsaw(4, 3)
    whole = np.array([(5.0, 12.5), (95.0, 12.5), (95.0, 70.0), (140.0, 70.0)])
    short = np.array([(10.0, 40.0), (12.0, 41.0)])
    strokes = Curves.gathered([board.strokes, Curves.from_strokes([through(whole), through(short)])])
    first = 2 * len(board.strokes)
    chains = tuple(Chain(Operation.ENGRAVE, np.array([first + 2 * at])) for at in range(2))
    cut = cutouts(Contours(replace(board, strokes=strokes, chains=(*chains, *board.chains))), 0.1)
    line, total = shapely.linestrings(whole), 0.0
    for piece, lines in enumerate(cut.engraved):
        for path in lines:
            seen = shapely.linestrings(Curves.from_strokes([path.points]).flattened(1e-3)[0])
            assert shapely.buffer(region(cut, piece), 1e-6).contains(seen) and path.operation is Operation.ENGRAVE
            total += seen.length
    on_board = line.intersection(shapely.box(0, 0, board.width, board.height)).length
    assert total == pytest.approx(on_board + float(np.hypot(2, 1)), abs=0.5)
    kept = [path for lines in cut.engraved for path in lines if len(path.points) == 4]
    assert any((path.points == through(short)).all() for path in kept), "what lies on one piece stays as it is"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("wider", [1.1, 1.03, 1.004, 1.0])
def test_a_piece_that_one_kerf_burns_through_is_burnt_through_by_every_wider_one(
    contour: Contour, lying: Lying, wider: float
) -> None:
    """Also knobs whose heads are so little wider than their necks that no offset tried lies between the two."""
    knobs = [
        contour([(0, 0), (20, 0), (20, 10 - n), (25, 10 - n), (25, 10 - h), (25 + 2 * h, 10 - h), (25 + 2 * h, 10 + h),
                 (25, 10 + h), (25, 10 + n), (20, 10 + n), (20, 20), (0, 20)])
        for n, h in ((half, wider * half) for half in (0.05, 0.111, 0.2, 0.33, 0.47))
    ]  # fmt: skip
    drawing = lying([np.add(knob, (0, 30 * at)) for at, knob in enumerate(knobs)])
    burnt: set[str] = set()
    for kerf in np.arange(0.05, 1.6, 0.0701).tolist():
        now = {neck.piece for neck in too_narrow(Contours(drawing), kerf)}
        assert burnt <= now
        burnt = now
    assert burnt == {"P1", "P2", "P3", "P4", "P5"}


def test_usual_outlines_are_not_moved_as_polylines(
    jigsaw: Callable[..., Drawing], monkeypatch: pytest.MonkeyPatch
) -> None:
    buffer, moved = shapely.buffer, []

    def counted(polygons: Polygons, *values: float, **more: float) -> Polygons:
        moved.append(len(polygons))
        return np.asarray(buffer(polygons, *values, **more))

    monkeypatch.setattr(shapely, "buffer", counted)
    cutouts(Contours(jigsaw(12, 6)), 0.075)
    # Once, to prove the outlines.
    assert moved == [72]
    cutouts(Contours(jigsaw(12, 6)), -0.075)
    assert sum(moved) == 144, "inwards once each, and never back"


@pytest.mark.parametrize("angle", [4.0, 9.0, 20.0, 38.0, 60.0])
@pytest.mark.parametrize("kerf", [0.1, 0.3, 1.0])
def test_a_point_that_the_beam_blunts_is_no_neck(contour: Contour, lying: Lying, angle: float, kerf: float) -> None:
    half = np.tan(np.radians(angle / 2)) * 20
    spike = contour([(0, 0), (20, 0), (20, 30 - half), (40, 30), (20, 30 + half), (20, 60), (0, 60)])
    assert too_narrow(Contours(lying([spike])), kerf) == ()
