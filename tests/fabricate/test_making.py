"""From a drawing to its sheets: what is shared and what lies apart, what is refused, and what makers are told."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import shapely

from studio.base.errors import StudioError
from studio.exporting.laser_files import write_all
from studio.fabricate.making import Making, made
from studio.fabricate.plan import Strategy
from studio.fabricate.tabs import labelled, numbers_of
from studio.fabricate.workshop import Machine, Material
from studio.geometry.curves.strokes import Curves, through
from studio.geometry.planar.drawing import Chain, Drawing, Operation, Pieces

Jigsaw = Callable[..., Drawing]
SEPARATE = Making(lines="separate", kerf=0.15)


def outlines(sheet: Drawing) -> list[shapely.Polygon]:
    """The pieces of a sheet."""
    lines = sheet.outlines(sheet.strokes.flattened(0.001))
    return [shapely.Polygon(lines[piece]) for piece in range(len(sheet.pieces))]


def test_shared_lines_on_a_page_of_their_own_are_the_drawing_itself(jigsaw: Jigsaw) -> None:
    drawing = jigsaw(12, 6)
    result = made(drawing, Making(), Machine(), Material())
    (plan,) = result.plans
    assert plan.drawing.strokes is drawing.strokes and plan.drawing.pieces is drawing.pieces
    assert plan.strategy is Strategy.SNAKE
    assert result.cut == pytest.approx(drawing.cut_length)
    assert list(result.use) == pytest.approx([1.0])


def test_a_board_of_one_piece_is_cut_as_large_as_drawn_from_a_sheet_with_room_for_the_kerf(jigsaw: Jigsaw) -> None:
    drawing = jigsaw(1, 1)
    (plan,) = made(drawing, Making(kerf=0.3), Machine(), Material()).plans
    sheet = plan.drawing
    assert (sheet.width, sheet.height) == pytest.approx((drawing.width + 0.3, drawing.height + 0.3))
    assert outlines(sheet)[0].area == pytest.approx((drawing.width + 0.3) * (drawing.height + 0.3), rel=1e-4)
    points = sheet.strokes.flattened(0.01).points
    assert points.min() >= 0 and (points <= (sheet.width, sheet.height)).all()


def test_separate_pieces_are_larger_by_half_the_kerf_all_round_and_lie_apart_on_the_bed(jigsaw: Jigsaw) -> None:
    drawing = jigsaw(12, 6)
    result = made(drawing, SEPARATE, Machine(bed_width=300, bed_height=200), Material())
    assert len(result.plans) > 1
    drawn = dict(zip(drawing.pieces.names, outlines(drawing), strict=True))
    found: dict[str, shapely.Polygon] = {}
    for plan in result.plans:
        shapes = outlines(plan.drawing)
        found |= dict(zip(plan.drawing.pieces.names, shapes, strict=True))
        assert plan.strategy is Strategy.SINGLY
        assert shapely.box(0, 0, 300, 200).contains(shapely.union_all(shapes))
        pairs = shapely.STRtree(shapes).query(shapes, predicate="intersects")
        assert (pairs[0] == pairs[1]).all(), "no piece overlaps another"
    assert set(found) == set(drawn)
    for name, shape in drawn.items():
        assert found[name].area == pytest.approx(shape.area + shape.length * 0.075, rel=0.01)
        assert found[name].area > shape.area


def test_play_takes_from_the_kerf(jigsaw: Jigsaw) -> None:
    drawing = jigsaw(4, 3)
    exact = made(drawing, Making(lines="separate", kerf=0.2, play=0.2), Machine(), Material()).plans[0].drawing
    assert float(exact.piece_areas.sum()) == pytest.approx(float(drawing.piece_areas.sum()), rel=1e-9)


def test_copies_share_sheets_and_the_largest_board_is_split_and_told(jigsaw: Jigsaw) -> None:
    four = made(jigsaw(4, 4), Making(page="bed", copies=4), Machine(bed_width=230, bed_height=230), Material())
    assert [len(plan.drawing.pieces) for plan in four.plans] == [64]
    split = made(jigsaw(12, 6), Making(page="bed"), Machine(bed_width=170, bed_height=170), Material())
    assert sum(len(plan.drawing.pieces) for plan in split.plans) == 72 and len(split.plans) > 1
    assert len(split.notes) == 1 and f"{len(split.plans)} parts" in split.notes[0]


def test_copies_without_a_sheet_to_lie_on_are_refused(jigsaw: Jigsaw) -> None:
    with pytest.raises(StudioError, match=r"To cut several copies"):
        made(jigsaw(4, 3), Making(copies=2), Machine(), Material())


def test_pieces_too_small_for_their_names_are_told(jigsaw: Jigsaw) -> None:
    tiny = made(jigsaw(3, 3, 2.0), Making(labels=True, kerf=0.0), Machine(), Material(bridge=0.0))
    assert tiny.notes == ("No room for a 1 mm label on pieces A1, B1, C1 and 6 more.",)
    assert not any(chain.operation is Operation.ENGRAVE for chain in tiny.plans[0].drawing.chains)
    assert made(jigsaw(3, 2), Making(labels=True), Machine(), Material()).notes == ()


def test_a_kerf_that_burns_a_neck_through_is_refused_and_one_that_leaves_little_is_told(jigsaw: Jigsaw) -> None:
    small = jigsaw(12, 6, 8.0)
    with pytest.raises(
        StudioError,
        match=r"^A kerf of 2 mm burns through pieces? ([A-L][1-6]).*; the neck of \1 is only [01]\.\d\d mm wide\.$",
    ):
        made(small, Making(kerf=2.0), Machine(), Material())
    told = made(small, Making(kerf=0.1), Machine(), Material(bridge=1.5)).notes
    assert len(told) == 1 and "(minimum 1.5 mm)" in told[0]
    assert made(small, Making(kerf=0.1), Machine(), Material(bridge=0.1)).notes == ()


def test_a_strategy_that_does_not_suit_is_refused_and_not_exchanged(jigsaw: Jigsaw) -> None:
    with pytest.raises(
        StudioError, match=r"Zigzag needs rows and columns.* Possible here: .*Piece by piece and Drawing order"
    ):
        made(jigsaw(4, 3), Making(lines="separate", strategy="snake"), Machine(), Material())
    chosen = made(jigsaw(4, 3), Making(strategy="low-sag"), Machine(), Material())
    assert chosen.plans[0].strategy is Strategy.LOW_SAG


def test_names_are_engraved_once_within_their_pieces_and_before_all_cuts(jigsaw: Jigsaw) -> None:
    drawing = jigsaw(5, 4)
    named, left_out = labelled(drawing)
    assert left_out == []
    shapes = outlines(drawing)
    engraved = [chain for chain in named.chains if chain.operation is Operation.ENGRAVE]
    assert named.chains[: len(engraved)] == tuple(engraved)
    lines = named.strokes.flattened(0.01)
    around = [
        [at for at, shape in enumerate(shapes) if shape.contains(shapely.LineString(lines[chain.strokes[0] >> 1]))]
        for chain in engraved
    ]
    assert all(len(pieces) == 1 for pieces in around)
    assert {pieces[0] for pieces in around} == set(range(20)), "every piece bears its name"
    assert len({int(chain.strokes[0]) >> 1 for chain in engraved}) == len(engraved)
    assert np.array_equal(named.strokes.points[: len(drawing.strokes.points)], drawing.strokes.points)


def test_a_mirrored_sheet_is_cut_from_behind_and_its_names_can_be_read(jigsaw: Jigsaw) -> None:
    drawing = jigsaw(4, 3)
    plain = made(drawing, Making(labels=True), Machine(), Material()).plans[0].drawing
    turned = made(drawing, Making(labels=True, mirror=True), Machine(), Material()).plans[0].drawing
    for piece, other in zip(outlines(plain), outlines(turned), strict=True):
        back = shapely.transform(other, lambda points: points * (-1, 1) + (drawing.width, 0))
        assert piece.symmetric_difference(back).area < 0.01
    letters = [sheet.strokes.points[sheet.strokes.starts[len(drawing.strokes)] :] for sheet in (plain, turned)]
    steps = [np.diff(points, axis=0) for points in letters]
    assert np.allclose(steps[0][:20], steps[1][:20], atol=0.3), "letters run to the right on both"


def letters_of(sheet: Drawing) -> list[shapely.LineString]:
    """What is engraved on a sheet."""
    lines = sheet.strokes.flattened(0.01)
    return [
        shapely.LineString(lines[one.strokes[0] >> 1]) for one in sheet.chains if one.operation is Operation.ENGRAVE
    ]


def test_labels_for_the_reverse_side_are_a_sheet_of_their_own_that_fits_when_turned_over(jigsaw: Jigsaw) -> None:
    drawing = jigsaw(5, 4)
    result = made(drawing, Making(labels=True, label_side="reverse", kerf=0), Machine(), Material())
    assert letters_of(result.plans[0].drawing) == []
    ((number, word, back),) = result.beside
    assert (number, word) == (0, "back") and len(back.pieces) == 0
    assert (back.width, back.height) == (drawing.width, drawing.height)
    # Turned over about its vertical middle, each label lies within its piece, and all pieces have one.
    letters = [shapely.transform(one, lambda p: p * (-1, 1) + (drawing.width, 0)) for one in letters_of(back)]
    on = [[at for at, piece in enumerate(outlines(drawing)) if piece.contains(one)] for one in letters]
    assert all(len(pieces) == 1 for pieces in on) and {pieces[0] for pieces in on} == set(range(20))
    (outline,) = (one for one in back.chains if one.operation is Operation.SCORE)
    assert float(back.strokes.lengths[outline.strokes >> 1].sum()) == pytest.approx(
        2 * (drawing.width + drawing.height), rel=1e-6
    )
    face = made(drawing, Making(labels=True, kerf=0), Machine(), Material()).plans[0].drawing
    steps = [[float(one.length) for one in letters_of(sheet)] for sheet in (face, back)]
    assert len(steps[0]) == len(steps[1]), "the same letters, and none mirrored: first stroke of A1 leans the same way"
    first = [np.diff(shapely.get_coordinates(letters_of(sheet)[0])[[0, -1]], axis=0)[0] for sheet in (face, back)]
    assert np.sign(first[0]).tolist() == np.sign(first[1]).tolist()


def test_labels_in_a_file_of_their_own_are_those_of_the_layer(jigsaw: Jigsaw) -> None:
    drawing = jigsaw(3, 2)
    together = made(drawing, Making(labels=True, kerf=0), Machine(), Material()).plans[0].drawing
    result = made(drawing, Making(labels=True, label_file="file", kerf=0), Machine(), Material())
    ((_, word, apart),) = result.beside
    assert word == "labels" and letters_of(result.plans[0].drawing) == []
    found, wanted = (sorted(shapely.normalize(one).wkt for one in letters_of(sheet)) for sheet in (apart, together))
    assert found == wanted


def test_labels_can_be_running_numbers_and_as_high_as_asked(jigsaw: Jigsaw) -> None:
    drawing = jigsaw(4, 3)
    tall = made(drawing, Making(labels=True, label_text="numbers", label_height=6.0, kerf=0), Machine(), Material())
    letters = letters_of(tall.plans[0].drawing)
    heights = [float(np.ptp(shapely.get_coordinates(one)[:, 1])) for one in letters]
    assert max(heights) == pytest.approx(6.0, rel=0.05)
    assert numbers_of(drawing) == dict(zip(drawing.pieces.names, map(str, range(1, 13)), strict=True))
    copied = made(drawing, Making(labels=True, label_text="numbers", page="bed", copies=2), Machine(), Material())
    assert copied.notes == ()


def test_files_beside_a_sheet_have_its_name_and_are_written_and_proven_with_it(jigsaw: Jigsaw, tmp_path: Path) -> None:
    result = made(jigsaw(3, 2), Making(labels=True, label_side="reverse"), Machine(), Material())
    reports = write_all(result.sheets, tmp_path / "board.svg", beside=result.beside)
    assert [report.path.name for report in reports] == ["board.svg", "board-back.svg"]
    assert [report.pieces for report in reports] == [6, 0] and reports[1].cut_length == 0


def test_boards_that_share_a_sheet_are_each_cut_like_one_alone(jigsaw: Jigsaw) -> None:
    alone = made(jigsaw(6, 4), Making(), Machine(), Material()).plans[0]
    (together,) = made(jigsaw(6, 4), Making(page="bed", copies=3), Machine(), Material()).plans
    assert together.strategy is Strategy.SNAKE
    assert (together.loose_cuts, together.largest_freed, together.reach) == (0, 1, alone.reach)
    assert len(together.drawing.chains) == together.least_chains == 3 * len(alone.drawing.chains)
    assert together.travel < 3 * alone.travel + 2 * 3 * 150 + 2 * 600, "and the head goes from each to the next once"
    aware = made(jigsaw(6, 4), Making(page="bed", copies=3, strategy="release-aware"), Machine(), Material()).plans[0]
    assert (aware.loose_cuts, aware.largest_freed) == (0, 1) and aware.reach < together.reach


def test_a_neck_that_the_kerf_burns_through_is_refused_though_the_bridge_would_swallow_its_head() -> None:
    knob = [(20.0, 0.0), (20.0, 9.95), (20.02, 9.95), (20.02, 9.925), (20.17, 9.925), (20.17, 10.075), (20.02, 10.075),
            (20.02, 10.05), (20.0, 10.05), (20.0, 20.0)]  # fmt: skip
    rims = [[(20, 0), (40, 0), (40, 20), (20, 20)], [(20, 20), (0, 20), (0, 0), (20, 0)]]
    strokes = Curves.from_strokes([through(np.array(corners, float)) for corners in (knob, *rims)])
    chains = tuple(Chain(Operation.INNER, np.array([2 * stroke])) for stroke in range(3))
    pieces = Pieces(np.array([0, 4, 2, 1]), np.array([0, 2, 4]), ("A1", "B1"))
    board = Drawing(40.0, 20.0, strokes, chains, pieces)
    assert made(board, Making(kerf=0.09), Machine(), Material(bridge=0.0)).notes == ()
    for bridge in (0.0, 0.1, 0.5, 1.5):
        with pytest.raises(
            StudioError, match=r"^A kerf of 0\.12 mm burns through piece A1; .* is only 0\.10 mm wide\.$"
        ):
            made(board, Making(kerf=0.12), Machine(), Material(bridge=bridge))
